"""python packages/extension/build.py [FOLDER]: write the extension for Chromium browsers to dist/extension, and a zip beside it.

The viewer's scripts of static/ come into the package: browsers forbid extensions to load scripts from elsewhere.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parents[1]
VIEWER_FILES = ("embed.js", "embed_attach.js", "embed.css")


def build_extension(folder: Path) -> Path:
    """Write the unpacked extension to a folder, whose content is replaced, and return the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "README.md"))
    for name in VIEWER_FILES:
        shutil.copyfile(ROOT / "static" / name, folder / name)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    return folder


def main() -> None:
    folder = build_extension(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "extension")
    print(f"Unpacked: {folder}\nPacked:   {shutil.make_archive(str(folder), 'zip', folder)}")


if __name__ == "__main__":
    main()
