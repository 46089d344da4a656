"""Forecasts: how likely somebody holds each number of tricks, kept before the bid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.rules import HAND_SIZE
from games.tables.boards import board_key
from games.tables.state import may_be_compared
from lessons.models import Forecast
from lessons.questions.at_table import OwnSeat
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.services import Refused


def make_forecast(*, own: OwnSeat, weights: Sequence[int]) -> Forecast:
    """The forecast, stored: how likely somebody holds 0 to 8 tricks, in proportion to these
    weights, as whole percents that add up to 100. Once made it is locked; Refused after the
    bid."""
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
            raise Refused(_("This hand has a forecast already.")) from None
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


def is_forecast(stored: Sequence[int]) -> bool:
    """Whether what is stored is one: something was said of 0 to 8 tricks."""
    return len(stored) == HAND_SIZE + 1 and sum(stored) > 0


class PlayedForecast(NamedTuple):
    """A forecast, and what came; ``board`` is the same for all tables that were dealt it,
    ``student`` None of somebody deleted since."""

    session: int
    board: tuple[int, ...]
    seat: int
    taken: int
    student: int | None
    percents: list[int]
    seats: int


def played_forecasts(classroom: Classroom) -> list[PlayedForecast]:
    """A classroom's forecasts in rounds that may be shown, of seats of which a person made
    every move: one query."""
    rows = Forecast.objects.filter(
        may_be_compared("deal__"),
        deal__table__class_session__classroom=classroom,
        deal__results__seat=F("seat"),
        deal__results__by_person=True,
    ).values_list(
        *("deal__table__class_session", "deal__table__game", "deal__board", "deal__hands"),
        *("deal", "seat", "deal__results__taken", "deal__results__student", "percents"),
    )
    return [
        PlayedForecast(
            session,
            board_key(deal, session=session, game=game, board=board),
            *(seat, taken, student, percents, len(hands)),
        )
        for session, game, board, hands, deal, seat, taken, student, percents in rows
        if is_forecast(percents)
    ]
