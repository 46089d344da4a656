"""Make the display face that pages are sent, from Fredoka 600 as npm has it.

In a folder elsewhere, with an environment of one's own (the program needs none of this)::

    npm pack @fontsource/fredoka@5.3.0 && tar xzf fontsource-fredoka-5.3.0.tgz
    pip install fonttools==4.* brotli
    python tools/typeface.py package/files games/static/games/xactika-display.woff2

The same files make the same bytes. Its licence is ``xactika-display-OFL.txt``, beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

NAME = "Xactika Display"
LETTERS = (*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ŒœŸ‘’“”‚„‹›–—…−•€™"))
SPACES = {0x202F: 0.7, 0x2009: 0.7}
"""Shares of a space: French has the narrow one before ; ! ? and inside « »."""
ALIASES = {0x2011: 0x2D, 0xAD: 0x2D}


def subset(font: TTFont) -> None:
    options = Options()
    options.layout_features = ["ccmp", "kern", "mark", "mkmk", "tnum", "lnum"]
    options.drop_tables += ["STAT"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6]
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)


def add(font: TTFont, letter: int, glyph: object, metrics: tuple[int, int]) -> None:
    name = f"uni{letter:04X}"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"].glyphs[name] = glyph
    font["glyf"].glyphOrder = font.getGlyphOrder()
    font["hmtx"][name] = metrics
    spell(font, letter, name)


def spell(font: TTFont, letter: int, glyph: str) -> None:
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[letter] = glyph


def complete(font: TTFont, further: TTFont) -> None:
    """What the file of Latin letters lacks, and French has."""
    known, others = font.getBestCmap(), further.getBestCmap()
    y = ord("Ÿ")
    if y not in known:
        drawn = DecomposingRecordingPen(further.getGlyphSet())
        further.getGlyphSet()[others[y]].draw(drawn)
        pen = TTGlyphPen(None)
        drawn.replay(pen)
        add(font, y, pen.glyph(), further["hmtx"][others[y]])
    space = known[0x20]
    for letter, share in SPACES.items():
        width = round(share * font["hmtx"][space][0])
        add(font, letter, TTGlyphPen(None).glyph(), (width, 0))
    for letter, like in ALIASES.items():
        spell(font, letter, known[like])


def rename(font: TTFont) -> None:
    names = font["name"]
    names.names = [name for name in names.names if name.nameID == 0]
    texts = {1: NAME, 2: "Regular", 3: f"{NAME} 600", 4: NAME, 5: "Version 1"}
    texts[6] = NAME.replace(" ", "")
    for number, text in texts.items():
        names.setName(text, number, 3, 1, 0x409)


def main(source: Path, target: Path) -> None:
    font, further = (
        TTFont(source / f"fredoka-{part}-600-normal.woff2", recalcTimestamp=False)
        for part in ("latin", "latin-ext")
    )
    subset(font)
    complete(font, further)
    rename(font)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
