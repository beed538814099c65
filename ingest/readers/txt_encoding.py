"""Decode text files: byte order marks, UTF-8, UTF-16, then whatever older encoding fits."""

from __future__ import annotations

import codecs
import math
import re
import unicodedata

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import UNSUPPORTED_KIND

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# First bytes of files that are not text, whatever their name.
_BINARY_MAGIC = (
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"%PDF-",
    b"\x1f\x8b",
    b"\x7fELF",
    b"MZ\x90",
    b"Rar!",
    b"7z\xbc\xaf",
    b"BZh9",
    b"\xfd7zXZ",
    b"\xd0\xcf\x11\xe0",
    b"SQLite format 3",
    b"OggS",
    b"RIFF",
    b"\xca\xfe\xba\xbe",
    b"{\\rtf",
)
_SAMPLE_BYTES = 1 << 16
_WESTERN_LETTERS = frozenset("äöüßÄÖÜàâæçéèêëîïôœùûÀÂÇÉÈÊÎÔáíóúñÁÍÓÚÑ¿¡ãõÃÕåøÅØÆ‘’“”„–—…€£§°©®™«»·•\xa0")
_CP1252_ONLY = re.compile(b"[\x80-\x9f]")
_FOREIGN_WORD = re.compile(
    r"(?:(?![\x00-\x7f])[^\W\d_]){4}"
)  # four letters on end that are not ASCII are no Western word
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1b"))
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\x0b]")
_BLOCK_ENDS = re.compile("[\x0c\u2029]")
_BREAK_MARKS = re.compile(
    "\xad(?:[ \t]*\n(?=[^\\W\\d_]))?|[\u200b\u2060\ufeff]"
)  # where a word may be, or is, broken; no joiners of letters
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def decode_text(data: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Return the text with plain line ends and printable characters only, its encoding, and warnings about losses."""
    if data.startswith(_BINARY_MAGIC):
        raise UnreadableFile(UNSUPPORTED_KIND, "The file is not plain text, despite its name.")
    text, encoding = _decode_bytes(data)
    text = _BLOCK_ENDS.sub("\n\n", _LINE_ENDS.sub("\n", text)).replace("\xa0", " ")
    text = _BREAK_MARKS.sub("", text)
    text = _UNPRINTABLE.sub("\ufffd", text)
    lost_count = text.count("\ufffd")
    # A single stray byte deserves no warning.
    warnings = (
        N_(
            "{count} characters of the file are not valid {encoding} and are shown as question marks.",
            count=lost_count,
            encoding=encoding,
        ),
    )
    return text, encoding, warnings if lost_count > 1 else ()


def _decode_bytes(data: bytes) -> tuple[str, str]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff"), encoding
    utf16 = _detect_utf16(data)
    if utf16:
        return data.decode(utf16, "replace"), utf16
    sample = data[:_SAMPLE_BYTES]
    control_count = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    if control_count > 16 and control_count > len(sample) * 0.04:
        raise UnreadableFile(UNSUPPORTED_KIND, "The file is not plain text: it contains binary data.")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decode_legacy(data)


def _detect_utf16(data: bytes) -> str:
    """Return the UTF-16 encoding of Western text, where every other byte is zero; "" for other bytes."""
    sample = data[: min(len(data), _SAMPLE_BYTES) & ~1]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    min_zeros = len(sample) / 2 * 0.3
    if len(sample) < 4 or len(data) % 2:
        return ""
    if odd > min_zeros and even < odd / 10:
        return "utf-16-le"
    return "utf-16-be" if even > min_zeros and odd < even / 10 else ""


def _decode_legacy(data: bytes) -> tuple[str, str]:
    """Decode nearly valid UTF-8 as UTF-8 with replacements; leave the rest to charset-normalizer."""
    as_utf8 = data.decode("utf-8", "replace")
    broken_count, valid_count = as_utf8.count("\ufffd"), len(re.findall("[\x80-\ufffc\U00010000-\U0010ffff]", as_utf8))
    if valid_count > 10 * broken_count:
        return as_utf8, "utf-8"
    from charset_normalizer import from_bytes

    # Only lines with other than ASCII characters are informative, and a guess from a sample is as good and much faster.
    sample = b"\n".join(line for line in data[: 1 << 20].splitlines() if not line.isascii())[:_SAMPLE_BYTES]
    encoding = (
        _detect_western_encoding(sample) or detect_east_asian_encoding(sample) or _detect_alphabet_encoding(sample)
    )
    if not encoding:
        best = from_bytes(sample).best()
        encoding = best.encoding if best else "cp1252"
    return data.decode(encoding, "replace"), encoding


def _detect_western_encoding(data: bytes) -> str:
    """Return the encoding of a text whose other than ASCII characters are nearly all Western European; "" for others."""
    text = data.decode("cp1252", "replace")
    has_euro_sign = "\xa4" in text and not _CP1252_ONLY.search(data)  # else it would be that of all currencies
    non_ascii = [char for char in text if char > "\x7f" and not (has_euro_sign and char == "\xa4")]
    if sum(char in _WESTERN_LETTERS for char in non_ascii) < len(non_ascii) * 0.97 or _FOREIGN_WORD.search(text):
        return ""
    return "iso8859_15" if has_euro_sign else "cp1252"


# Detecting older encodings of other alphabets by how frequent their letters are: texts may be too short for the library.

_CYRILLIC_ENCODINGS = ("cp1251", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic")
_CENTRAL_ENCODINGS = ("cp1250", "iso8859_2")
_ALPHABETS = (  # encodings, and the small letters that are not ASCII, the most frequent first
    (_CYRILLIC_ENCODINGS, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    (_CYRILLIC_ENCODINGS, "оаинвіетрслкдмупязьбгчйхцїжєюшщфґ"),
    (("cp1253", "iso8859_7"), "αοιετσνηυρπκμλςάόωγίέδήχθύφβώξζψϊΐϋΰ"),
    (("cp1255",), "יוהלאתשרמבנכדחעקפגםצטסןזךףץ"),
    (("cp1256",), "اليمنرتوبةدعسفهكقأحجشطصخإضذزئءثىغؤآظ"),
    (_CENTRAL_ENCODINGS, "łęóążśćńź"),
    (_CENTRAL_ENCODINGS, "áíěéýžčřšůúňóďť"),
    (_CENTRAL_ENCODINGS, "áéöóőíüúű"),
    (_CENTRAL_ENCODINGS, "ăîţâş"),
    (("cp1254",), "ıüşöçğ"),
)
_MIN_LETTERS, _MAX_ODD_SHARE = 4, 0.05
_GREEK_ACCENTS = frozenset("άέήίόύώ")  # of which nearly each Greek word has one
_FREQUENCY_RATIO = 0.9  # of a letter to the next more frequent one
_CAPITAL_FACTOR = 0.5
_NEUTRAL_CHARACTERS = frozenset("«»“”„‘’—–…№•·€°§،؛؟\xa0")


def _detect_alphabet_encoding(data: bytes) -> str:
    """Return the encoding in which the letters are as frequent as in the language of an alphabet; "" if they are in none."""
    scores: dict[str, float] = {}
    for encodings, letters in _ALPHABETS:
        for encoding in encodings:
            score = _measure_frequency(data.decode(encoding, "replace"), letters)
            scores[encoding] = max(score, scores.get(encoding, 0.0))
    best = max(scores, key=lambda encoding: scores[encoding])
    return best if scores[best] else ""


def _measure_frequency(text: str, letters: str) -> float:
    """Return how frequent the letters of a text are, up to 1; 0 when there are few, or too many that are odd.

    Odd are other letters, capitals in words, and letters beside those of ASCII where the alphabet has none of them.
    """
    weights = {letter: _FREQUENCY_RATIO**rank for rank, letter in enumerate(letters)}
    is_latin = unicodedata.name(letters[0]).startswith("LATIN")
    found: list[float] = []
    odd_count, before = 0, " "
    for char in text:
        if char > "\x7f" and char not in _NEUTRAL_CHARACTERS:
            is_mixed = before.isascii() and before.isalpha()
            is_odd = (before.islower() and char.isupper()) or (is_mixed and not is_latin) or char.lower() not in weights
            odd_count += is_odd
            found.append(weights.get(char.lower(), weights[letters[-1]]) * (_CAPITAL_FACTOR if char.isupper() else 1.0))
        before = char
    if len(found) < _MIN_LETTERS or odd_count > _MAX_ODD_SHARE * len(found):
        return 0.0
    if (is_latin and _FOREIGN_WORD.search(text)) or (
        _GREEK_ACCENTS & weights.keys() and not _GREEK_ACCENTS & set(text)
    ):
        return 0.0
    return math.exp(sum(map(math.log, found)) / len(found)) / sum(weights.values())


# Detecting older East Asian encodings by their most frequent characters. Their bytes overlap so much that a short text
# in one encoding is nearly always a valid, though senseless, text in the others.

# The most frequent characters of each language.
_SIMPLIFIED = "的一是不了在有人这中大为上个国我以要他时来们到作地于出就对会可也能下过子说而后多所得之等部如自把当应由其与或但并及将员请号应无第日月年二三十"
_TRADITIONAL = "的一是不了在有人這中大為上個國我以要他時來們到作地於出就對會可也能下過子說而後多所得之等部如自把當應由其與或但並及將員請號應無第日月年二三十嘅唔係喺咗啲佢"
_JAPANESE = "".join(map(chr, range(0x3041, 0x3097))) + "ーンスルトリアイ"
_KOREAN = "이다는에을를의가고하지로은도한사기와과니습있것자리어시"
_EAST_ASIAN_ENCODINGS = (
    ("gb18030", frozenset(_SIMPLIFIED)),
    ("big5hkscs", frozenset(_TRADITIONAL)),
    ("shift_jis", frozenset(_JAPANESE)),
    ("euc_jp", frozenset(_JAPANESE)),
    ("cp949", frozenset(_KOREAN)),
)
_MIN_COMMON_SHARE = 0.12  # of the non-ASCII characters; texts in other languages stay well below


def detect_east_asian_encoding(data: bytes) -> str:
    """Return the encoding in which the bytes make most sense; "" when they make too little sense in each."""
    best, best_share = "", _MIN_COMMON_SHARE
    for encoding, common in _EAST_ASIAN_ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        non_ascii = [char for char in text if char > "\x7f"]
        share = sum(char in common for char in non_ascii) / max(len(non_ascii), 1)
        if share > best_share:
            best, best_share = encoding, share
    return best
