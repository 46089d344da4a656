"""The one style sheet, and the tokens in it."""

from __future__ import annotations

import re
from pathlib import Path

CSS = Path(__file__).resolve().parents[2] / "games" / "static" / "games" / "site.css"


def tokens() -> dict[str, tuple[str, str]]:
    """The colours of both themes, by token."""
    found = re.findall(
        r"--([a-z-]+): var\(--light, (#\w{6})\) var\(--dark, (#\w{6})\)",
        CSS.read_text(encoding="utf-8"),
    )
    return {name: (light, dark) for name, light, dark in found}
