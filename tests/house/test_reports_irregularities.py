"""What a report counts as an irregularity, held against every case file of the package."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from croupier.banked import BankedTable
from croupier.banked import reports as banked
from croupier.banked.commands import CallForRuling
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from croupier.poker import PokerTable
from croupier.poker.irregularities import commands as poker
from croupier.table import Command, Order, Refused
from croupier.table.command import Command as AnyCommand

NO_ERROR = (
    banked.ReportWalkAway,
    banked.ReportJackpotRepaired,
    banked.ReportCardsGone,
    banked.ReportJackpotFault,
)
"""Reports of what is no error of a round: somebody leaves, the jackpot works again or not."""


def reports_in(module: Any) -> set[type[Command]]:
    return {
        kind
        for name, kind in vars(module).items()
        if name.startswith("Report") and name != "Report" and issubclass(kind, AnyCommand)
    }


@pytest.mark.parametrize(
    ("kind", "module", "books"),
    [
        (PokerTable, poker, ("no-limit-holdem-v8/5", "poker-v5/5")),
        (BankedTable, banked, ("multi-link-progressive-v3/5",)),
    ],
)
def test_every_report_of_the_cases_is_one_and_nothing_else_is(
    monkeypatch: pytest.MonkeyPatch, kind: Any, module: Any, books: tuple[str, ...]
):
    """Each section on irregularities is run; whatever staff report there is counted, once."""
    reports = reports_in(module)
    if kind is BankedTable:
        reports.add(CallForRuling)  # what poker calls an irregularity that the book leaves open
    found: Counter[type[Command]] = Counter()
    wrong: list[str] = []
    handle = kind.handle

    def watched(table: Any, order: Order[Any]) -> Any:
        answer = handle(table, order)
        command = order.command
        if not isinstance(answer, Refused) and not isinstance(command, NO_ERROR):
            is_report = type(command) in reports
            found[type(command)] += is_report
            asks_for_a_ruling = type(command).__name__ == "ReportWager"
            if GAMES.port_of(table).is_irregularity(answer) != is_report and not asks_for_a_ruling:
                wrong.append(f"{command.tell()}: {[type(e).__name__ for e in answer]}")
        return answer

    monkeypatch.setattr(kind, "handle", watched)
    for source, text in shipped_cases():
        if source.startswith(books):
            run_case(read_case(text, source, GAMES), GAMES)
    assert wrong == []
    assert {kind.__name__ for kind in reports - set(found) - set(NO_ERROR)} == set()
