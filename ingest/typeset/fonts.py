"""Choose the font that draws a character: TrueType fonts of the system, else those built into every PDF reader.

ReportLab cannot embed fonts with PostScript outlines (Noto CJK on most systems); these are skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reportlab.pdfbase import cidfonts, pdfmetrics, ttfonts

# expanduser instead of Path.home(), which fails for a user without a home folder.
FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path(os.path.expanduser("~/.fonts")),
    Path(os.path.expanduser("~/.local/share/fonts")),
    Path("/Library/Fonts"),
    Path("/System/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)

TEXT, BOLD, MONO = "text", "bold", "mono"
# File names in order of preference; the Chinese ones by legibility on a screen.
LATIN_FONTS = {
    TEXT: ("LiberationSerif-Regular", "DejaVuSerif", "NotoSerif-Regular", "times", "Times New Roman"),
    MONO: ("LiberationMono-Regular", "DejaVuSansMono", "NotoSansMono-Regular", "cour", "Courier New"),
    BOLD: ("LiberationSans-Bold", "DejaVuSans-Bold", "NotoSans-Bold", "arialbd", "Arial Bold"),
}
CHINESE_FONTS = (
    "wqy-zenhei",
    "wqy-microhei",
    "DroidSansFallbackFull",
    "DroidSansFallback",
    "uming",
    "msyh",
    "simsun",
    "ukai",
)
WIDE_COVERAGE_FONTS = ("DejaVuSans", "NotoSans-Regular", "FreeSans", "FreeSerif", "Arial Unicode")
# These draw a box for every character: worse than no font.
PLACEHOLDER_FONTS = ("lastresort", "adobeblank", "notdef")

# Quotation marks, dashes and dots that Western and Chinese fonts draw differently.
SHARED_MARKS = frozenset("“”‘’—…·")

# Fonts that every PDF reader can draw without embedding, and the encoding of the characters they have.
STANDARD_FONTS = {TEXT: ("Times-Roman", "cp1252"), BOLD: ("Helvetica-Bold", "cp1252"), MONO: ("Courier", "cp1252")}
ASIAN_FONTS = (
    ("STSong-Light", "gb2312"),
    ("MSung-Light", "big5hkscs"),
    ("HeiseiMin-W3", "shift_jis"),
    ("HYSMyeongJo-Medium", "euc_kr"),
    ("STSong-Light", "gbk"),
)


@dataclass(frozen=True, slots=True, eq=False)
class FontFace:
    """A font registered with ReportLab, and a test of what it can draw."""

    name: str
    covers: Callable[[str], bool]

    def width(self, text: str, size: float) -> float:
        width: float = pdfmetrics.stringWidth(text, self.name, size)
        return width


class Fonts:
    """The fonts of a system; finds a face for any character, with a cache."""

    def __init__(self, folders: Iterable[Path] = FONT_FOLDERS):
        self._files = _find_font_files(folders)
        self._face_cache: dict[tuple[str, str, bool], FontFace | None] = {}

    def find_face(self, char: str, style: str = TEXT, *, chinese: bool = False) -> FontFace | None:
        """Return the face for a character; None when no font of this system draws it.

        `chinese` says that the surrounding text is Chinese, so that shared punctuation is drawn the Chinese way.
        """
        key = (char, style, chinese)
        if key not in self._face_cache:
            self._face_cache[key] = next((face for face in self._candidates(*key) if face.covers(char)), None)
        return self._face_cache[key]

    def _candidates(self, char: str, style: str, chinese: bool) -> Iterator[FontFace]:
        """Yield the candidates, best first; a font file is opened only when all before it have failed."""
        if chinese and char in SHARED_MARKS:
            yield from self._open_faces(CHINESE_FONTS)
        yield from self._open_faces(LATIN_FONTS[style])
        yield _load_builtin(*STANDARD_FONTS[style])
        if ord(char) >= 0x2E80:
            yield from self._open_faces(CHINESE_FONTS)
        yield from self._open_faces(WIDE_COVERAGE_FONTS)
        yield from self._open_faces(CHINESE_FONTS)
        yield from self._open_faces(sorted(self._files, key=_rank_plainness))
        for name, codec in ASIAN_FONTS:
            yield _load_builtin(name, codec)

    def _open_faces(self, stems: Iterable[str]) -> Iterator[FontFace]:
        for stem in stems:
            face = _load_truetype(self._files[stem]) if stem in self._files else None
            if face:
                yield face


@cache
def system_fonts() -> Fonts:
    """The fonts of this machine, looked for once a process."""
    return Fonts()


def _rank_plainness(stem: str) -> tuple[bool, str]:
    """Return a sort key: upright, regular fonts before bold, slanted and narrow ones."""
    return bool(re.search("bold|italic|oblique|light|thin|black|medium|condensed|narrow|mono", stem.lower())), stem


def _find_font_files(folders: Iterable[Path]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.tt[fc]")) if folder.is_dir() else ():
            if not any(name in path.stem.lower() for name in PLACEHOLDER_FONTS):
                files.setdefault(path.stem, path)
    return files


@cache
def _load_truetype(path: Path) -> FontFace | None:
    try:
        font = ttfonts.TTFont(f"file:{path}", str(path), asciiReadable=True)
        pdfmetrics.registerFont(font)
    except Exception:
        return None
    glyphs = font.face.charToGlyph
    return FontFace(font.fontName, lambda char: bool(glyphs.get(ord(char))))


# ReportLab pairs this font for Traditional Chinese with an encoding for which some readers draw nothing.
cidfonts.defaultUnicodeEncodings["MSung-Light"] = ("cht", "UniCNS-UCS2-H")


@cache
def _load_builtin(name: str, codec: str) -> FontFace:
    if name not in pdfmetrics.standardFonts:
        pdfmetrics.registerFont(cidfonts.UnicodeCIDFont(name))
    # These PDF encodings end at U+FFFF.
    return FontFace(name, lambda char: char <= "\uffff" and _can_encode(char, codec))


def _can_encode(char: str, codec: str) -> bool:
    try:
        return bool(char.encode(codec))
    except UnicodeEncodeError:
        return False


def _make_to_unicode_cmap(fontname: str, subset: list[int]) -> str:
    """Return ReportLab's character map, with characters beyond U+FFFF as two UTF-16 units, as PDF requires."""
    lines = _reportlab_to_unicode_cmap(fontname, [code if code < 0x10000 else 0xFFFD for code in subset]).split("\n")
    first = next(number for number, line in enumerate(lines) if line.endswith("beginbfchar")) + 1
    for offset, code in enumerate(subset):
        if code >= 0x10000:
            lines[first + offset] = f"<{offset:02X}> <{chr(code).encode('utf-16-be').hex().upper()}>"
    return "\n".join(lines)


# ReportLab writes five hexadecimal digits there, which readers take for another character: a rare Chinese character or
# an emoji could then be seen on the typeset pages, but neither found nor copied.
_reportlab_to_unicode_cmap = ttfonts.makeToUnicodeCMap
ttfonts.makeToUnicodeCMap = _make_to_unicode_cmap
