"""What a step gives besides plain fields: details as money, and fields named like its own keys."""

import pytest

from croupier.pit import GAMES, CaseError, read_case, run_case

TEXT = """
title = "Chips go back by ruling"
rulebook = "multi-link-progressive-v3"
paragraphs = ["5.23.a"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
[boxes]
1 = { player = "Ann", ante = 50 }
[[step]]
do = "deal to decisions"
[[step]]
do = "call for ruling"
about = "uncovered"
says = "a chip of another player"
[[step]]
do = "decide"
decision = 2
option = "return chips"
details = { box = 1, bet = "ante", amount = 2.50 }
expect.net.Ann = -47.50
"""


def run(text: str):
    return run_case(read_case(text, "case.toml", GAMES), GAMES)


def test_money_in_details_is_written_as_on_the_table():
    assert run(TEXT).passed


def test_part_of_a_cent_in_details_fails_the_step():
    [failure] = run(TEXT.replace("2.50 }", "2.505 }")).failures
    [found] = failure.differences
    assert found.what == "details"
    assert "2.505" in found.got


def test_with_holds_only_fields_that_are_named_like_keys_of_a_step():
    wrong = TEXT.replace("decision = 2", "with = { decision = 2 }")
    with pytest.raises(CaseError, match="with holds fields"):
        read_case(wrong, "case.toml", GAMES)


def test_with_is_read_by_the_type_of_the_command():
    wrong = TEXT + '[[step]]\ndo = "settle"\nwith = { link = "floor" }\n'
    with pytest.raises(CaseError, match="link: unknown key"):
        read_case(wrong, "case.toml", GAMES)
