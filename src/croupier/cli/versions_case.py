"""Hands that two versions pay differently, as case files: one for each book, ready to be run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.cards import DECK
from croupier.rulebooks import Rulebook, Topic

if TYPE_CHECKING:
    from croupier.lab.batch_rules import Amounts
    from croupier.lab.versions import Example, Versions

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eli", "Fay", "Gil", "Hal", "Ida", "Jim")
_BY_INDEX = sorted(DECK, key=lambda card: card.index)


def case_files(
    found: Versions, books: tuple[Rulebook, Rulebook], amounts: Amounts
) -> dict[str, str]:
    """The examples by the names of their files."""
    return {
        f"hand-{example.hand}-{book.id}.toml": _case(example, book, number, books, amounts)
        for example in found.examples
        for number, book in enumerate(books)
    }


def _case(
    example: Example,
    book: Rulebook,
    number: int,
    books: tuple[Rulebook, Rulebook],
    amounts: Amounts,
) -> str:
    return "\n".join(_lines(example, book, number, books[1 - number], amounts)) + "\n"


def _lines(
    example: Example, book: Rulebook, number: int, other: Rulebook, amounts: Amounts
) -> Iterator[str]:
    players = len(example.stakes)
    seats = [seat_of(position, players) for position in range(players)]
    cards = [str(_BY_INDEX[card]) for card in example.cards]
    ends, others = example.ends[number], example.ends[1 - number]
    told = ", ".join(
        f"{NAMES[seats[p] - 1]} {_money(others[p])}"
        for p in sorted(range(players), key=seats.__getitem__)
        if ends[p] != others[p]
    )
    yield f'title = "Hand {example.hand}, paid differently under {other.id}"'
    yield f'about = "Found by `croupier rules outcomes`. Under {other.id} they end with: {told}."'
    yield f'rulebook = "{book.id}"'
    proves = Topic.RAKE if amounts.rake.share else Topic.BEST_HAND_WINS
    yield f'paragraphs = ["{book.cite(proves)[0]}"]'
    yield ""
    yield "[table]"
    yield f"seats = {players}"
    yield f"blinds = [{_money(amounts.blinds[0])}, {_money(amounts.blinds[1])}]"
    yield "button = 1"
    yield (
        f'rake = {{ percent = "{amounts.percent}", cap = {_money(amounts.cap)}, '
        f"chip = {_money(amounts.rake_chip)} }}"
    )
    if amounts.straddle and book.has(Topic.STRADDLE):
        yield "straddle = true"
    yield "opened_knowingly = true"
    yield "[seats]"
    for position in sorted(range(players), key=seats.__getitem__):
        seat, hole = seats[position], " ".join(cards[5 + 2 * position : 7 + 2 * position])
        stake = _money(example.stakes[position])
        yield f'{seat} = {{ player = "{NAMES[seat - 1]}", stake = {stake}, cards = "{hole}" }}'
    yield "[board]"
    yield f'flop = "{" ".join(cards[:3])}"'
    yield f'turn = "{cards[3]}"'
    yield f'river = "{cards[4]}"'
    for position, action, to in example.acts[number]:
        yield ""
        yield "[[step]]"
        yield f'do = "{action}"'
        yield f"seat = {seats[position]}"
        if to:
            yield f"to = {_money(to)}"
    stakes = ", ".join(f"{seats[p]} = {_money(ends[p])}" for p in range(players))
    yield f"expect.stakes = {{ {stakes} }}"
    yield f"expect.rake = {_money(example.rakes[number])}"


def seat_of(position: int, players: int) -> int:
    """The seat of a position: the button, the last one, is at seat 1."""
    return (position + 1) % players + 1


def _money(cents: int) -> str:
    """As a case file has it: 60, 2.50."""
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02d}" if rest else str(whole)
