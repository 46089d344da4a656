"""The game on paper: the deck to cut out, a score sheet, boards dealt by slips; what a class
has played with them, typed in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.classes import paper
from games.classes.paper import PaperRound, ScoreSheet
from games.rules import DECK, MAX_SEATS, MIN_SEATS, Variant, stats_table
from games.rules.scoring import points
from games.tables.dealing import PRINTED_BOARDS, SLIPS, printed_deals
from games.words import signed
from xactika_site.classrooms.selectors import NotFound, as_number, students_of
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits
from xactika_site.randomness import system_rng
from xactika_site.views import teachers_form

A_SHEET = 9
"""Cards of a sheet: three rows of three fit on A4 and on Letter."""

ROUNDS = range(1, 9)
SIZES = range(MIN_SEATS, MAX_SEATS + 1)

Boxes = Mapping[str, list[str]]
"""What is typed into a form, by the boxes' name, row by row."""


@require_safe
def deck(request: HttpRequest) -> HttpResponse:
    """The page of all cards, nine a sheet, with their backs; stats table and score sheet."""
    codes = [card.code for card in sorted(DECK, key=lambda card: (card.value, card.code))]
    context = {
        "sheets": [codes[at : at + A_SHEET] for at in range(0, len(codes), A_SHEET)],
        "backs": range(A_SHEET),
        "stats": stats_table(),
        "rounds": ROUNDS,
        "players": range(6),
    }
    return render(request, "games/paper/deck.html", context)


@require_safe
def slips(request: HttpRequest) -> HttpResponse:
    """The page of slips to deal from a sorted deck by: for each board and seat its eight cards.
    The same number ``set`` gives the same slips again."""
    seats = _number_sent(request.GET, "seats", SIZES, 4)
    boards = _number_sent(request.GET, "boards", PRINTED_BOARDS, 4)
    number = _number_sent(request.GET, "set", range(SLIPS), system_rng.randrange(SLIPS))
    context = {
        "boards": [
            (board, dealer + 1, list(enumerate(hands, start=1)))
            for board, (dealer, hands) in printed_deals(number, seats=seats).items()
            if board <= boards
        ],
        "choices": {"seats": SIZES, "boards": PRINTED_BOARDS},
        "seats": seats,
        "many": boards,
        "set": number,
    }
    return render(request, "games/paper/slips.html", context)


def _number_sent(sent: Mapping[str, str], name: str, among: range, usual: int) -> int:
    """The number sent under this name if it is ``among`` these, else the usual one."""
    asked = digits(sent.get(name, ""), most=5)
    return asked if asked is not None and asked in among else usual


# What was played with it.


@teachers_form
def session_paper(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page to type in a score sheet on, or to correct or delete the one of ``table``."""
    session = session_or_404(request, session_id)
    sheets = paper.score_sheets(session.pk)
    if (table_id := request.GET.get("table", "")) and table_id not in sheets:
        raise NotFound
    blank = ScoreSheet(Variant(session.settings.variant), (None,) * session.settings.seats, ())
    sheet = sheets.get(table_id, blank)
    seats = _number_sent(request.POST or request.GET, "seats", SIZES, len(sheet.students))
    boxes, refused = _box_texts(sheet), ""
    if request.method == "POST":
        boxes = dict(request.POST.lists())
        is_going = table_id and "delete" in boxes
        try:
            typed = None if is_going else _score_sheet(boxes, seats, sheet.variant)
            paper.store(session_id=session.pk, sheet=typed, table_id=table_id)
        except Refused as why:
            refused = str(why)
        else:
            saved = "" if is_going else "?saved"
            return redirect(reverse("session_paper", args=[session.pk]) + saved)
    names = {student.pk: student.name for student in students_of(session.classroom)}
    is_saved = sheets and "saved" in request.GET
    context = {
        "session": session,
        "is_stored": bool(table_id),
        "refused": refused,
        "saved": _total_words(list(sheets.values())[-1], names) if is_saved else "",
        "tables": [(pk, _player_names(each, names)) for pk, each in sheets.items()],
        "names": [(str(pk), name) for pk, name in names.items()],
        **_form_context(boxes, seats, sheet.variant),
    }
    page = "games/paper/session_paper.html"
    return render(request, page, context, status=422 if refused else 200)


def _form_context(boxes: Boxes, seats: int, variant: Variant) -> dict[str, Any]:
    """What the template needs of a score sheet's boxes, row by row."""
    kinds = ["bid", "taken"] if variant is Variant.BID else ["taken"]
    return {
        "seats": seats,
        "sizes": SIZES,
        "kinds": kinds,
        "slips": _row_texts(boxes, "slips", 1)[0],
        "players": list(enumerate(_row_texts(boxes, "student", seats), start=1)),
        "rows": [
            (n, board, [zip(kinds, seat, strict=True) for seat in zip(*parts, strict=True)])
            for n, board in enumerate(_row_texts(boxes, "board", len(ROUNDS)), start=1)
            for parts in [[_row_texts(boxes, kind, seats, n) for kind in kinds]]
        ],
    }


def _player_names(sheet: ScoreSheet, names: Mapping[int, str]) -> list[str]:
    return [names.get(student or 0, _("No name")) for student in sheet.students]


def _total_words(sheet: ScoreSheet, names: Mapping[int, str]) -> str:
    """“name points, …”: what each player of a score sheet has in all."""
    totals = [0] * len(sheet.students)
    for row in sheet.rounds:
        for seat, (bid, taken) in enumerate(zip(row.bids, row.taken, strict=True)):
            totals[seat] += points(sheet.variant, bid=bid, taken=taken or 0)
    players = zip(_player_names(sheet, names), totals, strict=True)
    return ", ".join(f"{name} {signed(total, 0)}" for name, total in players)


def _row_texts(boxes: Boxes, name: str, many: int, row: int = 1) -> list[str]:
    """What stands in a row of so many boxes of this name; nothing where there is none."""
    sent = boxes.get(name, [])[(row - 1) * many : row * many]
    return [*(box.strip() for box in sent), *[""] * (many - len(sent))]


def _score_sheet(boxes: Boxes, seats: int, variant: Variant) -> ScoreSheet:
    """The score sheet in these boxes: to the last round with anything in it. A board's box is
    filled in only where it isn't the round's number."""

    def numbers(name: str, row: int) -> tuple[int | None, ...]:
        return tuple(digits(box, most=2) for box in _row_texts(boxes, name, seats, row))

    rounds = [
        PaperRound(numbers("bid", n), numbers("taken", n), digits(board or str(n), most=2))
        for n, board in enumerate(_row_texts(boxes, "board", len(ROUNDS)), start=1)
    ]
    while rounds and {*rounds[-1].bids, *rounds[-1].taken} == {None}:
        rounds.pop()
    (slips,) = _row_texts(boxes, "slips", 1)
    if slips and digits(slips, most=4) is None:
        raise Refused(_("The number of the slips is printed on each of them."))
    students = (as_number(box) if box else None for box in _row_texts(boxes, "student", seats))
    return ScoreSheet(variant, tuple(students), tuple(rounds), digits(slips, most=4))


def _box_texts(sheet: ScoreSheet) -> Boxes:
    """What stands in the boxes of a score sheet that was typed in."""
    values: dict[str, Iterable[int | None]] = {
        "slips": [sheet.slips],
        "student": sheet.students,
        "board": [row.board for row in sheet.rounds],
        "bid": [bid for row in sheet.rounds for bid in row.bids],
        "taken": [taken for row in sheet.rounds for taken in row.taken],
    }
    return {k: ["" if n is None else str(n) for n in own] for k, own in values.items()}
