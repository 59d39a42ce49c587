"""How many recorded hands a second one process reads, replays and compares, beside PokerKit.

Both read the same text: online hands in `.phhs` collections, six-handed hands of Pluribus in `.phh`
files. croupier reads each hand, plays it by the book with every legality, turn, pot and showdown,
and compares what comes out with the record. PokerKit loads the hands and goes through the states of
each, and compares nothing. croupier begins every turn with nothing remembered of the hands.

They take turns, piece by piece, so that a busy moment of the machine falls on both; the best turn
counts, in seconds of the process itself. The hands are in the folder that `CROUPIER_HANDS` names;
where it names none, hands are made up by playing at random, and the rows say so.
"""

from __future__ import annotations

import gc
import importlib
import io
import os
import random
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import structs

from benchmarks import Row, Target
from croupier.formats.check import Checker, Options
from croupier.formats.hand import Act, Hand, Player, Post, Street
from croupier.formats.phh_text import split_hands
from croupier.formats.phh_write import write_phhs
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand

TURNS = 9
OURS, THEIRS = 1_000, 60
"""How many hands of a collection are taken in one turn: PokerKit's are the first of ours."""
COLLECTIONS = ("handhq-ong.zip", "handhq-pty.zip")
SEED = 8
ONLINE, PLURIBUS = "recorded online hands (.phhs)", "recorded hands of Pluribus (.phh)"
MADE_UP = "made-up hands (.phhs)"
TARGETS = {ONLINE: 10.0, PLURIBUS: 4.0, MADE_UP: 10.0}

Texts = list[bytes]
"""Collections, or single hands."""


def measure() -> list[Row]:
    """Measure both on every kind of hands that is there."""
    rows = []
    for what, (ours, theirs, note) in _hands().items():
        rows += _rows(what, ours, theirs, note)
    return rows


def _rows(what: str, ours: Texts, theirs: Texts, note: str) -> list[Row]:
    try:
        pokerkit = importlib.import_module("pokerkit")
    except ImportError:
        pokerkit = None
    best = best_theirs = 0.0
    check(ours)  # what is loaded once is loaded now
    gc.collect()
    gc.freeze()
    for _ in range(TURNS):
        best = max(best, rate(check, ours))
        if pokerkit is not None:
            best_theirs = max(best_theirs, rate(with_pokerkit(pokerkit), theirs))
    gc.unfreeze()
    target = Target(at="least", limit=TARGETS[what])
    told = note if pokerkit is not None else "not installed: the extra `bench` has it"
    return [
        Row(benchmark="hands", what=what, value=best, unit="hands/s", note=note),
        Row(
            benchmark="hands",
            what=what,
            who="pokerkit",
            value=best_theirs or None,
            unit="hands/s",
            ratio=best / best_theirs if best_theirs else None,
            target=target,
            note=told,
        ),
    ]


def rate(play: Callable[[Texts], int], texts: Texts) -> float:
    """How many hands are done in a second of the processor's time."""
    begin = time.process_time()
    hands = play(texts)
    return hands / (time.process_time() - begin)


def check(texts: Texts) -> int:
    """Read, replay and compare; every hand must have a verdict that is not `unreadable`."""
    checker = Checker(Options())
    hands = agree = 0
    for text in texts:
        for raw in split_hands(io.BytesIO(text)):
            outcome = checker.check(raw)
            hands += 1
            agree += outcome.verdict == "agrees"
    if agree < hands * 0.9:
        raise RuntimeError(f"only {agree} of {hands} hands agree")
    return hands


def with_pokerkit(pokerkit: Any) -> Callable[[Texts], int]:
    """PokerKit: load the hands and go through every state of each."""

    def play(texts: Texts) -> int:
        hands = 0
        for text in texts:
            for history in pokerkit.HandHistory.load_all(io.BytesIO(text)):
                for _ in history:
                    pass
                hands += 1
        return hands

    def play_single(texts: Texts) -> int:
        for text in texts:
            for _ in pokerkit.HandHistory.load(io.BytesIO(text)):
                pass
        return len(texts)

    def either(texts: Texts) -> int:
        return (play if texts[0].startswith(b"[") else play_single)(texts)

    return either


# -- the hands ----------------------------------------------------------------------------------


def _hands() -> dict[str, tuple[Texts, Texts, str]]:
    """What there is to be read: ours, the part of it that PokerKit gets, and a remark."""
    named = os.environ.get("CROUPIER_HANDS")
    if not named:
        text = "".join(write_phhs(made_up(OURS))).encode()
        return {MADE_UP: ([text], [first(text, THEIRS)], "CROUPIER_HANDS names no folder")}
    found: dict[str, tuple[Texts, Texts, str]] = {}
    collections = [member(Path(named) / name) for name in COLLECTIONS]
    found[ONLINE] = (collections, [first(text, THEIRS) for text in collections], "")
    with zipfile.ZipFile(Path(named) / "pluribus.zip") as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".phh"))
        single = [archive.read(name) for name in names[:OURS]]
    found[PLURIBUS] = (single, single[:THEIRS], "")
    return found


def member(path: Path) -> bytes:
    """The first collection of an archive."""
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".phhs"))
        return archive.read(names[0])


def first(text: bytes, hands: int) -> bytes:
    """The first hands of a collection."""
    end = text.find(f"\n[{hands + 1}]\n".encode())
    return text if end < 0 else text[: end + 1]


def made_up(hands: int, seed: int = SEED) -> list[Hand]:
    """Six-handed hands that end before the flop: somebody raises, or not, and the others fold."""
    chance = random.Random(seed)
    replayer = Replayer()
    found = []
    for number in range(1, hands + 1):
        stacks = [chance.randrange(2_000, 200_000) for _ in range(6)]
        raiser, to = chance.choice((3, 4, 5, 6, 1)), chance.randrange(1_200, 1_900)
        order = (3, 4, 5, 6, 1, 2)
        acts = [
            Act(seat=seat, do="raise", to=to) if seat == raiser else Act(seat=seat, do="fold")
            for seat in order
        ]
        hand = Hand(
            number=number,
            players=tuple(Player(seat=s, stack=stack) for s, stack in enumerate(stacks, 1)),
            button=6,
            small_blind=300,
            big_blind=600,
            posts=(
                Post(seat=1, kind="small blind", amount=300),
                Post(seat=2, kind="big blind", amount=600),
            ),
            streets=(Street(name="preflop", acts=tuple(acts)),),
        )
        ended = replayed_hand(hand, replayer)
        found.append(plain(hand, ended))
    return found


def plain(hand: Hand, ended: Hand) -> Hand:
    """The hand with its finishing stacks and nothing of ours."""
    return structs.replace(hand, players=ended.players)
