"""One port for a game: every port says what it must, and nobody outside asks for the family."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import croupier.banked
import croupier.poker
from croupier.pit.ports.port import GamePort
from croupier.pit.registry import GAMES
from croupier.poker.commands import Leave, Sit
from croupier.poker.irregularities.commands import ReportExposedInCut
from croupier.table import ActorRank, Command, Decide, Event
from tests.poker.conftest import Felt

SOURCE = Path(croupier.poker.__file__).parents[1]
FLOORS = ("house", "live", "formats", "cli")
NAMES = frozenset(game.name for game in GAMES.games.values())
OF_A_FAMILY = frozenset({*croupier.poker.__all__, *croupier.banked.__all__})
"""The table, view, state and settings of each family, and what lies in them."""


def asks_for_the_family(tree: ast.AST) -> Iterator[int]:
    """The lines that find out which family something is of."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                named = {n.id for n in ast.walk(kinds) if isinstance(n, ast.Name)}
                named |= {n.attr for n in ast.walk(kinds) if isinstance(n, ast.Attribute)}
                if named & OF_A_FAMILY:
                    yield node.lineno
            case ast.MatchClass(cls=ast.Name(id=name) | ast.Attribute(attr=name)):
                if name in OF_A_FAMILY:
                    yield node.lineno
            case ast.Compare(left=left, comparators=[right]):
                sides = [isinstance(s, ast.Attribute) and s.attr == "family" for s in (left, right)]
                named = any(isinstance(s, ast.Constant) and s.value in NAMES for s in (left, right))
                if named or (any(sides) and not all(sides)):  # two books may be of one family
                    yield node.lineno
            case ast.Subscript(slice=ast.Attribute(attr="family")):
                yield node.lineno
            case ast.Match(subject=ast.Attribute(attr="family")):
                yield node.lineno


@pytest.mark.parametrize("floor", FLOORS)
def test_nobody_asks_which_family_a_table_is(floor: str):
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted((SOURCE / floor).rglob("*.py"))
        for line in asks_for_the_family(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "asks",
    [
        "isinstance(table, PokerTable)",
        "isinstance(view, PokerView | BankedView)",
        "isinstance(table, poker.PokerTable)",
        "match table:\n    case BankedTable():\n        pass",
        "book.family == 'poker'",
        "'banked' == GAMES.games[book.id].name",
        "SETTINGS[book.family]",
        "match book.family:\n    case 'poker':\n        pass",
    ],
)
def test_it_would_be_seen(asks: str):
    assert list(asks_for_the_family(ast.parse(asks)))


def test_two_books_may_be_compared():
    assert not list(asks_for_the_family(ast.parse("old.family != new.family")))


def test_the_import_contract_names_every_module_of_a_family():
    """What a family has in `pit` is its own affair; House and server may not import it."""
    text = (SOURCE.parents[1] / "pyproject.toml").read_text("utf-8")
    contracts = {
        each["id"]: each for each in tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    }
    named = {
        "croupier." + ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        for path in (SOURCE / "pit").rglob("*.py")
        if path.stem.partition("_")[0] in ("poker", "banked")
    }
    assert len(named) > 10
    assert named <= set(contracts["one-port"]["forbidden_modules"])


PORTS = {game.name: game for game in GAMES.games.values()}


@pytest.mark.parametrize("name", PORTS)
def test_a_port_speaks_of_commands_and_events_of_its_own_game(name: str):
    game = PORTS[name]
    port: GamePort[Any] = game.port
    commands: set[type[Command]] = set(game.table_type.whole.commands)
    assert {*port.begins, *port.sits, *port.enters, *port.leaves, *port.seen} <= commands
    events: set[type[Event]] = set(game.table_type.whole.events)
    said = {*port.round_begins, *port.round_ends, *port.outcomes}
    assert said | {*port.voids, *port.misdeals, *port.rulings} <= events
    assert all("round" in event.__struct_fields__ for event in port.round_begins)
    assert all(kind.players_may for kind in (*port.sits, *port.enters, *port.leaves))
    assert not any(kind.players_may for kind in (*port.begins, *port.seen))


def test_a_book_is_registered_once():
    book = GAMES.load("poker-v5")
    with pytest.raises(ValueError, match="already"):
        GAMES.register(book, GAMES.games["poker-v5"])


def test_nothing_is_offered_in_a_misdeal_that_would_be_refused():
    """The deck is made ready again in the midst of the round: nobody may leave it (v8 5.3.6)."""
    felt = Felt().sit(s1=500, s2=500, s3=500).start(button=1)
    port = GAMES.port_of(felt.table)
    assert [offer.do for offer in port.stands(felt.table, "player 2", said_ready=False).offers] == [
        "leave"
    ]
    felt.call()
    felt.must(ReportExposedInCut(), rank=ActorRank.DEALER)
    confirm = Decide(decision=felt.state.waiting[-1].decision, option="confirm")
    felt.must(confirm, rank=ActorRank.PIT_SUPERVISOR)
    assert (felt.table.playing(), felt.state.phase) == (True, "cutting")
    assert port.stands(felt.table, "player 2", said_ready=False).offers == ()


def test_sitting_down_is_not_offered_while_it_is_asked_whether_one_may_come_back_with_less():
    felt = Felt().sit(s1=500, s2=500, s3=500).start(button=1)
    port = GAMES.port_of(felt.table)
    felt.must(Leave(seat=3))
    [sit] = port.stands(felt.table, "player 3", said_ready=False).offers
    assert sit.do == "sit"
    felt.must(Sit(seat=3, player="player 3", stake=20_000))
    assert port.stands(felt.table, "player 3", said_ready=False).offers == ()
    refuse = Decide(decision=felt.state.waiting[-1].decision, option="refuse")
    felt.must(refuse, rank=ActorRank.SHIFT_MANAGER)
    assert port.stands(felt.table, "player 3", said_ready=False).offers == (sit,)
