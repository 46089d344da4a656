"""Practice: alone or as a student of a classroom, by level and skill."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.pages.tables import guest_of, remember_guest
from games.tables.viewers import find_browser
from lessons.exercises import EXERCISES, Verdict
from lessons.exercises.skills import Skill
from lessons.questions import asking, mistakes, sets
from lessons.questions import placement as entry
from lessons.questions.learners import Learner, learner_at
from lessons.questions.placement import placed
from lessons.questions.practice import (
    LEVELS,
    Wanted,
    by_skill,
    next_exercise,
    next_level,
    next_standing,
    standings,
)
from lessons.questions.presentation import AT_AN_END, show
from lessons.questions.spacing import SpacingState
from lessons.results.words import lesson_by_number, lesson_words
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest
from xactika_site.views import form_view

SIGNS = {
    SpacingState.KNOWN: gettext_lazy("known"),
    SpacingState.SEEN: gettext_lazy("right at least once"),
    SpacingState.SOON: gettext_lazy("comes back later"),
    SpacingState.AGAIN: gettext_lazy("comes back now"),
    SpacingState.NEW: gettext_lazy("new"),
}
"""What the list's signs say, in the order in which they are explained."""

SKILLS = {skill.value for skill in Skill}


@form_view
def practice(request: HttpRequest) -> HttpResponse:
    """What there is to practise and how far one is; a POST asks a question: of an
    ``exercise`` alone, of a ``skill``, or whatever comes next, at a ``level``, beginning with
    the ``first`` exercise."""
    if request.method != "POST":
        return _page(request)
    wish = {
        name: request.POST.get(name, "") for name in ("exercise", "first", "skill", "level")
    }
    choices = {"exercise": EXERCISES, "first": EXERCISES, "skill": SKILLS, "level": LEVELS}
    if any(value and value not in choices[name] for name, value in wish.items()):
        return _page(request, notice=_("We don’t have that exercise. Choose one of these."))
    learner, key = learner_at(find_browser(request.COOKIES, request.user)), ""
    if "set" in request.POST:
        return _from_set(request, learner)
    if learner is None:
        guest, key = guest_of(request)
        learner = Learner(guest=guest)
    level, skill = wish["level"], wish["skill"]
    if key_wished := wish["exercise"] or wish["first"]:
        chosen = Wanted(key_wished, next_level(learner, key_wished, level))
    else:
        begin = placed(learner) or 0
        chosen = next_exercise(learner, level=level, skill=skill, first_lesson=begin)
    try:
        question = asking.ask_in_practice(
            learner=learner,
            exercise=chosen.exercise,
            at=chosen.level,
            level=level,
            skill=skill,
            chosen=bool(wish["exercise"]),
        )
    except Refused as why:
        return _page(request, notice=str(why))
    response = redirect("question", question.pk)
    return remember_guest(response, key) if key else response


def _from_set(request: HttpRequest, learner: Learner | None) -> HttpResponse:
    """A question of a set that the learner's class may practise."""
    own = sets.to_practise(learner.student) if learner and learner.student else []
    chosen = next((each for each in own if str(each.pk) == request.POST["set"]), None)
    if learner is None or chosen is None:
        return _page(request, notice=_("We don’t have that exercise. Choose one of these."))
    try:
        return redirect(
            "question", asking.ask_from_set(learner=learner, question_set=chosen).pk
        )
    except Refused as why:
        return _page(request, notice=str(why))


def _page(request: HttpRequest, *, notice: str = "") -> HttpResponse:
    browser = find_browser(request.COOKIES, request.user)
    learner = learner_at(browser)
    own, turns = standings(learner), mistakes.standings(mistakes.learner_here(browser))
    begin = placed(learner) or 0
    student, session_id = browser.present
    states = {standing.state for standing in own}
    context = {
        "skills": by_skill(own),
        "next": next_standing(own, first_lesson=begin),
        "is_placed": begin > 0,
        "known": sum(standing.state is SpacingState.KNOWN for standing in own),
        "seen": sum(standing.state is SpacingState.SEEN for standing in own),
        "all": len(own),
        "has_begun": any(standing.tries for standing in own),
        "signs": [(state.value, words) for state, words in SIGNS.items() if state in states],
        "levels": LEVELS,
        "figures": AT_AN_END,
        "mistakes": sum(each.is_open for each in turns),
        "has_mistakes": bool(turns),
        "student": student,
        "sets": sets.to_practise(student) if student else [],
        "session_id": session_id,
        "notice": notice,
    }
    status = 422 if notice else 200
    return render(request, "lessons/questions/practice.html", context, status=status)


@form_view
def placement(request: HttpRequest) -> HttpResponse:
    """The check where to begin: its next question, or what it found; a POST begins it, once
    more too, or answers."""
    learner, key = learner_at(find_browser(request.COOKIES, request.user)), ""
    if request.method != "POST":
        return _check_page(request, learner)
    if learner is None:
        guest, key = guest_of(request)
        learner = Learner(guest=guest)
    verdict = None
    try:
        if request.POST.get("do") == "begin":
            entry.begin_again(learner)
        else:
            texts = None if "unknown" in request.POST else request.POST.dict()
            verdict = entry.answer(learner, request.POST.get("question", ""), texts)
        entry.ask_next(learner)
    except Refused as why:
        return _page(request, notice=str(why))
    if verdict is not None:
        return _check_page(request, learner, verdict)
    response = redirect("placement")
    return remember_guest(response, key) if key else response


def _check_page(
    request: HttpRequest, learner: Learner | None, verdict: Verdict | None = None
) -> HttpResponse:
    waiting = entry.present_question(learner) if learner else None
    if waiting is None:
        begin = placed(learner)
        if begin is None:
            return redirect("practice")
        student = learner.student if learner else None
        found = {
            "begin": lesson_words(begin),
            "lesson": lesson_by_number(begin),
            "name": student.name if student else "",
        }
        return render(request, "lessons/questions/placed.html", found)
    assert learner is not None
    texts = request.POST.dict() if verdict else None
    context = {
        "q": show(waiting, verdict=verdict, texts=texts),
        "number": entry.how_many(learner) + 1,
        "most": entry.MAX_ANSWERS,
    }
    status = 422 if verdict else 200
    return render(request, "lessons/questions/placement.html", context, status=status)
