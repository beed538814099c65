"""Lines that a writer, a form or a formula breaks within a sentence, and lines that only look like one."""

from __future__ import annotations

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import stringWidth

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from ingest.readers.pdf.blocks import TEXT
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.structure_tree import PARAGRAPH, PageStructure, StructureBlock
from ingest.readers.pdf.tagged_layout import build_tagged_blocks
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

CONTRACT = "港湾の工事を請け負う者は工期が遅れると知ったときは直ちに書面で発注者に通知しなければならない。"


def _read_sentences(tmp_path, *pages) -> list[str]:
    text = read(draw(tmp_path / "a.pdf", *pages)).text
    return [span.text for span in split_sentences(text, wrapped=False)]


def _draw_ideographs(canvas, texts, sizes=(20,)):
    """Draw each text on its own line, all of them as wide as in the first size."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    for number, text in enumerate(texts):
        size = sizes[number % len(sizes)]
        line = canvas.beginText(60, 780 - 30 * number)
        line.setFont("STSong-Light", size)
        line.setHorizScale(100 * sizes[0] / size)
        line.textOut(text)
        canvas.drawText(line)


def test_japanese_lines_broken_by_hand_are_one_sentence(tmp_path):
    """Each line of the manuscript was wrapped once more, so that every second one is short."""
    broken = [CONTRACT[:22], CONTRACT[22:33], CONTRACT[33:]]
    assert _read_sentences(tmp_path, lambda canvas: _draw_ideographs(canvas, broken)) == [CONTRACT]


def test_lines_below_a_title_of_two_lines_stay_apart_without_a_stop(tmp_path):
    rows = [CONTRACT[:22], CONTRACT[22:33], "出席人員", "主席報告事項和討論"]
    sentences = _read_sentences(tmp_path, lambda canvas: _draw_ideographs(canvas, rows))
    assert sentences == ["".join(rows[:2]), *rows[2:]]


def test_recognised_lines_whose_sizes_vary_are_one_sentence_in_a_column_that_is_wider(tmp_path):
    """A table reaches beyond the text; the sizes of a scan's lines are those of its boxes."""
    text = CONTRACT[:-1] * 2 + "。"
    rows = [text[:22], text[22:44], text[44:66], text[66:]]

    def page(canvas):
        _draw_ideographs(canvas, rows, sizes=(20, 17.4))
        canvas.setFont("Helvetica", 10)
        canvas.drawString(480, 500, "Page 2 of 6 pages")

    assert _read_sentences(tmp_path, page)[0] == text


ROWS = (
    "When the harbour was young, its mole was so near to the",
    "homes of women who mended nets that all of them came by.",
    "It is still told that his first little skiff lies idle till",
    "Illinwill Fair, when the master of the harbour owns the mill",
    "and some of the land around, on which no man had yet made",
    "a house or anything else that would be worth its name.",
)
HISTORY = " ".join(ROWS)


def test_name_on_the_next_line_goes_on_in_a_column_whose_header_is_wider(tmp_path):
    def page(canvas):
        canvas.drawString(60, 800, "https://port.example/" + "history-of-the-harbour/" * 4)
        lines(canvas, 60, 780, ROWS)

    assert _read_sentences(tmp_path, page)[1:] == [span.text for span in split_sentences(HISTORY)]


def test_name_on_the_next_line_goes_on_where_lines_were_wrapped_by_their_characters(tmp_path):
    """Written on a typewriter, set in a typeface whose letters differ in width."""
    sentences = _read_sentences(tmp_path, lambda canvas: lines(canvas, 60, 780, ROWS))
    assert sentences == [span.text for span in split_sentences(HISTORY)]


@pytest.mark.parametrize("scheme", ["https:", "HTTPS:"])
def test_address_cut_after_its_scheme_is_one_address(tmp_path, scheme):
    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 80))
        lines(canvas, 60, y, [f"All tariffs are published at {scheme}", "//port.example/tariffs"])

    assert _read_sentences(tmp_path, page)[-1] == f"All tariffs are published at {scheme}//port.example/tariffs"


