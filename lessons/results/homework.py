"""Homework as a class did it: its boards compared like those of a duplicate session, and who
has done what; and cover lessons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.classes.dot_plots import DotPlot, board_dot_plot
from games.classes.game import BoardLine
from games.models import Deal, Result
from games.rules import Variant
from games.study.replay.same_board import Own
from lessons.homework import cover
from lessons.homework.by_teachers import key_of, results_beforehand, results_of_teachers
from lessons.homework.doing import (
    BoardState,
    HomeworkDone,
    begun_boards,
    board_state,
    done_by,
    done_in,
    parts_of,
)
from lessons.measures.grid import Cell, Noted
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.models import CoverSheet, Homework
from lessons.results.bids.bid_panels import bias, calibration
from lessons.results.dataset import Dataset, FinishedDeal, dataset_of_deals
from lessons.results.points.point_panels import Namer, same_hand, standing_rows
from lessons.results.points.standings import fair_scores, game_standings
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.dates import format_date


def dataset_of_homework(homework: Homework) -> Dataset:
    """The students' seats on the boards that were over before the homework was; a student's
    boards are one table's rounds."""
    boards = {
        board.table_id: board
        for board in begun_boards(homework)
        if board_state(homework, board) is BoardState.DONE
    }
    data = dataset_of_deals(Deal.objects.filter(table__in=boards), everyone=True)
    tables = {table: str(board.student_id or table) for table, board in boards.items()}
    told = data.with_deals(
        deal._replace(table=tables[deal.table], session=0, number=0) for deal in data.deals
    )
    return replace(
        told,
        seats=tuple(played for played in told.seats if played.seat == 0),
        tricks=tuple(trick for trick in data.tricks if trick.leader == 0),
    )


# What a student sees of the others.


def dot_plots(data: Dataset, student: int, own: HomeworkDone) -> dict[int, DotPlot]:
    """By board that this student has finished: everybody's hands on it as a dot plot, if there
    are enough that none can be told apart."""
    scores = fair_scores(data.seats)
    plots: dict[int, DotPlot] = {}
    for number, state in own.boards.items():
        lines = [
            BoardLine(
                board=number,
                table_id=played.deal.table,
                table=0,
                seat=0,
                name="",
                is_bot=False,
                student=played.student,
                bid=played.bid,
                taken=played.taken,
                points=played.points,
                fair_score=scores[played.deal.pk, played.seat],
            )
            for played in data.seats
            if played.deal.board == number
        ]
        if state.is_over and len(lines) >= FEWEST:
            plots[number] = board_dot_plot(lines, str(student), is_own=True)
    return plots


def fair_score_in_all(plots: Iterable[DotPlot]) -> Fraction | None:
    """The sum of a student's fair scores on the boards that they see, or None."""
    scores = [each.mine.fair_score for each in plots if each.mine is not None]
    own_scores = [score for score in scores if score is not None]
    return sum(own_scores, Fraction()) if own_scores else None


# What teachers see.


def panels(data: Dataset, name: Namer) -> list[Panel]:
    """The panels of how its boards went, once there are FEWEST hands, as fewer teach nothing.
    No card is in any of them."""
    if len(data.seats) < FEWEST:
        return []
    rows = [same_hand(data, homework=True)]
    if data.bids:
        rows += [calibration(data), bias(data)]
    places = [place for game in game_standings(data) for place in game.places]
    if places:
        named = standing_rows(places, name)
        rows.append(panel("homework-standings", named, key="standings"))
    return rows


# Beside the teacher and the expert, once it has closed.


def beside_class(homework: Homework, data: Dataset, experts: Mapping[int, Own]) -> Panel:
    """What students, a teacher and the expert made of each board, for the teachers."""
    means: dict[int, Cell] = {}
    for number in range(1, len(homework.boards) + 1):
        points = [played.points for played in data.seats if played.deal.board == number]
        means[number] = _mean_cell(points)
    return _beside_panel(homework.variant, means, results_of_teachers(homework), experts)


