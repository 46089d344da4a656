"""Signing in and out, and what too many wrong passwords do."""

from __future__ import annotations

import logging
import time

import pytest
from django.conf import settings as project
from django.core.cache import cache
from django.test import Client

from xactika_site.accounts import services

from .people import PASSWORD, a_teacher, all_rows, signed_in, text_of

pytestmark = pytest.mark.django_db

HERE, THERE = "203.0.113.7", "203.0.113.8"


def sign_in(name: str, password: str, address: str = HERE) -> int:
    browser = Client(REMOTE_ADDR=address)
    form = {"username": name, "password": password}
    return browser.post("/teach/login/", form).status_code


def test_signing_in_leads_to_where_one_wanted_to_go() -> None:
    a_teacher()
    browser = Client()
    answer = browser.get("/teach/account/")
    assert answer.url == "/teach/login/?next=/teach/account/"
    form = {"username": "ada", "password": PASSWORD, "next": "/teach/account/"}
    assert browser.post("/teach/login/", form).url == "/teach/account/"
    evil = {**form, "next": "https://evil.example/"}
    assert Client().post("/teach/login/", evil).url == "/teach/"


def test_who_is_signed_in_is_told_and_can_sign_out() -> None:
    browser = signed_in(a_teacher(name="Ms L"))
    assert "Ms L · Sign out" in text_of(browser.get("/learn/"))
    assert browser.get("/teach/logout/").status_code == 405
    assert browser.post("/teach/logout/").status_code == 302
    assert browser.get("/teach/").status_code == 302
    assert "Sign out" not in text_of(browser.get("/learn/"))


def test_the_page_says_when_nobody_can_sign_in_yet() -> None:
    words = "No teacher has an account here yet."
    page = Client().get("/teach/login/")
    assert words in text_of(page)
    link = services.first_link()
    assert link
    assert link not in page.content.decode()
    a_teacher()
    assert words not in text_of(Client().get("/teach/login/"))


def test_a_wrong_password_is_told_without_saying_what_was_wrong() -> None:
    a_teacher()
    pages = [
        text_of(Client().post("/teach/login/", {"username": name, "password": "no"}))
        for name in ("ada", "eve")
    ]
    assert pages[0] == pages[1]
    assert "correct user name and password" in pages[0]


def test_ten_wrong_passwords_lock_this_name_at_this_address_alone() -> None:
    a_teacher()
    a_teacher("bob")
    assert [sign_in("ada", "wrong") for _ in range(10)] == [200] * 9 + [429]
    assert sign_in("ada", PASSWORD) == 429
    assert sign_in("bob", PASSWORD) == 302
    assert sign_in("ada", PASSWORD, THERE) == 302
    browser = Client(REMOTE_ADDR=HERE)
    page = browser.post("/teach/login/", {"username": "ada", "password": PASSWORD})
    assert "Locked for 10 minutes" in text_of(page)
    assert "nobody else is locked" in text_of(page)
    # Whoever is signed in stays so.
    assert browser.get("/teach/login/").status_code == 200


def test_somebody_signed_in_is_not_locked_out() -> None:
    browser = signed_in(a_teacher())
    for _ in range(12):
        sign_in("ada", "wrong", "127.0.0.1")
    assert browser.get("/teach/").status_code == 200


def test_the_right_password_starts_the_count_again() -> None:
    a_teacher()
    for _ in range(2):
        assert [sign_in("ada", "wrong") for _ in range(9)] == [200] * 9
        assert sign_in("ada", PASSWORD) == 302


def test_the_lock_ends_after_ten_minutes_or_with_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if project.REDIS_URL:
        pytest.skip("Redis has a clock of its own")
    a_teacher()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    for _ in range(10):
        sign_in("ada", "wrong")
    now += 9 * 60
    assert sign_in("ada", PASSWORD) == 429  # and trying does not make it longer
    now += 61
    assert sign_in("ada", PASSWORD) == 302
    for _ in range(10):
        sign_in("ada", "wrong")
    assert sign_in("ada", PASSWORD) == 429
    cache.clear()  # what a restart does
    assert sign_in("ada", PASSWORD) == 302


def test_made_up_names_do_not_push_the_count_out() -> None:
    a_teacher()
    for _ in range(9):
        sign_in("ada", "wrong")
    for number in range(400):
        cache.set(f"axes-made-up-{number}", 1)
    assert sign_in("ada", "wrong") == 429


def test_no_address_is_stored_or_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    a_teacher()
    link = f"/teach/invited/{services.invite(by=None).token}/"
    browser = Client(REMOTE_ADDR=HERE)
    for password in ["wrong"] * 12:
        sign_in("ada", password)
    sign_in("ada", PASSWORD, THERE)
    browser.get(link)
    browser.post(link, {"username": "eve", "password1": PASSWORD, "password2": PASSWORD})
    browser.post("/teach/logout/")
    found = [
        (table, row)
        for table, rows in all_rows().items()
        for row in rows
        if HERE in row or THERE in row
    ]
    assert found == []
    assert [
        r for r in caplog.records if HERE in r.getMessage() or THERE in r.getMessage()
    ] == []


def test_axes_has_no_tables_of_its_own() -> None:
    assert project.MIGRATION_MODULES == {"axes": None}
    assert all(rows == [] for table, rows in all_rows().items() if table.startswith("axes"))


def test_a_stale_form_is_answered_with_what_to_do() -> None:
    a_teacher()
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/teach/login/", {"username": "ada", "password": PASSWORD})
    assert answer.status_code == 403
    assert "Please send that again" in text_of(answer)
