"""The one door for live tables: JSON for programs, HTML fragments for browsers.

The seat comes from how the connection was let in, never from a message. docs/protocol.md.
"""

from __future__ import annotations

import json
import logging
import re
from collections import deque
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from importlib import import_module
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.classes.state import lobby_from
from games.classes.viewers import SessionViewer, session_viewer
from games.live.connections import Connection, do_aside, in_database, run_at_door
from games.live.gestures import Gesture
from games.live.hub import hub
from games.live.rooms import SEEN_EVERY
from games.models import Table
from games.tables import announcements, fragments, moves, seats, steering
from games.tables.reactions import Reaction
from games.tables.refusals import Refusal, Rejected
from games.tables.viewers import (
    GUEST_COOKIE,
    Viewer,
    find_browser,
    find_guest,
    has_lost_a_seat,
    viewer_by_browser,
    viewer_by_token,
)
from xactika_site import health, languages, metrics
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import NotFound, SignIn, Teacher
from xactika_site.classrooms.services import mark_here
from xactika_site.clients import bearer_token, cache_client, client_of
from xactika_site.lanes import Busy
from xactika_site.logs import count_line

log = logging.getLogger("xactika.sockets")

MAX_MESSAGE_BYTES = 4096
MOST_AT_ONE_PLACE = 20
"""Sockets and lines that a browser or token may have open at one table or session; of more the
oldest ends."""
MAX_MESSAGES_A_SECOND = 120
CLOSE_AT_MESSAGES_A_SECOND = 600
NOT_FOUND, TOO_FAST, TRY_AGAIN_LATER = 4404, 1008, 1013
JUST_SEEN = timedelta(seconds=SEEN_EVERY)

_TURN = re.compile(r"[0-9]{1,2}\.[0-9]{1,3}")


class Request(StrEnum):
    """What a client at a table may ask for."""

    MOVE = "move"
    NEXT = "next"
    STAND_IN = "stand_in"
    TAKE_BACK = "take_back"
    REACT = "react"


