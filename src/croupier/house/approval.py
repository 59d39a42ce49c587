"""Whether a House of real money may run its tables with this software and these settings.

It may if the regulator has signed a manifest that matches (`croupier.house.manifest`), or if two
people have said otherwise on record, for exactly this. Whatever puts a table or link on the floor
to be played at asks here; whoever only sets it up, or gives an order at the office, need not: that
is how it comes to be approved.
"""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from croupier.house.alarm_log import ALARM
from croupier.house.errors import HouseError
from croupier.house.manifest import (
    BadManifest,
    Manifest,
    differences,
    manifest_of,
    named_places,
    named_settings,
    read_signed,
)
from croupier.house.office.commands import AddLink, AddTable
from croupier.house.office.state import OfficeState, PlaceRecord

logger = logging.getLogger("croupier.house")

LISTED = 10
"""Differences that are told at once."""
NONE_NAMED = "no manifest is named ([approval] manifest and regulator_key)"


class NotApproved(HouseError):
    """Money is real, and what would run here is not what was approved."""


def running_manifest(state: OfficeState) -> Manifest:
    """What runs here, with the settings, tables and links that are on record."""
    return manifest_of(named_settings(state.settings) | named_places(state.places))


def approved_on_record(state: OfficeState, url: str) -> Manifest:
    """What is approved of a House, by what it has on record; an error where nothing is."""
    file, key = (_on_record(state, f"approval.{name}") for name in ("manifest", "regulator_key"))
    return approved(running_manifest(state), file, key, state, url)


def approved(now: Manifest, file: str, key: str, state: OfficeState | None, url: str) -> Manifest:
    """What is approved: the manifest in a file that the regulator has signed with this key, or what
    runs now, where two people say so."""
    why = [NONE_NAMED]
    if file:
        try:
            signed = read_signed(Path(file), key).manifest
            why = differences(signed, now)
        except BadManifest as error:
            why = [str(error)]
        else:
            if not why:
                return signed
    more = " and more" if len(why) > LISTED else ""
    told = "; ".join(why[:LISTED])
    if state is not None and state.software == now.digest:
        says = "NOT AS THE REGULATOR HAS APPROVED, by two people: %s"
        logger.warning(says, told, extra=ALARM)
        return now
    raise NotApproved(
        f"a House of real money opens only with what is approved: {told}{more}. Have this manifest "
        f"signed (croupier audit manifest make FILE), or let two people approve it with: croupier "
        f"office approval propose {url} software {now.digest} --as NAME --reason WHY"
    )


def as_set_up(adding: AddTable | AddLink) -> PlaceRecord:
    """A table or link that is to be set up, as it would be on record."""
    return PlaceRecord(
        kind="link" if isinstance(adding, AddLink) else "table",
        rulebook=adding.rulebook,
        settings=adding.settings,
        policies=adding.policies,
        link="" if isinstance(adding, AddLink) else adding.link,
    )


def names(manifest: Manifest, adding: AddTable | AddLink) -> bool:
    """Whether a manifest has this table or link as it would be set up."""
    name = adding.link if isinstance(adding, AddLink) else adding.table
    return named_places({name: as_set_up(adding)}).items() <= manifest.settings.items()


def _on_record(state: OfficeState, setting: str) -> str:
    """A setting that is a text; nothing where it is not on record."""
    told = state.settings.get(setting)
    return str(msgspec.json.decode(told)) if told else ""
