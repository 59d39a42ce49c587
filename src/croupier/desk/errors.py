"""The named errors of the ruling desk.

DeskError
├── CannotAsk       a question that cannot be asked: what is wrong, and where
├── NotThere        no such entry, book, paragraph or case
├── AlreadyDecided  an entry that was decided already, and otherwise
├── NotRuled        a case file of a question that has no ruling yet
├── BadSpan         a part of the log that cannot be meant: a day that is none
├── DamagedRow      an entry of the log that can no longer be read
├── BadApproved     approved texts that cannot be loaded
└── LogError        the file of the log cannot be had, or is none of ours
"""


class DeskError(Exception):
    """Anything that the desk cannot do; `path` is what in the question is wrong, if anything."""

    def __init__(self, says: str, path: str = "") -> None:
        super().__init__(f"{path}: {says}" if path else says)
        self.says = says
        self.path = path


class CannotAsk(DeskError):
    """A question that cannot be asked."""


class NotThere(DeskError):
    """There is no such entry, book, paragraph or case."""


class AlreadyDecided(DeskError):
    """What was decided stands; another decision needs another question."""


class NotRuled(DeskError):
    """A question that still has something open makes no case file."""


class BadSpan(DeskError):
    """A part of the log that cannot be meant."""


class DamagedRow(DeskError):
    """An entry of the log that can no longer be read."""


class BadApproved(DeskError):
    """Approved texts that cannot be loaded."""


class LogError(DeskError):
    """The file of the log cannot be opened or written, or is none of the desk's."""
