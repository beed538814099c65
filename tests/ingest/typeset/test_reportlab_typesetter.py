"""Typeset pages show the whole text, and every character is mapped to its position."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import TOO_LARGE
from highlighter.store.source_map import SourceMap
from ingest.readers import docx, txt
from ingest.readers.extracted_document import ExtractedDocument, Heading
from ingest.typeset.block_layout import LayoutRow
from ingest.typeset.fonts import Fonts
from ingest.typeset.line_breaking import strip_invisible
from ingest.typeset.pagination import paginate
from ingest.typeset.reportlab_typesetter import _warn_unshaped, typeset_with_reportlab
from samples.making import notes, policy
from tests.properties import given, settings, st

SAMPLES = Path(__file__).parents[3] / "samples"
LONG = "The Contractor keeps one person on the site who can speak for it at all times. " * 40


def make_document(text: str, **more) -> ExtractedDocument:
    return ExtractedDocument(text, SourceMap(), (), **more)


def measure_mapped_share(extracted: ExtractedDocument) -> float:
    drawn = [at for at, char in enumerate(extracted.text) if not char.isspace() and strip_invisible(char)]
    covered = {at for run in extracted.source_map.runs for at in range(run.start, run.end)}
    return sum(at in covered for at in drawn) / max(len(drawn), 1)


def read_mapped_text(path: Path, extracted: ExtractedDocument, start: int, end: int) -> str:
    """Return the text on the pages where the source map has `[start, end)`."""
    found = []
    with pdfium.PdfDocument(path) as document:
        for page, first, last in extracted.source_map.raw_spans(start, end):
            textpage = document[page - 1].get_textpage()
            codes = [pdfium.raw.FPDFText_GetUnicode(textpage, at) for at in range(first, last)]
            found.append("".join(map(chr, codes)))
    return " ".join(found)


def typeset(text: str, out: Path, **more) -> ExtractedDocument:
    return typeset_with_reportlab(make_document(text, **more), "A title", out)


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "out.pdf"


@pytest.mark.parametrize(
    ("read", "name", "questions"),
    [
        (docx.read, policy.NAME, policy.QUESTIONS),
        (txt.read, notes.SAFETY_NAME, notes.SAFETY_QUESTIONS),
        (txt.read, notes.CANTEEN_NAME, notes.CANTEEN_QUESTIONS),
    ],
)
def test_each_answer_of_the_samples_is_found_on_the_typeset_pages(out, read, name, questions):
    extracted = typeset_with_reportlab(read(SAMPLES / name), name, out)
    assert measure_mapped_share(extracted) == 1
    assert extracted.warnings == ()
    for _, answer in questions:
        start = extracted.text.index(answer)
        assert re.sub(r"\s", "", read_mapped_text(out, extracted, start, start + len(answer))) == re.sub(
            r"\s", "", answer
        )


def test_document_is_the_same_but_for_its_pages(out):
    before = docx.read(SAMPLES / policy.NAME)
    extracted = typeset_with_reportlab(before, "x", out)
    assert (extracted.text, extracted.headings, extracted.hidden_texts) == (
        before.text,
        before.headings,
        before.hidden_texts,
    )
    with pdfium.PdfDocument(out) as document:
        assert [page.number for page in extracted.pages] == list(range(1, len(document) + 1))


def test_same_document_gives_the_same_bytes(tmp_path):
    one, two = tmp_path / "one.pdf", tmp_path / "two.pdf"
    typeset("Text.\n\n中文。", one)
    typeset("Text.\n\n中文。", two)
    assert one.read_bytes() == two.read_bytes()


def test_title_and_page_numbers_are_drawn_but_not_mapped(out):
    extracted = typeset(f"{LONG}\n\n{LONG}\n\n{LONG}", out)
    assert len(extracted.pages) > 1
    with pdfium.PdfDocument(out) as document:
        text = document[1].get_textpage().get_text_range()
    assert text.rstrip().endswith(f"A title\r\n2 / {len(extracted.pages)}")
    last = max(run.raw_end for run in extracted.source_map.runs if run.page == 2)
    assert last <= text.index("A title")


def test_a_sentence_over_a_page_break_has_a_place_on_both_pages(out):
    text = f"{LONG * 8}"
    extracted = typeset(text, out)
    second = next(run.start for run in extracted.source_map.runs if run.page == 2)
    assert extracted.source_map.pages_of_span(second - 50, second + 50) == [1, 2]


def test_hyphens_at_line_ends_keep_their_place(out):
    text = "twenty-one so-called well-known " * 60
    extracted = typeset(text, out)
    assert measure_mapped_share(extracted) == 1


@pytest.mark.parametrize(
    "text",
    [
        "中文段落，包括標點「引號」。呢個係廣東話嘅句子，冇問題嘅。" * 30,
        "システム開発における手続き。" * 40,
        "한국어 문장입니다. " * 40,
        "Привет, мир. " * 60,
        "𨋢係電梯，𠮶個𨋢壞咗。" * 20,
        "ﬁne ﬂow ¼ of ½ — № 5 ™ " * 20,
    ],
)
def test_other_scripts_are_mapped(out, text):
    assert measure_mapped_share(typeset(text.strip(), out)) >= 0.995


RTL_TEXTS = (
    "פתוח בשעות 12:30-16:00, 3-4 ימים. עלה ב-50% (NEC4), $25.50 או 178.50$.\n\nראו סעיף 3(א) ו-4[ב].\n\nשם\tמחיר\tאחוז\nספר\t12.50\t17%",
    "يفتح 12:30-16:00، 3-4 أيام. ارتفع 50% (NEC4)، ١٢٫٥٪ لا.\n\nهاتف: 02-123-4567 «FIDIC».\n\nالاسم\tالسعر\nكتاب\t12.50",
)  # fmt: skip


@pytest.mark.parametrize("text", RTL_TEXTS)
def test_each_number_and_sign_of_right_to_left_lines_is_mapped_to_itself(out, text):
    extracted = typeset(text, out)
    assert measure_mapped_share(extracted) == 1
    for match in re.finditer(r"[^\s()\[\]«»]+", text):  # PDFium returns mirrored brackets as it likes
        shown = unicodedata.normalize("NFKC", read_mapped_text(out, extracted, *match.span()))
        assert sorted(shown.replace(" ", "")) == sorted(match[0]), match[0]


def test_columns_and_header_of_right_to_left_document_begin_at_the_right(out):
    typeset_with_reportlab(make_document("שם\tמחיר\nספר\t12.50"), "חוזה 2025 (50%)", out)
    with pdfium.PdfDocument(out) as document:
        page = document[0]
        textpage = page.get_textpage()

        def find_left(words: str) -> float:
            index, _ = textpage.search(words).get_next()
            return textpage.get_charbox(index)[0]

        assert find_left("ספר") > find_left("12.50") > page.get_width() / 2
        assert find_left("חוזה") > find_left("2025") > find_left("50%") > page.get_width() / 2


@pytest.mark.parametrize(
    "text", ["זהו מסמך בעברית עם מספרים 2025 ומילים English באמצע (סוגריים).", "لا إله إلا الله 2025 (أقواس) English"]
)
def test_text_from_right_to_left_is_drawn_in_that_direction(out, text):
    extracted = typeset(text, out)
    assert measure_mapped_share(extracted) >= 0.97
    with pdfium.PdfDocument(out) as document:
        textpage = document[0].get_textpage()
        first, last = (textpage.get_charbox(at)[0] for at in (0, 5))
    assert first > last


def test_each_word_with_vowel_marks_has_its_own_place_from_right_to_left(out):
    text = "السَّلَامُ عَلَيْكُمْ كَلَامٌ وَالْإِسْلَامُ"
    extracted = typeset(text, out)
    edges = []
    with pdfium.PdfDocument(out) as document:
        textpage = document[0].get_textpage()
        for word in text.split():
            start = text.index(word)
            spans = extracted.source_map.raw_spans(start, start + len(word))
            boxes = [
                textpage.get_charbox(index, loose=True) for _, first, last in spans for index in range(first, last)
            ]
            edges += [max(box[2] for box in boxes), min(box[0] for box in boxes)]
    assert edges == sorted(edges, reverse=True)


def test_a_chinese_comma_never_begins_a_line(out):
    typeset("施工期間，受影響的漁船，可以免費停泊，在東灣臨時碼頭，不必登記，" * 40, out)
    with pdfium.PdfDocument(out) as document:
        lines = document[0].get_textpage().get_text_range().splitlines()
    assert len(lines) > 10
    assert not any(line.startswith(("，", "。")) for line in lines)


def test_undrawable_character_is_a_question_mark_with_a_warning(out):
    extracted = typeset_with_reportlab(make_document("Thai ก and ข."), "x", out, Fonts(()))
    assert extracted.warnings == (
        (
            "2 different characters have no font in the generated PDF and are shown "
            "as question marks: ก (U+0E01) ข (U+0E02)."
        ),
    )
    with pdfium.PdfDocument(out) as document:
        assert "Thai ? and ?." in document[0].get_textpage().get_text_range()
    assert measure_mapped_share(extracted) == 1


def test_chinese_is_mapped_without_font_files(out):
    extracted = typeset_with_reportlab(make_document("简体中文，繁體中文嘅。\n\nLatin “too”."), "x", out, Fonts(()))
    assert (extracted.warnings, measure_mapped_share(extracted)) == ((), 1)


@pytest.mark.parametrize(("missing", "count"), [(set(), 1), ({"न"}, 1), (set("नमस्ते"), 0)])
def test_script_that_needs_shaping_gives_a_warning_where_its_letters_are_drawn(missing, count):
    warnings = _warn_unshaped("Hello नमस्ते", missing)
    assert len(warnings) == count
    assert all("does not join the letters" in warning for warning in warnings)


def test_letters_without_a_font_are_said_to_be_question_marks_and_no_letters(out):
    (warning,) = typeset("नमस्ते", out).warnings
    assert "shown as question marks" in warning


def test_table_row_taller_than_a_page_continues_on_the_next(out):
    text = f"Name\tWords\nlong\t{LONG * 6}\nlast\trow"
    extracted = typeset(text, out)
    assert len(extracted.pages) > 2
    assert measure_mapped_share(extracted) == 1


@pytest.mark.parametrize("columns", [2, 5, 11, 30, 300])
def test_any_number_of_columns_fits_the_page(out, columns):
    row = "\t".join(f"column {number}" for number in range(columns))
    extracted = typeset(f"{row}\n{row}", out)
    assert measure_mapped_share(extracted) == 1
    with pdfium.PdfDocument(out) as document:
        textpage = document[0].get_textpage()
        assert max(textpage.get_charbox(at)[2] for at in range(textpage.count_chars())) < 595


def test_a_word_longer_than_the_page_is_cut_and_kept(out):
    extracted = typeset("x" * 50_000, out)
    assert measure_mapped_share(extracted) == 1
    assert len(extracted.pages) > 5


def test_paragraph_of_half_a_million_characters_is_typeset(out):
    extracted = typeset(("word " * 100_000).strip(), out)
    assert measure_mapped_share(extracted) == 1


def test_more_pages_than_allowed_are_refused():
    with pytest.raises(UnreadableFile) as caught:
        paginate((LayoutRow(height=400.0) for _ in range(10)), max_pages=3)
    assert caught.value.state == TOO_LARGE


def test_a_heading_is_never_the_last_line_of_a_page(out):
    parts, at, headings = [], 0, []
    for number in range(60):
        for part, level in ((f"Heading {number}", 1), (LONG[: 300 + 37 * number], 0)):
            if level:
                headings.append(Heading(at, at + len(part), level))
            parts.append(part)
            at += len(part) + 2
    extracted = typeset("\n\n".join(parts), out, headings=tuple(headings))
    for heading in headings:
        assert extracted.source_map.pages_of_span(heading.start, heading.end) == extracted.source_map.pages_of_span(
            heading.end + 2, heading.end + 12
        )


def test_markup_is_plain_text(out):
    extracted = typeset('<script>alert(1)</script> {{7*7}} <b>&amp; </para> <img src="file:///etc/passwd"/>', out)
    assert re.sub(r"\s", "", read_mapped_text(out, extracted, 0, len(extracted.text))) == re.sub(
        r"\s", "", extracted.text
    )


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_any_text_can_be_typeset(out, text):
    extracted = typeset_with_reportlab(make_document(text), text, out)
    assert all(run.start < run.end <= len(text) and run.raw_start < run.raw_end for run in extracted.source_map.runs)
    assert all(
        one.end <= two.start for one, two in zip(extracted.source_map.runs, extracted.source_map.runs[1:], strict=False)
    )


def read_page_words(path: Path, page: int) -> str:
    with pdfium.PdfDocument(path) as document:
        return document[page - 1].get_textpage().get_text_range()


def test_table_header_is_on_each_page_and_mapped_once(out):
    head = "Clause\tWhat it says"
    text = "\n".join([head, *(f"{number}\t{LONG[:400]}" for number in range(40))])
    extracted = typeset(f"Before.\n\n{text}\n\nAfter.", out, table_headers=((9, 9 + len(head)),))
    assert len(extracted.pages) > 3
    assert all(read_page_words(out, page.number).count("What it says") == 1 for page in extracted.pages)
    assert measure_mapped_share(extracted) == 1
    assert extracted.source_map.pages_of_span(9, 9 + len(head)) == [1]
    row = extracted.text.index("30\t")
    assert strip_spaces(read_mapped_text(out, extracted, row, row + 300)) == strip_spaces(
        extracted.text[row : row + 300]
    )


def test_row_taller_than_a_page_has_the_table_header_above_each_part(out):
    head = "Name\tWords heading"
    extracted = typeset(f"{head}\nlong\t{LONG * 6}\nlast\trow", out, table_headers=((0, len(head)),))
    assert len(extracted.pages) > 2
    assert all("Words heading" in read_page_words(out, page.number) for page in extracted.pages)
    assert measure_mapped_share(extracted) == 1


def test_table_header_too_tall_for_its_pages_is_drawn_once(out):
    head = f"Name\t{LONG}"
    extracted = typeset(f"{head}\nlong\t{LONG * 6}", out, table_headers=((0, len(head)),))
    assert measure_mapped_share(extracted) == 1
    assert sum("Name" in read_page_words(out, page.number) for page in extracted.pages) == 1


def strip_spaces(text: str) -> str:
    return re.sub(r"\s", "", text)
