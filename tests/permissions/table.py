"""The table of permission as it stands in ``rows.txt``, and what its forms say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.accounts.people import SIGN_UP

ROWS = Path(__file__).with_name("rows.txt")
STAGES = ("playing", "ended")
FORMS: dict[str, dict[str, str]] = {
    "/play/": {
        "variant": "bid", "seats": "4", "rounds": "1", "level": "random", "pace": "fast",
    },
    "/join/{code}/": {"do": "known"},
    "/teach/": {"name": "8a"},
    "/teach/classrooms/{classroom}/change/": {"do": "rename", "name": "8a"},
    "/teach/classrooms/{classroom}/copy/": {"name": "8a", "students": "on"},
    "/teach/classrooms/{classroom}/league/": {"do": "open"},
    "/teach/students/{student}/change/": {"do": "phrase"},
    "/teach/shared/{shared}/": SIGN_UP,
    "/teach/invited/{invited}/": SIGN_UP,
    "/teach/start/{first}/": SIGN_UP,
    "/teach/account/delete/": {"password": "a guess"},
    "/teach/account/": {"name": "Eve", "time_zone": "nowhere"},
    "/teach/login/": {"username": "teacher", "password": "a guess"},
    "/teach/sessions/{session}/do/": {"do": "pause"},
    "/teach/sessions/{session}/exercise/do/": {"do": "put:deck-size", "seed": "4"},
    "/teach/sessions/{session}/results/do/": {"do": "charts-on", "next": "/teach/"},
    "/cover/{cover}/": {"do": "question"},
    "/teach/classrooms/{classroom}/cover/": {"do": "save"},
    "/teach/homework/{homework}/do/": {"do": "close"},
    "/teach/tests/{assessment}/do/": {"do": "close:1"},
    "/lessons/stats-table/do/": {"step": "1", "do": "predict", "value": "2"},
    "/lessons/questions/{question}/answer/": {"number": "0"},
    "/lessons/questions/{theirs}/answer/": {"number": "0"},
    "/tables/{friends}/steer/": {"do": "pace:fast"},
    "/tables/{solo}/steer/": {"do": "pace:fast"},
    "/tables/{class}/steer/": {"do": "pace:fast"},
}  # fmt: skip
AT = {"at": "5", "seat": "0"}
"""What a form says that FORMS does not name: from which move on a position is played."""


@dataclass(frozen=True)
class Row:
    """What each gets: ``answers`` by name; all others ``otherwise``."""

    stage: str
    method: str
    address: str
    answers: dict[str, str]
    otherwise: str

    def __str__(self) -> str:
        groups: dict[str, list[str]] = {}
        for who, answer in self.answers.items():
            groups.setdefault(answer, []).append(who)
        told = [f"{answer} {' '.join(who)}" for answer, who in groups.items()]
        return f"{self.method} {self.address}: {'; '.join([*told, self.otherwise])}"


def rows() -> Iterator[Row]:
    """The rows of the table."""
    stage = ""
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            stage = line[3:]
        elif line and not line.startswith("#"):
            what, _, told = line.partition(": ")
            method, address = what.split(" ")
            *groups, otherwise = told.split("; ")
            answers: dict[str, str] = {}
            for group in groups:
                answer, *names = group.split(" ")
                answers |= dict.fromkeys(names, answer)
            yield Row(stage, method, address, answers, otherwise)
