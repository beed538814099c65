"""A zip whose bytes depend on what is in it alone: names in order, one time for all, a hash of each file."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

EARLIEST_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can say
COPY_BLOCK_BYTES = 1 << 20


class ReproducibleZip:
    def __init__(self, out: BinaryIO):
        self._zip = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.files: list[dict[str, Any]] = []

    def add(self, name: str, content: bytes | Path) -> None:
        digest, size = hashlib.sha256(), 0
        with self._zip.open(build_zip_entry(name), "w", force_zip64=True) as into, _open_content(content) as source:
            while piece := source.read(COPY_BLOCK_BYTES):
                digest.update(piece)
                size += len(piece)
                into.write(piece)
        self.files.append({"name": name, "size": size, "sha256": digest.hexdigest()})

    def close(self) -> None:
        self._zip.close()


def build_zip_entry(name: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name, EARLIEST_ZIP_TIME)
    made.compress_type = zipfile.ZIP_DEFLATED
    made.create_system, made.external_attr = 3, 0o644 << 16  # wherever it is made
    return made


def build_zip(files: Iterable[tuple[str, bytes]]) -> bytes:
    """In the order given."""
    out = io.BytesIO()
    archive = ReproducibleZip(out)
    for name, content in files:
        archive.add(name, content)
    archive.close()
    return out.getvalue()


def _open_content(content: bytes | Path) -> BinaryIO:
    return content.open("rb") if isinstance(content, Path) else io.BytesIO(content)
