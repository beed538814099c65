"""What a highlight is known by when its document is no longer at hand as it was: its words, their place, its bytes.

As a W3C Web Annotation that any tool reads, and as what finds the same words again in another version of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highlighter.citations.diff import SAME as UNTOUCHED
from highlighter.citations.diff import Piece, pieces
from highlighter.citations.normal import Words, normal
from highlighter.citations.quotes import CONTEXT, EXACT, NORMALISED, closest
from highlighter.citations.weight import strength

SAME, MOVED, CHANGED, GONE = "same", "moved", "changed", "gone"

CONTEXTS = ["http://www.w3.org/ns/anno.jsonld", {"sha256": "https://schema.org/sha256"}]
PAGES_OF_A_PDF = "http://tools.ietf.org/rfc/rfc3778"
MEDIA_TYPE = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"'

# Between the same context, a sentence that was written anew may be so many times as long as the old one.
GROWN = 4
# ... and holds at least this share of its content words; else that one is gone, and another has come.
KEPT = 0.2


@dataclass(frozen=True, slots=True)
class Anchor:
    """A span of a text, with what stands around it: enough to find it again without us."""

    start: int
    end: int
    exact: str
    prefix: str
    suffix: str

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Anchor:
        return cls(start, end, text[start:end], text[max(start - CONTEXT, 0) : start], text[end : end + CONTEXT])


@dataclass(frozen=True, slots=True)
class Again:
    """What became of a citation in another text: where it is now (nowhere when gone), and what differs."""

    outcome: str  # "same", "changed", "gone"; whoever knows the pages makes "moved" of "same"
    start: int = 0
    end: int = 0
    differs: tuple[Piece, ...] = ()


def annotation(anchor: Anchor, link: str, source: str, media_type: str, sha256: str, page: int) -> dict[str, Any]:
    """As JSON-LD. Offsets are code points of the canonical text; its `id` is a link that opens the place."""
    return {
        "@context": CONTEXTS,
        "id": link,
        "type": "Annotation",
        "motivation": "highlighting",
        "target": {
            "source": {"id": source, "type": "Text", "format": media_type, "sha256": sha256},
            "selector": [
                {
                    "type": "TextQuoteSelector", "exact": anchor.exact, "prefix": anchor.prefix, "suffix": anchor.suffix
                },
                {"type": "TextPositionSelector", "start": anchor.start, "end": anchor.end},
                {"type": "FragmentSelector", "conformsTo": PAGES_OF_A_PDF, "value": f"page={page}"},
            ],
        },
    }  # fmt: skip


def find_again(anchor: Anchor, text: Words) -> Again:
    """The cited words in another version: as they were, changed, or gone."""
    found = closest(text, anchor.exact, anchor.prefix, anchor.suffix, (anchor.start, anchor.end))
    if found and found.tier in (EXACT, NORMALISED):
        return Again(SAME, found.start, found.end)
    if place := _whole(anchor, text):
        return Again(SAME, *place)
    if place := _between(anchor, text):
        start, end = place
    elif found:
        start, end = found.start, found.end
    else:
        return Again(GONE)
    return Again(CHANGED, start, end, pieces(anchor.exact, text.text[start:end]))


def _whole(anchor: Anchor, text: Words) -> tuple[int, int] | None:
    """A word or two that no text can be searched for: together with what stands around them they can."""
    before, inside, after = (normal(part).text for part in (anchor.prefix, anchor.exact, anchor.suffix))
    if not inside or not before + after:
        return None
    at = text.normal.text.find(before + inside + after)
    return text.normal.span(at + len(before), at + len(before) + len(inside)) if at >= 0 else None


def _between(anchor: Anchor, text: Words) -> tuple[int, int] | None:
    """What stands now between the words it stood between, if those are still near each other and it has some of it."""
    before, after = normal(anchor.prefix).text, normal(anchor.suffix).text
    if not before or not after or len(before + after) < CONTEXT:
        return None
    whole = text.normal.text
    start = whole.find(before) + len(before)
    end = whole.find(after, start)
    if start < len(before) or not start < end <= start + GROWN * len(anchor.exact):
        return None
    start, end = text.normal.span(start, end)
    kept = " ".join(piece.ours for piece in pieces(anchor.exact, text.text[start:end]) if piece.kind == UNTOUCHED)
    return (start, end) if strength(kept) >= KEPT * strength(anchor.exact) else None
