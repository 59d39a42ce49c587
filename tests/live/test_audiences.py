"""Encoding once for many gives each what he would get alone."""

from __future__ import annotations

import msgspec

from croupier.cards import read_cards
from croupier.live import wire
from croupier.live.audience import Entry, encode_entries, encode_views
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from croupier.poker import PokerTable
from croupier.poker.view import views_of
from croupier.table import PUBLIC, Looked, player

CASES = [(source, text) for source, text in shipped_cases() if "holdem-v8" in source][::12]


def test_views_for_many_are_those_for_each_after_every_event_of_the_cases():
    compared = 0
    for source, text in CASES:
        case = read_case(text, source, GAMES)
        tables: dict[str, PokerTable] = {}
        for played in run_case(case, GAMES).played:
            for spoken in played.spoken:
                for said in spoken.answer if isinstance(spoken.answer, list) else ():
                    table = tables.setdefault(said.place, PokerTable(case.book))
                    table.apply(said.event)
                    compare(table)
                    compared += 1
    assert compared > 500


def compare(table: PokerTable) -> None:
    names = {table.player_at(seat) for seat in table.taken_seats()} - {None} | {"Nobody here"}
    views = views_of(table, [None, *names])
    assert views[None] == table.view(PUBLIC)
    for name in names:
        assert name is not None
        assert views[name] == table.view(player(name))
    for name, raw in encode_views(table, [None, *names]).items():
        alone = table.view(PUBLIC if name is None else player(name))
        assert bytes(raw) == msgspec.json.encode(alone)


def test_messages_for_many_are_those_for_each():
    """What is written once for all is what each message says by itself, private events too."""
    clock = wire.Clock(for_=(3,), why="action", left=1_000, of=15_000)
    around = wire.Around(clock=clock, bots=("Ben",), away=("Cho",), ready=())
    looked = Looked(seat=3, cards=read_cards("Ah Kd"))
    entries = [
        Entry(position=7, at="now", event=looked, roster={3: "Ann", 4: "Ben"}),
        Entry(position=8, at="now", event=looked.public(), roster={3: "Ann", 4: "Ben"}),
    ]
    names = ["Ann", "Ben", None]
    encoded = encode_entries(entries, names)
    assert encoded["Ben"] is encoded[None]
    assert encoded["Ann"] != encoded[None]
    for_all = wire.EventsForAll(8, around)
    for name in names:
        view = msgspec.Raw(msgspec.json.encode({"for": name}))
        alone = wire.EventsMessage(
            position=8, events=encoded[name], view=view, **msgspec.structs.asdict(around)
        )
        assert for_all.write(encoded[name], view) == wire.write(alone)