class _Consumer(AsyncConsumer):
    """A socket without a channel of its own: the hub is its only source."""

    is_html = True
    _place: tuple[str, str] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket from its opening to its end."""
        self.scope = scope
        self.base_send = send
        self.is_closed = False
        self._arrivals: deque[float] = deque(maxlen=CLOSE_AT_MESSAGES_A_SECOND)
        accepted = self.headers.get(b"accept-language", b"").decode("latin-1")
        translation.activate(languages.wished(self.cookies, accepted))  # of this task
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                try:
                    if message["type"] == "websocket.connect":
                        self.client = client_of(self.headers)
                        self.query = parse_qs(scope["query_string"].decode("latin-1"))
                        await self.base_send({"type": "websocket.accept"})
                        await self.connect()
                    elif not self.is_closed:
                        await self.receive(message)
                except Busy:  # clients come back after a 1013
                    await self.close(TRY_AGAIN_LATER)
                except Exception as error:
                    if not health.log_if_fault(error):
                        raise
                    await self.send_unavailable()
        finally:
            self._give_up_place()
            self.leave()

    def take_place(self) -> None:
        """Count this socket in: of too many of one client at one place the oldest ends."""
        self._place = client_of(self.headers), self.scope["path"]
        here = _open.setdefault(self._place, {})
        here[self] = None
        if len(here) > MOST_AT_ONE_PLACE:
            oldest = next(iter(here))
            del here[oldest]
            do_aside(oldest.close(TOO_FAST))

    def _give_up_place(self) -> None:
        if self._place is not None:
            here = _open.get(self._place, {})
            here.pop(self, None)
            if not here:
                _open.pop(self._place, None)
            self._place = None

    async def connect(self) -> None:
        """Let the client in as whoever its cookie or token says, or tell it ``not_found``."""
        raise NotImplementedError

    async def receive(self, message: dict[str, Any]) -> None:
        """Do what the client asks, or say in a line why not."""
        raise NotImplementedError

    def leave(self) -> None:
        """Let go of what the hub knows of this socket, if anything."""
        raise NotImplementedError

    @property
    def cookies(self) -> dict[str, str]:
        cookies: dict[str, str] = self.scope.get("cookies", {})
        return cookies

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.scope["headers"])

    async def send_text(self, text: str) -> None:
        await self.base_send({"type": "websocket.send", "text": text})

    async def send_not_found(self) -> None:
        """Say that there is nothing here, and close with 4404, after which htmx does not come
        back: forged, forbidden and unknown look alike."""
        if self.is_closed:
            return
        message = _("We can’t find that table, or it isn’t for you.")
        if self.is_html:
            await self.send_text(fragments.notice_html(await self.why_gone() or message))
        else:
            await self.send_text(error_frame(Refusal.NOT_FOUND, message))
        await self.close(NOT_FOUND)

    async def why_gone(self) -> str:
        """Why this browser has nothing here any more, if it ought to know; else empty."""
        return ""

    async def send_unavailable(self) -> None:
        """Close with 1013, after which clients come back: it could not be read who this is."""
        await self.close(TRY_AGAIN_LATER)

    async def close(self, code: int) -> None:
        """End the conversation; whatever still arrives is not read."""
        self._give_up_place()
        self.leave()
        self.is_closed = True
        await self.base_send({"type": "websocket.close", "code": code})

    def is_faster_than(self, messages: int) -> bool:
        """Whether the last so many messages all came within one second."""
        arrivals = self._arrivals
        return len(arrivals) >= messages and arrivals[-1] - arrivals[-messages] < 1


_open: dict[tuple[str, str], dict[_Consumer, None]] = {}
"""Who is let in, the oldest first, by client and place."""


class SessionConsumer(_Consumer):
    """A socket at ``/ws/sessions/<session id>/?view=cockpit|projector|lobby``: to look, and to
    throw solids onto the wall from the lobby."""

    connection: Connection[SessionViewer] | None = None

    async def connect(self) -> None:
        self.session_id = int(self.scope["url_route"]["kwargs"]["session_id"])
        try:
            viewer = await run_at_door(
                self.client,
                find_session_viewer,
                session_id=self.session_id,
                headers=self.headers,
                cookies=self.cookies,
                view=self.query.get("view", [""])[0],
            )
        except NotFound:
            await self.send_not_found()
            return
        if viewer.attendance is not None and not viewer.was_seen(within=JUST_SEEN):
            # Back from sleep, say: here from now on.
            await run_at_door(self.client, mark_here, attendances=[viewer.attendance])
        self.take_place()
        self.connection = Connection(
            viewer, is_html=True, send=self.send_text, close=self.send_not_found
        )
        hub.join_session(self.session_id, self.connection)

    async def receive(self, message: dict[str, Any]) -> None:
        self._arrivals.append(monotonic())
        if self.is_faster_than(MAX_MESSAGES_A_SECOND + 1):
            await self.close(TOO_FAST)
        elif self.connection is not None and (student := self.connection.viewer.student):
            with suppress(Rejected):
                if parse_object(message.get("text")).get("type") == Gesture.THROW:
                    hub.throw(self.session_id, student)

    def leave(self) -> None:
        if self.connection is not None:
            hub.leave_session(self.session_id, self.connection)
            self.connection = None


class TableConsumer(_Consumer):
    """A socket at ``/ws/tables/<table id>/``."""

    connection: Connection[Viewer] | None = None
    student: int | None = None
    """Who was let in, if a class's student."""

    async def connect(self) -> None:
        self.table_id = self.scope["url_route"]["kwargs"]["table_id"]
        self.is_html = self.query.get("format") != ["json"]
        try:
            viewer = await run_at_door(
                self.client,
                find_viewer,
                table_id=self.table_id,
                headers=self.headers,
                cookies=self.cookies,
                place=self.query.get("as", [None])[0],
            )
        except NotFound:
            await self.send_not_found()
            return
        if viewer.seat is not None:
            await run_at_door(
                self.client,
                seats.open_seat,
                table_id=self.table_id,
                seat=viewer.seat,
                program=not (viewer.guest_id or viewer.student_id or viewer.teacher_id),
            )
        self.take_place()
        self.student = viewer.student_id
        self.connection = Connection(
            viewer, is_html=self.is_html, send=self.send_text, close=self.send_not_found
        )
        hub.join(self.table_id, self.connection)

    def leave(self) -> None:
        if self.connection is not None:
            hub.leave(self.table_id, self.connection)
            self.connection = None

    async def send_not_found(self) -> None:
        """Say so and close; a student of a class is told the way to where they belong now."""
        language = self.language  # known as long as the room is
        self.leave()
        with translation.override(language):
            if self.is_html and not self.is_closed and is_our_origin(self.headers):
                address = await run_at_door(
                    self.client, lobby_address, table_id=self.table_id, cookies=self.cookies
                )
                if address:
                    await self.send_text(fragments.way_back_html(address))
            await super().send_not_found()

    async def why_gone(self) -> str:
        """The sentence told to a student whose table was deleted; told, and sent, to whose seat
        another browser has; else empty."""
        if self.student is not None:
            return await run_at_door(
                self.client, deletion_words, table_id=self.table_id, student=self.student
            )
        if not is_our_origin(self.headers) or not await run_at_door(
            self.client, has_lost_seat_by_cookies, table_id=self.table_id, cookies=self.cookies
        ):
            return ""
        news = _(
            "Someone on another device has your seat and sees your cards. Not you? Open your "
            "link again to take it back, and ask for a new one."
        )
        await self.send_text(announcements.live_html([news]))
        return news

    async def send_unavailable(self) -> None:
        """Say that what was asked for was not stored: who is seated stays and may ask again."""
        if self.connection is None:
            await super().send_unavailable()
            return
        with translation.override(self.language):
            message = _("That wasn’t saved. Try again in a moment.")
        await self.refuse(Rejected(Refusal.UNAVAILABLE, message))

    @property
    def language(self) -> str:
        """The code of the language said at the table; of the device, before that is known."""
        room = hub.rooms.get(self.table_id)
        return room.state.language if room and room.state else translation.get_language()

    async def receive(self, message: dict[str, Any]) -> None:
        if self.connection is None:
            return
        with translation.override(self.language):
            try:
                request = self.parsed_request(message)
                await self.carry_out(request, self.connection.viewer)
            except Rejected as refused:
                await self.refuse(refused)
            except NotFound:
                await self.send_not_found()

    def parsed_request(self, message: dict[str, Any]) -> dict[str, Any]:
        """The request in a frame; Rejected with ``bad_message`` or ``too_fast``."""
        self._arrivals.append(monotonic())
        request = parse_message(message.get("text"))
        if self.is_faster_than(MAX_MESSAGES_A_SECOND + 1):
            raise Rejected(Refusal.TOO_FAST, _("Slow down a little."))
        return request

    async def carry_out(self, request: dict[str, Any], viewer: Viewer) -> None:
        table_id, seat = self.table_id, viewer.seat
        here: dict[str, Any] = {"table_id": table_id, "seat": seat, "viewer": viewer}
        match request["type"]:
            case Request.MOVE:
                await in_database(
                    moves.make_move,
                    turn=request["turn"],
                    text=request["move"],
                    guest_id=viewer.guest_id,
                    student_id=viewer.student_id,
                    **here,
                )
            case Request.NEXT:
                await in_database(moves.say_ready, turn=request["turn"], **here)
            case Request.STAND_IN:
                await in_database(
                    steering.ask_stand_in,
                    table_id=table_id,
                    seat=request["seat"],
                    turn=request["turn"],
                    asker=seat,
                    viewer=viewer,
                )
            case Request.REACT:
                if seat is not None:
                    hub.react(table_id, seat, request["reaction"])
            case Request.TAKE_BACK:
                await in_database(steering.take_back, **here)

    async def refuse(self, refused: Rejected) -> None:
        """Answer with the error, then with the present picture."""
        metrics.REFUSALS.one(refused.code)
        if refused.code not in {Refusal.TOO_FAST, Refusal.UNAVAILABLE}:
            kind = "refused", refused.code, refused.reason
            line = f"refused: {refused.reason or refused.code}"
            count_line(log, kind, line, level=logging.INFO)
        if self.is_faster_than(CLOSE_AT_MESSAGES_A_SECOND):
            count_line(log, "closed", "closed a socket that sent too much", level=logging.INFO)
            await self.close(TOO_FAST)
            return
        if self.is_html:
            await self.send_text(fragments.notice_html(str(refused)))
        else:
            await self.send_text(error_frame(refused.code, str(refused), refused.reason))
        if (
            refused.code not in {Refusal.BAD_MESSAGE, Refusal.TOO_FAST}
            and self.connection is not None
        ):
            hub.look_again(self.table_id, self.connection)


