"""Learning by playing: chapters, whose state stands in the address, and which are marked in a
cookie (and for a student of a class that begins with them, in the session).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.analysis.bots import DEFAULT_LEVEL
from games.classes import learning
from games.classes.state import ChapterProgress
from games.rules import (
    HAND_SIZE,
    Bid,
    IllegalMove,
    Move,
    Play,
    by_value,
    move_text,
    stats_table,
)
from games.study.learning.chapter_files import chapter_by, chapters
from games.study.learning.chapter_pictures import (
    Ways,
    ending_words,
    frames,
    picture,
    verdict_words,
)
from games.study.learning.chapters import ME, Chapter, Task, own_moves
from games.study.replay.lines import Line
from games.tables.fragments import call_choices_html, call_html, notice_html, trick_html
from games.tables.refusals import refusal_in_words
from games.tables.rendering import SHAPE_NAMES
from games.tables.viewers import GUEST_COOKIE, find_browser
from games.words import call_words, card_words, move_words, sentences
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.selectors import attendance_of
from xactika_site.http import HttpRequest, set_cookie
from xactika_site.views import page_view

COOKIE = "chapters"

FIRST_GAME = {
    "variant": "bid",
    "seats": "4",
    "rounds": "3",
    "level": DEFAULT_LEVEL,
    "pace": "normal",
}
"""What the first "Play now" opens: what the chapters lead into, and not all evening."""


@dataclass(frozen=True, slots=True)
class ChapterPlace:
    """Where somebody is: a chapter, and one of its positions by number."""

    chapter: Chapter
    number: int

    @property
    def task(self) -> Task:
        return self.chapter.tasks[self.number - 1]

    @property
    def address(self) -> str:
        if self.number == 1:
            return reverse("chapter", args=[self.chapter.slug])
        return reverse("chapter_position", args=[self.chapter.slug, self.number])

    @property
    def after(self) -> ChapterPlace | None:
        """What comes next: a position of this chapter, or the next chapter."""
        if self.number < len(self.chapter.tasks):
            return ChapterPlace(self.chapter, self.number + 1)
        following = chapters()[self.chapter.number :]
        return ChapterPlace(following[0], 1) if following else None

    def ways(self, in_class: ChapterStudent | None) -> Ways:
        """The addresses and the label by which one goes on from the position's end; who is in
        no class is shown to a table when the chapters are done."""
        after = self.after
        is_through = in_class is None and self.task.is_round
        me = in_class.attendance.student.name if in_class else ""
        if after is None:
            return Ways(self.address, plays=is_through, me=me)
        if after.task.is_more:
            label = _("Another round")
        elif after.chapter is self.chapter:
            label = _("Next")
        else:
            label = _("Next: %(title)s") % {"title": _(after.chapter.title)}
        return Ways(self.address, after.address, label, is_through, me)


def place_or_404(slug: str, number: int) -> ChapterPlace:
    """The position of this address."""
    chapter = chapter_by(slug)
    if chapter is None or not 1 <= number <= len(chapter.tasks):
        raise Http404
    return ChapterPlace(chapter, number)


@dataclass(frozen=True, slots=True)
class ChapterStudent:
    """A student whose class begins with the chapters: what they have gone through is noted with
    their attendance, as the device may have been another's before."""

    attendance: Attendance

    @property
    def session(self) -> int:
        return self.attendance.class_session_id

    @property
    def marks(self) -> frozenset[str]:
        done = ChapterProgress.parse(self.attendance.chapters).done
        return frozenset(each.slug for each in chapters() if each.number in done)


def attendances_here(request: HttpRequest) -> Iterator[Attendance]:
    """The attendances, in sessions not closed, of this browser's students, the latest first."""
    for at in find_browser(request.COOKIES, request.user).students:
        attendance = attendance_of(at.student, at.session)
        if attendance is None or attendance.state != Attendance.State.HERE:
            continue
        session = attendance.class_session
        is_over = session.state == ClassSession.State.CLOSED
        if attendance.browsers.get(at.mark, True) and not is_over:
            yield attendance


