"""All addresses of the site."""

from __future__ import annotations

from django.urls import include, path

from xactika_site import health

handler500 = health.failed

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("", include("games.urls")),
    path("", include("lessons.urls")),
    path("teach/", include("xactika_site.accounts.urls")),
    path("teach/", include("xactika_site.classrooms.urls")),
]
