"""What somebody who opens a table chooses."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import analysis
from games.analysis import bots
from games.classes.experiments import POWER
from games.classes.pace import minutes_for
from games.models import PACES, VARIANTS, SessionSettings
from games.rules import MAX_ROUNDS, MAX_SEATS, MIN_SEATS, Variant
from games.tables.fragments import PACE_NAMES
from games.tables.opening import BadSettings, TableSettings, check_deals, read_deals
from games.words import sentences, signed
from xactika_site import languages, locations
from xactika_site.classrooms.models import LECTURE_HALL

LEVEL_NAMES = {
    "random": _("Beginners: play anything"),
    "careless": _("Careless: every third move is anything"),
    "tip-printed": _("Bold: bid one for each 9 or more"),
    "tip-wikipedia": _("Careful: bid lower"),
    "counter": _("Counting: remember every card"),
    "expert": _("Experts: think the round through"),
}


MAX_DEALS_BYTES = 100_000
TOO_LONG = _("A file of deals is at most 100 KB long.")


WHAT_AHEAD_IS = _(
    "In brackets: the points a round by which they beat the careful ones, in Play to Bid at a "
    "table of four. Bold and Careful differ only in their bids."
)


def levels_here() -> list[tuple[str, Any]]:
    """The levels to choose from, each with what it is worth; which of them this computer has
    not is said."""
    names = {
        level: f"{name} ({signed(bots.AHEAD[level])})" if bots.AHEAD[level] else name
        for level, name in LEVEL_NAMES.items()
    }
    if analysis.is_impossible():
        names[bots.SIMULATING] = gettext("Experts: not on this computer")
    return list(names.items())


def _say_what_is_missing(fields: dict[str, forms.Field]) -> None:
    """What becomes of choices that need simulated deals, where there can be none."""
    if not analysis.is_impossible():
        return
    fields["level"].help_text = format_lazy(
        "{} {}",
        _("This computer cannot think rounds through: experts count cards here."),
        WHAT_AHEAD_IS,
    )
    if odds := fields.get("odds_panel"):
        odds.help_text = _(
            "This computer cannot simulate deals: students are told what can be counted of "
            "their cards, and nothing of a bid."
        )


def _deals_help() -> str:
    """A sentence on what prepared cards are."""
    command = f"{locations.COMMANDS.manage} open_table --deals"
    text = gettext("A file of deals for the boards, as “%(command)s” takes.")
    return text % {"command": command}


def _experiment_help() -> str:
    """Sentences on what an experiment is, and how often it sees what there is to see."""
    return gettext(
        "Half of the tables, drawn by lot when the game begins, bid by tip A (one for each 9 "
        "or more), half by tip B (lower); or half have odds. Always Play to Bid with the same "
        "cards. Each table is told its own; the result is shown after the game. If all bid by "
        "their tips, ten tables and four rounds show that these differ in %(few)d of 10 "
        "classes, 20 tables and eight rounds in %(many)d; six tables never do."
    ) % {"few": POWER[4][10], "many": POWER[8][20]}


class Folding(forms.BaseForm):
    """A form in which what is seldom changed is folded."""

    FOLDED: ClassVar[tuple[str, ...]]

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields that are seldom changed."""
        return [self[name] for name in self.FOLDED]

    @property
    def opens_more(self) -> bool:
        """Whether something folded wants to be seen: a mistake."""
        return any(name in self.errors for name in self.FOLDED)


