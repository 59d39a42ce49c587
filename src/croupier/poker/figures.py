"""Figures of the books that several rules of poker read."""

from __future__ import annotations

from croupier.rulebooks import number_of

DECK_CARDS = number_of("deck-cards")
HOLE_CARDS = number_of("hole-cards")
FLOP_CARDS = number_of("flop-cards")
COMMUNITY_CARDS = number_of("community-cards")
