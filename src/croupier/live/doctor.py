"""`croupier doctor`: looks at an installation and says what to do. It changes nothing.

Each check is a function that yields what it found; one that cannot be made says so, and the others
go on. A fault is what loses money, cards or the record, or lets a stranger in; a note is what an
operator should know of.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from msgspec import Struct

from croupier.house.copies import known_copies
from croupier.house.errors import HouseError
from croupier.house.founding import administrators, office_at
from croupier.house.office.state import OfficeState
from croupier.house.seals.kept import newest_number, stored_seal
from croupier.house.seals.keys import read_key
from croupier.house.sqlite import SqliteDatabase
from croupier.house.standby import standbys
from croupier.house.store import Store
from croupier.house.urls import POSTGRES, SQLITE, copy_folder, open_database, shown, sqlite_file
from croupier.house.vault import beside
from croupier.live.clock_sync import follows_a_time_server
from croupier.live.config import LOOPBACK, Config
from croupier.live.errors import BadConfig
from croupier.live.keys import beside_database
from croupier.live.opening import check_approved, check_house, check_on_record
from croupier.live.seals import sealing_of
from croupier.live.server import descriptors_of, started_as_root

Level = Literal["good", "note", "fault"]
SERVER_SETTINGS = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
"""What PostgreSQL must have, so that what was acknowledged is on the disk."""
CLOCKS_DIFFER = 2.0
"""Seconds that the clock of a database server may differ from this one."""


class Finding(Struct, frozen=True, kw_only=True):
    """What one check found, and what to do about it."""

    about: str
    level: Level
    says: str
    do: str = ""


class Look:
    """What every check looks at."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.url = config.server.database
        self.file = sqlite_file(self.url) if self.url.startswith(SQLITE) else None
        self.state: OfficeState | None = None

    @property
    def real_money(self) -> bool:
        """Whether it is about real money."""
        return not self.config.demonstration or (self.state is not None and self.state.real_money)


def examine(config: Config) -> list[Finding]:
    """Everything that was found, in the order in which an operator would look."""
    look = Look(config)
    found = [*_checked("permissions", permissions, look)]  # before anything is opened
    if look.file is not None and not look.file.exists():
        says = f"there is no database at {shown(look.url)}"
        do = f"found the House: {_founding(look)}"
        missing = Finding(about="database", level="fault", says=says, do=do)
        if config.demonstration:  # it founds its own, so nothing is wrong before the first start
            do = "start the demonstration, which founds it: croupier"
            missing = Finding(about="database", level="note", says=says, do=do)
        return [*found, missing]
    for about, check in CHECKS.items():
        found += _checked(about, check, look)
    return found


def _checked(about: str, check: Callable[[Look], Iterator[Finding]], look: Look) -> list[Finding]:
    try:
        found = list(check(look))
    except (HouseError, OSError) as error:
        return [Finding(about=about, level="fault", says=f"could not be looked at: {error}")]
    return found or [Finding(about=about, level="good", says="in order")]


def _found(about: str, level: Level, says: str, do: str = "") -> Finding:
    return Finding(about=about, level=level, says=says, do=do)


# -- the machine ----------------------------------------------------------------------------------


def _files(look: Look) -> Iterator[Path]:
    """What must be its owner's alone."""
    server, seals = look.config.server, look.config.seals
    if look.file is not None:
        yield look.file
        endings = ("-wal", "-shm", ".lock", ".storage-lock")
        yield from (Path(f"{look.file}{ending}") for ending in endings)
        yield beside(look.file)
    key = server.key_file or beside_database(server.database, ".key", "key_file in [server]")
    yield Path(key)
    named = (os.environ.get("CROUPIER_SECRETS_KEY_FILE"), seals.key_file, server.metrics_key_file)
    yield from (Path(each) for each in named if each)
    folder = Path(server.copy) if server.copy else copy_folder(look.url)
    if folder is not None:
        yield folder


def permissions(look: Look) -> Iterator[Finding]:
    """Files of the House are its owner's alone."""
    if os.name != "posix":
        return
    about = "permissions"
    for path in _files(look):
        try:
            found = path.stat()
        except FileNotFoundError:
            continue
        wanted = "700" if path.is_dir() else "600"
        if found.st_mode & 0o077:
            mode = stat.filemode(found.st_mode)
            yield _found(
                about, "fault", f"{path} is others' too ({mode})", f"chmod {wanted} {path}"
            )
        if found.st_uid != os.geteuid():
            do = "run the doctor, and the server, as the user whose the files are"
            yield _found(about, "note", f"{path} belongs to another user", do)
        if not path.is_dir() and found.st_nlink > 1 and path == look.file:
            says = f"{path} has {found.st_nlink} names: what is written beside each is not the same"
            yield _found(about, "fault", says, "give the file one name: remove the others")


