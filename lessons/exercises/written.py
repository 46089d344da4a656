"""Questions made of a type's page and its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

from django.utils.translation import get_language, gettext_lazy

from lessons.exercises.answers import Form
from lessons.exercises.engine import (
    Blank,
    Cards,
    Exercise,
    Field,
    Graph,
    GraphKind,
    Hint,
    Histogram,
    Instance,
    Looks,
    NumberTable,
    Option,
    Parameters,
    Series,
    Tree,
    Value,
    Wrong,
    WrongLooks,
)
from lessons.exercises.page import CHOICES, NUMBERS, PAGES, ExercisePage, cells, read, stock
from lessons.exercises.page_lines import Facts, PageLine, filled, printed
from lessons.exercises.skills import Misconception
from lessons.exercises.texts import (
    decimal,
    tex,
    tex_decimal,
    tex_number,
    tex_rest,
    tex_root,
    tex_value,
)
from lessons.probability import Exact, Root

FORMS: Mapping[str, Callable[..., str]] = {
    "exact": tex,
    "value": tex_value,
    "decimal": tex_decimal,
    "number": lambda fact, *digits: tex_number(decimal(fact, *digits)),
    "root": tex_root,
    "rest": tex_rest,
}
"""How a number stands in a formula: ``[mean value]``; ``[mean decimal4]`` to four digits."""


def written_number(fact: Any, form: str) -> str:
    """A fact as it stands in a text, a number of a formula in its form."""
    if not form:
        return printed(fact)
    name = form.rstrip("0123456789")
    is_number = isinstance(fact, int | Fraction | Root) and not isinstance(fact, bool)
    if name not in FORMS or not is_number:
        forms = ", ".join(FORMS)
        raise TypeError(f"{fact!r} is not written as “{form}”, but a number as {forms}")
    exact = Fraction(fact) if isinstance(fact, int) else fact
    return FORMS[name](exact, *map(int, filter(None, [form.removeprefix(name)])))


class Written(Exercise):
    """A type whose words are a page. A subclass has its ``key``, how it draws, and for each
    level a method (``facts_a``, …) that gives the page's facts."""

    page: ClassVar[ExercisePage]

    def __init_subclass__(cls) -> None:
        page = cls.page = read(PAGES / f"{cls.key}.txt")
        cls.number, cls.title = page.number, gettext_lazy(page.title)
        cls.family, cls.kind, cls.skill = page.family, page.kind, page.skill
        cls.lesson, cls.level, cls.levels = page.lesson, page.level, page.levels
        cls.misconceptions = page.misconceptions

    def facts(self, parameters: Parameters) -> Facts:
        """What the page's names stand for, beside the parameters themselves."""
        of_level = getattr(self, f"facts_{self.level_of(parameters).lower()}", None)
        facts: Facts = of_level(parameters) if of_level else {}
        return facts

    def build(self, parameters: Parameters) -> Instance:
        facts = _Named({**parameters, **self.facts(parameters)})
        facts.language = get_language()
        lines = tuple(self.page.lines(self.level_of(parameters), facts))
        facts.names = tuple(line for line in lines if line.word == "name")
        return _Written(self.page, lines, facts).instance(self.key, parameters)


class _Named(dict[str, Any]):
    """Parameters and facts, which go first, and the page's own names, filled when asked for."""

    names: Sequence[PageLine] = ()
    language: str | None = None

    def __missing__(self, key: str) -> str:
        for line in self.names:
            if line.arguments[0] == key and line.holds(self):
                return filled(line.text, self, self.language, written_number)
        raise KeyError(key)

    def with_item(self, item: Mapping[str, Any]) -> _Named:
        """These facts, after those of one item of a list."""
        inner = _Named({**self, **item})
        inner.names, inner.language = self.names, self.language
        return inner


