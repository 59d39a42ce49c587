"""Eight rows of card indices at once: the vector instructions that make masks of them.

Numba writes no vector shuffles, so this piece of a kernel is given in the compiler's own language,
which knows no particular processor: where there are wide registers it becomes some thirty
instructions for eight hands, elsewhere something longer with the same answer.

One load reads 64 bytes, of which eight rows of 5, 6 or 7 cards fill the first 40, 48 or 56. Each
row then moves into a word of its own; each index becomes the place of its card's bit; and for each
column eight ones are shifted to those places and joined to the eight masks.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir  # type: ignore[import-not-found,import-untyped,unused-ignore]
from numba.extending import intrinsic

from croupier.lab.compiled import Function

BYTES_READ = 64
"""From the first byte of eight rows on, whatever their length: so many must be there."""

_BYTES = ir.VectorType(ir.IntType(8), BYTES_READ)
_WORDS = ir.VectorType(ir.IntType(64), 8)


def _constant(kind: Any, numbers: list[int]) -> Any:
    return ir.Constant(kind, numbers)


def _everywhere(number: int) -> Any:
    return _constant(_BYTES, [number] * BYTES_READ)


def _picked(builder: Any, vector: Any, places: list[int]) -> Any:
    order = _constant(ir.VectorType(ir.IntType(32), len(places)), places)
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), order)


def _eight_masks(builder: Any, rows: Any, cards: int) -> Any:
    """The masks of eight rows, given the 64 bytes that begin with them."""
    # A word for each row; what its last bytes hold is of no card and is not picked below.
    apart = [cards * row + min(place, cards - 1) for row in range(8) for place in range(8)]
    indices = _picked(builder, rows, apart)
    # A suit has 13 cards but a lane of 16 bits, so a bit's place is 3 further from suit to suit.
    bits = indices
    for first_of_suit in (13, 26, 39):
        beyond = builder.icmp_unsigned(">=", indices, _everywhere(first_of_suit))
        step = builder.select(beyond, _everywhere(3), _everywhere(0))
        bits = builder.add(bits, step)
    # What is no index ends in the places 61 to 63, which are no card's, and so is found out. An
    # index that wrapped round in those additions is caught by its own size.
    no_card = builder.icmp_unsigned(">=", indices, _everywhere(54))
    bits = builder.select(no_card, _everywhere(63), bits)
    masks = _constant(_WORDS, [0] * 8)
    for place in range(cards):
        column = builder.zext(_picked(builder, bits, [8 * row + place for row in range(8)]), _WORDS)
        masks = builder.or_(masks, builder.shl(_constant(_WORDS, [1] * 8), column))
    return masks


def _intrinsic(cards: int) -> Function:
    """Inside kernels: make masks of the eight rows of ``cards`` bytes from a place on.

    Called as ``(hands, place, masks, at)``: the eight masks are put into ``masks`` from ``at`` on.
    Nothing checks that ``BYTES_READ`` bytes follow that place, nor that there is room.
    """

    def typed(context: Any, hands: Any, place: Any, masks: Any, at: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def pointer(array: int, offset: int, kind: Any) -> Any:
                made = target.make_array(signature.args[array])
                data = made(target, builder, arguments[array]).data
                return builder.bitcast(builder.gep(data, [arguments[offset]]), kind.as_pointer())

            rows = builder.load(pointer(0, 1, _BYTES), align=1)
            builder.store(_eight_masks(builder, rows, cards), pointer(2, 3, _WORDS), align=8)
            return target.get_dummy_value()

        place_type = numba.types.uint64
        return numba.types.none(hands, place_type, masks, place_type), generate

    made: Function = intrinsic(typed)
    return made


eight_rows_of_five: Function = _intrinsic(5)
eight_rows_of_six: Function = _intrinsic(6)
eight_rows_of_seven: Function = _intrinsic(7)
