"""How each type of question went, across all classes of a server, named to nobody."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from lessons.assessment.assessed import discrimination, mark
from lessons.exercises import EXERCISES
from lessons.exercises.engine import Exercise
from lessons.exercises.skills import Misconception
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.models import ANSWERS_OUTSIDE_TESTS, Answer
from lessons.results.learned.rasch import Difficulty, Response, difficulties
from xactika_site.classrooms.privacy import FEWEST

READ = 40_000
"""Answers looked at, the latest."""

FEWEST_ANSWERS, FEWEST_CLASSES = 100, 2
"""Of fewer, or from fewer classes of FEWEST students and more, no difficulty is told."""

TO_TELL_APART = 5
"""Other questions that a student has answered, or theirs say little about them."""


class First(NamedTuple):
    """A student's first answer to one type at one level: of which class, whether it was right,
    whether with a hint (after a wrong one the hint came later: it counts as without), its
    misconceptions, and after how many seconds."""

    student: int
    classroom: int
    item: tuple[str, str]
    is_right: bool
    is_helped: bool
    misconceptions: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """One type at one level: ``answers`` without a hint, how many were ``right``, how many took
    a hint and are counted apart; ``tells`` is the point-biserial correlation with the rest."""

    exercise: Exercise
    level: str
    answers: int
    right: int
    helped: int
    tells: float | None
    mistake: str
    mistaken: int
    seconds: float
    difficulty: Difficulty | None

    @property
    def share(self) -> float:
        """The item's difficulty as testers have it: the share of right answers."""
        return self.right / self.answers


def first_answers() -> list[First]:
    """Every student's first answer to each type and level, of real classes, the latest READ."""
    rows = (
        Answer.objects.filter(
            ANSWERS_OUTSIDE_TESTS,
            number=0,
            question__student__classroom__demo=False,
            question__exercise__in=EXERCISES,
        )
        .order_by("-pk")
        .values_list(
            *("question__student", "question__student__classroom", "question__exercise"),
            *("question__parameters__level", "right", "question__hints", "misconceptions"),
            *("question__asked", "made"),
        )[:READ]
    )
    found: dict[tuple[int, tuple[str, str]], First] = {}
    for student, classroom, key, level, right, hints, codes, asked, made in rows:
        item = (key, level or EXERCISES[key].level)
        seconds = (made - asked).total_seconds()
        found[student, item] = First(
            student, classroom, item, right, bool(right and hints), tuple(codes), seconds
        )
    return list(found.values())


def figures(firsts: Iterable[First]) -> list[ItemFigures]:
    """The figures by type and level, in the plan's order; none of fewer than FEWEST."""
    every = list(firsts)
    alone = [each for each in every if not each.is_helped]
    by_item: dict[tuple[str, str], list[First]] = defaultdict(list)
    for each in alone:
        by_item[each.item].append(each)
    helped = Counter(each.item for each in every if each.is_helped)
    shares = _shares(alone)
    hard = _difficulties(alone, by_item)
    found = []
    for key, exercise in EXERCISES.items():
        for level in exercise.levels:
            own = by_item.get((key, level), [])
            if len({each.student for each in own}) >= FEWEST:
                found.append(
                    _item_figures(exercise, level, own, helped[key, level], shares, hard)
                )
    return found


def _item_figures(
    exercise: Exercise,
    level: str,
    own: list[First],
    helped: int,
    shares: Mapping[int, tuple[int, int]],
    hard: Mapping[Hashable, Difficulty],
) -> ItemFigures:
    codes = Counter(code for each in own for code in each.misconceptions)
    code, mistaken = codes.most_common(1)[0] if codes else ("", 0)
    titles = {each.value: each.title for each in Misconception}
    rest = [
        (each.is_right, (right - each.is_right) / (n - 1))
        for each in own
        for right, n in [shares[each.student]]
        if n > TO_TELL_APART
    ]
    return ItemFigures(
        exercise,
        level,
        len(own),
        sum(each.is_right for each in own),
        helped,
        discrimination([right for right, _rest in rest], [share for _right, share in rest]),
        titles.get(code, ""),
        mistaken,
        median(each.seconds for each in own),
        hard.get((exercise.key, level)),
    )


def _shares(firsts: Iterable[First]) -> dict[int, tuple[int, int]]:
    """By student, how many answers are right, of how many."""
    found: dict[int, tuple[int, int]] = {}
    for each in firsts:
        right, n = found.get(each.student, (0, 0))
        found[each.student] = (right + each.is_right, n + 1)
    return found


def _difficulties(
    firsts: list[First], by_item: Mapping[tuple[str, str], list[First]]
) -> dict[Hashable, Difficulty]:
    """The difficulties of the items with enough answers from enough classes."""
    enough = {
        item
        for item, own in by_item.items()
        if len(own) >= FEWEST_ANSWERS and _large_classes(own) >= FEWEST_CLASSES
    }
    told = [Response(each.student, each.item, each.is_right) for each in firsts]
    return difficulties([each for each in told if each.item in enough])


def _large_classes(own: list[First]) -> int:
    sizes = Counter(
        each.classroom for each in {(e.classroom, e.student): e for e in own}.values()
    )
    return sum(size >= FEWEST for size in sizes.values())


def panels(found: list[ItemFigures]) -> list[Panel]:
    """The panel of how items went, and how hard they are beside each other, if that can be
    told."""
    rows = [_item_row(each) for each in found]
    hard = sorted((row for row in rows if row["range"]), key=lambda row: row["hard"])
    facts = {
        "n": len(hard),
        "scale": hard,
        "least": FEWEST_ANSWERS,
        "easiest": hard[0]["name"] if hard else "",
        "hardest": hard[-1]["name"] if hard else "",
    }
    return [panel("items", rows, facts)]


def _item_row(each: ItemFigures) -> Merged:
    hard = each.difficulty
    return Merged(
        each,
        name=f"{each.exercise.title} ({each.level})",
        mark=mark(each.share, each.tells, each.answers),
        mistaken=each.mistaken / each.answers,
        seconds=round(each.seconds),
        hard=hard.value if hard else None,
        error=hard.error if hard else None,
        range=(hard.value - 2 * hard.error, hard.value + 2 * hard.error) if hard else None,
    )
