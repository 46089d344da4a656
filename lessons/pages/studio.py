"""The graph studio's page, the deals that are watched, and a graph's numbers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial

from django.core.handlers.asgi import ASGIRequest
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from games.pages.counting import answer
from games.tables.viewers import find_browser
from lessons.measures.grid import neutral
from lessons.results.files import csv_response, xlsx_response
from lessons.studio import counting
from lessons.studio.counting import Frequencies, simulation
from lessons.studio.drawing import draw
from lessons.studio.panel import StudioPanel, address_of, panel, presets, side_by_side
from lessons.studio.settings import (
    DEALS,
    SAMPLES,
    Look,
    Of,
    Reading,
    Settings,
    Show,
    Side,
    read,
    read_typed,
    suits,
)
from xactika_site.clients import NOBODY
from xactika_site.http import CLIENT
from xactika_site.lanes import Busy, Lane, give_way
from xactika_site.randomness import system_rng
from xactika_site.views import form_view, page_view

PAUSE = 0.06
"""Seconds between two pictures of hands that are dealt: what an eye can follow."""

# One thread: whoever watches deals takes no more than one core, and turns.
_DEALERS = Lane("deals", 1, initializer=give_way)
MOST_WATCHED = 4
"""Deals that one browser watches at a time; those who are not known, so many for a class."""


@form_view
def studio(request: HttpRequest) -> HttpResponse:
    """The studio, as its address has it: one graph, or two side by side. What is sent in a
    form becomes an address: numbers that were typed are too long for one before they are
    read."""
    sent, reads = (
        (request.POST, read_typed) if request.method == "POST" else (request.GET, read)
    )
    readings = [reads(sent)]
    if "of2" in sent:
        readings.append(reads(sent, "2"))
    for suffix in ("", "2"):
        if f"deal{suffix}" in sent:
            return redirect(_dealt_anew(readings, sent[f"deal{suffix}"], suffix))
    if request.method == "POST" and not any(reading.wrong for reading in readings):
        return redirect(f"{reverse('graphs')}?{address_of(each.settings for each in readings)}")
    panels = _panels(request, readings)
    settings = [each.settings for each in panels]
    return render(
        request,
        "lessons/studio/studio.html",
        {
            "panels": side_by_side(panels),
            "presets": presets(),
            "is_sent": any(each.settings.of is Of.OWN for each in panels),
            "address": address_of(settings),
            "chosen": _preset_of(address_of(each.settings for each in readings)),
            "one": address_of(settings[:1]),
            "two": address_of([replace(settings[0], y=Side.SHARE), _beside(settings[0])]),
        },
        status=422 if any(reading.wrong for reading in readings) else 200,
    )


def _preset_of(address: str) -> str:
    """The address of the ready-made graph that is drawn; empty if none is."""
    for preset in presets():
        query = QueryDict(preset["address"])
        readings = [read(query, suffix) for suffix in ("", "2") if f"of{suffix}" in query]
        if address_of(each.settings for each in readings) == address:
            return str(preset["address"])
    return ""


def _panels(request: HttpRequest, readings: list[Reading]) -> list[StudioPanel]:
    browser = find_browser(request.COOKIES, request.user)
    prepare_simulations(readings)
    return [
        panel(each, browser, suffix) for each, suffix in zip(readings, ("", "2"), strict=False)
    ]


def prepare_simulations(readings: list[Reading]) -> None:
    """Have the hands dealt, in the background, that these graphs count. Raises
    ``jobs.StillCounting`` until they are."""
    dealt = [each.settings for each in readings if each.settings.of.is_dealt and not each.wrong]
    if dealt:
        answer(("dealt", *dealt), lambda: [simulation(each) for each in dealt], plays=False)


def _dealt_anew(readings: list[Reading], hands: str, suffix: str) -> str:
    """The address of this many hands dealt afresh, for whom no script does it."""
    settings = [reading.settings for reading in readings]
    place = min(len(settings) - 1, 1 if suffix else 0)
    of = settings[place].of if settings[place].of.is_dealt else Of.DEALT
    offered = SAMPLES if of is Of.SAMPLES else DEALS
    wanted = int(hands) if hands in map(str, offered) else offered[0]
    seed = system_rng.randrange(2**32)
    settings[place] = replace(settings[place], of=of, hands=wanted, seed=seed)
    return f"{reverse('graphs')}?{address_of(settings)}"


def _beside(settings: Settings) -> Settings:
    """The settings of a graph beside this one: the same of simulated deals, or of the deck."""
    usual = Settings()
    if settings.of is Of.SAMPLES:
        # A quarter of the hands, twice the spread.
        return replace(settings, y=Side.SHARE, size=100 if settings.size == 25 else 25)
    like = replace(settings, y=Side.SHARE, hands=usual.hands, seed=usual.seed)
    like = replace(like, session=None, by=None, data="")
    if settings.show.is_of_round or settings.of is Of.OWN:
        return replace(like, show=Show.MEAN, graph=Look.HISTOGRAM, of=Of.DECK)
    like = replace(like, of=Of.DEALT if settings.of is Of.DECK else Of.DECK)
    return like if like.graph in suits(like) else replace(like, graph=suits(like)[0])


@page_view
def numbers(request: HttpRequest, *, is_csv: bool) -> HttpResponse:
    """A graph's table as XLSX or CSV, with its title above."""
    reading = read(request.GET)
    (panel,) = _panels(request, [reading])
    if panel.chart is None or panel.chart.grid is None:
        raise Http404
    table = panel.chart.grid.numbers
    sheet = [list(map(plain, row)) for row in ((panel.chart.title,), table.head, *table.rows)]
    return csv_response(sheet, "graph") if is_csv else xlsx_response({"graph": sheet}, "graph")


