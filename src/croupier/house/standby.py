"""What a PostgreSQL server says of its standbys: whether one takes its place without a loss.

Only a standby that must confirm every commit has everything that was acknowledged. It is asked by
`croupier doctor`; how to set one up stands in docs/failover.md.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from croupier.house.database import Database

Kind = Literal["standby", "alone", "loses", "stands still", "unseen", "confirmed"]
"""How a server stands: it is a standby itself; it has none; it has some that need not confirm; it
waits for one that is not there; that cannot be seen; one confirms."""


class Standbys(NamedTuple):
    """How a server stands, in a word and in a sentence, with what to do."""

    kind: Kind
    says: str = ""
    do: str = ""


def standbys(database: Database) -> Standbys:
    """How the server of a database stands."""
    [(standby, names)] = database.execute(
        "SELECT pg_is_in_recovery(), current_setting('synchronous_standby_names')"
    )
    if standby:
        return Standbys(
            "standby",
            "the address leads to a standby, which only reads",
            "name both hosts: postgresql://USER@HOST1,HOST2/DATABASE",
        )
    states = [state for (state,) in database.execute("SELECT sync_state FROM pg_stat_replication")]
    if not names:
        return _unconfirmed(len(states))
    if None in states:
        return Standbys(
            "unseen",
            "whether a standby confirms what is stored cannot be seen",
            "let croupier look: GRANT pg_monitor TO its user",
        )
    if not {"sync", "quorum"} & set(states):
        return Standbys(
            "stands still",
            f"commits wait for a standby ({names}) and none confirms: nothing can be stored",
            "start the standby; docs/failover.md says how to go on without it",
        )
    return Standbys("confirmed")


def _unconfirmed(number: int) -> Standbys:
    """Of a server that waits for no standby."""
    do = "set up a synchronous standby: synchronous_standby_names, docs/failover.md"
    if not number:
        return Standbys("alone", "the database has no standby: nothing takes its place", do)
    return Standbys(
        "loses",
        "the standby need not confirm what is stored: a failover loses what was acknowledged last",
        do,
    )
