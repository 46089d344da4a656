"""A class beside its median: by closed forms, over made classes by other code, and nothing of
what is still to be played or revealed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from games.classes import steering
from games.models import Deal, Seat
from games.tables.seats import remove_student
from lessons.course import lesson
from lessons.models import Forecast
from lessons.questions.forecasts import played_forecasts
from lessons.results import news
from lessons.visits import doing, holding
from lessons.visits.crowd import (
    EXAMPLE,
    FEWEST_QUESTIONS,
    Crowd,
    Guess,
    crowd_for,
    crowd_in,
    crowd_of,
    crowd_panel,
)
from lessons.visits.ways import Visitor
from tests.games.classroom import device_of, picture, playing, signed_in
from tests.games.table import play
from tests.scenes import Each, present
from tests.scenes.by_students import by_their_student, play_by_students
from tests.scenes.results import work_out
from xactika_site.classrooms.models import Classroom, ClassSession, Student

SLUG, FIRST, SECOND = "the-deal", "ones", "voids"
TRUE = {FIRST: 8 / 3 / 8, SECOND: 0.339}
"""What is true of these predictions on their scales (lessons/content/03-the-deal)."""


def answers(
    errors: Iterable[int | float], questions: int = FEWEST_QUESTIONS, truth: int = 10
) -> list[Guess]:
    """Everybody errs by the same in each question."""
    return [
        Guess(question, person, truth + Fraction(error), Fraction(truth))
        for person, error in enumerate(errors)
        for question in range(questions)
    ]


def beaten(crowd: Crowd) -> list[int]:
    return sorted(each.person for each in crowd.members if each.farther > 0)


class TestWhatIsComputed:
    def test_errors_on_both_sides_cancel(self) -> None:
        crowd = crowd_of(answers([-3, -1, 0, 1, 3, -2, 2]))
        assert {each.median for each in crowd.members} == {0}
        assert beaten(crowd) == [0, 1, 3, 4, 5, 6]  # all but who was right
        assert crowd.one_sided == 0

    @pytest.mark.parametrize("shift", [7, -7])
    def test_errors_on_one_side_do_not(self, shift: int) -> None:
        crowd = crowd_of(answers([shift + each for each in (-3, -1, 0, 1, 3, -2, 2)]))
        assert {each.median for each in crowd.members} == {7}
        assert len(beaten(crowd)) == 3  # half of the others, and no more
        assert crowd.one_sided == crowd.questions == FEWEST_QUESTIONS

    def test_who_copies_is_as_far_off_as_the_median(self) -> None:
        crowd = crowd_of(answers([2] * 20))
        assert [each.farther for each in crowd.members] == [0] * 20
        assert "as close as 20" in crowd_panel(crowd).summary

    def test_nothing_is_said_of_few(self) -> None:
        """Five people and four questions at least; whoever was deleted is in the median."""
        assert crowd_of(answers([1, 2, 3, 4])) == Crowd()
        assert crowd_of(answers([1, 2, 3, 4, 5], FEWEST_QUESTIONS - 1)) == Crowd()
        five = answers([1, 2, 3, 4, 5])
        assert len(crowd_of(five).members) == 5
        assert crowd_of(five[1:]) == Crowd()  # one of them answered less, so they are four
        gone = [
            each._replace(person=None if each.person == 4 else each.person) for each in five
        ]
        assert crowd_of(gone) == Crowd()
        with_gone = crowd_of([*answers([0, 0, 0, 0, 0]), *gone[-4:], *gone[-4:], *gone[-4:]])
        assert {each.person for each in with_gone.members} == {0, 1, 2, 3, 4}
        shifted = crowd_of([*five, *[each._replace(person=None) for each in five[-4:] * 5]])
        assert {each.median for each in shifted.members} == {5}

    @pytest.mark.parametrize("seed", range(8))
    def test_of_one_question_it_is_no_farther_off_than_half(self, seed: int) -> None:
        """So one question tells nothing; and of many it is what a matrix of errors says."""
        rng = Random(seed)
        people, questions = rng.randrange(5, 30), rng.randrange(4, 12)
        said = np.array(
            [[rng.randrange(-40, 90) for _ in range(questions)] for _ in range(people)]
        )
        truths = np.array([rng.randrange(50) for _ in range(questions)])
        middles = np.median(said, axis=0)
        own, median = np.abs(said - truths), np.abs(middles - truths)
        assert ((own >= median).sum(axis=0) * 2 >= people).all()
        guesses = [
            Guess(q, who, Fraction(int(said[who, q])), Fraction(int(truths[q])))
            for who in range(people)
            for q in range(questions)
        ]
        rng.shuffle(guesses)
        crowd = crowd_of(guesses)
        for each in crowd.members:
            assert float(each.own) == pytest.approx(own[each.person].mean())
            assert float(each.median) == pytest.approx(median.mean())
            assert each.closer == (median < own[each.person]).sum()
        assert [each.farther for each in crowd.members] == sorted(
            each.farther for each in crowd.members
        )
        sides = [((said - truths) * sign > 0).mean(axis=0) for sign in (1, -1)]
        assert crowd.one_sided == (np.maximum(*sides) >= 0.75).sum()

    def test_the_panel_counts_its_dots(self) -> None:
        panel = crowd_panel(EXAMPLE)
        assert panel.grid is not None
        (_line, dots) = present(panel.figure)["data"]
        right = sum(place > 0 for place in dots["x"])
        assert f"beat {right} of {len(dots['x'])} students" in panel.summary
        assert [row[0] for row in panel.grid.rows] == [each.farther for each in EXAMPLE.members]


def made() -> tuple[ClassSession, list[Student]]:
    """Six boards at tables of two, the last one broken off at one table, and the first played
    by a bot at one seat; everybody has said how sure they were of each hand. A lesson has
    begun."""
    session, people = playing(12, seats=2, rounds=6, duplicate=True)
    tables, rng = picture(session).tables, Random(5)
    bot = {"mover": "bot", "level": "random"}
    play(tables[0], by=lambda seat: bot if seat else by_their_student(tables[0])(seat), rng=rng)
    for number in range(1, 7):
        for table in tables[number == 1 : -1 if number == 6 else None]:
            play_by_students(table, rng=rng)
        if number < 6:
            steering.deal_next_round(session_id=session.pk)
    for deal in Deal.objects.filter(table__class_session=session):
        for seat in range(2):
            cuts = sorted(rng.randrange(101) for _ in range(8))
            ends = zip([0, *cuts], [*cuts, 100], strict=True)
            percents = [high - low for low, high in ends]
            student = Seat.objects.get(table=deal.table_id, number=seat).student_id
            Forecast.objects.create(
                deal=deal, seat=seat, student_id=student or people[0].pk, percents=percents
            )
    holding.hold(session=session, slug=SLUG)
    return session, people


def predict(session: ClassSession, people: Sequence[Student], step: str) -> dict[int, float]:
    """What they predicted, on its scale."""
    course = lesson(SLUG)
    number, scale = course.place(step), 8 if step == FIRST else 100
    holding.open_step(session=session, number=number)
    rng, said = Random(number), {}
    for person in people:
        value = rng.randrange(scale)
        visitor = Visitor(student=person, session=session.pk)
        doing.predict(lesson=course, visitor=visitor, number=number, value=value)
        said[person.pk] = value / scale
    return said


def recomputed(
    session: ClassSession, said: dict[str, dict[int, float]]
) -> dict[int, list[float]]:
    """By person how far off they were, and the median, on average: from the moves."""
    by_question: dict[Hashable, list[tuple[int | None, float, float]]] = defaultdict(list)
    for row in work_out(session).own:
        stored = Forecast.objects.get(
            deal__table=row.table, deal__round=row.round, seat=row.seat
        ).percents
        mean = sum(n * share / 100 for n, share in enumerate(stored)) / 8
        by_question[row.game, row.board, row.seat].append((row.student, mean, row.taken / 8))
    for step, numbers in said.items():
        for person, number in numbers.items():
            by_question[step].append((person, number, TRUE[step]))
    errors: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for guesses in by_question.values():
        if len(guesses) >= 5:
            middle = np.median([number for _who, number, _truth in guesses])
            for who, number, truth in guesses:
                assert who is not None
                errors[who].append((abs(number - truth), abs(middle - truth)))
    enough = {person: pairs for person, pairs in errors.items() if len(pairs) >= 4}
    return {person: list(np.mean(pairs, axis=0)) for person, pairs in enough.items()}


def of(classroom: Classroom) -> Crowd:
    return crowd_in(classroom, played_forecasts(classroom))


@pytest.mark.django_db
class TestAClass:
    def check(self, crowd: Crowd, expected: dict[int, list[float]]) -> None:
        assert len(expected) > 5
        found = {each.person: [float(each.own), float(each.median)] for each in crowd.members}
        assert found.keys() == expected.keys()
        for person, pair in found.items():
            assert pair == pytest.approx(expected[person], abs=1e-3)

    def test_it_beside_its_median(self, each: Each) -> None:
        """Of one class, with what was done undone."""
        session, people = made()
        before = of(session.classroom)
        teacher = signed_in(session.classroom.teachers.get())
        with each(what="it is what its moves and predictions say"):
            # Neither of a board that some table still plays, nor before a reveal.
            said: dict[str, dict[int, float]] = {}
            for step in (FIRST, SECOND):
                numbers = predict(session, people, step)
                self.check(of(session.classroom), recomputed(session, said))
                holding.open_step(session=session, number=lesson(SLUG).reveal_of(step))
                said[step] = numbers
                self.check(of(session.classroom), recomputed(session, said))
        with each(what="deleted students take their guesses along"):
            known = {member.person for member in before.members}
            gone = next(person for person in people if person.pk in known)
            left = known - {gone.pk}
            remove_student(student=Student.objects.get(pk=gone.pk))
            assert {one.student for one in played_forecasts(session.classroom)} == left
        with each(what="a board still played moves nothing"):
            hidden = Forecast.objects.filter(deal__board=6)
            assert hidden.exists()
            hidden.update(percents=[0] * 8 + [100])
            assert of(session.classroom) == before
            Forecast.objects.filter(deal__board=1).update(percents=[0] * 8 + [100])
            assert of(session.classroom) != before
        with each(what="a lesson shows the class, or else the example"):
            own, course = crowd_for(session.pk), lesson("what-a-bid-tells")
            assert own == before != EXAMPLE
            assert crowd_for(None) is EXAMPLE
            holding.end_lesson(session=session)
            holding.hold(session=session, slug=course.slug)
            place = next(n for n, step in enumerate(course.steps, 1) if step.shows.crowd)
            holding.open_step(session=session, number=place)
            at = f"/lessons/{course.slug}/?step={place}"
            page = device_of(people[0], session).get(at).text
            assert crowd_panel(own).summary in page
            assert "simulated" not in page.partition("<main")[2].partition("</main>")[0]
            assert not any(person.name in page for person in people[1:])
        with each(what="a teacher sees it over time and takes it along"):
            at = f"/teach/classrooms/{session.classroom_id}/results/"
            assert crowd_panel(before).summary in teacher.get(at).text
            rows = teacher.get(f"{at}crowd.csv").text.splitlines()
            assert len(rows) == 1 + len(before.members)
            assert not any(person.name in row for row in rows for person in people)
        with each(what="students read how often it was closer where charts are shared"):
            member = before.members[-1]
            student = next(person for person in people if person.pk == member.person)
            closer = f"the class’s median was closer in {member.closer} of {member.questions}."
            at = f"/class/{session.pk}/results/"
            assert closer not in device_of(student, session).get(at).text
            news.show_charts_to_students(session=session, on=True)
            page = device_of(student, session).get(at).text
            assert closer in page
            assert 'id="crowd"' not in page  # nothing that ranks
