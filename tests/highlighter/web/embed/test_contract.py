"""The embed contract is one: what the scripts say, what the types say, and what its page says."""

from __future__ import annotations

import re

from tests.browser.serving import ROOT

SCRIPT = (ROOT / "static" / "embed.js").read_text(encoding="utf-8")
VIEWER = (ROOT / "static" / "embedded.js").read_text(encoding="utf-8")
TYPES = (ROOT / "static" / "embed.d.ts").read_text(encoding="utf-8")
TOLD = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
SAID = {"ready", "resize", "evidence.selected", "evidence.missing", "navigate", "link.expired", "error", "close"}
HEARD = {"goto", "question", "theme", "view", "refresh-link"}


def block(text: str, name: str) -> set[str]:
    """The keys of an interface in the types."""
    body = re.search(rf"interface {name} \{{(.*?)\n\}}", text, re.S).group(1)
    return set(re.findall(r'^  "?([\w.-]+)"?\??:', body, re.M))


def test_the_script_is_one_small_module_that_needs_no_other():
    assert len(SCRIPT.encode()) <= 10_000
    assert not re.search(r"^\s*import\b|\bimport\(|require\(", SCRIPT, re.M)
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", SCRIPT + VIEWER)


def test_what_the_viewer_says_is_in_the_types_and_on_the_page():
    said = set(re.findall(r'post\("([\w.-]+)"', VIEWER)) | set(
        re.findall(r'\? "([a-z.]+)" : "([a-z]+)", problem', VIEWER)[0]
    )
    assert said == SAID == block(TYPES, "Said")
    assert [one for one in SAID if f"| `{one}` |" not in TOLD] == []


def test_what_the_viewer_hears_is_in_the_types_and_on_the_page():
    body = VIEWER[VIEWER.index("const handlers = {") :]
    heard = set(re.findall(r'^  "?([\w-]+)"?\(\{', body, re.M))
    assert heard == HEARD == block(TYPES, "Asked")
    assert [one for one in HEARD if f"| `{one}` |" not in TOLD] == []


def test_the_page_names_every_field_of_a_link():
    from highlighter.schemas.signed_links import LinkAnswer, LinkRequest

    missing = [name for name in (*LinkRequest.model_fields, *LinkAnswer.model_fields) if name not in TOLD]
    assert missing == []
