"""What a page's buttons send: what none of them does is not found, and a mistake of ours is no
"not found", but an error that is logged."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.classes import forming, joining
from games.pages.sessions import ACTIONS
from games.tables import steering
from tests.games.classroom import a_session, a_teacher, playing, signed_in
from tests.games.table import a_browser, friends
from tests.scenes import Each
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db

MISTAKES = pytest.mark.parametrize("mistake", [KeyError, ValueError])


def broken(mistake: type[Exception]) -> Any:
    def service(**_arguments: Any) -> None:
        raise mistake("ours")

    return service


@MISTAKES
def test_a_services_mistake_is_an_error_to_a_teacher(
    monkeypatch: pytest.MonkeyPatch, mistake: type[Exception]
) -> None:
    session, teacher = a_session(), signed_in(a_teacher())
    monkeypatch.setattr(forming, "form_tables", broken(mistake))
    monkeypatch.setattr(joining, "let_in", broken(mistake))
    for what in ("form", "let-in:1"):
        with pytest.raises(mistake, match="ours"):
            teacher.post(f"/teach/sessions/{session.pk}/do/", {"do": what})


@MISTAKES
def test_a_services_mistake_is_an_error_to_a_tables_opener(
    monkeypatch: pytest.MonkeyPatch, mistake: type[Exception]
) -> None:
    browser, guest = a_browser()
    table_id = friends(opener=guest)
    monkeypatch.setattr(steering, "renew_link", broken(mistake))
    with pytest.raises(mistake, match="ours"):
        browser.post(f"/tables/{table_id}/steer/", {"do": "renew:1"})


def test_what_no_button_sends_is_not_found(each: Each) -> None:
    session, _students = playing(2)
    teacher = signed_in(a_teacher())
    browser, guest = a_browser(Client())
    table_id = friends(opener=guest)
    for sent in ("", "x", "-1", "2.7", "٣", "9" * 19, "9" * 5000, "1\0"):
        with each(sent=sent[:20]):
            is_not_found(sent, session, teacher, browser, table_id)


def is_not_found(
    sent: str, session: ClassSession, teacher: Client, browser: Client, table_id: str
) -> None:
    path = f"/teach/sessions/{session.pk}/do/"
    whose = [
        *("yes no let-in send-out bar move time".split()),
        "stand-in",
        "hand-back",
        "next-game",
        "pause-table",
    ]
    assert set(whose) < set(ACTIONS)
    for what in whose:
        assert teacher.post(path, {"do": f"{what}:{sent}", "to": "1"}).status_code == 404, what
    student = session.attendances.order_by("pk").values_list("student", flat=True)[0]
    assert teacher.post(path, {"do": f"time:{student}", "to": sent}).status_code == 404
    assert teacher.post(path, {"do": sent}).status_code == 404
    if sent:
        answer = teacher.get(
            f"/teach/classrooms/{session.classroom_id}/sessions/new/?like={sent}"
        )
        assert answer.status_code in {302, 404}  # one is open already, or there is none such
    invitations = teacher.post("/teach/account/invitations/", {"withdraw": sent})
    assert invitations.status_code == 404
    for what in ("renew", "pace", "odds"):
        steered = browser.post(f"/tables/{table_id}/steer/", {"do": f"{what}:{sent}"})
        assert steered.status_code == 404
