"""Secrets by which a jackpot is won, for a day on which no deck is stacked.

Each makes a deck that brings a Royal Flush to one of three boxes. A House can choose such secrets
only where no player has a seed in the mix, as here: then it makes the deck alone, and its record
does not show that it chose. The decks are what secrets and seeds make, so whoever audits them, in
whatever process, finds that they hold.

    python -m tests.house.lucky_secrets      draws secrets until it has found some more
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

from croupier.cards import DECK, Card
from croupier.house import mixing
from croupier.house.binding import Binding
from tests.house.seeded import Seeded

BOXES = 3
"""As many are usually dealt in."""
OFTEN = 0.02
"""How often a round has one of these secrets, as long as there are any: each is used once."""
ROYAL_FLUSHES = [frozenset(Card(f"{rank}{suit}") for rank in "AKQJT") for suit in "cdhs"]

SECRETS = [
    "6ad4d4c7a345f52412ff1eaec4a06f0b1cde33454022255e08864b390f233b3d",
    "4a40d3d8677f47d2152cf15ab81847cac9c51ace970fcf3fee1611cb799586c6",
    "20a9cbf6b0473adaed9b2d055054f7a2a997f098911def96c37f1c752abc6cc5",
    "48dffa7c4239c4d3009ec34b6e23b58880faa1bba05686b12cd256aa106a8660",
    "ccae7fb19cf08ba38454cbc535755eac9d7e93f990de716ea16b74ad99eecc92",
    "6e11142ec177ea710655f24c08335c8ffd0632964de767f23976e6ee5ed3b482",
    "70f08a2db2ee56030a3bd266299f0d7935aef66ac49e9754dbf61f025976956d",
    "67d9381df33397771fbf7953ee4a38040172779eecc6d40e41af59d5eaddb2ca",
    "e397926c6d9411edc1c7c308acc8b767ad91aecc6ac7c86e14f56152a13f8912",
]


def draw_lucky_secrets(
    binding: Binding, source: Seeded, chance: Random, place: str, left: list[bytes]
) -> None:
    """From now on some rounds of a table have one of the secrets that are left."""
    commit = binding._commit

    def chosen(at: str, *more: Any) -> Any:
        if at == place and left and chance.random() < OFTEN:
            source.rest = left.pop() + source.rest
        return commit(at, *more)

    binding._commit = chosen  # type: ignore[method-assign]


def deck_of(secret: bytes) -> tuple[Card, ...]:
    """The deck that a secret makes where no player has a seed."""
    bound = mixing.bound_order(secret, 0, DECK)
    key = mixing.mix_key(mixing.digest_of(secret), bound.root, [])
    return mixing.mixed(bound.cards, mixing.places_of(key, 0, len(DECK)))


def is_lucky(deck: Sequence[Card]) -> bool:
    """Whether somebody is dealt a Royal Flush from a shoe, with the board and a Hole Card."""
    burnt = 1  # before the Hole Cards; then one before the Flop, the Turn and the River
    flop = burnt + 2 * BOXES + 1
    board = {*deck[flop : flop + 3], deck[flop + 4], deck[flop + 6]}
    for box in range(BOXES):
        held = {deck[burnt + box], deck[burnt + BOXES + box]}
        if any(each <= board | held and each & held for each in ROYAL_FLUSHES):
            return True
    return False


def find(chance: Random) -> bytes:
    """One more of them."""
    while True:
        secret = chance.randbytes(mixing.SECRET_BYTES)
        if is_lucky(deck_of(secret)):
            return secret


if __name__ == "__main__":
    chance = Random("a royal flush")
    for _ in range(12):
        sys.stdout.write(f'    "{find(chance).hex()}",\n')
