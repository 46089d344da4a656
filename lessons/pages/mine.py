"""One's own page: games, points, bids, forecasts, practice, puzzles; and forgetting them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.league import is_open_to
from games.pages.learning import COOKIE as CHAPTERS
from games.pages.puzzle_marks import COOKIE as PUZZLES
from games.pages.puzzle_marks import Marks, marks_of
from games.pages.tables import game_left
from games.rules import by_value, parse_card
from games.study.replay.own_rounds import (
    OwnGame,
    OwnRound,
    bids_made_words,
    own_games,
    own_rounds,
)
from games.tables import forgetting
from games.tables.rendering import GAME_NAMES, with_minus
from games.tables.viewers import GUEST_COOKIE, Browser, find_browser, students_here
from games.words import outcome_words, place_words, points_words, short_outcome_words
from lessons.assessment.taking import latest_of
from lessons.homework.doing import has_open
from lessons.pages.speaking import COVER_COOKIE
from lessons.questions import mistakes
from lessons.questions.learners import Learner
from lessons.questions.practice import ExerciseStanding, standings, tries_of
from lessons.questions.spacing import SpacedTry, SpacingState
from lessons.results.bids import bid_panels, bidding
from lessons.results.bids.forecast_panels import score_facts
from lessons.results.dataset import Dataset, dataset_of_guest, dataset_of_own_work
from lessons.results.session import sections
from lessons.results.students import own_panels, student_panels
from xactika_site.http import HttpRequest
from xactika_site.views import page_view

OWN_COOKIES = {GUEST_COOKIE, PUZZLES, CHAPTERS, COVER_COOKIE}
"""By which a browser knows what was done in it outside a class."""

FIRST = 8
"""Games that are listed; the older ones are folded away."""

LEAST_ROUNDS = 2
"""Fewer rounds, bids or games are no figure and no picture: the table says them."""


@dataclass(frozen=True, slots=True)
class PersonHere:
    """Somebody at this browser whose page it may be: its key in the address, and a name."""

    key: str
    name: str
    learner: Learner


def people_at(browser: Browser) -> list[PersonHere]:
    """Whose pages this browser may see, the one who plays here now first: its students, and
    whoever plays without a class."""
    rows = [
        PersonHere(
            str(student.pk),
            _("%(name)s, %(classroom)s")
            % {"name": student.name, "classroom": student.classroom.name},
            Learner(student=student),
        )
        for student in students_here(browser)
    ]
    if browser.guest is not None:
        rows.append(PersonHere("guest", _("Without a class"), Learner(guest=browser.guest)))
    return rows


@page_view
def mine(request: HttpRequest) -> HttpResponse:
    """The page of whoever plays at this browser; with ``whose`` of another one who does."""
    browser = find_browser(request.COOKIES, request.user)
    people = people_at(browser)
    key = request.GET.get("whose")
    whose = next((each for each in people if key in {None, each.key}), None)
    if key is not None and whose is None:
        raise Http404
    context: dict[str, Any] = {
        "people": people if len(people) > 1 else [],
        "whose": whose,
        "is_forgotten": "forgotten" in request.GET,
        "is_to_forget": browser.guest is not None
        or not OWN_COOKIES.isdisjoint(request.COOKIES),
        **({} if whose and whose.learner.guest is None else game_left(request)),
    }
    context |= _page_context(whose.learner if whose else Learner(), marks_of(request))
    return render(request, "lessons/results/mine.html", context)


def _page_context(learner: Learner, puzzles: Marks) -> dict[str, Any]:
    facts, rounds = _facts_and_rounds(learner)
    is_known = learner.student is not None or learner.guest is not None
    practised = standings(learner if is_known else None)
    turns = mistakes.standings(learner if is_known else None)
    games = [_game_row(game) for game in own_games(rounds)]
    has_practised = any(each.tries for each in practised)
    has_solved = bool(puzzles.solved or puzzles.shown)
    tries = tries_of(learner if is_known else None)
    tiles = own_panels.over_time(facts, tries)
    panels = own_panels.points(facts, LEAST_ROUNDS)
    if len(facts.bids) >= LEAST_ROUNDS:
        panels.append(bid_panels.calibration(facts, own=True))
    panels += student_panels.forecasts(facts)
    panels += [own_panels.practice(practised)] if has_practised else []
    panels += [own_panels.solved_puzzles(puzzles.solved, puzzles.shown)] if has_solved else []
    return {
        "is_empty": not (rounds or panels),
        "student": learner.student,
        "latest": _latest_round_context(rounds),
        "first": games[:FIRST],
        "older": games[FIRST:],
        "older_rounds": sum(len(game["rounds"]) for game in games[FIRST:]),
        "is_any_shared": not all(each.by_person for each in rounds),
        "waiting": sum(each.is_open for each in turns),
        "has_mistakes": bool(turns),
        "has_homework": learner.student is not None and has_open(learner.student),
        "test": latest_of(learner.student) if learner.student is not None else None,
        "has_league": learner.student is not None and is_open_to(learner.student),
        "tiles": tiles,
        "own": True,
        "tallies": tallies(facts, practised, tries, puzzles),
        "sections": sections.chapters(panels, "mine"),
    }


def _latest_round_context(rounds: Sequence[OwnRound]) -> dict[str, Any] | None:
    """The context of the latest round on a slate, if it was played here: one's name at that
    table, what it came to, the hand."""
    if not rounds or rounds[0].is_on_paper:
        return None
    own = rounds[0]
    hand = by_value(parse_card(code) for code in own.deal.hands[own.seat])
    return {
        "own": own,
        "name": own.deal.table.seat_set.get(number=own.seat).name,
        "words": outcome_words(own.bid, own.taken, points_words(own.points, 0)),
        "hand": [card.code for card in hand],
    }


def _game_row(game: OwnGame) -> dict[str, Any]:
    """One game: its place and total in words, and its rounds, the first one first."""
    own, place = game.rounds[0], game.place
    facts = {"place": place_words(place), "seats": len(game.places)}
    won = _("You win!") if game.places.count(1) == 1 else _("A shared win")
    return {
        "last": own,
        "game": GAME_NAMES[own.deal.table.variant],
        "called": _called(own) if own.board else "",
        "placed": _("You’re %(place)s of %(seats)d.") % facts if place > 1 else won,
        "has_place": place > 0,
        "others": [
            each.name for each in own.deal.table.seat_set.all() if each.number != own.seat
        ],
        "points": with_minus(game.points),
        "bids": _bids_words([each for each in game.rounds if each.by_person]),
        "rounds": [
            {
                "round": each,
                "called": _called(each),
                "outcome": short_outcome_words(each.bid, each.taken),
                "points": with_minus(each.points),
            }
            for each in reversed(game.rounds)
        ],
    }


def _bids_words(own: list[OwnRound]) -> str:
    """How many bids were made in these rounds, none, too; empty in a game without bids."""
    if not own or own[0].bid is None:
        return ""
    none = _("You made %(made)d of %(rounds)d bids.") % {"made": 0, "rounds": len(own)}
    return bids_made_words(own) or none


def _called(own: OwnRound) -> str:
    """A round's number in its game, or a board's."""
    if own.board:
        return _("Board %(n)s") % {"n": own.board}
    return _("Round %(n)s") % {"n": own.deal.round}


def _facts_and_rounds(learner: Learner) -> tuple[Dataset, list[OwnRound]]:
    """The facts that figures count, and the latest rounds, of whoever learns there."""
    if learner.student is not None:
        return dataset_of_own_work(learner.student), own_rounds(student=learner.student)
    if learner.guest is not None:
        return dataset_of_guest(learner.guest), own_rounds(guest=learner.guest)
    return Dataset((), (), ()), []


def tallies(
    data: Dataset,
    practised: Sequence[ExerciseStanding],
    tries: Sequence[SpacedTry],
    puzzles: Marks,
) -> list[dict[str, str]]:
    """The figures at the top of the page; nothing of what there is none of."""
    figures: list[dict[str, Any]] = []
    if len(data.rounds) >= LEAST_ROUNDS:
        figures.append({"of": "rounds", "n": len(data.rounds)})
    errors = bidding.errors(data.bids)
    if errors.rounds >= LEAST_ROUNDS:
        figures.append(student_panels.hit_facts(errors))
    if data.forecasts:
        figures.append({"of": "forecasts", **score_facts(bidding.score(data))})
    if known := sum(each.state is SpacingState.KNOWN for each in practised):
        figures.append({"of": "known", "n": known})
    if tries:
        right = sum(each.right for each in tries)
        figures.append({"of": "answers", "some": right, "all": len(tries)})
    if puzzles.solved:
        figures.append({"of": "puzzles", "n": len(puzzles.solved)})
    return student_panels.top_figures(figures)


@require_POST
def forget(request: HttpRequest) -> HttpResponse:
    """Forget what was played without a class in this browser, and what its cookies know; what
    a student did in class belongs to the class."""
    guest = find_browser(request.COOKIES, request.user).guest
    if guest is not None:
        forgetting.forget(guest=guest)
    response = redirect("/mine/?forgotten")
    for cookie in OWN_COOKIES:
        response.delete_cookie(cookie, samesite="Lax")
    return response
