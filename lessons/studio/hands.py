"""Which finished hands and rounds a browser may count: its own, or its class session's.

Built up from deals that are over: a round that is played, and a board that some table still
plays, are not there. A duplicate board's deal counts once.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.models import Deal, Move, Result
from games.rules import Card, Variant, parse_card
from games.tables.boards import boards_once
from games.tables.state import may_be_shown
from games.tables.viewers import Browser
from lessons.models import LessonSettings
from lessons.questions.learners import learner_at
from lessons.studio.counting import Tally, of_deck, of_hands, of_results, simulated
from lessons.studio.settings import Of, Settings, Show
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import NotFound, session_for

LATEST = 20
"""Class sessions that a teacher may choose from."""


class NotShown(Exception):
    """There are such numbers, but they are not to be seen now; the message says why."""


def tally_for(settings: Settings, browser: Browser) -> Tally:
    """What these settings count for whoever is at this browser.

    Raises NotFound for a class session that is not theirs, :class:`NotShown` with a reason.
    """
    if settings.of is Of.DECK:
        return of_deck(settings)
    if settings.of is Of.DEALT:
        return simulated(settings)
    if settings.of is Of.MINE:
        results = own_results(browser)
    else:
        session = session_open_to(settings, browser)
        if settings.show.is_of_round:
            results = class_results(session)
        else:
            return _of_deals(class_deals(session), settings)
    if settings.show.is_of_round:
        return of_results([(result.bid, result.taken) for result in results], settings)
    hands = [_cards(result.deal.hands[result.seat]) for result in results]
    return _with_rounds(of_hands(hands, settings), len(hands))


def _finished() -> QuerySet[Deal]:
    return Deal.objects.filter(may_be_shown(), results__seat=0)


def _cards(codes: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes)


def _with_rounds(tally: Tally, rounds: int) -> Tally:
    return Tally(tally.counts, tally.theory, tally.by_count, rounds)


# One's own


def own_results(browser: Browser) -> list[Result]:
    """The finished rounds that the student or guest at this browser played alone, with their
    deals."""
    learner = learner_at(browser)
    if learner is None:
        return []
    mine = {key: value for key, value in learner.owner.items() if value is not None}
    moves = Move.objects.filter(deal__in=_finished(), **mine)
    seats = set(moves.values_list("deal", "seat").distinct())
    results = Result.objects.filter(deal__in={deal for deal, _seat in seats}, by_person=True)
    played = results.select_related("deal").order_by("pk")
    return [result for result in played if (result.deal_id, result.seat) in seats]


# A class session's


def sessions_open_to(browser: Browser) -> list[tuple[int, str]]:
    """The class sessions whose finished hands this browser may count, with names: a student's
    own, a teacher's latest."""
    student, session_id = browser.student or (None, None)
    found = ClassSession.objects.none()
    if browser.teacher is not None:
        found = ClassSession.objects.filter(classroom__teachers=browser.teacher.pk)
    elif student is not None and session_id is not None:
        here = Attendance.objects.filter(student=student, state=Attendance.State.HERE)
        found = ClassSession.objects.filter(pk=session_id, attendances__in=here)
    latest = found.select_related("classroom").order_by("-pk").distinct()[:LATEST]
    return [(session.pk, _name(session)) for session in latest]


def usual_session(browser: Browser) -> int | None:
    """The session that a graph of the class is about at first: the latest with enough in it to
    be drawn; without such a one the latest. None where none is open to this browser."""
    open_ = [pk for pk, _name in sessions_open_to(browser)]
    played = Move.objects.filter(
        deal__in=_finished(), deal__table__class_session__in=open_, student__isnull=False
    )
    by_session = played.values_list("deal__table__class_session")
    students = dict(by_session.annotate(Count("student", distinct=True)).order_by())
    full = (pk for pk in open_ if students.get(pk, 0) >= FEWEST)
    return next(full, open_[0] if open_ else None)


def _name(session: ClassSession) -> str:
    """The class and when it met: it may meet twice a day."""
    met = localtime(session.created)
    return f"{session.classroom.name}, {date_format(met, 'SHORT_DATETIME_FORMAT')}"


def session_open_to(settings: Settings, browser: Browser) -> ClassSession:
    """The class session that the settings name, or the usual one; NotFound if it is
    another's."""
    pk = usual_session(browser) if settings.session is None else settings.session
    if pk is None:
        raise NotShown(_("Join your class first: then its finished hands can stand here."))
    if browser.teacher is not None:
        session = session_for(browser.teacher, pk)
    elif pk in dict(sessions_open_to(browser)):
        session = ClassSession.objects.get(pk=pk)
    else:
        raise NotFound
    deals = class_deals(session)
    if settings.show is Show.ERROR:
        deals = deals.filter(table__variant=Variant.BID.value)
    moves = Move.objects.filter(deal__in=deals, student__isnull=False)
    students = moves.values("student").distinct().count()
    if 0 < students < FEWEST:
        raise NotShown(
            _("Graphs of a class are shown once five students have finished a round.")
        )
    if settings.show.is_of_round and browser.teacher is None and not _charts_shown(session):
        raise NotShown(_("Your teacher has not opened the class's results to you."))
    return session


def _charts_shown(session: ClassSession) -> bool:
    open_ = LessonSettings.objects.filter(class_session=session, charts_for_students=True)
    return open_.exists()


def class_deals(session: ClassSession) -> QuerySet[Deal]:
    """The session's finished deals, at all its tables."""
    return _finished().filter(table__class_session=session)


def class_results(session: ClassSession) -> list[Result]:
    """The seats of finished rounds in which a student made every move."""
    moves = Move.objects.filter(deal__in=class_deals(session), student__isnull=False)
    seats = set(moves.values_list("deal", "seat").distinct())
    results = Result.objects.filter(deal__in=class_deals(session), by_person=True)
    played = results.select_related("deal").order_by("pk")
    return [result for result in played if (result.deal_id, result.seat) in seats]


def _of_deals(deals: QuerySet[Deal], settings: Settings) -> Tally:
    """All hands of these deals; of a board that several tables played those of one."""
    once = boards_once(deals.select_related("table").order_by("pk"))
    hands = [_cards(codes) for deal in once for codes in deal.hands]
    return _with_rounds(of_hands(hands, settings), len(once))
