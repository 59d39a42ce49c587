"""Evenings that were played once, and are decided again by every test run.

An evening is a list of orders, sensible ones and mistaken ones, each with what came of it: the
sentence of every event with its paragraphs, the refusal, or the error. Behind a sentence stands a
mark of the whole event, and `seen` is a mark of what everybody could see then: facts and views. So
whatever the engine decides otherwise than before is found, with the order at which it does.

When a ruling was changed on purpose, `python -m tests.pit.kept` decides all evenings anew and
writes them; the difference of the files then shows every ruling that changed, for a reviewer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.banked import BankedTable
from croupier.cards import CardError
from croupier.jackpot import JackpotLink
from croupier.pit import GAMES, Pit, PitError, Said
from croupier.poker import PokerTable
from croupier.table import (
    AUDITOR,
    PUBLIC,
    ActorRank,
    BadCommand,
    Command,
    Event,
    Order,
    Refused,
    Table,
    player,
)

FOLDER = Path(__file__).with_name("evenings")
LINK = "main"
_BETWEEN = timedelta(milliseconds=100)
_LONG_AGO = datetime(2018, 3, 1, 20, tzinfo=UTC)


class Given(Struct, kw_only=True, omit_defaults=True):
    """One order, as it was given, and what came of it."""

    at: str
    who: str
    rank: ActorRank
    do: dict[str, Any]
    after: int = 0
    """Seconds that passed before it."""
    answer: list[str] = []
    seen: str = ""


class Evening(Struct, kw_only=True):
    """The tables of an evening and everything that was said at them."""

    evening: str
    book: str
    tables: list[str]
    given: list[Given] = []


class Play:
    """An evening in progress: gives orders and says what came of them."""

    def __init__(self, book: str, tables: list[str]) -> None:
        self.book = GAMES.load(book)
        self.pit = Pit()
        self.names: dict[tuple[str, int], str] = {}
        effective = self.book.effective
        self.now = effective + timedelta(days=30) if effective else _LONG_AGO
        kind: type[Table[Any]] = PokerTable if self.book.family == "poker" else BankedTable
        if kind is BankedTable:
            self.pit.add_link(LINK, JackpotLink(self.book))
        for name in tables:
            self.pit.add_table(name, kind(self.book), LINK if kind is BankedTable else None)

    def give(self, order: Given) -> Given:
        """The order with what comes of it now."""
        self.now += timedelta(seconds=order.after) + _BETWEEN
        here = self.pit.at(order.at)
        seen = ""  # what is not accepted changes nothing, so nothing new can be seen
        try:
            command = here.read_command(msgspec.json.encode(_unfolded(order.do)))
            self._hear_names(order, command)
            buys = here.buying(command) if isinstance(here, Table) else None
            answer = self.pit.give(
                order.at, Order(command=command, who=order.who, rank=order.rank, when=self.now)
            )
        except (BadCommand, CardError, PitError, msgspec.ValidationError) as error:
            lines = [f"error: {error}"]
        else:
            if isinstance(answer, Refused):
                lines = [f"refused: {answer.says} [{', '.join(answer.cites)}]"]
            else:
                lines = [self._tell(each) for each in answer]
                seen = self._seen(answer, buys)
        return msgspec.structs.replace(order, answer=lines, seen=seen)

    def _hear_names(self, order: Given, command: Any) -> None:
        seat = getattr(command, "seat", None) or getattr(command, "box", None)
        if isinstance(seat, int) and isinstance(getattr(command, "player", None), str):
            self.names.setdefault((order.at, seat), command.player)

    def _tell(self, said: Said) -> str:
        def name(seat: int) -> str:
            return self.names.get((said.place, seat), f"seat {seat}")

        place = f"{said.place}: " if len(self.pit.tables) + len(self.pit.links) > 1 else ""
        cites = f" [{', '.join(said.event.cites)}]" if said.event.cites else ""
        event = said.event
        return f"{place}{event.tell(name)}{cites} {_mark([event, event.crossings()])}"

    def _seen(self, said: list[Said], buys: tuple[str, int] | None) -> str:
        """A mark of the facts, of where the money is, of every view, and of what each was told."""
        seen: list[Any] = [buys]
        for place, link in self.pit.links.items():
            assert isinstance(link, JackpotLink)
            if link.state.opened:
                seen += [place, link.facts()]
        for place, table in self.pit.tables.items():
            if table.state.opened:
                told = [each.event for each in said if each.place == place]
                seen += [place, table.facts(), table.due(), table.next_call(), table.holdings()]
                seen += _views(table, told)
        return _mark(seen)


def _views(table: Table[Any], told: list[Event]) -> Iterator[Any]:
    people = sorted({who for p in table.taken_seats() if (who := table.player_at(p)) is not None})
    for viewer in (PUBLIC, AUDITOR, *map(player, people)):
        yield table.view(viewer)
        yield [table.show(event, viewer) for event in told]


def _mark(record: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(record, enc_hook=str)).hexdigest()[:6]


def folded(command: Command) -> dict[str, Any]:
    """A command in plain values; a deck, which nobody reads, in one word."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    if values["do"] == "give shuffle":
        values["cards"] = "".join(values["cards"])
    return values


def _unfolded(values: dict[str, Any]) -> dict[str, Any]:
    if values["do"] == "give shuffle" and isinstance(values["cards"], str):
        deck = values["cards"]
        return {**values, "cards": [deck[n : n + 2] for n in range(0, len(deck), 2)]}
    return values


def decided_again(evening: Evening) -> Iterator[tuple[Given, Given]]:
    """Each order with what came of it then, and with what comes of it now."""
    play = Play(evening.book, evening.tables)
    for given in evening.given:
        yield given, play.give(given)


def read_evenings(text: str) -> list[Evening]:
    """The evenings of a file: one line for each order, a line with the tables before them."""
    evenings: list[Evening] = []
    for line in text.splitlines():
        if line.startswith('{"evening"'):
            evenings.append(msgspec.json.decode(line, type=Evening))
        else:
            evenings[-1].given.append(msgspec.json.decode(line, type=Given))
    return evenings


def write_evenings(evenings: list[Evening]) -> str:
    """The text of a file of evenings."""
    lines = []
    for evening in evenings:
        lines.append(msgspec.json.encode(msgspec.structs.replace(evening, given=[])))
        lines += [msgspec.json.encode(given) for given in evening.given]
    return b"".join(line + b"\n" for line in lines).decode()


def kept_evenings() -> Iterator[Evening]:
    """All evenings that are kept."""
    for file in sorted(FOLDER.glob("*.jsonl")):
        yield from read_evenings(file.read_text(encoding="utf-8"))


def main() -> None:
    """Decide every kept evening anew, and write what comes of it now."""
    for file in sorted(FOLDER.glob("*.jsonl")):
        evenings = read_evenings(file.read_text(encoding="utf-8"))
        for evening in evenings:
            evening.given = [now for _, now in decided_again(evening)]
        file.write_text(write_evenings(evenings), encoding="utf-8")


if __name__ == "__main__":
    main()
