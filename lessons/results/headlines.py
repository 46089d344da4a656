"""Three things to discuss: how the class bid, what went wrong most, data beside theory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lessons.results import bidding, dealing
from lessons.results.facts import Facts
from lessons.results.learning import Learning
from lessons.results.words import by_chance, not_for_all, number, percent, signed

BID_LESSON, LEAD_LESSON, DEALS_LESSON = 5, 4, 6


@dataclass(frozen=True, slots=True)
class Headline:
    """What a class can talk about: a label, one figure, a sentence, a question to ask, and the
    lesson that goes on from there (None: nothing yet). ``panel`` is the chart that shows it."""

    key: str
    label: str
    figure: str
    sentence: str
    question: str = ""
    lesson: int | None = None
    panel: str = ""


def headlines(
    facts: Facts, learning: Learning, *, is_shared: bool = False
) -> tuple[Headline, Headline, Headline]:
    """The three, in the order of the page; of fewer than five students not on a screen that
    others see."""
    return (
        _bidding(facts, hide=is_shared and facts.is_few),
        _misconception(learning, hide=is_shared and learning.is_few),
        _departure(facts, hide=is_shared and facts.is_few),
    )


def _bidding(facts: Facts, *, hide: bool) -> Headline:
    label = _("How we bid")
    errors = bidding.errors(facts.bids)
    if errors.bias is None or errors.made is None:
        return Headline("bids", label, "–", _("Rounds of Play to Bid will fill this."))
    if hide:
        return Headline("bids", label, "–", not_for_all())
    size = round(float(errors.bias), 1)
    if size > 0:
        said = _("tricks too high on average; %(made)s of %(n)d bids came true.")
        ask = _("A table has eight tricks. What do all its bids add up to?")
    elif size < 0:
        said = _("tricks too low on average; %(made)s of %(n)d bids came true.")
        ask = _("Which cards took tricks that nobody had counted on?")
    else:
        said = _("on average: neither too high nor too low; %(made)s of %(n)d bids came true.")
        ask = _("Is a mean of zero good bidding? Look at the spread.")
    facts_said = {"made": percent(errors.made), "n": errors.rounds}
    return Headline(
        "bids", label, signed(errors.bias), said % facts_said, ask, BID_LESSON, "bias"
    )


def _misconception(learning: Learning, *, hide: bool) -> Headline:
    label = _("What went wrong most")
    if hide:
        return Headline("misconception", label, "–", not_for_all())
    if not learning.attempts:
        return Headline("misconception", label, "–", _("Answers to exercises will fill this."))
    if not learning.misconceptions:
        return Headline(
            "misconception", label, "0", _("misconceptions recognised in the answers so far.")
        )
    first = learning.misconceptions[0]
    return Headline(
        "misconception",
        label,
        _("%(some)d of %(all)d") % {"some": first.students, "all": len(learning.students)},
        _("students: “%s”.") % first.misconception.title,
        ngettext(
            "%d has overcome it since. Who can explain the mistake?",
            "%d have overcome it since. Who can explain the mistake?",
            first.overcome,
        )
        % first.overcome,
        first.lessons[0],
        "misconceptions",
    )


def _departure(facts: Facts, *, hide: bool) -> Headline:
    label = _("Data beside theory")
    found = dealing.departures(facts)
    if hide:
        found = tuple(d for d in found if d.key != "safe-leads")
    if not found:
        return Headline("departure", label, "–", _("Finished rounds will fill this."))
    first = found[0]
    return Headline("departure", label, _beside(first), *_departure_words(first))


def _beside(found: dealing.Departure) -> str:
    if found.key == "mean-card":
        return number(found.observed, 2)
    return percent(found.observed)


def _departure_words(found: dealing.Departure) -> tuple[str, str, int, str]:
    far = by_chance(found.size)
    match found.key:
        case "mean-card":
            return (
                _("is the mean value of our cards; theory says 8: %s.") % far,
                _("Would twice as many deals come nearer to 8?"),
                DEALS_LESSON,
                "hands",
            )
        case "boss-hands":
            return (
                _(
                    "of our hands hold a card that wins for certain; theory says %(share)s: "
                    "%(far)s."
                )
                % {"share": percent(found.expected), "far": far},
                _("Which nine cards are these, and why can nothing beat them?"),
                DEALS_LESSON,
                "hands",
            )
        case _:
            return (
                _("of our leads nobody could beat; the exact chances say %(share)s: %(far)s.")
                % {"share": percent(found.expected), "far": far},
                _("What did the others’ bids and plays tell that the chances do not know?"),
                LEAD_LESSON,
                "leads",
            )


def next_lesson(found: Sequence[Headline]) -> int | None:
    """What to teach next: the misconception's lesson, else the bid's."""
    by_key = {headline.key: headline for headline in found}
    return by_key["misconception"].lesson or by_key["bids"].lesson
