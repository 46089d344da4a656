"""What the pages of a lesson show of a step: plain values for the templates, in the reader's
language. Nothing of it is stored, and nothing is shown before its time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.analysis.puzzles import puzzles
from games.rules import parse_card
from games.study.puzzles.words import situation
from lessons.course import Lesson, Step, StepKind, graphs, lessons, markup
from lessons.course.contest import stored_rule
from lessons.course.plan import COVERS
from lessons.course.suspects import watched_rounds
from lessons.course.variables import Variable, variable
from lessons.exercises import EXERCISES
from lessons.exercises.texts import decimal
from lessons.exercises.two_way_tables import crossed_table, path_tree
from lessons.models import Question
from lessons.questions.presentation import AT_AN_END, bar_widths, board_of
from lessons.visits import standings
from lessons.visits.crowd import crowd_for, crowd_panel
from lessons.visits.evidence import right_by_sureness, strips_of, suspects_of
from lessons.visits.experiments import (
    CHANCE,
    LEARNT,
    TABLES,
    experiment_for,
    gain_for,
    part_panel,
)
from lessons.visits.overlay import data_for, overlay_panel, table_of
from lessons.visits.predictions import (
    in_words,
    is_right,
    reason_rows,
    tally,
    tally_rows,
    truth_words,
    unit_words,
)
from lessons.visits.ways import (
    LessonRoom,
    Predictions,
    Visitor,
    Way,
    first_answers,
    own_data,
    predictions,
)
from xactika_site.classrooms.privacy import FEWEST

LUCK = {CHANCE: "luck", LEARNT: "gain_luck"}
"""By what a step shows, the page on which its example is drawn again."""

KIND_NAMES = {
    StepKind.PREDICT: gettext_lazy("Predict"),
    StepKind.DO: gettext_lazy("Try"),
    StepKind.REVEAL: gettext_lazy("See"),
    StepKind.EXPLAIN: gettext_lazy("Explain"),
}


def kind_name(step: Step) -> str:
    """The words for what is done in a step; of a question of one's own nothing is predicted."""
    return _("Pick") if step.graphs else str(KIND_NAMES[step.kind])


def step_context(way: Way, number: int) -> dict[str, Any]:
    """All that the page of one step shows, by name."""
    step = way.lesson.steps[number - 1]
    mine = way.done.get(step.name)
    parts = _PARTS[step.kind](way, step)
    shows = step.shows
    if shows.experiment in (TABLES, *LUCK):
        key = f"chart-{step.name}"
        parts["chart"] = part_panel(shows.experiment, way.visitor.session, key=key)
        parts["watch"] = reverse(LUCK[shows.experiment]) if shows.experiment in LUCK else ""
    if shows.crowd:
        own = crowd_for(way.visitor.session)
        parts["chart"] = crowd_panel(own, key=f"chart-{step.name}")
    return {
        "lesson": way.lesson,
        "title": markup.html(way.lesson.title),
        "way": way,
        "step": step,
        "number": number,
        "steps": path(way, number),
        "kind": kind_name(step),
        "heading": markup.html(step.title),
        "paragraphs": [markup.html(text) for text in step.paragraphs],
        "asks": EXERCISES[step.exercise].title if step.exercise else "",
        "begins": _around_picture(step),
        "board": board_of(shows.bids) if shows.bids else None,
        "share_dots": [n < shows.share.part for n in range(shows.share.whole)]
        if shows.share
        else [],
        "table": table_of(variable(shows.table)) if shows.table else None,
        "table_bars": _table_bars(variable(shows.table)) if shows.table else (),
        "crossed": crossed_table(*shows.crossed) if shows.crossed else None,
        "tree": path_tree(shows.tree) if shows.tree else None,
        "strips": strips_of(shows.strip) if shows.strip else None,
        "watched": watched_rounds(way.seed)[: shows.bots] if shows.bots and way.seed else (),
        "own_graph": own_graph(way) if step.kind is StepKind.REVEAL else "",
        "see": situation(puzzles()[shows.puzzle]) if shows.puzzle is not None else None,
        "mine": mine,
        "done": way.has_done(step),
        "takes": way.takes(number),
        "is_open": number <= way.open_to,
        "closed": way.is_closed(number),
        "room": way.run.state if way.in_room and way.run else "",
        "waits": way.in_room and not way.takes(number),
        "reveal": coming_reveal(way.lesson, number),
        "previous": number - 1,
        "next": number + 1 if number < min(way.open_to, len(way.lesson.steps)) else 0,
        "is_last": number == len(way.lesson.steps),
        "ending": ending(way) if number == len(way.lesson.steps) else None,
        **parts,
    }


