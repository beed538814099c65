"""The canonical text of a PDF is what a person reads on its pages, in the same order."""

from __future__ import annotations

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject, NumberObject, RectangleObject, TextStringObject
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import stringWidth

from ingest.readers import slides_pdf
from ingest.readers.pdf import read
from ingest.readers.pdf.headers_footers import is_page_number
from tests.ingest.readers.pdf_drawing import SENTENCES, draw, lines, picture, prose, relettered, wrapped


def test_lines_of_a_paragraph_are_joined_and_paragraphs_separated(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 760, wrapped(prose(1), 70))
        lines(canvas, 60, y - 10, wrapped(prose(2), 70))

    assert read(draw(tmp_path / "a.pdf", page)).text == f"{prose(1)}\n\n{prose(2)}"


def test_an_indent_begins_a_paragraph_without_white_between(tmp_path):
    def page(canvas):
        y = 760
        for number in (1, 2):
            first, *rest = wrapped("x " + prose(number), 72)
            canvas.drawString(75, y, first[2:])
            y = lines(canvas, 60, y - 12, rest)

    assert read(draw(tmp_path / "a.pdf", page)).text == f"{prose(1)}\n\n{prose(2)}"


def test_columns_are_read_one_after_the_other_under_a_title_across_both(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(60, 780, "Report on the works of the northern station")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 740, wrapped(prose(0, 8), 42))
        lines(canvas, 320, 740, wrapped("Second. " + prose(1, 8), 42))

    text = read(draw(tmp_path / "a.pdf", page)).text
    title, left, right = text.split("\n\n")
    assert title == "Report on the works of the northern station"
    assert (left, right) == (prose(0, 8), "Second. " + prose(1, 8))


def test_columns_whose_lines_are_not_level_are_still_columns(tmp_path):
    def page(canvas):
        lines(canvas, 60, 740, wrapped(prose(0, 8), 42))
        lines(canvas, 320, 734, wrapped("Second. " + prose(1, 8), 42))

    assert read(draw(tmp_path / "a.pdf", page)).text == f"{prose(0, 8)}\n\nSecond. {prose(1, 8)}"


def test_narrow_columns_below_a_large_title_in_one_of_them_are_columns(tmp_path):
    rows = wrapped(prose(0, 12), 42)

    def page(canvas):
        canvas.setFont("Helvetica-Bold", 30)
        canvas.drawString(60, 780, "New rules")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 740, rows[:14])
        right = 60 + 9 + max(stringWidth(row, "Helvetica", 10) for row in rows[:14])
        lines(canvas, right, 736, rows[14:])

    assert read(draw(tmp_path / "a.pdf", page)).text == f"New rules\n\n{prose(0, 12)}"


def test_masthead_above_a_rule_does_not_interrupt_the_columns_below(tmp_path):
    rows = wrapped(prose(0, 12), 42)

    def page(canvas):
        lines(canvas, 60, 780, ["Official record"])
        lines(canvas, 320, 780, ["Volume 85, part 152", "6 August 2020"])
        canvas.line(58, 762, 537, 762)
        lines(canvas, 60, 744, rows[:14])
        lines(canvas, 320, 741, rows[14:])

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.endswith(prose(0, 12))
    assert text.index("6 August 2020") < text.index(prose(0, 12))


def test_columns_with_two_lines_below_a_rule_stay_whole(tmp_path):
    left, right = wrapped(prose(0, 8), 42), wrapped(prose(1, 8), 42)

    def page(canvas):
        for x, y, texts in ((60, 740, left), (320, 736, right)):
            lines(canvas, x, lines(canvas, x, y, texts[:-2]) - 6, texts[-2:])
        y = 740 - 12 * (len(left) - 2)
        canvas.line(58, y, 537, y)

    assert read(draw(tmp_path / "a.pdf", page)).text.split() == [*prose(0, 8).split(), *prose(1, 8).split()]


def test_a_sentence_broken_by_a_column_or_page_end_is_whole(tmp_path):
    rows = wrapped(prose(0, 8), 42)

    def first(canvas):
        lines(canvas, 60, 740, wrapped(prose(2, 6), 42) + rows[:3])
        lines(canvas, 320, 740, rows[3:9])

    def second(canvas):
        lines(canvas, 60, 740, rows[9:])

    assert prose(0, 8) in read(draw(tmp_path / "a.pdf", first, second)).text


