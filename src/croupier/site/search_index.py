"""What the search on the pages looks through: the words of each paragraph, as `search` counts them.

The page only stems what is typed and adds up; which words stand where, and what each place counts,
comes from `croupier.rulebooks.search`, so that page and command line find the same.
"""

from __future__ import annotations

import json
from functools import cache

from croupier.rulebooks import load
from croupier.rulebooks.called import paragraph_name
from croupier.rulebooks.search import WEIGHTS, places_of


@cache
def search_index(book: str) -> str:
    """A script that leaves the index of a book for the page: pages in a folder can load no data."""
    opened = load(book)
    paragraphs = [
        [
            *(p.id, paragraph_name(p.id), p.title, opened.sections[p.section]),
            *(" ".join(words) for words in places_of(opened, p).values()),
        ]
        for p in opened.paragraphs.values()
    ]
    index = {"weights": WEIGHTS, "paragraphs": paragraphs}
    written = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.rulebookIndex = {written};\n"
