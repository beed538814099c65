"""Notes as Markdown, for readers who go on writing elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from highlighter.notes.placement import PlacedNote
from highlighter.quotes.anchors import CHANGED, GONE
from highlighter.urls import Links

_SPECIAL_CHARACTERS = re.compile(r"([\\`*_\[\]<>#|])")


def render_markdown(notes: Sequence[PlacedNote], links: Links) -> str:
    """Return notes by document: each quote with its page and a link to it, and what the note says."""
    sections = []
    for _, group in groupby(notes, key=lambda placed: placed.document.id):
        members = list(group)
        sections.append(f"# {_escape(members[0].document.name)}\n")
        sections += [_render_note(placed, links) for placed in members]
    return "\n".join(sections)


def _render_note(placed: PlacedNote, links: Links) -> str:
    note = placed.note
    place = f"page {placed.page}" if placed.page else "in the document"
    facts = [f"[{place}]({links.note_view(placed.link_target, note.id)})", note.colour]
    if note.author:
        facts.append(_escape(note.author))
    if placed.outcome == GONE:
        facts[0] = f"[lost, was on page {note.page}]({links.note_view(placed.link_target, note.id)})"
    if placed.outcome == CHANGED:
        facts.append(f"changed, was: “{_join_lines(note.exact)}”")
    lines = [f"> {_join_lines(placed.text or note.exact)}", ">", f"> — {', '.join(facts)}", ""]
    # Each line of the note stays a line of its own.
    return "\n".join([*lines, *(f"{_escape(line)}  " for line in note.text.splitlines()), ""])


def _join_lines(text: str) -> str:
    return _escape(" ".join(text.split()))


def _escape(text: str) -> str:
    return _SPECIAL_CHARACTERS.sub(r"\\\1", text)
