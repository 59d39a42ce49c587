"""What hand trackers add up: what was put in, less what nobody called, is the pots; the pots are
what was won and the Rake.

A tracker works out for itself what nobody called: on each street, by how much the highest bet was
above the next. A ruling may hand back other chips, and Poker v5 may leave an uncalled raise in the
pot; `as_counted` tells such a hand so that a tracker comes to the same money for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import structs

from croupier.formats.errors import FormatError
from croupier.formats.hand import Act, Hand, Player, Post, Pot, Street, StreetName, Uncalled
from croupier.table.money import write_money


def put_in(hand: Hand) -> dict[int, int]:
    """What each player put in, before anything went back."""
    found = {player.seat: 0 for player in hand.players}
    for post in hand.posts:
        found[post.seat] = found.get(post.seat, 0) + post.amount
    for street in hand.streets:
        for act in street.acts:
            if act.by:
                found[act.seat] = found.get(act.seat, 0) + act.by
    return found


def pots_by_chips(hand: Hand) -> list[int]:
    """What lies in the Main Pot and in each Side Pot as the chips make them: up to what each who is
    All-in has put in, then among those who have paid more; dead posts in the Main Pot (v8 3.18.2.d,
    v5 3.14.2)."""
    live = put_in(hand)
    dead = 0
    all_in = set()
    for post in hand.posts:
        if post.dead:
            dead += post.amount
            live[post.seat] -= post.amount
        if post.all_in:
            all_in.add(post.seat)
    for street in hand.streets:
        for act in street.acts:
            if act.all_in:
                all_in.add(act.seat)
            elif act.do == "fold":
                all_in.discard(act.seat)
    for back in hand.uncalled:
        live[back.seat] -= back.amount
        all_in.discard(back.seat)
    levels = sorted({live[seat] for seat in all_in} | {max(live.values())})
    amounts = [
        sum(min(put, level) - min(put, below) for put in live.values())
        for below, level in pairwise([0, *levels])
        if level
    ]
    return [amounts[0] + dead, *amounts[1:]] if amounts else [dead]


def uncalled_of(hand: Hand) -> tuple[Uncalled, ...]:
    """What nobody called, street by street: the part of the highest bet above the next."""
    found = []
    for number, street in enumerate(hand.streets):
        bets: dict[int, int] = {}
        if number == 0:
            for post in hand.posts:
                if not post.dead:
                    bets[post.seat] = bets.get(post.seat, 0) + post.amount
        for act in street.acts:
            if act.by:
                bets[act.seat] = bets.get(act.seat, 0) + act.by
        most = sorted(bets.values(), reverse=True)
        if not most:
            continue
        excess = most[0] - (most[1] if len(most) > 1 else 0)
        if excess:
            seat = max(bets, key=bets.__getitem__)
            found.append(Uncalled(seat=seat, amount=excess, street=street.name))
    return tuple(found)


def check_sums(hand: Hand) -> None:
    """Raise `FormatError` where the money of a hand with a result does not add up."""
    if not hand.pots:
        raise FormatError("the hand has no result", place="pots")
    for number, pot in enumerate(hand.pots):
        won = sum(pot.wins.values())
        if pot.amount != pot.rake + won:
            raise FormatError(
                f"{write_money(pot.amount)} is not {write_money(won)} won and "
                f"{write_money(pot.rake)} Rake",
                place=f"pots[{number}]",
            )
    put = sum(put_in(hand).values())
    back = sum(uncalled.amount for uncalled in hand.uncalled)
    pots = sum(pot.amount for pot in hand.pots)
    if put - back != pots:
        raise FormatError(
            f"{write_money(put)} put in, less {write_money(back)} uncalled, is not the "
            f"{write_money(pots)} in the pots",
            place="pots",
        )
    rake = sum(pot.rake for pot in hand.pots)
    if hand.rake is not None and hand.rake != rake:
        raise FormatError(
            f"{write_money(hand.rake)} is not the {write_money(rake)} taken from the pots",
            place="rake",
        )


def check_cards(hand: Hand) -> None:
    """Raise `FormatError` where more or fewer cards lie there than a tracker can take in: a dealing
    error that nobody reported."""
    for street in hand.streets:
        if len(street.cards) != _CARDS[street.name]:
            raise FormatError(
                f"{len(street.cards)} cards lie there; it has {_CARDS[street.name]}",
                place=street.name,
            )
    for player in hand.players:
        if len(player.cards) not in (0, 2):
            raise FormatError(
                f"the player holds {len(player.cards)} cards, not 2", place=f"seat {player.seat}"
            )


_CARDS: dict[StreetName, int] = {"preflop": 0, "flop": 3, "turn": 1, "river": 1}


# -- as a tracker counts ---------------------------------------------------------------------------


def as_counted(hand: Hand) -> Hand:
    """The hand as a tracker counts it: what went back is exactly what nobody called.

    Everybody ends with the same money. Chips that a ruling handed back were never put in. An
    uncalled raise that stayed in the pot goes back before its player wins the rest; what stayed in
    of a dead hand is a dead post. A void hand, and one without a result, is an error.
    """
    if hand.voided:
        raise FormatError(f"a void hand has no result ({hand.voided})")
    check_cards(hand)
    check_sums(hand)
    uncalled = uncalled_of(hand)
    if hand.uncalled == uncalled:
        return _all_took_part(hand)
    plain = tuple(back for back in hand.uncalled if back in uncalled)
    counted = _recounted(hand, plain)
    if counted.uncalled != uncalled_of(counted):
        # What was handed back has changed what nobody called: then none of it was put in.
        counted = _recounted(hand, ())
    check_sums(counted)
    return structs.replace(
        _all_took_part(counted),
        players=tuple(_with_winnings(player, counted) for player in hand.players),
    )


def _all_took_part(hand: Hand) -> Hand:
    """The same hand. A `FormatError` where somebody with cards has done nothing in it: his Blind
    went back, and no turn came to him; or where there is nobody but one, the others having left
    since a Misdeal. Trackers know a player by what he does, and hands of two."""
    seats = {post.seat for post in hand.posts}
    seats.update(act.seat for street in hand.streets for act in street.acts if act.do != "note")
    for player in hand.players:
        if player.seat not in seats:
            raise FormatError(
                "the player has neither posted nor acted", place=f"seat {player.seat}"
            )
    if len(seats) < 2:
        raise FormatError("only one player took part", place="players")
    return hand


def _recounted(hand: Hand, plain: tuple[Uncalled, ...]) -> Hand:
    """The hand with what went back taken out of what was put in, but for what is `plain`."""
    for back in hand.uncalled:
        if back not in plain:
            hand = _without(hand, back.seat, back.amount)
    hand = structs.replace(hand, uncalled=plain)
    for uncalled in uncalled_of(hand):
        if uncalled not in plain:
            won = sum(pot.wins.get(uncalled.seat, 0) for pot in hand.pots)
            hand = _won_back(hand, uncalled) if won >= uncalled.amount else _dead(hand, uncalled)
    order = {street.name: number for number, street in enumerate(hand.streets)}
    backs = sorted(hand.uncalled, key=lambda back: order[back.street])
    return structs.replace(hand, uncalled=tuple(backs))


def _with_winnings(player: Player, hand: Hand) -> Player:
    won = sum(pot.wins.get(player.seat, 0) for pot in hand.pots)
    return player if player.winnings is None else structs.replace(player, winnings=won)


def _without(hand: Hand, seat: int, amount: int) -> Hand:
    """The hand with so many of a player's last chips not put in."""
    left = amount
    streets = []
    for street in reversed(hand.streets):
        street, left = _lowered(street, seat, left)
        streets.append(street)
    posts = []
    for post in reversed(hand.posts):
        taken = min(left, post.amount) if post.seat == seat else 0
        if taken:
            left -= taken
            post = structs.replace(post, amount=post.amount - taken, all_in=False)
        if post.amount:
            posts.append(post)
    return structs.replace(hand, streets=tuple(reversed(streets)), posts=tuple(reversed(posts)))


