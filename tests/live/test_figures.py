"""The figures of the day over HTTP: for managers, and nobody else."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.accounts import log_in, money_house
from tests.live.conftest import Running


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as opened:
        yield opened


def test_managers_read_the_figures_and_others_are_told_for_whom_they_are(house: Running):
    max_ = log_in(house, "Max")
    made = max_.get("/api/office/reports/figures")
    assert {table["of"] for table in made["tables"]} == {"Raffles", "M1", "M2"}
    with max_.opener.open(f"{house.url}/office/figures?zone=Asia/Singapore") as answer:
        page = answer.read().decode()
    assert page.count('class="columns"') == 4
    assert "style=" not in page, "the policy of the pages forbids it"
    for name, code in (("Sue", "managers only"), ("Cal", "managers only"), ("Ann", "staff only")):
        for path in ("/api/office/reports/figures", "/office/figures"):
            with pytest.raises(urllib.error.HTTPError) as error:
                log_in(house, name).opener.open(f"{house.url}{path}")
            with error.value:
                assert (error.value.code, json.load(error.value)["error"]) == (403, code)
