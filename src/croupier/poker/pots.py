"""Pots: what goes back uncalled, what goes into the Main Pot and the Side Pots, who may win each.

v8 1.27, 1.36, 1.44, 3.18.2.d, 3.19.4, 4.3 (A-43); v5 3.14.2, 3.14.4, 4.3 (P-15). A pot is made when
a Betting Round closes, and kept: whoever folds later loses his claim, but pots never merge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import structs

from croupier.poker.events import BettingRoundClosed, OnePlayerLeft, Pot, UncalledReturned
from croupier.poker.final_round import BETTING_ROUNDS, ends_early
from croupier.poker.in_round import in_round
from croupier.poker.state import RoundPlayer, RoundState
from croupier.rulebooks import Cites, Topic, Ways
from croupier.table import Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

pots = Room("pots")


# -- closing a Betting Round -------------------------------------------------------------------


CLOSED = Cites(Topic.BETTING_ROUND, Topic.POT, Topic.MAIN_POT)
CLOSED_LAST = Cites(Topic.BETTING_ROUND, Topic.FOURTH_BETTING_ROUND, Topic.POT, Topic.MAIN_POT)
SIDE_POTS = Cites(
    Topic.SIDE_POT, Topic.MAIN_POT, Topic.ALL_IN_WINS_ONLY_ITS_POTS, Topic.BETTING_ROUND, Topic.POT
)
FINAL = Cites(Topic.FINAL_BETTING_ROUND, Topic.SHOWDOWN)


def close_betting(table: PokerTable, round_: RoundState) -> None:
    """All chips are matched: return what nobody called, gather the rest, go on."""
    betting = round_.betting
    number = betting.number
    if betting.top:
        _return_uncalled(table, round_)
    gathered = gather(round_)
    last = number == table.by_book[BETTING_ROUNDS]
    final = last or ends_early(table, round_)
    why = SIDE_POTS if len(gathered) > 1 else CLOSED_LAST if last else CLOSED
    cites = table.by_book[why]
    if final:
        cites += table.by_book[FINAL]
    table.emit(BettingRoundClosed(number=number, pots=gathered, final=final, cites=cites))
    table.move_on(round_)


ONE_LEFT = Cites(Topic.LONE_SURVIVOR, Topic.ONE_LEFT_ENDS_ROUND, Topic.ACTIVE_PLAYER)
WALK = Cites(Topic.LONE_SURVIVOR, Topic.ONE_LEFT_ENDS_ROUND, Topic.BLIND, Topic.ACTIVE_PLAYER)


def one_left(table: PokerTable, round_: RoundState, seat: int) -> None:
    """Every Player but one has folded: he wins, and need not show (v8 1.6, 3.18.1)."""
    player = round_.players[seat]
    walk = not player.wagered and round_.betting.number == 1 and player.bet == player.total
    walk = walk and not any(p.wagered for p in round_.players.values())
    table.emit(OnePlayerLeft(seat=seat, walk=walk, cites=table.by_book[WALK if walk else ONE_LEFT]))
    kept = 0
    betting = round_.betting
    if (walk or betting.last_raiser == seat) and table.by_book[UNCALLED_RAISE_IS_CHARGED](table):
        owner, over = uncalled(round_)
        kept = over if owner == seat else 0
    if not kept:
        _return_uncalled(table, round_)
    gathered = gather(round_, kept=kept)
    cites = table.by_book[SIDE_POTS if len(gathered) > 1 else CLOSED]
    if kept:
        cites = table.by_book[UNCALLED_BET] + cites
    table.emit(BettingRoundClosed(number=betting.number, pots=gathered, cites=cites))


def _by_policy(table: PokerTable) -> bool:
    """P-15: by the letter only an uncalled bet is left out of the charge; neither a raise nor a
    Blind is a bet."""
    return table.state.policies["rake-uncalled-raise"] == "charged"


UNCALLED_RAISE_IS_CHARGED: Ways[Callable[[PokerTable], bool]] = Ways(
    "uncalled-raise-rake", {"left-out": lambda table: False, "by-policy": _by_policy}
)


@in_round(pots, OnePlayerLeft)
def one_player_left(table: PokerTable, round_: RoundState, event: OnePlayerLeft) -> None:
    round_.won_by_folds = True
    round_.walk = event.seat if event.walk else None
    round_.betting.to_act = []


def uncalled(round_: RoundState) -> tuple[int, int]:
    """Who alone has the most in front of him, and by how much more than anybody else (A-43)."""
    betting = round_.betting
    if not betting.top or (round_.irregular is None and len(betting.at_top) > 1):
        return 0, 0  # nobody has bet, or two have the most before them and no ruling has changed it
    most = second = owner = 0
    for seat, player in round_.players.items():
        bet = player.bet or _dead_alone(player)
        if bet > most:
            most, second, owner = bet, most, seat
        elif bet > second:
            second = bet
    if not most:
        return 0, 0  # all that was bet has gone back (v8 5.6.1, 5.16)
    players = round_.players.values()
    if not round_.players[owner].active and any(p.active and not p.all_in for p in players):
        # His chips stay in the Pot (v8 3.5.4), unless nobody left could ever win them (3.19.4).
        return 0, 0
    return owner, most - second


def _dead_alone(player: RoundPlayer) -> int:
    """What a Player is All-in with who has nothing but a dead post in the Pot: it counts as a bet,
    which can win as much from each of the others (v8 3.18.2.d, 3.19.4)."""
    return player.dead if player.dead and player.all_in and player.active else 0


UNCALLED_BET = Cites(Topic.UNCALLED_BET)
UNCALLED_RAISE = Cites(Topic.UNCALLED_RAISE)


def _return_uncalled(table: PokerTable, round_: RoundState) -> None:
    seat, amount = uncalled(round_)
    if not amount:
        return
    raised = round_.betting.last_raiser == seat and table.book.has(Topic.UNCALLED_RAISE)
    cites = table.by_book[UNCALLED_RAISE if raised else UNCALLED_BET]
    table.emit(UncalledReturned(seat=seat, amount=amount, cites=cites))


@in_round(pots, UncalledReturned)
def uncalled_returned(table: PokerTable, round_: RoundState, event: UncalledReturned) -> None:
    state = table.state
    player = round_.players[event.seat]
    if player.bet:
        player.bet -= event.amount
    else:
        player.dead -= event.amount
    player.total -= event.amount
    player.uncalled += event.amount
    player.blinds = min(player.blinds, player.total)
    state.seats[event.seat].stake += event.amount
    # With the excess back he is not All-in any more, if he ever was.
    if player.all_in:
        player.all_in = False
        player.all_in_button = False


def gather(round_: RoundState, kept: int = 0) -> tuple[Pot, ...]:
    """The pots with the chips of this Betting Round added to them.

    Chips up to the smallest All-in go into the pot that is open; what is above starts another one
    among those who paid it, and so on. Dead posts go to the Main Pot. `kept` is an uncalled raise
    that stays in the last pot although its maker, the only one left, alone paid it.
    """
    players = round_.players
    if round_.pots and not round_.betting.top and not _left_in(round_):
        return tuple(round_.pots)  # Nobody has bet: everything is as it was.
    found = list(round_.pots)
    dead = total = 0
    bets: list[tuple[int, int]] = []
    caps: set[int] = set()
    top = 0
    for seat in round_.order:
        player = players[seat]
        bet = player.bet
        if bet:
            dead += player.dead
        else:
            bet = _dead_alone(player)
            dead += player.dead - bet
        if bet:
            bets.append((seat, bet))
            total += bet
            if bet > top:
                top = bet
            if player.all_in and player.active:
                caps.add(bet)
    if found and _all_in_before(round_, found[-1]):
        found[-1] = structs.replace(found[-1], closed=True)
    if not caps and not kept and len(found) < 2 and not (found and found[0].closed):
        # Nobody is All-in: there is one pot, for every Active Player, also one who was passed over
        # and has not paid, or to whom a ruling has returned chips (v8 4.4; 3.18.2.d).
        seats = tuple([s for s in round_.order if players[s].active and not players[s].all_in])
        if seats:
            before = found[0].amount if found else 0
            return (Pot(amount=before + total + dead, seats=seats),)
    if not found:
        found.append(Pot(amount=dead, seats=tuple([s for s in round_.order if players[s].active])))
    elif dead:
        main = found[0]
        found[0] = Pot(amount=main.amount + dead, seats=main.seats, closed=main.closed)
    if kept:
        top, caps = top - kept, set()
        found[-1] = structs.replace(found[-1], amount=found[-1].amount + kept)
    caps.add(top)
    below = 0
    for level in sorted(caps):
        if level <= below:
            continue
        amount = sum([min(bet, level) - min(bet, below) for _, bet in bets])
        seats = tuple([seat for seat, bet in bets if bet >= level and players[seat].active])
        last = found[-1]
        closes = any(players[seat].all_in for seat in seats)
        if not seats:
            found[-1] = structs.replace(last, amount=last.amount + amount)
        elif not last.closed:
            seats = _with_the_unpaid(round_, last, seats)
            found[-1] = Pot(amount=last.amount + amount, seats=seats, closed=closes)
        else:
            found.append(Pot(amount=amount, seats=seats, closed=closes))
        below = level
    return tuple(found)


def _all_in_before(round_: RoundState, pot: Pot) -> bool:
    """Whether somebody who contests a pot has nothing to add to it, nor has since it was gathered:
    a ruling has moved his chips, and he stayed in with what lies there."""
    there = (round_.players[seat] for seat in pot.seats)
    return any(player.active and player.all_in and not player.bet for player in there)


def _left_in(round_: RoundState) -> bool:
    """Whether chips lie before somebody although nobody has bet: left in out of turn (v8 3.5.4)."""
    players = round_.players.values()
    return round_.irregular is not None and any(player.bet for player in players)


def _with_the_unpaid(round_: RoundState, pot: Pot, paid: tuple[int, ...]) -> tuple[int, ...]:
    """Who contests a pot that was open when chips were added to it: whoever has paid, and whoever
    contested it before and was passed over, or has been given chips back by a ruling."""
    players = round_.players
    stays = [s for s in pot.seats if players[s].active and not players[s].all_in]
    return tuple([seat for seat in round_.order if seat in paid or seat in stays])


@in_round(pots, BettingRoundClosed)
def betting_round_closed(table: PokerTable, round_: RoundState, event: BettingRoundClosed) -> None:
    state = table.state
    round_.pots = list(event.pots)
    for player in round_.players.values():
        if player.bet or player.dead:
            player.bet = player.dead = 0
    round_.betting.to_act = []
    if event.final:
        round_.final_round = event.number
    if round_.won_by_folds:
        state.phase = "settling"
    else:
        state.phase = table.phase_after(round_, event.number)


def contestants(round_: RoundState, pot: Pot) -> list[int]:
    """Who may still win a pot, in the order of the deal.

    A pot whose contributors are all gone, as rulings may leave it, is for whoever is left.
    """
    players = round_.players
    left = [seat for seat in pot.seats if players[seat].active]
    return left or [seat for seat in round_.order if players[seat].active]
