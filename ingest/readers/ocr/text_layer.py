"""Write the searchable copy of a PDF: the same pages, with the recognised words invisibly over the scanned ones."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

import pypdfium2
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from ingest.readers.ocr.hocr import UNSPACED, RecognisedLine, RecognisedWord
from ingest.readers.ocr.page_recognition import RecognisedPage
from ingest.readers.pdf.stamped_scans import is_stamped_scan
from ingest.typeset.bidi import order_visually

FONT_NAME = "GlyphLessFont"  # by this name highlighter/pages/page_characters.py knows recognised words
_FONT_KEY = "/HighlighterRecognised"
_ADVANCE = 0.5  # of each letter, by the font's size; words are stretched to their boxes
_MIN_GAP = 0.3  # between a Chinese word and a Latin one that a space separates, by the size of the letters
_MIN_COLUMN_GAP = 1.5  # between Chinese words that do not belong together, by the same
_MIN_SLOPE = 0.002  # of a line
_RASTER_SCALE = 150 / 72  # of a page that is replaced by its picture

Matrix = tuple[float, float, float, float, float, float]


def write_searchable_copy(path: Path, pages: Sequence[RecognisedPage], copy: Path) -> None:
    """Write the copy. A page whose text means nothing is replaced by its picture first; stamps on a scan stay."""
    writer = PdfWriter(clone_from=_open_reader(path))
    font = _add_font(writer, pages)
    replaced = _find_pages_with_nonsense(path, pages)
    for page in pages:
        if page.number in replaced:
            _replace_by_picture(writer, path, page)
        _add_layer(writer, writer.pages[page.number - 1], page, font)
    with copy.open("wb") as target:
        writer.write(target)


def _open_reader(path: Path) -> PdfReader:
    """Return a reader of the file, or of the same file as PDFium saves it where pypdf would lose pages."""
    with pypdfium2.PdfDocument(path) as document:
        try:
            reader = PdfReader(path)
            if reader.is_encrypted:
                reader.decrypt("")
            if len(reader.pages) == len(document):
                return reader
        except Exception:  # a damaged file can make pypdf raise anything
            pass
        saved = io.BytesIO()
        document.save(saved)
        return PdfReader(saved)


def _find_pages_with_nonsense(path: Path, pages: Sequence[RecognisedPage]) -> set[int]:
    with pypdfium2.PdfDocument(path) as document:
        return {page.number for page in pages if _has_nonsense(document[page.number - 1])}


def _has_nonsense(page: pypdfium2.PdfPage) -> bool:
    """Return whether a recognised page has text, which is not that of stamps."""
    return page.get_textpage().count_chars() > 0 and not is_stamped_scan(page)


def _add_layer(writer: PdfWriter, page: PageObject, recognised: RecognisedPage, font: IndirectObject) -> None:
    contents = page.get("/Contents")
    existing = contents.get_object() if contents is not None else ArrayObject()
    streams = list(existing) if isinstance(existing, ArrayObject) else [page.raw_get("/Contents")]
    layer = "\n".join(_draw_words(recognised)).encode("ascii")
    parts = [_stream(b"q\n"), *streams, _stream(b"\nQ\n" + layer)]
    page[NameObject("/Contents")] = ArrayObject(
        [part if isinstance(part, IndirectObject) else writer._add_object(part) for part in parts]
    )
    resources = page.get("/Resources", DictionaryObject()).get_object()
    own = DictionaryObject(resources)
    fonts = DictionaryObject(own.get("/Font", DictionaryObject()).get_object())
    fonts[NameObject(_FONT_KEY)] = font
    own[NameObject("/Font")] = fonts
    page[NameObject("/Resources")] = own


def _draw_words(page: RecognisedPage) -> Iterator[str]:
    yield "BT 3 Tr"
    for line in page.lines:
        yield from _draw_line(page, line)
    yield "ET"


def _draw_line(page: RecognisedPage, line: RecognisedLine) -> Iterator[str]:
    size = max(line.size / page.pixels_per_point, 1.0)
    line = replace(line, words=tuple(sorted(line.words, key=lambda word: word.x0)))
    yield f"{_FONT_KEY} {size:.3f} Tf"
    for run in _join_unspaced(line):
        first, last = run[0], run[-1]
        text = order_visually("".join(word.text for word in run))
        # PDFium leaves out letters without shapes that run exactly up or down the page: they have no width.
        slope = (last.baseline - first.baseline) / max(last.x0 - first.x0, 1.0) or _MIN_SLOPE
        matrix = " ".join(f"{value:.4f}" for value in find_matrix(page, first.x0, first.baseline, slope))
        stretch = (last.x1 - first.x0) / page.pixels_per_point / (len(text) * _ADVANCE * size) * 100
        yield f"{matrix} Tm {stretch:.3f} Tz <{text.encode('utf-16-be', 'replace').hex()}> Tj"


def _join_unspaced(line: RecognisedLine) -> Iterator[list[RecognisedWord]]:
    """Yield words with the space after them, and runs of Chinese words, whose letters are all equally wide.

    Tesseract's boxes of single Chinese words are rough: between the ends of a run the letters are where they should be.
    """
    run: list[RecognisedWord] = []
    for word, following in zip_longest(line.words, line.words[1:]):
        has_space = _has_space_after(word, following, line.size)
        run.append(replace(word, text=word.text + " ") if has_space else word)
        if has_space or following is None or not _is_unspaced_pair(word, following):
            # PDFium leaves out a text object of one character without a shape.
            yield run if len(run) > 1 or len(run[0].text) > 1 else [replace(run[0], text=run[0].text + " ")]
            run = []


def _is_unspaced_pair(word: RecognisedWord, following: RecognisedWord) -> bool:
    return bool(UNSPACED.match(word.text[-1]) and UNSPACED.match(following.text[0]))


def _has_space_after(word: RecognisedWord, following: RecognisedWord | None, size: float) -> bool:
    unspaced = bool(UNSPACED.match(word.text[-1])) + bool(following and UNSPACED.match(following.text[0]))
    if following is None:
        return not unspaced
    return unspaced == 0 or following.x0 - word.x1 > (_MIN_GAP if unspaced == 1 else _MIN_COLUMN_GAP) * size


def find_matrix(page: RecognisedPage, x: float, y: float, slope: float = 0.0) -> Matrix:
    """Return the PDF matrix of text at a point of the upright picture, in the page's own coordinates."""
    unit = page.pixels_per_point
    start_x, start_y = _to_page(page, x, y)
    right_x, right_y = _to_page(page, x + unit, y + slope * unit)
    up_x, up_y = _to_page(page, x + slope * unit, y - unit)
    return right_x - start_x, right_y - start_y, up_x - start_x, up_y - start_y, start_x, start_y


