"""Who speaks which language: a device, a class session, a table; and none of them two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.management import CommandError, call_command
from django.template.loader import render_to_string
from django.test import Client
from django.utils.translation import get_language, override

from games.classes import closing, steering
from games.models import Table
from games.tables import moves
from games.tables.refusals import Rejected
from games.tables.state import load_table
from lessons.demo import classes
from lessons.pages.speaking import is_in_no_row
from lessons.results.words import lesson_words
from tests import made_up
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.conftest import *  # noqa: F403 (the fixtures of games)
from tests.games.sockets import Socket, connect
from tests.games.table import a_browser, friends
from tests.scenes import present
from tests.scenes.homework import some_homework
from xactika_site import command, database, doctor, lan, locations
from xactika_site import settings as servers
from xactika_site.accounts.models import User
from xactika_site.classrooms import services
from xactika_site.classrooms.french_names import NOUNS, PHRASE_WORDS
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.names import ADJECTIVES
from xactika_site.classrooms.names import PHRASE_WORDS as ENGLISH_WORDS
from xactika_site.classrooms.selectors import phrase_of, student_by_phrase
from xactika_site.health import Fault

pytestmark = pytest.mark.django_db


def language_of(response: Any) -> str:
    """The language of a page, as it says itself."""
    said = present(re.search(rb'<html lang="([^"]*)"', response.content))
    assert response["Content-Language"] == said[1].decode()
    return said[1].decode()


def in_french(**settings: object) -> ClassSession:
    session = a_session(a_classroom(name="5e B"), **settings)
    services.set_language(session_id=session.pk, language="fr")
    session.refresh_from_db()
    return session


# Devices.


@pytest.mark.parametrize(
    ("cookie", "header", "spoken"),
    [
        (None, None, "en"),
        (None, "fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        (None, "de, fr;q=0.5", "fr"),
        (None, "tlh", "en"),
        (None, "x" * 9000, "en"),
        ("fr", "en", "fr"),
        ("en", "fr", "en"),
        ("tlh", None, "en"),
        ("../../etc", "fr", "fr"),
        ("de", None, "en"),
    ],
)
def test_a_device_speaks_as_it_was_told_or_as_its_browser_wishes(
    cookie: str | None, header: str | None, spoken: str
) -> None:
    browser = Client()
    if cookie:
        browser.cookies["language"] = cookie
    page = browser.get("/", headers={"Accept-Language": header} if header else {})
    assert language_of(page) == spoken
    assert "Accept-Language" in page["Vary"]
    assert ("Jouer" in page.content.decode()) == (spoken == "fr")
    assert get_language() == "en"  # nothing stays behind


def test_the_switch_is_on_every_page_and_leads_back_to_it() -> None:
    browser = Client()
    page = browser.get("/learn/?x=1").content.decode()
    form = present(re.search(r'<form class="languages".*?</form>', page, re.DOTALL))
    assert "Français</button>" in form[0]
    there = {"Referer": "http://testserver/learn/?x=1"}
    answer = browser.post("/language/", {"language": "fr"}, headers=there)
    assert (answer.status_code, answer["Location"]) == (302, there["Referer"])
    assert language_of(browser.get("/learn/?x=1")) == "fr"
    elsewhere = {"Referer": "https://evil.example/"}
    answer = browser.post("/language/", {"language": "en"}, headers=elsewhere)
    assert answer["Location"] == "/"
    assert language_of(browser.get("/learn/")) == "en"


def test_the_switch_on_a_refused_form_leads_to_the_page_with_the_form() -> None:
    browser = Client()
    refused = browser.post("/lessons/stats-table/do/", {"step": "1", "do": "predict"})
    assert (refused.status_code, "Choose one of" in refused.text) == (422, True)
    there = {"Referer": "http://testserver/lessons/stats-table/do/"}
    answer = browser.post("/language/", {"language": "fr"}, headers=there)
    assert answer["Location"] == "http://testserver/lessons/stats-table/"
    page = browser.get(answer["Location"])
    assert (page.status_code, language_of(page)) == (200, "fr")
    there = {"Referer": "http://testserver/teach/classrooms/1/copy/"}  # a page of its own
    answer = browser.post("/language/", {"language": "en"}, headers=there)
    assert answer["Location"].endswith("/copy/")


@pytest.mark.parametrize("sent", ["tlh", "", "x" * 10_000, "../fr"])
def test_a_switch_to_what_is_no_language_changes_nothing(sent: str) -> None:
    browser = Client()
    assert browser.post("/language/", {"language": sent}).status_code == 302
    assert language_of(browser.get("/")) == "en"


# Class sessions.


def test_a_class_session_speaks_its_language_on_all_its_pages() -> None:
    session = in_french()
    (student,) = students_in(session, 1)
    teacher, device = signed_in(a_teacher()), device_of(student, session)
    here = f"/teach/sessions/{session.pk}/"
    for page in ("", "projector/", "settings/", "results/", "lesson/", "exercise/"):
        assert language_of(teacher.get(here + page)) == "fr"
    assert language_of(teacher.get("/teach/")) == "en"
    assert language_of(device.get(f"/class/{session.pk}/")) == "fr"
    for page in ("/lessons/practice/", "/lessons/stats-table/", "/learn/", "/mine/"):
        assert language_of(device.get(page)) == "fr"
    assert "garde la langue de sa classe" in device.get("/learn/").content.decode()
    ClassSession.objects.update(state="closed")
    assert language_of(device.get("/learn/")) == "en"


def test_the_page_to_join_speaks_as_the_class_that_was_found() -> None:
    session, browser = in_french(), Client()
    page = f"/join/{session.classroom.code}/"
    assert language_of(browser.get(page)) == "fr"
    assert language_of(browser.get(f"{page}?step=before")) == "fr"
    assert language_of(browser.get("/join/BBBBBB/")) == "en"
    assert language_of(browser.get("/join/")) == "en"


def test_worksheets_that_are_opened_from_a_class_are_printed_in_its_language() -> None:
    session = in_french()
    teacher = signed_in(a_teacher())
    guide = f"/lessons/stats-table/teacher/?session={session.pk}"
    chosen = teacher.get(f"/teach/sessions/{session.pk}/lesson/").content.decode()
    assert f'href="{guide}"' in chosen
    page = teacher.get(guide)
    assert language_of(page) == "fr"
    worksheet = f"/lessons/stats-table/worksheet/?session={session.pk}"
    assert f'href="{worksheet}"' in page.content.decode()
    first = teacher.get(worksheet)
    assert first.status_code == 302
    printed = teacher.get(first["Location"])
    assert language_of(printed) == "fr"
    assert f'name="session" value="{session.pk}"' in printed.content.decode()
    assert f'href="{worksheet}"' in printed.content.decode()  # a new set
    assert f'href="{guide}"' in printed.content.decode()
    assert language_of(teacher.get("/lessons/stats-table/worksheet/?seed=1")) == "en"
    for nobody in ("", "x", "99999999", "9" * 4000):
        bad = teacher.get(f"/lessons/stats-table/worksheet/?seed=1&session={nobody}")
        assert (bad.status_code, language_of(bad)) == (200, "en")


def test_who_may_not_see_it_does_not_hear_in_which_language_it_is() -> None:
    session = in_french()
    pages = {
        Client().get(f"/class/{number}/").content for number in (session.pk, session.pk + 999)
    }
    answers = {page.replace(str(session.pk).encode(), b"") for page in pages}
    assert all(b'<html lang="en">' in page for page in answers)


def test_a_session_is_opened_in_the_language_of_the_last_one() -> None:
    teacher, classroom = signed_in(a_teacher()), a_classroom()
    form = {
        "variant": "bid",
        "seats": "4",
        "rounds": "2",
        "questions": "off",
        "odds_panel": "off",
        "level": "random",
        "seating": "shuffled",
        "filling": "bots",
        "patience": "60.0",
        "pace": "0.7",
    }
    address = f"/teach/classrooms/{classroom.pk}/session/"
    assert teacher.post(address, {**form, "language": "tlh"}).status_code == 422
    assert teacher.post(address, {**form, "language": "fr"}).status_code == 302
    session = classroom.sessions.get()
    assert session.language == "fr"
    classroom.refresh_from_db()
    assert classroom.language == "fr"
    ClassSession.objects.update(state="closed")
    again = services.open_session(classroom=classroom)
    assert again.language == "fr"


def test_a_demo_is_offered_the_language_that_its_teacher_reads() -> None:
    """And so is a class of which none was stored."""
    teacher, classroom = signed_in(a_teacher()), a_classroom()
    teacher.cookies["language"] = "fr"

    def offered() -> str:
        return str(teacher.get(address).context["form"]["language"].value())

    address = f"/teach/classrooms/{classroom.pk}/session/"
    assert offered() == "en"
    Classroom.objects.update(language="")
    assert offered() == "fr"
    Classroom.objects.update(language="en", demo=True)
    assert offered() == "fr"
    teacher.post(address, {"only": "lesson"})
    session = classroom.sessions.get()
    assert session.language == "fr"
    student = device_of(students_in(session, 1)[0], session)
    teacher.cookies["language"] = "en"
    results = f"/teach/sessions/{session.pk}/results/"
    assert language_of(teacher.get(results)) == "fr"
    closing.close_session(session_id=session.pk)
    assert language_of(teacher.get(results)) == "en"  # nobody chose it, and nobody is there
    homework = f"/homework/{some_homework(classroom).pk}/"
    assert language_of(student.get(homework)) == "en"
    Classroom.objects.update(demo=False)
    assert language_of(teacher.get(results)) == language_of(student.get(homework)) == "fr"
    assert language_of(teacher.get(f"/teach{homework}")) == "en"  # as the form that gave it


def test_a_demos_past_takes_no_news_in_another_language_than_its_page() -> None:
    session, _students = playing(2, seats=2)
    table = Table.objects.get(class_session=session)
    Classroom.objects.update(demo=True)
    teacher = signed_in(a_teacher())
    pages = ["/teach/sessions/1/", "/teach/sessions/1/projector/", f"/tables/{table.pk}/"]
    pages = [page.replace("/1/", f"/{session.pk}/") for page in pages]

    def told(language: str) -> list[tuple[str, bool]]:
        got = [teacher.get(page, headers={"accept-language": language}) for page in pages]
        return [(language_of(page), "ws-connect" in page.text) for page in got]

    assert told("fr") == [("en", True)] * 3
    closing.close_session(session_id=session.pk)
    assert told("en") == [("en", True)] * 3
    assert told("fr") == [("fr", False)] * 3


def test_names_and_phrases_are_made_in_the_classs_language_and_stay() -> None:
    session = in_french()
    classroom = session.classroom
    classroom.refresh_from_db()
    name = services.name_offered(classroom=classroom, device="a", spin=0)
    assert name.split()[0] in NOUNS
    student, _waits = services.new_student(session=session, name="Écluse Théâtrale")
    services.attend(session=session, student=student, sure=True)
    phrase = phrase_of(student)
    assert set(phrase.split()) <= set(PHRASE_WORDS)
    services.set_language(session_id=session.pk, language="en")
    session.refresh_from_db()
    classroom.refresh_from_db()
    assert phrase_of(Student.objects.get()) == phrase
    assert (
        services.name_offered(classroom=classroom, device="a", spin=0).split()[0] in ADJECTIVES
    )
    later, _waits = services.new_student(session=session, name="Quiet Otter")
    assert set(phrase_of(later).split()) <= set(ENGLISH_WORDS)
    typed = phrase.upper().replace("E", "É").replace(" ", " - ")
    assert student_by_phrase(classroom, typed) == student
    assert services.ask_to_return(session=session, name="ecluse theatrale")


def test_a_student_from_before_keeps_an_english_phrase() -> None:
    assert Student._meta.get_field("phrase_words").default == "en"
    before = Student(pk=7, phrase_serial=2)
    assert set(phrase_of(before).split()) <= set(ENGLISH_WORDS)


def test_a_class_that_changes_its_language_plays_on_in_the_new_one() -> None:
    session, students = playing(2)
    (table_id,) = picture(session).tables
    assert load_table(table_id).language == "en"
    steering.set_language(session_id=session.pk, language="fr")
    assert load_table(table_id).language == "fr"
    assert picture(session).language == "fr"
    device = device_of(students[0], session)
    assert language_of(device.get(f"/tables/{table_id}/")) == "fr"


def test_a_table_speaks_as_the_device_that_opened_it() -> None:
    browser, _guest = a_browser()
    browser.cookies["language"] = "fr"
    form = {"variant": "bid", "seats": "4", "rounds": "1", "level": "random", "pace": "fast"}
    where = browser.post("/play/", form)["Location"]
    browser.cookies["language"] = "en"
    assert language_of(browser.get(where)) == "fr"
    assert Table.objects.get().language == "fr"


def test_a_language_that_is_gone_gives_way_to_the_servers() -> None:
    session, _students = playing(1)
    ClassSession.objects.update(language="tlh")
    Table.objects.update(language="tlh")
    (table_id,) = picture(session).tables
    assert (load_table(table_id).language, picture(session).language) == ("en", "en")


def test_a_lesson_is_named_in_the_language_of_whoever_reads() -> None:
    assert lesson_words(4) == "Lesson 4: The lead"
    with override("fr"):
        assert lesson_words(4) == "Leçon 4\u00a0: L’entame"


# Commands, at a server whose language is French.


def printed(*arguments: str) -> str:
    out = StringIO()
    with override("fr"):
        call_command(*arguments, stdout=out)
    return out.getvalue()


def test_commands_print_in_the_servers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    table = printed("open_table", "--seats", "2").split()
    assert (table[0], table[2:4], table[5:7], table[8]) == (
        *("Table", ["Place", "0"], ["Place", "1"], "Voir"),
    )
    monkeypatch.setattr(database, "CLEAR_AFTER", (0.0,))  # the test's transaction reads its log
    told = printed("purge_expired")
    assert [line.partition(",")[0] for line in told.splitlines()] == [
        *("Séances", "Tables", "Ligues", "Devoirs", "Séances de remplacement"),
        *("Questions", "Visites de leçons"),
        *("Élèves", "Invités", "Connexions", "Copies"),
    ]
    assert "deleted" not in told
    assert printed("rebuild_results").startswith("manches terminées")
    match = ("--seats", "2", "--rounds", "4", "--workers", "1")
    assert "4 manches sur 2 donnes" in printed("arena", "random", *match)
    assert "/invited/" in printed("invite_teacher")  # a link alone
    monkeypatch.setattr(classes, "prepare", lambda **_how: (User(username="demo"), "secret"))
    assert "simulée" in printed("demo")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("open_table --seats 99", "seats\N{NO-BREAK SPACE}: de 2 à 10, pas 99"),
        ("reset_password nobody", "Aucun professeur ne s’appelle 'nobody'"),
        ("arena random --rounds 0", "--rounds\u00a0: de"),
    ],
)
def test_commands_refuse_in_the_servers_language(arguments: str, said: str) -> None:
    with pytest.raises(CommandError) as why:
        printed(*arguments.split())
    assert said in str(why.value)


def test_the_doctor_speaks_the_servers_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XACTIKA_DATA", str(tmp_path))
    monkeypatch.setenv("PORT", "0")
    english = list(doctor.report())
    monkeypatch.setenv("XACTIKA_LANGUAGE", "fr")
    french = list(doctor.report())
    assert len(french) == len(english)
    both = [line for line in french if line in english]
    assert [line.split()[0] for line in both] == ["Xactika", "SQLite"]
    assert "jouer avec les appareils" in command._parser().format_help()
    for unknown in ("tlh", "", "../fr"):
        monkeypatch.setenv("XACTIKA_LANGUAGE", unknown)
        assert locations.translated("free") == "free"


def test_settings_are_refused_in_the_servers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XACTIKA_LANGUAGE", "fr")
    monkeypatch.setenv("PORT", "many")
    with pytest.raises(SystemExit) as why:
        servers.whole_number("PORT", 8000, low=0, high=65535)
    expected = "PORT\u00a0: un nombre entier de 0 à 65535 est attendu, et non 'many'"
    assert str(why.value) == expected


def test_what_ends_a_start_is_said_in_the_servers_language() -> None:
    def lines() -> list[str]:
        return [
            lan.no_network_words(),
            *lan.contradictions("192.0.2.7", "http://cards.school", ["cards.school"]),
            *map(database.not_writable_words, (Fault.DISK, Fault.READONLY)),
            database._running_words("cards.sqlite3"),
        ]

    english = lines()
    with override("fr"):
        french = lines()
    assert len(french) == 6
    assert not {*french} & {*english}
    assert "le disque est plein" in french[3]
    assert "disk" not in french[3]


# Sockets: what each of two classes is sent, over a whole round.


@pytest.fixture
def made_up_is_offered() -> Iterator[None]:
    with made_up.spoken(by_all=False):
        yield


def two_classes() -> dict[str, tuple[str, str, int]]:
    """One class speaks English, the other the made-up language: each one's table, the token of
    its one student's cookie, and its session."""
    found = {}
    for language in ("en", made_up.CODE):
        session = a_session(a_classroom(a_teacher(), name=f"class {language}"), level="random")
        services.set_language(session_id=session.pk, language=language)
        (student,) = students_in(session, 1)
        steering.start(session_id=session.pk)
        (table_id,) = picture(session).tables
        cookie = device_of(student, session).cookies["student"].value
        found[language] = (table_id, cookie, session.pk)
    return found


