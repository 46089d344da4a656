"""What stylesheets, templates and scripts may not contain, so that every browser from the floor
on (Chromium 109, Firefox 128, Safari and iPadOS 15.6) shows and does what is meant.

To add a row: what it looks like, an example that is to be found, and since when the browsers
know it, or what is written instead. What is decoration may stand behind a guard: in its line,
or around it in a style sheet.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from django.contrib.staticfiles import finders

from tests.scenes import present
from tests.site.style_sheet import CSS, tokens

ROOT = Path(__file__).resolve().parents[2]
KINDS = {".css": "style", ".html": "markup", ".svg": "markup", ".js": "script"}


class Row(NamedTuple):
    kinds: str
    pattern: str
    example: str
    why: str
    unless: str = ""


EVERYWHERE = "style markup script"
ROWS = [
    # Colours and lengths.
    Row(
        EVERYWHERE,
        r"light-dark\(",
        "a { color: light-dark(#000, #fff); }",
        "Chromium 123, Safari 17.5; a token, var(--light, …) var(--dark, …)",
    ),
    Row(
        EVERYWHERE,
        r"color-mix\(",
        "a { color: color-mix(in srgb, red, blue); }",
        "Chromium 111, Safari 16.2; a token, or rgb(var(--ink-rgb) / .12)",
    ),
    Row(
        EVERYWHERE,
        r"\b(?:oklab|oklch|lab|lch)\(|\b(?:rgb|hsl|hwb)\(\s*from\b",
        "a { color: oklch(40% .2 90); }",
        "Chromium 111, relative ones 119",
    ),
    Row(
        "style",
        r"(?<![\w-])(?:a?sin|a?cos|a?tan|atan2|pow|sqrt|hypot|exp|log)\(",
        "a { left: calc(1rem * cos(90deg)); }",
        "Chromium 111; written out",
    ),
    Row(
        "style",
        r"(?<![\w-])(?:round|mod|rem|abs|sign|calc-size)\(",
        "a { width: round(1.2px); }",
        "Chromium 125 to 138",
    ),
    Row(
        "style",
        r"\d[dsl]v(?:h|w|min|max)\b",
        "a { height: 100dvh; }",
        "var(--high), where vh stands before it",
        unless="@supports",
    ),
    Row("style", r"\dcq(?:i|b|w|h|min|max)\b", "a { width: 10cqi; }", "Safari 16"),
    Row(
        "style", r"\d(?:r?lh|r?cap|r?ic|rex|rch)\b", "a { height: 2lh; }", "Chromium 109 to 118"
    ),
    # Rules.
    Row(
        EVERYWHERE,
        r"\([^()]*\b(?:width|height|resolution)\s*[<>]|[<>]=?\s*(?:width|height)\b",
        "@media (width < 40rem) { a { color: red; } }",
        "Safari 16.4; (min-width: …), and (max-width: …) a hundredth below",
    ),
    Row(
        "style",
        r"@container|\bcontainer(?:-type|-name)?:",
        "@container (min-width: 9rem) { }",
        "Safari 16; clamp() in a grid's columns, or the page's width",
    ),
    Row("style", r"(?:^|[{};\s])&", "a { &:hover { color: red; } }", "nesting: Chromium 120"),
    Row(
        "style",
        r"@(?:scope|starting-style|property|position-try|view-transition|function)\b",
        "@starting-style { a { color: red; } }",
        "Chromium 85 to 125, Safari 16.4 to 26",
    ),
    Row(
        "style",
        r"\(scripting\b|prefers-reduced-transparency|inverted-colors",
        "@media (scripting: none) { }",
        "Chromium 118 and 120; <noscript>",
    ),
    Row(
        "style script",
        r":(?:popover-open|open|modal|user-valid|user-invalid|state\()",
        "a:is(:modal) { }",
        "Chromium 119 to 133, Safari 16.5 to 18; [open]",
    ),
    Row(
        "style script",
        r":nth-(?:last-)?child\([^)]*\bof\b",
        "a:nth-child(2 of .b) { }",
        "Chromium 111",
    ),
    Row(
        "style",
        r"::(?:highlight|target-text|details-content|view-transition|scroll-)",
        "::details-content { color: red; }",
        "Chromium 131, Safari 18.4, or decoration",
        unless=r"@supports selector\(::",
    ),
    # Properties.
    Row(
        EVERYWHERE,
        r"\bpopover|(?:show|hide|toggle)Popover",
        "<section popover>",
        "Chromium 114, Safari 17; <dialog class=sheet>, see sheets.js",
    ),
    Row(
        "style",
        r"\b(?:anchor-name|position-anchor|position-area|inset-area)\s*:|[\s:(]anchor\(",
        "a { anchor-name: --b; }",
        "Chromium 125, Safari 26",
    ),
    Row(
        "style",
        r"\b(?:transition-behavior|interpolate-size|field-sizing|allow-discrete)\b",
        "a { field-sizing: content; }",
        "Chromium 117 to 129, Safari 17.4 to 26",
        "@supports",
    ),
    Row(
        "style script",
        r"\bview-transition|startViewTransition",
        "document.startViewTransition()",
        "Chromium 111, Safari 18",
        r"@supports|\?\.",
    ),
    Row(
        "style",
        r"\b(?:animation|scroll|view)-timeline\b",
        "a { animation-timeline: scroll(); }",
        "Chromium 115, Safari 26",
        "@supports",
    ),
    Row(
        "style",
        r"\bsubgrid\b",
        "a { grid-template-rows: subgrid; }",
        "Chromium 117, Safari 16",
        "@supports",
    ),
    Row(
        "style",
        r"overflow(?:-[xy])?:\s*clip",
        "a { overflow: clip; }",
        "Safari 16; hidden before it",
        r"hidden; overflow(?:-[xy])?: clip",
    ),
    Row(
        "style",
        r"\bscrollbar-(?:gutter|color|width)\b",
        "a { scrollbar-gutter: stable; }",
        "Safari 18.2",
        "@supports",
    ),
    Row(
        "style",
        r"(?<!-webkit-)\b(?:user-select|backdrop-filter|print-color-adjust):",
        "a { user-select: none; }",
        "all of Safari, or Chromium 136; with its -webkit- before it",
        r"-webkit-(?:user-select|backdrop-filter|print-color-adjust):",
    ),
    Row(
        "style",
        r"(?<![\w-])mask(?:-image|-size)?:",
        "a { mask: none; }",
        "Chromium 120",
        "-webkit-mask",
    ),
    Row(
        "style",
        r"text-decoration:\s*[\w-]+\s+[\w#-]",
        "a { text-decoration: underline dotted; }",
        "Safari has the short form with a prefix only; by its parts",
    ),
    # Markup.
    Row(
        "markup",
        r"<[^>]*\s(?:commandfor|closedby|shadowrootmode|blocking=)",
        '<button commandfor="a">',
        "Chromium 111 to 135",
    ),
    Row("markup", r"<details[^>]*\sname=", '<details name="a">', "Chromium 120, Safari 17.2"),
    Row("markup", r"<(?:search|selectedcontent)\b", "<search>", "Chromium 118, Safari 17"),
    Row("markup script", r"until-found", '<p hidden="until-found">', "Firefox 139, Safari 26"),
    Row("markup", r"importmap", '<script type="importmap">', "Safari 16.4"),
    # Scripts.
    Row(
        "script", r"\(\?<[=!]", "const a = /(?<=b)c/;", "Safari 16.4: the whole module is lost"
    ),
    Row("script", r"\(\?[ims]*-?[ims]+:", "const a = /(?i:b)c/;", "Chromium 125"),
    Row("script", r"\bstatic\s*\{", "class A { static { } }", "Safari 16.4"),
    Row(
        "script",
        r"\bimport\b[^;]*\bwith\s*\{",
        'import a from "./a" with { type: "json" };',
        "Chromium 123",
    ),
    Row(
        "script",
        r"\.requestSubmit\b",
        "form.requestSubmit();",
        "Safari 16; click() on the button that submits",
    ),
    Row(
        "script",
        r"\.checkVisibility\b",
        "a.checkVisibility();",
        "Safari 17.4; getClientRects().length",
    ),
    Row(
        "script",
        r"\.(?:toSorted|toReversed|toSpliced|with)\(",
        "[1].toSorted();",
        "Chromium 110, Safari 16",
    ),
    Row(
        "script",
        r"\b(?:groupBy|fromAsync|withResolvers|toWellFormed|isWellFormed)\(",
        "Object.groupBy([], f);",
        "Chromium 111 to 121, Safari 16.4 to 17.4",
    ),
    Row(
        "script",
        r"\b(?:isSubsetOf|isSupersetOf|symmetricDifference|intersection|union)\(",
        "a.union(b);",
        "Chromium 122, Safari 17",
    ),
    Row(
        "script",
        r"\b(?:requestClose|moveBefore|setHTMLUnsafe|getHTML|canParse|showPicker)\(",
        "dialog.requestClose();",
        "Chromium 120 to 134, Safari 16 to 18.4",
    ),
    Row(
        "script",
        r"\b(?:CloseWatcher|URLPattern|requestIdleCallback|scheduler)\b",
        "new CloseWatcher();",
        "not in Safari, or not before 26",
        r"\?\.",
    ),
    Row(
        "script",
        r"new WebSocket\(\s*[\"'`](?!wss?:)",
        'new WebSocket("/ws/");',
        "Chromium 125, Safari 17.3: an address as a whole",
    ),
    Row(
        "script",
        r"AbortSignal\.(?:any|timeout)\(|Promise\.try\(",
        "AbortSignal.timeout(9);",
        "Chromium 103 to 128, Safari 16 to 18.2",
    ),
]

COMMENTS = {
    "style": re.compile(r"/\*.*?\*/", re.DOTALL),
    "markup": re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL),
    "script": re.compile(r"(?<![:\"'\\])//.*"),
}


def found(text: str, kind: str) -> list[str]:
    """What of the list stands in a text of this kind."""
    text = COMMENTS[kind].sub(lambda comment: "\n" * comment[0].count("\n"), text)
    complaints = []
    lines = text.split("\n")
    around = guards(text) if kind == "style" else [""] * len(lines)
    for number, (line, guard) in enumerate(zip(lines, around, strict=True), 1):
        for row in ROWS:
            if kind not in row.kinds or (row.unless and re.search(row.unless, guard + line)):
                continue
            if hit := re.search(row.pattern, line):
                complaints.append(f"line {number}: {hit[0].strip()} ({row.why})")
    if kind == "style" and nested(text):
        complaints.append("a rule in a rule (Chromium 120, Safari 17.2)")
    return complaints


def guards(css: str) -> list[str]:
    """For each line the heads of the blocks beginning with an @ in which it begins."""
    heads: list[str] = []
    lines = [""]
    for before, mark in re.findall(r"([^{};\n]*)([{};\n])", css):
        if mark == "{":
            heads.append(before.strip())
        elif mark == "}":
            heads.pop()
        elif mark == "\n":
            lines.append(" ".join(head for head in heads if head.startswith("@")))
    return lines


def nested(css: str) -> bool:
    """Whether a rule stands in another one, not only in a block that begins with an @."""
    open_rules: list[bool] = []
    for before, brace in re.findall(r"([^{};]*)([{};])", css):
        if brace == "{":
            if any(open_rules):
                return True
            open_rules.append(not before.strip().startswith("@"))
        elif brace == "}":
            open_rules.pop()
    return False


def ours() -> list[Path]:
    folders = (ROOT / name for name in ("templates", "games/static", "lessons/static"))
    return [file for folder in folders for file in folder.rglob("*") if file.suffix in KINDS]


def test_nothing_of_the_list_is_in_what_we_send() -> None:
    files = ours()
    assert {file.suffix for file in files} == set(KINDS)
    complaints = [
        f"{file.relative_to(ROOT)}, {complaint}"
        for file in files
        for complaint in found(file.read_text(encoding="utf-8"), KINDS[file.suffix])
    ]
    assert complaints == []


@pytest.mark.parametrize("row", ROWS, ids=[row.example for row in ROWS])
def test_each_row_finds_its_example(row: Row) -> None:
    for kind in row.kinds.split():
        assert any(row.why in complaint for complaint in found(row.example, kind))


@pytest.mark.parametrize(
    ("name", "line", "plant"),
    [
        ("site.css", "--paper: ", "--paper: light-dark(#fff, #000);"),
        ("site.css", "@media print", "@media (44rem < height <= 50rem) { a { color: red; } }"),
        ("site.css", "body { margin", "body { margin: 0; p { margin: 0; } }"),
        ("table.js", "const table", "const table = /(?<!a)b/.exec(location);"),
        ("odds.js", "const small", 'const calm = matchMedia("(width >= 60rem)");'),
        ("_sheets.html", "<dialog id=", '<dialog id="sheet-a" class="sheet" popover>'),
    ],
)
def test_what_is_planted_in_our_files_is_found(name: str, line: str, plant: str) -> None:
    file = next(file for file in ours() if file.name == name)
    text = file.read_text(encoding="utf-8")
    assert found(text, KINDS[file.suffix]) == []
    start = text.index(line)
    planted = f"{text[:start]}{plant}\n{text[start:]}"
    assert found(planted, KINDS[file.suffix])


@pytest.mark.parametrize(
    "name",
    ["django_htmx/htmx-2.min.js", "django_htmx/ext/hx-ws-2.min.js", "plotly/plotly.min.js"],
)
def test_what_others_wrote_is_read_by_the_floor(name: str) -> None:
    """By what stops a script as a whole; the rest is tried in the browsers."""
    path = present(finders.find(name))
    assert re.findall(r"\(\?<[=!]|\bstatic\{", Path(path).read_text(encoding="utf-8")) == []


# What the floor made us write out.


def test_colours_in_parts_are_the_tokens() -> None:
    text = CSS.read_text(encoding="utf-8")
    parts = re.findall(
        r"--([a-z]+)-rgb: var\(--light, ([\d ]+)\) var\(--dark, ([\d ]+)\)", text
    )
    assert parts
    for name, *themes in parts:
        for theme, colour in zip(themes, tokens()[name], strict=True):
            assert "#{:02x}{:02x}{:02x}".format(*map(int, theme.split())) == colour


@pytest.mark.parametrize("is_flat", [False, True], ids=["tall", "flat"])
def test_seats_stand_clockwise_from_my_left(is_flat: bool) -> None:
    """On a tall board all are placed, on a flat one those that stand elsewhere there."""
    tall, _, flat = (
        (CSS.parent / "table.css").read_text(encoding="utf-8").partition("/* A flat board")
    )
    rule = (
        r'\[data-seats="(\d+)"\] > li:nth-child\((\d+)\) \{ --x: ([-\d.]+); --y: ([-\d.]+); \}'
    )
    placed = {
        (int(n), int(k)): (float(x), float(y))
        for n, k, x, y in re.findall(rule, tall + flat * is_flat)
    }
    assert set(placed) == {(n, k) for n in range(2, 11) for k in range(1, n)}
    for n in range(2, 11):
        turns = [math.atan2(-x, y) % math.tau for x, y in (placed[n, k] for k in range(1, n))]
        assert turns == sorted(set(turns)), n
        assert all(abs(x) <= 1 >= abs(y) for x, y in placed.values())
