"""The pages of the rulebooks: everything of a book is on them, and every link leads somewhere."""

import re
from html import unescape
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.desk.approved import Approved, load_approved
from croupier.pit.carried import Outcome
from croupier.pit.coverage import BookCoverage, Coverage
from croupier.rulebooks import BOOKS, load
from croupier.site import folder
from croupier.site.addresses import InFolder, Served, paragraph_path
from croupier.site.book_page import book_page, shelf_page
from croupier.site.case_index import cases_of
from croupier.site.diff_page import diff_page
from croupier.site.markup import join, tag
from croupier.site.paragraph_page import paragraph_page
from croupier.site.versions import all_pairs

AT = Served()
V8 = load("no-limit-holdem-v8")


class Links(HTMLParser):
    """The links, identities and words of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.links += [link for key in ("href", "src") if (link := named.get(key))]
        if found := named.get("id"):
            assert found not in self.ids, f"{found} twice"
            self.ids.add(found)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_what_a_page_holds_cannot_break_it():
    made = tag("p", '<script>"x"</script>', tag("b", "&"), None, "", class_='a"b')
    assert made == (
        '<p class="a&quot;b">&lt;script&gt;&quot;x&quot;&lt;/script&gt;<b>&amp;</b></p>'
    )
    assert join("<", tag("br")) == "&lt;<br>"


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_has_all_its_paragraphs_readings_and_policies(book: str):
    opened = load(book)
    page = Links(book_page(AT, opened, {}))
    for paragraph in opened.paragraphs.values():
        assert paragraph_path(book, paragraph.id) in page.links
        assert paragraph.summary in page.words
    for policy in opened.policies.values():
        assert policy.question in page.words


@pytest.mark.parametrize("id", ["5.12", "5.16.a", "3.19.3", "preamble", "appendix.a"])
def test_a_paragraph_has_what_was_settled_on_it_and_its_cases(id: str):
    page = Links(paragraph_page(AT, V8, id, policies_at={}))
    assert V8.paragraph(id).summary in page.words
    for settled in (*V8.notes_for(id), *V8.policies_for(id)):
        assert settled.answer in page.words
        assert settled.reading in page.ids
    for topic in V8.topics_of(id):
        assert topic.replace("-", " ") in page.words


def test_a_paragraph_says_which_cases_prove_it_and_leads_to_them():
    page = Links(paragraph_page(AT, V8, "5.12", policies_at={}))
    assert re.search(r"\d+ of \d+ cases prove it", page.words)
    played = [link for link in page.links if link.startswith("/round/case/no-limit-holdem-v8/")]
    assert len(played) >= 5


def test_a_policy_says_where_it_is_in_force():
    policy = next(iter(V8.policies.values()))
    other = next(value for value in policy.values if value != policy.default)
    at = {"Raffles": V8.policies_with({policy.name: other}), "Clarke": V8.policies_with({})}
    page = paragraph_page(AT, V8, policy.paragraphs[0], policies_at=at)
    said = [unescape(part) for part in re.findall(r"in force at [^<]*", page)]
    assert "in force at Raffles" in said
    assert "in force at Clarke" in said


def test_the_approved_words_stand_beside_ours_and_their_digest_is_told(tmp_path: Path):
    (tmp_path / "no-limit-holdem-v8.txt").write_text("5.14 Approved words.", encoding="utf-8")
    found = load_approved(tmp_path)
    assert "Another file than our words were made from" in found.about(V8.id)
    page = paragraph_page(
        AT,
        V8,
        "5.14",
        approved=found.text(V8.id, "5.14"),
        approved_says=found.about(V8.id),
        policies_at={},
    )
    assert "As approved" in page
    assert "Approved words." in page
    assert "SHA-256" in page
    assert "As approved" not in paragraph_page(AT, V8, "5.14", policies_at={})
    assert "As approved" not in paragraph_page(AT, V8, "5.3", approved=None, policies_at={})


def test_a_heading_without_a_text_of_its_own_shows_what_is_below_it():
    heading = next(
        id
        for p in V8.paragraphs
        if (id := p.rpartition(".")[0]) and id not in V8.paragraphs and id != "appendix"
    )
    page = Links(paragraph_page(AT, V8, heading, policies_at={}))
    assert any(link.startswith(paragraph_path(V8.id, f"{heading}.")) for link in page.links)


def test_two_versions_stand_side_by_side_with_what_comes_out_otherwise():
    old, new = load("multi-link-progressive-v2"), load("multi-link-progressive-v3")
    source = "multi-link-progressive-v2/a-case.toml"
    otherwise = [
        Outcome(source=source, title="A flush", otherwise="payouts 200, not 100"),
        Outcome(source="multi-link-progressive-v2/b.toml", title="The same"),
    ]
    page = diff_page(AT, old, new, otherwise)
    assert "2 cases of Multi-Link Progressive v2 were played under" in page
    assert "payouts 200, not 100" in page
    assert "The same" not in page
    assert "<del>" in page
    assert "<ins>" in page


def test_every_two_versions_of_a_game_are_compared_once_the_earlier_first():
    pairs = [(old.id, new.id) for old, new in all_pairs()]
    assert ("poker-v5", "no-limit-holdem-v8") in pairs
    assert ("multi-link-progressive-v2", "multi-link-progressive-v3") in pairs
    assert len(pairs) == len({frozenset(pair) for pair in pairs}) == 4


class Nothing:
    """What takes long is computed elsewhere: `test_computed` and the slow set."""

    def __init__(self, progress: object) -> None: ...

    def coverage(self) -> Coverage:
        none = BookCoverage(paragraphs=1, executable=1, covered=0, missing=["5.12"])
        return Coverage(rulebooks=dict.fromkeys(BOOKS, none))

    def matrix(self, book: str) -> list[object]:
        return []

    def outcomes(self, old: str, new: str) -> list[object]:
        return []


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of one book in a folder, and of all that leads to it."""
    to = tmp_path_factory.mktemp("site") / "rules"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "Computed", Nothing)
        patch.setattr("croupier.site.paragraph_page.proved_by", lambda source: {})
        patch.setattr(folder, "cases_of", lambda book: list(cases_of(book))[:2])
        folder.write_site(to)
    return to