def ending(way: Way) -> dict[str, Any] | None:
    """What closes a lesson whose last step is behind somebody: by step in which something can
    be right, whether it was at first; and the lesson after it."""
    steps = way.lesson.steps
    if not way.is_through(steps[-1]):
        return None
    solved = Question.objects.filter(visit=way.visit, answers__number=0, answers__right=True)
    firsts = set(solved.values_list("step", flat=True)) if way.visit else set()
    found: list[bool | None] = []
    for step in steps:
        mine = way.done.get(step.name)
        if step.name in way.solved:
            found.append(step.name in firsts)
        elif mine and step.kind is StepKind.PREDICT:
            found.append(is_right(step, mine.value))
        elif mine and mine.right is not None:
            found.append(mine.right and mine.tries == 1)
    marks = [mark for mark in found if mark is not None]
    after = next((each for each in lessons() if each.number == way.lesson.number + 1), None)
    return {
        "marks": marks,
        "well": sum(marks),
        # As many are glad, rounded up, as were right.
        "figures": [
            (name, n * len(marks) < len(AT_AN_END) * sum(marks) or not marks)
            for n, name in enumerate(AT_AN_END)
        ],
        "next": after if way.lesson.number and not way.in_room else None,
        "next_title": markup.html(after.title) if after else "",
    }


def _table_bars(counted: Variable) -> list[tuple[Sequence[str], int]]:
    """The rows of a variable's table, each with how long its bar is, in hundredths."""
    return list(zip(table_of(counted).rows, bar_widths(counted.shares), strict=True))


def own_graph(way: Way) -> str:
    """The address in the studio of the graph of the question that somebody chose: of the
    class's rounds, or of their own; empty where none was chosen."""
    asks = way.lesson.asks
    mine = way.done.get(asks.name) if asks else None
    if asks is None or mine is None:
        return ""
    return graph_of(asks, mine.value["choice"], in_class=way.visitor.session is not None)


def graph_of(asks: Step, choice: int, *, in_class: bool) -> str:
    """The address of the graph of one question."""
    graph = asks.graphs[choice]
    return graph if "of=" in graph else f"of={'class' if in_class else 'mine'}&{graph}"


def _around_picture(step: Step) -> tuple[str, str]:
    """The first paragraph in two pieces: before and after the step's picture."""
    first = step.paragraphs[0] if step.paragraphs else ""
    shows = step.shows
    others = (step.chart, shows.tree, shows.experiment, shows.strip, shows.crowd)
    if shows.has_objects or any(others):
        return markup.first_sentence(first)
    return markup.html(first), ""


def coming_reveal(course: Lesson, number: int) -> dict[str, Any] | None:
    """The step after this one in which is shown what is true of something that was predicted up
    to here; None where nothing is left to show."""
    predicted = {
        step.name
        for step in course.steps[:number]
        if step.kind is StepKind.PREDICT and not step.graphs
    }
    for n, step in enumerate(course.steps[number:], start=number + 1):
        if step.of in predicted:
            return {"number": n, "kind": kind_name(step)}
    return None


def path(way: Way, number: int) -> list[dict[str, Any]]:
    """The lesson's steps for its contents: which are done, open, shown."""
    return [
        {
            "number": n,
            # A reveal's title may tell what is to be predicted.
            "title": _("What happened")
            if step.kind is StepKind.REVEAL and n > way.open_to
            else markup.plain(step.title),
            "kind": kind_name(step),
            "word": step.kind.value,
            "done": way.has_done(step),
            "open": n <= max(1, way.open_to),
            "here": n == number,
        }
        for n, step in enumerate(way.lesson.steps, start=1)
    ]


def _predict_context(way: Way, step: Step) -> dict[str, Any]:
    mine = way.done.get(step.name)
    chosen = mine.value.get("choice") if mine else None
    return {
        "choices": [
            {"index": index, "text": markup.html(each.text), "chosen": chosen == index}
            for index, each in enumerate(step.statements)
        ],
        "whole": step.whole,
        "rule": list(standings.fields(mine.value if mine else None)) if step.rule else (),
        "least_sure": 100 // len(step.statements) if step.shows.bots else 0,
        "my_sure": mine.value.get("sure") if mine else None,
        "my_number": in_words(step, mine.value) if mine and step.whole else "",
        "unit": unit_words(step.whole, Fraction(step.whole.high)) if step.whole else "",
    }


