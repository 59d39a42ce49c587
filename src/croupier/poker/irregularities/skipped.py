"""Turns that were passed over: v8 5.14 and 5.4 (A-32, A-67, A-68).

Nobody noticed an act out of turn, and play went on. Whoever was passed over must defend his right:
in the same Betting Round he has his turn at once, with every option if no Substantial Action has
followed; once the next street lies face up his hand is dead. Who deals makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from croupier.poker.commands import STREETS
from croupier.poker.events import BetPlaced, Called, Checked, Folded, Raised, WentAllIn
from croupier.poker.final_round import BETWEEN
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportSkipped
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import TurnGivenBack, TurnsPassedOver
from croupier.poker.irregularities.memory import (
    irregular_of,
    keep,
    short_of_chips,
    substantial,
    take_back,
    take_back_betting,
)
from croupier.poker.irregularities.reporting import check_stopped
from croupier.poker.irregularities.state import AnAction, HeldAct, Skip
from croupier.poker.irregularities.taking_back import barred_again, held_again
from croupier.poker.irregularities.turns import bar_raise, given_back
from croupier.poker.remedies import dead_hand, street_of
from croupier.poker.state import Act, PokerState, RoundState
from croupier.poker.wager_seen import ReadAction
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room
from croupier.table.seat import clockwise

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

skipped = Room("skipped")


def pass_over(table: PokerTable, round_: RoundState, seat: int) -> None:
    """Nobody noticed an act out of turn: those before him are passed over, and play goes on."""
    to_act = round_.betting.to_act
    passed = tuple(to_act[: to_act.index(seat)])
    cites = table.paragraphs(Topic.SKIPPED_PLAYER, Topic.OUT_OF_TURN)
    table.emit(TurnsPassedOver(seats=passed, by=seat, remembered=True, cites=cites))


@in_round(skipped, TurnsPassedOver)
def turns_passed_over(table: PokerTable, round_: RoundState, event: TurnsPassedOver) -> None:
    before = keep(table)
    irregular = irregular_of(table)
    for seat in event.seats:
        irregular.skips.append(Skip(seat=seat, betting_round=round_.betting.number, before=before))
        round_.betting.to_act.remove(seat)
        round_.betting.bound.pop(seat, None)
    if event.remembered:
        irregular.remembers = True
        table.remember_actions(True)


# -- he says so --------------------------------------------------------------------------------


@skipped.decides(ReportSkipped)
def report_skipped(table: PokerTable, order: Order[ReportSkipped]) -> None:
    """5.14: a skipped player must defend his right to act."""
    seat, stopped = order.command.seat, order.command.stopped
    table.own_seat(order, seat)
    check_stopped(table, stopped)
    if not table.book.has(Topic.SKIPPED_PLAYER):
        table.open_round(Topic.BETTING_ROUND)
        ask_ruling(
            table,
            f"seat {seat} was passed over",
            later_book="the turn in the same round, a dead hand in the next (5.4, 5.14)",
        )
        return
    round_ = table.open_round(Topic.SKIPPED_PLAYER)
    nth, skip = _skip_of(table, round_, seat)
    since = _actions_since(round_, skip)
    if stopped > len(since):
        many = "1 Action" if stopped == 1 else f"{stopped} Actions"
        raise BadCommand(f"{many} cannot have been stopped")
    counted = since[: len(since) - stopped]
    limb = substantial(table, [act.bet for act in counted])
    same_round = round_.betting.number == skip.betting_round
    if not same_round or (counted and _next_street_was_up(round_, skip)):
        _hand_is_dead(table, seat, limb)
    elif table.state.phase not in ("betting", *BETWEEN):
        ask_ruling(table, f"seat {seat} was passed over in the last Betting Round")
    elif not _can_be_as_it_was(table, round_, skip, stands=bool(limb)):
        ask_ruling(table, f"seat {seat} was passed over and the chips cannot be as they were then")
    elif limb:
        cites = _with(table.paragraphs(Topic.PASSED_OVER_PLAYER), limb)
        first = _given_before(table, round_, seat)
        table.emit(
            TurnGivenBack(seat=seat, stands=True, keeps=True, nth=nth, first=first, cites=cites)
        )
        bar_raise(table, seat, "betting round", cites)
    else:
        cites = table.paragraphs(Topic.SKIPPED_PLAYER)
        held = _held_since(round_, skip)
        first = _before_him(round_, skip)
        table.emit(
            TurnGivenBack(seat=seat, held=held, keeps=True, nth=nth, first=first, cites=cites)
        )


def _skip_of(table: PokerTable, round_: RoundState, seat: int) -> tuple[int, Skip]:
    """The turn that he lost and has not been given, and which of his lost turns it is."""
    skips = round_.irregular.skips if round_.irregular is not None else []
    his = [skip for skip in skips if skip.seat == seat]
    player = round_.players.get(seat)
    if not his or player is None or not player.active:
        raise BadCommand(f"seat {seat} was not passed over, or has no hand any more")
    acts = round_.acts
    found = next(((n, skip) for n, skip in enumerate(his) if not skip.has_acted(acts)), None)
    if found is None:
        table.refuse(Topic.SKIPPED_PLAYER, f"Seat {seat} has acted since and did not defend it.")
    if table.alone(round_) == seat:
        table.refuse(Topic.SKIPPED_PLAYER, f"Seat {seat} is the only one left and has won the Pot.")
    return found


def _actions_since(round_: RoundState, skip: Skip) -> list[Act]:
    """What others did past him, and after that. A Fold that was noticed to be out of turn is no
    Action (1.1)."""
    return [act for act in skip.acts_since(round_.acts) if not act.early]


def _next_street_was_up(round_: RoundState, skip: Skip) -> bool:
    """Whether a card of the street after his Betting Round lies face up, or has and went back to be
    dealt again, the round called open or not because of him (A-68)."""
    if skip.too_late:
        return True
    if skip.betting_round > len(STREETS):
        return False
    street = street_of(round_, STREETS[skip.betting_round - 1])
    return any(card not in round_.down for card in street)


def _hand_is_dead(table: PokerTable, seat: int, limb: tuple[str, ...]) -> None:
    cites = table.paragraphs(Topic.SKIPPED_PLAYER_NEXT_ROUND)
    if limb:
        cites = _with(cites, table.paragraphs(Topic.PASSED_OVER_PLAYER), limb)
    dead_hand(table, seat, "the turn was passed over and the next street is out", cites)


def rule_on_skipped(table: PokerTable, round_: RoundState) -> None:
    """A street that came early is reported: 5.14 is tested first (A-68), for all passed over."""
    skips = round_.irregular.skips if round_.irregular is not None else []
    for skip in list(skips):
        player = round_.players[skip.seat]
        if (
            table.state.phase == "betting"
            and player.active
            and not skip.has_acted(round_.acts)
            and skip.betting_round == round_.betting.number
            and (since := _actions_since(round_, skip))
            and _next_street_was_up(round_, skip)
        ):
            limb = substantial(table, [act.bet for act in since])
            _hand_is_dead(table, skip.seat, limb)


def _before_him(round_: RoundState, skip: Skip) -> tuple[int, ...]:
    """Who was passed over with him and acts first, now that the betting is as it was then."""
    to_act = _round_in(skip.before).betting.to_act
    before = to_act[: to_act.index(skip.seat)]
    return tuple(seat for seat in before if round_.players[seat].active)


def _given_before(table: PokerTable, round_: RoundState, seat: int) -> tuple[int, ...]:
    """Who has been given a lost turn too and has yet to take it, where he sits before this one:
    they act in order (1.6)."""
    if table.state.phase != "betting":
        return ()
    turns = clockwise(round_.order, after=round_.actions()[-1].seat)
    given = given_back(table, round_)
    return tuple(o for o in given if o != seat and turns.index(o) < turns.index(seat))


def _can_be_as_it_was(table: PokerTable, round_: RoundState, skip: Skip, *, stands: bool) -> bool:
    """Whether the chips that giving him his turn puts back into the round are still there: a ruling
    may have moved them. Where all stands, only a Betting Round that has closed is opened again."""
    if not stands:
        return short_of_chips(table, skip.before) is None and _has_all_in(round_, skip.before)
    if table.state.phase == "betting":
        return True
    irregular = round_.irregular
    if irregular is None or irregular.last is None:
        return False  # its last Action was taken back by a ruling
    before = irregular.before
    return short_of_chips(table, before, irregular.last) is None and _has_all_in(round_, before)


def _has_all_in(round_: RoundState, text: str) -> bool:
    """Whether nobody whose hand has gone since has been given chips back."""
    was = _round_in(text)
    return all(
        player.active or player.total >= was.players[seat].total
        for seat, player in round_.players.items()
    )


def _round_in(text: str) -> RoundState:
    kept = msgspec.json.decode(text, type=PokerState)
    assert kept.round is not None
    return kept.round


# -- what was done since -----------------------------------------------------------------------


def _held_since(round_: RoundState, skip: Skip) -> tuple[HeldAct, ...]:
    """The Actions that now turn out to have been taken too early, each at the price that it found,
    and upon whose act (A-72). A Fold stands (5.13.4)."""
    price, by = _round_in(skip.before).betting.price, None
    found = []
    for event in skip.since:
        if not isinstance(event, Folded) and round_.players[event.seat].active:
            found.append(_held(event, price, by))
        after = _price_after(event, price)
        if after != price:
            price, by = after, event.seat
    return tuple(found)


def _price_after(event: AnAction, price: int) -> int:
    match event:
        case BetPlaced() | Raised():
            return event.to
        case WentAllIn():
            return event.price
        case _:
            return price


def _held(event: AnAction, price: int, upon: int | None) -> HeldAct:
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
    return HeldAct(seat=event.seat, action=action, to=event.to, price=price, upon=upon)


@skipped.applies(TurnGivenBack)
def turn_given_back(table: PokerTable, event: TurnGivenBack) -> None:
    """With Substantial Action everything stands and he acts next. Without, the betting is as it was
    before he was passed over, and what others did since is held; Folds stand."""
    irregular = irregular_of(table)
    skip = [s for s in irregular.skips if s.seat == event.seat][event.nth]
    if event.stands:
        irregular.skips.remove(skip)
        if table.state.phase != "betting":
            _open_again(table, keeps=event.keeps)
        round_ = table.current_round()
        to_act = round_.betting.to_act
        now = (*event.first, event.seat)
        round_.betting.to_act = [*now, *(s for s in to_act if s not in now)]
    elif event.keeps:
        _betting_back(table, skip)
    else:
        _all_back(table, skip)
    irregular = irregular_of(table)
    bound = table.current_round().betting.bound
    for held in event.held:
        act = structs.replace(held, betting_round=skip.betting_round)
        bound.pop(act.seat, None)  # he has said since how much
        if act.seat in irregular.held:
            irregular.held_later.append(act)
        else:
            irregular.held[act.seat] = act


def _betting_back(table: PokerTable, skip: Skip) -> None:
    """The betting as it was before he was passed over. Whoever was passed over with him, or after
    him, has his turn again too; for those before him what is held now has not been done."""
    round_, irregular = table.current_round(), irregular_of(table)
    folds = [e for e in skip.since if isinstance(e, Folded)]
    first = next(n for n, s in enumerate(irregular.skips) if s.before == skip.before)
    irregular.skips = irregular.skips[:first]
    for other in irregular.skips:
        other.since = [*other.since[: len(other.since) - len(skip.since)], *folds]
    last = {act.seat: act for act in skip.acts_since(round_.acts)}
    take_back_betting(table, skip.before)
    before = _round_in(skip.before).irregular
    if before is not None:
        held_again(round_, irregular, before, [event.seat for event in skip.since])
        barred_again(round_, irregular, before)
    betting = round_.betting
    for seat in [s for s in betting.bound if s != skip.seat and s not in irregular.held]:
        del betting.bound[seat]  # what he said out of turn has fallen since
    number = betting.number
    round_.acts += [structs.replace(last[e.seat], betting_round=number) for e in folds]
    irregular.before, irregular.last = "", None


def _all_back(table: PokerTable, skip: Skip) -> None:
    """As releases before this one meant it: everything is as it was, but for Folds."""
    others = [s for s in irregular_of(table).skips if s.before != skip.before]
    folds = [e for e in skip.since if isinstance(e, Folded)]
    irregular = take_back(table, skip.before)
    irregular.skips = others
    irregular.before, irregular.last = "", None
    for folded in folds:
        table.whole.events[Folded](table, folded)
        acts = table.current_round().acts
        acts[-1] = structs.replace(acts[-1], early=False)  # it was counted


def _open_again(table: PokerTable, *, keeps: bool) -> None:
    """A Betting Round that closed on a skipped player is open again, as its last Action left it."""
    irregular = irregular_of(table)
    before, last = irregular.before, irregular.last
    assert last is not None
    if not keeps:
        take_back(table, before)
        table.whole.events[type(last)](table, last)
        return
    [*_, act] = table.current_round().acts
    take_back_betting(table, before)
    round_ = table.current_round()
    was = _round_in(before).irregular
    if was is not None:
        barred_again(round_, irregular, was)
    if not round_.players[last.seat].active:
        # The hand has gone since, by that Fold or otherwise; its chips stay.
        round_.acts.append(act)
    else:
        table.whole.events[type(last)](table, last)


def _with(cites: tuple[str, ...], *more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*cites, *(p for others in more for p in others))))
