"""The plain facts of a poker table: what cases expect and consoles show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.cards import Card
from croupier.cards.value import category_told
from croupier.poker.betting import least_raise, why_no_raise
from croupier.poker.entries import SEATS_BY_THE_BOOK
from croupier.poker.irregularities.facts import IrregularFacts, irregular_facts
from croupier.poker.irregularities.memory import substantial_action
from croupier.poker.positions import Plan, comes_in, waits
from croupier.poker.pots import contestants
from croupier.poker.showdown import must_show
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import Money

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
    state = table.state
    seats = state.seats
    round_ = state.round
    plan = table.plan() if not table.playing() else None
    following = plan if isinstance(plan, Plan) else None
    return PokerFacts(
        **table.shared_facts(),
        players={n: seat.player for n, seat in seats.items()},
        stakes={n: seat.stake for n, seat in seats.items()},
        absent=[n for n, seat in seats.items() if not seat.here],
        entering={
            n: seat.entry if seat.entry != "in" else "returning"
            for n, seat in seats.items()
            if comes_in(seat, table.by_book[SEATS_BY_THE_BOOK])
        },
        waiting=[n for n, seat in seats.items() if waits(seat, state.button)],
        missed={
            n: "both" if seat.missed_small and seat.missed_big else _which(seat.missed_small)
            for n, seat in seats.items()
            if seat.missed_small or seat.missed_big
        },
        missed_markers=[n for n, seat in seats.items() if seat.missed_marker],
        missed_in_a_row={n: seat.misses for n, seat in seats.items() if seat.misses},
        timed_rake_due={n: seat.rake_due for n, seat in seats.items() if seat.rake_due},
        round=state.rounds,
        orbit=state.orbit,
        button=state.button,
        next_button=following.button if following is not None else None,
        next_small_blind=following.small_blind if following is not None else None,
        next_big_blind=following.big_blind if following is not None else None,
        policies=state.policies,
        button_cards={
            n: seat.button_card for n, seat in seats.items() if seat.button_card is not None
        },
        cards_left=state.shoe.left if state.shoe is not None else 0,
        shuffled=state.shuffled,
        deck_cut=state.shoe is not None and state.shoe.was_cut,
        game_marker=state.marker,
        house=state.house,
        **(_round_facts(table, round_) if round_ is not None else {}),
        **irregular_facts(table),
    )


def _which(small: bool) -> str:
    return "small" if small else "big"


def _round_facts(table: PokerTable, round_: RoundState) -> dict[str, Any]:
    """What belongs to the Round of play under way, or to the last one."""
    return {
        "button_out": round_.button_out,
        "small_blind": round_.small_blind,
        "big_blind": round_.big_blind,
        "straddle": round_.straddle,
        "posts_due": {seat: live + dead for seat, (live, dead) in round_.owes.items()},
        "dealt_in": list(round_.order),
        "restarts": round_.restarts,
        "voided": round_.voided,
        **_card_facts(table, round_),
        **_betting_facts(table, round_),
        **_money_facts(table, round_),
    }


def _card_facts(table: PokerTable, round_: RoundState) -> dict[str, Any]:
    players = round_.players
    return {
        "hole_cards": {seat: list(p.cards) for seat, p in players.items() if p.cards},
        "looked": [seat for seat, p in players.items() if p.looked],
        "flop": list(round_.flop),
        "turn_card": list(round_.turn),
        "river": list(round_.river),
        "board": table.board(),
        "face_down": len(round_.down),
        "burns": [burnt.card for burnt in round_.burns],
        "stored_burn": round_.stored_burn or round_.first_burn,
        "exposed": {seat: list(p.exposed) for seat, p in players.items() if p.exposed},
        "discards": list(round_.discards),
        "deviations": list(round_.deviations),
    }


def _betting_facts(table: PokerTable, round_: RoundState) -> dict[str, Any]:
    players, betting = round_.players, round_.betting
    dealt = any(p.cards or p.folded for p in players.values())
    open_round = table.state.phase == "betting"
    return {
        "active": [seat for seat, p in players.items() if p.active],
        "folded": [seat for seat, p in players.items() if p.folded],
        "dead_hands": [seat for seat, p in players.items() if not p.active],
        "betting_round": betting.number if dealt and round_.open else None,
        "final_round": round_.final_round,
        "to_act": list(betting.to_act),
        "bets": {seat: p.bet for seat, p in players.items() if p.bet},
        "dead_posts": {seat: p.dead for seat, p in players.items() if p.dead},
        "put_in": {seat: p.total for seat, p in players.items() if p.total},
        "price": betting.price if open_round else 0,
        "minimum_raise": betting.minimum if open_round else 0,
        "minimum_raise_to": least_raise(table, betting) if open_round and betting.opened else 0,
        "may_raise": [
            seat for seat in betting.to_act if not why_no_raise(table, betting, players[seat])
        ],
        "all_in": [seat for seat, p in players.items() if p.all_in],
        "all_in_buttons": [seat for seat, p in players.items() if p.all_in_button],
        "actions": len(round_.acts),
        "substantial_action": table.book.has(Topic.SUBSTANTIAL_ACTION)
        and bool(substantial_action(table)),
    }


def _money_facts(table: PokerTable, round_: RoundState) -> dict[str, Any]:
    players = round_.players
    in_pots = sum(pot.amount for pot in round_.pots) if round_.open else 0
    paid = round_.paid if round_.open else 0
    before = sum(p.bet + p.dead for p in players.values())
    turn = table.turn()
    must = (
        [turn]
        if turn is not None
        and table.state.phase == "showdown"
        and must_show(table, round_, turn) is not False
        else []
    )
    return {
        "pot": in_pots + before - paid,
        "pots": [
            PotFacts(amount=pot.amount, seats=contestants(round_, pot)) for pot in round_.pots
        ],
        "rake": round_.rake,
        "rakes": list(round_.rakes),
        "rake_base": sum(round_.rake_bases),
        "show_order": list(round_.show_order),
        "must_show": must,
        "hands": {seat: p.hand for seat, p in players.items() if p.shown},
        "categories": {
            seat: category_told(p.hand) for seat, p in players.items() if p.shown and p.hand
        },
        "mucked": [seat for seat, p in players.items() if p.mucked],
        "winners": [list(round_.winners[pot]) for pot in sorted(round_.winners)],
        "payouts": dict(round_.payouts),
    }
