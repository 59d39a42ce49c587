"""The four Betting Rounds: whose turn it is, what he may do, and what his Action does.

v8 1.1 to 1.6, 1.10, 1.12, 1.21, 1.26, 1.28, 1.37, 3.4, 3.12, 3.14, 3.17, 3.19; v5 3.2, 3.3, 3.8.1,
3.9.1, 3.12, 3.14. The symbols of the readings: L is `price`, F is `full`, M is `minimum`.

`options` is the whole truth: what it gives is accepted, and nothing else is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

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
from croupier.poker.state import Act, Betting, Playing, RoundState
from croupier.rulebooks import Topic
from croupier.table import (
    BadCommand,
    Choice,
    DecisionNeeded,
    DecisionTaken,
    Offer,
    Order,
    Room,
    StaffRank,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

betting = Room("betting")

PLAYER = StaffRank.PLAYER

WHO_MAY_RAISE = "who may raise"


# -- opening a Betting Round (applied) ---------------------------------------------------------


def open_betting(table: PokerTable, number: int) -> None:
    """Set a Betting Round up: its price, its order. Called while an event is applied."""
    state = table.state
    played = state.round
    assert played is not None
    players = played.players
    if number == 1:
        betting = played.betting
        # a short Blind leaves the price at the nominal Big Blind.
        price = state.settings.big_blind
        first = played.big_blind
        if played.straddle is not None:
            price *= table.rules.straddle_multiple
            first = played.straddle
        betting.price = betting.full = betting.minimum = price
        betting.opened = True
        # posts of one size count for the straddler, or else the Big Blind, before others.
        posts = {seat: players[seat].bet for seat in (first, *played.order)}
        betting.top = max(posts.values())
        betting.at_top = [seat for seat, bet in posts.items() if bet == betting.top]
        betting.to_act = [s for s in after(played.order, first) if not players[s].all_in]
    else:
        to_act = []
        for seat in played.order:
            player = players[seat]
            if player.active:
                player.acted = player.wagered = player.answered = False
                if not player.all_in:
                    to_act.append(seat)
        big_blind = state.settings.blinds[1]
        played.betting = Betting(number=number, minimum=big_blind, to_act=to_act)
    state.phase = "betting"


def reopen_after_street(table: PokerTable, number: int) -> None:
    """The new street lies face up: bet, or go on if nobody can. Called while applied."""
    state = table.state
    played = state.round
    assert played is not None
    if table.betting_goes_on():
        open_betting(table, number)
    else:
        state.phase = table.phase_after(number)


def after(order: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The order beginning after a seat that is in it."""
    place = order.index(seat) + 1
    return order[place:] + order[:place]


# -- what a Player may do ----------------------------------------------------------------------


def least_raise(table: PokerTable, betting: Betting) -> int:
    """The least total of a raise: from the last full wager (v8), or from the price (v5)."""
    base = betting.full if table.rules.raise_from_full_wager else betting.price
    return base + betting.minimum


def least_bet(table: PokerTable) -> int:
    """The smallest BET of a later Betting Round (v8 1.5; v5 by policy)."""
    if table.rules.bet_is_big_blind or table.state.policies["min-bet"] == "big-blind":
        return table.state.settings.big_blind
    return table.smallest_chip


def is_barred(table: PokerTable, betting: Betting, player: Playing) -> bool:
    """Whether an All-in that was no raise keeps this Player from raising (v8 3.19.3, A-06)."""
    if not table.rules.short_all_in_bars or betting.price <= betting.full:
        return False
    if table.state.policies["short-all-in-bar"] == "any-bet":
        return player.wagered
    return player.answered


def why_no_raise(table: PokerTable, betting: Betting, player: Playing) -> tuple[str, ...]:
    """The paragraphs that take BET and Raise from a Player, if any do."""
    if player.may_not_raise:
        return player.may_not_raise
    if is_barred(table, betting, player):
        return table.paragraphs(Topic.ALL_IN_SHORT_OF_RAISE)
    return ()


