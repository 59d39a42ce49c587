"""Storage in a process of its own: groups of commands are judged, chained and written elsewhere.

One Python runs one thread at a time. Where a server plays and stores in one process, each takes
the interpreter from the other; with storage beside it, two cores work at once. `StorageProcess` is
a store like any other. Only `append` goes to the other process (`croupier.house.storage_worker`),
over its standard input and output. What is read, and the little else that is written, goes by a
connection of this process, and is not written while a group is: SQLite before 3.51.3 can lose
pages where one connection carries the write-ahead log over while another commits.

On PostgreSQL the other process is one more connection of the same server of the House, under its
name: whoever ends that one ends this one with it (`croupier.house.shared_database`).

While it stores a group it may be sent the next one (`send_ahead`): then it goes on without waiting
for this process, whose interpreter is busy with players.

If the other process ends before it has answered, the log is asked whether the group was stored,
once nothing of it is under way any more. Was it, its bundles get what they were stored with; was it
not, the group is given to another one.
"""

from __future__ import annotations

import importlib
import logging
import mmap
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, cast

import msgspec
from msgspec import Struct

from croupier import __version__
from croupier.house import copies
from croupier.house.alarm_log import ALARM
from croupier.house.database import Database
from croupier.house.errors import Conflict, HouseError, LostConnection, Malformed, StorageError
from croupier.house.group import order_row
from croupier.house.records import Bundle, Opening, Secret
from croupier.house.rows import ORDER_COLUMNS, ROW
from croupier.house.shared_database import Connection, SharedDatabase
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store

logger = logging.getLogger("croupier.house")

HEAD_BYTES = 4
"""Before each message stands how many bytes it has."""
BUFFER_BYTES = 2**16
"""What is read at once: as much as a pipe holds, a whole message nearly always. After each read the
interpreter must be had back from whoever is at work, so a message in pieces comes late."""
PIPE_BYTES = 2**20
"""What the pipe to the other process is to hold, where the system lets it be told (Linux)."""
PIPE_SPARE = 4 * mmap.PAGESIZE
"""What of a pipe may be lost where messages end within its pages."""
TRIES = 2
"""How often a group is given to a process before it is an error that none stores it."""
SWITCH_SECONDS = 0.001
"""How long a thread of the server goes on at most while another one waits for the interpreter:
when the other process has stored a group, it is to have the next one at once, not after Python's
usual five thousandths of a second, in which it could have stored it."""
UNWRITABLE = (UnicodeEncodeError, OverflowError, TypeError)
"""How something says that it cannot be written in a message."""
UNREADABLE = "unreadable"
"""The kind of a failure to read a group: something in it is not what it should be."""
END_SECONDS = 30.0
"""What the other process has for its last group when the House closes."""
ANSWERS_WITHIN = 120.0
"""Seconds after which a process that does not answer is ended: it was stopped, or it hangs. A
database that another one keeps locked is an answer, and comes well before that."""
LOOK_SECONDS = 5.0
"""So often it is looked whether it still answers."""
LOOKS_AGAIN = 0.01
"""So often it is looked whether a server has ended a connection."""
FOR_THE_SERVER = (signal.SIGINT, signal.SIGTERM)
"""Signals that a terminal and systemd send to both: the server has a last group to be stored."""
BEGIN = (
    "import sys; sys.path[:] = sys.argv[1:]; from croupier.house.storage_worker import main; main()"
)
"""What the other process runs: the modules that run here, wherever and however this one was
started. A file in the folder where it was started must not stand in for one of them."""


class Beginning(Struct, array_like=True):
    """What a process is told as it is started. Not on its command line, which others can read: an
    address may have a password."""

    url: str
    version: str
    """Of the server that has started it."""
    signature: str = ""
    """Of its database, where several processes share that."""


