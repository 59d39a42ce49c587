"""The banked table: its rooms put together, what is offered and due, and what must always hold."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, NoReturn

from msgspec import Struct

from croupier.banked import (
    betting,
    calls,
    candidates,
    chips,
    choices,
    claims,
    conduct,
    counting,
    dealing,
    decisions,
    device,
    drawn_together,
    exposing,
    faults,
    irregularities,
    misdeals,
    questions,
    reconstruction,
    reporting,
    restoring,
    ruled_cards,
    ruled_chips,
    ruling_checks,
    rulings,
    seating,
    settlement,
    showing,
    undoing,
    voiding,
)
from croupier.banked.asked import QUESTIONS
from croupier.banked.commands import (
    AddChips,
    CallForBets,
    Check,
    CloseBets,
    FlopBet,
    Fold,
    NoticeBet,
    PlaceAnte,
    PlaceBonus,
    PlaceProgressive,
    RefuseToShow,
    ReportChips,
    RiverBet,
    Sit,
    TableCards,
    TurnBet,
    WithdrawBet,
)
from croupier.banked.facts import BankedFacts
from croupier.banked.facts_of import facts_of, named_facts
from croupier.banked.lines import PayTables
from croupier.banked.offers import offers_of
from croupier.banked.reports import ReportExtraLook
from croupier.banked.settings import BankedSettings
from croupier.banked.state import BankedState, Status
from croupier.banked.view import BankedView, view_of
from croupier.rulebooks import Rulebook, Topic
from croupier.table import (
    BrokenTable,
    Command,
    Decide,
    DecisionNeeded,
    Event,
    Offer,
    OpenTable,
    Order,
    Question,
    Refused,
    Room,
    Table,
    Viewer,
)
from croupier.table.acting import Acts, heard
from croupier.table.conversation import State
from croupier.table.refusal import Refusal

CALLS: dict[str, Command] = {"between rounds": CallForBets(), "bets open": CloseBets()}
"""The calls that open and close the bets of a round."""


SEEN_ACTS: Acts = {
    ReportChips: (Topic.CHIP_POSITION_GOVERNS,),
    NoticeBet: (Topic.OVER_MAXIMUM_IN_TIME, Topic.UNDER_MINIMUM_IN_TIME),
    ReportExtraLook: (Topic.EXTRA_HAND_EXAMINED,),
}
"""What a player was seen to do with chips and cards, reported by the dealer (5.1 to 5.4, 5.18)."""
OWN_ACTS: Acts = dict.fromkeys(
    (
        PlaceAnte,
        PlaceBonus,
        PlaceProgressive,
        WithdrawBet,
        Fold,
        FlopBet,
        TurnBet,
        RiverBet,
        Check,
        RefuseToShow,
        TableCards,
    ),
    (Topic.PIT_EMPLOYEE,),
)
"""What a player does with chips and cards by his own command."""


class BankedTable(Table[BankedState]):
    """One table of Progressive Texas Hold'em v6 or Multi-Link Progressive v2 or v3."""

    rooms: ClassVar[tuple[Room, ...]] = (
        seating.seating,
        calls.calls,
        candidates.candidates,
        betting.betting,
        chips.chips,
        dealing.dealing,
        decisions.decisions,
        showing.showing,
        questions.questions,
        settlement.settlement,
        claims.claims,
        reporting.reporting,
        irregularities.irregularities,
        exposing.exposing,
        misdeals.misdeals,
        counting.counting,
        restoring.restoring,
        device.device,
        drawn_together.drawn_together,
        conduct.conduct,
        choices.choices,
        reconstruction.reconstruction,
        voiding.voiding,
        faults.faults,
        rulings.rulings,
        ruled_cards.ruled_cards,
        ruled_chips.ruled_chips,
        undoing.undoing,
    )
    may_ask: ClassVar[tuple[Question, ...]] = QUESTIONS
    state_type: ClassVar[type[State]] = BankedState
    counts_every_chip: ClassVar[bool] = False
    settings_type: ClassVar[type[Struct]] = BankedSettings

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book)
        self.pays = self.by_book[PayTables]
        self.whole_board = self.pays.jackpot_cards.whole_board
        self.multiples = {bet: self.by_book[size] for bet, size in betting.SIZES.items()}
        """What Flop, Turn and River bets are in Antes."""

    # -- citing and refusing -----------------------------------------------------------------

    def refuse_citing(self, topics: tuple[str, ...], says: str) -> NoReturn:
        """Refuse on the strength of several topics."""
        raise Refusal(Refused(self.cite(*topics), says))

    # -- opening -----------------------------------------------------------------------------

    def check_opening(self, settings: Struct, order: Order[OpenTable]) -> None:
        assert isinstance(settings, BankedSettings)
        calls.check_settings(self, settings)

    def begin(self, settings: Struct) -> None:
        assert isinstance(settings, BankedSettings)
        self.state.settings = settings
        self._hear()

    def _hear(self) -> None:
        """Hear what players do as they act here."""
        acting = self.state.settings.acting
        self._deciders = heard(self.whole.commands, acting, seen=SEEN_ACTS, own=OWN_ACTS)
        self.entered_by_dealer = OWN_ACTS if acting == "seen" else ()

    @classmethod
    def restore(cls, book: Rulebook, snapshot: bytes) -> BankedTable:
        again = super().restore(book, snapshot)
        assert isinstance(again, BankedTable)
        again._hear()
        return again

    def check_answer(self, asked: DecisionNeeded, answer: Decide) -> None:
        ruling_checks.check_answer(self, asked, answer)

    # -- applying ----------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """A ruling can be undone while nothing has happened since: keep where it began."""
        kind = type(event)
        if self.state.undo is not None or kind in undoing.BEGINS:
            undoing.watch(self, event)
        function = self.whole.events.get(kind)
        if function is None:
            raise BrokenTable(f"{kind.__name__} is no event of a banked table")
        function(self, event)
        self.check()

    def check(self) -> None:
        """Money is conserved, no stake is negative, and no card is in two places."""
        state = self.state
        layout = signs = held = 0
        for box in state.boxes.values():
            ante, bonus, progressive = box.ante, box.bonus, box.progressive
            flop, turn, river = box.flop, box.turn, box.river
            layout += ante + bonus + progressive + flop + turn + river
            signs |= ante | bonus | progressive | flop | turn | river
            held += len(box.cards)
        assert signs >= 0, "a stake is negative"  # one negative number makes the whole so
        total = sum(state.net.values()) + state.gone + layout + state.house - state.from_meter
        if state.safekeeping:
            total += sum(state.safekeeping.values())
        assert total == 0, f"money is not conserved: {total} cents too much"
        shoe = state.shoe
        if shoe is not None:
            held += len(state.board) + len(state.dealer) + len(state.thrown)
            if state.stray:
                held += sum(map(len, state.stray.values()))
            assert len(shoe.drawn) == held, f"{len(shoe.drawn)} cards drawn, {held} on the table"
            assert len(shoe.burnt) == len(state.burns), "burnt cards do not agree with the shoe"

    def holdings(self) -> dict[str, int]:
        """Counted racks, the stakes on the layout, what is kept safe, and the House's bank here.

        What a link has paid to players of the table counts against it until the link is asked.
        """
        state = self.state
        net = state.net
        held = {
            f"chips/{player}": rack + net.get(player, 0) for player, rack in state.racks.items()
        }
        for player, amount in state.safekeeping.items():
            held[f"safekeeping/{player}"] = amount
        layout = 0
        for box in state.boxes.values():  # asked after every command
            layout += box.ante + box.bonus + box.progressive + box.flop + box.turn + box.river
        held["layout"] = layout
        held["bank"] = state.house
        held["awards"] = -state.from_meter
        return held

    def buying(self, command: Command) -> tuple[str, int] | None:
        match command:
            case Sit(player=player, chips=int(chips)) | AddChips(player=player, chips=chips):
                return player, chips
            case _:
                return None

    # -- what a table tells ------------------------------------------------------------------

    def player_at(self, seat: int) -> str | None:
        box = self.state.boxes.get(seat)
        return box.player if box is not None else self.state.sitting.get(seat)

    def taken_seats(self) -> list[int]:
        return sorted(self.state.sitting.keys() | self.state.boxes.keys())

    def status(self) -> Status:
        return self.state.phase if self.state.opened else "not open"

    def playing(self) -> bool:
        return self.state.phase not in ("between rounds", "closed")

    def next_call(self) -> Command | None:
        return CALLS.get(self.state.phase)

    def due(self) -> Command | None:
        if self.state.settings.dealing != "automatic":
            return None
        return self.next_act()

    def next_act(self) -> Command | None:
        """What a dealer who errs in nothing does next, also at a hand-dealt table."""
        if any(getattr(need, "holds", True) for need in self.state.waiting):
            return None
        return dealing.next_act(self)

    def offers(self, seat: int) -> list[Offer]:
        return offers_of(self, seat)

    def facts(self) -> BankedFacts:
        return facts_of(self)

    def named_facts(self, names: Collection[str]) -> dict[str, Any]:
        return named_facts(self, names)

    def view(self, viewer: Viewer) -> BankedView:
        return view_of(self, viewer)
