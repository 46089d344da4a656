"""What a teacher fills in about a classroom."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from xactika_site.classrooms.models import Classroom


class NameForm(forms.ModelForm):  # type: ignore[type-arg]
    """What teachers call a classroom."""

    class Meta:
        model = Classroom
        fields = ("name",)
        labels = {"name": _("Name your class")}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off"})}
        error_messages = {"name": {"required": _("Give it a name you’ll recognise.")}}
