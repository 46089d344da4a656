"""One person's page, driven by what that person sees and touches.

Everything that the tests know about the look of the pages is in this file: a new design
changes it and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from playwright.sync_api import Locator, Page, Response, WebSocket, expect

SHAPES = ("ball", "cube", "cone", "star")
CARD_WORDS = re.compile(r"\d+: (\d) balls?, (\d) cubes?, (\d) cones?, (\d) stars?")
CARD_CODE = re.compile(r"(?<![A-Za-z0-9_])[123]{4}(?![A-Za-z0-9_])")

OPEN_ALL = "part => part.querySelectorAll('details').forEach((one) => { one.open = true; })"
LOST = "Connection lost"
SHUT_OUT = "isn’t open to you any more"
MOVED_ON = "Too late, the game went on"
CONNECTION_ERRORS = (
    "WebSocket connection to",
    "[object Event]",
    "net::ERR_",
    "htmx:afterRequest",
    "htmx:sendError",
)
"""What Chromium and htmx print on the console when a connection is lost."""


def cards_in(html: str) -> list[str]:
    """The codes of the cards that some HTML tells of in words, in their order."""
    return ["".join(counts) for counts in CARD_WORDS.findall(html)]


def any_card_in(html: str) -> set[str]:
    """The codes of all cards that some HTML gives away, in words or as codes."""
    return {*cards_in(html), *CARD_CODE.findall(html)}


def call_words(count: int, shape: str) -> str:
    return f"{count} {shape}" if count == 1 else f"{count} {shape}s"


def card_words(code: str) -> str:
    """How a card is read out, e.g. "9: 1 ball, 3 cubes, 3 cones, 2 stars"."""
    counts = [int(digit) for digit in code]
    return f"{sum(counts)}: " + ", ".join(map(call_words, counts, SHAPES))


def _maybe_with_chance(words: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(words)}( [<>]?[\d–<>]+\s?%)?$")


def same_text(one: Locator, other: Locator) -> None:
    """Wait until the other tells what the one tells now."""
    expect(other).to_have_text(one.text_content() or "")


def same_moment(one: Player, other: Player) -> None:
    """Wait until the other's page shows the table at the moment at which the one's does."""
    turn = one.turn_shown.get_attribute("data-turn") or ""
    expect(other.turn_shown).to_have_attribute("data-turn", turn)


@dataclass(frozen=True)
class Sheet:
    """The score sheet: points by round and seat, totals by seat."""

    names: list[str]
    rounds: list[list[int]]
    totals: list[int]


class Player:
    """Somebody at a table (or watching one), by their browser's page."""

    socket: WebSocket
    """The latest that the page opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.received: list[str] = []
        self.sent: list[str] = []
        page.on("websocket", self._listen)
        page.on("response", self._note_answered)
        self.bar = page.locator("#bar")
        self.turn_shown = page.locator("#turn")
        self.prompt = page.get_by_role("region", name="What to do now")
        self.hand = page.locator("#hand")
        self.trick = page.locator(".board")
        self.result = page.locator("#result")
        self.tricks = page.locator("#sheet-tricks")
        self.seats = page.locator("#seats > li")
        self.scores = page.locator("#scores")
        self.notice = page.locator("#notice")
        self.connection = page.locator("#connection")
        self.live = page.get_by_role("log")
        self.opener = page.get_by_role("region", name="Your table")
        # What can be done:
        self.choices = page.locator("#choices")
        self.bids = self.choices.locator("input[name=bid]:enabled")
        self.leads = self.hand.locator("form[data-kind=lead] input[name=card]")
        self.calls = self.choices.locator(".choice:not([hidden]) input[name=call]")
        self.follows = self.hand.locator("form[data-kind=follow] input[name=card]")
        self.confirm = self.prompt.locator("#confirm")
        self.next = self.prompt.get_by_role("button", name="Next round")
        self.again = self.prompt.get_by_role("button", name="Play again")
        self.go_to_next = self.prompt.get_by_role("link", name="Next game")
        self.take_back = self.prompt.get_by_role("button", name="Take my seat back")
        self.start_now = self.opener.get_by_role("button", name="Start now")
        self.pause = self.opener.get_by_role("button", name="Pause the table")
        self.resume = self.opener.get_by_role("button", name="Go on")
        self.turn_or_next = self.bids.or_(self.leads).or_(self.follows).or_(self.next)
        self.all_hands = self.tricks.get_by_text("All hands of this round")
        self.hands_shown = self.tricks.locator("#revealed .card")
        self.ended = self.bar.get_by_text(re.compile("Round over|Game over"))

    def _listen(self, socket: WebSocket) -> None:
        self.socket = socket
        socket.on("framereceived", lambda frame: self.received.append(str(frame)))
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))

    def _note_answered(self, response: Response) -> None:
        """What a page without a socket sends, once that is answered."""
        request = response.request
        kind = request.headers.get("content-type")
        if request.method == "POST" and kind == "application/json":
            self.sent += json.loads(request.post_data or "{}").get("messages", [])

    # Coming in.

    def open(self, address: str) -> Player:
        """Follow a link to a table."""
        self.page.goto(address)
        expect(self.bar).to_be_visible()
        return self

    def open_solo(self, **choices: str) -> Player:
        """Choose a table of bots in the form, e.g. ``variant="win", seats="2"``."""
        return self._open_by_form("You and bots", choices)

    def open_for_friends(self, **choices: str) -> Player:
        return self._open_by_form("You and friends", choices)

    def _open_by_form(self, who: str, choices: dict[str, str]) -> Player:
        labels = {
            "people": "People, including you:",
            "rounds": "Rounds:",
            "level": "How the bots play:",
            "pace": "Pace of the bots:",
        }
        self.page.goto("/play/")
        form = self.page.get_by_role("main")
        form.get_by_label(who).check()
        form.get_by_text("Settings", exact=True).click()
        for name, value in {"pace": "instant", **choices}.items():
            if name == "variant":
                form.get_by_label(f"Play to {value.title()}").check()
            elif name == "seats":
                form.get_by_role("radio", name=value, exact=True).check()
            else:
                form.get_by_label(labels[name], exact=True).select_option(value)
        with self.page.expect_navigation():  # until its script hears what is pressed
            form.get_by_role("button", name="Play now").click()
        expect(self.seats.first).to_be_visible()
        return self

    def links(self) -> list[str]:
        """The seat links that the opener may send, as they stand in the page's fields."""
        fields = self.opener.locator("input[id^=link-]").all()
        return [field.input_value() for field in fields][:-1]

    @property
    def watch_field(self) -> Locator:
        return self.opener.locator("#link-watch")

    def link_field(self, name: str) -> Locator:
        """The field with the link of this name's seat, unfolded."""
        self.opener.evaluate(OPEN_ALL)
        return self.opener.get_by_label(name, exact=True)

    def new_link(self, name: str) -> Locator:
        """The button that renews a seat's link (or, for "to watch", the watchers')."""
        self.opener.evaluate(OPEN_ALL)
        return self.opener.get_by_role("button", name=f"New link {name}")

    def steer(self, what: str) -> None:
        """Do what an opener's button does, e.g. ``pause``, without leaving the page."""
        token = self.opener.locator("input[name=csrfmiddlewaretoken]").first.input_value()
        address = self.page.url.partition("?")[0] + "steer/"
        answer = self.page.context.request.post(
            address, form={"do": what, "csrfmiddlewaretoken": token}, max_redirects=0
        )
        assert answer.status == 302, answer.status_text

    def stand_in_for(self, name: str) -> Locator:
        """The button that asks a bot to play for somebody."""
        return self.prompt.get_by_role("button", name=f"Let a bot play for {name}")

    # Reading the table.

    @property
    def my_seat(self) -> Locator:
        return self.page.locator("#seats > .mine")

    @property
    def name(self) -> str:
        return _name_of(self.my_seat)

    def seat_of(self, name: str) -> Locator:
        return self.seats.filter(has_text=name)

    def holds(self) -> list[str]:
        """The cards of the hand, in their order."""
        return cards_in(self.hand.inner_html())

    def playable(self) -> list[str]:
        """The cards that may be played now."""
        choices = self.leads.or_(self.follows).all()
        return [choice.get_attribute("value") or "" for choice in choices]

    def on_the_table(self) -> list[str]:
        """The cards of this trick so far; a finished one stays until the next lead."""
        return [] if self.taker() is not None else cards_in(self.trick.inner_html())

    def taker(self) -> str | None:
        """The seat that took the trick which still lies there; None while one is played."""
        taken = self.trick.locator("[data-taker]")
        return taken.get_attribute("data-taker") if taken.count() else None

    def played(self) -> set[str]:
        """All cards of this round that lie or lay face up."""
        return {*cards_in(self.trick.inner_html()), *cards_in(self.tricks.inner_html())}

    def past_trick(self, number: int) -> Locator:
        """A past trick of this round, in its sheet."""
        return self.tricks.locator(f"#past-{number}")

    @property
    def open_tricks(self) -> Locator:
        """What opens the sheet of past tricks."""
        return self.page.get_by_role("button", name="Tricks", exact=True)

    def called(self) -> tuple[int, int]:
        """What must be followed: the shape's position in a card's code, and its count."""
        text = self.trick.locator(".called").inner_text()
        match = re.search(r"(\d) (ball|cube|cone|star)", text)
        assert match is not None, text
        return SHAPES.index(match[2]), int(match[1])

    def bids_made(self) -> list[int | None]:
        """By seat, beginning with the person's own."""
        facts = [re.search(r"bid\s+(\d),", t) for t in self.seats.all_inner_texts()]
        bids = [int(match[1]) if match else None for match in facts]
        return [bids[-1], *bids[:-1]]

    def turn(self) -> str:
        """Which turn the page's buttons are for."""
        return self.page.locator("input[name=turn]").first.input_value()

    def whose_turn(self) -> str | None:
        """Who is to move, when no bot is (any more); None when the round is over."""
        played_by_bot = self.page.locator(".mark[title$=bot], .mark[title^='a bot']")
        person = self.seats.filter(has_text="to move").filter(has_not=played_by_bot)
        expect(person.or_(self.ended).first).to_be_visible()
        return None if self.ended.is_visible() else _name_of(person)

    def sheet(self) -> Sheet:
        rows = self.scores.locator("tbody tr").all()
        points = [[_number(t) for t in r.locator("td").all_text_contents()] for r in rows]
        names = self.scores.locator("tbody th [data-me]").all_text_contents()
        names = [self.name if name == "You" else name for name in names]
        rounds = [list(row) for row in zip(*(p[1:] for p in points), strict=True)]
        return Sheet(names=names, rounds=rounds, totals=[p[0] for p in points])

    def winners(self) -> set[str]:
        """Who the page says has won."""
        title = self.page.locator("#result-title").inner_text()
        if title == "You win!":
            return {self.name}
        if title.endswith(" wins"):
            return {title.removesuffix(" wins")}
        assert title == "A shared win"
        names = self.page.locator("#result .winner [data-me]").all_inner_texts()
        return {self.name if name == "You" else name for name in names}

    # Doing something.

    def to_do(self) -> str:
        """Wait for something to do: ``bid``, ``lead``, ``follow``, ``next``; or ``over``."""
        over = self.bar.get_by_text("Game over")
        expect(self.turn_or_next.or_(over).first).to_be_visible()
        kinds = (
            ("follow", self.follows),
            ("lead", self.leads),
            ("bid", self.bids),
            ("next", self.next),
        )
        return next((kind for kind, buttons in kinds if buttons.count()), "over")

    def done(self, turn: str) -> None:
        """Wait until the page has left this turn behind."""
        expect(self.page.locator(f'input[name="turn"][value="{turn}"]')).to_have_count(0)

    def bid(self, number: int) -> None:
        turn = self.turn()
        self.choices.locator(f"#bid-{number}").check()
        self.confirm.click()
        self.done(turn)

    def choose(self, card: str) -> None:
        """Choose a card to lead; its calls come up."""
        self.card(card).check()

    def lead(self, card: str, call: int = 0) -> None:
        """Lead a card by calling one of its four shapes."""
        turn = self.turn()
        self.choose(card)
        self._call(card, call).click()
        self.done(turn)

    def choose_call(self, card: str, call: int = 0) -> None:
        """Choose one of the four calls of the chosen card by a key: a press would play it."""
        self._call(card, call).press("Space")

    def _call(self, card: str, call: int) -> Locator:
        words = call_words(int(card[call]), SHAPES[call])
        return self.choices.get_by_role("radio", name=_maybe_with_chance(words))

    def send(self, card: str) -> None:
        """Choose and confirm, without waiting for what comes of it."""
        self.choose(card)
        if self.calls.count():
            self.calls.first.press("Space")
        self.confirm.click(force=True)  # it reads as disabled while the table is paused

    def card(self, card: str) -> Locator:
        """What chooses this card of the hand."""
        return self.hand.get_by_role("radio", name=_maybe_with_chance(card_words(card)))

    def follow(self, card: str) -> None:
        turn = self.turn()
        if (
            self.hand.locator(".held").count() == 1
            and not self.page.locator(".sheet[open]").count()
        ):
            self.card(card).click()  # nothing is left to choose
        else:
            self.choose(card)
            self.confirm.click()
        self.done(turn)

    def ready(self) -> None:
        turn = self.turn()
        self.next.click()
        self.done(turn)

    def to_front(self) -> None:
        """Of a browser's several tabs, show this one; Chromium slows down the others."""
        if len(self.page.context.pages) > 1:
            self.page.bring_to_front()

    def act(self) -> str:
        """Wait for something to do and do something allowed; says what it was."""
        self.to_front()
        match kind := self.to_do():
            case "bid":
                self.bid(int(self.bids.first.input_value()))
            case "lead":
                self.lead(self.playable()[0])
            case "follow":
                self.follow(self.playable()[0])
            case "next":
                self.ready()
        return kind

    def play_on(self, until: str = "over", before: Callable[[str], None] | None = None) -> None:
        """Play until this is to be done (see ``to_do``); ``before`` is called ahead of each
        thing done."""
        while (kind := self.to_do()) != until:
            assert kind != "over", f"the game ended before there was anything to {until}"
            if before is not None:
                before(kind)
            self.act()