def plain(cell: str) -> str | int | float:
    """A cell of a spreadsheet: numbers as numbers, shares of 1, texts never as formulas."""
    typed = cell.replace("\u2212", "-").translate(_SPACES)
    point = get_format("DECIMAL_SEPARATOR")
    typed = typed.replace("," if point == "." else ".", "").replace(point, ".")
    if not (match := _NUMBER.fullmatch(typed)):
        return neutral(cell)
    if match["percent"]:
        return float(Decimal(match["number"]) / 100)
    return float(typed) if "." in typed else int(typed)


_SPACES = {ord(space): None for space in "\u00a0\u202f"}
_NUMBER = re.compile(r"(?P<number>-?[0-9]+(\.[0-9]+)?)(?P<percent>%?)")


@page_view
async def deals(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Simulated hands as they are dealt: JSON lines of a figure and its sentence, until all are
    dealt or nobody listens any more."""
    reading = read(request.GET)
    if reading.wrong or not reading.settings.of.is_dealt:
        lines = reading.wrong or [_("Only simulated hands can be dealt.")]
        return JsonResponse({"wrong": lines}, status=422)
    scope = request.scope if isinstance(request, ASGIRequest) else {}
    client = scope.get(CLIENT, NOBODY)
    pictures = _json_lines(reading.settings, translation.get_language(), client)
    response = StreamingHttpResponse(pictures, content_type="application/x-ndjson")
    response["X-Accel-Buffering"] = "no"
    return response


async def _json_lines(settings: Settings, language: str, client: str) -> AsyncIterator[str]:
    """The lines; each is computed on the dealers' thread, so that the server's loop is free
    between any two of them, and can be cancelled there. They end early where the client
    watches too many at once."""
    loop = asyncio.get_running_loop()
    steps = counting.frames(settings.hands)
    each_step = counting.deal_frequencies(settings, steps)
    for step in steps:
        begun = loop.time()
        picture = partial(_json_line, each_step, settings, step, language)
        try:
            yield await _DEALERS.run(client, picture, most=MOST_WATCHED * (1 if client else 10))
        except Busy:
            return
        await asyncio.sleep(max(0.0, PAUSE - (loop.time() - begun)))


def _json_line(
    each_step: Iterator[Frequencies], settings: Settings, step: int, language: str
) -> str:
    with translation.override(language):
        frequencies = counting.with_goal(next(each_step), settings)
        chart = draw(settings, frequencies, key="graph")
        line = {
            "dealt": step,
            "title": chart.title,
            "summary": chart.summary,
            "figure": chart.figure,
        }
        return json.dumps(line) + "\n"