def find_viewer(
    *, table_id: str, headers: dict[bytes, bytes], cookies: dict[str, str], place: str | None
) -> Viewer:
    """Who a connection is: a program by its token, else a browser of ours by its cookie.

    Raises NotFound for everything else: no such table, forged, another's, a foreign page.
    """
    token = bearer_token(headers.get(b"authorization", b"").decode("latin-1"))
    if token is not None:
        if b"origin" in headers and not is_our_origin(headers):
            raise NotFound
        token_table, viewer = viewer_by_token(token)
        if token_table != table_id:
            raise NotFound
        return viewer
    if not is_our_origin(headers):
        raise NotFound
    teacher, sign_in = signed_in_teacher(cookies)
    viewer = viewer_by_browser(table_id, find_browser(cookies, teacher), place)
    return replace(viewer, sign_in=sign_in) if viewer.is_teacher else viewer


def has_lost_seat_by_cookies(*, table_id: str, cookies: dict[str, str]) -> bool:
    """Whether this browser had a seat that another one has taken over."""
    return has_lost_a_seat(table_id, find_guest(cookies.get(GUEST_COOKIE)))


def deletion_words(*, table_id: str, student: int) -> str:
    """What became of this student's table, if it was deleted; else empty."""
    if Table.objects.filter(pk=table_id).exists():
        return ""
    if Student.objects.filter(pk=student).exists():
        return _("Your teacher has deleted this session.")
    return _("Your teacher has deleted the class.")


