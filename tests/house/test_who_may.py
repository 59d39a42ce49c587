"""Every cell of the table in docs/security.md: each command of the office, given by everybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from croupier.banked import BankedTable
from croupier.house.office import commands as orders
from croupier.house.office.holds import HoldTable
from croupier.house.office.inventory import CountInventory, OrderFill, SignSlip
from croupier.house.office.office import NO_BOOK, Office
from croupier.house.office.own_limits import SetOwnLimit
from croupier.house.office.roster_commands import AssignStaff, EndAssignment, SetLicence
from croupier.house.office.state import PIT, Role
from croupier.house.office.who_may import WHO_MAY, check_complete, tag_of
from croupier.house.permissions import NOT_HIS, acts_here, players_own
from croupier.poker import PokerTable
from croupier.table import ActorRank, BadCommand, Command, Conversation, Order, Refused
from tests.house.authority_table import PAGE, ROLES, cell, written
from tests.house.test_ledger import POKER
from tests.house.test_office import HOUSE, NOON, Desk

WHY = "x"
AUTHORITY = re.compile(
    r"is no member of staff|takes an? |is not on duty|The software itself|is disabled|"
    r"alone\.$|the software does not|no licence"
)
"""How the office refuses whoever may not order it; everything else is about the matter."""


def test_the_page_has_the_table_as_the_code_has_it():
    page = PAGE.read_text("utf-8")
    assert written(page) == page, "write it anew: python -m tests.house.authority_table"


def test_a_command_without_a_rule_is_an_error_at_the_start():
    with pytest.raises(TypeError, match="hire staff"):
        check_complete([k for k in Office.whole.commands if tag_of(k) != "hire staff"])


# ---- a command of every kind --------------------------------------------------------------------

BY_NAME: dict[str, Any] = {
    "name": "Deb",
    "player": "Ann",
    "payer": "Ann",
    "payee": "Bob",
    "administrator": "New",
    "table": "P1",
    "to": "P2",
    "list_of": "P1",
    "place": "P1",
    "link": "L1",
    "digest": "0" * 64,
    "sha256": "0" * 64,
    "token": "0" * 64,
    "holder": "0" * 16,
    "role": "dealer",
    "post": "dealer",
    "rulebook": "no-limit-holdem-v8",
    "reason": WHY,
    "setting": "clocks.to_act",
}


def value_of(node: inspect.Type) -> Any:
    """Something of a type."""
    match node:
        case inspect.Metadata(type=inner):
            return value_of(inner)
        case inspect.StrType():
            return "x" * max(1, node.min_length or 0)
        case inspect.IntType() | inspect.FloatType():
            return max(1, node.ge or 0)
        case inspect.BoolType():
            return False
        case inspect.DateTimeType():
            return NOON
        case inspect.DateType():
            return NOON.date()
        case inspect.LiteralType(values=values):
            return sorted(values)[0]
        case inspect.UnionType(types=types):
            return value_of(types[0])
        case inspect.DictType():
            return {}
        case _:
            return ()


def sample(kind: type[Command]) -> Command:
    """A command of a kind, with whatever it must say."""
    given: dict[str, Any] = {}
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        if field.required:
            named = BY_NAME.get(field.name) if kind is not SetOwnLimit else None
            given[field.name] = named if named is not None else value_of(field.type)
    return kind(**given)


FITTING: dict[str, Callable[[str], Command]] = {
    "change role": lambda who: orders.ChangeRole(name="Deb", role="dealer", reason=WHY),
    "enable person": lambda who: orders.EnablePerson(name="Off", reason=WHY),
    "disable person": lambda who: orders.DisablePerson(name="Ann", reason=WHY),
    "assign staff": lambda who: AssignStaff(name="Deb", table="P1", reason=WHY),
    "go on duty": lambda who: orders.GoOnDuty(name="Deb", post="dealer"),
    "go off duty": lambda who: orders.GoOffDuty(name="Ira", reason=WHY),
    "end assignment": lambda who: EndAssignment(assignment=2, reason=WHY),
    "sign slip": lambda who: SignSlip(slip=1),
    "approve correction": lambda who: orders.ApproveCorrection(proposal=1),
    "give approval": lambda who: orders.GiveApproval(proposal=1),
    "set password": lambda who: orders.SetPassword(name="Deb", digest="0" * 64, reason=WHY),
    "hold table": lambda who: (
        HoldTable(table="P1", report="{}", says=WHY, position=0)
        if "position" in HoldTable.__struct_fields__
        else sample(HoldTable)
    ),
}
"""Where a giver of the right role would be refused for what it is about."""
KINDS = {tag_of(kind): kind for kind in Office.whole.commands}


def given_by(does: str, who: str) -> Command:
    return FITTING[does](who) if does in FITTING else sample(KINDS[does])


def opened() -> Desk:
    """An office with tables, people, and something that waits of every kind; a new one each time,
    from the state of one that was made once."""
    desk = object.__new__(Desk)
    desk.now, desk.office = NOON, Office.restore(NO_BOOK, _made().office.snapshot())
    return desk


@cache
def _made() -> Desk:
    desk = Desk(real_money=True).staffed()
    for table in ("P1", "P2"):
        adding = orders.AddTable(table=table, rulebook="no-limit-holdem-v8", settings=POKER)
        desk.accepted(adding, "house", HOUSE)
    for name in ("Deb", "Ira"):
        desk.accepted(orders.HireStaff(name=name, role="dealer", reason=WHY), "Ada")
    desk.accepted(orders.OpenAccount(player="Off"), "Cal")
    desk.accepted(orders.DisablePerson(name="Off", reason=WHY), "Ada")
    for name in ("Deb", "Ira", "Mia"):
        far = date(2999, 1, 1)
        desk.accepted(SetLicence(name=name, licence="L", until=far, reason=WHY), "Ada")
    desk.accepted(orders.GoOnDuty(name="Ira", post="dealer"), "Ira")
    desk.accepted(orders.GoOnDuty(name="Mia", post="pit manager"), "Mia")
    desk.accepted(AssignStaff(name="Mia", reason=WHY), "Ada")
    desk.accepted(CountInventory(table="P1", which="opening", chips={}), "Mia")
    desk.accepted(OrderFill(table="P1", chips={500: 1}, reason=WHY), "Mia")
    desk.accepted(orders.ProposeCorrection(moves={"player/Ann": 1, "cash": -1}, reason=WHY), "Mia")
    asked = orders.ProposeApproval(what="software", digest="1" * 64, reason=WHY)
    desk.accepted(asked, "Ari")
    return desk


def employed(desk: Desk, role: Role, *, on_duty: bool = True) -> None:
    """Somebody new in a role, with a licence, assigned to the floor."""
    desk.accepted(orders.HireStaff(name="Who", role=role, reason=WHY), "Ada")
    if role in PIT:
        far = date(2999, 1, 1)
        desk.accepted(SetLicence(name="Who", licence="L", until=far, reason=WHY), "Ada")
        desk.accepted(AssignStaff(name="Who", reason=WHY), "Ada")
        if on_duty:
            desk.accepted(orders.GoOnDuty(name="Who", post=role), "Who")


def is_refused_authority(desk: Desk, command: Command, who: str, rank: ActorRank) -> str:
    """The refusal, if it is for who gives it and not for what it is about."""
    try:
        answer = desk.give(command, who, rank)
    except BadCommand:
        return ""  # it was heard
    if isinstance(answer, Refused) and AUTHORITY.search(answer.says):
        return answer.says
    return ""


@pytest.mark.parametrize("does", sorted(does for does, r in WHO_MAY.items() if not r.anybody))
@pytest.mark.parametrize("role", ROLES)
def test_a_member_of_staff(does: str, role: Role):
    """But for what the room decides by the matter itself (`own`): its tests try that."""
    rule = WHO_MAY[does]
    desk = opened()
    employed(desk, role)
    said = is_refused_authority(desk, given_by(does, "Who"), "Who", ActorRank.PLAYER)
    may = cell(rule, role) != ""
    assert bool(said) is not may, said or "it was let through"


@pytest.mark.parametrize("does", sorted(does for does, rule in WHO_MAY.items() if rule.on_duty))
@pytest.mark.parametrize("role", PIT)
def test_off_duty(does: str, role: Role):
    desk = opened()
    employed(desk, role, on_duty=False)
    assert is_refused_authority(desk, given_by(does, "Who"), "Who", ActorRank.PLAYER)


@pytest.mark.parametrize("does", sorted(does for does, r in WHO_MAY.items() if not r.anybody))
def test_who_is_disabled_or_dismissed_orders_nothing(does: str):
    for role in ROLES:
        desk = opened()
        employed(desk, role)
        desk.accepted(orders.DisablePerson(name="Who", reason=WHY), "Ada")
        assert is_refused_authority(desk, given_by(does, "Who"), "Who", ActorRank.PLAYER)


@pytest.mark.parametrize("does", sorted(does for does, r in WHO_MAY.items() if not r.anybody))
@pytest.mark.parametrize("who", ["Bob", "Stranger"])
def test_a_player_for_another_and_a_stranger(does: str, who: str):
    assert is_refused_authority(opened(), given_by(does, who), who, ActorRank.PLAYER)


@pytest.mark.parametrize("does", sorted(does for does, r in WHO_MAY.items() if r.oneself))
def test_for_oneself(does: str):
    field = WHO_MAY[does].oneself
    who = "Ann" if field == "player" else "Ira"
    fields = {**msgspec.to_builtins(sample(KINDS[does])), field: who}
    if does == "open account":
        who = fields[field] = "Newcomer"
    command = Office.read_command(msgspec.json.encode(fields))
    assert is_refused_authority(opened(), command, who, ActorRank.PLAYER) == ""


@pytest.mark.parametrize("does", sorted(WHO_MAY))
def test_the_software(does: str):
    said = is_refused_authority(opened(), given_by(does, "house"), "house", HOUSE)
    money = {"cash in", "cash out", "fund bank", "change setting"}  # of play money alone
    assert bool(said) is (not WHO_MAY[does].house or does in money), said


# ---- at the tables ------------------------------------------------------------------------------


def at_tables() -> list[tuple[type[Conversation], type[Command]]]:
    return [(kind, each) for kind in (PokerTable, BankedTable) for each in kind.whole.commands]


@pytest.mark.parametrize(("kind", "command"), at_tables(), ids=lambda v: v.__name__)
def test_a_command_at_a_table(kind: type[Conversation], command: type[Command]):
    """A player gives his own alone; staff act on duty, licensed, assigned, and not disabled."""
    given = sample(command)
    objection = players_own("Bob", given)
    not_his = objection is not None and objection.code == NOT_HIS
    for_another = getattr(given, "player", None) not in (None, "Bob")
    assert not_his is (not command.players_may or for_another)
    for state, why_not in (
        ("on duty", ""),
        ("off duty", "is not on duty"),
        ("disabled", "is no member of staff who may act here"),
        ("not assigned", "is not assigned to table P1"),
        ("no licence", "licence"),
        ("a rank above the post", "is on duty as dealer only"),
    ):
        desk = opened()
        employed(desk, "dealer", on_duty=state != "off duty")
        if state == "disabled":
            desk.accepted(orders.DisablePerson(name="Who", reason=WHY), "Ada")
        if state == "not assigned":
            number = max(desk.office.state.roster)
            desk.accepted(EndAssignment(assignment=number, reason=WHY), "Ada")
        when = datetime(3000, 1, 1, tzinfo=NOON.tzinfo) if state == "no licence" else desk.now
        rank = ActorRank.PIT_MANAGER if state == "a rank above the post" else ActorRank.DEALER
        order = Order(command=given, who="Who", rank=rank, when=when)
        refused = acts_here(desk.office.state, "P1", order)
        assert (refused is None) is (not why_not), state
        assert refused is None or why_not in refused.says, state
