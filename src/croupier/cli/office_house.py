"""`croupier office init`, `everything`, `files` and `apply`: the House as a whole."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import (
    as_json,
    ask_password,
    at,
    because,
    by,
    founded,
    office_session,
    order,
    write_json,
)
from croupier.house.casino import Casino
from croupier.house.config import Applied
from croupier.house.critical_files import changed
from croupier.house.founding import administrators, office_at
from croupier.house.office import OfficeState
from croupier.house.office import commands as orders
from croupier.house.office_acts import ApplyConfig, CheckFiles
from croupier.house.serving import is_server, server_of
from croupier.house.software import HOUSE


@click.command("init")
@at
@click.option("--administrator", required=True, metavar="NAME", help="The first administrator.")
@click.option("--real-money", is_flag=True, help="A House of real money: no bots, no gifts.")
@as_json
def init(url: str, administrator: str, real_money: bool, as_json: bool) -> None:
    """Found a House in an empty database, with its first administrator. URL is the database.

    The administrator's password is asked for, or taken from CROUPIER_PASSWORD. Where a House
    stands whose only administrator has none, it is set.

    \b
    Example:
      croupier office init sqlite:///house.db --administrator Ada
    """
    if is_server(url):
        raise click.UsageError(
            "a House is founded in its database, before a server runs on it; name the database"
        )
    address = server_of(url)
    if address is not None:
        raise click.UsageError(
            f"a server runs on this database, at {address}; stop it first: nobody can be asked "
            "there who may give its administrator a password"
        )
    before = office_at(url)
    if before is not None:
        _check_without_password(before, administrator, real_money)
    password = ask_password(f"Password of {administrator}", twice=True)
    casino = Casino.open(
        url, administrator=administrator, password=password, real_money=real_money, tables=()
    )
    try:
        if before is not None:
            casino.set_password(administrator, password, who=HOUSE)
    finally:
        casino.stop()
    money = "real money" if real_money else "play money"
    if as_json:
        founded_now = before is None
        write_json(
            {"founded": founded_now, "administrator": administrator, "real_money": real_money}
        )
    elif before is None:
        click.echo(f"The House is founded for {money}; {administrator} administers it.")
    else:
        click.echo(f"There was a House for {money} already; {administrator} can log in now.")


def _check_without_password(state: OfficeState, administrator: str, real_money: bool) -> None:
    """A House may stand whose administrator cannot log in; only then is he given a password."""
    known = administrators(state)
    if any(known.values()):
        raise click.UsageError("there is a House already; its administrator hires and disables")
    if administrator not in known:
        raise click.UsageError(
            "there is a House already, and its administrator has no password; to set one: "
            f"--administrator {' or '.join(map(repr, known))}"
        )
    if state.real_money != real_money:
        right = "with" if state.real_money else "without"
        money = "real money" if state.real_money else "play money"
        raise click.UsageError(
            f"there is a House already, founded for {money}; set its administrator's password "
            f"{right} --real-money"
        )


@click.group(cls=CommandGroup)
def everything() -> None:
    """Disable and enable the whole House at once.

    \b
    Example:
      croupier office everything disable sqlite:///house.db --as Sam --reason 'a fire alarm'
    """


@everything.command("disable")
@order
def disable_everything(url: str, who: str, reason: str, as_json: bool) -> None:
    """Nothing new begins anywhere; rounds under way are finished. URL is the database.

    \b
    Example:
      croupier office everything disable sqlite:///house.db --as Sam --reason 'a fire alarm'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.Disable(reason=reason))


@everything.command("enable")
@order
def enable_everything(url: str, who: str, reason: str, as_json: bool) -> None:
    """New rounds may begin again. URL is the database.

    \b
    Example:
      croupier office everything enable sqlite:///house.db --as Sam --reason 'a false alarm'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.Enable(reason=reason))


@click.group(cls=CommandGroup)
def files() -> None:
    """The critical files of the software.

    \b
    Example:
      croupier office files check sqlite:///house.db --as Ari
    """


@files.command("check")
@at
@by
@as_json
def check_files(url: str, who: str, as_json: bool) -> None:
    """Compare the software with what it was at the last start. URL is the database.

    The check is recorded. The exit status is 1 if anything was changed.

    \b
    Example:
      croupier office files check sqlite:///house.db --as Ari
    """
    with office_session(url, who, as_json) as here:
        done = here.perform(CheckFiles())
        _show_files(list(done.changed), done.floors, as_json)
    if done.changed:
        sys.exit(1)


@files.command("compare")
@at
@as_json
def compare_files(url: str, as_json: bool) -> None:
    """Compare as `check` does and record nothing: while a server runs, too. URL is the database.

    \b
    Example:
      croupier office files compare sqlite:///house.db
    """
    noted = founded(url).digests
    found = changed(noted) if noted else []
    _show_files(found, len(noted), as_json)
    if found:
        sys.exit(1)


def _show_files(found: list[str], parts: int, as_json: bool) -> None:
    if as_json:
        write_json({"changed": found, "floors": parts})
    elif found:
        click.echo(f"Changed since the last start: {', '.join(found)}")
    else:
        click.echo(f"All {parts} parts are as they were.")


@click.command("apply")
@at
@click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--dry-run", is_flag=True, help="Say what would change or be refused, and change nothing."
)
@because
@by
@as_json
def apply(url: str, config: Path, dry_run: bool, reason: str, who: str, as_json: bool) -> None:
    """Set up the links, tables and staff of a file CONFIG that the House does not have yet.

    URL is the database. What is there already stays as it was set up; where the file has it
    otherwise, that is said, and the exit status is 1. To take on staff takes an administrator. What
    else the file sets (clocks, limits, standing orders) is put on record in your name; a server of
    real money opens with nothing else.

    \b
    Example:
      croupier office apply sqlite:///house.db casino.toml --as Sam --dry-run
    """
    from croupier.house.config import settings_of
    from croupier.live.config import read_config
    from croupier.live.opening import NO_SETTINGS

    wanted = read_config(config)
    act = ApplyConfig(
        links=wanted.links,
        tables=wanted.tables,
        staff=wanted.staff,
        settings=settings_of(wanted, NO_SETTINGS),
        reason=reason,
        dry_run=dry_run,
    )
    with office_session(url, who, as_json, wanted.links, setting_up=True) as here:
        became = here.perform(act)
        if as_json:
            write_json(became.done)
        for each in became.done if not as_json else []:
            click.echo(_outcome(each, dry_run))
        if not as_json and became.as_the_file_has_it:
            click.echo("The House is as the file has it.")
    if any(not each.done and each.change.what != "not in the file" for each in became.done):
        sys.exit(1)


def _outcome(each: Applied, dry_run: bool) -> str:
    """What became of one change, or would become of it."""
    says = each.change.says
    if each.done:
        return f"{'would ' if dry_run else 'done: '}{says}"
    if not each.says:
        return says
    cites = f" ({', '.join(each.cites)})" if each.cites else ""
    return f"{'would be refused: ' if dry_run else ''}{says}: {each.says}{cites}"
