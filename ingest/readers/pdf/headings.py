"""Which blocks are headings, and how deep: by number, by size and weight of type."""

from __future__ import annotations

import re
from collections import Counter

from ingest.readers.pdf.blocks import TABLE, TEXT, PdfBlock, PdfLine

_MAX_HEADING_CHARACTERS = 160  # characters of a heading; more is text, however it is set
_MIN_SIZE_RATIO = 1.1  # times the size of the running text
_MAX_LEVELS = 6
_LOOKAHEAD_BLOCKS, _MIN_TEXT_CHARACTERS = 8, 40  # blocks after a heading in which so many characters of text must come

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
# "4.2 Early warning. The Contractor ..." : the title of a clause, run in with its text. A colon alone makes no title
# of words set like the text: "7.1 These are compensation events: ..." is how a list begins.
_RUN_IN = re.compile(r"^(\d{1,3}(?:\.\d{1,3})*\.?\s+[^\W\d_][\w ,'’&/()-]{1,60}?)([.:])\s+(\S)")
# What makes a sentence of a few words: a title has none of them.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|shall|will|may|must|can|should|would|applies|apply|"
    r"this|these|those|it|they|we|you|he|she|no|not)\b",
    re.IGNORECASE,
)
_FINAL_PUNCTUATION = re.compile(r"[.,;:!?。，；：！？]$")
_SMALL_WORD = re.compile(r"(?:an?|and|as|at|by|for|from|in|into|of|on|or|the|to|under|upon|with|without)$")


def mark_headings(blocks: list[PdfBlock], body: float) -> None:
    """Sets `heads` of each block: (item, characters or 0 for all, level)."""
    plain_bold = _is_mostly_bold(blocks, body)
    found = []
    for at, block in enumerate(blocks):
        if block.kind != TEXT:
            continue
        follows = blocks[at + 1] if at + 1 < len(blocks) else None
        leads = at == 0 or _has_text_ahead(blocks, at)
        for number, item in enumerate(block.items):
            lines = item[0]
            if (
                len(block.items) == 1
                and (leads or _DECIMAL_NUMBER.match(lines[0].text))
                and _is_heading(block, lines, body, plain_bold, follows)
            ):
                found.append((block, number, 0, lines))
            elif length := _measure_run_in_title(lines):
                found.append((block, number, length, lines))
    levels = _assign_levels([lines for _, _, _, lines in found], body)
    for (block, number, length, _), level in zip(found, levels, strict=True):
        block.headings.append((number, length, level))


def _is_mostly_bold(blocks: list[PdfBlock], body: float) -> bool:
    """In a text that is bold throughout, bold says nothing."""
    weights: Counter[bool] = Counter()
    for block in blocks:
        if block.kind == TEXT:
            for line in block.lines:
                weights[line.bold] += len(line.text)
    return weights[True] > weights[False]


def _is_heading(block: PdfBlock, lines: list[PdfLine], body: float, plain_bold: bool, follows: PdfBlock | None) -> bool:
    text = " ".join(line.text for line in lines).strip()
    letters = sum(map(str.isalpha, text))
    if not _WORD.search(text) or all(fragment.is_in_picture for line in lines for fragment in line.fragments):
        return False
    if (
        len(text) > _MAX_HEADING_CHARACTERS
        or letters < 2
        or letters < 0.4 * len(text.replace(" ", ""))
        or len(lines) > 4
    ):
        return False
    numbered = bool(_DECIMAL_NUMBER.match(text) or _NAMED_HEADING.match(text) or _chinese_level(text))
    closed = bool(_FINAL_PUNCTUATION.search(text))
    size = max(line.size for line in lines)
    if size >= _MIN_SIZE_RATIO * body and (not closed or numbered or text.endswith(("?", "!", ":"))):
        return True
    if all(line.bold for line in lines) and not plain_bold and (not closed or (numbered and text[-1] in ".:")):
        return True
    if closed and not (numbered and text.isupper()):
        return False
    if text.isupper() and letters >= 4 and len(text) <= 100 and size >= 0.95 * body:
        return numbered or (len(lines) == 1 and not block.is_full)
    # A plain line with a number in front is a heading when it reads like a title and text follows, not one more item.
    return numbered and len(lines) == 1 and not block.is_full and _is_title(text) and _is_long_text(follows)


