"""In a notebook: a short name, a table, named columns."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import croupier.lab
from croupier.lab.base import solve
from croupier.lab.distribution import Distribution
from croupier.lab.equity import equity
from croupier.lab.errors import LabError
from croupier.lab.simulate import Plan, simulate
from croupier.lab.simulate_pay import Stakes
from croupier.lab.simulate_strategy import check
from croupier.lab.tabular import SHOWN, Tabular
from croupier.rulebooks import load

V3 = load("multi-link-progressive-v3")


def things():
    plan = Plan.make(V3, check(), Stakes(ante=1000, bonus=500), rounds=500)
    return [
        solve(V3),
        simulate(plan),
        equity("AhAd", "KsKc", board="2c 7d Jh"),
        Distribution.of_results([(1, 1, 3), (-1, 1, 4)]),
    ]


@pytest.mark.parametrize("place", range(4))
def test_what_people_look_at_is_short_and_a_table(place):
    thing = things()[place]
    assert isinstance(thing, Tabular)
    assert len(repr(thing)) < 160
    page = thing._repr_html_()
    assert page.count("<tr>") == min(len(thing.rows()), SHOWN) + 1
    array = thing.to_numpy()
    assert array.dtype.names == tuple(thing.rows()[0])
    assert len(array) == len(thing.rows())


def test_columns_have_names_and_kinds():
    array = solve(V3).to_numpy()
    assert array["hand"][0] == "AA"
    assert array["folded"].sum() == 5
    assert array["combinations"].dtype == np.int64
    assert array["play"][0] == float(solve(V3).hand("AA").play)
    assert "and 139 rows more" in solve(V3)._repr_html_()


def test_a_frame_is_made_where_its_library_is_installed(monkeypatch):
    class Frames:
        DataFrame = dict

    monkeypatch.setitem(__import__("sys").modules, "pandas", Frames)
    frame = Distribution.of_results([(Fraction(1, 2), 1, 3)]).to_pandas()
    assert frame == {"result": [0.5], "deals": [3], "probability": [1.0]}
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(LabError, match="pip install polars"):
        solve(V3).to_polars()


def test_every_public_name_is_there():
    for name in croupier.lab.__all__:
        assert getattr(croupier.lab, name) is not None
    assert "Plan" in dir(croupier.lab)


def test_the_lab_exports_what_its_pages_use():
    """But for functions that have the name of their module, which are found there."""
    docs = Path(__file__).resolve().parents[2] / "docs"
    pages = [docs / "environments.md", *sorted(docs.glob("lab*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = {
        name.strip()
        for names in re.findall(r"from croupier\.lab import ([\w, ]+)", text)
        for name in names.split(",")
    }
    named |= set(re.findall(r"`croupier\.lab\.(\w+)(?:\(\))?`", text))
    assert len(named) > 12
    assert {name for name in named if name not in croupier.lab.__all__} == set()
    for name in named:
        assert getattr(croupier.lab, name) is not None
