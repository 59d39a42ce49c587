"""What a table's Rake costs its players, for each hundred hands.

The Rake itself is exact: from each pot separately, Main Pot first, rounded down to the smallest
chip used for it, until the cap of the round is used up (4.1.1 with A-42; v5 4.1). What it costs
depends on how large pots are, which no rulebook knows: the mix of hands is an assumption, stated
with every answer, and any other can be given in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from croupier.lab.errors import BadAmount, LabError, on_the_table
from croupier.rulebooks import Rulebook, Ways, number_of, share_of

HANDS = 100


class RakeError(LabError):
    """Terms of Rake that the rulebook does not allow, or a mix of hands that cannot be read."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """A percentage Rake as the table's sign shows it. Money is cents."""

    share: Fraction
    cap: int | None = None
    """The most that is taken in a round; None for no cap."""
    chip: int = 100
    """The smallest chip used for Rake: what is taken from a pot is rounded down to it."""


class Timed(msgspec.Struct, frozen=True, kw_only=True):
    """A timed Rake: so much from each seat for each period (A-44)."""

    cents: int
    minutes: int
    hands_per_hour: int = 30


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of hand in a mix. Amounts are in big blinds."""

    share: Fraction
    """Of all hands."""
    pots: tuple[Fraction, ...]
    """The Main Pot, then Side Pots: matched chips only."""
    uncalled_raise: Fraction = Fraction(0)
    """The part of a raise to which all folded, or of a Big Blind; whether it counts depends on the
    book (4.3)."""
    walk: bool = False
    """Whether all folded to the Big Blind."""
    what: str = ""


def _shape(percent: int, pots: str, raised: str, what: str, *, walk: bool = False) -> Shape:
    return Shape(
        share=Fraction(percent, 100),
        pots=tuple(Fraction(pot) for pot in pots.split()),
        uncalled_raise=Fraction(raised),
        walk=walk,
        what=what,
    )


ASSUMED: tuple[Shape, ...] = (
    _shape(5, "1", "0.5", "all fold to the Big Blind", walk=True),
    _shape(30, "2.5", "2", "a raise before the flop, all fold"),
    _shape(30, "6.5", "0", "a bet on the flop, all fold"),
    _shape(12, "14", "0", "a bet on the turn, all fold"),
    _shape(6, "26", "18", "a raise on turn or river, all fold"),
    _shape(13, "30", "0", "a showdown"),
    _shape(3, "150", "0", "two players all-in"),
    _shape(1, "120 80", "0", "three all-in, with a Side Pot"),
)
"""A full table of No Limit Hold'em, made up to be plausible. It is nobody's statistics."""


class RakeCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a hundred hands cost. Money is cents, exact."""

    book: str
    per_hundred: Fraction
    """Taken from the table in a hundred hands."""
    players: int
    big_blind: int
    raked: Fraction
    """Chips in the base of the Rake in a hundred hands."""
    capped: Fraction
    """Share of hands in which the cap bites."""
    largest: tuple[tuple[str, int], ...]
    """By kind of hand: what one such hand is charged."""
    cites: tuple[str, ...]

    @property
    def per_player(self) -> Fraction:
        """For one seat, if all win alike."""
        return self.per_hundred / self.players

    @property
    def big_blinds(self) -> Fraction:
        """The same in big blinds, as players count their results."""
        return self.per_player / self.big_blind

    @property
    def effective(self) -> Fraction:
        """Of the chips in the base: what is really taken."""
        return self.per_hundred / self.raked if self.raked else Fraction(0)


def rake_of(pots: Sequence[int], terms: Terms) -> tuple[int, ...]:
    """The Rake of each pot of one round, in cents, Main Pot first."""
    taken: list[int] = []
    for pot in pots:
        if pot < 0:
            raise BadAmount(f"pot: {on_the_table(pot)}; a pot holds nothing or more")
        amount = int(terms.share * pot) // terms.chip * terms.chip
        if terms.cap is not None:
            amount = min(amount, terms.cap - sum(taken))
        taken.append(amount)
    return tuple(taken)


TIMED_RAKE = Ways("rake-forms", {"percentage-or-timed": True, "percentage": False})
RAKE_CEILING = share_of("rake-ceiling")


def check_terms(book: Rulebook, terms: Terms | Timed) -> None:
    """Raise ``RakeError`` or ``BadAmount`` for terms that the book or sense forbids."""
    if book.family != "poker":
        raise RakeError(f"{book.id}: players play against the House, which takes no Rake")
    if isinstance(terms, Timed):
        if not TIMED_RAKE.of(book):
            raise RakeError(f"{book.id} 4.1: there is no timed Rake in this book")
        if terms.cents < 0 or terms.minutes < 1 or terms.hands_per_hour < 1:
            raise BadAmount("timed Rake: give an amount, minutes and hands an hour, each above 0")
        return
    if not 0 <= terms.share < 1:
        raise BadAmount(
            f"rake: {float(terms.share * 100):.12g}% of a pot; it is from 0% up to less than 100%"
        )
    if book.has("rake-ceiling") and terms.share > RAKE_CEILING.of(book):
        most = RAKE_CEILING.of(book) * 100
        raise RakeError(
            f"{book.id} 4.1: {float(terms.share * 100):.12g}% is over the {most}% allowed"
        )
    if terms.cap is not None and terms.cap < 0:
        raise BadAmount(f"cap: {on_the_table(terms.cap)}; it is nothing or more")
    if terms.chip < 1:
        raise BadAmount(f"chip: {on_the_table(terms.chip)}; the smallest chip is worth something")
    if terms.cap is not None and terms.cap % terms.chip:
        raise BadAmount(
            f"cap: {on_the_table(terms.cap)}; it is a whole number of the chips that the Rake is "
            f"taken in, {on_the_table(terms.chip)}"
        )


