"""Sentences of PDFs: what stands on the page between two parts of a sentence does not cut it."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import SENTENCES, draw, lines, prose, relettered, wrapped


def _sentences(path) -> list[str]:
    return [span.text for span in split_sentences(read(path).text, wrapped=False)]


def test_semicolon_that_the_font_maps_to_the_greek_question_mark_ends_no_sentence(tmp_path):
    text = "The supplier gives notice; the buyer pays."
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, text))
    letters = {character: character for character in text} | {";": "\u037e"}
    assert _sentences(relettered(drawn, letters)) == [text]


def test_page_numbers_of_the_printed_original_are_removed_and_cut_no_sentence(tmp_path):
    """A filing that is broken into pages anew has the old numbers anywhere on its pages, here above a second footer."""
    text = " ".join(prose(number) for number in range(12))
    rows = wrapped(text, 70)
    drawn: list[str] = []
    for number in range(len(rows) // 14 + 1):
        drawn += [*rows[14 * number : 14 * number + 14], "", f"{' ' * 60}{number + 1}", "", ""]

    def page(start):
        def draw_page(canvas):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(60, 30, "Source: PIER AUTHORITY, 10-K, 3/29/2001")
            canvas.setFont("Helvetica", 10)
            lines(canvas, 60, 780, drawn[start : start + 30])

        return draw_page

    path = draw(tmp_path / "a.pdf", *map(page, range(0, len(drawn), 30)))
    assert _sentences(path) == [span.text for span in split_sentences(text)]


def test_numbers_of_chapters_and_of_lines_stay(tmp_path):
    """Neither a number above whole paragraphs nor a column of numbers is a page number."""

    def chapters(canvas):
        y = 780
        for number in range(1, 5):
            y = lines(canvas, 290, y, [str(number)], 24)
            y = lines(canvas, 60, y, wrapped(prose(number, 8), 70)) - 12

    def counted_lines(canvas):
        lines(canvas, 60, 780, [str(number) for number in range(1, 30)], 20)

    assert _sentences(draw(tmp_path / "a.pdf", chapters)).count("3") == 1
    assert "15" in read(draw(tmp_path / "b.pdf", counted_lines)).text.split()


def test_word_that_ends_no_sentence_joins_its_line_to_the_next(tmp_path):
    """A short line before a name, at the end of a line and of a page: no hyphen, comma or small letter shows it."""

    def page(*texts):
        return lambda canvas: lines(canvas, 60, 780, texts)

    first = ("The price is agreed before the start of the works, and each party is bound", "by the terms of the")
    second = ("Companies Act as it stood on the day on which the parties signed the agreement.", "Nothing else binds.")
    whole = " ".join((*first, *second))
    assert read(draw(tmp_path / "a.pdf", page(*first, *second))).text == whole
    assert read(draw(tmp_path / "b.pdf", page(*first), page(*second))).text == whole


def test_notes_under_a_typed_rule_come_after_the_sentence(tmp_path):
    text = wrapped(prose(), 50)

    def first(canvas):
        y = lines(canvas, 60, 780, text[:5])
        lines(canvas, 60, y - 12, ["---------------", "/1/ Indicates what was left out.", "It is filed apart."])

    def second(canvas):
        lines(canvas, 60, 780, text[5:])

    sentences = _sentences(draw(tmp_path / "a.pdf", first, second))
    assert " ".join(sentences).startswith(prose())
    assert sentences[-2:] == ["/1/ Indicates what was left out.", "It is filed apart."]


def test_sentence_runs_on_past_a_note_that_stands_on_every_page(tmp_path):
    """Under the last line of each page, in the size of the text and at no edge: neither a footer nor a footnote."""
    note = "***** The omitted portions of this exhibit have been filed separately with the registrar."
    first = ("The price is agreed before the start of the works, and each party is bound", "by the terms of the")
    second = ("Companies Act as it stood on the day on which the parties signed the agreement.",)

    def page(*texts):
        return lambda canvas: lines(canvas, 60, lines(canvas, 60, 600, texts) - 20, [note])

    text = read(draw(tmp_path / "a.pdf", page(*first), page(*second), page("Nothing else binds them."))).text
    assert text.split("\n\n") == [" ".join((*first, *second)), note, note, "Nothing else binds them.", note]


def test_clause_after_and_is_an_item_of_its_own(tmp_path):
    items = (
        "1.1.1 to operate one business under the system and to use the marks as the manual of the system says; and",
        "1.1.2 to do so only at the approved place, in accordance with section 1.1.1 and with the law of the place.",
    )
    rows = [row for item in items for row in wrapped(item, 106)]
    assert _sentences(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 30, 780, rows))) == list(items)


@pytest.mark.parametrize("leader", ["." * 60, ". " * 40])
def test_titles_in_a_table_of_contents_are_rows_with_their_page_numbers(tmp_path, leader):
    entries = (("1 Works", "3"), ("1.1 The site and its access", "3"), ("1.2 Delay and damages", "14"))

    def page(canvas):
        for number, (title, page_number) in enumerate(entries):
            y = 700 - 14 * number
            canvas.drawString(60, y, f"{title} {leader}")
            canvas.drawRightString(500, y, page_number)

    assert read(draw(tmp_path / "a.pdf", page)).text == "\n".join("\t".join(entry) for entry in entries)


def test_hyphen_that_the_font_names_a_soft_one_is_shown(tmp_path):
    words = "Know-How is not a well-known word"
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, words))
    assert read(relettered(drawn, {letter: letter for letter in words} | {"-": "\u00ad"})).text == words


def _draw_paragraph_around_formula(canvas, below):
    y = lines(canvas, 60, 780, wrapped(prose(), 80))
    y = lines(
        canvas, 60, y - 6, wrapped("The advantage of the crawler at this step of the search can be written as", 80)
    )
    canvas.drawString(220, y - 8, "A(s, a) = R(s, a) - V(s), ")
    canvas.drawString(500, y - 8, "(4)")
    canvas.setFont("Helvetica", 6)
    canvas.drawString(236, y - 16, "t<n")
    canvas.setFont("Helvetica", 10)
    lines(canvas, 60, y - 34, wrapped(below, 80))


@pytest.mark.parametrize(
    ("below", "sentence"),
    [
        (
            "where V is the value that the critic assigns to it. " + prose(1),
            "The advantage of the crawler at this step of the search can be written as A(s, a) = R(s, a) - V(s), t<n (4) "
            "where V is the value that the critic assigns to it.",
        ),
        (
            prose(1),
            "The advantage of the crawler at this step of the search can be written as A(s, a) = R(s, a) - V(s), t<n (4)",
        ),
    ],
)
def test_displayed_formula_belongs_to_the_sentence_around_it(tmp_path, below, sentence):
    path = draw(tmp_path / "a.pdf", lambda canvas: _draw_paragraph_around_formula(canvas, below))
    sentences = _sentences(path)
    assert sentence in sentences
    assert not any(text.startswith(("A(s", "where", "t<n", "(4)")) for text in sentences)


def test_labels_of_a_drawing_and_a_list_without_stops_stay_apart(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 780, ["Figure 2: The forces at the eastern mole in the winter"])
        y = lines(canvas, 200, y - 20, ["F = 3"])
        y = lines(canvas, 60, y - 20, ["sheltered berths for pilots and tugs", "", "steps to the water"])
        lines(canvas, 60, y - 20, wrapped(prose(), 80))

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.split("\n\n")[:4] == [
        "Figure 2: The forces at the eastern mole in the winter",
        "F = 3",
        "sheltered berths for pilots and tugs",
        "steps to the water",
    ]


def test_note_that_continues_in_the_next_column_is_whole(tmp_path):
    body = wrapped(prose(0, 12), 42)
    half = len(body) // 2

    def page(canvas):
        lines(canvas, 60, 780, [*body[:half]])
        lines(canvas, 320, 780, [*body[half : 2 * half]])
        canvas.setFont("Helvetica", 7)
        lines(canvas, 60, 600, ["1 The notice is given to the office of the", "port, which in turn"], 9)
        lines(canvas, 320, 600, ["tells the owner of the berth and the", "pilots of the port."], 9)

    sentences = _sentences(draw(tmp_path / "a.pdf", page))
    assert sentences[-1].endswith(
        "The notice is given to the office of the port, which in turn tells the owner of the berth and the pilots of the port."
    )


def test_entries_of_a_list_of_references_stay_apart_after_an_address(tmp_path):
    entries = (
        "[HZRS15] K. He and J. Sun, “Deep residual learning,” 2015. Available: http://arxiv.org/abs/1512.03385v1/full",
        "[Joh15a] D. Johnson, “Biaxial recurrent networks,” Aug. 2015. Available: http://github.com/hexahedria/biaxial-rnn",
    )
    rows = [row for entry in entries for row in wrapped(entry, 106)]
    text = read(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 30, 780, rows))).text
    assert text == "\n".join(entries)


def test_small_print_that_begins_a_line_with_a_letter_or_a_share_is_no_note(tmp_path):
    small = (
        "We train the model by reinforcement with",
        "a synthetic set of queries. It finds more,",
        "39.90% of all papers, than the others do.",
    )

    def page(canvas):
        canvas.setFont("Helvetica", 9)
        lines(canvas, 60, 700, small)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 320, 780, wrapped(prose(1, 12), 42))

    assert " ".join(small) in read(draw(tmp_path / "a.pdf", page)).text


@pytest.mark.parametrize("distance", [20, 24])
def test_definition_below_its_term_is_one_sentence_with_it(tmp_path, distance):
    """Contracts set the term on a line of its own, and its definition a paragraph's distance below, indented."""
    body = [*wrapped("The parties agree on the terms of this contract before the work begins. " * 4, 70)]

    def draw_page(canvas):
        y = lines(canvas, 60, 780, body) - distance
        canvas.drawString(60, y, "1.3 “Batch”")
        y = lines(canvas, 90, y - distance, ["shall mean the product of one run of the process,", "whatever its size."])
        canvas.drawString(60, y - distance, "1.4 “Delivery”")
        canvas.drawString(60, y - 2 * distance, "Delivery takes place at the port of the buyer.")

    assert _sentences(draw(tmp_path / "a.pdf", draw_page))[-3:] == [
        "1.3 “Batch” shall mean the product of one run of the process, whatever its size.",
        "1.4 “Delivery”",
        "Delivery takes place at the port of the buyer.",
    ]


