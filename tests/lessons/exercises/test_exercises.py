"""The plan's types over 40 seeds, others and other levels over 24: dealt fairly, rebuilt
exactly, graded rightly, hinting well. In the long checks the plan's have 200. What types are
graded for takes every third of them; in the long checks all."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from django.utils.translation import override

from games.rules import DECK, Round, Variant, observe, parse_call, parse_card
from lessons import formulas
from lessons.exercises import (
    EXERCISES,
    AnswerGrade,
    Instance,
    NoSuchQuestion,
    NoVariant,
    ask,
    contexts,
    grade,
    rebuild,
)
from lessons.exercises.answers import Form
from lessons.exercises.contexts import EMPTY, Context, Family, OwnHand
from lessons.exercises.engine import LEAST, ExerciseKind, Value, Wrong, WrongLooks
from lessons.exercises.grading import how_built
from lessons.exercises.skills import Misconception, Skill
from tests.lessons.exercises.recompute import WRONG, right_answers, wrong_answers
from tests.rules.deals import finished, shuffled
from tests.scenes import SOAK, present
from tests.scenes.exercises import (
    FULL,
    KEYS,
    MANY,
    asked,
    context,
    cycle,
    dealt,
    deck_question,
    exercise_of,
    graded,
    most_forms,
    numbers,
    questions,
    right_texts,
    safety,
    seeds,
)
from tests.scenes.written import forms

MALFORMED = [
    "", "   ", "1/0", "1e400000", "٣/٤", "<script>alert(1)</script>", "=1+1", "9" * 41,
    "x" * 10_000, "one half", "1 2", "--1",
]  # fmt: skip


def listed(question: Instance) -> list[Wrong | WrongLooks]:
    """All wrong answers that the question knows."""
    return [*question.wrong, *question.looks]


# The registry


def test_all_types_are_there_once() -> None:
    assert [e.number for e in EXERCISES.values()] == list(range(1, len(EXERCISES) + 1))
    assert {exercise.lesson for exercise in EXERCISES.values()} == set(range(1, 11))
    assert {exercise.skill for exercise in EXERCISES.values()} == set(Skill)
    used = {code for exercise in EXERCISES.values() for code in exercise.misconceptions}
    assert used | {Misconception.AUTHORED} == set(Misconception)
    names = [m.title for m in Misconception] + [s.title for s in Skill]
    assert len(set(names)) == len(names)
    assert len({exercise.title for exercise in EXERCISES.values()}) == len(EXERCISES)


def test_families_kinds_and_levels_are_those_of_the_plan() -> None:
    plan = (
        "1nA 2nA 3gB 4pB 5gA 6pB 7nB 8cB 9nB 10nB 11pB 12nC 13pB 14nB 15nC 16cB 17pB 18nC 19cC "
        "20pA 21pB 22cC 23cB 24cB 25pB 26pA 27pB 28pA 29pB 30pB 31pC 32nA"
    )
    kinds = [f"{e.number}{e.kind.value}{e.level}" for e in EXERCISES.values()]
    assert " ".join(kinds) == plan
    bounds = {
        Family.DECK: (1, 9),
        Family.DEAL: (10, 12),
        Family.OWN_HAND: (13, 18),
        Family.TRICK: (19, 19),
        Family.ROUND: (20, 20),
        Family.CLASS: (21, 25),
    }
    for exercise in EXERCISES.values():
        low, high = bounds[exercise.family]
        assert low <= exercise.number <= high or exercise.number > 25
        assert exercise.level in exercise.levels
        assert sorted(exercise.levels) == list(exercise.levels)


def test_exercises_use_nothing_of_django_but_its_translation() -> None:
    folder = Path(contexts.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert not name.startswith("django") or name == "django.utils.translation"


def messages(path: Path) -> set[str]:
    """The texts that are marked in this file."""
    marks = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext"}
    return {
        str(text.value)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in marks
        for text in node.args
        if isinstance(text, ast.Constant)
    }


SOURCES = sorted(Path(contexts.__file__).parent.rglob("*.py"))


def test_messages_have_named_placeholders_only() -> None:
    """A bare percent sign would be taken for one."""
    for path in SOURCES:
        for text in messages(path):
            assert "%" not in re.sub(r"%\(\w+\)[sd]", "", text), text


def test_what_types_say_stands_on_their_pages() -> None:
    """In Python are names by number and what lessons show, too."""
    others = {"answers", "authored", "expressions", "grading"}
    found = {path.stem: messages(path) for path in SOURCES if path.stem not in others}
    assert {stem: texts for stem, texts in found.items() if texts} == {
        "bids": {"%(n)d place left of the dealer", "%(n)d places left of the dealer"},
        "texts": {*("%(n)d card", "%(n)d cards"), *("balls", "cubes", "cones", "stars")},
        "trick": {
            *("the player on your left", "the player on your right"),
            *("the player %(n)d place to your left", "the player %(n)d places to your left"),
        },
        "two_way_tables": {
            *("not %(call)s", "value %(value)d", "another value"),
            *("%(value)d or more", "less than %(value)d"),
            *("The cards", "all", "share of %(name)s", "Two cards, one after the other"),
        },
    }


# Each type over its seeds


@pytest.mark.parametrize("key", KEYS)
def test_questions_are_fair_and_rebuilt_exactly(key: str) -> None:
    exercise = exercise_of(key)
    seen = set()
    for seed, question in enumerate(questions(key)):
        assert question.is_fair
        assert question.seed == seed
        wrong = {each.misconception for each in listed(question)}
        assert wrong <= set(exercise.misconceptions)
        assert question.right.keys() == {field.key for field in question.fields}
        stored = json.dumps(question.to_json())
        assert rebuild(json.loads(stored)) == question
        seen.add(stored)
        assert exercise.level_of(question.parameters) == (
            key.partition(":")[2] or exercise.level
        )
    assert len(seen) > 1


@pytest.mark.parametrize("key", EXERCISES)
def test_every_misconception_of_a_type_can_show(key: str) -> None:
    """Rare ones are looked for among many seeds."""
    levels = [level for level in KEYS if exercise_of(level).key == key]
    missing = set(EXERCISES[key].misconceptions)
    for level, seed in ((each, seed) for each in levels for seed in seeds(each, MANY)):
        if not missing:
            break
        question = dealt(level, seed)
        missing -= {each.misconception for each in listed(question)}
    assert not missing


@pytest.mark.parametrize("key", KEYS)
def test_the_same_seed_and_context_give_the_same_question(key: str) -> None:
    for seed in range(5):
        try:
            assert asked(key, seed, context(key, seed)) == asked(key, seed, context(key, seed))
        except NoVariant:
            with pytest.raises(NoVariant):
                asked(key, seed, context(key, seed))
    assert len({json.dumps(question.parameters) for question in questions(key)}) >= 3


@pytest.mark.parametrize("key", KEYS)
def test_the_right_answer_recomputed(key: str) -> None:
    """From the parameters alone, by counting or another formula."""
    for question in questions(key):
        assert dict(question.right) == right_answers(question.exercise, question.parameters)


@pytest.mark.parametrize("key", WRONG)
def test_the_numbers_of_misconceptions_recomputed(key: str) -> None:
    for question in questions(key)[:60]:
        found: dict[str, set[object]] = {}
        for wrong in question.wrong:
            for answer in wrong.answers.values():
                if not isinstance(answer, str):
                    found.setdefault(wrong.misconception.value, set()).add(answer)
        assert found == wrong_answers(key, question.parameters)


@pytest.mark.parametrize("key", KEYS)
def test_the_right_answer_in_every_form(key: str) -> None:
    for question in graded(key):
        for nth in range(most_forms(question)):
            verdict = grade(question, right_texts(question, nth))
            assert verdict.grade is AnswerGrade.RIGHT, right_texts(question, nth)
            assert verdict.uses_attempt
    with override("fr"):
        question = questions(key)[0]
        verdict = grade(question, right_texts(question, 0, comma=True))
        assert verdict.grade is AnswerGrade.RIGHT


def wrong_texts(question: Instance, answers: Mapping[str, Value]) -> Iterator[dict[str, str]]:
    """Right in all fields but those of a listed wrong answer, in several forms."""
    form = {field.key: field.form for field in question.fields}
    for nth in range(4):
        texts = right_texts(question, nth)
        for key, answer in answers.items():
            texts[key] = (
                answer if isinstance(answer, str) else cycle(forms(answer, form[key]), 2 * nth)
            )
        yield texts


@pytest.mark.parametrize("key", KEYS)
def test_every_listed_wrong_answer_is_recognised(key: str) -> None:
    for question in graded(key):
        for wrong in question.wrong:
            hints = [w.hint for w in question.wrong if w.misconception is wrong.misconception]
            for texts in wrong_texts(question, wrong.answers):
                verdict = grade(question, texts)
                assert verdict.grade is AnswerGrade.WRONG, texts
                assert verdict.misconceptions == (wrong.misconception,), texts
                assert verdict.message in hints
                assert verdict.uses_attempt


LOOKS: dict[str, list[tuple[str, Callable[[int, int], int]]]] = {
    "count-curve": [
        ("equiprobable", lambda _place, _bars: 3),
        # A bell about the middle of all values.
        ("ignores-condition", lambda place, bars: 9 - 2 * abs(2 * place - bars + 1)),
    ],
    "deck-pie": [
        ("equiprobable", lambda _place, _slices: 50),
        ("percent-as-degrees", lambda place, slices: 20 if place else 120 - 20 * slices),
    ],
}
"""A height for each place among so many, that looks like a misconception."""


@pytest.mark.parametrize("key", LOOKS)
def test_wrong_graphs_are_recognised_by_their_looks(key: str) -> None:
    for question in questions(key):
        assert question.graph is not None
        built = next(series.fields for series in question.graph.series if series.fields)
        for misconception, height in LOOKS[key]:
            texts = right_texts(question, 0)
            for place, field in enumerate(built):
                texts[field] = str(max(0, height(place, len(built))))
            verdict = grade(question, texts)
            assert [found.value for found in verdict.misconceptions] == [misconception], texts
            assert "?" in verdict.message


@pytest.mark.parametrize("key", ["count-curve", "deck-pie", "how-many"])
def test_what_is_built_is_right_to_a_whole_unit(key: str) -> None:
    """The widget's own steps are enough, and one step beside is not."""
    for question in questions(key):
        assert question.graph is not None
        built = next(series.fields for series in question.graph.series if series.fields)
        forms_ = {field.key: field.form for field in question.fields}
        texts = right_texts(question, 0)
        for field in built:
            exact = question.right[field]
            assert isinstance(exact, Fraction)
            exact *= 100 if forms_[field] is Form.PERCENT else 1
            texts[field] = str(round(exact)) + ("%" * (forms_[field] is Form.PERCENT))
        assert grade(question, texts).grade is AnswerGrade.RIGHT
        first = built[0]
        number, mark, _ = texts[first].partition("%")
        texts[first] = f"{int(number) + 2}{mark}"
        assert grade(question, texts).grade is AnswerGrade.WRONG


