"""Learning by playing: chapters are files, positions that the rules answer, and a cookie."""

from __future__ import annotations

import os
import re
from html import unescape
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest
from django.test import Client

from games.pages.learning import FIRST_GAME
from games.rules import HAND_SIZE, move_text, observe
from games.study.learning.chapter_files import (
    BY_CHANCE,
    CONTENT,
    MINUTES,
    WORDS_A_SCREEN,
    chapters,
    problems,
    seconds_of,
    words,
)
from games.study.learning.chapter_pictures import (
    Ways,
    ending_words,
    picture,
    verdict_words,
)
from games.study.learning.chapters import (
    ME,
    Chapter,
    Task,
    all_lines,
    own_moves,
    parse_goal,
    reached_by_chance,
)
from games.tables import moments, offers

pytestmark = pytest.mark.django_db
SOAK = os.environ.get("XACTIKA_SOAK") == "1"
TASKS = [task for chapter in chapters() for task in chapter.tasks]
SHORT = [task for task in TASKS if not task.is_round]
SHORT_TASKS = pytest.mark.parametrize("task", SHORT, ids=lambda task: task.name)


def test_the_files_have_no_fault() -> None:
    assert problems() == []
    assert [chapter.number for chapter in chapters()] == list(range(1, 9))


def test_all_chapters_together_take_less_than_five_minutes() -> None:
    assert 60 < sum(map(seconds_of, chapters())) < 60 * MINUTES


@SHORT_TASKS
def test_every_line_of_legal_moves_has_an_end_and_few_words(task: Task) -> None:
    lines = list(all_lines(task))
    assert any(task.goal.is_reached(task, line) for line in lines)
    for line in lines:
        assert line.is_whole
        assert task.is_over(line.rounds[-1])
        text = verdict_words(task, line)
        assert text
        assert words(ending_words(task, line)) + words(text) <= WORDS_A_SCREEN
        # The same moves lead to the same place again.
        assert task.after(own_moves(task, line)) == line


@SHORT_TASKS
def test_the_card_that_alone_reaches_a_missed_goal_is_raised(task: Task) -> None:
    """Where it is still held; a bid is no card."""
    lines = list(all_lines(task))
    reaching = {
        own_moves(task, line)[0].partition(":")[0]
        for line in lines
        if task.goal.is_reached(task, line)
    }
    for line in lines:
        hand = picture(task, line, len(line.moves), Ways("")).fragments["hand"]
        held = {card.code for card in line.rounds[-1].hands[ME]}
        is_told = not task.goal.is_reached(task, line) and len(reaching) == 1 and task.tricks
        raised = set(re.findall(r'class="held meant">.*?data-card="(\d+)"', hand, re.DOTALL))
        assert raised == (reaching & held if is_told else set())


def test_that_one_leads_is_heard_once() -> None:
    count = []
    for task in TASKS:
        line = task.after(())
        shown = picture(task, line, len(line.moves), Ways("")).fragments
        heard = re.search(r'data-heard="([^"]*)"', shown["sentence"])
        count.append(heard[1].count("You lead") if heard else 0)
    assert max(count) == 1


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_what_led_there_was_a_round(task: Task) -> None:
    """A hand is always eight cards: a short position is the end of a legal round."""
    assert all(len(hand) == HAND_SIZE for hand in task.given.start.hands)
    assert task.given.is_whole
    trick = task.given.rounds[task.early].trick
    assert trick is None or not trick.plays


