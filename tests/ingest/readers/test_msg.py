"""E-mails of Outlook are read as others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED
from ingest.file_kinds import detect_kind_of_bytes
from ingest.readers import eml, msg
from tests.ingest.readers.any_input import read_or_none
from tests.properties import given, st

PILOT = Path(__file__).parent / "files" / "pilot.msg"

PILOT_TEXT = """\
領航 – the pilot boat

From: 陳大文 <chan@harbour.example>
To: Ana Müller; Harbour Master
Date: Thu, 05 Mar 2026 09:02:11 +0000
Attachments: tide notes.txt, The pilot.eml

The pilot boat leaves at noon.

逾時不候。"""


def test_email_of_outlook_is_read_with_its_attachments(tmp_path):
    email = msg.read(PILOT)
    assert email.text == PILOT_TEXT
    notes, inner = email.attachments
    assert notes.content.startswith(b"High water is at ten.\n")
    assert detect_kind_of_bytes(inner.content, "") == "eml"
    (tmp_path / "inner").write_bytes(inner.content)
    assert "The pilot is called Ines." in eml.read(tmp_path / "inner").text


def without_text(content: bytes) -> bytes:
    """Leave compressed RTF as the only text: its stream has the name of what was HTML."""
    renamed = content.replace("__substg1.0_10130102".encode("utf-16-le"), "__substg1.0_10090102".encode("utf-16-le"))
    return renamed.replace("__substg1.0_1000001F".encode("utf-16-le"), "__substg1.0_1FFF001F".encode("utf-16-le"))


def test_text_in_a_format_that_is_not_read_is_reported(tmp_path):
    (tmp_path / "rtf.msg").write_bytes(without_text(PILOT.read_bytes()))
    (warning,) = msg.read(tmp_path / "rtf.msg").warnings
    assert warning == "The text of the e-mail is stored as compressed RTF only, which is not read. Save it as EML."


@pytest.mark.parametrize("content", [PILOT.read_bytes()[:700], PILOT.read_bytes()[:512] + bytes(9000)], ids=len)
def test_torn_email_is_damaged(tmp_path, content):
    (tmp_path / "torn.msg").write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        msg.read(tmp_path / "torn.msg")
    assert caught.value.state == DAMAGED


@given(st.data())
def test_any_damage_to_an_email_has_a_typed_state(tmp_path_factory, data):
    content = bytearray(PILOT.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "any.msg"
    path.write_bytes(content)
    read_or_none(msg, path)
