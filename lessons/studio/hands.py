"""Which finished hands and rounds a browser may count: its own, or its class session's.

Built up from deals that are over: a round that is played, and a board that some table still
plays, are not there. A duplicate board's deal counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db.models import Count, F, QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.models import Deal, Result
from games.rules import Card, Variant, parse_card
from games.tables.boards import boards_once
from games.tables.state import may_be_compared
from games.tables.viewers import Browser
from lessons.models import LessonSettings
from lessons.questions.learners import learner_at
from lessons.studio.counting import (
    DEALER,
    Frequencies,
    PlayedHand,
    deck_frequencies,
    own_frequencies,
    part_of,
    row_frequencies,
    simulation,
)
from lessons.studio.settings import BIDS, By, Of, Settings
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import NotFound, session_for
from xactika_site.dates import format_date

LATEST = 20
"""Class sessions that a teacher may choose from."""


class NotShown(Exception):
    """There are such numbers, but they are not to be seen now; the message says why."""


def frequencies_for(settings: Settings, browser: Browser) -> Frequencies:
    """The frequencies that these settings count for whoever is at this browser.

    Raises NotFound for a class session that is not theirs, :class:`NotShown` with a reason.
    """
    if settings.of is Of.DECK:
        return deck_frequencies(settings)
    if settings.of.is_dealt:
        return simulation(settings)
    if settings.of is Of.OWN:
        return own_frequencies(settings)
    if settings.of is Of.MINE:
        rows = _rows_of_results(own_results(browser))
        return _frequencies(rows, settings, _names(settings.by, rows, None))
    session = session_open_to(settings, browser)
    by = settings.by
    if by is By.STUDENT and browser.teacher is None:
        raise NotShown(_("Only your teacher may see who did what."))
    sessions = [session]
    if by is By.SESSION and browser.teacher is not None:
        sessions = _large_sessions_of_class(session, browser)
    rows = [row for each in sessions for row in _class_rows(each, settings)]
    shown, are_fewer = _of_many(rows, settings)
    frequencies = _frequencies(shown, settings, _names(by, shown, session.classroom))
    left_out = _("Without what fewer than five students played.")
    return replace(frequencies, left_out=left_out) if are_fewer else frequencies


def _class_rows(session: ClassSession, settings: Settings) -> list[PlayedHand]:
    """The seats that students played, where it is about play; else all hands that were dealt,
    those of a board once."""
    by = settings.by
    if settings.show.is_of_round or (by and (by.is_of_round or by is By.STUDENT)):
        return _rows_of_results(class_results(session))
    once = boards_once(class_deals(session).select_related("table").order_by("pk"))
    return [
        PlayedHand(_cards(codes), deal.pk, _place(deal, seat), session.pk)
        for deal in once
        for seat, codes in enumerate(deal.hands)
    ]


def _rows_of_results(results: Iterable[Result]) -> list[PlayedHand]:
    return [
        PlayedHand(
            _cards(result.deal.hands[result.seat]),
            result.deal_id,
            _place(result.deal, result.seat),
            result.deal.table.class_session_id or 0,
            result.bid,
            result.taken,
            result.student_id,
        )
        for result in results
    ]


def _place(deal: Deal, seat: int) -> int:
    """How many seats after the dealer it bids; the dealer is last."""
    return (seat - deal.dealer) % len(deal.hands) or DEALER


def _of_many(rows: list[PlayedHand], settings: Settings) -> tuple[list[PlayedHand], bool]:
    """The rows without the places and sessions of whose play fewer than five students' rounds
    would tell, and whether there were such."""
    by = settings.by
    if by is None or by not in (By.SEAT, By.SESSION) or not settings.show.is_of_round:
        return rows, False
    whose = part_of(by)
    students: dict[int | None, set[int | None]] = {}
    for row in rows:
        students.setdefault(whose(row), set()).add(row.student)
    of_many = [row for row in rows if len(students[whose(row)]) >= FEWEST]
    return of_many, len(of_many) < len(rows)


def _frequencies(
    rows: list[PlayedHand], settings: Settings, names: Mapping[int, str]
) -> Frequencies:
    by = settings.by
    if not settings.show.is_of_round or (by and (by.is_of_hand or by.is_of_card)):
        rows = [row for row in rows if row.cards]  # on paper some hands aren't known
    frequencies = row_frequencies(rows, settings)
    return replace(frequencies, rounds=len({row.deal for row in rows}), names=names)


def _names(
    by: By | None, rows: Iterable[PlayedHand], classroom: Classroom | None
) -> dict[int, str]:
    """By key, seats, students or sessions in words, where graphs are split by them."""
    if by is By.SEAT:
        places = sorted({row.place for row in rows})
        numbered = {place: _("Seat %(n)d") % {"n": place} for place in places}
        return {p: _("dealer") if p == DEALER else text for p, text in numbered.items()}
    if by is By.STUDENT and classroom is not None:
        students = Student.objects.filter(classroom=classroom).order_by("pk")
        numbers = enumerate(students.values_list("pk", flat=True), start=1)
        return {pk: _("Student %d") % n for n, pk in numbers}
    if by is By.SESSION:
        met = ClassSession.objects.filter(pk__in={row.session for row in rows})
        dates = {each.pk: localtime(each.created) for each in met.order_by("pk")}
        days = {pk: format_date(date, "DATETIME_FORMAT") for pk, date in dates.items()}
        return {0: _("Without a class")} | days
    return {}


def _results() -> QuerySet[Result]:
    return Result.objects.filter(may_be_compared("deal__"))


def _cards(codes: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes)


# One's own


def own_results(browser: Browser) -> list[Result]:
    """The finished rounds that this browser's student or guest played alone, with deals."""
    learner = learner_at(browser)
    if learner is None:
        return []
    if learner.student is not None:
        return _with_deals(_results().filter(student=learner.student))
    # By keys: the database then begins with what is one's own, not with everybody's rounds.
    moved = Result.objects.filter(deal__moves__guest=learner.guest, deal__moves__seat=F("seat"))
    return _with_deals(_results().filter(pk__in=moved.values("pk"), by_person=True))


