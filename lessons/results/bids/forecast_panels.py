"""Forecasts as questions, answers and charts: whether what was sure came true, and how much
better they were than what is usual. Their words are pages of measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from games.analysis.significance import ALPHA
from lessons.charts import dot_sizes
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.bids.bidding import LIKELY, NEAR
from lessons.results.bids.forecasting import Score, sum_of
from lessons.results.dataset import Dataset
from lessons.results.words import basis_words, is_few


def forecasts(data: Dataset, *, of: int = 1, own: bool = False) -> Panel:
    """How sure a class (or one person: their ``own``) was of each number of tricks, beside how
    often it came true; ``of`` is how many figures the page judges."""
    groups = bidding.calibration_bins(data, alpha=ALPHA / of)
    said = {
        "own": own,
        "drawn": (drawn := _group_rows(groups)),
        "banded": [row for row in drawn if row["has_band"]],
        **reliability_facts(groups, bidding.likely_reliability(data)),
        **score_facts(bidding.score(data)),
        "few": is_few(len(data.forecasts)),
    }
    rests = {} if own else {"students": data.forecasters, "of": len(data.came)}
    return panel(
        "forecasts",
        groups,
        said,
        key="own-forecasts" if own else "forecasts",
        basis=basis_words(
            rounds=len(data.forecasts), chances=sum(row["count"] for row in drawn), **rests
        ),
    )


COVERED = 0.1
"""So near to the end of its stroke a dot may cover it."""


def _group_rows(groups: Sequence[bidding.CalibrationBin]) -> Sequence[Mapping[str, Any]]:
    """The groups that the figure draws, each with its count as the text above its dot or its
    stroke, which those of few have not; what was called impossible is left to the table."""
    drawn = [group for group in groups if group.high]
    rows = []
    for group, size in zip(drawn, dot_sizes([each.count for each in drawn]), strict=True):
        top, count = group.band[1], str(group.count)
        has_band = group.count >= bidding.FEWEST_FORECASTS or group.is_off
        is_above = not has_band or float(group.share_true) >= top
        room = size if top - group.share_true < COVERED else 1
        texts = {"on_dot": count if is_above else "", "on_stroke": "" if is_above else count}
        rows.append(Merged(group, top=top, room=room, has_band=has_band, **texts))
    return rows


def reliability_facts(
    groups: Sequence[bidding.CalibrationBin], likely: bidding.Reliability | None
) -> Mapping[str, Any]:
    """The facts of what was said beside how often it came true; whether that was too sure only
    where a dot is farther off than chance goes. Luck that may do it has not shown that it was
    right."""
    least = Fraction(LIKELY, 100)
    if likely is None:
        return {"likely": "none", "least": least}
    if (off := bidding.farthest_off(groups)) is not None:
        high = Fraction(min(off.high, 100), 100)
        ends = {"from": off.low, "up_to": high, "true": off.share_true}
        return ends | {"likely": "off", "rare": off.low < LIKELY, "sure": off.is_too_sure}
    is_near = abs(likely.gap) < NEAR
    said = {"least": least, "said": likely.mean, "true": likely.share_true}
    return said | {"likely": "near" if is_near else "luck"}


def score_facts(score: Score) -> Mapping[str, Any]:
    """The facts of how much better forecasts were than always saying what is usual; of few,
    only that they are."""
    if (ends := score.interval) is None:
        return {"score": "few", "forecasts": score.forecasts}
    is_better = score.skill_score > 0
    low, high = (ends[0], min(1.0, ends[1])) if is_better else (-ends[1], -ends[0])
    way = "better" if is_better else "worse"
    return {
        "score": way if score.is_significant else "same",
        "forecasts": score.forecasts,
        "skill": abs(score.skill_score),
        "low": low,
        "high": high,
    }


def score_curve(named: Sequence[tuple[str, Score]], *, own: bool = False) -> Panel:
    """The skill score of forecasts (above 0: better than what is usual), session by session,
    or one's ``own`` week by week, by name."""
    in_all = sum_of([score for _name, score in named])
    rows = [
        Merged(
            each,
            name=name,
            # How many stand beside the day: beside the dots the line would cross them.
            label=f"{name} ({each.forecasts})",
            ours=each.ours / each.forecasts,
            usual=each.usual / each.forecasts,
        )
        for name, each in named
    ]
    return panel(
        "score",
        rows,
        {"own": own, "few": is_few(in_all.forecasts), **score_facts(in_all)},
        key="own-score" if own else "term-score",
        basis=basis_words(rounds=in_all.forecasts),
    )
