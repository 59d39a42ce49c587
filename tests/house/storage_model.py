"""A store whose bundles two processes store as chance wills it, beside a plain model of it."""

import os
import random
import signal
import threading
from functools import partial

from croupier.house.copies import CopyMark
from croupier.house.records import Opening, Secret, Snapshot
from croupier.house.shared_database import SharedDatabase
from tests.house.contract import chain_is_whole, moving, refused


def send_ahead(store, group):
    """Behind whatever is being stored."""
    under_way = store._under_way
    return under_way is not None and store.send_ahead(group, behind=under_way.bundles)


class Both:
    """A store whose bundles are stored here and there as chance wills it, and what a plain model
    makes of them."""

    PLACES = "ABCD"
    ACCOUNTS = ("player/Ann", "player/Bob", "player/Cid")

    def __init__(self, store, seed: int) -> None:
        self.store, self.chance = store, random.Random(seed)
        self.heads = dict.fromkeys(self.PLACES, 0)
        self.money = dict.fromkeys((*self.ACCOUNTS, "cash"), 0)
        self.failed: dict[str, int] = {}
        self.generation = dict.fromkeys(self.PLACES, 1)
        self.ids: list[str] = []
        self.secrets: dict[str, str] = {}
        self.openings: dict[str, bytes] = {}
        self.number = self.refused = self.sent = self.cuts = 0

    def bundle(self, heads):
        """Mostly as it should be; now and then too late, given before, or too dear."""
        chance = self.chance
        self.number += 1
        place = chance.choice(self.PLACES)
        position = heads[place] + 1 + chance.choice([0] * 9 + [1, -1])
        command_id = f"c{self.number}"
        if self.ids and chance.random() < 0.05:
            command_id = chance.choice(self.ids)
        giver, taker = chance.sample(self.ACCOUNTS, 2)
        if chance.random() < 0.4:
            giver = "cash"
        made = moving(command_id, max(position, 1), giver, taker, chance.randint(1, 40), place)
        made.generations = {place: self.generation[place]}
        if chance.random() < 0.3:
            made.secrets = [Secret(name=chance.choice("xyz"), kind="k", secret=f"s{self.number}")]
        if chance.random() < 0.3:
            shuffle = f"o{chance.randint(1, 2 * self.number)}"
            made.openings = [Opening(shuffle=shuffle, stream=place, seed=b"%d" % self.number)]
        return made

    def fits(self, made) -> bool:
        """What the model says of a bundle; it then has it."""
        [(place, expected)] = made.expected.items()
        moved = {each.account: each.amount for each in made.entries}
        is_good = (
            self.heads[place] == expected
            and self.failed.get(place) != made.generations[place]
            and made.command_id not in self.ids
            and all(
                name == "cash" or self.money[name] + amount >= 0 for name, amount in moved.items()
            )
            and not any(each.shuffle in self.openings for each in made.openings)
        )
        if not is_good:
            self.failed[place] = made.generations[place]
            return False
        self.heads[place] += 1
        self.ids.append(made.command_id)
        for name, amount in moved.items():
            self.money[name] += amount
        # What is stored is encrypted in the bundle: the model keeps it as it was given.
        self.secrets |= {each.name: f"s{self.number_of(made)}" for each in made.secrets}
        self.openings |= {each.shuffle: each.seed for each in made.openings}
        return True

    def some(self, heads) -> list:
        """Bundles as they are given by somebody who believes that all before them were stored."""
        group = []
        for _ in range(self.chance.choice([1, 1, 1, 2, 5])):
            made = self.bundle(heads)
            self.given[id(made)] = self.number
            group.append(made)
            heads[made.rows[0].stream] += 1
        return group

    def send_ahead(self, group) -> None:
        if group is not None and self.store._ahead is None:
            self.sent += send_ahead(self.store, group)

    def number_of(self, made) -> str:
        return self.given[id(made)]

    def group(self) -> None:
        """One group, or several of which each is sent while the one before it is stored."""
        heads, self.given = dict(self.heads), {}
        groups = [self.some(heads) for _ in range(self.chance.choice([1, 1, 1, 2, 4]))]
        here = len(groups) == len(groups[0]) == 1 and self.chance.random() < 0.6
        fits = [[self.fits(each) for each in group] for group in groups]
        following = dict(zip(map(id, groups), groups[1:], strict=False))
        killing = threading.Timer(self.chance.uniform(0, 0.004), self.kill)
        if self.chance.random() < 0.05:
            killing.start()
        elif self.chance.random() < 0.03:
            self.kill()
        elif self.chance.random() < 0.03:
            self.cut()
        for group, expected in zip(groups, fits, strict=True):
            following_one = following.get(id(group))
            self.store.meanwhile = partial(self.send_ahead, following_one)
            answers = (self.store.append_here if here else self.store.append)(group)
            assert [answer is None for answer in answers] == expected, (here, answers)
            if self.chance.random() < 0.02:
                self.kill()
        self.store.meanwhile = lambda: None
        killing.cancel()
        for place, generation in self.store.turned_away(self.generation).items():
            if self.chance.random() < 0.7:  # it is read again; else what comes next fails too
                self.generation[place] = generation + 1

    def kill(self) -> None:
        process = self.store.process_id
        if process is not None:
            os.kill(process, signal.SIGKILL)

    def cut(self) -> None:
        """A server ends the connection by which the other process stores; a file has none."""
        database = self.store.database
        if isinstance(database, SharedDatabase):
            for connection in database.writers:
                self.cuts += database.end_connection(connection)

    def beside(self) -> None:
        """What else this process writes, with the connection that stores here."""
        match self.chance.randrange(3):
            case 0:
                place = self.chance.choice(self.PLACES)
                kept = Snapshot(stream=place, position=self.heads[place], state=b"{}")
                self.store.save_snapshots([kept])
            case 1:
                self.refused += 1
                told = refused(f"r{self.refused}")
                self.store.append_refused([told], lost=0, most=1000, most_bytes=2**20)
            case 2:
                mark = CopyMark(copy="copy", folder="folder", held=len(self.ids))
                self.store.copied = mark

    def compare(self) -> None:
        heads = self.store.heads()
        found = {place: heads[place].position if place in heads else 0 for place in self.PLACES}
        assert found == self.heads
        assert {name: self.store.balance(name) for name in self.money} == self.money
        assert {each.name: each.secret for each in self.store.secrets()} == self.secrets
        assert len(list(self.store.refused())) == self.refused
        assert all(chain_is_whole(self.store, place) for place in heads)
