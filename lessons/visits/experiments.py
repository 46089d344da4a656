"""What an experiment came to, and what chance alone does: two charts, for pages and walls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import floor
from typing import Any, Literal

from django.utils.translation import gettext as _

from games.analysis.draws import FEWEST_TABLES, RandomizationTest, randomization_test
from games.analysis.jobs import pool
from games.analysis.significance import ALPHA
from games.classes.experiments import TREATMENTS, Experiment, TableOutcome, experiments_of
from games.models import SessionSettings, Table
from games.words import number, percent, percent_sign, sentences, signed
from lessons import charts
from lessons.assessment.assessed import assessed
from lessons.assessment.gains import PairedShares, gain_test
from lessons.assessment.giving import is_expired
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.page import page
from lessons.measures.panels import Panel
from lessons.models import Assessment
from xactika_site.classrooms.models import ClassSession

BINS = 12
"""On each side of nought, about: enough to see the shape of what chance does."""

TABLES, CHANCE, LEARNT = "tables", "chance", "learnt"
"""What a step of a lesson can show of an experiment, and of two tests."""


# Whose.


@cache
def example() -> Experiment:
    """Ten tables of bots that played eight boards with human slips, five by each tip: what is
    shown where there is no class (benchmarks/experiment.py plays such classes)."""
    drawn = (1, 1, 0, 0, 0, 1, 1, 0, 1, 0)
    means = (-47, -187, 63, 93, 133, 13, -147, -47, 13, 113)  # in 320ths of a point
    return Experiment(
        0,
        SessionSettings.Experiment.TIPS,
        True,
        tuple(
            TableOutcome(table, bool(is_a), 1, Fraction(mean, 320), 32)
            for table, (is_a, mean) in enumerate(zip(drawn, means, strict=True), start=1)
        ),
    )


def experiment_for(session_id: int | None) -> Experiment | None:
    """The last experiment of this session, or of an earlier one of its class, that is over and
    has something to compare; None if there is none."""
    if session_id is None:
        return None
    own = ClassSession.objects.filter(pk=session_id).values("classroom")
    sessions = Table.objects.filter(class_session__classroom__in=own).exclude(treatment="")
    tried = sessions.order_by("-class_session").values_list("class_session", flat=True)
    for session in tried.distinct():
        for experiment in reversed(experiments_of(session)):
            if experiment.is_over and experiment.difference is not None:
                return experiment
    return None


def redrawn(experiment: Experiment) -> RandomizationTest | None:
    """The randomization test of its tables. Raises ``jobs.StillCounting``."""
    drawn = experiment.wave_sizes, tuple(outcome.is_a for outcome in experiment.outcomes)
    means = tuple(None if o.mean is None else float(o.mean) for o in experiment.outcomes)
    return pool.answer(("redrawn", *drawn, means), lambda: randomization_test(*drawn, means))


def treatment_words(experiment: Experiment, *, is_a: bool) -> str:
    """The name of a treatment."""
    return str(Table.Treatment(TREATMENTS[experiment.kind][not is_a]).label)


def hidden_words() -> str:
    """Why there is nothing to see of an experiment that is not over."""
    return sentences(*page("experiment-tables").texts("empty", {}))


# The tables.


def tables_panel(experiment: Experiment, *, key: str, is_step: bool = False) -> Panel:
    """A dot a table, by treatment, and the two means; until the game is over only that it
    waits. A step of a lesson has another title."""
    if not experiment.is_over:
        return panel("experiment-tables", key=key)
    rows = [
        Merged(o, drawn=treatment_words(experiment, is_a=o.is_a))
        for o in sorted(experiment.outcomes, key=lambda o: (not o.is_a, o.table))
    ]
    counted, difference = experiment.counted, experiment.difference
    said = {
        "step": is_step,
        **_lot_facts(experiment),
        **_drawn_facts(experiment),
        "way": "none" if difference is None else "apart" if difference else "even",
        "better": side_names(experiment)[(difference or 0) < 0],
        "size": abs(difference or 0),
        "missing": len(experiment.outcomes) - len(counted),
        "unlike": len({o.hands for o in counted}) > 1,
    }
    return panel("experiment-tables", rows, said, key=key)


def _drawn_facts(experiment: Experiment) -> Mapping[str, Any]:
    """The facts of the dots, larger with a number where tables came to the same, and means."""
    dots, means = [], []
    for side, name in zip((True, False), side_names(experiment), strict=True):
        own = [o.mean for o in experiment.counted if o.is_a is side and o.mean is not None]
        means.append({"side": name, "mean": sum(own) / max(len(own), 1)})
        for mean, n in Counter(round(float(each), 3) for each in own).items():
            size, text = (10, "") if n == 1 else (8 + 6 * n, str(n))
            dots.append({"side": name, "mean": mean, "pixels": size, "tables": text})
    return {"dots": dots, "sides": means}


def side_names(experiment: Experiment) -> tuple[str, str]:
    """The short names of both treatments, for charts and sentences."""
    if experiment.kind is SessionSettings.Experiment.TIPS:
        return _("tip A"), _("tip B")
    return treatment_words(experiment, is_a=True), treatment_words(experiment, is_a=False)


def _lot_facts(experiment: Experiment) -> Mapping[str, Any]:
    """The facts of how the tables were drawn, and into which halves."""
    counts = Counter(outcome.is_a for outcome in experiment.counted)
    a, b = side_names(experiment)
    return {
        "example": not experiment.game,
        "tables": counts.total(),
        "in_a": counts[True],
        "in_b": counts[False],
        "a": a,
        "b": b,
    }


# Chance alone.


def chance_panel(
    experiment: Experiment, drawn: RandomizationTest, *, key: str, first: int | None = None
) -> Panel:
    """The randomization distribution of the difference as bars, with its p-value: of all ways
    to draw the halves, of 10,000 where they are more, or of the ``first`` drawn. Filled are
    those at least as far as the one that came; of draws of exactly nought one half stands on
    either side: what falls alike both ways looks alike."""
    rows, axis = bars_of(drawn, first=first)
    said = {**_lot_facts(experiment), **chance_facts(drawn, first=first), **axis}
    return panel("experiment-chance", rows, said, key=key)


def panels(experiment: Experiment) -> list[Panel]:
    """Two panels of a finished experiment; of one that is played only that it is."""
    key = f"experiment-{experiment.game}"
    tables = tables_panel(experiment, key=key)
    drawn = redrawn(experiment) if experiment.is_over else None
    if drawn is None:
        return [tables]
    return [tables, chance_panel(experiment, drawn, key=f"{key}-chance")]


def bars_of(
    drawn: RandomizationTest, *, first: int | None = None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The draws as bars, filled where they are as far as what came; and the axis below."""
    bins, width = _intervals(drawn)
    differences = drawn.differences[:first]
    apart = [difference for difference in differences if abs(difference) > 1e-9 * width]
    counts = Counter(_bin(difference, width) for difference in apart)
    noughts = len(differences) - len(apart)
    counts.update({0: noughts - noughts // 2, -1: noughts // 2})
    rows = [
        {
            "difference": _("%(low)s to %(high)s")
            % {
                "low": signed(Fraction(n * width), 2),
                "high": signed(Fraction((n + 1) * width), 2),
            },
            "draws": counts[n],
            "middle": (n + 0.5) * width,
            "fill": charts.OTHER if _is_far(n, width, drawn) else charts.CLEAR,
        }
        for n in bins
    ]
    axis = {"low": bins[0] * width, "high": (bins[-1] + 1) * width, "width": width * 0.94}
    return rows, {**axis, "few": len(differences) < 10}


def _intervals(drawn: RandomizationTest) -> tuple[range, float]:
    """Intervals of one width, by number; nought and the difference that came are edges."""
    most = max([abs(each) for each in drawn.differences] + [abs(drawn.observed)]) or 1.0
    came = abs(drawn.observed)
    width = came / max(1, floor(BINS * came / most)) if came > most / BINS else most / BINS
    high = floor(most / width + 1e-6)
    return range(-high - 1, high + 1), width


def _bin(difference: float, width: float) -> int:
    n = floor(abs(difference) / width + 1e-6)
    return n if difference >= 0 else -n - 1


def _is_far(n: int, width: float, drawn: RandomizationTest) -> bool:
    nearest = n * width if n >= 0 else -(n + 1) * width
    return nearest >= abs(drawn.observed) - 1e-6 * width


def chance_facts(drawn: RandomizationTest, *, first: int | None = None) -> Mapping[str, Any]:
    """The facts of how often chance alone does as much, and, once all are drawn, a verdict."""
    most = len(drawn.differences)
    n = min(first or most, most)
    return {
        "far": drawn.count_as_extreme(n),
        "n": n,
        "size": abs(Fraction(drawn.observed)),
        "all": drawn.is_all and n == most,
        "verdict": verdict(drawn) if n == most else "",
        "least": FEWEST_TABLES,
        "share": _share_words(drawn.p_value),
    }


def verdict(drawn: RandomizationTest) -> Literal["none", "rare", "usual", "never"]:
    """What may be said: nothing of few tables; that it is rare by chance; that it is not, or
    never could be."""
    if not drawn.is_judged:
        return "none"
    if drawn.is_rare:
        return "rare"
    return "usual" if drawn.could_be_rare else "never"


def _share_words(chance: float) -> str:
    """A chance in percent, to one decimal: 4.6% is below one in twenty, and 5.4% is not."""
    if chance < 0.01:
        return percent(Fraction(chance))
    return f"{number(Fraction(100 * chance), 1)}{percent_sign()}"


def gain_chance_panel(
    chance: RandomizationTest,
    *,
    key: str = "gain-chance",
    first: int | None = None,
    is_example: bool = False,
) -> Panel:
    """How a class's gain falls when a coin decides whether each student gained or lost: of all
    draws, or of the ``first`` of them."""
    rows, axis = bars_of(chance, first=first)
    said = {
        **chance_facts(chance, first=first),
        "mean": signed(chance.observed, 2),  # as exact as the table's rows
        "rare": chance.p_value < ALPHA,
        "final": first is None or first >= len(chance.differences),
        "students": chance.tables,
        "here": [{"gain": chance.observed, "height": 0}],
        "example": is_example,
    }
    return panel("gain-chance", rows, {**said, **axis}, key=key)


@cache
def example_chance() -> RandomizationTest:
    """The gain of 24 simulated students who learnt, drawn again: what is shown where a class
    has no tests of its own."""
    gains = (1, 3, 0, 2, -1, 2, 4, 1, 0, 2, 3, -2, 1, 2, 0, 3, -1, 1, 5, 2, 0, 1, -1, 2)
    pairs = [
        PairedShares(0.4, 0.4 + each / 10, place % 2 == 0) for place, each in enumerate(gains)
    ]
    chance = gain_test(pairs, 10)
    assert chance is not None
    return chance


def gain_for(session_id: int | None) -> tuple[int, RandomizationTest] | None:
    """The latest tests of this session's class that are over and large enough for a verdict, by
    key, and their gain when signs are drawn again; None if there are none."""
    if session_id is None:
        return None
    own = ClassSession.objects.filter(pk=session_id).values("classroom")
    for each in Assessment.objects.filter(classroom__in=own).order_by("-pk"):
        if (chance := judged_chance(each)) is not None:
            return each.pk, chance
    return None


def judged_chance(tests: Assessment) -> RandomizationTest | None:
    """The gain of a class when signs are drawn again; None before both of its tests are over,
    once answers to them have been deleted, and without a verdict."""
    if not tests.is_over or is_expired(tests):
        return None
    return gain_test(assessed(tests).pairs, tests.length)


def part_panel(part: str, session_id: int | None, *, key: str) -> Panel | None:
    """The chart of a lesson's step: of the class's own experiment or tests, or the example."""
    if part == LEARNT:
        own, chance = gain_for(session_id) or (0, example_chance())
        return gain_chance_panel(chance, key=key, is_example=not own)
    experiment = experiment_for(session_id) or example()
    if part == TABLES:
        return tables_panel(experiment, key=key, is_step=True)
    drawn = redrawn(experiment)
    return chance_panel(experiment, drawn, key=key) if drawn else None


STOPS: Sequence[int] = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 200, 400, 800, 1600, 3200, 6400)
"""After how many draws the picture is drawn anew while one watches."""


def next_stop(drawn_so_far: int, drawn: RandomizationTest) -> int:
    """How many draws are shown next."""
    most = len(drawn.differences)
    return min(next((stop for stop in STOPS if stop > drawn_so_far), most), most)
