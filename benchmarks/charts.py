"""Pages with charts on a slow device: how soon the first is drawn, how long tasks block.

From the repository's root, in its environment, with Chromium installed; in a minute or two::

    python -m benchmarks.charts
    python -m benchmarks.charts --slower 1 --repeat 1

A class of 40 that has played and answered, its pages in Chromium with the processor slowed to a
quarter, nothing cached. Of each page six figures: ``first_chart_s`` from the address until a
chart is in the page, ``small_charts_s`` until all small ones are that come into view at first;
``blocked_ms``, by how much tasks of the page's main thread went beyond 50 ms, together, until
it had been open for five seconds and then scrolled to its end; ``longest_task_ms``;
``screens``, how high it is in the window's heights; and ``kb``, what came through the line for
it, with all its scripts, sheets and letters. Medians of several. Prints JSON lines.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.moves import serving
from benchmarks.results import Class, play_rounds, set_up
from benchmarks.slow import CHROMIUM, FLAGS, LAPTOP, PHONE

WATCH = """
window.tasks = [];
window.drawn = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.tasks.push(task.duration);
}).observe({ type: "longtask", buffered: true });
new MutationObserver(() => {
  window.chart ??= document.querySelector(".plot svg") ? performance.now() : undefined;
  const drawn = document.querySelectorAll(".plot.small > svg").length;
  if (drawn > window.drawn) [window.drawn, window.small] = [drawn, performance.now()];
}).observe(document, { childList: true, subtree: true });
"""
FIGURES = """() => ({
  first_chart_s: window.chart === undefined ? null : window.chart / 1000,
  blocked_ms: window.tasks.reduce((sum, task) => sum + task - 50, 0),
  longest_task_ms: Math.max(0, ...window.tasks),
  screens: document.documentElement.scrollHeight / innerHeight,
})"""
AT_FIRST = """() => ({
  small_charts_s: window.small === undefined ? null : window.small / 1000,
  kb: ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, each) => sum + each.transferSize, 0) / 1000,
})"""
SETTLED = 5000


def measure(browser: Browser, address: str, cookie: str, size: Any, slower: float) -> Any:
    """One cold visit."""
    context = browser.new_context(viewport=size, bypass_csp=True)
    base = "/".join(address.split("/")[:3])
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": base}])
    context.add_init_script(WATCH)
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address)
    page.wait_for_timeout(SETTLED)
    at_first = page.evaluate(AT_FIRST)
    end = page.evaluate("() => document.documentElement.scrollHeight")
    for top in range(0, end, size["height"] // 2):
        page.evaluate("top => scrollTo(0, top)", top)
        page.wait_for_timeout(60 * slower)
    found = {**page.evaluate(FIGURES), **at_first}
    context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.charts")
    parser.add_argument("--slower", type=float, default=4.0, help="than this machine")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[], help="pages, by name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-charts-") as name:
        folder = Path(name)
        os.environ["XACTIKA_SECRET_KEY"] = secrets.token_urlsafe(50)
        set_up(name)
        rng = Random(7)
        school = Class("Class", play_rounds(rng), rng)
        session = school.session(8)
        for _earlier in range(3):
            school.session(8)
        cookie = school.browser.cookies["sessionid"].value
        student = school.students[0].pk
        pages = {
            "results": f"/teach/sessions/{session}/results/",
            "results, how we bid": f"/teach/sessions/{session}/results/#bid",
            "results on the wall": f"/teach/sessions/{session}/results/wall/",
            "over time": f"/teach/classrooms/{school.classroom.pk}/results/#bids",
            "learning": f"/teach/classrooms/{school.classroom.pk}/learning/",
            "one student": f"/teach/students/{student}/results/#bids",
            "studio": "/graphs/?of=dealt&show=mean&hands=10000",
        }
        with serving("xactika", folder) as (_server, port), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for what in options.only or pages:
                path = pages[what]
                for window, size in (("laptop", LAPTOP), ("phone", PHONE)):
                    runs = [
                        measure(
                            browser,
                            f"http://127.0.0.1:{port}{path}",
                            cookie,
                            size,
                            options.slower,
                        )
                        for _run in range(options.repeat)
                    ]
                    told = {
                        key: None
                        if runs[0][key] is None
                        else round(median(run[key] for run in runs), 2)
                        for key in runs[0]
                    }
                    print(json.dumps({"page": what, "window": window, **told}), flush=True)
            browser.close()


if __name__ == "__main__":
    main()
