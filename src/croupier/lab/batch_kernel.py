"""Regular play of poker, compiled: the deal, one Action at each of many tables, the settlement.

A second implementation of what `croupier.poker` does where nothing goes wrong, and held to it hand
by hand in the tests. The names are those of the engine: `price`, `full` and `minimum` in `betting`,
pots that never merge in `pots`, Rake and odd chips in `settlement`. What differs between books is
in ``Rules``. Rows are flat: ``o`` is where the row of a table begins, ``h`` where its hidden part
does, and a set of players is a number with a bit for each position.
"""

from __future__ import annotations

import numpy as np

from croupier.lab.batch_columns import (
    ACTIVE,
    ALL_IN,
    ANSWERED,
    BET,
    BETTING_PHASE,
    BLOCKS_FROM,
    BOARD,
    CALL,
    CHECK,
    DECLINE,
    FOLD,
    FOLDED,
    FULL,
    GO_ALL_IN,
    IN,
    IS_ALL_IN,
    LAST_RAISER,
    LEAST,
    MINIMUM,
    MOST,
    NO_CARD,
    NOBODY,
    NUMBER_HIGH,
    NUMBER_LOW,
    OPENED,
    OVER_PHASE,
    OWN,
    PENDING,
    PHASE,
    PLAYERS_FROM,
    POT,
    POTS,
    PRICE,
    RAISE,
    RAKE,
    SEEN_BLOCKS,
    STRADDLE,
    STRADDLE_PHASE,
    STRADDLED,
    STREET,
    TO_CALL,
    TURN,
    WAGERED,
)
from croupier.lab.compiled import bit_count, borrowed, borrower
from croupier.lab.kernel import mask_value
from croupier.lab.simulate_deal import take, words

_SEEN = len(SEEN_BLOCKS)
_ONE = np.uint64(1)
_ACTIONS = 8
_CLOSED = 1 << 15
"""The bit of a pot that an All-in has closed, above those of the players who may win it."""
_GOES_ON, _CLOSES, _ONE_LEFT = 0, 1, 2
_LAST_STREET = 4


def _orders(left: int) -> tuple[int, int]:
    """In how many orders nine cards come of so many, and the last whole multiple in 64 bits."""
    orders = 1
    for cards in range(left, left - 9, -1):
        orders *= cards
    return orders, (1 << 64) // orders * orders


_ORDERS = np.array([_orders(52 - 9 * part)[0] for part in range(3)], np.uint64)
_LIMITS = np.array([_orders(52 - 9 * part)[1] for part in range(3)], np.uint64)


@borrowed
def lowest(players):  # type: ignore[no-untyped-def]
    """The first position of a set that is not empty."""
    word = np.uint64(players)
    return np.int64(bit_count((word & (~word + _ONE)) - _ONE))


@borrowed
def count(players):  # type: ignore[no-untyped-def]
    """How many are in a set."""
    return np.int64(bit_count(np.uint64(players)))


@borrowed
def next_of(players, after):  # type: ignore[no-untyped-def]
    """The first position of a set behind a position, around the table."""
    behind = (players >> (after + 1)) << (after + 1)
    return lowest(behind if behind != 0 else players)


# -- what may be done ----------------------------------------------------------------------------


