"""The bell: "this table changed", rung after commit, with nothing about cards in it."""

from __future__ import annotations

from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

GROUP = "tables"

_ringers: list[Callable[[str], None]] = []


def answer_with(ring: Callable[[str], None]) -> None:
    """Let this process's hub ring; ``ring`` may be called from any thread."""
    _ringers[:] = [ring]


def ring_after_commit(table_id: str) -> None:
    """Tell every process with somebody at this table that it changed."""
    transaction.on_commit(lambda: ring(table_id))


def session_key(session_id: int) -> str:
    """What the bell of a class session is rung by; table ids hold letters only."""
    return f"session.{session_id}"


def ring_session_after_commit(session_id: int) -> None:
    """Tell every process with somebody in this class session that it changed."""
    ring_after_commit(session_key(session_id))


def ring(table_id: str) -> None:
    """Ring now: through this process's hub, or from a command straight to the others'."""
    if _ringers:
        _ringers[0](table_id)
        return
    layer = get_channel_layer()
    if not isinstance(layer, InMemoryChannelLayer):
        async_to_sync(layer.group_send)(GROUP, {"type": "bell", "table": table_id})
