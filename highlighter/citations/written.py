"""A quote with its citation, as people take it along: APA-like, BibTeX, Markdown, or the link alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"\s+")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
_OPENS_A_BLOCK = re.compile(r"^(\d+)([.)])(?=\s)|^([-+])(?=\s)")
# What BibTeX hands on to TeX, where these mean something. It counts braces, and those after a backslash, too. Letters of
# other scripts are left: Biber and XeTeX read them.
_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "“": "``", "”": "''", "‘": "`", "’": "'", "\u00a0": "~",
})  # fmt: skip
_KEY = re.compile(r"[^a-z0-9]+")
NO_DATE = "n.d."


@dataclass(frozen=True, slots=True)
class Cited:
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
    def of(cls, quote: str, name: str, page: str, link: str, sha256: str, meta: Mapping[str, Any]) -> Cited:
        """`meta` is what was said of the document when it was taken in: `author`, `title`, `year` or `date`."""
        said = {key: str(meta.get(key) or "") for key in ("author", "title", "year", "date")}
        year = re.search(r"\d{4}", said["year"] or said["date"])
        return cls(
            _flat(quote), name, page, link, sha256, _flat(said["author"]), year[0] if year else "", _flat(said["title"])
        )

    @property
    def work(self) -> str:
        return self.title or re.sub(r"\.(pdf|docx|txt|md)$", "", _flat(self.name), flags=re.IGNORECASE)


def apa(cited: Cited) -> str:
    """“Quote” (Author, 2024, p. 3). Title. Link"""
    who = cited.author or cited.work
    where = f"({who}, {cited.year or NO_DATE}, p. {cited.page})"
    title = f" {cited.work}." if cited.author else ""
    return f"“{cited.quote}” {where}.{title} {cited.link}"


def bibtex(cited: Cited) -> str:
    fields = {
        "author": _braced(cited.author.translate(_TEX)),
        "title": _braced(cited.work.translate(_TEX)),
        "year": cited.year,
        "pages": cited.page.translate(_TEX).replace("–", "--"),
        "howpublished": _flat(cited.name).translate(_TEX),
        "note": f"``{cited.quote.translate(_TEX)}''",
        "url": cited.link.replace("{", "%7B").replace("}", "%7D"),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{_key(cited)},\n{lines}}}"


def markdown(cited: Cited) -> str:
    """A block quote, and below it the title as a link."""
    quote = _OPENS_A_BLOCK.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", _marked(cited.quote))
    link = cited.link.replace("(", "%28").replace(")", "%29")
    return f"> {quote}\n>\n> — [{_marked(cited.work)}, p. {_marked(cited.page)}]({link})"


def link(cited: Cited) -> str:
    return cited.link


FORMATS = {"apa": apa, "bibtex": bibtex, "markdown": markdown, "link": link}


def _flat(words: str) -> str:
    return _SPACE.sub(" ", words).strip()


def _marked(words: str) -> str:
    return _MARKDOWN.sub(r"\\\1", words)


def _braced(words: str) -> str:
    """Within braces of its own, a title keeps its capitals and an author's name is not taken apart."""
    return f"{{{words}}}" if words else ""


def _key(cited: Cited) -> str:
    """Letters that every BibTeX takes; where the title has none, what its bytes are known by."""
    plain = (
        unicodedata.normalize("NFKD", f"{cited.author.split(',')[0]} {cited.work}").encode("ascii", "ignore").decode()
    )
    words = _KEY.sub("-", plain.lower()).strip("-")[:40].strip("-") or f"document-{cited.sha256[:8]}"
    return f"{words}-p{_KEY.sub('', cited.page.lower()) or 0}"
