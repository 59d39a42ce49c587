"""A real small evening through the casino: all five games, an office with staff, jackpots, a void.

Made once for each kind of database and copied for each test that spoils it.
"""

from __future__ import annotations

from pathlib import Path

from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.table import Look
from tests.house.casino import GUESTS, LINKS, MUCH, TABLES, Guests, is_poker, settings_of, sitting
from tests.house.seeded import Seeded

AREAS = {"P8": "poker room", "P5": "poker room"}


def open_casino(url: str, copy: Path | None = None, seed: int = 1) -> Casino:
    """The House of the evening, opened or opened again."""
    return Casino.open(
        url, password="the first password", copy=copy, source=Seeded(f"evening {seed}".encode())
    )


def furnish(casino: Casino) -> None:
    """Staff, tables on their links, and guests with money who sit down."""
    for name, role in (("Max", "pit manager"), ("Sam", "shift manager"), ("Cal", "cashier")):
        answer = casino.hire(
            name, role, f"{name}'s password", who="administrator", reason="opening"
        )  # type: ignore[arg-type]
        assert answer.refused is None
    for name in ("Max", "Sam"):
        role = casino.office.state.people[name].role
        assert role is not None
        casino.tell(orders.GoOnDuty(name=name, post=role, area="poker room"), who=name)
    for table, rulebook in TABLES.items():
        if table in LINKS:
            settings = {"reset_value": 5_000_000, "contribution": 100, "payment": "at once"}
            link = orders.AddLink(link=LINKS[table], rulebook=rulebook, settings=settings)
            assert casino.add_link(link).refused is None
        added = casino.add_table(
            orders.AddTable(
                table=table,
                rulebook=rulebook,
                settings=settings_of(table),
                link=LINKS.get(table, ""),
                area=AREAS.get(table, "main floor"),
            )
        )
        assert added.refused is None, added.refused
    for guest in GUESTS:
        casino.open_account(guest, f"{guest}'s password")
        casino.cash_in(guest, MUCH, who="Cal")
    for table in TABLES:
        for number, guest in zip((1, 3, 5), GUESTS, strict=True):
            rank = casino.rank_of(guest)
            sit = sitting(table, number, guest)
            answer = casino.house.give(table, sit, who=guest, rank=rank).result()
            assert answer.refused is None, answer.refused


def play(casino: Casino, rounds: int, seed: int = 1) -> None:
    """Some rounds at every table."""
    for number, table in enumerate(TABLES):
        Guests(casino.house, casino.dealer, table, seed * 100 + number).play(rounds)


def evening(url: str, copy: Path | None = None, rounds: int = 3) -> None:
    """An evening with a crash in it, closed as planned, every round over."""
    casino = open_casino(url, copy)
    furnish(casino)
    play(casino, rounds)
    casino.log_in("Ann", "Ann's password")
    for who in GUESTS:  # there are no cards to look at between two rounds
        look = casino.house.give("P8", Look(seat=1), who=who, rank=casino.rank_of(who))
        assert look.result().refused is not None
    begin_a_round(casino, "M3")
    casino.close()  # a crash, for all that the next start knows
    casino = open_casino(url, copy, seed=2)
    assert [r.outcome for r in casino.recovered] == ["void"]
    play(casino, 1, seed=2)
    casino.tell(orders.CashOut(player="Ann", amount=100_00), who="Cal")
    casino.stop()


def begin_a_round(casino: Casino, table: str) -> None:
    """Deal into a round of a banked game and stop before anybody decides."""
    assert not is_poker(table)
    guests = Guests(casino.house, casino.dealer, table, 77)
    while casino.table(table).status() != "first decision":
        assert guests.step() is not None
