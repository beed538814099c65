"""Tests that the scripts, types and documentation of the embedded viewer agree."""

from __future__ import annotations

import re

from tests.browser.serving import ROOT

SCRIPT = (ROOT / "static" / "embed.js").read_text(encoding="utf-8")
ATTACHING = (ROOT / "static" / "embed_attach.js").read_text(encoding="utf-8")
VIEWER = (ROOT / "static" / "embedded.js").read_text(encoding="utf-8")
TYPES = (ROOT / "static" / "embed.d.ts").read_text(encoding="utf-8")
DOCUMENTATION = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
EVENTS = {"ready", "resize", "evidence.selected", "evidence.missing", "navigate", "link.expired", "error", "close"}
COMMANDS = {"goto", "question", "theme", "view", "refresh-link"}


def interface_keys(text: str, name: str) -> set[str]:
    """Return the keys of an interface in the types."""
    body = re.search(rf"interface {name} \{{(.*?)\n\}}", text, re.S).group(1)
    return set(re.findall(r'^  "?([\w.-]+)"?\??:', body, re.M))


def test_scripts_are_small_and_import_nothing_else():
    """A page with one viewer loads the first, and the second only where citations are attached."""
    assert max(len(script.encode()) for script in (SCRIPT, ATTACHING)) <= 10_240
    imports = re.compile(r"^\s*import\b.*|\bimport\(.*?\)|require\(.*", re.M)
    assert imports.findall(SCRIPT) == ['import("./embed_attach.js")']
    assert imports.findall(ATTACHING) == []
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", SCRIPT + ATTACHING + VIEWER)


def test_events_of_viewer_are_in_types_and_documentation():
    events = set(re.findall(r'post\("([\w.-]+)"', VIEWER)) | set(
        re.findall(r'\? "([a-z.]+)" : "([a-z]+)", problem', VIEWER)[0]
    )
    assert events == EVENTS == interface_keys(TYPES, "Said")
    assert [name for name in EVENTS if f"| `{name}` |" not in DOCUMENTATION] == []


def test_commands_of_viewer_are_in_types_and_documentation():
    body = VIEWER[VIEWER.index("const handlers = {") :]
    commands = set(re.findall(r'^  "?([\w-]+)"?\(\{', body, re.M))
    assert commands == COMMANDS == interface_keys(TYPES, "Asked")
    assert [name for name in COMMANDS if f"| `{name}` |" not in DOCUMENTATION] == []


def test_documentation_names_every_field_of_a_link():
    from highlighter.schemas.signed_links import LinkRequest, LinkResponse

    missing = [name for name in (*LinkRequest.model_fields, *LinkResponse.model_fields) if name not in DOCUMENTATION]
    assert missing == []