def test_headers_footers_and_page_numbers_are_removed_and_the_rest_stays(tmp_path):
    def page(number):
        def drawn(canvas):
            canvas.drawString(60, 810, "Framework agreement")
            canvas.drawString(480, 810, f"Chapter {number}")
            lines(canvas, 60, 740, wrapped(prose(number), 70))
            canvas.drawString(290, 30, f"Page {number} of 5")

        return drawn

    text = read(draw(tmp_path / "a.pdf", *(page(number) for number in range(1, 6)))).text
    assert "Framework" not in text
    assert "Page" not in text
    assert text.split("\n\n") == [prose(number) for number in range(1, 6)]


@pytest.mark.parametrize(
    "number",
    ["3", "- 3 -", "xiv", "A-12", "Page | 4", "4 | P a g e", "Page 3 of 9", "Pág. 3 de 9", "Page 3 sur 9", "Seite 3 von 9",
     "Sida 3 av 9", "Стр. 3 из 9", "第 3 页 共 9 页", "第3页，共9页", "第 3 頁（共 9 頁）", "3 ページ", "3페이지", "صفحة 3 من 9",
     "٣", "पृष्ठ 3", "หน้า 3", "עמוד 3 מתוך 9"],
)  # fmt: skip
def test_page_numbers_are_recognised_in_many_languages(number):
    assert is_page_number(number)


@pytest.mark.parametrize(
    "text", ["Page three", "3.5 m", "A12 steel", "12 34", "3-4 apples", "第 3 条", "C. 5 Fees", "12. The"]
)
def test_other_short_rows_are_no_page_numbers(text):
    assert not is_page_number(text)


@pytest.mark.parametrize("number", ["Page | 4", "4 | P a g e", "A-12", "Pág. 3", "第 3 页 共 9 页"])
def test_page_number_that_no_other_page_confirms_is_removed(tmp_path, number):
    def page(canvas):
        lines(canvas, 60, 740, wrapped(prose(1), 70))
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
        canvas.setFont("STSong-Light", 9)
        canvas.drawString(290, 30, number)

    assert read(draw(tmp_path / "a.pdf", page)).text == prose(1)


@pytest.mark.parametrize("last_lines", [["Total due: {} euros"], ["Number of units", "{}"]])
def test_last_line_with_a_number_that_counts_no_pages_is_text(tmp_path, last_lines):
    def page(name, number):
        texts = [f"Invoice for {name}", *wrapped(prose(number), 70), *(text.format(number) for text in last_lines)]
        return lambda canvas: lines(canvas, 60, 600, texts)

    text = read(draw(tmp_path / "a.pdf", page("Anna", 42), page("Bert", 17), page("Carl", 30))).text
    assert [number for number in ("42", "17", "30") if number not in text] == []


def test_numbers_at_the_edges_of_slides_are_text_but_the_number_of_the_slide_is_not(tmp_path):
    def slide(number, title, *texts):
        def drawn(canvas):
            canvas.setFont("Helvetica", 32)
            lines(canvas, 60, 500, [title, *texts], 40)
            canvas.setFont("Helvetica", 12)
            canvas.drawString(60, 20, "Harbour board")
            canvas.drawString(300, 20, "Prices exclude VAT")  # small print that says something is kept once
            canvas.drawRightString(680, 20, str(number))

        return drawn

    slides = [
        slide(1, "Annual report", "2025"),
        slide(2, "Room", "7"),
        slide(3, "Phase 1", "42"),
        slide(4, "Phase 2", "3"),
    ]
    pdf = draw(tmp_path / "a.pdf", *slides, size=(720, 540))
    assert (
        slides_pdf.read(pdf).text.split() == "Annual report 2025 Prices exclude VAT Room 7 Phase 1 42 Phase 2 3".split()
    )


def test_repeated_symbols_are_no_header(tmp_path):
    page = lambda canvas: (canvas.drawString(60, 810, "[***]"), lines(canvas, 60, 740, wrapped(prose(1), 70)))  # noqa: E731
    assert read(draw(tmp_path / "a.pdf", page, page, page)).text.count("[***]") == 3


