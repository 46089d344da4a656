"""Who sits together: by hand, with last time's partners, shuffled again, two by two."""

from __future__ import annotations

import pytest
from django.test import Client

from games.classes import closing, forming, joining, seating, sessions, steering
from games.classes.state import SessionState
from games.models import Seat, Table
from tests.games.classroom import a_session, a_teacher, picture, playing, signed_in, students_in
from tests.scenes.by_students import finish_round, in_mid_trick
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def company(state: SessionState) -> list[set[int]]:
    """Who sits at which table, by number."""
    return [{s.pk for s in state.here if s.table == table} for table in state.tables]


def test_whom_a_teacher_looks_for_stands_where_the_alphabet_says() -> None:
    session = a_session()
    students = students_in(session, 3)
    for student, name in zip(students, ("Zèbre Sage", "Élan Vif", "Étoile Calme"), strict=True):
        student.name = name
        student.save()
    page = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/groups/")
    assert [known.name for known, _table in page.context["students"]] == [
        "Élan Vif",
        "Étoile Calme",
        "Zèbre Sage",
    ]


def test_groups_by_hand_and_chance_for_the_others() -> None:
    session = a_session(seats=3)
    pks = [student.pk for student in students_in(session, 8)]
    forming.form_tables(session_id=session.pk)
    groups = [[pks[0], pks[7]], [pks[1], pks[3], pks[5]]]
    forming.seat_anew(session_id=session.pk, groups=groups)
    tables = company(picture(session))
    assert tables[:2] == [set(groups[0]), set(groups[1])]
    assert set().union(*tables) == set(pks)
    sizes = Seat.objects.filter(table__class_session=session).values_list("table", flat=True)
    assert len(sizes) == 3 * Table.objects.filter(class_session=session).count()


def test_a_group_larger_than_a_table_gets_a_larger_one() -> None:
    session = a_session(seats=2, filling="uneven")
    pks = [student.pk for student in students_in(session, 5)]
    forming.seat_anew(session_id=session.pk, groups=[pks])
    assert company(picture(session)) == [set(pks)]
    assert Seat.objects.count() == 5


def test_a_group_that_finds_no_room_changes_nothing() -> None:
    session = a_session(seats=2, duplicate=True)
    pks = [student.pk for student in students_in(session, 4)]
    forming.form_tables(session_id=session.pk)
    before = picture(session).tables
    with pytest.raises(Refused, match="room for 2 students"):
        forming.seat_anew(session_id=session.pk, groups=[pks[:3]])
    assert picture(session).tables == before


def test_shuffled_again_until_the_class_plays() -> None:
    session = a_session(seats=2, seating="arrival")
    pks = {student.pk for student in students_in(session, 8)}
    seen = set()
    for _try in range(12):
        forming.seat_anew(session_id=session.pk)
        tables = company(picture(session))
        assert set().union(*tables) == pks
        seen.add(tuple(map(frozenset, tables)))
    assert len(seen) > 1
    assert picture(session).settings.seating == "arrival"
    steering.start(session_id=session.pk)
    before = picture(session).tables
    with pytest.raises(Refused, match="class is playing"):
        forming.seat_anew(session_id=session.pk)
    assert picture(session).tables == before


def test_the_partners_of_last_time() -> None:
    session, students = playing(5, seats=2)
    last = company(picture(session))
    closing.close_session(session_id=session.pk)
    settings = sessions.settings_like(session)
    again = sessions.open_session(classroom=session.classroom, settings=settings)
    missing = students[0].pk
    for student in students[1:]:
        joining.come_in(session=again, student=student)
    state = picture(again)
    numbers = forming.partners_before(state)
    groups = [{pk for pk, number in numbers.items() if number == n} for n in (1, 2)]
    pairs = [table for table in last if len(table) == 2 and missing not in table]
    assert [group for group in groups if group] == pairs
    teacher = signed_in(a_teacher())
    page = teacher.get(f"/teach/sessions/{again.pk}/groups/?as=before").text
    assert page.count('value="1"') == 2


def test_two_change_seats() -> None:
    session, _ = playing(4, seats=2, held=True)
    one, other = (sorted(table) for table in company(picture(session)))
    tables = picture(session).tables
    in_mid_trick(tables[0])
    with pytest.raises(Refused, match="table is in a round"):
        seating.swap(session_id=session.pk, student_id=one[0], other_id=other[0])
    finish_round(session)
    before = {s.pk: (s.table, s.seat) for s in picture(session).here}
    seating.swap(session_id=session.pk, student_id=one[0], other_id=other[0])
    after = {s.pk: (s.table, s.seat) for s in picture(session).here}
    assert after == {**before, one[0]: before[other[0]], other[0]: before[one[0]]}
    assert not Seat.objects.filter(table__in=tables).exclude(level="").exists()
    with pytest.raises(Refused, match="different tables"):
        seating.swap(session_id=session.pk, student_id=one[0], other_id=other[1])


def test_the_page_forms_what_is_typed() -> None:
    teacher = signed_in(a_teacher())
    session = a_session(seats=2)
    pks = [student.pk for student in students_in(session, 4)]
    path = f"/teach/sessions/{session.pk}/groups/"
    assert all(f'name="table-{pk}"' in teacher.get(path).text for pk in pks)
    sent = {f"table-{pk}": typed for pk, typed in zip(pks, ["2", "1", "2", "x"], strict=True)}
    assert teacher.post(path, sent).status_code == 302
    tables = company(picture(session))
    assert tables[0] == {pks[1]}
    assert tables[1] == {pks[0], pks[2]}
    page = teacher.get(path).text
    assert page.count('value="2"') == 2
    _do(teacher, session, "shuffle")
    assert set().union(*company(picture(session))) == set(pks)


def _do(browser: Client, session: ClassSession, what: str) -> None:
    assert browser.post(f"/teach/sessions/{session.pk}/do/", {"do": what}).status_code == 302
