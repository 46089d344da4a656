"""Days and times: the first of a month in sentences, and by whose clock."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.template import engines
from django.test import RequestFactory
from django.utils import timezone
from django.utils.translation import override

from games.classes import closing
from games.models import Deal
from tests.games.classroom import device_of, picture, playing
from tests.scenes.by_students import play_by_students
from xactika_site.accounts.middleware import own_time_zone
from xactika_site.accounts.models import User, server_time_zone

SENTENCE = (
    '{{ day|date:"l j F" }}; {{ day|date:"DATE_FORMAT" }}; {{ day|date:"SHORT_DATE_FORMAT" }}'
)


@pytest.mark.parametrize(
    ("language", "day", "said"),
    [
        ("en", date(2026, 12, 1), "Tuesday 1 December; 1 December 2026; 1 December 2026"),
        ("fr", date(2026, 12, 1), "mardi 1er décembre; 1er décembre 2026; 1er décembre 2026"),
        ("fr", date(2026, 12, 11), "vendredi 11 décembre; 11 décembre 2026; 11 décembre 2026"),
    ],
)
def test_the_first_of_a_month(language: str, day: date, said: str) -> None:
    with override(language):
        assert engines["django"].from_string(SENTENCE).render({"day": day}) == said


@pytest.mark.django_db
def test_a_students_times_are_by_the_clock_of_their_class() -> None:
    session, (student, *_others) = playing(2, seats=2)
    User.objects.update(time_zone="Pacific/Kiritimati")
    play_by_students(picture(session).tables[0])
    Deal.objects.update(created=datetime(2026, 1, 2, 12, 5, tzinfo=UTC))
    device = device_of(student, session)
    device.cookies["zone"] = "America/New_York"
    assert "3 January 2026, 02:05" in device.get("/mine/").text
    closing.close_session(session_id=session.pk)
    assert "3 January 2026, 02:05" in device.get("/mine/").text


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("America/New_York", "America/New_York"),
        ("", server_time_zone()),
        ("../../etc/passwd", server_time_zone()),
        ("Europe/" + "x" * 4000, server_time_zone()),
    ],
)
def test_others_times_are_by_their_browsers_clock(said: str, zone: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["zone"], request.user = said, AnonymousUser()
    told = own_time_zone(lambda _: HttpResponse(timezone.get_current_timezone_name()))
    assert told(request).content.decode() == zone


def test_a_time_after_the_day_stays_and_nothing_is_empty() -> None:
    moment = datetime(2026, 12, 1, 1, 1, tzinfo=UTC)
    with override("fr"):
        text = '{{ day|date:"j F, G:i" }}{{ none|date:"j F" }}'
        said = engines["django"].from_string(text).render({"day": moment, "none": None})
    assert said == "1er décembre, 1:01"
