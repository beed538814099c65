"""Quotes with their citation for export: APA-like, BibTeX, Markdown, or the link alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from highlighter.models import DOCUMENT_SUFFIXES

_WHITE_SPACE = re.compile(r"\s+")
_SUFFIX = re.compile(rf"(?:{'|'.join(map(re.escape, DOCUMENT_SUFFIXES))})$", re.IGNORECASE)
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
_MARKDOWN_BLOCK_START = re.compile(r"^(\d+)([.)])(?=\s)|^([-+])(?=\s)")
# Characters with a meaning in TeX. BibTeX also counts braces that follow a backslash, so they are spelled out. Letters of
# other scripts stay as they are: Biber and XeTeX read them.
_TEX_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "“": "``", "”": "''", "‘": "`", "’": "'", "\u00a0": "~",
})  # fmt: skip
_NOT_IN_BIBTEX_KEY = re.compile(r"[^a-z0-9]+")
NO_DATE_LABEL = "n.d."


@dataclass(frozen=True, slots=True)
class QuoteExport:
    """A quote with the bibliographic data of its document."""

    quote: str
    name: str  # file name
    page: str  # page label
    link: str
    sha256: str = ""
    author: str = ""
    year: str = ""
    title: str = ""

    @classmethod
    def from_metadata(
        cls, quote: str, name: str, page: str, link: str, *, sha256: str, metadata: Mapping[str, Any]
    ) -> QuoteExport:
        """Return an export whose author, title and year come from the document's `metadata`.

        The year is taken from `year`, or else from `date`.
        """
        fields = {key: str(metadata.get(key) or "") for key in ("author", "title", "year", "date")}
        year = re.search(r"\d{4}", fields["year"] or fields["date"])
        return cls(
            _collapse_white_space(quote),
            name,
            page,
            link,
            sha256,
            _collapse_white_space(fields["author"]),
            year[0] if year else "",
            _collapse_white_space(fields["title"]),
        )

    @property
    def title_or_name(self) -> str:
        """Return the title, or the file name without its extension."""
        return self.title or _SUFFIX.sub("", _collapse_white_space(self.name))


def format_apa(quote_export: QuoteExport) -> str:
    """Return “Quote” (Author, 2024, p. 3). Title. Link"""
    author_or_title = quote_export.author or quote_export.title_or_name
    source = f"({author_or_title}, {quote_export.year or NO_DATE_LABEL}, p. {quote_export.page})"
    title = f" {quote_export.title_or_name}." if quote_export.author else ""
    return f"“{quote_export.quote}” {source}.{title} {quote_export.link}"


def format_bibtex(quote_export: QuoteExport) -> str:
    """Return a BibTeX entry of type `misc`."""
    fields = {
        "author": _wrap_in_braces(quote_export.author.translate(_TEX_ESCAPES)),
        "title": _wrap_in_braces(quote_export.title_or_name.translate(_TEX_ESCAPES)),
        "year": quote_export.year,
        "pages": quote_export.page.translate(_TEX_ESCAPES).replace("–", "--"),
        "howpublished": _collapse_white_space(quote_export.name).translate(_TEX_ESCAPES),
        "note": f"``{quote_export.quote.translate(_TEX_ESCAPES)}''",
        "url": quote_export.link.replace("{", "%7B").replace("}", "%7D"),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{_make_bibtex_key(quote_export)},\n{lines}}}"


def format_markdown(quote_export: QuoteExport) -> str:
    """Return a block quote, followed by the title as a link."""
    quote = _MARKDOWN_BLOCK_START.sub(
        lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", _escape_markdown(quote_export.quote)
    )
    link = quote_export.link.replace("(", "%28").replace(")", "%29")
    return f"> {quote}\n>\n> — [{_escape_markdown(quote_export.title_or_name)}, p. {_escape_markdown(quote_export.page)}]({link})"


def format_link(quote_export: QuoteExport) -> str:
    return quote_export.link


FORMATS = {"apa": format_apa, "bibtex": format_bibtex, "markdown": format_markdown, "link": format_link}


def _collapse_white_space(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).strip()


def _escape_markdown(text: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _wrap_in_braces(text: str) -> str:
    """Return the text in braces, in which BibTeX keeps a title's capitals and does not split an author's name."""
    return f"{{{text}}}" if text else ""


def _make_bibtex_key(quote_export: QuoteExport) -> str:
    """Return a key of ASCII letters, which every BibTeX accepts.

    A title without ASCII letters is replaced by the beginning of the file's hash.
    """
    ascii_text = (
        unicodedata.normalize("NFKD", f"{quote_export.author.split(',')[0]} {quote_export.title_or_name}")
        .encode("ascii", "ignore")
        .decode()
    )
    key = (
        _NOT_IN_BIBTEX_KEY.sub("-", ascii_text.lower()).strip("-")[:40].strip("-")
        or f"document-{quote_export.sha256[:8]}"
    )
    return f"{key}-p{_NOT_IN_BIBTEX_KEY.sub('', quote_export.page.lower()) or 0}"
