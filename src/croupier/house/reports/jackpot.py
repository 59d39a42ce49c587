"""The report of the jackpots: every meter, the parameters, what is open, and the last awards
(standards 10, 11).

Made from the logs alone, as far as they go: one link after another, so memory does not grow.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.store import Store
from croupier.jackpot import JackpotLink, shown_at, would_pay
from croupier.jackpot.state import Award
from croupier.table import DecisionNeeded, Table


class OpenClaim(Struct, frozen=True, kw_only=True):
    """A claim that waits to be paid."""

    order: int
    """Its place in the order of payment, the first is 1."""
    table: str
    round: int
    box: int
    player: str
    line: str
    percent: str
    amount: int
    """What it would be paid now, in this order, in cents."""
    since: str
    """When it was raised, or when its hand was dealt where that is not known."""
    dealt: str = ""
    """When its hand was full: what the order of payment goes by across tables."""


class Waiting(Struct, frozen=True, kw_only=True):
    """A change of a link that waits for a second person."""

    proposal: int
    kind: str
    change: dict[str, Any]
    proposed_by: str
    reason: str


class Asked(Struct, frozen=True, kw_only=True):
    """A question that a link waits for an answer to."""

    decision: int
    question: str
    says: str
    options: tuple[str, ...]


class JackpotReport(Struct, frozen=True, kw_only=True):
    """One link as it stands. All amounts are cents."""

    link: str
    rulebook: str
    tables: tuple[str, ...]
    status: str
    """`open`, `closed`, `failed` or `terminated`."""
    meter: int
    display: int
    """What the display shows at the moment of the report."""
    base: int
    """The reset value."""
    ceiling: int | None
    contribution: int | None
    """What each accepted stake adds; nothing where it is a rate."""
    contribution_rate: str | None
    """The same in percent of the stake."""
    reserve_rate: str
    """The hidden part of each contribution, in percent."""
    unreasonable: int | None
    """A contribution of one table in one round above this is set aside, and the link fails."""
    overflow: int
    reserve: int
    parked: int
    doubtful: int
    contributed: int
    """What stakes have added since the link was opened."""
    hits: int
    awarded: int
    resets: int
    proposals: int
    """Changes that wait for a second person."""
    last_awards: tuple[Award, ...]
    """The last 25, oldest first."""
    open_claims: tuple[OpenClaim, ...] = ()
    """Those that wait to be paid, in the order of payment."""
    questions: tuple[Asked, ...] = ()
    changes: tuple[Waiting, ...] = ()
    """What was proposed and waits for a second person."""


def report_jackpots(store: Store) -> list[JackpotReport]:
    """Every link of the House, by name."""
    found = []
    for place in sorted(store.streams()):
        first = next(store.rows(place), None)
        link = conversation_of(place, first.event) if first is not None else None
        if isinstance(link, JackpotLink):
            for row in held_rows(store, place):
                apply_event(link, row, read_event(link, row))
            found.append(_report(place, link, lambda table: _table(store, table)))
    return found


def _table(store: Store, name: str) -> Table[Any] | None:
    """A table as its log has it; asked for where a claim is open, which is seldom."""
    first = next(store.rows(name), None)
    table = conversation_of(name, first.event) if first is not None else None
    if not isinstance(table, Table):
        return None
    for row in held_rows(store, name):
        apply_event(table, row, read_event(table, row))
    return table


def open_claims(
    link: JackpotLink, table: Callable[[str], Table[Any] | None], when: datetime
) -> tuple[OpenClaim, ...]:
    """The claims of a link that wait to be paid, in the order of payment."""
    found = []
    for number, (claim, amount) in enumerate(would_pay(link, when), start=1):
        at = table(claim.table)
        held = claim.held
        found.append(
            OpenClaim(
                order=number,
                table=claim.table,
                round=claim.round,
                box=held.box,
                player=(at.player_at(held.box) if at is not None else None) or "",
                line=held.line,
                percent=held.percent,
                amount=amount,
                since=(claim.since or held.dealt).astimezone(UTC).isoformat(timespec="seconds"),
                dealt=held.dealt.astimezone(UTC).isoformat(timespec="milliseconds"),
            )
        )
    return tuple(found)


def questions_of(link: JackpotLink) -> tuple[Asked, ...]:
    """What a link asks the House."""
    return tuple(
        Asked(
            decision=need.decision,
            question=need.question,
            says=need.says,
            options=tuple(option.name for option in need.options),
        )
        for need in link.state.waiting
        if isinstance(need, DecisionNeeded)
    )


def changes_of(link: JackpotLink) -> tuple[Waiting, ...]:
    """What was proposed for a link and waits for a second person."""
    return tuple(
        Waiting(
            proposal=number,
            kind=proposal.kind,
            change=proposal.change,
            proposed_by=proposal.who,
            reason=proposal.reason,
        )
        for number, proposal in sorted(link.state.proposals.items())
    )


def _report(
    place: str, link: JackpotLink, table: Callable[[str], Table[Any] | None]
) -> JackpotReport:
    state, now = link.state, datetime.now(UTC)
    return JackpotReport(
        link=place,
        rulebook=state.rulebook or link.book.id,
        tables=tuple(state.tables),
        status=_status(link),
        meter=state.meter,
        display=shown_at(state, now),
        base=state.settings.reset_value,
        ceiling=state.settings.ceiling,
        contribution=state.settings.contribution,
        contribution_rate=state.settings.contribution_rate,
        reserve_rate=state.settings.reserve_rate,
        unreasonable=state.settings.unreasonable,
        overflow=state.overflow,
        reserve=state.reserve,
        parked=state.parked,
        doubtful=state.doubtful,
        contributed=state.contributed,
        hits=state.hits,
        awarded=state.awarded,
        resets=state.resets,
        proposals=len(state.proposals),
        last_awards=tuple(state.awards),
        open_claims=open_claims(link, table, now),
        questions=questions_of(link),
        changes=changes_of(link),
    )


def _status(link: JackpotLink) -> str:
    """Open claims are listed by themselves; the link takes stakes meanwhile."""
    status = link.status()
    return "open" if status == "claims" else status