def one_move(table_id: str) -> bool:
    """The person's next move, as soon as it is their turn; whether the round goes on."""
    state = load_table(table_id)
    if state.round is None or state.round.is_over:
        return False
    if state.to_move is not None and state.seats[state.to_move].student_id is not None:
        student = state.seats[state.to_move].student_id
        with suppress(Rejected):
            moves.make_move(
                table_id=table_id,
                seat=state.to_move,
                turn=state.turn,
                text=state.legal[0],
                student_id=student,
            )
    return True


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("made_up_is_offered")
async def test_two_classes_at_one_server_hear_no_word_of_each_other() -> None:
    classes = await database_sync_to_async(two_classes)()
    sockets: dict[str, list[Socket]] = {}
    for language, (table_id, cookie, session_id) in classes.items():
        mine = ((b"cookie", f"student={cookie}".encode()),)
        lobby = f"/ws/sessions/{session_id}/"
        sockets[language] = [
            await connect(table_id, html=True, headers=mine),
            await connect("", path=lobby, html=True, view="lobby", headers=mine),
        ]
    for _turn in range(200):
        for both in sockets.values():
            for socket in both:
                await socket.everything(quiet=0.02)
        go_on = [
            await database_sync_to_async(one_move)(table_id)
            for table_id, _cookie, _session in classes.values()
        ]
        if not any(go_on):
            break
    for both in sockets.values():  # a refusal is in the table's language, too
        await both[0].send('{"type":"move","turn":"9.9","move":"3"}')
        await both[0].everything(quiet=0.3)
    frames = {
        language: [event["text"] for socket in both for event in socket.said if "text" in event]
        for language, both in sockets.items()
    }
    for both in sockets.values():
        for socket in both:
            await socket.leave()
    assert min(map(len, frames.values())) > 20
    assert not [frame for frame in frames["en"] if made_up.BEGIN in frame]
    assert [text for frame in frames[made_up.CODE] for text in made_up.unmarked(frame)] == []
    assert any(made_up.BEGIN in frame for frame in frames[made_up.CODE])
    assert made_up.BEGIN in frames[made_up.CODE][-1] + frames[made_up.CODE][-2]


