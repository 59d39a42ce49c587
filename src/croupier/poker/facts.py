"""The plain facts of a poker table: what cases expect and consoles show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.cards import Card
from croupier.cards.value import category_told
from croupier.poker.betting import least_raise, why_no_raise
from croupier.poker.entries import SEATS_BY_THE_BOOK
from croupier.poker.irregularities.facts import (
    FACTS_OF_IRREGULARITIES,
    IRREGULAR_FACTS_OF_A_ROUND,
    IrregularFacts,
)
from croupier.poker.irregularities.memory import substantial_action
from croupier.poker.positions import Plan, comes_in, waits
from croupier.poker.pots import contestants
from croupier.poker.showdown import must_show
from croupier.poker.state import RoundPlayer, RoundState, SeatState
from croupier.rulebooks import Topic
from croupier.table import Money
from croupier.table.table import SHARED_FACTS

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable


class PotFacts(Struct, kw_only=True):
    """One pot: its chips and who may still win it."""

    amount: Money
    seats: list[int]


class PokerFacts(IrregularFacts, kw_only=True):
    """What can be said of a poker table now. Seats are listed clockwise from seat 1, or in the
    order of the deal where that is what matters. What belongs to a Round of play stays until the
    next one is called. Nothing is masked: this is the table's own knowledge."""

    # -- seats and stakes
    players: dict[int, str] = {}
    """Who sits where."""
    stakes: dict[int, Money] = {}
    """Chips behind; what lies in front or in a pot is not in it."""
    absent: list[int] = []
    entering: dict[int, str] = {}
    """Who is yet to come in: `new`, `relocated` or `returning`."""
    waiting: list[int] = []
    """Who was told to wait until the button has passed him."""
    missed: dict[int, str] = {}
    """Missed Blinds: `small`, `big` or `both`."""
    missed_markers: list[int] = []
    missed_in_a_row: dict[int, int] = {}
    timed_rake_due: dict[int, Money] = {}

    # -- the Round of play
    round: int = 0
    orbit: int = 0
    button: int | None = None
    button_out: bool = True
    small_blind: int | None = None
    big_blind: int | None = None
    straddle: int | None = None
    next_button: int | None = None
    """Where the button will be in the next Round of play, as the seats stand now."""
    next_small_blind: int | None = None
    next_big_blind: int | None = None
    posts_due: dict[int, Money] = {}
    """Blinds and entry posts not yet placed, dead chips included."""
    dealt_in: list[int] = []
    """In the order of the deal."""
    active: list[int] = []
    """Active Players, in the order of the deal."""
    folded: list[int] = []
    dead_hands: list[int] = []
    """Hands that are dead: folded, surrendered or declared dead."""
    policies: dict[str, str] = {}
    restarts: int = 0
    voided: str = ""

    # -- cards
    button_cards: dict[int, Card] = {}
    cards_left: int = 0
    shuffled: bool = False
    deck_cut: bool = False
    hole_cards: dict[int, list[Card]] = {}
    looked: list[int] = []
    flop: list[Card] = []
    turn_card: list[Card] = []
    river: list[Card] = []
    board: list[Card] = []
    """Community Cards that lie face up."""
    face_down: int = 0
    """Community Cards that lie face down."""
    burns: list[Card] = []
    stored_burn: Card | None = None
    exposed: dict[int, list[Card]] = {}
    discards: list[Card] = []
    deviations: list[str] = []

    # -- betting
    betting_round: int | None = None
    final_round: int | None = None
    to_act: list[int] = []
    bets: dict[int, Money] = {}
    """In front of each player in this Betting Round."""
    dead_posts: dict[int, Money] = {}
    put_in: dict[int, Money] = {}
    """Everything that each has put into this Round of play."""
    price: Money = 0
    """What a Player must have in front of him to stay in."""
    minimum_raise: Money = 0
    minimum_raise_to: Money = 0
    """The least total of a raise, whoever makes it."""
    may_raise: list[int] = []
    """Who of those still to act may raise."""
    all_in: list[int] = []
    all_in_buttons: list[int] = []
    actions: int = 0
    """Actions completed in this Round of play."""
    substantial_action: bool = False
    game_marker: str | None = None

    # -- pots and payment
    pot: Money = 0
    """Everything that was contributed and not yet paid or returned."""
    pots: list[PotFacts] = []
    """Main Pot first; once paid they show what they held."""
    rake: Money = 0
    rakes: list[Money] = []
    """From each pot, Main Pot first."""
    rake_base: Money = 0
    house: Money = 0
    """The Rake taken at this table since it opened."""

    # -- the showdown
    show_order: list[int] = []
    must_show: list[int] = []
    """Who must show now: the one whose turn it is, unless he may muck."""
    hands: dict[int, str] = {}
    """The hands shown, as sentences."""
    categories: dict[int, str] = {}
    """The categories of those hands: `Full House`, `Five Odd Cards`."""
    mucked: list[int] = []
    winners: list[list[int]] = []
    """Of each pot, Main Pot first."""
    payouts: dict[int, Money] = {}


