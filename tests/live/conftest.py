"""A casino that runs in a thread of the test, and clients that speak to it over real sockets."""

from __future__ import annotations

import functools
import json
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from websockets.sync.client import ClientConnection, connect

from croupier.house import manifest
from croupier.house.casino import Casino
from croupier.house.config import setting_changes, settings_of
from croupier.house.manifest import manifest_of, sign, write_manifest
from croupier.house.seals.keys import SigningKey
from croupier.live.casino import LiveCasino
from croupier.live.config import ApprovalConfig, Clocks, Config, Limits, ServerConfig
from croupier.live.demonstration import demonstration
from croupier.live.opening import NO_SETTINGS, approved_settings
from croupier.live.server import listen, make_server, open_casino

QUICK = Clocks(between_rounds=0.02, pace=0.0, bets=0.4, to_act=20, straddle=2, decision=5)
"""A dealer who takes no time; players still have theirs."""
PLENTY = Limits(
    messages_per_second=5_000,
    messages_at_once=10_000,
    requests_per_second=5_000,
    requests_at_once=10_000,
    connects_per_second=5_000,
    connects_at_once=10_000,
    queue=2_000,
)


class Running:
    """A casino under test."""

    def __init__(self, casino: LiveCasino, url: str) -> None:
        self.casino = casino
        self.url = url
        self.sockets = ExitStack()
        """Closed at the end, whatever the tests left open."""

    def enter(self, name: str | None = None, *, bot: bool = False) -> Client:
        """A visitor, who has entered if he has a name."""
        return Client(self, name, bot=bot)


class Client:
    """A visitor with a browser's cookie jar and any number of sockets."""

    def __init__(self, running: Running, name: str | None, *, bot: bool = False) -> None:
        self.running = running
        self.name = name
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.token = self.get("/api/me")["token"]
        if name is not None:
            self.post("/api/enter", {"name": name, "bot": bot})

    def get(self, path: str) -> Any:
        with self.opener.open(f"{self.running.url}{path}") as answer:
            return json.load(answer)

    def post(self, path: str, body: Any) -> Any:
        request = urllib.request.Request(
            f"{self.running.url}{path}",
            json.dumps(body).encode(),
            {"X-Croupier-Token": self.token, "Content-Type": "application/json"},
        )
        with self.opener.open(request) as answer:
            return json.load(answer)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.jar)

    def at(self, place: str, after: int | None = None) -> AtTable:
        """Connect to a table."""
        since = "" if after is None else f"&after={after}"
        url = f"{self.running.url.replace('http', 'ws', 1)}/ws?place={place}{since}"
        opened = connect(
            url,
            additional_headers={"Cookie": self.cookie},
            max_size=None,
            max_queue=None,
            close_timeout=1,
        )
        return AtTable(self.running.sockets.enter_context(opened), place)


INSTALLED = functools.cache(manifest._dependencies)


def until(holds: Callable[[], Any], seconds: float = 20) -> Any:
    """Wait for what other threads bring about; its value."""
    over = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < over, "it does not come to that"
        time.sleep(0.02)
    return found


class AtTable:
    """One socket at one table, read message by message."""

    def __init__(self, socket: ClientConnection, place: str) -> None:
        self.socket = socket
        self.place = place
        self.heard: list[dict[str, Any]] = []

    def next(self, timeout: float = 10) -> dict[str, Any]:
        message = json.loads(self.socket.recv(timeout=timeout))
        self.heard.append(message)
        return message

    def until(self, kind: str, timeout: float = 10, **fields: Any) -> dict[str, Any]:
        """Read on to the next message of a kind, with these fields."""
        while True:
            message = self.next(timeout)
            if message["is"] == kind and all(message.get(k) == v for k, v in fields.items()):
                return message

    def until_view(self, holds: Any, timeout: float = 10) -> dict[str, Any]:
        """Read on until the view is so."""
        while True:
            message = self.next(timeout)
            if "view" in message and holds(message["view"]):
                return message

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def give(self, id: str | None = None, **command: Any) -> str:
        id = id or str(uuid.uuid4())
        self.send({"id": id, "place": self.place, "command": command})
        return id

    def do(self, **command: Any) -> dict[str, Any]:
        """Give a command and read on to its answer."""
        id = self.give(**command)
        while True:
            message = self.next()
            if message.get("id") == id:
                return message

    def close(self) -> None:
        self.socket.close()


