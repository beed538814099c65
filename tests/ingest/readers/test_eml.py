"""E-mails are read with their subject, sender, text and attachments."""

from __future__ import annotations

import io
import time
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, ENCRYPTED, TOO_LARGE
from ingest.readers import eml
from tests.ingest.readers.any_input import read_or_none
from tests.properties import given, st

FEES = Path(__file__).parent / "files" / "fees.eml"

FEES_TEXT = """\
Re: 泊位收費 – fees

From: Ana Müller <ana@boats.example>
To: Harbour Master <master@harbour.example>
Cc: 陳大文 <chan@boats.example>
Date: Thu, 05 Mar 2026 17:02:11 +0800
Attachments: diving rules.md, Fees for berths.eml

We accept the fee of £18 a day.

請在三月三十一日前回覆。"""


def read(folder: Path, content: bytes):
    path = folder / "message.eml"
    path.write_bytes(content)
    return eml.read(path)


def test_email_is_read_in_its_richest_version_with_its_attachments():
    email = eml.read(FEES)
    assert email.text == FEES_TEXT
    assert [attachment.name for attachment in email.attachments] == ["diving rules.md", "Fees for berths.eml"]
    assert email.attachments[0].content == (FEES.parent / "diving.md").read_bytes()
    assert email.notes == (
        "2 attachments are documents of their own.",
        "Attachments that are not read: logo.png, plan.dwg.",
    )


@pytest.mark.parametrize(
    ("headers", "body_type", "encoding"),
    [
        ("From: Jürgen Weiß <j@boats.example>\nSubject: Größe – ja", "text/plain; charset=utf-8", "utf-8"),
        ("From: Иван <i@boats.example>\nSubject: Договор", "text/plain; charset=windows-1251", "cp1251"),
        ("From: Zoé <z@boats.example>\nSubject: Réunion", "text/plain", "cp1252"),
    ],
)
def test_headers_that_are_not_encoded_are_read_in_utf8_or_as_the_text_is(tmp_path, headers, body_type, encoding):
    message = f"{headers}\nContent-Type: {body_type}\n\nYes."
    sender, _, subject = headers.partition("\n")
    assert read(tmp_path, message.encode(encoding)).text == f"{subject.removeprefix('Subject: ')}\n\n{sender}\n\nYes."


def test_words_beside_encoded_words_of_a_header_are_kept(tmp_path):
    message = "From: =?utf-8?q?J=C3=BCrgen?= Weiß <j@boats.example>\nSubject: Fw: =?x-none?q?a?= =?latin-1?q?Gr=F6=DFe?= der Bühne\n\nYes."
    text = read(tmp_path, message.encode()).text
    assert "From: Jürgen Weiß <j@boats.example>" in text
    assert text.partition("\n")[0].endswith("der Bühne")


def test_quoted_lines_are_paragraphs_with_one_mark_each(tmp_path):
    body = """On Monday, Tom Ashby wrote:
> Marta,
>
> the foundations will be ready only on 20 November.
> Please deliver all six units on 24 November.
>=18 years, >5 mg/L
>> Is 10 November
>> too early?
Yes."""
    assert read(tmp_path, f"From: a\n\n{body}".encode()).text.split("\n\n")[1:] == [
        "On Monday, Tom Ashby wrote:",
        "> Marta,",
        "> the foundations will be ready only on 20 November. Please deliver all six units on 24 November.",
        ">=18 years, >5 mg/L",
        ">> Is 10 November\ntoo early?",
        "Yes.",
    ]


def test_many_changes_between_quoted_and_other_lines_are_read_in_little_time(tmp_path):
    body = "> One more question.\nAnd an answer.\n" * 20_000
    started = time.monotonic()
    assert read(tmp_path, f"From: a\n\n{body}".encode()).text.count("question") == 20_000
    assert time.monotonic() - started < 10


def test_first_header_of_a_name_is_read_and_many_headers_take_little_time(tmp_path):
    started = time.monotonic()
    message = "From: Zoé\nFrom: Señor\n" + "Received: é\n" * 40_000 + "\nYes."
    assert read(tmp_path, message.encode()).text == "From: Zoé\n\nYes."
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("parameters", "joint"), [("format=flowed", " "), ("format=flowed; delsp=yes", ""), ("charset=utf-8", "\n")]
)
def test_lines_of_flowed_text_are_joined_after_a_space(tmp_path, parameters, joint):
    body = "The quay \ncloses.\nPay here.\n-- \nAnna"
    text = read(tmp_path, f"From: a\nContent-Type: text/plain; {parameters}\n\n{body}".encode()).text
    assert text == f"From: a\n\nThe quay{joint}closes.\nPay here.\n--\nAnna"


def test_pictures_of_an_email_are_named_or_counted(tmp_path):
    email = EmailMessage()
    email["From"] = "a"
    email.set_content("See the photo.")
    email.add_alternative("<p>See the photo: <img src='cid:1'></p>", "html")
    email.get_payload()[1].add_related(b"GIF89a", "image", "gif", cid="<1>")
    email.add_attachment(b"GIF89a", "image", "gif", filename="crack.gif")
    notes = read(tmp_path, email.as_bytes()).notes
    assert notes == ("Attachments that are not read: crack.gif.", "1 picture in the text is not read.")


