"""The launcher ``xactika.exe`` as pip makes it on Windows: with the interpreter's path and a
ZIP of what the entry point says."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

from pip._vendor import distlib

MAIN = "import sys\nfrom xactika_site.command import main\nsys.exit(main())\n"


def main() -> None:
    """Write it into the Scripts of the Python in this folder."""
    folder = Path(sys.argv[1])
    launcher = (Path(distlib.__file__).parent / "t64.exe").read_bytes()
    script = io.BytesIO()
    with zipfile.ZipFile(script, "w") as archive:
        archive.writestr("__main__.py", MAIN)
    content = launcher + b"#!<launcher_dir>\\..\\python.exe\r\n" + script.getvalue()
    (folder / "Scripts").mkdir(exist_ok=True)
    (folder / "Scripts" / "xactika.exe").write_bytes(content)


main()
