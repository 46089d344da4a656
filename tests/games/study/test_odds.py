"""A seat's odds at the table: what they say, to whom, and from what alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from games import analysis
from games.analysis.counting import Safety
from games.analysis.jobs import Job, StillCounting, pool
from games.analysis.odds import BidForecast, promises, seed_of
from games.models import Move, SessionSettings, Table
from games.rules import Bid, Play, observe, parse_card
from games.study.odds import forecasts as foresight
from games.study.odds.forecasts import Turn, foresee, turn_at
from games.study.odds.panels import PlayPanel, panel
from games.study.odds.words import play_words, safety_words, simulated_percent
from games.tables import seats as table_seats
from games.tables import steering
from games.tables.observation import odds_about
from games.tables.state import NotFound, TableState, load_table
from tests.games.classroom import device_of, picture, playing
from tests.games.table import (
    a_browser,
    finish,
    fresh,
    friends,
    make,
    play,
    solo,
    with_other_hidden_cards,
)
from tests.kernel import load_or_skip

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    load_or_skip()


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Quick simulations, none of them remembered from another test."""
    monkeypatch.setattr(foresight, "WORLDS", 60)
    pool.answers.clear()
    yield
    pool.answers.clear()


def at_table(odds: str = "always", **options: object) -> tuple[Client, str]:
    """Somebody at a solo table with odds like these, and its id."""
    browser, guest = a_browser()
    table_id = solo(guest, **{"level": "random", "rounds": 2, **options})
    steering.set_odds(table_id=table_id, guest=guest, odds=odds)
    return browser, table_id


def mine(state: TableState) -> bool:
    return state.to_move == 0


def page(browser: Client, table_id: str) -> str:
    return browser.get(f"/tables/{table_id}/").content.decode()


def told(browser: Client, table_id: str) -> str:
    answer = browser.get(f"/tables/{table_id}/odds/")
    assert answer.status_code in (200, 204)
    return answer.content.decode()


def test_what_each_play_promises_is_told() -> None:
    browser, table_id = at_table(seats=3, variant="win")
    state = play(table_id, mine)
    html = told(browser, table_id)
    for text in state.legal:
        assert f'data-move="{text}"' in html
    assert len(re.findall("data-move=", html)) == len(state.legal)
    named = re.findall(r'<tr data-move="(\d+)[^"]*".*?<th scope="row">(.*?)</th>', html)
    assert len({name for _card, name in named}) == len({card for card, _name in named})
    assert "simulated deals" in html
    assert html.count("<svg") <= 1


def test_while_bidding_the_forecast_and_every_bid() -> None:
    browser, table_id = at_table(seats=4)
    state = play(table_id, mine)
    html = told(browser, table_id)
    rows = re.findall(r'<th scope="row">(\d)(.*?)</th>', html)
    assert [int(number) for number, _ in rows] == list(range(9))
    forbidden = [int(number) for number, note in rows if "not allowed" in note]
    assert forbidden == [n for n in range(9) if str(n) not in state.legal]
    # Both charts speak of the same bid.
    best = re.findall(r"A bid of (\d) brings most", html)[0]
    assert f"Tricks taken after a bid of {best}, % of deals" in html
    other = next(text for text in state.legal if text != best)
    make(table_id, other)
    html = told(browser, table_id)
    assert f"Tricks taken after a bid of {other}, % of deals" in html
    assert html.count('<rect class="hollow made"') == 1


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_the_hook_is_told(seats: int) -> None:
    table_id = friends(seats=seats, people=seats)
    state = play(table_id, lambda s: len(s.moves) == seats - 1, rng=Random(3))
    assert state.round is not None
    if None not in [b for n, b in enumerate(state.round.bids) if n != state.round.dealer]:
        moment = Turn(observe(state.round, state.round.dealer), None)
        found = foresee(moment.observation)
        assert isinstance(found, BidForecast)
        answers = panel(moment, found).answers
        hooked = found.forbidden is not None
        assert any("can’t bid" in answer for answer in answers) is hooked


def test_a_card_to_lead_tells_from_its_least_likely_call_to_its_likeliest() -> None:
    browser, table_id = at_table(seats=2, variant="win")
    state = play(table_id, lambda s: s.to_move == 0 and ":" in s.legal[0])
    by_card: dict[str, set[str]] = {}
    html = told(browser, table_id)
    for card, chance in re.findall(r'<tr data-move="(\d+):[^"]*" data-chance="([^"]*)"', html):
        by_card.setdefault(card, set()).add(chance)
    assert {text.partition(":")[0] for text in state.legal} == set(by_card)
    spans = dict(re.findall(r'data-move="(\d+)" data-chance="([^"]*)"', html))
    assert set(spans) == set(by_card)
    for card, span in spans.items():
        least, _dash, most = span.rpartition("–")
        assert most in by_card[card]
        assert f"{least or most.removesuffix('%')}%" in by_card[card]
        assert (least == "") is (len(by_card[card]) == 1)