def _has_text_ahead(blocks: list[PdfBlock], at: int) -> bool:
    """Whether something to read comes soon after: labels in a drawing are followed by more labels."""
    ahead = [block for block in blocks[at + 1 : at + 1 + _LOOKAHEAD_BLOCKS] if block.kind in (TEXT, TABLE)]
    return any(
        block.kind == TABLE or sum(len(line.text) for line in block.lines) >= _MIN_TEXT_CHARACTERS for block in ahead
    )


def _is_long_text(block: PdfBlock | None) -> bool:
    return bool(block and block.kind == TEXT and len(" ".join(line.text for line in block.lines)) > 80)


def _is_title(text: str) -> bool:
    words = _find_words(text)
    return 0 < len(words) <= 12 and not words[0][0].islower() and (_is_title_case(text) or len(words) <= 4)


def _is_title_case(text: str) -> bool:
    words = _find_words(text)
    capital = sum(bool(_SMALL_WORD.match(word)) or not word[0].islower() for word in words)
    several = sum(not word[0].islower() for word in words) > 1
    return several and len(words) <= 12 and not words[0][0].islower() and capital >= 0.7 * len(words)


def _find_words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_][\w’'-]*", text)


def _measure_run_in_title(lines: list[PdfLine]) -> int:
    """How many characters of a clause's first line are its title; 0 when it has none there."""
    first = lines[0]
    lead = max(first.fragments[0].bold_lead, first.fragments[0].italic_lead)
    before = 0
    if not lead and len(first.fragments) > 1 and _DECIMAL_NUMBER.match(first.text):
        # The number is a fragment of its own when white parts it from the title.
        before, lead = (
            len(first.fragments[0].text) + 1,
            max(first.fragments[1].bold_lead, first.fragments[1].italic_lead),
        )
        if not lead and (first.fragments[1].bold or first.fragments[1].italic) and len(first.fragments) > 2:
            lead = len(first.fragments[1].text)
    if lead and _DECIMAL_NUMBER.match(first.text):
        title = first.text[: before + lead].rstrip()
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
    """A few words that make no sentence."""
    return _is_title(text) and not _VERB.search(text)


def _chinese_level(text: str) -> int:
    return next((level for pattern, level in _CHINESE_HEADINGS if pattern.match(text)), 0)


def _number_level(text: str) -> int:
    """The depth that a heading's own number tells; 0 when it has none."""
    if _NAMED_HEADING.match(text):
        return 1
    if match := _DECIMAL_NUMBER.match(text):
        parts = match.group(1).split(".")
        return len(parts) - (parts[-1] == "0" and len(parts) > 1)
    return _chinese_level(text)


def _assign_levels(headings: list[list[PdfLine]], body: float) -> list[int]:
    """Numbers say how deep they are; the rest takes the level of numbered ones set alike, or its rank by type."""
    styles = [_describe_style(lines) for lines in headings]
    own = [_number_level(lines[0].text) for lines in headings]
    known: dict[tuple, Counter[int]] = {}
    for style, level in zip(styles, own, strict=True):
        if level:
            known.setdefault(style, Counter())[level] += 1
    alike = Counter(styles)
    # One bold line that happens to begin with a number does not number all bold lines.
    known = {style: counts for style, counts in known.items() if counts.total() >= 0.3 * alike[style]}
    free = sorted(
        {style for style, level in zip(styles, own, strict=True) if not level and style not in known}, reverse=True
    )
    deepest_known = sorted(known, reverse=True)
    levels = []
    for style, level in zip(styles, own, strict=True):
        if not level and style in known:
            level = known[style].most_common(1)[0][0]
        elif not level and deepest_known:
            above = [known[other].most_common(1)[0][0] for other in deepest_known if other > style]
            level = max(above) + 1 if above else 1
        elif not level:
            level = free.index(style) + 1
        levels.append(min(level, _MAX_LEVELS))
    return levels


def _describe_style(lines: list[PdfLine]) -> tuple:
    text = "".join(line.text for line in lines)
    return round(max(line.size for line in lines)), all(line.bold for line in lines), text.isupper()
