"""A class comes from a school's system that shows us in a frame, where we have no cookies."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, Playwright, expect

from tests.e2e.conftest import CHROMIUM, FLAGS, guarded, lucky
from tests.scenes.browser import (
    AT_A_TABLE,
    LAPTOP,
    PATIENCE,
    PHONE,
    Inspector,
    Watched,
    button,
    by_services,
    follow,
    new_teacher,
)
from tests.scenes.platform import LEARNER, School, asks_for_link, serving
from tests.server import Server

NO_FOREIGN_COOKIES = "--test-third-party-cookie-phaseout"


@pytest.fixture(scope="module")
def with_lti(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    on = {"XACTIKA_LTI": "1", "XACTIKA_LTI_PRIVATE": "1"}
    with lucky(tmp_path_factory.mktemp("lti"), **on) as running:
        yield running


@pytest.fixture
def strict(playwright: Playwright, with_lti: Server) -> Iterator[Watched]:
    """Browsers that send no cookie to a frame of another site."""
    expect.set_options(timeout=PATIENCE)
    flags = [*FLAGS, NO_FOREIGN_COOKIES]
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
    yield from guarded(chromium, with_lti)
    chromium.close()


@pytest.fixture
def school(strict: Watched, with_lti: Server) -> Iterator[School]:
    """A platform at 127.0.0.1, to which a server at localhost is another site."""
    tool = with_lti.base.replace("127.0.0.1", "localhost")
    with serving(tool) as platform:
        strict.own |= {platform.host, tool.removeprefix("http://")}
        strict.expected = ("404",)  # the platform has no icon
        yield platform


def in_window(page: Page, school: School, who: str) -> Page:
    """The window that the frame's button opens."""
    page.goto(f"{school.issuer}/course?who={who}")
    with page.context.expect_page() as opened:
        page.frame_locator("iframe").get_by_role("link", name="Open").click()
    return opened.value


def test_a_course_becomes_a_class(strict: Watched, school: School, with_lti: Server) -> None:
    inspector, tool = Inspector(), with_lti.base.replace("127.0.0.1", "localhost")
    new = "PlatformInvitation.objects.create().token"
    token = by_services(
        with_lti, "from lessons.models import PlatformInvitation", f"answer = {new}"
    )
    admin = strict.new_page()
    admin.goto(f"{tool}/lti/register/{token}/")
    inspector.look(admin, "by hand")
    admin.goto(f"{school.issuer}/admin?to={tool}/lti/register/{token}/")
    frame = admin.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Connected")).to_be_visible()
    frame.get_by_role("button", name="Done").click()
    expect(admin).to_have_title("org.imsglobal.lti.close")

    early = in_window(strict.new_page(), school, "student-1")
    expect(early.locator("main")).to_contain_text("linked this course with a class yet")
    inspector.look(early, "not linked")

    made = new_teacher(with_lti, "lti")
    cookie = ("sessionid", made["cookie"])
    teacher = in_window(strict.new_page(cookie, base_url=tool), school, "teacher")
    expect(teacher.get_by_role("heading", name="Which class")).to_be_visible()
    inspector.look(teacher, "which class")
    teacher.locator("button[name=class]").first.click()
    expect(teacher).to_have_url(re.compile(r"/teach/classrooms/\d+/$"))

    names = set()
    for top in ("", "&top=1"):
        student = strict.new_page()
        if top:
            student.goto(f"{school.issuer}/course?who=student-1{top}")
        else:
            student = in_window(student, school, "student-1")
        expect(student).to_have_url(f"{tool}/homework/")
        expect(student.locator("main")).to_contain_text(
            "Nothing left to do."
        )  # all of it is there
        names.add(" ".join((student.locator("main").text_content() or "").split()))
    assert len(names) == 1

    school.says = asks_for_link(school)
    teacher = in_window(strict.new_page(cookie, base_url=tool), school, "teacher")
    expect(teacher.get_by_role("heading", name="A link in your course")).to_be_visible()
    inspector.look(teacher, "a link")
    teacher.get_by_label("What does the link open?").select_option("practice:graphs")
    teacher.get_by_role("button", name="Put it into the course").click()
    expect(teacher.get_by_role("heading", name="Linked")).to_be_visible()
    assert school.link

    school.says = {"custom": {"target": "practice:graphs"}}
    school.roster = [{"roles": [LEARNER]} for _member in range(24)]
    teacher = in_window(strict.new_page(cookie, base_url=tool), school, "teacher")
    teacher.get_by_role("link", name="Grades for your course").click()
    expect(teacher.locator("main")).to_contain_text("24 enrolled, 1 came")
    teacher.get_by_role("button", name="Send grades").click()
    expect(teacher.locator("main")).to_contain_text("every ten minutes")
    inspector.look(teacher, "grades")
    assert inspector.found == {}


