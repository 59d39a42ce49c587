"""The process that stores, for a server of its own: `croupier.house.storage_process` starts it.

It reads groups from its standard input and answers on its standard output, one after the other,
until its input ends: with the server, however that ends. Signals that are meant for the server do
not end it, for the server has a last group to be stored.

It holds a lock on the file from its beginning to its end: whoever opens the House next waits for a
group that the last one left behind, and reads the logs after that (`lock_storage`).
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from typing import cast

import msgspec

from croupier import __version__
from croupier.house.errors import HouseError
from croupier.house.ownership import lock_storage
from croupier.house.shared_database import Connection, Session, SharedDatabase
from croupier.house.storage_process import (
    BUFFER_BYTES,
    FOR_THE_SERVER,
    READY,
    UNREADABLE,
    Beginning,
    Failure,
    Reply,
    Request,
    Stored,
    encode,
    read_beginning,
    read_request,
    receive,
    send,
)
from croupier.house.store import Store
from croupier.house.urls import SQLITE, open_database, sqlite_file


def main() -> None:
    """Store what comes in, until nothing more comes, for a server of this version."""
    for each in FOR_THE_SERVER:
        signal.signal(each, signal.SIG_IGN)
    requests = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), BUFFER_BYTES)
    replies = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed by mistake is no answer
    told = receive(requests)
    if told is None:
        return  # the server has ended
    beginning = read_beginning(told)
    if beginning.version != __version__:
        says = f"croupier {__version__} was installed under a server of {beginning.version}"
        send(replies, encode(Reply([], {}, Failure("", f"{says}: start it anew"), None)))
        return

    def tell_of(connection: Connection, timelines: dict[str, int]) -> None:
        send(replies, encode(Reply([], {}, None, None, connection, timelines)))

    try:
        store = open_store(beginning, tell_of)
    except HouseError as error:
        send(replies, encode(Reply([], {}, Failure.of(error), None)))
        return
    try:
        send(replies, READY)
        while (told := receive(requests)) is not None:
            send(replies, encode(answer(store, told)))
    except BrokenPipeError:
        # The server has ended: what is stored, its successor reads. Python would complain of what
        # it cannot write at its own end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), replies.fileno())
    finally:
        if isinstance(store.database, SharedDatabase):
            store.database.drop()  # the server stops, and waits for no database that is frozen
        store.close()


def open_store(
    beginning: Beginning, tell_of: Callable[[Connection, dict[str, int]], None]
) -> Store:
    """The database of the server, whose schema is there already."""
    url = beginning.url
    if url.startswith(SQLITE):
        lock_storage(sqlite_file(url))  # freed when this process ends
        return Store(open_database(url, create=False), migrated=True)
    database = open_database(url)
    if isinstance(database, SharedDatabase):
        database.signature = beginning.signature
        tell_of(cast(Connection, database.connection_id()), database.timelines())
        database.on_connection = lambda connection: tell_of(connection, database.timelines())
    return Store(database, migrated=True)


def answer(store: Store, told: bytes) -> Reply:
    """Store a group, and tell what became of it."""
    try:
        request = read_request(told)
    except msgspec.ValidationError as error:
        return Reply([], {}, Failure(UNREADABLE, str(error)), None)
    except Exception as error:
        return Reply([], {}, Failure.of(error), None)
    bundles = request.bundles
    if request.copied is not None:
        store.copied = request.copied
    if request.failed is not None:
        store.failed = request.failed
    try:
        _stand_for(store, request)
        answers = store.append(bundles)
    except Exception as error:
        return Reply([], {}, Failure.of(error), store.failed)
    failures = {n: Failure.of(each) for n, each in enumerate(answers) if each is not None}
    stored = [
        Stored.of(bundle) if each is None else None
        for bundle, each in zip(bundles, answers, strict=True)
    ]
    return Reply(stored, failures, None, store.failed if failures else None)


def _stand_for(store: Store, request: Request) -> None:
    """Be a connection of the server of this request. Where the others have ended that, nothing of
    it is stored."""
    store.beside_others = request.beside_others
    store.concerns_others = lambda streams: not request.quiet
    database = store.database
    if not isinstance(database, SharedDatabase):
        return
    database.note_timelines(request.timelines or {})
    if request.session is None:
        return
    name, registered = request.session
    if database.session is None or database.session.name != name:
        session = Session(name)
        session.registered = registered
        try:
            database.belong_to(session)
        except BaseException:
            store.turn_away(request.bundles)
            raise
    elif database.session.registered != registered:
        database.session.registered = registered
