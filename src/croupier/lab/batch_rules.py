"""What regular play asks of a poker book, as plain numbers for the kernels of the batch.

Everything comes from the book: its figures, the procedures that it has chosen, its policies. A book
that does something in a way that the kernels do not know is refused by name, rather than played by
other rules. (These are no `Ways`: a book from outside may be played at a table although no batch
can play it.)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec

from croupier.lab.errors import BadAmount, BatchError, on_the_table
from croupier.lab.rake import Terms, check_terms
from croupier.rulebooks import Rulebook, number_of

LEAST_PLAYERS, MOST_PLAYERS = 2, 10

MOST_MONEY = (1 << 31) - 1
"""In cents, all stakes of a table together: what its numbers have room for."""


class UnknownWay(BatchError):
    """A book does something in a way that the batch does not know."""

    def __init__(self, book: str, what: str, value: object, known: str) -> None:
        self.book, self.what, self.value = book, what, value
        super().__init__(
            f"{book}: tables by the million know {what} as {known}, not as {value}; "
            "play this book at a table (croupier.play)"
        )


class Amounts(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator states for a table: Blinds, chips, Rake. In cents."""

    blinds: tuple[int, int] = (500, 1000)
    chip: int = 100
    """The smallest chip: wagers and stakes are whole numbers of it, pots are shared down to it."""
    percent: int | str = 0
    """The Rake of each pot, in percent: `5` or `2.5`."""
    cap: int = 0
    """The most that is taken of a hand."""
    rake_chip: int = 100
    """Each pot's Rake is rounded down to it."""
    straddle: bool = False
    """Whether a straddle is taken, where the book has one."""

    @property
    def rake(self) -> Terms:
        """The Rake as `croupier.lab.rake` has it."""
        try:
            share = Fraction(str(self.percent)) / 100
        except (ValueError, ZeroDivisionError):
            raise BadAmount(
                f"percent: {self.percent!r} is no percentage, such as 5 or 2.5"
            ) from None
        return Terms(share=share, cap=self.cap, chip=self.rake_chip)


class Rules(NamedTuple):
    """One book at one table, for the kernels. Flags are 0 or 1, amounts cents."""

    small: int
    big: int
    chip: int
    straddle: int
    """What a straddle is; 0 where none is taken."""
    straddle_players: int
    least_bet: int
    all_in_below_bet: int
    """1: an opening All-in below the least bet is no bet of its own size."""
    below_bet_price: int
    """1: the others then answer the All-in itself, and not the least bet."""
    from_price: int
    """1: a raise is measured from the price, also of an All-in that was no raise."""
    never_below_big: int
    """1: the smallest raise is at least the Big Blind, and after a bet just that."""
    half_is_raise: int
    """1: an All-in of half the smallest raise is one."""
    bars: int
    """Whom an All-in that was no raise bars: 0 nobody, 1 who has wagered, 2 who has answered."""
    uncallable: int
    """1: no raise where nobody could call it."""
    keeps_uncalled: int
    """1: an uncalled raise stays in the pot for the charge."""
    walk_small: int
    """1: of a walk the Small Blind alone is charged."""
    rake_part: int
    rake_whole: int
    rake_cap: int
    rake_chip: int


# What the kernels take for granted.
_FIGURES = {
    number_of("deck-cards"): 52,
    number_of("hole-cards"): 2,
    number_of("flop-cards"): 3,
    number_of("community-cards"): 5,
    number_of("hand-cards"): 5,
    number_of("blinds"): 2,
    number_of("betting-rounds"): 4,
}
_BIG_BLIND = number_of("big-blind")
_STRADDLE = number_of("straddle")
_STRADDLE_PLAYERS = number_of("straddle-players")

_SAME_MONEY = {
    "showdown-trigger": ("final-betting-round", "game-marker"),
    "first-to-show": ("final-round-raiser-or-bet-maker", "fourth-round-raiser-or-last-bettor"),
    "pots-shown": ("newest-side-pot-first", "any-order"),
    "splitting-unit": ("smallest-chip-in-pot", "smallest-chip-at-table"),
    "odd-chips": ("left-of-button-first",),
}
"""Ways that pay the same in regular play: which hands are seen, and not whose is best."""


