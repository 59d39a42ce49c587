"""What House and server need of a game, game by game: the port of each family.

`port` is the interface, `poker` and `banked` carry it out. What only one of them needs lies beside
it, in modules that are called after it.
"""
