"""`croupier office staff assign, unassign, roster, licence`, `player pin` and `table clocks`."""

from __future__ import annotations

import os
import sys
from datetime import UTC, date, datetime

import click

from croupier.cli.gaming_day import DAY, Written
from croupier.cli.office_session import (
    as_json,
    at,
    by,
    draw,
    office_session,
    order,
    write_json,
)
from croupier.house.clocks import Clocks
from croupier.house.office.roster_commands import (
    AssignStaff,
    EndAssignment,
    SetClocks,
    SetLicence,
    SetPin,
)
from croupier.house.office.roster_events import told_where

name_of = click.argument("name")
MOMENT = Written(
    "TIME",
    "time; write 2026-11-16T20:15",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
)
MINUTE = "%d %b %H:%M"


def _moment(given: datetime | None) -> datetime | None:
    return given.replace(tzinfo=UTC) if given is not None else None


@click.command("assign")
@order
@name_of
@click.option("--table", default="", help="The table to work at.")
@click.option("--area", default="", help="The part of the floor to work in.")
@click.option("--floor", is_flag=True, help="Everywhere.")
@click.option("--from", "since", type=MOMENT, help="From when, UTC; else now.")
@click.option("--until", type=MOMENT, help="Until when, UTC; else until ended.")
def assign(
    url: str,
    name: str,
    table: str,
    area: str,
    floor: bool,
    since: datetime | None,
    until: datetime | None,
    who: str,
    reason: str,
    as_json: bool,
) -> None:
    """Assign NAME to a table, an area or the floor: only there are orders taken.

    URL is the database. A manager's area is the floor; no assignment is needed.

    \b
    Example:
      croupier office staff assign sqlite:///house.db Dan --table P1 --until 2026-11-17T04:00 \\
        --as Sue --reason 'night shift'
    """
    if sum((bool(table), bool(area), floor)) != 1:
        raise click.UsageError("say where: --table NAME, --area NAME or --floor, one of them")
    told = AssignStaff(
        name=name,
        table=table,
        area=area,
        since=_moment(since),
        until=_moment(until),
        reason=reason,
    )
    with office_session(url, who, as_json) as here:
        here.give(told)


@click.command("unassign")
@order
@click.argument("assignment", type=click.IntRange(min=1))
def unassign(url: str, assignment: int, who: str, reason: str, as_json: bool) -> None:
    """End the ASSIGNMENT of this number; `croupier office staff roster` lists them.

    URL is the database.

    \b
    Example:
      croupier office staff unassign sqlite:///house.db 12 --as Sue --reason 'P1 is closed'
    """
    with office_session(url, who, as_json) as here:
        here.give(EndAssignment(assignment=assignment, reason=reason))


@click.command("roster")
@at
@by
@as_json
def roster(url: str, who: str, as_json: bool) -> None:
    """List who is assigned where and until when, with posts and licences. URL is the database.

    \b
    Example:
      croupier office staff roster sqlite:///house.db --as Sue
    """
    with office_session(url, who, as_json) as here:
        lines = here.listed("roster")
        if as_json:
            write_json(lines)
            return
        rows = []
        for line in lines:
            on = line.duty
            licence = f"{line.licence} until {line.licence_until}" if line.licence else ""
            first = (line.name, line.role or "", on.post if on is not None else "", licence)
            if not line.assignments:
                rows.append((*first, "", "", ""))
            for number, one in line.assignments.items():
                until = f" to {one.until:{MINUTE}}" if one.until is not None else ""
                where = told_where(one.table, one.area)
                rows.append((*first, str(number), where, f"{one.since:{MINUTE}}{until}"))
        heads = ("name", "role", "on duty", "licence", "assignment", "where", "when")
        draw("Roster", heads, rows, {"assignment"})


@click.command("licence")
@order
@name_of
@click.argument("licence")
@click.option("--until", required=True, type=DAY, help="The last day it is good.")
def licence(
    url: str, name: str, licence: str, until: datetime, who: str, reason: str, as_json: bool
) -> None:
    """Put on record that NAME works by the LICENCE of this number, and until when.

    URL is the database. Where it is played for money nobody goes on duty in the pit without one.

    \b
    Example:
      croupier office staff licence sqlite:///house.db Dan SE-10442 --until 2027-06-30 --as Ada \\
        --reason renewed
    """
    day = date(until.year, until.month, until.day)
    with office_session(url, who, as_json) as here:
        here.give(SetLicence(name=name, licence=licence, until=day, reason=reason))


@click.command("pin")
@at
@name_of
@click.option("--reason", default="", help="Why, where it is somebody else's; it is recorded.")
@by
@as_json
def pin(url: str, name: str, reason: str, who: str, as_json: bool) -> None:
    """Set the PIN by which the player NAME gives a word at a hand-dealt table.

    URL is the database. It is asked for at the terminal, twice; CROUPIER_NEW_PIN sets it where
    nobody can be asked.

    \b
    Example:
      croupier office player pin sqlite:///house.db Ann --as Cal --reason 'plays by hand'
    """
    typed = _ask_pin(name)
    with office_session(url, who, as_json) as here:
        here.give_with(typed, SetPin, player=name, reason=reason)


def _ask_pin(name: str) -> str:
    given = os.environ.get("CROUPIER_NEW_PIN")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise click.UsageError("nobody can be asked for a PIN here; set CROUPIER_NEW_PIN")
    answer: str = click.prompt(
        f"New PIN of {name}", hide_input=True, confirmation_prompt=True, err=True
    )
    return answer


class Clock(click.ParamType[tuple[str, float]]):
    """A clock of a table and its seconds."""

    name = "clock=seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        if isinstance(value, tuple):
            return value
        key, found, seconds = str(value).partition("=")
        known = ", ".join(Clocks.__struct_fields__)
        if not found or key not in Clocks.__struct_fields__:
            self.fail(f"{value!r} is no clock; write NAME=SECONDS, where NAME is one of {known}")
        try:
            return key, float(seconds)
        except ValueError:
            self.fail(f"{seconds!r} is no number of seconds; write {key}=20")


@click.command("clocks")
@order
@name_of
@click.argument("clocks", type=Clock(), nargs=-1)
def clocks(
    url: str,
    name: str,
    clocks: tuple[tuple[str, float], ...],
    who: str,
    reason: str,
    as_json: bool,
) -> None:
    """Give the table NAME players' CLOCKS of its own, each as CLOCK=SECONDS; none takes them away.

    URL is the database. What is not named is as everywhere; players' clocks run only where they act
    by their own devices.

    \b
    Example:
      croupier office table clocks sqlite:///house.db P1 to_act=30 time_bank=60 --as Max \\
        --reason 'a slow game'
    """
    with office_session(url, who, as_json) as here:
        here.give(SetClocks(table=name, clocks=dict(clocks), reason=reason))
