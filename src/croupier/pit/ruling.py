"""The ruling on a question: what happens to cards and money, who decides what, what comes next,
and why, with the paragraphs.

Everything in it is what the engine did on a copy of the table. What only wants confirming by a
supervisor is confirmed, for it is he who asks; where somebody has a choice, each option is tried
on a copy of its own. Cards that nobody has named are not named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.pit.inventory import (
    CardMove,
    Inventory,
    MoneyMove,
    Picture,
    cards_moved,
    money_moved,
)
from croupier.pit.pit import Said
from croupier.pit.rehearsal import AS_ASKED, Rehearsed
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook, Topic
from croupier.rulebooks.called import names_in
from croupier.table import (
    ActorRank,
    Announced,
    Choice,
    DecisionNeeded,
    DecisionTaken,
    DrawGiven,
    DrawNeeded,
    Event,
    Offer,
    ShuffleGiven,
    ShuffleNeeded,
    TableError,
    ToLink,
)
from croupier.table.money import write_money
from croupier.table.words import listed

Kind = Literal["ruling", "choice", "discretion", "refused"]

DISCRETION = "ruling"
"""The question of the discretion clauses, in both families."""

CONFIRM = "confirm"
"""The first option of a question that only wants somebody's word for what the book says."""

LEADS = frozenset({"early act stands", "early act fell", "round voided", "misdeal declared"})
"""What is the ruling wherever it comes about, by the names of events."""

UNSAID = frozenset({"ruling made"})
"""What only says that somebody has decided what he has decided."""

DONE = frozenset({"ruling carried out"})
"""What is never said: that somebody did what was decided."""

FOLLOWS = frozenset({"chips returned"})
"""What is never the ruling, but follows from it."""

ASKS = "decision needed"
"""Among the events that lead: what is asked of staff is the ruling, wherever something is asked."""

NEXT_ROUND = "blinds called"
UNDONE = "ruling undone"
"""The event by which a ruling is taken back."""

ANSWERED_AT_MOST = 20

NOT_TOLD = (DrawGiven, DrawNeeded, ShuffleGiven, ShuffleNeeded, ToLink)
"""What goes without saying where chance is a dealer's hand, and what the link tells itself."""

ASKED = (DecisionNeeded, DecisionTaken)


class Sentence(Struct, frozen=True, kw_only=True):
    """What happens, and under which paragraphs."""

    says: str
    cites: tuple[str, ...] = ()


class Way(Struct, frozen=True, kw_only=True):
    """So many cards from one place to another; `cards` are those that were named."""

    count: int
    leaves: str
    goes: str
    cards: tuple[str, ...] = ()


class Change(Struct, frozen=True, kw_only=True):
    """What somebody has in one place, before and after, as one would write it."""

    who: str
    where: str
    before: str
    after: str


class Option(Struct, frozen=True, kw_only=True):
    """One of the answers, with what it leads to."""

    name: str
    says: str = ""
    asks: dict[str, str] = {}
    """What must be said with it, such as an amount; what follows is then not foretold."""
    then: tuple[Sentence, ...] = ()


class Decision(Struct, frozen=True, kw_only=True):
    """What somebody must decide, and what each answer leads to."""

    question: str
    says: str
    of: str
    by: Literal["staff", "player"]
    options: tuple[Option, ...]
    cites: tuple[str, ...] = ()
    holds: bool = True
    """Whether the table waits for it."""


class Confirmed(Struct, frozen=True, kw_only=True):
    """Somebody's word that the ruling wants: whose, on what, and why."""

    question: str
    of: str
    """The rank that it takes at least."""
    says: str
    """What is put to that person."""
    took: str
    """The answer that the ruling goes by."""
    cites: tuple[str, ...] = ()
    """The paragraphs that want it."""
    readings: tuple[str, ...] = ()
    """The readings that say whose word it is, where the text names nobody."""


class Settled(Struct, frozen=True, kw_only=True):
    """A settled reading that a ruling rests on, because the text alone does not decide it."""

    reading: str
    paragraphs: tuple[str, ...]
    """What it reads."""
    question: str
    says: str
    policy: str = ""
    """The policy by which a House may choose otherwise, if the reading leaves it that."""
    otherwise: tuple[str, ...] = ()
    """What would then be ruled."""


