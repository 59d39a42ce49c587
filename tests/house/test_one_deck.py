"""With nothing left out on record there is one deck: attacks by a House that would have two.

Each plays on with a House that cheats, so that its log, its orders and its books agree, and is
found by whoever verifies them.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.house import binding, mixing, shuffle_book
from croupier.house.audit import alone
from croupier.house.audit.export import export
from croupier.house.audit.verify import verify
from croupier.house.commitment import SEED_BYTES, commit
from croupier.house.dealer import Dealer
from croupier.house.errors import HouseError
from croupier.house.house import House
from croupier.house.records import Opening
from croupier.house.seeds import Seeds
from croupier.house.shuffle_book import (
    Commit,
    Committed,
    OpenedSeed,
    SeedHash,
    ShuffleMixed,
    book_of,
)
from croupier.poker import commands as poker
from croupier.table import ActorRank, DrawNeeded, GiveDraw, GiveShuffle, Order
from tests.house.casino import deal_by_hand, four_flop_cards
from tests.house.test_binding import (
    booked,
    cage_is_known,
    house,
    playing,
    seed_of,
    with_seeds,
    written,
)

__all__ = ("cage_is_known", "house")


def says(house: House) -> str:
    """What both ways of verifying find: the events alone, and every decision again."""
    found = [str(verify(house.store, apply_only=how).difference) for how in (True, False)]
    assert "None" not in found
    return "\n".join(found)


def told_alone(house: House) -> str:
    """What the verifier of one file says of the shuffles."""
    file = house.store.database.path.with_name("night.jsonl")
    export(house.store, file, with_open_rounds=True)
    try:
        alone.Night(file).check_shuffles()
    except ValueError as wrong:
        return str(wrong)
    return ""


@pytest.mark.parametrize("place", ["M3", "P8"])
def test_a_deck_that_is_bound_only_as_it_is_given(house, monkeypatch, place):
    """As releases up to 0.9 did: any deck, chosen after the bets and the seeds."""
    guests = with_seeds(house, place)
    guests.play(rounds=2)
    deck = (*DECK[7:], *DECK[:7])

    def chosen(self: Dealer, place: str, outcome: Any, who: str, rank: ActorRank, *_: str) -> Any:
        seed, id = os.urandom(SEED_BYTES), self.house.world.unique()
        made, need = commit(deck, seed), outcome.need
        told = {"shuffle": id, "table": place, "need": need.need, "purpose": need.purpose}
        also = [(book_of(place), Commit(root=made.root.hex(), leaves=made.leaves, **told))]
        return self.house.give(
            place,
            GiveShuffle(need=need.need, cards=deck),
            who=who,
            rank=rank,
            command_id=id,
            new_id=True,
            also=also,
            openings=[Opening(shuffle=id, stream=place, seed=seed)],
        )

    with monkeypatch.context() as cheating:
        cheating.setattr(Dealer, "_give_outcome", chosen)
        cheating.setattr(binding.Binding, "cut", lambda self, place: 20)
        while not any(isinstance(each, Committed) for each in booked(house, place)):
            guests.play(rounds=1)
    guests.play(rounds=1)
    assert says(house).count("bound itself to these cards only as it gave them") == 2
    assert told_alone(house)


def test_a_cut_in_the_name_of_a_dealer_where_nobody_deals(house, monkeypatch):
    guests = with_seeds(house, "P8")
    guests.play(rounds=1)
    given = Dealer._given

    def cut(self: Dealer, place: str, command: Any, **words: Any) -> Any:
        if isinstance(command, poker.Cut):
            words |= {"who": "Sam", "rank": ActorRank.DEALER}
            return house.give(place, replace(command, cards=command.cards % 51 + 1), **words)
        return given(self, place, command, **words)

    with monkeypatch.context() as cheating:
        cheating.setattr(Dealer, "_given", cut)
        with pytest.raises(HouseError, match="the deck is cut where the shuffle says"):
            guests.play(rounds=1).result()
        house.guards.remove(guests.dealer.binding._by_chance)
        guests.play(rounds=1)
    assert says(house).count("the deck was not cut where the mix cuts it") == 2


def test_a_dealer_cuts_where_a_person_deals(house):
    guests = playing(house, "P8", dealing="by-hand")
    deal_by_hand(house, guests.dealer)
    assert any(row.rank == "dealer" for row, e in written(house, "P8") if "DeckCut" in repr(e))
    assert verify(house.store).difference is None


@pytest.mark.parametrize("rank", [ActorRank.HOUSE, ActorRank.PIT_MANAGER])
def test_a_pick_that_nothing_was_committed_to(house, rank):
    """v8 5.10, 5.12: a random pick is one by the same source, in whoever's name."""
    guests = playing(house, "P8", dealing="by-hand")
    deal_by_hand(house, guests.dealer)
    four_flop_cards(house)
    [need] = [each for each in guests.table.state.waiting if isinstance(each, DrawNeeded)]
    picked = GiveDraw(need=need.need, picks=tuple(range(need.pick)))
    if rank is not ActorRank.HOUSE:
        refused = house.give("P8", picked, who="Sam", rank=rank).result().refused
        assert refused.cites == ("S-7",)
        assert "have it pick" in refused.says
        house.guards.remove(guests.dealer.binding._by_chance)
    house.give("P8", picked, who="Sam", rank=rank).result()
    assert says(house).count("not made of what the House had committed to") == 2
    if rank is ActorRank.HOUSE:
        assert "it was not committed to" in told_alone(house)