def test_indented_paragraph_that_begins_with_a_small_letter_is_a_block_of_its_own(tmp_path):
    first = wrapped("The reader splits a page into lines, and lines into paragraphs of text. It takes a moment.", 60)
    second = wrapped(
        "pdfReader is a package that reads the pages of a file and says what is on them, line by line.", 56
    )

    def page(canvas):
        y = lines(canvas, 60, 700, first)
        lines(canvas, 60, lines(canvas, 75, y, second[:1]), second[1:])

    assert read(draw(tmp_path / "a.pdf", page)).text.split("\n\n") == [" ".join(first), " ".join(second)]


def test_caption_on_the_next_page_does_not_continue_a_sentence(tmp_path):
    rows = wrapped(" ".join(prose(number) for number in range(8)), 70)
    cut = next(index for index in range(20, len(rows)) if rows[index][:1].islower() and rows[index - 1][-1] != ".")
    caption = "Figure 5: The notices of the first year by the month in which they were given, and their answers."

    def first(canvas):
        lines(canvas, 60, 780, rows[:cut])

    def second(canvas):
        y = lines(canvas, 60, 780, wrapped(caption, 70))
        lines(canvas, 60, y - 30, rows[cut:])

    sentences = _sentences(draw(tmp_path / "a.pdf", first, second))
    assert caption in sentences
    assert {split.text for split in split_sentences(" ".join(rows))} <= set(sentences)


