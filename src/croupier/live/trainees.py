"""As whom the school knows somebody: by name, and whose name it is now.

In a House of play money a guest's name may be somebody else's later. Whoever takes it begins with
nothing of the past, at school as at the tables: so each holder of a name has a record of their own.
"""

from __future__ import annotations

from croupier.house.office.state import OfficeState

APART = "/"
"""Between a name and its holder: no name has it."""


def trainee_of(state: OfficeState, name: str) -> str:
    """The trainee who has this name now."""
    person = state.people.get(name)
    past = person.past if person is not None else None
    return f"{name}{APART}{past.holder}" if past is not None else name


def name_of(trainee: str) -> str:
    """The name of a trainee."""
    return trainee.partition(APART)[0]


def called(state: OfficeState, trainee: str) -> str:
    """How a trainee is listed among all: who had a name before is kept apart from who has it."""
    name = name_of(trainee)
    return name if trainee == trainee_of(state, name) else f"{name} (an earlier guest)"
