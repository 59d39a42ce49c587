"""A session at the back office: who is there, what he orders, and how the answer is shown.

Every order is given in somebody's name after his password was checked, to the office of a database
that no server holds (a file), or beside the servers (PostgreSQL).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
import msgspec

from croupier.house.answers import Answer
from croupier.house.errors import BrokenLog, HouseError
from croupier.house.founding import office_in
from croupier.house.names import visible
from croupier.house.office import OFFICE, OfficeState
from croupier.house.office.standards import UNIQUE_ACCOUNTS
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import Command, Refused, UnreadableMoney, read_money

if TYPE_CHECKING:  # whoever only lists or reports opens no House and draws no table
    from rich.console import Console

    from croupier.house.casino import Casino

CONFIGURED = "as the configuration has it"
PASSWORD = "CROUPIER_PASSWORD"
F = TypeVar("F", bound=Callable[..., Any])


class Amount(click.ParamType[int]):
    """An amount as it is written on the table."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return read_money(value)
        except UnreadableMoney as error:
            self.fail(str(error), param, ctx)


AMOUNT = Amount()

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON; amounts are cents.")
by = click.option("--as", "who", required=True, metavar="NAME", help="In whose name.")
why = click.option("--reason", required=True, help="Why; it is recorded.")
because = click.option(
    "--reason", default=CONFIGURED, show_default=True, help="Why; it is recorded."
)
at = click.argument("url")


def order(function: F) -> F:
    """What every order has: the database, who gives it, and why."""
    return at(by(why(as_json(function))))


class OfficeSession:
    """Somebody who has logged in at an open office."""

    def __init__(self, casino: Casino, who: str, as_json: bool) -> None:
        self.casino = casino
        self.who = who
        self.as_json = as_json

    def only_staff(self) -> None:
        """What is not for a player's eyes, though it changes nothing (S-34)."""
        if self.casino.office.state.people[self.who].kind != "staff":
            says = f"{self.who} is no member of staff and may not look at this."
            self.show(Answer(command_id="", refused=Refused((UNIQUE_ACCOUNTS,), says)))

    def give(self, command: Command) -> None:
        """Give the office an order and show what it says."""
        self.show(self.casino.tell(command, who=self.who))

    def show(self, answer: Answer) -> None:
        """Show an answer; a refusal ends with exit status 1."""
        refused = answer.refused
        if self.as_json:
            said = [each.event for each in answer.said if each.place == OFFICE]
            write_json({"accepted": refused is None, "said": said, "refused": refused})
        elif refused is not None:
            cites = ", ".join(refused.cites)
            click.echo(f"Refused ({cites}): {visible(refused.says)}", err=True)
        else:
            for each in answer.said:
                if each.place == OFFICE:
                    click.echo(visible(each.event.tell(str)))
        if refused is not None:
            raise NotDone


class NotDone(Exception):
    """Refused: the exit status is 1 once everything is put away."""


@contextmanager
def office_session(
    url: str,
    who: str,
    as_json: bool,
    places: Collection[str] = (),
    copy: Path | None = None,
    *,
    setting_up: bool = False,
) -> Iterator[OfficeSession]:
    """Open the office, check who is there, and leave it as a planned stop.

    `places` are the tables and links that an order needs beside the office, if they are there;
    `copy` is the folder of the copy of the log, where it is not the one that is used by itself.
    `setting_up`: they are set up and not played at, so that nothing need be approved yet.
    """
    from croupier.house.casino import Casino

    known = founded(url).places
    password = ask_password(f"Password of {who}")
    tables = [name for name in places if name in known]
    casino = Casino.open(url, tables=tables, copy=copy, setting_up=setting_up)
    done = True
    try:
        login = casino.log_in(who, password)
        try:
            yield OfficeSession(casino, who, as_json)
        except NotDone:
            done = False
        finally:
            _log_out(casino, login.token)
    finally:
        casino.stop()
    if not done:
        sys.exit(1)


def _log_out(casino: Casino, token: str) -> None:
    """A new password or a disabled account has ended the session already."""
    try:
        casino.log_out(token)
    except HouseError:
        return


def founded(url: str) -> OfficeState:
    """The office at this address as its log has it; an error if there is no House."""
    with stored(url) as store:
        state = office_in(store).state
    if not state.founded:
        raise click.UsageError("there is no House yet; found it with `croupier office init`")
    return state


@contextmanager
def stored(url: str) -> Iterator[Store]:
    """What is stored at an address, to be read only."""
    store = Store(open_database(url, create=False))
    try:
        yield store
    except BrokenLog as error:
        told_broken(error)
    finally:
        store.close()


def told_broken(error: BrokenLog) -> NoReturn:
    """What was stored was changed: that is an answer, and the exit status is 1."""
    click.echo(f"croupier: {error}", err=True)
    sys.exit(1)


def ask_password(prompt: str, *, twice: bool = False) -> str:
    """The password, from the environment or from the terminal; never from the command line."""
    given = os.environ.get(PASSWORD)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise click.UsageError(f"nobody can be asked for a password here; set {PASSWORD}")
    answer: str = click.prompt(prompt, hide_input=True, confirmation_prompt=twice, err=True)
    return answer


def ask_new_password(name: str) -> str:
    """A new password for somebody, from CROUPIER_NEW_PASSWORD or from the terminal, twice."""
    given = os.environ.get("CROUPIER_NEW_PASSWORD")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise click.UsageError("nobody can be asked for a password here; set CROUPIER_NEW_PASSWORD")
    answer: str = click.prompt(
        f"New password of {name}", hide_input=True, confirmation_prompt=True, err=True
    )
    return answer


def write_json(value: Any) -> None:
    """One line of JSON on standard output."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def draw(
    title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], numbers: set[str]
) -> None:
    """A table on the console, numbers to the right; where it is too wide, record by record."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    console.print(Text(title, style="bold"))
    rows = [tuple(map(visible, row)) for row in rows]
    heads = [column.replace("_", " ") for column in columns]
    widths = [max(map(len, cells)) for cells in zip(heads, *rows, strict=True)]
    if sum(widths) + 2 * len(widths) > console.width:
        _draw_records(console, heads, rows)
        return
    table = Table(box=None, pad_edge=False)
    for column, head in zip(columns, heads, strict=True):
        table.add_column(head, justify="right" if column in numbers else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    console.print()


def _draw_records(console: Console, heads: list[str], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.text import Text

    wide = max(map(len, heads))
    for row in rows:
        for head, cell in zip(heads, row, strict=True):
            if cell:
                console.print(Text(f"  {head:{wide}}  {cell}"), soft_wrap=True)
        console.print()
