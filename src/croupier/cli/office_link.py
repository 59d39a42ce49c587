"""`croupier office link`: jackpot links, and what people of the pit order there.

Each order goes to the link of a database that no server holds, or to a running server by its
address. The link asks for the rank; the paragraphs are its rulebook's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_floor import config_of, list_places, name_of
from croupier.cli.office_new import new_link
from croupier.cli.office_rulebook import on_link
from croupier.cli.office_server import NoAnswer, RunningServer, logged_in
from croupier.cli.office_session import (
    AMOUNT,
    NotDone,
    OfficeSession,
    as_json,
    at,
    because,
    by,
    founded,
    in_database,
    office_session,
    order,
    write_json,
)
from croupier.house.config import adding_link
from croupier.house.serving import server_of
from croupier.jackpot import commands as orders
from croupier.table import BadCommand, Command

link_of = click.argument("link")


@click.group(cls=CommandGroup)
def link() -> None:
    """Set up and list jackpot links, pay claims, and work the controller.

    URL is the database; for what is ordered at a link it may also be the address of the running
    server, such as http://127.0.0.1:8017. A Pit Manager or above on duty gives these orders.

    \b
    Example:
      croupier office link list sqlite:///house.db --as Sam
    """


@link.command("add")
@at
@name_of
@config_of
@because
@by
@as_json
def add_link(url: str, name: str, config: Path, reason: str, who: str, as_json: bool) -> None:
    """Set up the link NAME as the file CONFIG has it under [links]. URL is the database.

    \b
    Example:
      croupier office link add sqlite:///house.db 'Marina link' casino.toml --as Sam
    """
    from croupier.live.config import read_config

    found = read_config(config).links.get(name)
    if found is None:
        raise click.UsageError(f"{config} has no link {name!r}")
    with office_session(url, who, as_json, setting_up=True) as here:
        here.give(adding_link(name, found, reason))


link.add_command(new_link)


@link.command("list")
@at
@by
@as_json
def list_links(url: str, who: str, as_json: bool) -> None:
    """List the links with their rulebook. URL is the database.

    \b
    Example:
      croupier office link list sqlite:///house.db --as Sam
    """
    with office_session(url, who, as_json) as here:
        list_places(here.listed("links"), "link", as_json)


# -- claims ---------------------------------------------------------------------------------------


@link.command("pay")
@at
@link_of
@by
@as_json
def pay(url: str, link: str, who: str, as_json: bool) -> None:
    """Pay the open claims of LINK in their order. URL is the database or the server.

    Where several tables claim, the link asks in which order their hands were dealt; nothing is paid
    before `croupier office link order` has answered.

    \b
    Example:
      croupier office link pay http://127.0.0.1:8017 'Marina link' --as Max
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.PayClaims())


@link.command("order")
@at
@link_of
@click.argument("claims", nargs=-1)
@by
@as_json
def order_of_payment(url: str, link: str, claims: tuple[str, ...], who: str, as_json: bool) -> None:
    """Say in which order LINK pays the CLAIMS of several tables, each as TABLE/BOX; then it pays.

    URL is the database or the server. Without CLAIMS it is the order in which the hands were dealt
    by the records.

    \b
    Example:
      croupier office link order http://127.0.0.1:8017 'Marina link' M2/1 M1/3 --as Max
    """
    with at_link(url, link, who, as_json) as here:
        here.give(here.answer(*claims))


# -- faults ---------------------------------------------------------------------------------------


@link.command("fault")
@order
@link_of
def fault(url: str, link: str, who: str, reason: str, as_json: bool) -> None:
    """Declare the jackpot system of LINK not functional; all its tables hear of it.

    URL is the database or the server.

    \b
    Example:
      croupier office link fault sqlite:///house.db 'Marina link' --as Max --reason 'no display'
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.ReportLinkFault(reason=reason))


@link.command("repair")
@order
@link_of
def repair(url: str, link: str, who: str, reason: str, as_json: bool) -> None:
    """Declare LINK functional again: it checks its accounts first.

    URL is the database or the server.

    \b
    Example:
      croupier office link repair sqlite:///house.db 'Marina link' --as Max --reason 'new cable'
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.RepairLink(reason=reason))


