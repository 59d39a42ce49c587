"""What croupier.cards offers, and what importing it costs."""

import subprocess
import sys

import croupier.cards
from croupier.cards import CardError, errors

PUBLIC = """
    DECK Card CardAlreadyOutError CardCountError CardError CardNotOutError CardTwiceError Category
    CoverCardError CutError ForeignCardError HandValue NotACardError OrderMismatchError Pile Rank
    Shoe ShoeError ShuffleError Suit TooFewCardsError UnknownCardError UnreadableCardError
    UnseenOrderError WrongDeckError best_five check_deck deck_faults pretty_cards rank_hand
    read_cards rest_of_deck write_cards
""".split()


def test_the_public_names_are_these_and_are_there():
    assert sorted(croupier.cards.__all__) == sorted(PUBLIC)
    for name in PUBLIC:
        assert getattr(croupier.cards, name) is not None


def test_every_error_is_public_a_card_error_and_in_the_tree_of_the_module():
    named = {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, Exception)
    }
    assert named["CardError"] is CardError
    assert issubclass(CardError, ValueError)
    for name, kind in named.items():
        assert issubclass(kind, CardError)
        assert name in croupier.cards.__all__
        assert f"─ {name}" in errors.__doc__ or name == "CardError"


def test_importing_reads_no_table_and_nothing_heavy():
    code = (
        "import sys, croupier.cards\n"
        "from croupier.cards import ranking, tables, value\n"
        "assert not ranking._LANE and not value.HandValue._all\n"
        "assert tables.sections.cache_info().currsize == 0\n"
        "assert not {'numpy', 'numba', 'random', 'hypothesis'} & set(sys.modules)\n"
        "hand = croupier.cards.read_cards('As Ks Qs Js Ts')\n"
        "assert croupier.cards.rank_hand(hand) == 7462 and ranking._LANE\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
