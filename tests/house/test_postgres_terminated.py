"""The server ends every connection of a busy House, again and again."""

import threading

from croupier.house.audit import verify
from croupier.house.errors import HouseError
from croupier.house.postgres import PostgresDatabase
from tests.house.casino import TABLES, Guests, stands_as_its_log
from tests.house.evening import furnish, open_casino

TIMES = 8


def test_a_busy_house_survives_the_end_of_all_its_connections(postgres_url):
    casino = open_casino(postgres_url)
    furnish(casino)
    house = casino.house
    over = threading.Event()
    rounds: dict[str, int] = {}
    strange: list[BaseException] = []

    def play(place: str, seed: int) -> None:
        guests = Guests(house, casino.dealer, place, seed)
        rounds[place] = 0
        while not over.is_set():
            try:
                was = guests.table.playing()
                guests.step()
                rounds[place] += was and not guests.table.playing()
            except HouseError:
                continue  # not stored: it never happened
            except BaseException as error:
                strange.append(error)
                return

    threads = [
        threading.Thread(target=play, args=(place, seed)) for seed, place in enumerate(TABLES)
    ]
    for thread in threads:
        thread.start()
    other = PostgresDatabase(postgres_url)
    for _ in range(TIMES):
        over.wait(0.3)
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    over.wait(0.5)
    over.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "somebody waits for ever"
    other.close()
    if strange:
        raise strange[0]
    house.writer.flush()
    house.reread_stale()
    stands_as_its_log(house)
    assert all(rounds.values()), rounds
    assert verify(house.reader).difference is None
    casino.close()
