"""A question as its template reads it (templates/lessons/questions/_question.html).

Wherever it stands, it is drawn from here; what must not be known before the answer is in does
not get in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.words import colon
from lessons.exercises import (
    AnswerGrade,
    NoSuchQuestion,
    Verdict,
    exercise_of,
    rebuild,
    stored_words,
)
from lessons.exercises.answers import Form
from lessons.exercises.authored import AUTHORED
from lessons.exercises.engine import (
    STEP,
    Blank,
    Cards,
    Instance,
    NumberTable,
    Option,
    Tree,
    Wrong,
)
from lessons.exercises.texts import beside, decimal, exact_percent
from lessons.models import Question
from lessons.questions.asking import MOST_ATTEMPTS
from lessons.questions.pictures import (
    GraphPicture,
    HistogramPicture,
    building_plan,
    draw,
    height,
    histograms,
)

LONGEST_ECHO = 80
"""Characters of an unreadable answer that come back to be corrected."""

AT_AN_END = ("Ada", "Carl", "Emmy", "Thomas", "Grace")
"""Whose figures stand at the end of a run of questions, and of a lesson."""

AT_BOARD = ("Ada", "Carl", "Emmy", "Thomas", "Grace", "Alan", "Blaise", "Marie", "Leonhard")
"""Whose figures stand at the seats before the dealer's: nine at most."""
DEALER = "Florence"

STUCK = 2
"""Wrong answers after which a question points to its hint or its solution."""


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field to fill in: its control's id, what stands in it, and what became of it ("", or an
    Grade's value)."""

    id: str
    key: str
    label: str
    form: str
    text: str
    outcome: str
    options: tuple[Option, ...] = ()
    takes_focus: bool = False

    @property
    def is_choice(self) -> bool:
        return self.form == Form.CHOICE.value

    @property
    def is_troubled(self) -> bool:
        return self.outcome not in ("", AnswerGrade.RIGHT.value)

    @property
    def keyboard(self) -> str:
        """Which keyboard a phone offers; a chance needs the stroke of a fraction."""
        digits = {Form.COUNT.value: "numeric", Form.DEGREES.value: "decimal"}
        return digits.get(self.form, "text")

    @property
    def example(self) -> str:
        """An example of how it may be written, in the field's words."""
        return {
            Form.CHANCE.value: pgettext("how to write a chance", "like 3/8 or 37.5%"),
            Form.DEGREES.value: pgettext("how to write an angle", "in degrees"),
            Form.PERCENT.value: pgettext("how to write a percentage", "in percent"),
        }.get(self.form, "")


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """A graph: the fields that build it, what the widget's script needs, and its picture, in
    which stand what is given and, once it is over, what is right."""

    fields: tuple[ShownField, ...]
    plan: dict[str, Any]
    picture: GraphPicture


def bar_widths(shares: Sequence[Fraction]) -> list[int]:
    """How long each share's bar is, in hundredths of the longest."""
    return [round(100 * share / max(shares)) for share in shares]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table: what is given, and fields in the boxes to fill in."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | ShownField, ...], ...]
    bars: tuple[Fraction, ...] = ()

    @property
    def lines(self) -> list[tuple[tuple[str | ShownField, ...], int | None]]:
        """Its rows, each with its bar's length in hundredths where they have bars."""
        widths = bar_widths(self.bars) if self.bars else [None] * len(self.rows)
        return list(zip(self.rows, widths, strict=True))

    @property
    def fields(self) -> tuple[ShownField, ...]:
        """Those that stand in its boxes."""
        return tuple(cell for row in self.rows for cell in row if isinstance(cell, ShownField))


@dataclass(frozen=True, slots=True)
class ShownBid:
    """A seat on the board of a round's bids: whose figure stands there, and what was bid."""

    figure: str
    place: str
    bid: str

    @property
    def circles(self) -> range:
        return range(int(self.bid) if self.bid.isdecimal() else 0)


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A round's bids at their seats, the dealer's last; what is asked of that, ``field``, is
    answered there. Once it is over, the dealer's is the forbidden one."""

    caption: str
    bids: tuple[ShownBid, ...]
    dealer: ShownBid
    field: ShownField | None = None
    is_forbidden: bool = False


