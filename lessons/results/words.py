"""Numbers as pages write them, and the phrases that every figure needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import words
from games.analysis.significance import ALPHA
from games.words import Amount as Amount
from games.words import counted_as as counted_as
from games.words import first_names as first_names
from games.words import half_up as half_up
from games.words import number as number
from games.words import sentences as sentences
from games.words import signed as signed
from lessons.course import Lesson, lessons, markup
from lessons.measures.page import stock_text

BEYOND_ONE_SD = 0.32
"""How often chance takes a single figure farther than one standard deviation."""

FEW_TO_RANK = 6
"""Of fewer it is not said that whoever stands first or last comes nearer to the middle: of four
luck alone leaves half at an end (``tests/lessons/results/fair_ranks.py``)."""

FEW_ROUNDS = 20
"""Rounds below which a page says that chance still decides."""


def percent(share: Amount) -> str:
    """A share in whole percents, as short as a table wants it."""
    return words.percent(share, short=True)


def signed_percent(share: Amount) -> str:
    """``percent`` with a plus where it is above zero."""
    return signed(100 * share, 0) + words.percent_sign()


def quoted(names: Sequence[str]) -> list[str]:
    """Names in quotation marks."""
    return [_("“%s”") % name for name in names]


def bias_words(bias: Amount) -> str:
    """A sentence on the mean of a bidding error."""
    facts = bias_facts(bias)
    n = counted_as(facts["size"]) if facts["size"] else None
    return stock_text(f"bids_{facts['way']}", n=n, size=facts["size"])


def bias_facts(bias: Amount) -> Mapping[str, Any]:
    """A bidding error as facts: its size and its ``way``, by what is written of it."""
    size = half_up(bias, 1)
    return {"size": abs(size), "way": "high" if size > 0 else "low" if size < 0 else "even"}


class Significance(StrEnum):
    """Whether something is more than luck does; open where nothing tells that yet."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


def claim_facts(bias: Fraction, interval: tuple[float, float] | None) -> Mapping[str, Any]:
    """A bidding error's ``bias_facts``, the ``bias``, and as ``sure`` its ``Significance``."""
    facts = bias_facts(bias)
    if interval is None:
        return {**facts, "bias": bias, "sure": Significance.OPEN}
    is_luck = not facts["size"] or interval[0] <= 0 <= interval[1]
    sure = Significance.NO if is_luck else Significance.YES
    return {**facts, "bias": bias, "sure": sure}


COUNTED = {
    "questions": gettext_lazy("Questions"),
    "answers": gettext_lazy("Answers"),
    "predictions": gettext_lazy("Predictions"),
    "reasons": gettext_lazy("Reasons"),
    "rounds": gettext_lazy("Hands played"),
    "deals": gettext_lazy("Deals"),
    "leads": gettext_lazy("Leads"),
    "chances": gettext_lazy("Chances said"),
}
"""On what a figure may rest. ``rounds`` are counted seat by seat, so they are said to be hands
played: a table's round is several of them."""


def question_count(n: int) -> str:
    """So many questions: “3 questions”."""
    return ngettext("%d question", "%d questions", n) % n


def basis_words(*, students: int = 0, of: int = 0, **counts: int) -> str:
    """A text on what a figure rests: on so many of ``COUNTED``, and on ``students``, ``of`` how
    many who took part."""
    told = [(str(COUNTED[what]), str(n)) for what, n in counts.items() if n]
    if students:
        some = {"n": students, "all": of}
        told.append(
            (_("Students"), _("%(n)s of %(all)s") % some if of >= students else str(students))
        )
    parts = [_("%(name)s: %(n)s") % {"name": name, "n": n} for name, n in told]
    return f"{' · '.join(parts)}." if parts else ""


def is_few(count: int) -> bool:
    """Whether there are some (rounds, or questions of a student), but fewer than FEW_ROUNDS:
    chance still decides."""
    return 0 < count < FEW_ROUNDS


def rarity(p_value: float, *, of: int) -> Literal["usual", "often", "rare"]:
    """How rare it is that chance goes as far as a figure with this p-value. ``of`` is how many
    figures the page holds against theory: the farthest of several is farther off than one alone
    would be, so that all of them share the one class in twenty (Bonferroni)."""
    farther = p_value * of
    if farther > BEYOND_ONE_SD:
        return "usual"
    return "often" if farther >= ALPHA else "rare"


def verdict(p_value: float, *, of: int) -> str:
    """The verdict on a figure or a whole chart by its ``rarity``, in a sentence."""
    return stock_text(f"verdict-{rarity(p_value, of=of)}")


def lesson_words(number: int) -> str:
    """A lesson by its number, and its name if it has been written."""
    lesson = lesson_by_number(number)
    if lesson is None:
        return _("Lesson %(n)s") % {"n": number}
    title = markup.plain(lesson.title)
    return _("Lesson %(number)d: %(title)s") % {"number": number, "title": title}


def lesson_title(slug: str) -> str:
    """A lesson by its address, in the same words; the address of one that is gone."""
    numbers = {each.slug: each.number for each in lessons()}
    return lesson_words(numbers[slug]) if slug in numbers else slug


def guide_of(lesson: Lesson, session: int | None = None) -> str:
    """The address of a lesson's page for teachers; opened from a session's results it speaks
    the session's language, and so does what it leads to."""
    query = {} if session is None else {"session": session}
    return reverse("lesson_guide", args=[lesson.slug], query=query)


def lesson_by_number(number: int) -> Lesson | None:
    """The lesson of this number."""
    return next((lesson for lesson in lessons() if lesson.number == number), None)
