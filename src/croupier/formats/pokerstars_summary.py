"""The summary of PokerStars-style text, and how that format names a hand of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from croupier.cards import Card, Category, HandValue, Rank, rank_hand
from croupier.formats.hand import STREETS, Act, Hand, Player

Money = Callable[[int], str]


def pot_titles(count: int) -> list[str]:
    """`Pot`, or `Main pot` and `Side pot`, or `Main pot`, `Side pot-1`, `Side pot-2` and so on."""
    if count == 1:
        return ["Pot"]
    if count == 2:
        return ["Main pot", "Side pot"]
    return ["Main pot", *(f"Side pot-{number}" for number in range(1, count))]


def summary(hand: Hand, names: dict[int, str], money: Money) -> Iterator[str]:
    """Total pot with the Rake, each of several pots without it, the board, and every seat."""
    yield "*** SUMMARY ***"
    rake = sum(pot.rake for pot in hand.pots)
    total = money(sum(pot.amount for pot in hand.pots))
    parts = ""
    if len(hand.pots) > 1:
        titles = pot_titles(len(hand.pots))
        parts = "".join(
            f" {title} {money(pot.amount - pot.rake)}."
            for title, pot in zip(titles, hand.pots, strict=True)
        )
    yield f"Total pot {total}{parts} | Rake {money(rake)} "
    if hand.board:
        yield f"Board [{_cards(hand.board)}]"
    for player in sorted(hand.players, key=lambda p: p.seat):
        where = _position(hand, player.seat)
        yield f"Seat {player.seat}: {names[player.seat]}{where} {_fate(hand, player, money)}"


def _position(hand: Hand, seat: int) -> str:
    """Heads-up the button is the Small Blind as well."""
    found = " (button)" if seat == hand.button else ""
    for kind in ("small blind", "big blind"):
        if any(post.seat == seat and post.kind == kind for post in hand.posts):
            found += f" ({kind})"
    return found


def _fate(hand: Hand, player: Player, money: Money) -> str:
    """How it ended for a player."""
    seat = player.seat
    # A pot may hold nothing once what nobody called has gone back, or the Rake may take all of it.
    wins = [pot.wins[seat] for pot in hand.pots if seat in pot.wins]
    won = sum(wins) if wins else None
    for street in hand.streets:
        for act in street.acts:
            if act.seat != seat:
                continue
            match act.do:
                case "fold":
                    return _folded(hand, seat, street.name)
                case "show" if shown_cards(hand, act):
                    return _showed(hand, act, won, money)
                case "muck" if won is None:
                    known = Card.UNKNOWN not in player.cards and player.cards
                    return f"mucked [{_cards(player.cards)}]" if known else "mucked"
                case _:
                    continue
    return "mucked" if won is None else f"collected ({money(won)})"


def shown_cards(hand: Hand, act: Act) -> tuple[Card, ...]:
    """The cards that a player showed, as dealt where that is not said; those that nobody wrote down
    are left out, and a hand of which none is known is not told as shown."""
    cards = act.cards or hand.player(act.seat).cards
    return tuple(card for card in cards if card.is_known)


def _folded(hand: Hand, seat: int, street: str) -> str:
    if street != STREETS[0]:
        return f"folded on the {street.capitalize()}"
    put = any(post.seat == seat for post in hand.posts)
    put = put or any(act.seat == seat and act.by for act in hand.streets[0].acts)
    return "folded before Flop" if put else "folded before Flop (didn't bet)"


def _showed(hand: Hand, act: Act, won: int | None, money: Money) -> str:
    known = shown_cards(hand, act)
    words = made(known, hand.board)
    with_it = f" with {words}" if words else ""
    how = "lost" if won is None else f"won ({money(won)})"
    return f"showed [{_cards(known)}] and {how}{with_it}"


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(card.value for card in cards)


# -- hands in the words of the format --------------------------------------------------------------


def made(cards: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """What two cards make with the board, in the words of the format; nothing if not known."""
    whole = (*cards, *board)
    if len(cards) != 2 or len(board) != 5 or Card.UNKNOWN in whole:
        return ""
    return words_of(rank_hand(whole))


def words_of(value: HandValue) -> str:
    """`a pair of Queens`, `two pair, Aces and Sixes`, `a full house, Queens full of Deuces`."""
    first, _, third, fourth, fifth = value.ranks
    match value.category:
        case Category.ROYAL_FLUSH:
            return "a Royal Flush"
        case Category.STRAIGHT_FLUSH:
            return f"a straight flush, {_title(fifth)} to {_title(first)}"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {_plural(first)}"
        case Category.FULL_HOUSE:
            return f"a full house, {_plural(first)} full of {_plural(fourth)}"
        case Category.FLUSH:
            return f"a flush, {_title(first)} high"
        case Category.STRAIGHT:
            return f"a straight, {_title(fifth)} to {_title(first)}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_plural(first)}"
        case Category.TWO_PAIRS:
            return f"two pair, {_plural(first)} and {_plural(third)}"
        case Category.ONE_PAIR:
            return f"a pair of {_plural(first)}"
        case Category.FIVE_ODD_CARDS:
            return f"high card {_title(first)}"


def _title(rank: Rank) -> str:
    return "Deuce" if rank is Rank.TWO else rank.title


def _plural(rank: Rank) -> str:
    return "Deuces" if rank is Rank.TWO else rank.plural
