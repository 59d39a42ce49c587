"""What an Action changes: chips go in front of the player, the turn passes, the price may rise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.betting import after
from croupier.poker.events import (
    AllInButtonPlaced,
    BetPlaced,
    Called,
    Checked,
    Folded,
    Raised,
    WentAllIn,
)
from croupier.poker.in_round import in_round
from croupier.poker.state import Act, RoundPlayer, RoundState
from croupier.table import (
    Room,
)

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

effects = Room("effects")


def _act(round_: RoundState, seat: int, bet: bool) -> RoundPlayer:
    """An Action is taken: count it and pass the turn."""
    player = round_.players[seat]
    player.acted = player.answered = True
    betting = round_.betting
    early = betting.to_act[0] != seat
    if seat in betting.to_act:  # a Fold may come where he has no turn to come (5.13.4)
        betting.to_act.remove(seat)
    if betting.bound:
        betting.bound.pop(seat, None)
    round_.acts.append(Act(seat=seat, betting_round=betting.number, bet=bet, early=early))
    return player


def _put(table: PokerTable, round_: RoundState, player: RoundPlayer, seat: int, to: int) -> None:
    """Chips go from the stake to the front of the Player, up to this total."""
    put = to - player.bet
    table.state.seats[seat].stake -= put
    player.bet = to
    player.total += put
    player.wagered = True
    betting = round_.betting
    if to > betting.top:
        betting.top, betting.at_top = to, [seat]
    elif to == betting.top:
        betting.at_top.append(seat)


def _all_in(table: PokerTable, player: RoundPlayer) -> None:
    player.all_in = True
    player.all_in_button = table.places_all_in_buttons


def _wager(table: PokerTable, round_: RoundState, event: Called | BetPlaced | Raised) -> None:
    """A player puts chips in on his turn, maybe his last ones."""
    seat = event.seat
    player = _act(round_, seat, bet=True)
    _put(table, round_, player, seat, event.to)
    if event.all_in:
        _all_in(table, player)


def _everybody_answers(round_: RoundState, seat: int, full: bool) -> None:
    """The price has gone up: everybody else who can has a turn again."""
    players = round_.players
    others = []
    for other in after(round_.order, seat)[:-1]:
        player = players[other]
        if player.active:
            if full:
                player.answered = False
            if not player.all_in:
                others.append(other)
    round_.betting.to_act = others


@in_round(effects, Checked)
def checked(table: PokerTable, round_: RoundState, event: Checked) -> None:
    # As `_act`, without what only a bet needs: most Actions are Checks.
    seat = event.seat
    player = round_.players[seat]
    player.acted = player.answered = True
    betting = round_.betting
    betting.to_act.remove(seat)
    if betting.bound:
        betting.bound.pop(seat, None)
    round_.acts.append(Act(seat=seat, betting_round=betting.number, bet=False))


@in_round(effects, Folded)
def folded(table: PokerTable, round_: RoundState, event: Folded) -> None:
    betting = round_.betting
    player = _act(round_, event.seat, bet=betting.left_in == event.seat)
    betting.left_in = None
    player.active = False
    player.folded = True
    round_.discards += player.cards
    player.gave_up, player.cards = player.cards, []
    table.cards_moved = True


@in_round(effects, Called)
def called(table: PokerTable, round_: RoundState, event: Called) -> None:
    _wager(table, round_, event)


@in_round(effects, BetPlaced)
def bet_placed(table: PokerTable, round_: RoundState, event: BetPlaced) -> None:
    _wager(table, round_, event)
    seat = event.seat
    betting = round_.betting
    betting.price = betting.full = event.to
    betting.minimum = event.minimum
    betting.opened = True
    betting.bettor = betting.last_bettor = seat
    _everybody_answers(round_, seat, full=True)


@in_round(effects, Raised)
def raised(table: PokerTable, round_: RoundState, event: Raised) -> None:
    _wager(table, round_, event)
    seat = event.seat
    betting = round_.betting
    betting.price = betting.full = event.to
    betting.minimum = event.minimum
    betting.raised = True
    betting.last_raiser = seat
    _everybody_answers(round_, seat, full=True)


@in_round(effects, WentAllIn)
def went_all_in(table: PokerTable, round_: RoundState, event: WentAllIn) -> None:
    seat, kind = event.seat, event.kind
    player = _act(round_, seat, bet=True)
    _put(table, round_, player, seat, event.to)
    _all_in(table, player)
    if kind in ("call", "under the call"):
        return
    betting = round_.betting
    betting.price, betting.full, betting.minimum = event.price, event.full, event.minimum
    betting.opened = True
    match kind:
        case "raise":
            betting.raised = True
            betting.last_raiser = seat
        case "bet" | "under the bet":
            betting.bettor = betting.last_bettor = seat
        case _:
            betting.last_bettor = seat
    _everybody_answers(round_, seat, full=kind != "over the call")


@in_round(effects, AllInButtonPlaced)
def all_in_button_placed(table: PokerTable, round_: RoundState, event: AllInButtonPlaced) -> None:
    round_.players[event.seat].all_in_button = True
