"""Authority ends when it ends: session, account, rank and duty are looked at on every command."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.own_limits import SESSION
from croupier.jackpot.commands import CloseLink
from croupier.live.errors import NotAllowed
from croupier.live.visits import COOKIE
from croupier.poker.commands import Sit
from croupier.table import Command
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.accounts import log_in, money_house, stands
from tests.live.conftest import AtTable, Client, Running, running, until

NEW = "another password altogether"
DISMISSED = 4401


@pytest.fixture(autouse=True)
def nobody_looks_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """What closes a socket here is what has happened, not the look that comes once in a while."""
    monkeypatch.setattr("croupier.live.authority.EVERY", float("inf"))


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    with money_house(tmp_path, url) as opened:
        yield opened


@pytest.fixture
def on_file(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as opened:
        yield opened


def closed(table: AtTable) -> tuple[str, int]:
    """Read to the end: the code of the farewell, and that of the close."""
    with suppress(ConnectionClosed):
        while True:
            table.next(timeout=5)
    said = [m["code"] for m in table.heard if m["is"] == "bye"]
    return (said[-1] if said else "", table.socket.protocol.close_code or 0)


def visitor(client: Client, house: Running) -> Any:
    """The visitor as a socket of his holds him."""
    [cookie] = [c.value for c in client.jar if c.name == COOKIE]
    return house.casino.identity.visitor(cookie)


def refused_outright(house: Running, held: Any, place: str, command: Command) -> str:
    """Give a command as an old socket would; the code of the error."""
    with pytest.raises(NotAllowed) as error:
        house.casino.give(held, place, command, "an-old-socket")
    return error.value.code


def office(house: Running) -> Casino:
    return house.casino.casino


def fails(call: Any) -> tuple[int, dict[str, Any]]:
    with pytest.raises(urllib.error.HTTPError) as answer:
        call()
    with answer.value:
        return answer.value.code, json.load(answer.value)


def test_who_logs_out_is_out_on_every_socket(house: Running):
    ann = log_in(house, "Ann")
    held, cookie = visitor(ann, house), ann.cookie
    sockets = [ann.at("Raffles"), ann.at("M1")]
    ann.post("/api/exit", {})
    for table in sockets:
        assert closed(table) == ("logged out", DISMISSED)
    sits = Sit(seat=1, player="Ann", stake=50_000)
    assert refused_outright(house, held, "Raffles", sits) == "logged out"
    thief = house.enter()
    thief.opener.addheaders = [("Cookie", cookie)]
    body = {"id": "an-old-cookie", "command": {"do": "sit", "seat": 1, "player": "Ann", "stake": 1}}
    assert fails(lambda: thief.post("/api/tables/Raffles/commands", body))[0] == 403
    assert office(house).table("Raffles").taken_seats() == []


def test_an_order_is_on_record_with_the_session_and_post_by_which_it_was_given(on_file: Running):
    """A player's at a table, a manager's at a link: accepted or refused."""
    casino = office(on_file)
    ann, max_ = (visitor(log_in(on_file, name), on_file) for name in ("Ann", "Max"))
    sits = Sit(seat=1, player="Ann", stake=50_000)
    assert on_file.casino.give(ann, "Raffles", sits, "a-1").result(10).refused is None
    assert on_file.casino.give(ann, "Raffles", sits, "a-2").result(10).refused is not None
    assert on_file.casino.give(max_, "Marina", CloseLink(), "m-1").result(10).refused is None
    casino.house.writer.refused.write()
    stored = {(o.place, o.who): o for o in casino.house.reader.orders()}
    his = json.loads(stored["Marina", "Max"].authority)
    assert (his["session"], his["duty"]) == (max_.session, casino.office.state.duty["Max"].post)
    assert json.loads(stored["Raffles", "Ann"].authority) == {"session": ann.session}
    [refused] = casino.house.reader.refused()
    assert (refused.who, json.loads(refused.authority)) == ("Ann", {"session": ann.session})


REVOKED: dict[str, Callable[[Casino], object]] = {
    "disabled": lambda casino: casino.tell(
        orders.DisablePerson(name="Max", reason="dismissed"), who="administrator"
    ),
    "off duty": lambda casino: casino.tell(orders.GoOffDuty(name="Max"), who="Max"),
    "taken off": lambda casino: casino.tell(
        orders.GoOffDuty(name="Max", reason="x"), who="administrator"
    ),
    "another role": lambda casino: casino.tell(
        orders.ChangeRole(name="Max", role="dealer", reason="x"), who="administrator"
    ),
    "a lower post": lambda casino: casino.tell(
        orders.GoOnDuty(name="Max", post="dealer"), who="Max"
    ),
    "another password": lambda casino: casino.set_password("Max", NEW, who="Max"),
}
KEEPS_SESSION = {"off duty", "taken off", "another role", "a lower post"}


@pytest.mark.parametrize("how", REVOKED)
def test_a_manager_who_is_none_any_more_orders_nothing(on_file: Running, how: str):
    client = log_in(on_file, "Max")
    held = visitor(client, on_file)
    table = client.at("M1")
    table.until("view")
    answer = REVOKED[how](office(on_file))
    assert answer.refused is None  # type: ignore[attr-defined]
    code = "off duty" if how in KEEPS_SESSION else "logged out"
    assert closed(table) == (code, DISMISSED)
    if how in KEEPS_SESSION:
        said = on_file.casino.give(held, "Marina", CloseLink(), "an-old-socket").result()
        assert said.refused is not None, "he speaks in the rank that he has now"
        again = client.at("M1")
        again.until("view")
    else:
        assert refused_outright(on_file, held, "Marina", CloseLink()) == "logged out"
    assert not on_file.casino.house.pit.links["Marina"].state.closed


def test_a_promotion_closes_nothing_and_counts_at_once(on_file: Running):
    client = log_in(on_file, "Sue")
    table = client.at("M1")
    acting = orders.GoOnDuty(name="Sue", post="pit manager", reason="Max is ill")
    assert office(on_file).tell(acting, who="Max").refused is None
    table.send({"id": "close-it-now", "place": "Marina", "command": {"do": "close link"}})
    assert table.until("answer", id="close-it-now")["told"]


def test_a_session_ends_by_time(on_file: Running):
    client = log_in(on_file, "Ann")
    held = visitor(client, on_file)
    table = client.at("Raffles")
    casino = on_file.casino
    now = casino.house.clock
    casino.house.clock = lambda: now() + SESSION + timedelta(seconds=1)
    sits = Sit(seat=1, player="Ann", stake=50_000)
    assert refused_outright(on_file, held, "Raffles", sits) == "logged out"
    answer = table.do(do="sit", seat=1, player="Ann", stake=50_000)
    assert answer["code"] == "logged out"
    assert closed(table) == ("logged out", DISMISSED)


def test_the_sweep_closes_what_ended_by_time(on_file: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("croupier.live.authority.EVERY", 0.0)
    table = log_in(on_file, "Ann").at("Raffles")
    now = on_file.casino.house.clock
    on_file.casino.house.clock = lambda: now() + SESSION + timedelta(seconds=1)
    assert closed(table) == ("logged out", DISMISSED)


def test_being_ready_is_looked_at_too(on_file: Running):
    client = log_in(on_file, "Ann")
    held = visitor(client, on_file)
    client.post("/api/exit", {})
    with pytest.raises(NotAllowed) as error:
        on_file.casino.set_ready(held, "M1")
    assert error.value.code == "logged out"


def test_the_other_sockets_stay_open(on_file: Running):
    ann, bob = log_in(on_file, "Ann"), log_in(on_file, "Bob").at("Raffles")
    second = log_in(on_file, "Ann").at("Raffles")
    spectator = on_file.enter().at("Raffles")
    ann.post("/api/exit", {})
    for table in (bob, second, spectator):
        table.send({"ping": 1})
        assert table.until("pong")["ping"] == 1
    assert second.do(do="sit", seat=1, player="Ann", stake=50_000)["is"] == "answer"


def test_a_disabled_player_finishes_and_leaves_but_begins_nothing(on_file: Running):
    """His session stays, so that he can finish his round and leave with his chips (S-29)."""
    ann = log_in(on_file, "Ann").at("M1")
    assert ann.do(do="sit", box=1, player="Ann", chips=50_000)["is"] == "answer"
    stands(ann, "bets open")
    disabled = orders.DisablePerson(name="Ann", reason="at his own wish")
    assert office(on_file).tell(disabled, who="Sue").refused is None
    answer = ann.do(do="place ante", box=1, amount=1_000)
    assert (answer["is"], answer["cites"][0]["paragraph"]) == ("refused", "S-29")
    assert ann.do(do="leave", player="Ann")["is"] == "answer"


def test_a_table_goes_on_when_an_emergency_stop_is_over(on_file: Running):
    """Nothing happens at the table itself meanwhile: no log grows, and nobody comes or goes."""
    casino, raffles = office(on_file), on_file.casino.schedulers["Raffles"]
    for seat, name in enumerate(("Ann", "Bob"), 1):
        table = log_in(on_file, name).at("Raffles")
        assert table.do(do="sit", seat=seat, player=name, stake=50_000)["is"] == "answer"
    stop, go_on = orders.Disable(reason="smoke"), orders.Enable(reason="aired")
    assert casino.tell(stop, who="administrator").refused is None
    until(lambda: raffles._refused_at is not None)
    rounds = raffles.table.state.rounds
    assert casino.tell(go_on, who="administrator").refused is None
    until(lambda: raffles.table.state.rounds > rounds)


# -- by another process ---------------------------------------------------------------------------


def elsewhere(url: str) -> Casino:
    """Another process of the same House that runs no table, such as the office."""
    return Casino.open(url, tables=[])


@pytest.fixture
def on_server(tmp_path: Path, postgres_url: str) -> Iterator[Running]:  # noqa: F811
    with money_house(tmp_path, postgres_url) as opened:
        yield opened


def test_a_dismissal_by_another_process_is_noticed_at_the_next_command(on_server: Running):
    """Also where nobody has been woken: the command itself makes sure."""
    client = log_in(on_server, "Max")
    held = visitor(client, on_server)
    casino = office(on_server)
    assert casino.follower is not None
    casino.follower.close()
    other = elsewhere(on_server.casino.config.server.database)
    told = other.tell(orders.DisablePerson(name="Max", reason="x"), who="administrator")
    assert told.refused is None
    assert refused_outright(on_server, held, "Marina", CloseLink()) == "logged out"
    mia = visitor(log_in(on_server, "Mia"), on_server)
    assert other.tell(orders.GoOffDuty(name="Mia"), who="Mia").refused is None
    said = on_server.casino.give(mia, "Marina", CloseLink(), "an-old-socket").result()
    assert said.refused is not None
    other.stop()


def test_who_was_dismissed_by_another_process_is_shown_nothing_more(on_server: Running):
    """Also where nobody has been woken: whatever is for staff alone makes sure first."""
    client = log_in(on_server, "Max")
    assert client.get("/api/office/lists/players")
    casino = office(on_server)
    assert casino.follower is not None
    casino.follower.close()
    other = elsewhere(on_server.casino.config.server.database)
    other.tell(orders.DisablePerson(name="Max", reason="x"), who="administrator")
    for path in ("/api/office/lists/players", "/api/pit", "/api/reports/tables", "/office/day"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            client.get(path)
        with refused.value:
            assert refused.value.code == 403, path
    assert client.get("/api/me")["name"] is None
    other.stop()


def test_a_dismissal_by_another_process_closes_the_sockets(on_server: Running):
    table = log_in(on_server, "Max").at("M1")
    table.until("view")
    other = elsewhere(on_server.casino.config.server.database)
    other.tell(orders.DisablePerson(name="Max", reason="x"), who="administrator")
    assert closed(table) == ("logged out", DISMISSED)
    other.stop()


# -- who acts for whom ----------------------------------------------------------------------------


def test_a_dealer_on_duty_plays_with_nobodys_money(on_file: Running):
    dan = log_in(on_file, "Dan")
    poker, banked = dan.at("Raffles"), dan.at("M1")
    ann = log_in(on_file, "Ann").at("M1")
    assert ann.do(do="sit", box=1, player="Ann", chips=50_000)["is"] == "answer"
    stands(ann, "bets open")
    for table, command in (
        (poker, {"do": "sit", "seat": 1, "player": "Bob", "stake": 50_000}),
        (poker, {"do": "relocate", "seat": 1, "player": "Bob", "stake": 50_000}),
        (banked, {"do": "sit", "box": 2, "player": "Bob", "chips": 50_000}),
        (banked, {"do": "place ante", "box": 1, "amount": 1_000}),
        (banked, {"do": "report chips", "box": 1, "bet": "ante", "amount": 1_000}),
        (banked, {"do": "add chips", "player": "Ann", "chips": 10_000}),
        (banked, {"do": "leave", "player": "Ann"}),
    ):
        answer = table.do(**command)
        assert answer["is"] == "refused", (command, answer)
        assert answer["cites"][0]["paragraph"] == "S-34"
    assert on_file.casino.house.balance("player/Bob") == 200_000
    assert ann.do(do="place ante", box=1, amount=1_000)["is"] == "answer"


# -- the demonstration ----------------------------------------------------------------------------


def test_a_guest_who_has_left_is_out_on_every_socket(house_of_guests: Running):
    ann = house_of_guests.enter("Ann")
    cookie = ann.cookie
    table = ann.at("Raffles")
    ann.post("/api/exit", {})
    assert closed(table) == ("logged out", DISMISSED)
    thief = house_of_guests.enter()
    thief.opener.addheaders = [("Cookie", cookie)]
    assert thief.get("/api/me")["name"] is None


@pytest.fixture
def house_of_guests(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, tables=("Raffles",)) as opened:
        yield opened
