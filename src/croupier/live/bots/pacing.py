"""How long a bot takes: as a person does, longer where much is at stake, never out of time, and as
long with good cards as with bad ones."""

from __future__ import annotations

from random import Random

from croupier.live.bots.bot import Thought
from croupier.live.bots.temperaments import Temperament
from croupier.live.config import Clocks
from croupier.table import Look

LEAST, MORE = 0.7, 4.0
"""Seconds for what needs no thought, and how many more the hardest decision takes."""
GLANCE = 0.4
"""Seconds for looking at one's cards."""
SPREAD = 0.35
UNWATCHED = 6.0
"""Where nobody looks on, everything takes so many times as long."""
OF_THE_CLOCK = 0.6
"""At most this part of the time to act."""


def takes(
    thought: Thought, temperament: Temperament, clocks: Clocks, chance: Random, *, watched: bool
) -> float:
    """Seconds until the bot gives the command that it has in mind."""
    if thought.at_once:
        return 0.0
    if isinstance(thought.command, Look):
        seconds = GLANCE
    else:
        seconds = LEAST + MORE * thought.hard**1.5
    seconds *= chance.lognormvariate(0.0, SPREAD) * temperament.tempo
    if not watched:
        seconds *= UNWATCHED
    return min(seconds * clocks.pace, OF_THE_CLOCK * clocks.to_act)
