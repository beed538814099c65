"""The request and response models of notes: W3C Web Annotations, as far as notes use them."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.schemas.search import Cursor, NextCursor, Offset, describe_limit
from highlighter.search.quote_locator import MAX_CONTEXT_CHARACTERS, MAX_QUOTE_CHARACTERS
from highlighter.store.notes import MAX_NOTE_TEXT_CHARACTERS

# Annotations of other tools have a few selectors and bodies each, and name types and classes by a word or a URL.
MAX_SELECTORS, MAX_BODIES = 20, 100
MAX_NAME_CHARACTERS, MAX_FRAGMENT_CHARACTERS = 200, 2_000
NoteText = Annotated[str, Field(json_schema_extra=describe_limit(MAX_NOTE_TEXT_CHARACTERS))]
PAGE_FRAGMENT = re.compile(r"page=(\d{1,9})")


class SelectorIn(BaseModel):
    """A selector of a Web Annotation: a quote, a position in code points, or the page of a fragment."""

    type: str = Field(
        max_length=MAX_NAME_CHARACTERS,
        description="TextQuoteSelector, TextPositionSelector or FragmentSelector; others are ignored",
    )
    exact: str = Field("", max_length=MAX_QUOTE_CHARACTERS)
    prefix: str = Field("", max_length=MAX_CONTEXT_CHARACTERS)
    suffix: str = Field("", max_length=MAX_CONTEXT_CHARACTERS)
    start: Offset | None = None
    end: Offset | None = None
    value: str = Field("", max_length=MAX_FRAGMENT_CHARACTERS, description='of a FragmentSelector: "page=3", a hint')


class TextualBody(BaseModel):
    """What a note says."""

    type: str = Field("TextualBody", max_length=MAX_NAME_CHARACTERS)
    value: NoteText = ""


class NoteTargetIn(BaseModel):
    """The words that a note is about: by their position, by the words themselves, or by both."""

    selector: SelectorIn | Annotated[list[SelectorIn], Field(max_length=MAX_SELECTORS)] = []
    styleClass: str = Field(
        "", max_length=MAX_NAME_CHARACTERS, description="the colour: yellow, green, blue or pink"
    )  # of the standard

    def read_selection(self) -> TextSelection:
        """Return what the selectors select together."""
        selectors = self.selector if isinstance(self.selector, list) else [self.selector]
        by_type = {selector.type: selector for selector in selectors}
        quote, position = by_type.get("TextQuoteSelector"), by_type.get("TextPositionSelector")
        fragment = by_type.get("FragmentSelector")
        page = PAGE_FRAGMENT.search(fragment.value) if fragment else None
        return TextSelection(
            position.start if position else None,
            position.end if position else None,
            quote.exact if quote else "",
            quote.prefix if quote else "",
            quote.suffix if quote else "",
            int(page[1]) if page else 0,
        )


class NoteChange(BaseModel):
    """A changed note. Fields that are left out stay as they are."""

    model_config = ConfigDict(extra="ignore")  # annotations of other tools say more

    body: NoteText | TextualBody | Annotated[list[TextualBody], Field(max_length=MAX_BODIES)] | None = Field(
        None, description="the text, or textual bodies"
    )
    target: NoteTargetIn | None = None
    shared: bool | None = Field(None, description="whether everybody who may read the document may read the note")

    def read_content(self, before: NoteContent) -> NoteContent:
        """Return the content with these changes."""
        colour = self.target.styleClass if self.target else ""
        return NoteContent(
            colour or before.colour,
            before.text if self.body is None else _join_bodies(self.body),
            before.shared if self.shared is None else self.shared,
        )


class NewNote(NoteChange):
    """A note as a Web Annotation: what it is about, and what it says."""

    target: NoteTargetIn


class AnnotatedDocument(BaseModel):
    """The document that a note is about."""

    id: str
    type: str
    format: str
    sha256: str


class NoteTarget(BaseModel):
    """The words that a note is about, with their colour."""

    source: AnnotatedDocument
    selector: list[dict[str, Any]]
    styleClass: str


class NoteAnnotation(BaseModel):
    """A note as a Web Annotation, with fields of this service."""

    model_config = ConfigDict(populate_by_name=True)

    context: list[Any] | None = Field(None, alias="@context")
    id: str
    type: Literal["Annotation"]
    motivation: Literal["highlighting", "commenting"]
    created: str
    modified: str
    creator: dict[str, str] | None = Field(None, description="the name of the author's key, if there is one")
    body: list[TextualBody]
    target: NoteTarget
    note_id: str
    document_id: str
    shared: bool
    own: bool = Field(description="whether you may change it")
    outcome: Literal["same", "moved", "changed", "gone"] = Field(description="of the words, in the listed version")
    chunk_index: int
    view: str = Field(description="opens the document at the note")

    @property
    def text(self) -> str:
        """Return what the note says."""
        return _join_bodies(self.body)

    @property
    def quote(self) -> str:
        """Return the words that the note is about."""
        return next((str(one["exact"]) for one in self.target.selector if one.get("type") == "TextQuoteSelector"), "")


class NotePage(BaseModel):
    """A page of notes."""

    model_config = ConfigDict(populate_by_name=True)

    context: list[Any] = Field(alias="@context")
    type: Literal["AnnotationPage"]
    total: int
    next_cursor: NextCursor = None
    items: list[NoteAnnotation]


class NotesQuery(BaseModel):
    """A search in your own notes."""

    q: str = Field("", max_length=200, description="words of the note or of what it is about")
    document_id: str = Field("", max_length=64, description="only on this document")
    limit: int = Field(50, ge=1, le=500)
    offset: Offset = 0
    cursor: Cursor = None


def _join_bodies(body: str | TextualBody | list[TextualBody]) -> str:
    if isinstance(body, str):
        return body
    bodies = body if isinstance(body, list) else [body]
    return "\n\n".join(one.value for one in bodies if one.value)
