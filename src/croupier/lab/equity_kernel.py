"""Counting who wins: boards enumerated up to suits, two ranges by one sweep, many hands by tuples.

*Boards.* Where exchanging suits changes no range, no board card and no dead card, boards that
differ by it come out alike, and one of them is counted for all.

*Two players.* On one board the hands of both ranges are put in order once. Going up through them,
the weight of everything below is known, and so is how much of it holds a given card; what a hand
beats is then all that lies below, less what shares a card with it.

*More players.* Every way in which the hands can be held together is a tuple; on each board all
tuples are compared. Or they are drawn at random, where there are too many.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.compiled import inlined, kernel
from croupier.lab.simulate_deal import words
from croupier.lab.simulate_kernel import value_of

_16 = np.uint64(16)
_LANE = np.uint64(0xFFFF)
_52 = np.uint64(52)
_COUNTING = 96
"""From so many hands on they are sorted by counting, below by insertion."""
MAX_TRIES = 20_000


@inlined
def permuted(mask, suits):  # type: ignore[no-untyped-def]
    """The mask with its suits exchanged: lane i goes to lane suits[i]."""
    out = np.uint64(0)
    for suit in range(4):
        lane = (mask >> (_16 * np.uint64(suit))) & _LANE
        out |= lane << (_16 * suits[suit])
    return out


@kernel
def list_boards(cards, size, begun, group, masks, times):  # type: ignore[no-untyped-def]
    """All boards of ``size`` more cards, one for each class of alike ones; give how many.

    ``cards`` are the masks that may come, ``begun`` what lies there; ``group`` the exchanges of
    suits that change nothing. ``times`` gets how many boards each stands for.
    """
    count = len(cards)
    place = np.zeros(6, np.int64)
    for i in range(size):
        place[i] = i
    found = 0
    while True:
        mask = np.uint64(0)
        for i in range(size):
            mask |= cards[place[i]]
        alike = 0
        least = True
        for g in range(len(group)):
            image = permuted(mask, group[g])
            if image < mask:
                least = False
                break
            if image == mask:
                alike += 1
        if least:
            masks[found] = mask | begun
            times[found] = len(group) // alike
            found += 1
        i = size - 1
        while i >= 0 and place[i] == count - size + i:
            i -= 1
        if i < 0:
            return found
        place[i] += 1
        for j in range(i + 1, size):
            place[j] = place[j - 1] + 1


@kernel
def duel(  # type: ignore[no-untyped-def]
    start, stop, boards, times, hands, first, second, weights, tally, seven
):
    """Two ranges over the hands ``hands`` (masks) with ``weights[hand, player]``.

    ``tally[hand, player]`` gets what it wins, ties and meets in all, times its own weight.
    """
    count = len(hands)
    value = np.zeros(count, np.int64)
    order = np.zeros(count, np.int64)
    begin = np.zeros(7464, np.int32)
    every, every_card = np.zeros(2, np.int64), np.zeros((52, 2), np.int64)
    below, below_card = np.zeros(2, np.int64), np.zeros((52, 2), np.int64)
    level, level_card = np.zeros(2, np.int64), np.zeros((52, 2), np.int64)
    for b in range(start, stop):
        board = boards[b]
        live = 0
        every[:] = 0
        every_card[:] = 0
        below[:] = 0
        below_card[:] = 0
        for h in range(count):
            if hands[h] & board:
                continue
            value[h] = np.int64(value_of(hands[h] | board, seven))
            order[live] = h
            live += 1
            for player in range(2):
                weight = weights[h, player]
                every[player] += weight
                every_card[first[h], player] += weight
                every_card[second[h], player] += weight
        if live >= _COUNTING:
            begin[:] = 0
            for h in range(count):
                if not hands[h] & board:
                    begin[value[h] + 1] += 1
            for v in range(1, 7464):
                begin[v] += begin[v - 1]
            for h in range(count):
                if not hands[h] & board:
                    order[begin[value[h]]] = h
                    begin[value[h]] += 1
        else:
            for i in range(1, live):
                h = order[i]
                j = i
                while j > 0 and value[order[j - 1]] > value[h]:
                    order[j] = order[j - 1]
                    j -= 1
                order[j] = h
        at = 0
        while at < live:
            worth = value[order[at]]
            end = at
            level[:] = 0
            while end < live and value[order[end]] == worth:
                h = order[end]
                for player in range(2):
                    weight = weights[h, player]
                    level[player] += weight
                    level_card[first[h], player] += weight
                    level_card[second[h], player] += weight
                end += 1
            for i in range(at, end):
                h = order[i]
                a, c = first[h], second[h]
                for player in range(2):
                    own = weights[h, player] * times[b]
                    if own == 0:
                        continue
                    other = 1 - player
                    same = weights[h, other]  # both cards: taken off twice
                    wins = below[other] - below_card[a, other] - below_card[c, other]
                    ties = level[other] - level_card[a, other] - level_card[c, other] + same
                    met = every[other] - every_card[a, other] - every_card[c, other] + same
                    tally[h, player, 0] += own * wins
                    tally[h, player, 1] += own * ties
                    tally[h, player, 2] += own * met
            for i in range(at, end):
                h = order[i]
                for player in range(2):
                    weight = weights[h, player]
                    below[player] += weight
                    below_card[first[h], player] += weight
                    below_card[second[h], player] += weight
                    level_card[first[h], player] = 0
                    level_card[second[h], player] = 0
            at = end


@kernel
def compare_tuples(  # type: ignore[no-untyped-def]
    start, stop, boards, times, hands, tuples, unions, weights, tally, seven
):
    """Every tuple of hands on every board: ``tally[player, n]`` gets what it shares n ways.

    ``tally[player, 0]`` of the first player gets the weight of everything.
    """
    values = np.zeros(len(hands), np.int64)
    players = tuples.shape[1]
    for b in range(start, stop):
        board = boards[b]
        for h in range(len(hands)):
            if not hands[h] & board:
                values[h] = np.int64(value_of(hands[h] | board, seven))
        for t in range(len(tuples)):
            if unions[t] & board:
                continue
            weight = weights[t] * times[b]
            best, sharing = np.int64(0), 0
            for player in range(players):
                worth = values[tuples[t, player]]
                if worth > best:
                    best, sharing = worth, 1
                elif worth == best:
                    sharing += 1
            tally[0, 0] += weight
            for player in range(players):
                if values[tuples[t, player]] == best:
                    tally[player, sharing] += weight


@kernel
def draw_tuples(  # type: ignore[no-untyped-def]
    start, stop, seed, begun, dead, missing, hands, begins, chances, any_two, tally, bits, seven
):
    """Draw deals number ``start`` to ``stop``: hands by weight, all again while two share a card.

    The hands of player p are ``hands[begins[p]:begins[p + 1]]`` with rising ``chances``; one who
    may hold ``any_two`` cards is dealt from what is left, which is the same and needs no second
    try. Gives False if a deal could not be drawn in MAX_TRIES.
    """
    players = len(begins) - 1
    held = np.zeros(players, np.uint64)
    worth = np.zeros(players, np.int64)
    stream = np.uint64(players)
    for number in range(start, stop):
        block = np.uint64(0)
        spare, have = np.uint64(0), False
        used = begun | dead
        tries = 0
        p = 0
        while p < players:
            if any_two[p]:
                held[p] = np.uint64(0)
                p += 1
                continue
            if have:
                word, have = spare, False
            else:
                word, spare = words(seed, stream, np.uint64(number), block)
                block += np.uint64(1)
                have = True
            lo, hi = begins[p], begins[p + 1] - 1
            pick = np.int64(word % np.uint64(chances[hi]))
            while lo < hi:
                middle = (lo + hi) >> 1
                if chances[middle] > pick:
                    hi = middle
                else:
                    lo = middle + 1
            held[p] = hands[lo]
            if used & held[p]:
                tries += 1
                if tries >= MAX_TRIES:
                    return False
                used = begun | dead
                p = 0  # all again: whoever came first must not be favoured
            else:
                used |= held[p]
                p += 1
        board = begun
        to_board = missing
        p = 0
        while to_board or p < players:
            if p < players and not any_two[p]:
                p += 1
                continue
            if have:
                word, have = spare, False
            else:
                word, spare = words(seed, stream, np.uint64(number), block)
                block += np.uint64(1)
                have = True
            # Eight cards from one word: 52**8 is far below 2**64.
            for _ in range(8):
                card = bits[word % _52]
                word //= _52
                if used & card:
                    continue
                if p < players:
                    used |= card
                    if held[p]:
                        held[p] |= card
                        p += 1
                        while p < players and not any_two[p]:
                            p += 1
                    else:
                        held[p] = card
                elif to_board:
                    used |= card
                    board |= card
                    to_board -= 1
        best, sharing = np.int64(0), 0
        for p in range(players):
            worth[p] = np.int64(value_of(board | held[p], seven))
            if worth[p] > best:
                best, sharing = worth[p], 1
            elif worth[p] == best:
                sharing += 1
        tally[0, 0] += 1
        for p in range(players):
            if worth[p] == best:
                tally[p, sharing] += 1
    return True
