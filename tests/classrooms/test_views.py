"""The list of classrooms, one classroom, its students, its sheet."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.accounts.people import (
    a_teacher,
    no_wrong_tries,  # noqa: F401 (autouse)
    signed_in,
    text_of,
)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
from xactika_site.accounts.models import User
from xactika_site.classrooms import selectors, services
from xactika_site.classrooms.models import Classroom, ClassroomInvitation, ClassSession, Student

from .rooms import a_classroom, a_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return a_teacher(time_zone="UTC")


@pytest.fixture
def browser(ada: User) -> Client:
    return signed_in(ada)


def test_names_are_sorted_with_accents_where_they_belong(ada: User) -> None:
    classroom = a_classroom(ada)
    for name in ("Volière", "Éclair", "Fusée", "Cratère"):
        Student.objects.create(classroom=classroom, name=name, last_here=timezone.localdate())
    names = [student.name for student in selectors.students_of(classroom)]
    assert names == ["Cratère", "Éclair", "Fusée", "Volière"]


@pytest.fixture
def addresses(settings: Settings) -> None:
    """Every address that the pages link to by name."""
    settings.ROOT_URLCONF = "tests.classrooms.addresses"


def html_of(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.text


# The list.


def test_all_sessions_are_a_click_away(browser: Client, ada: User) -> None:
    room = services.open_classroom(name="7b", teacher=ada)
    link = f'<a href="/teach/classrooms/{room.pk}/#sessions-title">Sessions</a>'
    assert link not in html_of(browser, "/teach/")
    ClassSession.objects.create(classroom=room, state=ClassSession.State.CLOSED)
    assert link in html_of(browser, "/teach/")


def test_a_new_teacher_makes_a_class(browser: Client, ada: User) -> None:
    assert "Which class do you teach?" in text_of(browser.get("/teach/"))
    answer = browser.post("/teach/", {"name": " 7b maths "})
    classroom = Classroom.objects.get()
    assert answer["Location"] == f"/teach/classrooms/{classroom.pk}/"
    assert classroom.name == "7b maths"
    assert list(classroom.teachers.all()) == [ada]


@pytest.mark.parametrize("name", ["", "   ", "n" * 61, "a\x00b"])
def test_absurd_names_are_refused(browser: Client, ada: User, name: str) -> None:
    assert browser.post("/teach/", {"name": name}).status_code == 422
    assert not Classroom.objects.exists()
    classroom = a_classroom(ada)
    change = f"/teach/classrooms/{classroom.pk}/change/"
    answer = browser.post(change, {"do": "rename", "name": name})
    assert answer.status_code == 422
    assert "<h1>7b" in answer.text
    classroom.refresh_from_db()
    assert classroom.name == "7b"


def test_the_list_has_my_classrooms_alone(browser: Client, ada: User) -> None:
    a_classroom(a_teacher("eve"), name="Secret class")
    mine = a_classroom(ada, name="<b>8a</b>", students=2)
    page = browser.get("/teach/")
    assert "Secret class" not in page.text
    assert "<b>8a</b>" not in page.text
    assert f"2 students · Code {mine.code}" in text_of(page)


def test_sessions_are_told_with_date_and_state(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada)
    for day in range(1, 6):
        session = a_session(classroom)
        session.created = datetime(2026, 3, day, 20, 30, tzinfo=UTC)
        session.save()
    page = text_of(browser.get("/teach/"))
    assert "5 March 2026, 20:30 · closed · Results 4 March 2026" in page
    assert "2 March 2026" not in page
    all_of_them = text_of(browser.get(f"/teach/classrooms/{classroom.pk}/"))
    assert "1 March 2026" in all_of_them
    ada.time_zone = "Pacific/Auckland"
    ada.save()
    assert "6 March 2026, 09:30 · closed" in text_of(browser.get("/teach/"))


def test_the_way_to_a_session(browser: Client, ada: User, addresses: None) -> None:
    classroom = a_classroom(ada)
    for page in ("/teach/", f"/teach/classrooms/{classroom.pk}/"):
        html = html_of(browser, page)
        assert f'href="/x/new/{classroom.pk}/">Open a session<' in html
    session = a_session(classroom, state="paused")
    for page in ("/teach/", f"/teach/classrooms/{classroom.pk}/"):
        html = html_of(browser, page)
        assert "Open a session" not in html
        assert f'href="/x/session/{session.pk}/">Go to the session<' in html


def test_the_list_costs_the_same_however_many_classrooms(
    browser: Client, ada: User, django_assert_max_num_queries: object
) -> None:
    for number in range(12):
        a_session(a_classroom(ada, name=f"Class {number}", students=3))
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        browser.get("/teach/")


# One classroom.


def test_the_classroom_shows_where_to_join(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada)
    words = text_of(browser.get(f"/teach/classrooms/{classroom.pk}/"))
    assert f"open testserver/join/ and type {classroom.code}" in words


def test_renaming_and_a_new_code(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada)
    old, change = classroom.code, f"/teach/classrooms/{classroom.pk}/change/"
    browser.post(change, {"do": "rename", "name": "8b"})
    browser.post(change, {"do": "renew"})
    classroom.refresh_from_db()
    assert classroom.name == "8b"
    assert classroom.code != old
    assert selectors.classroom_by_code(old) is None


@pytest.mark.parametrize("do", ["", "delete", "withdraw:", "withdraw:x", "withdraw:-1", "☃"])
def test_what_is_not_offered_is_not_done(browser: Client, ada: User, do: str) -> None:
    classroom = a_classroom(ada)
    assert (
        browser.post(f"/teach/classrooms/{classroom.pk}/change/", {"do": do}).status_code == 404
    )


def test_addresses_out_of_all_bounds(browser: Client) -> None:
    for number in ("0", "9" * 30):
        assert browser.get(f"/teach/classrooms/{number}/").status_code == 404
        assert browser.post(f"/teach/students/{number}/change/").status_code == 404


# Students.


def student_page(student: Student) -> str:
    return f"/teach/students/{student.pk}/change/"


def test_a_new_phrase_makes_the_old_one_worthless(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada, students=2)
    student = classroom.students.get(name="Student 1")
    old = selectors.phrase_of(student)
    page = f"/teach/classrooms/{classroom.pk}/"
    assert old in text_of(browser.get(page))
    answer = browser.post(student_page(student), {"do": "phrase"})
    assert answer["Location"] == f"{page}?student={student.pk}&done=phrase#student-{student.pk}"
    student.refresh_from_db()
    assert selectors.student_by_phrase(classroom, old) is None
    shown = html_of(browser, answer["Location"])
    assert selectors.phrase_of(student) in shown
    assert shown.count("<details open>") == 1


def test_signed_out_everywhere(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada, students=1)
    student = classroom.students.get()
    key = selectors.device_key(student, a_session(classroom))
    assert selectors.students_at(key)
    browser.post(student_page(student), {"do": "sign-out"})
    assert selectors.students_at(key) == ()


def test_time_for_the_turn_clock(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada, students=1)
    student = classroom.students.get()
    for sent in ("1.5", "2", "0", "1"):
        browser.post(student_page(student), {"do": f"time:{sent}"})
        student.refresh_from_db()
        assert student.time_factor == float(sent)
        html = " ".join(html_of(browser, f"/teach/classrooms/{classroom.pk}/").split())
        assert f'value="time:{sent}" aria-pressed="true"' in html
        assert html.count('aria-pressed="true"') == 1


@pytest.mark.parametrize(
    "do", ["", "time:", "time:3", "time:nan", "time:-1", "time:1e999", "x"]
)
def test_absurd_changes_of_a_student_are_refused(browser: Client, ada: User, do: str) -> None:
    student = a_classroom(ada, students=1).students.get()
    assert browser.post(student_page(student), {"do": do}).status_code == 404
    student.refresh_from_db()
    assert (student.time_factor, student.phrase_serial, student.device_serial) == (1.0, 0, 0)


def test_the_ways_to_take_out_and_to_delete(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada, students=1)
    student, session = classroom.students.get(), a_session(classroom)
    page = f"/teach/classrooms/{classroom.pk}/"
    html = html_of(browser, page)
    for thing in (f"/teach/students/{student.pk}/", f"/teach/sessions/{session.pk}/"):
        assert f'href="{thing}moves.jsonl">' in html
        assert f"{thing}delete/" in html
        assert f'href="{page}">Back<' in html_of(browser, f"{thing}delete/")
    moves = f'href="/teach/sessions/{session.pk}/moves.jsonl">'
    assert f"{moves}Moves, with made-up names (JSON lines)<" in html
    assert f'href="/teach/sessions/{session.pk}/results.xlsx">Spreadsheet (XLSX)<' in html
    going = f"/teach/classrooms/delete/?class={classroom.pk}"
    assert f'href="{going}"' in html
    said = html_of(browser, going)
    assert f'href="{page}moves.jsonl"' in said
    for thing in (f"/teach/students/{student.pk}/", f"/teach/sessions/{session.pk}/"):
        gone = browser.post(f"{thing}delete/", follow=True)
        assert gone.redirect_chain[-1][0].partition("?")[0] == page
        assert '<p class="told" role="status">Deleted.</p>' in gone.text
    assert f'href="{page}">Back<' in said
    gone = browser.post(going, follow=True)
    assert gone.redirect_chain[-1][0].partition("?")[0] == "/teach/"
    assert '<p class="told" role="status">Deleted.</p>' in gone.text
    assert "Deleted." not in html_of(browser, "/teach/")
    assert not Classroom.objects.exists()


def test_several_old_classes_go_by_one_press_and_none_of_others(
    browser: Client, ada: User
) -> None:
    """Those that nobody has used for 90 days are offered; a colleague's are not, and none goes
    where one of them is another's."""
    long_ago = timezone.now() - timedelta(days=91)
    old, older, used, hers = [a_classroom(ada, students=1) for _class in range(4)]
    hers.teachers.set([User.objects.create_user("grace")])
    hers.teachers.add(ada)
    Classroom.objects.update(created=long_ago)
    Student.objects.update(last_here=long_ago)
    Student.objects.filter(classroom=used).update(last_here=timezone.localdate())
    a_session(old)
    ClassSession.objects.update(created=long_ago)
    offered = html_of(browser, "/teach/")
    for classroom, is_offered in ((old, True), (older, True), (used, False), (hers, False)):
        box = f'name="class" value="{classroom.pk}"'
        assert (box in offered) == is_offered
    address = "/teach/classrooms/delete/?class={}&class={}"
    services.open_session(classroom=old)
    said = html_of(browser, address.format(old.pk, older.pk))
    assert said.count("This ends the open session.") == 1
    assert 'href="/teach/">Back<' in said
    assert browser.post(address.format(old.pk, hers.pk)).status_code == 404
    assert browser.get("/teach/classrooms/delete/")["Location"] == "/teach/"
    assert Classroom.objects.count() == 4
    assert browser.post(address.format(old.pk, older.pk)).status_code == 302
    assert set(Classroom.objects.all()) == {used, hers}


