"""What somebody who opens a table chooses."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.analysis import bots
from games.fragments import PACE_NAMES
from games.models import PACES, Table
from games.rules import MAX_ROUNDS, MAX_SEATS, MIN_SEATS, Variant
from games.services import TableSettings

LEVEL_NAMES = {
    "random": _("Beginners: play anything"),
    "tip-printed": _("Bold: bid one for each 9 or more"),
    "tip-wikipedia": _("Careful: bid lower"),
    "counter": _("Counting: remember every card"),
    "expert": _("Experts: think the round through"),
}


class TableForm(forms.Form):
    """A table's settings; every field has a default that makes a good game."""

    variant = forms.ChoiceField(label=_("Game"), choices=Table.VARIANTS, initial="bid")
    seats = forms.TypedChoiceField(
        label=_("Seats"),
        choices=[(n, str(n)) for n in range(MIN_SEATS, MAX_SEATS + 1)],
        coerce=int,
        initial=4,
    )
    rounds = forms.TypedChoiceField(
        label=_("Rounds"),
        choices=[(n, str(n)) for n in range(1, MAX_ROUNDS + 1)],
        coerce=int,
        initial=MAX_ROUNDS,
    )
    level = forms.ChoiceField(
        label=_("Bots"),
        choices=[(level, LEVEL_NAMES[level]) for level in bots.LEVELS],
        initial=bots.DEFAULT_LEVEL,
    )
    pace = forms.ChoiceField(
        label=_("Pace of the bots"),
        choices=[(pace, PACE_NAMES[pace]) for pace in PACES],
        initial="normal",
    )

    def settings(self) -> TableSettings:
        """The settings chosen, for one person against bots."""
        data: dict[str, Any] = self.cleaned_data
        return TableSettings(
            variant=Variant(data["variant"]),
            seats=data["seats"],
            people=data.get("people", 1),
            rounds=data["rounds"],
            level=data["level"],
            pace=PACES[data["pace"]],
        )


class FriendsForm(TableForm):
    """The same for friends: how many of the seats are people's."""

    people = forms.TypedChoiceField(
        label=_("People"),
        choices=[(n, str(n)) for n in range(2, MAX_SEATS + 1)],
        coerce=int,
        initial=2,
    )
    field_order = ("variant", "seats", "people", "rounds", "level", "pace")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("people", 0) > data.get("seats", MAX_SEATS):
            self.add_error("people", _("There are more people than seats."))
        return data
