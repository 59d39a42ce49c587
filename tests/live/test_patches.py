"""Patches: what has changed of a view, put onto the view before, is the view that follows.

Who takes them ends up with the whole view, whoever comes, goes or loses the line meanwhile.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.live import wire
from croupier.live.audience import Audience, encode_view, views_for
from croupier.live.patches import Moment, changes, patched, patches
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from croupier.table import PUBLIC, Table, player
from croupier.table.views import told_apart
from tests.live.conftest import AtTable, Client, Running, running
from tests.shipped import tables_of

CASES = list(shipped_cases())


class Followed:
    """A table whose audiences each keep their view by patches alone."""

    def __init__(self, table: Table[Any]) -> None:
        self.table = table
        self.kept: dict[Audience, Any] = {}
        self.before: Moment | None = None
        self.position = 0
        self.sent = self.whole = 0

    def look(self) -> None:
        """One more event has happened: patch what everybody keeps, and compare."""
        self.position += 1
        table = self.table
        names = {who for seat in table.taken_seats() if (who := table.player_at(seat)) is not None}
        audiences: set[Audience] = {None, *names}
        now = Moment(
            table=table,
            position=self.position,
            names=frozenset(names),
            views=views_for(table, audiences),
        )
        made = {}
        if self.before is not None and now.follows(self.before, self.position):
            made = patches(self.before, now, audiences)
            assert made.keys() == audiences, "everybody was there before"
        for audience in audiences:
            whole = bytes(encode_view(now.views[audience]))
            viewer = PUBLIC if audience is None else player(audience)
            assert whole == msgspec.json.encode(table.view(viewer)), "as it is seen alone"
            if audience in made:
                self.sent += len(made[audience])
                self.whole += len(whole)
                kept = patched(self.kept[audience], json.loads(bytes(made[audience])))
                assert kept == json.loads(whole), audience
            self.kept[audience] = json.loads(whole)
        self.before = now


def followed(cases: list[tuple[str, str]]) -> tuple[int, int]:
    """Follow every table of these cases through every event; bytes of patches and of views."""
    sent = whole = 0
    for source, text in cases:
        tables: dict[str, Followed] = {}
        for place, table in tables_of(run_case(read_case(text, source, GAMES), GAMES)):
            tables.setdefault(place, Followed(table)).look()
        sent += sum(table.sent for table in tables.values())
        whole += sum(table.whole for table in tables.values())
    return sent, whole


def test_patches_in_order_are_the_whole_view_after_every_event_of_the_cases():
    sent, whole = followed(CASES[::60])
    assert whole > 500_000
    assert sent < whole / 4


@pytest.mark.slow
def test_so_they_are_in_all_cases():
    followed(CASES)


def test_a_record_that_goes_is_null_and_one_that_comes_is_whole():
    from croupier.poker.view import PokerView, SeatView

    def view(**seats: SeatView) -> PokerView:
        numbered = {int(name[1:]): seat for name, seat in seats.items()}
        return PokerView(
            table="T", rulebook="R", status="betting", round=1, seats=numbered, button=None
        )

    ann, ben = SeatView(player="Ann", stake=5), SeatView(player="Ben", stake=7)
    old, new = view(s1=ann, s2=ben), view(s2=SeatView(player="Ben", stake=6), s3=ann)
    made = json.loads(msgspec.json.encode(changes(old, new)))
    assert made["each"]["seats"]["1"] is None
    assert made["each"]["seats"]["2"] == {"stake": 6}
    assert made["each"]["seats"]["3"] == json.loads(msgspec.json.encode(ann))
    assert "set" not in made
    before = json.loads(msgspec.json.encode(old))
    assert patched(before, made) == json.loads(msgspec.json.encode(new))
    assert before == json.loads(msgspec.json.encode(old)), "the view before stays as it is"
    assert json.loads(msgspec.json.encode(changes(new, new))) == {}


class Small(msgspec.Struct, frozen=True):
    """A view of two fields."""

    pot: int
    hand: str


def test_what_changes_for_the_public_alone_is_not_sent_to_a_player():
    """Ann has seen her hand all along; when she shows it, only the others see something new."""
    before = {None: Small(1, "??"), "Ann": Small(1, "As")}
    shown = {None: Small(1, "As"), "Ann": Small(1, "As")}
    paid = {None: Small(2, "As"), "Ann": Small(2, "As")}
    names = frozenset(["Ann"])
    table: Any = object()
    first, second, third = (
        Moment(table=table, position=n, names=names, views=told_apart(views[None], views))
        for n, views in enumerate((before, shown, paid))
    )
    made = patches(first, second, [None, "Ann"])
    assert {who: bytes(raw) for who, raw in made.items()} == {
        None: b'{"set":{"hand":"As"}}',
        "Ann": b"{}",
    }
    both = patches(first, third, [None, "Ann"])
    assert bytes(both["Ann"]) == b'{"set":{"pot":2}}'


def test_a_message_with_a_patch_is_written_as_its_record_says():
    around = wire.Around(bots=("Ben",), away=("Cho",), ready=())
    events, patch = [msgspec.Raw(b'{"position":8}')], msgspec.Raw(b'{"set":{"pot":7}}')
    alone = wire.PatchedMessage(
        position=8, events=events, patch=patch, from_=6, **msgspec.structs.asdict(around)
    )
    for_all = wire.EventsForAll(8, around)
    assert for_all.write_patch(events, patch, 6) == wire.write(alone)
    assert for_all.write_patch(events, patch, 6) is for_all.write_patch(events, patch, 6)


# -- over the socket ------------------------------------------------------------------------------


class Keeping(AtTable):
    """A client that takes patches and keeps its view."""

    view: dict[str, Any]
    position = -1
    patches = wholes = 0

    def next(self, timeout: float = 10) -> dict[str, Any]:
        message = super().next(timeout)
        if "patch" in message:
            assert message["from"] == self.position, "no patch is missing"
            self.view = patched(self.view, message["patch"])
            self.patches += 1
        elif "view" in message:
            self.view = message["view"]
            self.wholes += 1
        if "patch" in message or "view" in message:
            self.position = message["position"]
        return message

    def checked(self) -> None:
        """What it keeps is what it would be sent."""
        self.send({"view": True})
        while True:
            kept, position = self.view, self.position
            message = self.next()
            if message["is"] == "view" and message["position"] == position:
                assert message["view"] == kept
                return


def keeping(client: Client, place: str, after: int | None = None) -> Keeping:
    at = client.at(f"{place}&patches=1", after)
    made = Keeping(at.socket, place)
    while made.position < 0:
        made.next()
    return made


@pytest.fixture
def casino(tmp_path: Path):
    with running(tmp_path, tables=("Raffles", "Orchard")) as opened:
        yield opened


def sit(at: AtTable, name: str, seat: int) -> None:
    assert at.do(do="sit", seat=seat, player=name, stake=50_000)["is"] == "answer"


def play(a: Keeping, b: AtTable, commands: int) -> None:
    """Ann at seat 1 looks, checks and calls; Ben at seat 2 folds."""
    while commands:
        turn = a.view["turn"]
        if turn == 1 and (offers := a.view["offers"].get("1")):
            if not a.view["seats"]["1"]["looked"]:
                assert a.do(do="look", seat=1)["is"] == "answer"
            does = "check" if "check" in [offer["do"] for offer in offers] else "call"
            assert a.do(do=does, seat=1)["is"] == "answer"
            commands -= 1
        else:
            if turn == 2 and b.do(do="fold", seat=2)["is"] == "answer":
                commands -= 1
            a.next()


def test_who_takes_patches_keeps_the_whole_view(casino: Running):
    a, b = keeping(casino.enter("Ann"), "Raffles"), casino.enter("Ben").at("Raffles")
    watches = keeping(casino.enter(), "Raffles")
    sit(a, "Ann", 1)
    sit(b, "Ben", 2)
    play(a, b, 6)
    a.checked()
    watches.checked()
    assert a.patches > 12
    assert watches.patches > 12
    assert "patch" not in json.dumps(b.heard), "who does not ask for patches gets whole views"


def test_who_sits_down_leaves_or_comes_back_gets_a_whole_view_first(casino: Running):
    ann, ben = casino.enter("Ann"), casino.enter("Ben")
    a, b = keeping(ann, "Raffles"), keeping(ben, "Raffles")
    watches = keeping(casino.enter(), "Raffles")
    sit(a, "Ann", 1)
    sit(b, "Ben", 2)
    play(a, b, 2)
    assert a.view["yours"] == [1]
    a.socket.close()
    again = keeping(ann, "Raffles", after=a.position)
    play(again, b, 2)
    assert again.heard[1]["view"], "with what was missed comes the whole view"
    again.checked()
    while again.do(do="leave", seat=1)["is"] != "answer":  # not before the round is over
        play(again, b, 1)
    again.checked()
    assert again.view["yours"] == []
    for at in (b, watches):
        at.checked()
        assert "1" not in at.view["seats"]
