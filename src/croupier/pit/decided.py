"""What somebody has decided, as a plain sentence: `Sue (pit supervisor) confirms the Misdeal.`

A table keeps question and option by their short names, which are for machines. Here stands for each
answer what its giver does. A question that is not here is told by its option.
"""

from __future__ import annotations

from croupier.table import DecisionTaken
from croupier.table.decision import by_whom

CONFIRMS: dict[tuple[str, str], str] = {
    ("confirm misdeal", "confirm"): "confirms the Misdeal",
    ("confirm misdeal", "reject"): "does not confirm the Misdeal; play goes on",
    ("confirm void", "confirm"): "confirms that the round is void",
    ("confirm void", "reject"): "does not confirm that the round is void; play goes on",
    ("confirm void", "void"): "confirms that the round is void",
    ("confirm void", "ruling"): "leaves it to a ruling whether the round is void",
    ("confirm report", "confirm"): "confirms the report",
    ("confirm report", "not so"): "finds that it was not as reported",
    ("confirm reading", "confirm"): "confirms how the wager is read",
    ("confirm reading", "ask again"): "has the player asked what was meant",
    ("complete deck", "complete"): "has counted the deck: it is complete",
    ("complete deck", "new cards"): "has a new deck used",
    ("new cards", "in play"): "has new cards in play",
    ("cards seen", "yes"): "says that a player has seen cards",
    ("cards seen", "no"): "says that no player has seen cards",
    ("announce the burn", "announce"): "announces the burn",
    ("deal the missing card", "deal"): "has the missing card dealt from the shoe",
    ("deal the missing card", "refuse"): "refuses the missing card",
    ("the street as it lies", "report"): "says which cards the street has now",
    ("who posts", "nothing"): "has the newcomer post nothing",
    ("who posts", "big blind"): "has the newcomer post a Big Blind",
    ("who posts", "both blinds"): "has the newcomer post both Blinds",
    ("who posts", "wait"): "has the newcomer wait",
    ("absent at the blinds", "pass over"): "passes the absent player over",
    ("absent at the blinds", "no small blind"): "has no Small Blind posted this time",
    ("absent at the blinds", "wait for him"): "waits for the absent player",
    ("three missed big blinds", "keep"): "keeps the seat",
    ("three missed big blinds", "release"): "releases the seat",
    ("comes back with less", "accept"): "accepts the smaller stake",
    ("comes back with less", "refuse"): "refuses the smaller stake",
    ("who may raise", "any-bet"): "leaves no raise open after the All-in",
    ("who may raise", "answered-last-full-raise"): "leaves the raise open after the All-in",
    ("raise below the minimum", "call"): "reads it as a Call; the rest goes back",
    ("raise below the minimum", "complete"): "has the raise completed to the least amount",
    ("bonus without ante", "return"): "returns the Bonus bet without an Ante",
    ("bonus without ante", "collect"): "collects the Bonus bet without an Ante",
    ("short progressive", "return"): "returns the short Progressive Jackpot bet",
    ("short progressive", "accept"): "accepts the short Progressive Jackpot bet",
    ("not shown", "treat as folded"): "treats the hand that is not shown as folded",
    ("not shown", "compare"): "has the hand that is not shown compared",
    ("not shown", "return"): "returns the bets of the hand that is not shown",
    ("folded royal flush", "board only"): "pays the folded hand by the board alone",
    ("folded royal flush", "pay the line"): "pays the folded hand its line",
    ("cards gone", "no payout"): "pays nothing for the cards that are gone",
    ("cards gone", "pay"): "has the line paid although the cards are gone",
    ("by moving whole hands", "yes"): "says that moving whole hands puts the deal right",
    ("by moving whole hands", "no"): "says that moving whole hands does not put the deal right",
    ("looked on purpose", "on purpose"): "finds that the player looked on purpose",
    ("looked on purpose", "not on purpose"): "finds that the player did not look on purpose",
    ("order of the cards", "true order"): "says in which order the cards came",
    ("order of the cards", "fixed order"): "fixes the order of the cards",
    ("next rounds", "close table"): "closes the table",
    ("next rounds", "no progressive bets"): "has it played on without Progressive Jackpot bets",
    ("next rounds", "block boxes"): "blocks the boxes that are hit",
    ("order of payment", "as dealt"): "has the claims paid in the order of the deal",
    ("order of payment", "other order"): "has the claims paid in another order",
}
RECONSTRUCTED = {
    "yes": "says that the cards can be put back into order",
    "no": "says that the cards cannot be put back into order",
}


def decided_words(question: str, option: str) -> str:
    """What whoever gives this answer does: `confirms the Misdeal`."""
    if question == "ruling":
        return f"rules: {option}"
    if "reconstruct" in question:
        return RECONSTRUCTED.get(option, f"decides: {option}")
    return CONFIRMS.get((question, option), f"decides: {option}")


def told_decision(taken: DecisionTaken) -> str:
    """A decision of staff as a sentence."""
    why = f", because {taken.reason}" if taken.reason else ""
    words = decided_words(taken.question, taken.option)
    return f"{by_whom(taken.who, taken.rank)} {words}{why}."
