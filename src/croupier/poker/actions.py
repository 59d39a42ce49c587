"""Check, BET, Call, Raise, All-in, Fold: a player's own commands, exact or refused.

v8 1.1 to 1.5, 1.10, 1.12, 1.21, 1.37, 3.3, 3.12 to 3.14, 3.19; v5 3.8.1, 3.9.1, 3.14. What an
Action changes is in `effects`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from croupier.poker.betting import (
    OPEN_TO_BOUND,
    WHO_MAY_RAISE,
    after_all_in,
    all_in_kind,
    ask_about_the_bar,
    bound_to,
    least_bet,
    least_raise,
    raise_after_bet,
    raise_size,
    why_no_raise,
)
from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, PlaceAllInButton, Raise
from croupier.poker.events import (
    AllInButtonPlaced,
    AllInKind,
    BetPlaced,
    Called,
    Checked,
    Folded,
    Raised,
    WentAllIn,
)
from croupier.poker.pots import close_betting, one_left
from croupier.poker.remedies import change_policy
from croupier.poker.state import Betting, RoundPlayer, RoundState
from croupier.poker.wording import said_to
from croupier.rulebooks import Cites, Topic
from croupier.table import (
    ActorRank,
    BadCommand,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

actions = Room("actions")

PLAYER = ActorRank.PLAYER


# -- a Player's own commands -------------------------------------------------------------------


def _out_of_turn(table: PokerTable, round_: RoundState, order: Order[Any], seat: int) -> NoReturn:
    player = round_.players.get(seat)
    if player is None:
        table.refuse_with((Topic.PLAYER, Topic.BETTING_ROUND), f"Seat {seat} is not in the round.")
    if not player.active:
        says = said_to(order, seat, "{Your} hand is out of the round.")
        table.refuse_with((Topic.FOLD, Topic.DEAD_HAND), says)
    if player.all_in:
        says = said_to(order, seat, "{You} {are} All-in and {have} no more turns.")
        table.refuse(Topic.SHORT_STACK_ALL_IN, says)
    table.refuse_with(
        (Topic.OUT_OF_TURN, Topic.ACTION_IN_TURN, *_order_of(round_)),
        f"It is seat {round_.betting.to_act[0]}'s turn.",
    )


def _order_of(round_: RoundState) -> tuple[Topic, ...]:
    """What gives the order of the turns: who is first, and how it goes on from there."""
    if round_.betting.number == 1:
        first, then = Topic.FIRST_TO_ACT_BEFORE_FLOP, Topic.FIRST_ROUND_ORDER
    else:
        first, then = Topic.FIRST_TO_ACT_AFTER_FLOP, Topic.BET_AFTER_CHECKS
    return (first, then) if _nobody_has_acted(round_) else (then,)


def _nobody_has_acted(round_: RoundState) -> bool:
    """Whether the first to act in this Betting Round has yet to do so."""
    return not any(act.betting_round == round_.betting.number for act in round_.actions())


def _unopened(round_: RoundState) -> Topic:
    """What says which Actions are open where nothing was bet: to the first, and after Checks."""
    if _nobody_has_acted(round_):
        return Topic.FIRST_TO_ACT_AFTER_FLOP
    return Topic.OPTIONS_AFTER_CHECK


def _not_his_turn(table: PokerTable, order: Order[Any], seat: int) -> NoReturn:
    """Say why somebody may not act."""
    state = table.state
    sitter = state.seats.get(seat)
    if sitter is None:
        raise BadCommand(f"nobody sits at seat {seat}")
    if order.rank is PLAYER and order.who != sitter.player:
        table.refuse_with(
            (Topic.NO_PROXY_DECISIONS, Topic.SEATED_PLAYERS_ONLY, Topic.BETTING_ROUND),
            f"{order.who} cannot act for {sitter.player}.",
        )
    round_ = state.round
    if state.phase in ("blinds", "dealing"):
        table.refuse(
            Topic.FIRST_ROUND_OPENS_AFTER_DEAL, "Betting begins when all have their two cards."
        )
    if state.phase != "betting" or round_ is None:
        table.refuse(Topic.BETTING_ROUND, "No Betting Round is open.")
    _out_of_turn(table, round_, order, seat)


def turn_of(
    table: PokerTable, order: Order[Check | Bet | Call | Raise | AllIn | Fold]
) -> tuple[RoundState, RoundPlayer]:
    """Check that it is this seat's turn and that its own player, or staff for him, speaks."""
    state = table.state
    seat = order.command.seat
    round_ = state.round
    if (
        state.phase == "betting"
        and round_ is not None
        and round_.betting.to_act[0] == seat
        and (order.rank is not PLAYER or order.who == state.seats[seat].player)
    ):
        return round_, round_.players[seat]
    _not_his_turn(table, order, seat)


