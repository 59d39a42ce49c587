"""What a dealer enters by hand at a banked table of what lies there (5.2, 5.3, 5.12, 5.14)."""

from __future__ import annotations

from croupier.banked import BankedTable
from croupier.banked.commands import (
    NoticeBet,
    ReportChips,
    RevealDealer,
    RevealFlop,
    RevealRiver,
    RevealTurn,
    Settle,
    TableCards,
)
from croupier.cards import read_cards
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


REAL = (
    LAST_CHIPS[: LAST_CHIPS.index("[boxes]")]
    + """
shoe = "reported"
effective = 2020-01-01T08:00:00+08:00
[boxes]
1 = { player = "Ann", ante = 25 }
3 = { player = "Ben", ante = 25 }
"""
)
DEALT = ("do = 'place bets'", "do = 'close bets'", "do = 'deal hole cards'")


def steps(*given: str) -> list[DealerAct]:
    """What comes next at a table with a real shoe, after these orders."""
    text = REAL + "".join(f"[[step]]\n{each}\n" for each in (*DEALT, *given))
    _, acts = entries(text + "expect.round = 1\n")
    return [act for act in acts if act.kind in ("mend", "step")]


# 2c and 2d are the first cards of the deck, with which a step would be tried.
SEEN = "do = 'look'\nseat = 1"
ON_THE_FLOP = ("do = 'everybody plays'", "do = 'deal flop'")
TO_THE_RIVER = (
    "do = 'reveal flop'\ncards = '9h 5h 3h'",
    "do = 'everybody checks'",
    "do = 'deal turn'",
    "do = 'reveal turn'\ncards = 'Kd'",
    "do = 'everybody checks'",
    "do = 'deal river'",
    "do = 'reveal river'\ncards = 'Ks'",
    "do = 'deal dealer'",
)


def test_the_flop_can_be_turned_up_whatever_card_was_exposed():
    """5.12: play goes on, with the open card where it lies."""
    for exposed in ("boxes = { 3 = '2c' }", "community = '2d'", "burns = '2c 2d'"):
        [step] = steps(SEEN, *ON_THE_FLOP, f"do = 'report exposed'\n{exposed}")
        assert step.command == RevealFlop(), exposed


def test_a_hand_and_the_dealers_can_be_named_whatever_card_was_exposed():
    exposed = "do = 'report exposed'\nboxes = { 3 = 'Ah' }\ndealer = '2d'"
    to_the_dealer = (SEEN, *ON_THE_FLOP, *TO_THE_RIVER, exposed)
    [step] = steps(*to_the_dealer)
    assert step.command == RevealDealer()
    hands = steps(*to_the_dealer, "do = 'reveal dealer'\ncards = '2d 2c'")
    assert [act.command for act in hands] == [TableCards(box=1), TableCards(box=3)]
    assert [read_cards("Ah")[0] in act.fields[0].trial for act in hands] == [False, True]


def test_cards_that_were_shown_and_are_others_now_can_be_named_anew():
    """5.14: the card of the board was the burn, and that nobody has seen; until it is named nothing
    can be settled."""
    together = (
        "do = 'report drawn together'\n{where}",
        "do = 'decide'\ndecision = 'order of the cards'\noption = 'true order'\n"
        "details = {{ order = '2 1' }}",
        *(
            f"do = 'decide'\ndecision = {{{{ question = 'after a dealing error', of = {box} }}}}\n"
            "option = 'continue as reconstructed'"
            for box in (1, 3)
        ),
    )

    def after(where: str, *given: str) -> list[DealerAct]:
        return steps(*ON_THE_FLOP, *given, *(each.format(where=where) for each in together))

    [flop] = after("burns = ['flop']\ncommunity = [1]", TO_THE_RIVER[0])
    assert (flop.kind, flop.command) == ("mend", RevealFlop())
    assert flop.says == "Say which cards the flop has now"
    assert flop.fields[0].count == 3
    shown = (*TO_THE_RIVER, "do = 'reveal dealer'\ncards = '2d 2c'")
    for where, command in (
        ("burns = ['turn']\ncommunity = [4]", RevealTurn()),
        ("burns = ['river']\ncommunity = [5]", RevealRiver()),
        ("burns = ['river']\ndealer = [2]", RevealDealer()),
    ):
        first, *rest = after(where, *shown)
        assert (first.kind, first.command) == ("mend", command)
        assert not [act for act in rest if act.kind == "mend" or isinstance(act.command, Settle)]
