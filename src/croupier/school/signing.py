"""Who must sign: the second question of a ruling, answered from the engine's own."""

from __future__ import annotations

from random import Random

from croupier.pit.ruling import Ruling
from croupier.school.choices import part_of
from croupier.school.exercise import AnswerChoice, Part
from croupier.table import ActorRank
from croupier.table.words import listed

ASK = "Whose word does it need?"
NOBODY = "Nobody's: the dealer goes on"
PLAYERS = "The player's alone, who chooses"
_RANKS = (ActorRank.PIT_SUPERVISOR, ActorRank.PIT_MANAGER, ActorRank.SHIFT_MANAGER)


def signing_part(ruling: Ruling, rng: Random) -> Part:
    """Whose word a ruling needs; the other ranks are wrong."""
    right = whose_word(ruling)
    others = [NOBODY, *(_or_above(rank.title) for rank in _RANKS)]
    if any(one.by == "player" for one in ruling.decisions):
        others.append(PLAYERS)
    rng.shuffle(others)
    wants = next((one for one in ruling.confirmed), None)
    would = (wants.says,) if wants is not None else ()
    cites = wants.cites if wants is not None else ()
    wrong = (AnswerChoice(says=one, because=_why_not(one, right)) for one in others)
    return part_of(ASK, AnswerChoice(says=right, would=would, cites=cites), wrong, rng)


def whose_word(ruling: Ruling) -> str:
    """Whose word it needs, in words."""
    staff = [one.of for one in ruling.decisions if one.by == "staff"]
    ranks = dict.fromkeys((*ruling.signed_by, *staff))
    ranks.pop(ActorRank.DEALER.title, None)  # that the dealer does something is nobody's word
    if ranks:
        return _or_above(listed([*ranks]))
    return PLAYERS if any(one.by == "player" for one in ruling.decisions) else NOBODY


def _or_above(rank: str) -> str:
    return f"{rank[:1].upper()}{rank[1:]} or above"


def _why_not(says: str, right: str) -> str:
    if says == NOBODY:
        return "It would go on without a word that the book wants."
    if right in (NOBODY, PLAYERS):
        return "The game would wait for somebody whom the book does not ask."
    return "It would be another's word than the one that the book wants."
