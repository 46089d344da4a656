"""Looking back on a round: when, for whom, and whether what it says is right."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from random import Random
from typing import Any

import pytest
from django.test import Client

from benchmarks.reasons import contradicted
from games import analysis
from games.analysis.jobs import pool
from games.analysis.odds import Promise, promises, seed_of
from games.keeping.export import finished_deals, lines
from games.models import Deal, Move
from games.rules import Bid, Play, Variant, move_text, parse_move
from games.study.look_back import bids as table_bids
from games.study.look_back.bids import WORLDS
from games.study.look_back.past_rounds import past_round
from games.study.look_back.plays import TOLD
from games.study.look_back.reviews import review
from games.study.odds import forecasts as foresight
from games.study.odds.forecasts import Turn, chances_read, foresee
from games.tables import moves
from games.tables.fragments import trick_html
from games.tables.observation import may_look_back
from games.tables.state import load_table
from games.words import all_of, percent
from tests.games.classroom import a_teacher, device_of, picture, playing, signed_in
from tests.games.table import a_browser, finish, fresh, friends, make, play, solo
from tests.kernel import load_or_skip
from tests.scenes import present
from tests.scenes.pictures import hands_of, html_of, json_of

pytestmark = pytest.mark.django_db
SOAK = os.environ.get("XACTIKA_SOAK") == "1"


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    load_or_skip()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(table_bids, "WORLDS", 200)
    monkeypatch.setattr(foresight, "WORLDS", 40)
    pool.answers.clear()
    yield
    pool.answers.clear()


def bots_play(table_id: str, seat: int = 0, rng: Random | None = None) -> None:
    """The rest of the round: random plays of one person, the bots' own."""
    rng = rng or Random(6)
    while (state := load_table(table_id)).to_move is not None:
        if state.to_move == seat:
            make(table_id, rng.choice(state.legal))
        else:
            choice = moves.decide_move(state=state, rng=rng)
            moves.make_bot_move(table_id=table_id, turn=state.turn, choice=choice)


def a_round(**options: Any) -> tuple[Client, str]:
    """A browser, and the table at which its first round is over."""
    browser, guest = a_browser()
    table_id = solo(guest, **{"seats": 3, "level": "counter", "rounds": 2, **options})
    bots_play(table_id)
    return browser, table_id


def page(browser: Client, table_id: str, number: int = 1) -> str:
    answer = browser.get(f"/tables/{table_id}/review/{number}/")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


# When.


def test_only_after_the_round() -> None:
    browser, guest = a_browser()
    table_id = solo(guest, seats=2, rounds=2)
    address = f"/tables/{table_id}/review"
    while (state := load_table(table_id)).to_move is not None:
        assert browser.get(f"{address}/1/").status_code == 404
        assert "do-review" not in html_of(state, 0)["prompt"]
        make(table_id, state.legal[0])
    assert f"{address}/1/?as=0" in html_of(load_table(table_id), 0)["prompt"]
    assert "do-review" not in html_of(load_table(table_id), None)["prompt"]
    for number in (0, 2, 3):
        assert browser.get(f"{address}/{number}/").status_code == 404
    moves.say_ready(table_id=table_id, seat=0, turn=load_table(table_id).turn)
    assert browser.get(f"{address}/1/").status_code == 200
    assert browser.get(f"{address}/2/").status_code == 404


def test_a_board_is_looked_back_on_when_all_tables_have_played_it() -> None:
    session, students = playing(4, seats=2, duplicate=True, rounds=1)
    first, second = picture(session).tables
    seat_of = {
        s.student_id: (t, s.number) for t in (first, second) for s in load_table(t).seats
    }
    student = next(s for s in students if seat_of[s.pk][0] == first)
    browser = device_of(student, session)
    play(first)
    for _ in range(3):
        assert browser.get(f"/tables/{first}/review/1/").status_code == 404
        assert "do-review" not in html_of(fresh(first), seat_of[student.pk][1])["prompt"]
        make(second, load_table(second).legal[0])
    play(second)
    assert browser.get(f"/tables/{first}/review/1/").status_code == 200
    assert "do-review" in html_of(fresh(first), seat_of[student.pk][1])["prompt"]
    assert signed_in(a_teacher()).get(f"/tables/{first}/review/1/").status_code == 404


