"""What there is to translate, and the files that hold the translations.

Found and written here rather than by GNU gettext's tools, which read neither the lessons'
files nor an escape like ``\\u00a0``, and which not every machine has.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation.template import templatize

KINDS = {
    "gettext": ("id",),
    "ngettext": ("id", "plural"),
    "pgettext": ("context", "id"),
    "npgettext": ("context", "id", "plural"),
}
"""The functions that translate, and what their first arguments are."""

Key = tuple[str, str]
"""A message's context (empty for none) and its text, by which it is found."""


@dataclass(slots=True)
class Message:
    """A text to translate, where it stands, and what it is in the other language: one text, or
    one for each plural form; empty where nobody has said yet."""

    context: str
    id: str
    plural: str = ""
    files: list[str] = field(default_factory=list)
    said: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return self.context, self.id


# Finding.


def in_program(source: str, file: str) -> Iterator[Message]:
    """The messages of a program's text."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {kind: kind for kind in KINDS} | {"_": "gettext", "to_say": "gettext"}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            for each in node.names:
                kind = each.name.removesuffix("_lazy").removesuffix("_noop")
                if kind in KINDS:
                    names[each.asname or each.name] = kind
    for node in nodes:
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else ""
            name = called.id if isinstance(called, ast.Name) else name
            if name in names:
                yield from _message(names[name], node.args, file)


def _message(kind: str, arguments: list[ast.expr], file: str) -> Iterator[Message]:
    wanted = arguments[: len(KINDS[kind])]
    texts = [each.value for each in wanted if isinstance(each, ast.Constant)]
    if len(texts) == len(KINDS[kind]) and all(isinstance(text, str) for text in texts):
        parts = dict(zip(KINDS[kind], map(str, texts), strict=True))
        if parts["id"]:
            context, plural = parts.get("context", ""), parts.get("plural", "")
            yield Message(context, parts["id"], plural, [file])


_CALL = re.compile(r"""\b(n?p?gettext|_)\((?=u?["'])""")


def in_template(source: str, file: str) -> Iterator[Message]:
    """The messages of one of Django's templates."""
    program = templatize(source, origin=file)
    for found in _CALL.finditer(program):
        kind = "gettext" if found[1] == "_" else found[1]
        for end in re.finditer(r"\)", program[found.end() :]):
            text = program[found.end() : found.end() + end.start()]
            try:
                call = ast.parse(f"f({text})", mode="eval").body
            except SyntaxError:  # a bracket within the text
                continue
            assert isinstance(call, ast.Call)
            yield from _message(kind, call.args, file)
            break


def together(found: Iterable[Message]) -> dict[Key, Message]:
    """Each message once, with all files that it stands in. ValueError for one that has a plural
    in one place and none in another."""
    messages: dict[Key, Message] = {}
    for each in found:
        known = messages.setdefault(each.key, Message(each.context, each.id, each.plural))
        if known.plural != each.plural:
            where = ", ".join([*known.files, *each.files])
            raise ValueError(f"with and without its plural: “{each.id}” in {where}")
        known.files += [file for file in each.files if file not in known.files]
    return messages


# The files.

HEADER = {
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
}
PLURALS = {"fr": "nplurals=2; plural=(n > 1);"}
TWO_FORMS = "nplurals=2; plural=(n != 1);"


def read_po(path: Path) -> dict[Key, Message]:
    """The translations of a file, as far as they are there."""
    found: dict[Key, Message] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        parts: dict[str, str] = {}
        files, part = [], ""
        for line in block.splitlines():
            if line.startswith("#, ") and "fuzzy" in line:
                raise ValueError(f"{path}: a fuzzy entry: {block[:80]}")
            if line.startswith("#: "):
                files += line[3:].split()
            if line.startswith("#") or not line.strip():
                continue
            if not line.startswith('"'):
                part, _space, line = line.partition(" ")
                parts[part] = ""
            parts[part] += ast.literal_eval(line)
        if parts.get("msgid"):
            message = Message(
                parts.get("msgctxt", ""), parts["msgid"], parts.get("msgid_plural", ""), files
            )
            message.said = tuple(parts[name] for name in parts if name.startswith("msgstr"))
            found[message.key] = message
    return found


def write_po(path: Path, language: str, messages: Mapping[Key, Message]) -> None:
    """The file, in the order of the messages."""
    head = "".join(f"{name}: {value}\n" for name, value in _header(language).items())
    blocks = [f'msgid ""\nmsgstr ""\n{_lines(head)}']
    for each in messages.values():
        lines = [f"#: {file}" for file in each.files]
        if each.context:
            lines.append(f"msgctxt {_quoted(each.context)}")
        lines.append(f"msgid {_quoted(each.id)}")
        if each.plural:
            lines.append(f"msgid_plural {_quoted(each.plural)}")
            said = each.said or ("", "")
            lines += [f"msgstr[{form}] {_quoted(text)}" for form, text in enumerate(said)]
        else:
            lines.append(f"msgstr {_quoted(each.said[0] if each.said else '')}")
        blocks.append("\n".join(lines))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _header(language: str) -> dict[str, str]:
    plurals = PLURALS.get(language, TWO_FORMS)
    return {"Language": language, **HEADER, "Plural-Forms": plurals}


def _quoted(text: str) -> str:
    if "\n" not in text.rstrip("\n"):
        return _quote(text)
    return f'""\n{_lines(text)}'


def _lines(text: str) -> str:
    return "\n".join(map(_quote, text.splitlines(keepends=True)))


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def compiled(language: str, messages: Mapping[Key, Message]) -> bytes:
    """The same as the program reads it (GNU's .mo), without what nobody has said yet."""
    head = "".join(f"{name}: {value}\n" for name, value in _header(language).items())
    pairs = {b"": head.encode()}
    for each in messages.values():
        if each.said and all(each.said):
            key = f"{each.context}\x04{each.id}" if each.context else each.id
            key += f"\x00{each.plural}" if each.plural else ""
            pairs[key.encode()] = "\x00".join(each.said).encode()
    texts = sorted(pairs.items())
    begin = 28 + 16 * len(texts)
    ids = b"".join(key + b"\x00" for key, _said in texts)
    said = b"".join(value + b"\x00" for _key, value in texts)
    of_ids, at = _table([key for key, _said in texts], begin)
    of_said, _end = _table([value for _key, value in texts], at)
    numbers = (0x950412DE, 0, len(texts), 28, 28 + 8 * len(texts), 0, begin)
    return struct.pack("<7I", *numbers) + of_ids + of_said + ids + said


def _table(texts: Iterable[bytes], at: int) -> tuple[bytes, int]:
    """How long each text is and where it begins, if the first is ``at`` so many bytes; and
    where the last ends."""
    rows = b""
    for text in texts:
        rows += struct.pack("<II", len(text), at)
        at += len(text) + 1
    return rows, at