# A class of two courses.

EACH, IN_BROWSERS = 12, 6
COME = """
from lessons.models import Platform
from tests.scenes.platform import School
for host in {hosts}:
    School(host, "http").course(room)
Platform.objects.update(keys=dict(), fetched=None)
answer = a_session(room).pk
"""
WORK = """
from random import Random
from lessons.assessment import giving
from tests.scenes.assessments import by_chance, sit
from tests.scenes.by_students import finish_round
from tests.scenes.homework import play_board, some_homework
finish_round(room.sessions.get())
homework = some_homework(room, boards=2)
test = giving.open_first(classroom=room, skills=["drawing"], length=8)
rng, students = Random(24), list(room.students.order_by("pk"))
for number in (1, 2):
    for student in students:
        sit(test, student, by_chance(0.6, rng))
    giving.close_test(assessment=test, test=number)
    giving.open_second(assessment=test)
    test.refresh_from_db()
for student in students[::2]:
    play_board(homework, student, 1)
answer = homework.pk, test.pk, dict(room.students.values_list("name", "pk"))
"""
MORE = """
from tests.scenes.homework import play_board
for student in room.students.filter(pk__in={keys}):
    play_board(room.homework.get(), student, 2)
"""
KEPT = """
from lessons.models import Grade
from xactika_site.backup import write_backup
answer = [Grade.objects.filter(member__course__classroom=room).count(),
    room.students.filter(memberships=None).count(), str(write_backup(Path({folder!r})))]
"""


def by_http(school: School, user: str, browser: requests.Session) -> requests.Response:
    """Where a launch leads, at the top of a window."""
    browser.headers["Sec-Fetch-Dest"] = "document"
    page = browser.get(f"{school.issuer}/course?who={user}&top=1").text
    sent = dict(re.findall(r'name="(id_token|state)" value="([^"]*)"', page))
    return browser.post(re.findall(r'action="([^"]*)"', page)[0], sent)


def comes_in(school: School, user: str) -> str:
    """The name of who comes by a launch into the lobby."""
    with requests.Session() as browser:
        page = by_http(school, user, browser)
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]*)"', page.text)[0]
        lobby = browser.post(page.url, {"do": "known", "csrfmiddlewaretoken": token})
        assert "/class/" in lobby.url
    (name,) = re.findall(r"\bContinue as ([^?<]*)\?", page.text.split("<h1")[1])
    return str(name)


