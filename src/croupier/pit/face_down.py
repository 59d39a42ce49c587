"""A copy of a table on which nobody can find out what lies face down.

A virtual shoe knows every card, so a table can say of a report whether the card that it names lies
there. Whoever may try reports as often as he likes would learn by that what nobody may see: hands,
burns, the next card. So what is only tried is tried on a copy whose cards lie otherwise: those that
are open stay where they are, those that lie face down change places, always into the same order,
whatever their true one is. Nothing that follows from such a copy can tell anything about it.

A report that names a card which lies face down is ruled on as if it were true: on that copy the
card lies where the report says, if one can lie there at all. Whether it is true is found out once,
when the report is really made (`croupier.house.untrue_reports`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from croupier.cards import DECK, Card, Shoe
from croupier.pit.registry import GAMES
from croupier.table import Command, Decide, ShuffleNeeded, Table
from croupier.table.cards_in import cards_in
from croupier.table.conversation import State
from croupier.table.reports import BySeat, OneOf, SomeOf, Values

T = TypeVar("T", bound=Table[Any])
Renamed = Mapping[Card, Card]
ORDER = {card: place for place, card in enumerate((*DECK, Card.UNKNOWN))}


def open_to_all(table: Table[Any]) -> frozenset[Card]:
    """The cards of a table whose place everybody knows; one that went back to the shoe is not."""
    found = frozenset(GAMES.port_of(table).open_cards(table))
    return found if _is_shuffled_anew(table) else found - {*_in_the_shoe(table)}


def _in_the_shoe(table: Table[Any]) -> list[Card]:
    shoe: Shoe | None = getattr(table.state, "shoe", None)
    return shoe.order if shoe is not None else []


def hidden_cards_named(table: Table[Any], command: Command) -> tuple[Card, ...]:
    """The cards that a command names though they do not lie open."""
    named = dict.fromkeys(cards_in(command))
    if isinstance(command, Decide):
        named |= dict.fromkeys(_cards_in_words(command.details.values()))
    if not named:
        return ()
    known = open_to_all(table)
    return tuple(card for card in named if card not in known)


def _cards_in_words(details: Iterable[Any]) -> Iterator[Card]:
    """Details of a decision come as text: `Kh`, or `Kh 7d`."""
    codes = {card.value: card for card in DECK}
    for said in details:
        words = said if isinstance(said, list | tuple) else [said]
        for word in (w for each in words if isinstance(each, str) for w in _words(each)):
            if word in codes:
                yield codes[word]


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


ORDERS: tuple[tuple[Card, ...], ...] = (
    DECK,
    DECK[::-1],
    tuple(sorted(DECK, key=lambda card: (-card.rank.order, card.suit.order))),
)
"""Orders in which hidden cards lie on a copy: one suit after another, up and down, and all of one
rank together. What is ruled alike in all of them does not depend on what lies face down."""


def without_hidden(
    table: T, command: Command | None = None, order: tuple[Card, ...] = ORDERS[0]
) -> T:
    """The table with the cards that lie face down in an order that says nothing; with a report,
    those that it names lie where it says."""
    known = open_to_all(table)
    if _is_shuffled_anew(table):
        made = _renamed(table, _in_order(cards_in(_beside_the_shoe(table)), known, order))
        shoe = table.state.shoe
        names = _in_order(_of_the_shoe(shoe), frozenset(), order)
        made.state.shoe = _walk(shoe, names, State)
    else:
        made = _renamed(table, _in_order(_known_cards(table), known, order))
    if command is not None:
        for swapped in _as_it_says(made, command, known):
            made = _renamed(made, swapped)
    return made


def _in_order(lying: Iterable[Card], known: frozenset[Card], order: tuple[Card, ...]) -> Renamed:
    """The first card that lies face down becomes the first that can lie so, and so on."""
    hidden = [card for card in order if card not in known]
    first = [card for card in dict.fromkeys(lying) if card not in known]
    rest = [card for card in hidden if card not in first]
    return dict(zip([*first, *rest], hidden, strict=True))


def _known_cards(table: Table[Any]) -> list[Card]:
    """Every card that the table knows, in the order in which they are drawn: that order says
    nothing about which they are."""
    shoe = getattr(table.state, "shoe", None)
    return list(_of_the_shoe(shoe)) if shoe is not None else list(cards_in(table.state))


def _of_the_shoe(shoe: Shoe) -> Iterator[Card]:
    return cards_in((shoe.drawn, shoe.burnt, shoe.order))


def _beside_the_shoe(table: Table[Any]) -> list[Any]:
    """What the table remembers of cards, without the shoe and without what it asks for."""
    fields = table.state.__struct_fields__
    return [getattr(table.state, f) for f in fields if f not in ("shoe", "waiting")]


def _is_shuffled_anew(table: Table[Any]) -> bool:
    """Whether no card has been drawn since the last shuffle: whatever the table remembers of cards
    is then of a deal before it, and has nothing to do with how they lie now."""
    shoe = getattr(table.state, "shoe", None)
    return shoe is not None and not shoe.drawn and not shoe.burnt


def named_without_place(table: Table[Any], command: Command) -> frozenset[Card]:
    """Hidden cards that a report names without saying where they lie, as one that was seen in the
    cut: where they lie on a copy is made up, and is not told."""
    kind = table.whole.reports.get(type(command))
    if kind is None:
        return frozenset()
    hidden = set(hidden_cards_named(table, command))
    for cards, lying in _lying(list(kind.candidates(table)), command):
        if not {*DECK} <= {*lying}:
            hidden -= {*cards}
    return frozenset(hidden)


# -- as a report says -----------------------------------------------------------------------------


def _as_it_says(table: Table[Any], command: Command, known: frozenset[Card]) -> Iterator[Renamed]:
    """Which cards change places, one pair after another, so that what is named lies there."""
    kind = table.whole.reports.get(type(command))
    if kind is None:
        return
    named = set(cards_in(command))
    free = [card for card in DECK if card not in known and card not in named]
    out = set(_known_cards(table))
    taken: set[Card] = set()
    for cards, lying in _lying(list(kind.candidates(table)), command):
        wanted = [card for card in cards if card not in known and card not in lying]
        there = [card for card in lying if card in free and card not in taken]
        unseen = [card for card in free if card not in out and card not in taken]
        for card in wanted:
            # A card of a real shoe that nobody has seen is looked for where `??` lies.
            other = next(iter(there), None)
            if other is None and Card.UNKNOWN in lying and card in out:
                other = next(iter(unseen), None)
            if other is None:
                continue
            there = [each for each in there if each is not other]
            unseen = [each for each in unseen if each is not other]
            taken |= {card, other}
            yield {card: other, other: card}


def _lying(
    alternatives: list[Mapping[str, Values]], command: Command
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The cards that a report names, by place, with those that lie there."""
    alternatives = [each for each in alternatives if _is_about(each, command)] or alternatives
    for field in command.__struct_fields__:
        said = getattr(command, field)
        fields = [each[field] for each in alternatives if field in each]
        if isinstance(said, Card):
            held = [v.values for v in fields if isinstance(v, OneOf)]
            yield (said,), tuple(dict.fromkeys(c for cards in held for c in cards))
        elif isinstance(said, dict):
            for place, cards in said.items():
                lying = (v.values.get(place, ()) for v in fields if isinstance(v, BySeat))
                yield tuple(cards_in(cards)), next((c for c in lying if c), ())
        elif cards := tuple(cards_in(said)):
            lying = (v.values for v in fields if isinstance(v, SomeOf))
            yield cards, max(lying, key=len, default=())


