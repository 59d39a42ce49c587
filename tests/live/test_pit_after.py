"""After a report: what was ruled and by whose authority, undoing it, and the hold before it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from croupier.live.pit_reasons import reasons_for
from croupier.table import ActorRank, Choice, DecisionNeeded
from tests.live.accounts import CLOCKS, claims, log_in
from tests.live.conftest import Running, running
from tests.live.test_pit import (
    FELL,
    INTERRUPTION,
    Console,
    by_hand,
    config,
    folder,
    house,
    play,
    posted,
    staffed,
)
from tests.live.test_staff_door import comes
from tests.live.test_staff_door import house as demonstration
from tests.live.test_staff_door import play as guests_play

__all__ = ["demonstration", "folder", "house"]


# -- what was ruled -------------------------------------------------------------------------------


def test_a_standing_order_that_rules_is_named_to_whoever_has_reported(demonstration: Running):
    """v8 5.16: the demonstration has a standing order for it, and nobody is there who may rule."""
    guests_play(demonstration)
    dan = comes(demonstration, "Dan", "dealer")
    held = posted(dan, "/api/pit/tables/Raffles/hold", {"id": "hold-it-1", "command": FELL})[1]
    body = {"id": "confirm-it-1", "hold": held["hold"]["hold"]}
    status, done = posted(dan, "/api/pit/tables/Raffles/confirm", body)
    assert status == 200, done
    [ruled] = done["ruled"]
    assert ruled["says"] == (
        "The House's standing order “ruling”, in the place of a Shift Manager, rules: continue."
    )
    assert ruled["cites"] == ["5.16.a", "5.16"]
    assert ruled["says"] in done["told"]
    assert not any("must decide" in told for told in done["told"]), "it waits for nobody"
    assert [wait for wait in done["waits"] if wait["kind"] == "decision"] == []
    assert done["undo"] == {
        "may": False,
        "says": "This is for a Shift Manager or above to undo.",
    }


def test_what_a_person_rules_is_said_with_name_rank_and_paragraph(house: Running):
    play(house)
    sue = Console(house, "Sue")
    held = sue.post("/tables/Raffles/hold", command=INTERRUPTION)[1]
    said = {"hold": held["hold"]["hold"], "reason": "the book says so", "pause": True}
    status, done = sue.post("/tables/Raffles/confirm", **said)
    assert status == 200, done
    [ruled] = done["ruled"]
    assert ruled["says"] == (
        "Sue (pit supervisor) confirms that the round is void, because the book says so."
    )
    assert "5.1.2" in ruled["cites"]
    assert "discretion" in done["undo"]["says"], "why it cannot be undone"
    assert sue.tile()["hold"] is None, "nobody waits for what cannot be"


# -- undoing it -----------------------------------------------------------------------------------


def test_after_a_ruling_the_table_waits_a_moment_so_that_it_can_be_undone(house: Running):
    play(house)
    sam, max_ = Console(house, "Sam"), Console(house, "Max")
    held = sam.post("/tables/Raffles/hold", command=FELL)[1]
    sam.post("/tables/Raffles/confirm", hold=held["hold"]["hold"])
    [asked] = sam.get("/decisions")["decisions"]
    said = {"option": "void", "reason": "x", "pause": True}
    status, done = sam.post(f"/decisions/Raffles/{asked['decision']}", **said)
    assert (status, done["undo"]["may"]) == (200, True), done
    hold = done["hold"]
    assert (hold["mine"], hold["command"]) == (True, {})
    assert "undone" in hold["says"]
    before = house.casino.house.positions["Raffles"]
    time.sleep(0.5)
    assert house.casino.house.positions["Raffles"] == before, "nothing goes on meanwhile"
    sid = Console(house, "Sid")
    late = {"option": "continue", "reason": "y", "pause": True}
    status, told = sid.post(f"/decisions/Raffles/{asked['decision']}", **late)
    assert (status, told["code"]) == (409, "taken"), "the second one is told who was first"
    listed = max_.get("/tables/Raffles/reports")
    assert listed["undo"] is False
    assert listed["undo_says"] == "This is for a Shift Manager or above to undo."
    assert sam.post("/tables/Raffles/hold/keep", hold=hold["hold"])[0] == 200
    undo = {"do": "undo ruling", "reason": "the card was found"}
    status, held = sam.post("/tables/Raffles/hold", command=undo)
    assert status == 200, held
    status, done = sam.post("/tables/Raffles/confirm", hold=held["hold"]["hold"], pause=True)
    assert (status, done["hold"]) == (200, None), done
    assert sam.tile()["stage"] == "betting"


# -- the hold that begins with the look -----------------------------------------------------------


def test_who_looks_for_what_to_report_holds_the_table(house: Running):
    ann = play(house)
    dan, sue, deb = (Console(house, name) for name in ("Dan", "Sue", "Deb"))
    status, looked = dan.post("/tables/Raffles/look")
    assert status == 200, looked
    hold = looked["hold"]
    assert (hold["mine"], hold["command"], hold["says"]) == (
        True,
        {},
        "looking for what to report",
    )
    assert "report interruption" in {each["do"] for each in looked["reports"]["reports"]}
    assert ann.until("clock", held=True)["clock"] is None
    status, said = sue.post("/tables/Raffles/look")
    assert (status, "Dan (dealer) holds table Raffles" in said["says"]) == (409, True)
    shown = sue.get("/tables/Raffles/hold")
    assert (shown["hold"]["by"], shown["preview"]) == ("Dan", None)
    status, said = dan.post("/tables/Raffles/confirm", hold=hold["hold"])
    assert status == 409, "nothing is reported yet"
    assert dan.post("/tables/Raffles/hold/release", hold=hold["hold"])[0] == 200
    assert ann.until("clock", held=False)["clock"] is not None
    assert deb.post("/tables/Raffles/look")[0] == 409, "not assigned there"
    dan.post("/tables/Raffles/look")
    status, held = dan.post("/tables/Raffles/hold", command=INTERRUPTION)
    assert (status, held["hold"]["command"]["do"]) == (200, "report interruption")


# -- what happened --------------------------------------------------------------------------------


def test_what_happened_is_on_the_dealers_page_after_a_restart_too(folder: Path):
    with running(folder, config(), clocks=CLOCKS) as first:
        dan = Console(staffed(first), "Dan")
        by_hand(first, dan)
        told = dan.client.get("/api/deal/H1")["told"]
        assert told[0]["says"] == "Two cards are dealt face down to each of 2 Players."
        held = dan.post("/tables/H1/hold", command=FELL)[1]
        dan.post("/tables/H1/confirm", hold=held["hold"]["hold"])
        sam = Console(first, "Sam")
        [asked] = sam.get("/decisions")["decisions"]
        why = {"option": "note only", "reason": "it lay face down"}
        assert sam.post(f"/decisions/H1/{asked['decision']}", **why)[0] == 200
        told = dan.client.get("/api/deal/H1")["told"]
        [ruled] = [each for each in told if "Sam (shift manager) rules" in each["says"]]
        assert (ruled["ruling"], "5.16" in ruled["cites"]) == (True, True)
    with running(folder, config(), clocks=CLOCKS) as second:
        again = Console(second, "Dan").client.get("/api/deal/H1")["told"]
        assert [each["says"] for each in again if each in told] == [e["says"] for e in told]


# -- reasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "options", "first"),
    [
        ("ruling", ("continue", "void"), "it is the fairest to everybody in the round"),
        ("confirm void", ("confirm", "reject"), "the book says so"),
        ("confirm void", ("void", "ruling"), "the book says so"),
        ("cards seen", ("yes", "no"), "it was seen at the table"),
        ("looked on purpose", ("on purpose", "not on purpose"), "it was seen at the table"),
        ("who posts", ("nothing", "big blind"), "it is usual here"),
        ("announce the burn", ("announce",), "the book says so"),
    ],
)
def test_reasons_fit_the_question(question: str, options: tuple[str, ...], first: str):
    need = DecisionNeeded(
        decision=1,
        question=question,
        says="?",
        options=tuple(Choice(name=option) for option in options),
        of=ActorRank.PIT_MANAGER,
        cites=(),
    )
    assert reasons_for(need)[0] == first
    assert ("the book says so" in reasons_for(need)) == (first == "the book says so")


# -- wishes where the dealer enters what players do -----------------------------------------------


def test_nobody_wishes_by_device_where_the_dealer_enters_it(house: Running):
    dan = Console(house, "Dan")
    ann = log_in(house, "Ann")
    seat = {"do": "sit", "seat": 1, "player": "Ann", "stake": 50_000}
    body = {"command": seat, "player": "Ann", "word": "cash", "why": "500 counted"}
    path = "/api/tables/H1/for-player"
    assert posted(dan.client, path, {"id": "sit-down-1", **body})[0] == 200
    status, said = posted(ann, "/api/tables/H1/wishes", {"leave": True})
    assert status == 403
    assert "say it to the dealer" in said["says"]


# -- what the book rules by itself -----------------------------------------------------------------


def test_a_ruling_by_the_book_has_its_paragraph_and_says_whether_it_can_be_undone(house: Running):
    """Void by 5.8: a Shift Manager may undo it, everybody else is told who may."""
    ann = log_in(house, "Ann")
    claims(ann)
    sam, sue = Console(house, "Sam"), Console(house, "Sue")
    report = {"do": "report interruption", "says": "the device stopped"}
    held = sue.post("/tables/M1/hold", command=report)[1]
    status, done = sue.post("/tables/M1/confirm", hold=held["hold"]["hold"], pause=True)
    assert status == 200, done
    assert [each["says"] for each in done["happened"]] == done["told"]
    assert all(each["cites"] for each in done["happened"]), done
    assert "Shift Manager" in done["undo"]["says"]
    assert sam.get("/tables/M1/reports")["undo"] is True


# -- a banked table -------------------------------------------------------------------------------


def test_what_the_book_does_not_say_is_called_at_a_banked_table_too(house: Running):
    """5.23: the Shift Manager decides, and may undo it; then the question stands again."""
    claims(log_in(house, "Ann"))
    sam = Console(house, "Sam")
    listed = sam.get("/tables/M1/reports")["reports"]
    [call] = [each for each in listed if each["title"] == "The book does not say"]
    assert call["command"]["do"] == "call for ruling"
    status, held = sam.post("/tables/M1/hold", command=call["command"])
    assert (status, held["preview"]["ruling"]["kind"]) == (200, "discretion"), held
    sam.post("/tables/M1/confirm", hold=held["hold"]["hold"])
    [asked] = [d for d in sam.get("/decisions")["decisions"] if d["place"] == "M1"]
    said = {"option": "void round", "reason": "x", "pause": True}
    status, done = sam.post(f"/decisions/M1/{asked['decision']}", **said)
    assert (status, done["undo"]["may"]) == (200, True), done
    undo = {"do": "undo ruling", "reason": "it was another table"}
    status, held = sam.post("/tables/M1/hold", command=undo)
    assert status == 200, held
    status, done = sam.post("/tables/M1/confirm", hold=held["hold"]["hold"])
    assert status == 200, done
    [again] = [d for d in sam.get("/decisions")["decisions"] if d["place"] == "M1"]
    assert again["question"] == "ruling"
