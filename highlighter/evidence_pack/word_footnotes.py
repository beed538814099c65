"""Word features that python-docx lacks: footnotes, links, and fonts for Chinese."""

from __future__ import annotations

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Pt
from docx.text.paragraph import Paragraph

FOOTNOTES_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
FIRST_FOOTNOTE_ID = 1  # -1 and 0 are the two separators between text and notes
CHINESE_FONT = "Microsoft JhengHei"


class WordFootnotes:
    """The footnotes of a Word document."""

    def __init__(self, document: Document):
        self._add_styles(document)
        root = parse_xml(
            f"<w:footnotes {nsdecls('w')}>"
            '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
            '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p>'
            "</w:footnote></w:footnotes>"
        )
        self._part = XmlPart(PackURI("/word/footnotes.xml"), FOOTNOTES_MEDIA_TYPE, root, document.part.package)
        document.part.relate_to(self._part, RELATIONSHIP_TYPE.FOOTNOTES)
        self._next_id = FIRST_FOOTNOTE_ID

    def add(self, paragraph: Paragraph, text: str, target: str, location: str) -> None:
        """Append a footnote mark to the paragraph, and its note.

        The note holds the location, as a link if there is a target, and then the text.
        """
        mark = paragraph.add_run()
        mark._r.append(_make_element("w:footnoteReference", id=self._next_id))
        mark.style = "Footnote Reference"
        note = _make_element("w:footnote", id=self._next_id)
        note.append(parse_xml(f'<w:p {nsdecls("w")}><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr></w:p>'))
        note_paragraph = Paragraph(note[0], self._part)
        number = note_paragraph.add_run()
        number._r.append(OxmlElement("w:footnoteRef"))
        number._r.get_or_add_rPr().append(_make_element("w:rStyle", val="FootnoteReference"))
        note_paragraph.add_run(" ")
        add_link(note_paragraph, target, location) if target else note_paragraph.add_run(location)
        note_paragraph.add_run(text)
        self._part.element.append(note)
        self._next_id += 1

    @staticmethod
    def _add_styles(document: Document) -> None:
        from docx.enum.style import WD_STYLE_TYPE

        styles = document.styles
        reference = styles.add_style("Footnote Reference", WD_STYLE_TYPE.CHARACTER)
        reference.font.superscript = True
        text = styles.add_style("Footnote Text", WD_STYLE_TYPE.PARAGRAPH)
        text.base_style, text.font.size = styles["Normal"], Pt(9)
        text.paragraph_format.space_after = Pt(2)


def add_link(paragraph: Paragraph, target: str, text: str) -> None:
    """Append a link to another file of the pack, relative to the document."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run = paragraph.add_run(text)
    run.font.underline = True
    link.append(run._r)
    paragraph._p.append(link)


def set_east_asian_fonts(document: Document) -> None:
    for style in ("Normal", "Title", "Heading 2", "Heading 3"):
        properties = document.styles[style].element.get_or_add_rPr()
        fonts = properties.find(qn("w:rFonts"))
        if fonts is None:
            fonts = OxmlElement("w:rFonts")
            properties.insert(0, fonts)
        for name in [name for name in fonts.attrib if name.endswith("eastAsiaTheme")]:
            del fonts.attrib[name]
        fonts.set(qn("w:eastAsia"), CHINESE_FONT)


def _make_element(name: str, **values: object) -> BaseOxmlElement:
    element = OxmlElement(name)
    for key, value in values.items():
        element.set(qn(f"w:{key}"), str(value))
    return element
