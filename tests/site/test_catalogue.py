"""The catalogues: whole, as the program reads them, and in good typography."""

from __future__ import annotations

import ast
import gettext
import io
import re
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from django.test import override_settings
from django.utils.translation import gettext as said
from django.utils.translation import ngettext, override, pgettext

from lessons.management.commands import messages
from xactika_site import catalogue
from xactika_site.catalogue import Message

ROOT = Path(__file__).resolve().parent.parent.parent
FRENCH = catalogue.read_po(messages.path_of("fr"))


used = cache(messages.used)
"""Every message that is used: they are looked for once, which takes seconds."""


@pytest.fixture
def looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "used", lambda: deepcopy(used()))


@pytest.mark.usefixtures("looked_for_once")
def test_french_is_whole() -> None:
    """Every message, none that nobody uses, placeholders and tags kept, the .mo the same."""
    assert messages.languages() == ["fr"]
    assert messages.problems("fr") == []


def test_the_check_sees_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    monkeypatch.setattr(
        messages,
        "used",
        lambda: catalogue.together(
            [
                Message("", "Hello %(name)s", "", ["a"]),
                Message("", "Good", "", ["a"]),
                Message("", "%(n)d card", "%(n)d cards", ["a"]),
                Message("", "New", "", ["a"]),
            ]
        ),
    )
    old = {
        ("", "Hello %(name)s"): Message("", "Hello %(name)s", "", [], ("Bonjour %(nom)s",)),
        ("", "Good"): Message("", "Good"),
        ("", "%(n)d card"): Message(
            "", "%(n)d card", "%(n)d cards", [], ("%(n)d carte", "cartes")
        ),
        ("", "Gone"): Message("", "Gone", "", [], ("Parti",)),
    }
    catalogue.write_po(messages.path_of("fr"), "fr", old)
    messages.path_of("fr").with_suffix(".mo").write_bytes(b"")
    found = messages.problems("fr")
    assert [line.partition(":")[0] for line in found] == [
        "missing",
        "nobody uses",
        "not translated",
        "other placeholders or tags",
        "other placeholders or tags",
        "the .mo is not what the .po says",
    ]


def test_a_message_is_found_wherever_it_stands() -> None:
    program = """
from django.utils.translation import gettext as _, ngettext_lazy as many, pgettext
a = _("one" " text") + f"{_('within')}" + many("a card", "cards", 2)
b = pgettext("button", "No-break\\u00a0space") + _(a)
"""
    template = """{% load i18n %}{% translate "It’s (so)" %}{% translate "Go" context "x" %}
{% blocktranslate trimmed count n=n %}
{{ n }} way {% plural %} {{ n }} ways {% endblocktranslate %}
{% include "x" with text=_("There") %}"""
    found = catalogue.together(
        [*catalogue.in_program(program, "a.py"), *catalogue.in_template(template, "b.html")]
    )
    assert {(m.context, m.id, m.plural) for m in found.values()} == {
        ("", "one text", ""),
        ("", "within", ""),
        ("", "a card", "cards"),
        ("button", "No-break\u00a0space", ""),
        ("", "It’s (so)", ""),
        ("x", "Go", ""),
        ("", "%(n)s way", "%(n)s ways"),
        ("", "There", ""),
    }


def test_a_message_with_and_without_a_plural_is_refused() -> None:
    with pytest.raises(ValueError, match="with and without"):
        catalogue.together([Message("", "a", "b", ["x"]), Message("", "a", "", ["y"])])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "django.po"
    quoted = 'a "quoted"\nline'
    texts = {
        ("", quoted): Message("", quoted, "", ["x.py"], ("«\u00a0a\u00a0»",)),
        ("of", "b\\"): Message("of", "b\\", "bs", ["x.py", "y.py"], ("c", "d")),
        ("", "open"): Message("", "open", "", ["z.py"], ("",)),
    }
    catalogue.write_po(path, "fr", texts)
    assert catalogue.read_po(path) == texts
    read = gettext.GNUTranslations(io.BytesIO(catalogue.compiled("fr", texts)))
    assert read.gettext(quoted) == "«\u00a0a\u00a0»"
    assert [read.npgettext("of", "b\\", "bs", n) for n in (0, 1, 2)] == ["c", "c", "d"]
    assert read.gettext("open") == "open"


