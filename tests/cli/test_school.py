"""`croupier school`: exercises at the terminal."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier
from croupier.school import make_exercise

POTS = "side pots/1"


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(croupier, ["school", *arguments], input=typed)


def keys(seed: str, count: int, *, right: bool = True) -> str:
    """What is typed to answer the exercises of a seed."""
    typed = ""
    for number in range(1, count + 1):
        exercise = make_exercise("no-limit-holdem-v8", POTS, 1, f"{seed}/{number}")
        for part in exercise.parts:
            turn = 0 if right else 1
            typed += f"{(part.right + turn) % len(part.choices) + 1}\n"
    return typed


def test_right_answers_end_with_status_nothing():
    result = run("--item", POTS, "--seed", "7", "--count", "2", typed=keys("7", 2))
    assert result.exit_code == 0, result.output
    assert result.output.count("Right.") == 2
    assert "2 of 2 right. The same again: --seed 7" in result.output


def test_a_wrong_answer_is_told_with_the_right_one_and_what_it_would_have_done():
    result = run("--item", POTS, "--seed", "7", "--count", "1", typed=keys("7", 1, right=False))
    assert result.exit_code == 1
    assert "Wrong." in result.output
    assert "Right is: Main Pot" in result.output
    assert "Yours:" in result.output
    assert "0 of 1 right" in result.output


def test_the_answers_are_shown_where_one_wants_to_read_them():
    result = run("--kind", "hand", "--seed", "1", "--count", "2", "--show")
    assert result.exit_code == 0
    assert result.output.count("✓") == 2
    assert result.output == run("--kind", "hand", "--seed", "1", "--count", "2", "--show").output


def test_what_can_be_learned_is_listed():
    result = run("--list", "--book", "v3", "--kind", "payout")
    assert result.exit_code == 0
    assert "payout/win" in result.output
    assert "ruling/" not in result.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--kind", "payout"], "there is ruling, wager, hand"),
        (["--item", "nothing"], "has no item 'nothing'; `croupier school --list` names them"),
        (["--level", "4"], "4 is not in the range 1<=x<=3"),
        (["--count", "0"], "0 is not in the range"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: list[str], says: str):
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.output


def test_whoever_gives_up_gets_no_traceback():
    result = run("--item", POTS, "--seed", "7", typed="")
    assert result.exit_code == 1
    assert "Aborted" in result.output
