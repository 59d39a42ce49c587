"""`croupier office table new` and `link new`: the first of its kind, without a file."""

from __future__ import annotations

import pytest

from croupier.cli.office_new import read_settings
from tests.house.test_office_cli import Desk, desk, founded

__all__ = ["desk", "founded"]

POKER = (
    *("--set", "layout=A", "--set", "sign=true", "--set", "seats=6", "--set", "blinds=[5, 10]"),
    *("--set", "minimum_stake=200", "--set", "maximum_stake=1000"),
    *("--set", "rake.percent=5", "--set", "rake.cap=30"),
)
BANKED = (
    *("--set", "layout=A", "--set", "ante_minimum=25", "--set", "ante_maximum=500"),
    *("--set", "bonus_minimum=5", "--set", "bonus_maximum=500", "--set", "progressive=2.50"),
)
BY = ("--as", "Ada", "--reason", "the first one")


def test_the_first_poker_table_the_first_link_and_the_first_banked_table(desk: Desk):
    desk.told("table", "new", "URL", "Raffles", "--rulebook", "v8", "--area", "pit 1", *POKER, *BY)
    link = ("--set", "reset_value=10000", "--set", "contribution=1")
    desk.told("link", "new", "URL", "Marina", "--rulebook", "v3", *link, *BY)
    hangs = ("--rulebook", "v3", "--link", "Marina")
    desk.told("table", "new", "URL", "Marina-1", *hangs, *BANKED, *BY)
    listed = {line["name"]: line["record"] for line in desk.json("table", "list", "URL", *BY[:2])}
    assert listed["Raffles"]["rulebook"] == "no-limit-holdem-v8"
    assert listed["Raffles"]["area"] == "pit 1"
    assert listed["Raffles"]["settings"]["blinds"] == [500, 1000], "in cents"
    assert listed["Raffles"]["settings"]["rake"]["cap"] == 3000
    assert listed["Marina-1"]["settings"]["progressive"] == 250
    assert listed["Marina-1"]["link"] == "Marina"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--set", "blind=[5, 10]"), "blind"),
        (("--set", "blinds=[5, 10.001]"), "blinds"),
        (("--set", "seats"), "write KEY=VALUE"),
        (("--set", "seats=6", "--set", "seats=7"), "each setting is said once"),
        (("--policy", "x"), "write NAME=VALUE"),
    ],
)
def test_what_is_said_wrongly_is_named(desk: Desk, words: tuple[str, ...], says: str):
    result = desk.run("table", "new", "URL", "Raffles", "--rulebook", "v8", *words, *BY)
    assert result.exit_code != 0
    assert says in f"{result.output}{result.exception}"
    assert "Traceback" not in result.output


def test_a_table_without_its_link_is_asked_for_it(desk: Desk):
    result = desk.run("table", "new", "URL", "M", "--rulebook", "v3", *BANKED, *BY)
    assert "needs a jackpot link" in f"{result.output}{result.exception}"


def test_settings_are_read_as_a_file_has_them():
    said = ("layout=A", "rake.percent=2.5", "rake.cap=30", "blinds=[5, 10]", "sign=true")
    assert read_settings(said) == {
        "layout": "A",
        "rake": {"percent": 2.5, "cap": 30},
        "blinds": [5, 10],
        "sign": True,
    }
