"""Which PostgreSQL server of an address is used: one of several hosts, and never an old primary.

`postgresql://house@a,b/casino` names two. They are asked at the same time, so that a machine that
is switched off holds nobody up, and the one that is written to is taken (`target_session_attrs`,
as libpq has it). With several hosts that is `read-write` unless the address says otherwise.

A standby that is promoted begins a new timeline. The primary before it, if it comes back as one,
is still on the old: whoever has seen the new one does not go back to it (fencing). The time for
connecting and the probes of a silent connection may be given as libpq has them; they have defaults
of seconds, for without them a machine that vanishes is waited for by the quarter of an hour.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import asyncpg

from croupier.house.alarm_log import ALARM
from croupier.house.errors import BadUrl, LostConnection
from croupier.house.urls import shown

logger = logging.getLogger("croupier.house")

NUMBERS = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""What an address may say of its connections, by libpq's words: seconds, `tcp_user_timeout` in
milliseconds."""
SESSION = "target_session_attrs"
WRITABLE, STANDBY = ("read-write", "primary"), ("read-only", "standby")
SESSIONS = ("any", *WRITABLE, *STANDBY)
"""What `target_session_attrs` may be."""
PROBES = {
    "keepalives_idle": getattr(socket, "TCP_KEEPIDLE", getattr(socket, "TCP_KEEPALIVE", None)),
    "keepalives_interval": getattr(socket, "TCP_KEEPINTVL", None),
    "keepalives_count": getattr(socket, "TCP_KEEPCNT", None),
    "tcp_user_timeout": getattr(socket, "TCP_USER_TIMEOUT", None),
}
"""The options of a socket, where the machine has them."""
LOOK = (
    "SELECT pg_is_in_recovery(), (SELECT system_identifier::text FROM pg_control_system()), "
    "CASE WHEN NOT pg_is_in_recovery() "
    "THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END"
)
"""Whether a server is a standby, which database system it is of, and on which timeline."""
PASSING = (asyncpg.CannotConnectNowError, asyncpg.PostgresConnectionError)
"""Errors of a server that is only starting or stopping."""
Options = list[tuple[str, str]]
ANSWERS_SECONDS = 5.0
"""How long a server that has fallen silent may take to let somebody in."""
OTHERS_SECONDS = 1.0
"""How long the other hosts are waited for once the first answers whose timeline nobody knows."""

_newest: dict[str, int] = {}
"""The newest timeline that this process has seen of each database system."""


class _NotThis(Exception):
    """A server that lets us in and is not to be used."""


class Host(NamedTuple):
    """One host of an address: how messages call it, and an address for it alone."""

    name: str
    url: str


class HostAddress(NamedTuple):
    """An address, read: its hosts, and what is asked of them."""

    name: str
    hosts: tuple[Host, ...]
    session: str
    numbers: dict[str, int]


class Candidate(NamedTuple):
    """A server that let us in."""

    host: Host
    connection: Any
    standby: bool
    system: str
    timeline: int
    """0 where it cannot be known."""


# -- the address ---------------------------------------------------------------------------------


def read_address(url: str) -> HostAddress:
    """Read the address of one server or of several."""
    name, parts = shown(url), urlsplit(url)
    options = parse_qsl(parts.query, keep_blank_values=True)
    numbers = dict(NUMBERS)
    for key, value in options:
        if key in numbers:
            numbers[key] = _number(name, key, value)
    rest = [each for each in options if each[0] not in (*NUMBERS, SESSION)]
    person, at, named = parts.netloc.rpartition("@")
    hosts = tuple(
        Host(
            host or "this machine",
            urlunsplit(
                parts._replace(
                    netloc=f"{person}{at}{place}", query=urlencode(query, quote_via=quote)
                )
            ),
        )
        for host, place, query in _hosts(name, named, rest)
    )
    session = dict(options).get(SESSION) or ("read-write" if len(hosts) > 1 else "any")
    if session not in SESSIONS:
        raise BadUrl(f"{name}: {SESSION} is one of {', '.join(SESSIONS)}, not {session!r}")
    return HostAddress(name, hosts, session, numbers)


def _number(name: str, key: str, value: str) -> int:
    if not value.isascii() or not value.isdecimal() or len(value) > 9:
        raise BadUrl(f"{name}: {key} is a whole number, not {value!r}")
    return int(value)


def _hosts(name: str, named: str, options: Options) -> Iterator[tuple[str, str, Options]]:
    """Each host, what stands for it before the path, and its options. Hosts stand before the path,
    or in the options `host` and `port`; where there is none, asyncpg knows the usual ones."""
    if named:
        for host in named.split(","):
            if not host:
                raise BadUrl(f"{name}: there is no host before or after one of its commas")
            yield host, host, options
        return
    given = dict(options)
    rest = [each for each in options if each[0] not in ("host", "port")]
    hosts, ports = given.get("host", "").split(","), given.get("port", "").split(",")
    if len(ports) not in (1, len(hosts)):
        raise BadUrl(f"{name}: it names {len(hosts)} hosts and {len(ports)} ports")
    for number, host in enumerate(hosts):
        port = ports[number % len(ports)]
        yield host, "", [*((k, v) for k, v in (("host", host), ("port", port)) if v), *rest]


# -- connecting ----------------------------------------------------------------------------------


