"""Single plays looked back on: what each gave up, or found, by what its seat could know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.analysis.odds import Promise
from games.rules import HAND_SIZE, Play, Trick, Variant
from games.study.look_back.bids import WORLDS, differ
from games.study.odds.forecasts import Turn, chances_read, foresee
from games.study.odds.words import chance, play_words, simulated_percent
from games.words import call_words, percent, points_words, sentences, tricks_words

CLEAR, LATER = 0.05, 0.1
"""Shares of deals, and tricks on average, below which two plays are alike: twice what 1,000
deals may be off."""

TOLD = 0.1
"""So much likelier, or less likely, something must be by what the others did to be told of."""


class HitBar(NamedTuple):
    """How often a bid comes true with a move, from 0 to 1 and in words; ``kind`` names it."""

    kind: str
    move: str
    rate: float
    words: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A play that cost something, at this moment of the round and in the trick as it went,
    beside the one that would have been best. ``hit_rates`` are the shares of deals in which
    the bid comes true with either, where they differ."""

    lost: float
    moment: int
    trick: int
    played: Trick
    best: Play
    is_same_card: bool
    verdict: tuple[str, ...]
    reasons: tuple[str, ...]
    hit_rates: tuple[float, float] | None

    @property
    def words(self) -> tuple[str, ...]:
        """All sentences on it: what was better and by how much, then why."""
        return self.verdict + self.reasons

    @property
    def bars(self) -> list[HitBar]:
        """How often the bid comes true with one's own move, and with the better one."""
        if self.hit_rates is None:
            return []
        made, best = self.hit_rates
        return [
            HitBar("made", _("You"), made, percent(made)),
            HitBar("best", _("better"), best, percent(best)),
        ]


@dataclass(frozen=True, slots=True)
class Find:
    """The play that was further ahead of the next best card than any other."""

    ahead: float
    trick: int
    played: Trick
    words: tuple[str, ...]


# The play.


def judge(turn: Turn, played: Trick, *, moment: int) -> Mistake | Find | None:
    """The mistake that this play was at a moment of the round, or the find, if it can be told
    from chance that it cost something, or was ahead of any other card."""
    promises = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(promises, tuple)
    assert isinstance(turn.move, Play)
    worth = partial(_mean_worth, turn)
    best = max(promises, key=worth)
    chosen = next(promise for promise in promises if promise.play == turn.move)
    if differ(best.outcome, chosen.outcome):
        return Mistake(
            lost=worth(best) - worth(chosen),
            moment=moment,
            trick=turn.trick,
            played=played,
            best=best.play,
            is_same_card=chosen.play.card == best.play.card,
            verdict=_verdict_words(turn, chosen, best),
            reasons=_reasons(turn, promises, chosen, best),
            hit_rates=_hit_rates(turn, chosen, best),
        )
    others = [promise for promise in promises if promise.play.card != chosen.play.card]
    if not others:
        return None
    other = max(others, key=worth)
    ahead = worth(chosen) - worth(other)
    if ahead <= 0 or not differ(chosen.outcome, other.outcome):
        return None
    facts = {
        "made": _play_words(turn, chosen),
        "other": _play_words(turn, other),
        "ahead": _amount_words(turn, ahead),
    }
    words = _("You played %(made)s: on average %(ahead)s better than %(other)s.")
    told = (words % facts, *_reasons(turn, promises, chosen, other))
    return Find(ahead, turn.trick, played, told)


def _play_words(turn: Turn, promise: Promise) -> str:
    return play_words(promise.play, turn.observation.hand)


def _verdict_words(turn: Turn, chosen: Promise, best: Promise) -> tuple[str, ...]:
    """Sentences on what was played and what was better, and by how much."""
    facts = {"made": _play_words(turn, chosen), "best": _play_words(turn, best)}
    sentence = _("You played %(made)s; %(best)s was better.")
    made_call, best_call = chosen.play.call, best.play.call
    if made_call and best_call and chosen.play.card == best.play.card:
        sentence = _("You called %(made)s; %(best)s was better.")
        facts = {"made": call_words(made_call), "best": call_words(best_call)}
    return sentence % facts, _cost_words(turn, chosen, best)


