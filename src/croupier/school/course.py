"""The course: which item comes next for a trainee, at which level, and the exercise of an item.

Everything that is drawn is drawn from a seed, so that the same seed gives the same exercise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from croupier.pit import GAMES
from croupier.rulebooks import Rulebook
from croupier.school.errors import NoSuchItem, NotMade
from croupier.school.exercise import KINDS, Exercise, Kind
from croupier.school.hands import hand_exercise
from croupier.school.items import LEVELS, Item, item_named, items_of
from croupier.school.odd_chips import odd_chip_exercise
from croupier.school.payouts import payout_exercise
from croupier.school.pots import side_pots_exercise
from croupier.school.reports import report_exercise
from croupier.school.rulings import ruling_exercise
from croupier.school.schedule import Memory
from croupier.school.shipped import case_exercise
from croupier.school.wagers import wager_exercise

DRAWS = 60
"""Draws of an item until one makes an exercise."""
KIND_WEIGHTS: Mapping[Kind, int] = {"ruling": 4}
"""How often a kind is drawn beside the others; once if nothing is said."""
DUE_WEIGHT = 12
"""An item that is due counts for so many that are not."""
RISE = (8, 10)
"""So many right among the last so many of a level lead to the next."""

_MAKES: Mapping[str, Callable[[Rulebook, Any, int, Random], Exercise]] = {
    "ruling": ruling_exercise,
    "case": case_exercise,
    "report": report_exercise,
    "hand": hand_exercise,
    "wager": wager_exercise,
    "side pots": lambda book, count, level, rng: side_pots_exercise(book, int(count), level, rng),
    "odd chip": lambda book, count, level, rng: odd_chip_exercise(book, int(count), level, rng),
    "payout": payout_exercise,
}
"""What makes the exercises of a family of items, by the first word of their names."""


def make_exercise(rulebook: str, item: str, level: int, seed: str) -> Exercise:
    """The exercise of an item that a seed makes; NotMade if the item has none under this book."""
    if level not in LEVELS:
        raise NoSuchItem(f"there are levels 1 to {LEVELS[-1]}, not {level}")
    found = item_named(rulebook, item)
    family = item.partition("/")[0]
    book = GAMES.load(rulebook)
    for draw in range(DRAWS):
        try:
            return _MAKES[family](book, found.about, level, Random(f"{seed}/{draw}"))
        except NotMade:
            continue
    raise NotMade(f"{item} makes no exercise under {rulebook}")


def kinds_of(rulebook: str) -> tuple[Kind, ...]:
    """The kinds of exercise that a book has."""
    there = {item.kind for item in items_of(rulebook)}
    return tuple(kind for kind in KINDS if kind in there)


def kind_named(rulebook: str, name: str) -> Kind:
    """A kind by its name; NoSuchItem says which there are."""
    known = kinds_of(rulebook)
    if name not in known:
        raise NoSuchItem(f"{rulebook} has no exercise {name!r}; there is {', '.join(known)}")
    return name


# -- what comes next -------------------------------------------------------------------------------


def draw_item(
    rulebook: str,
    level: int,
    known: Mapping[str, Memory],
    now: datetime,
    seed: str,
    *,
    kinds: Collection[str] = (),
    not_now: Collection[str] = (),
) -> Item:
    """What is asked next: a kind by weight, then one of its items, of which those that are due
    come sooner. `not_now` was asked just before and is left out if something else is there."""
    rng = Random(f"{seed}/item")
    open_ = [
        item
        for item in items_of(rulebook)
        if item.level <= level and (not kinds or item.kind in kinds)
    ]
    fresh = [item for item in open_ if item.name not in not_now] or open_
    if not fresh:
        raise NoSuchItem(f"there is nothing to ask under {rulebook} at level {level}")
    by_kind: dict[Kind, list[Item]] = {}
    for item in fresh:
        by_kind.setdefault(item.kind, []).append(item)
    weights = [KIND_WEIGHTS.get(kind, 1) for kind in by_kind]
    [items] = rng.choices(list(by_kind.values()), weights)
    [item] = rng.choices(items, [weight_of(one, known, now) for one in items])
    return item


def weight_of(item: Item, known: Mapping[str, Memory], now: datetime) -> float:
    """How likely an item is beside the others: what is due comes soonest, what was never asked
    next, and what is known well hardly ever before its day."""
    memory = known.get(item.name)
    if memory is None:
        return item.weight
    if memory.is_due(now):
        return item.weight * DUE_WEIGHT
    return item.weight / (4 * (1 + memory.days))


def level_after(answers: Sequence[tuple[int, bool]]) -> int:
    """The level of somebody who has given these answers: at which level each was asked, and
    whether it was right. It rises with ten answers of a level of which eight were right."""
    need, among = RISE
    level = 1
    recent: list[bool] = []
    for asked, right in answers:
        if asked != level:
            continue
        recent = [*recent, right][-among:]
        if sum(recent) >= need and level < LEVELS[-1]:
            level, recent = level + 1, []
    return level
