"""What somebody who opens a table chooses."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from django import forms
from django.conf import settings
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import analysis
from games.analysis import bots
from games.analysis.movements import MOST_SEATS
from games.classes.experiments import POWER
from games.classes.forming import plan_tables
from games.classes.pace import minutes_for
from games.models import PACES, VARIANTS, SessionSettings, Table
from games.rules import MAX_ROUNDS, MAX_SEATS, MIN_SEATS, Variant
from games.tables.fragments import PACE_NAMES
from games.tables.opening import BadSettings, TableSettings, check_deals, read_deals
from games.words import CAREFUL_TIP, PRINTED_TIP, colon, percent, sentences, signed
from xactika_site import languages, locations
from xactika_site.classrooms.models import LECTURE_HALL

LEVEL_NAMES = {
    "random": _("Beginners: every move is random"),
    "careless": _("Careless: one move in three is random"),
    "tip-printed": _("Bold: bid high"),
    "tip-wikipedia": _("Careful: bid low"),
    "counter": _("Counting: remember every card"),
    "expert": _("Experts: think the round through"),
}


SEATS = [(n, str(n)) for n in range(MIN_SEATS, MAX_SEATS + 1)]
ROUNDS = [(n, str(n)) for n in range(1, MAX_ROUNDS + 1)]
MAX_DEALS_BYTES = 100_000
TOO_LONG = _("A file of deals is at most 100 KB long.")


WHAT_AHEAD_IS = _(
    "In brackets: points a round above or below Careful bots (Play to Bid, 4 seats)."
)


def level_choices() -> list[tuple[str, Any]]:
    """(level, name) of each, with what it is worth, or that this computer has it not."""
    names = {
        level: f"{name} ({signed(bots.AHEAD[level]) if bots.AHEAD[level] else 0})"
        for level, name in LEVEL_NAMES.items()
    }
    if analysis.is_impossible():
        names[bots.SIMULATING] = gettext("Experts: not on this computer")
    return list(names.items())


def _adapt_help_texts(fields: dict[str, forms.Field]) -> None:
    """Say what becomes of choices that need simulated deals, where there can be none."""
    if not analysis.is_impossible():
        return
    if odds := fields.get("odds_panel"):
        odds.help_text = _(
            "This server can’t simulate deals: it only shows what you can count of a card."
        )


CHAPTER_MINUTES = 5
"""What the chapters take before a game."""


def _upload_help() -> str:
    """Sentences on which file one's own deals come from."""
    command = f"{locations.COMMANDS.manage} open_table --deals"
    text = gettext("A file of deals. Ask IT for the format of “%(command)s”.")
    return text % {"command": command}


def _experiment_help() -> str:
    """Sentences on what an experiment needs, and how often it sees what there is to see."""
    shows = gettext(
        "If all follow their tip, the chance of seeing the difference is %(few)s (10 tables, "
        "4 rounds) or %(many)s (20 tables, 8 rounds); with 6 tables, 0."
    ) % {"few": percent(POWER[4][10] / 10), "many": percent(POWER[8][20] / 10)}
    return sentences(
        gettext("Always Play to Bid, the same cards."),
        f"{gettext('Tip A')}{colon()}{PRINTED_TIP}",
        f"{gettext('Tip B')}{colon()}{CAREFUL_TIP}",
        shows,
    )


class Fieldset(NamedTuple):
    """Fields that belong together: their name, and each with its *Details*, if any."""

    title: str
    fields: list[tuple[forms.BoundField, str]]


class Preset(NamedTuple):
    """Settings for one purpose, a press away."""

    name: Promise
    line: Promise
    settings: dict[str, Any]


FIRST_TIME = "first"

PRESETS = {
    FIRST_TIME: Preset(
        _("First time"), _("Short chapters, then two rounds"), {"chapters": True, "rounds": 2}
    ),
    "same": Preset(_("Same cards"), _("The same cards at every table"), {"duplicate": True}),
    "tournament": Preset(
        _("Tournament"),
        _("Everyone changes tables after each round"),
        {"tournament": True, "duplicate": True, "rounds": 8},
    ),
    "experiment": Preset(
        _("Experiment"),
        _("Which of two tips bids better? For 7 tables or more"),
        {"experiment": SessionSettings.Experiment.TIPS, "duplicate": True, "rounds": 8},
    ),
}
"""What a session can be opened for, by the word in its address."""


class Folding(forms.BaseForm):
    """A form in which what is seldom changed is folded."""

    FOLDED: ClassVar[tuple[str, ...]]

    @property
    def folded_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.FOLDED]

    @property
    def is_unfolded(self) -> bool:
        """Whether something folded wants to be seen: a mistake."""
        return any(name in self.errors for name in self.FOLDED)