def beside_student(
    homework: Homework, own: Mapping[int, Result], experts: Mapping[int, Own]
) -> Panel | None:
    """What a student, their teacher and the expert made of the boards that the student has
    finished, ``own``; None where there is nobody beside them."""
    teachers = {n: made for n, made in results_of_teachers(homework).items() if n in own}
    if not teachers and not experts:
        return None
    way = -1 if homework.variant == Variant.LOSE.value else 1
    ahead = sum(way * own[n].points > way * made.points for n, made in teachers.items())
    mine = {n: _made_cell(made) for n, made in sorted(own.items())}
    said = {"own": True, "ahead": ahead, "won": ahead > 0}
    return _beside_panel(homework.variant, mine, teachers, experts, **said)


def boards_beforehand(
    session: ClassSession, data: Dataset
) -> tuple[dict[str, FinishedDeal], dict[str, Result]]:
    """The boards of a duplicate session that are over, by what they are called, and what
    teachers had made of them when they were dealt."""
    over = [deal for deal in data.distinct_deals if deal.board is not None]
    made = results_beforehand(session) if over else {}
    several = len({deal.game for deal in over}) > 1
    boards, teachers = dict[str, FinishedDeal](), dict[str, Result]()
    for deal in over:
        name = f"{deal.game}·{deal.board}" if several else str(deal.board)
        boards[name] = deal
        own = made.get((deal.variant, key_of(Deal(dealer=deal.dealer, hands=deal.hands))))
        if own is not None and deal.dealt is not None and own.last <= deal.dealt:
            teachers[name] = own
    return (boards, teachers) if teachers else ({}, {})


def beside_session(
    data: Dataset,
    boards: Mapping[str, FinishedDeal],
    teachers: Mapping[str, Result],
    experts: Mapping[str, Own],
) -> Panel:
    """What those on the first seat, a teacher and the expert made of these boards; no mean of
    fewer than five students."""
    means: dict[str, Cell] = {}
    for name, deal in boards.items():
        own = [p for p in data.rounds if p.deal.key == deal.key and p.seat == 0]
        means[name] = _mean_cell([p.points for p in own]) if len(own) >= FEWEST else "–"
    variant = next(iter(boards.values())).variant
    return _beside_panel(variant, means, teachers, experts, live=True)


def _mean_cell(points: Sequence[int]) -> Cell:
    count = ngettext("%(n)s student", "%(n)s students", len(points)) % {"n": len(points)}
    mean = Fraction(sum(points), len(points) or 1)
    return Noted(words.number(mean), count) if points else "–"


def _beside_panel(
    variant: str,
    first: Mapping[Any, Cell],
    teachers: Mapping[Any, Result],
    experts: Mapping[Any, Own],
    **said: bool | int,
) -> Panel:
    rows = [
        {
            "board": str(n),
            "own": cell,
            "teacher": _made_cell(teachers.get(n)),
            "expert": _made_cell(experts.get(n)),
        }
        for n, cell in first.items()
    ]
    is_lose = variant == Variant.LOSE.value
    facts = {"taught": bool(teachers), "expert": bool(experts), "lose": is_lose, **said}
    return panel("beside", rows, facts)


def _made_cell(made: Result | Own | None) -> Cell:
    """The points of a board, and what brought them."""
    if made is None:
        return _("not played")
    points = words.number(made.points, 0)
    if made.bid is None:
        return points
    note = _("bid %(bid)s, took %(taken)s") % {"bid": made.bid, "taken": made.taken}
    return Noted(points, note)


class PartDone(NamedTuple):
    """A part of homework: what is said of it, how much of it is done, of how much; of a board
    how it stands, and where it leads once all may be looked at."""

    words: str
    done: int
    of: int
    state: BoardState | None = None
    page: str = ""


class Progress(NamedTuple):
    """Who has done what: titles of all and of each part, how many have done it, a row for each
    student who has begun, who has done most first; the names of those who have not."""

    titles: list[str]
    whole: list[PartDone]
    rows: list[tuple[str, list[PartDone]]]
    untried: list[str]


