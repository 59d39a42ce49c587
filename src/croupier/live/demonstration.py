"""The demonstration: eight tables, one for each rulebook, a second one on each multi-link, and one
that is dealt by hand.

At the hand-dealt table bots act by their own devices, and the House deals while nobody is there to
do it (`croupier.live.stand_in`): a visitor who comes by the staff door may take its place. A book
that is superseded is opened knowingly and marked so. Everything is play money, on this machine.
"""

from __future__ import annotations

from typing import Any

from msgspec import structs

from croupier.house.config import LinkConfig, TableConfig
from croupier.live.config import STANDING_ORDERS, Config, ServerConfig, check
from croupier.live.keys import own_folder
from croupier.rulebooks import load
from croupier.table import read_money

STARTS = "2020-01-01T08:00:00+08:00"
"""From when the demonstration's operator states Progressive Texas Hold'em v6 to be in force."""

_HOLDEM: dict[str, Any] = {
    "layout": "A",
    "sign": True,
    "seats": 6,
    "blinds": [500, 1000],
    "minimum_stake": 20_000,
    "chips": [100, 500, 2500, 10_000, 50_000],
    "rake": {"percent": 5, "cap": 3_000},
}
_BANKED: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 7,
    "ante_minimum": 500,
    "ante_maximum": 50_000,
    "bonus_minimum": 500,
    "bonus_maximum": 50_000,
    "progressive": 500,
}


_BY_HAND: dict[str, Any] = {"dealing": "by-hand", "acting": "device"}


def demonstration(server: ServerConfig | None = None) -> Config:
    """The casino that a newcomer meets."""
    tables = {
        "Raffles": _poker("no-limit-holdem-v8", maximum_stake=100_000, straddle=True),
        "Clarke": _poker("poker-v5"),
        "Fullerton": _poker("no-limit-holdem-v8", maximum_stake=100_000, **_BY_HAND),
        "Orchard": _banked("progressive-texas-holdem-v6", "Orchard jackpot", effective=STARTS),
        "Marina-1": _banked("multi-link-progressive-v3", "Marina link"),
        "Marina-2": _banked("multi-link-progressive-v3", "Marina link", device="shuffler"),
        "Sentosa-1": _banked("multi-link-progressive-v2", "Sentosa link"),
        "Sentosa-2": _banked("multi-link-progressive-v2", "Sentosa link", device="shuffler"),
    }
    links = {
        "Orchard jackpot": _link("progressive-texas-holdem-v6", "18423.50"),
        "Marina link": _link("multi-link-progressive-v3", "42184.61"),
        "Sentosa link": _link("multi-link-progressive-v2", "27306"),
    }
    return check(
        Config(
            mode="demonstration",
            server=server or ServerConfig(),
            standing_orders=dict(STANDING_ORDERS),
            links=links,
            tables=tables,
        )
    )


def own_database() -> str:
    """The address of the demonstration's own database, in the home folder of whoever runs it."""
    return f"sqlite:///{own_folder('--database sqlite:///FILE') / 'demonstration.sqlite3'}"


def _poker(book: str, **more: Any) -> TableConfig:
    return _marked(TableConfig(rulebook=book, settings={**_HOLDEM, **more}, bots=4))


def _banked(book: str, link: str, **more: Any) -> TableConfig:
    return _marked(TableConfig(rulebook=book, settings={**_BANKED, **more}, link=link, bots=2))


def _marked(table: TableConfig) -> TableConfig:
    """A superseded book is opened knowingly, and says so at the table."""
    if load(table.rulebook).superseded_by is None:
        return table
    return structs.replace(table, settings={**table.settings, "opened_knowingly": True})


def _link(book: str, start: str) -> LinkConfig:
    terms = {
        "reset_value": read_money("10000"),
        "contribution": read_money(1),
        "start": read_money(start),
        "payment": "at once",
    }
    return LinkConfig(rulebook=book, settings=terms)
