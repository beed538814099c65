"""Keep packages from importing others that they can do without, in the processes that are Highlighter's own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import chain
from types import FrameType, ModuleType

# By the package that imports them where they are installed, and goes on without them where they are not. Our stemmer and our
# sentence splitter use neither scipy nor scikit-learn, which cost more than a second in each process; httpx needs the next
# three for its own command only, and tenacity the last for coroutines of tornado: they cost a fifth of a second.
UNNEEDED_PACKAGES = {
    "nltk": ("scipy", "sklearn"),
    "httpx": ("click", "pygments", "rich"),
    "tenacity": ("tornado",),
}
_ALL_UNNEEDED = frozenset(chain.from_iterable(UNNEEDED_PACKAGES.values()))


def skip_unneeded_imports() -> None:
    """Make these packages not find what they do not need from now on.

    Every other package can still import it: sentence-transformers needs scipy and scikit-learn. A program that uses
    Highlighter as a library is left alone, for its own sake.
    """
    if not any(isinstance(finder, _UnneededImportRefuser) for finder in sys.meta_path):
        sys.meta_path.insert(0, _UnneededImportRefuser())


class _UnneededImportRefuser(MetaPathFinder):
    """A finder that refuses unneeded packages to the modules of others, and leaves all else to the next finder."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in _ALL_UNNEEDED:
            importer = _importing_package(sys._getframe(1))
            if name.partition(".")[0] in UNNEEDED_PACKAGES.get(importer, ()):
                raise ModuleNotFoundError(f"{importer} does not need {name} here", name=name)
        return None


def _importing_package(frame: FrameType | None) -> str:
    """Return the package whose module runs the import statement, given a frame of the import system."""
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] if frame is not None else ""