_BINDING: dict[str, tuple[Topic, str]] = {
    "raise": (Topic.RAISE, "Raise was said: it binds, and only how much is open."),
    "bet": (Topic.OPENING_BET, "BET was said: it binds, and only how much is open."),
    "call": (Topic.CALL, "Raise was said and is not open any more: it is held to be a Call."),
}


def _refuse_bound(table: PokerTable, round_: RoundState, seat: int, do: str) -> None:
    """1.37, 1.5: whom his words bind to Raise or BET may do nothing else on that turn."""
    bound = bound_to(table, round_, seat)
    if bound is None or do in OPEN_TO_BOUND[bound]:
        return
    topic, says = _BINDING[bound]
    if do == "fold":
        # what the words fixed is owed first, which staff confirm.
        says += " A Fold all the same is reported as it was seen."
        table.refuse_with((topic, Topic.FOLD_AFTER_CHIPS), says)
    table.refuse(topic, says)


CHECKED = Cites(Topic.CHECK, Topic.OPTIONS_AFTER_CHECK, Topic.ACTION_IN_TURN)
CHECKED_FIRST = Cites(
    Topic.BIG_BLIND_OPTION, Topic.CHECK, Topic.FIRST_ROUND_ORDER, Topic.ACTION_IN_TURN
)
CHECKED_STRADDLE = Cites(
    Topic.STRADDLE_OPTION, Topic.CHECK, Topic.FIRST_ROUND_ORDER, Topic.ACTION_IN_TURN
)


@actions.decides(Check)
def check(table: PokerTable, order: Order[Check]) -> None:
    round_, player = turn_of(table, order)
    betting = round_.betting
    if betting.bound:
        _refuse_bound(table, round_, order.command.seat, "check")
    if player.bet < betting.price:
        topic = Topic.CHECK if betting.number == 1 else Topic.NO_CHECK_AFTER_BET
        if round_.straddle is not None and betting.number == 1 and not betting.raised:
            topic = Topic.STRADDLE_OPTION  # 3.12.2: behind a straddle the option is the straddler's
        table.refuse_with(
            (topic, Topic.CHECK), f"There is a bet of {write_money(betting.price)} to answer."
        )
    if betting.number > 1:
        why = CHECKED
    else:
        why = CHECKED_FIRST if round_.straddle is None else CHECKED_STRADDLE
    table.emit(Checked(seat=order.command.seat, cites=table.by_book[why]))
    if not betting.to_act:
        close_betting(table, round_)
    elif betting.price > betting.full:
        ask_about_the_bar(table, round_, betting.to_act[0])


CALLED = Cites(Topic.CALL, Topic.BET_AFTER_CHECKS, Topic.ACTION_IN_TURN)
CALLED_FIRST = Cites(Topic.CALL, Topic.FIRST_ROUND_ORDER, Topic.ACTION_IN_TURN)
CALLED_TO_THE_OPTION = Cites(
    Topic.CALL, Topic.BIG_BLIND_OPTION, Topic.FIRST_ROUND_ORDER, Topic.ACTION_IN_TURN
)
"""The turn goes to the Big Blind, and nobody has raised."""
CALLED_TO_THE_STRADDLER = Cites(
    Topic.CALL, Topic.STRADDLE_OPTION, Topic.STRADDLER_ACTS_LAST, Topic.ACTION_IN_TURN
)
CALLED_ALL_IN = Cites(
    Topic.CALL, Topic.SHORT_STACK_ALL_IN, Topic.ALL_IN_BUTTON, Topic.ACTION_IN_TURN
)
CALLED_SHORT = Cites(
    Topic.CALL,
    Topic.SHORT_STACK_ALL_IN,
    Topic.SHORT_ALL_IN_PRICE,
    Topic.ALL_IN_BUTTON,
    Topic.ACTION_IN_TURN,
)


