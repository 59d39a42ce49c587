"""The modules of a page in one file: each once, in the order in which they need each other; and
those that it asks for later in a second one."""

import re
from importlib.resources import files

import pytest

from croupier.live.bundle import NotBundled, bundle
from croupier.live.pages import Pages

MODULES = {
    "main.js": 'import { one as first } from "./one.js";\nimport * as all from "./deep/two.js";\n'
    '// A word.\nconst later = () => import("./later.js");\n'
    "export const made = [first, all, later];\n",
    "one.js": 'import { two } from "./deep/two.js";\n/** A word. */\nexport function one() {}\n',
    "deep/two.js": "export class Two {}\nexport const two = 2;\n",
    "later.js": 'import { two } from "./deep/two.js";\nexport async function late() {}\n',
}


AT = "/static/bundle/main.js"


def test_each_module_is_a_function_after_those_that_it_needs():
    made = bundle("main.js", MODULES.__getitem__, at=AT).first
    places = [made.index(f'modules["{path}"] = ') for path in ("deep/two.js", "one.js", "main.js")]
    assert places == sorted(places)
    assert made.count('modules["deep/two.js"] = ') == 1
    assert 'const { one: first } = modules["one.js"];' in made
    assert 'const all = modules["deep/two.js"];' in made
    assert "return { Two, two };" in made
    assert "A word" not in made
    assert made.count("export ") == 1
    assert made.endswith("export { modules };\n")


def test_what_is_asked_for_later_is_in_the_second_file_with_what_only_that_needs():
    made = bundle("main.js", MODULES.__getitem__, at=AT)
    assert 'later().then(() => modules["later.js"])' in made.first
    assert 'import("/static/bundle/main-later.js")' in made.first
    assert made.later.startswith(f'import {{ modules }} from "{AT}";\n')
    assert made.later.count("modules[") == made.later.count('modules["later.js"] = ') + 1
    assert 'const { two } = modules["deep/two.js"];' in made.later


def test_what_is_needed_at_once_is_in_the_first_file_although_it_is_asked_for_later():
    made = bundle("main.js", MODULES.__getitem__, at=AT, at_once=["later.js"])
    assert 'Promise.resolve(modules["later.js"])' in made.first
    assert made.later == ""
    assert "export " not in made.first


def test_what_a_page_will_do_without_is_asked_for_where_it_is_needed_after_all():
    made = bundle("main.js", MODULES.__getitem__, at=AT, without=["later.js"])
    assert 'import("/static/app/later.js")' in made.first
    assert made.later == ""


def test_lines_begin_at_once():
    text = "export function one() {\n  if (two)\n\treturn `a  b`;\n}\n"
    made = bundle("one.js", {"one.js": text}.__getitem__, at=AT).first
    assert "function one() {\nif (two)\nreturn `a  b`;\n}\n" in made


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("export let changing = 1;\n", "export let"),
        ("export default 5;\n", "export default"),
        ('import "./one.js";\n', "import"),
        ('import { made } from "./main.js";\n', "needs itself"),
        ("export const two = `one\n  two`;\n", "more than one line"),
    ],
)
def test_what_is_not_known_is_an_error_and_no_broken_page(text: str, says: str):
    with pytest.raises(NotBundled, match=says):
        bundle("main.js", (MODULES | {"one.js": text}).__getitem__, at=AT)


APP = files("croupier") / "web"
PAGES = sorted(
    each.name
    for each in APP.iterdir()
    if each.name.endswith(".html") and "<script" in each.read_text("utf-8")
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_for_one_file_of_modules_and_one_of_styles(page: str):
    """Turned away in the middle of its modules (429), a page that is reloaded quickly is blank."""
    text = Pages()._joined(page, "poker" if page == "table.html" else "")
    assert "/static/app/" not in text
    assert "/static/style/" not in text
    assert text.count("/static/bundle/") == 2


@pytest.mark.parametrize("page", PAGES)
def test_a_bundle_is_there_also_where_its_page_was_asked_of_another_server(page: str):
    game = "poker" if page == "table.html" else ""
    text = Pages()._joined(page, game)
    named = re.findall(r'"/static/(bundle/[^"]+)"', text)
    assert [each.rpartition(".")[2] for each in named] == ["css", "js"]
    other = Pages()
    for each in named:
        found = other._file(each)
        assert found is not None
        assert found.body
