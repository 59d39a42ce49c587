"""What the two books do differently, asked once of the book and kept as plain answers."""

from __future__ import annotations

from msgspec import Struct

from croupier.rulebooks import Rulebook, Topic


class Rules(Struct, frozen=True, kw_only=True):
    """The procedures and parameters of one poker book."""

    button_is_drawn_for: bool
    deck_is_cut: bool
    stakes_only_grow: bool
    bet_is_big_blind: bool
    """Whether the smallest BET is the Big Blind; else the policy `min-bet` says."""
    raise_is_last_increment: bool
    """Whether the smallest raise over a bet is that bet; else the Big Blind and the last raise."""
    raise_from_full_wager: bool
    """Whether a raise is measured from the last full wager; else from the highest bet."""
    half_is_a_raise: bool
    """Whether half of the smallest raise makes an All-in over the call a raise; else all of it."""
    short_all_in_bars: bool
    """Whether an All-in that is no raise keeps those who have bet from raising."""
    marker: bool
    side_pots_newest_first: bool
    early_finish_shows: bool
    """Whether a finish before the river has its own rule on who shows first."""
    timed_rake: bool
    uncalled_raise_charged: bool
    """Whether a raise that all folded to may stay in the base of the charge, by policy."""
    chip_in_the_pot: bool
    """Whether a pot is shared down to the smallest chip in it; else to the table's smallest."""
    seats_by_the_book: bool
    """Whether the book says who pays what on joining and coming back; else staff decide."""
    straddle: bool
    big_blind_multiple: int
    straddle_multiple: int
    straddle_players: int
    missed_big_blinds: int
    hole_cards: int
    flop_cards: int
    community_cards: int


def rules_of(book: Rulebook) -> Rules:
    """Ask a book for all its ways."""
    straddle = book.has(Topic.STRADDLE)
    return Rules(
        button_is_drawn_for=book.procedure("first-button") == "high-card-draw",
        deck_is_cut=book.procedure("deck-preparation") == "shuffle-cut-and-cover",
        stakes_only_grow=book.procedure("stake-between-rounds") == "add-only",
        bet_is_big_blind=book.procedure("minimum-bet") == "big-blind",
        raise_is_last_increment=book.procedure("minimum-raise") == "last-increment",
        raise_from_full_wager=book.procedure("raise-over-short-all-in") == "last-full-wager",
        half_is_a_raise=book.procedure("all-in-is-raise-from") == "half-minimum",
        short_all_in_bars=book.procedure("reopened-by-short-all-in") == "who-has-not-bet",
        marker=book.procedure("showdown-trigger") == "game-marker",
        side_pots_newest_first=book.procedure("pots-shown") == "newest-side-pot-first",
        early_finish_shows=book.has(Topic.EARLY_FINISH_SHOWS_FIRST),
        timed_rake=book.procedure("rake-forms") == "percentage-or-timed",
        uncalled_raise_charged=book.procedure("uncalled-raise-rake") == "by-policy",
        chip_in_the_pot=book.procedure("splitting-unit") == "smallest-chip-in-pot",
        seats_by_the_book=book.procedure("seating-and-missed-blinds") == "by-the-book",
        straddle=straddle,
        big_blind_multiple=book.number("big-blind"),
        straddle_multiple=book.number("straddle") if straddle else 0,
        straddle_players=book.number("straddle-players") if straddle else 0,
        missed_big_blinds=book.number("missed-big-blinds")
        if book.has(Topic.THREE_MISSED_BIG_BLINDS)
        else 0,
        hole_cards=book.number("hole-cards"),
        flop_cards=book.number("flop-cards"),
        community_cards=book.number("community-cards"),
    )