def options(table: PokerTable, seat: int) -> list[Offer]:
    """Exactly what the Player whose turn it is may do, each with its least and most total."""
    state = table.state
    played = state.round
    assert played is not None
    betting, player = played.betting, played.players[seat]
    stake = state.seats[seat].stake
    most = player.bet + stake
    price = betting.price
    step = table.smallest_chip
    found: list[Offer] = []
    if player.bet >= price:
        found.append(Offer(do="check"))
    else:
        to = min(price, most)
        found.append(Offer(do="call", word="to", least=to, most=to))
    barred = bool(why_no_raise(table, betting, player))
    if not barred:
        if betting.opened:
            least, do = least_raise(table, betting), "raise"
        else:
            least, do = least_bet(table), "bet"
        if most >= least:
            found.append(Offer(do=do, word="to", least=least, most=most, step=step))
    if not barred or most <= price:
        found.append(Offer(do="all in", word="to", least=most, most=most))
    found.append(Offer(do="fold"))
    return found


# -- a Player's own commands -------------------------------------------------------------------


def _out_of_turn(table: PokerTable, played: RoundState, seat: int) -> NoReturn:
    player = played.players.get(seat)
    if player is None:
        table.refuse_with((Topic.PLAYER, Topic.BETTING_ROUND), f"Seat {seat} is not in the round.")
    if not player.active:
        table.refuse_with((Topic.FOLD, Topic.DEAD_HAND), "His hand is out of the round.")
    if player.all_in:
        table.refuse(Topic.SHORT_STACK_ALL_IN, "He is All-in and has no more turns.")
    if played.betting.number == 1:
        order_topic = Topic.FIRST_ROUND_ORDER
    else:
        order_topic = Topic.BET_AFTER_CHECKS
    table.refuse_with(
        (Topic.OUT_OF_TURN, Topic.ACTION_IN_TURN, order_topic),
        f"It is seat {played.betting.to_act[0]}'s turn.",
    )


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
    played = state.round
    if state.phase in ("blinds", "dealing"):
        table.refuse(
            Topic.FIRST_ROUND_OPENS_AFTER_DEAL, "Betting begins when everybody has his two cards."
        )
    if state.phase != "betting" or played is None:
        table.refuse(Topic.BETTING_ROUND, "No Betting Round is open.")
    _out_of_turn(table, played, seat)


def turn_of(
    table: PokerTable, order: Order[Check | Bet | Call | Raise | AllIn | Fold]
) -> tuple[RoundState, Playing, int]:
    """Check that it is this seat's turn and that its own player, or staff for him, speaks."""
    state = table.state
    seat = order.command.seat
    sitter = state.seats.get(seat)
    played = state.round
    if (
        sitter is not None
        and played is not None
        and state.phase == "betting"
        and played.betting.to_act[0] == seat
        and (order.rank is not PLAYER or order.who == sitter.player)
    ):
        return played, played.players[seat], sitter.stake
    _not_his_turn(table, order, seat)


@betting.on(Check)
def check(table: PokerTable, order: Order[Check]) -> None:
    played, player, _ = turn_of(table, order)
    betting = played.betting
    if player.bet < betting.price:
        topic = Topic.CHECK if betting.number == 1 else Topic.NO_CHECK_AFTER_BET
        table.refuse_with(
            (topic, Topic.CHECK), f"There is a bet of {write_money(betting.price)} to answer."
        )
    name = "check"
    if betting.number == 1:
        name = "check 1" if played.straddle is None else "check 1 straddle"
    table.emit(Checked(seat=order.command.seat, cites=table.cited[name]))
    if not betting.to_act:
        close_betting(table, played)
    elif betting.price > betting.full:
        _ask_about_the_bar(table, played, betting.to_act[0])


@betting.on(Call)
def call(table: PokerTable, order: Order[Call]) -> None:
    played, player, stake = turn_of(table, order)
    betting = played.betting
    owed = betting.price - player.bet
    if owed <= 0:
        table.refuse_with(
            (Topic.OPTIONS_AFTER_CHECK, Topic.CALL)
            if betting.number > 1
            else (Topic.CALL, Topic.BIG_BLIND_OPTION),
            "There is nothing to call.",
        )
    all_in = stake <= owed
    to = player.bet + stake if all_in else betting.price
    if all_in:
        cites = table.cited["call all in short" if stake < owed else "call all in"]
    else:
        cites = table.cited[_call_cites(played, betting)]
    table.emit(Called(seat=order.command.seat, to=to, all_in=all_in, cites=cites))
    go_on(table, played)


