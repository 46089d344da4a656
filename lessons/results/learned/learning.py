"""What a class has learned so far: exercises by skill, misconceptions by name, turns tried
again, who has not started, what is known. Six queries, whatever there is to read, and
one more where there are own questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from statistics import mean, median
from typing import Any, NamedTuple, TypeVar

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.tables.state import may_be_shown
from games.words import colon
from lessons.assessment.assessed import discrimination
from lessons.exercises import EXERCISES
from lessons.exercises.authored import AUTHORED
from lessons.exercises.skills import Misconception, Skill
from lessons.models import OUTSIDE_TESTS, Answer, Commitment, Question, Retry, Slip
from lessons.questions.in_class import answer_words
from lessons.questions.practice import Mastery, attempts_of, mastery_by_student
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST

T = TypeVar("T")


class Attempt(NamedTuple):
    """One answer: which question, of which exercise, whose, which of its answers (from 0)."""

    question: int
    exercise: str
    student: int
    number: int
    right: bool
    misconceptions: tuple[str, ...]


class OwnAttempt(NamedTuple):
    """One answer to a question of the class's own: as of an exercise, but for its name, which
    is that of its set and its own; with what rebuilds the question, what was answered, and
    after how many seconds."""

    question: int
    name: str
    student: int
    number: int
    right: bool
    stored: Mapping[str, Any] = {}
    values: Mapping[str, str] = {}
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """How students first answered one of the class's own questions: ``tells`` is the
    point-biserial correlation of right answers with the student's other own questions, None of
    few; ``mistake`` the commonest wrong answer in words, given by ``mistaken``; ``seconds`` the
    median."""

    tells: float | None
    mistake: str
    mistaken: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Success:
    """How questions went: how many were answered, with how many attempts; how many were right
    first time, and how many in the end."""

    questions: int
    attempts: int
    at_once: int
    right: int
    students: int

    @property
    def share(self) -> Fraction | None:
        """The share that was right first time."""
        return Fraction(self.at_once, self.questions) if self.questions else None


@dataclass(frozen=True, slots=True)
class MisconceptionCounts:
    """A misconception in the answers: how many students met an exercise in which it could
    show, and how many showed it, in how many answers and which exercises (commonest first);
    and how many of these students overcame it: they have got another such question right at
    once since (the same one again comes after its hints)."""

    misconception: Misconception
    met: int
    students: int
    answers: int
    exercises: tuple[str, ...]
    overcome: int

    @property
    def open(self) -> int:
        """How many students have not overcome it."""
        return self.students - self.overcome

    @property
    def lessons(self) -> tuple[int, ...]:
        """The lessons that treat it, that of the commonest exercise first."""
        return tuple(dict.fromkeys(EXERCISES[key].lesson for key in self.exercises))


class RetryCounts(NamedTuple):
    """Turns that cost something, tried again: how many turns there are, how many were tried,
    how many went well at the first try and in the end, and of how many students. They are no
    exercises, and count in none of their figures."""

    mistakes: int = 0
    tried: int = 0
    at_once: int = 0
    right: int = 0
    students: int = 0


NO_RETRIES = RetryCounts()


@dataclass(frozen=True)
class Learning:
    """All answers of some students, in the order in which they were given. ``names`` are of
    all who belong to the class or came to the session, ``at_lessons`` those of them who did a
    step of a lesson; ``again`` are their turns tried again, which are in no other figure."""

    attempts: tuple[Attempt, ...]
    names: dict[int, str]
    at_lessons: frozenset[int] = frozenset()
    again: RetryCounts = NO_RETRIES
    # By student, and exercise, after all they have ever answered.
    mastery: Mapping[int, Mapping[str, Mastery]] = field(default_factory=dict)
    # Answers to the class's own questions; they are of no skill, and in no other figure.
    own: tuple[OwnAttempt, ...] = ()

    @cached_property
    def own_questions(self) -> dict[str, Success]:
        """Own questions that were answered, by name, what went worst first."""
        groups: dict[str, list[OwnAttempt]] = defaultdict(list)
        for attempt in self.own:
            groups[attempt.name].append(attempt)
        went = {name: _success(group) for name, group in groups.items()}
        return dict(sorted(went.items(), key=lambda each: (help_order(each[1]), each[0])))

    def own_figures(self, name: str) -> OwnFigures:
        """The figures of a class's own question, by its first answers."""
        by_student: dict[tuple[int, str], OwnAttempt] = {}
        for attempt in self.own:
            by_student.setdefault((attempt.student, attempt.name), attempt)
        firsts = by_student.values()
        here = [attempt for attempt in firsts if attempt.name == name]
        others: dict[int, list[bool]] = defaultdict(list)
        for attempt in firsts:
            if attempt.name != name:
                others[attempt.student].append(attempt.right)
        told = [attempt for attempt in here if others[attempt.student]]
        tells = discrimination(
            [attempt.right for attempt in told],
            [mean(others[attempt.student]) for attempt in told],
        )
        wrong = [attempt for attempt in here if attempt.values and not attempt.right]
        given = Counter(tuple(sorted(attempt.values.items())) for attempt in wrong)
        values, mistaken = given.most_common(1)[0] if given else ((), 0)
        first = next((each for each in wrong if each.values == dict(values)), None)
        mistake = answer_words(first.stored, first.values) if first else ""
        seconds = median(attempt.seconds for attempt in here)
        return OwnFigures(tells, mistake, mistaken if mistake else 0, seconds)

    @cached_property
    def students(self) -> frozenset[int]:
        """The students who have answered anything."""
        return frozenset(attempt.student for attempt in self.attempts)

    @cached_property
    def own_students(self) -> frozenset[int]:
        """The students who have answered an own question."""
        return frozenset(attempt.student for attempt in self.own)

    @property
    def is_few(self) -> bool:
        """Whether these figures would tell about single students."""
        return len(self.students) < FEWEST

    @property
    def started(self) -> frozenset[int]:
        """The students who have answered anything, or done a step of a lesson."""
        return self.students | self.own_students | self.at_lessons

    @property
    def not_started(self) -> tuple[int, ...]:
        """The ids of those who have done neither, in the order of names."""
        return tuple(
            pk
            for pk, _name in sorted(self.names.items(), key=lambda item: item[1])
            if pk not in self.started
        )

    @property
    def success(self) -> Success:
        """All questions together."""
        return _success(self.attempts)

    @cached_property
    def by_skill(self) -> dict[Skill, Success]:
        """Skills that were practised, in the order of the skills."""
        groups = self._attempts_by(lambda a: EXERCISES[a.exercise].skill)
        return {skill: _success(groups[skill]) for skill in Skill if skill in groups}

    @cached_property
    def by_exercise(self) -> dict[str, Success]:
        """Exercises that were answered, in the order of the lesson plan."""
        groups = self._attempts_by(lambda a: a.exercise)
        return {key: _success(groups[key]) for key in EXERCISES if key in groups}

    def by_standard(self, exercises: Mapping[str, frozenset[str]]) -> dict[str, Success]:
        """By standard how it went, of those whose steps ask exercises that were answered."""
        by_code = {
            code: [attempt for attempt in self.attempts if attempt.exercise in keys]
            for code, keys in exercises.items()
        }
        return {code: _success(attempts) for code, attempts in by_code.items() if attempts}

    @cached_property
    def by_student(self) -> dict[int, dict[Skill, Success]]:
        """Each student's skills."""
        groups = self._attempts_by(lambda a: a.student)
        return {student: Learning(tuple(own), {}).by_skill for student, own in groups.items()}

    def _attempts_by(self, key: Callable[[Attempt], T]) -> dict[T, list[Attempt]]:
        groups: dict[T, list[Attempt]] = defaultdict(list)
        for attempt in self.attempts:
            groups[key(attempt)].append(attempt)
        return groups

    def of_student(self, student: int) -> Learning:
        """One student's answers alone."""
        own = tuple(attempt for attempt in self.attempts if attempt.student == student)
        return Learning(
            own,
            {pk: name for pk, name in self.names.items() if pk == student},
            mastery={pk: states for pk, states in self.mastery.items() if pk == student},
            own=tuple(attempt for attempt in self.own if attempt.student == student),
        )

    def hardest(self, skill: Skill) -> str:
        """The key of a skill's exercise with the lowest share right first time."""
        went = self.by_exercise
        asked = (key for key in went if EXERCISES[key].skill is skill)
        return min(asked, key=lambda key: went[key].share or 0)

    def standing(self, exercise: str) -> Counter[Mastery]:
        """How many students know an exercise, have seen it, or tried."""
        return Counter(each[exercise] for each in self.mastery.values() if exercise in each)

    @cached_property
    def misconceptions(self) -> tuple[MisconceptionCounts, ...]:
        """What wrong answers revealed, the commonest first: of equals what more students have
        not overcome, then what the earliest lesson treats."""
        answers: Counter[str] = Counter()
        exercises: dict[str, Counter[str]] = defaultdict(Counter)
        students: dict[str, set[int]] = defaultdict(set)
        overcome: Counter[str] = Counter()
        for student, attempts in self._attempts_by(lambda a: a.student).items():
            last: dict[str, int] = {}
            for index, attempt in enumerate(attempts):
                for code in attempt.misconceptions:
                    answers[code] += 1
                    exercises[code][attempt.exercise] += 1
                    students[code].add(student)
                    last[code] = index
            overcome.update(c for c, n in last.items() if _is_right_in(attempts[n + 1 :], c))
        met = {(attempt.student, attempt.exercise) for attempt in self.attempts}
        by_name = [
            MisconceptionCounts(
                Misconception(code),
                len({pk for pk, key in met if _could_show(code, key)} | students[code]),
                len(students[code]),
                answers[code],
                tuple(sorted(n, key=lambda key: (-n[key], EXERCISES[key].lesson, key))),
                overcome[code],
            )
            for code, n in exercises.items()
        ]
        by_name.sort(key=lambda m: (-m.answers, m.misconception.value))
        return tuple(sorted(by_name, key=lambda m: (-m.students, -m.open, m.lessons[0])))


