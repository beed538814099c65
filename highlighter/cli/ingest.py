"""python -m highlighter ingest PATH...: takes files and folders in, as python -m ingest does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

ABOUT = "take files and folders in"
EXAMPLES = """examples:
  python -m highlighter ingest contract.pdf papers/"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: `python -m ingest` reads its own, see `run_ingest`."""


def run_ingest(words: Sequence[str]) -> int:
    """Run `python -m ingest` with these arguments and return its exit status."""
    from ingest.__main__ import main

    return main(list(words))
