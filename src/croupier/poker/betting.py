"""The four Betting Rounds: how each opens, and what a Player may do, to the chip.

v8 1.5, 1.6, 1.26, 1.28, 1.37, 3.4, 3.12, 3.14, 3.17, 3.19; v5 3.2, 3.3, 3.8.1, 3.9.1, 3.12, 3.14.
The symbols of the readings: L is `price`, F is `full`, M is `minimum`.

`options` is the whole truth: what it gives is accepted, and nothing else is (`actions`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, assert_never

from msgspec import Struct

from croupier.poker.blinds import straddle_amount
from croupier.poker.events import (
    AllInKind,
)
from croupier.poker.final_round import betting_goes_on
from croupier.poker.state import Betting, RoundPlayer, RoundState
from croupier.poker.wager_seen import BoundTo
from croupier.rulebooks import Topic, Ways
from croupier.table import ActorRank, Choice, Offer

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable


# -- opening a Betting Round (applied) ---------------------------------------------------------


def open_betting(table: PokerTable, round_: RoundState, number: int) -> None:
    """Set a Betting Round up: its price, its order. Called while an event is applied."""
    state = table.state
    players = round_.players
    if number == 1:
        betting = round_.betting
        # a short Blind leaves the price at the nominal Big Blind.
        price = state.settings.big_blind
        first = round_.big_blind
        if round_.straddle is not None:
            price = straddle_amount(table)
            first = round_.straddle
        betting.price = betting.full = betting.minimum = price
        betting.opened = True
        # posts of one size count for the straddler, or else the Big Blind, before others.
        top, at_top = players[first].bet, [first]
        for seat in round_.order:
            bet = players[seat].bet
            if bet > top:
                top, at_top = bet, [seat]
            elif bet == top and seat != first:
                at_top.append(seat)
        betting.top, betting.at_top = top, at_top
        betting.to_act = [s for s in after(round_.order, first) if not players[s].all_in]
    else:
        to_act = []
        for seat in round_.order:
            player = players[seat]
            if player.active:
                player.acted = player.answered = False
                if player.wagered:
                    player.wagered = False
                if not player.all_in:
                    to_act.append(seat)
        big_blind = state.settings.blinds[1]
        round_.top_before = round_.betting.at_top
        round_.betting = Betting(number=number, minimum=big_blind, to_act=to_act)
    state.phase = "betting"


def reopen_after_street(table: PokerTable, round_: RoundState, number: int) -> None:
    """The new street lies face up: bet, or go on if nobody can. Called while applied."""
    if betting_goes_on(table, round_):
        open_betting(table, round_, number)
    else:
        table.state.phase = table.phase_after(round_, number)


def after(order: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The order beginning after a seat that is in it."""
    place = order.index(seat) + 1
    return order[place:] + order[:place]


# -- what a Player may do ----------------------------------------------------------------------


def _last_full_wager(full: int, price: int) -> int:
    return full


def _all_in_amount(full: int, price: int) -> int:
    return price


RAISE_IS_MEASURED_FROM = Ways(
    "raise-over-short-all-in",
    {"last-full-wager": _last_full_wager, "all-in-amount": _all_in_amount},
)
"""Over an All-in that was no raise (v8 3.19.3, A-02; v5 3.14.3)."""


def least_raise(table: PokerTable, betting: Betting) -> int:
    """The least total of a raise."""
    base = table.by_book[RAISE_IS_MEASURED_FROM](betting.full, betting.price)
    return base + betting.minimum


class MinimumBet(Struct, frozen=True, kw_only=True):
    """The smallest BET of a later Betting Round, and what an All-in below it is."""

    least: Callable[[PokerTable], int]
    all_in_below: AllInKind


def _big_blind(table: PokerTable) -> int:
    return table.state.settings.big_blind


def _by_policy(table: PokerTable) -> int:
    big = table.state.policies["min-bet"] == "big-blind"
    return table.state.settings.big_blind if big else table.smallest_chip


