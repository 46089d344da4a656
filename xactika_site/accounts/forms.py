"""What a teacher fills in about the account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm, UserCreationForm
from django.utils.translation import gettext_lazy as _

from xactika_site.accounts.models import User, cities, server_time_zone

GOOD_PASSWORD = _("At least 10 characters. Four random words are good.")


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    """A new account."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "name")
        help_texts = {
            "username": _("To sign in with: letters, digits and . @ + - _"),
            "name": _("Students don’t see it."),
        }

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        _word_kindly(self, "password1", "password2")


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What colleagues see, and what the teacher sees."""

    class Meta:
        model = User
        fields = ("name", "time_zone")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        present = self.instance.time_zone or server_time_zone()
        zones = sorted(cities() | {"UTC", present})
        self.fields["time_zone"] = forms.ChoiceField(
            label=self.fields["time_zone"].label,
            choices=[(name, name.replace("_", " ")) for name in zones],
            initial=present,
        )


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password by a link."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["new_password1"].widget.attrs["autofocus"] = True
        _word_kindly(self, "new_password1", "new_password2")


class OtherPasswordForm(PasswordChangeForm):
    """Another password instead of the present one."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["old_password"].label = _("Current password")
        _word_kindly(self, "new_password1", "new_password2")
        self.fields["new_password1"].label = _("New password")


class GoodbyeForm(forms.Form):
    """The password once more, before everything goes."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("That isn’t your password."))
        return password


def _word_kindly(form: forms.BaseForm, first: str, second: str) -> None:
    """Our words for a pair of password fields."""
    form.fields[first].label, form.fields[first].help_text = _("Password"), GOOD_PASSWORD
    form.fields[second].label, form.fields[second].help_text = _("Password again"), ""
