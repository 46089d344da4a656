"""Garbage is collected a little at a time, as a collection stops everybody while it looks.

Python begins one when more objects were made than let go. Tables let go of as many as they
make, so it begins late, and then looks through all that they hold: tens of thousands. But
hardly any of that is garbage; pages leave some. So ten times a second what pages have left is
collected, and all that is in use is set aside, which costs nothing. What is garbage only later
(a table's room, the request of a page that took long) stays until nobody is connected, at most
a day: measured, 2 MB of a school of 500 that plays, 9 when all its classes begin at once.
"""

from __future__ import annotations

import gc
import threading
from time import monotonic, sleep

from xactika_site.http import Application, Receive, Scope, Send

TURN = 0.1
"""Seconds between two looks."""

PAGES_MAY_TAKE = 1.0
"""Seconds that a look waits for pages that are being answered: what is theirs is better not set
aside."""

AT_ONCE, OF_THESE = 3_000, 1
"""So many new objects, of a page of results say, begin a collection at once; every other one
looks at what the last one kept, too."""

NEVER = 2**31 - 1

ALL_EVERY, AT_LAST = 60 * 60.0, 24 * 60 * 60.0
"""Seconds at least between two looks through everything, which stop all for a fifth of one; and
after which a forgotten tab, as somebody is connected, puts it off no longer."""


class Counted:
    """An ASGI application, how often it runs just now, and how often it has ended."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.running = self.ended = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as it does."""
        self.running += 1
        try:
            await self._application(scope, receive, send)
        finally:
            self.running -= 1
            self.ended += 1


class Collector:
    """Collects what ``pages`` leave, and what all did once nobody is at the ``sockets``."""

    def __init__(self, pages: Counted, sockets: Counted) -> None:
        self._pages, self._sockets = pages, sockets
        self._looked_at = self._all_at = monotonic()
        self._ended = self._ended_by_all = 0

    def start(self) -> None:
        """Collect from now on, in a thread of its own. What is loaded by now is set aside."""
        gc.set_threshold(AT_ONCE, OF_THESE, NEVER)
        gc.collect()
        gc.freeze()
        threading.Thread(target=self._run, name="garbage", daemon=True).start()

    def _run(self) -> None:
        while True:
            sleep(TURN)
            self.look(monotonic())
            self.look_through_all(monotonic())

    def look(self, now: float) -> None:
        """Collect what pages have left, and set aside what is in use."""
        if self._pages.running and now - self._looked_at < PAGES_MAY_TAKE:
            return
        self._looked_at = now
        if self._ended != self._pages.ended:
            self._ended = self._pages.ended
            gc.collect(1)
        gc.freeze()

    def look_through_all(self, now: float) -> None:
        """Collect what was set aside and is garbage by now, if nobody is there who would wait,
        and somebody was."""
        ended = self._pages.ended + self._sockets.ended
        if (
            now - self._all_at < ALL_EVERY
            or ended == self._ended_by_all
            or self._pages.running
            or (self._sockets.running and now - self._all_at < AT_LAST)
        ):
            return
        self._all_at, self._ended_by_all = now, ended
        gc.unfreeze()
        gc.collect()
        gc.freeze()
