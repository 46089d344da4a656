"""Pages that teach."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.learning import small_context
from games.rules import stats_table

POSITIONS: dict[str, tuple[str, int]] = {
    "read": ("read-a-card", 1),
    "lead": ("lead-and-call", 1),
    "follow": ("exactly", 1),
    "slough": ("slough", 1),
    "tie": ("the-highest", 2),
    "none": ("take-none", 1),
    "hook": ("bid", 1),
}
"""The positions that stand beside the rules: a chapter's, and which of it."""


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The rules of all three variants, each with a small position; stats table and tips."""
    positions = {key: small_context(*place) for key, place in POSITIONS.items()}
    return render(request, "lessons/learn.html", {"stats": stats_table(), "small": positions})
