"""Secrets by which a jackpot is won, for a day on which no deck is stacked.

Each makes a deck that brings a Royal Flush to one of so many boxes. A House can choose such secrets
only where no player has a seed in the mix, as here: then it makes the deck alone, and its record
does not show that it chose. The decks are what secrets and seeds make, so whoever audits them, in
whatever process, finds that they hold.

Which cards a box is dealt depends on how many there are, and that is not known when the House
commits. So there are secrets for each number, and the one is taken that fits whoever sits there by
then. It may still be in vain: somebody folds, has no jackpot bet, or the round is void. Where none
is left, one more is drawn, which takes some seconds of the processor.

    python -m tests.house.lucky_secrets      draws secrets until it has found some more
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from croupier.cards import DECK, Card
from croupier.house import mixing
from croupier.house.binding import Binding
from tests.house.seeded import Seeded

OFTEN = 0.05
"""How often a round has one of these secrets, as long as one is wanted: each is used once."""
ROYAL_FLUSHES = [frozenset(Card(f"{rank}{suit}") for rank in "AKQJT") for suit in "cdhs"]

SECRETS = {
    3: (
        "6ad4d4c7a345f52412ff1eaec4a06f0b1cde33454022255e08864b390f233b3d",
        "4a40d3d8677f47d2152cf15ab81847cac9c51ace970fcf3fee1611cb799586c6",
        "20a9cbf6b0473adaed9b2d055054f7a2a997f098911def96c37f1c752abc6cc5",
        "48dffa7c4239c4d3009ec34b6e23b58880faa1bba05686b12cd256aa106a8660",
        "ccae7fb19cf08ba38454cbc535755eac9d7e93f990de716ea16b74ad99eecc92",
        "6e11142ec177ea710655f24c08335c8ffd0632964de767f23976e6ee5ed3b482",
        "70f08a2db2ee56030a3bd266299f0d7935aef66ac49e9754dbf61f025976956d",
        "67d9381df33397771fbf7953ee4a38040172779eecc6d40e41af59d5eaddb2ca",
        "e397926c6d9411edc1c7c308acc8b767ad91aecc6ac7c86e14f56152a13f8912",
    ),
    4: (
        "0c1c92e21d4eaa3490b4a4e85972ea9f7fc2bdd952ad8ebefb4d7904c8e1c755",
        "96f7bdccc48c9892096f4eabbde0851a1c75d04ba47e3d280e6b0ee47e57b492",
        "2ed1f51bc37ec83013d9f9cc2e31e3e886f8b5b39f437ba7e5530ce4302dcc56",
        "ae8096b5cf8e2b43f656493581889501965ec7240a641983ec8481e56aa5636b",
        "d824343faf896a264b5efe69dcb731fda62b41e58d97cc92896ea67fc2af0070",
        "a4ade7d9a0a7425fcd68a20d27dd909edeb62175d36a77b7bb639afc6a150631",
        "5ab90637f58acb2c34b45359f68aabff12c4a133b3c6122a5fe6ef2a5836b0f3",
        "f142a02722b13a9cdb7183564c9a579196ae0346636838ff93dd2e54dd552739",
        "ecde93e904fbc31c34b3f6f5fcdb0118f11c19e6b35a03b364697cfe7a9be928",
        "dbd060821317622b8388c877a8347fdca0d83f34d1321dc4d3901f0dd7fe5da8",
        "78f766fd03fe3456c583e4eb375f91ba0b7153d07a74ddffff76b29ce9640693",
    ),
}
"""By how many boxes are dealt in."""


class LuckySecrets:
    """The secrets that are left on one day, for one table."""

    def __init__(self, chance: Random, wanted: Callable[[], bool], seated: Callable[[], int]):
        """They are used as long as one is `wanted`; `seated` tells how many would be dealt in."""
        self.chance = chance
        self.wanted = wanted
        self.seated = seated
        self.left = {n: [bytes.fromhex(each) for each in some] for n, some in SECRETS.items()}

    def draw(self, binding: Binding, source: Seeded, place: str) -> None:
        """From now on some rounds of a table have one of them."""
        commit = binding._commit

        def chosen(at: str, *more: Any) -> Any:
            if at == place and self.chance.random() < OFTEN and self.wanted():
                source.rest = self._next() + source.rest
            return commit(at, *more)

        binding._commit = chosen  # type: ignore[method-assign]

    def _next(self) -> bytes:
        boxes = min(max(self.seated(), min(SECRETS)), max(SECRETS))
        left = self.left[boxes]
        return left.pop() if left else find(self.chance, boxes)


def deck_of(secret: bytes) -> tuple[Card, ...]:
    """The deck that a secret makes where no player has a seed."""
    bound = mixing.bound_order(secret, 0, DECK)
    key = mixing.mix_key(mixing.digest_of(secret), bound.root, [])
    return mixing.mixed(bound.cards, mixing.places_of(key, 0, len(DECK)))


def is_lucky(deck: Sequence[Card], boxes: int) -> bool:
    """Whether somebody is dealt a Royal Flush from a shoe, with the board and a Hole Card."""
    burnt = 1  # before the Hole Cards; then one before the Flop, the Turn and the River
    flop = burnt + 2 * boxes + 1
    board = {*deck[flop : flop + 3], deck[flop + 4], deck[flop + 6]}
    for box in range(boxes):
        held = {deck[burnt + box], deck[burnt + boxes + box]}
        if any(each <= board | held and each & held for each in ROYAL_FLUSHES):
            return True
    return False


def find(chance: Random, boxes: int) -> bytes:
    """One more of them: about one secret of ten thousand is."""
    while True:
        secret = chance.randbytes(mixing.SECRET_BYTES)
        if is_lucky(deck_of(secret), boxes):
            return secret


if __name__ == "__main__":
    for boxes in SECRETS:
        sys.stdout.write(f"    {boxes}:\n")
        chance = Random(f"a royal flush among {boxes}")
        for _ in range(12):
            sys.stdout.write(f'        "{find(chance, boxes).hex()}",\n')
            sys.stdout.flush()
