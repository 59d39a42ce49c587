"""The dealer school: exercises that the engine makes and marks, and when they come again."""

from croupier.school.course import draw_item, kind_named, kinds_of, level_after, make_exercise
from croupier.school.errors import CannotMark, NoSuchItem, NotMade, SchoolError
from croupier.school.exercise import (
    KINDS,
    SECONDS,
    Exercise,
    ExerciseAsked,
    Kind,
    Marked,
    ask_of,
    mark,
)
from croupier.school.items import LEVELS, Item, item_named, items_of
from croupier.school.scene import replay_of
from croupier.school.schedule import Memory, after, quality_of

__all__ = [
    "KINDS",
    "LEVELS",
    "SECONDS",
    "CannotMark",
    "Exercise",
    "ExerciseAsked",
    "Item",
    "Kind",
    "Marked",
    "Memory",
    "NoSuchItem",
    "NotMade",
    "SchoolError",
    "after",
    "ask_of",
    "draw_item",
    "item_named",
    "items_of",
    "kind_named",
    "kinds_of",
    "level_after",
    "make_exercise",
    "mark",
    "quality_of",
    "replay_of",
]