def test_the_page_that_deletes_a_session_says_which(browser: Client, ada: User) -> None:
    """Of two of one day, by name, time and what was done in it."""
    session = a_session(a_classroom(ada, students=1))
    ClassSession.objects.filter(pk=session.pk).update(
        name="After lunch", created=datetime(2026, 3, 11, 12, 5, tzinfo=UTC)
    )
    asked = text_of(browser.get(f"/teach/sessions/{session.pk}/delete/"))
    assert "Delete a session of 7b?" in asked
    assert "After lunch" in asked
    assert "11 March 2026, 12:05" in asked
    assert "Students who came: 0" in asked
    assert "Finished rounds: 0" in asked


def test_a_substitute_is_not_offered_to_delete_the_class(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada)
    substitute = User.objects.create_user("aaron")  # before Ada by name
    classroom.teachers.add(substitute)
    page = f"/teach/classrooms/{classroom.pk}/"
    theirs = Client()
    theirs.force_login(substitute)
    assert "Delete the class" in html_of(browser, page)
    assert "Delete the class" not in html_of(theirs, page)
    assert theirs.post(f"/teach/classrooms/delete/?class={classroom.pk}").status_code == 404
    assert Classroom.objects.exists()
    # Left to them, the class is theirs.
    services.leave(classroom=classroom, teacher=ada)
    assert "Delete the class" in html_of(theirs, page)