class Party:
    """Several people at one table, who see and move each on their own page."""

    def __init__(self, *players: Player) -> None:
        self.players = {player.name: player for player in players}
        self._freshest = players[0]

    def mover(self) -> Player | None:
        """Whose turn it is, with the turn on their page; None when the round is over."""
        name = self._freshest.whose_turn()
        if name is None:
            return None
        expect(self.players[name].turn_or_next.first).to_be_visible()
        return self.players[name]

    def act(self) -> Player | None:
        """Let whoever is to move do so. Their page is then the newest picture."""
        player = self.mover()
        if player is not None:
            player.act()
            self._freshest = player
        return player

    def play_until(self, kind: str) -> Player:
        """Play until a person is to do this; that person."""
        while (player := self.mover()) is not None:
            if player.to_do() == kind:
                return player
            self.act()
        raise AssertionError(f"nobody came to {kind} in this round")

    def play_round(self, at_turn: Callable[[Player], bool] | None = None) -> None:
        """Play to the end of the round. ``at_turn`` is called ahead of each person's move,
        and says whether it has made the move itself."""
        while (player := self.mover()) is not None:
            if at_turn is None or not at_turn(player):
                player.act()
            self._freshest = player

    def next_round(self) -> None:
        for player in self.players.values():
            expect(player.next).to_be_visible()
        for player in self.players.values():
            player.ready()
            self._freshest = player
        expect(self._freshest.ended).to_have_count(0)


