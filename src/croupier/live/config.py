"""The configuration of a casino: one TOML file, or the demonstration that needs none.

Amounts are written as on the table (`60`, `2.50`), times in seconds. Whatever the file does not
say keeps the default that stands here; a word that is not known is an error with the place it
stands at.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct, inspect

from croupier.house.clocks import Clocks as Clocks  # a part of the configuration
from croupier.house.config import LinkConfig, PlaceName, TableConfig, settings_type
from croupier.house.config_words import Fault, explain, faults, unreadable
from croupier.house.disputes.settings import DisputeSettings
from croupier.house.office import PersonName, Role
from croupier.house.seals.keys import PUBLIC
from croupier.house.standing import unfit
from croupier.jackpot import LinkSettings
from croupier.live.errors import BadConfig
from croupier.live.proxies import unfit_proxy
from croupier.pit.registry import GAMES
from croupier.pit.values import fields_of
from croupier.rulebooks.errors import RulebookError
from croupier.table import UnreadableMoney, read_money


class ServerConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the server listens and what it is called from outside."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8017
    """0 takes any free port."""
    origins: tuple[str, ...] = ()
    """Origins of the pages that may speak to it, such as `https://tables.example`. The address it
    listens on is always one of them."""
    database: str = "sqlite:///croupier.sqlite3"
    copy: str = ""
    """The folder of the copy of the log. Beside the file of SQLite unless it says otherwise; where
    money is real, PostgreSQL needs one."""
    key_file: str = ""
    """Holds the key that signs cookies; made on first use. Beside the file of SQLite unless it says
    otherwise; for PostgreSQL in the home folder. Servers of one House share it."""
    log: Literal["json", "off"] = "json"
    proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies whose word is taken for who the visitor is."""
    metrics_key_file: str = ""
    """Holds the key by which a program reads `/metrics` (`Authorization: Bearer KEY`); without it
    only staff who have logged in may, where money is real."""
    second_factor: Literal["", "required", "optional"] = ""
    """Whether staff log in with a second factor only; unless it says so, where money is real."""
    loop: Literal["auto", "asyncio", "uvloop"] = "auto"
    """The event loop: uvloop where it is installed, unless it says otherwise."""
    storage: Literal["auto", "process", "thread"] = "auto"
    """What stores: a process of its own, or a thread of the server. By itself a process, where the
    server may use more than one core."""


class ServersConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """This server among several that share a House on PostgreSQL."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{0,40}$")] = ""
    """What it is called among them; its machine and process unless it says otherwise."""
    listen: str = "127.0.0.1:0"
    """Where the others reach it, HOST:PORT: for them alone, in a network of their own. Port 0 takes
    any free one."""
    address: str = ""
    """The same as the others see it, where that is another."""
    tables: tuple[str, ...] = ()
    """The tables and links that it may run, by name or pattern (`Marina-*`); all where it says
    nothing."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much one visitor, one address and all together may ask of the server."""

    message_bytes: Annotated[int, Meta(ge=512)] = 4_096
    body_bytes: Annotated[int, Meta(ge=512)] = 8_192
    messages_per_second: Annotated[float, Meta(gt=0)] = 20.0
    messages_at_once: Annotated[int, Meta(ge=1)] = 40
    requests_per_second: Annotated[float, Meta(gt=0)] = 50.0
    requests_at_once: Annotated[int, Meta(ge=1)] = 100
    connections: Annotated[int, Meta(ge=1)] = 5_000
    connections_per_visitor: Annotated[int, Meta(ge=1)] = 16
    connections_per_address: Annotated[int, Meta(ge=1)] = 256
    """Sockets of one address; it may have twice as many connections."""
    connects_per_second: Annotated[float, Meta(gt=0)] = 100.0
    """New connections of one address, whatever becomes of them."""
    connects_at_once: Annotated[int, Meta(ge=1)] = 500
    header_bytes: Annotated[int, Meta(ge=2_048, le=65_536)] = 16_384
    header_seconds: Annotated[float, Meta(gt=0)] = 10.0
    """How long the server waits for the head of a request, from its first byte or the connection's
    begin; then for its body, and for the answer to be taken."""
    body_seconds: Annotated[float, Meta(gt=0)] = 15.0
    answer_seconds: Annotated[float, Meta(gt=0)] = 120.0
    idle_seconds: Annotated[int, Meta(ge=1)] = 5
    """How long a connection stays open between two requests."""
    guests: Annotated[int, Meta(ge=1)] = 10_000
    queue: Annotated[int, Meta(ge=4)] = 256
    """Messages that wait for one connection before it is dropped."""
    caught_up: Annotated[int, Meta(ge=1)] = 200
    """Events that are kept for those who come back."""
    unreadable: Annotated[int, Meta(ge=1)] = 10


class DeskConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ruling desk of the casino."""

    log: str = ""
    """The file of its log. Beside the file of SQLite unless it says otherwise; for PostgreSQL in
    the home folder."""
    house: str = ""
    """What the house is called on a slip."""
    area: str = ""
    """Where the desk stands, unless whoever asks says otherwise."""
    approved: str = ""
    """A folder with approved texts, which are shown beside our words."""


class SealsConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the House signs its record, and who signs it back."""

    key_file: str = ""
    """Holds the House's key (`croupier audit key make`). Without it, CROUPIER_SEAL_KEY_FILE or the
    file beside that of SQLite (`house.db.seal-key`); where there is none, nothing is sealed."""
    folder: str = ""
    """Where seals are written beside the database: beside the file of SQLite (`house.db.seals`)
    unless it says otherwise; for PostgreSQL it must be named."""
    every: Annotated[float, Meta(ge=1, le=86_400)] = 600
    """Seconds from one seal to the next."""
    day_begins: Annotated[str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] = "06:00"
    """When a gaming day begins: the one before is sealed then."""
    zone: str = "UTC"
    serve: bool = True
    """Whether anybody may collect seals at `/api/seals`."""
    witnesses: dict[str, str] = {}
    """Whose signatures are taken back: name = public key."""


class WallConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The jackpot display."""

    names: bool = False
    """Whether the name of a winner is shown; set it only where winners have agreed."""
    won_shown: Annotated[float, Meta(ge=10, le=86_400)] = 300
    """Seconds for which a won jackpot is shown."""


class WatchersConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those who watch a table without sitting there."""

    delay: Annotated[float, Meta(ge=0, le=3_600)] = 0
    """Seconds by which they are told later than players; 0: they see the table as it is."""
    tables: dict[PlaceName, Annotated[float, Meta(ge=0, le=3_600)]] = {}
    """The same at single tables."""


class ApprovalConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the regulator has approved."""

    manifest: str = ""
    """The file of the manifest that he has signed."""
    regulator_key: str = ""
    """His public key."""


STANDING_ORDERS: dict[str, str | dict[str, str]] = {
    "poker": {
        "who posts": "nothing",
        "absent at the blinds": "pass over",
        "three missed big blinds": "release",
        "comes back with less": "accept",
        "who may raise": "any-bet",
        "confirm reading": "confirm",
        "raise below the minimum": "call",
        "confirm void": "confirm",
        "confirm misdeal": "confirm",
        "complete deck": "complete",
        "new cards": "in play",
        "cards seen": "yes",
        "deal reconstructible": "no",
        "surplus cards reconstructible": "no",
        "flop without a burn reconstructible": "no",
        "announce the burn": "announce",
        "deal the missing card": "deal",
        "ruling": "continue",
        "ruling: interruption": "void",
        "ruling: interruption after showdown": "continue",
    },
    "banked": {
        "bonus without ante": "return",
        "short progressive": "return",
        "not shown": "treat as folded",
        "folded royal flush": "board only",
        "cards gone": "no payout",
        "confirm report": "confirm",
        "can it be reconstructed": "no",
        "by moving whole hands": "no",
        "looked on purpose": "not on purpose",
        "confirm void": "void",
        "next rounds": "no progressive bets",
        "ruling": "continue",
    },
    "jackpot": {"order of payment": "as dealt"},
}
"""What the demonstration's House has decided beforehand, so that nobody has to be asked: there is
an answer to every question that can be answered without details, for it has no staff."""


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set for one casino."""

    mode: Literal["demonstration", "money"] = "money"
    server: ServerConfig = ServerConfig()
    servers: ServersConfig = ServersConfig()
    clocks: Clocks = Clocks()
    limits: Limits = Limits()
    desk: DeskConfig = DeskConfig()
    seals: SealsConfig = SealsConfig()
    approval: ApprovalConfig = ApprovalConfig()
    wall: WallConfig = WallConfig()
    watchers: WatchersConfig = WatchersConfig()
    disputes: DisputeSettings = DisputeSettings()
    """What a patron is told who disputes a ruling."""
    standing_orders: dict[str, str | dict[str, str]] = {}
    """Decisions of the House that are taken beforehand: question = option, wherever it is asked,
    or under the name of a game (`croupier.house.standing`). They are recorded as given by
    `standing orders` in the rank that the question asks for."""
    links: dict[PlaceName, LinkConfig] = {}
    tables: dict[PlaceName, TableConfig] = {}
    staff: dict[PersonName, Role] = {}
    """Who is employed as what; `croupier office apply` takes on whom the House does not know."""

    @property
    def demonstration(self) -> bool:
        """Whether it is played for play money, on this machine alone."""
        return self.mode == "demonstration"

    @property
    def second_factor_required(self) -> bool:
        """Whether staff log in with a second factor only."""
        said = self.server.second_factor
        return said == "required" or (not said and not self.demonstration)