def test_chinese_lines_of_one_width_are_one_paragraph_beside_a_wider_row(tmp_path):
    paragraph = "承建商须在接获通知后七日内开始施工并于合约所订日期之前完成全部工程否则业主有权扣减工程款项并且委托他人完成余下工程。"
    items = ["混凝土强度", "钢筋的数量", "模板的尺寸"]

    def page(canvas):
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
        canvas.setFont("STSong-Light", 10)
        canvas.drawString(60, 770, "工程合约专用条款所载明的各项内容以本页为准其余各页仅供参考并不构成合约的任何部分。")
        lines(canvas, 60, 730, [paragraph[:24], paragraph[24:48], paragraph[48:]])
        lines(canvas, 60, 660, items)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert paragraph in text.split("\n\n")
    assert "\n".join(items) in text


def test_a_stamp_in_the_margin_does_not_break_a_sentence_over_two_pages(tmp_path):
    rows = wrapped(prose(0, 12), 70)

    def first(canvas):
        lines(canvas, 60, 740, rows[:5])
        canvas.rotate(90)
        canvas.drawString(200, -30, "Received by the registry on 4 May")

    text = read(draw(tmp_path / "a.pdf", first, lambda canvas: lines(canvas, 60, 740, rows[5:]))).text
    assert rows[5][0].islower()
    assert text.split("\n\n") == [prose(0, 12), "Received by the registry on 4 May"]


def test_a_raised_letter_stays_with_its_word(tmp_path):
    def page(canvas):
        canvas.drawString(60, 760, "The notice")
        canvas.setFont("Helvetica", 6.5)
        canvas.drawString(60 + canvas.stringWidth("The notice", "Helvetica", 10), 764, "1")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(64 + canvas.stringWidth("The notice", "Helvetica", 10) + 4, 760, "is given in writing")

    assert read(draw(tmp_path / "a.pdf", page)).text == "The notice1 is given in writing"


def test_a_file_of_labels_that_are_all_alike_keeps_its_text(tmp_path):
    def page(canvas):
        canvas.drawString(60, 800, "Handle with care")

    assert read(draw(tmp_path / "a.pdf", page, page, page)).text.count("Handle with care") == 3


def test_footnotes_come_after_the_text_of_their_page(tmp_path):
    rows = wrapped(prose(0, 12), 42)

    def page(canvas):
        lines(canvas, 60, 740, rows[:8])
        canvas.setFont("Helvetica", 7)
        lines(canvas, 60, 628, ["1 See the minutes of the second meeting."], 9)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 320, 740, rows[8:])

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text == f"{prose(0, 12)}\n\n1 See the minutes of the second meeting."


def test_a_table_is_read_row_by_row_with_tabs_between_cells(tmp_path):
    rows = [("Item", "Quantity", "Price"), ("Pump", "2", "410.00"), ("Valve", "16", "38.50"), ("Gauge", "4", "77.20")]

    def page(canvas):
        y = lines(canvas, 60, 760, wrapped(prose(1), 70)) - 14
        for row in rows:
            for x, cell in zip((60, 220, 380), row, strict=True):
                canvas.drawString(x, y, cell)
            y -= 15
        lines(canvas, 60, y - 14, wrapped(prose(2), 70))

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.split("\n\n") == [prose(1), "\n".join(map("\t".join, rows)), prose(2)]


def test_cells_of_a_ruled_table_keep_their_own_lines(tmp_path):
    def page(canvas):
        canvas.grid([60, 200, 400], [700, 660, 620])
        lines(canvas, 65, 686, ["Early", "warning"])
        lines(canvas, 205, 686, ["Given by the contractor as soon", "as the risk is known"])
        lines(canvas, 65, 646, ["Payment"])
        lines(canvas, 205, 646, ["Made within three weeks of", "the assessment date"])

    assert read(draw(tmp_path / "a.pdf", page)).text == (
        "Early warning\tGiven by the contractor as soon as the risk is known\n"
        "Payment\tMade within three weeks of the assessment date"
    )


def test_bullets_and_numbered_items_stand_on_lines_of_their_own(tmp_path):
    def page(canvas):
        lines(canvas, 60, 760, ["The parties agree that:"])
        canvas.drawString(70, 742, "\u2022")
        lines(canvas, 84, 742, ["the works begin in May and the site is handed over in good time by", "the employer;"])
        canvas.drawString(70, 718, "\u2022")
        lines(canvas, 84, 718, ["the price is fixed."])

    assert read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")[-1].split("\n") == [
        "\u2022 the works begin in May and the site is handed over in good time by the employer;",
        "\u2022 the price is fixed.",
    ]