def _call_cites(played: RoundState, betting: Betting) -> str:
    """A Call that passes the turn on to an option that nobody has taken away."""
    if betting.number > 1:
        return "call"
    to_act = betting.to_act
    if not betting.raised and len(to_act) == 2:
        return "call 1 option" if played.straddle is None else "call 1 straddle"
    return "call 1"


@betting.on(Bet)
def bet(table: PokerTable, order: Order[Bet]) -> None:
    played, player, stake = turn_of(table, order)
    betting, to = played.betting, order.command.to
    if betting.opened:
        table.refuse_with(
            (Topic.OPENING_BET, Topic.BETTING_ROUND),
            "There is a bet already; to bet more is to raise.",
        )
    _check_size(table, player, stake, to)
    if player.may_not_raise:
        table.refuse_paragraphs(player.may_not_raise, "He may not bet any more.")
    least = least_bet(table)
    if to < least:
        table.refuse(Topic.MINIMUM_BET, f"The smallest bet is {write_money(least)}.")
    table.emit(
        BetPlaced(
            seat=order.command.seat,
            to=to,
            minimum=to if table.rules.raise_is_last_increment else betting.minimum,
            all_in=to == player.bet + stake,
            cites=table.cited["all in bet" if to == player.bet + stake else "bet"],
        )
    )
    go_on(table, played)


@betting.on(Raise)
def raise_to(table: PokerTable, order: Order[Raise]) -> None:
    played, player, stake = turn_of(table, order)
    betting, to = played.betting, order.command.to
    if not betting.opened:
        table.refuse_with(
            (Topic.OPTIONS_AFTER_CHECK, Topic.RAISE), "There is nothing to raise; he may bet."
        )
    _check_size(table, player, stake, to)
    if barred := why_no_raise(table, betting, player):
        table.refuse_paragraphs(barred, "He may call or fold, but not raise.")
    least = least_raise(table, betting)
    if to < least:
        table.refuse(Topic.MINIMUM_RAISE, f"The smallest raise is to {write_money(least)}.")
    all_in = to == player.bet + stake
    kind = "all in raise" if all_in else "raise"
    if kind == "raise" and betting.number == 1:
        # 3.10.1: a raise by anybody else ends the straddler's right to act last.
        kind = "raise 1" if played.straddle in (None, order.command.seat) else "raise 1 straddle"
    table.emit(
        Raised(
            seat=order.command.seat,
            to=to,
            minimum=raise_size(table, betting, to),
            all_in=all_in,
            cites=table.cited[kind],
        )
    )
    go_on(table, played)


def raise_size(table: PokerTable, betting: Betting, to: int) -> int:
    """The smallest raise after a raise to this total.

    v8: measured from the last full wager (A-02). v5: from the price, never below the Big Blind
    (P-03: an All-in of half a raise or more counts as one, and is what 3.3 measures by).
    """
    if table.rules.raise_from_full_wager:
        return to - betting.full
    return max(to - betting.price, table.state.settings.big_blind)


def _check_size(table: PokerTable, player: Playing, stake: int, to: int) -> None:
    """A wager is made of the chips that he has on the table."""
    most = player.bet + stake
    if to > most:
        table.refuse_with(
            (Topic.TABLE_STAKE, Topic.NO_LIMIT), f"He has {write_money(most)} and no more."
        )
    if to % table.smallest_chip and to != most:
        table.refuse_with(
            (Topic.TABLE_STAKE, Topic.NO_LIMIT),
            f"{write_money(to)} cannot be made with chips of {write_money(table.smallest_chip)}.",
        )


