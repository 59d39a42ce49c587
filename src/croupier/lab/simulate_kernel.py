"""The inner loop of the simulation: from dealt cards and decisions to counted outcomes.

Nothing here knows of money or of a rulebook: both are in the tables of ``simulate_pay``.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.compiled import inlined, kernel
from croupier.lab.kernel import mask_value
from croupier.lab.simulate_pay import RESULTS, RIVER_BIT, TURN_BIT

PLAYS, BETS_TURN, BETS_RIVER = 1, 2, 4
"""The bits of a decision: stays in for the Flop bet, bets the Turn, bets the River."""

# Indices are unsigned: a signed one costs a test for counting from the end.
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_FLOP, _TURN, _RIVER = _ZERO, _ONE, _TWO
_CATEGORIES, _STREETS = np.uint64(10), np.uint64(3)
_RESULTS = np.uint64(RESULTS)
assert (PLAYS, BETS_TURN >> 1, BETS_RIVER >> 1) == (1, TURN_BIT, RIVER_BIT)


@inlined
def value_of(mask, t):  # type: ignore[no-untyped-def]
    """The value of a mask by the tables of its number of cards."""
    return mask_value(mask, t.lanes, t.flushes, t.rows, t.values, t.shift)


@kernel
def can_hold_hole_card(row, first, second, bits, best, five):  # type: ignore[no-untyped-def]
    """Whether some five cards with a Hole Card among them are worth as much as the best five."""
    board = np.uint64(0)
    for i in range(5):
        board |= bits[row[i]]
    for hole in (first, second):
        for i in range(5):
            mask = (board ^ bits[row[i]]) | bits[hole]
            if value_of(mask, five) == best:
                return True
    both = bits[first] | bits[second]
    for i in range(5):
        for j in range(i):
            mask = (board ^ bits[row[i]] ^ bits[row[j]]) | both
            if value_of(mask, five) == best:
                return True
    return False


@kernel
def settle(  # type: ignore[no-untyped-def]
    cards,
    decisions,
    parts,
    lookup,
    bits,
    five,
    six,
    seven,
    counts,
    sessions,
    into_session,
    session_rounds,
    codes,
    squares,
    major_row,
    major_box,
    major_code,
    major_beside,
):
    """Count the outcome of each box of each round; give how many of them the meter decides.

    ``sessions[k, box]`` gets the money of the k-th session, the first of which has already seen
    ``into_session`` rounds. ``codes`` gets every outcome if it is as long as the rounds are.

    The boxes of a round share board and dealer, so what they win is not independent: ``squares``
    gets the squares of what all boxes of a round come to together, on the main bets, the Bonus, the
    jackpot bet and all bets, and ``major_beside`` the last two for rounds that the meter decides.
    """
    majors = 0
    bonus_parts, jackpot_parts = np.uint64(parts[1]), np.uint64(parts[2])
    boxes = decisions.shape[1]
    keep = len(codes) > 0
    together = boxes > 1
    session = into_session // session_rounds
    left = session_rounds - into_session % session_rounds
    for i in range(len(cards)):
        row = cards[i]
        if left == 0:
            session += 1
            left = session_rounds
        left -= 1
        flop = bits[row[0]] | bits[row[1]] | bits[row[2]]
        turn = flop | bits[row[3]]
        board = turn | bits[row[4]]
        dealer = value_of(board | bits[row[5]] | bits[row[6]], seven)
        dealer_hand = lookup.hand_of[row[5], row[6]]
        first_major = majors
        main_sum, bonus_sum, jackpot_sum = 0, 0, 0
        for box in range(boxes):
            first, second = row[7 + 2 * box], row[8 + 2 * box]
            hole = bits[first] | bits[second]
            decision = np.uint64(decisions[i, box])
            own = value_of(board | hole, seven)
            best = lookup.category_of[own]
            plays = decision & _ONE
            won = np.uint64(own > dealer)
            result = won * (_TWO + np.uint64(best)) + np.uint64(own == dealer)
            main = plays * (_ONE + (decision >> _ONE) * _RESULTS + result)
            # 3.11.2.a: the Bonus goes with the fold, whatever the cards.
            line = lookup.bonus[lookup.hand_of[first, second], dealer_hand]
            held = np.uint64(0)
            if best >= lookup.lowest:
                # No other cards that count can hold a higher category than the best of seven.
                on_flop = np.uint64(lookup.category_of[value_of(flop | hole, five)])
                alone = value_of(board, five)
                street, hole_card = _RIVER, _ZERO
                if lookup.asks_street[best]:
                    if on_flop == np.uint64(best):
                        street = _FLOP
                    elif lookup.category_of[value_of(turn | hole, six)] == best:
                        street = _TURN
                if lookup.asks_hole_card[best] and (
                    own > alone or can_hold_hole_card(row, first, second, bits, own, five)
                ):
                    hole_card = _ONE
                place = ((_ONE - plays) * _TWO + hole_card) * _STREETS + street
                place = (place * _CATEGORIES + on_flop) * _CATEGORIES + np.uint64(best)
                place = place * _CATEGORIES + np.uint64(lookup.category_of[alone])
                held = np.uint64(lookup.jackpot[place])
            code = (main * bonus_parts + plays * np.uint64(line)) * jackpot_parts + held
            if lookup.major[held]:
                major_row[majors] = i
                major_box[majors] = box
                major_code[majors] = code
                majors += 1
            if together:
                main_sum += lookup.main_money[main]
                bonus_sum += lookup.bonus_money[plays * np.uint64(line)]
                jackpot_sum += lookup.jackpot_money[held]
            counts[code] += 1
            sessions[session, box] += lookup.money[code]
            if keep:
                codes[i, box] = code
        if together:
            total = main_sum + bonus_sum + jackpot_sum
            squares[0] += np.float64(main_sum) * np.float64(main_sum)
            squares[1] += np.float64(bonus_sum) * np.float64(bonus_sum)
            squares[2] += np.float64(jackpot_sum) * np.float64(jackpot_sum)
            squares[3] += np.float64(total) * np.float64(total)
            for k in range(first_major, majors):
                major_beside[k, 0] = jackpot_sum
                major_beside[k, 1] = total
    return majors
