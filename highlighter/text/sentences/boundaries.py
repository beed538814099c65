"""The boundaries of sentences within a line of text. Short bracketed or quoted text is not split from its sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from highlighter.text.sentences import word_lists
from highlighter.text.sentences.list_markers import is_enumerator
from highlighter.text.sentences.periods import ends_by_period
from highlighter.text.sentences.stop import (
    CLOSING_QUOTES,
    STOP_CLUSTER,
    UNAMBIGUOUS_STOPS,
    Stop,
    is_caseless,
    is_hangul,
    is_ideograph,
    match_text,
)

# A longer pair holds sentences of its own (or is no pair at all), and is split like any text.
MAX_BRACKET_CHARACTERS = 300
MAX_QUOTATION_CHARACTERS = 200
# Only so many openers are tracked: no text nests deeper, and a file of nothing but "(" stays cheap.
_MAX_OPEN_ENCLOSURES = 30

_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〔": "〕", "《": "》", "〈": "〉"}
_QUOTES = {"「": "」", "『": "』", "“": "”", "„": "“", "«": "»", "»": "«", "‹": "›", '"': '"'}
_CLOSERS = {**_BRACKETS, **_QUOTES}
_HEBREW_ACRONYM = re.compile(r"[\u05d0-\u05ea]\"[\u05d0-\u05ea]")  # ש"ח: the mark is a part of the word
_ENCLOSURE_MARK = re.compile("[" + re.escape("".join({*_CLOSERS, *_CLOSERS.values()})) + "]")


def find_enclosures(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the outermost short pairs of brackets or quotes: (offset of the opener, offset after the closer)."""
    pairs: list[tuple[int, int]] = []
    open_marks: list[tuple[str, int]] = []
    for match in _ENCLOSURE_MARK.finditer(text, start, end):
        mark, offset = match.group(), match.start()
        if mark == '"' and _HEBREW_ACRONYM.match(text, offset - 1):
            continue
        opener_index = next(
            (
                index
                for index in range(len(open_marks) - 1, -1, -1)
                if _is_closing(open_marks[index][0], mark, text, offset)
            ),
            None,
        )
        if opener_index is None:
            if mark in _CLOSERS and not (mark == "»" and offset > start and text[offset - 1].isspace()):
                open_marks = [*open_marks[1 - _MAX_OPEN_ENCLOSURES :], (mark, offset)]
            continue
        opener, opener_offset = open_marks[opener_index]
        del open_marks[opener_index:]
        if offset - opener_offset <= (MAX_QUOTATION_CHARACTERS if opener in _QUOTES else MAX_BRACKET_CHARACTERS):
            while pairs and pairs[-1][0] >= opener_offset:
                pairs.pop()
            pairs.append((opener_offset, offset + 1))
    return pairs


def _is_closing(opener: str, mark: str, text: str, at: int) -> bool:
    # A straight quotation mark after a space opens; „ is closed by “ (German) or ” (Polish, Dutch).
    if mark == '"' and text[at - 1].isspace():
        return False
    return _CLOSERS[opener] == mark or (opener == "„" and mark == "”")


# A longer text without a stop is a table, a dump, a damaged file: cut, so that no chunk holds a whole megabyte.
MAX_SENTENCE_CHARACTERS = 5_000

