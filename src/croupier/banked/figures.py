"""Figures of the books that several rules of a banked game read."""

from __future__ import annotations

from croupier.rulebooks import number_of

DECK_CARDS = number_of("deck-cards")
HOLE_CARDS = number_of("hole-cards")
FLOP_CARDS = number_of("flop-cards")
COMMUNITY_CARDS = number_of("community-cards")
DEALER_CARDS = number_of("dealer-cards")
BETTING_WINDOWS = number_of("betting-windows")
"""How many decisions a hand has: Flop, Turn and River bet."""
