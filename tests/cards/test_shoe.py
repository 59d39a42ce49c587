"""The shoe: what the paragraphs on dealing and its errors do with it, and what it refuses."""

import copy

import msgspec
import pytest

from croupier.cards import (
    DECK,
    Card,
    CardAlreadyOutError,
    CardNotOutError,
    CoverCardError,
    CutError,
    ForeignCardError,
    NotACardError,
    OrderMismatchError,
    Pile,
    Shoe,
    ShoeError,
    ShuffleError,
    TooFewCardsError,
    UnseenOrderError,
    WrongDeckError,
    read_cards,
    rest_of_deck,
    write_cards,
)


def stacked(first: str) -> Shoe:
    """A virtual shoe with these cards in front and the others behind them in order."""
    cards = read_cards(first)
    return Shoe.virtual([*cards, *rest_of_deck(cards)])


def again(shoe: Shoe) -> Shoe:
    """The shoe as its snapshot brings it back."""
    return msgspec.json.decode(msgspec.json.encode(shoe), type=Shoe)


# ---- drawing and burning ---------------------------------------------------------------------


def test_a_virtual_shoe_gives_its_cards_in_their_order():
    shoe = stacked("As Kd 7h")
    assert shoe.peek(2) == read_cards("As Kd")
    assert shoe.draw() == read_cards("As")
    assert shoe.burn() is Card("Kd")
    assert shoe.draw(2) == read_cards("7h 2c")
    assert (shoe.drawn, shoe.burnt, shoe.left) == ([*read_cards("As 7h 2c")], [Card("Kd")], 48)
    assert shoe.draw(0) == ()
    assert shoe.unseen == ()


def test_a_reported_shoe_takes_what_was_seen():
    shoe = Shoe.reported()
    assert shoe.take(read_cards("As ??")) == read_cards("As ??")
    assert shoe.burn() is Card.UNKNOWN
    assert shoe.burn(Card("2c")) is Card("2c")
    assert write_cards(shoe.drawn) == "As ??"
    assert write_cards(shoe.burnt) == "?? 2c"
    assert shoe.left == 48
    assert len(shoe.unseen) == 50
    assert Card("As") not in shoe.unseen


def test_events_of_a_virtual_shoe_name_the_cards_and_must_be_right():
    shoe = stacked("As Kd 7h")
    assert shoe.take(read_cards("As Kd")) == read_cards("As Kd")
    with pytest.raises(OrderMismatchError, match="the next card of the shoe is 7h, not As"):
        shoe.take(read_cards("As"))
    with pytest.raises(OrderMismatchError, match=r"the next card of the shoe is 7h, not \?\?"):
        shoe.take([Card.UNKNOWN])
    with pytest.raises(OrderMismatchError, match="is 7h, not Kc"):
        shoe.burn(Card("Kc"))
    assert shoe.burn(Card("7h")) is Card("7h")


def test_a_real_shoe_does_not_know_its_next_card():
    shoe = Shoe.reported()
    for ask in (shoe.peek, shoe.draw):
        with pytest.raises(UnseenOrderError, match=r"take\(\) what is reported"):
            ask()


def test_a_card_cannot_come_out_twice():
    shoe = Shoe.reported()
    shoe.take(read_cards("As"))
    shoe.burn(Card("Kd"))
    with pytest.raises(CardAlreadyOutError, match=r"As cannot come out .* it is drawn already"):
        shoe.take(read_cards("As"))
    with pytest.raises(CardAlreadyOutError, match=r"Kd cannot come out .* it is burnt already"):
        shoe.burn(Card("Kd"))
    with pytest.raises(CardAlreadyOutError, match="7h is reported twice in 7h 8h 7h"):
        shoe.take(read_cards("7h 8h 7h"))
    assert shoe.left == 50


@pytest.mark.parametrize("shoe", [Shoe.virtual(DECK), Shoe.reported()], ids=["virtual", "real"])
def test_text_is_no_card(shoe):
    for attempt in (shoe.take, shoe.put_back, shoe.declare_burnt, shoe.declare_drawn):
        with pytest.raises(NotACardError):
            attempt(["As"])


