"""Settlement: the Rake, the payment of each pot, odd chips, the timed charge.

v8 4.1 to 4.6.2 (A-40 to A-44); v5 4.1 to 4.6.2 (P-15 to P-17).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from croupier.cards import Category, HandValue
from croupier.cards.value import all_values
from croupier.poker.commands import CollectTimedRake, DividePot, Settle
from croupier.poker.events import PotWon, RakeTaken, RoundEnded, TimedRakeCollected
from croupier.poker.in_round import in_round
from croupier.poker.opening import RAKE_BY_TIME
from croupier.poker.positions import between, next_button, orbit_at
from croupier.poker.pots import contestants
from croupier.poker.state import HAS_PASSED, PokerState, RoundState
from croupier.rulebooks import Cites, Topic, Ways
from croupier.table import ActorRank, BadCommand, Order, Room
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

settlement = Room("settlement")

PLAYER = ActorRank.PLAYER


RAKED = Cites(Topic.RAKE_PERCENTAGE, Topic.RAKE_ORDER, Topic.RAKE, Topic.HOUSE)
RAKED_TO_THE_CAP = Cites(
    Topic.RAKE_CAP, Topic.RAKE_PERCENTAGE, Topic.RAKE_ORDER, Topic.RAKE, Topic.HOUSE
)


@settlement.decides(Settle)
def settle(table: PokerTable, order: Order[Settle]) -> None:
    state = table.state
    if order.rank is PLAYER:
        table.only_the_dealer("settles the round", Topic.POT)
    round_ = state.round
    if state.phase != "settling" or round_ is None:
        table.refuse_with((Topic.ROUND_OF_PLAY, Topic.POT), "There is nothing to settle yet.")
    rakes, bases = rake_of(table, round_)
    units = _units(table, round_, rakes, order.command.smallest_chips)
    if table.rate[0]:
        taken = sum(rakes)
        capped = taken == table.rake_cap
        table.emit(
            RakeTaken(
                amount=taken,
                pots=rakes,
                bases=bases,
                cites=table.by_book[RAKED_TO_THE_CAP if capped else RAKED],
            )
        )
    # v8 3.18.2.d: the pot that was made last is resolved first.
    for number in range(len(round_.pots) - 1, -1, -1):
        table.emit(award(table, round_, number, rakes[number], units[number]))
    end_round(table, round_, next_button(table.state, round_.button))


ENDED = Cites(Topic.BUTTON_MOVES, Topic.ORBIT, Topic.ROUND_OF_PLAY)


def end_round(table: PokerTable, round_: RoundState, button: int, *, moved: bool = True) -> None:
    """The Round of play is concluded, and the button goes where the next one begins (v8 1.17)."""
    table.emit(
        RoundEnded(
            round=round_.number,
            button=button,
            moved=moved,
            cites=table.by_book[ENDED],
        )
    )


# -- the Rake ----------------------------------------------------------------------------------


def rake_of(table: PokerTable, round_: RoundState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is taken from each pot and from how much, Main Pot first, up to the cap (A-42)."""
    pots = round_.pots
    bases = tuple([pot.amount for pot in pots])
    if round_.walk is not None and charges_small_blind_only(table.state.policies):
        # A-43, P-15: where a Blind is read as a bet, the one that won is what nobody called.
        bases = (bases[0] - round_.players[round_.walk].total, *bases[1:])
    part, whole = table.rate
    if not part:
        return (0,) * len(pots), bases
    left = table.rake_cap
    chip = table.rake_chip
    rakes = []
    for base in bases:
        rake = min(base * part // (whole * chip) * chip, left)
        left -= rake
        rakes.append(rake)
    return tuple(rakes), bases


def charges_small_blind_only(policies: dict[str, str]) -> bool:
    """Whether a walk is charged for the Small Blind alone: by the policy that the book has."""
    return "small-blind" in (
        policies.get("rake-base-of-a-walk"),
        policies.get("rake-uncalled-raise"),
    )


@in_round(settlement, RakeTaken)
def rake_taken(table: PokerTable, round_: RoundState, event: RakeTaken) -> None:
    state = table.state
    state.house += event.amount
    round_.rake = event.amount
    round_.paid += event.amount
    round_.rakes = event.pots
    round_.rake_bases = event.bases


# -- paying ------------------------------------------------------------------------------------


def _units(
    table: PokerTable, round_: RoundState, rakes: tuple[int, ...], given: tuple[int, ...]
) -> tuple[int, ...]:
    """Down to which chip each pot is shared (A-40: seen in the pot, else the table's smallest)."""
    if not given:
        return (table.smallest_chip,) * len(round_.pots)
    table.by_book[SPLITTING_UNIT](table, round_, rakes, given)
    return given


def _at_the_table(
    table: PokerTable, round_: RoundState, rakes: tuple[int, ...], given: tuple[int, ...]
) -> None:
    table.refuse(Topic.SPLIT_POT, "Pots are shared down to the smallest chip at the table.")


def _in_the_pot(
    table: PokerTable, round_: RoundState, rakes: tuple[int, ...], given: tuple[int, ...]
) -> None:
    if len(given) != len(round_.pots):
        are = "is 1 pot" if len(round_.pots) == 1 else f"are {len(round_.pots)} pots"
        raise BadCommand(f"there {are}; give the smallest chip of each")
    table.check_in_play(*given)
    for pot, rake, chip in zip(round_.pots, rakes, given, strict=True):
        if (pot.amount - rake) % chip:
            raise BadCommand(
                f"{write_money(chip)} cannot be the smallest chip in a pot of "
                f"{write_money(pot.amount - rake)}"
            )


SPLITTING_UNIT = Ways(
    "splitting-unit",
    {"smallest-chip-in-pot": _in_the_pot, "smallest-chip-at-table": _at_the_table},
)
"""Whether the chips seen in the pots may be reported: only where they count."""


def _left_of_button_first(winners: list[int]) -> Iterable[int]:
    return winners


ODD_CHIPS: Ways[Callable[[list[int]], Iterable[int]]] = Ways(
    "odd-chips", {"left-of-button-first": _left_of_button_first}
)
"""Who gets a chip that cannot be shared, one after the other. The winners come in the order of the
deal, which is clockwise from the button's left."""


def award(table: PokerTable, round_: RoundState, number: int, rake: int, unit: int) -> PotWon:
    """Who wins a pot and how much each gets (v8 4.4 to 4.6, A-41)."""
    pot = round_.pots[number]
    amount = pot.amount - rake
    there = contestants(round_, pot)
    winners, second = winners_of(round_, there)
    hand = round_.players[winners[0]].hand
    if len(winners) == 1:
        shares = {winners[0]: amount}
        odd: dict[int, int] = {}
    else:
        share = amount // len(winners) // unit * unit
        left = amount - share * len(winners)
        shares = dict.fromkeys(winners, share)
        odd = {}
        for seat in table.by_book[ODD_CHIPS](winners) if left else ():
            if not left:
                break
            chip = min(unit, left)
            shares[seat] += chip
            odd[seat] = chip
            left -= chip
    return PotWon(
        pot=number,
        shares=shares,
        odd_chips=odd,
        hand=hand,
        cites=_won_cites(table, round_, number, there, winners, second, odd),
    )


def winners_of(round_: RoundState, there: list[int]) -> tuple[list[int], int]:
    """The best hands shown among those who contest a pot; alone in it, one wins unseen.

    Also what the next best hand shown was worth, 0 if there was none.
    """
    if len(there) == 1:
        return there, 0
    players = round_.players
    best = second = 0
    winners: list[int] = []
    for seat in there:
        worth = players[seat].worth  # 0 unless he has shown
        if worth > best:
            second, best, winners = best, worth, [seat]
        elif worth == best and best:
            winners.append(seat)
        elif worth > second:
            second = worth
    return winners or [seat for seat in there if not players[seat].mucked], second


WON_BY_FOLDS = Cites(Topic.LONE_SURVIVOR, Topic.ONE_LEFT_ENDS_ROUND)
SIDE_POT_BY_FOLDS = Cites(Topic.SIDE_POT_WINNER, Topic.SIDE_POT, Topic.LONE_SURVIVOR)
WON = Cites(Topic.BEST_HAND_WINS, Topic.HIGHEST_HAND_OBJECTIVE, Topic.BEST_FIVE_OF_SEVEN)
SPLIT = Cites(Topic.SPLIT_POT, Topic.BEST_HAND_WINS, Topic.CARD_RANKS, Topic.BEST_FIVE_OF_SEVEN)
ODD_CHIP = Cites(Topic.ODD_CHIP)
AMONG_ALL_INS = Cites(Topic.ALL_IN_POTS)
SIDE_POT = Cites(Topic.SIDE_POT_WINNER, Topic.SIDE_POT)
ALL_IN_WINNER = Cites(Topic.ALL_IN_WINNER, Topic.ALL_IN_WINS_ONLY_ITS_POTS)


def _won_cites(
    table: PokerTable,
    round_: RoundState,
    number: int,
    there: list[int],
    winners: list[int],
    second: int,
    odd: dict[int, int],
) -> tuple[str, ...]:
    """Why: by folds, by the better hand, by a tie; and what All-ins have to do with it."""
    players = round_.players
    # A Side Pot whose contributors are all gone goes to whoever is left, by another paragraph.
    as_side_pot = number > 0 and any(players[seat].active for seat in round_.pots[number].seats)
    if round_.won_by_folds or len(there) == 1:
        return table.by_book[SIDE_POT_BY_FOLDS if as_side_pot else WON_BY_FOLDS]
    key = [WON if len(winners) == 1 else SPLIT]
    if odd:
        key.append(ODD_CHIP)
    if len(round_.pots) > 1:
        key.append(AMONG_ALL_INS)
    if as_side_pot:
        key.append(SIDE_POT)
    for seat in winners:
        if players[seat].all_in:
            key.append(ALL_IN_WINNER)
            break
    if second:
        values = all_values()
        best = players[winners[0]].worth
        key.append(_compared_by(values[best - 1], values[second - 1]))
    return table.joined(tuple(key))


BY_CATEGORY = Cites(Topic.HAND_CATEGORIES)
BY_STRAIGHT = Cites(Topic.TIE_BREAK_STRAIGHTS, Topic.TIE_BREAKS)
BY_ODD_CARDS = Cites(Topic.TIE_BREAK_ODD_CARDS, Topic.TIE_BREAKS)
BY_KICKER = Cites(Topic.TIE_BREAK_KICKER, Topic.TIE_BREAKS)
BY_RANK = Cites(Topic.TIE_BREAKS)
_BY = {
    Category.STRAIGHT: BY_STRAIGHT,
    Category.STRAIGHT_FLUSH: BY_STRAIGHT,
    Category.FIVE_ODD_CARDS: BY_ODD_CARDS,
    Category.FLUSH: BY_ODD_CARDS,
}
_MADE_OF = {
    Category.ONE_PAIR: 2,
    Category.TWO_PAIRS: 4,
    Category.THREE_OF_A_KIND: 3,
    Category.FOUR_OF_A_KIND: 4,
}
"""How many cards make the category; the others are kickers."""


def _compared_by(best: HandValue, second: HandValue) -> Cites:
    """What told two hands apart."""
    category = best.category
    if category is not second.category:
        return BY_CATEGORY
    made = _MADE_OF.get(category)
    if made is None:
        return _BY.get(category, BY_RANK)
    return BY_RANK if best.ranks[:made] != second.ranks[:made] else BY_KICKER


@in_round(settlement, PotWon)
def pot_won(table: PokerTable, round_: RoundState, event: PotWon) -> None:
    state = table.state
    for seat, amount in event.shares.items():
        state.seats[seat].stake += amount
        round_.payouts[seat] = round_.payouts.get(seat, 0) + amount
        round_.paid += amount
    round_.winners[event.pot] = tuple(event.shares)


@in_round(settlement, RoundEnded)
def round_ended(table: PokerTable, round_: RoundState, event: RoundEnded) -> None:
    """A-46: the lap is over when the button comes to, or passes, the seat where it began."""
    state = table.state
    round_.open = False
    state.phase = "between rounds"
    state.shuffled = False
    if event.moved:
        button_goes(state, round_.button, event.button)
    state.button = event.button


def button_goes(state: PokerState, old: int, new: int) -> None:
    """The button goes from one seat to another: the lap may be over (A-46), a seat that was left
    empty for it (A-53) has had it, or been passed, and so has whoever waited for that (5.7.1.a)."""
    state.orbit = orbit_at(state, old, new)
    for seat in state.seats.values():
        if seat.waits_at:
            seat.waits_at = HAS_PASSED
    if state.vacated:
        state.vacated = [
            seat for seat in state.vacated if seat != old and not between(seat, old, new)
        ]


# -- the timed charge, and what is not done ----------------------------------------------------


@settlement.decides(CollectTimedRake)
def collect_timed_rake(table: PokerTable, order: Order[CollectTimedRake]) -> None:
    state, number = table.state, order.command.seat
    if order.rank is PLAYER:
        table.only_the_dealer("collects the timed Rake", Topic.RAKE)
    if not table.book.has(Topic.RAKE_TIMED):
        table.refuse(Topic.RAKE, "This game has no timed Rake.")
    seat = state.seats.get(number)
    if seat is None:
        raise BadCommand(f"nobody sits at seat {number}")
    if table.playing():
        table.refuse_with(
            (Topic.RAKE_TIMED, Topic.ROUND_OF_PLAY), "It is collected between rounds."
        )
    if not seat.rake_due:
        table.refuse(Topic.RAKE_TIMED, f"Seat {number} owes none.")
    amount = min(seat.rake_due, seat.stake)
    table.emit(TimedRakeCollected(seat=number, amount=amount, cites=table.by_book[RAKE_BY_TIME]))


@settlement.applies(TimedRakeCollected)
def timed_rake_collected(table: PokerTable, event: TimedRakeCollected) -> None:
    seat = table.state.seats[event.seat]
    seat.stake -= event.amount
    seat.rake_due -= event.amount
    table.state.house += event.amount


@settlement.decides(DividePot)
def divide_pot(table: PokerTable, order: Order[DividePot]) -> None:
    table.own_seat(order, order.command.seat)
    table.refuse(Topic.NO_POT_DEALS, "Every hand is played to the end; no pot is shared by deal.")
