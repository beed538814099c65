"""Join the lines of one column into paragraphs and list items."""

from __future__ import annotations

import re
from collections import Counter
from itertools import compress, pairwise
from typing import NamedTuple

from highlighter.text.sentences.line_breaks import NEVER_LAST_WORDS
from ingest.list_markers import PDF_BULLET_START, is_pdf_item_start, list_adjacent_markers
from ingest.readers.pdf.blocks import TEXT, PdfBlock, PdfLine, is_sentence_end
from ingest.readers.pdf.captions import CAPTION_WORD
from ingest.readers.pdf.columns import is_mostly_rtl
from ingest.readers.pdf.line_joining import (
    CHINESE_OR_JAPANESE,
    HYPHENS,
    are_addresses,
    has_open_end,
    is_cut_after_scheme,
)
from ingest.readers.pdf.listings import is_in_listing, is_line_of_listing
from ingest.readers.pdf.run_in_labels import is_beside_label, is_run_in_label_line, split_run_in_labels

_ITEM_END = re.compile(r"[;,]\s(?:and|or|and/or)$")  # of the last item of a list but one
_REFERENCE_KEY = re.compile(r"\[[A-Z][\w+]{0,9}\d{2}[a-z]?\]\s")  # "[Mit97] T. M. Mitchell, ..."
# A defined term by itself: 1.3 “Batch”
_QUOTED_TERM = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*\.?\s*)?[“\"][^“”\"]{2,80}[”\"]")
_MAX_PITCHES_TO_DEFINITION = 2.5  # a definition may stand a paragraph's distance below its term
_LABEL = re.compile(r"[A-ZÀ-Þ][^\W\d_]*(?: [^\W\d_]+){0,2}: \S|[\u3040-\u30ff\u3400-\u9fff]{2,8}：\S")
_ANY_LABEL = re.compile(r"[^\W\d_](?:[\w -]{0,23}\w)?:(?:\s|$)")
_INDEX_ENTRY = re.compile(r"[^\W\d_], (?:\d{1,4}(?:[–-]\d{1,4})?(?:, |$))+$")  # "Isometry, 6, 10"
_MIN_ITEM_CHARACTERS = 6  # a shorter line with a marker has no text
_CLAUSE_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})+\.?\s")
_NUMBER, _THREE_LETTERS = re.compile(r"(?<!\S)[-+−<(]?\d[\d.,%eE+-]*[)*]*(?!\S)"), re.compile(r"[^\W\d_]{3}")
_MIN_NUMBERS = 4  # in a row of a table
_NUMBERS_ALONE = re.compile(r"[-+−(]?\d[\d.,%]*(?: [-+−(]?\d[\d.,%)]*){2,}")  # the numbers of an axis, or of a matrix
_EQUATION_NUMBER = re.compile(r"[=<>≤≥∈→].*\s\(\d{1,3}(?:\.\d{1,3})*[a-z]?\)$")  # after an equation
_CAPTION = re.compile(rf"{CAPTION_WORD}\s?\d")
_CAPITALISED_WORD = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{2,}\b")
_ASSIGNMENT = re.compile(r"[A-Za-z][\w.$]* <- \S")  # in a program
_WORDS_OF_TEXT = re.compile(r"(?: [a-z]+,?){4}")
_COPYRIGHT = re.compile(r"(?:[Cc]opyright\s)?(?:©|\([cC]\))\s?\d{4}")
_KIND = re.compile(r"\[[A-Z][^\[\]]*\]")  # of what a line declares, at its right edge: "exit (code)   [Function]"
_MIN_KIND_GAP_EMS = 1.5
_INITIAL, _INITIAL_END = re.compile(r"[A-Z]\.\s"), re.compile(r"(?:^|[\s.])[A-Z]\.$")  # "J." | "R. Hartley"
_MAX_RUN_ON_PITCH_EMS = 1.6  # between two lines of one sentence
_MAX_SIZE_DIFFERENCE, _MAX_UNSPACED_SIZE_DIFFERENCE = 0.12, 0.15  # of two lines of a paragraph
_MAX_RUN_ON_SIZE_DIFFERENCE = 0.2  # of two lines of a sentence that goes on in lower case
_MAX_LONE_PITCH_EMS = 1.8  # of two lines that no others prove to be lines of text
# Lines that go on in lower case show where text wraps: so many of so many characters, within so many lines.
_MIN_WRAPPED_LINES, _MIN_WRAPPED_CHARACTERS, _MAX_LINES_TO_WRAPPED = 2, 30, 10
_MAX_EDGE_SHIFT_EMS = 0.5  # by which lines that begin at one edge may begin apart
_MAX_JUSTIFIED_SHIFT_POINTS = 0.6  # between the ends of two lines that are set to both margins
_MIN_JUSTIFIED_LINES, _MIN_JUSTIFIED_SHARE = 3, 0.5  # that end at one edge, of the full lines of a column
_MIN_TEXT_WIDTH_SHARE = 0.6  # of the lines of text, in a column whose other lines are wider
_MIN_BOX_DISTANCE_EMS = 1.0
_MIN_LABELS, _MAX_LABEL_CHARACTERS = 3, 40
_MAX_NAME_WORDS = 4  # of a name with a full stop: "Orange Works Ltd."
_MIN_LINES_AS_WIDE = 2  # as a line that is full
_MIN_FULL_CHARACTERS = 20  # of a Chinese or Japanese line: items of a list are shorter where they are equally wide