@pytest.mark.parametrize("odds", ["off", "after", "always"])
def test_one_may_ask_at_ones_turn_where_they_are_always_there(odds: str) -> None:
    browser, table_id = at_table(odds, seats=3)
    play(table_id, mine)
    assert ('id="ask-odds"' in page(browser, table_id)) is (odds == "always")
    make(table_id, "1")
    assert 'id="ask-odds"' not in page(browser, table_id)


# Which turn is spoken of.


def test_always_means_my_turn_and_then_my_last_move() -> None:
    browser, table_id = at_table(seats=3)
    state = play(table_id, mine)
    assert odds_about(state, 0) == len(state.moves)
    assert "With what you saw" not in told(browser, table_id)
    make(table_id, state.legal[-1])
    state = play(table_id, lambda s: not mine(s))
    assert f"a bid of {state.moves[-1][1]} works" in told(browser, table_id)


def test_after_the_trick_means_after_it() -> None:
    browser, table_id = at_table("after", seats=3)
    bids = 3
    for _ in range(bids + 2 * 3):
        state = play(table_id, lambda _: True)
        is_first_trick = len(state.moves) < bids + 3
        about = odds_about(state, 0)
        assert (about is None) is is_first_trick
        assert (told(browser, table_id) == "") is is_first_trick
        if about is not None:
            done = bids + 3 * ((len(state.moves) - bids) // 3)
            assert bids <= about < done
            assert state.moves[about][0] == 0
            assert "Trick 1" in told(browser, table_id)
        make(table_id, state.legal[0])


@pytest.mark.parametrize("odds", ["off", "after", "always"])
def test_nothing_is_told_between_rounds(odds: str) -> None:
    browser, table_id = at_table(odds, seats=2)
    play(table_id)
    assert told(browser, table_id) == ""


def test_an_earlier_turn_is_rebuilt_as_it_was() -> None:
    table_id = friends(seats=3, people=3, variant="lose")
    seen = []
    while (state := load_table(table_id)).to_move is not None and len(state.moves) < 20:
        assert state.round is not None
        seen.append((state.to_move, observe(state.round, state.to_move)))
        make(table_id, state.legal[-1])
    state = load_table(table_id)
    for n, (seat, observation) in enumerate(seen):
        turn = turn_at(state, seat, n)
        assert turn.observation == observation
        assert turn.move in observation.legal


# Secrecy.


@pytest.mark.parametrize(("variant", "seats"), [("bid", 2), ("lose", 3), ("bid", 4)])
@pytest.mark.parametrize("odds", ["after", "always"])
def test_what_a_seat_cannot_see_changes_no_byte(
    variant: str, seats: int, odds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page itself, asked for by the table's person, over a whole round."""
    rng = Random(f"odds {variant} {seats} {odds}")
    browser, table_id = at_table(odds, variant=variant, seats=seats)
    looked = 0
    while (state := fresh(table_id)).round is not None and not state.round.is_over:
        if rng.random() < 0.5:
            twin = with_other_hidden_cards(state, 0, rng)
            pages = []
            for table in (state, twin):
                monkeypatch.setattr("games.pages.odds.load_table", lambda _, now=table: now)
                pool.answers.clear()
                pages.append(told(browser, table_id))
            assert pages[0] == pages[1]
            looked += bool(pages[0])
        make(table_id, rng.choice(state.legal))
    assert looked >= 3


def test_a_board_has_no_odds_while_it_is_played() -> None:
    session, students = playing(2, seats=2, odds_panel="always", duplicate=True)
    table_id = picture(session).tables[0]
    assert load_table(table_id).setup.odds_panel == "always"
    browser = device_of(students[0], session)
    for state in iter(lambda: load_table(table_id), None):
        assert state.odds == "off"
        assert told(browser, state.id) == ""
        if state.round is None or state.round.is_over:
            break
        make(state.id, state.legal[0])


def test_a_class_has_what_its_settings_say() -> None:
    session, students = playing(2, seats=2, odds_panel="always")
    table_id = picture(session).tables[0]
    browser = device_of(students[0], session)
    seat = next(s.number for s in load_table(table_id).seats if s.student_id == students[0].pk)
    play(table_id, lambda s: s.to_move == seat)
    assert "<svg" in told(browser, table_id)
    from games.classes.steering import change_settings

    settings = SessionSettings.objects.get(class_session=session)
    settings.odds_panel = "off"
    change_settings(session_id=session.pk, settings=settings)
    assert told(browser, table_id) == ""


# Not in the way of the table.


def test_a_turn_that_has_passed_is_answered_with_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser, table_id = at_table(seats=3)
    state = play(table_id, mine)
    make(table_id, state.legal[0])
    play(table_id, lambda s: not mine(s))  # this process has read what came since
    monkeypatch.setattr("games.pages.odds.load_table", lambda _: state)
    assert told(browser, table_id) == ""


def test_odds_that_are_still_counted_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser, table_id = at_table(seats=3)
    play(table_id, mine)

    def counting(question: object, compute: Callable[[], object]) -> None:
        job = Job(question, compute)
        job.progress = 0.4
        raise StillCounting(job)

    monkeypatch.setattr("games.pages.odds.answer", counting)
    answer = browser.get(f"/tables/{table_id}/odds/", headers={"HX-Current-URL": "/"})
    assert answer.status_code == 202
    assert f'hx-get="/tables/{table_id}/odds/" hx-trigger="load delay:1s"' in answer.text
    assert '<progress max="100" value="40"' in answer.text


def test_without_the_kernel_what_is_counted_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, table_id = at_table(seats=3, variant="win")
    state = play(table_id, mine)
    monkeypatch.setattr(analysis, "ready", lambda: False)
    html = told(browser, table_id)
    assert "Still counting" in html
    assert html.count("<li>") == len(state.legal)
    assert f'hx-get="/tables/{table_id}/odds/"' in html


@pytest.mark.parametrize("bids", [True, False])
def test_a_decimal_comma_stays_out_of_the_drawing(bids: bool) -> None:
    with translation.override("fr"):
        browser, table_id = at_table(seats=4, variant="bid" if bids else "win")
    html = ""

    def is_drawn(state: TableState) -> bool:  # what is certain needs no bar
        nonlocal html
        if mine(state):
            html = told(browser, table_id)
        return "<svg" in html

    play(table_id, is_drawn)
    drawn = "".join(re.findall(r'\s(?:d|x|y|dy|width|height)="([^"]*)"', html))
    assert "." in drawn
    assert "," not in drawn
    assert re.search(r"\d,\d", html)  # but numbers to read have it


def test_the_drawing_of_bids_has_its_numbers_and_says_what_is_drawn() -> None:
    browser, table_id = at_table(seats=4)
    state = play(table_id, mine)
    html = told(browser, table_id)
    numbers = re.findall(r'<text x="\d+" y="(\d+)" class="number[^"]*">(\d)</text>', html)
    assert [int(n) for _, n in numbers] == [*range(9), *range(9)]
    assert len({y for y, _ in numbers}) == 2  # under the upper bars, and under the lower
    assert re.search(r"The best bid: \d", html)
    assert html.count('class="best"') == 2  # the bar and its sign
    assert "Your bid" not in html.partition("<figcaption")[2].partition("</figcaption>")[0]
    make(table_id, state.legal[-1])
    assert re.search(r"Your bid: \d", told(browser, table_id))


@pytest.mark.parametrize(("taking", "is_more_often"), [(10, False), (18, True)])
def test_two_numbers_that_differ_are_explained(taking: int, is_more_often: bool) -> None:
    table_id = friends(seats=3, people=3, variant="win")
    state = play(table_id, lambda s: len(s.moves) == 1)
    assert state.round is not None
    assert state.to_move is not None
    seen = observe(state.round, state.to_move)
    one = promises(seen, worlds=20, seed=1)[0]
    one = replace(
        one,
        outcome=replace(one.outcome, taking=taking),
        safety=Safety(beaters=3, unseen=70, held=8, opponents=1),  # nobody holds one: 69%
    )
    told_of = panel(Turn(seen, None), (one,))
    assert isinstance(told_of, PlayPanel)
    assert ("may keep it" in told_of.plays[0].words) is is_more_often
    html = render_to_string("games/study/odds.html", {"panel": told_of})
    assert "how far the simulation may be off" in html


# What the opener chooses.


def test_only_the_opener_chooses() -> None:
    browser, table_id = at_table("off")
    _other, guest = a_browser()
    with pytest.raises(NotFound):
        steering.set_odds(table_id=table_id, guest=guest, odds="always")
    assert browser.post(f"/tables/{table_id}/steer/", {"do": "odds:often"}).status_code == 404
    assert Table.objects.get(pk=table_id).odds_panel == "off"
    browser.post(f"/tables/{table_id}/steer/", {"do": "odds:after"})
    assert load_table(table_id).odds == "after"


def test_the_next_game_has_the_same_odds() -> None:
    browser, table_id = at_table("after", seats=2, rounds=1)
    finish(table_id)
    again = browser.post(f"/tables/{table_id}/again/").headers["HX-Redirect"]
    assert load_table(again.split("/")[2]).odds == "after"


@pytest.mark.parametrize("odds", ["off", "after", "always"])
def test_the_table_page_offers_them(odds: str) -> None:
    browser, table_id = at_table(odds)
    page = browser.get(f"/tables/{table_id}/").content.decode()
    assert ('id="open-odds"' in page) is (odds != "off")
    assert 'value="odds:always"' in page  # the opener always finds the switch
    friend_browser, friend = a_browser()
    _opener, opener = a_browser()
    shared = friends(people=2, opener=opener)
    table_seats.admit(table_id=shared, seat=1, guest=friend)
    steering.set_odds(table_id=shared, guest=opener, odds=odds)
    theirs = friend_browser.get(f"/tables/{shared}/").content.decode()
    assert ('id="open-odds"' in theirs) is (odds != "off")
    assert 'value="odds:always"' not in theirs


# Words.


def test_the_words_of_safety() -> None:
    lead = Safety(beaters=3, unseen=73, held=24, opponents=3)
    assert safety_words(lead) == (
        "Unseen cards that beat this: 3 of 73. "
        "Nobody still to play holds one in 30% of deals (voids ignored)."
    )
    assert "a sure trick" in safety_words(replace(lead, beaters=0))
    assert "You play last" in safety_words(replace(lead, opponents=0, held=0))
    assert "can’t" in safety_words(replace(lead, takes=False))


def test_a_simulation_is_never_certain_by_itself() -> None:
    table_id = friends(seats=4, people=4, variant="win")
    state = play(table_id, lambda _: True)
    assert state.round is not None
    seen = observe(state.round, state.to_move)
    for promise in promises(seen, worlds=20, seed=1):
        if promise.outcome.taking == 0 and promise.safety.takes:
            assert simulated_percent(promise) == "under 1%"
        if promise.safety.chance == Fraction(1):
            assert simulated_percent(promise) == "100%"


@pytest.mark.parametrize("seats", [2, 10])
def test_every_turn_of_a_round_can_be_told(seats: int) -> None:
    table_id = friends(seats=seats, people=seats)
    rng = Random(seats)
    while (state := load_table(table_id)).to_move is not None:
        assert state.round is not None
        if rng.random() < 4 / seats:
            moment = Turn(observe(state.round, state.to_move), None)
            found = foresee(moment.observation)
            assert found is not None
            shown = panel(moment, found)
            assert all(shown.answers)
            if isinstance(shown, PlayPanel):
                assert [play.move for play in shown.plays].sort() == list(state.legal).sort()
                bars = [bar for row in shown.rows for bar in row.bars]
                assert all(0 <= bar.x + bar.width <= shown.width for bar in bars)
            else:
                assert moment.is_bid
                assert all(0 <= c.y <= shown.height for c in shown.columns)
        make(table_id, rng.choice(state.legal))


def test_seeds_differ_by_what_is_seen() -> None:
    table_id = friends(seats=3, people=3)
    state = play(table_id, lambda _: True)
    assert state.round is not None
    seen = [observe(state.round, seat) for seat in range(3)]
    assert len({seed_of(one) for one in seen}) == 3
    assert seed_of(seen[0]) == seed_of(observe(state.round, 0))
    assert not Move.objects.exists()
    assert Bid(0) in seen[state.to_move or 0].legal


def test_cards_of_one_value_are_told_apart_by_as_few_shapes_as_do() -> None:
    hand = [parse_card(code) for code in ("3311", "2213", "3122", "1331")]
    assert [play_words(Play(card), hand) for card in hand] == [
        "the 8 with 3 balls and 3 cubes",
        "the 8 with 2 balls",
        "the 8 with 1 cube",
        "the 8 with 1 ball",
    ]
    assert play_words(Play(hand[0]), hand[:1]) == "the 8"