def _is_about(fields: Mapping[str, Values], command: Command) -> bool:
    """Whether this alternative is about the same seat or box as the report."""
    singles = ((n, v) for n, v in fields.items() if isinstance(v, OneOf))
    return all(
        v.holds(getattr(command, n)) or any(isinstance(one, Card) for one in v.values)
        for n, v in singles
    )


# -- other names for the same cards ---------------------------------------------------------------


def _renamed(table: T, names: Renamed) -> T:
    """The table with some cards under other names, wherever it speaks of them."""
    made = type(table)(table.book)
    made.state = _walk(table.state, names, type(table.state))
    return made


_PLAIN = frozenset({int, bool, float, type(None)})


def _walk(record: Any, names: Renamed, state: type[State]) -> Any:
    if type(record) in _PLAIN:
        return record
    match record:
        case Card():
            return names.get(record, record)
        case Struct():
            return _struct(record, names, state)
        case dict():
            return {_walk(k, names, state): _walk(v, names, state) for k, v in record.items()}
        case list():
            return [_walk(each, names, state) for each in record]
        case tuple():
            # The deck itself is no order of anything.
            return record if record == DECK else tuple(_walk(e, names, state) for e in record)
        case bytes() if (kept := _kept(record, state)) is not None:
            return msgspec.json.encode(_walk(kept, names, state))
        case str() if (kept := _kept(record, state)) is not None:
            return msgspec.json.encode(_walk(kept, names, state)).decode()
        case _:
            return record


def _kept(text: bytes | str, state: type[State]) -> State | None:
    """A table that a table remembers, as it stood before a ruling or an act; None for other words:
    a name or what somebody said may begin as such a record does."""
    if text[:1] not in (b"{", "{"):
        return None
    try:
        return msgspec.json.decode(text, type=state)
    except msgspec.DecodeError:
        return None


def _struct(record: Struct, names: Renamed, state: type[State]) -> Struct:
    changed = {}
    for field in record.__struct_fields__:
        old = getattr(record, field)
        new = _walk(old, names, state)
        if new is not old:
            changed[field] = new
    if isinstance(record, ShuffleNeeded):  # asked for in the order of the deck, which says nothing
        cards = changed.get("cards", record.cards)
        changed["cards"] = tuple(sorted(cards, key=ORDER.__getitem__))
    return structs.replace(record, **changed)