WHAT_IS_HELD = """() => {
  const held = document.activeElement;
  return {
    focus: held.id || held.tagName,
    selection: held.matches("input[type=text]") ? [held.selectionStart, held.selectionEnd] : [],
    chosen: Array.from(document.querySelectorAll(":is(#hand, #choices) :checked"), (a) => a.id),
    opened: Array.from(document.querySelectorAll(".sheet[open]"), (sheet) => sheet.id),
    scrolled: document.querySelector("#sheet-tricks").scrollTop,
  };
}"""


def held(page: Page) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate(WHAT_IS_HELD)
    return answer


def push(opener: Player, *players: Player, times: int) -> None:
    """Send everybody so many updates, each seen before the next is sent."""
    for number in range(times):
        paused = number % 2 == 0
        opener.steer("pause" if paused else "resume")
        for player in players:
            expect(player.bar.get_by_text("Paused")).to_have_count(int(paused))


class NewPlayers(Protocol):
    """What makes people with browsers of their own (``tests/scenes/browser.py``)."""

    def new_player(self, **options: Any) -> Player: ...


def open_for_two(
    watched: NewPlayers, base: str | None = None, **choices: str
) -> tuple[Player, Player]:
    """The opener of a new table for two, and a friend, who have both come."""
    options = {"base_url": base} if base else {}
    opener = watched.new_player(**options)
    opener.open_for_friends(seats="2", people="2", **choices)
    friend = watched.new_player(**options).open(opener.links()[0])
    for player in (opener, friend):
        expect(player.bar).to_contain_text("Round 1")
    return opener, friend


