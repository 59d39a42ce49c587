"""Progressive and Multi-Link Progressive Texas Hold'em: players against the dealer. Not built yet."""