class Request(Struct, array_like=True):
    """A group to be stored."""

    bundles: list[Bundle]
    copied: copies.CopyMark | None = None
    """How far the copy of the log goes by now."""
    failed: dict[str, int] | None = None
    """To a process that was started just now: what its predecessor had turned away."""
    session: tuple[str, bool] | None = None
    """Of which server this is a connection, and whether it is in the table of servers."""
    quiet: bool = False
    """Whether no other server follows what is stored."""
    beside_others: bool = False
    """Whether other servers write all the time."""
    timelines: dict[str, int] | None = None
    """What the server has seen of promoted standbys: no older primary is written to."""


class Failure(Struct, array_like=True):
    """An error, to be raised in the other process."""

    kind: str
    """The name of an error of the House, `UNREADABLE`, or nothing for an error that nobody
    foresaw."""
    says: str
    module: str = ""
    """Where that error is defined: not all of them are in `croupier.house.errors`."""

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """What is told of an error."""
        if isinstance(error, HouseError):
            return cls(type(error).__name__, str(error), type(error).__module__)
        return cls("", repr(error))

    def error(self) -> Exception:
        """The error that this tells of."""
        if not self.kind:
            return RuntimeError(self.says)
        made: HouseError = getattr(importlib.import_module(self.module), self.kind)(self.says)
        return made


class Stored(Struct, array_like=True):
    """What a bundle was given as it was stored."""

    number: int
    """Of its order."""
    digests: list[bytes]
    """Of its rows."""
    bound: int
    """Which of them is bound to the order; -1 if none is."""
    order: bytes
    """The digest of the order, in that row."""
    secrets: list[Secret]
    openings: list[Opening]
    """As they are encrypted."""

    @classmethod
    def of(cls, bundle: Bundle) -> Stored:
        """What the other process must know of a bundle that is stored."""
        bound = next((n for n, row in enumerate(bundle.rows) if row.order), -1)
        return cls(
            bundle.order.number if bundle.order is not None else 0,
            [row.digest for row in bundle.rows],
            bound,
            bundle.rows[bound].order if bound >= 0 else b"",
            list(bundle.secrets),
            list(bundle.openings),
        )

    def put_into(self, bundle: Bundle) -> None:
        """Complete a bundle, as `Store.append` does."""
        if bundle.order is not None:
            bundle.order.number = self.number
        for row, digest in zip(bundle.rows, self.digests, strict=True):
            row.digest = digest
        if self.bound >= 0:
            bundle.rows[self.bound].order = self.order
        if self.secrets or self.openings:
            bundle.secrets, bundle.openings = self.secrets, self.openings


class Reply(Struct, array_like=True):
    """What became of a group, or that there is a new connection, before that is used."""

    bundles: list[Stored | None]
    """None for one that was turned away."""
    failures: dict[int, Failure]
    """Why, for those."""
    raised: Failure | None
    """The error with which the whole group was turned away."""
    failed: dict[str, int] | None
    """What was turned away so far, where that has changed and the group could be read."""
    connection: Connection | None = None
    """The new connection, in a reply that tells nothing else but `timelines`."""
    timelines: dict[str, int] | None = None
    """What the other process has seen of promoted standbys."""


class _Sent(Struct):
    """A group that another process was given."""

    bundles: Sequence[Bundle]
    process: subprocess.Popen[bytes]
    size: int
    """How long the message was."""
    is_kept: bool = False
    """Of one that was sent ahead: whether the database is kept from others until it is appended."""
    reply: Reply | None = None
    """Of one that was sent ahead: what became of it, where that was heard before its turn."""


encode = msgspec.msgpack.Encoder().encode
read_request = msgspec.msgpack.Decoder(Request).decode
read_reply = msgspec.msgpack.Decoder(Reply).decode
read_beginning = msgspec.msgpack.Decoder(Beginning).decode

READY = encode(Reply([], {}, None, None))
"""The first reply of a process: it has the database."""


class _Unwritable(Exception):
    """Something in a group cannot be written in a message, or is not what it should be."""


