"""What the command makes ready before it serves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xactika_site import command, places


class TestStaticFiles:
    @pytest.fixture
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Where an installed wheel collects those of its version."""
        folder = tmp_path / "static" / "0.2.0-new"
        monkeypatch.setattr(places, "IS_CHECKOUT", False)
        monkeypatch.setattr(places, "static_folder", lambda: folder)
        return folder

    @pytest.fixture
    def calls(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Which commands were called; each leaves what tells that it was done."""
        calls: list[str] = []

        def call(name: str, **_options: object) -> None:
            calls.append(name)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "staticfiles.json").touch()

        monkeypatch.setattr("django.core.management.call_command", call)
        return calls

    def test_they_are_collected_once_a_version(self, folder: Path, calls: list[str]) -> None:
        command.collect_static_files()
        command.collect_static_files()
        assert calls == ["collectstatic"]

    def test_those_of_the_version_before_the_last_go(
        self, folder: Path, calls: list[str]
    ) -> None:
        for age, name in enumerate(["0.1.0-older", "0.1.1-old"]):
            (folder.parent / name).mkdir(parents=True)
            os.utime(folder.parent / name, (age, age))
        command.collect_static_files()
        kept = {path.name for path in folder.parent.iterdir() if path.is_dir()}
        assert kept == {"0.1.1-old", "0.2.0-new"}

    def test_a_folder_that_cannot_be_made_is_named_in_one_line(
        self, folder: Path, calls: list[str]
    ) -> None:
        folder.parent.write_text("a file")
        with pytest.raises(SystemExit, match="cannot be written to"):
            command.collect_static_files()
        assert calls == []
