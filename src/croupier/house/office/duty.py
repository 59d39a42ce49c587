"""Who is on duty at which post, and who is logged in."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from croupier.house.office.authority import (
    HOUSE,
    height,
    known,
    refuse,
    staff,
    why,
)
from croupier.house.office.commands import (
    CloseSession,
    GoOffDuty,
    GoOnDuty,
    NoteFailedLogin,
    OpenSession,
    Unlock,
)
from croupier.house.office.dealing import follow
from croupier.house.office.events import (
    LoginFailed,
    SessionClosed,
    SessionOpened,
    Unlocked,
    WentOffDuty,
    WentOnDuty,
)
from croupier.house.office.roster import why_unlicensed
from croupier.house.office.standards import LICENSED, UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT
from croupier.house.office.state import PIT, Duty, Person, Role, Session, Tried
from croupier.table import Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

duty = Room("duty")

FAILURES_AT_MOST = 5
"""Wrong passwords in a row before somebody has to wait."""
LOCKED_FOR = timedelta(minutes=15)
ORIGINS = 32
"""Places whose wrong passwords are remembered of one person."""
SESSION = timedelta(hours=12)
"""How long a session lasts: its end says when it began."""
REST = timedelta(minutes=30)
"""Time away after which a player's session is a new one."""
SESSIONS_EACH = 10
"""Sessions of one person at a time; the oldest gives way."""


@duty.decides(GoOnDuty)
def go_on_duty(office: Office, order: Order[GoOnDuty]) -> None:
    command = order.command
    person = known(office, command.name)
    if person.kind != "staff" or person.role is None:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is no member of staff.")
    if person.disabled:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is disabled: {person.disabled}.")
    if command.post in PIT and (
        says := why_unlicensed(office.state, person, command.name, order.when)
    ):
        refuse(LICENSED, says)
    within = height(command.post) and height(person.role)
    if command.post != person.role and not within:
        # The cage, the administration and the audit stay apart from the pit.
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is {person.role}, not {command.post}.")
    acting = height(command.post) > height(person.role)
    if acting:
        # An acting post is given by somebody who holds it himself, or by one above.
        above: tuple[Role, ...] = tuple(
            role for role in _POSTS if height(role) >= height(command.post)
        )
        if order.who == command.name:
            refuse(UNIQUE_ACCOUNTS, "You cannot give yourself an acting post.")
        staff(office, order, f"appoint an acting {command.post}", (*above, "administrator"))
        why(command.reason, f"appoint an acting {command.post}")
    elif order.who != command.name:
        staff(office, order, "put somebody on duty", (*_POSTS[1:], "administrator"))
        why(command.reason, "put somebody on duty")
    office.emit(
        WentOnDuty(
            name=command.name,
            post=command.post,
            area=command.area,
            acting=acting,
            by=order.who,
            reason=command.reason,
            at=order.when,
            cites=(UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT),
        )
    )


_POSTS: tuple[Role, ...] = ("dealer", "pit supervisor", "pit manager", "shift manager")


@duty.applies(WentOnDuty)
def went_on_duty(office: Office, event: WentOnDuty) -> None:
    office.state.duty[event.name] = Duty(
        post=event.post, area=event.area, since=event.at, acting=event.acting
    )


@duty.decides(GoOffDuty)
def go_off_duty(office: Office, order: Order[GoOffDuty]) -> None:
    name = order.command.name
    if name not in office.state.duty:
        refuse(UNIQUE_ACCOUNTS, f"{name} is not on duty.")
    if order.who != name and order.rank is not HOUSE:
        staff(office, order, "take somebody off duty", (*_POSTS[1:], "administrator"))
        why(order.command.reason, "take somebody off duty")
    office.emit(WentOffDuty(name=name, reason=order.command.reason, cites=(UNIQUE_ACCOUNTS,)))


@duty.applies(WentOffDuty)
def went_off_duty(office: Office, event: WentOffDuty) -> None:
    office.state.duty.pop(event.name, None)
    follow(office.state.dealers, event)


# -- sessions -------------------------------------------------------------------------------------