@borrowed
def offer(s, o, n, r, masks, k):  # type: ignore[no-untyped-def]
    """Exactly what the player whose turn it is may do (`betting.options`)."""
    h = o + PLAYERS_FROM + _SEEN * n
    p = np.int64(s[o + TURN])
    stake, bet = np.int64(s[o + PLAYERS_FROM + p]), np.int64(s[o + PLAYERS_FROM + n + p])
    most, price, full = stake + bet, np.int64(s[o + PRICE]), np.int64(s[h + FULL])
    others = (s[h + ACTIVE] & ~s[h + ALL_IN]) & ~(1 << p)
    barred = r.uncallable != 0 and others == 0
    if price > full:
        if r.bars == 1:
            barred |= ((s[h + WAGERED] >> p) & 1) != 0
        elif r.bars == 2:
            barred |= ((s[h + ANSWERED] >> p) & 1) != 0
    opened = s[h + OPENED] != 0
    if opened:
        least = np.int64(s[o + MINIMUM]) + (price if r.from_price else full)
    else:
        least = np.int64(r.least_bet)
    wager = not barred and most >= least
    owes = bet < price
    masks[k + FOLD] = 1
    masks[k + CHECK] = not owes
    masks[k + CALL] = owes
    masks[k + BET] = wager and not opened
    masks[k + RAISE] = wager and opened
    masks[k + GO_ALL_IN] = not barred or most <= price
    s[o + TO_CALL] = min(price, most) - bet if owes else 0
    s[o + LEAST] = least if wager else 0
    s[o + MOST] = most if wager else 0
    cards = h + BLOCKS_FROM + 5 * n + 5 + 2 * p
    s[o + OWN] = s[cards]
    s[o + OWN + 1] = s[cards + 1]


@borrowed
def nothing_to_do(s, o, masks, k):  # type: ignore[no-untyped-def]
    """The hand is over: nobody's turn, nothing offered."""
    for i in range(_ACTIONS):
        masks[k + i] = 0
    s[o + TURN] = NOBODY
    s[o + PHASE] = OVER_PHASE
    s[o + OWN] = NO_CARD
    s[o + OWN + 1] = NO_CARD
    s[o + TO_CALL] = 0
    s[o + LEAST] = 0
    s[o + MOST] = 0


# -- the end of a Betting Round ------------------------------------------------------------------


@borrowed
def uncalled(s, o, n):  # type: ignore[no-untyped-def]
    """Who alone has the most in front, and by how much (`pots.uncalled`)."""
    h = o + PLAYERS_FROM + _SEEN * n
    most, second, owner = np.int64(0), np.int64(0), np.int64(0)
    for p in range(n):
        bet = np.int64(s[o + PLAYERS_FROM + n + p])
        if bet > most:
            second = most
            most = bet
            owner = np.int64(p)
        elif bet > second:
            second = bet
    over = most - second
    if ((s[h + ACTIVE] >> owner) & 1) == 0 and (s[h + ACTIVE] & ~s[h + ALL_IN]) != 0:
        over = np.int64(0)
    return owner, over


@borrowed
def give_back(s, o, n, p, amount):  # type: ignore[no-untyped-def]
    """What nobody called goes back, and whoever was All-in with it is so no more."""
    h = o + PLAYERS_FROM + _SEEN * n
    s[o + PLAYERS_FROM + n + p] -= amount
    s[o + PLAYERS_FROM + p] += amount
    if (s[h + ALL_IN] >> p) & 1:
        s[h + ALL_IN] &= ~(1 << p)
        if (s[h + ACTIVE] >> p) & 1:
            s[o + PLAYERS_FROM + 6 * n + p] = IN


@borrowed
def gather(s, o, n, kept):  # type: ignore[no-untyped-def]
    """The chips of this Betting Round go into the pots (`pots.gather`)."""
    h = o + PLAYERS_FROM + _SEEN * n
    bets = o + PLAYERS_FROM + n
    put = o + PLAYERS_FROM + (1 + np.int64(s[o + STREET])) * n
    pots = h + BLOCKS_FROM
    active, pot_count = s[h + ACTIVE], np.int64(s[h + POTS])
    total, top = np.int64(0), np.int64(0)
    for p in range(n):
        bet = np.int64(s[bets + p])
        s[put + p] = bet
        total += bet
        top = max(top, bet)
    if total > 0:
        if pot_count == 0:
            s[pots] = 0
            s[pots + n] = active
            pot_count = np.int64(1)
        last = pot_count - 1
        caps = active & s[h + ALL_IN]
        if kept > 0:
            s[pots + last] += kept
            top -= kept
            caps &= 0
        below = np.int64(0)
        while below < top:
            level = top
            if caps != 0:
                for p in range(n):
                    bet = np.int64(s[bets + p])
                    if (caps >> p) & 1 and below < bet < level:
                        level = bet
            amount, seats = np.int64(0), 0
            for p in range(n):
                bet = np.int64(s[bets + p])
                amount += min(bet, level) - min(bet, below)
                if bet >= level and (active >> p) & 1:
                    seats |= 1 << p
            if seats == 0:
                s[pots + last] += amount
            else:
                closed = _CLOSED if seats & s[h + ALL_IN] else 0
                if s[pots + n + last] & _CLOSED:
                    last += 1
                    s[pots + last] = amount
                else:
                    s[pots + last] += amount
                s[pots + n + last] = seats | closed
            below = level
        s[h + POTS] = last + 1
        s[o + POT] += total
        for p in range(n):
            s[bets + p] = 0


