"""The workshop: a rule for bidding of one's own, played on ten thousand boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from fractions import Fraction
from functools import cache
from math import ceil
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games import analysis
from games.analysis import workshop as rules
from games.analysis.workshop import SIZES, SLIDERS, WIKIPEDIA, Difference, Rule, RuleResult
from games.pages.counting import answer
from games.rules import HAND_SIZE, Card, parse_card
from games.tables.viewers import find_browser
from games.words import number, percent, signed
from lessons.course.contest import WORTH, as_number
from lessons.visits.standings import PLACES, points_ahead

MOST_KEPT = 5
SETS = 9
"""How many sets of boards there are: the first, and others to try a rule on afresh."""

HABITS: dict[str, str | Promise] = {
    "over": gettext_lazy("How bad is one trick too many? (One too few: 1)"),
    "rest": gettext_lazy("How much does the bot count on the cards it still holds? (1: fully)"),
}


EXAMPLE = ("3332", "3331", "2233", "3312", "2223", "1322", "2112", "1211")
"""A hand to see a rule at: an 11, two 10s and two 9s with and without a shape shown once."""
EXAMPLE_PLAYERS = 4


def _example_context(rule: Rule) -> dict[str, object]:
    """What a rule bids with the example's hand: what each card adds, or (no ``card``) that few
    play, ``of`` which numbers of the rule it is the sum; the bid as filled ones of as many
    ``circles`` as a hand has cards."""
    parts = [(code, _names_of(parse_card(code))) for code in EXAMPLE]
    parts.append(("", ("few",) * (SIZES[-1] - EXAMPLE_PLAYERS)))
    values = [sum(getattr(rule, name) for name in of) for _code, of in parts]
    total = round(sum(values), 9)
    bid = min(HAND_SIZE, max(0, ceil(total - 0.5)))
    return {
        "worths": [
            {"card": code, "of": of, "value": value, "shown": number(value, 2)}
            for (code, of), value in zip(parts, values, strict=True)
        ],
        "total": number(total, 2),
        "bid": bid,
        "circles": [n < bid for n in range(HAND_SIZE)],
    }


def _names_of(card: Card) -> tuple[str, ...]:
    if card.value not in (9, 10):
        return ("high",) if card.value > 10 else ()
    single = ("single",) if 1 in card.counts else ()
    return ("ten" if card.value == 10 else "nine", *single)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule in the tables: its name, its numbers and what they came to."""

    name: str
    played: RuleResult
    beside: Difference | None
    ahead: Fraction
    address: str

    @property
    def points(self) -> str:
        return number(self.played.mean, PLACES)

    @property
    def difference(self) -> str:
        """The difference from tip B, with its margin, in words: “−0.121 ± 0.030”."""
        if self.beside is None:
            return "–"
        return f"{signed(self.ahead, PLACES)} ± {number(self.beside.half, PLACES)}"

    @property
    def shares(self) -> list[str]:
        own = self.played
        return [percent(share) for share in (own.made, own.over_share, own.under_share)]

    @property
    def sizes(self) -> list[str]:
        return [number(mean, 2) for mean in self.played.points_by_seats]


@require_safe
def workshop(request: HttpRequest) -> HttpResponse:
    """Sliders, and what the rule they make comes to beside the tips and the rules one kept.
    All of it stands in the address: nothing is stored, and a rule can be given on."""
    find_browser(request.COOKIES, request.user)  # so that a student has a place of their own
    rule, own_rules = _rule_of(request.GET), _own_rules(request.GET)
    boards = _boards(request.GET.get("boards", ""))
    context: dict[str, object] = {
        "worth": list(_sliders(rule, WORTH)),
        "habits": list(_sliders(rule, HABITS)),
        "has_habits": (rule.over, rule.rest) != (WIKIPEDIA.over, WIKIPEDIA.rest),
        "example": _example_context(rule),
        "players": EXAMPLE_PLAYERS,
        "kept": [_written(each) for each in own_rules],
        "boards": boards,
    }
    try:
        rows = _rows(rule, own_rules, boards)
    except analysis.NotReady:
        context["is_impossible"] = analysis.is_impossible()
        return render(request, "lessons/workshop.html", context)
    mine = rows[0]
    is_new = rule not in own_rules and len(own_rules) < MOST_KEPT
    context |= {
        "rows": rows,
        "bars": _bars(rows),
        "margin": _("margin (95%)"),
        "more": [
            (
                _("Of all bids"),
                [_("Made it"), _("Too many tricks"), _("Too few tricks")],
                [(row.name, row.shares) for row in rows],
            ),
            (
                _("Points a round by how many play"),
                [f"{seats}" for seats in SIZES],
                [(row.name, row.sizes) for row in rows],
            ),
        ],
        "said": _points_words(mine),
        "keep": _address(rule, [*own_rules, rule], boards) if is_new else "",
        "kept_as": _kept_name(own_rules.index(rule) + 1) if rule in own_rules else "",
        "fresh": _address(rule, own_rules, boards % SETS + 1),
        "is_full": len(own_rules) >= MOST_KEPT,
        "moved": mine.played.moved,
    }
    return render(request, "lessons/workshop.html", context)


