"""A session at the back office: who is there, what is ordered, and how the answer is shown.

Every order is given in somebody's name after the password was checked: to the office of a database
that no server holds (a file), beside the servers (PostgreSQL), or to the server that runs, by its
address or because it owns the file that is named.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import click
import msgspec

from croupier.house.answers import Answer
from croupier.house.errors import BrokenLog, HouseError, OwnedElsewhere
from croupier.house.founding import office_in
from croupier.house.names import visible
from croupier.house.office import OFFICE, OfficeState, PlaceRecord
from croupier.house.office.standards import UNIQUE_ACCOUNTS
from croupier.house.serving import is_server, server_of
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import Command, Event, Refused, UnreadableMoney, read_money
from croupier.table.refusal import Refusal

if TYPE_CHECKING:  # whoever only lists or reports opens no House and draws no table
    from rich.console import Console

    from croupier.house.casino import Casino
    from croupier.house.office_acts import Act

CONFIGURED = "as the configuration has it"
PASSWORD = "CROUPIER_PASSWORD"
F = TypeVar("F", bound=Callable[..., Any])
Places = Collection[str] | Callable[[Mapping[str, PlaceRecord]], Collection[str]]


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


class Session(Protocol):
    """Somebody who has logged in at an office, wherever it is run."""

    who: str
    as_json: bool

    def give(self, command: Command) -> None:
        """Give the office an order and show what it says; a refusal ends with exit status 1."""

    def give_with(self, secret: str | None, kind: type[Command], **fields: Any) -> None:
        """The same for an order that a password or PIN comes with."""

    def listed(self, name: str) -> Any:
        """A list of the office, for staff alone."""

    def perform(self, act: Act) -> Any:
        """Carry out what is more than one order; what came of it."""


class OfficeSession:
    """Somebody who has logged in at the office of a database."""

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
        from croupier.house.office_orders import carry_out

        self.show(carry_out(self.casino, command, who=self.who))

    def give_with(self, secret: str | None, kind: type[Command], **fields: Any) -> None:
        """Give an order that a password or PIN comes with."""
        from croupier.house.office_orders import carry_out, read_order, written_order

        command, secrets = read_order(written_order(kind, fields), secret)
        self.show(carry_out(self.casino, command, secrets, who=self.who))

    def listed(self, name: str) -> Any:
        """A list of the office, for staff alone."""
        from croupier.house.office_lists import LISTS

        self.only_staff()
        return LISTS[name].made(self.casino)

    def perform(self, act: Act) -> Any:
        """Carry out what is more than one order."""
        from croupier.house.office_acts import perform

        self.only_staff()
        try:
            return perform(self.casino, act, who=self.who)
        except Refusal as refusal:
            show_answer((), (), refusal.refused, self.as_json)

    def show(self, answer: Answer) -> None:
        """Show an answer; a refusal ends with exit status 1."""
        said: list[Event] = [each.event for each in answer.said if each.place == OFFICE]
        show_answer([event.tell(str) for event in said], said, answer.refused, self.as_json)


def show_answer(
    told: Sequence[str], said: Sequence[Any], refused: Refused | None, as_json: bool
) -> None:
    """Show what the office said; a refusal ends with exit status 1."""
    if as_json:
        write_json({"accepted": refused is None, "said": said, "refused": refused})
    elif refused is not None:
        cites = ", ".join(refused.cites)
        click.echo(f"Refused ({cites}): {visible(refused.says)}", err=True)
    else:
        for sentence in told:
            click.echo(visible(sentence))
    if refused is not None:
        raise NotDone


class NotDone(Exception):
    """Refused: the exit status is 1 once everything is put away."""


@contextmanager
def office_session(
    url: str, who: str, as_json: bool, places: Places = (), *, setting_up: bool = False
) -> Iterator[Session]:
    """Log in at the office of a database, or at the server that runs there.

    `places` are the tables and links that an order needs beside the office, if they are there; or
    finds them among those of the House. `setting_up`: they are set up and not played at, so that
    nothing need be approved yet.
    """
    address = server_of(url)
    if address is None:
        with in_database(url, who, as_json, places, setting_up=setting_up) as here:
            yield here
        return
    from croupier.cli.office_server import at_server

    with at_server(address, who, as_json) as there:
        yield there


@contextmanager
def in_database(
    url: str,
    who: str,
    as_json: bool,
    places: Places = (),
    copy: Path | None = None,
    *,
    setting_up: bool = False,
) -> Iterator[OfficeSession]:
    """Open the office of a database, check who is there, and leave it as a planned stop.

    `copy` is the folder of the copy of the log, where it is not the one that is used by itself.
    `setting_up`: they are set up and not played at, so that nothing need be approved yet.
    """
    from croupier.house.casino import Casino

    state = founded(url)
    known = state.places
    password = ask_password(f"Password of {who}")
    has_factor = who in state.people and state.people[who].second_factor
    code = ask_code() if has_factor else ""
    try:
        wanted = places(known) if callable(places) else places
        tables = [name for name in wanted if name in known]
        casino = Casino.open(url, tables=tables, copy=copy, setting_up=setting_up)
    except OwnedElsewhere as error:
        hint = "a running server takes the order at its own address in place of the database's"
        raise OwnedElsewhere(f"{error}; {hint}, such as http://127.0.0.1:8017") from error
    done = True
    try:
        login = casino.log_in(who, password, code=code)
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
    """The office of a database as its log has it; an error if there is no House."""
    if is_server(url):
        raise click.UsageError("name the database here; a server's address does not do")
    with stored(url) as store:
        state = office_in(store).state
    if not state.founded:
        raise click.UsageError("there is no House yet; found it with `croupier office init`")
    return state


@contextmanager
def stored(url: str) -> Iterator[Store]:
    """What is stored in a database, to be read only."""
    if is_server(url):
        raise click.UsageError("name the database here; a server's address does not do")
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


def ask_code() -> str:
    """The code of a second factor, from CROUPIER_CODE or from the terminal; nothing if there is
    none."""
    given = os.environ.get("CROUPIER_CODE")
    if given is not None or os.environ.get(PASSWORD) is not None or not sys.stdin.isatty():
        return given or ""
    prompt = "Code of the second factor (Enter if you have none)"
    answer: str = click.prompt(prompt, default="", show_default=False, err=True)
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
