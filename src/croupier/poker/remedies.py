"""What a ruling can do to a round: void it, deal it again, kill a hand, return chips, move cards.

Section 1 of v8 defines these (1.15, 1.29, 1.39, 1.51); the irregularities decide when. Each
function emits its event and brings the table to where it goes on. None of them asks anybody.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import structs

from croupier.cards import Card
from croupier.poker.betting import ask_about_the_bar
from croupier.poker.blinds import offer_straddle
from croupier.poker.calling import not_so_many_missed
from croupier.poker.commands import STREETS, Street
from croupier.poker.deck import FOR_THE_ROUND, shuffle_deck
from croupier.poker.events import (
    AskedAgain,
    CardsPlaced,
    CardsTakenBack,
    ChipsReturned,
    HandDeclaredDead,
    MisdealDeclared,
    Place,
    PolicyChanged,
    RoundVoided,
)
from croupier.poker.final_round import was_final_without
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.positions import in_rotation_again, next_button
from croupier.poker.pots import FINAL, close_betting, contestants, one_left
from croupier.poker.settlement import end_round
from croupier.poker.state import Betting, Burnt, RoundPlayer, RoundState
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
    round_ = table.current_round()
    assert round_.open
    moves = _button_moves(table)
    # Found before duties revive: whoever came in with this round has a place in the rotation.
    button = next_button(table.state, round_.button) if moves else round_.button
    table.emit(RoundVoided(reason=reason, cites=_with(cites, table.by_book[VOID])))
    end_round(table, round_, button, moved=moves)


def _button_moves(table: PokerTable) -> bool:
    return table.state.policies.get("button-after-void") != "stays"


@in_round(remedies, RoundVoided)
def round_voided(table: PokerTable, round_: RoundState, event: RoundVoided) -> None:
    state = table.state
    _all_chips_back(table, round_)
    for seat, before in round_.duties.items():
        if seat in round_.players and not round_.players[seat].left:
            now = state.seats[seat]
            # What was chosen, or ruled, of coming in was for this round: it is asked again.
            state.seats[seat] = structs.replace(
                before,
                stake=now.stake,
                here=now.here,
                rotates=in_rotation_again(before, now),
                returns=now.returns,
                decided="",
            )
    if not _button_moves(table):
        _nothing_missed(table, round_)
    round_.voided = event.reason


def _nothing_missed(table: PokerTable, round_: RoundState) -> None:
    """Where the button stays the same Blinds are due again: whoever was away has yet to miss them,
    and misses each but once."""
    seats = table.state.seats
    for number, before in round_.duties.items():
        now = seats.get(number)
        if number in round_.players or now is None or now.player != before.player:
            continue
        if (now.missed_small, now.misses) != (before.missed_small, before.misses):
            seats[number] = structs.replace(
                now,
                missed_small=before.missed_small,
                missed_big=before.missed_big,
                missed_marker=before.missed_marker,
                misses=before.misses,
                rotates=before.rotates or now.rotates,
                waits_at=before.waits_at,
            )
    not_so_many_missed(table)


def misdeal(table: PokerTable, reason: str, cites: tuple[str, ...]) -> None:
    """Bets back, same button, same Players, same posts; a new shuffle and cut (v8 5.3.6, A-25)."""
    table.emit(MisdealDeclared(reason=reason, cites=_with(cites, table.by_book[MISDEAL])))
    shuffle_deck(table, FOR_THE_ROUND, table.by_book[MISDEAL])


@in_round(remedies, MisdealDeclared)
def misdeal_declared(table: PokerTable, round_: RoundState, event: MisdealDeclared) -> None:
    """The Round of play is again where it was when the Blinds were called."""
    state = table.state
    _all_chips_back(table, round_)
    # Who has folded and left since is not dealt in again, nor who took his seat (5.3.6).
    order = tuple(seat for seat in round_.order if not round_.players[seat].left)
    state.round = RoundState(
        number=round_.number,
        at=round_.at,
        button=round_.button,
        small_blind=round_.small_blind,
        big_blind=round_.big_blind,
        order=order,
        owes=dict(round_.posts),
        posts=round_.posts,
        duties=round_.duties,
        button_out=round_.button_out,
        players={seat: RoundPlayer() for seat in order},
        betting=Betting(),
        restarts=round_.restarts + 1,
    )
    table.collect_cards()
    state.shuffled = False
    state.phase = "shuffling"


def _all_chips_back(table: PokerTable, round_: RoundState) -> None:
    for seat, player in round_.players.items():
        if player.total:
            table.state.seats[seat].stake += player.total
        player.bet = player.dead = player.total = player.blinds = 0
        player.all_in = player.all_in_button = False
    round_.pots = []
    round_.betting.to_act = []


# -- one hand ----------------------------------------------------------------------------------


def dead_hand(table: PokerTable, seat: int, reason: str, cites: tuple[str, ...]) -> None:
    """No claim to any pot and no further turn (v8 1.15); the round goes on with the others."""
    final = was_final_without(table, table.current_round(), seat)
    by = _with(cites, table.by_book[DEAD_HAND])
    if final:
        by = _with(by, table.by_book[FINAL])
    turn = table.turn()
    table.emit(HandDeclaredDead(seat=seat, reason=reason, final=final, cites=by))
    go_on_without(table)
    if table.state.phase == "betting":
        _turn_passed_on(table, turn)
    ask_again(table)


def _turn_passed_on(table: PokerTable, turn: int | None) -> None:
    """The turn may have come to somebody whom a short All-in concerns (A-06)."""
    round_ = table.current_round()
    betting = round_.betting
    if betting.to_act[0] != turn and betting.price > betting.full:
        ask_about_the_bar(table, round_, betting.to_act[0])


def go_on_without(table: PokerTable) -> None:
    """After a hand has gone: one left wins, or a Betting Round that nobody can act in closes."""
    state = table.state
    round_ = table.current_round()
    alone = table.alone(round_)
    if alone and state.phase == "betting":
        one_left(table, round_, alone)
    elif state.phase == "betting" and table.betting_is_over(round_):
        close_betting(table, round_)


ASKED_AGAIN = Cites(Topic.EQUAL_OR_BETTER_SHOWS, Topic.BEST_HAND_WINS)


def ask_again(table: PokerTable) -> None:
    """Whoever gave a lower hand up unseen did so to a better one. If that is gone now and nobody
    else claims the pot, the hands that were not surrendered are asked for again (3.18.2.f)."""
    round_ = table.current_round()
    if table.state.phase not in ("showdown", "settling") or round_.won_by_folds:
        return
    players = round_.players
    unclaimed = [
        there
        for pot in round_.pots
        if len(there := contestants(round_, pot)) > 1 and all(players[s].mucked for s in there)
    ]
    asked = {seat for there in unclaimed for seat in there}
    if asked:
        seats = tuple(seat for seat in round_.show_order if seat in asked)
        table.emit(AskedAgain(seats=seats, cites=table.by_book[ASKED_AGAIN]))


@in_round(remedies, AskedAgain)
def asked_again(table: PokerTable, round_: RoundState, event: AskedAgain) -> None:
    for seat in event.seats:
        round_.players[seat].mucked = False
    waiting = {*round_.to_show, *event.seats}
    round_.to_show = [seat for seat in round_.show_order if seat in waiting]
    table.state.phase = "showdown"


@in_round(remedies, HandDeclaredDead)
def hand_declared_dead(table: PokerTable, round_: RoundState, event: HandDeclaredDead) -> None:
    state = table.state
    player = round_.players[event.seat]
    player.active = False
    if event.final:
        round_.final_round = round_.betting.number
    round_.discards += player.cards
    player.gave_up, player.cards = player.cards, []
    table.cards_moved = True
    if event.seat in round_.betting.to_act:
        round_.betting.to_act.remove(event.seat)
    round_.betting.bound.pop(event.seat, None)
    if event.seat in round_.to_show:
        round_.to_show.remove(event.seat)
    alone = table.alone(round_)
    if alone and state.phase != "betting":
        # Outside a Betting Round no chips are in front of anybody: the pots are his as they are.
        round_.won_by_folds = True
        round_.to_show = []
        state.phase = "settling"
    elif state.phase == "showdown" and not round_.to_show:
        state.phase = "settling"


# -- chips -------------------------------------------------------------------------------------


def return_blinds(table: PokerTable, seat: int, reason: str, cites: tuple[str, ...]) -> None:
    """Blinds, straddle and entry posts of one Player go back; price and raises stay (A-29)."""
    round_ = table.current_round()
    player = round_.players[seat]
    left = player.blinds
    dead = min(player.dead, left)
    bet = min(player.bet, left - dead)
    in_pots = left - dead - bet
    if len(round_.pots) < 2:
        return_chips(table, seat, bet=bet, dead=dead, pot=in_pots, reason=reason, cites=cites)
        return
    for named, amount in enumerate(blinds_by_pot(round_, player), start=1):
        return_chips(table, seat, pot=amount, named=named, reason=reason, cites=cites)


def blinds_by_pot(round_: RoundState, player: RoundPlayer) -> list[int]:
    """Into which pots the Blinds of a Player went who has not acted: up to what others were All-in
    with in the 1st Betting Round into one, the rest into the next; a dead post lies in the Main
    Pot."""
    posted = live_chips(player)
    later = {act.seat for act in round_.acts if act.bet and act.betting_round > 1}
    others = [each for seat, each in round_.players.items() if seat not in later]
    shorter = {each.all_in_with for each in others}
    shorter |= {live_chips(each) for each in others if each.all_in}
    levels = [*sorted(level for level in shorter if 0 < level < posted), posted]
    levels[len(round_.pots) - 1 :] = [posted]  # after a ruling the last pot has all the rest
    amounts = [level - below for below, level in pairwise([0, *levels])]
    amounts[0] += player.blinds - posted
    return amounts


def live_chips(player: RoundPlayer) -> int:
    """What a Player's chips in the round count for: all but a dead post, unless that is all."""
    return player.total - player.posted_dead or player.total


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
def chips_returned(table: PokerTable, round_: RoundState, event: ChipsReturned) -> None:
    state = table.state
    player = round_.players[event.seat]
    back = event.bet + event.dead + event.pot
    if player.all_in and event.pot:
        player.all_in_with = live_chips(player)
    player.bet -= event.bet
    player.dead -= event.dead
    player.total -= back
    player.returned += back
    player.blinds = max(0, player.blinds - back)
    left = event.pot
    for number, pot in enumerate(round_.pots):
        taken = min(left, pot.amount) if event.named in (0, number + 1) else 0
        if taken:
            round_.pots[number] = structs.replace(pot, amount=pot.amount - taken)
            left -= taken
            player.out_of += [0] * (number + 1 - len(player.out_of))
            player.out_of[number] += taken
    state.seats[event.seat].stake += back
    if player.all_in and back:
        player.all_in = player.all_in_button = False
    offer_straddle(table)


