"""A configuration: what it would change on the floor, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.house.casino import Casino
from croupier.house.config import LinkConfig, TableConfig, apply, changes
from croupier.house.founding import office_in
from croupier.house.office import commands as orders
from tests.house.quick import make_quick
from tests.house.test_ledger import BANKED, POKER, V3

LINK = LinkConfig(rulebook=V3, settings={"reset_value": 100_000, "contribution": 150})
BANKED_TABLE = TableConfig(rulebook=V3, settings=BANKED, link="L", area="main floor")
POKER_TABLE = TableConfig(rulebook="no-limit-holdem-v8", settings=POKER)
LINKS = {"L": LINK}
TABLES = {"M": BANKED_TABLE, "P": POKER_TABLE}


@pytest.fixture
def casino(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Casino]:
    make_quick(monkeypatch)
    made = Casino.open(f"sqlite:///{tmp_path}/house.db")
    made.hire("Sam", "shift manager", None, who="administrator", reason="opening")
    yield made
    made.stop()


def told(casino: Casino, links: dict = LINKS, tables: dict = TABLES) -> dict[str, str]:
    return {change.place: change.what for change in changes(casino.office.state, links, tables)}


def test_links_come_before_the_tables_that_hang_on_them(casino: Casino):
    assert list(told(casino)) == ["L", "M", "P"]
    assert set(told(casino).values()) == {"add"}


def test_applied_twice_it_changes_nothing(casino: Casino):
    done = apply(casino, LINKS, TABLES, who="Sam")
    assert [each.done for each in done] == [True, True, True]
    assert casino.office.state.places["M"].area == "main floor"
    assert set(casino.house.pit.tables) == {"M", "P"}
    head = casino.house.reader.head("office")
    assert apply(casino, LINKS, TABLES, who="Sam") == []
    assert casino.house.reader.head("office") == head


def test_every_change_is_somebodys(casino: Casino):
    apply(casino, LINKS, TABLES, who="Sam")
    rows = [row for row in casino.house.reader.rows("office") if b"added" in row.event]
    assert {row.who for row in rows} == {"Sam"}
    assert len(rows) == 3


def test_who_may_not_is_told_so_and_nothing_is_there(casino: Casino):
    casino.hire("Cal", "cashier", None, who="administrator", reason="opening")
    done = apply(casino, LINKS, {"P": POKER_TABLE}, who="Cal")
    assert [(each.done, each.cites) for each in done] == [(False, ("S-34",))] * 2
    assert not casino.office.state.places


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (
            {"settings": {**BANKED, "ante_maximum": 20_000}},
            "ante_maximum is 100, the file says 200",
        ),
        ({"settings": {**BANKED, "device": "shuffler"}}, 'device is "shoe", the file says "shuff'),
        ({"area": "upstairs"}, 'area is "main floor", the file says "upstairs"'),
        ({"rulebook": "multi-link-progressive-v2"}, f'rulebook is "{V3}"'),
        ({"policies": {"void-contribution": "keep"}}, "policies.void-contribution is"),
    ],
)
def test_what_stands_is_named_where_it_differs_and_is_not_changed(
    casino: Casino, changed: dict, says: str
):
    apply(casino, LINKS, TABLES, who="Sam")
    from msgspec import structs

    other = structs.replace(BANKED_TABLE, **changed)
    [change] = changes(casino.office.state, LINKS, {**TABLES, "M": other})
    assert (change.place, change.what, change.command) == ("M", "differs", None)
    assert says in change.says
    [done] = apply(casino, LINKS, {**TABLES, "M": other}, who="Sam")
    assert not done.done
    assert casino.office.state.places["M"].settings["ante_maximum"] == 10_000


def test_defaults_that_the_file_leaves_out_are_no_difference(casino: Casino):
    apply(casino, LINKS, TABLES, who="Sam")
    from msgspec import structs

    said = structs.replace(BANKED_TABLE, settings={**BANKED, "layout_boxes": 7, "device": "shoe"})
    assert told(casino, tables={**TABLES, "M": said}) == {}


def test_what_the_file_does_not_name_is_left_alone_and_said(casino: Casino):
    apply(casino, LINKS, TABLES, who="Sam")
    assert told(casino, tables={"M": BANKED_TABLE}) == {"P": "not in the file"}
    casino.tell(orders.CloseTable(table="P", reason="moved"), who="Sam")
    assert told(casino, tables={"M": BANKED_TABLE}) == {}
    assert told(casino) == {"P": "differs"}, "a closed table is not opened again by a file"


SERVED = """
[tables.H1]
rulebook = "no-limit-holdem-v8"
settings = { layout = "A", sign = true, blinds = [5, 10], minimum_stake = 200, maximum_stake = 1000, rake = { percent = 5, cap = 30 } }
"""  # noqa: E501
"""The poker table of docs/serve.md."""


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("blinds", "blinds", None),
        ("blinds = [5, 10]", "blinds = [10, 20]", "blinds is [5, 10], the file says [10, 20]"),
        ("cap = 30", "cap = 2.50", "rake.cap is 30, the file says 2.50"),
        ("percent = 5", "percent = 4", "rake.percent is 5, the file says 4"),
        ("sign = true, ", "sign = true, straddle = true, ", "is false, the file says true"),
        (
            "maximum_stake = 1000, ",
            "",
            "maximum_stake is 1,000, the file leaves it out, which means not set",
        ),
    ],
)
def test_a_file_that_was_read_again_differs_in_nothing_but_what_was_changed(
    casino: Casino, tmp_path: Path, before: str, after: str, says: str | None
):
    from croupier.live.config import read_config

    file = tmp_path / "casino.toml"
    file.write_text(SERVED, encoding="utf-8")
    apply(casino, {}, read_config(file).tables, who="Sam")
    stored = office_in(casino.house.reader).state
    file.write_text(SERVED.replace(before, after), encoding="utf-8")
    found = changes(stored, {}, read_config(file).tables)
    assert [change.what for change in found] == (["differs"] if says else [])
    assert says is None or found[0].says.endswith(says)
