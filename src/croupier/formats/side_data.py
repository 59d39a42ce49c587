"""What a hand holds beside its play, and travels with it through a format that has no word for it.

Every format says the play in its own words: who had what, who did what, the cards that lay open,
who won. What it has no word for (paragraphs, rulings, remarks, the name of the room, cards that
nobody was shown) goes into one field of ours that other readers pass over: `_beside` in PHH,
`_croupier.beside` in OHH, a line of chat in PokerStars-style text. So a hand that is converted
there and back is the hand that it was; `croupier.formats.convert` proves it for each one.
"""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.hand import Act, Hand, Player, Pot, Ruling, Street, Uncalled

WHO = "croupier"
"""Who speaks the line of chat in PokerStars-style text."""
_OPENS = f'{WHO} said, "'
PLAYS = ("fold", "check", "call", "bet", "raise")
"""What an Action is; everything else on a street is shown, mucked or remarked."""


class PlayerBeside(Struct, omit_defaults=True):
    """What a format did not say of a player."""

    name: str | UnsetType = UNSET
    finishing: int | UnsetType | None = UNSET
    winnings: int | UnsetType | None = UNSET
    cards: tuple[str, ...] | UnsetType = UNSET
    note: str | UnsetType = UNSET


class Aside(Struct, array_like=True):
    """Something on a street that is no Action, or a remark and paragraphs on an Action: where it
    stands among everything on that street."""

    street: int
    at: int
    do: str
    seat: int = 0
    cards: tuple[str, ...] = ()
    note: str = ""
    cites: tuple[str, ...] = ()
    chips: tuple[int, int, bool] | None = None
    """`to`, `by` and `all_in` of an Action, where the format gives it without an amount and they do
    not follow: v8 has a call of a short All-in come to more than that All-in."""


class Beside(Struct, omit_defaults=True):
    """The fields of a hand that a format did not say, by the names of `Hand`."""

    number: str | int | UnsetType = UNSET
    room: str | UnsetType = UNSET
    table: str | UnsetType = UNSET
    time: datetime | UnsetType | None = UNSET
    currency: str | UnsetType = UNSET
    symbol: str | UnsetType = UNSET
    seats: int | UnsetType | None = UNSET
    button: int | UnsetType = UNSET
    small_blind: int | UnsetType = UNSET
    pots: tuple[Pot, ...] | UnsetType = UNSET
    uncalled: tuple[Uncalled, ...] | UnsetType = UNSET
    winnings_hold_uncalled: bool | UnsetType | None = UNSET
    rake: int | UnsetType | None = UNSET
    rulebook: str | UnsetType = UNSET
    policies: dict[str, str] | UnsetType = UNSET
    cites: tuple[str, ...] | UnsetType = UNSET
    rulings: tuple[Ruling, ...] | UnsetType = UNSET
    voided: str | UnsetType = UNSET
    restarts: int | UnsetType = UNSET
    extra: Any = UNSET
    order: tuple[int, ...] | UnsetType = UNSET
    """The seats in the order of `Hand.players`."""
    players: dict[int, PlayerBeside] | UnsetType = UNSET
    streets: tuple[Aside, ...] | UnsetType = UNSET
    opened: dict[int, str] | UnsetType = UNSET
    """The remarks on the deal of each street."""


_FIELDS = tuple(
    name
    for name in Beside.__struct_fields__
    if name not in ("extra", "order", "players", "streets", "opened")
)
_OF_PLAYER = ("name", "finishing", "winnings", "note")


# -- what was not said -----------------------------------------------------------------------------


def beside_of(hand: Hand, said: Hand) -> Beside | None:
    """What `hand` holds and `said`, which is what a format made of it, does not; None for
    nothing."""
    found = Beside()
    for name in _FIELDS:
        if getattr(hand, name) != getattr(said, name):
            setattr(found, name, getattr(hand, name))
    if hand.extra != said.extra:
        found.extra = tagged(hand.extra)
    order = tuple(player.seat for player in hand.players)
    if order != tuple(player.seat for player in said.players):
        found.order = order
    players = {p.seat: _of_player(p, q) for p in hand.players for q in said.players if _same(p, q)}
    players = {seat: more for seat, more in players.items() if more != PlayerBeside()}
    if players:
        found.players = players
    if _everything(hand) != _everything(said):
        found.streets = tuple(_asides(hand, said))
    opened = {number: s.note for number, s in enumerate(hand.streets) if s.note}
    if opened != {number: s.note for number, s in enumerate(said.streets) if s.note}:
        found.opened = opened
    return None if found == Beside() else found


def _same(one: Player, other: Player) -> bool:
    return one.seat == other.seat


def _of_player(player: Player, said: Player) -> PlayerBeside:
    found = PlayerBeside()
    for name in _OF_PLAYER:
        if getattr(player, name) != getattr(said, name):
            setattr(found, name, getattr(player, name))
    if player.cards != said.cards:
        found.cards = tuple(card.value for card in player.cards)
    return found


def _everything(hand: Hand) -> list[tuple[Any, ...]]:
    """Every act in order; what is in front of whoever folds or checks says nothing new."""
    return [
        (number, act.do, act.seat, act.cards, act.note, act.cites, _chips(act))
        for number, street in enumerate(hand.streets)
        for act in street.acts
    ]


def _chips(act: Act) -> tuple[int, int, bool] | None:
    return (act.to, act.by, act.all_in) if act.do in ("call", "bet", "raise") else None


