"""The rounds of an Open Hand History hand, read with the chips counted along."""

from __future__ import annotations

from msgspec import structs

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.hand import STREETS, Act, ActKind, Player, Post, PostKind, Street, StreetName
from croupier.formats.ohh_json import Node
from croupier.table.money import write_money

_STREETS: dict[str, StreetName] = {name: name for name in STREETS}
_OPENED_BY: dict[StreetName, int] = {"preflop": 0, "flop": 3, "turn": 1, "river": 1}
_POSTS: dict[str, tuple[PostKind, bool]] = {
    "post ante": ("ante", True),
    "post sb": ("small blind", False),
    "post bb": ("big blind", False),
    "straddle": ("straddle", False),
    "post dead": ("post", True),
    "post extra blind": ("post", False),
}
_ACTS: dict[str, ActKind] = {
    "fold": "fold",
    "check": "check",
    "call": "call",
    "bet": "bet",
    "raise": "raise",
}
_ASIDE = ("added chips", "sits down", "stands up", "player adjustment", "payout")
"""What is no part of the hand; it is kept as a remark."""


class Play:
    """Who did what, street by street."""

    def __init__(self, by_key: dict[str, Player], node: Node, *, totals: bool = False) -> None:
        self.by_key = by_key
        self.totals = totals
        """Whether the amount of a call or raise is his total, against the specification."""
        self.node = node
        self.players = {player.seat: player for player in by_key.values()}
        self.left = {player.seat: player.stack or 0 for player in by_key.values()}
        self.cards = {player.seat: player.cards for player in by_key.values() if player.cards}
        self.posts: list[Post] = []
        self.streets: list[Street] = []
        self.acted: set[int] = set()
        self.bets: dict[int, int] = {}

    def seat_of(self, node: Node) -> int:
        """The seat of the player whom an action or a win names."""
        key = node.key("player_id")
        player = self.by_key.get(key)
        if player is None:
            node.fail("player_id", f"there is no player {key[:40]!r} in the hand")
        return player.seat

    def read(self, rounds: list[Node]) -> set[int]:
        """Read all rounds; return the seats that took part."""
        if not rounds:
            raise FormatError("the hand has no rounds", place=self.node.at("rounds"))
        for node in rounds:
            self._round(node)
        if not 2 <= len(self.acted) <= 10:
            raise FormatError(
                f"{len(self.acted)} players took part; hold'em is for 2 to 10",
                place=self.node.at("rounds"),
            )
        for seat in self.acted:
            # He was dealt in, so he had two cards, although nobody wrote them down.
            cards = self.cards.get(seat, (Card.UNKNOWN,) * 2)
            self.players[seat] = structs.replace(self.players[seat], cards=cards)
        self._check_cards()
        return self.acted

    def player(self, seat: int) -> Player:
        return self.players[seat]

    def _round(self, node: Node) -> None:
        name = node.text("street").replace("-", "").lower()
        cards = node.cards("cards")
        if name != "showdown":
            street = _STREETS.get(name)
            if street is None or STREETS.index(street) != len(self.streets):
                due = STREETS[len(self.streets)] if len(self.streets) < 4 else "showdown"
                node.fail("street", f"{node.text('street')[:40]!r} where the {due} comes next")
            if len(cards) != _OPENED_BY[street]:
                node.fail("cards", f"{len(cards)} cards; the {street} has {_OPENED_BY[street]}")
            self.streets.append(Street(name=street, cards=cards))
            if street != "preflop":
                self.bets = {}
        elif not self.streets:
            node.fail("street", "a showdown before any street")
        acts = [act for action in node.children("actions", 2_000) if (act := self._action(action))]
        last = self.streets[-1]
        self.streets[-1] = structs.replace(last, acts=(*last.acts, *acts))

    def _action(self, node: Node) -> Act | None:
        word = node.text("action").lower()
        if word in _ASIDE:
            return self._aside(node, word)
        if word == "add to pot":
            node.fail("action", "chips that the room adds to a pot are not known to the book")
        seat = self.seat_of(node)
        if word == "dealt cards":
            self._deal(node, seat)
            return None
        self.acted.add(seat)
        if word in _POSTS:
            self._post(node, seat, *_POSTS[word])
            return None
        if word == "shows cards":
            self._deal(node, seat)
            return Act(seat=seat, do="show", cards=node.cards("cards"))
        if word == "mucks cards":
            self._deal(node, seat)
            return Act(seat=seat, do="muck")
        do = _ACTS.get(word)
        if do is None:
            node.fail("action", f"{node.text('action')[:40]!r} is no action of this format")
        before = self.bets.get(seat, 0)
        by = self._put(node, seat, before if self.totals and do in ("call", "raise") else 0)
        if do in ("bet", "raise"):  # some call every wager a raise
            do = "raise" if any(self.bets.values()) or len(self.streets) == 1 else "bet"
        self.bets[seat] = before + by
        if do in ("bet", "raise") and by <= 0:
            node.fail("amount", f"a {do} of nothing")
        if by and do in ("check", "fold"):
            node.fail("amount", f"{write_money(by)} with a {do}")
        if do == "call" and not by:
            do = "check"
        wagers = do in ("call", "bet", "raise")
        return Act(
            seat=seat,
            do=do,
            to=before + by if wagers or do == "check" else 0,
            by=by,
            all_in=wagers and self.left[seat] == 0,
        )

    def _aside(self, node: Node, word: str) -> Act:
        who = node.text("player_id")
        player = self.by_key.get(who)
        name = player.name if player is not None else who
        amount = node.cents("amount")
        told = f"{word} {name} {write_money(amount)}" if amount else f"{word} {name}"
        return Act(seat=0, do="note", note=told.strip())

    def _post(self, node: Node, seat: int, kind: PostKind, dead: bool) -> None:
        if len(self.streets) > 1:
            node.fail("action", "a post after the flop")
        amount = self._put(node, seat)
        if amount <= 0:
            node.fail("amount", "a post of nothing")
        if not dead:
            self.bets[seat] = self.bets.get(seat, 0) + amount
        all_in = self.left[seat] == 0
        self.posts.append(Post(seat=seat, kind=kind, amount=amount, dead=dead, all_in=all_in))

    def _put(self, node: Node, seat: int, before: int = 0) -> int:
        """The chips of an action, taken off what he had left; `before` of them were in already."""
        amount = node.cents("amount") - before
        if amount < 0:
            node.fail("amount", "nobody puts in less than nothing")
        self.left[seat] -= amount
        if self.left[seat] < 0:
            node.fail(
                "amount", f"the player has {write_money(self.left[seat] + amount)} left, not more"
            )
        return amount

    def _deal(self, node: Node, seat: int) -> None:
        """Hole Cards as somebody saw them; a card that is known stays known."""
        seen = node.cards("cards")
        if not seen:
            return
        if len(seen) > 2:
            node.fail("cards", f"{len(seen)} Hole Cards; there are 2")
        seen += (Card.UNKNOWN,) * (2 - len(seen))
        before = self.cards.get(seat, ())
        if not before or Card.UNKNOWN in before:
            self.cards[seat] = seen if seen.count(Card.UNKNOWN) < 2 or not before else before
        elif Card.UNKNOWN not in seen and set(seen) != set(before):
            node.fail(
                "cards", f"the player was dealt {before[0]} {before[1]}, and now it is others"
            )

    def _check_cards(self) -> None:
        seen: set[Card] = set()
        board = [card for street in self.streets for card in street.cards]
        for cards in (board, *self.cards.values()):
            for card in cards:
                if card.is_known and card in seen:
                    raise FormatError(f"{card} is there twice", place=self.node.at("rounds"))
                seen.add(card)

    def posts_of(self, order: list[int], button: int) -> list[Post]:
        """The posts; of several Big Blinds, the one next to the Small Blind is the Big Blind and
        the others are posted to come in."""
        bigs = [post.seat for post in self.posts if post.kind == "big blind"]
        if len(bigs) < 2:
            return self.posts
        smalls = [post.seat for post in self.posts if post.kind == "small blind"]
        after = order.index(smalls[0]) if smalls else order.index(button) if button in order else -1
        around = order[after + 1 :] + order[: after + 1]
        big = min(bigs, key=around.index)
        return [
            structs.replace(post, kind="post")
            if post.kind == "big blind" and post.seat != big
            else post
            for post in self.posts
        ]