@borrowed
def settle(s, o, n, r, walk, shown):  # type: ignore[no-untyped-def]
    """The Rake, then each pot to the best hands, odd chips from the left (`settlement`)."""
    h = o + PLAYERS_FROM + _SEEN * n
    pots = h + BLOCKS_FROM
    paid, values = pots + 3 * n, pots + 4 * n
    active = s[h + ACTIVE]
    left, taken = np.int64(r.rake_cap), np.int64(0)
    for k in range(np.int64(s[h + POTS])):
        amount = np.int64(s[pots + k])
        base = amount
        if k == 0 and walk >= 0 and r.walk_small:
            # In the first Betting Round his Blind is all that the winner has put in.
            base -= np.int64(s[o + PLAYERS_FROM + 2 * n + walk])
        rake = base * r.rake_part // (r.rake_whole * r.rake_chip) * r.rake_chip
        rake = min(rake, left)
        left -= rake
        taken += rake
        amount -= rake
        there = s[pots + n + k] & active
        if there == 0:
            there = active
        winners = there
        if shown and count(there) > 1:
            best, winners = 0, 0
            for p in range(n):
                if (there >> p) & 1:
                    value = s[values + p]
                    if value > best:
                        best, winners = value, 1 << p
                    elif value == best:
                        winners |= 1 << p
        sharing = count(winners)
        share = amount
        if sharing > 1:
            share = amount // sharing // r.chip * r.chip
        odd = amount - share * sharing
        for p in range(n):
            if (winners >> p) & 1:
                chip = min(np.int64(r.chip), odd)
                odd -= chip
                s[paid + p] += share + chip
                s[o + PLAYERS_FROM + p] += share + chip
    s[h + RAKE] = taken


@borrowed
def show_down(s, o, n, bits, seven):  # type: ignore[no-untyped-def]
    """The board is dealt out and every hand that is left is ranked."""
    h = o + PLAYERS_FROM + _SEEN * n
    values, cards = h + BLOCKS_FROM + 4 * n, h + BLOCKS_FROM + 5 * n
    board = np.uint64(0)
    for i in range(5):
        s[o + BOARD + i] = s[cards + i]
        board |= bits[s[cards + i]]
    active = s[h + ACTIVE]
    for p in range(n):
        if (active >> p) & 1:
            hand = board | bits[s[cards + 5 + 2 * p]] | bits[s[cards + 6 + 2 * p]]
            s[values + p] = mask_value(
                hand, seven.lanes, seven.flushes, seven.rows, seven.values, seven.shift
            )


