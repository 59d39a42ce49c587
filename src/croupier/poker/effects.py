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


def _act(table: PokerTable, seat: int, bet: bool) -> tuple[RoundState, RoundPlayer]:
    """An Action is taken: count it and pass the turn."""
    round_ = table.current_round()
    player = round_.players[seat]
    player.acted = player.answered = True
    betting = round_.betting
    betting.to_act.remove(seat)
    if betting.bound:
        betting.bound.pop(seat, None)
    round_.acts.append(Act(seat=seat, betting_round=betting.number, bet=bet))
    return round_, player


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


def _wager(table: PokerTable, event: Called | BetPlaced | Raised) -> RoundState:
    """A player puts chips in on his turn, maybe his last ones."""
    seat = event.seat
    round_, player = _act(table, seat, bet=True)
    _put(table, round_, player, seat, event.to)
    if event.all_in:
        _all_in(table, player)
    return round_


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


@effects.applies(Folded)
def folded(table: PokerTable, event: Folded) -> None:
    round_, player = _act(table, event.seat, bet=False)
    player.active = False
    player.folded = True
    round_.discards += player.cards
    player.gave_up, player.cards = player.cards, []
    table.cards_moved = True


@effects.applies(Called)
def called(table: PokerTable, event: Called) -> None:
    _wager(table, event)


@effects.applies(BetPlaced)
def bet_placed(table: PokerTable, event: BetPlaced) -> None:
    seat, round_ = event.seat, _wager(table, event)
    betting = round_.betting
    betting.price = betting.full = event.to
    betting.minimum = event.minimum
    betting.opened = True
    betting.bettor = betting.last_bettor = seat
    _everybody_answers(round_, seat, full=True)


@effects.applies(Raised)
def raised(table: PokerTable, event: Raised) -> None:
    seat, round_ = event.seat, _wager(table, event)
    betting = round_.betting
    betting.price = betting.full = event.to
    betting.minimum = event.minimum
    betting.raised = True
    betting.last_raiser = seat
    _everybody_answers(round_, seat, full=True)


@effects.applies(WentAllIn)
def went_all_in(table: PokerTable, event: WentAllIn) -> None:
    seat, kind = event.seat, event.kind
    round_, player = _act(table, seat, bet=True)
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