@pytest.mark.xdist_group("many browsers")
def test_a_class_of_two_courses(
    strict: Watched, school: School, with_lti: Server, tmp_path: Path
) -> None:
    """24 come at once, six of them in browsers; homework and tests become grades."""
    tool = with_lti.base.replace("127.0.0.1", "localhost")
    made = new_teacher(with_lti, "two courses")
    room = made["classroom"]
    teacher = strict.new_page(("sessionid", made["cookie"]), base_url=tool)

    def services(code: str) -> Any:
        known = ["from pathlib import Path", "from xactika_site.classrooms.models import *"]
        known.append(f"room = Classroom.objects.get(pk={room})")
        return by_services(with_lti, *known, *code.splitlines())

    def in_file(address: str) -> list[dict[str, str]]:
        file = teacher.request.get(f"/teach/{address}.csv").body()
        return list(csv.DictReader(StringIO(file.decode("utf-8-sig"))))

    def scores(kind: str) -> dict[tuple[str, str], list[float]]:
        """All that platforms were told of each student, in the columns of this kind."""
        return {
            (each.host, user): [score["scoreGiven"] for score in told]
            for each in both
            for (url, user), told in each.scores.items()
            if any(item["id"] == url and item["tag"].startswith(kind) for item in each.items)
        }

    def send_grades() -> None:
        teacher.goto(f"/lti/class/{room}/")
        for number in range(2):
            follow(button(teacher, "Send grades").nth(number))
        expect(teacher.locator("main")).not_to_contain_text(re.compile("waiting: [1-9]"))

    with serving(tool) as other, ThreadPoolExecutor(2 * EACH) as pool:
        both, windows, named = (school, other), [], []
        strict.own.add(other.host)
        for each in both:
            each.says = {"name": "unmistakable", "email": "unmistakable@school.test"}
        session = services(COME.format(hosts=[each.host for each in both]))
        everybody = [(each, f"learner-{n}") for n in range(EACH) for each in both]
        rest = pool.map(comes_in, *zip(*everybody[IN_BROWSERS:], strict=True))
        for number, (each, user) in enumerate(everybody[:IN_BROWSERS]):
            page = strict.new_page(viewport=PHONE if number < 2 else LAPTOP)
            windows.append(window := in_window(page, each, user))
            heading = window.get_by_role("heading", name="Continue as").text_content() or ""
            named.append(heading.strip().removeprefix("Continue as ").removesuffix("?"))
            follow(button(window, "Go on"))
        named_users = zip([*named, *rest], everybody, strict=True)
        names = {name: (each.host, user) for name, (each, user) in named_users}
        assert len(names) == 2 * EACH
        services(f"steering.start(session_id={session})")
        for window in windows:
            expect(window).to_have_url(AT_A_TABLE)  # it goes there by itself

        homework, test, keys = services(WORK)
        for each, target in product(both, (f"homework:{homework}", f"test:{test}")):
            each.says["custom"] = {"target": target}
            with requests.Session() as browser:
                opened = by_http(each, "learner-0", browser).url
            assert opened.endswith(f"/{target.partition(':')[2]}/")
        send_grades()
        *_lessons, column = (book := in_file(f"classrooms/{room}/results/grades"))[0]
        assert {row["student"] for row in book} == {*names}
        percents = {names[row["student"]]: [float(row[column])] for row in book}
        begun = {who: each for who, each in percents.items() if each != [0.0]}
        assert [*begun.values()] == [[50.0]] * EACH
        assert scores("homework") == begun
        right = Counter[str]()
        for row in in_file(f"tests/{test}/answers"):
            right[row["Student"]] += int(row["Right"]) * (row["Test"] == "2")
        tested = scores("test")
        assert sorted(tested.values()) == sorted([100 * each / 8] for each in right.values())
        assert len(tested) == 2 * EACH

        # One is deleted, one leaves, one goes on.
        users = {user: name for name, user in names.items()}
        gone, leaves, goes_on, *_others = begun
        services(MORE.format(keys=[keys[users[each]] for each in (gone, leaves, goes_on)]))
        teacher.goto(f"/teach/students/{keys[users[gone]]}/delete/")
        follow(button(teacher, "Delete for good"))
        next(each for each in both if each.host == leaves[0]).left.add(leaves[1])
        send_grades()
        why = re.compile(rf"{users[leaves]} ·\s+isn’t graded in the course, or has left it")
        expect(teacher.locator("main")).to_contain_text(why)
        assert scores("homework") == begun | {goes_on: [50.0, 100.0]}
        assert scores("test") == tested
        stored, without, backup = services(KEPT.format(folder=str(tmp_path)))
        assert (stored, without) == (3 * EACH - 2, 0)
        for file in (Path(backup), with_lti.log):
            assert not re.search(rb"unmistakable|learner-", file.read_bytes())
        assert users[leaves].encode() in Path(backup).read_bytes()
