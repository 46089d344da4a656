"""Dealt hands and leads beside exact theory, as questions, answers and charts."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lessons import charts
from lessons.measures.grid import Column, Grid
from lessons.measures.panels import Panel
from lessons.results.dealt import dealing
from lessons.results.facts import Facts
from lessons.results.words import (
    basis,
    interval_words,
    number,
    percent,
    sentences,
    verdict,
)


def hands(facts: Facts, *, of: int) -> Panel:
    """How good the dealt hands were, over their exact distribution; ``of`` is how many figures
    the page judges."""
    key, title = "hands", _("Were our hands as good as chance says?")
    deals = facts.drawn_deals
    mean = dealing.mean_card(deals)
    if mean is None and facts.deals:
        return Panel(key, title, _("All our hands were prepared: chance had no part in them."))
    if mean is None:
        return Panel(key, title, _("Finished rounds will fill this."))
    totals, chances = dealing.hand_totals(deals), dealing.total_chances()
    dealt = sum(totals.values())
    low, high = min(min(totals), 54) // 2, max(max(totals), 75) // 2
    bins = list(range(low, high + 1))
    counts = [totals[2 * b] + totals[2 * b + 1] for b in bins]
    expected = [
        dealt * (chances.get(2 * b, Fraction()) + chances.get(2 * b + 1, Fraction()))
        for b in bins
    ]
    places = [b / 4 for b in bins]
    middles = [b / 4 + 1 / 16 for b in bins]
    figure = charts.figure(
        [
            charts.bars(middles, counts, name=_("our hands"), width=0.22),
            charts.hollow_bars(
                middles, [round(float(e), 2) for e in expected], name=_("theory")
            ),
        ],
        x=_("mean value of a hand’s cards"),
        y=_("hands"),
        legend=True,
        overlay=True,
        every=0.5,
    )
    figure["data"][1]["width"] = 0.22
    return Panel(
        key,
        title,
        sentences(
            _("Our hands hold %(mean)s a card on average; theory says 8, give or take %(sd)s.")
            % {
                "mean": number(mean.observed, 2),
                "sd": number(mean.standard_error, 2),
            },
            verdict(mean.p_value, of=of),
        ),
        figure,
        Grid(
            _("Mean value of a hand"),
            (Column(_("From"), "2"), Column(_("Hands")), Column(_("Expected"), "1")),
            tuple((place, n, e) for place, n, e in zip(places, counts, expected, strict=True)),
        ),
        ngettext(
            "Rests on %(n)d deal: %(dealt)d hands, those of bots, too.",
            "Rests on %(n)d deals: %(dealt)d hands, those of bots, too.",
            len(deals),
        )
        % {"n": len(deals), "dealt": dealt},
        _(
            "Hands of one table come from one deck, so they vary together: that is in the "
            "“give or take”. A board played at several tables counts once, hands that were "
            "prepared not at all."
        ),
    )


def leads(facts: Facts) -> Panel:
    """Exact chances of leads beside what happened."""
    key, title = "leads", _("How safe were our leads?")
    groups = dealing.leads_by_chance(facts)
    all_leads = dealing.safe_leads(facts.leads)
    if all_leads is None:
        return Panel(key, title, _("Finished rounds will fill this."))
    took = Fraction(sum(led.took for led in facts.leads), len(facts.leads))
    interval = dealing.safe_interval(facts, facts.leads)
    x = [group.chance for group in groups]
    ranged = [group for group in groups if group.interval and group.low < 1]
    figure = charts.figure(
        [
            charts.line([0, 1], [0, 1], name=_("if unseen deals were equally likely")),
            charts.spans(
                [group.chance for group in ranged],
                [group.interval for group in ranged if group.interval],
                name=_("allowing for luck"),
            ),
            charts.points(
                x,
                [float(group.safe) for group in groups],
                name=_("nobody held a better card"),
                sizes=charts.dot_sizes([group.leads for group in groups]),
            ),
            charts.points(
                x,
                [float(group.took) for group in groups],
                name=_("the lead took the trick"),
                sizes=[9] * len(groups),
            ),
        ],
        x=_("exact chance that it is safe"),
        y=_("how often"),
        legend=True,
        percent=True,
        x_range=(-0.05, 1.05),
        y_range=(-0.06, 1.12),
    )
    figure["layout"]["yaxis"]["tickvals"] = [0, 0.25, 0.5, 0.75, 1]
    figure["layout"]["xaxis"]["tickformat"] = ".0%"
    figure["data"][3]["marker"] |= {"symbol": "diamond", "color": "--tint"}
    return Panel(
        key,
        title,
        sentences(
            _("Nobody held a better card in %s of our leads.") % percent(all_leads.observed),
            interval_words(*map(percent, interval)) if interval else "",
            _("The exact chances say %(chance)s; the lead took the trick in %(took)s.")
            % {"chance": percent(all_leads.expected), "took": percent(took)},
        ),
        figure,
        Grid(
            _("Leads by their exact chance"),
            (
                Column(_("Chance from"), "%"),
                Column(_("to"), "%"),
                Column(_("Leads")),
                Column(_("Mean chance"), "%"),
                Column(_("Nobody held better"), "%"),
                Column(_("Took the trick"), "%"),
                Column(_("Nobody better, luck allowed: from"), "%"),
                Column(_("up to"), "%"),
            ),
            tuple(
                (g.low, g.high, g.leads, g.chance, g.safe, g.took, *ends)
                for g in groups
                for ends in [g.interval or (None, None)]
            ),
        ),
        basis(leads=all_leads.count, students=len(facts.students), of=len(facts.came)),
        _(
            "The exact chance takes all unseen deals as equally likely: it does not know who "
            "has shown a void, nor what bids and plays tell. And a better card is not always "
            "played. “Allowing for luck” counts boards, not single leads: tables with the same "
            "cards lead alike."
        ),
    )
