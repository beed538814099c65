"""Find the documents that a vendor's source may be: by a link of ours, an id, metadata, a path or a name."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from cachetools import LRUCache

from highlighter.access import VisibleCollections
from highlighter.models import READABLE, Document
from highlighter.native_citations.own_links import OwnLink, parse_chunk_id, parse_own_link
from highlighter.native_formats.native_response import NativeSource
from highlighter.references.name_comparison import make_name_key
from highlighter.search.reference_lookup import ReferenceLookup
from highlighter.signed_links import LinkKeys
from highlighter.store import sentence_rows
from highlighter.store.catalog import Catalog

# How a document was found, most certain first.
LINK, ID, METADATA, PATH, NAME, TITLE, QUOTE = "link", "id", "metadata", "path", "name", "title", "quote"
# Metadata in which other systems' ids, addresses and paths of a document are stored.
IDENTIFYING_METADATA = (
    "doc_url", "url", "uri", "source", "path", "file_id", "document_id", "doc_id", "external_id", "id", "filename",
)  # fmt: skip
COMMON_STEMS = ("", "index", "default", "home", "main", "readme")
MAX_CACHED_LIBRARIES = 4
MIN_TITLE_CHARACTERS = 4


@dataclass(frozen=True, slots=True)
class FoundDocuments:
    """The documents that a source may be, how they were found, and what a link of ours says besides."""

    documents: tuple[Document, ...] = ()
    found_by: str = ""
    link: OwnLink = OwnLink()
    is_certain: bool = True  # not by a title, or by the file name at the end of a URL of somewhere else


class DocumentIdentifiers:
    """The metadata, paths and titles of a library's current documents, with the ids of the documents that have them."""

    def __init__(self, documents: Iterable[Document]):
        self.by_metadata: dict[str, set[str]] = defaultdict(set)
        self.by_path: dict[str, set[str]] = defaultdict(set)
        self.by_title: dict[str, set[str]] = defaultdict(set)
        for document in documents:
            for field in IDENTIFYING_METADATA:
                value = document.meta.get(field)
                for entry in value if isinstance(value, list) else [value]:
                    if isinstance(entry, str | int) and str(entry).strip():
                        self.by_metadata[normalise_address(str(entry))].add(document.id)
            if document.path:
                self.by_path[normalise_address(document.path)].add(document.id)
            title = document.meta.get("title")
            if isinstance(title, str) and len(title) >= MIN_TITLE_CHARACTERS:
                self.by_title[make_name_key(title)].add(document.id)


class DocumentFinder:
    """The finder of the documents that sources name. The most certain way that leads to any document counts."""

    def __init__(self, catalog: Catalog, reference_lookup: ReferenceLookup, link_keys: LinkKeys):
        self._catalog, self._reference_lookup, self._link_keys = catalog, reference_lookup, link_keys
        self._identifiers: LRUCache[tuple[int, VisibleCollections], DocumentIdentifiers] = LRUCache(
            MAX_CACHED_LIBRARIES
        )
        self._lock = threading.Lock()

    def find(self, source: NativeSource, visible: VisibleCollections) -> FoundDocuments:
        for link in self._list_links(source):
            if documents := self._open_documents(self._list_link_ids(link, visible), visible):
                return FoundDocuments(documents[:1], LINK, link)
        for document_id in source.ids:
            if documents := self._open_documents([document_id], visible):
                return FoundDocuments(documents, ID)
        several: FoundDocuments | None = None
        for found_by, ids in self._list_identified(source, visible):
            documents = self._open_documents(sorted(ids), visible)
            if len(documents) == 1:  # a less certain way that leads to one document tells which of several is meant
                return FoundDocuments(documents, found_by)
            several = several or (FoundDocuments(documents, found_by) if documents else None)
        if several:
            return several
        for found_by, ids in self._list_similar(source, visible):
            if documents := self._open_documents(sorted(ids), visible):
                return FoundDocuments(documents, found_by, is_certain=False)
        return FoundDocuments()

    def _list_links(self, source: NativeSource) -> Iterator[OwnLink]:
        links = (parse_own_link(url, self._link_keys) for url in source.urls)
        chunk_ids = (parse_chunk_id(name) for name in source.ids)
        yield from (link for link in (*links, *chunk_ids) if link)

    def _list_link_ids(self, link: OwnLink, visible: VisibleCollections) -> list[str]:
        if link.document_id or not link.sha256:
            return [link.document_id] if link.document_id else []
        return sentence_rows.find_documents_by_hash(self._catalog.engine, link.sha256, visible)

    def _list_identified(self, source: NativeSource, visible: VisibleCollections) -> Iterator[tuple[str, set[str]]]:
        """Yield the ids of documents by each way to find them, the more certain ways first."""
        identifiers = self._load_identifiers(visible)
        addresses = [normalise_address(text) for text in (*source.urls, *source.ids, *source.names)]
        yield from ((METADATA, identifiers.by_metadata[text]) for text in addresses if text in identifiers.by_metadata)
        yield from ((PATH, identifiers.by_path[text]) for text in addresses if text in identifiers.by_path)
        for name in source.names:
            yield NAME, set(self._reference_lookup.find_named_documents(name, visible))

    def _list_similar(self, source: NativeSource, visible: VisibleCollections) -> Iterator[tuple[str, set[str]]]:
        """Yield the ids of documents that have the file name of a URL, or the title."""
        file_names = [unquote(urlsplit(url).path.rpartition("/")[2]) for url in source.urls if _has_file_name(url)]
        for name in file_names:
            yield NAME, set(self._reference_lookup.find_named_documents(name, visible))
        identifiers = self._load_identifiers(visible)
        for name in source.names:
            yield TITLE, identifiers.by_title.get(make_name_key(name), set())

    def _load_identifiers(self, visible: VisibleCollections) -> DocumentIdentifiers:
        key = self._catalog.data_version(), visible
        with self._lock:
            if key not in self._identifiers:
                self._identifiers[key] = DocumentIdentifiers(self._catalog.documents(visible, superseded=False))
            return self._identifiers[key]

    def _open_documents(self, ids: Iterable[str], visible: VisibleCollections) -> tuple[Document, ...]:
        """Return the documents with these ids that can be read."""
        documents = (self._catalog.document(document_id, visible) for document_id in ids)
        return tuple(one for one in documents if one and one.state in READABLE and not one.deletion_time)


def normalise_address(text: str) -> str:
    """Return a URL or a path without what does not tell documents apart: scheme, "www.", last slash, most fragments."""
    address, _, fragment = text.strip().partition("#")
    is_route = fragment.startswith(("/", "!/"))  # of a page that shows many documents
    text = f"{address}#{fragment}".removesuffix("/") if is_route else address.removesuffix("/")
    scheme, separator, rest = text.partition("://")
    if separator and scheme.lower() in ("http", "https", "file"):
        host, slash, path = rest.partition("/")
        text = host.lower().removeprefix("www.") + slash + path
    return unquote(text).replace("\\", "/").removeprefix("./")


def _has_file_name(url: str) -> bool:
    """Return whether a URL ends with a file name that is not every site's."""
    try:
        stem, separator, _ = urlsplit(url).path.rpartition("/")[2].rpartition(".")
    except ValueError:
        return False
    return bool(separator) and stem.lower() not in COMMON_STEMS
