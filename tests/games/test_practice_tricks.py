"""Practice tricks: that they are what they seem, and what is said of each card."""

from __future__ import annotations

from random import Random

from games.practice_tricks import dealt_tricks, practice_tricks
from games.rules import DECK, Call, Card, Trick, parse_call, parse_card
from games.templatetags.cards import beating
from games.words import call_words

SPACE = "\N{NO-BREAK SPACE}"


def test_each_has_one_winner_and_says_why_of_the_others() -> None:
    high, alone, equal, *_leads = practice_tricks()
    for trick in (high, alone, equal):
        assert trick.call
        (right,) = (answer for answer in trick.answers if answer.is_right)
        assert right.words.startswith("Yes!")
        assert parse_card(right.code).shows(trick.call)
    assert [answer.words for answer in high.answers if not answer.is_right] == [
        f"It has 2{SPACE}stars. Is there a higher card with 2{SPACE}stars, too?",
        f"Not that one: it shows 3{SPACE}stars, not 2{SPACE}stars.",
    ]
    assert [answer.mark for answer in high.answers if not answer.is_right] == [
        "",
        f"3{SPACE}stars",
    ]
    assert alone.call
    assert [parse_card(answer.code).shows(alone.call) for answer in alone.answers].count(
        True
    ) == 1
    assert equal.answers[0].words == "Not quite: if two are equal, the later one wins."
    assert equal.answers[2].is_right


def test_one_lead_is_a_sure_trick_and_of_the_others_it_is_said_what_beats_them() -> None:
    *tricks, lead = practice_tricks(3)
    assert [bool(trick.call) for trick in (*tricks, lead)] == [True, True, False]
    hand = [parse_card(answer.code) for answer in lead.answers]
    others = [card for card in DECK if card not in hand]
    for answer, card in zip(lead.answers, hand, strict=True):
        beaters = [
            sum(trick_goes_to_the_other(card, other, call) for other in others)
            for call in card.calls
        ]
        assert answer.call is not None
        assert answer.mark == call_words(answer.call).replace(" ", SPACE)
        assert beaters[card.calls.index(answer.call)] == min(beaters)
        shown = [parse_card(code) for code in answer.beaters]
        assert len(set(shown)) == min(beaters)
        assert all(trick_goes_to_the_other(card, other, answer.call) for other in shown)
        assert not {*shown} & {*hand}
        if answer.is_right:
            assert min(beaters) == 0
            assert answer.words == f"Yes! Call 1{SPACE}ball: nobody can beat it."
        else:
            assert f" {min(beaters)} cards beat it" in answer.words
            assert min(beaters) > 1
    assert sum(answer.is_right for answer in lead.answers) == 1


def test_a_lead_s_rule_says_of_equal_cards_what_is_so() -> None:
    *_tricks, lead = practice_tricks()
    led, equal = parse_card("1333"), parse_card("3313")
    assert trick_goes_to_the_other(led, equal, parse_call("3-star"))
    assert "as high or higher" in lead.rule


def test_the_first_lead_is_an_easy_one() -> None:
    *_tricks, easy, _hard = practice_tricks()
    (right,) = (answer for answer in easy.answers if answer.is_right)
    assert parse_card(right.code).value == 12


def test_what_is_dealt_by_chance_has_one_right_card() -> None:
    for seed in range(40):
        *tricks, lead = dealt_tricks(Random(seed))
        assert [bool(trick.call) for trick in (*tricks, lead)] == [True] * 4 + [False]
        for trick in (*tricks, lead):
            assert len({answer.code for answer in trick.answers}) == 3
            assert sum(answer.is_right for answer in trick.answers) == 1


def test_sixteen_cards_beat_the_first_page_s_eight() -> None:
    led, call = parse_card("2312"), parse_call("2-star")
    others = [card for card in DECK if card != led]
    beaten = [card.code for card in others if trick_goes_to_the_other(led, card, call)]
    assert sorted(beating("2312", "2-star")) == sorted(beaten)
    assert len(beaten) == 16  # and 16/80 is what the page says: 20%


def trick_goes_to_the_other(card: Card, other: Card, call: Call) -> bool:
    return Trick(leader=0, call=call, plays=((0, card), (1, other))).winner == 1
