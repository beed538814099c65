"""A pack's answer as Markdown, with footnotes as GitHub and Pandoc know them."""

from __future__ import annotations

from collections.abc import Iterator

from highlighter.answer_text.inline_writer import escape_markdown
from highlighter.answer_text.markdown_writer import MarkdownWriter
from highlighter.answer_text.tree import Run
from highlighter.pack.report import Report


def as_markdown(told: Report) -> str:
    return "\n".join(_lines(told)) + "\n"


def _lines(told: Report) -> Iterator[str]:
    answer = told.answer
    yield f"# {_plain(told.question)}"
    yield ""
    yield from (f"- {name}: {_plain(value)}" for name, value in told.facts)
    for said in (told.gone, told.refusal, *answer.warnings):
        if said:
            yield f"\n> {_plain(said)}"
    if told.body:
        yield f"\n{MarkdownWriter(_footnotes).write(told.body)}"
    if told.notes:
        yield ""
    for note in told.notes:
        at = f"[{_plain(note.where)}](<{note.target}>)" if note.file else _plain(note.where)
        quote = f": “{_plain(note.citation.quote)}”" if note.citation.quote else "."
        mark = f"{note.number}." if told.loose else f"[^{note.number}]:"
        yield f"{mark} {at}{quote}{' ' + note.says if note.says else ''}"
    if answer.claims:
        yield from ("", "## What was checked", "")
        yield from (
            f"- **{one.verdict}** {_plain(one.text)}{' ' + _plain(one.why) if one.why else ''}" for one in answer.claims
        )
    if told.given:
        yield from ("", "## Documents", "")
        yield from (f"- {_given(one)}" for one in told.given)
    yield from ("", "## Proof", "")
    head = told.kept.head
    yield f"Answer `{answer.id}`, kept as row {head.seq} of the audit at {told.kept_at}."
    yield f"Hash of the chain there: `{head.hash}`."
    yield "`manifest.json` has the SHA-256 of every file; `record.json` has what the hash is made of."


def _footnotes(run: Run) -> str:
    return "".join(f"[^{at + 1}]" for at in run.marker.citations) or _plain(run.text)


def _given(one) -> str:
    at = f"[{_plain(one.name)}](<{one.file}>)" if one.file else _plain(one.name)
    return f"{at}{f' SHA-256 `{one.sha256}`' if one.sha256 else ''}{' ' + _plain(one.why) if one.why else ''}"


def _plain(text: str) -> str:
    """On one line, and no mark-up of its own: what a document says is shown, not followed."""
    return escape_markdown(" ".join(text.split()))
