"""Puzzles in words: what is asked, what a wrong answer overlooks, why the right one is right.

Nothing here is asked for before an answer is given; ``solution`` only once it is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.analysis.bots import wikipedia_bid
from games.analysis.knowledge import read
from games.analysis.puzzles import NOBODY, YOU, Kind, Puzzle, puzzles
from games.analysis.puzzles.proofs import Ending, Lead, Proof, holders, leads, sloughs
from games.rules import DECK, Play, Round, Trick, by_value, hook, move_text, parse_move
from games.study.odds.words import play_words
from games.study.puzzles.daily import line_of, names_at, parsed_play
from games.study.puzzles.pictures import BidBars, DotGrid, bid_bars, dot_grid
from games.study.replay.lines import Line
from games.study.replay.scenes import result_words
from games.words import all_of, call_words, hook_words, number, sentences, taker_words

KINDS: dict[Kind, Promise] = {
    Kind.LEAD: gettext_lazy("The safest lead"),
    Kind.BID: gettext_lazy("The best bid"),
    Kind.LAST: gettext_lazy("Exactly your bid"),
    Kind.HOLD: gettext_lazy("Who can hold it?"),
}

LEVELS: dict[int, Promise] = {
    1: gettext_lazy("easy"),
    2: gettext_lazy("medium"),
    3: gettext_lazy("hard"),
}


def question(puzzle: Puzzle) -> tuple[str, ...]:
    """Sentences on what is the case and what is asked; the question itself is last."""
    match puzzle.kind:
        case Kind.LEAD:
            return (
                _(
                    "You want this trick: find the lead that the fewest unseen cards can beat. "
                    "A later equal card beats yours, too."
                ),
                _("Which lead is hardest to beat?"),
            )
        case Kind.BID:
            forbidden = hook(puzzle.observation.bids)
            return (
                _("You only bid: bots play all the cards, yours too."),
                *([] if forbidden is None else [hook_words(forbidden)]),
                _("Which bid brings you the most points on average?"),
            )
        case Kind.LAST:
            exactly = _("Take exactly %(n)d of the last three tricks: which card and call?")
            none = _("Take none of the last three tricks: which card and call?")
            goal = exactly % {"n": puzzle.wanted} if puzzle.wanted else none
            order = _(
                "All hands are open. %(names)s play after you: your choice must work "
                "whatever they play. If two are equal, the later one wins."
            )
            return order % {"names": all_of(names_at(puzzle)[1:])}, goal
        case Kind.HOLD:
            assert puzzle.card is not None
            return (
                _("A player who didn’t follow a call had no card that shows it."),
                _("Which player, if any, can still hold this %(n)d?")
                % {"n": puzzle.card.value},
            )


def situation(puzzle: Puzzle) -> dict[str, Any]:
    """The context of the puzzle's table, for its template: nothing that its seat doesn't
    see."""
    now, names, observation = puzzle.now, names_at(puzzle), puzzle.observation
    hands = zip(names[1:], now.hands[1:], strict=True) if puzzle.is_open else ()
    forbidden = hook(observation.bids) if puzzle.kind is Kind.BID else None
    order = [
        (observation.dealer + k) % observation.seats for k in range(1, observation.seats + 1)
    ]
    return {
        "kind": puzzle.kind.value,
        "card": puzzle.card,
        "names": names,
        "seats": observation.seats,
        "hand": by_value(observation.hand),
        "open_hands": [(name, by_value(hand)) for name, hand in hands],
        "tricks": observation.tricks,
        "played": by_value(card for trick in observation.tricks for _, card in trick.plays),
        "unseen": len(read(observation).unseen),
        "forbidden": None if forbidden is None else hook_words(forbidden),
        "bidders": [
            {
                "name": names[seat],
                "bid": observation.bids[seat],
                "taken": observation.taken[seat],
                "is_you": seat == YOU,
                "is_dealer": seat == observation.dealer,
            }
            for seat in order
        ],
    }


class Option(NamedTuple):
    """Something that can be answered, and its words."""

    value: str
    words: str


def options(puzzle: Puzzle) -> list[Option]:
    """The answers to choose from where they are words: bids, and who."""
    if puzzle.kind is Kind.BID:
        return [Option(text, text) for text in puzzle.choices]
    names = names_at(puzzle)
    return [
        Option(text, _("Nobody can") if text == NOBODY else names[int(text)])
        for text in puzzle.choices
    ]


def answer_words(puzzle: Puzzle, text: str) -> str:
    """An answer as one says it: “the 9, calling 2 stars”, “2”, “Ada”."""
    if puzzle.kind is Kind.HOLD:
        return next(option.words for option in options(puzzle) if option.value == text)
    move = parse_move(text)
    return play_words(move, puzzle.now.hands[YOU]) if isinstance(move, Play) else text


# What a wrong answer overlooks. It never says what is right.


def why_wrong_words(puzzle_number: int, text: str) -> str:
    """Why this answer to a puzzle isn't the best, in a sentence or two."""
    puzzle = puzzles()[puzzle_number]
    match puzzle.kind:
        case Kind.LEAD:
            count = len(_lead(puzzle, text).beaters)
            return _("Unseen cards that can beat it: %(n)d.") % {"n": count}
        case Kind.BID:
            brings = puzzle.points[int(text)]
            assert brings is not None
            words = _("A bid of %(bid)s brings %(points)s on average.")
            return words % {"bid": text, "points": number(brings, 2)}
        case Kind.LAST:
            taken = taken_after(puzzle_number, text)
            words = _("Then the others can make you take %(n)d of the last three.")
            return words % {"n": taken}
        case Kind.HOLD:
            return _not_this_holder_words(puzzle, text)


