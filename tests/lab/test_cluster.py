"""The same call on a cluster gives the same numbers, whatever the number of workers."""

import importlib.util
from threading import Event

import numpy as np
import pytest

from croupier.lab import cluster
from croupier.lab import simulate as module
from croupier.lab.errors import LabMissing
from croupier.lab.floor import Floor, Link
from croupier.lab.simulate import Plan, simulate
from croupier.lab.simulate_pay import Stakes
from croupier.lab.simulate_strategy import batches, made_hands
from croupier.rulebooks import load

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra `cluster` is not installed"
)


def plan(strategy=None):
    return Plan.make(
        load("multi-link-progressive-v3"),
        strategy or made_hands(),
        Stakes(ante=1000, bonus=500, progressive=500),
        rounds=200_000,
        seed=11,
        floor=Floor(tables=2, boxes=3),
        link=Link(reset=5_000_000, contribution=100),
    )


@needs_dask
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Dask's own, of its sockets and of its event loop
def test_workers_and_threads_give_the_same_numbers(tmp_path):
    here = simulate(plan(), threads=2)
    even = batches(
        "even",
        play=lambda hole: np.ones(len(hole), bool),
        turn=lambda hole, flop: hole[:, 0] % 2 == 0,
        river=lambda hole, flop, turn: turn % 2 == 0,
    )
    for workers in (1, 2):
        with cluster.connect(None, workers=workers) as client:
            there = simulate(plan(), client=client, checkpoint=tmp_path / f"{workers}.npz")
            assert (there.counts == here.counts).all()
            assert (there.sessions == here.sessions).all()
            assert there.meter == here.meter
            # A function of ours is sent to them as well.
            small = plan(even)
            assert (simulate(small, client=client).counts == simulate(small).counts).all()
    # What a cluster has kept, threads can take up.
    again = simulate(plan(), checkpoint=tmp_path / "2.npz")
    assert again.meter == here.meter


class OneWorker:
    """A client as far as the simulation asks one, which plays the last task first."""

    def __init__(self):
        self.tasks = []

    def scatter(self, given, **options):
        return given

    def nthreads(self):
        return {"only": 2}

    def submit(self, function, *given, **options):
        return lambda: function(*given)

    def as_completed(self, **options):
        return self

    def add(self, task):
        self.tasks.append(task)

    def __next__(self):
        task = self.tasks.pop()
        return task, task()


def test_chunks_may_come_in_any_order(monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 6 * 200 * 20)
    client = OneWorker()
    monkeypatch.setattr(cluster, "_dask", lambda: client)
    here, there = simulate(plan(), threads=1), simulate(plan(), client=client)
    assert there.complete
    assert (there.counts == here.counts).all()
    assert (there.sessions == here.sessions).all()
    assert there.meter == here.meter


def test_no_task_is_given_out_once_interrupted(monkeypatch):
    client = OneWorker()
    monkeypatch.setattr(cluster, "_dask", lambda: client)
    interrupted = Event()
    one = plan()
    spans = [(start, start + 200) for start in range(0, 4000, 200)]
    chunks = cluster.by_workers(client, one, spans, interrupted)
    next(chunks)
    interrupted.set()
    rest = list(chunks)
    assert 1 + len(rest) < len(spans)
    assert not client.tasks


def test_whoever_lacks_dask_is_told_what_to_install(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(cluster.importlib, "import_module", missing)
    with (
        pytest.raises(LabMissing, match=r"croupier\[lab,cluster\]"),
        cluster.connect("tcp://127.0.0.1:9"),
    ):
        pass


@needs_dask
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there_is_said():
    with (
        pytest.raises(cluster.ClusterError, match="no scheduler answers"),
        cluster.connect("tcp://127.0.0.1:9"),
    ):
        pass