def board_of(bids: Sequence[str]) -> ShownBoard:
    """These bids at their seats, the dealer's last."""
    seats = tuple(ShownBid(name, "", bid) for name, bid in zip(AT_BOARD, bids, strict=False))
    return ShownBoard("", seats[: len(bids) - 1], ShownBid(DEALER, "", bids[-1]))


@dataclass(frozen=True, slots=True)
class ShownHint:
    """The help with a question as far as it was taken: the hint, then the step to fill in, what
    was typed there and what became of it; the step's number once it is right (``done``)."""

    hint: str = ""
    ask: str = ""
    text: str = ""
    done: str = ""
    told: str = ""
    outcome: str = ""
    is_just_taken: bool = False
    has_more: bool = True


class QuestionState(StrEnum):
    """How a question stands."""

    OPEN = "open"  # answers are taken
    RIGHT = "right"
    SHOWN = "shown"  # how it goes was asked for
    CLOSED = "closed"  # the class waits for the reveal
    GONE = "gone"  # no exercise makes this question
    PREVIEW = "preview"  # nobody answers it

    @property
    def is_over(self) -> bool:
        return self in (QuestionState.RIGHT, QuestionState.SHOWN)


@dataclass(frozen=True, slots=True)
class Shown:
    """A question at one moment. ``solution`` is empty until it may be seen."""

    pk: int
    state: QuestionState
    place: str
    title: str = ""
    level: str = ""
    skill: str = ""
    prompt: str = ""
    number: int = 0
    board: ShownBoard | None = None
    cards: tuple[Cards, ...] = ()
    tables: tuple[ShownTable, ...] = ()
    tree: Tree | None = None
    histograms: tuple[HistogramPicture, ...] = ()
    graph: ShownGraph | None = None
    fields: tuple[ShownField, ...] = ()
    verdict: str = ""
    outcome: str = ""
    aid: ShownHint | None = None
    solution: tuple[str, ...] = ()
    way: tuple[str, ...] = ()
    """The solution before it may be seen, for the teacher alone."""
    is_just_answered: bool = False
    back: str = ""
    is_homework_open: bool = False
    signed: str = ""
    """In a teacher's own set: what rebuilds the question, signed."""

    @property
    def action(self) -> str:
        """The address to which its answer goes; empty for the page where it stands."""
        if self.is_in_test:
            return ""
        return (
            reverse("question_try")
            if self.signed
            else reverse("question_answer", args=[self.pk])
        )

    @property
    def is_in_test(self) -> bool:
        """Whether it is asked once, without help, and nothing is told of the answer."""
        return self.place in (Question.Place.TEST, Question.Place.ENTRY)

    @property
    def is_open(self) -> bool:
        return self.state is QuestionState.OPEN

    @property
    def may_solve(self) -> bool:
        """Whether "show me how" is offered: not while the class still answers or its homework
        is open, and once there are no more hints, or tries."""
        waits = self.place == Question.Place.CLASS or self.is_homework_open or self.is_in_test
        is_all = not self.may_hint or self.number >= MOST_ATTEMPTS
        return self.is_open and not waits and is_all

    @property
    def may_hint(self) -> bool:
        """Whether a hint is offered."""
        return self.is_open and self.aid is not None and self.aid.has_more

    @property
    def is_stuck(self) -> bool:
        """Whether so many answers were wrong that the way on, if any, is to be pointed at."""
        has_way = self.may_hint or self.may_solve
        return has_way and self.outcome == AnswerGrade.WRONG.value and self.number >= STUCK

    @property
    def may_go_on(self) -> bool:
        """Whether another question comes after this one."""
        return self.place == Question.Place.PRACTICE and not self.is_open

    @property
    def verdict_takes_focus(self) -> bool:
        placed = [each for table in self.tables for each in table.fields]
        if self.board and self.board.field:
            placed.append(self.board.field)
        troubled = any(each.takes_focus for each in (*self.fields, *placed))
        return self.is_just_answered and bool(self.verdict) and not troubled

    @property
    def solution_takes_focus(self) -> bool:
        """Whether somebody has just asked for the solution; not whenever the question is
        shown."""
        return self.is_just_answered and self.state is QuestionState.SHOWN and not self.verdict


