"""Words that restrict what a sentence says: conditions, exceptions, "only" and negations, in English and Chinese.

Patterns match folded text. Folding keeps lengths, so offsets of matches also hold in the original text.
"""

from __future__ import annotations

import re

from highlighter.quotes.significance import MARGIN_CHARACTERS, NEGATION_SIGN, count_significant_words
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import find_negation_beside

ENGLISH_PROVISO = (
    r"unless|except(?:ing)?|excluding|save (?:for|that|as|where|when|if)|provid(?:ed|ing) (?:always,? )?that|(?<=, )provided"
    r"|subject to|with the exception|other than|apart from|only"
)
ENGLISH_CONDITION = (
    r"if|in case|in the event|on (?:the )?condition|(?:as|so) long as|solely|exclusively|insofar as|to the extent"
)
CHINESE_PROVISO = r"除非|除外|例外|以外|除[^,。;]{1,20}外|但|不过|然而|[惟唯](?!一)|前提|条件是|为限"
CHINESE_CONDITION = r"仅|只(?:有|限|能|可|在|要|于|得|须|准)|限于|如(?:果|若|有|未|遇|需|经|获)|倘|假[如若]|若(?!干)|(?:情况|情形|条件)下"
# A restriction in the words that follow a quote.
RESTRICTION = compile_later(
    rf"\b(?:{ENGLISH_PROVISO}|{ENGLISH_CONDITION}|but|however)\b|{CHINESE_PROVISO}|{CHINESE_CONDITION}"
)
# A restriction that turns what is beside it into something else; a condition ("if") only narrows it.
_LIMIT = compile_later(
    r"\b(?:unless|except(?:ing)?|excluding|only|solely|exclusively|hardly|barely|seldom|rarely)\b|除非|除外|例外|[仅惟唯]|只(?!是)|限于"
)
# A restriction binds the words beside it: this many of them, up to the next comma.
MAX_BOUND_WORDS = 4
_CLAUSE_END = compile_later(r"[,;:.!?()，；：。！？、（）]")
_SENTENCE_END = compile_later(r"[.!?;:。！？；：][\s\"”’」』)]*\Z")
_BOUND_WORD = compile_later(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['’][^\W\u3400-\u9fff]+)*")
# Ideographs are shorter than words.
_CJK_FACTOR = 2


def find_bound_restriction(before: str, omitted: str) -> str:
    """Return the restricting words at either end of what a quote leaves out; "" if none changes what the quote says.

    "shall … work" hides the "not" of "shall not work"; a "not" in a clause of its own between the two restricts neither.
    `before` are the words before the omission: where they end a sentence, nothing that follows restricts them.
    """
    clauses = _CLAUSE_END.split(omitted)
    if _SENTENCE_END.search(before):
        clauses[0] = ""
    for clause, words in ((clauses[0], _first_words(clauses[0])), (clauses[-1], _last_words(clauses[-1]))):
        if count_significant_words(words)[NEGATION_SIGN] or _LIMIT.search(fold(words)):
            return clause.strip() if len(clause) <= 2 * len(words) else words
    return ""


def find_cut_negation(text: str, start: int, end: int) -> str:
    """Return the negation that `[start, end)` of a text is cut off from: "不" before "得養狗"; "" if there is none."""
    before_start = max(start - MARGIN_CHARACTERS, 0)
    before = text[before_start:start] if before_start == 0 else f" {text[before_start:start]}"
    after = text[end : end + MARGIN_CHARACTERS] if text[end - 1 : end].isalnum() else ""
    return find_negation_beside(fold(before), fold(after))


def _first_words(clause: str) -> str:
    words = list(_BOUND_WORD.finditer(clause))
    limit = _count_bound_words(clause)
    return clause[: words[limit - 1].end()].strip() if len(words) > limit else clause.strip()


def _last_words(clause: str) -> str:
    words = list(_BOUND_WORD.finditer(clause))
    limit = _count_bound_words(clause)
    return clause[words[-limit].start() :].strip() if len(words) > limit else clause.strip()


def _count_bound_words(clause: str) -> int:
    return MAX_BOUND_WORDS * (_CJK_FACTOR if re.search(r"[\u3400-\u9fff]", clause) else 1)
