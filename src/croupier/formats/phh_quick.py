"""Plain PHH hands read at once for a replay, without the way over fields and `Hand`.

Collections hold millions of hands that all look alike: two Blinds in full, one plain value on each
line. `read_quick` takes from the text of such a hand what a replay needs and sees that the rest is
in order; anything else is None and left to the careful reader. What the quick reader gives is what
`script_of(hand_of(strict_fields(text)))` gives, but that it leaves `cc` to the table, which knows
whether it is a Check or a Call.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.phh import ACTIONS, PLAYERS, VARIANT
from croupier.formats.phh_actions import read_action
from croupier.formats.phh_text import known_lines, plain_line, plain_list
from croupier.formats.script import (
    BOARD,
    CHECK_OR_CALLS,
    FOLDS,
    HOLE,
    MUCK,
    SHOW,
    UNKNOWN,
    UNSEEN,
    Script,
    Step,
    board,
    wager,
)

REMEMBERED = 50_000
"""How many actions, and how many amounts, are remembered with their meaning."""

_AMOUNT = re.compile(r"(0|[1-9]\d{0,12})(?:\.(\d\d?))?")
_NAME = re.compile(r"'[^']*'|0|[1-9]\d{0,17}")
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d")
_TEXTS = re.compile(r"\['[^'\"\\]*'(?:, '[^'\"\\]*')*\]")
_LISTS = ("starting_stacks", "finishing_stacks")
_WORDS = ("venue", "currency", "currency_symbol")


class Quick(Struct, frozen=True):
    """A plain hand, its actions still in one piece."""

    count: int
    small: int
    big: int
    stacks: list[int]
    actions: str
    """The value of `actions` as it stands in the text."""
    finishing: list[int] | None
    winnings: list[int] | None


_amounts: dict[str, int] = {}


def read_quick(text: str) -> Quick | None:
    """Read a plain hand; None for any other."""
    found: dict[str, Any] = {}
    known = known_lines
    for line in text.split("\n"):
        pair = known.get(line)
        if pair is None:
            if not line:
                continue
            key, _, value = line.partition(" = ")
            if not line.isprintable():
                return None
            parsed: Any = value
            if key in _LISTS:
                parsed = _cents(value)
            elif key == "hand":
                parsed = _NAME.fullmatch(value)
            elif key == "players":
                parsed = _TEXTS.fullmatch(value) and value.count("', '") + 1
            elif key == "time":
                parsed = _TIME.fullmatch(value)
            elif key != "actions":
                pair = plain_line(line)
                if pair is None or key.startswith("_"):
                    return None
                parsed = pair[1]
            if parsed is None:
                return None
        else:
            key, parsed = pair
        if key in found:
            return None
        found[key] = parsed
    return _quick(found)


def _quick(found: dict[str, Any]) -> Quick | None:
    """The hand that these values make, if it is plain."""
    try:
        stacks = found["starting_stacks"]
        blinds = found["blinds_or_straddles"]
        antes = found["antes"]
        actions = found["actions"]
        count = len(stacks)
        if found["variant"] != VARIANT or len(blinds) != count or len(antes) != count:
            return None
        small, big = _one(blinds[0]), _one(blinds[1])
        if (
            not 2 <= count <= PLAYERS
            or found.get("players", count) != count
            or any(antes)
            or any(blinds[2:])
            or not 0 < small < big
            or _one(found["min_bet"]) != big
            or min(stacks) <= big
            or "seat_count" in found
        ):
            return None
        seats = found.get("seats")
        if seats is not None:
            if len(seats) != count or len(set(seats)) != count:
                return None
            if not all(type(seat) is int and 0 < seat < 1_000 for seat in seats):
                return None
        for word in _WORDS:
            if word in found and type(found[word]) is not str:
                return None
        if type(found.get("table", "")) not in (str, int):
            return None
        finishing = found.get("finishing_stacks")
        winnings = found.get("winnings")
        if winnings is not None:
            winnings = [value * 100 if type(value) is int else _one(value) for value in winnings]
    except (KeyError, IndexError, TypeError):
        return None
    if (finishing is not None and len(finishing) != count) or (
        winnings is not None and (len(winnings) != count or min(winnings) < 0)
    ):
        return None
    return Quick(count, small, big, stacks, actions, finishing, winnings)


def _one(value: Any) -> int:
    """Cents of a number that the plain reader gave."""
    if type(value) is int:
        return value * 100
    hundredfold = value * 100
    whole = int(hundredfold)
    if whole != hundredfold:
        raise TypeError(value)
    return whole


def _cents(value: str) -> list[int] | None:
    """Cents from a list of plain amounts."""
    if value[:1] != "[" or value[-1] != "]":
        return None
    known = _amounts
    amounts = []
    for number in value[1:-1].split(", "):
        cents = known.get(number)
        if cents is None:
            match = _AMOUNT.fullmatch(number)
            if match is None:
                return None
            cents = int(match[1]) * 100
            if match[2] is not None:
                cents += int(match[2].ljust(2, "0"))
            if len(known) >= REMEMBERED:
                known.clear()
            known[number] = cents
        amounts.append(cents)
    return amounts


# -- the actions -------------------------------------------------------------------------------


class _NotPlain(Exception):
    """Leave this hand to the careful reader."""


_steps: dict[str, Step] = {}


def quick_script(quick: Quick) -> Script | None:
    """The script of a plain hand; None if its actions are not plain."""
    try:
        actions = plain_list(quick.actions)
        if actions is None or len(actions) > ACTIONS:
            return None
        steps, cards = _quick_steps(actions, quick.count)
    except (_NotPlain, FormatError, TypeError):
        return None
    return Script(
        quick.count,
        quick.small,
        quick.big,
        quick.stacks,
        cards,
        None,
        quick.count,
        steps,
        quick.finishing,  # type: ignore[arg-type]
        quick.winnings,  # type: ignore[arg-type]
    )


def _quick_steps(
    actions: list[Any], count: int
) -> tuple[list[Step], tuple[tuple[Card, ...], ...] | None]:
    """The steps, and the Hole Cards where any were written down as they were dealt."""
    known = _steps
    steps: list[Step] = []
    held: dict[int, tuple[Card, ...]] = {}
    shown: dict[int, tuple[Card, ...]] = {}
    out: tuple[Card, ...] = ()
    for text in actions:
        step = known.get(text)
        if step is None:
            step = _quick_step(text)
        if step.seat > count:
            raise _NotPlain
        if step.cards:
            cards, code = step.cards, step.code
            if code == HOLE:
                if held.setdefault(step.seat, cards) is not cards or steps:
                    raise _NotPlain
                continue
            if code == BOARD:
                if len(cards) != (1 if out else 3) or len(out) > 4:
                    raise _NotPlain
                out += cards
            elif cards != UNSEEN and shown.setdefault(step.seat, cards) != cards:
                raise _NotPlain
        steps.append(step)
    dealt = None
    for seat, cards in held.items():
        if cards != UNSEEN:
            dealt = tuple([held.get(seat, UNSEEN) for seat in range(1, count + 1)])
            if shown.setdefault(seat, cards) != cards:
                raise _NotPlain
    if out or shown:
        seen = [*out, *[card for cards in shown.values() for card in cards]]
        if UNKNOWN in seen or len(set(seen)) != len(seen):
            raise _NotPlain
    return steps, dealt


def _quick_step(text: Any) -> Step:
    """A step from its text, remembered: the same few thousand come again and again."""
    action = read_action(text, PLAYERS)
    seat = action.player + 1
    cards = action.cards
    match action.verb:
        case "fold":
            step = FOLDS[seat]
        case "call":
            step = CHECK_OR_CALLS[seat]
        case "wager":
            step = wager(seat, action.amount)
        case "board" if len(cards) in (1, 3):
            step = board(cards)
        case "hole" if len(cards) == 2:
            step = Step(HOLE, seat, 0, None, None, cards)
        case "show" if len(cards) in (0, 2):
            step = Step(SHOW, seat, 0, None, None, cards)
        case "muck":
            step = Step(MUCK, seat)
        case _:
            raise _NotPlain
    if len(_steps) >= REMEMBERED:
        _steps.clear()
    _steps[text] = step
    return step
