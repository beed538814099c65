"""Comparison of document names: equal but for case, spaces, punctuation, script and extension; misspelt; or shortened."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

from rapidfuzz.distance import OSA

from highlighter.references.locators import FILE_EXTENSIONS, is_roman
from highlighter.text.characters import fold
from highlighter.text.terms import is_cjk

# Extensions that count as the same; any other extension means another file.
_EXTENSION_ALIASES = {"doc": "docx", "docm": "docx", "htm": "html", "jpeg": "jpg", "tiff": "tif", "markdown": "md"}
_EXTENSION = re.compile(r"(?P<stem>.*[^\s.])\.(?P<extension>[A-Za-z]{2,8}|[A-Za-z]\w{1,4})", re.DOTALL)
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_SUBTITLE = re.compile(r"\s[-–—|]\s|\s?[:：]\s?|\s?[（(]")
_PATH_SEPARATOR = re.compile(r"[/\\]")
# Words that a name may have or lack.
_FILLER_WORDS = frozenset("the an of and for to in on document doc file pdf copy full text".split())
_CJK_FILLER_CHARACTERS = re.compile("[的之]")
# Words that distinguish documents: "the Contract" is not "Contract Amendment 2".
_DISTINGUISHING_WORDS = frozenset(
    "amendment amendments annex annexes annexure appendix appendices schedule schedules addendum supplement supplementary"
    " volume vol part summary minutes reply response review comments guide guidance notes template checklist index agenda"
    " letter memo memorandum faq invoice variation deed side errata corrigendum extract presentation lot phase"
    " attachment exhibit attachments enclosure form draft drafts".split()
)
# Words in the names of many documents, which alone identify none of them.
_GENERIC_NAMES = frozenset(
    "report contract policy agreement letter manual guide handbook note notes plan rules act law regulations standard"
    " specification review book paper article terms procedure".split()
)
_CJK_GENERIC_NAMES = frozenset(
    "合同 报告 文件 条例 办法 手册 协议 政策 计划 规定 通知 制度 方案 规则 标准 合约 章程 文档 资料".split()
)
_CJK_DISTINGUISHING_WORDS = re.compile(
    "附件|附录|附表|补充|增补|摘要|问答|说明|指引|解释|解读|细则|模板|范本|目录|意见|答复|批复|实施|修正案|变更|会议|纪要|草案|第.{1,3}[册卷部]"
)
# A name may lack its version and the chapter number of a law.
_VERSION_OR_CHAPTER = re.compile(
    r"(?<![^\W\d_])(?:v|ver|version|rev|revision|ed|edition|issue)[\s._-]*\d+(?:[._]\d+)*(?![^\W_])"
    r"|[(（]\s*(?:cap\.?\s*\d+[a-z]*|第\s*\d+[a-z]*\s*章)\s*[)）]",
    re.IGNORECASE,
)
_YEAR_OR_DATE = re.compile(r"(?:19|20)\d\d|\d{6}|\d{8}")
_VERSION_WORDS = frozenset(
    ("v", "version", "rev", "revision", "ver", "ed", "edition", "issue", "年", "版", "年版", "修订版", "年修订")
)

MIN_LETTERS_FOR_ONE_TYPO, MIN_LETTERS_FOR_TWO_TYPOS = 5, 9  # letters of a word with one or two typos
MIN_NAME_SHARE = 0.5  # share of a name's letters that a shortened name must have


def split_file_name(name: str) -> tuple[str, str, str]:
    """Return a name as (folder, stem, extension); folder and extension are often empty."""
    name = unicodedata.normalize("NFC", unquote(name) if "%" in name else name).strip()
    *folders, base = _PATH_SEPARATOR.split(name) if not name.endswith(("/", "\\")) else [name]
    match = _EXTENSION.fullmatch(base)
    extension = fold(match["extension"]) if match else ""
    if match is None or extension not in FILE_EXTENSIONS:
        return "/".join(folders), base, ""
    return "/".join(folders), match["stem"], _EXTENSION_ALIASES.get(extension, extension)


@lru_cache(maxsize=65_536)
def tokenize_name(name: str) -> tuple[str, ...]:
    """Return the folded words and numbers of a name; a number within a word is split off, so that "NEC 4" is "NEC4"."""
    return tuple(_normalise_token(token) for token in _TOKEN.findall(fold(unicodedata.normalize("NFKC", name))))


@lru_cache(maxsize=65_536)
def make_name_key(name: str) -> str:
    """Return the letters and digits of a name. Separated numbers stay separated: "1 2" is not "12"."""
    tokens: list[str] = []
    for token in tokenize_name(name):
        if tokens and tokens[-1][-1].isdigit() and token[0].isdigit():
            tokens.append(" ")
        tokens.append(token)
    return "".join(tokens)


def _normalise_token(token: str) -> str:
    if token.isdigit():
        return token.lstrip("0") or "0"
    token = "".join(
        character for character in unicodedata.normalize("NFD", token) if not unicodedata.combining(character)
    )
    return _CJK_FILLER_CHARACTERS.sub("", token) or token if is_cjk(token) else token


def is_misspelling(written: str, name: str) -> bool:
    """Return whether a written name is another with a typo or two. Numbers and short words must be equal."""
    written_words, name_words = _list_name_words(written), _list_name_words(name)
    if _list_numbers(written_words) != _list_numbers(name_words) or not written_words or not name_words:
        return False
    if len(written_words) != len(name_words):
        return _is_one_typo_apart(make_name_key(written), make_name_key(name)) and not _has_different_short_words(
            written_words, name_words
        )
    different_pairs = [(a, b) for a, b in zip(written_words, name_words, strict=True) if a != b]
    return len(different_pairs) <= max(len(written_words) // 2, 1) and all(_is_typo(a, b) for a, b in different_pairs)


def is_partial_name(written: str, name: str, share: float = MIN_NAME_SHARE) -> bool:
    """Return whether a written name is a shortened or padded form of a name and cannot be another document's."""
    name = name if _VERSION_OR_CHAPTER.search(written) else _VERSION_OR_CHAPTER.sub(" ", name)
    written_words, name_words = _list_name_words(written), _list_name_words(name)
    if not written_words or not name_words:
        return False
    if len(written_words) > len(name_words) and not _list_omitted_words(name_words, written_words):
        return False  # the name's words and more, none of them a filler
    if any(is_cjk(word) for word in written_words):
        return _is_partial_cjk_name(written, name, share)
    omitted_words = _list_omitted_words(written_words, name_words)
    omits_words = omitted_words and not all(word.isdigit() for word in omitted_words)
    if omits_words and all(
        word.removesuffix("s") in _GENERIC_NAMES or word in _GENERIC_NAMES for word in written_words
    ):
        return False
    if omitted_words is None or any(
        word in _DISTINGUISHING_WORDS or not _is_omissible(word, name_words) for word in omitted_words
    ):
        return False
    is_specific = any(len(word) > 3 and not word.isdigit() for word in written_words) or any(
        word.isdigit() for word in written_words[1:]
    )
    is_title = written_words == _list_name_words(
        _SUBTITLE.split(name)[0]
    )  # "HR Policy" of "HR Policy - Leave and Flexible Working"
    return is_specific and (is_title or len("".join(written_words)) >= share * len("".join(name_words)))


