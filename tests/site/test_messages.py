"""Every text that a person may read is marked for translation."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from lessons.management.commands.messages import messages_of_fragments
from xactika_site.catalogue import forms

from .placeholders import MARKS, Sources

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
READ_ALOUD = re.compile(
    r"\s(?:aria-label|alt|title|placeholder|data-lost|data-gone)=\"(?P<text>[^\"]*)\""
)
MARKED = re.compile(
    r"{%\s*blocktranslate.*?%}.*?{%\s*endblocktranslate\s*%}"
    r"|{#.*?#}|{%.*?%}|{{.*?}}",
    re.DOTALL,
)
NAMES = {"Xactika", "·", "…"}
PUT_IN = {
    "cards, calls, plays": {
        "games.words.call_words",
        "games.study.odds.words.play_words",
        "games.study.odds.words._card_words",
        "games.study.look_back.bot_reasoning._move_words",
        "games.study.look_back.plays._play_words",
        "games.study.puzzles.words.answer_words",
        "games.study.replay.paths._card_words",
        "games.study.replay.what_if.move_name",
    },
    "numbers with their unit": {
        "games.words.in_percent",
        "games.words.percent",
        "games.words.place_words",
        "games.words.points_words",
        "games.words.tricks_words",
        "games.study.look_back.plays._amount_words",
        "games.study.odds.words.simulated_percent",
        "lessons.exercises.texts.exact_percent",
        "under %s",
    },
    "names of players, lessons, halves, files": {
        "games.study.puzzles.daily.names_at",
        "after.chapter.title",
        "kind",
        "you",
    },
    "what stands before or behind a colon, a title before its part": {
        "Hands dealt",
        "known",
        "not right yet",
        "right at least once",
        "true",
    },
    "what is to be typed": {
        "cards: 1332 2113",
    },
}
"""What may be put into a message: what is carried over as it is. Any other phrase would have to
be declined, or to agree: write a whole sentence for each case."""
RAISED = {"Refused": 0, "Rejected": 1, "BadSettings": 0}
"""Exceptions whose message is shown to people, and which argument it is."""


def unmarked_texts(source: str) -> list[str]:
    """The words in a template that are neither markup nor marked for translation."""
    plain = MARKED.sub("", source)
    texts = [match["text"] for match in READ_ALOUD.finditer(plain)]
    plain = re.sub(r"<script.*?</script>|<style.*?</style>", "", plain, flags=re.DOTALL)
    texts += re.sub(r"<[^>]*>", "\n", plain).splitlines()
    return [
        text.strip()
        for text in texts
        if re.search(r"[^\W\d_]{2}", text) and text.strip(" ·…") not in NAMES
    ]


def test_templates() -> None:
    assert len(TEMPLATES) > 200
    found = {
        path: texts
        for path in TEMPLATES
        if (texts := unmarked_texts(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_the_check_sees_a_text() -> None:
    assert unmarked_texts('<p class="x">Hello</p>{% translate "Hi" %}') == ["Hello"]
    assert unmarked_texts('<img alt="A card">') == ["A card"]
    assert unmarked_texts('<p>{{ _("Marked") }} · Xactika</p>') == []


def unmarked_messages(source: str) -> list[int]:
    """Lines that raise an exception meant for people with a literal that is not marked."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        place = RAISED.get(node.func.id)
        if place is not None and len(node.args) > place:
            message = node.args[place]
            if isinstance(message, ast.Constant | ast.JoinedStr):
                lines.append(node.lineno)
    return lines


