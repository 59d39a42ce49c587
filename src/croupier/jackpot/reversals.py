"""Stakes that go back, and with them what they gave (5.21, 5.15, 5.10.3, 5.18).

The contribution is reversed, unless the policy keeps it; if the meter was reset meanwhile the House
bears it (B-12). While claims wait, what lies in the meter stays there until they are paid (B-65).
A stake that the device had never taken has nothing to reverse: what was entered for it does not
count, nor in the amount that was registered before the fault (B-57).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.jackpot.display import after_fall
from croupier.jackpot.events import ContributionsReversed
from croupier.jackpot.later import note_borne, note_spent, release, reversal
from croupier.jackpot.meter import from_a_table
from croupier.jackpot.state import Claim, LaterReversal, LinkState, Posting, TableRound
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, Order, ReturnStakes, Room, TakeAwardsBack

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

reversals = Room("reversals")


@reversals.decides(ReturnStakes, while_waiting=True)
def return_stakes(link: JackpotLink, order: Order[ReturnStakes]) -> None:
    command, state = order.command, link.state
    from_a_table(link, order, command.table)
    last = known_round(state, command.table, command.round)
    unknown = [box for box in command.boxes if box not in last.boxes]
    if unknown:
        raise BadCommand(f"no stake of box {unknown[0]} was taken in round {command.round}")
    kept = _kept(state, command, last)
    later = _after_the_claims(state, command, last) if state.claims and not kept else ()
    now = [last.boxes[box] for box in command.boxes if box not in later]
    link.emit(
        ContributionsReversed(
            table=command.table,
            round=command.round,
            boxes=command.boxes,
            kept=kept,
            later=later,
            unregistered=command.unregistered,
            at=order.when,
            cites=why(link, command),
            **({} if kept else reversal(state, now)),
        )
    )
    if not state.claims:
        release(link, order.when)


def _kept(state: LinkState, command: ReturnStakes, last: TableRound) -> bool:
    """Whether the policy keeps what was accepted; what was never taken, or set aside as beyond
    reason, was not."""
    set_aside = any(last.boxes[box].doubtful for box in command.boxes)
    accepted = not command.unregistered and not set_aside
    return accepted and state.policies["void-contribution"] != "reverse"


def why(link: JackpotLink, command: ReturnStakes | TakeAwardsBack) -> tuple[str, ...]:
    """Why it went back: 5.21 for a void round, 5.10.3, 5.15 or 5.18 for a hand, as told."""
    if not command.why:
        return link.cite(Topic.VOID_RETURNS_EVERY_BET, Topic.JACKPOT_GROWTH)
    return tuple(dict.fromkeys((*command.why, *link.cite(Topic.JACKPOT_GROWTH))))


def known_round(state: LinkState, table: str, number: int) -> TableRound:
    """The last round of a table, which alone can still be found void."""
    last = state.rounds.get(table)
    if last is None or last.round != number:
        raise BadCommand(f"the link knows no round {number} of table {table!r}")
    return last


def _after_the_claims(state: LinkState, command: ReturnStakes, last: TableRound) -> tuple[int, ...]:
    """The boxes whose contribution comes off only after the claims that go on waiting.

    What is parked itself, or set aside, is in nobody's award and goes back at once.
    """
    if not any(_still_waits(claim, command) for claim in state.claims):
        return ()
    return tuple(box for box in command.boxes if _in_the_accounts(last.boxes[box]))


def _in_the_accounts(posting: Posting) -> bool:
    return not posting.parked and not posting.doubtful


def _still_waits(claim: Claim, gone: ReturnStakes | ContributionsReversed) -> bool:
    """A stake that went back wins nothing."""
    ours = (claim.table, claim.round) == (gone.table, gone.round)
    return not (ours and claim.held.box in gone.boxes)


@reversals.applies(ContributionsReversed)
def contributions_reversed(link: JackpotLink, event: ContributionsReversed) -> None:
    state = link.state
    state.meter -= event.meter
    state.reversals += event.meter
    state.reserve -= event.reserve
    state.overflow -= event.overflow
    state.parked -= event.parked
    state.doubtful -= event.doubtful
    state.borne += event.borne
    state.put_in -= event.meter + event.reserve + event.overflow + event.parked + event.doubtful
    last = state.rounds[event.table]
    if event.unregistered:
        _not_in_the_register(state, last, event)
    kept, later = event.kept, event.later
    now = [last.boxes[box] for box in event.boxes if box not in later]
    note_spent(state, [] if kept else now, event.reserve)
    for box in event.boxes:
        posting = last.returned[box] = last.boxes.pop(box)
        posting.kept = kept
        posting.borne = posting.unborne = 0
        for part in posting.flowed:
            part.borne = part.unborne = 0
        if box in later:
            held = posting.copy()
            state.later.append(
                LaterReversal(
                    table=event.table,
                    round=event.round,
                    box=box,
                    posting=held,
                    unregistered=event.unregistered,
                    cites=event.cites,
                )
            )
        elif not kept:
            note_borne(state, posting)
    state.counts[event.table] -= len(event.boxes)
    _withdraw_claims(state, event)
    after_fall(state, event.at)


def _not_in_the_register(state: LinkState, last: TableRound, event: ContributionsReversed) -> None:
    """What the table's own device had registered does not have these stakes in it, also those that
    come off the meter only after the claims. Such a claim may be paid on what the link registered.
    """
    own = state.registers.get(last.register) if last.register is not None else None
    if own is None:
        return
    boxes = [box for box in event.boxes if own.table or box not in event.later]
    for posting in (last.boxes[box] for box in boxes):
        posting.unregistered = posting.inside(own.inside)
        state.run_down(last.register, posting.unregistered)


def _withdraw_claims(state: LinkState, event: ContributionsReversed) -> None:
    """The claims of these stakes leave the queue, and with the last claim the question of their
    order."""
    if state.claims:
        state.claims = [claim for claim in state.claims if _still_waits(claim, event)]
    if state.waiting and not state.claims:
        state.waiting = [need for need in state.waiting if not isinstance(need, DecisionNeeded)]
