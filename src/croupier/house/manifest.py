"""The approved manifest: what a regulator has approved, by digest, and signed with his own key.

    software      the critical files, floor by floor (`croupier.house.critical_files`)
    rulebooks     each book by itself, and modules of others that register books
    dependencies  the packages that croupier needs, each with its version and a digest of its files
                  as they are installed; Python and SQLite by their versions
    settings      what the House has set otherwise than by default; of every table and link its
                  book, its link, its settings and its policies

Two manifests of the same are the same, byte for byte: no time and no machine stands in them. Its
digest is the SHA-256 of it as JSON without blanks, keys sorted; signed is

    Ed25519( "croupier 1 manifest" 0 || that JSON )
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sqlite3
from collections.abc import Iterator, Mapping
from importlib import metadata, util
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from croupier import __version__
from croupier.house.critical_files import digests
from croupier.house.errors import HouseError
from croupier.house.office.state import PlaceRecord
from croupier.house.private import make_private
from croupier.house.seals.keys import MANIFEST, PUBLIC, SIGNATURE, SigningKey, is_signed
from croupier.jackpot.settings import LinkSettings
from croupier.pit.registry import GAMES

EXTENSIONS = "CROUPIER_EXTENSIONS"
OPTIONAL = ("asyncpg", "cryptography")
"""What croupier needs only where it is installed, or loads only where a House is opened."""
T = TypeVar("T")
NOT_NAMED = ("approval.", "seals.", "server.")
"""Settings that no manifest names: the approval itself, and where things lie on a machine."""
BY_INSTALLER = frozenset(("INSTALLER", "RECORD", "REQUESTED", "direct_url.json"))
"""Files that an installer writes beside those of a package."""
PARTS = ("software", "rulebooks", "dependencies", "settings")
MOST_BYTES = 2**20


class BadManifest(HouseError):
    """What should be a manifest is none, or was not signed by whom it should be."""


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What runs, by digest."""

    croupier: Literal["manifest"]
    format: Annotated[int, Meta(ge=1, le=1)]
    version: str
    software: dict[str, str]
    rulebooks: dict[str, str]
    dependencies: dict[str, str]
    settings: dict[str, str]

    def text(self) -> bytes:
        """As it is signed."""
        return msgspec.json.encode(self, order="sorted")

    @property
    def digest(self) -> str:
        """By which two people approve it where no regulator has."""
        return hashlib.sha256(self.text()).hexdigest()


class SignedManifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A manifest with the regulator's signature."""

    manifest: Manifest
    key: Annotated[str, Meta(pattern=PUBLIC)]
    signature: Annotated[str, Meta(pattern=SIGNATURE)]

    def holds(self) -> bool:
        """Whether it was signed with the key that it names."""
        return is_signed(self.key, MANIFEST, self.manifest.text(), bytes.fromhex(self.signature))


# -- what runs here -------------------------------------------------------------------------------


def manifest_of(settings: Mapping[str, str], software: Mapping[str, str] | None = None) -> Manifest:
    """The manifest of this installation, with these settings of the House."""
    return Manifest(
        croupier="manifest",
        format=1,
        version=__version__,
        software=dict(digests() if software is None else software),
        rulebooks=dict(_rulebooks()),
        dependencies=_dependencies(),
        settings=dict(settings),
    )


def named_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Those of the settings of a House that a manifest names."""
    return {key: value for key, value in settings.items() if not key.startswith(NOT_NAMED)}


def named_places(places: Mapping[str, PlaceRecord]) -> dict[str, str]:
    """What a manifest names of tables and links, but for those that were closed: whatever decides
    about cards and money. In which area they stand, and their clocks, it does not."""
    found: dict[str, str] = {}
    for name, place in places.items():
        if place.closed:
            continue
        told: dict[str, Any] = {"rulebook": place.rulebook}
        if place.link:
            told["link"] = place.link
        settings, policies = _as_it_runs(place)
        told |= {f"settings.{key}": value for key, value in settings.items()}
        told |= {f"policies.{key}": value for key, value in policies.items()}
        for key, value in told.items():
            written = msgspec.json.encode(value, order="sorted").decode()
            found[f"{place.kind}s.{name}.{key}"] = written
    return found


def _as_it_runs(place: PlaceRecord) -> tuple[dict[str, Any], dict[str, str]]:
    """Settings and policies with their defaults, as the office puts them on record: a place is
    named alike before it is set up, by its configuration, and afterwards. What the office would not
    set up is named as it is written."""
    game = GAMES.games.get(place.rulebook)
    if game is None:
        return place.settings, place.policies
    kind = LinkSettings if place.kind == "link" else game.table_type.settings_type
    try:
        settings = msgspec.to_builtins(msgspec.convert(place.settings, kind))
        return settings, GAMES.load(place.rulebook).policies_with(place.policies)
    except ValueError:  # msgspec's refusal is one, and so is the rulebook's
        return place.settings, place.policies


def _rulebooks() -> Iterator[tuple[str, str]]:
    for file in (files("croupier") / "rulebooks").iterdir():
        if file.name.endswith(".toml"):
            yield file.name.removesuffix(".toml"), hashlib.sha256(file.read_bytes()).hexdigest()
    for name in os.environ.get(EXTENSIONS, "").split():
        found = util.find_spec(name)
        origin = found.origin if found is not None else None
        told = Path(origin).read_bytes() if origin is not None else b""
        yield f"extension {name}", hashlib.sha256(told).hexdigest()


def _dependencies() -> dict[str, str]:
    """Packages that croupier needs, and what these need, with the version that is installed and a
    digest of its files."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    waiting = ["croupier", *OPTIONAL]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found:
            continue
        try:
            installed = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another system, or left out
        digest = _installed(installed)
        found[name] = f"{installed.version} sha256:{digest}" if digest else installed.version
        for need in installed.requires or ():
            if "extra ==" not in need:
                waiting.append(re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0])
    found.pop("croupier", None)  # its own files are named one by one
    return found