def test_bullet_that_its_font_does_not_identify_begins_an_item(tmp_path):
    items = [f"% {wrapped(sentence.lower(), 66)[0]}" for sentence in SENTENCES[:3]]  # of lines that are full

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 70)) - 6
        lines(canvas, 60, y, items)

    text = " ".join([prose(), *items])
    path = relettered(draw(tmp_path / "a.pdf", page), {c: c for c in text} | {"%": "\ufffd"})
    assert _sentences(path)[-3:] == [item.replace("%", "\ufffd") for item in items]


def test_description_of_a_function_begins_below_its_name_and_kind(tmp_path):
    description = "file: what open has returned for it, which nothing else may have used since then."

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 90)) - 12
        canvas.drawRightString(505, y, "[Function]")
        y = lines(canvas, 60, y, ["close (file)"])
        y = lines(canvas, 84, y, [description]) - 12
        lines(canvas, 60, y, wrapped(prose(1), 90))

    assert _sentences(draw(tmp_path / "a.pdf", page))[4:6] == ["close (file) [Function]", description]


def test_centred_title_with_a_word_in_another_typeface_is_whole(tmp_path):
    def page(canvas):
        row = canvas.beginText(100, 790)
        row.setFont("Courier", 17)
        row.textOut("tides and currents")
        row.setFont("Helvetica", 17)
        row.textOut(" Functions in Other")
        canvas.drawText(row)
        canvas.setFont("Helvetica", 17)
        width = stringWidth("tides and currents", "Courier", 17) + stringWidth(" Functions in Other", "Helvetica", 17)
        canvas.drawCentredString(100 + width / 2, 768, "Packages")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 700, wrapped(prose(), 80))

    assert _sentences(draw(tmp_path / "a.pdf", page))[0] == "tides and currents Functions in Other Packages"