@borrowed
def open_street(s, o, n, r):  # type: ignore[no-untyped-def]
    """The next street and its Betting Round."""
    h = o + PLAYERS_FROM + _SEEN * n
    cards = h + BLOCKS_FROM + 5 * n
    street = s[o + STREET] + 1
    s[o + STREET] = street
    if street == 2:
        for i in range(3):
            s[o + BOARD + i] = s[cards + i]
    else:
        s[o + BOARD + street] = s[cards + street]
    s[o + PRICE] = 0
    s[h + FULL] = 0
    s[o + MINIMUM] = r.big
    s[h + OPENED] = 0
    s[h + WAGERED] = 0
    s[h + ANSWERED] = 0
    s[h + LAST_RAISER] = NOBODY
    pending = s[h + ACTIVE] & ~s[h + ALL_IN]
    s[h + PENDING] = pending
    s[o + TURN] = lowest(pending)


@borrowed
def go_on(s, o, n):  # type: ignore[no-untyped-def]
    """Whether the Betting Round is over, or its last player has nothing to decide."""
    h = o + PLAYERS_FROM + _SEEN * n
    pending = s[h + PENDING]
    ending = _GOES_ON
    if pending == 0 or (
        pending & (pending - 1) == 0
        and pending == s[h + ACTIVE] & ~s[h + ALL_IN]
        and s[o + PLAYERS_FROM + n + lowest(pending)] >= s[o + PRICE]
    ):
        ending = _CLOSES
    return ending


@borrowed
def end_betting(s, o, n, r, ending, masks, k, bits, seven):  # type: ignore[no-untyped-def]
    """Close a Betting Round: by folds, or with all chips matched."""
    h = o + PLAYERS_FROM + _SEEN * n
    owner, over = uncalled(s, o, n)
    kept, walk = np.int64(0), np.int64(NOBODY)
    if ending == _ONE_LEFT:
        winner = lowest(s[h + ACTIVE])
        if s[o + STREET] == 1 and s[h + WAGERED] == 0:
            walk = winner
        if r.keeps_uncalled and owner == winner and (walk >= 0 or s[h + LAST_RAISER] == winner):
            kept = over
    if over > 0 and kept == 0:
        give_back(s, o, n, owner, over)
    gather(s, o, n, kept)
    shown = ending == _CLOSES and (
        s[o + STREET] == _LAST_STREET or count(s[h + ACTIVE] & ~s[h + ALL_IN]) < 2
    )
    if shown:
        show_down(s, o, n, bits, seven)
    if shown or ending == _ONE_LEFT:
        settle(s, o, n, r, walk, shown)
        nothing_to_do(s, o, masks, k)
    else:
        open_street(s, o, n, r)
        offer(s, o, n, r, masks, k)


# -- one Action ----------------------------------------------------------------------------------


@borrowed
def raised_to(s, o, n, r, p, to):  # type: ignore[no-untyped-def]
    """A full Raise: price, last full wager, smallest raise."""
    h = o + PLAYERS_FROM + _SEEN * n
    base = np.int64(s[o + PRICE]) if r.from_price else np.int64(s[h + FULL])
    by = to - base
    s[o + MINIMUM] = max(by, r.big) if r.never_below_big else by
    s[o + PRICE] = to
    s[h + FULL] = to
    s[h + LAST_RAISER] = p


@borrowed
def bet_of(s, o, n, r, to):  # type: ignore[no-untyped-def]
    """The BET of a later Betting Round."""
    h = o + PLAYERS_FROM + _SEEN * n
    s[o + MINIMUM] = r.big if r.never_below_big else to
    s[o + PRICE] = to
    s[h + FULL] = to
    s[h + OPENED] = 1


@borrowed
def price_after_all_in(s, o, n, r, p, to):  # type: ignore[no-untyped-def]
    """What an All-in is (`betting.all_in_kind`) and what it does to the price; gives 0 where nobody
    need answer it, 1 where all do, 2 where it is a full wager."""
    h = o + PLAYERS_FROM + _SEEN * n
    price, full = np.int64(s[o + PRICE]), np.int64(s[h + FULL])
    answered = 2
    if s[h + OPENED] == 0:
        if to >= r.least_bet or not r.all_in_below_bet:
            bet_of(s, o, n, r, to)
        else:
            s[o + PRICE] = to if r.below_bet_price else r.least_bet
            s[h + FULL] = r.least_bet
            s[o + MINIMUM] = r.least_bet
            s[h + OPENED] = 1
    elif to <= price:
        answered = 0
    else:
        over = to - (price if r.from_price else full)
        minimum = np.int64(s[o + MINIMUM])
        if over >= minimum or (r.half_is_raise and 2 * over >= minimum):
            raised_to(s, o, n, r, p, to)
        else:
            s[o + PRICE] = to
            if r.from_price:
                s[h + FULL] = to
            answered = 1
    return answered


