"""LibreOffice gets copies of office files without anything to fetch, and each of its failures has a typed state."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, ENCRYPTED, TIMED_OUT, TOO_LARGE, UNSUPPORTED_KIND
from ingest.libreoffice_program import PROGRAM
from ingest.office_conversion import convert_office_file
from ingest.office_copy import copy_ooxml, copy_opendocument, copy_rtf
from ingest.office_parts import list_shown_slides
from ingest.readers import sheet_html
from ingest.slide_labels import label_slides
from ingest.workbook_copy import copy_workbook
from tests.ingest.fake_programs import put_on_path
from tests.ingest.readers.pdf_drawing import draw

FILES = Path(__file__).parent / "readers" / "files"
SHEET = "xl/worksheets/sheet1.xml"
FAR_CELL = '<row r="20000"><c r="XFD20000" t="b"><v>1</v></c></row>'
AWAY = "http://127.0.0.1:9/pixel.png"


def change_archive(source: Path, out: Path, changes: dict[str, tuple[str, str]], **more_parts: str) -> Path:
    """Write a copy of an archive with a text replaced in some parts."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in archive.namelist():
            data = archive.read(name)
            for before, after in [changes[name]] if name in changes else []:
                assert before.encode() in data
                data = data.replace(before.encode(), after.encode())
            copy.writestr(name, data)
        for name, text in more_parts.items():
            copy.writestr(name.replace("__", "/"), text)
    return out


def read_archive(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


@pytest.mark.parametrize("name", ["berths.xlsx", "briefing.pptx"])
def test_copy_of_microsoft_file_has_no_way_out_but_hyperlinks(tmp_path, name):
    rels = "xl/_rels/workbook.xml.rels" if name.endswith("xlsx") else "ppt/_rels/presentation.xml.rels"
    external = (
        "".join(
            f'<Relationship Id="away{number}" Type="http://example.org/{kind}" Target="{target}" TargetMode="External"/>'
            for number, (kind, target) in enumerate(
                [("image", AWAY), ("oleObject", "file:///etc/passwd"), ("hyperlink", "https://harbour.example")]
            )
        )
        + '<Relationship Id="macro" Type="http://example.org/vbaProject" Target="vbaProject.bin"/>'
    )
    folder = rels.partition("/")[0]
    more_parts = {f"{folder}__vbaProject.bin": "Sub Run", f"{folder}__externalLinks__externalLink1.xml": AWAY}
    source = change_archive(
        FILES / name, tmp_path / "in", {rels: ("</Relationships>", external + "</Relationships>")}, **more_parts
    )
    copy_ooxml(source, tmp_path / "out")
    parts = read_archive(tmp_path / "out")
    assert not any(AWAY in part or "passwd" in part or "Sub Run" in part for part in parts.values())
    assert "https://harbour.example" in parts[rels]
    assert "vbaProject" not in parts[rels]
    assert parts.keys() == read_archive(FILES / name).keys()


def test_copy_of_opendocument_has_no_way_out_but_hyperlinks(tmp_path):
    away = (
        f'<text:section text:name="s"><text:section-source xlink:href="file:///etc/passwd"/><text:p>'
        f'<draw:frame><draw:image xlink:href="{AWAY}"/></draw:frame><draw:frame><draw:image xlink:href="../../x.png"/>'
        f'</draw:frame><text:a xlink:href="https://harbour.example">here</text:a></text:p></text:section></office:text>'
    )
    reload = f'<meta:auto-reload xlink:href="{AWAY}"/></office:meta>'
    source = change_archive(
        FILES / "pilotage.odt",
        tmp_path / "in",
        {"content.xml": ("</office:text>", away), "meta.xml": ("</office:meta>", reload)},
        **{"Basic__script.xml": "Sub Run"},
    )
    copy_opendocument(source, tmp_path / "out")
    parts = read_archive(tmp_path / "out")
    assert not any(word in part for part in parts.values() for word in (AWAY, "passwd", "../../x.png", "Sub Run"))
    assert "https://harbour.example" in parts["content.xml"]


def test_copy_of_rtf_refers_to_no_other_file(tmp_path):
    source = (
        rb'{\rtf1{\*\template http://x}{\field{\*\fldinst {INCLUDEPICTURE "http://x/y.png" \\d}}{\fldrslt A LINK}}}'
    )
    (tmp_path / "in").write_bytes(source)
    copy_rtf(tmp_path / "in", tmp_path / "out")
    copied = (tmp_path / "out").read_bytes()
    assert b"INCLUDEPICTURE" not in copied
    assert b"\\template" not in copied
    assert len(copied) == len(source)


@pytest.mark.parametrize(
    ("kind", "make", "state"),
    [
        ("xlsx", lambda out: out.write_bytes(b"PK torn"), DAMAGED),
        ("pptx", lambda out: change_archive(FILES / "briefing.pptx", out, {"_rels/.rels": ("<", "< ")}), DAMAGED),
        ("odt", lambda out: change_archive(FILES / "pilotage.odt", out, {"META-INF/manifest.xml": ("</", "<encryption-data/></")}), ENCRYPTED),
        ("xlsx", lambda out: change_archive(FILES / "berths.xlsx", out, {}, xl__more="0" * (101 << 20)), TOO_LARGE),
        ("xlsx", lambda out: change_archive(FILES / "berths.xlsx", out, {SHEET: ("</sheetData>", FAR_CELL + "</sheetData>")}), TOO_LARGE),
        ("rtf", lambda out: out.write_bytes(b"{\\rtf1" + b"x" * (41 << 20)), TOO_LARGE),
    ],
)  # fmt: skip
def test_bad_file_does_not_reach_libreoffice(tmp_path, monkeypatch, kind, make, state):
    put_on_path(PROGRAM, "#!/bin/sh\ntouch started\n", tmp_path / "bin", monkeypatch)
    make(tmp_path / "in")
    assert fail_to_convert(tmp_path, kind) == state
    assert not list(tmp_path.rglob("started"))


@pytest.mark.parametrize(
    ("program", "state"),
    [
        ("#!/bin/sh\nexit 1\n", DAMAGED),
        (f"#!{sys.executable}\nimport time\ntime.sleep(60)\n", TIMED_OUT),
        ("", UNSUPPORTED_KIND),
    ],
)
def test_failure_of_libreoffice_has_a_typed_state(tmp_path, monkeypatch, program, state):
    if program:
        put_on_path(PROGRAM, program, tmp_path / "bin", monkeypatch)
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "in").write_bytes((FILES / "pilotage.rtf").read_bytes())
    assert fail_to_convert(tmp_path, "rtf", seconds=2) == state