@pytest.mark.parametrize(
    ("title", "items"),
    [
        (["Ada Bell", "University of the North", "Hall for the Study of Harbours"], 3),
        (["SAMPLE FORM OF", "AGREEMENT ON CONFIDENTIALITY"], 1),
        (["Rules for Quays", "and Slipways of Northern Harbours"], 1),
    ],
)
def test_wider_centred_line_below_a_centred_line_begins_anew(tmp_path, title, items):
    def page(canvas):
        for number, text in enumerate(title):
            canvas.drawCentredString(300, 780 - 14 * number, text)
        lines(canvas, 60, 690, wrapped(prose(2), 95))

    text = read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")[0]
    assert text == ("\n" if items > 1 else " ").join(title)


def test_line_beyond_the_edge_of_the_text_leaves_the_other_lines_full(tmp_path):
    """The end of a bold line and the next are one sentence, though a long name overruns the margin."""
    words = [
        "the pool that you changed after the volume was made is",
        "used by default for all records of a later backup, as",
    ]

    def page(canvas):
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(60, 700, "Why does the program ignore the size in my pool file? The size")
        edge = 60 + canvas.stringWidth("Why does the program ignore the size in my pool file? The size")
        canvas.setFont("Helvetica", 10)
        for number, row in enumerate([f"of {words[0]}", words[1], words[0], words[1], "before."]):
            row_width = canvas.stringWidth(row)
            line = canvas.beginText(60, 688 - 12 * number)
            line.setWordSpace((edge - 60 - row_width) / row.count(" ") if " " in row else 0)
            line.textOut(row)
            canvas.drawText(line)
        canvas.drawString(
            60, 616, "/var/lib/program/archive/of/the/northern/harbours/with/names/that/overrun/the/margin"
        )

    sentences = split_sentences(read(draw(tmp_path / "a.pdf", page)).text, wrapped=False)
    assert sentences[1].text.startswith("The size of the pool that you changed")


def test_cells_in_lower_case_beside_each_other_are_rows(tmp_path):
    """Lines that go on in lower case below short lines are no running text in columns."""
    rows = [
        ("what is typed on the keyboard", "what the printer puts on paper"),
        ("lower case", "upper case, eight bits"),
        ("highest bit set", "signs that are not printed left out"),
        ("no sign at all", "no changes"),
    ]

    def page(canvas):
        lines(canvas, 60, 760, wrapped(prose(1), 95))
        for number, row in enumerate(rows):
            for x, cell in zip((60, 320), row, strict=True):
                canvas.drawString(x, 700 - 13 * number, cell)

    assert read(draw(tmp_path / "a.pdf", page)).text.endswith("\n\n" + "\n".join(map("\t".join, rows)))


