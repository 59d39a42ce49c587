"""The words that books choose from: procedures with their values, parameters with their units.

What versions of a game do differently is named here once, so that no code ever asks for a version.
A procedure or parameter that goes with a topic (`only_with`) must stand in every book that has the
topic, and in no other; all others stand in every book of the family.

A procedure may have one way only, because no shipped book has another: a book from outside may add
one (`Ways.add`).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.rulebooks.model import Unit
from croupier.rulebooks.topics import Topic

Group = Literal["shared", "poker", "banked"]


class ProcedureWords(Struct, frozen=True, kw_only=True):
    """What a procedure settles, and each way of doing it in one sentence."""

    group: Group
    meaning: str
    values: dict[str, str]
    only_with: str | None = None
    information: bool = False
    """Whether it only tells people something: nothing carries it out."""


class ParameterWords(Struct, frozen=True, kw_only=True):
    """What a parameter is, and its unit."""

    group: Group
    unit: Unit
    meaning: str
    only_with: str | None = None
    information: bool = False
    """Whether it only tells people something: nothing reads it."""


def _poker(
    meaning: str,
    values: dict[str, str],
    only_with: Topic | None = None,
    *,
    information: bool = False,
) -> ProcedureWords:
    return ProcedureWords(
        group="poker",
        meaning=meaning,
        values=values,
        only_with=only_with,
        information=information,
    )


def _banked(meaning: str, values: dict[str, str], only_with: Topic | None = None) -> ProcedureWords:
    return ProcedureWords(group="banked", meaning=meaning, values=values, only_with=only_with)


PROCEDURES: dict[str, ProcedureWords] = {
    # -- poker: before the first card -------------------------------------------------------
    "first-button": _poker(
        "Who gets the Dealer Button of a new game.",
        {
            "high-card-draw": "One face-up card each; the highest by rank, then suit, has it.",
            "dealers-left": "The first Player to the Dealer's left has it.",
        },
    ),
    "deck-preparation": _poker(
        "What must be confirmed about the deck before the deal.",
        {
            "shuffle-cut-and-cover": "Shuffled, Cut and laid in the shoe between two cover cards.",
            "not-stated": "The text asks for one full deck and nothing more.",
        },
    ),
    "straddle-seat": _poker(
        "Who may straddle, and in which order they are asked.",
        {"left-of-big-blind": "Only the first Player dealt in left of the Big Blind."},
        Topic.STRADDLE,
    ),
    "stake-between-rounds": _poker(
        "What a Player may do to the Table Stake between rounds.",
        {
            "add-only": "The Player may add, never reduce.",
            "add-or-reduce": "Neither is forbidden; reductions are logged.",
        },
    ),
    # -- poker: betting ---------------------------------------------------------------------
    "wager-reading": _poker(
        "How what a Player was seen to do becomes a wager.",
        {
            "words-and-chips": "Words and chips are read by the rules on order, motion and size.",
            "exact-total": "Only chips over the line count, for their full value; words do not.",
        },
    ),
    "check-signal": _poker(
        "How a Check is shown.",
        {
            "tap-knock-or-words": "By tapping or knocking the table, or by saying so.",
            "tap-or-knock": "By tapping or knocking the table.",
        },
        information=True,  # what was seen becomes an act by wager-reading
    ),
    "fold-signal": _poker(
        "How a Fold is shown.",
        {
            "gesture-or-words": "By a gesture or by words; either binds.",
            "cards-over-the-line": "By moving the cards over the line.",
        },
        information=True,  # what was seen becomes an act by wager-reading
    ),
    "minimum-bet": _poker(
        "The smallest opening wager of a later Betting Round.",
        {
            "big-blind": "The Big Blind.",
            "by-policy": "The text states none; the policy min-bet decides.",
        },
    ),
    "minimum-raise": _poker(
        "The smallest raise.",
        {
            "last-increment": "The last bet, or the last increment if that bet was a raise.",
            "big-blind-then-last-raise": "The Big Blind, then at least the raise before it.",
        },
    ),
    "all-in-is-raise-from": _poker(
        "How much of a minimum raise an All-in over the call needs to count as a raise.",
        {
            "full-minimum": "All of it.",
            "half-minimum": "Half of it or more.",
        },
    ),
    "reopened-by-short-all-in": _poker(
        "Who may raise after an All-in over the call that is not a raise.",
        {
            "who-has-not-bet": "Only who has placed no bet in the round, until a full raise.",
            "everybody": "Everybody after it, also those who have acted.",
        },
    ),
    "raise-over-short-all-in": _poker(
        "From what a raise over such an All-in is measured.",
        {
            "last-full-wager": "From the last full wager, leaving the All-in out.",
            "all-in-amount": "From the All-in amount.",
        },
    ),
    "fourth-round-ends": _poker(
        "When the 4th Betting Round is over.",
        {
            "chips-matched": "When all have acted and all chips are matched.",
            "cards-exposed": "When betting is done, at the latest as Hole Cards are exposed.",
        },
        information=True,  # nobody exposes Hole Cards before the chips are matched: see 3.13
    ),
    # -- poker: showdown and money ----------------------------------------------------------
    "showdown-trigger": _poker(
        "What begins the showdown.",
        {
            "final-betting-round": "The end of the Final Betting Round, which may be an early one.",
            "game-marker": "The Dealer's flip of the Game Marker after the 4th Betting Round.",
        },
    ),
    "first-to-show": _poker(
        "Whose hand is shown first.",
        {
            "final-round-raiser-or-bet-maker": (
                "Last raiser of the Final Betting Round, else the maker of its BET, else left of "
                "the button; after an early finish the first to bet the most."
            ),
            "fourth-round-raiser-or-last-bettor": (
                "Last raiser of the 4th Betting Round, else its last bettor, else left of the "
                "button."
            ),
        },
    ),
    "pots-shown": _poker(
        "In which order pots are shown for.",
        {
            "newest-side-pot-first": "Newest Side Pot first, the Main Pot last.",
            "any-order": "The text fixes none; the money is the same.",
        },
    ),
    "shown-before-showdown": _poker(
        "What follows when a Player shows the hand too early.",
        {
            "keeps-hand-loses-raise": "The hand stays valid; its owner may no longer bet or raise.",
            "not-provided": "It ought not to happen; the House decides.",
        },
    ),
    "rake-forms": _poker(
        "Which forms of charge a table may have.",
        {
            "percentage-or-timed": "A fixed percentage or a timed charge, one of them, displayed.",
            "percentage": "A percentage of each pot.",
        },
    ),
    "uncalled-raise-rake": _poker(
        "Whether the added part of a raise that all folded to is charged.",
        {
            "left-out": "The added part is left out.",
            "by-policy": "The text is silent on raises; the policy rake-uncalled-raise decides.",
        },
    ),
    "splitting-unit": _poker(
        "Down to which chip a pot is shared.",
        {
            "smallest-chip-in-pot": "The smallest chip in that pot.",
            "smallest-chip-at-table": "The smallest chip at the table.",
        },
    ),
    "odd-chips": _poker(
        "Which of several winners of a pot gets a chip that cannot be shared.",
        {"left-of-button-first": "One each, clockwise from the Dealer Button's left."},
    ),
    # -- poker: irregularities --------------------------------------------------------------
    "technical-interruption": _poker(
        "What a technical interruption does to a round.",
        {
            "conclude-after-showdown": "Concluded if the showdown has taken place, else void.",
            "house-decision": "No rule; a House decision is recorded.",
        },
    ),
    "deck-after-foreign-card": _poker(
        "What happens to the deck after a foreign card.",
        {
            "confirm-complete": "Staff confirm a complete deck before the next deal.",
            "replace": "The cards in use are taken off and replaced.",
        },
    ),
    "two-exposed-in-deal": _poker(
        "What two or more cards exposed in the initial deal lead to.",
        {
            "misdeal": "A Misdeal: bets back, same button, dealt again.",
            "void": "The game is void.",
        },
    ),
    "one-exposed-in-deal": _poker(
        "What one card exposed in the initial deal leads to.",
        {
            "becomes-burn": "It becomes the first burn and the Player gets another card.",
            "house-decision": "No rule; a House decision is recorded.",
        },
    ),
    "wrong-number-of-cards": _poker(
        "What a wrong number of cards leads to.",
        {
            "misdeal-or-dead-hand": (
                "Misdeal or put right before Substantial Action, a Dead Hand after it."
            ),
            "void-once-seen": "Void as soon as anybody has seen any card.",
        },
    ),
    "hand-left-out": _poker(
        "What a hand left out or dealt too many leads to.",
        {
            "wrong-deal": "It is a wrong deal like any other.",
            "void-if-seen-or-lost": "Void if anybody has looked or it cannot be put right.",
        },
    ),
    "seating-and-missed-blinds": _poker(
        "Who pays what on joining, moving and coming back.",
        {
            "by-the-book": "By the paragraphs on joining, relocation, return and absence.",
            "house-decision": "No rule; staff decide who posts.",
        },
    ),
    "uncovered-case": _poker(
        "Who decides what the rules do not cover.",
        {
            "shift-manager": "The Table Game Shift Manager or above.",
            "house-decision": "No clause; the table freezes and a House decision is recorded.",
        },
    ),
    # -- banked -----------------------------------------------------------------------------
    "jackpot-hand": _banked(
        "Which cards make a jackpot hand.",
        {
            "hole-and-flop": "Exactly the two Hole Cards and the three Flop Cards.",
            "by-street": "Five, six or seven cards by line, or the board alone.",
        },
    ),
    "jackpot-after-fold": _banked(
        "What a jackpot bet can still win after a fold.",
        {
            "any-line": "Any line, on Hole Cards and flop.",
            "community-lines": "Only the lines that the board makes alone.",
        },
    ),
    "not-showing": _banked(
        "What follows when a player does not show the cards.",
        {
            "deemed-fold": "It counts as folded; proving jackpot and Bonus is the player's affair.",
            "own-risk": "Proving the hand is the player's affair; the main bets need a ruling.",
        },
    ),
    "majors-at-one-table": _banked(
        "In which order several major winners of one table are paid.",
        {
            "clockwise": "Clockwise in order of the deal, each on the running meter.",
            "cannot-happen": "The text has no rule, and two such hands cannot meet.",
        },
    ),
    "majors-across-tables": _banked(
        "By which moment major winners at several tables are ordered.",
        {
            "full-hand": "When each had received the full hand.",
            "hole-cards": "When each had received the Hole Cards.",
        },
    ),
    "one-exposed-unseen": _banked(
        "What one exposed card leads to while nobody has looked.",
        {
            "affected-player-chooses": "The paragraph itself gives the affected player the choice.",
            "general-dealing-error": "The paragraph is silent; the general rule gives the choice.",
        },
    ),
    "wrong-count-others": _banked(
        "What other players get when one hand is cancelled for a wrong count.",
        {
            "affected-choose": "Every other affected player gets the choices of a dealing error.",
            "by-policy": ("The paragraph is silent; the policy others-after-wrong-count decides."),
        },
    ),
}


def _parameter(
    group: Group,
    unit: Unit,
    meaning: str,
    only_with: Topic | None = None,
    *,
    information: bool = False,
) -> ParameterWords:
    return ParameterWords(
        group=group, unit=unit, meaning=meaning, only_with=only_with, information=information
    )


PARAMETERS: dict[str, ParameterWords] = {
    "deck-cards": _parameter("shared", "count", "Cards in the deck."),
    "layouts": _parameter("shared", "names", "Approved table layouts."),
    "hole-cards": _parameter("shared", "count", "Cards dealt face down to each player."),
    "flop-cards": _parameter("shared", "count", "Community cards of the flop."),
    "community-cards": _parameter("shared", "count", "Community cards of a whole round."),
    "hand-cards": _parameter("shared", "count", "Cards that make a hand to compare."),
    "burns-per-round": _parameter(  # the sum of what each deal burns
        "shared", "count", "Cards burnt in a round dealt from a shoe.", information=True
    ),
    "exposed-cards-limit": _parameter(
        "shared", "count", "Exposed cards from which the stricter rule applies."
    ),
    # -- poker ------------------------------------------------------------------------------
    "blinds": _parameter(  # the Small Blind and the Big Blind, each with rules of its own
        "poker", "count", "Blinds of a round, a straddle not counted.", information=True
    ),
    "betting-rounds": _parameter("poker", "count", "Betting Rounds of a whole round of play."),
    "big-blind": _parameter("poker", "multiple", "The Big Blind in Small Blinds."),
    "straddle": _parameter("poker", "multiple", "A straddle in Big Blinds.", Topic.STRADDLE),
    "straddle-players": _parameter(
        "poker", "count", "Active Players needed for a straddle.", Topic.STRADDLE_MINIMUM_PLAYERS
    ),
    "cover-cards": _parameter(  # they are no cards of the deck, and lie where staff put them
        "poker", "count", "Black cards around the deck.", Topic.DECK_CUT, information=True
    ),
    "silent-raise-share": _parameter(
        "poker",
        "share",
        "Part of the minimum raise from which silent surplus chips are a raise.",
        Topic.SURPLUS_UNDER_HALF,
    ),
    "rake-ceiling": _parameter(
        "poker", "share", "Highest rate that the text allows.", Topic.RAKE_CEILING
    ),
    "substantial-with-bet": _parameter(
        "poker",
        "count",
        "Actions that are Substantial Action if one of them puts chips in.",
        Topic.SUBSTANTIAL_ACTION_TWO,
    ),
    "substantial-without-bet": _parameter(
        "poker",
        "count",
        "Actions that are Substantial Action in any case.",
        Topic.SUBSTANTIAL_ACTION_THREE,
    ),
    "missed-big-blinds": _parameter(
        "poker",
        "count",
        "Big Blinds missed in a row after which a Player is taken to have left.",
        Topic.THREE_MISSED_BIG_BLINDS,
    ),
    "flop-back-from": _parameter(
        "poker", "count", "Flop cards, after a burn, from which all go back.", Topic.SURPLUS_FLOP
    ),
    "turn-back-from": _parameter(
        "poker", "count", "Turn cards, after a burn, from which all go back.", Topic.SURPLUS_TURN
    ),
    "unburnt-flop-back-from": _parameter(
        "poker",
        "count",
        "Flop cards, without a burn, from which all go back.",
        Topic.SURPLUS_FLOP_NO_BURN,
    ),
    "unburnt-turn-back-from": _parameter(
        "poker",
        "count",
        "Turn cards, without a burn, from which all go back.",
        Topic.SURPLUS_TURN_NO_BURN,
    ),
    # -- banked -----------------------------------------------------------------------------
    "betting-windows": _parameter("banked", "count", "Windows for a decision in a round."),
    "dealer-cards": _parameter("banked", "count", "Cards of the dealer."),
    "flop-bet": _parameter("banked", "multiple", "The Flop bet in Antes."),
    "turn-bet": _parameter("banked", "multiple", "The Turn bet in Antes."),
    "river-bet": _parameter("banked", "multiple", "The River bet in Antes."),
    "hands-examined": _parameter("banked", "count", "Hands that a player may look at."),
    "ante-pays-from": _parameter(  # the pay table pays it; the lab checks that both say the same
        "banked", "category", "Hand from which a winning Ante is paid.", information=True
    ),
    "bonus-cap": _parameter("banked", "money", "Most that a Bonus bet pays on one box."),
    "jackpot-cards": _parameter(
        "banked", "count", "Cards that make a jackpot hand.", Topic.JACKPOT_HAND
    ),
}


def is_information(name: str) -> bool:
    """Whether a procedure or parameter only tells people something; a book's own word does not."""
    word = PROCEDURES.get(name) or PARAMETERS.get(name)
    return word is not None and word.information
