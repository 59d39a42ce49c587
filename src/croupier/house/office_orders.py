"""An order of the office as people give it: at the command line, over HTTP, from a page.

Most are one command that the office answers. Some bring a password or PIN along, which is hashed
here and filed among the secrets: the log has the digest of the hash alone. Others set up a table
or link, which must open as well. Who may give which is for the office to say
(`croupier.house.office.authority`), and for nobody before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import structs

from croupier.house import passwords, totp
from croupier.house.answers import Answer
from croupier.house.casino import Casino
from croupier.house.office import OFFICE, Office
from croupier.house.office.commands import AddLink, AddTable
from croupier.house.office.last_rounds import AnnounceLastRound
from croupier.house.records import Secret
from croupier.pit.registry import GAMES
from croupier.table import BadCommand, Command

SECRET: dict[str, tuple[str, str]] = {
    "hire staff": ("name", passwords.KIND),
    "open account": ("player", passwords.KIND),
    "set password": ("name", passwords.KIND),
    "set pin": ("player", passwords.PIN),
    "set second factor": ("name", totp.KIND),
}
"""The orders that a password or PIN comes with: which field says whose, and how it is filed."""


ORDERS = frozenset(
    (
        *("hire staff", "change role", "open account", "set password", "set pin"),
        *("disable person", "enable person", "unlock", "go on duty", "go off duty"),
        *("set own limit", "stay away", "set second factor", "drop second factor"),
        *("assign staff", "end assignment", "set licence", "set clocks", "move place"),
        *("cash in", "cash out", "transfer", "fund bank", "set own limit", "stay away"),
        *("propose correction", "approve correction", "propose approval", "give approval"),
        *("relocate player", "pay unclaimed"),
        *("add table", "add link", "close table", "announce last round", "disable", "enable"),
        *("count inventory", "order fill", "order credit", "sign slip", "cancel slip"),
        *("count drop", "close day"),
        *("join waiting list", "call player", "note seated", "leave waiting list"),
        "answer report",
    )
)
"""What people order of the office, by the names that the log has."""
_DISPUTE = "a dispute is opened, filed and settled with its papers: /api/disputes"
_HOLD = "a table is held at the pit console: /api/pit"
ELSEWHERE: dict[str, str] = {
    "renew copy": "the copy is made anew by an act: /api/office/acts",
    "note restored": "a database is restored by `croupier audit restore`",
    "change setting": "settings are put on record by `croupier office apply`",
    "make archive": "closed days are put away by `croupier office archive`",
    "say": "players speak at their table: /api/tables/PLACE/chat",
    "report player": "a player is reported at the table: /api/tables/PLACE/player-reports",
    "witness award": "an award is witnessed at the pit console: /api/pit",
    **dict.fromkeys(("open dispute", "file dispute", "settle dispute"), _DISPUTE),
    **dict.fromkeys(("hold table", "keep hold", "take hold", "release hold"), _HOLD),
    "read out ruling": _HOLD,
}
"""Commands that are a part of something more, and how that is ordered: alone they would put on
record what nobody has done. What is in neither list the software gives itself."""


def read_order(given: bytes, secret: str | None = None) -> tuple[Command, tuple[Secret, ...]]:
    """A command of the office from its text, with what is to be filed of a password or PIN.

    Raises BadCommand where it cannot be read, WeakPassword for one that is too easy.
    """
    fields = _fields(given)
    does = str(fields.get("do"))
    if does not in ORDERS:
        way = ELSEWHERE.get(does, f"there is {', '.join(sorted(ORDERS))}")
        raise BadCommand(f"{does!r} is not ordered here; {way}")
    _nothing_else(does, fields)
    if does not in SECRET:
        if secret is not None:
            raise BadCommand(f"{does!r} takes no password and no PIN")
        return Office.read_command(given), ()
    if "digest" in fields:
        raise BadCommand("leave the digest out; the password or PIN itself goes along as `secret`")
    if secret is None:
        if does in ("set password", "set pin", "set second factor"):
            raise BadCommand(f"to {does}, send it along as `secret`")
        return Office.read_command(given), ()
    whose, kind = SECRET[does]
    kept = _KEPT[kind](secret)
    command = Office.read_command(
        msgspec.json.encode({**fields, "digest": passwords.digest_of(kept)})
    )
    return command, (Secret(name=getattr(command, whose), kind=kind, secret=kept),)


def _key(secret: str) -> str:
    """The key of a second factor is kept as it is: codes are made of it."""
    if not totp.is_key(secret):
        raise BadCommand("a key of a second factor is base32 of twenty bytes")
    return secret


_KEPT = {
    passwords.KIND: passwords.hashed,
    passwords.PIN: passwords.hashed_pin,
    totp.KIND: _key,
}
"""What is filed of each kind of secret."""


def written_order(kind: type[Command], fields: dict[str, Any]) -> bytes:
    """An order with a password or PIN as it is sent, before anything is hashed."""
    return msgspec.json.encode({"do": kind.__struct_config__.tag, **fields})


def carry_out(
    casino: Casino,
    command: Command,
    secrets: tuple[Secret, ...] = (),
    *,
    who: str,
    command_id: str | None = None,
    session: str = "",
) -> Answer:
    """Give the office an order in somebody's name and wait for the answer."""
    if isinstance(command, AddTable):
        return casino.add_table(command, who=who, command_id=command_id, session=session)
    if isinstance(command, AddLink):
        return casino.add_link(command, who=who, command_id=command_id, session=session)
    complete: Callable[[Command], Command] | None = None
    if isinstance(command, AnnounceLastRound):
        if command.round:
            raise BadCommand("leave `round` out: it is the next one that the table calls")
        complete = partial(_with_round, casino, command_id)
    return casino.tell(
        command,
        who=who,
        command_id=command_id,
        session=session,
        secrets=list(secrets),
        complete=complete,
    )


def _with_round(casino: Casino, command_id: str | None, command: Command) -> Command:
    """The announcement with the number of the round that is called next at a table which this
    process runs. Asked under the House's lock: no round is called before the order is given.

    Sent again, it names the round that it named the first time.
    """
    assert isinstance(command, AnnounceLastRound)
    first = casino.house.command_of(command_id, OFFICE) if command_id else None
    if isinstance(first, AnnounceLastRound) and structs.replace(first, round=0) == command:
        return first
    casino.house.reread_stale()
    table = casino.house.pit.tables.get(command.table)
    if table is None:
        raise BadCommand(f"table {command.table!r} is not run here; order it where it is run")
    return structs.replace(command, round=GAMES.port_of(table).round_number(table) + 1)


def _nothing_else(does: str, fields: dict[str, Any]) -> None:
    """Where a word is mistyped the rest is another order: to disable a `table` that is called
    `place` here would be to disable everything."""
    known = ["do", *_FIELDS[does]]
    for name in fields.keys() - known:
        said = ", ".join(known[1:])
        raise BadCommand(f"{does!r} has no field {name!r}; it has {said}")


_FIELDS = {
    str(kind.__struct_config__.tag): kind.__struct_encode_fields__ for kind in Office.whole.commands
}
"""What can be said in each order."""


def _fields(given: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(given, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadCommand(f"unreadable command: {error}") from error