def _has_sentence_end(line: PdfLine) -> bool:
    """Return whether a line ends a sentence, with or without a note's mark at the end."""
    fragment = line.fragments[-1]
    mark_characters = fragment.marks[-1][1] if fragment.marks and sum(fragment.marks[-1]) == len(fragment.text) else 0
    return is_sentence_end(line.text[: len(line.text) - mark_characters])


def _is_note_start(line: PdfLine) -> bool:
    first = line.fragments[0]
    return bool(first.marks) and first.marks[0][0] == 0 and line.text[first.marks[0][1] :].strip()[:1].isalpha()


class _ColumnLines(NamedTuple):
    """The lines of a column, its edges, the usual distance of its baselines, and which of the lines near by are full."""

    edges: tuple[float, float]
    leading: float
    text_leading: float  # of the lines of a paragraph
    lines: list[PdfLine]
    wrapped: list[PdfLine]
    following: PdfLine | None  # the line below the one that is classified

    def find_usual_pitch(self, line: PdfLine, following: PdfLine) -> float:
        """Return how close the next line stands if it goes on with the paragraph of a line."""
        may_begin = _CAPITALISED_WORD.match(following.text) or is_pdf_item_start(following.text)
        leading = self.leading
        if self.text_leading < leading and may_begin:
            is_ended = is_in_listing(line) or has_room_for(line, following, self.edges)
            leading = self.text_leading if is_ended else leading
        return leading if leading else 1.4 * following.size

    def is_ended(self, line: PdfLine, following: PdfLine) -> bool:
        """Return whether the writer ended a line on purpose: the next word would have fitted.

        A table or a header may reach beyond the text, whose lines may be wrapped by a count of characters.
        """
        left, right = self.edges
        if not self.wrapped or _ANY_LABEL.match(following.text) or line.bold != following.bold:
            return has_room_for(line, following, self.edges)
        word = following.text.split(" ", 1)[0]
        length = len(line.text) + 1 + len(word)
        if not is_pdf_item_start(following.text) and all(len(full.text) < length for full in self.wrapped):
            return False
        return has_room_for(line, following, (left, min(right, max(full.x1 for full in self.wrapped))))


