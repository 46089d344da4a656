"""Questions about two events together: type 26 (a two-way table)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import (
    LEVEL,
    Blank,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.events import count_cards, event_words
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    exact_percent,
    math,
    tex_decimal,
    tex_over,
)
from lessons.probability import CARDS

Event = Sequence[Any]
"""``["call", "1-ball"]``, ``["value", 10]`` or ``["least", 9]``, as in ``events``."""


def heads(event: Event) -> tuple[str, str]:
    """What stands above a column, or before a row: for the event and for its opposite."""
    what, of = event
    if what == "call":
        facts = {"call": call_words(parse_call(of))}
        return _("%(call)s") % facts, _("not %(call)s") % facts
    if what == "value":
        return _("value %(value)d") % {"value": of}, _("another value")
    return _("%(value)d or more") % {"value": of}, _("less than %(value)d") % {"value": of}


def two_way(one: Event, other: Event, cells: Sequence[str | Blank]) -> NumberTable:
    """A table of two events: four boxes (both, the first alone, the second alone, neither),
    then the sums of rows and columns, which may be left out."""
    (yes, no), (across, beside) = heads(one), heads(other)
    both, first, second, neither, *sums = cells
    head, rows = ["", across, beside], [[yes, both, first], [no, second, neither]]
    if sums:
        head.append(_("all"))
        rows[0].append(sums[0])
        rows[1].append(sums[1])
        rows.append([_("all"), *sums[2:]])
    caption = _("The cards of the deck") if sums else _("Count the cards in each box")
    return NumberTable(caption, tuple(head), tuple(map(tuple, rows)))


def boxes(one: Event, other: Event) -> tuple[int, int, int, int]:
    """How many cards of the deck do both, the first alone, the second alone, neither."""
    first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
    return both, first - both, second - both, CARDS - first - second + both


def edges(one: Event, other: Event) -> tuple[str, ...]:
    """The sums of rows and columns of the deck's table, as they are printed."""
    first, second = count_cards(one), count_cards(other)
    return tuple(map(str, (first, CARDS - first, second, CARDS - second, CARDS)))


def crossed_table(one: Event, other: Event) -> NumberTable:
    """The deck's table of two events, with the share of the second in each row."""
    found, sums = boxes(one, other), edges(one, other)
    table = two_way(one, other, [*map(str, found), *sums])
    shares = [
        Fraction(found[0], count_cards(one)),
        Fraction(found[2], CARDS - count_cards(one)),
        Fraction(count_cards(other), CARDS),
    ]
    across = heads(other)[0]
    return replace(
        table,
        head=(*table.head, _("share of %(name)s") % {"name": across}),
        rows=tuple(
            (*row, exact_percent(share)) for row, share in zip(table.rows, shares, strict=True)
        ),
    )


BOXES = ("both", "first", "second", "neither")
SURVEYS = (40, 50, 60, 80, 90, 100, 120)
"""How many students an imagined school asks."""


