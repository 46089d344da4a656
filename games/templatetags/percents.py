"""Whole numbers of percents in templates."""

from __future__ import annotations

from django import template

from games.words import in_percent

register = template.Library()
register.filter("in_percent", in_percent)
