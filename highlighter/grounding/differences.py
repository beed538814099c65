"""The words in which a claim differs from the sentence that decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.wording import KeyedWord, Wording
from highlighter.locale import N_
from highlighter.text.characters import fold
from highlighter.text.function_words import ALL_FUNCTION_WORDS, FUNCTION_WORDS
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import classify_word

# Chinese characters and kana; Korean has spaces between words.
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Two wordings that share fewer of the claim's words, or differ in more places, cannot be set side by side.
MIN_SHARED_WORDS, MAX_DIFFERENCES = 0.4, 3
# They join a claim to the one before it, and say nothing themselves.
_CONNECTIVES = frozenset(
    "however therefore thus moreover furthermore additionally also besides nevertheless nonetheless hence but though otherwise"
    " accordingly consequently meanwhile instead still yet general generally overall summary".split()
)
# They say nothing alone: "The sources do not say “soon”" helps nobody.
_LIGHT_WORDS = frozenset(
    "per soon since due given gives give gets get takes take took taken held made make place according"
    " findet finden fand statt hat haben hatte wegen betrug beträgt"
    " aura auront a ont lieu besoin pour celebra realiza realiza-se tiene lugar para si svolge viene vindt plaats heeft составляет".split()
)
# Words of Chinese and Japanese have no spaces between them: a longer run is a phrase, which is cut anywhere.
MAX_CJK_RUN_CHARACTERS = 8
_WORD_END, _WORD_START = (
    compile_later(rf"[^\s,;:.!?()“”\"{_UNSPACED}]+"),
    compile_later(rf"[^\s,;:.!?()“”\"{_UNSPACED}]+$"),
)
_UNSPACED_CHARACTER = compile_later(rf"[{_UNSPACED}]")
_CLAUSE = compile_later(r"[^,;:.!?，、；：。！？]+")
# Longer runs are other wordings, not other words.
MAX_RUN_WORDS = 6
# Runs of words named in an explanation.
MAX_RUNS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of a claim, and the words of a sentence in their place."""

    claim_spans: tuple[tuple[int, int], ...]
    source_spans: tuple[tuple[int, int], ...]
    why: str  # for users


def find_difference(claim: Wording, source: Wording) -> Difference | None:
    """Return the words that were exchanged; None where the two wordings are too different to say."""
    claim_keys, source_keys = [word.main_key for word in claim.words], [word.main_key for word in source.words]
    steps = Levenshtein.opcodes(claim_keys, source_keys)
    shared = sum(step.src_end - step.src_start for step in steps if step.tag == "equal")
    runs = [
        (claim.words[step.src_start : step.src_end], source.words[step.dest_start : step.dest_end])
        for step in steps
        if step.tag == "replace"
    ]
    runs = [(left, right) for left, right in runs if _has_content(left) and _has_content(right)]
    is_comparable = shared >= MIN_SHARED_WORDS * len(claim.words) and 0 < len(runs) <= MAX_DIFFERENCES
    if not is_comparable or max(len(words) for run in runs for words in run) > MAX_RUN_WORDS:
        return None
    claim_spans, source_spans = (
        tuple((words[0].start, words[-1].end) for words in side) for side in zip(*runs, strict=True)
    )
    claim_spans, source_spans = (
        tuple(_widen(text, *span) for span in spans)
        for text, spans in ((claim.text, claim_spans), (source.text, source_spans))
    )
    source_words, claim_words = join_spans(source.text, source_spans), join_spans(claim.text, claim_spans)
    if (len(runs) > 1 and _UNSPACED_CHARACTER.search(claim_words)) or "\t" in source_words:
        return None
    return Difference(
        claim_spans,
        source_spans,
        N_(
            "The source says “{source_words}” where the claim says “{claim_words}”.",
            source_words=source_words,
            claim_words=claim_words,
        ),
    )


def find_missing_runs(claim: Wording, keys: frozenset[str]) -> list[tuple[int, int]]:
    """Return the spans of the claim's content words that are not among the keys; neighbours in one span."""
    runs: list[tuple[int, int]] = []
    was_missing = False
    for word in claim.content_words:
        is_missing = not word.keys & keys and word.text not in _CONNECTIVES
        if is_missing and was_missing:
            runs[-1] = (runs[-1][0], word.end)
        elif is_missing:
            runs.append((word.start, word.end))
        was_missing = is_missing
    return runs


def select_telling_runs(claim: Wording, runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the runs of a claim that help a reader, as whole words: none of function words alone, and none cut from a phrase."""
    text = claim.text
    function_words = FUNCTION_WORDS.get(detect_language(text), ALL_FUNCTION_WORDS) | _LIGHT_WORDS
    widened = dict.fromkeys(
        _widen(text, *run) for run in runs if _says_something(fold(text[slice(*run)]), function_words)
    )
    joined: list[tuple[int, int]] = []
    for start, end in widened:
        is_cut = bool(joined) and bool(_UNSPACED_CHARACTER.match(text, start)) and start <= joined[-1][1] + 1
        if is_cut or (joined and start <= joined[-1][1]):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    unspaced = [span for span in joined if _UNSPACED_CHARACTER.match(text, span[0])]
    if not unspaced or (len(unspaced) == 1 and unspaced[0][1] - unspaced[0][0] <= MAX_CJK_RUN_CHARACTERS):
        return joined
    clauses = [match.span() for match in _CLAUSE.finditer(text)]
    lacking = [clause for clause in clauses if any(clause[0] < end and start < clause[1] for start, end in joined)]
    return lacking if len(lacking) < len(clauses) else []


def _says_something(run: str, function_words: frozenset[str]) -> bool:
    return any(word not in function_words or classify_word(word) for word in run.split())


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span with the rest of the words that it cuts, such as those of Korean and Hindi."""
    if end - start > 2 and all(
        map(_UNSPACED_CHARACTER.match, text[start:end])
    ):  # pairs, of which the known words have a half
        return start + _is_unspaced(text, start - 1), end - _is_unspaced(text, end)
    before, after = _WORD_START.search(text, 0, start), _WORD_END.match(text, end)
    is_cut_before = before and not _UNSPACED_CHARACTER.match(text, start)
    is_cut_after = after and not _UNSPACED_CHARACTER.match(text, end - 1)
    return before.start() if before and is_cut_before else start, after.end() if after and is_cut_after else end


def _is_unspaced(text: str, offset: int) -> bool:
    return 0 <= offset < len(text) and _UNSPACED_CHARACTER.match(text, offset) is not None


def _has_content(words: Sequence[KeyedWord]) -> bool:
    return any(not word.is_stop_word for word in words)


def join_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the words of the spans, with what is between them left out."""
    return " … ".join(text[start:end] for start, end in spans)