def _not_this_holder_words(puzzle: Puzzle, text: str) -> str:
    if text == NOBODY:
        return _("There’s a player that no trick rules out.")
    assert puzzle.card is not None
    proof = next(each for each in sloughs(puzzle) if str(each.seat) == text)
    facts = {
        "name": names_at(puzzle)[proof.seat],
        "call": call_words(proof.call),
        "trick": proof.trick,
        "n": puzzle.card.value,
    }
    return (
        _("%(name)s didn’t follow %(call)s in trick %(trick)d. This %(n)d shows %(call)s.")
        % facts
    )


def trick_against(puzzle: Puzzle, text: str) -> int:
    """The number of the trick in which this player shows that the card isn't theirs; of any
    other answer the last one's."""
    proved = (each.trick for each in sloughs(puzzle) if str(each.seat) == text)
    return next(proved, len(puzzle.now.tricks))


def proving_trick(puzzle: Puzzle) -> int:
    """The number of the trick that rules out the most players, the last such."""
    proved = [each.trick for each in sloughs(puzzle)]
    return max(proved, key=lambda trick: (proved.count(trick), trick))


# The last tricks, played by oneself.


class PlayedTrick(NamedTuple):
    """A trick of the line, whether it is still open, and new since your last choice."""

    trick: Trick
    is_open: bool
    is_new: bool


def played_tricks(line: Line, begin: int) -> list[PlayedTrick]:
    """The tricks of a line since the moment ``begin``, the open one the last."""
    end = line.rounds[-1]
    choices = [
        n for n in line.turns(YOU) if n >= begin and len(line.rounds[n].legal_moves()) > 1
    ]
    before = len(line.rounds[choices[-1] if choices else begin].tricks)
    tricks = [
        PlayedTrick(trick, is_open=False, is_new=n >= before)
        for n, trick in enumerate(end.tricks)
    ]
    if end.trick and end.trick.plays:
        tricks.append(PlayedTrick(end.trick, is_open=True, is_new=True))
    return tricks[len(line.rounds[begin].tricks) :]


def play_options(line: Line) -> list[Option]:
    """What you may play at the line's end."""
    now = line.rounds[-1]
    plays = (move for move in now.legal_moves() if isinstance(move, Play))
    return [Option(move_text(play), play_words(play, now.hands[YOU])) for play in plays]