class StorageProcess(Store):
    """A store whose groups are stored by another process."""

    is_apart = True

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        sys.setswitchinterval(min(SWITCH_SECONDS, sys.getswitchinterval()))
        self._url = database.url
        if isinstance(database, SqliteDatabase):
            # Its address follows a link, and the key of secrets lies beside the link.
            self._url = f"sqlite:///{database.path.absolute()}"
        self._shared = database if isinstance(database, SharedDatabase) else None
        """The database, if several processes share it: then it may be at work for a process that
        has ended."""
        self._process: subprocess.Popen[bytes] | None = None
        """None where the last one has ended: the next group starts another."""
        self._in_step = True
        """False from a request until its reply: whoever is interrupted between the two would take
        the reply for that of the next group."""
        self._sending = threading.Lock()
        """Held by whoever sends a group ahead, and whoever ends the time for it."""
        self._under_way: _Sent | None = None
        """The group behind which another may be sent: from when the other process has it until its
        answer is heard."""
        self._ahead: _Sent | None = None
        """The next group, where it was sent already."""
        self._room = 0
        """How much of two messages the pipe to the other process holds; 0 where nobody knows."""
        self._knows_failed = True
        """Whether the other process knows all that was turned away so far."""
        self._asked: tuple[float, subprocess.Popen[bytes]] | None = None
        """Since when an answer is waited for, and of whom."""
        self._over = threading.Event()
        self._trouble = ""
        """Why no process could be started, the last time."""
        self.restarts = 0
        """How often the other process had ended before its time."""
        watch = threading.Thread(target=self._watch, name="house-storage-watch", daemon=True)
        watch.start()
        try:
            self._start()
        except BaseException:
            self._over.set()
            raise

    @property
    def process_id(self) -> int | None:
        """Of the process that stores now."""
        return None if self._process is None else self._process.pid

    def append(self, bundles: Sequence[Bundle]) -> list[HouseError | None]:
        """Have bundles stored in one transaction; for each, None or why it was turned away."""
        ahead = self._sent_ahead(bundles)
        try:
            with self.database.lock:  # nobody writes here meanwhile, as nobody does in `Store`
                if ahead is not None:
                    self.database.lock.release()  # held since it was sent
                try:
                    reply = self._ask(bundles, ahead)
                finally:
                    self._keep_for_ahead()
        except _Unwritable as error:
            if len(bundles) > 1:  # each alone: the others are stored
                return [answer for bundle in bundles for answer in self.append([bundle])]
            self.turn_away(bundles)
            return [Malformed(f"what a command caused cannot be written: {error}")]
        except BaseException:
            self.turn_away(bundles)
            raise
        if reply.raised is not None:
            raise reply.raised.error()
        for bundle, stored in zip(bundles, reply.bundles, strict=True):
            if stored is not None:
                stored.put_into(bundle)
        if not reply.failures:
            return [None] * len(bundles)
        found = (reply.failures.get(number) for number in range(len(bundles)))
        return [None if each is None else cast(HouseError, each.error()) for each in found]

    def has_answered(self) -> bool:
        """Whether an answer of the other process waits to be heard."""
        under_way = self._under_way
        if under_way is None or not hasattr(select, "poll"):
            return False
        poll = select.poll()
        with suppress(ValueError):  # it has ended, and whoever waited for it has closed the pipe
            poll.register(cast(IO[bytes], under_way.process.stdout), select.POLLIN)
            return bool(poll.poll(0))
        return False

    def send_ahead(self, bundles: Sequence[Bundle], *, behind: Sequence[Bundle]) -> bool:
        """Send the next group while the other process stores the one before it; False where that
        cannot be done. Any thread may do it. Whoever appends the one before must append this one
        next.

        It must fit into the pipe beside the one before it: the other process reads nothing while it
        stores, and is not to be waited for here.
        """
        with self._sending:
            before = self._under_way
            if before is None or before.bundles is not behind:
                return False  # also where the one before is given in parts
            if self._ahead is not None or not self._knows_failed or self._room <= before.size:
                return False
            try:
                message = self._request(bundles, copied=None)
            except Exception:
                return False  # whoever appends it is told
            if before.size + len(message) > self._room:
                return False
            self._ahead = _Sent(bundles, before.process, len(message))
            try:
                _send(before.process, message)
            except BaseException as error:
                # It has ended, or would wait for the rest of the message. Whoever appends this
                # group asks the log for it.
                before.process.kill()
                if not isinstance(error, Exception):
                    raise
            return True

    def _keep_for_ahead(self) -> None:
        """If the next group was sent, nobody else writes here before that is stored too."""
        if self._ahead is not None and not self._ahead.is_kept:
            self._ahead.is_kept = True
            self.database.lock.acquire()

    def forget_ahead(self) -> None:
        """What was sent ahead is not appended any more: whoever was to do it was interrupted."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            self._in_step = False
            try:
                self._give_up()  # only the log tells whether it was stored
            finally:
                if ahead.is_kept:
                    self.database.lock.release()

    def append_here(self, bundles: Sequence[Bundle]) -> list[HouseError | None]:
        """Store bundles in this process: for whoever would only wait for the other one. That has
        nothing to do meanwhile, for whoever asks it holds the lock until it has answered."""
        with self.database.lock:
            try:
                self._be_ready()
            except BaseException:
                self.turn_away(bundles)
                raise
            known = self.failed
            try:
                return super().append(bundles)
            finally:
                self._knows_failed = self._knows_failed and self.failed == known

    def _sent_ahead(self, bundles: Sequence[Bundle]) -> _Sent | None:
        """These bundles as they were sent ahead, if they were."""
        if self._ahead is None or self._ahead.bundles is not bundles:
            return None
        ahead, self._ahead = self._ahead, None
        return ahead

    def turn_away(self, bundles: Sequence[Bundle]) -> None:
        super().turn_away(bundles)
        self._knows_failed = False

    def _be_ready(self) -> None:
        """Nothing is stored after the end, nor beside a process that may still be storing."""
        if self._over.is_set():
            raise StorageError("the House is closed; nothing more is stored")
        if not self._in_step or self._is_to_be_heard(self._ahead):
            self._give_up()  # its next answer would be taken for another's
        elif self._process is None:
            self._end_lost()  # where that failed before

    def _is_to_be_heard(self, sent: _Sent | None) -> bool:
        """Whether the process that stores owes an answer to a group."""
        return sent is not None and sent.reply is None and sent.process is self._process

    def _ask(self, bundles: Sequence[Bundle], sent: _Sent | None) -> Reply:
        """Have a group stored that may have been sent already."""
        self._be_ready()
        if sent is not None and not self._is_to_be_heard(sent):
            reply = sent.reply or self._found(bundles)
            if reply is not None:
                return _readable(reply)
            sent = None
        for _ in range(TRIES):
            process = self._process or self._start_again()
            message = None
            if sent is None:
                message = self._request(bundles, self.copied)
                sent = _Sent(bundles, process, len(message))
            reply = self._exchange(sent, message)
            sent = None
            if reply is not None:
                if message is not None:
                    self.copied = None
                if reply.raised is not None:
                    self._hear_ahead()
                return _readable(reply)
            self._give_up()
            found = self._found(bundles) or self._passed_by(bundles)
            if found is not None:
                return found
        raise StorageError(
            "the process that stores ends again and again; nothing can be stored. Its own words "
            "stand before this in the log of the server"
        )

    def _hear_ahead(self) -> None:
        """Hear what became of the next group before its turn: this one may be given once more, in
        parts, and no answer may be taken for another's."""
        ahead = self._ahead
        if ahead is not None and self._is_to_be_heard(ahead):
            ahead.reply = self._exchange(ahead, meanwhile=False)
            if ahead.reply is None:
                self._give_up()

    def _passed_by(self, bundles: Sequence[Bundle]) -> Reply | None:
        """Where the next group is stored and this one is not, this one was turned away."""
        ahead = self._ahead
        if ahead is None or ahead.reply is not None:
            return None
        ahead.reply = self._found(ahead.bundles)
        return None if ahead.reply is None else self._as_turned_away([None] * len(bundles), bundles)

    def _request(self, bundles: Sequence[Bundle], copied: copies.CopyMark | None) -> bytes:
        request = Request(list(bundles), copied, None if self._knows_failed else self.failed)
        if self._shared is not None:
            session = self._shared.session
            request.session = None if session is None else (session.name, session.registered)
            streams = {stream for bundle in bundles for stream in bundle.expected}
            request.quiet = not self.concerns_others(streams)
            request.beside_others = self.beside_others
            request.timelines = self._shared.timelines()
        try:
            message = encode(request)
            return len(message).to_bytes(HEAD_BYTES, "big") + message
        except UNWRITABLE as error:
            raise _Unwritable(str(error)) from error

    def _exchange(
        self, sent: _Sent, message: bytes | None = None, *, meanwhile: bool = True
    ) -> Reply | None:
        """Hand a group over, unless it was sent already, and wait for the reply; None if the
        process has ended before it."""
        process = sent.process
        self._in_step = False
        try:
            try:
                if message is not None:
                    self._asked = time.monotonic(), process
                    _send(process, message)
                if meanwhile:
                    self._under_way = sent
                    self._asked = None  # what is done here meanwhile is no time that it takes
                    self.meanwhile()
                self._asked = time.monotonic(), process
                reply = self._receive(process)
                self._in_step = reply is not None
                return reply
            finally:
                self._asked = None
                with self._sending:
                    self._under_way = None
        except OSError:
            return None
        except BaseException:
            self._give_up()  # before anybody reads the log again: nothing comes behind him
            raise

    def _receive(self, process: subprocess.Popen[bytes]) -> Reply | None:
        """The next reply; None if the process has ended before it."""
        while (told := receive(cast(IO[bytes], process.stdout))) is not None:
            reply = read_reply(told)
            if reply.connection is None:
                return self._read(reply)
            self._note_connection(reply.connection, reply.timelines)
        return None

    def _note_connection(self, connection: Connection, timelines: dict[str, int] | None) -> None:
        """The other process has a connection, and uses it from now on."""
        assert self._shared is not None
        if self._shared.writers:  # it has lost the one before
            self._shared.note_loss()
        self._shared.writers += (connection,)
        self._shared.note_timelines(timelines or {})

    def _read(self, reply: Reply) -> Reply:
        """A reply, in the order of the groups: what was turned away up to it is known here too."""
        if reply.failed is not None:
            self.failed = reply.failed
        if reply.failed is not None or reply.raised is None:  # else it has not read the request
            self._knows_failed = True
        if self._shared is not None:  # what it had sent by a connection before is judged by now
            self._shared.writers = self._shared.writers[-1:]
        return reply

    def _found(self, bundles: Sequence[Bundle]) -> Reply | None:
        """What became of a group whose reply was lost with its process; None if it was not stored.

        A group is stored as one. Is any bundle of it in the log, then those that are not were
        turned away; why, is lost.
        """
        ids = {bundle.command_id for bundle in bundles}
        columns = ", ".join(ORDER_COLUMNS)
        sql = f"SELECT {columns} FROM orders WHERE command_id {{keys}}"
        orders = {values[1]: values for values in self._by_keys(sql, ids)}
        rows: dict[str, dict[Any, Any]] = {each: {} for each in orders}
        sql = f"SELECT {', '.join(ROW)} FROM log WHERE command_id {{keys}}"
        for values in self._by_keys(sql, ids):
            rows.setdefault(values[2], {})[values[:2]] = values
        found = [
            self._as_stored(bundle, orders.get(bundle.command_id), rows.get(bundle.command_id, {}))
            for bundle in bundles
        ]
        return self._as_turned_away(found, bundles) if any(found) else None

    def _as_turned_away(self, found: list[Stored | None], bundles: Sequence[Bundle]) -> Reply:
        """What is told of a group whose reply was lost: those that were not found were turned
        away."""
        says = "it was turned away, and why was lost with the process that stores; try again"
        lost = Failure.of(Conflict(says))
        self.turn_away([bundle for bundle, each in zip(bundles, found, strict=True) if not each])
        failures = {number: lost for number, each in enumerate(found) if each is None}
        return Reply(found, failures, None, None)

    def _as_stored(
        self, bundle: Bundle, order: tuple[Any, ...] | None, rows: dict[Any, tuple[Any, ...]]
    ) -> Stored | None:
        """What a bundle was given as it was stored; None if this one is not in the log, though
        another one of its id may be."""
        if order is None or order[1:-1] != order_row(bundle, b"")[1:-1]:
            return None
        mine = [rows.get((row.stream, row.position)) for row in bundle.rows]
        for row, values in zip(bundle.rows, mine, strict=True):
            written = (row.command_id, row.who, row.rank, row.at, row.stored or row.event)
            if values is None or values[2:7] != written:
                return None
        kept = [cast(tuple[Any, ...], values) for values in mine]
        bound = next((number for number, values in enumerate(kept) if values[-1]), -1)
        secrets = copies.kept_secrets(self) if bundle.secrets else []
        sealed = {(name, kind): secret for name, kind, secret in secrets}
        wanted = {opening.shuffle for opening in bundle.openings}
        return Stored(
            order[0] or 0,
            [values[-2] for values in kept],
            bound,
            kept[bound][-1] if bound >= 0 else b"",
            [msgspec.structs.replace(s, secret=sealed[s.name, s.kind]) for s in bundle.secrets],
            [
                Opening(shuffle=shuffle, stream=stream, seed=seed)
                for shuffle, stream, seed in copies.kept_openings(self, wanted)
            ],
        )

    # -- the process -------------------------------------------------------------------------

    def _start(self) -> subprocess.Popen[bytes]:
        """Start a process, and wait until it is alone with the file."""
        with _signals_wait():  # until it ignores them
            try:
                process = subprocess.Popen(
                    [sys.executable, *_flags(), "-c", BEGIN, *sys.path],
                    bufsize=BUFFER_BYTES,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            except OSError as error:
                raise StorageError(f"no process could be started that stores: {error}") from error
        self._asked = time.monotonic(), process
        try:
            signature = "" if self._shared is None else self._shared.signature
            beginning = encode(Beginning(self._url, __version__, signature))
            with suppress(BrokenPipeError):  # it has ended: there is no answer either
                send(cast(IO[bytes], process.stdin), beginning)
            reply = self._receive(process)
        except BaseException:
            process.kill()
            _end(process)
            raise
        finally:
            self._asked = None
        if reply is None:
            process.kill()
            _end(process)
            raise StorageError("the process that stores has ended before it could begin")
        if reply.raised is not None:
            _end(process)
            why = reply.raised.error()
            raise why if isinstance(why, StorageError) else StorageError(reply.raised.says)
        self._process = process
        self._room = _room(process)
        self._in_step, self._knows_failed = True, not self.failed
        return process

    def _start_again(self) -> subprocess.Popen[bytes]:
        """Start another one; that it cannot be, is told once."""
        self.meanwhile()  # it takes a while
        try:
            process = self._start()
        except StorageError as error:
            if str(error) != self._trouble:
                logger.error("%s; it is tried with every group", error, extra=ALARM)
            self._trouble = str(error)
            raise
        self._trouble = ""
        return process

    def _give_up(self) -> None:
        """Be rid of a process that has ended, or that is out of step: when this returns, it writes
        no more."""
        process = self._process
        if process is not None:
            self.restarts += 1
            process.kill()
            self._hear_of_connections(process)
            _end(process)
            self._process = None
            logger.error(
                "the process that stores has ended (%s); another one is started",
                process.returncode,
                extra=ALARM,
            )
        self._in_step = True
        self._end_lost()

    def _hear_of_connections(self, process: subprocess.Popen[bytes]) -> None:
        """What a process that was killed has said of its connections, behind a reply that nobody
        hears any more."""
        if self._shared is None:
            return
        with suppress(OSError, msgspec.DecodeError):  # it may have been killed within a word
            while (told := receive(cast(IO[bytes], process.stdout))) is not None:
                reply = read_reply(told)
                if reply.connection is not None:
                    self._note_connection(reply.connection, reply.timelines)

    def _end_lost(self) -> None:
        """See that the database is no longer at work for a process that has ended: what it was sent
        may be stored until then."""
        shared = self._shared
        if shared is None or not shared.writers:
            return
        until = time.monotonic() + END_SECONDS
        for connection in shared.writers:
            while shared.end_connection(connection):
                if time.monotonic() > until:
                    raise LostConnection(  # nobody knows yet what is stored of its last group
                        f"{shared.name} does not end the connection of a process that stored and "
                        "has ended; nothing is stored until it is gone"
                    )
                time.sleep(LOOKS_AGAIN)
        shared.writers = ()
        shared.note_loss()

    def _watch(self) -> None:
        """End a process that does not answer: whoever waits for it would wait for ever."""
        while not self._over.wait(LOOK_SECONDS):
            asked = self._asked
            if asked is not None and time.monotonic() > asked[0] + ANSWERS_WITHIN:
                says = "the process that stores has not answered for %.0f s; it is ended"
                logger.error(says, ANSWERS_WITHIN, extra=ALARM)
                asked[1].kill()

    def close(self) -> None:
        """Let go of the database, after the other process has."""
        self._over.set()
        process, self._process = self._process, None
        if process is not None:
            _end(process)
        super().close()


def _readable(reply: Reply) -> Reply:
    """A reply, unless it is that the group could not be read."""
    if reply.raised is not None and reply.raised.kind == UNREADABLE:
        raise _Unwritable(reply.raised.says)
    return reply


def _send(process: subprocess.Popen[bytes], message: bytes) -> None:
    requests = cast(IO[bytes], process.stdin)
    requests.write(message)
    requests.flush()


def _room(process: subprocess.Popen[bytes]) -> int:
    """How much of two messages the pipe to a process holds."""
    if sys.platform != "linux":  # pragma: no cover
        return 0
    import fcntl

    pipe = cast(IO[bytes], process.stdin).fileno()
    with suppress(OSError):  # where users may not have so much it keeps its size
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    with suppress(OSError):
        return fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) - PIPE_SPARE
    return 0


def _flags() -> list[str]:
    """How the interpreter of this process was started, as far as it says which modules it has."""
    flags = ["-P"]  # nothing from the folder where it was started
    flags += ["-I"] * sys.flags.isolated
    flags += ["-E"] * sys.flags.ignore_environment
    flags += ["-s"] * sys.flags.no_user_site
    return flags + ["-O"] * sys.flags.optimize


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Keep the signals of the server from a process that is being started: it inherits which are
    kept from this thread."""
    if sys.platform == "win32":  # pragma: no cover
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, FOR_THE_SERVER)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message."""
    stream.write(len(message).to_bytes(HEAD_BYTES, "big") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """The next message; None when the other side has ended."""
    head = stream.read(HEAD_BYTES)
    if len(head) < HEAD_BYTES:
        return None
    size = int.from_bytes(head, "big")
    message = stream.read(size)
    return message if len(message) == size else None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a process end, and take it off the system."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was still to be written cannot be any more
                stream.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
