"""The deck as a file for a printer: read back from it, on both papers. What was played with it
is typed in; and a session's boards are played beforehand."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.rules import DECK
from games.tables.dealing import printed_deals
from tests.scenes.browser import (
    Inspector,
    Watched,
    as_teacher,
    by_services,
    open_session,
    students_come,
)
from tests.server import Server

CODES = {each.code for each in DECK}


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_the_deck_is_read_back_from_its_pdf(watched: Watched, tmp_path: Path) -> None:
    inspector = Inspector()
    page = watched.new_page()
    page.goto("/paper/")
    inspector.look(page, "the deck on paper")
    for size in ("A4", "Letter"):
        file = tmp_path / f"{size}.pdf"
        file.write_bytes(page.pdf(format=size, prefer_css_page_size=False))
        text = subprocess.run(
            ["pdftotext", "-layout", str(file), "-"],
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        sheets = text.split("\f")[:-1]
        assert len(sheets) == 19  # nine of cards, nine of backs, one to write on
        found = [re.findall(r"\b[123]{4}\b", sheet) for sheet in sheets]
        assert [len(codes) for codes in found] == [9, 0] * 9 + [0]
        assert {code for codes in found for code in codes} == CODES
        assert text.count("not the published game") == 10
    page.goto("/paper/slips/?set=7")
    inspector.look(page, "slips")
    inspector.approves()


def test_a_paper_table_is_typed_in_by_keyboard(watched: Watched, server: Server) -> None:
    watched.expected = ("a status of 422",)
    inspector = Inspector()
    page, _other, classroom = as_teacher(server, watched, "On paper")
    session = open_session(page, classroom)
    students_come(server, session, ["Quiet Otter", "Loud Lark"])
    page.goto(f"/teach/sessions/{session}/results/")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Enter scores from paper").click()
    page.get_by_role("combobox", name="Player 2").select_option("Quiet Otter")
    page.get_by_role("textbox", name="Round 1 Player 1 Bid").focus()
    for number in "1", "1", "2", "3", "3", "4", "3", "1":
        page.keyboard.type(number)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the form is sent from any of its boxes
    expect(page.get_by_role("alert")).to_have_text("Round 1: the tricks add up to 9, not to 8.")
    inspector.look(page, "a sum that cannot be")
    page.get_by_role("textbox", name="Round 1 Player 4 Taken").fill("0")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="No name, Quiet Otter, No name, No name").click()
    expect(page.get_by_role("textbox", name="Round 1 Player 3 Taken")).to_have_value("4")
    inspector.look(page, "a table to correct")
    page.goto(f"/teach/sessions/{session}/results/")
    expect(page.locator("#results .state").first).to_contain_text("Finished rounds: 1")
    inspector.approves()


def test_the_teacher_plays_boards_beforehand(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, _other, classroom = as_teacher(server, watched, "Beaten")
    session = open_session(page, classroom)
    deals = [{"dealer": n, "hands": hands} for n, hands in printed_deals(7, seats=4).values()]
    page.goto(f"/teach/sessions/{session}/beforehand/")
    inspector.look(page, "nothing prepared")
    by_services(
        server,
        "from games.models import SessionSettings",
        f"SessionSettings.objects.filter(class_session={session}).update(",
        f"    duplicate=True, deals={deals[:2]!r})",
    )
    page.goto(f"/teach/sessions/{session}/")
    page.locator("[data-opens=sheet-session]").click()
    page.get_by_role("link", name="Beat the teacher").click()
    page.get_by_role("button", name="Play these boards yourself").click()
    expect(page.locator("#hand button, #hand .card").first).to_be_visible()
    page.get_by_role("link", name="Back", exact=True).first.click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    inspector.look(page, "a board begun")
    inspector.approves()
