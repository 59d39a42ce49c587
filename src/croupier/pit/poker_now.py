"""How a poker table comes into the middle of a Round of play: street, pot, bets, who did what.

Stakes are those that the players have behind them now, the pot is everything that lies on the
table. From both follows what each brought. The Betting Rounds that are over are played so that
they leave what is described; the acts of this one are given as they are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from croupier.pit.poker_orbit import no_straddle
from croupier.pit.situation import Contradiction
from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, Raise, Straddle
from croupier.table import Command, Look, Money, Offer, Seat, UnreadableMoney, read_money
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.pit.poker import PokerStage

StreetName = Literal["before the flop", "flop", "turn", "river"]
STREETS: tuple[StreetName, ...] = ("before the flop", "flop", "turn", "river")
CARDS = (0, 3, 4, 5)
WORDS = ("fold", "check", "call", "bet", "raise", "all in")


class NowSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Round of play under way when the steps begin."""

    stage: StreetName
    """The Betting Round that is open."""
    pot: Money | None = None
    """Everything on the table: the pots, and what lies in front of the players."""
    put_in: dict[Seat, Money] = {}
    """What a player put in while the Betting Rounds before were open, where not as all others."""
    folded: tuple[Seat, ...] = ()
    """Who folded in a Betting Round that is over."""
    earlier: dict[StreetName, tuple[str, ...]] = {}
    """The acts of a Betting Round that is over, where it matters how it went."""
    acted: tuple[str, ...] = ()
    """The acts of this Betting Round, in order: `3 raise to 60`, `4 fold`. An All-in, and a call
    for less than the bet, is told with its amount."""
    bets: dict[Seat, Money] | None = None
    """What lies in front of each, to be checked."""
    turn: Seat | None = None
    """Whose turn it is, to be checked."""
    looked: tuple[Seat, ...] = ()
    straddle: Seat | None = None


class Act(Struct, frozen=True, kw_only=True):
    """One act as it is told: whose, what, and to how much in all."""

    seat: int
    do: str
    to: int | None
    path: str

    def __str__(self) -> str:
        amount = f" to {write_money(self.to)}" if self.to is not None else ""
        return f"seat {self.seat}: {self.do}{amount}"


class Posted(Struct, frozen=True, kw_only=True):
    """The Round of play once the Blinds are placed: who is in it, and what lies before each."""

    order: tuple[int, ...]
    bets: dict[int, int]
    dead: dict[int, int]
    big_blind: int
    chip: int
    """The smallest chip."""


def read_acts(told: Sequence[str], path: str) -> list[Act]:
    """Acts in words, each as `SEAT WORD` or `SEAT WORD to AMOUNT`."""
    return [_read_act(one, f"{path}[{i}]") for i, one in enumerate(told, 1)]


def _read_act(told: str, path: str) -> Act:
    seat, _, rest = told.strip().partition(" ")
    word = next((word for word in WORDS if rest == word or rest.startswith(f"{word} ")), None)
    if not seat.isdigit() or word is None:
        known = ", ".join(WORDS)
        raise Contradiction(path, f"an act is told as '3 raise to 60'; known words: {known}")
    amount = rest[len(word) :].strip().removeprefix("to ").strip()
    try:
        to = read_money(amount) if amount else None
    except UnreadableMoney as error:
        raise Contradiction(path, str(error)) from error
    if word in ("bet", "raise") and to is None:
        raise Contradiction(path, f"say to how much: '{seat} {word} to 60'")
    return Act(seat=int(seat), do=word, to=to, path=path)


# -- what each has put in -----------------------------------------------------------------------


