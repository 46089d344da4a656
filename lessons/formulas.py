"""Texts with formulas, as exercises write them: LaTeX between ``\\(`` and ``\\)``."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from latex2mathml.converter import convert

_FORMULA = re.compile(r"\\\((.*?)\\\)", re.DOTALL)
_PRODUCT = re.compile(r"\\cdot\b")


@lru_cache(maxsize=2000)
def mathml(latex: str) -> str:
    """A formula as MathML, in display style: a binomial coefficient in a fraction stays
    readable, and a product has the cross of schoolbooks. It carries no style and no link."""
    written = convert(_PRODUCT.sub(r"\\times", latex))
    return written.replace("<math ", '<math displaystyle="true" ', 1)


def html(text: str) -> str:
    """The text as HTML: escaped, its formulas as MathML."""
    return "".join(
        mathml(part) if index % 2 else escape(part)
        for index, part in enumerate(_FORMULA.split(text))
    )


def formulas(text: str) -> list[str]:
    """The LaTeX of the text's formulas."""
    return _FORMULA.findall(text)
