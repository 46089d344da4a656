"""The first screen of a session's results: a teacher's eight questions, a small chart each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.classes.experiments import Experiment
from games.rules import HAND_SIZE, Variant
from lessons import charts
from lessons.course import markup
from lessons.course.variables import variable
from lessons.exercises.texts import decimal
from lessons.results import inference
from lessons.results.bids import bidding, table_panels
from lessons.results.dealt import dealing
from lessons.results.facts import Facts
from lessons.results.learned.learning import Learning, Success
from lessons.results.learned.predictions import Progress
from lessons.results.panels import Panel, dot_sizes
from lessons.results.points import boards
from lessons.results.session.advice import Advice, open_by_lesson
from lessons.results.taught.taught_lessons import (
    TaughtLesson,
    explanations,
    median_prediction,
    panel_key,
    prediction_list,
    surprise,
    verdict_count,
)
from lessons.results.tiles import Tile
from lessons.results.words import (
    bias_claim,
    half_up,
    hidden_notice,
    lesson_words,
    number,
    one_of,
    percent,
    sentences,
    signed,
    verdict,
)
from lessons.visits.experiments import redrawn, treatment_words
from lessons.visits.predictions import tally, truth_words
from xactika_site.classrooms.privacy import FEWEST

MOST = 8
"""Tiles that a laptop's screen has room for."""

FEWEST_QUESTIONS = 4
"""Of fewer questions it is not said of a student that they need help."""

INSTEAD = {"bids": "expected", "chance": "chance", "mistake": "explained"}
"""What a lesson alone has in the place of what play and exercises would fill."""

CROWD = 40
"""Dots that lie beside each other; more of them are smaller."""


def dashboard(
    facts: Facts,
    learning: Learning,
    lessons: Sequence[TaughtLesson] = (),
    panels: Iterable[Panel] = (),
    *,
    progress: Sequence[Progress] = (),
    experiments: Sequence[Experiment] = (),
    advice: Advice | None = None,
    is_shared: bool = False,
    is_final: bool = False,
) -> tuple[Tile, ...]:
    """What there is to see at a glance: first what stands out, then in the order of the
    questions. ``panels`` are the page's; what is hidden there is hidden here, and on a screen
    that others see nobody's need of help is shown. While a session goes on, what will be filled
    says by what."""
    of = verdict_count(facts, lessons)
    answers = [
        _bids(facts) or _expected(lessons, is_shared=is_shared),
        _chance(facts, of=of) or _dealt(lessons, is_shared=is_shared, of=of),
        None if is_shared else _help(learning),
        None if is_shared else _next(learning, advice),
        _mistake(learning) or _explained(lessons, is_shared=is_shared),
        _board(facts, is_shared=is_shared),
        _sure(facts, of=of),
        _learned(progress) or _skills(learning) or _rounds(facts, is_shared=is_shared),
        next(filter(None, map(_experiment, experiments)), None) or _tip(facts),
        None if is_shared else _tables(facts),
    ]
    tiles, are_hidden = _permitted(filter(None, answers), {p.key: p for p in panels})
    tiles.sort(key=lambda tile: not tile.stands_out)
    if are_hidden:
        tiles.append(Tile("few", _("Fewer than five students"), "", None, hidden_notice()))
    filled = {tile.key for tile in tiles}
    waiting = [
        each
        for each in _waiting(facts, learning)
        if not (is_final or {each.key, INSTEAD[each.key]} & filled)
    ]
    return (*tiles, *waiting)[:MOST]


def _permitted(tiles: Iterable[Tile], panels: Mapping[str, Panel]) -> tuple[list[Tile], bool]:
    """The tiles whose figures the page shows, and whether others are hidden there."""
    shown, are_hidden = [], False
    for tile in tiles:
        panel = panels.get(tile.panel)
        if panel is None:
            shown.append(replace(tile, panel=""))
        elif panel.is_empty:
            are_hidden = True
        else:
            shown.append(replace(tile, summary=tile.summary or panel.summary))
    return shown, are_hidden


def _waiting(facts: Facts, learning: Learning) -> Iterable[Tile]:
    """What nothing has filled yet, and by what it will be."""
    if not facts.bids:
        waits = _("Rounds of Play to Bid will fill this.")
        yield Tile("bids", _("How we bid"), "", None, waits, is_open=True)
    if not facts.deals:
        waits = _("Finished rounds will fill this.")
        yield Tile("chance", _("Data beside theory"), "", None, waits, is_open=True)
    if not learning.attempts:
        waits = _("Answers to exercises will fill this.")
        yield Tile("mistake", _("What went wrong most"), "", None, waits, is_open=True)


