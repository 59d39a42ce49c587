"""Decks mixed of secret and seeds are as fair as any, as long as one of both sides is honest."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from croupier.house import mixing
from croupier.house.shuffling import SYSTEM
from tests.house import fairness
from tests.house.seeded import Seeded

CARDS = tuple(range(52))
SAMPLE = 14_000
LARGE = 200_000


def deck(secret: bytes, seeds: list[tuple[str, bytes]]) -> tuple[int, ...]:
    """A deck of numbers, made as the House makes one of cards."""
    digest = mixing.digest_of(secret)
    key = mixing.mix_key(digest, digest, seeds)
    order = mixing.order_of(secret, 0, CARDS)  # type: ignore[arg-type]
    return tuple(order[place] for place in mixing.places_of(key, 0, 52))  # type: ignore[misc]


def counted(number: int) -> bytes:
    return number.to_bytes(32, "big")


def honest_house(number: int, source: Seeded) -> tuple[bytes, list[tuple[str, bytes]]]:
    """Players who all send nothing but zeros."""
    return source.take(32), [(who, bytes(32)) for who in ("Ann", "Ben", "Cho")]


def nobodys_seeds(number: int, source: Seeded) -> tuple[bytes, list[tuple[str, bytes]]]:
    return source.take(32), []


def one_honest_player(number: int, source: Seeded) -> tuple[bytes, list[tuple[str, bytes]]]:
    """A House that has one secret for ever, and players who are its friends."""
    return bytes(32), [("Ann", source.take(32)), ("Ben", bytes(32)), ("Cho", b"\xff" * 32)]


def counting_house(number: int, source: Seeded) -> tuple[bytes, list[tuple[str, bytes]]]:
    """A House that counts its secrets up, and a player who counts his seeds."""
    return counted(number), [("Ann", counted(number))]


def copies_of_the_secret(number: int, source: Seeded) -> tuple[bytes, list[tuple[str, bytes]]]:
    """A player whom the House has told its secret, and who sends it back."""
    secret = source.take(32)
    return secret, [("Ben", secret)]


SIDES = [honest_house, nobodys_seeds, one_honest_player, counting_house, copies_of_the_secret]


def made(sides: Callable[..., tuple[bytes, list[tuple[str, bytes]]]]) -> Callable[[int], list]:
    source = Seeded(sides.__name__)
    numbers = iter(range(1 << 40))

    def sample(size: int) -> list[tuple[int, ...]]:
        return [deck(*sides(next(numbers), source)) for _ in range(size)]

    return sample


@pytest.mark.parametrize("sides", [honest_house, one_honest_player])
def test_mixed_decks_pass_every_test(sides):
    assert fairness.failures(made(sides), SAMPLE) == {}


@pytest.mark.slow
@pytest.mark.parametrize("sides", SIDES)
def test_mixed_decks_pass_every_test_on_a_large_sample(sides):
    assert fairness.failures(made(sides), LARGE) == {}


@pytest.mark.slow
def test_decks_of_the_systems_own_source_pass_too():
    def sample(size: int) -> list[tuple[int, ...]]:
        return [deck(SYSTEM.take(32), [("Ann", SYSTEM.take(32))]) for _ in range(size)]

    assert fairness.failures(sample, LARGE) == {}


def test_where_nobody_is_honest_it_is_found_out():
    """The test can fail: one secret and one seed for ever are one deck for ever."""
    sample = [deck(bytes(32), [("Ann", bytes(32))])] * 3_000
    assert fairness.TESTS["positions"](sample) < 1e-6


def flips(of: Callable[[int], Iterator[tuple[bytes, list[tuple[str, bytes]]]]]) -> Counter[int]:
    """How many cards stay in their place when one bit of one side is another one."""
    stay: Counter[int] = Counter()
    for number in range(300):
        one, other = of(number)
        stay[sum(a == b for a, b in zip(deck(*one), deck(*other), strict=True))] += 1
    return stay


@pytest.mark.parametrize("side", ["secret", "seed"])
def test_one_bit_of_either_side_changes_the_whole_deck(side):
    def of(number: int):
        secret, seed = (
            hashlib.sha256(f"{what} {number}".encode()).digest() for what in ("secret", "seed")
        )
        yield secret, [("Ann", seed)]
        at = number % 32
        changed = bytearray(secret if side == "secret" else seed)
        changed[at] ^= 1 << number % 8
        if side == "secret":
            yield bytes(changed), [("Ann", seed)]
        else:
            yield secret, [("Ann", bytes(changed))]

    stay = flips(of)
    mean = sum(count * times for count, times in stay.items()) / 300
    assert 0.7 < mean < 1.3, "of two random decks one card lies alike"
    assert max(stay) < 9


def test_to_leave_a_seed_out_is_a_choice_between_two_random_decks_and_no_more():
    """What a friend of the House has: with his seed, or without. Neither is better than chance,
    and which cards come he cannot choose."""
    with_ace, either = 0, 0
    source = Seeded("left out")
    for _ in range(4_000):
        secret, honest, friends = (source.take(32) for _ in range(3))
        one = deck(secret, [("Ann", honest), ("Ben", friends)])
        other = deck(secret, [("Ann", honest)])
        with_ace += one[0] % 13 == 12
        either += one[0] % 13 == 12 or other[0] % 13 == 12
    assert 4_000 / 13 - 70 < with_ace < 4_000 / 13 + 70
    expected = 4_000 * (1 - (12 / 13) ** 2)
    assert expected - 90 < either < expected + 90
