"""A table of a banked game on the gaming day, and the jackpot link that it hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.banked import BankedTable
from croupier.banked import commands as c
from croupier.banked import reports as r
from croupier.cards import DECK, Card
from croupier.house.shuffling import Shuffler, Source
from croupier.jackpot import JackpotLink
from croupier.jackpot import commands as j
from croupier.table import (
    ActorRank,
    Command,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Refused,
    ShuffleNeeded,
)
from croupier.table.command import Look
from tests.banked.two_tables import offered_commands, stacked_for

if TYPE_CHECKING:
    from tests.house.gaming_day import Day

PLAYER, DEALER = ActorRank.PLAYER, ActorRank.DEALER
MANAGER = ActorRank.SHIFT_MANAGER
RACK = 2_000_000
AMOUNTS = (300, 500, 2_000, 2_500, 5_000, 60_000)
WRONG = {"ante": (300, 2_000, 60_000), "bonus": (300, 600_000), "progressive": (300, 500, 2_500)}
"""Too little and too much for each spot, and a jackpot bet that may lack its Ante."""
BETS = ("ante", "bonus", "progressive", "flop", "turn", "river")

IRREGULARITIES: tuple[type[Command], ...] = (
    *(each for each in BankedTable.whole.commands if each.__module__ == r.__name__),
    c.ReportChips,
    c.NoticeBet,
    c.RefuseToShow,
    c.CallForRuling,
    c.UndoRuling,
    c.ReopenTable,
    c.AcceptNotice,
    c.HandOver,
)
"""Every report of the rooms, and what else is done where something went wrong."""
OF_A_LINK: tuple[type[Command], ...] = tuple(
    each for each in JackpotLink.whole.commands if each.__module__ == j.__name__
)


class LuckyShuffler(Shuffler):
    """The House's shuffler, with a deck now and then in which a share of the meter is won.

    Nobody waits for a Royal Flush: what is tested is that it is paid, and that it balances.
    """

    def __init__(self, source: Source, day: Day) -> None:
        super().__init__(source)
        self.day = day
        self.table: BankedTable | None = None

    def shuffle(self, cards: Any) -> tuple[Any, ...]:
        order = tuple(cards)
        if self.table is None or set(order) != set(DECK) or self.day.chance.random() > 0.1:
            return order
        return self._lucky(self.table, list(order))

    def _lucky(self, table: BankedTable, cards: list[Card]) -> tuple[Card, ...]:
        chance = self.day.chance
        suit = chance.choice("cdhs")
        run = [Card(f"{rank}{suit}") for rank in "AKQJT98"]
        hands = [run[0:2], run[5:7]]
        board = [*run[2:5], *[card for card in cards if card not in run][:2]]
        if chance.random() < 0.5:  # it may be complete on the turn or the river only
            chance.shuffle(board)
        chance.shuffle(hands)
        boxes = [n for n, box in sorted(table.state.boxes.items()) if box.ante]
        return stacked_for(table, dict(zip(boxes, hands, strict=False)), board, cards)


class DayOfBanked:
    """Everybody at one table of a banked game; what they do goes through the House."""

    def __init__(self, day: Day, place: str) -> None:
        self.day = day
        self.place = place
        self.pick = day.chance.choice
        self.waited = 0

    @property
    def table(self) -> BankedTable:
        table = self.day.casino.table(self.place)
        assert isinstance(table, BankedTable)
        return table

    def give(
        self, command: Command, rank: ActorRank = DEALER, who: str | None = None
    ) -> tuple[Any, ...] | Refused | str:
        return self.day.give(self.place, command, rank, who or self.day.on_duty(rank))

    # -- one step ----------------------------------------------------------------------------

    def step(self) -> None:
        """Chance, a decision, something that goes wrong, or play that goes on."""
        waiting = self.table.state.waiting
        if any(isinstance(n, ShuffleNeeded) for n in waiting):
            self.day.shuffler.table = self.table
            self.day.wait(self.day.casino.dealer.act(self.place))
            self.day.shuffler.table = None
            return
        if any(isinstance(n, DrawNeeded) for n in waiting):
            who = self.day.on_duty(ActorRank.PIT_MANAGER)
            pick = self.day.casino.dealer.pick(self.place, who=who, rank=ActorRank.PIT_MANAGER)
            self.day.wait(pick)
            return
        if any(isinstance(n, DecisionNeeded) and n.holds for n in waiting):
            if self.day.chance.random() < 0.1:
                self._report()
            else:
                self.decide()
        elif self.day.chance.random() < self.day.trouble:
            self._report()
        else:
            self._play()

    def decide(self) -> None:
        """Answer a question: by any offered option, and plainly if that cannot be carried out."""
        self.day.decide(self.place, self._detail)
        self._thinks_again()

    def _thinks_again(self) -> None:
        """Now and then what was ruled is taken back before anything else happens."""
        if self.day.chance.random() < 2 * self.day.trouble:
            self.give(c.UndoRuling(reason="on reflection"), MANAGER)

    def _detail(self, key: str, kind: str, need: DecisionNeeded) -> Any:
        state = self.table.state
        match key, kind:
            case _, "box" | "seat":
                return self.pick([1, 2, 3, 5])
            case _, "seats":
                return [self.pick([2, 4])]
            case _, "number":
                return self.pick([1, 2, 3])
            case _, "money":
                return self.pick(AMOUNTS)
            case "player", _:
                return self.pick(sorted(state.sitting.values()) or ["Ann"])
            case "policy", _:
                return self.pick(sorted(self.table.book.policies))
            case "value", _:
                return self.pick(["keep", "reset", "void-round"])
            case "bet" | "to", _:
                return self.pick(BETS)
            case "order", _:
                return self.pick(["1 2", "2 1"])
            case "line", _:
                return self.pick(["4.2.minor.flush", "4.2.major.four-of-a-kind"])
            case _:
                return "?"

    # -- play --------------------------------------------------------------------------------

    def _play(self) -> None:
        table, state = self.table, self.table.state
        window = state.window()
        if state.phase == "closed":
            self._put_right()
        elif state.phase == "between rounds":
            self._between_rounds()
        elif state.phase == "bets open":
            self._bets()
        elif window is not None and self.day.chance.random() < self.day.trouble:
            self._odd_later_chips(window)
        elif (window is not None and self._decisions()) or self._shows():
            return
        elif (act := table.next_act()) is not None:
            self._deal(act)
        else:
            self._stands_still()

    def _between_rounds(self) -> None:
        self._guests()
        if any(isinstance(n, DecisionNeeded) for n in self.table.state.waiting):
            self.decide()
            return
        if self.table.state.jackpot_failed() and self.day.chance.random() < 0.2:
            self._put_right()
        if not isinstance(self.give(c.CallForBets()), tuple):
            self._put_right()

    def _guests(self) -> None:
        state, chance = self.table.state, self.day.chance
        for player in sorted(state.safekeeping):
            if chance.random() < 0.5:
                self.give(c.HandOver(player=player))
        for number in (1, 2, 3, 5):
            who = state.sitting.get(number)
            if who is None and (number < 4 or chance.random() < 0.1):
                who = self.day.guest(self.place, number)
                if who in state.sitting.values():
                    continue
                self.give(c.Sit(box=number, player=who, chips=RACK), PLAYER, who)
            elif who is not None and chance.random() < 0.02:
                self.give(c.Leave(player=who), PLAYER, who)
            elif who is not None and state.racks.get(who, 0) + state.net.get(who, 0) < 300_000:
                self.give(c.AddChips(player=who, chips=RACK), PLAYER, who)

    def _put_right(self) -> None:
        """The jackpot works again, and a table that was closed is opened."""
        state = self.table.state
        link = self.day.link_of(self.place)
        if link is not None:
            link.put_right()
        if state.whole_failed or state.failed_boxes:
            self.give(r.ReportJackpotRepaired(), MANAGER)
        if state.next_rounds == "close table":
            self.give(c.ReopenTable(), MANAGER)

    def _bets(self) -> None:
        state, chance = self.table.state, self.day.chance
        if state.boxes and chance.random() < 0.25:
            self.give(c.CloseBets())
            return
        for number in (1, 2, 3, 5):
            who = self.table.player_at(number)
            if who is None:
                continue
            if state.notice and who not in (*state.told, *state.accepted):
                self.give(c.AcceptNotice(player=who), PLAYER, who)
            box = state.boxes.get(number)
            if box is None or not box.ante:
                self.give(c.PlaceAnte(box=number, amount=self.pick([2_500, 5_000])), PLAYER, who)
            if chance.random() < 0.3:
                self.give(c.PlaceBonus(box=number, amount=500), PLAYER, who)
            if chance.random() < 0.6:
                self.give(c.PlaceProgressive(box=number), PLAYER, who)
            if chance.random() < 2 * self.day.trouble:
                self._odd_chips(self.pick([number, 4]), who)
            if chance.random() < self.day.trouble:
                asked = c.PlaceAnte(box=4, amount=2_500, player=who)  # at his request (5.22)
                self.give(asked, self.pick([DEALER, PLAYER]), None)
            if chance.random() < 0.03:
                bet = self.pick(["ante", "bonus", "progressive"])
                self.give(c.WithdrawBet(box=number, bet=bet), PLAYER, who)

    def _odd_chips(self, number: int, who: str) -> None:
        """Chips of a wrong size, or without an Ante; the dealer notices them or does not."""
        bet: Any = self.pick(["ante", "bonus", "progressive"])
        chips = c.ReportChips(box=number, bet=bet, amount=self.pick(WRONG[bet]), player=who)
        if isinstance(self.give(chips), tuple) and self.pick([True, False]):
            self.give(c.NoticeBet(box=number, bet=bet))

    def _odd_later_chips(self, window: Any) -> None:
        """A Flop, Turn or River bet of a wrong size."""
        for number in self.table.taken_seats():
            amount = self.pick([300, 60_000])
            chips = c.ReportChips(box=number, bet=window, amount=amount)
            if isinstance(self.give(chips), tuple):
                if self.pick([True, False, False]):
                    self.give(c.NoticeBet(box=number, bet=window))
                return

    def _decisions(self) -> bool:
        """One player does something that is offered to him; False if nobody can."""
        places = self.table.taken_seats()
        for number in self.day.chance.sample(places, len(places)):
            offered = list(offered_commands(self.table, number))
            who = self.table.player_at(number)
            if not offered or who is None:
                continue
            acts = [a for a in offered if not isinstance(a, Look | c.Fold)] or offered
            act = self.pick([*acts * 2, *offered])
            assert isinstance(self.give(act, PLAYER, who), tuple), act
            return True
        return False

    def _shows(self) -> bool:
        """Somebody refuses to show, or tables his cards, though it is not his turn to act."""
        if self.day.chance.random() > 0.05:
            return False
        return self._decisions()

    def _deal(self, act: Command) -> None:
        """The dealer's next act: at a table that is dealt by hand he errs now and then."""
        if self.table.state.settings.dealing == "automatic":
            self.day.wait(self.day.casino.dealer.act(self.place))
            return
        if self.day.chance.random() < self.day.trouble:
            wrong = self._wrong(act)
            if isinstance(self.give(wrong), tuple):
                return
        if not isinstance(self.give(act), tuple):
            self._cannot_go_on()

    def _cannot_go_on(self) -> None:
        """What was dealt wrongly stops the round in the end: then it is found, and reported."""
        state = self.table.state
        found: list[Command] = [
            r.ReportWrongCount(box=number, cards=len(box.cards))
            for number, box in sorted(state.boxes.items())
            if box.standing in ("in", "in for the finish") and len(box.cards) != 2
        ]
        if len(state.board) != 5:
            found.append(r.ReportWrongCount(community=len(state.board)))
        if len(state.dealer) != 2:
            found.append(r.ReportWrongCount(dealer=len(state.dealer)))
        for report in found:
            if isinstance(self.give(report), tuple):
                return
        says = "The round cannot go on."
        answer = self.give(c.CallForRuling(about="uncovered", says=says))
        assert isinstance(answer, tuple), answer
        [need] = [n for n in self.table.state.waiting if isinstance(n, DecisionNeeded) and n.holds]
        void = Decide(decision=need.decision, option="void round", reason="so ruled")
        answer = self.give(void, MANAGER)
        assert isinstance(answer, tuple), answer

    def _wrong(self, act: Command) -> Command:
        burn = self.pick([True, False])
        boxes = [n for n, box in sorted(self.table.state.boxes.items()) if box.ante]
        match act:
            case c.DealHoleCards():
                shuffler = self.table.state.settings.device == "shuffler"
                order = boxes if shuffler else boxes * 2
                order = self.pick([order[1:] + order[:1], [*order, order[0]], order[:-1]])
                return c.DealHoleCards(burn=burn, order=tuple(order))
            case c.DealFlop():
                return c.DealFlop(burn=burn, count=self.pick([2, 3, 4]))
            case c.DealTurn():
                return c.DealTurn(burn=burn, count=self.pick([1, 2]))
            case c.DealRiver():
                return c.DealRiver(burn=burn, count=self.pick([1, 2]))
            case c.DealDealer():
                return c.DealDealer(count=self.pick([1, 3]))
            case c.DealCommunity():
                return c.DealCommunity(count=self.pick([4, 6]))
            case _:
                return act

    def _stands_still(self) -> None:
        """Nothing is due: the link is asked for, or the House for a ruling."""
        link = self.day.link_of(self.place)
        if link is not None and link.pays():
            return
        if any(isinstance(n, DecisionNeeded) for n in self.table.state.waiting):
            self.decide()
            return
        self.waited += 1
        if self.waited % 5 == 0:
            self.give(c.CallForRuling(about="uncovered", says="Nothing goes on."), DEALER)
            return
        self._put_right()
        assert self.waited < 500, f"{self.place} stands still: {self.table.facts()}"

    # -- what goes wrong ---------------------------------------------------------------------

    def _report(self) -> None:
        """A report; what was not seen yet on this day comes first."""
        fresh = any(box.cards for box in self.table.state.boxes.values())
        if fresh and not self.table.state.looked() and self.day.chance.random() < 0.3:
            # Some errors weigh more before anybody has looked (5.8.2, 5.8.6, 5.9).
            made = self._reported(self.pick(["ReportExposed", "ReportWrongDeal"]))
            if made is not None:
                self.give(*made)
            return
        if self.day.chance.random() < 0.05:
            self._claims_misplaced()
        missing = sorted(self.day.missing(self.table.book.id))
        if missing and self.day.chance.random() < 0.6:
            kind = self.pick(missing)
        else:
            kind = self.pick(sorted(each.__name__ for each in IRREGULARITIES))
        made = self._reported(kind)
        if made is not None:
            command, rank, who = made
            self.give(command, rank, who)
            self._thinks_again()

    def _reported(self, kind: str) -> tuple[Command, ActorRank, str | None] | None:
        state = self.table.state
        boxes = sorted(state.boxes) or [1]
        box = self.pick(boxes)
        player = self.table.player_at(box)
        some = tuple(sorted({self.pick(boxes), box}))
        made: Command | None
        match kind:
            case "ReportForeignCard" | "ReportNotEnoughCards" | "ReportNotShuffled":
                made = getattr(r, kind)(round=self._round())
            case "ReportDeckCount":
                made = r.ReportDeckCount(count=self.pick([51, 53]), round=self._round())
            case "ReportExposed":
                made = self._exposed(box)
            case "ReportWrongDeal":
                moves = {} if len(some) < 2 or self.pick([True, False]) else _swapped(some)
                made = r.ReportWrongDeal(affected=some, moves=moves)
            case "ReportWrongCount":
                made = self.pick(
                    [
                        r.ReportWrongCount(box=box, cards=self.pick([1, 3]), affected=some),
                        r.ReportWrongCount(community=self.pick([4, 6])),
                        r.ReportWrongCount(dealer=self.pick([1, 3])),
                    ]
                )
            case "ReportMissedBurn":
                before = self.pick(["hole cards", "flop", "turn", "river"])
                made = r.ReportMissedBurn(before=before)
            case "ReportDealingError":
                made = r.ReportDealingError(says="a card fell", affected=self.pick([(), some]))
            case "ReportFaceUpCard":
                order = state.shoe.order if state.shoe is not None else ()
                made = r.ReportFaceUpCard(card=order[0]) if order else None
            case "ReportDrawnTogether":
                made = self.pick(
                    [r.ReportDrawnTogether(boxes=some), r.ReportDrawnTogether(community=(1, 2))]
                )
            case "ReportExtraLook":
                return self._looks_at_two()
            case "ReportCardsGone":
                made = r.ReportCardsGone(box=box)
            case "ReportWalkAway":
                made = r.ReportWalkAway(player=player) if player is not None else None
            case "ReportInterruption":
                made = r.ReportInterruption(says="a power failure")
            case "ReportJackpotFault":
                hit = self.pick([(), (2,)])
                bets = [n for n in boxes if n in state.boxes and state.boxes[n].progressive]
                made = r.ReportJackpotFault(boxes=hit, unregistered=self.pick([(), tuple(bets)]))
            case "ReportJackpotRepaired":
                return r.ReportJackpotRepaired(), MANAGER, None
            case "ReportChips":
                made = c.ReportChips(
                    box=box, bet=self.pick(BETS), amount=self.pick(AMOUNTS), player=player
                )
            case "NoticeBet":
                made = c.NoticeBet(box=box, bet=self.pick(BETS))
            case "RefuseToShow":
                made = c.RefuseToShow(box=box)
            case "CallForRuling":
                about = self.pick(["uncovered", "interpretation"])
                made = c.CallForRuling(about=about, says="A guest complains.")
            case "UndoRuling":
                return c.UndoRuling(reason="a mistake"), MANAGER, None
            case "ReopenTable":
                return c.ReopenTable(), MANAGER, None
            case "AcceptNotice":
                return self._accepts_notice()
            case "HandOver":
                kept = sorted(state.safekeeping)
                walks = r.ReportWalkAway(player=player) if player is not None else None
                made = c.HandOver(player=self.pick(kept)) if kept else walks
            case _:
                raise AssertionError(f"nobody here can give {kind}")
        return None if made is None else (made, DEALER, None)

    def _looks_at_two(self) -> tuple[Command, ActorRank, str | None] | None:
        """A player with two boxes looks at both hands."""
        held: dict[str, list[int]] = {}
        for number, box in sorted(self.table.state.boxes.items()):
            held.setdefault(box.player, []).append(number)
        for who, numbers in held.items():
            if len(numbers) > 1:
                self.give(Look(seat=numbers[0]), PLAYER, who)
                return r.ReportExtraLook(box=numbers[1]), DEALER, None
        return None

    def _claims_misplaced(self) -> None:
        """A player says that his chips were meant for another spot: no table hears that (5.20)."""
        for number, box in sorted(self.table.state.boxes.items()):
            claim = c.ClaimMisplacedBet(box=number, lies="ante", meant="bonus")
            assert isinstance(self.give(claim, PLAYER, box.player), Refused | str)

    def _round(self) -> int | None:
        """Mostly this round, else one before it."""
        return self.pick([None, None, max(1, self.table.state.round - 1)])  # type: ignore[no-any-return]

    def _exposed(self, box: int) -> Command:
        state = self.table.state
        cards = state.boxes[box].cards if box in state.boxes else []
        unknown = (Card.UNKNOWN,)
        return self.pick(  # type: ignore[no-any-return]
            [
                r.ReportExposed(boxes={box: tuple(cards[:1]) or unknown}),
                r.ReportExposed(boxes={box: tuple(cards[:2]) or unknown}),
                r.ReportExposed(community=unknown),
                r.ReportExposed(dealer=unknown),
            ]
        )

    def _accepts_notice(self) -> tuple[Command, ActorRank, str | None] | None:
        """Somebody who comes while a notice is displayed must accept it."""
        state = self.table.state
        who = f"Latecomer {self.place}"
        if not state.notice:
            return r.ReportJackpotFault(), DEALER, None
        if who not in state.sitting.values() and 6 not in state.sitting:
            self.give(c.Sit(box=6, player=self.day.account(who), chips=RACK), PLAYER, who)
        return c.AcceptNotice(player=who), PLAYER, who