def still_wanted_words(now: Round) -> str:
    """A sentence on what is left to do for your bid; empty where it can’t be made any more."""
    bid, left = now.bids[YOU], len(now.hands[YOU])
    assert bid is not None
    wanted = bid - now.taken[YOU]
    if not 0 <= wanted <= left:
        return ""
    words = _("Take exactly %(n)d more. Tricks left: %(left)d.")
    return words % {"n": wanted, "left": left}


@lru_cache(maxsize=64)
def has_more_to_choose(puzzle_number: int) -> bool:
    """Whether you could still miss after the answer of a puzzle of the last tricks."""
    puzzle = puzzles()[puzzle_number]
    return Ending(puzzle).can_miss(parsed_play(puzzle.answer))


def missed_by(puzzle_number: int, own: Sequence[str]) -> str:
    """A sentence on your play after which the others could make you miss; empty for none."""
    puzzle = puzzles()[puzzle_number]
    plays = [move for text in own if isinstance(move := parse_move(text), Play)]
    miss = Ending(puzzle).first_miss(*plays)
    if miss is None:
        return ""
    facts = {"play": play_words(miss, puzzle.now.hands[YOU])}
    return _("After %(play)s, they could make you miss.") % facts


def taken_after(puzzle_number: int, text: str) -> int:
    """How many of the last three tricks you take after this play, if the others play for your
    missing the bid."""
    end, puzzle = line_of(puzzle_number, text).rounds[-1], puzzles()[puzzle_number]
    return end.taken[YOU] - puzzle.now.taken[YOU]


def refutation(puzzle_number: int, text: str) -> tuple[Trick, ...]:
    """The tricks that show this answer to be wrong: to the last one (LAST), or one that an
    unseen card takes (LEAD); none where no trick could show it, or the answer is right."""
    puzzle = puzzles()[puzzle_number]
    if text == puzzle.answer:
        return ()
    if puzzle.kind is Kind.LAST:
        return line_of(puzzle_number, text).rounds[-1].tricks[len(puzzle.now.tricks) :]
    if puzzle.kind is not Kind.LEAD:
        return ()
    play, beaters = _lead(puzzle, text)
    found = (
        Trick(YOU, play.call, ((YOU, play.card), (seat, card)))
        for card in reversed(beaters)
        for seat in holders(puzzle, card)
    )
    return tuple(islice(found, 1))


def beaters(puzzle_number: int, text: str) -> tuple[str, ...]:
    """The codes of the unseen cards that beat this lead, the highest first; of no lead none."""
    puzzle = puzzles()[puzzle_number]
    if puzzle.kind is not Kind.LEAD:
        return ()
    return tuple(card.code for card in by_value(_lead(puzzle, text).beaters))


def _lead(puzzle: Puzzle, text: str) -> Lead:
    return next(lead for lead in leads(puzzle) if lead.play == parse_move(text))


# How it goes on after the right answer.


def tricks_to_see(puzzle_number: int) -> list[tuple[Trick, str]]:
    """The tricks of a puzzle's line after its question, each with who takes it; of who can hold
    a card those that prove it, each with what it proves, then one that proves nothing."""
    puzzle, end = puzzles()[puzzle_number], line_of(puzzle_number).rounds[-1]
    if puzzle.kind is Kind.HOLD:
        proved = defaultdict(list)
        for proof in sloughs(puzzle):
            proved[proof.trick].append(proof)
        shown = [(end.tricks[n - 1], _ruled_out(puzzle, proved[n])) for n in sorted(proved)]
        if puzzle.answer != NOBODY:
            last = _sloughed_in(puzzle, int(puzzle.answer))[-1]
            shown.append((last, _still_may_words(puzzle)))
        return shown
    names = names_at(puzzle)
    return [
        (trick, taker_words(names[trick.winner], trick, is_you=trick.winner == YOU))
        for trick in end.tricks[len(puzzle.now.tricks) :]
        if trick.winner is not None
    ]


def end_words(puzzle_number: int) -> str:
    """A sentence on what the round of a puzzle's line comes to for you, or on who can hold the
    card."""
    if puzzles()[puzzle_number].kind is Kind.HOLD:
        return solution(puzzle_number).reasons[-1]
    return result_words(line_of(puzzle_number).rounds[-1], YOU, "", is_you=True)


