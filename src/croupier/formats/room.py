"""How the room of a record plays otherwise than the book, where that breaks no rule of poker.

Rooms differ in who has the button heads-up and in Blinds that are not posted. A record of such a
room is no record of a broken rule. So each is a policy of the replay, off unless it is asked for,
and listed in the report; the book itself has no such choice.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, structs

from croupier.formats.errors import FormatError
from croupier.formats.hand import Post
from croupier.formats.script import BOARD, MUCK, SHOW, Script
from croupier.poker import PokerTable
from croupier.poker.state import RoundState

HEADS_UP: Final = "heads-up-order"
NO_SMALL: Final = "missing-small-blind"
LATE: Final = "late-posts"
ROOM_POLICIES: dict[str, tuple[str, str]] = {
    HEADS_UP: ("book", "as-recorded"),
    NO_SMALL: ("book", "allowed"),
    LATE: ("unknown", "blinds"),
}
"""The policies of a room with their values, that of the book first."""


class Room(Struct, frozen=True, kw_only=True):
    """What a room plays otherwise."""

    heads_up_as_recorded: bool = False
    """Heads-up the button need not be the Small Blind: whoever acts first before the flop does so
    on every street, where that is the player left of the button."""
    small_blind_may_miss: bool = False
    """Somebody who is due the Small Blind may play without posting it."""
    late_posts_are_blinds: bool = False
    """A post that PHH writes with a minus is what was missed: a Big Blind live, a Small Blind
    dead. Whoever posts to come in is dealt in at once, wherever the button is."""


BOOK_ROOM = Room()


def read_room(policies: dict[str, str]) -> Room:
    """The room that these policies describe."""
    for name, value in policies.items():
        if value not in ROOM_POLICIES.get(name, ()):
            raise FormatError(f"{name}={value} is no policy of a room")
    chosen = {name: policies.get(name) == values[1] for name, values in ROOM_POLICIES.items()}
    return Room(
        heads_up_as_recorded=chosen[HEADS_UP],
        small_blind_may_miss=chosen[NO_SMALL],
        late_posts_are_blinds=chosen[LATE],
    )


def as_the_room_plays(script: Script, room: Room) -> Script:
    """The script with its posts and its button as this room means them."""
    posts = script.posts
    if posts is not None and room.late_posts_are_blinds and script.negative:
        posts = tuple(meant for post in posts for meant in _late(post, script))
        script = structs.replace(script, posts=posts, negative=False)
    if posts is None or script.count != 2 or not room.heads_up_as_recorded:
        return script
    smalls = [post.seat for post in posts if post.kind == "small blind"]
    bigs = [post.seat for post in posts if post.kind == "big blind"]
    if smalls:
        return structs.replace(script, button=smalls[0])
    return structs.replace(script, button=3 - bigs[0]) if bigs else script


def _late(post: Post, script: Script) -> list[Post]:
    """What a post with a minus was for."""
    if post.kind != "post":
        return [post]
    small, big = script.small, script.big
    if post.amount == small + big:
        return [
            structs.replace(post, amount=big),
            structs.replace(post, amount=small, dead=True),
        ]
    return [structs.replace(post, dead=post.amount == small)]


def first_to_act(script: Script) -> int:
    """Who acts first on record; 0 where nobody does."""
    steps = (step.seat for step in script.steps if step.code not in (BOARD, SHOW, MUCK))
    return next(steps, 0)


def play_in_order(table: PokerTable, script: Script) -> None:
    """Heads-up, when the Hole Cards are dealt: the player left of the button acts first on every
    street, where the record begins so."""
    round_ = table.state.round
    if round_ is None or script.count != 2 or first_to_act(script) != 1:
        return
    round_.order = (1, 2)
    round_.button = 2
    waiting = round_.betting.to_act
    round_.betting.to_act = sorted(waiting)


def post_late(table: PokerTable, round_: RoundState, posts: tuple[Post, ...]) -> None:
    """Have everybody who came in on record put in what was posted for it."""
    for post in posts:
        if post.kind != "post":
            continue
        player, seat = round_.players[post.seat], table.state.seats[post.seat]
        seat.stake -= post.amount
        player.total += post.amount
        player.blinds += post.amount
        if post.dead:
            player.dead += post.amount
        else:
            player.bet += post.amount
        player.all_in = player.all_in or not seat.stake


def without_small_blind(table: PokerTable, round_: RoundState, seat: int) -> bool:
    """Take back the Small Blind of a seat that did not post it on record; tell whether that seat
    had posted nothing else."""
    player = round_.players[seat]
    if seat != round_.small_blind or player.dead:
        return False
    table.state.seats[seat].stake += player.total
    player.bet = player.total = player.blinds = 0
    player.all_in = False
    return True
