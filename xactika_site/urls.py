"""All addresses of the site."""

from __future__ import annotations

from django.conf import settings
from django.urls import include, path
from django.views.decorators.http import require_POST
from django.views.generic import TemplateView
from django.views.i18n import set_language

from xactika_site import __version__, health

handler500 = health.failed

news = TemplateView.as_view(template_name="news.html", extra_context={"version": __version__})

urlpatterns = [
    path("language/", require_POST(set_language), name="set_language"),
    path("healthz", health.healthz, name="healthz"),
    path("new/", news, name="news"),
    path("", include("games.urls")),
    path("", include("lessons.urls")),
    path("teach/", include("xactika_site.accounts.urls")),
    path("teach/", include("xactika_site.classrooms.urls")),
    *([path("lti/", include("lessons.lti.urls"))] if settings.LTI else []),
]
