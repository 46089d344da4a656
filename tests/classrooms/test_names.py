"""The words of names and rejoin phrases: how many, how they look, and that none is unkind."""

from __future__ import annotations

import codecs
import itertools
from random import Random

import pytest

from tests.classrooms.block_list import (
    ALONE,
    ANYWHERE,
    ENGLISH,
    TOGETHER,
    BlockList,
    bad_initials,
    bad_pairs,
    bad_swaps,
    bad_words,
)
from tests.classrooms.french_block_list import FRENCH
from xactika_site.classrooms import french_names
from xactika_site.classrooms.names import (
    ADJECTIVES,
    NOUNS,
    PHRASE_WORDS,
    plain,
    two_word_name,
    two_word_names,
)

FIRSTS = [word.lower() for word in ADJECTIVES]
SECONDS = [word.lower() for word in NOUNS]
MEN = [plain(word) for word in french_names.MASCULINE]
WOMEN = [plain(word) for word in french_names.FEMININE]
HIS = [plain(word.partition("/")[0]) for word in french_names.ADJECTIVES]
HERS = [plain(word.rpartition("/")[2]) for word in french_names.ADJECTIVES]


def too_near(words: list[str]) -> set[tuple[str, str]]:
    """The pairs of words that one letter more, less or other makes the same."""
    by_form: dict[str, list[str]] = {}
    for word in words:
        changed = {f"{word[:i]}.{word[i + 1 :]}" for i in range(len(word))}
        longer = {f"{word[:i]}.{word[i:]}" for i in range(len(word) + 1)}
        for form in changed | longer:
            by_form.setdefault(form, []).append(word)
    return {pair for met in by_form.values() for pair in itertools.combinations(met, 2)}


# Names


def test_names_are_many() -> None:
    assert len(set(ADJECTIVES)) >= 200
    assert len(set(NOUNS)) >= 200
    assert len({f"{first} {second}" for first in ADJECTIVES for second in NOUNS}) >= 40_000


def test_names_fit_their_tiles() -> None:
    for word in ADJECTIVES + NOUNS:
        assert word.isascii()
        assert word.isalpha()
        assert word == word.capitalize()
        assert 3 <= len(word) <= 9


@pytest.mark.parametrize("words", [FIRSTS, SECONDS, MEN + WOMEN, HIS, HERS])
def test_no_two_words_of_names_are_nearly_alike(words: list[str]) -> None:
    assert too_near(words) == set()


def test_no_word_is_in_both_lists() -> None:
    assert set(ADJECTIVES) & set(NOUNS) == set()


def test_names_take_each_word_once() -> None:
    names = two_word_names(Random(1), 200)
    words = " ".join(names).split()
    assert len(words) == len(set(words)) == 400


def test_a_name_is_an_adjective_and_a_noun() -> None:
    rng = Random(1)
    names = {two_word_name(rng) for _ in range(1000)}
    assert len(names) > 950
    for first, second in map(str.split, names):
        assert first in ADJECTIVES
        assert second in NOUNS


@pytest.mark.parametrize(
    ("language", "firsts", "seconds"),
    [(ENGLISH, FIRSTS, SECONDS), (FRENCH, MEN, HIS), (FRENCH, WOMEN, HERS)],
    ids=["English", "masculine", "feminine"],
)
def test_no_name_is_unkind(language: BlockList, firsts: list[str], seconds: list[str]) -> None:
    assert language.bad_words(firsts + seconds) == set()
    assert language.bad_pairs(firsts, seconds) == set()
    assert language.bad_initials(firsts, seconds) == set()
    assert language.bad_swaps(firsts, seconds) == set()


# Rejoin phrases


IN_EACH_LANGUAGE = pytest.mark.parametrize(
    ("language", "words"),
    [(ENGLISH, PHRASE_WORDS), (FRENCH, french_names.PHRASE_WORDS)],
    ids=["English", "French"],
)


@IN_EACH_LANGUAGE
def test_phrases_are_hard_to_guess_and_easy_to_type(
    language: BlockList, words: list[str]
) -> None:
    assert len(words) * (len(words) - 1) * (len(words) - 2) > 2**30
    assert sorted(set(words)) == words
    for word in words:
        assert word.isascii()
        assert word.isalpha()
        assert word == word.lower()
        assert 3 <= len(word) <= 8
    assert too_near(words) == set()
    assert len({word[:4] for word in words}) == len(words)


