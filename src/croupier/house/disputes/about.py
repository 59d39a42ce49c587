"""What a dispute is about: a round of a table, or one event of a log with the order that it is of.

Raffles#12      the 12th round of a table
Raffles@415     the ruling at event 415 of its log, with the round in which it was made
Marina@40       an order at a jackpot link
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.house.audit.rounds import BadRoundId, read_round_id
from croupier.house.errors import UnknownPlace
from croupier.house.office.state import named_dispute
from croupier.house.openings import UnknownRound
from croupier.house.queries.log import check_place
from croupier.house.queries.walk import Kinds, walk
from croupier.house.shuffle_book import is_shuffle_book
from croupier.house.store import Store
from croupier.table import Table


class About(Struct, frozen=True, kw_only=True):
    """A round or an event, as the log has it."""

    place: str
    round: int | None = None
    position: int | None = None
    began: datetime | None = None

    def __str__(self) -> str:
        return named_dispute(self.place, self.round, self.position)


def read_about(text: str) -> About:
    """Read `TABLE#ROUND` or `PLACE@EVENT`."""
    place, mark, number = text.rpartition("@")
    if mark and place and number.isdecimal() and int(number) >= 1:
        return About(place=place, position=int(number))
    try:
        table, of = read_round_id(text)
    except BadRoundId:
        raise BadRoundId(
            f"{text!r} is neither a round nor a ruling: write TABLE#ROUND, such as Raffles#12, or "
            "PLACE@EVENT, such as Raffles@415, the number that `croupier audit log --json` gives "
            "as its position"
        ) from None
    return About(place=table, round=of)


def find(store: Store, about: About) -> About:
    """The same, found in the log: in which round an event stands, and when it began."""
    check_place(store, about.place)
    if is_shuffle_book(about.place):
        raise UnknownPlace(f"nobody acts in {about.place}; name the table")
    is_table = isinstance(Kinds(store).of(about.place), Table)
    if about.position is None and not is_table:
        raise UnknownPlace(f"{about.place} has no rounds; name an event of its log: PLACE@EVENT")
    began, last = None, 0
    for given in walk(store, [about.place]):
        if about.position is None:
            if given.round == about.round:
                return About(place=about.place, round=about.round, began=given.at)
            last = given.round or 0
            continue
        if given.round != last or began is None:
            began, last = given.at, given.round or 0
        if given.rows[-1].position >= about.position:
            return About(
                place=about.place,
                round=given.round,
                position=about.position,
                began=began if is_table else given.at,
            )
    if about.position is None:
        raise UnknownRound(f"{about.place} has no round {about.round}; its last one is {last}")
    raise UnknownRound(f"the log of {about.place} has no event {about.position}")