@pytest.mark.parametrize("key", KEYS)
def test_malformed_answers_are_harmless(key: str) -> None:
    for question in questions(key)[:: 4 if SOAK else 8]:
        good = right_texts(question, 0)
        for field in question.fields:
            for text in MALFORMED:
                verdict = grade(question, {**good, field.key: text})
                assert verdict.grade is AnswerGrade.UNREADABLE
                assert not verdict.uses_attempt
                assert verdict.fields == {field.key: AnswerGrade.UNREADABLE}
                assert "script" not in verdict.message
                assert len(verdict.message) < 250
        empty = grade(question, {})
        assert not empty.uses_attempt
        assert empty.fields.keys() == question.right.keys()
        if {each.form is Form.CHOICE for each in question.fields} == {False}:
            built = question.graph.fields if question.graph else ()
            typed = [f for f in question.fields if f.key not in built]
            if question.graph:  # how it is built, not which of its bars is missing
                assert empty.message.startswith(how_built(question.graph))
            assert ("Type an answer first." in empty.message) is bool(typed)
            assert not any(
                f"{f.label}:" in empty.message for f in question.fields if f not in typed
            )


def test_numbers_are_found() -> None:
    assert numbers("3/8, 37.5 % or 1 in 3; 12") >= {
        Fraction(3, 8), Fraction(1, 3), Fraction(12)
    }  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_hints_ask_and_do_not_tell(key: str) -> None:
    for question in questions(key):
        labels = {
            option.label
            for field in question.fields
            for option in field.options
            if question.right[field.key] == option.key and not option.label.isdigit()
        }
        values = {answer for answer in question.right.values() if isinstance(answer, Fraction)}
        values |= {
            Fraction(str(answer)) for answer in question.right.values() if str(answer).isdigit()
        }
        for wrong in listed(question):
            assert wrong.hint.rstrip().endswith(("?", "."))
            assert "?" in wrong.hint
            assert len(wrong.hint) < 220
            assert not numbers(wrong.hint) & values
            assert not any(label in wrong.hint for label in labels)


