"""The files of the software are read once for all simulations: they do not change meanwhile.

Every start of a House reads all of them for their digests, and so does every audit; in a simulation
that would be most of the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from croupier.house import casino
from croupier.house.audit import floor
from croupier.house.critical_files import digests

_once = cache(digests)


@contextmanager
def software_read_once() -> Iterator[None]:
    """Within this, the digests of the software are those of the first time."""
    with patch.object(casino, "digests", _once), patch.object(floor, "digests", _once):
        yield