def fail_to_convert(tmp_path: Path, kind: str, seconds: float = 60) -> str:
    work = tmp_path / "work"
    work.mkdir()
    with pytest.raises(UnreadableFile) as caught:
        convert_office_file(tmp_path / "in", kind, work, seconds)
    assert caught.value.detail.endswith(".")
    return caught.value.state


def test_truth_values_of_a_workbook_are_the_words_that_excel_shows(tmp_path):
    cells = '<row r="9"><c r="A9" t="b"><v>1</v></c><c r="B9" t="b"><f>1=2</f><v>0</v></c><c r="C9"><v>1</v></c></row>'
    source = change_archive(FILES / "berths.xlsx", tmp_path / "in", {SHEET: ("</sheetData>", cells + "</sheetData>")})
    assert copy_workbook(source, tmp_path / "out") == ()
    sheet = read_archive(tmp_path / "out")[SHEET]
    assert (
        '<c r="A9" t="str"><v>TRUE</v></c><c r="B9" t="str"><f>1=2</f><v>FALSE</v></c><c r="C9"><v>1</v></c>' in sheet
    )


def test_hidden_sheets_rows_and_columns_are_told(tmp_path):
    hidden = '<cols><col min="2" max="16384" hidden="true"/></cols><sheetData>'
    changes = {
        "xl/workbook.xml": ('name="Rules" sheetId="2" state="visible"', 'name="Rules" sheetId="2" state="veryHidden"'),
        SHEET: ("<sheetData>", hidden),
        "xl/worksheets/sheet2.xml": ('hidden="false"', 'hidden="true"'),
    }
    source = change_archive(FILES / "berths.xlsx", tmp_path / "in", changes)
    notes = ("Left out (hidden sheets): “Rules”", "2 hidden columns are left out.")
    assert copy_workbook(source, tmp_path / "out") == notes
    source = change_archive(FILES / "berths.xlsx", tmp_path / "in", {SHEET: ('hidden="false"', 'hidden="1"')})
    assert copy_workbook(source, tmp_path / "out") == ("4 hidden rows are left out.",)
    empty = '<row r="1048576" hidden="1"><c r="A1048576" s="0"/></row></sheetData>'
    source = change_archive(FILES / "berths.xlsx", tmp_path / "in", {SHEET: ("</sheetData>", empty)})
    assert copy_workbook(source, tmp_path / "out") == ()


def test_pages_of_a_presentation_have_the_numbers_of_its_slides(tmp_path):
    changes = {"ppt/slides/slide1.xml": ("<p:sld ", '<p:sld show="0" ')}
    source = change_archive(FILES / "briefing.pptx", tmp_path / "in", changes)
    assert list_shown_slides(source, 1 << 20) == [False, True]
    assert list_shown_slides(FILES / "briefing.pptx", 1 << 20) == [True, True]
    pdf = draw(tmp_path / "a.pdf", *[lambda canvas: canvas.drawString(60, 760, "Slide")] * 3)
    assert label_slides(pdf, [True] * 3) == ()
    assert label_slides(pdf, [True, False, True, False, True]) == ("Slides 2, 4 are hidden and left out.",)
    with pypdfium2.PdfDocument(pdf) as document:
        assert [document.get_page_label(index) for index in range(3)] == ["1", "3", "5"]


def test_sheets_are_tables_under_their_names(tmp_path):
    path = tmp_path / "sheets.html"
    path.write_text(
        "<hr><p><center><h1>Overview</h1><a href='#table0'>Fees</a></center></p><hr>"
        "<a name=table0><h1>Sheet 1: <em>Fees</em></h1></a><table><tr><td>Berth<td>Fee<tr><td>North<td>18</table>"
        "<a name=table1><h1>Sheet 2: <em>Rules</em></h1></a><table><tr><td>Pay<td>before noon<tr><td>a<td>b</table>"
    )
    assert sheet_html.read(path).text == "Fees\n\nBerth\tFee\nNorth\t18\n\nRules\n\nPay\tbefore noon\na\tb"


def test_comments_of_cells_are_left_out_and_counted(tmp_path):
    path = tmp_path / "sheets.html"
    comment = "<a class='comment-indicator'></a><comment>Only by post</comment>"
    path.write_text(f"<table><tr><td>Berth<td>Fee<tr><td>{comment}<font>North</font><td>18</table>")
    sheet = sheet_html.read(path)
    assert (sheet.text, sheet.notes) == ("Berth\tFee\nNorth\t18", ("1 comment of a cell was left out.",))
