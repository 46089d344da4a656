"""The shipped puzzles: proved twice, none alike, and still right under the present rules."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from hashlib import sha256
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.analysis import kernel
from games.analysis.bots import wikipedia_bid
from games.analysis.knowledge import read
from games.analysis.puzzles import (
    BALANCED,
    LEVELS,
    NOBODY,
    SHARE,
    YOU,
    Kind,
    Puzzle,
    Use,
    from_line,
    likeness,
    numbers_for,
    numbers_in_use,
    puzzles,
)
from games.analysis.puzzles.bids import bid_figures, fits
from games.analysis.puzzles.makers import AHEAD, ERRORS, make
from games.analysis.puzzles.proofs import Ending, holders, leads, whole_line
from games.analysis.simulation import WorldSampler
from games.management.commands import make_puzzles
from games.management.commands.make_puzzles import FILE
from games.rules import Card, Play, Round, move_text, parse_card, parse_move
from tests.analysis.second_solver import solve, stands

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
LINES = FILE.read_text("utf-8").splitlines()


def of(kind: Kind) -> list[Puzzle]:
    return [puzzle for puzzle in puzzles() if puzzle.kind is kind]


def data_of(kind: Kind) -> list[dict[str, Any]]:
    return [data for data in map(json.loads, LINES) if data["kind"] == kind.value]


def answers(puzzle: Puzzle) -> tuple[str, ...]:
    """All right answers as texts (a puzzle has one): a play in notation, of a hold the seats or
    NOBODY. Raises ValueError for bids, which are simulated."""
    match puzzle.kind:
        case Kind.LEAD:
            every = leads(puzzle)
            least = min(len(lead.beaters) for lead in every)
            return tuple(move_text(lead.play) for lead in every if len(lead.beaters) == least)
        case Kind.LAST:
            ending = Ending(puzzle)
            return tuple(move_text(play) for play in ending.plays if ending.forces(play))
        case Kind.HOLD:
            assert puzzle.card is not None
            seats = holders(puzzle, puzzle.card)
            return tuple(map(str, seats)) or (NOBODY,)
        case Kind.BID:
            raise ValueError("bids are simulated")


def fault_of(puzzle: Puzzle) -> str:
    """What is wrong with a puzzle by the first solver, in one line; empty if nothing is."""
    if puzzle.answer not in puzzle.choices:
        return "its answer cannot be given"
    if puzzle.now.to_move != YOU:
        return "it is not your turn"
    if puzzle.kind is not Kind.BID and answers(puzzle) != (puzzle.answer,):
        return f"right is {', '.join(answers(puzzle))}, not {puzzle.answer}"
    return ""


@pytest.mark.parametrize(("use", "count"), [(Use.DAY, 384), (Use.HOMEWORK, 240)])
def test_there_are_as_many_of_each_kind_and_level(use: Use, count: int) -> None:
    found = [puzzles()[n] for n in numbers_in_use(use)]
    assert len(found) == count
    each = Counter((p.kind, p.level) for p in found)
    assert set(each) == set(product(Kind, LEVELS))
    assert len(set(each.values())) == 1


def test_sets_have_easy_ones_and_some_of_who_can_hold_a_card() -> None:
    found = Counter((puzzles()[n].kind, puzzles()[n].level) for n in numbers_in_use(Use.SET))
    assert found == dict.fromkeys([*product(Kind, [1]), (Kind.HOLD, 2)], 24)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("use", list(Use))
def test_no_answers_shape_has_more_than_a_third(use: Use, kind: Kind) -> None:
    """Of what is given out, at each level."""
    found = [puzzles()[n] for n in numbers_in_use(use) if puzzles()[n].kind is kind]
    text = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text("utf-8")
    for level in {puzzle.level for puzzle in found}:
        shapes = Counter(puzzle.shape for puzzle in found if puzzle.level == level)
        assert max(shapes.values()) <= SHARE * shapes.total()
    most = max(Counter(puzzle.shape for puzzle in found).values()) / len(found)
    low, high = map(int, re.findall(r"The likeliest has (\d+) to (\d+)%", text)[0])
    assert low <= round(100 * most) <= high


def test_the_tips_lead_is_seldom_the_safest() -> None:
    found = [
        p for p in of(Kind.LEAD) if p in {puzzles()[n] for u in Use for n in numbers_in_use(u)}
    ]
    rated = [
        max(p.now.legal_moves(), key=lambda m: 5 * m.card.value - 6 * m.call.number)  # type: ignore[union-attr]
        for p in found
    ]
    by_tip = sum(
        5 * play.card.value - 6 * play.call.number == 5 * tip.card.value - 6 * tip.call.number  # type: ignore[union-attr]
        for play, tip in zip((parse_move(p.answer) for p in found), rated, strict=True)
    )
    assert 0 < by_tip < len(found) / 5


def test_each_has_one_use_and_days_keep_their_numbers() -> None:
    """Addresses, cookies and stored homework know a puzzle by its number."""
    assert numbers_for(Use.DAY)[:480] == tuple(range(480))
    before = "\n".join(LINES[:BALANCED]) + "\n"
    assert sha256(before.encode()).hexdigest().startswith("0204f9d727b7390e")
    assert sum(len(numbers_for(use)) for use in Use) == len(puzzles())


def test_each_is_read_as_it_is_written() -> None:
    assert [puzzle.line() for puzzle in puzzles()] == LINES


def test_the_rules_still_give_each_its_answer() -> None:
    """What is shipped is the golden file; bids' figures are in the soak."""
    assert {n: wrong for n, p in enumerate(puzzles()) if (wrong := fault_of(p))} == {}