def rules_of(book: Rulebook, amounts: Amounts, policies: Mapping[str, str] | None = None) -> Rules:
    """The rules of regular play under this book. Raises ``UnknownWay`` or ``BadAmount``."""
    if book.family != "poker":
        raise BatchError(f"{book.id} is a {book.family} game; its batch is BankedBatch")
    for figure, value in _FIGURES.items():
        if (found := figure.of(book)) != value:
            raise UnknownWay(book.id, figure.name, found, str(value))
    for name, known in _SAME_MONEY.items():
        _way(book, name, dict.fromkeys(known, 0))
    rake = amounts.rake
    _check_amounts(book, amounts, rake)
    chosen = book.policies_with(policies or {})
    small, big = amounts.blinds
    opening = _way(book, "minimum-bet", {"big-blind": 1, "by-policy": 0})
    by_policy = chosen.get("min-bet") == "smallest-chip"
    return Rules(
        small=small,
        big=big,
        chip=amounts.chip,
        straddle=_straddle(book, amounts),
        straddle_players=_STRADDLE_PLAYERS.of(book) if amounts.straddle else 0,
        least_bet=big if opening or not by_policy else amounts.chip,
        all_in_below_bet=opening,
        below_bet_price=int(chosen.get("opening-all-in-below-big-blind") == "all-in-amount"),
        from_price=_way(
            book, "raise-over-short-all-in", {"last-full-wager": 0, "all-in-amount": 1}
        ),
        never_below_big=_way(
            book, "minimum-raise", {"last-increment": 0, "big-blind-then-last-raise": 1}
        ),
        half_is_raise=_way(book, "all-in-is-raise-from", {"full-minimum": 0, "half-minimum": 1}),
        bars=_bars(book, chosen),
        uncallable=int(chosen.get("uncallable-raise") == "not-offered"),
        keeps_uncalled=_way(book, "uncalled-raise-rake", {"left-out": 0, "by-policy": 1})
        and int(chosen["rake-uncalled-raise"] == "charged"),
        walk_small=int(
            "small-blind" in (chosen.get("rake-base-of-a-walk"), chosen.get("rake-uncalled-raise"))
        ),
        rake_part=rake.share.numerator,
        rake_whole=rake.share.denominator,
        rake_cap=amounts.cap,
        rake_chip=rake.chip,
    )


def _way(book: Rulebook, name: str, known: Mapping[str, int]) -> int:
    value = book.procedure(name)
    if value not in known:
        raise UnknownWay(book.id, name, value, " or ".join(known))
    return known[value]


def _bars(book: Rulebook, chosen: Mapping[str, str]) -> int:
    if not _way(book, "reopened-by-short-all-in", {"who-has-not-bet": 1, "everybody": 0}):
        return 0
    return 1 if chosen["short-all-in-bar"] == "any-bet" else 2


def _straddle(book: Rulebook, amounts: Amounts) -> int:
    if not amounts.straddle:
        return 0
    if not book.has("straddle"):
        raise BatchError(f"{book.id} has no straddle")
    _way(book, "straddle-seat", {"left-of-big-blind": 1})
    return _STRADDLE.of(book) * amounts.blinds[1]


def _check_amounts(book: Rulebook, amounts: Amounts, rake: Terms) -> None:
    small, big = amounts.blinds
    chip = on_the_table(amounts.chip)
    if amounts.chip < 1 or small < 1 or small % amounts.chip:
        raise BadAmount(f"blinds: {on_the_table(small)} cannot be made with chips of {chip}")
    if big != small * _BIG_BLIND.of(book):
        raise BadAmount(
            f"blinds: with a Small Blind of {on_the_table(small)} the Big Blind is "
            f"{on_the_table(small * _BIG_BLIND.of(book))}, not {on_the_table(big)}"
        )
    check_terms(book, rake)
    if rake.share and rake.chip % amounts.chip:
        raise BadAmount(
            f"rake: it is taken in chips of the table, the smallest is {chip}, "
            f"not in {on_the_table(rake.chip)}"
        )
