"""Simulation of whole rounds: what to play, playing it, and what came out.

    >>> from croupier.lab.simulate import Plan, simulate
    >>> from croupier.lab.simulate_pay import Stakes
    >>> from croupier.lab.simulate_strategy import check
    >>> from croupier.rulebooks import load
    >>> plan = Plan.make(load("multi-link-progressive-v3"), check(), Stakes(ante=1000), rounds=5000)
    >>> simulate(plan).rounds
    5000

The same plan gives the same numbers, to the cent, whatever the number of threads, chunks, workers
or interruptions: cards come by number (``simulate_deal``), outcomes are counted in whole numbers,
and the few stakes that hold a share of the meter are settled afterwards in order of play
(``floor``).
"""

from __future__ import annotations

import hashlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.lab.compiled import cores
from croupier.lab.errors import BadAmount
from croupier.lab.floor import Floor, Link, Major
from croupier.lab.kernel import card_masks, tables
from croupier.lab.simulate_checkpoint import load_state, save_state
from croupier.lab.simulate_deal import Cards, deal
from croupier.lab.simulate_kernel import settle
from croupier.lab.simulate_pay import Bytes, Schedule, Stakes, schedule
from croupier.lab.simulate_result import Result
from croupier.lab.simulate_strategy import Strategy
from croupier.rulebooks import Rulebook

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Progress: TypeAlias = Callable[[int, int], None]
"""Called with the box rounds that are done and those that there will be."""

