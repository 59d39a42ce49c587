"""`croupier office staff` and `croupier office player`: people and their accounts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, get_args

import click

from croupier.cli import office_roster
from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import (
    as_json,
    ask_new_password,
    at,
    by,
    draw,
    office_session,
    order,
    write_json,
)
from croupier.house import totp
from croupier.house.office import Role
from croupier.house.office import commands as orders
from croupier.house.office.second_factor import DropSecondFactor, SetSecondFactor
from croupier.table.money import write_money

ROLES = click.Choice(get_args(Role))
name_of = click.argument("name")


@click.group(cls=CommandGroup)
def staff() -> None:
    """Take on, place and disable members of staff.

    \b
    Example:
      croupier office staff list sqlite:///house.db --as Ada
    """


@staff.command("add")
@order
@name_of
@click.argument("role", type=ROLES)
def add_staff(url: str, name: str, role: Any, who: str, reason: str, as_json: bool) -> None:
    """Take NAME on in a ROLE; the new password is asked for.

    URL is the database. CROUPIER_NEW_PASSWORD sets the password where nobody can be asked.

    \b
    Example:
      croupier office staff add sqlite:///house.db Sue 'pit supervisor' --as Ada --reason new
    """
    password = ask_new_password(name)
    with office_session(url, who, as_json) as here:
        here.give_with(password, orders.HireStaff, name=name, role=role, reason=reason)


@staff.command("role")
@order
@name_of
@click.argument("role", type=ROLES)
def change_role(url: str, name: str, role: Any, who: str, reason: str, as_json: bool) -> None:
    """Give NAME another ROLE; a duty of the old one ends.

    URL is the database.

    \b
    Example:
      croupier office staff role sqlite:///house.db Sue 'pit manager' --as Ada --reason promoted
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.ChangeRole(name=name, role=role, reason=reason))


@staff.command("duty")
@at
@name_of
@click.argument("post", type=ROLES, required=False)
@click.option("--area", default="", help="The part of the floor, for reports.")
@click.option("--off", is_flag=True, help="Leave the post.")
@click.option("--reason", default="", help="Why, for an acting post and for somebody else's duty.")
@by
@as_json
def duty(
    url: str, name: str, post: Any, area: str, off: bool, reason: str, who: str, as_json: bool
) -> None:
    """Put NAME on duty at a POST, their own if none is named, or take them off.

    URL is the database. A post above their own is an acting one: somebody who holds it, or more,
    gives it.

    \b
    Example:
      croupier office staff duty sqlite:///house.db Sue 'pit manager' --as Sam --area 'poker room'
    """
    with office_session(url, who, as_json) as here:
        if off:
            here.give(orders.GoOffDuty(name=name, reason=reason))
            return
        own = None if post else {line.name: line.role for line in here.listed("staff")}.get(name)
        taken = post or own
        if taken is None:
            raise click.UsageError(f"name the post: {name} has no role here")
        here.give(orders.GoOnDuty(name=name, post=taken, area=area, reason=reason))


