"""The puzzle of the day: what is shown when, what answers get; nothing tells before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from html import unescape
from random import Random
from urllib.parse import quote

import pytest
from django.contrib.staticfiles.finders import get_finders
from django.test import Client
from django.utils.translation import override

from games.analysis.puzzles import NOBODY, YOU, Kind, Puzzle, Use, numbers_in_use, puzzles
from games.analysis.puzzles.proofs import sloughs
from games.pages import puzzle_marks
from games.pages import puzzles as pages
from games.pages.puzzle_marks import COOKIE
from games.rules import DECK, IllegalMove, Play, parse_move
from games.study.puzzles import daily as study
from games.study.puzzles import words as puzzle_words
from games.study.puzzles.daily import BALANCED_FROM, FIRST, NoPuzzle, NotYet, daily_of
from games.words import call_words

pytestmark = pytest.mark.django_db

TODAY = FIRST + timedelta(days=40)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "today", lambda: TODAY)
    for module in (pages, puzzle_marks):
        monkeypatch.setattr(module, "present_day", lambda: TODAY)


def day_of(kind: Kind) -> date:
    return next(
        day for n in range(40) if daily_of(day := TODAY - timedelta(days=n)).puzzle.kind is kind
    )


def address(day: date, more: str = "") -> str:
    return f"/puzzles/{day}/{more}"


# Days.


def test_today_has_its_puzzle_and_so_has_its_address() -> None:
    browser = Client()
    today, there = browser.get("/puzzles/"), browser.get(address(TODAY))
    assert today.status_code == there.status_code == 200
    assert plain(today.text) == plain(there.text)
    assert "Today’s puzzle" in today.text


def test_the_day_chooses_and_after_the_last_they_begin_anew() -> None:
    assert daily_of(FIRST).number == 0
    assert daily_of(FIRST + timedelta(days=40)).number == 40
    with pytest.raises(NotYet):
        daily_of(TODAY + timedelta(days=1))
    with pytest.raises(NoPuzzle):
        daily_of(FIRST - timedelta(days=1))


def test_the_same_puzzle_comes_again_after_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    later = BALANCED_FROM + timedelta(days=len(numbers_in_use(Use.DAY)) + 3)
    monkeypatch.setattr(study, "today", lambda: later)
    assert daily_of(later).number == numbers_in_use(Use.DAY)[3]


def test_days_gone_by_keep_their_puzzles_and_later_ones_have_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(study, "today", lambda: date(2028, 12, 31))
    before = (BALANCED_FROM - FIRST).days
    days = [FIRST + timedelta(days=n) for n in range(before + len(numbers_in_use(Use.DAY)))]
    assert [daily_of(day).number for day in days] == [*range(before), *numbers_in_use(Use.DAY)]


def test_a_day_to_come_shows_nothing_but_when_it_comes() -> None:
    for more in ("", "replay/"):
        page = Client().get(address(TODAY + timedelta(days=1), more))
        assert page.status_code == 404
        assert "This puzzle comes on" in page.text
        assert "answer" not in page.text
    answered = Client().post(address(TODAY + timedelta(days=1)), {"show": "1"})
    assert answered.status_code == 404
    assert COOKIE not in answered.cookies


@pytest.mark.parametrize(
    "text", ["2026-02-30", "yesterday", "20260901", "2026-W36-1", "1999-12-31", "2026-09-01x"]
)
def test_a_day_that_there_is_not_says_so(text: str) -> None:
    page = Client().get(f"/puzzles/{text}/")
    assert page.status_code == 404
    assert "There’s no puzzle for this day." in page.text


def test_a_clock_before_the_first_day_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "present_day", lambda: date(1970, 1, 1))
    assert Client().get("/puzzles/").status_code == 404


def test_a_kind_leads_to_its_latest_puzzle_that_is_new_here() -> None:
    browser, day = Client(), day_of(Kind.LEAD)
    assert browser.get("/puzzles/?kind=lead").headers["Location"] == address(day)
    browser.post(address(day), {"show": "1"})
    older = browser.get("/puzzles/?kind=lead").headers["Location"]
    assert older < address(day)
    assert browser.get("/puzzles/?kind=none").status_code == 404


# Answers.


def bars_in(page: str, name: str) -> list[str]:
    """Of the bids' bars on a page those of this class."""
    bars = re.sub(r'"\s+|\s+"', '"', page.partition("bid-bars")[2].partition("</figure>")[0])
    return re.findall(rf'<g class="{name}">.*?</g>', bars, re.DOTALL)


