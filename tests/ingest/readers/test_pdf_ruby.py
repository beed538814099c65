"""Small kana above Chinese characters are readings, small print is text."""

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw


def write(canvas, x, y, size, text):
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    canvas.setFont("HeiseiMin-W3", size)
    canvas.drawString(x, y, text)


def test_reading_is_left_out_and_its_sentence_stays_whole(tmp_path):
    def page(canvas):
        write(canvas, 60, 700, 12, "この契約")
        write(canvas, 84, 712, 5, "けいやく")
        write(canvas, 108, 700, 12, "は有効である。")

    assert read(draw(tmp_path / "a.pdf", page)).text == "この契約は有効である。"


def test_small_print_above_a_title_stays(tmp_path):
    def page(canvas):
        write(canvas, 60, 718, 7, "この契約はどの国でも有効とする。")
        write(canvas, 60, 700, 16, "業務委託契約書の見本")

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert "この契約はどの国でも有効とする。" in text
    assert "業務委託契約書の見本" in text
