"""The network is cut, without a word to anybody: between a server and the database, and between two
servers. Nobody closes a connection, and yet no table is away for longer than ten seconds."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.house.audit import verify
from croupier.house.postgres import PostgresDatabase
from croupier.house.store import Store
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.conftest import Client
from tests.live.several import Several, sum_of, wait
from tests.live.test_postgres import LIKES, Seat, play
from tests.live.test_servers import seen
from tests.relay import Relay

AWAY_AT_MOST = 10.0


def through(url: str) -> tuple[Relay, str]:
    """A relay before the database, and the address by which it is reached through that."""
    parts = urlsplit(url)
    folder = parse_qs(parts.query).get("host", [""])[0]
    to: tuple[str, int] | str = (parts.hostname or "127.0.0.1", parts.port or 5432)
    if folder:
        to = f"{folder}/.s.PGSQL.{parts.port or 5432}"
    relay = Relay(to)
    person = parts.netloc.rpartition("@")[0]
    netloc = f"{person}@127.0.0.1:{relay.port}" if person else f"127.0.0.1:{relay.port}"
    return relay, urlunsplit(parts._replace(netloc=netloc, query=""))


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as made:
        return int(made.getsockname()[1])


@pytest.fixture
def relays() -> Iterator[list[Relay]]:
    """Closed once the servers have stopped."""
    made: list[Relay] = []
    yield made
    for each in made:
        each.close()


@pytest.fixture
def house(tmp_path: Path, postgres_url: str, relays: list[Relay]) -> Iterator[Several]:  # noqa: F811
    made = Several(tmp_path, postgres_url, 2)
    yield made
    made.stop()


def spread(house: Several) -> None:
    """Each of two servers has its half."""
    wait(lambda: max(house.counts().values()) == 2 and sum_of(house) == 4, 20)


@pytest.mark.slow
def test_a_server_that_is_cut_off_from_the_database_shows_nothing_and_is_not_missed(
    house: Several,
    relays: list[Relay],
    postgres_url: str,  # noqa: F811
):
    relay, url = through(postgres_url)
    relays.append(relay)
    left, right = house.start("left", database=url), house.start("right")
    spread(house)
    ann, ben = Client(left, "Ann"), Client(right, "Ben")
    mine = left.health()["runs"]
    poker = next(place for place in mine if place != "Bank")
    seats = [Seat(ann, poker), Seat(ben, poker)]
    play(seats, lambda seat: seat.view.get("round", 0) >= 1, *LIKES)
    relay.cut()
    took = wait(lambda: set(mine) <= set(right.health()["runs"]), AWAY_AT_MOST)
    assert took < AWAY_AT_MOST
    again = seen(Seat(ben, poker))
    assert again.view["yours"]
    with suppress(ConnectionClosed):  # whoever is at the other one still is told nothing
        for number in range(5):
            seats[0].give(f"late-{number}", do="leave", seat=1)
    relay.mend()
    wait(lambda: left.health().get("status") == "ok" and left.health()["tables"] == 2, 30)
    database = PostgresDatabase(postgres_url)
    assert database.execute("SELECT 1 FROM orders WHERE command_id LIKE '%late-%'") == []
    assert verify(Store(database)).difference is None
    database.close()


@pytest.mark.slow
def test_whoever_comes_through_a_server_that_does_not_reach_the_other_comes_back(
    house: Several, relays: list[Relay]
):
    """The tables stay where they are: both reach the database."""
    port = free_port()
    relay = Relay(("127.0.0.1", port))
    relays.append(relay)
    told = f'\n[servers]\nlisten = "127.0.0.1:{port}"\naddress = "127.0.0.1:{relay.port}"\n'
    left, right = house.start("left", config=told), house.start("right", far_away=True)
    spread(house)
    place = next(place for place in left.health()["runs"] if place != "Bank")
    ben = Client(right, "Ben")
    seat = seen(Seat(ben, place))  # at the right, through the relay
    relay.cut()

    def is_over() -> bool:
        try:
            seat.hear()
        except ConnectionClosed:
            return True
        return False

    took = wait(is_over, AWAY_AT_MOST)
    assert took < AWAY_AT_MOST
    assert place in left.health()["runs"]
    relay.mend()
    assert seen(Seat(ben, place)).view
