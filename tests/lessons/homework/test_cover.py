"""A cover lesson: a guest does its parts, the teacher's page tells exactly these, a visit is
taken over, the sheet closes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.analysis.puzzles import puzzles
from games.keeping.retention import purge_expired
from games.models import Deal, Table
from games.rules import move_text
from games.study.learning.chapter_files import chapters
from games.study.learning.chapters import Task
from games.tables import forgetting, moves, seats
from lessons.exercises import rebuild
from lessons.homework import cover, giving
from lessons.models import CoverSheet, CoverVisit, Homework, Question
from lessons.results.homework import cover_rows
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    device_of,
    signed_in,
    students_in,
)
from tests.games.table import play
from tests.scenes.homework import a_class, at_home, some_homework
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db

TODAY = timezone.localdate


def a_sheet(classroom: Classroom | None = None) -> CoverSheet:
    return cover.make_sheet(classroom=classroom or a_classroom(), until=TODAY() + cover.USUAL)


def test_the_page_that_deletes_a_class_names_its_cover_lessons() -> None:
    sheet = a_sheet()
    teacher = signed_in(sheet.classroom.teachers.get())
    address = f"/teach/classrooms/delete/?class={sheet.classroom_id}"
    page = teacher.get(address).text
    assert "Cover lessons, with their guests: 1" in page
    assert "Tests: " not in page
    sheet.delete()
    assert "Cover lessons" not in teacher.get(address).text


def at(sheet: CoverSheet, guest: Client | None = None) -> Client:
    """A browser that has come in, by a key typed in capitals."""
    guest = guest or Client()
    here = f"/cover/{sheet.key}/"
    assert guest.post(here.upper().replace("COVER", "cover"), {"do": "come"}).status_code == 302
    assert guest.get(here).cookies["cover"].value == sheet.key
    return guest


def go_through(guest: Client, number: int) -> None:
    """A chapter, move by move, with any that leads on."""
    chapter = chapters()[number - 1]
    for place, task in enumerate(chapter.tasks[: chapter.last], start=1):
        own = next(_ways(task, []))
        guest.get(f"/learn/play/{chapter.slug}/{place}/", {"moves": ",".join(own)})


def _ways(task: Task, own: list[str]) -> Iterator[list[str]]:
    """Moves of one's own by which the position is gone through."""
    line = task.after(own)
    if task.is_over(line.rounds[-1]):
        if task.is_round or task.goal.is_reached(task, line):
            yield own
        return
    for move in line.rounds[-1].legal_moves():
        yield from _ways(task, [*own, move_text(move)])


def solve(guest: Client, sheet: CoverSheet, place: int) -> None:
    answer = puzzles()[sheet.puzzles[place - 1]].answer
    there = f"/cover/{sheet.key}/puzzles/{place}/"
    assert guest.post(there, {"answer": answer}).headers["Location"] == f"{there}#verdict"


def play_boards(sheet: CoverSheet, guest: Client, how_many: int) -> list[bool]:
    """Some boards to their end, by chance; whether each bid was made."""
    address = guest.post(f"/cover/{sheet.key}/", {"do": "boards"}).headers["Location"]
    table = address.split("/")[2]
    visit, rng, made = CoverVisit.objects.get(table=table), Random(7), []
    for _board in range(how_many):
        state = play(table, rng=rng, by=lambda seat: mover(visit, seat))
        assert state.round is not None
        made.append(state.round.bids[0] == state.round.taken[0])
        moves.say_ready(table_id=table, seat=0, turn=state.turn)
    return made


def mover(visit: CoverVisit, seat: int) -> dict[str, Any]:
    return {"guest_id": visit.guest_id} if seat == 0 else {"mover": "bot"}


def answer(guest: Client, sheet: CoverSheet, *, right: bool) -> None:
    there = guest.post(f"/cover/{sheet.key}/", {"do": "question"}).headers["Location"]
    question = rebuild(Question.objects.get(pk=int(there.split("/")[-2])).to_json())
    (field,) = question.fields
    value = question.right[field.key]
    assert not isinstance(value, str)
    typed = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value
    guest.post(f"{there}answer/", {"number": "0", field.key: typed if right else "80/81"})


def rows(sheet: CoverSheet) -> dict[str, list[str]]:
    """The table of the teacher's page, by guests' names, its cells as they are read."""
    page = signed_in(a_teacher()).get(f"/teach/classrooms/{sheet.classroom_id}/cover/").text
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    found = {}
    for row in body.split("<tr>")[1:]:
        head, *cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        found[head] = [" ".join(cell.split()) for cell in cells[:4]]
    return found


