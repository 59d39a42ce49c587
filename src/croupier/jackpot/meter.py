"""The meter: contributions of accepted stakes, posted or parked (1.20).

A contribution is posted once, when a table closes its bets (B-04). While claims are open it is
parked, so that the time spent on checking changes nobody's award (B-05). Stakes that go back are in
`reversals`, what happens once the queue is empty in `later`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.jackpot.display import after_growth
from croupier.jackpot.events import (
    ContributionDoubted,
    ContributionsPosted,
    StakesLieAgain,
)
from croupier.jackpot.settings import LinkSettings
from croupier.jackpot.state import MILLION, LinkState, Posting, TableRound
from croupier.rulebooks import Topic
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    LinkFailed,
    Order,
    Room,
    TakeStakes,
)

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

meter = Room("meter")


def parts_per_million(percent: str) -> int:
    """A percentage with up to four decimals as a whole number of millionths."""
    whole, _, rest = percent.partition(".")
    return int(whole) * 10_000 + int(rest.ljust(4, "0"))


def from_a_table(link: JackpotLink, order: Order[Command], table: str) -> None:
    """The House carries messages of the link's own tables; nobody else gives them.

    Of a table that was taken off the link the last round can still be found void.
    """
    if order.rank is not ActorRank.HOUSE:
        raise BadCommand("what tables tell their link is carried by the House, not given by hand")
    if table not in link.state.tables and table not in link.state.rounds:
        known = ", ".join(link.state.tables) or "none"
        raise BadCommand(
            f"table {table!r} does not hang on link {link.state.name!r}; there is {known}"
        )


# -- taking stakes --------------------------------------------------------------------------------


@meter.decides(TakeStakes, while_waiting=True)
def take_stakes(link: JackpotLink, order: Order[TakeStakes]) -> None:
    command, state = order.command, link.state
    from_a_table(link, order, command.table)
    last = state.rounds.get(command.table)
    before = _before(last, command)
    lay_there = bool(before) and len(before) == len(command.stakes)
    if (state.closed or state.failed or command.table not in state.tables) and not lay_there:
        raise BadCommand(f"link {state.name!r} takes no stakes now")
    if last is not None:
        if command.round < last.round:
            raise BadCommand(f"round {command.round} of table {command.table!r} is over")
        if command.round == last.round and not last.boxes.keys().isdisjoint(command.stakes):
            raise BadCommand(f"stakes of round {command.round} were taken already")
    stakes = command.stakes
    if state.later and (still := _still_there(state, command)):
        stakes = _but_those_still_there(link, command, still)
    if not stakes:
        return
    terms = terms_of(state, last if last is not None and last.round == command.round else None)
    given, carry = _given(state, terms, stakes, before)
    total = sum(given.values())
    cites = link.book.cite(Topic.JACKPOT_GROWTH)
    if total and _beyond_reason(state, total, before if lay_there else {}):
        table, number = command.table, command.round
        link.emit(
            ContributionDoubted(table=table, round=number, boxes=given, amount=total, cites=cites)
        )
        if not state.failed:
            link.emit(_failed(link))
        return
    reserved: dict[int, int] = {}
    if before or terms.reserve_rate != "0":
        reserved = _reserved_of_each(state, terms, given, before)
    reserve = sum(reserved.values())
    grows = total - reserve
    parked = grows if state.claims else 0
    room = grows - parked
    if state.settings.ceiling is not None:
        room = min(room, max(state.settings.ceiling - state.meter, 0))
    link.emit(
        ContributionsPosted(
            table=command.table,
            round=command.round,
            boxes=given,
            meter=room,
            reserve=reserve,
            overflow=grows - parked - room,
            parked=parked,
            carry=carry,
            reserved=reserved if reserve else {},
            at=order.when,
            cites=cites,
        )
    )


def _reserved_of_each(
    state: LinkState, terms: LinkSettings, given: dict[int, int], before: dict[int, Posting]
) -> dict[int, int]:
    """The part of each stake in the reserve, so that one that goes back takes its own along; one
    that lies there again has what it had."""
    parts = {box: before[box].reserve_again for box in _as_they_lay(given, before)}
    new = {box: amount for box, amount in given.items() if box not in parts}
    total, so_far, told = sum(new.values()), 0, 0
    reserve = _reserved(state, terms, total)
    for box, amount in new.items():
        so_far += amount
        parts[box] = reserve * so_far // total - told if total else 0
        told += parts[box]
    return parts


def _as_they_lay(given: dict[int, int], before: dict[int, Posting]) -> list[int]:
    """The boxes whose stakes give just what came off before a ruling that was taken back."""
    return [box for box, amount in given.items() if box in before and before[box].again == amount]


def _before(last: TableRound | None, command: TakeStakes) -> dict[int, Posting]:
    """Where what these stakes gave was before a ruling that has been taken back.

    If all of them lay there they are no new stakes: a link that has failed, and takes no others,
    stands by them (5.17.1).
    """
    if last is None or last.round != command.round:
        return {}
    return {box: last.returned[box] for box in command.stakes if box in last.returned}


def _still_there(state: LinkState, command: TakeStakes) -> list[int]:
    """The boxes whose contribution was to come off only after the claims (B-65)."""
    table, number, stakes = command.table, command.round, command.stakes
    return [x.box for x in state.later if (x.table, x.round) == (table, number) and x.box in stakes]


def _but_those_still_there(
    link: JackpotLink, command: TakeStakes, still: list[int]
) -> dict[int, int]:
    """The stakes that give something: what the others gave has not left its place."""
    link.emit(
        StakesLieAgain(
            table=command.table,
            round=command.round,
            boxes=tuple(still),
            cites=link.cite(Topic.JACKPOT_GROWTH),
        )
    )
    return {box: stake for box, stake in command.stakes.items() if box not in still}


@meter.applies(StakesLieAgain)
def stakes_lie_again(link: JackpotLink, event: StakesLieAgain) -> None:
    state = link.state
    last = state.rounds[event.table]
    for box in event.boxes:
        posting = last.boxes[box] = last.returned.pop(box)
        _registered_again(state, last, posting)
    again = {(event.table, event.round, box) for box in event.boxes}
    state.later = [x for x in state.later if (x.table, x.round, x.box) not in again]
    state.counts[event.table] = state.counts.get(event.table, 0) + len(event.boxes)


def _beyond_reason(state: LinkState, total: int, lay_there: dict[int, Posting]) -> bool:
    """Whether contributions are set aside; those that lay there before, if they were then."""
    if lay_there:
        return any(posting.doubtful for posting in lay_there.values())
    limit = state.settings.unreasonable
    return limit is not None and total > limit


def terms_of(state: LinkState, last: TableRound | None) -> LinkSettings:
    """The parameters for the stakes of a round: those under which the first of them were taken. A
    stake that lies there again gives what it gave, though other parameters hold since."""
    return state.settings if last is None or last.terms is None else last.terms


def _given(
    state: LinkState, terms: LinkSettings, stakes: dict[int, int], before: dict[int, Posting]
) -> tuple[dict[int, int], int]:
    """What each stake gives: a fixed amount, or its rate with what is left of a cent carried.

    Where a stake went back and its contribution was kept or had been paid out, it gives nothing a
    second time when it lies there again.
    """
    amount = terms.contribution
    if amount is not None and not before:
        return dict.fromkeys(stakes, amount), state.carry
    if amount is not None:
        again = {box: posting for box, posting in before.items() if posting.gave(amount * MILLION)}
        return {box: again[box].again if box in again else amount for box in stakes}, state.carry
    assert terms.contribution_rate is not None
    rate, carry = parts_per_million(terms.contribution_rate), state.carry
    given = {}
    for box, stake in stakes.items():
        gives = stake * rate
        if box in before and before[box].gave(gives):
            # It lies there again as it lay: what is left of a cent was carried then.
            given[box] = before[box].again
        else:
            given[box], carry = divmod(gives + carry, MILLION)
    return given, carry


def _reserved(state: LinkState, terms: LinkSettings, total: int) -> int:
    """The hidden part; what is left of a cent is carried as well."""
    rate = parts_per_million(terms.reserve_rate)
    return (total * rate + state.reserve_carry) // MILLION


def _failed(link: JackpotLink) -> LinkFailed:
    return LinkFailed(
        link=link.state.name,
        tables=tuple(link.state.tables),
        registered=link.state.meter,
        cites=link.cite(Topic.JACKPOT_FAULT_LATER),
    )


def round_of(state: LinkState, table: str, number: int) -> TableRound:
    """The record of a table's round; that of an earlier one is no longer needed."""
    last = state.rounds.get(table)
    if last is None or last.round != number:
        last = state.rounds[table] = TableRound(round=number, terms=state.settings)
    return last


