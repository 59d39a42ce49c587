"""The gate: who is let in, for how long anybody is waited for, what counts against a limit."""

from __future__ import annotations

import errno
import io
import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from croupier.house.alarm_log import ALARM
from croupier.live import accepting, descriptors, logs
from croupier.live.config import ServerConfig
from croupier.live.demonstration import demonstration
from croupier.live.errors import CannotListen
from croupier.live.gate import FRAGMENTS
from croupier.live.metrics import Metrics
from croupier.live.server import gate_of, serve, started_as_root
from tests.live.conftest import PLENTY, Running, running, until

SHORT = structs.replace(
    PLENTY, header_seconds=0.6, body_seconds=0.6, answer_seconds=1.5, idle_seconds=1
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("gate")
    with running(folder, tables=("Raffles",), limits=SHORT) as casino:
        yield casino


class Line:
    """A connection that sends exactly what it is told to."""

    def __init__(self, house: Running, source: str = "127.0.0.1") -> None:
        self.address = house.url.removeprefix("http://")
        host, _, port = self.address.partition(":")
        self.socket = house.sockets.enter_context(socket.socket())
        self.socket.settimeout(10)
        self.socket.bind((source, 0))
        # Whoever is turned away at the door may hear of it before connecting has even returned.
        assert self.socket.connect_ex((host, int(port))) in (0, errno.ECONNRESET)

    def say(self, text: str) -> None:
        self.socket.sendall(text.replace("\n", "\r\n").format(self.address).encode())

    def ends(self, seconds: float = 4) -> tuple[bytes, float]:
        """Everything until the server closes it, and how long that took."""
        began, got = time.monotonic(), b""
        self.socket.settimeout(seconds)
        try:
            while data := self.socket.recv(65_536):
                got += data
        except ConnectionResetError:
            pass
        return got, time.monotonic() - began


def test_who_says_nothing_is_waited_for_only_so_long(house: Running):
    assert Line(house).ends()[1] < 2.5


def test_a_byte_now_and_then_prolongs_nothing(house: Running):
    line = Line(house)
    began = time.monotonic()
    with suppress(ConnectionError):
        while time.monotonic() < began + 4:
            line.socket.sendall(b"G")
            time.sleep(0.1)
    assert time.monotonic() < began + 2.5


def test_half_a_body_is_waited_for_only_so_long(house: Running):
    faults = house.casino.metrics.faults.value()
    visitor = house.enter()  # nobody else's body is read at all
    line = Line(house)
    line.say(
        "POST /api/enter HTTP/1.1\nHost: {}\nContent-Type: application/json\n"
        f"Cookie: {visitor.cookie}\nX-Croupier-Token: {visitor.token}\nContent-Length: 400\n\n"
    )
    got, took = line.ends()
    assert got == b"", "it was waited for"
    assert took < 2.5
    assert house.casino.metrics.faults.value() == faults, "it is no fault that a visitor goes"


def test_a_connection_stays_open_between_requests_for_so_long(house: Running):
    line = Line(house)
    line.say("GET /health HTTP/1.1\nHost: {}\n\n")
    got, took = line.ends(8)
    assert b"200 OK" in got
    assert 0.5 < took < 6


def test_a_head_has_a_limit_also_if_it_comes_at_once(house: Running):
    line = Line(house)
    line.say("GET /health HTTP/1.1\nHost: {}\n" + "X: " + "x" * 40_000 + "\n\n")
    assert line.ends()[0].startswith(b"HTTP/1.1 400")


def test_the_rest_of_a_body_that_is_refused_is_not_read(house: Running):
    line = Line(house)
    line.say("POST /api/enter HTTP/1.1\nHost: evil.example\nContent-Length: 9000000\n\n")
    got, took = line.ends()
    assert got.startswith(b"HTTP/1.1 403")
    assert took < 1


def test_an_answer_that_is_not_taken_holds_nothing_for_ever(house: Running):
    """The buffers of both systems are full, and the client reads nothing."""
    line = Line(house)
    line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
    ask = "GET /static/app/table.js HTTP/1.1\nHost: {}\n\n"
    line.socket.settimeout(0.3)
    dropped = house.casino.metrics.dropped
    before = dropped.value("too slow to ask")
    with suppress(OSError):
        line.socket.sendall(ask.format(line.address).replace("\n", "\r\n").encode() * 5_000)
    until(lambda: dropped.value("too slow to ask") > before, 10)


def test_an_address_has_a_limit_on_its_connections(tmp_path: Path):
    limits = structs.replace(PLENTY, connections_per_address=5)
    with running(tmp_path, tables=("Raffles",), limits=limits) as house:
        lines = [Line(house, "127.0.0.9") for _ in range(12)]
        assert [line.ends(1)[0] for line in lines[10:]] == [b"", b""]
        assert house.enter().get("/health")["status"] == "ok", "others are let in"


def test_an_address_has_a_limit_on_its_new_connections(tmp_path: Path):
    limits = structs.replace(PLENTY, connects_per_second=1.0, connects_at_once=5)
    with running(tmp_path, tables=("Raffles",), limits=limits) as house:
        for _ in range(5):
            Line(house, "127.0.0.9").socket.close()
        assert Line(house, "127.0.0.9").ends(1)[0] == b""
        assert house.casino.metrics.turned_away.value("too many new connections") == 1


def test_where_it_is_full_the_longest_waited_for_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(descriptors, "_limit", lambda: descriptors.KEPT_BACK + 20)
    with running(tmp_path, tables=("Raffles",)) as house:
        player = house.enter("Ann").at("Raffles")
        lines = [Line(house) for _ in range(30)]
        house.enter().get("/api/lobby")
        player.send({"ping": 7})
        assert player.until("pong", ping=7)
        assert lines[0].ends(1)[0] == b"", "the first was sent away"
        assert house.casino.metrics.dropped.value("made room") > 5


def test_a_refused_handshake_counts_against_the_limit(tmp_path: Path):
    limits = structs.replace(PLENTY, requests_per_second=0.5, requests_at_once=4)
    with running(tmp_path, tables=("Raffles",), limits=limits) as house:
        url = house.url.replace("http", "ws", 1) + "/ws?place=Raffles"
        found = []
        for _ in range(6):
            with pytest.raises(InvalidStatus) as refused:
                connect(url, origin="https://evil.example")  # type: ignore[arg-type]
            found.append(refused.value.response.status_code)
        assert found == [403] * 4 + [429] * 2
        line = Line(house)
        line.say("GET / HTTP/1.1\nHost: evil.example\nConnection: close\n\n")
        assert line.ends()[0].startswith(b"HTTP/1.1 429")


def test_a_refused_handshake_is_no_fault_of_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    with running(tmp_path, tables=("Raffles",)) as house, caplog.at_level(logging.WARNING):
        with pytest.raises(InvalidStatus) as refused:
            connect(
                house.url.replace("http", "ws", 1) + "/ws?place=Raffles",
                origin="https://evil.example",  # type: ignore[arg-type]
            )
        assert refused.value.response.status_code == 403
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


# ---- frames -------------------------------------------------------------------------------------


def _sent(house: Running, frames: bytes, seconds: float = 5) -> int:
    """The code with which the server closes a socket that sends this; 0 if it does not."""
    url = house.url.replace("http", "ws", 1) + "/ws?place=Raffles"
    with connect(url, close_timeout=1) as line:
        line.recv()
        line.socket.sendall(frames)
        try:
            while True:
                line.recv(timeout=seconds)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006
        except TimeoutError:
            return 0


def _frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


LIMITED = structs.replace(PLENTY, messages_per_second=20, messages_at_once=40)


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("f"), tables=("Raffles",), limits=LIMITED) as casino:
        yield casino


