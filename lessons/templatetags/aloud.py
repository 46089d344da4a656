"""What may be read aloud (``lessons/static/lessons/aloud.js``)."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()


@register.simple_tag
def aloud() -> SafeString:
    """The attributes of a part of a page that a button reads aloud: the button's words, and how
    what is written in signs is said."""
    words = {
        "aloud": _("Read aloud"),
        "quiet": _("Stop reading"),
        "over": pgettext("a fraction, read aloud", "{a} over {b}"),
        "choose": pgettext("a binomial coefficient, read aloud", "{n} choose {k}"),
        "power": pgettext("read aloud", "{a} to the power of {b}"),
        "minus": pgettext("read aloud", "minus {a}"),
    }
    return format_html_join(" ", 'data-{}="{}"', words.items())
