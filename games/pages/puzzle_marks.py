"""What this browser has solved of the puzzles, the week that they fill, what leads to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpResponse

from games.analysis.puzzles import NOBODY, YOU, puzzles
from games.rules import by_value
from games.study.puzzles.daily import FIRST, Daily, daily_of, is_kept_back, names_at
from games.study.puzzles.daily import today as present_day
from games.study.puzzles.words import KINDS, question
from xactika_site.http import HttpRequest, set_cookie

COOKIE = "puzzles"
"""Which puzzles this browser has solved, and whose solutions it has been shown, by number."""

_signer = Signer(salt="games.puzzles")


@dataclass(frozen=True)
class Marks:
    """The numbers of puzzles solved here, and of those whose solution was asked for."""

    solved: frozenset[int] = field(default_factory=frozenset)
    shown: frozenset[int] = field(default_factory=frozenset)

    def may_see(self, number: int) -> bool:
        """Whether the solution is nothing new here."""
        return number in self.solved or number in self.shown


def marks_of(request: HttpRequest) -> Marks:
    """The marks in the browser's cookie; none if it is not ours."""
    try:
        solved, _dot, shown = _signer.unsign(request.COOKIES.get(COOKIE, "")).partition(".")
        return Marks(_numbers(solved), _numbers(shown))
    except (BadSignature, ValueError):
        return Marks()


def _numbers(bits: str) -> frozenset[int]:
    mask = int(bits or "0", 16)
    return frozenset(n for n in range(len(puzzles())) if mask >> n & 1)


def with_marks(response: HttpResponse, marks: Marks) -> HttpResponse:
    """The response, changed so that the browser keeps these marks."""
    value = ".".join(f"{sum(1 << n for n in each):x}" for each in (marks.solved, marks.shown))
    age = settings.RETENTION_DAYS * 86400
    set_cookie(response, COOKIE, _signer.sign(value), max_age=age)
    return response


def today_and_before(request: HttpRequest) -> dict[str, Any]:
    """The context of a page that leads to puzzles: today's (``todays``: None if it is kept
    back), once it is solved the next that is new here, and the week that it ends; empty before
    the first of them."""
    day = present_day()
    if day < FIRST:
        return {}
    daily, marks = daily_of(day), marks_of(request)
    then = _next_new(marks) if daily.number in marks.solved else None
    return {
        "todays": None if is_kept_back(daily) else _as_asked(daily, marks),
        "next_puzzle": _as_asked(then, marks) if then else None,
        **week_of(daily, marks),
    }


def _as_asked(daily: Daily, marks: Marks) -> dict[str, Any]:
    """What a slate or a board shows of a day's puzzle."""
    puzzle = daily.puzzle
    # What it is about: one's own cards, or the one that is sought.
    cards = [puzzle.card] if puzzle.card else by_value(puzzle.now.hands[YOU])
    return {
        "day": daily.day,
        "title": KINDS[puzzle.kind],
        "question": question(puzzle)[-1],
        "cards": [card.code for card in cards],
        # Who of them holds it is asked.
        "asked": [names_at(puzzle)[int(each)] for each in puzzle.choices if each != NOBODY]
        if puzzle.card
        else (),
        "is_solved": daily.number in marks.solved,
    }


def week_of(daily: Daily, marks: Marks) -> dict[str, Any]:
    """The last seven days, the earliest first, with what came of each, if this is one of them;
    how many of them are solved, and how many days in a row, this one among them."""
    week = [
        {
            "day": each.day,
            "kind": each.puzzle.kind.value,
            "title": KINDS[each.puzzle.kind],
            "is_this": each.day == daily.day,
            "is_solved": each.number in marks.solved,
            "is_shown": each.number in marks.shown,
        }
        for each in reversed(_last_seven())
    ]
    is_in_it = any(each["is_this"] for each in week)
    return {
        "week": week if is_in_it else (),
        "n_solved": sum(each["is_solved"] for each in week),
        "days_in_a_row": _days_in_a_row(daily.day, marks),
    }


def _days_in_a_row(day: date, marks: Marks) -> int:
    """How many days around this one are solved without a gap; 0 if it isn't itself."""

    def is_solved(each: date) -> bool:
        return FIRST <= each <= present_day() and daily_of(each).number in marks.solved

    first = last = day
    while is_solved(first - timedelta(days=1)):
        first -= timedelta(days=1)
    while is_solved(last + timedelta(days=1)):
        last += timedelta(days=1)
    return (last - first).days + 1 if is_solved(day) else 0


def next_of(marks: Marks) -> dict[str, Any]:
    """The latest of the last seven days whose puzzle is open and new here, and what that asks;
    empty without one."""
    found = _next_new(marks)
    return {"next_day": found.day, "next_title": KINDS[found.puzzle.kind]} if found else {}


def _next_new(marks: Marks) -> Daily | None:
    new = (each for each in _last_seven() if not marks.may_see(each.number))
    return next((each for each in new if not is_kept_back(each)), None)


def _last_seven() -> list[Daily]:
    """The puzzles of today and of the six days before, the latest first."""
    days = (present_day() - timedelta(days=n) for n in range(7))
    return [daily_of(day) for day in days if day >= FIRST]
