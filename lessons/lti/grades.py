"""Grades back: what a course's platform is to be told waits in the database until it has it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

from django.db import IntegrityError, connection
from django.db.models import Min, Q
from django.utils import timezone
from django.utils.translation import override

from lessons.lti.members import services_of
from lessons.lti.sealing import opened, seal
from lessons.lti.services import UNREADABLE, NotDone, Service, ask, pages, with_query
from lessons.lti.targets import scores_in, target_of
from lessons.models import Course, Grade, LineItem
from xactika_site.classrooms.models import Classroom

log = logging.getLogger("xactika.lti")

LOOK_EVERY, COMPARE_EVERY = 60.0, timedelta(minutes=10)
"""Seconds between two looks at what is due, and the time after which scores are compared."""

AGAIN = [timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 24 * 60)]
"""After how long it is tried again; then it waits for a teacher."""

AT_ONCE, WHILE_PRESSED = 60.0, 8.0
"""Seconds that one sending goes on, and one for which a teacher waits."""

SILENT = 3
"""Grades in a row to which nobody answers; then all others wait a minute."""

ALONE = timedelta(minutes=10)
"""So long the others keep off a course whose grades somebody sends."""

ITEM = "application/vnd.ims.lis.v2.lineitem+json"
ITEMS = "application/vnd.ims.lis.v2.lineitemcontainer+json"
SCORE = "application/vnd.ims.lis.v1.score+json"


# When.


def send_for_ever() -> None:
    """Send what is due, for ever. Runs for weeks: whatever goes wrong is logged."""
    while True:
        sleep(LOOK_EVERY)
        try:
            send_due()
        except Exception:
            log.exception("grades could not be sent; tried again in a minute")
        with suppress(Exception):
            connection.close()


def send_due() -> None:
    """Send what has changed or is to be tried again, in courses whose teacher has sent grades
    once."""
    for course in Course.objects.filter(looks__lte=timezone.now()):
        send(course=course)


def press(*, course: Course) -> None:
    """Send all grades of a course: also what had been refused, and from now on by itself."""
    now, its = timezone.now(), Grade.objects.filter(line_item__course=course)
    course.line_items.filter(grades__in=its.filter(status=404)).update(url="")
    missing = its.exclude(state=Grade.State.SENT)
    missing.update(state=Grade.State.WAITING, tries=0, next_try=now)
    Course.objects.filter(pk=course.pk).update(looks=now)
    send(course=course, seconds=WHILE_PRESSED)


def send(*, course: Course, seconds: float = AT_ONCE) -> None:
    """Send what is due in a course, unless somebody does just now, or its platform wants to be
    left alone."""
    own, now = Course.objects.filter(pk=course.pk), timezone.now()
    if not own.filter(Q(rests=None) | Q(rests__lte=now)).update(rests=now + ALONE):
        return
    rests = None
    try:
        if wait := _send(course, monotonic() + seconds):
            rests = timezone.now() + timedelta(seconds=wait)
    finally:
        waiting = Grade.objects.filter(line_item__course=course, state=Grade.State.WAITING)
        first = waiting.aggregate(first=Min("next_try"))["first"] or now + COMPARE_EVERY
        own.update(looks=min(first, now + COMPARE_EVERY), rests=rests)


def _send(course: Course, until: float) -> int:
    """The seconds that the platform wants to be left alone now, if it has said so."""
    items, silent = course.line_items.select_related("course__platform"), 0
    scores = scores_in(course.classroom, [item.target for item in items])
    for item in items:
        for grade in _due(item, scores.get(item.target, {})):
            if monotonic() > until or silent == SILENT:
                return 0
            try:
                _tell(grade)
            except NotDone as why:
                _note(grade, why)
                silent += why.is_temporary
                if why.wait:
                    return why.wait
            else:
                _store(grade, state=Grade.State.SENT, status=None, tries=0, next_try=None)
                silent = 0
    return 0


# What.


def _due(item: LineItem, scores: Mapping[int, Fraction]) -> list[Grade]:
    """The grades that the platform has not or has otherwise, and are to be tried now; all of
    them are stored as waiting."""
    now, due = timezone.now(), []
    for member in item.course.members.filter(student__in=scores):
        percent = min(100.0, round(float(100 * scores[member.student_id]), 2))
        with suppress(IntegrityError):  # the student is gone
            grade, _new = Grade.objects.get_or_create(
                line_item=item, member=member, defaults={"percent": percent, "next_try": now}
            )
            if grade.state == Grade.State.WAITING:
                is_due = grade.next_try is not None and grade.next_try <= now
            else:
                is_due = grade.percent != percent
            if is_due:
                _store(grade, percent=percent, state=Grade.State.WAITING, next_try=now)
                due.append(grade)
    return due


def _store(grade: Grade, **values: object) -> int:
    """How many rows were stored: none of a student who is gone meanwhile."""
    for name, value in values.items():
        setattr(grade, name, value)
    return Grade.objects.filter(pk=grade.pk).update(**values)


def _note(grade: Grade, why: NotDone) -> None:
    """Note what came of sending a grade; what may pass is tried again."""
    if not why.is_temporary:
        _store(grade, state=Grade.State.REFUSED, status=why.status, tries=0, next_try=None)
        return
    wait = timedelta(seconds=why.wait) if why.wait else dict(enumerate(AGAIN)).get(grade.tries)
    later = timezone.now() + wait if wait else None
    _store(grade, status=why.status, tries=grade.tries + (not why.wait), next_try=later)


# How.


def _tell(grade: Grade) -> None:
    """Send one, with a later time than ever before: an older one is refused. Raises NotDone."""
    url, later = urlsplit(_address_of(grade.line_item)), timezone.now()
    if grade.stamp:
        later = max(later, grade.stamp + timedelta(seconds=1))
    if not _store(grade, stamp=later):
        return
    if not (user := opened(grade.member.user)):  # sealed under another key
        raise NotDone(422)
    told = {
        "userId": user,
        "scoreGiven": grade.percent,
        "scoreMaximum": 100,
        "timestamp": later.isoformat(timespec="milliseconds"),
        "activityProgress": "Completed" if grade.percent == 100 else "InProgress",
        "gradingProgress": "FullyGraded",
    }
    scores = url._replace(path=f"{url.path.rstrip('/')}/scores").geturl()
    ask(grade.line_item.course.platform, Service.GRADES, scores, SCORE, told)


def _address_of(item: LineItem) -> str:
    """The address of the column: found there by resource and tag, or made. Raises NotDone."""
    if not (url := opened(item.url)):
        platform, new = item.course.platform, new_item(item.target, item.course.classroom)
        address = services_of(item.course).get("lineitems", "")
        asked = with_query(address, resource_id=new["resourceId"], tag=new["tag"])
        try:
            for page in pages(platform, Service.GRADES, asked, ITEMS):
                for each in page:  # not all filter
                    if (each.get("resourceId"), each.get("tag")) == (
                        new["resourceId"],
                        new["tag"],
                    ):
                        url = url or str(each["id"])
            if not url:
                url = str(ask(platform, Service.GRADES, address, ITEM, new).json()["id"])
        except UNREADABLE:
            raise NotDone from None
        item.url = seal(url)
        LineItem.objects.filter(pk=item.pk).update(url=item.url)
    return url


def new_item(target: str, classroom: Classroom) -> dict[str, Any]:
    """A column as a platform is told of it, in the class's language."""
    with override(classroom.language):
        found = target_of(target, classroom)
    return {
        "label": found.title if found else target,
        "scoreMaximum": 100,
        "resourceId": f"class:{classroom.pk}",
        "tag": target,
    }


def columns_of(course: Course) -> list[tuple[str, Counter[str], list[Grade]]]:
    """By column of a course's gradebook its title, how many grades are in each state, and those
    that the platform has not got."""
    found = []
    for item in course.line_items.order_by("pk"):
        grades = list(
            item.grades.select_related("member__student").order_by(
                "state", "member__student__name"
            )
        )
        missing = [each for each in grades if each.state != Grade.State.SENT]
        title = new_item(item.target, course.classroom)["label"]
        found.append((title, Counter(each.state for each in grades), missing))
    return found