class TableForm(Folding, forms.Form):
    """A table's settings; every field has a default that makes a good game."""

    FOLDED: ClassVar = ("rounds", "level", "pace")

    variant = forms.ChoiceField(
        label=_("Game"), choices=VARIANTS, initial="bid", widget=forms.RadioSelect
    )
    kind = forms.TypedChoiceField(
        label=_("Who plays?"),
        choices=[
            (Table.Kind.SOLO.value, _("You and bots")),
            (Table.Kind.FRIENDS.value, _("You and friends")),
        ],
        coerce=Table.Kind,
        empty_value=Table.Kind.SOLO,
        initial=Table.Kind.SOLO.value,
        required=False,
        widget=forms.RadioSelect,
    )
    seats = forms.TypedChoiceField(
        label=_("Seats"), choices=SEATS, coerce=int, initial=4, widget=forms.RadioSelect
    )
    people = forms.TypedChoiceField(
        label=_("People, including you"),
        choices=SEATS,
        coerce=int,
        initial=2,
        required=False,
        help_text=_("Friends get a link or a code. Bots take the other seats."),
    )
    rounds = forms.TypedChoiceField(
        label=_("Rounds"), choices=ROUNDS, coerce=int, initial=MAX_ROUNDS
    )
    level = forms.ChoiceField(
        label=_("How the bots play"),
        choices=level_choices,
        initial=bots.DEFAULT_LEVEL,
        help_text=WHAT_AHEAD_IS,
    )
    pace = forms.ChoiceField(
        label=_("Pace of the bots"),
        choices=[(pace, PACE_NAMES[pace]) for pace in PACES],
        initial="normal",
    )

    @property
    def open_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.FOLDED]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _adapt_help_texts(self.fields)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("kind") != Table.Kind.FRIENDS:
            data["people"] = 1
        elif data.get("people") == "":
            self.add_error("people", self.fields["people"].error_messages["required"])
        elif data.get("people", 0) > data.get("seats", MAX_SEATS):
            self.add_error("people", _("There are more people than seats."))
        return data

    def settings(self) -> TableSettings:
        """The settings chosen."""
        data: dict[str, Any] = self.cleaned_data
        return TableSettings(
            variant=Variant(data["variant"]),
            seats=data["seats"],
            people=data["people"],
            rounds=data["rounds"],
            level=data["level"],
            pace=PACES[data["pace"]],
        )


