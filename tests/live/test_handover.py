"""A socket that is passed on to the server of its table: handed over on one machine, passed through
between two. The player notices no difference, but for one: where it was handed over, the server
that the player came to is not needed any more."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.live.cluster import handover, internal
from croupier.live.cluster.handover import HandedOver, Taking, hand_over, name_of
from croupier.live.cluster.internal import OURS, SECRET, Door
from croupier.live.cluster.tunnel import Tunnel, request_head
from croupier.live.config import Limits
from croupier.live.direct_socket import direct_socket_of
from croupier.live.sending import ws_class
from tests.in_a_loop import in_a_loop

pytestmark = pytest.mark.skipif(not handover.AVAILABLE, reason="only Linux can hand over")

TAKES_AT_MOST = 5
resource = pytest.importorskip("resource")
WAYS = ("handed over", "passed through")
HANDSHAKE = b"\r\n".join(
    [
        b"GET /ws HTTP/1.1",
        b"host: there",
        b"upgrade: websocket",
        b"connection: upgrade",
        b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        b"sec-websocket-version: 13",
        b"",
        b"",
    ]
)
HELLO = b"\x81\x85\0\0\0\0hello"
"""A text of a player, in a frame."""


async def echoes(scope: Scope, receive: Receive, send: Send) -> None:
    """The server of a table: it says everything again, and goes when it is told to."""
    at = WebSocket(scope, receive, send)
    await at.accept()
    with suppress(Exception):
        while (text := await at.receive_text()) != "go":
            await at.send_text(f"{scope['client'][0]}: {text}")
        await at.close(4321)


class Front:
    """The server that players come to. It passes every socket on."""

    def __init__(self, address: tuple[str, int], way: str, secret: bytes) -> None:
        self.address, self.way, self.secret = address, way, secret
        self.door: Door
        self.passed: list[Tunnel | HandedOver] = []
        self.transports: list[Any] = []
        self.over = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        at = WebSocket(scope, receive, send)
        direct = direct_socket_of(at)
        assert direct is not None
        kept = [pair for pair in scope["headers"] if pair[0] not in OURS]
        headers = [*kept, (SECRET, self.secret), (b"x-croupier-client", b"192.0.2.7")]
        head = request_head(b"/ws", headers, b"GET")
        passed: Tunnel | HandedOver | None = Tunnel(direct, self.address, head)
        if self.way == "handed over":
            passed = hand_over(direct, name_of(written(self.address), b"secret"), head)
        assert passed is not None
        self.passed.append(passed)
        self.transports.append(direct.transport)
        await self.keeps(passed)
        self.over += 1

    async def keeps(self, passed: Tunnel | HandedOver) -> None:
        await passed.run()


def written(address: tuple[str, int]) -> str:
    return f"{bracketed(address[0])}:{address[1]}"


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@asynccontextmanager
async def servers(
    way: str,
    *,
    behind: Callable[..., Awaitable[None]] = echoes,
    secret: bytes = b"secret",
    host: str = "127.0.0.1",
) -> AsyncIterator[tuple[Front, str]]:
    """The door of one server, and another one before it; where players come."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.create_server((host, 0), family=family)
    door = Door(made, Limits(), b"secret")
    await door.open(behind)
    front = Front(made.getsockname()[:2], way, secret)
    front.door = door
    config = uvicorn.Config(front, ws=ws_class(), lifespan="off", log_config=None)
    config.load()
    state = ServerState()

    def connection() -> Any:
        return H11Protocol(config=config, server_state=state, app_state={})

    listening = await asyncio.get_running_loop().create_server(connection, host, 0)
    try:
        yield front, f"ws://{bracketed(host)}:{listening.sockets[0].getsockname()[1]}/ws"
    finally:
        listening.close()
        for each in front.transports:
            each.abort()
        door.close()


async def says(player: ClientConnection, text: str) -> str:
    await player.send(text)
    return str(await asyncio.wait_for(player.recv(), TAKES_AT_MOST))


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(TAKES_AT_MOST):
        while not holds():
            await asyncio.sleep(0.01)


async def asks(url: str, more: bytes = b"", port: int = 0) -> socket.socket:
    """A player whose program reads nothing by itself; `more` is sent with the head, and `port` is
    where it comes from."""
    host, _, where = url.removeprefix("ws://").removesuffix("/ws").rpartition(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", port))
    made.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(made, (host, int(where)))
    await loop.sock_sendall(made, HANDSHAKE + more)
    return made


async def reads(player: socket.socket, most: int = 65_536) -> bytes:
    return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(player, most), TAKES_AT_MOST)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("way", WAYS)
