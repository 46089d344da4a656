"""Loads the lessons' files and checks all that can be checked of them.

It has more than 450 lines: a function for each kind of section in a lesson's file."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from games.models import VARIANTS
from games.rules import MAX_ROUNDS, MAX_SEATS, MIN_SEATS, parse_card
from lessons.course import markup, strips, suspects, variables
from lessons.course.figures import FIGURES
from lessons.course.plan import (
    COVERS,
    CardEvent,
    DealStep,
    Guide,
    Lesson,
    PlanPart,
    PlayStep,
    Printed,
    ShareOf,
    Shows,
    Statement,
    Step,
    StepData,
    StepKind,
    Whole,
    WrittenQuestion,
)
from lessons.exercises import EXERCISES, NoVariant, ask_invented
from lessons.exercises.deck import CALLS
from lessons.exercises.skills import Misconception
from xactika_site.texts import ListItem, Problem, Text, TextSection, read_sections

KEYS = set(
    "title level minutes summary cover needs cards table crossed tree experiment strip bots "
    "number unit truth graphs exercise build deal play of chart data aim standards key ask "
    "answer crowd bids lots share".split()
)
"""All keys of the lessons' files."""

CONTENT = Path(__file__).resolve().parent.parent / "content"
MAX_DEALT = 100
SHORT = 45
"""Minutes of the short path through a long lesson."""

PARTS = (
    "Before the lesson",
    "In the lesson",
    "Questions to ask",
    "Typical errors",
    "In the results",
)


def folders(content: Path = CONTENT) -> list[Path]:
    """The lessons' folders in their order."""
    return sorted(path for path in content.iterdir() if path.is_dir())


def load(folder: Path) -> Lesson:
    """A lesson from its folder; the first Problem found."""
    named = re.fullmatch(r"(\d\d)-([a-z][a-z-]*)", folder.name)
    if not named:
        raise Problem(folder, 1, "a lesson's folder is called like 03-the-deal")
    path = folder / "lesson.txt"
    head, *sections = read_sections(path, KEYS)
    keys = _Keys(path, head, ("title", "level", "minutes", "summary", "cover", "needs"))
    minutes = keys.required("minutes")
    if not re.fullmatch(r"[1-9]\d", minutes):
        raise keys.fail("minutes", "minutes are a number like 45")
    title, level, summary = (keys.text(key) for key in ("title", "level", "summary"))
    cover = keys.required("cover")
    if cover not in COVERS:
        cover = " ".join(_cards(keys, "cover"))
    needs = keys.get("needs").split()
    if not all(each.isdecimal() and 0 < int(each) < int(named[1]) for each in needs):
        raise keys.fail("needs", "needed are lessons before this one, by number: 1 2")
    _nothing_else(path, head)
    steps = tuple(_step(path, section) for section in sections)
    _hangs_together(path, sections, steps)
    if (taken := sum(step.minutes for step in steps)) != int(minutes):
        raise keys.fail("minutes", f"the steps take {taken} minutes together, not {minutes}")
    return Lesson(
        number=int(named[1]),
        slug=named[2],
        title=title,
        level=level,
        minutes=int(minutes),
        summary=summary,
        cover=cover,
        needs=tuple(map(int, needs)),
        steps=steps,
        guide=_guide(folder / "teacher.txt"),
        tasks=_tasks(folder / "worksheet.txt"),
    )


class _Keys:
    """The values of a section, which must be known, and their texts well marked."""

    def __init__(self, path: Path, section: TextSection, known: tuple[str, ...]) -> None:
        self.path, self.section = path, section
        for key, value in section.keys.items():
            if key not in known:
                allowed = ", ".join(f"{word}:" for word in known)
                raise Problem(path, value.line, f"“{key}:” is not known here, only {allowed}")

    def get(self, key: str) -> str:
        value = self.section.keys.get(key)
        return value.text if value else ""

    def required(self, key: str) -> str:
        if not self.get(key):
            raise self.fail("", f"“{key}:” is missing here")
        return self.get(key)

    def text(self, key: str) -> str:
        self.required(key)
        return _checked_text(self.path, self.section.keys[key])

    def fail(self, key: str, message: str) -> Problem:
        """What is wrong with the value of a key, or (empty) with the section."""
        text = self.section.keys[key] if key else self.section.heading
        return Problem(self.path, text.line, message)


