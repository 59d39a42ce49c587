"""Open Hand History, version 1.4.7, written: a `Hand` as the JSON that hand trackers read.

Amounts are numbers with two decimals, and the amount of an action is what it put in. What the
format has no field for goes into one of our own, `_croupier`, which others pass over. The sums that
trackers check hold: what the actions put in, less what nobody called, is the pots, and each pot is
what was won and the Rake.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any

import msgspec
from msgspec import Raw

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.export_sums import as_counted
from croupier.formats.hand import Act, Hand, PostKind
from croupier.formats.side_data import Beside

SPEC = "1.4.7"
"""The version of the specification that is written."""
OURS = "_croupier"
KEPT = "_ohh"
"""Where `Hand.extra` keeps fields of the format that the record has no name for."""
PLAY_MONEY = "XPM"
"""What the format writes where the chips are no currency."""
SITE = "croupier"

STREET_NAMES = {"preflop": "Preflop", "flop": "Flop", "turn": "Turn", "river": "River"}
SHOWDOWN = "Showdown"
_POSTS: dict[PostKind, str] = {
    "ante": "Post Ante",
    "small blind": "Post SB",
    "big blind": "Post BB",
    "straddle": "Straddle",
    "post": "Post Extra Blind",
}
_ACTS = {"fold": "Fold", "check": "Check", "call": "Call", "bet": "Bet", "raise": "Raise"}


def write_ohh(hand: Hand, hero: int | None = None, beside: Beside | None = None) -> bytes:
    """A hand as one JSON object. `hero` is the seat of the player for whom it is written; `beside`
    is what the format has no field for, where all of it is to be kept.

    In a file hands are separated by one blank line.
    A hand without a result, a void one, or one with too many cards has no place in a tracker and
    is an error.
    """
    try:
        fields = _fields(as_counted(hand), hero)
        if beside is not None:
            fields[OURS] = {**fields.get(OURS, {}), "beside": beside}
            fields[OURS].pop("extra", None)  # `beside` holds it whole
        return msgspec.json.encode({"ohh": fields})
    except FormatError as error:
        raise error.at(hand=str(hand.number)) from None


def _fields(hand: Hand, hero: int | None) -> dict[str, Any]:
    seats = [player.seat for player in hand.players]
    if hero is not None and hero not in seats:
        raise FormatError(f"seat {hero} was not dealt in and cannot be the hero", place="hero")
    antes = [post.amount for post in hand.posts if post.kind == "ante"]
    known: dict[str, Any] = hand.extra.get(KEPT, {})
    fields: dict[str, Any] = {
        "spec_version": SPEC,
        "internal_version": SPEC,
        "network_name": hand.room or SITE,
        "site_name": hand.room or SITE,
        "game_type": "Holdem",
        "tournament": False,
        "table_name": hand.table,
        "table_size": hand.seats if hand.seats is not None else max(*seats, hand.button),
        "game_number": game_number(hand),
        "start_date_utc": _start(hand),
        "currency": hand.currency or PLAY_MONEY,
        "ante_amount": _amount(max(antes, default=0)),
        "small_blind_amount": _amount(hand.small_blind),
        "big_blind_amount": _amount(hand.big_blind),
        "bet_limit": {"bet_cap": _amount(0), "bet_type": "NL"},
        "dealer_seat": hand.button,
        "hero_player_id": hero,
        "flags": [] if hero is not None else ["Observed"],
        "players": [
            {
                "id": player.seat,
                "seat": player.seat,
                "name": player.name or f"Seat {player.seat}",
                "starting_stack": _amount(_stack(player.stack, player.seat)),
                "player_bounty": 0,
            }
            for player in hand.players
        ],
        "rounds": _rounds(hand),
        "pots": [
            {
                "number": number,
                "amount": _amount(pot.amount),
                "rake": _amount(pot.rake),
                "player_wins": [
                    {"player_id": seat, "win_amount": _amount(won)}
                    for seat, won in sorted(pot.wins.items())
                    if won
                ],
            }
            for number, pot in enumerate(hand.pots)
        ],
    }
    fields |= known | _ours(hand)
    if hero is not None:
        fields["hero_player_id"] = hero
    return fields


def game_number(hand: Hand) -> str:
    """What tells this hand from all others of its room: table, round and time, where ours."""
    if not hand.rulebook or hand.time is None:
        return str(hand.number)
    return f"{hand.table}-{hand.number}-{hand.time.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _stack(stack: int | None, seat: int) -> int:
    if stack is None:
        raise FormatError(
            "the record does not say how many chips this player had", place=f"players: seat {seat}"
        )
    return stack


def _start(hand: Hand) -> str:
    if hand.time is None:
        raise FormatError("nobody noted when the hand began", place="time")
    when = hand.time.astimezone(UTC) if hand.time.tzinfo is not None else hand.time
    return f"{when.replace(tzinfo=None).isoformat()}Z"


# -- the rounds ------------------------------------------------------------------------------------


class _Numbered:
    """The actions of a hand, numbered from 1 in order."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, seat: int, action: str, **more: Any) -> dict[str, Any]:
        self.count += 1
        return {"action_number": self.count, "player_id": seat, "action": action, **more}