def test_a_table_that_was_added_later_has_its_own_boards_only() -> None:
    state = load_table(friends(seats=2, people=2, rounds=4))
    later = replace(state, round_number=4, points=((None, None), (None, None), (3, 5)))
    assert [number for number in range(-1, 6) if may_look_back(later, number)] == [3]


def test_without_the_kernel_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, table_id = a_round()
    monkeypatch.setattr(analysis, "ready", lambda: False)
    assert "Still counting" in page(browser, table_id)


# What.


@pytest.mark.parametrize(
    ("variant", "seats"), [("bid", 3), ("win", 2), ("lose", 4), ("bid", 10)]
)
def test_the_dearest_moves_are_those_that_cost_most(variant: str, seats: int) -> None:
    """Recomputed for every play of the seat from promises alone: the dearest of those whose
    cost is told from chance."""
    browser, table_id = a_round(variant=variant, seats=seats)
    past = past_round(load_table(table_id), 1)
    told = review(past, 0)
    sign = -1 if Variant(variant) is Variant.LOSE else 1
    costs, ahead = [], []
    for turn in past.turns(0).values():
        seen = turn.observation
        if not isinstance(turn.move, Play) or len(seen.legal) == 1:
            continue
        worlds = WORLDS if len(seen.legal) <= 10 else WORLDS // 2
        found = promises(seen, worlds=worlds, seed=seed_of(seen))
        best = max(found, key=lambda p: sign * p.outcome.expected).outcome
        made = next(p.outcome for p in found if p.play == turn.move)
        noise = 2 * hypot(best.error, made.error)
        lost = sign * (best.expected - made.expected)
        costs.append((lost, turn.trick, lost > max(noise, 0.25)))
        others = [p.outcome for p in found if p.play.card != turn.move.card]
        if others and not costs[-1][2]:
            other = max(others, key=lambda o: sign * o.expected)
            by = sign * (made.expected - other.expected)
            if by > max(2 * hypot(made.error, other.error), 0.25):
                ahead.append((-by, turn.trick))
    assert told.judged == len(costs)
    dearest = sorted((-lost, trick) for lost, trick, is_clear in costs if is_clear)[:3]
    in_order = sorted(dearest, key=lambda cost: cost[1])
    clear = sum(is_clear for _lost, _trick, is_clear in costs)
    verdict = told.summary[1]
    assert ("could have gone better" in verdict) is bool(clear)
    if clear:
        tricks = all_of(sorted(trick for _, trick, is_clear in costs if is_clear))
        assert verdict.endswith(f" {tricks} could have gone better."), verdict
        assert (told.bid is None) is verdict.startswith("Trick")
        assert verdict.startswith("Good bid.") is (told.bid is not None and told.bid.is_fine)
    assert [(-mistake.lost, mistake.trick) for mistake in told.mistakes] == in_order
    text = page(browser, table_id)
    for mistake in told.mistakes:
        assert " ".join(mistake.verdict) in text
        assert " ".join(mistake.reasons) in text
        trick = past.round.tricks[mistake.trick - 1]
        assert html.unescape(trick_html(("You", *past.names[1:]), trick)) in text
    find = [] if told.find is None else [(-told.find.ahead, told.find.trick)]
    assert find == sorted(ahead)[:1]
    assert re.findall(r"Your best choice: trick (\d)", text) == [
        str(number) for _, number in find
    ]
    assert ("Was it a good bid?" in text) is (variant == "bid")