# What a guest does.


def test_the_teachers_page_tells_what_each_did() -> None:
    sheet = a_sheet()
    busy, other, idle = at(sheet), at(sheet), at(sheet)
    names = list(sheet.visits.order_by("pk").values_list("name", flat=True))
    assert len(set(names)) == 3
    for number in (1, *cover.CHAPTERS):  # the first is none of this lesson's
        go_through(busy, number)
    for place in (1, 2, 5):
        solve(busy, sheet, place)
    play_boards(sheet, busy, 2)
    answer(busy, sheet, right=True)
    there = f"/cover/{sheet.key}/puzzles/4/"
    other.post(there, {"show": "1"})
    solve(other, sheet, 4)  # its solution was shown before
    answer(other, sheet, right=False)
    assert rows(sheet) == {
        names[0]: ["2/2", "3/5", "2/4", "right"],
        names[1]: ["0/2", "0/5", "0/4", "not right"],
        names[2]: ["0/2", "0/5", "0/4", "–"],
    }
    assert busy.get(f"/cover/{sheet.key}/").text.count("✓") == 2 + 3 + 1
    assert idle.get(f"/cover/{sheet.key}/").text.count("✓") == 0


def test_all_play_the_same_boards_at_tables_of_their_own() -> None:
    sheet = a_sheet()
    for guest in (at(sheet), at(sheet)):
        play_boards(sheet, guest, 2)
    first, second = (
        list(Deal.objects.filter(table=visit.table).order_by("round").values("dealer", "hands"))
        for visit in sheet.visits.order_by("pk")
    )
    assert first == second == sheet.boards[: len(first)]
    assert {table.class_session_id for table in Table.objects.all()} == {None}
    assert not sheet.classroom.students.exists()


def test_a_part_begun_twice_is_one() -> None:
    sheet = a_sheet()
    guest = at(sheet)
    for part in ("boards", "question", "come"):
        twice = [guest.post(f"/cover/{sheet.key}/", {"do": part}) for _time in range(2)]
        assert twice[0].headers["Location"] == twice[1].headers["Location"]
    assert sheet.visits.count() == 1


def test_who_shares_a_device_begins_under_another_name() -> None:
    sheet = a_sheet()
    guest, here = at(sheet), f"/cover/{sheet.key}/"
    guest.post(here, {"do": "new"})
    assert sheet.visits.count() == 1  # nothing was done under the first
    solve(guest, sheet, 1)
    guest.post(here, {"do": "new"})
    assert [visit.puzzles for visit in sheet.visits.order_by("pk")][1:] == [{}]


def test_a_sheet_has_room_for_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "MOST_GUESTS", 1)
    sheet = a_sheet()
    at(sheet)
    assert Client().post(f"/cover/{sheet.key}/", {"do": "come"}).status_code == 422
    assert sheet.visits.count() == 1


def test_its_puzzles_are_none_that_the_class_has_had() -> None:
    first, second = a_sheet(), a_sheet()
    homework = some_homework(first.classroom, puzzles=5)
    drawn = [*first.puzzles, *second.puzzles, *homework.puzzles]
    assert len(set(drawn)) == len(drawn) == 15


def test_its_puzzles_are_kept_back_until_it_closes() -> None:
    """A class that has had them as homework sees no answers of them meanwhile."""
    sheet = a_sheet()
    homework = some_homework(sheet.classroom, puzzles=1)
    Homework.objects.update(puzzles=sheet.puzzles[:1])
    giving.close(homework=homework)
    (student,) = a_class(1, sheet.classroom)
    page = f"/homework/{homework.pk}/puzzles/1/"
    open_ = at_home(student).get(page).text
    assert giving.open_puzzles() == {*sheet.puzzles}
    CoverSheet.objects.update(ends=timezone.now())
    assert giving.open_puzzles() == frozenset()
    over = at_home(student).get(page).text
    assert ("The answer:" in open_, "The answer:" in over) == (False, True)


# Its language.


def test_a_device_in_a_class_session_speaks_its_language_and_a_teachers_page_its_own() -> None:
    sheet, session = a_sheet(), a_session()
    CoverSheet.objects.update(language="fr")
    (student,) = students_in(session, 1)

    def spoken(browser: Client) -> str:
        return browser.get("/learn/").headers["Content-Language"]

    guest = at(sheet)
    assert spoken(guest) == "fr"
    guest.force_login(a_teacher())
    assert spoken(guest) == "en"
    device = at(sheet, device_of(student, session, Client()))
    assert spoken(device) == "en"
    ClassSession.objects.update(state=ClassSession.State.CLOSED)
    assert spoken(device) == "fr"


