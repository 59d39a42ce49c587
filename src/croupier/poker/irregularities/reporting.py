"""What all reports share: who may report, what is noted, and who confirms a Void or a Misdeal.

Any Pit Employee reports facts, the table states what follows, and a Pit Supervisor or above
confirms a Void or a Misdeal before it is carried out (A-63). Whether cards can be reconstructed is
for the House to say (v8 5.12.6). A report that comes too late is noted and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.poker.irregularities.events import DeckConfirmed, DeckTakenBack, IrregularityNoted
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.remedies import misdeal, void_round
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import ActorRank, BadCommand, Choice, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

reporting = Room("reporting")

CONFIRM_VOID = "confirm void"
CONFIRM_MISDEAL = "confirm misdeal"
COMPLETE_DECK = "complete deck"
NEW_CARDS = "new cards"

YES_NO = (Choice(name="yes"), Choice(name="no"))


def staff_report(table: PokerTable, order: Order[Any], topic: Topic) -> None:
    """Facts are reported by staff, and none that the table knows better."""
    table.dealer_only(order, "reports this; tell the dealer", topic)
    check_stopped(table, getattr(order.command, "stopped", 0))
    if getattr(order.command, "seen", None) is not None and table.state.settings.shoe == "virtual":
        raise BadCommand("the table knows who has looked at their cards; leave it out")


def check_stopped(table: PokerTable, stopped: int) -> None:
    """Actions that somebody tried to stop matter only to Substantial Action (v8 1.48)."""
    round_ = table.state.round
    if stopped and not table.book.has(Topic.SUBSTANTIAL_ACTION):
        raise BadCommand("under this book it does not matter which Actions were stopped")
    if stopped and (round_ is None or stopped > len(round_.actions())):
        many = "1 Action" if stopped == 1 else f"{stopped} Actions"
        raise BadCommand(f"{many} cannot have been stopped; there were not so many")


def under_way(table: PokerTable, order: Order[Any], topic: Topic) -> RoundState:
    """The Round of play that a report of staff is about."""
    staff_report(table, order, topic)
    return table.open_round(topic)


def note(table: PokerTable, what: str, says: str, cites: tuple[str, ...]) -> None:
    """Record something that leaves the round as it is."""
    table.emit(IrregularityNoted(what=what, says=says, cites=cites))


@reporting.applies(IrregularityNoted)
def noted(table: PokerTable, event: IrregularityNoted) -> None:
    if table.state.round is not None:
        irregular_of(table).notes.append(event.what)


# -- Void and Misdeal --------------------------------------------------------------------------


def propose_void(table: PokerTable, reason: str, cites: tuple[str, ...], *, deck: str = "") -> None:
    """Ask a Pit Supervisor or above to confirm that the Round of play is void."""
    table.ask(
        CONFIRM_VOID,
        f"The Round of play is void: {reason}. Every chip goes back.",
        (Choice(name="confirm"), Choice(name="reject", says="It is not as reported; play on.")),
        ActorRank.PIT_SUPERVISOR,
        cites,
        about={"reason": reason, "deck": deck},
    )


@reporting.answered(CONFIRM_VOID)
def void_confirmed(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    reason = asked.about["reason"]
    if taken.option == "reject":
        note(table, reason, "It was not confirmed; play goes on.", asked.cites)
        return
    if table.playing():
        void_round(table, reason, asked.cites)
    else:
        # Somebody has gone since, before any Blind was posted, and the call was withdrawn.
        note(table, reason, "No round is under way; settled rounds stand.", asked.cites)
    ask_for_deck(table, asked.about["deck"], reason, asked.cites)


def propose_misdeal(table: PokerTable, reason: str, cites: tuple[str, ...]) -> None:
    """Ask a Pit Supervisor or above to confirm a Misdeal."""
    table.ask(
        CONFIRM_MISDEAL,
        f"It is a Misdeal: {reason}. Bets go back, the cards are shuffled, cut and dealt again.",
        (Choice(name="confirm"), Choice(name="reject", says="It is not as reported; play on.")),
        ActorRank.PIT_SUPERVISOR,
        cites,
        about={"reason": reason},
    )


@reporting.answered(CONFIRM_MISDEAL)
def misdeal_confirmed(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    reason = asked.about["reason"]
    if taken.option == "reject":
        note(table, reason, "It was not confirmed; play goes on.", asked.cites)
    elif table.playing():
        misdeal(table, reason, asked.cites)
    else:
        table.emit(DeckTakenBack(reason=reason, cites=asked.cites))


@reporting.applies(DeckTakenBack)
def deck_taken_back(table: PokerTable, event: DeckTakenBack) -> None:
    table.state.phase = "between rounds"
    table.state.shuffled = False
    table.collect_cards()


# -- the deck of the next deal -----------------------------------------------------------------


def ask_for_deck(table: PokerTable, deck: str, reason: str, cites: tuple[str, ...]) -> None:
    """No card is dealt before a complete deck is confirmed (A-57), or new cards are in play. One
    that was ready for the next deal is not any more: it is counted, or another takes its place."""
    if deck and not table.playing() and table.state.phase in ("cutting", "ready"):
        table.emit(DeckTakenBack(reason=reason, misdeal=False, cites=cites))
    if deck == NEW_CARDS:
        table.ask(
            NEW_CARDS,
            "The cards in use come off the table. Are new cards in play?",
            (Choice(name="in play"),),
            ActorRank.DEALER,
            cites,
        )
    elif deck == COMPLETE_DECK:
        table.ask(
            COMPLETE_DECK,
            "Count the deck before the next deal: are there 52 cards, each once?",
            (Choice(name="complete"), Choice(name="new cards", says="A new deck is used.")),
            ActorRank.DEALER,
            cites,
        )


@reporting.answered(NEW_CARDS, COMPLETE_DECK)
def deck_ready(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    table.emit(DeckConfirmed(new=taken.option != "complete", cites=asked.cites))


@reporting.applies(DeckConfirmed)
def deck_confirmed(table: PokerTable, event: DeckConfirmed) -> None:
    if table.state.round is not None:
        irregular = irregular_of(table)
        irregular.notes.append("new cards" if event.new else "complete deck")
        irregular.deck_taken_up = True


# -- reconstruction ----------------------------------------------------------------------------


def ask_reconstructible(
    table: PokerTable, question: str, what: str, topics: tuple[Topic, ...], about: dict[str, Any]
) -> None:
    """Ask the House whether the cards can be put back into their intended order (v8 5.12.6)."""
    table.ask(
        question,
        f"{what}. Can the cards be put back into the order in which they were meant to fall?",
        YES_NO,
        table.state.settings.house_rank,
        table.paragraphs(Topic.HOUSE_JUDGES_RECONSTRUCTION, *topics),
        about=about,
    )


def anybody_has_seen(table: PokerTable, round_: RoundState, said: bool | None) -> bool | None:
    """Whether any player has seen his cards; None where only the staff can tell.

    Looking is a command, so a virtual shoe's table knows; at a real one somebody may have peeped.
    Cards that were shown, early or at the Showdown, have been seen.
    """
    if said or any(player.looked or player.shown for player in round_.players.values()):
        return True
    irregular = round_.irregular
    if irregular is not None and (irregular.seen or irregular.shown):
        return True
    if said is None and table.state.settings.shoe == "reported":
        return None
    return False


def any_card_exposed(round_: RoundState) -> bool:
    """Whether the dealer exposed a card in the deal, also one that was replaced since."""
    if round_.stray_exposed or any(player.exposed for player in round_.players.values()):
        return True
    return round_.irregular is not None and bool(round_.irregular.exposed)


def board_was_seen(table: PokerTable, round_: RoundState) -> bool:
    """Whether a Community Card lies face up, or lay there before it was taken back."""
    return bool(table.board()) or (round_.irregular is not None and round_.irregular.board_seen)


def ask_whether_seen(
    table: PokerTable, question: str, what: str, cites: tuple[str, ...], about: dict[str, Any]
) -> None:
    """Ask staff whether any player has seen what matters: his cards, or any card."""
    table.ask(
        question, f"Has any player seen {what}?", YES_NO, ActorRank.DEALER, cites, about=about
    )
