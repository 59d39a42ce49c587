"""The server as a whole: storage, casino, sockets; started, announced, and stopped as planned."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Container, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from croupier.desk import Desk, DeskLog
from croupier.desk.approved import NONE_LOADED, load_approved
from croupier.house.casino import Casino
from croupier.house.serving import noted
from croupier.house.standing import StandingOrders
from croupier.house.urls import POSTGRES
from croupier.live import systemd
from croupier.live.accepting import Accepting
from croupier.live.app import make_app
from croupier.live.casino import LiveCasino
from croupier.live.cluster.cluster import Cluster
from croupier.live.collector import collect_seldom
from croupier.live.config import LOOPBACK, Config, Limits, ServerConfig
from croupier.live.descriptors import Descriptors, descriptors_for
from croupier.live.errors import BadConfig
from croupier.live.gate import Admission, Gate
from croupier.live.http_connection import HttpConnection
from croupier.live.identity import AccountIdentityProvider, GuestIdentityProvider, IdentityProvider
from croupier.live.keys import desk_log, key_of
from croupier.live.listening import listen_on
from croupier.live.logs import NAME
from croupier.live.metrics import Metrics
from croupier.live.opening import check_approved, check_house
from croupier.live.proxies import Proxies
from croupier.live.seals import sealing_of
from croupier.live.sending import ws_class

log = logging.getLogger(NAME)

KEEP_ALIVE = 20.0
"""Seconds between two pings of a socket, and until a missing answer ends it."""
FAREWELL = 2.0
"""Seconds in which clients are told of a stop before they are cut off."""
EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that stand for every address of the machine, its own included."""
BESIDE_SOCKETS = 1_000
"""Connections beside those of sockets: for pages and the API."""
SAVES_WITHIN = 30
"""Seconds that open connections have to go at a planned stop."""


def open_casino(config: Config) -> LiveCasino:
    """The casino of a configuration, opened from the database that it names."""
    check_house(config)
    approved = check_approved(config)
    url = config.server.database
    orders = StandingOrders(config.standing_orders)
    key = key_of(config.server)
    cluster = Cluster.listening(config, key) if url.startswith(POSTGRES) else None
    casino = Casino.open(
        url,
        real_money=not config.demonstration,
        copy=config.server.copy or None,
        orders=orders,
        sealing=sealing_of(config),
        approved=approved,
        tables=cluster.choose if cluster is not None else None,
        storage_process=stores_apart(config.server),
    )
    casino.second_factor_required = config.second_factor_required
    identity: IdentityProvider
    if config.demonstration:
        identity = GuestIdentityProvider(casino, key, config.limits.guests)
    else:
        identity = AccountIdentityProvider(casino, key)
    return LiveCasino(config, casino, identity, cluster)


def stores_apart(server: ServerConfig) -> bool:
    """Whether what is stored is stored by a process of its own: it needs a core of its own."""
    if server.storage != "auto":
        return server.storage == "process"
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0)) > 1  # a container may have fewer than the machine
    return (os.cpu_count() or 1) > 1


def open_desk(config: Config) -> Desk:
    """The ruling desk of a casino, with its log in a file beside the House's database."""
    wording = config.desk.approved
    return Desk(
        DeskLog(desk_log(config)),
        approved=load_approved(Path(wording)) if wording else NONE_LOADED,
        house=config.desk.house,
        area=config.desk.area,
    )


def listen(config: Config) -> socket.socket:
    """The listening socket; a clear error if the address or port cannot be had."""
    host, port = config.server.host, config.server.port
    if config.demonstration and host not in LOOPBACK:
        raise BadConfig("server.host: the demonstration listens on this machine alone")
    return listen_on(host, port)


def origins_of(config: Config, port: int) -> list[str]:
    """The origins under which the pages of this server are reached."""
    host = config.server.host
    names = ["127.0.0.1", "localhost", "[::1]"] if host in (*LOOPBACK, *EVERYWHERE) else []
    names += [host] if host not in LOOPBACK else []
    found = [f"http://{name}:{port}" for name in names]
    if port == 80:
        found += [f"http://{name}" for name in names]
    return [*found, *config.server.origins]


