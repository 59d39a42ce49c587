"""What a dealer may enter at a hand-dealt table now: the records.

A game offers dealing steps in the book's order, what may have gone otherwise with them, and what
players may be seen to do. Whether the table would hear each of them is found by trying
(`entries_now`); so whoever shows them knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.table import ActorRank, BadCommand, Command, Money, Order, Table

Kind = Literal["step", "mend", "otherwise", "act", "people"]
"""A dealing step; one that completes what the dealer left undone, before any other; one that went
wrong; what a player was seen to do; who comes, goes, brings."""

FieldKind = Literal["cards", "money", "chips", "choice", "flag", "text"]


class EntryField(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to be said with a command."""

    name: str
    kind: FieldKind
    ask: str
    needed: bool = True
    """Whether nothing can be entered without it; else it stands among the finer points."""
    count: int = 0
    """How many cards."""
    least: Money | None = None
    most: Money | None = None
    values: tuple[str, ...] = ()
    """What may be chosen; the empty word is for none of them."""
    usual: Any = None
    """What is meant where nothing is said."""
    trial: Any = None
    """What stands there while it is tried whether the table would hear it."""


class DealerAct(Struct, frozen=True, kw_only=True):
    """Something that a dealer may enter, and the command that says it."""

    kind: Kind
    says: str
    command: Command
    key: str = ""
    """The letter by which it is entered; the first step needs none."""
    seat: int | None = None
    """At which seat or box, where it is about one."""
    fields: tuple[EntryField, ...] = ()
    word: bool = False
    """Whether it needs the player's own word: the PIN, or cash."""

    def tried(self) -> Command:
        """The command as it is tried."""
        said = {field.name: field.trial for field in self.fields if field.trial is not None}
        return structs.replace(self.command, **said) if said else self.command


class DealerSeat(Struct, frozen=True, kw_only=True):
    """One seat or box as everybody at the table sees it."""

    seat: int
    player: str = ""
    """Nobody, where it is free."""
    chips: Money | None = None
    bets: dict[str, Money] = {}
    """What lies there, by the name of the bet."""
    cards: tuple[Card, ...] = ()
    says: str = ""
    """How it stands, in a word or two."""
    marks: tuple[str, ...] = ()
    """Such as the button."""


class DealerView(Struct, frozen=True, kw_only=True):
    """The table as its dealer sees it: only what lies face up."""

    seats: tuple[DealerSeat, ...]
    awaited: tuple[int, ...] = ()
    """The seats or boxes whose player is to act, in their order."""
    board: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    """The cards before the dealer, where the game has such."""
    pot: Money | None = None
    chips: tuple[Money, ...] = ()
    """The denominations in play, where they count."""
    real: bool = False
    """Whether the cards are real ones, so that they are entered as they turn up."""


def entries_now(
    table: Table[Any], candidates: Iterable[DealerAct], rank: ActorRank, when: datetime
) -> Iterator[DealerAct]:
    """Which of the candidates the table would hear now, in their order; nothing happens."""
    for act in candidates:
        order = Order(command=act.tried(), who=rank.value, rank=rank, when=when)
        try:
            refused = table.objection(order)
        except BadCommand:
            continue
        if refused is None:
            yield act


def cards_field(name: str, ask: str, count: int, unseen: tuple[Card, ...]) -> EntryField:
    """Cards of a real shoe that are turned up; it is tried with some that could be."""
    return EntryField(name=name, kind="cards", ask=ask, count=count, trial=unseen[:count])


def known(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Those that lie face up."""
    return tuple(card for card in cards if card.is_known)
