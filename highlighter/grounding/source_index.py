"""The index of the sources' sentences, by words and by vectors, in which the evidence for a claim is found."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.grounding.claim_subjects import NamedText, build_named_text, find_documents_of_subject
from highlighter.grounding.correspondence import Correspondence, find_correspondence
from highlighter.grounding.quantities import find_item_number
from highlighter.grounding.table_rows import RowSpan, TableRow, find_table_rows
from highlighter.grounding.wording import Wording, parse_wording
from highlighter.rounding import round_for_comparison
from highlighter.text.model_instructions import find_model_instructions
from highlighter.text.sentences import SplitSentence, split_sentences
from highlighter.text.terms import is_cjk

# Sentences that are fully compared with a claim: the most similar in words and in meaning.
MAX_SENTENCES_PER_CLAIM = 8
# Up to the first number, all sentences are embedded; of more, the second number for each claim.
MAX_SENTENCES_EMBEDDED_WHOLE, MAX_SENTENCES_EMBEDDED_PER_CLAIM = 1_000, 20
# Weight of the share of the claim's words relative to the cosine.
WORD_SHARE_WEIGHT = 0.6
MAX_HEADING_WORDS = 6
_SENTENCE_ENDS = tuple('.!?;。！？；…”"」』)）')

# Returns one normalised row for each text.
SentenceEncoder = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a source with its words."""

    source: int
    start: int
    end: int
    wording: Wording
    row: TableRow | None = None  # that it stands in
    is_whole_row: bool = False

    @property
    def text(self) -> str:
        return self.wording.text

    @property
    def read_text(self) -> str:
        """The text as a model reads it: of a row of a table with its headers, and without the number of a clause."""
        return self.row.text if self.row and self.is_whole_row else self.text[find_item_number(self.text) :]

    @property
    def is_heading(self) -> bool:
        """Whether this is a short line without an end, or one numbered word, and no row of a table: "7. Next meeting", "On skin:"."""
        words = self.text[find_item_number(self.text) :].split()
        is_numbered_word = words != self.text.split() and len(words) == 1 and not any(map(is_cjk, words[0]))
        is_open = not self.text.rstrip().endswith(_SENTENCE_ENDS)
        return (
            self.row is None and (is_open or is_numbered_word) and len(self.wording.content_words) <= MAX_HEADING_WORDS
        )

    def read_for(self, claim: Wording) -> str:
        """Return the text as a model reads it beside a claim: numbers of a row that are equal in their unit are written alike."""
        return self.row.write_for(claim) if self.row and self.is_whole_row else self.read_text