@pytest.mark.parametrize(("variant", "level"), [("bid", "counter"), ("lose", "tip-printed")])
def test_why_a_card_was_better(variant: str, level: str) -> None:
    """Where both take the trick equally often, the reason given fits the cards and the aim."""
    reasons = set()
    for seed in range(12 if SOAK else 6):
        _browser, guest = a_browser()
        table_id = solo(guest, seats=4, level=level, rounds=1, variant=variant)
        bots_play(table_id, rng=Random(seed))
        past = past_round(load_table(table_id), 1)
        by_trick = {turn.trick: turn.observation for turn in past.turns(0).values()}
        for mistake in review(past, 0).mistakes:
            seen, words = by_trick[mistake.trick], " ".join(mistake.words)
            bid = seen.bids[0]
            wants = variant == "bid" and bid is not None and seen.taken[0] < bid
            made, best = dict(mistake.played.plays)[0].value, mistake.best.card.value
            if re.search(r"Keep .* more later, on average\.", words):
                reasons.add("keep")
                assert wants
                assert made > best
            if "you win too many later" in words:
                reasons.add("part")
                assert variant != "win"
                assert best > made
            is_over = bid is not None and seen.taken[0] > bid
            assert not (is_over and "You make your bid in" in words)
            for promise in promises(seen, worlds=64, seed=1):
                n = promise.safety.beaters
                if promise.play == mistake.best and "the other in" in words:
                    unseen = promise.safety.unseen
                    beaten = f"Of {unseen} unseen cards,"
                    assert beaten not in words or f"beat yours, {n} the other." in words
    assert reasons


