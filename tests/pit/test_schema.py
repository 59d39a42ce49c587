"""The JSON Schema of case files knows what the reader knows."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from croupier.pit import GAMES, case_schema, shipped_cases
from tests.pit.high_card import REGISTRY

SMALL = sorted((Path(__file__).parent / "cases").glob("*.toml"))


def problems(text: str, registry) -> list[str]:
    """What a validator that knows only the schema says of a case file."""
    schema = case_schema(registry)
    jsonschema.Draft202012Validator.check_schema(schema)
    case = json.loads(json.dumps(tomllib.loads(text), default=str))
    found = jsonschema.Draft202012Validator(schema).iter_errors(case)
    return [error.message for error in found]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_the_cases_of_the_small_game_fit_the_schema(path):
    assert problems(path.read_text(), REGISTRY) == []


def check(sources) -> None:
    validator = jsonschema.Draft202012Validator(case_schema(GAMES))
    for source, text in sources:
        case = json.loads(json.dumps(tomllib.loads(text), default=str))
        assert [error.message for error in validator.iter_errors(case)] == [], source


def test_some_of_the_shipped_cases_fit_the_schema():
    check(list(shipped_cases())[::50])


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
