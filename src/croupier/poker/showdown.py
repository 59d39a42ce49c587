"""The showdown: who shows first and in which order, who must show, and who may muck.

v8 1.43, 3.18 to 3.18.2.g (A-20, A-21); v5 3.13 (P-14) with its Game Marker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card, Category, HandValue, rank_hand
from croupier.poker.commands import FlipMarker, Muck, ShowHand, ShowHands
from croupier.poker.events import HandShown, Mucked, Pot, ShowdownBegun, ShowPrompted
from croupier.poker.figures import HOLE_CARDS
from croupier.poker.final_round import BETTING_ROUNDS, SHOWDOWN_TRIGGER
from croupier.poker.in_round import in_round
from croupier.poker.pots import contestants
from croupier.poker.remedies import ask_again
from croupier.poker.state import RoundPlayer, RoundState
from croupier.poker.wording import said_to
from croupier.rulebooks import Cites, Rulebook, Topic, Ways
from croupier.table import ActorRank, BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

showdown = Room("showdown")

UNKNOWN = Card.UNKNOWN

PLAYER = ActorRank.PLAYER


@showdown.decides(FlipMarker)
def flip_marker(table: PokerTable, order: Order[FlipMarker]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("flips the Game Marker", Topic.GAME_MARKER)
    if not table.by_book[SHOWDOWN_TRIGGER].game_marker:
        table.refuse(Topic.SHOWDOWN, "This game has no Game Marker.")
    if table.state.phase != "marker due":
        table.refuse(Topic.MARKER_SHOWDOWN, "The last Betting Round is not over.")
    begin_showdown(table, table.current_round())


BEGUN = Cites(
    Topic.SHOWDOWN,
    Topic.SEVERAL_AT_SHOWDOWN,
    Topic.MARKER_SHOWDOWN,
    Topic.SHOW_ONLY_AT_SHOWDOWN,
    Topic.FINAL_BETTING_ROUND,
    Topic.ACTIVE_PLAYER,
)
SIDE_POTS_FIRST = Cites(Topic.SIDE_POT_SHOW_ORDER)


def begin_showdown(table: PokerTable, round_: RoundState) -> None:
    """Work out who shows, in which order."""
    first, rule = first_to_show(table, round_)
    order = show_order(table, round_, first)
    why = (rule, SIDE_POTS_FIRST, BEGUN) if len(round_.pots) > 1 else (rule, BEGUN)
    table.emit(ShowdownBegun(order=order, cites=table.joined(why)))


LAST_RAISER = Cites(Topic.LAST_RAISER_SHOWS_FIRST)
BETTOR = Cites(Topic.BETTOR_SHOWS_FIRST)
LEFT_OF_BUTTON = Cites(Topic.LEFT_OF_BUTTON_SHOWS_FIRST)
EARLY_FINISH = Cites(Topic.EARLY_FINISH_SHOWS_FIRST)


def first_to_show(table: PokerTable, round_: RoundState) -> tuple[int | None, Cites]:
    """Who is obliged to show first, and under which rule; None: the first left of the button."""
    early = round_.final_round != table.by_book[BETTING_ROUNDS]
    return table.by_book[FIRST_TO_SHOW](round_, early)


def _of_the_final_round(round_: RoundState, early: bool) -> tuple[int | None, Cites]:
    """v8 3.18.2: of the Final Betting Round, which may be an early one."""
    if early and round_.final_round is not None:
        return first_at_top(round_), EARLY_FINISH
    # Who raised last, or else made the BET, may have folded to an All-in that was no Raise.
    betting = round_.betting
    seat, rule = betting.last_raiser, LAST_RAISER
    if seat is None:
        seat, rule = betting.bettor, BETTOR
    if seat is not None and round_.players[seat].active:
        return seat, rule
    return None, LEFT_OF_BUTTON


def _of_the_fourth_round(round_: RoundState, early: bool) -> tuple[int | None, Cites]:
    """v5 3.13: the last raiser may have folded to an All-in that was no raise but stands as a
    bet."""
    betting = round_.betting
    if not early:
        for seat, rule in (
            (betting.last_raiser, LAST_RAISER),
            (betting.last_bettor, BETTOR),
        ):
            if seat is not None and round_.players[seat].active:
                return seat, rule
    return None, LEFT_OF_BUTTON


FIRST_TO_SHOW = Ways(
    "first-to-show",
    {
        "final-round-raiser-or-bet-maker": _of_the_final_round,
        "fourth-round-raiser-or-last-bettor": _of_the_fourth_round,
    },
)


def first_at_top(round_: RoundState) -> int | None:
    """Who was first to bet the most in the Final Betting Round, of those who still have a hand."""
    at_top, players = round_.betting.at_top, round_.players
    there = next((seat for seat in at_top if players[seat].active), None)
    if there is not None or not at_top:
        return there
    # A dead hand is none here (v8 1.15, A-54): whoever of the others bet the most, and first.
    number = round_.final_round
    bets = [act.seat for act in round_.acts if act.betting_round == number and act.bet]
    if number == 1:
        bets = [round_.straddle or round_.big_blind, *round_.order, *bets]
    last = {seat: place for place, seat in enumerate(bets) if players[seat].active}
    most = max((_bet_in_all(players[seat]) for seat in last), default=0)
    left = [seat for seat in last if _bet_in_all(players[seat]) == most]
    return min(left, key=last.__getitem__, default=None)


def _bet_in_all(player: RoundPlayer) -> int:
    """What a Player's wagers came to, with what nobody called; a dead post is no part of them."""
    return player.total - player.posted_dead + player.uncalled