class ListeningServer(uvicorn.Server):
    """Uvicorn, told when it listens, and stopped by a planned stop on either signal."""

    def __init__(self, config: uvicorn.Config, gate: Gate, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._gate = gate
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open, and accept connections as the gate lets them in."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            raise SystemExit(STARTUP_FAILURE)
        accepting = [Accepting(each, self._gate, self._connection) for each in sockets or ()]
        for each in accepting:
            each.start(self.config.backlog)
        self.servers: list[Any] = list(accepting)
        self.started = True
        self._listening()
        systemd.notify(systemd.READY)
        self._alive = asyncio.get_running_loop().create_task(systemd.say_alive())

    def _connection(self, admission: Admission) -> HttpConnection:
        return HttpConnection(
            gate=self._gate,
            admission=admission,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal stops the server; once it has stopped, the program goes on to its end."""

        if threading.current_thread() is not threading.main_thread():
            yield  # a server in a thread is stopped by its owner
            return

        def stop(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)

        before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


class Server(ListeningServer):
    """The server of a casino: a stop saves every round before it closes the connections."""

    def __init__(
        self, config: uvicorn.Config, gate: Gate, casino: LiveCasino, listening: Callable[[], None]
    ) -> None:
        super().__init__(config, gate, listening)
        self._casino = casino

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """First every round is saved and every client told so; then the connections are closed."""
        systemd.notify(systemd.STOPPING)
        await self._casino.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self._casino.watchers.connections():
                    await asyncio.sleep(0.01)
        await super().shutdown(sockets)


def make_server(
    config: Config,
    casino: LiveCasino,
    made: socket.socket,
    listening: Callable[[], None] = lambda: None,
) -> Server:
    """The server of a casino on a socket that `listen` has made."""
    limits = config.limits
    port = int(made.getsockname()[1])
    settings = uvicorn.Config(
        make_app(casino, origins=origins_of(config, port), desk=open_desk(config)),
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        date_header=False,
        loop=loop_of(config.server),
        ws=ws_class(),
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=KEEP_ALIVE,
        ws_ping_timeout=KEEP_ALIVE,
        h11_max_incomplete_event_size=limits.header_bytes,
        timeout_keep_alive=limits.idle_seconds,
        backlog=2_048,
        timeout_graceful_shutdown=SAVES_WITHIN,
        proxy_headers=False,
    )
    several = casino.cluster is not None
    gate = gate_of(limits, casino.metrics, Proxies(config.server.proxies), several=several)
    casino.metrics.gauge("croupier_connections", "Connections", lambda: gate.connections)
    return Server(settings, gate, casino, listening)


def loop_of(config: ServerConfig) -> Literal["auto", "asyncio", "uvloop"]:
    """The event loop that was asked for; a clear error where it is not installed."""
    if config.loop == "uvloop" and find_spec("uvloop") is None:
        raise BadConfig(
            "server.loop: uvloop is not installed; install croupier[uvloop], or leave it to "
            "--loop auto, which takes it where it is there"
        )
    return config.loop


def descriptors_of(limits: Limits, *, several: bool) -> Descriptors:
    """What there is for these limits; among several servers every socket may be one of two."""
    every = limits.connections + BESIDE_SOCKETS
    return descriptors_for(every, twice=limits.connections if several else 0)


def gate_of(
    limits: Limits, metrics: Metrics, trusted: Container[str] = (), *, several: bool = False
) -> Gate:
    """The gate for these limits. Where descriptors are short it says so, once, at the start."""
    found = descriptors_of(limits, several=several)
    if found.warning:
        log.warning(found.warning)
    return Gate(limits, found.room, metrics, trusted)


def serve(
    config: Config,
    *,
    announce: Callable[[list[str]], None],
    browser: bool = True,
    joined: Callable[[LiveCasino], Any] = lambda casino: None,
) -> None:
    """Run a casino until it is stopped. `announce` is told the addresses once it listens.

    `joined` is called with the casino before it opens, to seat bots and the like.
    """
    if says := started_as_root():
        log.warning(says)
    made = listen(config)
    try:
        casino = open_casino(config)
        joined(casino)
        addresses = addresses_of(config, int(made.getsockname()[1]), casino)
        tasks: list[asyncio.Task[None]] = []  # the loop holds them by a weak reference only

        def listening() -> None:
            tasks.append(asyncio.create_task(collect_seldom(lambda: casino.house.writer.groups)))
            announce(addresses)
            if browser and has_browser():
                webbrowser.open(addresses[0])

        server = make_server(config, casino, made, listening)
        with noted(config.server.database, office_address(config, made)):
            server.run(sockets=[made])
    finally:
        made.close()


def started_as_root() -> str:
    """What it means that this process is root's, if it is."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return ""
    return (
        "started as root: a fault in this server could read and change every file of the machine, "
        "and the House's files belong to root alone; start it as a user of its own, to whom the "
        "database, its copy and its keys belong"
    )


def addresses_of(config: Config, port: int, casino: LiveCasino) -> list[str]:
    """The lobby's address, then those of the tables."""
    host = config.server.host
    shown = f"[{host}]" if ":" in host else host
    lobby = f"http://{shown}:{port}/"
    places = casino.casino.office.state.places
    open_ones = [name for name, at in places.items() if at.kind == "table" and not at.closed]
    tables = casino.house.pit.tables if casino.cluster is None else open_ones
    return [lobby, *(f"{lobby}table/{place}" for place in tables)]


def office_address(config: Config, made: socket.socket) -> str | None:
    """Where the office on this machine reaches the server: only an address that a password may be
    sent to, which is this machine itself, or https."""
    host, port = config.server.host, int(made.getsockname()[1])
    if host in (*LOOPBACK, *EVERYWHERE):
        return f"http://{'[::1]' if host in ('::1', '::') else '127.0.0.1'}:{port}"
    return next((o for o in config.server.origins if o.startswith("https://")), None)


def has_browser() -> bool:
    """Whether there is a screen on which a browser could open."""
    if os.name == "posix" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return os.uname().sysname == "Darwin"
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True
