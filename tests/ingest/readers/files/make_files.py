"""Write the files of this folder that are not written by hand: python -m tests.ingest.readers.files.make_files"""

from __future__ import annotations

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


if __name__ == "__main__":
    (FOLDER / "fees.eml").write_bytes(make_email())
