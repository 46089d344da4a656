"""The typeface: small, whole for what pages say, and with its licence in the package."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import brotli
from babel.messages.pofile import read_po
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = ROOT / "games" / "static" / "games"
FACE = GAMES / "xactika-face.woff2"
LICENCE = GAMES / "xactika-face-OFL.txt"
KIB = 1024
CMAP, GLYF, LOCA, ANY = 0, 10, 11, 63
"""Numbers of tables in WOFF2; with the last a table's name is spelled out."""
FURTHER = "0123456789«»‘’“”…–—−%×·!?:;,.()\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}ŒœŸÿ"


def number(data: bytes, at: int) -> tuple[int, int]:
    """A ``UIntBase128``, and where it ends."""
    value = 0
    while True:
        value = value << 7 | data[at] & 127
        at += 1
        if data[at - 1] < 128:
            return value, at


def table(data: bytes, wanted: int) -> bytes:
    """One of a WOFF2's tables, that WOFF2 leaves as they are."""
    (tables,) = struct.unpack_from(">H", data, 12)
    (packed,) = struct.unpack_from(">I", data, 20)
    at, start, found = 48, 0, (0, 0)
    for _ in range(tables):
        kind, version = data[at] & 63, data[at] >> 6
        at += 5 if kind == ANY else 1
        size, at = number(data, at)
        if version != (3 if kind in {GLYF, LOCA} else 0):
            size, at = number(data, at)
        if kind == wanted:
            found = start, start + size
        start += size
    whole: bytes = brotli.decompress(data[at : at + packed])
    return whole[slice(*found)]


def letters() -> set[str]:
    """What the face has a shape for: its ``cmap`` of format 4."""
    cmap = table(FACE.read_bytes(), CMAP)
    (count,) = struct.unpack_from(">H", cmap, 2)
    records = [struct.unpack_from(">HHI", cmap, 4 + 8 * n) for n in range(count)]
    at = next(start for *_, start in records if cmap[start : start + 2] == b"\0\4")
    (double,) = struct.unpack_from(">H", cmap, at + 6)
    ends, starts = (
        struct.unpack_from(f">{double // 2}H", cmap, at + skipped)
        for skipped in (14, 16 + double)
    )
    assert all(one < other for one, other in pairwise(ends))
    return {
        chr(code)
        for first, last in zip(starts, ends, strict=True)
        for code in range(first, last + 1)
    }


def test_it_is_small_and_comes_with_its_licence() -> None:
    assert FACE.read_bytes()[:4] == b"wOF2"
    assert FACE.stat().st_size < 30 * KIB
    licence = LICENCE.read_text(encoding="utf-8")
    assert "SIL Open Font License, Version 1.1" in licence
    assert "with Reserved Font Name" not in licence.split("-----")[0]


def test_it_has_every_letter_of_both_languages() -> None:
    said = set(FURTHER)
    for file in ROOT.glob("locale/*/LC_MESSAGES/django.po"):
        with file.open("rb") as opened:
            for message in read_po(opened):
                for texts in (message.id, message.string):
                    said |= set("".join([texts] if isinstance(texts, str) else texts or ()))
    # Greek letters stand in formulas, which have a face of their own.
    wanted = {letter for letter in said if letter.isalpha() and not "Ͱ" <= letter <= "Ͽ"}
    assert {"é", "œ", "ç"} <= wanted
    assert sorted((wanted | set(FURTHER)) - letters()) == []


def test_the_wheel_has_both() -> None:
    files = WheelBuilder(str(ROOT)).recurse_included_files()
    sent = {Path(file.distribution_path).as_posix() for file in files}
    assert {f"games/static/games/{file.name}" for file in (FACE, LICENCE)} <= sent
