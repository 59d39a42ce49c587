"""What can be said of a round's irregularities, for cases and consoles: part of `PokerFacts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.irregularities.state import described
from croupier.table import Facts, Money

if TYPE_CHECKING:
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
    """Players who were passed over and have not said so."""
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


def irregular_facts(table: PokerTable) -> dict[str, Any]:
    """The values of those facts."""
    round_ = table.state.round
    if round_ is None:
        return {}
    found: dict[str, Any] = {
        "cards_aside": len(round_.aside),
        "first_burn": round_.first_burn,
        "stray": {seat: list(cards) for seat, cards in round_.stray.items()},
    }
    irregular = round_.irregular
    if irregular is None:
        return found
    read = irregular.reading
    if read is not None:
        found["reading"] = ReadingFacts(
            seat=read.seat,
            action=read.action,
            to=read.to,
            back=read.back,
            owed=read.owed,
            why=read.why,
        )
    to_come: dict[int, list[Card]] = {}
    for right in irregular.rights:
        to_come.setdefault(right.seat, []).extend(right.cards)
    found |= {
        "held": {seat: described(act) for seat, act in irregular.held.items()},
        "skipped": [skip.seat for skip in irregular.skips if not skip.has_acted],
        "barred": {
            seat: list(dict.fromkeys(p for bar in bars for p in bar.cites))
            for seat, bars in irregular.bars.items()
        },
        "shown_cards": {seat: list(cards) for seat, cards in irregular.shown.items()},
        "shown_to_all": {
            seat: seen
            for seat, cards in irregular.shown.items()
            if (seen := [c for c in cards if c in round_.players[seat].exposed])
        },
        "to_be_shown": to_come,
        "early_choice": list(
            dict.fromkeys(seat for early in irregular.held_early for seat in early.affected)
        ),
        "deal_again": next(iter(irregular.deal_again), None),
        "noted": list(irregular.notes),
        "rulings": list(irregular.rulings),
    }
    return found
