"""A House with a table of the sixth game, killed in the middle of a round. Run as a program."""

from __future__ import annotations

import os
import signal
import sys

from croupier.house.casino import Casino
from croupier.house.office.commands import AddTable
from croupier.table import ActorRank, Command
from tests.extending import port
from tests.extending.red_or_black import Bet, BuyIn

PLACE = "R1"
CHIPS = 5_000
STAKE = 1_000


def give(casino: Casino, command: Command, who: str) -> None:
    """A player's command, which must be accepted and durable."""
    answer = casino.house.carry_out(PLACE, command, who=who, rank=ActorRank.PLAYER)
    assert answer.refused is None, answer.refused


def play_to_the_card(casino: Casino) -> None:
    """A round up to where the card lies face down and Ann is to act."""
    casino.dealer.call(PLACE)
    give(casino, Bet(seat=1, on="red", amount=STAKE), "Ann")
    casino.dealer.call(PLACE)
    for done in casino.dealer.deal(PLACE):
        done.result()


def main() -> None:
    """Set the table up, play, and die."""
    port.register()
    casino = Casino.open(sys.argv[1])
    casino.open_account("Ann")
    casino.cash_in("Ann", CHIPS)
    adding = AddTable(table=PLACE, rulebook="red-or-black", settings={}, reason="a new game")
    assert casino.add_table(adding).refused is None
    give(casino, BuyIn(seat=1, player="Ann", chips=CHIPS), "Ann")
    play_to_the_card(casino)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