def test_bids_tried_before_stand_among_the_bars() -> None:
    browser, day = Client(), day_of(Kind.BID)
    puzzle = daily_of(day).puzzle
    first, second = [text for text in puzzle.choices if text != puzzle.answer][:2]
    assert "bid-bars" not in browser.get(address(day)).text
    page = browser.post(address(day), {"answer": first}).text
    assert len(bars_in(page, "tried")) == page.count("<rect x=") == 1
    assert f'name="tried" value="{first}"' in page
    page = browser.post(address(day), {"answer": second, "tried": first}).text
    assert len(bars_in(page, "tried")) == page.count("<rect x=") == 2
    answered = browser.post(
        address(day), {"answer": puzzle.answer, "tried": [first, second, first]}
    )
    query = f"?tried={first}&tried={second}"
    assert answered.headers["Location"] == f"{address(day)}{query}#verdict"
    tried = bars_in(browser.get(f"{address(day)}{query}").text, "tried")
    assert [re.findall(r'y="100%"dy="2.3em">(\d)<', bar) for bar in tried] == [
        [first],
        [second],
    ]
    forged = browser.post(address(day), {"answer": puzzle.answer, "tried": "9#x"})
    assert forged.headers["Location"] == f"{address(day)}#verdict"


def test_no_bar_tells_what_the_right_bid_brings_before_it_is_found() -> None:
    browser, day = Client(), day_of(Kind.BID)
    puzzle = daily_of(day).puzzle
    wrong = next(each for each in puzzle.choices if each != puzzle.answer)
    data = {"answer": wrong, "tried": list(puzzle.choices)}  # of one's own making
    page = browser.post(address(day), data).content.decode()
    assert f'name="tried" value="{wrong}"' in page
    assert f'name="tried" value="{puzzle.answer}"' not in page
    assert not bars_in(page, "best")


@pytest.mark.parametrize("kind", list(Kind))
def test_wrong_answers_are_told_why_and_right_ones_solve(kind: Kind) -> None:
    browser, day = Client(), day_of(kind)
    puzzle = daily_of(day).puzzle
    for wrong in [text for text in puzzle.choices if text != puzzle.answer]:
        page = browser.post(address(day), {"answer": wrong})
        assert page.status_code == 200
        assert f"<strong>{'Somebody can.' if wrong == NOBODY else 'Not '}" in page.text
        assert "See it played" not in page.text
        assert f'data-tried="{wrong}"' in page.text
        assert COOKIE not in page.cookies
    answered = browser.post(address(day), {"answer": puzzle.answer})
    assert answered.status_code == 302
    assert answered.headers["Location"] == f"{address(day)}#verdict"
    page = browser.get(address(day))
    assert re.search(r"<strong>\s+Yes: ", page.text)
    assert "See it played" in page.text
    if kind in {Kind.LEAD, Kind.LAST}:  # it lies on the board, and not in the hand
        card = puzzle.answer.partition(":")[0]
        _before, board, hand = re.split('id="slot-0"|id="hand"', page.text)
        assert f'data-card="{card}"' in board.partition("</li>")[0]
        assert f'data-card="{card}"' not in hand.partition("</section>")[0]


@pytest.mark.parametrize("kind", [Kind.LEAD, Kind.LAST])
def test_the_tricks_shown_beat_the_wrong_answer_and_no_other(kind: Kind) -> None:
    numbers = [n for n in range(60) if puzzles()[n].kind is kind]
    for number in numbers:
        puzzle = puzzles()[number]
        assert puzzle_words.refutation(number, puzzle.answer) == ()
        for wrong in set(puzzle.choices) - {puzzle.answer}:
            tricks = puzzle_words.refutation(number, wrong)
            play = parse_move(wrong)
            assert isinstance(play, Play)
            assert tricks[0].plays[0] == (YOU, play.card)
            assert tricks[0].call == play.call
            taken = sum(trick.winner == YOU for trick in tricks)
            assert taken == 0 if kind is Kind.LEAD else taken != puzzle.wanted


