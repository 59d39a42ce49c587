"""Defects, put in: what the simulator must find. Three old ones, and four of several servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from croupier.house import guards
from croupier.house.group import NOTHING, Group
from croupier.house.house import House
from croupier.house.writer import GROUP_AT_MOST, Writer
from croupier.live.authority import Authority
from croupier.live.cluster.cluster import Cluster
from croupier.live.cluster.membership import Membership


def answer_before_sync(patch: pytest.MonkeyPatch) -> None:
    """Whoever gave a command is told that it was carried out, and then it is stored."""

    def write(self: Any, *, here: bool = False, ahead: int = 0) -> None:
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
    """Whoever has a socket speaks by it in the rank of when it was opened."""
    patch.setattr(Authority, "of", lambda self, visitor: visitor)
    patch.setattr(Authority, "look", lambda self, names=None: None)
    patch.setattr(guards, "acts_here", lambda state, place, order: None)


def no_expected_version(patch: pytest.MonkeyPatch) -> None:
    """What comes second at a log is put behind what came first, as if it had known of it."""

    def put_behind(self: Any, bundle: Any) -> None:
        for stream, expected in tuple(bundle.expected.items()):
            found = self._heads.get(stream, NOTHING)[0]
            bundle.expected[stream] = found
            for row in bundle.rows:
                if row.stream == stream:
                    row.position += found - expected

    patch.setattr(Group, "_check_versions", put_behind)


def given_up_and_still_writing(patch: pytest.MonkeyPatch) -> None:
    """A server that the others have given up keeps the connection by which it writes."""
    choose = Cluster.choose

    def nobodys(self: Any, casino: Any) -> Any:
        casino.house.store.database.belong_to = lambda session: None
        return choose(self, casino)

    patch.setattr(Cluster, "choose", nobodys)
    patch.setattr(Membership, "check_lease", lambda self: None)


def moved_and_still_run(patch: pytest.MonkeyPatch) -> None:
    """A server lets another one run a table, and goes on with it."""

    def release(self: Any, places: list[str]) -> Iterator[Any]:
        self._casino.house.ownership.give_up_all(places)
        self._mine -= set(places)
        self._servers.note_released(self.name, places)
        for place in places:
            self.running.pop(place, None)
        yield from ()

    patch.setattr(Cluster, "_release_some", release)


def links_by_heart(patch: pytest.MonkeyPatch) -> None:
    """What others write at a link is counted and not read: meters go apart."""

    advance = House.advance

    def count(self: Any, name: str) -> None:
        if name in self.shared_links.names:
            self.positions[name] = self.reader.head(name).position
        else:
            advance(self, name)

    patch.setattr(House, "advance", count)


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "answer before sync": answer_before_sync,
    "double effect of an id": double_effect,
    "forgotten disablement": forgotten_disablement,
}
OF_SEVERAL_SERVERS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "no expected version": no_expected_version,
    "given up and still writing": given_up_and_still_writing,
    "moved and still run": moved_and_still_run,
    "links by heart": links_by_heart,
}
