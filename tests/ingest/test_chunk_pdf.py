import pytest
from pypdf import PdfReader

from ingest import chunk_pdf
from tests.conftest import SAMPLES

CONTRACT = SAMPLES / "Harbour Works Contract.pdf"


@pytest.fixture(params=["pypdf", "pdfium"])
def cutter(request, monkeypatch):
    """Both ways to cut give the same pages; the second is for files that pypdf cannot open."""
    if request.param == "pdfium":
        monkeypatch.setattr(chunk_pdf, "_open", lambda paged: None)
    return chunk_pdf.cut


def test_each_chunk_gets_the_pages_it_stands_on(cutter, tmp_path):
    cutter(CONTRACT, [(1, 1), (1, 2), (2, 4)], tmp_path / "chunks")
    whole = [page.extract_text() for page in PdfReader(CONTRACT).pages]
    for number, pages in enumerate([whole[0:1], whole[0:2], whole[1:4]]):
        cut = PdfReader(tmp_path / "chunks" / f"{number}.pdf")
        assert [page.extract_text() for page in cut.pages] == pages


def test_chunks_on_the_same_pages_share_one_file(tmp_path):
    chunk_pdf.cut(CONTRACT, [(1, 2), (1, 2)], tmp_path / "chunks")
    assert (tmp_path / "chunks" / "0.pdf").samefile(tmp_path / "chunks" / "1.pdf")
