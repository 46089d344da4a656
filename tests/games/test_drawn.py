"""What pages draw from the sprite: numerals and the name, to be seen and to be heard."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from django.template import Context, Template
from django.test import Client

from games.art import sprite

SYMBOLS = set(re.findall(r'<symbol id="([^"]+)"', sprite()))


def shown(text: str, **facts: object) -> ElementTree.Element:
    html = Template("{% load cards %}<p>" + text + "</p>").render(Context(facts))
    return ElementTree.fromstring(html)


def drawn(part: ElementTree.Element) -> list[str]:
    """The symbols that something is drawn of, all of which are there."""
    names = [use.attrib["href"].split("#")[1] for use in part.iter("use")]
    assert set(names) <= SYMBOLS
    return names


def test_a_number_is_drawn_and_read() -> None:
    line = shown("{% numeral total %}", total="−12")
    assert drawn(line) == ["minus", "d1", "d2"]
    assert "".join(line.itertext()) == "−12"
    assert [svg.get("aria-hidden") for svg in line.iter("svg")] == ["true"]


def test_words_stay_words_and_are_escaped() -> None:
    line = shown("{% numeral figure %}", figure="3 of <b>8</b>")
    assert drawn(line) == ["d3", "d8"]
    assert "".join(line.itertext()) == "3 of <b>8</b>"
    assert "".join(shown("{% numeral n %}", n=0).itertext()) == "0"


def test_the_name_is_heard_once() -> None:
    (svg,) = shown('{% mark "Xactika" %}')
    assert (drawn(svg), svg.get("role"), svg.get("aria-label")) == (["mark"], "img", "Xactika")
    (silent,) = shown("{% mark %}")
    assert (silent.get("aria-hidden"), silent.get("role")) == ("true", None)


def test_every_page_begins_with_the_name(client: Client, db: None) -> None:
    for page in ("/", "/join/", "/nowhere/"):
        head = client.get(page).content.decode().split("</header>")[0]
        assert re.search(r'class="home" href="/"><svg [^>]*aria-label="Xactika"', head), page
