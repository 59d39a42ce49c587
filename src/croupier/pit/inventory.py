"""Where every card and every chip of a table lies, in words: what a ruling moves is the difference
between two such lists.

Each family of games names the places once; whoever compares two inventories needs to know neither
the game nor its state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct, structs

from croupier.banked.facts import BankedFacts
from croupier.cards import Card
from croupier.poker.betting import is_barred, why_no_raise
from croupier.poker.facts import PokerFacts
from croupier.poker.table import PokerTable
from croupier.table.money import write_money

SHOE = "the shoe"
"""Where a card is that lies nowhere on the table."""


class Inventory(Struct, kw_only=True):
    """Cards by the place where they lie, and money by who has it and where."""

    cards: dict[str, tuple[Card, ...]] = {}
    money: dict[tuple[str, str], int] = {}
    """Whose, and where it lies: `("seat 3", "behind")`."""
    handed: dict[str, int] = {}
    """What somebody has been handed until now, less what he has put down. Nobody counts it at the
    felt, so only what is added or taken off is told: `gets`, or `pays`."""
    collected: bool = False
    """Whether the round is over and its cards are taken up: where they go needs no telling."""


class CardMove(Struct, frozen=True, kw_only=True):
    """So many cards that go from one place to another."""

    count: int
    leaves: str
    goes: str
    cards: tuple[Card, ...] = ()


class MoneyMove(Struct, frozen=True, kw_only=True):
    """What somebody has in one place, before and after."""

    who: str
    where: str
    before: int
    after: int


def poker_inventory(facts: PokerFacts) -> Inventory:
    """A poker table. A dead hand lies with the cards out of play."""
    in_hands = {seat: tuple(cards) for seat, cards in facts.hole_cards.items()}
    dead = tuple(c for seat in facts.dead_hands for c in in_hands.pop(seat, ()))
    cards = {f"seat {seat}": held for seat, held in in_hands.items()}
    cards["the board"] = (*facts.flop, *facts.turn_card, *facts.river)
    cards["the burns"] = tuple(facts.burns)
    if facts.stored_burn is not None and facts.stored_burn not in facts.burns:
        cards["the next burn"] = (facts.stored_burn,)
    cards["the discards"] = (*facts.discards, *dead)
    money = {(f"seat {seat}", "behind"): stake for seat, stake in facts.stakes.items()}
    money |= {(f"seat {seat}", "in front"): facts.bets.get(seat, 0) for seat in facts.stakes}
    money["the Pot", "with all bets"] = facts.pot
    return Inventory(cards=cards, money=money)


def nothing_counted(facts: Any) -> Inventory:
    """A game that has not said where its cards and chips lie."""
    return Inventory()


def nothing_drawn(facts: Any) -> Picture:
    """A game that has not said how its table looks."""
    return Picture(word="seat")


# -- who may not raise --------------------------------------------------------------------------

Bars = dict[int, tuple[str, ...]]
"""Who may not raise when his turn comes, and the paragraphs."""


def nobody_barred(table: Any) -> Bars:
    """A game in which nobody loses the right to raise by what others do."""
    return {}


def poker_bars(table: PokerTable) -> Bars:
    """Who has yet to act and may not raise, because an All-in was no raise and he has bet."""
    round_ = table.state.round
    if round_ is None or table.state.phase != "betting":
        return {}
    betting = round_.betting
    return {
        seat: why_no_raise(table, betting, round_.players[seat])
        for seat in betting.to_act
        if is_barred(table, betting, round_.players[seat])
    }


_SPOTS = {
    "ante": "Ante",
    "bonus": "Bonus",
    "progressive": "Progressive Jackpot bet",
    "flop": "Flop bet",
    "turn": "Turn bet",
    "river": "River bet",
}
"""The bets of a box, by where their chips lie."""


def banked_inventory(facts: BankedFacts) -> Inventory:
    """A banked table: what lies on the layout, and what players and House get or pay."""
    cards = {f"box {box}": tuple(held) for box, held in facts.cards.items()}
    cards |= {f"box {box}, which has no bet": tuple(held) for box, held in facts.stray.items()}
    cards["the board"] = tuple(facts.community)
    cards["the dealer's hand"] = tuple(facts.dealer)
    cards["the burns"] = tuple(facts.burns)
    gone = [f"box {box}" for box in facts.cards if _off_the_layout(facts, box)]
    if facts.void:
        gone = [*cards]
    cards["the discards"] = tuple(card for place in gone for card in cards.pop(place))
    money = {
        (f"box {box}", spot): bets.get(bet, 0)
        for box, bets in facts.stakes.items()
        for bet, spot in _SPOTS.items()
    }
    money |= {(player, "kept safe"): kept for player, kept in facts.safekeeping.items()}
    handed = {**facts.net, "the House": facts.house}
    on_the_layout = any(any(bets.values()) for bets in facts.stakes.values())
    settled = bool(facts.results) and not on_the_layout
    return Inventory(cards=cards, money=money, handed=handed, collected=settled)


def _off_the_layout(facts: BankedFacts, box: int) -> bool:
    """A cancelled hand is taken away, and a folded one unless its jackpot bet still needs it."""
    standing = facts.standing.get(box)
    waits = "progressive" in facts.stakes.get(box, {})
    return standing == "cancelled" or (standing == "folded" and not waits)


def cards_moved(
    before: Inventory, after: Inventory, shuffled: Collection[Card] = ()
) -> Iterator[CardMove]:
    """Every card that lies elsewhere, those with the same way together. What was shuffled has
    been in the shoe in between: where such a card comes to lie is chance. After settlement the
    cards are collected anyhow, however many they are found to have been."""
    if before.collected:
        return
    was, now = _places(before), _places(after)
    ways: dict[tuple[str, str], list[Card]] = {}
    for way, count in _unseen_moved(before, after, now.keys() - was.keys()):
        ways[way] = [Card.UNKNOWN] * count
    seen_there = _turned_up(before, after, was, now)
    for card in {**was, **now}:
        if card in seen_there:
            continue
        stops = [was.get(card, SHOE), now.get(card, SHOE)]
        if card in shuffled:
            stops.insert(1, SHOE)
        for way in pairwise(stops):
            if way[0] != way[1]:
                ways.setdefault(way, []).append(card)
    for (leaves, goes), cards in ways.items():
        named = tuple(card for card in cards if card.is_known)
        yield CardMove(count=len(cards), leaves=leaves, goes=goes, cards=named)


def _places(inventory: Inventory) -> dict[Card, str]:
    every = inventory.cards.items()
    return {card: place for place, cards in every for card in cards if card.is_known}


# Cards of a real shoe that nobody has seen are all alike: how many lie where is all that is known.


def _unseen(inventory: Inventory) -> Counter[str]:
    return Counter(
        place for place, cards in inventory.cards.items() for card in cards if not card.is_known
    )


def _turned_up(
    before: Inventory, after: Inventory, was: Mapping[Card, str], now: Mapping[Card, str]
) -> frozenset[Card]:
    """Cards that lie where one lay face down before: they were looked at, and moved nowhere."""
    fewer = _unseen(before) - _unseen(after)
    found = []
    for card, place in now.items():
        if card not in was and fewer[place] > 0:
            fewer[place] -= 1
            found.append(card)
    return frozenset(found)


def _unseen_moved(
    before: Inventory, after: Inventory, new: Collection[Card]
) -> Iterator[tuple[tuple[str, str], int]]:
    """How many cards that nobody has seen go from where to where, if there is but one way for them
    to have gone. `new` are those that are known now."""
    was, now = _unseen(before), _unseen(after)
    for place, cards in after.cards.items():
        for card in cards:
            if card in new and was[place] > now[place]:
                was[place] -= 1
    leave, come = was - now, now - was
    more = leave.total() - come.total()
    if more > 0:
        come[SHOE] += more
    elif more < 0:
        leave[SHOE] -= more
    if len(leave) == 1 or len(come) == 1:
        for place, count in leave.items():
            for goes in come:
                yield (place, goes), min(count, come[goes])


def as_reported(inventory: Inventory, named: Mapping[Card, int]) -> Inventory:
    """The same with the cards that a report names at these seats or boxes in the place of such as
    nobody has seen: from there they go wherever they go."""
    cards = dict(inventory.cards)
    lying = {card for held in cards.values() for card in held}
    for card, number in named.items():
        for place in (f"seat {number}", f"box {number}"):
            held = [*cards.get(place, ())]
            if card.is_known and card not in lying and Card.UNKNOWN in held:
                held[held.index(Card.UNKNOWN)] = card
                cards[place] = tuple(held)
    return structs.replace(inventory, cards=cards)


def money_moved(before: Inventory, after: Inventory) -> Iterator[MoneyMove]:
    """Everything that is more or less than before."""
    for key in {**before.money, **after.money}:
        was, now = before.money.get(key, 0), after.money.get(key, 0)
        if was != now:
            who, where = key
            yield MoneyMove(who=who, where=where, before=was, after=now)
    for who in {**before.handed, **after.handed}:
        more = after.handed.get(who, 0) - before.handed.get(who, 0)
        if more:
            yield MoneyMove(
                who=who, where="gets" if more > 0 else "pays", before=0, after=abs(more)
            )


def together(of_tables: Mapping[str, Inventory]) -> Inventory:
    """The inventories of several tables in one, each place with its table."""
    if len(of_tables) == 1:
        return next(iter(of_tables.values()))
    cards: dict[str, tuple[Card, ...]] = {}
    money: dict[tuple[str, str], int] = {}
    handed: dict[str, int] = {}
    for name, one in of_tables.items():
        cards |= {f"{place} at {name}": held for place, held in one.cards.items()}
        money |= {(f"{who} at {name}", where): sum_ for (who, where), sum_ in one.money.items()}
        handed |= {f"{who} at {name}": sum_ for who, sum_ in one.handed.items()}
    collected = all(one.collected for one in of_tables.values())
    return Inventory(cards=cards, money=money, handed=handed, collected=collected)


def meters(facts: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """What the meters of links show; the only one is simply the meter."""
    alone = len(facts) == 1
    return {
        ("the jackpot" if alone else f"the jackpot {name}", "meter"): of.meter
        for name, of in facts.items()
    }


# -- a picture of the table ---------------------------------------------------------------------


class Place(Struct, frozen=True, kw_only=True):
    """One seat or box as one sees it from above."""

    number: int
    marks: tuple[str, ...] = ()
    """What is said beside it: `Button`, `Big Blind`, `folded`, `has looked`."""
    cards: int = 0
    money: dict[str, str] = {}
    """What lies there, by what it is: `behind`, `in front`, `ante`."""


class Picture(Struct, frozen=True, kw_only=True):
    """A table as one sees it from above: no more than whoever stands there can see."""

    word: str
    places: tuple[Place, ...] = ()
    board: int = 0
    turn: int | None = None
    pot: str = ""


def poker_picture(facts: PokerFacts) -> Picture:
    """A poker table from above."""
    marks: dict[str, Sequence[int | None]] = {
        "Button": [facts.button],
        "Small Blind": [facts.small_blind],
        "Big Blind": [facts.big_blind],
        "straddle": [facts.straddle],
        "has looked": facts.looked,
        "All-in": facts.all_in,
        "away": facts.absent,
        "folded": facts.folded,
    }
    places = tuple(
        Place(
            number=seat,
            marks=tuple(word for word, seats in marks.items() if seat in seats),
            cards=len(facts.hole_cards.get(seat, ())) if seat not in facts.dead_hands else 0,
            money={
                "behind": write_money(stake),
                **({"in front": write_money(facts.bets[seat])} if seat in facts.bets else {}),
            },
        )
        for seat, stake in facts.stakes.items()
    )
    return Picture(
        word="seat",
        places=places,
        board=len(facts.board) + facts.face_down,
        turn=facts.turn,
        pot=write_money(facts.pot) if facts.pot else "",
    )


def banked_picture(facts: BankedFacts) -> Picture:
    """A banked table from above."""
    places = []
    for box in sorted({*facts.stakes, *facts.cards, *facts.stray}):
        standing = facts.standing.get(box, "")
        marks = [standing] if standing not in ("", "in") else []
        marks += ["has looked"] if box in facts.examined else []
        held = facts.cards.get(box) or facts.stray.get(box, [])
        gone = standing in ("folded", "cancelled")
        places.append(
            Place(
                number=box,
                marks=tuple(marks),
                cards=0 if gone else len(held),
                money={
                    _SPOTS[bet]: write_money(of)
                    for bet, of in facts.stakes.get(box, {}).items()
                    if of
                },
            )
        )
    return Picture(word="box", places=tuple(places), board=len(facts.community), turn=facts.turn)
