"""Read the text of an e-mail that is stored as RTF: the HTML or the plain text within it (MS-OXRTFEX), or its own text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

MAX_GROUPS_DEEP = 1_000
_TOKEN = re.compile(
    rb"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|'(?P<byte>[0-9a-fA-F]{2})|(?P<symbol>.))"
    rb"|(?P<brace>[{}])|[\r\n]+|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_UNREAD_GROUPS = frozenset(
    "colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf pntext listtext".split()
)
_SYMBOLS = {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad"}
_CHARACTERS = {
    "tab": "\t", "cell": "\t", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "endash": "–", "emdash": "—", "enspace": "\u2002", "emspace": "\u2003",
}  # fmt: skip
_LINE_ENDS = frozenset(("line", "row"))
_PARAGRAPH_ENDS = frozenset(("par", "sect", "page"))
_ENCODINGS_BY_CHARSET = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_ENCODINGS_BY_CODE_PAGE = {936: "gb18030", 950: "big5hkscs", 65001: "utf-8"}


@dataclass(frozen=True, slots=True)
class RtfBody:
    """The text of an e-mail: HTML, or plain text."""

    text: str
    is_html: bool


@dataclass(slots=True)
class _Group:
    """The properties of the text in a group; the groups in it begin with the same."""

    font: int = 0
    fallback_count: int = 1  # characters after each Unicode character, for programs that do not know it
    is_unread: bool = False
    is_font_table: bool = False
    is_html_tag: bool = False
    is_rtf_only: bool = False  # written for programs that show the RTF instead of the HTML within it
    is_hidden: bool = False
    is_optional: bool = False  # its first word decides


def read_rtf_body(rtf: bytes) -> RtfBody:
    """Return the text of an e-mail. Raises `ValueError` for RTF whose groups are nested too deeply."""
    first_words = rtf.split(b"{", 2)[1] if rtf.startswith(b"{\\rtf") else b""
    is_html = b"\\fromhtml1" in first_words
    paragraph_end = "\n" if is_html or b"\\fromtext" in first_words else "\n\n"
    return RtfBody(_RtfReader(rtf, is_html, paragraph_end).read(), is_html)


class _RtfReader:
    """A reader of the tokens of an RTF file."""

    def __init__(self, rtf: bytes, is_html: bool, paragraph_end: str):
        self._rtf, self._is_html, self._paragraph_end = rtf, is_html, paragraph_end
        self._groups = [_Group()]
        self._texts: list[str] = []
        self._bytes = bytearray()  # characters that are not decoded yet; one may begin in an escape and end in text
        self._encoding = "cp1252"
        self._charsets: dict[int, int] = {}  # by font
        self._defined_font = 0
        self._skipped_count = 0  # characters to come that repeat a Unicode character

    def read(self) -> str:
        position = 0
        while token := _TOKEN.match(self._rtf, position):
            position = token.end()
            if token["word"] == b"bin":
                position += max(int(token["number"] or 0), 0)
            elif token["brace"]:
                self._read_brace(token["brace"])
            elif token["word"]:
                number = int(token["number"]) if token["number"] else None
                self._read_word(token["word"].decode(), number)
            elif token["symbol"]:
                self._read_symbol(token["symbol"])
            elif token["byte"]:
                self._add_bytes(bytes.fromhex(token["byte"].decode()))
            elif token["text"]:
                self._add_bytes(token["text"])
        self._decode_bytes()
        # Characters beyond the first 65,536 are two tokens each.
        return "".join(self._texts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    @property
    def _group(self) -> _Group:
        return self._groups[-1]

    def _read_brace(self, brace: bytes) -> None:
        self._decode_bytes()
        self._skipped_count = 0
        if brace == b"{":
            if len(self._groups) > MAX_GROUPS_DEEP:
                raise ValueError("The groups are nested too deeply.")
            self._groups.append(replace(self._group))
        elif len(self._groups) > 1:
            self._groups.pop()

    def _read_word(self, word: str, number: int | None) -> None:
        self._decode_bytes()
        group = self._group
        if group.is_optional:
            group.is_optional, group.is_html_tag = False, word == "htmltag"
            group.is_unread = group.is_unread or not group.is_html_tag
        elif word in _UNREAD_GROUPS:
            group.is_unread = True
        elif word == "u" and number is not None:
            self._add_text(chr(number & 0xFFFF))
            self._skipped_count = group.fallback_count
        elif word in _CHARACTERS:
            self._add_text(_CHARACTERS[word])
        elif word in _LINE_ENDS:
            self._add_text("\n")
        elif word in _PARAGRAPH_ENDS:
            self._add_text(self._paragraph_end)
        else:
            self._set_property(word, number)

    def _set_property(self, word: str, number: int | None) -> None:
        group = self._group
        if word == "fonttbl":
            group.is_font_table = True
        elif word in ("f", "deff"):
            self._defined_font = group.font = number or 0
        elif word == "fcharset" and number is not None:
            self._charsets[self._defined_font] = number
        elif word == "ansicpg" and number:
            self._encoding = _ENCODINGS_BY_CODE_PAGE.get(number, f"cp{number}")
        elif word == "uc" and number is not None:
            group.fallback_count = max(number, 0)
        elif word == "htmlrtf":
            group.is_rtf_only = self._is_html and number != 0
        elif word == "v":
            group.is_hidden = not self._is_html and number != 0
        elif word == "plain":
            group.is_hidden = False

    def _read_symbol(self, symbol: bytes) -> None:
        self._decode_bytes()
        if symbol == b"*":
            self._group.is_optional = True
        elif symbol in b"\r\n":
            self._add_text(self._paragraph_end)
        elif self._skipped_count:
            self._skipped_count -= 1
        else:
            self._add_text(_SYMBOLS.get(symbol, ""))

    def _has_text(self) -> bool:
        group = self._group
        return not (group.is_unread or group.is_font_table or group.is_rtf_only or group.is_hidden)

    def _add_text(self, text: str) -> None:
        if self._has_text():
            self._texts.append(text)

    def _add_bytes(self, added: bytes) -> None:
        skipped = min(self._skipped_count, len(added))
        self._skipped_count -= skipped
        if self._has_text():
            self._bytes += added[skipped:]

    def _decode_bytes(self) -> None:
        """Decode the collected characters: those of HTML's tags as all of the file, others as their font says."""
        if not self._bytes:
            return
        charset = -1 if self._group.is_html_tag else self._charsets.get(self._group.font, -1)
        try:
            text = self._bytes.decode(_ENCODINGS_BY_CHARSET.get(charset, self._encoding), "replace")
        except LookupError:
            text = self._bytes.decode("cp1252", "replace")
        self._texts.append(text)
        self._bytes.clear()
