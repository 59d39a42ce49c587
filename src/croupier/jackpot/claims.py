"""Claims: queued, put in order, and paid from the running meter (4.5, 1.20).

At one table the order is that of the deal, clockwise; across tables by the time at which each box
had its second Hole Card, as the House confirms before the first payment (B-08, B-09). Only a
percentage line is a major award (B-11).
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any

from croupier.jackpot.authority import manager
from croupier.jackpot.commands import PayClaims
from croupier.jackpot.events import ClaimsQueued, OrderSet, RoundOver, ToppedUp
from croupier.jackpot.later import noted_award, release, spend_reserve
from croupier.jackpot.meter import from_a_table, round_of
from croupier.jackpot.registered import came_in_since, register_of, registered_for
from croupier.jackpot.state import LAST_AWARDS, Award, Claim, LinkState, PaidAward
from croupier.rulebooks import Topic, Ways
from croupier.table import (
    ActorRank,
    AwardMade,
    BadCommand,
    Choice,
    Command,
    Decide,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
    ShareTooSmall,
    TakeClaims,
)

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

claims = Room("claims")

ORDER_OF_PAYMENT = "order of payment"

AT_ONE_TABLE: Ways[tuple[Topic, ...]] = Ways(
    "majors-at-one-table",
    {"clockwise": (Topic.MAJOR_ORDER_SAME_TABLE,), "cannot-happen": ()},
)
"""What the order of several winners at one table rests on, where there can be several."""


@claims.decides(TakeClaims, while_waiting=True)
def take_claims(link: JackpotLink, order: Order[TakeClaims]) -> None:
    command, state = order.command, link.state
    from_a_table(link, order, command.table)
    if not command.lines:
        link.emit(RoundOver(table=command.table, round=command.round))
        return
    last = state.rounds.get(command.table)
    for held in command.lines:
        if last is None or last.round != command.round or held.box not in last.boxes:
            raise BadCommand(f"no stake of box {held.box} of table {command.table!r} was taken")
        if not 0 < held.share <= 1:
            raise BadCommand(f"{held.percent}% is no share of a meter")
    named = {(command.table, held.box) for held in command.lines}
    if any((c.table, c.held.box) in named for c in state.claims):
        raise BadCommand(f"the claims of table {command.table!r} are queued already")
    link.emit(
        ClaimsQueued(
            table=command.table,
            round=command.round,
            lines=command.lines,
            at=order.when,
            cites=link.cite(*_order_topics(link, command.table, len(command.lines))),
        )
    )
    if state.settings.payment == "at once" and not state.waiting:
        _pay_all(link)


def _order_topics(link: JackpotLink, table: str = "", lines: int = 0) -> tuple[str, ...]:
    """What the order of payment rests on, with the lines that a table adds to the queue.

    Within a table it is one rule, across tables another, and both where a table with several
    winners shares the queue. A single winner needs no order.
    """
    counts = Counter(claim.table for claim in link.state.claims)
    counts[table] += lines
    winners = [count for count in counts.values() if count]
    topics: list[str] = []
    if max(winners, default=0) > 1:
        topics += link.by_book[AT_ONE_TABLE]
    if len(winners) > 1:
        topics.append(Topic.MAJOR_ORDER_ACROSS_TABLES)
    if sum(winners) > 1:
        topics.append(Topic.SEVERAL_MAJOR_WINNERS)
    return tuple(topic for topic in topics if link.book.has(topic))


@claims.applies(RoundOver)
def round_over(link: JackpotLink, event: RoundOver) -> None:
    round_of(link.state, event.table, event.round).over = True


@claims.applies(ClaimsQueued)
def claims_queued(link: JackpotLink, event: ClaimsQueued) -> None:
    state = link.state
    table, number, since = event.table, event.round, event.at
    state.claims += [
        Claim(table=table, round=number, held=held, since=since) for held in event.lines
    ]
    moment = link.by_book[ACROSS_TABLES]
    # Earliest hand first; at one table, where all are dealt in one go, clockwise.
    state.claims.sort(key=lambda claim: (moment(claim), claim.table, claim.held.box))
    round_of(state, event.table, event.round).over = True


def _second_hole_card(claim: Claim) -> datetime:
    """B-09: by 1.14 a Hand is the cards dealt to the player, so it is full with his second."""
    return claim.held.dealt


ACROSS_TABLES = Ways(
    "majors-across-tables",
    {"full-hand": _second_hole_card, "hole-cards": _second_hole_card},
)
"""The moment by which winners at several tables are put in order."""


# -- paying ---------------------------------------------------------------------------------------


@claims.decides(PayClaims)
def pay_claims(link: JackpotLink, order: Order[PayClaims]) -> None:
    state = link.state
    manager(link, order, "pays claims")
    if not state.claims:
        raise BadCommand("no claim is open")
    if len({claim.table for claim in state.claims}) == 1:
        _pay_all(link)
        return
    as_dealt = () if _tie(link) else (Choice(name="as dealt"),)
    link.ask(
        ORDER_OF_PAYMENT,
        f"In which order were these hands dealt? By the records: {_told(state.claims)}.",
        (*as_dealt, Choice(name="other order", asks={"order": "text"})),
        state.settings.house_rank,
        link.cite(*_order_topics(link)),
    )


def _tie(link: JackpotLink) -> bool:
    """Equal times at two tables go to the House (B-09)."""
    moment = link.by_book[ACROSS_TABLES]
    times = {(moment(c), c.table) for c in link.state.claims}
    return len({when for when, _ in times}) < len(times)


def _told(queue: list[Claim]) -> str:
    return ", ".join(claim.name for claim in queue)


def check_order(link: JackpotLink, asked: DecisionNeeded, answer: Decide) -> None:
    """An order must name every open claim once."""
    if asked.question != ORDER_OF_PAYMENT:
        return
    if answer.option == "other order":
        read_order(link.state, str(answer.details["order"]))
    elif _tie(link):
        # A claim has joined the queue since the question was asked.
        raise BadCommand("hands of two tables were dealt at the same time now; name the order")


def read_order(state: LinkState, text: str) -> list[Claim]:
    """Read an order such as `B/1 A/2 A/4`; with commas where a table has a name of two words."""
    by_name = {claim.name: claim for claim in state.claims}
    names = [name.strip() for name in text.split(",")]
    if sorted(names) != sorted(by_name):
        names = text.replace(",", " ").split()
    if sorted(names) != sorted(by_name):
        raise BadCommand(f"name every open claim once: {_told(state.claims)}; got {text!r}")
    order = [by_name[name] for name in names]
    for table in {claim.table for claim in order}:
        boxes = [claim.held.box for claim in order if claim.table == table]
        if boxes != [claim.held.box for claim in state.claims if claim.table == table]:
            raise BadCommand(f"at one table payment goes clockwise; table {table!r} does not")
    return order


@claims.answered(ORDER_OF_PAYMENT)
def order_confirmed(link: JackpotLink, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    state = link.state
    queue = list(state.claims)
    if taken.option == "other order":
        queue = read_order(state, str(taken.details["order"]))
    cites = link.cite(Topic.MAJOR_ORDER_ACROSS_TABLES)
    link.emit(OrderSet(order=tuple(claim.name for claim in queue), cites=cites))
    _pay_all(link)


@claims.applies(OrderSet)
def order_set(link: JackpotLink, event: OrderSet) -> None:
    by_name = {claim.name: claim for claim in link.state.claims}
    link.state.claims = [by_name[name] for name in event.order]


def _pay_all(link: JackpotLink) -> None:
    """Each in turn gets his share of what the display shows after the one before him."""
    state = link.state
    topics = _order_topics(link)
    while state.claims:
        _pay(link, state.claims[0], topics)
    release(link, link.now)


def would_pay(link: JackpotLink, when: datetime) -> list[tuple[Claim, int]]:
    """What each open claim would be paid now, in the order of the queue: asked of a copy."""
    copy = type(link).restore(link.book, link.snapshot())
    queue = list(copy.state.claims)
    if not queue:
        return []
    answer = copy.handle(_by_the_highest(PayClaims(), when))  # refused if the order is asked for
    for need in list(copy.state.waiting):
        order = {"order": ", ".join(claim.name for claim in queue)}
        decide = Decide(decision=need.decision, option="other order", details=order)
        answer = copy.handle(_by_the_highest(decide, when))
    assert isinstance(answer, tuple), answer
    settled = [event for event in answer if isinstance(event, AwardMade | ShareTooSmall)]
    return [
        (claim, event.paid if isinstance(event, AwardMade) else claim.held.instead_pays)
        for claim, event in zip(queue, settled, strict=True)
    ]


def _by_the_highest(command: Command, when: datetime) -> Order[Command]:
    return Order(command=command, who="", rank=ActorRank.SHIFT_MANAGER, when=when)


def half_up(amount: int, percent: Any) -> int:
    """A share of an amount, half a cent upwards (B-10)."""
    return int((2 * amount * percent.numerator + percent.denominator) // (2 * percent.denominator))


def _pay(link: JackpotLink, claim: Claim, topics: tuple[str, ...]) -> None:
    """His share of the meter, or of what was registered for his round before a fault (5.17.1).

    What the meter lacks for a share of a registered amount the House completes (B-64).
    """
    state, held = link.state, claim.held
    before, registered = state.meter, registered_for(state, claim)
    base = before if registered is None else registered
    paid = half_up(base, held.share)
    if held.instead is not None and held.instead_pays > paid:
        # B-19: where both lines are of one stake the larger is paid; the meter is left alone.
        link.emit(
            ShareTooSmall(
                link=state.name,
                table=claim.table,
                round=claim.round,
                box=held.box,
                line=held.line,
                instead=held.instead,
                share=paid,
                meter=base,
                cites=link.cite(Topic.JACKPOT_PAY_TABLE),
            )
        )
        return
    resets = resets_meter(state, claim)
    given = min(paid, before)
    # What came in since a fault is not part of the jackpot that was won, and stays.
    since = min(max(before - base, 0), came_in_since(state, claim))
    after = state.settings.reset_value + since if resets else before - given
    ceiling = state.settings.ceiling
    overflow = max(after - ceiling, 0) if resets and ceiling is not None else 0
    after -= overflow
    line = link.book.pay("progressive").line(held.line)
    own = (line.topic,) if line is not None else ()
    grown: tuple[str, ...] = (Topic.JACKPOT_RESET,) if resets else ()
    if registered is not None:
        grown = (Topic.JACKPOT_FAULT_SEEN, *grown)
    link.emit(
        AwardMade(
            link=state.name,
            table=claim.table,
            round=claim.round,
            box=held.box,
            line=held.line,
            paid=paid,
            meter_before=before,
            meter_after=after,
            registered=registered,
            completed=paid - given,
            overflow=overflow,
            cites=link.cite(*own, *topics, *grown, Topic.JACKPOT_PAY_TABLE),
        )
    )
    short = state.settings.reset_value - state.meter
    if short > 0 and state.policies["top-up-to-reset"] == "yes":
        link.emit(
            ToppedUp(
                amount=short,
                table=claim.table,
                round=claim.round,
                box=held.box,
                line=held.line,
                cites=link.cite(Topic.JACKPOT_RESET),
            )
        )


def resets_meter(state: LinkState, claim: Claim) -> bool:
    """Only the whole jackpot resets the meter, unless the policy resets it with any award."""
    return claim.held.share == 1 or state.policies["partial-award"] == "reset"


@claims.applies(AwardMade)
def award_made(link: JackpotLink, event: AwardMade) -> None:
    state = link.state
    claim = _take_claim(state, event.table, event.box, event.line)
    noted = _noted(state, claim, event)
    state.awarded += event.paid
    state.hits += 1
    left = event.meter_after + event.overflow
    state.put_in += left - event.meter_before + event.paid - noted.reserve
    state.overflow += event.overflow
    if resets_meter(state, claim):
        # The reserve pays for the next meter first; the House puts in the rest.
        if noted.reserve:
            spend_reserve(state, noted.reserve, noted.resets)
        paid_out = noted.revives
        state.revived = [e for e in state.epochs_in_the_meter() if e not in paid_out]
        state.resets += 1
        state.at_last_reset = event.meter_after
        state.contributions = state.partial_awards = state.reversals = 0
        state.corrections = state.topped_up = state.taken_back = 0
    else:
        state.partial_awards += event.paid
        state.topped_up += event.completed
    state.meter = state.display = event.meter_after
    state.display_at = None
    state.run_down(noted.register, noted.ran_down)
    round_of(state, event.table, event.round).awards.append(noted)
    award = Award(
        table=event.table,
        round=event.round,
        box=event.box,
        line=event.line,
        paid=event.paid,
        meter_before=event.meter_before,
        meter_after=event.meter_after,
    )
    state.awards = [*state.awards, award][-LAST_AWARDS:]


def _noted(state: LinkState, claim: Claim, event: AwardMade) -> PaidAward:
    """What the award takes from where; before it is applied."""
    number = register_of(state, claim)
    reset_value = state.settings.reset_value
    noted = PaidAward(
        table=event.table,
        round=event.round,
        box=event.box,
        line=event.line,
        paid=event.paid,
        moved=event.meter_before - event.meter_after - event.overflow,
        register=number,
    )
    base = registered_for(state, claim)
    if base is not None:
        noted.ran_down = event.paid
    if resets_meter(state, claim):
        noted.resets = state.resets + 1
        noted.reserve = min(state.reserve, reset_value)
        noted.revives = state.epochs_in_the_meter()
        if base is not None:
            noted.ran_down = base - reset_value
        if number is not None and event.meter_after + event.overflow > reset_value:
            since = state.registers[number].epoch
            noted.revives = [epoch for epoch in noted.revives if epoch < since]
    return noted


@claims.applies(ShareTooSmall)
def share_too_small(link: JackpotLink, event: ShareTooSmall) -> None:
    _take_claim(link.state, event.table, event.box, event.line)


def _take_claim(state: LinkState, table: str, box: int, line: str) -> Claim:
    found = next(
        c for c in state.claims if (c.table, c.held.box, c.held.line) == (table, box, line)
    )
    state.claims.remove(found)
    return found


@claims.applies(ToppedUp)
def topped_up(link: JackpotLink, event: ToppedUp) -> None:
    state = link.state
    state.meter += event.amount
    state.topped_up += event.amount
    state.put_in += event.amount
    state.display = state.meter
    award = noted_award(state, (event.table, event.round, event.box, event.line))
    if award is not None:
        award.moved -= event.amount  # If the award is taken back, so is this.
