"""What waits while claims do, and is carried out once the queue is empty (B-05, B-65).

First the parked contributions, then awards that came back and those that stand again, then the
contributions of stakes that went back; last the overflow pool, where there is room again.
"""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from croupier.jackpot.display import after_fall, after_growth
from croupier.jackpot.events import (
    AwardCovered,
    AwardPutBack,
    LaterReversed,
    OverflowReleased,
    ParkedPosted,
)
from croupier.jackpot.state import Advanced, LinkState, PaidAward, Posting
from croupier.rulebooks import Topic
from croupier.table import Room

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

later = Room("later")


def release(link: JackpotLink, when: datetime) -> None:
    """The queue is empty."""
    state = link.state
    if state.parked:
        _post_parked(link, when)
    for award in list(state.returning):
        link.emit(_put_back(link, award, when))
    for award in list(state.covering):
        link.emit(_covered(link, award, when))
    if state.later:
        _reverse_what_waited(link, when)
    ceiling = state.settings.ceiling
    room = state.overflow if ceiling is None else min(state.overflow, ceiling - state.meter)
    if room > 0:
        cites = link.cite(Topic.JACKPOT_GROWTH)
        link.emit(OverflowReleased(amount=room, at=when, cites=cites))


def _reverse_what_waited(link: JackpotLink, when: datetime) -> None:
    """The contributions of stakes that went back meanwhile, round by round."""
    state = link.state
    for (table, number), each in groupby(list(state.later), lambda x: (x.table, x.round)):
        gone = list(each)
        link.emit(
            LaterReversed(
                table=table,
                round=number,
                boxes=tuple(x.box for x in gone),
                at=when,
                cites=tuple(dict.fromkeys(cite for x in gone for cite in x.cites)),
                **_of_the_accounts(reversal(state, [x.posting for x in gone])),
            )
        )


# -- contributions --------------------------------------------------------------------------------


def _post_parked(link: JackpotLink, when: datetime) -> None:
    state = link.state
    room, ceiling = state.parked, state.settings.ceiling
    if ceiling is not None:
        room = min(room, max(ceiling - state.meter, 0))
    link.emit(
        ParkedPosted(
            meter=room,
            overflow=state.parked - room,
            at=when,
            cites=link.cite(Topic.JACKPOT_GROWTH),
        )
    )


@later.applies(ParkedPosted)
def parked_posted(link: JackpotLink, event: ParkedPosted) -> None:
    state = link.state
    state.meter += event.meter
    state.contributions += event.meter
    state.overflow += event.overflow
    state.parked -= event.meter + event.overflow
    room = event.meter
    for posting in state.postings():
        if posting.parked:
            into = min(room, posting.parked)
            room -= into
            posting.comes_in(into, state.epoch)
            posting.overflow += posting.parked - into
            posting.parked = 0
    after_growth(state, event.meter, event.at)


@later.applies(OverflowReleased)
def overflow_released(link: JackpotLink, event: OverflowReleased) -> None:
    """What has been in the pool for longer flows first."""
    state = link.state
    rest = event.amount - min(event.amount, state.untold_overflow())
    for posting in state.postings():
        into = min(rest, posting.overflow)
        if into:
            rest -= into
            posting.overflow -= into
            posting.comes_in(into, state.epoch)
    state.overflow -= event.amount
    state.meter += event.amount
    state.contributions += event.amount
    after_growth(state, event.amount, event.at)


# -- reversals ------------------------------------------------------------------------------------


def reversal(state: LinkState, postings: list[Posting]) -> dict[str, int]:
    """What comes off which account; what is no longer there the House bears."""
    meter = paid_out = reserve = spent = overflow = parked = doubtful = 0
    in_the_meter = state.epochs_in_the_meter()
    for posting in postings:
        for part in (posting, *posting.flowed):
            if part.reset in in_the_meter:
                meter += part.meter
            else:
                paid_out += part.meter
        reserve += posting.reserve - posting.spent
        spent += posting.spent
        overflow += posting.overflow
        parked += posting.parked
        doubtful += posting.doubtful
    off = min(meter, state.meter)
    reserved = min(reserve, state.reserve)
    beyond = min(overflow, state.overflow)
    return {
        "meter": off,
        "reserve": reserved,
        "overflow": beyond,
        "parked": parked,
        "doubtful": doubtful,
        "borne": paid_out + spent + (meter - off) + (reserve - reserved) + (overflow - beyond),
    }


