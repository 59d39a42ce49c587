"""The same simulation on a cluster: chunks played by the workers of a Dask client.

The plan is sent to the workers once; each task names its range of rounds. Since the cards come by
number, the numbers are the same whoever plays which chunk.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

from croupier.lab.errors import LabError, LabMissing

if TYPE_CHECKING:
    from croupier.lab.simulate import Chunk, Plan


class ClusterError(LabError):
    """The cluster cannot be reached, or lost a task for good."""


@contextmanager
def connect(address: str | None, *, workers: int | None = None) -> Iterator[Any]:
    """A Dask client: of the scheduler at ``address``, or of a cluster on this machine.

    The local one has ``workers`` processes of one thread each.
    """
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        raise LabMissing("distributed") from error
    if address is not None:
        try:
            client = Client(address, timeout="10s")
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"cluster {address}: no scheduler answers there ({error})") from error
        with client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def by_workers(
    client: Any, plan: Plan, todo: list[tuple[int, int]], interrupted: Event
) -> Iterator[Chunk]:
    """Play the chunks by the client's workers and give each when it is done.

    No more tasks are out than keep every worker busy, so that an interruption is soon over and the
    results of a long simulation do not pile up.
    """
    from distributed import as_completed

    from croupier.lab.simulate import play

    (shared,) = client.scatter([plan], broadcast=True, hash=False)
    waiting = iter(todo)
    window = 3 * max(1, sum(client.nthreads().values()))
    done = as_completed(with_results=True, raise_errors=True)
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
