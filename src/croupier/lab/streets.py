"""The sweeps of the solver: rivers, turns and flops backwards, then flops and turns once more.

``river_sweep`` finds for each class of five-card boards and each pair of kinds of hole cards how
many of the dealer's 990 hands lose to it and how many beat it. ``turn_sums`` adds these up over the
River Card, which decides the River bet; ``flop_sums`` adds up over the Turn Card, which decides
the Turn bet. What was decided is then counted: ``flop_sweep`` hands the Turn bets on to the turns
that may follow, and ``turn_sweep`` counts deals by starting hand, by category and by which bets
were made. Any other decisions can be counted in the same way.

Turn and River decisions are independent of each other and of everything before, because the bets
add up: each is worth making exactly if it alone is worth more than nothing. Where it is worth
exactly nothing, the player checks.

Everything is counted in whole numbers. A row of a sum is the sum of whole rows, each times how many
cards of that kind are left, less the rows of the two kinds that the player holds himself.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.lab.classes import (
    NONE,
    ONLY_FIRST,
    ONLY_SECOND,
    ONLY_THIRD,
    PAIRS_13,
    PAIRS_26,
    PAIRS_39,
    PAIRS_52,
    SAME,
    SWAPPED,
    add_bits,
    flop_begin,
    flush_river,
    plain_river,
    rainbow_turn,
    read_flop,
    read_river,
    river_row,
    river_width,
    suited_turn,
    turn_row,
    turn_width,
    two_suited_turn,
)
from croupier.lab.compiled import bit_count, inlined, kernel

Counts: TypeAlias = npt.NDArray[np.uint16]
Sums: TypeAlias = npt.NDArray[np.int64]

CATEGORIES = 10
DEALER_HANDS = 990
"""Two of the 45 cards that are left."""

# What is counted for each of the 169 starting hands. In deals: won, by category of the player's
# hand, and lost; in four sections, by which of Turn and River bet were made.
SECTION = CATEGORIES + 1
LOST = CATEGORIES
"""In each section: after the categories."""
SECTIONS = 4
# In decisions, that is hole cards and board, the Turn Card known from the flop's: how many to bet,
# and in how many betting and checking are worth exactly the same.
RIVER_BETS = SECTIONS * SECTION
RIVER_EVEN = RIVER_BETS + 1
TURN_BETS = RIVER_BETS + 2
TURN_EVEN = RIVER_BETS + 3
BOTH_BETS = RIVER_BETS + 4
"""River bets that follow a Turn bet."""
TALLIES = RIVER_BETS + 5


def section(*, turn: bool, river: bool) -> int:
    """Where the deals begin in which these bets were made."""
    return SECTION * (turn + 2 * river)


_ALL = 31
"""The column of a table by kind that stands for all cards."""
_WORDS = 117
"""64 bits each: one for every value of a hand."""
_SUITED = np.uint32(16)
"""Deals with suited hole cards are counted in the upper half of a word, the others in the lower."""
_HALF = np.uint32(0xFFFF)
# From a flop to a board of four, by number of alive suits: with one, it stays alive; with two, only
# the first does, or both, or both and change places; with three, none does, or one of them.
_FLOP_MAPS = np.array(
    [
        [SAME, SAME, SAME, SAME],
        [ONLY_FIRST, SAME, SWAPPED, SAME],
        [NONE, ONLY_FIRST, ONLY_SECOND, ONLY_THIRD],
    ]
)


@kernel
def river_sweep(  # type: ignore[no-untyped-def]
    start, stop, won, lost, category, present, categories, shapes, pairs, rank_keys, lookup
):
    """Fill the rows of the boards of five from ``start`` to ``stop``.

    ``won`` and ``lost`` count dealer hands; ``category`` is that of the player's hand, of which
    ``present`` says which occur, and ``categories`` gives it by value. Pairs of cards that are not
    there stay at nothing.
    """
    ranks = np.zeros(5, np.int64)
    left = np.zeros(26, np.int32)
    ways = np.zeros(PAIRS_26, np.int32)
    by_rank = np.zeros(PAIRS_13, np.uint16)
    value = np.zeros(PAIRS_26, np.uint16)
    group = np.zeros(PAIRS_26, np.int32)
    words = np.zeros(_WORDS, np.uint64)
    before = np.zeros(_WORDS, np.int32)
    # below[g, k]: with one card of kind k in hand, how many others make a pair in a group under g
    below = np.zeros((PAIRS_26 + 1, 32), np.int32)
    low = np.uint32((np.uint32(1) << lookup.shift) - np.uint32(1))
    sum_mask = np.uint32((1 << 23) - 1)
    for board in range(start, stop):
        mask = read_river(board, ranks, shapes)
        bits = 0
        base = np.uint32(0)
        for rank in range(13):
            here = mask >> rank & 1
            bits += here
            left[rank] = 3 if mask else 4
            left[13 + rank] = 1 - here if mask else 0
            if here:
                base += rank_keys[rank]
        impossible = False
        for i in range(5 - bits):
            impossible |= left[ranks[i]] == 0
            left[ranks[i]] -= 1
            base += rank_keys[ranks[i]]
        if impossible:
            continue  # a rank five times: a number that no board has
        width = river_width(board)
        row = river_row(board)
        row_category = category[row : row + width]

        # The value of each pair of kinds: by its ranks alone, or of its flush.
        words[:] = 0
        if bits < 5:
            for pair in range(PAIRS_13):
                high, other = pairs.high[pair], pairs.low[pair]
                keys = np.uint32((base + rank_keys[high] + rank_keys[other]) & sum_mask)
                place = np.uint32(lookup.rows[keys >> lookup.shift]) + np.uint32(keys & low)
                by_rank[pair] = lookup.values[place]  # of no use where a rank comes five times
        held = 0
        for pair in range(width):
            high, other = pairs.high[pair], pairs.low[pair]
            if high == other:
                ways[pair] = left[high] * (left[high] - 1) // 2
            else:
                ways[pair] = left[high] * left[other]
            if ways[pair] == 0:
                continue
            if bits + pairs.suited[pair] >= 5:
                worth = lookup.flushes[mask | pairs.suited_ranks[pair]]
            else:
                worth = by_rank[pairs.rank_pair[pair]]
            value[pair] = worth
            row_category[pair] = categories[worth]
            held |= 1 << categories[worth]
            words[worth >> 6] |= np.uint64(1) << np.uint64(worth & 63)
        present[board] = held

        # Groups of equal value from low to high, and what lies below each of them.
        found = np.int64(0)
        for word in range(_WORDS):
            before[word] = found
            if words[word]:
                found += np.int64(bit_count(words[word]))
        for g in range(found + 1):
            for kind in range(32):
                below[g, kind] = 0
        for pair in range(width):
            if ways[pair]:
                word, bit = value[pair] >> 6, np.uint64(value[pair] & 63)
                lower = words[word] & ((np.uint64(1) << bit) - np.uint64(1))
                g = before[word] + np.int64(bit_count(lower))
                group[pair] = g
                high, other = pairs.high[pair], pairs.low[pair]
                here = below[g + 1]
                if high == other:
                    here[high] += left[high] - 1
                else:
                    here[high] += left[other]
                    here[other] += left[high]
                here[_ALL] += ways[pair]
        for g in range(1, found + 1):
            for kind in range(32):
                below[g, kind] += below[g - 1, kind]

        row_won = won[row : row + width]
        row_lost = lost[row : row + width]
        for pair in range(width):
            if ways[pair]:
                high, other = pairs.high[pair], pairs.low[pair]
                under, up_to = below[group[pair]], below[group[pair] + 1]
                row_won[pair] = under[_ALL] - under[high] - under[other]
                # The player's own two cards were taken off twice as a pair.
                level = up_to[_ALL] - up_to[high] - up_to[other] + 1
                row_lost[pair] = DEALER_HANDS - level


@kernel
def turn_children(  # type: ignore[no-untyped-def]
    board, left, blocked, child, way, boards, shapes
):
    """What may follow a board of four: cards left of each kind, and the board that each leads to.

    ``way`` receives the map that leads there, by alive suit of the River Card, 0 for the others.
    Gives the number of alive suits, and whether they stay alive whatever River Card comes.
    ``blocked`` counts the board's own cards of the other suits by rank.
    """
    ranks = np.zeros(5, np.int64)
    alive = boards.alive[board]
    first, second = boards.first[board], boards.second[board]
    bits = 0
    others = 0
    for rank in range(13):
        left[rank] = 4 - alive
        left[13 + rank] = 1 - (first >> rank & 1)
        left[26 + rank] = 1 - (second >> rank & 1)
        bits += first >> rank & 1
        blocked[rank] = 0
    for i in range(4):
        rank = boards.others[board, i]
        if rank >= 0:
            others += 1
            left[rank] -= 1
            blocked[rank] += 1
    for kind in range(13 * (alive + 1)):
        if left[kind] == 0:
            continue
        rank = kind % 13
        size = others
        for i in range(others):
            ranks[i] = boards.others[board, i]
        if kind < 13:
            ranks[size] = rank
            size += 1
            if bits >= 3:
                child[kind] = flush_river(first, bits, ranks, shapes)
            else:
                size = add_bits(first, ranks, size)
                add_bits(second, ranks, size)
                child[kind] = plain_river(ranks, shapes)
        elif kind < 26:
            add_bits(second, ranks, size)
            child[kind] = flush_river(first | 1 << rank, bits + 1, ranks, shapes)
        else:
            add_bits(first, ranks, size)
            child[kind] = flush_river(second | 1 << rank, 3, ranks, shapes)
    steady = alive == 0 or bits >= 3
    way[0] = SAME if steady else NONE
    way[1] = SAME if alive == 1 else ONLY_FIRST
    way[2] = ONLY_SECOND
    return alive, steady


@inlined
def absent(high, low, left):  # type: ignore[no-untyped-def]
    """Whether two cards of these kinds are not there to be held."""
    return left[high] == 0 or left[low] == 0 or (high == low and left[high] < 2)


@kernel
def add_times(into, times, line):  # type: ignore[no-untyped-def]
    """Add a row so many times."""
    for i in range(len(line)):
        into[i] += times * line[i]


@kernel
def put_together(line, by_map, alive, steady, way, maps):  # type: ignore[no-untyped-def]
    """Sums for the pairs of a board of four, from those for the pairs of the boards of five.

    ``by_map[s]`` sums over the River Cards of alive suit ``s``, 0 for the others.
    """
    others = by_map[0]
    if steady:
        for pair in range(len(line)):
            line[pair] = others[pair]
        return
    to_others = maps[way[0]]
    first = by_map[1]
    if alive == 1:
        for pair in range(len(line)):
            line[pair] = first[pair] + others[to_others[pair]]
        return
    second = by_map[2]
    to_first, to_second = maps[way[1]], maps[way[2]]
    for pair in range(len(line)):
        line[pair] = first[to_first[pair]] + second[to_second[pair]] + others[to_others[pair]]


@kernel
def turn_sums(  # type: ignore[no-untyped-def]
    start, stop, turn_won, turn_lost, won, lost, boards, shapes, pairs, maps
):
    """Fill the rows of the boards of four: dealer hands summed over the River Card."""
    left = np.zeros(39, np.int64)
    blocked = np.zeros(13, np.int64)
    child = np.zeros(39, np.int64)
    way = np.zeros(3, np.int64)
    by_map_won = np.zeros((3, PAIRS_26), np.uint16)
    by_map_lost = np.zeros((3, PAIRS_26), np.uint16)
    for board in range(start, stop):
        alive, steady = turn_children(board, left, blocked, child, way, boards, shapes)
        kinds = 13 * (alive + 1)
        by_map_won[:] = 0
        by_map_lost[:] = 0
        for kind in range(kinds):
            if left[kind]:
                row, width = river_row(child[kind]), river_width(child[kind])
                into = 0 if steady else kind // 13
                times = np.uint16(left[kind])
                add_times(by_map_won[into], times, won[row : row + width])
                add_times(by_map_lost[into], times, lost[row : row + width])
        row, width = turn_row(board), turn_width(board)
        row_won, row_lost = turn_won[row : row + width], turn_lost[row : row + width]
        put_together(row_won, by_map_won, alive, steady, way, maps)
        put_together(row_lost, by_map_lost, alive, steady, way, maps)
        for pair in range(width):
            high, low = pairs.high[pair], pairs.low[pair]
            if absent(high, low, left):
                row_won[pair] = 0
                row_lost[pair] = 0
                continue
            for kind in (high, low):  # a card that the player holds cannot come
                where = river_row(child[kind]) + maps[way[kind // 13], pair]
                row_won[pair] -= won[where]
                row_lost[pair] -= lost[where]


@kernel
def flop_children(  # type: ignore[no-untyped-def]
    flop, left, child, way, shapes
):
    """What may follow a flop: cards left of each kind, the board that each leads to, and how.

    ``way`` says how suits stay alive, as a column of ``_FLOP_MAPS``. Gives the number of alive
    suits and how many flops the class has.
    """
    ranks = np.zeros(5, np.int64)
    masks = np.zeros(3, np.int64)
    alive, times = read_flop(flop, masks, shapes)
    for rank in range(13):
        left[rank] = 4 - alive
        for suit in range(3):
            left[13 * (suit + 1) + rank] = 1 - (masks[suit] >> rank & 1)
    for kind in range(13 * (alive + 1)):
        if left[kind] == 0:
            continue
        rank, suit = kind % 13, kind // 13
        bit = 1 << rank
        ranks[0] = rank
        way[kind] = 0
        if alive == 1:
            if suit == 0:
                child[kind] = suited_turn(masks[0], 3, ranks, shapes)
            else:
                child[kind] = suited_turn(masks[0] | bit, 4, ranks, shapes)
        elif alive == 2:
            if suit == 2:
                two = masks[1] | bit
                child[kind] = two_suited_turn(masks[0], two, shapes)
                in_order = shapes.mask_index[masks[0]] <= shapes.mask_index[two]
                way[kind] = 1 if in_order else 2
            elif suit == 1:
                add_bits(masks[1], ranks, 0)
                child[kind] = suited_turn(masks[0] | bit, 3, ranks, shapes)
            else:
                add_bits(masks[1], ranks, 1)
                child[kind] = suited_turn(masks[0], 2, ranks, shapes)
        else:
            way[kind] = suit
            size = 1 if suit == 0 else 0
            for i in range(3):
                if i != suit - 1:
                    size = add_bits(masks[i], ranks, size)
            if suit == 0:
                child[kind] = rainbow_turn(ranks, shapes)
            else:
                child[kind] = suited_turn(masks[suit - 1] | bit, 2, ranks, shapes)
    return alive, times


@kernel
def flop_sums(  # type: ignore[no-untyped-def]
    start, stop, flop_worth, times_won, times_lost, turn_won, turn_lost, shapes, pairs, maps
):
    """Fill ``flop_worth``: what the Turn bet wins in all deals that may follow, which decides it.

    Odds of A to B count A for each deal that is won and take B for each that is lost.
    """
    left = np.zeros(52, np.int64)
    child = np.zeros(52, np.int64)
    way = np.zeros(52, np.int64)
    won = np.zeros((4, PAIRS_39), np.int32)
    lost = np.zeros((4, PAIRS_39), np.int32)
    map_of = _FLOP_MAPS
    for flop in range(start, stop):
        alive, _ = flop_children(flop, left, child, way, shapes)
        kinds = 13 * (alive + 1)
        won[:] = 0
        lost[:] = 0
        for kind in range(kinds):
            if left[kind]:
                row, width = turn_row(child[kind]), turn_width(child[kind])
                times = np.int32(left[kind])
                into_won, into_lost = won[way[kind]], lost[way[kind]]
                row_won, row_lost = turn_won[row : row + width], turn_lost[row : row + width]
                for i in range(width):
                    into_won[i] += times * np.int32(row_won[i])
                for i in range(width):
                    into_lost[i] += times * np.int32(row_lost[i])
        ways = 1 if alive == 1 else alive + 1
        worths = flop_worth[flop_begin(flop) :]
        for pair in range(kinds * (kinds + 1) // 2):
            high, low = pairs.high[pair], pairs.low[pair]
            if absent(high, low, left):
                continue
            wins = np.int64(0)
            losses = np.int64(0)
            for each in range(ways):
                place = maps[map_of[alive - 1, each], pair]
                wins += np.int64(won[each, place])
                losses += np.int64(lost[each, place])
            for kind in (high, low):  # a card that the player holds cannot come
                where = turn_row(child[kind]) + maps[map_of[alive - 1, way[kind]], pair]
                wins -= np.int64(turn_won[where])
                losses -= np.int64(turn_lost[where])
            worths[pair] = times_won * wins - times_lost * losses


@kernel
def flop_sweep(  # type: ignore[no-untyped-def]
    start, stop, bets_turn, flop_worth, turn_bets, tally, shapes, pairs, maps
):
    """Count the deals in which the Turn bet is made, and hand them on to the turns that follow.

    ``bets_turn`` says by flop and pair whether it is made. ``turn_bets`` receives, for each board
    of four and each pair, in how many ways the flop, the Turn Card and the hole cards can have come
    so that it was.
    """
    left = np.zeros(52, np.int64)
    child = np.zeros(52, np.int64)
    way = np.zeros(52, np.int64)
    blocked = np.zeros(13, np.int64)  # on the flop every suit that holds a card is alive
    betting = np.zeros(PAIRS_52, np.int64)
    deals = np.zeros(PAIRS_52, np.uint32)
    map_of = _FLOP_MAPS
    for flop in range(start, stop):
        alive, times_flop = flop_children(flop, left, child, way, shapes)
        kinds = 13 * (alive + 1)
        worths, flags = flop_worth[flop_begin(flop) :], bets_turn[flop_begin(flop) :]
        bets = 0
        for pair in range(kinds * (kinds + 1) // 2):
            if not flags[pair] and worths[pair] != 0:
                continue
            high, low = pairs.high[pair], pairs.low[pair]
            if absent(high, low, left):
                continue
            suited, odd = split(high, low, left, 4 - alive, blocked)
            if worths[pair] == 0:
                tally[TURN_EVEN, pairs.suited_hand[pair]] += times_flop * suited
                tally[TURN_EVEN, pairs.odd_hand[pair]] += times_flop * odd
            if flags[pair]:
                tally[TURN_BETS, pairs.suited_hand[pair]] += times_flop * suited
                tally[TURN_BETS, pairs.odd_hand[pair]] += times_flop * odd
                betting[bets] = pair
                deals[bets] = np.uint32(times_flop * (odd | suited << 16))
                bets += 1
        for kind in range(kinds):
            if left[kind]:
                row, width = turn_row(child[kind]), turn_width(child[kind])
                line = turn_bets[row : row + width]
                place = maps[map_of[alive - 1, way[kind]]]
                cards = np.uint32(left[kind])
                for i in range(bets):
                    line[place[betting[i]]] += cards * deals[i]
        for i in range(bets):
            pair = betting[i]
            for kind in (pairs.high[pair], pairs.low[pair]):  # again, what he holds cannot come
                where = turn_row(child[kind]) + maps[map_of[alive - 1, way[kind]], pair]
                turn_bets[where] -= deals[i]


@kernel
def add_category(into, times, won, category, this):  # type: ignore[no-untyped-def]
    """Add what of a row is of this category, so many times."""
    for i in range(len(won)):
        into[i] += times * won[i] if category[i] == this else np.uint16(0)


@kernel
def add_deals(into, places, deals, pairs, line):  # type: ignore[no-untyped-def]
    """Add what each entry's pair has in this line, times its deals, in the entry's place."""
    for i in range(len(places)):
        into[places[i]] += deals[i] * np.int64(line[pairs[i]])


@kernel
def turn_sweep(  # type: ignore[no-untyped-def]
    start,
    stop,
    tally,
    bets_river,
    times_won,
    times_lost,
    turn_won,
    turn_lost,
    turn_bets,
    won,
    category,
    present,
    boards,
    shapes,
    pairs,
    maps,
):
    """Count the deals of each board of four by starting hand, by category and by bets made.

    ``bets_river`` says by board and pair whether the River bet is made.
    """
    left = np.zeros(39, np.int64)
    blocked = np.zeros(13, np.int64)
    child = np.zeros(39, np.int64)
    way = np.zeros(3, np.int64)
    by_map = np.zeros((CATEGORIES, 3, PAIRS_26), np.uint16)
    out = np.zeros((CATEGORIES, PAIRS_39), np.uint16)
    # What to add to the tallies by category: of which pair, to which, in how many deals each.
    # Unsigned, so that no index is taken for one from the end.
    entry_pair = np.zeros(4 * PAIRS_39, np.uint32)
    entry_place = np.zeros(4 * PAIRS_39, np.uint32)
    entry_deals = np.zeros(4 * PAIRS_39, np.int64)
    hands = tally.shape[1]
    flat = tally.reshape(-1)
    for board in range(start, stop):
        alive, steady = turn_children(board, left, blocked, child, way, boards, shapes)
        kinds = 13 * (alive + 1)
        held = 0
        by_map[:] = 0
        for kind in range(kinds):
            if left[kind]:
                row, width = river_row(child[kind]), river_width(child[kind])
                held |= present[child[kind]]
                into = 0 if steady else kind // 13
                times = np.uint16(left[kind])
                for this in range(CATEGORIES):
                    if present[child[kind]] >> this & 1:
                        add_category(
                            by_map[this, into],
                            times,
                            won[row : row + width],
                            category[row : row + width],
                            np.uint8(this),
                        )
        row, width = turn_row(board), turn_width(board)
        for this in range(CATEGORIES):
            if held >> this & 1:
                put_together(out[this, :width], by_map[this], alive, steady, way, maps)
        entries = 0
        for pair in range(width):
            high, low = pairs.high[pair], pairs.low[pair]
            if absent(high, low, left):
                continue
            for kind in (high, low):  # a card that the player holds cannot come
                where = river_row(child[kind]) + maps[way[kind // 13], pair]
                out[category[where], pair] -= won[where]
            wins, losses = np.int64(turn_won[row + pair]), np.int64(turn_lost[row + pair])
            bet = np.int64(bets_river[row + pair])
            even = times_won * wins == times_lost * losses
            suited, odd = split(high, low, left, 4 - alive, blocked)
            for side in range(2):
                if side:
                    holes, hand = suited, pairs.suited_hand[pair]
                    after_bet = np.int64(turn_bets[row + pair] >> _SUITED)
                else:
                    holes, hand = odd, pairs.odd_hand[pair]
                    after_bet = np.int64(turn_bets[row + pair] & _HALF)
                if holes == 0:
                    continue
                deals = 4 * boards.times[board] * holes  # any of the four was the Turn Card
                tally[RIVER_BETS, hand] += bet * deals
                tally[BOTH_BETS, hand] += bet * after_bet
                if even:
                    tally[RIVER_EVEN, hand] += deals
                for turn in range(2):
                    after = after_bet if turn else deals - after_bet
                    if after:
                        first = SECTION * (turn + 2 * bet)
                        tally[first + LOST, hand] += after * losses
                        entry_pair[entries] = pair
                        entry_place[entries] = first * hands + hand
                        entry_deals[entries] = after
                        entries += 1
        for this in range(CATEGORIES):
            if held >> this & 1:
                add_deals(
                    flat[this * hands :],
                    entry_place[:entries],
                    entry_deals[:entries],
                    entry_pair[:entries],
                    out[this],
                )


@inlined
def split(high, other, left, dead_suits, blocked):  # type: ignore[no-untyped-def]
    """Of the hole cards of these two kinds: how many are suited, and how many are not.

    Among the suits that are not alive both occur; ``blocked`` counts the board's cards there by
    rank, which are of different suits, so that each takes one suit away from the suited ones.
    """
    if high == other:
        return 0, left[high] * (left[high] - 1) // 2
    holes = left[high] * left[other]
    if high // 13 != other // 13:
        return 0, holes
    if high >= 13:
        return holes, 0
    suited = dead_suits - blocked[high] - blocked[other]
    return suited, holes - suited