def user(look: Look) -> Iterator[Finding]:
    """Who runs it."""
    if says := started_as_root():
        yield _found("user", "note", says, "add a user, and chown the House's files to it")


def descriptors(look: Look) -> Iterator[Finding]:
    """Whether there are enough for the connections that the configuration allows."""
    several = look.config.server.database.startswith(POSTGRES)
    if says := descriptors_of(look.config.limits, several=several).warning:
        yield _found("descriptors", "note", says, "raise LimitNOFILE=, or lower limits.connections")


def proxy(look: Look) -> Iterator[Finding]:
    """Whether passwords and cookies go over https, and each visitor has limits of their own."""
    server = look.config.server
    https = [each for each in server.origins if each.startswith("https://")]
    if https and not server.proxies:
        says = (
            f"{https[0]} is served by a proxy whose word is not taken: all visitors share one "
            "address and its limits, and cookies are not marked Secure"
        )
        do = 'name its address: [server] proxies = ["127.0.0.1"]'
        yield _found("proxy", "fault" if look.real_money else "note", says, do)
    if not https and server.host not in LOOPBACK:
        says = f"it listens on {server.host} without https: passwords can be read on the way"
        do = "put a proxy before it (examples/proxy), and listen on 127.0.0.1"
        yield _found("proxy", "fault", says, do)


# -- the House ------------------------------------------------------------------------------------


def _founding(look: Look) -> str:
    """The order that founds the House, or gives its administrator a password."""
    money = " --real-money" if look.real_money else ""
    return f"croupier office init {shown(look.url)} --administrator NAME{money}"


def opening(look: Look) -> Iterator[Finding]:
    """Whether a server would open with this configuration: the kind of money, what is on record,
    what is approved."""
    state = look.state
    if look.config.demonstration or state is None or not any(administrators(state).values()):
        return  # who it waits for is said of people
    checks: tuple[Callable[[], object], ...] = (
        lambda: check_house(look.config),
        lambda: check_on_record(look.config, state),
        lambda: check_approved(look.config),
    )
    for check in checks:
        try:
            check()
        except BadConfig as error:
            yield _found("opening", "fault", f"a server does not open here: {error}")


def database(look: Look) -> Iterator[Finding]:
    """Whether it can be read, is whole, and keeps what was acknowledged."""
    opened = open_database(look.url, create=False)
    try:
        damages = opened.damages(quick=True)
        for says in damages[:3]:
            yield _found("database", "fault", says, "croupier audit verify; croupier audit restore")
        if not isinstance(opened, SqliteDatabase):
            for name, wanted in SERVER_SETTINGS.items():
                [(is_now,)] = opened.execute(f"SHOW {name}")
                if is_now not in (wanted, "remote_apply"):
                    says = f"{name} is {is_now}: what was acknowledged can be lost in a power cut"
                    do = f"ALTER SYSTEM SET {name} = '{wanted}'; SELECT pg_reload_conf();"
                    yield _found("database", "fault", says, do)
    finally:
        opened.close()


def standby(look: Look) -> Iterator[Finding]:
    """Whether another server can take the place of the database's without a loss."""
    if look.file is not None:
        return
    opened = open_database(look.url, create=False)
    try:
        found = standbys(opened)
    finally:
        opened.close()
    if found.kind == "confirmed":
        return
    loses = found.kind in ("standby", "loses") and look.real_money
    level: Level = "fault" if loses or found.kind == "stands still" else "note"
    yield _found("standby", level, found.says, found.do)


def people(look: Look) -> Iterator[Finding]:
    """Whether somebody can administer the House, and staff have a second factor."""
    look.state = office_at(look.url)
    if look.state is None:
        do = _founding(look)
        yield _found("people", "fault", "no House is founded in this database", do)
        return
    if not any(administrators(look.state).values()):
        do = f"{_founding(look)} gives one"
        level: Level = "fault" if look.real_money else "note"
        yield _found("people", level, "no administrator has a password", do)
    without = [
        name
        for name, person in look.state.people.items()
        if person.kind == "staff"
        and person.digest
        and not person.second_factor
        and not person.disabled
    ]
    if without and look.real_money:
        required = look.config.second_factor_required
        says = f"{len(without)} of the staff have no second factor yet: {', '.join(without[:5])}"
        do = "they set it up at their next log-in" if required else 'second_factor = "required"'
        yield _found("people", "note" if required else "fault", says, do)


