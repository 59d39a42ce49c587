"""A crowd at one table: players who do anything that is offered, and people who only watch.

Everything that any of them is sent goes through a `Reader`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.house.mixing import seed_hash
from croupier.live.patches import patched
from croupier.simulator.cards import Oracle, Reader
from tests.live.conftest import Client, Running

STAKE = 60_000
READY = {"ready": True}


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
        self.asks = "&patches=1" if seed % 2 else ""
        """Every other one takes patches, and now and then asks for the whole view."""
        self.patches = self.compared = 0
        self.fresh = True
        """Whether the next view is the first after the line was lost."""
        self.game = ""
        self.asked: str | None = None
        self.ready: list[str] = []
        self.broke = False
        """Whether his account holds no more: there is new play money for him."""
        self.cut = 0
        self.opened = 0
        """Seeds that he has opened."""
        self.goes = False
        self.socket: ClientConnection | None = None

    async def come(self) -> None:
        """Connect and play; now and then drop the line and come back."""
        while not self.goes:
            after = "" if self.position is None else f"&after={self.position}"
            address = self.client.running.url.replace("http", "ws", 1)
            url = f"{address}/ws?place={self.place}{after}{self.asks}"
            headers = {"Cookie": self.client.cookie}
            try:
                async with connect(url, additional_headers=headers, max_size=None) as socket:
                    self.asked, self.fresh = None, True
                    await self.listen(socket)
            except ConnectionClosed:
                pass
            self.socket = None
            self.cut += 1

    async def listen(self, socket: ClientConnection) -> None:
        self.socket = socket
        async for text in socket:
            assert isinstance(text, str)
            message = self.reader.read(text)
            self.note(message)
            await self.take_part(message.get("shuffle") or message)
            if self.goes or self.chance.random() < 0.002:
                return
            if self.asks and self.chance.random() < 0.05:
                await socket.send(json.dumps({"view": True}))
            await self.act()

    async def act(self) -> None:
        """Do what he feels like doing now, if anything."""
        if self.broke:
            self.broke = False
            await asyncio.to_thread(self.client.post, "/api/refill", {})
        command = self.wants()
        if self.socket is None or command is None:
            return
        if command == READY:
            await self.socket.send(json.dumps(command))
        else:
            self.asked = f"{self.chance.getrandbits(64):016x}"
            message = {"id": self.asked, "place": self.place, "command": command}
            await self.socket.send(json.dumps(message))

    async def take_part(self, message: dict[str, Any]) -> None:
        """Send the hash of a seed for the next shuffle, and open the last one; not always."""
        name = self.client.name
        if message["is"] != "shuffle" or self.socket is None or name is None:
            return
        listed = {each["player"]: each["hash"] for each in message["seeds"]}
        number, following = message["number"], message["next"]
        if message["stage"] == "opening" and name in listed and self.chance.random() < 0.9:
            seed = self.seed_for(number)
            if seed_hash(self.place, number, name, seed).hex() == listed[name]:
                await self.socket.send(json.dumps({"seed": {"number": number, "open": seed.hex()}}))
                self.opened += 1
        if self.view.get("yours"):
            made = seed_hash(self.place, following, name, self.seed_for(following)).hex()
            await self.socket.send(json.dumps({"seed": {"number": following, "hash": made}}))

    def seed_for(self, number: int) -> bytes:
        return hashlib.sha256(f"{self.client.name} {self.place} {number}".encode()).digest()

    async def go(self) -> None:
        """Get up from the screen."""
        self.goes = True
        if self.socket is not None:
            await self.socket.close()

    def note(self, message: dict[str, Any]) -> None:
        if message["is"] == "hello":
            self.game = message["game"]
        if message.get("id") == self.asked:
            self.asked = None
        if message["is"] == "refused" and message["cites"][0]["paragraph"] == "S-27":
            self.broke = True
        self.ready = message.get("ready", self.ready)
        if "patch" in message:
            assert message["from"] == self.position, "no patch is missing"
            message["view"] = patched(self.view, message["patch"])
            self.patches += 1
        elif message["is"] == "view" and message["position"] == self.position and not self.fresh:
            assert message["view"] == self.view, "patches in order are the whole view"
            self.compared += 1
        if "view" in message:
            self.fresh = False
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
        has_bet = any(boxes[str(box)]["stakes"] for box in self.view["yours"])
        may_be_ready = self.view["status"] == "bets open" and has_bet and name not in self.ready
        if may_be_ready and self.chance.random() < 0.5:
            return READY
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


class Evening:
    """Crowds at some tables, until each game has been played so many rounds."""

    def __init__(self, running: Running, places: list[str], rounds: int, players: int) -> None:
        self.rounds = rounds
        self.games: dict[str, str] = {}
        """The rulebook of each table."""
        self.crowds: dict[str, list[Somebody]] = {}
        self.oracles: dict[str, Oracle] = {}
        reader = running.casino.house.reader
        for place in places:
            book = running.casino.table(place).book
            oracle = Oracle(book.family, lambda after, place=place: reader.rows(place, after))
            crowd: list[Somebody] = [
                Player(running.enter(f"{place} {n}"), place, oracle, seed=n) for n in range(players)
            ]
            crowd.append(Somebody(running.enter(f"{place} guest"), place, oracle, seed=98))
            crowd.append(Somebody(running.enter(), place, oracle, seed=99))
            self.games[place], self.oracles[place], self.crowds[place] = book.id, oracle, crowd

    def played(self) -> Counter[str]:
        """Rounds in which cards were dealt and that are over, by rulebook."""
        count: Counter[str] = Counter()
        for place, oracle in self.oracles.items():
            count[self.games[place]] += max(0, oracle.rounds - 1)  # one may be under way
        return count

    async def pass_by(self, seconds: float) -> None:
        """Play it; whoever fails fails for all."""
        tasks = {
            place: [asyncio.create_task(somebody.come()) for somebody in crowd]
            for place, crowd in self.crowds.items()
        }
        end = asyncio.get_running_loop().time() + seconds
        try:
            while playing := self._still_playing():
                assert asyncio.get_running_loop().time() < end, "the tables do not get on"
                busy = [task for place in playing for task in tasks[place]]
                done, _ = await asyncio.wait(
                    busy, timeout=0.05, return_when=asyncio.FIRST_EXCEPTION
                )
                for task in done:
                    task.result()
                await self._stir(playing)
        finally:
            for crowd in self.crowds.values():
                await asyncio.gather(*(somebody.go() for somebody in crowd))
            ended, _ = await asyncio.wait([t for each in tasks.values() for t in each], timeout=20)
            for task in ended:
                task.exception()  # the first one was raised already

    def _still_playing(self) -> list[str]:
        """The tables of the games that have not been played enough."""
        played = self.played()
        return [place for place, game in self.games.items() if played[game] < self.rounds]

    async def _stir(self, playing: list[str]) -> None:
        """Nothing new: maybe somebody feels like doing something now. Who is done goes home."""
        for place, crowd in self.crowds.items():
            for somebody in crowd:
                if place not in playing:
                    await somebody.go()
                else:
                    with suppress(ConnectionClosed):
                        await somebody.act()


def play(
    running: Running, places: list[str], rounds: int, *, players: int = 4, seconds: float = 60
) -> Evening:
    """Let crowds play so many rounds of each game that is played at these tables."""
    evening = Evening(running, places, rounds, players)
    # In a thread of its own: a browser of another test may have left a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, evening.pass_by(seconds)).result()
    return evening
