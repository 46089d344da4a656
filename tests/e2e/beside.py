"""A browser of the floor and today's Chromium at the same place: at the same seat of the same
table by the same cookies, at the same moment. What lies elsewhere or is drawn in other colours
is noted.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from tests.e2e.engines import Chromium, Engine, engine
from tests.server import Server

NEAR = 4
"""Pixels by which a box may lie elsewhere."""
AS_WIDE_AS_ITS_NAME = ".seat "
"""A box of which the middle, and the edge that it hangs from, are compared: letters are wider
in one browser than in another, and a name that just fits there takes a second line here."""
A_LINE = 20
"""Pixels by which a second line of a name may make its box higher."""
CLOSE = 14
"""Of 255, by which a box's mean colour may differ: letters are drawn a little differently."""

MEASURE = """
  const [selectors] = arguments;
  scrollTo(0, 0);
  const found = {};
  for (const selector of selectors) {
    let number = 0;
    for (const element of document.querySelectorAll(selector)) {
      const style = getComputedStyle(element);
      if (!element.getClientRects().length || style.visibility === "hidden") continue;
      if (element.closest(".visually-hidden")) continue;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (right - left < 2 || bottom - top < 2) continue;
      found[`${selector} ${number++}`] = [left, top, right, bottom].map(Math.round);
    }
  }
  const moving = document.getAnimations().filter((each) =>
    each.playState === "running" && Number.isFinite(each.effect.getComputedTiming().endTime));
  return [moving.length + document.querySelectorAll(".ghost").length, found];
"""

# Of each box: the mean of what is drawn there.
MEANS = """async ([png, boxes]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const paper = canvas.getContext("2d", { willReadFrequently: true });
  paper.imageSmoothingQuality = "high";
  return boxes.map(([left, top, right, bottom]) => {
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
    const width = Math.min(right, image.width) - x;
    const height = Math.min(bottom, image.height) - y;
    if (width < 2 || height < 2) return null;
    paper.drawImage(image, x, y, width, height, 0, 0, 16, 16);
    const { data } = paper.getImageData(0, 0, 16, 16);
    const sums = [0, 0, 0];
    data.forEach((value, at) => at % 4 < 3 && (sums[at % 4] += value));
    return sums.map((sum) => Math.round(sum / 256));
  });
}"""

TOKENS = """
  const names = new Set();
  const look = (rules) => {
    for (const rule of rules) {
      for (const name of rule.style ?? []) if (name.startsWith("--")) names.add(name);
      if (rule.cssRules) look(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) look(sheet.cssRules);
  const probe = document.body.appendChild(document.createElement("i"));
  const told = [...names].sort().map((name) => {
    probe.style.backgroundColor = "transparent";
    probe.style.backgroundColor = `var(${name})`;
    return [name, getComputedStyle(probe).backgroundColor];
  });
  probe.remove();
  return Object.fromEntries(told);
"""


HAS_FACES = "return document.fonts.status === 'loaded'"
"""Whether what is to be drawn in the display face can be."""


