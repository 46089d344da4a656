"""One's own mistakes tried again: whose they are, that nothing is told before the move, what is
right, when they come back."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games import analysis
from games.analysis.jobs import pool
from games.classes import joining
from games.keeping.retention import purge_expired
from games.models import Deal, Guest, Move, Position, Table
from games.rules import DECK, Variant, move_text
from games.study.look_back import bids as table_bids
from games.study.look_back import mistakes as decisions
from games.study.look_back import plays
from games.study.look_back.past_rounds import past_round
from games.study.look_back.reviews import review
from games.study.replay.positions import play_on, sight_of
from games.tables import moves, seats
from games.tables.state import load_table
from games.tables.viewers import Browser
from games.words import hook_words
from lessons.models import Retry, Slip
from lessons.pages import mistakes as views
from lessons.questions.learners import Learner
from lessons.questions.mistakes import keep_mistakes, next_slip, own_round, standings
from tests.games.classroom import a_teacher, device_of, picture, playing, signed_in, sitting
from tests.games.table import a_browser, make, play, solo
from tests.kernel import load_or_skip
from tests.scenes.by_students import play_by_students
from tests.scenes.pictures import html_of
from xactika_site.classrooms.models import ClassSession, Student

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def _quick() -> Iterator[None]:
    """Most ask of the same round: what has been counted stays counted."""
    load_or_skip()
    pool.answers.clear()
    with pytest.MonkeyPatch.context() as monkeypatch:
        for module in (table_bids, plays, decisions):
            monkeypatch.setattr(module, "WORLDS", 200)
        yield
    pool.answers.clear()


def a_round(rng: int = 0, **options: object) -> tuple[Client, Guest, str]:
    """A browser, its guest, and a table at which they have played a round at random: for each
    seed the same."""
    browser, guest = a_browser()
    chance = Random(rng)
    deck = [card.code for card in chance.sample(DECK, 24)]
    deals = [{"dealer": 0, "hands": [deck[:8], deck[8:16], deck[16:]]}] * 2
    table_id = solo(
        guest, **{"seats": 3, "level": "counter", "rounds": 2, "deals": deals, **options}
    )
    seats.open_seat(table_id=table_id, seat=0)
    while (state := load_table(table_id)).to_move is not None:
        if state.to_move == 0:
            make(table_id, chance.choice(state.legal))
        else:
            choice = moves.decide_move(state=state, rng=chance)
            moves.make_bot_move(table_id=table_id, turn=state.turn, choice=choice)
    return browser, guest, table_id


def found_in(browser: Client, table_id: str) -> list[Slip]:
    """One press at the round's end: its mistakes, in its order."""
    answer = browser.get(f"/lessons/tables/{table_id}/slips/1/")
    assert answer.status_code == 302
    return list(Slip.objects.filter(position__deal__table=table_id).order_by("position__moves"))


def a_slip(student: Student, session: ClassSession, table_id: str) -> Slip:
    """The first move of this student in the round, as if it had cost something."""
    own = own_round(sitting(student, session.pk), table_id, 1)
    past = past_round(own.sight.state, 1)
    moment, turn = next(iter(past.turns(own.seat).items()))
    texts = [move_text(move) for move in turn.observation.legal]
    worths = {text: float(n) for n, text in enumerate(texts)}
    found = [decisions.Decision(moment, past.moves[moment].text, worths)]
    (mistake,) = keep_mistakes(own=own, past=past, decisions=found)
    return mistake


def by_worth(slip: Slip) -> list[str]:
    """The allowed moves, the best first."""
    return sorted(slip.worths, key=lambda text: -slip.worths[text])


def answer(browser: Client, slip: Slip, text: str, number: int = 0) -> str:
    """The page that tells, after this move."""
    sent = browser.post(f"/lessons/slips/{slip.pk}/", {"number": number, "move": text})
    assert sent.status_code == 302
    return html.unescape(browser.get(sent.headers["Location"]).text)


def of(guest: Guest) -> Learner:
    return Learner(guest=guest)


# Which.


