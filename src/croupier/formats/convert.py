"""Hands from one format into another, each proved by reading it again.

A hand is read, written in the other format, and what was written is read once more. The play must
be said by the format itself; what it has no word for goes beside it (`croupier.formats.side_data`).
Then the hand that was read and the hand that comes back are the same, or it is refused: nothing is
dropped on the way, and nothing is made up but what follows from the hand: pots, what nobody called.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct, structs

from croupier.formats.check import Checker, Options
from croupier.formats.errors import FormatError
from croupier.formats.hand import Act, Hand, Player, Street
from croupier.formats.ohh import read_ohh
from croupier.formats.ohh_write import KEPT, write_ohh
from croupier.formats.phh import read_phh
from croupier.formats.phh_write import write_phh
from croupier.formats.pokerstars import write_pokerstars
from croupier.formats.pokerstars_read import read_pokerstars
from croupier.formats.pokerstars_summary import shown_cards
from croupier.formats.result import with_result
from croupier.formats.side_data import PLAYS, Beside, beside_of

Write = Callable[[Hand, int | None, Beside | None], bytes]


class Target(Struct, frozen=True, kw_only=True):
    """A format to write hands in."""

    name: str
    suffix: str
    write: Write
    read: Callable[[bytes], Hand]
    needs_result: bool = False
    """Whether each pot must be told."""
    after: bytes = b""
    """What stands after each hand of a file."""


def _phh(hand: Hand, hero: int | None, beside: Beside | None) -> bytes:
    return write_phh(hand, beside).encode()


def _ohh(hand: Hand, hero: int | None, beside: Beside | None) -> bytes:
    return write_ohh(hand, hero, beside)


def _pokerstars(hand: Hand, hero: int | None, beside: Beside | None) -> bytes:
    return write_pokerstars(hand, hero, beside).encode()


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target(name="phhs", suffix=".phhs", write=_phh, read=read_phh, after=b"\n"),
        Target(
            name="ohh",
            suffix=".ohh",
            write=_ohh,
            read=read_ohh,
            needs_result=True,
            after=b"\n\n",
        ),
        Target(
            name="pokerstars",
            suffix=".txt",
            write=_pokerstars,
            read=read_pokerstars,
            needs_result=True,
            after=b"\n\n",
        ),
    )
}
"""The formats that hands are converted into, by their names."""


class Converter:
    """Converts hands into one format.

    `at` is when a hand was played that does not say so; formats for trackers need a time.
    """

    def __init__(self, target: str, options: Options, at: datetime | None = None) -> None:
        self.target = TARGETS[target]
        self.checker = Checker(options)
        self.at = at

    def convert(self, hand: Hand) -> bytes:
        """The hand in the other format. Raises FormatError where that cannot say it."""
        target = self.target
        whole = hand
        if target.needs_result:
            if _has_negative_posts(hand):
                says = "PHH writes a post with a minus and does not say whether it was live"
                raise FormatError(says, place="blinds_or_straddles")
            if whole.time is None and self.at is not None:
                whole = structs.replace(whole, time=self.at)
                hand = structs.replace(hand, time=self.at)
            replayer = self.checker.replayer_for(hand.rulebook, hand.policies)
            whole = with_result(whole, replayer)
        hero = hero_of(whole)
        bare = target.write(whole, hero, Beside())
        said = target.read(bare)
        self._same_play(whole, said)
        beside = beside_of(hand, said)
        if beside is None:
            return target.write(whole, hero, None)
        text = target.write(whole, hero, beside)
        again = target.read(text)
        if (found := difference(hand, again)) is not None:
            raise FormatError(f"{target.name} cannot say {found}")
        return text

    def _same_play(self, hand: Hand, said: Hand) -> None:
        ours, theirs = play_of(hand), play_of(said)
        for name, value in ours.items():
            if theirs[name] != value:
                raise FormatError(
                    f"{self.target.name} cannot say {name}: {_brief(value)} would be read as "
                    f"{_brief(theirs[name])}"
                )


def _has_negative_posts(hand: Hand) -> bool:
    return any(value < 0 for value in hand.extra.get("blinds_or_straddles", ()))


def hero_of(hand: Hand) -> int | None:
    """The seat of the player for whom a hand was written, where it says so."""
    kept = hand.extra.get(KEPT)
    hero = kept.get("hero_player_id") if isinstance(kept, dict) else None
    return hero if any(player.seat == hero for player in hand.players) else None


# -- the same hand ---------------------------------------------------------------------------------


def play_of(hand: Hand) -> dict[str, Any]:
    """What every format must say in its own words."""
    sums: dict[int, int] = {}
    for post in hand.posts:
        sums[post.seat] = sums.get(post.seat, 0) + post.amount
    found: dict[str, Any] = {
        "the players and their stacks": sorted((p.seat, p.stack or 0) for p in hand.players),
        "the Big Blind": hand.big_blind,
        "what was posted": sums,
        "the board": tuple(street.cards for street in hand.streets),
        "the Actions": [
            [_action(act) for act in street.acts if act.do in PLAYS] for street in hand.streets
        ],
        "the hands that were shown": sorted(
            {
                (act.seat, tuple(sorted(card.value for card in cards)))
                for street in hand.streets
                for act in street.acts
                if act.do == "show" and (cards := shown_cards(hand, act))
            }
        ),
        "who mucked": sorted(
            act.seat for street in hand.streets for act in street.acts if act.do == "muck"
        ),
    }
    return found


def _action(act: Act) -> tuple[int, str, int]:
    """An Action as PHH says it: a check and a call are one word, and a wager has its total."""
    if act.do in ("bet", "raise"):
        return act.seat, "wager", act.to
    return act.seat, "fold" if act.do == "fold" else "check or call", 0


def difference(one: Hand, other: Hand) -> str | None:
    """The first thing in which two hands differ, in words; None where they are the same hand."""
    ours, theirs = _tidy(one), _tidy(other)
    if ours == theirs:
        return None
    for name in Hand.__struct_fields__:
        a, b = getattr(ours, name), getattr(theirs, name)
        if a != b:
            if isinstance(a, tuple) and len(a) == len(b):
                a, b = next((x, y) for x, y in zip(a, b, strict=True) if x != y)
            if isinstance(a, Street) and len(a.acts) == len(b.acts) and a.acts != b.acts:
                a, b = next((x, y) for x, y in zip(a.acts, b.acts, strict=True) if x != y)
            what = _WORDS.get(name, name)
            return f"{what}: {_brief(a)} would be read as {_brief(b)}"
    return None


_WORDS = {"posts": "who posted what, live or dead", "streets": "what was done on each street"}


def _tidy(hand: Hand) -> Hand:
    """A hand with the same thing said in one way."""
    return structs.replace(
        hand,
        players=tuple(_tidy_player(player) for player in hand.players),
        posts=tuple(sorted(hand.posts, key=lambda p: (p.seat, p.kind, p.dead, p.amount))),
        streets=tuple(_tidy_street(street) for street in hand.streets),
    )


def _tidy_player(player: Player) -> Player:
    known = any(card.is_known for card in player.cards)
    return player if known else structs.replace(player, cards=())


def _tidy_street(street: Street) -> Street:
    return structs.replace(street, acts=tuple(_tidy_act(act) for act in street.acts))


def _tidy_act(act: Act) -> Act:
    """What is in front of a player who folds or checks does not say anything new."""
    return structs.replace(act, to=0) if act.do in ("fold", "check") else act


def _brief(value: Any) -> str:
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, msgspec.EncodeError):
        text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
