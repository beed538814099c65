"""What a highlight is known by when its document is no longer at hand as it was: its words, their place, its bytes.

As a W3C Web Annotation that any tool reads, and as what finds the same words again in another version of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highlighter.quotes.matcher import CONTEXT_CHARACTERS, EXACT, NORMALISED, find_closest_match
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.significance import measure_strength
from highlighter.quotes.word_diff import SAME as UNTOUCHED
from highlighter.quotes.word_diff import DiffSegment, diff_words

SAME, MOVED, CHANGED, GONE = "same", "moved", "changed", "gone"

JSON_LD_CONTEXTS = ["http://www.w3.org/ns/anno.jsonld", {"sha256": "https://schema.org/sha256"}]
PDF_FRAGMENT_SPECIFICATION = "http://tools.ietf.org/rfc/rfc3778"
ANNOTATION_MEDIA_TYPE = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"'

# Between the same context, a sentence that was written anew may be so many times as long as the old one.
MAX_GROWTH_FACTOR = 4
# ... and holds at least this share of its content words; else that one is gone, and another has come.
MIN_KEPT_STRENGTH_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Anchor:
    """A span of a text, with what stands around it: enough to find it again without us."""

    start: int
    end: int
    exact: str
    prefix: str
    suffix: str

    @classmethod
    def from_span(cls, text: str, start: int, end: int) -> Anchor:
        return cls(
            start,
            end,
            text[start:end],
            text[max(start - CONTEXT_CHARACTERS, 0) : start],
            text[end : end + CONTEXT_CHARACTERS],
        )


@dataclass(frozen=True, slots=True)
class Relocation:
    """What became of a citation in another text: where it is now (nowhere when gone), and what differs."""

    outcome: str  # "same", "changed", "gone"; whoever knows the pages makes "moved" of "same"
    start: int = 0
    end: int = 0
    differs: tuple[DiffSegment, ...] = ()


def build_annotation(anchor: Anchor, link: str, source: str, media_type: str, sha256: str, page: int) -> dict[str, Any]:
    """As JSON-LD. Offsets are code points of the canonical text; its `id` is a link that opens the place."""
    return {
        "@context": JSON_LD_CONTEXTS,
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
                {"type": "FragmentSelector", "conformsTo": PDF_FRAGMENT_SPECIFICATION, "value": f"page={page}"},
            ],
        },
    }  # fmt: skip


def relocate_anchor(anchor: Anchor, text: ComparableText) -> Relocation:
    """The cited words in another version: as they were, changed, or gone."""
    found = find_closest_match(text, anchor.exact, anchor.prefix, anchor.suffix, (anchor.start, anchor.end))
    if found and found.tier in (EXACT, NORMALISED):
        return Relocation(SAME, found.start, found.end)
    if place := _find_with_context(anchor, text):
        return Relocation(SAME, *place)
    if place := _find_between_context(anchor, text):
        start, end = place
    elif found:
        start, end = found.start, found.end
    else:
        return Relocation(GONE)
    return Relocation(CHANGED, start, end, diff_words(anchor.exact, text.text[start:end]))


def _find_with_context(anchor: Anchor, text: ComparableText) -> tuple[int, int] | None:
    """A word or two that no text can be searched for: together with what stands around them they can."""
    before, inside, after = (normalise_text(part).text for part in (anchor.prefix, anchor.exact, anchor.suffix))
    if not inside or not before + after:
        return None
    at = text.normal_form.text.find(before + inside + after)
    return text.normal_form.original_span(at + len(before), at + len(before) + len(inside)) if at >= 0 else None


def _find_between_context(anchor: Anchor, text: ComparableText) -> tuple[int, int] | None:
    """What stands now between the words it stood between, if those are still near each other and it has some of it."""
    before, after = normalise_text(anchor.prefix).text, normalise_text(anchor.suffix).text
    if not before or not after or len(before + after) < CONTEXT_CHARACTERS:
        return None
    whole = text.normal_form.text
    start = whole.find(before) + len(before)
    end = whole.find(after, start)
    if start < len(before) or not start < end <= start + MAX_GROWTH_FACTOR * len(anchor.exact):
        return None
    start, end = text.normal_form.original_span(start, end)
    kept = " ".join(piece.ours for piece in diff_words(anchor.exact, text.text[start:end]) if piece.kind == UNTOUCHED)
    return (start, end) if measure_strength(kept) >= MIN_KEPT_STRENGTH_SHARE * measure_strength(anchor.exact) else None
