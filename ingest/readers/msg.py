"""Read e-mails saved by Outlook: their properties are made an e-mail in the Internet's format, which is read as any other."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.errors import MessageError
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import olefile

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DAMAGED, ENCRYPTED, TOO_LARGE
from ingest.readers.compressed_rtf import decompress_rtf
from ingest.readers.email_blocks import decode_header_text
from ingest.readers.eml import MAX_FILE_BYTES, read_message
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.rtf_body import RtfBody, read_rtf_body

MAX_NESTING = 10  # of e-mails in e-mails
# Properties by their numbers, and the types in which they may be stored.
_CLASS, _SUBJECT, _BODY, _HTML, _RTF = "001A", "0037", "1000", "1013", "1009"
_SENDER_NAME, _SENDER_ADDRESS, _SMTP_ADDRESS, _TO, _CC = "0C1A", "0C1F", "5D01", "0E04", "0E03"
_FILE_NAME, _SHORT_FILE_NAME, _DISPLAY_NAME, _DATA = "3707", "3704", "3001", "3701"
_CONTENT_ID, _MEDIA_TYPE = "3712", "370E"
_UNICODE, _EIGHT_BIT, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_SENT_TAG, _CODE_PAGE_TAG = 0x00390040, 0x3FFD0003
_ENTRY_BYTES = 16  # of a property of fixed size
_HEADER_BYTES = {True: 32, False: 24}  # before the first entry: of the e-mail itself, and of one in it
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_UTF8_CODE_PAGE = 65001


def _make_policy() -> policy.EmailPolicy[EmailMessage]:
    """Return a policy that takes addresses and dates as they are: Outlook writes them in its own way."""
    headers = HeaderRegistry()
    for name in ("from", "to", "cc", "date"):
        del headers.registry[name]
    return policy.SMTP.clone(header_factory=headers)


_POLICY = _make_policy()
# What olefile and the e-mail parser raise for damaged files.
_DAMAGE = (OSError, MessageError, ValueError, LookupError, TypeError, AttributeError, OverflowError, struct.error)


def read(path: Path) -> ExtractedDocument:
    """Read an e-mail into its canonical text, with its attachments."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise UnreadableFile(TOO_LARGE, N_("The e-mail is larger than {limit} MB.", limit=MAX_FILE_BYTES >> 20))
    try:
        with olefile.OleFileIO(path) as file:
            outlook_item = _OutlookItem(file, ())
            message = message_from_bytes(outlook_item.make_message(0).as_bytes(), policy=policy.compat32)
        warnings = (
            (N_("The text of the e-mail is damaged or too large. Save the e-mail as EML."),)
            if outlook_item.has_unread_text
            else ()
        )
        return read_message(message, warnings)
    except _DAMAGE as err:
        raise UnreadableFile(DAMAGED, "The e-mail is damaged.") from err


