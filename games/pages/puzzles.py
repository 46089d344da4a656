"""The puzzle of the day, those of earlier days, and their solutions as replays.

What a browser has solved stands in a cookie of its own, signed, and nowhere else.
"""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.analysis.puzzles import NOBODY, YOU, Kind, Puzzle, puzzles
from games.pages.positions import ReplayView, step_links
from games.pages.puzzle_marks import (
    Marks,
    marks_of,
    next_of,
    today_and_before,
    week_of,
    with_marks,
)
from games.polls import sessions_to_ask
from games.rules import Observation, Round, by_value, score_round
from games.study.puzzles import words as in_words
from games.study.puzzles.daily import (
    Daily,
    NoPuzzle,
    NotYet,
    dailies_of,
    daily_of,
    is_kept_back,
    line_of,
    months,
    names_at,
    played_line,
    question_line,
    read_day,
    table_at,
)
from games.study.puzzles.daily import today as present_day
from games.study.replay.scenes import event_words, result_words
from games.tables.fragments import open_hand_html, own_fragments, still_fragments
from games.tables.moments import MomentKind, moment_of
from games.tables.view import TableView
from games.words import sentences
from xactika_site.accounts.models import User
from xactika_site.classrooms.selectors import as_number
from xactika_site.http import HttpRequest
from xactika_site.views import form_view, page_view


@page_view
def today(request: HttpRequest) -> HttpResponse:
    """Today's puzzle, by this server's calendar; with ``?kind=`` the latest of that kind that
    is new to this browser."""
    if kind := request.GET.get("kind", ""):
        if kind not in {each.value for each in Kind}:
            raise Http404
        return redirect("puzzle", _latest_of(Kind(kind), marks_of(request)).day)
    daily = _daily_or_page(request, f"{present_day()}")
    return daily if isinstance(daily, HttpResponse) else _page(request, daily)


@form_view
def puzzle(request: HttpRequest, day: str) -> HttpResponse:
    """The puzzle of a day, and what comes of an answer to it."""
    daily = _daily_or_page(request, day)
    if isinstance(daily, HttpResponse):
        return daily
    if request.method != "POST":
        return _page(request, daily)
    answer, marks = request.POST.get("answer", ""), marks_of(request)
    if "show" in request.POST:
        if not marks.may_see(daily.number):
            marks = replace(marks, shown=marks.shown | {daily.number})
    elif answer not in daily.puzzle.choices:
        return _page(request, daily, verdict=(_("Choose one of the answers."), ""), status=422)
    elif answer == daily.puzzle.answer:
        marks = replace(marks, solved=marks.solved | {daily.number})
    elif not marks.may_see(daily.number):  # else it tells nothing new
        return _page(request, daily, answer=answer, verdict=verdict_on(daily.number, answer))
    tried = _tried(request.POST.getlist("tried"), daily, marks)
    query = f"?{urlencode({'tried': tried}, doseq=True)}" if tried else ""
    return with_marks(redirect(f"{reverse('puzzle', args=[daily.day])}{query}#verdict"), marks)


def _tried(answers: list[str], daily: Daily, marks: Marks) -> list[str]:
    """Those of these that are answers to it, each once; as long as it is not solved never the
    right one, of which nothing may be told."""
    puzzle, is_solved = daily.puzzle, marks.may_see(daily.number)
    return [
        each
        for each in dict.fromkeys(answers)
        if each in puzzle.choices and (is_solved or each != puzzle.answer)
    ]


def _latest_of(kind: Kind, marks: Marks) -> Daily:
    """The latest puzzle of this kind that is new to a browser with these marks; if none is, the
    latest."""
    dailies = [
        daily
        for month in months()
        for daily in dailies_of(month.year, month.month, kind)
        if not is_kept_back(daily)
    ]
    return next((each for each in dailies if not marks.may_see(each.number)), dailies[0])


def _daily_or_page(request: HttpRequest, text: str) -> Daily | HttpResponse:
    """The puzzle of the day that the address names, or a page that says why there is none."""
    try:
        day = read_day(text)
        daily = daily_of(day)
    except NoPuzzle:
        return render(request, "games/puzzles/none.html", status=404)
    except NotYet:
        return render(request, "games/puzzles/none.html", {"day": day}, status=404)
    if is_kept_back(daily) and not marks_of(request).may_see(daily.number):
        return render(request, "games/puzzles/none.html", {"is_homework": True}, status=404)
    return daily


def _page(
    request: HttpRequest,
    daily: Daily,
    *,
    answer: str = "",
    verdict: tuple[str, str] = ("", ""),
    status: int = 200,
) -> HttpResponse:
    marks = marks_of(request)
    context = {
        "daily": daily,
        "is_today": daily.day == present_day(),
        "asks": sessions_to_ask(request.user) if isinstance(request.user, User) else (),
        "action": reverse("puzzle", args=[daily.day]),
        **week_of(daily, marks),
        **next_of(marks),
        **puzzle_context(
            daily.number,
            answer=answer,
            verdict=verdict,
            tried=_tried((request.GET or request.POST).getlist("tried"), daily, marks),
            is_solved=marks.may_see(daily.number),
            is_own_answer=daily.number in marks.solved,
        ),
    }
    return render(request, "games/puzzles/puzzle.html", context, status=status)


