"""One's own page: points over time, bids one by one, what practice says, puzzles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.analysis.puzzles import puzzles
from games.models import VARIANTS
from games.rules import HAND_SIZE, Variant
from games.study.puzzles.words import KINDS
from lessons import charts
from lessons.questions.practice import ExerciseStanding, by_skill
from lessons.questions.spacing import Try
from lessons.results.bids import bidding
from lessons.results.facts import Facts, SeatResult
from lessons.results.grid import Column, Grid
from lessons.results.inference import Miss
from lessons.results.over_time import trend_tiles
from lessons.results.panels import Panel, dot_sizes
from lessons.results.tiles import Tile
from lessons.results.words import basis, few_rounds_caveat, number, sentences
from xactika_site.dates import dated

LAST = 5
"""Games whose mean is drawn as a line: single ones go up and down by luck."""


def over_time(facts: Facts, tries: Iterable[Try]) -> list[Tile]:
    """Bids, forecasts and what was right at once, day by day, at a glance."""
    misses: dict[date, list[Miss]] = defaultdict(list)
    for played in facts.rounds:
        if played.bid is not None and played.deal.dealt is not None:
            off = Miss(played.deal.table, played.deal.key, played.bid - played.taken)
            misses[localtime(played.deal.dealt).date()].append(off)
    answers: dict[date, list[Miss]] = defaultdict(list)
    for each in tries:
        if each.day is not None:
            answers[each.day].append(Miss(each.day, each.what, int(each.went_well)))
    return trend_tiles.of_days(
        misses,
        bidding.by_day(facts),
        answers,
        panels={"bids": "own-calibration", "forecasts": "own-score", "skills": "practised"},
    )


# Points.


class Game(NamedTuple):
    """One's own rounds of a game that was played, and what seats of its tables average."""

    rounds: tuple[SeatResult, ...]
    usual: Fraction

    @property
    def points(self) -> Fraction:
        """Points a round."""
        return _mean(self.rounds)


def games_of(facts: Facts, variant: str) -> list[Game]:
    """The games of this variant, the first one first."""
    by_table: dict[str, list[SeatResult]] = defaultdict(list)
    for played in facts.rounds:
        if played.deal.variant == variant:
            by_table[played.deal.table].append(played)
    return [
        Game(tuple(rounds), bidding.structural_mean(rounds)) for rounds in by_table.values()
    ]


def points(facts: Facts) -> list[Panel]:
    """Points a round, game by game: a chart for each kind of game, the commonest first."""
    counts = Counter(played.deal.variant for played in facts.rounds)
    return [_points(facts, variant) for variant, _n in counts.most_common()]


def _points(facts: Facts, variant: str) -> Panel:
    games, name = games_of(facts, variant), str(dict(VARIANTS)[variant])
    means = running([game.rounds for game in games])
    numbers = list(range(1, len(games) + 1))
    usual = _("what seats there average")
    if variant == Variant.BID.value:
        usual = _("what seats there average, at most")
    traces = [
        charts.line(numbers, [round(float(g.usual), 3) for g in games], name=usual, dash="dash")
    ]
    if len(games) > LAST:
        traces.append(
            charts.line(
                numbers[LAST - 1 :],
                [round(float(mean), 3) for mean in means[LAST - 1 :]],
                name=_("mean of the last %d games") % LAST,
                colour=charts.DATA,
            )
        )
    traces.append(
        charts.points(
            numbers,
            [round(float(game.points), 3) for game in games],
            name=_("own points a round"),
            sizes=dot_sizes([len(game.rounds) for game in games]),
        )
    )
    figure = charts.figure(traces, x=_("game"), y=_("points a round"), legend=True, every=1)
    if len(games) == 1:  # a line needs two points
        figure["layout"]["shapes"] = [charts.level(float(games[0].usual))]
    rounds = sum(len(game.rounds) for game in games)
    is_lose = variant == Variant.LOSE.value
    return Panel(
        f"own-points-{variant}",
        _("How many points in %(game)s?") % {"game": name},
        _points_sentence(games, means),
        figure,
        Grid(
            _("Points game by game"),
            (
                Column(pgettext("by number", "Game")),
                Column(_("Day"), "text"),
                Column(_("Rounds")),
                Column(_("Points a round"), "1"),
                Column(_("Seats there average"), "1"),
            ),
            tuple(
                (n, _day(game), len(game.rounds), game.points, game.usual)
                for n, game in enumerate(games, 1)
            ),
        ),
        basis(rounds=rounds),
        few_rounds_caveat(rounds)
        or (_("In this game few points are good.") if is_lose else "")
        or _("A larger dot stands for more rounds. Single games go up and down by luck."),
    )


def _points_sentence(games: Sequence[Game], means: Sequence[Fraction]) -> str:
    all_rounds = [played for game in games for played in game.rounds]
    sentence = ngettext(
        "%(points)s points a round on average, in %(n)d game.",
        "%(points)s points a round on average, in %(n)d games.",
        len(games),
    ) % {"points": number(_mean(all_rounds)), "n": len(games)}
    if len(games) < 2 * LAST:
        return sentence
    facts = {"n": LAST, "first": number(means[LAST - 1]), "last": number(means[-1])}
    ends = _("In the first %(n)d of them: %(first)s; in the last %(n)d: %(last)s.")
    return sentences(sentence, ends % facts)