def test_addresses_below_each_other_are_sentences_of_their_own(tmp_path):
    addresses = ["https://port.example/", "https://mole.example/rules?page=2", "https://quay.example/a/b/c"]

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 80))
        lines(canvas, 60, y - 20, addresses)

    assert _read_sentences(tmp_path, page)[-3:] == addresses


def test_lead_in_of_a_few_words_is_joined_to_its_formula(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 780, ["Let p be a prime, then"])
        canvas.drawString(260, y - 12, "n p = n mod p")
        lines(canvas, 60, y - 40, wrapped(prose(), 80))

    assert _read_sentences(tmp_path, page)[0] == "Let p be a prime, then n p = n mod p"


def test_lead_in_of_one_word_is_joined_to_its_formula_and_the_text_below(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 80))
        y = lines(canvas, 60, y - 20, ["where"])
        canvas.drawString(260, y - 12, "n p = n mod p")
        lines(canvas, 60, y - 40, wrapped("is the share of all waves. " + prose(1), 80))

    assert "where n p = n mod p is the share of all waves." in _read_sentences(tmp_path, page)


def test_formula_close_above_the_rest_of_its_sentence_is_joined_to_the_lead_in(tmp_path):
    lead_in = "In most of the uses of this model the matrix can be restricted to the form"

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 80))
        y = lines(canvas, 60, y - 20, [lead_in])
        y = lines(canvas, 260, y - 14, ["A + B = (A + C)"])
        lines(canvas, 60, y, wrapped("without loss of speed. " + prose(1), 80))

    assert f"{lead_in} A + B = (A + C) without loss of speed." in _read_sentences(tmp_path, page)


def test_text_below_a_title_and_number_far_apart_does_not_continue_them(tmp_path):
    def page(canvas):
        canvas.drawString(60, 790, "Analyses of the waves in the northern harbours")
        canvas.drawRightString(470, 790, "Modelling of the moles 7")
        lines(canvas, 60, 750, wrapped("deaths of these and the number of the ships that were lost. " + prose(), 80))

    first = "deaths of these and the number of the ships that were lost."
    assert first in _read_sentences(tmp_path, page)


def test_rows_of_a_formula_closer_than_lines_of_text_are_one_sentence(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 80))
        canvas.drawString(200, y - 20, "A = (A + B) + (A + C)")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(220, y - 28, "closed")
        canvas.drawString(220, y - 36, "disjoint and open")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, y - 70, wrapped(prose(1), 80))

    assert "A = (A + B) + (A + C) closed disjoint and open" in _read_sentences(tmp_path, page)


def test_sentence_goes_on_below_a_formula_that_ends_its_paragraph(tmp_path):
    first = "The share of the waves that the mole reflects has been written as the ratio of their heights, as"

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(first, 80))
        canvas.setFont("Times-Italic", 10)
        canvas.drawString(200, y, "K = H / J ,")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, y - 20, wrapped("where both are measured at one place. " + prose(1), 80))

    assert f"{first} K = H / J , where both are measured at one place." in _read_sentences(tmp_path, page)


def test_small_letter_continues_a_line_that_stands_a_little_higher(tmp_path):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 80))
        canvas.drawCentredString(200, 600, "Signed electronically by A. Harbour")
        canvas.drawCentredString(200, 585, "on 7 March 2024 at the port office")

    sentence = "Signed electronically by A. Harbour on 7 March 2024 at the port office"
    assert _read_sentences(tmp_path, page)[-1] == sentence