def test_a_player_speaks_with_the_server_of_the_table(way: str):
    async def spoken() -> None:
        async with servers(way) as (front, url), connect(url) as player:
            assert await says(player, "one") == "192.0.2.7: one", "whom the first server saw"
            assert await says(player, "two") == "192.0.2.7: two"
            assert front.over == 0
            with pytest.raises(ConnectionClosed):
                await says(player, "x" * 300_000)  # longer than a message may be
            await until(lambda: front.over == 1)

    in_a_loop(spoken())


@pytest.mark.parametrize("way", WAYS)
def test_so_a_player_does_over_ipv6(way: str):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")

    async def spoken() -> None:
        async with servers(way, host="::1") as (_, url), connect(url) as player:
            assert await says(player, "one") == "192.0.2.7: one"

    in_a_loop(spoken())


@pytest.mark.parametrize("way", WAYS)
def test_what_the_server_of_the_table_says_at_the_end_is_heard(way: str):
    async def ended() -> None:
        async with servers(way) as (front, url):
            before = descriptors()
            async with connect(url) as player:
                await player.send("go")
                with pytest.raises(ConnectionClosed) as closed:
                    await asyncio.wait_for(player.recv(), TAKES_AT_MOST)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4321
            await until(lambda: front.over == 1)
            await until(lambda: descriptors() <= before)

    in_a_loop(ended())


@pytest.mark.parametrize("way", WAYS)
def test_nothing_stays_open_of_players_who_have_gone(way: str):
    async def gone() -> None:
        async with servers(way) as (front, url):
            before = descriptors()
            players = [await connect(url) for _ in range(20)]
            for n, each in enumerate(players):
                assert (await says(each, str(n))).endswith(str(n))
            for n, each in enumerate(players):
                if n % 2:
                    await each.close()
                else:
                    each.transport.abort()
            await until(lambda: front.over == len(players))
            await until(lambda: descriptors() <= before)

    in_a_loop(gone())


@pytest.mark.parametrize("way", WAYS)
def test_a_socket_is_cut_although_the_other_server_is_frozen_and_holds_it(way: str):
    async def frozen() -> None:
        async with servers(way, behind=holds_on) as (front, url), connect(url) as player:
            front.passed[0].cut()
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(player.recv(), TAKES_AT_MOST)
            await until(lambda: front.over == 1)
            front.passed[0].cut()  # a second time does nothing

    in_a_loop(frozen())


async def holds_on(scope: Scope, receive: Receive, send: Send) -> None:
    """As one that is frozen: it never goes, whatever becomes of the connection."""
    await receive()
    await send({"type": "websocket.accept"})
    await asyncio.sleep(0.5)


def test_a_player_who_was_handed_over_does_not_notice_when_the_first_server_stops():
    async def stopped() -> None:
        async with servers("handed over") as (front, url), connect(url) as player:
            assert await says(player, "one") == "192.0.2.7: one"
            assert not front.transports[0].is_reading()
            front.transports[0].close()  # as uvicorn does at a stop
            await until(lambda: front.over == 1)
            assert await says(player, "two") == "192.0.2.7: two"

    in_a_loop(stopped())


def test_a_player_hears_of_the_end_although_the_first_server_is_frozen():
    class Frozen(Front):
        async def keeps(self, passed: Tunnel | HandedOver) -> None:
            await woken.wait()
            await passed.run()

    async def frozen() -> None:
        async with servers("handed over") as (front, url):
            front.__class__ = Frozen
            async with connect(url, close_timeout=60) as player:
                assert await says(player, "one") == "192.0.2.7: one"
                await player.send("go")
                await asyncio.wait_for(player.wait_closed(), TAKES_AT_MOST)
                assert player.close_code == 4321
            woken.set()
            await until(lambda: front.over == 1)

    woken = asyncio.Event()
    in_a_loop(frozen())


async def floods(scope: Scope, receive: Receive, send: Send) -> None:
    """More is written than whoever does not read can take, and then it is the end."""
    at = WebSocket(scope, receive, send)
    await at.accept()
    direct = direct_socket_of(at)
    assert direct is not None
    direct.write(b"x" * 30_000_000)
    direct.transport.close()


