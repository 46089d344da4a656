"""Types of question under the glass: how hard they are, what goes wrong, named to nobody."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lessons.results.learned import items
from xactika_site.http import HttpRequest


@never_cache
@login_required
@require_safe
def question_figures(request: HttpRequest) -> HttpResponse:
    """How every type of question went, over all real classes of this server."""
    panels = items.panels(items.figures(items.first_answers()))
    return render(request, "lessons/results/items.html", {"panels": panels})
