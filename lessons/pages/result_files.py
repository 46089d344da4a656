"""The tables of results as files, for whoever goes on with them in a spreadsheet."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import cast

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.classes.experiments import experiments_of
from lessons.homework.doing import homework_of
from lessons.measures.grid import Cell, Column, Format, Grid
from lessons.pages.results import namer, names_of
from lessons.results.archive.archive import archive
from lessons.results.archive.tables import players, tables
from lessons.results.dataset import dataset_of_session
from lessons.results.files import csv_response, download, grids, xlsx_response
from lessons.results.homework import cover_rows, gradebook_rows
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import (
    Learning,
    learning_of_classroom,
    learning_of_session,
)
from lessons.results.learned.predictions import progress_in_classroom, progress_in_session
from lessons.results.over_time import term_panels
from lessons.results.over_time.term import term
from lessons.results.session import session_panels
from lessons.results.students.names import student_names
from lessons.results.taught import lesson_panels
from lessons.results.taught.taught_lessons import taught_lessons
from xactika_site.classrooms.models import Classroom, ClassSession
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import classroom_for
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest
from xactika_site.views import teachers_page


@teachers_page
def session_xlsx(request: HttpRequest, session_id: int) -> HttpResponse:
    """All tables of a session's results as sheets of one file."""
    session = session_or_404(request, session_id)
    return _all_as_xlsx(_session_grids(request, session), _file_name(session))


@teachers_page
def session_csv(request: HttpRequest, session_id: int, key: str) -> HttpResponse:
    """One table of a session's results as CSV."""
    session = session_or_404(request, session_id)
    return _one_csv(_session_grids(request, session), key, _file_name(session))


def _session_grids(request: HttpRequest, session: ClassSession) -> dict[str, Grid]:
    names = names_of(request, session.classroom)
    facts, learning = dataset_of_session(session), learning_of_session(session)
    return grids(
        [
            *session_panels.panels(
                facts, name=namer(names), experiments=experiments_of(session.pk)
            ),
            *lesson_panels.panels(taught_lessons(session, facts)),
            *learning_panels.panels(learning, progress_in_session(session), is_teacher=True),
            learning_panels.by_student(learning, names=names),
        ]
    )


@teachers_page
def session_data(request: HttpRequest, session_id: int) -> HttpResponse:
    """A session's data, numbers for names, with a codebook and programs that compute its
    figures; of fewer than five students none."""
    session = session_or_404(request, session_id)
    if players(session) < FEWEST:
        way_back = reverse("session_results", args=[session.pk])
        waits = any(not each.is_over for each in experiments_of(session.pk))
        context = {"way_back": way_back, "waits": waits}
        return render(request, "lessons/results/too_few.html", context, status=422)
    packed = archive(tables(session), is_demo=session.classroom.demo)
    return download(packed, f"{_file_name(session)} data", "zip", "application/zip")


@teachers_page
def classroom_xlsx(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """All tables of a classroom's term as sheets of one file."""
    classroom = classroom_for(request.user, classroom_id)
    return _all_as_xlsx(_classroom_grids(request, classroom), _class_name(classroom))


@teachers_page
def classroom_csv(request: HttpRequest, classroom_id: int, key: str) -> HttpResponse:
    """One table of a classroom's term as CSV; ``gradebook`` has every student's lessons,
    ``gradebook-by-standard`` their standards, ``grades`` a column for each lesson, for other
    gradebooks."""
    classroom = classroom_for(request.user, classroom_id)
    if key == "grades":
        names = student_names(classroom, is_named=True)  # whom the page knows it is for
        book = _gradebook(classroom, learning_of_classroom(classroom), names)
        return csv_response(_grades(book).sheet, f"{_class_name(classroom)} {key}")
    return _one_csv(_classroom_grids(request, classroom), key, _class_name(classroom))


def _classroom_grids(request: HttpRequest, classroom: Classroom) -> dict[str, Grid]:
    """All tables of a class's files by key (over time, learnt, the gradebooks), with names as
    this teacher has them switched on."""
    names = names_of(request, classroom)
    over_time, learning = term(classroom), learning_of_classroom(classroom)
    return {
        **grids(term_panels.panels(over_time, names=names)),
        **grids(
            learning_panels.panels(learning, progress_in_classroom(classroom), is_teacher=True)
        ),
        "gradebook": _gradebook(classroom, learning, names),
        "gradebook-by-standard": learning_panels.gradebook_by_standard(learning, names=names),
    }


def _gradebook(classroom: Classroom, learning: Learning, names: dict[int, str]) -> Grid:
    """Lessons, then homework and cover lessons, as far as each was done."""
    of_lessons = learning_panels.gradebook(learning, names=names)
    rows = gradebook_rows(homework_of(classroom)[::-1], names)
    rows += cover_rows(names)
    return replace(of_lessons, rows=(*of_lessons.rows, *rows))


def _grades(book: Grid) -> Grid:
    """A gradebook with a row for each student, and a column for each lesson: percent. Of
    several homeworks until one day each has its own."""
    percents: dict[tuple[Cell, str], Fraction | None] = {}
    for name, lesson, share, *_more in book.rows:
        titles = (f"{lesson} · {n}" if n > 1 else str(lesson) for n in count(1))
        title = next(title for title in titles if (name, title) not in percents)
        percents[name, title] = (
            None if share is None else round(100 * cast("Fraction", share), 2)
        )
    students = dict.fromkeys(name for name, _lesson in percents)
    lessons = dict.fromkeys(lesson for _name, lesson in percents)
    rows = [(name, *(percents.get((name, each)) for each in lessons)) for name in students]
    columns = [
        Column(_("student"), Format.TEXT),
        *(Column(each, Format.ONE) for each in lessons),
    ]
    return Grid("grades", tuple(columns), tuple(rows))


def _one_csv(by_key: dict[str, Grid], key: str, name: str) -> HttpResponse:
    if key not in by_key:
        raise Http404
    return csv_response(by_key[key].sheet, f"{name} {key}")


def _all_as_xlsx(by_key: dict[str, Grid], name: str) -> HttpResponse:
    return xlsx_response({key: grid.sheet for key, grid in by_key.items()}, name)


def _file_name(session: ClassSession) -> str:
    return f"{_class_name(session.classroom)} {localtime(session.created):%Y-%m-%d}"


def _class_name(classroom: Classroom) -> str:
    """The class in the name of a file; of simulated students it says so."""
    return _("demo %s") % classroom.name if classroom.demo else classroom.name
