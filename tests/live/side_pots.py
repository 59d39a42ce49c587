"""A poker hand with side pots and a ruling, played at a House for money."""

from __future__ import annotations

import time
import uuid
from typing import Any

from tests.live.accounts import log_in
from tests.live.conftest import PASSWORD, Client, Running

PLACE = "Raffles"
STAKES = {"Ann": 20_000, "Bob": 40_000, "Cyn": 100_000}


def side_pots(house: Running) -> dict[str, Client]:
    """Ann, Bob and Cyn go All-in with different stakes; before that Ann shows a card, which a Pit
    Manager reports. Returns them, once the round is over."""
    office = house.casino.casino
    if "Cyn" not in office.office.state.people:
        assert office.open_account("Cyn", PASSWORD, who="Cal").refused is None
        assert office.cash_in("Cyn", 200_000, who="Cal").refused is None
    players = {name: log_in(house, name) for name in STAKES}
    max_ = log_in(house, "Max")
    tables = {name: client.at(PLACE) for name, client in players.items()}
    for seat, (name, stake) in enumerate(STAKES.items(), 1):
        answer = tables[name].do(do="sit", seat=seat, player=name, stake=stake)
        assert answer["is"] == "answer", answer
    reported = False
    while True:
        view = players["Ann"].get(f"/api/tables/{PLACE}/view")["view"]
        if reported and view["status"] != "betting" and view["settlement"]:
            break
        seats = view["seats"]
        if not reported and view["status"] == "betting" and seats["1"]["cards"]:
            for seat, name in enumerate(STAKES, 1):
                tables[name].do(do="look", seat=seat)
            report_shown(house, max_)
            reported = True
        elif reported and view["turn"]:
            name = seats[str(view["turn"])]["player"]
            tables[name].do(do="all in", seat=view["turn"])
        else:
            answer_what_is_asked(view, tables)
            time.sleep(0.02)
    for seat, name in enumerate(STAKES, 1):
        tables[name].do(do="leave", seat=seat)
    return players


def report_shown(house: Running, max_: Client) -> None:
    """A Pit Manager reports that Ann has shown her first card to everybody."""
    table: Any = house.casino.house.pit.tables[PLACE]
    card = str(table.state.round.players[1].cards[0])
    report = {"do": "report shown", "seat": 1, "cards": [card]}
    body = {"id": uuid.uuid4().hex, "command": report}
    answer = max_.post(f"/api/tables/{PLACE}/commands", body)
    assert answer["is"] == "answer", answer


def answer_what_is_asked(view: dict[str, Any], tables: dict[str, Any]) -> None:
    """Nobody straddles; whoever may choose whether to show, shows."""
    for seat, offers in view["offers"].items():
        name = view["seats"][seat]["player"]
        for offer in offers:
            if offer["do"] in ("decline straddle", "show hand"):
                tables[name].do(do=offer["do"], seat=int(seat))