@pytest.mark.parametrize("key", KEYS)
def test_formulas_become_mathml(key: str) -> None:
    for question in questions(key)[:40]:
        options = [option.label for field in question.fields for option in field.options]
        for text in (question.prompt, *question.solution, *options):
            markup = formulas.html(text)
            assert "\\" not in markup
            assert " style=" not in markup
            assert markup.count("<math") == sum(
                len(formulas.pieces(formula)) for formula in formulas.formulas(text)
            )
            assert "%(" not in text
            assert not re.search(r"\\sqrt\{[^}]*\\frac", text)
        assert question.solution


def test_a_long_formula_breaks_at_relations_and_sums_outside_of_braces() -> None:
    latex = (
        r"(4 \cdot 3 + 10 \cdot 9 + 16 \cdot 15) / 81 = \frac{4 + 5 + 6 = 15}{81} \approx 0.185"
    )
    assert formulas.pieces(latex) == [
        r"(4 \cdot 3 + ",
        r"10 \cdot 9 + ",
        r"16 \cdot 15) / 81",
        r" = \frac{4 + 5 + 6 = 15}{81}",
        r" \approx 0.185",
    ]
    assert formulas.html(rf"\({latex}\)").count("<wbr>") == 4
    assert formulas.pieces("1 + 2 = 3") == ["1 + 2 = 3"]


