"""All addresses of the site."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.http import require_POST
from django.views.generic import TemplateView
from django.views.i18n import set_language

from xactika_site import __version__, health

handler500 = health.failed

news = TemplateView.as_view(template_name="news.html", extra_context={"version": __version__})

_FORM = re.compile(r"(?<=/)(do|answer|hint|solve|another|change)/$")
"""Where the path of a form's address begins that shows a page only when the form is sent; what
is before it is the page with the form."""


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """A redirect with the language's cookie, by Django's own view, to where one comes from:
    from the answer to a form to the page with the form, as a form's address shows nothing."""
    answer = set_language(request)
    if "Location" in answer:
        answer["Location"] = _FORM.sub("", answer["Location"])
    return answer


urlpatterns = [
    path("language/", choose_language, name="set_language"),
    path("healthz", health.healthz, name="healthz"),
    path("new/", news, name="news"),
    path("", include("games.urls")),
    path("", include("lessons.urls")),
    path("teach/", include("xactika_site.accounts.urls")),
    path("teach/", include("xactika_site.classrooms.urls")),
    *([path("lti/", include("lessons.lti.urls"))] if settings.LTI else []),
]
