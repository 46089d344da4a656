"""The server alone, on a database that is ready: ``python -m xactika_site``."""

from __future__ import annotations

import argparse

from xactika_site.locations import translated as _
from xactika_site.serving import serve


def main() -> None:
    """Serve until stopped. PORT (8000) says where; several processes need REDIS_URL."""
    parser = argparse.ArgumentParser(prog="python -m xactika_site")
    parser.add_argument("--host", help=_("the address to serve at (127.0.0.1)"))
    parser.add_argument("--lan", action="store_true", help=_("serve the room's network"))
    arguments = parser.parse_args()
    serve(host=arguments.host, to_the_room=arguments.lan, behind_a_proxy=not arguments.lan)


if __name__ == "__main__":
    main()
