"""What a bell of another process costs: in the process that hears it, and in Redis.

    python -m benchmarks.bells

A child rings so many times a second through the real channel layer; this process listens as
the hub does. Redis is one of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.live.backing import Redis

RING = """
import asyncio, os, time
import django; django.setup()
from games.tables import notify
async def ring(a_second, seconds):
    began = time.monotonic()
    for number in range(int(a_second * seconds)):
        await asyncio.sleep(max(0, began + number / a_second - time.monotonic()))
        await notify.notify_processes("a" * 22)
asyncio.run(ring({a_second}, {seconds}))
"""


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def hear(redis: Redis, a_second: int, seconds: float) -> tuple[float, float, int]:
    """Milliseconds of processor time a bell: here and in Redis, whole; and how many came."""
    from channels.layers import get_channel_layer

    from games.tables import notify

    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(notify.GROUP, channel)
    child = subprocess.Popen(
        [sys.executable, "-c", RING.format(a_second=a_second, seconds=seconds)]
    )
    await layer.receive(channel)
    here, there, heard = time.process_time(), processor_time(redis.process.pid), 0
    while child.poll() is None:
        try:
            async with asyncio.timeout(0.5):
                await layer.receive(channel)
            heard += 1
        except TimeoutError:
            pass
    here = time.process_time() - here
    there = processor_time(redis.process.pid) - there
    await layer.group_discard(notify.GROUP, channel)
    return here / heard * 1000, there / heard * 1000, heard


def main() -> None:
    """Three turns; one line of JSON with the medians."""
    with tempfile.TemporaryDirectory() as folder, Redis(Path(folder)) as redis:
        os.environ["REDIS_URL"] = redis.url
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
        import django

        django.setup()

        async def turns() -> list[tuple[float, float, int]]:
            return [await hear(redis, 500, 6) for _ in range(3)]

        found = asyncio.run(turns())
    here, there, heard = (median(column) for column in zip(*found, strict=True))
    line = {"heard_ms": round(here, 3), "redis_ms": round(there, 3), "heard": heard}
    print(json.dumps(line))


if __name__ == "__main__":
    main()
