"""Reading and writing several cards, and the deck."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import (
    DECK,
    Card,
    NotACardError,
    Rank,
    Suit,
    UnreadableCardError,
    WrongDeckError,
    check_deck,
    deck_faults,
    pretty_cards,
    read_cards,
    rest_of_deck,
    write_cards,
)

SOME = (Card("As"), Card("Td"), Card("Kh"))


@pytest.mark.parametrize(
    "text",
    [
        "As 10d, Kh",
        "As Td Kh",
        "as,td,kh",
        "  A♠ 10♦\nK♥ ",
        "AsTdKh",
        "AsKh10d".replace("Kh10d", "10dKh"),
        "A♠10♦K♥",
        ",As,,Td ,Kh,",
        "as 10♦kH",
        "A♠\ufe0f T♦\ufe0f K♥\ufe0f",
    ],
)
def test_cards_are_read_apart_or_run_together(text):
    assert read_cards(text) == SOME


def test_no_cards_and_unknown_cards_are_read():
    assert read_cards("") == read_cards(" , ") == ()
    assert read_cards("?? As ????") == (
        Card.UNKNOWN,
        Card("As"),
        Card.UNKNOWN,
        Card.UNKNOWN,
    )


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("As Zd Kh", "'Zd' at character 4 of 'As Zd Kh' is no card: write a rank"),
        ("As, Kh7x", "'7x' in 'Kh7x' at character 7 of 'As, Kh7x' is no card"),
        ("A", "'A' at character 1 of 'A' is no card"),
        ("As 1d", "'1d' at character 4"),
        ("As?", "'?' in 'As?' at character 3"),
    ],
)
def test_the_error_says_which_word_and_where(text, start):
    with pytest.raises(UnreadableCardError) as caught:
        read_cards(text)
    assert str(caught.value).startswith(start)


def test_only_text_is_read():
    with pytest.raises(UnreadableCardError, match="cards are read from text, not from 52"):
        read_cards(52)


@given(st.lists(st.sampled_from(list(Card))), st.sampled_from([" ", ",", ", ", ""]))
def test_what_is_written_is_read_back(cards, between):
    assert read_cards(write_cards(cards)) == tuple(cards)
    assert read_cards(pretty_cards(cards)) == tuple(cards)
    assert read_cards(between.join(card.value for card in cards)) == tuple(cards)
    assert read_cards(between.join(card.pretty for card in cards)) == tuple(cards)


def test_writing_for_machines_and_for_people():
    assert write_cards(SOME) == "As Td Kh"
    assert pretty_cards(SOME) == "A♠ 10♦ K♥"


def test_the_deck_is_in_order_by_suit_then_rank():
    assert len(DECK) == 52
    assert (
        tuple(
            Card(rank.value + suit.value)
            for suit in sorted(Suit, key=lambda s: s.order)
            for rank in Rank
        )
        == DECK
    )
    assert write_cards(DECK[:3]) == "2c 3c 4c"
    assert DECK[-1] is Card("As")


def test_a_whole_deck_in_any_order_is_a_deck():
    check_deck(DECK)
    check_deck(reversed(DECK))
    assert deck_faults(DECK[::-1]) == []


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (DECK[:-1], r"missing As \(51 cards counted"),
        ((*DECK, Card("7h")), r"doubled 7h \(53 cards counted"),
        ((*DECK, Card.UNKNOWN), r"foreign \?\? \(53"),
        ((*DECK[1:], Card("7h")), r"missing 2c; doubled 7h \(52"),
        ((), r"missing 2c 3c .* Ks As \(0"),
    ],
)
def test_what_is_wrong_with_a_deck_is_said(cards, message):
    with pytest.raises(WrongDeckError, match=message):
        check_deck(cards)


def test_text_is_not_taken_for_cards():
    with pytest.raises(NotACardError, match="'A' in place 1 is no Card: read text with read_cards"):
        check_deck("As")
    with pytest.raises(TypeError):
        rest_of_deck(["As"])


def test_the_rest_of_the_deck_keeps_its_order():
    rest = rest_of_deck(read_cards("As 2c ?? 7h"))
    assert len(rest) == 49
    assert list(rest) == [card for card in DECK if str(card) not in {"As", "2c", "7h"}]
    assert rest_of_deck(()) == DECK
    assert rest_of_deck([SOME[1]], of=SOME) == (SOME[0], SOME[2])
