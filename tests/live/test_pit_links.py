"""Jackpot links at the pit console: awards paid in order, their slips, the witness, the
self-check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.awards import Awards
from croupier.jackpot.events import AwardPaidAgain, AwardTakenBack
from croupier.table import BadCommand
from tests.live.accounts import CLOCKS, claims, log_in
from tests.live.conftest import Running, running
from tests.live.lucky import founded, lucky
from tests.live.test_pit import Console, config, posted


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return founded(tmp_path, monkeypatch)


@pytest.fixture
def house(folder: Path) -> Iterator[Running]:
    with lucky(folder) as opened:
        yield opened


def ordered(console: Console, **command: Any) -> tuple[int, dict[str, Any]]:
    """An order at the link."""
    id = f"{console.client.name}-{command['do'].replace(' ', '-')}"
    return posted(console.client, "/api/links/Marina/commands", {"id": id, "command": command})


def paid(house: Running) -> tuple[Console, list[dict[str, Any]]]:
    """Ann and Bob claim at two tables, and Max pays in the order of the deal."""
    for name, place in (("Ann", "M1"), ("Bob", "M2")):
        claims(log_in(house, name), place)
    max_ = Console(house, "Max")
    assert ordered(max_, do="pay claims")[0] == 200
    [asked] = [d for d in max_.get("/decisions")["decisions"] if d["at"] == "link"]
    status, done = max_.post(f"/decisions/Marina/{asked['decision']}", option="as dealt")
    assert status == 200, done
    return max_, list(reversed(max_.get("/links/Marina")["awards"]))


def test_two_claims_of_two_tables_are_paid_in_order_with_slips_and_a_witness(
    house: Running,
):
    max_, [first, second] = paid(house)
    assert (first["table"], second["table"]) == ("M1", "M2")
    assert first["dealt"] < second["dealt"]
    assert second["meter_before"] == first["meter_after"], "each from what the one before left"
    assert (first["paid_by"], first["post"], first["witness"]) == ("Max", "pit manager", None)
    slip = max_.get(f"/links/Marina/awards/{first['award']}")
    assert (slip["player"], slip["percent"], slip["line"]) == (
        "Ann",
        "10",
        "Major: Straight Flush 10 percent",
    )
    assert (slip["hand"], slip["board"][:3]) == (["9h", "8h"], ["7h", "6h", "5h"])
    assert slip["cites"][0]["says"]
    assert slip["mine"] is False
    assert slip["barred"] == "You have paid it; somebody else witnesses it."
    path = f"/links/Marina/awards/{first['award']}/witness"
    status, said = max_.post(path)
    assert (status, "somebody else" in said["says"]) == (409, True)
    status, said = Console(house, "Dan").post(path)
    assert (status, said["is"]) == (409, "refused"), "a dealer is no witness"
    sue = Console(house, "Sue")
    waits = next(link for link in sue.get()["links"] if link["link"] == "Marina")["waits"]
    assert [(w["kind"], w["mine"], w["award"]) for w in waits] == [
        ("witness", True, first["award"]),
        ("witness", True, second["award"]),
    ]
    status, said = sue.post(path)
    assert status == 200, said
    assert (said["witness"]["by"], said["witness"]["post"]) == ("Sue", "pit supervisor")
    status, said = Console(house, "Sid").post(path)
    assert (status, said["says"].startswith("Sue (pit supervisor) has witnessed it")) == (409, True)
    status, said = sue.post("/links/Marina/awards/1/witness")
    assert (status, "no award 1" in said["says"]) == (422, True)
    told = [e for e in house.casino.house.reader.rows("office") if b"award witnessed" in e.event]
    assert len(told) == 1


def test_who_has_ordered_a_payment_is_no_witness_though_another_said_in_which_order(
    house: Running,
):
    """Sam asks for the payment, Max says in which order: both have had a hand in it."""
    for name, place in (("Ann", "M1"), ("Bob", "M2")):
        claims(log_in(house, name), place)
    sam, max_ = Console(house, "Sam"), Console(house, "Max")
    assert ordered(sam, do="pay claims")[0] == 200
    [asked] = [d for d in max_.get("/decisions")["decisions"] if d["at"] == "link"]
    assert max_.post(f"/decisions/Marina/{asked['decision']}", option="as dealt")[0] == 200
    award = sam.get("/links/Marina")["awards"][-1]
    assert (award["paid_by"], award["barred"][:12]) == ("Max", "You have pai")
    [wait, _] = [w for w in sam.get()["links"][0]["waits"] if w["kind"] == "witness"]
    assert (wait["mine"], wait["whom"]) == (False, "a Pit Supervisor or above, not Sam or Max")
    for console in (sam, max_):
        status, said = console.post(f"/links/Marina/awards/{award['award']}/witness")
        assert (status, "somebody else" in said["says"]) == (409, True)
    assert Console(house, "Sue").post(f"/links/Marina/awards/{award['award']}/witness")[0] == 200


def test_the_table_of_a_claim_says_who_pays_it(house: Running):
    """Also to the dealer, whose page said only that nothing is to be dealt; the payment itself
    waits at the link, once."""
    claims(log_in(house, "Ann"), "M1")
    max_ = Console(house, "Max")
    [wait] = max_.tile("M1")["waits"]
    assert (wait["kind"], wait["whom"], wait["mine"]) == (
        "payment",
        "a Pit Manager or above",
        False,
    )
    assert max_.tile("M2")["waits"] == []
    assert max_.get()["mine"] == 1


def test_a_change_that_wants_a_second_person_waits_for_one(house: Running):
    """On the floor of whoever may approve it, and not for who has proposed it."""
    max_, mia = Console(house, "Max"), Console(house, "Mia")

    def waiting(one: Console) -> list[tuple[str, bool]]:
        [link] = [link for link in one.get()["links"] if link["link"] == "Marina"]
        return [(wait["says"], wait["mine"]) for wait in link["waits"]]

    assert ordered(max_, do="close link")[0] == 200
    assert ordered(max_, do="propose parameters", ceiling=9_000_000, reason="new")[0] == 200
    says = "Max proposes other parameters: somebody else approves."
    assert (waiting(max_), waiting(mia)) == ([(says, False)], [(says, True)])
    assert ordered(mia, do="approve", proposal=1)[0] == 200
    assert waiting(mia) == []


def test_an_award_of_long_ago_has_its_slip_too(house: Running):
    _, [award, *_] = paid(house)
    of_house, number = house.casino.house, award["award"]
    known = house.casino.casino.awards.find("Marina", number)
    later = Awards(of_house)
    later._read["Marina"] = of_house.positions["Marina"]  # as if the log had grown long since
    assert later.find("Marina", number) == known
    assert later.of("Marina") == []
    with pytest.raises(BadCommand, match="has paid no award"):
        later.find("Marina", number - 1)


def test_a_slip_says_the_same_after_a_restart(folder: Path):
    with lucky(folder) as first:
        max_, [award, _] = paid(first)
        Console(first, "Sue").post(f"/links/Marina/awards/{award['award']}/witness")
        before = max_.get(f"/links/Marina/awards/{award['award']}")
    with running(folder, config(), clocks=CLOCKS) as second:
        after = Console(second, "Max").get(f"/links/Marina/awards/{award['award']}")
    assert after == before
    assert after["witness"]["by"] == "Sue"


def test_the_self_check_and_the_counts(house: Running):
    max_ = Console(house, "Max")
    claims(log_in(house, "Ann"))
    work = max_.get("/links/Marina")
    assert work["counts"] == {"M1": 1, "M2": 0}
    assert all(check["holds"] for check in work["checks"]), work["checks"]
    assert work["parameters"]["reset_value"] > 0
    status, told = ordered(max_, do="reconcile", counts=work["counts"])
    assert (status, told["told"]) == (
        200,
        ["The tables' counts of jackpot stakes agree with the controller's."],
    )


def test_an_award_that_was_taken_back_waits_for_no_witness(house: Running):
    """1.20: its round was made void; if that is undone, the award stands again."""
    sam, awards = Console(house, "Sam"), house.casino.casino.awards
    _, [first, second] = paid(house)
    of = {"table": first["table"], "round": first["round"], "box": first["box"]}
    gone = {**of, "line": awards.find("Marina", first["award"]).event.line, "paid": first["paid"]}
    row = next(iter(house.casino.house.reader.rows("Marina")))

    def asked_for() -> set[int]:
        waits = sam.get()["links"][0]["waits"]
        return {wait["award"] for wait in waits if wait["kind"] == "witness"}

    assert asked_for() == {first["award"], second["award"]}
    with house.casino.house.lock:
        awards._note("Marina", row, AwardTakenBack(**gone, cites=()))
    assert asked_for() == {second["award"]}
    assert {a["award"]: a["taken_back"] for a in sam.get("/links/Marina")["awards"]} == {
        first["award"]: True,
        second["award"]: False,
    }
    assert sam.get(f"/links/Marina/awards/{first['award']}")["taken_back"] is True
    status, said = sam.post(f"/links/Marina/awards/{first['award']}/witness")
    assert (status, "was taken back" in said["says"]) == (409, True)
    with house.casino.house.lock:
        awards._note("Marina", row, AwardPaidAgain(**gone, cites=()))
    assert asked_for() == {first["award"], second["award"]}
