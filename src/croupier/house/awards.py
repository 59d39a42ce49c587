"""What jackpot links have paid, for the slip and the witness: read from the logs.

The log of a link has who paid what and when; that of the table whose hand it was. Nothing is kept
beside them, so a slip can be printed again at any time and says the same.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from croupier.house.house import House
from croupier.house.office.office import OFFICE
from croupier.house.office.standards import TWO_PEOPLE
from croupier.house.office.witnesses import WitnessAward
from croupier.house.records import Row
from croupier.house.software import SOFTWARE
from croupier.jackpot import JackpotLink
from croupier.jackpot.claims import ORDER_OF_PAYMENT
from croupier.jackpot.events import AwardPaidAgain, AwardTakenBack, ClaimsQueued
from croupier.pit.ports.port import Claimed
from croupier.pit.registry import GAMES
from croupier.table import (
    AwardMade,
    BadCommand,
    Command,
    DecisionNeeded,
    DecisionTaken,
    HeldLine,
    Order,
    Refused,
)

LOOKED_BACK = 20_000
"""Events at the end of a link's log that are looked through for awards."""
OF_A_ROUND = 2_000
"""Events of a table's log before an award that are looked through for its round."""
_LOOKED_FOR = (
    *(b"award made", b"claims queued", b"award taken back", b"award paid again"),
    ORDER_OF_PAYMENT.encode(),
)
"""The events of a link that are read of its log."""
ASKED_FOR = timedelta(hours=12)
"""How long a witness is asked for."""


class AwardPaid(Struct, frozen=True, kw_only=True):
    """One award, as the log of its link has it."""

    link: str
    award: int
    """Its position in the log: the number of the slip."""
    at: datetime
    paid_by: str
    rank: str
    """In which he paid it."""
    ordered_by: tuple[str, ...]
    """Who ordered the payment: whoever asked for it, and whoever said in which order."""
    by_software: bool
    """Whether nobody paid it by hand: a link that pays at once."""
    command_id: str
    event: AwardMade
    held: HeldLine | None = None
    """The line as it was claimed."""
    since: datetime | None = None
    """When it was claimed."""


