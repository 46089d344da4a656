"""A lesson with a class: what its teacher opens, closes and shows to the room."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.classes import steering
from games.classes.closing import tell_class
from games.classes.state import load_session, tables_in_play
from lessons.course import Lesson, lesson
from lessons.models import LessonRun
from lessons.visits.ways import is_played, run_in
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.services import Refused, lock_session


def hold(*, session: ClassSession, slug: str) -> LessonRun:
    """The lesson that a session now is at; one at a time. A game in play is paused. Refused
    for a closed session."""
    try:
        lesson(slug)
    except KeyError:
        raise Refused(_("That isn’t there any more.")) from None
    if session.state == ClassSession.State.CLOSED:
        raise Refused(_("This session is closed."))
    try:
        with transaction.atomic():
            lock_session(session.pk)
            steering.pause_play(session_id=session.pk)
            run = LessonRun.objects.create(class_session=session, lesson=slug, step=1)
            tell_class(session_id=session.pk)
    except IntegrityError:
        raise Refused(_("The class is in a lesson. End it first.")) from None
    return run


@transaction.atomic
def open_step(*, session: ClassSession, number: int) -> None:
    """Bring the room to a step: forward only, so that no prediction comes after its reveal; and
    from a step that is played once its tables have finished."""
    lock_session(session.pk)
    run, course = _run_and_lesson(session)
    if not run.step <= number <= len(course.steps):
        raise Refused(_("You can’t go back: what was seen can’t be predicted."))
    if run.step < number and is_played(run.lesson, run.step):
        state = load_session(session.pk)  # a paused room holds nobody up
        if state.state == ClassSession.State.OPEN and tables_in_play(state):
            raise Refused(_("Some tables are still playing. Finish or close them first."))
    LessonRun.objects.filter(pk=run.pk, step__lte=number).update(step=number)
    if is_played(run.lesson, run.step) or is_played(run.lesson, number):
        tell_class(session_id=session.pk)


def close_step(*, session: ClassSession, closed: bool) -> None:
    """Take no more answers in the room's step, or take them again. What is closed as the room
    goes on stays closed."""
    with transaction.atomic():
        lock_session(session.pk)  # one teacher after the other
        run, _course = _run_and_lesson(session)
        shut = {*run.shut, run.step} if closed else {*run.shut} - {run.step}
        LessonRun.objects.filter(pk=run.pk).update(shut=sorted(shut))


def show_on_wall(*, session: ClassSession, on: bool) -> None:
    """Put the lesson on the projector, or the game."""
    run, _course = _run_and_lesson(session)
    LessonRun.objects.filter(pk=run.pk).update(on_wall=on)


@transaction.atomic
def end_lesson(*, session: ClassSession) -> None:
    """End the session's lesson; everybody may go on alone. Ending it twice is harmless."""
    lock_session(session.pk)
    running = LessonRun.objects.filter(class_session=session, ended=None)
    if running.update(ended=timezone.now()):
        tell_class(session_id=session.pk)


def _run_and_lesson(session: ClassSession) -> tuple[LessonRun, Lesson]:
    run = run_in(session.pk)
    if run is None:
        raise Refused(_("That isn’t there any more."))
    return run, lesson(run.lesson)