def test_every_link_of_the_folder_leads_to_a_page_that_is_there(written: Path):
    pages = {page.relative_to(written).as_posix(): page for page in written.rglob("*.html")}
    assert len(pages) > 800
    there = {file.relative_to(written).as_posix() for file in written.rglob("*.*")}
    missing = set()
    for name, page in pages.items():
        for link in set(re.findall(r'(?:href|src)="([^"#]+)', page.read_text(encoding="utf-8"))):
            assert not link.startswith(("/", "http")), f"{name}: {link}"
            missing.add(normpath(PurePosixPath(name).parent / unquote(link)))
    assert not {one for one in missing - there if not one.startswith("play/")}


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    answer = CliRunner().invoke(croupier, ["rules", "site", str(tmp_path)])
    assert answer.exit_code == 2
    assert "is not empty" in answer.output
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_no_approved_text_is_in_the_folder_unless_somebody_loads_it(written: Path):
    page = (written / V8.id / "5.14.html").read_text(encoding="utf-8")
    assert "As approved" not in page
    assert Approved({}).about(V8.id) == ""


def test_the_shelf_has_all_books():
    page = Links(shelf_page(InFolder(0)))
    for book in BOOKS:
        assert f"{book}/index.html" in page.links


def test_the_plainest_case_of_a_paragraph_stands_first():
    links = Links(paragraph_page(Served(), V8, "5.3.3", policies_at={})).links
    cases = [link.rpartition("/5.3.3-")[2] for link in links if "/5.3.3-" in link]
    assert cases[0] == "two-cards-exposed.toml"
    assert cases.index("which-cards-were-exposed.toml") > 2, "what cannot be entered comes later"
