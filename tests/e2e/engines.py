"""Browsers of the floor behind one small face: Chromium of any age by Playwright, WebKit by its
driver under a display of its own, Firefox by WebDriver BiDi.

docs/browsers.md says where each comes from, and how to add one.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Playwright
from websockets.sync.client import connect

from tests.server import ROOT, free_port

OLD_CHROMIUM = ROOT / ".browsers" / "chromium-109"
"""Where ``.ci/run`` puts it; nothing but these tests needs it."""

PATIENCE = 60.0

CALLED = "(text) => JSON.stringify((function () { %s }).apply(null, JSON.parse(text)) ?? null)"

# Nothing listens before the scripts are there, and a press before that is lost.
FIND = """
  if (document.readyState !== "complete") return null;
  const [selector, words] = arguments;
  const found = Array.from(document.querySelectorAll(selector)).find((element) =>
    element.getClientRects().length && !element.disabled &&
    element.textContent.includes(words));
  if (!found) return null;
  const seen = found.closest("label") ?? found;
  let box = seen.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) {
    seen.scrollIntoView({ block: "center", behavior: "instant" });
    box = seen.getBoundingClientRect();
  }
  return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round);
"""


class Gone(Exception):
    """The page could not answer, most often as it goes away; who waits asks again."""


class Engine:
    """One browser with one page, as somebody has it before them."""

    name = ""

    def go(self, address: str) -> None:
        raise NotImplementedError

    def run(self, body: str, *arguments: object) -> Any:
        """What the body of a function gives; :class:`Gone` while a page goes or comes."""
        raise NotImplementedError

    def press(self, x: float, y: float) -> None:
        raise NotImplementedError

    def escape(self) -> None:
        """Press the Escape key."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        """Make the page this large, or as nearly as the browser can."""
        raise NotImplementedError

    def picture(self) -> bytes:
        """The page as it is seen, PNG."""
        raise NotImplementedError

    def cookies(self) -> dict[str, str]:
        raise NotImplementedError

    def give(self, cookies: dict[str, str]) -> None:
        """Cookies for the server whose page is open."""
        raise NotImplementedError

    def forget(self) -> None:
        """All cookies, and what was heard: somebody else sits down here."""
        raise NotImplementedError

    def complaints(self) -> list[str]:
        """Errors of the console since then; or what ears.js heard."""
        return []

    def close(self) -> None:
        raise NotImplementedError

    # What all do alike.

    def until(self, body: str, *arguments: object) -> Any:
        """Wait until this gives something."""
        deadline = time.monotonic() + PATIENCE
        told: object = None
        while time.monotonic() < deadline:
            try:
                if told := self.run(body, *arguments):
                    return told
            except Gone as why:
                told = why
            time.sleep(0.03)
        where = f"{self.name} at {self.address()}"
        raise AssertionError(f"{where}, not in time ({told}): {body} {arguments}")

    def address(self) -> str:
        return str(self.run("return location.href"))

    def sees(self, selector: str, words: str = "") -> None:
        """Wait until this is shown."""
        self.until(FIND.replace("!element.disabled", "true"), selector, words)

    def click(self, selector: str, words: str = "") -> None:
        """Press what is shown and has these words, where it lies still."""
        before, place = None, self.until(FIND, selector, words)
        while place != before:
            time.sleep(0.05)
            before, place = place, self.until(FIND, selector, words)
        self.press(*place)

    def size(self) -> tuple[int, int]:
        width, height = self.run("return [innerWidth, innerHeight]")
        return width, height


class Chromium(Engine):
    """Any Chromium that Playwright can still talk to; 109 is the oldest."""

    def __init__(self, playwright: Playwright, path: str, name: str, scheme: str) -> None:
        self.name = name
        self._heard: list[str] = []
        self._browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        self.context = self._browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self._heard.append(f"script error: {error}"))
        self.page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self._heard.append(message.text)

    def go(self, address: str) -> None:
        self.page.goto(address)

    def run(self, body: str, *arguments: object) -> Any:
        try:
            return json.loads(self.page.evaluate(CALLED % body, json.dumps(arguments)))
        except Error as why:
            raise Gone(str(why)) from None

    def press(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def escape(self) -> None:
        self.page.keyboard.press("Escape")

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def picture(self) -> bytes:
        return self.page.screenshot()

    def cookies(self) -> dict[str, str]:
        return {each["name"]: each["value"] for each in self.context.cookies()}

    def give(self, cookies: dict[str, str]) -> None:
        host = self.run("return location.hostname")
        self.context.add_cookies(
            [
                {"name": name, "value": value, "domain": host, "path": "/"}
                for name, value in cookies.items()
            ]
        )

    def forget(self) -> None:
        self.context.clear_cookies()
        self._heard.clear()

    def complaints(self) -> list[str]:
        return list(self._heard)

    def close(self) -> None:
        self._browser.close()


class WebKit(Engine):
    """MiniBrowser of WebKitGTK. Its console cannot be read: ears.js hears for it."""

    name = "webkit"

    def __init__(self, folder: Path, scheme: str) -> None:
        self._own: list[subprocess.Popen[bytes]] = []
        reading, writing = os.pipe()
        self._start(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "2000x1300x24"],
            pass_fds=(writing,),
        )
        with os.fdopen(reading, encoding="utf-8") as display:
            os.close(writing)
            number = display.readline().strip()
        port = free_port()
        self._base = f"http://127.0.0.1:{port}"
        dark = ":dark" if scheme == "dark" else ""
        self._start(
            [WEBKIT_DRIVER, f"--port={port}"],
            env={
                **os.environ,
                "DISPLAY": f":{number}",
                "GTK_THEME": f"Adwaita{dark}",
                "HOME": str(folder),
                "XDG_RUNTIME_DIR": str(folder),
                "LIBGL_ALWAYS_SOFTWARE": "1",
                "NO_AT_BRIDGE": "1",
            },
        )
        options = {"binary": MINI_BROWSER, "args": ["--automation"]}
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        asked = {"capabilities": {"alwaysMatch": wanted}}
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._session = f"/session/{self._ask('POST', '/session', asked)['sessionId']}"
                break
            except OSError:  # the driver is not there yet
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        self._frame, self._least = 0, 0
        self._set(1000, 700)
        self.until("return innerWidth === 1000")
        self._frame = 700 - self.size()[1]
        self._set(100, 700)
        self.until("return innerWidth < 1000")
        time.sleep(0.3)
        self._least = self.size()[0]

    def _start(self, command: list[str], **options: Any) -> None:
        quiet = subprocess.DEVNULL
        self._own.append(subprocess.Popen(command, stdout=quiet, stderr=quiet, **options))

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        request = urllib.request.Request(
            self._base + path,
            method=method,
            data=json.dumps(body).encode() if method == "POST" else None,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refused:
            why = json.load(refused)["value"]
            if why["error"] in {"javascript error", "no such window", "unknown error"}:
                raise Gone(f"{why}") from None
            raise AssertionError(f"{path}: {why}") from None

    def go(self, address: str) -> None:
        self._ask("POST", f"{self._session}/url", {"url": address})

    def run(self, body: str, *arguments: object) -> Any:
        script = {
            "script": f"return ({CALLED % body})(arguments[0])",
            "args": [json.dumps(arguments)],
        }
        return json.loads(self._ask("POST", f"{self._session}/execute/sync", script))

    def _act(self, kind: str, actions: list[dict[str, object]]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self._ask("POST", f"{self._session}/actions", {"actions": [source]})

    def press(self, x: float, y: float) -> None:
        self._act("pointer", pressing(x, y))

    def escape(self) -> None:
        self._act("key", ESCAPING)

    def resize(self, width: int, height: int) -> None:
        width = max(width, self._least)
        self._set(width, height)
        self.until(f"return innerWidth === {width} && innerHeight === {height}")

    def _set(self, width: int, height: int) -> None:
        rect = {"x": 0, "y": 0, "width": width, "height": height + self._frame}
        self._ask("POST", f"{self._session}/window/rect", rect)

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("GET", f"{self._session}/screenshot"))

    def cookies(self) -> dict[str, str]:
        told = self._ask("GET", f"{self._session}/cookie")
        return {each["name"]: each["value"] for each in told}

    def give(self, cookies: dict[str, str]) -> None:
        for name, value in cookies.items():
            cookie = {"name": name, "value": value, "path": "/"}
            self._ask("POST", f"{self._session}/cookie", {"cookie": cookie})

    def forget(self) -> None:
        self._ask("DELETE", f"{self._session}/cookie")
        with contextlib.suppress(Gone):  # on a page of none of ours
            self.run("sessionStorage.clear()")

    def complaints(self) -> list[str]:
        return list(self.run("return JSON.parse(sessionStorage.getItem('heard') ?? '[]')"))

    def close(self) -> None:
        with contextlib.suppress(OSError, Gone):
            self._ask("DELETE", self._session)
        for process in reversed(self._own):
            process.terminate()
            process.wait(10)


class Firefox(Engine):
    """Firefox without any driver: it speaks WebDriver BiDi by itself."""

    name = "firefox"

    def __init__(self, folder: Path, scheme: str) -> None:
        self._number = 0
        self._heard: list[str] = []
        profile = folder / f"firefox-{scheme}"
        profile.mkdir()
        preferences = {
            "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
            "ui.useOverlayScrollbars": 1,
        }
        lines = [f'user_pref("{name}", {value});\n' for name, value in preferences.items()]
        (profile / "user.js").write_text("".join(lines), encoding="utf-8")
        said = profile / "said.txt"
        with said.open("wb") as out:
            self._process = subprocess.Popen(
                [FIREFOX, "--headless", "--no-remote", "--profile", str(profile),
                 "--remote-debugging-port=0", "about:blank"],
                stdout=out,
                stderr=out,
                env={**os.environ, "HOME": str(folder)},
            )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while not (
            found := re.search(
                r"BiDi listening on (ws://\S+)", said.read_text(encoding="utf-8")
            )
        ):
            assert time.monotonic() < deadline, said.read_text(encoding="utf-8")
            time.sleep(0.05)
        self._wire = contextlib.ExitStack()
        self._socket = self._wire.enter_context(connect(f"{found[1]}/session", max_size=None))
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **parameters: object) -> Any:
        self._number += 1
        said = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(said))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("type") == "event":
                entry = answer["params"]
                if entry["level"] == "error":
                    self._heard.append(str(entry["text"]))
            elif answer["id"] == self._number:
                break
        if answer["type"] == "error":
            if answer["error"] in {"no such frame", "unknown error", "no such node"}:
                raise Gone(answer["message"])
            raise AssertionError(f"{method}: {answer}")
        return answer["result"]

    def go(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def run(self, body: str, *arguments: object) -> Any:
        answer = self._ask(
            "script.callFunction",
            functionDeclaration=CALLED % body,
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self._page},
            awaitPromise=False,
        )
        if answer["type"] != "success":
            raise Gone(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def _act(self, kind: str, actions: list[dict[str, object]]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self._ask("input.performActions", context=self._page, actions=[source])

    def press(self, x: float, y: float) -> None:
        self._act("pointer", pressing(x, y))

    def escape(self) -> None:
        self._act("key", ESCAPING)

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    def picture(self) -> bytes:
        shot = self._ask("browsingContext.captureScreenshot", context=self._page)
        return base64.b64decode(shot["data"])

    def cookies(self) -> dict[str, str]:
        told = self._ask("storage.getCookies")["cookies"]
        return {each["name"]: each["value"]["value"] for each in told}

    def give(self, cookies: dict[str, str]) -> None:
        host = self.run("return location.hostname")
        for name, value in cookies.items():
            cookie = {"name": name, "domain": host, "value": {"type": "string", "value": value}}
            self._ask("storage.setCookie", cookie=cookie)

    def forget(self) -> None:
        self._ask("storage.deleteCookies")
        self._heard.clear()

    def complaints(self) -> list[str]:
        self._ask("session.status")  # what it says of itself comes with an answer
        return list(self._heard)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._ask("browser.close")
            self._wire.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()


def pressing(x: float, y: float) -> list[dict[str, object]]:
    return [
        {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]


ESCAPING: list[dict[str, object]] = [
    {"type": "keyDown", "value": "\ue00c"},
    {"type": "keyUp", "value": "\ue00c"},
]


def _found(*patterns: str) -> str:
    """The first of these programs that is there."""
    for pattern in patterns:
        if path := shutil.which(pattern):
            return path
        if found := sorted(map(str, Path("/").glob(pattern.lstrip("/")))):
            return found[-1]
    return ""


CHROMIUM_109 = str(OLD_CHROMIUM / "chromium") if (OLD_CHROMIUM / "chromium").exists() else ""
TODAYS = _found("chromium", "chromium-browser")
FIREFOX = _found("firefox-esr", "firefox")
WEBKIT_DRIVER = _found("WebKitWebDriver")
MINI_BROWSER = _found(
    "/usr/lib/*/webkitgtk-6.*/MiniBrowser", "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
)

MISSING = {
    "chromium-109": "" if CHROMIUM_109 else "Chromium 109 (.ci/run fetches it)",
    "webkit": "" if WEBKIT_DRIVER and MINI_BROWSER and shutil.which("Xvfb") else
    "WebKit (Debian: webkit2gtk-driver, xvfb)",
    "firefox": "" if FIREFOX else "Firefox (Debian: firefox-esr)",
}  # fmt: skip


@contextlib.contextmanager
def engine(
    name: str, folder: Path, playwright: Playwright, scheme: str = "light"
) -> Iterator[Engine]:
    """A browser by its name; ``chromium`` is today's."""
    one: Engine
    match name:
        case "webkit":
            one = WebKit(folder, scheme)
        case "firefox":
            one = Firefox(folder, scheme)
        case _:
            path = CHROMIUM_109 if name == "chromium-109" else TODAYS
            one = Chromium(playwright, path, name, scheme)
    try:
        yield one
    finally:
        one.close()