@meter.applies(ContributionsPosted)
def contributions_posted(link: JackpotLink, event: ContributionsPosted) -> None:
    state = link.state
    total = event.meter + event.reserve + event.overflow + event.parked
    last = round_of(state, event.table, event.round)
    reserve_rate = terms_of(state, last).reserve_rate
    if event.reserve or reserve_rate != "0":
        rate = parts_per_million(reserve_rate)
        # What is left of a cent of a stake that lies there again was carried when it first did.
        again = _as_they_lay(event.boxes, last.returned)
        new = total - sum(event.boxes[box] for box in again)
        reserve = event.reserve - sum(event.reserved.get(box, 0) for box in again)
        state.reserve_carry += new * rate - reserve * MILLION
    state.meter += event.meter
    state.contributions += event.meter
    state.reserve += event.reserve
    state.overflow += event.overflow
    state.parked += event.parked
    state.carry = event.carry
    state.put_in += total
    state.contributed += total
    boxes, epoch = last.boxes, state.epoch
    if event.reserve or event.overflow:
        _share_out(event, boxes, epoch)
    elif event.parked:
        for box, amount in event.boxes.items():
            boxes[box] = Posting(parked=amount, reset=epoch)
    else:
        for box, amount in event.boxes.items():
            boxes[box] = Posting(meter=amount, reset=epoch)
    if last.returned:
        for box in [box for box in last.returned if box in event.boxes]:
            before = last.returned.pop(box)
            _registered_again(state, last, before)
            _lies_again(state, before, boxes[box])
    state.counts[event.table] = state.counts.get(event.table, 0) + len(event.boxes)
    after_growth(state, event.meter, event.at)


