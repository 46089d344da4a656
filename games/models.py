"""What is stored of games: facts only, never a state and never a shuffle's seed.

A round's state is the fold of its moves; points and standings follow from finished rounds.
"""

from __future__ import annotations

import secrets

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.analysis import bots
from games.rules import MAX_ROUNDS, MAX_SEATS, MIN_SEATS, Variant
from xactika_site import clock
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, ClassSession, Student

DEFAULT_PACE = 0.7
DEFAULT_PATIENCE = 60.0
PACES = {"slow": 2.5, "normal": DEFAULT_PACE, "fast": 0.3, "instant": 0.0}
"""Seconds that a play stays visible before a bot's next one; slow leaves time to hear it."""

_ID_LETTERS = "bcdfghjkmnpqrstvwxz"


def new_table_id() -> str:
    """An id that nobody guesses (85 bits); of letters, so that it never looks like a card."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(20))


class Guest(models.Model):
    """A browser that plays without a class, known by a random cookie; we keep its hash."""

    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"guest {self.pk}"


VARIANTS = [
    (Variant.WIN.value, _("Play to Win")),
    (Variant.LOSE.value, _("Play to Lose")),
    (Variant.BID.value, _("Play to Bid")),
]


class SessionSettings(models.Model):
    """What a class session's tables are opened with, and what its students may see."""

    class Seating(models.TextChoices):
        ARRIVAL = "arrival", _("in the order of arrival")
        SHUFFLED = "shuffled", _("shuffled")
        BY_HAND = "by_hand", _("by hand")

    class Filling(models.TextChoices):
        BOTS = "bots", _("bots fill the tables")
        UNEVEN = "uneven", _("tables of different size, no bots")

    class OddsPanel(models.TextChoices):
        OFF = "off", _("off")
        AFTER = "after", _("after the trick")
        ALWAYS = "always", _("always")

    class Questions(models.TextChoices):
        OFF = "off", _("off")
        BETWEEN = "between", _("between rounds")
        DURING = "during", _("during the round, too")

    class Experiment(models.TextChoices):
        NONE = "", _("none")
        TIPS = "tips", _("two tips for bidding")
        ODDS = "odds", _("chances shown or hidden")

    class_session = models.OneToOneField(
        ClassSession, on_delete=models.CASCADE, related_name="settings"
    )
    variant = models.CharField(max_length=4, choices=VARIANTS, default=Variant.BID.value)
    seats = models.PositiveSmallIntegerField(
        default=4, validators=[MinValueValidator(MIN_SEATS), MaxValueValidator(MAX_SEATS)]
    )
    rounds = models.PositiveSmallIntegerField(
        default=4, validators=[MinValueValidator(1), MaxValueValidator(MAX_ROUNDS)]
    )
    level = models.CharField(max_length=16, default=bots.DEFAULT_LEVEL)
    # Experts were wished for, and there are none on this computer: all bots count cards.
    counts_instead = models.BooleanField(default=False)
    seating = models.CharField(max_length=8, choices=Seating, default=Seating.SHUFFLED)
    filling = models.CharField(max_length=8, choices=Filling, default=Filling.BOTS)
    watching = models.BooleanField(default=False)
    # The same cards at every table; perhaps prepared ones, as of a table.
    duplicate = models.BooleanField(default=False)
    deals = models.JSONField(null=True, blank=True)
    # After each board, dealt to all tables, everybody changes tables; each board is a game.
    tournament = models.BooleanField(default=False)
    # Half of the tables, drawn when they are first dealt to, play by another tip, or with odds.
    experiment = models.CharField(
        max_length=4, choices=Experiment, default=Experiment.NONE, blank=True
    )
    odds_panel = models.CharField(max_length=8, choices=OddsPanel, default=OddsPanel.OFF)
    questions = models.CharField(max_length=8, choices=Questions, default=Questions.OFF)
    # Seconds; the clock plays for whoever takes longer, None for no clock.
    patience = models.FloatField(default=DEFAULT_PATIENCE)
    clock = models.FloatField(null=True, blank=True)
    pace = models.FloatField(default=DEFAULT_PACE)
    # The next round waits for the teacher at every table.
    held = models.BooleanField(default=False)
    # While the lobby is open whoever comes in learns by playing.
    chapters = models.BooleanField(default=False)
    # The wall's standings are of tables, the mean of their people's points.
    teams = models.BooleanField(default=False)
    standings_shown = models.BooleanField(default=True)
    # Who waits in the lobby may throw solids onto the wall; who plays, react to a trick.
    throwing = models.BooleanField(default=True)
    reactions = models.BooleanField(default=False)
    # Counts what lessons put before the class: its pages fetch that when this has changed.
    news = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"settings of session {self.class_session_id}"


