"""The lines of a listing in a typeface of fixed width are sentences of their own; sentences that are set so are not cut."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

CODE = (
    "subroutine scocpar(odeparms)",
    "external odeparms",
    "integer N, M, K",
    "double precision parms(2)",
    "common /myparms/parms",
    "N = 1",
    "call odeparms(N, parms)",
    "K = N + M",
    "return",
    "end",
)
SENTENCE = (
    "the program reads the parameters of the model from a",
    "file and keeps them in a block that all of its parts",
    "share with each other until the very end of the run.",
)


def _read_sentences(tmp_path, texts, face="Courier"):
    def page(canvas):
        if face == "Courier":
            lines(canvas, 60, 780, wrapped(prose(), 70))
        canvas.setFont("Courier", 10)
        lines(canvas, 60, 700, texts)

    text = read(draw(tmp_path / "a.pdf", page)).text
    return [span.text for span in split_sentences(text, wrapped=False)]


def test_lines_of_a_listing_are_sentences_of_their_own(tmp_path):
    assert _read_sentences(tmp_path, CODE)[4:] == list(CODE)


@pytest.mark.parametrize("texts", [(*CODE, *SENTENCE), (*SENTENCE, *CODE)])
def test_sentence_in_the_typeface_of_a_listing_is_whole(tmp_path, texts):
    assert " ".join(SENTENCE) in " ".join(_read_sentences(tmp_path, texts))
    assert any(SENTENCE[1] in sentence and SENTENCE[2] in sentence for sentence in _read_sentences(tmp_path, texts))


def test_text_from_a_typewriter_is_no_listing(tmp_path):
    texts = wrapped(prose(), 60)
    assert _read_sentences(tmp_path, texts, "typewriter") == [
        span.text for span in split_sentences(" ".join(texts), wrapped=False)
    ]


def _read_manual(tmp_path, texts):
    """Return the sentences of a page whose text names functions in the typeface of its listing."""

    def page(canvas):
        y = 790
        for number in range(12):
            row = canvas.beginText(60, y)
            row.textOut("Call ")
            row.setFont("Courier", 10)
            row.textOut(f"read_parameters_{'of_parts_' * (number % 4)}{number}")
            row.setFont("Helvetica", 10)
            row.textOut(" first, and keep what it returns.")
            canvas.drawText(row)
            y -= 30
        y -= 12
        for text in texts:
            canvas.setFont("Courier" if text in CODE or text.startswith(">") else "Helvetica", 10)
            canvas.drawString(60, y, text)
            y -= 12

    text = read(draw(tmp_path / "a.pdf", page)).text
    return [span.text for span in split_sentences(text, wrapped=False)]


def test_lines_of_a_listing_stay_apart_where_most_fragments_in_its_typeface_hold_other_text(tmp_path):
    assert _read_manual(tmp_path, CODE)[12:] == list(CODE)


def test_text_below_a_listing_is_no_part_of_its_last_line(tmp_path):
    texts = wrapped(
        "and the solver keeps these values for as long as the model runs on the same machine. " + prose(), 70
    )
    assert _read_manual(tmp_path, (*CODE, *texts))[12 : 13 + len(CODE)] == [
        *CODE,
        "and the solver keeps these values for as long as the model runs on the same machine.",
    ]


def test_command_after_its_prompt_is_no_part_of_the_text_above(tmp_path):
    above = wrapped(prose(), 95)[0]  # a full line
    commands = ["> read_model(file)", "> list_values(model)", "> write_report(model, file)"]
    assert _read_manual(tmp_path, (above, *commands))[12:] == [above, *commands]


def test_sentences_with_signs_of_code_in_the_typeface_of_a_listing_are_whole(tmp_path):
    texts = (
        "the program replaces each of the words `{<` and `}` of the",
        "file by another one, and tells which error(s) it met",
    )
    assert _read_sentences(tmp_path, (*CODE, *texts))[-1] == " ".join(texts)


def test_text_below_a_command_is_no_part_of_it(tmp_path):
    texts = ["> mean_of_days = read_model(file) + read_model(other, days = 20)", "taking other days changes the mean."]
    assert _read_manual(tmp_path, (*CODE, *texts))[-2:] == texts


def test_assignments_in_words_are_lines_of_a_listing(tmp_path):
    code = ["prices <- income of the days before and after", "terms <- rates of those days and the next"]
    assert _read_sentences(tmp_path, (*CODE, *code))[-2:] == code


def test_figures_of_one_width_make_no_listing(tmp_path):
    """The figures of most typefaces are equally wide, and its letters are not."""

    def page(canvas):
        canvas.setFont("Times-Roman", 10)
        lines(canvas, 60, 780, wrapped(prose(), 70))
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 700, [f"{number:02}{number:02}{number:02}" for number in range(10, 20)], 20)
        lines(canvas, 60, 460, wrapped(prose(1), 40))

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert prose(1) in text


def _read_cut_listing(tmp_path, *pages):
    """Return the sentences of pages with prose above the lines of a listing, each group of which has white above it."""

    def make_page(groups):
        def page(canvas):
            y = lines(canvas, 60, 780, wrapped(prose(), 70)) - 20
            canvas.setFont("Courier", 10)
            for group in groups:
                y = lines(canvas, 60, y, group) - 12

        return page

    text = read(draw(tmp_path / "a.pdf", *map(make_page, pages))).text
    return [span.text for span in split_sentences(text, wrapped=False)]


def test_lines_of_a_listing_that_a_page_or_an_empty_line_cuts_are_sentences_of_their_own(tmp_path):
    first = "if (any(y != 0 & y != 1)) stop ('the response is 0 or 1')"
    second, third = "total <- function(y, wt, parms, digits) {", "paste(round(y, digits), wt)"
    sentences = _read_cut_listing(tmp_path, [[first], [second]], [[third]])
    assert {first, second, third} <= set(sentences)


def test_what_a_command_answers_is_a_sentence_of_its_own(tmp_path):
    rows = ["$ md5sum debian-testing-netinst.iso", "a20391b12f7ff22ef705cee4059c6b92 debian-testing-netinst.iso", *CODE]
    assert set(rows) <= set(_read_cut_listing(tmp_path, [rows]))


@pytest.mark.parametrize(
    "texts",
    [
        ["INTERFACE:", "pure subroutine scale(a, b, c)"],
        [
            "b : input matrix 2 (in,complex(2,2))",
            "c : output matrix (out,complex(2,2))",
            "DESCRIPTION:",
        ],
        ["convert-book --pdf harbour.parts", "typeset-book harbour.pages"],
        ["while read harbour pier works dates; do", "add harbour pier works dates of reports"],
        ['echo "The harbour works have not been reported."', "exit 1"],
    ],
)
def test_lines_beside_those_of_a_listing_are_sentences_of_their_own(tmp_path, texts):
    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 95)) - 12
        canvas.setFont("Courier", 10)
        y = lines(canvas, 60, y, CODE) - 24
        for text in texts:
            canvas.setFont("Helvetica" if text.endswith(":") else "Courier", 10)
            canvas.drawString(60, y, text)
            y -= 12

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [span.text for span in split_sentences(text, wrapped=False)][-len(texts) :] == texts


def test_text_in_one_typeface_is_no_listing_though_some_of_its_characters_are_wider(tmp_path):
    """A recogniser of scans stretches its words to those of the picture."""
    texts = [f"we go up to it at {hour} or so by sea or on a bus or by us" for hour in range(10, 22)]

    def page(canvas):
        for number, row in enumerate(texts):
            line = canvas.beginText(60, 700 - 12 * number)
            line.setFont("Courier", 10)
            line.textOut(row[:30])
            line.setHorizScale(110 if number % 4 == 3 else 100)
            line.textOut(row[30:])
            canvas.drawText(line)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text == " ".join(texts)


def test_page_that_is_mostly_a_listing_is_no_text_from_a_typewriter(tmp_path):
    commands = [f"export value_{number} = words of a rule" for number in range(24)]

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(count=2), 70)) - 12
        canvas.setFont("Courier", 10)
        lines(canvas, 60, y, commands)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [span.text for span in split_sentences(text, wrapped=False)][-len(commands) :] == commands


def test_address_in_the_typeface_of_a_listing_is_part_of_the_sentence_before_it(tmp_path):
    rows = [
        "Reports of defects are kept at this address for all readers who want to see them:",
        "https://harbour.example/",
    ]

    def page(canvas):
        canvas.setFont("Courier", 10)
        y = lines(canvas, 60, 780, CODE) - 24
        for row in rows:
            canvas.setFont("Courier" if row.startswith("https") else "Helvetica", 10)
            canvas.drawString(60, y, row)
            y -= 12

    assert read(draw(tmp_path / "a.pdf", page)).text.endswith(" ".join(rows))


def test_address_in_the_typeface_of_a_listing_that_is_cut_after_its_scheme_is_whole(tmp_path):
    rows = ["reports of defects at https://", "bugs.harbour.example/"]
    assert _read_sentences(tmp_path, (*CODE, *rows))[-1] == "".join(rows)


def test_row_of_signs_or_a_number_below_words_of_a_listing_is_a_sentence_of_its_own(tmp_path):
    texts = ("turn off any functionality of the program by setting its variables to zero", "#" * 70, "0.000")
    assert set(texts) <= set(_read_sentences(tmp_path, (*CODE, *texts)))
