"""Where each card of the round stands in the order in which they left the device.

Real cards that nobody has named yet look alike. By this order it is known all the same whose hand
is another once a deal is put right (B-54), and where a hand comes to lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.banked.figures import HOLE_CARDS
from croupier.banked.state import BankedState

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

DEALER = 0
"""The dealer's place among those at which a hand may lie; the others are boxes."""
_BEFORE_THE_HOLE_CARDS = "hole cards"
_STREETS = ("flop", "turn", "river")


class Fell(Struct, frozen=True, kw_only=True):
    """The places in that order of what lies before each box, on the board and before the dealer."""

    hands: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    dealer: tuple[int, ...]
    burns: dict[str, int]
    """By the deal ahead of which each was burnt."""


def as_they_lie(state: BankedState) -> Fell | None:
    """The cards as they lie; None where the dealer's own packet was moved to a box."""
    if not state.falls and state.holes_out():
        return None
    return _fell(state)


def moved_falls(table: BankedTable, moves: Mapping[int, int]) -> list[int]:
    """The box of each Hole Card once whole hands were moved, and others went back to the device."""
    if DEALER in (*moves, *moves.values()):
        return []
    stays = {*right_falls(table)} - {*moves.values()}
    return [moves.get(n, n) for n in table.state.falls if n in moves or n in stays]


def gone_back(table: BankedTable, fell: Fell, moves: Mapping[int, int]) -> set[int]:
    """Which places in that order the hands had that went back to the device when whole hands were
    moved: those whose place another takes, and those of boxes that were not dealt in."""
    stays = {*right_falls(table), *moves} - ({*moves.values()} - moves.keys())
    gone = {place for n, hand in fell.hands.items() if n not in stays for place in hand}
    return gone | {*(fell.dealer if DEALER in moves.values() and DEALER not in moves else ())}


def right_falls(table: BankedTable) -> list[int]:
    """The box of each Hole Card of a correct deal, in the order in which they fall; a hand that was
    cancelled before it gets none."""
    state = table.state
    boxes = [n for n, box in sorted(state.boxes.items()) if box.dealt is not None]
    each = table.by_book[HOLE_CARDS]
    if state.settings.device == "shuffler":
        return [number for number in boxes for _ in range(each)]
    return boxes * each


def _fell(state: BankedState) -> Fell:
    out = 0

    def take(count: int) -> range:
        nonlocal out
        out += count
        return range(out - count, out)

    board: list[int] = []
    burns: dict[str, int] = {}
    shoe = state.settings.device == "shoe"
    if not shoe:
        board += take(sum(state.laid))
    elif state.falls and _BEFORE_THE_HOLE_CARDS not in state.missed:
        (burns[_BEFORE_THE_HOLE_CARDS],) = take(1)
    hands: dict[int, tuple[int, ...]] = {}
    for place, number in zip(take(len(state.falls)), state.falls, strict=True):
        hands[number] = (*hands.get(number, ()), place)
    for street, count in zip(_STREETS, state.laid, strict=False) if shoe else ():
        if street not in state.missed:
            (burns[street],) = take(1)
        board += take(count)
    return Fell(hands=hands, board=tuple(board), dealer=tuple(take(len(state.dealer))), burns=burns)
