"""The JSON Schema of case files knows what the reader knows."""

import json
import tomllib
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from croupier.pit import GAMES, case_schema, shipped_cases
from croupier.pit.game import Registry
from tests.pit.high_card import REGISTRY

SMALL = sorted((Path(__file__).parent / "cases").glob("*.toml"))


@cache
def validator(registry: Registry) -> jsonschema.Draft202012Validator:
    """One that knows only the schema; it takes far longer to make than to ask."""
    schema = case_schema(registry)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def problems(text: str, registry: Registry) -> list[str]:
    """What a validator that knows only the schema says of a case file."""
    case = json.loads(json.dumps(tomllib.loads(text), default=str))
    return [error.message for error in validator(registry).iter_errors(case)]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_the_cases_of_the_small_game_fit_the_schema(path):
    assert problems(path.read_text(), REGISTRY) == []


def check(sources) -> None:
    for source, text in sources:
        assert problems(text, GAMES) == [], source


def test_some_of_the_shipped_cases_fit_the_schema():
    check(list(shipped_cases())[::150])


@pytest.mark.slow
def test_all_of_the_shipped_cases_fit_the_schema():
    check(shipped_cases())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('do = "stay"', 'do = "stey"'),
        ("box = 1\n", "bux = 1\n"),
        ("stake = 10", "stake = true"),
        ("expect.turn", "expect.tern"),
        ('rulebook = "high-card"', 'rulebook = "whist"'),
        ('paragraphs = ["1.2", "2.3", "3.1"]', "paragraphs = []"),
    ],
)
def test_what_the_reader_rejects_the_schema_rejects(old, new):
    [path] = [path for path in SMALL if path.stem.startswith("2.3")]
    text = path.read_text()
    assert old in text
    assert problems(text.replace(old, new, 1), REGISTRY) != []


NEW_FORMS = """
title = "Several books, in the middle of a round"
rulebooks = ["multi-link-progressive-v3", "multi-link-progressive-v2"]
paragraphs = ["5.12"]
in.multi-link-progressive-v2.paragraphs = ["5.10"]
[table]
layout = "A"
[boxes]
1 = { player = "Ann", ante = 50 }
[now]
stage = "turn decision"
chosen = { 1 = ["flop bet"] }
looked = [1]
[[step]]
do = "decide"
decision = "ruling"
option = "continue"
[[step]]
do = "decide"
decision = { question = "ruling", of = 1 }
option = "continue"
expect.says = "no"
expect.categories = { 1 = "Full House" }
in.multi-link-progressive-v2.expect.refused = "5.10"
"""

MIDWAY = """
title = "In the middle of a hand"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.12"]
[table]
button = 2
orbit = 2
[seats]
2 = { player = "Ann", stake = 500, missed = "both", absent = true }
3 = { player = "Ben", stake = 500, waits = true, joins = "new" }
[now]
stage = "turn"
pot = 40
acted = ["2 bet to 30"]
earlier = { "before the flop" = ["3 call"] }
[[step]]
do = "fold"
seat = 3
expect.turn = "none"
"""


def test_the_newer_forms_fit_the_schema_and_their_mistakes_do_not():
    def fits(text: str) -> bool:
        return not problems(text, GAMES)

    assert fits(NEW_FORMS)
    assert fits(MIDWAY)
    assert not fits(NEW_FORMS.replace('"turn decision"', '"tern decision"'))
    assert not fits(NEW_FORMS.replace("rulebooks =", 'rulebook = "poker-v5"\nrulebooks ='))
    assert not fits(MIDWAY.replace("missed =", "mist ="))
    assert not fits(MIDWAY.replace('rulebook = "no-limit-holdem-v8"\n', ""))