def _newest_first(pots: list[Pot]) -> list[Pot]:
    return pots[::-1]


def _main_pot(pots: list[Pot]) -> list[Pot]:
    """Whoever contests a Side Pot contests the Main Pot too, so it names everybody."""
    return pots[:1]


POTS_SHOWN = Ways("pots-shown", {"newest-side-pot-first": _newest_first, "any-order": _main_pot})
"""By which pots hands are shown, in this order."""


def show_order(table: PokerTable, round_: RoundState, first: int | None) -> tuple[int, ...]:
    """Everybody once: clockwise from the first to show, the newest Side Pot before the older."""
    order: list[int] = []
    for pot in table.by_book[POTS_SHOWN](round_.pots):
        there = contestants(round_, pot)
        if first in there:
            place = there.index(first)
            there = there[place:] + there[:place]
        order += [seat for seat in there if seat not in order]
    return tuple(order)


@in_round(showdown, ShowdownBegun)
def showdown_begun(table: PokerTable, round_: RoundState, event: ShowdownBegun) -> None:
    state = table.state
    round_.show_order = event.order
    round_.to_show = list(event.order)
    table.cards_moved = True
    state.phase = "showdown"
    if table.by_book[SHOWDOWN_TRIGGER].game_marker:
        state.marker = "SHOWDOWN"


# -- showing -----------------------------------------------------------------------------------


def value_of(table: PokerTable, round_: RoundState, seat: int) -> HandValue | None:
    """The value of a hand with the board; None where its cards are not known, or not as many."""
    cards = round_.players[seat].cards
    board = table.board()
    if len(cards) != 2 or len(board) != 5 or UNKNOWN in cards or UNKNOWN in board:
        return None
    return rank_hand((*cards, *board))


def best_shown(round_: RoundState, seat: int) -> int:
    """What a Player's hand must equal to claim anything: the best shown so far for a pot that the
    Player contests, of several pots the lowest; 0 if for one of them none was.

    It need not be the newest: past somebody who was passed over others may have a Side Pot alone.
    """
    players = round_.players
    found = -1
    for pot in round_.pots:
        if seat in pot.seats:
            # A dead hand has no claim (v8 1.15).
            best = max((players[n].worth for n in pot.seats if players[n].active), default=0)
            if best < found or found < 0:
                found = best
    return max(found, 0)


def must_show(table: PokerTable, round_: RoundState, seat: int) -> bool | None:
    """Whether a Player must show; None where only his own cards would tell."""
    best = best_shown(round_, seat)
    if best == 0:
        return True
    value = value_of(table, round_, seat)
    return None if value is None else value >= best


