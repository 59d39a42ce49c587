"""Every limit counts a network of IPv6 as one; whoever is known does not wait behind strangers."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs
from starlette.requests import HTTPConnection
from starlette.types import Message, Scope

from croupier.live.config import Limits
from croupier.live.errors import Stopping
from croupier.live.gate import Gate
from croupier.live.log_in_api import where_from
from croupier.live.log_in_limits import From
from croupier.live.metrics import Metrics
from croupier.live.password_pool import FOR_KNOWN, OF_ONE, WAITING, Busy, PasswordPool
from croupier.live.security import Guarded
from croupier.live.senders import sender, sender_of
from tests.in_a_loop import in_a_loop

NETWORK = "2001:db8::/64"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", NETWORK),
        ("2001:DB8:0:0:ffff:ffff:ffff:ffff", NETWORK),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_whom_a_limit_counts(address: str, counted: str):
    assert sender_of(address) == counted


def asked(address: str) -> Scope:
    """A request from an address."""
    return {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "headers": [(b"host", b"house.example")],
        "client": (address, 4_000),
    }


def test_a_request_or_socket_counts_by_its_network():
    assert sender(HTTPConnection(asked("2001:db8::7"))) == NETWORK
    assert sender(HTTPConnection({**asked(""), "client": None})) == ""


def test_where_a_log_in_comes_from_is_a_network():
    casino: Any = SimpleNamespace(identity=SimpleNamespace(read_note=lambda *_: None))
    asking = [HTTPConnection(asked(f"2001:db8::{n}")) for n in range(1, 9)]
    found = {where_from(each, casino, "Ann") for each in asking}
    assert found == {From(address=NETWORK)}


def test_the_gate_counts_a_network():
    async def let_in(limits: Limits) -> list[bool]:
        gate = Gate(limits, 100, Metrics())
        return [gate.admit(f"2001:db8::{n}") is not None for n in range(1, 9)]

    few = structs.replace(Limits(), connections_per_address=2)
    assert in_a_loop(let_in(few)).count(True) == 4
    slow = structs.replace(Limits(), connects_per_second=0.01, connects_at_once=3)
    assert in_a_loop(let_in(slow)).count(True) == 3


def test_requests_of_a_network_count_together():
    async def answers() -> list[int]:
        status: list[int] = []

        async def app(scope: Scope, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])

        guarded = Guarded(
            app,
            origins=["http://house.example"],
            metrics=Metrics(),
            requests_per_second=0.01,
            requests_at_once=3,
        )
        for n in range(1, 6):
            await guarded(asked(f"2001:db8::{n}"), None, send)  # type: ignore[arg-type]
        await guarded(asked("2001:db8:0:1::1"), None, send)  # type: ignore[arg-type]
        return status

    assert in_a_loop(answers()) == [200] * 3 + [429] * 2 + [200]


# ---- passwords ----------------------------------------------------------------------------------


async def taken(pool: PasswordPool, places: list[From]) -> list[asyncio.Task[Any]]:
    """Passwords of these places that wait; who was told to try again is not among them."""
    free = threading.Event()
    tasks = [asyncio.ensure_future(pool.run(place, free.wait, 10)) for place in places]
    await asyncio.sleep(0)
    free_later = asyncio.get_running_loop().call_later(0.05, free.set)
    done = await asyncio.gather(*tasks, return_exceptions=True)
    free_later.cancel()
    assert all(each is True or isinstance(each, Busy) for each in done)
    return [task for task, each in zip(tasks, done, strict=True) if each is True]


def waiting(*places: From) -> int:
    """How many of these passwords are looked at, if all come at once."""

    async def counted() -> int:
        pool = PasswordPool()
        try:
            return len(await taken(pool, list(places)))
        finally:
            pool.close()

    return in_a_loop(counted())


def test_strangers_leave_a_third_to_whoever_is_known():
    strangers = [From(address=f"192.0.2.{n}") for n in range(60)]
    assert waiting(*strangers) == WAITING - FOR_KNOWN == 16
    known = [From(address=f"198.51.100.{n}", device=f"browser {n}") for n in range(60)]
    assert waiting(*strangers, *known) == WAITING == 24


def test_a_known_browser_does_not_count_with_strangers_of_its_address():
    strangers = [From(address="192.0.2.1")] * 10
    assert waiting(*strangers) == OF_ONE
    assert waiting(*strangers, From(address="192.0.2.1", device="hers")) == OF_ONE + 1


def test_nobody_takes_what_is_left_to_the_known_by_many_browsers():
    assert waiting(*[From(address="192.0.2.1", device="one")] * 10) == OF_ONE
    many = [From(address="192.0.2.1", device=f"browser {n}") for n in range(40)]
    assert waiting(*many) < FOR_KNOWN


def test_what_waits_when_the_server_stops_is_told_so():
    async def told() -> list[Any]:
        pool, begun, free = PasswordPool(), threading.Event(), threading.Event()

        def does() -> bool:
            begun.set()
            return free.wait(10)

        places = [From(address=f"192.0.2.{n}") for n in range(6)]
        tasks = [asyncio.ensure_future(pool.run(place, does)) for place in places]
        assert await asyncio.to_thread(begun.wait, 10)
        pool.close()
        free.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    found = in_a_loop(told())
    assert found[0] is True
    assert isinstance(found[-1], Stopping)