def _swapped(boxes: tuple[int, ...]) -> dict[int, int]:
    first, last = boxes[0], boxes[-1]
    return {first: last, last: first}


class DayOfLink:
    """A jackpot link and the two managers who look after it."""

    def __init__(self, day: Day, place: str) -> None:
        self.day = day
        self.place = place
        self.pick = day.chance.choice

    @property
    def link(self) -> JackpotLink:
        link = self.day.casino.conversation(self.place)
        assert isinstance(link, JackpotLink)
        return link

    def give(self, command: Command, who: str = "Sam") -> tuple[Any, ...] | Refused | str:
        return self.day.give(self.place, command, MANAGER, who)

    def pays(self) -> bool:
        """Answer what the link asks, or pay its claims; False if there are none."""
        state = self.link.state
        if state.waiting:
            self.day.decide(self.place, self._detail)
            return True
        return bool(state.claims) and isinstance(self.give(j.PayClaims()), tuple)

    def _detail(self, key: str, kind: str, need: DecisionNeeded) -> Any:
        assert (key, kind) == ("order", "text"), need
        claims = [claim.name for claim in self.link.state.claims]
        return " ".join(claims)

    def put_right(self) -> None:
        """It works again and takes stakes."""
        state = self.link.state
        if state.failed:
            self.give(j.RepairLink(reason="signal"))
        if state.closed:
            self.give(j.ReopenLink())

    def step(self) -> None:
        """Something of what managers do at a controller."""
        state = self.link.state
        if state.waiting or (state.claims and self.day.chance.random() < 0.3):
            self.pays()
            return
        counts = {
            name: self.day.casino.table(name).state.stakes_told for name in sorted(state.tables)
        }
        proposals: list[Command] = [
            j.ProposeParameters(reason="more", contribution=self.pick([100, 150])),
            j.ProposeCorrection(reason="a count", by=self.pick([-100, 100])),
        ]
        for number, proposal in state.proposals.items():
            if proposal.kind == "termination":
                continue  # the day goes on: nobody approves it
            if self.day.chance.random() < 0.5:  # two people: the other one approves
                self.give(j.Approve(proposal=number), "Max" if proposal.who == "Sam" else "Sam")
                return
        if state.closed and self.day.chance.random() < 0.5:
            ending = j.ProposeTermination(destination="the House", reason="the licence ends")
            rare = self.day.chance.random() < 0.1
            self.give(ending if rare else proposals[0])
            return
        doing: list[Command] = [
            j.ShowDisplay(),
            j.Reconcile(counts=counts),
            j.ReportLinkFault(reason="no signal"),
            j.RepairLink(reason="signal"),
            j.CloseLink(),
            j.ReopenLink(),
            *proposals,
        ]
        self.give(self.pick(doing), self.pick(["Sam", "Max"]))