class TableForm(Folding, forms.Form):
    """A table's settings; every field has a default that makes a good game."""

    FOLDED: ClassVar = ("rounds", "level", "pace")

    variant = forms.ChoiceField(
        label=_("Game"), choices=VARIANTS, initial="bid", widget=forms.RadioSelect
    )
    seats = forms.TypedChoiceField(
        label=_("Bots at the table"),
        choices=[(n, str(n - 1)) for n in range(MIN_SEATS, MAX_SEATS + 1)],
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
        label=_("How the bots play"),
        choices=levels_here,
        initial=bots.DEFAULT_LEVEL,
        help_text=WHAT_AHEAD_IS,
    )
    pace = forms.ChoiceField(
        label=_("Pace of the bots"),
        choices=[(pace, PACE_NAMES[pace]) for pace in PACES],
        initial="normal",
    )

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that are always to be seen."""
        return [field for field in self if field.name not in self.FOLDED]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_what_is_missing(self.fields)

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

    seats = forms.TypedChoiceField(
        label=_("Seats"),
        choices=[(n, str(n)) for n in range(MIN_SEATS, MAX_SEATS + 1)],
        coerce=int,
        initial=4,
    )
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


class SessionForm(Folding, forms.ModelForm):  # type: ignore[type-arg]  # Django has no brackets
    """A class session's settings; opened as they come, they make a good lesson."""

    seats = forms.TypedChoiceField(
        label=_("Seats per table"),
        choices=[(n, str(n)) for n in range(MIN_SEATS, MAX_SEATS + 1)],
        coerce=int,
    )
    rounds = forms.TypedChoiceField(
        label=_("Rounds"),
        choices=[(n, str(n)) for n in range(1, MAX_ROUNDS + 1)],
        coerce=int,
    )
    level = forms.ChoiceField(label=_("Bots"), choices=levels_here, help_text=WHAT_AHEAD_IS)
    pace = forms.TypedChoiceField(
        label=_("Pace of the bots"),
        choices=[(PACES[pace], PACE_NAMES[pace]) for pace in PACES],
        coerce=float,
    )
    patience = forms.TypedChoiceField(
        label=_("A turn is long after"),
        choices=[
            (30.0, _("30 seconds")),
            (60.0, _("1 minute")),
            (120.0, _("2 minutes")),
            (300.0, _("5 minutes")),
        ],
        coerce=float,
        help_text=_("Then you are told, and the table may ask a bot to stand in."),
    )
    clock = forms.TypedChoiceField(
        label=_("Turn clock"),
        choices=[
            ("", _("none: nobody is hurried")),
            (30.0, _("30 seconds")),
            (60.0, _("1 minute")),
            (90.0, _("a minute and a half")),
            (120.0, _("2 minutes")),
        ],
        coerce=float,
        empty_value=None,
        required=False,
        help_text=_("Then a bot makes the move. You can give single students more time."),
    )

    expected = forms.IntegerField(
        label=_("Students expected"),
        min_value=1,
        max_value=LECTURE_HALL,
        required=False,
        help_text=_(
            "Whoever comes new beyond this number waits until you let them in. Up to 500, for "
            "a lecture hall."
        ),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=lambda: settings.LANGUAGES,
        required=False,
        help_text=_("Of tables, wall, lessons and files. New names are made in it, too."),
    )
    upload = forms.FileField(
        label=_("Prepared cards"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text=lazy(_deals_help, str)(),
    )

    class Meta:
        model = SessionSettings
        fields = (
            "variant",
            "seats",
            "rounds",
            "chapters",
            "duplicate",
            "experiment",
            "questions",
            "odds_panel",
            "level",
            "seating",
            "filling",
            "watching",
            "patience",
            "clock",
            "pace",
        )
        labels = {
            "variant": _("Game"),
            "chapters": _("Begin with learning by playing"),
            "duplicate": _("The same cards at every table"),
            "experiment": _("Experiment"),
            "questions": _("Questions on one’s own hand"),
            "odds_panel": _("Odds at the table"),
            "seating": _("Who sits together"),
            "filling": _("Odd numbers"),
            "watching": _("Students may watch other tables"),
        }
        help_texts = {
            "chapters": _(
                "Until you start the game, whoever comes in goes through seven short chapters "
                "on their own device, about five minutes, and plays a first round against bots."
            ),
            "duplicate": _(
                "One hand, played at every table: nobody is ahead for better cards. The tables "
                "wait for each other after each round."
            ),
            "experiment": lazy(_experiment_help, str)(),
            "questions": _(
                "Offered beside the table; nobody has to wait for them. Of boards that some "
                "table still plays nothing is asked."
            ),
            "odds_panel": _(
                "What a student’s own cards promise, for the student to look up: of the trick "
                "just played, or also of the move to make. Off while all tables play the same "
                "cards (an experiment may switch them on); the look back after a round is "
                "always there."
            ),
        }

    def __init__(
        self, *args: Any, expected: int | None = None, language: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["expected"].initial = expected
        self.fields["language"].initial = languages.supported(language)
        if not languages.are_several():
            del self.fields["language"]
        _say_what_is_missing(self.fields)
        # Said before it is sent: a long body is not read, and the form with it.
        self.fields["upload"].widget.attrs |= {
            "data-most": MAX_DEALS_BYTES,
            "data-too-long": TOO_LONG,
        }
        if self.instance.deals:
            self.fields["upload"].help_text = _(
                "Prepared cards are stored. Each board is dealt once, and shuffled cards after "
                "them. They stay while all tables get the same cards, until you choose another "
                "file or other seats."
            )
        elif self.instance.deals == []:
            self.fields["upload"].help_text = _(
                "Your prepared cards have been played and are not dealt again: the next game "
                "has shuffled ones. Choose the file once more to deal it all the same."
            )

    FOLDED = (
        "expected",
        "seating",
        "filling",
        "watching",
        "patience",
        "clock",
        "pace",
        "upload",
    )

    def clean(self) -> dict[str, Any]:
        """Prepared deals must be of the game chosen, and for all tables."""
        data = super().clean() or {}
        if data.get("experiment"):
            data |= {"variant": Variant.BID.value, "duplicate": True}
        if not data.get("duplicate"):
            self.instance.deals = None
        upload = data.get("upload")
        if not {"variant", "seats", "rounds"} <= data.keys():
            return data
        if not upload:
            stored = self.instance.deals
            try:
                if stored:
                    _check(stored, {**data, "rounds": min(data["rounds"], len(stored))})
            except BadSettings:
                self.instance.deals = None  # as the field's help says
            return data
        if not data.get("duplicate"):
            self.add_error("upload", _("Prepared cards are for the same cards at every table."))
            return data
        if upload.size > MAX_DEALS_BYTES:
            self.add_error("upload", TOO_LONG)
            return data
        try:
            deals = read_deals(upload.read())
            _check(deals, data)
        except BadSettings as why:
            again = _("All else that you chose is kept: mend the file, or choose another one.")
            self.add_error("upload", sentences(str(why), str(again)))
        else:
            self.instance.deals = deals
        return data

    @property
    def spoken(self) -> str:
        """The language chosen; empty if none was."""
        return self.cleaned_data.get("language", "") if self.is_bound else ""

    @property
    def students(self) -> int | None:
        """How many students are expected; None if that was not said."""
        return self.cleaned_data["expected"] if self.is_bound else None

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that are always to be seen."""
        names = [name for name in self.Meta.fields if name not in self.FOLDED]
        return [self[name] for name in [*names, "language"] if name in self.fields]

    def minutes(self, a_move: float) -> int | None:
        """About how many minutes the game chosen takes; None if no game is chosen."""
        if self.is_bound and not self.is_valid():
            return None
        chosen = {
            name: self.cleaned_data[name] if self.is_bound else self[name].initial
            for name in ("variant", "seats", "rounds")
        }
        return minutes_for(**chosen, a_move=a_move)


def _check(deals: object, data: dict[str, Any]) -> None:
    """Raises BadSettings where these deals are not for the game chosen."""
    check_deals(deals, seats=data["seats"], rounds=data["rounds"])