@actions.decides(Call)
def call(table: PokerTable, order: Order[Call]) -> None:
    round_, player = turn_of(table, order)
    stake = table.state.seats[order.command.seat].stake
    betting = round_.betting
    if betting.bound:
        _refuse_bound(table, round_, order.command.seat, "call")
    owed = betting.price - player.bet
    if owed <= 0:
        table.refuse_with(
            (_unopened(round_), Topic.CALL)
            if betting.number > 1
            else (Topic.CALL, Topic.BIG_BLIND_OPTION),
            "There is nothing to call.",
        )
    all_in = stake <= owed
    to = player.bet + stake if all_in else betting.price
    if all_in:
        cites = table.by_book[CALLED_SHORT if stake < owed else CALLED_ALL_IN]
    else:
        cites = table.by_book[_call_cites(round_, betting)]
    table.emit(Called(seat=order.command.seat, to=to, all_in=all_in, cites=cites))
    go_on(table, round_)


def _call_cites(round_: RoundState, betting: Betting) -> Cites:
    """A Call that passes the turn on to an option that nobody has taken away."""
    if betting.number > 1:
        return CALLED
    to_act, straddle = betting.to_act, round_.straddle
    if not betting.raised and len(to_act) == 2 and to_act[1] == (straddle or round_.big_blind):
        return CALLED_TO_THE_OPTION if straddle is None else CALLED_TO_THE_STRADDLER
    return CALLED_FIRST


BET = Cites(
    Topic.OPENING_BET,
    Topic.BET_AFTER_CHECKS,
    Topic.NO_CHECK_AFTER_BET,
    Topic.NO_LIMIT,
    Topic.BET_MEANS_WAGER,
    Topic.MINIMUM_BET,
    Topic.ACTION_IN_TURN,
)


@actions.decides(Bet)
def bet(table: PokerTable, order: Order[Bet]) -> None:
    round_, player = turn_of(table, order)
    stake = table.state.seats[order.command.seat].stake
    betting, to = round_.betting, order.command.to
    if betting.opened:
        table.refuse_with(
            (Topic.OPENING_BET, Topic.BETTING_ROUND),
            "There is a bet already; to bet more is to raise.",
        )
    _check_size(table, order, player, stake)
    if player.may_not_raise:
        says = said_to(order, order.command.seat, "{You} may not bet any more.")
        table.refuse_paragraphs(player.may_not_raise, says)
    least = least_bet(table)
    if to < least:
        table.refuse(Topic.MINIMUM_BET, f"The smallest bet is {write_money(least)}.")
    table.emit(
        BetPlaced(
            seat=order.command.seat,
            to=to,
            minimum=raise_after_bet(table, to),
            all_in=to == player.bet + stake,
            cites=table.by_book[ALL_IN["bet"] if to == player.bet + stake else BET],
        )
    )
    go_on(table, round_)


RAISED = Cites(
    Topic.RAISE,
    Topic.MINIMUM_RAISE,
    Topic.UNLIMITED_RAISES,
    Topic.NO_LIMIT,
    Topic.BETTING_ROUND,
    Topic.ACTION_IN_TURN,
)
RAISED_FIRST = Cites(
    Topic.RAISE,
    Topic.MINIMUM_RAISE,
    Topic.FIRST_ROUND_ORDER,
    Topic.UNLIMITED_RAISES,
    Topic.NO_LIMIT,
    Topic.ACTION_IN_TURN,
)
RAISED_STRADDLE = Cites(
    Topic.RAISE,
    Topic.MINIMUM_RAISE,
    Topic.STRADDLER_ACTS_LAST,
    Topic.FIRST_ROUND_ORDER,
    Topic.UNLIMITED_RAISES,
    Topic.NO_LIMIT,
    Topic.ACTION_IN_TURN,
)


