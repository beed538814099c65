"""Write what came with an e-mail into files, in the child process that reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.readers.extracted_document import Attachment


def write_attachments(attachments: Sequence[Attachment], folder: Path) -> tuple[tuple[str, Path], ...]:
    """Write the attachments into a new folder, and return the name and the path of each."""
    if attachments:
        folder.mkdir(parents=True)
    written = []
    for number, (name, attachment) in enumerate(_name_apart(attachments)):
        path = folder / str(number)
        path.write_bytes(attachment.content)
        written.append((name, path))
    return tuple(written)


def _name_apart(attachments: Sequence[Attachment]) -> Iterator[tuple[str, Attachment]]:
    """Yield each attachment with a name that no other one of the e-mail has: one path must not have two contents."""
    used: set[str] = set()
    for number, attachment in enumerate(attachments, start=1):
        name = attachment.name.replace("/", "_").replace("\\", "_").strip(". ") or "unnamed"
        if name in used:
            stem, dot, suffix = name.rpartition(".")
            name = f"{stem or suffix} ({number}){dot}{suffix if stem else ''}"
        used.add(name)
        yield name, attachment
