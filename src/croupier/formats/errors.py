"""What can be wrong with a hand history, each with file, hand and place."""

from __future__ import annotations


class FormatError(ValueError):
    """A hand, a file or an archive that cannot be read, or a hand that a format cannot say.

    `source` is the file, `hand` which hand of it, `place` where in the hand: a line, a field, an
    action. Whoever knows them fills them in on the way up with `at`.
    """

    def __init__(self, says: str, *, source: str = "", hand: str = "", place: str = "") -> None:
        super().__init__(says)
        self.says = says
        self.source = source
        self.hand = hand
        self.place = place

    def at(self, *, source: str = "", hand: str = "", place: str = "") -> FormatError:
        """The same error with what is now known of where it is; what was known stays."""
        self.source = self.source or source
        self.hand = self.hand or hand
        self.place = self.place or place
        return self

    def __str__(self) -> str:
        hand = f"hand {self.hand}" if self.hand else ""
        where = ", ".join(part for part in (self.source, hand, self.place) if part)
        return f"{where}: {self.says}" if where else self.says
