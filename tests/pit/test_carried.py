"""The cases of one book under another: what comes out the same, what otherwise, what cannot be."""

from __future__ import annotations

from croupier.pit import GAMES, shipped_cases
from croupier.pit.carried import Outcome, outcomes
from croupier.rulebooks import load

V2, V3 = load("multi-link-progressive-v2"), load("multi-link-progressive-v3")
V5, V8 = load("poker-v5"), load("no-limit-holdem-v8")


def under(old, new, part: str) -> dict[str, Outcome]:
    few = [case for case in shipped_cases() if part in case[0]]
    return {one.source.rpartition("/")[2]: one for one in outcomes(old, new, few, GAMES)}


def test_a_full_house_is_paid_otherwise_in_the_next_version():
    found = under(V2, V3, "/3.17.full-house")
    [paid] = found.values()
    assert "won 400, not 200" in paid.otherwise
    assert not paid.covered


def test_a_case_that_comes_out_the_same_proves_the_other_book():
    found = under(V5, V8, "/4.5-")
    same = [one for one in found.values() if not one.otherwise]
    assert same
    assert all(set(one.covered) <= set(V8.paragraphs) for one in same)


def test_cases_of_other_books_are_left_out():
    assert not under(V2, V3, "no-limit-holdem-v8/4.5-")


def test_what_the_other_book_cannot_show_is_told():
    [told] = outcomes(V8, V5, [("a.toml", STRADDLE)], GAMES)
    assert told.title == "A straddle"
    assert "poker-v5 has none of the paragraphs that it shows" in told.otherwise


STRADDLE = """
title = "A straddle"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.10"]
[table]
straddle = true
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
3 = { player = "Cho", stake = 500 }
[[step]]
do = "straddle"
seat = 1
expect.straddle = 1
"""