def test_administration_is_folded_until_there_is_something_to_do_in_it(
    browser: Client, ada: User
) -> None:
    page = f"/teach/classrooms/{a_classroom(ada).pk}/"
    assert '<details class="class-settings">' in html_of(browser, page)
    browser.post(f"{page}change/", {"do": "invite"})
    assert '<details class="class-settings" open>' in html_of(browser, page)
    browser.post(f"{page}change/", {"do": f"withdraw:{ClassroomInvitation.objects.get().pk}"})
    refused = browser.post(f"{page}change/", {"do": "rename", "name": ""}).text
    assert '<details class="class-settings" open>' in refused


@pytest.mark.parametrize(
    ("form", "said"), [({"do": "rename", "name": "8b"}, "Saved."), ({"do": "renew"}, "Saved.")]
)
def test_what_was_saved_of_a_class_is_said(
    browser: Client, ada: User, form: dict[str, str], said: str
) -> None:
    page = f"/teach/classrooms/{a_classroom(ada).pk}/"
    assert said not in text_of(browser.get(page))
    assert said in text_of(browser.post(f"{page}change/", form, follow=True))


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ("time:2", "Saved."),
        ("phrase", "Three new words."),
        ("sign-out", "Signed out everywhere"),
    ],
)
def test_what_was_saved_of_a_student_is_said_beside_the_name(
    browser: Client, ada: User, do: str, said: str
) -> None:
    classroom = a_classroom(ada, students=2)
    student = classroom.students.order_by("name").last()
    assert student
    html = browser.post(student_page(student), {"do": do}, follow=True).text
    assert html.count(said) == 1
    assert html.index(f'id="student-{student.pk}"') < html.index(said)