def _of_the_accounts(back: dict[str, int]) -> dict[str, int]:
    """Nothing that is parked or set aside waits for the claims."""
    return {name: back[name] for name in ("meter", "reserve", "overflow", "borne")}


def spend_reserve(state: LinkState, amount: int, reset: int) -> None:
    """The reserve pays this for a new meter: what has been in it for longer first."""
    postings = state.postings()
    told = sum(posting.reserve - posting.spent for posting in postings)
    rest = amount - min(amount, max(state.reserve - told, 0))
    for posting in postings:
        part = min(rest, posting.reserve - posting.spent)
        if part > 0:
            rest -= part
            posting.spend(part, reset)
    state.reserve -= amount
    state.reserve_spent[reset] = amount


def note_spent(state: LinkState, postings: list[Posting], off: int) -> None:
    """These stakes went back: what the reserve had spent of them the House bears. So much came off
    the reserve; what it has not, and was never told to be spent, was spent on the last resets."""
    since = state.spent_since
    for posting in postings:
        if not posting.reserve:
            continue
        for reset, spent in posting.spent_on.items():
            since[reset] = since.get(reset, 0) + spent
        for reset, unspent in posting.unspent.items():
            state.spend_if_it_stands_again(reset, unspent)
        there = min(posting.reserve - posting.spent, off)
        off -= there
        rest = posting.reserve - posting.spent - there
        for reset, gave in sorted(state.reserve_spent.items(), reverse=True) if rest else ():
            borne = min(rest, gave - since.get(reset, 0))
            if borne > 0:
                rest -= borne
                posting.spend(borne, reset)
                since[reset] = since.get(reset, 0) + borne
        posting.spent += rest


def note_borne(state: LinkState, posting: Posting) -> None:
    """The contribution of earlier epochs, whose stake went back. If it was paid out the House
    bears it; if the award was taken back, the House does so once that stands again."""
    epoch = state.epoch
    if posting.reset == epoch and not posting.flowed:
        return
    for part in posting.parts:
        if part.reset == epoch or not part.meter:
            continue
        if part.reset in state.revived:
            part.unborne = part.meter
            state.bear_if_it_stands_again(part.reset, part.meter)
        else:
            part.borne = part.meter
            since = state.borne_since
            since[part.reset] = since.get(part.reset, 0) + part.meter


@later.applies(LaterReversed)
def later_reversed(link: JackpotLink, event: LaterReversed) -> None:
    state = link.state
    state.meter -= event.meter
    state.reversals += event.meter
    state.reserve -= event.reserve
    state.overflow -= event.overflow
    state.borne += event.borne
    state.put_in -= event.meter + event.reserve + event.overflow
    gone = {(event.table, event.round, box) for box in event.boxes}
    last = state.rounds.get(event.table)
    ours = [x.posting for x in state.later if (x.table, x.round, x.box) in gone]
    note_spent(state, ours, event.reserve)
    for each in state.later:
        if (each.table, each.round, each.box) in gone:
            note_borne(state, each.posting)
            if last is not None and last.round == event.round:
                last.returned[each.box] = each.posting.copy()
    state.later = [x for x in state.later if (x.table, x.round, x.box) not in gone]
    after_fall(state, event.at)


# -- awards that came back ------------------------------------------------------------------------


def _put_back(link: JackpotLink, award: PaidAward, when: datetime) -> AwardPutBack:
    """B-63: the meter as if the award had not been made. Awards that were paid since stand; where
    the meter cannot bear them the House does."""
    state, ceiling = link.state, link.state.settings.ceiling
    before = state.meter
    if state.terminated:
        return _to_the_bank(link, award, when)
    borne = sum(state.borne_since.get(epoch, 0) for epoch in award.revives)
    spent = min(state.spent_since.get(award.resets, 0), award.reserve)
    after = max(before + award.moved - borne - sum(x.amount for x in _advanced(state, award)), 0)
    overflow = max(after - ceiling, 0) if ceiling is not None else 0
    after -= overflow
    return AwardPutBack(
        table=award.table,
        round=award.round,
        box=award.box,
        line=award.line,
        paid=award.paid,
        meter_before=before,
        meter_after=after,
        reserve=award.reserve - spent,
        overflow=overflow,
        seed=award.paid - (after - before) - (award.reserve - spent) - overflow,
        borne=borne,
        spent=spent,
        at=when,
        cites=link.cite(Topic.JACKPOT_RESET if award.revives else Topic.JACKPOT_GROWTH),
    )


