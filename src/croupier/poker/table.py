"""The poker table: its rooms put together, what is offered, what is due, where a round goes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.poker.actions import actions
from croupier.poker.asked import QUESTIONS
from croupier.poker.base import PokerTableBase
from croupier.poker.betting import open_betting, options
from croupier.poker.blinds import blinds, straddle_amount, straddler
from croupier.poker.button import button, drawing
from croupier.poker.calling import call_again, calling
from croupier.poker.commands import (
    AllIn,
    Bet,
    Call,
    CallForBlinds,
    Check,
    Cut,
    DealFlop,
    DealForButton,
    DealHoleCards,
    DealRiver,
    DealTurn,
    DeclineStraddle,
    FlipMarker,
    Fold,
    Muck,
    PostBlind,
    PostBlinds,
    Raise,
    Settle,
    ShowHand,
    ShowHands,
    Shuffle,
    StartGame,
    Straddle,
    Street,
    TurnUp,
)
from croupier.poker.dealing import dealing, next_street
from croupier.poker.deck import deck
from croupier.poker.effects import effects
from croupier.poker.facts import PokerFacts, facts_of, named_facts
from croupier.poker.final_round import BETTING_ROUNDS, SHOWDOWN_TRIGGER, betting_goes_on
from croupier.poker.irregularities import rooms as irregularities
from croupier.poker.irregularities.commands import DealAgain
from croupier.poker.irregularities.dealing_again import street_again
from croupier.poker.irregularities.following import follow_up
from croupier.poker.irregularities.memory import is_remembered, remembering
from croupier.poker.irregularities.streets import was_burnt
from croupier.poker.opening import check_settings
from croupier.poker.pots import close_betting, pots
from croupier.poker.remedies import remedies, street_of
from croupier.poker.seating import seating
from croupier.poker.settings import PokerSettings
from croupier.poker.settlement import settlement
from croupier.poker.showdown import begin_showdown, must_show, showdown
from croupier.poker.state import DUE, Phase, PokerState, RoundState
from croupier.poker.view import PokerView, view_of
from croupier.poker.wagers import ReportWager, wagers
from croupier.rulebooks import Rulebook, Topic
from croupier.table import (
    BrokenTable,
    Command,
    DecisionNeeded,
    Event,
    Offer,
    OpenTable,
    Order,
    Question,
    Room,
    Viewer,
)
from croupier.table.acting import Acts, heard
from croupier.table.conversation import State

DUE_COMMANDS: dict[Phase, Command] = {
    "drawing for the button": DealForButton(),
    "between rounds": Shuffle(),
    "cutting": Cut(),
    "blinds": PostBlinds(),
    "dealing": DealHoleCards(),
    "flop due": DealFlop(),
    "turn due": DealTurn(),
    "river due": DealRiver(),
    "marker due": FlipMarker(),
    "showdown": ShowHands(),
    "settling": Settle(),
}
"""What the dealer does next in each phase, where that needs no judgement."""
CALLS: dict[Phase, Command] = {"open": StartGame(), "ready": CallForBlinds()}
"""The calls with which a game and a Round of play begin."""
ASKING = frozenset(
    ("drawing for the button", "dealing", "flop due", "turn due", "river due", "showdown")
)
"""Phases in which it is due on a condition: that nobody may straddle, that cards are known."""
AFTER_ROUND: dict[int, Street] = {1: "flop", 2: "turn", 3: "river"}


SEEN_ACTS: Acts = {ReportWager: (Topic.WORDS_AND_CHIPS, Topic.BETTING_ROUND)}
"""What a player was seen to do, reported by the dealer."""
OWN_ACTS: Acts = dict.fromkeys(
    (
        PostBlind,
        Straddle,
        DeclineStraddle,
        Check,
        Bet,
        Call,
        Raise,
        AllIn,
        Fold,
        ShowHand,
        Muck,
    ),
    (Topic.PIT_EMPLOYEE, Topic.BETTING_ROUND),
)
"""What a player does with chips and cards by his own command."""


def _burnt_already(round_: RoundState | None, command: Command | None) -> Command | None:
    """The street that is due by hand: whoever has burnt before it burns no second card (1.9)."""
    street = None if round_ is None else next_street(round_)
    if not isinstance(command, DealFlop | DealTurn | DealRiver) or street is None:
        return command
    assert round_ is not None
    return structs.replace(command, burn=False) if was_burnt(round_, street) else command


class PokerTable(PokerTableBase):
    """One poker table under No Limit Hold'em v8 or Poker v5."""

    rooms: ClassVar[tuple[Room, ...]] = (
        seating,
        button,
        deck,
        calling,
        blinds,
        dealing,
        actions,
        effects,
        pots,
        showdown,
        settlement,
        remedies,
        wagers,
        *irregularities.ROOMS,
    )
    may_ask: ClassVar[tuple[Question, ...]] = QUESTIONS
    state_type: ClassVar[type[State]] = PokerState
    settings_type: ClassVar[type[Struct]] = PokerSettings

    # -- settings ----------------------------------------------------------------------------

    def check_opening(self, settings: Struct, order: Order[OpenTable]) -> None:
        assert isinstance(settings, PokerSettings)
        check_settings(self, settings, order.when)

    def _take_settings(self, settings: PokerSettings) -> None:
        super()._take_settings(settings)
        self._deciders = heard(self.whole.commands, settings.acting, seen=SEEN_ACTS, own=OWN_ACTS)
        self.entered_by_dealer = OWN_ACTS if settings.acting == "seen" else ()
        self.remember_actions(not self.automatic or is_remembered(self))

    def remember_actions(self, remember: bool) -> None:
        """Remember Actions from now on, or no more: it costs time, so only where it is needed."""
        self._appliers = remembering(self.appliers) if remember else self.appliers

    @classmethod
    def restore(cls, book: Rulebook, snapshot: bytes) -> PokerTable:
        again = super().restore(book, snapshot)
        assert isinstance(again, PokerTable)
        again._take_settings(again.state.settings)
        return again

    def emit(self, event: Event) -> None:
        self._emitted.append(event)
        self._appliers[type(event)](self, self.state.round, event)
        self.check()

    def apply(self, event: Event) -> None:
        function = self._appliers.get(type(event))
        if function is None:
            raise BrokenTable(f"{type(event).__name__} is no event of this table")
        function(self, self.state.round, event)
        self.check()

    def follow_up(self, order: Order[Any]) -> None:
        self.follow()

    def follow(self) -> None:
        """What is pending after an irregularity and has become due."""
        round_ = self.state.round
        if round_ is not None and round_.irregular is not None:
            follow_up(self)

    # -- who is who --------------------------------------------------------------------------

    def turn(self) -> int | None:
        round_ = self.state.round
        if round_ is None:
            return None
        if self.state.phase == "betting":
            return round_.betting.to_act[0] if round_.betting.to_act else None
        if self.state.phase == "showdown":
            return round_.to_show[0] if round_.to_show else None
        return None

    def offers(self, seat: int) -> list[Offer]:
        """Exactly what the player at a seat may do in the round now."""
        state = self.state
        round_ = state.round
        if round_ is None or (state.waiting and self.is_held()):
            return []
        match state.phase:
            case "blinds" if seat in round_.owes:
                return [Offer(do="post blind")]
            case "dealing" if round_.straddle_open and straddler(self) == seat:
                to = straddle_amount(self)
                return [
                    Offer(do="straddle", word="to", least=to, most=to),
                    Offer(do="decline straddle"),
                ]
            case "betting" if round_.betting.to_act and round_.betting.to_act[0] == seat:
                return options(self, seat)
            case "showdown" if seat in round_.to_show:
                shows = [Offer(do="show hand")] if self.has_a_hand(seat) else []
                if round_.to_show[0] == seat and not must_show(self, round_, seat):
                    shows.append(Offer(do="muck"))
                return shows
        return []

    def is_held(self) -> bool:
        """Whether the table waits for chance or for a decision that holds it."""
        waiting = self.state.waiting
        if waiting and not isinstance(waiting[0], DecisionNeeded):
            return True  # chance always holds it
        return any(not isinstance(need, DecisionNeeded) or need.holds for need in waiting)

    def may_straddle(self) -> bool:
        """Whether somebody is offered a straddle now."""
        round_ = self.state.round
        return round_ is not None and round_.open and round_.straddle_open

    # -- where a round goes next -------------------------------------------------------------

    def due_phase(self, street: Street) -> Phase:
        """The phase in which a street is due."""
        return DUE[street]

    def phase_after(self, round_: RoundState, number: int) -> Phase:
        """Where a round goes when a Betting Round is over, or could not be held."""
        if number == self.by_book[BETTING_ROUNDS]:
            marker = self.by_book[SHOWDOWN_TRIGGER].game_marker
            return "marker due" if marker else "showdown"
        laid = round_.flop if number == 1 else round_.turn if number == 2 else round_.river
        street = AFTER_ROUND[number]
        if not laid or (round_.irregular is not None and round_.irregular.waits_for(street)):
            return DUE[street]
        if round_.down and any(card in round_.down for card in laid):
            return "face down"
        return self._over_an_early_street(round_, number + 1)

    def _over_an_early_street(self, round_: RoundState, number: int) -> Phase:
        """A street that was dealt early lies there already: its Betting Round opens."""
        if betting_goes_on(self, round_):
            open_betting(self, round_, number)
            return "betting"
        return self.phase_after(round_, number)

    def after_shuffle(self) -> Phase:
        """Where the deck being ready leads: to the call, or after a Misdeal to the Blinds."""
        round_ = self.state.round
        return "blinds" if round_ is not None and round_.open else "ready"

    def betting_is_over(self, round_: RoundState) -> bool:
        """Whether nobody who still has a turn has anything to decide."""
        to_act = round_.betting.to_act
        if len(to_act) != 1:
            # Two who have a turn have chips left: only a last one can have nothing to decide.
            return not to_act
        last = round_.players[to_act[0]]
        return last.bet >= round_.betting.price and not self.somebody_can_bet(round_)

    def move_on(self, round_: RoundState) -> None:
        """After cards were dealt or chips gathered: close what is over, begin the showdown."""
        phase = self.state.phase
        if phase == "betting":
            if self.betting_is_over(round_):
                close_betting(self, round_)
        elif phase == "showdown" and not round_.show_order:
            begin_showdown(self, round_)

    def call_again(self) -> None:
        """Withdraw the call for Blinds and make it anew."""
        call_again(self)

    # -- the dealer's next act ---------------------------------------------------------------

    def due(self) -> Command | None:
        state = self.state
        if state.waiting and self.is_held():
            return None
        phase = state.phase
        command = DUE_COMMANDS.get(phase)
        if phase not in ASKING:
            return command
        round_ = state.round
        if phase == "dealing":
            return None if round_ is not None and round_.straddle_open else command
        if phase == "showdown":
            regular = self.knows_its_cards and round_ is not None and round_.irregular is None
            return command if regular or self.hands_can_be_shown() else None
        if state.settings.shoe != "virtual":
            return None
        if phase == "drawing for the button":
            return command if len(drawing(self)) > 1 else None
        if round_ is not None and round_.irregular is not None and street_again(round_) is not None:
            return DealAgain()
        return command if self.automatic else _burnt_already(round_, command)

    def next_call(self) -> Command | None:
        return CALLS.get(self.state.phase)

    def due_reported(self) -> Command | None:
        """The street that is due; of a real shoe its cards must be reported with it."""
        command = DUE_COMMANDS.get(self.state.phase)
        if not isinstance(command, DealFlop | DealTurn | DealRiver):
            return None
        round_ = self.state.round
        if round_ is not None and (street := street_again(round_)) is not None:
            # What had stayed face down of it is turned up, and named, before the rest is dealt.
            return TurnUp() if Card.UNKNOWN in street_of(round_, street) else DealAgain()
        return command if self.automatic else _burnt_already(round_, command)

    # -- showing -----------------------------------------------------------------------------

    def facts(self) -> PokerFacts:
        return facts_of(self)

    def named_facts(self, names: Collection[str]) -> dict[str, Any]:
        return named_facts(self, names)

    def view(self, viewer: Viewer) -> PokerView:
        return view_of(self, viewer)
