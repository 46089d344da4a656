"""What was learned, as questions, answers and charts.

It has more than 450 lines: a function a panel, each read by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from django.urls import reverse
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from lessons import charts
from lessons.course import lessons as all_lessons
from lessons.course import standards
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.measures.grid import Cell, Column, Counted, Grid, Link, Noted, shades_of
from lessons.measures.panels import Panel
from lessons.results.learned.learning import Learning, RetryCounts, Success, smoothed_share
from lessons.results.learned.predictions import Progress
from lessons.results.words import (
    FEW_TO_RANK,
    basis,
    guide_of,
    lesson_by_number,
    lesson_words,
    percent,
    sentences,
)
from xactika_site.classrooms.privacy import FEWEST


def panels(
    learning: Learning,
    lessons: Sequence[Progress],
    *,
    is_shared: bool = False,
    is_teacher: bool = False,
    session: int | None = None,
    is_final: bool = False,
) -> list[Panel]:
    """Skills, misconceptions, predictions and exercises of a class, or of one ``session``; once
    it is over (``is_final``) none that would still have to be filled."""
    figures = [
        skills(learning),
        misconceptions(learning, is_teacher=is_teacher, session=session),
        exercises(learning),
    ]
    if is_teacher:
        figures.append(by_standards(learning))
    again = [turns_again(learning.again)] if learning.again.mistakes else []
    if is_shared and learning.again.students < FEWEST:
        again = [panel.hidden() for panel in again]
    if is_shared and learning.is_few:
        figures = [panel.hidden() for panel in figures]
    if (is_final or learning.own) and not learning.attempts:
        figures = []
    if learning.own:
        own = own_questions(learning)
        few = is_shared and len(learning.own_students) < FEWEST
        figures.append(own.hidden() if few else own)
    expected = predictions(lessons, came=len(learning.names))
    is_filled = not expected.is_empty
    people = max((progress.students for progress in lessons), default=0)
    if is_shared and 0 < people < FEWEST:
        expected = expected.hidden()
    return [
        *figures[:1],
        *([expected] if is_filled or not is_final else []),
        *figures[1:],
        *again,
    ]


def _nothing_yet() -> str:
    return _("Answers to exercises will fill this.")


def _basis(learning: Learning) -> str:
    success, of = learning.success, len(learning.names)
    return basis(
        questions=success.questions,
        answers=success.attempts,
        students=success.students,
        of=of,
    )


def count_words(success: Success) -> str:
    """How many questions were right at once, of how many."""
    return _("%(some)d of %(all)d") % {"some": success.at_once, "all": success.questions}


def skills(learning: Learning, *, title: str = "", is_counted: bool = False) -> Panel:
    """How each skill goes: the share right at the first attempt; of one student the counts
    stand beside it (``is_counted``)."""
    key, title = "skills", title or _("Which skills are safe, which need help?")
    went = learning.by_skill
    if not went:
        return Panel(key, title, _nothing_yet())
    order = sorted(went, key=lambda skill: (went[skill].share or 0, skill.title))
    weakest, best = order[0], order[-1]
    shares = {skill: _share(went[skill], is_counted=is_counted) for skill in order}
    text = _("Right at once: %(best)s %(high)s")
    if best is not weakest:
        text = _("Right at once: %(best)s %(high)s; %(weakest)s %(low)s")
    text %= {
        "best": best.title,
        "high": shares[best],
        "weakest": weakest.title,
        "low": shares[weakest],
    }
    labels = [shares[skill].replace(" (", "<br>(") for skill in order]
    bars = charts.bars([], [], text=labels) | {
        "orientation": "h",
        "x": [float(went[skill].share or 0) for skill in order],
        "y": [_on_two_lines(skill.title) for skill in order],
    }
    figure = charts.figure(
        [bars], x=_("right at once"), x_range=(0, 1.7 if is_counted else 1.3)
    )
    figure["layout"]["xaxis"] |= {"tickformat": ".0%", "tickvals": [0, 0.5, 1], "tickangle": 0}
    figure["layout"]["yaxis"] |= {"showgrid": False, "rangemode": "normal"}
    return Panel(
        key,
        title,
        f"{text}.",
        figure,
        Grid(
            _("Exercises by skill"),
            _success_columns(_("Skill"), learning),
            tuple((skill.title, *_cells(went[skill])) for skill in Skill if skill in went),
        ),
        _basis(learning),
        size="tall" if len(order) > MOST_BARS else "",
    )


def _share(success: Success, *, is_counted: bool) -> str:
    share = percent(success.share or 0)
    if is_counted:
        return _("%(share)s (%(counts)s)") % {"share": share, "counts": count_words(success)}
    return share


MOST_BARS = 5
"""Bars that a chart of the usual height has room for on a phone."""


def _on_two_lines(title: str) -> str:
    """A long label broken near its middle, so that a phone has room for the bars."""
    words = title.split()
    if len(title) < 16 or len(words) < 2:
        return title
    breaks = range(1, len(words))
    at = min(breaks, key=lambda n: abs(len(" ".join(words[:n])) - len(title) / 2))
    return f"{' '.join(words[:at])}<br>{' '.join(words[at:])}"


def _success_columns(
    first: str, learning: Learning, of: int | None = None
) -> tuple[Column, ...]:
    return (
        Column(first, "text"),
        Column(_("Questions")),
        Column(_("Answers")),
        Column(_("Right at once"), "%"),
        Column(_("Right in the end")),
        Column(_("Students"), of=len(learning.students) if of is None else of),
    )


def _cells(success: Success) -> tuple[Cell, ...]:
    return (
        success.questions,
        success.attempts,
        success.share,
        success.right,
        success.students,
    )


def treated_in(lesson: int, *, is_teacher: bool, session: int | None = None) -> Cell:
    """The lesson that treats a misconception: for a teacher its teacher's page, if it has
    been written."""
    course = lesson_by_number(lesson)
    if course is None:
        return lesson_words(lesson)
    page = guide_of(course, session) if is_teacher else reverse("lesson", args=[course.slug])
    return Link(lesson_words(lesson), page)


def misconceptions(
    learning: Learning,
    *,
    title: str = "",
    is_teacher: bool = False,
    session: int | None = None,
) -> Panel:
    """Misconceptions by name, the commonest first, with where they showed and what treats
    them."""
    key, title = "misconceptions", title or _("Which mistakes are behind the wrong answers?")
    if not learning.attempts:
        return Panel(key, title, _nothing_yet(), kind="table")
    by_name = learning.misconceptions
    if not by_name:
        return Panel(
            key, title, _("No misconception has been recognised so far."), kind="table"
        )
    return Panel(
        key,
        title,
        _commonest_sentence(learning),
        grid=Grid(
            _("Misconceptions by name"),
            (
                Column(_("Misconception"), "text"),
                Column(_("Students"), of=len(learning.students)),
                Column(_("Still open")),
                Column(_("Overcome")),
                Column(_("Answers")),
                Column(_("Met it")),
                Column(_("Where it showed"), "text"),
                Column(_("Treated in"), "text"),
            ),
            tuple(
                (
                    Noted(each.misconception.title, each.misconception.advice),
                    each.students,
                    each.open,
                    each.overcome,
                    each.answers,
                    each.met,
                    ", ".join(str(EXERCISES[name].title) for name in each.exercises),
                    treated_in(each.lessons[0], is_teacher=is_teacher, session=session),
                )
                for each in by_name
            ),
        ),
        basis=_basis(learning),
        caveat=_(
            "Met it: students who answered a question in which the mistake could show. "
            "Overcome: those who made it and have got another such question right at once "
            "since. Still open: the others, some of whom have met no other one since."
        ),
        kind="table",
    )


def _commonest_sentence(learning: Learning) -> str:
    """The commonest mistake in a sentence."""
    first = learning.misconceptions[0]
    sentence = ngettext(
        "Commonest: “%(name)s”, %(n)d of %(met)d student who met it; %(overcome)d overcame it.",
        "Commonest: “%(name)s”, %(n)d of %(met)d students who met it; %(overcome)d overcame "
        "it.",
        first.met,
    )
    if [each.students for each in learning.misconceptions].count(first.students) > 1:
        sentence = ngettext(
            "Among the commonest: “%(name)s”, %(n)d of %(met)d student who met it; "
            "%(overcome)d overcame it.",
            "Among the commonest: “%(name)s”, %(n)d of %(met)d students who met it; "
            "%(overcome)d overcame it.",
            first.met,
        )
    return sentence % {
        "name": first.misconception.title,
        "n": first.students,
        "met": first.met,
        "overcome": first.overcome,
    }


def exercises(learning: Learning) -> Panel:
    """How each exercise went."""
    key, title = "exercises", _("How did each exercise go?")
    went = learning.by_exercise
    if not went:
        return Panel(key, title, _nothing_yet(), kind="table")
    return Panel(
        key,
        title,
        weakest_sentence({_("“%s”") % EXERCISES[name].title: went[name] for name in went}),
        grid=Grid(
            _("Exercises"),
            (
                *_success_columns(_("Exercise"), learning),
                Column(_("Seen")),
                Column(_("Known")),
            ),
            tuple(
                (
                    str(EXERCISES[name].title),
                    *_cells(success),
                    learning.standing(name)["seen"],
                    learning.standing(name)["known"],
                )
                for name, success in went.items()
            ),
        ),
        basis=_basis(learning),
        caveat=mastery_caveat(),
        kind="table",
    )


def own_questions(learning: Learning) -> Panel:
    """How each question of the class's own went, what went worst first."""
    went = learning.own_questions
    return Panel(
        "own-questions",
        _("How did our own questions go?"),
        weakest_sentence({_("“%s”") % name: each for name, each in went.items()}),
        grid=Grid(
            _("Own questions"),
            _success_columns(_("Question"), learning, of=len(learning.own_students)),
            tuple((name, *_cells(success)) for name, success in went.items()),
        ),
        caveat=_("Own questions belong to no skill, so no other panel counts them."),
        kind="table",
    )


