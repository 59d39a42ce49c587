"""The lab and the table agree to the cent: rounds played at a real table, settled by both.

The table deals, asks, settles and claims by its own rules; the lab gets the cards that were dealt
and the decisions that were taken, and must come to the same money and the same meter.
"""

from datetime import UTC, datetime

import numpy as np
import pytest

from croupier.banked import BankedTable
from croupier.banked.commands import (
    CallForBets,
    Check,
    CloseBets,
    FlopBet,
    Fold,
    PlaceAnte,
    PlaceBonus,
    PlaceProgressive,
    RiverBet,
    Sit,
    TurnBet,
)
from croupier.banked.events import (
    AwardReceived,
    BoxSettled,
    CommunityDealt,
    DealerDealt,
    FlopDealt,
    HoleCardsDealt,
    JackpotPaid,
    RiverDealt,
    TurnDealt,
)
from croupier.cards import DECK
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import OpenLink
from croupier.lab.floor import Floor, Link, Major, run_link
from croupier.lab.simulate import outcomes
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN, PLAYS
from croupier.lab.simulate_pay import Stakes, schedule
from croupier.pit import Pit
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    Decide,
    DecisionNeeded,
    GiveShuffle,
    Look,
    OpenTable,
    Order,
    Refused,
)

BOXES = 2
STAKES = Stakes(ante=2500, bonus=1500, progressive=500)
LINK = Link(reset=10_000_00, contribution=133)
EVENINGS = {"multi-link-progressive-v2": datetime(2020, 9, 1, 20, tzinfo=UTC)}
EVENING = datetime(2021, 3, 1, 20, tzinfo=UTC)
BY_INDEX = tuple(sorted(DECK, key=lambda card: card.index))
POOLS = (
    tuple(range(52)),
    tuple(range(52)),
    (*range(3, 13), 25),
    tuple(suit * 13 + rank for suit in range(4) for rank in range(8, 13)),
    (*range(3, 13), 38),
)
"""Some decks are plain; others have a few cards on top, so that rare lines come up as well."""


