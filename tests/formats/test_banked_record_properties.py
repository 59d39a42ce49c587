"""Random play, errors and rulings at two tables on one link: every round recorded, adding up."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from croupier.banked.commands import UndoRuling
from croupier.formats.banked_record import read_record, write_record
from croupier.formats.banked_record_log import banked_records
from croupier.jackpot.commands import PayClaims
from croupier.pit import Pit, Said
from croupier.table import PUBLIC, ActorRank, Command, Event, Order, Refused
from tests.banked import test_properties, two_tables
from tests.banked.test_properties import tables
from tests.banked.two_tables import known_cards


class LoggingPit(Pit):
    """A pit that keeps what its tables say."""

    def __init__(self) -> None:
        super().__init__()
        self.logs: dict[str, list[Event]] = {}

    def give(self, place: str, order: Order[Command]) -> list[Said] | Refused:
        answer = super().give(place, order)
        for said in answer if isinstance(answer, list) else ():
            self.logs.setdefault(said.place, []).append(said.event)
        return answer


class Recorded(test_properties.Pit):
    """The evening of `tests.banked` with more play in it, written down when it is over."""

    @rule(name=tables, acts=st.integers(5, 25), data=st.data())
    def play_a_while(self, name: str, acts: int, data: st.DataObject) -> None:
        for _ in range(acts):
            self.play_on(name, data)

    @rule(name=tables)
    def somebody_takes_a_ruling_back(self, name: str) -> None:
        self.two.give(name, UndoRuling(reason="a mistake"), ActorRank.SHIFT_MANAGER)

    @rule()
    def claims_are_paid(self) -> None:
        self.two.give("main", PayClaims(), ActorRank.SHIFT_MANAGER)

    def teardown(self) -> None:
        if not hasattr(self, "two"):
            return
        for name, table in self.two.tables.items():
            log: list[Event] = self.two.pit.logs[name]  # type: ignore[attr-defined]
            records = list(banked_records(enumerate(log, 1), self.two.book))
            for record in records:
                assert read_record(write_record(record)) == record
            finished = table.state.round - table.playing()
            assert [record.round for record in records] == list(range(1, finished + 1))
            if records and not table.playing():
                # What the records say of all rounds is what the table has in its tray.
                assert sum(record.totals.house for record in records) == table.state.house
                meter = sum(record.totals.from_meter for record in records)
                assert meter == table.state.from_meter
                for who, net in table.state.net.items():
                    kept = table.state.safekeeping.get(who, 0)
                    assert sum(r.players.get(who, 0) for r in records) == net + kept
            for record in banked_records(enumerate(log, 1), self.two.book, PUBLIC):
                for box in record.boxes:
                    assert known_cards(box.cards) == known_cards(box.shown)


@pytest.fixture
def _logging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_tables, "Pit", LoggingPit)
    monkeypatch.setattr(two_tables.TwoTables, "check_offers", lambda self: None)


@pytest.mark.usefixtures("_logging")
@pytest.mark.parametrize("evenings", [8, pytest.param(100, marks=pytest.mark.slow)])
def test_whatever_happens_the_records_add_up_to_the_table(evenings: int) -> None:
    """A few evenings of any book; in the slow set a hundred."""
    how = settings(max_examples=evenings, stateful_step_count=30, deadline=None)
    run_state_machine_as_test(Recorded, settings=how)
