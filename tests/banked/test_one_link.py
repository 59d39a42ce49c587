"""Random histories of two tables on one link: faults, repairs, voids, awards taken back, late pay.

After every order the money of players, tables, meter and House is conserved, and the meter is what
the model beside it has counted by hand (`jackpot_model`).
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from croupier.banked import commands as c
from croupier.banked import reports as r
from croupier.jackpot import commands as j
from croupier.table import ActorRank, Command, Decide, DecisionNeeded, Look, Refused
from tests.banked.jackpot_model import Model
from tests.banked.two_tables import PEOPLE, TwoTables

BOOKS = (
    "multi-link-progressive-v3",
    "multi-link-progressive-v2",
    "progressive-texas-holdem-v6",
)
RICH = ((BOOKS[0], 1), (BOOKS[0], 3), (BOOKS[2], 2))
"""Histories in which much is paid, and something taken back."""
STEPS = 60
FAULT = "no signal"


class Histories:
    """Gives sensible orders at random; everything that is said goes to the model."""

    def __init__(self, book: str, seed: int, payment: str) -> None:
        self.two = TwoTables(
            book, seed, link={"start": 9_999_000, "payment": payment}, dealing="by-hand"
        )
        self.chance = self.two.chance
        self.model = Model(self.two)
        self.paid = self.taken_back = 0

    def give(
        self, place: str, command: Command, rank: ActorRank | None = None, who: str = ""
    ) -> bool:
        said = self.two.give(place, command, rank, who or None)
        if isinstance(said, list):
            self.model.hear(said)
            self.check_money()
            names = [type(each.event).__name__ for each in said]
            self.paid += names.count("AwardMade")
            self.taken_back += names.count("AwardTakenBack")
        return isinstance(said, list) and not isinstance(said, Refused)

    def check_money(self) -> None:
        """What players, layouts, tables and link have gained and lost comes to nothing."""
        link = self.two.link.state
        for table in self.two.tables.values():
            state = table.state
            shares = sum(sum(box.awarded.values()) for box in state.boxes.values())
            assert state.from_meter >= shares
        held = sum(sum(t.holdings().values()) for t in self.two.tables.values())
        net = sum(sum(t.state.net.values()) + t.state.gone for t in self.two.tables.values())
        assert held + net == 0, "a table makes or loses money"
        assert sum(self.two.link.holdings().values()) == 0, "the link makes or loses money"
        # The House keeps nothing of an award: what its link made and its tables paid agree.
        assert sum(t.state.from_meter for t in self.two.tables.values()) == link.awarded

    # -- what happens ------------------------------------------------------------------------

    def step(self) -> None:
        name = self.chance.choice("AB")
        acts: list[tuple[int, Any]] = [
            (12, self.play_on),
            (2, self.pay),
            (2, self.void),
            (3, self.found_late),
            (2, self.undo),
            (2, self.fault),
            (2, self.repair),
            (1, self.link_fault),
            (1, self.come_and_go),
        ]
        act = self.chance.choices([a for _, a in acts], [w for w, _ in acts])[0]
        act(name)
        self.answer()

    def play_on(self, name: str) -> None:
        """A piece of a round, or the whole of it."""
        for _ in range(self.chance.choice((1, 3, 12, 25))):
            self.go_on(name)

    def go_on(self, name: str) -> None:
        table = self.two.tables[name]
        state = table.state
        if state.phase in ("between rounds", "closed"):
            if not self.give(name, c.CallForBets()):
                self.repair(name)
        elif state.phase == "bets open" and not state.boxes:
            for box, who in zip((1, 3), PEOPLE, strict=False):
                self.give(name, c.PlaceAnte(box=box, amount=2500), who=who)
                self.give(name, c.PlaceProgressive(box=box), who=who)
        elif state.phase == "bets open":
            self.give(name, c.CloseBets())
        elif state.phase == "jackpot":
            for number in [n for n, box in state.boxes.items() if box.due and not box.claimed]:
                self.give(name, c.RecordClaim(box=number))
        elif (window := state.window()) is not None:
            bet: Any = {"flop": c.FlopBet, "turn": c.TurnBet, "river": c.RiverBet}[window]
            for number, box in sorted(state.boxes.items()):
                if self.chance.random() < 0.7:
                    self.give(name, Look(seat=number), who=box.player)
                self.give(name, bet(box=number), who=box.player)
        elif (command := table.next_act()) is not None:
            self.give(name, command, ActorRank.DEALER)

    def pay(self, name: str) -> None:
        self.give("main", j.PayClaims())

    def void(self, name: str) -> None:
        self.give(name, r.ReportDeckCount(count=51))

    def found_late(self, name: str) -> None:
        """A wrong count, of a hand or of the dealer's, in the round that was settled last."""
        if self.two.tables[name].state.phase not in ("between rounds", "jackpot"):
            return
        hand = r.ReportWrongCount(box=self.chance.choice((1, 3)), cards=3)
        self.give(name, self.chance.choice((hand, hand, r.ReportWrongCount(dealer=3))))

    def undo(self, name: str) -> None:
        self.give(name, c.UndoRuling(reason="a mistake"))

    def fault(self, name: str) -> None:
        self.give(name, r.ReportJackpotFault())

    def link_fault(self, name: str) -> None:
        self.give("main", j.ReportLinkFault(reason=FAULT))

    def repair(self, name: str) -> None:
        self.give("main", j.RepairLink(reason=FAULT))
        self.give(name, r.ReportJackpotRepaired(), ActorRank.SHIFT_MANAGER)
        self.give(name, c.ReopenTable(), ActorRank.SHIFT_MANAGER)

    def come_and_go(self, name: str) -> None:
        who = self.chance.choice(PEOPLE)
        if not self.give(name, c.Leave(player=who), who=who):
            return
        self.play_on(name)
        box = dict(zip(PEOPLE, (1, 3, 5), strict=True))[who]
        self.give(name, c.HandOver(player=who))
        self.give(name, c.Sit(box=box, player=who), who=who)

    def answer(self) -> None:
        """Whoever is asked answers, sometimes late."""
        for place in ("A", "B", "main"):
            for need in list(self.two.pit.at(place).state.waiting):
                if isinstance(need, DecisionNeeded) and self.chance.random() < 0.8:
                    options = [o.name for o in need.options if set(o.asks) <= {"order"}]
                    option = self.chance.choice(options)
                    details = {} if option != "other order" else {"order": self.any_order()}
                    answer = Decide(decision=need.decision, option=option, details=details)
                    staff = isinstance(need.of, ActorRank)
                    rank = ActorRank.SHIFT_MANAGER if staff else ActorRank.DEALER
                    self.give(place, answer, rank)

    def any_order(self) -> str:
        names = [claim.name for claim in self.two.link.state.claims]
        self.chance.shuffle(names)
        return " ".join(names)


def play(book: str, seed: int, payment: str) -> Histories:
    """One history from its beginning."""
    histories = Histories(book, seed, payment)
    for _ in range(STEPS):
        histories.step()
    return histories


any_history = given(
    book=st.sampled_from(BOOKS),
    seed=st.integers(0, 2**32),
    payment=st.sampled_from(("confirmed", "confirmed", "at once")),
)


@any_history
@how(max_examples=2, deadline=None)
def test_the_meter_is_what_came_in_less_the_awards_that_stand(
    book: str, seed: int, payment: str
) -> None:
    play(book, seed, payment)


@pytest.mark.slow
@any_history
@how(max_examples=200, deadline=None)
def test_the_meter_is_what_came_in_less_the_awards_that_stand_in_many_histories(
    book: str, seed: int, payment: str
) -> None:
    play(book, seed, payment)


def test_these_histories_pay_awards_and_take_them_back() -> None:
    """Otherwise the property would say nothing."""
    paid = taken_back = 0
    for book, seed in RICH:
        histories = play(book, seed, "confirmed")
        paid += histories.paid
        taken_back += histories.taken_back
    assert paid >= 10
    assert taken_back >= 1
