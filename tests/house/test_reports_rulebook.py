"""A link goes on under another version: the meter is carried over, the tables follow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.banked import commands as banked
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.reports import report_jackpots
from croupier.house.rulebook_change import CannotChange, approve, propose
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.jackpot import JackpotLink
from croupier.jackpot.state import Posting, TableRound
from croupier.table import ActorRank, BadCommand
from tests.house.quick import make_quick
from tests.house.test_ledger import BANKED, V3

V2 = "multi-link-progressive-v2"
SETTINGS = {"reset_value": 100_000, "contribution": 150, "start": 123_456}
KNOWINGLY = {**BANKED, "opened_knowingly": True}


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    make_quick(monkeypatch)
    return f"sqlite:///{tmp_path}/house.db"


@pytest.fixture
def casino(url: str) -> Iterator[Casino]:
    made = Casino.open(url)
    for name in ("Sam", "Max"):
        made.hire(name, "shift manager", None, who="administrator", reason="opening")
        made.tell(orders.GoOnDuty(name=name, post="shift manager"), who=name)
    made.add_link(orders.AddLink(link="L", rulebook=V2, settings=SETTINGS))
    for table in ("A", "B"):
        adding = orders.AddTable(
            table=table, rulebook=V2, settings=KNOWINGLY, link="L", area="main floor"
        )
        assert made.add_table(adding).refused is None
    made.open_account("Ann")
    made.cash_in("Ann", 100_000)
    yield made
    made.close()


def give(casino: Casino, place: str, command: object, who: str = "Ann") -> None:
    answer = casino.house.give(place, command, who=who, rank=ActorRank.PLAYER).result()  # type: ignore[arg-type]
    assert answer.refused is None, answer.refused


def test_the_meter_is_carried_over_and_the_tables_follow(casino: Casino, url: str):
    number = propose(casino, "L", V3, who="Sam", reason="the new version")
    approve(casino, "L", number, who="Max", tables={"A": "A3", "B": "B3"})
    [link] = report_jackpots(casino.house.reader)
    assert (link.rulebook, link.meter, link.status) == (V3, 123_456, "open")
    assert link.tables == ("A3", "B3")
    assert casino.house.balance("link/L/meter") == 123_456
    record = casino.office.state.places["A3"]
    assert (record.rulebook, record.follows, record.area) == (V3, "A", "main floor")
    assert casino.office.state.places["A"].closed
    casino.stop()
    again = Casino.open(url)
    assert set(again.house.pit.tables) == {"A3", "B3"}
    give(again, "A3", banked.Sit(box=1, player="Ann", chips=20_000))
    again.stop()
    store = Store(open_database(url))
    assert verify(store).difference is None
    store.close()


def test_the_second_person_is_another_one(casino: Casino):
    number = propose(casino, "L", V3, who="Sam", reason="the new version")
    with pytest.raises((BadCommand, CannotChange), match="second person"):
        approve(casino, "L", number, who="Sam", tables={})
    assert casino.office.state.places["L"].rulebook == V2


def test_nobody_is_left_behind_with_his_chips(casino: Casino):
    give(casino, "A", banked.Sit(box=1, player="Ann", chips=20_000))
    with pytest.raises(CannotChange, match="Ann still has chips"):
        propose(casino, "L", V3, who="Sam", reason="the new version")
    casino.house.give("A", banked.CallForBets(), who="house", rank=ActorRank.HOUSE).result()
    with pytest.raises(CannotChange, match="round under way"):
        propose(casino, "L", V3, who="Sam", reason="the new version")
    assert not casino.office.state.places["A"].closed, "nothing was done yet"
    assert not casino.office.state.places["B"].closed


def stands(casino: Casino) -> tuple[object, ...]:
    """What a change that cannot be made must leave as it is."""
    casino.house.writer.flush()
    places = {name: (r.closed, r.rulebook) for name, r in casino.office.state.places.items()}
    return places, casino.conversation("L").snapshot(), casino.house.reader.heads()


@pytest.mark.parametrize(
    ("who", "says"),
    [("Pia", "takes a shift manager"), ("Ria", "Pit Manager"), ("Ann", "no member of staff")],
)
def test_who_may_not_do_all_of_it_does_none_of_it(casino: Casino, who: str, says: str):
    """A pit manager may propose and not close tables; who is off duty has no rank at the link."""
    casino.hire("Pia", "pit manager", None, who="administrator", reason="opening")
    casino.tell(orders.GoOnDuty(name="Pia", post="pit manager"), who="Pia")
    casino.hire("Ria", "shift manager", None, who="administrator", reason="opening")
    before = stands(casino)
    with pytest.raises(CannotChange, match=says):
        propose(casino, "L", V3, who=who, reason="the new version")
    assert stands(casino) == before
    number = propose(casino, "L", V3, who="Sam", reason="the new version")
    before = stands(casino)
    with pytest.raises(CannotChange, match=says):
        approve(casino, "L", number, who=who, tables={"A": "A3"})
    assert stands(casino) == before


def test_a_later_act_that_would_be_refused_stops_the_first(casino: Casino):
    """A could be taken off the link, B not: then A stays, too."""
    link = casino.conversation("L")
    assert isinstance(link, JackpotLink)
    link.state.rounds["B"] = TableRound(round=1, boxes={1: Posting()})
    before = stands(casino)
    with pytest.raises(CannotChange, match="'B' has a round with jackpot stakes"):
        propose(casino, "L", V3, who="Sam", reason="the new version")
    assert stands(casino) == before


def test_a_table_that_could_not_follow_stops_the_approval(casino: Casino):
    number = propose(casino, "L", V3, who="Sam", reason="the new version")
    before = stands(casino)
    with pytest.raises(CannotChange, match="'B' is taken"):
        approve(casino, "L", number, who="Max", tables={"A": "B"})
    casino.office.state.places["A"].settings["layout"] = "Z"
    with pytest.raises(CannotChange, match="would not open"):
        approve(casino, "L", number, who="Max", tables={"A": "A3"})
    with pytest.raises(CannotChange, match="no proposal 7"):
        approve(casino, "L", 7, who="Max", tables={})
    assert stands(casino) == before


def test_a_change_that_was_cut_off_goes_on_where_it_stopped(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
):
    class PowerCut(Exception):
        """Nothing more happens."""

    def cut(*_: object, **__: object) -> None:
        raise PowerCut

    number = propose(casino, "L", V3, who="Sam", reason="the new version")
    with monkeypatch.context() as dark:
        dark.setattr(casino, "add_table", cut)
        with pytest.raises(PowerCut):
            approve(casino, "L", number, who="Max", tables={"A": "A3", "B": "B3"})
    assert casino.office.state.places["L"].rulebook == V3, "noted with the approval itself"
    approve(casino, "L", number, who="Max", tables={"A": "A3", "B": "B3"})
    [link] = report_jackpots(casino.house.reader)
    assert (link.rulebook, link.meter, link.tables) == (V3, 123_456, ("A3", "B3"))
    before = stands(casino)
    approve(casino, "L", number, who="Max", tables={"A": "A3", "B": "B3"})
    assert stands(casino) == before, "once more changes nothing"


def test_a_table_is_off_the_link_and_closed_by_one_command(casino: Casino):
    propose(casino, "L", V3, who="Sam", reason="the new version")
    casino.house.writer.flush()
    reader = casino.house.reader
    closed = {row.command_id for row in reader.rows("office") if b"table closed" in row.event}
    removed = {row.command_id for row in reader.rows("L") if b"table removed" in row.event}
    assert len(closed) == 2
    assert closed == removed


@pytest.mark.parametrize("book", [V2, "poker-v5"])
def test_it_is_another_book_with_a_jackpot(casino: Casino, book: str):
    with pytest.raises(CannotChange, match="not another book"):
        propose(casino, "L", book, who="Sam", reason="x")


def test_only_closed_tables_of_the_link_are_followed(casino: Casino):
    number = propose(casino, "L", V3, who="Sam", reason="the new version")
    with pytest.raises(CannotChange, match="no closed table"):
        approve(casino, "L", number, who="Max", tables={"C": "C3"})
    with pytest.raises(CannotChange, match="no jackpot link"):
        propose(casino, "office", V3, who="Sam", reason="x")


def test_only_the_software_notes_the_book_of_a_link(casino: Casino):
    answer = casino.tell(orders.NoteRulebook(link="L", rulebook=V3), who="Sam")
    assert answer.refused is not None
    assert casino.tell(orders.NoteRulebook(link="L", rulebook=V2)).refused is not None
    with pytest.raises(BadCommand, match="no link"):
        casino.tell(orders.NoteRulebook(link="A", rulebook=V3))
