"""Decode text files: byte order marks, UTF-8, UTF-16, then whatever older encoding fits."""

from __future__ import annotations

import codecs
import re

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
    encoding = "cp1252" if _is_western(sample) else detect_east_asian_encoding(sample)
    if not encoding:
        best = from_bytes(sample).best()
        encoding = best.encoding if best else "cp1252"
    return data.decode(encoding, "replace"), encoding


def _is_western(data: bytes) -> bool:
    """Return whether nearly all non-ASCII characters are Western European; related encodings differ in few of them."""
    non_ascii = [char for char in data.decode("cp1252", "replace") if char > "\x7f"]
    return sum(char in _WESTERN_LETTERS for char in non_ascii) >= len(non_ascii) * 0.97


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
