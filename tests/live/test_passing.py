"""What is passed on to other servers goes over few connections, which are closed in the end."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import Response

from croupier.live.cluster import passing
from croupier.live.cluster.passing import KEPT_OPEN, Passing
from tests.in_a_loop import in_a_loop


class Connection:
    """One that answers a little later."""

    def __init__(self) -> None:
        self.is_open = True

    async def ask(self, *_: object) -> Response:
        await asyncio.sleep(0.001)
        return Response(b"{}")

    def close(self) -> None:
        self.is_open = False


def test_connections_to_another_server_are_used_again_and_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
):
    made: list[Connection] = []

    async def opened(*_: object) -> Connection:
        await asyncio.sleep(0)
        made.append(Connection())
        return made[-1]

    monkeypatch.setattr(passing._Link, "opened", opened)
    cluster: Any = SimpleNamespace(door=SimpleNamespace(secret=b"", close=lambda: None))
    here: Any = SimpleNamespace()

    async def ask(asks: Passing) -> None:
        await asks._asked("10.0.0.5:8117", "GET", b"/", [], b"")

    async def ask_all() -> None:
        asks = Passing(here, cluster)
        for _ in range(10):
            await asyncio.gather(*(ask(asks) for _ in range(2 * KEPT_OPEN)))
        assert sum(each.is_open for each in made) == KEPT_OPEN
        made[-1].is_open = False
        await ask(asks)
        asks.close()
        assert not any(each.is_open for each in made)

    in_a_loop(ask_all())
