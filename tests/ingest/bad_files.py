"""Malformed and hostile files, made byte by byte."""

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
BLOCK_BYTES = 1 << 20


def pdf(*objects: bytes) -> bytes:
    """Return a PDF of these numbered objects, the first of them its catalog, with a valid cross-reference table."""
    content, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    content += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    content += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(content)


def make_one_page_pdf(stream: bytes, filters: bytes) -> bytes:
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(stream), filters, stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def compress_repeated(unit: bytes, size: int) -> bytes:
    compressor = zlib.compressobj(1)
    block = unit * (BLOCK_BYTES // len(unit))
    return b"".join(compressor.compress(block) for _ in range(size // BLOCK_BYTES)) + compressor.flush()


def flate_bomb() -> bytes:
    """Return a PDF with two gigabytes of drawing instructions in some kilobytes."""
    return make_one_page_pdf(
        zlib.compress(compress_repeated(b"BT /F1 9 Tf (a) Tj ET ", 2 << 30), 9), b"[/FlateDecode /FlateDecode]"
    )


def page_tree_cycle() -> bytes:
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 900000 /Parent 3 0 R >>",
        b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 900000 /Parent 2 0 R >>",
    )


def endless_nesting() -> bytes:
    return pdf(b"<< /Type /Catalog /Pages " + b"[" * 500_000 + b"]" * 500_000 + b" >>")


def brotli_pdf() -> bytes:
    """Return a PDF with everything in streams compressed with Brotli: objects, content, cross-reference table."""
    drawing = brotli.compress(b"BT /F1 12 Tf 60 700 Td (The ferry leaves at seven.) Tj ET")
    objects_by_number = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
        b" /Resources << /Font << /F1 4 0 R >> >> >>",
        4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    starts, bodies = b"", b""
    for number, body in objects_by_number.items():
        starts += b"%d %d " % (number, len(bodies))
        bodies += body + b" "
    object_stream = brotli.compress(starts + bodies)
    content = bytearray(b"%PDF-2.0\n")
    rows = [(0, 0, 65535), *((2, 6, index) for index in range(len(objects_by_number)))]
    for number, entries, stream in (
        (5, b"", drawing),
        (6, b"/Type /ObjStm /N %d /First %d " % (len(objects_by_number), len(starts)), object_stream),
    ):
        rows.append((1, len(content), 0))
        content += b"%d 0 obj << %s" % (number, entries) + _brotli_stream(stream) + b" endobj\n"
    start = len(content)
    rows.append((1, start, 0))
    table = brotli.compress(b"".join(struct.pack(">BIH", *row) for row in rows))
    content += b"7 0 obj << /Type /XRef /Size 8 /W [1 4 2] /Root 1 0 R " + _brotli_stream(table) + b" endobj\n"
    return bytes(content + b"startxref\n%d\n%%%%EOF" % start)


def _brotli_stream(data: bytes) -> bytes:
    return b"/Filter /BrotliDecode /Length %d >> stream\n%s\nendstream" % (len(data), data)


def password_pdf(folder: Path) -> bytes:
    writer = PdfWriter(clone_from=CONTRACT)
    writer.encrypt(user_password="secret", algorithm="RC4-128")
    writer.write(folder / "locked")
    return (folder / "locked").read_bytes()


def zip_bomb(folder: Path) -> bytes:
    """Return a Word file whose only part unpacks to half a gigabyte."""
    with zipfile.ZipFile(POLICY) as source, zipfile.ZipFile(folder / "bomb", "w", zipfile.ZIP_DEFLATED) as bomb:
        for part in source.infolist():
            if part.filename != "word/document.xml":
                bomb.writestr(part, source.read(part))
        with bomb.open("word/document.xml", "w") as part:
            for _ in range(512):
                part.write(b"<w:p>" + b" " * BLOCK_BYTES)
    return (folder / "bomb").read_bytes()


def billion_laughs(folder: Path) -> bytes:
    """Return a Word file whose XML declares an entity of entities."""
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    xml = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "ha">{entities}]><w>&l9;</w>'
    with zipfile.ZipFile(POLICY) as source, zipfile.ZipFile(folder / "laughs", "w", zipfile.ZIP_DEFLATED) as bomb:
        for part in source.infolist():
            bomb.writestr(part, xml if part.filename == "word/document.xml" else source.read(part))
    return (folder / "laughs").read_bytes()
