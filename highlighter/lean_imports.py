"""Keep nltk from importing scipy and scikit-learn in the processes that are Highlighter's own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType

UNNEEDED_PACKAGES = ("scipy", "sklearn")


def skip_unneeded_imports() -> None:
    """Make nltk find neither scipy nor scikit-learn from now on.

    nltk imports both where they are installed and goes on without them where they are not. Our stemmer and our sentence
    splitter use neither, and they cost more than a second in each process. Every other package can still import them:
    sentence-transformers needs both. A program that uses Highlighter as a library is left alone, for its own sake.
    """
    if not any(isinstance(finder, _UnneededImportRefuser) for finder in sys.meta_path):
        sys.meta_path.insert(0, _UnneededImportRefuser())


class _UnneededImportRefuser(MetaPathFinder):
    """A finder that refuses scipy and scikit-learn to modules of nltk, and leaves all else to the next finder."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in UNNEEDED_PACKAGES and _importing_package(sys._getframe(1)) == "nltk":
            raise ModuleNotFoundError(f"nltk does not need {name} here", name=name)
        return None


def _importing_package(frame: FrameType | None) -> str:
    """Return the package whose module runs the import statement, given a frame of the import system."""
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] if frame is not None else ""