def test_item_whose_line_ends_with_a_comma_goes_on_below_its_text(tmp_path):
    """A wide header makes every line short; the bullet has a font of its own."""

    def page(canvas):
        canvas.drawString(10, 820, "https://port.example/" + "berths-and-moorings/" * 5)
        for number, rows in enumerate(
            (
                ["May I moor at the quays of"],
                ["May I also moor at the piers of Northhaven,", "Southhaven and Westhaven?"],
            )
        ):
            y = 700 - 24 * number
            canvas.setFont("Symbol", 10)
            canvas.drawString(78, y, "\u2022")
            canvas.setFont("Helvetica", 10)
            lines(canvas, 86, y, rows, 14)

    assert "• May I also moor at the piers of Northhaven, Southhaven and Westhaven?" in _read_sentences(tmp_path, page)


def test_lines_with_labels_are_items_of_a_form(tmp_path):
    rows = [
        "Question: which of the papers compare the rubble mounds of this coast",
        "Date of question: 1 May",
        "Place: the port",
    ]
    assert _read_sentences(tmp_path, lambda canvas: lines(canvas, 60, 780, rows)) == rows


def test_labels_in_small_letters_begin_paragraphs(tmp_path):
    """The parameters of a function, with a little white between them, in a column whose lines are wrapped."""
    rows = ["int read_berth (const char *name, int size)", "name: what the berth is called", "size: its metres."]

    def page(canvas, texts, leading):
        lines(canvas, 60, lines(canvas, 60, 780, wrapped(prose(), 80)) - 20, texts, leading)

    assert _read_sentences(tmp_path, lambda canvas: page(canvas, rows, 15))[-3:] == rows
    assert _read_sentences(tmp_path, lambda canvas: page(canvas, rows[1:], 12))[-2:] == rows[1:]


def test_title_far_above_the_only_line_of_text_is_no_part_of_it(tmp_path):
    rows = ["Berths of the harbour (draft)", "The western quay is closed"]
    assert _read_sentences(tmp_path, lambda canvas: lines(canvas, 60, 780, rows, 26)) == rows


def test_lettered_item_on_the_next_page_does_not_continue_a_line(tmp_path):
    item = "b. The buyer pays within thirty days of the invoice."

    def first(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 80))
        canvas.drawRightString(450, 600, "Disc Tape Song book")

    assert item in _read_sentences(tmp_path, first, lambda canvas: lines(canvas, 60, 780, [item]))


@pytest.mark.parametrize(("x", "count"), [(146, 1), (260, 2)])
def test_label_and_caption_beside_it_are_one_paragraph_of_a_tagged_page(x, count):
    def fragment(text, x0, block):
        place = {"x0": x0, "x1": x0 + 5 * len(text), "y0": 286, "y1": 298, "base": 296, "size": 10}
        pieces = ((0, len(text), 100 * block, len(text)),)
        return Fragment(page=1, text=text, pieces=pieces, bold=False, italic=False, turn=0, block=block, **place)

    structure = PageStructure([StructureBlock(PARAGRAPH, content_ids=[number]) for number in range(2)])
    blocks = build_tagged_blocks(structure, [fragment("Figure 1:", 96, 0), fragment("The larger berths", x, 1)])
    assert [block.kind for block in blocks] == [TEXT] * count


def test_line_that_repeats_the_last_one_is_a_sentence_of_its_own(tmp_path):
    texts = ["Types of Arabic letters", "Types of Arabic letters"]
    assert _read_sentences(tmp_path, lambda canvas: lines(canvas, 60, 760, texts)) == texts


QUOTATION = [
    "Neither the Harbour Authority nor any person listed in this Franchise",
    "Disclosure Document is subject to any currently effective order of any",
    "association or national exchange, as defined in the Exchange Act, 15",
    "U.S.C.A. 78a, suspending these persons from their membership in any",
    "association.",
]


def _draw_quotation(canvas):
    """Draw a paragraph, then an indented one whose lines are all set to the same narrower width."""
    y = lines(canvas, 60, 780, wrapped(prose(), 100)) - 12
    for row in QUOTATION:
        line = canvas.beginText(110, y)
        line.setFont("Helvetica", 10)
        if row != QUOTATION[-1]:
            line.setCharSpace((335 - stringWidth(row, "Helvetica", 10)) / len(row))
        line.textOut(row)
        canvas.drawText(line)
        y -= 12


