"""The quotation that stands right before a mark: `"quote" [label]`, `「引文」【文件】`, `(quote) [[label]]`."""

from __future__ import annotations

_PAIRS = {"”": "“", "」": "「", "』": "『", "»": "«", ")": "(", "）": "（"}
_ROUND = ")）"
_STOPS = ".,;:。，；"


def quote_before(before: str, double: bool) -> str:
    """Empty when there is none. Round brackets hold one only before a double bracket: else they are an aside."""
    said = before.rstrip()
    if not said or len(before) - len(said) > 2:
        return ""
    if said[-1] in _STOPS:
        said = said[:-1]
    closing = said[-1:]
    if closing == '"':
        inner = _straight(said)
    elif closing in _PAIRS and (double or closing not in _ROUND):
        inner = _paired(said, closing)
    else:
        return ""
    return inner.strip().strip('"“”「」『』«»').strip()


def _straight(said: str) -> str:
    paragraph = said[said.rfind("\n\n") + 1 :]
    if paragraph.count('"') % 2:
        return ""
    return paragraph[paragraph.rfind('"', 0, -1) + 1 : -1]


def _paired(said: str, closing: str) -> str:
    depth = 0
    for at in range(len(said) - 1, -1, -1):
        depth += (said[at] == closing) - (said[at] == _PAIRS[closing])
        if depth == 0:
            return said[at + 1 : -1]
    return ""
