"""A case without expectations, played to see what comes of it.

What led to it must be possible; what is asked about may be refused, which is an answer too. A
rehearsal can be gone on with: what the table asks is answered, on the same copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.cards import DECK, Card, CardAlreadyOutError, CardTwiceError, TooFewCardsError
from croupier.pit.case import case_of
from croupier.pit.case_records import Case, CaseError, CaseStep
from croupier.pit.game import Game, Registry
from croupier.pit.inventory import Bars, Inventory, Picture, meters, together
from croupier.pit.pit import Pit, Said
from croupier.pit.remarks import NO_REMARKS, Remarks
from croupier.pit.runner import PLAYED_AT_MOST, CaseRun, OrdersDealt, Spoken, Stopped
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook
from croupier.table import Command, Decide, DecisionNeeded, Event, Facts, Refused

AS_ASKED = "as asked at the desk"
"""Why somebody has chosen what is only tried."""


class Unreadable(Contradiction):
    """A question that no table could be asked, for it is not in the words of case files."""


class Rehearsed:
    """Copies of tables and links at which something is tried: `before` is how they lay, `said` what
    it caused. Whoever makes one sets up the pit and calls `_begin`."""

    pit: Pit
    games: Mapping[str, Game]
    """Of each table, by its name."""
    book: Rulebook
    registry: Registry

    def _begin(self, named: frozenset[Card]) -> None:
        """Everything stands as it is found; `named` are the cards that may be named."""
        self.named = named
        self.before = self.inventory()
        self.facts_before = {n: table.facts() for n, table in self.pit.tables.items()}
        self.pictures = self._pictures()
        self.barred_before = self.bars()
        self.said: list[Said] = []
        self.refused: Refused | None = None

    def answer(self, need: DecisionNeeded, option: str, place: str) -> None:
        """Answer something that a table asks, as the one whom it asks."""
        raise NotImplementedError

    def open_decisions(self) -> list[tuple[str, DecisionNeeded]]:
        """What the tables and links ask now, with where it is asked."""
        return [
            (place, need)
            for place, here in (self.pit.tables | self.pit.links).items()
            for need in here.state.waiting
            if isinstance(need, DecisionNeeded)
        ]

    def inventory(self) -> Inventory:
        """Where every card and chip lies now."""
        lies = {
            name: self.games[name].inventory(table.facts())
            for name, table in self.pit.tables.items()
        }
        whole = together(lies)
        kit = self.registry.link
        if kit is not None:
            whole.money |= meters({name: kit.facts(link) for name, link in self.pit.links.items()})
        return whole

    def _pictures(self) -> dict[str, Picture]:
        """How each table looks when the report is made."""
        tables = self.pit.tables.items()
        return {name: self.games[name].picture(table.facts()) for name, table in tables}

    def bars(self) -> dict[str, Bars]:
        """Who may not raise at each table."""
        return {name: self.games[name].bars(table) for name, table in self.pit.tables.items()}

    def events(self) -> list[Event]:
        """What was said since the report."""
        return [said.event for said in self.said]

    def facts_at(self, place: str) -> Facts | None:
        """How a table stands now, in plain facts; None for what is no table."""
        table = self.pit.tables.get(place)
        return table.facts() if table is not None else None

    def remarks(self, place: str) -> Remarks:
        """What the game that is played there has to say beside its events."""
        game = self.games.get(place)
        return game.remarks if game is not None else NO_REMARKS

    def due(self) -> Command | None:
        """What the dealer has to do next, if anything."""
        for table in self.pit.tables.values():
            if (command := table.due()) is not None:
                return command
        return None


class Rehearsal(Rehearsed):
    """A question on the stage: a case of which the last steps are asked about."""

    def __init__(
        self,
        raw: dict[str, Any],
        reports: int,
        registry: Registry,
        *,
        title: str = "question",
        named: frozenset[Card] = frozenset(),
        if_asked: frozenset[int] = frozenset(),
    ) -> None:
        """Play a question in the words of case files; its last `reports` steps are asked about.

        `named` are the cards that whoever asks has named; all others only fill the table. The steps
        `if_asked`, by their numbers, answer what the table may not ask: then they are `left_out`.
        """
        case = _read(raw, title, registry)
        self.case, self.registry, self.book = case, registry, case.book
        self.games = {name: table.game for name, table in case.tables.items()}
        self.reports = reports
        self.named = named
        self.if_asked = if_asked
        self.left_out: set[int] = set()
        orders: OrdersDealt = {}
        for _ in range(PLAYED_AT_MOST):
            self._play(orders)
            found = self.run.orders_dealt()
            if not found or found == orders:
                return
            orders = found  # the decks were stacked for other seats: once more, as for a case
        raise Contradiction("", "The order in which the seats are dealt to never settles.")

    def _play(self, orders: OrdersDealt) -> None:
        steps = self.case.steps
        self.run = _played_to(self.case, self.registry, len(steps) - self.reports, orders)
        self.pit = self.run.pit
        self._begin(self.named)
        for step in steps[len(steps) - self.reports :]:
            self._ask(step)

    def _ask(self, step: CaseStep) -> None:
        if self.refused is not None:
            return
        if step.number in self.if_asked and not self._is_asked(step):
            self.left_out.add(step.number)
            return
        try:
            self._take(self.run.give_step(step))
        except Stopped as stop:
            raise Contradiction("report", stop.told()) from stop
        except CaseError as error:
            raise Contradiction("report", _in_plain_words(error)) from error

    def _is_asked(self, step: CaseStep) -> bool:
        """Whether the table asks what a step answers."""
        asked = {need.question for place, need in self.open_decisions() if place == step.place}
        return step.asked is not None and step.asked.question in asked

    def _take(self, spoken: list[Spoken]) -> None:
        for one in spoken:
            match one.answer:
                case Refused() as refused:
                    self.refused = refused
                case str() as error:
                    raise Contradiction("report", error)
                case list() as said:
                    self.said += said

    def answer(self, need: DecisionNeeded, option: str, place: str) -> None:
        command = Decide(decision=need.decision, option=option, reason=AS_ASKED)
        self._take(self.run.give_order(place, command))


def _read(raw: dict[str, Any], source: str, registry: Registry) -> Case:
    try:
        book = registry.load(raw["rulebook"])
        whole = {"title": source, "paragraphs": [next(iter(book.paragraphs))], **raw}
        return case_of(whole, source, registry, expects=False)
    except CaseError as error:
        where = f"step {error.step}" if error.step else "situation"
        raise Unreadable(where, error.says) from error


def _played_to(case: Case, registry: Registry, steps: int, orders: OrdersDealt) -> CaseRun:
    """The table as the question finds it."""
    run = CaseRun(case, registry, orders, watched=False)
    try:
        run.set_up()
        for step in case.steps[:steps]:
            for one in run.give_step(step):
                if isinstance(one.answer, Refused | str):
                    raise Contradiction(f"step {step.number}", f"{step.do}: {one.answer}")
    except Stopped as stop:
        raise Contradiction("", stop.told()) from stop
    except CaseError as error:
        raise Contradiction("", _in_plain_words(error)) from error
    return run


def _in_plain_words(error: CaseError) -> str:
    """What is wrong with the cards of a question, without the words of case files."""
    match error.__cause__:
        case CardTwiceError() | CardAlreadyOutError() as twice:
            named = ", ".join(card.pretty for card in DECK if card.pretty in str(twice))
            return f"{named} is named twice; a card can lie in one place only."
        case TooFewCardsError():
            return "More cards are named than the deck has left."
        case _:
            return error.says
