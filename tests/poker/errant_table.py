"""A table at which everything goes wrong: random play with dealing errors, reports and rulings.

Chance comes from one source of choices, so that hypothesis can shrink a failure. After every
command the log is applied to a shadow table, which must be equal, and every viewer's view is
searched for cards that it may not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from croupier.cards import DECK, Card
from croupier.poker import PokerTable
from croupier.poker.commands import (
    STREETS,
    AllIn,
    Bet,
    Burn,
    Call,
    CallForBlinds,
    Check,
    DealFlop,
    DealForButton,
    DealHoleCards,
    DealRiver,
    DealTurn,
    DeclineStraddle,
    Fold,
    Muck,
    Raise,
    ShowHand,
    Sit,
    StartGame,
    Straddle,
    TurnUp,
)
from croupier.poker.dealing import CARDS_DUE, street_face_down
from croupier.poker.events import ButtonCardDealt, ButtonCardsCollected, ButtonWon
from croupier.poker.irregularities import commands as reports
from croupier.poker.irregularities.dealing_again import street_again
from croupier.poker.irregularities.events import ShownToAll
from croupier.poker.irregularities.streets import was_burnt
from croupier.poker.remedies import street_of
from croupier.poker.wagers import ReportWager
from croupier.rulebooks import load
from croupier.table import (
    AUDITOR,
    PUBLIC,
    ActorRank,
    BadCommand,
    Command,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Event,
    GiveDraw,
    GiveShuffle,
    Look,
    OpenTable,
    Order,
    Refused,
    ShuffleNeeded,
    player,
)

T = TypeVar("T")
Pick = Callable[[list[Any]], Any]
"""Chooses one of a list."""

NAMES = ("", "Ann", "Ben", "Cho", "Dev", "Eli", "Fay")
IN_THE_DRAW = (ButtonCardDealt, ButtonWon, ButtonCardsCollected)
"""The cards of the draw lie open and are gone within one command."""
WHEN = {
    "no-limit-holdem-v8": datetime(2024, 8, 1, 12, tzinfo=UTC),
    "poker-v5": datetime(2018, 1, 1, 12, tzinfo=UTC),
}


class ErrantTable:
    """The table, its shadow, and what everybody could have seen so far."""

    def __init__(self, pick: Pick, book: str, *, by_hand: bool = True, real: bool = False) -> None:
        self.pick = pick
        self.when = WHEN[book]
        loaded = load(book)
        self.table = PokerTable(loaded)
        self.shadow = PokerTable(loaded)
        self.log: list[Event] = []
        self.seen_by_all: set[Card] = set()
        self.by_hand = by_hand
        self.real = real
        settings: dict[str, Any] = {
            "seats": 6,
            "layout": "A",
            "sign": True,
            "rake": {"percent": 5, "cap": 5000},
            "minimum_stake": 100,
            "dealing": "by-hand" if by_hand else "automatic",
            "shoe": "reported" if real else "virtual",
        }
        if book == "no-limit-holdem-v8":
            settings |= {"maximum_stake": 1_000_000, "straddle": pick([True, False])}
        self.must(OpenTable(table="T", settings=settings, policies=self._policies()))
        for seat in range(1, pick([2, 3, 4, 6]) + 1):
            stake = pick([1500, 4000, 20000, 100000])
            self.must(Sit(seat=seat, player=NAMES[seat], stake=stake))
        self.must(StartGame())

    def _policies(self) -> dict[str, str]:
        policies = self.table.book.policies
        return {name: self.pick(sorted(policy.values)) for name, policy in policies.items()}

    # -- a real shoe -------------------------------------------------------------------------

    def faces(self, count: int, after: int = 0) -> tuple[Card, ...]:
        """Cards as they might come out of a real shoe: where one is known, that one."""
        shoe = self.table.state.shoe
        if not self.real or shoe is None:
            return ()
        gone = {*shoe.drawn, *shoe.burnt, *shoe.order}
        fresh = [card for card in DECK if card not in gone]
        start = self.pick(list(range(7)))
        fresh = fresh[start:] + fresh[:start]
        upcoming = shoe.order[after : after + count]
        return tuple(card if card.is_known else fresh.pop(0) for card in upcoming)

    def unseen(self, cards: list[Card]) -> tuple[Card, ...]:
        """Cards that lay face down, turned up: a real one turns out to be some card."""
        if not self.real or Card.UNKNOWN not in cards:
            return ()
        shoe = self.table.state.shoe
        assert shoe is not None
        gone = {*shoe.drawn, *shoe.burnt, *shoe.order}
        fresh = [card for card in DECK if card not in gone]
        return tuple(card if card.is_known else fresh.pop(0) for card in cards)

    # -- giving commands ---------------------------------------------------------------------

    def must(self, command: Command) -> None:
        answer = self.give(command)
        assert isinstance(answer, tuple), answer

    def give(
        self, command: Command, rank: ActorRank = ActorRank.SHIFT_MANAGER, who: str = "staff"
    ) -> tuple[Event, ...] | Refused | str:
        """Give a command; whatever comes of it, the table is whole and its log replays."""
        before = self.table.snapshot()
        self._see()
        try:
            answer = self.table.handle(Order(command=command, who=who, rank=rank, when=self.when))
        except BadCommand as error:
            assert self.table.snapshot() == before, f"an error changed the table: {command}"
            return str(error)
        if isinstance(answer, Refused):
            assert answer.cites, f"a refusal without a paragraph: {command}: {answer}"
            assert answer.says
            assert self.table.snapshot() == before, f"a refusal changed the table: {command}"
            return answer
        self._see()
        for event in answer:
            self._check_masked(event)
            text = msgspec.json.encode(event)
            self.shadow.apply(PokerTable.read_event(text))
        self.log += answer
        assert self.shadow.state == self.table.state, f"the log does not replay: {command}"
        self.check_views()
        self.table.facts()
        return answer

    # -- what may be seen --------------------------------------------------------------------

    def _see(self) -> None:
        """Keep what lies open for all; a whole new shuffle hides everything."""
        state = self.table.state
        if state.shoe is None or not (state.shoe.drawn or state.shoe.burnt):
            self.seen_by_all.clear()
        view = self.table.view(PUBLIC)
        self.seen_by_all.update(view.board)
        for seat in view.seats.values():
            self.seen_by_all.update(card for card in seat.cards if card.is_known)
            if seat.face_up is not None:
                self.seen_by_all.add(seat.face_up)

    def _check_masked(self, event: Event) -> None:
        shown = self.table.show(event, PUBLIC)
        if shown is None or isinstance(event, IN_THE_DRAW):
            return
        if isinstance(event, ShownToAll):
            self.seen_by_all.update(event.cards)  # a folded hand, too, when its time has come
        leaked = _cards_in(msgspec.to_builtins(shown)) - self.seen_by_all
        assert not leaked, f"{shown} tells {leaked}"

    def check_views(self) -> None:
        state = self.table.state
        played = state.round
        hidden = set(state.shoe.order) if state.shoe is not None else set()
        if played is not None and played.open:
            hidden |= {burnt.card for burnt in played.burns} - self.seen_by_all
            hidden |= set(played.down) | set(played.aside)
        for viewer in (PUBLIC, AUDITOR, *(player(s.player) for s in state.seats.values())):
            view = self.table.view(viewer)
            assert not (hidden & set(view.board) - self.seen_by_all), "the board tells too much"
            if played is None or not played.open:
                continue
            for number, seat in view.seats.items():
                held = played.players.get(number)
                for card in seat.cards:
                    assert held is not None
                    if not card.is_known:
                        continue
                    own = viewer.who == seat.player and held.looked
                    assert own or held.shown or card in held.exposed, f"{viewer} sees {card}"

    # -- chance ------------------------------------------------------------------------------

    def answer_chance(self) -> bool:
        """Answer a shuffle or a draw that the table waits for."""
        for need in self.table.state.waiting:
            if isinstance(need, ShuffleNeeded):
                cards = list(need.cards)
                turn = self.pick(list(range(1, 8)))
                mixed = cards[turn::7] + [c for i in range(7) if i != turn % 7 for c in cards[i::7]]
                order = tuple(dict.fromkeys([*mixed, *cards]))
                self._must_house(GiveShuffle(need=need.need, cards=order))
                return True
            if isinstance(need, DrawNeeded):
                left = list(range(need.among))
                picks = [left.pop(self.pick(list(range(len(left))))) for _ in range(need.pick)]
                self._must_house(GiveDraw(need=need.need, picks=tuple(picks)))
                return True
        return False

    def _must_house(self, command: Command) -> None:
        answer = self.give(command, ActorRank.HOUSE, "house")
        assert isinstance(answer, tuple), answer

    # -- decisions ---------------------------------------------------------------------------

    def decide(self) -> bool:
        """Answer the first decision: at random, and plainly if that cannot be carried out."""
        for need in self.table.state.waiting:
            if isinstance(need, DecisionNeeded):
                options = [o for o in need.options if o.name != "void"] or list(need.options)
                option = self.pick([*options, *need.options])
                details = {key: self._detail(kind) for key, kind in option.asks.items()}
                if need.question == "the street as it lies":
                    details = {"cards": self._as_it_lies()}
                said = Decide(
                    decision=need.decision, option=option.name, details=details, reason="so ruled"
                )
                if "card" in details:
                    self.seen_by_all |= _cards_in(details)  # it was named aloud
                rank = need.of if isinstance(need.of, ActorRank) else ActorRank.DEALER
                if not isinstance(self.give(said, rank), tuple):
                    plain = next(o.name for o in need.options if not o.asks)
                    again = Decide(decision=need.decision, option=plain, reason="so ruled")
                    answer = self.give(again, rank)
                    assert isinstance(answer, tuple), answer
                return True
        return False

    def _as_it_lies(self) -> str:
        """How a street lies after the scramble at a real shoe: old cards first, then new ones."""
        played = self.table.state.round
        assert played is not None
        assert played.irregular is not None
        plan = played.irregular.scramble
        assert plan is not None
        lying = list(played.aside)
        turn = self.pick(list(range(len(lying))))
        lying = (lying[turn:] + lying[:turn])[: plan.board]
        old = list(self.unseen(lying) or lying)
        new = list(self.faces(CARDS_DUE[plan.street] - plan.board))
        fresh = [card for card in self.faces(10) if card not in old]
        new = [card if card not in old else fresh.pop() for card in new]
        return " ".join(card.value for card in (*old, *new))

    def _detail(self, kind: str) -> Any:
        match kind:
            case "seat":
                return self.pick([1, 2, 3, 4, 9])
            case "money":
                return self.pick([1, 5, 40, 1000])
            case "card":
                board = self.table.board()
                return str(self.pick([*board, Card("As")]).value)
            case "cards":
                return " ".join(card.value for card in self.faces(self.pick([1, 2])))
            case "number":
                return self.pick([0, 1, 2, 3])
            case _:
                name = self.pick(sorted(self.table.book.policies))
                return self.pick([name, *sorted(self.table.book.policy(name).values)])

    # -- playing on --------------------------------------------------------------------------

    def play(self) -> None:
        """One step of play: what is due, rightly or wrongly, or a legal Action."""
        table = self.table
        state = table.state
        if self.answer_chance():
            return
        if any(isinstance(n, DecisionNeeded) and n.holds for n in state.waiting):
            self.decide()
            return
        seat = table.turn()
        if state.phase == "dealing" and table.may_straddle():
            straddler = next(s for s in table.taken_seats() if table.offers(s))
            self.must(self.pick([Straddle(seat=straddler), DeclineStraddle(seat=straddler)]))
        elif state.phase == "betting" and seat is not None:
            self.must(self._action(seat))
        elif state.phase == "showdown" and seat is not None:
            assert state.round is not None
            cards = self.unseen(state.round.players[seat].cards)
            command = self.pick([ShowHand(seat=seat, cards=cards), Muck(seat=seat), None])
            if command is None or not isinstance(self.give(command), tuple):
                self._plain_end()
        elif state.phase == "ready":
            if not isinstance(self.give(CallForBlinds()), tuple):
                raise NobodyLeft
        elif state.phase == "face down":
            assert state.round is not None
            _, count = street_face_down(state.round)
            self.must(TurnUp(faces=self.unseen(state.round.down[:count])))
        elif self.by_hand and state.phase in ("dealing", "flop due", "turn due", "river due"):
            self._deal()
        else:
            due = table.due()
            if state.phase == "drawing for the button":
                due = DealForButton(cards=self.faces(len(table.taken_seats())))
            assert due is not None, state.phase
            if not isinstance(self.give(due), tuple):
                self._plain_end()

    def _plain_end(self) -> None:
        """The hand cannot go on as it is (a wrong count at the showdown): somebody rules."""
        self.must(reports.ReportIrregularity(says="The round cannot go on"))
        need = next(
            n for n in self.table.state.waiting if isinstance(n, DecisionNeeded) and n.holds
        )
        self.must(Decide(decision=need.decision, option="void", reason="so ruled"))

    def _action(self, seat: int) -> Command:
        offers = self.table.offers(seat)
        offer = self.pick(offers[:1] * 6 + offers)  # mostly a Check or a Call
        plain = {"check": Check, "call": Call, "all in": AllIn, "fold": Fold}
        if offer.do in plain:
            return plain[offer.do](seat=seat)  # type: ignore[no-any-return]
        step = self.table.smallest_chip
        middle = offer.least + (offer.most - offer.least) // 2 // step * step
        to = self.pick([offer.least, middle, offer.most])
        return (Bet if offer.do == "bet" else Raise)(seat=seat, to=to)

    def _deal(self) -> None:
        """Deal by hand: rightly, or without a burn, too many cards, face down, to wrong seats."""
        state = self.table.state
        played = state.round
        assert played is not None
        if state.phase == "dealing":
            due = list(played.order * 2)
            wrong = self.pick(["no", "no", "no", "no", "more", "fewer", "shifted"])
            if wrong == "more":
                due.append(self.pick(due))
            elif wrong == "fewer":
                due.pop()
            elif wrong == "shifted":
                due = due[1:] + due[:1]
            exposed = self.pick([(), (), (), (1,), (1, 2)])
            self.must(DealHoleCards(to=tuple(due), exposed=exposed))
            return
        again = street_again(played)
        if again is not None:
            if Card.UNKNOWN in street_of(played, again):
                _, count = street_face_down(played)
                self.must(TurnUp(faces=self.unseen(played.down[:count])))
            lacking = CARDS_DUE[again] - len(street_of(played, again))
            burns = not was_burnt(played, again) and self.table.burn_for(played, again) is None
            self.must(reports.DealAgain(faces=self.faces(lacking, after=int(burns))))
            return
        kind = {"flop due": DealFlop, "turn due": DealTurn, "river due": DealRiver}[state.phase]
        right = kind().count
        burn = self.pick([True, True, False])
        count = self.pick([right, right, max(1, right - 1), right + 1, right + 2, right + 3])
        street = kind.__name__.removeprefix("Deal").lower()
        stored = self.table.burn_for(played, street)
        turn_up = self.pick([True, True, False])
        faces = self.faces(count, after=int(burn and stored is None)) if turn_up else ()
        self.must(kind(burn=burn, count=count, turn_up=turn_up, faces=faces))

    # -- what goes wrong ---------------------------------------------------------------------

    def go_wrong(self) -> None:
        """A report, an early card, an act out of turn, a look: whatever comes of it."""
        if self.answer_chance():
            return
        state = self.table.state
        seats = self.table.taken_seats()
        seat = self.pick(seats)
        choice = self.pick(
            [
                "report",
                "report",
                "wager",
                "wager",
                "early card",
                "look",
                "shown",
                "undo",
                "own",
                "decide",
            ]
        )
        match choice:
            case "report":
                report = self._report(seat)
                if isinstance(report, reports.ReportExposed):
                    for cards in report.cards.values():
                        self.seen_by_all.update(cards)  # so it is said
                self.give(report)
            case "wager":
                self.give(self._wager(seat))
            case "early card" if state.phase == "betting":
                kind = self.pick([DealFlop, DealTurn, DealRiver, Burn])
                if kind is Burn:
                    self.give(Burn())
                else:
                    up = self.pick([True, False])
                    faces = self.faces(kind().count, after=1) if up else ()
                    self.give(kind(turn_up=up, faces=faces))
            case "look":
                self.give(Look(seat=seat), ActorRank.PLAYER, state.seats[seat].player)
            case "shown":
                self.give(self._shown(seat))
            case "undo":
                self.give(reports.UndoRuling(reason="a slip"))
            case "own":
                self.give(Raise(seat=seat, to=self.pick([1, 2000, 5000])))
            case "decide":
                self.decide()
            case _:
                pass

    def _report(self, seat: int) -> Command:
        stopped = self.pick([0, 0, 0, 1])
        fitting = self._fitting(seat, stopped)
        if fitting and self.pick([True, True, False]):
            return self.pick(fitting)  # type: ignore[no-any-return]
        makers: list[Command] = [
            reports.ReportInterruption(),
            reports.ReportForeignCard(),
            reports.ReportDeck(count=self.pick([51, 52])),
            reports.ReportShoe(),
            reports.ReportExposedInCut(stopped=stopped),
            reports.ReportUnprepared(lacking="cut", stopped=stopped),
            reports.ReportExposed(stopped=stopped),
            reports.ReportWrongDeal(
                what=self.pick(["wrong seats", "hand left out", "extra hand"]), stopped=stopped
            ),
            reports.ReportWrongCount(
                seat=seat, count=self.pick([1, 3]) if self.real else None, stopped=stopped
            ),
            reports.ReportMissingBurn(stopped=stopped, street=self.pick([None, *STREETS])),
            reports.ReportEarlyCards(),
            reports.ReportSurplusCards(stopped=stopped, street=self.pick([None, *STREETS])),
            reports.ReportMissingCards(stopped=stopped),
            reports.ReportSkipped(seat=seat, stopped=stopped),
            reports.ReportIrregularity(says="Something odd"),
            reports.DealAgain(),
        ]
        return self.pick(makers)  # type: ignore[no-any-return]

    def _fitting(self, seat: int, stopped: int) -> list[Command]:
        """Reports of what really went wrong in this round."""
        played = self.table.state.round
        if played is None or not played.open:
            return []
        found: list[Command] = []
        for deviation in played.deviations:
            if "burn" in deviation:
                found.append(reports.ReportMissingBurn(stopped=stopped))
            elif "early" in deviation:
                found.append(reports.ReportEarlyCards())
            elif "cards on" in deviation:
                found += [
                    reports.ReportSurplusCards(stopped=stopped),
                    reports.ReportMissingCards(stopped=stopped),
                    reports.DealAgain(faces=self.faces(1)),
                ]
            elif "wrongly" in deviation:
                found += [
                    reports.ReportWrongDeal(what="hand left out", stopped=stopped),
                    *(
                        reports.ReportWrongCount(seat=number, stopped=stopped)
                        for number, held in played.players.items()
                        if held.active and len(held.cards) != 2
                    ),
                ]
            elif "exposed" in deviation:
                found += [
                    reports.ReportExposed(stopped=stopped),
                    *(
                        reports.ReportExposed(cards={number: (held.cards[-1],)}, stopped=stopped)
                        for number, held in played.players.items()
                        if held.cards and held.cards[-1].is_known
                    ),
                ]
        if played.irregular is not None:
            found += [reports.ReportSkipped(seat=skip.seat) for skip in played.irregular.skips]
        return found

    def _wager(self, seat: int) -> Command:
        words = self.pick(["", "check", "bet", "call", "raise", "all in", "fold"])
        figure = self.pick([None, 500, 2000, 10000]) if words in ("", "bet", "raise") else None
        return ReportWager(
            seat=self.pick([seat, self.table.turn() or seat]),
            words=words,
            figure=figure,
            gesture=self.pick(["", "", "tap", "cards forward"]),
            chips=self.pick([(), (500,), (2500,), (500, 500), (2500, 100, 100), (10000,)]),
            later=self.pick([(), (), (500,)]),
            first=self.pick(["words", "chips", "together"]),
            clear=self.pick([True, True, False]),
            then_folds=self.pick([False, False, False, True]),
            unnoticed=self.pick([False, True]),
        )

    def _shown(self, seat: int) -> Command:
        played = self.table.state.round
        held = played.players.get(seat) if played is not None else None
        cards = tuple(held.cards) if held is not None else ()
        cards = self.unseen(list(cards)) or cards
        shown = self.pick([cards, cards[:1], (Card("As"),)])
        to = self.pick([(), tuple(s for s in self.table.taken_seats() if s != seat)[:1]])
        return reports.ReportShown(seat=seat, cards=shown, to=to)


class NobodyLeft(Exception):
    """No two players have chips any more: the story ends."""


def _cards_in(plain: Any) -> set[Card]:
    """Every card that is named in plain values."""
    if isinstance(plain, dict):
        return set().union(*(_cards_in(v) for v in plain.values()))
    if isinstance(plain, list | tuple):
        return set().union(*(_cards_in(v) for v in plain))
    if isinstance(plain, str) and plain in _CODES:
        return {Card(plain)}
    return set()


_CODES = {card.value for card in Card if card.is_known}