def test_words_are_dehyphenated_and_real_hyphens_stay(tmp_path):
    rows = [
        "The agree-", "ment covers twenty-", "four self-", "employed fitters of the main-", "tenance team and the long-", "term plan.",
    ]  # fmt: skip
    text = read(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, rows))).text
    assert text == (
        "The agreement covers twenty-four self-employed fitters of the maintenance team and the long-term plan."
    )


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_reads_like_an_upright_one(tmp_path, turn):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, wrapped(prose(1, 8), 42)))
    writer = PdfWriter(clone_from=path)
    writer.pages[0].rotate(turn)
    turned = tmp_path / "turned.pdf"
    writer.write(turned)
    reading = read(turned)
    assert reading.text == prose(1, 8)
    assert (reading.pages[0].width > reading.pages[0].height) == (turn != 180)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_text_turned_on_its_page_reads_like_upright_text(tmp_path, turn):
    def page(canvas):
        canvas.translate(300, 420)
        canvas.rotate(turn)
        lines(canvas, -200, 100, wrapped(prose(1, 6), 60))

    assert read(draw(tmp_path / "a.pdf", page)).text == prose(1, 6)


def test_text_outside_the_crop_box_is_left_out(tmp_path):
    def page(canvas):
        lines(canvas, 120, 600, wrapped(prose(1), 50))
        canvas.drawString(120, 800, "Printer's note, cut away")

    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", page))
    writer.pages[0].cropbox = RectangleObject((100, 200, 500, 650))
    writer.write(tmp_path / "b.pdf")
    reading = read(tmp_path / "b.pdf")
    assert reading.text == prose(1)
    assert [hidden.text for hidden in reading.hidden_texts] == ["Printer's note, cut away"]
    assert (reading.pages[0].width, reading.pages[0].height) == (400, 450)


def test_chinese_lines_are_joined_without_a_space(tmp_path):
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    text = "承包人应当在知道延误之后立即通知发包人，并说明可以采取的措施。发包人在十个工作日内答复，并保存每一份通知的记录。"

    def page(canvas):
        canvas.setFont("STSong-Light", 12)
        lines(canvas, 60, 760, [text[:20], text[20:40], text[40:]], 18)

    assert read(draw(tmp_path / "a.pdf", page)).text == text


def test_numbers_and_type_give_headings_their_levels(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 780, "4 Duties of the contractor")
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(60, 750, "4.2 Early warning")
        canvas.setFont("Helvetica", 10)
        y = lines(canvas, 60, 730, wrapped(prose(1), 70))
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(60, y - 16, "Unnumbered but alike")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, y - 36, wrapped(prose(2), 70))

    reading = read(draw(tmp_path / "a.pdf", page))
    assert [(reading.text[h.start : h.end], h.level) for h in reading.headings] == [
        ("4 Duties of the contractor", 1),
        ("4.2 Early warning", 2),
        ("Unnumbered but alike", 2),
    ]


def test_title_that_runs_into_its_clause_is_a_heading(tmp_path):
    clause = f"7.1 Early Warning. {prose(1)}"
    reading = read(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, wrapped(clause, 70))))
    assert reading.text == clause
    assert [(reading.text[h.start : h.end], h.level) for h in reading.headings] == [("7.1 Early Warning", 2)]


def test_page_labels_are_those_printed(tmp_path):
    page = lambda canvas: lines(canvas, 60, 760, wrapped(prose(1), 70))  # noqa: E731
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", page, page, page))
    writer.set_page_label(0, 1, "/r", start=3)
    writer.set_page_label(2, 2, "/D", start=1)
    writer.write(tmp_path / "b.pdf")
    assert [page.label for page in read(tmp_path / "b.pdf").pages] == ["iii", "iv", "1"]


def test_form_field_is_read_beside_its_label(tmp_path):
    def page(canvas):
        lines(canvas, 60, 760, wrapped(prose(1), 70))
        canvas.drawString(60, 600, "Family name")
        canvas.acroForm.textfield(name="name", value="Okonkwo", x=130, y=592, width=150, height=20, borderWidth=0)
        canvas.drawString(60, 570, "Agreed")
        canvas.acroForm.checkbox(name="agreed", checked=True, x=110, y=566, size=14)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert "Family name Okonkwo" in text
    assert "Agreed \u2612" in text


