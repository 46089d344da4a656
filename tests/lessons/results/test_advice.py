"""What to teach next: what was broken off, else what most have not overcome; and why."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.classes.closing import close_session
from lessons.course import lessons
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Misconception
from lessons.models import LessonRun
from lessons.results.bids import bidding
from lessons.results.dataset import dataset_of_session
from lessons.results.learned.learning import learning_of_session
from lessons.results.session.advice import Advice, advice, reached_by
from lessons.results.taught.taught_lessons import taught_lessons
from lessons.visits import holding
from tests.games.classroom import a_session, a_teacher, playing, signed_in, students_in
from tests.scenes import present
from tests.scenes.by_students import finish_round
from tests.scenes.results import SLIP, answered, at_lesson, ended, generated, page_of
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db
LATE = Misconception.ONE_RIVAL
COMMON = Misconception(SLIP)


def exercise_of(code: Misconception) -> str:
    return next(key for key, each in EXERCISES.items() if code in each.misconceptions)


LATE_AT = exercise_of(LATE)
LATE_LESSON = EXERCISES[LATE_AT].lesson


def told(session: ClassSession, *, is_final: bool = False) -> Advice | None:
    data = dataset_of_session(session)
    return advice(
        data,
        learning_of_session(session),
        taught_lessons(session, data),
        reached_by(session.classroom),
        session=session.pk,
        is_final=is_final,
    )


def mistaken(overcome: int = 4) -> ClassSession:
    """Five students have made one mistake, so many of them have overcome it since; two have
    made another one, which a later lesson treats, and have not."""
    session = a_session()
    students = students_in(session, 6)
    for place, student in enumerate(students[:5]):
        answered(session, student, "deck-size", SLIP)
        answered(session, student, "deck-size", place < overcome)
    for student in students[4:]:
        answered(session, student, LATE_AT, LATE.value)
    return session


def hold(session: ClassSession, *numbers: int) -> None:
    for lesson in lessons():
        if lesson.number in numbers:
            run = holding.hold(session=session, slug=lesson.slug)
            LessonRun.objects.filter(pk=run.pk).update(step=len(lesson.steps))
            holding.end_lesson(session=session)


class TestMistakes:
    def test_what_most_have_not_overcome_goes_before_what_most_have_made(self) -> None:
        assert EXERCISES["deck-size"].lesson < LATE_LESSON
        session = mistaken()
        found = present(told(session))
        assert found.lesson == LATE_LESSON
        assert found.reason == f"Not overcome: “{LATE.title}” (students: 2)."
        html = page_of(session)
        tile = html[html.index('id="tile-next"') :].partition("</article>")[0]
        assert f'<a href="{found.page}" id="press-next">{found.words}</a>' in tile
        assert found.reason in tile
        assert found.words == f"Teach lesson {LATE_LESSON} next"

    def test_while_most_still_make_it_the_commonest_is_first(self) -> None:
        found = present(told(mistaken(overcome=2)))
        assert (found.lesson, found.before) == (EXERCISES["deck-size"].lesson, "")
        assert found.reason == f"Not overcome: “{COMMON.title}” (students: 3)."

    def test_a_lesson_counts_for_all_that_it_treats(self) -> None:
        """Three have the commonest mistake; the lesson that treats two others of two each is
        better, and both are named."""
        session = mistaken(overcome=2)
        other = Misconception.VALUE_ONLY
        key = exercise_of(other)
        assert EXERCISES[key].lesson == LATE_LESSON
        for student in students_in(session, 2):
            answered(session, student, key, other.value)
        found = present(told(session))
        assert found.lesson == LATE_LESSON
        reasons = {f"Not overcome: “{each.title}” (students: 2)." for each in (LATE, other)}
        assert set(re.findall(r"Not overcome.*?\)\.", found.reason)) == reasons

    def test_of_equals_the_earliest_lesson(self) -> None:
        session = mistaken(overcome=3)
        for student in students_in(session, 4):  # the later one is the commoner one
            answered(session, student, LATE_AT, LATE.value)
            answered(session, student, LATE_AT, True)
        early, late = (
            next(m for m in learning_of_session(session).misconceptions if m.misconception is c)
            for c in (COMMON, LATE)
        )
        assert (early.open, late.open) == (2, 2)
        assert early.students < late.students
        found = present(told(session))
        assert found.lesson == EXERCISES["deck-size"].lesson

    def test_what_all_have_overcome_is_nothing_to_teach(self) -> None:
        session = a_session()
        (student,) = students_in(session, 1)
        answered(session, student, "deck-size", SLIP, True)
        answered(session, student, "deck-size", True)
        assert told(session) is None
        assert "What to teach next" not in page_of(session)

    def test_what_it_builds_on_and_was_not_held_is_said(self) -> None:
        session = a_session()
        key, exercise = next((k, e) for k, e in EXERCISES.items() if e.lesson == 3)
        (slip, *_more) = exercise.misconceptions
        for student in students_in(session, 3):
            answered(session, student, key, slip.value)
        found = present(told(session))
        assert found.lesson == 3
        assert found.before == "It builds on lesson 1, not held yet."
        hold(session, 1)
        found = present(told(session))
        assert found.before == ""

    def test_what_was_held_is_taken_up_again(self) -> None:
        session = mistaken()
        found = present(told(session))
        assert found.before == ""  # it builds on no other
        hold(session, LATE_LESSON)
        found = present(told(session))
        assert found.words == f"Repeat lesson {LATE_LESSON}’s exercises"


@pytest.mark.parametrize("part", ["results", "learning"])
def test_teachers_pages_are_opened_as_of_the_session(part: str) -> None:
    session = mistaken()
    teacher = signed_in(session.classroom.teachers.get())
    html = teacher.get(f"/teach/sessions/{session.pk}/{part}/").text
    links = re.findall(r'href="(/lessons/[\w-]+/teacher/[^"]*)"', html)
    assert links
    assert {link.partition("?")[2] for link in links} == {f"session={session.pk}"}


class TestBrokenOff:
    def test_it_goes_on_where_the_class_left_off(self) -> None:
        session = ended(at_lesson(6, step=3))
        found = present(told(session, is_final=True))
        assert found.words == "Go on with lesson 6, step 4"
        assert found.reason == "Step 3 of 11"
        assert found.page == f"/lessons/class-deals/teacher/?session={session.pk}#step-4"
        html = page_of(session)
        assert f'<a href="{found.page}" id="press-next">{found.words}</a>' in html

    @pytest.mark.parametrize(("last", "next_up"), [(2, 3), (5, 5)])
    def test_a_step_that_nobody_has_done_is_still_to_do(self, last: int, next_up: int) -> None:
        found = present(told(ended(at_lesson(6, step=last)), is_final=True))
        assert found.words == f"Go on with lesson 6, step {next_up}"

    def test_it_goes_before_a_mistake(self) -> None:
        session = at_lesson(6, step=3)
        answered(session, session.classroom.students.order_by("pk")[0], "deck-size", SLIP)
        found = present(told(session))
        assert found.words == "Go on with lesson 6, step 4"
        # While it is being held, its page is where to go on.
        assert found.page == f"/teach/sessions/{session.pk}/lesson/"
        assert found.reason == "Step 3 of 11"

    def test_a_lesson_finished_later_is_not_gone_on_with(self) -> None:
        session = ended(at_lesson(6, step=3))
        later = a_session(session.classroom)
        hold(later, 6)
        found = present(told(session, is_final=True))
        assert (found.lesson, found.reason) == (7, "It comes next in the course.")

    def test_after_a_whole_lesson_the_next_one(self) -> None:
        found = present(told(ended(at_lesson(6, step=11)), is_final=True))
        assert (found.lesson, found.reason) == (7, "It comes next in the course.")


class TestBids:
    @staticmethod
    def scene() -> ClassSession:
        return generated(3, students=12, seats=3, rounds=8)[0]

    @pytest.mark.parametrize(
        ("interval", "is_told"), [((0.1, 0.9), True), ((-0.9, 0.9), False)]
    )
    def test_bids_lead_to_their_lesson_with_what_they_were_like(
        self,
        session: ClassSession,
        interval: tuple[float, float],
        is_told: bool,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """How far they were off only where the tile on bids doesn't doubt it."""
        monkeypatch.setattr(bidding, "bias_interval", lambda data: interval)
        bids = dataset_of_session(session).bids
        found = present(told(session))
        assert found.lesson == 5
        made = sum(bid == taken for bid, taken in bids)
        right = f"{made} of {len(bids)} bids right."
        assert found.reason.startswith(f"{right} On average " if is_told else right)
        assert ("On average" in found.reason) is is_told
        hold(session, 5)
        found = present(told(session))
        assert found.lesson == 6

    @pytest.mark.parametrize("rounds", [1, 8])
    def test_a_handful_of_bids_chooses_no_lesson(
        self, session: ClassSession, rounds: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of few hands, or all of one table or board, the course goes on in its order."""
        interval = (0.1, 0.9) if rounds == 1 else None
        monkeypatch.setattr(bidding, "bias_interval", lambda data: interval)
        if rounds == 1:
            session, _people = generated(3, students=12, seats=3, rounds=1)
        found = present(told(session))
        assert (found.lesson, found.reason) == (1, "It comes next in the course.")
        hold(session, 3, 1)
        hold(session, 2)
        found = present(told(session))
        assert found.lesson == 4


def test_with_nothing_to_go_by_nothing_is_said() -> None:
    session, _people = playing(3, seats=3, rounds=1)
    assert told(session) is None


def test_what_others_see_has_no_advice_for_the_teacher() -> None:
    assert "Teach lesson" not in page_of(mistaken(), "wall/")


def test_the_class_leads_to_the_latest_session_that_has_an_answer() -> None:
    """About bids where rounds were played, about what to teach where a lesson was held, too."""
    session, _people = playing(3, seats=3, rounds=1)
    teacher = signed_in(session.classroom.teachers.get())
    page = f"/teach/classrooms/{session.classroom_id}/"

    def leads() -> dict[str, int]:
        found = re.findall(r'"/teach/sessions/(\d+)/results/#([\w-]+)"', teacher.get(page).text)
        return {place: int(pk) for pk, place in found}

    assert leads() == {}
    assert "answers-title" not in teacher.get(page).text
    finish_round(session)
    assert leads() == {"tile-next": session.pk, "bias": session.pk}
    close_session(session_id=session.pk)
    later = a_session(session.classroom)
    close_session(session_id=later.pk)
    assert leads() == {"tile-next": session.pk, "bias": session.pk}
    LessonRun.objects.create(class_session=later, lesson="class-deals", step=1)
    assert leads() == {"tile-next": later.pk, "bias": session.pk}
    told = present(re.search(r"<a [^>]*press-next[^<]*", page_of(later)))[0]
    assert told in teacher.get(f"{page}results/glance/").text, "the tile there says the same"


def test_a_class_that_only_held_a_lesson_has_answers_too() -> None:
    session = a_session()
    LessonRun.objects.create(class_session=session, lesson="class-deals", step=1)
    teacher = signed_in(session.classroom.teachers.get())
    html = teacher.get(f"/teach/classrooms/{session.classroom_id}/").text
    assert f'href="/teach/sessions/{session.pk}/results/#tile-next"' in html
    assert "#bias" not in html


class TestHolding:
    def test_the_guide_holds_the_lesson_in_the_open_session(self) -> None:
        session = a_session()
        teacher = signed_in(session.classroom.teachers.get())
        guide = teacher.get(f"/lessons/class-deals/teacher/?session={session.pk}").text
        action = f"/teach/sessions/{session.pk}/lesson/"
        assert f'action="{action}"' in guide
        back = guide.partition(f'href="/teach/sessions/{session.pk}/results/">')[2]
        assert back.strip().startswith(f"Results: {session.classroom.name}, ")
        assert teacher.post(action, {"do": "hold:class-deals"})["Location"] == action
        assert 'value="hold:class-deals"' in guide

    def test_where_none_is_open_it_opens_one_and_holds_the_lesson_there(self) -> None:
        session = a_session()
        close_session(session_id=session.pk)
        teacher = signed_in(session.classroom.teachers.get())
        guide = teacher.get(f"/lessons/class-deals/teacher/?session={session.pk}").text
        action = f"/teach/classrooms/{session.classroom_id}/session/"
        assert f'action="{action}"' in guide
        wishes = {"only": "lesson", "do": "hold:class-deals"}
        for name, value in wishes.items():
            assert f'name="{name}" value="{value}"' in guide
        teacher.post(action, wishes, follow=True)
        run = LessonRun.objects.get(ended=None)
        assert run.lesson == "class-deals"
        assert run.class_session.classroom == session.classroom
        assert run.class_session != session

    def test_one_that_was_opened_meanwhile_holds_it(self) -> None:
        session = a_session()
        teacher = signed_in(session.classroom.teachers.get())
        action = f"/teach/classrooms/{session.classroom_id}/session/"
        teacher.post(action, {"only": "lesson", "do": "hold:class-deals"}, follow=True)
        assert LessonRun.objects.get(ended=None).class_session == session

    def test_without_a_session_it_looks_for_none(self) -> None:
        teacher = signed_in(a_teacher("alone"))
        with CaptureQueriesContext(connection) as asked:
            assert teacher.get("/lessons/class-deals/teacher/").status_code == 200
        table = ClassSession._meta.db_table
        assert not [query for query in asked if f'FROM "{table}"' in query["sql"]]

    def test_of_another_teachers_session_it_says_nothing(self) -> None:
        session = a_session()
        stranger = signed_in(a_teacher("stranger"))
        guide = stranger.get(f"/lessons/class-deals/teacher/?session={session.pk}").text
        assert "/teach/sessions/" not in guide
        assert "Hold this lesson" not in guide


def test_the_guide_has_a_place_for_every_step() -> None:
    session = a_session()
    html = signed_in(session.classroom.teachers.get()).get("/lessons/class-deals/teacher/")
    places = [html.text.index(f'id="step-{n}"') for n in range(1, 12)]
    assert all(a < b for a, b in pairwise(places))