def _show_turn(
    table: PokerTable, order: Order[ShowHand] | Order[Muck], *, in_order: bool
) -> RoundState:
    state = table.state
    number = order.command.seat
    table.own_seat(order, number)
    round_ = state.round
    if round_ is None or not round_.open or number not in round_.players:
        table.refuse(Topic.SHOW_ONLY_AT_SHOWDOWN, f"Seat {number} has no hand to show.")
    if not round_.players[number].active:
        says = said_to(order, number, "{Your} hand is out of the round.")
        table.refuse_with((Topic.FOLD, Topic.DEAD_HAND), says)
    if state.phase == "settling" and round_.won_by_folds:
        says = said_to(order, number, "{You} {have} won and need not show.")
        table.refuse(Topic.LONE_SURVIVOR, says)
    if state.phase != "showdown":
        table.refuse_with(
            (Topic.MARKER_BETTING_ROUND, Topic.SHOW_ONLY_AT_SHOWDOWN),
            "Hands are shown at the showdown only.",
        )
    if number not in round_.to_show:
        says = said_to(order, number, "{Your} hand is shown or given up already.")
        table.refuse(Topic.SEVERAL_AT_SHOWDOWN, says)
    if in_order and round_.to_show[0] != number:
        table.refuse(Topic.SEVERAL_AT_SHOWDOWN, f"Seat {round_.to_show[0]} is asked first.")
    return round_


@showdown.decides(ShowHands)
def show_hands(table: PokerTable, order: Order[ShowHands]) -> None:
    """The House at an automatic table: nobody is asked what he must do anyway."""
    state = table.state
    if order.rank is PLAYER:
        table.only_the_dealer("calls for the hands", Topic.SHOWDOWN)
    round_ = state.round
    if state.phase != "showdown" or round_ is None:
        table.refuse_with((Topic.SHOWDOWN, Topic.SHOW_ONLY_AT_SHOWDOWN), "It is no showdown.")
    board = table.board()
    hands: list[tuple[int, tuple[Card, ...], HandValue]] = []
    for seat in round_.to_show:
        cards = tuple(round_.players[seat].cards)
        if UNKNOWN in cards:
            raise BadCommand("the cards of this shoe are reported: each player shows or mucks")
        if len(cards) != 2 or len(board) != 5:
            _check_hand(table, cards)
        hands.append((seat, cards, rank_hand((*cards, *board))))
    for seat, cards, value in hands:
        if value >= best_shown(round_, seat):
            _show(table, round_, seat, cards, value)
        else:
            table.emit(Mucked(seat=seat, cites=table.by_book[MUCKED]))


@showdown.decides(ShowHand)
def show_hand(table: PokerTable, order: Order[ShowHand]) -> None:
    """In his turn he answers for his hand; anybody may also show before he is asked."""
    round_ = _show_turn(table, order, in_order=False)
    seat = order.command.seat
    cards = tuple(round_.players[seat].cards)
    if order.command.cards:
        cards = table.identified(cards, _as_they_lie(cards, order.command.cards))
    _check_hand(table, cards)
    _show(table, round_, seat, cards, rank_hand((*cards, *table.board())))


