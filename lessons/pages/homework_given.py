"""Homework as its teachers see it: giving it out, who has done what, how its boards went."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from functools import partial
from typing import Any, cast

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.classes.pace import measured_pace, minutes_for
from games.models import VARIANTS, SessionSettings
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables.rendering import GAME_NAMES
from games.words import colon
from lessons.exercises.skills import Skill
from lessons.homework import doing, giving
from lessons.homework.by_teachers import (
    OwnBoard,
    begin_as_teacher,
    begin_beforehand,
    own_boards,
    own_boards_beforehand,
    prepare_boards,
)
from lessons.homework.waiting import say_yes, waiting_in
from lessons.measures.page import stock_text
from lessons.models import Homework, QuestionSet
from lessons.pages.homework import page_with_expert
from lessons.pages.results import are_names_shown, namer, names_of
from lessons.questions import sets
from lessons.results.homework import beside_class, dataset_of_homework, panels, progress_of
from lessons.results.words import question_count
from xactika_site.accounts.models import User
from xactika_site.accounts.views import printed_link
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.selectors import as_number, classroom_for
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits
from xactika_site.views import teachers_action, teachers_form, teachers_page

USUAL = timedelta(days=7)

MINUTES_A_QUESTION, MINUTES_A_PUZZLE = 1.5, 2
"""Assumptions, as is the pace of a class that has not played yet."""


def _boards(n: int) -> str:
    return ngettext("%d board", "%d boards", n) % n


def _puzzles(n: int) -> str:
    return ngettext("%d puzzle", "%d puzzles", n) % n


def _number_field(
    numbers: Iterable[int], initial: int = 0, **options: Any
) -> forms.TypedChoiceField:
    """A field in which one of these numbers is chosen."""
    options |= {"coerce": int, "initial": initial, "widget": forms.RadioSelect}
    return forms.TypedChoiceField(choices=[(n, str(n)) for n in numbers], **options)


class HomeworkForm(forms.Form):
    """What a class is to do until a day; every field has a default that makes good homework."""

    boards = _number_field(
        (0, *giving.BOARDS),
        initial=4,
        label=_("Boards"),
        help_text=_("The same boards for everyone, each once."),
    )
    variant = forms.ChoiceField(
        label=_("Game"), choices=VARIANTS, initial="bid", widget=forms.RadioSelect
    )
    seats = _number_field(range(MIN_SEATS, MAX_SEATS + 1), initial=4, label=_("Seats"))
    questions = _number_field((0, *giving.QUESTIONS), label=_("Questions"))
    skill = forms.ChoiceField(
        label=_("Skill"), choices=lambda: [(s.value, s.title) for s in Skill]
    )
    own = forms.ModelChoiceField(
        label=_("Your questions"),
        queryset=QuestionSet.objects.none(),
        required=False,
        empty_label=_("none"),
    )
    puzzles = _number_field((0, *giving.PUZZLES), label=_("Puzzles"))
    until = forms.DateField(
        label=_("Last day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args: Any, classroom: Classroom, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        own_sets = classroom.question_sets.order_by("-changed")
        if own_sets:
            own = cast("forms.ModelChoiceField[QuestionSet]", self.fields["own"])
            own.queryset = own_sets
        else:
            del self.fields["own"]
        today = timezone.localdate()
        self.fields["until"].initial = today + USUAL
        self.fields["until"].widget.attrs["min"] = today.isoformat()

    def minutes(self, seconds_per_move: float) -> int | None:
        """About how long what is chosen takes a student: of a board their own moves, and what
        lies between two rounds for the bots' and a look back. None if nothing is chosen."""
        if self.is_bound and not self.is_valid():
            return None
        begun = {name: self[name].initial for name in self.fields}
        chosen = self.cleaned_data if self.is_bound else begun
        own, boards, minutes = chosen.get("own"), int(chosen["boards"]), 0.0
        if boards:
            minutes = minutes_for(
                variant=chosen["variant"],
                seats=1,
                rounds=boards,
                seconds_per_move=seconds_per_move,
            )
        asked = len(sets.entries(own.text)) if isinstance(own, QuestionSet) else 0
        minutes += (asked + int(chosen["questions"])) * MINUTES_A_QUESTION
        return round(minutes + int(chosen["puzzles"]) * MINUTES_A_PUZZLE) or None


def last_day(sent: QueryDict) -> date:
    """The day ``until`` when something is to be done; Refused if there is none."""
    try:
        return cast("date", forms.DateField().clean(sent.get("until")))
    except forms.ValidationError:
        words = gettext("Choose a day from today to two months from now.")
        raise Refused(words) from None