def _reasons(
    turn: Turn, promises: Sequence[Promise], chosen: Promise, other: Promise
) -> tuple[str, ...]:
    """Sentences on why of two plays one is better: what was needed, and what each brings."""
    words = (
        needed_words(turn),
        _why_words(turn, promises, chosen, other),
        _read_words(turn, chosen, other),
    )
    return tuple(filter(None, words))


def _mean_worth(turn: Turn, promise: Promise) -> float:
    """Points, or in the other games tricks, that the play brings on average, the more the
    better: in lose, tricks are a loss."""
    expected = promise.outcome.expected
    return -expected if turn.observation.variant is Variant.LOSE else expected


def _amount_words(turn: Turn, amount: float) -> str:
    """An amount of points, or in the other games of tricks."""
    if turn.observation.variant is Variant.BID:
        return points_words(amount)
    return tricks_words(amount)


def _bid(turn: Turn) -> int | None:
    assert turn.observation.seat is not None
    return turn.observation.bids[turn.observation.seat]


def _tricks_needed(turn: Turn) -> int | None:
    """How many tricks the seat still needed for its bid, negative beyond it; None without."""
    assert turn.observation.seat is not None
    bid = _bid(turn)
    return None if bid is None else bid - turn.observation.taken[turn.observation.seat]


def _hit_rate(turn: Turn, promise: Promise) -> float:
    """The share of deals in which the bid comes true with this play; 0 without bids."""
    bid = _bid(turn)
    return 0 if bid is None else promise.outcome.tricks[bid] / promise.outcome.worlds


def _why_words(turn: Turn, promises: Sequence[Promise], chosen: Promise, other: Promise) -> str:
    """Sentences on what the two plays differ in: the chance of this trick, and what the card
    that is left brings later."""
    beaten = ""
    if abs(chance(chosen.outcome) - chance(other.outcome)) >= CLEAR:
        words = _("Yours takes the trick in %(own)s of deals, the other in %(other)s.") % {
            "own": simulated_percent(chosen),
            "other": simulated_percent(other),
        }
        beaten = _beaters_words(chosen, other)
    elif not chosen.safety.takes and not other.safety.takes:
        words = _("Neither card can take this trick.")
    else:
        words = _("Both take this trick about equally often.")
    if not beaten and chosen.play.card == other.play.card:
        return words
    worse, better = sorted((chosen, other), key=partial(_mean_worth, turn))
    return sentences(words, _goal_words(turn, promises, worse, better), beaten)


def _read_words(turn: Turn, chosen: Promise, other: Promise) -> str:
    """Sentences on what the others' bids and plays made likelier, where that is much."""
    if turn.observation.variant is not Variant.BID:
        return ""
    chances = chances_read(turn.observation, (chosen.play, other.play))
    plain = (chosen.outcome.chance or 0, other.outcome.chance or 0)
    if not chances or max(abs(a - b) for a, b in zip(chances, plain, strict=True)) < TOLD:
        return ""
    words = _(
        "If you read bids and plays, too, it’s about %(own)s for yours, "
        "%(other)s for the other."
    )
    return words % {"own": percent(chances[0]), "other": percent(chances[1])}


def _goal_words(
    turn: Turn, promises: Sequence[Promise], worse: Promise, better: Promise
) -> str:
    """A sentence on what keeping the higher card is good for: later tricks where the seat falls
    short; or bad, where it takes too many. Empty where that is not sure."""
    wants = _wants_tricks(turn, worse, better)
    saver, spender = (better, worse) if wants else (worse, better)
    high = spender.play.card
    more = _later_tricks(saver) - _later_tricks(spender)
    if wants is not None and high.value > saver.play.card.value and more >= LATER:
        if _is_the_call(turn, promises, worse, better):
            return ""
        words = _("Keep %(high)s and you win %(more)s more later, on average.")
        if not wants:
            words = _("Keep %(high)s and you win too many later: %(more)s more, on average.")
        card = play_words(Play(high), turn.observation.hand)
        return words % {"high": card, "more": tricks_words(more)}
    return ""


