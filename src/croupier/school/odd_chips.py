"""Count the odd chip: hands tie, and the Pot does not divide evenly.

What each gets is what the table has paid. The wrong shares are those of a dealer who gives the odd
chip to another winner, all odd chips to one, or keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from croupier.rulebooks import Rulebook
from croupier.school.choices import part_of
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Scene
from croupier.school.scene import outcome_of
from croupier.table import write_money
from croupier.table.words import listed

ASK = "Who gets how much?"
TITLE = "The odd chip"
BOARDS = (
    ("As Ks Qs", "Js", "Ts"),
    ("9c 8d 7h", "6s", "5c"),
    ("Ah Ad Ac", "As", "Kd"),
    ("Qc Jc 9c", "7c", "5c"),
)
"""Boards that play: whoever has nothing better ties."""
OFF_BOARD = (("2d", "3h"), ("2h", "3d"), ("2s", "3c"), ("2c", "3s"))
"""Hole Cards that improve none of them."""
BLINDS = {1: ((1, 3), (2, 5), (5, 10), (3, 6)), 5: ((5, 10), (10, 25), (15, 25))}
"""Blinds that can be paid with the smallest chip."""


def odd_chip_exercise(book: Rulebook, winners: int, level: int, rng: Random) -> Exercise:
    """So many who tie, the button anywhere; on the third level with larger chips too."""
    raw = _drawn(book, winners, level, rng)
    came = outcome_of(raw, TITLE)
    facts, ruling = came.facts, came.ruling
    shares = {seat: paid for seat, paid in facts.payouts.items() if paid}
    if len(shares) != winners or len(set(shares.values())) < 2:
        raise NotMade(TITLE)
    button: int = raw["table"]["button"]  # the table has moved it on by now
    order = _from_the_button(button, shares)
    cites = ruling.cites
    right = AnswerChoice(says=shares_told(shares), would=(ruling.headline,), cites=cites[:2])
    steps = raw["step"]
    return Exercise(
        kind="odd chip",
        rulebook=book.id,
        item=f"odd chip/{winners}",
        level=level,
        title=TITLE,
        told=(
            f"{write_money(facts.pot + sum(shares.values()))} lie in the Pot, the button is at "
            f"seat {button}, and the smallest chip is {write_money(_smallest(raw))}.",
            f"Seats {listed([*map(str, sorted(shares))])} show: all play the board.",
        ),
        parts=(part_of(ASK, right, _wrong(shares, order, cites), rng),),
        scene=Scene(raw={**raw, "step": steps[:-1]}, title=TITLE),
        ruling=ruling,
        cites=cites,
    )


def _drawn(book: Rulebook, winners: int, level: int, rng: Random) -> dict[str, Any]:
    """A river at which some tie; whoever has folded left a Blind, which makes the Pot odd."""
    seats = sorted(rng.sample(range(1, 9), winners + rng.randint(1, 2)))
    button = rng.choice(seats)
    chip = rng.choice((1, 5)) if level > 2 else 1
    small, big = rng.choice(BLINDS[chip])
    small_blind = seats[(seats.index(button) + 1) % len(seats)]
    others = [seat for seat in seats if seat != small_blind]
    tie = sorted(rng.sample(others, winners))
    big_blind = seats[(seats.index(button) + 2) % len(seats)]
    left = small + (0 if big_blind in tie else big)
    flop, turn, river = rng.choice(BOARDS)
    cards = dict(zip(tie, OFF_BOARD, strict=False))
    players = {
        str(seat): {"player": f"seat {seat}", "stake": 500}
        | ({"cards": " ".join(cards[seat])} if seat in cards else {})
        for seat in seats
    }
    return {
        "rulebook": book.id,
        "table": {
            "dealing": "by-hand",
            "acting": "seen",
            "button": button,
            "blinds": [small, big],
            "chips": [one for one in (1, 5, 25, 100, 500) if one >= chip],
        },
        "seats": players,
        "board": {"flop": flop, "turn": turn, "river": river},
        "now": {
            "stage": "river",
            "pot": big * rng.randint(2, 12) * winners + left,
            "folded": [seat for seat in seats if seat not in tie],
        },
        "step": [{"do": "deal to showdown"}, {"do": "show hands"}, {"do": "settle"}],
    }


def _smallest(raw: dict[str, Any]) -> int:
    return int(raw["table"]["chips"][0]) * 100


def _from_the_button(button: int, shares: Mapping[int, int]) -> list[int]:
    """The winners clockwise from the button's left."""
    return sorted(shares, key=lambda seat: (seat <= button, seat))


def shares_told(shares: Mapping[int, int]) -> str:
    """Who gets what, in words."""
    return ", ".join(f"Seat {seat}: {write_money(paid)}" for seat, paid in sorted(shares.items()))


def _wrong(
    shares: Mapping[int, int], order: list[int], cites: tuple[str, ...]
) -> Iterator[AnswerChoice]:
    least = min(shares.values())
    odd = sum(paid - least for paid in shares.values())
    chip = min(paid - least for paid in shares.values() if paid > least)
    even = dict.fromkeys(shares, least)
    found: list[tuple[Mapping[int, int], str]] = []
    count = odd // chip
    for start in range(1, len(order)):
        turned = order[start:] + order[:start]
        given = {**even, **dict.fromkeys(turned[:count], least + chip)}
        found.append((given, "The odd chip would go to the wrong seat."))
    if count > 1:
        for seat in order:
            found.append(({**even, seat: least + odd}, "All odd chips would go to one seat."))
    found.append((even, f"{write_money(odd)} would stay in the Pot, and belong to nobody."))
    for wrong, because in found:
        if wrong != shares:
            would = tuple(_would_get(wrong, shares))
            yield AnswerChoice(
                says=shares_told(wrong), would=would, because=because, cites=cites[:1]
            )


def _would_get(given: Mapping[int, int], shares: Mapping[int, int]) -> Iterator[str]:
    """Who would get too much or too little."""
    for seat, right in sorted(shares.items()):
        if given[seat] != right:
            much = "too much" if given[seat] > right else "too little"
            yield f"Seat {seat} would get {write_money(abs(given[seat] - right))} {much}."