def _checked_text(path: Path, text: Text) -> str:
    if fault := markup.faults(text.text):
        raise Problem(path, text.line, fault)
    return text.text


def _nothing_else(path: Path, section: TextSection) -> None:
    for stray in [*section.paragraphs, *(item.text for item in section.items)]:
        raise Problem(path, stray.line, "this belongs below a heading")


_PICTURES = (
    *("cards", "bids", "lots", "share", "table", "crossed", "tree", "experiment", "strip"),
    "crowd",
)


def _step(path: Path, section: TextSection) -> Step:
    heading = section.heading
    named = re.fullmatch(r"([a-z]+) ([a-z][a-z0-9-]*): (.+)", heading.text)
    kinds = [kind.value for kind in StepKind]
    if not named or named[1] not in kinds:
        shape = f"a step begins like “# predict first-guess: Its title” ({', '.join(kinds)})"
        raise Problem(path, heading.line, shape)
    kind = StepKind(named[1])
    keys = _Keys(path, section, ("minutes", *_PICTURES, *_KEYS[kind]))
    minutes = re.fullmatch(r"([1-9]\d?)(, short)?", keys.required("minutes"))
    if not minutes:
        raise keys.fail("minutes", "write “minutes: 5”, or “minutes: 5, short”")
    step = Step(
        name=named[2],
        kind=kind,
        title=_checked_text(path, Text(named[3], heading.line)),
        paragraphs=tuple(_checked_text(path, text) for text in section.paragraphs),
        minutes=int(minutes[1]),
        is_short=bool(minutes[2]),
        shows=_shows(keys),
    )
    if kind in (StepKind.DO, StepKind.EXPLAIN) and "==" in "".join(step.paragraphs):
        raise keys.fail("", "== is for what a prediction or a reveal shows")
    if not step.paragraphs and not keys.get("exercise"):
        raise keys.fail("", "this step says nothing: a paragraph is missing")
    return _READERS[kind](step, keys)


def _shows(keys: _Keys) -> Shows:
    parts = ("played", "tables", "chance", "learnt")
    raised = [code[:-1] for code in keys.get("cards").split() if code.endswith("+")]
    return Shows(
        cards=_cards(keys),
        raised=tuple(raised),
        bids=tuple(_matching(keys, "bids", r"(\d )+[\d?]", "3 2 1 ?").split()),
        lots=_matching(keys, "lots", r"[AB?]+|(?=.*A)(?=.*B)([AB][0-4])+", "ABBA"),
        share=_share(keys),
        table=_one_of(keys, "table", variables.COUNTED, "variable"),
        crossed=_read_events(keys, "crossed", 2),
        tree=next(iter(_read_events(keys, "tree", 1)), None),
        experiment=_one_of(keys, "experiment", parts, "part of an experiment"),
        strip=_one_of(keys, "strip", strips.KEYS, "strip"),
        crowd=bool(_one_of(keys, "crowd", ("class",), "crowd")),
    )


def _cards(keys: _Keys, key: str = "cards") -> tuple[str, ...]:
    codes = [code.removesuffix("+") for code in keys.get(key).split()]
    try:
        for code in codes:
            parse_card(code)
    except ValueError as problem:
        raise keys.fail(key, str(problem)) from None
    return tuple(codes)


def _matching(keys: _Keys, key: str, shape: str, example: str) -> str:
    text = keys.get(key)
    if text and not re.fullmatch(shape, text):
        raise keys.fail(key, f"write “{key}: {example}”")
    return text


def _share(keys: _Keys) -> ShareOf | None:
    text = _matching(keys, "share", r"\d{1,3} of \d{1,3}", "30 of 100")
    if not text:
        return None
    part, _of, whole = text.partition(" of ")
    if int(part) > int(whole):
        raise keys.fail("share", "more than all")
    return ShareOf(int(part), int(whole))


_EVENTS = {"value": range(4, 13), "least": range(5, 13)}


