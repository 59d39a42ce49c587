"""Play a hand in a few lines: the real table with a dealer who shuffles, deals and asks.

    >>> from croupier.play import PokerPlay
    >>> hand = PokerPlay("no-limit-holdem-v8", players=3, seed=1)
    >>> while hand.seat is not None:
    ...     events = hand.act("check" if "check" in hand.options else "call")
    >>> sum(hand.result.values())
    0

A table asks for shuffles and waits for a dealer's acts; whoever writes a bot or an experiment wants
neither. `PokerPlay` and `BankedPlay` do both and leave the decisions of players: whose turn it is
(`seat`), what is open (`options`), what that player sees (`view`), what came of it (`result`), all
of it the engine's own, with its paragraphs (`told`).
"""

from croupier.play.banked import BankedPlay
from croupier.play.errors import NotOpen, PlayError
from croupier.play.playing import Playing
from croupier.play.poker import PokerPlay

__all__ = ["BankedPlay", "NotOpen", "PlayError", "Playing", "PokerPlay"]