def _do_context(way: Way, step: Step) -> dict[str, Any]:
    mine = way.done.get(step.name)
    parts: dict[str, Any] = {}
    if step.deal:
        counted = variable(step.deal.variable)
        parts["data"] = data = own_data(way, step.deal.variable) if mine else None
        parts["tally"] = tally_rows(counted.categories, data.counts) if data else ()
        parts["counted"] = counted.title
        marks = counted.marks or (lambda _card: False)
        parts["last"] = [
            [(code, marks(parse_card(code))) for code in hand]
            for hand in (mine.value.get("last", ()) if mine else ())
        ]
    if step.build:
        counted = variable(step.build)
        built = mine.value["built"] if mine else []
        curve = min(len(built), len(counted.curves) - 1)
        tried = mine.value["tried"] if mine else []
        heights = tried or (built[curve] if len(built) > curve else [])
        parts["graph"] = graphs.graph(counted, curve)
        parts["fields"] = graphs.fields(counted)
        parts["typed"] = {
            field.key: decimal(Fraction(str(height)))
            for field, height in zip(parts["fields"], heights, strict=False)
        }
        parts["label"] = counted.curves[curve].label
        parts["curves"], parts["built"] = len(counted.curves), len(built)
        parts["curve_number"] = curve + 1
        parts["hint"] = graphs.hint(counted, curve, tried) if tried else ""
        parts["off"] = graphs.wrong_fields(counted, curve, tried) if tried else ()
    return parts


def _reveal_context(way: Way, step: Step) -> dict[str, Any]:
    predicted = way.lesson.steps[way.lesson.place(step.of) - 1]
    room = predictions(way.run, predicted) if way.run else None
    mine = way.done.get(step.of)
    chart = overlay_panel(step, data_for(way, step)) if step.chart else None
    bots = predicted.shows.bots
    return {
        "predicted": predicted,
        "asked_title": markup.plain(predicted.title),
        "my_words": in_words(predicted, mine.value) if mine else "",
        "was_right": is_right(predicted, mine.value) if mine and not predicted.whole else None,
        "truth": truth_words(predicted),
        "rows": tally(predicted, room, mine.value if mine else None, with_truth=True)
        if room and room.may_be_shown
        else (),
        "students": room.students if room else 0,
        "chart": chart,
        "is_contest": predicted.rule,
        "standings": _standings(way, predicted, room),
        "suspects": suspects_of(predicted, way.seed) if bots and way.seed else None,
        "sureness": right_by_sureness(predicted, room) if bots and room else (),
    }


def _standings(way: Way, step: Step, room: Predictions | None) -> standings.Standings | None:
    """The standings of the rules that a room has handed in, or of one's own beside the tips."""
    if not step.rule or not way.seed:
        return None
    handed_in = way.done[step.name].value if step.name in way.done else None
    mine = stored_rule(handed_in["rule"]) if handed_in else None
    rules = room.rules if room else (mine,) if mine else ()
    return standings.standings(rules, way.seed, mine)


def _explain_context(way: Way, step: Step) -> dict[str, Any]:
    mine = way.done.get(step.name)
    order = mine.value["order"] if mine else []
    places = list(range(len(step.statements)))
    # Everybody sees another order, but always the same one.
    seed = way.visit.pk if way.visit else 1
    Random(f"{seed}{step.name}").shuffle(places)  # noqa: S311 - not a secret
    if places == sorted(places) and step.is_order:
        places.reverse()
    return {
        "choices": [
            {
                "index": index,
                "text": markup.html(step.statements[index].text),
                "chosen": not step.is_order and order == [index],
                "place": order.index(index) + 1 if step.is_order and mine else 0,
                "in_place": step.is_order and order[index : index + 1] == [index],
                "reply": markup.html(step.statements[index].reply)
                if not step.is_order and order == [index]
                else "",
            }
            for index in places
        ],
        "places": range(1, len(places) + 1),
        "in_place": sum(a == b for a, b in enumerate(order)) if step.is_order else 0,
        "explained": mine.right if mine else None,
    }


