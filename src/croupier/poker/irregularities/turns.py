"""Acts out of turn, and bars on raising: v8 5.13 (A-34, A-35, A-72, A-73).

An act out of turn is held. It binds if the players before him leave the price where it was; a BET,
a Raise or an All-in that changes the price makes it fall, and its chips go back (5.13.1, 5.13.2). A
Fold stands at once (5.13.4); whoever checked early may not raise on that turn (5.13.3).

Early acts upon early acts are judged in the order of the turn: what answers an early BET stands if
that BET does. Players who were passed over are in `skipped`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import structs

from croupier.poker.betting import after_all_in, all_in_kind, options, raise_after_bet, raise_size
from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, Raise
from croupier.poker.events import Folded
from croupier.poker.final_round import BETWEEN, betting_goes_on
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.events import (
    BarsLifted,
    EarlyActFell,
    EarlyActHeld,
    EarlyActStands,
    PlayerBound,
    RaiseBarred,
)
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.irregularities.state import Bar, HeldAct, Irregular, Until
from croupier.poker.pots import one_left
from croupier.poker.state import Betting, RoundState
from croupier.poker.wager_seen import BoundTo, ReadAction
from croupier.rulebooks import Topic
from croupier.table import ActorRank, Command, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

turns = Room("turns")


def do(table: PokerTable, seat: int, action: ReadAction, to: int) -> None:
    """Carry out an Action for the player whose turn it is, through the Betting Round itself: as if
    the dealer had entered it for him."""
    round_ = table.current_round()
    command = _COMMANDS[action](seat, to)
    decide = table.whole.commands[type(command)]
    order = Order(command=command, who="the dealer", rank=ActorRank.DEALER, when=round_.at)
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


def betting_before(table: PokerTable, round_: RoundState, seat: int) -> tuple[Betting, int | None]:
    """The Betting Round as an early act finds it: with the early acts of those before him, as they
    then stand (A-72), and with whose of them has set the price."""
    betting, by = round_.betting, None
    held = round_.irregular.held if round_.irregular is not None else {}
    to_act = betting.to_act
    for other in to_act[: to_act.index(seat)] if seat in to_act else ():
        act = held.get(other)
        if act is not None and act.price == betting.price and not act.undermined:
            after = _after(table, betting, act)
            if after.price != betting.price:
                betting, by = after, other
    return betting, by


def _after(table: PokerTable, betting: Betting, act: HeldAct) -> Betting:
    """The sizes of the Betting Round once this act is carried out."""
    to = act.to
    match act.action:
        case "bet":
            minimum = raise_after_bet(table, to)
            return structs.replace(betting, price=to, full=to, minimum=minimum, opened=True)
        case "raise":
            minimum = raise_size(table, betting, to)
            return structs.replace(betting, price=to, full=to, minimum=minimum)
        case "all in":
            kind = all_in_kind(table, betting, to)
            price, full, minimum = after_all_in(table, betting, kind, to)
            return structs.replace(betting, price=price, full=full, minimum=minimum, opened=True)
        case _:
            return betting


def hold_early_act(
    table: PokerTable, round_: RoundState, seat: int, action: ReadAction, to: int, why: str
) -> None:
    """5.13: an act before its turn is held, never applied at once, unless it is a Fold."""
    if action == "fold":
        cites = table.paragraphs(Topic.OUT_OF_TURN_FOLD, Topic.OUT_OF_TURN, Topic.FOLD)
        table.emit(Folded(seat=seat, cites=cites))
        if alone := table.alone(round_):
            one_left(table, round_, alone)
        elif table.betting_is_over(round_):
            table.move_on(round_)
        return
    betting, upon = betting_before(table, round_, seat)
    topics = (Topic.OUT_OF_TURN, Topic.OUT_OF_TURN_BINDS)
    if action == "check":
        # It stands if a Check is open to him when his turn comes, whoever has bet before him.
        betting, upon = round_.betting, None
        if round_.players[seat].bet < betting.price:
            topics = (Topic.OUT_OF_TURN_CHECK, Topic.OUT_OF_TURN)
    table.emit(
        EarlyActHeld(
            seat=seat,
            action=action,
            to=to,
            price=betting.price,
            why=why,
            upon=upon,
            cites=table.paragraphs(*topics),
        )
    )


@turns.applies(EarlyActHeld)
def early_act_held(table: PokerTable, event: EarlyActHeld) -> None:
    betting = table.current_round().betting
    irregular_of(table).held[event.seat] = HeldAct(
        seat=event.seat,
        action=event.action,
        to=event.to,
        price=event.price,
        upon=event.upon,
        betting_round=betting.number,
    )
    betting.bound.pop(event.seat, None)


def judge_held_act(table: PokerTable, round_: RoundState) -> bool:
    """When his turn has come: does his early act bind him? True if there was one."""
    irregular = round_.irregular
    if irregular is None or not irregular.held or table.state.phase != "betting":
        return False
    seat = round_.betting.to_act[0]
    act = irregular.held.get(seat)
    if act is None:
        return False
    unchanged = act.price == round_.betting.price and not act.undermined
    if unchanged and _is_still_open(table, seat, act):
        cites = table.paragraphs(Topic.OUT_OF_TURN_UNCHANGED, Topic.OUT_OF_TURN_BINDS)
        table.emit(EarlyActStands(seat=seat, action=act.action, to=act.to, cites=cites))
        if act.action == "check" and _whole_round(table):
            _costs_the_raise(table, seat)  # and if others bet later, not only on this turn
        bound = round_.betting.bound.get(seat)
        if bound is not None:
            bind(table, seat, bound)  # how much is asked now
        else:
            do(table, seat, act.action, act.to)
        return True
    _fall(table, round_, act, round_.players[seat].may_not_raise if unchanged else ())
    if act.action == "check":
        _costs_the_raise(table, seat)
    return True


def _whole_round(table: PokerTable) -> bool:
    """Whether a Check out of turn costs the Raise for the rest of the Betting Round (A-34)."""
    return table.state.policies["out-of-turn-check-bar"] == "betting-round"


def _costs_the_raise(table: PokerTable, seat: int) -> None:
    until: Until = "betting round" if _whole_round(table) else "turn"
    bar_raise(table, seat, until, table.paragraphs(Topic.OUT_OF_TURN_CHECK))


def _fall(
    table: PokerTable, round_: RoundState, act: HeldAct, because: tuple[str, ...] = ()
) -> None:
    """It does not bind him, and all that he put forward out of turn goes back. `because` are the
    paragraphs that took it from him since; otherwise those before him changed the price."""
    irregular = irregular_of(table)
    acts = [act, *(later for later in irregular.held_later if later.seat == act.seat)]
    if act.seat in round_.betting.bound:
        acts = acts[1:]  # it was a word, without chips
    most = max((a.to for a in acts if a.action != "check"), default=0)
    back = max(0, most - round_.players[act.seat].bet) if round_.players[act.seat].active else 0
    cites = tuple(dict.fromkeys((*because, *table.paragraphs(Topic.OUT_OF_TURN_BINDS))))
    table.emit(EarlyActFell(seat=act.seat, action=act.action, back=back, cites=cites))


def _is_still_open(table: PokerTable, seat: int, act: HeldAct) -> bool:
    """Whether he may still do it: he may have lost BET and Raise since (3.18.2.b)."""
    for offer in options(table, seat):
        if offer.do == act.action:
            least, most = offer.least, offer.most
            return least is None or most is None or least <= act.to <= most
    return False


@turns.applies(EarlyActStands)
def early_act_stood(table: PokerTable, event: EarlyActStands) -> None:
    """What he did later, still out of turn, is held in its place."""
    irregular = irregular_of(table)
    del irregular.held[event.seat]
    for act in irregular.held_later:
        if act.seat == event.seat:
            irregular.held_later.remove(act)
            irregular.held[event.seat] = act
            return


@turns.applies(EarlyActFell)
def early_act_fell(table: PokerTable, event: EarlyActFell) -> None:
    """With it falls what he did later, and what others did upon it."""
    irregular = irregular_of(table)
    table.current_round().betting.bound.pop(event.seat, None)
    del irregular.held[event.seat]
    later = [act for act in irregular.held_later if act.seat != event.seat]
    irregular.held_later = [_undermined(act, event.seat) for act in later]
    irregular.held = {s: _undermined(act, event.seat) for s, act in irregular.held.items()}


def _undermined(act: HeldAct, by: int) -> HeldAct:
    return structs.replace(act, undermined=True) if act.upon == by else act


def drop_held_acts(table: PokerTable, round_: RoundState) -> bool:
    """A held act whose player has no turn any more falls: the round went on without him."""
    irregular = irregular_of(table)
    to_act = round_.betting.to_act if table.state.phase == "betting" else []
    gone = [
        act
        for seat, act in irregular.held.items()
        # What an early act has yet to raise may give him his turn, if he has a hand.
        if seat not in to_act
        and (act.upon not in irregular.held or not round_.players[seat].active)
        and not _turn_comes_again(table, round_, act)
    ]
    for act in gone:
        _fall(table, round_, act)
    return bool(gone)


def _turn_comes_again(table: PokerTable, round_: RoundState, act: HeldAct) -> bool:
    """Whether the street on which it was done went back and is dealt again (v8 5.12): the turn that
    it came before is still to come."""
    due = table.state.phase in BETWEEN and act.betting_round > round_.betting.number
    return due and round_.players[act.seat].active and betting_goes_on(table, round_)


# -- words without an amount -------------------------------------------------------------------


def bind(table: PokerTable, seat: int, to: BoundTo, *, early: bool = False) -> None:
    """1.37, 1.5: he has said Raise or BET, and only how much is open."""
    topic = Topic.RAISE if to == "raise" else Topic.OPENING_BET
    table.emit(PlayerBound(seat=seat, to=to, early=early, cites=table.paragraphs(topic)))


@in_round(turns, PlayerBound)
def player_bound(table: PokerTable, round_: RoundState, event: PlayerBound) -> None:
    round_.betting.bound[event.seat] = event.to


# -- bars on raising ---------------------------------------------------------------------------


def bar_raise(table: PokerTable, seat: int, until: Until, cites: tuple[str, ...]) -> None:
    """Take BET and Raise from a player for a while."""
    table.emit(RaiseBarred(seat=seat, until=until, bar=cites, cites=cites))


@in_round(turns, RaiseBarred)
def raise_barred(table: PokerTable, round_: RoundState, event: RaiseBarred) -> None:
    irregular = irregular_of(table)
    bars = irregular.bars.setdefault(event.seat, [])
    number = round_.betting.number
    acts = _acts_of(round_, event.seat)
    bars.append(Bar(cites=event.bar, until=event.until, betting_round=number, acts=acts))
    set_bars(round_, irregular, event.seat)


def given_back(table: PokerTable, round_: RoundState) -> list[int]:
    """Who has been given back a turn after Substantial Action (v8 5.4) and has yet to take it: they
    act before everybody else."""
    own = set(table.paragraphs(Topic.PASSED_OVER_PLAYER))
    bars = round_.irregular.bars if round_.irregular is not None else {}
    found = []
    for seat in round_.betting.to_act:
        acts = _acts_of(round_, seat)
        if not any(own <= {*bar.cites} and bar.acts == acts for bar in bars.get(seat, [])):
            break
        found.append(seat)
    return found


def lift_bars(table: PokerTable, round_: RoundState) -> bool:
    """Lift what has run out: the bar of one turn once he has acted, the others with their round."""
    for seat, bars in irregular_of(table).bars.items():
        for bar in bars:
            if _has_run_out(table, round_, seat, bar):
                table.emit(BarsLifted(seat=seat, until=bar.until, cites=bar.cites))
                return True
    return False


def _has_run_out(table: PokerTable, round_: RoundState, seat: int, bar: Bar) -> bool:
    if bar.until == "round":
        return False
    if table.state.phase != "betting" or round_.betting.number != bar.betting_round:
        return True
    if bar.until == "betting round":
        return False
    # Somebody who was passed over may have a turn before this one, which is not over by that.
    return _acts_of(round_, seat) > bar.acts or not round_.players[seat].active


def _acts_of(round_: RoundState, seat: int) -> int:
    return sum(act.seat == seat for act in round_.acts)


@in_round(turns, BarsLifted)
def bars_lifted(table: PokerTable, round_: RoundState, event: BarsLifted) -> None:
    lift(round_, irregular_of(table), event.seat, event.until)


def lift(round_: RoundState, irregular: Irregular, seat: int, until: Until) -> None:
    """A player's bars of this length are gone."""
    left = [bar for bar in irregular.bars.pop(seat, []) if bar.until != until]
    if left:
        irregular.bars[seat] = left
    set_bars(round_, irregular, seat)


def set_bars(round_: RoundState, irregular: Irregular, seat: int) -> None:
    """The paragraphs of all the bars of a player, where options and refusals read them."""
    bars = irregular.bars.get(seat, [])
    cites = tuple(dict.fromkeys(p for bar in bars for p in bar.cites))
    round_.players[seat].may_not_raise = cites
