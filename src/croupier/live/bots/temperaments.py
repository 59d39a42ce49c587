"""The temperaments of bots: how each of them plays, as numbers.

They all see the same things and compute the same way. What differs is how many hands they play,
what a bet is worth to them beyond what it wins, how well they compute, and whether they learn from
what the others do.
"""

from __future__ import annotations

from msgspec import Struct


class Temperament(Struct, frozen=True, kw_only=True):
    """One way to play. Amounts are in pots, in Antes or chances from 0 to 1."""

    name: str
    says: str
    """For the table's sign: what a player has to expect."""

    loose: float
    """How many starting hands it plays, measured by a sound player's 1."""
    limps: float
    """How often it only calls where a raise would open the betting."""
    likes_to_bet: float
    """What a bet or raise is worth to it beyond its value, in pots."""
    likes_to_call: float
    """What a call is worth to it beyond its value, in pots."""
    bluffs: float
    """How much it trusts others to fold: 0 bets for value alone, 1 computes soberly."""
    errs: float
    """Standard deviation of its error on its chance to win."""
    learns: float
    """How soon it believes what it sees of others; 0 takes everybody for average."""
    sizes: tuple[float, ...]
    """The bets that it makes after the flop, in pots."""
    straddles: float = 0.0

    antes: tuple[int, ...] = (1,)
    """Banked tables: the Antes that it places, in least Antes."""
    bonus: float = 0.0
    progressive: float = 0.0

    buys: int = 100
    """What it sits down with: Big Blinds, or least Antes."""
    tempo: float = 1.0
    """How long it takes over things, measured by a person's 1."""


SHARP = Temperament(
    name="sharp",
    says="Plays by the odds, learns how you play, and bluffs when it pays.",
    loose=1.0,
    limps=0.0,
    likes_to_bet=0.0,
    likes_to_call=0.0,
    bluffs=0.9,
    errs=0.0,
    learns=1.0,
    sizes=(0.35, 0.6, 0.9, 1.25),
    antes=(1, 2),
    progressive=0.2,
)
SOLID = Temperament(
    name="solid",
    says="Waits for good cards and then bets them.",
    loose=0.75,
    limps=0.0,
    likes_to_bet=0.03,
    likes_to_call=-0.03,
    bluffs=0.7,
    errs=0.02,
    learns=0.5,
    sizes=(0.6, 0.8),
    antes=(1,),
    bonus=0.05,
    progressive=0.1,
    tempo=1.1,
)
DARING = Temperament(
    name="daring",
    says="Plays many hands, raises often, and does not always have it.",
    loose=1.5,
    limps=0.05,
    likes_to_bet=0.05,
    likes_to_call=0.0,
    bluffs=1.08,
    errs=0.04,
    learns=0.5,
    sizes=(0.5, 0.75, 1.0, 1.5),
    straddles=0.35,
    antes=(2, 3, 5),
    bonus=0.6,
    progressive=0.7,
    buys=150,
    tempo=0.7,
)
TRUSTING = Temperament(
    name="trusting",
    says="Likes to see cards and to be shown; hard to bluff.",
    loose=1.6,
    limps=0.8,
    likes_to_bet=-0.03,
    likes_to_call=0.16,
    bluffs=0.2,
    errs=0.05,
    learns=0.0,
    sizes=(0.5,),
    straddles=0.05,
    antes=(1, 2),
    bonus=0.4,
    progressive=0.5,
    buys=80,
    tempo=0.9,
)
CAREFUL = Temperament(
    name="careful",
    says="Has not played for long: small bets, and no bluff.",
    loose=0.9,
    limps=0.6,
    likes_to_bet=-0.05,
    likes_to_call=-0.04,
    bluffs=0.1,
    errs=0.1,
    learns=0.0,
    sizes=(0.35, 0.5),
    antes=(1,),
    bonus=0.15,
    progressive=0.3,
    buys=60,
    tempo=1.4,
)

TEMPERAMENTS: tuple[Temperament, ...] = (SHARP, SOLID, DARING, TRUSTING, CAREFUL)
BEST = SHARP
