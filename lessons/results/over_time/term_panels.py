"""A classroom over time as questions, answers and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, tzinfo
from fractions import Fraction
from functools import lru_cache

from django.urls import reverse
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lessons import charts
from lessons.course import lessons
from lessons.results.bids.bidding import Errors, errors_of, shrunk_means
from lessons.results.bids.forecast_panels import score_curve
from lessons.results.grid import Cell, Column, Grid, Link
from lessons.results.over_time.term import Day, Running, Term
from lessons.results.panels import Panel
from lessons.results.words import basis, bias_words, few_rounds_caveat, number, percent
from xactika_site.dates import dated

DRAWN_DEALS = 400
"""Points of the running mean that a chart draws, however many deals there were."""


SHOWN_DAYS = 12
"""Sessions that the table of students has room for: the latest."""


def panels(term: Term, *, names: Mapping[int, str]) -> list[Panel]:
    """All of a classroom's figures over time, in the order of the page."""
    return [
        bias(term),
        *([score(term)] if term.scores else []),
        sessions(term),
        long_run(term),
        students(term, names=names),
    ]


def _nothing_yet() -> str:
    return _("Finished rounds of a class session will fill this.")


def day_words(day: Day, days: tuple[Day, ...]) -> str:
    """A session by its day, and the time where two fell on one."""
    began = localtime(day.began)
    same = _on_each_date(days, get_current_timezone())[began.date()]
    return dated(began, "j M" if same == 1 else "j M, H:i")


@lru_cache(maxsize=8)
def _on_each_date(days: tuple[Day, ...], zone: tzinfo) -> Counter[date]:
    """How many sessions fell on each date of this zone."""
    return Counter(localtime(day.began, zone).date() for day in days)


def bias(term: Term) -> Panel:
    """The bidding error, session by session."""
    key, title = "term-bias", _("Do our bids get better over the term?")
    days = [day for day in term.played if day.pk in term.errors]
    if not days:
        return Panel(key, title, _("Finished rounds of Play to Bid will fill this."))
    errors = [term.errors[day.pk] for day in days]
    return Panel(
        key,
        title,
        _term_sentence(errors),
        error_figure([day_words(day, term.days) for day in days], errors),
        basis=basis(
            rounds=sum(each.rounds for each in errors),
            students=len(term.lines),
            of=len(term.names),
        ),
        caveat=few_rounds_caveat(sum(each.rounds for each in errors))
        or _("Up and down from each point: one spread (standard deviation) of bid − taken."),
        grid=Grid(
            _("Bidding error by session"),
            (
                Column(_("Session"), "text"),
                Column(_("Hands")),
                Column(_("Mean of bid − taken"), "signed"),
                Column(_("Spread"), "1"),
                Column(_("Came true"), "%"),
            ),
            tuple(
                (day_words(day, term.days), each.rounds, each.bias, each.spread, each.hit_rate)
                for day, each in zip(days, errors, strict=True)
            ),
        ),
    )


def score(term: Term) -> Panel:
    """How good the class's forecasts were, session by session."""
    scores = term.scores
    return score_curve(
        "term-score",
        _("Do our forecasts get better over the term?"),
        [(day_words(day, term.days), scores[day.pk]) for day in term.days if day.pk in scores],
        x=_("session (forecasts)"),
        first=_("Session"),
    )


def _term_sentence(errors: list[Errors]) -> str:
    first, last = errors[0], errors[-1]
    assert first.bias is not None
    assert last.bias is not None
    if len(errors) == 1:
        return _("In the one session so far bids were %s on average.") % bias_words(first.bias)
    return _(
        "In the first session bids were %(first)s, in the last %(last)s; %(one)s of them came "
        "true, then %(other)s. The cards were others, so luck alone may do that."
    ) % {
        "first": bias_words(first.bias),
        "last": bias_words(last.bias),
        "one": percent(first.hit_rate or 0),
        "other": percent(last.hit_rate or 0),
    }


def error_figure(labels: list[str], errors: list[Errors]) -> charts.Figure:
    """Mean and spread of bid − taken along the sessions; theory is the line at zero."""
    figure = charts.figure(
        [
            charts.line(labels, [0.0] * len(labels), name=_("bids that come true")),
            charts.points(
                labels,
                [float(each.bias or 0) for each in errors],
                name=_("bid − taken, mean"),
                sizes=[14] * len(errors),
                errors=[each.spread or 0.0 for each in errors],
            ),
        ],
        y=_("bid − taken"),
        legend=True,
    )
    figure["layout"]["xaxis"]["type"] = "category"
    figure["layout"]["yaxis"]["rangemode"] = "normal"
    figure["data"][1]["mode"] = "markers+lines"
    figure["data"][1]["line"] = {"color": charts.DATA, "width": 2}
    if len(labels) == 1:  # a line between sessions needs two of them
        figure["layout"]["shapes"] = [charts.level(0)]
    return figure


def sessions(term: Term) -> Panel:
    """Sessions side by side."""
    key, title = "term-sessions", _("What did we do when?")
    days = term.busy
    if not days:
        return Panel(key, title, _nothing_yet(), kind="table")
    numbers = {lesson.slug: str(lesson.number) for lesson in lessons()}
    rows: list[tuple[Cell, ...]] = []
    for day in reversed(days):
        errors = term.errors.get(day.pk, Errors({}))
        rows.append(
            (
                day_words(day, term.days),
                term.students.get(day.pk, 0),
                term.rounds.get(day.pk, 0),
                errors.bias,
                errors.hit_rate,
                ", ".join(numbers.get(slug, "–") for slug in term.lessons.get(day.pk, ())),
                term.learners.get(day.pk),
            )
        )
    return Panel(
        key,
        title,
        ngettext("%d session so far.", "%d sessions so far, the latest first.", len(days))
        % len(days),
        grid=Grid(
            _("Sessions"),
            (
                Column(_("Session"), "text"),
                Column(_("Played")),
                Column(_("Hands")),
                Column(_("Bid − taken"), "signed"),
                Column(_("Came true"), "%"),
                Column(_("Lesson"), "text"),
                Column(_("Took part")),
            ),
            tuple(rows),
        ),
        basis=basis(
            rounds=sum(term.rounds.values()), students=len(term.everybody), of=len(term.names)
        ),
        caveat=_(
            "Played and took part: how many students. Hands of which a student made every "
            "move; lessons by their number."
        ),
        kind="table",
    )


