"""Players found out by what they do, and worlds dealt by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks import learnt
from games.analysis import bots, counter, experience, expert, kernel, players
from games.analysis.knowledge import read
from games.analysis.outcomes import Choice
from games.analysis.players import KINDS, Reader, strangers
from games.analysis.sense import sensible
from games.analysis.simulation import WorldSampler
from games.rules import Bid, Move, Observation, Play, Round, Variant, observe
from tests.analysis.points import assert_possible, begun, rounds, surprise
from xactika_site import doctor


def played(names: list[str], seed: str) -> tuple[Round, list[Move]]:
    """A finished round of these bots, and its moves."""
    rng = Random(seed)
    point, moves = begun("bid", len(names), rng), []
    while point.to_move is not None:
        seen = observe(point, point.to_move)
        moves.append(bots.choose(seen, level=names[point.to_move], rng=rng))
        point = point.apply(moves[-1])
    return point, moves


def chance(kind: str, seen: Observation, move: Move) -> float:
    """How likely a bot of this kind makes the move, from its own plain Python."""
    level, slips = {"careless": ("tip-wikipedia", 1 / 3), "random": ("counter", 1.0)}.get(
        kind, (kind, players._SLIPS[KINDS.index(kind)])
    )
    if level in bots.HABITS:
        best = bots.HABITS[level].moves(seen)
    elif isinstance(move, Bid):
        best = [counter.decide(seen).move]
    else:
        moves = [m for m in sensible(seen, read(seen)) if isinstance(m, Play)]
        count = counter._Count(seen, read(seen))
        costs = [round(count.play_cost(each)[0], 9) for each in moves]
        best = [m for m, cost in zip(moves, costs, strict=True) if cost == min(costs)]
    fit = (move in best) / len(best)
    return (1 - slips) * fit + slips / len(seen.legal)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "expert"])
def test_likelihoods_are_those_of_the_bots_themselves(kind: str) -> None:
    """In worlds that may be, against the bots asked move by move."""
    compared = 0
    for number in range(8):
        over, moves = played(
            [kind, kind, "random"] if number % 2 else [kind] * 4, f"l {number}"
        )
        dealt = [
            [card for trick in over.tricks for s, card in trick.plays if s == seat]
            for seat in range(over.seats)
        ]
        point = Round.start(variant=Variant.BID, hands=dealt, dealer=over.dealer)
        stop = Random(number).randrange(over.seats, len(moves))
        point = reduce(lambda p, move: p.apply(move), moves[:stop], point)
        assert point.to_move is not None
        seen = observe(point, point.to_move)
        told = players._PublicTurns(seen)
        for world in WorldSampler(read(seen), seen.hand).deal(6, seed=number):
            held = [
                [kernel.card_at[c] for c in np.flatnonzero(world == seat)]
                for seat in range(over.seats)
            ]
            gone = [
                [c for t in (*point.tricks, point.trick) if t for s, c in t.plays if s == seat]
                for seat in range(over.seats)
            ]
            hands = [a + b for a, b in zip(held, gone, strict=True)]
            then = Round.start(variant=Variant.BID, hands=hands, dealer=over.dealer)
            expected = [1.0] * over.seats
            for move in moves[:stop]:
                assert then.to_move is not None
                expected[then.to_move] *= chance(kind, observe(then, then.to_move), move)
                then = then.apply(move)
            for seat in range(over.seats):
                if seat != seen.seat:
                    hand = np.array([[kernel.card_index[c] for c in held[seat]]], np.int64)
                    (found,) = told.weigh(seat, KINDS.index(kind), hand)
                    is_hopeless = found == 0 and expected[seat] < 1e-5
                    assert is_hopeless or found == pytest.approx(expected[seat], rel=1e-6)
                    compared += found > 0
    assert compared > 30


def test_hands_are_joined_as_likely_as_they_are_together() -> None:
    """Against all ways to hold six of ten cards, one by one."""
    hands = np.zeros((3, 45, 8), np.int64)
    hands[:, :, :2] = list(combinations(range(10), 2))
    weights = np.random.default_rng(1).random((3, 45)) ** 6
    exact = np.zeros((3, 45))
    for places in product(range(45), repeat=3):
        if len({card for p in range(3) for card in hands[p, places[p], :2]}) == 6:
            exact[range(3), places] += weights[range(3), places].prod()
    luck = np.array([5], np.uint64)
    picks = np.empty((3, kernel.PICKS), np.int64)
    for p in range(3):
        kernel.pick_by_weight(weights[p], luck, picks[p])
    begins = np.full((16, 81), kernel.UNDEALT, np.int8)
    begins[:, :6] = [1, 1, 2, 2, 3, 3]
    worlds, chosen = np.empty((60_000, 81), np.int8), np.empty((60_000, 3), np.int64)
    kernel.join_hands(
        begins, np.array([1, 2, 3]), np.array([2, 2, 2]), hands, picks, 3, luck, worlds, chosen
    )
    for p in range(3):
        found = np.bincount(chosen[:, p], minlength=45) / len(chosen)
        assert found == pytest.approx(exact[p] / exact[p].sum(), abs=0.006)
    for row, places in zip(worlds[::500], chosen[::500], strict=True):
        for p in range(3):
            assert sorted(np.flatnonzero(row == p + 1)) == sorted(hands[p, places[p], :2])


@pytest.mark.parametrize("seats", [2, 4, 6, 8])
def test_worlds_agree_with_what_is_known(seats: int) -> None:
    for point in rounds("bid", seats, Random(seats))[::9]:
        seen = observe(point, point.to_move)
        sampler = WorldSampler(read(seen), seen.hand)
        worlds, policies = Reader(seen, sampler, strangers(seats), seed=1).deal(20, seed=2)
        assert policies.shape == (20, seats)
        assert_possible(worlds, seen)


def test_kinds_are_found_out_by_two_rounds() -> None:
    right = 0
    for number in range(12):
        names = ["counter", "tip-printed", "tip-wikipedia", "random"]
        Random(number).shuffle(names)
        met = strangers(4)
        for n in range(2):
            met = players.players_after(met, played(names, f"found {number} {n}")[0])
        right += sum(
            max(KINDS, key=lambda kind: chances[KINDS.index(kind)]) == name
            for chances, name in zip(met, names, strict=True)
        )
        assert all(sum(chances) == pytest.approx(1) for chances in met)
    assert right >= 44  # of 48


def test_who_is_somebody_else_by_now_is_found_out_anew() -> None:
    """A bot stands in for a person, or a person for a bot."""
    only_tips = (tuple(float(kind == "tip-printed") for kind in KINDS),) * 4
    met: tuple[tuple[float, ...], ...] = only_tips
    for n in range(2):
        met = players.players_after(met, played(["counter"] * 4, f"anew {n}")[0])
    assert sum(max(KINDS, key=lambda k: each[KINDS.index(k)]) == "counter" for each in met) >= 3
    for point in rounds("bid", 4, Random("misled"))[20:34:3]:  # of random moves
        seen = observe(point, point.to_move)
        sampler = WorldSampler(read(seen), seen.hand)
        worlds, _ = Reader(seen, sampler, only_tips, seed=1).deal(200, seed=2)
        assert len(np.unique(worlds, axis=0)) > 20 or len(seen.tricks) > 5


def test_it_knows_better_who_holds_what_the_better_it_knows_its_players() -> None:
    names = ["counter", "counter", "tip-printed", "tip-wikipedia"]
    met = strangers(4)
    for n in range(2):
        met = players.players_after(met, played(names, f"before {n}")[0])
    lost = np.zeros(3)
    for number in range(12):
        over, moves = played(names, f"knows {number}")
        hands = [
            [card for trick in over.tricks for s, card in trick.plays if s == seat]
            for seat in range(4)
        ]
        point = Round.start(variant=Variant.BID, hands=hands, dealer=over.dealer)
        point = reduce(lambda p, move: p.apply(move), moves[: 12 + number], point)
        assert point.to_move is not None
        seen = observe(point, point.to_move)
        sampler = WorldSampler(read(seen), seen.hand)
        lost[0] += surprise(seen, point, sampler.deal(500, seed=1))
        for n, each in enumerate((strangers(4), met), 1):
            lost[n] += surprise(
                seen, point, Reader(seen, sampler, each, seed=1).deal(500, seed=2)[0]
            )
    assert lost[2] < lost[1] < lost[0]


def test_in_a_hurry_it_does_not_read_its_players(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = observe(point := rounds("bid", 4, Random("hurry"))[8], point.to_move)
    met: list[object] = []

    def decide(seen: Observation, *, players: object, **_: object) -> Choice:
        met.append(players)
        return Choice(seen.legal[0])

    monkeypatch.setattr(expert, "decide", decide)
    for seconds in (None, bots.HURRIED):
        bots.decide(seen, level="expert", rng=Random(1), seconds=seconds)
    assert met == [strangers(4), None]


@pytest.mark.parametrize(("variant", "seats"), [("bid", 9), ("bid", 10), ("win", 4)])
def test_where_reading_brings_nothing_nobody_is_read(variant: str, seats: int) -> None:
    seen = observe(point := rounds(variant, seats, Random("many"))[12], point.to_move)
    assert expert.decide(seen, seed=1, players=strangers(seats)) == expert.decide(seen, seed=1)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_is_hidden_changes_nothing(seats: int) -> None:
    for point in rounds("bid", seats, Random("hidden"))[::5]:
        seen = observe(point, point.to_move)
        assert point.to_move is not None
        world = WorldSampler(read(seen), seen.hand).deal(1, seed=3)[0]
        hands = [
            [kernel.card_at[c] for c in np.flatnonzero(world == seat)]
            for seat in range(point.seats)
        ]
        hands[point.to_move] = list(point.hands[point.to_move])
        other = replace(point, hands=tuple(map(tuple, hands)))
        choices = {
            expert.decide(observe(each, each.to_move), seed=7, players=strangers(seats))
            for each in (point, other)
        }
        assert len(choices) == 1


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A place for another file of what was learnt."""

    def forget() -> None:
        experience.read.cache_clear()
        players.learnt_weights.cache_clear()

    monkeypatch.setattr(experience, "FILE", tmp_path / "experts.txt")
    forget()
    yield experience.FILE
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize(
    "content", [None, "", "x", "# xactika experts 0\n1 2 3\n", f"{experience.VERSION}\n1 2\n"]
)
def test_without_its_file_it_plays_as_well_as_without_reading(
    content: str | None, forgotten: Path
) -> None:
    if content is not None:
        forgotten.write_text(content, encoding="utf-8")
    over, _ = played(["counter"] * 4, "without")
    seen = observe(point := rounds("bid", 4, Random("without"))[9], point.to_move)
    assert players.players_after(strangers(4), over) == strangers(4)
    assert expert.decide(seen, seed=1, players=strangers(4)) == expert.decide(seen, seed=1)
    assert bots.decide(seen, level="expert", rng=Random(1), before=[over]).move in seen.legal
    assert "experts.txt cannot be used" in "\n".join(doctor.report())


