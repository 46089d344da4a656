"""What a question costs: CPU time to generate and to grade, for each of the 25 types.

From the repository's root, in its environment::

    python -m benchmarks.exercises

Each type is asked over many seeds in contexts that are invented beforehand; a question is
graded with a wrong answer, which compares with everything. ``mathml_ms`` is what its formulas
cost on top, prompt and solution, when they are not remembered. ``first_ms`` is the very first
question of a type, with cold caches; a context that holds no fair question is counted, too,
since somebody waits for that answer as well. One JSON line a type, then the dearest of all
beside the budget.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from random import Random
from statistics import median
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
django.setup()

from lessons import formulas  # noqa: E402
from lessons.exercises import EXERCISES, Instance, NoVariant, ask, grade  # noqa: E402
from lessons.exercises.answers import Form  # noqa: E402
from lessons.exercises.contexts import invent  # noqa: E402

BUDGET_MS = 20


def wrong_answer(question: Instance) -> dict[str, str]:
    """Readable in every field, right in hardly any."""
    return {
        field.key: field.options[-1].key if field.form is Form.CHOICE else "0.123456789"
        for field in question.fields
    }


def cpu_ms(start: int) -> float:
    return (time.process_time_ns() - start) / 1e6


def measure(key: str, seeds: int) -> dict[str, Any]:
    family = EXERCISES[key].family
    contexts = [invent(Random(seed), [family]) for seed in range(seeds)]
    generated, graded, drawn, none = [], [], [], 0
    for seed, context in enumerate(contexts):
        start = time.process_time_ns()
        try:
            question = ask(key, seed, context)
        except NoVariant:
            question, none = None, none + 1
        generated.append(cpu_ms(start))
        if question is not None:
            answer = wrong_answer(question)
            start = time.process_time_ns()
            grade(question, answer)
            graded.append(cpu_ms(start))
            formulas.mathml.cache_clear()
            start = time.process_time_ns()
            for text in (question.prompt, *question.solution):
                formulas.html(text)
            drawn.append(cpu_ms(start))
    return {
        "exercise": key,
        "questions": len(graded),
        "none_fair": none,
        "generate_ms": round(median(generated), 2),
        "grade_ms": round(median(graded), 2),
        "mathml_ms": round(median(drawn), 2),
        "worst_ms": round(max(generated) + max(graded), 2),
        "first_ms": round(generated[0], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=300)
    seeds = parser.parse_args().seeds
    tell([measure(key, seeds) for key in EXERCISES], "generate_ms", "grade_ms", digits=2)


def tell(rows: list[dict[str, Any]], one: str, other: str, *, digits: int) -> None:
    """Print a line a type, then the dearest of all, by the sum of these two figures and by the
    worst, beside the budget."""
    for row in rows:
        print(json.dumps(row))
    dearest = max(rows, key=lambda row: row[one] + row[other])
    worst = max(rows, key=lambda row: row["worst_ms"])
    line = {
        "dearest": dearest["exercise"],
        "ms": round(dearest[one] + dearest[other], digits),
        "worst": worst["exercise"],
        "worst_ms": worst["worst_ms"],
        "budget_ms": BUDGET_MS,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
