"""What the book makes of words and chips, in many rows: `readings.jsonl` beside this file.

A row is a situation, what was seen, and the reading with its paragraphs and its sentence. The rows
are taken from a grid that stands on the limits of each situation: a figure or chips at, just below
and just above the price, the least raise and the stake. Of rows with the same reason one is kept.

When a reading was changed on purpose, `python -m tests.poker.reading_table` writes the table anew;
the difference of the file shows every reading that changed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from croupier.poker.wager_exact import read_exact_total
from croupier.poker.wager_reading import Manner, read_words_and_chips
from croupier.poker.wager_seen import Reading, Seen, Situation
from croupier.rulebooks import Rulebook, Topic, load

FILE = Path(__file__).with_name("readings.jsonl")
_WORDS: tuple[Any, ...] = ("", "check", "bet", "call", "raise", "all in", "fold")


def _situations() -> Iterator[Situation]:
    """Unopened, a Big Blind, a raise, a short All-in over it; with and without chips in front; also
    with no raise open, and after the word Raise or BET without an amount."""
    for price, full, minimum in ((0, 0, 10), (10, 10, 10), (60, 60, 40), (90, 60, 40)):
        raise_to = full + minimum if price else 20
        for bet in (0, 10):
            if bet > price:
                continue
            at = {1, 9, 10, 11, price, price + 1, price + 20, raise_to - 1, raise_to, 500}
            for stake in sorted(total - bet for total in at if total > bet):
                s = Situation(
                    price=price,
                    full=full,
                    minimum=minimum,
                    bet=bet,
                    stake=stake,
                    big_blind=10,
                    raise_to=raise_to,
                )
                yield s
                if stake in (500 - bet, price + 1 - bet):
                    yield structs.replace(s, may_raise=False, bar=("3.19.3",))
                    yield structs.replace(s, bound="raise" if price else "bet")


def _motions(s: Situation) -> Iterator[tuple[int, ...]]:
    """No chips; one chip; several: at the limits, of what he has."""
    sums = {s.owed, s.owed + s.minimum // 2, s.owed + s.minimum // 2 - 1, s.raise_to - s.bet}
    sums |= {5, 10, 12, s.owed - 1, s.owed + 1, s.raise_to - s.bet + 1, s.stake, s.stake - 1}
    yield ()
    for amount in sorted(n for n in sums if 0 < n <= s.stake):
        yield (amount,)
        if amount > 1:
            yield (amount - 1, 1)
            yield (amount // 2, amount - amount // 2)


def _seen(s: Situation) -> Iterator[Seen]:
    figures = {None, 5, 10, s.price, s.raise_to - 1, s.raise_to, s.raise_to + 1, s.all, s.all + 1}
    for words, chips in itertools.product(_WORDS, _motions(s)):
        for figure in sorted(figures, key=lambda f: f or 0):
            if figure == 0 or (figure is not None and words not in ("", "bet", "raise")):
                continue
            yield Seen(words=words, figure=figure, chips=chips)
            if figure is not None:
                yield Seen(words=words, figure=figure, more=True, chips=chips)
            if chips and (words or figure):
                yield Seen(words=words, figure=figure, chips=chips, first="chips")
                yield Seen(words=words, figure=figure, chips=chips, first="together")
        rest = s.stake - sum(chips)
        for base in (Seen(words=words, chips=chips), Seen(words=words, chips=chips, clear=False)):
            yield structs.replace(base, then_folds=True)
            yield structs.replace(base, gesture="tap")
            yield structs.replace(base, gesture="cards forward")
            if chips and rest:
                yield structs.replace(base, later=(min(rest, 10),))
                yield structs.replace(base, later=(min(rest, 10),), then_folds=True)
        yield Seen(words=words, chips=chips, clear=False)


def _read(book: Rulebook, reading: Reading) -> str:
    cites = dict.fromkeys(p for topic in reading.topics for p in book.cite(topic))
    parts = [f"{reading.action} to {reading.to}"]
    parts += [f"back {reading.back}"] if reading.back else []
    parts += [f"owes {reading.owed}"] if reading.owed else []
    for mark in ("folds", "confirm", "below_minimum"):
        parts += [mark.replace("_", " ")] if getattr(reading, mark) else []
    parts += [f"bound to {reading.binds}"] if reading.binds else []
    parts += [f"barred by {', '.join(reading.bar)}"] if reading.bar else []
    return f"{', '.join(parts)} [{', '.join(cites)}] {reading.says}"


class Row(Struct, kw_only=True, omit_defaults=True):
    """One row: the book, the situation, what was seen, and what the book makes of it."""

    book: str
    situation: dict[str, Any]
    seen: dict[str, Any]
    reading: str


def rows() -> list[Row]:
    """The rows that are kept."""
    return [msgspec.json.decode(line, type=Row) for line in FILE.read_bytes().splitlines()]


def read_again(row: Row) -> str:
    """What the book makes of it now."""
    book = load(row.book)
    situation = msgspec.convert(row.situation, Situation)
    return _read(book, _reading(book, situation, msgspec.convert(row.seen, Seen)))


def _plain(record: Struct) -> dict[str, Any]:
    """A record in plain values, without what it would be anyhow."""
    usual = {field.name: field.default for field in structs.fields(record)}
    values = msgspec.to_builtins(record)
    return {name: v for name, v in values.items() if getattr(record, name) != usual[name]}


def _chosen() -> Iterator[Row]:
    """A row of each reason, from the grid of both books."""
    for name in ("no-limit-holdem-v8", "poker-v5"):
        book = load(name)
        kinds: set[str] = set()
        for s in _situations():
            if s.bound and not book.has(Topic.WORDS_AND_CHIPS):
                continue  # words bind nobody there
            for seen in _seen(s):
                told = _read(book, _reading(book, s, seen))
                kind = f"{re.sub(r'[0-9]+', '', told)} {s.price} {s.may_raise} {s.bound}"
                if kind not in kinds:
                    kinds.add(kind)
                    yield Row(book=name, situation=_plain(s), seen=_plain(seen), reading=told)


def _reading(book: Rulebook, s: Situation, seen: Seen) -> Reading:
    if book.id == "poker-v5":
        return read_exact_total(s, seen, smallest_bet=5)
    return read_words_and_chips(s, seen, Manner(share=book.share("silent-raise-share")))


if __name__ == "__main__":
    chosen = [msgspec.json.encode(row) + b"\n" for row in _chosen()]
    FILE.write_bytes(b"".join(chosen))
