"""Golden rounds, replayed line by line from their texts alone."""

import re
from pathlib import Path

import pytest

from games.rules import Bid, hook

from . import naive
from .playthrough import generate, read, render

FOLDER = Path(__file__).parent.parent / "playthroughs"
GOLDEN = {
    f"{variant}_{seats}": (variant, seats)
    for variant, tables in {"win": (2, 4, 7, 10), "lose": (3, 6), "bid": (2, 4, 5, 10)}.items()
    for seats in tables
}
MOVE_LINE = re.compile(r"^ *(\d+)  seat (\d)  (\S+)  of (\d+)", re.MULTILINE)
TRICK_LINE = re.compile(r"^ +trick \d, (\S+): seat (\d) takes it", re.MULTILINE)


@pytest.fixture(params=GOLDEN)
def golden(request: pytest.FixtureRequest) -> str:
    """The text of one golden round; with --regenerate it is written anew first."""
    path = FOLDER / f"{request.param}.txt"
    if request.config.getoption("--regenerate"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(generate(*GOLDEN[request.param]), encoding="utf-8", newline="\n")
    return path.read_text(encoding="utf-8")


def test_every_line_comes_out_the_same(golden: str) -> None:
    assert render(*read(golden)).splitlines() == golden.splitlines()


def test_the_naive_rules_agree(golden: str) -> None:
    begun, _ = read(golden)
    hands = [[card.code for card in hand] for hand in begun.hands]
    state = naive.NaiveRound(begun.variant.value, hands, begun.dealer)
    for number, seat, move, legal in MOVE_LINE.findall(golden):
        assert (int(seat), int(legal)) == (state.turn(), len(state.legal())), number
        state.make(move)
    assert state.over()
    takers = [(call, str(winner)) for _, call, _, winner in state.finished]
    assert TRICK_LINE.findall(golden) == takers
    for word, row in (("taken  ", state.taken()), ("points ", state.points())):
        assert " ".join([word, *map(str, row)]) in golden.splitlines()


def test_the_folder_holds_these_rounds_and_no_others(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--regenerate"):
        pytest.skip("being rewritten")
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in GOLDEN}


def test_between_them_they_show_what_can_happen() -> None:
    """The hook, a slough, a tie for the highest card; bids made, made at 0, and missed."""
    seen = set()
    for name in GOLDEN:
        round, moves = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
        for move in moves:
            if isinstance(move, Bid) and hook(round.bids) is not None:
                seen.add("hook")
            round = round.apply(move)
        for trick in round.tricks:
            assert trick.call is not None
            shown = [card.value for _, card in trick.plays if card.shows(trick.call)]
            seen |= {"slough"} if len(shown) < round.seats else set()
            seen |= {"tie"} if shown.count(max(shown)) > 1 else set()
        for bid, taken in zip(round.bids, round.taken, strict=True):
            if bid is not None:
                seen.add("missed" if bid != taken else "made 0" if bid == 0 else "made")
    assert seen == {"hook", "slough", "tie", "missed", "made 0", "made"}
