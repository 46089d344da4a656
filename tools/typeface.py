"""Make the face that pages are sent, from Fredoka as npm has it, between weights 400 and 600.

In a folder elsewhere, with an environment of one's own (the program needs none of this)::

    npm pack @fontsource-variable/fredoka@5.3.0 && tar xzf fontsource-variable-fredoka-5.3.0.tgz
    pip install fonttools==4.* brotli
    python tools/typeface.py package/files games/static/games/xactika-face.woff2

The same files make the same bytes. Its licence is ``xactika-face-OFL.txt``, beside it.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from math import hypot
from pathlib import Path

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph
from fontTools.varLib.instancer import instantiateVariableFont

NAME = "Xactika Face"
WEIGHTS = (400, 400, 600)
LETTERS = (
    *range(0x20, 0x7F),
    *(letter for letter in range(0xC0, 0x100) if chr(letter) not in "ÐÞðþ÷"),
    *map(ord, "\N{NO-BREAK SPACE}«»©·°±¨ŒœŸ‘’“”‚„‹›–—…−•€™"),
)
SPACES = {0x202F: 0.7, 0x2009: 0.7}
"""Shares of a space: French has the narrow one before ; ! ? and inside « »."""
ALIASES = {0x2011: 0x2D, 0xAD: 0x2D}
COLUMN = 600
"""Units that a digit takes in a column of numbers: Fredoka's own are as wide as each is."""
STROKE = 96
"""Of the signs drawn here, as thick as a stroke at weight 500."""
ARROW = ((90, 350), (510, 350)), ((330, 530), (510, 350), (330, 170))
CROSS = ((110, 540), (490, 160)), ((110, 160), (490, 540))
SIGNS = {
    "✓": (((75, 320), (250, 120), (625, 640)),),
    "✗": CROSS,
    "✕": CROSS,
    "→": ARROW,
    "←": tuple(tuple((600 - x, y) for x, y in line) for line in ARROW),
    "↑": tuple(tuple((y - 50, x + 50) for x, y in line) for line in ARROW),
    "↓": tuple(tuple((y - 50, 650 - x) for x, y in line) for line in ARROW),
}
"""Lines that the face has no letter for: a round pen goes along them."""
PLACE_OF_DOTS = (187, 200)
"""Of the two dots over a Y: where Fredoka's extended Latin has them."""


def subset(font: TTFont) -> None:
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk"]
    options.drop_tables += ["STAT", "HVAR"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6]
    options.notdef_outline = True
    for glyph in font.getGlyphOrder():
        font["gvar"].variations.setdefault(glyph, [])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)


def widen_spaces(font: TTFont) -> None:
    """Take out the pairs that begin with a space: before a V it would nearly close."""
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for pairs in lookup.SubTable:
            if pairs.LookupType == 2 and pairs.Format == 1 and "space" in pairs.Coverage.glyphs:
                at = pairs.Coverage.glyphs.index("space")
                del pairs.Coverage.glyphs[at], pairs.PairSet[at]


def add(font: TTFont, name: str, width: int, *parts: tuple[str, tuple[int, int]]) -> None:
    """A glyph put together from others, each at its place."""
    pen = TTGlyphPen(font.getGlyphSet())
    for part, (x, y) in parts:
        pen.addComponent(part, (1, 0, 0, 1, x, y))
    place(font, name, width, pen.glyph())


def place(font: TTFont, name: str, width: int, glyph: Glyph) -> None:
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"].glyphs[name] = glyph
    font["glyf"].glyphOrder = font.getGlyphOrder()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (width, getattr(glyph, "xMin", 0))
    font["gvar"].variations[name] = []


def draw(font: TTFont, name: str, lines: tuple[tuple[tuple[int, int], ...], ...]) -> None:
    """A glyph that a round pen draws: a dot at each point, a bar between two."""
    pen, half = TTGlyphPen(font.getGlyphSet()), STROKE / 2
    for line in lines:
        for x, y in line:
            pen.moveTo((round(x), round(y + half)))
            for across, up in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
                corner = (round(x + across * half), round(y + up * half))
                on = (x + half * across, y) if across == up else (x, y + half * up)
                pen.qCurveTo(corner, tuple(map(round, on)))
            pen.closePath()
        for (x, y), (u, v) in pairwise(line):
            long = hypot(u - x, v - y)
            aside, up = half * (y - v) / long, half * (u - x) / long
            corners = ((x + aside, y + up), (u + aside, v + up), (u - aside, v - up))
            pen.moveTo((round(x - aside), round(y - up)))
            for corner in corners:
                pen.lineTo(tuple(map(round, corner)))
            pen.closePath()
    place(font, name, 75 + max(x for line in lines for x, _y in line), pen.glyph())


def spell(font: TTFont, letter: int, glyph: str) -> None:
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[letter] = glyph


def complete(font: TTFont) -> None:
    """What the file of Latin letters lacks: what French has, and digits for columns."""
    known = font.getBestCmap()
    wide = {letter: font["hmtx"][glyph][0] for letter, glyph in known.items()}
    y, dots = known[ord("Y")], font["glyf"][known[ord("¨")]].components[0].glyphName
    add(font, "Ydieresis", wide[ord("Y")], (y, (0, 0)), (dots, PLACE_OF_DOTS))
    spell(font, ord("Ÿ"), "Ydieresis")
    for letter, share in SPACES.items():
        add(font, f"uni{letter:04X}", round(share * wide[0x20]))
        spell(font, letter, f"uni{letter:04X}")
    for sign, lines in SIGNS.items():
        draw(font, f"uni{ord(sign):04X}", lines)
        spell(font, ord(sign), f"uni{ord(sign):04X}")
    for letter, like in ALIASES.items():
        spell(font, letter, known[like])
    rules = []
    for digit in map(ord, "0123456789"):
        glyph = known[digit]
        add(font, f"{glyph}.tnum", COLUMN, (glyph, ((COLUMN - wide[digit]) // 2, 0)))
        rules.append(f"sub {glyph} by {glyph}.tnum;")
    columns = f"feature tnum {{ {' '.join(rules)} }} tnum;"
    addOpenTypeFeaturesFromString(font, columns, tables=["GSUB"])


def rename(font: TTFont) -> None:
    names = font["name"]
    names.names = [name for name in names.names if name.nameID == 0]
    texts = {1: NAME, 2: "Regular", 3: f"{NAME} 3", 4: NAME, 5: "Version 3"}
    texts[6] = NAME.replace(" ", "")
    texts[font["fvar"].axes[0].axisNameID] = "Weight"
    for number, text in texts.items():
        names.setName(text, number, 3, 1, 0x409)


def main(source: Path, target: Path) -> None:
    whole = TTFont(source / "fredoka-latin-wght-normal.woff2", recalcTimestamp=False)
    font = instantiateVariableFont(whole, {"wght": WEIGHTS})
    subset(font)
    widen_spaces(font)
    complete(font)
    rename(font)
    font.recalcTimestamp = False
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