def chapter_student(request: HttpRequest) -> ChapterStudent | None:
    """The class that this browser's student is in and that begins with the chapters; also when
    it plays already, so that the page goes along."""
    here = (at for at in attendances_here(request) if at.class_session.settings.chapters)
    return next(map(ChapterStudent, here), None)


def marks_of(request: HttpRequest) -> frozenset[str]:
    """The slugs of the chapters that this browser has gone through, as its cookie says."""
    slugs = request.COOKIES.get(COOKIE, "").split(".")
    return frozenset(chapter.slug for chapter in chapters() if chapter.slug in slugs)


@page_view
def learn_by_playing(request: HttpRequest) -> HttpResponse:
    """The redirect to the first chapter that has not been gone through."""
    in_class = chapter_student(request)
    marks = in_class.marks if in_class else marks_of(request)
    todo = next((each for each in chapters() if each.slug not in marks), chapters()[-1])
    return redirect(ChapterPlace(todo, 1).address)


@page_view
def chapter(request: HttpRequest, slug: str, number: int = 1) -> HttpResponse:
    """The page of a position of a chapter, or (``?move=``, from its script) the answer to a
    move."""
    place, in_class = place_or_404(slug, number), chapter_student(request)
    own = _queried_moves(request, place.task)
    if "move" in request.GET:
        return _moved_response(request, place, own, in_class)
    if "small" in request.GET and request.htmx:
        return render(
            request, "games/study/_small.html", {"small": small_context(slug, number, own)}
        )
    line = place.task.after(own)
    marks = _marks_after(request, place, line, in_class)
    context = _chapter_context(place, line, marks, in_class)
    return _with_marks(render(request, "games/study/chapter.html", context), marks, in_class)


def _queried_moves(request: HttpRequest, task: Task) -> list[str]:
    """The moves in the address; where they are none of this position's, it begins anew."""
    own = [text for text in request.GET.get("moves", "").split(",") if text]
    try:
        task.after(own)
    except IllegalMove:
        return []
    return own


def _moved_response(
    request: HttpRequest, place: ChapterPlace, own: list[str], in_class: ChapterStudent | None
) -> HttpResponse:
    """The pictures up to the learner's next turn; or why the move may not be made."""
    task, text = place.task, request.GET["move"]
    before = task.after(own)
    try:
        line = task.after([*own, text])
    except IllegalMove as why:
        words = refusal_in_words(why, before.rounds[-1])
        return JsonResponse({"moves": ",".join(own), "frames": [notice_html(words)]})
    if task.goal.is_of_a_move and not task.goal.is_reached(task, line):
        notice = notice_html(sentences(_("Not that one."), _(task.missed)))
        return JsonResponse({"moves": ",".join(own), "frames": [notice], "wrong": text})
    pictures = frames(task, before, line, place.ways(in_class))
    marks = _marks_after(request, place, line, in_class)
    through = place.chapter.slug in marks
    told = {"moves": ",".join([*own, text]), "frames": pictures, "through": through}
    return _with_marks(JsonResponse(told), marks, in_class)


def _marks_after(
    request: HttpRequest, place: ChapterPlace, line: Line, in_class: ChapterStudent | None
) -> frozenset[str]:
    """The chapters gone through, with this one if that has just been; a student's are noted."""
    task = place.task
    marks = in_class.marks if in_class else marks_of(request)
    is_end = place.number == place.chapter.last and task.is_over(line.rounds[-1])
    slug = place.chapter.slug
    is_through = is_end and (task.is_round or task.goal.is_reached(task, line))
    if not is_through:  # a whole round is gone through, whatever came
        return marks
    for note in learning.also:
        note(request.COOKIES.get(GUEST_COOKIE), place.chapter.number)
    if slug in marks:
        return marks
    if in_class:
        number, of = place.chapter.number, len(chapters())
        learning.note_chapter(attendance=in_class.attendance, number=number, of=of)
    return marks | {slug}


def _with_marks(
    response: HttpResponse, marks: frozenset[str], in_class: ChapterStudent | None
) -> HttpResponse:
    """The response, with the marks in a cookie for whoever is in no class."""
    if marks and in_class is None:
        slugs = ".".join(each.slug for each in chapters() if each.slug in marks)
        set_cookie(response, COOKIE, slugs, max_age=settings.RETENTION_DAYS * 86400)
    return response


