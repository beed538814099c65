"""Reproducible ZIP files: their bytes depend only on their content, and each file is hashed."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

EARLIEST_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time in the ZIP format
COPY_BLOCK_BYTES = 1 << 20


class ReproducibleZip:
    """A ZIP file with fixed times and permissions, and the list of its files with their hashes."""

    def __init__(self, out: BinaryIO):
        self._zip = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.files: list[dict[str, Any]] = []

    def add(self, name: str, content: bytes | Path) -> None:
        digest, size = hashlib.sha256(), 0
        with self._zip.open(build_zip_entry(name), "w", force_zip64=True) as target, _open_content(content) as source:
            while block := source.read(COPY_BLOCK_BYTES):
                digest.update(block)
                size += len(block)
                target.write(block)
        self.files.append({"name": name, "size": size, "sha256": digest.hexdigest()})

    def close(self) -> None:
        self._zip.close()


def build_zip_entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EARLIEST_ZIP_TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system, entry.external_attr = 3, 0o644 << 16  # the same on all systems
    return entry


def build_zip(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a ZIP file with the files in the given order."""
    out = io.BytesIO()
    archive = ReproducibleZip(out)
    for name, content in files:
        archive.add(name, content)
    archive.close()
    return out.getvalue()


def _open_content(content: bytes | Path) -> BinaryIO:
    return content.open("rb") if isinstance(content, Path) else io.BytesIO(content)
