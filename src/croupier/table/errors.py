"""The named errors of a table.

    TableError
    ├── BadCommand        the command cannot be true or cannot be read; nothing has changed
    │   └── NotItsCommand this game has no such command
    ├── UnreadableMoney   an amount that is not a whole number of cents
    └── BrokenTable       the table's own promise failed; drop it and rebuild it from its log

A refusal is not an error: it is an answer, with the paragraph that gives it (`Refused`).
An error is for what no paragraph speaks of: a seat that does not exist, a card that is out
already, a shuffle that is not one.
"""


class TableError(Exception):
    """Anything that goes wrong at a table and is not a refusal."""


class BadCommand(TableError):
    """The command cannot be true or cannot be read. Nothing has changed."""


class NotItsCommand(BadCommand):
    """The command belongs to no room of this game."""


class UnreadableMoney(TableError, ValueError):
    """An amount of money that is not a whole number of cents."""


class BrokenTable(TableError):
    """A table broke its own promise. Its state is worthless: rebuild it from its log."""
