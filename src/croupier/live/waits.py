"""Whom a table waits for now, and what is done for him when his time is over.

Pure functions of a table: nothing here looks at a clock. What the House does for a player who does
not act is the least that keeps the game going: check before fold; in the banked games a fold at
the first decision and a check at the later ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from croupier.banked import BankedTable
from croupier.banked import commands as banked
from croupier.banked.voiding import NEXT_ROUNDS
from croupier.house.dealer import is_automatic
from croupier.jackpot import JackpotLink
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.table import (
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    StaffRank,
    Table,
)

Why = Literal["action", "straddle", "decision", "showdown"]

AVOIDS = (
    "wait",
    "withdraw",
    "take bets back",
    "muck",
    "no",
    "refuse",
)
"""Options that keep a player out of what he was asked, for one who does not answer in time."""


class Wait(Struct, frozen=True, kw_only=True):
    """Players who are waited for, and until when as far as the game goes: `key` changes with it."""

    why: Why
    places: tuple[int, ...]
    key: tuple[Any, ...]


class Question(Struct, frozen=True, kw_only=True):
    """A decision that is for the House's staff."""

    need: DecisionNeeded
    rank: StaffRank


def waits_for(table: Table[Any]) -> Wait | None:
    """The players whom the table waits for, if it does."""
    for need in table.state.waiting:
        if isinstance(need, DecisionNeeded) and need.holds:
            if isinstance(need.of, StaffRank):
                return None
            return Wait(why="decision", places=(need.of,), key=("decision", need.decision))
    match table:
        case PokerTable() | BankedTable() if table.state.settings.acting == "seen":
            return None  # the dealer enters what players do: no clock of the House acts for them
        case PokerTable():
            return _at_poker(table)
        case BankedTable():
            return _at_banked(table)
        case _:
            return None


def questions_of_staff(table: Table[Any]) -> list[Question]:
    """What the table asks of the House's staff, whether it holds the table or not."""
    return [
        Question(need=need, rank=need.of)
        for need in table.state.waiting
        if isinstance(need, DecisionNeeded) and isinstance(need.of, StaffRank)
    ]


class Awaited(Struct, frozen=True, kw_only=True):
    """Somebody of the House's staff without whom a table does not go on, and why not."""

    rank: StaffRank
    does: str

    @property
    def whom(self) -> str:
        """For whom: the rank in words."""
        return f"a {self.rank.title} or above"

    @property
    def says(self) -> str:
        """For whom and for what, in a sentence."""
        return f"This table waits for {self.whom} to {self.does}"


def staff_awaited(
    table: Table[Any],
    link: Conversation[Any] | None,
    is_for_people: Callable[[DecisionNeeded], bool],
) -> Awaited | None:
    """Whom of the staff a table waits for, if nothing goes on there before he has acted.

    `is_for_people` says of a question of staff whether nobody has decided it beforehand.
    """
    for need in table.state.waiting:
        match need:
            case DecisionNeeded(of=StaffRank() as rank, says=says) if _stands_still(
                table, need
            ) and is_for_people(need):
                return Awaited(rank=rank, does=f"decide: {says}")
            case DrawNeeded(of=rank, pick=pick, among=among) if not is_automatic(table):
                return Awaited(rank=rank, does=f"pick {pick} of {among} cards.")
            case _:
                continue
    if isinstance(link, JackpotLink) and _has_claim(table, link):
        for need in link.state.waiting:
            if isinstance(need, DecisionNeeded) and isinstance(need.of, StaffRank):
                return Awaited(rank=need.of, does=f"decide: {need.says}")
        rank = link.state.settings.house_rank
        return Awaited(rank=rank, does="pay the Progressive Jackpot that is claimed.")
    return None


def _stands_still(table: Table[Any], need: DecisionNeeded) -> bool:
    """Whether nothing goes on before this is answered: after a jackpot fault a round is played to
    its end, but bets are not called for (5.17.2)."""
    return need.holds or (need.question == NEXT_ROUNDS and not table.playing())


def _has_claim(table: Table[Any], link: JackpotLink) -> bool:
    """Whether the round of a table ends only with the payment of its link."""
    return any(claim.table == table.state.name for claim in link.state.claims)


def _at_poker(table: PokerTable) -> Wait | None:
    played = table.state.round
    if played is None or not played.open:
        return None
    if table.state.phase == "betting":
        seat = table.turn()
        if seat is None:
            return None
        street, acts = played.betting.number, len(played.acts)
        key = ("action", played.number, played.restarts, street, acts, seat)
        return Wait(why="action", places=(seat,), key=key)
    if table.state.phase == "dealing" and table.may_straddle():
        for seat in table.places():
            if any(offer.do == "straddle" for offer in table.offers(seat)):
                straddle = ("straddle", played.number, played.restarts, seat)
                return Wait(why="straddle", places=(seat,), key=straddle)
    return None