def running(games: Sequence[Sequence[SeatResult]]) -> list[Fraction]:
    """After each game, the mean points a round of the last few."""
    return [
        _mean([played for game in games[max(0, n - LAST) : n] for played in game])
        for n in range(1, len(games) + 1)
    ]


def _mean(rounds: Sequence[SeatResult]) -> Fraction:
    return Fraction(sum(played.points for played in rounds), len(rounds))


def _day(game: Game) -> str:
    dealt = game.rounds[0].deal.dealt
    return dated(localtime(dealt)) if dealt else "–"


# Bids.


def bids(facts: Facts) -> Panel:
    """Each number that was bid, and how often it came true."""
    key, title = "own-bids", _("Which bids come true?")
    groups = bidding.calibration(facts)
    if not groups:
        return Panel(key, title, _("Finished rounds of Play to Bid will fill this."))
    shares = {group.number: Fraction(group.true, group.rounds) for group in groups}
    whole, true = len(facts.bids), sum(group.true for group in groups)
    most = max(groups, key=lambda group: group.rounds)
    figure = charts.figure(
        [
            charts.bars(
                list(range(HAND_SIZE + 1)),
                [float(shares.get(n, 0)) for n in range(HAND_SIZE + 1)],
                text=[_counted(groups, n) for n in range(HAND_SIZE + 1)],
            )
        ],
        x=_("bid"),
        y=_("came true (3/7: three of seven)"),
        percent=True,
        every=1,
        y_range=(0, 1.12),
    )
    figure["layout"]["yaxis"]["tickvals"] = [0, 0.25, 0.5, 0.75, 1]
    sentence = ngettext(
        "%(made)d of %(n)d bid came true.", "%(made)d of %(n)d bids came true.", whole
    )
    sentence %= {"made": true, "n": whole}
    if [group.rounds for group in groups].count(most.rounds) == 1:
        common = _("The commonest bid was %(bid)d: %(true)d of %(all)d came true.")
        figures = {"bid": most.number, "true": most.true, "all": most.rounds}
        sentence = sentences(sentence, common % figures)
    return Panel(
        key,
        title,
        sentence,
        figure,
        Grid(
            _("Bids one by one"),
            (
                Column(_("Bid")),
                Column(_("Rounds")),
                Column(_("Came true")),
                Column(_("Share"), "%"),
                Column(_("Tricks taken, mean"), "1"),
            ),
            tuple((g.number, g.rounds, g.true, shares[g.number], g.mean) for g in groups),
        ),
        basis(rounds=whole),
        few_rounds_caveat(whole) or _("Few rounds stand behind a rare bid: they tell little."),
    )


def _counted(groups: Iterable[bidding.Group], bid: int) -> str:
    own = next((group for group in groups if group.number == bid), None)
    return f"{own.true}/{own.rounds}" if own else ""


# Practice and puzzles.


def practice(standings: Sequence[ExerciseStanding]) -> Panel:
    """What practice says: how many exercises of each skill are known or seen, and which come
    back."""
    seen = sum(each.state == "seen" for each in standings)
    known = sum(each.state == "known" for each in standings)
    again = sum(each.state == "again" for each in standings)
    tried = any(each.tries for each in standings)
    sentence = _("Of %(all)d exercises %(known)d are known, %(seen)d seen.") % {
        "all": len(standings),
        "known": known,
        "seen": seen,
    }
    if again:
        back = ngettext(
            "%d comes back: a mistake that is worth another try.",
            "%d come back: mistakes that are worth another try.",
            again,
        )
        sentence = sentences(sentence, back % again)
    return Panel(
        "own-practice",
        _("What does practice say?"),
        sentence if tried else _("Nothing is practised yet."),
        grid=Grid(
            _("Practice, skill by skill"),
            (
                Column(_("Skill"), "text"),
                Column(_("Known")),
                Column(pgettext("exercises", "Seen")),
                Column(pgettext("exercises", "Come back")),
                Column(_("Exercises")),
            ),
            tuple(
                (str(each.skill.title), each.known, each.seen, each.again, len(each.standings))
                for each in by_skill(standings)
                if each.standings
            ),
        )
        if tried
        else None,
        kind="table",
    )


def solved(numbers: frozenset[int], looked_up: frozenset[int]) -> Panel:
    """The puzzles solved in this browser, by their numbers, and those whose solutions were
    ``looked_up``."""
    kinds = Counter(puzzles()[n].kind for n in numbers)
    by_kind = Counter(puzzles()[n].kind for n in looked_up)
    sentence = ngettext(
        "%d puzzle is solved in this browser.",
        "%d puzzles are solved in this browser.",
        len(numbers),
    ) % len(numbers)
    return Panel(
        "own-puzzles",
        _("Which puzzles are solved?"),
        sentence,
        grid=Grid(
            _("Puzzles by kind"),
            (Column(_("Kind"), "text"), Column(_("Solved")), Column(_("Solution shown"))),
            tuple((str(name), kinds[kind], by_kind[kind]) for kind, name in KINDS.items()),
        )
        if numbers or looked_up
        else None,
        kind="table",
    )
