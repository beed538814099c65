"""Pages by LibreOffice where it is installed, else by a fake program that draws the lines of the file.

The fake program runs in a real child process. Failures are always those of a fake program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from docx import Document

from highlighter.models import READY
from highlighter.services import Services
from highlighter.workers.process_pool import ProcessPool
from ingest.libreoffice_program import PROGRAM
from ingest.pipeline import ingest_file
from ingest.readers import docx
from ingest.readers.extracted_document import ExtractedDocument
from ingest.typeset import typeset_document
from samples.making import policy
from tests.ingest.fake_programs import is_running, put_on_path
from tests.ingest.readers.test_docx import paragraph, run, word_file

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "samples" / policy.NAME
SENTENCE = "The pilot boat leaves at noon, and nobody waits for those who are late."
DRAWING_PROGRAM = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from ingest.readers import docx
from ingest.typeset.reportlab_typesetter import typeset_with_reportlab
made = Path(sys.argv[-1])
typeset_with_reportlab(docx.read(made), "", made.with_suffix(".pdf"))
"""
OTHER_TEXT_PROGRAM = DRAWING_PROGRAM.replace("docx.read(made)", "docx.read(made.parent.parent.parent / 'other.docx')")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Put an executable with this text on the path as LibreOffice."""
    return lambda text: put_on_path(PROGRAM, text, tmp_path / "bin", monkeypatch)


@pytest.fixture
def libreoffice_program(program):
    """LibreOffice where it is installed, else the drawing program."""
    if not shutil.which(PROGRAM):
        program(DRAWING_PROGRAM)


@pytest.fixture(scope="module")
def typeset_sample(tmp_path_factory) -> tuple[Path, ExtractedDocument]:
    """The sample as LibreOffice typesets it."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "made").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        if not shutil.which(PROGRAM):
            put_on_path(PROGRAM, DRAWING_PROGRAM, folder / "bin", patch)
        out = folder / "made" / "out.pdf"
        return out, typeset(SAMPLE, out)


@pytest.fixture
def out(tmp_path) -> Path:
    folder = tmp_path / "made"
    folder.mkdir()
    return folder / "out.pdf"


def typeset(path: Path, out: Path, seconds: float = 60) -> ExtractedDocument:
    return typeset_document(path, "docx", docx.read(path), "A title", out, seconds)


def read_mapped_text(pdf: Path, extracted: ExtractedDocument, words: str) -> str:
    """Return the text on the pages where the source map has these words."""
    start, text = extracted.text.index(words), ""
    with pdfium.PdfDocument(pdf) as document:
        for page, first, last in extracted.source_map.raw_spans(start, start + len(words)):
            textpage = document[page - 1].get_textpage()
            text += "".join(chr(pdfium.raw.FPDFText_GetUnicode(textpage, at)) for at in range(first, last))
    return re.sub(r"[^\w.,]", "", text)


def find_position(pdf: Path, extracted: ExtractedDocument, words: str) -> list[float]:
    start = extracted.text.index(words)
    with pdfium.PdfDocument(pdf) as document:
        page, first, _ = extracted.source_map.raw_spans(start, start + len(words))[0]
        return [page, document[page - 1].get_textpage().get_charbox(first)[1]]


def strip_spaces(words: str) -> str:
    return re.sub(r"[^\w.,]", "", words)


def test_each_answer_of_the_sample_is_found_on_the_pages(typeset_sample):
    out, extracted = typeset_sample
    assert (extracted.notes, extracted.warnings) == ((), ())
    for _, answer in policy.QUESTIONS:
        assert read_mapped_text(out, extracted, answer) == strip_spaces(answer)
    assert read_mapped_text(out, extracted, policy.FOOTNOTE) == strip_spaces(policy.FOOTNOTE)
    assert [path.name for path in out.parent.iterdir()] == ["out.pdf"]


def test_text_stays_that_of_the_reader(typeset_sample):
    before = docx.read(SAMPLE)
    out, extracted = typeset_sample
    assert (extracted.text, extracted.headings) == (before.text, before.headings)
    with pdfium.PdfDocument(out) as document:
        assert [page.number for page in extracted.pages] == list(range(1, len(document) + 1))


def test_the_same_file_has_the_same_map_each_time(typeset_sample, libreoffice_program, out):
    assert typeset(SAMPLE, out).source_map == typeset_sample[1].source_map


def test_words_in_the_running_head_are_not_taken_for_the_text(libreoffice_program, tmp_path, out):
    document = Document()
    document.sections[0].header.paragraphs[0].text = SENTENCE
    for number in range(60):
        document.add_paragraph(f"Paragraph {number} says nothing of the boat, at some length. " * 4)
        if number == 40:
            document.add_paragraph(SENTENCE)
    document.save(tmp_path / "a.docx")
    extracted = typeset(tmp_path / "a.docx", out)
    page, above_foot = find_position(out, extracted, SENTENCE)
    assert read_mapped_text(out, extracted, SENTENCE) == strip_spaces(SENTENCE)
    assert extracted.notes == docx.read(tmp_path / "a.docx").notes
    assert page > 1
    assert above_foot < 710


