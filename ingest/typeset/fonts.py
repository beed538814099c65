"""Which font draws which character: TrueType fonts of this system, else the ones that every PDF reader brings.

Fonts with PostScript outlines (Noto CJK of most systems) cannot be embedded by reportlab and are passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reportlab.pdfbase import cidfonts, pdfmetrics, ttfonts

# expanduser and not Path.home(): a user without a home is no reason to fail.
FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path(os.path.expanduser("~/.fonts")),
    Path(os.path.expanduser("~/.local/share/fonts")),
    Path("/Library/Fonts"),
    Path("/System/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)

TEXT, BOLD, MONO = "text", "bold", "mono"
# File names in order of liking; Chinese ones first by how well they read on a screen.
LATIN = {
    TEXT: ("LiberationSerif-Regular", "DejaVuSerif", "NotoSerif-Regular", "times", "Times New Roman"),
    MONO: ("LiberationMono-Regular", "DejaVuSansMono", "NotoSansMono-Regular", "cour", "Courier New"),
    BOLD: ("LiberationSans-Bold", "DejaVuSans-Bold", "NotoSans-Bold", "arialbd", "Arial Bold"),
}
CHINESE = (
    "wqy-zenhei",
    "wqy-microhei",
    "DroidSansFallbackFull",
    "DroidSansFallback",
    "uming",
    "msyh",
    "simsun",
    "ukai",
)
WIDE = ("DejaVuSans", "NotoSans-Regular", "FreeSans", "FreeSerif", "Arial Unicode")
# These cover everything with the picture of a box: worse than none.
EMPTY_SHAPES = ("lastresort", "adobeblank", "notdef")

# Quotation marks, dashes and dots that Western and Chinese fonts draw differently.
SHARED_MARKS = frozenset("“”‘’—…·")

# What every PDF reader can draw unembedded, and the encoding that tells which characters it has.
STANDARD = {TEXT: ("Times-Roman", "cp1252"), BOLD: ("Helvetica-Bold", "cp1252"), MONO: ("Courier", "cp1252")}
ASIAN = (
    ("STSong-Light", "gb2312"),
    ("MSung-Light", "big5hkscs"),
    ("HeiseiMin-W3", "shift_jis"),
    ("HYSMyeongJo-Medium", "euc_kr"),
    ("STSong-Light", "gbk"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A font known to reportlab, and what it can draw."""

    name: str
    covers: Callable[[str], bool]

    def width(self, text: str, size: float) -> float:
        return pdfmetrics.stringWidth(text, self.name, size)


class Fonts:
    """Finds a face for any character; each answer is remembered."""

    def __init__(self, folders: Iterable[Path] = FOLDERS):
        self._files = _font_files(folders)
        self._known: dict[tuple[str, str, bool], Face | None] = {}

    def face(self, char: str, style: str = TEXT, *, chinese: bool = False) -> Face | None:
        """The face for one character; None when nothing on this system draws it.

        `chinese`: the text around is Chinese, so marks that both scripts use are drawn the Chinese way.
        """
        key = (char, style, chinese)
        if key not in self._known:
            self._known[key] = next((face for face in self._candidates(*key) if face.covers(char)), None)
        return self._known[key]

    def _candidates(self, char: str, style: str, chinese: bool) -> Iterator[Face]:
        """Best first; opens a font file only when all before it have failed."""
        if chinese and char in SHARED_MARKS:
            yield from self._opened(CHINESE)
        yield from self._opened(LATIN[style])
        yield _encoded(*STANDARD[style])
        if ord(char) >= 0x2E80:
            yield from self._opened(CHINESE)
        yield from self._opened(WIDE)
        yield from self._opened(CHINESE)
        yield from self._opened(sorted(self._files, key=_plainness))
        for name, codec in ASIAN:
            yield _encoded(name, codec)

    def _opened(self, stems: Iterable[str]) -> Iterator[Face]:
        for stem in stems:
            face = _truetype(self._files[stem]) if stem in self._files else None
            if face:
                yield face


@cache
def system_fonts() -> Fonts:
    """The fonts of this machine, looked for once a process."""
    return Fonts()


def _plainness(stem: str) -> tuple[bool, str]:
    """Upright and regular cuts before bold, slanted and narrow ones."""
    return bool(re.search("bold|italic|oblique|light|thin|black|medium|condensed|narrow|mono", stem.lower())), stem


def _font_files(folders: Iterable[Path]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.tt[fc]")) if folder.is_dir() else ():
            if not any(name in path.stem.lower() for name in EMPTY_SHAPES):
                files.setdefault(path.stem, path)
    return files


@cache
def _truetype(path: Path) -> Face | None:
    try:
        font = ttfonts.TTFont(f"file:{path}", str(path), asciiReadable=True)
        pdfmetrics.registerFont(font)
    except Exception:
        return None
    glyphs = font.face.charToGlyph
    return Face(font.fontName, lambda char: bool(glyphs.get(ord(char))))


# reportlab pairs this font of Traditional Chinese with the mainland's encoding, at which some readers draw nothing.
cidfonts.defaultUnicodeEncodings["MSung-Light"] = ("cht", "UniCNS-UCS2-H")


@cache
def _encoded(name: str, codec: str) -> Face:
    if name not in pdfmetrics.standardFonts:
        pdfmetrics.registerFont(cidfonts.UnicodeCIDFont(name))
    # These encodings of PDF go no further than U+FFFF.
    return Face(name, lambda char: char <= "\uffff" and _encodes(char, codec))


def _encodes(char: str, codec: str) -> bool:
    try:
        return bool(char.encode(codec))
    except UnicodeEncodeError:
        return False


def _to_unicode(fontname: str, subset: list[int]) -> str:
    """As reportlab writes it, but with characters beyond U+FFFF as the two UTF-16 units that PDF asks for."""
    lines = _written_by_reportlab(fontname, [code if code < 0x10000 else 0xFFFD for code in subset]).split("\n")
    first = next(number for number, line in enumerate(lines) if line.endswith("beginbfchar")) + 1
    for at, code in enumerate(subset):
        if code >= 0x10000:
            lines[first + at] = f"<{at:02X}> <{chr(code).encode('utf-16-be').hex().upper()}>"
    return "\n".join(lines)


# reportlab writes five hexadecimal digits there, which readers take for another character: without this a rare
# Chinese character or an emoji could be seen on our pages but neither found nor copied.
_written_by_reportlab = ttfonts.makeToUnicodeCMap
ttfonts.makeToUnicodeCMap = _to_unicode