def _to_page(page: RecognisedPage, x: float, y: float) -> tuple[float, float]:
    """Convert a point of the upright picture to the page's own coordinates, where y points upward."""
    left, bottom, right, top = page.box
    x, y = x / page.pixels_per_point, y / page.pixels_per_point
    width, height = right - left, top - bottom  # of the page; turned with it by both angles
    match (page.rotation + page.turn) % 360:
        case 90:
            return left + y, bottom + x
        case 180:
            return left + width - x, bottom + y
        case 270:
            return left + width - y, bottom + height - x
        case _:
            return left + x, bottom + height - y


def _replace_by_picture(writer: PdfWriter, path: Path, page: RecognisedPage) -> None:
    """Replace what a page draws by a picture of it, so that only the recognised words are its text."""
    with pypdfium2.PdfDocument(path) as document:
        pdf_page = document[page.number - 1]
        pdf_page.set_rotation(0)
        width, height = pdf_page.get_size()
        scale = min(_RASTER_SCALE, (12_000_000 / max(width * height, 1)) ** 0.5)
        picture = pdf_page.render(scale=scale).to_pil()
    data = io.BytesIO()
    picture.convert("RGB").save(data, "JPEG", quality=85)
    image = _stream(data.getvalue())
    for key, value in {
        "/Type": NameObject("/XObject"), "/Subtype": NameObject("/Image"), "/Filter": NameObject("/DCTDecode"),
        "/ColorSpace": NameObject("/DeviceRGB"), "/BitsPerComponent": NumberObject(8),
        "/Width": NumberObject(picture.width), "/Height": NumberObject(picture.height),
    }.items():  # fmt: skip
        image[NameObject(key)] = value
    left, bottom, right, top = page.box
    target = writer.pages[page.number - 1]
    drawing = f"q {right - left:.3f} 0 0 {top - bottom:.3f} {left:.3f} {bottom:.3f} cm /Picture Do Q"
    target[NameObject("/Contents")] = writer._add_object(_stream(drawing.encode("ascii")))
    pictures = DictionaryObject({NameObject("/Picture"): writer._add_object(image)})
    target[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): pictures})
    target.pop("/Annots", None)