@borrowed
def act(s, o, n, r, kind, amount):  # type: ignore[no-untyped-def]
    """An Action that is known to be offered; gives whether the Betting Round goes on."""
    h = o + PLAYERS_FROM + _SEEN * n
    p = np.int64(s[o + TURN])
    bit = np.int64(1) << p
    s[h + PENDING] &= ~bit
    s[h + ANSWERED] |= bit
    ending = _GOES_ON
    if kind == FOLD:
        active = s[h + ACTIVE] & ~bit
        s[h + ACTIVE] = active
        s[o + PLAYERS_FROM + 6 * n + p] = FOLDED
        if active & (active - 1) == 0:
            ending = _ONE_LEFT
    elif kind != CHECK:
        stake, bet = np.int64(s[o + PLAYERS_FROM + p]), np.int64(s[o + PLAYERS_FROM + n + p])
        most = stake + bet
        to = np.int64(amount)
        if kind == CALL:
            to = min(np.int64(s[o + PRICE]), most)
        elif kind == GO_ALL_IN:
            to = most
        s[o + PLAYERS_FROM + p] = most - to
        s[o + PLAYERS_FROM + n + p] = to
        s[h + WAGERED] |= bit
        if to == most:
            s[h + ALL_IN] |= bit
            s[o + PLAYERS_FROM + 6 * n + p] = IS_ALL_IN
        answered = 0
        if kind == BET:
            bet_of(s, o, n, r, to)
            answered = 2
        elif kind == RAISE:
            raised_to(s, o, n, r, p, to)
            answered = 2
        elif kind == GO_ALL_IN:
            answered = price_after_all_in(s, o, n, r, p, to)
        if answered > 0:
            s[h + PENDING] = (s[h + ACTIVE] & ~s[h + ALL_IN]) & ~bit
        if answered == 2:
            s[h + ANSWERED] = bit
    if ending == _GOES_ON:
        ending = go_on(s, o, n)
    if ending == _GOES_ON:
        s[o + TURN] = next_of(s[h + PENDING], p)
    return ending


@borrowed
def open_first(s, o, n, r, first):  # type: ignore[no-untyped-def]
    """The 1st Betting Round, once Blinds and straddle are placed; gives whether it goes on."""
    h = o + PLAYERS_FROM + _SEEN * n
    price = r.straddle if s[o + STRADDLED] == 1 else r.big
    s[o + PRICE] = price
    s[h + FULL] = price
    s[o + MINIMUM] = price
    s[h + OPENED] = 1
    s[o + PHASE] = BETTING_PHASE
    pending = s[h + ACTIVE] & ~s[h + ALL_IN]
    s[h + PENDING] = pending
    ending = go_on(s, o, n)
    if ending == _GOES_ON:
        s[o + TURN] = next_of(pending, first)
    return ending


@borrowed
def answer_straddle(s, o, n, r, kind):  # type: ignore[no-untyped-def]
    """Whoever is left of the Big Blind straddles or declines; gives whether betting goes on."""
    h = o + PLAYERS_FROM + _SEEN * n
    p = np.int64(s[o + TURN])
    first = np.int64(1)  # the Big Blind, where three or more play
    s[o + STRADDLED] = 2
    if kind == STRADDLE:
        s[o + STRADDLED] = 1
        s[o + PLAYERS_FROM + p] -= r.straddle - s[o + PLAYERS_FROM + n + p]
        s[o + PLAYERS_FROM + n + p] = r.straddle
        if s[o + PLAYERS_FROM + p] == 0:
            s[h + ALL_IN] |= 1 << p
            s[o + PLAYERS_FROM + 6 * n + p] = IS_ALL_IN
        first = p
    return open_first(s, o, n, r, first)


