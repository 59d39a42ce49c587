"""Our own fields in PHH, with the underscore that the format reserves for them.

| field | what it holds |
|---|---|
| `_rulebook`, `_policies` | the book and the policies under which the hand was played |
| `_citations` | for each entry of `actions` the paragraphs behind it |
| `_settled_by` | the paragraphs by which it was shown down, charged and paid |
| `_rulings` | decisions of the House, or of a player who was asked |
| `_rake`, `_pots`, `_uncalled` | the Rake, each pot with its winners, what went back uncalled |
| `_posts` | who posted what before the first Action, live or dead, where the format cannot tell |
| `_button` | the seat with the button, where it is not the last player's |
| `_voided`, `_restarts` | why it was void; how many Misdeals it had |

| `_beside` | of a hand that was converted: what another format said and this one has no word for |

A field of these names that somebody else wrote with another meaning stays as it is.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand, Post, PostKind, Pot, Ruling, StreetName, Uncalled
from croupier.formats.phh_actions import cents, write_amount

OWN = frozenset(
    (
        "_rulebook",
        "_policies",
        "_citations",
        "_settled_by",
        "_rulings",
        "_rake",
        "_pots",
        "_uncalled",
        "_button",
        "_voided",
        "_restarts",
        "_winnings_hold_uncalled",
        "_posts",
    )
)
BESIDE = "_beside"
PLAIN = [("small blind", False), ("big blind", False)]
"""Posts that the format tells by itself: neither dead nor cut short."""


class _Pot(msgspec.Struct, forbid_unknown_fields=True):
    amount: Any
    rake: Any = 0
    seats: tuple[int, ...] = ()
    wins: dict[int, Any] = {}


class _Post(msgspec.Struct, forbid_unknown_fields=True):
    seat: int
    kind: PostKind
    amount: Any
    dead: bool = False


class _Uncalled(msgspec.Struct, forbid_unknown_fields=True):
    seat: int
    amount: Any
    street: StreetName


def posts_of(fields: dict[str, Any]) -> tuple[Post, ...] | None:
    """Who posted what, where a hand of ours says so."""
    if not ("_rulebook" in fields or BESIDE in fields) or "_posts" not in fields:
        return None
    try:
        read = msgspec.convert(fields["_posts"], tuple[_Post, ...])
        return tuple(
            Post(seat=p.seat, kind=p.kind, amount=cents(p.amount, "amount"), dead=p.dead)
            for p in read
        )
    except (msgspec.ValidationError, FormatError) as error:
        says = error.says if isinstance(error, FormatError) else str(error)
        raise FormatError(says, place="_posts") from error


def read_own(
    fields: dict[str, Any], placed: list[tuple[int, int] | None], extra: dict[str, Any]
) -> dict[str, Any]:
    """What our fields say, by the names of `Hand`; those that are not ours go to `extra`."""
    if "_rulebook" not in fields:
        for name in OWN:
            if name in fields and not (name == "_posts" and BESIDE in fields):
                extra[name] = fields[name]
        return {}
    own: dict[str, Any] = {}
    name = ""
    try:
        for name in OWN - {"_posts"}:  # those are read before the actions
            if name in fields:
                key, value = _read(name, fields[name], placed)
                own[key] = value
    except (msgspec.ValidationError, FormatError) as error:
        says = error.says if isinstance(error, FormatError) else str(error)
        raise FormatError(says, place=name) from error
    return own


def _read(name: str, value: Any, placed: list[tuple[int, int] | None]) -> tuple[str, Any]:
    match name:
        case "_rulebook" | "_voided":
            return name[1:], msgspec.convert(value, str)
        case "_policies":
            return "policies", msgspec.convert(value, dict[str, str])
        case "_citations":
            cites = msgspec.convert(value, list[tuple[str, ...]])
            if len(cites) != len(placed):
                raise FormatError(f"{len(cites)} entries for {len(placed)} actions")
            return "citations", cites
        case "_settled_by":
            return "cites", msgspec.convert(value, tuple[str, ...])
        case "_rulings":
            return "rulings", msgspec.convert(value, tuple[Ruling, ...])
        case "_rake":
            return "rake", cents(value, name)
        case "_pots":
            pots = msgspec.convert(value, tuple[_Pot, ...], strict=False)
            return "pots", tuple(
                Pot(
                    amount=cents(pot.amount, "amount"),
                    rake=cents(pot.rake, "rake"),
                    seats=pot.seats,
                    wins={seat: cents(won, "wins") for seat, won in pot.wins.items()},
                )
                for pot in pots
            )
        case "_uncalled":
            backs = msgspec.convert(value, tuple[_Uncalled, ...])
            return "uncalled", tuple(
                Uncalled(seat=b.seat, amount=cents(b.amount, "amount"), street=b.street)
                for b in backs
            )
        case "_winnings_hold_uncalled":
            return "winnings_hold_uncalled", msgspec.convert(value, bool)
        case _:
            return name[1:], msgspec.convert(value, int)


def own_fields(hand: Hand, citations: list[tuple[str, ...]], button: int) -> dict[str, Any]:
    """Our fields of a hand; nothing for one that no table of ours has played."""
    if not hand.rulebook:
        return {}
    fields: dict[str, Any] = {"_rulebook": hand.rulebook}
    if hand.policies:
        fields["_policies"] = dict(hand.policies)
    if any(citations):
        fields["_citations"] = [list(cites) for cites in citations]
    if hand.cites:
        fields["_settled_by"] = list(hand.cites)
    if hand.rulings:
        fields["_rulings"] = [
            {key: value for key, value in ruling.items() if value not in ("", None, [], ())}
            for ruling in msgspec.to_builtins(hand.rulings)
        ]
    if hand.rake is not None:
        fields["_rake"] = amount(hand.rake)
    if hand.pots:
        fields["_pots"] = [
            {
                "amount": amount(pot.amount),
                "rake": amount(pot.rake),
                "seats": list(pot.seats),
                "wins": {str(seat): amount(won) for seat, won in pot.wins.items()},
            }
            for pot in hand.pots
        ]
    if hand.uncalled:
        fields["_uncalled"] = [
            {"seat": back.seat, "amount": amount(back.amount), "street": back.street}
            for back in hand.uncalled
        ]
    if hand.winnings_hold_uncalled is not None:
        fields["_winnings_hold_uncalled"] = hand.winnings_hold_uncalled
    if [(post.kind, post.dead or post.all_in) for post in hand.posts] != PLAIN:
        fields["_posts"] = own_posts(hand)
    if hand.button != button:
        fields["_button"] = hand.button
    if hand.voided:
        fields["_voided"] = hand.voided
    if hand.restarts:
        fields["_restarts"] = hand.restarts
    return fields


def own_posts(hand: Hand) -> list[dict[str, Any]]:
    """Who posted what, live or dead."""
    return [
        {"seat": post.seat, "kind": post.kind, "amount": amount(post.amount), "dead": post.dead}
        for post in hand.posts
    ]


def amount(value: int) -> int | Decimal:
    """Cents as the format's number."""
    return value // 100 if value % 100 == 0 else Decimal(write_amount(value))
