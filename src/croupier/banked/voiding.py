"""Rounds that have no result and hands that do not count (1.31, 5.8, 5.10.3, 5.15, 5.18, 5.21)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.banked.authority import SHIFT_MANAGER
from croupier.banked.betting import give
from croupier.banked.claims import all_claimed, claims_go_on, phase_between
from croupier.banked.commands import BetName
from croupier.banked.events import BetReturned, Payout
from croupier.banked.findings import (
    HandCancelled,
    PaymentCorrected,
    RoundVoided,
    SettledBetReturned,
)
from croupier.banked.phases import nothing_left_to_ask, onward
from croupier.banked.settlement import jackpot_held
from croupier.banked.state import BETS, BankedState, BoxState
from croupier.rulebooks import Topic
from croupier.table import AwardsReturned, DecisionNeeded, DecisionTaken, Room, StakesReturned
from croupier.table.words import listed

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

voiding = Room("voiding")

CONFIRM_VOID = "confirm void"
NEXT_ROUNDS = "next rounds"


def void(table: BankedTable, cites: tuple[str, ...], cause: str, reporter: str = "") -> None:
    """Void the round; one that wipes out a shown jackpot hand needs the shift manager (B-28).

    Of a settled round he must be somebody else than its `reporter` (B-69). Whose hand it is that
    only its player has seen is told to nobody: everybody hears what is asked.
    """
    known = shown_jackpot_hands(table)
    if not known:
        void_now(table, cites, cause)
        return
    if _asked_already(table, cites, cause):
        return
    shown = shown_jackpot_hands(table, to_all=True)
    hands = []
    if shown:
        of = f"hand of box {shown[0]}" if len(shown) == 1 else f"hands of boxes {listed(shown)}"
        hands.append(f"the jackpot {of}")
    if len(known) > len(shown):
        hands.append("a jackpot hand that only its player has seen")
    table.ask(
        CONFIRM_VOID,
        f"The round would be void ({cause}), and with it {listed(hands)}.",
        ("void", "ruling"),
        SHIFT_MANAGER,
        cites,
        about={"cause": cause, "boxes": list(shown)},
        not_by=reporter if table.state.is_settled() else "",
    )


def _asked_already(table: BankedTable, cites: tuple[str, ...], cause: str) -> bool:
    """Whether the shift manager is asked about this void: what is reported twice is one thing."""
    return any(
        isinstance(need, DecisionNeeded)
        and need.question == CONFIRM_VOID
        and (need.cites, need.about["cause"]) == (cites, cause)
        for need in table.state.waiting
    )


def shown_jackpot_hands(table: BankedTable, *, to_all: bool = False) -> tuple[int, ...]:
    """Boxes whose jackpot hand is known: looked at, open, already found, or the board's alone;
    `to_all`: without those that only their player has looked at."""
    state = table.state
    shown = []
    for number, box in sorted(state.boxes.items()):
        if box.standing == "cancelled" or not box.ante_or_settled():
            continue
        unsettled = box.result is None and box.progressive > 0
        known = box.lies_open() if to_all else box.is_known()
        held = unsettled and jackpot_held(table, box, unseen=not known)
        if box.due or box.paid_lines or held:
            shown.append(number)
    return tuple(shown)


@voiding.answered(CONFIRM_VOID)
def void_confirmed(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    from croupier.banked.rulings import ask_for_ruling  # a ruling may void in its turn

    if taken.option == "void":
        void_now(table, asked.cites, asked.about["cause"])
    else:
        ask_for_ruling(table, Topic.DISCRETION_INTERPRETATION, asked.says)


def void_now(table: BankedTable, cites: tuple[str, ...], cause: str) -> None:
    """Hand every stake of the round back, also those of folded boxes (5.21, B-60)."""
    state = table.state
    told = [n for n, box in sorted(state.boxes.items()) if box.registered]
    counted = {n: box for n, box in sorted(state.boxes.items()) if box.standing != "cancelled"}
    topics = [Topic.VOID_RETURNS_EVERY_BET, Topic.VOID, Topic.BET_MEANS_WAGER]
    if set(cites) & set(table.cite(Topic.EARLIER_ROUNDS_STAND)):
        topics.insert(2, Topic.EARLIER_ROUNDS_STAND)  # The words of 5.8, for what it voids.
    also = table.cite(*topics)
    table.emit(
        RoundVoided(
            round=state.round,
            cause=cause,
            returned={n: staked(box) for n, box in counted.items()},
            already={n: gone for n, box in counted.items() if (gone := gone_back(box))},
            taken_back={n: won for n, box in counted.items() if (won := won_by(box))},
            cites=tuple(dict.fromkeys((*cites, *also))),
        )
    )
    bear_what_is_gone(table, {box.player for box in state.boxes.values()}, cites)
    back = table.cite(Topic.VOID_RETURNS_EVERY_BET)
    return_to_link(table, told, tuple(dict.fromkeys((*back, *cites))))


def bear_what_is_gone(table: BankedTable, players: set[str], cites: tuple[str, ...]) -> None:
    """What is to be taken back and is not among a player's chips here, the House bears.

    He may have left with it between the settlement and the discovery; where he comes back, a
    ruling may collect it (5.23).
    """
    for player in sorted(players):
        short = -within_reach(table.state, player)
        if short > 0:
            table.emit(PaymentCorrected(player=player, amount=short, gone=True, cites=cites))


def within_reach(state: BankedState, player: str) -> int:
    """The counted chips that a player has at the table; negative if he owes more than that.

    Chips that are not counted are always thought to be there.
    """
    net = state.net.get(player, 0)
    if player in state.left:
        return net
    return state.racks[player] + net if player in state.racks else 0


def return_to_link(table: BankedTable, boxes: list[int], cites: tuple[str, ...]) -> None:
    """Tell the link that jackpot stakes went back to their players, and what they had won of the
    meter with them: the jackpot was not won, so that is not the House's to keep (B-63)."""
    state = table.state
    awards = {n: dict(box.awarded) for n, box in state.boxes.items() if n in boxes and box.awarded}
    if awards:
        table.emit(AwardsReturned(round=state.round, awards=awards, cites=cites))
    if boxes:
        table.emit(StakesReturned(round=state.round, boxes=tuple(boxes), cites=cites))


