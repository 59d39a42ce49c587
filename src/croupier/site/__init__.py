"""Pages that need no server: the rulebooks to click through, and rounds to play again.

The same functions make them for the server (`croupier.live`) and for a folder (`croupier rules
site`), so that what is read offline is what the House serves. They decide nothing: the books come
from `croupier.rulebooks`, cases, coverage and matrix from `croupier.pit`.
"""