def test_empty_fragments_are_counted(limited: Running):
    begun = _frame(Opcode.TEXT, fin=False)
    assert _sent(limited, begun + _frame(Opcode.CONT, fin=False) * 5_000) == 1008
    assert _sent(limited, begun + _frame(Opcode.CONT, fin=False) * (FRAGMENTS + 1)) == 1008


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_pings_are_counted(limited: Running, opcode: Opcode):
    assert _sent(limited, _frame(opcode, b"x") * 1_000) == 1008
    assert _sent(limited, _frame(opcode, b"x") * 20, seconds=0.5) == 0


def test_of_a_flood_only_the_beginning_is_read(limited: Running, monkeypatch: pytest.MonkeyPatch):
    """One read of the system may bring tens of thousands of empty frames."""
    read: list[int] = []
    original = WebSocketsSansIOProtocol.data_received

    def data_received(socket: WebSocketsSansIOProtocol, data: bytes) -> None:
        read.append(len(data))
        original(socket, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", data_received)
    flood = _frame(Opcode.TEXT, fin=False) + _frame(Opcode.CONT, fin=False) * 20_000
    assert len(flood) > 100_000
    assert _sent(limited, flood) in (1008, 1006)
    assert sum(read) < 10_000


def test_nothing_is_unpacked(limited: Running):
    """A few bytes that unpack to gigabytes are not even read: no compression is agreed on."""
    url = limited.url.replace("http", "ws", 1) + "/ws?place=Raffles"
    with connect(url, close_timeout=1, compression="deflate") as line:
        assert "permessage-deflate" in line.request.headers["Sec-WebSocket-Extensions"]
        assert "Sec-WebSocket-Extensions" not in line.response.headers
    packed = bytes([0xC1, 0x81, 0, 0, 0, 0, 0])  # a text whose first reserved bit says so
    assert _sent(limited, packed) == 1002


def test_a_flood_of_frames_holds_up_nobody_else(limited: Running):
    player = limited.enter("Ann").at("Raffles")
    flood = _frame(Opcode.TEXT, fin=False) + _frame(Opcode.CONT, fin=False) * 100_000
    url = limited.url.replace("http", "ws", 1) + "/ws?place=Raffles"
    with connect(url, close_timeout=1) as line:
        line.socket.settimeout(5)
        began = time.perf_counter()
        with suppress(OSError):
            for _ in range(50):
                line.socket.sendall(flood)
        player.send({"ping": 3})
        player.until("pong", ping=3)
        assert time.perf_counter() - began < 5


# ---- accepting, descriptors, logs ---------------------------------------------------------------


def test_accepting_pauses_where_there_is_no_descriptor_left(
    house: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """The system says so four times; the player who waits is let in after that."""
    asked: list[float] = []
    original = socket.socket.accept

    def accept(listening: socket.socket) -> Any:
        asked.append(time.monotonic())
        if len(asked) <= 4:
            raise OSError(errno.EMFILE, "Too many open files")
        return original(listening)

    monkeypatch.setattr(socket.socket, "accept", accept)
    with caplog.at_level(logging.WARNING, "croupier.live"):
        assert house.enter().get("/health")["status"] == "ok"
    told = [r for r in caplog.records if "no connection can be accepted" in r.message]
    assert len(told) == 4
    assert asked[4] - asked[0] > 3 * accepting.PAUSE


@pytest.mark.parametrize(
    ("limit", "room"), [(None, 6_000), (65_536, 6_000), (1_024, 928), (64, descriptors.LEAST)]
)
def test_there_is_room_for_as_many_as_there_are_descriptors(limit: int | None, room: int):
    found = descriptors.Descriptors(limit=limit, wanted=6_000)
    assert found.room == room
    assert ("LimitNOFILE" in found.warning) == (room < 6_000)


@pytest.mark.parametrize(("limit", "room"), [(11_096, 6_000), (11_095, 5_999), (5_596, 3_000)])
def test_among_several_servers_a_socket_may_hold_two(limit: int, room: int):
    found = descriptors.Descriptors(limit=limit, wanted=6_000, twice=5_000)
    assert found.room == room
    assert ("raise the limit to 11096" in found.warning) == (room < 6_000)


def test_where_descriptors_are_short_the_server_says_so_at_its_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(descriptors, "_limit", lambda: 1_024)
    gate = gate_of(PLENTY, Metrics())
    assert gate.room == 1_024 - descriptors.KEPT_BACK
    assert "this process may have 1024 descriptors" in caplog.text
    among = gate_of(PLENTY, Metrics(), several=True)
    assert among.room + PLENTY.connections * among.room / 6_000 <= gate.room


def test_the_same_refusal_again_and_again_fills_no_log():
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.JsonLines())
    handler.addFilter(logs.Bounded(most=3, seconds=60))
    log = logging.Logger("test")
    log.addHandler(handler)
    for n in range(1_000):
        log.warning("refused %s", n)
    assert out.getvalue().count("\n") == 3


def test_what_was_left_out_of_the_log_is_said_later(monkeypatch: pytest.MonkeyPatch):
    bounded = logs.Bounded(most=2, seconds=60)
    records = [logging.LogRecord("a", logging.WARNING, "b", 3, "no", (), None) for _ in range(6)]
    for n, record in enumerate(records):
        record.created = 100.0 if n < 5 else 161.0
    assert [bounded.filter(each) for each in records] == [True, True, False, False, False, True]
    assert getattr(records[-1], "left_out") == 3  # noqa: B009


def test_one_table_hides_nothing_of_another():
    bounded = logs.Bounded(most=2, seconds=60)

    def errors(**more: str) -> list[bool]:
        record = {"name": "a", "lineno": 3, "created": 100.0, **more}
        return [bounded.filter(logging.makeLogRecord(record)) for _ in range(3)]

    for more in ({"place": "M1"}, {"place": "M2"}, {"table": "M3"}, {}):
        assert errors(**more) == [True, True, False]
    assert errors(place="M1", path="/of/whoever/asks") == [False] * 3, "a visitor opens no kind"


def test_an_alarm_is_always_written():
    bounded = logs.Bounded(most=2)
    alarms = [logging.makeLogRecord({"name": "a", **ALARM}) for _ in range(50)]
    assert all(map(bounded.filter, alarms))


def test_what_was_left_out_is_said_although_nothing_like_it_comes_again():
    out = io.StringIO()
    log = logging.Logger("test")
    handler = logs.handler_to(out, logs.Bounded(most=2, seconds=0.2))
    log.addHandler(handler)
    for n in range(10):
        log.error("refused %s", n, extra={"place": "M1"})
    assert out.getvalue().count("\n") == 2
    until(lambda: "left out" in out.getvalue())
    said = json.loads(out.getvalue().splitlines()[-1])
    wanted = {"says": "lines were left out", "left_out": 8, "like": "refused %s", "place": "M1"}
    assert wanted.items() <= said.items()
    log.error("refused %s", 11, extra={"place": "M1"})
    assert "left_out" not in json.loads(out.getvalue().splitlines()[-1]), "it is said once"


def test_started_as_root_it_says_what_that_means(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = demonstration(ServerConfig(port=taken.getsockname()[1]))
        with pytest.raises(CannotListen):  # said before anything else is done
            serve(config, announce=lambda addresses: None, browser=False)
    assert "a user of its own" in caplog.text
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert started_as_root() == ""
