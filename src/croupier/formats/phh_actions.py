"""The actions of a PHH hand: `d dh p1 AsKs`, `p3 cbr 60`, `p2 sm QhQd`, each with its remark."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Literal

from msgspec import Struct

from croupier.cards import Card, CardError, read_cards
from croupier.formats.errors import FormatError

Verb = Literal["hole", "board", "fold", "call", "wager", "show", "muck", "note"]

MOST = 10**15
"""A limit on amounts, in cents: more than all the money there is."""
REMEMBERED = 20_000
"""How many actions are remembered as they were read; `p3 f` is in every other hand."""

UNKNOWN = Card.UNKNOWN


class PhhAction(Struct, frozen=True):
    """One entry of `actions`."""

    verb: Verb
    player: int = -1
    """Counted from 0; -1 for the board and for a remark by itself."""
    amount: int = 0
    """The total of a wager, in cents."""
    cards: tuple[Card, ...] = ()
    """Dealt or shown; at a show, nothing means the cards as dealt."""
    note: str = ""


def cents(value: object, what: str) -> int:
    """Whole cents of an amount: an integer or a decimal number of units."""
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > MOST // 100:
            raise FormatError(f"{what}: the number is too large")
        return value * 100
    if not isinstance(value, Decimal):
        raise FormatError(f"{what}: an amount is a number, not {_short(value)}")
    if not value.is_finite():
        raise FormatError(f"{what}: {value} is no amount")
    if value.adjusted() > 13:
        raise FormatError(f"{what}: the number is too large")
    if value.adjusted() < -20 and value:
        raise FormatError(f"{what}: {_short(value)} has parts of a cent")
    hundredfold = value * 100
    whole = int(hundredfold)
    if whole != hundredfold:
        raise FormatError(f"{what}: {_short(value)} has parts of a cent")
    return whole


def _short(value: object) -> str:
    text = repr(value) if not isinstance(value, Decimal) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


_read: dict[str, PhhAction] = {}


def read_action(text: object, players: int) -> PhhAction:
    """Read one entry; an error says what is wrong with it."""
    action = _read.get(text) if type(text) is str else None
    if action is None:
        if not isinstance(text, str):
            raise FormatError(f"an action is a text such as 'p3 f', not {_short(text)}")
        action = _parse(text)
        if len(_read) >= REMEMBERED:
            _read.clear()
        _read[text] = action
    if action.player >= players:
        raise FormatError(f"{text!r}: there are {players} players")
    return action


def _parse(text: str) -> PhhAction:
    said, mark, note = text.partition("#")
    note = note.removeprefix(" ") if mark else ""
    words = said.split()
    match words:
        case []:
            if not mark:
                raise FormatError("an empty action")
            return PhhAction("note", note=note or " ")
        case ["d", "db", cards]:
            return PhhAction("board", cards=_cards(cards, text), note=note)
        case ["d", "dh", player, cards]:
            return PhhAction("hole", _player(player, text), cards=_cards(cards, text), note=note)
        case [player, "f"]:
            return PhhAction("fold", _player(player, text), note=note)
        case [player, "cc"]:
            return PhhAction("call", _player(player, text), note=note)
        case [player, "cbr", amount]:
            try:
                number: object = int(amount) if amount.isdecimal() else Decimal(amount)
            except (ValueError, InvalidOperation):
                raise FormatError(f"{_short(text)}: {_short(amount)} is no amount") from None
            to = cents(number, _short(text))
            if to <= 0:
                raise FormatError(f"{_short(text)}: a wager is more than nothing")
            return PhhAction("wager", _player(player, text), to, note=note)
        case [player, "sm"]:
            return PhhAction("muck", _player(player, text), note=note)
        case [player, "sm", "-"]:
            return PhhAction("show", _player(player, text), note=note)
        case [player, "sm", cards]:
            return PhhAction("show", _player(player, text), cards=_cards(cards, text), note=note)
        case _:
            raise FormatError(
                f"{_short(text)} is no action of hold'em: d dh pN CARDS, d db CARDS, pN f, pN cc, "
                "pN cbr AMOUNT, pN sm [CARDS or -]"
            )


def _player(word: str, text: str) -> int:
    number = word[1:]
    if word[:1] != "p" or not (number.isascii() and number.isdecimal()) or not 0 < len(number) < 3:
        raise FormatError(f"{_short(text)}: {_short(word)} is no player; write p1, p2 and so on")
    if number[0] == "0":
        raise FormatError(f"{_short(text)}: players are counted from p1")
    return int(number) - 1


def _cards(word: str, text: str) -> tuple[Card, ...]:
    try:
        cards = read_cards(word)
    except CardError as error:
        raise FormatError(f"{_short(text)}: {error}") from None
    return cards


def write_amount(amount: int) -> str:
    """Cents as PHH writes amounts: `60`, `2.50`."""
    units, rest = divmod(abs(amount), 100)
    sign = "-" if amount < 0 else ""
    return f"{sign}{units}.{rest:02}" if rest else f"{sign}{units}"