@duty.decides(OpenSession)
def open_session(office: Office, order: Order[OpenSession]) -> None:
    command = order.command
    person = known(office, command.name)
    if person.kind == "staff" and person.disabled:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is disabled: {person.disabled}.")
    _not_locked(person, command.origin, order.when)
    if person.second_factor and command.code_step <= person.code_step:
        refuse(UNIQUE_ACCOUNTS, "This code was used already.")
    office.emit(
        SessionOpened(
            name=command.name,
            token=command.token,
            until=command.until,
            origin=command.origin,
            code_step=command.code_step,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


def tried_from(person: Person, origin: str) -> Tried:
    """What was tried in vain from one place."""
    if not origin:
        return Tried(failures=person.failures, locked_until=person.locked_until)
    return person.tried.get(origin) or Tried(failures=0, locked_until=None)


def is_locked(person: Person, origin: str, now: datetime) -> bool:
    """Whether nobody is let in under this name from there for a while."""
    locked_until = tried_from(person, origin).locked_until
    return locked_until is not None and now < locked_until


def _not_locked(person: Person, origin: str, now: datetime) -> None:
    if is_locked(person, origin, now):
        until = tried_from(person, origin).locked_until
        refuse(UNIQUE_ACCOUNTS, f"Locked until {until:%H:%M:%S} after wrong passwords.")


def _note_tried(person: Person, origin: str, tried: Tried) -> None:
    """Of other places the last ones are kept: there is no end of them."""
    if not origin:
        person.failures, person.locked_until = tried.failures, tried.locked_until
        return
    person.tried.pop(origin, None)
    if tried.failures:
        person.tried[origin] = tried
    for oldest in tuple(person.tried)[:-ORIGINS]:
        del person.tried[oldest]


@duty.applies(SessionOpened)
def session_opened(office: Office, event: SessionOpened) -> None:
    state = office.state
    person = state.people[event.name]
    _note_tried(person, event.origin, Tried(failures=0, locked_until=None))
    person.code_step = max(person.code_step, event.code_step)
    _note_played(office, person, event)
    own = [token for token, session in state.sessions.items() if session.name == event.name]
    for token in own[: max(0, len(own) - SESSIONS_EACH + 1)]:
        del state.sessions[token]
    state.sessions[event.token] = Session(name=event.name, until=event.until)


def _note_played(office: Office, person: Person, event: SessionOpened) -> None:
    """To log out and in again is no rest: a session goes on until somebody was away for a while
    (S-43)."""
    began = event.until - SESSION
    here = any(s.name == event.name and s.until > began for s in office.state.sessions.values())
    since = person.played_from
    rested = person.rests_from is not None and began >= person.rests_from + REST
    long_ago = since is not None and began >= since + SESSION + REST
    if since is None or long_ago or (rested and not here):
        person.played_from = began


@duty.decides(NoteFailedLogin)
def note_failed_login(office: Office, order: Order[NoteFailedLogin]) -> None:
    name, origin = order.command.name, order.command.origin
    person = known(office, name)
    _not_locked(person, origin, order.when)  # what was tried meanwhile tells nobody anything
    failures = tried_from(person, origin).failures + 1
    locked = order.when + LOCKED_FOR if failures >= FAILURES_AT_MOST else None
    office.emit(
        LoginFailed(
            name=name,
            failures=failures,
            locked_until=locked,
            origin=origin,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@duty.applies(LoginFailed)
def login_failed(office: Office, event: LoginFailed) -> None:
    tried = Tried(failures=event.failures, locked_until=event.locked_until)
    _note_tried(office.state.people[event.name], event.origin, tried)


@duty.decides(CloseSession)
def close_session(office: Office, order: Order[CloseSession]) -> None:
    session = office.state.sessions.get(order.command.token)
    if session is None:
        refuse(UNIQUE_ACCOUNTS, "There is no such session.")
    if order.rank is not HOUSE and order.who != session.name:
        staff(office, order, "log somebody out", ("administrator", "shift manager"))
    office.emit(
        SessionClosed(
            name=session.name,
            token=order.command.token,
            at=order.when,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@duty.applies(SessionClosed)
def session_closed(office: Office, event: SessionClosed) -> None:
    office.state.sessions.pop(event.token, None)
    if event.at is not None:
        office.state.people[event.name].rests_from = event.at


@duty.decides(Unlock)
def unlock(office: Office, order: Order[Unlock]) -> None:
    command = order.command
    person = known(office, command.name)
    if person.locked_until is None and not person.tried:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is not locked.")
    office.emit(Unlocked(name=command.name, reason=command.reason, cites=(UNIQUE_ACCOUNTS,)))


@duty.applies(Unlocked)
def unlocked(office: Office, event: Unlocked) -> None:
    person = office.state.people[event.name]
    person.failures, person.locked_until, person.tried = 0, None, {}