def _advanced(state: LinkState, award: PaidAward) -> list[Advanced]:
    """What the House gave, and the meter has not got: for this award when it stood again, and for
    others that stand and were in it."""
    return [x for x in state.advanced if x.award == award.key or x.epoch in award.revives]


def _to_the_bank(link: JackpotLink, award: PaidAward, when: datetime) -> AwardPutBack:
    """The link has ended: what comes back now goes where the rest of its money went."""
    return AwardPutBack(
        table=award.table,
        round=award.round,
        box=award.box,
        line=award.line,
        paid=award.paid,
        meter_before=link.state.meter,
        meter_after=link.state.meter,
        seed=award.paid,
        ended=True,
        at=when,
        cites=link.cite(Topic.JACKPOT_GROWTH),
    )


@later.applies(AwardPutBack)
def award_put_back(link: JackpotLink, event: AwardPutBack) -> None:
    state = link.state
    key = event.table, event.round, event.box, event.line
    award = next(a for a in state.returning if a.key == key)
    state.returning.remove(award)
    change = event.meter_after - event.meter_before
    state.meter = event.meter_after
    state.taken_back += change
    state.reserve += event.reserve
    state.overflow += event.overflow
    state.put_in -= event.seed
    state.borne -= event.borne + event.spent
    if not event.ended:
        _revive(state, award)
        _spent_no_more(state, award, event.spent)
    state.run_down(award.register, -award.ran_down)
    noted = noted_award(state, award.key)
    if noted is not None:
        noted.standing = "returned"
        noted.put_back, noted.overflow, noted.unborne = change, event.overflow, event.borne
        noted.unspent = event.spent
        noted.put_back_at = state.resets
        _note_where(state, noted, event)
    _shown(state, change, event.at)


def _note_where(state: LinkState, noted: PaidAward, event: AwardPutBack) -> None:
    """Where the meter has got it. What another has won of it, or had won and put back, belongs
    where it was before it stood again."""
    if event.ended:
        return
    advanced = _advanced(state, noted)
    state.advanced = [x for x in state.advanced if x not in advanced]
    own = [x for x in advanced if x.award == noted.key]
    noted.put_back += sum(x.amount for x in own)
    noted.advanced = [x for x in advanced if x not in own]
    for other in state.awards_returned() if state.has_back(noted) else ():
        in_it = [x for x in other.advanced if x.award == noted.key]
        other.advanced = [x for x in other.advanced if x not in in_it]
        other.put_back += sum(x.amount for x in in_it)
        own += in_it
    if not own:
        noted.put_back_in = state.epoch


def _revive(state: LinkState, award: PaidAward) -> None:
    """What the award had paid out is in the meter again; the House bears nothing of it now."""
    for epoch in award.revives:
        state.borne_since.pop(epoch, None)
    state.revived = sorted({*state.revived, *award.revives} - {state.epoch})
    for part in _returned(state, award.revives):
        part.unborne, part.borne = part.borne, 0
    for posting in _own(state, award):
        for part in posting.parts:
            part.reset = state.epoch  # Whoever won since: what comes back has it in it.


def _spent_no_more(state: LinkState, award: PaidAward, spent: int) -> None:
    """The reserve has back what it gave for the new meter, but for stakes that went back since."""
    state.reserve_spent.pop(award.resets, None)
    if spent:
        state.spent_since[award.resets] -= spent
    for posting in _all_known(state) if award.reserve else ():
        back = posting.spent_on.pop(award.resets, 0)
        if back:
            posting.spent -= back
            posting.unspent[award.resets] = back


def _spent_again(state: LinkState, award: PaidAward, event: AwardCovered) -> None:
    """What the reserve gave for the new meter is spent after all, unless that was won since."""
    again = event.reserve + event.spent
    if again:
        state.reserve_spent[award.resets] = again
    if event.spent:
        state.borne += event.spent
        since = state.spent_since
        since[award.resets] = since.get(award.resets, 0) + event.spent
    for posting in _all_known(state) if award.reserve else ():
        part = posting.unspent.pop(award.resets, 0)
        if part and again:
            posting.spend(part, award.resets)


