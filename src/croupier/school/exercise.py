"""An exercise: what a dealer sees, what is asked, the answers to choose from, and the right one.

Which answer is right, and what a wrong one would have done, stays here until somebody has answered:
`ask_of` is what may be shown before, `mark` what is told afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from croupier.pit import GAMES
from croupier.pit.ruling import Ruling
from croupier.school.errors import CannotMark

Kind = Literal["ruling", "wager", "hand", "side pots", "odd chip", "payout"]

KINDS: dict[Kind, str] = {
    "ruling": "Something goes wrong",
    "wager": "Read the wager",
    "hand": "Name the hand",
    "side pots": "Make the side pots",
    "odd chip": "Count the odd chip",
    "payout": "Pay the round",
}
"""Every kind of exercise, with what it is called."""

SECONDS: dict[Kind, int] = {
    "ruling": 60,
    "wager": 30,
    "hand": 15,
    "side pots": 60,
    "odd chip": 30,
    "payout": 60,
}
"""How long somebody has, where it goes against the clock."""


class AnswerChoice(Struct, frozen=True, kw_only=True):
    """One answer: the words of it, what it would do, and when it would be right."""

    says: str
    would: tuple[str, ...] = ()
    """What it would do, one sentence each."""
    because: str = ""
    """Why somebody might think so: where it would be right, or which mistake it is."""
    cites: tuple[str, ...] = ()


class Part(Struct, frozen=True, kw_only=True):
    """One question of an exercise."""

    ask: str
    choices: tuple[AnswerChoice, ...]
    right: int


class Scene(Struct, frozen=True, kw_only=True):
    """The table in the words of case files, as it stands when the question is put: what went
    before is played by `step`; nothing of what is asked is in it."""

    raw: dict[str, Any]
    title: str
    """What the deck is made from, as in a case file. It is never shown."""


class CardsShown(Struct, frozen=True, kw_only=True):
    """Some cards that lie open, and whose they are."""

    label: str
    cards: tuple[str, ...]


class Exercise(Struct, frozen=True, kw_only=True):
    """A whole exercise, with its answer."""

    kind: Kind
    rulebook: str
    item: str
    """What is learned by it: the same item is asked again with other figures."""
    level: int
    title: str
    told: tuple[str, ...]
    """What happened, one sentence each."""
    parts: tuple[Part, ...]
    scene: Scene | None = None
    cards: tuple[CardsShown, ...] = ()
    ruling: Ruling | None = None
    """What the engine rules, where it is a ruling."""
    cites: tuple[str, ...] = ()
    """The paragraphs of the right answer, the operative one first."""
    case: str = ""
    """The shipped case that it was made from, if it was."""


# -- before it is answered -------------------------------------------------------------------------


class AskedPart(Struct, frozen=True, kw_only=True):
    """One question, and what may be answered."""

    ask: str
    choices: tuple[str, ...]


class Passage(Struct, frozen=True, kw_only=True):
    """A paragraph in our words, for whoever looks it up."""

    id: str
    title: str
    says: str


class ExerciseAsked(Struct, frozen=True, kw_only=True):
    """What is shown of an exercise before somebody answers."""

    kind: Kind
    called: str
    rulebook: str
    level: int
    title: str
    told: tuple[str, ...]
    parts: tuple[AskedPart, ...]
    cards: tuple[CardsShown, ...]
    seconds: int
    """How long one has against the clock."""
    look_up: tuple[Passage, ...]
    """Paragraphs of the right answer and of wrong ones, in the order of the book."""


LOOKED_UP_AT_MOST = 6


def ask_of(exercise: Exercise, *, open_book: bool = True) -> ExerciseAsked:
    """What may be shown before the answer; nothing in it tells the right choice from the others."""
    return ExerciseAsked(
        kind=exercise.kind,
        called=KINDS[exercise.kind],
        rulebook=exercise.rulebook,
        level=exercise.level,
        title=exercise.title,
        told=exercise.told,
        parts=tuple(
            AskedPart(ask=part.ask, choices=tuple(one.says for one in part.choices))
            for part in exercise.parts
        ),
        cards=exercise.cards,
        seconds=SECONDS[exercise.kind],
        look_up=_passages(exercise) if open_book else (),
    )


def _passages(exercise: Exercise) -> tuple[Passage, ...]:
    """The first paragraph of every choice, in the order of the book."""
    book = GAMES.load(exercise.rulebook)
    found = {one.cites[0] for part in exercise.parts for one in part.choices if one.cites}
    named = [book.paragraph(id) for id in book.paragraphs if id in found]
    return tuple(Passage(id=p.id, title=p.title, says=p.summary) for p in named)[:LOOKED_UP_AT_MOST]


# -- afterwards ------------------------------------------------------------------------------------


class MarkedPart(Struct, frozen=True, kw_only=True):
    """One question with the answer that was given and the right one."""

    ask: str
    choices: tuple[AnswerChoice, ...]
    chosen: int | None
    """None where the time was over."""
    right: int


class Marked(Struct, frozen=True, kw_only=True):
    """What came of an answer."""

    right: bool
    parts: tuple[MarkedPart, ...]
    ruling: Ruling | None
    cites: tuple[str, ...]
    case: str
    late: bool = False
    """Whether the time was over: then it counts as wrong, whatever was answered."""


def mark(exercise: Exercise, chosen: Sequence[int | None], *, late: bool = False) -> Marked:
    """Mark an answer: for each question the number of a choice, or None."""
    if len(chosen) != len(exercise.parts):
        raise CannotMark(f"answer {len(exercise.parts)} questions, not {len(chosen)}")
    for part, one in zip(exercise.parts, chosen, strict=True):
        if one is not None and not 0 <= one < len(part.choices):
            raise CannotMark(f"{part.ask} There is no answer {one + 1} of {len(part.choices)}.")
    parts = tuple(
        MarkedPart(ask=part.ask, choices=part.choices, chosen=one, right=part.right)
        for part, one in zip(exercise.parts, chosen, strict=True)
    )
    return Marked(
        right=not late and all(part.chosen == part.right for part in parts),
        parts=parts,
        ruling=exercise.ruling,
        cites=exercise.cites,
        case=exercise.case,
        late=late,
    )