class Beside:
    """A browser of the floor, and today's Chromium at the same place."""

    def __init__(self, one: Engine, today: Chromium, server: Server) -> None:
        self.one, self.today, self.server = one, today, server
        self.light_table = today.context.new_page()
        self.wrong: list[str] = []

    def both(self, do: Callable[[Engine], object]) -> None:
        do(self.one)
        do(self.today)

    def resize(self, size: tuple[int, int]) -> None:
        """As large as the browser can be: no page of WebKitGTK is as narrow as a phone."""
        self.one.resize(*size)
        self.today.resize(*self.one.size())

    def go(self, path: str) -> None:
        """There by the browser's own cookies, which today's takes over."""
        self.one.go(self.server.base + path)
        self.follow()

    def follow(self) -> None:
        """Today's goes where the browser is."""
        address = self.one.address()
        self.today.go(f"{self.server.base}/healthz")
        self.today.give(self.one.cookies())
        self.today.go(address)
        self.both(lambda each: each.until(HAS_FACES))

    def same_moment(self) -> None:
        """Wait until today's shows the turn that the browser shows."""
        turn = "return document.getElementById('turn').dataset.turn"
        self.today.until(f"{turn} === arguments[0]", self.one.run(turn))

    def same(self, what: str, selectors: list[str]) -> None:
        """Note which boxes lie elsewhere, or are drawn in other colours."""
        what = f"{what} at {self.one.size()[0]} px"
        mine, todays = self._still(self.one, selectors), self._still(self.today, selectors)
        self._keep_pictures(what)
        assert todays, what
        if mine.keys() != todays.keys():
            self.wrong.append(f"{what}: only in one: {sorted(mine.keys() ^ todays.keys())}")
        names = sorted(mine.keys() & todays.keys())
        for name in names:
            here, there = mine[name], todays[name]
            if name.startswith(AS_WIDE_AS_ITS_NAME):
                here, there = _as_its_name(here, there)
            if _differ(here, there, self.one.size()[1]):
                self.wrong.append(f"{what}: {name} at {mine[name]}, today {todays[name]}")
        self.wrong += self._other_colours(what, [(n, mine[n], todays[n]) for n in names])

    def _other_colours(
        self, what: str, boxes: list[tuple[str, list[int], list[int]]]
    ) -> list[str]:
        """What stays drawn in other colours: where nothing moves any more WebKit may still give
        the picture of a moment before."""
        wrong: list[str] = []
        deadline = time.monotonic() + 5
        while True:
            drawn = self._means(self.one, [mine for _name, mine, _todays in boxes])
            wanted = self._means(self.today, [todays for _name, _mine, todays in boxes])
            wrong = [
                f"{what}: {name} is drawn {here}, today {there}"
                for (name, *_), here, there in zip(boxes, drawn, wanted, strict=True)
                if here and there and any(abs(a - b) > CLOSE for a, b in zip(here, there))  # noqa: B905
            ]
            if not wrong or time.monotonic() > deadline:
                return wrong
            time.sleep(0.3)

    def _still(self, engine: Engine, selectors: list[str]) -> dict[str, list[int]]:
        """Where the boxes are when nothing moves any more."""
        before, now, deadline = None, None, time.monotonic() + 30
        while time.monotonic() < deadline:
            before, (moving, now) = now, engine.until(MEASURE, selectors)
            if before == now and not moving:
                return dict(now)
            time.sleep(0.03)
        raise AssertionError(f"{engine.name}: {moving} still move, at {now}")

    def _keep_pictures(self, what: str) -> None:
        """For eyes, if a folder is named for them."""
        if folder := os.environ.get("XACTIKA_PICTURES"):
            for each in (self.one, self.today):
                name = f"{what}, {self.one.name}{', today' if each is self.today else ''}.png"
                (Path(folder) / name).write_bytes(each.picture())

    def _means(self, engine: Engine, boxes: list[list[int]]) -> list[list[int] | None]:
        png = base64.b64encode(engine.picture()).decode()
        return list(self.light_table.evaluate(MEANS, [png, boxes]))

    def same_tokens(self) -> None:
        mine, todays = self.one.run(TOKENS), self.today.run(TOKENS)
        assert len(todays) > 30
        for name, colour in todays.items():
            if mine.get(name) != colour:
                self.wrong.append(f"token {name} is {mine.get(name)}, today {colour}")

    def begin(self) -> None:
        """Somebody new, at both, who wants no motion: boxes are compared where they end."""
        self.wrong.clear()
        self.both(lambda each: each.go(f"{self.server.base}/privacy/"))
        self.both(lambda each: each.forget())
        self.both(lambda each: each.run("localStorage.setItem('xactika-motion', 'calm')"))

    def judge(self) -> None:
        """Nothing is elsewhere, and nobody complained."""
        wrong = [*self.wrong, *self.one.complaints()]
        if wrong:
            pytest.fail("\n".join(wrong), pytrace=False)


def _as_its_name(here: list[int], there: list[int]) -> tuple[list[int], list[int]]:
    """Both boxes, without what their letters alone make of them."""
    (left, top, right, bottom), (its_left, its_top, its_right, its_bottom) = here, there
    off = sorted([abs(top - its_top), abs(bottom - its_bottom)])
    if off[0] <= NEAR and off[1] <= A_LINE:
        top, bottom = its_top, its_bottom
    middle, its_middle = (left + right) // 2, (its_left + its_right) // 2
    return [middle, top, middle, bottom], [its_middle, its_top, its_middle, its_bottom]


def _differ(here: list[int], there: list[int], height: int) -> bool:
    """In place or size. Of what begins below the first screen the size alone: each line of text
    above it is a fraction of a pixel higher or lower in another browser."""
    shapes = [
        (left, top, right - left, bottom - top) for left, top, right, bottom in (here, there)
    ]
    pairs = list(zip(*shapes, strict=True))
    if here[1] > height:
        del pairs[1]
    return any(abs(one - other) > NEAR for one, other in pairs)


@contextmanager
def both_in(
    scheme: str, name: str, server: Server, playwright: Playwright, folder: Path
) -> Iterator[Beside]:
    with (
        engine(name, folder, playwright, scheme) as one,
        engine("chromium", folder, playwright, scheme) as today,
    ):
        assert isinstance(today, Chromium)
        yield Beside(one, today, server)
