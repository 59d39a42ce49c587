"""The office over HTTP: its orders, lists and reports, and the acts that are more than one order.

The command line goes this way while a server runs, and so do the pages. Whoever asks is looked at
as he is at that moment; who may do what is decided by the office, on every order, and nowhere here.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from croupier.house import totp
from croupier.house.copies import known_copies
from croupier.house.documents import Document, Section, write_page
from croupier.house.errors import Conflict, HouseError, IdTaken, StorageError
from croupier.house.log_in import WRONG, kept_hash
from croupier.house.office import OFFICE
from croupier.house.office.commands import SetPassword
from croupier.house.office.second_factor import SetSecondFactor
from croupier.house.office_acts import Act, perform
from croupier.house.office_lists import LISTS
from croupier.house.office_orders import carry_out, read_order
from croupier.house.passwords import WeakPassword, is_right
from croupier.house.reports import (
    DayReport,
    GamingDay,
    report_day,
    report_jackpots,
    report_unclaimed,
)
from croupier.house.reports.sheets import day_sheets
from croupier.house.store import Store
from croupier.live import wire
from croupier.live.casino import LiveCasino, full_id
from croupier.live.citing import cited
from croupier.live.connection import failed
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.log_in_limits import From
from croupier.live.paths import Endpoint
from croupier.live.private_lists import without
from croupier.live.requested import NotFound, casino_of
from croupier.live.senders import sender
from croupier.live.staff_api import staff_of_change, staff_who_looks
from croupier.live.staff_records import OfficeAnswer, OfficeOrder
from croupier.table import BadCommand, Refused, TableError
from croupier.table.refusal import Refusal

T = TypeVar("T")

CONFIG_BYTES = 262_144
"""The most that a configuration has that is applied over HTTP."""
_one_report = asyncio.Lock()
_BACK_AND_PRINT = (
    '<nav class="paper-nav"><a href="/office#reports">Back to the office</a>'
    '<button type="button" id="print">Print</button></nav>\n'
    '<script type="module" src="/static/app/print.js"></script>\n'
)
"""What stands above a document of the office on a screen; it is not printed."""


class OfficeAct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An act of the office that is more than one order."""

    act: Act


# -- orders ---------------------------------------------------------------------------------------


async def office_order(request: Request) -> Response:
    """Give the office an order and wait for its answer."""
    casino = casino_of(request)
    visitor = staff_of_change(request, casino)
    body = await read_body(request, OfficeOrder, casino.config.limits.body_bytes)
    assert visitor.name is not None
    place = From(address=sender(request), device=visitor.session)
    try:
        if body.secret is None:
            command, secrets = read_order(bytes(body.command))
        else:  # which is hashed
            command, secrets = await casino.passwords.run(
                place, read_order, bytes(body.command), body.secret
            )
    except (BadCommand, RecursionError) as error:
        return Json(wire.ErrorMessage(id=body.id, code=wire.UNREADABLE, says=str(error)), 422)
    except WeakPassword as error:
        return Json(wire.ErrorMessage(id=body.id, code="weak", says=_said(error)), 422)
    if body.code is not None and not isinstance(command, SetSecondFactor):
        says = "A `code` goes along with a new second factor alone; leave it out."
        return Json(wire.ErrorMessage(id=body.id, code=wire.UNREADABLE, says=says), 422)
    if isinstance(command, SetPassword | SetSecondFactor) and command.name == visitor.name:
        await _knows_the_old_one(casino, visitor, place, body.old)
    if isinstance(command, SetSecondFactor):
        _has_the_key(secrets[0].secret, body.code, casino.house.clock())
    try:
        answer = await asyncio.to_thread(
            carry_out,
            casino.casino,
            command,
            secrets,
            who=visitor.name,
            command_id=full_id(visitor, body.id),
            session=visitor.session,
        )
    except BadCommand as error:
        return Json(failed(casino, body.id, error), 422)
    except (StorageError, Conflict) as error:
        return Json(failed(casino, body.id, error), 503)
    except HouseError as error:
        status = 409 if isinstance(error, IdTaken) else 422
        return Json(wire.ErrorMessage(id=body.id, code="bad command", says=_said(error)), status)
    casino.open_new_places()
    if answer.refused is not None:
        return _refused(casino, body.id, answer.refused)
    said = [each.event for each in answer.said if each.place == OFFICE]
    return Json(
        OfficeAnswer(
            id=body.id,
            told=tuple(event.tell(str) for event in said),
            said=tuple(Raw(msgspec.json.encode(event)) for event in said),
        )
    )


async def _knows_the_old_one(
    casino: LiveCasino, visitor: Visitor, place: From, old: str | None
) -> None:
    """Whoever finds a session open somewhere does not get the account for good."""
    name = visitor.name or ""
    if not casino.log_in_limits.may_try(name, place):
        raise NotAllowed("wrong password", WRONG)
    kept = await asyncio.to_thread(kept_hash, casino.casino, name)
    if old is None or not await casino.passwords.run(place, is_right, old, kept):
        says = (
            "To set your own password or second factor, send your password until now along as "
            "`old`: it was not right."
        )
        raise NotAllowed("wrong password", says)
    casino.log_in_limits.was_right(name, place)


def _has_the_key(key: str, code: str | None, now: datetime) -> None:
    """Nobody is kept out by a key that is in no app."""
    if code is None or totp.matching_step(key, code, now) is None:
        says = (
            "To set up a second factor, send the code that your authenticator app shows for this "
            "key along as `code`: it was not right."
        )
        raise NotAllowed("wrong code", says)


def _refused(casino: LiveCasino, id: str, refused: Refused) -> Json:
    cites = cited(casino.casino.office.book, refused.cites)
    return Json(wire.RefusedMessage(id=id, says=refused.says, cites=cites), 409)