def test_experts_bid_and_play_otherwise_at_other_tables() -> None:
    """As what was learnt from them says: at small tables more for the same hand. Two play
    otherwise, too."""
    known = [found for seats in range(2, 9) if (found := experience.at_table(seats))]
    assert len(known) == 7
    assert len({found[: experience.PLAYS] for found in known}) == 2
    tables = [np.array(found)[experience.PLAYS :] for found in known]
    means = [table.reshape(-1, 9)[4:8].mean(axis=0) @ np.arange(9) for table in tables]
    assert len({len(table) for table in tables}) == 1
    assert means == sorted(means, reverse=True)
    assert experience.at_table(9) is None


def test_the_same_weights_are_learnt_again(tmp_path: Path) -> None:
    """From few rounds, as benchmarks/learnt.py learns from many."""
    made = []
    for name in ("one", "other"):
        data, out = tmp_path / f"{name}.npz", tmp_path / f"{name}.txt"
        learnt.gather(rounds=3, first=0, workers=0, file=data)
        learnt.train(file=data, passes={2: 2, 4: 2}, seed=1, out=out)
        made.append(out.read_text(encoding="utf-8"))
    assert made[0] == made[1]
    kept = Path(__file__).parent / "learnt_from_three.txt"
    others = [
        line
        for line, own in zip(
            made[0].splitlines()[1:],
            kept.read_text(encoding="utf-8").splitlines()[1:],
            strict=True,
        )
        if [float(number) for number in line.split()]
        != pytest.approx([float(number) for number in own.split()], abs=0.002)
    ]
    assert len(others) <= 1, "of bids worth the same a processor’s rounding may choose another"
