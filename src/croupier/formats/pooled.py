"""Batches of hands done by several processes, with what comes back in the order it was given."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

Given = TypeVar("Given")
Done = TypeVar("Done")


def pooled(
    batches: Iterable[Given],
    work: Callable[[Given], Done],
    prepare: Callable[..., None],
    prepared_with: tuple[Any, ...],
    processes: int,
) -> Generator[Done, None, None]:
    """Each process is prepared once and then has a few batches waiting, and no more."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        processes, mp_context=context, initializer=prepare, initargs=prepared_with
    )
    waiting: deque[Future[Done]] = deque()
    try:
        for batch in batches:
            waiting.append(pool.submit(work, batch))
            if len(waiting) > 4 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