def rake_cost(
    book: Rulebook,
    terms: Terms | Timed,
    *,
    big_blind: int,
    players: int = 9,
    mix: Sequence[Shape] = ASSUMED,
    policies: Mapping[str, str] | None = None,
) -> RakeCost:
    """What a hundred hands of this mix cost the table."""
    check_terms(book, terms)
    if big_blind < 1 or players < 2:
        raise BadAmount(
            f"big blind {on_the_table(big_blind)}, {players} players: "
            "give a big blind above nothing and 2 players or more"
        )
    if sum(shape.share for shape in mix) != 1:
        total = float(sum(shape.share for shape in mix) * 100)
        raise RakeError(f"mix: its shares add up to {total:.12g}%, not to 100%")
    if isinstance(terms, Timed):
        hours = Fraction(HANDS, terms.hands_per_hour)
        return RakeCost(
            book=book.id,
            per_hundred=terms.cents * players * hours * Fraction(60, terms.minutes),
            players=players,
            big_blind=big_blind,
            raked=Fraction(0),
            capped=Fraction(0),
            largest=(),
            cites=book.cite("rake-timed"),
        )
    chosen = book.policies_with(policies or {})
    taken, raked, capped = Fraction(0), Fraction(0), Fraction(0)
    largest = []
    for shape in mix:
        main = _main_base(book, chosen, shape)
        pots = [int(pot * big_blind) for pot in (main, *shape.pots[1:])]
        amount = sum(rake_of(pots, terms))
        uncapped = sum(rake_of(pots, msgspec.structs.replace(terms, cap=None)))
        taken += shape.share * amount
        raked += shape.share * sum(pots)
        capped += shape.share * (amount < uncapped)
        largest.append((shape.what, amount))
    return RakeCost(
        book=book.id,
        per_hundred=HANDS * taken,
        players=players,
        big_blind=big_blind,
        raked=HANDS * raked,
        capped=capped,
        largest=tuple(largest),
        cites=book.cite("rake-percentage"),
    )


def _left_out(chosen: Mapping[str, str]) -> str:
    return ""


def _by_policy(chosen: Mapping[str, str]) -> str:
    return chosen["rake-uncalled-raise"]


UNCALLED_RAISE = Ways("uncalled-raise-rake", {"left-out": _left_out, "by-policy": _by_policy})
BIG_BLIND = number_of("big-blind")


def _main_base(book: Rulebook, chosen: Mapping[str, str], shape: Shape) -> Fraction:
    """What is charged of the Main Pot. v8 leaves the added part of an uncalled raise out, in v5 it
    is a policy (P-15); of a walk either book may charge the Small Blind alone (A-43)."""
    main = shape.pots[0]
    rule = UNCALLED_RAISE.of(book)(chosen)
    if rule == "charged":
        return main + shape.uncalled_raise
    if shape.walk and "small-blind" in (rule, chosen.get("rake-base-of-a-walk")):
        return main / BIG_BLIND.of(book)  # half of the matched chips are the winner's own
    return main


_PART = re.compile(r"([0-9.]+(?:/[0-9.]+)*)(?:\+([0-9.]+))?:([0-9.]+)%")


def read_mix(text: str) -> tuple[Shape, ...]:
    """A mix as ``POT[/SIDE…][+UNCALLED RAISE]:SHARE%``, parts set apart by commas.

    ``2.5+2:40%, 20:50%, 120/80:10%`` in big blinds.
    """
    shapes = []
    at = 0
    for part in text.split(","):
        word = part.strip()
        match = _PART.fullmatch(word)
        if match is None:
            where = at + len(part) - len(part.lstrip()) + 1
            raise RakeError(
                f"{word!r} at character {where} of the mix: write POT:SHARE%, as in 2.5+2:40% "
                "(pot and uncalled raise in big blinds) or 120/80:10% (with a Side Pot)"
            )
        try:
            pots = tuple(Fraction(pot) for pot in match[1].split("/"))
            raised, share = Fraction(match[2] or 0), Fraction(match[3]) / 100
        except ValueError:
            raise RakeError(f"{word!r} of the mix: a number in it cannot be read") from None
        shapes.append(Shape(share=share, pots=pots, uncalled_raise=raised, what=word))
        at += len(part) + 1
    return tuple(shapes)
