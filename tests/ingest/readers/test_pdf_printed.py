"""What browsers and office programs print is read word by word, in order, in every script.

The files and their sources are in `printed/`; `python -m tests.ingest.readers.printed` makes them again.
"""

from functools import cache
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject

from bench.printed_text import compare_words, read_html, remove_heading
from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read

FOLDER = Path(__file__).parent / "printed"
# Chromium breaks Korean lines within words, and the file does not say where: pieces of three words are joined by a space.
EXACT = sorted(path.stem for path in FOLDER.glob("*.pdf") if path.stem not in ("korean", "list"))


@cache
def read_printed(name):
    return read(FOLDER / f"{name}.pdf")


def read_source(name):
    markup = (FOLDER / f"{name.removesuffix('-writer')}.html").read_text(encoding="utf-8")
    return read_html(remove_heading(markup) if name.endswith("-writer") else markup)


@pytest.mark.parametrize("name", EXACT)
def test_printed_words_are_read_in_order(name):
    agreement = compare_words(read_source(name), read_printed(name).text)
    assert min(agreement.recall, agreement.precision) >= 0.99, agreement


@pytest.mark.parametrize(
    ("name", "sentence_count"),
    [
        ("arabic", 8),
        ("hebrew", 8),
        ("urdu", 6),
        ("hindi", 10),
        ("bengali", 8),
        ("khmer", 6),
        ("vertical", 8),
        ("ruby", 5),
    ],
)
def test_sentences_of_each_script_end_at_their_own_stops(name, sentence_count):
    assert len(split_sentences(read_printed(name).text, wrapped=False)) == sentence_count


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hebrew", '(להלן: "מועד המסירה")'),
        ("hebrew", "[ראו נספח א']"),
        ("hebrew-writer", "(ובדואר רשום)"),
        ("arabic", "(كل دفعة 3,125 ريالًا)"),
        ("arabic", "مركز التحكيم International Arbitration Centre في المدينة"),
        ("persian-writer", "(نیمی پیش از تحویل)"),
        ("vertical", "「代金」とは、別紙（第一号）に"),
        ("thai", "ผู้รับจ้างตกลง"),  # across a line break
    ],
)
def test_brackets_numbers_and_line_ends_stand_where_they_belong(name, expected):
    assert expected in read_printed(name).text


def test_readings_beside_characters_are_in_no_sentence():
    assert "けいやく" not in read_printed("ruby").text


def rewrite(name, change, path):
    """Write a printed file changed by `change(writer)`."""
    writer = PdfWriter(clone_from=PdfReader(FOLDER / f"{name}.pdf"))
    change(writer)
    writer.write(path)
    return path


def remove_tags(writer):
    del writer.root_object["/StructTreeRoot"]
    del writer.root_object["/MarkInfo"]


def test_narrow_justified_columns_are_no_table(tmp_path):
    tagged, untagged = read_printed("columns"), read(rewrite("columns", remove_tags, tmp_path / "a.pdf"))
    assert "\t" not in tagged.text + untagged.text
    assert "tagged_pages" not in untagged.meta
    assert len(tagged.text.split("\n\n")) == len(untagged.text.split("\n\n")) == 5


def test_head_and_foot_of_a_browser_are_left_out():
    text = read_printed("one_page").text
    assert text.startswith("Notes on the restoration")
    assert text.endswith("between the two faces.")


def test_tags_are_taken_where_they_keep_sentences_together():
    table = read_printed("table")
    assert table.meta["tagged_pages"] == "1"
    assert (
        "Ion chromatography; the sample must be cooled to four degrees and arrive within two days\t48.00" in table.text
    )
    items = read_printed("list")
    assert "\n2. have at hand\nthe certificate of the electrician, not older than four years,\n" in items.text
    assert [items.text[heading.start : heading.end] for heading in items.headings] == ["Before the inspection"]


def reverse_structure(writer):
    def reverse(element):
        children = element.get("/K")
        if isinstance(children, ArrayObject):
            element[NameObject("/K")] = ArrayObject(children[::-1])
        for child in children if isinstance(children, ArrayObject) else [children]:
            if hasattr(child, "get_object") and hasattr(child.get_object(), "get"):
                reverse(child.get_object())

    reverse(writer.root_object["/StructTreeRoot"])


def test_tags_in_a_wrong_order_are_ignored(tmp_path):
    changed = read(rewrite("table", reverse_structure, tmp_path / "a.pdf"))
    assert "tagged_pages" not in changed.meta
    assert changed.text.startswith("Charges of the laboratory")


@pytest.mark.parametrize("name", ["arabic", "hebrew", "hindi", "thai", "vertical"])
def test_source_map_leads_to_the_same_letters(name):
    document = read_printed(name)
    (page,) = read_page_characters(FOLDER / f"{name}.pdf", [1])
    pairs = [
        (document.text[run.start + step], page.text[run.raw_start + step])
        for run in document.source_map.runs
        if run.page == 1 and run.end - run.start == run.raw_end - run.raw_start
        for step in range(run.end - run.start)
    ]
    letters = [(canonical, raw) for canonical, raw in pairs if canonical.isalpha()]
    assert sum(canonical == raw for canonical, raw in letters) >= 0.99 * len(letters) > 0


@pytest.mark.parametrize(("name", "is_rtl"), [("arabic", True), ("urdu", True), ("hindi", False), ("tamil", False)])
def test_rectangles_follow_the_direction_of_the_script(name, is_rtl):
    """The first half of a line is highlighted at the side where the script begins, as high as the line."""
    document = read_printed(name)
    (page,) = read_page_characters(FOLDER / f"{name}.pdf", [1])
    title, _, paragraph = document.text.partition("\n\n")
    start, words = len(title) + 2, paragraph.split()
    first, line = (
        compute_rectangles(1, page, document.source_map.raw_spans_by_page(start, start + len(" ".join(part)))[1])
        for part in (words[:2], words[:5])
    )
    assert len(first) == len(line) == 1
    assert first[0].x0 > line[0].x0 + 20 if is_rtl else first[0].x1 < line[0].x1 - 20
    assert abs((first[0].x1 - line[0].x1) if is_rtl else (first[0].x0 - line[0].x0)) < 2
    assert 8 < line[0].y1 - line[0].y0 < 45