def test_no_break_spaces_and_apostrophes() -> None:
    wrong = re.compile(r"[^\s\u202f\u00a0(]? [;!?»](?!\w)|« |\w'\w| :(?=\s|$)|\d %(?!\()")
    tags = re.compile(r"<[^>]*>|\\\(.*?\\\)")
    found = [
        text
        for message in FRENCH.values()
        for text in message.said
        if wrong.search(tags.sub("", text))
    ]
    assert found == []


def test_a_void_is_said_in_plain_french() -> None:
    """A word of bridge players: students read *pas de carte pour cet appel*."""
    said = [text for message in FRENCH.values() for text in message.said]
    assert not [text for text in said if "chicane" in text.lower()]


def test_no_message_goes_on_with_another() -> None:
    """Where a sentence is put together of halves, another language has to break it there."""
    joins = {": ", ", ", ": on", ": off", " %(name)s"}
    halves = {each.id for each in FRENCH.values() if re.match(r" ?[,;:]| [^ (]", each.id)}
    assert halves - joins == set()


def test_zero_is_singular() -> None:
    with override("fr"):
        assert [ngettext("%(n)d trick", "%(n)d tricks", n) % {"n": n} for n in (0, 1, 2)] == [
            "0 pli",
            "1 pli",
            "2 plis",
        ]
        assert pgettext("between numbers", ", ") == "\u202f; "


@pytest.mark.usefixtures("looked_for_once")
def test_a_third_language_begins_with_a_few_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As docs/languages.md tells it: what is said is spoken, the rest stays English."""
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    few = {
        "Play": "Spielen",
        "Learn": "Lernen",
        "Lessons": "Lektionen",
        "Join a class": "Zur Klasse",
        "Teach": "Unterrichten",
        "Close": "Schließen",
        "Light": "Hell",
        "Dark": "Dunkel",
        "Motion": "Bewegung",
        "Sound": "Ton",
    }
    begun = messages.update("de")
    for text, german in few.items():
        begun["", text].said = (german,)
    catalogue.write_po(messages.path_of("de"), "de", begun)
    assert messages.update("de").keys() == FRENCH.keys()  # and what is said has stayed
    assert len(messages.problems("de")) == len(FRENCH) - len(few)
    languages = [("en", "English"), ("de", "Deutsch")]
    with override_settings(LANGUAGES=languages, LOCALE_PATHS=[tmp_path]), override("de"):
        assert {text: said(text) for text in few} == few
        assert said("Skip to the content") == "Skip to the content"


def eager(source: str) -> list[int]:
    """Lines that translate while the program is read, in whichever language that may be."""
    if "django.utils.translation" not in source:
        return []
    tree = ast.parse(source)
    names = {
        each.asname or each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for each in node.names
        if each.name in catalogue.KINDS
    }

    def within(node: ast.AST) -> list[int]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            later = node.args.defaults + [each for each in node.args.kw_defaults if each]
            return [line for each in later for line in within(each)]
        here = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            here = [node.lineno] if node.func.id in names else []
        return here + [line for each in ast.iter_child_nodes(node) for line in within(each)]

    return within(tree)


def test_no_text_is_said_before_there_is_a_language() -> None:
    files = sorted(file for app in messages.PROGRAMS for file in (ROOT / app).rglob("*.py"))
    assert len(files) > 300
    assert {
        path: lines for path in files if (lines := eager(path.read_text(encoding="utf-8")))
    } == {}


def test_the_check_sees_an_eager_text() -> None:
    start = "from django.utils.translation import gettext as _\n"
    assert eager(start + 'A = {"a": _("Hello")}') == [2]
    assert eager(start + 'def f(a=_("Hello")): return _("Hi")') == [2]
