"""The lessons' files: what is wrong in one is told with its line; what they tell is true."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, sqrt
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation
from django.utils.translation import gettext

from games.rules import DECK as CARDS
from games.rules import parse_card
from lessons.course import Step, StepKind, graphs, lessons, markup, variables
from lessons.course.check import problems, texts, texts_of
from lessons.course.figures import FIGURES, figure, figure_text
from lessons.course.load import CONTENT, load
from lessons.course.plan import COVERS, Shows
from lessons.course.variables import variable
from lessons.exercises.two_way_tables import crossed_table, path_tree
from lessons.probability import Root
from tests.scenes import SOAK
from xactika_site.texts import Problem

DECK = list(product((1, 2, 3), repeat=4))
BELL = CONTENT / "02-stats-table"


def test_all_lessons_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their types' questions are asked a few times here; ``make check`` asks each often."""
    monkeypatch.setattr("lessons.questions.check.SEEDS", 40 if SOAK else 8)
    call_command("check_lessons")
    assert [lesson.number for lesson in lessons()] == list(range(1, len(lessons()) + 1))
    for lesson in lessons():
        assert {step.kind for step in lesson.steps} == set(StepKind)
        for text in texts_of(lesson):
            shown_text = markup.html(text)
            assert "[" not in shown_text
            assert "**" not in shown_text
            assert "==" not in shown_text + markup.plain(text)
            assert "\\(" not in shown_text
            assert " style=" not in shown_text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_conclusion_and_its_term_reach_the_wall(language: str) -> None:
    with translation.override(language):
        for step in (step for lesson in lessons() for step in lesson.steps if step.of):
            texts = [gettext(text) for text in step.paragraphs]
            assert markup.wall_fault(texts) == (0, ""), step.name


def test_long_lessons_have_a_path_for_one_period() -> None:
    for lesson in lessons():
        assert (30 <= lesson.short <= 45) == (lesson.minutes > 60), lesson.slug
        assert lesson.planned(len(lesson.steps))[1] == lesson.minutes


