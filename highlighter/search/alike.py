"""The sentence that means what a quote means, in other words: the last resort, with a high floor and the same facts."""

from __future__ import annotations

import logging

import numpy as np

from highlighter.access import Visible
from highlighter.citations.quotes import SEMANTIC, trimmed
from highlighter.citations.weight import FUZZY_NEEDS, facts, strength
from highlighter.embedder import Embedder
from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.models import Document, Place
from highlighter.rounding import rounded
from highlighter.search.score import share, terms_of
from highlighter.store import candidates, words
from highlighter.store.catalog import Catalog
from highlighter.store.scope import Key, Scope

log = logging.getLogger(__name__)

# Cosine of quote and sentence. Below it, sentences of the same subject are as like it as paraphrases are (bench/quotes.py).
FLOOR = 0.86
# Of the quote's words that the sentence must hold, too: a model that cannot read a script finds all of it alike.
WORDS = 0.4
# Chunks whose sentences are compared.
CHUNKS = 12
# A model reads so much of a text; longer quotes are no one sentence's paraphrase.
LONGEST = 600

NO_MODEL = N_("The embedding model is not available, so quotes in other words were not looked for.")


class Alike:
    def __init__(self, catalog: Catalog, embedder: Embedder):
        self.catalog = catalog
        self.embedder = embedder

    def find(self, quote: str, scope: Scope) -> tuple[list[Place], str]:
        """At most one place, and a sentence for people when less than the whole method could run."""
        quote = trimmed(quote)
        if strength(quote) < FUZZY_NEEDS or len(quote) > LONGEST:
            return [], ""
        try:
            vector = self.embedder.question(quote)
        except Unavailable as err:
            log.warning("%s", err.detail)
            return [], NO_MODEL
        best = None
        for key, start, end, text, likeness in self._nearest(quote, vector, scope):
            if likeness < FLOOR or (best and likeness <= best.score):
                continue
            if not _same_facts(quote, text):
                continue
            document = self._known(key, scope.visible)
            if document is not None:
                best = Place(document, start, end, text, SEMANTIC, round(likeness, 4))
        return ([best] if best else []), ""

    def means(self, quote: str, text: str) -> bool:
        """Whether a text means a quote, by the same measure."""
        if not _same_facts(quote, text) or len(quote) > LONGEST:
            return False
        try:
            both = self.embedder.encode([trimmed(quote), text])
        except Unavailable:
            return False
        return float(rounded(both[0] @ both[1])) >= FLOOR

    def _nearest(self, quote: str, vector: np.ndarray, scope: Scope):
        """(chunk, start, end, words, likeness) of the sentences of the chunks that hold most of its words: it must share
        some, so no vector needs to be searched for."""
        words.fill(self.catalog.engine)
        keys = words.holding(self.catalog.engine, sorted(terms_of(quote)), scope, CHUNKS)
        for candidate in candidates.read(self.catalog.engine, keys, self.embedder.name):
            if candidate.vectors is None:
                continue
            likeness = rounded(np.nan_to_num(candidate.vectors @ vector, nan=-1.0))
            at = int(likeness.argmax())
            yield candidate.key, *candidate.spans[at], candidate.sentences[at], float(likeness[at])

    def _known(self, key: Key, visible: Visible) -> Document | None:
        return self.catalog.document(key.document_id, visible)


def _same_facts(quote: str, text: str) -> bool:
    return facts(text) == facts(quote) and share(terms_of(quote), terms_of(text)) >= WORDS
