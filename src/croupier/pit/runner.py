"""Plays a case: sets the tables up, gives the steps, and compares what comes out.

Beside every table runs its shadow, which is never given a command: it only applies the events.
After each step the two must be equal, so every case also proves that its log replays. The shadow
also tells what each event changed, which is what coverage goes by.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
from msgspec import Struct

from croupier.cards import Card, CardError
from croupier.pit.case import Case, CaseError, CaseStep
from croupier.pit.evidence import Citation, Evidence, Frozen, freeze
from croupier.pit.expect import Difference, Expectation, differences, say
from croupier.pit.game import Registry, Stage
from croupier.pit.pit import Pit, Said
from croupier.pit.values import node_of, write
from croupier.table import (
    BrokenTable,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Event,
    GiveDraw,
    GiveShuffle,
    Order,
    Refused,
    ShuffleNeeded,
    StaffRank,
    TableError,
    UnreadableMoney,
    read_money,
)

SETTLES_AT_MOST = 1_000
"""A limit on everything: a dealer who never finishes dealing is broken."""

_SINGAPORE = timezone(timedelta(hours=8))
_SOME_EVENING = datetime(2024, 8, 1, 20, tzinfo=_SINGAPORE)
_BETWEEN_STEPS = timedelta(seconds=1)
_BETWEEN_ORDERS = timedelta(milliseconds=10)


class Spoken(Struct, kw_only=True):
    """One order and what came of it: events, a refusal, or the text of an error."""

    place: str
    order: Order[Any]
    answer: list[Said] | Refused | str


class Played(Struct, kw_only=True):
    """One step as it was played; number 0 is the set-up."""

    number: int
    step: CaseStep | None
    spoken: list[Spoken] = []


class Failure(Struct, kw_only=True):
    """A step that came out otherwise than the case says."""

    step: int
    line: int
    did: str
    differences: list[Difference]


class CaseResult(Struct, kw_only=True):
    """What came of a case: its failures if any, its story, and the paragraphs that it covers."""

    case: Case
    failures: list[Failure]
    played: list[Played]
    covered: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True if everything came out as expected."""
        return not self.failures


def run_case(case: Case, registry: Registry) -> CaseResult:
    """Play a case from its set-up to its last step; stop at the first step that fails."""
    return _Runner(case, registry).run()


class _Stop(Exception):
    """Ends the play of a case; carries what differs."""

    def __init__(self, *found: Difference) -> None:
        super().__init__()
        self.found = list(found)