def _said(error: Exception) -> str:
    """What went wrong as a sentence."""
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


async def office_act(request: Request) -> Response:
    """Carry out an act of the office that is more than one order: a configuration, a rulebook."""
    casino = casino_of(request)
    visitor = staff_of_change(request, casino)
    body = await read_body(request, OfficeAct, CONFIG_BYTES)
    assert visitor.name is not None
    try:
        by = {"who": visitor.name, "session": visitor.session}
        done = await asyncio.to_thread(perform, casino.casino, body.act, **by)
    except Refusal as refusal:
        return _refused(casino, "", refusal.refused)
    except (StorageError, Conflict) as error:
        return Json(failed(casino, "", error), 503)
    except (TableError, HouseError) as error:
        return Json(wire.ErrorMessage(id="", code="bad command", says=str(error)), 422)
    finally:
        casino.open_new_places()
    return Json(done)


# -- lists ----------------------------------------------------------------------------------------


def list_endpoint(name: str) -> Endpoint:
    """What answers for one list."""
    made = LISTS[name].made

    def written(casino: LiveCasino, who: str | None) -> Raw:
        """The list as it is sent: written while nothing can change what it is made of."""
        if LISTS[name].reads_logs:
            return told(casino, who)
        with casino.house.lock:
            casino.house.reread_stale()
            return told(casino, who)

    def told(casino: LiveCasino, who: str | None) -> Raw:
        found, hidden = made(casino.casino), casino.private.hidden_from(who)
        if hidden:
            found = without(msgspec.to_builtins(found, str_keys=True), hidden)
        return Raw(msgspec.json.encode(found))

    async def listed(request: Request) -> Response:
        casino = casino_of(request)
        who = staff_who_looks(request, casino).name
        try:
            return Json(await asyncio.to_thread(written, casino, who))
        except HouseError as error:
            raise NotAllowed("stopping", _said(error)) from error

    listed.__name__ = f"office_list_{name}"
    listed.__doc__ = made.__doc__
    return listed


# -- reports --------------------------------------------------------------------------------------


async def office_report_day(request: Request) -> Response:
    """The report of a gaming day; `day`, `begins` and `zone` say which."""
    return Json(await made_report(request, lambda store: report_day(store, asked_day(request))))


async def office_report_jackpot(request: Request) -> Response:
    """Every jackpot as it stands, with its open claims and last 25 awards."""
    return Json(await made_report(request, report_jackpots, names_tables=False))


async def office_report_unclaimed(request: Request) -> Response:
    """What tables keep safe for players who walked away."""
    return Json(await made_report(request, report_unclaimed))


async def office_copies(request: Request) -> Response:
    """The copies of the log that the House knows of, and their alarms."""
    known = await made_report(
        request, lambda store: list(known_copies(store).values()), names_tables=False
    )
    return Json(known)


async def office_day_page(request: Request) -> Response:
    """The report of a gaming day as a page that prints."""
    day = asked_day(request)
    made: DayReport = await made_report(request, lambda store: report_day(store, day))
    page = io.StringIO()
    write_page(_document(made), page, linked=True, above=_BACK_AND_PRINT)
    return HTMLResponse(page.getvalue(), headers={"cache-control": "no-store"})


def _document(made: DayReport) -> Document:
    """A gaming day as a document: sheets without a row are left out, and said."""
    sheets = day_sheets(made)
    empty = ", ".join(sheet.title for sheet in sheets if not sheet.rows)
    facts = [("from", f"{made.start:%Y-%m-%d %H:%M %Z}"), ("to", f"{made.end:%Y-%m-%d %H:%M %Z}")]
    facts += [("nothing of", empty)] if empty else []
    return Document(
        title=f"Gaming day {made.day}",
        facts=tuple(facts),
        sections=[
            Section(title=sheet.title, columns=sheet.columns, rows=sheet.rows)
            for sheet in sheets
            if sheet.rows
        ],
        zone=made.start.tzinfo or UTC,
    )


async def made_report(
    request: Request, makes: Callable[[Store], T], *, names_tables: bool = True
) -> T:
    """Make a report beside the loop, one at a time: it reads every log. One that names all tables
    is for who may know of all of them."""
    casino = casino_of(request)
    who = staff_who_looks(request, casino).name
    if names_tables:
        casino.private.check_all_known(who)

    def made() -> T:
        casino.house.writer.flush()
        with casino.house.reader.as_it_stands() as store:
            return makes(store)

    async with _one_report:
        try:
            return await asyncio.to_thread(made)
        except HouseError as error:
            raise NotAllowed("stopping", _said(error)) from error


def asked_day(request: Request) -> GamingDay:
    """The gaming day that is asked for; the current one if none is named."""
    asked = request.query_params
    begins = _read(asked.get("begins") or "06:00", _hour, "an hour, such as 06:00")
    zone = _read(asked.get("zone") or "UTC", ZoneInfo, "a time zone, such as Asia/Singapore")
    day = asked.get("day")
    if not day:
        return GamingDay.of(datetime.now(UTC), begins=begins, zone=zone)
    named = _read(day, date.fromisoformat, "a day, such as 2026-11-16")
    try:
        return GamingDay(day=named, begins=begins, zone=zone)
    except HouseError as error:
        raise NotFound(_said(error)) from error


def _hour(text: str) -> time:
    """An hour of the House's own day: the zone is said apart."""
    found = time.fromisoformat(text)
    if found.tzinfo is not None:
        raise ValueError(text)
    return found


def _read(text: str, reads: Callable[[str], T], what: str) -> T:
    try:
        return reads(text)
    except (ValueError, ZoneInfoNotFoundError, OSError) as error:
        raise NotFound(f"{text!r} is not {what}.") from error