def progress_of(homework: Homework, data: Dataset, names: Mapping[int, str]) -> Progress:
    """Each student of the class who was there before it closed, those who have done as much in
    the order of ``names``. ``data`` is the homework's: what boards brought."""
    done = done_by(homework, names)
    own = {pk: each for pk, each in done.items() if not each.came_after}
    points = {(played.student, played.deal.board): played.points for played in data.seats}
    ranked = sorted(own, key=lambda pk: -own[pk].share(homework))
    rows = [
        (names[pk], _parts_done(homework, own[pk], points, pk))
        for pk in ranked
        if own[pk].has_begun
    ]
    titles = [_("Board %(n)s") % {"n": n} for n in range(1, len(homework.boards) + 1)]
    titles += [_("Questions")] if homework.questions else []
    titles += [_("Puzzles")] if homework.puzzles else []
    columns = zip(*(parts for _name, parts in rows), strict=True)
    finished = [sum(part.done >= part.of for part in column) for column in columns]
    whole = [_part(n, len(own)) for n in finished or [0] * (len(titles) + 1)]
    untried = [names[pk] for pk in ranked if not own[pk].has_begun]
    return Progress([_("Done"), *titles], whole, rows, untried)


def _part(done: int, of: int) -> PartDone:
    return PartDone(_("%(n)s of %(all)s") % {"n": done, "all": of}, done, of)


def _parts_done(
    homework: Homework,
    done: HomeworkDone,
    points: Mapping[tuple[int | None, int | None], int],
    student: int,
) -> list[PartDone]:
    share, of = done.share(homework), parts_of(homework)
    parts = [PartDone(words.percent(share), int(share * of), of)]
    for number in range(1, len(homework.boards) + 1):
        state = done.boards.get(number, BoardState.NOT_BEGUN)
        if state is BoardState.DONE and (student, number) in points:  # or it ended just now
            said = words.number(points[student, number], 0)
        else:
            said = {BoardState.BEGUN: _("begun"), BoardState.LATE: _("late")}.get(state, "–")
        leads = state.is_over and homework.closed is not None
        page = reverse("replay", args=[done.tables[number], 1]) if leads else ""
        parts.append(PartDone(said, state.is_over, 1, state, page))
    if homework.questions:
        parts.append(_part(done.questions, homework.questions))
    if homework.puzzles:
        parts.append(_part(done.solved, len(homework.puzzles)))
    return parts


def gradebook_rows(
    homeworks: Collection[Homework], names: Mapping[int, str]
) -> tuple[tuple[Cell, ...], ...]:
    """Rows for a gradebook: (student, homework, the share that is done, of how many parts,
    None, None: no exercises seen or known). The share is None for who came after it had
    closed."""
    rows: list[tuple[Cell, ...]] = []
    all_done = done_in(homeworks, names)
    for homework in homeworks:
        done = all_done[homework.pk]
        lesson = _("Homework until %(day)s") % {"day": homework.last_day.isoformat()}
        rows += [
            (
                name,
                lesson,
                None if done[pk].came_after else done[pk].share(homework),
                parts_of(homework),
                None,
                None,
            )
            for pk, name in names.items()
        ]
    return tuple(rows)


# Cover lessons, as far as a teacher says who the guests were.


def cover_panels(student: Student) -> list[Panel]:
    """Each cover lesson that the student did, if any, part by part."""
    rows = [
        {
            "day": format_date(localtime(done.visit.came)),
            "chapters": f"{done.chapters}/{len(cover.CHAPTERS)}",
            "puzzles": f"{done.puzzles}/{cover.PUZZLES}",
            "boards": f"{done.boards}/{cover.BOARDS}",
            "outcome": _("right") if done.is_right else _("not right") if done.answers else "–",
        }
        for done in cover.done_by([student.pk])
    ]
    return [panel("own-cover", rows)] if rows else []


def cover_rows(names: Mapping[int, str]) -> tuple[tuple[Cell, ...], ...]:
    """Rows for a gradebook, as ``gradebook_rows`` has them; a student who did none of
    a lesson has no row. Several lessons until one day are told apart by a number."""
    every = cover.done_by(names)
    until: dict[date, list[int]] = {}
    for sheet in dict.fromkeys(done.visit.sheet for done in every):
        until.setdefault(sheet.until, []).append(sheet.pk)

    def title(sheet: CoverSheet) -> str:
        words = _("Cover lesson until %(day)s") % {"day": sheet.until.isoformat()}
        number = until[sheet.until].index(sheet.pk) + 1
        return words if number == 1 else f"{words} · {number}"

    return tuple(
        (
            names[done.visit.student_id or 0],
            title(done.visit.sheet),
            done.share,
            cover.PARTS,
            None,
            None,
        )
        for done in every
    )
