"""The request as our pages know it, and numbers as they are sent."""

from __future__ import annotations

from django.http import HttpRequest as DjangoRequest
from django_htmx.middleware import HtmxDetails


class HttpRequest(DjangoRequest):
    """With what django-htmx says of it: whether htmx asks, and for what part of the page."""

    htmx: HtmxDetails


def digits(sent: str, most: int = 18) -> int | None:
    """A whole number of at most so many digits, as pages send it; None for anything else."""
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= most else None