def keys(look: Look) -> Iterator[Finding]:
    """Whether secrets are encrypted, and with a key that fits."""
    named = any(os.environ.get(f"CROUPIER_SECRETS_KEY{end}") for end in ("", "_FILE"))
    there = look.file is not None and beside(look.file).exists()
    if not named and not there:
        says = "there is no key for secrets: shuffles and hashes of passwords lie open"
        do = "name one with CROUPIER_SECRETS_KEY_FILE, apart from backups of the database"
        yield _found("keys", "fault" if look.real_money else "note", says, do)
        return
    opened = open_database(look.url, create=False)
    try:
        Store(opened).check_key()  # raises where it does not fit
    finally:
        opened.close()
    if there and not named and look.real_money:
        says = f"the key for secrets lies beside the database ({beside(look.file or Path())})"
        do = "keep it elsewhere, with CROUPIER_SECRETS_KEY_FILE: a backup must not hold both"
        yield _found("keys", "note", says, do)


def copy(look: Look) -> Iterator[Finding]:
    """Whether there is a copy of the log, whole, and on another disk."""
    server = look.config.server
    folder = Path(server.copy) if server.copy else copy_folder(look.url)
    level: Level = "fault" if look.real_money else "note"
    if folder is None or not folder.is_dir():
        says = "there is no copy of the log" + (f" at {folder}" if folder is not None else "")
        yield _found("copy", level, says, "name a folder on another disk: [server] copy; start it")
        return
    if look.file is not None and folder.stat().st_dev == look.file.stat().st_dev:
        says = f"the copy ({folder}) lies on the same disk as the database"
        yield _found("copy", "note", says, "name a folder on another disk: [server] copy")
    opened = open_database(look.url, create=False)
    try:
        for mark in known_copies(Store(opened)).values():
            if mark.alarm:
                do = "look into it; then croupier office copy renew"
                yield _found("copy", "fault", f"{mark.folder}: {mark.alarm}", do)
    finally:
        opened.close()


def seals(look: Look) -> Iterator[Finding]:
    """Whether the record is sealed, and lately."""
    sealing = sealing_of(look.config)
    if sealing is None:
        level: Level = "fault" if look.real_money else "note"
        do = "croupier audit key make FILE, and name it: [seals] key_file"
        yield _found("seals", level, "the record is not sealed: there is no key", do)
        return
    read_key(sealing.key_file)  # raises where it cannot be read, or is others' too
    opened = open_database(look.url, create=False)
    try:
        store = Store(opened)
        newest = stored_seal(store, newest_number(store))
    finally:
        opened.close()
    if newest is None:
        yield _found("seals", "note", "nothing is sealed yet", "start the server once")
        return
    age = datetime.now(UTC) - datetime.fromisoformat(newest.read().at)
    if age > 3 * sealing.every + timedelta(minutes=1):
        says = f"the newest seal is of {newest.read().at}"
        yield _found("seals", "note", says, "if the server runs, look into its log")


def clock(look: Look) -> Iterator[Finding]:
    """Whether the clock follows a time server, is behind what was noted, or is another one than the
    database server's."""
    follows = follows_a_time_server()
    if follows is None:
        yield _found("clock", "note", "whether it follows a time server cannot be known here")
    elif not follows:
        says = "it follows no time server: times on record drift, and machines differ"
        yield _found("clock", "note", says, "timedatectl set-ntp true, or install chrony")
    opened = open_database(look.url, create=False)
    try:
        [(newest,)] = opened.execute("SELECT MAX(at) FROM log")
        now = datetime.now(UTC)
        if newest and datetime.fromisoformat(newest) > now + timedelta(seconds=CLOCKS_DIFFER):
            says = f"the clock says {now:%Y-%m-%d %H:%M:%S} UTC, and the log goes to {newest}"
            yield _found("clock", "fault", says, "set the clock right (timedatectl set-ntp true)")
        if not isinstance(opened, SqliteDatabase):
            [(seconds,)] = opened.execute("SELECT EXTRACT(EPOCH FROM clock_timestamp())::text")
            apart = abs(float(seconds) - datetime.now(UTC).timestamp())
            if apart > CLOCKS_DIFFER:
                says = f"the clock of the database server differs by {apart:.0f} seconds"
                yield _found("clock", "fault", says, "let both follow a time server")
    finally:
        opened.close()


CHECKS: dict[str, Callable[[Look], Iterator[Finding]]] = {
    "user": user,
    "descriptors": descriptors,
    "people": people,
    "opening": opening,
    "proxy": proxy,
    "database": database,
    "standby": standby,
    "keys": keys,
    "copy": copy,
    "seals": seals,
    "clock": clock,
}
