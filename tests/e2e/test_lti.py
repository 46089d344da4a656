"""A class comes from a school's system that shows us in a frame, where we have no cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.e2e.conftest import CHROMIUM, FLAGS, guarded, lucky
from tests.scenes.browser import Inspector, Watched, by_services, new_teacher
from tests.scenes.platform import School, serving
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
    expect.set_options(timeout=30_000)
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
        names.add(student.locator("main").inner_text())
    assert len(names) == 1
    assert inspector.found == {}
