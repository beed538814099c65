"""The folders of templates, static files and samples.

In a checkout they stand at the top of the repository; the build puts them inside the package (see setup.py).
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE_FOLDER = Path(__file__).resolve().parent


def _find_folder(name: str) -> Path:
    installed = _PACKAGE_FOLDER / name
    return installed if installed.is_dir() else _PACKAGE_FOLDER.parent / name


TEMPLATE_FOLDER, STATIC_FOLDER, SAMPLE_FOLDER = map(_find_folder, ("templates", "static", "samples"))