def mastery_caveat() -> str:
    """What “known” means, wherever it is counted."""
    return _(
        "Seen: right once. Known: right at once and without a hint on two different days, at "
        "the exercise’s highest level, in any session or alone; after a mistake only once it "
        "has come back and gone well."
    )


def mastery(learning: Learning) -> Panel:
    """What one student knows, has seen, has tried; by exercise."""
    words = {"known": _("known"), "seen": _("seen"), "tried": _("tried")}
    states = next(iter(learning.mastery.values()), {})
    count_words = Counter(state for key in EXERCISES if (state := states.get(key)))
    return Panel(
        "known",
        _("What is known?"),
        _("%(known)d of %(all)d exercises are known, %(seen)d more are seen.")
        % {"known": count_words["known"], "all": len(EXERCISES), "seen": count_words["seen"]},
        grid=Grid(
            _("Exercises"),
            (
                Column(_("Exercise"), "text"),
                Column(_("Levels"), "text"),
                Column(_("So far"), "text"),
                Column(_("Lesson"), "text"),
            ),
            tuple(
                (
                    str(exercise.title),
                    " ".join(exercise.levels),
                    words[states[key]],
                    lesson_words(exercise.lesson),
                )
                for key, exercise in EXERCISES.items()
                if key in states
            ),
        ),
        caveat=mastery_caveat(),
        kind="table",
    )


