"""What a teacher decides about a session's results: who else may see them."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from lessons.models import LessonSettings
from xactika_site.classrooms.models import ClassSession


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
