"""Ranges of starting hands, as people write them.

    >>> len(read_range("QQ+,AKs").combos)
    22

==================== ===========================================================================
``AA``               the six pairs of aces
``AKs`` ``AKo``      suited, mixed; ``AK`` is both
``77+``              sevens and every higher pair
``A9s+``             the second card rises to just below the first: A9s, ATs, AJs, AQs, AKs
``T9s+``             next to each other, the second cannot rise, so both do: T9s, JTs, QJs, KQs, AKs
``77-99``            a run of pairs, in either order
``A2s-A5s``          a run with one first card; ``T9s-65s``: both cards one lower each time
``Axs`` ``Kx``       any second card below the first
``AhKd``             two cards
``top 10%``          the best hands by their odds against a random one, at least 10% of all
``random``           every hand
==================== ===========================================================================

Parts are set apart by commas or spaces. ``:0.5`` or ``:50%`` after a part is how often its hands
are held, up to three decimals. A hand named twice with the same weight counts once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import NoReturn

import msgspec

from croupier.cards import DECK, Card, Rank
from croupier.lab.errors import LabError
from croupier.rulebooks import hole_class

Combo = tuple[Card, Card]
Wrong = Callable[[str], NoReturn]

_RANKS = "".join(rank.value for rank in Rank)  # Two first
_BY_TEXT = {card.value: card for card in DECK}
_PART = re.compile(r"(?i:top)\s*[0-9.]+\s*%(?::[^\s,;]+)?|[^\s,;]+")
_TOP = re.compile(r"TOP\s*([0-9]{1,3}(?:\.[0-9]{1,3})?)\s*%")
_CLASS = re.compile(rf"([{_RANKS}])([{_RANKS}X])([SO]?)")
_CARDS = re.compile(rf"([{_RANKS}])([CDHS])([{_RANKS}])([CDHS])")
_ONE_CARD = re.compile(rf"[{_RANKS}][CDHS]")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d)?)%")
_SHARE = re.compile(r"\d?\.\d{1,3}|[01](?:\.0{1,3})?")
_ALL = ("RANDOM", "ANY", "*", "100%")
SCALE = 1000
"""Weights are whole thousandths."""


BY_STRENGTH = tuple(
    (
        "AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s "
        "A9o KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s "
        "QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o "
        "K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s "
        "T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o "
        "T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s "
        "76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o "
        "64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o "
    ).split()
)
"""Starting hands from best to worst by their odds against a random hand, all cards unknown."""


class RangeError(LabError):
    """A part of a range cannot be read; ``part`` is it, ``at`` where it begins, from 1."""

    def __init__(self, text: str, part: str, at: int, problem: str) -> None:
        self.text = text
        self.part = part
        self.at = at
        self.problem = problem
        super().__init__(f"{part!r} at character {at} of the range {text!r}: {problem}")


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of cards, each with a weight in thousandths."""

    text: str
    combos: dict[Combo, int]
    """The higher card first (by rank, then suit)."""

    @property
    def size(self) -> Fraction:
        """How many pairs of cards, weighted."""
        return Fraction(sum(self.combos.values()), SCALE)

    @property
    def share(self) -> Fraction:
        """Of all 1,326 pairs of cards."""
        return self.size / 1326

    def classes(self) -> dict[str, Fraction]:
        """By starting hand that occurs: which share of its pairs of cards is in the range."""
        held: dict[str, int] = {}
        for (first, second), weight in self.combos.items():
            name = hole_class(first, second)
            held[name] = held.get(name, 0) + weight
        return {name: Fraction(total, SCALE * _ways(name)) for name, total in held.items()}


def read_range(text: str) -> Range:
    """Read a range. Raises ``RangeError`` that points at the part."""
    found: dict[Combo, int] = {}
    parts = list(_PART.finditer(text))
    if not parts:
        raise RangeError(text, "", 1, "it is empty; write hands such as 'QQ+,AKs', or 'random'")
    for match in parts:
        part, at = match.group(), match.start() + 1
        hands, colon, weight = part.partition(":")
        share = _weight(text, part, at, weight) if colon else SCALE
        for combo in _combos(text, part, hands, at):
            if found.get(combo, share) != share:
                names = "".join(str(card) for card in combo)
                raise RangeError(
                    text, part, at, f"{names} has another weight in an earlier part; name it once"
                )
            found[combo] = share
    return Range(text=text, combos=found)


def _ways(name: str) -> int:
    return 6 if len(name) == 2 else 4 if name.endswith("s") else 12


def _weight(text: str, part: str, at: int, weight: str) -> int:
    if match := _PERCENT.fullmatch(weight):
        value = Decimal(match[1]) / 100
    elif _SHARE.fullmatch(weight):
        value = Decimal(weight)
    else:
        raise RangeError(
            text, part, at, f"{weight!r} is no weight; write :0.5 or :50%, up to three decimals"
        )
    if not 0 < value <= 1:
        raise RangeError(
            text, part, at, f"the weight {weight} is not above 0 and up to 1; leave out what is 0"
        )
    return int(value * SCALE)