@betting.on(AllIn)
def all_in(table: PokerTable, order: Order[AllIn]) -> None:
    played, player, stake = turn_of(table, order)
    betting = played.betting
    to = player.bet + stake
    if to > betting.price and (barred := why_no_raise(table, betting, player)):
        table.refuse_paragraphs(barred, "He may call or fold, but not go over the price.")
    kind = all_in_kind(table, betting, to)
    price, full, minimum = betting.price, betting.full, betting.minimum
    half = kind == "raise" and to < least_raise(table, betting)
    match kind:
        case "raise":
            price, minimum = to, raise_size(table, betting, to)
            full = to
        case "bet":
            price = full = to
            if table.rules.raise_is_last_increment:
                minimum = to
        case "over the call":
            # v8 3.19.3: the price is the All-in amount, raises still start from the last full
            # wager. v5 3.14.3: from the All-in amount.
            price = to
            if not table.rules.raise_from_full_wager:
                full = to
        case "under the bet":
            # the others answer the smallest BET, unless the policy says the All-in itself.
            full = minimum = least_bet(table)
            by_amount = table.state.policies["opening-all-in-below-big-blind"] == "all-in-amount"
            price = to if by_amount else full
        case "call" | "under the call":
            pass  # The price stays (v8 3.19.2, A-03; v5 3.14.2).
    table.emit(
        WentAllIn(
            seat=order.command.seat,
            to=to,
            kind=kind,
            price=price,
            full=full,
            minimum=minimum,
            cites=table.cited[f"all in {'half a ' if half else ''}{kind}"],
        )
    )
    go_on(table, played)


def all_in_kind(table: PokerTable, betting: Betting, to: int) -> AllInKind:
    """What an All-in to this total is (v8 3.19.1 to 3.19.3, A-04; v5 3.14.1 to 3.14.3, P-04)."""
    if not betting.opened:
        if table.rules.bet_is_big_blind and to < least_bet(table):
            return "under the bet"
        return "bet"
    if to < betting.price:
        return "under the call"
    if to == betting.price:
        return "call"
    base = betting.full if table.rules.raise_from_full_wager else betting.price
    needed = betting.minimum
    over = to - base
    if table.rules.half_is_a_raise:
        over *= 2
    # each All-in is tested against the last full wager, not against the All-in before it.
    return "raise" if over >= needed else "over the call"


@betting.on(Fold)
def fold(table: PokerTable, order: Order[Fold]) -> None:
    """A-55, P-05: always allowed on one's turn."""
    played, _, _ = turn_of(table, order)
    table.emit(Folded(seat=order.command.seat, cites=table.cited["fold"]))
    if alone := table.alone():
        one_left(table, played, alone)
    else:
        go_on(table, played)


