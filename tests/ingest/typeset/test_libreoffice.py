"""Pages by LibreOffice: by the real one where it is installed, else by a stand-in that is a real program in a real child
process and draws the lines of the file. What goes wrong is always a stand-in's doing."""

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
from ingest.pipeline import ingest_file
from ingest.readers import docx
from ingest.readers.extracted_document import ExtractedDocument
from ingest.typeset import libreoffice, typeset_document
from samples.making import policy
from tests.ingest.readers.test_docx import paragraph, run, word_file
from tests.ingest.standing_in import put_on_path, runs

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "samples" / policy.NAME
SENTENCE = "The pilot boat leaves at noon, and nobody waits for those who are late."
DRAWS = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from ingest.readers import docx
from ingest.typeset.reportlab_typesetter import typeset_with_reportlab
made = Path(sys.argv[-1])
typeset_with_reportlab(docx.read(made), "", made.with_suffix(".pdf"))
"""
SAYS_OTHER_THINGS = DRAWS.replace("docx.read(made)", "docx.read(made.parent.parent.parent / 'other.docx')")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Puts an executable of this text on the path as LibreOffice."""
    return lambda text: put_on_path(libreoffice.PROGRAM, text, tmp_path / "bin", monkeypatch)


@pytest.fixture
def real(program):
    """LibreOffice itself where there is one."""
    if not shutil.which(libreoffice.PROGRAM):
        program(DRAWS)


