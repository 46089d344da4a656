"""The form of a class session: what it offers, tells and refuses."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.classes import closing, steering
from games.models import PACES, Deal, SessionSettings, Table
from games.pages.forms import PRESETS, SessionForm
from games.tables.state import load_table
from tests.games.classroom import a_classroom, a_session, a_teacher, picture, playing
from tests.games.classroom import students_in as come_in
from tests.games.conftest import Clock
from tests.games.table import play, turn_after
from tests.scenes.by_students import by_their_student, tables_of
from tests.scenes.views import do, text_of
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db


def test_one_click_opens_a_session(teacher: Client) -> None:
    classroom = a_classroom()
    path = f"/teach/classrooms/{classroom.pk}/session/?preset="
    page = teacher.get(path)
    assert b"Takes about <b>17 minutes</b>" in page.content
    form: SessionForm = page.context["form"]
    ticked = {"watching", "duplicate", "upload"}
    untouched = {name: form[name].value() or "" for name in form.fields if name not in ticked}
    answer = teacher.post(path, untouched)
    session = ClassSession.objects.get(classroom=classroom)
    assert answer.headers["Location"] == f"/teach/sessions/{session.pk}/"
    usual = SessionSettings()
    chosen = SessionSettings.objects.get(class_session=session)
    for name in form.Meta.fields:
        assert getattr(chosen, name) == getattr(usual, name), name
    again = teacher.post(path, untouched)  # a double click opens no second one
    assert again.headers["Location"] == answer.headers["Location"]
    other = teacher.post(path, {**untouched, "rounds": "2"}, follow=True)
    assert other.request["PATH_INFO"] == f"/teach/sessions/{session.pk}/settings/"
    assert "A session is already open, with these settings." in other.text


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_is_the_form_filled_in(teacher: Client, key: str) -> None:
    page = teacher.get(f"/teach/classrooms/{a_classroom().pk}/session/?preset={key}")
    form: SessionForm = page.context["form"]
    for name, value in PRESETS[key].settings.items():
        assert form[name].value() == value
    assert form.changed_labels == [str(form[name].label) for name in FOLDED_OF[key]]
    assert page.context["chosen_preset"] == key
    assert page.text.count('href="?preset=" aria-current="true"') == 1  # again, and it is none
    assert f'href="?preset={key}"' not in page.text


FOLDED_OF = {
    "first": ["chapters"],
    "same": ["duplicate"],
    "tournament": ["duplicate", "tournament"],
    "experiment": ["duplicate", "experiment"],
}
"""Which of a preset's settings a teacher would not see, were they not named beside *More*."""


def test_a_class_s_first_session_begins_as_the_first_time(teacher: Client) -> None:
    classroom = a_classroom()
    path = f"/teach/classrooms/{classroom.pk}/session/"
    chosen = 'href="?preset=" aria-current'
    page = teacher.get(path)
    assert page.context["form"].changed_labels == ["Begin with the chapters"]
    assert "Takes about <b>14 minutes</b>" in page.text
    assert chosen in page.text
    without = teacher.get(f"{path}?preset=")
    assert without.context["form"].changed_labels == []
    assert chosen not in without.text
    teacher.post(path, {"only": "lesson"})
    session = ClassSession.objects.get(classroom=classroom)
    assert not SessionSettings.objects.get(class_session=session).chapters  # no game, as usual
    closing.close_session(session_id=session.pk)
    page = teacher.get(path)
    assert page.context["form"].changed_labels == []
    assert chosen not in page.text


@pytest.mark.parametrize(("students", "said"), [(0, ""), (4, "1."), (24, "6."), (25, "")])
def test_it_says_that_an_experiment_has_too_few_tables(
    teacher: Client, students: int, said: str
) -> None:
    classroom = a_classroom()
    session = a_session(classroom)
    come_in(session, students)
    closing.close_session(session_id=session.pk)
    path = f"/teach/classrooms/{classroom.pk}/session/"
    page = teacher.get(f"{path}?preset=experiment")
    assert page.context["form"]["seats"].value() == 4
    says = f"Tables your class makes: {said} An experiment needs 7, better "

    def as_chosen(experiment: str) -> str:
        chosen = {**GOOD, "experiment": experiment, "duplicate": "on"}
        return str(teacher.get(path, chosen, headers={"HX-Request": "true"}).text)

    for told in (page.text, as_chosen("tips")):
        assert (says in text_of(told)) is bool(said)
        assert ("Tables your class makes" in told) is bool(said)
    for told in (teacher.get(f"{path}?preset=same").text, as_chosen("")):
        assert "Tables your class makes" not in told


