"""Render a pack's answer as W3C Web Annotations, HTML and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup

from highlighter.answer_text.markdown_writer import MarkdownWriter, escape_markdown
from highlighter.answer_text.tree import AnswerRun
from highlighter.answering.records import StoredAnswer
from highlighter.evidence_pack.quoted_table import QuotedTable
from highlighter.evidence_pack.report import CitationNote, PackDocument, Report, format_verdict
from highlighter.locale import ENGLISH
from highlighter.models import MEDIA_TYPES
from highlighter.quotes.anchors import JSON_LD_CONTEXTS, Anchor, build_annotation
from highlighter.resources import TEMPLATE_FOLDER
from highlighter.text.language import detect_language, get_direction
from highlighter.urls import Links


def build_annotations(report: Report) -> dict[str, Any]:
    """Return the cited words as annotations. Links are relative to wherever the library is served."""
    items = [
        _build_annotation(note, report.stored_answer)
        for note in report.notes
        if note.citation.sha256 and note.citation.quote
    ]
    return {"@context": JSON_LD_CONTEXTS, "type": "AnnotationPage", "items": items}


def _build_annotation(note: CitationNote, stored_answer: StoredAnswer) -> dict[str, Any]:
    citation, links = note.citation, Links()
    anchor = Anchor(
        citation.quote_start, citation.quote_end, citation.quote, citation.prefix, citation.suffix, citation.quote_spans
    )
    extension = citation.filename.rpartition(".")[2].lower()
    annotation = build_annotation(
        anchor,
        link=links.permanent_quote(citation.sha256, anchor, citation.page),
        source=links.original(citation.document_id),
        media_type=MEDIA_TYPES.get(extension, ""),
        sha256=citation.sha256,
        page=citation.page,
    )
    body = {
        "type": "TextualBody",
        "value": f"Note {note.number} of answer {stored_answer.answer.id}",
        "purpose": "commenting",
    }
    return {**annotation, "body": body}


# HTML: a page without external resources, with links to the other files of the pack.


def render_html(report: Report) -> str:
    return _load_template().render(
        report=report, answer=report.answer, lang_of=_format_lang_attributes, language_of=_choose_language
    )


def _choose_language(text: str, around: str = "") -> str:
    """Return the language of a text, else that of the text around it."""
    return detect_language(text) or around or ENGLISH


def _format_lang_attributes(text: str, around: str = "") -> Markup:
    """Return the attributes of a text in another language or direction than the text around it, by default English."""
    code, around = _choose_language(text, around), around or ENGLISH
    lang = Markup(' lang="{}"').format(code) if code != around else Markup()
    direction = get_direction(code)
    return lang + (Markup(' dir="{}"').format(direction) if direction != get_direction(around) else Markup())


@lru_cache(maxsize=1)
def _load_template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("evidence_pack.html")


# Markdown, with footnotes in the syntax of GitHub and Pandoc.


def render_markdown(report: Report) -> str:
    return "\n".join(_render_lines(report)) + "\n"


def _render_lines(report: Report) -> Iterator[str]:
    answer = report.answer
    yield f"# {_escape_line(report.question)}"
    yield ""
    yield from (f"- {name}: {_escape_line(value)}" for name, value in report.metadata)
    for notice in (report.redaction_notice, report.refusal, *answer.warnings):
        if notice:
            yield f"\n> {_escape_line(notice)}"
    if report.body:
        yield f"\n{MarkdownWriter(_render_marker).write(report.body)}"
    if report.notes:
        yield ""
    for note in report.notes:
        location = f"[{_escape_line(note.location)}](<{note.target}>)" if note.file else _escape_line(note.location)
        quote = f": “{_escape_line(note.citation.quote)}”" if note.citation.quote else "."
        label = f"{note.number}." if report.unmarked_notes else f"[^{note.number}]:"
        yield f"{label} {location}{quote}{' ' + note.remark if note.remark else ''}"
        if table := note.table:
            yield from _render_quoted_table(table)
    if answer.claims:
        yield from ("", "## Checked claims", "")
        yield from (
            f"- **{format_verdict(item.verdict)}** {_escape_line(item.text)}{' ' + _escape_line(item.why) if item.why else ''}"
            for item in answer.claims
        )
    if report.documents:
        yield from ("", "## Documents", "")
        yield from (f"- {_render_document(item)}" for item in report.documents)
    yield from ("", "## Proof", "")
    head = report.stored_answer.head
    yield f"Answer `{answer.id}`, recorded as row {head.seq} of the audit log at {report.stored_at}."
    yield f"Hash of the chain there: `{head.hash}`."
    yield "`manifest.json` has the SHA-256 of every file; `record.json` has what the hash is made of."


def _render_quoted_table(table: QuotedTable) -> Iterator[str]:
    """Yield the quoted rows, indented so that they belong to their note."""
    if table.caption:
        yield from ("", f"    {_escape_line(table.caption)}")
    rows = [
        [f"**{_escape_line(cell.text)}**" if cell.is_header and cell.text else _escape_line(cell.text) for cell in row]
        for row in table.rows
    ]
    yield ""
    for cells in ([_escape_line(text) for text in table.header], ["---"] * len(table.header), *rows):
        yield f"    | {' | '.join(cells)} |"
    yield ""


def _render_marker(run: AnswerRun) -> str:
    citations = run.marker.citations if run.marker else ()
    return "".join(f"[^{index + 1}]" for index in citations) or _escape_line(run.text)


def _render_document(document: PackDocument) -> str:
    name = _escape_line(document.name)
    link = f"[{name}](<{document.file}>)" if document.file else name
    digest = f" SHA-256 `{document.sha256}`" if document.sha256 else ""
    return f"{link}{digest}{' ' + _escape_line(document.why) if document.why else ''}"


def _escape_line(text: str) -> str:
    """Return the text on one line and escaped, so that markup in a document's text is shown literally."""
    return escape_markdown(" ".join(text.split()))
