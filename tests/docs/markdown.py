"""The code blocks of the documentation."""

from __future__ import annotations

import re
import shlex

from tests.browser.serving import ROOT

README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the language and code of each fenced block, in order."""
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, re.S | re.M)


def commands(block: str) -> list[list[str]]:
    """Return the words of each command of a block, without comments; a command may span lines."""
    lines = block.replace("\\\n", " ")
    if lines.count("'") % 2 == 0:  # a quoted argument may span lines
        lines = re.sub(r"'[^']*'", lambda quoted: quoted[0].replace("\n", " "), lines)
    return [words for line in lines.splitlines() if (words := shlex.split(line, comments=True))]
