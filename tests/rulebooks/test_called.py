"""A paragraph is called by the number that stands in the book."""

from __future__ import annotations

import pytest

from croupier.rulebooks.called import names_in, paragraph_name


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("5.3.3", "5.3.3"),
        ("3.18.2.g", "3.18.2.g"),
        ("4.2.minor.full-house", "4.2, minor: full house"),
        ("4.1.bonus.aa-both", "4.1, bonus: AA both"),
        ("5.8.effect", "5.8, effect"),
        ("5.10.tail", "5.10, end"),
        ("def.dealer-button", "Definitions: Dealer Button"),
        ("def.betting-round.a", "Definitions: Betting Round (a)"),
        ("appendix.a", "Appendix A"),
        ("preamble", "Preamble"),
    ],
)
def test_a_paragraph_by_its_name(id: str, name: str):
    assert paragraph_name(id) == name


def test_the_names_in_a_sentence():
    said = "Ruled for box 5: line 4.2.major.royal-flush-flop is paid (5.8.effect, 3.5.1.b)."
    told = "Ruled for box 5: line 4.2, major: royal flush flop is paid (5.8, effect, 3.5.1.b)."
    assert names_in(said) == told
