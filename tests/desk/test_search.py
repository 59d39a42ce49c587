"""What a floor person types, and the incident that is meant: it is found first or second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.desk.search import search
from croupier.rulebooks import load

BOOKS = {
    "V8": "no-limit-holdem-v8",
    "V5": "poker-v5",
    "V6": "progressive-texas-holdem-v6",
    "V2": "multi-link-progressive-v2",
    "V3": "multi-link-progressive-v3",
}

PHRASES = """
V8 V5 | two cards exposed | exposed-in-the-deal
V8 V5 | flashed a card | exposed-in-the-deal
V8 V5 | dealer flashed a hole card in the deal | exposed-in-the-deal
V8 V5 | card face up in the deal | exposed-in-the-deal
V8 | second card flashed | second-card-exposed
V8 V5 | exposed in the cut | exposed-in-the-cut
V8 V5 | not shuffled | not-shuffled
V8 | forgot to cut | not-cut
V8 V5 | wrong back | foreign-card
V8 V5 | joker in the deck | foreign-card
V8 V5 | deck short | wrong-deck
V8 V5 | 51 cards | wrong-deck
V8 V5 | same card twice | card-twice
V8 V5 | two aces of spades | card-twice
V8 V5 | shoe ran out of cards | shoe-too-short
V8 V5 | power failure | interruption
V8 V5 | fire alarm | interruption
V8 | no button | button-forgotten
V8 V5 | dealt to the wrong seat | wrong-seats
V8 V5 | started with the wrong player | wrong-seats
V8 V5 | player got no cards | hand-left-out
V8 V5 | hand dealt to an empty seat | extra-hand
V8 V5 | wrong count | wrong-count
V8 V5 | three hole cards | wrong-count
V8 V5 | dealer gave too many cards | wrong-count
V8 V5 | only one card | wrong-count
V8 V5 | dealer mucked my hand | dealer-took-hand
V8 V5 | dealer killed a live hand | dealer-took-hand
V8 V5 | boxed card | boxed-card-later
V8 V5 | showed his cards | shown-cards
V8 V5 | show one show all | shown-cards
V8 V5 | oversized chip | one-big-chip
V8 V5 | single big chip no word | one-big-chip
V8 V5 | two chips silent | silent-chips
V8 V5 | bet below the big blind | opens-too-small
V8 V5 | said raise | raise-then-chips
V8 V5 | said raise one chip | raise-then-chips
V8 V5 | raise too small | raise-declared
V8 V5 | said call put in a raise | words-against-chips
V8 V5 | string bet | string-bet
V8 V5 | two motions | string-bet
V8 V5 | just said a number | bare-figure
V8 V5 | did not see the raise | missed-the-raise
V8 V5 | called then folded | folds-after-chips
V8 V5 | changed his mind folds after bet | folds-after-chips
V8 V5 | cards over the line | cards-forward
V8 V5 | checked facing a bet | check-facing-a-bet
V8 V5 | short all in | all-in-amount
V8 V5 | does the all in reopen the betting | all-in-amount
V8 V5 | out of turn raise | out-of-turn-bet
V8 V5 | raised out of turn | out-of-turn-bet
V8 V5 | check out of turn | out-of-turn
V8 | player was skipped | skipped
V8 | missed his turn | skipped
V8 V5 | friend acts for him | acts-for-another
V8 V5 | burn forgotten | missing-burn
V8 V5 | no burn card | missing-burn
V8 V5 | flop has 4 cards | surplus-flop
V8 V5 | four card flop | surplus-flop
V8 V5 | two turn cards | surplus-turn
V8 V5 | two river cards | surplus-river
V8 V5 | flop with two cards | too-few-flop
V8 V5 | turn dealt too early | early-cards
V8 V5 | premature flop | early-cards
V8 V5 | burn card exposed | burn-exposed
V8 V5 | refuses to show | will-not-show
V8 V5 | who shows first | who-shows-first
V8 V5 | odd chip | odd-chip
V8 V5 | split pot extra chip | odd-chip
V8 V5 | run it twice | divide-pot
V8 V5 | top up during the hand | adds-chips
V8 V5 | ratholing | takes-chips-off
V8 V5 | wrong player got the pot | pot-to-the-wrong-player
V8 V5 | missed blind | absent-blind
V8 V5 | came back missed blinds | comes-back
V8 V5 | new player posts | new-player
V8 V5 | stack smaller than the blind | blind-too-large
V8 | straddle | straddle
V8 | straddle without enough chips | straddle
V8 V5 | player threw away winning hand | cards-forward
V8 V5 | mucked by mistake | cards-forward
V8 V5 | fold by mistake | cards-forward
V8 V5 | dealer exposed river before turn bets | early-cards
V8 V5 | says call then raises | words-against-chips
V8 V5 | shuffler jammed | interruption
V8 V5 | button in the wrong place | wrong-blinds
V6 V2 V3 | bet too high | bet-over-the-maximum
V6 V2 V3 | over table max | bet-over-the-maximum
V6 V2 V3 | under the minimum | bet-under-the-minimum
V6 V2 V3 | jackpot bet no ante | jackpot-bet-without-ante
V6 V2 V3 | bonus no ante | bonus-bet-without-ante
V6 V2 V3 | past posting | late-bet
V6 V2 V3 | bet on the wrong spot | chips-on-the-wrong-spot
V6 V2 V3 | deck short | wrong-deck
V6 V2 V3 | card from another pack | foreign-card
V6 V2 V3 | shuffler jam | interruption
V6 V2 V3 | shuffler jammed | interruption
V6 V2 V3 | shuffle machine stuck | interruption
V6 V2 V3 | machine broke | interruption
V6 V2 V3 | power cut | interruption
V6 V2 V3 | shuffler ran out of cards | shoe-too-short
V6 V2 V3 | face up in the shoe | face-up-card
V6 V2 V3 | two cards came out together | drawn-together
V6 V2 V3 | blackout | interruption
V6 V2 V3 | shuffler jammed | interruption
V6 V2 V3 | player threw away winning hand | will-not-show
V6 V2 V3 | mucked by mistake | changes-his-mind
V6 V2 V3 | fold by mistake | changes-his-mind
V6 V2 V3 | dealer exposed river before turn bets | community-card-exposed
V6 V2 V3 | dealer exposed a card | exposed-in-the-deal
V6 V2 V3 | two cards exposed | exposed-in-the-deal
V6 V2 V3 | wrong count | wrong-count
V6 V2 V3 | dealer gave too many cards | wrong-count
V6 V2 V3 | three cards in a box | wrong-count
V6 V2 V3 | cards to the wrong box | wrong-boxes
V6 V2 V3 | hand dealt to an empty box | extra-hand
V6 V2 V3 | looked at both hands | second-hand-looked-at
V6 V2 V3 | flop bet too small | later-bet-of-the-wrong-size
V6 V2 V3 | wants to fold after betting | changes-his-mind
V6 V2 V3 | burn forgotten | missing-burn
V6 V2 V3 | flop turned up early | community-card-exposed
V6 V2 V3 | flop has 4 cards | wrong-count-on-the-board
V6 V2 V3 | four card flop | wrong-count-on-the-board
V6 V2 V3 | dealer has three cards | wrong-count-of-the-dealer
V6 V2 V3 | refuses to show | will-not-show
V6 V2 V3 | overpaid | paid-wrongly
V6 V2 V3 | everybody folded | everybody-folded
V6 V2 V3 | jackpot broken | jackpot-device-fails
V6 V2 V3 | device failed | jackpot-device-fails
V6 V2 V3 | jackpot sensor not working | jackpot-device-fails
V6 V2 V3 | lamp not lit | jackpot-bet-not-registered
V6 V2 V3 | link down | jackpot-system-fails
V6 V2 V3 | royal flush | jackpot-claim
V6 V2 V3 | jackpot repaired | jackpot-repaired
V2 V3 | two jackpot winners same table | two-jackpot-hands
V6 V2 V3 | jackpot at two tables | jackpot-hands-at-two-tables
V6 V2 V3 | player walked away | walks-away
V6 V2 V3 | not covered by the rules | not-in-the-list
"""
"""The books, what is typed, and what is meant."""


def phrases() -> Iterator[tuple[str, str, str]]:
    for line in PHRASES.strip().splitlines():
        books, typed, meant = (part.strip() for part in line.split("|"))
        for book in books.split():
            yield BOOKS[book], typed, meant


@pytest.mark.parametrize(("book", "typed", "meant"), list(phrases()))
def test_what_is_meant_is_found_first_or_second(book: str, typed: str, meant: str):
    hits = search(typed, load(book))
    assert meant in [hit.name for hit in hits[:2] if hit.kind == "incident"], [
        (hit.kind, hit.name) for hit in hits[:5]
    ]


@pytest.mark.parametrize("book", [BOOKS["V6"], BOOKS["V2"], BOOKS["V3"]])
def test_a_word_that_the_book_does_not_have_may_stand_among_others(book: str):
    hits = search("aces both bonus cap", load(book))
    assert (hits[0].kind, hits[0].name) == ("paragraph", "4.1.bonus.aa-both")


@pytest.mark.parametrize("book", BOOKS.values())
def test_nothing_is_found_for_collusion_and_the_book_says_who_decides(book: str):
    from croupier.desk.book_pages import book_lines

    assert search("collusion", load(book)) == []
    [line] = [line for line in book_lines() if line.id == book]
    assert bool(line.discretion) is (book != BOOKS["V5"])


def test_every_incident_is_found_by_its_own_title():
    from croupier.desk.book_pages import incidents

    for id in BOOKS.values():
        book = load(id)
        for incident in incidents(book):
            assert incident.name in [hit.name for hit in search(incident.title, book)[:2]]
