"""Every command, with who may give it: a player for himself, or only staff and the House.

The list is written out, so that a new command is seen here by whoever reads the change. Which rank
of the staff, the tables and the office check themselves.
"""

from __future__ import annotations

from typing import ClassVar

import pytest

from croupier.banked import BankedTable
from croupier.house.office import Office
from croupier.house.permissions import NOT_HIS, players_own
from croupier.house.shuffle_book import ShuffleBook
from croupier.jackpot import JackpotLink
from croupier.poker import PokerTable
from croupier.table import Command, Conversation

POKER_PLAYERS = """
    all in, bet, call, check, decide, decline straddle, divide pot, fold, leave, look, muck,
    post blind, raise, reduce stake, return to seat, show hand, sit, sit out, straddle, top up
"""
POKER_STAFF = """
    burn, call for blinds, collect timed rake, cut, deal again, deal flop, deal for button, deal
    hole cards, deal river, deal turn, flip marker, give draw, give shuffle, open table, place
    all in button, place button, post blinds, relocate, report deck, report early cards, report
    exposed, report exposed in cut, report foreign card, report interruption, report
    irregularity, report missing burn, report missing cards, report shoe, report shown, report
    skipped, report surplus cards, report unprepared, report wager, report wrong count, report
    wrong deal, settle, show hands, shuffle, start game, turn up, undo ruling
"""

BANKED_PLAYERS = """
    accept notice, add chips, check, claim misplaced bet, decide, flop bet, fold, leave, look,
    place ante, place bonus, place progressive, refuse to show, river bet, sit, table cards,
    turn bet, withdraw bet
"""
BANKED_STAFF = """
    call for bets, call for ruling, close bets, collect cards, deal community, deal dealer, deal
    flop, deal hole cards, deal river, deal turn, give draw, give shuffle, hand over, hear
    fault, hear link closed, hear link reopened, hear repair, notice bet, open table, receive
    award, record claim, reopen table, report cards gone, report chips, report dealing error,
    report deck count, report drawn together, report exposed, report extra look, report face up
    card, report foreign card, report interruption, report jackpot fault, report jackpot
    repaired, report missed burn, report not enough cards, report not shuffled, report walk
    away, report wrong count, report wrong deal, reveal dealer, reveal flop, reveal river,
    reveal turn, settle, take fixed line, undo ruling
"""

LINK_PLAYERS = """decide"""
LINK_STAFF = """
    approve, close link, forget amount, give draw, give shuffle, join table, open link, pay
    awards again, pay claims, propose correction, propose parameters, propose rulebook, propose
    termination, reconcile, register amount, remove table, reopen link, repair link, report link
    fault, return stakes, show display, take awards back, take claims, take stakes
"""

OFFICE_PLAYERS = """decide"""
OFFICE_STAFF = """
    add link, add table, announce last round, answer report, approve correction, assign
    staff, call player, cancel slip, cash in, cash out, change role, change setting, close
    day, close session, close table, count drop, count inventory, disable, disable person,
    drop second factor, enable, enable person, end assignment, file dispute, found house,
    fund bank, give approval, give draw, give shuffle, go off duty, go on duty, hire
    staff, hold table, join waiting list, keep hold, leave waiting list, make archive,
    move place, note clock set back, note copy alarm, note copy begun, note dealer, note
    failed login, note files checked, note pin, note restored, note rulebook, note seated,
    note start, note stop, open account, open dispute, open session, order credit, order
    fill, pass name, pay unclaimed, propose approval, propose correction, read out ruling,
    release hold, relocate player, renew copy, report player, say, set clocks, set
    licence, set own limit, set password, set pin, set second factor, settle dispute, sign
    slip, stay away, take cash, take hold, transfer, unlock, witness award
"""
SHUFFLES_STAFF = "commit, commit secret, give draw, give shuffle, mix draw, mix shuffle"

LISTED: tuple[tuple[type[Conversation], str, str], ...] = (
    (PokerTable, POKER_PLAYERS, POKER_STAFF),
    (BankedTable, BANKED_PLAYERS, BANKED_STAFF),
    (JackpotLink, LINK_PLAYERS, LINK_STAFF),
    (Office, OFFICE_PLAYERS, OFFICE_STAFF),
    (ShuffleBook, "decide", SHUFFLES_STAFF),
)


def words(text: str) -> list[str]:
    return " ".join(text.split()).split(", ")


@pytest.mark.parametrize(
    ("kind", "players", "staff"), LISTED, ids=lambda v: getattr(v, "__name__", "")
)
def test_who_may_give_each_command(kind: type[Conversation], players: str, staff: str):
    found: dict[bool, list[str]] = {True: [], False: []}
    for command in kind.whole.commands:
        found[command.players_may].append(str(command.__struct_config__.tag))
    assert sorted(found[True]) == words(players)
    assert sorted(found[False]) == words(staff)


def test_a_command_that_does_not_say_who_may_give_it_is_an_error():
    with pytest.raises(TypeError, match="must state players_may"):

        class Whisper(Command, frozen=True):
            pass


def test_a_command_does_not_take_it_from_the_one_that_it_is_made_from():
    class Say(Command, frozen=True):
        players_may: ClassVar[bool] = True

    with pytest.raises(TypeError, match="must state players_may"):

        class Shout(Say, frozen=True):
            pass


def test_what_players_may_not_give_is_turned_away():
    class Order(Command, frozen=True):
        players_may: ClassVar[bool] = False

    objection = players_own("Ann", Order())
    assert objection is not None
    assert objection.code == NOT_HIS