def _lowered(street: Street, seat: int, amount: int) -> tuple[Street, int]:
    """The street with less of a player's last chips in it, and how many are still to come off."""
    left = amount
    acts: list[Act] = []
    for act in reversed(street.acts):
        taken = min(left, act.by) if act.seat == seat else 0
        if taken:
            left -= taken
            act = structs.replace(act, by=act.by - taken, to=act.to - taken, all_in=False)
            if not act.by and act.do != "fold":
                continue
        acts.append(act)
    return structs.replace(street, acts=tuple(reversed(acts))), left


def _dead(hand: Hand, uncalled: Uncalled) -> Hand:
    """What nobody called and yet stayed in the pot: chips without a hand, as a dead post is."""
    streets = []
    left = uncalled.amount
    for street in hand.streets:
        if street.name == uncalled.street:
            street, left = _lowered(street, uncalled.seat, uncalled.amount)
        streets.append(street)
    posts = hand.posts
    if left:  # his live posts before the first Action
        hand = _without(structs.replace(hand, streets=tuple(streets)), uncalled.seat, left)
        streets, posts = list(hand.streets), hand.posts
    seat, amount = uncalled.seat, uncalled.amount
    posted = amount + sum(post.amount for post in posts if post.seat == seat)
    put = sum(act.by for street in streets for act in street.acts if act.seat == seat)
    whole = posted + put == next(player.stack for player in hand.players if player.seat == seat)
    if whole and put:  # a post lies there before any Action: the last chip came with this one
        streets = _all_in_at_last(streets, seat)
    dead = Post(seat=seat, kind="post", amount=amount, dead=True, all_in=whole and not put)
    return structs.replace(hand, streets=tuple(streets), posts=(*posts, dead))