def test_the_shoe_runs_out():
    """v8 5.2.3, banked 5.8.4: below, at and above what is left."""
    shoe = Shoe.virtual(DECK)
    shoe.draw(50)
    shoe.require(1)
    shoe.require(2)
    with pytest.raises(TooFewCardsError, match="3 cards are needed, but 2 are left in the shoe"):
        shoe.require(3)
    with pytest.raises(TooFewCardsError):
        shoe.draw(3)
    assert shoe.draw(2) == read_cards("Ks As")
    for attempt in (shoe.draw, shoe.burn):
        with pytest.raises(TooFewCardsError, match="but 0 are left"):
            attempt()


def test_a_number_of_cards_cannot_be_negative():
    with pytest.raises(ShoeError, match="a number of cards cannot be -1"):
        Shoe.virtual(DECK).draw(-1)


def test_a_hand_of_v8_burns_three_cards():
    """v8 1.9, 3.11 with four players: eight Hole Cards, then burn and deal, thrice."""
    shoe = Shoe.virtual(DECK, cover=True)
    shoe.discard_cover()
    shoe.draw(8)
    for street in (3, 1, 1):
        shoe.burn()
        shoe.draw(street)
    assert (len(shoe.drawn), write_cards(shoe.burnt), shoe.left) == (13, "Tc Ac 3d", 36)


# ---- loading: deck, cut, cover card, cut card ------------------------------------------------


def test_a_virtual_shoe_needs_a_whole_deck():
    with pytest.raises(ShuffleError, match=r"no order of the 52 cards .* missing As"):
        Shoe.virtual(DECK[:-1])
    with pytest.raises(ShuffleError, match=r"missing 2c; doubled 7h"):
        Shoe.virtual([*DECK[1:], Card("7h")])


def test_a_short_deck_is_built_on_purpose_only():
    """v8 5.2.2, banked 5.8.3: a case about a deck that lacks the seven of hearts."""
    short = rest_of_deck(read_cards("7h"))
    shoe = Shoe.virtual(short, deck=short)
    assert shoe.left == 51
    real = Shoe.reported(deck=short)
    with pytest.raises(ForeignCardError, match="7h is not of this shoe's deck of 51 cards"):
        real.take(read_cards("7h"))
    assert again(shoe) == shoe


@pytest.mark.parametrize("deck", [[*DECK, Card("As")], [Card.UNKNOWN, *DECK]])
def test_a_deck_with_a_card_twice_or_unknown_cannot_be_loaded(deck):
    with pytest.raises(WrongDeckError, match="known cards, each once"):
        Shoe.virtual(deck, deck=deck)
    with pytest.raises(WrongDeckError, match="known cards, each once"):
        Shoe.reported(deck=deck)


def test_a_cut_changes_the_order():
    """v8 1.14."""
    shoe = Shoe.virtual(DECK)
    shoe.cut(20)
    assert shoe.order == [*DECK[20:], *DECK[:20]]
    assert shoe.was_cut
    shoe = Shoe.virtual(DECK)
    shoe.cut(10, 30)
    assert shoe.order == [*DECK[30:], *DECK[10:30], *DECK[:10]]


def test_a_cut_at_the_first_and_the_last_place():
    shoe = Shoe.virtual(DECK)
    shoe.cut(1)
    shoe.cut(51)
    assert shoe.order == list(DECK)


@pytest.mark.parametrize("places", [(0,), (52,), (-1,), (20, 20), (30, 20), (53,)])
def test_a_cut_must_separate_the_deck(places):
    shoe = Shoe.virtual(DECK)
    with pytest.raises(
        CutError, match="does not separate 52 cards: name rising places from 1 to 51"
    ):
        shoe.cut(*places)
    assert shoe == Shoe.virtual(DECK)