def build_paragraphs(lines: list[PdfLine], column: tuple[float, float]) -> list[PdfBlock]:
    """Return the blocks of a column; the items of a block are paragraphs without white between: a list, an address."""
    blocks: list[PdfBlock] = []
    lines = split_run_in_labels(lines, lambda above, line: _is_full_within_sentence(above, line, column))
    are_labels = _are_labels(lines)
    wrapped_flags = [_is_wrapped(a, b) for a, b in pairwise(lines)]
    edges = (column[0], _find_text_edge(list(compress(lines, wrapped_flags)), column[1]))
    leading, text_leading = _estimate_leading(lines, wrapped_flags)
    for index, line in enumerate(lines):
        previous = lines[index - 1] if index else None
        if previous is None:
            blocks.append(PdfBlock(TEXT, [[[line]]], column=column))
            continue
        wrapped = _list_wrapped_lines(wrapped_flags, lines, index)
        following = lines[index + 1] if index + 1 < len(lines) else None
        around = _ColumnLines(edges, leading, text_leading, lines, wrapped, following)
        step = _classify_step(previous, line, blocks[-1], around)
        begins_anew = is_run_in_label_line(line) and (not previous.bold or has_room_for(previous, line, edges))
        if step == "line" and not (are_labels or begins_anew):
            blocks[-1].items[-1][0].append(line)
        elif step in ("line", "item"):
            blocks[-1].items.append([[line]])
        else:
            pitch = line.base - previous.base
            gap = pitch / leading if leading else 1.0
            blocks.append(PdfBlock(TEXT, [[[line]]], column=column, gap=gap))
    for block in blocks:
        block.is_full = not has_room_for(block.last, None, edges)
    return blocks


def _is_full_within_sentence(line: PdfLine, following: PdfLine, edges: tuple[float, float]) -> bool:
    """Return whether a line of text, and not of a title or label in bold, is full and ends no sentence."""
    return not (line.bold or _has_sentence_end(line) or has_room_for(line, following, edges))


def _find_text_edge(wrapped: list[PdfLine], right: float) -> float:
    """Return the right edge of a column: where most of its full lines end, if others reach beyond that edge."""
    if len(wrapped) < _MIN_JUSTIFIED_LINES:
        return right
    end, count = Counter(round(line.x1) for line in wrapped).most_common(1)[0]
    is_edge = count >= max(_MIN_JUSTIFIED_LINES, _MIN_JUSTIFIED_SHARE * len(wrapped))
    is_far = end < max(line.x0 for line in wrapped) + _MIN_TEXT_WIDTH_SHARE * (right - min(line.x0 for line in wrapped))
    return min(end + 1.0, right) if is_edge and not is_far else right


def _are_labels(lines: list[PdfLine]) -> bool:
    """Return whether a column holds short lines that all begin anew at one edge: an address, the fields of a box."""
    edge = min((line.x0 for line in lines), default=0.0)
    return len(lines) >= _MIN_LABELS and all(
        len(line.text) <= _MAX_LABEL_CHARACTERS
        and line.x0 - edge < _MAX_EDGE_SHIFT_EMS * line.size
        and (line.text[:1].isupper() or line.text[:1].isdigit())
        and not (line.text[-1:] in ",;:" + HYPHENS or has_open_end(line.text))
        and not (line.text[-1:] == "." and len(line.text.split()) > _MAX_NAME_WORDS)
        for line in lines
    )


def _is_wrapped(line: PdfLine, following: PdfLine) -> bool:
    """Return whether a line is full, since its sentence goes on below in lower case."""
    is_long = len(line.text) >= _MIN_WRAPPED_CHARACTERS
    return is_long and following.text[:1].islower() and not _has_sentence_end(line)


