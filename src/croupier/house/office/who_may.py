"""Who may give the office which command: the one list that decides it, for everybody.

The office looks here before it hears a command (`Office.handle`), whichever way it came: over a
socket or HTTP, from a page, at the command line. What a rule cannot say because it takes the matter
itself (that two people are two, that a slip is signed by whoever got the chips) its room decides
after it. A command that is not in the list is an error when the program starts. The table in
docs/security.md is made of this list.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

from croupier.house.office.authority import (
    CAGE,
    HOUSE,
    MANAGERS,
    on_duty,
    only_the_house,
    refuse,
    staff,
    why,
)
from croupier.house.office.standards import UNIQUE_ACCOUNTS
from croupier.house.office.state import PIT, Role
from croupier.table import Command, Order

if TYPE_CHECKING:
    from croupier.house.office.office import Office

ADMINISTRATOR: tuple[Role, ...] = ("administrator",)
FLOOR: tuple[Role, ...] = ("shift manager", "administrator")
SUPERVISORS: tuple[Role, ...] = ("pit supervisor", *MANAGERS)
KEEPERS: tuple[Role, ...] = ("administrator", "shift manager", "auditor")


class Rule(Struct, frozen=True, kw_only=True):
    """Who may give a command."""

    roles: tuple[Role, ...] = ()
    """Members of staff in one of these, who are not disabled."""
    on_duty: bool = False
    """Only at such a post, with a licence that is good."""
    oneself: Literal["", "name", "player"] = ""
    """The field that names a person: whoever gives the command for themselves may."""
    anybody: bool = False
    """The room decides by what it is about."""
    house: bool = False
    """The software itself may."""
    but: str = ""
    """What its room asks beside that, in short."""


SOFTWARE = Rule(house=True)
"""What nobody can order: the software notes it itself."""
_PIT_ON_DUTY = Rule(roles=PIT, on_duty=True)
_OWN_OR_CAGE = Rule(roles=CAGE, oneself="player", house=True)

WHO_MAY: dict[str, Rule] = {
    # people
    "found house": SOFTWARE,
    "hire staff": Rule(roles=ADMINISTRATOR),
    "change role": Rule(roles=ADMINISTRATOR, but="not one's own"),
    "open account": Rule(roles=(*CAGE, "administrator"), oneself="player", house=True),
    "set password": Rule(roles=ADMINISTRATOR, oneself="name", house=True),
    "disable person": Rule(roles=(*SUPERVISORS, "administrator"), but="staff: an administrator"),
    "enable person": Rule(roles=FLOOR, but="staff: an administrator"),
    "pass name": SOFTWARE,
    "set second factor": Rule(oneself="name", but="staff"),
    "drop second factor": Rule(roles=KEEPERS, but="two others"),
    "unlock": Rule(roles=FLOOR),
    "set pin": Rule(roles=CAGE, oneself="player", house=True),
    "note pin": SOFTWARE,
    # duty, roster, sessions
    "go on duty": Rule(
        roles=(*SUPERVISORS, "administrator"),
        oneself="name",
        but="an acting post: by one who holds it, or above",
    ),
    "go off duty": Rule(roles=(*SUPERVISORS, "administrator"), oneself="name", house=True),
    "assign staff": Rule(
        roles=(*SUPERVISORS, "administrator"), but="not oneself; a pit supervisor on duty"
    ),
    "end assignment": Rule(roles=(*PIT, "administrator"), but="a dealer one's own"),
    "set licence": Rule(roles=FLOOR),
    "note dealer": SOFTWARE,
    "open session": SOFTWARE,
    "note failed login": SOFTWARE,
    "close session": Rule(
        anybody=True, house=True, but="one's own; another's: shift manager, administrator"
    ),
    # the cage and players' limits
    "cash in": Rule(roles=CAGE, house=True, but="the software with play money alone"),
    "cash out": Rule(roles=CAGE, house=True, but="the software with play money alone"),
    "transfer": Rule(roles=CAGE),
    "fund bank": Rule(roles=CAGE, house=True, but="the software with play money alone"),
    "take cash": SOFTWARE,
    "propose correction": Rule(roles=(*CAGE, "pit manager")),
    "approve correction": Rule(roles=MANAGERS, but="another one than who proposed"),
    "pay unclaimed": Rule(roles=("cashier", *MANAGERS)),
    "set own limit": _OWN_OR_CAGE,
    "stay away": _OWN_OR_CAGE,
    # tables and links
    "add table": Rule(roles=FLOOR, house=True),
    "add link": Rule(roles=FLOOR, house=True),
    "close table": Rule(roles=FLOOR, house=True),
    "announce last round": Rule(roles=(*MANAGERS, "administrator")),
    "disable": Rule(roles=(*MANAGERS, "administrator")),
    "enable": Rule(roles=FLOOR),
    "set clocks": Rule(roles=(*MANAGERS, "administrator"), house=True),
    "move place": Rule(roles=(*MANAGERS, "administrator")),
    "note rulebook": SOFTWARE,
    "relocate player": Rule(roles=PIT, on_duty=True, but="assigned to both tables"),
    "hold table": Rule(roles=PIT, on_duty=True, but="assigned to the table"),
    "keep hold": Rule(roles=PIT, on_duty=True, but="whoever holds it"),
    "take hold": Rule(roles=PIT, on_duty=True, but="the rank of whoever holds it, or above"),
    "release hold": Rule(anybody=True, house=True, but="whoever holds it"),
    "read out ruling": Rule(anybody=True, house=True, but="whoever holds it"),
    "witness award": Rule(roles=SUPERVISORS, on_duty=True, but="not who ordered the payment"),
    # trays, waiting lists
    "count inventory": _PIT_ON_DUTY,
    "order fill": Rule(roles=SUPERVISORS, on_duty=True),
    "order credit": Rule(roles=SUPERVISORS, on_duty=True),
    "sign slip": Rule(roles=(*PIT, "cashier"), but="another one than who ordered"),
    "cancel slip": Rule(roles=(*SUPERVISORS, "cashier")),
    "count drop": Rule(roles=("cashier", "shift manager", "auditor")),
    "close day": Rule(roles=("shift manager",)),
    "join waiting list": Rule(roles=PIT, on_duty=True, oneself="player"),
    "leave waiting list": Rule(roles=PIT, on_duty=True, oneself="player"),
    "call player": _PIT_ON_DUTY,
    "note seated": _PIT_ON_DUTY,
    # what players say
    "say": Rule(anybody=True, but="a player who is not disabled"),
    "report player": Rule(anybody=True, but="a player who is not disabled"),
    "answer report": Rule(roles=(*PIT, "administrator")),
    # disputes
    "open dispute": Rule(roles=(*SUPERVISORS, "auditor", "administrator")),
    "file dispute": Rule(roles=(*SUPERVISORS, "auditor", "administrator")),
    "settle dispute": Rule(roles=MANAGERS),
    # the record
    "propose approval": Rule(roles=KEEPERS),
    "give approval": Rule(roles=KEEPERS, but="another one than who proposed"),
    "change setting": Rule(roles=FLOOR, house=True, but="the software with play money alone"),
    "renew copy": Rule(roles=FLOOR),
    "note restored": Rule(roles=FLOOR),
    "make archive": Rule(roles=FLOOR),
    **dict.fromkeys(
        ("note start", "note stop", "note files checked", "note clock set back"), SOFTWARE
    ),
    **dict.fromkeys(("note copy begun", "note copy alarm"), SOFTWARE),
    # what every conversation has, and the office never asks for
    "decide": Rule(anybody=True, house=True, but="nothing is asked here"),
    **dict.fromkeys(("give shuffle", "give draw"), SOFTWARE),
}


WORDS = {
    "announce last round": "announce the last round of a table",
    "hire staff": "take somebody on",
    "change role": "change a role",
    "open account": "open an account",
    "set password": "set somebody's password",
    "disable person": "disable somebody",
    "enable person": "enable somebody",
    "drop second factor": "drop a second factor",
    "unlock": "unlock an account",
    "set pin": "set a player's PIN",
    "go on duty": "put somebody on duty",
    "go off duty": "take somebody off duty",
    "assign staff": "assign somebody",
    "end assignment": "end an assignment",
    "set licence": "put a licence on record",
    "cash in": "take money in",
    "cash out": "pay money out",
    "transfer": "transfer money",
    "fund bank": "move the House's money",
    "propose correction": "propose a correction",
    "approve correction": "approve a correction",
    "pay unclaimed": "pay what is unclaimed",
    "set own limit": "set a player's own limits",
    "stay away": "set a player's own limits",
    "add table": "set up a table",
    "add link": "set up a jackpot link",
    "close table": "close a table",
    "disable": "disable anything",
    "enable": "enable anything",
    "set clocks": "set the clocks of a table",
    "move place": "move a table to another server",
    "relocate player": "relocate a player",
    "hold table": "hold a table",
    "keep hold": "hold a table",
    "take hold": "hold a table",
    "witness award": "witness the payment of a jackpot",
    "count inventory": "count the tray",
    "order fill": "order a fill",
    "order credit": "order a credit",
    "sign slip": "sign a slip",
    "cancel slip": "cancel a slip",
    "count drop": "count a drop",
    "close day": "close a gaming day",
    "join waiting list": "keep a waiting list",
    "leave waiting list": "keep a waiting list",
    "call player": "keep a waiting list",
    "note seated": "keep a waiting list",
    "answer report": "answer a report of a player",
    "open dispute": "open a dispute",
    "file dispute": "make the file of a dispute",
    "settle dispute": "settle a dispute",
    "propose approval": "propose an approval",
    "give approval": "approve it",
    "change setting": "change a setting",
    "renew copy": "have the copy of the log made anew",
    "note restored": "restore the database",
    "make archive": "move closed days to an archive",
}
"""What each is called in a refusal."""


def tag_of(kind: type[Command]) -> str:
    """What a command is called in the log."""
    return str(kind.__struct_config__.tag)


@cache
def _asks_why(kind: type[Command]) -> bool:
    """Whether a command cannot do without a reason: blanks are none."""
    return any(field.name == "reason" and field.required for field in structs.fields(kind))


def check_complete(commands: Iterable[type[Command]]) -> None:
    """Every command of the office has its rule, and no rule is of none."""
    known = {tag_of(kind) for kind in commands}
    if known != WHO_MAY.keys():
        odd = ", ".join(sorted(known ^ WHO_MAY.keys()))
        raise TypeError(f"croupier.house.office.who_may does not fit the office's commands: {odd}")


def check_authority(office: Office, order: Order[Command]) -> None:
    """Refuse a command that its giver may not give."""
    does = tag_of(type(order.command))
    rule = WHO_MAY[does]
    if order.rank is HOUSE:
        if not rule.house:
            refuse(UNIQUE_ACCOUNTS, f"To {does} takes a person; the software does not.")
        return
    if rule.anybody:
        return
    _check_person(office, order, rule, does)
    if _asks_why(type(order.command)):
        why(order.command.reason, WORDS[does])  # type: ignore[attr-defined]


def _check_person(office: Office, order: Order[Command], rule: Rule, does: str) -> None:
    """Refuse a command of somebody who is not in the role, or not at the post, that it takes."""
    if rule.oneself and getattr(order.command, rule.oneself) == order.who:
        return
    if not rule.roles:
        if rule.oneself:
            refuse(UNIQUE_ACCOUNTS, f"{order.who} may {does} for {order.who} alone.")
        only_the_house(order, f"gives the order to {does}")
    (on_duty if rule.on_duty else staff)(office, order, WORDS[does], rule.roles)