MINIMUM_BET = Ways(
    "minimum-bet",
    {
        "big-blind": MinimumBet(least=_big_blind, all_in_below="under the bet"),
        "by-policy": MinimumBet(least=_by_policy, all_in_below="bet"),
    },
)


def least_bet(table: PokerTable) -> int:
    """The smallest BET of a later Betting Round (v8 1.5; v5 by policy)."""
    return table.by_book[MINIMUM_BET].least(table)


WHO_MAY_RAISE = "who may raise"
SHORT_ALL_IN_BARS = Ways("reopened-by-short-all-in", {"who-has-not-bet": True, "everybody": False})
"""Whether an All-in that is no raise keeps those who have bet from raising (v8 3.19.3)."""


def is_barred(table: PokerTable, betting: Betting, player: RoundPlayer) -> bool:
    """Whether an All-in that was no raise keeps this Player from raising (v8 3.19.3, A-06)."""
    if betting.price <= betting.full or not table.by_book[SHORT_ALL_IN_BARS]:
        return False
    if table.state.policies["short-all-in-bar"] == "any-bet":
        return player.wagered
    return player.answered


def ask_about_the_bar(table: PokerTable, round_: RoundState, seat: int) -> None:
    """A-06: barred by the letter with the last full raise not yet answered: on screen as a
    question of interpretation, which does not hold the table."""
    player = round_.players[seat]
    if not player.wagered or player.answered or not table.by_book[SHORT_ALL_IN_BARS]:
        return
    if table.asking(WHO_MAY_RAISE):
        return
    table.ask(
        WHO_MAY_RAISE,
        f"Seat {seat} has bet in this round, but has not answered the last full raise. After the "
        "All-in, is a raise open to it?",
        (
            Choice(
                name="any-bet", says="No: a bet was placed from this seat in this Betting Round."
            ),
            Choice(
                name="answered-last-full-raise",
                says="Yes: the last full raise is not answered from this seat.",
            ),
        ),
        ActorRank.SHIFT_MANAGER,
        table.paragraphs(Topic.DISCRETION_INTERPRETATION, Topic.ALL_IN_SHORT_OF_RAISE),
        holds=False,
        about={"seat": seat, "policy": "short-all-in-bar"},
    )


def why_no_raise(table: PokerTable, betting: Betting, player: RoundPlayer) -> tuple[str, ...]:
    """The paragraphs that take BET and Raise from a Player, if any do."""
    if player.may_not_raise:
        return player.may_not_raise
    if is_barred(table, betting, player):
        return table.paragraphs(Topic.ALL_IN_SHORT_OF_RAISE)
    if table.state.policies.get("uncallable-raise") == "not-offered":
        round_ = table.current_round()
        if nobody_can_call(round_, player):
            return table.book.policies["uncallable-raise"].paragraphs
    return ()


def nobody_can_call(round_: RoundState, player: RoundPlayer) -> bool:
    """Whether all others who are Active are All-in: what goes over the price comes back (A-78)."""
    others = (other for other in round_.players.values() if other is not player)
    return all(other.all_in or not other.active for other in others)


OPEN_TO_BOUND: dict[str, tuple[str, ...]] = {
    "raise": ("raise", "all in"),
    "bet": ("bet", "all in"),
    "call": ("call", "all in"),
}
"""What is left to somebody whom his own words bind."""


def bound_to(table: PokerTable, round_: RoundState, seat: int) -> BoundTo | Literal["call"] | None:
    """What a Player is bound to by words without an amount (v8 1.37, 1.5). Where a
    Raise has been closed since, or a ruling has moved all chips, it is a Call (A-13)."""
    betting, player = round_.betting, round_.players[seat]
    bound = betting.bound.get(seat)
    if bound is None:
        return None
    if table.state.seats[seat].stake and not why_no_raise(table, betting, player):
        return bound
    return "call" if player.bet < betting.price else None