@borrower
def first_refused(state, masks, kinds, amounts, width, r):  # type: ignore[no-untyped-def]
    """The first table at which an Action is not offered, or -1."""
    for t in range(len(kinds)):
        o = t * width
        if state[o + PHASE] == OVER_PHASE:
            continue
        kind = np.int64(kinds[t])
        if kind >= _ACTIONS or masks[t * _ACTIONS + kind] == 0:
            return t
        if kind in (BET, RAISE):
            to = amounts[t]
            if to < state[o + LEAST] or to > state[o + MOST]:
                return t
            if to % r.chip != 0 and to != state[o + MOST]:
                return t
    return -1


@borrower
def step_tables(  # type: ignore[no-untyped-def]
    state, masks, kinds, amounts, width, n, r, bits, seven
):
    """One Action at every table that is not over, all of them known to be offered; gives at how
    many tables the hand goes on."""
    playing = 0
    for t in range(len(kinds)):
        o, k = t * width, t * _ACTIONS
        if state[o + PHASE] == OVER_PHASE:
            continue
        kind = kinds[t]
        if state[o + PHASE] == STRADDLE_PHASE:
            masks[k + STRADDLE] = 0
            masks[k + DECLINE] = 0
            ending = answer_straddle(state, o, n, r, kind)
        else:
            ending = act(state, o, n, r, kind, amounts[t])
        if ending == _GOES_ON:
            offer(state, o, n, r, masks, k)
        else:
            end_betting(state, o, n, r, ending, masks, k, bits, seven)
        playing += state[o + PHASE] != OVER_PHASE
    return playing


# -- the deal ------------------------------------------------------------------------------------


@borrower
def another(word, part, seed, table, number):  # type: ignore[no-untyped-def]
    """The next word in the place of one beyond the last whole multiple of the orders; rare."""
    tries = np.uint64(part + 2)
    while word >= _LIMITS[part]:
        word, _ = words(seed, table, number, tries)
        tries += np.uint64(3)
    return word


@borrowed
def nine(s, cards, wanted, deck, first, word, part, seed, table, number):  # type: ignore[no-untyped-def]
    """Nine cards by one word, or as many of them as are wanted. The part is a constant wherever
    this is written in, so that nothing is divided by a variable."""
    if word >= _LIMITS[part]:
        word = another(word, part, seed, table, number)
    word %= _ORDERS[part]
    for i in range(9):
        place = 9 * part + i
        left = np.uint64(52 - place)
        rest = word // left
        if place < wanted:
            s[cards + place] = take(deck, first + place, word - rest * left)
        word = rest


@borrowed
def draw(s, cards, wanted, deck, first, seed, table, number):  # type: ignore[no-untyped-def]
    """So many cards of those that are left in the deck from ``first`` on, nine by each word."""
    one, other = words(seed, table, number, np.uint64(0))
    nine(s, cards, wanted, deck, first, one, 0, seed, table, number)
    if wanted > 9:
        nine(s, cards, wanted, deck, first, other, 1, seed, table, number)
    if wanted > 18:
        one, _ = words(seed, table, number, np.uint64(1))
        nine(s, cards, wanted, deck, first, one, 2, seed, table, number)


@borrowed
def deal_cards(s, cards, wanted, deck, seed, table, number):  # type: ignore[no-untyped-def]
    """Any cards: board, then two for each position."""
    for card in range(52):
        deck[card] = np.uint8(card)
    draw(s, cards, wanted, deck, 0, seed, table, number)


