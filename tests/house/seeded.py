"""A source of chance that can be repeated: for tests only."""

import hashlib


class Seeded:
    """The same bytes for the same seed, in the same order however they are asked for."""

    def __init__(self, seed: int | str) -> None:
        self.seed = str(seed).encode()
        self.blocks = 0
        self.rest = b""

    def take(self, count: int) -> bytes:
        while len(self.rest) < count:
            block = self.seed + b"/" + str(self.blocks).encode()
            self.rest += hashlib.shake_256(block).digest(4096)
            self.blocks += 1
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken
