"""Read parts of a zip archive that a user uploaded, within limits: an archive can lie about its sizes."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE
from ingest.zip_directory import DAMAGE_ERRORS, open_archive

MAX_ENTRIES = 20_000
MAX_PART_BYTES = 30 << 20
MAX_READ_BYTES = 200 << 20  # of all parts together
_ENCRYPTED_FLAG = 0x1


class ZipPackage:
    """The archive of a file, with its parts by name. Only the parts that are asked for are unpacked."""

    def __init__(self, path: Path, max_part_bytes: int = MAX_PART_BYTES):
        try:
            self._zip = open_archive(path.open("rb"))
        except DAMAGE_ERRORS as err:
            raise UnreadableFile(DAMAGED, "The file is damaged: it is not a valid zip archive.") from err
        entries = self._zip.infolist()
        self.names = frozenset(entry.filename for entry in entries)
        self._read_bytes, self._max_part_bytes = 0, max_part_bytes
        if len(entries) > MAX_ENTRIES:
            self._zip.close()
            raise _too_large_error()

    def __enter__(self) -> ZipPackage:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def list_files(self) -> list[str]:
        """Return the names of the parts in the order of the archive, each once."""
        return [name for name in dict.fromkeys(self._zip.namelist()) if not name.endswith("/")]

    def read(self, name: str) -> bytes:
        """Return the bytes of a part that the archive has."""
        try:
            if self._zip.getinfo(name).flag_bits & _ENCRYPTED_FLAG:
                raise UnreadableFile(ENCRYPTED, "The file is password-protected.")
            with self._zip.open(name) as part:
                data = part.read(self._max_part_bytes + 1)
        except DAMAGE_ERRORS as err:
            raise UnreadableFile(DAMAGED, "The file is damaged: a part of it cannot be unpacked.") from err
        self._read_bytes += len(data)
        if len(data) > self._max_part_bytes or self._read_bytes > MAX_READ_BYTES:
            raise _too_large_error()
        return data

    def parse_xml(self, name: str) -> etree._Element:
        """Return the root element of a part. Entities stay as they are, and nothing is fetched."""
        data = self.read(name)
        try:
            root = etree.fromstring(data, make_xml_parser())
        except (etree.XMLSyntaxError, ValueError) as err:
            raise UnreadableFile(DAMAGED, "The file is damaged: a part of it is not well-formed XML.") from err
        if root is None:
            raise UnreadableFile(DAMAGED, "The file is damaged: a part of it is not well-formed XML.")
        return root


def make_xml_parser() -> etree.XMLParser:
    """Return a parser that resolves no entities and fetches nothing."""
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )


def _too_large_error() -> UnreadableFile:
    return UnreadableFile(TOO_LARGE, "The file is too large when unpacked.")
