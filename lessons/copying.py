"""A class copied for another year."""

from __future__ import annotations

from django.db import transaction

from games.classes import sessions
from lessons.questions import sets
from lessons.results.news import settings_of, show_charts_to_students
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Classroom, ClassSession


@transaction.atomic
def copy_classroom(
    *, classroom: Classroom, teacher: User, name: str, with_students: bool
) -> Classroom:
    """A new classroom that is this teacher's, with the teachers and own questions of another
    one, a session in its lobby like the other's last one, and perhaps its students. Nothing
    that anybody played or answered is in it."""
    copy = classrooms.copy_classroom(
        classroom=classroom, teacher=teacher, name=name, with_students=with_students
    )
    for each in classroom.question_sets.order_by("changed"):
        own = {"name": each.name, "text": each.text}
        new = sets.create(classroom=copy, **own)
        sets.save(question_set=new, version=new.version, practice=each.practice, **own)
    been = ClassSession.objects.filter(classroom=classroom, settings__isnull=False)
    last = been.order_by("-pk").first()
    if last is not None:
        session = sessions.open_session(
            classroom=copy,
            settings=sessions.settings_like(last),
            expected=last.expected,
            language=last.language,
        )
        flags = {"needs_approval": last.needs_approval, "names_hidden": last.names_hidden}
        sessions.set_flags(session_id=session.pk, **flags)
        shown = settings_of(last).charts_for_students
        show_charts_to_students(session=session, on=shown)
    return copy
