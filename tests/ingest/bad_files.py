"""Files that no reader should ever meet, made here byte by byte."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

import brotli
from pypdf import PdfWriter

from tests.conftest import SAMPLES

CONTRACT = SAMPLES / "Harbour Works Contract.pdf"
POLICY = SAMPLES / "HR Policy - Leave and Flexible Working.docx"
PIECE = 1 << 20


def pdf(*objects: bytes) -> bytes:
    """A PDF of these numbered objects, the first of them its catalog, with a sound table of where they stand."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(out)


def one_page(stream: bytes, filters: bytes) -> bytes:
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(stream), filters, stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def deflated(unit: bytes, size: int) -> bytes:
    packer = zlib.compressobj(1)
    piece = unit * (PIECE // len(unit))
    return b"".join(packer.compress(piece) for _ in range(size // PIECE)) + packer.flush()


def flate_bomb() -> bytes:
    """Two gigabytes of drawing instructions in some kilobytes."""
    return one_page(zlib.compress(deflated(b"BT /F1 9 Tf (a) Tj ET ", 2 << 30), 9), b"[/FlateDecode /FlateDecode]")


def page_tree_cycle() -> bytes:
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 900000 /Parent 3 0 R >>",
        b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 900000 /Parent 2 0 R >>",
    )


def endless_nesting() -> bytes:
    return pdf(b"<< /Type /Catalog /Pages " + b"[" * 500_000 + b"]" * 500_000 + b" >>")


def brotli_pdf() -> bytes:
    """A PDF of which everything is in streams that are compressed with Brotli: objects, content, where they stand."""
    drawing = brotli.compress(b"BT /F1 12 Tf 60 700 Td (The ferry leaves at seven.) Tj ET")
    packed = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
        b" /Resources << /Font << /F1 4 0 R >> >> >>",
        4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    starts, bodies = b"", b""
    for number, body in packed.items():
        starts += b"%d %d " % (number, len(bodies))
        bodies += body + b" "
    objects = brotli.compress(starts + bodies)
    out = bytearray(b"%PDF-2.0\n")
    rows = [(0, 0, 65535), *((2, 6, index) for index in range(len(packed)))]
    for number, entries, stream in (
        (5, b"", drawing),
        (6, b"/Type /ObjStm /N %d /First %d " % (len(packed), len(starts)), objects),
    ):
        rows.append((1, len(out), 0))
        out += b"%d 0 obj << %s" % (number, entries) + _brotli_stream(stream) + b" endobj\n"
    start = len(out)
    rows.append((1, start, 0))
    table = brotli.compress(b"".join(struct.pack(">BIH", *row) for row in rows))
    out += b"7 0 obj << /Type /XRef /Size 8 /W [1 4 2] /Root 1 0 R " + _brotli_stream(table) + b" endobj\n"
    return bytes(out + b"startxref\n%d\n%%%%EOF" % start)


def _brotli_stream(data: bytes) -> bytes:
    return b"/Filter /BrotliDecode /Length %d >> stream\n%s\nendstream" % (len(data), data)


def password_pdf(folder: Path) -> bytes:
    writer = PdfWriter(clone_from=CONTRACT)
    writer.encrypt(user_password="secret", algorithm="RC4-128")
    writer.write(folder / "locked")
    return (folder / "locked").read_bytes()


def zip_bomb(folder: Path) -> bytes:
    """A Word file whose only part unpacks to half a gigabyte."""
    with zipfile.ZipFile(POLICY) as sound, zipfile.ZipFile(folder / "bomb", "w", zipfile.ZIP_DEFLATED) as bomb:
        for part in sound.infolist():
            if part.filename != "word/document.xml":
                bomb.writestr(part, sound.read(part))
        with bomb.open("word/document.xml", "w") as part:
            for _ in range(512):
                part.write(b"<w:p>" + b" " * PIECE)
    return (folder / "bomb").read_bytes()


def billion_laughs(folder: Path) -> bytes:
    """A Word file whose XML declares an entity of entities."""
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    xml = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "ha">{entities}]><w>&l9;</w>'
    with zipfile.ZipFile(POLICY) as sound, zipfile.ZipFile(folder / "laughs", "w", zipfile.ZIP_DEFLATED) as bomb:
        for part in sound.infolist():
            bomb.writestr(part, xml if part.filename == "word/document.xml" else sound.read(part))
    return (folder / "laughs").read_bytes()
