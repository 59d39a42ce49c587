"""One round as a story: who did what when, what came of it, under which paragraphs, which money."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.errors import HouseError, UnknownPlace
from croupier.house.openings import UnknownRound, round_of
from croupier.house.records import Row
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.store import Store
from croupier.pit.registry import GAMES
from croupier.pit.telling import told_to_auditor
from croupier.table import DecisionTaken, Event, Table
from croupier.table.event import Namer

Happened = tuple[Row, Event, str]
"""A row of the log, its event, and the event in words."""


class BadRoundId(HouseError):
    """A round is named as `TABLE#NUMBER`."""


class Told(Struct, kw_only=True):
    """One event of a round."""

    position: int
    at: str
    who: str
    rank: str
    event: str
    says: str
    cites: tuple[str, ...]


class Ruling(Struct, kw_only=True):
    """One judgement of a person."""

    question: str
    option: str
    who: str
    rank: str
    reason: str
    cites: tuple[str, ...]


class RoundStory(Struct, kw_only=True):
    """A round as the log has it."""

    table: str
    rulebook: str
    round: int
    begun: str
    ended: str
    over: bool
    told: list[Told]
    after: list[Told]
    """What happened at the table from the end of the round until the next one began."""
    rulings: list[Ruling]
    money: dict[str, int]
    """What each account gained or gave in the round."""
    paragraphs: dict[str, str]
    """Every cited paragraph in our own words."""


def read_round_id(text: str) -> tuple[str, int]:
    """Read `TABLE#NUMBER`."""
    table, mark, number = text.rpartition("#")
    if not mark or not table or not number.isdecimal() or int(number) < 1:
        raise BadRoundId(f"{text!r} is no round: write TABLE#NUMBER, such as Raffles#12")
    return table, int(number)


def tell_round(store: Store, place: str, number: int, *, with_open: bool = False) -> RoundStory:
    """Replay a table up to a round and tell it.

    It ends with the event after which nothing is played any more; the last such, since a ruling
    that is taken back opens a round again.
    """
    rows = store.rows(place)
    first = next(rows, None)
    if first is None:
        raise _no_table(store, place)
    table = conversation_of(place, first.event)
    if not isinstance(table, Table):
        raise _no_table(store, place)
    port = GAMES.port_of(table)
    told: list[Happened] = []
    ended = 0
    for row in held_rows(store, place):
        event = read_event(table, row)
        names = _names(table)
        was_playing = table.state.opened and table.playing()
        apply_event(table, row, event)
        names |= _names(table)
        at = round_of(table) if table.state.opened else 0
        if at > number:
            break
        if at == number:
            played = was_playing or table.playing()
            name = _namer(names)
            says = told_to_auditor(port, event, name) if played else event.tell(name)
            told.append((row, event, says))
            if was_playing and not table.playing():
                ended = len(told)
    if not told:
        raise UnknownRound(f"{place} has no round {number}; its last one is {round_of(table)}")
    over = round_of(table) > number or not table.playing()
    if not over and not with_open:
        raise UnknownRound(f"round {number} of {place} is not over; its cards stay closed")
    return _story(store, table, number, told[: ended or None], told[ended or len(told) :], over)


def _no_table(store: Store, place: str) -> UnknownPlace:
    """There is no such table; the tables that there are."""
    known = []
    for name in store.streams():
        first = next(store.rows(name, until=1), None)
        if first is not None and isinstance(conversation_of(name, first.event), Table):
            known.append(name)
    if not known:
        return UnknownPlace(f"there is no table {place!r}; no table was ever set up")
    tables = "the table is" if len(known) == 1 else "the tables are"
    return UnknownPlace(f"there is no table {place!r}; {tables} {', '.join(known)}")


def _namer(names: dict[int, str]) -> Namer:
    return lambda seat: names.get(seat, f"seat {seat}")


def _names(table: Table[Any]) -> dict[int, str]:
    if not table.state.opened:
        return {}
    return {n: f"{table.player_at(n)} ({n})" for n in table.taken_seats() if table.player_at(n)}


def _story(
    store: Store,
    table: Table[Any],
    number: int,
    told: list[Happened],
    after: list[Happened],
    over: bool,
) -> RoundStory:
    first, last = told[0][0], told[-1][0]
    # Entries stand at the last event of their command, which may lie behind the end of the round.
    until = max(row.position for row, *_ in told + after if row.command_id == last.command_id)
    money: dict[str, int] = {}
    for entry in store.entries(first.stream, after=first.position - 1):
        if entry.position > until:
            break
        money[entry.account] = money.get(entry.account, 0) + entry.amount
    cited = dict.fromkeys(cite for _, event, _ in told + after for cite in event.cites)
    book = table.book
    return RoundStory(
        table=first.stream,
        rulebook=book.id,
        round=number,
        begun=first.at,
        ended=last.at,
        over=over,
        told=[_told(*each) for each in told],
        after=[_told(*each) for each in after],
        rulings=[
            Ruling(
                question=event.question,
                option=event.option,
                who=event.who,
                rank=event.rank.value,
                reason=event.reason,
                cites=event.cites,
            )
            for _, event, _ in told
            if isinstance(event, DecisionTaken)
        ],
        money={account: amount for account, amount in sorted(money.items()) if amount},
        paragraphs={c: book.paragraphs[c].summary for c in cited if c in book.paragraphs},
    )


def _told(row: Row, event: Event, says: str) -> Told:
    return Told(
        position=row.position,
        at=row.at,
        who=row.who,
        rank=row.rank,
        event=str(type(event).__struct_config__.tag),
        says=says,
        cites=event.cites,
    )
