"""A gaming day balances to the cent after every command, verifies, and its report is the ledger's.

All five games, every irregularity that a book can have, faults, rulings and jackpots that are won;
`tests/house/gaming_day.py` plays it, from one seed.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from croupier.house.audit import verify
from croupier.house.reports import GamingDay, report_day
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.rulebooks import load
from tests.house.gaming_day import (
    BOOKS,
    LINKS,
    LUCKY,
    MORNING,
    OF_A_LINK,
    TABLES,
    Day,
    irregularities,
)
from tests.house.lucky_secrets import SECRETS, deck_of, is_lucky

TODAY = GamingDay(day=date(2026, 11, 16))


def play_the_day(day: Day, rounds: int, *, whole: bool = False) -> None:
    """Half a day, a crash, the other half, and every round to its end."""
    day.play(rounds // 2)
    day.crash()
    day.play(rounds, until=day.is_complete if whole else lambda: not day.all_missing())
    day.finish_rounds()


def check_what_was_stored(day: Day, url: str, copy: Path) -> None:
    """Nothing but the stored rows: audited, and reported, they say what the casino held."""
    rounds, played = day.rounds(), {name: day.played(name) for name in TABLES}
    balances = dict(day.books.balances)
    meters = {name: day.links[name].link.state.meter for name in LINKS}
    hits = {name: day.links[name].link.state.hits for name in LINKS}
    day.close()
    store = Store(open_database(url))
    assert {a: b for a, b in store.balances().items() if b} == {
        a: b for a, b in balances.items() if b
    }
    found = verify(store, copy)
    assert found.differences == []
    assert found.decided == found.orders == found.commands  # every order was given again
    assert found.commands >= day.books.commands > 5 * sum(rounds.values())
    check_report(store, balances, played, meters, hits)
    store.close()
    assert sum(hits.values()) > 0, "no jackpot was won"
    assert all(rounds[book] for book in BOOKS)


def dealt_rounds(store: Store, place: str) -> int:
    """In how many rounds of a table cards were dealt, by its log."""
    number, found = 0, set()
    for row in store.rows(place):
        event = json.loads(row.event)
        if event["event"] in ("blinds called", "bets called"):
            number = event["round"]
        elif event["event"] in ("hole cards dealt", "community dealt"):
            found.add(number)
    return len(found)


def check_report(
    store: Store,
    balances: dict[str, int],
    played: dict[str, int],
    meters: dict[str, int],
    hits: dict[str, int],
) -> None:
    report = report_day(store, TODAY)

    def held(root: str) -> int:
        return sum(amount for account, amount in balances.items() if account.startswith(root))

    dealt = {name: dealt_rounds(store, name) for name in played}
    assert {table.table: table.rounds for table in report.tables} == dealt
    assert [name for name in played if dealt[name] > played[name]] == []
    for table in report.tables:
        root = f"table/{table.table}/"
        assert table.rake == held(f"{root}rake")
        assert table.win == held(f"{root}bank")
        assert table.unclaimed == held(f"{root}safekeeping/")
        # What players brought and links paid lies there, or is the House's by now; so do chips
        # that came with players from other tables.
        places = table.positions.values()
        came = table.relocated
        assert came == sum(place.relocated for place in places)
        assert table.buy_in + came - table.cash_out + table.from_jackpot == held(root)
        assert sum(place.buy_in for place in places) == table.buy_in
        assert sum(place.cash_out for place in places) == table.cash_out
        chips = held(f"{root}chips/")
        won = sum(place.won - place.wagered for place in places)
        assert table.buy_in + came - table.cash_out + won == chips
    assert report.rake == sum(v for a, v in balances.items() if a.endswith("/rake"))
    assert {each.link: each.meter_end for each in report.jackpots} == meters
    assert {each.link: each.hits for each in report.jackpots} == hits
    for each in report.jackpots:
        assert each.meter_start == 0
        assert each.put_in - each.awarded == held(f"link/{each.link}/")
    assert sum(j.awarded for j in report.jackpots) == sum(t.from_jackpot for t in report.tables)
    cage = report.cage
    assert cage.cash_in - cage.cash_out + cage.bank == -balances["cash"]
    assert {person.name for person in report.staff} >= {"Dan", "Sam", "Max"}
    assert sum(person.voids for person in report.staff) <= sum(t.voids for t in report.tables)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3])
def test_a_short_day_with_every_irregularity(sqlite_url: str, tmp_path: Path, seed: int):
    """In the normal set there is a shorter one, on a server, with those that chance brings."""
    day = Day(sqlite_url, seed, copy=tmp_path / "copy", trouble=0.1)
    play_the_day(day, 30)
    assert not day.all_missing()
    check_what_was_stored(day, sqlite_url, tmp_path / "copy")


@pytest.mark.slow
def test_a_short_day_on_a_server(postgres_url: str, tmp_path: Path):
    day = Day(postgres_url, 6, copy=tmp_path / "copy", trouble=0.06)
    day.play(10)
    day.crash()
    day.play(15, until=lambda: any(day.links[name].link.state.hits for name in LINKS))
    day.finish_rounds()
    check_what_was_stored(day, postgres_url, tmp_path / "copy")


@pytest.mark.slow
def test_ten_thousand_rounds(sqlite_url: str, tmp_path: Path):
    day = Day(sqlite_url, 7, copy=tmp_path / "copy", trouble=0.04)
    play_the_day(day, 2_000, whole=True)
    rounds = day.rounds()
    assert sum(rounds.values()) >= 10_000
    assert min(rounds.values()) >= 1_000
    assert not day.all_missing()
    assert not day.uncited()
    assert all(day.links[name].link.state.hits for name in LINKS)
    paid = {name: day.given[name, "PayClaims"] for name in LINKS}
    assert sum(paid.values()) > 10, f"hardly a claim was paid by a person: {paid}"
    assert (day.now - MORNING).days == 0
    check_what_was_stored(day, sqlite_url, tmp_path / "copy")


def check_decided_again(day: Day, url: str, copy: Path, orders: int) -> None:
    """A jackpot was won with honest decks and paid by a person; by one process and by two, every
    order comes to what is stored."""
    assert not day.all_missing()
    link = TABLES[LUCKY][1]
    assert day.links[link].link.state.hits, "no jackpot was won"
    assert day.given[link, "PayClaims"], "no claim was paid by a person"
    day.close()
    store = Store(open_database(url))
    for workers in (1, 2):
        found = verify(store, copy, workers=workers)
        assert found.differences == []
        assert found.decided == found.orders == found.commands > orders
    store.close()


@pytest.mark.slow
def test_ten_thousand_rounds_decided_again(sqlite_url: str, tmp_path: Path):
    """The same with decks as secrets make them, so that other processes too can make them again.
    What is paid from the jackpot was won with a secret that the test has chosen."""
    day = Day(sqlite_url, 8, copy=tmp_path / "copy", trouble=0.04, stacked=False)
    play_the_day(day, 2_000)
    rounds = day.rounds()
    assert sum(rounds.values()) >= 10_000
    assert min(rounds.values()) >= 2_000
    check_decided_again(day, sqlite_url, tmp_path / "copy", orders=100_000)


@pytest.mark.slow
def test_a_thousand_rounds_on_a_server_decided_again(postgres_url: str, tmp_path: Path):
    day = Day(postgres_url, 8, copy=tmp_path / "copy", trouble=0.06, stacked=False)
    play_the_day(day, 200)
    assert min(day.rounds().values()) >= 200
    check_decided_again(day, postgres_url, tmp_path / "copy", orders=10_000)


def test_a_chosen_secret_makes_a_deck_that_wins():
    for boxes, secrets in SECRETS.items():
        assert len(set(secrets)) == len(secrets) > 5
        for secret in secrets:
            assert is_lucky(deck_of(bytes.fromhex(secret)), boxes)


@pytest.mark.slow
def test_a_thousand_rounds_on_a_server(postgres_url: str, tmp_path: Path):
    day = Day(postgres_url, 11, copy=tmp_path / "copy", trouble=0.06)
    play_the_day(day, 200)
    assert min(day.rounds().values()) >= 200
    assert not day.all_missing()
    check_what_was_stored(day, postgres_url, tmp_path / "copy")


def test_no_report_of_the_rooms_is_forgotten():
    """The list of irregularities is made from the rooms: every report command is in it."""
    for book in BOOKS:
        reports = {name for name in _commands_of(book) if name.startswith("Report")}
        assert reports <= irregularities(book), reports - irregularities(book)
    assert {"ReportLinkFault", "PayClaims", "Reconcile"} <= {kind.__name__ for kind in OF_A_LINK}


def _commands_of(book: str) -> set[str]:
    from croupier.pit.registry import GAMES

    return {kind.__name__ for kind in GAMES.games[load(book).id].table_type.whole.commands}
