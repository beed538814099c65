"""Files with hostile texts in their words and in every field that a format has for names, titles and addresses."""

from __future__ import annotations

import html
import io
import zipfile
from collections.abc import Sequence
from email.message import EmailMessage

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Text
from pypdf.generic import DictionaryObject, NameObject, TextStringObject
from reportlab.pdfgen.canvas import Canvas

NUMBERED = "Vector {number} says {text} and no more."


def say(texts: Sequence[str]) -> list[str]:
    """Return a sentence around each text, so that none is taken for a list item or a heading."""
    return [NUMBERED.format(number=number, text=text) for number, text in enumerate(texts)]


def make_text(texts: Sequence[str]) -> bytes:
    return "\n\n".join(say(texts)).encode()


def make_markdown(texts: Sequence[str]) -> bytes:
    parts = [f"---\ntitle: {texts[0]}\nauthor: {texts[-1]}\n---\n\n# {texts[0]}"]
    for sentence, text in zip(say(texts), texts, strict=True):
        parts += [f"## {text}", sentence, text, f"- {text}", f"> {text}", f"`{text}`", f"```{text}\n{text}\n```"]
        parts += [
            f"[here]({text}) ![{text}]({text} '{text}') <{text}>",
            f"| name | {text} |\n|---|---|\n| {text} | {text} |",
        ]
    return "\n\n".join(parts).encode()


def make_html(texts: Sequence[str]) -> bytes:
    parts = []
    for sentence, text in zip(say(texts), texts, strict=True):
        escaped = html.escape(text)
        parts.append(
            f'<h2 id="{escaped}" title="{escaped}">{escaped}</h2><p lang="{escaped}">{html.escape(sentence)}</p>\n{text}\n'
            f'<p><a href="{escaped}" title="{escaped}">{escaped}</a> <img alt="{escaped}" src="{escaped}"></p>'
            f"<table><caption>{escaped}</caption><tr><th>{escaped}</th><th>name</th></tr><tr><td>{escaped}</td><td>{escaped}</td></tr></table>"
        )
    first, last = html.escape(texts[0]), html.escape(texts[-1])
    head = f'<title>{first}</title><meta name="author" content="{last}"><meta name="description" content="{first}">'
    return f'<!doctype html><html lang="{first}"><head>{head}</head><body>{"".join(parts)}</body></html>'.encode()


def make_word(texts: Sequence[str]) -> bytes:
    document, properties = docx.Document(), None
    properties = document.core_properties
    properties.title, properties.author, properties.subject = texts[0], texts[1], texts[2]
    properties.keywords = properties.comments = properties.category = texts[-1]
    for number, (sentence, text) in enumerate(zip(say(texts), texts, strict=True)):
        document.add_heading(text, level=1 + number % 3)
        paragraph = document.add_paragraph(sentence)
        _add_word_link(document, paragraph, text)
        bookmark = OxmlElement("w:bookmarkStart")
        bookmark.set(qn("w:id"), str(number))
        bookmark.set(qn("w:name"), text)
        paragraph._p.insert(0, bookmark)
    table = document.add_table(2, len(texts))
    for row in table.rows:
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _add_word_link(document, paragraph, target: str) -> None:
    """Add a link whose address and words are the text."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), document.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run, words = OxmlElement("w:r"), OxmlElement("w:t")
    words.text = target
    run.append(words)
    link.append(run)
    paragraph._p.append(link)


def make_pdf(texts: Sequence[str], script: str = "app.alert(0)") -> bytes:
    """Return a PDF with the texts on its pages, in its properties, bookmarks, links, form fields and notes, and a script."""
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setTitle(texts[0])
    canvas.setAuthor(texts[1])
    canvas.setSubject(texts[2])
    canvas.setKeywords(list(texts))
    for number, (sentence, text) in enumerate(zip(say(texts), texts, strict=True)):
        height = 780 - 60 * (number % 12)
        canvas.setFont("Helvetica", 9)
        canvas.drawString(40, height, sentence)
        canvas.bookmarkPage(f"b{number}")
        canvas.addOutlineEntry(text, f"b{number}", 0)
        canvas.linkURL(text, (40, height, 300, height + 10))
        canvas.acroForm.textfield(name=text, tooltip=text, value=text, x=40, y=height - 30, width=300, height=14)
        if number % 12 == 11:
            canvas.showPage()
    canvas.save()
    writer = PdfWriter(clone_from=PdfReader(file))
    for text in texts:
        writer.add_annotation(0, Text(rect=(10, 10, 30, 30), text=text, title_bar=text))
    writer.add_attachment(f"{texts[0]}.txt", texts[0].encode())
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(
        {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject(script)}
    )
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def make_email(texts: Sequence[str]) -> bytes:
    email = EmailMessage()
    email["From"], email["To"], email["Subject"] = "a@b.example", "c@d.example", texts[0]
    email.set_content(make_text(texts).decode())
    email.add_alternative(make_html(texts).decode(), subtype="html")
    email.add_attachment(make_text(texts), "text", "plain", filename=f"{texts[1]}.txt")
    return email.as_bytes()


def make_book(texts: Sequence[str], chapter: bytes | None = None) -> bytes:
    """Return an EPUB of one chapter, with the texts in its title, author and table of contents."""
    escaped = [html.escape(text) for text in texts]
    headed = "".join(
        f"<h2>{text}</h2><p>{html.escape(sentence)}</p>" for sentence, text in zip(say(texts), escaped, strict=True)
    )
    xhtml = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{escaped[0]}</title></head><body>{headed}</body></html>'
    links = "".join(f'<li><a href="chapter.xhtml#{number}">{text}</a></li>' for number, text in enumerate(escaped))
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escaped[0]}</dc:title><dc:creator>{escaped[1]}</dc:creator><dc:language>{escaped[2]}</dc:language></metadata>"
        '<manifest><item id="c" href="chapter.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>',
        "chapter.xhtml": chapter or xhtml,
        "nav.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
        f'<nav epub:type="toc"><ol>{links}</ol></nav></body></html>',
    }  # fmt: skip
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


MAKERS = {
    "txt": make_text, "md": make_markdown, "html": make_html, "docx": make_word, "pdf": make_pdf, "eml": make_email,
    "epub": make_book,
}  # fmt: skip
