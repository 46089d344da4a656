"""Below the floor: one plain page in words, never a broken table."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.server import ROOT

PLAY = {
    "variant": "bid",
    "seats": "4",
    "rounds": "8",
    "level": "tip-wikipedia",
    "pace": "normal",
}


@pytest.mark.parametrize(
    ("because", "says"),
    [
        ("", "Will my device work?"),
        ("old", "This browser is too old"),
        ("scripts", "Scripts are switched off"),
        ("cookies", "This browser sent no cookie back"),
        ("<b>", "Will my device work?"),
    ],
)
def test_the_page_says_why_one_is_there(client: Client, because: str, says: str) -> None:
    page = client.get("/device/", {"because": because}).content.decode()
    assert re.search(rf"<h1>{re.escape(says)}", page)
    for needed in ("109 or newer", "Firefox 128 or newer", "iPadOS 15.6 or newer", "cookies"):
        assert needed in page
    assert 'href="/learn/"' in page
    assert not client.cookies


def test_what_old_browsers_read_is_old(client: Client) -> None:
    """One word that a browser cannot read, and it reads nothing."""
    static = ROOT / "games" / "static" / "games"
    for name in ("floor.js", "settings.js"):
        script = re.sub(r"//.*", "", (static / name).read_text(encoding="utf-8"))
        new = r"=>|`|\?\.|\?\?|\b(?:const|let|class|import|async)\b"
        assert re.findall(new, script) == [], name
    style = re.sub(r"/\*.*?\*/", "", (static / "plain.css").read_text(encoding="utf-8"))
    assert (
        re.findall(
            r"var\(|grid|flex|:is|:has|:where|inline-(?!block)|block-|min\(|max\(", style
        )
        == []
    )
    page = client.get("/device/").content.decode()
    assert re.findall(r"<(?:main|nav|header|footer|section|dialog|details)", page) == []
    assert "module" not in page


@pytest.mark.django_db
def test_a_form_without_any_cookie_is_told_of_cookies() -> None:
    browser = Client(enforce_csrf_checks=True)
    refused = browser.post("/play/", PLAY)
    assert refused.status_code == 403
    assert "This browser sent no cookie back" in refused.content.decode()
    browser.get("/play/")
    stale = browser.post("/play/", PLAY)
    assert stale.status_code == 403
    assert "Please send that again" in stale.content.decode()


@pytest.mark.django_db
def test_a_table_without_scripts_or_cookies_is_words(client: Client) -> None:
    address = client.post("/play/", PLAY).headers["Location"]
    table = client.get(address).content.decode()
    assert (
        '<noscript><meta http-equiv="refresh" content="0; url=/device/?because=scripts">'
        in (table)
    )
    assert 'data-device="/device/"' in table
    stranger = Client()
    refused = stranger.get(address)
    assert refused.status_code == 404
    assert "/device/?because=cookies" in refused.content.decode()
    stranger.get("/play/")
    refused = stranger.get(address)
    assert refused.status_code == 404
    assert "because=cookies" not in refused.content.decode()


@pytest.mark.django_db
def test_other_pages_keep_a_notice_ready(client: Client) -> None:
    home = client.get("/").content.decode()
    assert 'id="floor-notice" class="floor-notice" hidden' in home
    assert "data-device" not in home
    assert "/device/?because=scripts" in home
