"""Parse the content of a marker into references: "NEC4 ACC, p.3; 2, clause 15.1". Sources are not known here.

A label is split at `;` and `|`, then at commas and "and". Consecutive parts of a name are one name ("Leave, Sickness
and Pay"), locators belong to the name or number before them, and a name or number after a locator begins a new
reference.
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

MAX_LABEL_PARTS = 40  # with more parts it is a list of something else
_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?")
_SUBCLAUSE = re.compile(r"\d+(?:\.\d+)+(?:\([a-z\d]{1,4}\))*")
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
    """A source that a label cites, with the location in it. `[start, end)` is the reference's span in the label."""

    start: int
    end: int
    names: tuple[str, ...] = ()  # readings of one name, longest first
    number: int | None = None  # in the list of sources, from 1; 0 for an impossible number
    page: str = ""  # as written: "3", "3-5", "iv"
    page_or_chunk: str = ""  # a page or a chunk, undecided: "A:3"
    chunk: int | None = None
    clause: str = ""
    quote: str = ""
    is_certain: bool = False  # cannot be an editorial insertion
    is_ambiguous: bool = False  # "[1, p. 3, 5]": page 5 or source 5
    separate_names: tuple[Reference, ...] = ()  # the alternative reading of a name with commas


def parse_references(marker: CitationMarker) -> list[Reference]:
    """Return the references of a marker in order; offsets are those of the marker's content."""
    content = marker.content
    single_reference = (_parse_attributes(content) if marker.shape == TAG else None) or _parse_dagger(content)
    if single_reference is not None:
        return [single_reference]
    parts = list(islice(_split_parts(content), MAX_LABEL_PARTS + 1))
    if len(parts) > MAX_LABEL_PARTS:
        return []
    references = _ReferenceBuilder(content, parts).build_references()
    if marker.shape in (DOUBLE, SOURCE_WORDS, ROUND, TITLE):
        return [replace(reference, is_certain=not marker.is_doubtful) for reference in references]
    return references


def _split_parts(label: str) -> Iterator[LabelPart]:
    for start, end in split_label(label, REFERENCE_SEPARATOR, 0, len(label)):
        is_first = True
        for part_start, part_end in split_label(label, PART_SEPARATOR, start, end):
            part = parse_part(label, part_start, part_end)
            if part:
                part.is_first, is_first = is_first, False
                yield part


def _parse_dagger(label: str) -> Reference | None:
    """Return the reference of a marker with a dagger: the text after the dagger is a name unless it is a placeholder."""
    match = locators.DAGGER_MARKER.fullmatch(fold(label))
    if match is None:
        return None
    if locators.DAGGER_PLACEHOLDER.fullmatch(match["rest"]):
        return Reference(0, len(label), number=0 if match["inner"] else int(match["number"]), is_certain=True)
    return Reference(0, len(label), (label[slice(*match.span("rest"))],), is_certain=True)


def _parse_attributes(label: str) -> Reference | None:
    values = {
        key.lower(): double_quoted or single_quoted or unquoted
        for key, double_quoted, single_quoted, unquoted in _ATTRIBUTE.findall(label)
    }
    name = next((values[key] for key in _NAME_ATTRIBUTES if values.get(key)), "")
    page = next((value for key, value in values.items() if key.startswith("page")), "")
    chunk = next((parse_number(value) for key, value in values.items() if key.startswith("chunk")), None)
    if not (name or page):
        return None
    number = parse_number(name) if name.isdigit() else None
    return Reference(0, len(label), (name,) if name else (), number, fold(page), "", chunk, is_certain=True)


class _ReferenceBuilder:
    """Combines parts into references, from left to right; `_open_name` is the part that may still get locators."""

    def __init__(self, label: str, parts: list[LabelPart]):
        self.label = label
        self.parts = parts
        self._open_name: LabelPart | None = None
        self._joined_parts: list[LabelPart] = []  # the parts that the open name consists of
        self._built_references: list[Reference] = []

    def build_references(self) -> list[Reference]:
        for index, part in enumerate(self.parts):
            self._add_part(part, self.parts[index + 1] if index + 1 < len(self.parts) else None)
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
        elif last.pages and part.pages:  # "A, p. 3, p. 7": two locations in one document
            self._close_part()
            next_location = LabelPart(part.start, part.end, last.names, last.numbers, is_certain=True)
            next_location.merge_locators(part)
            self._open_part(next_location)
        else:
            last.merge_locators(part)

    def _open_part(self, part: LabelPart) -> None:
        self._open_name, self._joined_parts = part, [part]

    def _add_number(self, last: LabelPart, part: LabelPart, following: LabelPart | None) -> None:
        """Add a number: after a name it is a page, after a page another page, after a number another source."""
        is_bare = not part.is_certain and not part.has_locator and len(part.names) == 1
        precedes_locator = following is not None and following.has_locator and not following.names
        written = self.label[part.start : part.end]
        if is_bare and last.names and not last.numbers and not last.has_locator:
            if _YEAR.fullmatch(written):
                self._extend_name(last, part)
            else:
                last.merge_locators(LabelPart(part.start, part.end, page_or_chunk=fold(written)))
        elif is_bare and last.names and not last.numbers and last.pages:
            self._close_part()
            self._open_part(LabelPart(part.start, part.end, last.names, pages=[fold(written)], is_certain=True))
        else:
            is_ambiguous = is_bare and last.has_locator and not precedes_locator
            self._close_part()
            self._open_part(part)
            if is_ambiguous:
                self._close_part(is_ambiguous=True)

    def _add_name(self, last: LabelPart, part: LabelPart) -> None:
        if last.clause and _SUBCLAUSE.fullmatch(self.label[part.start : part.end]):  # "clauses 6.4 and 6.5"
            last.end = part.end
        elif last.names and not last.numbers and not last.has_locator:
            self._extend_name(last, part)
        elif not last.names and not last.numbers:  # "p. 3, NEC4 ACC"
            part.merge_locators(last)
            self._open_part(part)
        else:
            self._close_part()
            self._open_part(part)

    def _extend_name(self, last: LabelPart, part: LabelPart) -> None:
        """Extend the open name by a part and the separator before it: a name with a comma."""
        name_so_far = self.label[last.start : part.start]
        parts = [*self._joined_parts, part]
        joined = LabelPart(last.start, part.end, [name_so_far + name for name in part.names], quote=last.quote)
        joined.merge_locators(part)
        if last.is_certain:
            joined.is_certain = True
        self._open_name, self._joined_parts = joined, parts

    def _close_part(self, is_ambiguous: bool = False) -> None:
        if self._open_name is None:
            return
        parts = (
            tuple(reference for part in self._joined_parts for reference in _make_references(part))
            if len(self._joined_parts) > 1
            else ()
        )
        self._built_references += [
            replace(reference, is_ambiguous=is_ambiguous, separate_names=parts)
            for reference in _make_references(self._open_name)
        ]
        self._open_name, self._joined_parts = None, []


def _make_references(part: LabelPart) -> list[Reference]:
    """Return a reference for each number and each page of the part."""
    is_certain = part.is_certain or bool(part.numbers) or bool(part.clause and part.names)
    return [
        Reference(
            part.start,
            part.end,
            tuple(part.names),
            number=number,
            page=page,
            page_or_chunk=part.page_or_chunk,
            chunk=part.chunk,
            clause=part.clause,
            quote=part.quote,
            is_certain=is_certain,
        )
        for number in part.numbers or (None,)
        for page in part.pages or ("",)
    ]
