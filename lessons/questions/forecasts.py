"""Forecasts: how likely somebody holds each number of tricks, kept before the bid."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.rules import HAND_SIZE
from lessons.models import Forecast
from lessons.questions.at_table import OwnSeat
from xactika_site.classrooms.services import Refused


def make_forecast(*, own: OwnSeat, weights: Sequence[int]) -> Forecast:
    """Keep how likely somebody holds 0 to 8 tricks, in proportion to these weights, as whole
    percents that add up to 100. Once made it is locked; Refused after the bid."""
    if (forecast := own.forecast()) is not None:
        return forecast
    deal_id = own.state.deal_id
    if not own.may_forecast or deal_id is None:
        raise Refused(_("Make your forecast before you bid."))
    if len(weights) != HAND_SIZE + 1 or min(weights) < 0 or not sum(weights):
        raise Refused(_("Slide one bar at least."))
    try:
        with transaction.atomic():
            return Forecast.objects.create(
                deal_id=deal_id,
                seat=own.seat,
                percents=whole_percents(weights),
                **own.learner.owner,
            )
    except IntegrityError:  # the same click, twice
        forecast = own.forecast()
        if forecast is None:  # somebody else's, who sat here before
            raise Refused(_("You’ve made a forecast for this hand already.")) from None
        return forecast


def whole_percents(weights: Sequence[int]) -> list[int]:
    """Weights as whole percents that add up to 100: what rounding leaves goes to the largest
    remainders."""
    total = sum(weights)
    percents = [100 * weight // total for weight in weights]
    by_rest = sorted(range(len(weights)), key=lambda k: -(100 * weights[k] % total))
    for place in by_rest[: 100 - sum(percents)]:
        percents[place] += 1
    return percents
