"""Logging in: a name, a password, and for staff the code of a second factor.

Whoever fails is told the same and after the same work, whether there is nobody of that name, the
password or the code is wrong, or too many were wrong before. What failed counts against the place
it was tried from and nothing else: no stranger locks anybody out anywhere but there.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.house import passwords, totp
from croupier.house.errors import HouseError
from croupier.house.office import commands as orders
from croupier.house.office.duty import is_locked
from croupier.house.office.second_factor import SetSecondFactor
from croupier.house.own_limits import SESSION
from croupier.house.records import Secret
from croupier.table import Command

if TYPE_CHECKING:
    from croupier.house.casino import Casino

WRONG = (
    "wrong name or password, or code of a second factor; after too many wrong passwords from one "
    "place none counts there for a quarter of an hour"
)


class Login(Struct, frozen=True, kw_only=True):
    """Somebody who has just logged in. The token is known to nobody else."""

    name: str
    token: str
    until: datetime


class NotAllowedIn(HouseError):
    """A wrong name or password, a locked account, or a session that is over."""


class NeedsSecondFactor(NotAllowedIn):
    """The password is right, and there is no second factor yet, which is asked for here."""

    def __init__(self) -> None:
        super().__init__("set up a second factor first; the log-in page shows how")


class WrongCode(NotAllowedIn):
    """The password is right, and the code of the second factor is not; told as a wrong password."""


def log_in(
    casino: Casino,
    name: str,
    password: str,
    *,
    code: str = "",
    origin: str = "",
    new_key: str = "",
) -> Login:
    """Check a password, and a code where one is asked for, and open a session.

    `origin` says from where, as a digest; nothing stands for the House's own machine. `new_key` is
    the key of a second factor that is set up now, if the code is of it.
    """
    casino.catch_up_office()
    person = casino.office.state.people.get(name)
    right = passwords.is_right(password, kept_hash(casino, name))
    now = casino.house.clock()
    step: int | None = 0
    new_factor = False
    if right and person is not None and person.kind == "staff":
        key = _key_of(casino, name) if person.second_factor else new_key
        new_factor = not person.second_factor and bool(new_key)
        if key:
            step = totp.matching_step(key, code, now, person.code_step)
        elif person.second_factor:
            step = None  # the key is not among the secrets any more: two people drop it
        elif casino.second_factor_required and not is_locked(person, origin, now):
            raise NeedsSecondFactor
    if not right or person is None or step is None or is_locked(person, origin, now):
        if person is not None:
            casino.tell(orders.NoteFailedLogin(name=name, origin=origin))
        raise (WrongCode if right and step is None and code else NotAllowedIn)(WRONG)
    if new_factor:
        _set_up(casino, name, new_key)
    return _opened(casino, name, origin, step)


def kept_hash(casino: Casino, name: str) -> str | None:
    """The hash of somebody's password; one that the office has not filed is nobody's: somebody
    changed the database."""
    person = casino.office.state.people.get(name)
    kept = casino.house.reader.secret(name, passwords.KIND) if person is not None else None
    if kept is None or person is None or passwords.digest_of(kept) != person.digest:
        return None
    return kept


def _key_of(casino: Casino, name: str) -> str:
    """The key of somebody's second factor, if it is the one that the office has filed."""
    kept = casino.house.reader.secret(name, totp.KIND) or ""
    filed = casino.office.state.people[name].second_factor
    return kept if passwords.digest_of(kept) == filed else ""


def _set_up(casino: Casino, name: str, key: str) -> None:
    command, filed = second_factor_of(name, key)
    refused = casino.tell(command, who=name, secrets=filed).refused
    if refused is not None:
        raise NotAllowedIn(refused.says)


def second_factor_of(name: str, key: str) -> tuple[Command, list[Secret]]:
    """The order that sets up a second factor, and what is filed with it."""
    command = SetSecondFactor(name=name, digest=passwords.digest_of(key))
    return command, [Secret(name=name, kind=totp.KIND, secret=key)]


def _opened(casino: Casino, name: str, origin: str, step: int) -> Login:
    token = passwords.new_token()
    until = casino.house.clock() + SESSION
    answer = casino.tell(
        orders.OpenSession(
            name=name,
            token=passwords.digest_of(token),
            until=until,
            origin=origin,
            code_step=step,
        )
    )
    if answer.refused is not None:
        person = casino.office.state.people[name]
        disabled = person.kind == "staff" and person.disabled
        # Of what was tried at the same time, the right one is told as the wrong ones are.
        raise NotAllowedIn(answer.refused.says if disabled else WRONG)
    return Login(name=name, token=token, until=until)
