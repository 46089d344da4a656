"""Class sessions for pages of results: played by people, bots, stand-ins and the clock, some
rounds broken off, or at a lesson; and their figures worked out again from the raw moves, by
other code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb
from random import Random
from typing import Any

from django.test import Client

from games.classes import closing, steering
from games.classes.boards import next_board
from games.classes.game import present_game
from games.models import Deal, Guest, Move, Result, Seat, Table
from games.rules import DECK
from games.tables.state import load_table
from lessons.course import lesson
from lessons.exercises.skills import Misconception
from lessons.models import Answer, Question
from lessons.results.dataset import Dataset, FinishedDeal, SeatResult
from lessons.visits import doing, holding
from lessons.visits.ways import Visitor
from tests.games.classroom import a_session, playing, signed_in, students_in
from tests.games.table import play
from tests.rules.naive import NaiveRound, shows, value
from tests.scenes.by_students import finish_round
from xactika_site.classrooms.models import ClassSession, Student


def generated(
    seed: int, *, students: int, **settings: Any
) -> tuple[ClassSession, list[Student]]:
    """A session's whole game by random legal moves: most students play their rounds, some are
    helped by a bot or the clock for a move or a round, and the last table's last round is
    broken off."""
    rng = Random(seed)
    session, people = playing(students, **settings)
    rounds = settings.get("rounds", 2)
    for number in range(1, rounds + 1):
        tables = present_game(session.pk).tables
        for table_id in tables:
            is_cut = number == rounds and table_id == tables[-1]
            play_round(table_id, rng, moves=7 if is_cut else 999)
        if number < rounds:
            steering.deal_next_round(session_id=session.pk)
    return session, people


def play_round(table_id: str, rng: Random, *, moves: int = 999) -> None:
    """A round in which each student's moves are their own, but for a bot's or the clock's now
    and then."""
    state = load_table(table_id)
    sitting = {seat.number: seat.student_id for seat in state.seats}
    helped = {seat: rng.choice(["", "", "", "some", "all"]) for seat in sitting}

    def by(seat: int) -> dict[str, Any]:
        if sitting[seat] is None:
            return {"mover": "bot", "level": "random"}
        if helped[seat] == "all" or (helped[seat] == "some" and rng.random() < 0.2):
            return {"mover": rng.choice(["bot", "clock"]), "level": "random"}
        return {"student_id": sitting[seat]}

    play(
        table_id,
        lambda state: len(state.moves) >= moves or bool(state.round and state.round.is_over),
        rng=rng,
        by=by,
    )


@dataclass
class Row:
    """One seat's finished round, from the moves."""

    table: str
    game: int
    round: int
    board: int | None
    seats: int
    seat: int
    hand: list[str]
    bid: int | None
    taken: int
    points: int
    own: bool
    student: int | None


@dataclass
class Lead:
    """A trick, from the moves: was nobody's card better, and how likely was that?"""

    own: bool
    safe: bool
    chance: float
    took: bool


@dataclass
class Again:
    """Everything over in a session, worked out again."""

    rows: list[Row] = field(default_factory=list)
    leads: list[Lead] = field(default_factory=list)
    hands: dict[tuple[Any, ...], list[list[str]]] = field(default_factory=dict)

    @property
    def own(self) -> list[Row]:
        return [row for row in self.rows if row.own]


def work_out(session: ClassSession) -> Again:
    """From moves and deals alone, by the naive rules."""
    again = Again()
    unfinished = _unfinished_boards(session)
    for deal in Deal.objects.filter(table__class_session=session).order_by("pk"):
        table = deal.table
        moves = list(Move.objects.filter(deal=deal).order_by("number"))
        naive = NaiveRound(table.variant, deal.hands, deal.dealer)
        for move in moves:
            naive.make(move.text)
        if not naive.over() or (table.game, deal.board) in unfinished:
            continue
        movers: dict[int, set[Any]] = defaultdict(set)
        for move in moves:
            movers[move.seat].add((move.mover, move.student_id))
        alone = {
            seat: len(who) == 1 and next(iter(who))[0] == "person"
            for seat, who in movers.items()
        }
        key = (deal.pk,) if deal.board is None else (table.game, deal.board)
        again.hands[key] = deal.hands
        for seat, hand in enumerate(deal.hands):
            again.rows.append(
                Row(
                    table.id, table.game, deal.round, deal.board, len(deal.hands), seat, hand,
                    naive.bids[seat], naive.taken()[seat], naive.points()[seat], alone[seat],
                    next(iter(movers[seat]))[1] if alone[seat] else None,
                )
            )  # fmt: skip
        again.leads += _leads(naive, deal.hands, alone)
    return again


