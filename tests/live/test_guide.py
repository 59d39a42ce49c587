"""The guide says what a player could reckon himself, of what he sees, and never for money."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from croupier.cards import read_cards
from croupier.rulebooks import hole_class
from croupier.table import write_money
from tests.live.conftest import QUICK, Running, running

pytest.importorskip("croupier.lab")

from croupier.live.bots.banked_strategy import flop_bets  # needs the lab


def test_what_it_says_at_a_banked_table(house: Running):
    ann = house.enter("Ann")
    table = ann.at("Marina-1")
    table.do(do="sit", box=1, player="Ann", chips=50_000)
    path = "/api/tables/Marina-1/guide"
    assert ann.get(path) == {"says": []}
    table.until_view(lambda v: v["status"] == "bets open")
    table.do(do="place ante", box=1, amount=500)
    table.send({"ready": True})
    table.until_view(lambda v: v["window"] == "flop")
    assert ann.get(path)["says"] == ["You have not looked at these cards."]
    table.do(do="look", seat=1)
    [said] = ann.get(path)["says"]
    shown = ann.get("/api/tables/Marina-1/view")["view"]["boxes"]["1"]["cards"]
    worth = flop_bets()[hole_class(*read_cards(" ".join(shown)))]
    better, other = ("Flop bet", "Fold") if worth > -1 else ("Fold", "Flop bet")
    costs = write_money(round(abs(worth + 1) * 500))
    assert said == f"{better} is better: {other} would cost {costs} on average."
    table.do(do="flop bet", box=1)
    table.until_view(lambda v: v["window"] == "turn" and v["boxes"]["1"]["may"])
    [said] = ann.get(path)["says"]
    assert "would cost" in said
    assert house.enter().get(path) == {"says": []}, "who watches is told nothing"


def test_what_it_says_at_a_poker_table(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",), clocks=structs.replace(QUICK, to_act=60)) as house:
        guests = [house.enter(name) for name in ("Ann", "Ben")]
        tables = [guest.at("Raffles") for guest in guests]
        for seat, (guest, table) in enumerate(zip(guests, tables, strict=True), 1):
            table.do(do="sit", seat=seat, player=guest.name, stake=50_000)
        view = tables[0].until_view(lambda v: v["status"] == "betting" and v["turn"])["view"]
        first = view["turn"] - 1
        tables[first].do(do="look", seat=first + 1)
        strength, odds, allowed = guests[first].get("/api/tables/Raffles/guide")["says"]
        assert "at random it wins" in strength
        assert odds == "To call costs 5 for a pot of 15: it pays from 25% on."
        assert allowed.startswith("The book allows now: ")
        assert guests[1 - first].get("/api/tables/Raffles/guide") == {"says": []}