class OnScreen(models.Manager["Table"]):
    """The tables at which somebody plays on a device. Of one on paper there is nothing but what
    its rounds came to: it is no table to be listed, loaded, dealt to or looked at."""

    def get_queryset(self) -> models.QuerySet[Table]:
        return self.everywhere().exclude(kind=Table.Kind.PAPER)

    def everywhere(self) -> models.QuerySet[Table]:
        """All tables, on paper, too."""
        return super().get_queryset()

    def on_paper(self, session_id: int) -> models.QuerySet[Table]:
        """The tables of a class session that were typed in from paper."""
        return self.everywhere().filter(kind=Table.Kind.PAPER, class_session=session_id)


class Table(models.Model):
    """Where a game is played. *Play again* opens a new one (``next_table``)."""

    class Kind(models.TextChoices):
        SOLO = "solo", "one person and bots"
        FRIENDS = "friends", "friends"
        CLASS = "class", "a class session"
        STUDY = "study", "played on from a position"
        HOMEWORK = "homework", "a board of homework"
        PAPER = "paper", "on paper, typed in"
        LEAGUE = "league", "a league of programs"

    class Treatment(models.TextChoices):
        PRINTED = "printed", _("tip A: one for each 9 or more")
        CAREFUL = "careful", _("tip B: the 11s and 12s, and half of the 9s and 10s")
        ODDS = "odds", _("chances shown")
        NO_ODDS = "no-odds", _("chances hidden")

    id = models.CharField(primary_key=True, max_length=20, default=new_table_id)
    kind = models.CharField(max_length=8, choices=Kind)
    # Of a class: its session, which of its games this is, and the number in the room.
    class_session = models.ForeignKey(
        ClassSession, null=True, blank=True, on_delete=models.CASCADE, related_name="tables"
    )
    game = models.PositiveSmallIntegerField(default=0)
    number = models.PositiveSmallIntegerField(default=0)
    variant = models.CharField(max_length=4, choices=VARIANTS)
    rounds = models.PositiveSmallIntegerField(
        default=MAX_ROUNDS, validators=[MinValueValidator(1), MaxValueValidator(MAX_ROUNDS)]
    )
    # Of the bots that stand in for people or play for the clock.
    level = models.CharField(max_length=16, default=bots.DEFAULT_LEVEL)
    # Seconds that a person's turn may last before others may ask a bot to stand in.
    patience = models.FloatField()
    # Seconds that a play stays visible before a bot's next one.
    pace = models.FloatField()
    # Seconds after which the clock plays for a person; None for no clock.
    clock = models.FloatField(null=True, blank=True)
    opener = models.ForeignKey(
        Guest, null=True, blank=True, on_delete=models.SET_NULL, related_name="opened_tables"
    )
    # What is said at it: a class's, or of the device that opened it; empty for the server's.
    language = models.CharField(max_length=10, blank=True, default="")
    # Deals prepared beforehand, one a round: [{"dealer": 0, "hands": [["1332", …], …]}, …].
    prepared = models.JSONField(null=True, blank=True)
    watch_serial = models.PositiveIntegerField(default=0)
    paused = models.BooleanField(default=False)
    # The teacher has paused the whole room; holds back the next round; lets students watch.
    room_paused = models.BooleanField(default=False)
    held = models.BooleanField(default=False)
    watching = models.BooleanField(default=False)
    reactions = models.BooleanField(default=False)
    # What a seat is told of its odds while it plays.
    odds_panel = models.CharField(
        max_length=8, choices=SessionSettings.OddsPanel, default=SessionSettings.OddsPanel.OFF
    )
    # In a duplicate session the round up to which everything may be shown, and how many
    # tables still play the present one.
    duplicate = models.BooleanField(default=False)
    shown_round = models.PositiveSmallIntegerField(default=0)
    still_playing = models.PositiveSmallIntegerField(default=0)
    # Of a tournament: which of its boards is played here, else 0; and when its time is up, if
    # the teacher has said so: from then on the clock plays.
    tournament_board = models.PositiveSmallIntegerField(default=0)
    ends = models.DateTimeField(null=True, blank=True)
    # Of an experiment: what was drawn for this table (games.classes.experiments).
    treatment = models.CharField(max_length=8, choices=Treatment, blank=True)
    # A turn's time counts from here if a pause has ended since it began.
    resumed = models.DateTimeField(null=True, blank=True)
    closed = models.BooleanField(default=False)
    next_table = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="previous_table"
    )
    # Of homework: the class that it was given to; ``duplicate``, and not shown till it closes.
    classroom = models.ForeignKey(
        Classroom, null=True, blank=True, on_delete=models.CASCADE, related_name="tables"
    )
    # Of homework that a teacher plays, too: who. It is in no figure of the class's.
    teacher = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.CASCADE, related_name="homework_tables"
    )
    # Of a duplicate session whose boards a teacher plays beforehand.
    beforehand = models.ForeignKey(
        ClassSession,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="beforehand_tables",
    )
    # Of a table on paper: the number of the printed slips that dealt its boards.
    slips = models.PositiveSmallIntegerField(null=True, blank=True)
    # Of a study table: where it is played on from. It is in no class's figures.
    position = models.ForeignKey(
        "Position", null=True, blank=True, on_delete=models.CASCADE, related_name="tables"
    )
    # Of a league: the match; its programs' seats are their students'. Nothing of it is shown.
    match = models.ForeignKey(
        "Match", null=True, blank=True, on_delete=models.CASCADE, related_name="tables"
    )
    created = models.DateTimeField(auto_now_add=True)
    # Counts every change but moves, so that a reader knows when to read the rest again.
    version = models.PositiveIntegerField(default=0)

    objects = OnScreen()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(rounds__range=(1, MAX_ROUNDS)), name="table_rounds"
            )
        ]

    def __str__(self) -> str:
        return f"table {self.id}"