_NEVER_OPENING = frozenset(",;:)]}”’»」』）】，、：&")
_FILE_AND_DOMAIN_SUFFIXES = word_lists.word_set("com net org edu gov io js py txt pdf html htm doc docx xls xlsx")
# Words that report a quote after 。」: と (said), 他说, ", he says".
_REPORTING_CLAUSE = re.compile(
    r"\s*(?:と|って|との|なんて|など|という|, ?|，|、|—|[他她它我你妳您][們们]?[^。！？]{0,4}[說说道問问答喊叫笑]|[說说道問问答][:：，,])"
)
# The same in Korean and Tamil, whose verb of saying follows the quoted words: 라고 말했다, என்றார்.
_QUOTATIVE = re.compile(r"\s*(?:이?라[고며면는]|하고|고 |என்ற|என )")
_PARENTHETICAL_CITATION = re.compile(r"\s*[(\[][^()\[\].!?]{1,60}[)\]][.;,]")
# At the end of a line: of a formula, or of a note.
_FORMULA_NUMBER = re.compile(r"\s*(?:\([A-Z]?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?\)|\[\d{1,3}\])\s*")
_ATTRIBUTION = re.compile(r"([^\W\d_]+)\.?\s+(?:[A-Z][^\W\d_]*\s+)?([^\W\d_]+)")
# A vowel late in the word, and a common last letter.
_VOWELS, _COMMON_LAST_LETTERS = "aeiouyαεηιουωаеиоуыэюя", "aeiouysndtgαεηιουωςνаеиоуыэюяйьмхтв"
_COMMON_WORD_ENDING = re.compile(rf"[{_VOWELS}].{{0,2}}(?<=[{_COMMON_LAST_LETTERS}])$")
# Of words, and of no "beispielsw." or "einschließl.".
_WORD_ENDING = re.compile(rf"[{_VOWELS}](?:[rl]|.{{0,3}}(?<=[{_COMMON_LAST_LETTERS}hkm]))$")
_IDENTIFIER_BEFORE, _IDENTIFIER_AFTER = re.compile(r"\b[A-Z][A-Z0-9_]* $"), re.compile(r" [A-Z][A-Z0-9_]+\b(?! [a-z])")
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]+")
_OPEN_REMARK, _MAX_REMARK_CHARACTERS = re.compile(r"[\[(][.…*_\s]*$"), 20
_PROGRAM_NAME = re.compile(r"[a-z]\w*(?:(?:[._][A-Za-z]\w*)+(?:\(\))?|\(\))\s[a-z]")
_MAX_ABBREVIATION_CHARACTERS = 5
_KOREAN_ENDINGS = frozenset("다요까죠")  # of verbs, with which nearly all sentences end
_QUOTED_STOP = re.compile(r"(?:^|\s)[‘“«„\"']$")  # before a stop that stands alone in quotes: the character "."
# Before the volume and year of a journal: "Sol. Energy Mater. Sol. Cells 94 (2010)".
_JOURNAL_WORD = re.compile(r"[A-Z][a-z]{0,5}")
_JOURNAL_NEXT = re.compile(
    r"\s(?:[A-Z][^\W\d_]*\.?,?\s){0,6}\d{1,4}(?:\s?\(\d{1,3}\))?(?:, ?\d{1,6}(?:[-–]\d{1,6})?)?,?\s?\((?:18|19|20)\d\d\)"
)
_PAGE_NUMBER_CELL = re.compile(r"\t(?:\d{1,4}|[ivxlc]{1,7})\s*")  # at the end of an entry of a table of contents
_LEADER_NEXT = re.compile(r"\s*(?:\.\s?){4}")  # dots that lead to a page number
_FACTORIAL_NEXT, _NEGATIVE_NUMBER_NEXT = re.compile(r"\s*[·×÷=/^<>≤≥∑∏]"), re.compile(r"\s[-−]\d")
_DASH_NEXT = re.compile(r" [-–—] ")
_PLAIN_TOKEN_BEFORE = re.compile(r"[(\"'“]?(?:[^\W\d_]{2,}(?:['’-][^\W\d_]+)*|[$€£]?\d[\d,.]{2,}%?)")
_PLAIN_TOKEN_AFTER = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?)\"”]*")


