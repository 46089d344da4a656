"""A league of programs: who is in it, which match is next, who stands where.

Programs run on their owners' computers and play by the protocol of tables (docs/protocol.md).
All tables of a match are dealt the same boards, which nobody else ever gets, and ``counter``
has played them, too: what counts is how much better than it one did in the same seat.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from math import ceil, inf, sqrt
from statistics import fmean, stdev
from typing import Any

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from games.analysis import bots
from games.analysis.significance import t_quantile
from games.models import League, Match, Program, Result, Seat, Table
from games.rules import Round, Variant, observe, parse_card, score_round
from games.tables import boards, moves
from games.tables.dealing import bot_names, deal_first, new_deal
from games.tables.notify import table_changed
from games.tables.opening import MAX_PATIENCE
from games.tables.refusals import Rejected
from games.tables.seats import open_seats
from games.tables.state import load_table
from games.tables.timing import is_away, last_seen
from games.tables.view import OVER, Status
from games.tables.viewers import seat_token
from xactika_site import clients, clock, languages
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.names import two_word_name
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused, lock_classroom
from xactika_site.randomness import system_rng
from xactika_site.rate_limit import in_cache

SEATS = BOARDS = 4
"""Of a table, of a match: each seat deals once."""

SECONDS = 5.0
"""That a program has for a move; after that a bot plays for it until the next board."""

GATHER = timedelta(seconds=4)
"""Between two matches: everybody asks again, and comes to the table."""

HERE_FOR = timedelta(seconds=15)
"""After it last asked for a game a program counts as connected."""

NOTE_EVERY = timedelta(seconds=5)
"""Between two notes that a program asked."""

MOST_PROGRAMS, MOST_TABLES, MOST_MATCHES = 40, 8, 100
"""Of a class; at once, of all leagues together; of a league."""

_signer = Signer(salt="games.program", sep=".")


def league_of(classroom: Classroom) -> League | None:
    """The class's latest league, open or closed."""
    return League.objects.filter(classroom=classroom).order_by("-pk").first()


def is_open_to(student: Student) -> bool:
    """Whether a league of this student's class is open."""
    return League.objects.filter(classroom=student.classroom_id, closed=None).exists()


def is_over(league: League) -> bool:
    """Whether all its matches have been played."""
    return league.matches.exclude(over=None).count() >= MOST_MATCHES


@transaction.atomic
def open_league(*, classroom: Classroom, anew: bool = False) -> None:
    """Let the class's programs play from now on: in the league of before, or in a new one where
    there is none, or where it is closed or over and all begins ``anew``."""
    lock_classroom(classroom)
    league = league_of(classroom)
    if league is None or (anew and (league.closed or is_over(league))):
        close_league(classroom=classroom)
        League.objects.create(classroom=classroom)
    else:
        League.objects.filter(pk=league.pk).update(closed=None)


@transaction.atomic
def close_league(*, classroom: Classroom) -> None:
    """Let no program play any more; tables end where they stand. Harmless where it is
    closed."""
    lock_classroom(classroom)
    League.objects.filter(classroom=classroom, closed=None).update(closed=clock.now())
    going_on = Match.objects.filter(league__classroom=classroom, over=None)
    _close(Table.objects.filter(match__in=going_on))
    going_on.update(over=clock.now())


@transaction.atomic
def _close(tables: QuerySet[Table]) -> None:
    for table_id in boards.lock_tables(tables.filter(closed=False)):
        if load_table(table_id).status != Status.GAME_OVER:
            Table.objects.filter(pk=table_id).update(closed=True)
            table_changed(table_id)


@transaction.atomic
def bring_program(*, student: Student) -> str:
    """The key of the student's program, which is new or gets a new key; the one before ends.
    Refused while no league is open, or where too many have one."""
    classroom = student.classroom
    lock_classroom(classroom)
    if not is_open_to(student):
        raise Refused(_("The league is closed."))
    programs = Program.objects.filter(student__classroom=classroom)
    if not programs.filter(student=student).update(serial=F("serial") + 1):
        if programs.count() >= MOST_PROGRAMS:
            raise Refused(_("It’s full. Ask your teacher."))
        taken = {*programs.values_list("name", flat=True)}
        taken |= {*classroom.students.values_list("name", flat=True)}
        name = two_word_name(system_rng, languages.supported(classroom.language), taken=taken)
        Program.objects.create(student=student, name=name)
    return key_of(Program.objects.get(student=student))