_BLOCK = 4096
"""Rounds that are dealt, decided and settled together: their cards stay in the fast cache."""
_CHUNK = 1 << 19
"""Box rounds of a chunk, about: a tenth of a second on one core."""
MAX_SESSIONS = 20_000_000
SAVE_EVERY = 20.0
"""Seconds between two checkpoints."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides what comes out."""

    book: str
    """Id of the rulebook."""
    schedule: Schedule
    strategy: Strategy
    rounds: int
    """At each table."""
    seed: int
    session_rounds: int
    floor: Floor
    link: Link

    @classmethod
    def make(
        cls,
        book: Rulebook,
        strategy: Strategy,
        stakes: Stakes,
        *,
        rounds: int,
        seed: int = 1,
        session_rounds: int = 200,
        floor: Floor | None = None,
        link: Link | None = None,
        policies: Mapping[str, str] | None = None,
    ) -> Plan:
        """A plan whose parts fit together; raises a named error that says which does not."""
        floor = floor or Floor()
        link = link or Link(reset=0, contribution=0)
        floor.check()
        link.check(stakes.progressive)
        if not 1 <= rounds < 1 << 48:
            raise BadAmount(f"rounds: {rounds}; there is at least 1")
        if not 0 <= seed < 1 << 64:
            raise BadAmount(f"seed: {seed}; it is a whole number from 0 to 2**64 - 1")
        if session_rounds < 1:
            raise BadAmount(f"session rounds: {session_rounds}; a session has at least 1")
        sessions = rounds // session_rounds * floor.stakes_per_round
        if sessions > MAX_SESSIONS:
            least = -(-rounds * floor.stakes_per_round // MAX_SESSIONS)
            raise BadAmount(
                f"session rounds: {session_rounds} would make {sessions:,} sessions, and no more "
                f"than {MAX_SESSIONS:,} are kept; make them at least {least:,} rounds long"
            )
        return cls(
            book=book.id,
            schedule=schedule(book, stakes, policies),
            strategy=strategy,
            rounds=rounds,
            seed=seed,
            session_rounds=session_rounds,
            floor=floor,
            link=link,
        )

    @property
    def box_rounds(self) -> int:
        """Rounds times boxes, over all tables."""
        return self.rounds * self.floor.stakes_per_round

    @property
    def fingerprint(self) -> str:
        """Equal exactly for plans that give the same numbers."""
        s = self.schedule
        facts: list[Any] = [
            (self.book, self.rounds, self.seed, self.session_rounds),
            (self.floor.tables, self.floor.boxes, self.strategy.fingerprint),
            (self.link.reset, self.link.contribution, self.link.start),
            (s.stakes, s.bonus_lines, s.sets, s.best_single, s.main_bets, s.main_money),
            (s.bonus_money, s.set_money, sorted(s.policies.items())),
        ]
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()

    @property
    def chunk_rounds(self) -> int:
        """Rounds of a chunk: whole sessions, so that no session is torn apart."""
        sessions = max(1, _CHUNK // (self.floor.stakes_per_round * self.session_rounds))
        return sessions * self.session_rounds

    def chunks(self) -> Iterator[tuple[int, int]]:
        """The ranges of rounds that are played together."""
        for start in range(0, self.rounds, self.chunk_rounds):
            yield start, min(start + self.chunk_rounds, self.rounds)


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """What came out of one range of rounds, over all tables."""

    start: int
    stop: int
    counts: Ints
    """By outcome: how many boxes."""
    sessions: Ints
    """By whole session, table and box: the money without shares of the meter."""
    majors: Ints
    """Rows as ``floor.Major`` has them, where the meter decides what a stake is worth."""
    squares: Floats
    """Of what the boxes of a round come to together, as ``simulate_kernel.settle`` adds them up;
    added up chunk by chunk in their order, so that they are the same by whomever."""


def play(plan: Plan, start: int, stop: int) -> Chunk:
    """Play a range of rounds at every table. It depends on nothing but its arguments."""
    s, floor = plan.schedule, plan.floor
    boxes, span = floor.boxes, stop - start
    whole = span // plan.session_rounds
    counts = np.zeros(int(np.prod(s.outcomes)), np.int64)
    # A session that the last rounds leave unfinished has a row of its own, which is dropped.
    sessions = np.zeros((floor.tables, whole + 1, boxes), np.int64)
    cards = np.empty((min(_BLOCK, span), 7 + 2 * boxes), np.uint8)
    rows, seats, codes = (np.empty(len(cards) * boxes, np.int64) for _ in range(3))
    beside = np.zeros((len(cards) * boxes, 2), np.int64)
    squares = np.zeros(4)
    none = np.empty((0, boxes), np.int64)
    lookups = (card_masks(), tables(5), tables(6), tables(7))
    majors = []
    for table in range(floor.tables):
        for first in range(start, stop, _BLOCK):
            block = cards[: min(_BLOCK, stop - first)]
            deal(np.uint64(plan.seed), np.uint64(table), first, len(block), boxes, block)
            decisions = plan.strategy.decide(block, boxes)
            found = settle(
                block,
                decisions,
                s.outcomes,
                s.lookup,
                *lookups,
                counts,
                sessions[table],
                first - start,
                plan.session_rounds,
                none,
                squares,
                rows,
                seats,
                codes,
                beside,
            )
            for i in range(found):
                where = first + int(rows[i]), table, int(seats[i])
                majors.append((*where, int(codes[i]), *map(int, beside[i])))
    return Chunk(
        start=start,
        stop=stop,
        counts=counts,
        sessions=np.ascontiguousarray(sessions[:, :whole].swapaxes(0, 1)),
        majors=np.array(majors, np.int64).reshape(-1, len(Major._fields)),
        squares=squares,
    )


def outcomes(paid: Schedule, cards: Cards, decisions: Bytes) -> Ints:
    """What became of each box of given rounds, as ``simulate_pay`` numbers it.

    Rows of ``cards`` hold the board, the dealer's two, then two for each box; ``decisions`` by
    round and box are the bits of ``simulate_kernel``.
    """
    rounds, boxes = decisions.shape
    codes = np.zeros((rounds, boxes), np.int64)
    counts = np.zeros(int(np.prod(paid.outcomes)), np.int64)
    money = np.zeros((1, boxes), np.int64)
    scratch = [np.empty(rounds * boxes, np.int64) for _ in range(3)]
    settle(
        cards,
        decisions,
        paid.outcomes,
        paid.lookup,
        card_masks(),
        tables(5),
        tables(6),
        tables(7),
        counts,
        money,
        0,
        max(1, rounds),
        codes,
        np.zeros(4),
        *scratch,
        np.zeros((rounds * boxes, 2), np.int64),
    )
    return codes


class State:
    """What has been played so far: all chunks up to one, and those beyond that came early."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.ranges = list(plan.chunks())
        self.through = 0
        """How many chunks are complete from the first on."""
        self.counts: Ints = np.zeros(int(np.prod(plan.schedule.outcomes)), np.int64)
        whole = plan.rounds // plan.session_rounds
        self.sessions: Ints = np.zeros((whole, plan.floor.tables, plan.floor.boxes), np.int64)
        self.majors: Ints = np.zeros((0, len(Major._fields)), np.int64)
        self.squares: Floats = np.zeros(4)
        self.early: dict[int, Chunk] = {}

    @property
    def rounds(self) -> int:
        """Rounds at each table that are complete from the first on."""
        return self.ranges[self.through - 1][1] if self.through else 0

    @property
    def whole_sessions(self) -> int:
        """Sessions that are complete."""
        return self.rounds // self.plan.session_rounds

    @property
    def box_rounds(self) -> int:
        """Box rounds that have been played, early chunks included."""
        early = sum(chunk.stop - chunk.start for chunk in self.early.values())
        return (self.rounds + early) * self.plan.floor.stakes_per_round

    def add(self, chunk: Chunk) -> None:
        """Take in the result of one chunk."""
        self.early[chunk.start] = chunk
        while self.through < len(self.ranges):
            found = self.early.pop(self.ranges[self.through][0], None)
            if found is None:
                return
            self.counts += found.counts
            first = found.start // self.plan.session_rounds
            self.sessions[first : first + len(found.sessions)] = found.sessions
            self.majors = np.concatenate([self.majors, found.majors])
            self.squares += found.squares
            self.through += 1

    def result(self) -> Result:
        """What came out of the rounds up to the first that is missing."""
        return Result.of(
            self.plan,
            rounds=self.rounds,
            counts=self.counts.copy(),
            sessions=self.sessions[: self.whole_sessions],
            majors=[Major(*map(int, row)) for row in self.majors],
            squares=self.squares.copy(),
        )


def simulate(
    plan: Plan,
    *,
    threads: int | None = None,
    client: Any = None,
    checkpoint: Path | None = None,
    rescue: Path | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play the plan, by threads here or by the workers of a Dask ``client``.

    With a ``checkpoint``, what is done is kept there and taken up again by the same call; without
    one, ``rescue`` is where an interrupted simulation leaves what it has. Ctrl-C
    lets the chunks under way come to their end and gives the result of the rounds that are
    complete, which ``result.complete`` tells from all of them; a second Ctrl-C breaks off.
    """
    wanted = cores() if threads is None else threads
    if wanted < 1:
        raise BadAmount(f"threads: {wanted} threads can do no work; give 1 or more")
    state = State(plan)
    if checkpoint is not None:
        load_state(state, checkpoint)
    todo = state.ranges[state.through :]
    report = progress or (lambda done, of: None)
    report(state.box_rounds, plan.box_rounds)
    saved = time.monotonic()
    with interruptible() as interrupted:
        if client is not None:
            from croupier.lab.cluster import by_workers

            chunks = by_workers(client, plan, todo, interrupted)
        else:
            chunks = by_threads(plan, todo, wanted, interrupted)
        try:
            for chunk in chunks:
                state.add(chunk)
                report(state.box_rounds, plan.box_rounds)
                if checkpoint is not None and time.monotonic() - saved > SAVE_EVERY:
                    save_state(state, checkpoint)
                    saved = time.monotonic()
        finally:
            keep = checkpoint or (rescue if interrupted.is_set() else None)
            if keep is not None:
                save_state(state, keep)
    return state.result()


def by_threads(
    plan: Plan, todo: list[tuple[int, int]], threads: int, interrupted: Event
) -> Iterator[Chunk]:
    """Play the chunks by threads and give each when it is done; begin none once interrupted."""
    waiting = iter(todo)
    running: set[Future[Chunk]] = set()
    with ThreadPoolExecutor(threads) as pool:
        while True:
            while len(running) < threads and not interrupted.is_set():
                span = next(waiting, None)
                if span is None:
                    break
                running.add(pool.submit(play, plan, *span))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


@contextmanager
def interruptible() -> Iterator[Event]:
    """Turn the first Ctrl-C into an event; the second is a KeyboardInterrupt as usual."""
    interrupted = Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted  # signals are the main thread's
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(*_: object) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, handle)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)