@pytest.mark.parametrize("way", WAYS)
def test_whoever_does_not_take_the_end_is_cut_off(way: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(internal, "CLOSING_SECONDS", 0.3)

    async def stays() -> None:
        async with servers(way, behind=floods) as (front, url):
            player = await asks(url)
            assert (await reads(player, 12)) == b"HTTP/1.1 101"
            await until(lambda: not front.door._state.connections)
            if way == "handed over":
                await until(lambda: front.over == 1)
            player.close()

    in_a_loop(stays())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("much", [4, len(HELLO)], ids=["half a frame", "a frame"])
def test_whoever_speaks_before_the_answer_hurts_nobody(way: str, much: int):
    """RFC 6455, 4.1: a client waits for it. What comes before it is not read."""

    async def early() -> None:
        async with servers(way) as (front, url), connect(url) as other:
            before = descriptors()
            player = await asks(url, HELLO[:much])
            assert (await reads(player, 12)) == b"HTTP/1.1 101"
            await asyncio.get_running_loop().sock_sendall(player, HELLO[much:] + HELLO)
            while b"hello" not in (told := await reads(player)) and told:
                pass
            assert bool(told) == (much == len(HELLO)), "half a frame is the end of it"
            player.close()
            await until(lambda: front.over == 1)
            await until(lambda: descriptors() <= before)
            assert await says(other, "one") == "192.0.2.7: one"

    in_a_loop(early())


@pytest.mark.parametrize("way", WAYS)
def test_without_the_secret_nobody_is_let_in(way: str):
    async def refused() -> None:
        async with servers(way, secret=b"wrong") as (_, url):
            with pytest.raises(InvalidStatus) as refusal:
                await connect(url)
            assert refusal.value.response.status_code == 403

    in_a_loop(refused())


# ---- whom nothing is handed over to, and from whom nothing is taken -----------------------------


def test_where_nobody_takes_it_the_socket_stays_and_is_read_again(monkeypatch: pytest.MonkeyPatch):
    async def stays() -> None:
        async def tries(scope: Scope, receive: Receive, send: Send) -> None:
            direct = direct_socket_of(WebSocket(scope, receive, send))
            assert direct is not None
            for nobody in (name_of("127.0.0.1:1", b"secret"), name_of(there, b"another")):
                assert hand_over(direct, nobody, b"GET / HTTP/1.1\r\n\r\n") is None
            monkeypatch.setattr(handover, "_is_ours", lambda line: False)  # another user's process
            assert hand_over(direct, name_of(there, b"secret"), b"GET / HTTP/1.1\r\n\r\n") is None
            assert direct.transport.is_reading()
            await echoes(scope, receive, send)

        async with servers("handed over") as (front, url):
            there = written(front.address)
            front.__class__ = type("Tries", (Front,), {"__call__": staticmethod(tries)})
            async with connect(url) as player:
                assert await says(player, "one") == "127.0.0.1: one"

    in_a_loop(stays())


def test_where_no_descriptor_is_left_the_socket_stays(monkeypatch: pytest.MonkeyPatch):
    async def none_left() -> None:
        async def tries(scope: Scope, receive: Receive, send: Send) -> None:
            direct = direct_socket_of(WebSocket(scope, receive, send))
            assert direct is not None
            with monkeypatch.context() as patched:
                patched.setattr(handover, "_line", none)
                head = b"GET / HTTP/1.1\r\n\r\n"
                assert hand_over(direct, name_of(there, b"secret"), head) is None
            assert direct.transport.is_reading()
            await echoes(scope, receive, send)

        async with servers("handed over") as (front, url):
            there = written(front.address)
            front.__class__ = type("Tries", (Front,), {"__call__": staticmethod(tries)})
            async with connect(url) as player:
                assert await says(player, "one") == "127.0.0.1: one"

    def none() -> socket.socket:
        raise OSError(24, "too many open files")

    in_a_loop(none_left())


@pytest.mark.parametrize("way", WAYS)
def test_a_socket_is_cut_although_no_descriptor_is_left(way: str):
    """A second one for a moment is one too many."""

    async def cut() -> None:
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        async with servers(way, behind=holds_on) as (front, url), connect(url) as player:
            assert descriptors() > 8
            resource.setrlimit(resource.RLIMIT_NOFILE, (8, limits[1]))
            try:
                front.passed[0].cut()
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(player.recv(), 0.4)  # `holds_on` has it a moment longer
            await until(lambda: front.over == 1)

    in_a_loop(cut())


def test_who_comes_from_the_same_port_proves_nothing_for_another_connection():
    """A port can be that of two connections, where they lead to two."""

    async def two() -> None:
        async with servers("handed over") as (front, url):
            silent = socket.socket()
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            silent.bind(("127.0.0.1", 0))
            silent.setblocking(False)
            await asyncio.get_running_loop().sock_connect(silent, front.address)
            waiting = front.door._unproven
            await until(lambda: len(waiting) == 1)
            player = await asks(url, port=silent.getsockname()[1])
            assert (await reads(player, 12)) == b"HTTP/1.1 101"
            assert len(waiting) == 1, "it still has to bring the secret"
            silent.close()
            player.close()

    in_a_loop(two())


class Broken(asyncio.Protocol):
    """What is made of what was taken, in these tests."""


@pytest.mark.parametrize(
    "what",
    ["no socket", "two sockets", "no head", "a head that is too long", "a file", "nothing at all"],
)
def test_what_is_no_socket_with_its_head_is_let_go_of(
    what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(handover, "GIVEN_WITHIN", 0.2)
    taken: list[bytes] = []

    def takes(head: bytes, ended: Callable[[], None]) -> asyncio.Protocol:
        taken.append(head)
        return Broken()

    async def attacked() -> None:
        name = name_of("127.0.0.1:1", os.urandom(8))
        taking = Taking(name, takes, most=100)
        assert taking.open()
        assert not Taking(name, takes, most=100).open(), "a name is one server's"
        mine, other = socket.socketpair()
        file = (tmp_path / "file").open("wb")
        before = descriptors()
        line = handover._line()
        line.connect(name)
        match what:
            case "no socket":
                line.send(b"head")
            case "two sockets":
                socket.send_fds(line, [b"head"], [mine.fileno(), other.fileno()])
            case "no head":
                socket.send_fds(line, [b""], [mine.fileno()])
            case "a head that is too long":
                socket.send_fds(line, [101 * b"h"], [mine.fileno()])
            case "a file":
                socket.send_fds(line, [b"head"], [file.fileno()])
        loop = asyncio.get_running_loop()
        assert await asyncio.wait_for(loop.sock_recv(line, 1), TAKES_AT_MOST) == b""
        line.close()
        await until(lambda: descriptors() <= before)
        assert taken == []
        taking.close()
        for each in (mine, other, file):
            each.close()

    in_a_loop(attacked())


def test_lines_that_wait_are_closed_with_the_door():
    async def closed() -> None:
        taking = Taking(name_of("127.0.0.1:1", os.urandom(8)), lambda *_: Broken(), most=100)
        assert taking.open()
        line = handover._line()
        line.connect(taking._name)
        await until(lambda: taking._waiting)
        taking.close()
        assert await asyncio.wait_for(asyncio.get_running_loop().sock_recv(line, 1), 2) == b""
        line.close()

    in_a_loop(closed())


def test_the_other_end_of_a_line_is_of_the_same_user():
    ours, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, other:
        assert handover._is_ours(ours)


def test_lines_of_another_user_are_closed_unread(monkeypatch: pytest.MonkeyPatch):
    async def strange() -> None:
        taking = Taking(name_of("127.0.0.1:1", os.urandom(8)), lambda *_: Broken(), most=100)
        assert taking.open()
        line = handover._line()
        line.connect(taking._name)
        monkeypatch.setattr(os, "geteuid", lambda: 4_294_967)
        assert await asyncio.wait_for(asyncio.get_running_loop().sock_recv(line, 1), 5) == b""
        line.close()
        taking.close()

    in_a_loop(strange())


def test_a_server_that_may_open_nothing_more_rests_and_goes_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(handover, "RESTS", 0.1)
    looked = 0

    class Full:
        """A socket that nothing can be taken from for a while."""

        def __init__(self, made: socket.socket) -> None:
            self._made = made

        def fileno(self) -> int:
            return self._made.fileno()

        def accept(self) -> Any:
            nonlocal looked
            looked += 1
            if looked < 3:
                raise OSError(24, "too many open files")
            return self._made.accept()

        def close(self) -> None:
            self._made.close()

    async def full() -> None:
        taking = Taking(name_of("127.0.0.1:1", os.urandom(8)), lambda *_: Broken(), most=100)
        assert taking.open()
        listening: Any = taking._listening
        taking._listening = Full(listening)  # type: ignore[assignment]
        line = handover._line()
        line.connect(taking._name)
        line.send(b"no socket")
        assert await asyncio.wait_for(asyncio.get_running_loop().sock_recv(line, 1), 5) == b""
        assert looked >= 3
        line.close()
        taking.close()

    in_a_loop(full())
