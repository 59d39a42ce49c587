"""Awards that come back, because their round is void or their hand cancelled (1.20, 1.31, B-63).

A round or hand that does not count wins nothing, so the jackpot was not won: the award comes back
from the table at once and goes to the meter as soon as no claim waits (`later`). Hits and totals
are corrected; the entries of the award itself stand in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from croupier.jackpot.events import AwardPaidAgain, AwardTakenBack
from croupier.jackpot.later import noted_award, release
from croupier.jackpot.meter import from_a_table
from croupier.jackpot.reversals import known_round, why
from croupier.jackpot.state import LinkState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, PayAwardsAgain, Room, TakeAwardsBack

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

taking_back = Room("taking back")


@taking_back.decides(TakeAwardsBack, while_waiting=True)
def take_awards_back(link: JackpotLink, order: Order[TakeAwardsBack]) -> None:
    _check(link, order, paid=True)
    cites = why(link, order.command)
    _each(link, order, AwardTakenBack, cites)


def _check(
    link: JackpotLink, order: Order[TakeAwardsBack] | Order[PayAwardsAgain], *, paid: bool
) -> None:
    """Every award must be one that the link has made, and that stands or does not stand now."""
    command, state = order.command, link.state
    from_a_table(link, order, command.table)
    known_round(state, command.table, command.round)
    for box, lines in command.awards.items():
        for line, amount in lines.items():
            award = noted_award(state, (command.table, command.round, box, line))
            if award is None or award.paid != amount or (award.standing == "paid") is not paid:
                raise BadCommand(f"box {box} of table {command.table!r} has no such award")


@taking_back.applies(AwardTakenBack)
def award_taken_back(link: JackpotLink, event: AwardTakenBack) -> None:
    state = link.state
    key = event.table, event.round, event.box, event.line
    award = noted_award(state, key)
    assert award is not None, "the link made this award"
    award.standing = "returning"
    state.hits -= 1
    state.awarded -= event.paid
    covering = next((a for a in state.covering if a.key == key), None)
    if covering is not None:
        # The House had advanced it, and has it back; the meter has given nothing for it yet.
        state.covering.remove(covering)
        state.put_in -= event.paid
        award.standing = "returned"
    else:
        state.returning.append(structs.replace(award))
    _mark(state, key, taken_back=True)


@taking_back.decides(PayAwardsAgain, while_waiting=True)
def pay_awards_again(link: JackpotLink, order: Order[PayAwardsAgain]) -> None:
    """The ruling was taken back. The award stands as it was; the meter gives what it had got."""
    _check(link, order, paid=False)
    cites = link.cite(Topic.JACKPOT_PAY_TABLE, Topic.JACKPOT_GROWTH)
    _each(link, order, AwardPaidAgain, cites)


@taking_back.applies(AwardPaidAgain)
def award_paid_again(link: JackpotLink, event: AwardPaidAgain) -> None:
    state = link.state
    key = event.table, event.round, event.box, event.line
    award = noted_award(state, key)
    assert award is not None, "the link made this award"
    state.hits += 1
    state.awarded += event.paid
    if award.standing == "returning":
        state.returning = [a for a in state.returning if a.key != key]
    else:
        state.put_in += event.paid
        state.covering.append(structs.replace(award))
    award.standing = "paid"
    _mark(state, key, taken_back=False)


def _mark(state: LinkState, key: tuple[str, int, int, str], *, taken_back: bool) -> None:
    """Say of the award in the list of the last ones whether it stands."""
    for place in range(len(state.awards) - 1, -1, -1):
        made = state.awards[place]
        if (made.table, made.round, made.box, made.line) == key:
            state.awards[place] = structs.replace(made, taken_back=taken_back)
            return


def _each(
    link: JackpotLink,
    order: Order[TakeAwardsBack] | Order[PayAwardsAgain],
    event: type[AwardTakenBack | AwardPaidAgain],
    cites: tuple[str, ...],
) -> None:
    """Note each of the awards, box by box; the meter follows unless claims wait."""
    command = order.command
    table, number = command.table, command.round
    for box, lines in sorted(command.awards.items()):
        for line, paid in lines.items():
            link.emit(event(table=table, round=number, box=box, line=line, paid=paid, cites=cites))
    if not link.state.claims:
        release(link, order.when)