def _is_right_in(attempts: Sequence[Attempt], code: str) -> bool:
    """Whether a question that may show this misconception is answered right among these."""
    return any(
        attempt.right
        and attempt.number == 0  # a retry is of a question that was wrong before
        and (_could_show(code, attempt.exercise) or code in attempt.misconceptions)
        for attempt in attempts
    )


def smoothed_share(success: Success) -> tuple[Fraction, int]:
    """(share, questions): the share right first time by Laplace's rule, as if one more had been
    right and one more wrong, so that one question alone puts nobody first or last where there
    is more to go by."""
    return Fraction(success.at_once + 1, success.questions + 2), success.questions


def practice_order(success: Success) -> tuple[tuple[Fraction, int], Fraction]:
    """A key to sort skills by, what to practise first: (smoothed share, share right in the
    end)."""
    return smoothed_share(success), Fraction(success.right, success.questions or 1)


FEWEST_QUESTIONS = 4
"""Of fewer questions it is not said of a student that they need help."""


def weakest_first(went: Mapping[Skill, Success]) -> tuple[list[Skill], bool]:
    """Skills, the lowest share first, and whether it stands alone, of enough questions."""
    order = sorted(went, key=lambda skill: went[skill].share or 0)
    lowest, *others = (went[skill] for skill in order)
    is_asked = lowest.questions >= FEWEST_QUESTIONS and bool(others)
    return order, is_asked and (lowest.share or 0) < (others[0].share or 0)


