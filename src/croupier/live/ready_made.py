"""Ready-made offers: what one visitor may do at a table now, each with the message that does it.

A page builds its commands itself, from the offers in its view. A program need not: it may ask for
the offers ready-made, pick one, and send back what it says as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from croupier.banked import BankedTable
from croupier.banked.view import BankedView
from croupier.poker import PokerTable
from croupier.poker.view import PokerView
from croupier.table import Money, Offer, Table, player
from croupier.table.view import QuestionView

BETWEEN = frozenset(
    ("open", "between rounds", "shuffling", "cutting", "ready", "drawing for the button")
)
"""When no Round of poker is under way."""
USUAL = 100
"""Big Blinds, or least Antes, with which one sits down unless he says otherwise."""
READY = "ready"

AMOUNTS = {"bet": "to", "raise": "to"}
"""The word under which a poker command says its amount; `amount` at a banked table."""


class ReadyMade(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that would be accepted now, and the command that does it."""

    do: str
    command: dict[str, Any]
    least: Money | None = None
    """Where an amount may be chosen: the least, the most, and in between whole numbers of `step`.
    The command says one of them already."""
    most: Money | None = None
    step: Money | None = None
    says: str = ""
    """The answer to a question, in words."""


class Standing(Struct, frozen=True, kw_only=True):
    """How a visitor stands at a table: the round, the chips before him, what he may do."""

    position: int
    round: int
    chips: Money | None
    """None while he does not sit there."""
    offers: tuple[ReadyMade, ...]


def standing_of(table: Table[Any], who: str, position: int, ready: Collection[str]) -> Standing:
    """How somebody stands at a table; `ready` are those who have said that they have bet."""
    view = table.view(player(who))
    match view:
        case PokerView():
            assert isinstance(table, PokerTable)
            chips = view.seats[view.yours[0]].stake if view.yours else None
            offers = tuple(_at_poker(table, view, who))
        case BankedView():
            assert isinstance(table, BankedTable)
            chips = view.chips if view.yours else None
            offers = tuple(_at_banked(table, view, who, said_ready=who in ready))
        case _:
            raise TypeError(f"no offers are made at a {type(table).__name__}")
    return Standing(position=position, round=view.round, chips=chips, offers=offers)


def _answers(decisions: tuple[QuestionView, ...]) -> Iterator[ReadyMade]:
    """The answers to what the table asks him; those that need more than a word he gives himself."""
    for asked in decisions:
        for option in asked.options if asked.yours else ():
            if not option.asks:
                command = {"do": "decide", "decision": asked.decision, "option": option.name}
                yield ReadyMade(do="decide", command=command, says=option.says)


def _amount(offer: Offer, word: str, command: dict[str, Any]) -> ReadyMade:
    """An offer of which the amount may be chosen; the command says the least."""
    return ReadyMade(
        do=offer.do,
        command={**command, word: offer.least},
        least=offer.least,
        most=offer.most,
        step=offer.step,
    )


# -- poker ----------------------------------------------------------------------------------------


def _at_poker(table: PokerTable, view: PokerView, who: str) -> Iterator[ReadyMade]:
    settings = table.state.settings
    most = settings.maximum_stake
    usual = max(settings.minimum_stake, min(USUAL * settings.big_blind, most or 1 << 53))
    least, step = settings.minimum_stake, settings.smallest_chip
    if not view.yours:
        free = [n for n in range(1, settings.seats + 1) if n not in view.seats]
        if free:
            command = {"do": "sit", "seat": free[0], "player": who, "stake": usual}
            yield ReadyMade(do="sit", command=command, least=least, most=most, step=step)
        return
    yield from _answers(view.decisions)
    number = view.yours[0]
    seat = view.seats[number]
    if seat.cards and seat.active and not seat.looked:
        yield ReadyMade(do="look", command={"do": "look", "seat": number})
    for offer in view.offers.get(number, ()):
        command = {"do": offer.do, "seat": number}
        if offer.do in AMOUNTS:
            yield _amount(offer, AMOUNTS[offer.do], command)
        else:
            yield ReadyMade(do=offer.do, command=command)
    if not seat.here:
        yield ReadyMade(do="return to seat", command={"do": "return to seat", "seat": number})
    if view.status in BETWEEN:
        if seat.stake == 0:  # the minimum counts on buying in again from nothing
            command = {"do": "top up", "seat": number, "amount": usual}
            yield ReadyMade(do="top up", command=command, least=least, most=most, step=step)
        yield ReadyMade(do="leave", command={"do": "leave", "seat": number})


# -- banked ---------------------------------------------------------------------------------------


def _at_banked(
    table: BankedTable, view: BankedView, who: str, *, said_ready: bool
) -> Iterator[ReadyMade]:
    least = table.state.settings.ante_minimum or 0
    if not view.yours:
        free = [n for n in range(1, view.boxes_in_use + 1) if n not in view.boxes]
        if free and not view.waiting:
            command = {"do": "sit", "box": free[0], "player": who, "chips": USUAL * least}
            yield ReadyMade(do="sit", command=command, least=least)
        return
    yield from _answers(view.decisions)
    for number in view.yours:
        stakes = view.boxes[number].stakes
        for offer in view.boxes[number].may:
            verb, _, bet = offer.do.partition(" ")
            if verb != "place" or bet not in stakes:  # what lies there is not offered again
                yield _at_box(offer, number, who)
    has_bet = any(view.boxes[number].stakes for number in view.yours)
    if view.status == "bets open" and has_bet and not said_ready:
        yield ReadyMade(do=READY, command={})
    if view.status in ("between rounds", "bets open") and not has_bet and not view.waiting:
        if view.chips is not None and view.chips < least:
            command = {"do": "add chips", "player": who, "chips": USUAL * least}
            yield ReadyMade(do="add chips", command=command, least=1)
        yield ReadyMade(do="leave", command={"do": "leave", "player": who})


def _at_box(offer: Offer, number: int, who: str) -> ReadyMade:
    verb, _, bet = offer.do.partition(" ")
    match verb:
        case "look":
            return ReadyMade(do=offer.do, command={"do": "look", "seat": number})
        case "accept":
            return ReadyMade(do=offer.do, command={"do": offer.do, "player": who})
        case "place":
            return _amount(offer, "amount", {"do": offer.do, "box": number})
        case "withdraw":
            return ReadyMade(do=offer.do, command={"do": "withdraw bet", "box": number, "bet": bet})
        case _:
            return ReadyMade(do=offer.do, command={"do": offer.do, "box": number})