def test_caption_narrower_than_the_text_is_one_sentence(tmp_path):
    caption = ["Figure 2.1: Heights of the northern pier", "Tides of June."]

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 95)) - 24
        y = lines(canvas, 120, y, caption) - 24
        lines(canvas, 60, y, wrapped(prose(1), 95))

    assert " ".join(caption) in _sentences(draw(tmp_path / "a.pdf", page))


def test_line_below_a_centred_title_in_bold_begins_anew(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawCentredString(305, 780, "Log of the Northern Harbour")
        canvas.setFont("Helvetica", 10)
        canvas.drawCentredString(305, 768, "18/08/2019 to 25/08/2019")
        lines(canvas, 40, 700, wrapped(prose(), 75))

    sentences = _sentences(draw(tmp_path / "a.pdf", page))
    assert sentences[:2] == ["Log of the Northern Harbour", "18/08/2019 to 25/08/2019"]


def test_terms_in_bold_and_lower_case_begin_paragraphs_without_white_between(tmp_path):
    entries = [
        ("storages", " are used by the command that shows them."),
        ("schedules", " are used by it, too."),
        ("select", " asks the reader."),
    ]

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 95)) - 24
        for term, text in entries:
            row = canvas.beginText(60, y)
            row.setFont("Helvetica-Bold", 10)
            row.textOut(term)
            row.setFont("Helvetica", 10)
            row.textOut(text)
            canvas.drawText(row)
            y -= 12

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.split("\n\n")[1:] == [term + text for term, text in entries]


def test_larger_word_in_a_line_that_goes_on_in_lower_case_cuts_no_sentence(tmp_path):
    rows = [
        "Operands are only evaluated if they are necessary, which ends once the value can be",
        "determined, and all of them are converted to scalars by a function that is called",
    ]

    def page(canvas):
        canvas.setFont("Helvetica", 7)
        lines(canvas, 60, 780, rows, 9)
        row = canvas.beginText(60 + canvas.stringWidth(rows[1]) + 2, 771)
        row.setFont("Courier", 8)
        row.textOut("all")
        canvas.drawText(row)
        canvas.setFont("Helvetica", 7)
        lines(canvas, 60, 762, ["of the values."], 9)

    assert _sentences(draw(tmp_path / "a.pdf", page)) == [" ".join([*rows, "all of the values."])]


def test_sentence_goes_on_in_brackets_on_the_next_page(tmp_path):
    first = "The contractor pays what the employer has lost in the harbour by the damages"
    second = "(including any costs of a survey and of the works after it) within a month."

    def page(*texts):
        return lambda canvas: lines(canvas, 60, 400, texts)

    path = draw(tmp_path / "a.pdf", page(*wrapped(prose(), 95), first), page(second, *wrapped(prose(1), 95)))
    assert f"{first} {second}" in _sentences(path)


LABEL_TEXT = "Used in the restore command to name the file that is read."


@pytest.mark.parametrize(
    ("label", "font", "gap", "text", "parted"),
    [
        ("bootstrap", "Helvetica-Bold", 5.0, LABEL_TEXT, True),
        ("Paper management", "Helvetica-Bold", 10.0, LABEL_TEXT, True),
        ("LP_EFAIL", "Courier", 5.0, LABEL_TEXT, True),
        ("-h", "Helvetica-Bold", 5.0, LABEL_TEXT, True),
        ("open session = <name>", "Helvetica-Bold", 5.0, LABEL_TEXT, True),
        ("Bootstrap", "Helvetica-Bold", 2.8, LABEL_TEXT, False),  # a word in bold, as far as the others
        ("bootstrap", "Helvetica-Bold", 5.0, LABEL_TEXT.replace("Used", "used"), False),
        ("Release", "Helvetica-Bold", 5.0, "Bookworm in June", False),  # a value
        ("Figure 3", "Helvetica-Bold", 5.0, LABEL_TEXT, False),
        ("(a)", "Helvetica-Bold", 5.0, LABEL_TEXT, False),
    ],
)
def test_label_that_runs_into_its_text_is_parted_from_it(tmp_path, label, font, gap, text, parted):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 70))
        x = 60.0
        for word in label.split():
            canvas.setFont(font if any(map(str.isalnum, word)) else "Helvetica", 10)
            canvas.drawString(x, 680, word)
            x += stringWidth(word, canvas._fontname, 10) + 2.8
        canvas.setFont("Helvetica", 10)
        canvas.drawString(x - 2.8 + gap, 680, text)
        lines(canvas, 70, 668, wrapped(prose(1), 70))

    sentences = _sentences(draw(tmp_path / "a.pdf", page))
    assert (label in sentences, text in sentences) == (parted, parted)
    assert (f"{label} {text}" in " ".join(sentences)) is True