# Who it was, and until when.


def test_a_visit_is_noted_under_a_student_and_goes_with_them() -> None:
    sheet = a_sheet()
    solve(at(sheet), sheet, 1)
    at(sheet)
    taken, other = sheet.visits.order_by("pk")
    (student,) = a_class(1, sheet.classroom)
    stranger = a_class(1, a_classroom(a_teacher("another")))[0]
    teacher = signed_in(a_teacher())
    page = f"/teach/classrooms/{sheet.classroom_id}/cover/"
    teacher.post(
        page, {"do": "save", f"who-{taken.pk}": student.pk, f"who-{other.pk}": stranger.pk}
    )
    assert list(sheet.visits.order_by("pk").values_list("student", flat=True)) == [
        student.pk,
        None,
    ]
    assert f"guests were {student.name}" not in read(teacher, page)
    assert re.search(rf'value="{student.pk}"\s+selected', teacher.get(page).text)
    export = teacher.get(f"/teach/students/{student.pk}/answers.jsonl").text
    assert '"kind": "cover"' in export
    assert str(sheet.puzzles[0]) in export
    # Two devices may be one student's: it is said.
    answer = teacher.post(page, {"do": "save", f"who-{other.pk}": student.pk}, follow=True).text
    assert "Saved." in answer
    assert f"2 guests were {student.name}. Each part counts once." in " ".join(answer.split())
    cover.assign_students(sheet=sheet, students={other.pk: None})
    teacher.post(page, {"do": "save", f"who-{taken.pk}": ""})
    assert sheet.visits.filter(student=None).count() == 2
    cover.assign_students(sheet=sheet, students={taken.pk: student.pk})
    seats.remove_student(student=student)
    assert list(sheet.visits.all()) == [other]


def read(teacher: Client, page: str) -> str:
    """The words of a page."""
    return " ".join(re.sub("<[^>]+>", " ", teacher.get(page).text).split())


def test_the_student_who_takes_a_guests_work_over_has_it() -> None:
    """Answers and the lesson's parts, in results and in the gradebook; two devices of one
    student are one. And the guest may go on meanwhile, in nobody's name."""
    sheet = a_sheet()
    student, other = a_class(2, sheet.classroom)
    first, second = at(sheet), at(sheet)
    play_boards(sheet, first, 2)
    solve(first, sheet, 1)
    for place in (1, 2):
        solve(second, sheet, place)
    answer(first, sheet, right=False)
    visits = sheet.visits.values_list("pk", flat=True)
    cover.assign_students(sheet=sheet, students=dict.fromkeys(visits, student.pk))
    here = first.post(f"/cover/{sheet.key}/", {"do": "question"}).headers["Location"]
    assert first.get(here).status_code == 200
    more = first.post(f"{here}another/", {"next": "1"}).headers["Location"]
    assert first.get(more).status_code == 200
    assert Question.objects.latest("pk").student is None
    answer(second, sheet, right=True)
    teacher = signed_in(a_teacher())
    page = read(teacher, f"/teach/students/{student.pk}/results/")
    assert "Right in the end: 1 of 2" in page
    assert "Last question" in page
    assert "0/2 2/5 2/4 right" in page
    files = f"/teach/classrooms/{sheet.classroom_id}/results/"
    book = teacher.get(f"{files}gradebook.csv").text.splitlines()
    rows_of = [line.split(",")[1:4] for line in book if "Cover lesson" in line]
    share = float(Fraction(2 + 2 + 1, 12))
    assert rows_of == [[f"Cover lesson until {sheet.until}", str(round(share, 4)), "12"]]
    assert "Last question" not in read(teacher, f"/teach/students/{other.pk}/results/")
    cover.assign_students(sheet=sheet, students=dict.fromkeys(visits))
    assert "Last question" not in read(teacher, f"/teach/students/{student.pk}/results/")
    assert not Question.objects.exclude(student=None).exists()


def test_two_lessons_until_one_day_have_a_column_each() -> None:
    sheets = [a_sheet()]
    sheets.append(a_sheet(sheets[0].classroom))
    students = a_class(2, sheets[0].classroom)
    for sheet, student in zip(sheets, students, strict=True):
        solve(at(sheet), sheet, 1)
        cover.assign_students(sheet=sheet, students={sheet.visits.get().pk: student.pk})
    titles = [row[1] for row in cover_rows({each.pk: each.name for each in students})]
    until = f"Cover lesson until {sheets[0].until}"
    assert titles == [until, f"{until} · 2"]


