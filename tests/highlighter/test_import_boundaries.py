"""Tests of which modules may import which."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVICES = "highlighter.services"


def imports_at_module_level(path: Path) -> Iterator[str]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield statement.module or ""


def test_ingestion_does_not_import_services_container():
    modules = sorted((ROOT / "ingest").rglob("*.py"))
    assert modules
    assert [path.name for path in modules if SERVICES in imports_at_module_level(path)] == []


def test_services_container_imports_ingestion_only_on_first_use():
    imported = list(imports_at_module_level(ROOT / "highlighter" / "services.py"))
    assert [name for name in imported if name.partition(".")[0] == "ingest"] == []