class Awards:
    """The awards of the links of one House; used under its lock."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._read: dict[str, int] = {}
        self._claims: dict[tuple[str, str, int, int, str], tuple[HeldLine, datetime | None]] = {}
        self._found: dict[str, dict[int, AwardPaid]] = {}
        self._taken_back: set[tuple[str, str, int, int, str]] = set()
        """Awards that came back, by link, table, round, box and line."""
        self._asked: dict[str, Row] = {}
        """Of each link, the order to pay that asked in which order."""
        self._answered: dict[str, Row] = {}
        """The same by the command that answered."""

    def of(self, link: str) -> list[AwardPaid]:
        """What a link has paid, the oldest first."""
        self._catch_up(link)
        return list(self._found.get(link, {}).values())

    def find(self, link: str, award: int) -> AwardPaid:
        """One award by its number; `BadCommand` if there is none."""
        self._house.writer.flush()
        self._catch_up(link)
        found = self._found.get(link, {}).get(award) or self._older(link, award)
        if found is None:
            raise BadCommand(f"jackpot {link!r} has paid no award {award}")
        return found

    def _catch_up(self, link: str) -> None:
        last = self._house.positions.get(link, 0)
        read = self._read.get(link, max(0, last - LOOKED_BACK))
        if read >= last:
            return
        self._look_through(link, after=read)

    def _older(self, link: str, award: int) -> AwardPaid | None:
        """One from before what was looked through, however long ago it was paid."""
        if not 0 < award <= self._house.positions.get(link, 0):
            return None
        then = Awards(self._house)
        then._look_through(link, after=max(0, award - LOOKED_BACK), until=award)
        return then._found.get(link, {}).get(award)

    def _look_through(self, link: str, *, after: int, until: int | None = None) -> None:
        asked = self._house.pit.links[link]
        for row in self._house.reader.rows(link, after=after, until=until):
            self._read[link] = row.position
            if any(tag in row.event for tag in _LOOKED_FOR):
                self._note(link, row, asked.read_event(row.event))

    def _note(self, link: str, row: Row, event: object) -> None:
        match event:
            case ClaimsQueued():
                for held in event.lines:
                    key = (link, event.table, event.round, held.box, held.line)
                    self._claims[key] = (held, event.at)
            case AwardTakenBack():
                self._taken_back.add(_key(link, event))
            case AwardPaidAgain():
                self._taken_back.discard(_key(link, event))
            case DecisionNeeded(question=asked) if asked == ORDER_OF_PAYMENT:
                self._asked[link] = row
            case DecisionTaken(question=asked) if asked == ORDER_OF_PAYMENT:
                if link in self._asked:
                    self._answered = {row.command_id: self._asked.pop(link)}
            case AwardMade():
                key = (link, event.table, event.round, event.box, event.line)
                ordered = [self._answered.get(row.command_id, row), row]
                people = [each for each in ordered if each.who not in SOFTWARE]
                payer = (people or ordered)[-1]
                held_since = self._claims.pop(key, (None, None))
                self._found.setdefault(link, {})[row.position] = AwardPaid(
                    link=link,
                    award=row.position,
                    at=datetime.fromisoformat(row.at),
                    paid_by=payer.who,
                    rank=payer.rank,
                    ordered_by=tuple(dict.fromkeys(each.who for each in people)),
                    by_software=not people,
                    command_id=row.command_id,
                    event=event,
                    held=held_since[0],
                    since=held_since[1],
                )
            case _:
                return

    def was_taken_back(self, paid: AwardPaid) -> bool:
        """Whether an award came back since, and stands no more."""
        return _key(paid.link, paid.event) in self._taken_back

    def hand_of(self, paid: AwardPaid) -> Claimed:
        """Whose hand it was, from the log of the table."""
        table = self._house.pit.tables.get(paid.event.table)
        if table is None:
            return Claimed()
        mine = [r for r in self._house.reader.answer_of(paid.command_id) if r.stream != paid.link]
        last = max((r.position for r in mine if r.stream == paid.event.table), default=0)
        first = max(0, last - OF_A_ROUND)
        rows = self._house.reader.rows(paid.event.table, after=first, until=last)
        events = (table.read_event(row.event) for row in rows)
        return GAMES.port_of(table).claimed_in(events, paid.event.box)

    def wait_for_witness(self, link: str, when: datetime) -> list[AwardPaid]:
        """Awards that somebody has paid and nobody has witnessed yet."""
        office = self._house.pit.links[OFFICE]
        seen = office.state.witnesses.get(link, {})
        return [
            paid
            for paid in self.of(link)
            if not paid.by_software
            and paid.award not in seen
            and when < paid.at + ASKED_FOR
            and not self.was_taken_back(paid)
        ]


def _key(
    link: str, event: AwardMade | AwardTakenBack | AwardPaidAgain
) -> tuple[str, str, int, int, str]:
    return (link, event.table, event.round, event.box, event.line)


class SomebodyElse:
    """A guard: whoever has paid an award cannot witness it, and there must be one (20)."""

    def __init__(self, awards: Awards, house: House) -> None:
        self._awards = awards
        self._house = house

    def __call__(self, place: str, order: Order[Command]) -> Refused | None:
        command = order.command
        if place != OFFICE or not isinstance(command, WitnessAward):
            return None
        if not isinstance(self._house.pit.links.get(command.link), JackpotLink):
            return None  # the office says so
        paid = self._awards.find(command.link, command.award)
        if order.who in paid.ordered_by:
            says = f"{order.who} has paid award {paid.award}; somebody else witnesses it."
            return Refused((TWO_PEOPLE,), says)
        if self._awards.was_taken_back(paid):
            says = f"Award {paid.award} was taken back: there is nothing to witness."
            return Refused((TWO_PEOPLE,), says)
        return None
