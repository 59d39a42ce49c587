"""A guest's name is freed when the guest is gone, and never with its past."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from msgspec import structs
from websockets.sync.client import connect

from croupier.house.office.commands import CloseTable, DisablePerson
from croupier.live.accepting import AT_ONCE_GONE
from croupier.live.guest_names import GONE_AFTER, GONE_EARLIER, GuestNames
from croupier.live.identity import PLAY_MONEY
from tests.house.quick import make_quick
from tests.live.conftest import PASSWORD, PLENTY, QUICK, AtTable, Client, Running, running, until
from tests.live.lessons import LESSONS, answer, begin, refused

CLOCKS = structs.replace(QUICK, to_act=0.8, between_rounds=0.05, time_bank=0, straddle=0.1)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    make_quick(monkeypatch)
    with running(tmp_path, tables=("Raffles",), clocks=CLOCKS) as casino:
        yield casino


def played(house: Running, *names: str) -> tuple[list[Client], list[AtTable]]:
    """People who have played a round at Raffles and have left."""
    guests = [house.enter(name) for name in names]
    tables = [guest.at("Raffles") for guest in guests]
    for seat, (name, table) in enumerate(zip(names, tables, strict=True), 1):
        assert table.do(do="sit", seat=seat, player=name, stake=50_000)["is"] == "answer"
    tables[0].until_view(lambda view: view["status"] == "betting")
    assert tables[0].do(do="look", seat=1)["is"] == "answer"
    until(lambda: any(r["ended"] and r["yours"] for r in rounds(guests[0])))
    for guest in guests:
        guest.post("/api/tables/Raffles/wishes", {"leave": True})
    until(lambda: not house.casino.table("Raffles").taken_seats())
    return guests, tables


def rounds(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/tables/Raffles/rounds")["rounds"]
    return found


def test_a_stranger_under_a_name_that_was_left_reads_nothing_of_its_past(house: Running):
    [ann, _], [table, _] = played(house, "Ann", "Ben")
    mine = [r["round"] for r in rounds(ann) if r["yours"]]
    seen = [ann.get(f"/api/tables/Raffles/rounds/{n}")["events"] for n in mine]
    before = table.heard[0]["position"]
    ann.post("/api/exit", {})
    house.casino.casino.cash_in("Ann", 777_00)
    public = house.enter()
    eve = house.enter("Ann")
    assert eve.get("/api/me")["play_money"] == PLAY_MONEY, "not with the money of another one"
    assert [r["round"] for r in rounds(eve) if r["yours"]] == []
    assert hands(eve) == []
    differs: list[bool] = []
    for number, as_ann in zip(mine, seen, strict=True):
        path = f"/api/tables/Raffles/rounds/{number}"
        as_eve = eve.get(path)["events"]
        assert as_eve == public.get(path)["events"]
        differs.append(as_eve != as_ann)
        shuffles = f"{path}/shuffles"
        assert eve.get(shuffles) == public.get(shuffles)
        replay = eve.get(f"/api/tables/Raffles/rounds/{number}/replay")
        assert (
            replay["replay"] == public.get(f"/api/tables/Raffles/rounds/{number}/replay")["replay"]
        )
    assert any(differs), "the other one had seen cards"
    caught_up = eve.at("Raffles", after=before)
    assert caught_up.next()["is"] == "hello"
    assert caught_up.next()["is"] == "view", "what was missed was somebody else's"


def test_a_stranger_under_a_name_that_was_left_has_nothing_of_its_school(house: Running):
    ann = house.enter("Ann")
    over, waits = begin(ann, kinds=["hand"]), begin(ann, kinds=["hand"])
    done, open_ = (f"{LESSONS}/{now['line']['lesson']}" for now in (over, waits))
    for _ in range(5):
        answer(house, ann, over, right=True)
        over = ann.post(f"{done}/next", {})
    assert ann.get(f"{done}/certificate")["line"]["passed"]
    ann.post("/api/exit", {})
    eve = house.enter("Ann")
    page = eve.get("/api/school")
    assert page["trainee"] == "Ann"
    assert page["lessons"] == []
    assert sum(book["asked"] for book in page["books"]) == 0
    for does in (
        lambda: eve.get(f"{done}/certificate"),
        lambda: eve.get(open_),
        lambda: eve.post(f"{open_}/next", {}),
        lambda: eve.post(f"{open_}/answer", {"number": 1, "chosen": [0]}),
    ):
        assert refused(does) == (404, "You have no such lesson.")
    own = begin(eve, kinds=["hand"])
    answer(house, eve, own, right=True)
    assert [line["lesson"] for line in eve.get("/api/school")["lessons"]] == [own["line"]["lesson"]]
    sue = house.enter()
    sue.post("/api/staff-door", {"name": "Sue", "post": "pit supervisor"})
    listed = {one["trainee"]: one for one in sue.get("/api/school/trainees")["trainees"]}
    assert listed["Ann"]["books"][0]["asked"] == 1
    assert listed["Ann (an earlier guest)"]["books"][0]["asked"] == 5


def hands(client: Client) -> list[str]:
    return [each["table"] for each in client.get("/api/my-hands")["rounds"]]


def test_hands_of_a_table_that_was_closed_by_then_are_of_who_had_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make_quick(monkeypatch)
    with running(tmp_path, tables=("Raffles", "Clarke"), clocks=CLOCKS) as house:
        [ann, _], _ = played(house, "Ann", "Ben")
        house.casino.house.writer.flush()
        assert hands(ann), "they are hers"
        over = CloseTable(table="Raffles", reason="x")
        assert house.casino.casino.tell(over, who="administrator").refused is None
        cookie = ann.cookie
    with running(tmp_path, tables=("Clarke",), clocks=CLOCKS) as house:
        ann = house.enter()
        ann.jar.clear()
        ann.opener.addheaders = [("Cookie", cookie)]
        ann.token = ann.get("/api/me")["token"]
        assert hands(ann), "they are hers still"
        ann.post("/api/exit", {})
        eve = house.enter("Ann")
        assert hands(eve) == []
        past = house.casino.casino.office.state.people["Ann"].past
        assert past is not None
        assert house.casino.own_at("Ann", "Clarke", 1) == "Ann", "what comes is hers"
        assert house.casino.own_at("Ann", "set up later", 1) == "Ann"
        past.all_tables = False  # as in an older record
        assert house.casino.own_at("Ann", "set up later", 1) is None


def test_who_had_a_name_does_not_get_it_back_by_an_old_cookie(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as house:
        ann = house.enter("Ann")
        old = ann.cookie
        ann.post("/api/exit", {})
        eve = house.enter("Ann")
        new = eve.cookie
    with running(tmp_path, tables=("Raffles",)) as house:  # nobody has come so far
        for cookie, name in ((old, None), (new, "Ann"), (old, None)):
            client = house.enter()
            client.jar.clear()
            client.opener.addheaders = [("Cookie", cookie)]
            assert client.get("/api/me")["name"] == name


def bot(house: Running, name: str, cookie: str = "") -> Any:
    url = house.url.replace("http", "ws", 1) + f"/ws?place=Raffles&bot={name}"
    return connect(url, additional_headers={"Cookie": cookie} if cookie else {}, close_timeout=1)


def test_a_bot_that_comes_back_is_itself_and_another_one_is_another(house: Running):
    with bot(house, "Robot") as first:
        assert json.loads(first.recv())["you"] == "Robot"
        cookie = first.response.headers["set-cookie"].partition(";")[0]  # type: ignore[union-attr]
    people = house.casino.casino.office.state.people
    until(lambda: house.casino.identity._names.is_free("Robot"))  # type: ignore[attr-defined]
    with bot(house, "Robot", cookie) as again:
        assert json.loads(again.recv())["you"] == "Robot"
    assert people["Robot"].past is None
    until(lambda: house.casino.identity._names.is_free("Robot"))  # type: ignore[attr-defined]
    with bot(house, "Robot") as stranger:
        assert json.loads(stranger.recv())["you"] == "Robot"
        assert people["Robot"].past is not None
        with bot(house, "Robot", cookie) as first:
            assert json.loads(first.recv())["is"] == "bye"
    with pytest.raises(HTTPError):
        house.enter("Robot")  # a person is not marked as a bot


def test_a_bot_that_is_gone_before_it_is_let_in_leaves_its_name(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    """Or nobody could come under it for a day."""
    identity, has_entered, goes_on = house.casino.identity, threading.Event(), threading.Event()
    enters = identity.enter

    def slowly(*asked: Any, **more: Any) -> Any:
        entered = enters(*asked, **more)
        has_entered.set()
        assert goes_on.wait(20)
        return entered

    monkeypatch.setattr(identity, "enter", slowly)
    place = urlsplit(house.url)
    asks = (
        f"GET /ws?place=Raffles&bot=Deep HTTP/1.1\r\nHost: {place.netloc}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection((place.hostname or "", place.port or 0)) as line:
        line.sendall(asks.encode())
        assert has_entered.wait(20)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE_GONE)
    time.sleep(0.2)  # the server has seen that it is gone
    goes_on.set()
    monkeypatch.setattr(identity, "enter", enters)
    until(lambda: identity._names.is_free("Deep"))  # type: ignore[attr-defined]
    assert house.enter("Deep", bot=True).get("/api/me")["name"] == "Deep"


def test_who_sits_keeps_the_name(house: Running):
    ann = house.enter("Ann")
    ann.at("Raffles").do(do="sit", seat=1, player="Ann", stake=50_000)
    with pytest.raises(HTTPError):
        house.enter("Ann")


# ---- how many ----------------------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.slow
def test_ten_thousand_guests_are_not_the_end():
    clock, seated = Clock(), {"guest 3"}
    names = GuestNames(10_000, seated.__contains__, clock)
    for n in range(10_000):
        assert not names.is_full()
        names.take(f"guest {n}", f"visit {n}")
    assert names.is_full(), "they are all here"
    clock.now = GONE_EARLIER + 1
    for n in range(10_000, 25_000):
        assert not names.is_full(), n
        names.take(f"guest {n}", f"visit {n}")
        clock.now += 1
    assert not names.is_free("guest 3"), "who sits is here"
    assert names.claim("guest 5", "visit 5"), "whose claim was forgotten comes back with the cookie"


def test_who_was_not_heard_of_for_a_day_has_gone():
    clock = Clock()
    names = GuestNames(10, lambda name: False, clock)
    names.take("Ann", "a")
    clock.now = GONE_AFTER - 1
    assert not names.is_free("Ann")
    assert names.claim("Ann", "a")
    clock.now += GONE_AFTER + 1
    assert names.is_free("Ann")


def test_nobody_is_looked_for_at_the_tables_whose_name_is_not_free_anyhow():
    """To look at tables that other servers run means to read their logs."""
    looked: list[str] = []
    names = GuestNames(10, lambda name: bool(looked.append(name)), Clock())
    names.take("Ann", "a")
    assert not names.is_free("Ann")
    assert not names.is_free("Ben")
    assert looked == []
    names.leave("Ann", "a")
    assert names.is_free("Ann")
    assert looked == ["Ann"]


@pytest.mark.parametrize("waits_for", ["open_account", "tell"], ids=["a new name", "a free name"])
def test_whoever_is_here_does_not_wait_for_somebody_who_comes_in(
    house: Running, monkeypatch: pytest.MonkeyPatch, waits_for: str
):
    """What is stored takes as long as the disk or the database takes; the loop asks who everybody
    is meanwhile."""
    house.enter("Ben").post("/api/exit", {})
    ann = house.enter("Ann")
    casino, begun, goes_on = house.casino.casino, threading.Event(), threading.Event()
    stores = getattr(casino, waits_for)

    def slowly(*args: Any, **others: Any) -> Any:
        begun.set()
        assert goes_on.wait(20)
        return stores(*args, **others)

    cookie = ann.jar._cookies["127.0.0.1"]["/"]["croupier"].value  # type: ignore[attr-defined]
    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as threads:
        patch.setattr(casino, waits_for, slowly)
        comes = threads.submit(house.enter, "Cid" if waits_for == "open_account" else "Ben")
        try:
            assert begun.wait(10)
            who = threads.submit(house.casino.identity.visitor, cookie).result(5)
            assert who is not None
            assert who.name == "Ann"
        finally:
            goes_on.set()
        assert comes.result(10).get("/api/me")["play_money"] == PLAY_MONEY


def test_the_house_is_not_full_of_guests_who_have_gone(tmp_path: Path):
    limits = structs.replace(PLENTY, guests=3)
    with running(tmp_path, tables=("Raffles",), limits=limits) as house:
        for n in range(9):
            house.enter(f"Guest {n}").post("/api/exit", {})
        for n in range(3):
            house.enter(f"Other {n}")
        with pytest.raises(HTTPError) as full:
            house.enter("One more")
        with full.value as answer:
            assert answer.code == 503


# ---- staff of the demonstration -----------------------------------------------------------------


@pytest.mark.parametrize("how", ["password", "dismissal"])
def test_a_cookie_of_staff_ends_with_the_password_by_which_it_was_given(house: Running, how: str):
    office = house.casino.casino
    assert (
        office.hire("Max", "pit manager", PASSWORD, who="administrator", reason="x").refused is None
    )
    client = house.enter()
    client.token = client.post("/api/login", {"name": "Max", "password": PASSWORD})["token"]
    socket = client.at("Raffles")
    assert client.get("/api/me")["name"] == "Max"
    if how == "password":
        office.set_password("Max", "another password", who="administrator", reason="x")
    else:
        office.tell(DisablePerson(name="Max", reason="x"), who="administrator")
    assert socket.until("bye")["code"] == "logged out"
    assert client.get("/api/me")["name"] is None


def test_who_of_the_staff_has_logged_out_is_out_also_after_a_restart(tmp_path: Path):
    """A cookie that somebody has kept is worth nothing once its session was ended."""
    with running(tmp_path, tables=("Raffles",)) as house:
        office = house.casino.casino
        hired = office.hire("Max", "pit manager", PASSWORD, who="administrator", reason="x")
        assert hired.refused is None
        here, there = house.enter(), house.enter()
        for client in (here, there):
            client.token = client.post("/api/login", {"name": "Max", "password": PASSWORD})["token"]
        kept, other = here.cookie, there.cookie
        assert named(house, kept) == "Max"
        here.post("/api/exit", {})
        assert named(house, kept) is None
        assert named(house, other) == "Max", "another device is logged in still"
    with running(tmp_path, tables=("Raffles",)) as again:
        assert named(again, kept) is None
        assert named(again, other) == "Max"


def named(house: Running, cookie: str) -> str | None:
    """Who comes with a cookie."""
    request = urllib.request.Request(f"{house.url}/api/me", headers={"Cookie": cookie})
    with urllib.request.urlopen(request) as answer:
        found: str | None = json.load(answer)["name"]
        return found
