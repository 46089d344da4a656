"""The demo class: 24 simulated students over three sessions; a newcomer sees full pages.

Their moves are made through the services by bots of mixed levels and recorded as a person's;
their answers are a scripted mix of right ones and of typical mistakes, graded like anybody's.
Everything hangs on a classroom that says of itself that it is a demo.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from games.analysis import bots
from games.classes import closing, forming, joining, sessions, steering
from games.classes.state import load_session
from games.models import Deal, Move, SessionSettings, Table
from games.rules import DECK, HAND_SIZE, move_text
from games.tables import moves as table_moves
from games.tables.observation import round_observation
from games.tables.state import TableState, load_table, one_long_transaction
from lessons.demo import answers
from lessons.demo.assessed import not_on_a_sunday, take_tests
from xactika_site import languages
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.names import PHRASE_WORDS, two_word_names

STUDENTS = 24
SEATS = 4
SEED = 81
USERNAME = "demo"

ShowProgress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """One session of the demo: how many weeks ago, and how each sixth of the class plays."""

    weeks_ago: int
    rounds: int
    duplicate: bool
    absent: int
    levels: tuple[str, ...]


PLANS = (
    SessionPlan(2, 4, False, 0, ("random", *("tip-printed",) * 3, "tip-wikipedia", "counter")),
    SessionPlan(1, 4, True, 3, (*("tip-printed",) * 3, *("tip-wikipedia",) * 2, "counter")),
    SessionPlan(
        0,
        6,
        False,
        1,
        ("tip-printed", "tip-printed", *("tip-wikipedia",) * 2, *("counter",) * 2),
    ),
)
"""The class bids too high at first and learns: that is what the pages are to show."""


def prepare(progress: ShowProgress = lambda _line: None) -> tuple[User, str]:
    """The demo's teacher with a new password, and the demo class, made unless it is there."""
    teacher, password = _teacher()
    if not Classroom.objects.filter(demo=True, teachers=teacher).exists():
        with one_long_transaction():
            _play_everything(teacher, progress)
    # Shuffled, if by a seed: its hands are chance's and are held against it. Also those of a
    # demo that an earlier version made; not what its teacher opened later.
    ours = {"classroom__teachers": teacher, "created__lt": F("classroom__created")}
    played = ClassSession.objects.filter(classroom__demo=True, **ours)
    Table.objects.filter(class_session__in=played).update(prepared=None)
    return teacher, password


def _teacher() -> tuple[User, str]:
    """The account ``demo`` (``demo-2``, … where somebody real has it), and its new password."""
    password = "-".join(secrets.choice(PHRASE_WORDS) for _word in range(4))
    number = 1
    while True:
        name = USERNAME if number == 1 else f"{USERNAME}-{number}"
        teacher = User.objects.filter(username=name).first()
        if teacher is None:
            teacher = User(username=name)
        if teacher.pk is None or not teacher.classrooms.filter(demo=False).exists():
            teacher.set_password(password)
            teacher.save()
            return teacher, password
        number += 1


def _play_everything(teacher: User, progress: ShowProgress) -> None:
    rng = Random(SEED)  # noqa: S311 (a demo is no secret)
    classroom = classrooms.open_classroom(name=_("Demo class"), teacher=teacher)
    Classroom.objects.filter(pk=classroom.pk).update(demo=True)
    names = two_word_names(rng, STUDENTS, languages.present())
    students: list[Student] = []
    now = not_on_a_sunday(timezone.now().replace(second=0, microsecond=0) - SCHOOL_WAS)
    for number, plan in enumerate(PLANS):
        progress(
            _("Demo class: playing session %(number)d of %(all)d …")
            % {"number": number + 1, "all": len(PLANS)}
        )
        session = _opened_session(classroom, plan, rng)
        if not students:
            students = [joining.join(session=session, name=name) for name in names]
        else:
            for student in rng.sample(students, STUDENTS - plan.absent):
                joining.come_in(session=session, student=student)
        answers.hold_lesson(session, students, number, Random(SEED + number))  # noqa: S311
        _Play(session, plan, students, rng).to_the_end()
        answers.answer_all(session, students, number, rng)
        # Of a generator of its own: later sessions keep their cards.
        forecasting = Random(SEED + number) if plan.duplicate else rng  # noqa: S311
        answers.forecast_all(session, forecasting, everybody=plan.duplicate)
        _date_back(session, now - timedelta(weeks=plan.weeks_ago))
    take_tests(classroom, students, now, Random(SEED))  # noqa: S311
    _note_last_days(students)


