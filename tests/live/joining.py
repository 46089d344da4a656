"""Devices that come in, as a browser does it by the form."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPResponse
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from tests.server import Server

OPEN = """
import json
from tests.games.classroom import a_session
session = a_session()
print(json.dumps([session.pk, session.classroom.code]))
"""
COUNT = """
import json
from games.classes.state import load_session
state = load_session({session})
print(json.dumps([sorted(s.name for s in state.here), len(state.absent)]))
"""


def in_django(server: Server, code: str) -> list[object]:
    output = server.manage("shell", "--no-imports", "-c", code)
    answer: list[object] = json.loads(output.splitlines()[-1])
    return answer


def come_in(address: str) -> str:
    """One device: the name that its lobby shows. Somebody quicker may take a name that was
    offered here, too; then there is another one."""
    device = build_opener(HTTPCookieProcessor())
    page = device.open(address).read().decode()
    for _ in range(5):
        with ThreadPoolExecutor(2) as presses:
            answers = list(presses.map(send_form, [device] * 2, [address] * 2, [page] * 2))
        lobbies = {
            found(r'class="my-name">([^<]*)<', lobby)
            for status, lobby in answers
            if status == 200
        }
        if lobbies:
            assert len(lobbies) == 1
            return lobbies.pop()
        page = device.open(address).read().decode()
    raise AssertionError("five names in a row were taken by others")


def send_form(device: OpenerDirector, address: str, page: str) -> tuple[int, str]:
    """Press "Come in" on this page: the status, and the page that one gets."""
    form = {
        "do": "new",
        "offer": found(r'name="offer" value="([^"]*)"', page),
        "csrfmiddlewaretoken": found(r'name="csrfmiddlewaretoken" value="([^"]*)"', page),
    }
    request = Request(address, urlencode(form).encode(), {"Referer": address})
    try:
        answer: HTTPResponse = device.open(request)
    except HTTPError as refused:
        if refused.code != 422:
            raise
        return 422, refused.read().decode()
    return answer.status, answer.read().decode()


def found(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    assert match is not None, page
    return match[1]