# Broken files: what is replaced by what, and the line and message that must be told.
BROKEN = [
    ("lesson.txt", "build: values", "build: heights", "build:", "no variable “heights”"),
    ("lesson.txt", "exercise: deck-spread", "exercise: spread", "exercise: s", "no exercise"),
    ("lesson.txt", "deck-spread", "deck-spread\nonly: shapes", "only: shapes", "write “only:"),
    ("lesson.txt", "cards: 1111 1223", "crossed: call 1-ball", "crossed:", "write “crossed:"),
    ("lesson.txt", "cards: 1111 1223", "strip: hands", "strip:", "there is no strip “hands"),
    ("lesson.txt", "+ 8\n", "- 8\nbots: 99 rounds\n", "bots:", "write “bots: 20 rounds”"),
    ("lesson.txt", "- 12\n", "- 12\nbots: 2 rounds\n", "bots:", "a - for each bot, and no +"),
    ("lesson.txt", "cards: 1111 1223", "tree: least 99", "tree:", "write “tree:"),
    ("lesson.txt", "cards: 1111 1223", "bids: 3 9?", "bids:", "write “bids: 3 2 1 ?”"),
    ("lesson.txt", "cards: 1111 1223", "lots: ABC", "lots:", "write “lots: ABBA”"),
    ("lesson.txt", "cards: 1111 1223", "share: a third", "share:", "write “share: 30 of 100”"),
    ("lesson.txt", "deck-spread", "deck-pie\nonly: slices x", "only: sl", "no question of"),
    ("lesson.txt", "exercise: deck-spread\n", "", "# do spread", "exactly one of exercise:"),
    ("lesson.txt", "of: bet", "of: best", "# reveal bell", "no prediction “best”"),
    ("lesson.txt", "# reveal bell:", "# reveal:", "# reveal:", "a step begins like"),
    ("lesson.txt", "# predict bet:", "# guess bet:", "# guess", "a step begins like"),
    ("lesson.txt", "chart: values", "charts: values", "charts:", "“charts:” is not known"),
    # A box is built and counts nothing, so no chart can show its shares.
    ("lesson.txt", "chart: values", "chart: hand-box", "chart: hand-box", "no variable “hand"),
    ("lesson.txt", "cards: 1111 1223", "cards: 1111 1423", "cards: 1111 1423", "1423"),
    ("lesson.txt", "+ 8\n", "+ 8\n+ 9\n", "- 4", "one + at most"),
    ("lesson.txt", "exactly [1-ball]", "exactly [1-bell]", "Keep only", "“[1-bell]” is no"),
    ("lesson.txt", "[= cards of value 8]", "[= means]", "Low and high", "no figure “means”"),
    ("lesson.txt", "**bar graph**", "**bar graph", "Low and high", "bold needs **"),
    ("lesson.txt", "**bar graph**", "<b>bar graph</b>", "Low and high", "no HTML"),
    ("lesson.txt", "**bar graph**", "\\(\\frac{1}{2\\)", "Low and high", "a { without its }"),
    ("lesson.txt", "**bar graph**", "\\(x", "Low and high", "needs both"),
    ("lesson.txt", "**bar graph**.==", "**bar graph**.", "Low and high", "needs == before"),
    ("lesson.txt", "table as a **bar", "table== as a **bar", "Low and high", "needs == before"),
    ("lesson.txt", "are rare", "are **rare**", "Low and high", "“rare” is not on the wall"),
    ("lesson.txt", "have each v", "==have== each v", "# do bars", "for what a prediction or"),
    ("lesson.txt", "’s one way", "’s one" + 60 * " more" + " way", "Low", "too many for the"),
    ("lesson.txt", "minutes: 10\n", "minutes: long\n", "minutes: l", "write “minutes: 5”"),
    ("lesson.txt", "minutes: 10\n", "", "# do bars", "“minutes:” is missing"),
    ("lesson.txt", "minutes: 10\n", "minutes: 11\n", "minutes: 55", "take 56 minutes"),
    ("lesson.txt", "minutes: 3\n", "minutes: 3, short\n", "# reveal bell", "both, or neither"),
    ("lesson.txt", "minutes: 10\n", "minutes: 50, short\n", "", "45 at most"),
    ("lesson.txt", "minutes: 55", "minutes: an hour", "minutes:", "a number like 45"),
    ("lesson.txt", "minutes: 55", "minutes: 55\nneeds: 2", "needs:", "before this one"),
    ("lesson.txt", "minutes: 55", "minutes: 55\nneeds: one", "needs:", "before this one"),
    ("lesson.txt", "title: The stats table and the bell\n", "", "", "“title:” is missing"),
    ("lesson.txt", "# do spread", "# do bars", "# do bars: Centre", "“bars” is there twice"),
    ("teacher.txt", "# Questions to ask", "# Questions", "", "“# Questions to ask” is missing"),
    ("teacher.txt", "- sample-sd", "- sample", "- sample", "is no misconception"),
    ("worksheet.txt", "key: count-curve", "key: curve", "key: curve", "no exercise “curve”"),
    ("worksheet.txt", "# In words", "# Write", "# Write", "headings here"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "at", "message"), BROKEN)
def test_a_broken_file_is_told_with_its_line(
    tmp_path: Path, name: str, old: str, new: str, at: str, message: str
) -> None:
    folder = tmp_path / BELL.name
    shutil.copytree(BELL, folder)
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next((n for n, each in enumerate(lines, start=1) if each.startswith(at)), 1)
    with pytest.raises(Problem) as found:
        load(folder)
    assert message in found.value.message
    assert (found.value.path.name, found.value.line) == (name, line if at else 1)


def test_a_problem_comes_through_whatever_it_passes() -> None:
    """A context manager writes a traceback into it."""

    @contextmanager
    def passed() -> Iterator[None]:
        yield

    with pytest.raises(Problem, match=r"lesson\.txt:7: nonsense"), passed():
        raise Problem(BELL / "lesson.txt", 7, "nonsense")


def test_a_missing_file_and_a_strange_folder(tmp_path: Path) -> None:
    shutil.copytree(BELL, tmp_path / "01-bell")
    (tmp_path / "01-bell" / "teacher.txt").unlink()
    (tmp_path / "second").mkdir()
    told = [str(problem) for problem in problems(tmp_path)]
    assert told[0].endswith("teacher.txt:1: this file is missing")
    assert "like 03-the-deal" in told[1]