def _wants_tricks(turn: Turn, worse: Promise, better: Promise) -> bool | None:
    """Whether the better play is so because the seat wants tricks; False where it would take
    too many; None where it is not clear which."""
    if turn.observation.variant is not Variant.BID:
        return turn.observation.variant is Variant.WIN
    few, many = (
        lost - left
        for lost, left in zip(_miss_rates(turn, worse), _miss_rates(turn, better), strict=True)
    )
    if max(few, many) < CLEAR or abs(few - many) < CLEAR:
        return None
    return few > many


def _miss_rates(turn: Turn, promise: Promise) -> tuple[float, float]:
    """The shares of deals in which the play ends below the bid, and above it."""
    bid, tricks = _bid(turn), promise.outcome.tricks
    assert bid is not None
    worlds = promise.outcome.worlds
    return sum(tricks[:bid]) / worlds, sum(tricks[bid + 1 :]) / worlds


def _later_tricks(promise: Promise) -> float:
    """The tricks expected besides the one in play."""
    return promise.outcome.expected_tricks - chance(promise.outcome)


def _is_the_call(
    turn: Turn, promises: Sequence[Promise], worse: Promise, better: Promise
) -> bool:
    """Whether another call with the worse card would do as well as the better play."""
    own = [promise for promise in promises if promise.play.card == worse.play.card]
    best = max(own, key=partial(_mean_worth, turn))
    return best is not worse and not differ(best.outcome, better.outcome)


def _beaters_words(chosen: Promise, other: Promise) -> str:
    """A sentence on how many unseen cards could beat each of two plays; empty where nothing
    could change one of them any more."""
    own, others = _beater_count(chosen), _beater_count(other)
    if own is None or others is None:
        return ""
    words = _("Of %(unseen)d unseen cards, %(own)d beat yours, %(other)d the other.")
    return words % {"unseen": chosen.safety.unseen, "own": own, "other": others}


def _beater_count(promise: Promise) -> int | None:
    """How many unseen cards could beat a play; None where it cannot take the trick, or nobody
    plays after it."""
    safety = promise.safety
    return safety.beaters if safety.takes and safety.opponents else None


def _cost_words(turn: Turn, chosen: Promise, best: Promise) -> str:
    """Sentences on what the better play brings in the end, on average."""
    if rates := _hit_rates(turn, chosen, best):
        own, other = map(percent, rates)
        words = _("You make your bid in %(own)s of deals, with the other in %(other)s.")
        return words % {"own": own, "other": other}
    lost = _mean_worth(turn, best) - _mean_worth(turn, chosen)
    words = _("The difference in the end: %(lost)s, on average.")
    return words % {"lost": _amount_words(turn, lost)}


def _hit_rates(turn: Turn, chosen: Promise, best: Promise) -> tuple[float, float] | None:
    """The shares of deals in which the bid comes true with either play, where they differ."""
    own, other = _hit_rate(turn, chosen), _hit_rate(turn, best)
    return (own, other) if other - own >= CLEAR else None


def needed_words(turn: Turn) -> str:
    """A sentence on how many tricks the seat still needed for its bid; empty without bids."""
    need, left = _tricks_needed(turn), HAND_SIZE - len(turn.observation.tricks)
    if need is None:
        return ""
    if need <= 0:
        return _("You needed no more tricks.")
    return needed_trick_words(need, left)


def needed_trick_words(need: int, left: int) -> str:
    """A sentence on the tricks that a bid still needs, and how many are left."""
    facts = {"need": need, "left": left}
    return _("Tricks you still needed: %(need)d. Tricks left: %(left)d.") % facts
