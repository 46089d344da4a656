"""All addresses of the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.http.response import HttpResponseBase
from django.urls import include, path
from django.views.generic import TemplateView

from xactika_site import health

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def not_yet(title: StrOrPromise) -> Callable[..., HttpResponseBase]:
    """A page that says plainly that its part is not built yet."""
    return TemplateView.as_view(template_name="not_yet.html", extra_context={"title": title})


handler500 = health.failed

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("", include("games.urls")),
    path("", include("lessons.urls")),
    path("teach/", include("xactika_site.accounts.urls")),
    path("teach/", include("xactika_site.classrooms.urls")),
]