PASSWORD = "correct horse battery staple"
"""Everybody's, in a casino for money."""


def found_for_money(folder: Path, database: str | None = None) -> None:
    """Found a House of real money where `running` looks for it: the server founds none."""
    url = database or f"sqlite:///{folder / 'casino.sqlite3'}"
    Casino.open(
        url,
        administrator="administrator",
        password=PASSWORD,
        real_money=True,
        copy=copy_for(folder, database) or None,
    ).close()


def copy_for(folder: Path, database: str | None) -> str:
    """Beside a file of SQLite the copy lies by itself; a House on a server names a folder."""
    return str(folder / "copy") if database else ""


def put_on_record(config: Config) -> None:
    """The administrator answers for the settings: a server for money opens with no others."""
    office = Casino.open(config.server.database, tables=(), copy=config.server.copy or None)
    changed = setting_changes(office.office.state, settings_of(config, NO_SETTINGS))
    assert office.note_settings(changed, who="administrator") is None
    office.stop()


REGULATOR = SigningKey(b"the regulator's key in all tests")


def approved_by_regulator(config: Config, folder: Path, more: Config | None = None) -> Config:
    """A casino for money opens with a manifest that the regulator has signed; it may name more
    tables than the casino has yet."""
    file = folder / f"approved-{uuid.uuid4().hex}.json"
    settings = approved_settings(config)
    if more is not None:
        settings = approved_settings(more) | settings
    write_manifest(file, sign(manifest_of(settings), REGULATOR))
    approval = ApprovalConfig(manifest=str(file), regulator_key=REGULATOR.public)
    return structs.replace(config, approval=approval)


@contextmanager
def running(
    folder: Path,
    config: Config | None = None,
    *,
    clocks: Clocks = QUICK,
    limits: Limits = PLENTY,
    tables: tuple[str, ...] | None = None,
    database: str | None = None,
    approved: Config | None = None,
    second_factor: str = "optional",
    proxies: tuple[str, ...] = (),
    origins: tuple[str, ...] = (),
) -> Iterator[Running]:
    """A casino on a free port, stopped as planned at the end; `approved` has tables that are named
    by the manifest but not set up."""
    url = database or f"sqlite:///{folder / 'casino.sqlite3'}"
    server = ServerConfig(
        port=0,
        database=url,
        key_file=str(folder / "key"),
        copy=copy_for(folder, database),
        second_factor=second_factor,  # type: ignore[arg-type]
        proxies=proxies,
        origins=origins,
    )
    config = config or demonstration(server)
    kept = {n: t for n, t in config.tables.items() if tables is None or n in tables}
    config = structs.replace(config, server=server, clocks=clocks, limits=limits, tables=kept)
    config = config if config.demonstration else approved_by_regulator(config, folder, approved)
    made = listen(config)
    if not config.demonstration:
        put_on_record(config)
    casino = open_casino(config)
    ready = threading.Event()
    uvicorn_server = make_server(config, casino, made, ready.set)
    thread = threading.Thread(target=lambda: uvicorn_server.run(sockets=[made]), daemon=True)
    thread.start()
    assert ready.wait(20), "the server does not start"
    opened = Running(casino, f"http://127.0.0.1:{made.getsockname()[1]}")
    try:
        yield opened
    finally:
        opened.sockets.close()
        uvicorn_server.should_exit = True
        thread.join(30)
        made.close()
        assert not thread.is_alive(), "the server does not stop"


@pytest.fixture(scope="module", autouse=True)
def packages_read_once() -> Iterator[None]:
    """Every House of real money here looks at the same installed packages: they are read once.
    Tests elsewhere, which may share the process, read them as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "_dependencies", INSTALLED)
        yield


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    """The demonstration, quick."""
    with running(tmp_path) as casino:
        yield casino
