"""Acts of the office that are more than one command: a configuration applied, another rulebook of a
link, the critical files checked, the copy of the log made anew, closed days archived.

Each is a record, so that the command line can carry it out in a database that is free, or send it
to the server that runs; and answers with a record. Who may is asked of the office by every command
that an act consists of, as if it were given alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from typing import Annotated, Any, TypedDict, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct

from croupier.house.answers import Answer
from croupier.house.archives.making import Archived, archive
from croupier.house.casino import Casino
from croupier.house.config import Applied, LinkConfig, TableConfig, changes, rehearse
from croupier.house.config import apply as apply_places
from croupier.house.copy_alarms import renew
from croupier.house.critical_files import changed
from croupier.house.gaming_day import GamingDay
from croupier.house.link_orders import link_of
from croupier.house.office.commands import NoteFilesChecked
from croupier.house.office.state import Role
from croupier.house.rulebook_change import approve, propose
from croupier.table import BadCommand, Refused
from croupier.table.refusal import Refusal

Why = Annotated[str, Meta(min_length=1, max_length=500)]


class ApplyConfig(Struct, frozen=True, kw_only=True, tag_field="do", tag="apply configuration"):
    """Set up what a configuration names and the House does not have yet."""

    links: dict[str, LinkConfig]
    tables: dict[str, TableConfig]
    staff: dict[str, Role]
    settings: dict[str, str]
    reason: Why
    dry_run: bool = False


class Configured(Struct, frozen=True, kw_only=True):
    """What became of each change, and whether nothing is left to be done."""

    done: list[Applied]
    as_the_file_has_it: bool


class ProposeBook(Struct, frozen=True, kw_only=True, tag_field="do", tag="propose rulebook"):
    """Close the tables of a link for good, and propose another rulebook for it."""

    link: str
    rulebook: str
    reason: Why


class BookProposed(Struct, frozen=True, kw_only=True):
    """The number of the proposal, and the tables that were closed."""

    proposal: int
    link: str
    rulebook: str
    closed: tuple[str, ...]


class ApproveBook(Struct, frozen=True, kw_only=True, tag_field="do", tag="approve rulebook"):
    """Approve another rulebook of a link; the tables that go on, each with the one it follows."""

    link: str
    proposal: int
    tables: dict[str, str] = {}


class BookChanged(Struct, frozen=True, kw_only=True):
    """The link as it goes on."""

    link: str
    rulebook: str
    meter: int
    tables: tuple[str, ...]


class CheckFiles(Struct, frozen=True, kw_only=True, tag_field="do", tag="check files"):
    """Compare the software with what it was at the last start; it is recorded who asked."""


class FilesFound(Struct, frozen=True, kw_only=True):
    """What was changed, of how many parts."""

    changed: tuple[str, ...]
    floors: int


class RenewCopy(Struct, frozen=True, kw_only=True, tag_field="do", tag="renew copy"):
    """Have the copy of the log made anew from the database."""

    reason: Why


class CopyRenewed(Struct, frozen=True, kw_only=True):
    """What the office said to it, in sentences and as its log has it; the events written."""

    told: tuple[str, ...]
    said: tuple[dict[str, Any], ...]
    written: int


class ArchiveDay(Struct, frozen=True, kw_only=True, tag_field="do", tag="archive day"):
    """Move everything up to the end of a gaming day to an archive, where this House has them."""

    day: date
    begins: time
    zone: str
    reason: Why


class DayArchived(Struct, frozen=True, kw_only=True):
    """What the office said to it, in sentences and as its log has it; what was moved."""

    told: tuple[str, ...]
    said: tuple[dict[str, Any], ...]
    moved: Archived


Act = ApplyConfig | ProposeBook | ApproveBook | CheckFiles | RenewCopy | ArchiveDay


COMES_OF: dict[type[Struct], type[Struct]] = {
    ApplyConfig: Configured,
    ProposeBook: BookProposed,
    ApproveBook: BookChanged,
    CheckFiles: FilesFound,
    RenewCopy: CopyRenewed,
    ArchiveDay: DayArchived,
}
"""What each act answers with."""


def perform(casino: Casino, act: Act, *, who: str, session: str = "") -> Struct:
    """Carry an act out in somebody's name, by the session in which it was asked for. Raises
    Refusal, BadCommand or HouseError."""
    return _PERFORM[type(act)](casino, act, By(who=who, session=session))


class By(TypedDict):
    """Who has an act carried out, and by which session."""

    who: str
    session: str


def _apply(casino: Casino, act: ApplyConfig, by: By) -> Configured:
    asked = (act.links, act.tables, act.staff)
    if act.dry_run:
        done = rehearse(casino, *asked, who=by["who"], settings=act.settings, reason=act.reason)
    else:
        done = apply_places(casino, *asked, **by, settings=act.settings, reason=act.reason)
    left = changes(casino.office.state, *asked, settings=act.settings)
    return Configured(done=done, as_the_file_has_it=not left)


def _propose(casino: Casino, act: ProposeBook, by: By) -> BookProposed:
    tables = tuple(link_of(casino, act.link).state.tables)
    number = propose(casino, act.link, act.rulebook, **by, reason=act.reason)
    return BookProposed(proposal=number, link=act.link, rulebook=act.rulebook, closed=tables)


def _approve(casino: Casino, act: ApproveBook, by: By) -> BookChanged:
    approve(casino, act.link, act.proposal, **by, tables=act.tables)
    state = link_of(casino, act.link).state
    return BookChanged(
        link=act.link, rulebook=state.rulebook, meter=state.meter, tables=tuple(state.tables)
    )


def _check(casino: Casino, act: CheckFiles, by: By) -> FilesFound:
    noted = casino.office.state.digests
    found = tuple(changed(noted)) if noted else ()
    casino.tell(NoteFilesChecked(changed=found, asked_by=by["who"]))
    return FilesFound(changed=found, floors=len(noted))


def _renew(casino: Casino, act: RenewCopy, by: By) -> CopyRenewed:
    answer, written = renew(casino, **by, reason=act.reason)
    _accepted(answer.refused)
    return CopyRenewed(**_said(answer), written=written)


def _archive(casino: Casino, act: ArchiveDay, by: By) -> DayArchived:
    try:
        day = GamingDay(day=act.day, begins=act.begins, zone=ZoneInfo(act.zone))
    except (ValueError, OSError, ZoneInfoNotFoundError) as error:
        says = f"{act.zone!r} is no time zone; name one such as Asia/Singapore"
        raise BadCommand(says) from error
    answer, moved = archive(casino, day, **by, reason=act.reason, running=True)
    _accepted(answer.refused)
    assert moved is not None
    return DayArchived(**_said(answer), moved=moved)


def _said(answer: Answer) -> dict[str, Any]:
    events = [each.event for each in answer.said]
    return {
        "told": tuple(event.tell(str) for event in events),
        "said": tuple(msgspec.to_builtins(event) for event in events),
    }


def _accepted(refused: Refused | None) -> None:
    if refused is not None:
        raise Refusal(refused)


_PERFORM = cast(
    "dict[type[Struct], Callable[[Casino, Any, By], Struct]]",
    {
        ApplyConfig: _apply,
        ProposeBook: _propose,
        ApproveBook: _approve,
        CheckFiles: _check,
        RenewCopy: _renew,
        ArchiveDay: _archive,
    },
)
