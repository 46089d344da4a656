"""What there is to translate, and the files that hold the translations: Babel's.

Only extractors are ours, for what Babel's own do not read: calls within f-strings (before
Python 3.12) and Django's templates. Babel is there for whoever changes the program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

_SPECS: dict[str, Any] = {
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
KEYWORDS = {
    f"{name}{ending}": spec
    for name, spec in _SPECS.items()
    for ending in ("", "_lazy", "_noop")
} | {"_": None, "gettext_noop": None}
"""The functions that translate, and which of their arguments are texts or a context."""

MessageKey = tuple[str, str, str]
"""A message's context, its text and its plural (empty for none)."""
ExtractedCall = tuple[int, str, list[str | None], list[str]]
"""What Babel's extractors give: a line, a function's name, its texts, comments."""


def program_calls(
    file: IO[bytes], keywords: Collection[str], _tags: Any, **_options: Any
) -> Iterator[ExtractedCall]:
    """The calls of ``keywords`` in a program, those within f-strings as well."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else ""
            name = function.id if isinstance(function, ast.Name) else name
            if name in keywords:
                yield node.lineno, name, [_constant(each) for each in node.args], []


def _constant(node: ast.expr) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def template_calls(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """The calls in one of Django's templates, which Django turns into a kind of program."""
    source = re.sub("{#.*?#}", "", file.read().decode())
    program = f"({templatize(source)}\n)"  # in brackets no indentation is wrong
    yield from extract_python(BytesIO(program.encode()), keywords, tags, options)


def messages_of_program(source: str, file: str) -> Iterator[Message]:
    """The messages of a program's text."""
    return _messages_in(program_calls, source, file)


def messages_of_template(source: str, file: str) -> Iterator[Message]:
    """The messages of one of Django's templates."""
    return _messages_in(template_calls, source, file)


def messages_of_fragment(source: str, file: str) -> Iterator[Message]:
    """The messages of one of the tables' fragments (Jinja2)."""
    return _messages_in(babel_extract, source, file, {"silent": "false"})


def _messages_in(
    method: Any, source: str, file: str, options: Mapping[str, Any] | None = None
) -> Iterator[Message]:
    calls = extract(method, BytesIO(source.encode()), KEYWORDS, options=options)
    for _line, text, _comments, context in calls:
        yield Message(text, locations=[(file, 0)], context=context)


def template_catalog(messages: Iterable[Message]) -> Catalog:
    """A catalogue without translations: each message once, with all files that it stands in.
    ValueError for one that has a plural in one place and none in another."""
    catalog = Catalog(fuzzy=False)
    for each in messages:
        earlier = catalog.get(each.id, each.context)
        if earlier is not None and earlier.id != each.id:
            where = ", ".join(file for file, _line in [*earlier.locations, *each.locations])
            raise ValueError(f"with and without its plural: {each.id} in {where}")
        catalog[each.id] = each
    return catalog


def by_key(catalog: Catalog) -> dict[MessageKey, Message]:
    """The messages of a catalogue, without its header."""
    messages = {}
    for each in catalog:
        text, *plural = forms(each.id)
        if text:
            messages[each.context or "", text, "".join(plural)] = each
    return messages


def forms(texts: str | Iterable[str] | None) -> tuple[str, ...]:
    """The texts of a message or of its translation: its plural's forms, or the only one."""
    return (texts or "",) if texts is None or isinstance(texts, str) else tuple(texts)


def is_translated(message: Message) -> bool:
    return all(forms(message.string)) and not message.fuzzy


def read(path: Path, language: str) -> Catalog:
    """The translations in a file; none if it is not there."""
    if not path.exists():
        return Catalog(language, header_comment="#", project="xactika", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, language)


def write(path: Path, catalog: Catalog) -> None:
    """Write the file for translators, in the order of the messages, and beside it the
    program's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=0, ignore_obsolete=True, include_lineno=False)
    path.with_suffix(".mo").write_bytes(compiled(catalog))


def compiled(catalog: Catalog) -> bytes:
    """The translations as the program reads them: GNU's .mo, without what is fuzzy."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()