def change(tmp_path: Path, name: str, old: str, new: str) -> list[str]:
    """What is wrong once a text of this file is another."""
    content = tmp_path / "content"
    copytree(CONTENT, content)
    text = (content / name).read_text(encoding="utf-8")
    assert old in text
    (content / name).write_text(text.replace(old, new), encoding="utf-8")
    return [problem.message for problem in problems(content)]


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("01-read-a-card.txt", "you: 1233", "you: 4233", "4233"),
        ("01-read-a-card.txt", "you: 1233", "you: 1211", "dealt twice"),
        ("01-read-a-card.txt", "you: 1233 1321 1132", "you: 1233", "as many cards"),
        ("01-read-a-card.txt", "Ada 1211:1-ball", "Ada 1211:2-ball", "do not allow"),
        ("01-read-a-card.txt", "play 3-star", "play 4-star", "a goal is"),
        ("01-read-a-card.txt", "goal: play 3-star", "goal: take 0 or so", "a goal is"),
        ("01-read-a-card.txt", "missed: Count", "// ", "“missed:” is missing"),
        ("01-read-a-card.txt", "done: 1 ball", f"done: {'one ' * 30}", "more than 30 words"),
        ("01-read-a-card.txt", "Each card", f"{'Each ' * 20}card", "more than 30 words"),
        ("04-slough.txt", "goal: take 1", "goal: take 2", "cannot be reached"),
        ("07-bid.txt", "taken: 2 2 1", "taken: 2 3 1", "tricks were taken"),
        ("07-bid.txt", "bids: 3 4 2", "bids: 3 4 1", "do not allow"),
        ("08-first-round.txt", "goal: any", "goal: take 2\naim: Take.", "of a whole round"),
        ("02-exactly.txt", "aim: Play", "// ", "“aim:” is missing"),
        ("02-exactly.txt", "goal: play 1112", "goal: play 2-star", "reach the goal in 100%"),
    ],
)
def test_a_fault_of_a_file_is_named(
    tmp_path: Path, name: str, old: str, new: str, fault: str
) -> None:
    found = change(tmp_path, name, old, new)
    assert any(fault in message for message in found), found


def test_goals_are_read() -> None:
    assert (parse_goal("take 2 or more").low, parse_goal("take 2 or more").high) == (2, 8)
    with pytest.raises(ValueError, match="a goal is"):
        parse_goal("win")


# Chance reaches no goal.

LEARNT = [(chapter, task) for chapter in chapters() for task in chapter.tasks if task.aim]


def by_chance(task: Task, rng: Random) -> bool:
    """Whether random legal moves have reached the goal."""
    line, own = task.after(()), list[str]()
    while not task.is_over(now := line.rounds[-1]):
        own.append(move_text(rng.choice(now.legal_moves())))
        line = task.after(own)
    return task.goal.is_reached(task, line)


def test_every_position_of_a_chapter_has_a_goal() -> None:
    assert {task for each in chapters() for task in each.tasks[: each.last]} == {
        task for _chapter, task in LEARNT
    }


@pytest.mark.parametrize(
    ("chapter", "task"), LEARNT, ids=lambda each: getattr(each, "name", "")
)
def test_random_legal_cards_seldom_reach_a_goal(chapter: Chapter, task: Task) -> None:
    """The long version has more players; of short positions every line is counted as well."""
    players = 5_000 if SOAK else 100 if task.is_round else 400
    rng = Random(f"{task.name} 1")
    share = sum(by_chance(task, rng) for _player in range(players)) / players
    if task.is_round:
        assert share < BY_CHANCE[1]
        return
    chance = reached_by_chance(task)
    assert 0 < chance <= BY_CHANCE[chapter.number > 2]
    assert abs(share - chance) < 4 * sqrt(chance * (1 - chance) / players)


def test_the_document_tells_how_often_chance_reaches_them() -> None:
    text = (Path(__file__).parents[3] / "docs" / "learning.md").read_text(encoding="utf-8")
    for _chapter, task in LEARNT:
        if not task.is_round:
            chance = float(reached_by_chance(task))
            assert f"| `{task.name}` | {chance:.2f} |" in text


@pytest.mark.parametrize(
    ("chapter", "rule"),
    [
        ("read-a-card", "Each card has 1 to 3"),
        ("lead-and-call", "The player left of the dealer leads first"),
        ("bid", "a bid of 0 scores 0"),
        ("first-round", "A full game is eight such rounds."),
    ],
)
def test_a_rule_is_told_where_it_is_met(chapter: str, rule: str) -> None:
    tasks = next(each for each in chapters() if each.slug == chapter).tasks
    assert any(rule in text for task in tasks for text in (task.say, task.done, task.missed))


def test_a_bid_of_8_on_a_weak_hand_is_not_praised() -> None:
    end = Client().get("/learn/play/bid/", {"move": "8"}).json()["frames"][-1]
    assert "Your 11 takes about one trick" in end
    assert 'class="prompt learnt done"' not in end


# The pages.


