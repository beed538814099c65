"""The layers of the packages, read from their import statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT_ROOT = Path(__file__).resolve().parents[3]
FRONT_ENDS = ("pages", "api", "embed", "model_api")


def list_source_files(folder: str) -> list[Path]:
    return sorted((PROJECT_ROOT / folder).rglob("*.py"))


def list_imports(path: Path) -> Iterator[str]:
    """Yield the full names of the modules that a file imports, at its top or within a function."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def find_importers(folder: str, package: str) -> set[str]:
    """Return the files of a folder that import a package, or anything in it."""
    return {
        path.relative_to(PROJECT_ROOT).as_posix()
        for path in list_source_files(folder)
        if any(name == package or name.startswith(f"{package}.") for name in list_imports(path))
    }


@pytest.mark.parametrize("importer", FRONT_ENDS)
def test_pages_api_and_embed_do_not_import_each_other(importer: str):
    others = [name for name in FRONT_ENDS if name != importer]
    found = {name: find_importers(f"highlighter/web/{importer}", f"highlighter.web.{name}") for name in others}
    assert found == {name: set() for name in others}


def test_only_application_and_server_import_web():
    importers = find_importers("highlighter", "highlighter.web") | find_importers("ingest", "highlighter.web")
    outside = {path for path in importers if not path.startswith("highlighter/web/")}
    assert outside == {"highlighter/app.py", "highlighter/server/startup.py"}


@pytest.mark.parametrize("importer", ["highlighter.app", "highlighter.server"])
def test_web_does_not_import_what_runs_it(importer: str):
    assert find_importers("highlighter/web", importer) == set()


def test_shared_web_modules_do_not_import_front_ends():
    found = set().union(*(find_importers("highlighter/web", f"highlighter.web.{name}") for name in FRONT_ENDS))
    assert {path for path in found if path.split("/")[2] not in FRONT_ENDS} == set()


def test_only_services_and_commands_import_ingest():
    importers = find_importers("highlighter", "ingest")
    outside = {path for path in importers if not path.startswith("highlighter/cli/")}
    assert outside == {"highlighter/services.py", "highlighter/__main__.py"}


def test_services_import_ingest_on_first_use():
    tree = ast.parse((PROJECT_ROOT / "highlighter/services.py").read_bytes())
    assert not [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module.startswith("ingest")]