def exercises_by_standard() -> dict[str, frozenset[str]]:
    """The exercises by which each standard is judged, of the framework of this language."""
    wanted = "france" if (get_language() or "").startswith("fr") else "ccss"
    known = standards.standards()
    by_code = standards.exercises(all_lessons())
    return {code: keys for code, keys in by_code.items() if known[code].framework == wanted}


def by_standards(learning: Learning) -> Panel:
    """How each standard goes, by the exercises of the steps that earn it."""
    key, title = "standards", _("How do the standards go?")
    by_code = learning.by_standard(exercises_by_standard())
    if not by_code:
        return Panel(key, title, _nothing_yet(), kind="table")
    known = standards.standards()
    return Panel(
        key,
        title,
        weakest_sentence(by_code),
        grid=Grid(
            _("Exercises by standard"),
            _success_columns(_("Standard"), learning),
            tuple(
                (Noted(code, known[code].wording), *_cells(success))
                for code, success in by_code.items()
            ),
        ),
        basis=_basis(learning),
        caveat=_(
            "Only what exercises ask is counted here; which steps earn a standard says the "
            "list of standards. An exercise may count for several."
        ),
        kind="table",
    )


def turns_again(retries: RetryCounts) -> Panel:
    """Turns that cost something, tried again: no exercises, and counted apart from them."""
    return Panel(
        "turns-again",
        _("Which turns were tried again?"),
        ngettext(
            "Of %(tried)d turn tried again %(right)d went well in the end.",
            "Of %(tried)d turns tried again %(right)d went well in the end.",
            retries.tried,
        )
        % {"tried": retries.tried, "right": retries.right},
        grid=Grid(
            _("Turns tried again"),
            (
                Column(_("Turns found")),
                Column(_("Tried again")),
                Column(_("Right at once")),
                Column(_("Right in the end")),
                Column(_("Students")),
            ),
            (retries,),
        ),
        caveat=_(
            "Turns of one’s own rounds at which another move was clearly better, by what could "
            "be known. They are found when somebody presses “Try a turn again”, so their "
            "number says nothing about how well was played. They count among no exercises."
        ),
        kind="table",
    )


