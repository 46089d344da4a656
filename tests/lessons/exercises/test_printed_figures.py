"""What follows exactly from a figure that was printed rounded is right, by the same rule."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from games.rules import parse_card
from lessons.exercises import AnswerGrade, Instance, grade
from lessons.exercises.engine import Blank
from lessons.exercises.skills import Misconception
from lessons.exercises.texts import decimal
from tests.lessons.exercises.recompute import hands_by_sort
from tests.scenes.exercises import KEYS, questions, right_texts
from tests.scenes.written import rounded_text

DIGITS = (3, 4, 5, 6)


def outcomes(question: Instance, field: str, value: Decimal) -> set[AnswerGrade]:
    """Of the value with so many digits, the other fields right."""
    good = right_texts(question, 0)
    return {
        grade(question, {**good, field: rounded_text(value, digits)}).grade for digits in DIGITS
    }


def printed(pattern: str, question: Instance) -> Decimal:
    found = re.search(pattern, question.prompt)
    assert found, question.prompt
    return Decimal(found[1])


def test_the_spread_of_a_frequency_from_the_printed_chance() -> None:
    for question in questions("frequency"):
        hands = question.parameters["hands"]
        chance = printed(r"with a chance of ([0-9.]+) for", question)
        expected = printed(r", ([0-9.]+) were expected", question)
        for p in (chance, expected / hands):
            sd = (p * (1 - p) / hands).sqrt()
            assert outcomes(question, "sd", sd) == {AnswerGrade.RIGHT}


@pytest.mark.parametrize("sd", ["0.5515", "0.552"])
def test_the_standing_of_a_hand_from_the_printed_sd(sd: str) -> None:
    for question in questions("hand-spread:C"):
        values = [parse_card(code).value for code in question.parameters["dealt"]]
        away = Decimal(sum(values)) / 8 - 8
        assert outcomes(question, "z", away / Decimal(sd)) == {AnswerGrade.RIGHT}


@pytest.mark.parametrize("key", ["bid-errors", "hand-spread", "distances:B"])
def test_the_spread_from_a_variance_rounded_on_the_way(key: str) -> None:
    for question in questions(key):
        exact = question.right["sd"]
        square = exact**2 if isinstance(exact, Fraction) else exact.square  # type: ignore[union-attr]
        for digits in (3, 4):
            rounded = Decimal(rounded_text(Decimal(float(square)), digits))
            assert outcomes(question, "sd", rounded.sqrt()) == {AnswerGrade.RIGHT}


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Fraction(99993, 100_000), "0.9999"),
        (Fraction(9996, 10_000), "0.9996"),
        (Fraction(1), "1"),
        (Fraction(-4, 5), "−0.8"),
    ],
)
def test_no_chance_is_rounded_to_1_and_a_minus_is_no_hyphen(share: Fraction, text: str) -> None:
    assert decimal(share) == text


@pytest.mark.parametrize("key", ["bid-evidence", "bid-evidence:B"])
def test_expected_deals_are_called_expected(key: str) -> None:
    """And not exact to the deal: a box is up to 1.5 off, so that its row adds up."""
    for question in questions(key):
        p = question.parameters
        deals: Counter[tuple[bool, bool]] = Counter()
        for (tricks, halves, holds), ways in hands_by_sort(p["tip"], p["call"]).items():
            deals[tricks + halves // 2 == p["bid"], holds] += ways
        first, second, _all = question.tables[0].rows
        boxes = {(True, False): first[1], (True, True): first[2], (False, False): second[1],
                 (False, True): second[2]}  # fmt: skip
        for sort, box in boxes.items():
            number = question.right[box.field] if isinstance(box, Blank) else int(box)
            exact = Fraction(10_000 * deals[sort], deals.total())
            assert isinstance(number, int | Fraction)
            assert abs(number - exact) <= Fraction(3, 2)
        assert question.tables[0].caption.startswith("Expected among")


def test_the_tips_total_from_the_mean_that_was_just_found() -> None:
    for question in questions("tip-audit"):
        mean = Decimal(rounded_text(Decimal(str(float(question.right["mean"]))), 3))
        total = question.parameters["seats"] * mean
        texts = {**right_texts(question, 0), "total": str(total)}
        assert grade(question, texts).grade is AnswerGrade.RIGHT


def test_what_does_not_follow_stays_wrong() -> None:
    """Two units beside, and every listed wrong answer."""
    with localcontext() as context:
        context.prec = 40
        for question in questions("frequency"):
            sd = Decimal(str(float(question.right["sd"])))
            near = rounded_text(sd * Decimal("1.02"), 5)
            texts = {**right_texts(question, 0), "sd": near}
            assert grade(question, texts).grade is AnswerGrade.WRONG
            for wrong in question.wrong:
                assert all(
                    answer != follows
                    for key, answer in wrong.answers.items()
                    for follows in question.follows.get(key, ())
                )


def test_a_listed_wrong_answer_never_counts_as_following() -> None:
    """Even where rounding brings the two together."""
    question = questions("hand-spread:C")[0]
    flipped = next(w for w in question.wrong if w.misconception is Misconception.FLIPPED_SIGN)
    z = flipped.answers["z"]
    assert not isinstance(z, str)
    close = type(question)(
        **{
            **{name: getattr(question, name) for name in question.__slots__},
            "follows": {"z": (z,)},
        }
    )
    texts = {**right_texts(close, 0), "z": rounded_text(Decimal(str(float(z))), 4)}
    verdict = grade(close, texts)
    assert verdict.misconceptions == (Misconception.FLIPPED_SIGN,)


NUMBER = r"-?\d+(?:\.\d+)?"
SUM = re.compile(r"[-+*/(). 0-9]+")


def worked_out(latex: str) -> Fraction | None:
    """What a printed piece of arithmetic gives, as it stands; None if it is more than that."""
    text = latex.replace(r"\cdot", "*").replace(":", "/")
    while (shorter := re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)) != text:
        text = shorter
    text = re.sub(r"\{?(\d+)\}?\^\{?(\d+)\}?", r"\1**\2", text)
    if not text.strip() or not SUM.fullmatch(text):
        return None
    exact = re.sub(r"\d+(?:\.\d+)?", lambda found: f"F('{found[0]}')", text)
    return Fraction(eval(exact, {"F": Fraction}))


@pytest.mark.parametrize("key", KEYS)
def test_what_is_printed_adds_up(key: str) -> None:
    """Each step of a solution gives the next one, from the figures as they stand there: what
    was rounded before it was printed leads to what is printed after it."""
    for question in questions(key)[:6]:
        for line in (question.prompt, *question.solution):
            for formula in re.findall(r"\\\((.*?)\\\)", line):
                for one in formula.split(r"\quad"):
                    adds_up(one.strip(" ,"))


def adds_up(formula: str) -> None:
    sides = re.split(r"=|\\approx|\\ne", formula)
    signs = re.findall(r"=|\\approx|\\ne", formula)
    for left, sign, right in zip(sides, signs, sides[1:], strict=False):
        one, other = worked_out(left), worked_out(right)
        if one is None or other is None or sign == r"\ne":
            continue
        places = (
            len(right.strip().partition(".")[2]) if re.fullmatch(NUMBER, right.strip()) else 0
        )
        off = Fraction(1, 2 * 10**places) if sign == r"\approx" else 0
        assert abs(one - other) <= off, formula


@pytest.mark.parametrize(
    "formula", [r"1 - 0.442 \approx 0.557", r"\frac{27 - 9}{81} = \frac{17}{81}", r"3^{4} = 64"]
)
def test_what_does_not_add_up_is_found(formula: str) -> None:
    with pytest.raises(AssertionError):
        adds_up(formula)