def test_a_real_deck_is_cut_without_saying_where():
    shoe = Shoe.reported()
    shoe.cut()
    assert shoe.was_cut
    with pytest.raises(CutError, match="say where to cut"):
        Shoe.virtual(DECK).cut()


def test_a_cut_comes_before_the_cover_card_and_the_first_card():
    shoe = Shoe.virtual(DECK, cover=True)
    with pytest.raises(CutError, match="the cover card is in front"):
        shoe.cut(20)
    shoe.discard_cover()
    shoe.burn()
    with pytest.raises(CutError, match="cards are out"):
        shoe.cut(20)


@pytest.mark.parametrize("make", [lambda: Shoe.virtual(DECK), Shoe.reported])
def test_the_cover_card_must_go_before_the_first_card_comes(make):
    """v8 3.11."""
    shoe = make()
    shoe.place_cover()
    with pytest.raises(CoverCardError, match="in front of the shoe already"):
        shoe.place_cover()
    for attempt in (shoe.draw, shoe.peek, shoe.burn, lambda: shoe.take([DECK[0]])):
        with pytest.raises(CoverCardError, match=r"discard_cover\(\) it first"):
            attempt()
    shoe.discard_cover()
    assert shoe.take([DECK[0]]) == (DECK[0],)
    with pytest.raises(CoverCardError, match="no cover card"):
        shoe.discard_cover()


def test_the_cut_card_comes_out():
    shoe = Shoe.virtual(DECK)
    assert not shoe.cut_card_out
    shoe.place_cut_card(10)
    shoe.draw(41)
    assert (shoe.left, shoe.cut_card_out) == (11, False)
    shoe.draw(1)
    assert (shoe.left, shoe.cut_card_out) == (10, True)


@pytest.mark.parametrize("behind", [-1, 53])
def test_the_cut_card_lies_in_the_deck(behind):
    with pytest.raises(CutError, match=rf"cannot be {behind} of 52 cards behind the cut card"):
        Shoe.reported(cut_card=behind)
    assert Shoe.reported(cut_card=52).cut_card_out
    assert not Shoe.reported(cut_card=0).cut_card_out


# ---- irregularities --------------------------------------------------------------------------


def test_an_exposed_card_becomes_the_burnt_card():
    """v8 5.5: the ninth card is a replacement, and no card is burnt before the flop."""
    shoe = stacked("2c 3c 9h 5c")
    shoe.draw(4)
    shoe.declare_burnt(read_cards("9h"))
    assert shoe.draw() == read_cards("4c")
    assert (write_cards(shoe.drawn), write_cards(shoe.burnt)) == ("2c 3c 5c 4c", "9h")


def test_a_burn_left_out_is_made_of_a_dealt_card():
    """v8 5.10.1: the pit manager picks Kd of an unburnt flop."""
    shoe = stacked("7c Kd 2h 9s")
    shoe.draw(3)
    shoe.declare_burnt([Card("Kd")])
    assert shoe.draw() == read_cards("9s")
    assert (write_cards(shoe.drawn), write_cards(shoe.burnt)) == ("7c 2h 9s", "Kd")


def test_a_burnt_card_becomes_a_dealt_one_when_the_hand_is_reconstructed():
    shoe = stacked("7c Kd")
    shoe.burn()
    shoe.burn()
    shoe.declare_drawn(read_cards("Kd"))
    assert (shoe.burnt, shoe.drawn) == ([Card("7c")], [Card("Kd")])
    with pytest.raises(CardNotOutError, match=r"As is not among the burnt cards \(7c\)"):
        shoe.declare_drawn(read_cards("As"))


def test_an_early_turn_goes_back_and_is_shuffled_in_while_its_burn_stays():
    """v8 5.11.3."""
    shoe = Shoe.virtual([*rest_of_deck(read_cards("Kd 8c")), *read_cards("Kd 8c")])
    shoe.cut(50)
    shoe.burn()
    shoe.draw()
    new = sorted([*shoe.order, Card("8c")], key=lambda card: -card.index)
    shoe.shuffle_in(read_cards("8c"), new)
    assert (shoe.drawn, shoe.burnt, shoe.order) == ([], [Card("Kd")], new)
    assert shoe.was_cut  # the deck of this round was; 5.11 asks for no second cut