def put_in_before(now: NowSetup, posted: Posted, in_front: Mapping[int, int]) -> dict[int, int]:
    """What each put in during the Betting Rounds that are over, live chips alone."""
    if now.stage == "before the flop":
        return dict.fromkeys(posted.order, 0)
    _check_seats(now, posted)
    known = dict(now.put_in)
    for seat in now.folded:
        known.setdefault(seat, posted.bets.get(seat, 0))
    alike = [seat for seat in posted.order if seat not in known]
    price = max(posted.bets.values())
    if now.pot is None:
        each = max((known[s] for s in known if s not in now.folded), default=price)
        return {**dict.fromkeys(alike, each), **known}
    middle = now.pot - sum(in_front.values()) - sum(posted.dead.values())
    rest = middle - sum(known.values())
    if not alike and rest == 0:
        return known
    if rest < 0 or not alike or rest % (len(alike) * posted.chip):
        raise Contradiction("now.pot", _cannot_be_made(now, posted, known, alike, in_front))
    each = rest // len(alike)
    if each < price:
        raise Contradiction(
            "now.pot",
            f"{write_money(now.pot)} would be {write_money(each)} from each of "
            f"{_seats(alike)}, and nobody saw the flop for less than {write_money(price)}",
        )
    return {**dict.fromkeys(alike, each), **known}


def _cannot_be_made(
    now: NowSetup,
    posted: Posted,
    known: Mapping[int, int],
    alike: Sequence[int],
    in_front: Mapping[int, int],
) -> str:
    """Why a pot does not come from the bets that are told."""
    assert now.pot is not None
    parts = [f"{write_money(sum(in_front.values()))} in front of the players"] * bool(
        sum(in_front.values())
    )
    if posted.dead:
        parts.append(f"{write_money(sum(posted.dead.values()))} of dead posts")
    parts += [f"{write_money(amount)} of seat {seat}" for seat, amount in known.items() if amount]
    told = " and ".join(parts)
    from_all = f"equal bets of {_seats(alike)}" if alike else "nobody else"
    made = f"{told} and {from_all}" if told else from_all
    return f"{write_money(now.pot)} cannot be made by {made}; put_in says who put in otherwise"


def _check_seats(now: NowSetup, posted: Posted) -> None:
    for name, seats in (("folded", now.folded), ("put_in", now.put_in)):
        for seat in seats:
            if seat not in posted.order:
                raise Contradiction(f"now.{name}", f"seat {seat} is not dealt in")


def in_front_now(now: NowSetup, posted: Posted) -> dict[int, int]:
    """What lies in front of each after the acts of this Betting Round."""
    return _after(
        read_acts(now.acted, "now.acted"),
        dict(posted.bets) if now.stage == "before the flop" else {},
    )


def _after(acts: Sequence[Act], bets: dict[int, int]) -> dict[int, int]:
    for act in acts:
        price = max(bets.values(), default=0)
        if act.to is not None:
            bets[act.seat] = act.to
        elif act.do == "call":
            bets[act.seat] = price
        elif act.do == "all in":
            raise Contradiction(act.path, f"say to how much: '{act.seat} all in to 60'")
    return bets


def brought(stage: PokerStage, now: NowSetup, posted: Posted) -> dict[int, int]:
    """What each had when the cards were dealt: what he has now, and what he put in since."""
    in_front = in_front_now(now, posted)
    before = _told_before(now, posted) if now.earlier else None
    before = put_in_before(now, posted, in_front) if before is None else before
    return {
        n: seat.stake + in_front.get(n, 0) + before.get(n, 0) + posted.dead.get(n, 0)
        for n, seat in stage.setup.seats.items()
    }


def _told_before(now: NowSetup, posted: Posted) -> dict[int, int] | None:
    """What each put in, where all Betting Rounds that are over are told act by act."""
    over = STREETS[: STREETS.index(now.stage)]
    if any(street not in now.earlier for street in over):
        return None
    total = dict.fromkeys(posted.order, 0)
    for street in over:
        acts = read_acts(now.earlier[street], f"now.earlier.{street}")
        laid = _after(acts, dict(posted.bets) if street == STREETS[0] else {})
        for seat, amount in laid.items():
            total[seat] = total.get(seat, 0) + amount
    return total


# -- playing it ---------------------------------------------------------------------------------


def posted_straddle(stage: PokerStage, now: NowSetup) -> Iterator[Command]:
    """The straddle if there is one, and nobody else's."""
    if now.straddle is not None:
        if not stage.table.may_straddle():
            raise Contradiction("now.straddle", "nobody may straddle at this table now")
        yield Straddle(seat=now.straddle)
    yield from no_straddle(stage)


