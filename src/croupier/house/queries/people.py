"""Who is known to the House, by name: a wrong name is answered with the one that was meant."""

from __future__ import annotations

import difflib

from croupier.house.errors import HouseError
from croupier.house.founding import office_in
from croupier.house.names import visible
from croupier.house.office.state import OfficeState, Person
from croupier.house.store import Store


class UnknownPerson(HouseError):
    """Nobody here is called so."""


def office_of(store: Store) -> OfficeState:
    """The office as a store has it."""
    return office_in(store).state


def person_named(state: OfficeState, name: str, kind: str) -> Person:
    """A player or member of staff; an error that says who was probably meant."""
    person = state.people.get(name)
    if person is not None and person.kind == kind:
        return person
    if person is not None:
        raise UnknownPerson(f"{visible(name)} is {_what(person)}, and no {_word(kind)}")
    known = [each for each, found in state.people.items() if found.kind == kind]
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"; did you mean {visible(near[0])}?" if near else ""
    raise UnknownPerson(f"there is no {_word(kind)} called {visible(name)}{meant}")


def _word(kind: str) -> str:
    return "member of staff" if kind == "staff" else kind


def _what(person: Person) -> str:
    return f"staff ({person.role})" if person.kind == "staff" else "a player"
