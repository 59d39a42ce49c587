"""`croupier office rulebook`: a jackpot link goes on under another version, with its meter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import click

from croupier.cli.books import open_book
from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import (
    as_json,
    at,
    by,
    draw,
    office_session,
    order,
    write_json,
)
from croupier.house.office import PlaceRecord
from croupier.house.office_acts import ApproveBook, ProposeBook
from croupier.table.money import write_money

link_of = click.argument("link")


@click.group(cls=CommandGroup)
def rulebook() -> None:
    """Take a jackpot link to another version of its rulebook, with its meter: by two people.

    Between rounds, when every player has left its tables. Both are shift managers on duty.

    \b
    Example:
      croupier office rulebook list sqlite:///house.db --as Sam
    """


@rulebook.command("propose")
@order
@link_of
@click.argument("book")
def propose_book(url: str, link: str, book: str, who: str, reason: str, as_json: bool) -> None:
    """Close the tables of LINK for good and propose that it goes on under the rulebook BOOK.

    URL is the database. Nothing is done where a round is under way or somebody has chips left.

    \b
    Example:
      croupier office rulebook propose sqlite:///h.db Marina v3 --as Sam --reason 'in force'
    """
    wanted = open_book(book).id
    tables = partial(on_link, link=link)
    with office_session(url, who, as_json, tables, setting_up=True) as here:
        done = here.perform(ProposeBook(link=link, rulebook=wanted, reason=reason))
        if as_json:
            write_json(done)
            return
        closed = f"; closed for good: {', '.join(done.closed)}" if done.closed else ""
        click.echo(f"Proposal {done.proposal} of {link}: to go on under {wanted}{closed}.")
        click.echo("A second person approves it with: croupier office rulebook approve")


def on_link(places: Mapping[str, PlaceRecord], link: str) -> list[str]:
    """A link with the tables that hang on it."""
    tables = (n for n, record in places.items() if record.link == link and not record.closed)
    return [link, *tables]


@rulebook.command("approve")
@at
@link_of
@click.argument("number", type=int)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="OLD=NEW",
    help="A closed table and the one that follows it; once for each table that goes on.",
)
@by
@as_json
def approve_book(
    url: str, link: str, number: int, tables: tuple[str, ...], who: str, as_json: bool
) -> None:
    """Approve proposal NUMBER of LINK, which somebody else has made; the meter is carried over.

    URL is the database. The link opens again, and the tables that follow are set up as the old ones
    were. Cut off in between, the same order goes on where it stopped.

    \b
    Example:
      croupier office rulebook approve sqlite:///h.db Marina 1 --table M1=M1-v3 --as Max
    """
    following: dict[str, str] = {}
    for word in tables:
        old, mark, new = word.partition("=")
        if not (mark and old and new) or old in following or new in following.values():
            raise click.UsageError(f"{word!r}: write each table once, as OLD=NEW")
        following[old] = new
    with office_session(url, who, as_json, [link], setting_up=True) as here:
        done = here.perform(ApproveBook(link=link, proposal=number, tables=following))
        if as_json:
            write_json(done)
            return
        tables_now = ", ".join(done.tables) or "none yet"
        click.echo(f"{link} goes on under {done.rulebook} with {write_money(done.meter)}.")
        click.echo(f"Its tables: {tables_now}.")


@rulebook.command("list")
@at
@by
@as_json
def list_books(url: str, who: str, as_json: bool) -> None:
    """List the links with their rulebook, and what is proposed for each. URL is the database.

    \b
    Example:
      croupier office rulebook list sqlite:///house.db --as Sam
    """
    with office_session(url, who, as_json, _links, setting_up=True) as here:
        found = here.listed("rulebooks")
        if as_json:
            write_json(found)
            return
        for line in found:
            rows = [
                (str(number), p.change["rulebook"], p.who, p.reason)
                for number, p in line.proposals.items()
            ]
            title = f"{line.link}: {line.rulebook}{'' if rows else ', nothing proposed'}"
            draw(title, ("number", "rulebook", "proposed by", "reason"), rows, {"number"})


def _links(places: Mapping[str, PlaceRecord]) -> list[str]:
    return [name for name, record in places.items() if record.kind == "link"]
