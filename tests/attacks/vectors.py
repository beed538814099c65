"""Texts that a browser would run as a script if a page took them for markup, one for each trick.

Most call `hit(0)`: pages under attack have such a function, which counts (`script_watch.py`). The last ask for an address elsewhere.
"""

from __future__ import annotations

from pathlib import Path

HEADING = "== "
LINES = Path(__file__).with_name("vectors.txt").read_text(encoding="utf-8").split("\n")
WRITTEN = [line for line in LINES if line and not line.startswith(HEADING)]

# Ways to write "<" that some reader on the way may turn into one.
LESS_THAN = [
    "&lt", "&lt;", "&LT", "&LT;", *(f"&#{'0' * zeros}60{end}" for zeros in (0, 2, 5) for end in ("", ";")),
    *(f"&#{x}{'0' * zeros}3{c}{end}" for x in "xX" for zeros in (0, 4) for c in "cC" for end in ("", ";")),
    "\\x3c", "\\x3C", "\\u003c", "\\u003C", "\\74", "\\u{3c}", "%3c", "%3C", "%253c", "%C0%BC", "%E0%80%BC", "+ADw-",
    "&amp;lt;", "&amp;#60;", "\uff1c", "\ufe64", "\u2039", "\u276e", "\u27e8", "\u3008", "\u02c2", "<\u200b", "<\u00ad", "<\ufeff",
    "<\u2028", "\u202e<", "<\u0338",
]  # fmt: skip
ENCODED = [f"{encoded}script>hit(0){encoded}/script>" for encoded in LESS_THAN]

VECTORS = [*WRITTEN, *ENCODED]


def group_vectors(characters: int, vectors: list[str] = VECTORS) -> list[str]:
    """Return the vectors joined, each text at most so long."""
    groups = [""]
    for vector in vectors:
        if groups[-1] and len(groups[-1]) + len(vector) + 1 > characters:
            groups.append("")
        groups[-1] = f"{groups[-1]} {vector}".strip()
    return groups