def _combos(text: str, part: str, hands: str, at: int) -> list[Combo]:
    def wrong(problem: str) -> NoReturn:
        raise RangeError(text, part, at, problem)

    word = hands.upper().replace("10", "T")
    if word in _ALL:
        return [combo for name in _CLASSES for combo in _of_class(name)]
    if match := _TOP.fullmatch(hands.upper()):
        share = Fraction(match[1]) / 100
        if not 0 < share <= 1:
            wrong("a share of all hands is above 0% and up to 100%")
        return [combo for name in top_hands(share) for combo in _of_class(name)]
    if match := _CARDS.fullmatch(word):
        one = _BY_TEXT[match[1] + match[2].lower()]
        other = _BY_TEXT[match[3] + match[4].lower()]
        if one is other:
            wrong(f"{one} twice; a hand has two different cards")
        return [_sorted(one, other)]
    if _ONE_CARD.fullmatch(word):
        wrong("one card alone; write the two cards of a hand together, as in AhKd")
    if "-" in word:
        first, _, last = word.partition("-")
        names = _run(wrong, _class(wrong, first), _class(wrong, last))
    elif word.endswith("+"):
        names = _upwards(wrong, _class(wrong, word[:-1]))
    else:
        high, low, suits = _class(wrong, word)
        names = _named(high, low, suits)
        if low == _ANY:
            names = [n for below in range(high) for n in _named(high, below, suits)]
    return [combo for name in names for combo in _of_class(name)]


def top_hands(share: Fraction) -> tuple[str, ...]:
    """The fewest best starting hands that make up at least this share of all pairs of cards."""
    held = 0
    for count, name in enumerate(BY_STRENGTH, 1):
        held += _ways(name)
        if held >= share * 1326:
            return BY_STRENGTH[:count]
    return BY_STRENGTH


_ANY = -1
_Class = tuple[int, int, str]


def _class(wrong: Wrong, word: str) -> _Class:
    """The two ranks from Two, 0, and the suits: ``s``, ``o`` or nothing."""
    match = _CLASS.fullmatch(word)
    if match is None:
        wrong(f"{word or 'nothing'!r} is no hand; write AA, AKs, AKo, AK, Axs, T9s+, 77-99 or AhKd")
    high, suits = _RANKS.index(match[1]), match[3].lower()
    low = _ANY if match[2] == "X" else _RANKS.index(match[2])
    if high == low and suits:
        wrong("a pair is neither suited nor mixed; leave out the s or o")
    if low > high:
        right = match[2] + match[1] + suits
        wrong(f"the higher rank stands first: {right}")
    if low == _ANY and high == 0:
        wrong("there is no card below a Two")
    return high, low, suits


def _upwards(wrong: Wrong, start: _Class) -> list[str]:
    high, low, suits = start
    if low == _ANY:
        wrong("x is any second card already; leave out the +")
    if high == low:
        return [n for rank in range(high, 13) for n in _named(rank, rank, suits)]
    if high == low + 1:
        return [n for up in range(13 - high) for n in _named(high + up, low + up, suits)]
    return [n for rank in range(low, high) for n in _named(high, rank, suits)]


def _run(wrong: Wrong, one: _Class, other: _Class) -> list[str]:
    if _ANY in (one[1], other[1]):
        wrong("x has no place in a run; write A2s-A5s")
    if one[2] != other[2]:
        wrong("both ends of a run are suited, or both mixed, or neither says")
    (high, low, suits), (last_high, last_low, _) = sorted((one, other), reverse=True)
    if high == last_high and (high == low) == (last_high == last_low):
        return [n for rank in range(last_low, low + 1) for n in _named(high, rank, suits)]
    if high - low == last_high - last_low:
        return [n for up in range(high - last_high + 1) for n in _named(high - up, low - up, suits)]
    return wrong("a run keeps its first card (A2s-A5s), or both fall together (77-99, T9s-65s)")


def _named(high: int, low: int, suits: str) -> list[str]:
    if low == _ANY:
        return []
    ranks = _RANKS[high] + _RANKS[low]
    return [ranks + s for s in ([""] if high == low else [suits] if suits else ["s", "o"])]


def _sorted(one: Card, other: Card) -> Combo:
    ordered = sorted((one, other), key=lambda card: (-card.rank.order, -card.suit.order))
    return ordered[0], ordered[1]


def _of_class(name: str) -> list[Combo]:
    return _BY_CLASS[name]


_BY_CLASS: dict[str, list[Combo]] = {}
for _i, _one in enumerate(DECK):
    for _other in DECK[:_i]:
        _BY_CLASS.setdefault(hole_class(_one, _other), []).append(_sorted(_one, _other))
_CLASSES = tuple(_BY_CLASS)
assert len(_CLASSES) == 169, "pairs, suited and mixed hands"
