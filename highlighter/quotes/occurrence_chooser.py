"""Choose among spans that say the same: by their context, then by their distance to the span that is hinted at."""

from __future__ import annotations

from rapidfuzz.distance import Indel

from highlighter.quotes.normal_form import ComparableText, normalise_text

# Characters kept before and after a quote, as many as W3C annotations and most of their tools keep.
CONTEXT_CHARACTERS = 32
# A word or two are located by their context if it agrees this well.
MIN_CONTEXT_AGREEMENT = 0.8


class OccurrenceChooser:
    """Chooses among spans that say the same: by their context, then by their distance to the hinted span."""

    def __init__(self, text: ComparableText, prefix: str, suffix: str, hint_span: tuple[int, int] | None):
        self.text = text
        self.prefix, self.suffix = (
            normalise_text(prefix[-4 * CONTEXT_CHARACTERS :]).text,
            normalise_text(suffix[: 4 * CONTEXT_CHARACTERS]).text,
        )
        self.hint_span = hint_span

    def choose_best(self, spans: list[tuple[int, int]]) -> tuple[int, int]:
        if len(spans) == 1:
            return spans[0]
        return min(
            spans,
            key=lambda span: (
                -round(self.measure_context_agreement(*span), 1),
                self._distance_to_hint(*span),
                span[0],
            ),
        )

    def filter_by_context(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the spans whose context agrees with the given one; none when no context was given."""
        if not self.prefix and not self.suffix:
            return []
        return [span for span in spans if self.measure_context_agreement(*span) >= MIN_CONTEXT_AGREEMENT]

    def measure_context_agreement(self, start: int, end: int) -> float:
        """Return the similarity of a span's context to the given one, 0 to 1, averaged over both sides."""
        similarities, text = [], self.text.text
        if self.prefix:
            before = normalise_text(text[max(start - 3 * len(self.prefix) - 8, 0) : start]).text[-len(self.prefix) :]
            similarities.append(Indel.normalized_similarity(self.prefix, before))
        if self.suffix:
            after = normalise_text(text[end : end + 3 * len(self.suffix) + 8]).text[: len(self.suffix)]
            similarities.append(Indel.normalized_similarity(self.suffix, after))
        return sum(similarities) / len(similarities) if similarities else 0.0

    def _distance_to_hint(self, start: int, end: int) -> int:
        if self.hint_span is None:
            return 0
        first, last = self.hint_span
        return max(first - end, start - last, 0)
