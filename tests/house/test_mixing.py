"""The deck follows from the House's secret and the players' seeds as the page says, and only so."""

import hashlib
import hmac
import json
from collections import Counter
from pathlib import Path

import pytest

from croupier.cards import DECK
from croupier.house import merkle, mixing
from croupier.house.proof import in_deck_order

VECTORS = json.loads((Path(__file__).parents[1] / "shuffle-vectors.json").read_text("utf-8"))
SECRET = bytes(range(32))
DIGEST, ROOT = mixing.digest_of(SECRET), mixing.bound_order(SECRET, 0, DECK).root


# -- written out again, with nothing but SHA-256 ------------------------------------------------


def stream(key: bytes, words: bytes, counter: int):
    block = 0
    while True:
        message = words + b"\0" + counter.to_bytes(4, "big") + block.to_bytes(4, "big")
        yield from hmac.new(key, message, "sha256").digest()
        block += 1


def shuffled(items, chance):
    order = list(items)
    for left in range(len(order), 1, -1):
        byte = next(chance)
        while byte >= 256 - 256 % left:
            byte = next(chance)
        order[left - 1], order[byte % left] = order[byte % left], order[left - 1]
    return order


def text(value: str) -> bytes:
    return len(value.encode()).to_bytes(4, "big") + value.encode()


def test_the_houses_order_is_made_as_the_page_says():
    for counter in (0, 1, 7):
        cards = DECK if counter < 7 else DECK[:30]
        made = mixing.bound_order(SECRET, counter, cards)
        assert list(made.cards) == shuffled(cards, stream(SECRET, b"croupier 1 order", counter))
        for place, card in enumerate(made.cards):
            message = b"croupier 1 salt\0" + counter.to_bytes(4, "big") + place.to_bytes(4, "big")
            salt = hmac.new(SECRET, message, "sha256").digest()
            assert salt == mixing.salt_of(SECRET, counter, place)
            data = salt + place.to_bytes(4, "big") + str(card).encode()
            assert made.leaves[place] == hashlib.sha256(b"\0" + data).digest()
        assert made.root == tree(list(made.leaves))


def tree(leaves: list[bytes]) -> bytes:
    """As RFC 6962 writes it: split at the largest power of two below the number of leaves."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return hashlib.sha256(b"\1" + tree(leaves[:half]) + tree(leaves[half:])).digest()


def test_the_mix_is_made_as_the_page_says():
    seeds = [("Ann", bytes(32)), ("Bén", b"\1" * 32)]
    parts = b"".join(text(name) + seed for name, seed in seeds)
    key = hashlib.sha256(b"croupier 1 mix\0" + DIGEST + ROOT + (2).to_bytes(4, "big") + parts)
    assert mixing.mix_key(DIGEST, ROOT, seeds) == key.digest()
    places = shuffled(range(52), stream(key.digest(), b"croupier 1 places", 0))
    assert list(mixing.places_of(key.digest(), 0, 52)) == places
    order = mixing.order_of(SECRET, 0, DECK)
    assert mixing.mixed(order, places) == tuple(order[place] for place in places)
    hashed = b"croupier 1 seed\0" + text("T") + (9).to_bytes(4, "big") + text("Bén") + b"\1" * 32
    assert mixing.seed_hash("T", 9, "Bén", b"\1" * 32) == hashlib.sha256(hashed).digest()
    assert hashlib.sha256(b"croupier 1 secret\0" + SECRET).digest() == DIGEST


def test_the_vectors_of_the_page_hold():
    """The same file is read by the test of the page's own check."""
    assert VECTORS
    for each in VECTORS:
        secret = bytes.fromhex(each["secret"])
        assert mixing.digest_of(secret).hex() == each["digest"]
        assert mixing.bound_order(secret, 0, DECK).root.hex() == each["committed_root"]
        seeds = []
        for seed in each["seeds"]:
            opened = bytes.fromhex(seed["seed"])
            made = mixing.seed_hash(each["table"], each["number"], seed["player"], opened)
            assert made.hex() == seed["hash"]
            seeds.append((seed["player"], opened))
        key = mixing.mix_key(
            bytes.fromhex(each["digest"]), bytes.fromhex(each["committed_root"]), seeds
        )
        assert key.hex() == each["key"]
        asked = tuple(card for card in DECK if str(card) in each["named"])
        order = mixing.bound_order(secret, each["counter"], asked)
        places = mixing.places_of(key, each["counter"], len(asked))
        assert order.root.hex() == each["root"]
        assert list(places) == each["places"]
        assert [str(card) for card in mixing.mixed(order.cards, places)] == each["deck"]
        assert mixing.cut_of(key, each["counter"], len(asked)) == each["cut"]
        for opening in each["openings"]:
            place = places[opening["index"]]
            assert (place, str(order.cards[place])) == (opening["place"], opening["card"])
            assert mixing.salt_of(secret, each["counter"], place).hex() == opening["salt"]
            path = merkle.path_of(order.leaves, place)
            assert [step.hex() for step in path] == opening["path"]


