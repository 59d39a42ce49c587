"""A table that counts wrongly breaks at once: chips, stakes, cards are checked at every event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from croupier.banked import BankedTable
from croupier.cards import Card
from croupier.poker import PokerTable
from croupier.rulebooks import load
from croupier.table import ActorRank, BrokenTable, Event, Look, Order, Table
from tests.pit.any_orders import evening_by_chance
from tests.pit.kept import Play

Tamper = Callable[[Any], None]
EVENING = datetime(2024, 9, 1, 20, tzinfo=UTC)


def under_way(book: str, phases: tuple[str, ...], seed: int = 3) -> Table[Any]:
    """A table of an evening by chance that has come so far."""
    for number in range(seed, seed + 60):
        evening = evening_by_chance(book, number, 70)
        play = Play(evening.book, evening.tables)
        for given in evening.given:
            play.give(given)
            for table in play.pit.tables.values():
                if table.state.opened and table.status() in phases and table.playing():
                    return table
    raise AssertionError(f"no evening comes to {phases}")


def _first(found: dict[int, Any]) -> Any:
    return found[min(found)]


def _more_stake(state: Any) -> None:
    _first(state.seats).stake += 100


def _negative(state: Any) -> None:
    seat = _first(state.seats)
    state.brought -= seat.stake + 100
    seat.stake = -100


def _more_rake(state: Any) -> None:
    state.house += 1


def _more_bet(state: Any) -> None:
    _first(state.round.players).bet += 100


def _more_dead(state: Any) -> None:
    _first(state.round.players).dead += 100


def _paid(state: Any) -> None:
    state.round.paid += 100


def _card_gone(state: Any) -> None:
    _first(state.round.players).cards.pop()


def _card_twice(state: Any) -> None:
    cards = _first(state.round.players).cards
    other = state.round.players[max(state.round.players)].cards
    cards[0] = other[0]


@pytest.mark.parametrize(
    "tamper",
    [_more_stake, _negative, _more_rake, _more_bet, _more_dead, _paid, _card_gone, _card_twice],
)
def test_a_poker_table_that_counts_wrongly_breaks(tamper: Tamper) -> None:
    table: Any = under_way("no-limit-holdem-v8", ("betting",))
    table.cards_moved = True
    table.check()
    tamper(table.state)
    table.cards_moved = True
    with pytest.raises(AssertionError):
        table.check()


@pytest.mark.parametrize("tamper", [_more_stake, _negative, _more_rake, _more_bet, _more_dead])
def test_a_poker_table_counts_at_every_event(tamper: Tamper) -> None:
    table: Any = under_way("no-limit-holdem-v8", ("betting",))
    seat = next(n for n, held in table.state.round.players.items() if not held.looked)
    tamper(table.state)
    who = table.player_at(seat)
    with pytest.raises(AssertionError):
        table.handle(Order(command=Look(seat=seat), who=who, rank=ActorRank.PLAYER, when=EVENING))


def _ante(state: Any) -> None:
    _first(state.boxes).ante += 100


def _negative_ante(state: Any) -> None:
    box = _first(state.boxes)
    state.house += box.ante + 100
    box.ante = -100


def _bank(state: Any) -> None:
    state.house -= 1


def _from_meter(state: Any) -> None:
    state.from_meter += 1


def _kept_safe(state: Any) -> None:
    state.safekeeping["Ann"] = state.safekeeping.get("Ann", 0) + 1


def _no_card(state: Any) -> None:
    _first(state.boxes).cards.pop()


def _one_more(state: Any) -> None:
    state.thrown.append(Card("As"))


def _burn_gone(state: Any) -> None:
    state.burns.append(Card("As"))


@pytest.mark.parametrize(
    "tamper",
    [
        _ante,
        _negative_ante,
        _bank,
        _from_meter,
        _kept_safe,
        _no_card,
        _one_more,
        _burn_gone,
    ],
)
def test_a_banked_table_that_counts_wrongly_breaks(tamper: Tamper) -> None:
    table: Any = under_way("multi-link-progressive-v3", ("first decision",))
    table.check()
    tamper(table.state)
    with pytest.raises(AssertionError):
        table.check()


class Danced(Event, frozen=True, kw_only=True):
    """No event of any table."""


@pytest.mark.parametrize(
    "table",
    [PokerTable(load("poker-v5")), BankedTable(load("multi-link-progressive-v3"))],
    ids=["poker", "banked"],
)
def test_an_event_of_another_game_breaks_the_table(table: Table[Any]) -> None:
    with pytest.raises(BrokenTable, match="Danced is no event"):
        table.apply(Danced())
