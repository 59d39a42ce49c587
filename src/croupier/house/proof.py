"""Whether a shuffle is what the House and the players had bound themselves to.

With the secret everything is checked: that is for the auditor. Without it, whoever was told the
commitment before the first bet checks the seeds, and every card of which he was given the opening.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.house import merkle, mixing
from croupier.house.commitment import CardOpening
from croupier.house.shuffle_book import (
    DrawMixed,
    SecretCommitted,
    ShuffleMixed,
    in_their_order,
)

_PLACE = {card: place for place, card in enumerate(DECK)}


class Mixed(Struct, frozen=True, kw_only=True):
    """A shuffle as its book has it: what was committed to, and what it was made of."""

    committed: SecretCommitted
    mixed: ShuffleMixed

    @property
    def shuffle(self) -> str:
        """The id of the command that gave the shuffle."""
        return self.mixed.shuffle

    @property
    def count(self) -> int:
        """How many cards it is about."""
        return self.mixed.cards

    def key(self) -> bytes:
        """The key of the mix."""
        return key_of(self.committed, self.mixed)

    def places(self) -> tuple[int, ...]:
        """Which place of the House's order lies in each place of the shuffle."""
        return mixing.places_of(self.key(), self.mixed.counter, self.mixed.cards)

    def open_card(self, cards: Sequence[Card], secret: bytes, index: int) -> CardOpening:
        """The opening of one card of the shuffle."""
        return self.open_cards(cards, secret, [index])[0]

    def open_cards(
        self, cards: Sequence[Card], secret: bytes, wanted: Iterable[int]
    ) -> list[CardOpening]:
        """The openings of some cards of the shuffle."""
        counter, places = self.mixed.counter, self.places()
        leaves = mixing.bound_order(secret, counter, in_deck_order(cards)).leaves
        return [
            CardOpening(
                shuffle=self.shuffle,
                index=index,
                card=cards[index],
                salt=mixing.salt_of(secret, counter, places[index]),
                place=places[index],
                path=merkle.path_of(leaves, places[index]),
            )
            for index in wanted
        ]

    def opens(self, opening: CardOpening) -> bool:
        """Whether the House had bound itself to this card, and the seeds have put it here."""
        if opening.place is None or not 0 <= opening.index < self.count:
            return False
        if self.places()[opening.index] != opening.place:
            return False
        leaf = mixing.leaf_of(opening.salt, opening.place, opening.card)
        root = merkle.root_by(leaf, opening.place, self.count, opening.path)
        return root is not None and root.hex() == self.mixed.root


def in_deck_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in the order in which a table names them for a shuffle."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def key_of(committed: SecretCommitted, mixed: ShuffleMixed | DrawMixed) -> bytes:
    """The key of a mix."""
    seeds = [(each.player, bytes.fromhex(each.seed)) for each in mixed.seeds]
    return mixing.mix_key(bytes.fromhex(committed.digest), bytes.fromhex(committed.root), seeds)


def wrong_with_seeds(committed: SecretCommitted, mixed: ShuffleMixed | DrawMixed) -> str:
    """What is wrong with the seeds of a mix, in a sentence; nothing if they are those whose hashes
    were listed before, each opened, unopened or of somebody absent."""
    if (mixed.table, mixed.number) != (committed.table, committed.number):
        return f"it was made of commitment {mixed.number}, not of {committed.number}"
    listed = {each.player: each.hash for each in committed.seeds}
    named = [each.player for each in mixed.seeds] + [*mixed.unopened, *mixed.absent]
    if sorted(named) != sorted(listed):
        return "the seeds are not those whose hashes were listed"
    for each in mixed.seeds:
        seed = bytes.fromhex(each.seed)
        made = mixing.seed_hash(committed.table, committed.number, each.player, seed)
        if made.hex() != listed[each.player]:
            return f"the seed of {each.player} is not the one whose hash was listed"
    if not in_their_order(mixed.seeds, committed.seeds):
        return "the seeds do not stand in the order in which their hashes were listed"
    return ""


def wrong_with_secret(committed: SecretCommitted, secret: bytes) -> str:
    """What is wrong with a secret, in a sentence; nothing if it is the one committed to."""
    order = committed_order(committed, secret)
    return order if isinstance(order, str) else ""


def committed_order(committed: SecretCommitted, secret: bytes) -> tuple[Card, ...] | str:
    """The order of the whole deck that the House had committed to, or what is wrong with the
    secret, in a sentence."""
    if len(secret) != mixing.SECRET_BYTES or mixing.digest_of(secret).hex() != committed.digest:
        return "the secret is not the one that was committed to"
    made = mixing.bound_order(secret, 0, DECK)
    if made.root.hex() != committed.root:
        return "the root that was told is not that of the House's order"
    return made.cards


def wrong_with_shuffle(told: Mixed, secret: bytes, cards: Sequence[Card]) -> str:
    """What is wrong with a shuffle, in a sentence; nothing if secret and seeds make its cards."""
    return wrong_with_secret(told.committed, secret) or wrong_with_mix(told, secret, cards)


def wrong_with_mix(
    told: Mixed, secret: bytes, cards: Sequence[Card], deck: tuple[Card, ...] | None = None
) -> str:
    """What is wrong with a shuffle, in a sentence, of a secret that is the one committed to;
    `deck` is the order that was committed to, where it is known already."""
    committed, mixed = told.committed, told.mixed
    wrong = wrong_with_seeds(committed, mixed)
    if wrong:
        return wrong
    if len(cards) != mixed.cards:
        return f"{len(cards)} cards were shuffled, and {mixed.cards} mixed"
    if not mixed.counter and mixed.root != committed.root:
        return "the first shuffle is not of the order that was told before the bets"
    if mixed.counter:
        made = mixing.bound_order(secret, mixed.counter, in_deck_order(cards))
        if made.root.hex() != mixed.root:
            return "the root of this shuffle is not that of the House's order"
        order = made.cards
    else:
        order = deck or mixing.order_of(secret, 0, DECK)
        if len(cards) != len(order):
            return f"{len(cards)} cards were shuffled, and a deck has {len(order)}"
    if mixing.mixed(order, told.places()) != tuple(cards):
        return "the cards are not those that secret and seeds make"
    return ""


def wrong_with_draw(
    committed: SecretCommitted, mixed: DrawMixed, secret: bytes, picks: tuple[int, ...]
) -> str:
    """What is wrong with a draw, in a sentence, of a secret that is the one committed to."""
    wrong = wrong_with_seeds(committed, mixed)
    if wrong:
        return wrong
    key = key_of(committed, mixed)
    made = mixing.draw_of(secret, key, mixed.counter, len(picks), mixed.among)
    return "" if made == picks else "the picks are not those that secret and seeds make"
