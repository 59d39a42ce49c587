"""Random tables, random commands, legal and not: what must hold whatever happens.

Chips are conserved and no stake is negative; what is offered is accepted, at its least, at its most
and in between, and no other wager of one's own is; a refusal cites a paragraph and changes nothing;
the log replays to the identical table; nobody's view holds a card that he may not see. What is
offered, and who is paid, is worked out a second time here, by the plain formulas of the readings.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from croupier.cards import Card, rank_hand
from croupier.poker import PokerTable
from croupier.poker.betting import SHORT_ALL_IN_BARS
from croupier.poker.commands import (
    AllIn,
    Bet,
    Call,
    CallForBlinds,
    Check,
    DealHoleCards,
    DeclineStraddle,
    DividePot,
    Fold,
    Leave,
    Muck,
    PostBlind,
    Raise,
    ReduceStake,
    Relocate,
    ReturnToSeat,
    Settle,
    ShowHand,
    Sit,
    SitOut,
    Straddle,
    TopUp,
)
from croupier.poker.events import (
    BetPlaced,
    BlindPosted,
    BlindsCalled,
    FlopDealt,
    LeftTable,
    PotWon,
    Raised,
    Relocated,
    RiverDealt,
    RoundEnded,
    SatDown,
    StakeAdded,
    StakeReduced,
    StraddlePlaced,
    TurnDealt,
    WentAllIn,
)
from croupier.rulebooks import load
from croupier.table import (
    AUDITOR,
    PUBLIC,
    ActorRank,
    BadCommand,
    Decide,
    DecisionNeeded,
    Event,
    Look,
    Refused,
    ShuffleNeeded,
    Viewer,
    player,
)
from tests.poker.conftest import V5, V8, Felt

STAKES = [300, 700, 1000, 1100, 2000, 5000, 30000, 100000]
CHIP = 100
BIG = 1000


class Ladder:
    """Price, last full wager and smallest raise, by the formulas of the readings (section 3)."""

    def __init__(self, book: str, policies: dict[str, str]) -> None:
        self.v8 = book == V8
        self.policies = policies
        self.start(1)

    def start(self, number: int) -> None:
        self.price = self.full = BIG if number == 1 else 0
        self.minimum = BIG
        self.open = number == 1

    def hear(self, event: Event) -> None:
        match event:
            case BlindsCalled():
                self.start(1)
            case StraddlePlaced():
                self.price = self.full = self.minimum = 2 * BIG
            case FlopDealt() | TurnDealt() | RiverDealt():
                self.start(2)
            case BetPlaced(to=to):
                self.bet(to)
            case Raised(to=to):
                self.raised(to)
            case WentAllIn(to=to):
                self.all_in(to)

    def bet(self, to: int) -> None:
        self.price = self.full = to
        self.minimum = to if self.v8 else BIG
        self.open = True

    def raised(self, to: int) -> None:
        self.minimum = to - self.full if self.v8 else max(BIG, to - self.price)
        self.price = self.full = to

    def all_in(self, to: int) -> None:
        if not self.open:
            if self.v8 and to < BIG:
                by_amount = self.policies["opening-all-in-below-big-blind"] == "all-in-amount"
                self.price = to if by_amount else BIG
                self.full, self.open = BIG, True
            else:
                self.bet(to)
        elif to > self.price:
            enough = (
                to >= self.full + self.minimum if self.v8 else 2 * (to - self.price) >= self.minimum
            )
            if enough:
                self.raised(to)
            else:
                self.price = to

    def least(self) -> int:
        if self.open:
            return (self.full if self.v8 else self.price) + self.minimum
        if self.v8 or self.policies["min-bet"] == "big-blind":
            return BIG
        return CHIP

    def options(self, bet: int, stake: int, barred: bool) -> list[str]:
        """What a player with so much in front and so much behind may do, in words."""
        most = bet + stake
        found = ["check"] if bet >= self.price else [f"call {min(self.price, most)}"]
        if not barred and most >= self.least():
            found.append(f"{'raise' if self.open else 'bet'} {self.least()} {most}")
        if not barred or most <= self.price:
            found.append("all in")
        return [*found, "fold"]


class Poker(RuleBasedStateMachine):
    """A casino evening, faster."""

    felt: Felt

    @initialize(
        book=st.sampled_from([V8, V5]),
        stakes=st.lists(st.sampled_from(STAKES), min_size=2, max_size=9),
        straddle=st.booleans(),
        percent=st.sampled_from([0, 5]),
        data=st.data(),
    )
    def open(self, book: str, stakes: list[int], straddle: bool, percent: int, data: Any) -> None:
        policies = {
            name: data.draw(st.sampled_from(sorted(policy.values)), label=name)
            for name, policy in load(book).policies.items()
        }
        extra = {"straddle": straddle} if book == V8 else {}
        self.felt = Felt(book, policies, rake={"percent": percent, "cap": 3000}, **extra)
        self.felt.shuffler = lambda need: shuffled(need, data.draw(st.integers(0, 999)))
        self.data = data
        self.names = 0
        self.brought = 0
        self.heard = 0
        self.ladder = Ladder(book, self.felt.state.policies)
        for seat, stake in enumerate(stakes, 1):
            self.felt.must(Sit(seat=seat, player=f"player {seat}", stake=stake))
        self.felt.start()
        self.hear()

    # -- what the test itself knows ----------------------------------------------------------

    def hear(self) -> None:
        """Follow the log with the plain formulas."""
        for event in self.felt.log[self.heard :]:
            self.ladder.hear(event)
            match event:
                case SatDown(stake=amount) | Relocated(stake=amount) | StakeAdded(amount=amount):
                    self.brought += amount
                case StakeReduced(amount=amount) | LeftTable(stake=amount):
                    self.brought -= amount
            text = msgspec.json.encode(event)
            assert msgspec.json.encode(self.felt.table.read_event(text)) == text
        if any(isinstance(event, RoundEnded) for event in self.felt.log[self.heard :]):
            self.paid_rightly()
        self.heard = len(self.felt.log)

    def paid_rightly(self) -> None:
        """Pay the last round again, chip layer by chip layer, and compare."""
        played = self.felt.state.round
        log = self.felt.log
        since = max(i for i, event in enumerate(log) if isinstance(event, BlindsCalled))
        last = log[since:]
        put_in = sum(p.total for p in played.players.values())
        assert sum(played.payouts.values()) + played.rake == put_in
        if played.won_by_folds or any(p.mucked and not p.active for p in played.players.values()):
            return
        dead = {e.seat: e.dead for e in last if isinstance(e, BlindPosted)}
        live = {seat: p.total - dead.get(seat, 0) for seat, p in played.players.items()}
        board = [*played.flop, *played.turn, *played.river]
        worth = {
            seat: rank_hand((*p.cards, *board)) for seat, p in played.players.items() if p.active
        }
        due = dict.fromkeys(worth, Fraction(0))
        below = 0
        for level in sorted(set(live.values()) - {0}):
            chips = sum(min(paid, level) - min(paid, below) for paid in live.values())
            if below == 0:
                chips += sum(dead.values())
            there = [seat for seat in worth if live[seat] >= level]
            winners = [seat for seat in there if worth[seat] == max(worth[s] for s in there)]
            for seat in winners:
                due[seat] += Fraction(chips, len(winners))
            below = level
        odd = sum(sum(e.odd_chips.values()) for e in last if isinstance(e, PotWon))
        for seat, amount in due.items():
            got = played.payouts.get(seat, 0)
            assert abs(got - amount) <= odd + played.rake, f"seat {seat} got {got} of {amount}"

    # -- the dealer and the House ------------------------------------------------------------

    def held(self) -> list[Any]:
        return [n for n in self.felt.state.waiting if not isinstance(n, ShuffleNeeded)]

    def betting(self) -> bool:
        return self.felt.state.phase == "betting" and not self.felt.table.is_held()

    @precondition(lambda self: self.held())
    @rule()
    def decide(self) -> None:
        need = self.data.draw(st.sampled_from(self.held()), label="question")
        assert isinstance(need, DecisionNeeded)
        option = self.data.draw(st.sampled_from(need.options), label="answer")
        wrong = self.felt.give(
            Decide(decision=need.decision, option="toss a coin"), "tgsm", ActorRank.SHIFT_MANAGER
        )
        assert isinstance(wrong, Refused)
        self.felt.must(
            Decide(decision=need.decision, option=option.name),
            who="tgsm",
            rank=ActorRank.SHIFT_MANAGER,
        )
        self.hear()

    def deal(self) -> None:
        while (due := self.felt.table.due()) is not None:
            self.felt.must(due, who="house", rank=ActorRank.HOUSE)
            self.hear()

    @rule(acts=st.integers(1, 30))
    def play(self, acts: int) -> None:
        """So many Actions, with whatever the dealer does in between; each is looked at closely."""
        for _ in range(acts):
            self.deal()
            if self.felt.state.phase == "ready" and not self.felt.table.is_held():
                self.felt.give(CallForBlinds(), "house", ActorRank.HOUSE)
                self.hear()
                self.deal()
            if not self.betting():
                break
            self.what_is_offered_is_what_the_readings_say()
            self.every_other_wager_is_refused()
            self.act_once()
        self.deal()

    @precondition(lambda self: self.felt.table.may_straddle())
    @rule(takes=st.sampled_from([Straddle, DeclineStraddle, DealHoleCards]))
    def straddle(self, takes: Any) -> None:
        [seat] = [seat for seat in self.felt.state.seats if self.felt.table.offers(seat)]
        self.felt.must(takes() if takes is DealHoleCards else takes(seat=seat))
        self.hear()

    # -- the players -------------------------------------------------------------------------

    def act_once(self) -> None:
        table = self.felt.table
        seat = table.turn()
        assert seat is not None
        offer = self.data.draw(st.sampled_from(table.offers(seat)), label="offer")
        kinds = {"check": Check, "call": Call, "all in": AllIn, "fold": Fold}
        if offer.do in kinds:
            command = kinds[offer.do](seat=seat)
        else:
            steps = (offer.most - offer.least) // offer.step
            step = self.data.draw(st.integers(0, steps), label="steps")
            to = self.data.draw(
                st.sampled_from([offer.least, offer.most, offer.least + step * offer.step])
            )
            command = (Bet if offer.do == "bet" else Raise)(seat=seat, to=to)
        self.felt.must(command)
        self.hear()

    def what_is_offered_is_what_the_readings_say(self) -> None:
        table, state = self.felt.table, self.felt.state
        seat = table.turn()
        assert seat is not None
        me = state.round.players[seat]
        bars = self.felt.table.by_book[SHORT_ALL_IN_BARS]
        barred = bars and self.ladder.price > self.ladder.full and self.has_answered(seat)
        if state.policies["uncallable-raise"] == "not-offered":  # nobody could call it
            others = [p for n, p in state.round.players.items() if n != seat and p.active]
            barred = barred or all(p.all_in for p in others)
        offered = [
            offer.do
            if offer.do in ("check", "fold", "all in")
            else f"{offer.do} {offer.least}"
            if offer.do == "call"
            else f"{offer.do} {offer.least} {offer.most}"
            for offer in table.offers(seat)
        ]
        assert offered == self.ladder.options(me.bet, state.seats[seat].stake, barred)

    def has_answered(self, seat: int) -> bool:
        """A-06: whether he has bet in this Betting Round, or since the last full wager."""
        any_bet = self.felt.state.policies["short-all-in-bar"] == "any-bet"
        found = False
        for event in reversed(self.felt.log):
            if isinstance(event, FlopDealt | TurnDealt | RiverDealt | BlindsCalled):
                return found
            if getattr(event, "seat", None) == seat and type(event).__name__ in (
                "BetPlaced",
                "Called",
                "Raised",
                "WentAllIn",
            ):
                return True
            full = isinstance(event, BetPlaced | Raised) or (
                isinstance(event, WentAllIn) and event.kind in ("raise", "bet", "under the bet")
            )
            if full and not any_bet:
                return False
        return found

    def every_other_wager_is_refused(self) -> None:
        table, state = self.felt.table, self.felt.state
        seat = table.turn()
        assert seat is not None
        may = {offer.do: offer for offer in table.offers(seat)}
        wrong: list[Any] = [
            kind(seat=seat)
            for word, kind in (("check", Check), ("call", Call), ("all in", AllIn))
            if word not in may
        ]
        most = state.round.players[seat].bet + state.seats[seat].stake
        for word, kind in (("bet", Bet), ("raise", Raise)):
            offer = may.get(word)
            totals = [0, -CHIP, most, most + CHIP, BIG]
            if offer is not None:
                totals = [offer.least - CHIP, offer.most + CHIP, offer.least + 1, 0]
                totals = [to for to in totals if to != offer.most]
            wrong += [kind(seat=seat, to=to) for to in totals]
        others = [other for other in state.seats if other != seat]
        wrong += [kind(seat=other) for kind in (Check, Call, Fold, AllIn) for other in others]
        command = self.data.draw(st.sampled_from(wrong), label="wrong")
        self.refused(command, None)
        self.refused(Fold(seat=seat), "a stranger")

    def refused(self, command: Any, who: str | None) -> None:
        before = msgspec.json.encode(self.felt.state)
        answer = self.felt.give(command, who)
        assert isinstance(answer, Refused), f"{command} was accepted"
        assert answer.cites, f"{command} was refused without a paragraph: {answer}"
        assert answer.says
        assert msgspec.json.encode(self.felt.state) == before

    @rule(seat=st.integers(1, 9), kind=st.sampled_from(range(12)))
    def somebody_does_something(self, seat: int, kind: int) -> None:
        self.names += 1
        name = f"guest {self.names}"
        commands: list[Any] = [
            Look(seat=seat),
            SitOut(seat=seat),
            ReturnToSeat(seat=seat),
            Leave(seat=seat),
            TopUp(seat=seat, amount=3000),
            ReduceStake(seat=seat, amount=CHIP),
            Sit(seat=seat, player=name, stake=3000),
            Relocate(seat=seat, player=name, stake=3000),
            DividePot(seat=seat),
            ShowHand(seat=seat),
            Muck(seat=seat),
            PostBlind(seat=seat),
        ]
        self.try_it(commands[kind])

    @rule()
    def everybody_is_here_with_chips(self) -> None:
        """So that an evening does not end because all are broke or away."""
        for seat, sitter in list(self.felt.state.seats.items()):
            if not sitter.here:
                self.try_it(ReturnToSeat(seat=seat))
            if sitter.stake == 0:
                self.try_it(TopUp(seat=seat, amount=5000))

    @rule()
    def somebody_settles_too_early(self) -> None:
        if self.felt.state.phase != "settling" and not self.felt.table.is_held():
            self.refused(Settle(), None)

    def try_it(self, command: Any) -> None:
        """Accepted, refused with a paragraph, or impossible: nothing changes but by acceptance.

        What is an own act of the round is accepted where it is offered, and nowhere else.
        """
        before = msgspec.json.encode(self.felt.state)
        offered = [offer.do for offer in self.felt.table.offers(getattr(command, "seat", 0))]
        try:
            answer = self.felt.give(command)
        except BadCommand:
            assert msgspec.json.encode(self.felt.state) == before
            return
        if isinstance(answer, Refused):
            assert answer.cites
            assert msgspec.json.encode(self.felt.state) == before
        if isinstance(command, Muck | ShowHand | PostBlind):
            do = command.__struct_config__.tag
            assert isinstance(answer, tuple) == (do in offered), f"{command}: {answer}"
        self.hear()

    # -- what must hold ----------------------------------------------------------------------

    @invariant()
    def chips_are_conserved(self) -> None:
        state = self.felt.state
        assert all(seat.stake >= 0 for seat in state.seats.values())
        chips = state.house + sum(seat.stake for seat in state.seats.values())
        played = state.round
        if played is not None and played.open:
            chips += sum(p.bet + p.dead for p in played.players.values())
            chips += sum(pot.amount for pot in played.pots)
        assert chips == self.brought

    @invariant()
    def facts_and_offers_can_always_be_taken(self) -> None:
        facts = self.felt.table.facts()
        assert facts.turn is None or facts.options or self.felt.table.is_held()

    @invariant()
    def a_snapshot_brings_the_table_back(self) -> None:
        again = PokerTable.restore(self.felt.book, self.felt.table.snapshot())
        assert again.state == self.felt.state

    @invariant()
    def views_leak_nothing(self) -> None:
        table, state = self.felt.table, self.felt.state
        viewers = [PUBLIC, AUDITOR, *(player(seat.player) for seat in state.seats.values())]
        for viewer in viewers:
            assert cards_in(table.view(viewer)) <= self.may_see(viewer), viewer
        for event in self.felt.log[-3:]:
            if type(event).__name__ not in ("ButtonCardDealt", "ButtonWon", "ButtonCardsCollected"):
                seen = table.show(event, PUBLIC)
                assert cards_in(seen) <= self.may_see(PUBLIC), event

    def may_see(self, viewer: Viewer) -> set[Card]:
        """What lies face up; his own cards for who has looked; a finished round for the auditor."""
        state = self.felt.state
        found = {seat.button_card for seat in state.seats.values() if seat.button_card is not None}
        played = state.round
        if played is None:
            return found
        found |= {*played.flop, *played.turn, *played.river} - set(played.down)
        for seat, p in played.players.items():
            mine = self.felt.table.player_at(seat) == viewer.who and p.looked and played.open
            if p.shown or mine or (viewer.auditor and not played.open):
                found |= set(p.cards)
        if viewer.auditor and not played.open:
            found |= {*played.discards, *(burnt.card for burnt in played.burns)}
        return found


def shuffled(need: ShuffleNeeded, seed: int) -> list[Card]:
    cards = list(need.cards)
    random.Random(seed).shuffle(cards)
    return cards


CARD = re.compile(rb'"([2-9TJQKA][cdhs])"')


def cards_in(record: Any) -> set[Card]:
    """Every card that a record spells out, wherever in it."""
    return {Card(text.decode()) for text in CARD.findall(msgspec.json.encode(record))}


UNHURRIED = settings(
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class TestPoker(Poker.TestCase):
    """Some evenings; the slow set has ten times as many."""

    settings = settings(UNHURRIED, max_examples=20)


@pytest.mark.slow
class TestPokerOften(Poker.TestCase):
    """The same, thorough by number."""

    settings = settings(UNHURRIED, max_examples=200)