@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_they_are_those_that_the_look_back_names(variant: str) -> None:
    browser, guest, table_id = a_round(variant=variant)
    found = found_in(browser, table_id)
    told = review(past_round(load_table(table_id), 1), 0)
    moments = [slip.moment for slip in told.mistakes]
    if told.bid is not None and not told.bid.is_fine:
        moments.insert(0, Move.objects.filter(deal__table=table_id, seat=0)[0].number)
    assert moments
    assert [slip.position.moves for slip in found] == moments
    assert {(slip.guest, slip.student, slip.position.seat) for slip in found} == {
        (guest, None, 0)
    }
    costs = {slip.moment: slip.lost for slip in told.mistakes}
    for slip in found:
        best = max(slip.worths.values())
        made = slip.position.deal.moves.get(number=slip.position.moves).text
        cost = costs.get(slip.position.moves, best - slip.worths[made])
        assert best - slip.worths[made] == pytest.approx(cost, abs=0.002)
        assert cost > table_bids.LEAST
    assert [s.pk for s in found_in(browser, table_id)] == [s.pk for s in found]  # once


def test_only_ones_own_moves_are_kept() -> None:
    browser, _guest, table_id = a_round()
    other = a_browser()[1]
    Move.objects.filter(deal__table=table_id, seat=0).update(guest=other)
    page = browser.get(f"/lessons/tables/{table_id}/slips/1/")
    assert "no other move was clearly better" in page.text
    assert not Slip.objects.exists()


def test_it_is_one_press_from_the_end_of_the_round() -> None:
    browser, _guest, table_id = a_round()
    address = f"/lessons/tables/{table_id}/slips/1/?as=0"
    assert address in html_of(load_table(table_id), 0)["prompt"]
    assert address in browser.get(f"/tables/{table_id}/review/1/").text
    assert "do-slips" not in html_of(load_table(table_id), None)["prompt"]
    first = found_in(browser, table_id)[0]
    assert browser.get(address).headers["Location"] == f"/lessons/slips/{first.pk}/"
    assert "/lessons/slips/" in browser.get("/mine/").text
    assert "/lessons/slips/" in browser.get("/lessons/practice/").text


# Asked.


def test_nothing_is_told_before_the_move() -> None:
    """Whatever was played, and whatever was best: the page is the same to the byte."""
    browser, _guest, table_id = a_round()
    for slip in found_in(browser, table_id):
        address = f"/lessons/slips/{slip.pk}/"

        def page(address: str = address) -> str:
            return re.sub(r'value="\w{64}"', "", browser.get(address).text)

        before = page()
        assert slip.position_id not in before
        assert 'name="move"' in before
        move = Move.objects.filter(deal__table=table_id, number=slip.position.moves)
        made = move.get().text
        for text, worth in zip(slip.worths, reversed(slip.worths.values()), strict=True):
            move.update(text=text)
            Slip.objects.filter(pk=slip.pk).update(worths={**slip.worths, text: worth + 9})
            assert page() == before
        move.update(text=made)


def test_a_bid_s_page_says_which_bid_is_forbidden() -> None:
    browser, _guest, table_id = a_round()
    slip, *others = found_in(browser, table_id)
    (forbidden,) = {*map(str, range(9))} - set(slip.worths)  # it deals, so it bids last
    sentence = hook_words(int(forbidden))
    assert sentence in html.unescape(browser.get(f"/lessons/slips/{slip.pk}/").text)
    assert others
    for other in others:
        assert "you bid last" not in browser.get(f"/lessons/slips/{other.pk}/").text


def test_every_move_that_was_allowed_can_be_answered_and_no_other() -> None:
    browser, _guest, table_id = a_round()
    for slip in found_in(browser, table_id):
        page = browser.get(f"/lessons/slips/{slip.pk}/").text
        assert set(re.findall(r'name="move" value="([^"]+)"', page)) == set(slip.worths)
        for text in ("", "9", "2222:3-star", "4444"):
            sent = browser.post(f"/lessons/slips/{slip.pk}/", {"number": 0, "move": text})
            assert (sent.status_code, "can’t play that here" in sent.text) == (422, True)
    assert not Retry.objects.exists()


# Told.


def test_any_move_a_tenth_behind_the_best_is_right() -> None:
    browser, _guest, table_id = a_round()
    slip = found_in(browser, table_id)[-1]
    texts = by_worth(slip)
    Slip.objects.filter(pk=slip.pk).update(
        worths={t: {0: 1.0, 1: 0.9, 2: 0.899}.get(n, 0.0) for n, t in enumerate(texts)}
    )
    for number, (text, right) in enumerate(zip(texts, (True, True, False), strict=False)):
        told = answer(browser, slip, text, number)
        assert ("Yes: " in told, "Not yet: " in told) == (right, not right)
        assert Retry.objects.get(number=number).right is right


