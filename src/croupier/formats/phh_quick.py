"""Plain PHH hands read at once for a replay, without the way over fields and `Hand`.

Collections hold millions of hands that all look alike: the fields in the order in which the format
lists them, one plain value on each line, two Blinds in full. `read_quick` takes from the text of
such a hand what a replay needs and sees that the rest is in order; anything else is None and left
to the careful reader. What the quick reader gives is what
`script_of(hand_of(strict_fields(text)))` gives, but that it leaves `cc` to the table, which knows
whether it is a Check or a Call.
"""

from __future__ import annotations

import re

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.formats.errors import FormatError
from croupier.formats.phh import PLAYERS
from croupier.formats.phh_actions import read_action
from croupier.formats.phh_play import ACTIONS
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

REMEMBERED = 20_000
"""How many actions, amounts and lists are remembered with their meaning."""

_TEXT = r"'[^'\x00-\x1f\x7f]*'"
_ITEM = r"'[^'\"\\\x00-\x1f\x7f]*'"
_HAND = re.compile(
    r"variant = 'NT'\n"
    r"(?:ante_trimming_status = (?:true|false)\n)?"
    r"antes = (\[0(?:, 0)*\])\n"
    r"blinds_or_straddles = (\[[\d., ]+\])\n"
    r"min_bet = ([\d.]+)\n"
    r"starting_stacks = \[([\d., ]+)\]\n"
    r"actions = (\[[^\x00-\x1f\x7f]*\])\n"
    rf"(?:venue = {_TEXT}\n)?"
    r"(?:time = (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\n)?"
    r"(?:day = [1-9]\d?\n)?(?:month = [1-9]\d?\n)?(?:year = [1-9]\d{3}\n)?"
    rf"(?:hand = (?:{_TEXT}|0|[1-9]\d{{0,17}})\n)?"
    r"(?:seats = (\[[1-9]\d{0,2}(?:, [1-9]\d{0,2})*\])\n)?"
    rf"(?:table = {_TEXT}\n)?"
    rf"(?:players = (\[{_ITEM}(?:, {_ITEM})*\])\n)?"
    r"(?:finishing_stacks = \[([\d., ]+)\](?:\n|\Z))?"
    r"(?:winnings = \[([\d., ]+)\](?:\n|\Z))?"
    rf"(?:currency = {_TEXT}(?:\n|\Z))?(?:currency_symbol = {_TEXT}(?:\n|\Z))?"
    rf"(?:time_zone_abbreviation = {_TEXT}(?:\n|\Z))?\n*"
)
_AMOUNT = re.compile(r"(0|[1-9]\d{0,12})(?:\.(\d\d?))?")


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
_blinds: dict[tuple[str, str, str], tuple[int, int, int] | None] = {}
_seats: dict[str, int] = {}


def read_quick(text: str) -> Quick | None:
    """Read a plain hand; None for any other."""
    match = _HAND.fullmatch(text)
    if match is None:
        return None
    antes, posts, least, stakes, actions, seats, players, ends, wins = match.groups()
    key = (antes, posts, least)
    blinds = _blinds[key] if key in _blinds else _read_blinds(key)
    stacks = _cents(stakes)
    if blinds is None or stacks is None:
        return None
    count, small, big = blinds
    if len(stacks) != count or min(stacks) <= big:
        return None
    if seats is not None and (_seats.get(seats) or _count_seats(seats)) != count:
        return None
    if players is not None and players.count("', '") != count - 1:
        return None
    finishing = winnings = None
    if ends is not None:
        finishing = _cents(ends)
        if finishing is None or len(finishing) != count:
            return None
    if wins is not None:
        winnings = _cents(wins)
        if winnings is None or len(winnings) != count:
            return None
    return Quick(count, small, big, stacks, actions, finishing, winnings)


def _read_blinds(key: tuple[str, str, str]) -> tuple[int, int, int] | None:
    """How many players, Small Blind and Big Blind, where nothing else was posted."""
    antes, posts, least = key
    values, smallest = _cents(posts[1:-1]), _cents(least)
    found = None
    if values is not None and smallest is not None:
        count = len(values)
        small, big, *others = [*values, 0, 0]
        if (
            2 <= count <= PLAYERS
            and antes.count("0") == count
            and 0 < small < big == smallest[0]
            and not any(others)
        ):
            found = (count, small, big)
    if len(_blinds) >= REMEMBERED:
        _blinds.clear()
    _blinds[key] = found
    return found


