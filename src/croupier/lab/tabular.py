"""What people look at in a notebook: a short name, a table, and frames with named columns.

A class that has ``rows`` (a dict for each) gets the rest from ``Tabular``. pandas and polars are
used where they are installed; the lab itself needs neither.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np

from croupier.lab.errors import LabError

SHOWN = 30
"""Rows of a table in a notebook: more are counted, not shown."""


class Tabular:
    """Rows with named columns. Exact values are fractions in ``rows``, floats in arrays."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each row, all with the same keys."""
        raise NotImplementedError

    def heading(self) -> str:
        """What it is, in one line."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.heading()}>"

    def _repr_html_(self) -> str:
        rows = self.rows()
        more = len(rows) - SHOWN
        told = f"<p>… and {more:,} rows more</p>" if more > 0 else ""
        head = f"<p><strong>{escape(self.heading())}</strong></p>"
        return head + table_html(rows[:SHOWN]) + told

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """A structured array: its columns have names."""
        rows = [{key: _plain(value) for key, value in row.items()} for row in self.rows()]
        if not rows:
            return np.zeros(0)
        kinds = [(name, _kind([row[name] for row in rows])) for name in rows[0]]
        return np.array([tuple(row.values()) for row in rows], dtype=kinds)

    def to_pandas(self) -> Any:
        """A pandas DataFrame, where pandas is installed."""
        return _library("pandas").DataFrame(self._columns())

    def to_polars(self) -> Any:
        """A polars DataFrame, where polars is installed."""
        return _library("polars").DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        rows = self.rows()
        names = list(rows[0]) if rows else []
        return {name: [_plain(row[name]) for row in rows] for name in names}


def table_html(rows: Sequence[dict[str, Any]]) -> str:
    """Rows as a plain HTML table, which a notebook dresses in its own style."""
    if not rows:
        return "<p>nothing</p>"
    head = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_text(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _text(value: Any) -> str:
    if isinstance(value, Fraction | float):
        return f"{float(value):,.6g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _kind(values: list[Any]) -> str:
    if all(isinstance(value, bool) for value in values):
        return "?"
    if all(isinstance(value, int) for value in values):
        return "i8"
    if all(isinstance(value, int | float) for value in values):
        return "f8"
    return f"U{max(len(str(value)) for value in values)}"


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        says = f"to_{name} needs {name}, which is not installed here: pip install {name}"
        raise LabError(says) from error