@lru_cache(maxsize=65_536)
def _list_name_words(name: str) -> tuple[str, ...]:
    words = tuple(_normalise_spelling(token) for token in tokenize_name(name))
    words = words[1:] if words[:1] == ("a",) else words  # elsewhere it is part of the name: "Schedule A"
    return tuple(word for word in words if word not in _FILLER_WORDS) or words


def _list_numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if word.isdigit()]


def _list_omitted_words(written_words: Sequence[str], name_words: Sequence[str]) -> list[str] | None:
    """Return the name's words that the written words lack, or None unless the written words are in the name in order."""
    omitted, position, typos = [], 0, 0
    for word in name_words:
        if position < len(written_words) and (
            written_words[position] == word or (_is_typo(written_words[position], word) and not typos)
        ):
            typos += written_words[position] != word
            position += 1
        else:
            omitted.append(word)
    return omitted if position == len(written_words) and (not typos or len(written_words) > 1) else None


def _is_omissible(word: str, name: Sequence[str]) -> bool:
    """Return whether a name may lack a word: a year, a date or a version, but no other number and no single letter."""
    if not word.isdigit():
        return is_cjk(word) or not (len(word) == 1 or is_roman(word))
    if _YEAR_OR_DATE.fullmatch(word):
        return True
    position = name.index(word)
    return position > 0 and (
        name[position - 1] in _VERSION_WORDS
        or (_YEAR_OR_DATE.fullmatch(name[position - 1]) is not None and len(word) <= 2)
    )


def _is_partial_cjk_name(written: str, name: str, share: float) -> bool:
    written_key, name_key = make_name_key(written), make_name_key(name)
    if (
        len(written_key) < 2
        or written_key not in name_key
        or (written_key in _CJK_GENERIC_NAMES and written_key != name_key)
    ):
        return False
    rest = name_key.replace(written_key, "", 1)
    other_numbers = [token for token in tokenize_name(name) if token.isdigit() and token not in tokenize_name(written)]
    is_distinguished = _CJK_DISTINGUISHING_WORDS.search(rest) or any(
        not _is_omissible(word, tokenize_name(name)) for word in other_numbers
    )
    return (
        not is_distinguished
        and not any(word in _DISTINGUISHING_WORDS for word in tokenize_name(rest))
        and len(written_key) >= share * len(name_key)
    )


def _has_different_short_words(written_words: Sequence[str], name_words: Sequence[str]) -> bool:
    """Return whether names differ by a word of one or two letters: "Part I" and "Part II"."""
    short_words = [
        sorted(word for word in words if len(word) < 3 and not word.isdigit()) for words in (written_words, name_words)
    ]
    return short_words[0] != short_words[1]


def _is_one_typo_apart(written_key: str, name_key: str) -> bool:
    """Return whether names differ by joined words and at most one typo."""
    long_enough = min(len(written_key), len(name_key)) >= 10
    return (
        long_enough
        and written_key[0] == name_key[0]
        and written_key[-1] == name_key[-1]
        and OSA.distance(written_key, name_key) <= 1
    )


def _is_typo(written: str, name_word: str) -> bool:
    """Return whether words differ by a plural, or by a letter left out, doubled, swapped or mistyped within the word.

    The first letter must be equal, and the last one must not be exchanged: "internal" is not "external", nor "employee"
    "employer".
    """
    if is_cjk(written) or is_cjk(name_word) or written.isdigit() or name_word.isdigit():
        return False
    short, long = sorted((written, name_word), key=len)
    if long in (f"{short}s", f"{short}es") and len(short) > 2:
        return True
    if len(short) < MIN_LETTERS_FOR_ONE_TYPO or written[0] != name_word[0]:
        return False
    distance = OSA.distance(written, name_word)
    if written[-1] != name_word[-1]:
        return distance == 1 and len(short) > 6 and long.startswith(short)
    is_substitution = len(written) == len(name_word) and sorted(written) != sorted(name_word)
    max_distance = 2 if len(short) >= MIN_LETTERS_FOR_TWO_TYPOS else 1
    return distance <= max_distance and not (is_substitution and len(short) <= MIN_LETTERS_FOR_ONE_TYPO)


def _normalise_spelling(word: str) -> str:
    """Return the American spelling of a British word."""
    if word == "programme":
        return "program"
    return re.sub(r"(?<=[^\W\d_]{3})re$", "er", word.replace("isation", "ization").replace("ise", "ize"))