def _as_they_lie(cards: tuple[Card, ...], named: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand has no order: whoever names it need not know which of its cards is known already."""
    known = [card for card in cards if card.is_known and card in named]
    others = [card for card in named if card not in known]
    if len(known) + len(others) != len(cards):
        return named
    return tuple(card if card in known else others.pop(0) for card in cards)


def _check_hand(table: PokerTable, cards: tuple[Card, ...]) -> None:
    """Only two known cards with a board of five make a hand; anything else must be reported."""
    board = table.board()
    if len(board) != 5 or UNKNOWN in board:
        table.refuse(Topic.FIVE_CARD_HAND, "The board does not show five cards.")
    if len(cards) != table.by_book[HOLE_CARDS]:
        table.refuse(Topic.WRONG_COUNT, f"It is a hand of {len(cards)}; the dealer must report it.")
    if UNKNOWN in cards:
        raise BadCommand("report which cards are shown")


class _Shown:
    """What a hand that is shown rests on, by its category."""

    def __init__(self, *more: Topic) -> None:
        self.more = more

    def of(self, book: Rulebook) -> dict[Category, tuple[str, ...]]:
        """The paragraphs of this book."""
        cards = (Topic.FIVE_CARD_HAND, Topic.CARD_RANKS, Topic.HAND, *self.more)
        return {
            category: Cites(Topic(f"rank-{category.value}"), *cards).of(book)
            for category in Category
        }


SHOWN_FIRST, SHOWN_LATER = _Shown(), _Shown(Topic.EQUAL_OR_BETTER_SHOWS)

_said: dict[int, str] = {}
"""The sentences of the values met so far, at most one for each of them."""


def _show(
    table: PokerTable, round_: RoundState, seat: int, cards: tuple[Card, ...], value: HandValue
) -> None:
    first = round_.to_show[0] == round_.show_order[0]
    cites = table.by_book[SHOWN_FIRST if first else SHOWN_LATER]
    hand = _said.get(value)
    if hand is None:
        hand = _said[value] = value.sentence
    table.emit(
        HandShown(
            seat=seat,
            cards=cards,
            hand=hand,
            worth=int(value),
            cites=cites[value.category],
        )
    )


@in_round(showdown, HandShown)
def hand_shown(table: PokerTable, round_: RoundState, event: HandShown) -> None:
    player = round_.players[event.seat]
    if player.cards != [*event.cards]:
        for was, card in zip(player.cards, event.cards, strict=True):
            if was is not card:
                table.identify(card)
        player.cards = list(event.cards)
    player.shown = True
    player.hand = event.hand
    player.worth = event.worth
    _has_answered(table, round_, event.seat)


MUCKED = Cites(Topic.EQUAL_OR_BETTER_SHOWS, Topic.SEVERAL_AT_SHOWDOWN)
PROMPTED = Cites(Topic.EQUAL_OR_BETTER_SHOWS, Topic.SEVERAL_AT_SHOWDOWN)
SURRENDERED = Cites(Topic.EQUAL_OR_BETTER_SHOWS, Topic.FOLD, Topic.DEAD_HAND)


@showdown.decides(Muck)
def muck(table: PokerTable, order: Order[Muck]) -> None:
    """A-21: whoever must show and does not is asked once more; then his hand is surrendered.

    His own command to that effect is refused, as all that is not offered; staff report what he did.
    """
    round_ = _show_turn(table, order, in_order=True)
    seat = order.command.seat
    player = round_.players[seat]
    obliged = must_show(table, round_, seat)
    if not obliged:
        table.emit(Mucked(seat=seat, cites=table.by_book[MUCKED]))
        return
    if order.rank is PLAYER:
        table.refuse_paragraphs(table.by_book[PROMPTED], "You must show your hand.")
    if not player.prompted:
        table.emit(ShowPrompted(seat=seat, cites=table.by_book[PROMPTED]))
        return
    for pot in round_.pots:
        if contestants(round_, pot) == [seat]:
            table.refuse(Topic.LONE_SURVIVOR, "Nobody else has a claim to that pot.")
    table.emit(Mucked(seat=seat, surrendered=True, cites=table.by_book[SURRENDERED]))
    ask_again(table)


@in_round(showdown, ShowPrompted)
def show_prompted(table: PokerTable, round_: RoundState, event: ShowPrompted) -> None:
    round_.players[event.seat].prompted = True


@in_round(showdown, Mucked)
def mucked(table: PokerTable, round_: RoundState, event: Mucked) -> None:
    player = round_.players[event.seat]
    player.mucked = True
    if event.surrendered:
        player.active = False
        if table.alone(round_):
            # The others have surrendered: he has won, and need not show.
            round_.to_show = [event.seat]
    _has_answered(table, round_, event.seat)


def _has_answered(table: PokerTable, round_: RoundState, seat: int) -> None:
    """The next one is asked; when nobody is left to be asked, the pots are paid."""
    round_.to_show.remove(seat)
    if not round_.to_show:
        table.state.phase = "settling"
