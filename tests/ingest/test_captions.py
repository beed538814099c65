import pytest

from highlighter.models import DocumentTable
from ingest.captions import find_figure_captions, tie_captions

TABLE = "Pier\tFee\nNorth\t7"


def captions_of(text: str) -> list[str]:
    """Return the caption of each table in a text, "" for none."""
    starts = [number for number in range(len(text)) if text.startswith(TABLE, number)]
    tables = tie_captions(text, tuple(DocumentTable(start, start + len(TABLE)) for start in starts))
    return [text[slice(*table.caption)] if table.caption else "" for table in tables]


@pytest.mark.parametrize(
    "caption",
    ["Table 3. Fees", "Table 3", "TABLE IV: Fees", "Table A-2 Fees", "Tab. 3: Preise", "Tabelle 2 Preise", "表3 費用", "表 3-1：費用"],
)  # fmt: skip
def test_numbered_title_right_before_or_after_a_table_is_its_caption(caption):
    assert captions_of(f"Words.\n\n{caption}\n\n{TABLE}\n\nMore.") == [caption]
    assert captions_of(f"Words.\n\n{TABLE}\n\n{caption}") == [caption]


@pytest.mark.parametrize("text", ["Table 3 shows the fees.", "Tables", "Fees", "Table talk", "Figure 3. Fees"])
def test_other_paragraphs_are_no_captions_of_tables(text):
    assert captions_of(f"{text}\n\n{TABLE}\n\n{text}") == [""]


def test_caption_between_two_tables_belongs_to_one_of_them():
    assert captions_of(f"{TABLE}\n\nTable 1. Fees\n\n{TABLE}") == ["", "Table 1. Fees"]
    assert captions_of(f"Table 1. Fees\n\n{TABLE}\n\nTable 2. More\n\n{TABLE}") == ["Table 1. Fees", "Table 2. More"]
    assert captions_of(f"{TABLE}\n\nTable 1. Fees\n\nWords.\n\n{TABLE}\n\nTable 2. More") == [
        "Table 1. Fees",
        "Table 2. More",
    ]


@pytest.mark.parametrize(
    ("between", "is_tied"),
    [("(in thousands of euros)", True), ("Fee and depth", True), ("The warden collects them.", False), ("Mole\tDay", False)],
)  # fmt: skip
def test_short_line_may_stand_between_a_caption_and_its_table(between, is_tied):
    assert captions_of(f"Table 1. Fees\n\n{between}\n\n{TABLE}") == ["Table 1. Fees" if is_tied else ""]


def test_captions_of_figures_are_found():
    text = "Figure 1 shows it.\n\nFigure 1. The mole\n\nFig. 2: Tides\nin spring\n\nA figure 3.\n\n圖 4 碼頭"
    found = [text[start:end] for start, end in find_figure_captions(text)]
    assert found == ["Figure 1. The mole", "Fig. 2: Tides\nin spring", "圖 4 碼頭"]
