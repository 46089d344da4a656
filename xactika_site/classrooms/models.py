"""Classrooms, their class sessions, and the students in them: pseudonyms and nothing more.

A student is a generated name in one classroom. What they played is stored by ``games``; what
they answered by ``lessons``.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from xactika_site.accounts.models import AnyInvitation

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 6
EXPECTED = 40
"""Students that a class session expects, unless its teacher says another number."""
MAX_STUDENTS = 200
"""Students that a classroom may have: a flood ends here."""
LECTURE_HALL = 500
"""Students that it may have, and that a session may expect, where more than MAX_STUDENTS are
expected."""


def new_code() -> str:
    """A join code: consonants, so that it is no word and no digit is mistaken for a letter."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Classroom(models.Model):
    """A class as its teachers know it. Its code admits to its one unclosed session."""

    name = models.CharField(max_length=60)
    teachers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="classrooms")
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    # What its last session spoke, and the next one speaks unless its teacher says otherwise;
    # empty for the server's.
    language = models.CharField(max_length=10, blank=True, default="")
    # Made by ``manage.py demo``: its students are simulated, and every page says so.
    demo = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ClassSession(models.Model):
    """One meeting of a classroom: who may come in, and whether the room plays.

    Its game settings belong to ``games``. A paused one may be resumed another day.
    """

    class State(models.TextChoices):
        LOBBY = "lobby", _("lobby")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="sessions")
    state = models.CharField(max_length=6, choices=State, default=State.LOBBY)
    # Nobody new comes in; whoever was here may return.
    locked = models.BooleanField(default=False)
    # Whoever comes waits for a teacher's yes.
    needs_approval = models.BooleanField(default=False)
    # Whoever comes new beyond so many waits for a teacher's yes, too.
    expected = models.PositiveSmallIntegerField(default=EXPECTED)
    # What its teachers call it; else it is told by its day.
    name = models.CharField(max_length=40, blank=True)
    # What its tables, walls, lessons and files speak; empty for the server's.
    language = models.CharField(max_length=10, blank=True, default="")
    # Whether the made-up names are kept off the projector.
    names_hidden = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    closed = models.DateTimeField(null=True, blank=True)
    # Counts every change that a cockpit or lobby shows, but moves at tables.
    version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["classroom"],
                condition=~models.Q(state="closed"),
                name="one_unclosed_session",
            )
        ]

    def __str__(self) -> str:
        return f"session {self.pk} of classroom {self.classroom_id}"

    @property
    def open_code(self) -> str:
        """The code by which somebody may come in just now; empty while nobody may."""
        is_shut = self.locked or self.state == self.State.CLOSED
        return "" if is_shut else self.classroom.code


class Student(models.Model):
    """A pseudonym in one classroom: a generated name that a rejoin phrase brings back."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="students")
    name = models.CharField(max_length=40)
    # The phrase and the device's cookie are derived from these and the secret key, never
    # stored; adding 1 makes a new phrase, or signs the student out everywhere.
    phrase_serial = models.PositiveIntegerField(default=0)
    # The language of the words that it is made of: those stay, whatever the class speaks.
    phrase_words = models.CharField(max_length=10, default="en")
    device_serial = models.PositiveIntegerField(default=0)
    # Whether they have said that the phrase is in their notebook, or have come back by it.
    noted = models.BooleanField(default=True)
    # A teacher has said yes to them: as they came new, or to homework given out before.
    vouched = models.BooleanField(default=False)
    # How much longer than others this student may take where a turn clock runs.
    time_factor = models.FloatField(default=1.0)
    created = models.DateTimeField(auto_now_add=True)
    # The day they were last here; what is older than the retention period goes.
    last_here = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["classroom", "name"], name="name_once_a_classroom")
        ]

    def __str__(self) -> str:
        return self.name


class Attendance(models.Model):
    """A student in a class session: come in, waiting for a yes, or sent out."""

    class State(models.TextChoices):
        ASKING = "asking", "waiting for the teacher's yes"
        HERE = "here", "here"
        REMOVED = "removed", "sent out, may come back"
        BARRED = "barred", "may not come back"

    class_session = models.ForeignKey(
        ClassSession, on_delete=models.CASCADE, related_name="attendances"
    )
    student = models.ForeignKey(Student, on_delete=models.CASCADE, related_name="attendances")
    state = models.CharField(max_length=8, choices=State)
    # Came new, and no teacher has said yes so far: the class does not know them yet.
    newcomer = models.BooleanField(default=False)
    joined = models.DateTimeField(auto_now_add=True)
    # Noted while the student's lobby page is open, at most every ten seconds.
    last_seen = models.DateTimeField(null=True, blank=True)
    # The browsers that came in as this student, by a mark that is another one in every session;
    # false for one that was given back or is somebody else's by now. Emptied when it closes.
    browsers = models.JSONField(default=dict, blank=True)
    # Where the session begins with learning by playing: the chapters gone through, by number,
    # and of how many: "123/8".
    chapters = models.CharField(max_length=12, default="", blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["class_session", "student"], name="attendance_once")
        ]

    def __str__(self) -> str:
        return f"student {self.student_id} in session {self.class_session_id}"


class ReturnRequest(models.Model):
    """Somebody says who they were and has lost the phrase: a teacher's click lets them in.

    The device holds a random key; its hash tells which device asked.
    """

    class_session = models.ForeignKey(
        ClassSession, on_delete=models.CASCADE, related_name="return_requests"
    )
    student = models.ForeignKey(
        Student, on_delete=models.CASCADE, related_name="return_requests"
    )
    key_hash = models.CharField(max_length=64, unique=True)
    # Of a device that the class knows, by which of its students; else empty.
    lane = models.CharField(max_length=64, blank=True, default="")
    granted = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"request for student {self.student_id}"


class ClassroomInvitation(AnyInvitation):
    """Whoever opens its link may become a teacher of this classroom, once."""

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="invitations"
    )

    def __str__(self) -> str:
        return f"invitation {self.pk} to classroom {self.classroom_id}"