class _OutlookItem:
    """An e-mail or an attachment: a storage of an OLE file, with properties as streams."""

    def __init__(self, file: olefile.OleFileIO, path: tuple[str, ...]):
        self._file, self._path = file, path
        self._fixed_properties = self._read_fixed_properties()
        self.has_unread_text = False

    def make_message(self, depth: int) -> EmailMessage:
        """Return the e-mail in the Internet's format."""
        if depth > MAX_NESTING:
            raise UnreadableFile(TOO_LARGE, "The e-mail has too many parts.")
        message_class = self.read_text(_CLASS).lower()
        if message_class.startswith("ipm.note.smime") and not message_class.endswith("multipartsigned"):
            raise UnreadableFile(ENCRYPTED, "The e-mail is encrypted. Save it without encryption.")
        message = EmailMessage(policy=_POLICY)
        address = self.read_text(_SMTP_ADDRESS) or self.read_text(_SENDER_ADDRESS)
        sender = f"{self.read_text(_SENDER_NAME)} <{address}>" if "@" in address else self.read_text(_SENDER_NAME)
        headers = {
            "From": sender,
            "To": self.read_text(_TO),
            "Cc": self.read_text(_CC),
            "Date": self._format_sent_date(),
        }
        for name, value in {**headers, "Subject": self.read_text(_SUBJECT)}.items():
            if text := decode_header_text(value):
                message[name] = text
        html = self._add_body(message)
        for name in self._list_attachments():
            _OutlookItem(self._file, (*self._path, name)).attach_to(message, html, depth)
        return message

    def _add_body(self, message: EmailMessage) -> str:
        """Add the text to a message, as plain text and HTML, and return the HTML.

        Of a text that is stored as RTF only, what the RTF contains is added.
        """
        text, html = self.read_text(_BODY), self._read_html()
        rtf_body = self._read_rtf_body() if not (text.strip() or html) else None
        message.set_content(rtf_body.text if rtf_body and not rtf_body.is_html else text)
        if rtf_body and rtf_body.is_html:
            message.add_alternative(rtf_body.text, "html")
            return rtf_body.text
        if html:
            message.add_alternative(html, "text", "html")
        return html.decode("latin-1")

    def attach_to(self, message: EmailMessage, html: str, depth: int) -> None:
        """Add this attachment to a message: a file, a picture that its HTML shows, or another e-mail."""
        name = self.read_text(_FILE_NAME) or self.read_text(_SHORT_FILE_NAME) or self.read_text(_DISPLAY_NAME)
        storage = f"__substg1.0_{_DATA}{_STORAGE}"
        if self._file.exists([*self._path, storage]):
            message.add_attachment(_OutlookItem(self._file, (*self._path, storage)).make_message(depth + 1))
        elif data := self._read_stream(_DATA, _BINARY):
            file_name, content_id = (
                decode_header_text(name) or "unnamed",
                decode_header_text(self.read_text(_CONTENT_ID)),
            )
            if content_id and f"cid:{content_id}" in html and self.read_text(_MEDIA_TYPE).lower().startswith("image/"):
                message.add_attachment(
                    data, "image", "unknown", filename=file_name, disposition="inline", cid=f"<{content_id}>"
                )
            else:
                message.add_attachment(data, "application", "octet-stream", filename=file_name)

    def read_text(self, number: str) -> str:
        """Return a text property; "" when there is none."""
        text = self._read_stream(number, _UNICODE).decode("utf-16-le", "replace")
        return (text or self._decode(self._read_stream(number, _EIGHT_BIT))).rstrip("\0")

    def _read_html(self) -> bytes:
        return self._read_stream(_HTML, _BINARY) or self.read_text(_HTML).encode()

    def _read_rtf_body(self) -> RtfBody | None:
        rtf = self._read_stream(_RTF, _BINARY)
        try:
            return read_rtf_body(decompress_rtf(rtf)) if rtf else None
        except ValueError:
            self.has_unread_text = True
            return None

    def _decode(self, data: bytes) -> str:
        code_page = self._fixed_properties.get(_CODE_PAGE_TAG, 0) & 0xFFFF
        try:
            return data.decode("utf-8" if code_page == _UTF8_CODE_PAGE else f"cp{code_page or 1252}", "replace")
        except LookupError:
            return data.decode("cp1252", "replace")

    def _read_stream(self, number: str, kind: str) -> bytes:
        name = [*self._path, f"__substg1.0_{number}{kind}"]
        if not self._file.exists(name) or self._file.get_type(name) != olefile.STGTY_STREAM:
            return b""
        with self._file.openstream(name) as stream:
            data: bytes = stream.read()
        return data

    def _list_attachments(self) -> list[str]:
        depth = len(self._path)
        entries = self._file.listdir(streams=False, storages=True)
        return sorted(
            entry[depth]
            for entry in entries
            if len(entry) == depth + 1
            and tuple(entry[:depth]) == self._path
            and entry[depth].lower().startswith("__attach_version1.0_")
        )

    def _read_fixed_properties(self) -> dict[int, int]:
        """Return the properties of at most eight bytes, by their tags."""
        name = [*self._path, "__properties_version1.0"]
        if not self._file.exists(name):
            return {}
        with self._file.openstream(name) as stream:
            data = stream.read()[_HEADER_BYTES[not self._path] :]
        entries = (data[start : start + _ENTRY_BYTES] for start in range(0, len(data) - _ENTRY_BYTES + 1, _ENTRY_BYTES))
        return {tag: value for tag, _, value in (struct.unpack("<IIQ", entry) for entry in entries)}

    def _format_sent_date(self) -> str:
        ticks = self._fixed_properties.get(_SENT_TAG, 0)  # tenths of a microsecond
        try:
            return format_datetime(_EPOCH + timedelta(microseconds=ticks // 10)) if ticks else ""
        except (OverflowError, ValueError):
            return ""