def _chapter_context(
    place: ChapterPlace, line: Line, marks: frozenset[str], in_class: ChapterStudent | None
) -> dict[str, Any]:
    task = place.task
    moment = len(line.moves)
    drawn = picture(task, line, moment, place.ways(in_class))
    fragments = {name: drawn.whole(name) for name in drawn.fragments}
    seats = line.start.seats
    from_my_left = [(ME + k) % seats for k in range(1, seats + 1)]
    round_ = line.rounds[-1]
    is_end = task.is_over(round_)
    own = own_moves(task, line)
    return {
        "place": place,
        "play_now": FIRST_GAME,
        "aim": task.aim and _(task.aim),
        "in_class": in_class,
        "chapter": place.chapter,
        "task": task,
        "title": _(place.chapter.title),
        "moves": ",".join(own),
        "fragments": fragments,
        "seats": [(fragments[f"seat-{n}"], fragments[f"slot-{n}"]) for n in from_my_left],
        "calls": call_choices_html(),
        "cards": {4: " four", HAND_SIZE: " eight"}.get(
            len(task.given.rounds[-1].hands[ME]), ""
        ),
        "chapters": [
            {
                "number": each.number,
                "title": _(each.title),
                "address": ChapterPlace(each, 1).address,
                "is_here": each is place.chapter,
                "is_done": each.slug in marks,
            }
            for each in chapters()
        ],
        "plain": [] if is_end else [_move_link(own, move) for move in round_.legal_moves()],
        "shapes": SHAPE_NAMES,
        "stats": stats_table(),
    }


def small_context(slug: str, number: int = 1, own: Sequence[str] = ()) -> dict[str, Any]:
    """A position as the rules show it beside their text, after these moves of the reader's:
    everything that can be played is a link."""
    place = place_or_404(slug, number)
    task = place.task
    line = task.after(own)
    round_ = line.rounds[-1]
    is_end, names = task.is_over(round_), (_("You"), *task.names)
    played = round_.tricks[len(task.given.rounds[task.early].tricks) :]
    is_open = bool(round_.trick and round_.trick.plays)
    trick = round_.trick if is_open else next(iter(played[-1:]), None)
    is_shown = bool(task.tricks) and (is_end or not task.goal.is_of_a_shape)
    bids = zip(names[1:], round_.bids[1:], strict=True)
    bid_words = [move_words(name, str(bid)) for name, bid in bids] if not task.tricks else []
    moves = () if is_end else round_.legal_moves()
    legal = {move.card for move in moves if isinstance(move, Play)}
    is_lead = round_.trick is not None and round_.trick.call is None
    hand = by_value(round_.hands[ME])
    return {
        "place": place,
        "is_end": is_end,
        "is_done": is_end and task.goal.is_reached(task, line),
        "say": _(task.say) if not own else "",
        "aim": task.aim and _(task.aim),
        "told": ending_words(task, line) if is_end else "",
        "text": verdict_words(task, line) if is_end else "",
        "bids": sentences(*bid_words),
        "trick": trick_html(names, trick, is_open=is_open) if trick and is_shown else "",
        "numbers": [_move_link(own, move) for move in moves if isinstance(move, Bid)],
        "hand": [
            {
                "code": card.code,
                "may": card in legal,
                "query": _move_link(own, Play(card))[1],
                "calls": [
                    (call_html(str(call)), _move_link(own, Play(card, call))[1])
                    for call in (card.calls if is_lead and card in legal else ())
                ],
            }
            for card in hand
        ],
    }


def _move_link(own: Sequence[str], move: Move) -> tuple[str, str]:
    """A legal move in words, and the address that makes it, for a page without scripts."""
    if isinstance(move, Bid):
        name = str(move.number)
    else:
        name = card_words(move.card) + (f" · {call_words(move.call)}" if move.call else "")
    return name, urlencode({"moves": ",".join([*own, move_text(move)])})
