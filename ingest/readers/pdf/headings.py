"""Find which blocks are headings, and their level: by number, and by size and weight of type."""

from __future__ import annotations

import re
from collections import Counter

from ingest.readers.pdf.blocks import TABLE, TEXT, PdfBlock, PdfLine

_MAX_HEADING_CHARACTERS = 160  # longer text is no heading, whatever its type
_MIN_SIZE_RATIO = 1.1  # times the size of the running text
_MAX_LEVELS = 6
_LOOKAHEAD_BLOCKS, _MIN_TEXT_CHARACTERS = 8, 40  # a heading has so many characters of text in the next blocks

_DECIMAL_NUMBER = re.compile(
    r"^(?:(?:Section|SECTION|Clause|CLAUSE|§)\s*)?(\d{1,3}(?:\.\d{1,3})*)(?:[.)]?\s+(?=\S)|\.?(?=[A-Z][A-Za-z]))"
)
_NAMED_HEADING = re.compile(
    r"^(?:ARTICLE|Article|CHAPTER|Chapter|PART|Part|SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix|EXHIBIT|Exhibit)"
    r"\s+(?:[\dIVXLC]+|[A-Z])\b"
)
_CHINESE_HEADINGS = (
    (re.compile("^第[一二三四五六七八九十百\\d]+[章部编篇]"), 1),
    (re.compile("^第[一二三四五六七八九十百\\d]+节"), 2),
    (re.compile("^[一二三四五六七八九十]{1,3}、"), 1),
    (re.compile("^[（(][一二三四五六七八九十]{1,3}[)）]"), 2),
)
_WORD = re.compile(r"[^\W\d_]{3}|[\u2e80-\u9fff\uac00-\ud7af]{2}|^(?:[A-Z]|[IVX]+|\d+)[.)]?\s+[^\W\d_]{2}")
# "4.2 Early warning. The Contractor ...": a clause whose title runs into its text. A colon alone makes no title of
# words set like the text: "7.1 These are compensation events: ..." begins a list.
_RUN_IN = re.compile(r"^(\d{1,3}(?:\.\d{1,3})*\.?\s+[^\W\d_][\w ,'’&/()-]{1,60}?)([.:])\s+(\S)")
# Words that make a sentence of a few words: a title has none of them.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|shall|will|may|must|can|should|would|applies|apply|"
    r"this|these|those|it|they|we|you|he|she|no|not)\b",
    re.IGNORECASE,
)
_FINAL_PUNCTUATION = re.compile(r"[.,;:!?。，；：！？]$")
_SMALL_WORD = re.compile(r"(?:an?|and|as|at|by|for|from|in|into|of|on|or|the|to|under|upon|with|without)$")

_Style = tuple[int, bool, bool]  # (size, bold, capitals)


def mark_headings(blocks: list[PdfBlock], body_size: float) -> None:
    """Set `headings` of each block: (item, characters or 0 for all, level)."""
    is_mostly_bold = _is_mostly_bold(blocks, body_size)
    headings = []
    for index, block in enumerate(blocks):
        if block.kind != TEXT:
            continue
        if block.tagged_level:
            block.headings.append((0, 0, block.tagged_level))
            continue
        next_block = blocks[index + 1] if index + 1 < len(blocks) else None
        has_text = index == 0 or _has_text_ahead(blocks, index)
        for number, item in enumerate(block.items):
            lines = item[0]
            if (
                len(block.items) == 1
                and (has_text or _DECIMAL_NUMBER.match(lines[0].text))
                and _is_heading(block, lines, body_size, is_mostly_bold, next_block)
            ):
                headings.append((block, number, 0, lines))
            elif length := _measure_run_in_title(lines):
                headings.append((block, number, length, lines))
    levels = _assign_levels([lines for _, _, _, lines in headings], body_size)
    for (block, number, length, _), level in zip(headings, levels, strict=True):
        block.headings.append((number, length, level))


def _is_mostly_bold(blocks: list[PdfBlock], body_size: float) -> bool:
    """Return whether most of the text is bold: bold then marks no headings."""
    weights: Counter[bool] = Counter()
    for block in blocks:
        if block.kind == TEXT:
            for line in block.lines:
                weights[line.bold] += len(line.text)
    return weights[True] > weights[False]


def _is_heading(
    block: PdfBlock, lines: list[PdfLine], body_size: float, mostly_bold: bool, next_block: PdfBlock | None
) -> bool:
    if len(lines) > 4:
        return False
    text = " ".join(line.text for line in lines).strip()
    if len(text) > _MAX_HEADING_CHARACTERS or not _WORD.search(text):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 2 or letters < 0.4 * len(text.replace(" ", "")):
        return False
    if all(fragment.is_in_picture for line in lines for fragment in line.fragments):
        return False
    is_numbered = bool(_DECIMAL_NUMBER.match(text) or _NAMED_HEADING.match(text) or _chinese_level(text))
    has_final_punctuation = bool(_FINAL_PUNCTUATION.search(text))
    size = max(line.size for line in lines)
    if size >= _MIN_SIZE_RATIO * body_size and (
        not has_final_punctuation or is_numbered or text.endswith(("?", "!", ":"))
    ):
        return True
    if (
        all(line.bold for line in lines)
        and not mostly_bold
        and (not has_final_punctuation or (is_numbered and text[-1] in ".:"))
    ):
        return True
    if has_final_punctuation and not (is_numbered and text.isupper()):
        return False
    if text.isupper() and letters >= 4 and len(text) <= 100 and size >= 0.95 * body_size:
        return is_numbered or (len(lines) == 1 and not block.is_full)
    # A plain line with a number is a heading when it reads like a title and text follows rather than another item.
    return is_numbered and len(lines) == 1 and not block.is_full and _is_title(text) and _is_long_text(next_block)


