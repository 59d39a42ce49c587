"""What a dealer enters by hand at a banked table of what lies there (5.2, 5.3)."""

from __future__ import annotations

from croupier.banked import BankedTable
from croupier.banked.commands import NoticeBet, ReportChips
from croupier.pit.case import read_case
from croupier.pit.ports.banked_dealer import dealer_acts
from croupier.pit.ports.dealer_acts import DealerAct, entries_now
from croupier.pit.registry import GAMES
from croupier.pit.runner import stage_case
from croupier.table import ActorRank
from tests.banked.two_tables import EVENING

LAST_CHIPS = """
title = "Fifteen are left"
rulebook = "multi-link-progressive-v3"
paragraphs = ["5.3.2"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
dealing = "by-hand"
acting = "seen"
[boxes]
1 = { player = "Ann", ante = 25, chips = 90 }
[[step]]
do = "play to flop"
expect.status = "turn decision"
"""


def entries(text: str) -> tuple[BankedTable, list[DealerAct]]:
    pit, _ = stage_case(read_case(text, "entries", GAMES), GAMES)
    (table,) = pit.tables.values()
    assert isinstance(table, BankedTable)
    return table, entries_now(table, dealer_acts(table), ActorRank.DEALER, EVENING)


def test_less_than_the_ante_can_be_entered_as_it_lies():
    """Of 90 chips 15 are left; on the Turn they count as 15 (5.3.2)."""
    _, acts = entries(LAST_CHIPS)
    [seen] = [act for act in acts if isinstance(act.command, ReportChips)]
    assert seen.says == "Chips as they lie"
    assert seen.fields[0].values == ("turn",)


SPOTS = LAST_CHIPS[: LAST_CHIPS.index("[[step]]")].replace(", ante = 25, chips = 90", "")


def noticed(*spots: str) -> list[str]:
    """The spots of which the dealer may say so, where these chips lie at the only box."""
    text = SPOTS + '[[step]]\ndo = "call for bets"\n'
    for spot in spots:
        bet, amount = spot.split()
        text += f'[[step]]\ndo = "report chips"\nbox = 1\nbet = "{bet}"\namount = {amount}\n'
    _, acts = entries(text + "expect.round = 1\n")
    return [act.command.bet for act in acts if isinstance(act.command, NoticeBet)]


def test_a_bet_of_the_wrong_size_or_without_an_ante_can_be_noticed():
    assert noticed("ante 24") == ["ante"]
    assert noticed("ante 25") == []
    assert noticed("ante 500", "bonus 500") == []
    assert noticed("ante 501", "bonus 4") == ["ante", "bonus"]
    assert noticed("progressive 5") == ["progressive"]
    assert noticed("progressive 5", "ante 25") == []
