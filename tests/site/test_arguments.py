"""The command line's own words, in the language of commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest
from django.core.management import load_command_class
from django.utils.translation import override, trans_real

from xactika_site import __main__, arguments, command, places
from xactika_site.places import said as words_of

OURS = {
    "arena": "games",
    "open_table": "games",
    "purge_expired": "games",
    "rebuild_results": "games",
    "demo": "lessons",
    "invite_teacher": "xactika_site.accounts",
    "reset_password": "xactika_site.accounts",
}
"""Those behind ``manage`` that people are told of, by their app."""


@pytest.fixture(autouse=True)
def in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XACTIKA_LANGUAGE", "fr")
    monkeypatch.setattr(argparse, "_", argparse._)  # type: ignore[attr-defined]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Each text that is looked up for the command line."""
    found: set[str] = set()

    def note(text: str) -> str:
        found.add(text)
        return words_of(text)

    monkeypatch.setattr(arguments, "said", note)
    return found


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
    printed = capsys.readouterr().out
    assert printed.startswith("utilisation\u00a0: manage.py ")
    assert "afficher cette aide" in printed
    assert {"Skip system checks.", "options"} <= asked
    catalogue = trans_real.DjangoTranslation("fr")._catalog  # type: ignore[attr-defined]
    known = {text for text in asked if text in catalogue}
    # What argparse or a command has said already is French.
    french = {text for text in asked if text.startswith("un par place")} | {
        places.said(text) for text in known
    }
    assert asked - known - french == set()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("open_table --seats", "argument --seats\u00a0: une valeur est attendue"),
        ("open_table --seats four", "(int)\u00a0: 'four'"),
        ("open_table --variant all", "choix inconnu\u00a0: 'all'"),
        ("open_table --json=yes", "ne prend pas de valeur"),
        ("open_table --pat 2 --p 3", "option ambiguë\u00a0: --p"),
        ("reset_password", "il manque\u00a0: user"),
        ("arena", "il manque\u00a0: BOT"),
        ("demo --fast", "arguments inconnus\u00a0: --fast"),
    ],
)
def test_what_is_wrong_is_said_in_french(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *rest = line.split()
    with pytest.raises(SystemExit):
        _behind_manage(name)(rest)
    told = capsys.readouterr().err
    assert said in told
    assert f"manage.py {name}\u00a0: erreur\u00a0: " in told


def test_the_programs_own_command_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for start in (command._do, __main__.main):
        for given, said in (("--help", "afficher cette aide"), ("--fast", "--fast")):
            monkeypatch.setattr("sys.argv", ["xactika", given])
            with pytest.raises(SystemExit):
                start()
            told = "".join(capsys.readouterr())
            assert told.startswith("utilisation\u00a0: ")
            assert said in told
            assert "arguments" not in told or "arguments inconnus" in told


def test_english_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XACTIKA_LANGUAGE", "en")
    with pytest.raises(SystemExit):
        _behind_manage("reset_password")([])
    assert "error: the following arguments are required: user" in capsys.readouterr().err
