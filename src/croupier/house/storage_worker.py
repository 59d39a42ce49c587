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

import msgspec

from croupier import __version__
from croupier.house.errors import HouseError
from croupier.house.ownership import lock_storage
from croupier.house.storage_process import (
    BUFFER_BYTES,
    FOR_THE_SERVER,
    UNREADABLE,
    Failure,
    Reply,
    Stored,
    encode,
    read_request,
    receive,
    send,
)
from croupier.house.store import Store
from croupier.house.urls import open_database, sqlite_file


def main(url: str, version: str) -> None:
    """Store what comes in, until nothing more comes, for a server of some version."""
    for each in FOR_THE_SERVER:
        signal.signal(each, signal.SIG_IGN)
    requests = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), BUFFER_BYTES)
    replies = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed by mistake is no answer
    if version != __version__:
        says = f"croupier {__version__} was installed under a server of {version}: start it anew"
        send(replies, says.encode())
        return
    try:
        lock_storage(sqlite_file(url))  # freed when this process ends
        store = Store(open_database(url, create=False), migrated=True)
    except HouseError as error:
        send(replies, str(error).encode())
        return
    try:
        send(replies, b"")
        while (told := receive(requests)) is not None:
            send(replies, encode(answer(store, told)))
    except BrokenPipeError:
        # The server has ended: what is stored, its successor reads. Python would complain of what
        # it cannot write at its own end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), replies.fileno())
    finally:
        store.close()


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
        answers = store.append(bundles)
    except Exception as error:
        return Reply([], {}, Failure.of(error), store.failed)
    failures = {n: Failure.of(each) for n, each in enumerate(answers) if each is not None}
    stored = [
        Stored.of(bundle) if each is None else None
        for bundle, each in zip(bundles, answers, strict=True)
    ]
    return Reply(stored, failures, None, store.failed if failures else None)