def _at_banked(table: BankedTable) -> Wait | None:
    state = table.state
    window = state.window()
    if window is None:
        return None
    late = ("fold",) if window == "flop" else ("check",)
    places = tuple(n for n in state.boxes if any(offer.do in late for offer in table.offers(n)))
    if not places:
        return None
    return Wait(why="action", places=tuple(sorted(places)), key=("window", state.round, window))


def to_show(table: Table[Any]) -> tuple[int, ...]:
    """The seats that have still to show or muck, in their order; empty but at a showdown."""
    if not isinstance(table, PokerTable) or table.state.phase != "showdown":
        return ()
    played = table.state.round
    return () if played is None else tuple(played.to_show)


def may_muck(table: Table[Any], seat: int) -> bool:
    """Whether it is this seat's turn to show and its player may choose not to."""
    return any(offer.do == "muck" for offer in table.offers(seat))


def showdown_wait(table: PokerTable, people: tuple[int, ...]) -> Wait | None:
    """The person who is asked whether he shows his hand: only where the choice is his."""
    showing = to_show(table)
    if not showing or showing[0] not in people or not may_muck(table, showing[0]):
        return None
    key = ("showdown", table.state.rounds, showing[0])
    return Wait(why="showdown", places=showing[:1], key=key)


def showdown_step(table: PokerTable, people: tuple[int, ...]) -> Command | None:
    """The next hand alone where a person behind it may have a choice; None: all at once."""
    showing = to_show(table)
    if not any(seat in people for seat in showing[1:]):
        return None
    seat = showing[0]
    return poker.Muck(seat=seat) if may_muck(table, seat) else poker.ShowHand(seat=seat)


class Instead(Struct, frozen=True, kw_only=True):
    """What the House does for a player who did not act, and in which rank it is recorded.

    The banked books let nobody but a Pit Employee enter a player's act, and only a person decides
    for a seat: there the House acts as the dealer of its automatic table.
    """

    command: Command
    rank: StaffRank


def instead(table: Table[Any], place: int) -> Instead | None:
    """What is done for the player at a seat or box whose time is over."""
    for need in table.state.waiting:
        if isinstance(need, DecisionNeeded) and need.of == place and need.holds:
            return _answered(need)
    offered = {offer.do for offer in table.offers(place)}
    match table:
        case PokerTable():
            if "decline straddle" in offered:
                return _house(poker.DeclineStraddle(seat=place))
            if "muck" in offered:
                return _house(poker.Muck(seat=place))
            if "check" in offered:
                return _house(poker.Check(seat=place))
            return _house(poker.Fold(seat=place)) if "fold" in offered else None
        case BankedTable():
            if "fold" in offered:
                return _dealer(banked.Fold(box=place))
            return _dealer(banked.Check(box=place)) if "check" in offered else None
        case _:
            return None


def _answered(need: DecisionNeeded) -> Instead:
    names = [option.name for option in need.options if not option.asks]
    chosen = next((name for name in AVOIDS if name in names), names[-1] if names else "")
    reason = "no answer in time"
    return _dealer(Decide(decision=need.decision, option=chosen, reason=reason))


def _house(command: Command) -> Instead:
    return Instead(command=command, rank=StaffRank.HOUSE)


def _dealer(command: Command) -> Instead:
    return Instead(command=command, rank=StaffRank.DEALER)


# -- between rounds -------------------------------------------------------------------------------


def can_play(table: Table[Any]) -> list[int]:
    """The seats or boxes whose players could be in the next round."""
    match table:
        case PokerTable():
            return [n for n, seat in table.state.seats.items() if seat.here and seat.stake > 0]
        case BankedTable():
            return sorted(table.state.sitting)
        case _:
            return []


def has_bet(table: Table[Any], player: str) -> bool:
    """Whether a player has a bet in the round of a banked table that is not settled."""
    if not isinstance(table, BankedTable) or table.state.is_settled():
        return False
    state = table.state
    return player not in state.away and any(b.player == player for b in state.boxes.values())


def timed_rake_due(table: Table[Any]) -> int | None:
    """A seat that owes the timed charge and can be asked for it now."""
    if not isinstance(table, PokerTable) or table.playing():
        return None
    seats = table.state.seats.items()
    return next((n for n, seat in seats if seat.rake_due and seat.stake), None)
