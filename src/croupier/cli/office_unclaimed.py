"""`croupier office unclaimed`: what tables keep safe for players who walked away."""

from __future__ import annotations

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_report import asked, asked_as, print_sheets, printed
from croupier.cli.office_session import AMOUNT, at, office_session, order
from croupier.house.office import commands as orders
from croupier.house.reports import Unclaimed, report_unclaimed
from croupier.house.reports.sheets import unclaimed_sheets


@click.group(cls=CommandGroup)
def unclaimed() -> None:
    """List and pay what tables keep safe for players who walked away.

    \b
    Example:
      croupier office unclaimed list sqlite:///house.db
    """


@unclaimed.command("list")
@at
@asked_as
@printed
def list_unclaimed(url: str, who: str | None, as_csv: bool, as_json: bool) -> None:
    """List what is kept safe: at which table, for whom, how much, since when. URL is the database.

    It only reads, and may be called while a server runs.

    \b
    Example:
      croupier office unclaimed list sqlite:///house.db
    """
    found = asked(url, who, "unclaimed", list[Unclaimed], report_unclaimed)
    print_sheets(found, unclaimed_sheets(found), as_csv, as_json)


@unclaimed.command("pay")
@order
@click.argument("table")
@click.argument("player")
@click.argument("amount", type=AMOUNT)
def pay(
    url: str, table: str, player: str, amount: int, who: str, reason: str, as_json: bool
) -> None:
    """Give PLAYER the AMOUNT that TABLE keeps safe for them: all of it, neither more nor less.

    URL is the database. It goes to the player's chips at TABLE, or else to the account.

    \b
    Example:
      croupier office unclaimed pay sqlite:///h.db M1 Ann 250 --as Cal --reason 'came back'
    """
    with office_session(url, who, as_json, [table]) as here:
        here.give(orders.PayUnclaimed(player=player, table=table, amount=amount, reason=reason))
