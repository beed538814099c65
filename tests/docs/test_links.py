"""Links, settings and states in the documentation, compared with the files and the code."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from highlighter import models
from highlighter.errors import HighlighterError
from highlighter.settings import Settings
from tests.browser.serving import ROOT
from tests.docs.markdown import PAGES

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
OTHER_PAGES = [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]


def heading_anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *OTHER_PAGES], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_to_a_file_and_heading(page: Path):
    missing = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in heading_anchors(target)):
            missing.append(link)
    assert missing == []


def test_readme_is_at_most_200_lines():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200


def test_every_page_of_the_documentation_is_linked_from_its_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page != "README.md" and f"({page})" not in index] == []


def test_every_setting_is_documented():
    text = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    variables = [setting.metadata["variable"] for setting in Settings.__dataclass_fields__.values()]
    shared = re.compile(r"(ANTHROPIC|GROQ|GEMINI|OPENROUTER|OLLAMA|VLLM)_(API_KEY|BASE_URL)")  # listed by their prefix
    assert [name for name in variables if f"`{name}`" not in text and not shared.fullmatch(name)] == []


def test_every_type_of_problem_is_documented():
    reference = (ROOT / "docs" / "reference" / "states-and-errors.md").read_text(encoding="utf-8")
    importlib.import_module("highlighter.app")  # with it come all errors of the service
    errors = [HighlighterError]
    for error in errors:
        errors += error.__subclasses__()
    assert len(errors) > 30
    assert {error.problem_type for error in errors if f"`{error.problem_type}`" not in reference} == set()


def test_every_state_is_documented():
    text = (ROOT / "docs" / "reference" / "states-and-errors.md").read_text(encoding="utf-8")
    states = [models.QUEUED, models.READING, models.READY, models.PARTIAL, models.NO_TEXT, models.ENCRYPTED, models.DAMAGED,
              models.TOO_LARGE, models.TIMED_OUT, models.UNSUPPORTED_KIND, models.EMPTY, models.FAILED, models.QUARANTINED]  # fmt: skip
    assert [state for state in states if f"`{state}`" not in text] == []


@pytest.mark.parametrize("page", [*PAGES, *OTHER_PAGES], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_named_file_of_the_project_exists(page: Path):
    named = re.findall(
        r"`((?:highlighter|ingest|templates|static|tests|examples|bench)/[\w./]+)`", page.read_text(encoding="utf-8")
    )
    assert [name for name in named if not (ROOT / name).exists()] == []
