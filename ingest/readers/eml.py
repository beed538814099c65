"""Read e-mails: their subject, sender and text. What is attached becomes documents of its own."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE
from ingest.readers.email_blocks import (
    build_email,
    decode_header_bytes,
    decode_header_text,
    is_page_picture,
    is_readable_attachment,
    read_html_body,
    read_text_body,
)
from ingest.readers.extracted_document import Attachment, ExtractedDocument
from ingest.readers.text_blocks import ExtractedBlock

MAX_FILE_BYTES = 100 << 20  # of an e-mail with its attachments
MAX_PARTS = 1_000
MAX_NESTING = 40
_SHOWN_HEADERS = ("From", "To", "Cc", "Date")
_READ_HEADERS = frozenset(name.lower() for name in (*_SHOWN_HEADERS, "Subject", "Content-Type", "Content-Disposition"))
_ENCRYPTED_TYPES = frozenset(("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"))
_SIGNATURE_TYPES = frozenset(
    ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")
)


def read(path: Path) -> ExtractedDocument:
    """Read an e-mail into its canonical text, with its attachments."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise UnreadableFile(TOO_LARGE, N_("The e-mail is larger than {limit} MB.", limit=MAX_FILE_BYTES >> 20))
    try:
        # The older policy never rejects a header, however it is written.
        message = message_from_bytes(path.read_bytes(), policy=policy.compat32)
        _decode_headers(message)
        return read_message(message)
    except (MessageError, ValueError, LookupError, TypeError, AttributeError) as err:
        raise UnreadableFile(DAMAGED, "The e-mail is damaged.") from err


def read_message(message: Message, warnings: tuple[str, ...] = ()) -> ExtractedDocument:
    """Read a parsed e-mail."""
    return replace(_EmailReader(message).read(), warnings=warnings)


def _decode_headers(message: Message) -> None:
    """Write the headers that are read, the first of each name, as the characters that their bytes mean."""
    encodings = [part.get_content_charset() for part in message.walk() if part.get_content_maintype() == "text"]
    encoding = next(filter(None, encodings), "")
    for part in message.walk():
        first_values: dict[str, str] = {}
        for name, value in part.raw_items():
            if name.lower() in _READ_HEADERS:
                first_values.setdefault(name.lower(), str(value))
        for name, value in first_values.items():
            if not value.isascii():
                part.replace_header(name, decode_header_bytes(value.encode("utf-8", "surrogateescape"), encoding))


class _EmailReader:
    """A reader of the parts of one e-mail."""

    def __init__(self, message: Message):
        self._message = message
        self._blocks: list[ExtractedBlock] = []
        self._attachments: list[Attachment] = []
        self._unread_names: list[str] = []
        self._picture_count = 0  # in the text itself
        self._part_count = 0

    def read(self) -> ExtractedDocument:
        self._read_part(self._message, 0)
        headers = {name: decode_header_text(self._message.get(name)) for name in _SHOWN_HEADERS}
        subject = decode_header_text(self._message.get("Subject"))
        return build_email(subject, headers, self._blocks, self._attachments, self._unread_names, self._picture_count)

    def _read_part(self, part: Message, depth: int) -> None:
        self._part_count += 1
        if depth > MAX_NESTING or self._part_count > MAX_PARTS:
            raise UnreadableFile(TOO_LARGE, "The e-mail has too many parts.")
        media_type = part.get_content_type()
        if media_type in _ENCRYPTED_TYPES:
            raise UnreadableFile(ENCRYPTED, "The e-mail is encrypted. Save it without encryption.")
        if media_type in _SIGNATURE_TYPES:
            return
        if media_type == "message/rfc822":
            self._add_message(part)
        elif media_type == "multipart/alternative":
            self._read_alternatives(_list_parts(part), depth)
        elif part.is_multipart():
            for child in _list_parts(part):
                self._read_part(child, depth + 1)
        elif _is_text(part):
            self._blocks += _read_body(part)
        else:
            self._add_file(part, media_type)

    def _read_alternatives(self, parts: list[Message], depth: int) -> None:
        """Read the last alternative that has text: the sender's richest version of it."""
        for part in reversed(parts):
            block_count = len(self._blocks)
            self._read_part(part, depth + 1)
            if len(self._blocks) > block_count:
                return

    def _add_message(self, part: Message) -> None:
        messages = _list_parts(part)
        if messages:
            name = decode_header_text(messages[0].get("Subject")) or "message"
            self._add_attachment(f"{name}.eml", messages[0].as_bytes(), "message/rfc822")

    def _add_file(self, part: Message, media_type: str) -> None:
        content = _decode_content(part)
        is_attached = part.get_content_disposition() == "attachment" or not part.get("Content-ID")
        is_in_text = media_type.startswith("image/") and not is_attached
        if content and is_in_text and not is_page_picture(content):
            self._picture_count += 1
        else:
            self._add_attachment(_get_file_name(part) or media_type, content, media_type)

    def _add_attachment(self, name: str, content: bytes, media_type: str) -> None:
        if content and is_readable_attachment(name, content, media_type):
            self._attachments.append(Attachment(name, content))
        elif content:
            self._unread_names.append(name)


def _list_parts(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _is_text(part: Message) -> bool:
    if part.get_content_maintype() == "multipart":  # without the parts that its type promises
        return True
    is_attached = part.get_content_disposition() == "attachment" or bool(_get_file_name(part))
    return part.get_content_type() in ("text/plain", "text/html") and not is_attached


def _get_file_name(part: Message) -> str:
    return decode_header_text(part.get_filename() or "")


def _decode_content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _read_body(part: Message) -> list[ExtractedBlock]:
    content, encoding = _decode_content(part), str(part.get_content_charset() or "")
    is_html = part.get_content_type() == "text/html"
    return read_html_body(content, encoding) if is_html else read_text_body(content, encoding, _find_soft_break(part))


def _find_soft_break(part: Message) -> str:
    """Return what a line break after a space means in a text: a space in flowed text (RFC 3676), a line break elsewhere."""
    if str(part.get_param("format")).lower() != "flowed":
        return "\n"
    return "" if str(part.get_param("delsp")).lower() == "yes" else " "