def _rounds(hand: Hand) -> list[dict[str, Any]]:
    numbered = _Numbered()
    rounds: list[dict[str, Any]] = []
    shown: list[Act] = []
    for number, street in enumerate(hand.streets):
        actions: list[dict[str, Any]] = []
        if number == 0:
            actions += _before(hand, numbered)
        for act in street.acts:
            if act.do in ("show", "muck"):
                shown.append(act)
            elif act.do != "note":
                actions += _act(act, numbered, preflop=number == 0)
        rounds.append(
            {
                "id": number,
                "street": STREET_NAMES[street.name],
                "cards": _cards(street.cards),
                "actions": actions,
            }
        )
    if shown:
        showing = [_shown(hand, act, numbered) for act in shown]
        rounds.append({"id": len(rounds), "street": SHOWDOWN, "cards": [], "actions": showing})
    return rounds


def _before(hand: Hand, numbered: _Numbered) -> list[dict[str, Any]]:
    """Posts, and the Hole Cards that are known."""
    actions = []
    for post in hand.posts:
        kind = "Post Dead" if post.dead and post.kind != "ante" else _POSTS[post.kind]
        actions.append(numbered(post.seat, kind, amount=_amount(post.amount), is_allin=post.all_in))
    for player in hand.players:
        if player.cards and Card.UNKNOWN not in player.cards:
            actions.append(numbered(player.seat, "Dealt Cards", cards=_cards(player.cards)))
    return actions


def _act(act: Act, numbered: _Numbered, *, preflop: bool) -> list[dict[str, Any]]:
    actions = []
    if act.by:
        # Chips that stay in with a Fold (v8 3.5.4) were put in first.
        word = "Call" if act.do == "fold" else _ACTS[act.do]
        if preflop and act.do == "bet":
            word = "Raise"  # the format has no Bet before the flop
        actions.append(numbered(act.seat, word, amount=_amount(act.by), is_allin=act.all_in))
    if not act.by or act.do == "fold":
        actions.append(numbered(act.seat, _ACTS[act.do]))
    return actions


def _shown(hand: Hand, act: Act, numbered: _Numbered) -> dict[str, Any]:
    if act.do == "show":
        return numbered(act.seat, "Shows Cards", cards=_cards(act.cards))
    cards = hand.player(act.seat).cards
    if cards and Card.UNKNOWN not in cards:
        return numbered(act.seat, "Mucks Cards", cards=_cards(cards))
    return numbered(act.seat, "Mucks Cards")


def _cards(cards: Iterable[Card]) -> list[str]:
    return [card.value for card in cards]


def _amount(cents: int) -> Raw:
    """Cents as a number with two decimals: exact, because it is written as text."""
    sign = "-" if cents < 0 else ""
    units, rest = divmod(abs(cents), 100)
    return Raw(f"{sign}{units}.{rest:02}".encode())


# -- what the format has no field for --------------------------------------------------------------


def _ours(hand: Hand) -> dict[str, Any]:
    ours: dict[str, Any] = {}
    if hand.rulebook:
        ours = {
            "number": hand.number,
            "rulebook": hand.rulebook,
            "policies": hand.policies,
            "cites": hand.cites,
            "rulings": hand.rulings,
            "restarts": hand.restarts,
            "symbol": hand.symbol,
        }
    extra = {key: value for key, value in hand.extra.items() if key != KEPT}
    if extra:
        ours["extra"] = extra
    return {OURS: ours} if ours else {}
