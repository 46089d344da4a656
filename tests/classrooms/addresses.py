"""The project's addresses with stand-ins for those that pages here link to by name, whether or
not ``games`` has them."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def nothing(_request: HttpRequest, **_arguments: object) -> HttpResponse:
    return HttpResponse()


urlpatterns = [
    path("", include("xactika_site.urls")),
    path("x/new/<int:classroom_id>/", nothing, name="session_new"),
    path("x/session/<int:session_id>/", nothing, name="session"),
]