def test_no_reason_is_contradicted_by_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of simulated positions of all variants, each sentence beside other simulated deals; and
    each sentence is one that is looked at."""
    monkeypatch.undo()  # as many deals as the page has
    few, many = (30, 3_000), (2_000, 10_000)
    positions, worlds = many if SOAK else few
    found = contradicted(positions, worlds=worlds, seed=Random().randrange(99) if SOAK else 0)
    assert found.shown == []
    assert len(found.said) > 10


def test_what_bids_and_plays_made_likelier_is_told_where_it_is_much() -> None:
    told = set()
    for seed in range(6):
        _browser, guest = a_browser()
        table_id = solo(guest, seats=4, level="tip-printed", rounds=1, variant="bid")
        bots_play(table_id, rng=Random(seed))
        past = past_round(load_table(table_id), 1)
        turns = past.turns(0)
        for mistake in review(past, 0).mistakes:
            turn = turns[mistake.moment]
            assert isinstance(turn.move, Play)
            read = chances_read(turn.observation, (turn.move, mistake.best))
            plain = {each.play: each.outcome.chance for each in foreseen(turn)}
            assert read is not None
            far = max(
                abs(a - (plain[b] or 0))
                for a, b in zip(read, (turn.move, mistake.best), strict=True)
            )
            words = " ".join(mistake.words)
            is_told = "If you read bids and plays" in words
            assert is_told is (far >= TOLD)
            assert not is_told or f"about {percent(read[0])} for yours" in words
            told.add(is_told)
    assert told == {True, False}


def foreseen(turn: Turn) -> tuple[Promise, ...]:
    found = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("bid", [0, 3, 8])
def test_the_trick_that_broke_the_bid_is_named(bid: int) -> None:
    _browser, guest = a_browser()
    table_id = solo(guest, seats=2, level="counter", rounds=1)
    play(table_id, lambda s: s.to_move == 0)
    wanted, legal = move_text(Bid(bid)), load_table(table_id).legal
    make(table_id, wanted if wanted in legal else legal[1])
    bots_play(table_id)
    past = past_round(load_table(table_id), 1)
    promised = present(past.round.bids[0])
    taken, broken = 0, 0
    for n, trick in enumerate(past.round.tricks, start=1):
        taken += trick.winner == 0
        if not broken and not taken <= promised <= taken + 8 - n:
            broken = n
    named = re.findall(r"[Tt]rick (\d)", review(past, 0).turning)
    assert named == ([str(broken)] if broken else [])


def test_the_bid_stands_beside_the_forecast() -> None:
    browser, table_id = a_round()
    past = past_round(load_table(table_id), 1)
    story = present(review(past, 0).bid)
    made = [line.number for line in story.lines if line.is_made]
    assert made == [past.round.bids[0]]
    assert f"a bid of {made[0]} works" in story.before
    text = page(browser, table_id)
    assert (
        text.index(story.before)
        < text.index(f"Tricks taken after a bid of {made[0]},")
        < text.index(story.after)
    )
    assert f"You bid {made[0]} and took {past.round.taken[0]}" in text
    replays = foresight.look_back(past.round, 0, worlds=WORLDS).bids[made[0]]
    percent = (replays.tricks[made[0]] + 1) // 2  # of 200, halves rounded up
    assert f"A bid of {made[0]} worked in {percent}" in story.after
    assert [text.index(f'data-card="{code}"') for code in story.hand]


def test_what_the_bots_thought_is_what_was_kept() -> None:
    browser, table_id = a_round(level="counter")
    text = page(browser, table_id)
    state = load_table(table_id)
    assert text.count("Counting bots count") == 1  # said once for both
    assert state.round is not None
    told = {}
    for seat, thoughts in re.findall(r"<b>(\w+)</b>(.*?)</details>", text, re.DOTALL):
        thoughts = thoughts.replace('<span aria-hidden="true">✓</span>', "✓")
        cell = r"(.*?)</td><td>"
        row = r'<tr><th scope="row">(\w+)</th><td class="call">' + cell + r"(.*?)</td></tr>"
        told[seat] = re.findall(row, thoughts)
    past = past_round(state, 1)
    for seat in (1, 2):
        name = state.seats[seat].name
        bid, taken = past.round.bids[seat], past.round.taken[seat]
        assert f"<b>{name}</b> bid {bid}, took {taken}<" in text
        made = [(n, m) for n, m in enumerate(past.moves) if m.seat == seat]
        assert len(told[name]) == len(made) == 9
        for (trick, words, chance), (n, move) in zip(told[name], made, strict=True):
            assert trick == ("bid" if n < 3 else str((n - 3) // 3 + 1))
            named = parse_move(move.text)
            card = str(named.number if isinstance(named, Bid) else named.card.value)
            assert card in words
            assert chance.startswith("✓") is (
                trick != "bid" and past.round.tricks[int(trick) - 1].winner == seat
            )
            assert ("no choice" in words) is (move.reason is None)
            if move.reason is None:
                assert not re.search(r"\d", chance)
                continue
            first = move.reason[0]
            if first[1] is not None and 0.01 <= first[1] <= 0.99:
                assert chance.endswith(f"{round(first[1] * 100)}%")
    assert any(move.reason is None for move in past.moves)


@pytest.mark.parametrize("level", ["random", "tip-printed", "tip-wikipedia"])
def test_a_bot_that_weighs_nothing_says_so(level: str) -> None:
    browser, table_id = a_round(level=level)
    text = page(browser, table_id)
    assert len(re.findall(r"bid by tip [AB]: |at random", text)) == 1
    names = [seat.name for seat in load_table(table_id).seats[1:]]
    assert re.findall(r"<p><b>(\w+)</b> bid \d, took \d</p>", text) == names
    assert "thoughts" not in text


@pytest.mark.parametrize("level", ["careless", "tip-printed", "tip-wikipedia"])
@pytest.mark.parametrize("variant", ["win", "lose"])
def test_a_bots_way_speaks_of_no_bid_where_there_is_none(variant: str, level: str) -> None:
    browser, table_id = a_round(level=level, variant=variant)
    text = page(browser, table_id)
    assert not re.search(r"\bbids?\b", text.split("<main")[1].split("</main")[0])


def test_what_a_bot_played_for_me_is_not_judged() -> None:
    opener = a_browser()[1]
    table_id = friends(seats=2, people=2, rounds=1, opener=opener)
    while (state := load_table(table_id)).to_move is not None:
        if state.to_move == 0:
            moves.make_move(
                table_id=table_id,
                seat=0,
                turn=state.turn,
                text=state.legal[0],
                mover=Move.Mover.CLOCK,
                level="random",
            )
        else:
            make(table_id, state.legal[0])
    told = review(past_round(load_table(table_id), 1), 0)
    assert (told.judged, told.mistakes, told.played_by_bot) == (0, (), 9)
    assert [bot.name for level in told.levels for bot in level.bots] == ["You"]


def test_a_bid_that_was_made_for_me_is_not_blamed_on_me() -> None:
    table_id = friends(seats=2, people=2, rounds=1, opener=a_browser()[1])
    while (state := load_table(table_id)).to_move is not None:
        if state.to_move == 0 and state.status == "bidding":
            highest = state.legal[-1]
            by: dict[str, Any] = {"mover": Move.Mover.CLOCK, "level": "random"}
            moves.make_move(table_id=table_id, seat=0, turn=state.turn, text=highest, **by)
        else:
            make(table_id, state.legal[0])
    told = review(past_round(load_table(table_id), 1), 0)
    assert told.bid is None
    assert told.summary[0].startswith("You took ")
    assert not any("the bid" in sentence for sentence in told.summary)


def test_every_round_of_a_game_can_be_looked_back_on() -> None:
    browser, guest = a_browser()
    table_id = solo(guest, seats=2, rounds=3, variant="win")
    finish(table_id)
    for number in (1, 2, 3):
        text = page(browser, table_id, number)
        links = set(re.findall(r"/review/(\d)/\?as=0", text))
        assert links == {"1", "2", "3"} - {str(number)}


# Reasons are nobody's business before.

MARK = 424_242


def test_no_reason_is_shown_before_the_round_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page and frame that there is, at every state, is searched for a marked reason."""
    monkeypatch.setattr(
        moves,
        "packed",
        lambda options: [[move_text(o.move), 0.4242, 84.242, 42.42, MARK] for o in options],
    )
    session, students = playing(1, seats=3, level="counter", odds_panel="always", rounds=2)
    table_id = picture(session).tables[0]
    seat = next(s.number for s in load_table(table_id).seats if s.student_id)
    browser, teacher = device_of(students[0], session), signed_in(a_teacher())
    rng = Random(4)
    marks = re.compile(
        r"424242|(?<!\d)0\.4242|(84\.2 tricks|>84\.2<)|(42\.4 points|>42\.4<)|thinking"
    )

    def everything() -> str:
        state = load_table(table_id)
        texts = [json_of(state, s) for s in (None, 0, 1, 2)]
        texts += [h for s in (None, 0, 1, 2) for h in html_of(state, s).values()]
        texts += [hands_of(state), *lines(finished_deals())]
        for who in (browser, teacher):
            for address in ("", "odds/", "review/1/", "review/2/"):
                texts.append(who.get(f"/tables/{table_id}/{address}").content.decode())
        for address in ("", "projector/", f"tables/{table_id}/"):
            answer = teacher.get(f"/teach/sessions/{session.pk}/{address}")
            texts.append(answer.content.decode())
        return "".join(texts)

    while (state := load_table(table_id)).to_move is not None:
        if state.to_move == seat:
            make(table_id, rng.choice(state.legal))
        else:
            choice = moves.decide_move(state=state, rng=rng)
            moves.make_bot_move(table_id=table_id, turn=state.turn, choice=choice)
        if load_table(table_id).to_move is not None and rng.random() < 0.4:
            assert not marks.search(everything())
    kept = [row for row in Move.objects.values_list("reason", flat=True) if row]
    assert kept
    assert all(row[0][-1] == MARK for row in kept)
    assert Deal.objects.count() == 1
    assert marks.search(page(browser, table_id))
