"""What goes wrong at a poker table, paragraph by paragraph: v8 section 5, v5 5.1.

Staff report facts (`commands`); the table says what the book makes of them, asks for what it does
not know (`reporting`), and carries it out (`events`). The rooms stand in the order in
which the book is tested:

    deck_faults          5.2    a foreign card, a wrong deck, too few cards
    interruption         5.1    the lights go out
    misdeal              5.3    exposed in the cut, not shuffled, dealt wrongly
    exposed              5.5    cards exposed in the deal
    wrong_count          5.6    a player with too many or too few cards
    turns                5.4, 5.13, 5.14: passed over, out of turn
    missing_burn         5.10
    early_community      5.11
    surplus_community    5.12   with `community`, which both lean on
    missing_community    too few cards: no paragraph
    dealing_again        what a street lacks; `streets` is what can be asked about them
    shown_cards          5.15, 3.18.2.b
    discretion           5.16   and, in v5, the House decision that the text leaves open

`state` is what a round remembers of it, `memory` what is kept so that it can be taken back,
`following` what becomes due by itself. This file imports none of them, so that the table's state
can hold what they remember.
"""
