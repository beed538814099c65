"""Read the footnotes of Markdown: "[^1]" in the text is the mark "[1]", and "[^1]: Text" a note that begins with its mark.

Marks are numbered in the order in which the text refers to them, as programs that show Markdown do.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_DEFINITION, _REFERENCE = re.compile(r"\[\^([^\s\[\]]+)\]:[ \t]*"), re.compile(r"\[\^([^\s\[\]]+)\]")
_LABELS, _NUMBERS, _NOTE = (
    "footnote_labels",
    "footnote_numbers",
    "footnote",
)  # keys in what is kept of a text, and of a note
_INDENT = 4  # of the next paragraphs of a note
_MAX_NOTE_LEVEL = 20  # of notes within notes, lists and quotations; each takes Python frames


def enable_footnotes(parser: MarkdownIt) -> None:
    """Let a parser recognise footnotes, whose definitions it would take for those of links."""
    parser.block.ruler.before("reference", "footnote", _read_definition, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("link", "footnote", _read_reference)


def write_note_marks(tokens: list[Token], environment: MutableMapping[str, Any]) -> None:
    """Write the mark of each note at its beginning."""
    for index, token in enumerate(tokens):
        if label := token.meta.get(_NOTE):
            mark = f"[{_assign_number(environment, label)}]"
            first, content = tokens[index + 1 : index + 3] if index + 2 < len(tokens) else (token, token)
            is_of_note = first.type == "paragraph_open" and first.level > token.level
            if is_of_note and content.children is not None:
                content.children.insert(0, Token("text", "", 0, content=f"{mark} "))
            else:
                token.content = f"<p>{mark}</p>"


def _read_definition(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """Read the blocks of a note: the rest of its line, and what is indented below it."""
    start = state.bMarks[line] + state.tShift[line]
    definition = _DEFINITION.match(state.src, start, state.eMarks[line])
    if not definition or state.is_code_block(line) or state.level >= _MAX_NOTE_LEVEL:
        return False
    if silent:
        return True
    label = definition[1].lower()
    state.env.setdefault(_LABELS, set()).add(label)
    state.push("html_block", "", 0).meta = {_NOTE: label}
    position = state.bMarks[line], state.tShift[line], state.sCount[line]
    parent_type, state.parentType = state.parentType, _NOTE
    state.blkIndent += _INDENT
    state.level += 1
    state.bMarks[line], state.tShift[line], state.sCount[line] = definition.end(), 0, state.blkIndent
    state.md.block.tokenize(state, line, end_line)
    state.parentType = parent_type
    state.bMarks[line], state.tShift[line], state.sCount[line] = position
    state.level -= 1
    state.blkIndent -= _INDENT
    return True


def _read_reference(state: StateInline, silent: bool) -> bool:
    """Write the mark of a note that the text defines; other brackets are left."""
    reference = _REFERENCE.match(state.src, state.pos)
    if not reference or reference[1].lower() not in state.env.get(_LABELS, ()):
        return False
    if not silent:
        state.pending += f"[{_assign_number(state.env, reference[1].lower())}]"
    state.pos = reference.end()
    return True


def _assign_number(environment: MutableMapping[str, Any], label: str) -> int:
    """Return the number of a note, which is given when it is first asked for."""
    numbers: dict[str, int] = environment.setdefault(_NUMBERS, {})
    return numbers.setdefault(label, len(numbers) + 1)
