"""The same simulation on a cluster: chunks played by the workers of a Dask client.

The plan is sent to the workers once; each task names its range of rounds. Since the cards come by
number, the numbers are the same whoever plays which chunk.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

from croupier.lab.errors import LabError, LabMissing

if TYPE_CHECKING:
    from croupier.lab.simulate import Chunk, Plan


class ClusterMissing(LabMissing):
    """Dask is not installed: it comes with the extra `cluster`."""

    def __init__(self) -> None:
        super().__init__("distributed")
        self.args = ("a cluster needs distributed: pip install 'croupier[lab,cluster]'",)


class ClusterError(LabError):
    """The cluster cannot be reached, or lost a task for good."""


def _dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise ClusterMissing from error


@contextmanager
def connect(address: str | None, *, workers: int | None = None) -> Iterator[Any]:
    """A Dask client: of the scheduler at ``address``, or of a cluster on this machine.

    The local one has ``workers`` processes of one thread each.
    """
    dask = _dask()
    if address is not None:
        try:
            client = dask.Client(address, timeout="10s")
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(
                f"cluster {address}: no scheduler answers there ({error})"
            ) from error
        with client:
            yield client
        return
    with (
        dask.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster,
        dask.Client(cluster) as client,
    ):
        yield client


def by_workers(
    client: Any, plan: Plan, todo: list[tuple[int, int]], interrupted: Event
) -> Iterator[Chunk]:
    """Play the chunks by the client's workers and give each when it is done.

    No more tasks are out than keep every worker busy, so that an interruption is soon over and the
    results of a long simulation do not pile up.
    """
    from croupier.lab.simulate import play

    (shared,) = client.scatter([plan], broadcast=True, hash=False)
    waiting = iter(todo)
    window = 3 * max(1, sum(client.nthreads().values()))
    done = _dask().as_completed(with_results=True, raise_errors=True)
    out = 0

    def fill() -> None:
        nonlocal out
        while out < window and not interrupted.is_set():
            span = next(waiting, None)
            if span is None:
                return
            done.add(client.submit(play, shared, *span, pure=False))
            out += 1

    fill()
    while out:
        _, chunk = next(done)
        out -= 1
        fill()
        yield chunk
