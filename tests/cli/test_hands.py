"""`croupier hands`: a refusal names the players of the record and marks the step it falls on."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.hands import hands
from croupier.cli.hands_refused import by_player, line_of_step
from croupier.formats.phh import read_phh

HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [
  'd dh p1 AcKc', 'd dh p2 QdQh', 'd dh p3 7s2d',
  'p3 cbr 6', 'p1 cc', 'p2 cc', 'd db 2c8hJd', 'p1 cc', 'p3 cbr 20',
]
finishing_stacks = [194, 194, 212]
"""
NAMES = "players = ['Ann', 'Ben', 'Cyd']\n"


@pytest.mark.parametrize(("more", "turn"), [("", "player 2's turn"), (NAMES, "Ben's turn")])
def test_the_refused_step_is_marked_and_the_player_named(tmp_path: Path, more: str, turn: str):
    file = tmp_path / "one.phh"
    file.write_text(HAND + more, encoding="utf-8")
    shown = CliRunner().invoke(hands, ["show", str(file)], env={"COLUMNS": "200"})
    [marked] = [line for line in shown.output.splitlines() if "✗" in line]
    assert "bets 20" in marked
    assert "(seat 3)" in marked or "Seat 3" in marked
    assert f"step 6: It is {turn}" in shown.output
    checked = CliRunner().invoke(hands, ["check", str(file)], env={"COLUMNS": "200"})
    assert "It is player 2's turn" in checked.output
    assert "in 1 file\n" in checked.output
    told = json.loads(CliRunner().invoke(hands, ["check", "--json", str(file)]).output)
    assert told["refusals"][0]["says"] == "It is player 2's turn."


def test_seats_of_the_table_are_players_of_the_record():
    assert by_player("Seat 2 is not in the round.") == "Player 2 is not in the round."
    assert by_player("Only seat 3, left of it.", ["Ann", "", ""]) == "Only player 3, left of it."
    assert by_player("It is seat 1's turn.", ["Ann"]) == "It is Ann's turn."


def test_every_step_has_its_line():
    hand = read_phh(HAND.encode())
    # Two posts stand before the first act; the flop is a step of its own.
    assert [line_of_step(hand, f"step {n}") for n in range(1, 8)] == [
        *((0, 2), (0, 3), (0, 4)),
        *((1, 0), (1, 1), (1, 2)),
        None,
    ]
    assert line_of_step(hand, "before the deal") is None
