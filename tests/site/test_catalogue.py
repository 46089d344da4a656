"""The catalogues: whole, as the program reads them, and in good typography."""

from __future__ import annotations

import ast
import gettext
import io
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from django.test import override_settings
from django.utils.translation import gettext as said
from django.utils.translation import ngettext, override, pgettext

from lessons.management.commands import messages
from xactika_site import catalogue

ROOT = Path(__file__).resolve().parent.parent.parent
FRENCH = catalogue.by_key(catalogue.read(messages.path_of("fr"), "fr"))


used = cache(lambda: tuple(messages._messages()))
"""Every message that is used: they are looked for once, which takes seconds."""


@pytest.fixture
def looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        messages, "used", lambda: catalogue.template_catalog(each.clone() for each in used())
    )


@pytest.mark.usefixtures("looked_for_once")
def test_french_is_whole() -> None:
    """Every message, none that nobody uses, placeholders and tags kept, the .mo the same."""
    assert messages.languages() == ["fr"]
    assert messages.problems("fr") == []


def catalog_of(*texts: Message) -> Catalog:
    catalog = Catalog("fr", fuzzy=False)
    for each in texts:
        catalog[each.id] = each
    return catalog


def test_the_check_sees_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    monkeypatch.setattr(
        messages,
        "used",
        lambda: catalogue.template_catalog(
            [
                Message("Hello %(name)s"),
                Message("Good"),
                Message("Sure"),
                Message(("%(n)d card", "%(n)d cards")),
                Message("New"),
            ]
        ),
    )
    old = catalog_of(
        Message("Hello %(name)s", "Bonjour %(nom)s"),
        Message("Good"),
        Message("Sure", "Peut-être", flags=["fuzzy"]),
        Message(("%(n)d card", "%(n)d cards"), ("%(n)d carte", "cartes")),
        Message("Gone", "Parti"),
    )
    catalogue.write(messages.path_of("fr"), old)
    messages.path_of("fr").with_suffix(".mo").write_bytes(b"")
    found = messages.problems("fr")
    assert [line.partition(":")[0] for line in found] == [
        "missing",
        "nobody uses",
        "not translated",
        "not translated",
        "other placeholders or tags",
        "other placeholders or tags",
        "the .mo is not what the .po says",
    ]


def test_a_message_is_found_wherever_it_stands() -> None:
    program = """
from django.utils.translation import gettext as _, ngettext_lazy, pgettext
a = _("one" " text") + f"{_('within')}" + ngettext_lazy("a card", "cards", 2)
b = pgettext("button", "No-break\\u00a0space") + _(a)
"""
    template = """{% load i18n %}{# (a #} {% translate "It’s (so)" %}
{% translate "Go" context "x" %}
{% blocktranslate trimmed count n=n %}
{{ n }} way {% plural %} {{ n }} ways {% endblocktranslate %}
{% include "x" with text=_("There") %}"""
    found = catalogue.template_catalog(
        [
            *catalogue.messages_of_program(program, "a.py"),
            *catalogue.messages_of_template(template, "b.html"),
        ]
    )
    assert catalogue.by_key(found).keys() == {
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
        catalogue.template_catalog([Message(("a", "b")), Message("a")])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "django.po"
    quoted = 'a "quoted"\nline'
    catalog = catalog_of(
        Message(quoted, "«\u00a0a\u00a0»", [("x.py", 0)]),
        Message(("b\\", "bs"), ("c", "d"), [("x.py", 0), ("y.py", 0)], context="of"),
        Message("open", "", [("z.py", 0)]),
    )
    catalogue.write(path, catalog)
    again = catalogue.by_key(catalogue.read(path, "fr"))
    assert list(again) == list(catalogue.by_key(catalog))
    for key, message in catalogue.by_key(catalog).items():
        assert again[key].string == message.string
        assert [file for file, _ in again[key].locations] == [
            file for file, _ in message.locations
        ]
    read = gettext.GNUTranslations(io.BytesIO(path.with_suffix(".mo").read_bytes()))
    assert read.gettext(quoted) == "«\u00a0a\u00a0»"
    assert [read.npgettext("of", "b\\", "bs", n) for n in (0, 1, 2)] == ["c", "c", "d"]
    assert read.gettext("open") == "open"


def test_no_break_spaces_and_apostrophes() -> None:
    wrong = re.compile(r"[^\s\u202f\u00a0(]? [;!?»](?!\w)|« |\w'\w| :(?=\s|$)|\d %(?!\()")
    tags = re.compile(r"<[^>]*>|\\\(.*?\\\)")
    found = [
        text
        for message in FRENCH.values()
        for text in catalogue.forms(message.string)
        if wrong.search(tags.sub("", text))
    ]
    assert found == []


def test_a_void_is_said_in_plain_french() -> None:
    """A word of bridge players: students read *pas de carte pour cet appel*."""
    texts = [text for message in FRENCH.values() for text in catalogue.forms(message.string)]
    assert texts
    assert not [text for text in texts if "chicane" in text.lower()]


def test_a_pie_has_the_school_programmes_name() -> None:
    texts = [text for message in FRENCH.values() for text in catalogue.forms(message.string)]
    assert any("diagramme circulaire" in text for text in texts)
    assert not [text for text in texts if "camembert" in text.lower()]


def test_no_message_goes_on_with_another() -> None:
    """Where a sentence is put together of halves, another language has to break it there."""
    joins = {": ", ", ", "; ", ": on", ": off", " %(name)s"}
    halves = {text for _, text, *_ in FRENCH if re.match(r" ?[,;:]| [^ (]", text)}
    assert halves - joins == set()


def test_zero_is_singular() -> None:
    with override("fr"):
        assert [ngettext("%(n)s trick", "%(n)s tricks", n) % {"n": n} for n in (0, 1, 2)] == [
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
        "Rules": "Regeln",
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
        begun[text].string = german
    catalogue.write(messages.path_of("de"), begun)
    updated = catalogue.by_key(messages.update("de"))
    assert updated.keys() == FRENCH.keys()  # and what is said has stayed
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
        if each.name in catalogue.KEYWORDS and not each.name.endswith(("_lazy", "_noop"))
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
