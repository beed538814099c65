"""Pages for a document that has none of its own, and the map from its text to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from highlighter.locale import N_
from ingest.readers.reading import Reading


def typeset(path: Path, kind: str, reading: Reading, title: str, out: Path, office_seconds: float = 0) -> Reading:
    """Writes `out` and returns the same reading with its map and pages.

    By LibreOffice for a Word file, if that is given any time; whatever goes wrong there, the pages are ours.
    """
    from ingest.typeset.ours import typeset as by_ourselves

    if kind != "docx" or not office_seconds:
        return by_ourselves(reading, title, out)
    from ingest.typeset.office import OfficeFailed, typeset_by_office

    try:
        return typeset_by_office(path, reading, out, office_seconds)
    except OfficeFailed as err:
        told = N_("Its pages are set by Highlighter and not by LibreOffice:") + f" {err}."
        return by_ourselves(replace(reading, notes=(*reading.notes, told)), title, out)
