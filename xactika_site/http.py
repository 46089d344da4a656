"""The request as our pages know it."""

from __future__ import annotations

from django.http import HttpRequest as DjangoRequest
from django_htmx.middleware import HtmxDetails


class HttpRequest(DjangoRequest):
    """With what django-htmx says of it: whether htmx asks, and for what part of the page."""

    htmx: HtmxDetails