class TwoWayTable(Exercise):
    number = 26
    key = "two-way-table"
    title = gettext_lazy("Four boxes for two events")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "A", 4
    levels = ("A", "B", "C")
    skill = Skill.CONDITIONS
    misconceptions = (
        Misconception.DOUBLE_COUNT,
        Misconception.AND_FOR_OR,
        Misconception.INVERSE,
        Misconception.JOINT,
        Misconception.EXCLUSIVE_INDEPENDENT,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return self.draw_at(self.level, rng, context)

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """A: boxes to count. B: edges are given, and the shares in the rows are asked. C: only
        edges, and what independence would mean."""
        if level == "C":
            return {LEVEL: "C", **self._survey(rng)}
        first = rng.choice(CALLS)
        shape = first.partition("-")[2]
        kinds: dict[str, list[Any]] = {
            "calls": ["call", rng.choice([c for c in CALLS if not c.endswith(shape)])],
            "least": ["least", rng.randint(8, 11)],
            "value": ["value", rng.randint(6, 10)],
        }
        pair = rng.choice(list(kinds))
        drawn = {"pair": pair, "events": [["call", first], kinds[pair]]}
        return drawn if level == self.level else {**drawn, LEVEL: level}

    def _survey(self, rng: Random) -> Parameters:
        """Numbers whose expected boxes are whole, none of them empty."""
        asked = rng.choice(SURVEYS)
        first = rng.choice([n for n in range(8, asked - 8) if gcd(n, asked) > 4])
        step = asked // gcd(first, asked)
        second = step * rng.randrange(1, asked // step)
        return {"asked": asked, "first": first, "second": second}

    def build(self, parameters: Parameters) -> Instance:
        level = self.level_of(parameters)
        if level == "C":
            return self._independent(parameters)
        return self._shares(parameters) if level == "B" else self._count(parameters)

    def _fields(self, one: Event, other: Event, keys: Sequence[str]) -> tuple[Field, ...]:
        (yes, no), (across, beside) = heads(one), heads(other)
        labels = {
            "both": f"{yes}, {across}",
            "first": f"{yes}, {beside}",
            "second": f"{no}, {across}",
            "neither": f"{no}, {beside}",
        }
        return tuple(Field(key, labels[key], Form.COUNT) for key in keys)

    def _count(self, parameters: Parameters) -> Instance:
        one, other = parameters["events"]
        found = dict(zip(BOXES, map(Fraction, boxes(one, other)), strict=True))
        first, second = count_cards(one), count_cards(other)
        facts = {"one": event_words(one), "other": event_words(other), "all": CARDS}
        twice = _(
            "You counted all cards of the row or column here. Those that do both have a box of "
            "their own: how many are left?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Sort the full deck into four boxes. Event A: a card %(one)s. Event B: it "
                "%(other)s. How many cards lie in each box?"
            )
            % facts,
            fields=self._fields(one, other, BOXES),
            right=found,
            wrong=(
                Wrong(Misconception.DOUBLE_COUNT, {"first": Fraction(first)}, twice),
                Wrong(Misconception.DOUBLE_COUNT, {"second": Fraction(second)}, twice),
                Wrong(
                    Misconception.AND_FOR_OR,
                    {"both": first + second - found["both"]},
                    _(
                        "You counted every card that does A or B. Does a card that does only "
                        "one of them belong into this box?"
                    ),
                ),
            ),
            solution=(
                _("%(first)d cards do A, %(second)d do B, and %(both)d do both.")
                % {"first": first, "second": second, "both": found["both"]},
                _("A alone:") + " " + _minus(first, found["both"], found["first"]),
                _("B alone:") + " " + _minus(second, found["both"], found["second"]),
                _("Neither: the four boxes together are the whole deck.")
                + " "
                + math(
                    f"{CARDS} - {found['both']} - {found['first']} - {found['second']}"
                    f" = {found['neither']}"
                ),
            ),
            tables=(two_way(one, other, [Blank(key) for key in BOXES]),),
        )

    def _shares(self, parameters: Parameters) -> Instance:
        one, other = parameters["events"]
        found = dict(zip(BOXES, map(Fraction, boxes(one, other)), strict=True))
        first, second, both = count_cards(one), count_cards(other), found["both"]
        given, without = both / first, found["second"] / (CARDS - first)
        facts = {"one": event_words(one), "other": event_words(other), "both": both}
        wholes = _(
            "You divided by all cards that do B. Which cards are still possible, once you "
            "know that the card does A?"
        )
        joint = _(
            "You divided by the whole deck. Once you know something about the card, are all "
            "cards of the deck still possible?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Event A: a card %(one)s. Event B: it %(other)s. The edges of the table are "
                "counted, and the box for both: %(both)d. Fill in the rest. Then compare the "
                "two rows: how likely is B among the cards of each?"
            )
            % facts,
            fields=(
                *self._fields(one, other, BOXES[1:]),
                Field("given", _("Chance of B, given A"), Form.CHANCE),
                Field("without", _("Chance of B, given not A"), Form.CHANCE),
                choice(
                    "tells",
                    _("Does A tell you something about B?"),
                    {
                        "yes": _("Yes: the two chances differ"),
                        "no": _("No: A and B are independent"),
                    },
                    is_scale=True,
                ),
            ),
            right={
                **{key: found[key] for key in BOXES[1:]},
                "given": given,
                "without": without,
                "tells": "no" if given == without else "yes",
            },
            wrong=(
                *(
                    Wrong(Misconception.INVERSE, {"given": both / second}, wholes)
                    for _different in range(first != second)
                ),
                Wrong(Misconception.JOINT, {"given": both / CARDS}, joint),
                Wrong(Misconception.JOINT, {"without": found["second"] / CARDS}, joint),
            ),
            solution=(
                _("Each row and column adds up to its edge:")
                + " "
                + math(
                    f"{first} - {both} = {found['first']}, \\quad "
                    f"{second} - {both} = {found['second']}, \\quad "
                    f"{CARDS - first} - {found['second']} = {found['neither']}"
                ),
                _("Among the cards that do A:")
                + " "
                + math(f"{tex_over(int(both), first)} {tex_decimal(given)}"),
                _("Among the others:")
                + " "
                + math(
                    f"{tex_over(int(found['second']), CARDS - first)} {tex_decimal(without)}"
                ),
                _("The same chance in both rows: A tells nothing about B. Independent.")
                if given == without
                else _("Two different chances: A tells something about B. Not independent."),
            ),
            tables=(
                two_way(
                    one,
                    other,
                    [str(both), *(Blank(key) for key in BOXES[1:]), *edges(one, other)],
                ),
            ),
        )

    def _independent(self, parameters: Parameters) -> Instance:
        asked, first, second = (parameters[key] for key in ("asked", "first", "second"))
        both = Fraction(first * second, asked)
        found = {
            "both": both,
            "first": first - both,
            "second": second - both,
            "neither": asked - first - second + both,
        }
        labels = {
            "both": _("by bike, with an instrument"),
            "first": _("by bike, without an instrument"),
            "second": _("not by bike, with an instrument"),
            "neither": _("not by bike, without an instrument"),
        }
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "A school asks %(asked)d students: %(first)d come by bike, %(second)d play an "
                "instrument. What would stand in the four boxes if the two were exactly "
                "independent?"
            )
            % {"asked": asked, "first": first, "second": second},
            fields=tuple(Field(key, label, Form.COUNT) for key, label in labels.items()),
            right=found,
            wrong=(
                Wrong(
                    Misconception.EXCLUSIVE_INDEPENDENT,
                    {"both": Fraction(0)},
                    _(
                        "You left no student who does both. If one of them comes by bike, "
                        "would that tell you about instruments?"
                    ),
                ),
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"first": Fraction(first)},
                    _(
                        "You put all who come by bike here. Some of them play an instrument: "
                        "in which box are they?"
                    ),
                ),
            ),
            solution=(
                _("Independent: among those by bike the same share plays as among all:")
                + " "
                + math(f"{tex_over(second, asked)} {tex_decimal(Fraction(second, asked))}"),
                _("Both:") + " " + math(rf"{first} \cdot {tex_over(second, asked)} = {both}"),
                _("The rest by subtraction from the edges:")
                + " "
                + math(
                    f"{first} - {both} = {found['first']}, \\quad "
                    f"{second} - {both} = {found['second']}, \\quad "
                    f"{asked - first} - {found['second']} = {found['neither']}"
                ),
            ),
            tables=(
                NumberTable(
                    _("The students"),
                    ("", _("instrument"), _("no instrument"), _("all")),
                    (
                        (_("by bike"), Blank("both"), Blank("first"), str(first)),
                        (
                            _("not by bike"),
                            Blank("second"),
                            Blank("neither"),
                            str(asked - first),
                        ),
                        (_("all"), str(second), str(asked - second), str(asked)),
                    ),
                ),
            ),
        )


def _minus(whole: int, part: Fraction, rest: Fraction) -> str:
    return math(f"{whole} - {part} = {rest}")


EXERCISES = (TwoWayTable(),)
