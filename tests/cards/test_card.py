"""One card: texts, ranks, suits, numbers, the unknown card, and records that hold cards."""

import copy
import pickle

import msgspec
import pytest

from croupier.cards import DECK, Card, CardError, Rank, Suit, UnknownCardError, UnreadableCardError


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    cards: tuple[Card, ...]


def test_there_are_52_cards_and_the_unknown_one():
    assert len(Card) == 53
    assert {card.value for card in DECK} == {r + s for r in "23456789TJQKA" for s in "cdhs"}
    assert Card.UNKNOWN not in DECK
    assert all(card.is_known for card in DECK)
    assert not Card.UNKNOWN.is_known


@pytest.mark.parametrize(
    "text", ["Td", "td", "TD", "tD", "10d", "10D", "10♦", "T♦", "t♦", "10♢", "10♦\ufe0f", " Td "]
)
def test_a_card_is_read_in_every_usual_spelling(text):
    assert Card(text) is Card.TEN_OF_DIAMONDS


def test_every_card_is_read_back_from_both_its_texts():
    for card in Card:
        assert Card(str(card)) is card
        assert Card(card.pretty) is card
        assert Card(str(card).lower()) is card
        assert Card(str(card).upper()) is card


def test_the_texts_of_a_card():
    card = Card("10♦")
    assert (str(card), f"{card}", card.pretty, card.title) == (
        "Td",
        "Td",
        "10♦",
        "Ten of Diamonds",
    )
    assert repr(card) == "Card('Td')"
    assert eval(repr(card)) is card
    assert (str(Card.UNKNOWN), Card.UNKNOWN.pretty) == ("??", "??")
    assert Card("A♠").pretty == "A♠"


@pytest.mark.parametrize(
    "text",
    ["", "A", "s", "1s", "11s", "100s", "Ax", "sA", "As Kd", "AsKd", "?", "???", "♦10", "A\u017f"],
)
def test_unreadable_text_is_named_in_the_error(text):
    with pytest.raises(UnreadableCardError) as caught:
        Card(text)
    assert str(caught.value) == (
        f"{text!r} is no card: write a rank (2 to 9, 10 or T, J, Q, K, A) and a suit "
        "(c, d, h, s or ♣, ♦, ♥, ♠), as in As, Td or 10♦, or ?? if unknown"
    )


@pytest.mark.parametrize("value", [None, 3, ("A", "s"), ["As"], b"As"])
def test_what_is_no_text_is_no_card(value):
    with pytest.raises(UnreadableCardError, match="is no card"):
        Card(value)


def test_the_rank_and_suit_of_a_card():
    card = Card("Qh")
    assert (card.rank, card.suit) == (Rank.QUEEN, Suit.HEARTS)


@pytest.mark.parametrize("name", ["rank", "suit", "index", "mask"])
def test_the_unknown_card_refuses_to_say_what_it_is(name):
    with pytest.raises(UnknownCardError, match=rf"^the unknown card \?\? has no {name}: "):
        getattr(Card.UNKNOWN, name)
    with pytest.raises(CardError):
        getattr(Card.UNKNOWN, name)


def test_index_and_mask_agree_with_the_order_of_the_deck():
    for index, card in enumerate(DECK):
        assert card.index == index == 13 * card.suit.order + card.rank.order - 2
        assert card.mask == 1 << 16 * card.suit.order + card.rank.order - 2
    assert sum(card.mask for card in DECK) == 0x1FFF_1FFF_1FFF_1FFF


def test_suits_are_ordered_for_the_draw_only_spades_highest():
    assert [suit.order for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)] == [
        0,
        1,
        2,
        3,
    ]
    assert "".join(suit.symbol for suit in Suit) == "♣♦♥♠"
    assert [suit.title for suit in Suit] == ["Clubs", "Diamonds", "Hearts", "Spades"]
    assert [suit.value for suit in Suit] == list("cdhs")
    with pytest.raises(TypeError):
        Suit.SPADES > Suit.CLUBS  # noqa: B015


def test_the_draw_for_the_button_goes_by_rank_then_suit():
    drawn = [Card("Kh"), Card("Ks"), Card("Qd"), Card("Kc")]
    assert max(drawn, key=lambda card: (card.rank.order, card.suit.order)) is Card("Ks")


def test_ranks_and_their_words():
    assert [rank.value for rank in Rank] == list("23456789TJQKA")
    assert [rank.order for rank in Rank] == list(range(2, 15))
    assert (Rank.TEN.text, Rank.ACE.text, Rank.TWO.text) == ("10", "A", "2")
    assert " ".join(rank.plural for rank in Rank) == (
        "Twos Threes Fours Fives Sixes Sevens Eights Nines Tens Jacks Queens Kings Aces"
    )
    assert (str(Rank.TEN), repr(Rank.TEN), str(Suit.HEARTS)) == ("Ten", "Rank.TEN", "Hearts")


def test_a_card_survives_pickle_and_copy_as_itself():
    for card in Card:
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.copy(card) is card
        assert copy.deepcopy([card])[0] is card
    assert {Card("As"): 1}[pickle.loads(pickle.dumps(Card("As")))] == 1


def test_records_with_cards_go_to_json_and_back():
    record = Holding(cards=(Card("As"), Card("Td"), Card.UNKNOWN))
    text = msgspec.json.encode(record)
    assert text == b'{"cards":["As","Td","??"]}'
    assert msgspec.json.decode(text, type=Holding) == record
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=Holding) == record


def test_json_may_spell_a_card_as_people_do():
    decoded = msgspec.json.decode('{"cards":["a♠","10♦"," ?? "]}'.encode(), type=Holding)
    assert decoded.cards == (Card("As"), Card("Td"), Card.UNKNOWN)


@pytest.mark.parametrize("text", [b'{"cards":["As","Zz"]}', b'{"cards":["As",5]}'])
def test_garbage_in_json_is_a_validation_error_that_says_where(text):
    with pytest.raises(msgspec.ValidationError, match=r"\$\.cards\[1\]"):
        msgspec.json.decode(text, type=Holding)


def test_json_schema_lists_the_53_texts():
    schema = msgspec.json.schema(Holding)
    assert sorted(schema["$defs"]["Card"]["enum"]) == sorted(card.value for card in Card)