def test_every_lesson_has_a_picture_of_its_own() -> None:
    drawings = CONTENT.parents[1] / "templates/lessons/course/covers"
    assert {drawing.stem for drawing in drawings.iterdir()} == COVERS
    covers = [lesson.cover for lesson in lessons()]
    assert len({*covers}) == len(covers)


def test_numbers_of_lessons_have_no_gap(tmp_path: Path) -> None:
    shutil.copytree(BELL, tmp_path / "02-bell")
    assert "[2]" in problems(tmp_path)[0].message


def test_the_check_fails_with_all_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Problem(BELL / "lesson.txt", 7, "nonsense")]
    monkeypatch.setattr("lessons.management.commands.check_lessons.problems", lambda: found)
    monkeypatch.setattr("lessons.questions.check.EXERCISES", {})  # they take seconds
    with pytest.raises(CommandError, match=r"lesson\.txt:7: nonsense"):
        call_command("check_lessons")


def test_every_text_can_be_translated() -> None:
    told = {text for _name, text in texts()}
    for lesson in lessons():
        assert set(texts_of(lesson)) <= told


# The figures, counted anew.


def hands_with(marked: int, k: int) -> Fraction:
    """P(k of ``marked`` cards in a hand of eight), card by card."""
    ways = Fraction(0)
    for order in combinations(range(8), k):
        chance, left, other = Fraction(1), marked, 81 - marked
        for place in range(8):
            if place in order:
                chance *= Fraction(left, 81 - place)
                left -= 1
            else:
                chance *= Fraction(other, 81 - place)
                other -= 1
        ways += chance
    return ways


def count(value: int) -> int:
    return sum(sum(card) == value for card in DECK)


def alike(*pattern: int) -> int:
    found = 0
    for card in DECK:
        found += tuple(sorted((card.count(n) for n in set(card)), reverse=True)) == pattern
    return found


def mean_of(cards: list[tuple[int, ...]]) -> Fraction:
    return Fraction(sum(map(sum, cards)), len(cards))


def nobody(rivals: int, seats: int) -> Fraction:
    """None of so many cards among the 8·(seats − 1) that others hold: card after card."""
    chance = Fraction(1)
    for k in range(rivals):
        chance *= Fraction(73 - 8 * (seats - 1) - k, 73 - k)
    return chance


def void_in_any() -> Fraction:
    """Over all sets of the twelve calls that may be missing at once."""
    calls = list(product(range(4), (1, 2, 3)))
    ways = 0
    for size in range(1, 13):
        for missing in combinations(calls, size):
            left = 1
            for shape in range(4):
                left *= 3 - sum(each[0] == shape for each in missing)
            ways += (-1) ** (size + 1) * comb(left, 8)
    return Fraction(ways, comb(81, 8))


def points_of(bid: int) -> float:
    return bid * FORECAST[bid] - sum(abs(bid - k) * p for k, p in enumerate(FORECAST))


def total_within(low: int, high: int) -> Fraction:
    """P(a hand's total is from low to high), by adding card after card of the deck."""
    ways = {(0, 0): 1}
    for card in DECK:
        for (cards, total), n in list(ways.items()):
            if cards < 8:
                after = (cards + 1, total + sum(card))
                ways[after] = ways.get(after, 0) + n
    hands = {total: n for (cards, total), n in ways.items() if cards == 8}
    return Fraction(sum(n for t, n in hands.items() if low <= t <= high), comb(81, 8))


VOID = void_in_any()
HIGH = sum(sum(card) >= 9 for card in DECK)
SQUARES = Fraction(sum((sum(card) - 8) ** 2 for card in DECK), 81)
FORECAST = [0.05, 0.20, 0.25, 0.20, 0.15, 0.10, 0.05, 0, 0]

NEITHER = Fraction(sum(a[0] != 1 != b[0] for a, b in combinations(DECK, 2)), comb(81, 2))