@link.command("reconcile")
@at
@link_of
@click.argument("counts", nargs=-1, required=True)
@by
@as_json
def reconcile(url: str, link: str, counts: tuple[str, ...], who: str, as_json: bool) -> None:
    """Compare the COUNTS of jackpot stakes that tables have themselves, each as TABLE=COUNT.

    URL is the database or the server. Another count than that of LINK is a fault, and stops it.

    \b
    Example:
      croupier office link reconcile sqlite:///house.db 'Marina link' M1=1204 M2=988 --as Max
    """
    read: dict[str, int] = {}
    for word in counts:
        table, mark, count = word.rpartition("=")
        if not mark or table in read or not count.isdecimal():
            raise click.UsageError(f"{word!r}: write each table once, as M1=1204")
        read[table] = int(count)
    with at_link(url, link, who, as_json) as here:
        here.give(orders.Reconcile(counts=read))


# -- opening and closing --------------------------------------------------------------------------


@link.command("close")
@at
@link_of
@by
@as_json
def close(url: str, link: str, who: str, as_json: bool) -> None:
    """Let LINK take no stakes for the time being, as a change needs it.

    URL is the database or the server.

    \b
    Example:
      croupier office link close sqlite:///house.db 'Marina link' --as Max
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.CloseLink())


@link.command("open")
@at
@link_of
@by
@as_json
def reopen(url: str, link: str, who: str, as_json: bool) -> None:
    """Let LINK take stakes again. URL is the database or the server.

    \b
    Example:
      croupier office link open sqlite:///house.db 'Marina link' --as Max
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.ReopenLink())


@link.command("join")
@at
@link_of
@click.argument("table")
@by
@as_json
def join(url: str, link: str, table: str, who: str, as_json: bool) -> None:
    """Hang TABLE on LINK again after it was taken off. URL is the database or the server.

    \b
    Example:
      croupier office link join sqlite:///house.db 'Marina link' M2 --as Max
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.JoinTable(table=table, rulebook=here.rulebook()))


@link.command("remove")
@at
@link_of
@click.argument("table")
@by
@as_json
def remove(url: str, link: str, table: str, who: str, as_json: bool) -> None:
    """Take TABLE off LINK between its rounds with jackpot stakes.

    URL is the database or the server. It plays on without the jackpot, also after a restart, until
    it is joined again.

    \b
    Example:
      croupier office link remove sqlite:///house.db 'Marina link' M2 --as Max
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.RemoveTable(table=table))


# -- changes by two people ------------------------------------------------------------------------


@link.command("parameters")
@order
@link_of
@click.option("--reset-value", type=AMOUNT, help="What the meter stands at after the whole is won.")
@click.option("--contribution", type=AMOUNT, help="What each stake adds, as an amount.")
@click.option("--contribution-rate", metavar="PERCENT", help="Or as a percentage of the stake.")
@click.option("--reserve-rate", metavar="PERCENT", help="The part kept for the next reset.")
@click.option("--ceiling", type=AMOUNT, help="The most that the meter shows.")
@click.option("--unreasonable", type=AMOUNT, help="More than this in one round is set aside.")
@click.option("--display-pace", type=AMOUNT, help="The display climbs by this much a second.")
@click.option("--clear", multiple=True, metavar="NAME", help="A parameter to be without a value.")
def parameters(
    url: str, link: str, who: str, reason: str, as_json: bool, clear: tuple[str, ...], **new: Any
) -> None:
    """Propose other parameters of LINK, which is closed; a second person approves them.

    URL is the database or the server. What is not named stays as it is.

    \b
    Example:
      croupier office link parameters sqlite:///h.db Marina --ceiling 90,000 --as Max --reason x
    """
    cleared = tuple(name.replace("-", "_") for name in clear)
    with at_link(url, link, who, as_json) as here:
        here.give(orders.ProposeParameters(reason=reason, clear=cleared, **new))


@link.command("correct")
@order
@link_of
@click.argument("amount", type=AMOUNT)
@click.option("--down", is_flag=True, help="Take the amount off the meter instead.")
def correct(
    url: str, link: str, amount: int, down: bool, who: str, reason: str, as_json: bool
) -> None:
    """Propose to correct the meter of LINK by an AMOUNT, up or down; a second person approves it.

    URL is the database or the server. The link is closed, or has failed.

    \b
    Example:
      croupier office link correct sqlite:///h.db Marina 12.50 --as Max --reason 'lost stakes'
    """
    with at_link(url, link, who, as_json) as here:
        by = -amount if down else amount
        here.give(orders.ProposeCorrection(by=by, reason=reason))


