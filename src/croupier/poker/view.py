"""What one viewer may see of a poker table, as a pure function of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.facts import PotFacts
from croupier.poker.pots import contestants
from croupier.poker.state import Playing
from croupier.table import Money, Offer

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable
    from croupier.table import Viewer


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat as the viewer may see it."""

    player: str
    stake: Money
    here: bool = True
    bet: Money = 0
    dead_post: Money = 0
    active: bool = False
    all_in: bool = False
    cards: tuple[Card, ...] = ()
    """His Hole Cards; `??` for those that the viewer may not see."""
    face_up: Card | None = None
    """His card in the draw for the button."""
    hand: str = ""
    """The hand that he has shown, in words."""


class PokerView(Struct, frozen=True, kw_only=True):
    """A poker table as a viewer may see it."""

    table: str
    rulebook: str
    status: str
    round: int
    seats: dict[int, SeatView]
    button: int | None
    small_blind: int | None = None
    big_blind: int | None = None
    straddle: int | None = None
    board: tuple[Card, ...] = ()
    pots: tuple[PotFacts, ...] = ()
    betting_round: int | None = None
    price: Money = 0
    turn: int | None = None
    game_marker: str | None = None
    offers: dict[int, list[Offer]] = {}
    """What the viewer himself may do now, at his own seat."""


def view_of(table: PokerTable, viewer: Viewer) -> PokerView:
    """The table as this viewer may see it.

    Face-down cards: only their player, after looking. What lies face up, everybody. The auditor
    sees everything of a finished round; a mucked hand, only he.
    """
    state = table.state
    played = state.round
    finished = played is not None and not played.open
    own = [
        n for n, seat in state.seats.items() if viewer.who is not None and seat.player == viewer.who
    ]
    seats = {}
    for number, seat in state.seats.items():
        player = played.players.get(number) if played is not None else None
        view = SeatView(
            player=seat.player, stake=seat.stake, here=seat.here, face_up=seat.button_card
        )
        if player is not None:
            sees_all = viewer.auditor and finished
            view = SeatView(
                player=seat.player,
                stake=seat.stake,
                here=seat.here,
                face_up=seat.button_card,
                bet=player.bet,
                dead_post=player.dead,
                active=player.active and not finished,
                all_in=player.all_in,
                cards=_cards(player, mine=number in own and not finished, all_of_them=sees_all),
                hand=player.hand,
            )
        seats[number] = view
    turn = table.turn()
    return PokerView(
        table=state.name,
        rulebook=state.rulebook,
        status=state.phase,
        round=state.rounds,
        seats=seats,
        button=state.button,
        small_blind=played.small_blind if played is not None else None,
        big_blind=played.big_blind if played is not None else None,
        straddle=played.straddle if played is not None else None,
        board=tuple(table.board()),
        pots=tuple(
            PotFacts(amount=pot.amount, seats=contestants(played, pot)) for pot in played.pots
        )
        if played is not None
        else (),
        betting_round=played.betting.number if played is not None and played.open else None,
        price=played.betting.price if state.phase == "betting" and played is not None else 0,
        turn=turn,
        game_marker=state.marker,
        offers={number: found for number in own if (found := table.offers(number))},
    )


def _cards(player: Playing, *, mine: bool, all_of_them: bool) -> tuple[Card, ...]:
    """A hand, with `??` for each card that the viewer may not see."""
    cards = tuple(player.cards)
    if player.shown or all_of_them or (mine and player.looked):
        return cards
    return tuple(
        card if card in player.exposed and card.is_known else Card.UNKNOWN for card in cards
    )