def _stream(data: bytes) -> StreamObject:
    stream = StreamObject()
    stream.set_data(data)
    return stream


def _add_font(writer: PdfWriter, pages: Sequence[RecognisedPage]) -> IndirectObject:
    """Add a font without shapes, of which each code is a UTF-16 unit."""
    text = "".join(word.text for page in pages for line in page.lines for word in line.words) + " "
    to_unicode = _stream(_write_character_map(text))
    descriptor = _dictionary(
        Type="/FontDescriptor", FontName=f"/{FONT_NAME}", Flags=5, ItalicAngle=0, Ascent=800, Descent=-220,
        CapHeight=700, StemV=80, FontBBox=ArrayObject(map(NumberObject, (0, -220, 500, 800))),
    )  # fmt: skip
    system = DictionaryObject({
        NameObject("/Registry"): TextStringObject("Adobe"), NameObject("/Ordering"): TextStringObject("Identity"),
        NameObject("/Supplement"): NumberObject(0),
    })  # fmt: skip
    descendant = _dictionary(
        Type="/Font", Subtype="/CIDFontType2", BaseFont=f"/{FONT_NAME}", DW=int(1000 * _ADVANCE),
        CIDSystemInfo=system, FontDescriptor=writer._add_object(descriptor), CIDToGIDMap="/Identity",
    )  # fmt: skip
    font = _dictionary(
        Type="/Font", Subtype="/Type0", BaseFont=f"/{FONT_NAME}", Encoding="/Identity-H",
        DescendantFonts=ArrayObject([writer._add_object(descendant)]), ToUnicode=writer._add_object(to_unicode),
    )  # fmt: skip
    return writer._add_object(font)


def _dictionary(**values: object) -> DictionaryObject:
    return DictionaryObject(
        {
            NameObject(f"/{key}"): NameObject(value)
            if isinstance(value, str)
            else NumberObject(value)
            if isinstance(value, int)
            else value
            for key, value in values.items()
        }
    )


def _write_character_map(text: str) -> bytes:
    """Return a map of codes to themselves. A range may differ in its last byte only, and a block has 100 at most."""
    rows = sorted({unit >> 8 for unit in memoryview(text.encode("utf-16-le", "replace")).cast("H")})
    ranges = [f"<{row:02x}00> <{row:02x}ff> <{row:02x}00>" for row in rows]
    blocks = [ranges[start : start + 100] for start in range(0, len(ranges), 100)]
    listed = "\n".join(f"{len(block)} beginbfrange\n" + "\n".join(block) + "\nendbfrange" for block in blocks)
    return _CHARACTER_MAP.replace("RANGES", listed).encode("ascii")


_CHARACTER_MAP = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
RANGES
endcmap CMapName currentdict /CMap defineresource pop end end
"""
