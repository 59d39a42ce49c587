"""Who paid the Rake: out of what was won, and by what was put in."""

import json
from fractions import Fraction

from click.testing import CliRunner
from jsonschema import Draft202012Validator
from msgspec import structs

from croupier.cli.lab import lab
from croupier.formats.hand import Pot
from croupier.formats.phh import read_phh
from croupier.formats.rake_paid import rake_paid
from croupier.lab.answer_types import schema_of
from tests.formats.records import COLLECTION, HEADS_UP, SHOWDOWN, WALK
from tests.lab.test_answer_types import closed


def hand(text):
    return read_phh(text.encode())


def test_the_winner_pays_and_everybody_contributed():
    """350 in the pots, 340 won: p1 and p3 put in 170 each, the Big Blind 10."""
    total = rake_paid([hand(SHOWDOWN)])
    assert (total.hands, total.raked, total.rake) == (1, 1, 1000)
    first, blind, third = total.seats.values()
    assert (first.paid, blind.paid, third.paid) == (1000, 0, 0)
    assert first.contributed == third.contributed == Fraction(1000 * 170, 350)
    assert blind.contributed == Fraction(1000 * 10, 350)
    assert first.big_blinds == 1
    assert (first.put_in, first.won) == (17_000, 34_000)


def test_what_nobody_called_is_in_no_pot():
    """The walk: 5 of the Big Blind go back, 10 are in the pot and won, no Rake."""
    total = rake_paid([hand(WALK)])
    assert (total.rake, total.raked, total.hands) == (0, 0, 1)
    assert {name: seat.put_in for name, seat in total.seats.items()} == {
        "Ann": 500, "Bob": 500, "Cyn": 0,
    }  # fmt: skip
    assert total.seats["Bob"].won == 1000


def test_pots_say_it_themselves():
    split = structs.replace(
        hand(SHOWDOWN),
        pots=(Pot(amount=35_000, rake=1000, seats=(1, 3), wins={1: 8500, 3: 25_500}),),
    )
    total = rake_paid([split, split])
    paid = [seat.paid for seat in total.seats.values()]
    assert paid == [2 * Fraction(1000, 4), 0, 2 * Fraction(3000, 4)]
    assert total.rake == 2000


def test_a_hand_without_a_result_is_counted_and_not_guessed_at():
    bare = hand(SHOWDOWN)
    players = tuple(structs.replace(p, finishing=None, winnings=None) for p in bare.players)
    total = rake_paid([structs.replace(bare, players=players), hand(HEADS_UP)])
    assert (total.without_result, total.hands) == (1, 1)


def test_more_than_a_room_keeps_is_no_rake():
    """350 in the pots: 35 may be missing, 35.01 not, unless the record says that it is the Rake."""
    won = hand(SHOWDOWN)
    first, *others = (structs.replace(player, winnings=None) for player in won.players)

    def missing(cents, **stated):
        less = structs.replace(first, finishing=first.finishing - cents)
        return rake_paid([structs.replace(won, players=(less, *others), **stated)])

    assert missing(2500).rake == 3500
    assert (missing(2501).without_result, missing(2501).hands) == (1, 0)
    assert missing(2501, rake=3501).rake == 3501


def test_winnings_hold_what_nobody_called_where_only_that_adds_up():
    """The walk: 10 in the pot and 5 back. A record of 15 won holds both; one of 9.50 is raked."""
    walk = hand(WALK)

    def winning(cents):
        players = [structs.replace(p, finishing=None, winnings=0) for p in walk.players]
        players[1] = structs.replace(players[1], winnings=cents)
        return rake_paid([structs.replace(walk, players=tuple(players))])

    assert winning(1500).seats["Bob"].won == winning(1000).seats["Bob"].won == 1000
    assert (winning(950).rake, winning(1450).rake) == (50, 50)
    assert winning(1200).without_result == winning(500).without_result == 1


def test_from_the_command_line(tmp_path):
    (tmp_path / "a.phhs").write_text(COLLECTION, encoding="utf-8")
    (tmp_path / "b.phh").write_text("no hand", encoding="utf-8")
    result = CliRunner().invoke(lab, ["raked", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert (answer["kind"], answer["hands"], answer["rake"]) == ("raked", 3, 10.0)
    assert answer["unreadable"] == 1
    Draft202012Validator(closed(schema_of("raked"))).validate(answer)
    assert sum(seat["paid"] for seat in answer["seats"]) == 10.0
    text = CliRunner().invoke(lab, ["raked", str(tmp_path), "--top", "1"]).output
    assert "3 hands, 1 with a Rake of 10.00 in all" in text
    assert "seats more" in text
    empty = tmp_path / "empty"
    empty.mkdir()
    assert CliRunner().invoke(lab, ["raked", str(empty)]).exit_code == 2
