"""The floor that moves.py holds the server against: what a naive live table costs at the least.

Channels' own consumer under uvicorn, with our settings for SQLite and our flags for uvicorn:
each socket joins its table's group; a message stores one row through the ORM and is answered
by ``group_send`` with one prebuilt string to the four. No rules, no seats, no rendering.
"""

from __future__ import annotations

import os
from typing import Any

import django
import uvicorn
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

LAYER = "channels.layers.InMemoryChannelLayer"
settings.configure(
    SECRET_KEY="nothing to keep secret here",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["FLOOR_DATABASE"],
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    },
    CHANNEL_LAYERS={"default": {"BACKEND": LAYER, "CONFIG": {"capacity": 10_000}}},
    USE_TZ=True,
)
django.setup()

from django.db import connection, models  # noqa: E402 (needs the settings)

PICTURE = "x" * 900


class Move(models.Model):
    """One stored move."""

    table = models.CharField(max_length=20)
    text = models.CharField(max_length=11)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return self.text


class Floor(AsyncWebsocketConsumer):
    """A socket at a table, the plainest way that Channels offers."""

    async def connect(self) -> None:
        self.table = self.scope["path"].strip("/").rpartition("/")[2]
        await self.channel_layer.group_add(self.table, self.channel_name)
        await self.accept()
        await self.send(PICTURE)

    async def receive(self, **_message: Any) -> None:
        await database_sync_to_async(Move._default_manager.create)(
            table=self.table, text="1332:2-star"
        )
        await self.channel_layer.group_send(self.table, {"type": "show", "text": PICTURE})

    async def show(self, event: dict[str, Any]) -> None:
        await self.send(event["text"])

    async def disconnect(self, _code: int) -> None:
        await self.channel_layer.group_discard(self.table, self.channel_name)


if __name__ == "__main__":
    with connection.schema_editor() as schema:
        schema.create_model(Move)
    connection.close()
    uvicorn.run(
        Floor.as_asgi(),
        port=int(os.environ["PORT"]),
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=5,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
    )
