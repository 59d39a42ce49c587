"""Hand histories in and out: PHH, Open Hand History, PokerStars-style text, banked records."""
