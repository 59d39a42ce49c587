"""A hand on record played again at a table of ours, action by action, by the book.

The record gives the seats, the stacks, the posts, the cards and the actions; the table says
whether each action is legal, whose turn it is, when a street is due, who wins, and what. An action
that the book does not allow is refused with its paragraph, and nothing is bent to make it fit.

Three things in records of online rooms are no actions at a table and are not given to it:

* a Check by the one Player with chips left when all others are All-in (A-61: he has nothing to
  decide, and the Betting Round is over without him);
* hands turned up before the board is complete: they are shown when the showdown comes (3.18);
* a hand shown by a winner whom nobody called: he need not, and nothing turns on it (3.18.1).
"""

from __future__ import annotations

import math
from typing import Any

from msgspec import structs

from croupier.cards import Card
from croupier.formats.hand import Hand
from croupier.formats.outcome import (
    ANTES,
    ENDS_EARLY,
    INCOMPLETE,
    LEGAL,
    NEGATIVE,
    SKIPPED,
    VOID,
    Outcome,
    Settled,
    Stated,
    Tolerance,
    cause_of,
    compare,
    settled_by,
)
from croupier.formats.phh_quick import Quick, quick_script
from croupier.formats.room import BOOK_ROOM, Room
from croupier.formats.script import (
    ALL_INS,
    BOARD,
    CALL,
    CHECK,
    CHECK_OR_CALL,
    ENDLESS,
    FOLD,
    MUCK,
    SHOW,
    UNKNOWN,
    WAGER,
    Script,
    Step,
    house,
    script_of,
)
from croupier.formats.staging import ReplayTable, Stage
from croupier.poker.commands import FlipMarker, Fold, Muck, Settle, ShowHand, ShowHands
from croupier.poker.state import RoundState
from croupier.rulebooks import load
from croupier.table import BadCommand, BrokenTable, Order
from croupier.table.money import write_money
from croupier.table.refusal import Refusal

BOOK = "no-limit-holdem-v8"
"""The book for hands that name none."""
_SETTLE = house(Settle())
_MARKER = house(FlipMarker())
_SHOW_HANDS = house(ShowHands())
_STREETS_DUE = {"flop due": "flop", "turn due": "turn", "river due": "river"}


class KnownCourse(Settled, frozen=True, kw_only=True):
    """What a course of actions came to, for everybody who has more chips than it took.

    A table is pure, and stacks count only where somebody is All-in: whoever plays the same course
    again with the same Blinds and enough chips gets the same answer.
    """

    put: list[int]
    """The most that each has put in; only with more than that is the answer his."""
    nets: list[int]
    """What each has more, or less, at the end."""


