"""Jackpot meters, links, claims and the order of payment. Not built yet."""
