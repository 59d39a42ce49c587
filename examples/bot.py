"""A bot: it enters, sits down, plays some rounds of any of the five games, and goes.

    .venv/bin/python examples/bot.py ws://127.0.0.1:8017 Raffles "Deep Green" 3

It takes up what it likes best of what it is offered, and says so in a line for each round. It
needs `websockets` and nothing of croupier. The protocol is docs/protocol.md.
"""

import json
import sys
from collections.abc import Iterator
from urllib.parse import urlencode

from websockets.sync.client import connect

LIKES = "look", "place ante", "ready", "flop bet", "check", "call", "decline straddle", "fold"


def play(casino: str, table: str, name: str, rounds: int) -> Iterator[str]:
    """Play so many rounds and leave; a line for each round, and for what is not allowed."""
    played, now, did = 0, 0, []
    with connect(f"{casino}/ws?{urlencode({'place': table, 'bot': name})}") as socket:
        for message in map(json.loads, socket):
            if message["is"] in ("refused", "error", "bye"):
                yield f"{name} is told: {message['says']}\n"
            offers = {offer["do"]: offer["send"] for offer in reversed(message.get("offers", ()))}
            if message["is"] == "bye" or ("sit" in offers and played >= rounds):
                return  # it is not let in, or it has left
            if did and message.get("round", 0) > now:
                yield f"{name}, round {now}: {', '.join(did)}; {message['chips'] / 100:.2f} chips\n"
                did, played = [], played + 1 if message["chips"] else rounds  # broke: it goes
            now = message.get("round", now)
            for do in ("sit", "decide", *LIKES) if played < rounds else ("leave", *LIKES):
                if do in offers:
                    socket.send(json.dumps(offers[do]))
                    did += [do] if do != "sit" else []
                    break


if __name__ == "__main__":
    try:
        sys.stdout.writelines(play(*sys.argv[1:4], rounds=int(sys.argv[4])))
    except (OSError, IndexError) as error:
        sys.exit(f"{sys.argv[1]} does not answer: {error}" if sys.argv[4:] else __doc__)
