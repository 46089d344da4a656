"""Five puzzles to begin a lesson with, as a lesson of their own: each is predicted on the
students' devices, locked, and shown. What such a lesson says is made from the puzzles' data, in
the reader's language; it has no number, no teacher's page, and counts in no figure of a class.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from functools import lru_cache

from django.utils.translation import gettext as _

from games.analysis.paths import tip_play
from games.analysis.puzzles import BALANCED, Kind, Puzzle, Use, numbers_for, puzzles
from games.analysis.puzzles.proofs import leads
from games.rules import move_text
from games.study.puzzles.words import KINDS, answer_words, question, solution
from lessons.course.plan import Lesson, Shows, Statement, Step, StepKind
from lessons.exercises.engine import Level

MINUTES = 10
CHOICES = 4
"""Answers to choose from where the puzzle has more: the right one, and such as tempt."""

_SLUG = re.compile(r"starter-([1-9]\d?)")


@lru_cache(maxsize=1)
def sets() -> tuple[tuple[int, ...], ...]:
    """The numbers of the puzzles of every set: easy ones of all kinds, and a second one of who
    can hold it. They are kept for sets: no day and no homework has them."""
    pool = [(n, puzzles()[n]) for n in numbers_for(Use.SET)]
    easy = {kind: [n for n, p in pool if p.kind is kind and p.level == 1] for kind in Kind}
    more = [n for n, p in pool if p.kind is Kind.HOLD and p.level == 2]
    order = (easy[Kind.HOLD], easy[Kind.LEAD], easy[Kind.BID], more, easy[Kind.LAST])
    return tuple(zip(*order, strict=False))


def slug_for(day: date, had: Collection[str] = ()) -> str:
    """The slug of the set offered on a day to a class that ``had`` these: on the next another
    one, and the same again only when it has had them all."""
    offered = [f"starter-{n}" for n, each in enumerate(sets(), 1) if min(each) >= BALANCED]
    first = day.toordinal() % len(offered)
    turns = offered[first:] + offered[:first]
    return next((slug for slug in turns if slug not in had), turns[0])


def is_starter(slug: str) -> bool:
    """Whether this is the address of a set, of one that there is or not."""
    return slug.startswith("starter-")


def starter(slug: str) -> Lesson:
    """A set of five puzzles as a lesson, by its address; KeyError if there is none."""
    named = _SLUG.fullmatch(slug)
    if named is None or int(named[1]) > len(sets()):
        raise KeyError(slug)
    steps: list[Step] = []
    for place, number in enumerate(sets()[int(named[1]) - 1], start=1):
        steps += _steps(place, number)
    return Lesson(
        slug=slug,
        title=_("Five puzzles"),
        level=Level.A,
        minutes=MINUTES,
        summary=_("Everybody predicts on their own device; then you show why."),
        cover="3333 2333 1333",
        steps=tuple(steps),
    )


def _steps(place: int, number: int) -> tuple[Step, Step]:
    """The prediction of one puzzle, and what is true."""
    puzzle = puzzles()[number]
    name, why = f"puzzle-{number}", solution(number)
    title = f"{place}. {KINDS[puzzle.kind]}"
    statements = tuple(
        Statement(answer_words(puzzle, text), text == puzzle.answer, "")
        for text in _choices(puzzle)
    )
    prediction = Step(
        name=name,
        kind=StepKind.PREDICT,
        title=title,
        paragraphs=question(puzzle),
        statements=statements,
        shows=Shows(puzzle=number),
    )
    step = Step(
        name=f"{name}-shown",
        kind=StepKind.REVEAL,
        title=title,
        paragraphs=why.reasons,
        of=name,
        shows=Shows(puzzle=number),
    )
    return prediction, step


def _choices(puzzle: Puzzle) -> list[str]:
    """What can be predicted: all answers, or CHOICES of them, as they always stand."""
    match puzzle.kind:
        case Kind.HOLD:
            return list(puzzle.choices)
        case Kind.BID:
            gains = {n: gain for n, gain in enumerate(puzzle.points) if gain is not None}
            first = sorted(gains, key=gains.__getitem__)[-CHOICES:]
            return [str(bid) for bid in sorted(first)]
        case Kind.LEAD:
            ranked = sorted(leads(puzzle), key=lambda lead: len(lead.beaters))
            near = {move_text(lead.play) for lead in ranked[:CHOICES]}
        case Kind.LAST:
            each_card = puzzle.choices[::5]  # each with another of its four calls
            tip = move_text(tip_play(puzzle.now))
            near = {*list(dict.fromkeys((puzzle.answer, tip, *each_card)))[:CHOICES]}
    return [text for text in puzzle.choices if text in near]