_PARTS = {
    StepKind.PREDICT: _predict_context,
    StepKind.DO: _do_context,
    StepKind.REVEAL: _reveal_context,
    StepKind.EXPLAIN: _explain_context,
}


# A room.


def room_context(room: LessonRoom) -> dict[str, Any]:
    """What the teacher's page and the wall show of a room's lesson. Predictions are shown when
    they are closed; on the wall, and unasked, only of FEWEST students or more (``rows``), on
    the teacher's page also of fewer, folded (``few``)."""
    step, number, run = room.step, room.run.step, room.run
    way = Way(room.lesson, Visitor(session=run.class_session_id), run)
    context = step_context(way, number)
    if step.shows.experiment == CHANCE and (own := experiment_for(run.class_session_id)):
        context["watch"] = reverse("session_luck", args=[own.session, own.game])
    if step.shows.experiment == LEARNT and (tests := gain_for(run.class_session_id)):
        context["watch"] = reverse("tests_luck", args=[tests[0]])
    if step.kind in (StepKind.PREDICT, StepKind.REVEAL):
        is_over = step.kind is StepKind.REVEAL
        predicted = context["predicted"] if is_over else step
        guesses = predictions(run, predicted)
        rows = tally(predicted, guesses, with_truth=is_over) if is_over or run.closed else ()
        context["rows"] = rows if guesses.may_be_shown else ()
        context["few"] = rows if 0 < guesses.students < FEWEST else ()
        context["students"] = guesses.students
    elif step.kind is StepKind.EXPLAIN:
        context |= _reasons_context(room)
    done = room.answer_counts.get(step.name, 0)
    context |= {
        "run": run,
        "here": room.here,
        "done_by": done,
        "version": room.version,
        "fewest": FEWEST,
        # Rules are handed in to be shown, however few they are.
        "too_few": not (step.rule or context.get("is_contest"))
        and context.get("students", FEWEST) < FEWEST,
        "next_step": _next_step(room),
        "short_next": _next_step(room, short=True),
        "clock": _clock_context(room),
        "counts": [
            {
                **each,
                "count": room.answer_counts.get(step.name, 0),
                "open": True,
                "title": markup.plain(step.title),
                "step": step,
            }
            for each, step in zip(context["steps"], room.lesson.steps, strict=True)
        ],
        "questions": [
            markup.html(text)
            for part in room.lesson.guide.parts
            if part.title == "Questions to ask"
            for text in part.items
        ],
    }
    return context


def _reasons_context(room: LessonRoom) -> dict[str, Any]:
    """What a room said at first in an explain step, and what is right with its reason: for the
    teacher while it is open, for the wall when it is closed."""
    step = room.step
    answers = first_answers(room.run, step)
    rows = reason_rows(step, answers)
    right = next((each for each in step.statements if each.is_right), None)
    return {
        "rows": rows if len(answers) >= FEWEST else (),
        "few": rows if 0 < len(answers) < FEWEST else (),
        "students": len(answers),
        "order": [markup.html(each.text) for each in step.statements] if step.is_order else (),
        "right": markup.html(right.text) if right and not step.is_order else "",
        "reason": markup.html(right.reply) if right and not step.is_order else "",
    }


def _next_step(room: LessonRoom, *, short: bool = False) -> dict[str, Any] | None:
    """The next step, or the next one on the short path where that is another."""
    steps = list(enumerate(room.lesson.steps, start=1))[room.run.step :]
    number, step = next((each for each in steps if each[1].is_short or not short), (0, None))
    if step is None or (short and number == room.run.step + 1):
        return None
    return {"number": number, "title": markup.plain(step.title), "kind": kind_name(step)}


def _clock_context(room: LessonRoom) -> dict[str, Any] | None:
    """How many minutes the lesson has run, beside what its plan says of the step; None where
    there is no plan, or that is long past: another day, or left open."""
    course, number = room.lesson, room.run.step
    if not room.step.minutes or room.minutes > 2 * course.minutes:
        return None
    return {
        "now": room.minutes,
        "plan": course.planned(number),
    }


# The lessons side by side.


def cover(course: Lesson) -> dict[str, Any]:
    """What is drawn beside a lesson's title: cards, or a drawing of its own."""
    if course.cover in COVERS:
        return {"drawing": f"lessons/course/covers/{course.cover}.svg"}
    return {"cards": course.cover.split()}