def _has_text_ahead(blocks: list[PdfBlock], index: int) -> bool:
    """Return whether text comes soon after: labels in a drawing are followed by more labels."""
    ahead = blocks[index + 1 : index + 1 + _LOOKAHEAD_BLOCKS]
    return any(
        block.kind == TABLE
        or (block.kind == TEXT and (len(block.first.text) >= _MIN_TEXT_CHARACTERS or _has_text(block)))
        for block in ahead
    )


def _has_text(block: PdfBlock) -> bool:
    return sum(len(line.text) for line in block.lines) >= _MIN_TEXT_CHARACTERS


def _is_long_text(block: PdfBlock | None) -> bool:
    return bool(block and block.kind == TEXT and len(" ".join(line.text for line in block.lines)) > 80)


def _is_title(text: str) -> bool:
    words = _find_words(text)
    return 0 < len(words) <= 12 and not words[0][0].islower() and (_is_title_case(text) or len(words) <= 4)


def _is_title_case(text: str) -> bool:
    words = _find_words(text)
    capitalised = sum(bool(_SMALL_WORD.match(word)) or not word[0].islower() for word in words)
    has_several = sum(not word[0].islower() for word in words) > 1
    return has_several and len(words) <= 12 and not words[0][0].islower() and capitalised >= 0.7 * len(words)


def _find_words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_][\w’'-]*", text)


def _measure_run_in_title(lines: list[PdfLine]) -> int:
    """Return how many characters of a clause's first line are its title; 0 when it has no title."""
    first = lines[0]
    title_characters = max(first.fragments[0].bold_lead, first.fragments[0].italic_lead)
    number_characters = 0
    if not title_characters and len(first.fragments) > 1 and _DECIMAL_NUMBER.match(first.text):
        # White between number and title makes the number a fragment of its own.
        number_characters, title_characters = (
            len(first.fragments[0].text) + 1,
            max(first.fragments[1].bold_lead, first.fragments[1].italic_lead),
        )
        if not title_characters and (first.fragments[1].bold or first.fragments[1].italic) and len(first.fragments) > 2:
            title_characters = len(first.fragments[1].text)
    if title_characters and _DECIMAL_NUMBER.match(first.text):
        title = first.text[: number_characters + title_characters].rstrip()
        if sum(map(str.isalpha, title)) >= 3 and len(title) <= 100:
            return len(title)
    if len(lines) > 1 or len(first.text) > 60:
        match = _RUN_IN.match(first.text)
        if match and _is_title_end(*match.groups()):
            return match.end(1)
    return 0


def _is_title_end(title: str, stop: str, following: str) -> bool:
    if stop == ":":
        return _is_title_case(title) and following.isupper()
    return _is_title_case(title) or (_is_label(title) and not following.islower())


def _is_label(text: str) -> bool:
    """Return whether the text is a few words that make no sentence."""
    return _is_title(text) and not _VERB.search(text)


def _chinese_level(text: str) -> int:
    return next((level for pattern, level in _CHINESE_HEADINGS if pattern.match(text)), 0)


def _number_level(text: str) -> int:
    """Return the level that a heading's number shows; 0 when it has none."""
    if _NAMED_HEADING.match(text):
        return 1
    if match := _DECIMAL_NUMBER.match(text):
        numbers = match.group(1).split(".")
        return len(numbers) - (numbers[-1] == "0" and len(numbers) > 1)
    return _chinese_level(text)


def _assign_levels(headings: list[list[PdfLine]], body: float) -> list[int]:
    """Return the levels of headings.

    Numbers show their level; other headings take the level of numbered ones of their style, or their rank by type.
    """
    styles = [_describe_style(lines) for lines in headings]
    number_levels = [_number_level(lines[0].text) for lines in headings]
    levels_by_style: dict[_Style, Counter[int]] = {}
    for style, level in zip(styles, number_levels, strict=True):
        if level:
            levels_by_style.setdefault(style, Counter())[level] += 1
    style_counts = Counter(styles)
    # A single bold line that begins with a number does not number all bold lines.
    levels_by_style = {
        style: counts for style, counts in levels_by_style.items() if counts.total() >= 0.3 * style_counts[style]
    }
    unnumbered_styles = sorted(
        {
            style
            for style, level in zip(styles, number_levels, strict=True)
            if not level and style not in levels_by_style
        },
        reverse=True,
    )
    known_styles = sorted(levels_by_style, reverse=True)
    levels = []
    for style, level in zip(styles, number_levels, strict=True):
        if not level and style in levels_by_style:
            level = levels_by_style[style].most_common(1)[0][0]
        elif not level and known_styles:
            higher_levels = [levels_by_style[other].most_common(1)[0][0] for other in known_styles if other > style]
            level = max(higher_levels) + 1 if higher_levels else 1
        elif not level:
            level = unnumbered_styles.index(style) + 1
        levels.append(min(level, _MAX_LEVELS))
    return levels


def _describe_style(lines: list[PdfLine]) -> _Style:
    text = "".join(line.text for line in lines)
    return round(max(line.size for line in lines)), all(line.bold for line in lines), text.isupper()