def _unfinished_boards(session: ClassSession) -> set[tuple[int, int | None]]:
    """Boards that some table has not been shown the end of."""
    hidden: set[tuple[int, int | None]] = set()
    for table in Table.objects.filter(class_session=session, duplicate=True):
        for board in Deal.objects.filter(table=table).values_list("board", flat=True):
            if board is not None and board > table.shown_round:
                hidden.add((table.game, board))
    return hidden


def _leads(naive: NaiveRound, dealt: list[list[str]], alone: dict[int, bool]) -> list[Lead]:
    held = [list(hand) for hand in dealt]
    seen: list[str] = []
    found = []
    for leader, call, plays, winner in naive.finished:
        led = plays[0][1]
        better = [
            card
            for seat, hand in enumerate(held)
            if seat != leader
            for card in hand
            if shows(card, call) and value(card) >= value(led)
        ]
        every = [f"{a}{b}{c}{d}" for a in "123" for b in "123" for c in "123" for d in "123"]
        unseen = [card for card in every if card not in seen and card not in held[leader]]
        rivals = sum(shows(card, call) and value(card) >= value(led) for card in unseen)
        elsewhere = sum(len(hand) for seat, hand in enumerate(held) if seat != leader)
        chance = comb(len(unseen) - rivals, elsewhere) / comb(len(unseen), elsewhere)
        found.append(Lead(alone[leader], not better, chance, winner == leader))
        for seat, card in plays:
            held[seat].remove(card)
            seen.append(card)
    return found


def names_at(session: ClassSession) -> dict[tuple[str, int], str]:
    """People's names by table and seat."""
    seats = Seat.objects.filter(table__class_session=session, level="")
    return {(seat.table_id, seat.number): seat.name for seat in seats}


HANDS = [[card.code for card in DECK[8 * seat : 8 * seat + 8]] for seat in range(2)]
Bids = Sequence[tuple[int, int]]


def bids_played(tables: Sequence[Sequence[Bids]], *, duplicate: bool = False) -> Dataset:
    """What was bid and taken, by table and round; a student a seat."""
    deals: list[FinishedDeal] = []
    seats: list[SeatResult] = []
    for table, rounds in enumerate(tables):
        for number, bids in enumerate(rounds, start=1):
            deal = FinishedDeal(
                len(deals), 1, f"t{table}", table + 1, 1, number, "bid", 0,
                HANDS, number if duplicate else None,
            )  # fmt: skip
            deals.append(deal)
            seats += [
                SeatResult(deal, seat, bid, taken, bid, True, 10 * table + seat)
                for seat, (bid, taken) in enumerate(bids)
            ]
    return Dataset(tuple(deals), tuple(seats), (), came=frozenset(range(100)))


SLIP = Misconception.ADDS_CHOICES.value


def answered(
    session: ClassSession | None,
    whose: Student | Guest,
    exercise: str,
    *answers: object,
    **more: Any,
) -> Question:
    """A question with these answers: right, wrong, or wrong by this misconception."""
    facts = {"place": "practice", "exercise": exercise, "seed": 1, "parameters": {}, **more}
    owner = {"guest" if isinstance(whose, Guest) else "student": whose}
    question = Question.objects.create(**owner, class_session=session, **facts)
    for number, answer in enumerate(answers):
        Answer.objects.create(
            question=question,
            number=number,
            values={},
            right=answer is True,
            misconceptions=[answer] if isinstance(answer, str) else [],
        )
    return question


def teacher_of(session: ClassSession) -> Client:
    return signed_in(session.classroom.teachers.get())