@pytest.mark.parametrize(
    ("flags", "value", "shown"),
    [
        (1 << 21, ["ora", "db2", "sql"], "Oracle, SQL Server, DB2"),
        (1 << 21, "db2", "DB2"),
        (1 << 17, "sql", "SQL Server"),
        (1 << 17 | 1 << 18, "Written by hand", "Written by hand"),
    ],
    ids=["several of a list box", "one of a list box", "combo box", "combo box that takes other words"],
)
def test_choice_field_is_read_as_the_labels_of_the_selected_options(tmp_path, flags, value, shown):
    def page(canvas):
        canvas.drawString(60, 600, "Databases")
        canvas.acroForm.listbox(name="known", options=["Oracle", "Sybase"], value="Oracle", x=130, y=560, height=60)

    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", page))
    field = writer.pages[0]["/Annots"][0].get_object()
    options = {"ora": "Oracle", "sql": "SQL Server", "db2": "DB2", "pg": "PostgreSQL"}
    field[NameObject("/Opt")] = ArrayObject(ArrayObject(map(TextStringObject, pair)) for pair in options.items())
    field[NameObject("/Ff")] = NumberObject(flags)
    is_single = isinstance(value, str)
    field[NameObject("/V")] = TextStringObject(value) if is_single else ArrayObject(map(TextStringObject, value))
    writer.write(tmp_path / "b.pdf")
    assert read(tmp_path / "b.pdf").text.split() == ["Databases", *shown.split()]


def test_bold_made_by_printing_twice_is_read_once(tmp_path):
    def page(canvas):
        for shift in (0, 0.3):
            canvas.drawString(60 + shift, 760, "Termination of the agreement")

    assert read(draw(tmp_path / "a.pdf", page)).text == "Termination of the agreement"


def test_encrypted_with_an_empty_password_is_read(tmp_path):
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, SENTENCES[0])))
    writer.encrypt(user_password="", owner_password="owner", algorithm="RC4-128")
    writer.write(tmp_path / "b.pdf")
    assert PdfReader(tmp_path / "b.pdf").is_encrypted
    assert read(tmp_path / "b.pdf").text == SENTENCES[0]


def test_characters_are_counted_for_each_page(tmp_path):
    path = draw(
        tmp_path / "a.pdf",
        lambda canvas: canvas.drawString(60, 760, "ab cd"),
        lambda canvas: canvas.drawImage(picture(), 60, 600, 100, 100),
    )
    assert [page.characters for page in read(path).pages] == [4, 0]


HEBREW = {chr(ord("a") + k): chr(0x5D0 + k) for k in range(26)}


def test_right_to_left_text_is_in_the_order_it_is_read(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["fed cba", "ihg"]))
    assert read(relettered(drawn, HEBREW)).text == "".join(HEBREW.get(c, c) for c in "abc def ghi")


def test_columns_of_right_to_left_text_begin_with_the_right_one(tmp_path):
    def page(canvas):
        for x, number in ((320, 0), (60, 1)):
            lines(canvas, x, 740, (row.lower()[::-1] for row in wrapped(prose(number, 8), 42)))

    letters = {**HEBREW, ".": ".", ",": ",", " ": " ", "0": "0", "1": "1"}
    text = read(relettered(draw(tmp_path / "a.pdf", page), letters)).text
    shown = "".join(HEBREW.get(c, c) for c in "the contractor gives")
    assert text.startswith(shown)


def test_ligatures_become_letters(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, "e~cient #nal $oor"))
    reading = read(relettered(drawn, {"~": "\ufb03", "#": "\ufb01", "$": "\ufb02", **{c: c for c in "ecinat lor"}}))
    assert reading.text == "efficient final floor"
    start = reading.text.index("final")
    (page, raw_start, raw_end), *rest = reading.source_map.raw_spans(start, start + 5)
    assert page == 1
    assert raw_start < (rest[-1][2] if rest else raw_end)


def test_cyrillic_mapped_in_the_wrong_encoding_is_decoded(tmp_path):
    word = "договор"
    letters = {chr(ord("a") + k): chr(int.from_bytes(c.encode("utf-8"), "big")) for k, c in enumerate(word)}
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, "abcdefg"))
    assert read(relettered(drawn, letters)).text == word


def test_chinese_set_from_top_to_bottom_is_read_in_that_order(tmp_path):
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def page(canvas):
        canvas.setFont("STSong-Light", 12)
        for column, text in enumerate(
            ("承包人应当在知道延误之后", "立即通知发包人并说明措施", "发包人在十个工作日内答复")
        ):
            for row, letter in enumerate(text):
                canvas.drawString(400 - 20 * column, 700 - 13 * row, letter)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text == "承包人应当在知道延误之后立即通知发包人并说明措施发包人在十个工作日内答复"
