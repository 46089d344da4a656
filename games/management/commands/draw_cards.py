"""Draw the cards' sprite anew, after a change of games/art.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.art import sprite

SPRITE = Path(__file__).resolve().parents[2] / "static" / "games" / "cards.svg"


class Command(BaseCommand):
    help = "Write games/static/games/cards.svg."

    def handle(self, *_args: Any, **_options: Any) -> None:
        SPRITE.write_text(sprite())
        self.stdout.write(f"{SPRITE.name}: {SPRITE.stat().st_size} bytes")
