"""PDFs that browsers and office programs printed, in many scripts, with the words of the pages they were printed from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench.printed_text import read_html, remove_heading

PRINTED = Path(__file__).resolve().parents[2] / "tests" / "ingest" / "readers" / "printed"
_BY_OFFICE_PROGRAM = "-writer"  # at the end of a file's name


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A printed PDF, its kind, and the text of its source."""

    path: Path
    kind: str
    source: str


def list_printed_files() -> list[PrintedFile]:
    """Return the printed files, those of a browser first."""
    paths = sorted(PRINTED.glob("*.pdf"), key=lambda path: (path.stem.endswith(_BY_OFFICE_PROGRAM), path.stem))
    return [_describe(path) for path in paths]


def _describe(path: Path) -> PrintedFile:
    name = path.stem.removesuffix(_BY_OFFICE_PROGRAM)
    markup = path.with_name(f"{name}.html").read_text(encoding="utf-8")
    if name == path.stem:
        return PrintedFile(path, f"{name.replace('_', ' ')} (browser)", read_html(markup))
    return PrintedFile(path, f"{name} (office program)", read_html(remove_heading(markup)))