def grown(students: int, rounds: int, *, duplicate: bool = False) -> ClassSession:
    """A closed session with so many students and rounds, a lesson for every three students,
    and two answers of each student."""
    session, people = playing(students, seats=3, rounds=rounds, duplicate=duplicate)
    for _lesson in range(students // 3):
        a_lesson(session, people)
    for number in range(1, rounds + 1):
        for table_id in present_game(session.pk).tables:
            play_round(table_id, Random(number))
        if number < rounds:
            steering.deal_next_round(session_id=session.pk)
    for student in people:
        answered(session, student, "deck-size", SLIP, True)
    closing.close_session(session_id=session.pk)
    return session


def a_lesson(session: ClassSession, people: list[Student]) -> None:
    """Hands dealt together by everybody."""
    course = lesson("class-deals")
    holding.hold(session=session, slug=course.slug)
    for number in (1, 2, 3):
        holding.open_step(session=session, number=number)
        for student in people:
            at: dict[str, Any] = {
                "lesson": course,
                "visitor": Visitor(student=student, session=session.pk),
                "number": number,
            }
            if number == 1:
                doing.predict(**at, value=34)
            elif number == 2:
                doing.deal_hands(**at)
    holding.end_lesson(session=session)
    steering.pause_room(session_id=session.pk, paused=False)  # a round in play has waited


PAGES = (
    "/teach/sessions/{s}/results/",
    "/teach/sessions/{s}/results/wall/",
    "/teach/sessions/{s}/results.xlsx",
    "/teach/sessions/{s}/learning/",
    "/teach/classrooms/{c}/results/",
    "/teach/classrooms/{c}/learning/",
    "/teach/students/{p}/results/",
)


def played(students: int = 14, rounds: int = 1, experiment: str = "tips") -> ClassSession:
    session, _students = playing(
        students, seats=2, rounds=rounds, duplicate=True, experiment=experiment
    )
    rng = Random(4)
    for number in range(rounds):
        if number:
            next_board(session_id=session.pk, by_teacher=True)
        finish_round(session, rng)
    Result.objects.update(by_person=True)
    return session


DEALS = lesson("class-deals")
"""Its steps: 1 a number is predicted, 2 hands are dealt, 3 they are shown together, 4 a
choice is predicted, 6 its reveal, …, 11 an explanation."""


def do(session: ClassSession, student: Student, number: int, value: int = 0) -> None:
    """What a student does in a step of the lesson."""
    visitor = Visitor(student=student, session=session.pk)
    kind = DEALS.steps[number - 1].kind.value
    if kind == "predict":
        doing.predict(lesson=DEALS, visitor=visitor, number=number, value=value)
    elif kind == "explain":
        doing.explain(lesson=DEALS, visitor=visitor, number=number, chosen=[value])
    else:
        doing.deal_hands(lesson=DEALS, visitor=visitor, number=number)


def at_lesson(students: int, *, step: int = 1, idle: int = 0) -> ClassSession:
    """A class that has come so far in a lesson: each predicts 10, 20, 30, … of 100 hands, all
    deal, all but the first choose wrongly, all explain, half of them at once; ``idle`` more
    only look on."""
    session = a_session()
    people = students_in(session, students)
    students_in(session, idle)
    holding.hold(session=session, slug=DEALS.slug)
    for number in range(1, step + 1):
        holding.open_step(session=session, number=number)
        for place, student in enumerate(people):
            if number in (1, 4):
                do(
                    session,
                    student,
                    number,
                    (place + 1) * 10 if number == 1 else 2 * (place == 0),
                )
            elif number == 2:
                do(session, student, number)
            elif number == 11:
                for value in (0,) if place % 2 else (1, 0):
                    do(session, student, number, value)
    return session


def ended(session: ClassSession) -> ClassSession:
    holding.end_lesson(session=session)
    closing.close_session(session_id=session.pk)
    session.refresh_from_db()
    return session


def page_of(session: ClassSession, part: str = "") -> str:
    browser = signed_in(session.classroom.teachers.get())
    return browser.get(f"/teach/sessions/{session.pk}/results/{part}").text