@pytest.mark.parametrize(("shoe", "refused"), [("virtual", True), ("reported", False)])
def test_with_a_real_shoe_a_person_picks(house, shoe, refused):
    guests = playing(house, "P8", dealing="by-hand", shoe=shoe)
    picked = GiveDraw(need=1, picks=(0,))
    order = Order(command=picked, who="Sam", rank=ActorRank.PIT_MANAGER, when=house.clock())
    assert (guests.dealer.binding._by_chance("P8", order) is not None) is refused


def test_a_deck_of_what_was_committed_to_for_the_round_before(house, monkeypatch):
    """The House knows it before it shuffles, and could as well commit anew: two decks."""
    guests = with_seeds(house, "P8")
    guests.play(rounds=2)

    def late(self: binding.Binding, place: str, table: Any, said: Any) -> int | None:
        coming, bound = binding.coming_round(table), self.book(place).state.bound
        cut = any(each.event.__struct_config__.tag == "deck cut" for each in said)
        return coming if cut and bound is not None and bound.round != coming else None

    with monkeypatch.context() as cheating:
        cheating.setattr(binding, "_is_for", lambda bound, table: True)
        cheating.setattr(binding.Binding, "_due_for", late)
        guests.play(rounds=1)
    counted = [each.counter for each in booked(house, "P8") if isinstance(each, ShuffleMixed)]
    assert counted[-1] == 1
    guests.play(rounds=1)
    assert says(house).count("made of what was for round") == 2


def test_who_has_left_a_seed_unopened_is_not_listed_before_time(house, monkeypatch):
    """A friend could else leave out a seed in every round: two decks each time."""
    guests = with_seeds(house, "M3")
    guests.silent = frozenset({"Ben"})
    listed = Seeds.listed
    at_once = lambda *words: listed(*words[:-1], {})  # noqa: E731
    monkeypatch.setattr(Seeds, "listed", at_once)
    with pytest.raises(HouseError, match="Ben has left a seed unopened"):
        guests.play(rounds=9)
    with monkeypatch.context() as cheating:
        cheating.setattr(shuffle_book, "takes_part", lambda silent, player, number: True)
        guests.play(rounds=9)
    found = verify(house.store).differences
    assert any("Ben has left a seed unopened" in str(each) for each in found)


@pytest.mark.parametrize("place", ["M3", "P8"])
def test_a_seed_of_nobody_who_is_dealt_in(house, monkeypatch, place):
    """It would be absent or part of the deck, as the House likes, and never unopened."""
    guests = with_seeds(house, place)
    guests.play(rounds=1)
    commits, told = binding.Binding._commit, Seeds.participation

    def with_another(self: Any, place: str, table: Any, number: int) -> Any:
        made = commits(self, place, table, number)
        number = made.command.number
        hashed = mixing.seed_hash(place, number, "Zoe", seed_of("Zoe", number)).hex()
        seeds = (*made.command.seeds, SeedHash(player="Zoe", hash=hashed))
        return replace(made, command=replace(made.command, seeds=seeds))

    def opened(self: Seeds, place: str, bound: Any, dealt_in: Any) -> Any:
        found = told(self, place, bound, dealt_in)
        if "Zoe" not in found.absent or bound.uses:
            return found
        seed = OpenedSeed(player="Zoe", seed=seed_of("Zoe", bound.number).hex())
        absent = tuple(name for name in found.absent if name != "Zoe")
        return replace(found, opened=(*found.opened, seed), absent=absent)

    with monkeypatch.context() as cheating:
        cheating.setattr(binding.Binding, "_commit", with_another)
        cheating.setattr(Seeds, "participation", opened)
        guests.play(rounds=4)
    assert says(house).count("Zoe was not dealt in, and a seed under that name is part of it") == 2
