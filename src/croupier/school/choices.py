"""The choices of a question: the right one among wrong ones, each of them said once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from croupier.pit.ruling import Change, Ruling, Way
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Part

CHOICES_AT_MOST = 4
_SPACES = re.compile(r"\s+")


def part_of(
    ask: str,
    right: AnswerChoice,
    wrong: Iterable[AnswerChoice],
    rng: Random,
    *,
    most: int = CHOICES_AT_MOST,
) -> Part:
    """A question; the first of the wrong choices that are said otherwise are taken. Raises
    `NotMade` where there is none."""
    found = {_said(right.says): right}
    for one in wrong:
        found.setdefault(_said(one.says), one)
        if len(found) == most:
            break
    if len(found) < 2:
        raise NotMade(ask)
    choices = list(found.values())
    rng.shuffle(choices)
    return Part(ask=ask, choices=tuple(choices), right=choices.index(right))


def _said(says: str) -> str:
    return _SPACES.sub(" ", says).strip().lower()


def choice_of(ruling: Ruling, because: str = "") -> AnswerChoice:
    """A ruling as an answer, with what it does to cards and money."""
    return AnswerChoice(
        says=ruling.headline,
        would=tuple(_would(ruling)),
        because=because,
        cites=ruling.filed_under[:2],
    )


def _would(ruling: Ruling) -> Iterable[str]:
    yield from (way_told(way) for way in ruling.cards[:3])
    yield from (change_told(change) for change in ruling.money[:4])
    yield from ruling.next[:1]


def way_told(way: Way) -> str:
    """Cards that go somewhere, in a sentence."""
    cards = "1 card goes" if way.count == 1 else f"{way.count} cards go"
    return f"{cards} from {way.leaves} to {way.goes}."


def change_told(change: Change) -> str:
    """What somebody has before and after, in a sentence."""
    who = f"{change.who[:1].upper()}{change.who[1:]}"
    return f"{who}, {change.where}: {change.before} → {change.after}."


# -- when a ruling is another answer ---------------------------------------------------------------

_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_STREETS = re.compile(r"\b(?:flop|turn|river)\b")
ENOUGH = 2
"""Wrong answers beyond which none is lent from other matters."""
_WHOSE = re.compile(r"^(?:yes\. |no\. )?(?:seat|box) #: ")
_WORD = re.compile(r"[a-z]+")
_PLACE = re.compile(r"(?:seat|box) \d+")


def lead_of(ruling: Ruling) -> str:
    """What a ruling comes to, apart from reasons, places, streets and figures: `misdeal`, `raise to
    #`."""
    told = _STREETS.sub("street", ruling.headline.lower())
    plain = _WHOSE.sub("", _FIGURES.sub("#", told))
    return re.split(r"[:.;(]", plain, maxsplit=1)[0].strip()


Lent = tuple[Ruling, str]
"""A ruling that is wrong here, and where it would be right."""


def wrong_choices(
    right: Ruling, near: Iterable[Lent], lent: Iterable[Lent], at_last: Iterable[Lent]
) -> Iterator[AnswerChoice]:
    """Wrong answers, each of which comes to something else: what is `near`, in its order. Where
    that is little, what is `lent` from like matters and speaks of nobody else; `at_last` is for
    where there is nothing of either."""
    leads = {lead_of(right)}
    for ruling, because in near:
        if lead_of(ruling) not in leads:
            leads.add(lead_of(ruling))
            yield choice_of(ruling, because)
    about = places_in(right)
    of_the_same = (one for one in lent if places_in(one[0]) <= about)
    for source, enough in ((of_the_same, ENOUGH), (at_last, 1)):
        if len(leads) > enough:
            return
        for ruling, because in _likest_first(source, right):
            if lead_of(ruling) not in leads and len(leads) <= enough:
                leads.add(lead_of(ruling))
                yield choice_of(ruling, because)


def _likest_first(found: Iterable[Lent], right: Ruling) -> list[Lent]:
    """Those that speak of nobody else before the others, and then the likest in words."""
    about = places_in(right)

    def nearness(one: Lent) -> tuple[bool, float]:
        return places_in(one[0]) <= about, likeness_in_words(one[0], right)

    return sorted(found, key=nearness, reverse=True)


def places_in(ruling: Ruling) -> set[str]:
    """The seats or boxes that a ruling speaks of."""
    return set(_PLACE.findall(ruling.headline.lower()))


def likeness_in_words(one: Ruling, other: Ruling) -> float:
    """How much of their words two rulings share, from 0 to 1; figures do not count."""
    words, others = (set(_WORD.findall(each.headline.lower())) for each in (one, other))
    return len(words & others) / (len(words | others) or 1)
