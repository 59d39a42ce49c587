"""The records of server and page, as TypeScript reads them: `python -m tests.web.records`.

They are made from the structs that the server sends and takes, which OpenAPI is made from too, so
that the pages cannot go on reading a field that is no longer there. The page's own modules name
them in their comments, and `tsc` checks them (tests/web/test_types.py).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec.inspect as found
from msgspec import Struct

from croupier.banked import BankedTable
from croupier.banked.view import BankedView
from croupier.cards import Card
from croupier.live import wire
from croupier.live.audience import TellingEntry
from croupier.live.patches import Patch
from croupier.live.recall import RoundSummary
from croupier.live.routes import PATHS
from croupier.pit.ports.banked_info import BankedTableInfo
from croupier.pit.ports.poker_info import PokerTableInfo
from croupier.poker import PokerTable
from croupier.poker.view import PokerView

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "src" / "croupier" / "web" / "app" / "records.d.ts"

HEAD = """\
// Made by `python -m tests.web.records` from the structs of the server; do not write here.
// Amounts are whole cents. A card is written as `As` or `Td`, and `??` where it may not be seen.
"""

OUT = (
    wire.HelloMessage,
    wire.ViewMessage,
    wire.EventsMessage,
    wire.PatchedMessage,
    wire.ClockMessage,
    wire.JackpotMessage,
    wire.ShuffleMessage,
    wire.OffersMessage,
    wire.AnswerMessage,
    wire.RefusedMessage,
    wire.ErrorMessage,
    wire.ChatMessage,
    wire.PongMessage,
    wire.ByeMessage,
)
"""What the socket of a table sends."""

WHOLE = {
    ("HelloMessage", "sign"): "PokerTableInfo | BankedTableInfo",
    ("ViewMessage", "view"): "PokerView | BankedView",
    ("EventsMessage", "view"): "PokerView | BankedView",
    ("EventsMessage", "events"): "TellingEntry[]",
    ("PatchedMessage", "events"): "TellingEntry[]",
    ("PatchedMessage", "patch"): "Patch",
    ("TellingEntry", "event"): "PokerEvent | BankedEvent",
    ("TableDetails", "sign"): "PokerTableInfo | BankedTableInfo",
    ("RoundsRecalled", "rounds"): "RoundSummary[]",
    ("RoundRecalled", "events"): "TellingEntry[]",
    ("GivenCommand", "command"): "PokerCommand | BankedCommand",
    ("ForPlayerBody", "command"): "PokerCommand | BankedCommand",
    ("PreviewBody", "command"): "Record<string, unknown>",
    ("HoldBody", "command"): "Record<string, unknown>",
}
"""Fields that hold what was encoded before; the record that says what it is stands here."""


class Writer:
    """Writes each record once, and those that it is made of."""

    def __init__(self) -> None:
        self._records: dict[str, str] = {}
        self._of: dict[str, type] = {}
        self._lines: list[str] = []

    def record(self, kind: type[Struct], *, taken: bool = False) -> str:
        """The name of a record, which is written if it is not there yet; a `taken` one comes from
        the page, which may leave out what has a default."""
        name = kind.__name__.lstrip("_")
        if self._of.setdefault(name, kind) is not kind:
            raise TypeError(f"two records are called {name}: {kind} and {self._of[name]}")
        if name not in self._records:
            self._records[name] = ""  # one that holds itself is not written twice
            info = found.type_info(kind)
            assert isinstance(info, found.StructType)
            says = (inspect.getdoc(kind) or "").partition("\n")[0]
            self._records[name] = (
                f"/** {says} */\nexport interface {name} {{\n"
                + "".join(f"  {line};\n" for line in self._fields(info, name, taken=taken))
                + "}\n"
            )
        return name

    def said(self, kind: Any) -> str:
        """What something is on the page: a record by its name, a list of such, a plain text."""
        return self._type(found.type_info(kind))

    def union(self, name: str, kinds: Iterable[type[Struct]], *, taken: bool) -> None:
        """A union of tagged records that have no name of their own here: commands and events."""
        members = []
        for kind in sorted(kinds, key=lambda kind: str(kind.__struct_config__.tag)):
            info = found.type_info(kind)
            assert isinstance(info, found.StructType)
            inner = "; ".join(self._fields(info, name, taken=taken))
            members.append(f"  | {{ {inner} }}")
        self.line(f"export type {name} =\n" + "\n".join(members) + ";\n")

    def line(self, text: str) -> None:
        """Something that is no record."""
        self._lines.append(text)

    def written(self) -> str:
        """The whole file."""
        records = [self._records[name] for name in sorted(self._records)]
        return "\n".join([HEAD, *records, *self._lines])

    def _fields(self, info: found.StructType, name: str, *, taken: bool) -> list[str]:
        lines = []
        if info.tag_field is not None:
            lines.append(f'{info.tag_field}: "{info.tag}"')
        may_lack = taken or info.cls.__struct_config__.omit_defaults
        for field in info.fields:
            mark = "?" if may_lack and not field.required else ""
            said = WHOLE.get((name, field.name)) or self._type(field.type)
            lines.append(f"{field.encode_name}{mark}: {said}")
        return lines

    def _type(self, info: found.Type) -> str:
        match info:
            case found.Metadata(type=inner):
                return self._type(inner)
            case found.IntType() | found.FloatType() | found.DecimalType():
                return "number"
            case found.StrType() | found.DateTimeType() | found.DateType() | found.TimeType():
                return "string"
            case found.BoolType():
                return "boolean"
            case found.NoneType():
                return "null"
            case found.LiteralType(values=values):
                said = (f'"{v}"' if isinstance(v, str) else str(v).lower() for v in values)
                return " | ".join(said)
            case found.EnumType(cls=cls):
                return self._enum(cls)
            case found.UnionType(types=types):
                return " | ".join(dict.fromkeys(self._type(each) for each in types))
            case found.ListType(item_type=item) | found.VarTupleType(item_type=item):
                return self._many(item)
            case found.SetType(item_type=item) | found.FrozenSetType(item_type=item):
                return self._many(item)
            case found.TupleType(item_types=items):
                return f"[{', '.join(self._type(each) for each in items)}]"
            case found.DictType(key_type=key, value_type=value):
                key_of = "number" if self._type(key) == "number" else "string"
                return f"Record<{key_of}, {self._type(value)}>"
            case found.StructType(cls=cls):
                return self.record(cls)
            case found.AnyType() | found.RawType():
                return "unknown"
            case found.CustomType(cls=cls) if issubclass(cls, Enum):
                return self._enum(cls)
        raise TypeError(f"no record on the page says {info}")

    def _many(self, item: found.Type) -> str:
        said = self._type(item)
        return f"({said})[]" if " " in said else f"{said}[]"

    @staticmethod
    def _enum(kind: type[Enum]) -> str:
        if kind is Card:
            return "Card"
        return " | ".join(f'"{each.value}"' for each in kind)


def written() -> str:
    """The records as they are to be."""
    out = Writer()
    for path in PATHS:
        for kind in (path.answers, *path.others.values()):
            out.said(kind)
        if path.takes is not None:
            out.record(path.takes, taken=True)
    for kind in (
        *OUT,
        Patch,
        TellingEntry,
        RoundSummary,
        PokerView,
        BankedView,
        PokerTableInfo,
        BankedTableInfo,
    ):
        out.record(kind)
    out.line("export type Card = string;\n")
    out.line(f"export type Message = {' | '.join(kind.__name__ for kind in OUT)};\n")
    for family, table in (("Poker", PokerTable), ("Banked", BankedTable)):
        own = [kind for kind in table.whole.commands if kind.players_may]
        out.union(f"{family}Command", own, taken=True)
        out.union(f"{family}Event", table.whole.events, taken=False)
    out.line(asked(out))
    return out.written()


def asked(out: Writer) -> str:
    """How the page asks the API: what each path takes and answers. The longer path comes first,
    for TypeScript takes the first that fits."""
    lines = []
    for path in sorted(PATHS, key=lambda path: (-path.path.count("/"), path.path, path.method)):
        parts = re.sub(
            r"\{(\w+)\}",
            r"{\1:string}",
            path.path.replace(":int}", ":number}").replace(":path}", ":string}"),
        )
        parts = re.sub(r"\{\w+:(\w+)\}", r"${\1}", parts)
        said = f"`{parts}`" if "$" in parts else f'"{parts}"'
        takes = path.takes.__name__ if path.takes is not None else "Record<string, never>"
        change = f", change: {takes}" if path.method == "POST" else ""
        lines.append(f"  (path: {said}{change}): Promise<{out.said(path.answers)}>;\n")
    return "export interface Ask {\n" + "".join(lines) + "}\n"


def main() -> None:
    """Write the file."""
    FILE.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