def _rows(rule: Rule, own_rules: list[Rule], boards: int) -> list[RuleRow]:
    """This rule, those one kept, and the tips; all on the same boards."""
    named = [(_("Your rule"), rule)]
    named += [(_kept_name(n), each) for n, each in enumerate(own_rules, 1)]
    named += [
        (_("Tip B"), rules.WIKIPEDIA),
        (_("Tip A"), rules.PRINTED),
    ]
    tried = tuple(rule for _name, rule in named)
    played = answer(
        ("rules", tried, boards), lambda: [rules.play(each, seed=boards) for each in tried]
    )
    tip = played[-2]
    return [
        RuleRow(
            name,
            each,
            None if each.rule == tip.rule else rules.compare(each, tip),
            points_ahead(each, tip),
            _address(each.rule, own_rules, boards),
        )
        for (name, _rule), each in zip(named, played, strict=True)
    ]


def _bars(rows: list[RuleRow]) -> list[tuple[RuleRow, dict[str, float], float]]:
    """Each rule with its points as a bar from 0, in hundredths of the picture, with the margin
    of its difference from tip B, which has none of its own; and where tip B ends, on one scale
    that holds 0 and all bands."""
    halves = [row.beside.half if row.beside else 0.0 for row in rows]
    ends = [(row.played.mean, half) for row, half in zip(rows, halves, strict=True)]
    low = min(0.0, *(mean - half for mean, half in ends))
    high = max(0.0, *(mean + half for mean, half in ends))

    def at(points: float) -> float:
        return round(100 * (points - low) / (high - low or 1), 2)

    tip = at(rows[-2].played.mean)
    return [
        (
            row,
            {
                "start": min(at(0), at(mean)),
                "width": round(abs(at(mean) - at(0)), 2),
                "low": at(mean - half),
                "margin": round(at(mean + half) - at(mean - half), 2),
                "zero": at(0),
            },
            tip,
        )
        for row, (mean, half) in zip(rows, ends, strict=True)
    ]


def _kept_name(n: int) -> str:
    return _("My rule %(n)d") % {"n": n}


def _points_words(mine: RuleRow) -> str:
    """A sentence on the points of a rule, beside the encyclopedia's tip."""
    if mine.beside is None:
        return _("This rule is tip B: %(points)s points a round.") % {"points": mine.points}
    if mine.beside.is_tie:
        return _("Your rule and tip B are too close to call.")
    if mine.ahead > 0:
        text = _("Your rule beats tip B by %(by)s points a round.")
    else:
        text = _("Tip B beats your rule by %(by)s points a round.")
    return text % {"by": number(abs(mine.ahead), PLACES)}


def _sliders(rule: Rule, labels: Mapping[str, str | Promise]) -> Iterator[dict[str, object]]:
    for name, label in labels.items():
        value = getattr(rule, name)
        slider = SLIDERS[name]
        yield {
            "name": name,
            "label": label,
            "value": f"{value:g}",
            "shown": number(value, 2),
            "least": f"{slider.least:g}",
            "most": f"{slider.most:g}",
            "step": f"{slider.step:g}",
        }


# A rule in an address.


@cache
def _names() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Rule))


def _rule_of(query: QueryDict) -> Rule:
    """The rule for bidding that these sliders set: what is no number is as the encyclopedia has
    it, what is too large or small the nearest there is."""
    values = {name: as_number(query.get(name, "")) for name in _names()}
    return rules.clamped_rule({n: value for n, value in values.items() if value is not None})


def _own_rules(query: QueryDict) -> list[Rule]:
    own: list[Rule] = []
    for text in query.getlist("kept")[:MOST_KEPT]:
        values = [as_number(part) for part in text.split("_")]
        numbers = [value for value in values if value is not None]
        if len(numbers) == len(values) == len(_names()):
            rule = rules.clamped_rule(dict(zip(_names(), numbers, strict=True)))
            if rule not in own:
                own.append(rule)
    return own


def _boards(text: str) -> int:
    return int(text) if text.isdecimal() and 1 <= int(text) <= SETS else 1


def _written(rule: Rule) -> str:
    return "_".join(f"{value:g}" for value in astuple(rule))


def _address(rule: Rule, own_rules: list[Rule], boards: int) -> str:
    numbers = {name: f"{value:g}" for name, value in zip(_names(), astuple(rule), strict=True)}
    pairs = [("kept", _written(each)) for each in own_rules]
    return "?" + urlencode([*numbers.items(), *pairs, ("boards", boards)])