def _registered_again(state: LinkState, last: TableRound, posting: Posting) -> None:
    """The report that no device had taken it was taken back: it is in the registered amount."""
    state.run_down(last.register, -posting.unregistered)
    posting.unregistered = 0


def _lies_again(state: LinkState, before: Posting, now: Posting) -> None:
    """A stake whose contribution was paid out, and which had gone back, lies there again."""
    now.spent, now.spent_on, now.unspent = before.spent, before.spent_on, before.unspent
    if before.kept:  # What it gave has not left its place.
        now.meter, now.reserve, now.overflow = before.meter, before.reserve, before.overflow
        now.parked, now.reset, now.flowed = before.parked, before.reset, before.flowed
        return
    state.borne -= before.spent
    now.reserve += before.spent
    for reset, spent in before.spent_on.items():
        state.spent_since[reset] -= spent
    for reset, unspent in before.unspent.items():
        state.spend_if_it_stands_again(reset, -unspent)
    fresh, now.meter = now.meter, 0
    for part in before.parts:
        if part.borne:
            state.borne -= part.borne
            since = state.borne_since  # Snapshots of earlier releases have none.
            since[part.reset] = since.get(part.reset, part.borne) - part.borne
            now.comes_in(part.borne, part.reset)
        elif part.unborne and part.reset in state.revived:
            state.bear_if_it_stands_again(part.reset, -part.unborne)
            over = min(now.overflow, max(part.unborne - fresh, 0))
            into = min(fresh, part.unborne)
            fresh -= into
            now.overflow -= over
            now.comes_in(into + over, part.reset)
    now.comes_in(fresh, state.epoch)


def _share_out(event: ContributionsPosted, boxes: dict[int, Posting], epoch: int) -> None:
    """Which part of which stake went where: the first stakes fill the pools first, but for the
    reserve where its part of each is told."""
    left = {"reserve": event.reserve, "overflow": event.overflow, "parked": event.parked}
    for box, amount in event.boxes.items():
        parts = {}
        for pool, rest in left.items():
            if pool == "reserve" and event.reserved:
                rest = event.reserved[box]
            parts[pool] = min(rest, amount)
            left[pool] = rest - parts[pool]
            amount -= parts[pool]
        boxes[box] = Posting(
            meter=amount,
            reserve=parts["reserve"],
            overflow=parts["overflow"],
            parked=parts["parked"],
            reset=epoch,
        )


@meter.applies(ContributionDoubted)
def contribution_doubted(link: JackpotLink, event: ContributionDoubted) -> None:
    state = link.state
    state.doubtful += event.amount
    state.put_in += event.amount
    state.contributed += event.amount
    boxes = round_of(state, event.table, event.round).boxes
    for box, amount in event.boxes.items():
        boxes[box] = Posting(doubtful=amount, reset=state.epoch)
    state.counts[event.table] = state.counts.get(event.table, 0) + len(event.boxes)