def needs_help(success: Success) -> bool:
    """Whether of a student's questions, four at least, fewer than half were right first
    time."""
    return success.questions >= FEWEST_QUESTIONS and 2 * success.at_once < success.questions


def goes_well(success: Success) -> bool:
    """Whether 70% of the questions or more were right first time."""
    return 10 * success.at_once >= 7 * success.questions


def help_order(success: Success) -> tuple[bool, tuple[Fraction, int]]:
    """A key to sort students by, who may need help first: (whether all was right, smoothed
    share)."""
    return success.share == 1, smoothed_share(success)


def _could_show(code: str, exercise: str) -> bool:
    """Whether this misconception can show in an answer to the exercise."""
    return Misconception(code) in EXERCISES[exercise].misconceptions


def _success(attempts: Iterable[Attempt | OwnAttempt]) -> Success:
    attempts = tuple(attempts)
    return Success(
        questions=len({attempt.question for attempt in attempts}),
        attempts=len(attempts),
        at_once=sum(attempt.right and attempt.number == 0 for attempt in attempts),
        right=len({attempt.question for attempt in attempts if attempt.right}),
        students=len({attempt.student for attempt in attempts}),
    )


def learning_of_session(session: ClassSession) -> Learning:
    """What was answered in a class session: what it asked, and what those who came practised
    while it lasted."""
    came = Attendance.objects.filter(class_session=session)
    lasted = (session.created, session.closed or timezone.now())
    practised = Q(
        student__in=came.values("student"),
        class_session=None,
        asked__range=lasted,
    )
    here = came.exclude(state=Attendance.State.ASKING)
    names = dict(here.values_list("student", "student__name"))
    commitments = Commitment.objects.filter(
        Q(visit__run__class_session=session)
        | Q(visit__student__in=came.values("student"), visit__begun__range=lasted)
    )
    mistakes = Slip.objects.filter(position__deal__table__class_session=session)
    questions = Question.objects.filter(Q(class_session=session) | practised)
    return _read(questions, names, commitments, mistakes)