def _draw_code_and_figure(canvas):
    canvas.setFont("Courier", 10)
    lines(canvas, 60, 780, ["> kpc <- kpca(~., data = spam, features = 2)", "> plot(rotated(kpc))"])
    canvas.setFont("Helvetica", 8)
    for number in range(12):
        canvas.drawString(80 + 35 * number, 700 - 40 * (number % 5), f"{number / 2}")
    canvas.setFont("Helvetica", 10)
    lines(canvas, 60, 400, ["Figure 5: Projection of the data on the two first components that were found."])


@pytest.mark.parametrize("is_short", [False, True])
def test_sentence_goes_on_after_a_page_of_drawings_and_code(tmp_path, is_short):
    text = wrapped(prose(count=6), 70)
    cut = next(number for number, row in enumerate(text) if number > 3 and row[0].islower())
    if is_short:
        text = [
            *text[:cut],
            "All of this was found out and can be accomplished in a while by the",
            "function of the model:",
        ]
        cut = len(text) - 1

    path = draw(
        tmp_path / "a.pdf",
        lambda canvas: lines(canvas, 60, 780, text[:cut]),
        _draw_code_and_figure,
        lambda canvas: lines(canvas, 60, 780, text[cut:]),
    )
    assert set(_sentences(path)) >= {span.text for span in split_sentences(" ".join(text))}


@pytest.mark.parametrize(
    ("cut", "following"),
    [
        ("is found to be broken in the", ("van den Berg Harbour Works", "12 Pier Street", "Rotterdam")),
        ("is found in the list of the", ("mooring of ships at the pier",)),
        (
            "is set out here by its letter",
            ("abaft means toward the stern of the ship.", "abeam means at the side of it."),
        ),
    ],
)
def test_short_lines_in_lower_case_after_drawings_are_no_rest_of_a_sentence(tmp_path, cut, following):
    cut = f"The tenant tells the authority at once when any of these things {cut}"
    path = draw(
        tmp_path / "a.pdf",
        lambda canvas: lines(canvas, 60, 780, [*wrapped(prose(), 95), cut]),
        _draw_code_and_figure,
        lambda canvas: lines(canvas, 60, 780, following),
    )
    assert cut in _sentences(path)


WIDE_REST = ("and by the works that are made in the harbour by the people of the town in all of the years", "to come.")


@pytest.mark.parametrize(
    ("between", "following", "face", "is_joined"),
    [
        ((), WIDE_REST, "Helvetica", True),
        (("a b c d e f g h", "0 1 0 1 0 1 0 1"), WIDE_REST, "Helvetica", True),
        ((), WIDE_REST, "Times-Roman", False),
        ((), (f"b. {WIDE_REST[0]}", WIDE_REST[1]), "Helvetica", False),
    ],
)
def test_rest_of_a_sentence_after_drawings_is_text_like_it(tmp_path, between, following, face, is_joined):
    cut = "The tenant tells the authority at once when any of these things is found to be broken by age"

    def rest(canvas):
        canvas.setFont(face, 10)
        lines(canvas, 60, 780, following)

    def drawing(canvas):
        _draw_code_and_figure(canvas)
        canvas.setFont("Helvetica", 8)
        lines(canvas, 60, 300, between)

    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 780, [*wrapped(prose(), 95), cut]), drawing, rest)
    assert (" ".join([cut, *following]) in _sentences(path)) is is_joined