def predictions(lessons: Sequence[Progress], *, came: int = 0) -> Panel:
    """What was predicted before a reveal, and explained after; ``came`` is how many students
    could have."""
    key, title = "predictions", _("What did we think before, what after?")
    if not any(progress.predicted or progress.explained for progress in lessons):
        return Panel(
            key,
            title,
            _("Lessons will fill this: predictions once they are revealed, reasons after."),
        )
    before = sum(progress.right_before for progress in lessons)
    predicted = sum(progress.predicted for progress in lessons)
    after = sum(progress.right_after for progress in lessons)
    explained = sum(progress.explained for progress in lessons)
    labels = [_("Lesson %d") % progress.lesson.number for progress in lessons]
    figure = charts.figure(
        [
            charts.bars(
                labels,
                [float(progress.before or 0) for progress in lessons],
                name=_("predictions right, before"),
                colour="--tint",
                text=[percent(p.before) if p.before is not None else "" for p in lessons],
            ),
            charts.bars(
                labels,
                [float(progress.after or 0) for progress in lessons],
                name=_("reasons right at once, after"),
                text=[percent(p.after) if p.after is not None else "" for p in lessons],
            ),
        ],
        y=_("share"),
        legend=True,
        percent=True,
        y_range=(0, 1.15),
    )
    figure["layout"]["yaxis"]["tickvals"] = [0, 0.25, 0.5, 0.75, 1]
    parts = []
    if predicted:
        parts.append(_("%s of the predictions were right.") % percent(before / predicted))
    if explained:
        share = percent(after / explained)
        parts.append(_("Of the reasons given after the reveal, %s were right at once.") % share)
    return Panel(
        key,
        title,
        sentences(*parts),
        figure,
        Grid(
            _("Predictions and reasons by lesson"),
            (
                Column(_("Lesson"), "text"),
                Column(_("Students"), of=came),
                Column(_("Predictions")),
                Column(_("Right before"), "%"),
                Column(_("Reasons")),
                Column(_("Right at once after"), "%"),
            ),
            tuple(
                (
                    lesson_words(progress.lesson.number),
                    progress.students,
                    progress.predicted,
                    progress.before,
                    progress.explained,
                    progress.after,
                )
                for progress in lessons
            ),
        ),
        basis=basis(predictions=predicted, reasons=explained),
        caveat=_(
            "As right counts the true choice, or a number in the bar marked true, once it has "
            "been revealed. A wrong prediction is no mistake: it is what the reveal is for. "
            "Reasons are other questions: this does not measure what was learned."
        ),
    )


