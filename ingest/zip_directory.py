"""Open a zip archive that a user uploaded, if its directory is of a size that can be parsed in a moment."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from typing import Any, BinaryIO

from highlighter.errors import UnreadableFile
from highlighter.models import TOO_LARGE

# 20,000 entries with names of 150 bytes; entries without names are 90,000, parsed in half a second.
MAX_DIRECTORY_BYTES = 4 << 20
_END_RECORDS_BYTES = 128 << 10  # where the directory is, with a comment of up to 64 KB, which is read twice
# What a damaged archive can raise when it is opened or a part of it is unpacked.
DAMAGE_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, KeyError, RuntimeError)


class _BoundedReader:
    """A file of which only so many bytes can be read until the bound is lifted."""

    def __init__(self, file: BinaryIO, max_bytes: int):
        self._file = file
        self.bytes_left: int | None = max_bytes

    def read(self, size: int = -1) -> bytes:
        if self.bytes_left is None:
            return self._file.read(size)
        if size < 0 or size > self.bytes_left:
            size = self.bytes_left + 1
        data = self._file.read(size)
        self.bytes_left -= len(data)
        if self.bytes_left < 0:
            raise UnreadableFile(TOO_LARGE, "The file is too large when unpacked.")
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _ClosingArchive(zipfile.ZipFile):
    """An archive that closes the file which it was given."""

    def __init__(self, file: Any):
        self._file = file
        super().__init__(file)

    def close(self) -> None:
        super().close()
        self._file.close()


def open_archive(file: BinaryIO) -> zipfile.ZipFile:
    """Return the archive of a file, which is closed with the archive.

    Raises `UnreadableFile` when its directory is too large, before any entry of it is parsed. The bytes that are read are
    bounded, and not the size that the file states: so the bound holds whichever of several records the library believes.
    """
    reader = _BoundedReader(file, MAX_DIRECTORY_BYTES + _END_RECORDS_BYTES)
    try:
        archive = _ClosingArchive(reader)
    except BaseException:
        file.close()
        raise
    reader.bytes_left = None
    return archive
