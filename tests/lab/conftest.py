"""The lab needs its extra: without numpy and numba its tests are skipped, visibly."""

import importlib.util

import pytest

MISSING = [name for name in ("numpy", "numba") if importlib.util.find_spec(name) is None]


def pytest_ignore_collect(collection_path, config):
    """Leave the modules alone that cannot even be imported here."""
    if MISSING and collection_path.name.startswith("test_"):
        return collection_path.name != "test_missing.py"
    return None


@pytest.fixture(scope="session")
def rng():
    import numpy as np

    return np.random.default_rng(20201208)


@pytest.fixture(scope="session")
def swept():
    """All boards, swept once for everybody; other odds in these tests are 3 to 2, so that what is
    counted for one of them is there for the next."""
    from croupier.lab.solver import sweep

    return sweep(1, 1)
