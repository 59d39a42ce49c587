"""How the lab compiles: one typed decorator over Numba, and threads over ranges.

Kernels release the GIL and are kept on disk after the first compilation. They know nothing of
where they run; ``spread`` gives each thread a range of the work.
"""

from __future__ import annotations

import functools
import os
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numba
from numba.extending import intrinsic

from croupier.cards import keys
from croupier.lab.errors import BadAmount

Function: TypeAlias = Callable[..., Any]

_MARKS = (b"\n@kernel", b"\n@inlined", b"\n@borrower", b"\n@borrowed", b"import intrinsic\n")
"""What a file has in it that pieces of kernels come from."""
# Options that Numba takes and its type stubs do not name.
_BORROWS: dict[str, Any] = {"_nrt": False}
_INSIDE_ONLY: dict[str, Any] = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile on first call, without the GIL, and keep the machine code beside the package."""
    return _kept(numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def borrower(function: Function) -> Function:
    """A kernel that allocates nothing and only borrows its arrays.

    Python holds them until the kernel returns, so nobody need count in and out who has one at each
    call of a piece, which costs more than the piece. Numba does not compile what allocates.
    """
    return _kept(numba.njit(cache=True, nogil=True, error_model="numpy", **_BORROWS)(function))


def borrowed(function: Function) -> Function:
    """A piece of a ``borrower``: compiled once, for kernels alone, and written into each."""
    compiled: Function = numba.njit(
        forceinline=True, error_model="numpy", **_BORROWS, **_INSIDE_ONLY
    )(function)
    return compiled


def _kept(compiled: Function) -> Function:
    # Numba keeps machine code while the function's own file stays as it is. But a kernel is made of
    # pieces and constants from several files, so it must go when any of them changes.
    kept = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None and hasattr(kept, "_source_stamp"):
        kept._source_stamp = (kept._source_stamp, _sources())
    return compiled


@functools.cache
def _sources() -> int:
    """A checksum of every file that pieces of kernels come from."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    texts = [path.read_bytes() for path in files]
    checksum = zlib.crc32(Path(keys.__file__).read_bytes())
    for text in texts:
        if any(mark in text for mark in _MARKS):
            checksum = zlib.crc32(text, checksum)
    return checksum


def inlined(function: Function) -> Function:
    """A piece of a kernel, written into whoever calls it.

    Arrays that are handed to another function are counted in and out at each call, which in an
    inner loop costs more than the work itself.
    """
    compiled: Function = numba.njit(inline="always", error_model="numpy")(function)
    return compiled


def _bit_count(context: Any, word: Any) -> Any:
    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.types.uint64(numba.types.uint64), generate


bit_count: Function = intrinsic(_bit_count)
"""Inside kernels: how many bits of an unsigned 64-bit word are set, in one instruction."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def spread(work: Callable[[int, int], object], items: int, *, threads: int | None = None) -> None:
    """Call ``work(start, stop)`` for ranges that cover ``items``, by so many threads.

    The first exception of any range is raised, the one of the earliest range first.
    """
    wanted = cores() if threads is None else threads
    if wanted < 1:
        raise BadAmount(f"threads: {wanted} threads can do no work; give 1 or more")
    # Several pieces for each thread: they are not equally heavy.
    pieces = 1 if wanted == 1 else min(items, 8 * wanted)
    if pieces <= 1:
        work(0, items)
        return
    edges = [items * piece // pieces for piece in range(pieces + 1)]
    with ThreadPoolExecutor(wanted) as pool:
        for done in [pool.submit(work, edges[i], edges[i + 1]) for i in range(pieces)]:
            done.result()
