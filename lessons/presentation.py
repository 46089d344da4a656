"""A question as its template reads it (templates/lessons/_question.html).

Wherever it stands, it is drawn from here; what must not be known before the answer is in does
not get in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from lessons.exercises import EXERCISES, NoSuchQuestion, Outcome, Verdict, rebuild
from lessons.exercises.answers import Form, Unreadable, read
from lessons.exercises.engine import Cards, Option, Table
from lessons.exercises.engine import Question as Built
from lessons.models import Question
from lessons.pictures import Picture, draw, letter

LONGEST_ECHO = 80
"""Characters of an unreadable answer that come back to be corrected."""


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field to fill in: its control's id, what stands in it, and what became of it ("", or an
    Outcome's value)."""

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
        return self.outcome not in ("", Outcome.RIGHT.value)

    @property
    def keyboard(self) -> str:
        """Which keyboard a phone offers; a chance needs the stroke of a fraction."""
        digits = {Form.COUNT.value: "numeric", Form.DEGREES.value: "decimal"}
        return digits.get(self.form, "text")

    @property
    def example(self) -> str:
        """How it may be written, in the field's words."""
        return {
            Form.CHANCE.value: pgettext("how to write a chance", "like 3/8 or 37.5 %"),
            Form.DEGREES.value: pgettext("how to write an angle", "in degrees"),
        }.get(self.form, "")


@dataclass(frozen=True, slots=True)
class Row:
    """A bar or slice: its category, the heights that are given, and the student's field."""

    category: str
    given: tuple[int, ...]
    field: ShownField
    letter: str


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """A graph to build: its drawing now, and its fields row by row. ``given`` and ``asked``
    name the columns."""

    kind: str
    given: tuple[str, ...]
    asked: str
    rows: tuple[Row, ...]
    picture: Picture


@dataclass(frozen=True, slots=True)
class Shown:
    """A question at one moment. ``state`` is ``open`` (answers are taken), ``right``, ``shown``
    (how it goes was asked for), ``closed`` (the class waits for the reveal) or ``gone`` (no
    exercise makes this question). ``solution`` is empty until it may be seen."""

    pk: int
    state: str
    place: str
    title: str = ""
    level: str = ""
    skill: str = ""
    prompt: str = ""
    number: int = 0
    cards: tuple[Cards, ...] = ()
    tables: tuple[Table, ...] = ()
    graph: ShownGraph | None = None
    fields: tuple[ShownField, ...] = ()
    verdict: str = ""
    outcome: str = ""
    solution: tuple[str, ...] = ()
    is_just_answered: bool = False
    back: str = ""

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def may_solve(self) -> bool:
        """Whether "show me how" is offered: not while the class still answers."""
        return self.is_open and self.place != Question.Place.CLASS

    @property
    def may_go_on(self) -> bool:
        """Whether another question comes after this one."""
        return self.place == Question.Place.PRACTICE and not self.is_open

    @property
    def verdict_takes_focus(self) -> bool:
        troubled = any(each.takes_focus for each in self.all_fields)
        return self.is_just_answered and bool(self.verdict) and not troubled

    @property
    def all_fields(self) -> tuple[ShownField, ...]:
        drawn = tuple(row.field for row in self.graph.rows) if self.graph else ()
        return (*drawn, *self.fields)