@dataclass(slots=True)
class _Written:
    """A page's lines for these facts, made into a question."""

    page: ExercisePage
    lines: Sequence[PageLine]
    facts: _Named
    forms: dict[str, Form] = field(default_factory=dict)
    right: dict[str, Value] = field(default_factory=dict)

    def instance(self, key: str, parameters: Parameters) -> Instance:
        """The question; a page's Problem where it asks for what is not there."""
        pictures = [*self._pictures()]
        fields = tuple(self._fields())
        graph = next((each for each in pictures if isinstance(each, Graph)), None)
        return Instance(
            key,
            parameters,
            prompt=" ".join(self._texts("prompt")),
            fields=fields,
            right=self.right,
            wrong=tuple(self._wrong_answers()),
            solution=tuple(self._texts("solve")),
            cards=tuple(each for each in pictures if isinstance(each, Cards)),
            tables=tuple(each for each in pictures if isinstance(each, NumberTable)),
            graph=graph,
            tree=next((each for each in pictures if isinstance(each, Tree)), None),
            histograms=tuple(each for each in pictures if isinstance(each, Histogram)),
            looks=tuple(self._wrong_looks(graph)) if graph else (),
            follows=dict(self._printed_figures()),
            hint=self._hint(),
        )

    def _hint(self) -> Hint | None:
        """The help with the question: the hint, and the step that follows it."""
        hint, step = self._only("hint"), self._only("step")
        if hint is None:
            return None
        if step is None:
            return Hint(self._text(hint))
        fact, *form = step.arguments
        right = self._number(step, fact)
        assert isinstance(right, Fraction)
        return Hint(self._text(hint), self._text(step), right, NUMBERS[(*form, "count")[0]])

    def _only(self, word: str) -> PageLine | None:
        """The line of this word; a Problem where two hold for the same question."""
        lines = [*self._of(word)]
        if len(lines) > 1:
            raise self.page.fail(lines[1].number, f"a question has one “{word}”")
        return lines[0] if lines else None

    # Lines

    def _of(self, word: str) -> Iterator[PageLine]:
        return (line for line in self.lines if line.word == word)

    def _facts_of_each(self, line: PageLine, facts: _Named | None = None) -> Iterator[_Named]:
        """The facts for each time that a line is said: once, or for each item of its list."""
        facts = self.facts if facts is None else facts
        if not line.each:
            yield facts
            return
        for item in self._fact(line, line.each, facts):
            yield facts.with_item(item)

    def _fact(self, line: PageLine, name: str, facts: Mapping[str, Any] | None = None) -> Any:
        try:
            return (self.facts if facts is None else facts)[name]
        except KeyError:
            raise self.page.fail(line.number, f"nothing is called “{name}”") from None

    def _text(
        self, line: PageLine, facts: Mapping[str, Any] | None = None, text: str = ""
    ) -> str:
        try:
            facts = self.facts if facts is None else facts
            return filled(text or line.text, facts, self.facts.language, written_number)
        except KeyError as missing:
            name = missing.args[0]
            raise self.page.fail(line.number, f"nothing is called “[{name}]”") from None
        except TypeError as wrong:
            raise self.page.fail(line.number, str(wrong)) from wrong

    def _texts(self, word: str) -> list[str]:
        return [
            self._text(line, facts)
            for line in self._of(word)
            for facts in self._facts_of_each(line)
        ]

    def _number(
        self, line: PageLine, name: str, facts: Mapping[str, Any] | None = None
    ) -> Exact:
        """The number that a line names, or writes out."""
        if name.removeprefix("-").replace("/", "", 1).isdecimal():
            return Fraction(name)
        value = self._fact(line, name, facts)
        if isinstance(value, str) or not isinstance(value, int | Fraction | Root):
            raise self.page.fail(line.number, f"“{name}” is no number")
        return Fraction(value) if isinstance(value, int) else value

    def _values(self, line: PageLine) -> dict[str, Any]:
        """The values of ``name=fact`` among a line's arguments: facts, or whole numbers."""
        pairs = (argument.partition("=") for argument in line.arguments if "=" in argument)
        return {
            name: int(fact) if fact.isdecimal() else self._fact(line, fact)
            for name, _equals, fact in pairs
        }

    # Fields

    def _fields(self) -> Iterator[Field]:
        for line in self.lines:
            if line.word not in (*NUMBERS, *CHOICES):
                continue
            for facts in self._facts_of_each(line):
                yield self._field(line, facts)

    def _field(self, line: PageLine, facts: _Named) -> Field:
        if line.each:
            key, fact = facts["key"], "right"
        else:
            key, _equals, fact = line.arguments[0].partition("=")
        label = self._text(line, facts)
        if line.word in NUMBERS:
            self.forms[key] = NUMBERS[line.word]
            self.right[key] = self._number(line, fact or key, facts)
            return Field(key, label, NUMBERS[line.word])
        self.forms[key] = Form.CHOICE
        options, last, right = [], "", ""
        for item in line.items:
            if not item.holds(facts):
                continue
            for each in self._facts_of_each(item, facts):
                option = self._key(item, item.arguments[0], each)
                last = option if "last" in item.arguments[1:] else last
                right = option if "right" in item.arguments[1:] else right
                options.append(Option(option, self._text(item, each)))
        self.right[key] = right or str(self._fact(line, fact or key, facts))
        if self.right[key] not in {option.key for option in options}:
            raise self.page.fail(line.number, f"“{self.right[key]}” is none of the choices")
        return Field(key, label, Form.CHOICE, tuple(options), line.word == "scale", last)

    def _key(self, line: PageLine, text: str, facts: _Named) -> str:
        """An option's key, or a box's: as it stands, or the fact that it names."""
        name = text.removeprefix("[").removesuffix("]")
        return text if name == text else str(self._fact(line, name, facts))

    # Wrong answers

    def _wrong_answers(self) -> Iterator[Wrong]:
        for line in self._of("wrong"):
            misconception = Misconception(line.arguments[0])
            for facts in self._facts_of_each(line):
                if answers := [*self._answers(line, facts)]:
                    told = self._feedback(line, facts)
                    yield from (Wrong(misconception, each, told) for each in answers)

    def _feedback(self, line: PageLine, facts: _Named) -> str:
        """The feedback: the line's own, or the stock's by name or misconception."""
        if line.text:
            return self._text(line, facts)
        name = line.arguments[0]
        if "as" in line.arguments:
            name = line.arguments[line.arguments.index("as") + 1]
        if name not in stock():
            raise self.page.fail(line.number, f"write the feedback: no “{name}” in the stock")
        return self._text(line, facts, stock()[name])

    def _answers(self, line: PageLine, facts: _Named) -> Iterator[Mapping[str, Value]]:
        """Wrong answers by field, as often as commas part them; none where a fact is None."""
        arguments = line.arguments[1:]
        if "as" in arguments:
            arguments = arguments[: arguments.index("as")]
        for group in " ".join(arguments).split(","):
            answers: dict[str, Value] = {}
            for argument in group.split():
                key, equals, value = argument.partition("=")
                if equals:
                    found = self._answer(line, key, value, facts)
                elif key in self.right:
                    found = self._complement_of(line, key)
                else:
                    yield from self._listed(line, key, facts)
                    continue
                if found is None:
                    break
                answers[key] = found
            else:
                if answers:
                    yield answers

    def _answer(self, line: PageLine, key: str, value: str, facts: _Named) -> Value | None:
        if key not in self.forms:
            raise self.page.fail(line.number, f"no field is called “{key}”")
        if self.forms[key] is Form.CHOICE:
            return self._key(line, value, facts)
        is_none = value in facts and facts[value] is None
        return None if is_none else self._number(line, value, facts)

    def _complement_of(self, line: PageLine, key: str) -> Value:
        right = self.right[key]
        if line.arguments[0] != Misconception.OPPOSITE.value or not isinstance(right, Fraction):
            raise self.page.fail(line.number, f"write “{key}=…”")
        return 1 - right

    def _listed(
        self, line: PageLine, name: str, facts: _Named
    ) -> Iterator[Mapping[str, Value]]:
        """Answers that a fact has by field: one, or several; none where it is None."""
        found = self._fact(line, name, facts)
        for answers in [found] if isinstance(found, Mapping) else found or ():
            yield {
                key: Fraction(value) if isinstance(value, int) else value
                for key, value in answers.items()
            }

    def _wrong_looks(self, graph: Graph) -> Iterator[WrongLooks]:
        fields = next(series.fields for series in graph.series if series.fields)
        for line in self._of("looks"):
            code, look = line.arguments[:2]
            at = self._values(line).get("at", 0)
            looks = Looks(look.replace("-", " "))
            yield WrongLooks(Misconception(code), fields, looks, self._text(line), at)

    def _printed_figures(self) -> Iterator[tuple[str, tuple[Exact, ...]]]:
        for line in self._of("follows"):
            for key, value in self._values(line).items():
                yield key, value if isinstance(value, tuple) else (value,)

    # Pictures

    def _pictures(self) -> Iterator[Cards | NumberTable | Graph | Tree | Histogram]:
        for line in self.lines:
            if line.word == "cards":
                codes = self._fact(line, line.arguments[0])
                yield Cards(self._text(line), tuple(codes))
            elif line.word == "table":
                yield self._table(line)
            elif line.word == "board":
                (field,) = line.arguments
                yield replace(self._table(replace(line, arguments=())), board=field)
            elif line.word == "graph":
                yield self._graph(line)
            elif line.word == "histogram":
                yield Histogram(self._text(line), *self._fact(line, line.arguments[0]))
            elif line.word == "show":
                found = self._fact(line, line.arguments[0])
                yield from found if isinstance(found, tuple) else [found] if found else []

    def _table(self, line: PageLine) -> NumberTable:
        caption, *head = cells(line.text)
        rows: list[tuple[str | Blank, ...]] = []
        for fact in line.arguments:
            if "=" not in fact:
                rows += map(tuple, self._fact(line, fact))
        for item in line.items:
            if item.holds(self.facts):
                rows += (self._row(item, facts) for facts in self._facts_of_each(item))
        return NumberTable(
            self._text(line, text=caption),
            tuple(self._text(line, text=cell) if cell else "" for cell in head),
            tuple(rows),
            tuple(self._values(line).get("bars", ())),
        )

    def _row(self, item: PageLine, facts: _Named) -> tuple[str | Blank, ...]:
        return tuple(
            Blank(self._key(item, cell.removeprefix("_"), facts))
            if cell.startswith("_")
            else (self._text(item, facts, cell) if cell else "")
            for cell in cells(item.text)
        )

    def _graph(self, line: PageLine) -> Graph:
        values = self._values(line)
        categories = tuple(map(self._category, values.pop("categories")))
        return Graph(
            GraphKind(line.arguments[0]), categories, tuple(self._series(line.items)), **values
        )

    def _category(self, category: Any) -> str:
        """The text of a value, or of an item that the page has a ``[label]`` for."""
        if isinstance(category, Mapping):
            return str(self.facts.with_item(category)["label"])
        return str(category)

    def _series(self, items: Iterable[PageLine]) -> Iterator[Series]:
        for item in items:
            if item.holds(self.facts):
                values = {name: tuple(value) for name, value in self._values(item).items()}
                yield Series(self._text(item), **values)
