"""Scans are recognised by the real Tesseract, whatever their language and however they lie."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.utils import ImageReader

from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from highlighter.store.word_confidences import WordConfidences
from ingest.readers.ocr import RecognisedPage, find_unread_pages, read_recognised, recognise_page
from tests.ingest.fake_programs import is_running, put_on_path
from tests.ingest.readers.ocr.scans.making import ENGLISH_LINES, SERIF, draw_letters
from tests.ingest.readers.pdf_drawing import A4, draw, picture

SCANS = Path(__file__).parent / "scans"


@pytest.fixture(scope="module")
def recognised(installed_tesseract, tmp_path_factory):
    """Recognise a scan once, and return its page, its reading and its searchable copy."""
    results = {}

    def recognise(name):
        if name not in results:
            folder = tmp_path_factory.mktemp(name)
            (number,) = find_unread_pages(SCANS / f"{name}.pdf")
            page = recognise_page(SCANS / f"{name}.pdf", number, folder, 600)
            reading = read_recognised(SCANS / f"{name}.pdf", [page], folder / "copy.pdf")
            results[name] = page, reading, folder / "copy.pdf"
        return results[name]

    return recognise


@pytest.mark.parametrize(
    ("name", "languages", "turn", "words"),
    [
        ("turned", "eng", 90, "Two cracks of 4 mm were found below the waterline."),
        ("german", "deu", 0, "Für die Überprüfung ist Herr Müller zuständig."),
        ("chinese", "chi_tra+eng", 0, "維修工程需時六星期，費用由政府"),
        ("hebrew", "heb", 0, "התיקון יעלה 18,400 שקלים ויימשך שישה שבועות."),
        ("arabic", "ara", 0, "تم فحص الجدار الشمالي في 3 مايو."),
        ("vertical", "chi_tra_vert", 270, "維修工程需時六星期，費用由政府支付。"),
        ("mixed", "eng", 0, "Repairs will cost 18,400 pounds and take six weeks."),
    ],
)
def test_scan_is_read_in_its_language(recognised, name, languages, turn, words):
    page, reading, _ = recognised(name)
    assert (page.languages.partition("+")[0], page.turn) == (languages.partition("+")[0], turn)
    assert words in reading.text
    assert reading.warnings == ()
    assert page.confidence > 0.75


def test_stamps_of_a_scan_stay_text_and_are_not_recognised_once_more(installed_tesseract, tmp_path):
    def page(canvas):
        canvas.drawImage(ImageReader(draw_letters(ENGLISH_LINES, SERIF, 34, 0.3)), 0, 0, *A4)
        canvas.drawString(480, 20, "HARBOUR-0000417")

    path = draw(tmp_path / "a.pdf", page, lambda canvas: canvas.drawString(60, 700, "Typed."))
    recognised_page = recognise_page(path, 1, tmp_path, 600)
    reading = read_recognised(path, [recognised_page], tmp_path / "copy.pdf")
    assert "Repairs will cost 18,400 pounds and take six weeks." in reading.text
    assert reading.text.count("0000417") == 1
    assert "HARBOUR-0000417" not in [word.text for line in recognised_page.lines for word in line.words]
    assert reading.warnings == ()
    with pypdfium2.PdfDocument(tmp_path / "copy.pdf") as copy:  # the page itself, not a picture of it
        assert "HARBOUR-0000417" in copy[0].get_textpage().get_text_bounded()


def test_pages_are_read_in_their_order(recognised):
    text = recognised("mixed")[1].text
    assert text.index("Minutes of the harbour board") < text.index("Harbour inspection report")
    assert text.endswith("Minutes of the harbour board, 12 May.")


def test_recognised_page_survives_a_restart(recognised):
    page = recognised("chinese")[0]
    assert RecognisedPage.from_json(json.loads(json.dumps(page.to_json()))) == page


def test_each_recognised_word_has_its_confidence(recognised):
    reading = recognised("mixed")[1]
    confidences = WordConfidences.from_text(reading.recognition["words"])
    start = reading.text.index("18,400")
    assert 0.8 < confidences.mean(start, start + 6) <= 1
    assert confidences.mean(0, reading.text.index("Harbour")) is None  # typed words of the first page
    words = [reading.text[span.start : span.end] for span in confidences.spans]
    assert words[:3] == ["Harbour", "inspection", "report"]


def test_words_from_right_to_left_have_their_confidences_in_reading_order(recognised):
    reading = recognised("hebrew")[1]
    confidences = WordConfidences.from_text(reading.recognition["words"])
    words = [reading.text[span.start : span.end] for span in confidences.spans]
    assert words == reading.text.split()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mixed", "18,400 pounds"),
        ("turned", "Two cracks"),
        ("german", "Überprüfung"),
        ("chinese", "六星期"),
        ("hebrew", "18,400 שקלים"),
        ("arabic", "دينار وتستغرق"),
        ("vertical", "六星期"),
    ],
)
def test_rectangle_lies_on_the_words(recognised, name, words):
    """The rectangle is full of ink, and the paper above and below it, between two lines, is empty."""
    _, reading, copy = recognised(name)
    start = reading.text.index(words)
    (page, spans) = next(iter(reading.source_map.raw_spans_by_page(start, start + len(words)).items()))
    characters = read_page_characters(copy, [page])[0]
    (box,) = compute_rectangles(page, characters, spans)
    across = (box.y1 - box.y0, box.x1 - box.x0)[box.turn in (90, 270)]
    assert 8 < across < 30
    assert _ink(copy, page, box.x0, box.y0, box.x1, box.y1) > 0.05
    gap = 0.25 * across
    sides = (
        [(box.x0 - gap, box.y0, box.x0, box.y1), (box.x1, box.y0, box.x1 + gap, box.y1)]
        if box.turn in (90, 270)
        else [(box.x0, box.y0 - gap, box.x1, box.y0), (box.x0, box.y1, box.x1, box.y1 + gap)]
    )
    assert max(_ink(copy, page, *side) for side in sides) < 0.03


def _ink(path: Path, page: int, x0: float, y0: float, x1: float, y1: float) -> float:
    """Return the share of dark pixels in a box of a page."""
    with pypdfium2.PdfDocument(path) as document:
        grey = document[page - 1].render(scale=4, grayscale=True).to_numpy()
    height = grey.shape[0]
    return float((grey[int(height - 4 * y1) : int(height - 4 * y0), int(4 * x0) : int(4 * x1)] < 128).mean())


def test_pictures_without_letters_and_blank_pages_have_no_words(installed_tesseract, tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawImage(picture(), 60, 100, 400, 600), lambda canvas: None)
    assert find_unread_pages(path) == (1,)
    page = recognise_page(path, 1, tmp_path, 600)
    assert (page.lines, page.problem) == ((), "")


@pytest.mark.parametrize(
    ("languages", "problem"),
    [(("eng", "xho"), "the data of a language in OCR_LANGUAGES is missing: apt-get install tesseract-ocr-xho.")],
)
def test_missing_language_is_named_with_its_package(installed_tesseract, tmp_path, languages, problem):
    assert recognise_page(SCANS / "english.pdf", 1, tmp_path, 600, languages).problem == problem


# Prints what each language is to see on any page: words, and how often each stands on it.
_FAKE_TESSERACT = """#!/bin/sh
[ $1 = --list-langs ] && printf 'List:\\nara\\neng\\nheb\\n' && exit
case $6 in
ara) words="اكلم تكزور باعمث" times="1 2 3 4 5 6 7 8 9 10" percent={percent} ;;
heb) words="-% 9" times=1 percent=67 ;;
*) words="rade PS" times="1 2" percent=35 ;;
esac
printf "<html><body><div><span class='ocr_line' title='bbox 100 100 9900 140; baseline 0 0; x_size 40'>" > out.hocr
x=100
for time in $times; do
  for word in $words; do
    x=$((x + 30))
    printf "<span class='ocrx_word' title='bbox $x 100 $((x + 20)) 140; x_wconf $percent'>%s</span>" "$word"
  done