def _all_in_at_last(streets: list[Street], seat: int) -> list[Street]:
    """The streets with a player's last wager All-in."""
    for number in reversed(range(len(streets))):
        acts = list(streets[number].acts)
        for place in reversed(range(len(acts))):
            if acts[place].seat == seat and acts[place].by:
                acts[place] = structs.replace(acts[place], all_in=True)
                found = structs.replace(streets[number], acts=tuple(acts))
                return [*streets[:number], found, *streets[number + 1 :]]
    return streets


def _won_back(hand: Hand, uncalled: Uncalled) -> Hand:
    """Take what nobody called out of the pots that its player won, the last pot first."""
    left = uncalled.amount
    pots: list[Pot] = []
    for pot in reversed(hand.pots):
        won = pot.wins.get(uncalled.seat, 0)
        taken = min(left, won)
        left -= taken
        if taken:
            wins = {**pot.wins, uncalled.seat: won - taken}
            pot = structs.replace(pot, amount=pot.amount - taken, wins=wins)
        pots.append(pot)
    return structs.replace(hand, pots=tuple(reversed(pots)), uncalled=(*hand.uncalled, uncalled))


def stated_wins(hand: Hand, back: dict[int, int]) -> Iterator[dict[int, int]]:
    """What each took out of the pots by what is stated, in every way that it can be meant."""
    players = hand.players
    put = put_in(hand)
    if all(p.finishing is not None and p.stack is not None for p in players):
        yield {
            p.seat: gained
            for p in players
            if (gained := (p.finishing or 0) - (p.stack or 0) + put[p.seat] - back.get(p.seat, 0))
        }
    if any(p.winnings for p in players):
        won = {p.seat: p.winnings for p in players if p.winnings}
        for holds in (False, True):
            if hand.winnings_hold_uncalled in (holds, None):
                yield {
                    seat: left
                    for seat, amount in won.items()
                    if (left := amount - (back.get(seat, 0) if holds else 0))
                }


def paid_of(hand: Hand) -> dict[int, int]:
    """What each took out of the pots that the record states."""
    won: dict[int, int] = {}
    for pot in hand.pots:
        for seat, amount in pot.wins.items():
            won[seat] = won.get(seat, 0) + amount
    return won
