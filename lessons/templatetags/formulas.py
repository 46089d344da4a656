"""Texts with formulas, in templates: ``{{ q.prompt|formulas }}``."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from lessons import formulas as texts

register = template.Library()


@register.filter
def formulas(text: str) -> SafeString:
    """The text escaped, its formulas as MathML."""
    return SafeString(texts.html(text))
