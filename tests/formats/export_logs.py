"""Logs to export: of every case that is shipped, and of evenings of random play."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from croupier.formats.errors import FormatError
from croupier.formats.export_sums import as_counted
from croupier.formats.hand import Hand
from croupier.pit import GAMES, CaseResult, read_case, run_case, shipped_cases
from croupier.poker.commands import (
    AllIn,
    Bet,
    Call,
    CallForBlinds,
    Check,
    DeclineStraddle,
    Fold,
    Leave,
    Raise,
    ReturnToSeat,
    Sit,
    SitOut,
    Straddle,
    TopUp,
)
from croupier.rulebooks import Rulebook, load
from croupier.table import ActorRank, BadCommand, Command, Decide, DecisionNeeded, Event
from tests.poker.conftest import V5, V8, Felt

Log = list[tuple[int, Event]]


def logs_of(result: CaseResult) -> dict[str, Log]:
    """What each table of a case said, with positions from 1."""
    logs: dict[str, Log] = {name: [] for name in result.case.tables}
    for played in result.played:
        for spoken in played.spoken:
            for said in spoken.answer if isinstance(spoken.answer, list) else ():
                if said.place in logs:
                    log = logs[said.place]
                    log.append((len(log) + 1, said.event))
    return logs


def log_of(text: str, table: str | None = None) -> tuple[Log, Rulebook]:
    """The log of one case, written down in a test."""
    case = read_case(text, "a test", GAMES)
    result = run_case(case, GAMES)
    assert result.passed, result.failures
    logs = logs_of(result)
    return logs[table or next(iter(logs))], case.book


EVERY = 5
"""The normal set runs one case in so many; the slow one all."""


@cache
def shipped(family: str, every: int = EVERY) -> tuple[tuple[str, Rulebook, Log], ...]:
    """The logs of the shipped cases of a family, `poker` or `banked`, or of one in so many."""
    cases = [
        (source, text)
        for source, text in shipped_cases()
        if GAMES.games[source.split("/")[0]].name == family
    ]
    return tuple(log for source, text in cases[::every] for log in _logs(source, text))


def shipped_case(name: str) -> tuple[Log, Rulebook]:
    """The log of one shipped case."""
    [(_, book, log), *_in_other_books] = [
        log for source, text in shipped_cases() if source == name for log in _logs(source, text)
    ]
    return log, book


def _logs(source: str, text: str) -> Iterator[tuple[str, Rulebook, Log]]:
    for result in run_case(read_case(text, source, GAMES), GAMES).in_each_book():
        for log in logs_of(result).values():
            yield source, result.case.book, log


# -- random evenings -------------------------------------------------------------------------------


def evening(rng: random.Random, acts: int = 150) -> Felt:
    """Some rounds of random legal play at a poker table of either book: people come, go, sit out
    and return, straddle, raise and go All-in. Its log is in `felt.log`."""
    book = rng.choice([V8, V5])
    policies = {
        name: rng.choice(sorted(policy.values)) for name, policy in load(book).policies.items()
    }
    extra: dict[str, Any] = {"straddle": rng.random() < 0.5} if book == V8 else {}
    felt = Felt(book, policies, rake={"percent": rng.choice([0, 5]), "cap": 3000}, **extra)
    felt.shuffler = lambda need: rng.sample(need.cards, len(need.cards))
    stakes = [300, 700, 1000, 1100, 2000, 5000, 30000, 100000]
    for seat in range(1, rng.randint(3, 10)):
        felt.must(Sit(seat=seat, player=f"player {seat}", stake=rng.choice(stakes)))
    felt.start()
    for _ in range(acts):
        _happen(felt, rng)
    while felt.table.playing():
        _happen(felt, rng, only_play=True)
    return felt


def _happen(felt: Felt, rng: random.Random, *, only_play: bool = False) -> None:
    table = felt.table
    if _decided(felt, rng):
        return
    if not only_play and rng.random() < 0.1:
        _come_and_go(felt, rng)
    if table.may_straddle():
        [seat] = [seat for seat in felt.state.seats if table.offers(seat)]
        felt.must(Straddle(seat=seat) if rng.random() < 0.7 else DeclineStraddle(seat=seat))
    elif (due := table.due()) is not None:
        felt.must(due, who="house", rank=ActorRank.HOUSE)
    elif felt.state.phase == "ready" and not only_play:
        felt.give(CallForBlinds(), "house", ActorRank.HOUSE)
    elif felt.state.phase == "betting" and (turn := table.turn()) is not None:
        felt.must(_act(felt, turn, rng))


def _decided(felt: Felt, rng: random.Random) -> bool:
    need = next((n for n in felt.state.waiting if isinstance(n, DecisionNeeded)), None)
    if need is None:
        return False
    answer = Decide(decision=need.decision, option=rng.choice(need.options).name, reason="so")
    felt.must(answer, who="tgsm", rank=ActorRank.SHIFT_MANAGER)
    return True


def _act(felt: Felt, seat: int, rng: random.Random) -> Command:
    offers = {offer.do: offer for offer in felt.table.offers(seat)}
    weights = {"check": 5, "call": 5, "bet": 2, "raise": 2, "all in": 1, "fold": 1}
    do = rng.choices(list(offers), [weights[do] for do in offers])[0]
    if do in ("bet", "raise"):
        offer = offers[do]
        assert offer.least is not None
        assert offer.most is not None
        steps = (offer.most - offer.least) // 100
        to = offer.least + 100 * min(steps, rng.choice([0, 0, 3, 10, rng.randint(0, steps)]))
        return Bet(seat=seat, to=to) if do == "bet" else Raise(seat=seat, to=to)
    kinds = {"check": Check, "call": Call, "all in": AllIn, "fold": Fold}
    return kinds[do](seat=seat)


def _come_and_go(felt: Felt, rng: random.Random) -> None:
    seat = rng.randint(1, 9)
    sitter = felt.state.seats.get(seat)
    commands: list[Command] = [Sit(seat=seat, player=f"guest {len(felt.log)}", stake=5000)]
    if sitter is not None:
        commands = [
            SitOut(seat=seat),
            ReturnToSeat(seat=seat),
            ReturnToSeat(seat=seat),
            Leave(seat=seat),
            TopUp(seat=seat, amount=5000),
            TopUp(seat=seat, amount=5000),
        ]
    with contextlib.suppress(BadCommand):
        felt.give(rng.choice(commands))


UNCOUNTED = (
    "cards lie there",
    "the player holds",
    "neither posted nor acted",
    "only one player took part",
)


def can_be_counted(hand: Hand) -> bool:
    """Whether a tracker can take a hand in: not with a wrong number of cards that nobody put right,
    and not where somebody won without having done anything, or alone."""
    try:
        as_counted(hand)
    except FormatError as error:
        if any(why in str(error) for why in UNCOUNTED):
            return False
        raise
    return True
