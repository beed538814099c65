"""An answer as Markdown, to be pasted elsewhere: each mark a link to its sentence, and the list of sources."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.answer_text.inline_writer import escape_markdown
from highlighter.answer_text.markdown_writer import MarkdownWriter
from highlighter.answer_text.tree import Block, Run
from highlighter.api.answer_schemas import AnswerOut


def as_markdown(answer: AnswerOut, blocks: Sequence[Block], base: str) -> str:
    """`base` is put before each link. Only the markers are links: what the answer says is escaped."""

    def link_of(run: Run) -> str:
        cited = [answer.citations[at] for at in run.marker.citations]
        link = next((found for one in cited if (found := one.links.get("view") or one.links.get("document"))), "")
        if not link:
            return escape_markdown(run.text)
        return f"[{escape_markdown(run.text.strip('[]') or str(cited[0].number))}]({base}{link})"

    text = MarkdownWriter(link_of).write(blocks)
    return f"{text}\n\n{_sources(answer, base)}".strip() + "\n"


def _sources(answer: AnswerOut, base: str) -> str:
    lines = {}
    for citation in answer.citations:
        name = escape_markdown(citation.filename) + (f", page {citation.page}" if citation.page else "")
        links = [
            f"[{words}]({base}{citation.links[kind]})"
            for words, kind in (("highlighted", "view"), ("PDF", "pdf"))
            if kind in citation.links
        ]
        quote = " ".join(citation.quote.split())
        parts = [f"{name}: {escape_markdown(quote)}" if quote else name, *links]
        lines.setdefault((citation.number, citation.quote_start), f"- \\[{citation.number}\\] {' '.join(parts)}")
    return "\n".join(lines[key] for key in sorted(lines))