# The sheet.


def test_the_sheet_has_every_phrase_and_no_other_classrooms(browser: Client, ada: User) -> None:
    classroom, other = a_classroom(ada, students=3), a_classroom(ada, name="8c", students=1)
    words = text_of(browser.get(f"/teach/classrooms/{classroom.pk}/sheet/"))
    assert "don’t show it to students" in words
    for student in classroom.students.all():
        assert f"{student.name} {selectors.phrase_of(student)}" in words
    assert selectors.phrase_of(other.students.get()) not in words


def test_a_slip_has_a_code_that_types_the_phrase_and_sends_it_to_nobody(
    browser: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    classroom = a_classroom(ada, students=3)
    monkeypatch.setattr("xactika_site.classrooms.views.qr_svg", lambda address: address)
    slips = browser.get(f"/teach/classrooms/{classroom.pk}/sheet/?slips").context["slips"]
    assert len(slips) == 3
    for student, phrase, address in slips:
        sent, mark, kept = address.partition("#")
        assert sent.endswith(f"/join/{classroom.code}/?step=before")
        assert mark
        assert kept.split("-") == phrase.split() == selectors.phrase_of(student).split()


@pytest.mark.parametrize("page", ["", "roster/", "sheet/", "sheet/?slips"])
def test_before_the_first_session_nothing_is_to_print(
    browser: Client, ada: User, page: str
) -> None:
    path = f"/teach/classrooms/{a_classroom(ada).pk}/{page}"
    html = html_of(browser, path)
    assert "None yet." in html
    assert (">Print<" in html, "?slips" in html) == (False, False)


def test_pages_are_kept_in_no_cache(browser: Client, ada: User) -> None:
    classroom = a_classroom(ada, students=1)
    for page in ("/teach/", f"/teach/classrooms/{classroom.pk}/sheet/", "/teach/account/"):
        assert "no-store" in browser.get(page).headers["Cache-Control"]


# Sessions by name.


def test_a_session_is_called_something_and_another_one_opened_like_it(
    browser: Client, ada: User
) -> None:
    room = a_classroom(ada)
    session = ClassSession.objects.create(classroom=room, state=ClassSession.State.CLOSED)
    path = f"/teach/classrooms/{room.pk}/"
    sent = {"do": f"call:{session.pk}", "title": "  The  bell\0 " + "x" * 60}
    assert browser.post(f"{path}change/", sent).status_code == 302
    session.refresh_from_db()
    assert session.name == ("The bell " + "x" * 60)[:40]
    page = html_of(browser, path)
    assert f"<b>{session.name}</b>" in page
    assert f'href="{path}session/?like={session.pk}"' in page
    assert page.index('id="sessions-title"') < page.index('id="students-title"')
    browser.post(f"{path}change/", {"do": f"call:{session.pk}", "title": " "})
    session.refresh_from_db()
    assert session.name == ""


def test_nobody_calls_anothers_session_anything(browser: Client, ada: User) -> None:
    theirs = ClassSession.objects.create(classroom=a_classroom(a_teacher("bob")))
    mine = a_classroom(ada)
    sent = {"do": f"call:{theirs.pk}", "title": "Mine"}
    browser.post(f"/teach/classrooms/{mine.pk}/change/", sent)
    theirs.refresh_from_db()
    assert theirs.name == ""


def test_names_are_behind_a_fold_unless_one_is_asked_for(browser: Client, ada: User) -> None:
    room = a_classroom(ada)
    student = Student.objects.create(
        classroom=room, name="Quiet Otter", last_here=timezone.localdate()
    )
    assert 'class="names-fold">' in html_of(browser, f"/teach/classrooms/{room.pk}/")
    page = html_of(browser, f"/teach/classrooms/{room.pk}/?student={student.pk}")
    assert 'class="names-fold" open>' in page