def test_a_wrong_answer_is_shown_to_be_one_and_no_answer_shows_nothing() -> None:
    browser, day = Client(), day_of(Kind.LAST)
    page = browser.get(address(day)).text
    assert 'id="refutation"' not in page
    assert "as you saw it" not in page  # nobody sat at its table
    puzzle = daily_of(day).puzzle
    wrong = next(text for text in puzzle.choices if text != puzzle.answer)
    page = browser.post(address(day), {"answer": wrong}).text
    assert 'id="refutation"' in page
    assert "All hands are open." in page, "it is asked again"
    solved = browser.post(address(day), {"answer": puzzle.answer}, follow=True)
    assert 'id="refutation"' not in solved.text


@pytest.mark.parametrize("kind", Kind)
def test_a_wrong_answer_to_a_solved_puzzle_leads_back_to_it(kind: Kind) -> None:
    browser, day = Client(), day_of(kind)
    puzzle = daily_of(day).puzzle
    browser.post(address(day), {"answer": puzzle.answer})
    wrong = next(text for text in puzzle.choices if text != puzzle.answer)
    again = browser.post(address(day), {"answer": wrong})
    assert again.headers["Location"] == f"{address(day)}#verdict"
    assert "data-tried" not in browser.get(address(day)).text


@pytest.mark.parametrize("answer", ["", "9", "1111:1-ball", "nobody ", "☃", "4"])
@pytest.mark.parametrize("kind", [Kind.LEAD, Kind.LAST, Kind.HOLD])
def test_made_up_answers_are_refused(kind: Kind, answer: str) -> None:
    day = day_of(kind)
    if answer in daily_of(day).puzzle.choices:
        pytest.skip("that is an answer here")
    page = Client().post(address(day), {"answer": answer})
    assert page.status_code == 422
    assert "Choose one of the answers." in page.text


def test_a_wrong_name_is_told_the_call_it_did_not_follow_beside_the_rule() -> None:
    day = day_of(Kind.HOLD)
    puzzle = daily_of(day).puzzle
    for proof in sloughs(puzzle):
        page = Client().post(address(day), {"answer": str(proof.seat)})
        call = call_words(proof.call)
        assert f" didn’t follow {call} in trick {proof.trick}. This " in page.text
        assert f" shows {call}." in page.text
        assert "A player who didn’t follow a call had no card that shows it." in page.text


def test_the_solution_can_be_asked_for_and_is_then_not_solved() -> None:
    browser, day = Client(), day_of(Kind.LEAD)
    assert browser.post(address(day), {"show": "1"}).status_code == 302
    assert "The answer: " in browser.get(address(day)).text
    archive = browser.get(f"/puzzles/all/?month={day:%Y-%m}")
    assert archive.text.count(", answer shown") == 1
    assert ", solved" not in archive.text


def test_a_cookie_of_ones_own_making_opens_nothing() -> None:
    browser, day = Client(), day_of(Kind.LAST)
    everything = f"{(1 << len(puzzles())) - 1:x}.0"
    for forged in (everything, f"{everything}:abc", "", "x", "é"):
        browser.cookies[COOKIE] = forged
        assert "See it played" not in browser.get(address(day)).text
        assert browser.get(address(day, "replay/")).status_code == 302


# Before it is solved.


