"""Who is who: a list beside the made-up names, in the page's memory and nowhere else."""

from __future__ import annotations

import csv
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from tests.scenes.browser import Inspector, Watched, as_teacher, by_services, follow
from tests.server import Server

STUDENTS = """
from django.utils import timezone
for name in {names!r}:
    Student.objects.create(
        classroom=Classroom.objects.get(pk={room}), name=name, last_here=timezone.localdate()
    )
"""
MADE_UP = ["Brave Bison", "Calm Swan", "Quiet Otter"]
SECRET = "Zebulonia"
LISTED = [f"{SECRET} Eins", f"{SECRET} Zwei", f"{SECRET} Drei", f"{SECRET} Vier"]

KEPT = """async () => {
  const kept = [document.cookie, location.href, JSON.stringify(history.state)];
  for (const kind of [localStorage, sessionStorage]) kept.push(JSON.stringify({ ...kind }));
  kept.push(JSON.stringify(await indexedDB.databases()), JSON.stringify(await caches?.keys()));
  return kept.join("\\n");
}"""
VISIBLE = "it => getComputedStyle(it).color !== 'rgba(0, 0, 0, 0)'"


def typed(page: Page) -> list[str]:
    fields = page.locator("#who input")
    return [field.input_value() for field in fields.all()]


def test_no_name_leaves_the_page(watched: Watched, server: Server, tmp_path: Path) -> None:
    page, _other, room = as_teacher(server, watched, "roster")
    by_services(server, *STUDENTS.format(room=room, names=MADE_UP).splitlines())
    sent: list[str] = []
    page.on(
        "request",
        lambda request: sent.append(f"{request.url} {request.headers} {request.post_data}"),
    )
    page.goto(f"/teach/classrooms/{room}/")
    follow(page.get_by_role("link", name="Who is who"))
    expect(page.locator(".told")).to_contain_text("close the page, and it’s gone")
    page.locator("#roster summary").first.click()
    page.locator("#list").fill("\n".join(LISTED))
    page.locator("#fill").click()
    notice = page.locator("#roster-notice")
    expect(notice).to_contain_text("Still in the box: 1")
    assert typed(page) == LISTED[:3]
    assert page.locator("#list").input_value() == LISTED[3]
    # Hidden until somebody presses, which is said; but what is typed is seen meanwhile.
    first, last = page.locator("#who input").first, page.locator("#who input").last
    expect(notice).to_contain_text("Real names are hidden")
    assert not first.evaluate(VISIBLE)
    last.press_sequentially("!")
    assert last.evaluate(VISIBLE)
    last.press("Tab")
    assert not last.evaluate(VISIBLE)
    expect(notice).to_have_text("Real names are hidden. Press “Show real names”.")
    page.get_by_role("button", name="Show real names").click()
    assert first.evaluate(VISIBLE)
    expect(notice).to_be_empty()
    last.fill(LISTED[2])
    inspector = Inspector()
    inspector.look(page, "who is who")
    inspector.approves()
    # Nothing of it is in a form, and nothing is offered again.
    assert page.locator("form #who, form #list, #who input[name]").count() == 0
    assert page.locator("#who input:not([autocomplete=off])").count() == 0
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save a file").click()
    file = tmp_path / "kept.txt"
    saving.value.save_as(file)
    assert file.read_text(encoding="utf-8") == "".join(
        f"{plays}\t{name}\n" for plays, name in zip(MADE_UP, LISTED[:3], strict=True)
    )
    assert SECRET not in page.evaluate(KEPT)
    page.reload()
    assert typed(page) == ["", "", ""]
    page.goto(f"/teach/classrooms/{room}/")
    page.go_back()
    assert typed(page) == ["", "", ""]
    # The file brings it back, without being sent.
    page.locator("#file").set_input_files(file)
    expect(page.locator("#roster-notice")).to_contain_text("3")
    assert typed(page) == LISTED[:3]
    page.go_back()
    page.go_forward()
    assert typed(page) == ["", "", ""]
    assert SECRET not in page.evaluate(KEPT)
    assert sent
    assert not [each for each in sent if SECRET in each]