@actions.decides(Raise)
def raise_to(table: PokerTable, order: Order[Raise]) -> None:
    round_, player = turn_of(table, order)
    stake = table.state.seats[order.command.seat].stake
    betting, to = round_.betting, order.command.to
    if not betting.opened:
        says = said_to(order, order.command.seat, "There is nothing to raise; {you} may bet.")
        table.refuse_with((_unopened(round_), Topic.RAISE), says)
    _check_size(table, order, player, stake)
    if barred := why_no_raise(table, betting, player):
        says = f"{{You}} may {_instead(betting, player)} or fold, but not raise."
        table.refuse_paragraphs(barred, said_to(order, order.command.seat, says))
    least = least_raise(table, betting)
    if to < least:
        table.refuse(Topic.MINIMUM_RAISE, f"The smallest raise is to {write_money(least)}.")
    all_in = to == player.bet + stake
    why = ALL_IN["raise"] if all_in else RAISED
    if not all_in and betting.number == 1:
        # 3.10.1: a raise by anybody else ends the straddler's right to act last.
        own = round_.straddle in (None, order.command.seat)
        why = RAISED_FIRST if own else RAISED_STRADDLE
    table.emit(
        Raised(
            seat=order.command.seat,
            to=to,
            minimum=raise_size(table, betting, to),
            all_in=all_in,
            cites=table.by_book[why],
        )
    )
    go_on(table, round_)


def _instead(betting: Betting, player: RoundPlayer) -> str:
    """What is open to somebody who may not raise, besides a Fold."""
    return "call" if player.bet < betting.price else "check"


def _check_size(
    table: PokerTable, order: Order[Bet] | Order[Raise], player: RoundPlayer, stake: int
) -> None:
    """A wager is made of the chips that he has on the table."""
    most, to = player.bet + stake, order.command.to
    if to > most:
        says = said_to(order, order.command.seat, "{You} {have} ")
        table.refuse_with(
            (Topic.TABLE_STAKE, Topic.NO_LIMIT), f"{says}{write_money(most)} and no more."
        )
    if to % table.smallest_chip and to != most:
        table.refuse_with(
            (Topic.TABLE_STAKE, Topic.NO_LIMIT),
            f"{write_money(to)} cannot be made with chips of {write_money(table.smallest_chip)}.",
        )


ALL_IN: dict[AllInKind, Cites] = {
    "call": Cites(
        Topic.ALL_IN,
        Topic.ALL_IN_COMMITS_WHOLE_STAKE,
        Topic.SHORT_STACK_ALL_IN,
        Topic.CALL,
        Topic.ALL_IN_BUTTON,
        Topic.ACTION_IN_TURN,
    ),
    "under the call": Cites(
        Topic.SHORT_ALL_IN_PRICE,
        Topic.SHORT_STACK_ALL_IN,
        Topic.ALL_IN,
        Topic.ALL_IN_COMMITS_WHOLE_STAKE,
        Topic.ALL_IN_BUTTON,
        Topic.ACTION_IN_TURN,
    ),
    "bet": Cites(
        Topic.ALL_IN,
        Topic.ALL_IN_COMMITS_WHOLE_STAKE,
        Topic.OPENING_BET,
        Topic.NO_LIMIT,
        Topic.ALL_IN_BUTTON,
        Topic.ACTION_IN_TURN,
    ),
    "over the call": Cites(
        Topic.ALL_IN_SHORT_OF_RAISE,
        Topic.ALL_IN,
        Topic.ALL_IN_COMMITS_WHOLE_STAKE,
        Topic.ALL_IN_BUTTON,
        Topic.ACTION_IN_TURN,
    ),
    "under the bet": Cites(
        Topic.SHORT_ALL_IN_PRICE,
        Topic.MINIMUM_BET,
        Topic.ALL_IN,
        Topic.ALL_IN_COMMITS_WHOLE_STAKE,
        Topic.ALL_IN_BUTTON,
        Topic.ACTION_IN_TURN,
    ),
    "raise": Cites(
        Topic.ALL_IN,
        Topic.ALL_IN_COMMITS_WHOLE_STAKE,
        Topic.RAISE,
        Topic.MINIMUM_RAISE,
        Topic.NO_LIMIT,
        Topic.ALL_IN_BUTTON,
        Topic.ACTION_IN_TURN,
    ),
}
HALF_A_RAISE = Cites(
    Topic.ALL_IN_SHORT_OF_RAISE,
    Topic.ALL_IN,
    Topic.ALL_IN_COMMITS_WHOLE_STAKE,
    Topic.RAISE,
    Topic.MINIMUM_RAISE,
)


