"""A poker table of the gaming day: random play, with everything that can go wrong at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from croupier.cards import Card
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.poker.irregularities import commands as reports
from croupier.poker.irregularities.rooms import ROOMS
from croupier.poker.positions import can_play
from croupier.poker.wagers import ReportWager, wagers
from croupier.table import (
    ActorRank,
    Command,
    DecisionNeeded,
    DrawNeeded,
    Look,
    Refused,
    ShuffleNeeded,
)
from tests.poker.errant_table import ErrantTable, NobodyLeft

if TYPE_CHECKING:
    from tests.house.gaming_day import Day

STAKES = (15_000, 40_000, 200_000)
PLAYER = ActorRank.PLAYER
STREETS = (poker.DealFlop, poker.DealTurn, poker.DealRiver, reports.DealAgain)

IRREGULARITIES: tuple[type[Command], ...] = tuple(
    command for room in (wagers, *ROOMS) for command in room.commands
)
"""Every command with which something irregular is reported or put right, from the rooms."""


class DayOfPoker(ErrantTable):
    """Everybody at one poker table; what they do goes through the House."""

    def __init__(self, day: Day, place: str) -> None:  # the casino has opened the table
        self.day = day
        self.place = place
        self.pick = day.chance.choice
        settings = self.table.state.settings
        self.by_hand = settings.dealing == "by-hand"
        self.real = settings.shoe == "reported"
        self.seen_by_all = set()
        self.patience = 0

    @property
    def table(self) -> PokerTable:  # type: ignore[override]
        table = self.day.casino.table(self.place)
        assert isinstance(table, PokerTable)
        return table

    # -- giving commands ---------------------------------------------------------------------

    def give(
        self, command: Command, rank: ActorRank = ActorRank.SHIFT_MANAGER, who: str = "staff"
    ) -> tuple[Any, ...] | Refused | str:
        who = self.day.on_duty(rank) if who == "staff" else who
        return self.day.give(self.place, command, rank, who)

    def must(self, command: Command) -> None:
        """What is due is accepted; a street only if what was dealt before it lies rightly."""
        answer = self.give(command)
        if not isinstance(answer, tuple):
            assert self.by_hand, f"{self.place}: {command}: {answer}"
            assert isinstance(command, STREETS), f"{self.place}: {command}: {answer}"
            self._plain_end()

    def answer_chance(self) -> bool:
        for need in self.table.state.waiting:
            if isinstance(need, ShuffleNeeded):
                self.day.wait(self.day.casino.dealer.act(self.place))
                return True
            if isinstance(need, DrawNeeded):
                who, rank = self.day.on_duty(ActorRank.PIT_MANAGER), ActorRank.PIT_MANAGER
                self.day.wait(self.day.casino.dealer.pick(self.place, who=who, rank=rank))
                return True
        return False

    def play(self) -> None:
        if self.table.state.phase == "cutting" and not self.by_hand and not self.table.is_held():
            self.day.wait(self.day.casino.dealer.act(self.place))  # nobody cuts there but the House
        else:
            super().play()

    # -- one step ----------------------------------------------------------------------------

    def step(self) -> None:
        phase = self.table.state.phase
        if phase in ("open", "between rounds", "ready"):
            self._between_rounds()
        if phase == "open":
            self.give(poker.StartGame())
            return
        if phase == "drawing for the button" and not self.table.is_held():
            drawing = [sitter for sitter in self.table.state.seats.values() if can_play(sitter)]
            if len(drawing) < 2:  # somebody has gone since the game was started
                self._between_rounds(everybody=True)
                return
            self.must(poker.DealForButton(cards=self.faces(len(drawing))))
            return
        if self.day.chance.random() < self.day.trouble:
            self.go_wrong()
            return
        try:
            self.play()
        except NobodyLeft:
            self.patience += 1
            assert self.patience < 50, f"{self.place} cannot go on: {self.table.facts()}"
            self._between_rounds(everybody=True)
        else:
            self.patience = 0

    def _between_rounds(self, *, everybody: bool = False) -> None:
        """Guests come, go, move, bring more, sit out and come back."""
        table, chance = self.table, self.day.chance
        if table.is_held():
            return
        if table.state.waiting:
            self.decide()  # somebody waits to be let in
        for number in range(1, 7):
            seat = table.state.seats.get(number)
            if seat is None:
                if everybody or chance.random() < 0.3 or len(table.state.seats) < 3:
                    self._sits_down(number, self.day.guest(self.place, number))
                continue
            who = seat.player
            if seat.stake < 10_000 and (everybody or chance.random() < 0.7):
                self.give(poker.TopUp(seat=number, amount=self.pick(STAKES)), PLAYER, who)
            elif everybody or chance.random() < 0.05:
                self.give(poker.ReturnToSeat(seat=number), PLAYER, who)
            elif chance.random() < 0.02:
                away = self.pick([True, False])
                self.give(poker.SitOut(seat=number, returns=away), PLAYER, who)
            elif chance.random() < 0.02:
                self.give(poker.Leave(seat=number), PLAYER, who)
        if table.state.settings.rake and table.state.settings.rake.timed and chance.random() < 0.1:
            for number in list(table.state.seats):
                self.give(poker.CollectTimedRake(seat=number), ActorRank.DEALER)

    def _sits_down(self, number: int, who: str) -> None:
        """By himself, or brought from another table by a Pit Employee."""
        if self.day.chance.random() < 0.2:
            self.day.relocate(self.place, number)
        else:
            self.give(poker.Sit(seat=number, player=who, stake=self.pick(STAKES)), PLAYER, who)

    # -- decisions and dealing ---------------------------------------------------------------

    def decide(self) -> bool:
        self.day.decide(self.place, self._detail_of)
        if self.day.chance.random() < 2 * self.day.trouble:
            self.give(reports.UndoRuling(reason="on reflection"))
        return True

    def _detail_of(self, key: str, kind: str, need: DecisionNeeded) -> Any:
        return (
            self._as_it_lies() if need.question == "the street as it lies" else self._detail(kind)
        )

    def _deal(self) -> None:
        """By hand, rightly or wrongly; half of what went wrong is found at once."""
        super()._deal()
        if self.asked() or self.answer_chance():
            return
        if self._wrong_hands() and self.pick([True, False]):
            self._wrong_count_found()
        elif self.pick([True, False]):
            fitting = self._fitting(self.pick(self.table.taken_seats()), 0)
            if fitting:
                self.give(self.pick(fitting))

    # -- what goes wrong ---------------------------------------------------------------------

    def go_wrong(self) -> None:
        """A scene that can be played now, what was not seen yet on this day, or anything."""
        if self.answer_chance() or not self.table.taken_seats():
            return
        if self.asked():
            super().go_wrong()
            return
        scenes = self._scenes()
        missing = self.day.missing(self.table.book.id)
        chosen = self.day.chance.random()
        if scenes and chosen < 0.5:
            self.pick(scenes)()
        elif missing and chosen < 0.8:
            made = self._missing(self.pick(sorted(missing)))
            if made is not None:
                self.give(made)
        else:
            super().go_wrong()

    def _scenes(self) -> list[Callable[[], None]]:
        """What could happen at this moment of the round."""
        state, played = self.table.state, self.table.state.round
        if played is None or not played.open:
            return []
        scenes: list[Callable[[], None]] = []
        if self._wrong_hands():
            scenes += [self._wrong_count_found] * 3
        if state.phase in ("showdown", "settling"):
            scenes.append(self._interrupted)
        if state.phase == "betting":
            if not played.acts:
                scenes += [self._misdeal] * 3
            if self.by_hand and not played.down:
                scenes.append(self._early_card)
            scenes += [self._out_of_turn, self._passed_over, self._shown_to_somebody]
        return scenes

    def _interrupted(self) -> None:
        self.give(reports.ReportInterruption())

    def _misdeal(self) -> None:
        """What makes a Misdeal is noticed before anybody has acted."""
        seat = self.pick(self.table.taken_seats())
        played = self.table.state.round
        assert played is not None
        lacking: Any = self.pick(["shuffle", "cut"])
        what: Any = self.pick(["wrong seats", "hand left out", "extra hand"])
        unseen = [
            number
            for number, held in played.players.items()
            if held.active and held.cards and Card.UNKNOWN not in held.cards
        ]
        one = {number: tuple(played.players[number].cards[:1]) for number in unseen[:1]}
        two = {number: tuple(played.players[number].cards[:1]) for number in unseen[:2]}
        report = self.pick(
            [
                reports.ReportExposedInCut(cards=(Card("As"),)),
                reports.ReportUnprepared(lacking=lacking),
                reports.ReportWrongDeal(what=what, seen=self.pick([None, True, False])),
                reports.ReportExposed(cards=one),
                reports.ReportExposed(cards=two),
                reports.ReportWrongCount(seat=seat, count=1 if self.real else None),
            ]
        )
        if self.pick([True, False]):
            self.looks()
        self.give(report)

    def _early_card(self) -> None:
        """The dealer turns up the next street while the betting is still open."""
        played = self.table.state.round
        assert played is not None
        kinds = [poker.DealFlop, poker.DealTurn, poker.DealRiver]
        if played.betting.number > len(kinds):
            return
        kind = kinds[played.betting.number - 1]
        self.give(kind(faces=self.faces(kind().count, after=1)))
        self.give(reports.ReportEarlyCards())

    def _out_of_turn(self) -> None:
        """Somebody checks, bets or folds before it is his turn, and is noticed."""
        others = [seat for seat in self.table.taken_seats() if seat != self.table.turn()]
        seat = self.pick(others)
        words: Any = self.pick(["check", "check", "bet", "call", "fold", "raise"])
        figure = self.pick([2_000, 5_000]) if words in ("bet", "raise") else None
        self.give(ReportWager(seat=seat, words=words, figure=figure))

    def _passed_over(self) -> None:
        """Somebody acts before a player, nobody notices, others act, and then he complains."""
        played, passed = self.table.state.round, self.table.turn()
        assert played is not None
        if passed is None or len(played.betting.to_act) < 2:
            return
        words: Any = self.pick(["check", "call", "call"])
        out_of_turn = ReportWager(seat=played.betting.to_act[1], words=words, unnoticed=True)
        self.give(out_of_turn)
        for _ in range(self.pick([0, 1, 2, 3, 5])):
            seat = self.table.turn()
            if self.table.is_held() or self.table.state.phase != "betting" or seat is None:
                break
            self.must(self._action(seat))
        streets_due = ("flop due", "turn due", "river due")
        if self.table.state.phase in streets_due and not self.table.is_held():
            self._deal()  # v8 5.14.1: he notices in the next Betting Round
        self.give(reports.ReportSkipped(seat=passed))

    def _wrong_hands(self) -> list[int]:
        """The seats that have a wrong number of cards."""
        played = self.table.state.round
        players = played.players if played is not None and played.open else {}
        return [n for n, held in players.items() if held.active and len(held.cards) not in (0, 2)]

    def _wrong_count_found(self) -> None:
        """Somebody counts the cards of a player."""
        seat = self.pick(self._wrong_hands())
        when = self.pick(["at once", "others have folded", "others have acted"])
        if when == "others have folded":
            self._others_fold(seat)  # v8 5.6.3: he alone is left
        elif when == "others have acted":
            self._others_act(seat)  # v8 5.6.1: he has not
        self.give(reports.ReportWrongCount(seat=seat))

    def _others_act(self, seat: int) -> None:
        for _ in range(12):
            turn = self.table.turn()
            if self.table.is_held() or self.table.state.phase != "betting" or turn in (None, seat):
                return
            self.must(self._stays_in(turn))

    def _others_fold(self, seat: int) -> None:
        for _ in range(12):
            turn = self.table.turn()
            if self.table.is_held() or self.table.state.phase != "betting" or turn is None:
                return
            self.must(poker.Fold(seat=turn) if turn != seat else self._stays_in(turn))

    def _stays_in(self, seat: int) -> Command:
        may = {offer.do for offer in self.table.offers(seat)}
        return poker.Check(seat=seat) if "check" in may else poker.Call(seat=seat)

    def _shown_to_somebody(self) -> None:
        self.give(self._shown(self.pick(self.table.taken_seats())))

    def _missing(self, kind: str) -> Command | None:
        """A report of one kind, with details that may be true here."""
        seat = self.pick(self.table.taken_seats())
        match kind:
            case "ReportWager":
                return self._wager(seat)
            case "ReportShown":
                return self._shown(seat)
            case "UndoRuling":
                return reports.UndoRuling(reason="a slip")
            case "ReportExposedInCut":
                return reports.ReportExposedInCut(cards=(Card("As"),))
            case "ReportDeck":
                return reports.ReportDeck(count=self.pick([51, 53]))
            case "ReportShoe":
                return reports.ReportShoe(left=self.pick([None, 0, 3]))
            case "ReportExposed":
                return self._exposed(seat)
            case _:
                fitting = [r for r in self._fitting(seat, 0) if type(r).__name__ == kind]
                return self.pick(fitting) if fitting else self._plain(kind, seat)

    def _exposed(self, seat: int) -> Command:
        played = self.table.state.round
        held = played.players.get(seat) if played is not None else None
        cards = {seat: tuple(held.cards[:1])} if held is not None and held.cards else {}
        return reports.ReportExposed(cards=self.pick([{}, cards]))

    def _plain(self, kind: str, seat: int) -> Command | None:
        values: dict[str, Any] = {}
        made = getattr(reports, kind)
        if "seat" in made.__struct_fields__:
            values["seat"] = seat
        if "says" in made.__struct_fields__:
            values["says"] = "Something odd"
        if kind == "ReportUnprepared":
            values["lacking"] = self.pick(["shuffle", "cut"])
        if kind == "DealAgain" and self.real:
            return None
        return made(**values)  # type: ignore[no-any-return]

    def looks(self) -> None:
        """Somebody looks at his cards."""
        played = self.table.state.round
        for number, hand in (played.players if played is not None else {}).items():
            who = self.table.player_at(number)
            if hand.cards and hand.active and not hand.looked and who is not None:
                self.give(Look(seat=number), PLAYER, who)
                return

    def asked(self) -> bool:
        """Whether somebody must decide before anything else."""
        return any(isinstance(n, DecisionNeeded) and n.holds for n in self.table.state.waiting)