def show(
    stored: Question,
    *,
    verdict: Verdict | None = None,
    texts: Mapping[str, str] | None = None,
    refusal: str = "",
    is_just_solved: bool = False,
    step: Verdict | None = None,
    is_hint: bool = False,
) -> Shown:
    """The question as it stands; right after an answer with its verdict and what was typed,
    after a hint (``is_hint``) with it, and with what became of its step."""
    try:
        question = rebuild(stored.to_json())
    except NoSuchQuestion:
        return Shown(stored.pk, QuestionState.GONE, stored.place, back=_way_back(stored))
    given = sorted(stored.answers.all(), key=lambda each: each.number)
    state = _state(stored, bool(given) and given[-1].right)
    if texts is None and given:
        texts = _as_typed(question, given[-1].values)
    return replace(
        _presented(stored, question, state, verdict, texts or {}, refusal),
        number=len(given),
        aid=_shown_hint(stored, question, step, texts or {}, is_hint=is_hint),
        solution=solution_of(question) if may_be_shown(stored, state) else (),
        is_just_answered=verdict is not None or bool(refusal) or is_just_solved,
        back=_way_back(stored),
        is_homework_open=stored.homework is not None and stored.homework.is_open,
    )


def _as_typed(question: Instance, stored: Mapping[str, str]) -> dict[str, str]:
    """By field a stored value to begin from; percents with their sign, for 1 would be 1%."""
    percents = {each.key for each in question.fields if each.form is Form.PERCENT}
    return {
        key: stored_words(Form.PERCENT, value) if key in percents else value
        for key, value in stored.items()
    }


def preview(
    exercise: str, parameters: Mapping[str, Any] | None, *, is_revealed: bool = False
) -> Shown:
    """A question without anybody to answer it, for a teacher and for the wall; ``gone`` if no
    exercise makes it."""
    stored = Question(pk=0, place=Question.Place.CLASS, exercise=exercise)
    try:
        question = rebuild({"exercise": exercise, "parameters": parameters})
    except NoSuchQuestion:
        return Shown(0, QuestionState.GONE, stored.place)
    state = QuestionState.SHOWN if is_revealed else QuestionState.PREVIEW
    return replace(_presented(stored, question, state, None, {}), way=solution_of(question))


def trial(
    number: int,
    stored: Mapping[str, Any],
    *,
    verdict: Verdict | None = None,
    texts: Mapping[str, str] | None = None,
) -> Shown:
    """A question of a set as a student gets it, for the teacher to answer; nothing is kept of
    that. ``number`` is its place on the page."""
    asked = Question(pk=number, place=Question.Place.CLASS, exercise=stored["exercise"])
    question = rebuild(stored)
    is_right = verdict is not None and verdict.grade is AnswerGrade.RIGHT
    state = QuestionState.RIGHT if is_right else QuestionState.OPEN
    hint, wrong = question.hint, question.wrong
    told = [f"✗ {_answers_words(question, each)}{colon()}{each.hint}" for each in wrong]
    return replace(
        _presented(asked, question, state, verdict, texts or {}),
        way=(*([hint.hint] if hint else []), *solution_of(question), *told),
        is_just_answered=verdict is not None,
        signed=signing.dumps({"number": number, **stored}, salt=SIGNED),
    )


def solution_of(question: Instance) -> tuple[str, ...]:
    """The worked solution, and what is right of the choices; teachers' own has both already."""
    chosen = {
        field: right
        for field in question.fields
        if isinstance(right := question.right[field.key], str)
        and question.exercise != AUTHORED.key
    }
    lines = (beside(field.label, field.label_of(key)) for field, key in chosen.items())
    return (*question.solution, *lines)


def _answers_words(question: Instance, wrong: Wrong) -> str:
    """What is answered wrongly, field by field, as people read it."""
    found = []
    for field in question.fields:
        answer = wrong.answers.get(field.key)
        if isinstance(answer, str):
            found.append(field.label_of(answer))
        elif isinstance(answer, Fraction) and field.form is Form.PERCENT:
            found.append(exact_percent(answer))
        elif answer is not None:
            found.append(decimal(answer))
    return ", ".join(found)


