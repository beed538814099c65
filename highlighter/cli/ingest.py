"""python -m highlighter ingest PATH...: takes files and folders in, as python -m ingest does."""

from __future__ import annotations

from collections.abc import Sequence

SUMMARY = "take files and folders in"
EXAMPLES = """examples:
  python -m highlighter ingest contract.pdf papers/"""


def run_ingest(arguments: Sequence[str]) -> int:
    """Run `python -m ingest` with the arguments and return its exit status; `python -m ingest` parses them itself."""
    from ingest.__main__ import main

    return main(list(arguments))