class Seat(models.Model):
    """A place at a table, 0…n−1 clockwise: a person's, or (with a ``level``) a bot's."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seat_set")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    level = models.CharField(max_length=16, blank=True)
    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    # The link's token is derived from this and the secret key, never stored; renewing adds 1,
    # and so does every change of who sits here.
    serial = models.PositiveIntegerField(default=0)
    opened = models.BooleanField(default=False)
    last_seen = models.DateTimeField(null=True, blank=True)
    stand_in = models.BooleanField(default=False)
    # Whoever sits here has asked for slow bots; nobody asks why.
    slow = models.BooleanField(default=False)
    # Who has held the hand of the present deal here and left it: students, and marks of their
    # browsers. Emptied by the next deal.
    left_by = models.JSONField(default=list, blank=True)
    # A program has come by the present link's token: whoever sits here is told.
    program = models.BooleanField(default=False)
    # Whom a teacher has sent out from here: a bot holds the seat until they are let in again.
    kept_for = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.SET_NULL, related_name="kept_seats"
    )
    # The first round that whoever sits here plays from its first card.
    from_round = models.PositiveSmallIntegerField(default=1)
    # "I am ready" for what comes after the round being shown; cleared by the next deal.
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_once"),
            models.CheckConstraint(
                condition=models.Q(number__lt=MAX_SEATS), name="seat_number"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table_id}"


class Admission(models.Model):
    """A browser let in by a link: to a seat, or (without one) to watch."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="admissions")
    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="admissions")
    seat = models.ForeignKey(
        Seat, null=True, blank=True, on_delete=models.CASCADE, related_name="admissions"
    )
    visited = models.DateTimeField()
    # Another browser has come by the seat's link since, and said that it takes the seat over.
    taken_over = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "guest", "seat"], name="admission_to_seat_once"
            ),
            models.UniqueConstraint(
                fields=["table", "guest"],
                condition=models.Q(seat=None),
                name="admission_to_watch_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.guest_id} at {self.table_id}"


class Deal(models.Model):
    """Who was dealt what in one round of a table, and by which dealer."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="deals")
    round = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    # Each empty where it isn't known: on paper, dealt by hand.
    hands = models.JSONField()
    # The number that duplicate deals of one game share.
    board = models.PositiveSmallIntegerField(null=True, blank=True)
    # Its first turn begins then.
    created = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "round"], name="deal_once")]

    def __str__(self) -> str:
        return f"round {self.round} of {self.table_id}"


class Move(models.Model):
    """One bid or play, in the notation of the rules, and who decided it."""

    class Mover(models.TextChoices):
        PERSON = "person", "a person"
        BOT = "bot", "a bot"
        CLOCK = "clock", "the clock"
        GIVEN = "given", "the position that is played on from"

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=11)
    mover = models.CharField(max_length=6, choices=Mover)
    level = models.CharField(max_length=16, blank=True)
    guest = models.ForeignKey(
        Guest, null=True, blank=True, on_delete=models.SET_NULL, related_name="moves"
    )
    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.SET_NULL, related_name="moves"
    )
    # The seat's serial then: tells who sat there apart after their links are cut.
    sitting = models.PositiveIntegerField(default=0)
    # Why a bot chose it, in numbers; shown when the round (or board) is over, never before.
    reason = models.JSONField(null=True, blank=True)
    made = models.DateTimeField()

    class Meta:
        constraints = [
            # The compare-and-swap: of two moves for one turn exactly one is stored.
            models.UniqueConstraint(fields=["deal", "number"], name="move_once")
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


class Position(models.Model):
    """A finished round at one of its moments, and a seat that looked at it: under an address
    that nobody guesses and that tells nothing of who played. Can be looked at as that seat saw
    it then, and played on from."""

    id = models.CharField(primary_key=True, max_length=20, default=new_table_id)
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="positions")
    # How many moves of the round had been made.
    moves = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "moves", "seat"], name="position_once")
        ]

    def __str__(self) -> str:
        return f"position {self.id}"


class WallReplay(models.Model):
    """What a class's projector shows instead of the game: a finished round that a teacher leads
    the room through. There is one only while it is shown."""

    class_session = models.OneToOneField(
        ClassSession, on_delete=models.CASCADE, related_name="wall_replay"
    )
    position = models.ForeignKey(Position, on_delete=models.CASCADE, related_name="on_walls")
    # How it is looked at just now, as the query of the replay's address.
    look = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return f"replay on the wall of session {self.class_session_id}"


class Poll(models.Model):
    """A turn of a finished round, or a puzzle, put to a class: what would you play? The wall
    and everybody's device show what its seat saw then."""

    class Stage(models.TextChoices):
        ASKING = "asking"
        SPREAD = "spread"  # what the class would play
        TOLD = "told"  # what was played, and what an expert foresees

    class_session = models.ForeignKey(
        ClassSession, on_delete=models.CASCADE, related_name="polls"
    )
    position = models.ForeignKey(
        Position, null=True, blank=True, on_delete=models.CASCADE, related_name="polls"
    )
    # Instead of a position: the puzzle of this day.
    day = models.DateField(null=True, blank=True)
    # What each move at the position brings on average, by its text, as it was told: the more
    # the better.
    worths = models.JSONField(null=True, blank=True)
    stage = models.CharField(max_length=6, choices=Stage, default=Stage.ASKING)
    # Whether it asks how sure one is, too.
    asks_sureness = models.BooleanField(default=False)
    asked = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["class_session"],
                condition=models.Q(ended=None),
                name="one_poll_at_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(position=None, day__isnull=False)
                | models.Q(position__isnull=False, day=None),
                name="poll_of_position_or_puzzle",
            ),
        ]

    def __str__(self) -> str:
        return f"poll {self.pk} of session {self.class_session_id}"


