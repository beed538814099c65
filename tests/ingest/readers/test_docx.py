"""The text of a Word file, however Word stores it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, NO_TEXT, TOO_LARGE
from ingest.readers import docx
from ingest.readers.extracted_document import HiddenText
from samples.making import policy

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SAMPLE = Path(__file__).parents[3] / "samples" / policy.NAME
SPACES = f'xmlns:w="{W}" xmlns:r="{R}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def word_file(folder: Path, body: str, strict: bool = False, media: bool = False, **parts: str) -> Path:
    """Write a small but real Word file; the keyword arguments are the content of styles, numbering, footnotes ..."""
    files = {
        "_rels/.rels": _relationships({"officeDocument": "word/document.xml"}),
        "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relationships({name: f"{name}.xml" for name in parts}),
    }
    files |= {f"word/{name}.xml": f"<w:{name} {SPACES}>{inside}</w:{name}>" for name, inside in parts.items()}
    path = folder / "file.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _convert_to_strict(content) if strict else content)
        if media:
            archive.writestr("word/media/image1.png", b"\x89PNG")
    return path


def _relationships(targets: dict[str, str]) -> str:
    inside = "".join(
        f'<Relationship Id="r{number}" Type="{R}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets.items())
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inside}</Relationships>'
    )


def _convert_to_strict(content: str) -> str:
    return content.replace(W, "http://purl.oclc.org/ooxml/wordprocessingml/main").replace(
        R, "http://purl.oclc.org/ooxml/officeDocument/relationships"
    )


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inside: str, style: str = "", properties: str = "") -> str:
    inside = inside if inside.startswith("<") else run(inside)
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{style}{properties}</w:pPr>{inside}</w:p>"


def cell(inside: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside if inside.startswith('<') else paragraph(inside)}</w:tc>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def text_of(folder: Path, body: str, **parts: str) -> str:
    return docx.read(word_file(folder, body, **parts)).text


def test_the_sample_reads_as_it_was_written():
    reading = docx.read(SAMPLE)
    assert reading.text.startswith("Leave and Flexible Working Policy\n\nThis policy applies to everybody")
    assert [(reading.text[h.start : h.end], h.level) for h in reading.headings][:4] == [
        ("Leave and Flexible Working Policy", 1),
        ("Annual leave", 1),
        ("How much leave", 2),
        ("Asking for leave", 2),
    ]
    assert (
        "2. Enter the dates in the leave system at least:\n◦ one week ahead for one or two days;\n"
        "◦ four weeks ahead for anything longer.\n3. Wait for the answer"
    ) in reading.text
    assert "Reason\tLength\tPay\nMarriage or civil partnership\t3 days\tFull\n" in reading.text
    assert "in proportion to their hours.[1] One further day" in reading.text
    assert reading.text.endswith(f"\n\n[1] {policy.FOOTNOTE}")


def test_a_reading_has_no_pages_before_it_is_typeset():
    reading = docx.read(SAMPLE)
    assert (reading.source_map.runs, reading.pages) == ((), ())


def test_heading_level_comes_from_the_style_its_ancestors_or_the_outline_level(tmp_path):
    styles = (
        '<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Ring"><w:name w:val="R"/><w:basedOn w:val="Ring"/></w:style>'
    )
    body = (
        paragraph("One", "berschrift2")
        + paragraph("Two", "Own")
        + paragraph("Body", "Ring")
        + paragraph("Three", properties='<w:outlineLvl w:val="2"/>')
    )
    reading = docx.read(word_file(tmp_path, body, styles=styles))
    assert [(reading.text[h.start : h.end], h.level) for h in reading.headings] == [
        ("One", 2),
        ("Two", 2),
        ("Three", 3),
    ]


def test_a_strict_file_reads_like_any_other(tmp_path):
    body = paragraph("First.") + table(cell("a") + cell("b"))
    assert docx.read(word_file(tmp_path, body, strict=True)).text == "First.\n\na\tb"


def test_merged_cell_is_read_once_and_columns_stay_aligned(tmp_path):
    body = table(
        cell("Wide", '<w:gridSpan w:val="2"/>') + cell("C"),
        cell("Tall", '<w:vMerge w:val="restart"/>') + cell("b") + cell("c"),
        cell("Tall again", "<w:vMerge/>") + cell("e") + cell("f"),
    )
    assert text_of(tmp_path, body) == "Wide\t\tC\nTall\tb\tc\n\te\tf"


def test_a_table_in_a_table_becomes_words_of_its_cell(tmp_path):
    inner = table(cell("x") + cell("y")) + paragraph("after")
    assert text_of(tmp_path, table(cell("a") + cell(inner))) == "a\tx y after"


def test_a_table_of_one_column_is_only_a_frame(tmp_path):
    assert text_of(tmp_path, table(cell(paragraph("One.") + paragraph("Two.")), cell("Three."))) == (
        "One.\n\nTwo.\n\nThree."
    )


def test_inserted_words_are_text_and_deleted_ones_are_not(tmp_path):
    body = paragraph(
        run("We pay ")
        + f"<w:ins>{run('ten')}</w:ins>"
        + "<w:del><w:r><w:delText>five</w:delText></w:r></w:del>"
        + run(" euros.")
    ) + paragraph("End.")
    reading = docx.read(word_file(tmp_path, body))
    assert reading.text == "We pay ten euros.\n\nEnd."
    assert reading.hidden_texts == (HiddenText("five", "deleted"),)


def test_hidden_text_is_left_out_whether_the_run_or_its_style_hides_it(tmp_path):
    styles = (
        '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>'
    )
    body = paragraph(
        run("Seen ")
        + run("one", "<w:vanish/>")
        + run("two", '<w:rStyle w:val="Secret"/>')
        + run("words.", '<w:vanish w:val="0"/>')
    )
    reading = docx.read(word_file(tmp_path, body, styles=styles))
    assert (reading.text, reading.hidden_texts) == ("Seen words.", (HiddenText("onetwo", "hidden"),))


def test_a_field_shows_its_result_and_not_its_instruction(tmp_path):
    body = paragraph(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGEREF x</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + run("page 7")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        + f"<w:fldSimple>{run(' of 9')}</w:fldSimple>"
    )
    assert text_of(tmp_path, body) == "page 7 of 9"


def test_a_field_that_never_ends_does_not_swallow_the_next_paragraph(tmp_path):
    body = paragraph('<w:r><w:fldChar w:fldCharType="begin"/></w:r>') + paragraph("Still here.")
    assert text_of(tmp_path, body) == "Still here."


def test_links_and_content_controls_are_plain_text(tmp_path):
    body = paragraph(run("See ") + f"<w:hyperlink>{run('the site')}</w:hyperlink>" + run("."))
    body += f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph('Filled in.')}</w:sdtContent></w:sdt>"
    assert text_of(tmp_path, body) == "See the site.\n\nFilled in."


def test_a_text_box_is_read_once_after_its_paragraph(tmp_path):
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    drawn = (
        f"<mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    )
    body = paragraph(run("Around ") + f"<w:r>{drawn}</w:r>" + run("it.")) + paragraph("Next.")
    assert text_of(tmp_path, body) == "Around it.\n\nIn the box.\n\nNext."


def test_foot_and_endnotes_come_after_the_text_with_their_marks(tmp_path):
    body = paragraph(
        run("One")
        + '<w:r><w:footnoteReference w:id="5"/></w:r>'
        + run(" and two")
        + '<w:r><w:endnoteReference w:id="3"/></w:r>'
        + run(".")
    )
    foot = f'<w:footnote w:id="5">{paragraph("The foot.")}</w:footnote>'
    end = (
        f'<w:endnote w:id="3">{paragraph("The end.")}</w:endnote><w:endnote w:id="9">{paragraph("Unused.")}</w:endnote>'
    )
    assert text_of(tmp_path, body, footnotes=foot, endnotes=end) == "One[1] and two[i].\n\n[1] The foot.\n[i] The end."


def test_a_break_in_mid_sentence_is_a_space_and_one_in_an_address_is_a_line(tmp_path):
    broken = run("a line") + "<w:r><w:br/></w:r>" + run("goes on.")
    address = run("Bryggen 12") + "<w:r><w:br/></w:r>" + run("Bergen")
    assert text_of(tmp_path, paragraph(broken) + paragraph(address)) == "a line goes on.\n\nBryggen 12\nBergen"


def test_a_tab_in_a_paragraph_does_not_make_it_a_table(tmp_path):
    assert text_of(tmp_path, paragraph(run("Name:") + "<w:r><w:tab/></w:r>" + run("Ann"))) == "Name: Ann"


def formula(**parts: str) -> str:
    """Return an element of a formula, named by the first argument, with its parts."""
    (name, properties), *rest = parts.items()
    inside = "".join(f"<m:{part}>{_formula_text(content)}</m:{part}>" for part, content in rest)
    return f"<m:{name}>{properties}{inside}</m:{name}>"


def _formula_text(content: str) -> str:
    return content if content.startswith("<") else f"<m:r><m:t>{content}</m:t></m:r>"


_NO_BAR = '<m:fPr><m:type m:val="noBar"/></m:fPr>'


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (formula(f="", num="a+b", den="2"), "(a+b)/2"),
        (formula(sSup="", e="r", sup="2"), "r²"),
        (formula(sSup="", e="x", sup="−1"), "x⁻¹"),
        (formula(sSup="", e="e", sup="kt"), "e^(kt)"),
        (formula(sSup="", e="e", sup="a+b"), "e^(a+b)"),
        (formula(sSub="", e="H", sub="2"), "H₂"),
        (formula(sSub="", e="x", sub="k") + _formula_text("a"), "x_k a"),
        (formula(sSub="", e="x", sub="k") + _formula_text("+a"), "x_k+a"),
        (formula(sSubSup="", e="x", sub="i", sup="2"), "x_i²"),
        (formula(sPre="", sub="92", sup="235", e="U"), "²³⁵₉₂U"),
        (formula(rad="", deg="", e="2gh"), "√(2gh)"),
        (formula(rad="", deg="3", e="a+b"), "3√(a+b)"),
        (formula(nary='<m:naryPr><m:chr m:val="∑"/></m:naryPr>', sub="i=1", sup="n", e="i"), "∑_(i=1)^n i"),
        (formula(nary="", sub="0", sup="1", e="f"), "∫_0^1 f"),
        (formula(acc='<m:accPr><m:chr m:val="&#x20D7;"/></m:accPr>', e="v"), "v\u20d7"),
        (formula(f="", num="1", den=formula(sSup="", e="r", sup="2")), "1/r²"),
        (formula(sSup="", e="a+b", sup="2"), "(a+b)²"),
        (formula(sSup="", e=formula(d="", e="a+b"), sup="2"), "(a+b)²"),
        (formula(sSup="", e="2.5", sup="2"), "2.5²"),
        (formula(sSup="", e="3×10", sup="6"), "3×10⁶"),
        (formula(d="", e=formula(f=_NO_BAR, num="n", den="k")), "(n choose k)"),
        (formula(nary="", sub=formula(f=_NO_BAR, num="i=1", den="j=2"), sup="n", e="i"), "∫_(i=1; j=2)^n i"),
        (formula(bar='<m:barPr><m:pos m:val="top"/></m:barPr>', e="x"), "x\u0304"),
        (formula(acc='<m:accPr><m:chr m:val="¯"/></m:accPr>', e="x"), "x\u0304"),
        (formula(acc='<m:accPr><m:chr m:val="&#x0305;"/></m:accPr>', e="AB"), "A\u0305B\u0305"),
        (formula(acc='<m:accPr><m:chr m:val="&#x0305;"/></m:accPr>', e="x+y"), "¯(x+y)"),
        (formula(acc="", e="y") + _formula_text("=2"), "y\u0302=2"),
    ],
)  # fmt: skip
def test_formula_is_one_line_of_text_with_a_note(tmp_path, content, text):
    maths = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    reading = docx.read(word_file(tmp_path, f"<w:p>{run('So ')}<m:oMath {maths}>{content}</m:oMath></w:p>"))
    assert (reading.text, reading.notes) == (f"So {text}", ("1 formula is written as one line of text.",))


def test_file_included_by_reference_gives_a_warning(tmp_path):
    reading = docx.read(word_file(tmp_path, paragraph("Text.") + '<w:altChunk r:id="r9"/>'))
    assert reading.warnings == ("The document refers to other files, which were not read.",)


@pytest.mark.parametrize(("media", "state"), [(False, EMPTY), (True, NO_TEXT)])
def test_state_of_a_file_without_text_depends_on_pictures(tmp_path, media, state):
    with pytest.raises(UnreadableFile) as caught:
        docx.read(word_file(tmp_path, paragraph("  "), media=media))
    assert caught.value.state == state


def test_more_characters_than_allowed_are_too_large(tmp_path):
    with pytest.raises(UnreadableFile) as caught:
        docx.read(word_file(tmp_path, paragraph("word " * 100)), max_characters=400)
    assert caught.value.state == TOO_LARGE