def test_none_is_like_another_whatever_its_shapes_are_called() -> None:
    assert len({likeness(puzzle) for puzzle in puzzles()}) == len(puzzles())


def renamed(puzzle: Puzzle, names: tuple[int, ...]) -> Puzzle:
    """The same with other names of shapes, and each hand in another order."""
    shapes = ("ball", "cube", "cone", "star")

    def card(old: Card) -> Card:
        return parse_card("".join(old.code[place] for place in names))

    def text(old: str) -> str:
        move = parse_move(old)
        if not isinstance(move, Play):
            return old
        if move.call is None:
            return card(move.card).code
        shape = shapes[names.index(move.call.shape.position)]
        return f"{card(move.card).code}:{move.call.number}-{shape}"

    return replace(
        puzzle,
        hands=tuple(tuple(map(card, reversed(hand))) for hand in puzzle.hands),
        moves=tuple(map(text, puzzle.moves)),
        card=card(puzzle.card) if puzzle.card else None,
    )


@pytest.mark.parametrize("kind", list(Kind))
def test_a_puzzle_is_like_itself_with_other_names_of_shapes(kind: Kind) -> None:
    for puzzle in of(kind)[:3]:
        others = [renamed(puzzle, names) for names in permutations(range(4))]
        assert len({other.hands for other in others}) == 24
        assert {likeness(other) for other in others} == {likeness(puzzle)}