@link.command("terminate")
@order
@link_of
@click.argument("destination")
def terminate(url: str, link: str, destination: str, who: str, reason: str, as_json: bool) -> None:
    """Propose to end LINK, which is closed, for good; a second person approves it.

    URL is the database or the server. DESTINATION says what becomes of its money, as settled with
    the authority: it goes back to the House's bank, and from there to where this says.

    \b
    Example:
      croupier office link terminate sqlite:///h.db Marina 'Bay link' --as Max --reason 'licence'
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.ProposeTermination(destination=destination, reason=reason))


@link.command("approve")
@at
@link_of
@click.argument("number", type=int)
@by
@as_json
def approve(url: str, link: str, number: int, who: str, as_json: bool) -> None:
    """Approve proposal NUMBER of LINK, which somebody else has made; it is carried out.

    URL is the database or the server. `croupier office report jackpot` lists what waits.

    \b
    Example:
      croupier office link approve sqlite:///house.db 'Marina link' 1 --as Mia
    """
    with at_link(url, link, who, as_json) as here:
        here.give(orders.Approve(proposal=number))


# -- where the link is ----------------------------------------------------------------------------


class AtLink(Protocol):
    """Somebody at a link, wherever it is run."""

    def give(self, command: Command) -> None:
        """Give it an order and show what it says."""

    def answer(self, *claims: str) -> Command:
        """The answer to its question for the order of payment."""

    def rulebook(self) -> str:
        """The rulebook of the link."""


@contextmanager
def at_link(url: str, link: str, who: str, as_json: bool) -> Iterator[AtLink]:
    """Somebody at a link: of a database that is free, or of a running server."""
    address = server_of(url)
    if address is not None:
        with _at_server(address, link, who, as_json) as there:
            yield there
        return
    places = founded(url).places
    record = places.get(link)
    if record is None or record.kind != "link":
        known = ", ".join(n for n, each in sorted(places.items()) if each.kind == "link")
        raise click.UsageError(f"there is no link {link!r}; there is {known or 'none'}")
    with in_database(url, who, as_json, on_link(places, link)) as here:
        yield InDatabase(here, link)


@contextmanager
def _at_server(url: str, link: str, who: str, as_json: bool) -> Iterator[AtLink]:
    """Somebody at a link of a running server."""
    with logged_in(url, who) as server:
        there = OnServer(server, link, as_json)
        try:
            yield there
        except NotDone:
            there.done = False
    if not there.done:
        raise SystemExit(1)


class InDatabase:
    """A link of a database that nobody else holds."""

    def __init__(self, here: OfficeSession, link: str) -> None:
        self._here = here
        self._link = link

    def give(self, command: Command) -> None:
        from croupier.house.link_orders import order_at

        casino, who = self._here.casino, self._here.who
        given = order_at(casino, self._link, command, who=who)
        answer = given.result()
        said = [each.event.tell(str) for each in answer.said if each.place == self._link]
        refused = answer.refused
        cites = refused.cites if refused is not None else ()
        told(said, refused.says if refused is not None else None, cites, self._here.as_json)

    def answer(self, *claims: str) -> Command:
        from croupier.house.link_orders import link_of, order_of_payment

        return order_of_payment(link_of(self._here.casino, self._link), *claims)

    def rulebook(self) -> str:
        from croupier.house.link_orders import link_of

        return link_of(self._here.casino, self._link).state.rulebook


class OnServer:
    """A link of a running server."""

    def __init__(self, server: RunningServer, link: str, as_json: bool) -> None:
        self._server = server
        self._link = link
        self._as_json = as_json
        self.done = True

    def give(self, command: Command) -> None:
        status, said = self._server.order(self._link, command)
        match said.get("is"):
            case "answer":
                told(said["told"], None, (), self._as_json)
            case "refused":
                cites = tuple(each["paragraph"] for each in said["cites"])
                told((), said["says"], cites, self._as_json)
            case "error" if status == 422:
                raise BadCommand(said["says"])
            case _:
                raise NoAnswer(said["says"])

    def answer(self, *claims: str) -> Command:
        from croupier.house.link_orders import answer_order

        pending = self._server.link(self._link).get("pending") or {}
        for asked in pending.get("questions", ()):
            if asked["question"] == "order of payment":
                return answer_order(asked["decision"], *claims)
        raise BadCommand("the link asks for no order of payment now")

    def rulebook(self) -> str:
        found: str = self._server.link(self._link)["rulebook"]
        return found


def told(
    said: list[str] | tuple[str, ...], refused: str | None, cites: tuple[str, ...], as_json: bool
) -> None:
    """Show what a link has said; a refusal ends with exit status 1."""
    if as_json:
        no = None if refused is None else {"cites": cites, "says": refused}
        write_json({"accepted": refused is None, "told": said, "refused": no})
    elif refused is not None:
        click.echo(f"Refused ({', '.join(cites)}): {refused}", err=True)
    else:
        for sentence in said:
            click.echo(sentence)
    if refused is not None:
        raise NotDone