def find_boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets in `text[start:end]` at which a sentence ends, in order, without the end itself."""
    pairs = iter([*find_enclosures(text, start, end), (end, end + 1)])
    pair = next(pairs)
    sentence_start = start
    is_lower_case = text[start : min(end, start + MAX_SENTENCE_CHARACTERS)].islower()
    for match in STOP_CLUSTER.finditer(text, start, end):
        stop_end = _skip_combining_marks(text, match.end(), end)
        while pair[1] <= match.start():
            pair = next(pairs)
        is_enclosed = pair[0] < match.start() and stop_end < pair[1]
        if is_enclosed or stop_end < sentence_start or _is_remark(text, match):
            continue
        stop = Stop.from_match(
            text,
            match,
            sentence_start=sentence_start,
            stop_end=stop_end,
            limit=end,
            is_enclosed=sentence_start < pair[0] < match.start(),
            is_lower_case=is_lower_case,
        )
        boundary = _find_sentence_end(stop)
        if boundary:
            yield boundary
            rest = text[boundary : boundary + 50]
            sentence_start = boundary + len(rest) - len(rest.lstrip())


def _skip_combining_marks(text: str, offset: int, end: int) -> int:
    while offset < end and unicodedata.category(text[offset]) in ("Mn", "Me", "Cf"):  # a mark belongs to its character
        offset += 1
    return offset


def _is_remark(text: str, match: re.Match[str]) -> bool:
    """Return whether a stop is a remark inside a sentence, or ends one: [...], (!), [?], [...***...].

    With a stop of its sentence behind the bracket, that one decides: "signs (-) and periods (.)."
    """
    if match["closers"][-1:] in ".!?…":
        return False
    before = text[max(match.start() - _MAX_REMARK_CHARACTERS, 0) : match.start()]
    return match["closers"][:1] in ("]", ")") and _OPEN_REMARK.search(before) is not None


def _find_sentence_end(stop: Stop) -> int | None:
    """Return the offset at which this stop ends its sentence, or None."""
    next_mark = stop.right.lstrip()[:1]
    if not next_mark or (next_mark in _NEVER_OPENING and not (stop.is_spaced and next_mark in "”’»")):
        return None
    if (
        is_enumerator(stop.sentence_so_far)
        or _is_enumerator_of_cell(stop)
        or (stop.closers and _QUOTATIVE.match(stop.right))
    ):
        return None
    is_alone = stop.marks in (".", "!") and (
        not stop.before.strip() or stop.before[-1:].isspace() or stop.before[-1:] == "("
    )
    if is_alone and not (stop.next_word[:1].isupper() or is_caseless(next_mark)):
        return None  # an empty field of a matrix, a name or an operator: "1 . . 2", "model(. ~ x", "if ! test"
    if stop.marks == "!" and _FACTORIAL_NEXT.match(stop.right):
        return None
    if _LEADER_NEXT.match(stop.right) or (stop.closers and _NEGATIVE_NUMBER_NEXT.match(stop.right)):
        return None
    if stop.right[0] == "\t" and _PAGE_NUMBER_CELL.fullmatch(stop.right):
        return None
    if len(stop.closers) == 1 and _QUOTED_STOP.search(stop.before):
        return None
    if any(mark in UNAMBIGUOUS_STOPS for mark in stop.marks) or stop.marks.strip() in (":", "|", ";", "\u037e"):
        return None if _is_quote_reported(stop) else stop.end
    if "．" in stop.marks:
        return None if stop.before[-1:].isdigit() and stop.right[:1].isdigit() else stop.end
    if not stop.is_spaced:
        return stop.end if _ends_without_space(stop) else None
    if _is_ellipsis(stop.marks):
        return _find_ellipsis_end(stop)
    if "¿" in stop.opening_marks or "¡" in stop.opening_marks:
        return stop.end
    if _is_continued_in_lower_case(stop) or _is_citation_next(stop) or _is_attribution_next(stop):
        return None
    if stop.marks == "." and not stop.closers and (_is_part_of_name(stop) or _is_part_of_journal(stop)):
        return None
    if stop.marks == ".":
        return stop.end if ends_by_period(stop) else None
    return None if stop.next_word.lower() in word_lists.COMPANY_SUFFIXES else stop.end


def _is_enumerator_of_cell(stop: Stop) -> bool:
    """Return whether the cell before a stop, at the end of a long row, is only a number: "3b."."""
    return "\t" in stop.before and is_enumerator(stop.before.rpartition("\t")[2] + stop.marks + stop.closers)


def _is_quote_reported(stop: Stop) -> bool:
    """Return whether a closing quote is followed by the words that report it, or a bracket by its sentence's rest."""
    if stop.is_enclosed and stop.closers[-1:] in ("）", ")") and not stop.is_spaced:
        return True
    return stop.closers[-1:] in tuple('」』”’"»)）') and bool(stop.closers and _REPORTING_CLAUSE.match(stop.right))


def _ends_without_space(stop: Stop) -> bool:
    """Return whether a stop without a space after it ends a sentence: only between plain words ("world.Today",
    "结束!开始").
    """
    first = stop.right[:1]
    if _is_within_cell(stop):
        return False
    if is_ideograph(stop.before[-1:]) and (is_ideograph(first) or "." not in stop.marks):
        return True
    if is_hangul(stop.before[-1:]) and is_hangul(first) and not stop.closers:
        return stop.marks != "." or stop.before[-1] in _KOREAN_ENDINGS
    token = match_text(re.search(r"\S*$", stop.before))
    rest = match_text(re.match(r"\S*", stop.after))
    return (
        not (stop.closers or _is_ellipsis(stop.marks))
        and first.isupper()
        and len(stop.next_word) > 1
        and stop.next_word[1:].islower()
        and not (stop.marks == "." and token[:1].isupper() and rest == stop.next_word and not _is_starter(rest))
        and not _is_file_suffix(stop.next_word)
        and stop.next_word.lower() not in _FILE_AND_DOMAIN_SUFFIXES
        and bool(_PLAIN_TOKEN_BEFORE.fullmatch(token) and _PLAIN_TOKEN_AFTER.fullmatch(rest))
        and not (token.isupper() and stop.marks == ".")
    )


def _is_starter(word: str) -> bool:
    return word.lower() in word_lists.SENTENCE_STARTERS


def _is_file_suffix(word: str) -> bool:
    """Return whether a word without vowels is no title: it is a file's suffix, as in "tests.Rnw"."""
    return _CONSONANTS.fullmatch(word) is not None and word.lower() not in word_lists.TITLES