def play_to_now(stage: PokerStage, now: NowSetup, posted: Posted) -> Iterator[Command]:
    """From the Hole Cards to where the steps begin."""
    table = stage.table
    for i, seat in enumerate(now.looked, 1):
        if seat not in posted.order:
            raise Contradiction(f"now.looked[{i}]", f"seat {seat} has no cards to look at")
        yield Look(seat=seat)
    over = STREETS.index(now.stage)
    for street in now.earlier:
        if STREETS.index(street) >= over:
            raise Contradiction(f"now.earlier.{street}", f"it is not over yet at the {now.stage}")
    before = _told_before(now, posted) if now.earlier else None
    if before is None:
        before = put_in_before(now, posted, in_front_now(now, posted))
    all_told = all(street in now.earlier for street in STREETS[:over])
    levels = _levels(now, posted, before, over) if not all_told else []
    for i in range(over):
        acts = now.earlier.get(STREETS[i])
        if acts is not None:
            yield from _told(stage, read_acts(acts, f"now.earlier.{STREETS[i]}"), i + 1)
        else:
            yield from _fitting(stage, now, before, levels[i], i + 1, last=i == over - 1)
        yield from stage.until(lambda cards=CARDS[i + 1]: len(table.board()) >= cards)  # type: ignore[misc]
        _check_on(stage, now, i + 1)
    yield from _told(stage, read_acts(now.acted, "now.acted"), over + 1)
    _check_now(stage, now)


def _levels(now: NowSetup, posted: Posted, before: Mapping[int, int], over: int) -> list[list[int]]:
    """The totals to which the bets were raised in each Betting Round that is over."""
    price = max(posted.bets.values(), default=0)
    wanted = sorted({amount for amount in before.values() if amount > price})
    folded = {before[seat] for seat in now.folded}
    top = max(before.values(), default=0)
    wanted = [amount for amount in wanted if amount in folded or amount == top]
    found = _spread(wanted, price, max(price, posted.big_blind), posted.big_blind, over)
    if found is None:
        amounts = " and then to ".join(write_money(amount) for amount in wanted)
        raise Contradiction(
            "now.put_in" if now.put_in else "now.pot",
            f"the bets cannot have gone from {write_money(price)} to {amounts}: "
            "no such raise is large enough",
        )
    return found


def _spread(
    wanted: Sequence[int], price: int, least: int, big_blind: int, rounds: int
) -> list[list[int]] | None:
    """Put raises to these totals into so many Betting Rounds, the first ones first."""
    if not wanted:
        return [[] for _ in range(rounds)]
    if not rounds:
        return None
    for count in range(len(wanted), -1, -1):
        at, by, fits = price, least, True
        for total in wanted[:count]:
            fits = fits and total - at >= by
            at, by = total, total - at
        if fits:
            rest = _spread(wanted[count:], at, big_blind, big_blind, rounds - 1)
            if rest is not None:
                return [list(wanted[:count]), *rest]
    return None


def _fitting(
    stage: PokerStage,
    now: NowSetup,
    before: Mapping[int, int],
    levels: Sequence[int],
    number: int,
    last: bool,
) -> Iterator[Command]:
    """Play a Betting Round so that each puts in what is described."""
    table = stage.table
    while (seat := table.turn()) is not None and _is_open(stage, number):
        round_ = table.state.round
        assert round_ is not None
        put_in = {n: p.total - p.dead for n, p in round_.players.items()}
        earlier = put_in[seat] - round_.players[seat].bet
        price = earlier + round_.betting.price
        folds = seat in now.folded
        above = [level for level in levels if level > price]
        # Who folds later must have had his turn at this price before it is raised again.
        ready = all(put_in[n] >= price for n in now.folded if before[n] == price)
        offers = {offer.do: offer for offer in table.offers(seat)}
        if folds and (before[seat] < price or (last and before[seat] == put_in[seat])):
            yield Fold(seat=seat)
        elif above and before[seat] >= above[0] and ready and _raises(offers, above[0] - earlier):
            yield _raise(seat, offers, above[0] - earlier)
        elif "check" in offers:
            yield Check(seat=seat)
        else:
            yield Call(seat=seat) if "call" in offers else AllIn(seat=seat)