def test_shuffling_in_at_a_real_shoe_forgets_the_places():
    """v8 5.12: five flop cards go back, one of them seen by nobody."""
    shoe = Shoe.reported()
    shoe.burn()
    shoe.take(read_cards("7c Kd 2h 9s ??"))
    shoe.shuffle_in(read_cards("9s ?? Kd 7c 2h"))
    assert (shoe.drawn, shoe.left) == ([], 51)
    assert set(shoe.order) == {Card.UNKNOWN}
    assert shoe.take(read_cards("Kd")) == read_cards("Kd")


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (lambda rest: None, "a virtual shoe needs the new order"),
        (lambda rest: rest, "no order of the 51 cards that were shuffled: missing 3c"),
        (lambda rest: [*rest, Card("2c")], "missing 3c; foreign 2c"),
        (lambda rest: [*rest, rest[0]], "missing 3c; doubled 4c"),
        (lambda rest: [*rest, Card.UNKNOWN], r"missing 3c; foreign \?\?"),
    ],
)
def test_a_shuffle_must_answer_with_the_cards_that_were_shuffled(order, message):
    shoe = Shoe.virtual(DECK)
    shoe.draw(2)
    before = copy.deepcopy(shoe)
    with pytest.raises(ShuffleError, match=message):
        shoe.shuffle_in(read_cards("3c"), order(shoe.order))
    assert shoe == before


def test_nobody_knows_the_order_of_a_real_shoe():
    with pytest.raises(ShuffleError, match="a real shoe is shuffled by hand"):
        Shoe.reported().collect(DECK)
    with pytest.raises(ShuffleError):
        Shoe.reported().shuffle_in((), DECK)


def test_a_card_dealt_too_many_goes_back_where_it_came_from():
    shoe = stacked("As Kd 7h")
    shoe.draw(3)
    shoe.put_back(read_cards("Kd 7h"))
    assert shoe.peek(3) == read_cards("Kd 7h 2c")
    assert shoe.drawn == [Card("As")]
    shoe.burn()
    shoe.put_back(read_cards("Kd"), Pile.BURNT)
    untouched = stacked("As Kd 7h")
    untouched.draw()
    assert shoe == untouched


def test_a_card_put_back_into_a_real_shoe_is_known_to_lie_there():
    shoe = Shoe.reported()
    shoe.take(read_cards("As Kd"))
    shoe.put_back(read_cards("Kd"))
    assert shoe.peek() == read_cards("Kd")
    with pytest.raises(OrderMismatchError, match="the next card of the shoe is Kd, not 7h"):
        shoe.take(read_cards("7h"))
    assert shoe.take(read_cards("?? 7h")) == read_cards("Kd 7h")  # nobody looked, but it is known


def test_a_card_that_lies_further_back_cannot_be_the_next():
    shoe = Shoe.reported()
    shoe.take(read_cards("As ?? Kd"))
    shoe.put_back(read_cards("?? Kd"))
    with pytest.raises(OrderMismatchError, match=r"Kd cannot be the card .* it lies in place 2"):
        shoe.take(read_cards("Kd"))


def test_only_cards_that_are_out_come_back():
    shoe = stacked("As Kd 7h")
    shoe.draw()
    shoe.burn()
    for attempt in (shoe.put_back, shoe.shuffle_in, shoe.declare_burnt):
        with pytest.raises(CardNotOutError, match=r"Kd is not among the drawn cards \(As\)"):
            attempt(read_cards("Kd"))
        with pytest.raises(CardNotOutError, match=r"As is not among the drawn cards"):
            attempt(read_cards("As As"))
    with pytest.raises(CardNotOutError, match="there are none"):
        Shoe.reported().put_back(read_cards("??"))