class Hands(Protocol):
    """Somebody's two hands on the keys (``tests/scenes/browser.py``)."""

    def press(self, *keys: str) -> None: ...

    def go_to(self, target: Locator, key: str = "Tab") -> int: ...


def play_by_keys(keys: Hands, player: Player) -> str:
    """Do what is to be done, by keys alone; says what it was."""
    kind = player.to_do()
    if kind == "over":
        return kind
    turn = player.turn()
    match kind:
        case "bid":
            keys.go_to(player.bids.first)
            keys.press("Space", "ArrowRight", "ArrowRight", "ArrowLeft", "Enter")
        case "lead":
            choose_by_keys(keys, player)
            keys.press("Enter")  # on to the calls
            keys.press("Space", "ArrowRight")
            keys.go_to(player.confirm)
            keys.press("Enter")
        case "follow":
            keys.go_to(player.follows.first)
            keys.press("Space", "Enter")
        case "next":
            keys.go_to(player.next)
            keys.press("Enter")
    player.done(turn)
    return kind


def choose_by_keys(keys: Hands, player: Player) -> str:
    """Choose the second card to lead (or the only one); its code."""
    cards = player.playable()
    keys.go_to(player.leads.first)
    keys.press("Space")
    if len(cards) > 1:
        keys.press("ArrowRight")
    chosen = player.leads.nth(min(1, len(cards) - 1))
    expect(chosen).to_be_checked()
    expect(player.calls.first).to_be_visible()
    return cards[min(1, len(cards) - 1)]


