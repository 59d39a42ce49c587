"""How long somebody at a table waits for the ruling desk.

`croupier desk` is started as its user starts it and asked over HTTP, its log on the disk. *Asked*
are all incidents of all books, each twice: with nothing known, where every way in which it may have
been is tried, and with everything known. The questions come in an order of chance and nobody has
asked them before, but the desk has prepared itself, as it does at its start while nobody asks.
*First* is the very first question after a start, sent in the moment in which the desk says that it
listens, of the two that leave most open in each book, in a process of its own: the slowest counts.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import Row, Target
from croupier.desk import book_pages
from croupier.live.config import Limits
from croupier.rulebooks import BOOKS, load

SEED = 52
LIMIT = Target(at="most", limit=300)
PAUSE = 1.5 / Limits().requests_per_second
"""Between two questions, so that the desk never thinks that it is flooded and turns one away."""
Question = dict[str, Any]


def measure() -> list[Row]:
    """Ask everything, then begin anew for each book."""
    asked = questions()
    with desk() as address:
        prepared(address)
        times = sorted(waited(address, question) for question in asked)
    cold: list[float] = []
    for book in BOOKS:
        for question in widest(book):
            with desk() as address:
                cold.append(waited(address, question))
    hundredth = times[-1 - len(times) // 100]
    return [
        _row(f"a question, {len(asked)} of all incidents, the median", statistics.median(times)),
        _row("the same, 99 of 100 are quicker", hundredth, note=f"the slowest {times[-1]:.0f} ms"),
        _row(f"the first question after a start, the slowest of {len(cold)}", max(cold)),
    ]


def _row(what: str, value: float, note: str = "") -> Row:
    return Row(benchmark="desk", what=what, value=value, unit="ms", target=LIMIT, note=note)


def questions() -> list[Question]:
    """Every incident of every book, with nothing known and with what is usual."""
    found: list[Question] = []
    for book in map(load, BOOKS):
        for incident in book_pages.incidents(book):
            usual = {fact.name: fact.taken() for fact in book_pages.facts_of(book, incident.name)}
            for facts in ({}, usual):
                found.append({"rulebook": book.id, "incident": incident.name, "facts": facts})
    random.Random(SEED).shuffle(found)
    return found


def widest(book: str) -> list[Question]:
    """The two common incidents of a book that leave most open; the first is prepared before the
    desk listens, the second is not."""
    common = [one for one in book_pages.incidents(load(book)) if one.common]
    common.sort(key=lambda one: -len(book_pages.facts_of(load(book), one.name)))
    return [{"rulebook": book, "incident": one.name} for one in common[:2]]


@contextmanager
def desk() -> Iterator[str]:
    """The address of a desk that has just said that it listens."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "desk.sqlite3"
        command = [sys.executable, "-m", "croupier", "desk", "--port", "0", "--no-browser"]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(
            [*command, "--log", str(log)], stdout=subprocess.PIPE, text=True, env=environment
        ) as running:
            assert running.stdout is not None
            told = (line.strip() for line in running.stdout)
            url = next(line for line in told if line.startswith("http://"))
            try:
                yield url.removeprefix("http://").removesuffix("/ask")
            finally:
                running.terminate()
                running.wait(30)


def waited(address: str, question: Question) -> float:
    """Milliseconds until the answer is there."""
    body = json.dumps({"question": question})
    begin = time.perf_counter()
    line = http.client.HTTPConnection(address, timeout=60)
    line.request("POST", "/api/ask", body, {"Content-Type": "application/json"})
    answer = line.getresponse()
    said = answer.read()
    taken = time.perf_counter() - begin
    line.close()
    time.sleep(PAUSE)
    if answer.status != 200:
        raise RuntimeError(f"{question}: {answer.status} {said.decode()}")
    return 1_000 * taken


def prepared(address: str) -> None:
    """Wait until the desk has prepared itself: its books show all their paragraphs."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        line = http.client.HTTPConnection(address, timeout=60)
        line.request("GET", "/api/ask/desk")
        if json.loads(line.getresponse().read())["ready"]:
            line.close()
            return
        line.close()
        time.sleep(0.2)
    raise RuntimeError("the desk has not prepared itself in two minutes")