@pytest.mark.django_db(transaction=True)
async def test_what_is_refused_is_refused_in_the_language_of_the_table() -> None:
    def a_table() -> tuple[str, str]:
        browser, guest = a_browser()
        with override("fr"):
            table_id = friends(opener=guest, people=2)
        return table_id, browser.cookies["guest"].value

    table_id, key = await database_sync_to_async(a_table)()
    socket = await connect(table_id, key=key)
    await socket.observation()
    await socket.say(type="nothing")
    assert (await socket.error())["message"] == "Type de message inconnu."
    await socket.move("1.0", "9")
    message = (await socket.error())["message"]
    assert message != ""
    assert not re.search(r"\b(not|your|turn)\b", message)
    await socket.leave()


def test_what_is_drawn_keeps_its_points_where_numbers_have_commas() -> None:
    """Charts of a replay, whose walk has no simulated odds: browsers read no "2,5"."""
    half = SimpleNamespace(moment=4, trick=0, tricks=1, x=32.5, y=2.5, height=2.5, share="5%")
    half.could_high = half.took_high = 2.5
    drawings: dict[str, dict[str, Any]] = {
        "_chances": {"points": [(half, "5%")]},
        "_again": {"again": {"histograms": [("2", [half])]}},
        "_board_paths": {"hands": [{"columns": [half]}]},
    }
    for name, context in drawings.items():
        with override("fr"):
            drawn = render_to_string(f"games/study/{name}.html", context)
        assert '"2.5"' in drawn, name
        assert made_up.with_commas(drawn) == []


@pytest.mark.parametrize("what", ["class", "homework", "tests"])
def test_a_number_that_no_database_has_is_not_found(what: str) -> None:
    assert Client().get(f"/{what}/{2**63}/").status_code == 404


@pytest.mark.parametrize(("key", "refused"), [("a\0", True), ("a", False), (2**63, True)])
def test_a_key_that_databases_refuse_is_not_asked_for(key: int | str, refused: bool) -> None:
    assert is_in_no_row(key) is refused
