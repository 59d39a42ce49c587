"""Hands there and back: PHH, OHH and PokerStars text say the same hand, or refuse it.

Random evenings at both books (Side Pots, straddles, All-ins, Rake, odd chips, posts to come in)
under names that look like anything, and real hands where the folder of `CROUPIER_HANDS` is there.
"""

from __future__ import annotations

import io
import json
import os
import random
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from croupier.cli.hands_convert import hands as command
from croupier.formats.check import Options
from croupier.formats.convert import TARGETS, Converter, difference
from croupier.formats.errors import FormatError
from croupier.formats.export_poker import poker_hands
from croupier.formats.hand import Hand
from croupier.formats.phh import read_hands, read_phh, read_raw
from croupier.formats.phh_text import split_hands
from croupier.formats.phh_write import write_phh
from tests.formats.export_logs import evening
from tests.formats.test_export import SIDE_POT
from tests.formats.test_pokerstars import exported, heads_up

WHEN = datetime(2019, 7, 11, tzinfo=UTC)
NAMES = (
    "Ann: folds",
    "Ann",
    "Ann: folds: raises $2 to $4",
    "x (button)",
    "[Ah Kd]",
    'Bob said, "all in"',
    "Seat 3: y ($5 in chips)",
    "Uncalled bet ($5) returned to Ann",
    "*** FLOP *** [2c 3c 4c]",
    "Zoë collected $5 from pot",
    "mucked [2c 2d]",
)
"""Names of players: each looks like something else."""
HOW = settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def there(hand: Hand, target: str) -> Hand:
    """The hand as the other format says it."""
    return TARGETS[target].read(Converter(target, Options(), WHEN).convert(hand))


def named(hand: Hand, rng: random.Random) -> Hand:
    names = rng.sample(NAMES, len(hand.players))
    players = [structs.replace(p, name=n) for p, n in zip(hand.players, names, strict=True)]
    return structs.replace(hand, players=tuple(players))


@HOW
@given(seed=st.integers(0, 2**32))
def test_a_hand_of_ours_goes_through_every_format_and_comes_back(seed: int):
    rng = random.Random(seed)
    felt = evening(rng, acts=60)
    currency = rng.choice(["", "AUD", "USD", "EUR", "SEK"])
    seen = 0
    for found in poker_hands(enumerate(felt.log, 1), felt.book, currency=currency):
        hand = named(found, rng)
        order = rng.sample(list(TARGETS), len(TARGETS))
        # A void hand has no place in a tracker, and chips that stay in with a Fold no words.
        if hand.voided or any(a.do == "fold" and a.by for s in hand.streets for a in s.acts):
            continue
        first = there(hand, order[0])
        assert difference(hand, first) is None, (seed, hand.number, order)
        again = there(there(first, order[1]), order[2])
        assert difference(hand, again) is None, (seed, hand.number, order)
        seen += 1
    assert seen or not felt.state.rounds


def test_every_kind_of_hand_is_among_the_evenings():
    """The test above would prove little if straddles, Side Pots and the rest were never there."""
    found: set[str] = set()
    for seed in range(40):
        felt = evening(random.Random(seed), acts=60)
        for hand in poker_hands(enumerate(felt.log, 1), felt.book):
            found |= {post.kind for post in hand.posts}
            found |= {"side pot"} if len(hand.pots) > 1 else set()
            found |= {"rake"} if hand.rake else set()
            found |= {"dead"} if any(post.dead for post in hand.posts) else set()
            found |= {"shared"} if any(len(pot.wins) > 1 for pot in hand.pots) else set()
            found |= {hand.rulebook}
    assert found >= {
        *("small blind", "big blind", "straddle", "post", "dead", "side pot", "rake", "shared"),
        *("no-limit-holdem-v8", "poker-v5"),
    }


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_what_a_format_has_no_word_for_stands_beside_it(target: str):
    hand = exported(SIDE_POT)
    assert hand.cites
    assert any(act.cites for street in hand.streets for act in street.acts)
    back = there(hand, target)
    assert difference(hand, back) is None
    assert back.cites == hand.cites
    assert back.currency == "AUD"


def test_a_hand_from_elsewhere_gets_its_pots_and_loses_them_again_on_the_way_back():
    text = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [500, 500, 500]