def _opened_session(classroom: Classroom, plan: SessionPlan, rng: Random) -> ClassSession:
    wishes = SessionSettings(
        variant="bid",
        seats=SEATS,
        rounds=plan.rounds,
        seating=SessionSettings.Seating.ARRIVAL,
        duplicate=plan.duplicate,
        deals=_deals(rng, plan.rounds) if plan.duplicate else None,
        questions=SessionSettings.Questions.BETWEEN,
        pace=0.0,
    )
    return sessions.open_session(classroom=classroom, settings=wishes)


def _deals(rng: Random, rounds: int) -> list[dict[str, object]]:
    """Fair deals, the same at every making of the demo."""
    first = rng.randrange(SEATS)
    deal_rows: list[dict[str, object]] = []
    for number in range(rounds):
        cards = [card.code for card in rng.sample(DECK, SEATS * HAND_SIZE)]
        hands = [sorted(cards[seat::SEATS]) for seat in range(SEATS)]
        deal_rows.append({"dealer": (first + number) % SEATS, "hands": hands})
    return deal_rows


class _Play:
    """One session's games, played to their end."""

    def __init__(
        self, session: ClassSession, plan: SessionPlan, students: list[Student], rng: Random
    ) -> None:
        self.session, self.plan, self.rng = session, plan, rng
        self.levels = {
            student.pk: plan.levels[place % len(plan.levels)]
            for place, student in enumerate(students)
        }

    def to_the_end(self) -> None:
        forming.form_tables(session_id=self.session.pk)
        if not self.plan.duplicate:
            for table_id in load_session(self.session.pk).tables:
                deals = _deals(self.rng, self.plan.rounds)
                Table.objects.filter(pk=table_id).update(prepared=deals)
        steering.start(session_id=self.session.pk)
        tables = load_session(self.session.pk).tables
        for number in range(1, self.plan.rounds + 1):
            is_last_day_end = self.plan is PLANS[-1] and number == self.plan.rounds
            for table_id in tables:
                self._round(
                    table_id, moves=11 if is_last_day_end and table_id == tables[-1] else 99
                )
            if number < self.plan.rounds:
                steering.deal_next_round(session_id=self.session.pk)
        closing.close_session(session_id=self.session.pk)

    def _round(self, table_id: str, moves: int) -> None:
        """Play a table's round; the last lesson's bell rings in one of them."""
        helped = self.rng.randrange(SEATS) if self.rng.random() < 0.05 else None
        for _move in range(moves):
            state = load_table(table_id)
            if state.to_move is None:
                return
            self._move(state, is_helped=state.to_move == helped)

    def _move(self, state: TableState, *, is_helped: bool) -> None:
        """One move, decided from what the seat sees; of a student whom a bot helps this round
        it is the bot's."""
        seat = state.to_move
        assert seat is not None
        student = state.seats[seat].student_id
        level = self.levels[student] if student else state.seats[seat].level
        choice = bots.choose(round_observation(state, seat), level=level, rng=self.rng)
        is_bot = student is None or is_helped
        table_moves.make_move(
            table_id=state.id,
            seat=seat,
            turn=state.turn,
            text=move_text(choice),
            mover=Move.Mover.BOT if is_bot else Move.Mover.PERSON,
            level=level if is_bot else "",
            student_id=None if is_bot else student,
        )


SCHOOL_WAS = timedelta(hours=2)
"""How long before now the last session began, on a school day."""

SECONDS_A_MOVE, ROUND = 5, timedelta(minutes=5)


def _date_back(session: ClassSession, began: datetime) -> None:
    """Let the session have taken place then, at the pace of a class."""
    deals = Deal.objects.filter(table__class_session=session)
    last = began
    for number in set(deals.values_list("round", flat=True)):
        start = last = began + ROUND * number
        deals.filter(round=number).update(created=start)
        moves = Move.objects.filter(deal__table__class_session=session, deal__round=number)
        for move in set(moves.values_list("number", flat=True)):
            at = start + timedelta(seconds=SECONDS_A_MOVE * (move + 1))
            moves.filter(number=move).update(made=at)
    Student.objects.filter(classroom=session.classroom_id, created__gt=began).update(
        created=began
    )
    Table.objects.filter(class_session=session).update(created=began)
    ClassSession.objects.filter(pk=session.pk).update(
        created=began, closed=last + ROUND, version=F("version") + 1
    )
    Attendance.objects.filter(class_session=session).update(joined=began, last_seen=last)
    answers.date_back(session, began)


def _note_last_days(students: list[Student]) -> None:
    """Each was last here at their last session or test; noted as it was made, it is today."""
    for student in students:
        joined = student.attendances.aggregate(at=Max("joined"))["at"]
        asked = student.questions.filter(taker__isnull=False).aggregate(at=Max("asked"))["at"]
        last = max(at for at in (joined, asked) if at)
        Student.objects.filter(pk=student.pk).update(last_here=timezone.localdate(last))
