"""What an experiment came to, and what chance alone does: two charts, for pages and walls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import floor

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.draws import FEWEST_TABLES, RandomizationTest, randomization_test
from games.analysis.jobs import pool
from games.classes.experiments import TREATMENTS, Experiment, Outcome, experiments_of
from games.models import Table
from games.words import number, percent, sentences, signed
from lessons import charts
from xactika_site.classrooms.models import ClassSession

BINS = 12
"""On each side of nought, about: enough to see the shape of what chance does."""

TABLES, CHANCE = "tables", "chance"
"""What a step of a lesson can show of an experiment."""


# Whose.


@cache
def example() -> Experiment:
    """Ten tables of bots that played eight boards with human slips, five by each tip: what is
    shown where there is no class (benchmarks/experiment.py plays such classes)."""
    drawn = (1, 1, 0, 0, 0, 1, 1, 0, 1, 0)
    means = (-47, -187, 63, 93, 133, 13, -147, -47, 13, 113)  # in 320ths of a point
    return Experiment(
        0,
        "tips",
        True,
        tuple(
            Outcome(table, bool(is_a), 1, Fraction(mean, 320), 32)
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
    """Its tables drawn anew. Raises ``jobs.StillCounting``."""
    drawn = experiment.waves, tuple(outcome.is_a for outcome in experiment.outcomes)
    means = tuple(None if o.mean is None else float(o.mean) for o in experiment.outcomes)
    return pool.answer(("redrawn", *drawn, means), lambda: randomization_test(*drawn, means))


def treatment_words(experiment: Experiment, *, is_a: bool) -> str:
    """The name of a treatment."""
    return str(Table.Treatment(TREATMENTS[experiment.kind][not is_a]).label)


# The tables.


def tables_chart(experiment: Experiment, *, key: str, title: str = "") -> charts.Chart:
    """A dot a table, by treatment, and the two means."""
    sides = [
        [float(o.mean) for o in experiment.counted if o.is_a is side and o.mean is not None]
        for side in (True, False)
    ]
    labels = _sides(experiment)
    dots = [
        (label, mean, n)
        for label, means in zip(labels, sides, strict=True)
        for mean, n in Counter(round(mean, 3) for mean in means).items()
    ]
    figure = charts.figure(
        [
            charts.points(
                [label for label, _mean, _n in dots],
                [mean for _label, mean, _n in dots],
                name=_("tables"),
                sizes=[10 if n == 1 else 8 + 6 * n for _label, _mean, n in dots],
                text=["" if n == 1 else str(n) for _label, _mean, n in dots],
                places=["middle right"] * len(dots),
            ),
            charts.line(
                list(labels),
                [sum(means) / max(len(means), 1) for means in sides],
                name=_("mean of the tables"),
                marks="line-ew",
            ),
        ],
        y=_("points a hand, more or fewer than the others"),
        legend=True,
    )
    figure["layout"]["xaxis"] |= {"type": "category", "tickangle": 0}
    figure["data"][1]["mode"] = "markers"
    figure["data"][1]["marker"]["size"] = 26
    figure["layout"]["yaxis"].pop("rangemode", None)
    return charts.Chart(
        key=key,
        title=title or _("What did the tables come to?"),
        summary=tables_sentence(experiment),
        figure=figure,
        numbers=_tables_numbers(experiment),
        basis=_basis(experiment),
        caveat=_caveat(experiment),
    )


def _sides(experiment: Experiment) -> tuple[str, str]:
    if experiment.kind == "tips":
        return _("tip A"), _("tip B")
    return treatment_words(experiment, is_a=True), treatment_words(experiment, is_a=False)


def tables_sentence(experiment: Experiment) -> str:
    """The difference in words."""
    difference = experiment.difference
    if difference is None:
        return _("Only one half of the tables came to something: there is nothing to compare.")
    a, b = _sides(experiment)
    if not difference:
        return _("The means of “%(a)s” and “%(b)s” are equal.") % {"a": a, "b": b}
    better, other = (a, b) if difference > 0 else (b, a)
    return _(
        "The tables “%(better)s” made %(size)s points a hand more, in the mean, than those "
        "“%(other)s”."
    ) % {"better": better, "other": other, "size": number(abs(difference), 2)}


def _tables_numbers(experiment: Experiment) -> charts.Numbers:
    rows = tuple(
        (
            _("Table %(n)d") % {"n": o.table},
            _sides(experiment)[not o.is_a],
            _("nothing to count") if o.mean is None else signed(o.mean, 2),
            str(o.hands),
        )
        for o in sorted(experiment.outcomes, key=lambda o: (not o.is_a, o.table))
    )
    head = (_("Table"), _("Drawn for"), _("Points a hand, beside the others"), _("Hands"))
    return charts.Numbers(_("The tables of the experiment"), head, rows)


def _basis(experiment: Experiment) -> str:
    counts = Counter(outcome.is_a for outcome in experiment.counted)
    a, b = _sides(experiment)
    sentence = (
        _("Rests on %(n)d tables, %(in_a)d “%(a)s” and %(in_b)d “%(b)s”.")
        if experiment.game
        else _(
            "Rests on %(n)d tables of an example that bots have played, %(in_a)d “%(a)s” and "
            "%(in_b)d “%(b)s”."
        )
    )
    in_a, in_b = counts[True], counts[False]
    return sentence % {"n": in_a + in_b, "a": a, "b": b, "in_a": in_a, "in_b": in_b}


def _caveat(experiment: Experiment) -> str:
    caveats = []
    counts = Counter(outcome.is_a for outcome in experiment.counted)
    missing = len(experiment.outcomes) - len(experiment.counted)
    if abs(counts[True] - counts[False]) > 1:
        caveats.append(_("The halves are not even: tables have left."))
    if missing:
        caveats.append(
            ngettext(
                "%(n)d table that was drawn came to nothing that could be counted.",
                "%(n)d tables that were drawn came to nothing that could be counted.",
                missing,
            )
            % {"n": missing}
        )
    if len({outcome.hands for outcome in experiment.counted}) > 1:
        caveats.append(
            _("Not all played as many hands: people came late, left, or bots stood in.")
        )
    return sentences(*caveats)


# Chance alone.


def chance_chart(
    experiment: Experiment, drawn: RandomizationTest, *, key: str, first: int | None = None
) -> charts.Chart:
    """How the difference falls when chance alone draws the halves: of all ways, or of the
    ``first`` of them. Filled are those at least as far as the one that came; of draws of
    exactly nought one half stands on either side: what falls alike both ways looks alike."""
    bins, width = _bins(drawn)
    differences = drawn.differences[:first]
    apart = [difference for difference in differences if abs(difference) > 1e-9 * width]
    counts = Counter(_bin(difference, width) for difference in apart)
    noughts = len(differences) - len(apart)
    counts.update({0: noughts - noughts // 2, -1: noughts // 2})
    far = {n for n in bins if _is_far(n, width, drawn)}
    middles = [(n + 0.5) * width for n in bins]
    figure = charts.figure(
        [
            charts.bars(
                middles,
                [counts[n] for n in bins],
                colour=[charts.OTHER if n in far else charts.CLEAR for n in bins],
                width=width * 0.94,
            )
        ],
        x=_("difference of the means, “%(a)s” less “%(b)s”")
        % dict(zip(("a", "b"), _sides(experiment), strict=True)),
        y=_("draws"),
        x_range=(bins[0] * width, (bins[-1] + 1) * width),
    )
    if len(differences) < 10:
        figure["layout"]["yaxis"]["dtick"] = 1
    rows = tuple(
        (_("%(low)s to %(high)s") % {"low": signed(Fraction(n * width), 2),
                                     "high": signed(Fraction((n + 1) * width), 2)},
         str(counts[n]))
        for n in bins
    )  # fmt: skip
    return charts.Chart(
        key=key,
        title=_("How often does chance alone do as much?"),
        summary=chance_sentence(drawn, first=first),
        figure=figure,
        numbers=charts.Numbers(
            _("Differences when the lot is drawn anew"), (_("Difference"), _("Draws")), rows
        ),
        basis=sentences(
            _("Every table keeps its points; only its half is drawn anew."), _basis(experiment)
        ),
    )


def _bins(drawn: RandomizationTest) -> tuple[range, float]:
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


def chance_sentence(drawn: RandomizationTest, *, first: int | None = None) -> str:
    """How often chance alone does as much, what follows from that, and only then its name."""
    sentence = count_sentence(drawn, first=first)
    if first is not None and first < len(drawn.differences):
        return sentence
    return sentences(sentence, verdict(drawn))


def count_sentence(drawn: RandomizationTest, *, first: int | None = None) -> str:
    """In how many ways the difference is at least as large."""
    n = min(first or len(drawn.differences), len(drawn.differences))
    facts = {"far": drawn.as_far(n), "n": n, "size": number(abs(Fraction(drawn.observed)), 2)}
    if drawn.is_all and n == len(drawn.differences):
        return (
            _(
                "In %(far)d of all %(n)d ways in which the lot could have fallen the halves "
                "are at least %(size)s points apart, one way or the other."
            )
            % facts
        )
    return (
        ngettext(
            "In %(far)d of %(n)d draw the halves are at least %(size)s points apart, one "
            "way or the other.",
            "In %(far)d of %(n)d draws the halves are at least %(size)s points apart, one "
            "way or the other.",
            n,
        )
        % facts
    )


def verdict(drawn: RandomizationTest) -> str:
    """What may be said: nothing of few tables; rare by chance; or no difference shown."""
    if not drawn.is_judged:
        return _(
            "With fewer than %(n)d tables that is a picture, and no verdict: there are too few "
            "ways to be surprised by one."
        ) % {"n": FEWEST_TABLES}
    share = {"share": _share(drawn.p_value)}
    if drawn.is_rare:
        sentence = _(
            "So chance alone does as much in %(share)s of the draws (the p-value). That is "
            "rare: either a rare lot was drawn, or what the tables were told made the "
            "difference."
        )
    elif drawn.could_be_rare:
        sentence = _(
            "So chance alone does as much in %(share)s of the draws (the p-value). That is not "
            "rare: no difference is shown. That is not “there is none”."
        )
    else:
        sentence = _(
            "So chance alone does as much in %(share)s of the draws. With so few ways not even "
            "the largest difference would have been rare."
        )
    return sentence % share


def _share(chance: float) -> str:
    """In percent, to one decimal: 4.6 % is below one in twenty, and 5.4 % is not."""
    if chance < 0.01:
        return percent(Fraction(chance))
    return f"{number(Fraction(100 * chance), 1)}\u00a0%"


def part_chart(part: str, session_id: int | None, *, key: str) -> charts.Chart | None:
    """What a step of a lesson shows: of the class's own experiment, else of the example."""
    experiment = experiment_for(session_id) or example()
    if part == TABLES:
        return tables_chart(experiment, key=key)
    drawn = redrawn(experiment)
    return chance_chart(experiment, drawn, key=key) if drawn else None


STOPS: Sequence[int] = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 200, 400, 800, 1600, 3200, 6400)
"""After how many draws the picture is drawn anew while one watches."""


def next_stop(drawn_so_far: int, drawn: RandomizationTest) -> int:
    """How many draws are shown next."""
    most = len(drawn.differences)
    return min(next((stop for stop in STOPS if stop > drawn_so_far), most), most)
