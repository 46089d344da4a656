"""Questions that a teacher has written: read, told what is wrong where, asked and graded."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from django.utils import translation

from lessons.exercises import AnswerGrade, grade, rebuild
from lessons.exercises.authored import LONGEST, Authored, read_questions
from lessons.exercises.engine import Instance
from xactika_site.texts import Problem

MEAN = """\
# Mean of four
These [count()] cards lie on the table. What is the mean of their values?
cards: 1332 2113 3331 1122
number: Mean value
right: mean(value)
wrong: sum(value)
> You added up. How many cards share that?
choice: Which is worth most?
- 1332
> Add its counts up.
+ 3331
- 2113
hint: Add the values first.
solve: They add up to [sum(value)].
"""
PROMPT = "These [count()] cards lie on the table. What is the mean of their values?\n"
HAND = """\
# Main
Quelle part de ta main montre 3 étoiles ?
main: 8
probabilité: Part de la main
juste: part(étoiles=3)
"""


def only(text: str) -> Authored | Problem:
    (question,) = read_questions(text)
    assert isinstance(question, Authored | Problem)
    return question


def asked(text: str, seed: int = 1) -> Instance:
    question = only(text)
    assert isinstance(question, Authored)
    return rebuild({"exercise": "authored", "parameters": question.parameters(Random(seed))})


def test_it_is_asked_and_graded_like_any_other() -> None:
    question = asked(MEAN)
    assert question.prompt.startswith("These 4 cards")
    assert question.right == {"f0": Fraction(8), "f1": "o1"}
    assert question.solution[0] == "They add up to 32."
    assert question.solution[1:] == ("Mean value: \\(8\\)", "Which is worth most? 3331")
    assert grade(question, {"f0": "8", "f1": "o1"}).grade is AnswerGrade.RIGHT
    wrong = grade(question, {"f0": "32", "f1": "o1"})
    assert wrong.grade is AnswerGrade.WRONG
    assert wrong.message.startswith("You added up")
    assert grade(question, {"f0": "8", "f1": "o0"}).message == "Add its counts up."


def test_a_hand_is_drawn_anew_and_stays_with_its_question() -> None:
    hands = {asked(HAND, seed).cards[0].codes for seed in range(20)}
    assert len(hands) == 20
    question = asked(HAND)
    threes = sum(code[3] == "3" for code in question.cards[0].codes)
    assert question.right == {"f0": Fraction(threes, 8)}


def test_small_slips_of_the_hand_are_no_problem() -> None:
    """A space before a colon, as French has it; a capital; another dash; no space behind #."""
    typed = MEAN.replace("# ", "#").replace("- ", "– ")
    for word in ("cards", "right", "hint", "choice"):
        typed = typed.replace(f"{word}:", f"{word.capitalize()}\u00a0:")
    question = asked(typed)
    assert question.right == {"f0": Fraction(8), "f1": "o1"}
    assert "cards" not in question.prompt.split("lie")[1]


def test_one_broken_question_spoils_no_other() -> None:
    found = [*read_questions(f"{MEAN}\n# Broken\nWhat?\n\n{HAND}")]
    assert [isinstance(each, Authored) for each in found] == [True, False, True]
    assert isinstance(found[1], Problem)
    assert found[1].line == 16


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("# Mean of four\n", "", 1, "begins with a heading"),
        (PROMPT, "", 1, "what you ask"),
        ("1122", "1142", 3, "“1142” is no card"),
        ("1122", "1332", 3, "1332 is here twice"),
        ("mean(value)", "mean(velue)", 5, "“velue”"),
        ("right: mean(value)\n", "", 4, "what’s right"),
        ("> You added up. How many cards share that?\n", "", 6, "after “>”"),
        ("wrong: sum(value)", "wrong: 8", 6, "the right answer, or too close"),
        ("number: Mean", "chance: Mean", 5, "as 0 to 1, like 3/100; this is 8"),
        ("+ 3331", "- 3331", 8, "Mark one answer, the right one"),
        ("- 2113", "+ 2113", 12, "Mark one answer, the right one"),
        ("hint: Add", "hand: two\nhint: Add", 13, "from 1 to 20"),
        ("hint: Add", "hand: 000130\nhint: Add", 13, "from 1 to 20"),
        ("hint: Add", "level: B\nhint: Add", 13, "this kind of question"),
        ("[sum(value)]", "[sum(]", 14, "missing at the end"),
        ("What is", "What is " + LONGEST * "x", 1, f"{LONGEST} letters"),
        ("number: Mean", "number Mean", 4, "with a colon"),
        ("hint: Add", "hint Add", 13, "with a colon"),
        ("solve: They", "They solve it.\nsolve They", 15, "with a colon"),
        ("sum(value)].\n", "sum(value)].\nSo divide by 4.\n", 15, "Put this line above"),
        ("number: Mean", "percent: Mean", 5, "like 3/100; this is 8"),
    ],
)
def test_what_is_wrong_is_told_where(old: str, new: str, line: int, told: str) -> None:
    problem = only(MEAN.replace(old, new, 1))
    assert isinstance(problem, Problem), problem
    assert told in problem.message
    assert problem.line == line


def test_what_is_told_is_french_in_french() -> None:
    with translation.override("fr"):
        problem = only(HAND.replace("part(étoiles=3)", "part(comètes=3)"))
    assert isinstance(problem, Problem)
    assert "comètes" in problem.message
    assert "A card has" not in problem.message


def test_a_text_is_text() -> None:
    text = MEAN.replace("the mean of", "<script>x</script> \\(x\\) of")
    assert "<script>" in asked(text).prompt  # pages escape it as any other text
