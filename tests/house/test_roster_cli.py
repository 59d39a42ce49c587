"""`croupier office`: the roster, licences, PINs and clocks through the real command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.house.casino import Casino
from croupier.house.office import OfficeState
from croupier.house.table_staff import check_pin
from croupier.live.config import read_config
from croupier.live.errors import BadConfig
from tests.house.quick import make_quick
from tests.house.test_office_cli import CONFIG, Desk

BOX = """
[tables.M.clocks]
to_act = 25
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A House with a table in the main floor; Sam, Sue and Dan, of whom Sue is on duty."""
    make_quick(monkeypatch)
    made = Desk(tmp_path)
    made.told("init", "URL", "--administrator", "Ada")
    people = (("Sam", "shift manager"), ("Sue", "pit supervisor"), ("Dan", "dealer"))
    for name, role in (*people, ("Cal", "cashier")):
        made.told("staff", "add", "URL", name, role, "--as", "Ada", "--reason", "opening")
    made.told("apply", "URL", str(made.config), "--as", "Ada")
    made.told("staff", "duty", "URL", "Sue", "--as", "Sue")
    made.told("player", "open", "URL", "Ann", "--as", "Cal")
    return made


def state(desk: Desk) -> OfficeState:
    casino = Casino.open(desk.url, tables=())
    try:
        return casino.office.state
    finally:
        casino.stop()


def test_somebody_is_assigned_and_listed_and_unassigned(desk: Desk):
    why = ("--reason", "night shift")
    told = desk.told("staff", "assign", "URL", "Dan", "--table", "M", "--as", "Sam", *why)
    assert "Dan is assigned to table M" in told
    area = ("--area", "main floor", "--until", "2999-01-01T04:00")
    assert "area main floor" in desk.told(
        "staff", "assign", "URL", "Sue", *area, "--as", "Ada", *why
    )
    desk.told("staff", "assign", "URL", "Dan", "--floor", "--as", "Sam", *why)
    listed: Any = desk.json("staff", "roster", "URL", "--as", "Sue")
    dan = next(one for one in listed if one["name"] == "Dan")
    assert {number: one["table"] for number, one in dan["assignments"].items()} == {
        "1": "M",
        "3": "",
    }
    shown = desk.told("staff", "roster", "URL", "--as", "Sue")
    assert "table M" in shown
    assert "the floor" in shown
    assert "is ended" in desk.told("staff", "unassign", "URL", "1", "--as", "Sam", *why)
    assert sorted(state(desk).roster) == [2, 3]


def test_what_is_wrong_is_said_and_nothing_is_done(desk: Desk):
    why = ("--reason", "x")
    for where in ((), ("--table", "M", "--floor")):
        said = desk.run("staff", "assign", "URL", "Dan", *where, "--as", "Sam", *why)
        assert (said.exit_code, "--table NAME, --area NAME or --floor" in said.output) == (2, True)
    said = desk.run("staff", "assign", "URL", "Dan", "--table", "X", "--as", "Sam", *why)
    assert "no table 'X'; there is M" in str(said.output) + str(said.exception)
    assert "S-34" in desk.refused("staff", "assign", "URL", "Sue", "--floor", "--as", "Sue", *why)
    said = desk.run(
        "staff", "assign", "URL", "Dan", "--floor", "--until", "soon", "--as", "Sam", *why
    )
    assert said.exit_code == 2
    assert state(desk).roster == {}


def test_a_licence_is_put_on_record_and_looked_at(desk: Desk):
    why = ("--reason", "renewed")
    desk.told(
        "staff", "licence", "URL", "Dan", "SE-1", "--until", "2020-06-30", "--as", "Ada", *why
    )
    assert "ended on 2020-06-30" in desk.refused("staff", "duty", "URL", "Dan", "--as", "Dan")
    desk.told(
        "staff", "licence", "URL", "Dan", "SE-2", "--until", "2999-06-30", "--as", "Ada", *why
    )
    assert "on duty as dealer" in desk.told("staff", "duty", "URL", "Dan", "--as", "Dan")
    said = desk.run("staff", "licence", "URL", "Dan", "SE", "--until", "June", *why)
    assert said.exit_code == 2


def test_a_pin_is_set_and_is_the_players(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CROUPIER_NEW_PIN", "2580")
    told = desk.told("player", "pin", "URL", "Ann", "--as", "Cal", "--reason", "she asked")
    assert "Ann has a new PIN" in told
    casino = Casino.open(desk.url, tables=())
    check_pin(casino, "Ann", "2580", table="M", asked_by="Dan")
    casino.stop()
    monkeypatch.setenv("CROUPIER_NEW_PIN", "1234")
    said = desk.run("player", "pin", "URL", "Ann", "--as", "Cal", "--reason", "she asked")
    assert said.exit_code != 0
    assert "tried first" in str(said.output) + str(said.exception)


def test_a_table_has_clocks_of_its_own(desk: Desk):
    clocks = ("table", "clocks", "URL", "M")
    why = ("--as", "Sam", "--reason", "slow")
    assert "time_bank 60, to_act 30" in desk.told(*clocks, "to_act=30", "time_bank=60", *why)
    assert state(desk).places["M"].clocks == {"to_act": 30, "time_bank": 60}
    for wrong in ("patience=3", "to_act", "to_act=long"):
        said = desk.run(*clocks, wrong, *why)
        assert (said.exit_code, "clock" in said.output or "seconds" in said.output) == (2, True)
    assert "as everywhere" in desk.told(*clocks, *why)
    assert state(desk).places["M"].clocks == {}


def test_a_configuration_says_the_clocks_of_a_table(desk: Desk):
    desk.config.write_text(f"{CONFIG}{BOX}", encoding="utf-8")
    assert read_config(desk.config).tables["M"].clocks == {"to_act": 25}
    desk.config.write_text(f"{CONFIG}{BOX.replace('to_act', 'to_wait')}", encoding="utf-8")
    with pytest.raises(BadConfig, match=r"tables\.M\.clocks"):
        read_config(desk.config)
