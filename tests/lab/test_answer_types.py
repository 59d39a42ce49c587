"""What the lab prints as JSON is what its schema says: nothing missing, nothing unsaid."""

import json

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from croupier import __version__
from croupier.cli.lab import lab
from croupier.lab.answer_types import KINDS, VERSION, schema_of
from croupier.lab.errors import LabError

STAKED = ["--stake", "5", "--reset", "1000", "--contribution", "1"]
QUESTIONS = {
    "edge": [
        ["edge", "v3", "--meter", "250000", "--bonus", "150"],
        ["edge", "v6", "--set", "ante-pays-from=flush"],
    ],
    "hand": [["hand", "v3", "Ah", "Kd", "2c", "7s", "9h", "9c"], ["hand", "v3", "7c", "2d"]],
    "strategy": [["strategy", "v6"]],
    "progressive": [
        ["progressive", "v6", "--meter", "180000"],
        ["progressive", "v3", "--meter", "180000", "--players", "4", "--reset", "5"],
        ["progressive", "v3", "--meter", "9", "--players", "4", *STAKED],
    ],
    "equity": [
        ["equity", "AhKh", "QQ", "--board", "2h 7h Jc", "--dead", "Qs"],
        ["equity", "AA", "KK", "QQ", "--sampled", "--samples", "500"],
        ["equity", "AhKh", "QdQc", "--board", "2h 7h Jc 3d", "--by-street"],
    ],
    "rake": [
        ["rake", "v8", "--percent", "5", "--cap", "30", "--big-blind", "10"],
        ["rake", "v8", "--timed", "8", "--big-blind", "10"],
    ],
    "simulation": [
        ["simulate", "v3", "--rounds", "900", "--strategy", "check"],
        ["simulate", "v3", "--rounds", "3000", "--strategy", "always", "--bonus", "5", *STAKED],
        ["simulate", "v6", "--rounds", "100", "--strategy", "check", "--boxes", "3"],
    ],
}  # fmt: skip


def closed(schema):
    """The same schema, in which what it does not name is forbidden."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    if "properties" in found:
        found.setdefault("additionalProperties", False)
    return found


def answer(words):
    result = CliRunner().invoke(lab, [*words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("kind", "words"), [(kind, words) for kind, asked in QUESTIONS.items() for words in asked]
)
def test_every_answer_fits_its_schema(kind, words):
    found = answer(words)
    assert (found["kind"], found["version"], found["croupier"]) == (kind, VERSION, __version__)
    Draft202012Validator(closed(schema_of(kind))).validate(found)


def test_a_field_that_is_not_in_the_schema_is_found_out():
    found = answer(QUESTIONS["rake"][1]) | {"further": 1}
    [error] = Draft202012Validator(closed(schema_of("rake"))).iter_errors(found)
    assert "further" in error.message


def test_every_kind_is_asked_here():
    elsewhere = {"actual", "par", "card", "known", "ruin", "sensitivity", "raked"}
    assert set(KINDS) == {*QUESTIONS, *elsewhere}, "those are asked in the tests of each"


def test_the_schema_from_the_command_line():
    listed = CliRunner().invoke(lab, ["schema"]).output
    assert all(kind in listed for kind in KINDS)
    shown = json.loads(CliRunner().invoke(lab, ["schema", "equity"]).output)
    assert shown["$defs"]["OddsOf"]["properties"]["hands"]["description"].startswith("Pairs")
    unknown = CliRunner().invoke(lab, ["schema", "odds"])
    assert unknown.exit_code == 2
    assert "there are actual, card, edge" in unknown.output
    with pytest.raises(LabError):
        schema_of("odds")


def test_a_mean_is_money_for_each_round_of_a_box_whatever_the_bet():
    words = ["simulate", "v3", "--rounds", "3000", "--strategy", "always", "--bonus", "5"]
    found = answer([*words, "--ante", "10", "--boxes", "3", *STAKED])
    for bet, unit, stake in (("main", "ante", 10), ("bonus", "bonus", 5), ("total", "ante", 10),
                             ("progressive", "progressive", 5)):  # fmt: skip
        one = found[bet]
        assert one["mean"] == pytest.approx(one["result"] / found["box_rounds"])
        assert one["per_unit"]["unit"] == unit
        for key in ("mean", "standard_deviation"):
            assert one["per_unit"][key] == pytest.approx(one[key] / stake)
    parts = ("main", "bonus", "progressive")
    for key in ("mean", "result", "staked"):
        assert found["total"][key] == pytest.approx(sum(found[bet][key] for bet in parts))
