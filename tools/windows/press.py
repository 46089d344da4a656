"""What a person does with the setup, under Wine on a screen of its own: press *Install*, and in
the browser that opens *I know the game*; then a hand is dealt. The demo goes on.

    .venv/bin/python tools/windows/press.py WINE SETUP FOLDER

The browser is Chromium on Linux. Wine hands it the address by ``xdg-open``, here one of ours.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parents[2]
AT_MOST = 600
BUTTON = "xdotool search --sync --onlyvisible --name Xactika.*Setup windowfocus key Return"


def main() -> None:
    wine, setup, folder = sys.argv[1:]
    address, opens = Path(folder) / "address", Path(folder) / "xdg-open"
    address.unlink(missing_ok=True)
    opens.write_text(f'#!/bin/sh\necho "$1" > "{address}"\n', encoding="utf-8")
    opens.chmod(0o755)
    screen = subprocess.Popen(["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, text=True)
    assert screen.stdout is not None
    os.environ["DISPLAY"] = f":{screen.stdout.readline().strip()}"
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    began = monotonic()
    subprocess.Popen([wine, setup])
    subprocess.run(BUTTON.split(), check=True, timeout=AT_MOST)
    while not (address.exists() and address.read_text(encoding="utf-8")):
        assert monotonic() < began + AT_MOST, "no browser was opened"
        sleep(0.2)
    found = address.read_text(encoding="utf-8").strip()
    subprocess.run([sys.executable, "-m", "tests.presses", found], cwd=ROOT, check=True)
    print(f"two presses, and a hand is dealt: {monotonic() - began:.0f} s")
    screen.terminate()


main()
