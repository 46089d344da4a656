"""Learning by playing in a browser: three presses to a first trick, keys and ear alone to the
end, and a class that begins with it."""

from __future__ import annotations

import re
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.rules import move_text
from games.study.learning.chapter_files import WORDS_A_SCREEN, chapters
from games.study.learning.chapters import Chapter, Task, all_lines, own_moves
from tests.e2e.classroom import Cockpit, Screen, somebody_new
from tests.e2e.listener import LISTEN, Listener, value
from tests.e2e.player import Player
from tests.scenes.browser import LAPTOP, PHONE, Watched, as_teacher, follow, students_come
from tests.server import Server

# The rests between cards, which somebody who sees wants, are an eighth as long.
HURRIED = """{
  const wait = window.setTimeout;
  window.setTimeout = (what, after, ...more) => wait(what, after / 8, ...more);
}"""


def words_shown(page: Page) -> int:
    """How many words of text stand on a chapter's screen, but for names and cards."""
    texts = "#bar h1, #goal, #sentence, #learnt, .prompt .hint, .prompt .aside, .called .soft"
    return sum(len(text.split()) for text in page.locator(texts).all_inner_texts())


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_three_presses_to_ones_own_first_trick(watched: Watched, size: ViewportSize) -> None:
    page = watched.new_page(viewport=size)
    page.goto("/")
    follow(page.get_by_role("link", name="Learn it by playing"))
    card = page.locator("#card-1233")
    expect(card).to_be_visible()
    assert words_shown(page) <= WORDS_A_SCREEN
    expect(page.locator("#called .call")).to_be_hidden()  # another shape is asked for
    card.click()
    page.wait_for_timeout(400)
    card.click()
    expect(page.locator("#learnt")).to_be_visible()
    assert words_shown(page) <= WORDS_A_SCREEN
    expect(page.locator("#sentence")).to_have_text("Right!")
    expect(page.locator(".board .note:visible")).to_have_count(0)  # nobody has called
    page.reload()
    expect(page.locator("#learnt")).to_be_visible()
    expect(page.locator("#chapter-1")).to_have_class("done")
    tall, wide, height, width = page.evaluate(
        "() => [document.scrollingElement.scrollHeight, document.scrollingElement.scrollWidth,"
        " innerHeight, innerWidth]"
    )
    assert wide <= width
    assert tall <= height, "nothing scrolls while a card is played"


def test_keys_and_ear_alone_reach_the_end(watched: Watched) -> None:
    """Every choice is made from what is heard or stands in the accessibility tree."""
    context = watched.new_context()
    context.add_init_script(LISTEN)
    context.add_init_script(HURRIED)
    page = context.new_page()
    page.goto("/learn/play/")
    listener = Learner(page)
    for chapter in chapters():
        for task in chapter.tasks[: chapter.last]:
            expect(page.get_by_role("heading", level=1)).to_have_text(chapter.title)
            listener.goes_through(task)
            if not task.is_round:
                way_on = page.get_by_role("link", name=re.compile("^Next"))
                expect(way_on).to_be_focused()
                listener.press("Enter")
    expect(page.get_by_role("button", name="Next: Play to Bid")).to_be_focused()
    assert page.locator(".chapters .done").count() >= len(chapters()) - 1
    listener.press("Enter")
    player = Player(page)
    expect(player.seats).to_have_count(4)
    expect(page.locator("#bar")).to_contain_text("Round 1 of 3")
    expect(page.locator("#table")).to_have_attribute("data-learnt", "")


WANTS_LITTLE = re.compile("Take exactly|the smaller")


class Learner(Listener):
    """Somebody who hears what a chapter wants, and presses keys."""

    def goes_through(self, task: Task) -> None:
        heard = self.hear("^Your turn")
        for _turn in range(20):
            self.answers(task, heard)
            ends = f"{re.escape(task.done)}|{re.escape(task.missed or task.done)}"
            heard = self.hear(f"^Your turn|^(?:{ends})$")
            if not heard.startswith("Your turn"):
                ends_well = heard == task.done or task.is_round  # whose bid may be missed
                assert ends_well, f"{task.name}: {self.round.log[-6:]}"
                return
        pytest.fail(f"{task.name} has no end")

    def answers(self, task: Task, heard: str) -> None:
        if "Your bid?" in heard:
            self.press("1" if "An 11 takes about one trick" in heard else "2", "Enter")
            return
        wants = re.search(r"Play the card with (\d) (ball|cube|cone|star)s", self.said_first)
        if "You lead" in heard or "call a shape" in heard:
            self.leads(heard)
        elif wants:
            shape = ["ball", "cube", "cone", "star"].index(wants[2])
            self.follow(next(code for code in self.playable() if code[shape] == wants[1]))
        elif "Take none" in self.said_first:
            is_void = len(self.playable()) == len(self.holds())
            self.follow((max if is_void else min)(self.playable(), key=value))
        elif WANTS_LITTLE.search(self.said_first) or "play anything. That’s a slough" in heard:
            self.follow(min(self.playable(), key=value))
        else:
            self.follow(self._best_answer(heard))

    def leads(self, heard: str) -> None:
        if "Take exactly" in self.said_first and "You take it" in heard:  # no more of them
            code = min(self.holds(), key=value)
            self.lead(code, code.index(max(code)))
        else:
            self.lead(*self.best_lead())

    @property
    def said_first(self) -> str:
        """What the position wants, said with its first turn."""
        turns = [line for line in self.round.log if line.startswith("Your turn")]
        begun = [
            n
            for n, line in enumerate(turns)
            if any(task.say in line for chapter in chapters() for task in chapter.tasks)
        ]
        return turns[begun[-1]]


