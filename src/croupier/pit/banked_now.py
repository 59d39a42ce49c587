"""How a banked table comes into the middle of a round: who staked, looked, and decided what.

The stakes of the boxes are placed, bets are closed, and each window is played as it is told. What
nobody tells of a window that is over goes the plain way: a Flop bet, then checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from croupier.banked.commands import Check, CloseBets, FlopBet, Fold, RiverBet, TurnBet
from croupier.pit.situation import Contradiction
from croupier.table import Box, Command, Look

if TYPE_CHECKING:
    from croupier.pit.banked import BankedStage

Chosen = Literal["fold", "flop bet", "turn bet", "river bet", "check"]
StageName = Literal["bets open", "first decision", "turn decision", "river decision", "dealer"]
STAGES: tuple[StageName, ...] = (
    "bets open",
    "first decision",
    "turn decision",
    "river decision",
    "dealer",
)
WINDOWS: tuple[StageName, ...] = STAGES[1:4]
FITTING: tuple[tuple[Chosen, ...], ...] = (
    ("fold", "flop bet"),
    ("turn bet", "check"),
    ("river bet", "check"),
)
"""What may be chosen in each of the three windows."""
COMMANDS: dict[str, type[Command]] = {
    "fold": Fold,
    "flop bet": FlopBet,
    "turn bet": TurnBet,
    "river bet": RiverBet,
    "check": Check,
}
IN_ANTES = {"flop bet": 2, "turn bet": 1, "river bet": 1}
"""What each bet costs, in Antes."""


class NowSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round under way when the steps begin."""

    stage: StageName
    """Where it is: bets are open, a decision is, or the dealer's cards are to be shown."""
    chosen: dict[Box, tuple[Chosen, ...]] = {}
    """What a box decided, window by window; one that is not named has gone the plain way."""
    looked: tuple[Box, ...] = ()
    """The boxes whose hands their players have looked at."""


def decided(stage: BankedStage, now: NowSetup, box: int) -> tuple[str, ...]:
    """What a box has decided until now: as it is told, and the plain way where it is not."""
    over = max(0, STAGES.index(now.stage) - 1)
    told = now.chosen.get(box)
    if told is None:
        return ("flop bet", "check", "check")[:over]
    plain = ("flop bet", "check", "check")[len(told) : over]
    return told if "fold" in told else (*told, *plain)


def staked(stage: BankedStage, now: NowSetup, box: int) -> int:
    """What a box has on the layout, and has staked until now."""
    setup = stage.setup.boxes[box]
    ante = setup.ante or 0
    prescribed = stage.setup.table.progressive or 0
    jackpot = prescribed if setup.progressive is True else setup.progressive or 0
    bets = sum(IN_ANTES.get(choice, 0) * ante for choice in decided(stage, now, box))
    return ante + (setup.bonus or 0) + jackpot + bets


def play_to_now(stage: BankedStage, now: NowSetup) -> Iterator[Command]:
    """From the opening call to where the steps begin."""
    _check(stage, now)
    yield from stage.place_bets({})
    if now.stage == "bets open":
        return
    yield CloseBets()
    yield from _on_to(stage, "first decision")
    yield from _looks(stage, now)
    last = STAGES.index(now.stage)
    for window, name in enumerate(WINDOWS[:last]):
        yield from _on_to(stage, name)
        yield from _decisions(stage, now, window)
    yield from _on_to(stage, now.stage)


def _check(stage: BankedStage, now: NowSetup) -> None:
    """See that everybody decided in his turn, and that the round has not gone further."""
    boxes = {n for n, box in stage.setup.boxes.items() if box.ante is not None}
    over = max(0, STAGES.index(now.stage) - 1)
    for box, told in now.chosen.items():
        path = f"now.chosen.{box}"
        if box not in boxes:
            raise Contradiction(path, f"box {box} has no Ante, so it has nothing to decide")
        for window, choice in enumerate(told):
            if "fold" in told[:window]:
                raise Contradiction(path, f"box {box} has folded and cannot {choice} after that")
            if window == len(FITTING):
                raise Contradiction(path, f"box {box} has no fourth decision")
            if window > over or now.stage == "bets open":
                raise Contradiction(path, f"box {box} cannot {choice} yet: it is {now.stage}")
            if choice not in FITTING[window]:
                may = " or ".join(FITTING[window])
                raise Contradiction(
                    path, f"box {box} cannot {choice} at the {WINDOWS[window]}; it may {may}"
                )
    for i, box in enumerate(now.looked, 1):
        if box not in boxes or now.stage == "bets open":
            raise Contradiction(f"now.looked[{i}]", f"box {box} has no cards to look at")


def _looks(stage: BankedStage, now: NowSetup) -> Iterator[Command]:
    seen: dict[str, int] = {}
    for i, box in enumerate(now.looked, 1):
        player = stage.setup.boxes[box].player
        if player in seen:
            raise Contradiction(
                f"now.looked[{i}]",
                f"{player} has looked at box {seen[player]}, and may look at one hand alone",
            )
        seen[player] = box
        yield Look(seat=box)


def _decisions(stage: BankedStage, now: NowSetup, window: int) -> Iterator[Command]:
    """What was decided in a window; the boxes decide in their order."""
    open_now = WINDOWS[window] == now.stage
    undecided = stage.undecided()
    left = [n for n in undecided if len(decided(stage, now, n)) <= window]
    if open_now and undecided and not left:
        raise Contradiction("now.stage", f"every box has decided, so the {now.stage} is over")
    for number in undecided:
        choices = decided(stage, now, number)
        if len(choices) > window:
            yield COMMANDS[choices[window]](box=number)


def _on_to(stage: BankedStage, phase: str) -> Iterator[Command]:
    """Deal and show what is due until the round is there."""
    yield from stage.dealt_to(phase)
    if stage.table.state.phase != phase:
        raise Contradiction(
            "now.stage",
            f"the round never comes to the {phase}: it is at '{stage.table.state.phase}'",
        )