def test_indented_quotation_set_to_both_margins_is_not_cut_before_capitals(tmp_path):
    assert _read_sentences(tmp_path, _draw_quotation)[4:] == [" ".join(QUOTATION)]


def test_line_left_of_a_short_line_is_another_sentence(tmp_path):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 70))
        canvas.drawString(350, 650, "Number of the invoice")
        canvas.drawString(60, 640, "Bayside Wholesale")

    assert _read_sentences(tmp_path, page)[4:] == ["Number of the invoice", "Bayside Wholesale"]


def test_labelled_lines_in_ideographs_are_sentences_of_their_own(tmp_path):
    texts = ["股票代码：三百二十八", "股票简称：安利股份", "披露日期：三月二十七日"]
    assert _read_sentences(tmp_path, lambda canvas: _draw_ideographs(canvas, texts)) == texts


def test_title_closer_to_its_neighbours_than_most_paragraphs_is_no_part_of_them(tmp_path):
    """Where most paragraphs have one line, only the lines that go on in lower case show how close those of one stand."""
    centred = ("The Harbour Office of the Northern Coast", "Rules of the Quays and Slipways")

    def page(canvas):
        for number, title in enumerate(centred):
            canvas.drawCentredString(297, 790 - 20 * number, title)
        y = lines(canvas, 60, 730, [f"{number}. A berth is let for {number} days" for number in range(1, 16)], 20)
        lines(canvas, 60, y, wrapped(prose(0, 8), 90))

    assert _read_sentences(tmp_path, page)[:2] == list(centred)


RUNNING_LIST = (
    "4.2 The contractor pays the employer for: (i) each day of delay that is not",
    "excused by the engineer in writing; (ii) each day on which the gate is shut;",
    "(iii) what others charge for works that the contractor leaves undone; and",
    "(iv) the costs of a new survey.",
)
LIST_OF_ITEMS = (
    "4.2 The contractor pays the employer for the whole of the following costs:",
    "(i) each day of delay that is not excused by the engineer in any written form;",
    "(ii) each day on which the gate is shut and no vessel may pass into the port;",
    "(iii) the costs of a new survey.",
)


def _read_justified(tmp_path, texts) -> list[str]:
    def page(canvas):
        for number, text in enumerate(texts):
            row = canvas.beginText(60, 780 - 12 * number)
            row.setFont("Helvetica", 10)
            if number + 1 < len(texts):
                row.setWordSpace((360 - stringWidth(text, "Helvetica", 10)) / text.count(" "))
            row.textOut(text)
            canvas.drawText(row)

    return _read_sentences(tmp_path, page)


def test_markers_of_a_list_within_a_sentence_may_begin_its_lines(tmp_path):
    assert _read_justified(tmp_path, RUNNING_LIST) == [" ".join(RUNNING_LIST)]


def test_first_marker_of_a_list_within_a_sentence_may_begin_a_line(tmp_path):
    rows = (
        "4.2 The contractor pays the employer for the whole of the following costs:",
        "(i) each day of delay that is not excused; (ii) each day on which the gate is",
        "shut; and (iii) the costs of a new survey.",
    )
    assert _read_justified(tmp_path, rows) == [" ".join(rows)]


def test_markers_of_items_on_lines_of_their_own_begin_sentences(tmp_path):
    assert _read_justified(tmp_path, LIST_OF_ITEMS) == list(LIST_OF_ITEMS)


def test_clause_on_the_next_page_goes_on_with_the_sentence_that_names_it(tmp_path):
    rows = (
        "The engineer decides what is paid for each of the days that are named above in this",
        "Section 10 within a week.",
    )
    pages = [lambda canvas, row=row: canvas.drawString(60, 400, row) for row in rows]
    assert _read_sentences(tmp_path, *pages) == [" ".join(rows)]