def test_an_unseen_card_turns_out_to_be_one():
    shoe = Shoe.reported()
    shoe.take(read_cards("?? As ??"))
    shoe.burn()
    shoe.identify(Card("Kd"))
    assert write_cards(shoe.drawn) == "Kd As ??"
    shoe.identify(Card("7h"), Pile.BURNT)
    assert shoe.burnt == [Card("7h")]
    with pytest.raises(CardAlreadyOutError, match=r"Kd .* drawn already"):
        shoe.identify(Card("Kd"))
    with pytest.raises(CardNotOutError, match=r"no burnt card is unknown, so none .* to be 2c"):
        shoe.identify(Card("2c"), Pile.BURNT)
    with pytest.raises(UnseenOrderError, match=r"\?\? does not say"):
        shoe.identify(Card.UNKNOWN)
    with pytest.raises(CardAlreadyOutError):
        shoe.take(read_cards("Kd"))  # v8 5.2.2: two kings of diamonds


def test_a_card_that_was_known_lies_where_nobody_can_tell():
    shoe = Shoe.reported()
    shoe.take(read_cards("As ?? Kd"))
    shoe.forget(read_cards("As"))
    assert write_cards(shoe.drawn) == "?? ?? Kd"
    assert Card("As") in shoe.unseen
    with pytest.raises(CardNotOutError, match="As is not among the drawn cards"):
        shoe.forget(read_cards("As"))
    with pytest.raises(UnseenOrderError, match="a virtual shoe knows"):
        stacked("As").forget(())


def test_the_cards_of_the_draw_for_the_button_are_collected_and_shuffled():
    """v8 3.8: and the deck is cut again."""
    shoe = stacked("Kh Ks Qd Kc")
    shoe.cut(30)
    shoe.draw(4)
    shoe.burn()
    shoe.collect(DECK[::-1])
    assert shoe == Shoe.virtual(DECK[::-1])
    assert not shoe.was_cut
    with pytest.raises(ShuffleError, match="no order of the 52"):
        shoe.collect(DECK[1:])
    with pytest.raises(ShuffleError, match="needs the new order"):
        shoe.collect()


def test_a_real_round_is_collected():
    shoe = Shoe.reported(cover=True)
    shoe.discard_cover()
    shoe.take(read_cards("As ??"))
    shoe.burn()
    shoe.collect()
    assert shoe == Shoe.reported()


def test_shuffling_an_undealt_deck_again_undoes_its_cut():
    shoe = Shoe.virtual(DECK)
    shoe.cut(20)
    shoe.shuffle_in((), DECK)
    assert shoe == Shoe.virtual(DECK)


# ---- snapshots -------------------------------------------------------------------------------


def test_a_snapshot_brings_back_the_same_shoe():
    shoe = Shoe.reported(cut_card=5)
    shoe.cut()
    shoe.take(read_cards("As ?? Kd"))
    shoe.burn()
    shoe.put_back(read_cards("Kd"))
    assert again(shoe) == shoe
    assert again(shoe) is not shoe
    other = copy.deepcopy(shoe)
    other.burn()
    assert other != shoe


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": ["As"]}, "a shoe of 52 cards cannot have 1 in it, 0 drawn and 0 burnt"),
        ({"drawn": ["As"]}, "cannot have 52 in it, 1 drawn"),
        ({"real": False}, r"a virtual shoe knows all its cards, but there is \?\?"),
        ({"order": ["As", "As", *["??"] * 50]}, "not its deck: doubled As"),
        ({"deck": ["2c", "3c"], "order": ["As", "??"]}, "not its deck: foreign As"),
        ({"cut_card": 60}, "cannot be 60 of 52 cards behind the cut card"),
        ({"order": ["Zz", *["??"] * 51]}, "Invalid enum value 'Zz'"),
    ],
)
def test_a_snapshot_that_cannot_be_is_refused(change, message):
    snapshot = msgspec.to_builtins(Shoe.reported()) | change
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(snapshot, Shoe)
