"""Files that a server keeps beside its database: the log of the ruling desk, and the key that signs
cookies, so that a cookie is still good after a restart.

The key is no part of the House, and that of a desk none of its log: whoever reads these must not be
able to make himself a cookie.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from croupier.house.urls import SQLITE, shown, sqlite_file
from croupier.live.config import Config, ServerConfig
from croupier.live.errors import BadConfig

KEY_BYTES = 32
SHORTEST_METRICS_KEY = 20


def own_folder(instead: str) -> Path:
    """croupier's folder in the home of whoever runs it; `instead` says what to do without it."""
    folder = Path.home() / ".croupier"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BadConfig(
            f"{folder} cannot be made ({error.strerror}); name a file with {instead}"
        ) from error
    return folder


def key_of(server: ServerConfig) -> bytes:
    """The key of this server's House: read, or made if there is none yet."""
    return _key_in(_file(server), "server.key_file")


def metrics_key(server: ServerConfig) -> str:
    """The key by which a program reads the counters; none where no file is named."""
    if not server.metrics_key_file:
        return ""
    path = Path(server.metrics_key_file)
    try:
        key = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"server.metrics_key_file: {path} cannot be read: {error}") from error
    if len(key) < SHORTEST_METRICS_KEY:
        raise BadConfig(
            f"server.metrics_key_file: the key in {path} is too short; take "
            f"{SHORTEST_METRICS_KEY} characters or more, such as openssl rand -hex 32 makes"
        )
    return key


def desk_key(log: Path | None) -> bytes:
    """The key of a desk that stands alone, beside its log; without a log it is new each time."""
    if log is None:
        return secrets.token_bytes(KEY_BYTES)
    return _key_in(log.with_name(f"{log.name}.key"), "--log")


def _key_in(path: Path, named_by: str) -> bytes:
    try:
        if path.exists():
            return _read(path, named_by)
        key = secrets.token_bytes(KEY_BYTES)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(key)
    except FileExistsError:  # another server has made it in this moment
        return _read(path, named_by)
    except OSError as error:
        raise BadConfig(f"{named_by}: {path}: {error.strerror}") from error
    return key


def _read(path: Path, named_by: str) -> bytes:
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise BadConfig(
            f"{named_by}: {path} is no key of croupier's ({len(key)} bytes, not {KEY_BYTES}); "
            "remove it, and a new one is made: everybody logs in again"
        )
    return key


def _file(server: ServerConfig) -> Path:
    if server.key_file:
        return Path(server.key_file)
    return beside_database(server.database, ".key", "key_file in [server]")


def desk_log(config: Config) -> Path:
    """The file in which the ruling desk of a casino keeps its log."""
    if config.desk.log:
        return Path(config.desk.log)
    return beside_database(config.server.database, ".desk", "log in [desk]")


def beside_database(url: str, ending: str, instead: str) -> Path:
    """A file beside that of SQLite; for PostgreSQL one in croupier's folder, named after it."""
    if url.startswith(SQLITE):
        file = sqlite_file(url)
        return file.with_name(f"{file.name}{ending}")
    named = hashlib.sha256(shown(url).encode()).hexdigest()[:16]
    return own_folder(instead) / f"{named}{ending}"
