"""A bot: it enters, sits down, plays some rounds of any of the five games, and goes.

    python3 examples/bot.py http://127.0.0.1:8017 Raffles "Deep Green" 3

It does what it likes best of what it is offered, and says so in a line for each round. The
protocol is docs/protocol.md.
"""

import http.cookiejar
import json
import sys
import urllib.request
import uuid

from websockets.sync.client import connect

LIKES = ("look", "place ante", "flop bet", "check", "call", "decline straddle", "fold")


def choose(view: dict, seat: int, name: str, poker: bool, last: int) -> dict | None:
    """What to do now at one's own seat or box; None to wait."""
    here = view["seats" if poker else "boxes"][str(seat)]
    offers = {o["do"]: o for o in (view["offers"].get(str(seat), ()) if poker else here["may"])}
    bets, over = here.get("active") or here.get("stakes"), view["round"] > last
    for do in LIKES:
        if do in offers and not (do == "place ante" and (bets or over)):
            amount = {"amount": offers[do]["least"]} if do == "place ante" else {}
            return {"do": do, "seat" if poker or do == "look" else "box": seat, **amount}
    leave = {"do": "leave", "seat": seat} if poker else {"do": "leave", "player": name}
    return leave if over and not bets else None


def tell(view: dict, name: str, poker: bool, did: list[str]) -> None:
    """Say in a line what was done in the round of this view, and what is left after it."""
    chips = view["seats"][str(view["yours"][0])]["stake"] if poker else view["chips"]
    what = ", ".join(did) or "nothing to do"
    sys.stdout.write(f"{name}, round {view['round']}: {what}; {chips / 100:,.2f} in chips\n")


def play(casino: str, table: str, name: str, rounds: int) -> dict:
    """Play so many rounds; return the account as it is afterwards."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def ask(path: str, body: bytes | None = None, **headers: str) -> dict:
        return json.load(browser.open(urllib.request.Request(casino + path, body, headers)))

    sent = {"X-Croupier-Token": ask("/api/me")["token"], "Content-Type": "application/json"}
    ask("/api/enter", json.dumps({"name": name, "bot": True}).encode(), **sent)
    cookie = {"Cookie": "; ".join(f"{c.name}={c.value}" for c in jar)}
    asked = command = refused = basis = last = view = None
    did: list[str] = []
    with connect(f"ws{casino[4:]}/ws?place={table}", additional_headers=cookie) as socket:
        poker = json.loads(socket.recv())["game"] == "poker"
        for message in map(json.loads, socket):
            if "view" in message:
                before, view, refused = view, message["view"], None
                if last and view["round"] > before["round"] and "leave" not in did:
                    tell(before, name, poker, did)
                    did.clear()
            if message["is"] == "answer":
                did.append(command["do"])
            if message["is"] in ("answer", "refused", "error"):
                asked, refused = None, command if view is basis else None  # not twice on one view
            if view is None or asked:
                continue
            if view["yours"]:
                last = last or view["round"] + rounds
                command = choose(view, view["yours"][0], name, poker, last)
            elif last:
                break  # has left
            else:
                free = min({*range(1, 99)} - {int(n) for n in view["seats" if poker else "boxes"]})
                seat, chips = ("seat", "stake") if poker else ("box", "chips")
                command = {"do": "sit", seat: free, "player": name, chips: 50_000}
            if command and command != refused:
                asked, basis = str(uuid.uuid4()), view
                socket.send(json.dumps({"id": asked, "place": table, "command": command}))
    return ask("/api/me")


if __name__ == "__main__":
    casino, table, name, rounds = sys.argv[1:]
    sys.stdout.write(f"{play(casino, table, name, int(rounds))}\n")
