"""How other devices find this server; serving the room's network from one machine."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import ifaddr
import segno
from django.conf import settings
from django.http.request import validate_host
from django.urls import reverse
from django.utils.translation import gettext as _

from xactika_site.locations import COMMANDS, data_folder

# Never sent to: asking the system which of our addresses would be used sends no packet. One of
# the documentation's addresses (any route out), then private ones (a network without a router).
_ELSEWHERE = ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255")


def address_for_others(base: str) -> str:
    """The address at which other devices find this server: as configured, or by the address
    ``base`` by which one browser came; on the room's network never by a name that means one's
    own machine."""
    if settings.BASE_URL:
        return str(settings.BASE_URL)
    is_ours = is_own_machine(base) or base in _before
    return settings.LAN_URL if settings.LAN_URL and is_ours else base


_before: set[str] = set()
"""Where the room found this server before its network changed."""


def serve_the_room_at(url: str) -> None:
    """Let the room find this server there from now on; who came by an earlier address is told
    the new one."""
    if settings.LAN_URL:
        _before.add(settings.LAN_URL)
    _before.discard(url)
    settings.LAN_URL = url


def has_moved() -> bool:
    """Whether the room finds this server elsewhere than it did."""
    return bool(_before)


def shown_address(base: str) -> str:
    """The address at which a class comes in, as typed: without what browsers add themselves."""
    return base.removeprefix("http://").removeprefix("https://") + reverse("join")


def is_own_machine(base: str) -> bool:
    """Whether an address means, on every machine, that machine itself."""
    return urlsplit(base).hostname in {"127.0.0.1", "localhost", "::1"}


class Visitors:
    """Whether another device has reached this computer since the server started. No firewall
    can be tried from inside; that one came is the only proof. Nothing of the device is kept."""

    def __init__(self) -> None:
        self._came = threading.Event()
        self._own = own_addresses()

    @property
    def have_come(self) -> bool:
        """Whether one has."""
        return self._came.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Whether one has come, waited for at most so many seconds."""
        return self._came.wait(seconds)

    def note(self, address: str) -> None:
        """Note that a connection came from there."""
        if self.have_come or address in self._own or address.startswith("127."):
            return
        self._own = own_addresses()  # it may be in another network by now
        if address in self._own:
            return
        self._came.set()
        with suppress(OSError):
            came_file().touch()


@cache
def visitors() -> Visitors:
    """The visitors of this process."""
    return Visitors()


def came_file() -> Path:
    """The file whose date is the last time that another device was the first to come."""
    return data_folder() / "reached"


def firewall_command(port: int) -> str:
    """The line by which whoever may do so lets other devices in to this computer."""
    if sys.platform == "win32":
        return (
            'netsh advfirewall firewall add rule name="Xactika" dir=in action=allow '
            f"protocol=TCP localport={port}"
        )
    if sys.platform == "darwin":  # by program, not by port
        tool, program = "/usr/libexec/ApplicationFirewall/socketfilterfw", sys.executable
        return f'sudo {tool} --add "{program}" && sudo {tool} --unblockapp "{program}"'
    return f"sudo ufw allow {port}/tcp"


def own_addresses() -> frozenset[str]:
    """All of this machine's addresses, of its own and in its networks."""
    every = (address.ip for adapter in ifaddr.get_adapters() for address in adapter.ips)
    return frozenset(ip if isinstance(ip, str) else ip[0] for ip in every)


def own_address() -> str | None:
    """This machine's address on the network that it is in; None if it is in none."""
    addresses = (*_addresses_by_routes(), *_addresses_by_interfaces())
    return next((address for address in addresses if not address.startswith("127.")), None)


def _addresses_by_routes() -> Iterator[str]:
    """The addresses from which this machine would send to somewhere else."""
    for elsewhere in _ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
                yield str(probe.getsockname()[0])
            except OSError:
                continue


def _addresses_by_interfaces() -> Iterator[str]:
    """The addresses that this machine has on its networks: one of our own making (a hotspot)
    has no route to elsewhere."""
    for address in sorted(own_addresses()):
        # What a machine gives itself where nobody else does (169.254.x.x) leads nowhere.
        if ":" not in address and not address.startswith("169.254."):
            yield address


def no_network_words() -> str:
    """The line that ends the start where the room cannot be served."""
    return _(
        "no network: connect this machine to the room's, or name its address there, like "
        "%(command)s"
    ) % {"command": f"{COMMANDS.room_at} 192.168.1.5"}


def contradictions(address: str, base_url: str, allowed_hosts: Iterable[str]) -> list[str]:
    """A line for each setting under which devices in the room would not find this machine."""
    lines = []
    if base_url and urlsplit(base_url).hostname != address:
        lines.append(
            _(
                "XACTIKA_BASE_URL says %(base)s: join links and QR codes lead there, not to "
                "%(address)s"
            )
            % {"base": base_url, "address": address}
        )
    if not validate_host(address, list(allowed_hosts)):
        lines.append(
            _("XACTIKA_ALLOWED_HOSTS does not name %(address)s: who comes by it is refused")
            % {"address": address}
        )
    return lines


@lru_cache(maxsize=50)
def qr_svg(url: str) -> str:
    """A QR code as an SVG, dark on light in either theme, unstyled; empty without a URL."""
    if not url:
        return ""
    return str(
        segno.make(url, error="m", micro=False).svg_inline(
            omitsize=True, border=3, dark="#000", light="#fff", svgclass="qr", lineclass=None
        )
    )


def qr_in_terminal(url: str) -> str:
    """A QR code in characters, two rows to a line; dark on light also in a dark terminal."""
    rows = [[bool(dot) for dot in row] for row in segno.make(url, micro=False).matrix]
    edge = 2
    width = len(rows[0]) + 2 * edge
    blank = [False] * width
    padded = [blank] * edge + [[False] * edge + row + [False] * edge for row in rows]
    padded += [blank] * (edge + len(padded) % 2)
    half = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(padded[::2], padded[1::2], strict=False)
    return "\n".join(
        "  " + "".join(half[above, below] for above, below in zip(*pair, strict=True))
        for pair in pairs
    )
