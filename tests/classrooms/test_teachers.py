"""Several teachers of one classroom, and what goes with an account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from tests.accounts.people import (
    PASSWORD,
    SIGN_UP,
    a_teacher,
    all_rows,
    no_wrong_tries,  # noqa: F401 (autouse)
    signed_in,
    text_of,
)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
from xactika_site.accounts.models import INVITATION_DAYS, User
from xactika_site.classrooms import services
from xactika_site.classrooms.models import Classroom, ClassroomInvitation, Student

from .rooms import a_classroom, a_session

pytestmark = pytest.mark.django_db


def invited_to(classroom: Classroom) -> str:
    """The path of a new link to teach this classroom, too."""
    return f"/teach/shared/{services.invite(classroom=classroom).token}/"


def teachers(classroom: Classroom) -> list[str]:
    return sorted(classroom.teachers.values_list("username", flat=True))


# Sharing.


def test_a_colleague_joins_with_one_click_and_once() -> None:
    classroom = a_classroom(a_teacher(), name="7b")
    link, bob = invited_to(classroom), signed_in(a_teacher("bob"))
    assert "Teach “7b”, too?" in text_of(bob.get(link))
    assert teachers(classroom) == ["ada"]
    assert bob.post(link)["Location"] == f"/teach/classrooms/{classroom.pk}/"
    assert bob.get(f"/teach/classrooms/{classroom.pk}/").status_code == 200
    eve = signed_in(a_teacher("eve"))
    assert eve.get(link).status_code == eve.post(link).status_code == 404
    assert teachers(classroom) == ["ada", "bob"]


def test_somebody_without_an_account_signs_up_by_it() -> None:
    bob = a_teacher("bob")
    classroom = a_classroom(bob, name="7b")
    link, browser = invited_to(classroom), Client()
    page = browser.get(link)
    assert "invited to teach the class “7b”" in text_of(page)
    assert f'/teach/login/?next={link}"' in page.text
    assert browser.post(link, {**SIGN_UP, "password2": "x"}).status_code == 422
    assert browser.post(link, SIGN_UP)["Location"] == f"/teach/classrooms/{classroom.pk}/"
    assert browser.get(f"/teach/classrooms/{classroom.pk}/").status_code == 200
    assert teachers(classroom) == ["ada", "bob"]
    assert Client().post(link, {**SIGN_UP, "username": "eve"}).status_code == 404
    assert User.objects.count() == 2


def test_of_two_who_hold_the_link_the_second_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    classroom = a_classroom(a_teacher())
    invitation = services.invite(classroom=classroom)
    link = f"/teach/shared/{invitation.token}/"
    ClassroomInvitation.objects.all().delete()
    monkeypatch.setattr(ClassroomInvitation, "by_token", lambda token: invitation)
    assert signed_in(a_teacher("bob")).post(link).status_code == 404
    assert Client().post(link, {**SIGN_UP, "username": "eve"}).status_code == 404
    assert teachers(classroom) == ["ada"]
    assert not User.objects.filter(username="eve").exists()


def test_a_teacher_of_it_does_not_use_the_link_up() -> None:
    ada = a_teacher()
    classroom = a_classroom(ada)
    link = invited_to(classroom)
    assert signed_in(ada).get(link)["Location"] == f"/teach/classrooms/{classroom.pk}/"
    assert signed_in(ada).post(link)["Location"] == f"/teach/classrooms/{classroom.pk}/"
    assert Client().get(link).status_code == 200


def test_the_link_is_shown_until_it_is_used_withdrawn_or_over() -> None:
    ada = signed_in(a_teacher())
    classroom = a_classroom(User.objects.get())
    page = f"/teach/classrooms/{classroom.pk}/"
    ada.post(f"{page}change/", {"do": "invite"})
    ada.post(f"{page}change/", {"do": "invite"})
    first, second = ClassroomInvitation.objects.order_by("pk")
    for invitation in (first, second):
        assert f"/teach/shared/{invitation.token}/" in ada.get(page).text
        assert f'data-copies="link-{invitation.pk}"' in ada.get(page).text
    assert "For one person, until" in text_of(ada.get(page))
    assert "games/share.js" in ada.get(page).text
    ada.post(f"{page}change/", {"do": f"withdraw:{first.pk}"})
    old = second.created - timedelta(days=INVITATION_DAYS)
    ClassroomInvitation.objects.update(created=old)
    second.refresh_from_db()
    for invitation in (first, second):
        assert f"/teach/shared/{invitation.token}/" not in ada.get(page).text
        assert Client().get(f"/teach/shared/{invitation.token}/").status_code == 404


def test_a_link_to_one_thing_opens_no_other() -> None:
    classroom = a_classroom(a_teacher())
    invitation = services.invite(classroom=classroom)
    assert Client().get(f"/teach/invited/{invitation.token}/").status_code == 404
    assert Client().get(f"/teach/start/{invitation.token}/").status_code == 404
    for token in ("", "1", "1.2", f"{invitation.token}x", "☃", "." * 300):
        assert Client().get(f"/teach/shared/{token}/").status_code == 404


def test_nobody_withdraws_from_another_classroom() -> None:
    mine, other = a_classroom(a_teacher()), a_classroom(a_teacher("eve"))
    link = invited_to(mine)
    eve, number = signed_in(User.objects.get(username="eve")), mine.invitations.get().pk
    eve.post(f"/teach/classrooms/{other.pk}/change/", {"do": f"withdraw:{number}"})
    assert Client().get(link).status_code == 200


def test_leaving() -> None:
    ada, bob = a_teacher(), a_teacher("bob")
    classroom = a_classroom(ada)
    classroom.teachers.add(bob)
    page, browser = f"/teach/classrooms/{classroom.pk}/", signed_in(bob)
    assert browser.post(f"{page}change/", {"do": "leave"})["Location"] == "/teach/"
    for below in ("", "sheet/", "roster/"):
        assert browser.get(page + below).status_code == 404
    last = signed_in(ada)
    assert "Leave this class" not in text_of(last.get(page))
    refused = last.post(f"{page}change/", {"do": "leave"})
    assert refused.status_code == 422
    assert "You’re its only teacher." in text_of(refused)
    assert teachers(classroom) == ["ada"]


def test_who_has_had_the_class_longest_removes_others_and_nobody_else_does() -> None:
    ada, bob, eve = a_teacher(), a_teacher("bob"), a_teacher("eve")
    classroom = a_classroom(ada)
    for each in (bob, eve):
        classroom.teachers.add(each)
    page = f"/teach/classrooms/{classroom.pk}/"
    owner, other = signed_in(ada), signed_in(bob)

    def remove(browser: Client, whom: User) -> int:
        return browser.post(f"{page}change/", {"do": f"remove:{whom.pk}"}).status_code

    assert "remove:" not in other.get(page).text
    assert remove(other, eve) == remove(other, ada) == remove(other, bob) == 404
    assert remove(owner, ada) == remove(owner, a_teacher("zoe")) == 404
    assert owner.post(f"{page}change/", {"do": "remove:x"}).status_code == 404
    shown = owner.get(page).text
    assert [f"remove:{each.pk}" in shown for each in (ada, bob, eve)] == [False, True, True]
    other.post(f"{page}change/", {"do": "invite"})  # bob knows this link
    assert classroom.invitations.count() == 1
    assert remove(owner, bob) == 302
    assert teachers(classroom) == ["ada", "eve"]
    assert classroom.invitations.count() == 0
    assert other.get(page).status_code == 404


# Goodbye.


def test_an_account_goes_with_what_nobody_else_teaches() -> None:
    ada, bob = a_teacher(name="Ms Lovelace"), a_teacher("bob")
    alone = a_classroom(ada, name="Ada’s own", students=2)
    a_session(alone)
    shared = a_classroom(ada, name="Shared", students=1)
    shared.teachers.add(bob)
    a_classroom(bob, name="Bob’s own", students=1)
    services.invite(classroom=alone)
    browser, elsewhere = signed_in(ada), signed_in(ada)
    browser.post("/teach/account/invitations/")
    words = text_of(browser.get("/teach/account/delete/"))
    assert "Ada’s own" in words
    assert "Shared" not in words
    assert "Bob’s own" not in words

    for wrong in ("", "not it"):
        form = {"password": wrong}
        assert browser.post("/teach/account/delete/", form).status_code == 422
    assert User.objects.count() == 2

    assert browser.post("/teach/account/delete/", {"password": PASSWORD})["Location"] == "/"
    assert sorted(Classroom.objects.values_list("name", flat=True)) == ["Bob’s own", "Shared"]
    assert Student.objects.count() == 2
    assert teachers(shared) == ["bob"]
    stored = repr(all_rows())
    assert [word for word in ("Lovelace", "Ada’s own", "'ada'") if word in stored] == []
    for left in (browser, elsewhere):
        assert left.get("/teach/").status_code == 302


def test_not_while_somebody_may_be_playing_there() -> None:
    ada = a_teacher()
    classroom = a_classroom(ada, name="7b")
    session = a_session(classroom, state="paused")
    browser = signed_in(ada)
    answer = browser.post("/teach/account/delete/", {"password": PASSWORD})
    assert answer.status_code == 422
    assert "Close the session in “7b” first." in text_of(answer)
    assert User.objects.filter(pk=ada.pk).exists()
    session.state = "closed"
    session.save()
    assert browser.post("/teach/account/delete/", {"password": PASSWORD}).status_code == 302
    assert not Classroom.objects.exists()