def key_of(program: Program) -> str:
    """The key by which a program asks for its games; derived, never stored."""
    return _signer.sign(f"{program.pk}.{program.serial}")


def program_by_key(key: str) -> Program:
    """The program whose key this is; NotFound if it is forged or was renewed."""
    with suppress(BadSignature, ValueError):
        pk, serial = _signer.unsign(key[:200]).split(".")
        found = Program.objects.filter(pk=pk, serial=serial)
        if program := found.select_related("student__classroom").first():
            clients.cache_client(key, f"program {program.pk}")
            return program
    raise NotFound


# Matches.


def begin_or_find_game(*, program: Program) -> dict[str, str] | None:
    """Where the program plays now, its ``table`` and its seat's ``token``; None while it has to
    wait. Begins the next match if it is due: of all who ask in a league, only one a second
    looks whether it is."""
    now = clock.now()
    if program.asked is None or now - program.asked >= NOTE_EVERY:
        Program.objects.filter(pk=program.pk).update(asked=now)
    league = league_of(program.student.classroom)
    if league is None or league.closed:
        return None
    if game := _running_game(program):
        return game
    if not in_cache(lambda looks: looks.add(f"league.{league.pk}", True, timeout=1)):
        return None
    end_matches()
    if _is_due(league):
        begin_match(classroom=program.student.classroom)
    return _running_game(program)


def _running_game(program: Program) -> dict[str, str] | None:
    seats = Seat.objects.filter(student=program.student, table__kind=Table.Kind.LEAGUE)
    for seat in seats.filter(table__match__over=None, table__closed=False):
        if load_table(seat.table_id).status != Status.GAME_OVER:
            token = seat_token(seat.table_id, seat.number, seat.serial)
            return {"table": seat.table_id, "token": token}
    return None


def end_matches() -> None:
    """End the matches whose last table is over. A table at which no program is any more ends
    with its board, which a bot plays out."""
    for match in Match.objects.filter(over=None):
        tables = [load_table(table.pk) for table in match.tables.all()]
        playing = [table for table in tables if table.status not in OVER]
        presence, now = last_seen(table.id for table in playing), clock.now()
        for table in tuple(playing):
            seen = presence.get(table.id, {})
            if not all(is_away(table, seat.number, seen, now) for seat in table.people):
                continue
            with suppress(Rejected, NotFound):  # somebody came back, or it was closed
                while (state := load_table(table.id)).is_running:
                    moves.make_bot_move(table_id=table.id, turn=state.turn, for_anybody=True)
            _close(Table.objects.filter(pk=table.id))
            playing.remove(table)
        if not playing:
            Match.objects.filter(pk=match.pk, over=None).update(over=now)


def _is_due(league: League) -> bool:
    """Whether a match may begin: the last one has been over for a moment."""
    matches = league.matches.order_by("-pk")
    last = matches.first()
    since = last.over if last else league.opened
    is_rested = since is not None and clock.now() - since >= GATHER
    return is_rested and matches.count() < MOST_MATCHES


@transaction.atomic
def begin_match(*, classroom: Classroom) -> None:
    """Seat the connected programs that have played least at tables of four, by lot.
    Harmless while a match goes on, right after one, and where there is no room or nobody."""
    lock_classroom(classroom)
    league = league_of(classroom)
    if league is None or league.closed or not _is_due(league):
        return
    here = Program.objects.filter(
        student__classroom=classroom, asked__gt=clock.now() - HERE_FOR
    )
    programs = {program.student_id: program for program in here.select_related("student")}
    before = Seat.objects.filter(table__match__league=league, student__in=programs)
    played = Counter(dict.fromkeys(programs, 0))
    played.update(before.values_list("student_id", flat=True))
    busy = Table.objects.filter(kind=Table.Kind.LEAGUE, match__over=None, closed=False).count()
    if turn := fair_turn(played, SEATS * (MOST_TABLES - busy)):
        deals = draw_boards()
        counter = [points_of_counter(deal) for deal in deals]
        match = Match.objects.create(league=league, deals=deals, counter=counter)
        tables = ceil(len(turn) / SEATS)
        for number in range(tables):
            _open_table(match, [programs[student] for student in turn[number::tables]])