def test_texts_are_escaped_around_formulas() -> None:
    markup = formulas.html(r"1 < 2 & \(\frac{1}{2}\) <b>")
    assert markup.startswith("1 &lt; 2 &amp; <math")
    assert "<mfrac>" in markup
    assert markup.endswith("</math> &lt;b&gt;")


@pytest.mark.parametrize("key", KEYS)
def test_the_solution_gives_the_answer(key: str) -> None:
    """The worked solution holds every right number, as a fraction or a decimal."""
    for question in questions(key)[:40]:
        text = " ".join(question.solution)
        for field in question.fields:
            answer = question.right[field.key]
            if isinstance(answer, str) or field.key.startswith("b"):
                continue
            shown = {*forms(answer, field.form)[:2]}
            if isinstance(answer, Fraction):
                shown |= {rf"\frac{{{answer.numerator}}}{{{answer.denominator}}}", str(answer)}
            plain = {
                text_.rstrip("0").rstrip(".") if "." in text_ else text_ for text_ in shown
            }
            assert any(text_ in text for text_ in shown | plain), (field.key, shown, text)


def test_the_steps_to_a_void_add_up_as_printed() -> None:
    for question in questions("any-void"):
        formula = "".join(re.findall(r"\\\((.*?)\\\)", question.solution[-1]))
        parts, total = formula.replace(" ", "").split("=")
        terms = re.findall(r"[+-]?[0-9.]+", parts)
        assert sum(map(Fraction, terms)) == Fraction(total)
        steps = " ".join(question.solution[:-1]).replace("- ", "-")
        assert all(term.lstrip("+-") in steps for term in terms)
        right = question.right["chance"]
        assert isinstance(right, Fraction)
        assert abs(right - Fraction(total)) <= Fraction(
            1, 2 * 10 ** len(total.partition(".")[2])
        )


