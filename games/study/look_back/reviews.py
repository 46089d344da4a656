"""A finished round looked back on from one seat: its bid against the forecast, the moves that
mattered, and what the bots were thinking. All of it is public by then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.jobs import report
from games.models import Move
from games.rules import HAND_SIZE, Round, score_round
from games.study.look_back.bids import BidStory, bid_story
from games.study.look_back.bot_reasoning import BotsOfLevel, bots_by_level
from games.study.look_back.past_rounds import PastRound
from games.study.look_back.plays import Find, Mistake, judge, needed_trick_words
from games.study.odds.forecasts import Turn
from games.words import all_of, outcome_words, points_words, sentences

SHOWN = 3
"""Of the moves that cost something so many are told, the dearest first."""


@dataclass(frozen=True, slots=True)
class Review:
    """What the page of a round says; ``names`` are those under a trick's cards, ``judged``
    counts the plays with a choice that a person made, and ``played_by_bot`` those moves of the
    seat that nobody made."""

    summary: tuple[str, ...]
    bid: BidStory | None
    turning: str
    mistakes: tuple[Mistake, ...]
    find: Find | None
    names: tuple[str, ...]
    judged: int
    played_by_bot: int
    levels: tuple[BotsOfLevel, ...]

    @property
    def has_mistakes(self) -> bool:
        """Whether there is a turn to try again."""
        return bool(self.mistakes) or not (self.bid is None or self.bid.is_fine)

    @property
    def has_reasoning(self) -> bool:
        return any(bot.reasoning for level in self.levels for bot in level.bots)


def review(past: PastRound, seat: int) -> Review:
    """The look back on this seat's round. Simulates; no database.

    Raises analysis.NotReady.
    """
    turns = past.turns(seat)
    mine = own_turns(past, seat)
    plays = plays_with_a_choice(mine)
    judged = judge_all(past, plays)
    mistakes = [verdict for verdict in judged if isinstance(verdict, Mistake)]
    dearest_mistakes = dearest(mistakes)
    finds = [verdict for verdict in judged if isinstance(verdict, Find)]
    bid = next((turn for turn in mine.values() if turn.is_bid), None)
    story = None if bid is None else bid_story(past.round, seat, bid)
    return Review(
        summary=_summary(past.round, seat, story, mistakes, plays),
        bid=story,
        turning=_turning_words(past.round, seat) if story else "",
        mistakes=dearest_mistakes,
        find=max(finds, key=lambda find: find.ahead, default=None),
        names=tuple(_("You") if n == seat else name for n, name in enumerate(past.names)),
        judged=len(plays),
        played_by_bot=len(turns) - len(mine),
        levels=bots_by_level(past, seat),
    )


def own_turns(past: PastRound, seat: int) -> dict[int, Turn]:
    """The seat's turns at which a person moved, by the number of the move."""
    turns = past.turns(seat)
    return {n: turn for n, turn in turns.items() if past.moves[n].mover == Move.Mover.PERSON}


def plays_with_a_choice(turns: Mapping[int, Turn]) -> dict[int, Turn]:
    """Those of the turns that can be judged as plays."""
    return {
        n: turn
        for n, turn in turns.items()
        if not turn.is_bid and len(turn.observation.legal) > 1
    }


def judge_all(past: PastRound, plays: Mapping[int, Turn]) -> list[Mistake | Find | None]:
    """Each of these plays, judged by what could be known. Raises analysis.NotReady."""
    judged = []
    for n, turn in plays.items():
        report(n, len(past.moves))
        judged.append(judge(turn, past.round.tricks[turn.trick - 1], moment=n))
    return judged


def dearest(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    """The mistakes that are told, in the order of the round."""
    chosen = sorted(mistakes, key=lambda mistake: -mistake.lost)[:SHOWN]
    return tuple(sorted(chosen, key=lambda mistake: mistake.moment))


def _summary(
    round_: Round,
    seat: int,
    story: BidStory | None,
    mistakes: Sequence[Mistake],
    plays: Mapping[int, Turn],
) -> tuple[str, ...]:
    """Two sentences at most: what the round came to, and the review's verdict."""
    taken, gained = round_.taken[seat], score_round(round_)[seat]
    bid = None if story is None else round_.bids[seat]
    fine = story is None or story.is_fine
    if not plays:
        verdict = ""
    elif fine and not mistakes:
        verdict = _("No clear mistakes.")
    elif not mistakes:
        verdict = _("Good card play, but another bid was better.")
    else:
        in_order = sorted(mistakes, key=lambda mistake: mistake.moment)
        tricks = all_of([mistake.trick for mistake in in_order])
        verdict = ngettext(
            "Trick %(tricks)s could have gone better.",
            "Tricks %(tricks)s could have gone better.",
            len(mistakes),
        ) % {"tricks": tricks}
        if story:
            verdict = sentences(
                _("Good bid.") if fine else _("Another bid was better."), verdict
            )
    came = outcome_words(bid, taken, points_words(gained, 0))
    return tuple(filter(None, (came, verdict)))


def _turning_words(round_: Round, seat: int) -> str:
    """A sentence on the trick from which on the bid could not come true; empty where it did."""
    bid = round_.bids[seat]
    if bid is None or bid == round_.taken[seat]:
        return ""
    taken = 0
    for n, trick in enumerate(round_.tricks, start=1):
        taken += trick.winner == seat
        if taken > bid:
            return _("With trick %(n)d you had more than your bid.") % {"n": n}
        if taken + HAND_SIZE - n < bid:
            if n == HAND_SIZE:
                return needed_trick_words(bid - taken, left=0)
            return _("After trick %(n)d, too few were left for your bid.") % {"n": n}
    return ""