# -- cards -------------------------------------------------------------------------------------


def take_back_street(
    table: PokerTable, street: Street, cites: tuple[str, ...], *, reopens: bool = True
) -> None:
    """Take a street off the board; its cards lie aside until `place_cards` or a shuffle.

    With `reopens` the street is due again and the Betting Round that it had opened is gone, so
    nobody may have acted in it.
    """
    round_ = table.current_round()
    cards = tuple(street_of(round_, street))
    table.emit(CardsTakenBack(street=street, cards=cards, reopens=reopens, cites=cites))


def street_of(round_: RoundState, street: Street) -> list[Card]:
    """The cards of a street as they lie on the table."""
    if street == "flop":
        return round_.flop
    return round_.turn if street == "turn" else round_.river


@in_round(remedies, CardsTakenBack)
def cards_taken_back(table: PokerTable, round_: RoundState, event: CardsTakenBack) -> None:
    state = table.state
    laid = street_of(round_, event.street)
    number = STREETS.index(event.street) + 1
    irregular = irregular_of(table)
    if any(card not in round_.down for card in event.cards):
        irregular.board_seen = True
    if event.reopens and any(card not in round_.down for card in laid):
        for skip in irregular.skips:
            skip.too_late = skip.too_late or skip.betting_round <= number
    for card in event.cards:
        laid.remove(card)
        if card in round_.down:
            round_.down.remove(card)
    round_.aside += event.cards
    irregular.taken_back.append(event.street)
    round_.deviations = [d for d in round_.deviations if d != f"{event.street} dealt early"]
    table.cards_moved = True
    if event.reopens:
        hands_down_again(round_)
        if round_.betting.number > number:  # in a run-out the street has opened none
            round_.betting.at_top = round_.top_before  # should it turn out to be the Final one
            round_.betting.number = number
        round_.betting.to_act = []
        state.phase = table.due_phase(event.street)


