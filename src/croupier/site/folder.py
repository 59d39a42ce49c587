"""`croupier rules site`: all pages of the rulebooks in a folder, to be read without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote

from croupier.desk.approved import NONE_LOADED, Approved
from croupier.rulebooks import BOOKS, Rulebook, load
from croupier.site.addresses import InFolder
from croupier.site.book_page import book_page, shelf_page
from croupier.site.case_index import cases_of, replayed
from croupier.site.computed import Computed
from croupier.site.coverage_page import coverage_page
from croupier.site.diff_page import diff_page
from croupier.site.matrix_page import matrix_page
from croupier.site.paragraph_page import paragraph_page
from croupier.site.replay_page import SCRIPT as REPLAYER
from croupier.site.replay_page import STYLES as REPLAY_STYLES
from croupier.site.replay_page import page_beside, replayer_script
from croupier.site.search_index import search_index
from croupier.site.shell import SCRIPT, STYLES
from croupier.site.versions import all_pairs

MARK = "croupier-rules.txt"
"""Says that a folder was written by us, and may be written again."""


class NotOurs(Exception):
    """A folder holds something else, which would be overwritten."""


def write_site(
    folder: Path,
    approved: Approved = NONE_LOADED,
    progress: Callable[[str], None] = lambda told: None,
) -> int:
    """Write all pages; return how many there are. `progress` hears what is being made."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise NotOurs(f"{folder} is not empty, and was not written by this command")
    count = 0
    for name, text in _pages(approved, progress):
        to = folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8", newline="\n")
        count += name.endswith(".html")
    return count


def _pages(approved: Approved, progress: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    yield MARK, "Written by `croupier rules site`; index.html is the first page.\n"
    yield from _files()
    yield "index.html", shelf_page(InFolder(0))
    computed = Computed(progress)
    for book in map(load, BOOKS):
        progress(book.short)
        yield from _book(book, approved, computed)
        yield from _cases(book, progress)
    for old, new in all_pairs():
        progress(f"{old.short} and {new.short}")
        page = diff_page(InFolder(1), old, new, computed.outcomes(old.id, new.id))
        yield f"diff/{old.id}..{new.id}.html", page


def _book(book: Rulebook, approved: Approved, computed: Computed) -> Iterator[tuple[str, str]]:
    at = InFolder(1)
    yield f"{book.id}/index.html", book_page(at, book, {})
    yield f"{book.id}/search.js", search_index(book.id)
    covered = computed.coverage().rulebooks[book.id]
    yield f"{book.id}/coverage.html", coverage_page(at, book, covered)
    yield f"{book.id}/matrix.html", matrix_page(at, book, computed.matrix(book.id))
    for id in book.paragraphs:
        yield (
            f"{book.id}/{id}.html",
            paragraph_page(
                at,
                book,
                id,
                approved=approved.text(book.id, id),
                approved_says=approved.about(book.id),
                policies_at={},
            ),
        )


def _cases(book: Rulebook, progress: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Each case of a book, to be played; the pages share one script."""
    at = InFolder(3)
    for source in cases_of(book.id):
        progress(source)
        replay = replayed(source, book.id)
        name = at.case(source, book.id).removeprefix("../" * 3)
        yield unquote(name), page_beside(at, replay)


def _files() -> Iterator[tuple[str, str]]:
    root = files("croupier") / "web"
    yield f"static/{REPLAYER}", replayer_script()
    styles = (f"style/{name}.css" for name in REPLAY_STYLES)
    for name in dict.fromkeys((*STYLES, *styles, SCRIPT, "icon.svg")):
        found = root.joinpath(*name.split("/")).read_text(encoding="utf-8")
        yield f"static/{name.rpartition('/')[2]}", found
