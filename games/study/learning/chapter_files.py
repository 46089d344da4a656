"""The chapters' files (games/content, docs/learning.md): read, and checked by `make check`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from games.rules import HAND_SIZE, Card, IllegalMove, Round, Variant, parse_card
from games.study.learning.chapters import (
    ME,
    Chapter,
    GoalKind,
    Hands,
    Task,
    all_lines,
    dealt_before,
    parse_goal,
    reached_by_chance,
)
from games.study.replay.lines import Line
from games.words import taker_words
from xactika_site.texts import ListItem, Problem, Text, TextSection, read_sections

CONTENT = Path(__file__).resolve().parents[2] / "content"

KEYS = {"title", "game", "you", "first", "tricks", "bids", "taken", "goal", "hints"} | {
    "aim",
    "done",
    "missed",
    "over",
}

WORDS_A_SCREEN = 30
WORDS_A_MINUTE = 120
SECONDS_A_PLAY = 3
BY_CHANCE = (0.5, 0.3)
"""How often random legal moves may reach a goal: in the first two chapters, and later."""
MINUTES = 5
"""What all chapters but the rounds take at most, read at that pace."""


@cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters in their order; the first Problem found."""
    return load_all(CONTENT)


def load_all(content: Path) -> tuple[Chapter, ...]:
    """All chapters of a folder in their order; the first Problem found."""
    return tuple(_chapter(path) for path in sorted(content.glob("*.txt")))


def chapter_by(slug: str) -> Chapter | None:
    """The chapter of this name."""
    return next((each for each in chapters() if each.slug == slug), None)


# Reading.


def _chapter(path: Path) -> Chapter:
    named = re.fullmatch(r"(\d\d)-([a-z][a-z-]*)", path.stem)
    if not named:
        raise Problem(path, 1, "a chapter's file is called like 03-the-highest.txt")
    head, *sections = read_sections(path, KEYS)
    title = _value(path, head, "title")
    if not sections:
        raise Problem(path, 1, "there is no “# position …”")
    tasks = tuple(_task(path, section) for section in sections)
    if [task.is_more for task in tasks] != sorted(task.is_more for task in tasks):
        raise Problem(path, 1, "“# more” comes after every “# position”")
    return Chapter(int(named[1]), named[2], title, tasks)


def _value(path: Path, section: TextSection, key: str, default: str | None = None) -> str:
    value = section.keys.get(key)
    if value is None and default is None:
        raise Problem(path, section.heading.line, f"“{key}:” is missing here")
    return value.text if value else default or ""


def _task(path: Path, section: TextSection) -> Task:
    heading = section.heading
    named = re.fullmatch(r"(position|more) ([a-z][a-z-]*)", heading.text)
    if not named:
        raise Problem(path, heading.line, "write “# position its-name”, or “# more its-name”")
    for key, value in section.keys.items():
        if key not in KEYS or key == "title":
            raise Problem(path, value.line, f"“{key}:” is not known here")
    if len(section.paragraphs) != 1:
        raise Problem(path, heading.line, "a position says one paragraph at its beginning")
    names, hands = _hands(path, section)
    tricks = _value(path, section, "tricks", str(len(hands[ME])))
    try:
        goal = parse_goal(_value(path, section, "goal"))
        given, early = _line_before(path, section, names, hands)
        return Task(
            name=named[2],
            given=given,
            early=early,
            tricks=int(tricks),
            names=names,
            goal=goal,
            say=section.paragraphs[0].text,
            done=_value(path, section, "done"),
            missed=_value(path, section, "missed", ""),
            over=_value(path, section, "over", ""),
            aim=_value(path, section, "aim", "" if goal.kind is GoalKind.ANY else None),
            has_hints=_value(path, section, "hints", "no") == "yes",
            is_more=named[1] == "more",
        )
    except Problem:
        raise
    except ValueError as problem:
        raise Problem(path, heading.line, str(problem)) from None


def _hands(path: Path, section: TextSection) -> tuple[tuple[str, ...], Hands]:
    """The bots' names, and all cards held at the position's beginning, the learner's first."""
    names: list[str] = []
    hands = [_cards(path, section.keys.get("you") or Text("", section.heading.line))]
    for item in section.items:
        name, cards = _name_and_cards(path, item)
        names.append(name)
        hands.append(cards)
    if len({len(hand) for hand in hands}) != 1 or not names:
        line = section.heading.line
        raise Problem(path, line, "bots stand in a list, all with as many cards as you")
    return tuple(names), tuple(hands)


def _name_and_cards(path: Path, item: ListItem) -> tuple[str, tuple[Card, ...]]:
    name, colon, codes = item.text.text.partition(":")
    if not colon:
        raise Problem(path, item.text.line, "write “- Ada: 1332 2222”")
    return name.strip(), _cards(path, Text(codes.strip(), item.text.line))


def _cards(path: Path, text: Text) -> tuple[Card, ...]:
    try:
        cards = tuple(map(parse_card, text.text.split()))
    except ValueError as problem:
        raise Problem(path, text.line, str(problem)) from None
    if not 1 <= len(cards) <= HAND_SIZE:
        raise Problem(path, text.line, f"a hand has 1 to {HAND_SIZE} cards")
    return cards