class SourceIndex:
    """An index of sentences by word and by vector; computing the vectors in `embed` is the expensive part.

    Sentences that instruct a language model are no evidence: they are not among `sentences`, but in `excluded`.
    """

    def __init__(self, texts: Sequence[str], documents: Sequence[str] = ()):
        """Take the names of the documents whose whole texts these are, "" for those of which more is not known."""
        self._texts = texts
        self._document_names = documents
        self._correspondences: dict[int, Correspondence] = {}
        self.sentences: list[SourceSentence] = []
        self.excluded: list[SourceSentence] = []
        for number, text in enumerate(texts):
            check_cpu()
            spans = split_sentences(text)
            instructions = find_model_instructions([span.text for span in spans])
            rows = list(find_table_rows(text))
            for position, span in enumerate(spans):
                sentence = _make_sentence(number, span, rows)
                (self.excluded if position in instructions else self.sentences).append(sentence)
        self.vectors = np.zeros((len(self.sentences), 0), np.float32)
        self._source_numbers = np.array([sentence.source for sentence in self.sentences], dtype=np.int32)
        indexes: dict[str, list[int]] = defaultdict(list)
        for index, sentence in enumerate(self.sentences):
            for key in sentence.wording.keys:
                indexes[key].append(index)
        by_table: dict[tuple[int, int], list[int]] = defaultdict(list)
        for index, sentence in enumerate(self.sentences):
            if sentence.row:
                by_table[sentence.source, sentence.row.table].append(index)
        self._sentences_by_table = {table: np.array(values, dtype=np.int32) for table, values in by_table.items()}
        self._sentences_by_key = {key: np.array(values, dtype=np.int32) for key, values in indexes.items()}

    def embed(self, encode: SentenceEncoder, claims: Sequence[Wording] = ()) -> SourceIndex:
        """Embed all sentences, or of very many those that share most words with one of the claims."""
        indexes = list(range(len(self.sentences)))
        if len(indexes) > MAX_SENTENCES_EMBEDDED_WHOLE and claims:
            shares = (self.weigh_shared_words(claim) for claim in claims)
            indexes = sorted(
                {
                    int(index)
                    for share in shares
                    for index in _rank_highest(share, MAX_SENTENCES_EMBEDDED_PER_CLAIM)
                    if share[index] > 0
                }
            ) or [0]  # vectors are compared also where no sentence shares a word
        if not indexes:
            return self
        vectors = encode([self.sentences[index].text for index in indexes])
        self.vectors = np.zeros((len(self.sentences), vectors.shape[1]), np.float32)
        self.vectors[indexes] = vectors
        return self

    def word_weight(self, keys: frozenset[str]) -> float:
        """Return the weight of a word: the fewer sentences contain it, the higher."""
        sentence_count = min((len(self._sentences_by_key.get(key, _NO_INDEXES)) for key in keys), default=0)
        return math.log(1 + (len(self.sentences) + 1) / (sentence_count + 0.5))

    @cached_property
    def headings(self) -> frozenset[str]:
        """The headings, as a model reads them."""
        return frozenset(sentence.read_text for sentence in self.sentences if sentence.is_heading)

    def find_correspondence(self, source: int) -> Correspondence:
        """Return who speaks where in the e-mails of a source."""
        if source not in self._correspondences:
            self._correspondences[source] = find_correspondence(self._texts[source])
        return self._correspondences[source]

    def find_sources_of_subject(self, claim: str) -> frozenset[int]:
        """Return the sources whose documents may mention what a claim speaks of."""
        positions = find_documents_of_subject(claim, self._documents)
        others = frozenset().union(*(found for number, found in enumerate(self._groups) if number not in positions))
        return frozenset(range(len(self._texts))) - others

    @cached_property
    def _groups(self) -> list[list[int]]:
        """The sources of each document that is known as a whole."""
        groups: dict[str, list[int]] = defaultdict(list)
        for source, name in enumerate(self._document_names):
            if name:
                groups[name].append(source)
        return list(groups.values())

    @cached_property
    def _documents(self) -> list[NamedText]:
        return [
            build_named_text([self._document_names[group[0]]], [self._texts[source] for source in group])
            for group in self._groups
        ]

    def find_sentences(self, keys: Iterable[str]) -> np.ndarray:
        """Return the indexes of the sentences that contain any of these keys."""
        index_arrays = [self._sentences_by_key[key] for key in keys if key in self._sentences_by_key]
        return (
            np.unique(np.concatenate(index_arrays))
            if len(index_arrays) > 1
            else index_arrays[0]
            if index_arrays
            else _NO_INDEXES
        )

    def find_rows(self, source: int, table: int, claim: Wording) -> list[TableRow]:
        """Return the rows of a table that have a word of the claim."""
        in_table = self._sentences_by_table[source, table]
        found = self.find_sentences(key for word in claim.content_words for key in word.keys)
        rows = (self.sentences[index].row for index in np.intersect1d(in_table, found))
        return list(dict.fromkeys(row for row in rows if row))

    def weigh_shared_words(self, claim: Wording) -> np.ndarray:
        """Return for each sentence the weighted share of the claim's words that it contains."""
        check_cpu()
        shares, total = np.zeros(len(self.sentences)), 0.0
        for keys, count in Counter(word.keys for word in claim.content_words).items():
            weight = count * self.word_weight(keys)
            total += weight
            shares[self.find_sentences(keys)] += weight
        return shares / total if total else shares

    def select_sentences(
        self, claim: Wording, vector: np.ndarray, source_numbers: Sequence[int] | None = None
    ) -> list[int]:
        """Return the indexes of the most similar sentences, best first; with `source_numbers` only of these sources."""
        similarities = WORD_SHARE_WEIGHT * self.weigh_shared_words(claim)
        if self.vectors.shape[1]:
            similarities += np.nan_to_num(self.vectors @ vector)
        if source_numbers is not None:
            similarities[~np.isin(self._source_numbers, source_numbers)] = -np.inf
        return [
            int(index)
            for index in _rank_highest(similarities, MAX_SENTENCES_PER_CLAIM)
            if np.isfinite(similarities[index])
        ]

    def add_neighbours(self, indexes: Sequence[int]) -> list[int]:
        """Return sentences with those before and after them in their source, in the order of the sources."""
        return sorted(
            {
                neighbour
                for index in indexes
                for neighbour in (index - 1, index, index + 1)
                if 0 <= neighbour < len(self.sentences)
                and self.sentences[neighbour].source == self.sentences[index].source
            }
        )


def _make_sentence(source: int, span: SplitSentence, rows: Sequence[RowSpan]) -> SourceSentence:
    position = bisect_right(rows, span.start_char, key=lambda row: row.start) - 1
    found = rows[position] if position >= 0 and span.start_char < rows[position].end else None
    wording = parse_wording(span.text)
    if found is None:
        return SourceSentence(source, span.start_char, span.end_char, wording)
    is_whole_row = span.end_char - span.start_char == found.length
    if is_whole_row and any(found.row.units):
        wording = found.row.add_units_to_row(wording)
    return SourceSentence(source, span.start_char, span.end_char, wording, found.row, is_whole_row)


_NO_INDEXES = np.zeros(0, np.int32)


def _rank_highest(values: np.ndarray, count: int) -> np.ndarray:
    """Return the indexes of the highest values, highest first; equal values in the order of the text."""
    return np.argsort(-round_for_comparison(values), kind="stable")[:count]