def _list_wrapped_lines(flags: list[bool], lines: list[PdfLine], index: int) -> list[PdfLine]:
    """Return the full lines around a line, or none where too few show how the text is wrapped."""
    if len(lines[index - 1].text) < _MIN_WRAPPED_CHARACTERS:
        return []
    first = max(index - _MAX_LINES_TO_WRAPPED, 0)
    near = flags[first : index + _MAX_LINES_TO_WRAPPED]
    wrapped = list(compress(lines[first : first + len(near)], near))
    # The lines of an indented quotation may also end sooner than those of the text around it.
    indented = [full for full in wrapped if abs(full.x0 - lines[index].x0) < _MAX_EDGE_SHIFT_EMS * full.size]
    wrapped = indented if len(indented) >= _MIN_WRAPPED_LINES else wrapped
    return wrapped if len(wrapped) >= _MIN_WRAPPED_LINES else []


def _estimate_leading(lines: list[PdfLine], wrapped_flags: list[bool]) -> tuple[float, float]:
    """Return the usual distance between baselines, and that of lines of one paragraph; 0 when there are too few lines.

    Where most paragraphs have one line, those that go on in lower case show how close the lines of a paragraph stand.
    """
    steps = [
        (pitch, is_wrapped)
        for (a, b), is_wrapped in zip(pairwise(lines), wrapped_flags, strict=True)
        if 0 < (pitch := b.base - a.base) < 3.2 * b.size and abs(a.size - b.size) < 0.1 * b.size
    ]
    if len(steps) == 1 and steps[0][0] > _MAX_LONE_PITCH_EMS * lines[0].size and not lines[-1].text[:1].islower():
        return 0.0, 0.0
    leading = _find_low_pitch([pitch for pitch, _ in steps])
    wrapped = [pitch for pitch, is_wrapped in steps if is_wrapped]
    return leading, min(leading, _find_low_pitch(wrapped)) if len(wrapped) >= _MIN_WRAPPED_LINES else leading


def _find_low_pitch(pitches: list[float]) -> float:
    return sorted(pitches)[int(len(pitches) * 0.4)] if pitches else 0.0


def _classify_step(previous: PdfLine, line: PdfLine, block: PdfBlock, column: _ColumnLines) -> str:
    """Return how a line follows the one above: a "line" of the same paragraph, a new "item", or a new "block"."""
    if is_beside_label(previous, line):
        return "item"
    if step := _classify_by_distance(previous, line, column) or _classify_by_text(previous, line, column):
        return step
    is_full = _is_as_wide_as_others(previous, line, block, column.lines) or _is_justified(previous, line, block)
    is_short = column.is_ended(previous, line) and not (is_full or _is_in_caption(previous, line, block))
    has_changed = line.bold != previous.bold or _has_other_style(previous, line)
    is_after_listing = len(block.items) > 1 and is_in_listing(previous) and is_in_listing(block.items[-2][0][-1])
    if is_short and is_after_listing and not is_in_listing(line):
        return "block"
    if is_short and has_changed and not has_open_end(previous.text):
        is_title = _is_title_wrapped(previous, line, column.find_usual_pitch(previous, line))
        is_worded = _THREE_LETTERS.search(previous.text) and _THREE_LETTERS.search(line.text)
        return "line" if is_title and is_worded and _is_centred(previous, line) else "block"
    if _is_below_centred_title(previous, line, column.edges):
        return "block"
    has_title = _is_bold_start(line) and not previous.bold and _has_sentence_end(previous)
    if has_title and has_room_for(previous, None, column.edges):
        return "block"  # a paragraph that begins with its title
    if PDF_BULLET_START.match(line.text):
        return "item" if is_pdf_item_start(block.items[-1][0][0].text) or len(block.items) > 1 else "block"
    has_ended = _has_sentence_end(previous)
    if _is_labelled_like(previous, line, block, is_short or has_ended):
        return "item"
    is_in_list = has_ended and not is_short and _is_in_running_list(line, block.items[-1][0])
    if not is_in_list and _is_marked_item(previous, line, block, is_short or has_ended):
        return "item" if is_pdf_item_start(block.items[-1][0][0].text) else "block"
    return _classify_by_shape(previous, line, block, is_short, has_ended)


