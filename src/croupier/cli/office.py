"""`croupier office`: the back office of a House, from the command line.

Each order is imported when it is called: an office has many, and whoever pays cash in needs none
of the reports.
"""

from __future__ import annotations

import click

from croupier.cli.groups import Lazy, LazyGroup

ORDERS: dict[str, Lazy] = {
    "apply": Lazy(
        "croupier.cli.office_house",
        "apply",
        "Set up the links, tables and staff of a file CONFIG that the House does not have yet.",
    ),
    "approval": Lazy(
        "croupier.cli.office_approval",
        "approval",
        "Approve, by two people, another key for the seals, or software that no manifest names.",
    ),
    "cash": Lazy(
        "croupier.cli.office_cage",
        "cash",
        "Money at the cage: in, out, from player to player, and the House's own.",
    ),
    "archive": Lazy(
        "croupier.cli.office_archive",
        "archive",
        "Closed days, moved from the database to compressed files that are read as before.",
    ),
    "copy": Lazy(
        "croupier.cli.office_copy",
        "copy",
        "The copy of the log: where it is, what is wrong with it, and making it anew.",
    ),
    "correct": Lazy(
        "croupier.cli.office_cage",
        "correct",
        "Put accounts right by new entries: one person proposes, a second one approves.",
    ),
    "day": Lazy(
        "croupier.cli.office_inventory", "day", "Close a gaming day by name, with its differences."
    ),
    "everything": Lazy(
        "croupier.cli.office_house", "everything", "Disable and enable the whole House at once."
    ),
    "files": Lazy("croupier.cli.office_house", "files", "The critical files of the software."),
    "init": Lazy(
        "croupier.cli.office_house",
        "init",
        "Found a House in an empty database, with its first administrator.",
    ),
    "inventory": Lazy(
        "croupier.cli.office_inventory",
        "inventory",
        "The trays of tables: counts, fills and credits by two people, the drop.",
    ),
    "link": Lazy(
        "croupier.cli.office_link",
        "link",
        "Set up and list jackpot links, pay claims, and work the controller.",
    ),
    "player": Lazy(
        "croupier.cli.office_people", "player", "Open, disable and list the accounts of players."
    ),
    "report": Lazy(
        "croupier.cli.office_report",
        "report",
        "Reports from the logs alone; they may be made while a server runs.",
    ),
    "rulebook": Lazy(
        "croupier.cli.office_rulebook",
        "rulebook",
        "Take a jackpot link to another version of its rulebook, with its meter: by two people.",
    ),
    "servers": Lazy(
        "croupier.cli.office_servers",
        "list_servers",
        "List the servers that share a House, and what each of them runs.",
    ),
    "staff": Lazy(
        "croupier.cli.office_people", "staff", "Take on, place and disable members of staff."
    ),
    "table": Lazy("croupier.cli.office_floor", "table", "Set up, close, disable and list tables."),
    "unclaimed": Lazy(
        "croupier.cli.office_unclaimed",
        "unclaimed",
        "List and pay what tables keep safe for players who walked away.",
    ),
    "waiting": Lazy(
        "croupier.cli.office_waiting",
        "waiting",
        "Waiting lists: names in order, called, seated, taken off; who could be moved.",
    ),
}


@click.group(cls=LazyGroup, lazily=ORDERS)
def office() -> None:
    """Run the back office: people, cash, tables, reports.

    A database is named sqlite:///FILE or postgresql://USER@HOST/DATABASE. While a server runs, its
    address stands in the place of the database, such as http://127.0.0.1:8017; the file that it
    owns leads there by itself. On PostgreSQL the office works beside the servers too.

    \b
    Example:
      croupier office init sqlite:///house.db --administrator Ada
    """
