"""Texts with formulas, as exercises write them: LaTeX between ``\\(`` and ``\\)``."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from itertools import pairwise

from latex2mathml.converter import convert

_FORMULA = re.compile(r"\\\((.*?)\\\)", re.DOTALL)
_PRODUCT = re.compile(r"\\cdot\b")
_BREAK = re.compile(r"(?= = )|(?= \\approx )|(?<= \+ )|(?<=\\quad )")
"""Where a line may break: before a relation, after a plus, and after a space."""

LONG = 36
"""Characters of LaTeX beyond which a formula may be wider than a phone."""


@lru_cache(maxsize=2000)
def mathml(latex: str) -> str:
    """A formula as MathML, in display style: a binomial coefficient in a fraction stays
    readable, and a product has the cross of schoolbooks. It carries no style and no link."""
    written = convert(_PRODUCT.sub(r"\\times", latex.replace("\u2212", "-")))
    return written.replace("<math ", '<math displaystyle="true" ', 1)


def pieces(latex: str) -> list[str]:
    """The formula in parts between which a line may break; nothing in braces is parted."""
    if len(latex) <= LONG:
        return [latex]
    ends = [
        match.start()
        for match in _BREAK.finditer(latex)
        if latex.count("{", 0, match.start()) == latex.count("}", 0, match.start())
    ]
    return [latex[start:end] for start, end in pairwise([0, *ends, len(latex)])]


def html(text: str) -> str:
    """The text as HTML: escaped, its formulas as MathML, long ones in pieces."""
    return "".join(
        "<wbr>".join(map(mathml, pieces(part))) if index % 2 else escape(part)
        for index, part in enumerate(_FORMULA.split(text))
    )


def formulas(text: str) -> list[str]:
    """The LaTeX of the text's formulas."""
    return _FORMULA.findall(text)
