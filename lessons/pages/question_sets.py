"""A class's own sets of questions, for its teachers: written, tried, saved, printed."""

from __future__ import annotations

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from lessons.exercises import EXERCISES, grade, rebuild
from lessons.exercises.authored import FRENCH, localized_word, without_answers
from lessons.models import QuestionSet
from lessons.pages.paper import moodle_file
from lessons.questions import sets
from lessons.questions.presentation import SIGNED, Shown, trial
from lessons.questions.worksheets import task_of
from lessons.results.files import download
from xactika_site.classrooms.selectors import classroom_for, unclosed_session
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits
from xactika_site.views import teachers_action, teachers_form, teachers_page

MOST_BYTES = 200_000
"""Of a file that is opened."""

REMOVED = "removed question"
"""In the teacher's session: of which set, its number, its text."""


class NewSet(forms.Form):
    """A new set: a name, or a file that has one."""

    name = forms.CharField(label=_("Name"), max_length=60, required=False)
    file = forms.FileField(
        label=_("Or from a file (.txt)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".txt,text/plain"}),
    )

    def clean_file(self) -> UploadedFile[bytes] | None:
        """The file as it was sent, None without one; too large a one is refused."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(_("This file is too large."))
        return file


class SetForm(forms.Form):
    """A set as it is typed."""

    name = forms.CharField(label=_("Name"), max_length=60)
    text = forms.CharField(
        label=_("Questions"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 30, "spellcheck": "true"}),
    )
    practice = forms.BooleanField(label=_("Students may practise these"), required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


@teachers_form
def of_class(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The class's sets, the latest first; a POST begins one, or opens a file."""
    classroom = classroom_for(request.user, classroom_id)
    form = NewSet(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"classroom": classroom, "form": form}
    if request.method == "POST" and form.is_valid():
        name, text = form.cleaned_data["name"], ""
        problem = ""
        if form.cleaned_data["file"]:
            of_file, text, problem = sets.from_file(form.cleaned_data["file"].read())
            name = name or sets.name_not_taken(classroom, of_file)
        if problem:
            context |= {"notice": problem, "looked_at": _trial_rows(text)}
        else:
            try:
                made = sets.create(classroom=classroom, name=name or str(_NAME), text=text)
            except Refused as why:
                context["notice"] = str(why)
            else:
                return redirect(made)
    context["word"] = _words()
    context["sets"] = [
        (each, sets.words_of(sets.entries(each.text)))
        for each in classroom.question_sets.order_by("-changed")
    ]
    status = 422 if "notice" in context or form.errors else 200
    return render(request, "lessons/questions/sets.html", context, status=status)


_NAME = _("Our questions")


def _words() -> dict[str, str]:
    return {word: localized_word(word) for word in FRENCH.values()}


def _set_or_404(request: HttpRequest, set_id: int) -> QuestionSet:
    found = QuestionSet.objects.select_related("classroom").filter(pk=set_id).first()
    if found is None:
        raise Http404
    classroom_for(request.user, found.classroom_id)
    return found


def _trial_rows(text: str) -> list[tuple[sets.SetEntry, Shown | None]]:
    """The questions of a text as students get them, each to be tried."""
    return [
        (each, trial(each.number, each.stored) if each.stored else None)
        for each in sets.entries(text)
    ]


@teachers_form
def edit(request: HttpRequest, set_id: int) -> HttpResponse:
    """A set to write in. A POST stores it, after what a button asks for: ``do`` is ``save``, or
    ``up:2`` and the like (lessons.questions.sets.edited)."""
    found = _set_or_404(request, set_id)
    now = {name: getattr(found, name) for name in ("name", "text", "practice", "version")}
    if request.method != "POST":
        return _editor_page(request, found, SetForm(initial=now), found.text)
    form = SetForm(request.POST)
    if not form.is_valid():
        return _editor_page(request, found, form, request.POST.get("text", ""), status=422)
    typed, text = form.cleaned_data, form.cleaned_data["text"]
    action, _colon, argument = request.POST.get("do", "save").partition(":")
    argument = argument or request.POST.get("type", "")
    removed = _removed(request, found)
    if action == "bring-back" and removed is not None:
        text = sets.with_removed(text, removed)
    elif action == "drop":
        removed = sets.removed_by(text, argument)
    if action not in ("save", "bring-back"):
        text = sets.edited(text, action, argument)
    try:
        sets.save(question_set=found, **typed | {"text": text})
    except Refused as why:
        return _editor_page(request, found, form, text, notice=str(why), status=409)
    request.session.pop(REMOVED, None)
    if action not in ("save", "bring-back") and removed is not None:
        request.session[REMOVED] = [found.pk, removed.number, removed.text]
    return redirect(f"{found.get_absolute_url()}?saved=1")


def _removed(request: HttpRequest, found: QuestionSet) -> sets.Removed | None:
    """What was last taken out of this set and can be brought back, until it is saved."""
    key, *removed = request.session.get(REMOVED) or [0]
    return sets.Removed(*removed) if key == found.pk else None


def _editor_page(
    request: HttpRequest,
    found: QuestionSet,
    form: SetForm,
    text: str,
    *,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    shown = _trial_rows(text)
    context = {
        "set": found,
        "broken": sum(bool(entry.problem) for entry, _shown in shown),
        "session": unclosed_session(found.classroom),
        "is_saved": "saved" in request.GET and not notice,
        "form": form,
        "notice": notice,
        "shown": shown,
        "removed": _removed(request, found),
        "word": _words(),
        "types": [
            (f"{key}:{level}", exercise.title, level)
            for key, exercise in EXERCISES.items()
            for level in exercise.levels
        ],
    }
    return render(request, "lessons/questions/set.html", context, status=status)


@teachers_action
def preview(request: HttpRequest, set_id: int) -> HttpResponse:
    """What is typed, as students would get it."""
    found = _set_or_404(request, set_id)
    text = request.POST.get("text", "")[: sets.LONGEST]
    context = {"set": found, "shown": _trial_rows(text), "removed": _removed(request, found)}
    return render(request, "lessons/questions/_set_preview.html", context)


@teachers_action
def attempt(request: HttpRequest) -> HttpResponse:
    """A question of a set, answered by its teacher: graded, and not kept. It is what the page
    has signed, or 404."""
    try:
        stored = signing.loads(request.POST.get("signed", ""), salt=SIGNED)
    except signing.BadSignature:
        raise Http404 from None
    texts = request.POST.dict()
    verdict = grade(rebuild(stored), texts)
    q = trial(stored.pop("number"), stored, verdict=verdict, texts=texts)
    page = "_question.html" if request.htmx else "set_try.html"
    return render(request, f"lessons/questions/{page}", {"q": q})


@teachers_action
def delete(request: HttpRequest, set_id: int) -> HttpResponse:
    """The set goes; what was asked of it stays."""
    found = _set_or_404(request, set_id)
    found.delete()
    request.session.pop(REMOVED, None)
    return redirect("question_sets", found.classroom_id)


@teachers_page
def file(request: HttpRequest, set_id: int) -> HttpResponse:
    """The set as a file for a colleague, or with ``moodle`` its questions for Moodle."""
    found = _set_or_404(request, set_id)
    name = slugify(found.name) or "questions"
    if "moodle" in request.GET:
        questions = [
            without_answers(rebuild(each.stored))
            for each in sets.of_copy(found.text, 1)
            if each.stored
        ]
        return moodle_file(questions, name)
    return download(sets.as_file(found), name, "txt", "text/plain; charset=utf-8")


@teachers_page
def printed(request: HttpRequest, set_id: int) -> HttpResponse:
    """The set on paper; with ``key`` its answers. Each ``copy`` has other hands."""
    found = _set_or_404(request, set_id)
    copy = min(max(digits(request.GET.get("copy", "1"), most=3) or 1, 1), 99)
    tasks = [
        (each.title, task_of(place, without_answers(rebuild(each.stored))))
        for place, each in enumerate(sets.of_copy(found.text, copy), start=1)
        if each.stored
    ]
    context = {"set": found, "tasks": tasks, "copy": copy, "is_key": "key" in request.GET}
    return render(request, "lessons/questions/set_paper.html", context)
