"""A crowd at one table: players who do anything that is offered, and people who only watch.

Everything that any of them is sent goes through a `Reader`.
"""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.live.conftest import Client, Running
from tests.live.oracle import Oracle, Reader

STAKE = 60_000


class Somebody:
    """One client at one table, who comes back when he is cut off."""

    def __init__(self, client: Client, place: str, oracle: Oracle, seed: int) -> None:
        self.client = client
        self.place = place
        self.reader = Reader(oracle, client.name)
        self.chance = random.Random(seed)
        self.position: int | None = None
        self.seen: list[int] = []
        self.view: dict[str, Any] = {}
        self.game = ""
        self.asked: str | None = None
        self.refusals: list[str] = []
        self.cut = 0
        self.goes = False

    async def come(self) -> None:
        """Connect and play; now and then drop the line and come back."""
        while not self.goes:
            after = "" if self.position is None else f"&after={self.position}"
            url = f"{self.client.running.url.replace('http', 'ws', 1)}/ws?place={self.place}{after}"
            headers = {"Cookie": self.client.cookie}
            try:
                async with connect(url, additional_headers=headers, max_size=None) as socket:
                    self.asked = None
                    await self.listen(socket)
            except ConnectionClosed:
                pass
            self.cut += 1

    async def listen(self, socket: ClientConnection) -> None:
        while not self.goes:
            try:
                async with asyncio.timeout(0.1):
                    text = await socket.recv()
                assert isinstance(text, str)
                self.note(self.reader.read(text))
                if self.chance.random() < 0.002:
                    return
            except TimeoutError:
                pass  # nothing new: maybe he feels like doing something now
            command = self.wants()
            if command is not None:
                self.asked = f"{self.chance.getrandbits(64):016x}"
                message = {"id": self.asked, "place": self.place, "command": command}
                await socket.send(json.dumps(message))

    def note(self, message: dict[str, Any]) -> None:
        if message["is"] == "hello":
            self.game = message["game"]
        if message.get("id") == self.asked:
            self.asked = None
        if message["is"] in ("refused", "error"):
            self.refusals.append(message["says"])
        if "view" in message:
            self.view = message["view"]
            self.seen += [event["position"] for event in message.get("events", ())]
            self.position = message["position"]

    def wants(self) -> dict[str, Any] | None:
        """What he does now; one thing at a time."""
        return None


class Player(Somebody):
    """Somebody who plays, by chance alone."""

    def wants(self) -> dict[str, Any] | None:
        if not self.view or self.asked is not None:
            return None
        if not self.view["yours"]:
            return self.sit()
        for asked in self.view["decisions"]:
            if asked["yours"]:
                option = self.chance.choice([o["name"] for o in asked["options"] if not o["asks"]])
                return {"do": "decide", "decision": asked["decision"], "option": option}
        return self.at_poker() if self.game == "poker" else self.at_banked()

    def sit(self) -> dict[str, Any] | None:
        if self.chance.random() < 0.5:
            return None
        name = self.client.name
        if self.game == "poker":
            free = [n for n in range(1, 7) if str(n) not in self.view["seats"]]
            seat = self.chance.choice(free or [1])
            return {"do": "sit", "seat": seat, "player": name, "stake": STAKE}
        free = [n for n in range(1, 8) if str(n) not in self.view["boxes"]]
        return {
            "do": "sit",
            "box": self.chance.choice(free or [1]),
            "player": name,
            "chips": STAKE,
        }

    def at_poker(self) -> dict[str, Any] | None:
        seat = self.view["yours"][0]
        here = self.view["seats"][str(seat)]
        idle = not here["active"] and self.view["status"] in ("ready", "between rounds", "betting")
        if idle and (here["stake"] == 0 or self.chance.random() < 0.01):
            return {"do": "leave", "seat": seat}
        if here["cards"] and not here["looked"] and here["active"] and self.chance.random() < 0.4:
            return {"do": "look", "seat": seat}
        offers = self.view["offers"].get(str(seat), ())
        if not offers:
            return None
        gentle = [o for o in offers if o["do"] in ("check", "call", "decline straddle")]
        pick = self.chance.choice(gentle if gentle and self.chance.random() < 0.7 else offers)
        made: dict[str, Any] = {"do": pick["do"], "seat": seat}
        if pick["do"] in ("bet", "raise"):
            steps = (min(pick["most"], pick["least"] * 4) - pick["least"]) // pick["step"]
            made["to"] = pick["least"] + self.chance.randint(0, max(0, steps)) * pick["step"]
        return made

    def at_banked(self) -> dict[str, Any] | None:
        name, boxes = self.client.name, self.view["boxes"]
        free_to_go = self.view["status"] in ("between rounds", "bets open") and not any(
            boxes[str(box)]["stakes"] for box in self.view["yours"]
        )
        if free_to_go and ((self.view["chips"] or 0) < 20_000 or self.chance.random() < 0.01):
            return {"do": "leave", "player": name}
        if self.view["status"] == "bets open" and self.chance.random() < 0.3:
            free = [n for n in range(1, 8) if str(n) not in boxes]
            if free and len(self.view["yours"]) == 1 and (self.view["chips"] or 0) > 30_000:
                return {"do": "place ante", "box": self.chance.choice(free), "amount": 500}
        box = self.chance.choice(self.view["yours"])
        here = boxes[str(box)]
        offers = [o for o in here["may"] if not o["do"].startswith("withdraw")]
        lies = {f"place {bet}" for bet in here["stakes"]}
        offers = [o for o in offers if o["do"] not in lies]
        if not offers or (self.chance.random() < 0.3 and not here["cards"]):
            return None
        pick = self.chance.choice(offers)
        if pick["do"] == "look":
            return {"do": "look", "seat": box}
        made: dict[str, Any] = {"do": pick["do"], "box": box}
        if pick["do"] in ("place ante", "place bonus"):
            made["amount"] = pick["least"]
        return made


async def _until(done: Any, tasks: list[asyncio.Task[None]], seconds: float) -> None:
    """Wait until it is so; whoever fails meanwhile fails for all."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not done():
        assert loop.time() < end, "the tables do not get on"
        await asyncio.wait(tasks, timeout=0.05, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            if task.done():
                task.result()


def play(
    running: Running, places: list[str], rounds: int, *, players: int = 4, seconds: float = 60
) -> dict[str, list[Somebody]]:
    """Let a crowd play so many rounds at each of these tables."""
    crowds: dict[str, list[Somebody]] = {}
    oracles: dict[str, Oracle] = {}
    house = running.casino.house
    for place in places:
        game = running.casino.table(place).book.family
        oracles[place] = Oracle(game, lambda after, place=place: house.reader.rows(place, after))
        crowd: list[Somebody] = [
            Player(running.enter(f"{place} {n}"), place, oracles[place], seed=n)
            for n in range(players)
        ]
        crowd.append(Somebody(running.enter(f"{place} guest"), place, oracles[place], seed=98))
        crowd.append(Somebody(running.enter(), place, oracles[place], seed=99))
        crowds[place] = crowd

    async def evening() -> None:
        tasks = [
            asyncio.create_task(somebody.come()) for crowd in crowds.values() for somebody in crowd
        ]
        try:
            await _until(
                lambda: all(oracle.rounds > rounds for oracle in oracles.values()), tasks, seconds
            )
        finally:
            for crowd in crowds.values():
                for somebody in crowd:
                    somebody.goes = True
            ended, _ = await asyncio.wait(tasks, timeout=20)
            for task in ended:
                task.exception()  # the first one was raised already

    asyncio.run(evening())
    return crowds