def test_texts_follow_the_language() -> None:
    with override("fr"):
        question = rebuild(questions("frequency")[0].to_json())
    assert re.search(r"\d,\d", question.prompt)
    assert not re.search(r"\d\.\d", " ".join((question.prompt, *question.solution)))
    assert r"\text{" in " ".join(question.solution)


@pytest.mark.parametrize("key", KEYS)
def test_large_numbers_are_in_groups_of_three(key: str) -> None:
    with override("fr"):
        for asked in questions(key)[:4]:
            question = rebuild(asked.to_json())
            texts = [question.prompt, *question.solution]
            for table in question.tables:
                texts += [table.caption, *map(str, (c for row in table.rows for c in row))]
            for text in texts:
                assert not re.search(r"(?<![\d,])\d{5}", re.sub(r"\\\(.*?\\\)", "", text))
            if key == "bid-evidence":
                assert "10\u202f000 donnes" in question.tables[0].caption
                assert question.tables[0].rows[-1][-1] == "10\u202f000"


# Grading beside the seeds


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("81", AnswerGrade.RIGHT),
        ("8100 %", AnswerGrade.FORM),
        ("81 in 1", AnswerGrade.FORM),
        ("81°", AnswerGrade.FORM),
        ("50 %", AnswerGrade.WRONG),
        ("1 in 3", AnswerGrade.WRONG),
        ("80", AnswerGrade.WRONG),
    ],
)
def test_a_right_value_in_a_wrong_form_costs_nothing(text: str, outcome: AnswerGrade) -> None:
    verdict = grade(deck_question("deck-size", **FULL), text)
    assert verdict.grade is outcome
    assert verdict.uses_attempt == (outcome in (AnswerGrade.RIGHT, AnswerGrade.WRONG))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("16/81", AnswerGrade.RIGHT),
        ("19.8 %", AnswerGrade.RIGHT),
        ("19.8", AnswerGrade.FORM),
        ("0.2", AnswerGrade.FORM),
        ("0.197", AnswerGrade.FORM),
        ("0.195", AnswerGrade.WRONG),
        ("16", AnswerGrade.WRONG),
        ("16°", AnswerGrade.WRONG),
    ],
)
def test_a_chance(text: str, outcome: AnswerGrade) -> None:
    assert grade(deck_question("value-chance", value=7), text).grade is outcome


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("16", "How many fit, of how many?"),
        ("16 cards", "How many fit, of how many?"),
        ("150 %", "A chance is 0 to 1"),
        ("1.5", "A chance is 0 to 1"),
        ("-1/9", "A chance is 0 to 1"),
        ("0.7", "Far too high. Read the question once more."),
    ],
)
def test_what_can_be_no_chance_is_told(text: str, told: str) -> None:
    assert told in grade(deck_question("value-chance", value=7), text).message
    typed = {"shown": text, "valued": "1/27"}
    pair = grade(deck_question("inverse-chance", call="1-cube", value=10), typed)
    assert told in pair.message
    assert pair.fields == {"shown": AnswerGrade.WRONG, "valued": AnswerGrade.RIGHT}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0.3", "A count is a whole number, like 12."),
        ("-7", "A count is a whole number, like 12."),
        ("7", "Far too low."),
        ("500", "Far too high."),
        ("77", "About the right size, but not exact."),
    ],
)
def test_a_number_that_no_mistake_explains_is_told_what_can_be_seen_of_it(
    text: str, told: str
) -> None:
    verdict = grade(deck_question("deck-size", **FULL), text)
    assert not verdict.misconceptions
    assert verdict.message.startswith(told)


def test_a_wrong_value_in_a_wrong_form_is_told_both() -> None:
    verdict = grade(deck_question("deck-size", **FULL), "1200 %")
    assert verdict.misconceptions == (Misconception.ADDS_CHOICES,)
    assert verdict.message.endswith("no percent sign, no “1 in”.")


def test_fields_are_judged_together() -> None:
    question = deck_question("inverse-chance", call="1-cube", value=10)
    assert dict(question.right) == {"shown": Fraction(1, 10), "valued": Fraction(1, 27)}
    swapped = grade(question, {"shown": "1/27", "valued": "1/10"})
    assert swapped.misconceptions == (Misconception.INVERSE,)
    joint = grade(question, {"shown": "1/81", "valued": "1/81"})
    assert joint.misconceptions == (Misconception.JOINT,)
    both = grade(question, {"shown": "1/27", "valued": "1/81"})
    assert set(both.misconceptions) == {Misconception.INVERSE, Misconception.JOINT}
    half = grade(question, {"shown": "0.1", "valued": "1/30"})
    assert half.fields == {"shown": AnswerGrade.RIGHT, "valued": AnswerGrade.WRONG}
    rough = grade(question, {"shown": "0.1", "valued": "0.037"})
    assert rough.grade is AnswerGrade.FORM
    assert rough.fields == {"shown": AnswerGrade.RIGHT, "valued": AnswerGrade.FORM}
    beside = grade(question, {"shown": "1/7", "valued": "0.037"})  # no tick that goes again
    assert beside.fields == {"shown": AnswerGrade.WRONG, "valued": AnswerGrade.FORM}
    assert "Give three digits" in beside.message
    quiet = grade(question, {"shown": "1/27", "valued": "what?"})
    assert quiet.fields == {"valued": AnswerGrade.UNREADABLE}
    assert quiet.message.startswith("Its value is 10")


def test_a_rough_wrong_answer_is_still_recognised() -> None:
    question = deck_question("deck-spread", **FULL)
    good = right_texts(question, 0)
    assert grade(question, {**good, "sd": "2.7"}).misconceptions == (
        Misconception.VARIANCE_FOR_SD,
    )


FIGURES = [
    ("deck-size", FULL, {"cards": "81"}, {"cards": ("12", "64")}),
    ("deck-spread", FULL, {"sd": "1.633", "within1": "51/81"}, {"sd": ("2.67", "1.643")}),
    ("deck-spread", FULL, {"within2": "79/81"}, {"within1": ("68 %",)}),
    (
        "deck-pie",
        {"slices": "patterns", **FULL},
        {"s1": "106.7", "s3": "13.3"},
        {"s0": ("44.4",)},
    ),
    ("equal-values", FULL, {"chance": "19/120"}, {"chance": ("0.1687", "1/9")}),
    (
        "either-chance",
        {"events": [["call", "1-ball"], ["call", "1-cube"]]},
        {"chance": "45/81"},
        {"chance": ("54/81", "1/9")},
    ),
    (
        "none-of-them",
        {"mark": ["call", "1-ball"], "drawn": 8},
        {"chance": "0.0323"},
        {"chance": ("0.0390", "1/3")},
    ),
    (
        "expected-number",
        {"mark": ["call", "1-ball"], "dealt": 8, "hand": []},
        {"expected": "8/3"},
        {"expected": ("1/3", "3")},
    ),
    (
        "any-void",
        {**FULL, "asked": [1, 2, 3], "drawn": 8},
        {"chance": "0.339"},
        {"chance": ("0.388", "0.326")},
    ),
    (
        "safe-lead",
        {
            "hand": "1133 3333 3331 3332 2222 2223 2232 2322".split(),
            "played": [],
            "invented": True,
            "lead": ["1133", "1-ball"],
            "elsewhere": 24,
            "seats": 4,
        },
        {},
        {"chance": ("1/4",)},
    ),
]


@pytest.mark.parametrize(("key", "parameters", "right", "wrong"), FIGURES)
def test_the_plans_figures(
    key: str, parameters: dict[str, object], right: dict[str, str], wrong: dict[str, tuple[str]]
) -> None:
    question = deck_question(key, **parameters)
    good = right_texts(question, 0)
    assert grade(question, {**good, **right}).grade is AnswerGrade.RIGHT
    for field, texts in wrong.items():
        codes = {grade(question, {**good, field: text}).misconceptions for text in texts}
        assert () not in codes


# Contexts


