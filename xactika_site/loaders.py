"""Templates as they are sent. Their indentation is for whoever reads them: pages come without,
which nearly halves one of long tables. No line is lost, so that errors name the right one.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem
from jinja2.ext import Extension

INDENTATION = re.compile(r"\n[ \t]+")


class Loader(filesystem.Loader):
    """Django's own, but for the indentation."""

    def get_contents(self, origin: Origin) -> str:
        return INDENTATION.sub("\n", super().get_contents(origin))


BREAKS = re.compile(
    r"(?P<tag>\{[{%#].*?[}%#]\})"
    r"|(?<=[>}])\n[ \t]*(?=[<{])"
    r"|(?P<within>\n[ \t]+(?![ \t]|\{[{%#]-))",
    re.DOTALL,
)


class Breaks(Extension):
    """Fragments without their line breaks, which become comments: between two tags a break is
    nothing, anywhere else one space."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return BREAKS.sub(_hidden, source)


def _hidden(match: re.Match[str]) -> str:
    return match["tag"] or (" {#\n#}" if match["within"] else "{#\n#}")
