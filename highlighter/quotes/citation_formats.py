"""A quote with its citation, as people take it along: APA-like, BibTeX, Markdown, or the link alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_WHITE_SPACE = re.compile(r"\s+")
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
_MARKDOWN_BLOCK_START = re.compile(r"^(\d+)([.)])(?=\s)|^([-+])(?=\s)")
# What BibTeX hands on to TeX, where these mean something. It counts braces, and those after a backslash, too. Letters of
# other scripts are left: Biber and XeTeX read them.
_TEX_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "“": "``", "”": "''", "‘": "`", "’": "'", "\u00a0": "~",
})  # fmt: skip
_NOT_IN_BIBTEX_KEY = re.compile(r"[^a-z0-9]+")
NO_DATE_LABEL = "n.d."


@dataclass(frozen=True, slots=True)
class QuoteExport:
    """What is quoted, and what is known of where it stands."""

    quote: str
    name: str  # of the file
    page: str  # as it is called
    link: str
    sha256: str = ""
    author: str = ""
    year: str = ""
    title: str = ""

    @classmethod
    def from_metadata(
        cls, quote: str, name: str, page: str, link: str, sha256: str, metadata: Mapping[str, Any]
    ) -> QuoteExport:
        """`meta` is what was said of the document when it was taken in: `author`, `title`, `year` or `date`."""
        said = {key: str(metadata.get(key) or "") for key in ("author", "title", "year", "date")}
        year = re.search(r"\d{4}", said["year"] or said["date"])
        return cls(
            _collapse_white_space(quote),
            name,
            page,
            link,
            sha256,
            _collapse_white_space(said["author"]),
            year[0] if year else "",
            _collapse_white_space(said["title"]),
        )

    @property
    def title_or_name(self) -> str:
        return self.title or re.sub(r"\.(pdf|docx|txt|md)$", "", _collapse_white_space(self.name), flags=re.IGNORECASE)


def format_apa(quote_export: QuoteExport) -> str:
    """“Quote” (Author, 2024, p. 3). Title. Link"""
    who = quote_export.author or quote_export.title_or_name
    where = f"({who}, {quote_export.year or NO_DATE_LABEL}, p. {quote_export.page})"
    title = f" {quote_export.title_or_name}." if quote_export.author else ""
    return f"“{quote_export.quote}” {where}.{title} {quote_export.link}"


def format_bibtex(quote_export: QuoteExport) -> str:
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
    """A block quote, and below it the title as a link."""
    quote = _MARKDOWN_BLOCK_START.sub(
        lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", _escape_markdown(quote_export.quote)
    )
    link = quote_export.link.replace("(", "%28").replace(")", "%29")
    return f"> {quote}\n>\n> — [{_escape_markdown(quote_export.title_or_name)}, p. {_escape_markdown(quote_export.page)}]({link})"


def format_link(quote_export: QuoteExport) -> str:
    return quote_export.link


FORMATS = {"apa": format_apa, "bibtex": format_bibtex, "markdown": format_markdown, "link": format_link}


def _collapse_white_space(words: str) -> str:
    return _WHITE_SPACE.sub(" ", words).strip()


def _escape_markdown(words: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\1", words)


def _wrap_in_braces(words: str) -> str:
    """Within braces of its own, a title keeps its capitals and an author's name is not taken apart."""
    return f"{{{words}}}" if words else ""


def _make_bibtex_key(quote_export: QuoteExport) -> str:
    """Letters that every BibTeX takes; where the title has none, what its bytes are known by."""
    plain = (
        unicodedata.normalize("NFKD", f"{quote_export.author.split(',')[0]} {quote_export.title_or_name}")
        .encode("ascii", "ignore")
        .decode()
    )
    words = (
        _NOT_IN_BIBTEX_KEY.sub("-", plain.lower()).strip("-")[:40].strip("-") or f"document-{quote_export.sha256[:8]}"
    )
    return f"{words}-p{_NOT_IN_BIBTEX_KEY.sub('', quote_export.page.lower()) or 0}"