SIGNED = "a question of a set"
"""What the signature of a question that is tried is for."""


def _presented(
    stored: Question,
    question: Instance,
    state: QuestionState,
    verdict: Verdict | None,
    texts: Mapping[str, str],
    refusal: str = "",
) -> Shown:
    """The question as shown in this state, its solution with it once it is over."""
    exercise = exercise_of(question.exercise)
    is_open = state is QuestionState.OPEN
    fields = _shown_fields(stored, question, verdict, texts, is_open=is_open)
    message, outcome = _message(state, verdict, refusal)
    placed = _placed(question)
    return Shown(
        pk=stored.pk,
        state=state,
        place=stored.place,
        title=exercise.title_of(question.parameters),
        level=exercise.level_of(question.parameters),
        skill="" if exercise is AUTHORED else exercise.skill.title,
        prompt=question.prompt,
        board=_shown_board(question, fields, is_over=state.is_over),
        cards=question.cards,
        tables=_shown_tables(question, fields, is_over=state.is_over),
        tree=question.tree,
        histograms=histograms(question.histograms) if question.histograms else (),
        graph=_shown_graph(question, fields, is_over=state.is_over),
        fields=tuple(each for each in fields if each.key not in placed),
        verdict=message,
        outcome=outcome,
        solution=solution_of(question) if state.is_over else (),
    )


def _shown_hint(
    stored: Question,
    question: Instance,
    step: Verdict | None,
    texts: Mapping[str, str],
    *,
    is_hint: bool,
) -> ShownHint | None:
    """The help as far as it was taken; None where there is none, or none is given: the class
    answers by itself, or it is a test."""
    silent = (Question.Place.TEST, Question.Place.ENTRY)
    has_help = stored.class_exercise_id is None and stored.place not in silent
    aid = question.hint if has_help else None
    if aid is None:
        return None
    taken = stored.hints
    return ShownHint(
        hint=aid.hint if taken else "",
        ask=aid.ask if taken > 1 else "",
        text=str(texts.get(STEP, ""))[:LONGEST_ECHO],
        done=decimal(aid.right) if taken > 2 and aid.right is not None else "",
        told=step.message if step is not None else "",
        outcome=step.grade.value if step is not None else "",
        is_just_taken=is_hint,
        has_more=taken < (2 if aid.ask else 1),
    )


def _way_back(stored: Question) -> str:
    """The address where somebody belongs after this question."""
    if stored.deal is not None:
        return reverse("table", args=[stored.deal.table_id])
    if stored.place == Question.Place.CLASS and stored.class_session_id is not None:
        return reverse("lobby", args=[stored.class_session_id])
    if stored.homework is not None:
        return stored.homework.get_absolute_url()
    if stored.taker is not None:
        return stored.taker.assessment.get_absolute_url()
    if stored.visit is not None:
        return reverse("lesson", args=[stored.visit.lesson])
    if stored.place == Question.Place.LESSON:  # its visit has expired before it
        return reverse("lessons")
    return reverse("practice")


def _state(stored: Question, is_right: bool) -> QuestionState:
    exercise = stored.class_exercise
    if stored.taker is not None and not stored.taker.assessment.is_over:
        return QuestionState.OPEN
    if is_right:
        return QuestionState.RIGHT
    if stored.taker is not None or stored.solved is not None:
        return QuestionState.SHOWN
    if exercise is not None and exercise.revealed is not None:
        return QuestionState.SHOWN
    is_closed = exercise is not None and exercise.closed is not None
    return QuestionState.CLOSED if is_closed else QuestionState.OPEN


def may_be_shown(stored: Question, state: QuestionState) -> bool:
    """Whether the way to the answer may be seen: of a class exercise once it is revealed."""
    exercise = stored.class_exercise
    return state.is_over and (exercise is None or exercise.revealed is not None)


