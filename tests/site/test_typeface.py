"""The display face: small, whole for what headings say, and with its licence in the package."""

from __future__ import annotations

from pathlib import Path

GAMES = Path(__file__).resolve().parent.parent.parent / "games" / "static" / "games"
FACE = GAMES / "fredoka-600.woff2"
KIB = 1024


def test_it_is_small_and_comes_with_its_licence() -> None:
    assert FACE.read_bytes()[:4] == b"wOF2"
    assert FACE.stat().st_size < 30 * KIB
    licence = (GAMES / "fredoka-OFL.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License, Version 1.1" in licence
    assert "with Reserved Font Name" not in licence.split("-----")[0]
