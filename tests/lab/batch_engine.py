"""Hands that a batch has played, played again at a real table and compared Action by Action."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from croupier.cards import DECK
from croupier.lab.batch import PokerBatch, by_index
from croupier.lab.batch_columns import ACTIONS, BET, NOBODY, RAISE
from croupier.lab.batch_rules import Amounts
from croupier.poker import PokerTable
from croupier.poker import commands as do
from croupier.poker.deck import DECK_IS_CUT
from croupier.table import ActorRank, GiveShuffle, OpenTable, Order

WHEN = datetime(2026, 1, 2, 20, tzinfo=UTC)
WEIGHTS = np.array([0.35, 1, 1, 0.9, 0.9, 0.45, 1, 1])
"""Folds and All-ins are rarer than the rest, so that hands go on and stacks differ."""
COMMANDS = (
    do.Fold,
    do.Check,
    do.Call,
    do.Bet,
    do.Raise,
    do.AllIn,
    do.Straddle,
    do.DeclineStraddle,
)
KIND_OF = {word: number for number, word in enumerate(ACTIONS)}


class RealTable:
    """One table with everybody seated; for each hand it is told who has how much."""

    def __init__(self, batch: PokerBatch, policies: dict[str, str]) -> None:
        self.table = PokerTable(batch.book)
        self.players = batch.players
        amounts = batch.amounts
        rake = {
            "percent": amounts.percent,
            "cap": amounts.cap,
            "chip": amounts.rake_chip,
        }
        settings = {
            "seats": batch.players,
            "blinds": amounts.blinds,
            "chips": (amounts.chip, amounts.chip * 25),
            "minimum_stake": amounts.chip,
            "rake": rake,
            "straddle": amounts.straddle,
            "layout": "A",
            "sign": True,
            "opened_knowingly": True,
        }
        if batch.book.has("maximum-table-stake"):
            settings["maximum_stake"] = amounts.chip * 1_000
        self.give(OpenTable(table="A", settings=settings, policies=policies))
        for seat in range(1, batch.players + 1):
            self.give(do.Sit(seat=seat, player=f"player {seat}", stake=amounts.chip * 100))
        self.deck: tuple = DECK
        self.give(do.StartGame())
        self.go_on()

    def order(self, command):
        return Order(command=command, who="house", rank=ActorRank.HOUSE, when=WHEN)

    def give(self, command):
        answer = self.table.handle(self.order(command))
        assert isinstance(answer, tuple), (command, answer)

    def go_on(self):
        """Chance and the dealer's acts, until a player must act or the deck is ready."""
        table, state = self.table, self.table.state
        while True:
            if state.waiting and table.is_held():
                [need] = [each for each in state.waiting if hasattr(each, "cards")]
                self.give(GiveShuffle(need=need.need, cards=self.deck))
            elif state.phase in ("betting", "between rounds", "ready") or table.may_straddle():
                return
            else:
                self.give(table.due())

    def begin(self, stakes, cards):
        """The next hand, with these stakes by position and these cards; gives who is dealt in."""
        table, state = self.table, self.table.state
        assert state.phase == "between rounds"
        state.waiting = []  # a question about the hand before, which does not hold the table
        seats = range(1, self.players + 1)
        order = (*seats[state.button :], *seats[: state.button])
        for position, seat in enumerate(order):
            state.seats[seat].stake = stakes[position]
        state.brought = sum(stakes) + state.house
        self.deck = self.stacked(cards)
        self.give(do.Shuffle())
        self.go_on()
        self.give(do.CallForBlinds())
        assert table.current_round().order == order
        self.go_on()
        return order

    def stacked(self, cards):
        named = [by_index()[card] for card in cards]
        holes, board = named[5:], named[:5]
        used = set(named)
        rest = [card for card in DECK if card not in used]
        b1, b2, b3, *rest = rest
        deck = (*holes[::2], *holes[1::2], b1, *board[:3], b2, board[3], b3, board[4], *rest)
        if self.table.by_book[DECK_IS_CUT]:
            deck = deck[26:] + deck[:26]
        return deck


def record(batch: PokerBatch, chance: np.random.Generator):
    """Play every table to its end by random Actions; give all steps."""
    steps = []
    while batch.playing:
        kinds, amounts = batch.random_actions(chance, WEIGHTS)
        steps.append(
            (
                kinds.tolist(),
                amounts.tolist(),
                batch.masks.tolist(),
                batch.observations.tolist(),
            )
        )
        batch.step(kinds, amounts)
    return steps