def _installed(package: metadata.Distribution) -> str:
    """A digest over the files of a package as they lie here: SHA-256 over name LF SHA-256 LF of
    each, by name. What an installer adds is left out (compiled modules, scripts, its own notes),
    so one wheel has one digest on every machine."""
    total = hashlib.sha256()
    count = 0
    for file in sorted(package.files or (), key=str):
        name = str(file)
        if name.startswith("..") or "__pycache__" in name or file.name in BY_INSTALLER:
            continue
        try:
            content = Path(str(file.locate())).read_bytes()
        except OSError:
            content = b""  # it is missing: that is another digest
        total.update(f"{name}\n{hashlib.sha256(content).hexdigest()}\n".encode())
        count += 1
    return total.hexdigest() if count else ""


def differences(approved: Manifest, now: Manifest) -> list[str]:
    """What is not as it was approved, each in a few words. An approved table or link that is not
    set up, or was closed, is none: nothing is played there."""
    told = []
    there = {_place(name) for name in now.settings} | {""}
    unused = {name for name in approved.settings if _place(name) not in there}
    if approved.version != now.version:
        told.append(f"version {now.version}, approved {approved.version}")
    for part in PARTS:
        one, other = getattr(approved, part), getattr(now, part)
        for name in sorted((one.keys() | other.keys()) - unused):
            if one.get(name) != other.get(name):
                told.append(f"{part}: {name} {_how(one.get(name), other.get(name))}")
    return told


def _place(setting: str) -> str:
    """The table or link that a setting of a manifest belongs to: `tables.P1` of
    `tables.P1.settings.blinds`; nothing for the settings of the House."""
    kind, _, rest = setting.partition(".")
    return f"{kind}.{rest.partition('.')[0]}" if kind in ("tables", "links") else ""


def _how(approved: str | None, now: str | None) -> str:
    if approved is None:
        return "is not approved"
    if now is None:
        return "is missing"
    if len(approved) == len(now) == 64:
        return "is another one"
    if approved.partition(" sha256:")[0] == now.partition(" sha256:")[0]:
        return f"{now.partition(' ')[0]} has other files than were approved"
    return f"is {now}, approved {approved}"


# -- files ----------------------------------------------------------------------------------------


def write_manifest(file: Path, record: Manifest | SignedManifest) -> None:
    """Write a new file that a person can read too."""
    text = msgspec.json.format(msgspec.json.encode(record, order="sorted"), indent=2) + b"\n"
    try:
        make_private(file, text)
    except FileExistsError as error:
        raise BadManifest(f"{file} is there already; name another file") from error
    except OSError as error:
        raise BadManifest(f"{file} cannot be written: {error.strerror}") from error


def read_manifest(file: Path) -> Manifest:
    """A manifest that is not signed yet."""
    return _read(file, Manifest)


def read_signed(file: Path, key: str = "") -> SignedManifest:
    """A signed manifest; `key` is the regulator's public key, where it is known."""
    found = _read(file, SignedManifest)
    if not found.holds():
        raise BadManifest(f"{file}: the signature does not hold; the manifest was changed")
    if key and found.key != key:
        raise BadManifest(f"{file} is signed with key {found.key}, and the regulator's is {key}")
    return found


def sign(manifest: Manifest, key: SigningKey) -> SignedManifest:
    """Approve a manifest."""
    signature = key.sign(MANIFEST, manifest.text()).hex()
    return SignedManifest(manifest=manifest, key=key.public, signature=signature)


def _read(file: Path, kind: type[T]) -> T:
    text = b""
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES)
        return msgspec.json.decode(text, type=kind)
    except OSError as error:
        raise BadManifest(f"{file} cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        if kind is SignedManifest and _is_manifest(text):
            raise BadManifest(f"{file} is a manifest that nobody has signed") from error
        raise BadManifest(f"{file} is no manifest of croupier's: {error}") from error


def _is_manifest(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=Manifest)
    except msgspec.MsgspecError:
        return False
    return True
