"""Markup that cannot be broken by what it holds: whatever is not markup already is escaped."""

from __future__ import annotations

from html import escape

_VOID = frozenset(("br", "input", "link", "meta", "hr"))


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as text of a page."""
    return value if isinstance(value, Html) else Html(escape(str(value), quote=True))


def join(*parts: object) -> Html:
    """Parts one after another; nothing and None are left out."""
    return Html("".join(text(part) for part in parts if part is not None and part != ""))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """An element. `class_` is written `class`, `data_id` is written `data-id`; an attribute that is
    None or False is left out, True stands without a value."""
    written = "".join(
        f" {_name(key)}" if value is True else f' {_name(key)}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(*children)}</{name}>")


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def link(to: str, *children: object, class_: str | None = None) -> Html:
    """A link."""
    return tag("a", *children, href=to, class_=class_)