def hands_of_four() -> tuple[Fraction, dict[int, Fraction]]:
    """Card by card through the deck: the share of hands that are worth 4 by the encyclopedia's
    tip, and of these the shares by how many of their cards show 1 ball."""
    hands = {(0, 0, 0, 0): 1}  # by cards, those from 11, the 9s and 10s, 1-balls
    for card in DECK:
        value = sum(card)
        for (size, full, half, ones), number in list(hands.items()):
            if size < 8:
                key = (
                    size + 1,
                    full + (value > 10),
                    half + (value in (9, 10)),
                    ones + (card[0] == 1),
                )
                hands[key] = hands.get(key, 0) + number
    bids = {
        k: sum(
            n for (s, full, half, ones), n in hands.items()
            if s == 8 and full + half // 2 == 4 and ones == k
        )
        for k in range(9)
    }  # fmt: skip
    whole = sum(bids.values())
    return Fraction(whole, comb(81, 8)), {k: Fraction(n, whole) for k, n in bids.items()}


BIDS_4, ONES_OF_4 = hands_of_four()
MEAN_OF_4 = sum((k * p for k, p in ONES_OF_4.items()), Fraction())
NO_ONE = Fraction(comb(54, 8), comb(81, 8))
HIGH_ONES = sum(card[0] == 1 and sum(card) >= 9 for card in DECK)

