"""PHH written: a hand as its fields, and fields as the text of `.phh` and `.phhs` files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from croupier.formats.errors import FormatError
from croupier.formats.hand import Act, Hand, Player
from croupier.formats.phh import VARIANT
from croupier.formats.phh_actions import write_amount
from croupier.formats.phh_own import BESIDE, amount, own_fields, own_posts
from croupier.formats.side_data import Beside, encode

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile("[^'\x00-\x08\x0a-\x1f\x7f]*")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def write_phh(hand: Hand, beside: Beside | None = None) -> str:
    """A hand as the text of a `.phh` file; `beside` is what a hand from another format holds and
    this one has no word for."""
    fields = fields_of_hand(hand)
    if beside is not None:
        fields.setdefault("_posts", own_posts(hand))
        fields[BESIDE] = encode(beside)
    return _lines(fields)


def write_phhs(hands: Iterable[Hand]) -> Iterator[str]:
    """Hands as the text of a `.phhs` collection, one piece for each."""
    for number, hand in enumerate(hands, 1):
        yield f"{'' if number == 1 else chr(10)}[{number}]\n{write_phh(hand)}"


def _lines(fields: dict[str, Any]) -> str:
    return "".join(f"{_key(key)} = {toml_value(value)}\n" for key, value in fields.items())


# -- a hand as fields --------------------------------------------------------------------------


def fields_of_hand(hand: Hand) -> dict[str, Any]:
    """The fields of a hand in the order of the format; what was `extra` is there again."""
    players = hand.players
    count = len(players)
    index = {player.seat: i for i, player in enumerate(players)}
    extra = hand.extra
    antes, blinds = _posts(hand, index)
    fields: dict[str, Any] = {"variant": VARIANT}
    if "ante_trimming_status" in extra:
        fields["ante_trimming_status"] = extra["ante_trimming_status"]
    fields["antes"] = antes
    fields["blinds_or_straddles"] = extra.get("blinds_or_straddles", blinds)
    fields["min_bet"] = amount(hand.big_blind)
    fields["starting_stacks"] = [_stack(player.stack) for player in players]
    actions, citations = _actions(hand, index)
    fields["actions"] = actions
    if "actions" in extra:
        citations = []  # the deal was told in a way of its own, which is kept
    if hand.room:
        fields["venue"] = hand.room
    fields |= _time_fields(hand)
    if hand.number != "":
        fields["hand"] = hand.number
    if [player.seat for player in players] != list(range(1, count + 1)):
        fields["seats"] = [player.seat for player in players]
    if hand.seats is not None:
        fields["seat_count"] = hand.seats
    if hand.table:
        fields["table"] = hand.table
    if any(player.name for player in players):
        fields["players"] = [player.name for player in players]
    if (finishing := _stated(players, "finishing")) is not None:
        fields["finishing_stacks"] = finishing
    if (winnings := _stated(players, "winnings")) is not None:
        fields["winnings"] = winnings
    if hand.currency:
        fields["currency"] = hand.currency
    if hand.symbol:
        fields["currency_symbol"] = hand.symbol
    return fields | extra | own_fields(hand, citations, _button(hand, index))


def _stack(value: int | None) -> int | Decimal:
    return Decimal("inf") if value is None else amount(value)


def _stated(players: tuple[Player, ...], name: str) -> list[int | Decimal] | None:
    values = [getattr(player, name) for player in players]
    if all(value is None for value in values):
        return None
    return [_stack(value) for value in values]


def _posts(hand: Hand, index: dict[int, int]) -> tuple[list[Any], list[Any]]:
    """Antes and Blinds by player; heads-up the Blinds stand the other way round."""
    antes = [0] * len(index)
    blinds = [0] * len(index)
    for post in hand.posts:
        if post.seat not in index:
            raise FormatError(f"a post of seat {post.seat}, which is not in the hand")
        (antes if post.kind == "ante" else blinds)[index[post.seat]] += post.amount
    if len(index) == 2:
        blinds.reverse()
    return [amount(value) for value in antes], [amount(value) for value in blinds]


def _button(hand: Hand, index: dict[int, int]) -> int:
    """The seat that the format takes for the button: the last, or heads-up the Small Blind."""
    players = hand.players
    if len(players) == 2:
        put = {player.seat: 0 for player in players}
        for post in hand.posts:
            if post.kind != "ante":
                put[post.seat] += post.amount
        first, last = players
        return last.seat if put[first.seat] >= put[last.seat] else first.seat
    return players[-1].seat


def _time_fields(hand: Hand) -> dict[str, Any]:
    when = hand.time
    if when is None or any(name in hand.extra for name in ("time", "day", "month", "year")):
        return {}
    fields: dict[str, Any] = {"time": when.time().replace(tzinfo=None)}
    if when.tzinfo is not None:
        key = getattr(when.tzinfo, "key", None)
        if key is not None:
            fields["time_zone"] = key
        else:
            fields["time_zone_abbreviation"] = when.tzname()
    return fields | {"day": when.day, "month": when.month, "year": when.year}


def _actions(hand: Hand, index: dict[int, int]) -> tuple[list[str], list[tuple[str, ...]]]:
    actions: list[str] = []
    cites: list[tuple[str, ...]] = []
    for i, player in enumerate(hand.players, 1):
        if player.cards:
            cards = "".join(card.value for card in player.cards)
            actions.append(_noted(f"d dh p{i} {cards}", player.note))
            cites.append(())
    for street in hand.streets:
        if street.cards:
            cards = "".join(card.value for card in street.cards)
            actions.append(_noted(f"d db {cards}", street.note))
            cites.append(())
        for act in street.acts:
            actions.append(_action(act, index))
            cites.append(act.cites)
    return actions, cites


def _action(act: Act, index: dict[int, int]) -> str:
    if act.do == "note":
        return f"# {act.note.strip()}" if act.note.strip() else "#"
    if act.seat not in index:
        raise FormatError(f"an action of seat {act.seat}, which is not in the hand")
    who = f"p{index[act.seat] + 1}"
    match act.do:
        case "fold":
            said = f"{who} f"
        case "check" | "call":
            said = f"{who} cc"
        case "bet" | "raise":
            said = f"{who} cbr {write_amount(act.to)}"
        case "muck":
            said = f"{who} sm"
        case _:
            cards = "".join(card.value for card in act.cards)
            said = f"{who} sm {cards or '-'}"
    return _noted(said, act.note)


def _noted(said: str, note: str) -> str:
    return f"{said} # {note}" if note else said


# -- fields as text ----------------------------------------------------------------------------


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def toml_value(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(str(k))} = {toml_value(v)}" for k, v in value.items())
        return f"{{{pairs}}}"
    raise FormatError(f"{type(value).__name__} cannot be written in PHH")


def _decimal(value: Decimal) -> str:
    if value.is_nan():
        return "nan"
    if value.is_infinite():
        return "inf" if value > 0 else "-inf"
    text = str(value).lower()
    # TOML tells a float by its point or exponent; without either it would come back an integer.
    return text if "." in text or "e" in text else f"{text}.0"


def _string(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return f"'{text}'"
    out = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif char < " " or char == "\x7f":
            out.append(f"\\u{ord(char):04x}")
        else:
            out.append(char)
    return f'"{"".join(out)}"'
