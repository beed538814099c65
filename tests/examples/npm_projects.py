"""Projects of npm in temporary folders: the package as it is published, and what installs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.browser.serving import ROOT

PACKAGE = ROOT / "packages" / "embed"
TEMPLATES = Path(__file__).parent / "npm"
MISSING = (
    "The tests of the npm package need Node.js 20 or later with npm: apt-get install nodejs npm, or https://nodejs.org."
)
QUIET = ("--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts")


def find_program(name: str) -> str:
    """Return the path of node or npm; without it, raise an error that says what to install."""
    path = shutil.which(name)
    if path is None:
        raise FileNotFoundError(MISSING)
    return path


def run_npm(folder: Path, *arguments: str) -> str:
    """Run npm in a folder and return what it prints; show all of it when it fails."""
    ended = subprocess.run([find_program("npm"), *arguments], cwd=folder, capture_output=True, text=True)
    assert ended.returncode == 0, f"npm {' '.join(arguments)}:\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def pack(folder: Path) -> Path:
    """Write the published form of the package to a folder, and return its path."""
    run_npm(PACKAGE, "pack", "--pack-destination", str(folder))
    (path,) = folder.glob("*.tgz")
    return path


def install_project(template: str, folder: Path, package: Path) -> Path:
    """Copy a template, install what its lock file names and the package, and return the project's folder."""
    project = folder / template
    shutil.copytree(TEMPLATES / template, project)
    run_npm(project, "ci", *QUIET)
    run_npm(project, "install", "--no-save", "--no-package-lock", *QUIET, str(package))
    return project