def test_a_card_is_read_by_a_long_press_and_by_a_key(page: Page) -> None:
    page.goto("/learn/play/exactly/")
    sheet = page.get_by_role("dialog", name="How do I read this?")
    box = page.locator("#card-3333").bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    expect(page.locator("[data-card='3333'].read")).to_be_visible()
    page.mouse.up()
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("12: 3 balls, 3 cubes, 3 cones, 3 stars")
    expect(sheet).to_contain_text("3 + 3 + 3 + 3 = 12")
    expect(sheet).to_contain_text("doesn’t show exactly 2 stars")
    expect(page.locator("#notice")).to_be_empty()  # a long press is no tap
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.keyboard.press("2")
    page.keyboard.press("r")
    expect(sheet).to_contain_text("It shows exactly 2 stars")
    expect(page.locator("#learnt")).to_have_count(0)  # nothing was played


# A class.


def way_through(chapter: Chapter, number: int, task: Task) -> str:
    """The address of the chapter's end, its goal reached."""
    if task.is_round:
        line = task.after(())
        while not task.is_over(now := line.rounds[-1]):
            line = task.after((*own_moves(task, line), move_text(now.legal_moves()[0])))
    else:
        line = next(line for line in all_lines(task) if task.goal.is_reached(task, line))
    place = f"{number}/" if number > 1 else ""
    moves = urlencode({"moves": ",".join(own_moves(task, line))})
    return f"/learn/play/{chapter.slug}/{place}?{moves}"


WAYS = [way_through(each, each.last, each.tasks[each.last - 1]) for each in chapters()]


def go_through(server: Server, cookies: str) -> None:
    for way in WAYS:
        with urlopen(Request(server.base + way, headers={"Cookie": cookies})) as answer:
            assert answer.status == 200


def test_a_class_goes_through_the_chapters_to_its_tables(
    watched: Watched, server: Server
) -> None:
    desk, stage, classroom = as_teacher(server, watched, "a class that learns")
    cockpit, wall = Cockpit(desk), Screen(stage)
    desk.goto(f"/teach/classrooms/{classroom}/session/?preset=")
    desk.get_by_text("More", exact=True).click()
    desk.get_by_text("Learning", exact=True).click()
    desk.get_by_label("Begin with the chapters").check()
    follow(desk.get_by_role("button", name="Open the session"))
    expect(desk.locator("#room")).to_contain_text("Lobby")
    stage.goto(desk.url + "projector/")
    code = stage.locator(".wall-join .code").inner_text().replace(" ", "")
    session = int(desk.url.rstrip("/").rpartition("/")[2])

    kids = [somebody_new(watched.new_page(viewport=size), code) for size in (PHONE, LAPTOP)]
    for kid in kids:  # led there by themselves
        expect(kid.page).to_have_url(re.compile("/learn/play/read-a-card/$"))
        kid.page.wait_for_load_state()
    others = students_come(server, session, ["Quiet Otter", "Brave Bison", "Keen Heron"])
    for device in others:
        go_through(server, f"student={device}")
    through = len(others)
    expect(stage.locator("#wall-here")).to_contain_text(f"through the chapters: {through}")
    expect(desk.locator("#people .through")).to_have_count(through)

    kids[0].page.locator("#card-1233").click()
    kids[0].page.locator("#confirm").click()
    kids[0].page.get_by_role("link", name="Next: Follow exactly").click()
    expect(desk.locator("#people")).to_contain_text("1 chapter")
    kids[-1].page.goto(WAYS[-1])  # early: another round of bots, and no table of one's own
    expect(kids[-1].page.get_by_role("link", name="Another round")).to_be_visible()
    expect(kids[-1].page.get_by_role("button", name="Next: Play to Bid")).to_have_count(0)

    cockpit.press("start")
    for kid in kids:
        kid.is_seated()
    kids.append(somebody_new(watched.new_page(viewport=PHONE), code))  # straight to a table
    kids[-1].is_seated()
    expect(desk.locator("#room")).to_contain_text(f"{len(kids) + through} here")
    expect(desk.locator("#room")).not_to_contain_text("without a seat")
    for screen in (cockpit, wall):
        screen.shows_no_card()
