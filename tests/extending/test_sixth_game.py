"""A sixth game is registered in one place, and House, server and command line do the rest.

The guide of this test is docs/extending.md, "Add a game".
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from croupier.cli.audit import audit
from croupier.cli.replays import known_equities
from croupier.house.audit.rounds import tell_round
from croupier.house.casino import Casino
from croupier.house.gaming_day import GamingDay
from croupier.house.office import commands as orders
from croupier.house.openings import Openings
from croupier.house.replays import replay_round
from croupier.house.reports.actual import rounds_of
from croupier.house.reports.day import report_day
from croupier.live.bots.true_equity import equities
from croupier.live.config import Config, read_config
from croupier.pit import read_case, run_case
from croupier.pit.registry import GAMES
from croupier.pit.replay import EVERYTHING
from croupier.table import ActorRank, player
from tests.extending import port
from tests.extending.killed import CHIPS, PLACE, STAKE, give, play_to_the_card
from tests.extending.red_or_black import BOOK, Bet, Leave, RedOrBlack, Stay
from tests.live.conftest import QUICK, AtTable, Running, running

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def registered() -> Iterator[None]:
    port.register()
    yield
    GAMES.forget(BOOK.id)


# ---- stored, killed, recovered, audited ----------------------------------------------------------


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a House left that was killed while the card lay face down."""
    folder = tmp_path_factory.mktemp("killed")
    url = f"sqlite:///{folder / 'house.sqlite3'}"
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    killed = subprocess.run(
        [sys.executable, "-m", "tests.extending.killed", url],
        env={**os.environ, "PYTHONPATH": path},
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    assert killed.returncode == -9, killed.stderr.decode()
    return folder


@pytest.fixture
def url(killed: Path, tmp_path: Path) -> str:
    """Its database, for one test alone."""
    shutil.copytree(killed, tmp_path / "killed")
    return f"sqlite:///{tmp_path / 'killed' / 'house.sqlite3'}"


@pytest.fixture
def casino(url: str) -> Iterator[Casino]:
    made = Casino.open(url)
    yield made
    made.close()


def chips(casino: Casino) -> dict[str, int]:
    return {k: v for k, v in casino.table(PLACE).holdings().items() if v}


def play_a_round(casino: Casino) -> None:
    play_to_the_card(casino)
    give(casino, Stay(seat=1), "Ann")
    for done in casino.dealer.deal(PLACE):
        done.result()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_round_that_was_cut_off_is_decided_as_its_book_says(casino: Casino):
    [recovered] = casino.recovered
    assert (recovered.place, recovered.round, recovered.outcome) == (PLACE, 1, "void")
    assert recovered.cites == ("4.1",)
    assert chips(casino) == {"chips/Ann": CHIPS}


def test_the_next_round_is_dealt_and_paid(casino: Casino):
    play_a_round(casino)
    table = casino.table(PLACE)
    assert isinstance(table, RedOrBlack)
    assert not table.playing()
    assert table.state.round == 2
    won = table.state.bank < 0
    assert chips(casino)["chips/Ann"] == CHIPS + (STAKE if won else -STAKE)
    facts = table.facts()
    assert (facts.status, facts.chips) == ("between rounds", {1: chips(casino)["chips/Ann"]})


def test_its_log_is_verified_and_told(casino: Casino, url: str):
    play_a_round(casino)
    casino.stop()
    verified = CliRunner().invoke(audit, ["verify", url])
    assert verified.exit_code == 0, verified.output
    told = CliRunner().invoke(audit, ["round", url, f"{PLACE}#2"])
    assert told.exit_code == 0, told.output
    assert "Ann (1)" in told.output


def test_its_rounds_are_told_to_the_auditor_with_every_card(casino: Casino):
    play_a_round(casino)
    casino.house.writer.flush()
    story = tell_round(casino.house.reader, PLACE, 2)
    assert story.over
    dealt = next(each for each in story.told if each.event == "card dealt")
    card = casino.table(PLACE).state.card
    assert str(card) in dealt.says or card.pretty in dealt.says
    assert set(story.paragraphs) >= {"2.1", "2.2", "3.1", "3.2", "3.3"}


def test_no_theory_is_compared_with_its_rounds(casino: Casino):
    play_a_round(casino)
    casino.house.writer.flush()
    assert list(rounds_of(casino.house.reader, GamingDay.of)) == []


def test_nobodys_hand_has_a_share_of_a_pot(casino: Casino):
    play_a_round(casino)
    casino.house.writer.flush()
    replay = replay_round(casino.house.reader, PLACE, 2, EVERYTHING)
    assert equities(replay, 1).hands == ()
    assert known_equities(replay) == {}


def test_everybody_may_open_the_card_that_was_turned_up(casino: Casino):
    play_a_round(casino)
    casino.house.writer.flush()
    openings = Openings(casino.house)
    assert openings.verify_round(PLACE, 2)
    [opened] = openings.openings_for(PLACE, 2, player("Ann"))
    assert opened.card == casino.table(PLACE).state.card


def test_it_stands_in_the_report_of_the_day(casino: Casino):
    play_a_round(casino)
    casino.house.writer.flush()
    report = report_day(casino.house.reader, GamingDay.of(datetime.now(UTC)))
    [day] = report.tables
    assert (day.rounds, day.voids, day.buy_in) == (2, 1, CHIPS)
    assert day.win == casino.table(PLACE).state.bank


def test_who_is_disabled_begins_nothing_and_may_go(casino: Casino):
    casino.dealer.call(PLACE)
    disable = orders.DisablePerson(name="Ann", reason="she asked for it")
    assert casino.tell(disable, who="administrator").refused is None
    bet = Bet(seat=1, on="red", amount=STAKE)
    refused = casino.house.carry_out(PLACE, bet, who="Ann", rank=ActorRank.PLAYER).refused
    assert refused is not None
    assert refused.says.startswith("Ann is disabled")
    give(casino, Leave(seat=1), "Ann")


# ---- shown and played over the server -----------------------------------------------------------

CONFIG = """
mode = "demonstration"
[tables.R1]
rulebook = "red-or-black"
settings = { seats = 3, least = 5, most = 50 }
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    file = tmp_path / "casino.toml"
    file.write_text(CONFIG)
    return read_config(file)


@pytest.fixture
def served(tmp_path: Path, config: Config) -> Iterator[Running]:
    with running(tmp_path, config) as made:
        yield made


def sit(served: Running, name: str, seat: int) -> AtTable:
    table = served.enter(name).at("R1")
    table.next()
    table.next()
    assert table.do(do="buy in", seat=seat, player=name, chips=5_000)["is"] == "answer"
    return table


def test_its_settings_are_read_as_money(config: Config):
    assert config.tables["R1"].settings == {"seats": 3, "least": 500, "most": 5_000}


def test_the_lobby_and_the_sign_show_it(served: Running):
    ann = served.enter("Ann")
    [table] = ann.get("/api/lobby")["tables"]
    assert (table["game"], table["rulebook"], table["seats"]) == ("red or black", "red-or-black", 3)
    assert table["limits"] == {"least": 500, "most": 5_000}
    assert ann.get("/api/rulebooks/red-or-black")["book"]["title"] == "Red or Black"
    hello = ann.at("R1").next()
    assert hello["game"] == "red or black"
    assert hello["sign"]["title"] == "Red or Black"


def test_a_round_is_played_over_sockets(served: Running):
    ann, bob = sit(served, "Ann", 1), sit(served, "Bob", 2)
    ann.until_view(lambda view: view["status"] == "bets open")
    assert ann.do(do="bet", seat=1, on="red", amount=500)["is"] == "answer"
    assert bob.do(do="bet", seat=2, on="black", amount=500)["is"] == "answer"
    for table in (ann, bob):
        table.send({"ready": True})
    seen = ann.until_view(lambda view: view["turn"] == 1)["view"]
    assert seen["card"] == "??"
    assert not any("card dealt" in str(each) and each.get("card") for each in ann.heard)
    assert bob.do(do="stay", seat=2)["is"] == "refused"
    assert ann.do(do="stay", seat=1)["is"] == "answer"
    bob.until_view(lambda view: view["turn"] == 2)
    assert bob.do(do="give up", seat=2)["is"] == "answer"
    over = bob.until_view(lambda view: view["round"] == 1 and view["status"] == "between rounds")
    assert over["view"]["card"] != "??"
    assert over["view"]["seats"]["2"]["chips"] == 4_750


def test_a_player_gives_only_what_players_may(served: Running):
    ann = sit(served, "Ann", 1)
    answer = ann.do(do="turn up")
    assert (answer["is"], answer["code"]) == ("error", "not a player's command")


def test_the_clock_acts_for_who_does_not(tmp_path: Path, config: Config):
    clocks = structs.replace(QUICK, to_act=0.1, time_bank=0, bets=0.1)
    with running(tmp_path, config, clocks=clocks) as served:
        ann = sit(served, "Ann", 1)
        ann.until_view(lambda view: view["status"] == "bets open")
        assert ann.do(do="bet", seat=1, on="red", amount=500)["is"] == "answer"
        ann.until_view(lambda view: view["status"] == "between rounds" and view["round"] == 1)
        recalled = served.enter("Onlooker").get("/api/tables/R1/rounds")["rounds"]
        [first] = [each for each in recalled if each["round"] == 1]
        assert "Ann" in first["told"]


# ---- in case files ------------------------------------------------------------------------------

CASE = """
title = "A red card pays who bet on red"
rulebook = "red-or-black"
paragraphs = ["3.3"]
card = "Ah"
[seats]
1 = { player = "Ann", chips = 5000 }

[[step]]
seat = 1
do = "bet"
on = "red"
amount = 10
[[step]]
do = "close bets"
[[step]]
seat = 1
do = "stay"
[[step]]
do = "turn up"
expect.cites = "3.3"
expect.chips = { 1 = 60 }
"""


def test_a_case_file_plays_it():
    result = run_case(read_case(CASE, "red.toml", GAMES), GAMES)
    assert not result.failures, result.failures
