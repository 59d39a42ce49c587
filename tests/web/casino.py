"""The casino that the browser tests play in: the demonstration without bots, dealt quickly, with
further tables so that each test has one for itself.

Run as a program with a folder for its database, and the word `few` where those further tables are
to be fewer; it prints its address and serves until stopped.
"""

import sys
from pathlib import Path

from msgspec import structs

from croupier.live.config import Config, ServerConfig
from croupier.live.demonstration import demonstration
from croupier.live.server import serve

PACE = 0.05
"""The dealer takes a twentieth of a person's time."""
BY_HAND = {"dealing": "by-hand", "acting": "device"}
REAL = {"dealing": "by-hand", "shoe": "reported"}
"""A person deals real cards, and enters what players are seen to do."""
FURTHER = {"Raffles": 60, "Clarke": 8, "Orchard": 8, "Marina-1": 24, "Sentosa-1": 8}
"""How many more tables there are like these: `Raffles 2` and so on."""
FEW = {"Raffles": 26, "Clarke": 2, "Orchard": 3, "Marina-1": 16, "Sentosa-1": 3}
"""The same for the normal set of tests: each of them is shown in the lobby and in the pit, which is
most of the work of those pages."""


def quick(folder: Path, further: dict[str, int]) -> Config:
    """The demonstration's tables and their likes, with nobody at them."""
    database = f"sqlite:///{folder / 'croupier.sqlite3'}"
    shown = demonstration(ServerConfig(port=0, database=database, log="off"))
    tables = {name: structs.replace(table, bots=0) for name, table in shown.tables.items()}
    raffles = tables["Raffles"]
    by_hand = structs.replace(raffles, settings={**raffles.settings, **BY_HAND})
    tables |= {f"By hand {number}": by_hand for number in range(1, 4)}
    seen = structs.replace(raffles, settings={**raffles.settings, **REAL, "straddle": False})
    tables["Nine"] = structs.replace(raffles, settings={**raffles.settings, "seats": 9})
    marina = tables["Marina-1"]
    boxes = structs.replace(marina, settings={**marina.settings, **REAL})
    tables |= {f"Seen {number}": seen for number in range(1, 9)} | {"Boxes": boxes}
    for name, more in further.items():
        tables |= {f"{name} {number}": tables[name] for number in range(2, more + 2)}
    clocks = structs.replace(
        shown.clocks, pace=PACE, between_rounds=16, to_act=60, showdown=80, bets=60
    )
    return structs.replace(shown, tables=tables, clocks=clocks)


def announce(addresses: list[str]) -> None:
    """Tell the test where the casino is."""
    sys.stdout.write(f"{addresses[0]}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    wanted = FEW if sys.argv[2:] == ["few"] else FURTHER
    serve(quick(Path(sys.argv[1]), wanted), announce=announce, browser=False)
