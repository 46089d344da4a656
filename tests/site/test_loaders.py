"""Line breaks of the tables' fragments are for whoever reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.template import engines
from jinja2 import Template

LINES = """<p
  class="a">
  {{ one }}
  <b>{{ "x"
     "y" }}</b>
  {{- " " }}<i>
  {%- if one %} z{% endif %}</i></p>"""


@pytest.fixture
def fragment() -> Callable[[str], Template]:
    backend: Any = engines["fragments"]
    from_string: Callable[[str], Template] = backend.env.from_string
    return from_string


def test_a_break_between_tags_is_nothing_and_a_space_within_one(
    fragment: Callable[[str], Template],
) -> None:
    assert fragment(LINES).render(one=1) == '<p class="a">1<b>xy</b> <i> z</i></p>'


def test_an_error_names_the_line_of_the_file(fragment: Callable[[str], Template]) -> None:
    with pytest.raises(ZeroDivisionError) as failed:
        fragment("<p\n  id=a>\n  <b>\n  {{ 1 // n }}</b></p>").render(n=0)
    assert failed.traceback[-1].lineno + 1 == 4