def _disable(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    with office_session(url, who, as_json) as here:
        here.give(orders.DisablePerson(name=name, reason=reason))


def _enable(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    with office_session(url, who, as_json) as here:
        here.give(orders.EnablePerson(name=name, reason=reason))


def _password(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    password = ask_new_password(name)
    with office_session(url, who, as_json) as here:
        here.give_with(password, orders.SetPassword, name=name, reason=reason)


why_not_his_own = click.option(
    "--reason", default="", help="Why, where it is somebody else's; it is recorded."
)


@staff.command("disable")
@order
@name_of
def disable_staff(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """NAME may do nothing any more, and is logged out. URL is the database.

    \b
    Example:
      croupier office staff disable sqlite:///house.db Sue --as Ada --reason 'left us'
    """
    _disable(url, name, who, reason, as_json)


@staff.command("enable")
@order
@name_of
def enable_staff(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """NAME may work again. URL is the database.

    \b
    Example:
      croupier office staff enable sqlite:///house.db Sue --as Ada --reason 'back again'
    """
    _enable(url, name, who, reason, as_json)


@staff.command("password")
@at
@name_of
@why_not_his_own
@by
@as_json
def staff_password(url: str, name: str, reason: str, who: str, as_json: bool) -> None:
    """Set the password of NAME: one's own, or an administrator anybody's. URL is the database.

    \b
    Example:
      croupier office staff password sqlite:///house.db Sue --as Sue
    """
    _password(url, name, who, reason, as_json)


@staff.command("unlock")
@order
@name_of
def unlock(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """Let NAME log in again before the lock of a wrong password ends. URL is the database.

    \b
    Example:
      croupier office staff unlock sqlite:///house.db Sue --as Ada --reason 'called in'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.Unlock(name=name, reason=reason))


@staff.command("second-factor")
@at
@name_of
@by
@as_json
def second_factor(url: str, name: str, who: str, as_json: bool) -> None:
    """Set up the second factor of NAME, who is --as too: a key in an authenticator app. From then
    on its code is asked for at every log-in. URL is the database.

    \b
    Example:
      croupier office staff second-factor sqlite:///house.db Sue --as Sue
    """
    key = totp.new_key()
    click.echo(f"Add this key to an authenticator app:\n  {totp.spaced(key)}", err=True)
    click.echo(f"or open this address with it:\n  {totp.address_of(key, name)}", err=True)
    code: str = click.prompt("The code that it shows now", err=True)
    if totp.matching_step(key, code, datetime.now(UTC)) is None:
        raise click.UsageError(
            "this is not its code; look whether the clocks of this machine and of the phone are "
            "right, and begin again: nothing was changed"
        )
    with office_session(url, who, as_json) as here:
        here.give_with(key, SetSecondFactor, name=name)


@staff.command("drop-second-factor")
@order
@name_of
def drop_second_factor(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """NAME has lost the second factor: one person proposes to drop it, another one confirms that
    by the same command within a day. Each is an administrator, shift manager or auditor. The next
    log-in of NAME sets up a new one. URL is the database.

    \b
    Example:
      croupier office staff drop-second-factor sqlite:///house.db Sue --as Ada --reason 'lost phone'
    """
    with office_session(url, who, as_json) as here:
        here.give(DropSecondFactor(name=name, reason=reason))


@staff.command("list")
@at
@by
@as_json
def list_staff(url: str, who: str, as_json: bool) -> None:
    """List the staff with their roles and posts. URL is the database.

    \b
    Example:
      croupier office staff list sqlite:///house.db --as Ada
    """
    with office_session(url, who, as_json) as here:
        lines = here.listed("staff")
        if as_json:
            write_json(lines)
            return
        rows = []
        for line in lines:
            on = line.duty
            post = f"{'acting ' if on.acting else ''}{on.post} {on.area}".strip() if on else ""
            rows.append((line.name, line.role or "", post, line.disabled))
        draw("Staff", ("name", "role", "on duty", "disabled"), rows, set())


# -- players --------------------------------------------------------------------------------------


@click.group(cls=CommandGroup)
def player() -> None:
    """Open, disable and list the accounts of players.

    \b
    Example:
      croupier office player list sqlite:///house.db --as Cal
    """


@player.command("open")
@at
@name_of
@click.option("--no-password", is_flag=True, help="They play at hand-dealt tables only.")
@by
@as_json
def open_player(url: str, name: str, no_password: bool, who: str, as_json: bool) -> None:
    """Open an account for NAME; a password is asked for. URL is the database.

    \b
    Example:
      croupier office player open sqlite:///house.db Ann --as Cal
    """
    password = None if no_password else ask_new_password(name)
    with office_session(url, who, as_json) as here:
        here.give_with(password, orders.OpenAccount, player=name)


@player.command("disable")
@order
@name_of
def disable_player(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """NAME begins nothing new: to finish the round and leave is allowed. URL is the database.

    \b
    Example:
      croupier office player disable sqlite:///house.db Ann --as Sue --reason 'own wish'
    """
    _disable(url, name, who, reason, as_json)


@player.command("enable")
@order
@name_of
def enable_player(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """NAME may play again. URL is the database.

    \b
    Example:
      croupier office player enable sqlite:///house.db Ann --as Sam --reason 'the term is over'
    """
    _enable(url, name, who, reason, as_json)


@player.command("password")
@at
@name_of
@why_not_his_own
@by
@as_json
def player_password(url: str, name: str, reason: str, who: str, as_json: bool) -> None:
    """Set the password of NAME: one's own, or an administrator anybody's. URL is the database.

    \b
    Example:
      croupier office player password sqlite:///house.db Ann --as Ada --reason 'forgotten'
    """
    _password(url, name, who, reason, as_json)


@player.command("relocate")
@order
@name_of
@click.option("--from", "table", required=True, metavar="TABLE", help="The table to leave.")
@click.option("--to", required=True, metavar="TABLE", help="The table to go to.")
@click.option("--seat", required=True, type=click.IntRange(1, 99), help="The seat there.")
def relocate(
    url: str, name: str, table: str, to: str, seat: int, who: str, reason: str, as_json: bool
) -> None:
    """Take NAME with all their chips from one poker table to another, by a Pit Employee on duty.

    URL is the database. It is one act: if either table refuses, nothing changes.

    \b
    Example:
      croupier office player relocate sqlite:///h.db Ann --from P1 --to P2 --seat 4 --as Dan \\
        --reason 'P1 is closed for the night'
    """
    with office_session(url, who, as_json, [table, to]) as here:
        here.give(orders.RelocatePlayer(player=name, table=table, to=to, seat=seat, reason=reason))


@player.command("list")
@at
@by
@as_json
def list_players(url: str, who: str, as_json: bool) -> None:
    """List the players with what is in their accounts. URL is the database.

    \b
    Example:
      croupier office player list sqlite:///house.db --as Cal
    """
    with office_session(url, who, as_json) as here:
        lines = here.listed("players")
        if as_json:
            write_json(lines)
            return
        rows = [
            (
                p.name,
                write_money(p.account),
                "bot" if p.bot else "cash" if p.cash else "",
                p.disabled,
            )
            for p in lines
        ]
        draw("Players", ("name", "account", "", "disabled"), rows, {"account"})


for command in (
    office_roster.assign,
    office_roster.unassign,
    office_roster.roster,
    office_roster.licence,
):
    staff.add_command(command)
player.add_command(office_roster.pin)