def test_text_that_word_counts_or_moves_is_mapped(libreoffice_program, tmp_path, out):
    """Ligatures, soft line ends, capitals by style, a box, insertions and deletions."""
    box = (
        '<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:200pt;height:50pt"><v:textbox>'
        f"<w:txbxContent>{paragraph('Words in a box of their own.')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
    )
    body = (
        paragraph(run("An office of fine flour, ﬁrst and ﬂuent. ") + "<w:r><w:br/></w:r>" + run("It goes on."))
        + paragraph(run("Set in capitals by its style.", "<w:caps/>"))
        + paragraph(f"<w:ins>{run('Put in later.')}</w:ins><w:del><w:r><w:delText>Taken out.</w:delText></w:r></w:del>")
        + paragraph(run("Left of it. ") + box)
        + paragraph("第二條規定，施工期間須設置照明。")
    )
    extracted = typeset(word_file(tmp_path, body), out)
    assert extracted.notes == ()
    assert read_mapped_text(out, extracted, "It goes on.") == "Itgoeson."
    assert read_mapped_text(out, extracted, "capitals by its").lower() == "capitalsbyits"
    assert read_mapped_text(out, extracted, "Put in later.") == "Putinlater."
    assert read_mapped_text(out, extracted, "施工期間須設置照明") == "施工期間須設置照明"


def test_text_from_right_to_left_is_found(libreoffice_program, tmp_path, out):
    texts = ["זהו מסמך בעברית עם מספרים 2025.", "هذه جملة ثانية طويلة وتنتهي هنا."]
    body = "".join(paragraph(f"{text} English. {text}", properties="<w:bidi/>") for text in texts)
    extracted = typeset(word_file(tmp_path, body + paragraph("Last.")), out)
    for words in (text.split()[1] for text in texts):
        assert sorted(read_mapped_text(out, extracted, words)) == sorted(words)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#!/bin/sh\nexit 9\n", "LibreOffice made no pages"),
        ("#!/no/such/interpreter\n", "LibreOffice cannot be started"),
        (
            '#!/bin/sh\nfor last; do :; done\necho "%PDF-1.4" > "${last%.docx}.pdf"\n',
            "LibreOffice made pages that cannot be read",
        ),
        (
            OTHER_TEXT_PROGRAM,
            "the pages of LibreOffice do not show “The pilot boat leaves at noon, and nobody waits for those …” as in the file",
        ),
    ],
)
def test_reportlab_typesets_after_any_failure_and_the_reason_is_noted(program, tmp_path, out, text, reason):
    program(text)
    word_file(tmp_path, paragraph("Some other words, and nothing of what the file says.")).rename(
        tmp_path / "other.docx"
    )
    extracted = typeset(word_file(tmp_path, paragraph(SENTENCE)), out)
    assert extracted.notes == (f"The PDF was generated by Highlighter, not by LibreOffice: {reason}.",)
    assert read_mapped_text(out, extracted, SENTENCE) == strip_spaces(SENTENCE)
    assert [path.name for path in out.parent.iterdir()] == ["out.pdf"]


def test_reportlab_typesets_without_the_program_and_the_reason_is_noted(tmp_path, out, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert typeset(SAMPLE, out).notes == (
        "The PDF was generated by Highlighter, not by LibreOffice: LibreOffice is not installed.",
    )


def test_hanging_program_is_ended_with_its_child_processes(program, tmp_path, out):
    program(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/pid\nwait\n")
    extracted = typeset(word_file(tmp_path, paragraph(SENTENCE)), out, seconds=1.5)
    assert extracted.notes[0].endswith("LibreOffice took longer than 2 seconds.")
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_program_has_no_network_where_the_system_allows_that(program, tmp_path, out):
    program('#!/bin/sh\ncat /proc/net/dev > "$HOME/../../seen"\nexit 1\n')
    typeset(word_file(tmp_path, paragraph(SENTENCE)), out)
    devices = re.findall(r"^\s*(\w+):", (out.parent.parent / "seen").read_text(), re.MULTILINE)
    may = subprocess.run(["unshare", "--map-root-user", "--net", "true"], stderr=subprocess.DEVNULL).returncode == 0
    assert not may or set(devices) <= {"lo", "sit0", "tunl0", "ip6tnl0", "gre0", "gretap0", "erspan0"}


@pytest.mark.slow
def test_document_is_ready_with_a_reason_when_libreoffice_fails(program, tmp_path, services):
    program("#!/bin/sh\nexit 9\n")
    wanted = Services(replace(services.settings, typesetter="libreoffice"), services.embedder)
    pool = ProcessPool(workers=1, seconds=60, memory_mb=1024)  # its children get the current path
    try:
        document = ingest_file(SAMPLE, wanted, pool).document
        assert document.state == READY
        assert document.reason.startswith("The PDF was generated by Highlighter, not by LibreOffice")
        (tmp_path / "bin" / PROGRAM).unlink()
        if not shutil.which(PROGRAM):
            program(DRAWING_PROGRAM)
        document = ingest_file(SAMPLE, wanted, pool, collection="other").document
        assert (document.state, document.reason) == (READY, "")
    finally:
        pool.close()
        wanted.close()
