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

FILES = Path(__file__).parent / "files"
PILOT, BERTHING = FILES / "pilot.msg", FILES / "berthing.msg"

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


BERTHING_TEXT = """\
Berthing

From: 陳大文 <chan@harbour.example>
To: Ana Müller; Harbour Master
Date: Fri, 06 Mar 2026 10:00:00 +0000

The berth costs £18 a day—no more & no less.

请在六点前到。 Or pay €21.

• Lines fore and aft
• Fenders out"""


def test_text_that_is_stored_as_compressed_rtf_only_is_read():
    email = msg.read(BERTHING)
    assert (email.text, email.warnings, email.attachments) == (BERTHING_TEXT, (), ())
    assert email.notes == ("1 picture in the text is not read.",)


def test_damaged_text_is_reported_and_the_rest_is_read(tmp_path):
    (tmp_path / "rtf.msg").write_bytes(BERTHING.read_bytes().replace(b"LZFu", b"LZMA"))
    email = msg.read(tmp_path / "rtf.msg")
    assert email.text == BERTHING_TEXT[: BERTHING_TEXT.index("\n\nThe berth")]
    assert email.warnings == ("The text of the e-mail is damaged or too large. Save the e-mail as EML.",)


# In the last one, the header says that small sectors are larger than any number that can be an index.
@pytest.mark.parametrize(
    "content",
    [
        PILOT.read_bytes()[:700],
        PILOT.read_bytes()[:512] + bytes(9000),
        PILOT.read_bytes()[:32] + b"?" + PILOT.read_bytes()[33:],
    ],
    ids=["short", "empty", "sectors"],
)
def test_torn_email_is_damaged(tmp_path, content):
    (tmp_path / "torn.msg").write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        msg.read(tmp_path / "torn.msg")
    assert caught.value.state == DAMAGED


@pytest.mark.parametrize("email", [PILOT, BERTHING], ids=lambda path: path.stem)
@given(st.data())
def test_any_damage_to_an_email_has_a_typed_state(tmp_path_factory, email, data):
    content = bytearray(email.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "any.msg"
    path.write_bytes(content)
    read_or_none(msg, path)