def _asides(hand: Hand, said: Hand) -> list[Aside]:
    found = []
    for number, street in enumerate(hand.streets):
        others = said.streets[number].acts if number < len(said.streets) else ()
        plays = iter([act for act in others if act.do in PLAYS])
        for at, act in enumerate(street.acts):
            chips = None
            if act.do in PLAYS:
                other = next(plays, None)
                chips = _chips(act) if other is None or _chips(other) != _chips(act) else None
                if not (act.note or act.cites or chips):
                    continue
            cards = tuple(card.value for card in act.cards)
            do = "" if act.do in PLAYS else act.do
            found.append(Aside(number, at, do, act.seat, cards, act.note, act.cites, chips))
    return found


# -- said again ------------------------------------------------------------------------------------


def with_beside(hand: Hand, beside: Beside) -> Hand:
    """A hand as a format says it, with what was kept beside it."""
    changes = {name: value for name in _FIELDS if (value := getattr(beside, name)) is not UNSET}
    if beside.extra is not UNSET:
        changes["extra"] = untagged(beside.extra)
    players = {player.seat: player for player in hand.players}
    for seat, more in ({} if beside.players is UNSET else beside.players).items():
        if seat in players:
            players[seat] = _player(players[seat], more)
    order = tuple(players) if beside.order is UNSET else beside.order
    if sorted(order) != sorted(players):
        raise FormatError("the order of players names other seats than the hand", place=WHO)
    changes["players"] = tuple(players[seat] for seat in order)
    streets = hand.streets
    if beside.streets is not UNSET:
        streets = tuple(
            _street(street, [a for a in beside.streets if a.street == number])
            for number, street in enumerate(streets)
        )
    if beside.opened is not UNSET:
        streets = tuple(
            structs.replace(street, note=beside.opened.get(number, ""))
            for number, street in enumerate(streets)
        )
    return structs.replace(hand, streets=streets, **changes)


def _player(player: Player, more: PlayerBeside) -> Player:
    changes: dict[str, Any] = {
        name: value for name in _OF_PLAYER if (value := getattr(more, name)) is not UNSET
    }
    if more.cards is not UNSET:
        changes["cards"] = tuple(Card(card) for card in more.cards)
    return structs.replace(player, **changes)


def _street(street: Street, asides: list[Aside]) -> Street:
    """The Actions of a street, with what stands between them and beside them."""
    plays = [act for act in street.acts if act.do in PLAYS]
    acts: list[Act] = []
    for aside in sorted(asides, key=lambda aside: aside.at):
        while len(acts) < aside.at and plays:
            acts.append(plays.pop(0))
        if aside.do:
            cards = tuple(Card(card) for card in aside.cards)
            made: Any = aside.do
            acts.append(
                Act(seat=aside.seat, do=made, cards=cards, note=aside.note, cites=aside.cites)
            )
        elif plays:
            act = structs.replace(plays.pop(0), note=aside.note, cites=aside.cites)
            if aside.chips is not None:
                to, by, all_in = aside.chips
                act = structs.replace(act, to=to, by=by, all_in=all_in)
            acts.append(act)
    return structs.replace(street, acts=(*acts, *plays))


# -- as text ---------------------------------------------------------------------------------------


def encode(beside: Beside) -> str:
    """As JSON without a blank in it."""
    return msgspec.json.encode(beside).decode().replace(" ", "\\u0020")


def decode(text: str, place: str) -> Beside:
    """Read it again; `place` is where it stood."""
    try:
        return msgspec.json.decode(text, type=Beside)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError(f"what croupier wrote there is not whole: {error}", place=place) from None


def chat_line(beside: Beside) -> str:
    """A line of chat, which every reader of PokerStars-style text passes over. It holds no blank
    within its quotes, so that no part of it can be taken for an Action."""
    return f'{_OPENS}{encode(beside)}"'


def from_chat(line: str) -> str | None:
    """What a line of chat of ours holds; None for any other line."""
    inside = line.strip().removeprefix(_OPENS)
    if inside == line.strip() or not inside.startswith("{") or not inside.endswith('}"'):
        return None
    return inside[:-1]


_TAG = "$"


def tagged(value: Any) -> Any:
    """A value of TOML as JSON can hold it: times and decimals keep what they are."""
    match value:
        case dict():
            inside = {str(key): tagged(item) for key, item in value.items()}
            return {_TAG: ["dict", inside]} if _TAG in inside else inside
        case list() | tuple():
            return [tagged(item) for item in value]
        case Decimal():
            return {_TAG: ["decimal", str(value)]}
        case datetime():
            return {_TAG: ["datetime", value.isoformat()]}
        case date():
            return {_TAG: ["date", value.isoformat()]}
        case time():
            return {_TAG: ["time", value.isoformat()]}
        case _:
            return value


_READ: dict[str, Any] = {
    "dict": lambda inside: {key: untagged(item) for key, item in inside.items()},
    "decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
}


def untagged(value: Any) -> Any:
    """What `tagged` was given."""
    match value:
        case {"$": [str() as kind, inside]} if len(value) == 1 and kind in _READ:
            try:
                return _READ[kind](inside)
            except (ValueError, ArithmeticError, AttributeError, TypeError):
                raise FormatError(f"{str(inside)[:40]!r} is no {kind}", place=WHO) from None
        case dict():
            return {key: untagged(item) for key, item in value.items()}
        case list():
            return [untagged(item) for item in value]
        case _:
            return value
