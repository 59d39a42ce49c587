"""What Version 9 does that no shipped book does: three procedures, one function each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from croupier.pit import GAMES
from croupier.pit.poker import POKER
from croupier.poker.betting import after
from croupier.poker.blinds import STRADDLE_SEATS, StraddleSeats
from croupier.poker.irregularities.events import ExposedInDeal
from croupier.poker.irregularities.exposed import ONE_EXPOSED
from croupier.poker.irregularities.reporting import note
from croupier.poker.settlement import ODD_CHIPS
from croupier.poker.state import RoundState
from croupier.poker.table import PokerTable
from croupier.rulebooks import Topic, load_file

HERE = Path(__file__).parent
BOOK = "no-limit-holdem-v9"


def best_position_first(winners: list[int]) -> Iterable[int]:
    """4.5.1: winners come in the order of the deal, and the last of them acts last."""
    return reversed(winners)


def any_seat(table: PokerTable, played: RoundState) -> tuple[int, ...]:
    """3.10.2: clockwise from the left of the Big Blind, which is asked last."""
    return after(played.order, played.big_blind)


def stays(
    table: PokerTable, played: RoundState, recorded: ExposedInDeal, what: str, stopped: int
) -> None:
    """5.5: the card is his, and all have seen it."""
    table.emit(recorded)
    note(table, what, "It stays with its Player.", table.paragraphs(Topic.ONE_CARD_EXPOSED))


def register() -> None:
    """Add the three ways, then the book that chooses them."""
    ODD_CHIPS.add(
        "best-position", best_position_first, "One each, the winner in the best position first."
    )
    STRADDLE_SEATS.add(
        "any-seat",
        StraddleSeats(of=any_seat, refusal="Seat {seat} is asked for a straddle first."),
        "Any Player, asked clockwise from the left of the Big Blind.",
    )
    ONE_EXPOSED.add("stays", stays, "It stays with its Player, and all may see it.")
    GAMES.register(load_file(HERE / f"{BOOK}.toml"), POKER)


def forget() -> None:
    """As before; for tests, which share a process with others."""
    GAMES.forget(BOOK)
    ODD_CHIPS.forget("best-position")
    STRADDLE_SEATS.forget("any-seat")
    ONE_EXPOSED.forget("stays")