# -- the tree ------------------------------------------------------------------------------------


def test_every_leaf_of_every_tree_leads_to_the_root_and_no_other_does():
    for count in range(1, 71):
        leaves = [merkle.leaf_of(bytes([n])) for n in range(count)]
        root = merkle.root_of(leaves)
        assert root == tree(leaves)
        for index, leaf in enumerate(leaves):
            path = merkle.path_of(leaves, index)
            assert merkle.root_by(leaf, index, count, path) == root
            assert merkle.root_by(leaf, index, count, (*path, path[0] if path else leaf)) != root
            if path:
                assert merkle.root_by(leaf, index, count, path[:-1]) != root
                assert merkle.root_by(leaf, index ^ 1, count, path) != root
            assert merkle.root_by(leaf, count, count, path) is None
            assert merkle.root_by(leaf, -1, count, path) is None
    assert merkle.root_of([]) == hashlib.sha256(b"").digest()
    with pytest.raises(IndexError):
        merkle.path_of(leaves, 70)


def test_a_node_is_never_taken_for_a_leaf():
    left, right = merkle.leaf_of(b"a"), merkle.leaf_of(b"b")
    assert merkle.leaf_of(left + right) != merkle.node_of(left, right)


# -- no two uses give the same -------------------------------------------------------------------


def test_secret_seeds_names_table_number_and_counter_all_count():
    def deck(secret=SECRET, seeds=(("Ann", bytes(32)),), counter=0):
        key = mixing.mix_key(
            mixing.digest_of(secret), mixing.bound_order(secret, 0, DECK).root, seeds
        )
        order = mixing.order_of(secret, counter, DECK)
        return mixing.mixed(order, mixing.places_of(key, counter, 52))

    decks = [
        deck(),
        deck(secret=bytes(32)),
        deck(seeds=()),
        deck(seeds=(("Ann", b"\1" * 32),)),
        deck(seeds=(("Ben", bytes(32)),)),
        deck(seeds=(("Ann", bytes(32)), ("Ben", bytes(32)))),
        deck(seeds=(("Ben", bytes(32)), ("Ann", bytes(32)))),
        deck(counter=1),
        deck(counter=2),
    ]
    assert len(set(decks)) == len(decks)
    assert all(in_deck_order(each) == DECK for each in decks)
    hashes = {
        mixing.seed_hash(table, number, player, seed)
        for table in ("T", "T1")
        for number in (1, 2)
        for player in ("Ann", "Ben")
        for seed in (bytes(32), b"\1" * 32)
    }
    assert len(hashes) == 16
    # A name that ends where another begins is another name.
    assert mixing.seed_hash("T", 1, "AB", bytes(32)) != mixing.seed_hash("TA", 1, "B", bytes(32))


def test_the_cut_is_everywhere_and_never_nothing_or_all():
    cuts = Counter(mixing.cut_of(number.to_bytes(32, "big"), 0, 52) for number in range(5_100))
    assert set(cuts) == set(range(1, 52))
    assert max(cuts.values()) < 160
    assert mixing.cut_of(bytes(32), 0, 2) == 1


def test_a_draw_follows_from_both_and_from_the_counter():
    made = {
        mixing.draw_of(secret, key, counter, 3, 30)
        for secret in (SECRET, bytes(32))
        for key in (bytes(32), b"\1" * 32)
        for counter in (0, 1)
    }
    assert len(made) == 8
    assert all(len(set(picks)) == 3 and max(picks) < 30 for picks in made)


def test_a_secret_has_32_bytes():
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        mixing.order_of(bytes(31), 0, DECK)
