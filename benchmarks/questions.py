"""What a question costs through its pages: server CPU to ask one and to grade an answer, for
each type, with database, session and templates.

From the repository's root, in its environment::

    python -m benchmarks.questions

A temporary SQLite file, Django's own test client, no network. ``ask_ms`` is "Another one" as
htmx asks for it, which generates, stores and draws; ``answer_ms`` grades a wrong answer, stores
it and draws the question with its hint. Beside them ``page_ms``, the same question only read
again and drawn: what is left of the others is generating, grading and storing. Medians, and the
worst single pair of each type; one JSON line a type, then the dearest beside the budget.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from statistics import median
from typing import Any

from benchmarks.results import set_up

FOLDER = tempfile.TemporaryDirectory()
set_up(FOLDER.name)

from django.test import Client  # noqa: E402

from benchmarks.exercises import cpu_ms, tell, wrong_answer  # noqa: E402
from lessons.exercises import EXERCISES, rebuild  # noqa: E402
from lessons.models import Question  # noqa: E402

HTMX = {"HX-Request": "true"}


def timed(browser: Client, path: str, form: dict[str, str] | None) -> float:
    start = time.process_time_ns()
    answer = (
        browser.get(path, headers=HTMX)
        if form is None
        else browser.post(path, form, headers=HTMX)
    )
    took = cpu_ms(start)
    assert answer.status_code == 200, answer.status_code
    return took


def measure(browser: Client, key: str, times: int) -> dict[str, Any]:
    browser.post("/lessons/practice/", {"exercise": key})
    asked, answered, shown = [], [], []
    for _time in range(times):
        path = Question.objects.latest("pk").get_absolute_url()
        asked.append(timed(browser, f"{path}another/", {}))
        question = Question.objects.latest("pk")
        path = question.get_absolute_url()
        texts = wrong_answer(rebuild(question.to_json()))
        answered.append(timed(browser, f"{path}answer/", {"number": "0", **texts}))
        shown.append(timed(browser, path, None))
    return {
        "exercise": key,
        "ask_ms": round(median(asked), 1),
        "answer_ms": round(median(answered), 1),
        "page_ms": round(median(shown), 1),
        "worst_ms": round(max(asked) + max(answered), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=40)
    times = parser.parse_args().times
    browser = Client()
    rows = [measure(browser, key, times) for key in EXERCISES]
    tell(rows, "ask_ms", "answer_ms", digits=1)


if __name__ == "__main__":
    main()
