"""A recording: what pages, frames, files and questions of a fixed world are, byte for byte.

    .venv/bin/python -m tests.record FOLDER [PART …]

writes each answer into a file of its own: two recordings are compared with ``diff -r``. The
clock stands still, what is drawn follows the request's own name, and each part begins with a
copy of the same database, in a process of its own. Nothing is replaced but the date inside an
xlsx file.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
_world: dict[str, Any] = {"now": NOW, "draws": random.Random("the world")}


def _stand_still(folder: Path) -> None:
    """Clock, chance and database of this process, before anything of Django is imported."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "xactika_site.settings",
        "DATABASE_URL": f"sqlite:///{folder}/now.sqlite3",
        "XACTIKA_SECRET_KEY": "a key that keeps nothing but a recording",
    }

    def drawn(size: int) -> bytes:
        return bytes(_world["draws"].randbytes(size))

    random._urandom = os.urandom = drawn  # type: ignore[attr-defined]
    time.time = lambda: _world["now"].timestamp()
    from django.utils import timezone

    timezone.now = lambda: _world["now"]
    import django
    from django.conf import settings
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    backend = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES = {"staticfiles": {"BACKEND": backend}}


def _write(to: Path, name: str, response: Any) -> None:
    """What was answered, in files of readable names: a page, what is in an archive, or where
    one is sent; or a text."""
    if isinstance(response, str | bytes):
        path = to / re.sub(r"[^\w./=,-]+", "_", name.replace("?", "/_"))
        path = path.with_name(path.name[:120] + ("" if path.suffix else ".txt"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(response.encode() if isinstance(response, str) else response)
    elif 300 <= response.status_code < 400:
        _write(to, f"{name}/sent.txt", f"{response.status_code} {response['Location']}")
    elif response.content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
            for each in archive.namelist():
                inside = archive.read(each)
                if each == "docProps/core.xml":  # when the file was made, by the real clock
                    inside = re.sub(rb"(<dcterms:\w+ [^>]*>)[^<]*", rb"\1", inside)
                _write(to, f"{name}/{each}", inside)
    else:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        ending = {"application/x-ndjson": "jsonl", "text/csv": "csv", "text/html": "html"}
        file = f"{response.status_code}.{ending.get(kind, 'txt')}"
        _write(to, f"{name}/{file}", response.content)


def _ask(browser: Any, path: str, form: Any = None, language: str = "en") -> Any:
    """What a browser is answered once nothing is being computed any more; undone at once."""
    from django.http import HttpResponse

    from tests.scenes import again, undone

    method, more = ("get", {}) if form is None else ("post", {"data": form})
    while True:
        _world["draws"] = random.Random(path)
        with undone(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stream for servers, read here at once
            headers = {"accept-language": language}
            answer = getattr(again(browser), method)(path, headers=headers, **more)
            if answer.streaming:
                answer = HttpResponse(b"".join(answer), headers=answer.headers)
            if answer.status_code != 202:
                return answer
        time.sleep(0.05)


def _pages(to: Path, world: Any, stage: str, language: str, people: tuple[str, ...]) -> None:
    """What everybody is answered at the addresses of the table of permission."""
    from tests.permissions.table import AT, FORMS, rows

    stages = ("playing", stage)  # what is not said again of the end is as it was
    told = {(row.method, row.address): row for row in rows() if row.stage in stages}
    for row in told.values():
        open_to_all = row.otherwise not in ("404", "405", "login")
        few = ("teacher", "student", "opener", "nobody") if open_to_all else people
        for who in few if row.method != "WS" else ():
            if who not in people or row.answers.get(who, row.otherwise) in ("405", "login"):
                continue
            form = FORMS.get(row.address, AT) if row.method == "POST" else None
            path = row.address.format(**world.words)
            answer = _ask(world.browsers[who], path, form, language)
            if answer.status_code not in (404, 405):
                named = f"{row.method} {row.address}/{who}".replace("{", "").replace("}", "")
                _write(to, f"{stage} {language}/{named}", answer)


def _frames(to: Path, name: str, path: str, browser: Any, *, html: bool = True) -> None:
    """The first picture that a socket is sent: when the next ones come, nobody can know."""
    from tests.games.sockets import connect

    address, _, query = path.partition("?")
    cookies = "; ".join(f"{key}={morsel.value}" for key, morsel in browser.cookies.items())
    headers = ((b"cookie", cookies.encode()),)
    _world["draws"] = random.Random(path)

    async def first() -> str:
        socket = await connect("", path=address, query=query, html=html, headers=headers)
        event = await socket.hear()
        return event.get("text") or json.dumps(event)

    _write(to, f"{name}.{'html' if html else 'json'}", asyncio.run(first()))


def _crawl(to: Path, browser: Any, language: str, each: int = 4) -> None:
    """Every page that links lead to, at most so many of a route and what it is asked by."""
    from django.urls import Resolver404, resolve

    waiting, asked = ["/", "/teach/"], Counter[str]()
    seen = set(waiting)
    while waiting:
        path = waiting.pop(0)
        try:
            route = resolve(path.partition("?")[0]).route
        except Resolver404:
            continue
        kind = route + ",".join(sorted(re.findall(r"[?&](\w+)=", path)))
        asked[kind] += 1
        if asked[kind] > each:
            continue
        if (answer := _ask(browser, path, None, language)).status_code == 405:
            continue
        _write(to, path.lstrip("/") or "home", answer)
        links = [answer["Location"]] if 300 <= answer.status_code < 400 else []
        if answer.status_code == 200 and "text/html" in answer.headers.get("Content-Type", ""):
            links += re.findall(r'(?:href|hx-get)="(/[^"#]*)', answer.content.decode())
        for link in (link.replace("&amp;", "&") for link in links):
            if link not in seen and not link.startswith("/static/"):
                seen.add(link)
                waiting.append(link)


def _questions(to: Path, keys: list[str], language: str) -> None:
    """Of each exercise and level three questions: asked, hinted at, wrong, right and solved."""
    from django.utils import translation

    from lessons.exercises import EXERCISES
    from tests.scenes.questions import a_learner, asked, right_texts, wrong_texts

    for key in keys:
        for level in EXERCISES[key].levels:
            for seed in (1, 2, 3):
                browser, learner = a_learner()
                with translation.override(language):
                    stored = asked(learner, key, seed, level)
                    wrong, right = wrong_texts(stored), right_texts(stored)
                page, name = f"/lessons/questions/{stored.pk}/", f"{key}/{level}{seed}"
                headers = {"accept-language": language}
                steps: Any = ("hint", {}), ("answer", wrong), ("answer", right), ("solve", {})
                for number, (step, form) in enumerate(steps):
                    before = browser.get(page, headers=headers)
                    _write(to, f"{name}/{number} before {step}", before)
                    form = {"number": str(int(form == right)), **form}
                    browser.post(f"{page}{step}/", form, headers=headers)
                _write(to, f"{name}/after", browser.get(page, headers=headers))


def _worksheets(to: Path, browser: Any, language: str) -> None:
    """Of each lesson three sets of two copies, and their keys."""
    index = _ask(browser, "/lessons/", None, language).content.decode()
    for slug in sorted(set(re.findall(r'href="/lessons/([\w-]+)/teacher/', index))):
        for seed in (1, 2, 3):
            for key in ("", "&key"):
                path = f"/lessons/{slug}/worksheet/?seed={seed}&copy=1-2{key}"
                _write(to, f"{slug}/{seed}{key}", _ask(browser, path, None, language))


def _parts(keep: Callable[[str], None]) -> Iterator[tuple[str, str, Callable[..., None]]]:
    """Builds the worlds one after the other: a part's name, its database, what writes it."""
    from django.core.management import call_command
    from django.test import Client
    from django.utils import translation

    from tests.games.classroom import a_teacher, signed_in
    from tests.games.table import play
    from tests.permissions.table import rows
    from tests.permissions.world import CAST, a_world
    from tests.scenes import class_states
    from tests.scenes.questions import KEYS

    teacher = signed_in(a_teacher("printing"))
    keep("printing")
    for language in ("en", "fr"):
        questions = partial(_questions, keys=KEYS, language=language)
        yield f"questions {language}", "printing", questions
        printed = partial(_worksheets, browser=teacher, language=language)
        yield f"worksheets {language}", "printing", printed
    world = a_world()
    sockets = [row for row in rows() if row.method == "WS" and row.stage == "playing"]
    for stage in ("playing", "in mid-trick", "ended"):
        _world["now"] += timedelta(minutes=10)
        if stage == "in mid-trick":
            for table in ("friends", "solo"):
                play(world.tables[table], lambda state: len(state.moves) == 7)
        elif stage == "ended":
            world.end()
        keep(stage)
        for language in ("en", "fr") if stage == "ended" else ("en",):
            some = CAST if language == "en" else ("teacher", "student", "opener", "nobody")
            pages = partial(_pages, world=world, stage=stage, language=language, people=some)
            yield f"pages {stage} {language}", stage, pages
        for socket, who in [(row, who) for row in sockets for who in row.answers]:
            if stage != "ended" and re.search("cockpit|projector", socket.address):
                continue  # all of its tables play on by themselves, at the machine's pace
            name = re.sub("[{}/?]+", " ", f"{socket.address} {who}").strip()
            path, browser = socket.address.format(**world.words), world.browsers[who]
            for html in (True, False):
                frames = partial(_frames, name=name, path=path, browser=browser, html=html)
                yield f"frames {stage}", stage, frames
    _world["now"] += timedelta(days=1)
    for language in ("en", "fr"):
        with redirect_stdout(io.StringIO()) as told, translation.override(language):
            class_states.students()
        keep(language)
        states = json.loads(told.getvalue())
        for kind, address in (("lobbies", "class"), ("tables", "tables")):
            for state, (key, cookie) in states[kind].items():
                browser = Client()
                browser.cookies["student"] = cookie
                page, part = f"/{address}/{key}/", f"states {language}/{kind} {state}"
                path = f"/ws/sessions/{key}/?view=lobby" if kind == "lobbies" else f"/ws{page}"
                frames = partial(_frames, name="frames", path=path, browser=browser)
                yield part, language, frames
                shown = partial(_page, path=page, browser=browser, language=language)
                yield part, language, shown
    call_command("demo", stdout=io.StringIO(), stderr=io.StringIO())
    demo = signed_in(a_teacher("demo"))
    keep("demo")
    for language in ("en", "fr"):
        yield f"demo {language}", "demo", partial(_crawl, browser=demo, language=language)


def _page(to: Path, path: str, browser: Any, language: str) -> None:
    """What one page is."""
    _write(to, "page", _ask(browser, path, None, language))


def main(folder: str, *only: str) -> None:
    """Write the recording, or those of its parts whose names begin so, into a new folder."""
    to, made = Path(folder), Path(tempfile.mkdtemp())
    _stand_still(made)
    from django.db import connection, connections

    from tests.server import migrated

    now = made / "now.sqlite3"
    shutil.copyfile(migrated(), now)

    def keep(name: str) -> None:
        connections.close_all()
        shutil.copyfile(now, made / name)

    for part, database, write in _parts(keep):
        if only and not part.startswith(only):
            continue
        connections.close_all()
        if child := os.fork():
            if os.waitpid(child, 0)[1]:
                sys.exit(f"could not be recorded: {part}")
            continue
        status, began = 1, time.monotonic()
        try:
            connection.settings_dict["NAME"] = name = str(made / f"{os.getpid()}.sqlite3")
            shutil.copyfile(made / database, name)
            write(to / part)
            print(f"{time.monotonic() - began:6.1f} s  {part}", flush=True)  # noqa: T201
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            Path(name).unlink()
            os._exit(status)
    connections.close_all()
    shutil.rmtree(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
