"""A poker table with cards dealt, for tests that say in Python what happens next."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from croupier.cards import DECK
from croupier.poker import PokerTable
from croupier.poker.commands import (
    CallForBlinds,
    Cut,
    DealForButton,
    DealHoleCards,
    PostBlinds,
    Shuffle,
    Sit,
    StartGame,
)
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Event,
    GiveShuffle,
    OpenTable,
    Order,
    Refused,
    ShuffleNeeded,
)

NAMES = ("", "Ann", "Ben", "Cho", "Dev", "Eli", "Fay")


class Seated:
    """Seats 1 to `players` with 500 each, Blinds 5 and 10, dealt by hand."""

    def __init__(
        self,
        players: int = 3,
        book: str = "no-limit-holdem-v8",
        *,
        policies: dict[str, str] | None = None,
        **settings: Any,
    ) -> None:
        self.table = PokerTable(load(book))
        self.when = datetime(2024, 8, 1, 12, tzinfo=UTC)
        v8 = book == "no-limit-holdem-v8"
        if not v8:
            self.when = datetime(2018, 1, 1, tzinfo=UTC)
        plain: dict[str, Any] = {
            "layout": "A",
            "sign": True,
            "rake": {"percent": 0, "cap": 0},
            "minimum_stake": 100,
            "dealing": "by-hand",
        }
        if v8:
            plain["maximum_stake"] = 1_000_000
        self.must(OpenTable(table="T", settings=plain | settings, policies=policies or {}))
        for seat in range(1, players + 1):
            self.must(Sit(seat=seat, player=NAMES[seat], stake=50000))
        self.must(StartGame())
        if v8:
            real = self.table.state.settings.shoe == "reported"
            self.must(DealForButton(cards=DECK[:players] if real else ()))

    def to_the_call(self) -> Seated:
        """Shuffled and cut; the Blinds are called and placed."""
        self.must(Shuffle())
        if self.table.state.phase == "cutting":
            self.must(Cut())
        self.must(CallForBlinds())
        self.must(PostBlinds())
        return self

    def dealt(self, **how: Any) -> Seated:
        """The Hole Cards are dealt, rightly or wrongly."""
        self.to_the_call()
        self.must(DealHoleCards(**how))
        return self

    def give(
        self, command: Command, rank: ActorRank = ActorRank.SHIFT_MANAGER, who: str = "staff"
    ) -> tuple[Event, ...] | Refused:
        """Give a command; shuffles are answered with the deck as it is."""
        answer = self.table.handle(Order(command=command, who=who, rank=rank, when=self.when))
        for need in list(self.table.state.waiting):
            if isinstance(need, ShuffleNeeded):
                cards = tuple(c for c in DECK if c in need.cards)
                self.give(GiveShuffle(need=need.need, cards=cards), ActorRank.HOUSE, "house")
        return answer

    def must(self, command: Command) -> tuple[Event, ...]:
        """Give a command that is accepted."""
        answer = self.give(command)
        assert isinstance(answer, tuple), answer
        return answer

    def refused(self, command: Command, *cites: str, **order: Any) -> str:
        """Give a command that is refused with these paragraphs, and return what is said."""
        before = self.table.snapshot()
        answer = self.give(command, **order)
        assert isinstance(answer, Refused), answer
        assert answer.cites, "a refusal names its paragraph"
        assert set(cites) <= set(answer.cites), answer
        assert self.table.snapshot() == before
        return answer.says

    def wrong(self, command: Command) -> str:
        """Give a command that cannot be true, and return what is said."""
        before = self.table.snapshot()
        try:
            answer = self.give(command)
        except BadCommand as error:
            says = str(error)
        else:
            # A report that cannot be true is refused with the paragraph it is about.
            assert isinstance(answer, Refused), f"accepted: {answer}"
            assert answer.cites
            says = answer.says[:1].lower() + answer.says[1:]
        assert self.table.snapshot() == before
        return says