def _is_within_cell(stop: Stop) -> bool:
    """Return whether a stop stands within the one word of a table's cell, such as a column's name: "Petal.Width"."""
    cell = stop.before.rpartition("\t")[2] + stop.right.partition("\t")[0]
    return "\t" in stop.before + stop.right and not any(map(str.isspace, cell))


def _is_part_of_journal(stop: Stop) -> bool:
    """Return whether a period ends a short word of a journal's name, after which its volume and year come."""
    before = stop.previous_word
    is_in_name = not before or before[-1] in ",." or before[0].isupper()
    is_word = is_in_name and _JOURNAL_WORD.fullmatch(stop.last_word) is not None
    return is_word and _JOURNAL_NEXT.match(stop.right) is not None


def _is_part_of_name(stop: Stop) -> bool:
    """Return whether a period stands within a name: a company's that fills a cell ("Daily, Inc." and a tab) or goes on
    after a dash ("Daily, Inc. - North"), a numbered thing's ("Инв. № 5"), or a column's with spaces ("QSYS2 . ORDER_ID").
    """
    if stop.right[:1] == "\t" or _DASH_NEXT.match(stop.right):
        return stop.last_word.lower().rstrip(".") in word_lists.COMPANY_SUFFIXES
    if stop.right.lstrip()[:1] == "№":
        return stop.last_word[-1:].isalpha()
    identifiers = _IDENTIFIER_BEFORE.search(stop.before), _IDENTIFIER_AFTER.match(stop.right)
    return all(identifiers) and any(set("_0123456789") & set(found.group()) for found in identifiers if found)


def _is_ellipsis(marks: str) -> bool:
    return marks == "…" or (len(marks) > 1 and set(marks) <= set(". \xa0…"))


def _find_ellipsis_end(stop: Stop) -> int | None:
    if not (stop.next_word[:1].isupper() or is_caseless(stop.next_word[:1])):
        return None
    dots = stop.marks.count(".") + 3 * stop.marks.count("…")
    is_spaced = not stop.marks.strip(".… \xa0") and (" " in stop.marks or "\xa0" in stop.marks)
    follows_word = not stop.before[-1:].isspace()
    if is_spaced and follows_word and dots > 3 and not stop.closers:
        return stop.start + 1  # a full stop, then three dots for what was left out before the next sentence
    if dots > 3 or (follows_word and not is_spaced) or (not is_spaced and stop.next_word != "I"):
        return stop.end
    return None


def _is_continued_in_lower_case(stop: Stop) -> bool:
    """Return whether the sentence goes on because the next word is in lower case.

    Lower case says nothing in a text without capitals ("ok. fine.") or of a word like "iPhone".
    """
    if not stop.next_word[:1].islower() or stop.next_word[1:2].isupper() or _is_program_name_next(stop):
        return False
    if stop.closers:
        return True
    if stop.is_lower_case:
        return False
    # Long words are seldom abbreviated, and seldom cut after a common last letter: the capital was probably forgotten.
    word = stop.last_word
    return not (
        stop.marks == "."
        and len(word) > 5
        and word.isalpha()
        and word.islower()
        and _COMMON_WORD_ENDING.search(_strip_accents(word))
    )


def _is_program_name_next(stop: Stop) -> bool:
    """Return whether a word, and no abbreviation, is followed by a name such as "add.scale.bar", "read_pdf" or "sum()"."""
    if stop.opening_marks.strip() or not _PROGRAM_NAME.match(stop.after):
        return False
    if stop.closers:
        return stop.closers[-1] in ")]"  # and no title in quotes: The site "Yahoo!" yahoo.com
    word = _strip_accents(stop.last_word)
    is_word = len(word) > _MAX_ABBREVIATION_CHARACTERS and _WORD_ENDING.search(word) is not None
    return is_word or stop.before.endswith("()")


def _strip_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _is_citation_next(stop: Stop) -> bool:
    """Return whether a source in brackets follows, which belongs to the text before it: "... as it was." (Smith 55).

    So does the number of a formula at the end of a line.
    """
    if _FORMULA_NUMBER.fullmatch(stop.right):
        return True
    match = _PARENTHETICAL_CITATION.match(stop.right)
    return bool(match and (stop.closers or any(char.isdigit() for char in match.group())))


def _is_attribution_next(stop: Stop) -> bool:
    """Return whether the speaker of the quoted words follows, who belongs to their sentence: "Are you?" Mary asked."""
    if stop.closers[-1:] not in CLOSING_QUOTES or not stop.closers or stop.opening_marks.strip():
        return False
    match = _ATTRIBUTION.match(stop.after)
    return bool(match and match[1].lower() not in word_lists.PRONOUNS and match[2] in word_lists.REPORTING_VERBS)