def _raises(offers: Mapping[str, Offer], to: int) -> bool:
    return any(
        offer.least is not None and offer.most is not None and offer.least <= to <= offer.most
        for word, offer in offers.items()
        if word in ("bet", "raise", "all in")
    )


def _raise(seat: int, offers: Mapping[str, Offer], to: int) -> Command:
    for word, kind in (("bet", Bet), ("raise", Raise)):
        if word in offers and _raises({word: offers[word]}, to):
            return kind(seat=seat, to=to)
    return AllIn(seat=seat)


def _told(stage: PokerStage, acts: Sequence[Act], number: int) -> Iterator[Command]:
    """The acts of a Betting Round as they are told, each at its turn and as it is offered."""
    table = stage.table
    for act in acts:
        turn = table.turn()
        if turn is None or not _is_open(stage, number):
            raise Contradiction(act.path, f"seat {act.seat} cannot act: the betting is over")
        if turn != act.seat:
            raise Contradiction(
                act.path, f"seat {act.seat} cannot act before seat {turn}, whose turn it is"
            )
        offers = {offer.do: offer for offer in table.offers(turn)}
        if act.do not in offers or not _is_offered(act, offers[act.do]):
            may = ", ".join(str(offer) for offer in offers.values())
            raise Contradiction(act.path, f"{act} is not possible; seat {turn} may: {may}")
        yield _command(act)


def _is_offered(act: Act, offer: Offer) -> bool:
    if act.to is None or offer.least is None or offer.most is None:
        return True
    return offer.least <= act.to <= offer.most


def _command(act: Act) -> Command:
    match act.do:
        case "bet" if act.to is not None:
            return Bet(seat=act.seat, to=act.to)
        case "raise" if act.to is not None:
            return Raise(seat=act.seat, to=act.to)
        case "all in":
            return AllIn(seat=act.seat)
        case "call":
            return Call(seat=act.seat)
        case "check":
            return Check(seat=act.seat)
        case _:
            return Fold(seat=act.seat)


def _is_open(stage: PokerStage, number: int) -> bool:
    round_ = stage.table.state.round
    return (
        stage.table.state.phase == "betting"
        and round_ is not None
        and round_.betting.number == number
    )


# -- checking it --------------------------------------------------------------------------------


def _check_on(stage: PokerStage, now: NowSetup, over: int) -> None:
    """See that the Betting Round that is over has led to the next street."""
    if len(stage.table.board()) < CARDS[over]:
        raise Contradiction("now.stage", f"the {STREETS[over]} is never dealt: the round is over")
    for seat in now.folded:
        round_ = stage.table.state.round
        assert round_ is not None
        if over == STREETS.index(now.stage) and round_.players[seat].active:
            raise Contradiction("now.folded", f"seat {seat} has had no bet to fold to")


def _check_now(stage: PokerStage, now: NowSetup) -> None:
    """See that the table stands as it is described."""
    facts = stage.table.facts()
    for seat, wanted in stage.setup.seats.items():
        got = facts.stakes.get(seat)
        if got is not None and got != wanted.stake:
            raise Contradiction(
                f"seats.{seat}.stake",
                f"seat {seat} would have {write_money(got)} behind, "
                f"and not {write_money(wanted.stake)}",
            )
    if now.pot is not None and facts.pot != now.pot:
        raise Contradiction(
            "now.pot",
            f"the bets make {write_money(facts.pot)}, and not {write_money(now.pot)}",
        )
    for seat, amount in (now.bets or {}).items():
        got = facts.bets.get(seat, 0)
        if got != amount:
            raise Contradiction(
                f"now.bets.{seat}",
                f"the acts leave {write_money(got)} in front of seat {seat}, "
                f"and not {write_money(amount)}",
            )
    if now.turn is not None and facts.turn != now.turn:
        whose = f"seat {facts.turn}'s" if facts.turn is not None else "nobody's"
        raise Contradiction("now.turn", f"it is {whose} turn, and not seat {now.turn}'s")


def _seats(seats: Sequence[int]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
