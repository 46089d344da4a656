"""What the table tells somebody new to it: how to play this moment, why a card takes the trick,
what was bid, and what the points are."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from html import escape

import pytest

from games.rules import parse_card
from games.tables import moves, seats
from games.tables.announcements import announcements, announcer, live_html
from games.tables.fragments import table_fragments
from games.tables.moments import moment_of
from games.tables.observation import seat_view, table_view
from games.tables.offers import NEXT_HINTS_TO_LOSE
from games.tables.state import TableState, load_table
from games.tables.viewers import Viewer
from tests.games.table import a_browser, a_table, friends, make, moves_made, play, solo
from tests.scenes.pictures import NOW, html_of, words

pytestmark = pytest.mark.django_db

ENOUGH = "You need no more tricks. "
TO_WIN = "The highest matching card wins. If two are equal, the later one wins."
TO_LOSE = "Stay below the winning card. If two are equal, the later one wins."
LEAD_TO_WIN = "Want this trick? Lead a high card. Call the shape it shows least."
LEAD_TO_LOSE = "Lead a low card. Call what many higher cards still show."


def told(state: TableState, seat: int = 0) -> tuple[str, str]:
    """The sentence and the hint that a seat is given."""
    html = html_of(state, seat)
    hint = re.search(r'<p class="hint"[^>]*>(.*?)</p>', html["prompt"])
    return words(html["sentence"]), words(hint[1]) if hint else ""


def with_hand(state: TableState, seat: int, hand: str) -> TableState:
    """The same with this hand, as if the round had gone on."""
    assert state.round is not None
    hands = list(state.round.hands)
    hands[seat] = tuple(map(parse_card, hand.split()))
    return replace(state, round=replace(state.round, hands=tuple(hands)))


# How to play this moment.


@pytest.mark.parametrize(
    ("variant", "bids", "hint"),
    [
        ("bid", "0 3", TO_WIN),
        ("bid", "0 0", ENOUGH + TO_LOSE),
        ("win", "", TO_WIN),
        ("lose", "", TO_LOSE),
    ],
)
def test_following(variant: str, bids: str, hint: str) -> None:
    state = a_table("1233", "1111 1112", variant=variant, bids=bids, lead="1233:1-ball")
    assert told(state, 1) == ("Play a card with exactly 1 ball.", hint)


@pytest.mark.parametrize(
    ("variant", "bids", "hint"),
    [
        ("bid", "3 0", LEAD_TO_WIN),
        ("bid", "0 3", ENOUGH + LEAD_TO_LOSE),
        ("win", "", LEAD_TO_WIN),
        ("lose", "", LEAD_TO_LOSE),
    ],
)
def test_leading(variant: str, bids: str, hint: str) -> None:
    assert told(a_table("1233", "1111", variant=variant, bids=bids))[1] == hint


@pytest.mark.parametrize(
    ("bids", "hint"),
    [
        ("0 3", "No card of yours can win now. Throw away one you don’t want."),
        ("0 0", ENOUGH + "No card of yours can win now. Throw away your highest."),
    ],
)
def test_sloughing(bids: str, hint: str) -> None:
    state = a_table("3333", "1111", bids=bids, lead="3333:3-ball")
    sentence, advice = told(with_hand(state, 1, "1111 2222"), 1)
    assert sentence == "No card with 3 balls: play anything."
    assert advice == hint


def test_who_has_taken_more_than_the_bid_loses_on() -> None:
    """But needs not be told what no longer helps."""
    state = a_table("3333", "1111 3111", bids="0 3", lead="3333:3-ball")
    make(state.id, "3111")
    state = load_table(state.id)
    assert state.round is not None
    assert state.round.taken[0] > (state.round.bids[0] or 0)
    assert told(state)[1] == LEAD_TO_LOSE


@pytest.mark.parametrize(
    ("hands", "lead", "hint"),
    [
        (["1233", "1111 1333"], "1233:1-ball", "follow"),
        (["1233", "1333 1323"], "1233:1-ball", "last above"),
        (["1233", "1333 1323", "2222"], "1233:1-ball", "above"),
    ],
)
def test_whoever_wants_no_trick_is_told_what_their_cards_can_do(
    hands: list[str], lead: str, hint: str
) -> None:
    """To who has learnt: a card below; none, and the last; none, and others to come."""
    state = with_hand(a_table(*hands, variant="lose", lead=lead), 1, hands[1])
    (learnt,) = re.findall('data-learnt="([^"]*)"', html_of(state, 1)["prompt"])
    assert learnt == str(NEXT_HINTS_TO_LOSE[hint])


@pytest.mark.parametrize("bids", ["0 3", "0 0"])
def test_where_there_is_no_choice_there_is_no_advice(bids: str) -> None:
    state = a_table("1233", "1111", bids=bids, lead="1233:1-ball")
    assert told(with_hand(state, 1, "1111 2222"), 1) == ("Play a card with exactly 1 ball.", "")
    assert told(with_hand(state, 1, "1111"), 1) == ("Play a card with exactly 1 ball.", "")
    last = "Play your last card. It can’t win."
    assert told(with_hand(state, 1, "2222"), 1) == (last, "")
    before = a_table("1233", "1111", bids=bids)
    assert told(with_hand(before, 0, "1233"))[0] == "Now call a shape."


def test_hints_to_win_and_to_lose_fade_each_by_themselves() -> None:
    for bids, name in (("0 3", "lead"), ("3 0", "lose-lead")):
        html = html_of(a_table("1233", "1111", bids=bids[::-1]), 0)["prompt"]
        assert f'data-hint="{name}"' in html


def test_bidding_says_what_a_bid_is_worth() -> None:
    worth = "Exact bid? 1 point per trick. Missed? −1 per trick off."
    state = a_table("1233", "1111")
    assert told(state)[1] == worth
    make(state.id, "3")
    state = load_table(state.id)
    assert "You can’t bid 5" in words(html_of(state, 1)["prompt"])
    assert told(state, 1)[1] == worth


# Why a card takes the trick, and which trick it was.


def test_a_tie_is_explained_while_and_after_the_trick_is_played() -> None:
    state = a_table("1233", "1323", "1111", variant="win", lead="1233:1-ball")
    assert words(html_of(state, 2)["called"]) == "Call: 1 ball"
    assert "winning" in words(html_of(state, 2)["slot-0"])
    make(state.id, "1323")
    before = load_table(state.id)
    assert "winning : played later" in words(html_of(before, 2)["slot-1"])
    assert "winning" not in words(html_of(before, 2)["slot-0"])
    make(state.id, "1111")
    state = load_table(state.id)
    called = html_of(state, 2)["called"]
    assert words(called) == f"Call: 1 ball {state.seats[1].name} leads."
    assert 'data-taker="1"' in called
    assert 'data-me="1" data-you="You lead."' in called
    assert "takes it : played later" in words(html_of(state, 2)["slot-1"])
    assert "Equal 9s: the later card wins." in words(html_of(state, 2)["past-1"])


def test_a_slough_of_the_same_value_ties_with_nothing() -> None:
    sloughs = "2223 2111 2112 2113 2121 2122 2123 2131"
    state = a_table("1233", sloughs, "1111", variant="win", lead="1233:1-ball 2223")
    make(state.id, "1111")
    state = load_table(state.id)
    html = html_of(state, 2)
    assert "Equal" not in words(html["called"] + html["past-1"])
    for n, note in enumerate(("takes it", "didn’t follow")):
        assert note in words(html[f"slot-{n}"])


@pytest.mark.parametrize(("seats", "is_many"), [(7, False), (8, True)])
def test_of_many_a_card_has_what_counts_in_its_trick(seats: int, *, is_many: bool) -> None:
    """Its value, and the called shape as often as it shows it: a slough another number."""
    others = ("1111", "1112", "1113", "1121", "1122", "1123")[: seats - 2]
    state = a_table("1233", "2223", *others, variant="win", lead="1233:3-cone")
    make(state.id, state.legal[0])
    html = html_of(load_table(state.id), 0)
    slots = [html[f"slot-{n}"] for n in (0, 1)]
    assert ["brief" in slot for slot in slots] == [is_many, is_many]
    if is_many:
        values = [re.findall(r"<b>(\d+)</b>", slot) for slot in slots]
        played = state.legal[0]
        assert values == [["9"], [str(parse_card(played).value)]]
        assert [slot.count("#cone") for slot in slots] == [3, int(played[2])]


def test_a_finished_trick_lies_there_until_the_next_is_led() -> None:
    """Whose page has seen it sweeps it away by itself, and says who leads."""
    state = a_table("1233", "1111", variant="win", lead="1233:1-ball")
    make(state.id, "1111")
    state = load_table(state.id)
    html = html_of(state, 0)
    assert "Trick 2 of 8" in html["bar"]
    assert 'data-taker="0"' in html["called"]
    assert words(html["called"]).endswith(f"{state.seats[0].name} leads.")
    assert all("data-card" in html[f"slot-{n}"] for n in (0, 1))
    make(state.id, state.legal[0])
    html = html_of(load_table(state.id), 0)
    assert "data-taker" not in html["called"]
    assert ["data-card" in html[f"slot-{n}"] for n in (0, 1)] == [True, False]


def test_the_last_trick_of_a_round_lies_there_beside_its_result() -> None:
    state = play(friends(variant="win", seats=3, people=3, rounds=2))
    html = html_of(state, 0)
    assert all("data-card" in html[f"slot-{n}"] for n in range(3))
    assert "data-taker" in html["called"]
    assert "leads" not in words(html["called"])
    assert "hidden" not in html["result"].partition(">")[0]


# What was bid, and what the points are.


def test_while_bidding_the_table_adds_the_bids_up() -> None:
    state = a_table("1233", "1111", "1112")
    said = []
    for text in ("", "2", "5"):
        if text:
            make(state.id, text)
        said.append(words(html_of(load_table(state.id), 0)["called"]))
    assert said == [
        "8 tricks, bids total 0",
        "8 tricks, bids total 2",
        "8 tricks, bids total 7",
    ]


def test_the_bids_total_stays_in_sight_while_playing() -> None:
    state = a_table("1233", "1111")
    shown = [words(html_of(state, 0)["bar"])]
    for text in ("2", "5", "1233:1-ball"):
        make(state.id, text)
        shown.append(words(html_of(load_table(state.id), 0)["bar"]))
    said = [re.findall(r"8 tricks, bids total (\d)", line) for line in shown]
    assert said == [["0"], ["2"], ["7"], ["7"]]
    assert "Trick 1 of 8" in shown[-1]
    assert " bid" not in words(html_of(a_table("1233", "1111", variant="win"), 0)["bar"])


@pytest.mark.parametrize(
    ("variant", "rule"),
    [
        ("bid", "Exact bid? 1 point per trick. Missed? −1 per trick off."),
        ("win", "1 point per trick. The most points win."),
        ("lose", "1 point per trick. The fewest points win."),
    ],
)
def test_a_rounds_end_says_what_the_points_are(variant: str, rule: str) -> None:
    state = play(friends(variant=variant, seats=3, people=3, rounds=2))
    assert rule in words(html_of(state, 0)["result"])


# The sheet “More”.


@pytest.mark.parametrize("variant", ["bid", "win"])
def test_more_leads_to_the_rules_first_and_away_last(variant: str) -> None:
    browser, guest = a_browser()
    page = browser.get(f"/tables/{solo(guest, variant=variant)}/").content.decode()
    more = page[page.index('id="sheet-more"') :].partition("</dialog>")[0]
    order = [
        more.index(text)
        for text in ("Rules", "Sort your hand by", "Pace of the bots", "Zz: away")
    ]
    keys = more.index('<div class="by-keyboard">')
    order += [keys, more.index("<kbd>"), more.index('<p class="leave">')]
    assert order == sorted(order)
    assert more.index('<p class="by-keyboard">') < more.index("Keyboard shortcuts")
    assert more[more.index('<p class="leave">') :].count("<a ") == 1
    for text in ("still need", "one too many"):
        assert (text in page) is (variant == "bid")


def test_who_missed_a_bid_needs_nothing_once_the_round_is_over() -> None:
    state = a_table("1233", "1111", bids="8 7")
    assert "8 more" in words(html_of(state, 0)["taken-0"])
    assert "<b>8</b>" in html_of(state, 0)["taken-0"]
    state = play(state.id)
    assert state.round is not None
    for seat, (bid, taken) in enumerate(zip((8, 7), state.round.taken, strict=True)):
        said = "on target" if bid == taken else f"{bid - taken} too few"
        assert words(html_of(state, 0)[f"taken-{seat}"]).endswith(f"{said} {bid}")


def test_several_absent_people_are_named_once_each_behind_one_question() -> None:
    state = a_table("1233", "1111", "1112", variant="win")
    later = NOW + timedelta(hours=1)
    shown = {}
    for here in ({0: later}, {0: later, 2: later}):
        view = table_view(state, here, later)
        _common, own = table_fragments(view)(Viewer(0, 0), seat_view(state, 0))
        shown[len(here)] = own.fragments["prompt"]
    absent = [seat.name for seat in state.seats[1:]]
    assert words(shown[1]).endswith(f"Let a bot play for {absent[0]} {absent[1]}")
    for name in absent:
        assert f'aria-label="Let a bot play for {escape(name)}">{escape(name)}<' in shown[1]
    assert words(shown[2]).endswith(f"Let a bot play for {absent[0]}")
    assert "aria-label=" not in shown[2]


def test_whoever_had_no_part_hears_what_was_said_to_all() -> None:
    """From any state to any later one, over the end of a round, too."""
    table_id = friends(seats=3, people=3, rounds=2)
    for seat in range(3):
        seats.open_seat(table_id=table_id, seat=seat)
    states = [load_table(table_id)]
    while states[-1].status != "game_over":
        state = states[-1]
        if state.status == "round_over":
            for seat in range(3):
                moves.say_ready(table_id=table_id, seat=seat, turn=state.turn)
        else:
            play(table_id, moves_made(len(state.moves) + 1))
        states.append(load_table(table_id))
    for at, before in enumerate(states):
        for now in states[at + 1 : at + 7]:
            hear = announcer(before, now)
            for listener in (None, 0, 1, 2):
                assert hear(listener) == live_html(announcements(before, now, listener))


@pytest.mark.parametrize("variant", ["bid", "win"])
def test_the_benchmarks_read_the_moves_out_of_the_pictures(variant: str) -> None:
    pytest.importorskip("uvloop", reason="measured on Linux alone")
    from benchmarks.moves import read_html

    state = a_table("1233", "1111", variant=variant)
    while state.status in {"bidding", "playing"}:
        for seat in range(2):
            frame = "".join(html_of(state, seat).values()).encode()
            legal = list(state.legal) if seat == state.to_move else []
            turn, moves = read_html(frame)
            assert (turn, sorted(moves)) == (state.turn, sorted(legal))
        make(state.id, state.legal[0])
        state = load_table(state.id)


def test_where_nobody_is_to_move_nobody_is_waited_for() -> None:
    """Seat 0 is a seat, not nobody."""
    state = a_table("1111", "2222", bids="1 1")
    view = table_view(state, {}, NOW)
    vars(view)["to_move"] = None
    assert view.seats[0].name not in moment_of(view, seat_view(state, 1)).text
