"""Print the texts of the tables' fragments as gettext's tools find them: Django's own reads no
``ngettext`` in a Jinja template."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.template import engines
from jinja2 import Environment
from jinja2.ext import extract_from_ast


def texts() -> list[str]:
    """A call of gettext or ngettext for each text of each fragment, in their order."""
    env: Environment = engines["fragments"].env  # type: ignore[attr-defined]
    assert env.loader is not None
    found = []
    for name in env.list_templates():
        source, _path, _fresh = env.loader.get_source(env, name)
        for _line, function, message in extract_from_ast(env.parse(source)):
            if isinstance(message, tuple):
                forms = ", ".join(repr(form) for form in message if form is not None)
                found.append(f"{function}({forms}, 1)")
            else:
                found.append(f"gettext({message!r})")
    return found


class Command(BaseCommand):
    help = "Print the texts of the tables' fragments for translators' tools."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write("\n".join(texts()))
