"""OpenAPI 3.1 from the list of paths and the records that they take and answer."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from croupier import __version__
from croupier.live.api_records import Problem
from croupier.live.paths import Path
from croupier.live.routes import PATHS

_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")
_REF = "#/components/schemas/{name}"


@functools.cache
def description() -> dict[str, Any]:
    """The description of the whole API, as `GET /api/openapi.json` answers it; made once."""
    return describe(PATHS)


def describe(listed: Sequence[Path]) -> dict[str, Any]:
    """The description of these paths."""
    kinds: list[Any] = [Problem]
    for path in listed:
        kinds += [k for k in (path.takes, path.answers, *path.others.values()) if k is not None]
    unique = list(dict.fromkeys(kinds))
    schemas, components = msgspec.json.schema_components(unique, ref_template=_REF)
    schema = dict(zip(unique, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for path in listed:
        written = _PARAMETER.sub(r"{\1}", path.path)
        paths.setdefault(written, {})[path.method.lower()] = _operation(path, schema)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "croupier",
            "version": __version__,
            "description": "The HTTP API of a live casino; the socket is in docs/protocol.md.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "visit": {"type": "apiKey", "in": "cookie", "name": "croupier"},
                "token": {"type": "apiKey", "in": "header", "name": "X-Croupier-Token"},
            },
        },
    }


def _operation(path: Path, schema: dict[Any, Any]) -> dict[str, Any]:
    said = inspect.getdoc(path.does) or ""
    answers: dict[str, Any] = {"200": _answer("as asked", schema[path.answers], path.media)}
    for status, kind in path.others.items():
        answers[str(status)] = _answer("see the record", schema[kind])
    problem = _answer("not so", schema[Problem])
    if path.others and path.method == "POST":
        # A command that does not reach its table is answered as everything else is.
        for code in {"403", "422", "503"} & answers.keys():
            told = answers[code]["content"]["application/json"]["schema"]
            answers[code] = _answer("not so", {"anyOf": [schema[Problem], told]})
    answers["4XX"] = problem
    found: dict[str, Any] = {
        "operationId": path.does.__name__ if path.does.__name__ != "leave" else "exit",
        "summary": said.splitlines()[0] if said else "",
        "responses": answers,
    }
    parameters = [_parameter(name, kind) for name, kind in _PARAMETER.findall(path.path)]
    parameters += [
        {"name": name, "in": "query", "required": False, "schema": {"type": "string"}}
        for name in path.query
    ]
    if parameters:
        found["parameters"] = parameters
    if path.takes is not None:
        content = {"application/json": {"schema": schema[path.takes]}}
        found["requestBody"] = {"required": True, "content": content}
    if path.method != "GET":
        found["security"] = [{"visit": [], "token": []}]
    return found


def _parameter(name: str, kind: str) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 0, "maximum": 2**53}
    schema = number if kind == "int" else {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _answer(says: str, schema: Any, media: str = "application/json") -> dict[str, Any]:
    return {"description": says, "content": {media: {"schema": schema}}}
