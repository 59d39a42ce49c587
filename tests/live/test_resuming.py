"""Lost connections, slow viewers, seats that change hands, storage that fails: nothing is lost,
nothing comes twice, nobody sees more than he may."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, structs

from croupier.banked.commands import Sit as SitAtBox
from croupier.cards import read_cards
from croupier.house.answers import Answer
from croupier.house.errors import StorageError
from croupier.live import wire
from croupier.live.audience import Entry, encode_entries, shown
from croupier.live.hub import Hub
from croupier.pit.registry import GAMES
from croupier.poker.commands import Leave, Sit
from croupier.table import ActorRank, Looked
from tests.live.conftest import PLENTY, QUICK, AtTable, Running, running
from tests.pit.high_card import BOOK, HIGH_CARD


def moved(house: Running, n: int) -> None:
    """Somebody sits down and leaves, n times: 2n events."""
    for _ in range(n):
        for command in (
            {"do": "sit", "box": 5, "player": "Mover", "chips": 1_000},
            {"do": "leave", "player": "Mover"},
        ):
            assert MOVERS[house.url].do(**command)["is"] == "answer"


MOVERS: dict[str, Any] = {}


@pytest.fixture
def busy(tmp_path: Path) -> Any:
    limits = structs.replace(PLENTY, caught_up=20, queue=32)
    slow_rounds = structs.replace(QUICK, between_rounds=600, pace=1.0)
    with running(tmp_path, clocks=slow_rounds, limits=limits, tables=("Orchard",)) as casino:
        MOVERS[casino.url] = casino.enter("Mover").at("Orchard")
        yield casino


def positions(message: dict[str, Any]) -> list[int]:
    return [event["position"] for event in message["events"]]


def test_whoever_comes_back_gets_exactly_what_he_missed(busy: Running):
    ann = busy.enter("Ann")
    table = ann.at("Orchard")
    table.next()
    seen = table.next()["position"]
    table.close()
    moved(busy, 3)
    again = ann.at("Orchard", after=seen)
    assert again.next()["is"] == "hello"
    missed = again.next()
    assert (missed["is"], missed["caught_up"]) == ("events", True)
    assert positions(missed) == list(range(seen + 1, seen + 7))
    assert missed["position"] == seen + 6
    moved(busy, 1)
    assert positions(again.next()) == [seen + 7]


def test_whoever_missed_nothing_gets_the_view_alone(busy: Running):
    ann = busy.enter("Ann")
    table = ann.at("Orchard")
    table.next()
    seen = table.next()["position"]
    again = ann.at("Orchard", after=seen)
    again.next()
    assert again.next() == {**again.heard[-1], "is": "view", "position": seen, "missed": 0}


def test_whoever_was_away_too_long_gets_the_table_and_is_told_how_much_he_missed(busy: Running):
    seen = busy.casino.house.positions["Orchard"]
    moved(busy, 12)
    again = busy.enter("Ann").at("Orchard", after=seen)
    again.next()
    view = again.next()
    assert (view["is"], view["missed"], view["position"]) == ("view", 24, seen + 24)


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "99999999999999999999", "9999999", "²"])
def test_a_position_that_is_none_asks_for_the_whole_table(busy: Running, after: str):
    table = busy.enter("Ann").at("Orchard", after=after)  # type: ignore[arg-type]
    table.next()
    assert (table.next()["is"], table.heard[-1]["missed"]) == ("view", 0)


def test_a_command_sent_again_after_a_lost_connection_is_answered_and_done_once(busy: Running):
    ann = busy.enter("Ann")
    first = ann.at("Orchard")
    command = {"do": "sit", "box": 1, "player": "Ann", "chips": 5_000}
    first.give(id="the-same-id", **command)
    first.close()  # before its answer was read
    again = ann.at("Orchard")
    again.give(id="the-same-id", **command)
    assert again.until("answer", id="the-same-id")["positions"]
    assert ann.get("/api/me")["play_money"] == 1_000_000 - 5_000


# ---- slow viewers -------------------------------------------------------------------------------


def test_a_slow_viewer_is_dropped_and_harms_nobody(busy: Running):
    """A client that never reads: its queue is bounded, others go on, and it can catch up."""
    port = int(busy.url.rpartition(":")[2])
    line = socket.create_connection(("127.0.0.1", port))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.sendall(
        f"GET /ws?place=Orchard HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    casino, hub = busy.casino, busy.casino.hubs["Orchard"]
    seen = casino.house.positions["Orchard"]

    async def flood() -> int:
        """Tell viewers more than the machine's buffers hold, at a pace that a reader keeps."""
        sent = 0
        while not casino.metrics.dropped.value("too slow"):
            hub.tell_all(json.dumps({"is": "clock", "padding": "x" * 8_000}).encode())
            sent += 1
            await asyncio.sleep(0)
            assert sent < 100_000, "the slow viewer is never dropped"
        return sent

    assert wait_for(lambda: len(hub.viewings) == 2)
    reader = threading.Thread(target=read_on, args=(MOVERS[busy.url],), daemon=True)
    reader.start()
    asyncio.run_coroutine_threadsafe(flood(), casino.loop).result(60)
    assert wait_for(lambda: len(hub.viewings) == 1), "the slow viewer is still there"
    table = busy.enter("Ann").at("Orchard", after=seen)
    assert [table.next()["is"], table.next()["is"]] == ["hello", "view"]
    assert table.do(do="sit", box=1, player="Ann", chips=1_000)["is"] == "answer"
    line.close()


