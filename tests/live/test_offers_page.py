"""The table of offers in docs/protocol.md: complete, and its commands can be given."""

import json
import re
from pathlib import Path

import pytest

from croupier.banked import BankedTable
from croupier.poker import PokerTable

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "docs" / "protocol.md").read_text().split("## The offers\n")[1].split("\n## ")[0]
ROW = re.compile(r"^\| `([a-z ]+)` \| `(\{.*?\})`", re.MULTILINE)
GAMES = {"poker": PokerTable, "banked": BankedTable}
FILLED = {"bet": ("ante", "bonus", "progressive"), "window": ("flop", "turn", "river")}


def rows(game: str) -> dict[str, str]:
    """Each offer on the page with its command."""
    table = SECTION.split(f"| {game} | the command |")[1].split("\n\n")[0]
    return dict(ROW.findall(table))


def offered(game: str) -> set[str]:
    """Every `do` that the code of a game puts into an offer."""
    source = "".join(path.read_text() for path in (ROOT / "src/croupier" / game).glob("*.py"))
    found: set[str] = set()
    for said in re.findall(r"\bOffer\(do=f?\"([^\"]+)\"", source):
        blank = re.search(r"\{(\w+)\}", said)
        words = FILLED[blank[1]] if blank else ("",)
        found |= {said.replace(blank[0], word) if blank else said for word in words}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_page_names_every_offer(game: str):
    written = set(rows(game))
    if game == "poker":  # which of the two it is the table says by a variable
        assert {"bet", "raise"} <= written
        written -= {"bet", "raise"}
    assert written == offered(game)


@pytest.mark.parametrize("game", GAMES)
def test_its_commands_are_commands_of_the_game(game: str):
    for offer, command in rows(game).items():
        GAMES[game].read_command(command)
        assert json.loads(command)["do"] in (offer, "withdraw bet")