def _count_seats(seats: str) -> int:
    """How many seats are named, if none is twice; else -1."""
    named = seats[1:-1].split(", ")
    count = len(named) if len(set(named)) == len(named) else -1
    if len(_seats) >= REMEMBERED:
        _seats.clear()
    _seats[seats] = count
    return count


def _cents(numbers: str) -> list[int] | None:
    """Cents from plain amounts; None if any is not."""
    known = _amounts
    texts = numbers.split(", ")
    amounts = [known.get(text) for text in texts]
    if None not in amounts:
        return amounts  # type: ignore[return-value]
    for place, text in enumerate(texts):
        if amounts[place] is None:
            match = _AMOUNT.fullmatch(text)
            if match is None:
                return None
            cents = int(match[1]) * 100
            if match[2] is not None:
                cents += int(match[2].ljust(2, "0"))
            if len(known) >= REMEMBERED:
                known.clear()
            known[text] = amounts[place] = cents
    return amounts  # type: ignore[return-value]


# -- the actions -------------------------------------------------------------------------------


class _NotPlain(Exception):
    """Leave this hand to the careful reader."""


_steps: dict[str, Step] = {}
_UNSEEN = [
    "[" + "".join(f"'d dh p{seat} ????', " for seat in range(1, count + 1))
    for count in range(PLAYERS + 1)
]


def quick_script(quick: Quick) -> Script | None:
    """The script of a plain hand; None if its actions are not plain."""
    try:
        actions = quick.actions
        unseen = _UNSEEN[quick.count]
        # Nearly always the record begins with Hole Cards that nobody saw.
        actions = actions[len(unseen) :] if actions.startswith(unseen) else actions[1:]
        if actions[:1] != "'" or actions[-2:] != "']":
            return None
        texts = actions[1:-2].split("', '")  # a quote inside leaves something that is no action
        if len(texts) > ACTIONS:
            return None
        steps, cards = _quick_steps(texts, quick.count)
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
    actions: list[str], count: int
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


_CARDS = {card.value: card for card in DECK} | {"??": UNKNOWN}


def _quick_step(text: str) -> Step:
    """A step from its text. Those that come again and again are remembered."""
    if text[:5] == "d db ":
        if len(text) > 7:
            return board(_cards(text[5:], 3))
    elif text[2:6] == " sm " and text[6:] not in ("-", "????"):
        return Step(SHOW, _player(text), 0, None, None, _cards(text[6:], 2))
    elif text[:6] == "d dh p" and text[-4:] != "????":
        cards = _cards(text[8:] if text[7:8] == " " else "", 2)
        return Step(HOLE, _player(text[5:]), 0, None, None, cards)
    step = _usual_step(text)
    if len(_steps) >= REMEMBERED:
        _steps.clear()
    _steps[text] = step
    return step


def _player(text: str) -> int:
    """The number of a player from p1 to p9; the tenth is left to the careful reader."""
    if text[0] != "p" or text[1] not in "123456789":
        raise _NotPlain
    return int(text[1])


def _cards(text: str, count: int) -> tuple[Card, ...]:
    """So many cards, as the format writes them."""
    if len(text) != 2 * count:
        raise _NotPlain
    try:
        return tuple([_CARDS[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError:
        raise _NotPlain from None


def _usual_step(text: str) -> Step:
    action = read_action(text, PLAYERS)
    seat = action.player + 1
    cards = action.cards
    match action.verb:
        case "fold":
            return FOLDS[seat]
        case "call":
            return CHECK_OR_CALLS[seat]
        case "wager":
            return wager(seat, action.amount)
        case "board" if len(cards) == 1:
            return board(cards)
        case "hole" if len(cards) == 2:
            return Step(HOLE, seat, 0, None, None, cards)
        case "show" if len(cards) in (0, 2):
            return Step(SHOW, seat, 0, None, None, cards)
        case "muck":
            return Step(MUCK, seat)
        case _:
            raise _NotPlain
