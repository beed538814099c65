"""Words of a question that name the document: "Kalorit 40" in "What is the density of Kalorit 40?".

They stand in the name of the file, in the head of the document or in the heading of the section, and seldom in the sentence that answers. So a
passage is read for the question without them, too: they say which document is meant, and it is this one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from highlighter.models import Chunk
from highlighter.text.characters import fold
from highlighter.text.terms import STOP_WORDS, extract_terms, find_words, is_cjk, stem_word

# A document's head: its title, its date, whom it is from and about. It is no more than this share of the first chunk.
MAX_HEAD_CHARACTERS, MAX_HEAD_SHARE = 300, 0.25
# So many adjacent characters of Chinese, Japanese or Korean name something; two may be any word.
MIN_CJK_CHARACTERS = 3
# Without a capital letter, so many adjacent words are a name.
MIN_WORDS_WITHOUT_CAPITALS = 2
# They lead to the name, and go with it.
LEADING_WORDS = frozenset(
    "of the a an at in on by for from with to under according"
    " der die das den dem des von vom bei beim im in zu zum zur laut nach für auf an am"
    " de du des la le les l' à au aux dans en par pour selon"
    " del el los las al por según con di della dello dei delle dal dalla nel nella il lo gli da secondo"
    " do da dos das no na nos nas o os um uma ao pelo pela het een van op aan voor met bij uit volgens"
    " в во на у о об из от для по согласно".split()
)
_SMALL_WORDS = STOP_WORDS | LEADING_WORDS
_OPENING_MARKS, _CLOSING_MARKS = "“„‘«‹「『\"'", "”“’»›」』\"'"
_ASKING_WORDS = "about say tell state mention explain describe regard concern"
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBERING = re.compile(r"^[\W\d]+(?=\w)")
_CJK_PARTICLES = "的の의은는이가をにでと"


def find_head_end(first_chunk: Chunk) -> int:
    """Return where the head of a document ends: before its second heading and its first table."""
    starts = [start - first_chunk.start for start, _, _ in first_chunk.headings if start > first_chunk.start]
    table = first_chunk.text.find("\t")
    if table >= 0:
        starts.append(first_chunk.text.rfind("\n", 0, table) + 1)
    title_end = first_chunk.text.find("\n") if "\n" in first_chunk.text else len(first_chunk.text)
    length = max(title_end, int(len(first_chunk.text) * MAX_HEAD_SHARE))
    return first_chunk.start + min(MAX_HEAD_CHARACTERS, length, *starts)


def remove_document_names(question: str, naming_texts: Sequence[str], other_texts: Sequence[str]) -> str:
    """Return a question without the names that stand in the naming texts, and in none of the other texts.

    Where nothing remains that is asked about, the question is returned as it is.
    """
    names = find_document_names(question, naming_texts, other_texts)
    rest = question
    for start, end in sorted(names, reverse=True):
        rest = _remove_name(rest, start, end)
    if not names:
        return question
    has_content = any(term not in LEADING_WORDS for term in extract_terms(rest))
    known = (*naming_texts, *other_texts)
    if any(not any(year in text for text in known) for year in _YEAR.findall(rest)):
        return question  # about another year than the passage
    return re.sub(r" (?=[?？؟!.,])", "", " ".join(rest.split())) if has_content else question


def find_document_names(
    question: str, naming_texts: Sequence[str], other_texts: Sequence[str]
) -> list[tuple[int, int]]:
    """Return the spans of the names in a question that stand in the naming texts, and in none of the other texts."""
    folded = fold(question)
    words = find_words(folded)
    names = [*_find_spaced_names(question, folded, words, naming_texts), *_find_cjk_names(folded, words, naming_texts)]
    others = [fold(text) for text in other_texts]
    return [(start, end) for start, end in names if not any(folded[start:end] in text for text in others)]


def ask_about_heading(question: str, headings: Sequence[str]) -> str:
    """Return a heading as a question where a question asks for no more: "What does it say about annual leave?"."""
    all_terms = frozenset(extract_terms(question))
    terms = all_terms - frozenset(extract_terms(_ASKING_WORDS))
    if terms == all_terms:
        return question
    named = (h for h in headings if terms and terms == {term for term in extract_terms(h) if not term.isdigit()})
    return next((f"{_NUMBERING.sub('', ' '.join(heading.split()))}?" for heading in named), question)


def _find_spaced_names(
    question: str, folded: str, words: Sequence[tuple[int, int]], naming_texts: Sequence[str]
) -> list[tuple[int, int]]:
    """Return the longest runs of words that stand in a naming text in the same order, from name to name."""
    keys = [_make_key(folded[start:end]) for start, end in words]
    runs: list[tuple[int, int]] = []
    for text in naming_texts:
        text_folded = fold(text)
        text_keys = [_make_key(text_folded[start:end]) for start, end in find_words(text_folded)]
        runs += _find_common_runs(keys, text_keys)
    names: list[tuple[int, int]] = []
    for first, last in sorted(set(runs), key=lambda run: run[0] - run[1]):
        while first < last and folded[slice(*words[first])] in _SMALL_WORDS:
            first += 1
        while first < last and folded[slice(*words[last - 1])] in _SMALL_WORDS:
            last -= 1
        span = (words[first][0], words[last - 1][1]) if first < last else (0, 0)
        overlaps = any(span[0] < end and start < span[1] for start, end in names)
        if not overlaps and _is_name(question, words[first:last]):
            names.append(span)
    return names


def _find_common_runs(keys: Sequence[str], text_keys: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest common runs of two lists of words, as ranges of the first list."""
    runs = []
    for first in range(len(keys)):
        length = 0
        for start in range(len(text_keys)):
            same = 0
            while (
                first + same < len(keys)
                and start + same < len(text_keys)
                and keys[first + same] == text_keys[start + same]
            ):
                same += 1
            length = max(length, same)
        if length:
            runs.append((first, first + length))
    return runs


