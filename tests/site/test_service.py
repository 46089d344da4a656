"""The unit file of a server: what systemd understands, and what it can write to."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server import ROOT

UNIT = ROOT / "docs" / "xactika@.service"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    """What it does not know it ignores, with a line that says so."""
    unit = tmp_path / UNIT.name
    unit.write_text(
        UNIT.read_text(encoding="utf-8").replace("/opt/xactika/bin/xactika", "/bin/true"),
        encoding="utf-8",
    )
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_all_that_is_written_lies_in_the_state_folder() -> None:
    """The user is made at each start, and may write nowhere else."""
    text = UNIT.read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    assert settings["DynamicUser"] == settings["ProtectHome"] == "yes"
    assert settings["StateDirectory"] == "xactika"
    assert "XACTIKA_DATA=%S/xactika" in settings["Environment"].split()
    assert set(re.findall(r"%\w[\w/]*", text)) <= {
        "%i",
        "%S/xactika",
        "%S/xactika/migrating",
    }
    # Loading compiled simulations maps memory that is written and then run.
    assert "MemoryDenyWriteExecute" not in settings


def test_the_documents_name_the_unit() -> None:
    assert UNIT.name in (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
