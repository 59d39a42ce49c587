"""Tables and links together, still pure: the registry of the games, case files, coverage."""

from croupier.pit.case import read_case
from croupier.pit.case_records import Case, CaseError
from croupier.pit.coverage import BookCoverage, coverage
from croupier.pit.game import Game, LinkKit, Registry, Stage
from croupier.pit.pit import Pit, PitError, Said
from croupier.pit.question import Answer, Answered, Question, ask
from croupier.pit.registry import GAMES, shipped_cases
from croupier.pit.ruling import Ruling
from croupier.pit.runner import CaseResult, Failure, run_case
from croupier.pit.schema import case_schema
from croupier.pit.situation import Contradiction, Reached, reach
from croupier.pit.story import tell_case

__all__ = [
    "GAMES",
    "Answer",
    "Answered",
    "BookCoverage",
    "Case",
    "CaseError",
    "CaseResult",
    "Contradiction",
    "Failure",
    "Game",
    "LinkKit",
    "Pit",
    "PitError",
    "Question",
    "Reached",
    "Registry",
    "Ruling",
    "Said",
    "Stage",
    "ask",
    "case_schema",
    "coverage",
    "reach",
    "read_case",
    "run_case",
    "shipped_cases",
    "tell_case",
]
