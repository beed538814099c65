"""The copy for LibreOffice holds what is drawn, and nothing that runs or connects to anything."""

from __future__ import annotations

import zipfile
from pathlib import Path

from ingest.readers import docx
from ingest.typeset.libreoffice_input import write_drawable_copy
from samples.making import policy
from tests.ingest.readers.test_docx import R, paragraph, run, table, word_file

SAMPLE = Path(__file__).parents[3] / "samples" / policy.NAME
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
EVERYWHERE = "http://tracker.example/"


def copy_of(
    folder: Path, body: str, targets: dict[str, tuple[str, str]] | None = None, **parts: bytes
) -> dict[str, str]:
    """Return the parts of the copy as text; `targets` maps relationship ids to their kind and target."""
    path = word_file(folder, body)
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    links = "".join(
        f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if ':' in target else ''}/>"
        for key, (kind, target) in (targets or {}).items()
    )
    held["word/_rels/document.xml.rels"] = (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>'
    ).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (held | {f"word/{name.replace('_', '.')}": one for name, one in parts.items()}).items():
            archive.writestr(name, content)
    write_drawable_copy(path, folder / "copy.docx")
    with zipfile.ZipFile(folder / "copy.docx") as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def test_the_copy_reads_as_the_file_does(tmp_path):
    write_drawable_copy(SAMPLE, tmp_path / "copy.docx")
    before, after = docx.read(SAMPLE), docx.read(tmp_path / "copy.docx")
    assert (after.text, after.headings) == (before.text, before.headings)


def test_only_links_to_click_refer_outside_the_file(tmp_path):
    picture = (
        f'<w:r><w:pict><v:imagedata xmlns:v="urn:schemas-microsoft-com:vml" src="{EVERYWHERE}a.png"/></w:pict></w:r>'
    )
    linked = f'<a:blip xmlns:a="urn:x" xmlns:r="{R}" r:link="r2"/>'
    targets = {
        "r1": ("hyperlink", EVERYWHERE + "page"),
        "r2": ("image", EVERYWHERE + "b.png"),
        "r3": ("attachedTemplate", EVERYWHERE + "evil.dotm"),
        "r4": ("oleObject", "file:///etc/passwd"),
        "r5": ("hyperlink", "file:///etc/passwd"),
        "r6": ("frame", EVERYWHERE),
    }
    held = copy_of(
        tmp_path, paragraph(picture + run("Words.") + f"<w:r><w:drawing>{linked}</w:drawing></w:r>"), targets
    )
    everything = "".join(held.values())
    assert everything.count(EVERYWHERE) == 1
    assert "etc/passwd" not in everything
    assert "link=" not in held["word/document.xml"]


def test_macros_embedded_files_and_false_pictures_are_left_out(tmp_path):
    targets = {
        "r1": ("vbaProject", "vbaProject.bin"),
        "r2": ("image", "good.png"),
        "r3": ("image", "false.png"),
        "r4": ("package", "book.xlsx"),
        "r5": ("image", "gone.png"),
    }
    held = copy_of(
        tmp_path,
        paragraph("Words."),
        targets,
        vbaProject_bin=b"Sub AutoOpen",
        good_png=PNG,
        false_png=b"%!PS-Adobe-3.0 EPSF",
        book_xlsx=b"PK",
    )
    assert sorted(name for name in held if name.startswith("word/") and "rels" not in name) == [
        "word/document.xml",
        "word/good.png",
    ]
    assert [key in held["word/_rels/document.xml.rels"] for key in targets] == [False, True, False, False, False]


def test_field_becomes_its_result_and_fetches_nothing(tmp_path):
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDETEXT "/etc/</w:instrText></w:r>'
        '<w:r><w:instrText>passwd"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + run("as it was")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        + f'<w:fldSimple w:instr="DATE">{run(" on Monday")}</w:fldSimple>'
    )
    document = copy_of(tmp_path, paragraph(field))["word/document.xml"]
    assert not any(word in document for word in ("INCLUDE", "passwd", "fldChar", "fldSimple"))
    assert docx.read(tmp_path / "copy.docx").text == "as it was on Monday"


def test_page_numbers_in_headers_and_footers_stay_fields(tmp_path):
    def field(instruction: str) -> str:
        return (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
            f'<w:r><w:instrText>{instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    foot = f'<w:ftr xmlns:w="{docx.w("")[1:-1]}"><w:p>{field(" PAGE ")}{field("INCLUDEPICTURE x")}</w:p></w:ftr>'
    held = copy_of(tmp_path, paragraph("Words."), {"r1": ("footer", "foot.xml")}, foot_xml=foot.encode())
    assert " PAGE " in held["word/foot.xml"]
    assert "INCLUDE" not in held["word/foot.xml"]


def test_deletions_and_comments_are_removed_and_insertions_stay(tmp_path):
    row = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph('Row gone.')}</w:tc><w:tc>{paragraph('x')}</w:tc></w:tr>"
    body = (
        paragraph(f"<w:ins>{run('Put in.')}</w:ins><w:del><w:r><w:delText>Taken out.</w:delText></w:r></w:del>")
        + paragraph(run("Noted.") + '<w:r><w:commentReference w:id="1"/></w:r>')
        + table(f"<w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc>").replace("</w:tbl>", f"{row}</w:tbl>")
    )
    document = copy_of(tmp_path, body)["word/document.xml"]
    assert not any(words in document for words in ("Taken", "Row gone", "comment", "w:ins"))
    assert "Put in." in document
