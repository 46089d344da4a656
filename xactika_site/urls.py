"""All addresses of the site."""

from __future__ import annotations

from django.urls import include, path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from xactika_site import health

handler500 = health.failed

urlpatterns = [
    path("language/", require_POST(set_language), name="set_language"),
    path("healthz", health.healthz, name="healthz"),
    path("", include("games.urls")),
    path("", include("lessons.urls")),
    path("teach/", include("xactika_site.accounts.urls")),
    path("teach/", include("xactika_site.classrooms.urls")),
]