async def connect(address: HostAddress, settings: dict[str, str]) -> Candidate:
    """A connection to the server of an address that is to be used, and which one it is."""
    asked = [asyncio.ensure_future(_asked(address, host, settings)) for host in address.hosts]
    found: list[Candidate] = []
    pending, until = set(asked), None
    try:
        while pending and not any(map(_is_newest, found)):
            done, pending = await asyncio.wait(
                pending, timeout=_left(until), return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                break
            found += [each.result() for each in done if each.exception() is None]
            if found and until is None:
                until = asyncio.get_running_loop().time() + OTHERS_SECONDS
    finally:
        for each in pending:
            each.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
    chosen = _chosen(address, found)
    if chosen is None:
        raise _unreachable(address, asked)
    return chosen


async def answers(host: Host) -> bool:
    """Whether a server still answers those who come new: one that is frozen keeps its connections
    and says nothing."""
    try:
        made = await asyncpg.connect(host.url, timeout=ANSWERS_SECONDS)
    except (OSError, TimeoutError):
        return False
    except Exception:  # it does not want us, and says so
        return True
    made.terminate()
    return True


def _left(until: float | None) -> float | None:
    return None if until is None else max(0.0, until - asyncio.get_running_loop().time())


def _is_newest(candidate: Candidate) -> bool:
    """Whether nobody else need be waited for: the newest timeline that is known is this one's."""
    return not candidate.timeline or candidate.timeline >= _newest.get(candidate.system, 1 << 62)


def _chosen(address: HostAddress, found: Iterable[Candidate]) -> Candidate | None:
    """The one on the newest timeline; the others are let go of."""
    ranked = sorted(found, key=lambda each: each.timeline, reverse=True)
    for other in ranked[1:]:
        other.connection.terminate()
        if address.session in WRITABLE and other.timeline:
            logger.error(
                "both %s and %s accept writes, on timelines %d and %d: the newer one is used. Stop "
                "the other, and make it a standby (docs/failover.md)",
                ranked[0].host.name,
                other.host.name,
                ranked[0].timeline,
                other.timeline,
                extra=ALARM,
            )
    if not ranked:
        return None
    chosen = ranked[0]
    if chosen.timeline:
        note_timelines({chosen.system: chosen.timeline})
    return chosen


def _unreachable(address: HostAddress, asked: Sequence[asyncio.Future[Candidate]]) -> Exception:
    """Why no host will do: what one of them says that can be mended, or what each of them says."""
    errors = [error for each in asked if (error := each.exception()) is not None]
    for error in errors:
        mends = isinstance(error, asyncpg.PostgresError) and not isinstance(error, PASSING)
        alone = len(errors) == 1 and not isinstance(error, _NotThis)
        if isinstance(error, Exception) and (mends or alone):
            return error
    says = "; ".join(
        str(error) if isinstance(error, _NotThis) else f"{host.name}: {_said(error)}"
        for host, error in zip(address.hosts, errors, strict=True)
    )
    return LostConnection(f"PostgreSQL at {address.name} cannot be reached: {says}")


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__


async def _asked(address: HostAddress, host: Host, settings: dict[str, str]) -> Candidate:
    """Connect to one host; an error if it is not to be used."""
    seconds = address.numbers["connect_timeout"] or None
    connection = await asyncpg.connect(host.url, timeout=seconds, server_settings=settings)
    try:
        _probe(connection, address.numbers)
        async with asyncio.timeout(seconds):
            candidate = await _looked_at(host, connection)
        if why := _why_not(address, candidate):
            raise _NotThis(why)
    except BaseException:
        connection.terminate()
        raise
    return candidate


async def _looked_at(host: Host, connection: Any) -> Candidate:
    try:
        standby, system, timeline = await connection.fetchrow(LOOK)
    except (asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedFunctionError):
        [standby] = await connection.fetchrow("SELECT pg_is_in_recovery()")
        system, timeline = "", None
    return Candidate(host, connection, standby, system, int(timeline or "0", 16))


def _why_not(address: HostAddress, found: Candidate) -> str:
    """Why a server that lets us in is not to be used; nothing if it is."""
    if address.session in WRITABLE and found.standby:
        return f"{found.host.name} is a standby, which only reads"
    if address.session in STANDBY and not found.standby:
        return f"{found.host.name} is no standby"
    if is_old(found):
        newest = _newest[found.system]
        return (
            f"{found.host.name} is an old primary, on timeline {found.timeline} where {newest} has "
            "been seen; stop it, and make it a standby of the new one (docs/failover.md)"
        )
    return ""


def is_old(found: Candidate) -> bool:
    """Whether a newer timeline than that of a server has been seen."""
    return 0 < found.timeline < _newest.get(found.system, 0)


def timelines() -> dict[str, int]:
    """The newest timeline that has been seen of each database system."""
    return dict(_newest)


def note_timelines(seen: dict[str, int]) -> None:
    """Note what has been seen, here or in another process of the same server of the House."""
    for system, timeline in seen.items():
        _newest[system] = max(timeline, _newest.get(system, 0))


def _probe(connection: Any, numbers: dict[str, int]) -> None:
    """Have the machine notice within seconds that the server's has vanished."""
    # asyncpg neither sets these nor lets its socket be named otherwise.
    made: socket.socket | None = connection._transport.get_extra_info("socket")
    if made is None or isinstance(made.getsockname(), str | bytes):  # a socket of this machine
        return
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, int(bool(numbers["keepalives"])))
    for key, option in PROBES.items():
        if option is not None and numbers[key]:
            made.setsockopt(socket.IPPROTO_TCP, option, numbers[key])
