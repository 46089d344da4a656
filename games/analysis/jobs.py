"""One way to compute: a small pool of threads for whatever simulates, with a place for each who
asks, and a memory of answers. Bots think elsewhere, and no page waits here.

A *question* is what an answer follows from, as a hashable value; its *job* is the work. A place
holds one job, and a newer question replaces it; whoever is not known shares a place with all
others who are not, which holds some. Places take turns. What nobody waits for is never begun,
and ends at its next :func:`report`. docs/decisions/0057-lanes.md.
"""

from __future__ import annotations

import os
import pickle
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from time import monotonic
from typing import Any, TypeVar, cast

T = TypeVar("T")

NOBODY = ""
"""The place of all who are not known."""

SHARED = 32
"""Jobs that the shared place holds; of more the oldest goes."""

MOST_PLACES = 1_000
"""Browsers that may wait at a time; a class has 40, a school 500."""

LEASE = 6.0
"""Seconds that a page which was told "still counting" may take to ask again."""

KEPT_BYTES = 64 * 1024 * 1024
"""Bytes of answers that are kept, as they are when pickled; the oldest unused go first."""


asker: ContextVar[Callable[[], str] | None] = ContextVar("asker", default=None)
"""Says who asks, of a page that can be asked again; None where somebody waits, as a command
does."""


class StillCounting(Exception):
    """The answer is not there yet: ``job`` works on it. Asked again, the question finds it."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.question)
        self.job = job


class TooMany(Exception):
    """More wait than there are places."""


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


class Answers:
    """Answers by their questions, as many as fit into so many bytes. Any thread may ask."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most, self._lock = most, threading.Lock()
        self._answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.bytes = 0

    def get(self, question: Hashable) -> tuple[Any] | None:
        """The answer, alone in a tuple; None where it is not known."""
        with self._lock:
            if question not in self._answers:
                return None
            self._answers.move_to_end(question)
            return (self._answers[question][0],)

    def keep(self, question: Hashable, answer: Any) -> None:
        """Keep an answer, in the place of an older one to the same question. One that is larger
        than all that is kept is kept alone."""
        size = size_of(question) + size_of(answer)
        with self._lock:
            self._forget(question)
            self._answers[question] = answer, size
            self.bytes += size
            while self.bytes > self._most and len(self._answers) > 1:
                self._forget(next(iter(self._answers)))

    def forget(self, question: Hashable) -> None:
        """Let it be computed anew."""
        with self._lock:
            self._forget(question)

    def clear(self) -> None:
        """Let everything be computed anew."""
        with self._lock:
            self._answers.clear()
            self.bytes = 0

    def _forget(self, question: Hashable) -> None:
        self.bytes -= self._answers.pop(question, (None, 0))[1]