def read_on(table: AtTable) -> None:
    """A viewer who reads everything at once."""
    with suppress(Exception):
        while True:
            table.next(timeout=60)


def wait_for(holds: Any, seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(holds())


# ---- seats that change hands --------------------------------------------------------------------


def test_a_seat_does_not_hand_over_what_its_last_player_saw():
    looked = Looked(seat=3, cards=read_cards("Ah Kd"))
    entry = Entry(position=1, at="", event=looked, roster={3: "Ann"})
    made = encode_entries([entry], ["Ann", "Ben", None])
    assert b"Ah" in bytes(made["Ann"][0])
    assert b"Ah" not in bytes(made["Ben"][0])
    assert b"Ah" not in bytes(made[None][0])
    assert shown(entry, None) == looked.public()


# ---- nobody hears of what is not durable --------------------------------------------------------


class Listener:
    wants_offers = False

    def __init__(self, who: str | None = None) -> None:
        self.who = who
        self.heard: list[dict[str, Any]] = []

    def push(self, message: bytes) -> None:
        self.heard.append(json.loads(message))

    def close(self, code: int) -> None:
        self.heard.append({"is": "closed", "code": code})

    def offer(self, standing: Any) -> None:
        raise AssertionError("he did not ask for offers")


@pytest.fixture(autouse=True)
def high_card() -> Iterator[None]:
    """The game that the table of one number says it plays."""
    GAMES.register(BOOK, HIGH_CARD)
    yield
    GAMES.forget(BOOK.id)


class View(Struct, frozen=True, rename={"who": "for"}):
    """What somebody sees of a table of one number."""

    position: int
    who: str | None


class Table:
    """A table of one number, for the hub."""

    book = BOOK

    def __init__(self) -> None:
        self.position = 1
        self.names = {1: "Ann"}

    def taken_seats(self) -> list[int]:
        return list(self.names)

    def player_at(self, seat: int) -> str | None:
        return self.names.get(seat)

    def view(self, viewer: Any) -> View:
        return View(self.position, viewer.who)


def hub_of(table: Table) -> Hub:
    hello = wire.HelloMessage(
        protocol=1,
        place="T",
        game="poker",
        rulebook="x",
        you=None,
        position=0,
        sign=wire.Raw(b"{}"),
        link=None,
        mode="demonstration",
    )
    return Hub(
        "T",
        table=lambda: table,  # type: ignore[arg-type, return-value]
        position=lambda: table.position,
        around=wire.Around,
        hello=lambda who, position: structs.replace(hello, you=who, position=position),
        keep=10,
    )


def happens(hub: Hub, table: Table, id: str) -> Answer:
    table.position += 1
    event = Looked(seat=1, cards=read_cards("Ah Kd"))
    answer = Answer(command_id=id)
    hub.made(answer, hub.entries([(table.position, event)], "now"))
    return answer


def kinds(listener: Listener) -> list[str]:
    return [message["is"] for message in listener.heard]


def test_events_are_sent_only_when_they_are_durable_and_in_order():
    table = Table()
    hub = hub_of(table)
    ann, public = Listener("Ann"), Listener()
    hub.join(ann, None)
    hub.join(public, None)
    a = happens(hub, table, "a")
    b = happens(hub, table, "b")
    assert kinds(ann) == ["hello", "view"]
    hub.stored(b)  # the one before it is not durable yet
    assert kinds(ann) == ["hello", "view"]
    hub.stored(a)
    assert [m["position"] for m in ann.heard[2:]] == [2, 3]
    assert ann.heard[2]["events"][0]["event"]["cards"] == ["Ah", "Kd"]
    assert public.heard[2]["events"][0]["event"]["cards"] == ["??", "??"]
    assert ann.heard[2]["view"] == {"position": 2, "for": "Ann"}


def test_who_joins_while_something_is_stored_sees_it_once_and_not_before():
    table = Table()
    hub = hub_of(table)
    a = happens(hub, table, "a")
    late, resumed = Listener(), Listener()
    hub.join(late, None)
    hub.join(resumed, 1)
    b = happens(hub, table, "b")
    assert late.heard == resumed.heard == []
    hub.stored(a)
    assert kinds(late) == ["hello", "view"]
    assert late.heard[1]["position"] == 2
    assert (resumed.heard[1]["caught_up"], len(resumed.heard[1]["events"])) == (True, 1)
    hub.stored(b)
    assert [m["position"] for m in late.heard[2:]] == [3]
    assert [m["position"] for m in resumed.heard[2:]] == [3]


def test_who_wants_the_whole_view_while_something_is_stored_is_told_nothing_twice():
    table = Table()
    hub = hub_of(table)
    ann = Listener("Ann")
    hub.join(ann, None)
    a = happens(hub, table, "a")
    hub.show(ann)
    b = happens(hub, table, "b")
    hub.stored(a)
    hub.stored(b)
    assert [(m["is"], m["position"]) for m in ann.heard[2:]] == [
        ("events", 2),
        ("view", 2),
        ("events", 3),
    ]


def test_what_is_lost_is_never_told():
    table = Table()
    hub = hub_of(table)
    ann = Listener("Ann")
    hub.join(ann, None)
    a = happens(hub, table, "a")
    joined = Listener()
    hub.join(joined, None)
    table.position = 1  # the House has read its log again
    hub.lost(a)
    assert kinds(ann) == ["hello", "view"]
    assert joined.heard[1]["position"] == 1
    c = happens(hub, table, "c")
    hub.stored(c)
    assert ann.heard[-1]["position"] == joined.heard[-1]["position"] == 2


def test_what_the_log_has_although_it_seemed_lost_is_shown_to_everybody_once():
    table = Table()
    hub = hub_of(table)
    ann, ben = Listener("Ann"), Listener("Ben")
    hub.join(ann, None)
    hub.join(ben, None)
    a = happens(hub, table, "a")
    b = happens(hub, table, "b")
    hub.show(ben)
    table.position = 2  # the House has read its log again, and the first was stored
    assert not hub.lost(a)  # what waits may be shown still
    assert hub.lost(b)
    assert [(m["is"], m["position"]) for m in ann.heard[2:]] == [("view", 2)]
    assert [(m["is"], m["position"]) for m in ben.heard[2:]] == [("view", 2)]
    c = happens(hub, table, "c")
    table.position = 2
    assert not hub.lost(c)
    assert (len(ann.heard), len(ben.heard)) == (3, 3)


def test_after_others_have_written_what_is_lost_shows_nobody_the_table_again():
    table = Table()
    hub = hub_of(table)
    ann = Listener("Ann")
    hub.join(ann, None)
    table.position = 5
    hub.read_again()
    a = happens(hub, table, "a")
    table.position = 5
    assert not hub.lost(a)
    assert [(m["is"], m["position"]) for m in ann.heard[2:]] == [("view", 5)]


def test_what_was_lost_and_is_given_again_is_told_once_it_is_stored():
    """Under the same id, before the hub could hear of the loss: the database was out of reach."""
    table = Table()
    hub = hub_of(table)
    ann = Listener("Ann")
    hub.join(ann, None)
    first = happens(hub, table, "a")
    joined = Listener()
    hub.join(joined, None)
    table.position = 1  # the House has read its log again
    again = happens(hub, table, "a")
    hub.lost(first)
    assert kinds(ann) == ["hello", "view"]
    assert joined.heard == []  # the table that it would be shown is not durable
    hub.stored(again)
    assert [m["position"] for m in ann.heard[2:]] == [2]
    assert [(m["is"], m["position"]) for m in joined.heard] == [("hello", 2), ("view", 2)]


def test_what_was_lost_is_not_told_for_what_was_given_again():
    table = Table()
    hub = hub_of(table)
    ann = Listener("Ann")
    hub.join(ann, None)
    first = happens(hub, table, "a")
    table.position = 4  # others have written meanwhile
    again = happens(hub, table, "a")
    hub.stored(again)
    assert kinds(ann) == ["hello", "view"]
    hub.lost(first)
    assert [m["position"] for m in ann.heard[2:]] == [5]


def test_whom_a_table_waits_for_is_told_behind_what_made_it_so():
    table = Table()
    hub = hub_of(table)
    ann = Listener("Ann")
    hub.join(ann, None)
    hub.tell_clock(b'{"is": "clock", "n": 1}')
    assert kinds(ann) == ["hello", "view", "clock"]
    a = happens(hub, table, "a")
    for message in (b'{"is": "clock", "n": 2}', b'{"is": "clock", "n": 3}'):
        hub.tell_clock(message)
    joined = Listener()
    hub.join(joined, None)
    assert (kinds(ann)[3:], joined.heard) == ([], [])
    hub.stored(a)
    assert kinds(ann)[3:] == ["events", "clock"]
    assert ann.heard[-1]["n"] == 3, "only the last one is so still"
    assert kinds(joined) == ["hello", "view"]
    b = happens(hub, table, "b")
    hub.tell_clock(b'{"is": "clock", "n": 4}')
    table.position -= 1  # the House has read its log again
    hub.lost(b)
    assert kinds(ann)[5:] == [], "what never happened has changed no clock"


def test_who_leaves_before_his_turn_is_not_told():
    table = Table()
    hub = hub_of(table)
    a = happens(hub, table, "a")
    gone = Listener()
    hub.join(gone, None)
    hub.leave(gone)
    hub.stored(a)
    assert gone.heard == []
    assert not hub.viewings


def test_a_command_that_cannot_be_stored_never_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, tables=("Raffles",)) as casino:
        ann, ben = casino.enter("Ann"), casino.enter("Ben")
        mine, other = ann.at("Raffles"), ben.at("Raffles")
        for table in (mine, other):
            table.next()
            table.next()
        store = casino.casino.house.store

        def full(bundles: Any) -> Any:
            raise StorageError("the disk is full")

        monkeypatch.setattr(store, "append", full)
        answer = mine.do(do="sit", seat=1, player="Ann", stake=50_000)
        assert (answer["is"], answer["code"]) == ("error", "not stored")
        monkeypatch.undo()
        again = mine.do(do="sit", seat=1, player="Ann", stake=50_000)
        assert again["is"] == "answer"
        events = other.until("events")
        assert len(events["events"]) == 1
        assert ann.get("/api/me")["play_money"] == 950_000


