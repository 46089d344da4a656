"""Every text that a person may read is marked for translation."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from lessons.management.commands.messages import messages_of_fragments
from xactika_site.catalogue import forms

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
