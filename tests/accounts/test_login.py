"""Signing in and out, and what too many wrong passwords do."""

from __future__ import annotations

import logging
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings as project
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from xactika_site.accounts import services, sign_in_queue

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
    assert answer["Location"] == "/teach/login/?next=/teach/account/"
    form = {"username": "ada", "password": PASSWORD, "next": "/teach/account/"}
    assert browser.post("/teach/login/", form)["Location"] == "/teach/account/"
    evil = {**form, "next": "https://evil.example/"}
    assert Client().post("/teach/login/", evil)["Location"] == "/teach/"


def test_who_is_signed_in_is_told_and_can_sign_out() -> None:
    browser = signed_in(a_teacher(name="Ms L"))
    assert "Ms L · Sign out" in text_of(browser.get("/learn/"))
    assert browser.get("/teach/logout/").status_code == 405
    assert browser.post("/teach/logout/").status_code == 302
    assert browser.get("/teach/").status_code == 302
    assert "Sign out" not in text_of(browser.get("/learn/"))


def test_the_page_says_when_nobody_can_sign_in_yet() -> None:
    words = "The first teacher signs up with the link"
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
    assert "a browser where you’ve signed in before" in text_of(page)
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
    strict.get("/teach/login/")  # a cookie, and a form that is older than it
    answer = strict.post("/teach/login/", {"username": "ada", "password": PASSWORD})
    assert answer.status_code == 403
    assert "Please send that again" in text_of(answer)


# A browser that is known, and the queue.


def a_known_browser(address: str = HERE) -> Client:
    """Where the teacher has signed in, and out again."""
    browser = Client(REMOTE_ADDR=address)
    form = {"username": "ada", "password": PASSWORD}
    assert browser.post("/teach/login/", form).status_code == 302
    browser.post("/teach/logout/")
    return browser


def try_in(browser: Client, name: str, password: str) -> int:
    form = {"username": name, "password": password}
    return browser.post("/teach/login/", form).status_code


def test_where_a_teacher_has_signed_in_nobody_else_locks_them_out() -> None:
    a_teacher()
    browser = a_known_browser()
    for _ in range(12):
        sign_in("ada", "wrong")
    assert sign_in("ada", PASSWORD) == 429  # a browser like any other at this address
    assert try_in(browser, "ada", PASSWORD) == 302
    assert sign_in("ada", PASSWORD) == 429


def test_a_known_browser_has_ten_tries_of_its_own_wherever_it_is_carried() -> None:
    a_teacher()
    browser = a_known_browser()
    for number in range(9):
        browser.defaults["REMOTE_ADDR"] = f"203.0.113.{number}"
        assert try_in(browser, "ada", "wrong") == 200
    assert try_in(browser, "ada", "wrong") == 429
    assert try_in(browser, "ada", PASSWORD) == 429
    assert sign_in("ada", PASSWORD) == 302  # and locks nobody else


def test_it_is_known_for_this_teacher_alone() -> None:
    a_teacher()
    a_teacher("bob")
    browser = a_known_browser()
    for _ in range(10):
        sign_in("bob", "wrong")
    assert try_in(browser, "bob", PASSWORD) == 429
    (cookie,) = (c for name, c in browser.cookies.items() if name.startswith("known-"))
    assert "ada" not in re.split(r"\W", cookie.OutputString())  # in letters by chance it may be
    assert cookie["httponly"]
    assert cookie["path"] == "/teach/login/"


def test_a_made_up_mark_is_worth_nothing() -> None:
    a_teacher()
    known = a_known_browser()
    (name,) = (name for name in known.cookies if name.startswith("known-"))
    for _ in range(10):
        sign_in("ada", "wrong")
    for value in ("", "x", f"{name}.abc", known.cookies[name].value.rpartition(".")[0]):
        browser = Client(REMOTE_ADDR=HERE)
        browser.cookies[name] = value
        assert try_in(browser, "ada", PASSWORD) == 429


def test_signing_up_makes_a_browser_known_too() -> None:
    browser = Client()
    form = {"username": "eve", "password1": PASSWORD, "password2": PASSWORD}
    browser.post(str(services.first_link()), form)
    assert any(name.startswith("known-") for name in browser.cookies)


def test_few_wait_and_the_next_is_asked_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full queue is said, counts as no wrong try, and is not the known browsers' queue."""
    a_teacher()
    browser = a_known_browser()
    hold = threading.Event()
    with ThreadPoolExecutor(sign_in_queue.PLACES) as waiting:
        places = [
            waiting.submit(sign_in_queue.STRANGERS.run, hold.wait, 30)
            for _ in range(sign_in_queue.PLACES)
        ]
        try:
            while sign_in_queue.STRANGERS._places.acquire(blocking=False):
                sign_in_queue.STRANGERS._places.release()
            for name in ("ada", "nobody"):
                answer = Client().post(
                    "/teach/login/", {"username": name, "password": PASSWORD}
                )
                assert answer.status_code == 503
                assert answer["Retry-After"]
                assert "Too many are signing in." in text_of(answer)
            assert [sign_in("ada", "wrong") for _ in range(12)] == [503] * 12
            assert try_in(browser, "ada", PASSWORD) == 302
        finally:
            hold.set()
        assert all(place.result() for place in places)
    assert sign_in("ada", PASSWORD) == 302


def test_an_unknown_name_is_hashed_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, in the queue, and nowhere else."""
    a_teacher()
    threads: list[str] = []

    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        threads.append(threading.current_thread().name)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    for name in ("ada", "nobody"):
        threads.clear()
        assert sign_in(name, "wrong") == 200
        assert [name.rpartition("_")[0] for name in threads] == ["passwords-strangers"]


def test_an_old_hash_is_renewed(settings: Settings) -> None:
    teacher = a_teacher()
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    assert sign_in("ada", PASSWORD) == 302
    teacher.refresh_from_db()
    assert teacher.password.startswith("scrypt")
    assert sign_in("ada", PASSWORD) == 302
