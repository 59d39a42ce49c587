"""What all tests share: where the repository is, how hypothesis behaves here and in CI, and in
which order and company the files of tests are run."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Shared runners are slow and uneven: no deadline. In CI the examples are the same on every run, so
# that a red build can be repeated; at the desk they are new each time.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

# ---- in which order, and together with what ------------------------------------------------------

FIRST = (
    "tests/pit/test_kept.py",
    "tests/web/",
    "tests/house/test_gaming_day.py",
    "tests/lab/",
    "tests/simulator/test_simulation.py",
    "tests/live/",
    "tests/house/",
    "tests/test_wheel.py",
    "tests/pit/test_cli.py",
)
"""What compares most in the least time, so that a fault is told soon. Then what takes longest, some
of it waiting: begun last, it would be waited for alone."""

TOGETHER = {
    "a browser and its casino": ("tests/web/",),
    "what numba compiles": (
        "tests/lab/",
        "tests/test_docs.py",
        "tests/live/test_bots_action_values.py",
    ),
    "the reports of every moment": ("tests/pit/test_matrix.py", "tests/pit/test_reports.py"),
    "what came of the shipped cases": (
        "tests/pit/test_cli.py",
        "tests/pit/test_questions.py",
        "tests/banked/test_citations.py",
        "tests/banked/test_reasons.py",
    ),
}
"""Files and folders that one process runs, because they share what takes long to make."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what stands in `FIRST`; in a file the order stays."""

    def rank(item: pytest.Item) -> int:
        return next((n for n, each in enumerate(FIRST) if item.nodeid.startswith(each)), len(FIRST))

    items.sort(key=rank)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With several processes and `--dist loadfile`: a file stays with one process, so do those that
    stand `TOGETHER`, and they are begun in the order above. Without this the files with the most
    tests would be begun first, and the few long tests be waited for at the end."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class InCompany(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            own: str = super()._split_scope(nodeid)
            return next((name for name, of in TOGETHER.items() if own.startswith(of)), own)

    config.option.loadscopereorder = False
    return InCompany(config, log)


# ---- what need not take time ---------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    """In CI nothing is compiled yet, and everything is about to be run."""
    if os.environ.get("CI"):
        from tests.rewritten import rewrite_a_part

        rewrite_a_part(config)


def pytest_collection_finish() -> None:
    """Modules, books and tests stay to the end: the collector of garbage need not walk them again
    and again, which is a twentieth of all the time."""
    put_aside()


def put_aside() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="module", autouse=True)
def put_aside_after_each_file() -> Iterator[None]:
    """What a file of tests leaves too (books, cases, compiled code): every audit and every server
    that ends has the collector walk through what was not put aside, and there are a thousand."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def quick_houses() -> Iterator[None]:
    """A House that is opened in a test takes no longer than the test needs; see `quick.py`."""
    if "croupier.house.casino" not in sys.modules:  # nobody here opens one
        yield
        return
    from tests.house.quick import make_quick

    with pytest.MonkeyPatch.context() as patch:
        make_quick(patch)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parents[1]