def lobby_address(*, table_id: str, cookies: dict[str, str]) -> str:
    """The address of the lobby where the student at a browser belongs; empty for none."""
    session_id = lobby_from(table_id, find_browser(cookies, AnonymousUser()))
    return reverse("lobby", args=[session_id]) if session_id else ""


def find_session_viewer(
    *, session_id: int, headers: dict[bytes, bytes], cookies: dict[str, str], view: str
) -> SessionViewer:
    """Who looks at a class session; NotFound for everybody else, and for foreign pages."""
    if not is_our_origin(headers):
        raise NotFound
    teacher, sign_in = signed_in_teacher(cookies)
    base = headers.get(b"origin", b"").decode("latin-1")
    viewer = session_viewer(session_id, find_browser(cookies, teacher), view, base)
    return replace(viewer, sign_in=sign_in) if viewer.student is None else viewer


def signed_in_teacher(cookies: dict[str, str]) -> tuple[Teacher, SignIn | None]:
    """Who is signed in at a browser, by its session cookie, and what that rests on."""
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    teacher = get_user(request)
    if key is None or not isinstance(teacher, User):
        return teacher, None
    cache_client(key, f"teacher {teacher.pk}")
    return teacher, SignIn(teacher.pk, key, teacher.get_session_auth_hash())


def is_our_origin(headers: dict[bytes, bytes]) -> bool:
    """Whether the page that opened the socket is this server's own."""
    origin = headers.get(b"origin", b"").decode("latin-1")
    host = headers.get(b"host", b"").decode("latin-1")
    domain, _port = split_domain_port(host)
    if not origin or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    return origin in {settings.BASE_URL, f"http://{host}", f"https://{host}"}


def parse_message(text: str | None) -> dict[str, Any]:
    """The request that a text frame holds, checked for form and nothing else.

    Returns ``type`` and, as the type needs, ``turn`` and ``move`` (str), ``seat`` (int) and
    ``reaction``. Raises Rejected with ``bad_message`` where :func:`parse_object` does, and for
    unknown types, and fields missing or of another kind.
    """
    data = parse_object(text)
    kind = data.get("type")
    if kind not in list(Request):
        raise _bad_message(_("Unknown type of message."))
    request: dict[str, Any] = {"type": kind}
    if kind == Request.REACT:
        if data.get("reaction") not in list(Reaction):
            raise _bad_message(_("Unknown type of message."))
        return {**request, "reaction": Reaction(data["reaction"])}
    misformed = _("A turn is text like 3.17, a move like 1332:2-star, a seat a number.")
    if kind != Request.TAKE_BACK:
        turn = data.get("turn")
        if not isinstance(turn, str) or not _TURN.fullmatch(turn):
            raise _bad_message(misformed)
        request["turn"] = turn
    if kind == Request.MOVE:
        if not isinstance(data.get("move"), str) or len(data["move"]) > 40:
            raise _bad_message(misformed)
        request["move"] = data["move"]
    if kind == Request.STAND_IN:
        seat = data.get("seat")
        if isinstance(seat, str) and re.fullmatch(r"[0-9]{1,2}", seat):
            seat = int(seat)
        if type(seat) is not int:
            raise _bad_message(misformed)
        request["seat"] = seat
    return request


def parse_object(text: str | None) -> dict[str, Any]:
    """The JSON object that a text frame holds. Raises Rejected with ``bad_message`` for binary
    frames (``text`` None), more than 4 KB, broken JSON, and anything else than an object."""
    no_object = _("A message is a JSON object of at most 4 KB, as text.")
    if text is None:
        raise _bad_message(no_object)
    if len(text.encode()) > MAX_MESSAGE_BYTES:
        raise _bad_message(no_object)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _bad_message(no_object) from None
    if not isinstance(data, dict):
        raise _bad_message(no_object)
    return data


def _bad_message(message: str) -> Rejected:
    return Rejected(Refusal.BAD_MESSAGE, message)


def error_frame(code: Refusal, message: str, reason: str | None = None) -> str:
    """The JSON of an error, as programs get it."""
    frame = {"type": "error", "code": code, "message": message}
    return json.dumps(frame if reason is None else {**frame, "reason": reason})