def puzzle_context(
    number: int,
    *,
    answer: str,
    verdict: tuple[str, str],
    is_solved: bool,
    is_own_answer: bool,
    tried: Sequence[str] = (),
) -> dict[str, Any]:
    """The context by which a page shows this puzzle, on its table's board, to whoever sees its
    solution already (``is_solved``), or has given an ``answer`` of which there is something to
    say, after others that were ``tried``."""
    puzzle, line = puzzles()[number], question_line(number)
    moment = len(puzzle.moves)
    if is_solved and puzzle.kind is not Kind.HOLD:
        line, moment = line_of(number), moment + 1  # the answer lies on the board
    view, own = table_at(puzzle, line, moment), line.observation(moment, YOU)
    context: dict[str, Any] = {
        "kind": puzzle.kind.value,
        "title": in_words.KINDS[puzzle.kind],
        "level": in_words.LEVELS[puzzle.level],
        "question": in_words.question(puzzle),
        "see": in_words.situation(puzzle),
        **_scene(puzzle, view, own, puzzle.now, is_open=puzzle.is_open),
        "by_card": [
            {"code": card.code, "calls": [(f"{card.code}:{call}", call) for call in card.calls]}
            for card in by_value(puzzle.now.hands[YOU])
            if puzzle.kind in {Kind.LEAD, Kind.LAST}
        ],
        "options": in_words.options(puzzle) if puzzle.kind in {Kind.BID, Kind.HOLD} else [],
        "answer": answer,
        "verdict": verdict,
        "refutation": in_words.refutation(number, answer) if answer and not is_solved else (),
        "beaters": in_words.beaters(number, answer) if answer and not is_solved else (),
        "is_solved": is_solved,
        "is_own_answer": is_own_answer,
        "tried": tried,
    }
    if is_solved:
        if puzzle.kind is Kind.HOLD:
            shown = in_words.proving_trick(puzzle)
            context |= {"holder": puzzle.answer, "trick_shown": shown}
        context["solution"] = solution = in_words.solution(number)
        context["bars"] = solution.bars
        context["moment"] = len(puzzle.moves)
        context["to_see"] = in_words.tricks_to_see(number)
        context["comes_to"] = in_words.end_words(number)
        plays_on = puzzle.is_open and in_words.has_more_to_choose(number)
        context["plays_on"] = urlencode({"own": puzzle.answer}) if plays_on else ""
    elif puzzle.kind is Kind.HOLD:
        context["trick_shown"] = in_words.trick_against(puzzle, answer)
    else:
        context |= {"own": own_fragments(view, own), "is_swept": True}
        if puzzle.kind is Kind.BID and verdict[0] and answer in puzzle.choices:
            tried = context["tried"] = [*tried, answer]
            context["bars"] = in_words.bars_of(puzzle, tried)
    return context


def _scene(
    puzzle: Puzzle, view: TableView, own: Observation, now: Round, *, is_open: bool
) -> dict[str, Any]:
    """The context by which a page draws the puzzle's table, as you see it; with ``is_open``
    the other hands lie on it."""
    names, seats = names_at(puzzle), own.seats
    fragments = still_fragments(view, own)
    hands = enumerate(now.hands) if is_open else ()
    open_hands = {n: open_hand_html(hand) for n, hand in hands if n != YOU}
    from_left = [(YOU + k) % seats for k in range(1, seats + 1)]
    return {
        "fragments": fragments,
        "name": names[YOU],
        "my_name": view.seats[YOU].name,
        "is_own": True,
        "cards_left": max(map(len, now.hands)),
        "seats": [
            (fragments[f"seat-{n}"], fragments[f"slot-{n}"] + open_hands.get(n, ""))
            for n in from_left
        ],
    }


def verdict_on(number: int, answer: str) -> tuple[str, str]:
    """A sentence that the answer is wrong, and one on what was overlooked."""
    said_so = _("Not %(answer)s.") % {
        "answer": in_words.answer_words(puzzles()[number], answer)
    }
    if answer == NOBODY:
        said_so = _("Somebody can.")
    return said_so, in_words.why_wrong_words(number, answer)