def test_who_is_new_to_the_class_joins_it_under_the_guests_name() -> None:
    sheet = a_sheet()
    for _guest in range(2):
        at(sheet)
    visit, other = sheet.visits.order_by("pk")
    teacher, page = signed_in(a_teacher()), f"/teach/classrooms/{sheet.classroom_id}/cover/"
    for _press in range(2):
        sent = {"do": "save", f"who-{visit.pk}": cover.NEW}
        assert teacher.post(page, sent).status_code == 302
        assert [s.name for s in sheet.classroom.students.all()] == [visit.name]
    visit.refresh_from_db()
    assert visit.student == sheet.classroom.students.get()
    (same,) = a_class(1, sheet.classroom)
    Student.objects.filter(pk=same.pk).update(name=other.name)
    refused = teacher.post(page, {"do": "save", f"who-{other.pk}": cover.NEW})
    assert refused.status_code == 422
    assert "That name is gone" in refused.text


def test_forgotten_or_expired_nothing_is_left() -> None:
    sheet = a_sheet()
    guest = at(sheet)
    play_boards(sheet, guest, 1)
    at(sheet)
    forgetting.forget(guest=sheet.visits.earliest("pk").guest)
    assert sheet.visits.count() == 1
    CoverSheet.objects.update(ends=timezone.now() - timedelta(days=400))
    assert purge_expired()["Cover lessons"] == 1
    assert not CoverVisit.objects.exists()


def test_after_its_last_day_nothing_is_taken() -> None:
    sheet = a_sheet()
    guest, here = at(sheet), f"/cover/{sheet.key}/"
    visit = sheet.visits.get()
    CoverSheet.objects.update(ends=timezone.now())
    for part in ("boards", "question", "new"):
        assert guest.post(here, {"do": part}).status_code == 422
    assert Client().post(here, {"do": "come"}).status_code == 422
    answer_to = puzzles()[sheet.puzzles[0]].answer
    assert guest.post(f"{here}puzzles/1/", {"answer": answer_to}).headers["Location"] == here
    visit.sheet.refresh_from_db()
    with pytest.raises(Refused):
        cover.answer_puzzle(visit=visit, number=sheet.puzzles[0], answer=answer_to)
    go_through(guest, 7)
    visit.refresh_from_db()
    assert (visit.chapters, visit.puzzles, visit.table, visit.question) == ([], {}, None, None)
    assert "has closed" in guest.get(here).text


# On paper.


@pytest.mark.parametrize("address", ["", "https://xactika.example"])
def test_a_laptop_has_to_stay(settings: Any, address: str) -> None:
    """The page and the sheet say so, unless the server has an address of its own."""
    settings.BASE_URL = address
    sheet, teacher = a_sheet(), signed_in(a_teacher())
    page = f"/teach/classrooms/{sheet.classroom_id}/cover/"
    for words in (read(teacher, page), read(teacher, f"{page}{sheet.pk}/")):
        assert ("server’s laptop" in words) == (not address)
    assert "Saved." not in read(teacher, page)


def test_two_presses_lead_to_the_sheet() -> None:
    teacher, classroom = signed_in(a_teacher()), a_classroom()
    page = f"/teach/classrooms/{classroom.pk}/cover/"
    assert f'href="{page}"' in teacher.get(f"/teach/classrooms/{classroom.pk}/").text
    until = TODAY() + timedelta(days=3)
    paper = teacher.post(page, {"do": "make", "until": until.isoformat()}).headers["Location"]
    sheet = CoverSheet.objects.get()
    assert (paper, sheet.until) == (f"{page}{sheet.pk}/", until)
    printed = teacher.get(paper).text
    assert f"testserver/cover/{sheet.key}/" in printed
    assert re.fullmatch("([a-z]{4}-){2}[a-z]{4}", sheet.key)
    yesterday = (TODAY() - timedelta(days=1)).isoformat()
    assert teacher.post(page, {"do": "make", "until": yesterday}).status_code == 422
    teacher.post(page, {"do": "delete"})
    assert not CoverSheet.objects.exists()


def test_a_lesson_speaks_as_its_class_does() -> None:
    sheet = a_sheet()
    CoverSheet.objects.update(language="fr")
    guest = at(sheet)
    assert 'lang="fr"' in guest.get(f"/cover/{sheet.key}/").text
    assert 'lang="fr"' in guest.get("/learn/play/bid/").text
