"""Who only watches is told later, by the server: by sockets, the lobby, past rounds, replays."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.answers import Answer
from croupier.live.config import Config, WatchersConfig, check
from croupier.live.demonstration import demonstration
from croupier.live.errors import BadConfig
from croupier.pit.registry import GAMES
from tests.live.conftest import AtTable, Client, Running, running, until
from tests.live.crowd import Evening, play

DELAY = 1.2
TURN = 0.05
"""Less than that is no fault: the clock of a loop may stand still for a turn of it (uvloop)."""
OF_A_ROUND = ("replay", "proofs", "export/phh", "equities?step=0", "shuffles")


def delayed(seconds: float = DELAY, **tables: float) -> Config:
    return structs.replace(
        demonstration(), watchers=WatchersConfig(delay=seconds, tables=dict(tables))
    )


class Stopwatch:
    """When each position of a table was told to its players, or a moment before."""

    def __init__(self, house: Running, place: str, patch: pytest.MonkeyPatch) -> None:
        self.told: dict[int, float] = {}
        hub = house.casino.hubs[place]
        tells = hub.stored

        def stored(answer: Answer) -> None:
            at = time.monotonic()
            tells(answer)
            self.told.setdefault(hub.told, at)

        patch.setattr(hub, "stored", stored)

    def of(self, position: int) -> float:
        """When players were told so far, or further."""
        return min((at for p, at in self.told.items() if p >= position), default=0.0)


def listens(table: AtTable, heard: list[tuple[float, dict[str, Any]]]) -> None:
    """Note everything that comes, with its time, until the line is cut."""
    try:
        while True:
            message = json.loads(table.socket.recv(timeout=30))
            heard.append((time.monotonic(), message))
    except Exception:
        return


def refused(client: Client, path: str) -> int:
    with pytest.raises(urllib.error.HTTPError) as answer:
        client.get(path)
    with answer.value:
        return answer.value.code


def newest(house: Running, client: Client, place: str) -> int:
    """The newest position that anything tells this visitor of."""
    rounds = client.get(f"/api/tables/{place}/rounds")["rounds"]
    found = [each["last"] for each in rounds]
    for each in rounds[:1]:
        path = f"/api/tables/{place}/rounds/{each['round']}"
        found += [event["position"] for event in client.get(path)["events"]]
    return max(found, default=0)


def test_a_watcher_is_told_later_and_nothing_tells_it_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, delayed(), tables=("Raffles",)) as house:
        watch = Stopwatch(house, "Raffles", monkeypatch)
        rail = house.enter()
        assert rail.get("/api/tables/Raffles/view")["view"]["round"] == 0, "nobody has played yet"
        heard: list[tuple[float, dict[str, Any]]] = []
        line = rail.at("Raffles")
        thread = threading.Thread(target=listens, args=(line, heard), daemon=True)
        thread.start()
        play(house, ["Raffles"], rounds=3, players=2)
        table = house.casino.table("Raffles")
        number = GAMES.port_of(table).round_number(table)
        last = number - 1 if table.playing() else number
        known = newest(house, rail, "Raffles")
        assert not known or watch.of(known) <= time.monotonic() - DELAY
        summary = rail.get("/api/lobby")["tables"][0]
        assert (summary["delay"], summary["round"] <= number) == (DELAY, True)
        assert all(each["stake"] is None for each in summary["players"])
        for path in OF_A_ROUND:
            assert refused(rail, f"/api/tables/Raffles/rounds/{last}/{path}") == 404, path
        until(lambda: _is_there(rail, f"/api/tables/Raffles/rounds/{last}/replay"))
        line.close()
        thread.join(5)
    hello, *messages = [message for _, message in heard]
    assert (hello["is"], hello["delay"]) == ("hello", DELAY)
    assert any(message["is"] == "events" for message in messages)
    for at, message in heard:
        if message["is"] in ("events", "view") and message["position"] in watch.told:
            assert at >= watch.told[message["position"]] + DELAY - TURN
    positions = [e["position"] for m in messages for e in m.get("events", ())]
    assert positions == sorted(set(positions)), "nothing lost, nothing twice"


def test_nothing_is_known_of_what_is_younger_than_the_delay(tmp_path: Path):
    with running(tmp_path, delayed(600), tables=("Raffles",)) as house:
        rail = house.enter()
        play(house, ["Raffles"], rounds=2)  # of two, one may be out of chips in the first
        root = "/api/tables/Raffles"
        assert rail.get(f"{root}/rounds")["rounds"] == []
        summary = rail.get("/api/lobby")["tables"][0]
        assert summary["round"] == 0
        assert summary["status"] == house.enter().get(f"{root}/view")["view"]["status"]
        assert rail.get(f"{root}/view")["view"]["round"] == 0
        wanted = ("shuffle", "rounds/1", *(f"rounds/1/{each}" for each in OF_A_ROUND))
        for path in wanted:
            assert refused(rail, f"{root}/{path}") == 404, path

        # As if watchers had been told everything, a moment ago: the round is not over for them.
        held_back = house.casino.watchers._delayed["Raffles"]
        for _, kind, _, message in tuple(held_back._queue):
            held_back._note(kind, message)
        for path in OF_A_ROUND:
            assert refused(rail, f"{root}/rounds/1/{path}") == 404, path
    with running(tmp_path, delayed(600), tables=("Raffles",)) as house:
        assert refused(house.enter(), f"{root}/view") == 404, "a start tells nothing sooner"


def _is_there(client: Client, path: str) -> bool:
    try:
        client.get(path)
    except urllib.error.HTTPError as error:
        error.close()
        return False
    return True


def test_who_sits_down_sees_the_table_as_it_is_and_who_leaves_does_not(tmp_path: Path):
    with running(tmp_path, delayed(0.6), tables=("Raffles",)) as house:
        ann = house.enter("Ann").at("Raffles")
        assert ann.next()["delay"] == 0.6
        sat = ann.do(do="sit", seat=1, player="Ann", stake=20_000)
        assert sat["is"] == "answer"
        hello, view = ann.heard[-3:-1]
        assert (hello["is"], hello["delay"]) == ("hello", 0)
        assert view["position"] >= sat["positions"][-1]
        assert view["view"]["yours"] == [1]
        gone = ann.do(do="leave", seat=1)
        assert gone["is"] == "answer"
        assert [m["delay"] for m in ann.heard if m["is"] == "hello"] == [0.6, 0, 0.6]
        seen = gone["positions"][-1]
        bob = house.enter("Bob").at("Raffles")
        assert bob.do(do="sit", seat=2, player="Bob", stake=20_000)["is"] == "answer"
        begun = time.monotonic()
        told = next(m for m in iter(ann.next, None) if m.get("position", 0) > seen)
        assert time.monotonic() - begun > 0.4
        assert told["view"]["seats"].keys() == {"2"}
        mine = house.enter()
        assert mine.at("Raffles").next()["delay"] == 0.6
        until(lambda: house.casino.watchers.count("Raffles") == 2)


def test_a_delay_at_a_table_that_is_not_there_is_an_error():
    with pytest.raises(BadConfig, match="there is no table 'Nowhere'"):
        check(delayed(0, Nowhere=3.0))


@pytest.mark.slow
def test_no_watcher_is_ever_sent_a_card_that_was_not_shown(tmp_path: Path):
    """Every byte of every socket is read by an oracle, while players come and go."""
    places = ["Raffles", "Clarke", "Orchard", "Marina-2", "Sentosa-1"]
    with running(tmp_path, delayed(0.3)) as house:
        evening: Evening = play(house, places, rounds=8, players=3, seconds=300)
        assert house.casino.metrics.faults.value() == 0
        time.sleep(1.5)
        for place, crowd in evening.crowds.items():
            guest = crowd[-1]
            assert guest.reader.messages > 0, place
            for each in guest.client.get(f"/api/tables/{place}/rounds")["rounds"][:3]:
                path = f"{house.url}/api/tables/{place}/rounds/{each['round']}"
                with guest.client.opener.open(path) as answer:
                    guest.reader.read(answer.read().decode())
            assert guest.seen == sorted(set(guest.seen)), place
