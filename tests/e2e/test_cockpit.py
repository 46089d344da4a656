"""A teacher's pages in a real browser: the form, the cockpit, the panel, the projector."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.e2e.classroom import header_of
from tests.scenes import present
from tests.scenes.browser import (
    Inspector,
    Watched,
    as_teacher,
    by_services,
    follow,
    new_teacher,
    open_session,
    students_come,
)
from tests.server import Server

NAMES = ["Quiet Otter", "Brave Bison", "Keen Heron", "Calm Swan", "Merry Seal", "Kind Oak"]
# They come in; one more asks to, and one who was absent wants to return.
STUDENTS = """
from django.utils import timezone
from xactika_site.classrooms import services
from xactika_site.classrooms.models import ClassSession, Student
session = ClassSession.objects.get(pk={session})
Student.objects.create(
    classroom=session.classroom, name="Absent Owl", last_here=timezone.localdate()
)
for name in {names!r}:
    joining.join(session=session, name=name)
sessions.set_flags(session_id=session.pk, needs_approval=True)
session.refresh_from_db()
joining.join(session=session, name="Asking Ant")
services.ask_to_return(session=session, name="Absent Owl")
"""
ASKING = """
from games.models import Result, Seat
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.get(pk={session})
for seat in Seat.objects.filter(table__class_session=session, student__isnull=False):
    played = Result.objects.filter(deal__table=seat.table_id, seat=seat.number)
    played.update(by_person=True, student=seat.student_id)  # as if no bot had
joining.join(session=session, name="Asking Bee")
sessions.set_flags(session_id=session.pk, locked=True)
"""
GONE = """
from datetime import timedelta
from django.utils import timezone
from games.models import Seat
from xactika_site.classrooms.models import Attendance
then = timezone.now() - timedelta(minutes=5)
Seat.objects.filter(table__class_session={session}).update(last_seen=then)
Attendance.objects.filter(class_session={session}).update(last_seen=then)
"""
SEND_OUT = """
first = load_table(load_session({session}).tables[0])
joining.send_out(session_id={session}, student_id=first.people[0].student_id)
"""
PRESS_AS_IT_CHANGES = """() => {
  const root = document.querySelector("[data-live]");
  root.addEventListener("htmx:wsAfterMessage", () => {
    const next = root.querySelector("#do-pause[value=resume]:not([data-pressed])");
    next?.setAttribute("data-pressed", "");
    next?.click();
  });
}"""
"""A second press of “Pause the room”, once it has become “Go on”."""
LET_IN = """
out = next(s for s in load_session({session}).students if s.state == "removed")
joining.let_in(session_id={session}, student_id=out.pk)
"""
PLAY = """
from tests.games.table import moves_made
from tests.scenes.by_students import play_by_students
for number, table_id in enumerate(load_session({session}).tables):
    play_by_students(table_id, moves_made({moves} - 7 * number))