def test_what_needs_no_context() -> None:
    for key, exercise in EXERCISES.items():
        if exercise.family in (Family.DECK, Family.DEAL):
            assert exercise.suits(EMPTY)
        else:
            assert not exercise.suits(EMPTY)
            with pytest.raises(NoVariant):
                ask(key, 1, EMPTY)


def test_an_own_hand_question_changes_with_nothing_that_is_hidden() -> None:
    """Deal the hidden cards anew: the same seat gets the same question."""
    rng = random.Random(9)
    for _ in range(20 if SOAK else 8):
        hands = shuffled(rng, 4)
        hidden = [card for hand in hands[1:] for card in hand]
        rng.shuffle(hidden)
        others = (hands[0], *(tuple(hidden[8 * k : 8 * k + 8]) for k in range(3)))
        seen = [
            OwnHand.by(observe(Round.start(variant=Variant.WIN, hands=h, dealer=3), 0))
            for h in (hands, others)
        ]
        assert seen[0] == seen[1]
        for key, exercise in EXERCISES.items():
            if exercise.family is Family.OWN_HAND and exercise.suits(Context(hand=seen[0])):
                one, other = (ask(key, 3, Context(hand=hand)) for hand in seen)
                assert one == other


def test_a_question_on_a_lead_after_some_tricks() -> None:
    """While nobody has sloughed, and only then; unseen is what was not played."""
    rng = random.Random(21)
    asked = 0
    for _ in range(120 if SOAK else 60):
        round = Round.start(variant=Variant.WIN, hands=shuffled(rng, 3), dealer=2)
        for _ in range(rng.choice((3, 6))):
            round = round.apply(rng.choice(round.legal_moves()))
        hand = OwnHand.by(observe(round, 0))
        assert len(hand.dealt) == 8
        try:
            question = ask("safe-lead", 1, Context(hand=hand))
        except NoVariant:
            continue
        asked += 1
        assert not any(hand.unseen.voids)
        assert len(question.parameters["played"]) == sum(len(t.plays) for t in round.tricks)
        lead = question.parameters["lead"]
        card = next(card for card in hand.hand if card.code == lead[0])
        call = next(call for call in card.calls if str(call) == lead[1])
        assert question.right["chance"] == safety(hand.unseen, card, call)
    assert asked > 10


def test_leads_are_asked_about_only_where_a_lead_may_be_safe() -> None:
    """With ten hands one card is undealt: two that could beat a lead cannot both lie there."""
    rng = random.Random(4)
    for seats in (2, 9, 10):
        asked = Counter[str]()
        for key in ("safe-lead", "safest-lead"):
            for seed in range(60 if SOAK else 20):
                hand = OwnHand(0, tuple(rng.sample(DECK, 8)), (8,) * seats, invented=True)
                try:
                    question = ask(key, seed, Context(hand=hand))
                except NoVariant:
                    continue
                asked[key] += 1
                if key == "safe-lead":
                    assert question.right["chance"] > 0  # type: ignore[operator]
                    continue
                leads = [
                    (parse_card(card), parse_call(call))
                    for card, call in question.parameters["leads"]
                ]
                chances = [safety(hand.unseen, card, call) for card, call in leads]
                best = [n for n, chance in enumerate(chances) if chance == max(chances)]
                keys = ("first", "second", "third")
                said = keys[best[0]] if len(best) == 1 else "equal"
                assert question.right["lead"] == said
        assert (asked["safe-lead"] > 0) is (seats < 10)
        assert asked["safest-lead"]


def test_a_lead_is_asked_about_without_many_vain_draws() -> None:
    """What is too unlikely to be asked for is not drawn in the first place."""
    for seed in range(300 if SOAK else 100):
        hand = context("safe-lead", seed)
        try:
            drawn = EXERCISES["safe-lead"].draw(random.Random(seed), hand)
        except NoVariant:
            continue
        right = EXERCISES["safe-lead"].build(drawn).right["chance"]
        assert isinstance(right, Fraction)
        assert right >= LEAST


