"""Predictions beside the truth: in words, judged, and put together for a room."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.workshop import Rule
from games.words import counted_as, number, percent
from lessons.course import Step, Whole, markup
from lessons.course.contest import WORTH, stored_rule
from lessons.course.figures import figure
from lessons.exercises.page_lines import both
from lessons.exercises.texts import decimal
from lessons.measures.panels import TallyRow
from lessons.visits.ways import Predictions, predicted_number, room_predictions

MOST_BINS = 12


def in_words(step: Step, value: dict[str, Any]) -> str:
    """What somebody predicted, as they would say it."""
    if step.whole:
        return number_words(step.whole, predicted_number(value))
    if step.rule:
        return rule_words(stored_rule(value["rule"]))
    answer = markup.plain(step.statements[value["choice"]].text)
    if "sure" in value:
        sure = percent(Fraction(value["sure"], 100))
        return _("%(said)s (%(sure)s sure)") % {"said": answer, "sure": sure}
    return answer


def number_words(whole: Whole, predicted: Fraction) -> str:
    """A number to predict with its unit: "1 card", "1.49 cards"."""
    return f"{decimal(predicted)} {unit_words(whole, predicted)}".strip()


def unit_words(whole: Whole, predicted: Fraction) -> str:
    """The unit as it goes with a number; empty if there is none."""
    unit = whole.unit
    if " | " in unit:
        is_whole = predicted.denominator == 1
        return ngettext(*both(unit), counted_as(predicted, 0 if is_whole else 2))
    return _(unit) if unit else ""


def rule_words(rule: Rule) -> str:
    """A rule for bidding in one line: its numbers, as its sliders stand."""
    words = _(
        "12, 11: %(high)s · 10: %(ten)s · 9: %(nine)s · single: %(single)s · few: %(few)s"
    )
    return words % {name: number(getattr(rule, name), 2) for name in WORTH}


def true_number(whole: Whole) -> Fraction | None:
    """The true value of a number to predict, in its unit; a share “of 100” in hundredths."""
    if not whole.truth:
        return None
    value = figure(whole.truth)
    assert isinstance(value, Fraction)
    return value * 100 if value < 1 and whole.high == 100 else value


def truth_words(step: Step) -> str:
    """What is true, worded as the prediction; empty where only data can tell."""
    if step.whole:
        value = true_number(step.whole)
        if value is None:
            return ""
        return number_words(step.whole, value)
    return next((markup.plain(each.text) for each in step.statements if each.is_right), "")


def is_right(step: Step, value: Any) -> bool | None:
    """Whether a prediction counts as right: the true choice, or a number in the bar that holds
    what is true. None where only data can tell, or where the lesson has changed since."""
    if not isinstance(value, dict):
        return None
    if step.whole:
        true = _true_bin(step.whole)
        if true is None or not isinstance(value.get("number"), int | float):
            return None
        return _nearest(predicted_number(value)) in true
    chosen = value.get("choice")
    if not any(each.is_right for each in step.statements) or not isinstance(chosen, int):
        return None
    return step.statements[chosen].is_right if chosen in range(len(step.statements)) else None


def answer_words(step: Step, value: dict[str, Any]) -> str:
    """A prediction as its tally has it: the answer, or the bar that a number falls into."""
    room = room_predictions(step, [value])
    return next(row.label for row in tally(step, room) if row.count)


def _true_bin(whole: Whole) -> range | None:
    """The bar of a tally in which the true number, made whole, lies."""
    truth = true_number(whole)
    if truth is None:
        return None
    return next((each for each in _bins(whole) if round(truth) in each), None)


def tally(
    step: Step,
    room: Predictions,
    mine: dict[str, Any] | None = None,
    *,
    with_truth: bool = False,
) -> tuple[TallyRow, ...]:
    """A room's predictions as bars; numbers in bins of a round width."""
    if step.rule:
        return ()
    if step.whole is None:
        names = [markup.plain(each.text) for each in step.statements]
        true = [n for n, each in enumerate(step.statements) if with_truth and each.is_right]
        return tally_rows(names, room.counts, true, (mine or {}).get("choice"))
    bins = _bins(step.whole)
    right = _true_bin(step.whole) if with_truth else None
    own = _nearest(predicted_number(mine)) if mine and "number" in mine else None
    return tally_rows(
        [_bin_words(step.whole, each) for each in bins],
        [sum(_nearest(number) in each for number in room.numbers) for each in bins],
        [n for n, each in enumerate(bins) if each == right],
        next((n for n, each in enumerate(bins) if own in each), None),
    )


def reason_rows(step: Step, answers: Sequence[Sequence[int]]) -> tuple[TallyRow, ...]:
    """A room's reasons as bars: who chose it; of an order, who had it in its place."""
    labels = [markup.plain(each.text) for each in step.statements]
    rows = tally_rows(
        [f"{n}. {label}" if step.is_order else label for n, label in enumerate(labels, 1)],
        [
            sum((order[n : n + 1] if step.is_order else order) == [n] for order in answers)
            for n in range(len(step.statements))
        ],
        [n for n, each in enumerate(step.statements) if each.is_right and not step.is_order],
    )
    return tuple(row for row, label in zip(rows, labels, strict=True) if label)


def tally_rows(
    names: Sequence[object],
    counts: Sequence[int],
    true: Sequence[int] = (),
    mine: int | None = None,
) -> tuple[TallyRow, ...]:
    """Counts by name, each with its percent of the largest; by their places, which are true
    and which is one's own."""
    most = max([*counts, 1])
    return tuple(
        TallyRow(str(name), count, 100 * count // most, place in true, place == mine)
        for place, (name, count) in enumerate(zip(names, counts, strict=True))
    )


def _nearest(number: Fraction) -> int:
    """The whole number nearest to one that was predicted, in whose bar it is counted."""
    return floor(number + Fraction(1, 2))


def _bin_words(whole: Whole, numbers: range) -> str:
    if len(numbers) > 1:
        return f"{numbers[0]}–{numbers[-1]}"
    return _("about %(n)d") % {"n": numbers[0]} if whole.places else str(numbers[0])


def _bins(whole: Whole) -> list[range]:
    """The numbers that can be predicted, in ranges of a round width, MOST_BINS at the most."""
    width = next(
        w for w in (1, 2, 5, 10, 20, 50, 100) if (whole.high - whole.low) // w < MOST_BINS
    )
    starts = range(whole.low, whole.high + 1, width)
    bins = [range(start, min(start + width, whole.high + 1)) for start in starts]
    if len(bins) > 1 and len(bins[-1]) == 1 and width > 1:  # 100 belongs to 90–100
        bins[-2:] = [range(bins[-2][0], whole.high + 1)]
    return bins
