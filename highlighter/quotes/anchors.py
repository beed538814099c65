"""Anchors that identify a highlight after its document has changed: the words, their position and the file's hash.

An anchor can be written as a W3C Web Annotation for other tools, and it finds the same words in another version.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highlighter.quotes.matcher import find_closest_match
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.occurrence_chooser import CONTEXT_CHARACTERS
from highlighter.quotes.significance import measure_strength
from highlighter.quotes.word_diff import SAME as UNTOUCHED
from highlighter.quotes.word_diff import DiffSegment, diff_words, merge_numbers

SAME, MOVED, CHANGED, GONE = "same", "moved", "changed", "gone"

JSON_LD_CONTEXTS = ["http://www.w3.org/ns/anno.jsonld", {"sha256": "https://schema.org/sha256"}]
PDF_FRAGMENT_SPECIFICATION = "http://tools.ietf.org/rfc/rfc3778"
ANNOTATION_MEDIA_TYPE = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"'

ELLIPSIS_BETWEEN_FRAGMENTS = " … "
# Between the same prefix and suffix, a rewritten sentence may be this many times as long as the old one.
MAX_GROWTH_FACTOR = 4
# A rewritten sentence keeps at least this share of the content words; with fewer, the old sentence is gone.
MIN_KEPT_STRENGTH_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Anchor:
    """A span of a text with the characters around it, which suffice to find the span again."""

    start: int
    end: int
    exact: str
    prefix: str
    suffix: str
    spans: tuple[tuple[int, int], ...] = ()  # of the fragments, where the words between them are not cited

    @classmethod
    def from_span(cls, text: str, start: int, end: int, spans: tuple[tuple[int, int], ...] = ()) -> Anchor:
        """Return the anchor of `text[start:end]`, or of fragments of it."""
        return cls(
            start,
            end,
            text[start:end],
            text[max(start - CONTEXT_CHARACTERS, 0) : start],
            text[end : end + CONTEXT_CHARACTERS],
            spans,
        )

    @property
    def quote(self) -> str:
        """Return the cited words, by which the anchor is found again: fragments with ellipses between them."""
        fragments = (self.exact[start - self.start : end - self.start] for start, end in self.spans)
        return ELLIPSIS_BETWEEN_FRAGMENTS.join(fragments) if self.spans else self.exact


@dataclass(frozen=True, slots=True)
class Relocation:
    """The outcome of looking for an anchor in another text: its span there (0, 0 when gone) and the differences."""

    outcome: str  # "same", "changed", "gone"; callers that know the pages turn "same" into "moved"
    start: int = 0
    end: int = 0
    differs: tuple[DiffSegment, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()  # of the fragments, where the anchor has some


def build_annotation(
    anchor: Anchor, *, link: str, source: str, media_type: str, sha256: str, page: int
) -> dict[str, Any]:
    """Return the anchor as a JSON-LD annotation.

    Offsets are code points of the canonical text; `link` becomes the annotation's `id` and opens the quote.
    """
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
    """Return where the anchored words are in another version of the text: unchanged, changed or gone."""
    match = find_closest_match(text, anchor.quote, anchor.prefix, anchor.suffix, (anchor.start, anchor.end))
    if match and match.is_verbatim:
        return Relocation(SAME, match.start, match.end, spans=match.spans)
    if span := _find_with_context(anchor, text):
        return Relocation(SAME, *span)
    if span := _find_between_context(anchor, text):
        start, end = span
    elif match:
        start, end = match.start, match.end
    else:
        return Relocation(GONE)
    return Relocation(CHANGED, start, end, merge_numbers(diff_words(anchor.exact, text.text[start:end])))


def _find_with_context(anchor: Anchor, text: ComparableText) -> tuple[int, int] | None:
    """Return the span of words that are too short to be searched for alone, found together with their context."""
    before, inside, after = (normalise_text(words).text for words in (anchor.prefix, anchor.exact, anchor.suffix))
    if not inside or not before + after:
        return None
    offset = text.normal_form.text.find(before + inside + after)
    return (
        text.normal_form.original_span(offset + len(before), offset + len(before) + len(inside))
        if offset >= 0
        else None
    )


def _find_between_context(anchor: Anchor, text: ComparableText) -> tuple[int, int] | None:
    """Return the span between the anchor's prefix and suffix.

    Returns None unless both are still near each other and the span shares content words with the anchor.
    """
    before, after = normalise_text(anchor.prefix).text, normalise_text(anchor.suffix).text
    if not before or not after or len(before + after) < CONTEXT_CHARACTERS:
        return None
    normal_text = text.normal_form.text
    start = normal_text.find(before) + len(before)
    end = normal_text.find(after, start)
    if start < len(before) or not start < end <= start + MAX_GROWTH_FACTOR * len(anchor.exact):
        return None
    start, end = text.normal_form.original_span(start, end)
    unchanged_words = " ".join(
        segment.ours for segment in diff_words(anchor.exact, text.text[start:end]) if segment.kind == UNTOUCHED
    )
    return (
        (start, end)
        if measure_strength(unchanged_words) >= MIN_KEPT_STRENGTH_SHARE * measure_strength(anchor.exact)
        else None
    )
