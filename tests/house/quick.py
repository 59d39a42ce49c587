"""What is slow on purpose, or by its size, and is not what the tests are about.

`tests/conftest.py` makes it quick for all of them; whoever tests it takes `as_it_is_at_work`.
"""

from __future__ import annotations

from functools import cache

import pytest
from argon2 import PasswordHasher

from croupier.house import casino, manifest, passwords, sqlite
from croupier.house.audit import floor
from croupier.house.critical_files import digests
from croupier.live import server

once = cache(digests)
AT_WORK = sqlite.SETTINGS


def make_quick(patch: pytest.MonkeyPatch) -> None:
    """The same algorithm for passwords with small parameters; the package is read once; nobody
    waits for the disk, for no test cuts the power, and no process is started to write to it."""
    patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    patch.setattr(casino, "digests", once)
    patch.setattr(manifest, "digests", once)
    patch.setattr(floor, "digests", once)
    unsynced = (setting for setting in AT_WORK if not setting.startswith("synchronous"))
    patch.setattr(sqlite, "SETTINGS", (*unsynced, "synchronous = OFF"))
    patch.setattr(server, "stores_apart", lambda config: False)


def as_it_is_at_work(patch: pytest.MonkeyPatch) -> None:
    """The disk is waited for, and a password costs what it costs."""
    patch.setattr(passwords, "_hasher", PasswordHasher())
    patch.setattr(sqlite, "SETTINGS", AT_WORK)