def _classify_by_distance(previous: PdfLine, line: PdfLine, column: _ColumnLines) -> str:
    """Return how a line follows the one above, or "" where it stands close below it in the same size."""
    pitch = line.base - previous.base
    usual_pitch = column.find_usual_pitch(previous, line)
    max_pitch = max(1.24 * usual_pitch, (1.45 if _is_title_wrapped(previous, line, usual_pitch) else 1.05) * line.size)
    if _is_run_on(previous, line):
        max_pitch = max(max_pitch, _MAX_RUN_ON_PITCH_EMS * line.size)
    is_far = pitch > max_pitch or pitch < -0.5 * line.size
    if _has_other_size(previous, line, column) and not _is_drop_cap(previous, line):
        return "block"
    if _is_defined_below(previous, line, max_pitch):
        return "line"
    return "block" if is_far or _is_note_start(line) else ""


def _classify_by_text(previous: PdfLine, line: PdfLine, column: _ColumnLines) -> str:
    """Return how a line follows the one above where that is plain from what both say, or else ""."""
    if is_cut_after_scheme(previous.text, line.text):
        return "line"
    if _is_declaration(previous):
        return "block"
    if _is_within_dashes(previous, line) and not _is_first_of_list(previous, line, column):
        return "line"
    if _is_beside(previous, line, column.edges) and not line.text[:1].islower():
        return "block"
    if line.text == previous.text and " " in line.text:
        return "item"  # a sentence does not say the same twice
    if _ASSIGNMENT.match(line.text) and not _WORDS_OF_TEXT.search(line.text):
        return "item"
    is_open = previous.text[-1:] in ",;:" or has_open_end(previous.text)
    if _COPYRIGHT.match(line.text) and _COPYRIGHT.match(previous.text) and not is_open:
        return "item"
    if are_addresses(previous.text, line.text):
        return "item"
    if is_line_of_listing(line, previous):
        return "item"
    if _is_row_of_numbers(line) and _is_row_of_numbers(previous) and previous.text[-1] not in ",;":
        return "item"
    if not is_open and _are_numbers_and_words(previous, line):
        return "block"
    if _is_index_entry(previous.text) and _is_index_entry(line.text):
        return "item"
    if _EQUATION_NUMBER.search(previous.text) and _CAPITALISED_WORD.match(line.text):
        return "block"
    return ""


def _is_marked_item(previous: PdfLine, line: PdfLine, block: PdfBlock, is_ended: bool) -> bool:
    """Return whether a line begins with the marker of an item, and not with a number or an initial within a sentence."""
    if not is_pdf_item_start(line.text) or (_INITIAL.match(line.text) and _INITIAL_END.search(previous.text)):
        return False
    if is_ended or (is_pdf_item_start(previous.text) and len(previous.text) < _MIN_ITEM_CHARACTERS):
        return True
    if _CLAUSE_NUMBER.match(line.text) and _ITEM_END.search(previous.text):
        return True
    return bool(_REFERENCE_KEY.match(line.text) and _REFERENCE_KEY.match(block.items[-1][0][0].text))


def _is_in_running_list(line: PdfLine, paragraph: list[PdfLine]) -> bool:
    """Return whether the marker at the start of a line is of a list within a paragraph, which wraps before it.

    The marker before it then stands inside the paragraph, or the one after it in the same line.
    """
    before, after = list_adjacent_markers(line.text)
    text = " ".join(other.text for other in paragraph) if before else ""
    may_be_first = not before or line.text.lstrip("(").startswith("i)")
    return any(f" {marker} " in text for marker in before) or (
        may_be_first and any(f" {marker} " in line.text for marker in after)
    )


def _is_declaration(line: PdfLine) -> bool:
    """Return whether a line names a function and, far from it, what it is: its description begins below."""
    if len(line.fragments) < 2 or not _KIND.fullmatch(line.fragments[-1].text):
        return False
    before, kind = line.fragments[-2:]
    return kind.x0 - before.x1 > _MIN_KIND_GAP_EMS * kind.size and line.text.count("(") == line.text.count(")")


