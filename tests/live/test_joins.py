"""A class comes in all at once, from one address, and everybody presses twice."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from tests.live.joining import COUNT, OPEN, come_in, in_django
from tests.server import Server

CLASS = 40 if os.environ.get("XACTIKA_SOAK") == "1" else 20


def test_a_class_comes_in_at_once(server: Server) -> None:
    session, code = in_django(server, OPEN)
    address = f"{server.base}/join/{code}/"
    with ThreadPoolExecutor(CLASS) as devices:
        names = list(devices.map(come_in, [address] * CLASS))
    assert len(set(names)) == CLASS
    assert in_django(server, COUNT.format(session=session)) == [sorted(names), 0]