def compare(batch: PokerBatch, real: RealTable, steps, t: int, see: bool = True) -> int:
    """Play the hand of one table again; give how many Actions it took."""
    n = batch.players
    table, state = real.table, real.table.state
    house = state.house
    order = real.begin(batch.named["start"][t].tolist(), batch.cards[t].tolist())
    taken = 0
    for kinds, amounts, masks, seen in steps:
        row = seen[t]
        if row[0] == NOBODY:
            break
        seat = order[row[0]]
        mask, least, most, to_call = [0] * 8, 0, 0, 0
        bet = state.round.players[seat].bet
        for offer in table.offers(seat):
            kind = KIND_OF[offer.do]
            mask[kind] = 1
            if kind in (BET, RAISE):
                least, most = offer.least, offer.most
            elif offer.do == "call":
                to_call = offer.least - bet
        assert mask == masks[t], (t, taken, mask, masks[t])
        assert [to_call, least, most] == row[12:15], (t, taken)
        if see:
            _same_table(state, order, row, n)
        kind = kinds[t]
        command = COMMANDS[kind]
        sized = kind in (BET, RAISE)
        real.give(command(seat=seat, to=amounts[t]) if sized else command(seat=seat))
        real.go_on()
        taken += 1
    round_ = state.round
    assert not round_.open
    stakes = [state.seats[seat].stake for seat in order]
    assert stakes == batch.named["stake"][t].tolist(), (t, stakes)
    assert [round_.payouts.get(seat, 0) for seat in order] == batch.named["paid"][t].tolist()
    assert state.house - house == batch.rake[t]
    pots = [pot.amount for pot in round_.pots]
    assert pots == batch.named["pot_amount"][t].tolist()[: batch.named["pots"][t]]
    return taken


def _same_table(state, order, row, n):
    """What the player to act sees is what lies on the table."""
    round_ = state.round
    straddling = state.phase == "dealing"
    betting = round_.betting
    assert row[1] == betting.number
    assert row[2] == (0 if straddling else 1)
    players = [round_.players[seat] for seat in order]
    board = [card.index for card in (*round_.flop, *round_.turn, *round_.river)]
    assert row[5:10] == board + [-1] * (5 - len(board))
    if not straddling:
        assert row[3:5] == [card.index for card in round_.players[order[row[0]]].cards]
        assert row[11] == betting.price
        assert row[15] == betting.minimum
    assert row[10] == sum(pot.amount for pot in round_.pots)
    assert row[17 : 17 + n] == [state.seats[seat].stake for seat in order]
    assert row[17 + n : 17 + 2 * n] == [player.bet for player in players]
    put = [sum(row[17 + street * n + p] for street in range(1, 6)) for p in range(n)]
    assert put == [player.total for player in players]
    standing = [0 if not p.active else 2 if p.all_in else 1 for p in players]
    assert row[17 + 6 * n : 17 + 7 * n] == standing


def stakes_of(chance: np.random.Generator, tables: int, amounts: Amounts, players: int):
    """Short and deep, many of them equal, so that All-ins and Side Pots come up."""
    chips = amounts.blinds[1] // amounts.chip
    deep = chance.integers(1, 60 * chips, (tables, players))
    short = chance.integers(1, 3 * chips, (tables, players))
    equal = np.full((tables, players), 12 * chips)
    kind = chance.integers(0, 4, (tables, players))
    return np.choose(kind, [deep, deep, short, equal]).astype(np.int32) * amounts.chip


def played_alike(
    book: str,
    hands: int,
    *,
    players: int,
    amounts: Amounts,
    policies=None,
    seed=1,
    broken=None,
    seen_every=1,
):
    """Play so many hands in a batch and at a table; give how many Actions were compared.

    What is seen is compared at every so manyth table, what is open and what is paid at each.
    ``broken`` are rules that the batch is told otherwise, to see that the comparison finds it.
    """
    chance = np.random.default_rng(seed)
    policies = policies or {}
    taken = 0
    real = None
    for begin in range(0, hands, 5_000):
        tables = min(5_000, hands - begin)
        batch = PokerBatch(
            book,
            tables=tables,
            players=players,
            amounts=amounts,
            stakes=stakes_of(chance, tables, amounts, players),
            policies=policies,
            seed=seed + begin,
        )
        batch.rules = batch.rules._replace(**broken or {})
        if broken:
            batch.reset()
        real = real or RealTable(batch, policies)
        steps = record(batch, chance)
        for t in range(tables):
            taken += compare(batch, real, steps, t, t % seen_every == 0)
    return taken
