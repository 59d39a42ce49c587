"""Where each page of the rulebooks is found: under the server's `/rules`, or in a folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from urllib.parse import quote


def paragraph_path(book: str, paragraph: str) -> str:
    """Where a citation leads on a server."""
    return f"/rules/{quote(book)}/{quote(paragraph)}"


def case_path(source: str, book: str) -> str:
    """Where a shipped case is played on a server."""
    return f"/round/case/{quote(book)}/{quote(source)}"


class Addresses(ABC):
    """The addresses of the pages, as a link on one of them writes them."""

    @abstractmethod
    def shelf(self) -> str:
        """The page of all books."""

    @abstractmethod
    def book(self, book: str) -> str:
        """One book."""

    @abstractmethod
    def paragraph(self, book: str, paragraph: str) -> str:
        """One paragraph."""

    @abstractmethod
    def part(self, book: str, part: str) -> str:
        """What is told of a whole book: `coverage`, `matrix`."""

    @abstractmethod
    def diff(self, old: str, new: str) -> str:
        """Two versions side by side."""

    @abstractmethod
    def case(self, source: str, book: str) -> str:
        """A case, to be played."""

    @abstractmethod
    def index(self, book: str) -> str:
        """What the search looks through."""

    @abstractmethod
    def file(self, name: str) -> str:
        """A style or a script."""

    @abstractmethod
    def home(self) -> str:
        """Where the name of the house leads."""


class Served(Addresses):
    """On a server."""

    def shelf(self) -> str:
        return "/rules"

    def book(self, book: str) -> str:
        return f"/rules/{quote(book)}"

    def paragraph(self, book: str, paragraph: str) -> str:
        return paragraph_path(book, paragraph)

    def part(self, book: str, part: str) -> str:
        return f"/rules/{quote(book)}/{part}"

    def diff(self, old: str, new: str) -> str:
        return f"/rules/diff/{quote(old)}/{quote(new)}"

    def case(self, source: str, book: str) -> str:
        return case_path(source, book)

    def index(self, book: str) -> str:
        return f"/rules/{quote(book)}/search.js"

    def file(self, name: str) -> str:
        return f"/static/{name}"

    def home(self) -> str:
        return "/"


class InFolder(Addresses):
    """In a folder, from a page that lies so many folders deep: it is read without a server."""

    def __init__(self, depth: int) -> None:
        self._up = "../" * depth

    def shelf(self) -> str:
        return f"{self._up}index.html"

    def book(self, book: str) -> str:
        return f"{self._up}{quote(book)}/index.html"

    def paragraph(self, book: str, paragraph: str) -> str:
        return f"{self._up}{quote(book)}/{quote(paragraph)}.html"

    def part(self, book: str, part: str) -> str:
        return f"{self._up}{quote(book)}/{part}.html"

    def diff(self, old: str, new: str) -> str:
        return f"{self._up}diff/{quote(old)}..{quote(new)}.html"

    def case(self, source: str, book: str) -> str:
        return f"{self._up}play/{quote(book)}/{quote(source.removesuffix('.toml'))}.html"

    def index(self, book: str) -> str:
        return f"{self._up}{quote(book)}/search.js"

    def file(self, name: str) -> str:
        return f"{self._up}static/{name.rpartition('/')[2]}"

    def home(self) -> str:
        return self.shelf()
