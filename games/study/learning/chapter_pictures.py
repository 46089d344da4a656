"""A chapter in HTML: the table's own pictures at each moment, and what is said at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import get_language, gettext

from games.rules import Call, Card, by_value, observe
from games.study.learning.chapters import ME, Task, meant_cards, own_moves
from games.study.replay.lines import Line
from games.study.replay.scenes import result_words, unstored_scene
from games.tables.announcements import announcements, live_html
from games.tables.fragments import table_fragments
from games.tables.observation import table_view
from games.tables.prompts import prompt_html
from games.tables.rendering import Fragments, Picture, render
from games.tables.view import TableView
from games.tables.viewers import Viewer
from games.words import move_words, sentences, taker_words


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the end of a task leads: to its beginning, and on (nowhere where ``next`` is
    empty), under which words; or first of all to a table, where ``plays``."""

    again: str
    next: str = ""
    label: str = ""
    plays: bool = False
    me: str = ""
    """Whose figure sits there: a student's of a class, or nobody's."""


def frames(task: Task, before: Line, line: Line, ways: Ways) -> list[str]:
    """The HTML, moment by moment, by which a page with one line comes to show a longer one."""
    first = len(before.moves)
    before_it = picture(task, line, first, ways)
    steps = []
    for moment in range(first + 1, len(line.moves) + 1):
        now = picture(task, line, moment, ways)
        lines = announcements(
            view_at(task, line, moment - 1, ways.me), view_at(task, line, moment, ways.me), ME
        )
        if task.is_over(line.rounds[moment]):
            what = _told_words(task, line)  # which is left out where it has become my turn
            told = "" if any(what in words for words in lines) else what
            lines += [
                *filter(None, [_right_words(task, line), told]),
                verdict_words(task, line),
            ]
        steps.append(now.since(before_it.fragments) + live_html(lines))
        before_it = now
    return steps


def picture(task: Task, line: Line, moment: int, ways: Ways) -> Picture:
    """The table at this moment of the line, as the learner sees it."""
    round_, language = line.rounds[moment], get_language()
    view, own = view_at(task, line, moment, ways.me), observe(round_, ME)
    if not round_.is_over:  # what only led here has not been
        tricks = round_.tricks[len(task.given.rounds[task.early].tricks) :]
        observation = view.observation and replace(view.observation, tricks=tricks)
        view = replace(view, observation=observation, moves=view.moves[task.early :])
        own = replace(own, tricks=tricks)
    common, mine = table_fragments(view)(Viewer(seat=ME, serial=0), own)
    fragments = {**common.fragments, **mine.fragments}
    if task.is_over(round_):
        fragments |= _end_fragments(language, task, line, view, ways)
    elif round_.to_move == ME:
        is_first = not own_moves(task, Line(line.start, line.moves[:moment]))
        say, aim = gettext(task.say), task.aim and gettext(task.aim)
        fragments |= (
            prompt_html(
                language,
                view,
                ME,
                own,
                say=say,
                aim=aim,
                hints=False,
                alone=task.goal.is_of_a_shape,
            )
            if is_first
            else prompt_html(language, view, ME, own, hints=task.has_hints)
        )
    return Picture({name: html for name, html in fragments.items() if _ON_THE_PAGE.match(name)})


_ON_THE_PAGE = re.compile(
    "(seat|slot|taken|left)-|(turn|called|choices|result|prompt|sentence|hand)$"
)


def _end_fragments(
    language: str, task: Task, line: Line, view: TableView, ways: Ways
) -> Fragments:
    """The fragments of what has happened and what it means; the last trick stays in place."""
    round_ = line.rounds[-1]
    hand = tuple(card.code for card in by_value(round_.hands[ME]))
    is_done = task.goal.is_reached(task, line)
    meant, call = _meant_card(task, line)
    raised = {"meant": meant.code, "shape": call.shape.value if call else ""} if meant else {}
    facts = (verdict_words(task, line), ways.again, ways.next)
    players = tuple(seat.name for seat in view.seats) if ways.plays else ()
    fragments = {
        "prompt": render(language, "learnt", "prompt", *facts, ways.label, is_done, players),
        "sentence": render(language, "learnt", "sentence", ending_words(task, line)),
        "hand": render(language, "hand", "hand", hand, **raised),
        "choices": render(language, "board", "choices"),
    }
    if round_.to_move is not None:  # nobody's turn any more
        left = (round_.to_move, len(round_.hands[round_.to_move]), False)
        fragments[f"left-{round_.to_move}"] = render(language, "seat", "left", *left)
    if task.tricks and not round_.is_over:
        trick = round_.tricks[-1]
        assert trick.winner is not None
        name = view.seats[trick.winner].name
        called = (str(trick.call), trick.winner, name, 0)
        fragments["called"] = render(language, "board", "called", *called)
    return fragments


def _meant_card(task: Task, line: Line) -> tuple[Card | None, Call | None]:
    """The card still in hand that alone would have reached a goal that was missed, and the call
    it counts for."""
    if task.goal.is_reached(task, line):
        return None, None
    meant = meant_cards(task)
    held = [card for card in meant if card in line.rounds[-1].hands[ME]]
    return (held[0], meant[held[0]]) if held and len(meant) == 1 else (None, None)


def ending_words(task: Task, line: Line) -> str:
    """A sentence on what has happened at the end, in the table's own words; first of all
    whether the goal is reached."""
    return sentences(_right_words(task, line), _told_words(task, line))


def _right_words(task: Task, line: Line) -> str:
    return gettext("Right!") if task.aim and task.goal.is_reached(task, line) else ""


def _told_words(task: Task, line: Line) -> str:
    round_ = line.rounds[-1]
    if task.goal.call:  # no call has been met that anybody could win by
        return ""
    if not task.tricks:
        return move_words("", line.moves[-1][1], is_you=True)
    if round_.is_over:
        return result_words(round_, ME, "", is_you=True)
    trick = round_.tricks[-1]
    name = ("", *task.names)[trick.winner or 0]
    return taker_words(name, trick, is_you=trick.winner == ME)


def verdict_words(task: Task, line: Line) -> str:
    """What the end of a line means, in the chapter's words."""
    if task.goal.is_reached(task, line):
        return gettext(task.done)
    return gettext((task.is_lost(line.rounds[-1]) and task.over) or task.missed)


def view_at(task: Task, line: Line, moment: int, me: str = "") -> TableView:
    """The table as everybody would see it at this moment. It is nobody's, and not stored."""
    names = (me, *task.names)
    state = unstored_scene(line, moment, names, "tip-printed", table_id="learning", rounds=0)
    return table_view(state, {}, timezone.now())