def _covered(link: JackpotLink, award: PaidAward, when: datetime) -> AwardCovered:
    """The meter gives back what it had got, unless it was won meanwhile: then the House bears the
    award, and what was paid since is not counted anew."""
    state, ceiling = link.state, link.state.settings.ceiling
    before = after = state.meter
    reserve = overflow = borne = spent = 0
    if state.has_back(award):
        spent = award.unspent
        reserve = min(state.reserve, award.reserve - spent)
        overflow = min(state.untold_overflow(), award.overflow)
        # What left the overflow since (a stake went back, the meter had room) comes off the meter.
        after = max(before - award.put_back - (award.overflow - overflow), 0)
        if ceiling is not None and after > ceiling:
            overflow, after = overflow - (after - ceiling), ceiling
        borne = award.unborne
    return AwardCovered(
        table=award.table,
        round=award.round,
        box=award.box,
        line=award.line,
        meter_before=before,
        meter_after=after,
        reserve=reserve,
        overflow=overflow,
        borne=borne,
        spent=spent,
        at=when,
        cites=link.cite(Topic.JACKPOT_RESET if award.revives else Topic.JACKPOT_GROWTH),
    )


@later.applies(AwardCovered)
def award_covered(link: JackpotLink, event: AwardCovered) -> None:
    state = link.state
    key = event.table, event.round, event.box, event.line
    award = next(a for a in state.covering if a.key == key)
    state.covering.remove(award)
    change = event.meter_after - event.meter_before
    state.meter = event.meter_after
    state.taken_back += change
    state.reserve -= event.reserve
    state.overflow -= event.overflow
    state.put_in += change - event.reserve - event.overflow
    _note_who_gave(state, award, -change)
    state.revived = [epoch for epoch in state.revived if epoch not in award.revives]
    if event.borne:
        state.borne += event.borne
        _bear_again(state, award, event.borne)
    _spent_again(state, award, event)
    state.run_down(award.register, award.ran_down)
    _shown(state, change, event.at)


def _note_who_gave(state: LinkState, award: PaidAward, gave: int) -> None:
    """The meter; or the House, where another award that stands has it in it."""
    epoch = award.put_back_in
    if epoch is None:
        return
    if not state.has_back(award):
        state.advanced.append(Advanced(award=award.key, epoch=epoch, amount=award.put_back))
        return
    state.advanced += award.advanced
    for other in state.awards_returned():
        if epoch in other.revives:
            other.advanced.append(Advanced(award=award.key, epoch=epoch, amount=gave))
            other.put_back -= gave


def _bear_again(state: LinkState, award: PaidAward, borne: int) -> None:
    """The House bears again what it bore before the award was taken back, of each epoch its own;
    what is of rounds that are no table's last any more goes with the first."""
    since = state.borne_since
    for part in _returned(state, award.revives):
        part.borne, part.unborne = part.unborne, 0
        if part.borne:
            since[part.reset] = since.get(part.reset, 0) + part.borne
            borne -= part.borne
    if borne:
        first = award.revives[0]
        since[first] = since.get(first, 0) + borne


def noted_award(state: LinkState, key: tuple[str, int, int, str]) -> PaidAward | None:
    """The award as its table's round has it, if that is still the table's last."""
    last = state.rounds.get(key[0])
    awards = last.awards if last is not None else []
    return next((award for award in awards if award.key == key), None)


def _own(state: LinkState, award: PaidAward) -> list[Posting]:
    """What the stake itself gave, as long as it is not reversed."""
    last = state.rounds.get(award.table)
    waits = [x.posting for x in state.later if (x.table, x.round, x.box) == award.key[:3]]
    if last is not None and last.round == award.round and award.box in last.boxes:
        waits.append(last.boxes[award.box])
    return waits


def _returned(state: LinkState, epochs: list[int]) -> list[Posting]:
    """The contributions of these epochs whose stakes went back."""
    parts = [part for posting in _all_returned(state) for part in posting.parts]
    return [part for part in parts if part.reset in epochs]


def _all_returned(state: LinkState) -> list[Posting]:
    """Of the last round of each table the stakes that went back."""
    return [posting for last in state.rounds.values() for posting in last.returned.values()]


def _all_known(state: LinkState) -> list[Posting]:
    """Of the last round of each table all stakes, those that went back as well."""
    lying = [posting for last in state.rounds.values() for posting in last.boxes.values()]
    return [*lying, *_all_returned(state), *(each.posting for each in state.later)]


def _shown(state: LinkState, change: int, when: datetime) -> None:
    """The meter was set anew, up or down."""
    after_growth(state, change, when)
    after_fall(state, when)
