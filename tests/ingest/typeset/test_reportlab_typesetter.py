"""Our pages: everything on them, and every character found again where it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import TOO_LARGE
from highlighter.store.source_map import SourceMap
from ingest.readers import docx, txt
from ingest.readers.extracted_document import ExtractedDocument, Heading, HiddenSpan
from ingest.typeset.block_layout import LayoutRow
from ingest.typeset.fonts import Fonts
from ingest.typeset.line_breaking import strip_invisible
from ingest.typeset.pagination import paginate
from ingest.typeset.reportlab_typesetter import typeset_with_reportlab
from samples.making import notes, policy
from tests.properties import given, settings, st

SAMPLES = Path(__file__).parents[3] / "samples"
LONG = "The Contractor keeps one person on the site who can speak for it at all times. " * 40


def reading(text: str, **more) -> ExtractedDocument:
    return ExtractedDocument(text, SourceMap(), (), **more)


def mapped_share(done: ExtractedDocument) -> float:
    drawn = [at for at, char in enumerate(done.text) if not char.isspace() and strip_invisible(char)]
    covered = {at for run in done.source_map.runs for at in range(run.start, run.end)}
    return sum(at in covered for at in drawn) / max(len(drawn), 1)


def raw_text(path: Path, done: ExtractedDocument, start: int, end: int) -> str:
    """What stands on the pages where the map says that `[start, end)` stands."""
    found = []
    with pdfium.PdfDocument(path) as document:
        for page, first, last in done.source_map.raw_spans(start, end):
            textpage = document[page - 1].get_textpage()
            codes = [pdfium.raw.FPDFText_GetUnicode(textpage, at) for at in range(first, last)]
            found.append("".join(map(chr, codes)))
    return " ".join(found)


def set_(text: str, out: Path, **more) -> ExtractedDocument:
    return typeset_with_reportlab(reading(text, **more), "A title", out)


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "out.pdf"


@pytest.mark.parametrize(
    ("read", "name", "asked"),
    [
        (docx.read, policy.NAME, policy.QUESTIONS),
        (txt.read, notes.SAFETY_NAME, notes.SAFETY_QUESTIONS),
        (txt.read, notes.CANTEEN_NAME, notes.CANTEEN_QUESTIONS),
    ],
)
def test_each_answer_of_the_samples_is_found_on_our_pages(out, read, name, asked):
    done = typeset_with_reportlab(read(SAMPLES / name), name, out)
    assert mapped_share(done) == 1
    assert done.warnings == ()
    for _, answer in asked:
        start = done.text.index(answer)
        assert re.sub(r"\s", "", raw_text(out, done, start, start + len(answer))) == re.sub(r"\s", "", answer)


def test_the_reading_is_the_same_but_for_its_pages(out):
    before = docx.read(SAMPLES / policy.NAME)
    done = typeset_with_reportlab(before, "x", out)
    assert (done.text, done.headings, done.hidden_spans) == (before.text, before.headings, before.hidden_spans)
    with pdfium.PdfDocument(out) as document:
        assert [page.number for page in done.pages] == list(range(1, len(document) + 1))


def test_the_same_reading_makes_the_same_bytes(tmp_path):
    one, two = tmp_path / "one.pdf", tmp_path / "two.pdf"
    set_("Text.\n\n中文。", one)
    set_("Text.\n\n中文。", two)
    assert one.read_bytes() == two.read_bytes()


def test_title_and_page_numbers_are_on_the_page_but_in_no_run(out):
    done = set_(f"{LONG}\n\n{LONG}\n\n{LONG}", out)
    assert len(done.pages) > 1
    with pdfium.PdfDocument(out) as document:
        text = document[1].get_textpage().get_text_range()
    assert text.rstrip().endswith(f"A title\r\n2 / {len(done.pages)}")
    last = max(run.raw_end for run in done.source_map.runs if run.page == 2)
    assert last <= text.index("A title")


def test_a_sentence_over_a_page_break_has_a_place_on_both_pages(out):
    text = f"{LONG * 8}"
    done = set_(text, out)
    second = next(run.start for run in done.source_map.runs if run.page == 2)
    assert done.source_map.pages_of_span(second - 50, second + 50) == [1, 2]


def test_hyphens_at_line_ends_keep_their_place(out):
    text = "twenty-one so-called well-known " * 60
    done = set_(text, out)
    assert mapped_share(done) == 1


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
def test_other_scripts_are_found_again_too(out, text):
    assert mapped_share(set_(text.strip(), out)) >= 0.995


@pytest.mark.parametrize(
    "text", ["זהו מסמך בעברית עם מספרים 2025 ומילים English באמצע (סוגריים).", "لا إله إلا الله 2025 (أقواس) English"]
)
def test_text_from_right_to_left_is_drawn_in_that_direction(out, text):
    done = set_(text, out)
    assert mapped_share(done) >= 0.97
    with pdfium.PdfDocument(out) as document:
        textpage = document[0].get_textpage()
        first, last = (textpage.get_charbox(at)[0] for at in (0, 5))
    assert first > last


def test_a_chinese_comma_never_begins_a_line(out):
    set_("施工期間，受影響的漁船，可以免費停泊，在東灣臨時碼頭，不必登記，" * 40, out)
    with pdfium.PdfDocument(out) as document:
        lines = document[0].get_textpage().get_text_range().splitlines()
    assert len(lines) > 10
    assert not any(line.startswith(("，", "。")) for line in lines)


def test_what_no_font_draws_is_a_question_mark_and_a_warning(out):
    done = typeset_with_reportlab(reading("Thai ก and ข."), "x", out, Fonts(()))
    assert done.warnings == (
        (
            "2 different characters have no font in the generated PDF and are shown "
            "as question marks: ก (U+0E01) ข (U+0E02)."
        ),
    )
    with pdfium.PdfDocument(out) as document:
        assert "Thai ? and ?." in document[0].get_textpage().get_text_range()
    assert mapped_share(done) == 1


def test_without_any_font_of_the_machine_chinese_is_still_found(out):
    done = typeset_with_reportlab(reading("简体中文，繁體中文嘅。\n\nLatin “too”."), "x", out, Fonts(()))
    assert (done.warnings, mapped_share(done)) == ((), 1)


def test_a_script_whose_letters_we_cannot_join_is_admitted(out):
    assert "does not join the letters" in set_("नमस्ते", out).warnings[0]


def test_a_table_row_taller_than_a_page_runs_on(out):
    text = f"Name\tWords\nlong\t{LONG * 6}\nlast\trow"
    done = set_(text, out)
    assert len(done.pages) > 2
    assert mapped_share(done) == 1


@pytest.mark.parametrize("columns", [2, 5, 11, 30, 300])
def test_any_number_of_columns_fits_the_page(out, columns):
    row = "\t".join(f"column {number}" for number in range(columns))
    done = set_(f"{row}\n{row}", out)
    assert mapped_share(done) == 1
    with pdfium.PdfDocument(out) as document:
        textpage = document[0].get_textpage()
        assert max(textpage.get_charbox(at)[2] for at in range(textpage.count_chars())) < 595


def test_a_word_longer_than_the_page_is_cut_and_kept(out):
    done = set_("x" * 50_000, out)
    assert mapped_share(done) == 1
    assert len(done.pages) > 5


def test_one_paragraph_of_half_a_million_characters_is_set(out):
    done = set_(("word " * 100_000).strip(), out)
    assert mapped_share(done) == 1


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
    done = set_("\n\n".join(parts), out, headings=tuple(headings))
    for heading in headings:
        assert done.source_map.pages_of_span(heading.start, heading.end) == done.source_map.pages_of_span(
            heading.end + 2, heading.end + 12
        )


def test_deleted_words_are_drawn_and_found_too(out):
    done = set_("Seen.\n\nDeleted words.", out, hidden_spans=(HiddenSpan(7, 21, "deleted"),))
    assert mapped_share(done) == 1


def test_markup_and_template_signs_are_only_text(out):
    done = set_('<script>alert(1)</script> {{7*7}} <b>&amp; </para> <img src="file:///etc/passwd"/>', out)
    assert re.sub(r"\s", "", raw_text(out, done, 0, len(done.text))) == re.sub(r"\s", "", done.text)


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_any_text_at_all_can_be_set(out, text):
    done = typeset_with_reportlab(reading(text), text, out)
    assert all(run.start < run.end <= len(text) and run.raw_start < run.raw_end for run in done.source_map.runs)
    assert all(one.end <= two.start for one, two in zip(done.source_map.runs, done.source_map.runs[1:], strict=False))


def words_of(path: Path, page: int) -> str:
    with pdfium.PdfDocument(path) as document:
        return document[page - 1].get_textpage().get_text_range()


def test_the_head_of_a_table_stands_on_each_of_its_pages_and_in_the_map_once(out):
    head = "Clause\tWhat it says"
    text = "\n".join([head, *(f"{number}\t{LONG[:400]}" for number in range(40))])
    done = set_(f"Before.\n\n{text}\n\nAfter.", out, table_headers=((9, 9 + len(head)),))
    assert len(done.pages) > 3
    assert all(words_of(out, page.number).count("What it says") == 1 for page in done.pages)
    assert mapped_share(done) == 1
    assert done.source_map.pages_of_span(9, 9 + len(head)) == [1]
    row = done.text.index("30\t")
    assert squeezed(raw_text(out, done, row, row + 300)) == squeezed(done.text[row : row + 300])


def test_a_row_taller_than_a_page_has_its_head_above_each_part(out):
    head = "Name\tWords heading"
    done = set_(f"{head}\nlong\t{LONG * 6}\nlast\trow", out, table_headers=((0, len(head)),))
    assert len(done.pages) > 2
    assert all("Words heading" in words_of(out, page.number) for page in done.pages)
    assert mapped_share(done) == 1


def test_a_head_taller_than_its_pages_could_bear_stands_once(out):
    head = f"Name\t{LONG}"
    done = set_(f"{head}\nlong\t{LONG * 6}", out, table_headers=((0, len(head)),))
    assert mapped_share(done) == 1
    assert sum("Name" in words_of(out, page.number) for page in done.pages) == 1


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)