@actions.decides(AllIn)
def all_in(table: PokerTable, order: Order[AllIn]) -> None:
    round_, player = turn_of(table, order)
    stake = table.state.seats[order.command.seat].stake
    betting = round_.betting
    to = player.bet + stake
    if not stake:
        says = said_to(order, order.command.seat, "{You} {have} no chips left.")
        table.refuse_with((Topic.ALL_IN_COMMITS_WHOLE_STAKE, Topic.TABLE_STAKE), says)
    if to > betting.price and (barred := why_no_raise(table, betting, player)):
        over = "go over the price" if betting.opened else "bet"
        says = f"{{You}} may {_instead(betting, player)} or fold, but not {over}."
        table.refuse_paragraphs(barred, said_to(order, order.command.seat, says))
    kind = all_in_kind(table, betting, to)
    half = kind == "raise" and to < least_raise(table, betting)
    price, full, minimum = after_all_in(table, betting, kind, to)
    table.emit(
        WentAllIn(
            seat=order.command.seat,
            to=to,
            kind=kind,
            price=price,
            full=full,
            minimum=minimum,
            cites=table.by_book[HALF_A_RAISE if half else ALL_IN[kind]],
        )
    )
    go_on(table, round_)


FOLDED = Cites(Topic.FOLD, Topic.ACTIVE_PLAYER, Topic.ACTION_IN_TURN)


@actions.decides(Fold)
def fold(table: PokerTable, order: Order[Fold]) -> None:
    """A-55, P-05: always allowed on one's turn, unless words bind to something else."""
    round_, _ = turn_of(table, order)
    if round_.betting.bound:
        _refuse_bound(table, round_, order.command.seat, "fold")
    table.emit(Folded(seat=order.command.seat, cites=table.by_book[FOLDED]))
    if alone := table.alone(round_):
        one_left(table, round_, alone)
    else:
        go_on(table, round_)


BUTTON_PLACED = Cites(Topic.ALL_IN_BUTTON)


@actions.decides(PlaceAllInButton, while_waiting=True)
def place_all_in_button(table: PokerTable, order: Order[PlaceAllInButton]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("puts the All-in button out", Topic.ALL_IN_BUTTON)
    if not table.book.has(Topic.ALL_IN_BUTTON):
        table.refuse(Topic.ALL_IN, "This game has no All-in button.")
    number = order.command.seat
    round_ = table.open_round(Topic.ALL_IN_BUTTON)
    player = round_.players.get(number)
    if player is None or not player.all_in or player.all_in_button:
        table.refuse(Topic.ALL_IN_BUTTON, f"Seat {number} needs no All-in button.")
    table.emit(AllInButtonPlaced(seat=number, cites=table.by_book[BUTTON_PLACED]))


# -- after an Action ---------------------------------------------------------------------------


def go_on(table: PokerTable, round_: RoundState) -> None:
    """Close the Betting Round if nobody has a turn left, or the last one nothing to decide."""
    betting = round_.betting
    to_act = betting.to_act
    if not to_act or (len(to_act) == 1 and _has_no_choice(round_, to_act[0])):
        close_betting(table, round_)
    elif betting.price > betting.full:
        ask_about_the_bar(table, round_, to_act[0])


def _has_no_choice(round_: RoundState, seat: int) -> bool:
    """Whether the last one to act owes nothing and everybody else is All-in (A-61)."""
    if round_.players[seat].bet < round_.betting.price:
        return False
    for number, player in round_.players.items():
        if player.active and not player.all_in and number != seat:
            return False
    return True


@actions.answered(WHO_MAY_RAISE)
def who_may_raise(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    """The ruling changes the policy for this table from now on."""
    change_policy(table, asked.about["policy"], taken.option, asked.cites)
