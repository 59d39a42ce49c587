"""What can be said of a round's irregularities, for cases and consoles: part of `PokerFacts`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.irregularities.state import Irregular, described
from croupier.table import Facts, Money

if TYPE_CHECKING:
    from croupier.poker.state import RoundState
    from croupier.poker.table import PokerTable


class ReadingFacts(Struct, kw_only=True):
    """The last reading of words and chips."""

    seat: int
    action: str
    to: Money
    back: Money
    owed: Money
    why: str


class IrregularFacts(Facts, kw_only=True):
    """What is out of the ordinary in this Round of play."""

    reading: ReadingFacts | None = None
    """What the last reported words and chips came to; `back` is change, `owed` is still to come."""
    held: dict[int, str] = {}
    """Acts out of turn that are held: `raise to 90`."""
    skipped: list[int] = []
    """Players who were passed over, have a hand and have not said so."""
    barred: dict[int, list[str]] = {}
    """Who may not bet or raise, and the paragraphs that say so."""
    shown_cards: dict[int, list[Card]] = {}
    """Hole Cards that players have shown before the Showdown."""
    shown_to_all: dict[int, list[Card]] = {}
    """Of these, what everybody has seen."""
    to_be_shown: dict[int, list[Card]] = {}
    """Of these, what everybody has yet a right to see."""
    early_choice: list[int] = []
    """Who decides, by folding or not, over a card that was exposed too early."""
    deal_again: str | None = None
    """The street whose missing cards are to be dealt again."""
    cards_aside: int = 0
    """Cards taken back that are not yet placed."""
    first_burn: Card | None = None
    """An exposed card that will be the burn before the flop."""
    stray: dict[int, list[Card]] = {}
    """Cards dealt to seats that have no Player."""
    noted: list[str] = []
    """What was reported and changed nothing."""
    rulings: list[str] = []


IRREGULAR_FACTS_OF_A_ROUND: Mapping[str, Callable[[PokerTable, RoundState], Any]] = {
    "cards_aside": lambda table, round_: len(round_.aside),
    "first_burn": lambda table, round_: round_.first_burn,
    "stray": lambda table, round_: {seat: list(cards) for seat, cards in round_.stray.items()},
}
"""How those facts are told that every Round of play has."""


def _reading(irregular: Irregular) -> ReadingFacts | None:
    read = irregular.reading
    if read is None:
        return None
    return ReadingFacts(
        seat=read.seat,
        action=read.action,
        to=read.to,
        back=read.back,
        owed=read.owed,
        why=read.why,
    )


def _to_be_shown(irregular: Irregular) -> dict[int, list[Card]]:
    to_come: dict[int, list[Card]] = {}
    for right in irregular.rights:
        to_come.setdefault(right.seat, []).extend(right.cards)
    return to_come


FACTS_OF_IRREGULARITIES: Mapping[str, Callable[[RoundState, Irregular], Any]] = {
    "reading": lambda round_, irregular: _reading(irregular),
    "held": lambda round_, irregular: {
        # What binds without an amount is told without one.
        seat: round_.betting.bound.get(seat) or described(act)
        for seat, act in irregular.held.items()
    },
    "skipped": lambda round_, irregular: [
        skip.seat
        for skip in irregular.skips
        if round_.players[skip.seat].active and not skip.has_acted(round_.acts)
    ],
    "barred": lambda round_, irregular: {
        seat: list(dict.fromkeys(p for bar in bars for p in bar.cites))
        for seat, bars in irregular.bars.items()
    },
    "shown_cards": lambda round_, irregular: {
        seat: list(cards) for seat, cards in irregular.shown.items()
    },
    "shown_to_all": lambda round_, irregular: {
        seat: seen
        for seat, cards in irregular.shown.items()
        if (seen := [c for c in cards if c in round_.players[seat].exposed])
    },
    "to_be_shown": lambda round_, irregular: _to_be_shown(irregular),
    "early_choice": lambda round_, irregular: list(
        dict.fromkeys(seat for early in irregular.held_early for seat in early.affected)
    ),
    "deal_again": lambda round_, irregular: next(iter(irregular.deal_again), None),
    "noted": lambda round_, irregular: list(irregular.notes),
    "rulings": lambda round_, irregular: list(irregular.rulings),
}
"""How those facts are told that only a Round of play has in which something was irregular."""
