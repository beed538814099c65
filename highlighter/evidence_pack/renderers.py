"""The cited words as W3C Web Annotations: by what they say, where they stand, and the bytes they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup

from highlighter.answer_text.markdown_writer import MarkdownWriter, escape_markdown
from highlighter.answer_text.tree import AnswerRun
from highlighter.answering.records import StoredAnswer
from highlighter.evidence_pack.report import CitationNote, Report
from highlighter.models import MEDIA_TYPES
from highlighter.quotes.anchors import JSON_LD_CONTEXTS, Anchor, build_annotation
from highlighter.text.language import detect_chinese_script
from highlighter.urls import Links


def build_annotations(report: Report) -> dict[str, Any]:
    """Links are relative: to wherever the library is served."""
    items = [
        _build_annotation(note, report.kept) for note in report.notes if note.citation.sha256 and note.citation.quote
    ]
    return {"@context": JSON_LD_CONTEXTS, "type": "AnnotationPage", "items": items}


def _build_annotation(note: CitationNote, stored_answer: StoredAnswer) -> dict[str, Any]:
    one, links = note.citation, Links()
    anchor = Anchor(one.quote_start, one.quote_end, one.quote, one.prefix, one.suffix)
    kind = one.filename.rpartition(".")[2].lower()
    made = build_annotation(
        anchor, links.permanent_quote(one.sha256, anchor, one.page), links.original(one.document_id),
        MEDIA_TYPES.get(kind, ""), one.sha256, one.page,
    )  # fmt: skip
    said = {
        "type": "TextualBody",
        "value": f"Note {note.number} of answer {stored_answer.answer.id}",
        "purpose": "commenting",
    }
    return {**made, "body": said}


# A pack's answer as a page that needs nothing but itself, and leads to the other files of the pack.


TEMPLATES_FOLDER = Path(__file__).resolve().parents[2] / "templates"


def render_html(report: Report) -> str:
    return _load_template().render(told=report, answer=report.answer, lang_of=_format_lang_attribute)


def _format_lang_attribute(text: str) -> Markup:
    code = detect_chinese_script(text)
    return Markup(f' lang="{code}"') if code else Markup()


@lru_cache(maxsize=1)
def _load_template() -> Template:
    made = Environment(loader=FileSystemLoader(TEMPLATES_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return made.get_template("pack.html")


# A pack's answer as Markdown, with footnotes as GitHub and Pandoc know them.


def render_markdown(report: Report) -> str:
    return "\n".join(_render_lines(report)) + "\n"


def _render_lines(report: Report) -> Iterator[str]:
    answer = report.answer
    yield f"# {_escape_line(report.question)}"
    yield ""
    yield from (f"- {name}: {_escape_line(value)}" for name, value in report.facts)
    for said in (report.gone, report.refusal, *answer.warnings):
        if said:
            yield f"\n> {_escape_line(said)}"
    if report.body:
        yield f"\n{MarkdownWriter(_render_marker).write(report.body)}"
    if report.notes:
        yield ""
    for note in report.notes:
        at = f"[{_escape_line(note.where)}](<{note.target}>)" if note.file else _escape_line(note.where)
        quote = f": “{_escape_line(note.citation.quote)}”" if note.citation.quote else "."
        mark = f"{note.number}." if report.unmarked_notes else f"[^{note.number}]:"
        yield f"{mark} {at}{quote}{' ' + note.says if note.says else ''}"
    if answer.claims:
        yield from ("", "## What was checked", "")
        yield from (
            f"- **{one.verdict}** {_escape_line(one.text)}{' ' + _escape_line(one.why) if one.why else ''}"
            for one in answer.claims
        )
    if report.given:
        yield from ("", "## Documents", "")
        yield from (f"- {_render_document(one)}" for one in report.given)
    yield from ("", "## Proof", "")
    head = report.kept.head
    yield f"Answer `{answer.id}`, recorded as row {head.seq} of the audit log at {report.kept_at}."
    yield f"Hash of the chain there: `{head.hash}`."
    yield "`manifest.json` has the SHA-256 of every file; `record.json` has what the hash is made of."


def _render_marker(run: AnswerRun) -> str:
    return "".join(f"[^{at + 1}]" for at in run.marker.citations) or _escape_line(run.text)


def _render_document(document) -> str:
    at = f"[{_escape_line(document.name)}](<{document.file}>)" if document.file else _escape_line(document.name)
    return f"{at}{f' SHA-256 `{document.sha256}`' if document.sha256 else ''}{' ' + _escape_line(document.why) if document.why else ''}"


def _escape_line(text: str) -> str:
    """On one line, and no mark-up of its own: what a document says is shown, not followed."""
    return escape_markdown(" ".join(text.split()))