def _read_events(keys: _Keys, key: str, required: int) -> tuple[CardEvent, ...]:
    """The key's events of one card, ``required`` in number or none: “call 1-ball, least 10”."""
    texts = [text.strip() for text in keys.get(key).split(",")] if keys.get(key) else []
    events: list[CardEvent] = []
    for text in texts:
        what, _blank, of = text.partition(" ")
        if what == "call" and of in CALLS:
            events.append((what, of))
        elif what in _EVENTS and of.isdecimal() and int(of) in _EVENTS[what]:
            events.append((what, int(of)))
    if len(events) != len(texts) or len(texts) not in (0, required):
        example = "call 1-ball, least 10" if required == 2 else "call 1-ball"
        raise keys.fail(key, f"write “{key}: {example}” (or value 8)")
    return tuple(events)


def _one_of(keys: _Keys, key: str, allowed: tuple[str, ...], what: str) -> str:
    value = keys.get(key)
    if value and value not in allowed:
        raise keys.fail(key, f"there is no {what} “{value}”; there are {', '.join(allowed)}")
    return value


def _statements(path: Path, items: list[ListItem]) -> tuple[Statement, ...]:
    return tuple(
        Statement(
            _checked_text(path, item.text),
            item.mark != "-",
            _checked_text(path, item.reply) if item.reply else "",
        )
        for item in items
    )


def _read_predict(step: Step, keys: _Keys) -> Step:
    items = keys.section.items
    if items and keys.get("number"):
        raise keys.fail("number", "a prediction has a list or a number, not both")
    if items:
        if len(items) < 2 or sum(item.mark == "+" for item in items) > 1:
            message = "a list to choose from: two or more items, one + at most"
            raise Problem(keys.path, items[0].text.line, message)
        statements = _statements(keys.path, items)
        return replace(
            step,
            statements=statements,
            graphs=_graph_addresses(keys, len(statements)),
            shows=replace(step.shows, bots=_rounds_of_bot(keys, statements)),
        )
    number = re.fullmatch(r"(\d{1,3})(\.0{1,2})? to (\d{1,3})(\.0{1,2})?", keys.get("number"))
    if not number or int(number[1]) >= int(number[3]) or number[2] != number[4]:
        message = (
            "a prediction needs a list to choose from, or a line like “number: 0 to 81”; with "
            "decimals “number: 0.00 to 8.00”"
        )
        raise keys.fail("", message)
    truth = _one_of(keys, "truth", tuple(FIGURES), "figure")
    unit = keys.text("unit") if keys.get("unit") else ""
    places = len(number[2] or ".") - 1
    return replace(step, whole=Whole(int(number[1]), int(number[3]), unit, truth, places))


def _rounds_of_bot(keys: _Keys, statements: tuple[Statement, ...]) -> int:
    """How many of the unknown bot's rounds are shown (“bots: 20 rounds”); Problem unless there
    is a statement for each suspect."""
    if not keys.get("bots"):
        return 0
    named = re.fullmatch(r"([1-9]\d?) rounds", keys.get("bots"))
    if not named or int(named[1]) > suspects.MOST:
        raise keys.fail("bots", f"write “bots: 20 rounds”, {suspects.MOST} at most")
    if len(statements) != len(suspects.SUSPECTS) or any(s.is_right for s in statements):
        wanted = ", ".join(suspects.SUSPECTS)
        raise keys.fail("bots", f"a - for each bot, and no +, in this order: {wanted}")
    return int(named[1])


def _graph_addresses(keys: _Keys, statements: int) -> tuple[str, ...]:
    """A graph of the studio for each statement: “graphs: show=error, show=taken&by=seat”."""
    graphs = tuple(each.strip() for each in keys.get("graphs").split(",") if each.strip())
    if keys.get("graphs") and len(graphs) != statements:
        raise keys.fail("graphs", f"{statements} statements need as many graphs")
    return graphs


def _read_do(step: Step, keys: _Keys) -> Step:
    actions = [key for key in ("exercise", "build", "deal", "play") if keys.get(key)]
    if len(actions) != 1 or keys.section.items:
        message = "a do step has exactly one of exercise:, build:, deal:, play:, and no list"
        raise keys.fail("", message)
    exercise = _one_of(keys, "exercise", tuple(EXERCISES), "exercise")
    build = _one_of(keys, "build", variables.KEYS, "variable")
    return replace(
        step,
        exercise=exercise,
        only=_question_conditions(keys, exercise),
        build=build,
        deal=_read_deal(keys) if keys.get("deal") else None,
        play=_read_play(keys) if keys.get("play") else None,
    )


