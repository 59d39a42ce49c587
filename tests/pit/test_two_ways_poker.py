"""Two ways to the same table: described in mid-hand, and played there act by act. The desk rules
on both alike: the same events, the same citations, the same table afterwards."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import Struct, structs

from croupier.pit import GAMES
from croupier.pit.question import Answer, Question, ask
from croupier.pit.rehearsal import Rehearsal
from croupier.pit.situation import Contradiction
from croupier.poker.commands import (
    AllIn,
    Bet,
    Call,
    Check,
    DealHoleCards,
    Fold,
    Raise,
    Straddle,
)
from croupier.table import Command, DecisionNeeded, DecisionTaken, Event, Look, Offer
from croupier.table.money import write_money

BOOKS = ("no-limit-holdem-v8", "poker-v5")
TITLE = "Two ways"
STREETS = ("before the flop", "flop", "turn", "river")
DEAL = ("deal flop", "deal turn", "deal river")
CARDS = ("As Kd", "Qh Jc", "9s 9c", "7d 2h", "Ah Qd", "Ks Th")

Step = dict[str, Any]


class Played(Struct, kw_only=True):
    """A table that was played act by act, and how it is described."""

    book: str
    start: dict[str, Any]
    steps: list[Step] = []
    acts: list[list[str]]
    looked: list[int] = []
    straddle: int | None = None
    stakes: dict[int, str] = {}

    @property
    def described(self) -> dict[str, Any]:
        """The same table in mid-hand."""
        stage = len(self.acts) - 1
        now: dict[str, Any] = {
            "stage": STREETS[stage],
            "acted": self.acts[stage],
            "earlier": {STREETS[i]: self.acts[i] for i in range(stage)},
            "looked": self.looked,
        }
        if self.straddle is not None:
            now["straddle"] = self.straddle
        seats = {
            n: {**seat, "stake": self.stakes[int(n)]} for n, seat in self.start["seats"].items()
        }
        table = {k: v for k, v in self.start["table"].items() if k != "begin"}
        return {**self.start, "table": table, "seats": seats, "now": now}


class Player:
    """Plays a table at random, each act one that it offers, and keeps what was done."""

    def __init__(self, book: str, seed: int) -> None:
        self.chance = random.Random(f"{book} {seed}")
        count = self.chance.randint(2, 6)
        seats = {
            str(n): {
                "player": f"seat {n}",
                "stake": self.chance.choice((40, 60, 100, 200, 500, 500)),
                "cards": CARDS[n - 1],
            }
            for n in range(1, count + 1)
        }
        straddles = book == BOOKS[0] and count > 3 and self.chance.random() < 0.2
        table = {
            "button": 1 if book == BOOKS[1] else self.chance.randint(1, count),
            "dealing": "by-hand",
            "acting": "seen",
            "minimum_stake": 1,
            "straddle": straddles,
            "begin": "posted" if straddles else "cards",
        }
        self.played = Played(book=book, start={"table": table, "seats": seats}, acts=[[]])
        self.table = Rehearsal(self.raw(), 0, GAMES, title=TITLE)
        if straddles:
            self._straddle()
        for _ in range(self.chance.randint(0, 3)):
            self._look()

    def raw(self) -> dict[str, Any]:
        return {"rulebook": self.played.book, **self.played.start, "step": self.played.steps}

    @property
    def facts(self) -> Any:
        return next(iter(self.table.run.pit.tables.values())).facts()

    def offers(self, seat: int) -> dict[str, Offer]:
        offers = next(iter(self.table.run.pit.tables.values())).offers(seat)
        return {offer.do: offer for offer in offers}

    def give(self, command: Command, **values: Any) -> None:
        name = str(command.__struct_config__.tag)
        [spoken] = self.table.run.give_order("table", command)[:1]
        assert isinstance(spoken.answer, list), spoken
        self.played.steps.append({"do": name, **values})

    def _straddle(self) -> None:
        [seat] = [n for n in self.facts.stakes if "straddle" in self.offers(n)] or [None]
        if seat is not None:
            self.give(Straddle(seat=seat), seat=seat)
            self.played.straddle = seat
        self.give(DealHoleCards())

    def _look(self) -> None:
        seat = self.chance.choice(self.facts.dealt_in)
        if seat not in self.played.looked:
            self.give(Look(seat=seat), seat=seat)
            self.played.looked.append(seat)

    def play(self) -> Played:
        """So many acts as chance has it, ended where a Betting Round is open."""
        for _ in range(self.chance.randint(0, 14)):
            if not self._one():
                break
        facts = self.facts
        self.played.stakes = {seat: write_money(of) for seat, of in facts.stakes.items()}
        return self.played

    def _one(self) -> bool:
        kept = structs.replace(
            self.played,
            steps=list(self.played.steps),
            acts=[list(acts) for acts in self.played.acts],
        )
        seat = self.facts.turn
        offer = self._chosen(self.offers(seat))
        self._act(seat, offer)
        while self.facts.turn is None or self.facts.status != "betting":
            due = self.table.due()
            name = str(due.__struct_config__.tag) if due is not None else ""
            if name not in DEAL or due is None:
                return self._undo(kept)
            self.give(due)
            self.played.acts.append([])
        return True

    def _undo(self, kept: Played) -> bool:
        """The hand is over: go back to where somebody had a turn."""
        self.played = kept
        self.table = Rehearsal(self.raw(), 0, GAMES, title=TITLE)
        return False

    def _chosen(self, offers: dict[str, Offer]) -> Offer:
        weights = {"fold": 2, "check": 8, "call": 8, "bet": 4, "raise": 3, "all in": 1}
        names = [name for name in offers if name in weights]
        return offers[self.chance.choices(names, [weights[name] for name in names])[0]]

    def _act(self, seat: int, offer: Offer) -> None:
        if offer.least is None or offer.most is None:
            self.give({"fold": Fold, "check": Check}[offer.do](seat=seat), seat=seat)
            self.played.acts[-1].append(f"{seat} {offer.do}")
            return
        to = self.chance.choice((offer.least, min(offer.most, 2 * offer.least), offer.most))
        amount = write_money(to)
        match offer.do:
            case "bet":
                self.give(Bet(seat=seat, to=to), seat=seat, to=amount)
            case "raise":
                self.give(Raise(seat=seat, to=to), seat=seat, to=amount)
            case "call":
                self.give(Call(seat=seat), seat=seat)
            case _:
                self.give(AllIn(seat=seat), seat=seat)
        self.played.acts[-1].append(f"{seat} {offer.do} to {amount}")


# -- what is reported -----------------------------------------------------------------------------


def whole_reports(of: Player) -> Iterator[list[Step]]:
    """What concerns the whole hand."""
    yield [{"do": "report foreign card"}]
    yield [{"do": "report deck", "count": 51}]
    yield [{"do": "report interruption"}]
    yield [{"do": "report irregularity", "says": "Something", "kind": "uncovered"}]
    yield [{"do": "report exposed in cut"}]
    seats = [n for n in of.facts.dealt_in if n not in of.facts.folded]
    for shown in (CARDS[seats[0] - 1], CARDS[seats[0] - 1].split()[0]):
        yield [{"do": "report shown", "seat": seats[0], "cards": shown, "to": [seats[-1]]}]
    yield [{"do": "report exposed", "cards": {str(seats[-1]): CARDS[seats[-1] - 1].split()[0]}}]


def wagers(of: Player) -> Iterator[list[Step]]:
    """Words and chips of whose turn it is."""
    seat = of.facts.turn
    for seen in (
        {"chips": [100]},
        {"chips": [5]},
        {"chips": [25, 5]},
        {"chips": [25, 25], "later": [25]},
        {"words": "raise", "figure": 25},
        {"words": "raise", "figure": 60},
        {"words": "raise", "figure": 2000},
        {"words": "raise", "figure": 30, "more": True},
        {"words": "raise", "chips": [25]},
        {"words": "raise", "chips": [25], "first": "chips"},
        {"words": "raise", "figure": 900, "chips": [25], "first": "together"},
        {"words": "raise", "figure": 60, "chips": [25], "clear": False},
        {"words": "bet", "figure": 3},
        {"words": "call"},
        {"words": "all in"},
        {"words": "call", "chips": [5], "then_folds": True},
        {"chips": [25, 25], "then_folds": True},
        {"figure": 30},
        {"gesture": "tap"},
        {"gesture": "cards forward"},
    ):
        yield [{"do": "report wager", "seat": seat, **seen}]


def turns(of: Player) -> Iterator[list[Step]]:
    """Acts out of turn, and who was passed over."""
    turn = of.facts.turn
    others = [n for n in of.facts.dealt_in if n not in (turn, *of.facts.folded, *of.facts.all_in)]
    plain = "check" if "check" in of.offers(turn) else "call"
    for early in others[:2]:
        for words in ("check", "call", "raise", "all in", "fold"):
            seen = {"do": "report wager", "seat": early, "words": words}
            if words == "raise":
                seen["figure"] = 150
            yield [seen]
            yield [seen, {"do": plain, "seat": turn}]
        unnoticed = {"do": "report wager", "seat": early, "words": plain, "unnoticed": True}
        yield [unnoticed, {"do": "report skipped", "seat": turn}]


def community(of: Player) -> Iterator[list[Step]]:
    """Cards that came too early."""
    stage = len(of.played.acts) - 1
    if stage < 3:
        yield [{"do": DEAL[stage]}, {"do": "report early cards"}]
        yield [{"do": DEAL[stage], "burn": False}, {"do": "report missing burn"}]
        yield [{"do": DEAL[stage], "count": 5}, {"do": "report surplus cards"}]


KINDS: tuple[Callable[[Player], Iterator[list[Step]]], ...] = (
    whole_reports,
    wagers,
    turns,
    community,
)


def compare(book: str, seed: int, every: bool = False) -> int:
    """Report the same of both tables, and see that the same comes of it."""
    player = Player(book, seed)
    played = player.play()
    reports = [report for kind in KINDS for report in kind(player)]
    if not every:
        reports = player.chance.sample(reports, min(4, len(reports)))
    for report in reports:
        described = rehearsed({"rulebook": book, **played.described, "step": report}, report)
        by_acts = rehearsed(player.raw() | {"step": [*played.steps, *report]}, report)
        where = (book, seed, report, played.described)
        assert told(described) == told(by_acts), where
        assert table_of(described) == table_of(by_acts), where
        assert_ruled(ask(_question(played, report), GAMES), by_acts)
    return len(reports)


def rehearsed(raw: dict[str, Any], report: list[Step]) -> Rehearsal | str:
    """The table with its report, or why that cannot be true."""
    try:
        return Rehearsal(raw, len(report), GAMES, title=TITLE)
    except Contradiction as error:
        if error.path != "report":
            raise
        return str(error)


def _question(played: Played, report: list[Step]) -> Question:
    return Question(
        rulebook=played.book, situation=played.described, report=tuple(report), title=TITLE
    )


def assert_ruled(answer: Answer, by_acts: Rehearsal | str) -> None:
    """The desk says of a described table what the played one did."""
    if isinstance(by_acts, str):
        assert answer.impossible == by_acts
        return
    assert answer.ruling is not None
    if by_acts.refused is not None:
        assert answer.impossible == answer.ruling.headline
        assert answer.ruling.cites == by_acts.refused.cites
        return
    assert set(answer.ruling.filed_under) >= {p for event in by_acts.events() for p in event.cites}


def told(table: Rehearsal | str) -> list[Any]:
    """What the report caused, without the numbers that a table gives to its questions."""
    if isinstance(table, str):
        return [table]
    refused = table.refused
    return [refused.says, *refused.cites] if refused is not None else list(_events(table))


def _events(table: Rehearsal) -> Iterator[Event]:
    for event in table.events():
        if isinstance(event, DecisionNeeded | DecisionTaken):
            yield structs.replace(event, decision=0)
        elif hasattr(event, "need"):
            yield structs.replace(event, need=0)
        else:
            yield event


def table_of(table: Rehearsal | str) -> Any:
    if isinstance(table, str):
        return None
    return [of.facts() for of in table.run.pit.tables.values()]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(24))
def test_a_table_described_and_a_table_played_are_ruled_alike(book: str, seed: int):
    assert compare(book, seed)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(100, 400))
def test_every_report_of_many_tables_is_ruled_alike_both_ways(book: str, seed: int):
    assert compare(book, seed, every=True) > 20