class SessionForm(Folding, forms.ModelForm):  # type: ignore[type-arg]  # Django has no brackets
    """A class session's settings; opened as they come, they make a good lesson."""

    GROUPS: ClassVar = (
        (_("Learning"), ("chapters", "questions", "odds_panel")),
        (_("Cards"), ("duplicate", "tournament", "experiment", "upload")),
        (_("Bots"), ("level", "pace", "filling")),
        (_("Students"), ("expected", "seating", "watching", "language")),
        (_("Time"), ("patience", "clock")),
    )
    FOLDED = tuple(name for _title, names in GROUPS for name in names)

    variant = forms.ChoiceField(label=_("Game"), choices=VARIANTS, widget=forms.RadioSelect)
    seats = forms.TypedChoiceField(
        label=_("Seats"), choices=SEATS, coerce=int, widget=forms.RadioSelect
    )
    rounds = forms.TypedChoiceField(
        label=_("Rounds"), choices=ROUNDS, coerce=int, widget=forms.RadioSelect
    )
    level = forms.ChoiceField(label=_("How the bots play"), choices=level_choices)
    pace = forms.TypedChoiceField(
        label=_("Pace of the bots"),
        choices=[(PACES[pace], PACE_NAMES[pace]) for pace in PACES],
        coerce=float,
    )
    patience = forms.TypedChoiceField(
        label=_("A turn is slow after"),
        choices=[(float(n), f"{n} s") for n in (30, 60, 120, 300)],
        coerce=float,
        help_text=_("Then the table may ask for a bot."),
    )
    clock = forms.TypedChoiceField(
        label=_("Turn clock"),
        choices=[("", _("no clock")), *((float(n), f"{n} s") for n in (30, 60, 90, 120))],
        coerce=float,
        empty_value=None,
        required=False,
        help_text=_("When it runs out, a bot plays."),
    )

    expected = forms.IntegerField(
        label=_("Students expected"),
        min_value=1,
        max_value=LECTURE_HALL,
        required=False,
        help_text=_("Beyond this number newcomers wait until you let them in."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=lambda: settings.LANGUAGES,
        required=False,
        help_text=_("For sessions, homework, tests, files, made-up names and your own pages."),
    )
    upload = forms.FileField(
        label=_("Your own deals"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text=lazy(_upload_help, str)(),
    )

    class Meta:
        model = SessionSettings
        fields = (
            *"variant seats rounds chapters duplicate tournament experiment questions".split(),
            *"odds_panel level seating filling watching patience clock pace".split(),
        )
        labels = {
            "chapters": _("Begin with the chapters"),
            "duplicate": _("The same cards at every table"),
            "tournament": _("Tournament"),
            "experiment": _("Experiment"),
            "questions": _("Questions about their own cards"),
            "odds_panel": _("Chances at the table"),
            "seating": _("Who sits together"),
            "filling": _("If the numbers don’t fit"),
            "watching": _("Students may watch other tables"),
        }
        help_texts = {
            "duplicate": _(
                "Each seat gets the same hand everywhere. Tables wait for each other."
            ),
            "tournament": _("Everyone changes tables after each round"),
            "experiment": _(
                "Chance puts tables into two halves. The result comes after the game."
            ),
            "odds_panel": _("Each student sees those of their own hand."),
        }

    WHY: ClassVar = {
        "experiment": lazy(_experiment_help, str)(),
        "odds_panel": _(
            "With the same cards at every table, chances show only in an experiment."
        ),
        "level": WHAT_AHEAD_IS,
    }
    """What takes more than a line, behind *Why?*."""

    def __init__(
        self, *args: Any, expected: int | None = None, language: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["expected"].initial = expected
        self.fields["language"].initial = languages.supported(language)
        if not languages.are_several():
            del self.fields["language"]
        _adapt_help_texts(self.fields)
        # Said before it is sent: a long body is not read, and the form with it.
        self.fields["upload"].widget.attrs |= {
            "data-most": MAX_DEALS_BYTES,
            "data-too-long": TOO_LONG,
        }
        if self.instance.deals:
            self.fields["upload"].help_text = _(
                "Your deals are stored. Another file or other seats replace them."
            )
        elif self.instance.deals == []:
            self.fields["upload"].help_text = _(
                "Your deals have been played. Choose the file again."
            )

    def clean(self) -> dict[str, Any]:
        """The cleaned data; prepared deals must be of the game chosen, and for all tables."""
        data = super().clean() or {}
        if data.get("experiment"):
            data |= {"variant": Variant.BID.value, "duplicate": True}
        if data.get("tournament"):
            data |= {"duplicate": True}
            if data.get("experiment"):
                self.add_error("tournament", _("Not together with an experiment."))
            if data.get("seats", 0) > MOST_SEATS:
                self.add_error("tournament", _("A tournament has at most six seats per table."))
        if not data.get("duplicate"):
            self.instance.deals = None
        upload = data.get("upload")
        if not {"variant", "seats", "rounds"} <= data.keys():
            return data
        if not upload:
            stored = self.instance.deals
            try:
                if stored:
                    rounds = min(data["rounds"], len(stored))
                    check_deals(stored, seats=data["seats"], rounds=rounds)
            except BadSettings:
                self.instance.deals = None  # as the field's help says
            return data
        if not data.get("duplicate"):
            self.add_error("upload", _("Your own deals are for the same cards at every table."))
            return data
        if upload.size > MAX_DEALS_BYTES:
            self.add_error("upload", TOO_LONG)
            return data
        try:
            deals = read_deals(upload.read())
            check_deals(deals, seats=data["seats"], rounds=data["rounds"])
        except BadSettings as why:
            self.add_error("upload", str(why))
        else:
            self.instance.deals = deals
        return data

    @property
    def chosen_language(self) -> str:
        """A language code; empty if none was chosen."""
        return self.cleaned_data.get("language", "") if self.is_bound else ""

    @property
    def expected_students(self) -> int | None:
        """None if no number was given."""
        return self.cleaned_data["expected"] if self.is_bound else None

    @property
    def fieldsets(self) -> list[Fieldset]:
        """The folded fields, by what they are about."""
        return [
            Fieldset(
                str(title),
                [(self[n], str(self.WHY.get(n, ""))) for n in names if n in self.fields],
            )
            for title, names in self.GROUPS
        ]

    @property
    def changed_labels(self) -> list[str]:
        """The labels of folded fields that begin otherwise than those of a new session."""
        usual = SessionSettings()
        return [
            str(self[name].label)
            for name in self.FOLDED
            if hasattr(usual, name) and self[name].initial != getattr(usual, name)
        ]

    def _chosen(self, *names: str) -> dict[str, Any]:
        """The values of these fields, as sent or to begin with; empty of a form sent with
        mistakes."""
        if self.is_bound and not self.is_valid():
            return {}
        return {n: self.cleaned_data[n] if self.is_bound else self[n].initial for n in names}

    def minutes(self, seconds_per_move: float, *, begins: bool = True) -> int | None:
        """About how long the game chosen takes, with the chapters before it where the session
        ``begins`` with them; None if no game is chosen."""
        chosen = self._chosen("variant", "seats", "rounds", "tournament", "chapters")
        if not chosen:
            return None
        before = CHAPTER_MINUTES if chosen.pop("chapters") and begins else 0
        return before + minutes_for(**chosen, seconds_per_move=seconds_per_move)

    def too_few_tables(self, students: int) -> int:
        """How many tables so many students make, where they are too few for the experiment
        chosen; else 0."""
        chosen = self._chosen("experiment", "seats")
        if not chosen.get("experiment"):
            return 0
        filling = SessionSettings.Filling.BOTS  # as in every duplicate session
        tables = len(plan_tables(students, seats=chosen["seats"], filling=filling).seats)
        return tables if tables < min(POWER[4]) else 0