class Paragraph(Struct, frozen=True, kw_only=True):
    """A paragraph in our words."""

    id: str
    title: str
    says: str


class Ruling(Struct, frozen=True, kw_only=True):
    """What the book makes of a question."""

    kind: Kind
    headline: str
    sentences: tuple[Sentence, ...] = ()
    cards: tuple[Way, ...] = ()
    money: tuple[Change, ...] = ()
    decisions: tuple[Decision, ...] = ()
    signed_by: tuple[str, ...] = ()
    """Who must confirm it."""
    confirmed: tuple[Confirmed, ...] = ()
    """What each of them is asked, and why it is theirs to say."""
    readings: tuple[Settled, ...] = ()
    """The settled readings that rule here rather than the text itself."""
    next: tuple[str, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    """The operative one first."""
    tables: dict[str, Picture] = {}
    """How each table looked when it was reported."""

    @property
    def cites(self) -> tuple[str, ...]:
        return tuple(paragraph.id for paragraph in self.paragraphs)

    @property
    def filed_under(self) -> tuple[str, ...]:
        """Its paragraphs; where none speaks of it, those that the decision had to name, and those
        of what was done before it was asked."""
        named = (*(d.cites for d in self.decisions), *(s.cites for s in self.sentences))
        return self.cites or tuple(dict.fromkeys(id for cites in named for id in cites))


Answers = Sequence[tuple[str, str]]
"""What was answered to which question, in order: whoever asks goes on with one of the options."""


def rule_on(
    rehearse: Callable[[], Rehearsed],
    answers: Answers = (),
    *,
    lead: Sequence[str] = (),
    foretell: bool = True,
) -> Ruling:
    """The ruling; `rehearse` makes as many copies of the question as are needed.

    `lead` names the events that are the ruling, where it is not plain from the rest. Without
    `foretell` it is not tried what each option of a decision leads to, which takes a copy each; the
    ruling is otherwise the same.
    """
    played = rehearse()
    if played.refused is None:
        carry_on(played, answers)
    told = _Telling(played)
    if played.refused is not None:
        says = told.plain(played.refused.says)
        return Ruling(
            kind="refused",
            headline=says,
            sentences=(Sentence(says=says, cites=played.refused.cites),),
            paragraphs=_paragraphs(played.book, played.refused.cites),
            tables=played.pictures,
        )
    leading = _leading(played, told, frozenset(lead) or LEADS)
    sentences = (*told.sentences(played.said), *_with_them(played, told), *_barred(played, told))
    decisions = tuple(_decisions(played, told, rehearse if foretell else None, answers))
    if decisions and ASKS in lead:
        leading = None
    clause = played.book.has(Topic.DISCRETION)
    lead_says = " ".join(_leading_words(played, told, leading))
    asked = () if _is_undone(played) and lead_says else decisions
    headline = _headline(lead_says, sentences, asked, clause=clause)
    confirmed = tuple(_confirmed(played, told))
    after = played.inventory()
    return Ruling(
        kind=_kind(played),
        headline=headline,
        sentences=sentences,
        cards=tuple(
            Way(
                count=move.count,
                leaves=move.leaves,
                goes=move.goes,
                cards=tuple(str(card) for card in move.cards if card.pretty in told.named),
            )
            for move in _moves(played, after)
        ),
        money=tuple(
            Change(
                who=move.who,
                where=move.where,
                before=write_money(move.before),
                after=write_money(move.after),
            )
            for move in (*money_moved(played.before, after), *_also_moved(played, told))
        ),
        decisions=decisions,
        signed_by=tuple(dict.fromkeys(one.of for one in confirmed)),
        confirmed=confirmed,
        next=tuple(_next(played, told)),
        paragraphs=_ruled_by(played, operative(played.events(), leading, sentences, decisions)),
        tables=played.pictures,
    )


def likeness(ruling: Ruling) -> tuple[Any, ...]:
    """What two rulings have in common that differ only in figures and places."""
    # What discretion may order is for whoever decides to see; it is no other ruling.
    decisions = tuple(
        (d.question, *((_DIGITS.sub("#", d.says), *(o.name for o in d.options)) if told else ()))
        for d in ruling.decisions
        for told in (d.question != DISCRETION,)
    )
    asked_of = tuple(d.by for d in ruling.decisions)
    shape = tuple(_DIGITS.sub("#", s.says) for s in ruling.sentences)
    return ruling.kind, ruling.cites, decisions, asked_of, shape


_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


# -- carrying on --------------------------------------------------------------------------------


def carry_on(played: Rehearsed, answers: Answers) -> list[tuple[str, DecisionNeeded, str]]:
    """Confirm what only wants confirming, and give the answers that were given; what was answered
    to what, and where."""
    left = list(answers)
    given: list[tuple[str, DecisionNeeded, str]] = []
    for _ in range(ANSWERED_AT_MOST):
        for place, need in played.open_decisions():
            if need.options[0].name == CONFIRM or _leaves_no_choice(need):
                option = need.options[0].name
                if left and left[0] == (need.question, option):  # said all the same
                    left.pop(0)
            elif left and left[0][0] == need.question:
                option = _offered_as(need, left.pop(0)[1])
            else:
                continue
            played.answer(need, option, place)
            given.append((place, need, option))
            break
        else:
            break
    if left:
        asked = ", ".join(need.question for _, need in played.open_decisions()) or "nothing"
        raise Contradiction("answers", f"nobody asks {left[0][0]!r} here; asked now: {asked}")
    return given


def _offered_as(need: DecisionNeeded, option: str) -> str:
    """An option that a question has."""
    known = [choice.name for choice in need.options]
    if option not in known:
        raise Contradiction("answers", f"{need.question!r} has {', '.join(known)}, not {option!r}")
    return option


def _leaves_no_choice(need: DecisionNeeded) -> bool:
    """Whether there is one answer and nothing to add to it: somebody only says the word."""
    return len(need.options) == 1 and not need.options[0].asks


def _kind(played: Rehearsed) -> Kind:
    asked = [need for _, need in _still_open(played) if need.of != ActorRank.DEALER]
    if any(need.question == DISCRETION for need in asked) and not _is_undone(played):
        return "discretion"
    return "choice" if asked else "ruling"


def _is_undone(played: Rehearsed) -> bool:
    """Whether a ruling is taken back; that its question is asked again follows from it."""
    return any(_name(event) == UNDONE for event in played.events())


def _still_open(played: Rehearsed) -> list[tuple[str, DecisionNeeded]]:
    """What is asked because of the report, and not answered."""
    asked = ((said.place, said.event) for said in played.said)
    since = {(place, e.decision) for place, e in asked if isinstance(e, DecisionNeeded)}
    return [(p, n) for p, n in played.open_decisions() if (p, n.decision) in since]


def _moves(played: Rehearsed, after: Inventory) -> Iterator[CardMove]:
    """Where cards go because of the report. That the cards of the last round are collected when the
    next one is called goes without saying."""
    if any(_name(event) == NEXT_ROUND for event in played.events()):
        return iter(())
    return cards_moved(played.before, after, _shuffled(played))


def _shuffled(played: Rehearsed) -> frozenset[Card]:
    """The cards that were shuffled because of the report."""
    given = (event.cards for event in played.events() if isinstance(event, ShuffleGiven))
    return frozenset(card for cards in given for card in cards)


def _confirmed(played: Rehearsed, told: _Telling) -> Iterator[Confirmed]:
    """Whose word the ruling needed, by rank, and what was put to them."""
    asked = {e.decision: e for e in played.events() if isinstance(e, DecisionNeeded)}
    for event in played.events():
        if isinstance(event, DrawNeeded):
            of_all = f"{event.pick} of {event.among}"
            yield Confirmed(
                question=event.purpose,
                of=event.of.title,
                says=f"Which of the scrambled cards is which? {of_all} are picked at random.",
                took="a random pick",
                cites=event.cites,
            )
        if not isinstance(event, DecisionTaken):
            continue
        need = asked.get(event.decision)
        if need is not None and isinstance(need.of, ActorRank):
            yield Confirmed(
                question=need.question,
                of=need.of.title,
                says=told.plain(need.says),
                took=event.option,
                cites=need.cites,
            )


# -- decisions ----------------------------------------------------------------------------------


def _decisions(
    played: Rehearsed, told: _Telling, rehearse: Callable[[], Rehearsed] | None, answers: Answers
) -> Iterator[Decision]:
    for place, need in _still_open(played):
        staff = isinstance(need.of, ActorRank)
        of = need.of.title if isinstance(need.of, ActorRank) else told.name(place)(need.of)
        yield Decision(
            question=need.question,
            says=told.plain(need.says),
            of=of,
            by="staff" if staff else "player",
            options=tuple(
                Option(
                    name=choice.name,
                    says=told.plain(_what_it_is(played, told, place, choice)),
                    asks={k: str(v) for k, v in choice.asks.items()},
                    then=_then(rehearse, answers, place, need, choice.name)
                    if rehearse is not None and not choice.asks
                    else (),
                )
                for choice in need.options
            ),
            cites=need.cites,
            holds=need.holds,
        )


def _what_it_is(played: Rehearsed, told: _Telling, place: str, choice: Choice) -> str:
    """An option in words, with what it is about at this table."""
    table = played.pit.tables.get(place)
    about = played.remarks(place).is_about(choice.name, table, told.name(place)) if table else ""
    return f"{choice.says} {about}".strip()


def _then(
    rehearse: Callable[[], Rehearsed],
    answers: Answers,
    place: str,
    need: DecisionNeeded,
    option: str,
) -> tuple[Sentence, ...]:
    """What an answer leads to, on a copy of its own."""
    copy = rehearse()
    carry_on(copy, answers)
    said = len(copy.said)
    try:
        copy.answer(need, option, place)
    except (TableError, Contradiction):
        return ()  # It is offered, but not as things stand.
    carry_on(copy, ())
    told = _Telling(copy)
    since = copy.said[said:]
    asked = {one.event.decision for one in since if isinstance(one.event, DecisionNeeded)}
    return (
        *told.sentences(since),
        *(told.question(n) for _, n in copy.open_decisions() if n.decision in asked),
    )


# -- telling it ---------------------------------------------------------------------------------


_PRETTY = {card.pretty for card in DECK}
_CARD = "(?:" + "|".join(sorted((re.escape(p) for p in _PRETTY), key=len, reverse=True)) + ")"
_CARDS = re.compile(rf"(?:the )?({_CARD}(?:(?:,? and |, | ){_CARD})*)", re.IGNORECASE)


_TWICE = re.compile(r"\b(seat \d+|box \d+|[a-z]+ [a-z]+) \(\1\)", re.IGNORECASE)
"""A player of the catalogue is called by his place, and whoever decides by his rank."""


_UNSEEN_STREET = re.compile(r"\bThe (flop|turn|river) is the cards?\.", re.IGNORECASE)
"""A street of cards that nobody has named."""


_UNSEEN_DEAL = re.compile(r"\bdealt( from the shoe)?: the cards?\.")
_SITS = re.compile(r"\bseat \d+ sits down at (seat \d+)", re.IGNORECASE)
"""Whoever sits down is called by the seat in the catalogue, and need not be."""


class _Telling:
    """Tells events by place, without the cards that nobody has named."""

    def __init__(self, played: Rehearsed) -> None:
        self.games = played.games
        self.named = {card.pretty for card in played.named}
        tables, links = played.games, played.pit.links
        self.alone = next(iter(tables)) if len(tables) == 1 else None
        self.link = next(iter(links)) if len(links) == 1 else None

    def name(self, place: str) -> Callable[[int], str]:
        game = self.games.get(place)
        word = game.seat_word if game is not None else "box"
        return lambda number: f"{word} {number}"

    def sentences(self, said: Sequence[Said]) -> Iterator[Sentence]:
        """What is ruled; what was only found again if there is nothing else to say."""
        ruled: dict[str, Sentence] = {}
        found: list[Sentence] = []
        for one in said:
            if _name(one.event) in DONE:
                continue
            if (sentence := self._sentence(one, ruled=True)) is not None:
                ruled.setdefault(sentence.says, sentence)
            elif (sentence := self._sentence(one, ruled=False)) is not None:
                found.append(sentence)
        yield from ruled.values() or found

    def _sentence(self, one: Said, *, ruled: bool) -> Sentence | None:
        event = one.event.public()
        if event is None or isinstance(event, (*NOT_TOLD, *ASKED, Announced)):
            return None
        name = self.name(one.place)
        told = event.headline(name) if _name(event) not in UNSAID or not ruled else ""
        says = self.plain(told or ("" if ruled else event.tell(name)))
        return Sentence(says=says, cites=event.cites) if says else None

    def question(self, need: DecisionNeeded) -> Sentence:
        """What is asked, as something that happens."""
        return Sentence(says=self.plain(need.says), cites=need.cites)

    def of(self, said: Sequence[Said], event: Event | None) -> str:
        """One event in words, if everybody may know of it."""
        public = event.public() if event is not None else None
        place = next((one.place for one in said if one.event is event), "")
        return self.plain(public.headline(self.name(place))) if public is not None else ""

    def plain(self, text: str) -> str:
        """A sentence that names only cards that were named in the question, and nobody twice;
        where there is one table and one jackpot, these need no name."""
        if self.alone is not None:
            text = text.replace(f" of table {self.alone}", "")
            text = text.replace(f" for table {self.alone}", "")
        if self.link is not None:
            text = text.replace(f"Jackpot {self.link} ", "The jackpot ")
        text = _SITS.sub(r"the player sits down at \1", text)
        told = _CARDS.sub(self._unnamed, text.replace(f", because {AS_ASKED}", ""))
        told = _UNSEEN_STREET.sub(r"The \1 is complete.", _TWICE.sub(r"\1", told))
        told = _UNSEEN_DEAL.sub("dealt\\1.", told)
        told = names_in(told)
        return told[:1].upper() + told[1:]

    def _unnamed(self, found: re.Match[str]) -> str:
        cards = re.findall(_CARD, found[1])
        if all(card in self.named for card in cards):
            return found[0]
        return "the card" if len(cards) == 1 else "the cards"


def _leading(played: Rehearsed, told: _Telling, names: frozenset[str]) -> Event | None:
    """The event that is the ruling: the last of these names, else the first that a paragraph
    stands behind and that says more than what was found."""
    rules = [
        said.event
        for said in played.said
        if said.event.cites
        and not isinstance(said.event, (*NOT_TOLD, *ASKED, Announced))
        and told.of(played.said, said.event)
    ]
    leads = [e for e in rules if _name(e) in names]
    firsts = [e for e in rules if _name(e) not in FOLLOWS] or rules
    return leads[-1] if leads else firsts[0] if firsts else None


def _name(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _leading_words(played: Rehearsed, told: _Telling, leading: Event | None) -> Iterator[str]:
    """The event that leads, and what must be said with it: what somebody may still do, which chips
    stay, who picks."""
    if lead := told.of(played.said, leading):
        yield lead
        yield from dict.fromkeys(
            says
            for said, says in _goes_with(played, told)
            if said.event is not leading or says != lead
        )


def _goes_with(played: Rehearsed, told: _Telling) -> Iterator[tuple[Said, str]]:
    for said in played.said:
        place, remarks = said.place, played.remarks(said.place)
        says = remarks.goes_with(said.event, played.facts_at(place), told.name(place))
        if says:
            yield said, told.plain(says)


def _with_them(played: Rehearsed, told: _Telling) -> Iterator[Sentence]:
    """What must be said with an event and is no event itself."""
    for said, says in _goes_with(played, told):
        if says != told.of(played.said, said.event):
            cites = played.remarks(said.place).cites_for(said.event).of(played.book)
            yield Sentence(says=says, cites=cites or said.event.cites)


def _also_moved(played: Rehearsed, told: _Telling) -> Iterator[MoneyMove]:
    for said in played.said:
        place, remarks = said.place, played.remarks(said.place)
        yield from remarks.also_moved(said.event, played.facts_at(place), told.name(place))


def _barred(played: Rehearsed, told: _Telling) -> Iterator[Sentence]:
    """Who may not raise any more, because of what was reported."""
    for table, bars in played.bars().items():
        name = told.name(table)
        new = {s: c for s, c in bars.items() if s not in played.barred_before[table]}
        for cites in dict.fromkeys(new.values()):
            seats = [name(seat) for seat, why in new.items() if why == cites]
            says = f"{listed(seats)} may only call or fold, having bet in this Betting Round."
            yield Sentence(says=told.plain(says), cites=cites)


def _headline(
    lead: str, sentences: Sequence[Sentence], decisions: Sequence[Decision], *, clause: bool
) -> str:
    """The ruling in one sentence: what leads and what players may choose then, else what is to be
    decided. Not every book has a `clause` that leaves to somebody what it does not say."""
    for decision in decisions:
        if decision.question == DISCRETION and clause:
            return f"The book leaves it open: the {decision.of} or above decides."
        if decision.question == DISCRETION:
            house = f"the House decides, here the {decision.of}"
            return f"No paragraph of this book speaks of it: {house}."
    asked = [d for d in decisions if d.by == "player"]
    if lead:
        return f"{lead} {_to_decide(asked)}" if asked else lead
    if decisions:
        return _to_decide(decisions)
    return sentences[0].says if sentences else "Nothing changes."


def _to_decide(decisions: Sequence[Decision]) -> str:
    """Who decides what; what several players choose between is said once."""
    first = decisions[0]
    if first.by == "staff":
        return f"The {first.of} or above decides. {first.says}"
    choosers = sorted({d.of for d in decisions if d.question == first.question})
    who = listed(choosers)
    between = ", or ".join(option.name for option in first.options)
    return f"{who[:1].upper()}{who[1:]} {'chooses' if len(choosers) == 1 else 'choose'}: {between}."


def operative(
    events: Sequence[Event],
    lead: Event | None,
    sentences: Sequence[Sentence],
    decisions: Sequence[Decision],
) -> tuple[str, ...]:
    """The paragraphs of a ruling, the operative one first; where the book leaves it open, first
    those that say whose ruling it is."""
    asked = (e for e in events if isinstance(e, DecisionNeeded))
    left_open = (need.cites for need in asked if need.question == DISCRETION)
    leads = [lead.cites] if lead is not None else [d.cites for d in decisions[:1]]
    cited = (*(e.cites for e in events), *(s.cites for s in sentences))
    return tuple(dict.fromkeys(p for cites in (*left_open, *leads, *cited) for p in cites))


def _ruled_by(played: Rehearsed, cites: Sequence[str]) -> tuple[Paragraph, ...]:
    """The paragraphs of a ruling. Where none speaks of it and none leaves it to anybody, there is
    none to show, whatever a decision must name (P-21)."""
    if _kind(played) == "discretion" and not played.book.has(Topic.DISCRETION):
        return ()
    return _paragraphs(played.book, cites)


def _paragraphs(book: Rulebook, cites: Sequence[str]) -> tuple[Paragraph, ...]:
    found = (book.paragraph(id) for id in cites)
    return tuple(Paragraph(id=p.id, title=p.title, says=p.summary) for p in found)


def _offered(offer: Offer) -> str:
    """What somebody may do, as one says it at a table."""
    if offer.least is None or offer.most is None or offer.least == offer.most:
        return str(offer)
    least, most = write_money(offer.least), write_money(offer.most)
    return f"{offer.do} {offer.word} {least} or more, up to {most}".replace("  ", " ")


def _next(played: Rehearsed, told: _Telling) -> Iterator[str]:
    """What comes next, once nobody has to decide anything."""
    for said in played.said:
        place, remarks = said.place, played.remarks(said.place)
        yield from remarks.comes_next(said.event, played.facts_at(place), told.name(place))
    for name, table in played.pit.tables.items():
        facts = table.facts()
        word = played.games[name].seat_word
        if facts.decisions:
            continue
        if facts.turn is not None:
            may = ", ".join(_offered(offer) for offer in table.offers(facts.turn))
            yield f"It is the turn of {word} {facts.turn}" + (f": {may}." if may else ".")
    due = played.due()
    if due is not None:
        shuffled = any(isinstance(event, ShuffleGiven) for event in played.events())
        first = "shuffle, then " if shuffled else ""
        yield f"The dealer goes on: {first}{due.__struct_config__.tag}."