def fair_turn(played: Mapping[int, int], places: int) -> list[int]:
    """The keys of who plays next, at most so many: who has ``played`` least, by lot among
    equals."""
    by_lot = system_rng.sample(list(played), len(played))
    return sorted(by_lot, key=played.__getitem__)[: max(0, places)]


def draw_boards() -> list[dict[str, Any]]:
    """The boards of a match, as prepared deals."""
    hands = [
        new_deal(seats=SEATS, number=1, last=None, prepared=None)[1] for _ in range(BOARDS)
    ]
    return [{"dealer": number, "hands": each} for number, each in enumerate(hands)]


def points_of_counter(deal: Mapping[str, Any]) -> list[int]:
    """The points by seat where ``counter`` plays all seats of this deal."""
    hands = [[parse_card(code) for code in hand] for hand in deal["hands"]]
    round_ = Round.start(variant=Variant.BID, hands=hands, dealer=deal["dealer"])
    while (seat := round_.to_move) is not None:
        seen = observe(round_, seat)
        round_ = round_.apply(bots.choose(seen, level=bots.COUNTING, rng=system_rng))
    return list(score_round(round_))


def _open_table(match: Match, programs: Sequence[Program]) -> None:
    """Open a table at which these sit, in any order, and ``counter`` on the other seats."""
    table = Table.objects.create(
        kind=Table.Kind.LEAGUE,
        match=match,
        language=match.league.classroom.language,
        variant=Variant.BID.value,
        rounds=BOARDS,
        level=bots.COUNTING,
        patience=MAX_PATIENCE,
        pace=0.0,
        clock=SECONDS,
        resumed=clock.now() + GATHER,  # the time of the first turn counts from then
        prepared=match.deals,
    )
    seats = dict(zip(system_rng.sample(range(SEATS), len(programs)), programs, strict=True))
    students = {number: program.student for number, program in seats.items()}
    open_seats(table=table, names=bot_names(SEATS), students=students)
    for number, program in seats.items():
        Seat.objects.filter(table=table, number=number).update(name=program.name)
    deal_first(load_table(table.pk))


# Standings.


@dataclass(frozen=True, slots=True)
class LeagueStanding:
    """How a program does: its points a round above ``counter``'s in the same seat of the same
    board, by round that it played wholly itself, and in how many others a bot played for it."""

    program: Program
    above: tuple[int, ...]
    by_bot: int

    @property
    def mean(self) -> float:
        """The points above ``counter`` on average; 0 before the first round."""
        return fmean(self.above or (0,))

    @property
    def interval(self) -> tuple[float, ...]:
        """The 95% interval of the mean, from and to; empty of fewer rounds than a match has,
        which give no place."""
        if (rounds := len(self.above)) < BOARDS:
            return ()
        half = t_quantile(rounds - 1) * stdev(self.above) / sqrt(rounds)
        return self.mean - half, self.mean + half


def standings(league: League) -> list[LeagueStanding]:
    """All programs of the class, the best first; those without a place last."""
    places = Seat.objects.filter(table__match__league=league, student__isnull=False)
    student_at = {(seat.table_id, seat.number): seat.student_id for seat in places}
    counters = dict(league.matches.values_list("pk", "counter"))
    above: dict[int | None, list[int]] = defaultdict(list)
    by_bot: Counter[int | None] = Counter()
    results = Result.objects.filter(deal__table__match__league=league).order_by("deal")
    for match, table, number, seat, points, by_person in results.values_list(
        *("deal__table__match", "deal__table", "deal__round", "seat", "points", "by_person")
    ):
        student = student_at.get((table, seat))
        if by_person:
            above[student].append(points - counters[match][number - 1][seat])
        else:
            by_bot[student] += 1
    programs = Program.objects.filter(student__classroom=league.classroom_id)
    rows = [
        LeagueStanding(each, tuple(above[each.student_id]), by_bot[each.student_id])
        for each in programs.select_related("student").order_by("name")
    ]
    return sorted(rows, key=lambda row: -row.mean if row.interval else inf)