def test_a_students_own_forecast_is_asked_or_left() -> None:
    hand = present(context("best-bid", 1).hand)
    good = replace(hand, forecast=(35, 20, 20, 25, 0, 0, 0, 0, 0))
    assert ask("best-bid", 1, Context(hand=good)).parameters["own"]
    for forecast in ((100, *[0] * 8), (50, 50, *[0] * 7), (10, 10), (101, -1, *[0] * 7)):
        with pytest.raises(NoVariant):
            ask("best-bid", 1, Context(hand=replace(hand, forecast=forecast)))


def test_few_hands_and_few_students_make_no_class_question() -> None:
    results = present(context("frequency", 1).results)
    few = Context(results=replace(results, hands=results.hands[:9]))
    alone = Context(results=replace(results, students=4))
    assert not EXERCISES["frequency"].suits(few)
    assert EXERCISES["frequency"].suits(alone)
    assert not EXERCISES["bid-errors"].suits(alone)


def test_a_round_without_bids_has_no_hook() -> None:
    rng = random.Random(2)
    won = contexts.FinishedRound.by(finished("win", 4, 0, rng))
    bid = contexts.FinishedRound.by(finished("bid", 4, 0, rng))
    assert not EXERCISES["hook"].suits(Context(round=won))
    assert EXERCISES["hook"].suits(Context(round=bid))
    with pytest.raises(ValueError, match="not over"):
        contexts.FinishedRound.by(
            Round.start(variant=Variant.WIN, hands=shuffled(rng, 2), dealer=0)
        )


WITHOUT_HAND = {
    **{"invented": True, "call": "3-ball", "card": "3222", "trick": ["3111"], "of": "class"},
    **{"players": [[1, 7, True], [2, 8, False]], "shown": 1, "other": 2, "among": "two"},
    **{"outside": 40, "undealt": 50, "seats": 3},
}
"""A question about a trick whose hand, which only its page shows, is not stored."""


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"exercise": "no-such", "seed": 1, "parameters": {}},
        {"exercise": "deck-size", "seed": 1, "parameters": {}},
        {"exercise": "deck-size", "seed": 1, "parameters": None},
        {"exercise": "deck-size", "seed": 1, "parameters": {"shapes": [], "counts": []}},
        {
            "exercise": "independence",
            "seed": 1,
            "parameters": {
                "events": [["call", "1-ball"], ["call", "1-cube"]],
                "order": {"reason": 3},
            },
        },
        {
            "exercise": "independence",
            "seed": 1,
            "parameters": {"events": [["call", "1-ball"], ["call", "1-cube"]], "order": None},
        },
        {"exercise": "value-chance", "seed": 1, "parameters": {"value": 99}},
        {"exercise": "best-bid", "seed": 1, "parameters": {"forecast": [1], "own": False}},
        {"exercise": ["deck-size"], "seed": 1, "parameters": {}},
        {"exercise": "after-slough", "seed": 1, "parameters": WITHOUT_HAND},
    ],
)
def test_what_no_exercise_stored_is_refused(stored: dict[str, object]) -> None:
    with pytest.raises(NoSuchQuestion):
        rebuild(stored)


def test_graphs_say_which_series_the_student_builds() -> None:
    for key, exercise in EXERCISES.items():
        for question in questions(key)[:5]:
            has_one = exercise.kind is ExerciseKind.GRAPH or key == "how-many"
            assert (question.graph is not None) == has_one
            if question.graph is not None:
                built = [series for series in question.graph.series if series.fields]
                assert len(built) == 1
                places = [
                    place
                    for series in question.graph.series[-1 if key != "how-many" else 0 :]
                    for place in series.places or range(len(series.fields))
                ]
                assert sorted(places) == list(range(len(question.graph.categories)))
                assert set(built[0].fields) <= {field.key for field in question.fields}


def test_choices_come_with_a_reason_or_a_number() -> None:
    for key, exercise in EXERCISES.items():
        if exercise.kind is ExerciseKind.CHOICE:
            question = questions(key)[0]
            reasons = [field for field in question.fields if field.key == "reason"]
            assert all(len(reason.options) >= 3 for reason in reasons)
            assert reasons or any(field.form is not Form.CHOICE for field in question.fields)
