"""A hand on record completed by its replay: pots, uncalled bets, finishing stacks, paragraphs.

What the record states stays as it is; what it leaves open is what the table says. Written again,
it holds everything that it held before, and the book's own account of it.
"""

from __future__ import annotations

from msgspec import structs

from croupier.formats.hand import STREETS, Act, Hand, Player, Pot, Street, Uncalled
from croupier.formats.replay import Replayer
from croupier.formats.script import script_of
from croupier.poker.events import (
    BetPlaced,
    BettingRoundClosed,
    Called,
    Checked,
    Folded,
    PotWon,
    Raised,
    ShowdownBegun,
    UncalledReturned,
    WentAllIn,
)
from croupier.table import Event

_ACTIONS = (Checked, BetPlaced, Called, Raised, WentAllIn, Folded)


def replayed_hand(hand: Hand, replayer: Replayer) -> Hand:
    """The hand with what its replay says; as it is where the book does not let it be played."""
    script = script_of(hand)
    table, outcome = replayer.play(script)
    if table is None or outcome.verdict not in ("agrees", "differs"):
        return hand
    round_ = table.state.round
    if round_ is None or round_.open:
        return hand
    seats = [player.seat for player in hand.players]
    events = table.happened
    wins: dict[int, dict[int, int]] = {}
    cites: dict[str, None] = {}
    uncalled: list[Uncalled] = []
    street = 0
    for event in events:
        if isinstance(event, UncalledReturned):
            seat = seats[event.seat - 1]
            back = Uncalled(seat=seat, amount=event.amount, street=STREETS[street])
            uncalled.append(back)
        elif isinstance(event, BettingRoundClosed):
            street = min(event.number, len(STREETS) - 1)
        elif isinstance(event, PotWon):
            wins[event.pot] = {seats[seat - 1]: won for seat, won in event.shares.items()}
        if isinstance(event, PotWon | ShowdownBegun):
            cites |= dict.fromkeys(event.cites)
    pots = tuple(
        Pot(
            amount=pot.amount,
            seats=tuple(seats[seat - 1] for seat in pot.seats),
            wins=wins.get(number, {}),
        )
        for number, pot in enumerate(round_.pots)
    )
    ends = [seat.stake for seat in table.state.seats.values()]
    return structs.replace(
        hand,
        players=tuple(_ended(player, end) for player, end in zip(hand.players, ends, strict=True)),
        streets=_cited(hand, events),
        pots=hand.pots or pots,
        uncalled=hand.uncalled or tuple(uncalled),
        rulebook=hand.rulebook or replayer.rulebook,
        policies=hand.policies or replayer.policies,
        cites=hand.cites or tuple(cites),
    )


def _ended(player: Player, end: int) -> Player:
    """A player with his finishing stack, unless that or what he began with is not to be had."""
    if player.stack is None or player.finishing is not None or player.winnings is not None:
        return player
    return structs.replace(player, finishing=end)


def _cited(hand: Hand, events: list[Event]) -> tuple[Street, ...]:
    """The streets with the paragraphs by which each Action was taken."""
    place = {player.seat: number for number, player in enumerate(hand.players, 1)}
    actions = iter([event for event in events if isinstance(event, _ACTIONS)])
    waiting = next(actions, None)
    streets = []
    for street in hand.streets:
        acts: list[Act] = []
        for act in street.acts:
            done = act
            if (
                waiting is not None
                and act.do in ("fold", "check", "call", "bet", "raise")
                and waiting.seat == place.get(act.seat)
            ):
                if not act.cites:
                    done = structs.replace(act, cites=waiting.cites)
                waiting = next(actions, None)
            acts.append(done)
        streets.append(structs.replace(street, acts=tuple(acts)))
    return tuple(streets)