class _Runner:
    def __init__(self, case: Case, registry: Registry) -> None:
        self.case = case
        self.registry = registry
        self.pit = Pit()
        self.stages: dict[str, Stage[Any]] = {}
        self.shadows: dict[str, Conversation[Any]] = {}
        self.last_facts: dict[str, Frozen] = {}
        self.played: list[Played] = []
        self.evidence = Evidence(case.paragraphs)
        self.now = case.starts or (
            case.book.effective + timedelta(days=1) if case.book.effective else _SOME_EVENING
        )

    def run(self) -> CaseResult:
        failures: list[Failure] = []
        try:
            self._set_up()
            for step in self.case.steps:
                self._play(step)
            if self.case.expect is not None:
                self._compare(self.case.expect, len(self.case.steps) + 1, [])
        except _Stop as stop:
            failures.append(self._failure(stop.found))
        covered = self.evidence.covered() if not failures else ()
        return CaseResult(case=self.case, failures=failures, played=self.played, covered=covered)

    def _failure(self, found: list[Difference]) -> Failure:
        last = self.played[-1]
        did = "set-up" if last.step is None else self._say(last.step)
        line = last.step.line if last.step is not None else 0
        return Failure(step=last.number, line=line, did=did, differences=found)

    def _say(self, step: CaseStep) -> str:
        """A step in one line, as the case file has it."""
        kind = self._words(step.place).get(step.do)
        values = step.values if kind is None else write(step.values, node_of(kind))
        told = ", ".join(f"{key} {say(value)}" for key, value in values.items())
        return f"{step.do} ({told})" if told else step.do

    def _words(self, place: str) -> dict[str, type[Command]]:
        if place in self.case.tables:
            return self.case.tables[place].game.words
        assert self.registry.link is not None
        return self.registry.link.words

    # -- setting up --------------------------------------------------------------------------

    def _set_up(self) -> None:
        case, kit = self.case, self.registry.link
        self.played.append(Played(number=0, step=None))
        for link in case.links.values():
            assert kit is not None
            self.pit.add_link(link.name, kit.link_type(case.book))
            self.shadows[link.name] = _shadow(kit.link_type(case.book))
        for table in case.tables.values():
            made = table.game.table_type(table.book)
            self.pit.add_table(table.name, made, table.link)
            self.shadows[table.name] = _shadow(table.game.table_type(table.book))
            self.stages[table.name] = table.game.stage_type(
                made, table.name, table.setup, case.title
            )
        for link in case.links.values():
            assert kit is not None
            tables = [t.name for t in case.tables.values() if t.link == link.name]
            opening = kit.opening_under(link.name, link.setup, tables, dict(case.policies))
            for command in opening:
                self._must_accept(link.name, command)
        for name, stage in self.stages.items():
            for command in stage.opening(dict(case.policies)):
                self._must_accept(name, command)
        self._compare_shadows()

    def _must_accept(self, place: str, command: Command) -> None:
        answer = self._give(place, command)
        if not isinstance(answer, list):
            raise _Stop(
                Difference(what=f"set-up, {command.tell()}", expected="accepted", got=str(answer))
            )
        self._settle(next_step=None)

    # -- playing -----------------------------------------------------------------------------

    def _play(self, step: CaseStep) -> None:
        self.played.append(Played(number=step.number, step=step))
        self._advance(step)
        answer: list[Said] | Refused | str = []
        for command in self._commands(step):
            answer = self._give(step.place, command, step)
            if not isinstance(answer, list):
                break
            self._settle(self._next(step))
        said = [
            said.event
            for spoken in self.played[-1].spoken
            if isinstance(spoken.answer, list)
            for said in spoken.answer
        ]
        self._compare_answer(step, answer)
        if step.expect is not None:
            self._compare(step.expect, step.number, said)
        self._compare_shadows()

    def _commands(self, step: CaseStep) -> Iterator[Command]:
        """The command of a step, or the commands that its phrase stands for."""
        stage = self.stages.get(step.place)
        if stage is not None and step.do in stage.phrases:
            yield from stage.phrases[step.do](stage, step.values)
            return
        words = stage and self.case.tables[step.place].game.words
        kind = (words or self.registry.link.words)[step.do]  # type: ignore[union-attr]
        values = {**step.values, **self._details(step)}
        try:
            yield msgspec.convert({"do": step.do, **values}, kind, str_keys=True)
        except msgspec.ValidationError as error:
            says = f"{step.do}: {error}"
            raise CaseError(
                self.case.source, says, line=step.line or None, step=step.number
            ) from error

    def _details(self, step: CaseStep) -> dict[str, Any]:
        """The details of an answer as the question asks for them: money is written as money."""
        details = step.values.get("details")
        for need in self.pit.at(step.place).state.waiting:
            if details and isinstance(need, DecisionNeeded):
                asks = [o.asks for o in need.options if o.name == step.values.get("option")]
                if asks and need.decision == step.values.get("decision"):
                    try:
                        return {"details": _read_details(details, asks[0])}
                    except UnreadableMoney as error:
                        found = Difference(what="details", expected="money", got=str(error))
                        raise _Stop(found) from error
        return {}

    def _next(self, step: CaseStep) -> CaseStep | None:
        return self.case.steps[step.number] if step.number < len(self.case.steps) else None

    def _settle(self, next_step: CaseStep | None) -> None:
        """Answer what the tables ask of chance, and deal where dealing needs no judgement.

        A shuffle, a draw or a dealer's act that the next step gives by hand is left to it.
        """
        by_hand = next_step.do if next_step is not None else ""
        for _ in range(SETTLES_AT_MOST):
            for name, stage in self.stages.items():
                command = self._chance(stage, by_hand)
                if command is None and stage.deals_itself():
                    command = stage.table.due()
                    if command is not None and stage.leaves_to(command, by_hand):
                        command = None
                if command is not None:
                    answer = self._give(name, command, rank=StaffRank.HOUSE)
                    if not isinstance(answer, list):
                        raise _Stop(
                            Difference(
                                what=f"{command.tell()}, by itself",
                                expected="accepted",
                                got=str(answer),
                            )
                        )
                    break
            else:
                return
        raise _Stop(Difference(what="dealing", expected="an end", got="none"))

    def _chance(self, stage: Stage[Any], by_hand: str) -> Command | None:
        for need in stage.table.state.waiting:
            if isinstance(need, ShuffleNeeded) and by_hand != "give shuffle":
                return GiveShuffle(need=need.need, cards=self._stack(stage, need))
            if isinstance(need, DrawNeeded) and by_hand != "give draw":
                return GiveDraw(need=need.need, picks=stage.draw(need))
        return None

    def _stack(self, stage: Stage[Any], need: ShuffleNeeded) -> tuple[Card, ...]:
        """The deck that the case asks for; one that cannot be is a fault of the file."""
        try:
            return stage.shuffle(need)
        except CardError as error:
            step = self.played[-1].step
            deck = "the deck" if step is None else f"the deck of step {step.number}"
            where = self.case.lines_with(str(error))
            line = where[-1] if where else step.line if step is not None else None
            told = f" ({_listed(where)})" if where else ""
            raise CaseError(
                self.case.source, f"{deck} cannot be stacked: {error}{told}", line=line
            ) from error

    # -- giving one order --------------------------------------------------------------------

    def _give(
        self,
        place: str,
        command: Command,
        step: CaseStep | None = None,
        rank: StaffRank | None = None,
    ) -> list[Said] | Refused | str:
        """Give one command; keep the answer for the story and apply its events to the shadows."""
        order = self._order(place, command, step, rank)
        answer: list[Said] | Refused | str
        try:
            answer = self.pit.give(place, order)
        except BrokenTable as error:
            raise _Stop(Difference(what="the table", expected="whole", got=str(error))) from error
        except (TableError, CardError) as error:
            answer = str(error)
        except Exception as error:  # a defect of the engine must not hide the other cases
            raise _Stop(Difference(what="the table", expected="whole", got=_say(error))) from error
        self.played[-1].spoken.append(Spoken(place=place, order=order, answer=answer))
        number = self.played[-1].number
        if isinstance(answer, Refused):
            self.evidence.refused(number, place, answer)
        elif isinstance(answer, list):
            for said in answer:
                self._apply_to_shadow(number, said.place, said.event)
        return answer

    def _order(
        self, place: str, command: Command, step: CaseStep | None, rank: StaffRank | None
    ) -> Order[Command]:
        who, usual = self._speaker(place, command)
        rank = rank or usual
        if step is not None and step.rank is not None:
            rank, who = step.rank, who if step.rank is usual else f"the {step.rank.value}"
            if rank is StaffRank.PLAYER:
                who = self._player(place, command)
        if step is not None and step.who is not None:
            who = step.who
        if rank is StaffRank.HOUSE:
            who = "house"
        self.now += _BETWEEN_ORDERS
        return Order(command=command, who=who, rank=rank, when=self.now)

    def _speaker(self, place: str, command: Command) -> tuple[str, StaffRank]:
        """Who says a thing where the case does not: the player of the seat, else the staff."""
        here = self.pit.at(place)
        rank = command.usually_by
        if type(command) in here.entered_by_dealer:
            rank = StaffRank.DEALER
        if isinstance(command, Decide):
            of = self._asked(place, command)
            rank = of if isinstance(of, StaffRank) else StaffRank.PLAYER if of else rank
        if rank is not StaffRank.PLAYER:
            return f"the {rank.value}", rank
        return self._player(place, command), rank

    def _asked(self, place: str, command: Decide) -> int | StaffRank | None:
        """Whom a decision is for that is answered."""
        for need in self.pit.at(place).state.waiting:
            if isinstance(need, DecisionNeeded) and need.decision == command.decision:
                return need.of
        return None

    def _player(self, place: str, command: Command) -> str:
        """The player whom a command is about."""
        seat = getattr(command, "seat", None) or getattr(command, "box", None)
        if isinstance(command, Decide):
            seat = self._asked(place, command)
        named = getattr(command, "player", None)
        found = self.pit.at(place).player_at(seat) if isinstance(seat, int) else None
        return named or found or f"somebody at {seat}"

    def _apply_to_shadow(self, number: int, place: str, event: Event) -> None:
        shadow = self.shadows[place]
        before = self.last_facts.pop(place, None)
        if not self.evidence.wants(event):
            shadow.apply(event)
            return
        if before is None:
            before = freeze(self._facts_of(shadow))
        shadow.apply(event)
        after = self.last_facts[place] = freeze(self._facts_of(shadow))
        self.evidence.happened(Citation.of(number, place, event, before, after))

    def _advance(self, step: CaseStep) -> None:
        """Each step is a second later than the one before, unless it says when it is."""
        if step.at is None:
            self.now = self.now.replace(microsecond=0) + _BETWEEN_STEPS
        elif isinstance(step.at, datetime):
            self.now = step.at if step.at.tzinfo else step.at.replace(tzinfo=self.now.tzinfo)
        else:
            self.now = datetime.combine(self.now.date(), step.at, tzinfo=self.now.tzinfo)
        # The order itself adds its own moment; take it off so that `at` is exact.
        self.now -= _BETWEEN_ORDERS

    # -- comparing ---------------------------------------------------------------------------

    def _facts_of(self, conversation: Conversation[Any]) -> Struct:
        facts = getattr(conversation, "facts", None)
        if facts is not None:
            return facts()  # type: ignore[no-any-return]
        assert self.registry.link is not None
        return self.registry.link.facts(conversation)

    def _compare_answer(self, step: CaseStep, answer: list[Said] | Refused | str) -> None:
        """A refusal or an error must be expected, and an expected one must come."""
        expect = step.expect or Expectation()
        wanted = "accepted"
        if expect.refused is not None:
            wanted = f"refused ({', '.join(expect.refused)})"
        elif expect.error is not None:
            wanted = f"an error with {expect.error!r}"
        match answer:
            case Refused():
                as_wanted = expect.refused is not None and set(expect.refused) <= set(answer.cites)
                got = f"refused: {answer}"
            case str():
                as_wanted = expect.error is not None and expect.error in answer
                got = f"an error: {answer}"
            case _:
                as_wanted = expect.refused is None and expect.error is None
                got = "accepted"
        if not as_wanted:
            raise _Stop(Difference(what="the answer", expected=wanted, got=got))
        if expect.says is not None:
            said = answer.says if isinstance(answer, Refused) else str(answer)
            if expect.says not in said:
                raise _Stop(Difference(what="says", expected=expect.says, got=said))

    def _compare(self, expect: Expectation, number: int, said: list[Event]) -> None:
        facts = {place: self._facts_of(self.pit.at(place)) for place in expect.facts}
        found = list(differences(expect, facts, said))
        if found:
            raise _Stop(*found)
        self.evidence.expected(number, expect)

    def _compare_shadows(self) -> None:
        for place, shadow in self.shadows.items():
            if shadow.state != self.pit.at(place).state:
                raise _Stop(
                    Difference(
                        what=f"replay of {place}",
                        expected="the same table from its events alone",
                        got="another",
                    )
                )


def _shadow(conversation: Conversation[Any]) -> Conversation[Any]:
    """One that only applies events. The table itself has checked them all, and the two must be
    equal after every step, so the shadow need not check them again."""
    setattr(conversation, "check", _checked_already)  # noqa: B010
    return conversation


def _checked_already() -> None:
    """Nothing to do."""


def _listed(numbers: list[int]) -> str:
    return " and ".join(f"line {number}" for number in sorted(set(numbers)))


def _read_details(details: Mapping[str, Any], asks: Mapping[str, str]) -> dict[str, Any]:
    return {k: read_money(v) if asks.get(k) == "money" else v for k, v in details.items()}


def _say(error: Exception) -> str:
    """A defect in one line: what was raised, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {frames[-1].name} ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