def test_a_command_that_was_stored_without_a_word_is_shown_to_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, tables=("Raffles",)) as casino:
        mine, other = casino.enter("Ann").at("Raffles"), casino.enter("Ben").at("Raffles")
        for table in (mine, other):
            table.next()
            table.next()
        store = casino.casino.house.store
        append = store.append

        def carry_out(bundles: Any) -> Any:
            append(bundles)
            raise StorageError("the connection was lost")

        monkeypatch.setattr(store, "append", carry_out)
        answer = mine.do(do="sit", seat=1, player="Ann", stake=50_000)
        assert (answer["is"], answer["code"]) == ("error", "not stored")
        monkeypatch.undo()
        view = other.until_view(lambda view: "1" in view["seats"])
        assert view["view"]["seats"]["1"]["player"] == "Ann"


def test_who_is_away_and_is_not_stood_up_after_all_is_away_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, tables=("Raffles",)) as casino:
        mine = casino.enter("Ann").at("Raffles")
        other = casino.enter("Ben").at("Raffles")
        assert mine.do(do="sit", seat=1, player="Ann", stake=50_000)["is"] == "answer"
        mine.close()
        while other.until("clock")["away"] != ["Ann"]:
            pass

        def full(bundles: Any) -> Any:
            raise StorageError("the disk is full")

        live = casino.casino
        monkeypatch.setattr(live.house.store, "append", full)
        lost = live.house.give("Raffles", Leave(seat=1), who="clock", rank=ActorRank.HOUSE)
        assert isinstance(lost.exception(10), StorageError)
        while other.until("clock")["away"] != ["Ann"]:  # it is told again
            pass
        monkeypatch.undo()
        assert live.is_away("Raffles", "Ann")


def test_two_commands_at_once_are_both_carried_out_in_some_order(tmp_path: Path):
    with running(tmp_path, tables=("Raffles", "Orchard")) as casino:
        house = casino.casino.house
        for name in ("Ann", "Ben"):
            casino.enter(name)
        loop = casino.casino.loop

        async def both() -> list[Any]:
            first = house.give(
                "Raffles", Sit(seat=1, player="Ann", stake=50_000), who="Ann", rank=ActorRank.PLAYER
            )
            second = house.give(
                "Orchard",
                SitAtBox(box=1, player="Ben", chips=500),
                who="Ben",
                rank=ActorRank.PLAYER,
            )
            return [first, second]

        given = asyncio.run_coroutine_threadsafe(both(), loop).result(10)
        answers = [promise.result(10) for promise in given]
        assert [answer.refused for answer in answers] == [None, None]
