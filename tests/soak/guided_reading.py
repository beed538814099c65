"""Read what atheris invents, guided by the lines that are reached: `python -m tests.soak.guided_reading KIND [libFuzzer's options]`.

Of a Word file the document part is invented, within a sound package: what damages the package itself reaches few lines.
"""

from __future__ import annotations

import io
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["highlighter", "ingest", "pypdf", "docx"]):
    from highlighter.errors import UnreadableFile
    from ingest.readers import READERS, read_document

    for reader in READERS.values():  # which are imported on first use otherwise, without the counters
        import_module(reader)

    from tests.soak.guided_seeds import DOCUMENT_PART, WORD_FILE


def build_file(kind: str) -> Callable[[bytes], bytes]:
    """Return the function that makes a file of what is invented."""
    if kind != "docx":
        return bytes
    with zipfile.ZipFile(WORD_FILE) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}

    def build(invented: bytes) -> bytes:
        result = io.BytesIO()
        with zipfile.ZipFile(result, "w") as archive:
            for name, part in parts.items():
                archive.writestr(name, invented if name == DOCUMENT_PART else part)
        return result.getvalue()

    return build


def main(kind: str, options: list[str]) -> None:
    path, build = Path(tempfile.mkdtemp()) / f"invented.{kind}", build_file(kind)

    def read(invented: bytes) -> None:
        path.write_bytes(build(invented))
        with suppress(UnreadableFile):
            read_document(path, kind)

    atheris.Setup([sys.argv[0], *options], read)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