def size_of(value: object) -> int:
    """Bytes of a value, as it is when pickled, which is about what it takes."""
    try:
        return len(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    except (pickle.PicklingError, TypeError, AttributeError):
        return 10_000


class _Failed:
    """Kept in the place of an answer: what went wrong, for whoever asks next."""

    def __init__(self, why: Exception) -> None:
        self.why = why


class Job:
    """The work on a question: in whose places it is, who waits for it, how far it has come."""

    def __init__(self, question: Hashable, compute: Callable[[], Any]) -> None:
        self.question, self.compute = question, compute
        self.done: Future[None] = Future()
        self.progress = 0.0
        self.is_running = self.is_dropped = False
        self.owners: set[Hashable] = set()
        self._lock = threading.Lock()
        self._holding = 0
        self._leases: dict[Hashable, float] = {}

    def hold(self) -> None:
        """Keep the job for a page that waits for it, until :meth:`let_go`."""
        with self._lock:
            self._holding += 1

    def let_go(self, owner: Hashable, *, comes_back: bool) -> None:
        """End the wait of a page: its browser has gone, or asks again in a moment."""
        with self._lock:
            self._holding -= 1
            if not comes_back:
                self._leases.pop(owner, None)
        if comes_back:
            self.lease(owner)

    def lease(self, owner: Hashable) -> None:
        """Keep the job for an owner who has asked, and comes back."""
        with self._lock:
            self._leases[owner] = monotonic() + LEASE

    def leave(self, owner: Hashable) -> None:
        """Drop an owner of the job, who asks something else now."""
        with self._lock:
            self._leases.pop(owner, None)

    @property
    def is_wanted(self) -> bool:
        """Whether anybody waits for it, or has been told to come back."""
        with self._lock:
            now = monotonic()
            return self._holding > 0 or any(until > now for until in self._leases.values())


class Pool:
    """Threads that work on questions, one place after the other."""

    def __init__(self, threads: int) -> None:
        self.answers = Answers()
        self._threads, self._begun = threads, 0
        self._jobs: dict[Hashable, Job] = {}
        self._places: OrderedDict[Hashable, deque[Job]] = OrderedDict()
        self._changed = threading.Condition()

    def answer(self, question: Hashable, compute: Callable[[], T]) -> T:
        """What ``compute`` returns for this question, or raises. As long as it is not known a
        page (see ``asker``) gets StillCounting, whoever else waits; raises TooMany where there
        is no place."""
        who = asker.get()
        if who is not None:
            return self._answered(question, compute, who())
        while True:
            try:
                return self._answered(question, compute, NOBODY)
            except StillCounting as waits:
                waits.job.hold()
                waits.job.done.result()
                waits.job.let_go(NOBODY, comes_back=True)

    def _answered(self, question: Hashable, compute: Callable[[], T], owner: Hashable) -> T:
        """The answer that is kept; else its job waits in the owner's place: StillCounting."""
        with self._changed:  # or a job that is just done would be begun again
            stored = self.answers.get(question)
            if stored is not None and isinstance(stored[0], _Failed):
                self.answers.forget(question)
                raise stored[0].why
            if stored is not None:
                return cast(T, stored[0])
            job = self._jobs.get(question)
            if owner not in self._places and len(self._places) >= MOST_PLACES:
                raise TooMany
            if job is None:
                job = self._jobs[question] = Job(question, compute)
            job.lease(owner)
            self._enqueue(owner, job)
            if self._begun < self._threads:
                self._begun += 1
                threading.Thread(
                    target=self._work, name=f"computing-{self._begun}", daemon=True
                ).start()
            self._changed.notify()
        raise StillCounting(job)

    def _enqueue(self, owner: Hashable, job: Job) -> None:
        """Put the job into the owner's place, which older ones leave: one stays, of NOBODY's
        SHARED. What nobody waits for any more is dropped."""
        place = self._places.setdefault(owner, deque())
        if owner not in job.owners:
            place.append(job)
            job.owners.add(owner)
        while len(place) > (SHARED if owner == NOBODY else 1):
            older = place.popleft()
            older.owners.discard(owner)
            older.leave(owner)
            if not older.owners and not older.is_running:
                older.is_dropped = True
                self._end(older)

    def waiting(self) -> int:
        """How many jobs wait or are worked on."""
        with self._changed:
            return len(self._jobs)

    def _work(self) -> None:
        _give_way()
        while True:
            with self._changed:
                while (job := self._next()) is None:
                    self._changed.wait()
                job.is_running = True
            self._do(job)

    def _next(self) -> Job | None:
        """The next place's next job. What nobody waits for any more goes."""
        for owner in tuple(self._places):
            for job in tuple(self._places.get(owner, ())):
                if job.is_running:
                    continue
                if job.is_wanted:
                    self._places.move_to_end(owner)
                    return job
                self._end(job)
        return None

    def _end(self, job: Job) -> None:
        del self._jobs[job.question]
        for owner in job.owners:
            self._places[owner].remove(job)
            if not self._places[owner]:
                del self._places[owner]
        job.owners.clear()
        job.done.set_result(None)  # also of one that is dropped: whoever waits asks anew

    def _do(self, job: Job) -> None:
        _own.job, is_cancelled = job, False
        try:
            if not job.is_wanted:
                raise Cancelled
            self.answers.keep(job.question, job.compute())
        except Cancelled:
            is_cancelled = True
        except Exception as why:
            self.answers.keep(job.question, _Failed(why))
        finally:
            _own.job = None
        with self._changed:
            # Asked for once more between its cancelling and now: it begins again.
            job.is_running, job.progress = False, 0.0
            if is_cancelled and job.owners and job.is_wanted:
                return
            self._end(job)


_own = threading.local()


def _give_way() -> None:
    """Lower this thread's priority, where the system can: tables, pages and bots go first. The
    site's ``lanes.give_way``, which analysis may not import."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 2)


def report(done: int, total: int) -> None:
    """Note how far the present job has come; raises Cancelled where nobody waits for it any
    more. Outside a job nothing."""
    check_wanted()
    job: Job | None = getattr(_own, "job", None)
    if job is not None:
        job.progress = done / total


def check_wanted() -> None:
    """Raise Cancelled where nobody waits for the present job any more."""
    job: Job | None = getattr(_own, "job", None)
    if job is not None and not job.is_wanted:
        raise Cancelled


def remembered(question: Hashable, compute: Callable[[], T]) -> T:
    """What ``compute`` returns, computed here unless it is known: parts of a job's answer that
    other jobs ask for, too."""
    stored = pool.answers.get(question)
    if stored is not None:
        return cast(T, stored[0])
    answer = compute()
    pool.answers.keep(question, answer)
    return answer


pool = Pool(max(1, min(2, (os.cpu_count() or 2) - 1)))
"""This process's: one processor is left to all else."""