def test_a_wrong_move_is_asked_once_more_before_anything_is_told() -> None:
    browser, _guest, table_id = a_round()
    slip = found_in(browser, table_id)[0]
    best, *_between, wrong = by_worth(slip)
    asked = answer(browser, slip, wrong)
    assert "Not yet: another move is better by" in asked
    assert 'method="get"' in asked
    assert "What each move brings" not in asked
    address = f"/lessons/slips/{slip.pk}/?told=0&move="
    assert f'href="{address.split("/")[-1]}{wrong}"' in asked
    assert 'data-outcome="right"' in browser.get(address + best).text
    assert "Not this time: " in browser.get(address + wrong).text
    assert "Not yet: " in html.unescape(browser.get(f"{address}4444").text)
    assert [retry.move for retry in slip.retries.all()] == [wrong]  # the second isn't kept


def test_both_moves_have_their_bars_where_points_differ() -> None:
    bars = views._bars_of_means([-0.5, 1.5], Variant.BID)
    assert [(bar["start"], bar["rate"]) for bar in bars] == [(0, 0.25), (0.25, 0.75)]
    assert [bar["words"] for bar in bars] == ["−0.5 points", "1.5 points"]
    assert [bar["rate"] for bar in views._bars_of_means([2.0, 1.0], Variant.LOSE)] == [1, 0.5]


def test_then_it_tells_the_sentence_the_move_and_where_to_look() -> None:
    browser, _guest, table_id = a_round()
    told = review(past_round(load_table(table_id), 1), 0).mistakes[0]
    slip = next(s for s in found_in(browser, table_id) if s.position.moves == told.moment)
    page = answer(browser, slip, by_worth(slip)[0])
    assert " ".join(told.words) in page
    rates = re.findall(r"Bid made: <b>(.+?)</b>", " ".join(page.split()))
    assert rates == [bar.words for bar in told.bars]
    assert 'class="seats' in page  # the answer stays on the board
    assert f"/tables/{table_id}/replay/1/?as=0&at={told.moment}" in page
    best = by_worth(slip)[0]
    assert f"/positions/{slip.position_id}/again/?instead={told.moment}.{best}" in page
    for link in re.findall(r'href="(/(?:positions|tables)/[^"]+)"', page):
        assert browser.get(link).status_code in {200, 302}


def test_right_leaves_the_list_and_wrong_comes_back_spaced() -> None:
    browser, guest, table_id = a_round()
    first, second, *_ = found_in(browser, table_id)

    def state(slip: Slip, **later: int) -> str:
        found = standings(of(guest), timezone.now() + timedelta(**later))
        return next(each.state for each in found if each.mistake == slip)

    answer(browser, first, by_worth(first)[0])
    assert state(first, days=99) == "clear"
    assert "Went well: 1." in browser.get("/lessons/slips/").text
    answer(browser, second, by_worth(second)[-1])
    assert [state(second, minutes=n) for n in (9, 11)] == ["soon", "again"]
    Retry.objects.filter(slip=second).update(made=timezone.now() - timedelta(hours=1))
    assert next_slip(standings(of(guest))) == second
    assert "This turn comes back." in answer(browser, second, by_worth(second)[0], 1)
    assert [state(second, hours=n) for n in (23, 25)] == ["soon", "again"]


def test_the_same_click_twice_is_one_try() -> None:
    browser, _guest, table_id = a_round()
    slip = found_in(browser, table_id)[0]
    best, worst = by_worth(slip)[0], by_worth(slip)[-1]
    token = re.compile(r'(csrfmiddlewaretoken" value=)"\w+"')
    once, again_ = (token.sub("", answer(browser, slip, best)) for _click in range(2))
    assert once == again_
    assert Retry.objects.count() == 1
    for number in ("0", "2", "", "x", "-1"):
        form = {"number": number, "move": worst}
        assert browser.post(f"/lessons/slips/{slip.pk}/", form).status_code == 422
    assert Retry.objects.count() == 1
    assert "Yes: " not in browser.get(f"/lessons/slips/{slip.pk}/?told=1").text  # asks


# Without the kernel.


def test_without_the_kernel_the_kept_figures_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, _guest, table_id = a_round()
    slips = found_in(browser, table_id)
    other, _other_guest, unknown = a_round(rng=7)
    monkeypatch.setattr(analysis, "ready", lambda: False)
    pool.answers.clear()
    assert found_in(browser, table_id) == slips
    told = answer(browser, slips[0], by_worth(slips[0])[0])
    assert "Yes: " in told
    assert "These figures are from before" in told
    page = other.get(f"/lessons/tables/{unknown}/slips/1/")
    assert (page.status_code, "Still counting" in page.text) == (200, True)
    assert Slip.objects.count() == len(slips)


