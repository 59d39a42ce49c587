"""For a test laboratory: the raw output of the House's source of chance, as much as is asked for.

What is written comes through the very code that deals: the same source, the same sampler, the same
shuffle. Three forms:

    bytes         the source itself, byte by byte
    numbers       whole numbers from 0 to n - 1, one to a line, as a draw among n makes them
    permutations  shuffled decks, one to a line, top card first: `As 4d Th …`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Literal, get_args

from croupier.cards import DECK
from croupier.house.shuffling import SYSTEM, Shuffler, Source

Form = Literal["bytes", "numbers", "permutations"]

CHUNK = {"bytes": 1 << 16, "numbers": 1 << 12, "permutations": 1 << 8}
"""How much is made between two reports of progress."""

Progress = Callable[[int, int], None]
"""Told after each chunk how much is done, and of how much."""


def dump(
    to: IO[bytes],
    count: int,
    form: Form = "bytes",
    *,
    among: int = len(DECK),
    source: Source = SYSTEM,
    progress: Progress | None = None,
) -> int:
    """Write so many bytes, numbers or permutations; return how many bytes were written.

    `among` is what numbers are drawn among. `to` is any binary stream: a file, standard output.
    """
    if form not in get_args(Form):
        raise ValueError(f"there is no form {form!r}; choose {', '.join(get_args(Form))}")
    if count < 0:
        raise ValueError(f"{count} {form} cannot be written")
    shuffler = Shuffler(source)
    written = done = 0
    while done < count:
        size = min(CHUNK[form], count - done)
        written += _write(to, _chunk(shuffler, form, size, among))
        done += size
        if progress is not None:
            progress(done, count)
    to.flush()
    return written


def _chunk(shuffler: Shuffler, form: Form, size: int, among: int) -> bytes:
    match form:
        case "bytes":
            return shuffler.source.take(size)
        case "numbers":
            return _lines([str(shuffler.below(among)) for _ in range(size)])
        case "permutations":
            return _lines([" ".join(map(str, shuffler.shuffle(DECK))) for _ in range(size)])


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _write(to: IO[bytes], chunk: bytes) -> int:
    """All of a chunk: an unbuffered stream may take it in parts."""
    rest = memoryview(chunk)
    while rest:
        rest = rest[to.write(rest) or 0 :]
    return len(chunk)
