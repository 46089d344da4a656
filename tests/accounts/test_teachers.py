"""Becoming a teacher: the first link, invitations, new passwords, and the account's page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from xactika_site import database
from xactika_site.accounts import services, views
from xactika_site.accounts.models import INVITATION_DAYS, Invitation, User
from xactika_site.backup import BackupError

from .people import PASSWORD, SIGN_UP, a_teacher, all_rows, signed_in, text_of

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().strip()


def path_of(link: str) -> str:
    assert link.startswith("http://127.0.0.1:8000/")
    return link.removeprefix("http://127.0.0.1:8000")


def the_first_link() -> str:
    link = services.first_link()
    assert link
    return link


# The first teacher.


def test_the_first_teacher_signs_up_and_is_signed_in() -> None:
    browser, link = Client(), the_first_link()
    browser.cookies["zone"] = "Pacific/Auckland"
    assert "first teacher" in text_of(browser.get(link))
    assert browser.post(link, SIGN_UP)["Location"] == "/teach/"
    assert browser.get("/teach/").status_code == 200
    ada = User.objects.get()
    assert (ada.username, ada.name, str(ada)) == ("ada", "Ms L", "Ms L")
    assert ada.check_password(PASSWORD)
    assert ada.time_zone == "Pacific/Auckland"  # the browser's


def test_the_first_link_works_once() -> None:
    link = the_first_link()
    Client().post(link, SIGN_UP)
    for browser in (Client(), signed_in(User.objects.get())):
        assert browser.get(link).status_code == 404
        assert browser.post(link, {**SIGN_UP, "username": "eve"}).status_code == 404
    assert User.objects.count() == 1
    assert services.first_link() is None


def test_of_two_who_hold_the_first_link_the_second_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    link = the_first_link()
    a_teacher()
    monkeypatch.setattr(services, "is_first", lambda token: True)  # both were in time
    assert Client().post(link, {**SIGN_UP, "username": "eve"}).status_code == 404
    assert User.objects.count() == 1


@pytest.mark.parametrize("token", ["teacher", "teacher.x", ".", "teacher." + "A" * 43])
def test_a_forged_first_link_opens_nothing(token: str) -> None:
    assert Client().get(f"/teach/start/{token}/").status_code == 404
    assert Client().post(f"/teach/start/{token}/", SIGN_UP).status_code == 404
    assert not User.objects.exists()


def test_the_first_link_hangs_on_the_secret_key(settings: Settings) -> None:
    link = the_first_link()
    settings.SECRET_KEY = "another"
    signer = type(services._first)(salt="accounts.first", sep=".")
    assert signer.sign("teacher") not in link


# Invitations.


def test_a_colleague_signs_up_by_an_invitation_once() -> None:
    invitation = services.invite(by=a_teacher("bob", name="Mr Babbage"))
    link = f"/teach/invited/{invitation.token}/"
    browser = Client()
    assert "Mr Babbage has invited you." in text_of(browser.get(link))
    assert browser.post(link, SIGN_UP)["Location"] == "/teach/"
    assert browser.get("/teach/").status_code == 200
    again = {**SIGN_UP, "username": "eve"}
    assert Client().get(link).status_code == 404
    assert Client().post(link, again).status_code == 404
    assert sorted(User.objects.values_list("username", flat=True)) == ["ada", "bob"]


def test_of_two_who_hold_an_invitation_the_second_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invitation = services.invite(by=None)
    link = f"/teach/invited/{invitation.token}/"
    Invitation.objects.all().delete()
    monkeypatch.setattr(Invitation, "by_token", lambda token: invitation)  # both were in time
    assert Client().post(link, SIGN_UP).status_code == 404
    assert not User.objects.exists()


def test_a_failed_form_does_not_use_the_invitation_up() -> None:
    link = f"/teach/invited/{services.invite(by=None).token}/"
    assert Client().post(link, {**SIGN_UP, "password2": "other"}).status_code == 422
    assert Client().post(link, SIGN_UP).status_code == 302


def test_an_invitation_ends_by_itself() -> None:
    invitation = services.invite(by=None)
    almost = timezone.now() - timedelta(days=INVITATION_DAYS) + timedelta(minutes=1)
    Invitation.objects.update(created=almost)
    invitation.refresh_from_db()
    link = f"/teach/invited/{invitation.token}/"
    assert Client().get(link).status_code == 200
    Invitation.objects.update(created=almost - timedelta(minutes=1))
    invitation.refresh_from_db()
    assert Client().get(link).status_code == 404
    assert Client().get(f"/teach/invited/{invitation.token}/").status_code == 404


def test_a_withdrawn_invitation_opens_nothing() -> None:
    ada = a_teacher()
    browser = signed_in(ada)
    browser.post("/teach/account/invitations/")
    invitation = Invitation.objects.get(by=ada)
    link = f"/teach/invited/{invitation.token}/"
    assert link in browser.get("/teach/account/").content.decode()
    eve = signed_in(a_teacher("eve"))
    eve.post("/teach/account/invitations/", {"withdraw": invitation.pk})
    assert link not in eve.get("/teach/account/").content.decode()
    assert Client().get(link).status_code == 200
    browser.post("/teach/account/invitations/", {"withdraw": invitation.pk})
    assert Client().get(link).status_code == 404
    assert link not in browser.get("/teach/account/").content.decode()


@pytest.mark.parametrize("number", ["", "x", "-1", "1.5", "9" * 40])
def test_absurd_withdrawals_do_nothing(number: str) -> None:
    browser = signed_in(a_teacher())
    answer = browser.post("/teach/account/invitations/", {"withdraw": number})
    assert answer.status_code in (302, 404)


def test_the_link_of_an_earlier_row_with_the_same_number_opens_nothing() -> None:
    """As after a backup was put back."""
    old = services.invite(by=None)
    token = old.token
    Invitation.objects.filter(pk=old.pk).delete()
    Invitation.objects.create(pk=old.pk, created=old.created + timedelta(hours=1))
    assert Client().get(f"/teach/invited/{token}/").status_code == 404


def test_the_database_holds_no_link() -> None:
    tokens = [services.invite(by=None).token, the_first_link().split("/")[-2]]
    secrets = [token.rpartition(".")[2] for token in tokens]
    stored = repr(all_rows())
    assert [secret for secret in secrets if secret in stored] == []


def test_a_signed_in_teacher_does_not_use_an_invitation_up() -> None:
    link = f"/teach/invited/{services.invite(by=None).token}/"
    assert signed_in(a_teacher()).post(link, SIGN_UP)["Location"] == "/teach/"
    assert Invitation.objects.count() == 1


# Forms.


def test_password_managers_are_told_what_is_what() -> None:
    """And phones do not begin a user name with a capital."""
    sign_up = Client().get(the_first_link()).content.decode()
    sign_in = Client().get("/teach/login/").content.decode()
    for html in (sign_up, sign_in):
        assert 'autocapitalize="none"' in html
        assert 'autocomplete="username"' in html
    assert sign_up.count('autocomplete="new-password"') == 2
    assert sign_in.count('autocomplete="current-password"') == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"username": ""}, "This field is required."),
        ({"username": "ada lovelace"}, "Enter a valid username."),
        ({"username": "a" * 61}, "at most 60 characters"),
        ({"username": "BOB"}, "Somebody here has that name already."),
        ({"name": "n" * 61}, "at most 60 characters"),
        ({"password2": "seven quiet badgers"}, "The two password fields didn’t match."),
        ({"password1": "short", "password2": "short"}, "at least 10 characters"),
        ({"password1": "password1234", "password2": "password1234"}, "too common"),
        ({"password1": "8172635498172", "password2": "8172635498172"}, "entirely numeric"),
        (
            {"username": "adalovelace", "password1": "adalovelace", "password2": "adalovelace"},
            "too similar",
        ),
    ],
)
def test_a_bad_form_says_why_beside_the_field(change: dict[str, str], words: str) -> None:
    a_teacher("bob")
    link = f"/teach/invited/{services.invite(by=None).token}/"
    answer = Client().post(link, {**SIGN_UP, **change})
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert 'class="field-error" id="id_' in answer.content.decode()
    assert User.objects.count() == 1


# Commands.


def test_a_link_by_command() -> None:
    link = run("invite_teacher")
    assert Client().post(path_of(link), SIGN_UP).status_code == 302
    assert run("invite_teacher", "--base", "https://cards.school/").startswith(
        "https://cards.school/teach/invited/"
    )


def test_a_forgotten_password_is_set_anew_once() -> None:
    ada = a_teacher()
    elsewhere = signed_in(ada)
    link, browser = path_of(run("reset_password", "ada")), Client()
    form = browser.get(link)["Location"]
    assert "ada" not in form
    new = {"new_password1": "eight loud badgers", "new_password2": "eight loud badgers"}
    bad = browser.post(form, {**new, "new_password2": "nine"})
    assert "didn’t match" in text_of(bad)
    assert browser.post(form, new)["Location"] == "/teach/"
    assert browser.get("/teach/").status_code == 200
    assert elsewhere.get("/teach/").status_code == 302
    ada.refresh_from_db()
    assert ada.check_password("eight loud badgers")
    late = Client()
    assert "opens nothing any more" in text_of(late.get(link, follow=True))
    late.post(form, new)
    assert late.get("/teach/").status_code == 302


def test_an_old_reset_link_opens_nothing(settings: Settings) -> None:
    a_teacher()
    link = path_of(run("reset_password", "ada"))
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "opens nothing any more" in text_of(Client().get(link, follow=True))


def test_resetting_nobodys_password_gives_one_line() -> None:
    a_teacher("bob")
    with pytest.raises(CommandError, match="There is no teacher 'ada'; there are: bob"):
        run("reset_password", "ada")


# The account's page.


def test_name_and_zone_are_kept() -> None:
    ada = a_teacher(time_zone="UTC")
    browser = signed_in(ada)
    form = {"name": "Countess", "time_zone": "Pacific/Auckland"}
    assert browser.post("/teach/account/", form)["Location"] == "/teach/account/?done=account"
    ada.refresh_from_db()
    assert (ada.name, ada.time_zone) == tuple(form.values())
    page = browser.get("/teach/account/?done=account")
    assert "Countess · Sign out" in text_of(page)
    assert "Saved." in text_of(page)
    assert '<html lang="en">' in page.content.decode()


def test_times_are_by_the_teachers_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    noon = datetime(2026, 1, 2, 12, 5, tzinfo=UTC)
    kiritimati = signed_in(a_teacher(time_zone="Pacific/Kiritimati"))
    utc = signed_in(a_teacher("bob", time_zone="UTC"))
    invitation = services.invite(by=User.objects.get(username="ada"))
    Invitation.objects.filter(pk=invitation.pk).update(created=noon)
    monkeypatch.setattr(timezone, "now", lambda: noon)
    page = text_of(kiritimati.get("/teach/account/"))
    assert "until 10 January 2026" in page  # by UTC it is the 9th
    assert timezone.get_current_timezone_name() == "UTC"
    assert "10 January" not in text_of(utc.get("/teach/account/"))


@pytest.mark.parametrize(
    "change",
    [
        {"time_zone": "Mars/Olympus"},
        {"time_zone": "../../etc/passwd"},
        {"name": "n" * 61},
    ],
)
def test_absurd_choices_are_refused(change: dict[str, str]) -> None:
    ada = a_teacher(time_zone="UTC")
    good = {"name": "", "time_zone": "UTC"}
    answer = signed_in(ada).post("/teach/account/", {**good, **change})
    assert answer.status_code == 422
    ada.refresh_from_db()
    assert (ada.name, ada.time_zone) == ("", "UTC")


def test_a_zone_that_this_machine_does_not_know_shuts_nobody_out() -> None:
    ada = a_teacher(time_zone="Mars/Olympus")
    assert signed_in(ada).get("/teach/account/").status_code == 200


def test_a_changed_password_signs_out_everywhere_else() -> None:
    ada = a_teacher()
    here, elsewhere = signed_in(ada), signed_in(ada)
    new = {"new_password1": "eight loud badgers", "new_password2": "eight loud badgers"}
    wrong = here.post("/teach/account/password/", {"old_password": "x", **new})
    assert "old password was entered incorrectly" in text_of(wrong)
    here.post("/teach/account/password/", {"old_password": PASSWORD, **new})
    assert here.get("/teach/account/").status_code == 200
    assert elsewhere.get("/teach/account/").status_code == 302


# A copy of everything.

HERE: dict[str, Any] = {"HTTP_HOST": "localhost:8000", "REMOTE_ADDR": "127.0.0.1"}


def test_who_is_alone_at_this_computer_keeps_a_copy(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(database, "file", lambda: tmp_path / "xactika.sqlite3")
    monkeypatch.setattr(views, "write_backup", lambda folder: folder / "the copy")
    browser = signed_in(a_teacher("one"))
    assert "Keep a copy" in browser.get("/teach/account/", **HERE).text
    page = browser.post("/teach/account/copy/", **HERE)
    assert page.status_code == 200
    assert str(tmp_path / "the copy") in page.text
    assert "/teach/account/copy/" not in browser.get("/teach/account/").text
    others: list[dict[str, Any]] = [
        {**HERE, "HTTP_HOST": "cards.school"},
        {**HERE, "REMOTE_ADDR": "192.168.1.7"},
        {**HERE, "HTTP_X_FORWARDED_FOR": "192.168.1.7"},
    ]
    for other in others:
        assert browser.post("/teach/account/copy/", **other).status_code == 404
    a_teacher("two")
    assert browser.post("/teach/account/copy/", **HERE).status_code == 404
    assert "Keep a copy" not in browser.get("/teach/account/", **HERE).text


def test_a_copy_that_cannot_be_written_says_why(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]

    def refuse(_folder: Path) -> Path:
        raise BackupError("the disk is full")

    monkeypatch.setattr(views, "write_backup", refuse)
    page = signed_in(a_teacher("one")).post("/teach/account/copy/", **HERE)
    assert page.status_code == 507
    assert "the disk is full" in page.text