def test_a_goal_stays_in_sight() -> None:
    """At the first turn, later, missed, and where the page is loaded again."""
    for moves in ("", "2111", "2333", "2333,2111"):
        page = Client().get(SLOUGH, {"moves": moves}).content.decode()
        assert re.search(r'id="goal"[^>]*>Take the second trick\.', page)
    assert (
        "No card with 2 cones: play anything. "
        "Goal: Take the second trick." in Client().get(SLOUGH).content.decode()
    )


def test_a_card_sought_by_its_shapes_is_asked_for_alone() -> None:
    """The call, of which nothing was said yet, isn't heard beside it."""
    page = Client().get("/learn/play/read-a-card/").content.decode()
    assert "is their total. Goal: Play the card with 3 stars." in page
    assert "Play exactly" not in page


def test_the_chapters_lead_into_play_to_bid() -> None:
    own = "2,3212,2331,1333:1-ball,2111:2-ball,3132,3312,1312,2112"
    page = Client().get("/learn/play/first-round/", {"moves": own}).content.decode()
    assert "You made your bid" in page
    assert "Next: Play to Bid" in page
    assert 'class="portraits"' in page
    missed = Client().get("/learn/play/first-round/", {"moves": f"1{own[1:]}"})
    assert 'class="portraits"' not in missed.content.decode()
    assert '<input type="hidden" name="variant" value="bid">' in page


SLOUGH = "/learn/play/slough/"


def test_the_way_in_leads_to_the_first_chapter_not_gone_through() -> None:
    browser = Client()
    assert browser.get("/learn/play/").headers["Location"] == "/learn/play/read-a-card/"
    browser.cookies["chapters"] = "read-a-card.exactly"
    assert browser.get("/learn/play/").headers["Location"] == "/learn/play/the-highest/"
    browser.cookies["chapters"] = "%3Cscript%3E.0.bid-"
    assert browser.get("/learn/play/").headers["Location"] == "/learn/play/read-a-card/"


def test_a_move_is_answered_by_what_it_does_and_marks_the_chapter() -> None:
    browser = Client()
    first = browser.get(SLOUGH, {"moves": "", "move": "2111"}).json()
    assert first["moves"] == "2111"
    assert "Ada leads the 10: 2 balls." in "".join(first["frames"])
    assert "chapters" not in browser.cookies
    end = browser.get(SLOUGH, {"moves": "2111", "move": "2333"}).json()
    assert "You take it." in end["frames"][-1]
    assert "You lost a card you didn’t need" in end["frames"][-1]
    assert browser.cookies["chapters"].value == "slough"
    page = browser.get(SLOUGH).content.decode()
    assert page.count('class="done"') == 1


def test_what_misses_the_goal_says_what_to_look_at_and_marks_nothing() -> None:
    """Throwing the best card away among them."""
    browser = Client()
    end = browser.get(SLOUGH, {"moves": "2333", "move": "2111"}).json()
    assert "Only your 11 takes the second trick" in end["frames"][-1]
    assert 'id="try-again" class="button primary"' in end["frames"][-1]
    assert "chapters" not in browser.cookies


def test_a_trick_too_many_is_told_otherwise_than_one_too_few() -> None:
    task = next(each for chapter in chapters() for each in chapter.tasks if each.over)
    missed = [line for line in all_lines(task) if not task.goal.is_reached(task, line)]
    told = {(task.is_lost(line.rounds[-1]), verdict_words(task, line)) for line in missed}
    assert told == {(True, task.over), (False, task.missed)}


def test_a_wrong_first_card_comes_back_where_it_alone_decides() -> None:
    browser = Client()
    answer = browser.get("/learn/play/read-a-card/", {"move": "1321"}).json()
    assert answer["moves"] == ""
    assert answer["wrong"] == "1321"
    assert "Not that one. Count the stars" in answer["frames"][0]
    right = browser.get("/learn/play/read-a-card/", {"move": "1233"}).json()
    assert "wrong" not in right
    assert browser.cookies["chapters"].value == "read-a-card"


def test_an_illegal_move_is_refused_in_the_tables_words() -> None:
    answer = Client().get("/learn/play/exactly/", {"move": "3333"}).json()
    (frame,) = answer["frames"]
    assert "Play a card with exactly 2 stars." in frame
    assert answer["moves"] == ""


@pytest.mark.parametrize("moves", ["9999", "2111,2111", "2111,2333,2232", "x" * 3000, ",", "8"])
def test_an_address_that_says_nonsense_begins_anew(moves: str) -> None:
    page = Client().get(SLOUGH, {"moves": moves})
    assert page.status_code == 200
    assert 'data-moves=""' in page.content.decode()


