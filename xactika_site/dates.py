"""Days as sentences say them: instead of Django's filter ``date``, which it is but for
the first of a month (1er décembre, but 2 décembre)."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from django import template
from django.template import defaultfilters
from django.utils.translation import pgettext

register = template.Library()


@register.filter("date", expects_localtime=True)
def format_date(value: Any, form: str | None = None) -> str:
    """A day or a moment as Django's ``date`` writes it, but the first of a month as the
    language has it (1er); empty for none."""
    text = str(defaultfilters.date(value, form))
    if not isinstance(value, date) or value.day != 1:
        return text
    return re.sub(r"\b1\b", pgettext("day of a month", "1"), text, count=1)
