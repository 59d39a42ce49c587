"""Which topics each event of a round cites, the operative one first.

A topic that a book lacks is left out, so that one line serves both books. The tuples are made once
for a book: an event in the middle of a hand costs one look into a dictionary.
"""

from __future__ import annotations

from croupier.cards import Category
from croupier.rulebooks import Rulebook, Topic

T = Topic

CITED: dict[str, tuple[Topic, ...]] = {
    # -- the deck and the Blinds
    "shuffle": (T.ONE_DECK, T.CARDS_IN_USE),
    "cut": (T.DECK_CUT,),
    "opening call": (T.CALL_FOR_BLINDS,),
    "called": (
        T.WHO_POSTS_THE_BLINDS,
        T.CALL_FOR_BLINDS,
        T.ROUND_OF_PLAY,
        T.BLIND,
        T.PLAYER,
        T.APPROVAL,
        T.MARKER_BETTING_ROUND,
    ),
    "called without a small blind": (
        T.ABSENT_SMALL_BLIND,
        T.WHO_POSTS_THE_BLINDS,
        T.CALL_FOR_BLINDS,
        T.ROUND_OF_PLAY,
        T.BLIND,
        T.PLAYER,
        T.APPROVAL,
        T.MARKER_BETTING_ROUND,
    ),
    "called heads-up": (
        T.HEADS_UP_BLINDS,
        T.CALL_FOR_BLINDS,
        T.ROUND_OF_PLAY,
        T.BLIND,
        T.PLAYER,
        T.APPROVAL,
        T.MARKER_BETTING_ROUND,
    ),
    "small blind": (T.SMALL_BLIND, T.TABLE_STAKE),
    "small blind all in": (T.SMALL_BLIND, T.ALL_IN, T.TABLE_STAKE),
    "big blind": (T.BIG_BLIND, T.TABLE_STAKE),
    "big blind all in": (T.BIG_BLIND, T.ALL_IN, T.TABLE_STAKE),
    "entry post": (T.BLIND, T.TABLE_STAKE),
    "entry post all in": (T.BLIND, T.ALL_IN, T.TABLE_STAKE),
    "straddle": (T.STRADDLE, T.STRADDLE_AMOUNT, T.STRADDLER_ACTS_LAST),
    "no straddle": (T.STRADDLE,),
    # -- dealing
    "hole cards": (
        T.INITIAL_DEAL,
        T.FIRST_ROUND_OPENS_AFTER_DEAL,
        T.FIRST_TO_ACT_BEFORE_FLOP,
        T.HOLE_CARDS,
        T.HAND,
        T.FIRST_BETTING_ROUND,
    ),
    "flop": (
        T.FLOP_DEALT,
        T.SECOND_BETTING_ROUND,
        T.FIRST_TO_ACT_AFTER_FLOP,
        T.FLOP_CARDS,
        T.COMMUNITY_CARDS,
        T.BURNT_CARD,
    ),
    "flop without betting": (T.FLOP_DEALT, T.FLOP_CARDS, T.COMMUNITY_CARDS, T.BURNT_CARD),
    "turn": (
        T.TURN_DEALT,
        T.THIRD_BETTING_ROUND,
        T.LATER_ROUNDS,
        T.TURN_CARD,
        T.COMMUNITY_CARDS,
        T.BURNT_CARD,
    ),
    "turn without betting": (T.TURN_DEALT, T.TURN_CARD, T.COMMUNITY_CARDS, T.BURNT_CARD),
    "river": (
        T.RIVER_DEALT,
        T.FOURTH_BETTING_ROUND,
        T.LATER_ROUNDS,
        T.RIVER_CARD,
        T.COMMUNITY_CARDS,
        T.BURNT_CARD,
    ),
    "river without betting": (T.RIVER_DEALT, T.RIVER_CARD, T.COMMUNITY_CARDS, T.BURNT_CARD),
    "burn": (T.BURNT_CARD,),
    "look": (T.HOLE_CARDS, T.HAND),
    # -- Actions: in the 1st Betting Round, and later; `option` when the turn goes to the Big Blind
    #    or the straddler with nobody having raised
    "check 1": (T.BIG_BLIND_OPTION, T.CHECK, T.FIRST_ROUND_ORDER, T.ACTION_IN_TURN),
    "check 1 straddle": (T.STRADDLE_OPTION, T.CHECK, T.FIRST_ROUND_ORDER, T.ACTION_IN_TURN),
    "check": (T.CHECK, T.OPTIONS_AFTER_CHECK, T.ACTION_IN_TURN),
    "call 1": (T.CALL, T.FIRST_ROUND_ORDER, T.ACTION_IN_TURN),
    "call 1 option": (T.CALL, T.BIG_BLIND_OPTION, T.FIRST_ROUND_ORDER, T.ACTION_IN_TURN),
    "call 1 straddle": (T.CALL, T.STRADDLE_OPTION, T.STRADDLER_ACTS_LAST, T.ACTION_IN_TURN),
    "call": (T.CALL, T.BET_AFTER_CHECKS, T.ACTION_IN_TURN),
    "call all in": (T.CALL, T.SHORT_STACK_ALL_IN, T.ALL_IN_BUTTON, T.ACTION_IN_TURN),
    "call all in short": (
        T.CALL,
        T.SHORT_STACK_ALL_IN,
        T.SHORT_ALL_IN_PRICE,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "bet": (
        T.OPENING_BET,
        T.BET_AFTER_CHECKS,
        T.NO_CHECK_AFTER_BET,
        T.NO_LIMIT,
        T.BET_MEANS_WAGER,
        T.MINIMUM_BET,
        T.ACTION_IN_TURN,
    ),
    "raise": (
        T.RAISE,
        T.MINIMUM_RAISE,
        T.UNLIMITED_RAISES,
        T.NO_LIMIT,
        T.BETTING_ROUND,
        T.ACTION_IN_TURN,
    ),
    "raise 1": (
        T.RAISE,
        T.MINIMUM_RAISE,
        T.FIRST_ROUND_ORDER,
        T.UNLIMITED_RAISES,
        T.NO_LIMIT,
        T.ACTION_IN_TURN,
    ),
    "raise 1 straddle": (
        T.RAISE,
        T.MINIMUM_RAISE,
        T.STRADDLER_ACTS_LAST,
        T.FIRST_ROUND_ORDER,
        T.UNLIMITED_RAISES,
        T.NO_LIMIT,
        T.ACTION_IN_TURN,
    ),
    "all in call": (
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.SHORT_STACK_ALL_IN,
        T.CALL,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "all in under the call": (
        T.SHORT_ALL_IN_PRICE,
        T.SHORT_STACK_ALL_IN,
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "all in bet": (
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.OPENING_BET,
        T.NO_LIMIT,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "all in over the call": (
        T.ALL_IN_SHORT_OF_RAISE,
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "all in under the bet": (
        T.SHORT_ALL_IN_PRICE,
        T.MINIMUM_BET,
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "all in half a raise": (
        T.ALL_IN_SHORT_OF_RAISE,
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.RAISE,
        T.MINIMUM_RAISE,
    ),
    "all in raise": (
        T.ALL_IN,
        T.ALL_IN_COMMITS_WHOLE_STAKE,
        T.RAISE,
        T.MINIMUM_RAISE,
        T.NO_LIMIT,
        T.ALL_IN_BUTTON,
        T.ACTION_IN_TURN,
    ),
    "fold": (T.FOLD, T.ACTIVE_PLAYER, T.ACTION_IN_TURN),
    "all in button": (T.ALL_IN_BUTTON,),
    # -- pots
    "closed": (T.BETTING_ROUND, T.POT, T.MAIN_POT),
    "closed 4": (T.BETTING_ROUND, T.FOURTH_BETTING_ROUND, T.POT, T.MAIN_POT),
    "closed with side pots": (
        T.SIDE_POT,
        T.MAIN_POT,
        T.ALL_IN_WINS_ONLY_ITS_POTS,
        T.BETTING_ROUND,
        T.POT,
    ),
    "final": (T.FINAL_BETTING_ROUND, T.SHOWDOWN),
    "uncalled bet": (T.UNCALLED_BET,),
    "uncalled raise": (T.UNCALLED_RAISE,),
    "one left": (T.LONE_SURVIVOR, T.ONE_LEFT_ENDS_ROUND, T.ACTIVE_PLAYER),
    "a walk": (T.LONE_SURVIVOR, T.ONE_LEFT_ENDS_ROUND, T.BLIND, T.ACTIVE_PLAYER),
    # -- the showdown
    "showdown": (
        T.SHOWDOWN,
        T.SEVERAL_AT_SHOWDOWN,
        T.MARKER_SHOWDOWN,
        T.SHOW_ONLY_AT_SHOWDOWN,
        T.FINAL_BETTING_ROUND,
        T.ACTIVE_PLAYER,
    ),
    "last raiser": (T.LAST_RAISER_SHOWS_FIRST,),
    "bettor": (T.BETTOR_SHOWS_FIRST,),
    "left of button": (T.LEFT_OF_BUTTON_SHOWS_FIRST,),
    "early finish": (T.EARLY_FINISH_SHOWS_FIRST,),
    "side pots first": (T.SIDE_POT_SHOW_ORDER,),
    "prompt": (T.EQUAL_OR_BETTER_SHOWS, T.SEVERAL_AT_SHOWDOWN),
    "muck": (T.EQUAL_OR_BETTER_SHOWS, T.SEVERAL_AT_SHOWDOWN),
    "surrender": (T.EQUAL_OR_BETTER_SHOWS, T.FOLD, T.DEAD_HAND),
    # -- settlement
    "rake": (T.RAKE_PERCENTAGE, T.RAKE_ORDER, T.RAKE, T.HOUSE),
    "rake up to the cap": (T.RAKE_CAP, T.RAKE_PERCENTAGE, T.RAKE_ORDER, T.RAKE, T.HOUSE),
    "timed rake": (T.RAKE_TIMED,),
    "won by folds": (T.LONE_SURVIVOR, T.ONE_LEFT_ENDS_ROUND),
    "side pot by folds": (T.SIDE_POT_WINNER, T.SIDE_POT, T.LONE_SURVIVOR),
    "won": (T.BEST_HAND_WINS, T.HIGHEST_HAND_OBJECTIVE, T.BEST_FIVE_OF_SEVEN),
    "split": (T.SPLIT_POT, T.BEST_HAND_WINS, T.CARD_RANKS, T.BEST_FIVE_OF_SEVEN),
    "odd chip": (T.ODD_CHIP,),
    "among all-ins": (T.ALL_IN_POTS,),
    "all-in winner": (T.ALL_IN_WINNER, T.ALL_IN_WINS_ONLY_ITS_POTS),
    "side pot": (T.SIDE_POT_WINNER, T.SIDE_POT),
    "by category": (T.HAND_CATEGORIES,),
    "by straight": (T.TIE_BREAK_STRAIGHTS, T.TIE_BREAKS),
    "by odd cards": (T.TIE_BREAK_ODD_CARDS, T.TIE_BREAKS),
    "by kicker": (T.TIE_BREAK_KICKER, T.TIE_BREAKS),
    "by rank": (T.TIE_BREAKS,),
    "ended": (T.BUTTON_MOVES, T.ORBIT, T.ROUND_OF_PLAY),
    # -- rulings that section 1 defines
    "void": (T.VOID,),
    "misdeal": (T.MISDEAL_RESTART, T.MISDEAL, T.MISDEAL_LEAVES_HISTORY),
    "dead hand": (T.DEAD_HAND,),
}


def cites_of(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """The paragraphs of this book by the names above."""
    return {name: cite(book, *topics) for name, topics in CITED.items()}


def shown_cites(book: Rulebook, *more: Topic) -> dict[Category, tuple[str, ...]]:
    """The paragraphs for a hand that is shown, by its category."""
    return {
        category: cite(
            book,
            Topic(f"rank-{category.value}"),
            T.FIVE_CARD_HAND,
            T.CARD_RANKS,
            T.HAND,
            *more,
        )
        for category in Category
    }


def cite(book: Rulebook, *topics: Topic) -> tuple[str, ...]:
    """The paragraphs of those topics that this book has, each once, in this order."""
    found = (p for topic in topics if book.has(topic) for p in book.cite(topic))
    return tuple(dict.fromkeys(found))
