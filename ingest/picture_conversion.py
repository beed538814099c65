"""Convert pictures of pages, such as scans and photos, to a PDF with a page for each, inside a child process."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, ImageSequence
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject, StreamObject

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DAMAGED, TOO_LARGE

MAX_PICTURE_PIXELS = 80_000_000  # of a page: A3 at 600 dots per inch
MAX_SIDE_PIXELS = 30_000
MAX_PICTURES = 2_000  # in one file
_FORMATS = ("PNG", "JPEG", "TIFF", "GIF", "WEBP")
_ANIMATED_FORMATS = ("PNG", "GIF", "WEBP")
_JPEG_FORMATS = ("JPEG", "MPO")  # MPO: with smaller pictures after the first, as some cameras write it
_POINTS_PER_INCH = 72
_MIN_DPI, _MIN_OTHER_DPI, _MAX_DPI = 150, 60, 1_200  # of scanners; fax machines have fewer dots in one direction
_SCREEN_DPI, _LONGER_SIDE_INCHES = 96, 11.69  # of screenshots and photos: as large as they are shown, at most A4
_ORIENTATION_TAG = 0x0112
_ROTATIONS = {1: 0, 3: 180, 6: 90, 8: 270}  # clockwise, by the value of the tag; other values mirror, too


@dataclass(frozen=True, slots=True)
class _Page:
    """A picture as a PDF holds it: its samples, their coding, and the size of its page."""

    data: bytes
    coding: str
    size: tuple[int, int]
    is_grey: bool
    bits: int
    points: tuple[float, float]
    rotation: int


def convert_picture(path: Path, pdf: Path) -> str:
    """Write the PDF of a picture, or of all pictures of a TIFF, and return a note about what is not in it.

    Raises `UnreadableFile`.
    """
    writer = PdfWriter()
    try:
        with _open_picture(path) as image:
            for page in _read_pages(image, path):
                _add_page(writer, page)
            note = _describe_animation(image)
    except (UnreadableFile, MemoryError):
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as err:
        raise _make_size_error() from err
    except Exception as err:  # a damaged file can make Pillow raise anything
        raise UnreadableFile(DAMAGED, "The picture is damaged.") from err
    with pdf.open("wb") as target:
        writer.write(target)
    return note


def measure_shorter_side(content: bytes) -> int:
    """Return the shorter side of a picture in pixels, without decoding it; 0 where it is damaged or too large."""
    try:
        with _open_picture(BytesIO(content)) as image:
            return min(image.size)
    except Exception:  # a damaged file can make Pillow raise anything
        return 0


@contextmanager
def _open_picture(source: Path | BytesIO) -> Iterator[Image.Image]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(source, formats=_FORMATS) as image:
            yield image


def _read_pages(image: Image.Image, path: Path) -> Iterator[_Page]:
    # Further pictures of a PNG, GIF or WebP are an animation, and those of a JPEG are smaller ones of the same.
    for number, frame in enumerate(ImageSequence.Iterator(image) if image.format == "TIFF" else (image,)):
        if number >= MAX_PICTURES:
            raise UnreadableFile(TOO_LARGE, N_("The file has more than {limit:,} pages.", limit=MAX_PICTURES))
        yield _read_page(frame, path)


def _describe_animation(image: Image.Image) -> str:
    is_animated = image.format in _ANIMATED_FORMATS and getattr(image, "is_animated", False)
    return N_("Only the first picture of the animation is read.") if is_animated else ""


def _read_page(image: Image.Image, path: Path) -> _Page:
    width, height = image.size
    if width * height > MAX_PICTURE_PIXELS or max(width, height) > MAX_SIDE_PIXELS:
        raise _make_size_error()
    image.load()  # the whole picture: a damaged end is found here; a TIFF is turned upright by it
    orientation = 1 if image.format == "TIFF" else image.getexif().get(_ORIENTATION_TAG, 1)
    points = _measure_page(image)
    if image.format in _JPEG_FORMATS and image.mode in ("L", "RGB") and orientation in _ROTATIONS:
        rotation = _ROTATIONS[orientation]
        return _Page(path.read_bytes(), "/DCTDecode", image.size, image.mode == "L", 8, points, rotation)
    upright = image if image.format == "TIFF" else ImageOps.exif_transpose(image)
    points = points if upright.size == image.size else points[::-1]
    flat = _flatten(upright)
    data, bits = zlib.compress(flat.tobytes(), 6), 1 if flat.mode == "1" else 8
    return _Page(data, "/FlateDecode", flat.size, flat.mode != "RGB", bits, points, 0)


def _measure_page(image: Image.Image) -> tuple[float, float]:
    """Return the size of a picture in points, by its resolution where that is a scanner's."""
    declared = image.info.get("dpi") or (0, 0)
    x_dpi, y_dpi = (float(value) for value in declared)
    if not (_MIN_DPI <= max(x_dpi, y_dpi) <= _MAX_DPI and min(x_dpi, y_dpi) >= _MIN_OTHER_DPI):
        x_dpi = y_dpi = max(max(image.size) / _LONGER_SIDE_INCHES, _SCREEN_DPI)
    return image.width / x_dpi * _POINTS_PER_INCH, image.height / y_dpi * _POINTS_PER_INCH


def _flatten(image: Image.Image) -> Image.Image:
    """Return a picture in black and white, grey or colour, on white where it is transparent."""
    if image.has_transparency_data:
        rgba = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")
    if image.mode.startswith("I"):  # 16 bits a pixel
        return Image.fromarray((np.asarray(image) >> 8).clip(0, 255).astype(np.uint8))
    if image.mode in ("1", "L", "RGB"):
        return image
    return image.convert("L" if image.mode == "F" else "RGB")


def _add_page(writer: PdfWriter, page: _Page) -> None:
    width, height = page.points
    picture = _make_stream(page.data, {
        "/Type": NameObject("/XObject"), "/Subtype": NameObject("/Image"), "/Filter": NameObject(page.coding),
        "/Width": NumberObject(page.size[0]), "/Height": NumberObject(page.size[1]), "/BitsPerComponent": NumberObject(page.bits),
        "/ColorSpace": NameObject("/DeviceGray" if page.is_grey else "/DeviceRGB"),
    })  # fmt: skip
    added = writer.add_blank_page(width, height)
    pictures = DictionaryObject({NameObject("/Picture"): writer._add_object(picture)})
    added[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): pictures})
    drawing = _make_stream(f"q {width:.3f} 0 0 {height:.3f} 0 0 cm /Picture Do Q".encode(), {})
    added[NameObject("/Contents")] = writer._add_object(drawing)
    if page.rotation:
        added.rotate(page.rotation)


def _make_stream(data: bytes, entries: dict[str, NameObject | NumberObject]) -> StreamObject:
    stream = StreamObject()
    stream.update({NameObject(name): value for name, value in entries.items()})
    stream.set_data(data)
    return stream


def _make_size_error() -> UnreadableFile:
    return UnreadableFile(
        TOO_LARGE,
        N_(
            "The picture has more than {limit} million pixels, or a side of more than {side:,}. Save it in a lower resolution.",
            limit=MAX_PICTURE_PIXELS // 1_000_000,
            side=MAX_SIDE_PIXELS,
        ),
    )
