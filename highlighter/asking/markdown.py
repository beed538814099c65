"""An answer as Markdown, to be pasted elsewhere: each mark a link to its sentence, and the list of sources."""

from __future__ import annotations

import re

from highlighter.api.answer_schemas import AnswerOut
from highlighter.asking.blocks import marks

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
# Links, images and HTML: an answer repeats what a document says, which may be made to be followed.
_LEADING = re.compile(r"(\\*)([\[\]<])")


def as_markdown(answer: AnswerOut, base: str, is_markdown: bool) -> str:
    """`base` is put before each link. What is no Markdown yet is escaped, or its own signs would change it;
    of what is, whatever would lead elsewhere: the marks' links are ours."""
    escaped = _leading_nowhere if is_markdown else _escaped
    said, at = [], 0
    for mark in marks(answer):
        cited = [answer.citations[one] for one in mark.citations]
        link = next((found for one in cited if (found := one.links.get("view") or one.links.get("document"))), "")
        label = _escaped(answer.text[mark.start : mark.end].strip("[]"))
        said += [escaped(answer.text[at : mark.start]), f"[{label}]({base}{link})" if link else f"\\[{label}\\]"]
        at = mark.end
    text = "".join([*said, escaped(answer.text[at:])])
    return f"{text}\n\n{_sources(answer, base)}".strip() + "\n"


def _sources(answer: AnswerOut, base: str) -> str:
    lines = {}
    for citation in answer.citations:
        name = _escaped(citation.filename) + (f", page {citation.page}" if citation.page else "")
        links = [
            f"[{words}]({base}{citation.links[kind]})"
            for words, kind in (("highlighted", "view"), ("PDF", "pdf"))
            if kind in citation.links
        ]
        quote = " ".join(citation.quote.split())
        parts = [f"{name}: {_escaped(quote)}" if quote else name, *links]
        lines.setdefault((citation.number, citation.quote_start), f"- \\[{citation.number}\\] {' '.join(parts)}")
    return "\n".join(lines[key] for key in sorted(lines))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _leading_nowhere(text: str) -> str:
    return _LEADING.sub(r"\1\1\\\2", text)