def test_a_pasted_name_stays_whole(watched: Watched, server: Server, tmp_path: Path) -> None:
    """Of a spreadsheet's columns, a numbered list, a class behind it; as it is saved."""
    page, _other, room = as_teacher(server, watched, "columns")
    by_services(server, *STUDENTS.format(room=room, names=MADE_UP).splitlines())
    page.goto(f"/teach/classrooms/{room}/roster/")
    page.locator("#roster summary").first.click()
    page.locator("#list").fill("Müller\tAnna\n3. Łukasz Żółć;7b\r\n\nD’Arc\t10 C\n12. Li 2")
    page.locator("#fill").click()
    names = ["Müller Anna", "Łukasz Żółć", "D’Arc"]
    assert (typed(page), page.locator("#list").input_value()) == (names, "Li 2")
    page.locator("#who input").last.evaluate("it => { it.value = ' Jeanne\\td’Arc\\u0007' }")
    names[2] = "Jeanne d’Arc"
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save a file").click()
    file = tmp_path / "kept.txt"
    saving.value.save_as(file)
    old = file.read_text(encoding="utf-8").replace("Müller Anna", "Müller\tAnna")
    page.reload()
    page.locator("#file").set_input_files(
        FilePayload(name="old.txt", mimeType="text/plain", buffer=old.encode())
    )
    expect(page.locator("#roster-notice")).to_contain_text("3. Real names are hidden")
    assert typed(page) == names


def test_the_way_to_the_grades_opens_them(watched: Watched, server: Server) -> None:
    page, _other, room = as_teacher(server, watched, "way")
    by_services(server, *STUDENTS.format(room=room, names=MADE_UP).splitlines())
    page.goto(f"/teach/classrooms/{room}/roster/")
    expect(page.locator("#open-grades")).to_be_hidden()
    page.goto(f"/teach/classrooms/{room}/results/")
    page.goto(f"/teach/classrooms/{room}/roster/#school")
    expect(page.locator("#open-grades")).to_be_visible()


ANSWERS = """
from tests.scenes.results import answered
for at, name in enumerate({names!r}):
    student = Student.objects.get(classroom={room}, name=name)
    for n in range(2 if at else 0):
        answered(None, student, "deck-size", n < at)
"""
MOODLE = f"""First name,Surname,ID number,"Email address","Quiz: cells (Real)"
Eins,{SECRET},17,a@b.example,"5,0"
Zwei,"{SECRET} ""Z"" Z",18,c@d.example,-
Drei,{SECRET},19,e@f.example,3.0
"""
CANVAS = f"""Student;ID;SIS Login ID;Section;Essay (7);Final Score
    Points Possible;;;;10;(read only)
"{SECRET}, Zwei";501;zwei;8c;7;70
"{SECRET}, Drei";502;drei;8c;;
"Student, Test";;;8c;;
"""


def saved(page: Page, name: str, book: str) -> list[list[str]]:
    """The rows of the school's file as it comes back."""
    file = FilePayload(name=name, mimeType="text/csv", buffer=f"\ufeff{book}".encode())
    with page.expect_download() as saving:
        page.locator("#grades-file").set_input_files(file)
    assert saving.value.suggested_filename == name
    text = saving.value.path().read_text(encoding="utf-8-sig")
    return list(csv.reader(text.splitlines(), delimiter=";" if ";" in book else ","))


def test_a_schools_gradebook_gets_our_columns(watched: Watched, server: Server) -> None:
    """As Moodle and Canvas export it, and nothing of it is sent."""
    page, _other, room = as_teacher(server, watched, "grades")
    for lines in (STUDENTS, ANSWERS):
        by_services(server, *lines.format(room=room, names=MADE_UP).splitlines())
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    page.goto(f"/teach/classrooms/{room}/roster/")
    page.locator("#roster summary").first.click()
    page.locator("#list").fill("\n".join(LISTED[:3]))
    page.locator("#fill").click()
    page.locator("#school summary").click()
    head, *rows = saved(page, "moodle.csv", MOODLE)
    assert head[-1].startswith("Lesson 1")
    assert [row[-1] for row in rows] == ["-", "50.0", "100.0"]
    assert [",".join(row[:-1]) for row in rows] == [
        ",".join(row) for row in list(csv.reader(MOODLE.splitlines()))[1:]
    ]
    head, *rows = saved(page, "canvas.csv", CANVAS)
    assert [row[-1] for row in rows] == ["100", "50.0", "100.0", ""]
    expect(page.locator("#roster-notice")).to_contain_text("new file: 2")
    page.locator("#who input").nth(2).fill(SECRET)  # fits several lines
    assert [row[-1] for row in saved(page, "moodle.csv", MOODLE)[1:]] == ["-", "50.0", "-"]
    expect(page.locator("#roster-notice")).to_contain_text("found twice: Quiet Otter")
    page.locator("#grades-file").set_input_files(
        FilePayload(name="x.csv", mimeType="text/csv", buffer=b"no gradebook")
    )
    expect(page.locator("#roster-notice")).to_contain_text("Not a gradebook")
    inspector = Inspector()
    inspector.look(page, "grades for the school's system")
    inspector.approves()
    assert not [each for each in sent if SECRET in each or "c@d.example" in each]