def facts_of(table: PokerTable) -> PokerFacts:
    """Everything that can be said of the table now."""
    return PokerFacts(**_told(table, PokerFacts.__struct_fields__))


def named_facts(table: PokerTable, names: Collection[str]) -> dict[str, Any]:
    """These facts, and no others are worked out."""
    told = _told(table, names)
    if len(told) < len(names):
        nothing = PokerFacts(status="")
        told |= {name: getattr(nothing, name) for name in names if name not in told}
    return told


def _told(table: PokerTable, names: Iterable[str]) -> dict[str, Any]:
    """Those of these facts of which there is something to tell now."""
    round_ = table.state.round
    told = {}
    for name in names:
        if name in FACTS_OF_THE_TABLE:
            told[name] = FACTS_OF_THE_TABLE[name](table)
        elif round_ is None:
            continue
        elif name in FACTS_OF_A_ROUND:
            told[name] = FACTS_OF_A_ROUND[name](table, round_)
        elif round_.irregular is not None:
            told[name] = FACTS_OF_IRREGULARITIES[name](round_, round_.irregular)
    return told


# -- the table ------------------------------------------------------------------------------------


def _which(told: Callable[[SeatState], Any]) -> Callable[[PokerTable], list[int]]:
    """The seats of which something is true."""
    return lambda table: [number for number, seat in table.state.seats.items() if told(seat)]


def _each(told: Callable[[SeatState], Any]) -> Callable[[PokerTable], dict[int, Any]]:
    """What there is to tell of each seat."""
    return lambda table: {
        number: value for number, seat in table.state.seats.items() if (value := told(seat))
    }


def _missed(seat: SeatState) -> str:
    """Which Blinds he has missed, if any."""
    if seat.missed_small and seat.missed_big:
        return "both"
    return "small" if seat.missed_small else "big" if seat.missed_big else ""


def _next(table: PokerTable, position: str) -> int | None:
    """Who has a position in the next Round of play, as the seats stand now."""
    plan = table.plan() if not table.playing() else None
    return getattr(plan, position) if isinstance(plan, Plan) else None


FACTS_OF_THE_TABLE: Mapping[str, Callable[[PokerTable], Any]] = {
    **SHARED_FACTS,
    "players": lambda table: {n: seat.player for n, seat in table.state.seats.items()},
    "stakes": lambda table: {n: seat.stake for n, seat in table.state.seats.items()},
    "absent": _which(lambda seat: not seat.here),
    "entering": lambda table: {
        n: seat.entry if seat.entry != "in" else "returning"
        for n, seat in table.state.seats.items()
        if comes_in(seat, table.by_book[SEATS_BY_THE_BOOK])
    },
    "waiting": lambda table: [
        n for n, seat in table.state.seats.items() if waits(seat, table.state.button)
    ],
    "missed": _each(_missed),
    "missed_markers": _which(lambda seat: seat.missed_marker),
    "missed_in_a_row": _each(lambda seat: seat.misses),
    "timed_rake_due": _each(lambda seat: seat.rake_due),
    "round": lambda table: table.state.rounds,
    "orbit": lambda table: table.state.orbit,
    "button": lambda table: table.state.button,
    "next_button": lambda table: _next(table, "button"),
    "next_small_blind": lambda table: _next(table, "small_blind"),
    "next_big_blind": lambda table: _next(table, "big_blind"),
    "policies": lambda table: table.state.policies,
    "button_cards": _each(lambda seat: seat.button_card),
    "cards_left": lambda table: table.state.shoe.left if table.state.shoe is not None else 0,
    "shuffled": lambda table: table.state.shuffled,
    "deck_cut": lambda table: table.state.shoe is not None and table.state.shoe.was_cut,
    "game_marker": lambda table: table.state.marker,
    "house": lambda table: table.state.house,
}


# -- the Round of play under way, or the last one -------------------------------------------------


def _who(told: Callable[[RoundPlayer], Any]) -> Callable[[PokerTable, RoundState], list[int]]:
    """The Players of whom something is true."""
    return lambda table, round_: [seat for seat, p in round_.players.items() if told(p)]


def _of_each(
    told: Callable[[RoundPlayer], Any],
) -> Callable[[PokerTable, RoundState], dict[int, Any]]:
    """What there is to tell of each Player."""
    return lambda table, round_: {
        seat: value for seat, p in round_.players.items() if (value := told(p))
    }