class RealTable:
    """One table on a link, at which everybody decides by the bits of the lab."""

    def __init__(self, book):
        self.book = load(book)
        self.when = EVENINGS.get(book, EVENING)
        self.pit, self.table = Pit(), BankedTable(self.book)
        self.link = JackpotLink(self.book)
        self.pit.add_link("main", self.link)
        self.pit.add_table("A", self.table, "main")
        terms = {
            "reset_value": LINK.reset,
            "contribution": LINK.contribution,
            "payment": "at once",
        }
        self.give(
            OpenLink(link="main", settings=terms, tables=("A",)), ActorRank.PIT_MANAGER, "main"
        )
        settings = {
            "layout": "A",
            "layout_boxes": BOXES,
            "ante_minimum": 500,
            "ante_maximum": 50_000,
            "bonus_minimum": 500,
            "bonus_maximum": 50_000,
            "progressive": STAKES.progressive,
            "effective": "2020-01-01T00:00:00+08:00",
            "device": "shuffler",
        }
        self.give(OpenTable(table="A", settings=settings), ActorRank.DEALER)
        for box in range(1, BOXES + 1):
            self.player(Sit(box=box, player=f"player {box}"), box)

    def give(self, command, rank, place="A", who="staff"):
        order = Order(command=command, who=who, rank=rank, when=self.when)
        answer = self.pit.give(place, order)
        assert not isinstance(answer, Refused), (command, answer)
        self.heard += [said.event for said in answer if said.place == "A"]

    heard: list = []

    def player(self, command, box):
        self.give(command, ActorRank.PLAYER, who=f"player {box}")

    def house(self):
        """What the dealer does by himself; the shift manager rules by the letter (B-20)."""
        while True:
            asked = [need for need in self.table.state.waiting if isinstance(need, DecisionNeeded)]
            for need in asked:
                answer = Decide(decision=need.decision, option="board only", reason="the letter")
                self.give(answer, ActorRank.SHIFT_MANAGER)
            act = self.table.due()
            if act is None and not asked:
                return
            if act is not None:
                self.give(act, ActorRank.HOUSE)

    def play(self, deck, decisions):
        """Play a round; give the cards as the lab has them, and what each box won or lost."""
        self.heard = []
        self.give(CallForBets(), ActorRank.DEALER)
        boxes = range(1, BOXES + 1)
        for box in boxes:
            self.player(PlaceAnte(box=box, amount=STAKES.ante), box)
            self.player(PlaceBonus(box=box, amount=STAKES.bonus), box)
            self.player(PlaceProgressive(box=box), box)
        self.give(CloseBets(), ActorRank.DEALER)
        [need] = self.table.state.waiting
        self.give(GiveShuffle(need=need.need, cards=deck), ActorRank.HOUSE)
        self.house()
        for box, bits in zip(boxes, decisions, strict=True):
            self.player(Look(seat=box), box)
            self.player(FlopBet(box=box) if bits & PLAYS else Fold(box=box), box)
        self.house()
        for bit, bet in ((BETS_TURN, TurnBet), (BETS_RIVER, RiverBet)):
            for box, bits in zip(boxes, decisions, strict=True):
                if bits & PLAYS:
                    self.player(bet(box=box) if bits & bit else Check(box=box), box)
            self.house()
        return self.cards(deck), self.money()

    def cards(self, deck):
        board, dealer, holes = [], [], {}
        for event in self.heard:
            match event:
                case CommunityDealt() | FlopDealt() | TurnDealt() | RiverDealt():
                    board += event.cards
                case DealerDealt():
                    dealer += event.cards
                case HoleCardsDealt():
                    for box, card in zip(event.order, event.cards, strict=True):
                        holes.setdefault(box, []).append(card)
                    dealer += holes.pop(0, [])
        # A dealer without cards has nobody left to play against: any two will do.
        used = {*board, *dealer, *(card for hole in holes.values() for card in hole)}
        dealer += [card for card in deck if card not in used][: 2 - len(dealer)]
        row = [*board, *dealer, *(card for box in sorted(holes) for card in holes[box])]
        return [card.index for card in row]

    def money(self):
        won = [0] * BOXES
        for event in self.heard:
            match event:
                case BoxSettled():
                    bets = event.bets.values()
                    won[event.box - 1] += sum(payout.won - payout.lost for payout in bets)
                case JackpotPaid() | AwardReceived():
                    won[event.box - 1] += event.paid
        return won


@pytest.mark.parametrize(
    "rounds", [600, pytest.param(33_334, marks=pytest.mark.slow)], ids=["some", "many"]
)
@pytest.mark.parametrize(
    "book",
    ["multi-link-progressive-v2", "multi-link-progressive-v3", "progressive-texas-holdem-v6"],
)
def test_a_real_table_and_the_lab_agree_to_the_cent(book, rounds):
    rng = np.random.default_rng(20200628)
    decisions = rng.choice(np.array([0, 1, 3, 5, 7, 7], np.uint8), (rounds, BOXES))
    table = RealTable(book)
    cards, money, meters = [], [], []
    for number in range(rounds):
        pool = rng.permutation(POOLS[number % len(POOLS)])
        top = [BY_INDEX[i] for i in pool]
        rest = [BY_INDEX[i] for i in rng.permutation(52) if i not in set(pool.tolist())]
        row, won = table.play((*top, *rest), [int(bits) for bits in decisions[number]])
        cards.append(row)
        money.append(won)
        meters.append(table.link.state.meter)

    pays = schedule(load(book), STAKES)
    codes = outcomes(pays, np.array(cards, np.uint8), decisions)
    lab = pays.lookup.money[codes]
    majors = [
        Major(i, 0, box, int(codes[i, box]))
        for i, box in zip(*np.nonzero(pays.lookup.major[codes % len(pays.sets)]), strict=True)
    ]
    story = run_link(pays, LINK, Floor(boxes=BOXES), majors, rounds=rounds)
    for award in story.awards:
        lab[award.round, award.box] += award.paid
    wrong = np.flatnonzero((lab != np.array(money)).any(axis=1))
    assert not len(wrong), (
        " ".join(str(BY_INDEX[i]) for i in cards[wrong[0]]),
        decisions[wrong[0]],
        lab[wrong[0]],
        money[wrong[0]],
    )
    assert story.end == meters[-1]
    assert len(story.awards) > 0, "the decks are made so that majors come up"