def sample(kind: Kind, count: int) -> list[dict[str, Any]]:
    found = data_of(kind)
    return found if SOAK else found[:: max(1, len(found) // count)][:count]


@pytest.mark.parametrize(("kind", "count"), [(Kind.LEAD, 120), (Kind.LAST, 4), (Kind.HOLD, 60)])
def test_a_second_solver_agrees(kind: Kind, count: int) -> None:
    """It shares nothing with the first but the rules."""
    asked = sample(kind, count)
    wrong = {n: p["answer"] for n, p in enumerate(asked) if solve(p) != [p["answer"]]}
    assert wrong == {}


@pytest.mark.parametrize("number", range(len(data_of(Kind.BID)) if SOAK else 1))
def test_a_second_solver_agrees_on_bids(number: int) -> None:
    """In 10,000 deals of its own, by its own tips; in the usual run 3000 tell half a point."""
    asked = data_of(Kind.BID)[number]
    assert solve(asked, 10_000 if SOAK else 3000) == [asked["answer"]]


@pytest.mark.parametrize("kind", list(Kind))
def test_the_second_solver_finds_a_wrong_answer(kind: Kind) -> None:
    """One of another puzzle, or cards that were moved: it does not only repeat the file."""
    asked, other = data_of(kind)[:2]
    moved = {**asked, "answer": "" if asked["answer"] == other["answer"] else other["answer"]}
    worlds = 300
    assert solve(moved, worlds) != [moved["answer"]]


def test_bids_are_ahead_by_far_and_what_is_shown_is_what_was_simulated() -> None:
    for puzzle in of(Kind.BID) if SOAK else of(Kind.BID)[:1]:
        found = bid_figures(puzzle)
        assert str(found.best) == puzzle.answer
        assert found.points == puzzle.points
        assert found.ahead >= AHEAD
        assert found.errors >= ERRORS
        ranked = sorted(gain for gain in puzzle.points if gain is not None)
        assert ranked[-1] - ranked[-2] >= AHEAD - 0.01


def test_solutions_play_to_the_end_and_come_true() -> None:
    for puzzle in puzzles() if SOAK else puzzles()[::3]:
        round_ = puzzle.start
        for text in whole_line(puzzle):
            round_ = round_.apply(parse_move(text))
        assert round_.is_over
        if puzzle.kind in {Kind.BID, Kind.LAST}:
            assert round_.taken[YOU] == round_.bids[YOU]


def test_every_other_first_play_misses_the_bid() -> None:
    for puzzle in of(Kind.LAST) if SOAK else of(Kind.LAST)[:10]:
        for text in puzzle.choices:
            round_ = puzzle.start
            for move in whole_line(puzzle, text):
                round_ = round_.apply(parse_move(move))
            missed = round_.taken[YOU] != round_.bids[YOU]
            assert missed is (text != puzzle.answer)


def test_who_plays_on_by_forcing_makes_it_and_who_does_not_misses() -> None:
    """Whatever you play of what there is, at each of your turns."""

    def play_all(ending: Ending, puzzle: Puzzle, own: tuple[Play, ...]) -> int:
        round_ = puzzle.now
        for play in ending.line(*own, to_end=False):
            round_ = round_.apply(play)
        missed = ending.first_miss(*own)
        if round_.is_over:
            with pytest.raises(ValueError, match="too many"):
                ending.line(*own, *own)
            assert (round_.taken[YOU] == round_.bids[YOU]) is (missed is None)
            return 1
        assert round_.to_move == YOU
        moves = [move for move in round_.legal_moves() if isinstance(move, Play)]
        assert len(moves) > 1, "what is forced is played"
        if missed is None:
            after = [ending.first_miss(*own, move) for move in moves]
            assert None in after, "one of them forces it still"
            assert set(after) <= {None, *moves}
            assert ending.can_miss(*own) or not any(after)
        return sum(play_all(ending, puzzle, (*own, move)) for move in moves)

    for puzzle in of(Kind.LAST)[:3]:
        ending = Ending(puzzle)
        own = ending.plays[0]
        assert play_all(ending, puzzle, ()) > len(ending.plays)
        with pytest.raises(ValueError, match="does not hold"):
            ending.line(own, own)


def test_the_ways_to_answer_are_counted() -> None:
    """By going on by the rules: of your plays the first that wins, of the others' all."""

    def ways(round_: Round) -> int:
        if round_.is_over:
            return round_.taken[YOU] == round_.bids[YOU]
        after = [ways(round_.apply(move)) for move in round_.legal_moves()]
        if round_.to_move == YOU:
            return next((count for count in after if count), 0)
        return sum(after) if all(after) else 0

    puzzle = min(of(Kind.LAST), key=lambda puzzle: puzzle.now.seats)
    play = parse_move(puzzle.answer)
    assert isinstance(play, Play)
    assert Ending(puzzle).answers(play) == ways(puzzle.now.apply(play)) > 1


def test_the_trick_that_an_answer_leads_is_sure_to_go_one_way() -> None:
    """Whatever the others answer, by the rules alone, in all puzzles of the last tricks."""

    def takers(round_: Round) -> set[int]:
        if len(round_.tricks) == len(puzzle.now.tricks) + 1:
            winner = round_.tricks[-1].winner
            assert winner is not None
            return {winner}
        return set().union(*(takers(round_.apply(move)) for move in round_.legal_moves()))

    ways = set()
    for puzzle in of(Kind.LAST) if SOAK else of(Kind.LAST)[::9]:
        play = parse_move(puzzle.answer)
        assert isinstance(play, Play)
        mine = {taker == YOU for taker in takers(puzzle.now.apply(play))}
        takes_first = Ending(puzzle).takes_first(play)
        assert mine == {takes_first}
        ways.add(takes_first)
    assert ways == {True, False}


def test_nobody_holds_a_card_but_who_can_and_nobody_is_not_the_usual_answer() -> None:
    answers = Counter(puzzle.answer == NOBODY for puzzle in of(Kind.HOLD))
    assert 10 <= answers[True] <= answers[False]
    for puzzle in of(Kind.HOLD):
        where = [str(n) for n, hand in enumerate(puzzle.now.hands) if puzzle.card in hand]
        assert where in ([], [puzzle.answer])


def test_a_move_too_many_is_refused() -> None:
    data = data_of(Kind.LEAD)[0]
    first = data["moves"].split()[0]
    with pytest.raises(ValueError, match="does not hold"):
        stands({**data, "moves": f"{data['moves']} {first.split(':')[0]}"})
    assert fault_of(replace(of(Kind.LEAD)[0], answer="1111:1-ball"))


@pytest.mark.parametrize("kind", [Kind.LEAD, Kind.LAST, Kind.HOLD])
def test_the_same_seed_makes_the_same_puzzles(kind: Kind) -> None:
    once, again = (list(make(kind, 2, 3)) for _ in range(2))
    assert once == again
    assert once != list(make(kind, 2, 4))
    assert [fault_of(made.puzzle) for made in once] == ["", ""]


def test_the_command_makes_a_file_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "made.jsonl"
    counts = {(kind, level): 1 for kind in Kind for level in LEVELS if kind is not Kind.BID}
    monkeypatch.setattr(make_puzzles, "MADE", {Use.HOMEWORK: (6, counts)})
    call_command("make_puzzles", "--out", str(out))
    lines = out.read_text("utf-8").splitlines()
    assert lines[:BALANCED] == LINES[:BALANCED]
    made = [from_line(line) for line in lines[BALANCED:]]
    assert Counter((puzzle.kind, puzzle.level) for puzzle in made) == counts
    assert [fault_of(puzzle) for puzzle in made] == [""] * len(counts)
    assert {puzzle.use for puzzle in made} == {Use.HOMEWORK}
    assert FILE.read_text("utf-8").splitlines() == LINES


def test_those_solved_by_hand_come_to_the_stored_answers() -> None:
    text = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text("utf-8")
    told = re.findall(r"\*\*(\d+)\*\* \[([\d-]+)\].*?Answer:\s+`([^`]+)`", text, re.DOTALL)
    assert [int(number) for number, _day, _answer in told] == list(range(1, 21))
    first = date(2026, 8, 1)
    numbers = [(date.fromisoformat(day) - first).days for _number, day, _answer in told]
    assert [puzzles()[n].answer for n in numbers] == [answer for *_more, answer in told]
    assert Counter(puzzles()[n].kind for n in numbers) == dict.fromkeys(Kind, 5)


def test_bids_are_weighed_in_deals_in_which_the_tips_would_have_bid_so() -> None:
    puzzle = next(puzzle for puzzle in of(Kind.BID) if len(puzzle.moves) == 2)
    sampler = WorldSampler(read(puzzle.observation), puzzle.now.hands[YOU])
    worlds = sampler.deal(400, seed=1)
    kept = fits(puzzle.now, worlds)
    assert 0 < kept.sum() < 400
    for world, is_kept in zip(worlds, kept, strict=True):
        hands = {
            seat: [
                card for card, owner in zip(kernel.card_at, world, strict=True) if owner == seat
            ]
            for seat, bid in enumerate(puzzle.now.bids)
            if bid is not None
        }
        bids = {seat: wikipedia_bid(hand) for seat, hand in hands.items()}
        assert is_kept == all(puzzle.now.bids[seat] == bid for seat, bid in bids.items())
