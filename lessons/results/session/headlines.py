"""Three things to discuss: how the class bid, what went wrong most, data beside theory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from lessons.course import markup
from lessons.exercises.texts import decimal
from lessons.measures.panels import hidden_notice
from lessons.results.bids import bidding
from lessons.results.dealt import dealing
from lessons.results.facts import Facts
from lessons.results.learned.learning import Learning
from lessons.results.taught.taught_lessons import (
    TaughtLesson,
    explanations,
    median_prediction,
    panel_key,
    prediction_list,
    surprise,
    verdict_count,
)
from lessons.results.words import (
    bias_words,
    chart_verdict,
    half_up,
    interval_words,
    number,
    percent,
    sentences,
    signed,
    verdict,
)
from lessons.visits.predictions import truth_words
from xactika_site.classrooms.privacy import FEWEST


@dataclass(frozen=True, slots=True)
class Headline:
    """What a class can talk about: a label, one figure, a sentence, a question to ask.
    ``panel`` is the chart that shows it, ``note`` explains it in a sentence; ``is_open`` says
    that there is nothing yet."""

    key: str
    label: str
    figure: str
    sentence: str
    question: str = ""
    panel: str = ""
    note: str = ""
    is_open: bool = False


def headlines(
    facts: Facts,
    learning: Learning,
    lessons: Sequence[TaughtLesson] = (),
    *,
    is_shared: bool = False,
    is_final: bool = False,
) -> tuple[Headline, ...]:
    """Three things to discuss, in the order of the page; of fewer than five students not on a
    screen that others see. Where no round was played, lessons fill the places of bids and
    deals; once the session is over (``is_final``), a place that nothing filled is left out."""
    mistake = _misconception(learning, hide=is_shared and learning.is_few)
    if learning.own and not learning.misconceptions:
        few = len(learning.own_students) < FEWEST
        mistake = _own_question(learning, hide=is_shared and few)
    bids = _bidding(facts, hide=is_shared and len(facts.bidders) < FEWEST)
    of = verdict_count(facts, lessons)
    departure = _departure(facts, of=of)
    if not facts.deals:
        bids = _expected(lessons, is_shared=is_shared) or bids
        departure = _dealt(lessons, is_shared=is_shared, of=of) or departure
    if not learning.attempts and not learning.own:
        mistake = _explained(lessons, is_shared=is_shared) or mistake
    three = (bids, mistake, departure)
    return tuple(each for each in three if not (is_final and each.is_open))


def _bidding(facts: Facts, *, hide: bool) -> Headline:
    label = _("How we bid")
    errors = bidding.errors(facts.bids)
    if errors.bias is None or errors.hit_rate is None:
        return Headline(
            "bids", label, "–", _("Rounds of Play to Bid will fill this."), is_open=True
        )
    if hide:
        return Headline("bids", label, "–", hidden_notice())
    size = half_up(errors.bias, 1)
    if size > 0:
        how = _("%(made)s of %(n)d bids came true, %(high)s were too high.")
        ask = _("A table has eight tricks. What do all its bids add up to?")
    elif size < 0:
        how = _("%(made)s of %(n)d bids came true, %(low)s were too low.")
        ask = _("Which cards took tricks that nobody had counted on?")
    else:
        how = _("%(made)s of %(n)d bids came true.")
        ask = _("Is a mean of zero good bidding? Look at the spread.")
    if len(facts.sizes) == 1:
        hook = _("By the hook at most %(most)d of %(seats)d bids can come true.")
        ask = sentences(hook % {"most": facts.sizes[0] - 1, "seats": facts.sizes[0]}, ask)
    figures = {
        "made": percent(errors.hit_rate),
        "high": percent(errors.share(lambda error: error > 0)),
        "low": percent(errors.share(lambda error: error < 0)),
        "n": errors.rounds,
    }
    how = _("There is only one bid so far.") if errors.rounds == 1 else how % figures
    interval = bidding.bias_interval(facts)
    luck = interval_words(*map(signed, interval)) if interval else ""
    sentence = sentences(bias_words(errors.bias), luck, how)
    return Headline("bids", label, signed(errors.bias), sentence, ask, "bias")


def _misconception(learning: Learning, *, hide: bool) -> Headline:
    label = _("What went wrong most")
    if hide and learning.attempts:
        return Headline("misconception", label, "–", hidden_notice())
    if not learning.attempts:
        waits = _("Answers to exercises will fill this.")
        return Headline("misconception", label, "–", waits, is_open=True)
    if not learning.misconceptions:
        return Headline(
            "misconception",
            label,
            "0",
            _("No misconceptions were recognised in the answers so far."),
        )
    first = learning.misconceptions[0]
    still = max(learning.misconceptions, key=lambda each: each.open)
    sentence = _(
        "So many students who met it in an exercise made this mistake: “%(name)s”. %(since)d "
        "got another such question right at once since."
    )
    ask = _("Who can explain the mistake?")
    if still.open > first.open:
        ask = _("Still open with more, %(open)d of %(met)d: “%(name)s”.") % {
            "open": still.open,
            "met": still.met,
            "name": still.misconception.title,
        }
    return Headline(
        "misconception",
        label,
        _("%(some)d of %(all)d") % {"some": first.students, "all": first.met},
        sentence % {"name": first.misconception.title, "since": first.overcome},
        ask,
        "misconceptions",
        first.misconception.advice,
    )


def _own_question(learning: Learning, *, hide: bool) -> Headline:
    """The own question that fewest had right at once."""
    label = _("What went wrong most")
    if hide:
        return Headline("misconception", label, "–", hidden_notice())
    name, went = next(iter(learning.own_questions.items()))
    ask = _("Who can explain the mistake?") if went.at_once < went.questions else ""
    return Headline(
        "misconception",
        label,
        _("%(some)d of %(all)d") % {"some": went.at_once, "all": went.questions},
        _("right at once in “%s”, a question of our own.") % name,
        ask,
        "own-questions",
    )


def _expected(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Headline | None:
    """The prediction of the last lesson that fewest had right."""
    label = _("What we expected")
    lesson = next((each for each in reversed(lessons) if surprise(each)), None)
    hardest = surprise(lesson) if lesson else None
    if lesson is None or hardest is None:
        return None
    step, room = hardest.step, hardest.room
    if is_shared and room.students < FEWEST:
        return Headline("expected", label, "–", hidden_notice())
    title = markup.plain(step.title)
    figure = _("%(some)d of %(all)d") % {"some": hardest.right, "all": room.students}
    sentence = _("So many students expected what is true: “%s”") % title
    ask = _("What spoke for the other answers, and what speaks against them?")
    if step.whole:
        figure = decimal(median_prediction(room))
        sentence = _("That was our middle prediction; true is %(truth)s: “%(title)s”")
        if room.students < FEWEST:
            figure = prediction_list(room)
            sentence = _("That was predicted; true is %(truth)s: “%(title)s”")
        sentence %= {"truth": truth_words(step), "title": title}
        ask = _("Who was far off, and what was the reason?")
    return Headline(
        "expected",
        label,
        figure,
        sentence,
        ask,
        panel_key(lesson.place, hardest.number),
    )


def _explained(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Headline | None:
    """The explanation of the last lesson that fewest could give at their first try."""
    label = _("What we can explain")
    lesson = next((each for each in reversed(lessons) if explanations(each)), None)
    if lesson is None:
        return None
    step, done = min(
        explanations(lesson),
        key=lambda row: Fraction(sum(each.at_once for each in row[1]), len(row[1])),
    )
    if is_shared and len(done) < FEWEST:
        return Headline("explained", label, "–", hidden_notice())
    return Headline(
        "explained",
        label,
        _("%(some)d of %(all)d")
        % {"some": sum(each.at_once for each in done), "all": len(done)},
        _("So many students could say why at the first try: “%s”") % markup.plain(step.title),
        _("Who can put the reason into their own words?"),
        f"lesson-{lesson.place}-steps",
    )


def _dealt(lessons: Sequence[TaughtLesson], *, is_shared: bool, of: int) -> Headline | None:
    """What the class dealt in a lesson, beside theory: the rarest."""
    rows = [
        (departure.p_value, each, number, departure)
        for each in lessons
        for number, departure in each.departures.items()
        if not (is_shared and each.dealers(each.lesson.steps[number - 1]) < FEWEST)
    ]
    if not rows:
        return None
    p_value, lesson, number, first = min(rows, key=lambda row: row[0])
    return Headline(
        "departure",
        _("Data beside theory"),
        percent(first.observed),
        sentences(
            _("That is the share of “%(what)s” among our %(n)d hands; theory says %(share)s.")
            % {
                "n": first.count,
                "what": first.key,
                "share": percent(first.expected),
            },
            chart_verdict(p_value, of=of),
        ),
        _("Would twice as many hands come nearer?"),
        panel_key(lesson.place, number),
    )


def _departure(facts: Facts, *, of: int) -> Headline:
    label = _("Data beside theory")
    figures = dealing.departures(facts)
    if not figures:
        waits = _("Finished rounds will fill this.")
        return Headline("departure", label, "–", waits, is_open=True)
    first = figures[0]
    figure = number(first.observed, 2) if first.key == "mean-card" else percent(first.observed)
    return Headline("departure", label, figure, *_departure_words(first, of))


def _departure_words(departure: dealing.Departure, of: int) -> tuple[str, str, str]:
    far = verdict(departure.p_value, of=of)
    if departure.key == "mean-card":
        return (
            sentences(_("That is the mean value of our cards; theory says 8."), far),
            _("Would twice as many deals come nearer to 8?"),
            "hands",
        )
    return (
        sentences(
            _(
                "That is the share of our hands with a card that wins for certain; theory says "
                "%s."
            )
            % percent(departure.expected),
            far,
        ),
        _("Which nine cards are these, and why can nothing beat them?"),
        "hands",
    )