"""


def do(server: Server, code: str, **names: object) -> None:
    by_services(server, *code.format(**names).splitlines())


def test_a_session_from_form_to_end(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, wall, classroom = as_teacher(server, watched, "7b")
    stage = wall.locator("#wall-stage")
    page.goto(f"/teach/classrooms/{classroom}/session/?preset=")
    expect(page.locator("#minutes")).to_contain_text("17 minutes")
    page.get_by_role("group", name="Rounds").get_by_label("8").check()
    expect(page.locator("#minutes")).to_contain_text("35 minutes")
    page.locator(".more > summary").click()
    page.get_by_label("Pace of the bots").select_option("Instant")
    inspector.look(page, "the form, all of it")
    follow(page.get_by_role("button", name="Open the session"))
    inspector.look(page, "the cockpit, empty")
    session = int(page.url.rstrip("/").rpartition("/")[2])
    wall.goto(f"/teach/sessions/{session}/projector/")
    do(server, STUDENTS, session=session, names=NAMES)
    room = page.locator("#room")
    expect(room).to_contain_text("6 here")
    expect(wall.locator("#wall-here")).to_contain_text("6 are here")
    inspector.look(page, "the cockpit, lobby")
    inspector.look(wall, "the wall, lobby")

    page.get_by_role("button", name="Yes Asking Ant").click()
    expect(room).to_contain_text("7 here")
    page.get_by_role("button", name="Form tables first").click()
    tiles = page.locator("#tables > .tile")
    expect(tiles).to_have_count(2)  # without a reload
    expect(tiles.first.locator(".sitters li")).to_have_count(4)
    expect(stage).to_have_attribute("data-stage", "seats")
    inspector.look(wall, "the wall, who sits where")
    follow(page.get_by_role("link", name="Who sits together"))
    inspector.look(page, "who sits together")
    follow(page.get_by_role("button", name="Form these tables"))
    page.get_by_role("button", name="Start the game").press("Enter")
    expect(room).to_contain_text("Playing")
    expect(room).to_be_focused()  # the button is gone, its place is not
    expect(stage).to_have_attribute("data-stage", "play")
    header = header_of(page)
    do(server, GONE, session=session)
    expect(page.locator("#help")).to_contain_text("is away and has the turn")
    inspector.look(page, "the cockpit, tables that need help")

    page.evaluate(PRESS_AS_IT_CHANGES)
    page.get_by_role("button", name="Pause the room").press("Enter")
    expect(page.locator("#do-pause[data-pressed]")).to_have_count(1)
    expect(page.get_by_role("button", name="Go on")).to_be_enabled()
    expect(room).to_contain_text("Paused")  # that press was for what stood there before
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    expect(stage).to_have_attribute("data-stage", "pause")
    assert header_of(page) == header
    inspector.look(wall, "the wall, paused")
    page.get_by_role("button", name="More").click()
    hold = page.get_by_role("button", name="Wait for me before each round")
    hold.press("Enter")
    expect(hold).to_have_attribute("aria-pressed", "true")
    expect(hold).to_be_focused()
    page.keyboard.press("Escape")
    # All devices are away: bots stand in, and play to the end of the round at once.
    page.get_by_role("button", name="Go on").click()
    expect(stage).to_have_attribute("data-stage", "round")
    inspector.look(wall, "the wall, a round over")
    expect(room).to_contain_text("Next round")
    expect(wall.locator("#wall-standings")).to_have_count(0)  # bots have played it all
    assert header_of(page) == header
    do(server, ASKING, session=session)
    expect(room).to_contain_text("2 asking to come in")
    assert header_of(page) == header
    asking, slates = (present(page.locator(id).bounding_box()) for id in ("#people", "#tables"))
    assert asking["y"] + asking["height"] <= slates["y"]  # takes no width from names
    page.get_by_role("button", name="More").click()
    expect(wall.locator("#wall-standings .whose").first).to_be_visible()
    page.get_by_role("button", name="Show names on the wall").click()
    expect(wall.locator("#wall-standings")).to_contain_text("The best of each table")
    expect(wall.locator(".whose")).to_have_count(0)
    inspector.look(page, "the cockpit, its sheet open")
    page.get_by_role("button", name="Finish all games after this round").click()
    expect(stage).to_have_attribute("data-stage", "game")
    close = page.get_by_role("button", name="Close the session")
    expect(close).to_be_in_viewport(ratio=1)
    close.click()
    inspector.look(page, "the cockpit, about to close")
    page.get_by_role("button", name="Close it for good").click()
    expect(stage).to_have_attribute("data-stage", "end")
    expect(room).to_contain_text("Closed")
    expect(page.locator("#sheet-close")).to_be_hidden()
    inspector.look(page, "the cockpit, closed")
    inspector.approves()


def test_the_panel_by_keyboard(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, second, classroom = as_teacher(server, watched, "8a")
    session = open_session(page, classroom)
    do(server, STUDENTS, session=session, names=NAMES[:4])
    expect(page.locator("#room")).to_contain_text("4 here")
    page.get_by_role("button", name="Start the game").click()
    tile = page.locator("#tables").get_by_role("link", name="Table 1", exact=True)
    tile.press("Enter")
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", name="Table 1")).to_be_focused()
    inspector.look(page, "the panel of a table")
    panel.get_by_role("button", name=re.compile("Let a bot play")).first.press("Enter")
    back = panel.get_by_role("button", name="Hand back").first
    expect(back).to_be_focused()  # where the hand was
    # What happens meanwhile leaves the panel as it is.
    page.evaluate("document.querySelector('#panel-title').dataset.same = 'yes'")
    second.goto(f"/teach/sessions/{session}/")
    second.get_by_role("button", name="More").click()
    second.get_by_role("button", name="Lock the lobby").click()
    expect(page.locator("#room")).to_contain_text("The lobby is locked")
    expect(panel.locator("#panel-title")).to_have_attribute("data-same", "yes")
    expect(back).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(tile).to_be_focused()
    # Closed before it is shown what was done in it, the panel does not come up again.
    page.keyboard.press("Enter")
    expect(panel.get_by_role("button", name="Pause the table")).to_be_visible()
    held: list[Route] = []
    page.route("**/tables/**", lambda route: held.append(route))
    with page.expect_request("**/tables/**"):
        panel.get_by_role("button", name="Pause the table").click()
    page.keyboard.press("Escape")
    with page.expect_response("**/tables/**"):
        held.pop().continue_()
    page.unroute("**/tables/**")
    expect(page.locator("#help")).to_contain_text("paused")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Go on Table 1").click()
    expect(page.locator("#help")).not_to_contain_text("paused")
    # A refusal is told where one looks: the other teacher has just closed the session.
    tile.press("Enter")
    expect(back).to_be_visible()
    second.get_by_role("button", name="Close the session").click()
    second.get_by_role("button", name="Close it for good").click()
    expect(page.locator("#room")).to_contain_text("Closed")
    panel.get_by_role("button", name="Pause the table").click()
    expect(panel.locator("#panel-notice")).to_have_text("This session is closed.")
    inspector.look(page, "the panel, refused")
    inspector.approves()


def test_the_charts_of_a_game_push_nothing(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, wall, classroom = as_teacher(server, watched, "8c")
    page.clock.install()
    session = open_session(page, classroom)
    students_come(server, session, [f"Quiet Otter {number}" for number in range(12)])
    charts = page.locator("#in-play")
    expect(charts).to_be_hidden()
    do(server, "steering.start(session_id={session})" + PLAY, session=session, moves=30)
    expect(page.locator("#tables")).to_contain_text("Trick 7 of 8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.locator("#tables")).to_contain_text("Trick 7 of 8")
    assert not any("in-play" in url for url in asked)  # nobody has unfolded them
    page.evaluate("document.querySelector('#notice').textContent = 'Saved.'")
    where = page.locator("#tables").bounding_box()
    charts.get_by_text("The game so far").first.click()
    expect(charts.locator(".plot > svg")).to_have_count(3)
    expect(charts).to_contain_text("No hand is finished yet")
    expect(page.locator("#notice")).to_have_text("Saved.")
    assert page.locator("#tables").bounding_box() == where
    numbers = charts.get_by_text("The numbers")
    numbers.click()
    inspector.look(page, "the cockpit, its charts unfolded")
    # News: what is opened stays open, what has the focus keeps it.
    do(server, PLAY, session=session, moves=36)
    wall.goto(f"/teach/sessions/{session}/")
    wall.get_by_role("button", name="More").click()
    wall.get_by_role("button", name="Lock the lobby").click()
    expect(page.locator("#room")).to_contain_text("The lobby is locked")
    page.clock.fast_forward(5500)
    expect(charts).to_contain_text("Hands finished")
    expect(charts.locator(".plot > svg")).to_have_count(3)
    expect(charts.locator("#in-play-numbers")).to_have_attribute("open", "")
    expect(numbers).to_be_focused()
    # Somebody who reads a chart's numbers keeps it, whatever comes meanwhile.
    first = charts.locator(".plot").first
    first.press("ArrowRight")
    expect(first.locator(".readout")).to_contain_text("finished")
    page.evaluate("document.querySelector('.glance .plot').dataset.same = 'yes'")
    wall.get_by_role("button", name="Lock the lobby").click()
    expect(page.locator("#room")).not_to_contain_text("The lobby is locked")
    asked.clear()
    page.clock.fast_forward(5500)
    assert not any("in-play" in url for url in asked)
    expect(first).to_have_attribute("data-same", "yes")
    first.blur()
    page.clock.fast_forward(5500)
    expect(first).not_to_have_attribute("data-same", "yes")
    # Folded they ask for nothing, and the wall has none.
    charts.get_by_text("The game so far").first.click()
    asked.clear()
    page.get_by_role("button", name="Pause the room").click()
    expect(page.locator("#room")).to_contain_text("Paused")
    page.clock.fast_forward(5500)
    assert not any("in-play" in url for url in asked)
    wall.goto(f"/teach/sessions/{session}/projector/")
    expect(wall.locator("#wall-stage")).to_be_visible()
    assert "in-play" not in wall.content()
    inspector.approves()


def test_what_is_said_goes_with_its_reason(watched: Watched, server: Server) -> None:
    page, _second, classroom = as_teacher(server, watched, "10d")
    session = open_session(page, classroom)
    page.goto(f"/teach/sessions/{session}/settings/")
    page.get_by_role("group", name="Seats").get_by_label("2").check()
    page.locator(".more > summary").click()
    page.get_by_label("The same cards at every table").check()
    # A file that is too long is not even sent, and all else stays chosen.
    upload = page.get_by_label("Your own deals")
    too_long = b" " * 2_000_000
    upload.set_input_files(
        {"name": "deals.json", "mimeType": "application/json", "buffer": too_long}
    )
    line = page.get_by_text("A file of deals is at most 100 KB long.")
    expect(line).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(line).to_be_visible()
    upload.set_input_files([])
    expect(line).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    notice = page.locator("#cockpit > .notice")
    expect(notice).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#room")).to_contain_text("Lobby")
    expect(notice).to_be_empty()

    do(server, STUDENTS, session=session, names=NAMES)
    page.get_by_role("button", name="Form tables first").click()
    first = page.locator("#tables").get_by_role("link", name="Table 1", exact=True)
    expect(first).to_be_visible()
    do(server, SEND_OUT, session=session)
    first.click()
    panel = page.locator("#panel")
    for asks in (panel.locator("#panel-closing > summary"), panel.locator(".asks > *").first):
        before = asks.bounding_box()
        asks.click()
        expect(panel.locator("details[open]")).to_have_count(1)
        assert asks.bounding_box() == before  # nothing moves from under the pointer
        asks.click()
    panel.locator("summary", has_text="From another table").click()
    do(server, LET_IN, session=session)  # and the seat that was free is taken
    panel.locator("details .acts button").last.click()
    refusal = panel.locator("#panel-notice")
    expect(refusal).to_have_text("Table 1 has no free seat.")
    # What comes within a second of an answer is taken for a part of it.
    page.evaluate("Date.now = ((now) => () => now() + 2000)(Date.now)")
    do(server, SEND_OUT, session=session)
    expect(refusal).to_be_empty()  # now there is one, and no button tells
    panel.locator("details .acts button").last.click()
    expect(refusal).to_contain_text("→ Table 1")
    panel.get_by_role("button", name="Undo").click()
    expect(refusal).to_contain_text(re.compile("→ Table [23]"))
    rows = panel.locator(".panel-seats > li").all()
    row = next(each for each in rows if each.locator(".asks").count())
    row.locator(".asks > summary").click()

    def ends() -> list[int]:
        boxes = [present(each.bounding_box()) for each in rows]
        return [round(box["y"] + box["height"]) for box in boxes]

    ended = ends()
    row.get_by_role("button", name=re.compile("Send .* out")).click()
    expect(row.get_by_role("button", name="Let in again")).to_be_focused()
    # Nobody else's button comes below the pointer.
    assert ends() == ended


def test_the_cockpit_works_without_script(watched: Watched, server: Server) -> None:
    made = new_teacher(server, "no script")
    page = watched.new_page(("sessionid", made["cookie"]), java_script_enabled=False)
    session = open_session(page, made["classroom"])
    do(server, STUDENTS, session=session, names=NAMES[:3])
    page.reload()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#room")).to_contain_text("Playing")
    page.locator("#tables").get_by_role("link", name="Table 1", exact=True).click()
    page.locator(".panel-seats summary", has_text="Send out").first.click()
    page.get_by_role("button", name=re.compile("Send .* out")).first.click()
    expect(page.locator(".panel-seats")).to_contain_text("bot")
