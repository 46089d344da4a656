"""Django's templates, that let go of what they were rendered with: a context and its parts hold
each other, so that only the collector would, and it looks late (``xactika_site.garbage``)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.template.exceptions import TemplateDoesNotExist
from django.utils.safestring import SafeString


class Templates(DjangoTemplates):
    """The backend, whose templates are ours."""

    def from_string(self, template_code: str) -> Template:
        """A template of this text."""
        return _Template(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> Template:
        """The template of this name. Raises TemplateDoesNotExist."""
        try:
            return _Template(self.engine.get_template(template_name), self)
        except TemplateDoesNotExist as why:
            reraise(why, self)
            raise


class _Template(Template):
    def render(
        self, context: dict[str, Any] | None = None, request: HttpRequest | None = None
    ) -> SafeString:
        bound = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(bound)
        except TemplateDoesNotExist as why:
            reraise(why, self.backend)
            raise
        finally:
            bound.dicts.clear()
