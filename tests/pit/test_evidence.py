"""When a case proves a paragraph, and when it only mentions it."""

import pytest

from croupier.pit import read_case, run_case
from tests.pit.high_card import REGISTRY

HEAD = """
title = "What is proved"
rulebook = "high-card"
paragraphs = ["{paragraph}"]
[boxes]
1 = {{ player = "Ann", stake = 10, card = "Kd" }}
[dealer]
card = "Qh"
[[step]]
do = "close betting"
{first}
[[step]]
do = "stay"
box = {box}
{second}
[[step]]
do = "{last}"
{third}
"""


def proved(paragraph: str, first="", second="", third="", box=1, last="settle") -> bool:
    text = HEAD.format(
        paragraph=paragraph, first=first, second=second, third=third, box=box, last=last
    )
    result = run_case(read_case(text, "a.toml", REGISTRY), REGISTRY)
    assert result.passed, result.failures
    return result.covered == (paragraph,)


def test_a_citation_alone_proves_nothing():
    assert not proved("3.1", third='expect.cites = ["3.1"]')


def test_an_event_named_without_its_values_proves_nothing():
    assert not proved("3.1", third='expect.events = ["box settled"]')
    assert not proved("3.1", third='expect.events = [{ event = "box settled", cites = ["3.1"] }]')


def test_an_event_with_its_values_proves_its_paragraph():
    assert proved("3.1", third='expect.events = [{ event = "box settled", paid = 20 }]')


def test_a_fact_that_the_citing_event_changed_proves_it():
    assert proved("3.1", third="expect.paid = { 1 = 20 }")
    assert proved("3.1", third='expect.status = "settled"')


def test_a_fact_that_it_did_not_change_proves_nothing():
    assert not proved("3.1", third='expect.dealer = "Qh"')
    assert not proved("3.1", third="expect.stakes = { 1 = 10 }")


def test_a_fact_that_is_expected_too_early_proves_nothing():
    assert not proved("3.1", second="expect.paid = { 1 = 0 }")


def test_a_fact_that_is_expected_later_proves_it():
    assert proved("2.1", second='expect.dealer = "Qh"')
    assert proved("2.1", third='expect.dealer = "Qh"')


def test_a_call_proves_its_paragraph():
    assert proved("1.2", first='expect.announced = ["closing call"]')


def test_a_paragraph_that_is_never_cited_is_not_proved():
    assert not proved("4.1", third="expect.paid = { 1 = 20 }")


@pytest.mark.parametrize(
    ("expected", "is_proved"),
    [('expect.refused = "3.1"', False), ('expect.refused = "3.1"\nexpect.turn = 1', True)],
)
def test_a_refusal_is_proved_by_how_things_stand_at_that_step(expected, is_proved):
    text = """
title = "Settled too early"
rulebook = "high-card"
paragraphs = ["3.1"]
boxes.1 = { player = "Ann", stake = 10 }
[[step]]
do = "close betting"
[[step]]
do = "settle"
"""
    result = run_case(read_case(text + expected, "a.toml", REGISTRY), REGISTRY)
    assert result.passed
    assert bool(result.covered) is is_proved


def test_a_case_that_fails_proves_nothing():
    text = HEAD.format(
        paragraph="3.1", first="", second="", third="expect.paid = { 1 = 21 }", box=1, last="settle"
    )
    result = run_case(read_case(text, "a.toml", REGISTRY), REGISTRY)
    assert not result.passed
    assert result.covered == ()
