"""Pages that teach."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.rules import stats_table


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The rules of all three variants, the stats table and the tips."""
    rows = [(value, *counts) for value, counts in stats_table().items()]
    return render(request, "lessons/learn.html", {"stats": rows})