def test_code_below_words_that_announce_it_ends_their_sentence(tmp_path):
    cut = "A table of all of the classes that were found and of the clusters in them can be obtained by"
    code = ("subroutine scocpar(odeparms)", "integer N, M, K", "call odeparms(N, parms)", "K = N + M")

    def listing(canvas):
        _draw_code_and_figure(canvas)
        canvas.setFont("Courier", 10)
        lines(canvas, 60, 830, code, 9)

    path = draw(
        tmp_path / "a.pdf",
        lambda canvas: lines(canvas, 60, 780, [*wrapped(prose(), 95), cut]),
        listing,
        lambda canvas: lines(canvas, 60, 780, WIDE_REST),
    )
    assert cut in _sentences(path)


@pytest.mark.parametrize(
    ("font", "gap", "space", "wide"),
    [
        ("Helvetica-Bold", 3.7, 3.5, 0.0),  # hardly wider than the spaces of the text
        ("Courier", 4.0, 3.5, 0.0),
        ("Courier", 5.0, 2.8, 3.5),  # narrower than one of them
    ],
)
def test_white_that_is_hardly_wider_than_spaces_parts_no_label_from_its_text(tmp_path, font, gap, space, wide):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 70))
        canvas.setFont(font, 10)
        canvas.drawString(60, 680, "Bootstrap")
        x = 60 + stringWidth("Bootstrap", font, 10) + gap
        canvas.setFont("Helvetica", 10)
        for number, word in enumerate(LABEL_TEXT.split()):
            canvas.drawString(x, 680, word)
            x += stringWidth(word, "Helvetica", 10) + space + (wide if number == 3 else 0)
        lines(canvas, 70, 668, wrapped(prose(1), 70))

    assert f"Bootstrap {LABEL_TEXT}" in " ".join(_sentences(draw(tmp_path / "a.pdf", page)))
    assert LABEL_TEXT not in _sentences(draw(tmp_path / "a.pdf", page))


def test_words_in_bold_before_white_that_is_as_wide_elsewhere_in_the_line_are_no_label(tmp_path):
    parts = ("Before", "Completing this form, read", "all of what is said of it.")

    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 70))
        x = 60
        for part, font in zip(parts, ("Helvetica-Bold", "Helvetica", "Helvetica"), strict=True):
            canvas.setFont(font, 10)
            canvas.drawString(x, 680, part)
            x += stringWidth(part, font, 10) + 13
        lines(canvas, 60, 668, wrapped(prose(1), 70))

    assert " ".join(parts) in _sentences(draw(tmp_path / "a.pdf", page))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("Abnormal cells (in %)", "0 5 10 15 20"), ("Abnormal cells (in %)", "0 5 10 15 20")),
        (
            ("The price rises in the years", "2019 2020 2021 and so on."),
            ("The price rises in the years 2019 2020 2021 and so on.",),
        ),
        (
            ("The principles that – albeit not set out initially by anyone", "– have guided the works hold for all."),
            ("The principles that – albeit not set out initially by anyone – have guided the works hold for all.",),
        ),
        (
            ("© 2005, 2016 Harbour Works", "(C) 2014, 2023 Pier Authority"),
            ("© 2005, 2016 Harbour Works", "(C) 2014, 2023 Pier Authority"),
        ),
        (
            (
                "Once a vector of weights is chosen, the most important steps of all are given by",
                "fit <- function(obj, weights)",
            ),
            (
                "Once a vector of weights is chosen, the most important steps of all are given by",
                "fit <- function(obj, weights)",
            ),
        ),
        (("The works are these", "– dredge the harbour, and"), ("The works are these", "– dredge the harbour, and")),
        (
            ("Prices – per person", "– one night in the hotel by the sea", "– a tour"),
            ("Prices – per person", "– one night in the hotel by the sea", "– a tour"),
        ),
        (
            (
                "The seller gives all of these – free of charge – to the buyer of the house",
                "– keys of all of the doors",
            ),
            (
                "The seller gives all of these – free of charge – to the buyer of the house",
                "– keys of all of the doors",
            ),
        ),
        (
            ("The seller gives the buyer of the house some things – free of charge.", "– keys of all of the doors"),
            ("The seller gives the buyer of the house some things – free of charge.", "– keys of all of the doors"),
        ),
        (
            ("– Where do you go – asked the man at the gate of the harbour of the town", "– to the ships"),
            ("– Where do you go – asked the man at the gate of the harbour of the town", "– to the ships"),
        ),
        (("0 2 4 6 8 10", "Time since diagnosis"), ("0 2 4 6 8 10", "Time since diagnosis")),
        (
            ("The winning numbers of the draw that was held in the town hall are these:", "4 8 15 16 23 42"),
            ("The winning numbers of the draw that was held in the town hall are these: 4 8 15 16 23 42",),
        ),
        (
            ("Please call the office of the harbour at any time of the day at", "020 7946 0958"),
            ("Please call the office of the harbour at any time of the day at 020 7946 0958",),
        ),
        (
            ("The authority of the harbour paid for the new pier of the town about", "1 250 000", "pounds in all."),
            ("The authority of the harbour paid for the new pier of the town about 1 250 000 pounds in all.",),
        ),
        (
            (
                "The function returns a list of ships that are in the harbour. When",
                "x <- f() is called without a port, all are searched.",
            ),
            (
                "The function returns a list of ships that are in the harbour.",
                "When x <- f() is called without a port, all are searched.",
            ),
        ),
        (
            ("© 2005 Harbour Museum of London, whose archive was opened, and", "© 2006 Pier Authority, Hull."),
            ("© 2005 Harbour Museum of London, whose archive was opened, and © 2006 Pier Authority, Hull.",),
        ),
    ],
)
def test_numbers_alone_dashes_and_other_signs_tell_where_a_line_goes_on(tmp_path, texts, expected):
    assert _sentences(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 780, texts))) == list(expected)