def _while_betting(
    told: Callable[[PokerTable, RoundState], int],
) -> Callable[[PokerTable, RoundState], int]:
    """An amount that there is in a Betting Round only."""
    return lambda table, round_: told(table, round_) if table.state.phase == "betting" else 0


def _betting_round(round_: RoundState) -> int | None:
    dealt = any(p.cards or p.folded for p in round_.players.values())
    return round_.betting.number if dealt and round_.open else None


def _pot(round_: RoundState) -> int:
    before = sum(p.bet + p.dead for p in round_.players.values())
    if not round_.open:
        return before
    return before + sum(pot.amount for pot in round_.pots) - round_.paid


def _must_show(table: PokerTable, round_: RoundState) -> list[int]:
    turn = table.turn()
    if turn is None or table.state.phase != "showdown":
        return []
    return [turn] if must_show(table, round_, turn) is not False else []


FACTS_OF_A_ROUND: Mapping[str, Callable[[PokerTable, RoundState], Any]] = {
    "button_out": lambda table, round_: round_.button_out,
    "small_blind": lambda table, round_: round_.small_blind,
    "big_blind": lambda table, round_: round_.big_blind,
    "straddle": lambda table, round_: round_.straddle,
    "posts_due": lambda table, round_: {
        seat: live + dead for seat, (live, dead) in round_.owes.items()
    },
    "dealt_in": lambda table, round_: list(round_.order),
    "restarts": lambda table, round_: round_.restarts,
    "voided": lambda table, round_: round_.voided,
    # -- cards
    "hole_cards": _of_each(lambda p: list(p.cards)),
    "looked": _who(lambda p: p.looked),
    "flop": lambda table, round_: list(round_.flop),
    "turn_card": lambda table, round_: list(round_.turn),
    "river": lambda table, round_: list(round_.river),
    "board": lambda table, round_: table.board(),
    "face_down": lambda table, round_: len(round_.down),
    "burns": lambda table, round_: [burnt.card for burnt in round_.burns],
    "stored_burn": lambda table, round_: round_.stored_burn or round_.first_burn,
    "exposed": _of_each(lambda p: list(p.exposed)),
    "discards": lambda table, round_: list(round_.discards),
    "deviations": lambda table, round_: list(round_.deviations),
    # -- betting
    "active": _who(lambda p: p.active),
    "folded": _who(lambda p: p.folded),
    "dead_hands": _who(lambda p: not p.active),
    "betting_round": lambda table, round_: _betting_round(round_),
    "final_round": lambda table, round_: round_.final_round,
    "to_act": lambda table, round_: list(round_.betting.to_act),
    "bets": _of_each(lambda p: p.bet),
    "dead_posts": _of_each(lambda p: p.dead),
    "put_in": _of_each(lambda p: p.total),
    "price": _while_betting(lambda table, round_: round_.betting.price),
    "minimum_raise": _while_betting(lambda table, round_: round_.betting.minimum),
    "minimum_raise_to": _while_betting(
        lambda table, round_: least_raise(table, round_.betting) if round_.betting.opened else 0
    ),
    "may_raise": lambda table, round_: [
        seat
        for seat in round_.betting.to_act
        if not why_no_raise(table, round_.betting, round_.players[seat])
    ],
    "all_in": _who(lambda p: p.all_in),
    "all_in_buttons": _who(lambda p: p.all_in_button),
    "actions": lambda table, round_: len(round_.actions()),
    "substantial_action": lambda table, round_: (
        table.book.has(Topic.SUBSTANTIAL_ACTION) and bool(substantial_action(table))
    ),
    # -- pots and payment
    "pot": lambda table, round_: _pot(round_),
    "pots": lambda table, round_: [
        PotFacts(amount=pot.amount, seats=contestants(round_, pot)) for pot in round_.pots
    ],
    "rake": lambda table, round_: round_.rake,
    "rakes": lambda table, round_: list(round_.rakes),
    "rake_base": lambda table, round_: sum(round_.rake_bases),
    # -- the showdown
    "show_order": lambda table, round_: list(round_.show_order),
    "must_show": _must_show,
    "hands": lambda table, round_: {seat: p.hand for seat, p in round_.players.items() if p.shown},
    "categories": _of_each(lambda p: p.shown and p.hand and category_told(p.hand)),
    "mucked": _who(lambda p: p.mucked),
    "winners": lambda table, round_: [list(round_.winners[pot]) for pot in sorted(round_.winners)],
    "payouts": lambda table, round_: dict(round_.payouts),
    **IRREGULAR_FACTS_OF_A_ROUND,
}
