"""Parts of a page that are the same for everybody, put together once."""

from __future__ import annotations

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

MOST = 100
"""Different ones that a part may have; then it is forgotten, and begun anew."""


class Kept(template.Node):
    """What stands in it, rendered once for a language and the same facts."""

    def __init__(self, nodelist: NodeList, facts: list[FilterExpression]) -> None:
        self.nodelist, self._facts = nodelist, facts
        self._parts: dict[tuple[object, ...], SafeString] = {}

    def render(self, context: Context) -> SafeString:
        """The part, as it was the last time for these facts."""
        key = (get_language(), *(fact.resolve(context) for fact in self._facts))
        part = self._parts.get(key)
        if part is None:
            if len(self._parts) >= MOST:
                self._parts.clear()
            part = self._parts[key] = self.nodelist.render(context)
        return part


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """The node of ``{% kept state.variant.value %}…{% endkept %}``: all that differs in it is
    named as a fact, few of them, and nothing in it is anybody's own, like a form's token."""
    _name, *facts = token.split_contents()
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(nodelist, [parser.compile_filter(fact) for fact in facts])
