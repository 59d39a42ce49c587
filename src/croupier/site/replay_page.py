"""The replayer as a page that needs no server: one file, or many that share their script.

A browser loads no modules from a folder. So the modules of the page are put into one plain script,
which gives each of them to the browser by its name (an import map), and begins.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from croupier.pit.replay import Replay
from croupier.site.addresses import Addresses
from croupier.site.markup import Html, join, tag

FIRST = "replay/main.js"
STYLES = ("base", "felt", "poker", "banked", "replay")
SCRIPT = "replayer.js"
_IMPORT = re.compile(r'(\bfrom |\bimport\()"(\.{1,2}/[^"]+)"')

_COMMENT = re.compile(r"/\*\*.*?\*/|^\s*//.*?$\n", re.DOTALL | re.MULTILINE)


def page_of(replays: Sequence[Replay], **more: Any) -> str:
    """One file with everything in it: the round as each of these viewers saw it, the first one
    first. `more` is `equities` by step, `files` by format, `proofs` of the shuffles."""
    style = tag("style", Html("\n".join(_style(name) for name in STYLES)))
    script = tag("script", Html(replayer_script().replace("</", "<\\/")))
    return _page(replays[0].title, join(style), script, record(replays, **more))


def page_beside(at: Addresses, replay: Replay) -> str:
    """A page in a folder of pages, with links to the paragraphs there."""
    styles = (tag("link", rel="stylesheet", href=at.file(f"style/{name}.css")) for name in STYLES)
    script = tag("script", src=at.file(SCRIPT), defer=True)
    rules = at.paragraph("BOOK", "PARAGRAPH")
    return _page(replay.title, join(*styles), script, record([replay]), rules)


def record(
    replays: Sequence[Replay],
    *,
    equities: Mapping[int, Any] | None = None,
    files: Mapping[str, str] | None = None,
    proofs: Sequence[Any] = (),
) -> str:
    """What the page reads instead of asking a server."""
    inside = {
        "answers": {one.seen_as: {"replay": one, "seen_as": [], "formats": []} for one in replays},
        "equities": {str(step): found for step, found in (equities or {}).items()},
        "files": files or {},
        "proofs": proofs,
    }
    return msgspec.json.encode(inside).decode().replace("</", "<\\/")


def _page(title: str, styles: Html, script: Html, inside: str, rules: str | None = None) -> str:
    head = join(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="dark"),
        tag("title", f"{title} · croupier"),
        styles,
    )
    body = tag(
        "body",
        tag("a", "To the controls", class_="skip", href="#controls"),
        tag("div", id="page"),
        tag("script", Html(inside), type="application/json", id="record"),
        script,
        class_="replay-page",
        data_rules=rules,
    )
    return f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n{body}\n</html>\n'


@cache
def _style(name: str) -> str:
    return (files("croupier") / "web" / "style" / f"{name}.css").read_text("utf-8")


def _module(path: str) -> str:
    """A module without its comments, which name types of other modules."""
    found = (files("croupier") / "web" / "app").joinpath(*path.split("/")).read_text("utf-8")
    return _COMMENT.sub("", found)


@cache
def replayer_script() -> str:
    """All modules of the replayer in one plain script."""
    modules: dict[str, str] = {}
    waiting = [FIRST]
    while waiting:
        path = waiting.pop()
        if path in modules:
            continue
        folder = posixpath.dirname(path)

        def named(found: re.Match[str], folder: str = folder) -> str:
            to = posixpath.normpath(posixpath.join(folder, found[2]))
            waiting.append(to)
            return f'{found[1]}"croupier/{to}"'

        modules[path] = _IMPORT.sub(named, _module(path))
    listed = json.dumps({f"croupier/{path}": text for path, text in sorted(modules.items())})
    return _LOADER.replace("MODULES", listed).replace("FIRST", json.dumps(f"croupier/{FIRST}"))


_LOADER = """(() => {
  const modules = MODULES;
  const imports = {};
  for (const [name, text] of Object.entries(modules))
    imports[name] = `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`;
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  import(FIRST);
})();
"""
