"""The three progressive hold'em games, every player against the dealer. Not built yet."""
