"""Every shipped case, read and played once for all tests that look at what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from croupier.pit import GAMES, CaseResult, read_case, run_case, shipped_cases
from croupier.pit.batch import many_cases
from croupier.table import Event, Table


@cache
def shipped_results() -> dict[str, CaseResult]:
    """What came of each shipped case in its first book, with the other books in it."""
    with many_cases():
        return {
            source: run_case(read_case(text, source, GAMES), GAMES)
            for source, text in shipped_cases()
        }


def shipped_result(source: str) -> CaseResult:
    """What came of one shipped case: the others are not played for it."""
    return run_case(read_case(dict(shipped_cases())[source], source, GAMES), GAMES)


def not_again(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Have a module that runs shipped cases take those that were read and played before."""
    results, there = shipped_results(), import_module(module)
    monkeypatch.setattr(there, "read_case", lambda text, source, games: results[source].case)
    monkeypatch.setattr(there, "run_case", lambda case, games: results[case.source])


def tables_of(result: CaseResult) -> Iterator[tuple[str, Table[Any]]]:
    """The tables of a case after each of their events, each told by its place: replayed, so that
    whoever looks sees every moment."""
    made: dict[str, Table[Any]] = {}
    places = result.case.tables
    for answer in answers_of(result):
        for place, event in answer:
            if place in places:
                here = places[place]
                table = made.setdefault(place, here.game.table_type(here.book))
                table.apply(event)
                yield place, table


def answers_of(result: CaseResult) -> Iterator[list[tuple[str, Event]]]:
    """The events of every order of a case that was accepted, with where each happened."""
    for played in result.played:
        for spoken in played.spoken:
            if isinstance(spoken.answer, list):
                yield [(said.place, said.event) for said in spoken.answer]
