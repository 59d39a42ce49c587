"""Actions that are taken back: by a ruling, or because somebody tried to stop them (v8 1.48, 5.16).

Only the Actions go back: their chips, their turns, and the hands that were folded with them. What
happened besides stays as it is: cards that were dealt, shown or exposed, hands that were declared
dead, what was said out of turn.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from croupier.poker.commands import STREETS
from croupier.poker.irregularities.memory import betting_as_in, gone_back, irregular_of
from croupier.poker.irregularities.state import Irregular
from croupier.poker.irregularities.streets import round_after
from croupier.poker.irregularities.turns import lift, set_bars
from croupier.poker.remedies import hands_down_again, live_chips, street_of
from croupier.poker.state import PokerState, RoundPlayer, RoundState

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable


def take_actions_back(table: PokerTable, text: str, *, but_early: bool = False) -> None:
    """The betting as it was in `text`, the table kept before the first of these Actions. Folds out
    of turn are no Actions: with `but_early` they stay (v8 1.1, 5.13.4)."""
    kept = msgspec.json.decode(text, type=PokerState)
    round_, was, now = table.current_round(), kept.round, irregular_of(table)
    assert was is not None
    since = round_.acts[len(was.acts) :]
    stay = [act for act in since if act.early] if but_early else []
    taken = len(since) - len(stay)
    _unfold(table, round_, was, {act.seat for act in stay})
    _without_what_went_back(round_, was)
    betting_as_in(table, kept)
    round_.acts += stay
    _not_over(round_, was)
    table.state.marker = kept.marker
    if was.irregular is not None:
        held_again(round_, now, was.irregular)
        barred_again(round_, now, was.irregular)
        _choice_again(round_, now, was.irregular)
    for skip in now.skips:
        left = max(0, len(skip.since) - taken)
        skip.since, skip.undone = skip.since[:left], skip.since[left:]
    now.before, now.last = "", None


def _unfold(table: PokerTable, round_: RoundState, was: RoundState, stay: set[int]) -> None:
    """A Fold that is taken back gives the hand back; whoever has left since has none."""
    for seat, player in round_.players.items():
        if player.folded and not was.players[seat].folded and not player.left and seat not in stay:
            player.active, player.folded = True, False
            for card in player.gave_up:
                round_.discards.remove(card)
            player.cards, player.gave_up = player.gave_up, []
            table.cards_moved = True


def _without_what_went_back(round_: RoundState, was: RoundState) -> None:
    """Chips that went back since to somebody whose hand is dead (v8 5.6.1), or by a ruling (5.16),
    stay there; but what went back uncalled, as the Betting Round closed, is in the round again."""
    for seat, player in round_.players.items():
        before = was.players[seat]
        back = gone_back(before, player)
        if back and not player.active and not player.total and before.total == before.blinds:
            # Blinds that have gone back have so whole, with what of them nobody had called.
            back, before.uncalled = before.total, player.uncalled
        out_of = _went_out_of(was, before, round_.players[seat], back)
        for number, amount in enumerate(out_of):
            pot = was.pots[number]
            was.pots[number] = structs.replace(pot, amount=pot.amount - amount)
        if back and before.all_in:
            if any(out_of):
                before.all_in_with = live_chips(before)
            before.all_in = before.all_in_button = False
        left = back - sum(out_of)
        bet = min(before.bet, left)
        before.bet -= bet
        before.dead -= min(before.dead, left - bet)
        before.total -= back
        before.blinds = max(0, before.blinds - back)


def _went_out_of(was: RoundState, before: RoundPlayer, now: RoundPlayer, back: int) -> list[int]:
    """Of what went back since, how much out of each pot that there was. What has gone back out of
    the last one may have been in front of the player, if that pot was still open."""
    if not was.pots:
        return []
    had = dict(enumerate(before.out_of))
    since = [amount - had.get(number, 0) for number, amount in enumerate(now.out_of)]
    last = len(was.pots) - 1
    fixed = last + was.pots[-1].closed
    found = [0] * len(was.pots)
    for number, amount in enumerate(since[:fixed]):
        found[number] = min(amount, back - sum(found))
    found[last] += max(0, back - sum(found) - before.bet - before.dead)
    return found


def _not_over(round_: RoundState, was: RoundState) -> None:
    """The Betting Round goes on: nobody has won, no hand is shown or given up unseen, a street
    since came early."""
    round_.won_by_folds, round_.walk = was.won_by_folds, was.walk
    for player in round_.players.values():
        player.mucked = False  # all who are left are asked at the next Showdown
    hands_down_again(round_)
    round_.show_order, round_.to_show = was.show_order, list(was.to_show)
    for street in STREETS:
        early, lies = f"{street} dealt early", bool(street_of(round_, street))
        lies_early = lies and round_after(street) > round_.betting.number
        if lies_early and early not in round_.deviations:
            round_.deviations.append(early)


def held_again(
    round_: RoundState, now: Irregular, was: Irregular, done: Collection[int] = ()
) -> None:
    """What was held before the Action and fell by it is held again, and costs no Raise yet. `done`
    are those who have acted since, and whose Actions are held instead."""
    for seat, act in was.held.items():
        if round_.players[seat].active and seat not in done:
            since = now.held.get(seat)
            if since is None:
                lift(round_, now, seat, "turn")
            now.held[seat] = structs.replace(since or act, undermined=act.undermined)
    later = (act for act in was.held_later if act.seat not in done)
    now.held_later += [act for act in later if act not in now.held_later]


def barred_again(round_: RoundState, now: Irregular, was: Irregular) -> None:
    """A bar that ran out with the Action has not."""
    for seat, bars in was.bars.items():
        there = now.bars.get(seat, [])
        now.bars[seat] = [*(bar for bar in bars if bar not in there), *there]
        set_bars(round_, now, seat)


def _choice_again(round_: RoundState, now: Irregular, was: Irregular) -> None:
    """Cards exposed early that the Action had decided over, if they still lie there (v8 5.11.1)."""
    open_ = {early.street for early in now.held_early}
    for early in was.held_early:
        lies = street_of(round_, early.street)
        if early.street not in open_ and all(card in lies for card in early.cards):
            now.held_early.append(early)
            now.kept_early = [card for card in now.kept_early if card not in early.cards]
