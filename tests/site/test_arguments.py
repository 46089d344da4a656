"""What commands say of themselves, in the language of commands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import BaseCommand, load_command_class
from django.utils.translation import override, trans_real

from xactika_site import __main__, arguments, command, locations
from xactika_site.locations import translated as words_of

OURS = {
    "purge_expired": "games",
    "demo": "lessons",
    "invite_teacher": "xactika_site.accounts",
    "reset_password": "xactika_site.accounts",
}
"""Those behind ``manage`` that people are told of, by their app."""


@pytest.fixture(autouse=True)
def in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XACTIKA_LANGUAGE", "fr")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Each text that is looked up for the command line."""
    found: set[str] = set()

    def note(text: str) -> str:
        found.add(text)
        return words_of(text)

    monkeypatch.setattr(arguments, "translated", note)
    return found


def _words(text: str) -> str:
    return " ".join(text.split())


def _behind_manage(name: str) -> Callable[[list[str]], object]:
    own = load_command_class(OURS[name], name)
    own._called_from_command_line = True  # type: ignore[attr-defined]
    return own.create_parser("manage.py", name).parse_args


@pytest.mark.parametrize("name", OURS)
def test_no_english_in_the_help_of_a_command(
    name: str, asked: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with override("fr"), pytest.raises(SystemExit):
        _behind_manage(name)(["--help"])
    description = str(load_command_class(OURS[name], name).help)
    assert locations.translated(description) != description
    assert _words(locations.translated(description)) in _words(capsys.readouterr().out)
    catalogue = trans_real.DjangoTranslation("fr")._catalog  # type: ignore[attr-defined]
    known = {text for text in asked if text in catalogue}
    # What a command has said already is French; what argparse and Django add stays English.
    french = {locations.translated(text) for text in known}
    frame = {each.help for each in BaseCommand().create_parser("manage.py", name)._actions}
    assert asked - known - french - frame == set()


def test_the_programs_own_command_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for start, text in (
        (command._run_command, "open no browser"),
        (__main__.main, "serve the room's network"),
    ):
        monkeypatch.setattr("sys.argv", ["xactika", "--help"])
        with pytest.raises(SystemExit):
            start()
        printed = _words(capsys.readouterr().out)
        assert text not in printed
        assert _words(locations.translated(text)) in printed


def test_english_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XACTIKA_LANGUAGE", "en")
    with pytest.raises(SystemExit):
        _behind_manage("reset_password")([])
    assert "error: the following arguments are required: user" in capsys.readouterr().err