@voiding.applies(AwardsReturned)
def awards_returned(table: BankedTable, event: AwardsReturned) -> None:
    """The House has what was taken back from the players, and bears what could not be."""
    total = sum(sum(lines.values()) for lines in event.awards.values())
    table.state.house -= total
    table.state.from_meter -= total
    for number in event.awards:
        table.state.boxes[number].awarded = {}


def staked(box: BoxState) -> dict[BetName, int]:
    """What a box has staked in the round: on the layout now, or before it was settled."""
    bets: dict[BetName, int] = {}
    for bet in BETS:
        amount = getattr(box, bet)
        if box.result is not None and bet in box.payouts:
            amount = box.payouts[bet].staked
        if amount:
            bets[bet] = amount
    return bets


def gone_back(box: BoxState) -> int:
    """What of its stakes a box got back when it was settled; what went back before the settlement
    is no stake of an unsettled box any more."""
    if box.result is None:
        return 0
    return sum(payout.returned for payout in box.payouts.values())


def won_by(box: BoxState) -> int:
    """What a settled box was paid beyond its stakes."""
    return sum(payout.won for payout in box.payouts.values())


@voiding.applies(RoundVoided)
def round_voided(table: BankedTable, event: RoundVoided) -> None:
    state = table.state
    for number, returned in event.returned.items():
        box = state.boxes[number]
        undo_box(state, box, returned)
        box.result = "void"
    state.void = True
    # What was still asked of anybody is asked no more, but for the rounds to come (5.17.2).
    state.waiting = [
        need
        for need in state.waiting
        if isinstance(need, DecisionNeeded) and need.question == NEXT_ROUNDS
    ]
    state.phase = phase_between(table)