@page_view
def play_on(request: HttpRequest, day: str) -> HttpResponse:
    """The last tricks of a solved puzzle, played by oneself: what came of one's plays so far
    (``own``), and the next one to choose; the puzzle's page as long as it is not solved."""
    daily = _daily_or_page(request, day)
    if isinstance(daily, HttpResponse):
        return daily
    marks, puzzle, own_plays = marks_of(request), daily.puzzle, request.GET.getlist("own")
    if not marks.may_see(daily.number):
        return redirect("puzzle", daily.day)
    if puzzle.kind is not Kind.LAST:
        raise Http404
    try:
        line = played_line(daily.number, tuple(own_plays))
    except ValueError:
        raise Http404 from None
    now, own = line.rounds[line.last], line.observation(line.last, YOU)
    view = table_at(puzzle, line, line.last)
    moment = moment_of(view, own)
    context = {
        "daily": daily,
        "is_today": daily.day == present_day(),
        "kind": puzzle.kind.value,
        "title": in_words.KINDS[puzzle.kind],
        "level": in_words.LEVELS[puzzle.level],
        "see": {"names": names_at(puzzle), "tricks": puzzle.now.tricks},
        **_scene(puzzle, view, own, now, is_open=puzzle.is_open),
        "sentence": result_words(now, YOU, "", is_you=True) or moment.text,
        "wanted": "" if now.is_over else in_words.still_wanted_words(now),
        "own_plays": own_plays,
        "first_play": urlencode({"own": puzzle.answer}),
        "played": in_words.played_tricks(line, len(puzzle.moves)),
        "is_made": now.is_over and now.taken[YOU] == now.bids[YOU],
        "points": f"{score_round(now)[YOU]:+}".replace("+0", "0") if now.is_over else "",
        "missed_by": in_words.missed_by(daily.number, own_plays) if now.is_over else "",
        **week_of(daily, marks),
        **next_of(marks),
    }
    if not now.is_over:
        is_lead = moment.kind is MomentKind.LEAD
        context |= {"own": own_fragments(view, own), "is_lead": is_lead, "is_swept": is_lead}
        context["options"] = in_words.play_options(line)
    return render(request, "games/puzzles/play_on.html", context)


@page_view
def archive(request: HttpRequest) -> HttpResponse:
    """The puzzles of a month, those of one kind if asked; the present month by itself."""
    choices = list(months())
    text = request.GET.get("month", "")
    month = next((each for each in choices if f"{each:%Y-%m}" == text), choices[0])
    if text and f"{month:%Y-%m}" != text:
        raise Http404
    wanted = request.GET.get("kind", "")
    if wanted not in {"", *(kind.value for kind in Kind)}:
        raise Http404
    marks = marks_of(request)
    rows = [
        {
            "day": each.day,
            "kind": each.puzzle.kind.value,
            "title": in_words.KINDS[each.puzzle.kind],
            "level": in_words.LEVELS[each.puzzle.level],
            "dots": "•" * each.puzzle.level,
            "is_solved": each.number in marks.solved,
            "is_shown": each.number in marks.shown,
        }
        for each in dailies_of(month.year, month.month, Kind(wanted) if wanted else None)
    ]
    by_day = {row["day"]: row for row in rows}
    context = {
        "todays": today_and_before(request).get("todays"),
        "weeks": [
            [(day, by_day.get(day)) if day.month == month.month else None for day in week]
            for week in Calendar().monthdatescalendar(month.year, month.month)
        ],
        "has_any": bool(rows),
        "n_solved": sum(bool(row["is_solved"]) for row in rows),
        "n_all": len(rows),
        "today": present_day(),
        "month": month,
        "earlier": next((each for each in choices if each < month), None),
        "later": next((each for each in reversed(choices) if each > month), None),
        "kind": wanted,
        "kinds": [(kind.value, name) for kind, name in in_words.KINDS.items()],
    }
    return render(request, "games/puzzles/archive.html", context)


@dataclass(frozen=True, slots=True)
class _Way(ReplayView):
    """A look at a puzzle's solution, or at what comes of another first play."""

    first: str = ""

    def query(self, **other: object) -> str:
        return ReplayView.query(self, **{"first": self.first or None, **other})


@page_view
def replay(request: HttpRequest, day: str) -> HttpResponse:
    """The solution as a replay, at one of its moments; the puzzle's page as long as it is not
    solved."""
    daily = _daily_or_page(request, day)
    if isinstance(daily, HttpResponse):
        return daily
    if not marks_of(request).may_see(daily.number):
        return redirect("puzzle", daily.day)
    puzzle, first = daily.puzzle, request.GET.get("first", "")
    if first and (puzzle.kind is not Kind.LAST or first not in puzzle.choices):
        raise Http404
    line = line_of(daily.number, first)
    moment = as_number(request.GET["at"]) if "at" in request.GET else len(puzzle.moves)
    if moment > line.last:
        raise Http404
    look, names, now = _Way(moment, YOU, first=first), names_at(puzzle), line.rounds[moment]
    words = [
        event_words(line, moment, names, YOU),
        result_words(now, YOU, names[YOU], is_you=True),
    ]
    context = {
        "daily": daily,
        "title": in_words.KINDS[puzzle.kind],
        "look": look,
        "line": line,
        **_scene(
            puzzle,
            table_at(puzzle, line, moment),
            line.observation(moment, YOU),
            now,
            is_open=False,  # they stand below, as at any replay
        ),
        "hands": [(names[n], by_value(hand)) for n, hand in enumerate(now.hands) if n != YOU],
        "said": sentences(*words),
        "steps": step_links(look, line.tricks, line.last),
        "marks": line.tricks,
        "question_at": look.query(at=len(puzzle.moves)),
        "way": first and in_words.answer_words(puzzle, first),
    }
    return render(request, "games/puzzles/replay.html", context)