def test_an_unknown_preset_is_none(teacher: Client) -> None:
    page = teacher.get(f"/teach/classrooms/{a_classroom().pk}/session/?preset=\x00")
    assert page.context["form"].changed_labels == []


def test_one_click_opens_a_session_for_a_lesson_alone(teacher: Client) -> None:
    classroom = a_classroom()
    path = f"/teach/classrooms/{classroom.pk}/session/"
    for page in ("/teach/", f"/teach/classrooms/{classroom.pk}/", path):
        html = teacher.get(page).text
        assert re.search(
            r'value="lesson">\s*(<svg.*?</svg>\s*)?(<b>)?Hold a lesson', html, re.DOTALL
        )
    answer = teacher.post(path, {"only": "lesson"})
    session = ClassSession.objects.get(classroom=classroom)
    assert answer.headers["Location"] == f"/teach/sessions/{session.pk}/lesson/"
    assert session.state == "lobby"
    chosen = SessionSettings.objects.get(class_session=session)
    assert (chosen.variant, chosen.seats) == (SessionSettings().variant, 4)
    come_in(session, 5)
    assert not Table.objects.exists()
    again = teacher.post(path, {"only": "lesson"})  # a double click opens no second one
    assert again.headers["Location"] == f"/teach/sessions/{session.pk}/"
    do(teacher, session, "start")
    assert Table.objects.count() == 2


def test_where_a_session_is_open_the_form_leads_there(teacher: Client) -> None:
    session = a_session()
    answer = teacher.get(f"/teach/classrooms/{session.classroom_id}/session/")
    assert answer.headers["Location"] == f"/teach/sessions/{session.pk}/"


def test_closing_is_the_last_of_more_and_asks_first(teacher: Client) -> None:
    session = a_session()
    path = f"/teach/sessions/{session.pk}/"
    html = teacher.get(path).text
    more = html[html.index('<dialog id="sheet-session"') :].partition("</dialog>")[0]
    assert 'data-opens="sheet-close">Close the session</button>' in more
    assert 'value="close"' not in more
    sheet = html[html.index('<dialog id="sheet-close" class="sheet"') :]
    (button,) = re.findall(r'<button[^>]*value="close".*?>', sheet[: sheet.index("</dialog>")])
    assert " data-closes" in button  # what comes next is not covered
    do(teacher, session, "close")
    assert 'value="close"' not in teacher.get(path).text


def test_a_copy_is_prefilled(teacher: Client) -> None:
    session = a_session(seats=7, clock=90.0, seating="by_hand")
    closing.close_session(session_id=session.pk)
    path = f"/teach/classrooms/{session.classroom_id}/session/?like={session.pk}"
    form = teacher.get(path).context["form"]
    assert [form[name].value() for name in ("seats", "clock", "seating")] == [7, 90, "by_hand"]


@pytest.mark.parametrize("like", ["x", "-1", "0", "9" * 30, "²", "1;2"])
def test_a_copy_of_nothing_is_not_found(teacher: Client, like: str) -> None:
    path = f"/teach/classrooms/{a_classroom().pk}/session/"
    assert teacher.get(path, {"like": like}).status_code == 404


def test_a_copy_of_another_teachers_session_is_not_found(teacher: Client) -> None:
    foreign = a_session(a_classroom(a_teacher("another")))
    path = f"/teach/classrooms/{a_classroom().pk}/session/"
    assert teacher.get(path, {"like": str(foreign.pk)}).status_code == 404


