"""A lesson's students, for room.py: as a process of its own, as floods are.

    python -m benchmarks.school_day SECONDS < FACTS

FACTS is JSON: the ports of the site's processes, and for each kind of students what they need
to know (cookies, addresses, codes). Each browser asks one process, always the same. Prints how
long each kind of page took, in seconds, and what came back, by status. A page that says "still
counting" is asked again as its script asks: it took from its first request until its answer.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

import uvloop

from benchmarks.joining import _FIELD, Device

EVERY = 4.0
"""Seconds from one question of a student's to the next; who waits longer asks when told."""

TIP = {"high": 1.0, "ten": 0.5, "nine": 0.5, "single": 0.0, "few": 0.0}
TOKEN = "c" * 32
Page = tuple[str, str]
"""Its kind, and its address."""


class Newcomer(Device):
    """A device that has all of the site's files."""

    async def _load(self, path: str) -> None:
        pass


class Guesser(Device):
    """A device at another network's address."""

    address = "127.0.0.2"


class Lesson:
    """All who ask, and how long they wait."""

    def __init__(self, facts: dict[str, Any], seconds: float) -> None:
        self.facts, self.seconds = facts, seconds
        self.began = time.perf_counter()
        self.waits: dict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[str] = Counter()

    async def run(self) -> None:
        """Until the time is over, and every page that was asked for then is here."""
        known = self.facts
        jobs = [
            self.student(kind, number, each)
            for kind in ("workshop", "replays", "studio", "chapters")
            for number, each in enumerate(known.get(kind, ()))
        ]
        jobs += [self.come_in(n, *known["joining"]) for n in range(known.get("newcomers", 0))]
        jobs += [self.contestant(n, each) for n, each in enumerate(known.get("contest", ()))]
        if "contest" in known:
            jobs += [self.teacher_of_contest(*known["contest_of"])]
        if "guessed" in known:
            jobs += [self.guess(known["guessed"], *way) for way in ((0.2, ""), (0.2, "phrase"))]
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*jobs), self.seconds + 40)

    def browser(
        self, number: int, cookies: dict[str, str], kind: type[Device] = Device
    ) -> Device:
        """A browser of these cookies, which asks one of the processes."""
        ports = self.facts["ports"]
        device = kind(ports[number % len(ports)])
        device.cookies |= {"csrftoken": TOKEN, **cookies} if cookies else {}
        return device

    async def until(self, seconds: float) -> None:
        """So long after the beginning."""
        await asyncio.sleep(max(0.0, self.began + seconds - time.perf_counter()))

    async def ask(
        self, device: Device, kind: str, path: str, form: dict[str, str] | None = None
    ) -> None:
        """One page, asked again as long as it is counted."""
        began = time.perf_counter()
        is_part = kind in ("again", "chances")
        more: tuple[str, ...] = ()
        while True:
            answer = await device.ask("fragment" if is_part else "page", path, form, *more)
            self.statuses[f"{kind} {answer.status}"] += 1
            if answer.status != 202:
                break
            await asyncio.sleep(float(answer.headers["retry-after"]))
            more = ("X-Asks-Again: 1",)
        self.waits[kind].append(time.perf_counter() - began)
        if kind == "workshop" and answer.status == 200 and "<table" not in answer.text:
            self.statuses["workshop without its boards"] += 1

    async def student(self, kind: str, number: int, known: dict[str, Any]) -> None:
        """One after the other of the pages of their kind."""
        device = self.browser(number, known.get("cookies", {}))
        pages = PAGES[kind](Random(number), known)
        due = EVERY * number / len(self.facts[kind])
        while due < self.seconds:
            await self.until(due)
            await self.ask(device, *next(pages))
            due = max(due + EVERY, time.perf_counter() - self.began)

    async def contestant(self, number: int, known: dict[str, Any]) -> None:
        """Hands in a rule that nobody else has, and sees the standings when they are open."""
        device, lesson = self.browser(number, known["cookies"]), known["path"]
        await self.until(self.seconds / 3 * number / len(self.facts["contest"]))
        await self.ask(device, "rule", lesson)
        rng = Random(1_000 + number)
        rule = {name: f"{value + rng.randrange(-6, 7) / 20:.2f}" for name, value in TIP.items()}
        form = {"step": "1", "do": "predict", "csrfmiddlewaretoken": TOKEN, **rule}
        await self.ask(device, "handed in", f"{lesson}do/", form)
        await self.until(self.seconds / 3 + 1 + 2 * number / len(self.facts["contest"]))
        await self.ask(device, "standings", f"{lesson}?step=2")

    async def teacher_of_contest(self, path: str, cookie: str) -> None:
        """Opens the standings, and the wall that shows them."""
        device = self.browser(0, {"sessionid": cookie})
        await self.until(self.seconds / 3)
        await self.ask(device, "opened", path, {"do": "open:2", "csrfmiddlewaretoken": TOKEN})
        await self.ask(device, "standings", f"{path}wall/")

    async def come_in(self, number: int, codes: list[str], seconds: float) -> None:
        """From the field for the code to the lobby, whose socket then stays open."""
        due = number * seconds / self.facts["newcomers"]
        await self.until(due)
        device = self.browser(number, {}, Newcomer)
        try:
            await device.come_in(codes[number % len(codes)], wait=False)
        except Exception as error:
            self.statuses[f"joining {type(error).__name__} {str(error)[:40]}"] += 1
        else:
            self.statuses["joining in"] += 1
            self.waits["joining"].append(device.loaded - self.began - due)

    async def guess(self, codes: list[str], every: float, what: str) -> None:
        """Codes that no class has, or phrases that nobody has."""
        rng = Random(what)
        device = self.browser(0, {}, Guesser)
        for n in count():
            if n * every >= self.seconds:
                return
            await self.until(n * every)
            if not what:
                code = "".join(rng.choices("BCDFGHJKLMNPQRSTVWXZ", k=6))
                await self.ask(device, "guessed code", f"/join/?code={code}")
                continue
            path = f"/join/{rng.choice(codes)}/?step=before"
            found = (await device.ask("page", path)).text
            form = {**dict(_FIELD.findall(found)), "do": "before", "phrase": f"red owl {n}"}
            await self.ask(device, "guessed phrase", path, form)