class Replayer:
    """Replays hands under one book and one set of policies, and as their `room` plays.

    Without a `chip` amounts are counted in cents, and a pot that is shared otherwise on record in
    the smallest chip that the record shows. With `missing_folds` whoever has a turn when the record
    ends has folded: some rooms do not write down who was away.

    It remembers courses of actions without a showdown and does not play them again (`KnownCourse`);
    `courses = 0` has it play everything.
    """

    def __init__(
        self,
        rulebook: str = BOOK,
        policies: dict[str, str] | None = None,
        *,
        chip: int | None = None,
        rake_percent: int = 10,
        missing_folds: bool = False,
        courses: int = 20_000,
        room: Room = BOOK_ROOM,
    ) -> None:
        self.rulebook = rulebook
        self.policies = dict(policies or {})
        self.chip = chip
        self.missing_folds = missing_folds
        self.tolerance = Tolerance(rake_percent, chip or 1)
        self.room = room
        self.stage = Stage(load(rulebook), self.policies, chip or 1, room)
        self.courses_at_most = courses
        self._courses: dict[tuple[str, int, int, int], KnownCourse] = {}
        self._settled: Settled | None = None
        """How the last hand that was played to its end has been settled."""

    def check(self, hand: Hand) -> Outcome:
        """Replay a hand and compare."""
        if any(post.kind == "ante" for post in hand.posts):
            return SKIPPED[ANTES]
        if hand.voided:
            return SKIPPED[VOID]
        tolerance = self.tolerance
        if hand.rake is not None:
            tolerance = structs.replace(tolerance, rake=hand.rake)
        script = script_of(hand)
        outcome = self.run(script, tolerance)
        if outcome.verdict == "agrees" and hand.pots:
            return self._with_pots(hand, script, outcome)
        return outcome

    def _with_pots(self, hand: Hand, script: Script, outcome: Outcome) -> Outcome:
        """The same outcome, unless the pots on record are not those of the table."""
        table, _ = self.play(script)
        assert table is not None
        assert table.state.round is not None
        ours = [pot.amount for pot in table.state.round.pots]
        theirs = [pot.amount for pot in hand.pots]
        settled = self._settled
        assert settled is not None
        if theirs in (ours, [*ours[:-1], ours[-1] - sum(settled.stayed.values())]):
            return outcome
        told = ", ".join(write_money(amount) for amount in ours)
        stated = ", ".join(write_money(amount) for amount in theirs)
        return Outcome("differs", f"pots: {told} by the book, {stated} on record")

    def run(self, script: Script, tolerance: Tolerance | None = None) -> Outcome:
        """Replay a script and compare what comes out with what it says."""
        if script.negative and not self.room.late_posts_are_blinds:
            return SKIPPED[NEGATIVE]
        outcome = self.play(script, tolerance)[1]
        return outcome if states_result(script) else legal(outcome)

    def quick(self, quick: Quick) -> Outcome | None:
        """Replay a plain hand and compare; None if it is not as plain as it looked."""
        if not states_result(quick):
            script = quick_script(quick)
            return None if script is None else self.run(script)
        key = (quick.actions, quick.count, quick.small, quick.big)
        course = self._courses.get(key)
        if course is not None:
            stacks = quick.stacks
            for stack, put in zip(stacks, course.put, strict=True):
                if stack <= put:
                    break
            else:
                ends = [stack + net for stack, net in zip(stacks, course.nets, strict=True)]
                found = compare(quick, ends, course, self.tolerance)
                if found.verdict == "agrees":
                    return found  # what differs is played, to tell how
        script = quick_script(quick)
        if script is None:
            return None
        table, found = self.play(script)
        if found.verdict == "agrees" and table is not None and self.courses_at_most:
            self._remember(key, script, table)
        return found

    def _remember(self, key: tuple[str, int, int, int], script: Script, table: ReplayTable) -> None:
        """Keep a course that was won by folds and in which nobody was All-in."""
        state = table.state
        round_ = state.round
        assert round_ is not None
        if not round_.won_by_folds or len(round_.pots) > 1:
            return
        settled = self._settled
        assert settled is not None
        put = [
            player.total + settled.uncalled.get(seat, 0) for seat, player in round_.players.items()
        ]
        stacks = script.stacks
        seats = state.seats.values()
        if any(stack <= spent for stack, spent in zip(stacks, put, strict=True)):
            return
        if len(self._courses) >= self.courses_at_most:
            self._courses.clear()
        self._courses[key] = KnownCourse(
            put=put,
            nets=[seat.stake - stack for seat, stack in zip(seats, stacks, strict=True)],
            payouts=settled.payouts,
            uncalled=settled.uncalled,
            stayed=settled.stayed,
            saw_flop=settled.saw_flop,
        )

    def play(
        self, script: Script, tolerance: Tolerance | None = None
    ) -> tuple[ReplayTable | None, Outcome]:
        """Replay a script; return the table as it stands at the end, and the outcome."""
        tolerance = tolerance or self.tolerance
        table, found = self._play(self.stage, script, tolerance)
        if found.verdict == "differs" and table is not None and self.chip is None:
            round_ = table.state.round
            chip = smallest_chip(script)
            if round_ is not None and len(round_.payouts) > 1 and chip > 1:
                # A shared pot is shared in the chips that the record shows.
                stage = self.stage.with_chip(chip)
                by_chip = structs.replace(tolerance, chip=chip)
                again = self._play(stage, script, by_chip)
                if again[1].verdict != "differs":
                    return again
        return table, found

    def _play(
        self, stage: Stage, script: Script, tolerance: Tolerance
    ) -> tuple[ReplayTable | None, Outcome]:
        table: ReplayTable | None = None
        playing = _Playing(script, self.missing_folds)
        try:
            table = stage.set(script)
            found = playing.play(table)
            if found is None:
                ends = [seat.stake for seat in table.state.seats.values()]
                if sum(ends) != table.state.brought or min(ends) < 0:
                    raise AssertionError("a chip was lost, or made")
                settled = self._settled = settled_by(table)
                found = compare(script, ends, settled, tolerance)
                if found.verdict == "differs":
                    found = playing.explained(table, settled, found, tolerance.percent)
        except Refusal as refusal:
            refused = refusal.refused
            found = Outcome("refused", refused.says, playing.place(), refused.cites)
        except (BadCommand, BrokenTable, AssertionError) as error:
            found = Outcome("differs", f"the table cannot follow: {error}", playing.place())
        return table, found


