"""Recall: a player finds his own cards and his own result in a past round, and nobody else's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.software import HOUSE
from croupier.poker.irregularities.commands import ReportInterruption
from croupier.table import ActorRank
from tests.live.conftest import QUICK, AtTable, Client, Running, running

LIKES = "flop bet", "check", "call", "decline straddle", "muck", "fold"


def playing(house: Running, place: str, *names: str) -> tuple[list[Client], dict[str, set[str]]]:
    """These play until their third round begins; which cards each of them saw in his hand."""
    clients = [house.enter(name) for name in names]
    at = [client.at(place) for client in clients]
    banked = place.startswith("Marina")
    for number, (client, table) in enumerate(zip(clients, at, strict=True), 1):
        where = {"box": number, "chips": 100_000} if banked else {"seat": number, "stake": 20_000}
        assert table.do(do="sit", player=client.name, **where)["is"] == "answer"
    saw: dict[str, set[str]] = {client.name: set() for client in clients}
    rounds = 0
    while rounds < 3:
        for number, (client, table) in enumerate(zip(clients, at, strict=True), 1):
            view = client.get(f"/api/tables/{place}/view")["view"]
            rounds = max(rounds, view["round"] or 0)
            mine = view["boxes" if banked else "seats"].get(str(number), {})
            if rounds == 1:
                saw[client.name] |= set(mine.get("cards", ())) - {"??"}
            offers = {each["do"] for each in (mine.get("may") if banked else None) or ()}
            offers |= {each["do"] for each in (view.get("offers") or {}).get(str(number), ())}
            act(table, banked=banked, number=number, offers=offers, view=view)
    return clients, saw


def act(table: AtTable, *, banked: bool, number: int, offers: set[str], view: Any) -> None:
    """Do what comes first of what is offered."""
    where = {"box": number} if banked else {"seat": number}
    if banked and view["status"] == "bets open":
        box = view["boxes"][str(number)]
        if not box["stakes"]:
            table.give(do="place ante", box=number, player=box["player"], amount=500)
        return
    unseen = not banked and view["seats"][str(number)]["cards"] == ["??", "??"]
    if "look" in offers or unseen:
        table.do(do="look", seat=number)
        return
    for do in LIKES:
        if do in offers:
            table.give(do=do, **where)
            return


@pytest.mark.parametrize("place", ["Raffles", "Clarke", "Marina-1"])
def test_a_past_round_tells_a_player_his_own_cards_and_result_and_nobody_elses(
    tmp_path: Path, place: str
):
    with running(tmp_path, tables=(place,)) as house:
        (ann, ben), saw = playing(house, place, "Ann", "Ben")
        assert len(saw["Ann"]) == len(saw["Ben"]) == 2
        for client in (ann, ben):
            first = client.get(f"/api/tables/{place}/rounds")["rounds"][-1]
            assert first["round"] == 1
            (cards,) = first["yours"]["cards"].values()
            assert set(cards) == saw[client.name]
            events = client.get(f"/api/tables/{place}/rounds/1")["events"]
            own = [e for e in events if e["event"]["event"] == "looked"]
            told = [e["told"] for e in own if "??" not in e["event"]["cards"]]
            assert len(told) == 1
            assert told[0].startswith(f"{client.name} looks at their cards: ")
            others = next(e["told"] for e in own if "??" in e["event"]["cards"])
            assert others.endswith("looks at their cards."), "nothing of the other's hand"
        watching = house.enter()
        assert all(
            each["yours"] is None for each in watching.get(f"/api/tables/{place}/rounds")["rounds"]
        )
        firsts = [c.get(f"/api/tables/{place}/rounds")["rounds"][-1] for c in (ann, ben)]
        nets = [first["yours"]["net"] for first in firsts]
        if place == "Marina-1":
            for name, net in zip(("Ann", "Ben"), nets, strict=True):
                does = "wins" if net > 0 else "loses"
                result = f"{name} {does} {abs(net) // 100}." if net else f"{name} comes out even."
                assert result in firsts[0]["told"]
        else:
            rake = house.casino.house.pit.tables[place].holdings()["rake"]
            assert 0 <= -sum(nets) <= rake, "what one wins the other loses, less the Rake"
            assert any(nets)


@pytest.mark.parametrize("place", ["Raffles", "Marina-1"])
def test_after_a_restart_past_rounds_are_told_as_before_it(tmp_path: Path, place: str):
    """By name; to each with his own cards. What a round brought is not counted again."""

    def told(client: Client) -> Any:
        path = f"/api/tables/{place}/rounds"
        rounds = [each for each in client.get(path)["rounds"] if each["round"] < 3]
        parts = [each.pop("yours") for each in rounds]
        cards = [part and part["cards"] for part in parts]
        events = [client.get(f"{path}/{each['round']}")["events"] for each in rounds]
        return rounds, cards, [event for one in events for event in one]

    with running(tmp_path, tables=(place,)) as house:
        (ann, _), _ = playing(house, place, "Ann", "Ben")
        before = told(ann)
        assert any("Ben" in event["told"] for event in before[2])
        saved = ann.jar
    with running(tmp_path, tables=(place,)) as house:
        again = house.enter()
        again.jar._cookies = saved._cookies  # type: ignore[attr-defined]
        assert told(again) == before


def test_what_the_clock_did_for_a_player_is_told_so_in_a_recall_too(tmp_path: Path):
    clocks = structs.replace(QUICK, to_act=0.2, straddle=0.2, time_bank=0)
    with running(tmp_path, tables=("Clarke",), clocks=clocks) as house:
        at = [house.enter(name).at("Clarke") for name in ("Ann", "Ben")]
        for seat, (name, table) in enumerate(zip(("Ann", "Ben"), at, strict=True), 1):
            answer = table.do(do="sit", seat=seat, player=name, stake=20_000)
            assert answer["is"] == "answer"
        at[0].until_view(lambda view: view["round"] >= 2, timeout=20)
        heard = [each for message in at[0].heard for each in message.get("events", ())]
        late = {each["position"] for each in heard if each.get("timed_out")}
        assert late
        client = house.enter()
        recalled = client.get("/api/tables/Clarke/rounds/1")["events"]
        assert {each["position"] for each in recalled if each.get("timed_out")} == late


def test_a_round_that_is_void_is_marked_in_the_list(tmp_path: Path):
    with running(tmp_path, tables=("Clarke",)) as house:
        at = [house.enter(name).at("Clarke") for name in ("Ann", "Ben")]
        for seat, (name, table) in enumerate(zip(("Ann", "Ben"), at, strict=True), 1):
            table.do(do="sit", seat=seat, player=name, stake=20_000)
        at[0].until_view(lambda view: view["round"] == 1 and view["turn"])
        stopped = ReportInterruption()
        house.casino.house.give("Clarke", stopped, who=HOUSE, rank=ActorRank.HOUSE)
        at[0].until_view(lambda view: view["round"] == 2)
        rounds = house.enter().get("/api/tables/Clarke/rounds")["rounds"]
        assert [(each["round"], each["voided"]) for each in rounds] == [(2, False), (1, True)]