GOOD = {
    "variant": "bid",
    "seats": "4",
    "rounds": "4",
    "level": "random",
    "seating": "shuffled",
    "odds_panel": "after",
    "filling": "bots",
    "patience": "60.0",
    "clock": "",
    "questions": "off",
    "pace": "0.7",
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("variant", "chess"),
        ("seats", "1"),
        ("seats", "11"),
        ("seats", "4.5"),
        ("seats", "NaN"),
        ("rounds", "0"),
        ("rounds", "9"),
        ("rounds", "9" * 400),
        ("rounds", ""),
        ("level", "genius"),
        ("seating", "\x00"),
        ("filling", "<script>"),
        ("patience", "-1"),
        ("patience", "1e400"),
        ("patience", "nan"),
        ("clock", "0.0001"),
        ("clock", "inf"),
        ("pace", "11"),
        ("pace", ""),
    ],
)
def test_absurd_forms_are_told_where(teacher: Client, field: str, value: str) -> None:
    path = f"/teach/classrooms/{a_classroom().pk}/session/"
    answer = teacher.post(path, {**GOOD, field: value})
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert (b'<details class="more" open' in answer.content) is (field in SessionForm.FOLDED)
    assert b"<script>alert" not in answer.content
    assert not ClassSession.objects.exists()
    assert teacher.get(path, {**GOOD, field: value}, headers={"HX-Request": "true"}).content


def test_the_minutes_follow_what_is_chosen(teacher: Client) -> None:
    path = f"/teach/classrooms/{a_classroom().pk}/session/"
    said = [
        text_of(teacher.get(path, {**GOOD, "rounds": n}, headers={"HX-Request": "true"}).text)
        for n in ("1", "8")
    ]
    assert said == ["Takes about 4 minutes .", "Takes about 35 minutes ."]
    assert not ClassSession.objects.exists()


def test_the_minutes_count_the_chapters_that_a_session_begins_with(teacher: Client) -> None:
    session = a_session(chapters=True, rounds=1)
    path = f"/teach/sessions/{session.pk}/settings/"
    chosen = {**GOOD, "rounds": "1", "chapters": "on"}

    def said() -> str:
        return text_of(teacher.get(path, chosen, headers={"HX-Request": "true"}).text)

    assert said() == "Takes about 9 minutes ."
    assert "9 minutes" in text_of(teacher.get(path).text)
    come_in(session, 2)
    steering.start(session_id=session.pk)
    assert said() == "Takes about 4 minutes ."  # they lie behind


def test_the_minutes_come_to_know_the_class(teacher: Client, clock: Clock) -> None:
    session, _ = playing(2, seats=2)
    table_id = picture(session).tables[0]
    while load_table(table_id).status != "round_over":
        clock.forward(2)
        turn = load_table(table_id).turn
        play(table_id, turn_after(turn), by=by_their_student(table_id))
    Deal.objects.update(created=timezone.now() - timedelta(seconds=36))  # 18 moves, 2 s each
    path = f"/teach/classrooms/{session.classroom_id}/session/"
    closing.close_session(session_id=session.pk)
    assert teacher.get(path).context["minutes"] == 8  # 4 · (36 · 2 s + 45 s)


def test_settings_can_be_changed_later(teacher: Client) -> None:
    session, _ = playing(2, seats=2)
    path = f"/teach/sessions/{session.pk}/settings/"
    assert teacher.get(path).status_code == 200
    answer = teacher.post(path, {**GOOD, "pace": "2.5", "watching": "on"})
    assert answer.headers["Location"] == f"/teach/sessions/{session.pk}/?done=settings"
    table = tables_of(session)[0]
    assert (table.setup.pace, table.setup.watching) == (2.5, True)
    assert teacher.post(path, {**GOOD, "seats": "99"}).status_code == 422
    closing.close_session(session_id=session.pk)
    answer = teacher.post(path, GOOD)
    assert answer.status_code == 422
    assert "This session is closed." in answer.text


def test_the_form_offers_what_the_session_has() -> None:
    usual = SessionForm(instance=SessionSettings())
    for name in ("patience", "clock", "pace"):
        assert (usual[name].value() or "") in offered(usual, name)
    assert set(offered(usual, "pace")) == set(PACES.values())


def offered(form: SessionForm, name: str) -> list[object]:
    """The values that a field of the form offers."""
    field: Any = form.fields[name]
    return [value for value, _words in field.choices]