def _message(state: QuestionState, verdict: Verdict | None, refusal: str) -> tuple[str, str]:
    """The line about the answer, and its kind for the template."""
    if refusal:
        return refusal, "refused"
    if verdict is not None:
        return verdict.message, verdict.grade.value
    if state is QuestionState.RIGHT:
        return _("Right!"), AnswerGrade.RIGHT.value
    if state is QuestionState.CLOSED:
        return _("It has closed."), "refused"
    return "", ""


def _shown_fields(
    stored: Question,
    question: Instance,
    verdict: Verdict | None,
    texts: Mapping[str, str],
    *,
    is_open: bool,
) -> list[ShownField]:
    outcomes = verdict.fields if verdict is not None and is_open else {}
    is_costless = verdict is not None and not verdict.uses_attempt
    shown = []
    focus_is_free, built = is_costless, question.graph.fields if question.graph else ()
    for each in question.fields:
        outcome = outcomes[each.key].value if each.key in outcomes else ""
        is_troubled = outcome not in ("", AnswerGrade.RIGHT.value)
        takes_focus = focus_is_free and is_troubled and each.key not in built
        focus_is_free = focus_is_free and not takes_focus
        shown.append(
            ShownField(
                id=f"q{stored.pk}-{each.key}",
                key=each.key,
                label=each.label,
                form=each.form.value,
                text=str(texts.get(each.key, ""))[:LONGEST_ECHO],
                outcome=outcome,
                options=each.options,
                takes_focus=takes_focus,
            )
        )
    return shown


def _shown_board(
    question: Instance, fields: Sequence[ShownField], *, is_over: bool
) -> ShownBoard | None:
    table = next((each for each in question.tables if each.board), None)
    if table is None:
        return None
    seats = zip(AT_BOARD, table.rows, strict=False)
    bids = tuple(ShownBid(name, *map(str, row)) for name, row in seats)
    field = next(each for each in fields if each.key == table.board)
    bid = str(question.right[table.board]) if is_over else field.text
    dealer = ShownBid(DEALER, "", bid)
    is_forbidden = is_over and bid.isdecimal()  # there may be none
    return ShownBoard(table.caption, bids, dealer, field, is_forbidden=is_forbidden)


def _shown_graph(
    question: Instance, fields: Sequence[ShownField], *, is_over: bool
) -> ShownGraph | None:
    """The graph to build, with what was typed so far."""
    graph = question.graph
    if graph is None:
        return None
    mine = tuple(each for each in fields if each.key in graph.fields)
    form = Form(mine[0].form)
    right = [height(question.right[each.key], form) if is_over else None for each in mine]
    plan = building_plan(graph, form, [each.id for each in mine])
    return ShownGraph(fields=mine, plan=plan, picture=draw(graph, right))


def _shown_tables(
    question: Instance, fields: Sequence[ShownField], *, is_over: bool
) -> tuple[ShownTable, ...]:
    """The tables with their fields in the boxes, but a board's; with what is right, once it is
    over."""
    boxes: dict[str, str | ShownField] = {each.key: each for each in fields}
    if is_over:
        boxes |= {k: decimal(v) for k, v in question.right.items() if not isinstance(v, str)}
    return tuple(
        ShownTable(
            table.caption,
            table.head,
            tuple(
                tuple(boxes[cell.field] if isinstance(cell, Blank) else cell for cell in row)
                for row in table.rows
            ),
            table.bars or _counted(table),
        )
        for table in question.tables
        if not table.board
    )


def _counted(table: NumberTable) -> tuple[Fraction, ...]:
    """How often each row is counted, where that is all that a table has: to be drawn, too."""
    cells = [row[1] if len(row) == 2 else "" for row in table.rows]
    counts = [int(cell) for cell in cells if isinstance(cell, str) and cell.isdecimal()]
    return tuple(map(Fraction, counts)) if len(counts) == len(cells) and any(counts) else ()


def _placed(question: Instance) -> tuple[str, ...]:
    """The keys of the fields that have their place: in the graph, in a table's boxes, or on the
    board."""
    in_tables = (key for table in question.tables for key in table.blanks)
    on_board = (table.board for table in question.tables if table.board)
    return (*(question.graph.fields if question.graph else ()), *in_tables, *on_board)
