"""A class copied for another year, as a page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.copying import copy_classroom
from xactika_site.accounts.models import User
from xactika_site.classrooms.forms import NameForm
from xactika_site.classrooms.selectors import classroom_for
from xactika_site.http import HttpRequest
from xactika_site.views import teachers_form


@teachers_form
def copy(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Ask what the copy of a class is called, and whether its students are in it; make it."""
    classroom = classroom_for(request.user, classroom_id)
    form = NameForm(
        request.POST or None, initial={"name": _("%(name)s (copy)") % {"name": classroom.name}}
    )
    form.fields["name"].label = _("Name")
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        has_students = "students" in request.POST
        new = copy_classroom(
            classroom=classroom,
            teacher=request.user,
            name=form.cleaned_data["name"],
            with_students=has_students,
        )
        done = {"done": "copy"} if has_students else {}
        return redirect(reverse("classroom", args=[new.pk], query=done))
    context = {"classroom": classroom, "form": form}
    status = 422 if form.is_bound else 200
    return render(request, "classrooms/copy.html", context, status=status)
