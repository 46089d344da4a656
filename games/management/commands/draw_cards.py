"""Draw the cards' sprite and the icon anew, after a change of games/art.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.art import icon, sprite

STATIC = Path(__file__).resolve().parents[2] / "static" / "games"


class Command(BaseCommand):
    help = "Write games/static/games/cards.svg and icon.svg."

    def handle(self, *_args: Any, **_options: Any) -> None:
        for name, drawn in (("cards.svg", sprite()), ("icon.svg", icon())):
            size = (STATIC / name).write_text(drawn, encoding="utf-8")
            self.stdout.write(f"{name}: {size} bytes")
