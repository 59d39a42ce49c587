"""Reports: what staff say has gone wrong. Facts only; what follows from them is the book's.

`stopped` is, where Substantial Action matters, how many of the last Actions somebody tried to stop
when he noticed: they do not count (v8 1.48). What the table knows itself need not be reported.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from croupier.cards import Card
from croupier.poker.commands import Street
from croupier.table import Command, Seat

Count = Annotated[int, Meta(ge=0)]


class ReportInterruption(Command, frozen=True, kw_only=True):
    """A technical interruption affects whether the Round of play can go on (v8 5.1)."""

    players_may: ClassVar[bool] = False


class ReportForeignCard(Command, frozen=True, kw_only=True):
    """A card is found that does not belong to the set (v8 5.2.1, v5 5.1.1)."""

    players_may: ClassVar[bool] = False

    card: str = ""
    """What it is, in words: `a blue-backed seven of hearts`."""


class ReportDeck(Command, frozen=True, kw_only=True):
    """The deck was counted, or a card was seen twice (v8 5.2.2, v5 5.1.2)."""

    players_may: ClassVar[bool] = False

    count: Count | None = None
    twice: Card | None = None


class ReportShoe(Command, frozen=True, kw_only=True):
    """The shoe cannot finish the Round of play (v8 5.2.3). A real one's `left` is counted."""

    players_may: ClassVar[bool] = False

    left: Count | None = None


class ReportExposedInCut(Command, frozen=True, kw_only=True):
    """Cards were exposed while the deck was cut (v8 5.3.1)."""

    players_may: ClassVar[bool] = False

    cards: tuple[Card, ...] = ()
    stopped: Count = 0


class ReportUnprepared(Command, frozen=True, kw_only=True):
    """The deck was not shuffled, or not cut, before the Initial Deal (v8 5.3.2)."""

    players_may: ClassVar[bool] = False

    lacking: Literal["shuffle", "cut"]
    stopped: Count = 0


class ReportExposed(Command, frozen=True, kw_only=True):
    """The dealer exposed cards in the Initial Deal, or they lay face up in the shoe.

    v8 5.3.3 and 5.5, v5 5.1.3. What `deal hole cards` said is known; `cards` are further ones, by
    the seat that got them.
    """

    players_may: ClassVar[bool] = False

    cards: dict[Seat, tuple[Card, ...]] = {}
    stopped: Count = 0


class ReportWrongDeal(Command, frozen=True, kw_only=True):
    """The Hole Cards were dealt wrongly: to the wrong seats, a hand left out, a hand too many.

    v8 5.3.4 and 5.3.5, v5 5.1.5. `seen` says whether any player has seen his cards, where the
    table cannot know it.
    """

    players_may: ClassVar[bool] = False

    what: Literal["wrong seats", "hand left out", "extra hand"] = "wrong seats"
    seen: bool | None = None
    stopped: Count = 0


class ReportWrongCount(Command, frozen=True, kw_only=True):
    """A player has the wrong number of cards (v8 5.6, v5 5.1.4).

    `count` is how many, where the table cannot know it; `seen` as in `ReportWrongDeal`.
    """

    players_may: ClassVar[bool] = False

    seat: Seat
    count: Count | None = None
    seen: bool | None = None
    stopped: Count = 0


class ReportMissingBurn(Command, frozen=True, kw_only=True):
    """No card was burnt before a street (v8 5.10): the last one of which that is true, unless
    `street` names another."""

    players_may: ClassVar[bool] = False

    stopped: Count = 0
    street: Street | None = None


class ReportEarlyCards(Command, frozen=True, kw_only=True):
    """Community Cards were exposed before the Betting Round was over (v8 5.11)."""

    players_may: ClassVar[bool] = False


class ReportSurplusCards(Command, frozen=True, kw_only=True):
    """More Community Cards were dealt than the street has (v8 5.12 to 5.12.5): the last one of
    which that is true, unless `street` names another."""

    players_may: ClassVar[bool] = False

    stopped: Count = 0
    street: Street | None = None


class ReportMissingCards(Command, frozen=True, kw_only=True):
    """Fewer Community Cards were dealt than the street has (no paragraph; A-76)."""

    players_may: ClassVar[bool] = False

    stopped: Count = 0


class ReportSkipped(Command, frozen=True, kw_only=True):
    """A player says that his turn was passed over (v8 5.4, 5.14)."""

    players_may: ClassVar[bool] = False

    seat: Seat
    stopped: Count = 0


class ReportShown(Command, frozen=True, kw_only=True):
    """A player has shown Hole Cards of his (v8 3.18.2.b, 5.15).

    `cards` are those that were shown; `to` are the seats that saw them, nobody in particular if
    there are none.
    """

    players_may: ClassVar[bool] = False

    seat: Seat
    cards: tuple[Card, ...]
    to: tuple[Seat, ...] = ()


class ReportIrregularity(Command, frozen=True, kw_only=True):
    """Anything that the book does not provide for, or a question of what it means.

    v8 5.16: the Table Game Shift Manager or above decides. v5: a decision of the House, recorded.
    """

    players_may: ClassVar[bool] = False

    says: Annotated[str, Meta(min_length=1)]
    kind: Literal["uncovered", "interpretation"] = "uncovered"


class UndoRuling(Command, frozen=True, kw_only=True):
    """Take the last ruling back, while nothing has happened since."""

    players_may: ClassVar[bool] = False

    reason: Annotated[str, Meta(min_length=1)]


class DealAgain(Command, frozen=True, kw_only=True):
    """The dealer deals what a street lacks after cards of it went back into the shoe.

    Without a second burn; with one if none was made. `faces` reports the cards of a real shoe.
    """

    players_may: ClassVar[bool] = False

    faces: tuple[Card, ...] = ()