# Why the right answer is right.


class Row(NamedTuple):
    """A card's code or a bid, with cells: what was chosen, its worth, whether it's right."""

    head: str
    cells: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer, its reasons in sentences, cards to show with them, a table of all that was to
    choose from, and a picture: a dot for each way, or a bar for each bid."""

    answer: str
    reasons: tuple[str, ...]
    cards: tuple[str, ...] = ()
    cards_title: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    # Other first plays and what they come to, to be looked at as replays.
    others: tuple[Option, ...] = ()
    dots: DotGrid | None = None
    bars: BidBars | None = None


def solution(puzzle_number: int) -> Solution:
    """Why the answer is right, with the arithmetic."""
    puzzle = puzzles()[puzzle_number]
    match puzzle.kind:
        case Kind.LEAD:
            return _lead_solution(puzzle)
        case Kind.BID:
            return _bid_solution(puzzle)
        case Kind.LAST:
            return _last_solution(puzzle_number, puzzle)
        case Kind.HOLD:
            return _hold_solution(puzzle)


def _lead_solution(puzzle: Puzzle) -> Solution:
    all_leads = leads(puzzle)
    best = next(lead for lead in all_leads if lead.play == parse_move(puzzle.answer))
    card, call = best.play.card, best.play.call
    assert call is not None
    as_high = [other for other in DECK if other.shows(call) and other.value >= card.value]
    left = len(best.beaters)
    facts = {
        "call": call_words(call),
        "value": card.value,
        "all": len(as_high),
        "seen": len(as_high) - left,
        "left": left,
    }
    beaten = _("Unseen cards that can beat it: %(n)d.")
    reasons = [
        beaten % {"n": left} if left else _("No unseen card beats it: a sure trick."),
        _("27 cards show %(call)s; %(all)d are worth %(value)d or more.") % facts,
        _("You’ve seen %(seen)d of these. %(all)d − %(seen)d = %(left)d.") % facts,
    ]
    rows = [
        Row(
            other.code,
            tuple(
                (call_words(each.play.call), str(len(each.beaters)), each is best)
                for each in all_leads
                if each.play.card == other and each.play.call is not None
            ),
        )
        for other in by_value(puzzle.now.hands[YOU])
    ]
    return Solution(
        answer_words(puzzle, puzzle.answer),
        tuple(reasons),
        cards=tuple(other.code for other in best.beaters),
        cards_title=_("What could take it") if left else "",
        heads=(_("Card"), _("Unseen cards that beat it, by call")),
        rows=tuple(rows),
    )


def _bid_solution(puzzle: Puzzle) -> Solution:
    best = puzzle.points[int(puzzle.answer)]
    assert best is not None
    words = _("In 100,000 deals that fit, a bid of %(bid)s brought %(points)s on average.")
    reasons = [words % {"bid": puzzle.answer, "points": number(best, 2)}]
    tip = wikipedia_bid(puzzle.now.hands[YOU])
    if str(tip) != puzzle.answer:
        reasons.append(_("Tip B says %(n)d.") % {"n": tip})
    cells = tuple(
        Row(
            str(bid),
            (
                (
                    "",
                    _("not allowed") if gives is None else number(gives, 2),
                    str(bid) == puzzle.answer,
                ),
            ),
        )
        for bid, gives in enumerate(puzzle.points)
    )
    return Solution(
        puzzle.answer,
        tuple(reasons),
        heads=(_("Bid"), _("Points on average")),
        rows=cells,
        bars=bid_bars(puzzle.points, int(puzzle.answer)),
    )


def bars_of(puzzle: Puzzle, tried: Collection[str]) -> BidBars:
    """A bar for each bid that was tried, and of no other."""
    return bid_bars(
        [each if str(bid) in tried else None for bid, each in enumerate(puzzle.points)]
    )


@lru_cache(maxsize=64)
def _ways(puzzle_number: int) -> int:
    """In how many ways the others can answer the lead that is right."""
    puzzle = puzzles()[puzzle_number]
    return Ending(puzzle).answers(parsed_play(puzzle.answer))


@lru_cache(maxsize=64)
def _takes_first(puzzle_number: int) -> bool:
    """Whether the lead that is right takes its trick, whatever the others do."""
    puzzle = puzzles()[puzzle_number]
    takes_first = Ending(puzzle).takes_first(parsed_play(puzzle.answer))
    assert takes_first is not None  # of no puzzle that there is
    return takes_first


def _taken_words(puzzle_number: int) -> str:
    """Sentences on who takes the trick that the answer leads, and what you take after it."""
    puzzle, takes_first = puzzles()[puzzle_number], _takes_first(puzzle_number)
    words = _("Then you take %(n)d of the last two, in all %(ways)d ways they can answer.")
    taken = words % {"n": puzzle.wanted - takes_first, "ways": _ways(puzzle_number)}
    if takes_first:
        return sentences(_("Nobody can beat it."), taken)
    trick = line_of(puzzle_number).rounds[-1].tricks[len(puzzle.now.tricks)]
    assert trick.winner is not None
    taker = taker_words(names_at(puzzle)[trick.winner], trick, is_you=False)
    return sentences(taker, taken)


def _last_solution(puzzle_number: int, puzzle: Puzzle) -> Solution:
    others = [text for text in puzzle.choices if text != puzzle.answer]
    ways = _ways(puzzle_number)
    options_ = [
        Option(
            text,
            _("%(play)s: %(n)d taken")
            % {"play": answer_words(puzzle, text), "n": taken_after(puzzle_number, text)},
        )
        for text in others
    ]
    return Solution(
        answer_words(puzzle, puzzle.answer),
        (
            _taken_words(puzzle_number),
            _("After any of the other %(n)d first plays they can make you miss.")
            % {"n": len(others)},
        ),
        others=tuple(options_),
        dots=dot_grid(ways),
    )


def _ruled_out(puzzle: Puzzle, proofs: Sequence[Proof]) -> str:
    """What these say, all of one call that the card asked for shows."""
    names = names_at(puzzle)
    return _("%(names)s: no card with %(call)s.") % {
        "names": all_of([names[each.seat] for each in proofs]),
        "call": call_words(proofs[0].call),
    }


def _hold_solution(puzzle: Puzzle) -> Solution:
    assert puzzle.card is not None
    names = names_at(puzzle)
    by_call = defaultdict(list)
    for proof in sloughs(puzzle):
        by_call[proof.call].append(proof)
    reasons = ["\n".join(_ruled_out(puzzle, each) for each in by_call.values())]
    if puzzle.answer == NOBODY:
        reasons.append(_("Nobody is left, and nobody played it: it wasn’t dealt."))
    else:
        name = names[int(puzzle.answer)]
        reasons.append(_still_may_words(puzzle))
        reasons.append(_("So only %(name)s can hold it, or it wasn’t dealt.") % {"name": name})
    said = answer_words(puzzle, puzzle.answer)
    if puzzle.answer == NOBODY:  # within a sentence
        said = said[0].lower() + said[1:]
    return Solution(said, tuple(reasons))


def _still_may_words(puzzle: Puzzle) -> str:
    """That what the one who can hold the card couldn't follow says nothing of it."""
    assert puzzle.card is not None
    seat = int(puzzle.answer)
    calls = dict.fromkeys(trick.call for trick in _sloughed_in(puzzle, seat) if trick.call)
    return _("%(name)s couldn’t follow %(calls)s. The %(n)d shows other counts.") % {
        "name": names_at(puzzle)[seat],
        "n": puzzle.card.value,
        "calls": ", ".join(map(call_words, calls)),
    }


def _sloughed_in(puzzle: Puzzle, seat: int) -> list[Trick]:
    """The tricks whose call this seat did not follow."""
    return [
        trick
        for trick in puzzle.now.tricks
        for who, card in trick.plays
        if who == seat and trick.call and not card.shows(trick.call)
    ]