def _line_before(
    path: Path, section: TextSection, names: tuple[str, ...], hands: Hands
) -> tuple[Line, int]:
    """The deal and what was played before the learner's first turn, and how much of that is
    before the position."""
    variant = Variant(_value(path, section, "game", "win"))
    seats = len(hands)
    first = [part.split() for part in _value(path, section, "first", "").split(",") if part]
    leader = names.index(first[0][0]) + 1 if first else ME
    before = HAND_SIZE - len(hands[ME])
    taken = _numbers(section, "taken")
    if taken:  # the bots' first, the learner's last
        order = [(k + 1) % seats for k in range(seats)]
        takers = [seat for seat, n in zip(order, taken, strict=True) for _ in range(n)]
        if len(takers) != before or (takers and leader not in takers):
            raise Problem(
                path,
                section.keys["taken"].line,
                f"{before} tricks were taken before this, one of them by whoever leads",
            )
        if takers:
            takers.remove(leader)
            takers.append(leader)
    else:
        takers = [(leader - k) % seats for k in reversed(range(before))]
    dealer = ME if variant is Variant.BID else (leader - 1) % seats
    line = dealt_before(
        hands, variant=variant, bids=_numbers(section, "bids"), takers=takers, dealer=dealer
    )
    moves = [(names.index(name) + 1, text) for name, text in first]
    given = Line(line.start, (*line.moves, *moves))
    if not given.is_whole:
        wrong = given.moves[given.last]
        raise ValueError(f"the rules do not allow {wrong[1]!r} at this moment")
    return given, len(line.moves) if before else 0


def _numbers(section: TextSection, key: str) -> list[int]:
    value = section.keys.get(key)
    return [int(n) for n in value.text.split()] if value else []


# Checking.


def problems(content: Path = CONTENT) -> list[Problem]:
    """What is wrong in the chapters: the first problem of a file that cannot be read; else
    every position that cannot be gone through, or whose screens say too much, and whether all
    together take too long."""
    try:
        chapters_read = load_all(content)
    except Problem as problem:
        return [problem]
    numbers = [chapter.number for chapter in chapters_read]
    if numbers != list(range(1, len(chapters_read) + 1)):
        return [Problem(content, 1, f"the chapters are numbered {numbers}")]
    faulty = []
    for chapter in chapters_read:
        path = content / f"{chapter.number:02}-{chapter.slug}.txt"
        for task in chapter.tasks:
            try:
                faults = list(_faults(chapter, task))
            except IllegalMove as why:
                faults = [f"the others cannot answer: {why}"]
            faulty += [Problem(path, 1, f"{task.name}: {fault}") for fault in faults]
    seconds = sum(seconds_of(chapter) for chapter in chapters_read)
    if seconds > 60 * MINUTES:
        faulty.append(Problem(content, 1, f"the chapters take {seconds:.0f} seconds"))
    return faulty


def _faults(chapter: Chapter, task: Task) -> list[str]:
    faults = []
    missed = [f"{task.aim} {words}" for words in (task.missed, task.over)]
    for screen in (f"{task.aim} {task.say}", task.done, *missed):
        ending = 0 if task.say in screen else _longest_ending(task)
        if words(chapter.title) + words(screen) + ending > WORDS_A_SCREEN:
            faults.append(f"more than {WORDS_A_SCREEN} words: “{screen}”")
    if task.is_round:  # too many lines to go through them all
        if task.goal.kind not in {GoalKind.ANY, GoalKind.BID}:
            faults.append("the goal of a whole round is “any” or “bid”")
        return faults
    reached = [task.goal.is_reached(task, line) for line in all_lines(task)]
    if not any(reached):
        faults.append("the goal cannot be reached")
    if not task.missed and not all(reached):
        faults.append("it can be missed, and “missed:” is missing")
    chance, most = reached_by_chance(task), BY_CHANCE[chapter.number > 2]
    if task.goal.kind is not GoalKind.ANY and chance > most:
        faults.append(f"random cards reach the goal in {float(chance):.0%}: at most {most:.0%}")
    return faults


def words(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def _longest_ending(task: Task) -> int:
    """The number of words, at most, that say what happened before the ending's sentence."""
    if task.variant is Variant.BID:
        return 9
    names = ("", *task.names)
    rounds: list[Round] = [] if task.is_round else [x.rounds[-1] for x in all_lines(task)]
    ends = [r.tricks[-1] for r in rounds if r.tricks]
    return max(
        (
            words(taker_words(names[trick.winner or 0], trick, is_you=trick.winner == ME))
            for trick in ends
        ),
        default=5,
    )


def seconds_of(chapter: Chapter) -> float:
    """How many seconds a chapter takes: its texts read, the longer end of each position, and
    its plays. A whole round is no chapter in this sense."""
    total = 0.0
    for task in chapter.tasks:
        if task.is_round or task.is_more:
            continue
        read = words(chapter.title) + words(task.aim) + words(task.say) + _longest_ending(task)
        read += max(words(task.done), words(task.missed))
        plays = task.tricks + (1 if task.given.rounds[-1].is_bidding else 0)
        total += 60 * read / WORDS_A_MINUTE + SECONDS_A_PLAY * plays
    return total


def texts() -> Iterator[tuple[str, str]]:
    """Every text of the chapters that a person reads, with the name of its chapter."""
    for chapter in chapters():
        texts_of_chapter = [chapter.title]
        for task in chapter.tasks:
            texts_of_chapter += [task.say, task.aim, task.done, task.missed, task.over]
        told = dict.fromkeys(filter(None, texts_of_chapter))
        yield from ((chapter.slug, text) for text in told)
