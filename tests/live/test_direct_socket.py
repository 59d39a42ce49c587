"""The socket of a client: whole texts both ways, congestion, faults; each in good order.

By the direct socket, and over ASGI as where uvicorn has no class for it."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.live import sending
from croupier.live.direct_socket import DirectSocket
from tests.live.conftest import PLENTY, QUICK, AtTable, Running, running


@pytest.fixture(scope="module", params=["short", "over ASGI"])
def calm(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """One table at which nothing happens by itself."""
    if request.param == "over ASGI":
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sending, "DIRECT_SOCKET", None)
            yield from _calm(tmp_path_factory)
    else:
        yield from _calm(tmp_path_factory)


def _calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("line")
    slow = structs.replace(QUICK, between_rounds=600, pace=1.0)
    limits = structs.replace(PLENTY, queue=5_000)
    with running(folder, clocks=slow, limits=limits, tables=("Orchard",)) as casino:
        yield casino


def arrived(calm: Running) -> AtTable:
    """Somebody who watches, and has been told how the table stands."""
    table = calm.enter().at("Orchard")
    assert [table.next()["is"], table.next()["is"]] == ["hello", "view"]
    return table


def told(calm: Running, *messages: bytes) -> None:
    """Tell all viewers of the table."""

    async def tell() -> None:
        for message in messages:
            calm.casino.hubs["Orchard"].tell_all(message)

    asyncio.run_coroutine_threadsafe(tell(), calm.casino.loop).result(30)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 300_000])
def test_a_text_of_any_size_arrives_whole(calm: Running, size: int):
    table = arrived(calm)
    text = "é" * (size // 2) + "x" * (size % 2)  # as many bytes in UTF-8
    told(calm, text.encode())
    assert table.socket.recv(timeout=10) == text
    table.close()


def test_a_text_in_many_frames_is_heard_as_one(calm: Running):
    table = arrived(calm)
    table.socket.send(iter(['{"pi', 'ng":', " 7}"]))
    assert table.next() == {"is": "pong", "ping": 7}
    table.close()


def test_many_texts_at_once_are_answered_in_order(calm: Running):
    table = arrived(calm)
    for number in range(300):
        table.send({"ping": number})
    assert [table.next()["ping"] for _ in range(300)] == list(range(300))
    table.close()


def test_what_is_no_text_closes_the_connection_with_a_reason(calm: Running):
    table = arrived(calm)
    table.send(b"\x00\x01")
    assert table.next()["is"] == "bye"
    with pytest.raises(ConnectionClosed) as closed:
        table.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4400


def test_what_is_no_utf_8_closes_the_connection(calm: Running):
    port = int(calm.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.settimeout(10)
        line.sendall(
            f"GET /ws?place=Orchard HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b" 101 " in line.recv(100)
        line.sendall(b"\x81\x82\0\0\0\0\xff\xfe")  # a masked text that is none
        received = b""
        while piece := line.recv(65_536):
            received += piece
    assert received.endswith(b"\x88\x02\x03\xef")  # a farewell with the code 1007
    arrived(calm).close()  # the table is unharmed


def test_a_viewer_who_pauses_is_told_everything_in_order_when_he_reads_again(calm: Running):
    """More than the machine's buffers hold waits for him, and nothing is lost or doubled."""
    url = f"{calm.url.replace('http', 'ws', 1)}/ws?place=Orchard"
    pausing = connect(url, max_size=None, max_queue=1)  # it reads no further than it is asked to
    table = AtTable(calm.sockets.enter_context(pausing), "Orchard")
    assert [table.next()["is"], table.next()["is"]] == ["hello", "view"]
    count = 3_000
    told(calm, *(b'{"is":"clock","number":%d,"x":"%s"}' % (n, b"x" * 4_000) for n in range(count)))
    [viewing] = calm.casino.hubs["Orchard"].viewings
    assert viewing._queue, "the line was never congested"  # type: ignore[attr-defined]
    assert [table.next()["number"] for _ in range(count)] == list(range(count))
    table.close()


def test_a_fault_closes_one_connection_and_harms_no_other(
    calm: Running, monkeypatch: pytest.MonkeyPatch
):
    unlucky, other = arrived(calm), arrived(calm)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    faults = calm.casino.metrics.faults.value()
    with monkeypatch.context() as patch:
        patch.setattr(calm.casino, "set_ready", fails)
        unlucky.send({"ready": True})
        with pytest.raises(ConnectionClosed) as closed:
            unlucky.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011
    assert calm.casino.metrics.faults.value() == faults + 1
    other.send({"ping": 1})
    assert other.next() == {"is": "pong", "ping": 1}
    other.close()


@pytest.mark.parametrize("aborted", [False, True], ids=["closed", "cut off"])
def test_a_line_that_was_closed_is_gone_without_the_collector(calm: Running, aborted: bool):
    table = arrived(calm)
    [viewing] = calm.casino.hubs["Orchard"].viewings
    line = viewing._line  # type: ignore[attr-defined]
    kept = [weakref.ref(line)]
    if isinstance(line, DirectSocket):  # what uvicorn's own class leaves behind is uvicorn's
        kept.append(weakref.ref(line.conn))
    del viewing, line
    gc.disable()
    try:
        if aborted:
            table.socket.socket.shutdown(socket.SHUT_RDWR)
        else:
            table.close()
        end = time.monotonic() + 10
        while any(each() is not None for each in kept):
            assert time.monotonic() < end, "something goes in circles"
            time.sleep(0.02)
    finally:
        gc.enable()
