"""Plays a case: sets the tables up, gives the steps, and compares what comes out.

Beside every table runs its shadow, which is never given a command: it only applies the events.
After each step the two must be equal, so every case also proves that its log replays. The shadow
also tells what each event changed, which is what coverage goes by.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from croupier.cards import CardError
from croupier.pit.case_records import ASKED, Asked, Case, CaseError, CaseStep
from croupier.pit.evidence import Citation, Evidence, Frozen, freeze
from croupier.pit.expect import Difference, Expectation, differences, say
from croupier.pit.game import Registry, Stage
from croupier.pit.pit import Pit, Said
from croupier.pit.situation import Contradiction, chance, player_of, speaker, usual_time
from croupier.pit.values import ValueProblem, converted, node_of, shown, write
from croupier.table import (
    ActorRank,
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
    Table,
    TableError,
    UnreadableMoney,
    read_money,
)

SETTLES_AT_MOST = 1_000
"""A limit on everything: a dealer who never finishes dealing is broken."""

PLAYED_AT_MOST = 20
"""A limit on everything: each play makes the order of one more deal known."""

OrdersDealt = Mapping[str, Mapping[int, tuple[int, ...]]]
"""Of each table the deals of which the seats were dealt to in another order than the deck was
stacked for, by their number."""

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
    others: tuple[CaseResult, ...] = ()
    """What came of it in the other books that the case names."""

    @property
    def passed(self) -> bool:
        """True if everything came out as expected, in every book of the case."""
        return not self.failures and all(other.passed for other in self.others)

    def in_each_book(self) -> Iterator[CaseResult]:
        """What came of the case, book by book."""
        yield self
        yield from self.others


def run_case(case: Case, registry: Registry) -> CaseResult:
    """Play a case from its set-up to its last step, in each of its books; stop at the first step
    that fails."""
    _, result = _play(case, registry)
    if case.others:
        result.others = tuple(run_case(other, registry) for other in case.others)
    return result


def _play(case: Case, registry: Registry) -> tuple[CaseRun, CaseResult]:
    """Play a case in its book. Where seats were taken or left between a shuffle and its deal, the
    deck was stacked for another order: play it again, now that the order is known."""
    orders: OrdersDealt = {}
    for _ in range(PLAYED_AT_MOST):
        runner = CaseRun(case, registry, orders)
        result = runner.run()
        found = runner.orders_dealt()
        if not found or found == orders:
            return runner, result
        orders = found
    raise case.error("the order in which the seats are dealt to never settles")


def stage_case(case: Case, registry: Registry) -> tuple[Pit, datetime]:
    """Play a case; return the tables and links as it leaves them, and the time then.

    It must come out as it says.
    """
    runner, result = _play(case, registry)
    for failure in result.failures:
        told = "; ".join(f"{d.what}: {d.got} for {d.expected}" for d in failure.differences)
        raise CaseError(case.source, f"step {failure.step}, {failure.did}: {told}")
    return runner.pit, runner.now


class Stopped(Exception):
    """Ends the play of a case; carries what differs."""

    def __init__(self, *found: Difference) -> None:
        super().__init__()
        self.found = list(found)
        self.at_the_end = False

    def told(self) -> str:
        """What differs, in one line."""
        return "; ".join(f"{d.what}: {d.got}" for d in self.found)


class CaseRun:
    """A case on the stage: its tables and links, and what was said there so far."""

    def __init__(
        self,
        case: Case,
        registry: Registry,
        orders: OrdersDealt,
        *,
        watched: bool = True,
    ) -> None:
        """`watched` runs the shadows beside the tables and gathers evidence for coverage."""
        self.case = case
        self.watched = watched
        self.registry = registry
        self.orders = orders
        self.pit = Pit()
        self.stages: dict[str, Stage[Any]] = {}
        self.shadows: dict[str, Conversation[Any]] = {}
        self.last_facts: dict[str, Frozen] = {}
        self.played: list[Played] = []
        self.evidence = Evidence(case.paragraphs, case.expectations())
        self.now = case.starts or usual_time(case.book)

    def run(self) -> CaseResult:
        failures: list[Failure] = []
        try:
            self.set_up()
            for step in self.case.steps:
                self._play(step)
            if self.case.expect is not None:
                self._compare(self.case.expect, len(self.case.steps) + 1, [], "expect")
            self._no_card_went_astray()
        except Stopped as stop:
            failures.append(self._failure(stop))
        covered = self.evidence.covered() if not failures else ()
        return CaseResult(case=self.case, failures=failures, played=self.played, covered=covered)

    def orders_dealt(self) -> OrdersDealt:
        """What has to be known before the case is played again; nothing if it need not be."""
        return {name: dealt for name, each in self.stages.items() if (dealt := each.orders_dealt())}

    def _no_card_went_astray(self) -> None:
        """A card that is put where none was dealt is as wrong as one that cannot be placed."""
        for name, stage in self.stages.items():
            if not stage.orders_dealt() and (path := stage.cards_went_astray()):
                path = f"tables.{name}.{path}" if len(self.stages) > 1 else path
                raise Stopped(
                    Difference(what=path, expected="dealt", got="nothing is dealt there", path=path)
                )

    def _failure(self, stop: Stopped) -> Failure:
        """What failed: each difference with its own line, or else with that of the step."""
        last = self.played[-1]
        step, line = last.number, last.step.line if last.step is not None else 0
        did = "set-up" if last.step is None else self._say(last.step)
        if stop.at_the_end:
            step, line, did = len(self.case.steps) + 1, 0, "after the last step"
        for difference in stop.found:
            difference.line = (self.case.line_of(difference.path) if difference.path else 0) or line
        return Failure(step=step, line=line, did=did, differences=stop.found)

    def _say(self, step: CaseStep) -> str:
        """A step in one line, as the case file has it."""
        kind = self._words(step.place).get(step.do)
        values = step.values if kind is None else write(step.values, node_of(kind))
        if kind is not None and step.asked is not None:
            values[ASKED[kind]] = step.asked.question
        told = ", ".join(f"{key} {say(value)}" for key, value in values.items())
        return f"{step.do} ({told})" if told else step.do

    def _words(self, place: str) -> dict[str, type[Command]]:
        if place in self.case.tables:
            return self.case.tables[place].game.words
        assert self.registry.link is not None
        return self.registry.link.words

    # -- setting up --------------------------------------------------------------------------

    def set_up(self) -> None:
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
            if table.name in self.orders:
                self.stages[table.name].knows_orders(self.orders[table.name])
        for link in case.links.values():
            assert kit is not None
            tables = [t.name for t in case.tables.values() if t.link == link.name]
            opening = kit.opening_under(link.name, link.setup, tables, dict(case.policies))
            for command in opening:
                self._must_accept(link.name, command)
        for name, stage in self.stages.items():
            try:
                for command in stage.opening(dict(case.policies)):
                    self._must_accept(name, command)
            except Contradiction as error:
                raise self._contradicted(name, error) from error
        self._compare_shadows()

    def _contradicted(self, table: str, error: Contradiction) -> CaseError:
        """A situation that no table could have reached, at the line that says it."""
        path = error.path if len(self.stages) == 1 else f"tables.{table}.{error.path}"
        return self.case.error(str(error), line=self.case.line_of(path) if error.path else 0)

    def _must_accept(self, place: str, command: Command) -> None:
        answer = self._give(place, command)
        if not isinstance(answer, list):
            raise Stopped(
                Difference(what=f"set-up, {command.tell()}", expected="accepted", got=str(answer))
            )
        self._settle(next_step=None)

    # -- playing -----------------------------------------------------------------------------

    def _play(self, step: CaseStep) -> None:
        answer: list[Said] | Refused | str = []
        spoken = self.give_step(step)
        if spoken:
            answer = spoken[-1].answer
        said = [said.event for one in spoken if isinstance(one.answer, list) for said in one.answer]
        found = self._answer_differences(step, answer)
        self._compare(step.expect, step.number, said, f"step[{step.number}].expect", found)
        self._compare_shadows()

    def give_step(self, step: CaseStep) -> list[Spoken]:
        """Give the orders of a step until one is not accepted; what came of each."""
        self.played.append(Played(number=step.number, step=step))
        self._advance(step)
        for command in self._commands(step):
            if not isinstance(self._give(step.place, command, step), list):
                break
            self._settle(self._next(step))
        return self.played[-1].spoken

    def give_order(self, place: str, command: Command) -> list[Spoken]:
        """Give one more order than the case has, by whoever usually gives it."""
        self.played.append(Played(number=len(self.played), step=None))
        self.now += _BETWEEN_STEPS
        if isinstance(self._give(place, command), list):
            self._settle(None)
        return self.played[-1].spoken

    def _commands(self, step: CaseStep) -> Iterator[Command]:
        """The command of a step, or the commands that its phrase stands for."""
        if step.command is not None:
            yield step.command
            return
        stage = self.stages.get(step.place)
        if stage is not None and step.do in stage.phrases:
            yield from stage.phrases[step.do](stage, step.values)
            return
        words = stage and self.case.tables[step.place].game.words
        kind = (words or self.registry.link.words)[step.do]  # type: ignore[union-attr]
        values = dict(step.values)
        if step.asked is not None:
            values[ASKED[kind]] = self._number_of(step, step.asked, kind)
        values |= self._details(step, values)
        try:
            yield converted({"do": step.do, **values}, kind)
        except ValueProblem as problem:
            raise self.case.error(
                f"{step.do}: {problem}", line=step.line, step=step.number
            ) from problem

    def _number_of(self, step: CaseStep, asked: Asked, kind: type[Command]) -> int:
        """The number of what a step answers, found by its question among what is asked now."""
        waiting = _asked_by(self.pit.at(step.place).state.waiting, kind)
        fitting = [
            (number, of)
            for number, question, of in waiting
            if question == asked.question and asked.of in (None, of)
        ]
        if len(fitting) == 1:
            return fitting[0][0]
        path = f"step[{step.number}].{ASKED[kind]}"
        if fitting:
            among = ", ".join(f"of = {shown(of)}" for _, of in fitting)
            got = f"{len(fitting)} such are asked; say which with question and of: {among}"
        else:
            got = ", ".join(dict.fromkeys(question for _, question, _ in waiting)) or "nothing"
            got = f"asked now: {got}"
        wanted = asked.question if asked.of is None else f"{asked.question} of {asked.of}"
        raise Stopped(Difference(what=ASKED[kind], expected=wanted, got=got, path=path))

    def _details(self, step: CaseStep, values: Mapping[str, Any]) -> dict[str, Any]:
        """The details of an answer as the question asks for them: money is written as money."""
        details = values.get("details")
        for need in self.pit.at(step.place).state.waiting:
            if details and isinstance(need, DecisionNeeded):
                asks = [o.asks for o in need.options if o.name == values.get("option")]
                if asks and need.decision == values.get("decision"):
                    try:
                        return {"details": _read_details(details, asks[0])}
                    except UnreadableMoney as error:
                        path = f"step[{step.number}].details"
                        got = str(error)
                        raise Stopped(
                            Difference(what="details", expected="money", got=got, path=path)
                        ) from error
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
                    answer = self._give(name, command, rank=ActorRank.HOUSE)
                    if not isinstance(answer, list):
                        raise Stopped(
                            Difference(
                                what=f"{command.tell()}, by itself",
                                expected="accepted",
                                got=str(answer),
                            )
                        )
                    break
            else:
                return
        raise Stopped(Difference(what="dealing", expected="an end", got="none"))

    def _chance(self, stage: Stage[Any], by_hand: str) -> Command | None:
        """What chance answers; a deck that cannot be stacked is a fault of the file."""
        if not stage.table.state.waiting:
            return None
        try:
            return chance(stage, by_hand)
        except CardError as error:
            step = self.played[-1].step
            deck = "the deck" if step is None else f"the deck of step {step.number}"
            where = self.case.lines_with(str(error))
            line = where[-1] if where else step.line if step is not None else None
            told = f" ({_listed(where)})" if where else ""
            raise self.case.error(f"{deck} cannot be stacked: {error}{told}", line=line) from error

    # -- giving one order --------------------------------------------------------------------

    def _give(
        self,
        place: str,
        command: Command,
        step: CaseStep | None = None,
        rank: ActorRank | None = None,
    ) -> list[Said] | Refused | str:
        """Give one command; keep the answer for the story and apply its events to the shadows."""
        order = self._order(place, command, step, rank)
        answer: list[Said] | Refused | str
        try:
            answer = self.pit.give(place, order)
        except BrokenTable as error:
            raise Stopped(Difference(what="the table", expected="whole", got=str(error))) from error
        except (TableError, CardError) as error:
            answer = str(error)
        except Exception as error:  # a defect of the engine must not hide the other cases
            raise Stopped(
                Difference(what="the table", expected="whole", got=_say(error))
            ) from error
        if place in self.stages:
            self.stages[place].order_given()
        self.played[-1].spoken.append(Spoken(place=place, order=order, answer=answer))
        number = self.played[-1].number
        if isinstance(answer, Refused):
            self.evidence.refused(number, place, answer)
        elif isinstance(answer, list) and self.watched:
            for said in answer:
                self._apply_to_shadow(number, said.place, said.event)
        return answer

    def _order(
        self, place: str, command: Command, step: CaseStep | None, rank: ActorRank | None
    ) -> Order[Command]:
        who, usual = speaker(self.pit.at(place), command)
        rank = rank or usual
        if step is not None and step.rank is not None:
            rank, who = step.rank, who if step.rank is usual else f"the {step.rank.value}"
            if rank is ActorRank.PLAYER:
                who = player_of(self.pit.at(place), command)
        if step is not None and step.who is not None:
            who = step.who
        if rank is ActorRank.HOUSE:
            who = "house"
        self.now += _BETWEEN_ORDERS
        return Order(command=command, who=who, rank=rank, when=self.now)

    def _apply_to_shadow(self, number: int, place: str, event: Event) -> None:
        shadow = self.shadows[place]
        before = self.last_facts.pop(place, None)
        if not self.evidence.wants(event):
            shadow.apply(event)
            return
        named = self.evidence.expected_of(place)
        if before is None:
            before = freeze(self._facts_of(shadow, named))
        shadow.apply(event)
        after = self.last_facts[place] = freeze(self._facts_of(shadow, named))
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

    def _facts_of(self, here: Conversation[Any], named: Collection[str]) -> dict[str, Any]:
        """These facts of a table or link."""
        if isinstance(here, Table):
            return here.named_facts(named)
        assert self.registry.link is not None
        facts = self.registry.link.facts(here)
        return {name: getattr(facts, name) for name in named}

    def _kind_of_facts(self, place: str) -> type[Struct]:
        table = self.case.tables.get(place)
        if table is not None:
            return table.game.facts_type
        assert self.registry.link is not None
        return self.registry.link.facts_type

    def _answer_differences(
        self, step: CaseStep, answer: list[Said] | Refused | str
    ) -> list[Difference]:
        """A refusal or an error must be expected, and an expected one must come."""
        expect = step.expect or Expectation()
        said: str | None
        match answer:
            case Refused():
                # A report that cannot be true was an error once, and is a refusal that cites.
                says = answer.says[:1].lower() + answer.says[1:]
                as_wanted = (
                    set(expect.refused) <= set(answer.cites)
                    if expect.refused is not None
                    else expect.error is not None and expect.error in says
                )
                got, said = f"refused: {answer}", answer.says
            case str():
                as_wanted = expect.error is not None and expect.error in answer
                got, said = f"an error: {answer}", answer
            case _:
                as_wanted = expect.refused is None and expect.error is None
                got, said = "accepted", None
        if expect.says is not None and expect.refused is None and expect.error is None:
            as_wanted = said is not None
        found = []
        if not as_wanted:
            key = expect.speaks_of_the_answer()
            path = f"step[{step.number}].expect.{key}" if key is not None else ""
            found.append(
                Difference(
                    what="the answer", expected=expect.told_of_the_answer(), got=got, path=path
                )
            )
        if expect.says is not None and said is not None and expect.says not in said:
            path = f"step[{step.number}].expect.says"
            found.append(Difference(what="says", expected=expect.says, got=said, path=path))
        return found

    def _compare(
        self,
        expect: Expectation | None,
        number: int,
        said: list[Event],
        path: str,
        found: list[Difference] | None = None,
    ) -> None:
        """Stop with everything that differs; if nothing does, the expectation is met."""
        found = found or []
        if expect is not None:
            facts = {
                place: self._facts_of(self.pit.at(place), named)
                for place, named in expect.facts.items()
            }
            for difference in differences(expect, facts, self._kind_of_facts, said):
                difference.path = f"{path}.{difference.path}"
                found.append(difference)
        if found:
            stop = Stopped(*found)
            stop.at_the_end = number > len(self.case.steps)
            raise stop
        if expect is not None:
            self.evidence.met(number, expect)

    def _compare_shadows(self) -> None:
        for place, shadow in self.shadows.items() if self.watched else ():
            if shadow.state != self.pit.at(place).state:
                raise Stopped(
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


def _asked_by(
    waiting: Sequence[Event], kind: type[Command]
) -> list[tuple[int, str, int | str | None]]:
    """What such a command can answer now: its number, its question or purpose, and of whom."""
    asked: list[tuple[int, str, int | str | None]] = []
    for need in waiting:
        if isinstance(need, DecisionNeeded) and kind is Decide:
            of = need.of.value if isinstance(need.of, ActorRank) else need.of
            asked.append((need.decision, need.question, of))
        elif (isinstance(need, ShuffleNeeded) and kind is GiveShuffle) or (
            isinstance(need, DrawNeeded) and kind is GiveDraw
        ):
            asked.append((need.need, need.purpose, None))
    return asked


def _say(error: Exception) -> str:
    """A defect of the engine in one line, with the place where whoever mends it will look."""
    frames = traceback.extract_tb(error.__traceback__)
    where = ""
    if frames:
        last = frames[-1]
        file = last.filename.replace("\\", "/").rpartition("/")[2]
        where = f" ({file}, line {last.lineno}, in {last.name})"
    return f"a defect of croupier, please report it with this file{where}: {error}"