@borrowed
def deal_around(s, cards, wanted, deck, fixed, f, seed, table, number):  # type: ignore[no-untyped-def]
    """The same where some cards are fixed: the others come from what is left, all alike."""
    for card in range(52):
        deck[card] = np.uint8(card)
    # One shuffle of the whole deck, of which the fixed cards are then passed over.
    for place in range(51):
        one, _ = words(seed, table, number, np.uint64(64 + place))
        left = np.uint64(52 - place)
        take(deck, place, one % left)
    given = np.uint64(0)
    for i in range(wanted):
        if fixed[f + i] >= 0:
            given |= _ONE << np.uint64(fixed[f + i])
    place = 0
    for i in range(wanted):
        if fixed[f + i] >= 0:
            s[cards + i] = fixed[f + i]
        else:
            while (given >> np.uint64(deck[place])) & _ONE:
                place += 1
            s[cards + i] = deck[place]
            place += 1


@borrower
def deal_tables(  # type: ignore[no-untyped-def]
    state, masks, rows, stakes, fixed, seed, width, n, r, bits, seven, deck
):
    """A new hand at these tables: stakes, cards, Blinds; then whoever is asked first. Gives at how
    many of them somebody is: a Blind may put everybody All-in."""
    playing = 0
    wanted = 5 + 2 * n
    for i in range(len(rows)):
        t = rows[i]
        o, k = t * width, t * _ACTIONS
        h = o + PLAYERS_FROM + _SEEN * n
        low, high = state[h + NUMBER_LOW], state[h + NUMBER_HIGH]
        number = (np.uint64(np.uint32(high)) << np.uint64(32)) | np.uint64(np.uint32(low))
        for c in range(width):
            state[o + c] = 0
        after = number + _ONE
        state[h + NUMBER_LOW] = np.int32(np.uint32(after & np.uint64(0xFFFFFFFF)))
        state[h + NUMBER_HIGH] = np.int32(np.uint32(after >> np.uint64(32)))
        cards = h + BLOCKS_FROM + 5 * n
        table = np.uint64(t)
        if len(fixed) > 0:
            deal_around(state, cards, wanted, deck, fixed, t * wanted, seed, table, number)
        else:
            deal_cards(state, cards, wanted, deck, seed, table, number)
        for c in range(_ACTIONS):
            masks[k + c] = 0
        state[o + STREET] = 1
        state[o + OWN] = NO_CARD
        state[o + OWN + 1] = NO_CARD
        for c in range(5):
            state[o + BOARD + c] = NO_CARD
        state[h + LAST_RAISER] = NOBODY
        state[h + ACTIVE] = (1 << n) - 1
        start = h + BLOCKS_FROM + 2 * n
        small, big = (1, 0) if n == 2 else (0, 1)
        for p in range(n):
            stake = np.int64(stakes[t * n + p])
            state[start + p] = stake
            blind = np.int64(0)
            if p == small:
                blind = np.int64(r.small)
            elif p == big:
                blind = np.int64(r.big)
            standing = IN
            if blind > 0 and stake <= blind:
                blind = stake
                state[h + ALL_IN] |= 1 << p
                standing = IS_ALL_IN
            state[o + PLAYERS_FROM + p] = stake - blind
            state[o + PLAYERS_FROM + n + p] = blind
            state[o + PLAYERS_FROM + 6 * n + p] = standing
        asked = r.straddle > 0 and n >= r.straddle_players and n > 2
        if asked and state[o + PLAYERS_FROM + 2] >= r.straddle:
            state[o + PHASE] = STRADDLE_PHASE
            state[o + TURN] = 2
            masks[k + STRADDLE] = 1
            masks[k + DECLINE] = 1
            playing += 1
            continue
        ending = open_first(state, o, n, r, np.int64(big))
        if ending == _GOES_ON:
            offer(state, o, n, r, masks, k)
        else:
            end_betting(state, o, n, r, ending, masks, k, bits, seven)
        playing += state[o + PHASE] != OVER_PHASE
    return playing
