"""The rulebooks to click through, in a browser: from the server and from a folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebooks import load
from croupier.rulebooks.search import search
from croupier.site.addresses import InFolder
from croupier.site.case_index import cases_naming, replayed
from croupier.site.folder import _files
from croupier.site.paragraph_page import paragraph_page
from croupier.site.replay_page import page_beside
from croupier.site.search_index import search_index
from tests.web.conftest import PHONE, Visitor, first_of
from tests.web.test_pages import A_PAGE, violations

V8 = load("no-limit-holdem-v8")


def found(page: Any, words: str) -> list[str]:
    """The paragraphs that the page finds, as one types."""
    page.locator("#words").fill(words)
    page.locator("#found a").first.wait_for()
    return [link.rpartition("/")[2] for link in hrefs(page)]


def hrefs(page: Any) -> list[str]:
    links: list[str] = page.locator("#found a").evaluate_all("all => all.map((a) => a.href)")
    return links


def test_a_paragraph_is_found_as_one_types_and_read_with_its_cases(
    visitor: Callable[..., Visitor],
):
    one = visitor()
    page = one.page
    page.goto(f"{one.address}/")
    page.get_by_role("link", name="Rulebooks").click()
    page.get_by_role("link", name="No Limit Hold'em v8", exact=True).click()
    page.get_by_role("heading", name="No Limit Hold'em v8").wait_for()
    page.wait_for_load_state("load")
    page.keyboard.press("/")
    page.keyboard.type("exposed card bur")
    page.locator("#found a", has_text="One exposed card becomes burn").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="5.5").wait_for()
    assert page.locator(".mark.in-force, .cases .mark").count() > 0
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="5.6", exact=False).first.wait_for()


def test_the_page_finds_what_the_command_line_finds(visitor: Callable[..., Visitor]):
    one = visitor()
    for words in ("burn missing", "straddle", "5.12", "all-in raise", "A-38"):
        one.page.goto(f"{one.address}/rules/{V8.id}/5.12")
        expected = [hit.paragraph.id for hit in search(words.split(), [V8])][:12]
        assert found(one.page, f"{words} ") == expected, words


@pytest.mark.parametrize("scheme", first_of(["dark", "light"]))
@pytest.mark.parametrize("path", ["", f"/{V8.id}", f"/{V8.id}/5.12"])
def test_the_pages_are_small_and_everybody_can_read_them(
    visitor: Callable[..., Visitor], path: str, scheme: str
):
    one = visitor(viewport=PHONE, color_scheme=scheme)
    loaded: list[Any] = []
    one.page.on("response", lambda response: loaded.extend([response]))
    one.page.goto(f"{one.address}/rules{path}")
    one.page.get_by_role("heading", level=1).wait_for()
    one.page.wait_for_load_state("networkidle")
    weight = sum(r.request.sizes()["responseBodySize"] for r in loaded if r.status == 200)
    assert 5_000 < weight < A_PAGE, f"{weight} bytes"
    assert violations(one.page) == []
    wide: int = one.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]


@pytest.mark.slow
def test_what_takes_long_is_computed_and_shown(visitor: Callable[..., Visitor]):
    one = visitor()
    page = one.page
    page.set_default_timeout(120_000)
    page.goto(f"{one.address}/rules/diff/multi-link-progressive-v2/multi-link-progressive-v3")
    assert "come out otherwise" in page.locator("main").inner_text()
    assert violations(page) == []
    page.goto(f"{one.address}/rules/{V8.id}/coverage")
    assert page.locator("td .new").count() > 150
    assert violations(page) == []
    page.goto(f"{one.address}/rules/{V8.id}/matrix")
    page.locator("details.section summary").first.click()
    assert page.locator(".matrix a.cite").count() > 100


@pytest.mark.slow
def test_a_citation_at_a_table_leads_to_its_paragraph(visitor: Callable[..., Visitor]):
    one = visitor()
    page = one.page
    page.goto(f"{one.address}/table/Raffles")
    page.evaluate("""async () => {
      const { openParagraph } = await import("/static/app/paragraph.js");
      openParagraph("no-limit-holdem-v8", "5.12");
    }""")
    with page.expect_popup() as read:
        page.get_by_role("link", name="In the rulebook, with its cases").click()
    read.value.get_by_role("heading", name="5.12").wait_for()


def test_pages_in_a_folder_need_no_server(visitor: Callable[..., Visitor], tmp_path: Path):
    at = InFolder(1)
    case = cases_naming(V8.id, "5.12")[0]
    played = InFolder(3)
    pages = dict(_files())
    pages[f"{V8.id}/5.12.html"] = paragraph_page(at, V8, "5.12", policies_at={})
    pages[f"{V8.id}/search.js"] = search_index(V8.id)
    name = at.case(case.source, V8.id).removeprefix("../")
    pages[name] = page_beside(played, replayed(case.source, V8.id))
    for file, text in pages.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    one = visitor()
    page = one.page
    page.goto((tmp_path / V8.id / "5.12.html").as_uri())
    assert found(page, "burn missing ")[0].startswith("5.10")
    page.keyboard.press("Escape")
    page.locator(".cases a", has_text=case.title).click()
    page.locator(".words li").first.wait_for()
    page.keyboard.press("End")
    page.locator("a.cite").filter(has_text=re.compile(r"^5\.12$")).first.click()
    page.get_by_role("heading", name="5.12").wait_for()
