"""Three old defects, put back: what the simulator must find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.house import guards
from croupier.house.house import House
from croupier.house.writer import GROUP_AT_MOST, Writer
from croupier.live.authority import Authority


def answer_before_sync(patch: pytest.MonkeyPatch) -> None:
    """Whoever gave a command is told that it was carried out, and then it is stored."""

    def write(self: Any) -> None:
        with self._storing:
            group = [self._tasks.popleft() for _ in range(min(len(self._tasks), GROUP_AT_MOST))]
            for _, tell in group:
                tell(None)
            if group:
                self._store_group([bundle for bundle, _ in group])

    patch.setattr(Writer, "_write", write)


def double_effect(patch: pytest.MonkeyPatch) -> None:
    """An id is known as long as the process lives: after a start it is taken for a new one."""
    give = House.give

    def forgetful(self: Any, place: str, command: Any, **how: Any) -> Any:
        known = how.get("command_id")
        if known is not None and not how.get("new_id"):
            in_memory = known in self._answered._waiting or known in self._answered._done
            if not in_memory and self.reader.recall(known)[0]:
                how["command_id"] = self.world.unique()
        return give(self, place, command, **how)

    patch.setattr(House, "give", forgetful)


def forgotten_disablement(patch: pytest.MonkeyPatch) -> None:
    """Whoever has a socket speaks by it in the rank that he had when it was opened."""
    patch.setattr(Authority, "of", lambda self, visitor: visitor)
    patch.setattr(Authority, "look", lambda self, names=None: None)
    patch.setattr(guards, "acts_here", lambda state, place, order: None)


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "answer before sync": answer_before_sync,
    "double effect of an id": double_effect,
    "forgotten disablement": forgotten_disablement,
}
