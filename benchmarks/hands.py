"""How many recorded hands a second one process reads, replays and compares, beside PokerKit.

Both read the same text: online hands in `.phhs` collections, six-handed hands of Pluribus in `.phh`
files. croupier reads each hand, plays it by the book with every legality, turn, pot and showdown,
and compares what comes out with the record. PokerKit loads the hands and goes through the states of
each, and compares nothing. croupier begins every turn with nothing remembered of the hands.

They take turns, so that a busy moment of the machine falls on both. The hands are in pieces; of
each piece the best turn counts, in seconds of the process itself, and the sum of these is the time.
The hands are in the folder that `CROUPIER_HANDS` names; where it names none, hands are made up by
playing at random, and the rows say so.
"""

from __future__ import annotations

import gc
import importlib
import io
import os
import random
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import structs

from benchmarks import Row, Target
from croupier.formats.check import RARELY, Checker, Options
from croupier.formats.hand import Act, Hand, Player, Post, Street
from croupier.formats.phh_text import split_hands
from croupier.formats.phh_write import write_phhs
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand

TURNS = 9
OURS, THEIRS = 1_000, 62
"""How many single hands are taken in one turn; PokerKit's are some of ours."""
COLLECTIONS = ("handhq-ong.zip", "handhq-pty.zip")
EACH = 2
"""How many collections of each archive."""
PIECE = 128
"""How many hands of a collection make a piece; PokerKit gets a sixteenth of each."""
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
    check(ours)  # what is loaded once is loaded now
    gc.collect()
    gc.freeze()
    best: list[float] = []
    best_theirs: list[float] = []
    for _ in range(TURNS):
        usual = gc.get_threshold()
        gc.set_threshold(*RARELY)  # as `croupier hands check` does it
        best = quicker(best, check(ours))
        gc.set_threshold(*usual)
        if pokerkit is not None:
            best_theirs = quicker(best_theirs, with_pokerkit(pokerkit, theirs))
    gc.unfreeze()
    rate = hands_of(ours) / sum(best)
    peers = hands_of(theirs) / sum(best_theirs) if best_theirs else None
    told = note if pokerkit is not None else "not installed: the extra `bench` has it"
    return [
        Row(benchmark="hands", what=what, value=rate, unit="hands/s", note=note),
        Row(
            benchmark="hands",
            what=what,
            who="pokerkit",
            value=peers,
            unit="hands/s",
            ratio=None if peers is None else rate / peers,
            target=Target(at="least", limit=TARGETS[what]),
            note=told,
        ),
    ]


def quicker(times: list[float], others: list[float]) -> list[float]:
    """Of each piece the shorter time."""
    return [min(pair) for pair in zip(times, others, strict=True)] if times else others


def hands_of(texts: Texts) -> int:
    """How many hands there are in all pieces."""
    return sum(1 for text in texts for _ in split_hands(io.BytesIO(text)))


def check(texts: Texts) -> list[float]:
    """Read, replay and compare; how long each piece took."""
    checker = Checker(Options())
    hands = agree = 0
    times = []
    for text in texts:
        begin = time.process_time()
        for raw in split_hands(io.BytesIO(text)):
            outcome = checker.check(raw)
            hands += 1
            agree += outcome.verdict == "agrees"
        times.append(time.process_time() - begin)
    if agree < hands * 0.9:
        raise RuntimeError(f"only {agree} of {hands} hands agree")
    return times


def with_pokerkit(pokerkit: Any, texts: Texts) -> list[float]:
    """PokerKit: load the hands and go through every state of each; how long each piece took."""
    times = []
    for text in texts:
        begin = time.process_time()
        if text.startswith(b"["):
            for history in pokerkit.HandHistory.load_all(io.BytesIO(text)):
                # A hand that it cannot play to its end is counted as if it had.
                with suppress(ValueError):
                    for _ in history:
                        pass
        else:
            for _ in pokerkit.HandHistory.load(io.BytesIO(text)):
                pass
        times.append(time.process_time() - begin)
    return times


# -- the hands ----------------------------------------------------------------------------------


def _hands() -> dict[str, tuple[Texts, Texts, str]]:
    """What there is to be read, in pieces: ours, the part of it that PokerKit gets, a remark."""
    named = os.environ.get("CROUPIER_HANDS")
    if not named:
        text = "".join(write_phhs(made_up(OURS))).encode()
        return {MADE_UP: (*_cut(text), "CROUPIER_HANDS names no folder")}
    found: dict[str, tuple[Texts, Texts, str]] = {}
    ours: Texts = []
    theirs: Texts = []
    for name in COLLECTIONS:
        with zipfile.ZipFile(Path(named) / name) as archive:
            members = sorted(n for n in archive.namelist() if n.endswith(".phhs"))
            for member in members[:EACH]:
                more, less = _cut(archive.read(member))
                ours += more
                theirs += less
    found[ONLINE] = (ours, theirs, "")
    with zipfile.ZipFile(Path(named) / "pluribus.zip") as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".phh"))
        single = [archive.read(name) for name in names[:OURS]]
    found[PLURIBUS] = (single, single[:: OURS // THEIRS], "")
    return found


def _cut(text: bytes) -> tuple[Texts, Texts]:
    """A collection in pieces of so many hands, and of each piece the first few for PokerKit."""
    hands = [b"[" + hand for hand in b"\n".join((b"", text)).split(b"\n[")[1:]]
    pieces = [hands[place : place + PIECE] for place in range(0, len(hands), PIECE)]
    return [b"\n".join(p) for p in pieces], [b"\n".join(p[: PIECE // 16]) for p in pieces]


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
