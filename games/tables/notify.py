"""Telling every process "this table changed", after commit. Others hear no more than that; the
room in this one is handed the table as the commit left it, where that is at hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction
from django.db.models import F

from games.tables.state import TableState, remember_committed
from games.tables.statements import count_change
from xactika_site import health, metrics
from xactika_site.classrooms.models import ClassSession

GROUP = "tables"

AT_MOST = 1.0
"""Seconds that notifying other processes may take."""

Notifier = Callable[[str, TableState | None], None]

_notifiers: list[Notifier] = []


def notify_through(notifier: Notifier) -> None:
    """Let this process's hub notify; ``notifier`` may be called from any thread."""
    _notifiers[:] = [notifier]


def notify_after_commit(table_id: str, present: TableState | None = None) -> None:
    """Tell every process with somebody at this table that it changed. ``present`` is the whole
    table as this transaction leaves it: this process's room need not read it again."""
    transaction.on_commit(partial(notify_now, table_id, present))


def session_key(session_id: int) -> str:
    """The key under which a class session's change is told; table ids hold letters only."""
    return f"session.{session_id}"


def notify_session_after_commit(session_id: int) -> None:
    """Tell every process with somebody in this class session that it changed."""
    notify_after_commit(session_key(session_id))


def notify_now(table_id: str, present: TableState | None = None) -> None:
    """Tell it now: through this process's hub, or from a command straight to the others'."""
    if _notifiers:
        _notifiers[0](table_id, present)
        return
    if not isinstance(get_channel_layer(), InMemoryChannelLayer):
        async_to_sync(notify_processes)(table_id)


async def notify_processes(key: str) -> bool:
    """Whether every process could be told. Nothing fails if it cannot: what was
    stored is stored, and every process looks for what it missed."""
    message, began = {"type": "bell", "table": key}, perf_counter()
    try:
        async with asyncio.timeout(AT_MOST):
            await get_channel_layer().group_send(GROUP, message)
    except Exception:
        health.log_fault(health.Fault.REDIS)
        return False
    finally:
        metrics.REDIS.took(perf_counter() - began)
    return True


def changed(state: TableState, after: TableState | None = None) -> None:
    """Count a change that is not a move, and tell everybody. ``after`` is the whole table with
    it, where this transaction changes nothing else there."""
    count_change(state.id)
    if after is not None:
        remember_committed(after)
    notify_after_commit(state.id, after)


def table_changed(table_id: str) -> None:
    """Count a change, by its id, of a table that nobody has read, and tell everybody."""
    count_change(table_id)
    notify_after_commit(table_id)


def session_changed(session_id: int) -> None:
    """Count a change that a class session's cockpit and lobby show, and tell everybody."""
    ClassSession.objects.filter(pk=session_id).update(version=F("version") + 1)
    notify_session_after_commit(session_id)