def learning_of_classroom(classroom: Classroom) -> Learning:
    """All answers of the classroom's students."""
    names = dict(Student.objects.filter(classroom=classroom).values_list("pk", "name"))
    commitments = Commitment.objects.filter(visit__student__classroom=classroom)
    mistakes = Slip.objects.filter(student__classroom=classroom)
    return _read(
        Question.objects.filter(student__classroom=classroom), names, commitments, mistakes
    )


def learning_of_student(student: Student) -> Learning:
    """All answers of one student."""
    commitments = Commitment.objects.filter(visit__student=student)
    mistakes = Slip.objects.filter(student=student)
    questions = Question.objects.filter(student=student)
    return _read(questions, {student.pk: student.name}, commitments, mistakes)


def _retry_counts(mistakes: QuerySet[Slip]) -> RetryCounts:
    """How many turns were tried again, and went well; none of a board that is played."""
    shown = mistakes.filter(may_be_shown("position__deal__"), student__isnull=False)
    rows = Retry.objects.filter(slip__in=shown).order_by("slip", "number")
    tries = list(rows.values_list("slip", "slip__student", "number", "right"))
    return RetryCounts(
        mistakes=shown.count(),
        tried=len({mistake for mistake, *_ in tries}),
        at_once=sum(right for *_, number, right in tries if number == 0),
        right=len({mistake for mistake, _student, _number, right in tries if right}),
        students=len({student for _mistake, student, *_ in tries}),
    )


_KNOWN = frozenset(misconception.value for misconception in Misconception)


def _read(
    questions: QuerySet[Question],
    names: dict[int, str],
    commitments: QuerySet[Commitment],
    mistakes: QuerySet[Slip],
) -> Learning:
    """The learning in answers to exercises that (still) exist, and who has been at lessons."""
    at_lessons = commitments.filter(visit__student__isnull=False).values_list("visit__student")
    rows = Answer.objects.filter(
        question__in=questions.filter(OUTSIDE_TESTS).order_by().values("pk"),
        question__student__isnull=False,
    )
    given = list(
        rows.order_by("made", "pk").values_list(
            "question",
            "question__exercise",
            "question__student",
            "number",
            "right",
            "misconceptions",
        )
    )
    has_own = any(exercise == AUTHORED.key for _question, exercise, *_rest in given)
    return Learning(
        tuple(
            Attempt(
                question,
                exercise,
                student,
                number,
                right,
                (*filter(_KNOWN.__contains__, codes),),
            )
            for question, exercise, student, number, right, codes in given
            if exercise in EXERCISES
        ),
        names,
        frozenset(student for (student,) in at_lessons.distinct()),
        _retry_counts(mistakes),
        mastery_by_student(attempts_of(names)),
        _own_attempts(rows) if has_own else (),
    )


def _own_attempts(answers: QuerySet[Answer]) -> tuple[OwnAttempt, ...]:
    """The answers among these to the class's own questions."""
    rows = answers.filter(question__exercise=AUTHORED.key).order_by("made", "pk")
    sets = "question__class_exercise__question_set__name", "question__homework__own_name"
    rows = rows.annotate(seconds=F("made") - F("question__asked"))
    of_question = "question", "question__seed", "question__parameters", "question__student"
    of_answer = "number", "right", "values", "seconds"
    return tuple(
        OwnAttempt(
            question,
            _own_name(put or given or "", parameters),
            *(student, number, right),
            {"exercise": AUTHORED.key, "seed": seed, "parameters": parameters},
            values,
            lasted.total_seconds(),
        )
        for question, seed, parameters, student, number, right, values, lasted, put, given in (
            rows.values_list(*of_question, *of_answer, *sets)
        )
    )


def _own_name(set_name: str, parameters: dict[str, Any]) -> str:
    """E.g. "Week 3: The mean of four cards"."""
    title = AUTHORED.title_of(parameters)
    return f"{set_name}{colon()}{title}" if set_name else title