def _question_conditions(keys: _Keys, exercise: str) -> dict[str, str]:
    """By name, parameters of the questions that a step asks of an exercise: such as “only:
    slices patterns”, or “only: level A, pair calls”."""
    if not keys.get("only"):
        return {}
    wanted = [each.strip().partition(" ") for each in keys.get("only").split(",")]
    if not exercise or not all(value for _name, _blank, value in wanted):
        raise keys.fail("only", "write “only: slices patterns”, below an exercise")
    only = {name: value for name, _blank, value in wanted}
    for seed in range(20):  # invented contexts: now and then one holds no question at all
        with suppress(NoVariant):
            ask_invented(exercise, seed, only)
            return only
    conditions = " and ".join(f"“{name}” is “{value}”" for name, value in only.items())
    raise keys.fail("only", f"{exercise} has no question of which {conditions}")


def _read_deal(keys: _Keys) -> DealStep:
    dealt = re.fullmatch(r"(\d+) hands, ([a-z-]+)", keys.get("deal"))
    readable = [key for key in variables.COUNTED if variables.variable(key).reads]
    if not dealt or not 0 < int(dealt[1]) <= MAX_DEALT or dealt[2] not in readable:
        raise keys.fail(
            "deal",
            f"write “deal: 10 hands, void”: 1 to {MAX_DEALT} hands, then one of "
            + ", ".join(readable),
        )
    return DealStep(int(dealt[1]), dealt[2])


def _read_play(keys: _Keys) -> PlayStep:
    games = tuple(str(variant) for variant, _name in VARIANTS)
    table = re.fullmatch(r"([a-z]+), (\d+) seats, (\d+) rounds?", keys.get("play"))
    if (
        not table
        or table[1] not in games
        or not MIN_SEATS <= int(table[2]) <= MAX_SEATS
        or not 1 <= int(table[3]) <= MAX_ROUNDS
    ):
        raise keys.fail("play", "write “play: bid, 4 seats, 1 round” (win, lose or bid)")
    return PlayStep(table[1], int(table[2]), int(table[3]))


def _read_reveal(step: Step, keys: _Keys) -> Step:
    if keys.section.items:
        raise Problem(keys.path, keys.section.items[0].text.line, "a reveal has no list")
    chart = _one_of(keys, "chart", variables.COUNTED, "variable")
    data = StepData(_one_of(keys, "data", tuple(filter(None, StepData)), "source of data"))
    if data and (not chart or variables.variable(chart).reads is None):
        raise keys.fail("data", "data need a chart: of something that hands tell")
    place, fault = markup.wall_fault(step.paragraphs)
    if fault:
        raise Problem(keys.path, keys.section.paragraphs[place].line, fault)
    return replace(step, of=keys.required("of"), chart=chart, data=data)


def _read_explain(step: Step, keys: _Keys) -> Step:
    """The step with its statements: one + among -, or to be put in order, 1. 2. 3."""
    items = keys.section.items
    marks = [item.mark for item in items]
    is_order = bool(marks) and marks == [f"{n}." for n in range(1, len(marks) + 1)]
    is_choice = set(marks) <= {"+", "-"} and marks.count("+") == 1
    if len(marks) < 2 or not (is_order or is_choice):
        message = (
            "an explanation has a list of - with one +, or a list 1. 2. 3. to put in order"
        )
        raise keys.fail("", message)
    return replace(step, statements=_statements(keys.path, items), is_order=is_order)


_KEYS = {
    StepKind.PREDICT: ("number", "unit", "truth", "graphs", "bots"),
    StepKind.DO: ("exercise", "only", "build", "deal", "play"),
    StepKind.REVEAL: ("of", "chart", "data"),
    StepKind.EXPLAIN: (),
}
_READERS: dict[StepKind, Callable[[Step, _Keys], Step]] = {
    StepKind.PREDICT: _read_predict,
    StepKind.DO: _read_do,
    StepKind.REVEAL: _read_reveal,
    StepKind.EXPLAIN: _read_explain,
}