def hands_down_again(round_: RoundState) -> None:
    """Hands may have been shown with a board that is now another, in a run-out or before a ruling:
    they are shown again. Whoever has given his up has done so."""
    for player in round_.players.values():
        if player.shown:
            if round_.irregular is not None:
                round_.irregular.seen = True
            player.shown, player.hand, player.worth = False, "", 0
        player.prompted = False
    round_.to_show = [
        seat
        for seat in round_.show_order
        if round_.players[seat].active and not round_.players[seat].mucked
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
def cards_placed(table: PokerTable, round_: RoundState, event: CardsPlaced) -> None:
    state = table.state
    assert state.shoe is not None
    for card in event.cards:
        if card is Card.UNKNOWN and card not in round_.aside:
            # Scrambled face down: nobody can tell any more which of them it is.
            state.shoe.forget(round_.aside)
            round_.aside = [card] * len(round_.aside)
        if card in round_.aside:
            round_.aside.remove(card)
        else:
            # A card of a real shoe that nobody had seen is known now.
            round_.aside.remove(Card.UNKNOWN)
            table.identify(card)
    match event.place:
        case "burn":
            assert event.street is not None
            state.shoe.declare_burnt(event.cards)
            round_.burns += [Burnt(card=card, street=event.street) for card in event.cards]
            _discard_stored_burn(round_)
        case "stored burn":
            [card] = event.cards
            state.shoe.declare_burnt(event.cards)
            if event.street == "flop":
                round_.first_burn = card
            else:
                round_.stored_burn = card
        case "board":
            assert event.street is not None
            street_of(round_, event.street).extend(event.cards)
        case "discard":
            round_.discards += event.cards
        case "shoe":
            state.shoe.put_back(event.cards)
        case "hand":
            assert event.seat is not None
            round_.players[event.seat].cards += event.cards
    table.cards_moved = True


def _discard_stored_burn(round_: RoundState) -> None:
    """It was the burn of a street that got another one (v8 5.12.4): of no use now."""
    if round_.stored_burn is not None:
        round_.discards.append(round_.stored_burn)
        round_.stored_burn = None


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
