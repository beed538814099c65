import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject, NumberObject

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED
from ingest import chunk_pdf
from tests.conftest import SAMPLES

CONTRACT = SAMPLES / "Harbour Works Contract.pdf"


@pytest.fixture(params=["pypdf", "pdfium"])
def cutter(request, monkeypatch):
    """Cut with pypdf or with PDFium, which is for files that pypdf cannot open: both give the same pages."""
    if request.param == "pdfium":
        monkeypatch.setattr(chunk_pdf, "_open_with_pypdf", lambda paged: None)
    return chunk_pdf.write_chunk_pdfs


def test_chunk_pdf_has_the_pages_of_its_chunk(cutter, tmp_path):
    cutter(CONTRACT, [(1, 1), (1, 2), (2, 4)], tmp_path / "chunks")
    whole = [page.extract_text() for page in PdfReader(CONTRACT).pages]
    for number, pages in enumerate([whole[0:1], whole[0:2], whole[1:4]]):
        cut = PdfReader(tmp_path / "chunks" / f"{number}.pdf")
        assert [page.extract_text() for page in cut.pages] == pages


def test_chunks_on_the_same_pages_share_one_file(tmp_path):
    chunk_pdf.write_chunk_pdfs(CONTRACT, [(1, 2), (1, 2)], tmp_path / "chunks")
    assert (tmp_path / "chunks" / "0.pdf").samefile(tmp_path / "chunks" / "1.pdf")


def test_page_that_cannot_be_opened_is_cut_as_a_blank_page(tmp_path):
    writer = PdfWriter(clone_from=CONTRACT)
    tree = writer._root_object["/Pages"].get_object()
    tree[NameObject("/Kids")] = ArrayObject([tree["/Kids"][0], writer._add_object(NumberObject(7)), tree["/Kids"][2]])
    tree[NameObject("/Count")] = NumberObject(3)
    writer.write(tmp_path / "damaged.pdf")
    chunk_pdf.write_chunk_pdfs(tmp_path / "damaged.pdf", [(1, 3)], tmp_path / "chunks")
    first, _, third = (page.extract_text() for page in PdfReader(CONTRACT).pages[:3])
    assert [page.extract_text() for page in PdfReader(tmp_path / "chunks" / "0.pdf").pages] == [first, "", third]


def test_file_that_pdfium_cannot_cut_is_damaged(tmp_path):
    (tmp_path / "damaged.pdf").write_bytes(b"%PDF-1.7 of which nothing is left")
    with pytest.raises(UnreadableFile) as raised:
        chunk_pdf.write_chunk_pdfs(tmp_path / "damaged.pdf", [(1, 1)], tmp_path / "chunks")
    assert raised.value.state == DAMAGED