def _is_name(question: str, words: Sequence[tuple[int, int]]) -> bool:
    texts = [question[start:end] for start, end in words]
    if not texts or any(is_cjk(text) for text in texts):
        return False
    if question[: words[0][0]].endswith(tuple(_OPENING_MARKS)) and question[words[-1][1] :].startswith(
        tuple(_CLOSING_MARKS)
    ):
        return True
    content = [text for text in texts if fold(text) not in _SMALL_WORDS]
    if len(content) >= MIN_WORDS_WITHOUT_CAPITALS:
        return True
    # A year or a number alone says what is asked for, whatever stands in the title.
    return bool(content) and words[0][0] > 0 and content[0][0].isupper() and not any(map(str.isdigit, content[0]))


def _find_cjk_names(
    folded: str, words: Sequence[tuple[int, int]], naming_texts: Sequence[str]
) -> list[tuple[int, int]]:
    names = []
    naming = [fold(text) for text in naming_texts]
    for word_start, word_end in words:
        if not is_cjk(folded[word_start:word_end]):
            continue
        start = word_start
        while start < word_end:
            end = start
            while end < word_end and any(folded[start : end + 1] in text for text in naming):
                end += 1
            if end - start >= MIN_CJK_CHARACTERS:
                names.append((start, end))
            start = max(end, start + 1) if end - start >= MIN_CJK_CHARACTERS else start + 1
    return names


def _remove_name(question: str, start: int, end: int) -> str:
    """Remove a name, and the prepositions and articles before it."""
    before, after = question[:start].rstrip(_OPENING_MARKS), question[end:].lstrip(_CLOSING_MARKS)
    while (words := find_words(fold(before))) and fold(before[slice(*words[-1])]) in LEADING_WORDS:
        if before[words[-1][1] :].strip(" '’"):
            break
        before = before[: words[-1][0]]
    after = after.lstrip(_CJK_PARTICLES) if after and is_cjk(after[0]) else after
    return before + after.removeprefix("'s").removeprefix("’s")


def _make_key(word: str) -> str:
    return word if is_cjk(word) else stem_word(word)
