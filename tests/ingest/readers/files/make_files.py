"""Write the files of this folder that are not written by hand: python -m tests.ingest.readers.files.make_files"""

from __future__ import annotations

import io
import subprocess
import zipfile
from email import policy
from email.message import EmailMessage
from pathlib import Path

FOLDER = Path(__file__).parent
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)


def make_email() -> bytes:
    """Return an e-mail with a text in two versions, a picture in it, two attachments, and an e-mail with one more."""
    first = _start_email("Fees for berths", "Harbour Office <office@harbour.example>", "Wed, 4 Mar 2026 09:15:00 +0000")
    first.set_content("The fee for a berth of 12 m is £18 a day.\n")
    first.add_attachment(
        "Boats over 8 m pay £18 a day.\n", subtype="plain", filename="fees 2026.txt", disposition="attachment"
    )
    email = _start_email("Re: 泊位收費 – fees", "Ana Müller <ana@boats.example>", "Thu, 5 Mar 2026 17:02:11 +0800")
    email["Cc"] = "陳大文 <chan@boats.example>"
    email.set_content("Only programs without HTML show this text.\n")
    email.add_alternative(
        "<html><body><div style='display:none'>Our best offer ever!</div><p>We accept the fee of <b>£18</b> a day.</p>"
        "<p>請在三月三十一日前回覆。</p><img src='cid:logo'><img src='http://127.0.0.1:9/pixel.png'></body></html>",
        subtype="html",
    )
    (html,) = [part for part in email.iter_parts() if part.get_content_type() == "text/html"]
    html.add_related(PIXEL, "image", "png", cid="<logo>", filename="logo.png")
    markdown = (FOLDER / "diving.md").read_bytes()
    email.add_attachment(markdown, "text", "markdown", filename="diving rules.md")
    email.add_attachment(b"AC1032" + bytes(range(256)), "application", "octet-stream", filename="plan.dwg")
    email.add_attachment(first)
    return _fix_boundaries(email)


def _start_email(subject: str, sender: str, date: str) -> EmailMessage:
    email = EmailMessage(policy=policy.SMTP)
    email["Message-ID"] = f"<{len(subject)}@harbour.example>"
    email["From"], email["To"], email["Date"], email["Subject"] = (
        sender,
        "Harbour Master <master@harbour.example>",
        date,
        subject,
    )
    return email


def _fix_boundaries(email: EmailMessage) -> bytes:
    """Return the e-mail with the same boundaries each time."""
    for number, part in enumerate(email.walk()):
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            part.set_boundary(f"=-=-{number}-=-=")
    return email.as_bytes()


CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
BOOK = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">harbour-1</dc:identifier>
<dc:title>The Harbour Book</dc:title><dc:language>en</dc:language></metadata>
<manifest>
<item id="two" href="text/chapter%202.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.png" media-type="image/png"/>
<item id="unused" href="text/unused.xhtml" media-type="application/xhtml+xml"/>
</manifest>
<spine><itemref idref="cover"/><itemref idref="one"/><itemref idref="two"/><itemref idref="missing"/></spine></package>"""
CHAPTER = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://127.0.0.1:9/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="http://127.0.0.1:9/x.js"/></head>
<body><h1><a id="top"/>{title}</h1><p>{text}</p></body></html>"""


def make_book(container: str = CONTAINER, book: str = BOOK, **more_parts: str) -> bytes:
    """Return an EPUB of two chapters, the second with an entity that only its DTD declares."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        parts = {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "book/content.opf": book,
            "book/text/one.xhtml": CHAPTER.format(title="The tide", text="The tide rises twice a day."),
            "book/text/chapter 2.xhtml": CHAPTER.format(
                title="The pilot", text="No ship over 40&nbsp;m sails without a pilot."
            ),
            "book/text/unused.xhtml": CHAPTER.format(title="Unused", text="Not in the order of reading."),
        }
        for name, content in (parts | {name.replace("__", "/"): text for name, text in more_parts.items()}).items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


# By source: what LibreOffice, with Writer, Calc and Impress, makes of it.
CONVERSIONS = (
    ("sources/pilotage.html", "HTML (StarWriter)", "odt:writer8"),
    ("pilotage.odt", "writer8", "rtf:Rich Text Format"),
    ("sources/berths.fods", "OpenDocument Spreadsheet Flat XML", "xlsx:Calc MS Excel 2007 XML"),
    ("sources/briefing.fodp", "OpenDocument Presentation Flat XML", "pptx:Impress MS PowerPoint 2007 XML"),
)


def convert_sources() -> None:
    for source, input_filter, output_filter in CONVERSIONS:
        command = ["soffice", "--headless", f"--infilter={input_filter}", "--convert-to", output_filter]
        subprocess.run([*command, "--outdir", FOLDER, FOLDER / source], check=True)


if __name__ == "__main__":
    convert_sources()
    (FOLDER / "fees.eml").write_bytes(make_email())
    (FOLDER / "harbour.epub").write_bytes(make_book())
