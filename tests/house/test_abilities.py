"""What pages are told that somebody may do is what the office lets them do, for every role."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest

from croupier.house.office import commands as orders
from croupier.house.office.abilities import ABILITIES, may_of
from croupier.house.office.inventory import (
    CloseDay,
    CountDrop,
    CountInventory,
    OrderFill,
    SignSlip,
)
from croupier.house.office.last_rounds import AnnounceLastRound
from croupier.house.office.roster_commands import AssignStaff, SetLicence
from croupier.house.office.state import PIT, Role
from croupier.house.office.waiting import JoinWaitingList
from croupier.table import BadCommand, Command, Refused
from tests.house.test_ledger import POKER
from tests.house.test_office import HOUSE, NOON, Desk

WHY = "x"
COMMANDS: dict[str, Command] = {
    "hire": orders.HireStaff(name="New", role="dealer", reason=WHY),
    "open account": orders.OpenAccount(player="New"),
    "disable player": orders.DisablePerson(name="Ann", reason=WHY),
    "enable player": orders.EnablePerson(name="Off", reason=WHY),
    "put on duty": orders.GoOnDuty(name="Deb", post="dealer"),
    "assign": AssignStaff(name="Deb", table="P1", reason=WHY),
    "set licence": SetLicence(name="Deb", licence="L", until=date(2999, 1, 1), reason=WHY),
    "cash": orders.CashIn(player="Ann", amount=1),
    "propose correction": orders.ProposeCorrection(moves={"player/Ann": 1, "cash": -1}, reason=WHY),
    "approve correction": orders.ApproveCorrection(proposal=1),
    "pay unclaimed": orders.PayUnclaimed(player="Ann", table="P1", amount=1, reason=WHY),
    "close table": orders.CloseTable(table="P1", reason=WHY),
    "set up": orders.AddTable(
        table="P9", rulebook="no-limit-holdem-v8", settings=POKER, reason=WHY
    ),
    "approve software": orders.ProposeApproval(what="software", digest="0" * 64, reason=WHY),
    "announce last round": AnnounceLastRound(table="P1", reason=WHY, round=1),
    "disable": orders.Disable(reason=WHY),
    "enable": orders.Enable(place="P2", reason=WHY),
    "count tray": CountInventory(table="P2", which="opening", chips={500: 1}),
    "order slip": OrderFill(table="P1", chips={500: 1}, reason=WHY),
    "sign slip": SignSlip(slip=1),
    "count drop": CountDrop(table="P3", amount=0),
    "close day": CloseDay(day=NOON.date()),
    "waiting list": JoinWaitingList(list_of="P1", player="Ann"),
    "relocate": orders.RelocatePlayer(player="Ann", table="P1", to="P2", seat=1, reason=WHY),
}
ELSEWHERE = {"order at link", "change rulebook"}
"""What a link decides, and not the office."""


@pytest.fixture
def desk() -> Desk:
    made = Desk().staffed()
    for table in ("P1", "P2", "P3"):
        adding = orders.AddTable(table=table, rulebook="no-limit-holdem-v8", settings=POKER)
        made.accepted(adding, "house", HOUSE)
    made.accepted(orders.HireStaff(name="Deb", role="dealer", reason=WHY), "Ada")
    made.accepted(orders.OpenAccount(player="Off"), "Cal")
    made.accepted(orders.DisablePerson(name="Off", reason=WHY), "Ada")
    made.accepted(orders.Disable(place="P2", reason=WHY), "Ada")
    boss = {"Mia": "pit manager"}
    for name, post in boss.items():
        made.accepted(orders.GoOnDuty(name=name, post=post), name)  # type: ignore[arg-type]
    for table, which in (("P1", "opening"), ("P3", "opening"), ("P3", "closing")):
        made.accepted(CountInventory(table=table, which=which, chips={}), "Mia")  # type: ignore[arg-type]
    made.accepted(OrderFill(table="P1", chips={500: 1}, reason=WHY), "Mia")
    made.accepted(orders.ProposeCorrection(moves={"player/Ann": 1, "cash": -1}, reason=WHY), "Mia")
    return made


def test_every_ability_is_tried():
    assert COMMANDS.keys() | ELSEWHERE == ABILITIES.keys()


@pytest.mark.parametrize("role", get_args(Role))
@pytest.mark.parametrize("ability", COMMANDS)
def test_the_office_lets_do_what_the_page_shows(desk: Desk, ability: str, role: Role):
    desk.accepted(orders.HireStaff(name="Who", role=role, reason=WHY), "Ada")
    if role in PIT:
        desk.accepted(orders.GoOnDuty(name="Who", post=role), "Who")
        desk.accepted(AssignStaff(name="Who", reason=WHY), "Ada")
    told = ability in may_of(desk.office.state, "Who")
    try:
        answer = desk.give(COMMANDS[ability], "Who")
    except BadCommand:
        answer = ()  # whether it can be carried out is another question
    refused = isinstance(answer, Refused) and answer.cites == ("S-34",)
    assert told is not refused, answer
    assert may_of(desk.office.state, "Ann") == ()
