"""A hand told as a story: who sat there, what everybody did, by which paragraph, and what came out.

What happened is told by the events of the table that replayed it. Where the book does not allow
the hand, or it cannot be replayed, the record itself is told.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.cards import pretty_cards
from croupier.formats.hand import Act, Hand, Street
from croupier.formats.outcome import Outcome
from croupier.formats.replay import Replayer
from croupier.formats.script import script_of
from croupier.pit.story import StoryLine
from croupier.poker.events import (
    BlindsCalled,
    FlopDealt,
    HoleCardsDealt,
    RiverDealt,
    RoundEnded,
    TurnDealt,
)
from croupier.table import Announced, Event
from croupier.table.money import write_money

_CHAPTERS: dict[type[Event], str] = {
    HoleCardsDealt: "Hole Cards",
    FlopDealt: "Flop",
    TurnDealt: "Turn",
    RiverDealt: "River",
}


class Chapter(Struct, frozen=True, kw_only=True):
    """A part of the hand."""

    heading: str
    lines: list[StoryLine]


class HandStory(Struct, frozen=True, kw_only=True):
    """A whole hand for people."""

    title: str
    about: list[str]
    chapters: list[Chapter]
    outcome: Outcome


def tell_hand(hand: Hand, replayer: Replayer) -> HandStory:
    """Replay a hand and tell it."""
    outcome = replayer.check(hand)
    chapters: list[Chapter] = []
    if outcome.verdict in ("agrees", "differs"):
        chapters = _replayed(hand, replayer)
    if not chapters:
        chapters = [_chapter(hand, street) for street in hand.streets]
    return HandStory(title=title_of(hand), about=_about(hand), chapters=chapters, outcome=outcome)


def title_of(hand: Hand) -> str:
    """What a hand is called."""
    number = f"Hand {hand.number}" if hand.number != "" else "A hand"
    where = ", ".join(
        part for part in (f"table {hand.table}" if hand.table else "", hand.room) if part
    )
    when = f", {hand.time:%d %B %Y %H:%M}" if hand.time is not None else ""
    return f"{number}{f' at {where}' if where else ''}{when}"


def _about(hand: Hand) -> list[str]:
    symbol = hand.symbol
    told = [
        f"Blinds {symbol}{write_money(hand.small_blind)} and {symbol}{write_money(hand.big_blind)},"
        f" {len(hand.players)} players."
    ]
    for player in hand.players:
        stack = "an unknown stack" if player.stack is None else symbol + write_money(player.stack)
        button = ", on the button" if player.seat == hand.button else ""
        known = any(card.is_known for card in player.cards)
        cards = f", holds {pretty_cards(player.cards)}" if known else ""
        told.append(f"{_name(hand, player.seat)} with {stack}{button}{cards}.")
    return told


def _name(hand: Hand, seat: int) -> str:
    for player in hand.players:
        if player.seat == seat and player.name:
            return f"{player.name} (seat {seat})"
    return f"Seat {seat}"


def _replayed(hand: Hand, replayer: Replayer) -> list[Chapter]:
    """The hand by the events of the table; nothing if no table was set for it."""
    table, _ = replayer.play(script_of(hand))
    if table is None:
        return []
    seats = [player.seat for player in hand.players]

    def name(place: int) -> str:
        return _name(hand, seats[place - 1]) if place <= len(seats) else f"Place {place}"

    chapters = [Chapter(heading="Blinds", lines=[])]
    for event in table.happened:
        if isinstance(event, Announced | RoundEnded):
            continue
        if isinstance(event, BlindsCalled):
            # The table counts the players in order; the record has its own seats.
            told = (
                f"The button is at {name(event.button)}; the Big Blind is {name(event.big_blind)}."
            )
            chapters[-1].lines.append(StoryLine(text=told, cites=event.cites))
            continue
        heading = _CHAPTERS.get(type(event))
        if heading is not None:
            chapters.append(Chapter(heading=heading, lines=[]))
        chapters[-1].lines.append(StoryLine(text=event.tell(name), cites=event.cites))
    return chapters


def _chapter(hand: Hand, street: Street) -> Chapter:
    """A street as the record tells it."""
    lines = [StoryLine(text=f"{pretty_cards(street.cards)}.")] if street.cards else []
    if street.name == "preflop":
        lines += [
            StoryLine(
                text=f"{_name(hand, post.seat)} posts {write_money(post.amount)}"
                f"{' dead' if post.dead else ''} ({post.kind})."
            )
            for post in hand.posts
        ]
    lines += [StoryLine(text=_act(hand, act), cites=act.cites) for act in street.acts]
    return Chapter(heading=street.name.capitalize(), lines=lines)


def _act(hand: Hand, act: Act) -> str:
    note = f" [{act.note}]" if act.note else ""
    if act.do == "note":
        return act.note
    who = _name(hand, act.seat)
    amount = write_money(act.to)
    match act.do:
        case "fold" | "check" | "muck":
            said = f"{who} {act.do}s"
        case "call":
            said = f"{who} calls to {amount}"
        case "bet":
            said = f"{who} bets {amount}"
        case "raise":
            said = f"{who} raises to {amount}"
        case _:
            said = f"{who} shows {pretty_cards(act.cards)}".rstrip()
    return f"{said}{' and is All-in' if act.all_in else ''}.{note}"
