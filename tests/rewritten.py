"""In a fresh checkout every process would compile every file of tests, which takes pytest a third
of a minute: it rewrites their `assert` so that a failure tells both sides. Here the processes of
one run share that work: each compiles a part of the files, and finds the others compiled.

It stands on functions that pytest keeps to itself; its version is pinned. Where they are not what
they were, each process compiles everything, as pytest does by itself.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

try:
    from _pytest.assertion.rewrite import (
        PYC_TAIL,
        _read_pyc,
        _rewrite_test,
        _write_pyc,
        assertstate_key,
        get_cache_dir,
    )
except ImportError:
    PYC_TAIL = ""

TESTS = Path(__file__).parent


def rewrite_a_part(config: pytest.Config) -> int:
    """Compile the part of this process, unless it is compiled; how many files that were."""
    own = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    of = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if not PYC_TAIL or not own or sys.dont_write_bytecode or assertstate_key not in config.stash:
        return 0
    done = 0
    # The longest first, so that all parts are about as long.
    files = sorted(TESTS.rglob("test_*.py"), key=lambda file: (-file.stat().st_size, file))
    for file in files[int(own) :: of]:
        kept = get_cache_dir(file) / f"{file.stem}{PYC_TAIL}"
        if _read_pyc(file, kept) is None:
            kept.parent.mkdir(exist_ok=True)
            stat, code = _rewrite_test(file, config)
            _write_pyc(config.stash[assertstate_key], code, stat, kept)
            done += 1
    return done
