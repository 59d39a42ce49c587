"""Random commands, reports and dealing errors at two tables on one link.

After every order: money conserved between players, House and meter; the log replays to the same
state; what is offered is accepted; refusals cite and change nothing; views leak nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings as how
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from croupier.banked import commands as c
from croupier.banked import reports as r
from croupier.cards import DECK, Card
from croupier.jackpot import commands as j
from croupier.table import ActorRank, Command, Decide, DecisionNeeded, Look
from tests.banked.two_tables import PEOPLE, TwoTables

BOOKS = (
    "multi-link-progressive-v3",
    "multi-link-progressive-v2",
    "progressive-texas-holdem-v6",
)
POLICIES: tuple[dict[str, str], ...] = (
    {},
    {"void-contribution": "keep"},
    {"partial-award": "reset"},
    {"top-up-to-reset": "yes"},
    {"wrong-count-unseen": "void-round"},
)
LINKS: tuple[dict[str, Any], ...] = (
    {},
    {"ceiling": 5_000_150},
    {"reserve_rate": "12.5"},
    {"contribution": None, "contribution_rate": "3.333"},
    {"display_pace": 50},
    {"unreasonable": 350},
)
boxes = st.integers(1, 7)
tables = st.sampled_from(("A", "B"))
people = st.sampled_from((*PEOPLE, "Dev"))
bets = st.sampled_from(("ante", "bonus", "progressive", "flop", "turn", "river"))
amounts = st.sampled_from((0, 300, 500, 2000, 2500, 5000, 10000, 50000, 60000, 120000))
some_boxes = st.lists(boxes, max_size=3, unique=True).map(tuple)
cards = st.sampled_from(DECK)
RANKS = st.sampled_from(
    (
        ActorRank.DEALER,
        ActorRank.PIT_SUPERVISOR,
        ActorRank.PIT_MANAGER,
        ActorRank.SHIFT_MANAGER,
    )
)

player_commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(c.PlaceAnte, box=boxes, amount=amounts),
    st.builds(c.PlaceBonus, box=boxes, amount=amounts),
    st.builds(c.PlaceProgressive, box=boxes),
    st.builds(c.WithdrawBet, box=boxes, bet=st.sampled_from(("ante", "bonus", "progressive"))),
    st.builds(c.FlopBet, box=boxes),
    st.builds(c.TurnBet, box=boxes),
    st.builds(c.RiverBet, box=boxes),
    st.builds(c.Check, box=boxes),
    st.builds(c.Fold, box=boxes),
    st.builds(Look, seat=boxes),
    st.builds(c.RefuseToShow, box=boxes),
    st.builds(c.TableCards, box=boxes),
    st.builds(c.ClaimMisplacedBet, box=boxes, lies=bets, meant=bets),
)
dealer_commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(c.CallForBets),
    st.builds(c.CloseBets),
    st.builds(c.ReportChips, box=boxes, bet=bets, amount=amounts, player=people),
    st.builds(c.NoticeBet, box=boxes, bet=bets),
    st.builds(c.DealHoleCards, burn=st.booleans(), order=st.lists(boxes, max_size=6).map(tuple)),
    st.builds(c.DealFlop, burn=st.booleans(), count=st.integers(2, 4)),
    st.builds(c.DealTurn, burn=st.booleans(), count=st.integers(0, 2)),
    st.builds(c.DealRiver, burn=st.booleans(), count=st.integers(0, 2)),
    st.builds(c.DealDealer, count=st.integers(1, 3)),
    st.builds(c.DealCommunity, count=st.integers(4, 6)),
    st.builds(c.RevealDealer),
    st.builds(c.CollectCards, box=boxes),
    st.builds(c.Settle),
    st.builds(c.RecordClaim, box=boxes),
    st.builds(c.HandOver, player=people),
    st.builds(
        c.CallForRuling, about=st.sampled_from(("uncovered", "interpretation")), says=st.just("?")
    ),
    st.builds(c.UndoRuling, reason=st.just("a mistake")),
    st.builds(c.ReopenTable),
)
reports: st.SearchStrategy[Command] = st.one_of(
    st.builds(r.ReportForeignCard),
    st.builds(r.ReportDeckCount, count=st.integers(51, 53)),
    st.builds(r.ReportNotEnoughCards),
    st.builds(r.ReportNotShuffled),
    st.builds(r.ReportExposed, boxes=st.dictionaries(boxes, st.just((Card.UNKNOWN,)), max_size=2)),
    st.builds(r.ReportWrongDeal, affected=some_boxes),
    st.builds(r.ReportWrongDeal, affected=some_boxes, moves=st.just({1: 3, 3: 1})),
    st.builds(r.ReportWrongDeal, affected=some_boxes, dealer_gets=boxes, dealer_gives=boxes),
    st.builds(r.ReportExposed, burns=st.just((Card.UNKNOWN,))),
    st.builds(r.ReportExposed, dealer=st.just((Card.UNKNOWN,))),
    st.builds(r.ReportWrongCount, box=boxes, cards=st.integers(1, 3), affected=some_boxes),
    st.builds(r.ReportWrongCount, community=st.integers(3, 6)),
    st.builds(r.ReportWrongCount, dealer=st.integers(1, 3)),
    st.builds(r.ReportMissedBurn, before=st.sampled_from(("hole cards", "flop", "turn", "river"))),
    st.builds(r.ReportDealingError, says=st.just("a card fell"), affected=some_boxes),
    st.builds(r.ReportFaceUpCard, card=cards),
    st.builds(r.ReportDrawnTogether, boxes=some_boxes),
    st.builds(r.ReportDrawnTogether, community=st.just((1, 2))),
    st.builds(r.ReportDrawnTogether, first_cards=some_boxes, boxes=some_boxes),
    st.builds(
        r.ReportDrawnTogether, burns=st.just(("flop",)), community=st.just((1,)), dealer=st.just(())
    ),
    st.builds(
        r.ReportDrawnTogether, burns=st.just(("hole cards",)), first_cards=boxes.map(lambda n: (n,))
    ),
    st.builds(r.ReportExtraLook, box=boxes),
    st.builds(r.ReportWalkAway, player=people),
    st.builds(r.ReportInterruption, says=st.just("power failure")),
    st.builds(r.ReportJackpotFault, boxes=some_boxes, unregistered=some_boxes),
    st.builds(r.ReportJackpotRepaired),
    st.builds(r.ReportCardsGone, box=boxes),
    st.builds(r.ReportForeignCard, round=st.integers(0, 3)),
)
link_commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(j.PayClaims),
    st.builds(j.ReportLinkFault, reason=st.just("no signal")),
    st.builds(j.RepairLink, reason=st.just("signal")),
    st.builds(j.CloseLink),
    st.builds(j.ReopenLink),
    st.builds(j.ProposeParameters, reason=st.just("more"), contribution=st.just(150)),
    st.builds(j.ProposeCorrection, reason=st.just("count"), by=st.sampled_from((-100, 100))),
    st.builds(j.Approve, proposal=st.integers(1, 5)),
    st.builds(j.Reconcile, counts=st.just({"A": 1})),
    st.builds(j.ShowDisplay),
)


class Pit(RuleBasedStateMachine):
    """Two tables and a link, and people who do anything."""

    two: TwoTables

    @initialize(
        book=st.sampled_from(BOOKS),
        seed=st.integers(0, 2**32),
        device=st.sampled_from(("shoe", "shuffler")),
        dealing=st.sampled_from(("automatic", "by-hand")),
        shoe=st.sampled_from(("virtual", "virtual", "reported")),
        policies=st.sampled_from(POLICIES),
        payment=st.sampled_from(("confirmed", "at once")),
        link=st.sampled_from(LINKS),
    )
    def open(
        self,
        book: str,
        seed: int,
        device: str,
        dealing: str,
        shoe: str,
        policies: dict[str, str],
        payment: str,
        link: dict[str, Any],
    ) -> None:
        terms = {"payment": payment, **link}
        self.two = TwoTables(book, seed, policies, terms, device=device, dealing=dealing, shoe=shoe)

    @rule(name=tables, data=st.data())
    def play_on(self, name: str, data: st.DataObject) -> None:
        """The round goes on as it should: this is what brings the others to interesting places."""
        table = self.two.tables[name]
        state = table.state
        if state.phase == "between rounds":
            self.two.give(name, c.CallForBets())
        elif state.phase == "bets open" and not state.boxes:
            for box, who in zip((1, 3, 5, 2), (*PEOPLE, "Ann"), strict=True):
                if data.draw(st.booleans()):
                    self.two.give(name, c.PlaceAnte(box=box, amount=2500), who=who)
                    self.two.give(name, c.PlaceBonus(box=box, amount=500), who=who)
                    self.two.give(name, c.PlaceProgressive(box=box), who=who)
        elif state.phase == "bets open":
            self.two.give(name, c.CloseBets())
        elif (window := state.window()) is not None:
            bet = {"flop": c.FlopBet, "turn": c.TurnBet, "river": c.RiverBet}[window]
            for number, box in sorted(state.boxes.items()):
                act: Any = data.draw(
                    st.sampled_from((bet, c.Fold if window == "flop" else c.Check))
                )
                if data.draw(st.booleans()):
                    self.two.give(name, Look(seat=number), who=box.player)
                self.two.give(name, act(box=number), who=box.player)
        elif (command := table.next_act()) is not None:
            if state.settings.shoe == "reported":
                command = self.with_real_cards(name, command)
            self.two.give(name, command, ActorRank.HOUSE)

    def with_real_cards(self, name: str, command: Command) -> Command:
        """At a real shoe somebody says which cards are turned up."""
        state = self.two.tables[name].state
        unseen = list(state.shoe.unseen) if state.shoe is not None else []
        self.two.chance.shuffle(unseen)
        if isinstance(command, c.Settle):
            for number, box in sorted(state.boxes.items()):
                if Card.UNKNOWN in box.cards:
                    said = tuple(unseen.pop() for _ in box.cards)
                    self.two.give(name, c.TableCards(box=number, cards=said), ActorRank.DEALER)
            return command
        streets = (c.RevealFlop, c.RevealTurn, c.RevealRiver)
        if isinstance(command, c.RevealDealer):
            return c.RevealDealer(cards=tuple(unseen[: len(state.dealer)]))
        if isinstance(command, streets):
            count = state.laid[streets.index(type(command))]
            return type(command)(cards=tuple(unseen[:count]))
        return command

    @rule(name=tables, command=player_commands, who=people)
    def player_does(self, name: str, command: Command, who: str) -> None:
        self.two.give(name, command, who=who)

    @rule(name=tables, command=dealer_commands, rank=RANKS)
    def dealer_does(self, name: str, command: Command, rank: ActorRank) -> None:
        self.two.give(name, command, rank)

    @rule(name=tables, command=reports, rank=RANKS)
    def staff_report(self, name: str, command: Command, rank: ActorRank) -> None:
        self.two.give(name, command, rank)

    @rule(command=link_commands, who=st.sampled_from(("Omar", "Pia")))
    def somebody_at_the_link(self, command: Command, who: str) -> None:
        self.two.give("main", command, ActorRank.SHIFT_MANAGER, who=who)

    @precondition(lambda self: any(n for n in self.asking()))
    @rule(data=st.data())
    def somebody_decides(self, data: st.DataObject) -> None:
        place, asked = data.draw(st.sampled_from(list(self.asking())))
        option = data.draw(st.sampled_from(asked.options))
        details = {key: data.draw(_detail(kind, key)) for key, kind in option.asks.items()}
        answer = Decide(decision=asked.decision, option=option.name, details=details)
        rank = ActorRank.SHIFT_MANAGER if isinstance(asked.of, ActorRank) else ActorRank.DEALER
        self.two.give(place, answer, rank)

    def asking(self) -> list[tuple[str, DecisionNeeded]]:
        if not hasattr(self, "two"):
            return []
        return [
            (place, need)
            for place in self.two.shadows
            for need in self.two.pit.at(place).state.waiting
            if isinstance(need, DecisionNeeded)
        ]

    @invariant()
    def offers_are_accepted(self) -> None:
        if hasattr(self, "two"):
            self.two.check_offers()

    @invariant()
    def facts_can_be_taken(self) -> None:
        if hasattr(self, "two"):
            for table in self.two.tables.values():
                table.facts()
            self.two.link.facts()


def _detail(kind: str, key: str) -> st.SearchStrategy[Any]:
    match kind:
        case "box" | "seat" | "number":
            return st.integers(1, 6)
        case "seats":
            return st.lists(st.integers(1, 7), min_size=1, max_size=2)
        case "money":
            return amounts
        case _:
            known = {
                "order": ("1 2", "2 1", "A/1 B/1", "2"),
                "bet": ("ante", "bonus", "flop"),
                "to": ("ante", "bonus", "progressive"),
                "player": PEOPLE,
                "policy": ("wrong-count-unseen", "partial-award"),
                "value": ("void-round", "reset"),
                "line": ("4.2.minor.flush", "4.2.major.four-of-a-kind"),
            }
            return st.sampled_from(known[key])


class TestPit(Pit.TestCase):
    """Some evenings; the slow set has twenty times as many."""

    settings = how(max_examples=15, stateful_step_count=60, deadline=None)


@pytest.mark.slow
class TestPitOften(Pit.TestCase):
    """The same, thorough by number."""

    settings = how(max_examples=300, stateful_step_count=60, deadline=None)
