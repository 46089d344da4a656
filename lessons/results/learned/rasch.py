"""How hard questions are beside each other, whoever answered them: the Rasch model. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping
from typing import NamedTuple

ROUNDS, CLOSE = 60, 1e-6
FARTHEST = 8.0
"""Logits: no difficulty lies beyond."""


class Response(NamedTuple):
    """One student's first answer to one item."""

    student: Hashable
    item: Hashable
    is_right: bool


class Difficulty(NamedTuple):
    """In logits, 0 for the mean of all items: an item 1 harder than another has 2.7 times worse
    odds to be right; with its standard error."""

    value: float
    error: float


def difficulties(responses: Collection[Response]) -> dict[Hashable, Difficulty]:
    """By item how hard it is, by pairs (Choppin 1968; Zwinderman 1995): of two items of which a
    student got one right, it is the easier one more often, however able the student is. So able
    students may have been asked the hard ones. Errors allow for pairs of the same student (the
    sandwich of a composite likelihood). Items that cannot be compared with the others, as all
    got them right, or whoever answered them answered nothing else, are left out."""
    import numpy as np  # late: only this page needs it

    students = _comparable_answers(responses)
    named = dict.fromkeys(i for own in students.values() for side in own for i in side)
    items = {item: place for place, item in enumerate(named)}
    if len(items) < 2:
        return {}
    pairs = [
        (
            np.array([items[each] for each in right]),
            np.array([items[each] for each in wrong]),
            1 / (len(right) + len(wrong) - 1),
        )
        for right, wrong in students.values()
    ]
    hard = np.zeros(len(items))
    for _round in range(ROUNDS):
        gradient, curvature = np.zeros(len(items)), np.zeros((len(items), len(items)))
        spread = np.zeros_like(curvature)
        for right, wrong, weight in pairs:
            surprise = 1 / (1 + np.exp(hard[wrong][None, :] - hard[right][:, None]))
            own = np.zeros(len(items))
            own[right] -= weight * surprise.sum(axis=1)
            own[wrong] += weight * surprise.sum(axis=0)
            gradient += own
            spread += np.outer(own, own)
            sure = weight * surprise * (1 - surprise)
            curvature[right, right] += sure.sum(axis=1)
            curvature[wrong, wrong] += sure.sum(axis=0)
            curvature[np.ix_(right, wrong)] -= sure
            curvature[np.ix_(wrong, right)] -= sure.T
        inverse = np.linalg.pinv(curvature, rcond=1e-9)
        step = np.clip(inverse @ gradient, -1, 1)
        hard = np.clip(hard + step, -FARTHEST, FARTHEST)
        hard -= hard.mean()
        if np.abs(step).max() < CLOSE:
            break
    errors = np.sqrt(np.maximum(np.diag(inverse @ spread @ inverse), 0))
    return {
        item: Difficulty(float(hard[place]), float(errors[place]))
        for item, place in items.items()
    }


RightAndWrong = tuple[list[Hashable], list[Hashable]]
"""The items that a student got right, and wrong."""


def _comparable_answers(responses: Collection[Response]) -> Mapping[Hashable, RightAndWrong]:
    """By student, the items of the largest set that are right, and wrong; of those who have
    both. In the set each item leads to each other one by students who got one right and the
    next wrong: others could not be compared."""
    students: dict[Hashable, RightAndWrong] = defaultdict(lambda: ([], []))
    for each in responses:
        students[each.student][not each.is_right].append(each.item)
    beyond: dict[Hashable, set[Hashable]] = defaultdict(set)
    for right, wrong in students.values():
        for item in right:
            beyond[item].update(wrong)
    reach = {item: _reached(item, beyond) for item in beyond}
    sets = ({other for other in reach[item] if item in reach.get(other, ())} for item in reach)
    largest = max(sets, key=len, default=set())
    kept = {
        key: ([i for i in right if i in largest], [i for i in wrong if i in largest])
        for key, (right, wrong) in students.items()
    }
    return {key: own for key, own in kept.items() if all(own)}


def _reached(item: Hashable, beyond: Mapping[Hashable, set[Hashable]]) -> set[Hashable]:
    """The items to which this one leads."""
    found: set[Hashable] = set()
    waiting = [item]
    while waiting:
        new = beyond.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