COUNTED: dict[str, float | Fraction] = {
    # Played again by tests/analysis/test_experiment_power.py
    "classes that see the tips differ": Fraction(5),
    "large classes that see it": Fraction(8),
    "bids of 10000": round(10_000 * BIDS_4),
    "no 1-ball of 10000": round(10_000 * NO_ONE),
    "no 1-ball given the bid": ONES_OF_4[0],
    "no 1-ball of the bids": round(10_000 * BIDS_4 * ONES_OF_4[0]),
    "the bid given no 1-ball": BIDS_4 * ONES_OF_4[0] / NO_ONE,
    "1-balls given the bid": MEAN_OF_4,
    "1-balls unseen": 25,
    "1-balls when led": Fraction(25 * 8, 73),
    "1-balls after a slough": Fraction(25 * 8, 65),
    "1-balls after a follow": Fraction(25 * 8, 73) / (1 - Fraction(comb(48, 8), comb(73, 8))),
    "1-balls of a high card": Fraction(HIGH_ONES, HIGH),
    "1-balls of a low card": Fraction(27 - HIGH_ONES, 81 - HIGH),
    "cards": len(DECK),
    "cards of value 8": count(8),
    "chance of value 8": Fraction(19, 81),
    "cards from 9": HIGH,
    "chance from 9": Fraction(HIGH, 81),
    "cards 7 to 9": count(7) + count(8) + count(9),
    "degrees 7 to 9": Fraction(360 * (count(7) + count(8) + count(9)), 81),
    "cards of a class": sum(card[0] == 1 for card in DECK),
    "two shapes alike": alike(2, 1, 1),
    "three shapes alike": alike(3, 1),
    "two pairs alike": alike(2, 2),
    "all shapes alike": alike(4),
    "mean value": mean_of(DECK),
    "spread of value": sqrt(SQUARES),
    **{f"mean with {n}": mean_of([c for c in DECK if c[2] == n]) for n in (1, 2, 3)},
    "expected 1-balls": Fraction(8 * 27, 81),
    "no 1-ball": hands_with(27, 0),
    "no 1-ball with replacement": (2 / 3) ** 8,
    "a void": VOID,
    "expected from 9": Fraction(8 * HIGH, 81),
    "unseen cards": 73,
    "cards in other hands": 24,
    "safe with 3": nobody(3, 4),
    "safe with 3 of two": nobody(3, 2),
    "safe with 3 of eight": nobody(3, 8),
    "cards from 10": sum(sum(c) >= 10 for c in DECK),
    "chance from 10": Fraction(sum(sum(c) >= 10 for c in DECK), 81),
    "1-ball from 10": sum(c[0] == 1 and sum(c) >= 10 for c in DECK),
    "from 10 given 1-ball": Fraction(sum(sum(c) >= 10 for c in DECK if c[0] == 1), 27),
    "from 10 without 1-ball": Fraction(sum(sum(c) >= 10 for c in DECK if c[0] != 1), 54),
    "neither of two": NEITHER,
    "at least one of two": 1 - NEITHER,
    "tip at four": Fraction(4 * 8 * HIGH, 81),
    **{f"points of bid {bid}": points_of(bid) for bid in (2, 3)},
    **{
        f"spread of a share over {n}": sqrt(VOID * (1 - VOID) / n)
        for n in (10, 40, 160, 200)
    },
    "gap over 10": sqrt(VOID * (1 - VOID) * 10),
    "gap over 1000": sqrt(VOID * (1 - VOID) * 1000),
    "spread of a hand mean": sqrt(Fraction(8, 3) / 8 * Fraction(73, 80)),
    "spread of a mean of eight": sqrt(SQUARES / 8),
    "a mean from 9": total_within(72, 96),
    "a mean near 8": total_within(60, 68),
    "spread of four hands": 0.226,
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_figures(name: str) -> None:
    exact, counted = figure(name), COUNTED[name]
    if isinstance(exact, Root) or isinstance(counted, float):
        assert float(exact) == pytest.approx(float(counted), abs=0.0005)
    else:
        assert exact == counted


def test_every_figure_is_counted_and_no_other() -> None:
    assert set(COUNTED) == set(FIGURES)


def test_every_figure_is_told() -> None:
    told = " ".join(text for lesson in lessons() for text in texts_of(lesson))
    truths = {step.whole.truth for lesson in lessons() for step in lesson.steps if step.whole}
    assert set(FIGURES) <= truths | set(re.findall(r"\[[=%] ([^\]]+)\]", told))


def test_figures_as_people_read_them() -> None:
    assert figure_text("cards") == "81"
    assert figure_text("a void", percent=True) == "33.9%"
    assert figure_text("spread of a hand mean") == "0.552"


# What the texts say in so many words.


def beaten_by(value: int, number: int) -> int:
    """How many other cards of a class are at least as high."""
    return sum(card[0] == number and sum(card) >= value for card in DECK) - 1


def test_the_order_of_leads_in_lesson_4() -> None:
    step = next(step for step in lessons()[3].steps if step.name == "order")
    leads = [(int(s.text.split(",")[0]), int(s.text.split()[2])) for s in step.statements]
    beaten = [beaten_by(value, number) for value, number in leads]
    assert leads[0] == (10, 1)
    assert beaten == sorted(set(beaten))


def test_numbers_in_the_texts() -> None:
    told = "\n".join(text for lesson in lessons() for text in texts_of(lesson))
    written = {
        "27 of 74 unseen cards": 81 - 7 == 74,
        "the 49 undealt": 73 - 24 == 49,
        "the 9 of 81": sum(c[0] == c[1] == 1 for c in DECK) == 9,
        "A little more than one half": 0.5 < 1 - NEITHER < 0.6,
    }
    for words, is_true in written.items():
        assert words in told
        assert is_true, words


@pytest.mark.parametrize(
    ("number", "name", "right"),
    [
        (3, "none", round(100 * hands_with(27, 0))),
        (4, "three", round(100 * nobody(3, 4))),
        (6, "spread", round(100 * sqrt(VOID * (1 - VOID) / 40))),
    ],
)
def test_the_right_choice_of_a_prediction(number: int, name: str, right: int) -> None:
    (step,) = (each for each in lessons()[number - 1].steps if each.name == name)
    assert [each.text for each in step.statements if each.is_right] == [str(right)]


# What lessons count.


@pytest.mark.parametrize("key", variables.COUNTED)
def test_variables_are_whole(key: str) -> None:
    asked = variable(key)
    for curve in asked.curves:
        assert len(curve.weights) == len(asked.categories)
        assert sum(curve.weights) == asked.total
    assert sum(asked.shares) == 1


def test_the_box_is_of_the_cards_that_are_shown() -> None:
    """And what is said of a wrong one tells which thought was wrong."""
    (step,) = (step for step in load(BELL).steps if step.build == "hand-box")
    asked = variable("hand-box")
    assert sorted(parse_card(code).value for code in step.shows.cards) == sorted(asked.data)
    assert graphs.graph(asked, 0).dots == asked.data
    right = graphs.right_heights(asked, 0)
    assert right == [5, 6, 7, 9, 12]
    assert graphs.is_right(asked, 0, right)
    assert "cut the line into four" in graphs.hint(asked, 0, [5, 7, 8, 10, 12])
    assert "never go down" in graphs.hint(asked, 0, [5, 9, 7, 6, 12])
    assert "4 of 5" in graphs.hint(asked, 0, [5, 6, 8, 9, 12])
    assert graphs.wrong_fields(asked, 0, [5, 6, 8, 9, 12]) == ("h2",)
    assert not graphs.wrong_fields(asked, 0, [5, 7, 8, 10, 12])


def test_the_deck_read_card_by_card_is_its_own_theory() -> None:
    for key in ("values", "patterns", "value-thirds"):
        asked = variable(key)
        assert asked.counted([CARDS]) == tuple(map(int, asked.curves[0].weights))


def test_hands_are_read_as_their_theory_says() -> None:

    rng = Random(7)
    hands = [rng.sample(CARDS, 8) for _ in range(4000)]
    for key in ("one-balls", "high-cards", "void", "hand-means"):
        asked = variable(key)
        counts = asked.counted(hands)
        assert sum(counts) == len(hands)
        for number, share in zip(counts, asked.shares, strict=True):
            bound = 5 * sqrt(share * (1 - share) * len(hands)) + 3
            assert abs(number - share * len(hands)) < bound


def test_the_curves_by_enumeration() -> None:
    curves = variable("three-curves").curves
    for ball, curve in zip((1, 2, 3), curves, strict=True):
        assert curve.weights == tuple(
            sum(card[0] == ball and sum(card) == value for card in DECK)
            for value in range(4, 13)
        )
    assert comb(3, 1) == curves[0].weights[1]  # one of three other shapes shows 2


def does(event: tuple[str, int | str], card: tuple[int, ...]) -> bool:
    what, of = event
    if what == "call":
        count, shape = str(of).split("-")
        return card[("ball", "cube", "cone", "star").index(shape)] == int(count)
    return sum(card) >= int(of) if what == "least" else sum(card) == int(of)


CROSSED = [step for lesson in lessons() for step in lesson.steps if step.shows.crossed]
TREES = [step for lesson in lessons() for step in lesson.steps if step.shows.tree]


@pytest.mark.parametrize("step", CROSSED, ids=lambda step: step.name)
def test_two_way_tables_card_by_card(step: Step) -> None:
    one, other = step.shows.crossed
    found = [[0, 0], [0, 0]]
    for card in DECK:
        found[not does(one, card)][not does(other, card)] += 1
    rows = [[int(cell) for cell in row[1:4]] for row in crossed_table(one, other).rows]  # type: ignore[arg-type]
    assert rows == [
        *([*row, sum(row)] for row in found),
        [found[0][0] + found[1][0], found[0][1] + found[1][1], 81],
    ]
    shares = [str(row[4]).rstrip("%") for row in crossed_table(one, other).rows]
    assert [float(share) for share in shares] == pytest.approx(
        [100 * row[0] / row[2] for row in rows], rel=0.005
    )


@pytest.mark.parametrize("step", TREES, ids=lambda step: step.name)
def test_trees_draw_by_draw(step: Step) -> None:
    assert step.shows.tree
    ways = [0, 0, 0, 0]
    for first, second in permutations(DECK, 2):
        ways[2 * (not does(step.shows.tree, first)) + (not does(step.shows.tree, second))] += 1
    tree = path_tree(step.shows.tree)
    ends = [float(end.rstrip("%")) for end in tree.ends]
    assert ends == pytest.approx([100 * n / (81 * 80) for n in ways], rel=0.005)
    along = [
        Fraction(tree.first[n // 2]) * Fraction(second) for n, second in enumerate(tree.second)
    ]
    assert along == [Fraction(n, 81 * 80) for n in ways]
    assert round(sum(ends), 1) == 100


def test_points_of_halves_drawn_by_lot_show_both_means_and_their_gap() -> None:
    halves = Shows(lots="A1B2A0B4").halves
    assert halves is not None
    assert halves.dots == [("A", 10, 0), ("A", 0, 0), ("B", 20, 0), ("B", 40, 0)]
    assert (halves.means, halves.gap) == ({"A": 0.5, "B": 3.0}, 2.5)
    assert halves.ends == (5.0, 25.0, 17.5)
    assert Shows(lots="ABBA").halves is None