# Who.


def in_class(**settings: object) -> tuple[ClassSession, list[Student], str, Client]:
    """Two students at a table who have played a round; the first one's browser."""
    session, students = playing(2, **{"seats": 2, "rounds": 2, **settings})
    table_id = picture(session).tables[0]
    play_by_students(table_id)
    return session, students, table_id, device_of(students[0], session)


def test_each_list_has_its_owners_alone() -> None:
    session, students, table_id, mine = in_class()
    slip = a_slip(students[0], session, table_id)
    own, _guest, own_table = a_round()
    own_slip = found_in(own, own_table)[0]
    others = [device_of(students[1], session), signed_in(a_teacher()), a_browser()[0], Client()]
    for browser, theirs in [
        (mine, slip),
        (own, own_slip),
        *((other, None) for other in others),
    ]:
        listed = set(re.findall(r"/lessons/slips/(\d+)/", browser.get("/lessons/slips/").text))
        own_ones = {str(each.pk) for each in (slip, own_slip) if each == theirs}
        assert listed & {str(slip.pk), str(own_slip.pk)} == own_ones


def test_whoever_was_sent_out_or_deleted_has_none() -> None:
    session, students, table_id, mine = in_class()
    slip = a_slip(students[0], session, table_id)
    position = slip.position_id
    assert f"/lessons/slips/{slip.pk}/" in mine.get("/lessons/slips/").text
    assert "another move was better" in mine.get("/lessons/practice/").text
    joining.send_out(session_id=session.pk, student_id=students[0].pk)
    assert mine.get(f"/lessons/slips/{slip.pk}/").status_code == 404
    assert f"/lessons/slips/{slip.pk}/" not in mine.get("/lessons/slips/").text
    assert "another move was better" not in mine.get("/lessons/practice/").text
    seats.remove_student(student=students[0])
    assert not Slip.objects.exists()
    assert Position.objects.filter(pk=position).exists()  # it is the round's


def test_a_running_round_has_none() -> None:
    browser, guest = a_browser()
    table_id = solo(guest, seats=2, rounds=2)
    seats.open_seat(table_id=table_id, seat=0)
    for number in (0, 1, 2):
        answer = browser.get(f"/lessons/tables/{table_id}/slips/{number}/")
        assert answer.status_code == 404


def test_a_board_waits_for_all_tables() -> None:
    session, students = playing(4, seats=2, duplicate=True, rounds=1)
    first, second = picture(session).tables
    at_first = {seat.student_id for seat in load_table(first).seats}
    student = next(s for s in students if s.pk in at_first)
    browser = device_of(student, session)
    play_by_students(first)
    address = f"/lessons/tables/{first}/slips/1/"
    assert browser.get(address).status_code == 404
    deal = Deal.objects.get(table=first)
    early = Slip.objects.create(  # were there one all the same
        student=student,
        position=Position.objects.create(deal=deal, moves=3, seat=0),
        worths={"1": 1.0},
    )
    assert browser.get(f"/lessons/slips/{early.pk}/").status_code == 404
    assert f"/lessons/slips/{early.pk}/" not in browser.get("/lessons/slips/").text
    early.delete()
    play_by_students(second)
    assert browser.get(address).status_code in {200, 302}


def test_a_study_table_counts_nowhere_and_has_none() -> None:
    browser, guest, table_id = a_round()
    sight = sight_of(Browser(guest=guest), table_id, 1)
    study = play_on(sight, moment=3, seat=0, guest=guest)
    play(study)
    assert Table.objects.get(pk=study).kind == Table.Kind.STUDY
    assert browser.get(f"/lessons/tables/{study}/slips/1/").status_code == 404
    assert "do-slips" not in html_of(load_table(study), 0)["prompt"]
    assert "/slips/1/" not in browser.get(f"/tables/{study}/review/1/").text


def test_they_go_with_their_round() -> None:
    browser, _guest, table_id = a_round()
    answer(browser, found_in(browser, table_id)[0], "0")
    Table.objects.update(created=timezone.now() - timedelta(days=400))
    load_table(table_id)
    Table.objects.filter(pk=table_id).get().seat_set.update(last_seen=None)
    purge_expired()
    assert not Slip.objects.exists()
    assert not Retry.objects.exists()
