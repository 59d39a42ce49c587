"""What all tests share: where the repository is, and how hypothesis behaves here and in CI."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Shared runners are slow and uneven: no deadline. In CI the examples are the same on every run, so
# that a red build can be repeated; at the desk they are new each time.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

FIRST = ("tests/pit/test_kept.py", "tests/web/", "tests/live/", "tests/test_docs.py")
"""What compares most in the least time, so that a fault is told soon. Then the files that take
longest, most of it waiting: begun last, they would be waited for alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what stands in `FIRST`; in a file the order stays."""

    def rank(item: pytest.Item) -> int:
        return next((n for n, each in enumerate(FIRST) if item.nodeid.startswith(each)), len(FIRST))

    items.sort(key=rank)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parents[1]
