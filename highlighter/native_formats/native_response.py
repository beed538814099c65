"""What any vendor's response says: its text, the sources that it was given, and what of them it cites where."""

from __future__ import annotations

from dataclasses import dataclass, replace

from highlighter.errors import TooLarge

MAX_ANSWER_CHARACTERS = 100_000
MAX_MERGED = 100  # ids, names, URLs and passages of one source, each


def check_answer_length(text: str) -> None:
    """Raise TooLarge for an answer that is too long to be opened."""
    if len(text) > MAX_ANSWER_CHARACTERS:
        raise TooLarge(f"The answer has {len(text):,} characters; the limit is {MAX_ANSWER_CHARACTERS:,}.")


@dataclass(frozen=True, slots=True)
class NativeSource:
    """A source as a vendor's response names it. Which document it is, is not known here."""

    ids: tuple[str, ...] = ()  # of the document, the chunk or the vendor's file
    names: tuple[str, ...] = ()  # file names, titles, paths
    urls: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()  # what the response contains of its text
    page: int = 0
    chunk_index: int | None = None
    quote: str = ""  # words of it that the response quotes

    def merge(self, other: NativeSource) -> NativeSource:
        """Return the source with what another description of it adds."""
        return NativeSource(
            _merge(self.ids, other.ids),
            _merge(self.names, other.names),
            _merge(self.urls, other.urls),
            _merge(self.passages, other.passages),
            self.page or other.page,
            other.chunk_index if self.chunk_index is None else self.chunk_index,
            self.quote or other.quote,
        )

    @property
    def name(self) -> str:
        """Return how to call the source in a sentence for users."""
        return next(iter((*self.names, *self.urls, *self.ids)), "")


@dataclass(frozen=True, slots=True)
class NativeCitation:
    """A citation of a response. `[start, end)` is the cited text in the answer; None where the response does not say."""

    kind: str  # the vendor's word for it: "char_location", "url_citation", "marker"
    sources: tuple[NativeSource, ...] = ()
    start: int | None = None
    end: int | None = None
    label: tuple[int, int] | None = None  # span of the marker in the answer
    quote: str = ""  # the cited words of the source
    offsets: tuple[int, int] | None = None  # of these words in the vendor's copy of the source
    reason: str = ""  # why the citation has no source, as a sentence for users
    candidates: tuple[NativeSource, ...] = ()  # that an ambiguous marker may mean

    def shift(self, offset: int) -> NativeCitation:
        """Return the citation in a text that has this many characters before."""
        return replace(
            self,
            start=None if self.start is None else self.start + offset,
            end=None if self.end is None else self.end + offset,
            label=None if self.label is None else (self.label[0] + offset, self.label[1] + offset),
        )


@dataclass(frozen=True, slots=True)
class NativeResponse:
    """A response in one form, whatever its vendor."""

    text: str
    citations: tuple[NativeCitation, ...] = ()
    sources: tuple[NativeSource, ...] = ()  # all that came with the response, in the order of their numbers


def _merge(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(first + second))[:MAX_MERGED]