def _is_index_entry(text: str) -> bool:
    return (text[-1:].isdigit() or text.endswith(", ")) and _INDEX_ENTRY.search(text) is not None


def _is_row_of_numbers(line: PdfLine) -> bool:
    """Return whether a line holds several numbers and no words: a row of a table whose columns stand close."""
    return _THREE_LETTERS.search(line.text) is None and len(_NUMBER.findall(line.text)) >= _MIN_NUMBERS


def _is_within_dashes(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether the second of two dashes around a part of a sentence begins a line, as a bullet would."""
    dash = line.text[0]
    return (
        dash in "–—-"
        and line.text[1:2] == " "
        and line.text[2:3].islower()
        and previous.text.rpartition(". ")[2].count(f" {dash} ") == 1
        and not _has_sentence_end(previous)
        and not is_pdf_item_start(previous.text)
    )


def _is_first_of_list(previous: PdfLine, line: PdfLine, column: _ColumnLines) -> bool:
    """Return whether a dash begins the first item of a list: the title above leaves room, or another item is below."""
    has_next_item = column.following is not None and column.following.text.startswith(line.text[:2])
    return has_next_item or has_room_for(previous, line, column.edges)


def _are_numbers_and_words(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether one of two lines holds numbers alone, and the other words: an axis and its name, a text and a matrix."""
    first, second = previous.text, line.text
    if not (first[-1:].isdigit() or second[-1:].isdigit()):
        return False
    if _NUMBERS_ALONE.fullmatch(first):
        return _CAPITALISED_WORD.match(second) is not None
    return _NUMBERS_ALONE.fullmatch(second) is not None and _THREE_LETTERS.search(first) is not None


def _is_beside(previous: PdfLine, line: PdfLine, column: tuple[float, float]) -> bool:
    """Return whether a line stands wholly to the left or right of a short line above: they are parts of two boxes."""
    distance = max(previous.x0 - line.x1, line.x0 - previous.x1)
    return distance > _MIN_BOX_DISTANCE_EMS * line.size and 2 * (previous.x1 - previous.x0) < column[1] - column[0]


def _is_labelled_like(previous: PdfLine, line: PdfLine, block: PdfBlock, is_ended: bool) -> bool:
    """Return whether a line begins with a label as the lines above do, as in a form: "Name: Ada", "Date: 1 May"."""
    are_in_form = _LABEL.match(previous.text) and _LABEL.match(line.text)
    are_listed = is_ended and _ANY_LABEL.match(block.items[-1][0][0].text) and _ANY_LABEL.match(line.text)
    return bool(are_in_form or are_listed) and not has_open_end(previous.text)


def _has_other_size(previous: PdfLine, line: PdfLine, column: _ColumnLines) -> bool:
    """Return whether the size of type changes; the sizes of recognised Chinese and Japanese vary from line to line."""
    if line.size == previous.size:
        return False  # nearly all lines
    is_unspaced = bool(CHINESE_OR_JAPANESE.search(previous.text) and CHINESE_OR_JAPANESE.search(line.text))
    limit = _MAX_UNSPACED_SIZE_DIFFERENCE if is_unspaced else _MAX_SIZE_DIFFERENCE
    if line.bold == previous.bold and _is_wrapped(previous, line) and not column.is_ended(previous, line):
        limit = _MAX_RUN_ON_SIZE_DIFFERENCE  # a word in another typeface may be larger
    return abs(line.size - previous.size) > limit * max(line.size, previous.size)


def _is_defined_below(previous: PdfLine, line: PdfLine, max_pitch: float) -> bool:
    """Return whether a line holds only a quoted term, and its definition goes on below: 1.3 “Batch”, "shall mean ..."."""
    is_near = 0 < line.base - previous.base < _MAX_PITCHES_TO_DEFINITION * max_pitch
    return is_near and line.text[:1].islower() and _QUOTED_TERM.fullmatch(previous.text) is not None


def _is_run_on(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a line goes on in lower case, in the style of an unfinished line above it."""
    if not (line.text[:2].isalpha() and line.text[:1].islower()):
        return False
    has_same_style = (line.bold, line.italic, line.face) == (previous.bold, previous.italic, previous.face)
    if not has_same_style or abs(line.size - previous.size) >= 0.02 * line.size:
        return False
    is_start = is_pdf_item_start(line.text) or _ANY_LABEL.match(line.text)
    return not is_start and not _has_sentence_end(previous)


def _is_title_wrapped(previous: PdfLine, line: PdfLine, usual_pitch: float) -> bool:
    """Return whether two lines look like a title of two lines: larger than the text around them, and of one style.

    A word of a centred title may be in another typeface.
    """
    is_large = line.size > 0.95 * usual_pitch and line.size == previous.size
    is_alike = line.face == previous.face or (line.italic == previous.italic and _is_centred(previous, line))
    return is_large and line.bold == previous.bold and is_alike and not _has_sentence_end(previous)


def _is_centred(previous: PdfLine, line: PdfLine) -> bool:
    return abs((line.x0 + line.x1) - (previous.x0 + previous.x1)) < 1.5 * line.size


def _is_in_caption(previous: PdfLine, line: PdfLine, block: PdfBlock) -> bool:
    """Return whether a line goes on with a caption, which may be narrower than the text of its column."""
    is_unfinished = _CAPTION.match(block.items[-1][0][0].text) and not _has_sentence_end(previous)
    is_start = is_pdf_item_start(line.text) or _CAPTION.match(line.text)
    is_aligned = abs(line.x0 - previous.x0) < _MAX_EDGE_SHIFT_EMS * line.size or _is_centred(previous, line)
    return bool(is_unfinished and not is_start and is_aligned)


def _is_below_centred_title(previous: PdfLine, line: PdfLine, edges: tuple[float, float]) -> bool:
    """Return whether a line begins below a centred title in bold: it is not bold, and as centred."""
    is_below = previous.bold and not line.bold and not line.text[:1].islower() and not has_open_end(previous.text)
    return (
        is_below
        and _is_centred(previous, line)
        and abs(line.x0 - previous.x0) > _MAX_EDGE_SHIFT_EMS * line.size
        and min(previous.x0 - edges[0], edges[1] - previous.x1) > _MIN_BOX_DISTANCE_EMS * line.size
    )


def _has_other_style(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a line changes slant or typeface; a sentence may do so, and two scripts need two typefaces."""
    if line.italic == previous.italic and line.face == previous.face:
        return False  # nearly all lines
    return not (
        line.text[:1].islower()
        or previous.text[-1:] in HYPHENS
        or CHINESE_OR_JAPANESE.search(previous.text + line.text)
    )


def _classify_by_shape(previous: PdfLine, line: PdfLine, block: PdfBlock, is_short: bool, has_ended: bool) -> str:
    """Return how a line follows the one above by where both begin, and whether that one is short and ends a sentence."""
    paragraph = block.items[-1][0]
    indent = line.x0 - previous.x0
    if _is_centred(previous, line) and abs(indent) > 0.5 * line.size:
        if is_short and _is_ended_centred(previous, line):
            return "item"
        return "line" if not has_ended or line.text[:1].islower() else "block"
    if (previous.text[-1:] in HYPHENS and line.text[:1].islower()) or has_open_end(previous.text):
        return "line"
    if previous.text.endswith(",") and is_pdf_item_start(paragraph[0].text):
        is_hanging = line.x0 - paragraph[0].x0 > 0.5 * line.size  # below the text of the item, whose marker stands out
        if is_hanging:
            return "line"
    if (
        0.7 * line.size < indent < 8 * line.size
        and (is_short or has_ended)
        and not is_pdf_item_start(paragraph[0].text)
    ):
        return "block" if (is_short and has_ended) or not line.text[:1].islower() else "line"
    if is_short and not line.text[:1].islower():
        return "block" if has_ended or len(paragraph) > 1 else "item"
    if indent < -0.7 * line.size and len(paragraph) > 1 and has_ended and not is_pdf_item_start(paragraph[0].text):
        return "block"
    return "line"


def _is_ended_centred(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a centred line was ended on purpose: a wider one begins anew below it, as below an author's name."""
    is_narrower = line.x1 - line.x0 > previous.x1 - previous.x0
    words = previous.text.split()[-1], line.text.split()[0]
    is_open = previous.text[-1:] in ",:;&" + HYPHENS or any(word.lower() in NEVER_LAST_WORDS for word in words)
    return is_narrower and line.text[:1].isupper() and not is_open


def _is_bold_start(line: PdfLine) -> bool:
    return line.fragments[0].bold or line.fragments[0].bold_lead > 0


def _is_drop_cap(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is a large initial letter beside the lines it begins."""
    return len(previous.text) <= 2 and previous.size > 1.8 * line.size


def _is_as_wide_as_others(previous: PdfLine, line: PdfLine, block: PdfBlock, lines: list[PdfLine]) -> bool:
    """Return whether a long line of a script without spaces ends where the next, the last or two others end: it is full.

    The column may be wider than its text: a stamp, a table or a speck of a scan reaches beyond it.
    """
    if (
        not CHINESE_OR_JAPANESE.search(previous.text[-2:])
        or len(previous.text) < _MIN_FULL_CHARACTERS
        or line.bold != previous.bold
        or _has_sentence_end(previous)
    ):
        return False
    as_wide = [
        other
        for other in lines
        if other is not previous
        and len(other.text) >= _MIN_FULL_CHARACTERS
        and abs(other.x1 - previous.x1) < previous.size
    ]
    neighbours = (line, *block.lines_before_last)
    if any(other is near for other in as_wide for near in neighbours):
        return True
    is_indented = line.x0 > min((other.x0 for other in as_wide), default=line.x0) + line.size
    return len(as_wide) >= _MIN_LINES_AS_WIDE and not is_indented


def _is_justified(previous: PdfLine, line: PdfLine, block: PdfBlock) -> bool:
    """Return whether a long line ends exactly where the next or the last line does: a quotation set to both margins."""
    if previous.text.split(" ", 1)[0] == line.text.split(" ", 1)[0] or is_in_listing(previous):
        return False  # entries of a list, whose last word is as long by chance, or lines of as many characters
    return any(
        min(len(previous.text), len(other.text)) >= _MIN_WRAPPED_CHARACTERS
        and abs(previous.x1 - other.x1) < _MAX_JUSTIFIED_SHIFT_POINTS
        and abs(previous.x0 - other.x0) < 2 * previous.size
        and (previous.bold, previous.face) == (other.bold, other.face)
        for other in (line, *block.lines_before_last)
    )


def has_room_for(line: PdfLine, following: PdfLine | None, column: tuple[float, float]) -> bool:
    """Return whether the next line's first word would have fitted: the writer then ended the line on purpose."""
    width = line.x1 - line.x0
    character_width = width / max(len(line.text), 1)
    if CHINESE_OR_JAPANESE.search(line.text[-3:]):
        needed = 2.2 * line.size
    else:
        word = following.text.split(" ", 1)[0] if following else "internationally"
        needed = (min(len(word), 45) + 1) * character_width
    room = line.x0 - column[0] if is_mostly_rtl(line.text) else column[1] - line.x1
    # Lines wrapped by hand or by a count of characters are uneven: a little room means nothing.
    return room > max(needed + 0.3 * line.size, 0.07 * (column[1] - column[0]))