PRESS_ON = """() => {
  document.getElementById("do-next")?.click();
  const form = document.getElementById("play");
  const turn = form?.elements.turn.value;
  const isPaused = document.querySelector("#bar .paused");
  if (form && form.dataset.sent !== turn) {
    if (!isPaused) form.dataset.sent = turn;
    const press = (what) => document.querySelector(what)?.click();
    press("#choices input[name=bid]:enabled, #hand input[name=card]:enabled");
    press("#choices .choice:not([hidden]) input[name=call]");
    document.getElementById("confirm").click();
  }
  return document.getElementById("bar")?.dataset.status ?? "";
}"""
"""Presses what there is to press; the status of the table."""


def everybody_plays(players: Sequence[Player], until: str) -> None:
    """Press on at all devices until every table has this status."""
    for player in players:  # a form that no script has taken over yet would be sent as a page
        player.page.wait_for_load_state("load")
    for _ in range(1500):
        if {player.page.evaluate(PRESS_ON) for player in players} == {until}:
            return
        players[0].page.wait_for_timeout(20)
    raise AssertionError(f"not everybody came to {until}")


def _name_of(seat: Locator) -> str:
    return (seat.locator(".who").text_content() or "").strip()


def _number(text: str) -> int:
    return int(text.replace("−", "-"))