def undo_box(state: BankedState, box: BoxState, returned: dict[BetName, int]) -> None:
    """Take back what a box was paid, if it was settled, and hand its stakes back."""
    if box.result is not None:
        undo_settled(state, box, [p for bet, p in box.payouts.items() if bet in returned])
    else:
        for bet in BETS:
            setattr(box, bet, 0)
        give(state, box.player, sum(returned.values()))
    kept = {bet: p for bet, p in box.payouts.items() if box.result is None and bet not in returned}
    box.payouts = {
        **kept,
        **{bet: Payout(staked=amount, returned=amount) for bet, amount in returned.items()},
    }
    box.hand = box.bonus_line = box.instead = ""
    box.due, box.paid_lines, box.named = [], {}, False


def undo_settled(state: BankedState, box: BoxState, payouts: Iterable[Payout]) -> None:
    """Between player and House, as if these bets had never been won or lost."""
    gained = sum(p.won - p.lost for p in payouts)
    state.house += gained
    take_back(state, box.player, gained)


def take_back(state: BankedState, player: str, amount: int) -> None:
    """Take money back from a player, or give it if negative; what is kept safe goes first."""
    if amount <= 0:
        give(state, player, -amount)
        return
    kept = min(state.safekeeping.get(player, 0), amount)
    if kept:
        state.safekeeping[player] -= kept
        if not state.safekeeping[player]:
            del state.safekeeping[player]
    state.net[player] = state.net.get(player, 0) - (amount - kept)


@voiding.applies(StakesReturned)
def stakes_returned(table: BankedTable, event: StakesReturned) -> None:
    state = table.state
    for number in event.boxes:
        if number in state.boxes:
            state.boxes[number].registered = False
    state.stakes_told -= len(event.boxes)


# -- one hand -------------------------------------------------------------------------------------


def cancel(table: BankedTable, number: int, cites: tuple[str, ...], cause: str) -> None:
    """Cancel one hand: all its stakes go back, Bonus and jackpot too (B-53)."""
    box = table.state.boxes[number]
    told = box.registered
    claimed = all_claimed(table)
    table.emit(
        HandCancelled(
            box=number,
            cause=cause,
            returned=staked(box),
            already=gone_back(box),
            taken_back=won_by(box),
            cites=cites,
        )
    )
    bear_what_is_gone(table, {box.player}, cites)
    if told:
        return_to_link(table, [number], cites)
    if table.state.phase == "jackpot":
        claims_go_on(table, told=claimed)


def withdraw_jackpot_bet(table: BankedTable, number: int, cites: tuple[str, ...]) -> None:
    """Of a folded box the jackpot bet alone goes back, also once it is settled (B-54, B-67)."""
    box = table.state.boxes[number]
    told, claimed = box.registered, all_claimed(table)
    if box.result is None:
        amount = box.progressive
        table.emit(BetReturned(box=number, bet="progressive", amount=amount, cites=cites))
    else:
        payout = box.payouts["progressive"]
        table.emit(
            SettledBetReturned(
                box=number,
                bet="progressive",
                staked=payout.staked,
                won=payout.won,
                lost=payout.lost,
                cites=cites,
            )
        )
        bear_what_is_gone(table, {box.player}, cites)
    if told:
        return_to_link(table, [number], cites)
    if table.state.phase == "jackpot":
        claims_go_on(table, told=claimed)


@voiding.applies(SettledBetReturned)
def settled_bet_returned(table: BankedTable, event: SettledBetReturned) -> None:
    state = table.state
    box = state.boxes[event.box]
    undo_settled(state, box, [box.payouts[event.bet]])
    box.payouts[event.bet] = Payout(staked=event.staked, returned=event.staked)
    box.returned_by[event.bet] = event.cites
    if event.bet == "progressive":
        box.due, box.paid_lines, box.named, box.instead = [], {}, False, ""


@voiding.applies(HandCancelled)
def hand_cancelled(table: BankedTable, event: HandCancelled) -> None:
    box = table.state.boxes[event.box]
    undo_box(table.state, box, event.returned)
    box.standing = "cancelled"
    box.cancelled_by = event.cites
    box.result = "cancelled"
    nothing_left_to_ask(table.state, event.box)
    onward(table)
