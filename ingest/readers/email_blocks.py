"""Build the document of an e-mail from its headers, its text and its attachments, whatever file it was saved as."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from itertools import groupby

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import PICTURE_KINDS
from ingest.file_kinds import detect_kind_of_bytes
from ingest.picture_conversion import measure_shorter_side
from ingest.readers.extracted_document import Attachment, ExtractedDocument
from ingest.readers.html import decode_html, read_html_blocks
from ingest.readers.text_blocks import CODE, HEADING, PARAGRAPH, ExtractedBlock, build_document, collapse_white_space
from ingest.readers.txt_blocks import QUOTATION_MARKS, split_blocks
from ingest.readers.txt_encoding import decode_text

MAX_ATTACHMENTS = 200
MAX_HEADER_CHARACTERS = 2_000  # the list of recipients may be longer than the text
# Of the shorter side. What is smaller is an icon, and in the text, where programs put logos, a logo or a banner.
MIN_ATTACHED_PICTURE_PIXELS, MIN_SHOWN_PICTURE_PIXELS = 200, 1_000
_ENCODED_WORDS = re.compile(r"=\?[^?\s]+\?[bq]\?[^?]*\?=(?:\s+=\?[^?\s]+\?[bq]\?[^?]*\?=)*", re.IGNORECASE)
_MAX_QUOTATIONS = 1_000  # the lines of a text that begins and ends more of them are not set apart
_SOFT_BREAK = re.compile(r"(?<!^--)(?<=\S) \n(?=\S)", re.MULTILINE)  # not below "-- ", where a signature begins
_UNREAD_MEDIA_TYPES = ("image/", "audio/", "video/", "font/")


def build_email(
    subject: str,
    headers: Mapping[str, str],
    body: Sequence[ExtractedBlock],
    attachments: Sequence[Attachment],
    unread_names: Sequence[str],
    picture_count: int = 0,
) -> ExtractedDocument:
    """Return the document of an e-mail: its subject as a heading, its headers, its text.

    `unread_names` are those of attachments that are not read, and `picture_count` is that of pictures in the text.
    """
    lines = [f"{name}: {value}" for name, value in headers.items() if value]
    if attachments:
        lines.append("Attachments: " + ", ".join(attachment.name for attachment in attachments))
    blocks = [ExtractedBlock(HEADING, subject, 1)] if subject else []
    blocks += [ExtractedBlock(PARAGRAPH, "\n".join(lines))] if lines else []
    read_attachments = tuple(attachments[:MAX_ATTACHMENTS])
    unread_names = [*unread_names, *(attachment.name for attachment in attachments[MAX_ATTACHMENTS:])]
    notes = (
        *_describe_attachments(len(read_attachments)),
        *_describe_unread_files(unread_names),
        *_describe_pictures(picture_count),
    )
    return replace(build_document([*blocks, *body]), attachments=read_attachments, notes=notes)


def _describe_attachments(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    return (
        N_("1 attachment is a document of its own.")
        if count == 1
        else N_("{count} attachments are documents of their own.", count=count),
    )


def _describe_unread_files(names: Sequence[str]) -> tuple[str, ...]:
    return (N_("Attachments that are not read: {names}.", names=", ".join(names)),) if names else ()


def _describe_pictures(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    return (
        N_("1 picture in the text is not read.")
        if count == 1
        else N_("{count} pictures in the text are not read.", count=count),
    )


def read_html_body(content: bytes, encoding: str) -> list[ExtractedBlock]:
    """Return the blocks of a text in HTML."""
    text, _ = decode_html(content, encoding)
    return read_html_blocks(text)


def read_text_body(content: bytes, encoding: str, soft_break: str = "\n") -> list[ExtractedBlock]:
    """Return the blocks of a plain text; its headings are not guessed, as the lines of a letter are short.

    A paragraph of a quoted message begins with the marks of its lines (">"), which stand nowhere else in it.
    `soft_break` is what a line break after a space means: a space, or nothing, in flowed text.
    """
    if not content.strip():
        return []
    text, _ = decode_html(content, encoding)
    blocks = []
    for marks, group in _group_quoted_lines(text):
        for block in split_blocks(_SOFT_BREAK.sub(soft_break, group)):
            blocks.append(ExtractedBlock(CODE if block.is_code else PARAGRAPH, marks + block.text))
    return blocks


def _group_quoted_lines(text: str) -> list[tuple[str, str]]:
    """Return (marks of a quotation, lines without them) for lines that follow each other with as many marks."""
    split_lines = [_split_quotation_marks(line) for line in text.split("\n")]
    groups = [
        (marks, "\n".join(line for _, line in group))
        for marks, group in groupby(split_lines, key=lambda split: split[0])
    ]
    return groups if len(groups) <= _MAX_QUOTATIONS else [("", text)]


def _split_quotation_marks(line: str) -> tuple[str, str]:
    """Return the marks of a quotation that a line begins with, as its blocks begin with them, and the rest of the line."""
    match = QUOTATION_MARKS.match(line)
    marks = match[0] if match else ""
    depth = marks.count(">")
    return f"{'>' * depth} " if depth else "", line[len(marks) :]


def decode_header_bytes(raw: bytes, encoding: str) -> str:
    """Return a header that is not encoded as it should be: in UTF-8, or as the text of the e-mail is."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return decode_html(raw, encoding or "cp1252")[0]


def decode_header_text(raw: object) -> str:
    """Return a header in one line, its encoded words decoded as far as they can be."""
    text = str(raw or "")[: 4 * MAX_HEADER_CHARACTERS]  # encoded words are longer than what they say
    text = _ENCODED_WORDS.sub(_decode_words, text).encode("utf-8", "replace").decode()
    text = "".join(char if char.isprintable() else " " for char in collapse_white_space(text))
    return " ".join(text.split())[:MAX_HEADER_CHARACTERS]


def _decode_words(words: re.Match[str]) -> str:
    try:
        return str(make_header(decode_header(words[0])))
    except (HeaderParseError, LookupError, ValueError, TypeError, AssertionError):
        return words[0]


def is_readable_attachment(name: str, content: bytes, media_type: str = "") -> bool:
    """Return whether an attachment is of a kind that is read; of pictures, one that is larger than an icon."""
    try:
        kind = detect_kind_of_bytes(content, name)
        if kind in PICTURE_KINDS:
            return measure_shorter_side(content) >= MIN_ATTACHED_PICTURE_PIXELS
        if media_type.startswith(_UNREAD_MEDIA_TYPES):
            return False
        if kind == "txt":
            decode_text(content[:4096])
    except UnreadableFile:
        return False
    return True


def is_page_picture(content: bytes) -> bool:
    """Return whether a picture in the text is as large as that of a page."""
    return measure_shorter_side(content) >= MIN_SHOWN_PICTURE_PIXELS
