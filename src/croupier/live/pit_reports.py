"""What can be reported at a table, ready to be touched, and what is read out there."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from croupier.live import pit_records as records
from croupier.live.citing import cited
from croupier.pit import report_words
from croupier.pit.registry import GAMES
from croupier.rulebooks.announcements import announcements_of
from croupier.table import ActorRank, Command, Order, Table
from croupier.table.reports import SAID, BySeat, OneOf, Reportable, Values, Words


def reports_of(table: Table[Any], when: datetime, rank: ActorRank) -> tuple[records.PitReport, ...]:
    """What can be true now, with what is usual in every field."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in table.whole.commands}
    found = [*table.reports(when=when, rank=rank), *_uncovered(table, when, rank)]
    return tuple(tile_of(each.public(), kinds[each.do]) for each in found)


def _uncovered(table: Table[Any], when: datetime, rank: ActorRank) -> Iterator[Reportable]:
    """What the book does not provide for, in a game that has a call for it and no report."""
    call = GAMES.port_of(table).uncovered(SAID)
    if type(call) in table.whole.reports:
        return
    order = Order(command=call, who=rank.value, rank=rank, when=when)
    if table.objection(order) is None:
        about = OneOf(("uncovered", "interpretation"))
        do = str(call.__struct_config__.tag)
        yield Reportable(do=do, fields={"says": Words(), "about": about})


def calls_of(table: Table[Any]) -> tuple[records.PitCall, ...]:
    """What is read out under the book of a table, what is due now first."""
    next_ = table.due() or table.next_call()
    due = str(next_.__struct_config__.tag) if next_ is not None else ""
    found = [
        records.PitCall(
            call=each.call,
            says=each.says,
            cites=cited(table.book, cites),
            due=bool(each.due) and each.due == due,
        )
        for each, cites in announcements_of(table.book)
    ]
    return tuple(sorted(found, key=lambda call: not call.due))


def tile_of(report: Reportable, kind: type[Command]) -> records.PitReport:
    fields = tuple(
        records.PitField(
            name=name,
            ask=_ask(report.do, name, values),
            values=values,
            usual=_usual(report.do, name, values),
        )
        for name, values in ((name, _once(name, each)) for name, each in report.fields.items())
    )
    return records.PitReport(
        do=report.do,
        title=report_words.title(report.do, report.fields),
        says=report_words.says(report.do, report.fields, inspect.getdoc(kind) or ""),
        fields=fields,
        command={"do": report.do, **{field.name: field.usual for field in fields}},
    )


def _once(name: str, values: Values) -> Values:
    """The last round once, which a command may also name by its number."""
    if name == "round" and isinstance(values, OneOf) and None in values.values:
        return OneOf((None,))
    return values


def _ask(do: str, name: str, values: Values) -> str:
    if isinstance(values, BySeat) and not values.least:
        return "Which further cards? Those that the table saw exposed count already."
    return report_words.ask(do, name)


def _usual(do: str, name: str, values: Values) -> Any:
    """What stands in a field before anybody has said anything."""
    usual = report_words.USUAL.get((do, name))
    if isinstance(values, OneOf):
        found = usual if usual is not None and values.holds(usual) else values.values[0]
    else:
        found = values.trial()
    return msgspec.to_builtins(found, str_keys=True)
