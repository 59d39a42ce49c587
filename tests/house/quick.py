"""What is slow on purpose, or by its size, and is not what the tests are about.

`tests/conftest.py` makes it quick for all of them; whoever tests it takes `as_it_is_at_work`.
"""

from __future__ import annotations

import gc
from functools import cache
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher

from croupier.house import casino, manifest, passwords, sqlite
from croupier.house.audit import floor, redecide
from croupier.house.critical_files import digests
from croupier.live import server

once = cache(digests)
AT_WORK = sqlite.SETTINGS
COLLECTOR = SimpleNamespace(**vars(gc) | {"get_freeze_count": lambda: 1})
"""Python's collector, which counts what is set aside one by one: in a process that has read all the
tests, that takes longer than the audit that asks. Something always is."""


def make_quick(patch: pytest.MonkeyPatch) -> None:
    """The same algorithm for passwords with small parameters; the package is read once; nobody
    waits for the disk, for no test cuts the power, and no process is started to write to it; nobody
    counts what the tests have set aside."""
    patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    patch.setattr(casino, "digests", once)
    patch.setattr(manifest, "digests", once)
    patch.setattr(floor, "digests", once)
    patch.setattr(redecide, "gc", COLLECTOR)
    unsynced = (setting for setting in AT_WORK if not setting.startswith("synchronous"))
    patch.setattr(sqlite, "SETTINGS", (*unsynced, "synchronous = OFF"))
    patch.setattr(server, "stores_apart", lambda config: False)


def as_it_is_at_work(patch: pytest.MonkeyPatch) -> None:
    """The disk is waited for, and a password costs what it costs."""
    patch.setattr(passwords, "_hasher", PasswordHasher())
    patch.setattr(sqlite, "SETTINGS", AT_WORK)