def show(
    stored: Question,
    *,
    verdict: Verdict | None = None,
    texts: Mapping[str, str] | None = None,
    refusal: str = "",
) -> Shown:
    """The question as it stands; right after an answer with its verdict and what was typed."""
    try:
        question = rebuild(stored.to_json())
    except NoSuchQuestion:
        return Shown(stored.pk, "gone", stored.place, back=_back(stored))
    exercise = EXERCISES[stored.exercise]
    given = list(stored.answers.order_by("number"))
    state = _state(stored, bool(given) and given[-1].right)
    if texts is None and given:
        texts = given[-1].values
    fields = _fields(stored, question, verdict, texts or {}, is_open=state == "open")
    message, outcome = _message(state, verdict, refusal)
    drawn = {key for each in _asked_series(question) for key in each}
    by_key = {each.key: each for each in fields}
    return Shown(
        pk=stored.pk,
        state=state,
        place=stored.place,
        title=str(exercise.title),
        level=exercise.level,
        skill=exercise.skill.title,
        prompt=question.prompt,
        number=len(given),
        cards=question.cards,
        tables=question.tables,
        graph=_graph(question, by_key, is_over=state in ("right", "shown")),
        fields=tuple(each for each in fields if each.key not in drawn),
        verdict=message,
        outcome=outcome,
        solution=question.solution if may_be_shown(stored, state) else (),
        is_just_answered=verdict is not None or bool(refusal),
        back=_back(stored),
    )


def _back(stored: Question) -> str:
    """Where somebody belongs after this question."""
    if stored.deal is not None:
        return reverse("table", args=[stored.deal.table_id])
    if stored.place == Question.Place.CLASS and stored.class_session_id is not None:
        return reverse("lobby", args=[stored.class_session_id])
    return reverse("practice")


def _state(stored: Question, is_right: bool) -> str:
    exercise = stored.class_exercise
    if is_right:
        return "right"
    if exercise is not None and exercise.revealed is not None:
        return "shown"
    if stored.solved is not None:
        return "shown"
    return "closed" if exercise is not None and exercise.closed is not None else "open"


def may_be_shown(stored: Question, state: str) -> bool:
    """Whether the way to the answer may be seen: of a class exercise once it is revealed."""
    exercise = stored.class_exercise
    return state in ("right", "shown") and (exercise is None or exercise.revealed is not None)


def _message(state: str, verdict: Verdict | None, refusal: str) -> tuple[str, str]:
    """The line about the answer, and its kind for the template."""
    if refusal:
        return refusal, "refused"
    if verdict is not None:
        return verdict.message, verdict.outcome.value
    if state == "right":
        return _("Right!"), Outcome.RIGHT.value
    if state == "closed":
        return _("Your teacher has closed this question. How it goes comes soon."), "refused"
    return "", ""


def _fields(
    stored: Question,
    question: Built,
    verdict: Verdict | None,
    texts: Mapping[str, str],
    *,
    is_open: bool,
) -> list[ShownField]:
    outcomes = verdict.fields if verdict is not None and is_open else {}
    is_costless = verdict is not None and not verdict.uses_attempt
    shown = []
    focus_is_free = is_costless
    for each in question.fields:
        outcome = outcomes[each.key].value if each.key in outcomes else ""
        takes_focus = focus_is_free and outcome not in ("", Outcome.RIGHT.value)
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


def _asked_series(question: Built) -> list[tuple[str, ...]]:
    graph = question.graph
    return [series.fields for series in graph.series if series.fields] if graph else []


def _graph(
    question: Built, fields: Mapping[str, ShownField], *, is_over: bool
) -> ShownGraph | None:
    """The graph with the student's numbers drawn in, as far as they can be read; once it is
    over, with the right ones."""
    graph = question.graph
    if graph is None:
        return None
    asked = next(series for series in graph.series if series.fields)
    given = [series for series in graph.series if not series.fields]
    rows = tuple(
        Row(
            category,
            tuple(series.heights[n] for series in given),
            fields[asked.fields[n]],
            letter(n),
        )
        for n, category in enumerate(graph.categories)
    )
    own = tuple(
        _height(question.right[row.field.key] if is_over else row.field.text) for row in rows
    )
    return ShownGraph(
        kind=graph.kind,
        given=tuple(series.label for series in given),
        asked=asked.label,
        rows=rows,
        picture=draw(graph, own),
    )


def _height(typed: Any) -> float | None:
    """A height to draw: a right one, or one that was typed; None for what cannot be read or
    drawn."""
    if not isinstance(typed, str):
        return float(typed)
    try:
        value = read(typed).value
    except Unreadable:
        return None
    return float(value) if 0 <= value <= 1000 else None
