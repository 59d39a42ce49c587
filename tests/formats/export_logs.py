"""Logs to export: of every case that is shipped, as the tables of the case told them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from croupier.pit import GAMES, CaseResult, read_case, run_case, shipped_cases
from croupier.rulebooks import Rulebook
from croupier.table import Event

Log = list[tuple[int, Event]]


def logs_of(result: CaseResult) -> dict[str, Log]:
    """What each table of a case said, with positions from 1."""
    logs: dict[str, Log] = {name: [] for name in result.case.tables}
    for played in result.played:
        for spoken in played.spoken:
            for said in spoken.answer if isinstance(spoken.answer, list) else ():
                if said.place in logs:
                    log = logs[said.place]
                    log.append((len(log) + 1, said.event))
    return logs


def log_of(text: str, table: str | None = None) -> tuple[Log, Rulebook]:
    """The log of one case, written down in a test."""
    case = read_case(text, "a test", GAMES)
    result = run_case(case, GAMES)
    assert result.passed, result.failures
    logs = logs_of(result)
    return logs[table or next(iter(logs))], case.book


@cache
def shipped(family: str) -> tuple[tuple[str, Rulebook, Log], ...]:
    """The logs of all shipped cases of a family: `poker` or `banked`."""
    return tuple(_shipped(family))


def _shipped(family: str) -> Iterator[tuple[str, Rulebook, Log]]:
    for source, text in shipped_cases():
        if GAMES.games[source.split("/")[0]].name != family:
            continue
        result = run_case(read_case(text, source, GAMES), GAMES)
        for log in logs_of(result).values():
            yield source, result.case.book, log
