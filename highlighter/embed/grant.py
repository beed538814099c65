"""What a signed link lets its bearer see: one frozen value, and how it is written as claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERSION = 1
# How far a link reaches.
CHUNK, DOCUMENT, COLLECTION = SCOPES = ("chunk", "document", "collection")
# What may be opened: the text, pictures of pages, files to keep.
VIEW, PAGE, DOWNLOAD = OPENED = ("view", "page", "download")


@dataclass(frozen=True, slots=True)
class Grant:
    """`document` and `chunk` are where the link opens; how far else it reaches, `scope` says."""

    scope: str
    collection: str
    document: str = ""  # "" only for a whole collection
    chunk: int = 0
    pipeline: int = 0  # that cut the chunk, and where the chunk began: a later one does not move it
    begin: int = 0
    page: int = 0  # where its pages open
    question: str = ""
    span: tuple[int, int] | None = None  # lit in any case
    quote: str = ""  # what the span is held against, when it was not found word for word
    may: tuple[str, ...] = OPENED
    origins: tuple[str, ...] = ()  # who may frame it, besides us
    expires: int = 0  # seconds since 1970
    key: str = ""  # the public id of the key that it was asked for with: a link ends with its key

    def reaches(self, document_id: str, chunk: int | None = None) -> bool:
        """Whether a document, or a part of it, is within the link's scope; its collection is held elsewhere."""
        if self.scope == COLLECTION:
            return True
        return document_id == self.document and (self.scope == DOCUMENT or chunk in (None, self.chunk))

    def means(self, pipeline: int | None, begin: int | None) -> bool:
        """A link for one part alone holds it by its place and pipeline, too: the same number may come to mean another."""
        return self.scope != CHUNK or (pipeline, begin) == (self.pipeline, self.begin)


# Each field by one letter: a link must fit into the first line of a request.
_LETTERS = {
    "scope": "s", "collection": "c", "document": "d", "chunk": "n", "pipeline": "p", "begin": "b", "page": "g",
    "question": "q", "span": "a", "quote": "t", "may": "m", "origins": "o", "expires": "exp",
    "key": "k",
}  # fmt: skip
_EMPTY = ("", 0, None, ())


def as_claims(grant: Grant) -> dict[str, Any]:
    claims = {letter: getattr(grant, name) for name, letter in _LETTERS.items()}
    return {"v": VERSION, **{letter: value for letter, value in claims.items() if value not in _EMPTY}}


def from_claims(claims: Mapping[str, Any]) -> Grant | None:
    """Nothing when they were made by another version of this program, which meant something else by them."""
    if claims.get("v") != VERSION or not isinstance(claims.get("exp"), int):
        return None
    given = {name: claims[letter] for name, letter in _LETTERS.items() if letter in claims}
    for name in ("span", "may", "origins"):
        if name in given:
            given[name] = tuple(given[name])
    return Grant(**{"may": (), **given})
