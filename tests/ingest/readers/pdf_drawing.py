"""Small PDFs for tests, drawn line by line so that each test knows the position of everything."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path

from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    PdfObject,
    RectangleObject,
    StreamObject,
    TextStringObject,
)
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

A4 = (595, 842)
SENTENCES = (
    "The contractor gives notice of a delay as soon as it is known and says what can be done about it.",
    "The employer answers within ten working days and keeps a record of every notice that was given.",
    "A price that was agreed before the start of the works is not changed by a later offer of the market.",
    "Whoever finds a defect tells the other party, and both of them look for the cheapest way to mend it.",
)


def draw(path: Path, *pages: Callable[[Canvas], None], size: tuple[float, float] = A4) -> Path:
    """Write a PDF with one page for each function."""
    canvas = Canvas(str(path), pagesize=size)
    for page in pages:
        canvas.setFont("Helvetica", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return path


def lines(canvas: Canvas, x: float, y: float, texts: Iterable[str], leading: float = 12) -> float:
    """Draw each text on its own line downward from y, and return the y of the next line."""
    for text in texts:
        canvas.drawString(x, y, text)
        y -= leading
    return y


def wrapped(text: str, letters: int) -> list[str]:
    """Return the text broken into lines of about so many letters, as a typesetter would."""
    rows, row, width = [], "", letters * 4.7
    for word in text.split():
        if row and stringWidth(f"{row} {word}", "Helvetica", 10) > width:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}".strip()
    return [*rows, row]


def prose(number: int = 0, count: int = 4) -> str:
    """Return running text that differs from page to page."""
    picked = [SENTENCES[(number + k) % len(SENTENCES)] for k in range(count)]
    return " ".join(f"{sentence[:-1]} in part {number}." if k == 0 else sentence for k, sentence in enumerate(picked))


def relettered(path: Path, letters: dict[str, str]) -> Path:
    """Make the font map its letters to others, so that a small file can have any script."""
    writer = PdfWriter(clone_from=path)
    pairs = "\n".join(f"<{ord(a):02x}> <{b.encode('utf-16-be').hex()}>" for a, b in letters.items())
    stream = StreamObject()
    stream.set_data(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <ff> endcodespacerange\n{len(letters)} beginbfchar\n{pairs}\nendbfchar\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end".encode("ascii")
    )
    reference = writer._add_object(stream)
    for page in writer.pages:
        for font in page["/Resources"]["/Font"].values():
            font.get_object()[NameObject("/ToUnicode")] = reference
    writer.write(path)
    return path


def add_annotation(path: Path, subtype: str, words: str, box: tuple[float, float, float, float], **entries) -> Path:
    """Add an annotation to the first page that draws words in 12 points at the left of its box."""
    writer = PdfWriter(clone_from=path)
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    appearance = StreamObject()
    appearance.set_data(f"BT /F1 12 Tf 0 4 Td ({words}) Tj ET".encode("latin-1"))
    appearance.update(_as_pdf({"/Type": "/XObject", "/Subtype": "/Form", "/Resources": {"/Font": {"/F1": font}}}))
    appearance[NameObject("/BBox")] = RectangleObject((0, 0, box[2] - box[0], box[3] - box[1]))
    annotation = _as_pdf({"/Type": "/Annot", "/Subtype": subtype, "/F": 4, **entries})
    annotation[NameObject("/Rect")] = RectangleObject(box)
    annotation[NameObject("/AP")] = DictionaryObject({NameObject("/N"): writer._add_object(appearance)})
    page = writer.pages[0]
    page[NameObject("/Annots")] = ArrayObject([*page.get("/Annots", ()), writer._add_object(annotation)])
    writer.write(path)
    return path


def _as_pdf(value) -> PdfObject:
    """Convert a value to a PDF object; a string that begins with a slash becomes a name."""
    if isinstance(value, dict):
        return DictionaryObject({NameObject(key): _as_pdf(inner) for key, inner in value.items()})
    if isinstance(value, int):
        return NumberObject(value)
    return NameObject(value) if value.startswith("/") else TextStringObject(value)


def picture(shade: int = 90) -> ImageReader:
    """Return a grey picture."""
    data = io.BytesIO()
    Image.new("RGB", (40, 40), (shade, shade, shade)).save(data, "PNG")
    data.seek(0)
    return ImageReader(data)
