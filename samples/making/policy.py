"""An HR policy as DOCX: headings, nested lists, a table, and a footnote of the word processor."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from docx import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt

NAME = "HR Policy - Leave and Flexible Working.docx"
TITLE = "Leave and Flexible Working Policy"

QUESTIONS = [
    (
        "How many days of annual leave do I get in a year?",
        "Every full-time employee has 27 working days of annual leave in each leave year, in addition to public holidays.",
    ),
    (
        "May I carry unused holiday over into next year?",
        "Up to five unused days may be carried over and must be taken by 31 March.",
    ),
    (
        "When do I need a doctor's certificate for sick leave?",
        "A doctor's certificate is needed from the fourth calendar day of an absence.",
    ),
    (
        "How long does my line manager have to decide on a request to work from home?",
        "Your line manager decides on the request within ten working days and gives reasons in writing if it is refused.",
    ),
    (
        "For how many days may I work from another country?",
        (
            "Working from another country is limited to 20 days in any twelve months and needs the agreement of the payroll "
            "team beforehand."
        ),
    ),
]

# (style of the word processor, text); "[1]" is the place of the footnote's mark.
BEFORE_TABLE = [
    (
        "Normal",
        (
            "This policy applies to everybody employed by Skerry Point Harbour Trust from 1 January 2025. It replaces "
            "the leave rules of 2019. If anything here disagrees with your contract, the rule that is better for you "
            "applies."
        ),
    ),
    ("Heading 1", "Annual leave"),
    ("Heading 2", "How much leave"),
    (
        "Normal",
        (
            "Every full-time employee has 27 working days of annual leave in each leave year, in addition to public "
            "holidays. People who work part of the week have a share of this in proportion to their hours.[1] One "
            "further day is added after five years of service and another after ten."
        ),
    ),
    ("Heading 2", "Asking for leave"),
    ("List Number", "Look at the team calendar before you ask."),
    ("List Number", "Enter the dates in the leave system at least:"),
    ("List Bullet 2", "one week ahead for one or two days;"),
    ("List Bullet 2", "four weeks ahead for anything longer."),
    ("List Number", "Wait for the answer before you pay for a journey."),
    (
        "Normal",
        (
            "A request is refused only when too few people would be left to keep the harbour safe. Up to five unused "
            "days may be carried over and must be taken by 31 March. Days beyond that are lost, unless illness or "
            "parental leave kept you from taking them."
        ),
    ),
    ("Heading 1", "Other kinds of leave"),
    ("Normal", "The table shows what is paid. Days are working days unless it says otherwise."),
]
TABLE = [
    ("Reason", "Length", "Pay"),
    ("Marriage or civil partnership", "3 days", "Full"),
    ("Death of a close relative", "5 days", "Full"),
    ("Birth or adoption, second parent", "6 weeks", "Full"),
    ("Care of a sick child under twelve", "10 days a year for each child", "80 per cent"),
    ("Study towards an agreed qualification", "8 days a year", "Full"),
    ("Moving house", "1 day", "Unpaid"),
]
AFTER_TABLE = [
    ("Heading 2", "Sickness"),
    (
        "Normal",
        (
            "Tell your manager before your shift begins, by telephone and not by text message. A doctor's certificate "
            "is needed from the fourth calendar day of an absence. Full pay continues for thirteen weeks and half "
            "pay for a further thirteen. When you come back after more than ten days, your manager talks with you "
            "about what would make the return easier."
        ),
    ),
    ("Heading 1", "Flexible working"),
    ("Heading 2", "Working from home"),
    (
        "Normal",
        (
            "Anyone whose work does not tie them to the quay, the boats or the control room may ask to work from home "
            "on up to three days a week. Your line manager decides on the request within ten working days and gives "
            "reasons in writing if it is refused. The arrangement is looked at again after six months."
        ),
    ),
    ("List Bullet", "The Trust provides a laptop, a screen and a headset."),
    ("List Bullet", "You provide a quiet room and a chair in which you can sit well:"),
    ("List Bullet 2", "a kitchen table is enough for a day now and then;"),
    ("List Bullet 2", "it is not enough for three days a week."),
    ("List Bullet", "Papers marked confidential stay in the office."),
    ("Heading 2", "Working from abroad"),
    (
        "Normal",
        (
            "Working from another country is limited to 20 days in any twelve months and needs the agreement of the "
            "payroll team beforehand. Tax and social security can change from the first day, and the Trust cannot "
            "put that right afterwards."
        ),
    ),
    ("Heading 2", "Compressed hours"),
    (
        "Normal",
        (
            "Full-time staff may work their 37 hours in four days or in nine days of a fortnight. Nobody works more "
            "than ten hours on one day. Pilots and crews follow their rosters instead, which are agreed with the "
            "union each autumn."
        ),
    ),
    ("Heading 1", "If you disagree"),
    (
        "Normal",
        (
            "Speak to your manager first. If that does not help, write to the head of personnel, Ms Odile Farrant, "
            "within fifteen working days of the decision. She answers within two weeks, and you may bring a colleague "
            "or a union representative to any meeting."
        ),
    ),
]
FOOTNOTE = (
    "The leave year runs from 1 January to 31 December. Whoever joins during the year has a twelfth for each month."
)

FIXED_DATE = datetime(2025, 1, 2, tzinfo=UTC)


def write(folder: Path, faces: object = None) -> None:
    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.revision = TITLE, "Highlighter samples", 1
    properties.created = properties.modified = FIXED_DATE.replace(tzinfo=None)
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Calibri", Pt(11)
    document.add_paragraph(TITLE, style="Title")
    for style, text in BEFORE_TABLE:
        _add_paragraph(document, style, text)
    _add_table(document)
    for style, text in AFTER_TABLE:
        _add_paragraph(document, style, text)
    _add_footnotes_part(document)
    buffer = BytesIO()
    document.save(buffer)
    (folder / NAME).write_bytes(_fix_dates(buffer.getvalue()))


def _add_paragraph(document, style: str, text: str) -> None:
    before, marker, after = text.partition("[1]")
    paragraph = document.add_paragraph(before, style=style)
    if marker:
        run = paragraph.add_run()
        run.font.superscript = True
        run._r.append(parse_xml(f'<w:footnoteReference {nsdecls("w")} w:id="2"/>'))
        paragraph.add_run(after)


def _add_table(document) -> None:
    table = document.add_table(rows=0, cols=len(TABLE[0]), style="Light Grid Accent 1")
    for row in TABLE:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text


def _add_footnotes_part(document) -> None:
    """Add the footnotes part, which python-docx does not know. Ids 0 and 1 are the separators that Word expects."""
    xml = (
        f"<w:footnotes {nsdecls('w')}>"
        '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        '<w:footnote w:type="continuationSeparator" w:id="1"><w:p><w:r><w:continuationSeparator/></w:r></w:p>'
        '</w:footnote><w:footnote w:id="2"><w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
        f'<w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> {FOOTNOTE}</w:t></w:r></w:p></w:footnote>'
        "</w:footnotes>"
    )
    xml_with_declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + xml
    part = Part(
        PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, xml_with_declaration.encode(), document.part.package
    )
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def _fix_dates(data: bytes) -> bytes:
    """Return the same zip with a fixed date on every entry, where python-docx writes the current time."""
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, date_time=FIXED_DATE.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(name))
    return buffer.getvalue()