def test_names_of_columns_at_the_end_of_a_page_are_no_sentence_that_goes_on(tmp_path):
    names = ["id lex.per lex.age lex.dur lex.Cst lex.Xst per.ex per.tf per.ct per.cd gap.tf gap.ct", "G.cd", "0.000"]

    def page(canvas):
        lines(canvas, 60, 780, [*wrapped(prose(), 70), "", names[0]])

    sentences = _sentences(draw(tmp_path / "a.pdf", page, lambda canvas: lines(canvas, 60, 780, names[1:])))
    assert names[0] in sentences


def test_label_that_runs_into_its_text_begins_anew_below_other_labels(tmp_path):
    """A label without a text stands above, in the same typeface; a long one goes on below."""

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 70)) - 12
        for *labels, text in (
            ("volume", "volumes", LABEL_TEXT),
            (f"Taking {'great ' * 10}advantage of the ob-", "jects", LABEL_TEXT),
        ):
            canvas.setFont("Helvetica-Bold", 10)
            y = lines(canvas, 60, y, labels)
            x = 65 + stringWidth(labels[-1], "Helvetica-Bold", 10)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x, y + 12, text)
        lines(canvas, 60, y, wrapped(prose(1), 70))

    sentences = _sentences(draw(tmp_path / "a.pdf", page))
    assert {"volume", "volumes", f"Taking {'great ' * 10}advantage of the objects"} <= set(sentences)
    assert sentences.count(LABEL_TEXT) == 2


@pytest.mark.parametrize(
    ("before", "label", "after", "joined"),
    [
        ("by the", "Har-", "bour", "by the Harbour Authority"),
        ("by the", "Managing Director", "of the Harbour", "by the Managing Director of the Harbour Authority"),
    ],
)
def test_words_in_bold_that_begin_a_line_within_a_sentence_are_no_label(tmp_path, before, label, after, joined):
    def page(canvas):
        start = f"The costs of all of the works in the harbour are borne here {before} "
        canvas.drawString(60, 780, start)
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(60 + stringWidth(start, "Helvetica", 10), 780, label)
        canvas.drawString(60, 768, after)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(
            65 + stringWidth(after, "Helvetica-Bold", 10), 768, "Authority of the town, which may ask others for"
        )
        canvas.drawString(60, 756, "their share before the end of the year.")

    (sentence,) = _sentences(draw(tmp_path / "a.pdf", page))
    assert joined in sentence
