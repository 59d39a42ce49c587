"""Checkpoints: what an interrupted simulation keeps, and how it goes on.

A checkpoint is one file of numpy arrays with the plan's fingerprint in it. It is written beside
its place and then moved there, so that a crash while writing leaves the one before.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from croupier.lab.errors import LabError

if TYPE_CHECKING:
    from croupier.lab.simulate import State

_FORMAT = 2


class CheckpointError(LabError):
    """A checkpoint cannot be used: it is damaged, or belongs to another simulation."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"checkpoint {path}: {problem}")


def save_state(state: State, path: Path) -> None:
    """Write what is complete. Chunks that came early are played again."""
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            np.savez(
                file,
                format=np.int64(_FORMAT),
                fingerprint=np.array(state.plan.fingerprint),
                through=np.int64(state.through),
                counts=state.counts,
                sessions=state.sessions[: state.whole_sessions],
                majors=state.majors,
                squares=state.squares,
            )
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise CheckpointError(path, f"it cannot be written: {error.strerror}") from error


def load_state(state: State, path: Path) -> None:
    """Take up what a checkpoint holds; nothing if there is none.

    Raises ``CheckpointError`` if it is of another plan: its numbers would be mixed up.
    """
    if not path.exists():
        return
    try:
        # Opened here: a damaged file would not be closed by numpy.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            found = {name: kept[name] for name in kept.files}
        form = int(found["format"])
        if form != _FORMAT:
            raise CheckpointError(
                path,
                f"its format {form} is not this version's, {_FORMAT}; delete it to begin again",
            )
        fingerprint, through = str(found["fingerprint"]), int(found["through"])
        counts, sessions = found["counts"], found["sessions"]
        majors, squares = found["majors"], found["squares"]
    except CheckpointError:
        raise
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        why = getattr(error, "strerror", None) or "it is damaged, or no checkpoint"
        raise CheckpointError(
            path, f"it cannot be read ({why}); delete it to begin again"
        ) from error
    if fingerprint != state.plan.fingerprint:
        raise CheckpointError(
            path,
            "it belongs to another simulation (book, strategy, stakes, floor, rounds or seed "
            "differ); give the same again, or another file",
        )
    state.through = through
    state.counts[:] = counts
    state.sessions[: len(sessions)] = sessions
    state.majors = majors
    state.squares[:] = squares
