"""A table that waits for staff says so in the lobby, and nobody sits down there unwarned."""

from __future__ import annotations

import json
import urllib.error
import uuid
from contextlib import nullcontext
from pathlib import Path
from threading import RLock
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from croupier.banked.commands import CallForRuling
from croupier.house.standing import StandingOrders
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import PayClaims
from croupier.live.config import WatchersConfig
from croupier.live.demonstration import demonstration
from croupier.live.link_orders import LinkOrders
from croupier.live.waits import staff_awaited
from croupier.table import ActorRank, Decide
from tests.house.staff import employ
from tests.jackpot.test_link import Controller, three_claims
from tests.live.conftest import Client, running
from tests.live.standstill import stand_still, unordered

__all__ = ["three_claims"]

SUPERVISOR = "This table waits for a Pit Supervisor or above to decide: The Round of play is void"


def waits(client: Client, place: str) -> Any:
    [table] = [t for t in client.get("/api/lobby")["tables"] if t["place"] == place]
    assert client.get(f"/api/tables/{place}")["table"]["waits"] == table["waits"]
    return table["waits"]


def test_the_lobby_says_whom_a_table_waits_for_and_nobody_sits_down_unwarned(tmp_path: Path):
    with running(tmp_path, unordered(), tables=("Raffles", "Clarke")) as casino:
        stand_still(casino, "Raffles")
        cid = casino.enter("Cid")
        found = waits(cid, "Raffles")
        assert (found["rank"], found["whom"]) == ("pit supervisor", "a Pit Supervisor or above")
        assert found["says"].startswith(SUPERVISOR)
        assert waits(cid, "Clarke") is None

        at = cid.at("Raffles")
        sit = {"do": "sit", "seat": 3, "player": "Cid", "stake": 50_000}
        answer = at.do(**sit)
        assert (answer["is"], answer["code"]) == ("error", "waits for staff")
        assert answer["says"].startswith(SUPERVISOR)
        with pytest.raises(urllib.error.HTTPError) as turned_away:
            cid.post("/api/tables/Raffles/commands", {"id": str(uuid.uuid4()), "command": sit})
        assert turned_away.value.code == 403
        turned_away.value.close()
        assert cid.get("/api/me")["seats"] == []

        told = {"id": str(uuid.uuid4()), "place": "Raffles", "command": sit, "warned": True}
        at.send(told)
        assert at.until("answer")["id"] == told["id"]
        assert cid.get("/api/me")["seats"] == [{"place": "Raffles", "seat": 3}]
        del told["warned"]  # the same again, after a lost connection: he knows by now
        at.send(told)
        assert at.until("answer")["again"] is True


def test_who_watches_later_is_not_told_what_staff_are_asked(tmp_path: Path):
    """The question says what has just happened: whoever sits there learns of it, and nobody else
    before the delay is over."""
    config = structs.replace(unordered(), watchers=WatchersConfig(delay=600))
    with running(tmp_path, config, tables=("Raffles",)) as casino:
        stand_still(casino, "Raffles")
        cid = casino.enter("Cid")
        later = "This table waits for a Pit Supervisor or above."
        assert waits(cid, "Raffles")["says"] == waits(casino.enter(), "Raffles")["says"] == later
        sit = {"do": "sit", "seat": 3, "player": "Cid", "stake": 50_000}
        with pytest.raises(urllib.error.HTTPError) as turned_away:
            cid.post("/api/tables/Raffles/commands", {"id": str(uuid.uuid4()), "command": sit})
        with turned_away.value as told:
            assert json.load(told)["says"] == later
        sue = casino.enter()
        sue.post("/api/staff-door", {"name": "Sue", "post": "pit supervisor"})
        assert waits(sue, "Raffles")["says"].startswith(SUPERVISOR), "staff on duty see it as it is"


def test_who_was_warned_over_http_sits_down_and_bots_need_no_warning(tmp_path: Path):
    with running(tmp_path, unordered(), tables=("Raffles",)) as casino:
        stand_still(casino, "Raffles")
        cid, bot = casino.enter("Cid"), casino.enter("Dot", bot=True)
        sit = {"do": "sit", "seat": 3, "player": "Cid", "stake": 50_000}
        told = {"id": str(uuid.uuid4()), "command": sit, "warned": True}
        assert cid.post("/api/tables/Raffles/commands", told)["is"] == "answer"
        at = bot.at("Raffles")
        assert at.do(do="sit", seat=4, player="Dot", stake=50_000)["is"] == "answer"


def test_a_table_goes_on_and_waits_no_more_once_staff_have_decided(tmp_path: Path):
    with running(tmp_path, unordered(), tables=("Raffles",)) as casino:
        ann = stand_still(casino, "Raffles")
        employ(casino.casino.casino, "Sue", "pit supervisor")
        house = casino.casino.house
        [need] = house.pit.tables["Raffles"].state.waiting
        answer = house.carry_out(
            "Raffles",
            Decide(decision=need.decision, option="confirm"),
            who="Sue",
            rank=ActorRank.PIT_SUPERVISOR,
        )
        assert answer.refused is None
        assert waits(casino.enter("Cid"), "Raffles") is None
        ann.until_view(lambda view: view["round"] == 2)


def test_a_question_that_the_house_has_decided_beforehand_keeps_nobody_waiting(tmp_path: Path):
    slow = structs.replace(demonstration().clocks, pace=10, between_rounds=0.02)
    with running(tmp_path, tables=("Orchard",), clocks=slow) as casino:
        house = casino.casino.house
        ruling = CallForRuling(about="uncovered", says="A chair has fallen.")
        answer = house.carry_out("Orchard", ruling, who="house", rank=ActorRank.DEALER)
        assert answer.refused is None
        assert house.pit.tables["Orchard"].state.waiting, "the order comes in a moment"
        assert waits(casino.enter("Cid"), "Orchard") is None


def test_what_waited_at_a_planned_stop_is_answered_once_there_is_an_order(tmp_path: Path):
    with running(tmp_path, unordered(), tables=("Raffles", "Clarke")) as casino:
        for place in ("Raffles", "Clarke"):
            stand_still(casino, place)
    with running(tmp_path, tables=("Raffles", "Clarke")) as again:
        cid = again.enter("Cid")
        for place in ("Raffles", "Clarke"):
            cid.at(place).until_view(lambda view: view["status"] == "ready")
            assert again.casino.table(place).state.round.voided
            assert waits(cid, place) is None


# ---- at links -----------------------------------------------------------------------------------


class House:
    """So much of the House as a link's orders need."""

    def __init__(self, link: JackpotLink) -> None:
        self.pit = SimpleNamespace(links={"main": link})
        self.lock = RLock()
        self.given: list[tuple[str, str, str, ActorRank]] = []

    def give(self, place: str, command: Decide, *, who: str, rank: ActorRank) -> None:
        self.given.append((place, command.option, who, rank))


def ordered(link: JackpotLink, told: dict[str, Any]) -> list[Any]:
    """What is given at a link that is looked at twice."""
    house = House(link)
    casino: Any = SimpleNamespace(
        house=house,
        casino=SimpleNamespace(orders=StandingOrders(told)),
        stopping=False,
        cluster=None,
        guarded=lambda place: nullcontext(),
        staff_door=SimpleNamespace(decides=lambda place, need: False),
    )
    orders = LinkOrders(casino)
    for _ in range(2):
        orders.look("main")
    return house.given


def test_what_a_link_asks_is_answered_once_by_its_standing_order(three_claims: Controller):
    told = {"jackpot": {"order of payment": "as dealt"}}
    assert ordered(three_claims.link, told) == []
    three_claims.do(PayClaims())
    answered = ("main", "as dealt", "standing orders", ActorRank.PIT_MANAGER)
    assert ordered(three_claims.link, told) == [answered]
    assert ordered(three_claims.link, {}) == []


def test_a_table_whose_jackpot_is_not_paid_waits_for_who_pays_it(three_claims: Controller):
    def awaited(name: str) -> tuple[ActorRank, str] | None:
        table: Any = SimpleNamespace(state=SimpleNamespace(name=name, waiting=[]))
        found = staff_awaited(table, three_claims.link, lambda need: True)
        return found and (found.rank, found.does.partition(":")[0])

    assert awaited("A") == (ActorRank.PIT_MANAGER, "pay the Progressive Jackpot that is claimed.")
    assert awaited("C") is None, "it plays on"
    three_claims.do(PayClaims())
    assert awaited("B") == (ActorRank.PIT_MANAGER, "decide")
    three_claims.do(Decide(decision=1, option="as dealt"))
    assert awaited("A") is None
