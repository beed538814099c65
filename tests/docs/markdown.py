"""The snippets of a page of documentation, as they stand there."""

from __future__ import annotations

import re
import shlex

from tests.browser.serving import ROOT

README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> list[tuple[str, str]]:
    """(language, code) of each fenced block, in order."""
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, re.S | re.M)


def commands(block: str) -> list[list[str]]:
    """The words of each command of a block, without comments; a command may go on over a line."""
    lines = block.replace("\\\n", " ")
    if lines.count("'") % 2 == 0:  # a quoted argument goes on over lines, too
        lines = re.sub(r"'[^']*'", lambda quoted: quoted[0].replace("\n", " "), lines)
    return [words for line in lines.splitlines() if (words := shlex.split(line, comments=True))]
