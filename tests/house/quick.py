"""What is slow on purpose, or by its size, and is not what most tests are about."""

from __future__ import annotations

from functools import cache

import pytest
from argon2 import PasswordHasher

from croupier.house import casino, passwords
from croupier.house.critical_files import digests

once = cache(digests)


def make_quick(patch: pytest.MonkeyPatch) -> None:
    """The same algorithm for passwords with small parameters; the package is read once."""
    patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    patch.setattr(casino, "digests", once)