def test_messages_raised() -> None:
    files = sorted(file for app in ("games", "lessons") for file in ROOT.glob(f"{app}/**/*.py"))
    assert len(files) > 300
    found = {
        path: lines
        for path in files
        if (lines := unmarked_messages(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_the_check_sees_a_message() -> None:
    assert unmarked_messages('raise Rejected("paused", "Wait.")') == [1]
    assert unmarked_messages('raise Rejected("paused", _("Wait."))') == []


def test_translators_are_told_of_every_text_of_the_fragments() -> None:
    known = {forms(message.id)[0] for message in messages_of_fragments()}
    sources = "".join(
        path.read_text(encoding="utf-8") for path in TEMPLATES if path.parent.name == "table"
    )
    for name in ("ngettext", "_"):
        asked = re.findall(rf'\b{name}\("([^"]*)"', sources)
        assert asked
        assert set(asked) - known == set()


def joints(source: str) -> list[int]:
    """Lines where texts are glued by a blank, which ``games.words.sentences`` does for whole
    sentences and nothing may do for parts of one."""
    nodes = (
        each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.expr | ast.stmt)
    )
    return sorted({each.lineno for each in nodes if _is_joint(each)})


def _is_joint(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _ends_in_blank(left) or _ends_in_blank(right)
        case ast.AugAssign(op=ast.Add(), value=value):
            return _ends_in_blank(value)
        case ast.JoinedStr(values=parts):
            return any(
                _is_marked(one) and _is_blank(other)
                for pair in pairwise(parts)
                for one, other in (pair, pair[::-1])
            )
        case ast.Call(func=ast.Attribute(value=blank, attr="join"), args=[parts]):
            return _is_blank(blank) and any(map(_is_marked, ast.walk(parts)))
    return False


def _ends_in_blank(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr):
        return _is_blank(node.values[0]) or _is_blank(node.values[-1])
    return _is_blank(node)


def _is_blank(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == " "


def _is_marked(node: ast.AST) -> bool:
    """Whether this says a message, with or without what is put into it."""
    match node:
        case ast.FormattedValue(value=value, format_spec=None):
            return _is_marked(value)
        case ast.BinOp(left=left, op=ast.Mod()):
            return _is_marked(left)
        case ast.Call(func=ast.Name(id=name)):
            return name in MARKS
    return False


def test_no_sentence_is_glued() -> None:
    found = {
        path: lines
        for app in ("games", "lessons", "xactika_site")
        for path in (ROOT / app).rglob("*.py")
        if (lines := joints(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "glued",
    [
        'text += " " + _("More.")',
        'text += " "',
        '_("One.") + " " + more',
        'f"{one} " + _("Two.")',
        """f"{one} {_('Two.')}\"""",
        """f"{_('%d is one.') % one} {two}\"""",
        '" ".join([_("One."), two])',
    ],
)
def test_the_check_sees_a_joint(glued: str) -> None:
    assert joints(glued) == [1]


def test_the_check_lets_texts_pass() -> None:
    assert joints('sentences(_("One."), two)') == []
    assert joints('indent + "  " + _("One.")') == []
    assert joints('" ".join(codes)') == []


def test_no_phrase_is_put_into_a_sentence() -> None:
    found = Sources.of(ROOT, "games", "lessons", "xactika_site").put_in()
    assert found == set().union(*PUT_IN.values())


@pytest.mark.parametrize(
    "source",
    [
        'return _("Bids were %s.") % far(bias)',
        'return _("Bids were %(far)s.") % {"far": words.far(bias)}',
        'text = far(bias)\n    return _("Bids were %s.") % text',
        'facts = {"n": 1, "far": far(bias)}\n    return (_("A") if n else _("B")) % facts',
        'return ask() % {"far": ", ".join([far(bias)])}',
    ],
)
def test_the_check_sees_a_phrase(source: str) -> None:
    words = 'def far(bias):\n    return bare(bias)\ndef bare(bias):\n    return _("too high")'
    page = (
        f"from site import words\nfrom site.words import far\ndef page(bias, n):\n    {source}"
    )
    asks = '\ndef ask():\n    return _("Bids were %(far)s?")'
    sources = {"site": "", "site.words": words, "site.page": page + asks}
    assert Sources(sources).put_in() == {"site.words.far"}


def test_the_check_sees_a_phrase_without_a_function() -> None:
    source = 'def page(n):\n    who = _("nobody")\n    return _("%s came.") % who'
    assert Sources({"page": source}).put_in() == {"nobody"}
    source = 'def page(n):\n    return sentences(_("%d came.") % n, _("Nobody stayed."))'
    assert Sources({"page": source}).put_in() == set()


def test_one_word_for_whoever_learns() -> None:
    """A student, in what people read and in the code alike."""
    other = re.compile("pup[i]l", re.IGNORECASE)
    folders = ("benchmarks", "docs", "games", "lessons", "templates", "tests")
    kinds = {".html", ".md", ".py", ".txt", ".js", ".css"}
    found = [
        str(path.relative_to(ROOT))
        for folder in (*folders, "xactika_site")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and other.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
