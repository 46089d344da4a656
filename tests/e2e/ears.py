"""For a server that starts with ``import tests.e2e.ears``: its pages read ``ears.js`` first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.http import HttpRequest, HttpResponse

from xactika_site import settings

SCRIPT = Path(__file__).with_name("ears.js").read_text(encoding="utf-8")
ADDRESS = "/ears.js"


def ears(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the script, and its tag on every page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path == ADDRESS:
            return HttpResponse(SCRIPT, content_type="text/javascript")
        response = get_response(request)
        if not response.streaming and b"<head>" in response.content:
            tag = f'<head><script src="{ADDRESS}"></script>'.encode()
            response.content = response.content.replace(b"<head>", tag, 1)
        return response

    return middleware


settings.MIDDLEWARE.append("tests.e2e.ears.ears")  # the length of a page is told outside