@pytest.fixture(scope="module")
def sample_set(tmp_path_factory) -> tuple[Path, ExtractedDocument]:
    """The sample as LibreOffice sets it."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "made").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        if not shutil.which(libreoffice.PROGRAM):
            put_on_path(libreoffice.PROGRAM, DRAWS, folder / "bin", patch)
        out = folder / "made" / "out.pdf"
        return out, set_(SAMPLE, out)


@pytest.fixture
def out(tmp_path) -> Path:
    folder = tmp_path / "made"
    folder.mkdir()
    return folder / "out.pdf"


def set_(path: Path, out: Path, seconds: float = 60) -> ExtractedDocument:
    return typeset_document(path, "docx", docx.read(path), "A title", out, seconds)


def on_paper(pdf: Path, done: ExtractedDocument, words: str) -> str:
    """What stands on the pages where the map says that these words of the text stand."""
    start, found = done.text.index(words), ""
    with pdfium.PdfDocument(pdf) as document:
        for page, first, last in done.source_map.raw_spans(start, start + len(words)):
            textpage = document[page - 1].get_textpage()
            found += "".join(chr(pdfium.raw.FPDFText_GetUnicode(textpage, at)) for at in range(first, last))
    return re.sub(r"[^\w.,]", "", found)


def heights(pdf: Path, done: ExtractedDocument, words: str) -> list[float]:
    start = done.text.index(words)
    with pdfium.PdfDocument(pdf) as document:
        page, first, _ = done.source_map.raw_spans(start, start + len(words))[0]
        return [page, document[page - 1].get_textpage().get_charbox(first)[1]]


def squeezed(words: str) -> str:
    return re.sub(r"[^\w.,]", "", words)


def test_each_answer_of_the_sample_is_found_on_the_pages(sample_set):
    out, done = sample_set
    assert (done.notes, done.warnings) == ((), ())
    for _, answer in policy.QUESTIONS:
        assert on_paper(out, done, answer) == squeezed(answer)
    assert on_paper(out, done, policy.FOOTNOTE) == squeezed(policy.FOOTNOTE)
    assert [path.name for path in out.parent.iterdir()] == ["out.pdf"]


def test_the_text_stays_that_of_our_reader(sample_set):
    before = docx.read(SAMPLE)
    out, done = sample_set
    assert (done.text, done.headings) == (before.text, before.headings)
    with pdfium.PdfDocument(out) as document:
        assert [page.number for page in done.pages] == list(range(1, len(document) + 1))


def test_the_same_file_has_the_same_map_each_time(sample_set, real, out):
    assert set_(SAMPLE, out).source_map == sample_set[1].source_map


def test_words_in_the_running_head_are_not_taken_for_the_text(real, tmp_path, out):
    document = Document()
    document.sections[0].header.paragraphs[0].text = SENTENCE
    for number in range(60):
        document.add_paragraph(f"Paragraph {number} says nothing of the boat, at some length. " * 4)
        if number == 40:
            document.add_paragraph(SENTENCE)
    document.save(tmp_path / "a.docx")
    done = set_(tmp_path / "a.docx", out)
    page, above_foot = heights(out, done, SENTENCE)
    assert (done.notes, on_paper(out, done, SENTENCE)) == ((), squeezed(SENTENCE))
    assert page > 1
    assert above_foot < 710


def test_what_word_counts_or_moves_is_found_where_it_stands(real, tmp_path, out):
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
    done = set_(word_file(tmp_path, body), out)
    assert done.notes == ()
    assert on_paper(out, done, "It goes on.") == "Itgoeson."
    assert on_paper(out, done, "capitals by its").lower() == "capitalsbyits"
    assert on_paper(out, done, "Put in later.") == "Putinlater."
    assert on_paper(out, done, "施工期間須設置照明") == "施工期間須設置照明"


def test_text_from_right_to_left_is_found(real, tmp_path, out):
    texts = ["זהו מסמך בעברית עם מספרים 2025.", "هذه جملة ثانية طويلة وتنتهي هنا."]
    body = "".join(paragraph(f"{text} English. {text}", properties="<w:bidi/>") for text in texts)
    done = set_(word_file(tmp_path, body + paragraph("Last.")), out)
    for words in (text.split()[1] for text in texts):
        assert sorted(on_paper(out, done, words)) == sorted(words)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#!/bin/sh\nexit 9\n", "LibreOffice made no pages"),
        ("#!/no/such/interpreter\n", "LibreOffice cannot be started"),
        (
            '#!/bin/sh\nfor last; do :; done\necho "%PDF-1.4" > "${last%.docx}.pdf"\n',
            "LibreOffice made pages that cannot be read",
        ),
        (
            SAYS_OTHER_THINGS,
            "the pages of LibreOffice do not show “The pilot boat leaves at noon, and nobody waits for those …” as in the file",
        ),
    ],
)
def test_whatever_goes_wrong_the_pages_are_ours_and_it_says_so(program, tmp_path, out, text, why):
    program(text)
    word_file(tmp_path, paragraph("Some other words, and nothing of what the file says.")).rename(
        tmp_path / "other.docx"
    )
    done = set_(word_file(tmp_path, paragraph(SENTENCE)), out)
    assert done.notes == (f"The PDF was generated by Highlighter, not by LibreOffice: {why}.",)
    assert on_paper(out, done, SENTENCE) == squeezed(SENTENCE)
    assert [path.name for path in out.parent.iterdir()] == ["out.pdf"]


def test_without_the_program_the_pages_are_ours_and_it_says_so(tmp_path, out, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert set_(SAMPLE, out).notes == (
        "The PDF was generated by Highlighter, not by LibreOffice: LibreOffice is not installed.",
    )


def test_one_that_hangs_is_ended_with_all_it_started(program, tmp_path, out):
    program(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/pid\nwait\n")
    done = set_(word_file(tmp_path, paragraph(SENTENCE)), out, seconds=1.5)
    assert done.notes[0].endswith("LibreOffice took longer than 2 seconds.")
    assert not runs(int((tmp_path / "pid").read_text()))


def test_it_sees_no_network_where_the_system_lets_us_take_that_away(program, tmp_path, out):
    program('#!/bin/sh\ncat /proc/net/dev > "$HOME/../../seen"\nexit 1\n')
    set_(word_file(tmp_path, paragraph(SENTENCE)), out)
    devices = re.findall(r"^\s*(\w+):", (out.parent.parent / "seen").read_text(), re.MULTILINE)
    may = subprocess.run(["unshare", "--map-root-user", "--net", "true"], stderr=subprocess.DEVNULL).returncode == 0
    assert not may or set(devices) <= {"lo", "sit0", "tunl0", "ip6tnl0", "gre0", "gretap0", "erspan0"}


@pytest.mark.slow
def test_a_document_stays_ready_when_the_office_program_fails_and_says_why(program, tmp_path, services):
    program("#!/bin/sh\nexit 9\n")
    wanted = Services(replace(services.settings, typesetter="libreoffice"), services.embedder)
    pool = ProcessPool(workers=1, seconds=60, memory_mb=1024)  # its children see the path as it is now
    try:
        document = ingest_file(SAMPLE, wanted, pool).document
        assert document.state == READY
        assert document.reason.startswith("The PDF was generated by Highlighter, not by LibreOffice")
        (tmp_path / "bin" / libreoffice.PROGRAM).unlink()
        if not shutil.which(libreoffice.PROGRAM):
            program(DRAWS)
        document = ingest_file(SAMPLE, wanted, pool, collection="other").document
        assert (document.state, document.reason) == (READY, "")
    finally:
        pool.close()
        wanted.close()
