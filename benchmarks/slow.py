"""A slow device at a table: how soon it can play, how long a push takes, what a tab keeps.

From the repository's root, in its environment, with Chromium installed; in some minutes::

    python -m benchmarks.slow
    python -m benchmarks.slow --slower 1 --rounds 2 --laptop

Chromium at a table of four with instant bots, in a phone's window. ``interactive_s`` is from
the address until a bid that is pressed can be confirmed, nothing cached, the processor slowed
to a sixth and the network to a full room's (2 Mbit/s down, 1 up, 100 ms there and back). Then a
script plays. Of two rounds the browser's own trace tells how long each task of the page's main
thread computed: six times that is the slow device's, whatever else this machine does. A push is
a task in which the page put a frame in place. What another page keeps is asked at the end of
each of eight rounds, after a collection: its scripts, and its process. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, sync_playwright

from benchmarks.moves import prepare, serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--js-flags=--expose-gc"]
NETWORK = {
    "offline": False,
    "latency": 100,
    "downloadThroughput": 2_000_000 / 8,
    "uploadThroughput": 1_000_000 / 8,
}
PHONE = ViewportSize(width=390, height=844)
LAPTOP = ViewportSize(width=1366, height=768)

TRACED = 2
"""So many rounds are traced."""

MARK = """addEventListener("DOMContentLoaded", () => {
  addEventListener("htmx:wsBeforeMessage", () => performance.mark("push"), true);
});"""
PLAY = """() => setInterval(() => {
  if (window.waits) return;
  const form = document.getElementById("play");
  if (form && form.dataset.sent !== form.elements.turn.value) {
    form.dataset.sent = form.elements.turn.value;
    document.querySelector("input[name=bid]:enabled, #play input[name=card]").click();
    document.querySelector(".choice:not([hidden]) input[name=call]")?.click();
    document.getElementById("confirm").click();
  }
}, 50)"""
"""Presses what there is to press, but while the page is looked at."""

STATE = """() => {
  const status = document.getElementById("bar").dataset.status;
  window.waits = ["round_over", "game_over"].includes(status);
  return [window.waits, Number(document.getElementById("turn").dataset.turn.split(".")[0])];
}"""
"""Whether a round is over, and which it is; the script waits then."""


CHOOSE = """() => {
  document.querySelector("input[name=bid]:enabled")?.click();
  return document.getElementById("confirm")?.disabled === false;
}"""


def kept(cdp: CDPSession, browser: CDPSession) -> dict[str, float]:
    """What the page holds, and its whole process, once nothing is held that nobody needs."""
    for _ in range(2):
        cdp.send("HeapProfiler.collectGarbage")
    counted = {m["name"]: m["value"] for m in cdp.send("Performance.getMetrics")["metrics"]}
    processes = browser.send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [psutil.Process(p["id"]) for p in processes if p["type"] == "renderer"]
    return {
        "tab_mb": round(max(p.memory_full_info().uss for p in renderers) / 2**20, 1),
        "heap_mb": round(counted["JSHeapUsedSize"] / 2**20, 2),
        "nodes": counted["Nodes"],
        "listeners": counted["JSEventListeners"],
    }


def interactive(page: Page, address: str) -> float:
    """Seconds from the address until a bid that is pressed can be confirmed."""
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    while not page.evaluate(CHOOSE):
        if time.perf_counter() - began > 60:
            raise TimeoutError("the page could not be used within a minute")
        time.sleep(0.05)
    return time.perf_counter() - began


def open_table() -> str:
    """The path of a seat's link to a table of one person and three bots."""
    from django.db import connection

    from games.rules import Variant
    from games.tables import opening
    from games.tables.viewers import seat_token

    settings = opening.TableSettings(
        variant=Variant.BID, seats=4, people=1, rounds=8, patience=3600, pace=0
    )
    table = opening.open_table(kind="friends", settings=settings)
    connection.close()
    return f"/seat/{seat_token(table.id, 0, 0)}/"


def play(page: Page, rounds: int) -> Iterator[int]:
    """Let the script play; the number of each round when it is over."""
    page.evaluate(PLAY)
    until, done = time.monotonic() + 600, 0
    while done < rounds and time.monotonic() < until:
        time.sleep(0.2)
        is_over, number = page.evaluate(STATE)
        if is_over and number > done:
            time.sleep(1)  # what moves has come to rest
            done = number
            yield number
        elif is_over:
            page.evaluate("() => { document.getElementById('do-next')?.click(); }")


def pushes_in(trace: bytes) -> list[float]:
    """The milliseconds that the page's main thread computed in each task in which a frame was
    put in place, from the shortest on."""
    events = json.loads(trace)["traceEvents"]
    pushes = [event for event in events if event["name"] == "push" and event["ph"] != "E"]
    main = (pushes[0]["pid"], pushes[0]["tid"])
    tasks = [
        (event["ts"], event["ts"] + event["dur"], event["tdur"] / 1000)
        for event in events
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) == main
        if "tdur" in event
    ]
    at = [event["ts"] for event in pushes]
    return sorted(took for began, end, took in tasks if any(began <= ts <= end for ts in at))


def speed(browser: Browser, page: Page, path: str, slower: float) -> dict[str, Any]:
    """How soon a bid can be made, and how long pushes take."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send("Network.emulateNetworkConditions", NETWORK)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    seconds = interactive(page, path)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    traced = ["disabled-by-default-devtools.timeline", "blink.user_timing"]
    browser.start_tracing(page=page, categories=traced)
    for _number in play(page, TRACED):
        pass
    pushes = [slower * push for push in pushes_in(browser.stop_tracing())]
    return {
        "interactive_s": round(seconds, 2),
        "pushes": len(pushes),
        "push_p50_ms": round(pushes[len(pushes) // 2]),
        "push_p99_ms": round(pushes[len(pushes) * 99 // 100]),
        "longest_pushes_ms": [round(push) for push in pushes[-5:]],
    }


def memory(browser: Browser, page: Page, path: str, rounds: int) -> dict[str, Any]:
    """What the page keeps after the first and after the last round."""
    sessions = (page.context.new_cdp_session(page), browser.new_browser_cdp_session())
    sessions[0].send("Performance.enable")
    interactive(page, path)
    found = []
    for number in play(page, rounds):
        found.append(kept(*sessions))
        print(json.dumps({"round": number, **found[-1]}), file=sys.stderr)
    first, last = found[0], found[-1]
    ratios = {f"{name}_last_beside_first": last[name] / first[name] for name in first}
    return {
        **{name: [first[name], last[name]] for name in first},
        **{name: round(ratio, 2) for name, ratio in ratios.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slow")
    parser.add_argument("--slower", type=float, default=6.0, help="than this machine")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--laptop", action="store_true", help="a laptop's window")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-slow-") as name:
        folder = Path(name)
        prepare(folder)
        paths = open_table(), open_table()
        with serving("xactika", folder) as (_server, port), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            context = browser.new_context(
                base_url=f"http://127.0.0.1:{port}",
                viewport=LAPTOP if options.laptop else PHONE,
                bypass_csp=True,  # or the page could not be asked anything
            )
            context.add_init_script(MARK)
            page = context.new_page()
            found = speed(browser, page, paths[0], options.slower)
            print(json.dumps({"slower": options.slower, **found}), flush=True)
            page.close()
            page = context.new_page()
            print(json.dumps(memory(browser, page, paths[1], options.rounds)))
            browser.close()


if __name__ == "__main__":
    main()
