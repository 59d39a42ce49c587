"""Two servers: what somebody does works whichever of them they are connected to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest
from msgspec import structs

from croupier.house.office.server_moves import MovePlace
from croupier.live.config import Config, ServersConfig
from croupier.live.demonstration import demonstration
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.house.quick import make_quick
from tests.live.accounts import CLOCKS
from tests.live.conftest import Client, Running, running, until

Two = tuple[Running, Running]
SLOW = structs.replace(CLOCKS, to_act=60)


def named(name: str) -> Config:
    whole = demonstration()
    tables = {n: structs.replace(whole.tables[n], bots=0) for n in ("Raffles", "Clarke")}
    return structs.replace(whole, servers=ServersConfig(name=name), tables=tables, links={})


def move(house: Running, place: str, server: str) -> None:
    moved = MovePlace(place=place, server=server, reason="to see it")
    assert house.casino.casino.tell(moved, who="administrator").refused is None


@pytest.fixture
def two(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Two]:  # noqa: F811
    """Raffles is run at the left, Clarke at the right."""
    make_quick(monkeypatch)
    with (
        running(tmp_path, named("left"), clocks=SLOW, database=postgres_url) as left,
        running(tmp_path, named("right"), clocks=SLOW, database=postgres_url) as right,
    ):
        move(left, "Raffles", "left")
        move(left, "Clarke", "right")
        until(lambda: set(left.casino.hubs) == {"Raffles"})
        until(lambda: set(right.casino.hubs) == {"Clarke"})
        yield left, right


def elsewhere(client: Client, house: Running) -> Client:
    """The same person at another server."""
    made = house.enter()
    made.jar, made.opener, made.name = client.jar, client.opener, client.name
    made.token = made.get("/api/me")["token"]
    return made


def refused(client: Client, path: str, body: object) -> str:
    with pytest.raises(HTTPError) as error:
        client.post(path, body)
    return error.value.read().decode()


def sits(client: Client, place: str, seat: int):
    table = client.at(place)
    answer = table.do(do="sit", seat=seat, player=client.name, stake=50_000)
    assert answer["is"] == "answer", answer
    return table


@pytest.mark.slow
def test_a_guests_name_is_one_persons_at_all_servers_and_free_at_all_once_it_was_left(two: Two):
    left, right = two
    ann = left.enter("Ann")
    at_right = elsewhere(ann, right)
    assert at_right.get("/api/me")["name"] == "Ann"
    sits(at_right, "Raffles", 1)  # which the left one runs
    assert "You still sit at Raffles" in refused(at_right, "/api/exit", {})
    stranger = right.enter()
    assert "Somebody here is called Ann" in refused(stranger, "/api/enter", {"name": "Ann"})
    again = elsewhere(ann, left)
    assert again.at("Raffles").do(do="leave", seat=1)["is"] == "answer"
    until(lambda: not left.casino.table("Raffles").taken_seats())
    again.post("/api/exit", {})  # at the left
    assert stranger.post("/api/enter", {"name": "Ann"})["name"] == "Ann"  # at the right
    assert elsewhere(stranger, left).get("/api/me")["name"] == "Ann"


@pytest.mark.slow
def test_a_guest_who_has_just_come_in_at_one_server_is_known_at_the_other(two: Two):
    """However long it takes until that hears of it by itself."""
    left, right = two
    deaf = left.casino.casino.follower
    assert deaf is not None
    deaf.close()
    ann = right.enter("Ann")
    assert elsewhere(ann, left).get("/api/me")["name"] == "Ann"
    ann.post("/api/exit", {})
    bob = right.enter("Ann")  # somebody else
    assert elsewhere(bob, left).get("/api/me")["name"] == "Ann"
    assert elsewhere(ann, left).get("/api/me")["name"] is None


@pytest.mark.slow
def test_my_hands_have_no_round_that_is_under_way_at_another_server(two: Two):
    left, right = two
    ann, ben = left.enter("Ann"), right.enter("Ben")
    sits(ann, "Raffles", 1), sits(ben, "Raffles", 2)
    table = left.casino.table("Raffles")
    until(table.playing)
    at_right = elsewhere(ann, right)
    until(lambda: right.casino.house.reader.head("Raffles").position > 8)
    assert at_right.get("/api/my-hands")["rounds"] == ann.get("/api/my-hands")["rounds"] == []


@pytest.mark.slow
def test_who_sat_at_a_table_before_it_was_moved_may_be_reported(two: Two):
    left, right = two
    ann, ben = left.enter("Ann"), right.enter("Ben")
    sits(ann, "Raffles", 1)
    at_table = sits(ben, "Raffles", 2)
    move(right, "Raffles", "right")
    until(lambda: "Raffles" in right.casino.hubs)
    at_table = ben.at("Raffles")
    at_table.do(do="leave", seat=2)
    move(right, "Raffles", "left")
    until(lambda: "Raffles" in left.casino.hubs)
    path, body = "/api/tables/Raffles/player-reports", {"player": "Ben", "says": "rude words"}
    told = elsewhere(ann, right).post(path, body)
    assert "looks at it" in told["says"]
    says = refused(elsewhere(ann, right), path, {"player": "Cho", "says": "rude words"})
    assert "Cho was not at this table lately" in says