@teachers_form
def of_class(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """A class's homework, the latest first; a POST gives out more. An address may have filled
    in a set of its ``own`` questions, or the ``skill`` to practise. Asked by htmx, with what is
    chosen just now, only how long that takes."""
    classroom = classroom_for(request.user, classroom_id)
    initial: dict[str, Any] | None = None
    if own := digits(request.GET.get("own", "")):
        initial = {"own": classroom.question_sets.filter(pk=own).first(), "boards": 0}
    elif skill := request.GET.get("skill", ""):
        initial = {"skill": skill, "boards": 0, "questions": giving.QUESTIONS[0]}
    if request.htmx and request.method == "GET":
        chosen = HomeworkForm(request.GET, classroom=classroom)
        minutes = chosen.minutes(measured_pace(classroom))
        return render(request, "games/classes/_minutes.html", {"minutes": minutes})
    form = HomeworkForm(request.POST or None, classroom=classroom, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            new = giving.give(classroom=classroom, **form.cleaned_data)
        except Refused as why:
            form.add_error(None, str(why))
        else:
            return redirect("homework_results", new.pk)
    students = list(classroom.students.values_list("pk", flat=True))
    homeworks = doing.homework_of(classroom)
    done = doing.done_in(homeworks, students)
    waiting = waiting_in(homeworks)
    rows = [
        (
            each,
            in_words(each),
            sum(one.is_all(each) for one in done[each.pk].values()),
            sum(one.has_begun or one.is_all(each) for one in done[each.pk].values()),
            sum(not one.came_after for one in done[each.pk].values())
            - len(waiting.get(each.pk, ())),
            len(waiting.get(each.pk, ())),
        )
        for each in homeworks
    ]
    context = {
        "classroom": classroom,
        "form": form,
        "minutes": form.minutes(measured_pace(classroom)),
        "homework": rows,
        "is_laptop": not settings.BASE_URL,
        **printed_link(request, reverse("homework_door"), f"?code={classroom.code}"),
    }
    status = 422 if form.is_bound else 200
    return render(request, "lessons/homework/of_class.html", context, status=status)


def in_words(homework: Homework) -> str:
    """The homework's parts in words: "4 boards, Play to Bid · 10 questions: Graphs · 3
    puzzles"."""
    parts = []
    if homework.boards:
        parts.append(f"{_boards(len(homework.boards))}, {GAME_NAMES[homework.variant]}")
    if homework.questions:
        title = homework.own_name or Skill(homework.skill).title
        parts.append(question_count(homework.questions) + colon() + title)
    if homework.puzzles:
        parts.append(_puzzles(len(homework.puzzles)))
    return " · ".join(parts)


@teachers_page
def results(request: HttpRequest, homework_id: int) -> HttpResponse:
    """Who has done what, and how the boards went."""
    return _results_page(request, _homework_or_404(request, homework_id))


def _homework_or_404(request: HttpRequest, homework_id: int) -> Homework:
    assert isinstance(request.user, User)
    return doing.homework_for_teacher(request.user, homework_id)


def _results_page(
    request: HttpRequest, homework: Homework, *, notice: str = ""
) -> HttpResponse:
    classroom = homework.classroom
    assert isinstance(request.user, User)
    names = names_of(request, classroom)
    data = dataset_of_homework(homework)
    waiting = {each.pk: names[each.pk] for each in waiting_in([homework]).get(homework.pk, ())}
    able = {pk: name for pk, name in names.items() if pk not in waiting}
    progress = progress_of(homework, data, able)
    context = {
        "homework": homework,
        "classroom": classroom,
        "names": are_names_shown(request, classroom),
        "parts": in_words(homework),
        "progress": progress,
        "all_done": progress.whole[0],
        "waiting": waiting,
        "panels": panels(data, namer(names)),
        "waits": stock_text("few" if data.seats else "play"),
        **_yours(own_boards(homework, request.user)),
        "today": timezone.localdate(),
        "day": timezone.localdate() + USUAL if homework.closed else homework.until,
        "notice": notice,
        **printed_link(request, reverse("homework_door"), f"?code={classroom.code}"),
    }
    page = "lessons/homework/results.html"
    if notice:
        return render(request, page, context, status=422)
    beside = partial(beside_class, homework, data) if homework.boards else None
    return page_with_expert(request, page, context, beside)


def _yours(boards: list[OwnBoard]) -> dict[str, Any]:
    """The context of the boards that a teacher plays, and of the next to play."""
    return {
        "yours": boards,
        "has_played": any(each.state for each in boards),
        "yours_next": next((each for each in boards if not each.state.is_over), None),
    }


@teachers_form
def beforehand(request: HttpRequest, session_id: int) -> HttpResponse:
    """The prepared boards of a duplicate session, which a teacher may play before the class
    does: what they have played; a POST begins or goes on with the next, or prepares them."""
    session = session_or_404(request, session_id)
    assert isinstance(request.user, User)
    notice = ""
    if request.POST.get("do") == "prepare":
        prepare_boards(session=session)
        return redirect("session_beforehand", session.pk)
    if request.method == "POST":
        try:
            table_id = begin_beforehand(session=session, teacher=request.user)
        except Refused as why:
            notice = str(why)
        else:
            return redirect(reverse("table", args=[table_id], query={"as": 0}))
    boards = own_boards_beforehand(session, request.user)
    settings = SessionSettings.objects.get(class_session=session)
    context = {"session": session, "settings": settings, "notice": notice, **_yours(boards)}
    page = "lessons/homework/beforehand.html"
    return render(request, page, context, status=422 if notice else 200)


@teachers_action
def do(request: HttpRequest, homework_id: int) -> HttpResponse:
    """Close it, open it until another day, or delete it; say yes to whoever waits for that, to
    one of them or to all; play a board of it oneself."""
    homework = _homework_or_404(request, homework_id)
    assert isinstance(request.user, User)
    action, _colon, argument = request.POST.get("do", "").partition(":")
    try:
        match action:
            case "yes":
                students = [as_number(argument)] if argument else None
                say_yes(homework=homework, students=students)
            case "play":
                number, me = as_number(argument), request.user
                table_id = begin_as_teacher(homework=homework, teacher=me, number=number)
                return redirect(reverse("table", args=[table_id], query={"as": 0}))
            case "close":
                giving.close(homework=homework)
            case "reopen":
                giving.reopen(homework=homework, until=last_day(request.POST))
            case "delete":
                giving.delete(homework=homework)
                return redirect("homework_of_class", homework.classroom_id)
            case _:
                raise Http404
    except Refused as why:
        return _results_page(request, homework, notice=str(why))
    return redirect("homework_results", homework_id)