@IN_EACH_LANGUAGE
def test_no_phrase_is_unkind(language: BlockList, words: list[str]) -> None:
    assert language.bad_words(words) == set()
    assert language.bad_pairs(words, words) == set()


def test_nothing_unkind_runs_across_a_whole_word_of_a_phrase() -> None:
    for text in ANYWHERE:
        for start, end in itertools.combinations(range(1, len(text)), 2):
            if text[start:end] in PHRASE_WORDS:
                before, after = text[:start], text[end:]
                assert not (
                    any(word.endswith(before) for word in PHRASE_WORDS)
                    and any(word.startswith(after) for word in PHRASE_WORDS)
                )


# The same in French


def test_french_names_are_many_and_fit_their_tiles() -> None:
    assert len(set(french_names.NOUNS)) >= 200
    assert len(set(french_names.ADJECTIVES)) >= 200
    assert set(french_names.MASCULINE) & set(french_names.FEMININE) == set()
    forms = [form for word in french_names.ADJECTIVES for form in word.split("/")]
    for word in french_names.NOUNS + forms:
        assert word.isalpha()
        assert word == word.capitalize()
        assert 3 <= len(word) <= 11
    longest = max(
        len(french_names.french_name(adjective, noun))
        for adjective in french_names.ADJECTIVES
        for noun in french_names.NOUNS
    )
    assert longest <= 22


def test_french_nouns_and_adjectives_agree() -> None:
    rng = Random(1)
    for name in two_word_names(rng, 200, "fr"):
        noun, adjective = name.split()
        forms = next(w for w in french_names.ADJECTIVES if adjective in w.split("/"))
        masculine, _slash, feminine = forms.partition("/")
        assert adjective == (feminine or masculine if plain(noun) in WOMEN else masculine)
    assert len({two_word_name(rng, "fr") for _ in range(1000)}) > 950


def test_the_french_list_sees_a_planted_word() -> None:
    bad = codecs.decode("obhssba", "rot13")
    assert FRENCH.bad_words(["loutre", bad]) == {bad}
    assert FRENCH.bad_pairs([bad[:4]], [bad[4:]]) == {(bad[:4], bad[4:])}


# The block list itself


def shown(text: str) -> str:
    return codecs.decode(text, "rot13")


def test_the_check_sees_a_planted_word() -> None:
    assert bad_words(["otter", "cow", shown("tenff")]) == {"cow", shown("tenff")}


@pytest.mark.parametrize("planted", ["penfu vgrz", "fnf fubyr", "zbeavat tybel"])
def test_the_check_sees_a_planted_pair(planted: str) -> None:
    """Two that run across the space and one that is known, each of harmless halves."""
    first, second = shown(planted).split()
    assert bad_words([first, second]) == set()
    assert bad_pairs([*FIRSTS, first], [*SECONDS, second]) >= {(first, second)}
    assert bad_pairs(["tidy", first], ["otter", second]) == {(first, second)}


def test_the_check_sees_planted_initials_and_swaps() -> None:
    assert bad_initials(["sunny", "kind"], ["sparrow", "owl"]) == {"ss"}
    assert bad_swaps(["quick"], ["dolphin"]) == {("d", "quick")}
    assert bad_swaps(["quick"], ["owl"]) == set()


def test_the_fast_check_finds_what_a_plain_one_finds() -> None:
    rng = Random(1)
    letters = sorted(ANYWHERE)
    firsts = rng.sample(PHRASE_WORDS, 30) + ["sun" + rng.choice(letters)[:2] for _ in range(30)]
    seconds = rng.sample(PHRASE_WORDS, 30) + [rng.choice(letters)[2:] + "et" for _ in range(30)]
    firsts, seconds = ([w for w in words if not bad_words([w])] for words in (firsts, seconds))
    expected = {
        (first, second)
        for first, second in itertools.product(firsts, seconds)
        if any(text in first + second for text in ANYWHERE)
        or first + second in ALONE
        or (first, second) in TOGETHER
    }
    assert len(expected) > 10
    assert bad_pairs(firsts, seconds) == expected