def plain(text: str) -> str:
    """A page without its form's token."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)


def others_like(puzzle: Puzzle) -> Iterator[Puzzle]:
    """Puzzles that look the same to whoever has them before them, with other hands where these
    are hidden, and every other answer."""
    rng = Random(1)
    for answer in puzzle.choices:
        yield replace(puzzle, answer=answer, points=tuple(range(9)))
    if puzzle.is_open:
        return
    hidden = [*(card for hand in puzzle.now.hands[1:] for card in hand)]
    dealt = {card for hand in puzzle.hands for card in hand}
    hidden += [card for card in DECK if card not in dealt]
    for _ in range(300):
        fresh = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        held = [set(hand) for hand in puzzle.now.hands]
        hands = [
            tuple(fresh[card] if n != YOU and card in held[n] else card for card in hand)
            for n, hand in enumerate(puzzle.hands)
        ]
        other = replace(puzzle, hands=tuple(hands))
        try:
            _ = other.now
        except IllegalMove:
            continue
        yield other


@pytest.mark.parametrize("kind", list(Kind))
def test_a_page_is_the_same_whatever_the_answer_and_the_hidden_cards(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = day_of(kind)
    found = daily_of(day)
    before = plain(Client().get(address(day)).text)
    tried = 0
    for other in others_like(found.puzzle):
        every = (*puzzles()[: found.number], other, *puzzles()[found.number + 1 :])
        with monkeypatch.context() as patch:
            for module in (study, puzzle_words, pages, puzzle_marks):
                patch.setattr(module, "puzzles", lambda every=every: every)
            assert plain(Client().get(address(day)).text) == before
        tried += 1
        if tried > 40:
            break
    assert tried > (3 if kind is Kind.HOLD else 8)


def test_the_solution_is_not_even_worked_out_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(puzzle_words, "solution", never)
    monkeypatch.setattr(pages, "line_of", never)
    for kind in Kind:
        day = day_of(kind)
        assert Client().get(address(day)).status_code == 200
        assert Client().get(address(day, "replay/")).status_code == 302


def test_no_asset_holds_puzzles_and_no_socket_is_opened() -> None:
    for finder in get_finders():
        for path, storage in finder.list([]):
            assert "puzzles.jsonl" not in path
            if path.endswith((".js", ".css", ".json", ".svg", ".html")):
                with storage.open(path) as file:
                    assert b'"kind": "hold"' not in file.read()
    for kind in Kind:
        page = Client().get(address(day_of(kind))).text
        assert "ws-connect" not in page
        assert "data-from" not in page


# Afterwards.


@pytest.mark.parametrize("kind", list(Kind))
def test_the_solution_is_a_replay_of_every_moment(kind: Kind) -> None:
    browser, day = Client(), day_of(kind)
    found = daily_of(day)
    browser.post(address(day), {"answer": found.puzzle.answer})
    line = study.line_of(found.number)
    for moment in range(line.last + 1):
        page = browser.get(address(day, f"replay/?at={moment}&seat=0"))
        assert page.status_code == 200
        assert f'value="{moment}" list="marks"' in page.text
        assert 'open-hand"' not in page.text, "they stand below"
    assert browser.get(address(day, f"replay/?at={line.last + 1}")).status_code == 404
    assert browser.get(address(day, "replay/?at=x")).status_code == 404
    begin = browser.get(address(day, "replay/"))
    assert f'value="{len(found.puzzle.moves)}" list="marks"' in begin.text


def test_what_goes_wrong_with_another_play_can_be_seen() -> None:
    browser, day = Client(), day_of(Kind.LAST)
    puzzle = daily_of(day).puzzle
    browser.post(address(day), {"answer": puzzle.answer})
    for text in puzzle.choices:
        page = browser.get(address(day, f"replay/?first={text}"))
        assert page.status_code == 200
        assert "instead." in page.text
    assert browser.get(address(day, "replay/?first=1111:1-ball")).status_code == 404


def test_the_last_tricks_are_played_by_oneself() -> None:
    browser, day = Client(), day_of(Kind.LAST)
    found = daily_of(day)
    puzzle = found.puzzle
    assert browser.get(address(day, "play/")).headers["Location"] == address(day)
    browser.post(address(day), {"answer": puzzle.answer})
    way_on = f'play/?own={quote(puzzle.answer)}"'
    is_shown = puzzle_words.has_more_to_choose(found.number)
    assert (way_on in browser.get(address(day)).text) is is_shown

    made: list[list[str]] = []
    missed: list[list[str]] = []
    plays = [[text] for text in puzzle.choices]
    while plays:
        own = plays.pop()
        page = browser.get(address(day, "play/"), {"own": own})
        assert page.status_code == 200
        offered = re.findall(r'type="radio" name="own" value="([^"]+)"', page.text)
        if not offered:
            (missed if "made it" not in page.text.lower() else made).append(own)
        plays += [[*own, text] for text in offered]
    assert made
    assert {own[0] for own in made} == {puzzle.answer}
    assert {own[0] for own in missed} >= {*puzzle.choices} - {puzzle.answer}


def test_what_cannot_be_played_on_is_not_there() -> None:
    browser, day, other = Client(), day_of(Kind.LAST), day_of(Kind.LEAD)
    answer = daily_of(day).puzzle.answer
    for each in (day, other):
        browser.post(address(each), {"show": "1"})
    assert browser.get(address(other, "play/")).status_code == 404
    for own in (["3"], ["x"], [answer, answer], [answer] * 40, ["1111:1-ball"]):
        assert browser.get(address(day, "play/"), {"own": own}).status_code == 404


def test_reasons_do_their_sums() -> None:
    for number, puzzle in enumerate(puzzles()):
        told = puzzle_words.solution(number) if puzzle.kind is not Kind.LAST else None
        if puzzle.kind is Kind.LEAD and told:
            first, second, left = map(
                int, re.findall(r"(\d+) − (\d+) = (\d+)", str(told.reasons))[0]
            )
            assert first - second == left == len(told.cards)
            assert told.reasons[0].startswith("No unseen card") is (left == 0)
            assert told.reasons[0].endswith(f" beat it: {left}.") is bool(left)
            worth = [int(cell[1]) for row in told.rows for cell in row.cells if not cell[2]]
            assert min(worth) > left, "the others are beaten by more"
        if told and told.rows:
            marked = [cell for row in told.rows for cell in row.cells if cell[2]]
            assert len(marked) == 1, "the answer, and no other"
        if puzzle.kind is Kind.HOLD and told:
            names = study.names_at(puzzle)
            out = [n for n in range(1, len(puzzle.hands)) if str(n) != puzzle.answer]
            assert all(names[n] in told.reasons[0] for n in out)  # all that is shown at once


@pytest.mark.parametrize("kind", Kind)
def test_each_reads_the_reasons_in_their_own_language(kind: Kind) -> None:
    """Whoever else has asked for them before, in another one."""
    number = daily_of(day_of(kind)).number
    with override("en"):
        english = puzzle_words.solution(number).reasons
    with override("fr"):
        assert not {*puzzle_words.solution(number).reasons} & {*english}


def test_what_is_played_shows_each_who_cannot_hold_it() -> None:
    for n, puzzle in enumerate(puzzles()):
        if puzzle.kind is Kind.HOLD:
            played = puzzle_words.tricks_to_see(n)
            names, named = study.names_at(puzzle), set()
            for trick, words in played:
                assert trick in puzzle.now.tricks
                assert trick.call is not None
                if "shows other counts" in words:  # the last: of whom it may still be
                    assert (trick, words) == played[-1]
                    assert names[int(puzzle.answer)] in words
                    continue
                assert words.endswith(f": no card with {call_words(trick.call)}.")
                told = {seat for seat, _card in trick.plays if names[seat] in words}
                assert told
                assert all(
                    not card.shows(trick.call) for seat, card in trick.plays if seat in told
                )
                named |= told
            assert named == {n for n in range(1, len(names)) if str(n) != puzzle.answer}
            assert ("shows other" in played[-1][1]) is (puzzle.answer != NOBODY)


# The archive.


def test_the_archive_lists_days_up_to_today_by_month_and_kind() -> None:
    browser = Client()
    page = browser.get("/puzzles/all/").text
    days = re.findall(r'href="/puzzles/([\d-]+)/"', page)
    assert days == [f"{TODAY - timedelta(days=n)}" for n in reversed(range(TODAY.day))]
    months = re.findall(r'href="\?month=([\d-]+)"', page)
    assert months == [f"{FIRST:%Y-%m}", f"{TODAY:%Y-%m}"]  # earlier, and all kinds of this one
    every = 0
    for kind in Kind:
        some = browser.get(f"/puzzles/all/?month={FIRST:%Y-%m}&kind={kind.value}").text
        shown = re.findall(r'href="/puzzles/([\d-]+)/"', some)
        assert {daily_of(date.fromisoformat(day)).puzzle.kind for day in shown} == {kind}
        every += len(shown)
    assert every == 31


def test_above_this_month_lies_todays_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Client().get("/puzzles/all/").text
    shown = page.partition("day-slate")[2].partition("</a>")[0]
    assert puzzle_words.question(daily_of(TODAY).puzzle)[-1] in unescape(shown)
    assert "day-slate" not in Client().get(f"/puzzles/all/?month={FIRST:%Y-%m}").text
    monkeypatch.setattr(study, "kept_back", [lambda: {daily_of(TODAY).number}])
    assert "day-slate" not in Client().get("/puzzles/all/").text


@pytest.mark.parametrize("query", ["month=2026-13", "month=1999-01", "month=x", "kind=x"])
def test_other_months_and_kinds_are_not_found(query: str) -> None:
    assert Client().get(f"/puzzles/all/?{query}").status_code == 404


def test_what_is_solved_is_marked_in_this_browser() -> None:
    browser, day = Client(), day_of(Kind.BID)
    browser.post(address(day), {"answer": daily_of(day).puzzle.answer})
    assert browser.get(f"/puzzles/all/?month={day:%Y-%m}").text.count(", solved") == 1
    assert ", solved" not in Client().get(f"/puzzles/all/?month={day:%Y-%m}").text


def test_a_solved_puzzle_shows_its_week_and_the_days_in_a_row() -> None:
    browser, days = Client(), [TODAY - timedelta(days=n) for n in range(4)]
    pages_of = [browser.get(address(day)).text for day in days]
    assert not any('class="pip' in page for page in pages_of), "only once it is solved"
    for day, answer in zip(days, ("right", "right", "shown", "right"), strict=True):
        data = {"answer": daily_of(day).puzzle.answer} if answer == "right" else {"show": "1"}
        browser.post(address(day), data)
    page = browser.get(address(TODAY)).text
    week = re.findall(r'class="pip([ a-z]*)"', page)
    assert week == ["", "", "", " full", " half", " full", " full"]
    latest_open = address(TODAY - timedelta(days=4))
    its_title = puzzle_words.KINDS[daily_of(TODAY - timedelta(days=4)).puzzle.kind]
    its = rf"Next puzzle\s*<small>{re.escape(f'{its_title}')} · "
    assert re.search(rf'<a class="button primary" href="{latest_open}">\s*{its}', page)
    assert "2 days in a row" in page
    assert "2 days in a row" in browser.get(address(days[1])).text, "whichever came first"
    assert "in a row" not in browser.get(address(days[2])).text, "its solution was shown"
    alone = browser.get(address(days[3])).text
    assert "in a row" not in alone, "one day alone"
    assert "3 of 7 solved" in alone


def test_the_first_page_asks_what_today_does() -> None:
    page = unescape(Client().get("/").text)
    board = page.partition('class="today-board"')[2].partition("</a>")[0]
    assert puzzle_words.question(daily_of(TODAY).puzzle)[-1] in board
    assert len(re.findall(r'class="pip"', page)) == 7
    assert "of 7 solved" not in page, "nobody has missed anything"
    assert "solved" not in board


def test_the_first_page_says_that_today_s_is_solved() -> None:
    browser = Client()
    browser.post(address(TODAY), {"answer": daily_of(TODAY).puzzle.answer})
    board = browser.get("/").text.partition('class="today-board solved"')[2]
    assert re.search(r"Today’s puzzle:\s+solved</b>", unescape(board.partition("</a>")[0]))


def test_a_puzzle_of_an_earlier_week_has_no_week() -> None:
    browser, day = Client(), TODAY - timedelta(days=7)
    browser.post(address(day), {"answer": daily_of(day).puzzle.answer})
    assert 'class="week"' not in browser.get(address(day)).text
