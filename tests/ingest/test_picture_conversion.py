"""Pictures of pages become PDFs with a page for each picture, within limits."""

from __future__ import annotations

import io
import struct
import zlib
from contextlib import suppress

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, TOO_LARGE
from ingest import picture_conversion
from ingest.picture_conversion import MAX_SIDE_PIXELS, convert_picture, measure_shorter_side
from tests.ingest.page_pictures import draw_picture
from tests.properties import given, st

ORIENTATION = 0x0112
# How a camera stores an upright picture, by the orientation that it writes down.
STORED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def encode(image, file_format, **options):
    data = io.BytesIO()
    image.save(data, file_format, **options)
    return data.getvalue()


@pytest.fixture
def convert(tmp_path):
    def convert(content):
        (tmp_path / "picture").write_bytes(content)
        convert_picture(tmp_path / "picture", tmp_path / "picture.pdf")
        return tmp_path / "picture.pdf"

    return convert


def show(pdf, number=0):
    """Return a page as it is shown, in grey."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[number].render(scale=1, grayscale=True).to_pil().convert("L")


def read_picture(pdf):
    """Return the samples of the picture on the first page as they are stored, and its entries."""
    (picture,) = PdfReader(pdf).pages[0]["/Resources"]["/XObject"].values()
    return picture.get_object()._data, picture.get_object()


def mark_corner(mode="RGB"):
    """Return an upright picture with a black box in its upper left corner."""
    image = draw_picture(mode=mode, scale=1)
    image.paste("black", (0, 0, 200, 300))
    return image


def is_upright(shown):
    return shown.width < shown.height and [
        shown.getpixel((x, y)) < 128 for x, y in ((50, 50), (-50 % shown.width, 50), (50, -50 % shown.height))
    ] == [True, False, False]


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "TIFF", "WEBP"])
def test_photo_is_turned_as_its_camera_was(convert, file_format, orientation):
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    content = encode(mark_corner().transpose(STORED[orientation]), file_format, exif=exif)
    assert is_upright(show(convert(content)))


def test_jpeg_is_embedded_as_it_is(convert):
    content = encode(mark_corner(), "JPEG")
    assert read_picture(convert(content))[0] == content


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16", "F", "CMYK"])
def test_picture_of_any_mode_is_shown(convert, mode):
    image = mark_corner("L")
    samples = np.asarray(image).astype(np.uint16) * 257
    image = Image.fromarray(samples) if mode == "I;16" else image.convert(mode)
    shown = show(convert(encode(image, "PNG" if mode not in ("F", "CMYK") else "TIFF")))
    assert (shown.getpixel((50, 50)), shown.getpixel((400, 400))) == (0, pytest.approx(255, abs=1))


def test_black_and_white_picture_has_one_bit_a_pixel(convert):
    assert read_picture(convert(encode(mark_corner("1"), "TIFF", compression="group4")))[1]["/BitsPerComponent"] == 1


def test_transparent_parts_are_white(convert):
    assert show(convert(encode(Image.new("RGBA", (300, 300), (0, 0, 0, 0)), "PNG"))).getpixel((100, 100)) == 255


def test_tiff_has_a_page_for_each_picture(convert):
    first, second = draw_picture("One", mode="1"), draw_picture("Two", mode="RGB", scale=1)
    pdf = convert(encode(first, "TIFF", save_all=True, append_images=[second], dpi=(200, 200)))
    assert len(PdfReader(pdf).pages) == 2
    assert show(pdf, 1).getextrema()[0] < 128


@pytest.mark.parametrize("name", ["PNG", "GIF", "WEBP"])
def test_animation_is_a_page_with_its_first_picture_and_a_note_says_so(convert, tmp_path, name):
    options = {"lossless": True} if name == "WEBP" else {}
    pdf = convert(encode(mark_corner(), name, save_all=True, append_images=[draw_picture(scale=1)], **options))
    assert len(PdfReader(pdf).pages) == 1
    assert is_upright(show(pdf))
    note = convert_picture(tmp_path / "picture", tmp_path / "again.pdf")
    assert note == "Only the first picture of the animation is read."


@pytest.mark.parametrize(("name", "mode"), [("GIF", "P"), ("WEBP", "RGBA")])
def test_transparent_parts_of_pictures_of_web_pages_are_white(convert, name, mode):
    image = Image.new("RGBA", (300, 300), (0, 0, 0, 0)).convert(mode)
    options = {"transparency": 0} if mode == "P" else {}
    assert show(convert(encode(image, name, **options))).getpixel((100, 100)) == 255


@pytest.mark.parametrize(
    ("size", "options", "points"),
    [
        ((1654, 2339), {"dpi": (200, 200)}, (595, 842)),
        ((1728, 1100), {"dpi": (204, 98)}, (610, 808)),
        ((3000, 4000), {"dpi": (72, 72)}, (631, 842)),
        ((1920, 1080), {}, (842, 473)),
        ((480, 240), {}, (360, 180)),
    ],
    ids=["scan", "fax", "photo", "screenshot", "cut-out"],
)
def test_page_is_as_large_as_the_paper_was(convert, size, options, points):
    page = PdfReader(convert(encode(Image.new("L", size, "white"), "TIFF", **options))).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == pytest.approx(points, abs=1)


def write_png_header(width, height):
    """Return a PNG of few bytes that claims to be of any size."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(999))) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "size", [(10_000, 9_000), (12_000, 10_000), (100_000, 100_000), (MAX_SIDE_PIXELS + 1, 1)], ids=str
)
def test_picture_of_too_many_pixels_is_refused_before_it_is_decoded(convert, size):
    with pytest.raises(UnreadableFile) as caught:
        convert(write_png_header(*size))
    assert caught.value.state == TOO_LARGE


def test_too_many_pages_are_refused(convert, monkeypatch):
    monkeypatch.setattr(picture_conversion, "MAX_PICTURES", 2)
    page = Image.new("1", (9, 9))
    with pytest.raises(UnreadableFile) as caught:
        convert(encode(page, "TIFF", save_all=True, append_images=[page, page]))
    assert caught.value.state == TOO_LARGE


CONTENTS = {name: encode(draw_picture("Noon", scale=1), name) for name in ("PNG", "JPEG", "TIFF", "GIF", "WEBP")}


@pytest.mark.parametrize("name", CONTENTS)
def test_picture_that_is_cut_off_is_damaged(convert, name):
    with pytest.raises(UnreadableFile) as caught:
        convert(CONTENTS[name][: len(CONTENTS[name]) // 2])
    assert caught.value.state == DAMAGED


@pytest.mark.parametrize("name", CONTENTS)
@given(st.data())
def test_any_damage_to_a_picture_has_a_typed_state(tmp_path_factory, name, data):
    content = bytearray(CONTENTS[name])
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, min(len(content) - 1, 600)))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "any-picture"
    path.write_bytes(content)
    with suppress(UnreadableFile):  # any other error is a defect
        convert_picture(path, path.with_suffix(".pdf"))


@pytest.mark.parametrize("name", CONTENTS)
def test_shorter_side_is_measured_without_decoding(name):
    assert measure_shorter_side(CONTENTS[name]) == 827
    assert measure_shorter_side(b"no picture") == 0
