"""Whether there is anything new to show, and what a session lets others see, as its teacher
decides."""

from __future__ import annotations

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Count, F, Max, Sum

from games.models import Result, Table
from games.tables.viewers import Browser
from lessons.models import Answer, Commitment, LessonRun, LessonSettings, Slip
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound, here_in

_signer = Signer(salt="lessons.results", sep=".")


def results_version(session: ClassSession) -> str:
    """A text that changes whenever a page of the session's results would: with every finished
    round or board, answer, turn tried again, step of a lesson, student who comes or goes, and
    the session's state."""
    rounds = Result.objects.filter(deal__table__class_session=session).aggregate(
        n=Count("pk"), last=Max("pk")
    )
    boards = Table.objects.filter(class_session=session).aggregate(n=Sum("shown_round"))
    answers = Answer.objects.filter(question__student__classroom=session.classroom_id)
    newest = answers.aggregate(n=Count("pk"), last=Max("pk"))
    here = Attendance.objects.filter(class_session=session)
    came = here.exclude(state=Attendance.State.ASKING).count()
    runs = LessonRun.objects.filter(class_session=session).values_list("step", "shut", "ended")
    steps = [(step, len(shut), bool(ended)) for step, shut, ended in runs]
    progress = (len(steps), *map(sum, zip(*steps, strict=True)))
    done = Commitment.objects.filter(visit__run__class_session=session)
    tried = done.aggregate(n=Count("pk"), tries=Sum("tries"))
    mistakes = Slip.objects.filter(position__deal__table__class_session=session)
    again = mistakes.aggregate(n=Count("pk", distinct=True), tries=Count("retries"))
    last = (*newest.values(), came, *progress, *tried.values(), *again.values())
    parts = (session.state, *rounds.values(), boards["n"], *last)
    return "-".join(str(part or 0) for part in parts)


def settings_of(session: ClassSession) -> LessonSettings:
    """What the session lets others see; unsaved where nobody has decided yet."""
    stored = LessonSettings.objects.filter(class_session=session).first()
    return stored or LessonSettings(class_session=session)


@transaction.atomic
def show_charts_to_students(*, session: ClassSession, on: bool) -> None:
    """Show the class's charts, without names, on its students' own pages, or not."""
    LessonSettings.objects.update_or_create(
        class_session=session, defaults={"charts_for_students": on}
    )


@transaction.atomic
def share(*, session: ClassSession, on: bool) -> None:
    """Switch on or off a link that shows the results without names to whoever has it. Each time
    it is switched off the old link is worth nothing any more."""
    settings, _made = LessonSettings.objects.get_or_create(class_session=session)
    if settings.shared != on:
        serial = F("share_serial") + (0 if on else 1)
        LessonSettings.objects.filter(pk=settings.pk).update(shared=on, share_serial=serial)


def share_token(settings: LessonSettings) -> str:
    """What the nameless link to a session's results holds; derived, never stored."""
    return _signer.sign(f"{settings.class_session_id}.{settings.share_serial}")


def shared_session(token: str) -> ClassSession:
    """The session whose results a link shows; NotFound if forged, renewed or switched off."""
    try:
        session_id, serial = map(int, _signer.unsign(token[:100]).split("."))
    except (BadSignature, ValueError):
        raise NotFound from None
    rows = LessonSettings.objects.filter(
        class_session=session_id, share_serial=serial, shared=True
    )
    settings = rows.select_related("class_session__classroom").first()
    if settings is None:
        raise NotFound
    return settings.class_session


def own_session(browser: Browser, session_id: int) -> tuple[Student, ClassSession]:
    """The student at this browser and the class session in which they said so; NotFound for
    anybody who never came there."""
    student, at = browser.at(session_id).present
    if student is None or at != session_id:
        raise NotFound
    attendance = (
        Attendance.objects.filter(class_session=session_id, student=student)
        .exclude(state=Attendance.State.ASKING)
        .select_related("class_session__classroom")
        .first()
    )
    if attendance is None:
        raise NotFound
    return student, attendance.class_session


def sees_class(student: Student, session: ClassSession) -> bool:
    """Whether the student sees the class's charts: where the teacher says so, while in."""
    here = here_in(session.pk).filter(student=student)
    return settings_of(session).charts_for_students and here.exists()


def sessions_seen(student: Student) -> frozenset[int]:
    """The ids of the sessions of which the student sees the class's charts: their teacher says
    so, and the student is in."""
    shown = LessonSettings.objects.filter(
        charts_for_students=True,
        class_session__attendances__student=student,
        class_session__attendances__state=Attendance.State.HERE,
    )
    return frozenset(shown.values_list("class_session", flat=True))