def test_attached_pictures_of_pages_are_documents_of_their_own_and_icons_and_logos_are_not(tmp_path):
    def draw(width, height, kind="PNG"):
        data = io.BytesIO()
        Image.new("L", (width, height)).save(data, kind)
        return data.getvalue()

    email = EmailMessage()
    email["From"] = "a"
    email.set_content("See the pages.")
    email.add_alternative("<p>See <img src='cid:1'><img src='cid:2'></p>", "html")
    for cid, size in (("<1>", (1200, 400)), ("<2>", (1240, 1754))):
        picture = {"cid": cid, "filename": f"shown {size[0]}.png", "disposition": "inline"}
        email.get_payload()[1].add_related(draw(*size), "image", "png", **picture)
    for name, size in (("scan.png", (827, 1169)), ("icon.png", (900, 64))):
        email.add_attachment(draw(*size), "image", "png", filename=name)
    for kind in ("gif", "webp"):
        for name, size in ((f"page.{kind}", (827, 1169)), (f"icon.{kind}", (64, 64))):
            email.add_attachment(draw(*size, kind), "image", kind, filename=name)
    read_email = read(tmp_path, email.as_bytes())
    names = ["shown 1240.png", "scan.png", "page.gif", "page.webp"]
    assert [attachment.name for attachment in read_email.attachments] == names
    assert read_email.notes == (
        "4 attachments are documents of their own.",
        "Attachments that are not read: icon.png, icon.gif, icon.webp.",
        "1 picture in the text is not read.",
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"Subject: A\n\nThe ferry leaves\nat seven.\n", "A\n\nThe ferry leaves\nat seven."),
        (b"Subject: =?utf-8?q?bad=\n\nText.", "=?utf-8?q?bad=\n\nText."),
        (b"Subject: =?nonsense?b?AAAA?=\n\nText.", "=?nonsense?b?AAAA?=\n\nText."),
        (b"From: a\nContent-Type: text/html; charset=nonsense\n\n<p>Gr\xfc\xdfe", "From: a\n\nGrüße"),
        (b"From: a\nContent-Type: text/plain; charset=big5\n\n\xb4\xe4\xb0\xc8\xaa\xf8", "From: a\n\n港務長"),
        (b"From: a\nContent-Transfer-Encoding: base64\n\n!!!", "From: a"),
        (b"From: a\nContent-Type: multipart/mixed; boundary=x\n\nNo part.", "From: a\n\nNo part."),
        (b"From: a\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\nPlain.\n--x\nContent-Type: text/html\n\n<p>\n--x--", "From: a\n\nPlain."),
        (b"Subject: x\r\nSubject: y\r\n\r\nText.", "x\n\nText."),
    ],
)  # fmt: skip
def test_odd_email_is_read(tmp_path, content, text):
    assert read(tmp_path, content).text == text


def nest_parts(depth: int) -> bytes:
    head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    return b"From: a\n" + head + b"\nText.\n"


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (b"", EMPTY),
        (b"X-Nothing: a\n\n", EMPTY),
        (b"From: a\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMII", ENCRYPTED),
        (b"From: a\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\n--x--", ENCRYPTED),
        (nest_parts(60), TOO_LARGE),
        (b"From: a\nContent-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nhi\n" * 2000, TOO_LARGE),
    ],
)
def test_unreadable_email_has_a_typed_state(tmp_path, content, state):
    with pytest.raises(UnreadableFile) as caught:
        read(tmp_path, content)
    assert caught.value.state == state


LINES = st.sampled_from(
    "Subject: a|Subject: =?utf-8?b?////?=|Content-Type: multipart/mixed; boundary=x|Content-Type: text/html|"
    "Content-Type: message/rfc822|Content-Type: text/plain; charset=\"utf-7\"; name*0*=x''%ff|--x|--x--||<p>a|"
    "Content-Transfer-Encoding: quoted-printable|Content-Transfer-Encoding: base64|Content-Transfer-Encoding: uuencode|"
    "Content-Disposition: attachment; filename*=utf-8''%00../a|=ff=|begin 644 x|\tfolded|From: <@>|: x|Date: \xff".split(
        "|"
    )
)


@given(st.lists(LINES | st.text(max_size=6), max_size=25))
def test_any_email_is_read_or_has_a_typed_state(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "any.eml"
    path.write_bytes("\n".join(lines).encode("latin-1", "replace"))
    read_or_none(eml, path)


def test_names_of_attachments_stay_apart_and_within_their_email(tmp_path):
    from ingest.attachment_files import write_attachments

    email = EmailMessage()
    email["From"] = "a"
    email.set_content("Text.")
    for name in ("a.txt", "a.txt", "../../b.txt", "..", "c"):
        email.add_attachment(f"In {name}.", filename=name)
    written = write_attachments(read(tmp_path, email.as_bytes()).attachments, tmp_path / "out")
    assert [name for name, _ in written] == ["a.txt", "a (2).txt", "_.._b.txt", "unnamed", "c"]
    assert [path.read_text().strip() for _, path in written][2] == "In ../../b.txt."