actions = ['d dh p1 ????', 'p3 cbr 30', 'p1 f', 'p2 f']
winnings = [0, 0, 45]
time = 11:14:00
day = 21
month = 7
year = 2009
time_zone_abbreviation = 'GMT-0910'
_mine = {a = 1.50, b = [2009-07-21, 'x: y']}
"""
    hand = read_phh(text.encode())
    converter = Converter("pokerstars", Options())
    said = converter.convert(hand).decode()
    assert "Uncalled bet (20) returned to Seat 3" in said
    assert "Total pot 25 | Rake 0" in said
    back = TARGETS["pokerstars"].read(said.encode())
    assert back == structs.replace(hand, players=back.players, streets=back.streets)
    assert write_phh(back).splitlines() == [
        line for line in write_phh(hand).splitlines() if "_beside" not in line
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("starting_stacks = [500, inf, 500]", "does not say how many chips"),
        ("blinds_or_straddles = [5, 10, -10]", "does not say whether it was live"),
        ("winnings = [0, 0, 5]", "no Rake of up to 10% explains that"),
        ("winnings = [0, 0, 0]", "does not say who won"),
    ],
)
def test_what_the_other_format_cannot_say_is_refused_with_file_and_line(
    tmp_path: Path, change: str, says: str
):
    fields = {
        "variant": "'NT'",
        "antes": "[0, 0, 0]",
        "blinds_or_straddles": "[5, 10, 0]",
        "min_bet": "10",
        "starting_stacks": "[500, 500, 500]",
        "actions": "['p3 cbr 30', 'p1 f']",
        "winnings": "[0, 0, 25]",
    }
    name, _, value = change.partition(" = ")
    bad = fields | {name: value}
    good = fields | {"actions": "['p3 cbr 30', 'p1 f', 'p2 f']"}
    text = "".join(
        f"[{n}]\n" + "".join(f"{k} = {v}\n" for k, v in each.items()) + "\n"
        for n, each in enumerate((good, bad), 1)
    )
    (tmp_path / "two.phhs").write_text(text, encoding="utf-8")
    out = tmp_path / "out.txt"
    arguments = ["convert", str(tmp_path / "two.phhs"), "--to", "pokerstars", "-o", str(out)]
    ran = CliRunner().invoke(command, [*arguments, "--at", "2019-07-11", "--json"])
    report = json.loads(ran.output)
    assert ran.exit_code == 1, ran.output
    assert (report["written"], report["refused"]) == (1, 1)
    [refusal] = report["refusals"]
    assert says in refusal["says"]
    assert refusal["file"].endswith("two.phhs")
    assert refusal["place"].startswith("line 1")
    assert out.read_text(encoding="utf-8").count("PokerStars Hand #") == 1


def test_a_folder_becomes_a_folder_and_nothing_is_written_over(tmp_path: Path):
    source = tmp_path / "in" / "deep"
    source.mkdir(parents=True)
    (source / "a.phh").write_text(write_phh(heads_up()), encoding="utf-8")
    (tmp_path / "in" / "README.txt").write_text("not a hand\n", encoding="utf-8")
    out = tmp_path / "out"
    arguments = ["convert", str(tmp_path / "in"), "--to", "ohh", "-o", str(out)]
    ran = CliRunner().invoke(command, arguments)
    assert ran.exit_code == 0, ran.output
    assert [str(p.relative_to(out)) for p in out.rglob("*.*")] == [str(Path("deep/a.ohh"))]
    back = tmp_path / "back.phhs"
    ran = CliRunner().invoke(command, ["convert", str(out), "--to", "phh", "-o", str(back)])
    assert ran.exit_code == 0, ran.output
    [hand] = read_hands(io.BytesIO(back.read_bytes()))
    assert isinstance(hand, Hand)
    assert difference(read_phh(write_phh(heads_up()).encode()), hand) is None
    again = CliRunner().invoke(command, arguments)
    assert again.exit_code == 2
    assert "there already" in again.output
    assert not list(out.rglob("*.part"))


def test_files_of_one_name_are_refused_before_anything_is_written(tmp_path: Path):
    text, out = write_phh(heads_up()), tmp_path / "out"
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.phh").write_text(text, encoding="utf-8")
    named = [str(tmp_path / folder / "a.phh") for folder in ("one", "two")]
    ran = CliRunner().invoke(command, ["convert", *named, "--to", "ohh", "-o", str(out)])
    assert ran.exit_code == 2
    assert f"so would those of {named[0]}" in " ".join(ran.output.split())
    assert not list(out.rglob("*"))


def test_a_file_of_another_name_is_read_as_what_is_said(tmp_path: Path):
    file = tmp_path / "night.log"
    text = Converter("pokerstars", Options()).convert(heads_up())
    file.write_bytes(text)
    out = tmp_path / "night.phhs"
    arguments = ["convert", str(file), "--from", "pokerstars", "--to", "phhs", "-o", str(out)]
    ran = CliRunner().invoke(command, arguments)
    assert ran.exit_code == 0, ran.output
    assert b"players = ['Ben', 'Ann']" in out.read_bytes()


# -- hands that were really played -----------------------------------------------------------------


@pytest.mark.parametrize("target", ["ohh", "pokerstars"])
@pytest.mark.parametrize(
    ("archive", "every"),
    [
        ("handhq-ong.zip", 400),
        ("handhq-pty.zip", 400),
        ("pluribus.zip", 100),
        pytest.param("handhq-ong.zip", 5, marks=pytest.mark.slow),
        pytest.param("handhq-pty.zip", 5, marks=pytest.mark.slow),
        pytest.param("pluribus.zip", 1, marks=pytest.mark.slow),
    ],
)
def test_recorded_hands_come_back_as_they_were(archive: str, every: int, target: str):
    folder = os.environ.get("CROUPIER_HANDS")
    if not folder:
        pytest.skip("CROUPIER_HANDS names no folder with recorded hands")
    converter = Converter(target, Options(), WHEN)
    number = seen = refused = 0
    with zipfile.ZipFile(Path(folder) / archive) as opened:
        for name in sorted(opened.namelist()):
            if not name.endswith((".phh", ".phhs")):
                continue
            for raw in split_hands(io.BytesIO(opened.read(name))):
                number += 1
                if number % every:
                    continue
                hand = read_raw(raw)
                try:
                    said = converter.convert(hand)
                except FormatError:
                    refused += 1
                    continue
                when = hand.time or WHEN
                back = TARGETS[target].read(said)
                assert difference(structs.replace(hand, time=when), back) is None, (name, number)
                seen += 1
    assert seen >= 40
    assert refused <= seen * 7 // 100