done >> out.hocr
printf "</span></div></body></html>" >> out.hocr
"""


def test_language_that_sees_few_letters_of_a_page_is_not_its_language(tmp_path, monkeypatch):
    put_on_path("tesseract", _FAKE_TESSERACT.replace("{percent}", "60"), tmp_path / "bin", monkeypatch)
    page = recognise_page(SCANS / "english.pdf", 1, tmp_path, 600)
    assert (page.languages, page.problem, round(page.confidence, 2)) == ("ara", "", 0.6)


def test_few_letters_of_which_a_language_is_sure_are_read_beside_noise(tmp_path, monkeypatch):
    sure = _FAKE_TESSERACT.replace('words="rade PS" times="1 2" percent=35', 'words="Exhibit" times=1 percent=96')
    put_on_path("tesseract", sure.replace("{percent}", "34"), tmp_path / "bin", monkeypatch)
    page = recognise_page(SCANS / "english.pdf", 1, tmp_path, 600)
    assert (page.languages, page.problem) == ("eng", "")
    assert [word.text for line in page.lines for word in line.words] == ["Exhibit"]


def test_page_whose_script_is_known_and_whose_language_is_not_installed_has_a_problem(tmp_path, monkeypatch):
    put_on_path("tesseract", _FAKE_TESSERACT.replace("{percent}", "42"), tmp_path / "bin", monkeypatch)
    page = recognise_page(SCANS / "english.pdf", 1, tmp_path, 600)
    assert page.lines == ()
    assert "in Arabic script, in a language whose data is missing" in page.problem
    assert "tesseract-ocr-urd" in page.problem
    assert "tesseract-ocr-ara" not in page.problem


def test_languages_set_by_the_operator_are_used(installed_tesseract, tmp_path):
    scan = ImageReader(draw_letters(ENGLISH_LINES[:1], SERIF, 34, 0.3))
    path = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawImage(scan, 0, 0, *A4))
    page = recognise_page(path, 1, tmp_path, 600, ("deu", "eng"))
    assert page.languages == "deu+eng"
    assert page.lines


def test_hanging_program_is_ended_with_its_children(tmp_path, monkeypatch):
    text = f"#!/bin/sh\n[ $1 = --list-langs ] && printf 'List:\\neng\\n' && exit\nsleep 30 &\necho $! > {tmp_path}/pid\nwait\n"
    put_on_path("tesseract", text, tmp_path / "bin", monkeypatch)
    started = time.monotonic()
    page = recognise_page(SCANS / "english.pdf", 1, tmp_path, 1.5)
    assert page.problem == "recognising its text took longer than 2 seconds."
    assert time.monotonic() - started < 10
    assert not is_running(int((tmp_path / "pid").read_text()))
