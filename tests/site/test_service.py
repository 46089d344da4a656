"""The unit file of a server: what systemd understands, and what it can write to."""

from __future__ import annotations

import os
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


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_understands_the_users_own_unit(tmp_path: Path) -> None:
    """As docs/for-it.md has it."""
    text = (ROOT / "docs" / "for-it.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```\n(\[Service\].*?)^```", text, re.MULTILINE | re.DOTALL)
    unit = tmp_path / "xactika.service"
    unit.write_text(block.replace("%h/.local/bin/xactika", "/bin/true"), encoding="utf-8")
    command = ["systemd-analyze", "--user", "verify", "--man=no", "--recursive-errors=no"]
    around = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(
        [*command, str(unit)], env=around, capture_output=True, encoding="utf-8", timeout=60
    )
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
