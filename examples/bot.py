"""A bot: it enters, sits down, plays some rounds of any of the five games, and goes.

    python3 examples/bot.py http://127.0.0.1:8017 Raffles "Deep Green" 3

It does what it likes best of what it is offered. The protocol is docs/protocol.md.
"""

import http.cookiejar
import json
import sys
import urllib.request
import uuid

from websockets.sync.client import connect

LIKES = ("look", "place ante", "flop bet", "check", "call", "decline straddle", "fold")


def choose(view: dict, place: int, word: str, leave: dict, last: int) -> dict | None:
    """What to do now at one's own seat or box; None to wait."""
    here = view.get("seats", view.get("boxes"))[str(place)]
    offers = {o["do"]: o for o in view.get("offers", {}).get(str(place), here.get("may", ()))}
    if here.get("stakes") or view["round"] > last:
        offers.pop("place ante", None)  # it lies there already, or it is time to go
    liked = next((offers[do] for do in LIKES if do in offers), None)
    if liked is None:
        done = view["round"] > last and not here.get("active") and not here.get("stakes")
        return leave if done else None
    amount = {"amount": liked["least"]} if liked["do"] == "place ante" else {}
    return {"do": liked["do"], "seat" if liked["do"] == "look" else word: place, **amount}


def play(casino: str, table: str, name: str, rounds: int) -> dict:
    """Play at least so many rounds; return the account as it is afterwards."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def ask(path: str, body: bytes | None = None, **headers: str) -> dict:
        with browser.open(urllib.request.Request(f"{casino}{path}", body, headers)) as answer:
            return json.load(answer)

    sent = {"X-Croupier-Token": ask("/api/me")["token"], "Content-Type": "application/json"}
    ask("/api/enter", json.dumps({"name": name, "bot": True}).encode(), **sent)
    cookie = {"Cookie": "; ".join(f"{c.name}={c.value}" for c in jar)}
    asked = command = refused = last = view = None
    with connect(f"ws{casino[4:]}/ws?place={table}", additional_headers=cookie) as socket:
        poker = json.loads(socket.recv())["game"] == "poker"
        word, chips = ("seat", "stake") if poker else ("box", "chips")
        for message in map(json.loads, socket):
            if message["is"] == "error":
                raise SystemExit(message["says"])
            if "view" in message:
                view, refused = message["view"], None
            if message["is"] in ("answer", "refused"):
                asked, refused = None, command if message["is"] == "refused" else None
            if view is None or asked:
                continue
            if view["yours"]:
                me, last = view["yours"][0], last or view["round"] + rounds
                leave = {"do": "leave", **({"seat": me} if poker else {"player": name})}
                command = choose(view, me, word, leave, last)
            elif last is not None:
                break  # has left
            else:
                taken = view.get("seats", view.get("boxes"))
                free = min(n for n in range(1, 99) if str(n) not in taken)
                command = {"do": "sit", word: free, "player": name, chips: 50_000}
            if command and command != refused:
                asked = str(uuid.uuid4())
                socket.send(json.dumps({"id": asked, "place": table, "command": command}))
    return ask("/api/me")


if __name__ == "__main__":
    casino, table, name, rounds = sys.argv[1:]
    sys.stdout.write(f"{play(casino, table, name, int(rounds))}\n")
