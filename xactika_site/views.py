"""Views by how they are asked for, and by whom; no browser and no proxy keeps an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.decorators import login_required
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

View = TypeVar("View", bound=Callable[..., Any])

_reads_or_sends = require_http_methods(["GET", "HEAD", "POST"])


def page_view(view: View) -> View:
    """The view, only read."""
    return never_cache(require_safe(view))


def form_view(view: View) -> View:
    """The view, read, or sent its form."""
    return never_cache(_reads_or_sends(view))


def action_view(view: View) -> View:
    """The view, only sent to."""
    return never_cache(require_POST(view))


def teachers_page(view: View) -> View:
    """``page_view`` of who has signed in; others are led to the sign-in."""
    return never_cache(login_required(require_safe(view)))


def teachers_form(view: View) -> View:
    """``form_view`` of who has signed in."""
    return never_cache(login_required(_reads_or_sends(view)))


def teachers_action(view: View) -> View:
    """``action_view`` of who has signed in."""
    return never_cache(login_required(require_POST(view)))
