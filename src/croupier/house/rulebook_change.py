"""A jackpot link goes on under another version of its rulebook, with its meter (B-14).

Between rounds, by two people. The first closes the tables of the old book, takes them off the link,
closes it and proposes; the second approves, and the tables are set up again under the new book,
as places of their own that follow the old ones: a log is of one book from its beginning to its end.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.house.answers import Answer
from croupier.house.casino import Casino
from croupier.house.errors import HouseError
from croupier.house.office.commands import AddTable, CloseTable, NoteRulebook
from croupier.house.office.state import PlaceRecord
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import (
    Approve,
    CloseLink,
    ProposeRulebook,
    RemoveTable,
    ReopenLink,
)
from croupier.rulebooks import load
from croupier.table import Command


class CannotChange(HouseError):
    """The rulebook of a link cannot be changed now."""


def propose(casino: Casino, link: str, rulebook: str, *, who: str, reason: str) -> int:
    """Close the tables of a link and propose another book; the number of the proposal.

    Every round must be over and every player gone, with his chips: a closed table pays nobody.
    """
    at = _link(casino, link)
    if load(rulebook).family != "banked" or rulebook == at.state.rulebook:
        raise CannotChange(f"{rulebook!r} is not another book with a progressive jackpot")
    tables = list(at.state.tables)
    for name in tables:
        _check_empty(casino, name)
    for name in tables:
        _accepted(casino.tell(CloseTable(table=name, reason=reason), who=who))
        _give(casino, link, RemoveTable(table=name), who)
    if not at.state.closed:
        _give(casino, link, CloseLink(), who)
    _give(casino, link, ProposeRulebook(rulebook=rulebook, reason=reason), who)
    return _link(casino, link).state.proposed


def approve(
    casino: Casino, link: str, proposal: int, *, who: str, tables: Mapping[str, str]
) -> None:
    """Approve as a second person, open the link again and set up its tables under the new book.

    `tables` names, for each table that goes on, the one that follows it.
    """
    places = casino.office.state.places
    for old in tables:
        record = places.get(old)
        if record is None or record.link != link or not record.closed:
            raise CannotChange(f"{old!r} is no closed table of link {link!r}")
    _give(casino, link, Approve(proposal=proposal), who)
    rulebook = _link(casino, link).state.rulebook
    _accepted(casino.tell(NoteRulebook(link=link, rulebook=rulebook)))
    _give(casino, link, ReopenLink(), who)
    for old, new in tables.items():
        _accepted(casino.add_table(_following(old, new, places[old], rulebook), who=who))


def _following(old: str, new: str, record: PlaceRecord, rulebook: str) -> AddTable:
    known = load(rulebook).policies
    return AddTable(
        table=new,
        rulebook=rulebook,
        settings=record.settings,
        policies={name: value for name, value in record.policies.items() if name in known},
        link=record.link,
        area=record.area,
        follows=old,
    )


def _link(casino: Casino, link: str) -> JackpotLink:
    found = casino.conversation(link)
    if not isinstance(found, JackpotLink):
        raise CannotChange(f"{link!r} is no jackpot link")
    return found


def _check_empty(casino: Casino, name: str) -> None:
    table = casino.table(name)
    if table.playing():
        raise CannotChange(f"table {name!r} has a round under way")
    held = {
        account: amount
        for account, amount in table.holdings().items()
        if account.startswith(("chips/", "safekeeping/")) and amount
    }
    if held:
        people = ", ".join(sorted(account.partition("/")[2] for account in held))
        raise CannotChange(f"{people} still has chips at table {name!r}; let them leave first")


def _give(casino: Casino, place: str, command: Command, who: str) -> None:
    rank = casino.rank_of(who)
    _accepted(casino.house.give(place, command, who=who, rank=rank).result())


def _accepted(answer: Answer) -> None:
    if answer.refused is not None:
        raise CannotChange(str(answer.refused))