class Vote(models.Model):
    """What one student would play in a poll, in the rules' notation, and how sure they are, in
    percent."""

    poll = models.ForeignKey(Poll, on_delete=models.CASCADE, related_name="votes")
    student = models.ForeignKey(Student, on_delete=models.CASCADE, related_name="votes")
    move = models.CharField(max_length=16)
    sure = models.PositiveSmallIntegerField(null=True, blank=True)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["poll", "student"], name="one_vote_a_student")
        ]

    def __str__(self) -> str:
        return f"vote {self.pk} in poll {self.poll_id}"


class DealerTrial(models.Model):
    """A study of crooked dealers put to a class; what they were is told to all at once."""

    class_session = models.ForeignKey(
        ClassSession, on_delete=models.CASCADE, related_name="dealer_trials"
    )
    begun = models.DateTimeField(auto_now_add=True)
    told = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["class_session"],
                condition=models.Q(ended=None),
                name="one_dealer_trial_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"dealer trial {self.pk} of session {self.class_session_id}"


class Dealer(models.Model):
    """One student's dealer in such a study: what it is, drawn by lot, and all its deals; how
    many of these the student has seen, and what they take it for, empty until they say so."""

    trial = models.ForeignKey(DealerTrial, on_delete=models.CASCADE, related_name="dealers")
    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.SET_NULL, related_name="dealers"
    )
    kind = models.CharField(max_length=8)
    deals = models.JSONField()
    planned = models.PositiveSmallIntegerField()
    looked = models.PositiveSmallIntegerField(default=0)
    verdict = models.CharField(max_length=8, blank=True)
    sure = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["trial", "student"], name="one_dealer_a_student")
        ]

    def __str__(self) -> str:
        return f"dealer {self.pk} in trial {self.trial_id}"