def _with_deals(results: QuerySet[Result]) -> list[Result]:
    return list(results.select_related("deal__table").order_by("pk"))


# A class session's


def sessions_open_to(browser: Browser) -> list[tuple[int, str]]:
    """(id, name) of class sessions whose finished hands this browser may count: a student's
    own, a teacher's latest."""
    student, session_id = browser.present
    sessions = ClassSession.objects.none()
    if browser.teacher is not None:
        sessions = ClassSession.objects.filter(classroom__teachers=browser.teacher.pk)
    elif student is not None and session_id is not None:
        here = Attendance.objects.filter(student=student, state=Attendance.State.HERE)
        sessions = ClassSession.objects.filter(pk=session_id, attendances__in=here)
    latest = sessions.select_related("classroom").order_by("-pk").distinct()[:LATEST]
    return [(session.pk, _name(session)) for session in latest]


def usual_session(browser: Browser) -> int | None:
    """The id of the session that a graph of the class is about at first: the latest with enough
    in it to be drawn; without such a one the latest. None where none is open to this
    browser."""
    open_ = [pk for pk, _name in sessions_open_to(browser)]
    return next(iter([*_large_sessions(open_), *open_]), None)


def _large_sessions_of_class(session: ClassSession, browser: Browser) -> list[ClassSession]:
    """The latest sessions of a teacher's classroom in which five students have finished a
    round, the first first."""
    full = _large_sessions([pk for pk, _name in sessions_open_to(browser)])
    sessions = ClassSession.objects.filter(pk__in=full, classroom=session.classroom_id)
    return list(sessions.select_related("classroom").order_by("pk"))


def _large_sessions(open_: list[int]) -> list[int]:
    """The ids of those of these sessions in whose finished deals five students have played."""
    played = _results().filter(deal__table__class_session__in=open_)
    by_session = played.values_list("deal__table__class_session")
    students = dict(by_session.annotate(Count("student", distinct=True)).order_by())
    return [pk for pk in open_ if students.get(pk, 0) >= FEWEST]


def _name(session: ClassSession) -> str:
    """The class and when it met: it may meet twice a day."""
    met = localtime(session.created)
    return f"{session.classroom.name}, {format_date(met, 'DATETIME_FORMAT')}"


def session_open_to(settings: Settings, browser: Browser) -> ClassSession:
    """The class session that the settings name, or the usual one; NotFound for another's."""
    pk = usual_session(browser) if settings.session is None else settings.session
    if pk is None:
        raise NotShown(_("Join your class first to see its hands."))
    if browser.teacher is not None:
        session = session_for(browser.teacher, pk)
    elif pk in dict(sessions_open_to(browser)):
        session = ClassSession.objects.get(pk=pk)
    else:
        raise NotFound
    results = _results().filter(deal__table__class_session=session)
    by = settings.by
    if settings.show in BIDS or by in (By.BID, By.ERROR):
        results = results.filter(deal__table__variant=Variant.BID.value)
    students = results.exclude(student=None).values("student").distinct().count()
    if students < FEWEST and results.exists():
        raise NotShown(_("A class’s graphs need five students with a finished round."))
    is_of_play = settings.show.is_of_round or (by is not None and by.is_of_round)
    shown = LessonSettings.objects.filter(class_session=session, charts_for_students=True)
    if is_of_play and browser.teacher is None and not shown.exists():
        raise NotShown(_("Your teacher hasn’t opened the class’s results."))
    return session


def class_deals(session: ClassSession) -> QuerySet[Deal]:
    """The session's finished deals, at all its tables."""
    finished = Deal.objects.filter(may_be_compared(), results__seat=0)
    return finished.filter(table__class_session=session)


def class_results(session: ClassSession) -> list[Result]:
    """The seats of finished rounds that a student played alone."""
    played = _results().filter(deal__table__class_session=session)
    return _with_deals(played.exclude(student=None))
