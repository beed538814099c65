"""What one label says: "NEC4 ACC, p.3; 2, clause 15.1" as References. Its many spellings, and no knowledge of sources.

A label is cut at `;` and `|`, then at commas and "and". Pieces of a name that follow on each other are one name ("Leave,
Sickness and Pay"), places go with the name or number before them, and a name or number after a place begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from highlighter.references import locators
from highlighter.references.label_parts import PART_SEPARATOR, REFERENCE_SEPARATOR, LabelPart, parse_part, split_label
from highlighter.references.locators import parse_number
from highlighter.references.markers import DOUBLE, ROUND, SOURCE_WORDS, TAG, TITLE, CitationMarker
from highlighter.text.characters import fold

MAX_LABEL_PARTS = 40  # with more commas it is a list of something else
_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_NAME_ATTRIBUTES = (
    "source",
    "src",
    "file",
    "filename",
    "doc",
    "document",
    "name",
    "title",
    "id",
    "data-id",
    "ref",
    "doc_id",
    "docid",
)


@dataclass(frozen=True, slots=True)
class Reference:
    """One source that a label means, and the place in it. `[start, end)` is its own part of what the label says."""

    start: int
    end: int
    names: tuple[str, ...] = ()  # readings of one name, from the whole to the least
    number: int | None = None  # in the list of sources, from 1; 0: none that can be
    page: str = ""  # as written: "3", "3-5", "iv"
    page_or_chunk: str = ""  # a page or a chunk, it does not say which: "A:3"
    chunk: int | None = None
    clause: str = ""
    quote: str = ""
    is_certain: bool = False  # it cannot be an editor's insertion
    is_ambiguous: bool = False  # "[1, p. 3, 5]": the fifth page, or the fifth source
    separate_names: tuple[Reference, ...] = ()  # the other reading of a name with commas: several names


def parse_references(marker: CitationMarker) -> list[Reference]:
    """What a mark says, in its order; offsets are those of `mark.said`."""
    said = marker.content
    special = (_parse_attributes(said) if marker.shape == TAG else None) or _parse_dagger(said)
    if special is not None:
        return [special]
    pieces = list(islice(_split_parts(said), MAX_LABEL_PARTS + 1))
    if len(pieces) > MAX_LABEL_PARTS:
        return []
    found = _ReferenceBuilder(said, pieces).build_references()
    if marker.shape in (DOUBLE, SOURCE_WORDS, ROUND, TITLE):
        return [replace(one, is_certain=not marker.is_doubtful) for one in found]
    return found


def _split_parts(label: str) -> Iterator[LabelPart]:
    for start, end in split_label(label, REFERENCE_SEPARATOR, 0, len(label)):
        first = True
        for at, to in split_label(label, PART_SEPARATOR, start, end):
            made = parse_part(label, at, to)
            if made:
                made.is_first, first = first, False
                yield made


def _parse_dagger(label: str) -> Reference | None:
    """What follows the dagger is a name, unless it is one of the words that always stand there."""
    found = locators.DAGGER_MARKER.fullmatch(fold(label))
    if found is None:
        return None
    if locators.DAGGER_PLACEHOLDER.fullmatch(found["rest"]):
        return Reference(0, len(label), number=0 if found["inner"] else int(found["number"]), is_certain=True)
    return Reference(0, len(label), (label[slice(*found.span("rest"))],), is_certain=True)


def _parse_attributes(label: str) -> Reference | None:
    values = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(label)}
    name = next((values[key] for key in _NAME_ATTRIBUTES if values.get(key)), "")
    page = next((value for key, value in values.items() if key.startswith("page")), "")
    chunk = next((parse_number(value) for key, value in values.items() if key.startswith("chunk")), None)
    if not (name or page):
        return None
    which = parse_number(name) if name.isdigit() else None
    return Reference(0, len(label), (name,) if name else (), which, fold(page), "", chunk, is_certain=True)


class _ReferenceBuilder:
    """Puts pieces together to references, from left to right; `_open` is the one that may still get places."""

    def __init__(self, label: str, parts: list[LabelPart]):
        self.label = label
        self.parts = parts
        self._open_name: LabelPart | None = None
        self._joined_parts: list[LabelPart] = []  # those that the open name was joined of
        self._built_references: list[Reference] = []

    def build_references(self) -> list[Reference]:
        for at, one in enumerate(self.parts):
            self._add_part(one, self.parts[at + 1] if at + 1 < len(self.parts) else None)
        self._close_part()
        return self._built_references

    def _add_part(self, part: LabelPart, following: LabelPart | None) -> None:
        last = self._open_name
        if last is None or (part.is_first and (part.names or part.numbers) and (last.names or last.numbers)):
            self._close_part()
            self._open_part(part)
        elif part.numbers:
            self._add_number(last, part, following)
        elif part.names:
            self._add_name(last, part)
        elif last.pages and part.pages:  # "A, p. 3, p. 7": two places of one document
            self._close_part()
            self._open_part(LabelPart(part.start, part.end, last.names, last.numbers, is_certain=True))
            self._open_name.merge_locators(part)
        else:
            last.merge_locators(part)

    def _open_part(self, part: LabelPart) -> None:
        self._open_name, self._joined_parts = part, [part]

    def _add_number(self, last: LabelPart, part: LabelPart, following: LabelPart | None) -> None:
        """A number after a name is a page of it; after a page, another page; after a number, another source."""
        bare = not part.is_certain and not part.has_locator and len(part.names) == 1
        leads = following is not None and following.has_locator and not following.names
        written = self.label[part.start : part.end]
        if bare and last.names and not last.numbers and not last.has_locator:
            if _YEAR.fullmatch(written):
                self._extend_name(last, part)
            else:
                last.merge_locators(LabelPart(part.start, part.end, page_or_chunk=fold(written)))
        elif bare and last.names and not last.numbers and last.pages:
            self._close_part()
            self._open_part(LabelPart(part.start, part.end, last.names, pages=[fold(written)], is_certain=True))
        else:
            unclear = bare and last.has_locator and not leads
            self._close_part()
            self._open_part(part)
            if unclear:
                self._close_part(is_ambiguous=True)

    def _add_name(self, last: LabelPart, part: LabelPart) -> None:
        if last.names and not last.numbers and not last.has_locator:
            self._extend_name(last, part)
        elif not last.names and not last.numbers:  # "p. 3, NEC4 ACC"
            part.merge_locators(last)
            self._open_part(part)
        else:
            self._close_part()
            self._open_part(part)

    def _extend_name(self, last: LabelPart, part: LabelPart) -> None:
        """One name with a comma in it; what stood between the pieces is part of it."""
        between = self.label[last.start : part.start]
        parts = [*self._joined_parts, part]
        joined = LabelPart(last.start, part.end, [between + name for name in part.names], quote=last.quote)
        joined.merge_locators(part)
        if last.is_certain:
            joined.is_certain = True
        self._open_name, self._joined_parts = joined, parts

    def _close_part(self, is_ambiguous: bool = False) -> None:
        if self._open_name is None:
            return
        parts = (
            tuple(made for part in self._joined_parts for made in _make_references(part))
            if len(self._joined_parts) > 1
            else ()
        )
        self._built_references += [
            replace(made, is_ambiguous=is_ambiguous, separate_names=parts) for made in _make_references(self._open_name)
        ]
        self._open_name, self._joined_parts = None, []


def _make_references(part: LabelPart) -> list[Reference]:
    sure = part.is_certain or bool(part.numbers) or bool(part.clause and part.names)
    return [
        Reference(
            part.start, part.end, tuple(part.names), value, page, part.page_or_chunk, part.chunk, part.clause, part.quote, sure
        )
        for value in part.numbers or (None,)
        for page in part.pages or ("",)
    ]  # fmt: skip
