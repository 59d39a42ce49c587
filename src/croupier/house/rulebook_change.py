"""A jackpot link goes on under another version of its rulebook, with its meter (B-14).

Between rounds, by two people. The first closes the tables of the old book, takes them off the link,
closes it and proposes; the second approves, and the tables are set up again under the new book,
as places of their own that follow the old ones: a log is of one book from its beginning to its end.

It is several acts at several places. Each is asked for before the first is done, and if the power
fails in between, the same order given again goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.house.answers import Answer
from croupier.house.casino import TRIES, Casino
from croupier.house.errors import Conflict, HouseError
from croupier.house.office import OFFICE
from croupier.house.office.authority import staff
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
from croupier.jackpot.events import RulebookChanged
from croupier.pit.registry import GAMES
from croupier.table import BadCommand, Command, Order, Refused
from croupier.table.refusal import Refusal


class CannotChange(HouseError):
    """The rulebook of a link cannot be changed now."""


def propose(
    casino: Casino, link: str, rulebook: str, *, who: str, reason: str, session: str = ""
) -> int:
    """Close the tables of a link and propose another book; the number of the proposal.

    Every round must be over and every player gone, with his chips: a closed table pays nobody.
    """
    at = _link(casino, link)
    game = GAMES.games.get(rulebook)
    if game is None or not game.port.has_jackpot or rulebook == at.state.rulebook:
        raise CannotChange(f"{rulebook!r} is not another book with a progressive jackpot")
    tables = list(at.state.tables)
    proposing = ProposeRulebook(rulebook=rulebook, reason=reason)
    closing: list[Command] = [] if at.state.closed else [CloseLink()]
    removing = {name: RemoveTable(table=name) for name in tables}
    for name in tables:
        _check_empty(casino, name)
    _check_may(casino, who, "close a table")
    _check_all(casino, at, [*removing.values(), *closing, proposing], who)
    for name, remove in removing.items():
        # Off the link and closed for good by one act: never the one without the other.
        close = CloseTable(table=name, reason=reason)
        _give(casino, link, remove, who, (OFFICE, close), empty=name, session=session)
    for command in (*closing, proposing):
        _give(casino, link, command, who, session=session)
    return _link(casino, link).state.proposed


def approve(
    casino: Casino,
    link: str,
    proposal: int,
    *,
    who: str,
    tables: Mapping[str, str],
    session: str = "",
) -> None:
    """Approve as a second person, open the link again and set up its tables under the new book.

    `tables` names, for each table that goes on, the one that follows it.
    """
    at = _link(casino, link)
    rulebook = _approved(casino, link, proposal)
    _check_may(casino, who, "set up a table")
    waiting = at.state.proposals.get(proposal)
    if rulebook is None:
        if waiting is None or waiting.kind != "rulebook":
            raise CannotChange(f"link {link!r} has no proposal {proposal} of another rulebook")
        _check_all(casino, at, [Approve(proposal=proposal), ReopenLink()], who)
        rulebook = str(waiting.change["rulebook"])
    following = [_following(casino, link, old, new, rulebook) for old, new in dict(tables).items()]
    if waiting is not None:
        noted = NoteRulebook(link=link, rulebook=rulebook)
        _give(casino, link, Approve(proposal=proposal), who, (OFFICE, noted), session=session)
    if _link(casino, link).state.closed:
        _give(casino, link, ReopenLink(), who, session=session)
    for adding in following:
        if adding.table not in casino.office.state.places:
            _accepted(casino.add_table(adding, who=who, session=session))


def _approved(casino: Casino, link: str, proposal: int) -> str | None:
    """The book to which this proposal has already taken the link, if it has."""
    at = _link(casino, link)
    if proposal in at.state.proposals or proposal > at.state.proposed:
        return None
    for row in casino.house.reader.rows(link):
        event = at.read_event(row.event)
        if isinstance(event, RulebookChanged) and event.proposal == proposal:
            return event.rulebook if event.rulebook == at.state.rulebook else None
    return None


def _following(casino: Casino, link: str, old: str, new: str, rulebook: str) -> AddTable:
    """The table that goes on where an old one was closed; asked of its book before it is set up."""
    places = casino.office.state.places
    record = places.get(old)
    if record is None or record.link != link or not record.closed:
        raise CannotChange(f"{old!r} is no closed table of link {link!r}")
    there = places.get(new)
    if there is not None and (there.follows, there.rulebook) != (old, rulebook):
        raise CannotChange(f"the name {new!r} is taken; name another one to follow {old!r}")
    adding = _adding(old, new, record, rulebook)
    refused = casino.places.would_refuse(adding)
    if refused is not None:
        raise CannotChange(f"{new!r} would not open: {refused}")
    return adding


def _adding(old: str, new: str, record: PlaceRecord, rulebook: str) -> AddTable:
    known = GAMES.load(rulebook).policies
    return AddTable(
        table=new,
        rulebook=rulebook,
        settings=record.settings,
        policies={name: value for name, value in record.policies.items() if name in known},
        link=record.link,
        area=record.area,
        follows=old,
        reason=f"it goes on where {old} was closed",
    )


def _link(casino: Casino, link: str) -> JackpotLink:
    found = casino.house.pit.links.get(link)
    if not isinstance(found, JackpotLink):
        raise CannotChange(f"there is no jackpot link {link!r} here")
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


def _check_may(casino: Casino, who: str, what: str) -> None:
    """The office must let him close and set up tables, before anything is done at the link."""
    command = CloseTable(table=OFFICE, reason=what)
    order = Order(command=command, who=who, rank=casino.rank_of(who), when=casino.house.clock())
    try:
        staff(casino.office, order, what, ("shift manager", "administrator"))
    except Refusal as refusal:
        raise CannotChange(str(refusal.refused)) from refusal


def _check_all(casino: Casino, link: JackpotLink, commands: list[Command], who: str) -> None:
    """Whether the link would do all of these, one after another: asked of a copy of it."""
    for command in commands:
        link.check_written(command)
    copy = type(link).restore(link.book, link.snapshot())
    rank, when = casino.rank_of(who), casino.house.clock()
    for command in commands:
        try:
            answer = copy.handle(Order(command=command, who=who, rank=rank, when=when))
        except BadCommand as error:
            raise CannotChange(str(error)) from error
        if isinstance(answer, Refused):
            raise CannotChange(str(answer))


def _give(
    casino: Casino,
    place: str,
    command: Command,
    who: str,
    *also: tuple[str, Command],
    empty: str | None = None,
    session: str = "",
) -> None:
    """Give a command, and again where another process was first to write to the office.

    `empty` is a table where nobody may have sat down meanwhile.
    """
    rank = casino.rank_of(who)
    for elsewhere, heard in also:
        casino.conversation(elsewhere).check_written(heard)
    for _ in range(TRIES):
        with casino.house.lock:
            if empty is not None:
                _check_empty(casino, empty)
            given = casino.house.give(
                place, command, who=who, rank=rank, session=session, also=also
            )
        try:
            _accepted(given.result())
        except Conflict:
            continue
        return
    raise Conflict(f"the office is too busy for {command.tell()!r}; try again")


def _accepted(answer: Answer) -> None:
    if answer.refused is not None:
        raise CannotChange(str(answer.refused))