def _hangs_together(path: Path, sections: list[TextSection], steps: tuple[Step, ...]) -> None:
    """Raise Problem unless every kind of step is there, names are used once, and every
    prediction is revealed later."""
    lines = {
        step.name: section.heading.line for step, section in zip(steps, sections, strict=True)
    }
    if len(lines) < len(steps):
        names = [step.name for step in steps]
        again = next(n for n, name in enumerate(names) if name in names[:n])
        raise Problem(path, sections[again].heading.line, f"“{names[again]}” is there twice")
    for kind in StepKind:
        if not any(step.kind is kind for step in steps):
            raise Problem(path, 1, f"there is no {kind.value} step")
    predicted: list[str] = []
    for step in steps:
        if step.kind is StepKind.PREDICT:
            predicted.append(step.name)
        if step.of and step.of not in predicted:
            raise Problem(
                path, lines[step.name], f"no prediction “{step.of}” before this reveal"
            )
        if step.data is StepData.DEALS and not any(
            before.deal and before.deal.variable == step.chart
            for before in steps[: steps.index(step)]
        ):
            message = f"no step before this deals hands and counts {step.chart}"
            raise Problem(path, lines[step.name], message)
    if (short := sum(step.minutes for step in steps if step.is_short)) > SHORT:
        raise Problem(path, 1, f"the short path takes {short} minutes, {SHORT} at most")
    short_names = {step.name for step in steps if step.is_short}
    for step in steps:
        if step.of and step.is_short != (step.of in short_names):
            message = f"“{step.of}” and its reveal are on the short path both, or neither"
            raise Problem(path, lines[step.name], message)
    for name in predicted:
        if sum(step.of == name for step in steps) != 1:
            raise Problem(path, lines[name], "a prediction needs exactly one reveal later on")


def _guide(path: Path) -> Guide:
    head, *sections = read_sections(path, KEYS)
    keys = _Keys(path, head, ("aim", "standards"))
    aim = keys.text("aim")
    claims = [claim.split() for claim in keys.required("standards").split(",") if claim.strip()]
    standards = tuple((code, tuple(steps)) for code, *steps in claims)
    if len({code for code, _steps in standards}) < len(standards):
        raise keys.fail("standards", "a standard stands here twice")
    _nothing_else(path, head)
    titles = [section.heading.text for section in sections]
    if titles != list(PARTS):
        missing = next((part for part in PARTS if part not in titles), "")
        line = 1 if missing else sections[0].heading.line
        wanted = f"“# {missing}” is missing" if missing else "another heading is expected here"
        raise Problem(path, line, f"{wanted}; the headings are {', '.join(PARTS)}")
    parts, errors = [], []
    for section in sections:
        _Keys(path, section, ())
        if section.heading.text == "Typical errors":
            errors = [_typical_error(path, item) for item in section.items]
        items = () if section.heading.text == "Typical errors" else section.items
        parts.append(
            PlanPart(
                section.heading.text,
                tuple(_checked_text(path, text) for text in section.paragraphs),
                tuple(_checked_text(path, item.text) for item in items),
            )
        )
        if not section.paragraphs and not section.items:
            raise Problem(path, section.heading.line, "this part is empty")
    return Guide(aim, standards, tuple(parts), tuple(errors))


def _typical_error(path: Path, item: ListItem) -> tuple[Misconception, str]:
    """A misconception, and what this lesson adds to its advice; empty where nothing."""
    code, colon, text = item.text.text.partition(": ")
    try:
        misconception = Misconception(code)
    except ValueError:
        message = f"“{code}” is no misconception of lessons/exercises/skills.py"
        raise Problem(path, item.text.line, message) from None
    return misconception, _checked_text(path, Text(text, item.text.line)) if colon else ""


def _tasks(path: Path) -> tuple[Printed | WrittenQuestion, ...]:
    _head, *sections = read_sections(path, KEYS)
    _nothing_else(path, _head)
    tasks: list[Printed | WrittenQuestion] = []
    for section in sections:
        if section.heading.text == "Exercise":
            keys = _Keys(path, section, ("key", "only"))
            keys.required("key")
            exercise = _one_of(keys, "key", tuple(EXERCISES), "exercise")
            tasks.append(Printed(exercise, _question_conditions(keys, exercise)))
        elif section.heading.text == "In words":
            keys = _Keys(path, section, ("ask", "answer"))
            tasks.append(WrittenQuestion(keys.text("ask"), keys.text("answer")))
        else:
            raise Problem(path, section.heading.line, "headings here: Exercise, In words")
    if not any(isinstance(task, Printed) for task in tasks):
        raise Problem(path, 1, "a worksheet needs an exercise")
    return tuple(tasks)
