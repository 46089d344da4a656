"""Types of question under the glass: how hard they are, what goes wrong, named to nobody."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from lessons.results.learned import items
from xactika_site.http import HttpRequest
from xactika_site.views import teachers_page


@teachers_page
def question_figures(request: HttpRequest) -> HttpResponse:
    """How every type of question went, over all real classes of this server."""
    panels = items.panels(items.figures(items.first_answers()))
    return render(request, "lessons/results/items.html", {"panels": panels})