def long_run(term: Term) -> Panel:
    """The law of large numbers, growing with every deal that the classroom ever played."""
    key, title = "long-run", _("What happens as deals grow?")
    running = term.running
    if not running:
        return Panel(key, title, _nothing_yet())
    step = max(1, len(running) // DRAWN_DEALS)
    drawn = running[::step]
    if drawn[-1] != running[-1]:
        drawn.append(running[-1])
    x = [each.deals for each in drawn]
    band = [round(2 * each.deviation, 4) for each in drawn]
    upper, lower = [round(8 + b, 4) for b in band], [round(8 - b, 4) for b in band]
    figure = charts.figure(
        [
            charts.line(x, [8.0] * len(x), name=_("theory: 8")),
            charts.line(x, upper, name=_("two deviations"), dash="dot"),
            charts.line(x, lower, dash="dot"),
            charts.line(
                x,
                [round(each.mean, 4) for each in drawn],
                name=_("mean value of all our cards"),
                colour=charts.DATA,
            ),
        ],
        x=_("deals"),
        y=_("mean value"),
        legend=True,
    )
    figure["data"][2]["showlegend"] = False
    figure["layout"]["yaxis"]["rangemode"] = "normal"
    last = running[-1]
    return Panel(
        key,
        title,
        ngettext(
            "After %(deals)d deal the mean value of all our cards is %(mean)s; theory says 8, "
            "give or take %(sd)s.",
            "After %(deals)d deals the mean value of all our cards is %(mean)s; theory says 8, "
            "give or take %(sd)s.",
            last.deals,
        )
        % {
            "deals": last.deals,
            "mean": number(last.mean, 2),
            "sd": number(last.deviation, 2),
        },
        figure,
        Grid(
            _("The mean of all cards as deals grow"),
            (
                Column(_("Deals")),
                Column(_("Mean value"), "2"),
                Column(_("Give or take"), "2"),
                Column(_("Gap of the sum"), "whole"),
            ),
            _milestones(running),
        ),
        basis(deals=last.deals),
        _(
            "The gap of the mean shrinks; the gap of the sum need not: counts do not even out. "
            "At each deal one class in 20 is outside the dotted lines; at some deal many are. "
            "A board played at several tables counts once."
        ),
    )


def _milestones(running: list[Running]) -> tuple[tuple[Cell, ...], ...]:
    """The running mean after 1, 2, 5, 10, 20, … deals and after the last."""
    wanted = {n * 10**k for k in range(6) for n in (1, 2, 5)} | {len(running)}
    return tuple(
        (each.deals, each.mean, each.deviation, each.gap)
        for each in running
        if each.deals in wanted
    )


def students(term: Term, *, names: Mapping[int, str]) -> Panel:
    """Each student's bidding error, session by session: a coloured table."""
    key, title = "term-students", _("Who bids how?")
    days = [day for day in term.played if day.pk in term.errors][-SHOWN_DAYS:]
    people = [pk for pk in term.lines if pk in term.names]
    if not days or not people:
        return Panel(
            key, title, _("Finished rounds of Play to Bid will fill this."), kind="heat"
        )
    totals = {pk: _together(term.lines[pk].values()) for pk in people}
    guesses = shrunk_means(totals)
    people.sort(key=lambda pk: -abs(guesses[pk]))
    rows, shades = [], []
    for pk in people:
        cells = [term.lines[pk].get(day.pk, Errors({})).bias for day in days]
        who = Link(names.get(pk, "–"), reverse("student_results", args=[pk]))
        own, guess = totals[pk], guesses[pk]
        rows.append((who, guess, *cells, own.bias, own.rounds))
        shades.append((*map(_shade, (guess, *cells, own.bias)), None))
    far = sum(abs(guesses[pk]) >= 1 for pk in people)
    return Panel(
        key,
        title,
        ngettext(
            "%d student is a trick or more off, by our best guess, and stands first.",
            "%d students are a trick or more off, by our best guess; they stand first.",
            far,
        )
        % far
        if far
        else _("Nobody is a trick or more off, by our best guess."),
        grid=Grid(
            _("Mean of bid − taken by student and session"),
            (
                Column(_("Student"), "text"),
                Column(_("Best guess"), "signed"),
                *(Column(day_words(day, term.days), "signed") for day in days),
                Column(_("All"), "signed"),
                Column(_("Hands")),
            ),
            tuple(rows),
            tuple(shades),
        ),
        basis=basis(rounds=sum(each.rounds for each in totals.values()), students=len(people)),
        caveat=_(
            "The fuller the colour, the farther off. “All” is the whole term. A few hands may "
            "be luck, so our best guess lies nearer to the class’s mean, the nearer the fewer "
            "hands there are. Whoever was farthest off is mostly less so next time."
        ),
        kind="heat",
    )


def _shade(error: Fraction | float | None) -> int | None:
    return None if error is None else min(5, int(2 * abs(float(error))))


def _together(many: Iterable[Errors]) -> Errors:
    return errors_of(sum((Counter(each.counts) for each in many), Counter()))