def test_no_such_chapter_or_position() -> None:
    for address in ("/learn/play/none/", "/learn/play/slough/2/", "/learn/play/slough/0/"):
        assert Client().get(address).status_code == 404


def test_a_page_without_scripts_is_led_by_links() -> None:
    browser, address = Client(), "/learn/play/slough/"
    for _turn in range(2):
        page = browser.get(address).content.decode()
        link = page.split('<ul class="plain">')[1].split('href="?')[1].split('"')[0]
        address = f"/learn/play/slough/?{link}"
    page = browser.get(address).content.decode()
    assert 'id="learnt"' in page
    assert 'class="plain"></ul>' in page.replace("\n", "").replace(" </ul>", "</ul>")


def test_no_hand_of_the_others_is_in_a_page_or_an_answer() -> None:
    """Before it is played, no card of the others' is sent."""
    task = next(task for task in SHORT if task.name == "slough")
    for own in ([], ["2111"], ["2111", "2333"]):
        line = task.after(own)
        seen = observe(line.rounds[-1], ME)
        hidden = {card.code for hand in line.rounds[-1].hands[1:] for card in hand}
        page = Client().get(SLOUGH, {"moves": ",".join(own)}).content.decode()
        assert not [code for code in hidden if f'"{code}"' in page]
        assert all(f'data-card="{card.code}"' in page for card in seen.hand)
        if own:
            answer = Client().get(SLOUGH, {"moves": ",".join(own[:-1]), "move": own[-1]})
            assert not [code for code in hidden if code in answer.content.decode()]


# The rules: a small position beside each.


def test_the_rules_have_positions_that_answer_in_place() -> None:
    browser = Client()
    page = browser.get("/learn/").content.decode()
    assert page.count('class="small-position"') == 7
    assert "autofocus" not in page
    for address in re.findall(r'hx-get="([^"]+)"', page):
        answer = browser.get(unescape(address), headers={"HX-Request": "true"})
        part = answer.content.decode()
        assert "<html" not in part
        assert part.count("autofocus") == 1
        assert Client().get(unescape(address).replace("small&", "")).status_code == 200
    assert "chapters" not in browser.cookies


def test_every_table_can_read_a_card() -> None:
    browser = Client()
    opened = browser.post("/play/", {**FIRST_GAME})
    table = browser.get(opened.headers["Location"]).content.decode()
    chapter = browser.get(SLOUGH).content.decode()
    for page in (table, chapter):
        assert 'id="sheet-card"' in page
        assert "games/reading" in page


def test_hints_of_a_table_build_on_the_chapters() -> None:
    browser = Client()
    opened = browser.post("/play/", {**FIRST_GAME, "variant": "bid", "seats": "2"})
    assert "data-learnt" not in table_tag(browser.get(opened.headers["Location"]))
    browser.cookies["chapters"] = "slough"
    page = browser.get(opened.headers["Location"])
    assert "data-learnt" in table_tag(page)
    for kind, words_ in {**offers.NEXT_HINTS, **offers.NEXT_HINTS_TO_LOSE}.items():
        assert str(words_) not in map(str, {**moments.HINTS, **moments.HINTS_TO_LOSE}.values())
        kinds = {"bid", "lead", "call", "follow", "beaten", "above", "slough"}
        assert kind.removeprefix("last ") in kinds


@SHORT_TASKS
def test_what_cannot_take_the_trick_is_not_told_to_take_it(task: Task) -> None:
    asked = moments.Moment(moments.MomentKind.FOLLOW, hint="any")
    for line in all_lines(task):
        for before, after in pairwise(line.rounds):
            own = observe(before, ME)
            if before.to_move != ME or own.trick is None or own.trick.call is None:
                continue
            told_ = offers.next_hint(asked, own)
            takes = after.tricks[-1] if after.trick is None else after.trick
            if takes.winner == ME:
                assert told_ == str(offers.NEXT_HINTS["follow"])
            elif told_ != str(offers.NEXT_HINTS["follow"]):
                assert told_ == str(offers.NEXT_HINTS["beaten"])


def table_tag(response: Any) -> str:
    return str(re.search('<div id="table"[^>]*>', response.content.decode())[0])  # type: ignore[index]
