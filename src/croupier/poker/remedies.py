"""What a ruling can do to a round: void it, deal it again, kill a hand, return chips, move cards.

Section 1 of v8 defines these (1.15, 1.29, 1.39, 1.51); the irregularities decide when. Each
function emits its event and brings the table to where it goes on. None of them asks anybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from croupier.cards import Card
from croupier.poker.commands import STREETS, Street
from croupier.poker.deck import FOR_THE_ROUND, shuffle_deck
from croupier.poker.events import (
    CardsPlaced,
    CardsTakenBack,
    ChipsReturned,
    HandDeclaredDead,
    MisdealDeclared,
    Place,
    PolicyChanged,
    RoundVoided,
)
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.pots import close_betting, one_left
from croupier.poker.settlement import end_round
from croupier.poker.state import Betting, Burnt, Playing, RoundState
from croupier.rulebooks import Cites, Topic
from croupier.table import Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

remedies = Room("remedies")


# -- the whole round ---------------------------------------------------------------------------


VOID = Cites(Topic.VOID)
MISDEAL = Cites(Topic.MISDEAL_RESTART, Topic.MISDEAL, Topic.MISDEAL_LEAVES_HISTORY)
DEAD_HAND = Cites(Topic.DEAD_HAND)


def void_round(table: PokerTable, reason: str, cites: tuple[str, ...]) -> None:
    """No result: every chip back, no Rake, duties to post revive, the button by policy (A-24)."""
    played = table.played()
    assert played.open
    stays = table.state.policies.get("button-after-void") == "stays"
    table.emit(RoundVoided(reason=reason, cites=_with(cites, table.by_book[VOID])))
    end_round(table, played, button_stays=stays)


@in_round(remedies, RoundVoided)
def round_voided(table: PokerTable, played: RoundState, event: RoundVoided) -> None:
    state = table.state
    _all_chips_back(table, played)
    for seat, before in played.duties.items():
        if seat in played.players and not played.players[seat].left:
            now = state.seats[seat]
            state.seats[seat] = structs.replace(
                before, stake=now.stake, here=now.here, returns=now.returns
            )
    played.voided = event.reason


def misdeal(table: PokerTable, reason: str, cites: tuple[str, ...]) -> None:
    """Bets back, same button, same Players, same posts; a new shuffle and cut (v8 5.3.6, A-25)."""
    table.emit(MisdealDeclared(reason=reason, cites=_with(cites, table.by_book[MISDEAL])))
    shuffle_deck(table, FOR_THE_ROUND, table.by_book[MISDEAL])


@in_round(remedies, MisdealDeclared)
def misdeal_declared(table: PokerTable, played: RoundState, event: MisdealDeclared) -> None:
    """The Round of play is again where it was when the Blinds were called."""
    state = table.state
    _all_chips_back(table, played)
    # Who has folded and left since is not dealt in again, nor who took his seat (5.3.6).
    order = tuple(seat for seat in played.order if not played.players[seat].left)
    state.round = RoundState(
        number=played.number,
        at=played.at,
        button=played.button,
        small_blind=played.small_blind,
        big_blind=played.big_blind,
        order=order,
        owes=dict(played.posts),
        posts=played.posts,
        duties=played.duties,
        button_out=played.button_out,
        players={seat: Playing() for seat in order},
        betting=Betting(),
        restarts=played.restarts + 1,
    )
    table.collect_cards()
    state.shuffled = False
    state.phase = "shuffling"


def _all_chips_back(table: PokerTable, played: RoundState) -> None:
    for seat, player in played.players.items():
        if player.total:
            table.state.seats[seat].stake += player.total
        player.bet = player.dead = player.total = player.blinds = 0
        player.all_in = player.all_in_button = False
    played.pots = []
    played.betting.to_act = []


# -- one hand ----------------------------------------------------------------------------------


def dead_hand(table: PokerTable, seat: int, reason: str, cites: tuple[str, ...]) -> None:
    """No claim to any pot and no further turn (v8 1.15); the round goes on with the others."""
    table.emit(
        HandDeclaredDead(seat=seat, reason=reason, cites=_with(cites, table.by_book[DEAD_HAND]))
    )
    go_on_without(table)


def go_on_without(table: PokerTable) -> None:
    """After a hand has gone: one left wins, or a Betting Round that nobody can act in closes."""
    state = table.state
    played = table.played()
    alone = table.alone()
    if alone and state.phase == "betting":
        one_left(table, played, alone)
    elif state.phase == "betting" and table.betting_is_over():
        close_betting(table, played)


@in_round(remedies, HandDeclaredDead)
def hand_declared_dead(table: PokerTable, played: RoundState, event: HandDeclaredDead) -> None:
    state = table.state
    player = played.players[event.seat]
    player.active = False
    played.discards += player.cards
    player.gave_up, player.cards = player.cards, []
    table.cards_moved = True
    if event.seat in played.betting.to_act:
        played.betting.to_act.remove(event.seat)
    if event.seat in played.to_show:
        played.to_show.remove(event.seat)
    alone = table.alone()
    if alone and state.phase != "betting":
        # Outside a Betting Round no chips are in front of anybody: the pots are his as they are.
        played.won_by_folds = True
        played.to_show = []
        state.phase = "settling"
    elif state.phase == "showdown" and not played.to_show:
        state.phase = "settling"


# -- chips -------------------------------------------------------------------------------------


def return_blinds(table: PokerTable, seat: int, reason: str, cites: tuple[str, ...]) -> None:
    """Blinds, straddle and entry posts of one Player go back; price and raises stay (A-29)."""
    played = table.played()
    player = played.players[seat]
    left = player.blinds
    dead = min(player.dead, left)
    bet = min(player.bet, left - dead)
    return_chips(table, seat, bet=bet, dead=dead, pot=left - dead - bet, reason=reason, cites=cites)


def return_chips(
    table: PokerTable,
    seat: int,
    *,
    bet: int = 0,
    dead: int = 0,
    pot: int = 0,
    named: int = 0,
    reason: str,
    cites: tuple[str, ...],
) -> None:
    """Chips of one Player go back to his stake: from before him, and from the pot that is named (1
    is the Main Pot), or else from all of them, the Main Pot first."""
    if bet or dead or pot:
        table.emit(
            ChipsReturned(
                seat=seat, bet=bet, dead=dead, pot=pot, named=named, reason=reason, cites=cites
            )
        )


@in_round(remedies, ChipsReturned)
def chips_returned(table: PokerTable, played: RoundState, event: ChipsReturned) -> None:
    state = table.state
    player = played.players[event.seat]
    back = event.bet + event.dead + event.pot
    player.bet -= event.bet
    player.dead -= event.dead
    player.total -= back
    player.blinds = max(0, player.blinds - back)
    left = event.pot
    for number, pot in enumerate(played.pots):
        taken = min(left, pot.amount) if event.named in (0, number + 1) else 0
        if taken:
            played.pots[number] = structs.replace(pot, amount=pot.amount - taken)
            left -= taken
    state.seats[event.seat].stake += back
    if player.all_in and back:
        player.all_in = player.all_in_button = False


# -- cards -------------------------------------------------------------------------------------


def take_back_street(
    table: PokerTable, street: Street, cites: tuple[str, ...], *, reopens: bool = True
) -> None:
    """Take a street off the board; its cards lie aside until `place_cards` or a shuffle.

    With `reopens` the street is due again and the Betting Round that it had opened is gone, so
    nobody may have acted in it.
    """
    played = table.played()
    cards = tuple(street_of(played, street))
    table.emit(CardsTakenBack(street=street, cards=cards, reopens=reopens, cites=cites))


def street_of(played: RoundState, street: Street) -> list[Card]:
    """The cards of a street as they lie on the table."""
    if street == "flop":
        return played.flop
    return played.turn if street == "turn" else played.river


@in_round(remedies, CardsTakenBack)
def cards_taken_back(table: PokerTable, played: RoundState, event: CardsTakenBack) -> None:
    state = table.state
    laid = street_of(played, event.street)
    for card in event.cards:
        laid.remove(card)
        if card in played.down:
            played.down.remove(card)
    played.aside += event.cards
    irregular_of(table).taken_back.append(event.street)
    table.cards_moved = True
    if event.reopens:
        _hands_down_again(played)
        number = STREETS.index(event.street) + 1
        played.betting.number = number
        played.betting.to_act = []
        state.phase = table.due_phase(event.street)


def _hands_down_again(played: RoundState) -> None:
    """In a run-out hands may have been shown with a board that is now another: they are shown
    again. Whoever has given his up has done so."""
    for player in played.players.values():
        if player.shown:
            player.shown, player.hand, player.worth = False, "", 0
    played.to_show = [
        seat
        for seat in played.show_order
        if played.players[seat].active and not played.players[seat].mucked
    ]


def place_cards(
    table: PokerTable,
    cards: tuple[Card, ...],
    place: Place,
    cites: tuple[str, ...],
    *,
    street: Street | None = None,
    seat: int | None = None,
) -> None:
    """Put cards that lie aside where a ruling wants them."""
    table.emit(CardsPlaced(cards=cards, place=place, street=street, seat=seat, cites=cites))


@in_round(remedies, CardsPlaced)
def cards_placed(table: PokerTable, played: RoundState, event: CardsPlaced) -> None:
    state = table.state
    assert state.shoe is not None
    for card in event.cards:
        if card in played.aside:
            played.aside.remove(card)
        else:
            # A card of a real shoe that nobody had seen is known now.
            played.aside.remove(Card.UNKNOWN)
            table.identify(card)
    match event.place:
        case "burn":
            assert event.street is not None
            state.shoe.declare_burnt(event.cards)
            played.burns += [Burnt(card=card, street=event.street) for card in event.cards]
            _discard_stored_burn(played)
        case "stored burn":
            [card] = event.cards
            state.shoe.declare_burnt(event.cards)
            if event.street == "flop":
                played.first_burn = card
            else:
                played.stored_burn = card
        case "board":
            assert event.street is not None
            street_of(played, event.street).extend(event.cards)
        case "discard":
            played.discards += event.cards
        case "shoe":
            state.shoe.put_back(event.cards)
        case "hand":
            assert event.seat is not None
            played.players[event.seat].cards += event.cards
    table.cards_moved = True


def _discard_stored_burn(played: RoundState) -> None:
    """It was the burn of a street that got another one (v8 5.12.4): of no use now."""
    if played.stored_burn is not None:
        played.discards.append(played.stored_burn)
        played.stored_burn = None


# -- readings ----------------------------------------------------------------------------------


def change_policy(table: PokerTable, policy: str, value: str, cites: tuple[str, ...]) -> None:
    """A ruling on what the rules mean: this table reads them so from now on."""
    table.book.policies_with({policy: value})
    table.emit(PolicyChanged(policy=policy, value=value, cites=cites))


@remedies.applies(PolicyChanged)
def policy_changed(table: PokerTable, event: PolicyChanged) -> None:
    table.state.policies = {**table.state.policies, event.policy: event.value}


def _with(cites: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*cites, *more)))
