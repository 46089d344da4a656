"""The pool of whatever simulates: places, turns, what is dropped, what is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from games.analysis import jobs
from games.analysis.jobs import Answers, Pool, StillCounting, TooMany, asker, report


class Work:
    """Questions that note when they are begun; each waits for ``go``, once it is shut."""

    def __init__(self) -> None:
        self.begun: list[object] = []
        self.go, self.has_begun = threading.Event(), threading.Semaphore(0)
        self.go.set()

    def on(self, question: object) -> Callable[[], object]:
        def compute() -> object:
            self.begun.append(question)
            self.has_begun.release()
            assert self.go.wait(10)
            report(1, 2)
            return f"answer to {question}"

        return compute


@pytest.fixture
def work() -> Iterator[Work]:
    work = Work()
    yield work
    work.go.set()


@pytest.fixture
def pool() -> Pool:
    return Pool(1)


def ask(pool: Pool, work: Work, question: object, owner: str) -> jobs.Job:
    """Ask as a page does; the job that it is told of."""
    token = asker.set(lambda: owner)
    try:
        with pytest.raises(StillCounting) as told:
            pool.answer(question, work.on(question))
        return told.value.job
    finally:
        asker.reset(token)


def busy(pool: Pool, work: Work) -> jobs.Job:
    """Have the pool's thread work on something until ``go``."""
    work.go.clear()
    job = ask(pool, work, "first", "somebody")
    assert work.has_begun.acquire(timeout=10)
    return job


def done(work: Work, *those: jobs.Job) -> None:
    work.go.set()
    for job in those:
        job.done.result(10)


def test_who_is_no_page_waits_for_the_answer(pool: Pool, work: Work) -> None:
    assert pool.answer("q", work.on("q")) == "answer to q"
    assert pool.answer("q", work.on("q")) == "answer to q"
    assert work.begun == ["q"]
    assert pool.waiting() == 0


def test_a_page_is_told_to_come_back_and_finds_it(pool: Pool, work: Work) -> None:
    ask(pool, work, "q", "ada").done.result(10)
    asker.set(lambda: "ada")
    try:
        assert pool.answer("q", work.on("q")) == "answer to q"
    finally:
        asker.set(None)
    assert work.begun == ["q"]


def test_a_newer_question_takes_the_place_of_the_older(pool: Pool, work: Work) -> None:
    first = busy(pool, work)
    for n in range(50):
        last = ask(pool, work, n, "ada")
    assert pool.waiting() == 2
    done(work, first, last)
    assert work.begun == ["first", 49]


def test_a_job_that_is_dropped_lets_go_of_who_waits(pool: Pool, work: Work) -> None:
    """The page asks anew."""
    first = busy(pool, work)
    older = ask(pool, work, "older", "ada")
    newer = ask(pool, work, "newer", "ada")
    assert older.done.result(10) is None
    assert pool.answers.get("older") is None
    done(work, first, newer)


def test_places_take_turns(pool: Pool, work: Work) -> None:
    """Whoever is not known shares a place: its thirty questions and one of somebody else's."""
    first = busy(pool, work)
    many = [ask(pool, work, n, jobs.NOBODY) for n in range(30)]
    ada = ask(pool, work, "ada's", "ada")
    done(work, first, ada, *many)
    assert work.begun.index("ada's") <= 2


def test_the_shared_place_has_a_bound_too(pool: Pool, work: Work) -> None:
    first = busy(pool, work)
    many = [ask(pool, work, n, jobs.NOBODY) for n in range(3 * jobs.SHARED)]
    assert pool.waiting() == 1 + jobs.SHARED
    done(work, first, *many[-jobs.SHARED :])
    assert work.begun[1:] == list(range(2 * jobs.SHARED, 3 * jobs.SHARED))


def test_what_nobody_waits_for_is_never_begun(pool: Pool, work: Work) -> None:
    """Sixty that hang up at once, as pages say it."""
    first = busy(pool, work)
    for n in range(60):
        job = ask(pool, work, n, jobs.NOBODY)
        job.hold()
        job.let_go(jobs.NOBODY, comes_back=False)
    ada = ask(pool, work, "ada's", "ada")
    done(work, first, ada)
    assert work.begun == ["first", "ada's"]
    assert pool.waiting() == 0


def test_what_is_begun_ends_in_between(pool: Pool, work: Work) -> None:
    first = busy(pool, work)
    first.leave("somebody")
    done(work, first)
    assert pool.answers.get("first") is None
    assert pool.waiting() == 0


def test_what_another_page_waits_for_goes_on(pool: Pool, work: Work) -> None:
    first = busy(pool, work)
    first.hold()
    ask(pool, work, "other", "somebody")
    done(work, first)
    assert pool.answers.get("first") == ("answer to first",)


def test_a_class_that_asks_one_thing_has_it_computed_once(pool: Pool, work: Work) -> None:
    first = busy(pool, work)
    those = {ask(pool, work, "the same", f"student {n}") for n in range(30)}
    assert len(those) == 1
    done(work, first, *those)
    assert work.begun == ["first", "the same"]


def test_it_tells_how_far_it_has_come(pool: Pool, work: Work) -> None:
    told: list[float] = []

    def compute() -> str:
        report(3, 4)
        told.append(job.progress)
        return "done"

    work.go.clear()
    first = ask(pool, work, "first", "somebody")
    token = asker.set(lambda: "ada")
    with pytest.raises(StillCounting) as waits:
        pool.answer("q", compute)
    asker.reset(token)
    job = waits.value.job
    done(work, first, job)
    assert told == [0.75]


def test_what_went_wrong_is_told_once_and_tried_again(pool: Pool) -> None:
    tries: list[int] = []

    def compute() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("once")
        return "well"

    with pytest.raises(ValueError, match="once"):
        pool.answer("q", compute)
    assert pool.answer("q", compute) == "well"


def test_there_are_only_so_many_places(
    pool: Pool, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MOST_PLACES", 3)
    first = busy(pool, work)
    those = [ask(pool, work, n, f"student {n}") for n in range(2)]
    token = asker.set(lambda: "one more")
    with pytest.raises(TooMany):
        pool.answer("more", work.on("more"))
    asker.reset(token)
    done(work, first, *those)


def test_none_is_an_answer_too(pool: Pool) -> None:
    assert pool.answer("q", lambda: None) is None
    assert pool.answers.get("q") == (None,)


def test_answers_are_kept_within_their_bytes() -> None:
    answers = Answers(most=10_000)
    for n in range(100):
        answers.keep(n, b"x" * 1_000)
        assert answers.bytes <= 10_000
    assert answers.get(0) is None
    assert answers.get(99) == (b"x" * 1_000,)
    answers.get(95)
    for n in range(100, 106):
        answers.keep(n, b"x" * 1_000)
    assert answers.get(95) is not None  # used since
    answers.keep("large", b"x" * 50_000)
    assert answers.get("large") is not None
    answers.clear()
    assert answers.bytes == 0