def states_result(stated: Stated) -> bool:
    """Whether a record says what came out."""
    return stated.finishing is not None or any(stated.winnings or ())


def legal(outcome: Outcome) -> Outcome:
    """The outcome of a hand whose record states no result: whether the book allows its actions."""
    if outcome.verdict == "agrees" or outcome.says == INCOMPLETE:
        return LEGAL
    return outcome


def smallest_chip(script: Script) -> int:
    """The largest chip in which every amount on record can be counted."""
    amounts = [script.small, script.big]
    amounts += [stack for stack in script.stacks if stack < ENDLESS]
    amounts += [step.to for step in script.steps]
    for stated in (script.finishing, script.winnings):
        amounts += [value for value in stated or () if value is not None]
    return math.gcd(*amounts)


class _Playing:
    """One hand on its way through the table."""

    def __init__(self, script: Script, missing_folds: bool) -> None:
        self.script = script
        self.missing_folds = missing_folds
        self.at = 0
        self.shown: dict[int, tuple[Card, ...]] = {}
        self.mucked: set[int] = set()

    def place(self) -> str:
        """The step at which the replay stands, counted without the deal of the Hole Cards."""
        return f"step {self.at}" if self.at else "before the deal"

    def play(self, table: ReplayTable) -> Outcome | None:
        """Give everything to the table; return an outcome only where it could not be finished."""
        state = table.state
        give, fold = table.give, table.decider(Fold)
        round_ = state.round
        assert round_ is not None
        players = round_.players
        for step in self.script.steps:
            self.at += 1
            code = step.code
            if code == FOLD:
                if state.waiting:
                    give(step.order)  # type: ignore[arg-type]
                else:
                    fold(table, step.order)
            elif code == CHECK_OR_CALL:
                seat = step.seat
                if state.phase != "betting" and self._nothing_to_decide(round_, seat):
                    continue
                owes = players[seat].bet < round_.betting.price
                give(step.other if owes else step.order)  # type: ignore[arg-type]
            elif code == WAGER:
                give(self._wager(table, round_, step))
            elif code == BOARD:
                river = step.other is not None and round_.turn
                give(step.other if river else step.order)  # type: ignore[arg-type]
                table.check()
            elif code == SHOW:
                self._show(step)
            elif code == MUCK:
                self.mucked.add(step.seat)
            elif code == CALL:
                give(step.order)  # type: ignore[arg-type]
                if step.to and players[step.seat].bet not in (step.to, 0):
                    ours = write_money(players[step.seat].bet)
                    says = f"player {step.seat} calls to {ours}, on record to "
                    return Outcome("differs", says + write_money(step.to), self.place())
            elif code == CHECK:
                if state.phase != "betting" and self._nothing_to_decide(round_, step.seat):
                    continue
                give(step.order)  # type: ignore[arg-type]
        return self._finish(table, round_)

    def _wager(self, table: ReplayTable, round_: RoundState, step: Step) -> Order[Any]:
        """A BET, a Raise, or an All-in where it takes the last chip."""
        seat = step.seat
        player = round_.players[seat]
        if player.bet + table.state.seats[seat].stake == step.to:
            return ALL_INS[seat]
        order = step.order if round_.betting.opened else step.other
        assert order is not None
        return order

    def _nothing_to_decide(self, round_: RoundState, seat: int) -> bool:
        """Whether a Check is that of the one Player with chips among Players who are All-in."""
        player = round_.players[seat]
        return (
            player.active
            and not player.all_in
            and not round_.won_by_folds
            and not self._can_bet(round_)
        )

    def _can_bet(self, round_: RoundState) -> bool:
        """Whether two Players or more have chips left to bet with."""
        able = [p for p in round_.players.values() if p.active and not p.all_in]
        return len(able) > 1

    def _show(self, step: Step) -> None:
        """Cards shown, or seen to be held; `??` says only that a hand was still in."""
        seat, cards = step.seat, step.cards
        if not cards:
            dealt = self.script.cards
            cards = dealt[seat - 1] if dealt is not None else ()
        if cards and UNKNOWN not in cards:
            self.shown[seat] = cards

    # -- the end -----------------------------------------------------------------------------

    def _finish(self, table: ReplayTable, round_: RoundState) -> Outcome | None:
        state = table.state
        if self.missing_folds:
            while state.phase == "betting":
                table.give(house(Fold(seat=round_.betting.to_act[0])))
        phase = state.phase
        if phase == "betting":
            turn = f"it is player {round_.betting.to_act[0]}'s turn"
            says = f"the record ends, but {turn}"
            return Outcome("differs", says, self.place(), cause=ENDS_EARLY)
        if phase in _STREETS_DUE:
            if not self._can_bet(round_):
                return SKIPPED[INCOMPLETE]
            street = _STREETS_DUE[phase]
            says = f"the record ends, but the {street} is due"
            return Outcome("differs", says, self.place(), cause=ENDS_EARLY)
        if phase == "marker due":
            table.give(_MARKER)
        if state.phase == "showdown" and not self._showdown(table, round_):
            return SKIPPED[INCOMPLETE]
        table.check()
        table.give(_SETTLE)  # what it leaves is counted with the stacks that are compared
        return None

    def _showdown(self, table: ReplayTable, round_: RoundState) -> bool:
        """Show what is on record and muck the rest; tell whether that decides every pot."""
        shown = self.shown
        known = {seat for seat in round_.to_show if UNKNOWN not in round_.players[seat].cards}
        if not shown and known == set(round_.to_show) and not self.mucked:
            table.give(_SHOW_HANDS)  # all cards are on record, who turned them up is not
            return True
        to_show = [seat for seat in shown if seat in round_.to_show]
        to_show += [seat for seat in known if seat not in shown and seat not in self.mucked]
        for seat in to_show:
            cards = shown.get(seat, ())
            held = tuple(round_.players[seat].cards)
            table.give(house(ShowHand(seat=seat, cards=() if cards == held else cards)))
        while round_.to_show:
            seat = round_.to_show[0]
            table.give(house(Muck(seat=seat)))
            if round_.to_show and round_.to_show[0] == seat:
                # The book asks him to show; what he holds, the record does not say.
                if seat not in self.mucked or seat not in known:
                    return False
                table.give(house(Muck(seat=seat)))
        return True

    def explained(
        self, table: ReplayTable, settled: Settled, found: Outcome, percent: int
    ) -> Outcome:
        """A difference, with what the record's own figures have to do with it."""
        if self._unseen_won(table):
            return SKIPPED[INCOMPLETE]
        round_ = table.state.round
        assert round_ is not None
        script = self.script
        put = [player.total for player in round_.players.values()]
        cause = cause_of(script, script.stacks, put, settled, percent)
        return structs.replace(found, cause=cause) if cause else found

    def _unseen_won(self, table: ReplayTable) -> bool:
        """Whether somebody whose cards are not on record was in a showdown and is paid there."""
        round_ = table.state.round
        assert round_ is not None
        ends, wins = self.script.finishing, self.script.winnings
        for seat in round_.show_order:
            player = round_.players[seat]
            if player.shown:
                continue
            if ends is not None and (ends[seat - 1] or 0) > table.state.seats[seat].stake:
                return True
            if ends is None and wins is not None and (wins[seat - 1] or 0) > 0:
                return True
        return False
