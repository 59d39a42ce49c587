"""A replay as one file: it holds everything that it needs, and nothing that breaks it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.pit.replay import Replay
from croupier.site.addresses import InFolder
from croupier.site.case_index import replayed
from croupier.site.replay_page import page_beside, page_of, replayer_script

SIDE_POT = "no-limit-holdem-v8/1.27-main-pot-and-side-pot.toml"
RECORD = re.compile(r'<script type="application/json" id="record">(.*?)</script>', re.DOTALL)


def record_in(page: str) -> dict:
    found = RECORD.search(page)
    assert found is not None
    record: dict = json.loads(found[1])
    return record


def test_a_case_is_written_as_one_file_with_everybody_who_was_there(tmp_path: Path):
    file = tmp_path / "case.html"
    done = CliRunner().invoke(croupier, ["case", "open", SIDE_POT, "-o", str(file)])
    assert done.exit_code == 0, done.output
    page = file.read_text(encoding="utf-8")
    assert len(page) < 400_000
    record = record_in(page)
    assert list(record["answers"]) == ["*", "", "Ann", "Ben", "Cho"]
    whole = msgspec.convert(record["answers"]["*"]["replay"], Replay)
    assert whole.title.startswith("The Main Pot holds")
    everybody = json.dumps(record["answers"][""])
    hole = whole.start["seats"]["1"]["cards"]
    assert not any(card in everybody for card in hole)
    assert record["equities"], "what each hand was worth, for a page without a server"
    links = set(re.findall(r'(?:href|src)="([^"]*)"', page.replace(RECORD.search(page)[0], "")))  # type: ignore[index]
    assert not {link for link in links if not link.startswith(("#", "${"))} - {"/"}


def test_a_failing_case_is_shown_with_what_failed(tmp_path: Path):
    from croupier.site.case_index import case_text

    text = case_text(SIDE_POT)
    assert text is not None
    file, out = tmp_path / "wrong.toml", tmp_path / "wrong.html"
    file.write_text(re.sub(r"\b150\b", "151", text), encoding="utf-8")
    done = CliRunner().invoke(croupier, ["case", "open", str(file), "-o", str(out)])
    assert done.exit_code == 1
    about = record_in(out.read_text(encoding="utf-8"))["answers"]["*"]["replay"]["about"]
    assert "It fails at step" in about


def test_a_case_that_is_not_there_says_what_to_do():
    done = CliRunner().invoke(croupier, ["case", "open", "nowhere.toml"])
    assert done.exit_code == 2
    assert "no shipped case of that name" in done.output


def test_no_text_of_a_case_ends_the_page_early():
    replay = replayed(SIDE_POT, "no-limit-holdem-v8")
    nasty = msgspec.structs.replace(replay, title="</script><b>", about="</script>")
    page = page_of([nasty])
    assert page.count("</script>") == 2
    assert record_in(page)["answers"]["*"]["replay"]["about"] == "</script>"


def test_a_page_of_a_folder_leads_to_the_paragraphs_there():
    page = page_beside(InFolder(3), replayed(SIDE_POT, "no-limit-holdem-v8"))
    assert 'data-rules="../../../BOOK/PARAGRAPH.html"' in page
    assert 'src="../../../static/replayer.js"' in page


def test_every_module_that_the_script_names_is_in_it():
    script = replayer_script()
    begin = script.index("{", script.index("const modules"))
    modules, _ = json.JSONDecoder().raw_decode(script[begin:])
    assert "croupier/replay/main.js" in modules
    named = {
        name
        for text in modules.values()
        for name in re.findall(r'(?:from |import\()"([^"]+)"', text)
    }
    assert named <= modules.keys()
    assert all(name.startswith("croupier/") for name in named)


@pytest.mark.parametrize("word", ["/**", "@import", "records.js"])
def test_types_are_for_the_checker_alone(word: str):
    assert word not in replayer_script()