class FaultyConfig(BadConfig):
    """Something in a configuration cannot stand as it does."""

    def __init__(self, *found: Fault) -> None:
        super().__init__("; ".join(map(str, found)))
        self.faults = found


C = TypeVar("C", bound=Struct)


def read_config(path: Path) -> Config:
    """Read a configuration file, strictly; what is wrong is said with its key and line."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise BadConfig(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadConfig(f"{path}, line {line}: this is no UTF-8; save the file as that") from error
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{path}, {unreadable(text, error)}") from error
    try:
        return check(_converted(_cents(told), Config, ()))
    except FaultyConfig as error:
        raise BadConfig(explain(str(path), text, error.faults)) from error


def one_table(name: str, told: dict[str, Any]) -> TableConfig:
    """A table as a file would have it under its name, without its link, which the office knows."""
    return check(_converted(_cents({"tables": {name: told}}), Config, ())).tables[name]


def one_link(name: str, told: dict[str, Any]) -> LinkConfig:
    """A jackpot link as a file would have it under its name."""
    return check(_converted(_cents({"links": {name: told}}), Config, ())).links[name]


def check(config: Config) -> Config:
    """What the parts must be to each other; books are named by their full ids afterwards."""
    if config.demonstration and config.server.host not in LOOPBACK:
        says = (
            f"the demonstration is for this machine alone; "
            f"{config.server.host} is not one of {', '.join(sorted(LOOPBACK))}"
        )
        raise FaultyConfig(Fault(path=("server", "host"), says=says))
    for number, written in enumerate(config.server.proxies):
        if says := unfit_proxy(written):
            raise FaultyConfig(Fault(path=("server", "proxies", str(number)), says=says))
    if found := unfit(config.standing_orders):
        raise FaultyConfig(*found)
    _check_seals(config.seals)
    for name in config.watchers.tables:
        if name not in config.tables:
            says = f"there is no table {name!r}; there is {', '.join(config.tables) or 'none'}"
            raise FaultyConfig(Fault(path=("watchers", "tables", name), says=says))
    if config.approval.manifest and not re.fullmatch(PUBLIC, config.approval.regulator_key):
        says = "name the regulator's public key, 64 hexadecimal digits, with the manifest"
        raise FaultyConfig(Fault(path=("approval", "regulator_key"), says=says))
    links, tables = {}, {}
    for name, link in config.links.items():
        links[name] = msgspec.structs.replace(link, rulebook=_book(link.rulebook, "links", name))
        _converted(link.settings, LinkSettings, ("links", name, "settings"))
    for name, table in config.tables.items():
        where = ("tables", name)
        book = GAMES.load(_book(table.rulebook, *where))
        game = GAMES.games[book.id]
        tables[name] = msgspec.structs.replace(table, rulebook=book.id)
        if name in links:
            says = "a link has that name too; give one of them another"
            raise FaultyConfig(Fault(path=where, says=says))
        if table.bots and not config.demonstration:
            says = "a casino that plays for money has no bots; leave the key out"
            raise FaultyConfig(Fault(path=(*where, "bots"), says=says))
        if table.bots and not game.port.has_bots:
            says = f"no bot plays {book.short}; leave the key out"
            raise FaultyConfig(Fault(path=(*where, "bots"), says=says))
        settings = _converted(table.settings, game.table_type.settings_type, (*where, "settings"))
        _converted(dict(table.clocks), Clocks, (*where, "clocks"))
        if table.bots and game.port.acting(settings) == "seen":
            says = (
                "bots act by command, and at this table the dealer enters what players do; write "
                'acting = "device" in its settings, or leave the key out'
            )
            raise FaultyConfig(Fault(path=(*where, "bots"), says=says))
        if table.link is None:
            continue
        if table.link not in links:
            known = ", ".join(links) or "none: add [links.NAME]"
            says = f"there is no link {table.link!r}; there is {known}"
            raise FaultyConfig(Fault(path=(*where, "link"), says=says))
        if links[table.link].rulebook != book.id:
            says = f"{table.link} is a link of {links[table.link].rulebook}, not of {book.id}"
            raise FaultyConfig(Fault(path=(*where, "link"), says=says))
    return msgspec.structs.replace(config, links=links, tables=tables)


def _check_seals(seals: SealsConfig) -> None:
    try:
        ZoneInfo(seals.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        says = f"{seals.zone!r} is no time zone; write Asia/Singapore"
        raise FaultyConfig(Fault(path=("seals", "zone"), says=says)) from error
    for name, key in seals.witnesses.items():
        if not re.fullmatch(PUBLIC, key):
            says = "a public key is 64 hexadecimal digits (croupier audit key show)"
            raise FaultyConfig(Fault(path=("seals", "witnesses", name), says=says))


LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def _book(word: str, *where: str) -> str:
    try:
        return GAMES.resolve(word)
    except RulebookError as error:
        says = f"{error}; the books are {', '.join(GAMES.games)}"
        raise FaultyConfig(Fault(path=(*where, "rulebook"), says=says)) from error


def _converted(told: dict[str, Any], kind: type[C], where: tuple[str, ...]) -> C:
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as error:
        found = faults(told, kind, where) or [Fault(path=where, says=str(error))]
        raise FaultyConfig(*found) from error


def _cents(told: dict[str, Any]) -> dict[str, Any]:
    """The file with amounts of settings in cents; elsewhere nothing is money."""
    made = dict(told)
    for group, kind_of in (("tables", _table_settings), ("links", _link_settings)):
        places = told.get(group)
        if isinstance(places, dict):
            made[group] = {
                name: _with_cents(place, kind_of, (group, name, "settings"))
                for name, place in places.items()
            }
    return made


def _table_settings(place: dict[str, Any]) -> type[Struct] | None:
    return settings_type(place.get("rulebook"))


def _link_settings(place: dict[str, Any]) -> type[Struct] | None:
    return LinkSettings


def _with_cents(
    place: Any, kind_of: Callable[[dict[str, Any]], type[Struct] | None], where: tuple[str, ...]
) -> Any:
    if not isinstance(place, dict) or not isinstance(place.get("settings"), dict):
        return place
    kind = kind_of(place)
    if kind is None:
        return place  # there is no such rulebook: that is said of it
    return {**place, "settings": _money(place["settings"], kind, where)}


def _money(told: dict[str, Any], kind: type[Struct], where: tuple[str, ...]) -> dict[str, Any]:
    """What the settings mark as money, in cents."""
    fields = fields_of(kind)
    return {
        key: _in_cents(value, fields[key], (*where, key)) if key in fields else value
        for key, value in told.items()
    }


def _in_cents(value: Any, node: inspect.Type, where: tuple[str, ...]) -> Any:
    match node:
        case inspect.Metadata(extra={"money": True}):
            try:
                return read_money(_written(value))
            except UnreadableMoney as error:
                raise FaultyConfig(Fault(path=where, says=str(error))) from error
        case inspect.Metadata(type=inner):
            return _in_cents(value, inner, where)
        case inspect.UnionType(types=types):
            return next(
                (made for t in types if (made := _in_cents(value, t, where)) != value), value
            )
        case inspect.VarTupleType(item_type=item) if isinstance(value, list):
            return [_in_cents(each, item, where) for each in value]
        case inspect.TupleType(item_types=items) if isinstance(value, list):
            return [_in_cents(each, items[0], where) for each in value]
        case inspect.StructType(cls=kind) if isinstance(value, dict):
            return _money(value, kind, where)
        case _:
            return value


def _written(value: Any) -> Any:
    """A number with decimals as TOML has it, as it was written."""
    return f"{value:.10f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