def workshop(rng: Random, _known: dict[str, Any]) -> Iterator[Page]:
    """A slider was moved: a habit, or what a card is worth; a rule nobody asked for before."""
    rule = TIP | {"over": 0.2, "rest": 0.45}
    most = {"high": 30, "ten": 30, "nine": 30, "single": 10, "few": 20, "over": 40, "rest": 20}
    rule |= {name: rng.randint(0, most[name]) * 0.05 for name in ("over", "rest", "high")}
    while True:
        name = rng.choice(("over", "rest", *most))
        rule[name] = rng.randint(0, most[name]) * 0.05
        numbers = "&".join(f"{key}={value:.2f}" for key, value in rule.items())
        yield "workshop", f"/lessons/workshop/?{numbers}"


def replays(rng: Random, known: dict[str, Any]) -> Iterator[Page]:
    """One's own round: its moments, the chances in it, other moves dealt again, the expert."""
    path, turns = known["position"], list(known["instead"])
    rng.shuffle(turns)
    yield "replay", path
    yield "chances", f"{path}chances/"
    for n, turn in enumerate(turns * 10):
        yield "again", f"{path}again/?instead={turn}"
        if n % 3 == 0:
            yield "replay", f"{path}?at={turn.partition('.')[0]}"
        if n == 2:
            yield "expert", f"{path}?expert={known['seat']}"


def studio(rng: Random, _known: dict[str, Any]) -> Iterator[Page]:
    """Hands dealt afresh, mostly ten thousand; or a graph of the deck, which nothing counts."""
    looks = ["of=dealt&hands=10000"] * 3 + ["of=dealt&hands=1000000"]
    looks += ["of=samples&hands=10000&size=25"]
    while True:
        yield "studio", f"/graphs/?{rng.choice(looks)}&show=mean&seed={rng.randrange(2**32)}"
        yield "deck", "/graphs/?of=deck&show=mean"


def chapters(rng: Random, known: dict[str, Any]) -> Iterator[Page]:
    """Learning by playing, a position after the other."""
    while True:
        yield "chapter", rng.choice(known["paths"])


PAGES: dict[str, Callable[[Random, dict[str, Any]], Iterator[Page]]] = {
    "workshop": workshop, "replays": replays, "studio": studio, "chapters": chapters,
}  # fmt: skip


def main() -> None:
    lesson = Lesson(json.load(sys.stdin), float(sys.argv[1]))
    running: Coroutine[Any, Any, None] = lesson.run()
    uvloop.run(running)
    cores = time.process_time() / (time.perf_counter() - lesson.began)
    told = {"waits": lesson.waits, "came": lesson.statuses, "cores": round(cores, 2)}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