def options(table: PokerTable, seat: int) -> list[Offer]:
    """Exactly what the Player whose turn it is may do, each with its least and most total."""
    state = table.state
    round_ = table.current_round()
    betting, player = round_.betting, round_.players[seat]
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
    if stake and (not barred or most <= price):  # a ruling may have moved his chips (v8 5.16)
        found.append(Offer(do="all in", word="to", least=most, most=most))
    found.append(Offer(do="fold"))
    if betting.bound and (bound := bound_to(table, round_, seat)):
        return [offer for offer in found if offer.do in OPEN_TO_BOUND[bound]]
    return found


class MinimumRaise(Struct, frozen=True, kw_only=True):
    """The smallest raise after a BET of some size, and after a raise by some more."""

    after_bet: Callable[[PokerTable, int], int]
    after_raise: Callable[[PokerTable, int], int]


def _as_much(table: PokerTable, size: int) -> int:
    return size


def _one_big_blind(table: PokerTable, size: int) -> int:
    return table.state.settings.big_blind


def _at_least_the_big_blind(table: PokerTable, size: int) -> int:
    """P-03: an All-in of half a raise or more counts as one, and is what v5 3.3 measures by."""
    return max(size, table.state.settings.big_blind)


MINIMUM_RAISE = Ways(
    "minimum-raise",
    {
        "last-increment": MinimumRaise(after_bet=_as_much, after_raise=_as_much),
        "big-blind-then-last-raise": MinimumRaise(
            after_bet=_one_big_blind, after_raise=_at_least_the_big_blind
        ),
    },
)


def raise_after_bet(table: PokerTable, to: int) -> int:
    """The smallest raise after a BET of this size."""
    return table.by_book[MINIMUM_RAISE].after_bet(table, to)


def raise_size(table: PokerTable, betting: Betting, to: int) -> int:
    """The smallest raise after a raise to this total."""
    by = to - table.by_book[RAISE_IS_MEASURED_FROM](betting.full, betting.price)
    return table.by_book[MINIMUM_RAISE].after_raise(table, by)


def _all_of_it(over: int, minimum: int) -> bool:
    return over >= minimum


def _half_of_it(over: int, minimum: int) -> bool:
    return 2 * over >= minimum


IS_RAISE_FROM = Ways(
    "all-in-is-raise-from", {"full-minimum": _all_of_it, "half-minimum": _half_of_it}
)
"""Whether an All-in so much over the last wager is a raise (v8 3.19.3; v5 3.14.3, P-04)."""


def all_in_kind(table: PokerTable, betting: Betting, to: int) -> AllInKind:
    """What an All-in to this total is (v8 3.19.1 to 3.19.3, A-04; v5 3.14.1 to 3.14.3, P-04)."""
    if not betting.opened:
        smallest = table.by_book[MINIMUM_BET]
        return "bet" if to >= smallest.least(table) else smallest.all_in_below
    if to < betting.price:
        return "under the call"
    if to == betting.price:
        return "call"
    # each All-in is tested against the last full wager, not against the All-in before it.
    over = to - table.by_book[RAISE_IS_MEASURED_FROM](betting.full, betting.price)
    return "raise" if table.by_book[IS_RAISE_FROM](over, betting.minimum) else "over the call"


def after_all_in(
    table: PokerTable, betting: Betting, kind: AllInKind, to: int
) -> tuple[int, int, int]:
    """Price, last full wager and smallest raise once somebody has gone All-in to this total."""
    price, full, minimum = betting.price, betting.full, betting.minimum
    match kind:
        case "raise":
            return to, to, raise_size(table, betting, to)
        case "bet":
            return to, to, raise_after_bet(table, to)
        case "over the call":
            return to, table.by_book[RAISE_IS_MEASURED_FROM](full, to), minimum
        case "under the bet":
            # the others answer the smallest BET, unless the policy says the All-in itself.
            full = least_bet(table)
            by_amount = table.state.policies["opening-all-in-below-big-blind"] == "all-in-amount"
            return to if by_amount else full, full, full
        case "call" | "under the call":
            return price, full, minimum  # The price stays (v8 3.19.2, A-03; v5 3.14.2).
        case _:
            assert_never(kind)