class League(models.Model):
    """Where a class's students let programs play that run on their own computers."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="leagues")
    opened = models.DateTimeField(auto_now_add=True)
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["classroom"],
                condition=models.Q(closed=None),
                name="one_open_league_a_class",
            )
        ]

    def __str__(self) -> str:
        return f"league {self.pk} of {self.classroom_id}"


class Program(models.Model):
    """A student's program in the leagues of their class, under a made-up name of its own."""

    student = models.OneToOneField(Student, on_delete=models.CASCADE, related_name="program")
    name = models.CharField(max_length=40)
    # Its key is derived from this, never stored; a new key adds 1.
    serial = models.PositiveIntegerField(default=0)
    # When it last asked for a game.
    asked = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Match(models.Model):
    """Boards drawn for some tables of a league alone, which play them at the same time."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="matches")
    deals = models.JSONField()
    # The points, by board and seat, where ``counter`` plays all seats.
    counter = models.JSONField()
    over = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"match {self.pk} of league {self.league_id}"


class Result(models.Model):
    """What one seat's finished round came to; derived, see ``rebuild_results``, but for a table
    on paper: there it is what is known."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="results")
    seat = models.PositiveSmallIntegerField()
    bid = models.PositiveSmallIntegerField(null=True, blank=True)
    taken = models.PositiveSmallIntegerField()
    points = models.SmallIntegerField()
    # Whether one and the same person made every move of the seat, and which student that was.
    by_person = models.BooleanField()
    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.SET_NULL, related_name="results"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["deal", "seat"], name="result_once")]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.points}"


class TrickRecord(models.Model):
    """One finished trick, for charts; derived, see ``rebuild_results``."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="trick_records")
    number = models.PositiveSmallIntegerField()
    leader = models.PositiveSmallIntegerField()
    call = models.CharField(max_length=6)
    # The led card's value.
    value = models.PositiveSmallIntegerField()
    # The exact chance, when it was led, that nobody held a better card, voids ignored.
    chance = models.FloatField(null=True, blank=True)
    # Whether nobody held a better card when it was led; None in rows older than this field.
    safe = models.BooleanField(null=True, blank=True)
    taker = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "number"], name="trick_record_once")
        ]

    def __str__(self) -> str:
        return f"trick {self.number}: {self.call}"
