"""One exercise before a whole class: the teacher's page, what stands on the wall, and what each
student gets."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from games.classes.state import lobby_of
from games.polls import student_here
from games.tables.viewers import find_browser
from lessons.exercises import SEED_BITS
from lessons.models import ClassExercise, Question, QuestionSet
from lessons.pages.results import are_names_shown, names_of
from lessons.pages.rooms import is_wall_taken
from lessons.questions import before_class, sets
from lessons.questions.in_class import (
    answers_given,
    class_answers,
    exercise_before,
    exercises_put,
    source_of,
    title_of,
)
from lessons.questions.presentation import Shown, preview, show
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404, way_in
from xactika_site.http import HttpRequest, digits
from xactika_site.randomness import system_rng
from xactika_site.views import page_view, teachers_action, teachers_page

# The teacher's.


@teachers_page
def class_exercise(request: HttpRequest, session_id: int) -> HttpResponse:
    """What is before the class, and how it goes; else what there is to put, and with
    ``?exercise=`` one of them beforehand; with ``?set=`` a question of an own set, also instead
    of what is there."""
    session = session_or_404(request, session_id)
    return _teachers_page(request, session, notice="", status=200)


def _teachers_page(
    request: HttpRequest, session: ClassSession, *, notice: str, status: int
) -> HttpResponse:
    present, set_key = exercise_before(session.pk), request.GET.get("set", "")
    is_other = bool(set_key) and present is not None and str(present.question_set_id) != set_key
    if present is not None and not is_other:
        return _how_it_goes(request, session, present, "class_exercise.html", notice, status)
    if request.htmx:  # taken away by the other teacher
        return HttpResponseClientRedirect(request.path)
    is_closed = session.state == ClassSession.State.CLOSED
    context: dict[str, object] = {
        "session": session,
        "notice": notice,
        "sources": before_class.offers(session),
        "sets": [] if is_closed else sets.askable(session.classroom),
        "put": [(each, title_of(each)) for each in exercises_put(session)[:8]],
        "is_other": is_other,
    }
    key, seed = request.GET.get("exercise", ""), request.GET.get("seed", "")
    number = digits(request.GET.get("question", ""), most=3)
    if is_closed:
        pass
    elif key:
        context |= _beforehand(session, key, seed)
    elif set_key:
        context |= _from_set(session, set_key, number, seed)
    return render(request, "lessons/questions/put_exercise.html", context, status=status)


def _beforehand(session: ClassSession, key: str, typed: str) -> dict[str, object]:
    """An exercise as a teacher sees it before it is put, with this seed or a new one."""
    source = source_of(key)
    if source is None:
        return {"notice": _("We don’t have that exercise. Choose one of these.")}
    try:
        seed = before_class.as_seed(typed) if typed else None
        wish = before_class.draft(session=session, exercise=key, seed=seed, rng=system_rng)
    except Refused as why:
        return {"notice": str(why)}
    return {
        "q": preview(key, wish.parameters),
        "wish": {"seed": wish.seed, "put": f"put:{wish.exercise}"},
        "again": f"?exercise={wish.exercise}",
        "is_own": source == ClassExercise.Source.OWN_HAND,
    }


def _from_set(
    session: ClassSession, key: str, number: int | None, typed: str
) -> dict[str, object]:
    """A question of an own set as a teacher sees it before it is put; its first one, where
    none is named."""
    try:
        seed = before_class.as_seed(typed) if typed else system_rng.getrandbits(SEED_BITS)
        own = _set_of(session, key)
        if number is None:
            first = sets.following(own, 0)
            number = first.number if first else 0
        stored, other = (sets.question(own, number, each) for each in (seed, seed ^ 1))
    except Refused as why:
        return {"notice": str(why)}
    varies = stored["parameters"] != other["parameters"]
    return {
        "q": preview(stored["exercise"], stored["parameters"]),
        "wish": {"seed": seed, "put": f"put-own:{key}.{number}"},
        "again": f"?set={key}&question={number}" if varies else "",
    }


def _set_of(session: ClassSession, key: str) -> QuestionSet:
    """The class's own set of this key; Refused for another's."""
    found = session.classroom.question_sets.filter(pk=digits(key) or 0).first()
    if found is None:
        raise Refused(_("That isn’t there any more."))
    return found


def _how_it_goes(
    request: HttpRequest,
    session: ClassSession,
    present: ClassExercise,
    page: str,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    """How a class exercise goes; asked by htmx, the live part alone, and nothing at all if it
    is as the page has ``seen`` it."""
    answers = class_answers(present)
    own = present.question_set
    version = f"{present.pk}.{answers.version}.{present.state}.{session.open_code}"
    is_asked_again = bool(request.htmx)
    if is_asked_again and request.GET.get("seen") == version:
        return HttpResponse(status=204)
    context = {
        "session": session,
        "exercise": present,
        "title": title_of(present),
        "answers": answers,
        "version": version,
        "notice": notice,
        "q": _common_question(present),
        # What follows it, if it is a question of an own set and not the last.
        "next": sets.following(own, present.set_number or 0) if own else None,
    } | way_in(request, session)
    page = f"lessons/questions/{'_' if is_asked_again else ''}{page}"
    return render(request, page, context, status=status)


def _common_question(present: ClassExercise) -> Shown | None:
    """The question, if it is one for all."""
    if present.source == ClassExercise.Source.OWN_HAND:
        return None
    return preview(
        present.exercise, present.parameters, is_revealed=present.revealed is not None
    )


@teachers_page
def exercise_answers(request: HttpRequest, session_id: int) -> HttpResponse:
    """Who answered what to the exercise before the class, or to an earlier one (``of``), for
    its teacher; names as on pages of results."""
    session = session_or_404(request, session_id)
    earlier = digits(request.GET.get("of", ""))
    present = exercise_before(session.pk)
    if earlier is not None:
        present = ClassExercise.objects.filter(class_session=session, pk=earlier).first()
    if present is None:
        return redirect("class_exercise", session.pk)
    labels, given = answers_given(present)
    names = names_of(request, session.classroom)
    context = {
        "session": session,
        "title": title_of(present),
        "labels": labels,
        "given": [(names[each.student.pk], each) for each in given],
        "is_own": present.parameters is None,
        "names": are_names_shown(request, session.classroom),
        "here": request.get_full_path(),
    }
    return render(request, "lessons/questions/exercise_answers.html", context)


@teachers_page
def exercise_wall(request: HttpRequest, session_id: int) -> HttpResponse:
    """The exercise on the wall: the question, how many have answered, later how it went; of
    fewer than five students no figures. Where it has ``taken`` the wall by itself, it makes
    room for whatever else comes."""
    session = session_or_404(request, session_id)
    present = exercise_before(session.pk)
    if "taken" in request.GET and is_wall_taken(session):
        present = None
    if present is not None:
        return _how_it_goes(request, session, present, "exercise_wall.html")
    if request.htmx:
        return HttpResponseClientRedirect(reverse("projector", args=[session.pk]))
    return redirect("projector", session.pk)


@teachers_action
def class_exercise_do(request: HttpRequest, session_id: int) -> HttpResponse:
    """Put an exercise before the class, or close, reveal or take away the one that is there, or
    go on to what follows in its set. From the ``wall`` back to it."""
    session = session_or_404(request, session_id)
    action, _colon, argument = request.POST.get("do", "").partition(":")
    try:
        if action == "put":
            seed = before_class.as_seed(request.POST.get("seed", ""))
            before_class.put(session=session, exercise=argument, seed=seed)
        elif action == "put-own":
            key, _dot, place = argument.partition(".")
            before_class.put_from_set(
                session=session,
                question_set=_set_of(session, key),
                number=digits(place, most=3) or 0,
                seed=before_class.as_seed(request.POST.get("seed", "")),
            )
        elif action == "begin":
            before_class.begin_set(session=session, question_set=_set_of(session, argument))
        elif action in before_class.STEPS:
            present = exercise_before(session.pk)
            if present is not None and str(present.pk) == argument:
                before_class.STEPS[action](exercise=present)
        else:
            raise Http404
    except Refused as why:
        return _teachers_page(request, session, notice=str(why), status=409)
    is_on_wall = "wall" in request.POST and exercise_before(session.pk) is not None
    return redirect("exercise_wall" if is_on_wall else "class_exercise", session.pk)


# A student's.


@page_view
def class_question(request: HttpRequest, session_id: int) -> HttpResponse:
    """What the teacher has put before the class, for this student."""
    browser = find_browser(request.COOKIES, request.user)
    try:
        student = student_here(browser, session_id)
    except NotFound:
        if request.htmx and lobby_of(browser.at(session_id)) == session_id:
            return HttpResponse("")  # a page still open of somebody sent out
        raise Http404 from None
    present = exercise_before(session_id)
    question: Question | None = None
    if present is not None:
        question = before_class.class_question(exercise=present, student=student)
    answers = class_answers(present) if present is not None and present.revealed else None
    context = {
        "session_id": session_id,
        "exercise": present,
        "q": show(question) if question else None,
        "answers": answers,
    }
    alone = request.htmx
    page = "_class_question.html" if alone else "class_question.html"
    return render(request, f"lessons/questions/{page}", context)
