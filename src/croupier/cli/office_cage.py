"""`croupier office cash` and `croupier office correct`: the cage, and corrections by two people."""

from __future__ import annotations

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import (
    AMOUNT,
    as_json,
    at,
    by,
    draw,
    office_session,
    order,
    write_json,
)
from croupier.house.office import commands as orders
from croupier.table import read_money
from croupier.table.money import write_money

amount_of = click.argument("amount", type=AMOUNT)


@click.group(cls=CommandGroup)
def cash() -> None:
    """Money at the cage: in, out, from player to player, and the House's own.

    \b
    Example:
      croupier office cash in sqlite:///house.db Ann 500 --as Cal
    """


@cash.command("in")
@at
@click.argument("player")
@amount_of
@click.option("--note", default="", help="What it was, for the record.")
@by
@as_json
def cash_in(url: str, player: str, amount: int, note: str, who: str, as_json: bool) -> None:
    """PLAYER pays an AMOUNT into the account, such as 500 or 2.50. URL is the database.

    \b
    Example:
      croupier office cash in sqlite:///house.db Ann 500 --as Cal
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.CashIn(player=player, amount=amount, note=note))


@cash.command("out")
@at
@click.argument("player")
@amount_of
@click.option("--note", default="", help="What it was, for the record.")
@by
@as_json
def cash_out(url: str, player: str, amount: int, note: str, who: str, as_json: bool) -> None:
    """PLAYER takes an AMOUNT out of the account. URL is the database.

    \b
    Example:
      croupier office cash out sqlite:///house.db Ann 320 --as Cal
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.CashOut(player=player, amount=amount, note=note))


@cash.command("transfer")
@order
@click.argument("payer")
@click.argument("payee")
@amount_of
def transfer(
    url: str, payer: str, payee: str, amount: int, who: str, reason: str, as_json: bool
) -> None:
    """Move an AMOUNT from the account of PAYER to that of PAYEE. URL is the database.

    \b
    Example:
      croupier office cash transfer sqlite:///house.db Ann Bob 50 --as Cal --reason 'a debt'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.Transfer(payer=payer, payee=payee, amount=amount, reason=reason))


@cash.command("bank")
@order
@amount_of
@click.option("--out", is_flag=True, help="Take it out instead of putting it in.")
def bank(url: str, amount: int, out: bool, who: str, reason: str, as_json: bool) -> None:
    """Put an AMOUNT of cash into the House's bank, or take it out. URL is the database.

    \b
    Example:
      croupier office cash bank sqlite:///house.db 100,000 --as Cal --reason float
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.FundBank(amount=-amount if out else amount, reason=reason))


@click.group(cls=CommandGroup)
def correct() -> None:
    """Put accounts right by new entries: one person proposes, a second one approves.

    \b
    Example:
      croupier office correct list sqlite:///house.db --as Max
    """


@correct.command("propose")
@order
@click.argument("moves", nargs=-1, required=True)
def propose(url: str, moves: tuple[str, ...], who: str, reason: str, as_json: bool) -> None:
    """Propose MOVES, each an account with what it gains or, negative, gives; the sum is nothing.

    URL is the database. Accounts are player/NAME, house/bank and cash: a table's and a link's
    money is put right there.

    \b
    Example:
      croupier office correct propose sqlite:///h.db player/Ann=5 house/bank=-5 --as Cal --reason x
    """
    read: dict[str, int] = {}
    for move in moves:
        account, mark, amount = move.partition("=")
        if not mark or account in read:
            raise click.UsageError(f"{move!r}: write each account once, as player/Ann=25")
        read[account] = read_money(amount)
    with office_session(url, who, as_json) as here:
        here.give(orders.ProposeCorrection(moves=read, reason=reason))


@correct.command("approve")
@at
@click.argument("number", type=int)
@by
@as_json
def approve(url: str, number: int, who: str, as_json: bool) -> None:
    """Approve the correction of this NUMBER, which somebody else has proposed. URL is the database.

    \b
    Example:
      croupier office correct approve sqlite:///house.db 1 --as Max
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.ApproveCorrection(proposal=number))


@correct.command("list")
@at
@by
@as_json
def list_corrections(url: str, who: str, as_json: bool) -> None:
    """List the corrections that wait for a second person. URL is the database.

    \b
    Example:
      croupier office correct list sqlite:///house.db --as Max
    """
    with office_session(url, who, as_json) as here:
        proposals = here.listed("corrections")
        if as_json:
            write_json(proposals)
            return
        rows = [
            (
                str(number),
                proposal.who,
                ", ".join(f"{account} {write_money(m)}" for account, m in proposal.moves.items()),
                proposal.reason,
            )
            for number, proposal in sorted(proposals.items())
        ]
        draw("Corrections", ("number", "proposed by", "moves", "reason"), rows, {"number"})