# How did we bid?


def _bids(facts: Facts) -> Tile | None:
    ours, interval = bidding.errors(facts.bids), bidding.bias_interval(facts)
    if ours.bias is None:
        return None
    size = half_up(ours.bias, 1)
    is_sure = interval is not None and not interval[0] <= 0 <= interval[1]
    if size > 0:
        ask = _("A table has eight tricks. What do all its bids add up to?")
    elif size < 0:
        ask = _("Which cards took tricks that nobody had counted on?")
    else:
        ask = _("Is a mean of zero good bidding? Look at the spread.")
    if len(facts.sizes) == 1:
        hook = _("By the hook at most %(most)d of %(seats)d bids can come true.")
        ask = sentences(hook % {"most": facts.sizes[0] - 1, "seats": facts.sizes[0]}, ask)
    return Tile(
        "bids",
        bias_claim(ours.bias, interval),
        signed(ours.bias),
        _errors_figure(ours, interval, is_marked=bool(is_sure and size)),
        "",
        "bias",
        ask,
        stands_out=bool(is_sure and size),
    )


def _errors_figure(
    errors: bidding.Errors, interval: tuple[float, float] | None, *, is_marked: bool
) -> charts.Figure:
    """Bid less taken, and over it the mean with its interval; 0 is where bids come true."""
    low, high = min(0, *errors.counts), max(0, *errors.counts)
    steps, most = range(low, high + 1), max(errors.counts.values())
    over = 1.2 * most
    shapes = [charts.upright(0, dash="dot")]
    if interval is not None:
        shapes.append(charts.strip(*interval, upright=True, between=(1.1 * most, 1.3 * most)))
    return charts.small(
        [
            charts.bars(steps, [errors.counts.get(step, 0) for step in steps]),
            charts.points(
                [float(errors.bias or 0)], [over], marked={0} if is_marked else (),
            ),
        ],
        x_ticks=sorted({low, 0, high}),
        shapes=shapes,
    )  # fmt: skip


# Did chance behave?


def _chance(facts: Facts, *, of: int) -> Tile | None:
    """The mean of our cards; or how many hands held a winner, if that is what stands out."""
    figures = {departure.key: departure for departure in dealing.departures(facts)}
    if not figures:
        return None
    rarest = next(iter(figures.values()))
    is_rare = rarest.p_value * of < inference.RARE
    if is_rare and rarest.key == "boss-hands":
        return _winners(rarest, of=of)
    mean = figures["mean-card"]
    is_rare = mean.p_value * of < inference.RARE
    claim = _("Chance behaved")
    if is_rare:
        is_high = mean.observed > mean.expected
        claim = (
            _("Our cards were unusually high") if is_high else _("Our cards were unusually low")
        )
    reach = 2 * mean.standard_error
    return Tile(
        "chance",
        claim,
        number(mean.observed, 2),
        _hands_figure(facts, (dealing.MEAN_VALUE - reach, dealing.MEAN_VALUE + reach)),
        "",
        "hands",
        _("Would twice as many deals come nearer to 8?"),
        stands_out=is_rare,
    )


