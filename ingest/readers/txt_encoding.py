"""Bytes to text: byte order marks, UTF-8, UTF-16, then whatever older encoding fits."""

from __future__ import annotations

import codecs
import re

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import UNSUPPORTED

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How files begin that are certainly no text, whatever they are called.
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
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def decode_text(data: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Text with plain line ends and nothing unprintable, the encoding's name, and what was lost."""
    if data.startswith(_BINARY_MAGIC):
        raise UnreadableFile(UNSUPPORTED, "The file is not plain text, despite its name.")
    text, encoding = _decode_bytes(data)
    text = _BLOCK_ENDS.sub("\n\n", _LINE_ENDS.sub("\n", text)).replace("\xa0", " ").replace("\ufeff", "")
    text = _UNPRINTABLE.sub("\ufffd", text)
    lost = text.count("\ufffd")
    # One stray byte is nothing to worry a reader with; more is said.
    warnings = (N_(f"{lost} characters of the file are not valid {encoding} and are shown as question marks."),)
    return text, encoding, warnings if lost > 1 else ()


def _decode_bytes(data: bytes) -> tuple[str, str]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff"), encoding
    sixteen = _detect_utf16(data)
    if sixteen:
        return data.decode(sixteen, "replace"), sixteen
    sample = data[:_SAMPLE_BYTES]
    control = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    if control > 16 and control > len(sample) * 0.04:
        raise UnreadableFile(UNSUPPORTED, "The file is not plain text: it contains binary data.")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decode_legacy(data)


def _detect_utf16(data: bytes) -> str:
    """In UTF-16 every other byte of Western text is zero."""
    sample = data[: min(len(data), _SAMPLE_BYTES) & ~1]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    enough = len(sample) / 2 * 0.3
    if len(sample) < 4 or len(data) % 2:
        return ""
    if odd > enough and even < odd / 10:
        return "utf-16-le"
    return "utf-16-be" if even > enough and odd < even / 10 else ""


def _decode_legacy(data: bytes) -> tuple[str, str]:
    """Nearly UTF-8 is taken for UTF-8 with scars; the rest is charset-normalizer's to guess."""
    healed = data.decode("utf-8", "replace")
    broken, good = healed.count("\ufffd"), len(re.findall("[\x80-\ufffc\U00010000-\U0010ffff]", healed))
    if good > 10 * broken:
        return healed, "utf-8"
    from charset_normalizer import from_bytes

    # Only lines that are not plain ASCII tell anything, and a guess from a sample is as good and much faster.
    telling = b"\n".join(line for line in data[: 1 << 20].splitlines() if not line.isascii())[:_SAMPLE_BYTES]
    encoding = "cp1252" if _is_western(telling) else detect_east_asian_encoding(telling)
    if not encoding:
        best = from_bytes(telling).best()
        encoding = best.encoding if best else "cp1252"
    return data.decode(encoding, "replace"), encoding


def _is_western(data: bytes) -> bool:
    """Nearly all that is not ASCII is a letter or mark of Western Europe: its neighbours' encodings differ in few."""
    foreign = [char for char in data.decode("cp1252", "replace") if char > "\x7f"]
    return sum(char in _WESTERN_LETTERS for char in foreign) >= len(foreign) * 0.97


# Tells the older encodings of East Asia apart by the characters that every text there is full of.
#
# Their bytes overlap so much that a short text of one is nearly always also a text of the others, only a senseless one.


# The characters that a page of each language can hardly do without.
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
_MIN_COMMON_SHARE = 0.12  # of the characters beyond ASCII; texts of other languages read as these stay well below


def detect_east_asian_encoding(data: bytes) -> str:
    """The encoding that makes the most sense; "" when none makes enough."""
    best, most = "", _MIN_COMMON_SHARE
    for encoding, common in _EAST_ASIAN_ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        foreign = [char for char in text if char > "\x7f"]
        share = sum(char in common for char in foreign) / max(len(foreign), 1)
        if share > most:
            best, most = encoding, share
    return best
