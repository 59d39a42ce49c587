"""The deck: shuffled, cut and put into the Card Shoe before a Round of play."""

from __future__ import annotations

FOR_THE_BUTTON = "draw for the button"
FOR_THE_ROUND = "for the round"