def by_student(learning: Learning, *, names: Mapping[int, str]) -> Panel:
    """Each student's skills: a coloured table."""
    key, title = "students", _("Who needs help with what?")
    skills_of = learning.by_student
    used = [skill for skill in Skill if skill in learning.by_skill]
    if not skills_of:
        return Panel(key, title, _nothing_yet(), kind="heat")
    every = {pk: learning.of_student(pk).success for pk in skills_of}
    order = sorted(every, key=lambda pk: (every[pk].share == 1, smoothed_share(every[pk])))
    by_share = sorted(every.values(), key=lambda each: (each.share or 0, each.questions))
    counted = [
        [_counted(skills_of[pk].get(skill)) for skill in used] + [_counted(every[pk])]
        for pk in order
    ]
    shares = [[cell.share if cell else None for cell in row] for row in counted]
    return Panel(
        key,
        title,
        _all_right(every.values())
        or _("From %(low)s to %(high)s right at once; who may need help stands first.")
        % {"low": count_words(by_share[0]), "high": count_words(by_share[-1])},
        grid=Grid(
            _("Right at once, by student and skill"),
            (
                Column(_("Student"), "text"),
                *(Column(skill.title, "%") for skill in used),
                Column(_("All"), "%"),
            ),
            tuple(
                (Link(names.get(pk, "–"), reverse("student_results", args=[pk])), *row)
                for pk, row in zip(order, counted, strict=True)
            ),
            shades_of(shares),
        ),
        basis=_basis(learning),
        caveat=_help_caveat(len(skills_of)),
        kind="heat",
    )


def _help_caveat(students: int) -> str:
    legend = _(
        "Questions right at once, of those asked. Darker is a larger share. A few questions "
        "put nobody first."
    )
    if students < FEW_TO_RANK:
        return legend
    middle = _(
        "Students at the top or bottom mostly move toward the middle on their own. So that "
        "doesn’t prove that help worked."
    )
    return sentences(legend, middle)


MOST_NAMED = 4
"""Names that a sentence has room for."""


def weakest_sentence(by_name: Mapping[str, Success]) -> str:
    """What went worst, by name, with all that went just so; nothing where all went right."""
    worst = min(by_name.values(), key=lambda each: (each.share == 1, smoothed_share(each)))
    names = [
        name
        for name, each in by_name.items()
        if smoothed_share(each) == smoothed_share(worst) and each.share != 1
    ]
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], "…"]
    return _all_right(by_name.values()) or _(
        "Look first at %(what)s: %(counts)s right at once."
    ) % {"what": ", ".join(names), "counts": count_words(worst)}


def _all_right(every: Iterable[Success]) -> str:
    return _("All were right at once.") if all(each.share == 1 for each in every) else ""


def _counted(success: Success | None) -> Counted | None:
    return Counted(success.at_once, success.questions) if success else None


def gradebook_by_standard(learning: Learning, *, names: Mapping[int, str]) -> Grid:
    """For a gradebook: a student a row, a standard a column, and in it the share of its
    questions right at once; empty where a student has answered none."""
    exercises = exercises_by_standard()
    codes = list(learning.by_standard(exercises))
    rows = []
    for student, name in names.items():
        own = learning.of_student(student).by_standard(exercises)
        rows.append((name, *(own[code].share if code in own else None for code in codes)))
    columns = (Column(_("student"), "text"), *(Column(code, "2") for code in codes))
    return Grid("gradebook-by-standard", columns, tuple(rows))


def gradebook(learning: Learning, *, names: Mapping[int, str]) -> Grid:
    """For a gradebook: student, lesson, score (the share of its questions right at once), how
    many questions that rests on, and how many of the lesson's exercises are seen and how many
    known; students in the order of ``names``."""
    rows: list[tuple[Cell, ...]] = []
    for student, name in names.items():
        by_lesson: dict[int, list[Success]] = {}
        for exercise, success in learning.of_student(student).by_exercise.items():
            by_lesson.setdefault(EXERCISES[exercise].lesson, []).append(success)
        for lesson, successes in sorted(by_lesson.items()):
            questions = sum(success.questions for success in successes)
            right = Fraction(sum(success.at_once for success in successes), questions)
            states = Counter(
                state
                for key, state in learning.mastery.get(student, {}).items()
                if EXERCISES[key].lesson == lesson
            )
            figures = (right, questions, states["seen"], states["known"])
            rows.append((name, lesson_words(lesson), *figures))
    return Grid(
        "gradebook",
        (
            Column(_("student"), "text"),
            Column(_("lesson"), "text"),
            Column(_("score"), "2"),
            Column(_("questions")),
            Column(pgettext("exercises", "seen")),
            Column(_("known")),
        ),
        tuple(rows),
    )
