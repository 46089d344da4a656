"""A study of crooked dealers: the student's page, the teacher's, the wall's part."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from typing import Any

from django.db import IntegrityError
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from games.models import Dealer, DealerTrial
from games.polls import SURE, here_or_answered, student_here
from games.rules import Shape
from games.tables.viewers import find_browser
from games.words import number
from lessons.crooked import trial as trials
from lessons.crooked.dealing import FAVOURED, SHORT, DealerKind, band, statistic
from lessons.crooked.trial import Box
from lessons.exercises.texts import shape_words
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.points.asked_panels import dealer_panel
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import as_number
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits, page_redirect
from xactika_site.views import form_view, teachers_form

# A student.


@form_view
def dealer(request: HttpRequest, session_id: int) -> HttpResponse:
    """A student's dealer: a POST plans, deals more, or answers. Asked by htmx, whether there is
    anything new."""
    student = student_here(find_browser(request.COOKIES, request.user), session_id)
    trial, page = trials.open_trial(session_id), trials.put_before(session_id)
    if trial is None or page != "dealer":
        return page_redirect(request, page or "lobby", session_id)
    notice = ""
    if request.method == "POST":
        try:
            if request.POST.get("trial") == str(trial.pk):  # not an old page
                _carry_out(trial, student, request.POST)
        except Refused as why:
            notice = str(why)
        except IntegrityError:  # the student is gone
            raise Http404 from None
        else:
            return redirect("dealer", session_id)
    own = trial.dealers.filter(student=student).defer("deals").first()
    version = f"{trial.pk}.{bool(trial.told)}"
    version += f".{own.looked}.{bool(own.verdict)}" if own else ""
    if request.htmx:
        is_shown = request.GET.get("shown") == version
        return HttpResponse(status=204) if is_shown else HttpResponseClientRefresh()
    context = _dealer_context(own) | (_told_context(trial, own) if trial.told else {})
    context |= {"trial": trial, "version": version, "notice": notice}
    status = 409 if notice else 200
    return render(request, "lessons/crooked/dealer.html", context, status=status)


def _carry_out(trial: DealerTrial, student: Student, sent: QueryDict) -> None:
    do = sent.get("do")
    own = trial.dealers.filter(student=student).defer("deals").first()
    if do == "plan":
        trials.plan(trial=trial, student=student, deals=as_number(sent.get("deals", "")))
    elif do == "look" and own is not None:
        trials.look(dealer=own, looked=as_number(sent.get("looked", "")))
    elif do == "answer" and own is not None:
        sure = digits(sent.get("sure", ""))
        trials.answer(dealer=own, verdict=sent.get("verdict", ""), sure=sure)


def _dealer_context(own: Dealer | None) -> dict[str, Any]:
    """The context of a student's dealer: the plans to choose from before there is one, then its
    deals so far and the student's verdict; never what it is."""
    if own is None:
        return {"plans": [(n, *map(number, band(FAVOURED[0], n))) for n in trials.PLANS]}
    return {
        "planned": own.planned,
        "looked": own.looked,
        "charts": _dealer_panels(own) if own.looked else [],
        "verdict": _dealer_words(own.verdict) if own.verdict else "",
        "kinds": [(kind.value, _dealer_words(kind)) for kind in DealerKind],
        "sure": SURE,
    }


def _told_context(trial: DealerTrial, own: Dealer | None) -> dict[str, Any]:
    """The context of what it was, what came of the student's answer, what the class said."""
    if own is None:
        return _answers_context(trial)
    outcome = "right" if own.verdict == own.kind else trials.box_of(own)
    return {"kind": _dealer_words(own.kind), "outcome": outcome, **_answers_context(trial)}


def _dealer_panels(own: Dealer) -> list[Panel]:
    seats = [_("Seat %(n)d") % {"n": n} for n in range(1, len(FAVOURED) + 1)]
    shapes = [shape_words([shape.position]) for shape in Shape]
    charts = []
    for suspects, names in ((FAVOURED, seats), (SHORT, shapes)):
        rows = []
        for suspect, name in zip(suspects, names, strict=True):
            average = mean(statistic(hands, suspect) for hands in own.deals[: own.looked])
            rows.append({"name": name, "mean": average, "range": band(suspect, own.looked)})
        facts = {"is_hands": suspects == FAVOURED, "deals": own.looked}
        charts.append(panel("dealer", rows, facts, key=f"dealer-{suspects[0]}"))
    return charts


def _dealer_words(kind: str) -> str:
    """What a dealer is, in words."""
    if kind in FAVOURED:
        return _("favours seat %(n)d") % {"n": FAVOURED.index(DealerKind(kind)) + 1}
    if kind in SHORT:
        return _("few 3s of %(shapes)s") % {"shapes": shape_words([Shape(kind).position])}
    return _("honest")


# The teacher, and the wall.


def _answers_context(trial: DealerTrial) -> dict[str, Any]:
    """How many have answered; once it is told, of FEWEST and more what the class said."""
    answers = trial.dealers.exclude(verdict="").defer("deals")
    found = dealer_panel(answers) if trial.told else None
    counts = Counter(map(trials.box_of, answers))
    boxes = ((Box.HIT, Box.MISS), (Box.ALARM, Box.PASSED))
    here = here_or_answered(trial.class_session_id, answers)
    return {
        "trial": trial,
        "session": trial.class_session,
        "answers": len(answers),
        "here": here,
        "fewest": FEWEST,
        "boxes": [[(box, range(counts[box])) for box in row] for row in boxes] if found else [],
        "panel": found,
        "version": f"dealers.{trial.pk}.{bool(trial.told)}.{len(answers)}.{here}",
    }


def dealers_wall(request: HttpRequest, trial: DealerTrial) -> HttpResponse:
    """The projector's page of a trial of crooked dealers."""
    context = _answers_context(trial)
    if request.htmx and request.GET.get("shown") == context["version"]:
        return HttpResponse(status=204)
    part = "lessons/crooked/_wall.html"
    page = part if request.htmx else "lessons/visits/wall.html"
    return render(request, page, {**context, "part": part, "title": _("Crooked dealers")})


@teachers_form
def dealers(request: HttpRequest, session_id: int) -> HttpResponse:
    """The teacher's page of what is before the class; a POST begins, tells or ends it, an old
    page's does nothing."""
    session = session_or_404(request, session_id)
    trial = trials.open_trial(session.pk)
    if request.method == "POST":
        do = request.POST.get("do")
        if do not in ("begin", "told", "ended"):
            raise Http404
        try:
            if do == "begin":
                trials.begin(session=session)
            elif trial is not None and request.POST.get("trial") == str(trial.pk):
                trials.settle(trial=trial, ends=do == "ended")
        except Refused:
            pass  # the session was closed meanwhile: its page says so
        return redirect("dealers", session.pk)
    if trial is None:
        return page_redirect(request, "session", session.pk)
    context = _answers_context(trial)
    if request.htmx and request.GET.get("shown") == context["version"]:
        return HttpResponse(status=204)
    page = "_steer" if request.htmx else "page"
    return render(request, f"lessons/crooked/{page}.html", context)
