"""How long the first start of an installed wheel takes, until the first page.

From the repository's root, after ``make wheel``; about a minute and a half, with the network::

    python -m benchmarks.start

Installs the wheel into an environment of its own (not measured), then starts ``xactika`` there
in a new home folder: seconds until ``/`` has answered, until simulations are ready (kernel
compiled), and the same for a second start. Prints JSON lines; ``python_s`` beside them is a
bare start of the same interpreter that imports Django, as a measure of the machine.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from benchmarks.moves import ROOT


def main() -> None:
    wheel = max((ROOT / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory(prefix="xactika-start-") as folder:
        environment, home = Path(folder, "environment"), Path(folder, "home")
        home.mkdir()
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "-q", "--python", sys.executable, environment], check=True)
        install = [*uv, "pip", "install", "-q", "--system-certs", "--python"]
        subprocess.run([*install, environment / "bin" / "python", wheel], check=True)
        began = time.monotonic()
        python = environment / "bin" / "python"
        subprocess.run([python, "-c", "import django.core.handlers.asgi"], check=True)
        python_s = time.monotonic() - began
        for start in ("first", "second"):
            print(json.dumps({"start": start, **measure(environment, home)}), flush=True)
        print(json.dumps({"python_s": round(python_s, 1)}))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def measure(environment: Path, home: Path) -> dict[str, float]:
    """Seconds until the first page and until the kernel is there, from the command on."""
    port = free_port()
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("XACTIKA_", "DATABASE_"))}
    began = time.monotonic()
    process = subprocess.Popen(
        [environment / "bin" / "xactika", "--no-browser"],
        cwd="/",
        env=clean | {"HOME": str(home), "PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=120).close()
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        page = time.monotonic() - began
        while not list(home.rglob("kernel-*/complete")) and time.monotonic() - began < 300:
            time.sleep(0.2)
        return {"page_s": round(page, 1), "kernel_s": round(time.monotonic() - began, 1)}
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