@betting.on(PlaceAllInButton, while_waiting=True)
def place_all_in_button(table: PokerTable, order: Order[PlaceAllInButton]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("puts the All-in button out", Topic.ALL_IN_BUTTON)
    if not table.book.has(Topic.ALL_IN_BUTTON):
        table.refuse(Topic.ALL_IN, "This game has no All-in button.")
    number = order.command.seat
    played = table.open_round(Topic.ALL_IN_BUTTON)
    player = played.players.get(number)
    if player is None or not player.all_in or player.all_in_button:
        table.refuse(Topic.ALL_IN_BUTTON, f"Seat {number} needs no All-in button.")
    table.emit(AllInButtonPlaced(seat=number, cites=table.cited["all in button"]))


# -- after an Action ---------------------------------------------------------------------------


def go_on(table: PokerTable, played: RoundState) -> None:
    """Close the Betting Round if nobody has a turn left, or the last one nothing to decide."""
    betting = played.betting
    to_act = betting.to_act
    if not to_act or (len(to_act) == 1 and _has_no_choice(played, to_act[0])):
        close_betting(table, played)
    elif betting.price > betting.full:
        _ask_about_the_bar(table, played, to_act[0])


def _has_no_choice(played: RoundState, seat: int) -> bool:
    """Whether the last one to act owes nothing and everybody else is All-in (A-61)."""
    if played.players[seat].bet < played.betting.price:
        return False
    for number, player in played.players.items():
        if player.active and not player.all_in and number != seat:
            return False
    return True


def _ask_about_the_bar(table: PokerTable, played: RoundState, seat: int) -> None:
    """A-06: barred by the letter although he has not answered the last full raise: on screen as a
    question of interpretation, which does not hold the table."""
    player = played.players[seat]
    if not player.wagered or player.answered or not table.rules.short_all_in_bars:
        return
    for need in table.state.waiting:
        if isinstance(need, DecisionNeeded) and need.question == WHO_MAY_RAISE:
            return
    table.ask(
        WHO_MAY_RAISE,
        f"Seat {seat} has bet in this round, but has not answered the last full raise. After the "
        "All-in, may he raise?",
        (
            Choice(name="any-bet", says="No: he has placed a bet in this Betting Round."),
            Choice(
                name="answered-last-full-raise",
                says="Yes: he has not answered the last full raise.",
            ),
        ),
        StaffRank.SHIFT_MANAGER,
        table.paragraphs(Topic.DISCRETION_INTERPRETATION, Topic.ALL_IN_SHORT_OF_RAISE),
        holds=False,
        about={"seat": seat, "policy": "short-all-in-bar"},
    )


# -- what changes ------------------------------------------------------------------------------


def _act(table: PokerTable, seat: int, bet: bool) -> tuple[RoundState, Playing]:
    """An Action is taken: count it and pass the turn."""
    played = table.state.round
    assert played is not None
    player = played.players[seat]
    player.acts += 1
    player.acted = player.answered = True
    betting = played.betting
    betting.to_act.remove(seat)
    played.acts.append(Act(seat=seat, betting_round=betting.number, bet=bet))
    return played, player


def _put(table: PokerTable, played: RoundState, player: Playing, seat: int, to: int) -> None:
    """Chips go from the stake to the front of the Player, up to this total."""
    put = to - player.bet
    table.state.seats[seat].stake -= put
    player.bet = to
    player.total += put
    player.wagered = True
    betting = played.betting
    if to > betting.top:
        betting.top, betting.at_top = to, [seat]
    elif to == betting.top:
        betting.at_top.append(seat)


def _all_in(table: PokerTable, player: Playing) -> None:
    player.all_in = True
    player.all_in_button = table.places_all_in_buttons


def _everybody_answers(played: RoundState, seat: int, full: bool) -> None:
    """The price has gone up: everybody else who can has a turn again."""
    players = played.players
    others = []
    for other in after(played.order, seat)[:-1]:
        player = players[other]
        if player.active:
            if full:
                player.answered = False
            if not player.all_in:
                others.append(other)
    played.betting.to_act = others


@betting.when(Checked)
def checked(table: PokerTable, event: Checked) -> None:
    _act(table, event.seat, bet=False)


@betting.when(Folded)
def folded(table: PokerTable, event: Folded) -> None:
    played, player = _act(table, event.seat, bet=False)
    player.active = False
    player.folded = True
    played.discards += player.cards
    player.cards = []
    table.cards_moved = True


@betting.when(Called)
def called(table: PokerTable, event: Called) -> None:
    seat = event.seat
    played, player = _act(table, seat, bet=True)
    _put(table, played, player, seat, event.to)
    if event.all_in:
        _all_in(table, player)


@betting.when(BetPlaced)
def bet_placed(table: PokerTable, event: BetPlaced) -> None:
    seat = event.seat
    played, player = _act(table, seat, bet=True)
    _put(table, played, player, seat, event.to)
    if event.all_in:
        _all_in(table, player)
    betting = played.betting
    betting.price = betting.full = event.to
    betting.minimum = event.minimum
    betting.opened = True
    betting.bettor = betting.last_bettor = seat
    _everybody_answers(played, seat, full=True)


@betting.when(Raised)
def raised(table: PokerTable, event: Raised) -> None:
    seat = event.seat
    played, player = _act(table, seat, bet=True)
    _put(table, played, player, seat, event.to)
    if event.all_in:
        _all_in(table, player)
    betting = played.betting
    betting.price = betting.full = event.to
    betting.minimum = event.minimum
    betting.raised = True
    betting.last_raiser = seat
    _everybody_answers(played, seat, full=True)


@betting.when(WentAllIn)
def went_all_in(table: PokerTable, event: WentAllIn) -> None:
    seat, kind = event.seat, event.kind
    played, player = _act(table, seat, bet=True)
    _put(table, played, player, seat, event.to)
    _all_in(table, player)
    if kind in ("call", "under the call"):
        return
    betting = played.betting
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
    _everybody_answers(played, seat, full=kind != "over the call")


@betting.when(AllInButtonPlaced)
def all_in_button_placed(table: PokerTable, event: AllInButtonPlaced) -> None:
    assert table.state.round is not None
    table.state.round.players[event.seat].all_in_button = True


@betting.answered(WHO_MAY_RAISE)
def who_may_raise(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    """The ruling changes the policy for this table from now on."""
    change_policy(table, asked.about["policy"], taken.option, asked.cites)