def _hands_figure(facts: Facts, band: tuple[float, float]) -> charts.Figure:
    """Means of hands over their theory, in halves."""
    totals, chances = dealing.hand_totals(facts.drawn_deals), dealing.total_chances()
    places = range(min(*totals, 52) // 4, max(*totals, 76) // 4 + 1)
    within = [range(4 * place, 4 * place + 4) for place in places]
    middles = [(place + 0.375) / 2 for place in places]
    dealt = sum(totals.values())
    expected = [
        round(float(dealt * sum(chances.get(total, Fraction()) for total in each)), 2)
        for each in within
    ]
    theory = charts.hollow_bars(middles, expected, name=_("theory")) | {"width": 0.44}
    return charts.small(
        [
            charts.bars(
                middles,
                [sum(totals[total] for total in each) for each in within],
                name=_("our hands"),
                width=0.44,
            ),
            theory,
        ],
        overlay=True,
        x_ticks=[7, 8, 9],
        shapes=[charts.strip(*band, upright=True)],
    )


def _winners(departure: dealing.Departure, *, of: int) -> Tile:
    is_high = departure.observed > departure.expected
    reach, expected = 2 * departure.standard_error, float(departure.expected)
    return Tile(
        "chance",
        _("Unusually many winning cards") if is_high else _("Unusually few winning cards"),
        percent(departure.observed),
        charts.small(
            [charts.bars([_("our hands")], [float(departure.observed)], marked={0})],
            percent=True,
            y_range=(0, 1),
            y_ticks=[0, 0.5, 1],
            shapes=[charts.strip(expected - reach, expected + reach), charts.level(expected)],
        ),
        _(
            "%(share)s of our hands hold a card that wins for certain; theory says "
            "%(theory)s: %(far)s."
        )
        % {
            "share": percent(departure.observed),
            "theory": percent(departure.expected),
            "far": verdict(departure.p_value, of=of),
        },
        "hands",
        _("Which nine cards are these, and why can nothing beat them?"),
        stands_out=True,
    )


def _dealt(lessons: Sequence[TaughtLesson], *, is_shared: bool, of: int) -> Tile | None:
    """What the class dealt in a lesson, beside theory: the rarest."""
    rows = [
        (departure.p_value, each, place, departure)
        for each in lessons
        for place, departure in each.departures.items()
        if not (is_shared and each.dealers(each.lesson.steps[place - 1]) < FEWEST)
    ]
    if not rows:
        return None
    p_value, taught, place, departure = min(rows, key=lambda row: row[0])
    step = taught.lesson.steps[place - 1]
    data, counted = taught.pooled(step), variable(step.chart)
    assert data is not None
    labels = [str(name) for name in counted.categories]
    is_rare = p_value * of < inference.RARE
    return Tile(
        "chance",
        _("Chance was off in our deals") if is_rare else _("Chance behaved"),
        percent(departure.observed),
        charts.small(
            [
                charts.bars(labels, data.counts, name=_("the class’s deals")),
                charts.hollow_bars(
                    labels,
                    [round(float(share) * data.hands, 2) for share in counted.shares],
                    name=_("in theory"),
                ),
            ],
            overlay=True,
        ),
        "",
        panel_key(taught.place, place),
        _("Would twice as many hands come nearer?"),
        stands_out=is_rare,
        note=_("“%(what)s”; theory says %(share)s")
        % {"what": departure.key, "share": percent(departure.expected)},
    )


# Who needs help, and with what?


def needs_help(success: Success) -> bool:
    """Whether fewer than half of a student's questions, four at least, were right at once."""
    return success.questions >= FEWEST_QUESTIONS and 2 * success.at_once < success.questions


def _help(learning: Learning) -> Tile | None:
    """A dot a student, by the share right at once, nameless; those who need help marked."""
    every = [learning.of_student(pk).success for pk in learning.students]
    if not every:
        return None
    every.sort(key=lambda each: (each.share or 0, -each.questions))
    some = sum(map(needs_help, every))
    shares = [float(each.share or 0) for each in every]
    return Tile(
        "help",
        ngettext("%d student needs help", "%d students need help", some) % some
        if some
        else _("Nobody needs help so far"),
        _("%(some)d of %(all)d") % {"some": some, "all": len(every)},
        charts.small(
            [
                charts.points(
                    list(range(1, len(every) + 1)),
                    shares,
                    sizes=[
                        (9 if len(every) <= CROWD else 5)
                        - 3 * (each.questions < FEWEST_QUESTIONS)
                        for each in every
                    ],
                    marked={n for n, each in enumerate(every) if needs_help(each)},
                )
            ],
            percent=True,
            y_range=(-0.07, 1.07),
            y_ticks=[0, 0.5, 1],
            shapes=[
                charts.level(0.5) | {"line": {"color": charts.SOFT, "width": 1, "dash": "dash"}}
            ],
        ),
        _(
            "A dot a student: the share right at once. Marked: fewer than half of %d questions "
            "or more."
        )
        % FEWEST_QUESTIONS,
        "students",
        stands_out=some > 0,
    )


def _next(learning: Learning, advice: Advice | None) -> Tile | None:
    """The lesson to teach next, and how many mistakes each lesson would treat."""
    if advice is None:
        return None
    treated = {
        lesson: sum(each.open for each in mistakes)
        for lesson, mistakes in open_by_lesson(learning).items()
    }
    title, why = f"{lesson_words(advice.lesson)}.", sentences(advice.reason, advice.before)
    tile = Tile(
        "next", advice.words, "", None, "", page=advice.page, note=sentences(title, why)
    )
    if advice.lesson not in treated:
        return tile
    first = sorted(treated, key=lambda lesson: (-treated[lesson], lesson))[:4]
    order = [*(lesson for lesson in first[::-1] if lesson != advice.lesson), advice.lesson]
    bars = charts.lying(
        [_("Lesson %d") % lesson for lesson in order],
        [treated[lesson] for lesson in order],
        text=[str(treated[lesson]) for lesson in order],
        marked={len(order) - 1},
    )
    told = _("Bars: mistakes still open, by lesson.")
    note = sentences(title, advice.before, told)
    return replace(tile, figure=charts.small([bars]), summary=why, note=note)


def _mistake(learning: Learning) -> Tile | None:
    """The commonest mistakes: made, and still open."""
    if not learning.attempts:
        return None
    if not learning.misconceptions:
        return Tile("mistake", _("No misconception has been recognised so far."), "0", None, "")
    found = learning.misconceptions[:6]
    first = found[0]
    names = [each.misconception.title for each in found]
    is_open = first.open >= FEWEST and 2 * first.open > first.met
    return Tile(
        "mistake",
        first.misconception.title,
        _("%(some)d of %(all)d") % {"some": first.students, "all": first.met},
        charts.small(
            [
                charts.bars(
                    names,
                    [each.students for each in found],
                    name=_("Students"),
                    colour="--tint",
                ),
                charts.bars(
                    names,
                    [each.open for each in found],
                    name=_("Still open"),
                    marked={0} if is_open else (),
                ),
            ],
            overlay=True,
            x_labels=False,
        ),
        "",
        "misconceptions",
        _("Who can explain the mistake?"),
        stands_out=is_open,
    )


# What happened at that board?


def _board(facts: Facts, *, is_shared: bool) -> Tile | None:
    """The share of bids that came true, a bar a board, the worst named."""
    found = boards.boards(facts)
    if len(found) < 2 or (is_shared and min(board.students for board in found) < FEWEST):
        return None
    several = len({board.game for board in found}) > 1
    labels = [f"{b.game}·{b.number}" if several else str(b.number) for b in found]
    worst = boards.worst(found)
    names = [label for label, board in zip(labels, found, strict=True) if board in worst]
    is_rare = boards.worst_p_value(facts) < inference.RARE
    claim = _("No board stands out")
    if len(worst) <= 2 and len(worst) < len(found):
        claim = _("Board %s went worst") % one_of(names)
    return Tile(
        "board",
        claim,
        percent(worst[0].share),
        charts.small(
            [
                charts.bars(
                    labels,
                    [float(board.share) for board in found],
                    marked={n for n, board in enumerate(found) if board in worst}
                    if len(worst) <= 2
                    else (),
                )
            ],
            percent=True,
            y_range=(0, 1),
            y_ticks=[0, 0.5, 1],
        ),
        _("The share of bids that came true, board by board."),
        "same-hand",
        _("What did the tables do differently with the same cards?"),
        stands_out=is_rare,
    )


def _tables(facts: Facts) -> Tile | None:
    """Tables side by side: the mean of bid less taken."""
    tables = table_panels.table_bids(facts)
    if len(tables) < 2:
        return None
    far = table_panels.farthest_off(tables)
    return Tile(
        "tables",
        table_panels.table_sentence(far),
        signed(far[0].bias),
        charts.small(
            [
                charts.bars(
                    [table.label for table in tables],
                    [float(table.bias) for table in tables],
                    marked={n for n, table in enumerate(tables) if table in far},
                )
            ]
        ),
        "",
        "tables",
        _("What made this table bid so?"),
    )


# How sure were we?


def _sure(facts: Facts, *, of: int) -> Tile | None:
    groups = (
        bidding.calibration_bins(facts, rare=inference.RARE / of) if facts.forecasts else ()
    )
    if not groups:
        return None
    likely, off = bidding.likely_reliability(facts), bidding.farthest_off(groups)
    if likely is None:
        claim = _("Nothing was called likely")
    elif off is not None:
        claim = _("We were too sure") if off.is_too_sure else _("We could have been surer")
    elif abs(likely.gap) < bidding.NEAR:
        claim = _("Forecasts held up")
    else:
        claim = _("Forecasts off, maybe by luck")
    seen = [group for group in groups if group.high]
    means = [float(group.mean) for group in seen]
    return Tile(
        "sure",
        claim,
        f"{percent(likely.mean)} → {percent(likely.true)}" if likely else "",
        charts.small(
            [
                charts.line([0, 1], [0, 1], name=_("a forecast that holds")),
                charts.spans(means, [group.band for group in seen]),
                charts.points(
                    means,
                    [float(group.true) for group in seen],
                    sizes=[0.6 * size for size in dot_sizes([group.count for group in seen])],
                    marked={n for n, group in enumerate(seen) if group is off},
                ),
            ],
            percent=True,
            x_percent=True,
            x_range=(-0.03, 1.03),
            y_range=(-0.05, 1.05),
            x_ticks=[0, 0.5, 1],
            y_ticks=[0, 0.5, 1],
        ),
        "",
        "forecasts",
        _("When did you say 50\u00a0%, and what happened?"),
        stands_out=off is not None,
    )


# Did the tip pay?


def _tip(facts: Facts) -> Tile | None:
    """The tricks that hands took by what the printed tip says of them; nothing where all were
    to take none."""
    if all(deal.variant == Variant.LOSE.value for deal in facts.deals):
        return None
    pairs, groups = bidding.tip_pairs(facts), bidding.tip_groups(facts)
    bias = bidding.errors(pairs).bias
    if bias is None:
        return None
    interval = inference.mean_interval(
        inference.Miss(played.deal.table, played.deal.key, said - taken)
        for played, (said, taken) in zip(facts.rounds, pairs, strict=True)
    )
    size = half_up(bias, 1)
    claim = _("The tip isn’t clearly off")
    if size and interval is not None and not interval[0] <= 0 <= interval[1]:
        claim = _("The tip bids %s too high") if size > 0 else _("The tip bids %s too low")
        claim %= number(abs(size))
    means = [float(group.mean) for group in groups]
    return Tile(
        "tip",
        claim,
        signed(bias),
        charts.small(
            [
                charts.line([0, HAND_SIZE], [0, HAND_SIZE], name=_("if the tip were right")),
                charts.points(
                    [group.number for group in groups],
                    means,
                    name=_("tricks taken"),
                    sizes=[0.6 * size for size in dot_sizes([g.rounds for g in groups])],
                ),
            ],
            x_range=(-0.3, 8.3),
            y_range=(-0.3, 8.3),
            x_ticks=[0, 4, 8],
            y_ticks=[0, 4, 8],
        ),
        "",
        "tip",
        _("Which hands does the tip misjudge?"),
    )


def _experiment(experiment: Experiment) -> Tile | None:
    """What the tables of a finished experiment came to, by what they were told."""
    difference = experiment.difference
    if not experiment.is_over or difference is None:
        return None
    better = treatment_words(experiment, is_a=difference > 0)
    drawn = redrawn(experiment)
    sides = [(False, 2), (True, 1)]
    dots = [
        (place, float(outcome.mean), outcome.is_a)
        for is_a, place in sides
        for outcome in experiment.counted
        if outcome.is_a is is_a and outcome.mean is not None
    ]
    return Tile(
        "tip",
        _("“%(what)s” paid %(points)s more")
        % {"what": better, "points": number(abs(difference), 2)},
        number(abs(difference), 2),
        charts.small(
            [
                charts.points(
                    [place for place, *_rest in dots], [mean for _place, mean, _a in dots]
                )
            ],
            x_range=(0.5, 2.5),
            shapes=[charts.level(0)],
        ),
        "",
        f"experiment-{experiment.game}",
        _("What else could have made the difference?"),
        stands_out=drawn is not None and drawn.is_rare,
    )


# Did we learn?


def _expected(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
    """The prediction of the last lesson that fewest had right."""
    taught = next((each for each in reversed(lessons) if surprise(each)), None)
    hardest = surprise(taught) if taught else None
    if taught is None or hardest is None:
        return None
    step, room = hardest.step, hardest.room
    if is_shared and room.students < FEWEST:
        return None
    if step.whole:
        said = decimal(median_prediction(room))
        if room.students < FEWEST:
            said = prediction_list(room)
        claim = _("We expected %(said)s; it’s %(truth)s") % {
            "said": said,
            "truth": truth_words(step),
        }
        ask = _("Who was far off, and what was the reason?")
    else:
        said = _("%(some)d of %(all)d") % {"some": hardest.right, "all": room.students}
        claim = _("%s expected what’s true") % said
        ask = _("What spoke for the other answers, and what speaks against them?")
    rows = tally(step, room, with_truth=True)
    return Tile(
        "expected",
        claim,
        said,
        charts.small(
            [
                charts.bars(
                    [row.label for row in rows],
                    [row.count for row in rows],
                    marked={n for n, row in enumerate(rows) if row.is_true},
                )
            ],
            x_labels=bool(step.whole),
        ),
        "",
        panel_key(taught.place, hardest.number),
        ask,
        note=markup.plain(step.title),
    )


def _explained(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
    """The explanation of the last lesson that fewest could give at their first try."""
    taught = next((each for each in reversed(lessons) if explanations(each)), None)
    if taught is None:
        return None
    rows = [
        (step, sum(each.at_once for each in done), len(done))
        for step, done in explanations(taught)
        if not (is_shared and len(done) < FEWEST)
    ]
    if not rows:
        return None
    shares = [Fraction(right, count) for _step, right, count in rows]
    hardest = shares.index(min(shares))
    step, right, count = rows[hardest]
    said = _("%(some)d of %(all)d") % {"some": right, "all": count}
    return Tile(
        "explained",
        _("%s could say why at once") % said,
        percent(shares[hardest]),
        charts.small(
            [
                charts.bars(
                    [markup.plain(each.title) for each, *_counts in rows],
                    [float(share) for share in shares],
                    marked={hardest} if len(rows) > 1 else (),
                )
            ],
            percent=True,
            y_range=(0, 1),
            y_ticks=[0, 0.5, 1],
            x_labels=False,
        ),
        "",
        f"lesson-{taught.place}-steps",
        _("Who can put the reason into their own words?"),
        note=markup.plain(step.title),
    )


def _learned(progress: Sequence[Progress]) -> Tile | None:
    """The predictions that were right before, and the reasons after."""
    predicted = sum(each.predicted for each in progress)
    explained = sum(each.explained for each in progress)
    if not predicted or not explained:
        return None
    before = Fraction(sum(each.right_before for each in progress), predicted)
    after = Fraction(sum(each.right_after for each in progress), explained)
    return Tile(
        "learned",
        _("%(before)s foresaw it, %(after)s can say why")
        % {"before": percent(before), "after": percent(after)},
        percent(after),
        charts.small(
            [
                charts.lying(
                    [_("after"), _("before")],
                    [float(after), float(before)],
                    text=[percent(after), percent(before)],
                )
            ],
            x_range=(0, 1),
        ),
        "",
        "predictions",
        _("What changed your mind?"),
    )


def _skills(learning: Learning) -> Tile | None:
    """The share right at once, a bar a skill, the weakest named."""
    went = learning.by_skill
    if not went:
        return None
    order = sorted(went, key=lambda skill: (went[skill].share or 0, skill.title))
    shares = [went[skill].share or Fraction() for skill in order]
    is_alone = len(order) > 1 and shares[0] < shares[1]
    return Tile(
        "skills",
        _("Weakest: %s") % order[0].title
        if is_alone
        else _("%s right at once") % percent(learning.success.share or 0),
        percent(shares[0] if is_alone else learning.success.share or 0),
        charts.small(
            [
                charts.bars(
                    [skill.title for skill in order],
                    [float(share) for share in shares],
                    marked={0} if is_alone else (),
                )
            ],
            percent=True,
            y_range=(0, 1),
            y_ticks=[0, 0.5, 1],
            x_labels=False,
        ),
        "",
        "skills",
        _("Who can put the reason into their own words?"),
    )


def _rounds(facts: Facts, *, is_shared: bool) -> Tile | None:
    """The share of bids that came true, a bar a round of the last game with bids."""
    every = [
        each
        for each in bidding.points_by_round(facts)
        if each.hit_rate is not None and not (is_shared and each.students < FEWEST)
    ]
    rows = [each for each in every if each.game == every[-1].game]
    if len(rows) < 2:
        return None
    first, last = (each.hit_rate or Fraction() for each in (rows[0], rows[-1]))
    return Tile(
        "rounds",
        _("Bids made: %(first)s at first, then %(last)s")
        % {"first": percent(first), "last": percent(last)},
        percent(last),
        charts.small(
            [
                charts.bars(
                    [str(each.round) for each in rows],
                    [float(each.hit_rate or 0) for each in rows],
                )
            ],
            percent=True,
            y_range=(0, 1),
            y_ticks=[0, 0.5, 1],
        ),
        "",
        "points",
        _("Were we lucky with the cards, or did we get better?"),
    )
