"""Acts out of turn, and turns that were passed over: v8 5.13, 5.14 and 5.4 (A-32 to A-35).

An act out of turn is held. It binds if the players before him leave the price where it was; a BET,
a Raise or an All-in that changes the price makes it fall, and its chips go back (5.13.1, 5.13.2). A
Fold stands at once (5.13.4); whoever checked early may not raise on that turn (5.13.3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from croupier.poker.betting import options
from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, Raise
from croupier.poker.events import (
    BetPlaced,
    Called,
    Checked,
    Folded,
    Raised,
    WentAllIn,
)
from croupier.poker.irregularities.commands import ReportSkipped
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import (
    BarsLifted,
    EarlyActFell,
    EarlyActHeld,
    EarlyActStands,
    RaiseBarred,
    TurnGivenBack,
    TurnsPassedOver,
)
from croupier.poker.irregularities.memory import (
    irregular_of,
    keep,
    short_of_chips,
    substantial,
    take_back,
)
from croupier.poker.irregularities.state import AnAction, Bar, HeldAct, Skip, Until
from croupier.poker.pots import one_left
from croupier.poker.remedies import dead_hand
from croupier.poker.state import PokerState, RoundState
from croupier.poker.wager_seen import ReadAction
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Command, Order, Room, StaffRank

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

turns = Room("turns")


def do(table: PokerTable, seat: int, action: ReadAction, to: int) -> None:
    """Carry out an Action for the player whose turn it is, through the Betting Round itself: as if
    the dealer had entered it for him."""
    played = table.state.round
    assert played is not None
    make = _COMMANDS.get(action)
    if make is None:
        raise AssertionError(f"{action} is no Action")
    command = make(seat, to)
    decide = table.whole.commands[type(command)]
    order = Order(command=command, who="the dealer", rank=StaffRank.DEALER, when=played.at)
    decide(table, order)


_COMMANDS: dict[str, Callable[[int, int], Command]] = {
    "check": lambda seat, to: Check(seat=seat),
    "call": lambda seat, to: Call(seat=seat),
    "bet": lambda seat, to: Bet(seat=seat, to=to),
    "raise": lambda seat, to: Raise(seat=seat, to=to),
    "all in": lambda seat, to: AllIn(seat=seat),
    "fold": lambda seat, to: Fold(seat=seat),
}


# -- out of turn -------------------------------------------------------------------------------


def hold_early_act(
    table: PokerTable, played: RoundState, seat: int, action: ReadAction, to: int, why: str
) -> None:
    """5.13: an act before its turn is held, never applied at once, unless it is a Fold."""
    if action == "fold":
        cites = table.paragraphs(Topic.OUT_OF_TURN_FOLD, Topic.OUT_OF_TURN, Topic.FOLD)
        table.emit(Folded(seat=seat, cites=cites))
        if alone := table.alone():
            one_left(table, played, alone)
        elif table.betting_is_over():
            table.move_on()
        return
    table.emit(
        EarlyActHeld(
            seat=seat,
            action=action,
            to=to,
            price=played.betting.price,
            why=why,
            cites=table.paragraphs(Topic.OUT_OF_TURN, Topic.OUT_OF_TURN_BINDS),
        )
    )


@turns.when(EarlyActHeld)
def early_act_held(table: PokerTable, event: EarlyActHeld) -> None:
    irregular_of(table).held[event.seat] = HeldAct(
        seat=event.seat, action=event.action, to=event.to, price=event.price
    )


def judge_held_act(table: PokerTable, played: RoundState) -> bool:
    """When his turn has come: does his early act bind him? True if there was one."""
    irregular = played.irregular
    if irregular is None or not irregular.held or table.state.phase != "betting":
        return False
    seat = played.betting.to_act[0]
    act = irregular.held.get(seat)
    if act is None:
        return False
    if act.price == played.betting.price and _is_still_open(table, seat, act):
        cites = table.paragraphs(Topic.OUT_OF_TURN_UNCHANGED, Topic.OUT_OF_TURN_BINDS)
        table.emit(EarlyActStands(seat=seat, action=act.action, to=act.to, cites=cites))
        do(table, seat, act.action, act.to)
        return True
    back = act.to - played.players[seat].bet if act.action != "check" else 0
    cites = table.paragraphs(Topic.OUT_OF_TURN_BINDS)
    table.emit(EarlyActFell(seat=seat, action=act.action, back=back, cites=cites))
    if act.action == "check":
        until: Until = "turn"
        if table.state.policies["out-of-turn-check-bar"] == "betting-round":
            until = "betting round"
        bar_raise(table, seat, until, table.paragraphs(Topic.OUT_OF_TURN_CHECK))
    return True


def _is_still_open(table: PokerTable, seat: int, act: HeldAct) -> bool:
    """Whether he may still do it: he may have lost BET and Raise since (3.18.2.b)."""
    for offer in options(table, seat):
        if offer.do == act.action:
            least, most = offer.least, offer.most
            return least is None or most is None or least <= act.to <= most
    return False


@turns.when(EarlyActStands, EarlyActFell)
def early_act_judged(table: PokerTable, event: EarlyActStands | EarlyActFell) -> None:
    del irregular_of(table).held[event.seat]


def drop_held_acts(table: PokerTable, played: RoundState) -> bool:
    """A held act whose player has no turn any more falls: the round went on without him."""
    irregular = played.irregular
    if irregular is None or not irregular.held:
        return False
    to_act = played.betting.to_act if table.state.phase == "betting" else []
    gone = [seat for seat in irregular.held if seat not in to_act]
    for seat in gone:
        act = irregular.held[seat]
        cites = table.paragraphs(Topic.OUT_OF_TURN_BINDS)
        table.emit(EarlyActFell(seat=seat, action=act.action, back=0, cites=cites))
    return bool(gone)


# -- bars on raising ---------------------------------------------------------------------------


def bar_raise(table: PokerTable, seat: int, until: Until, cites: tuple[str, ...]) -> None:
    """Take BET and Raise from a player for a while."""
    table.emit(RaiseBarred(seat=seat, until=until, bar=cites, cites=cites))


@turns.when(RaiseBarred)
def raise_barred(table: PokerTable, event: RaiseBarred) -> None:
    irregular = irregular_of(table)
    bars = irregular.bars.setdefault(event.seat, [])
    played = table.state.round
    assert played is not None
    number = played.betting.number
    bars.append(Bar(cites=event.bar, until=event.until, betting_round=number))
    _set_bars(table, event.seat)


def lift_bars(table: PokerTable, played: RoundState) -> bool:
    """Lift what has run out: the bar of one turn once he has acted, the others with their round."""
    irregular = played.irregular
    if irregular is None or not irregular.bars:
        return False
    for seat, bars in irregular.bars.items():
        for bar in bars:
            if _has_run_out(table, played, seat, bar):
                table.emit(BarsLifted(seat=seat, until=bar.until, cites=bar.cites))
                return True
    return False


def _has_run_out(table: PokerTable, played: RoundState, seat: int, bar: Bar) -> bool:
    if bar.until == "round":
        return False
    if table.state.phase != "betting" or played.betting.number != bar.betting_round:
        return True
    return bar.until == "turn" and played.betting.to_act[0] != seat


@turns.when(BarsLifted)
def bars_lifted(table: PokerTable, event: BarsLifted) -> None:
    bars = irregular_of(table).bars
    left = [bar for bar in bars[event.seat] if bar.until != event.until]
    if left:
        bars[event.seat] = left
    else:
        del bars[event.seat]
    _set_bars(table, event.seat)


def _set_bars(table: PokerTable, seat: int) -> None:
    played = table.state.round
    assert played is not None
    bars = irregular_of(table).bars.get(seat, [])
    cites = tuple(dict.fromkeys(p for bar in bars for p in bar.cites))
    played.players[seat].may_not_raise = cites


# -- passed over -------------------------------------------------------------------------------


def pass_over(table: PokerTable, played: RoundState, seat: int) -> None:
    """Nobody noticed an act out of turn: those before him are passed over, and play goes on."""
    to_act = played.betting.to_act
    passed = tuple(to_act[: to_act.index(seat)])
    cites = table.paragraphs(Topic.SKIPPED_PLAYER, Topic.OUT_OF_TURN)
    table.emit(TurnsPassedOver(seats=passed, by=seat, cites=cites))


@turns.when(TurnsPassedOver)
def turns_passed_over(table: PokerTable, event: TurnsPassedOver) -> None:
    played = table.state.round
    assert played is not None
    before = keep(table)
    irregular = irregular_of(table)
    for seat in event.seats:
        irregular.skips.append(Skip(seat=seat, betting_round=played.betting.number, before=before))
        played.betting.to_act.remove(seat)


@turns.on(ReportSkipped)
def skipped(table: PokerTable, order: Order[ReportSkipped]) -> None:
    """5.14: a skipped player must defend his right to act."""
    command = order.command
    table.own_seat(order, command.seat)
    if not table.book.has(Topic.SKIPPED_PLAYER):
        table.open_round(Topic.BETTING_ROUND)
        ask_ruling(
            table,
            f"seat {command.seat} was passed over",
            version_8="his turn in the same round, a dead hand in the next (5.4, 5.14)",
        )
        return
    played = table.open_round(Topic.SKIPPED_PLAYER)
    irregular = played.irregular
    skip = next(
        (s for s in (irregular.skips if irregular is not None else ()) if s.seat == command.seat),
        None,
    )
    player = played.players.get(command.seat)
    if skip is None or player is None or not player.active:
        raise BadCommand(f"seat {command.seat} was not passed over, or has no hand any more")
    if table.alone() == command.seat:
        table.refuse(Topic.SKIPPED_PLAYER, "He is the only one left and has won the Pot.")
    if command.stopped > len(skip.since):
        raise BadCommand(f"{command.stopped} Actions cannot have been stopped")
    counted = skip.since[: len(skip.since) - command.stopped]
    limb = substantial(table, [not isinstance(e, Checked | Folded) for e in counted])
    current = played.betting.number == skip.betting_round and table.state.phase in (
        "betting",
        "flop due",
        "turn due",
        "river due",
        "face down",
    )
    if not current and played.betting.number == skip.betting_round:
        ask_ruling(table, f"seat {command.seat} was passed over in the last Betting Round")
    elif not current:
        topics = [Topic.SKIPPED_PLAYER_NEXT_ROUND]
        cites = table.paragraphs(*topics)
        if limb:
            more = (*table.paragraphs(Topic.PASSED_OVER_PLAYER), *limb)
            cites = tuple(dict.fromkeys((*cites, *more)))
        dead_hand(table, command.seat, "he was passed over in an earlier Betting Round", cites)
    elif not _can_be_as_it_was(table, played, skip, stands=bool(limb)):
        what = f"seat {command.seat} was passed over and the chips cannot be as they were then"
        ask_ruling(table, what)
    elif limb:
        cites = tuple(dict.fromkeys((*table.paragraphs(Topic.PASSED_OVER_PLAYER), *limb)))
        table.emit(TurnGivenBack(seat=command.seat, stands=True, cites=cites))
        bar_raise(table, command.seat, "betting round", cites)
    else:
        cites = table.paragraphs(Topic.SKIPPED_PLAYER)
        held = tuple(_held(event, skip) for event in skip.since if not isinstance(event, Folded))
        table.emit(TurnGivenBack(seat=command.seat, held=held, cites=cites))


def _can_be_as_it_was(table: PokerTable, played: RoundState, skip: Skip, *, stands: bool) -> bool:
    """Whether the chips that giving him his turn puts back into the round are still there: a ruling
    may have moved them. Where all stands, only a Betting Round that has closed is opened again."""
    if not stands:
        return short_of_chips(table, skip.before) is None
    if table.state.phase == "betting":
        return True
    irregular = played.irregular
    if irregular is None or irregular.last is None:
        return False  # its last Action was taken back by a ruling
    return short_of_chips(table, irregular.before, irregular.last) is None


def _held(event: AnAction, skip: Skip) -> HeldAct:
    """An Action that now turns out to have been taken too early."""
    price = _price_before(skip)
    match event:
        case Checked():
            return HeldAct(seat=event.seat, action="check", to=0, price=price)
        case Called():
            action: ReadAction = "all in" if event.all_in else "call"
        case BetPlaced():
            action = "all in" if event.all_in else "bet"
        case Raised():
            action = "all in" if event.all_in else "raise"
        case WentAllIn():
            action = "all in"
        case _:
            raise AssertionError("a Fold is not held")
    return HeldAct(seat=event.seat, action=action, to=event.to, price=price)


def _price_before(skip: Skip) -> int:
    kept = msgspec.json.decode(skip.before, type=PokerState)
    assert kept.round is not None
    return kept.round.betting.price


@turns.when(TurnGivenBack)
def turn_given_back(table: PokerTable, event: TurnGivenBack) -> None:
    """With Substantial Action everything stands and he acts next. Without, the table is as it was
    before he was passed over, and what others did since is held; Folds stand."""
    played = table.state.round
    assert played is not None
    irregular = irregular_of(table)
    skip = next(s for s in irregular.skips if s.seat == event.seat)
    if event.stands:
        irregular.skips.remove(skip)
        if table.state.phase != "betting":
            _open_again(table)
        played = table.state.round
        assert played is not None
        to_act = played.betting.to_act
        played.betting.to_act = [event.seat, *(s for s in to_act if s != event.seat)]
        return
    others = [s for s in irregular.skips if s.before != skip.before]
    folds = [e for e in skip.since if isinstance(e, Folded)]
    irregular = take_back(table, skip.before)
    irregular.skips = others
    irregular.before, irregular.last = "", None
    for folded in folds:
        table.whole.events[Folded](table, folded)
    for act in event.held:
        irregular.held[act.seat] = act


def _open_again(table: PokerTable) -> None:
    """A Betting Round that closed on a skipped player is open again, as its last Action left it."""
    irregular = irregular_of(table)
    last = irregular.last
    assert last is not None
    take_back(table, irregular.before)
    table.whole.events[type(last)](table, last)
