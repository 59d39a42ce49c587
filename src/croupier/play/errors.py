"""What playing refuses: an option that is not open, a game that cannot be set up."""

from __future__ import annotations

from croupier.table import Refused


class PlayError(ValueError):
    """Something was asked of a game that it cannot do; the message says what."""


class NotOpen(PlayError):
    """What a player wanted to do is not open; ``cites`` are a table's paragraphs."""

    def __init__(self, says: str, cites: tuple[str, ...] = ()) -> None:
        self.cites = cites
        told = f" ({', '.join(cites)})" if cites else ""
        super().__init__(says + told)

    @classmethod
    def of(cls, refused: Refused) -> NotOpen:
        """A table's own refusal."""
        return cls(refused.says, refused.cites)
